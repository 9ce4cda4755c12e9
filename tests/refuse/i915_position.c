/* refuse: the position of a field in place of its mask */
#include "gpucmd_i915.h"

extern const uint32_t flags;
#ifdef FIXED
const uint32_t flags = GPUCMD_I915_PIPE_CONTROL_CS_STALL;
#else
const uint32_t flags = GPUCMD_I915_PIPE_CONTROL_CS_STALL_BITS;
#endif

/* All 2^32 first words on every engine of gen12.7 to gen30; see i915/classify.c. */
#define I915_FIRST 127
#define I915_LAST  300
#define I915_NAME  "i915_xe_exhaustive"
#include "i915/classify.c"

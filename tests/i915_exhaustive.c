/* All 2^32 first words on every engine of every generation; see i915_classify.c. */
#define I915_FULL
#include "i915_classify.c"

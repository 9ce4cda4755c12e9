/* All 2^32 first words on every engine of gen2 to gen8; see i915/classify.c. */
#define I915_FIRST 20
#define I915_LAST  80
#define I915_NAME  "i915_exhaustive"
#include "i915/classify.c"

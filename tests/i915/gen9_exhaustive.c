/* All 2^32 first words on every engine of gen9 to gen12.5; see i915/classify.c. */
#define I915_FIRST 90
#define I915_LAST  125
#define I915_NAME  "i915_gen9_exhaustive"
#include "i915/classify.c"

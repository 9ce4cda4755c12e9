#include "gpucmd_all.h"
#include "i915_drivers.h"
#include "i915_equal.h"

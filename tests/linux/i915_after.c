#include "i915_drivers.h"
#include "gpucmd_all.h"
#include "i915_equal.h"

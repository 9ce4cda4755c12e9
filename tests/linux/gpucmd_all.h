/* All headers with their implementations. */
#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "gpucmd_nv.h"
#include "gpucmd_i915.h"
#include "gpucmd_agx.h"

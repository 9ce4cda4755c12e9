/* Every header that the driver found: -DHAVE_NV and so on. */
#include "gpucmd.h"
#ifdef HAVE_NV
#include "gpucmd_nv.h"
#endif
#ifdef HAVE_I915
#include "gpucmd_i915.h"
#endif
#ifdef HAVE_AGX
#include "gpucmd_agx.h"
#endif

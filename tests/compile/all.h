/* Every header that the tier found; -DHAVE_NV and the like select them. */
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

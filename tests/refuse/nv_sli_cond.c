/* refuse: a subdevice mask of 13 bits */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_SLI_COND(0x0fff)
#else
#define WORD GPUCMD_NV_SLI_COND(0x1000)
#endif

enum { REFUSED = (int)(WORD) };

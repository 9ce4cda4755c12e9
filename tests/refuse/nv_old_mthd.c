/* refuse: an old method past the last one */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x1ffc, 1)
#else
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x2000, 1)
#endif

enum { REFUSED = (int)(WORD) };

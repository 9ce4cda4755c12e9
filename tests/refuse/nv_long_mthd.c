/* refuse: a long run into a method past the last one */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_LONG_NON_INC(0, 0x1ffc)
#else
#define WORD GPUCMD_NV_LONG_NON_INC(0, 0x2000)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: a method past the last one */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_NON_INC(0, 0x3ffc, 1)
#else
#define WORD GPUCMD_NV_NON_INC(0, 0x4000, 1)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: immediate data of 14 bits */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_IMMD(0, 0x0100, 0x1fff)
#else
#define WORD GPUCMD_NV_IMMD(0, 0x0100, 0x2000)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: a segment length of 22 bits */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_ENTRY1(0x1000, 0x1fffff)
#else
#define WORD GPUCMD_NV_ENTRY1(0x1000, 0x200000)
#endif

enum { REFUSED = (int)(WORD) };

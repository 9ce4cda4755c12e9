/* refuse: a segment past 40 bits of address */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_ENTRY1(0xff00000000ull, 1)
#else
#define WORD GPUCMD_NV_ENTRY1(0x10000000000ull, 1)
#endif

enum { REFUSED = (int)(WORD) };

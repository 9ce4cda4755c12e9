/* refuse: a long count of 25 bits */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_LONG_COUNT(0xffffff)
#else
#define WORD GPUCMD_NV_LONG_COUNT(0x1000000)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: a segment that is not aligned to words */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_ENTRY0(0x1000)
#else
#define WORD GPUCMD_NV_ENTRY0(0x1002)
#endif

enum { REFUSED = (int)(WORD) };

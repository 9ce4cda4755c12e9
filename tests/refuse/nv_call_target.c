/* refuse: a call past its 32 bits of address */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_CALL(0x00fffffcull)
#else
#define WORD GPUCMD_NV_CALL(0x100000000ull)
#endif

enum { REFUSED = (int)(WORD) };

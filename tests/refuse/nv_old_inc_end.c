/* refuse: an old increasing run that passes the last method */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_OLD_INC(0, 0x1ff8, 2)
#else
#define WORD GPUCMD_NV_OLD_INC(0, 0x1ff8, 3)
#endif

enum { REFUSED = (int)(WORD) };

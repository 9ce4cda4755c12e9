/* refuse: an old count that is one too large for its field */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x0100, 2047)
#else
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x0100, 2048)
#endif

enum { REFUSED = (int)(WORD) };

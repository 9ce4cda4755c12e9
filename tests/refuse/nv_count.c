/* refuse: a count that is one too large for its field */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_NON_INC(0, 0x0100, 0x1fff)
#else
#define WORD GPUCMD_NV_NON_INC(0, 0x0100, 0x2000)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: an old method that is not a multiple of 4 */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x0100, 1)
#else
#define WORD GPUCMD_NV_OLD_NON_INC(0, 0x0101, 1)
#endif

enum { REFUSED = (int)(WORD) };

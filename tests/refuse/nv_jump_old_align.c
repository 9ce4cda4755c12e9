/* refuse: an old jump to an address that is not a multiple of 4 */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_JUMP_OLD(0x1000)
#else
#define WORD GPUCMD_NV_JUMP_OLD(0x1002)
#endif

enum { REFUSED = (int)(WORD) };

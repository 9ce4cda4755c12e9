/* refuse: an old jump past its 29 bits of address */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_JUMP_OLD(0x1ffffffc)
#else
#define WORD GPUCMD_NV_JUMP_OLD(0x20000000)
#endif

enum { REFUSED = (int)(WORD) };

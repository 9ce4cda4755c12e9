/* refuse: an old run for subchannel 8 */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_OLD_INC(7, 0x0100, 1)
#else
#define WORD GPUCMD_NV_OLD_INC(8, 0x0100, 1)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: an increasing run that passes the last method */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_INC(0, 0x3ff8, 2)
#else
#define WORD GPUCMD_NV_INC(0, 0x3ff8, 3)
#endif

enum { REFUSED = (int)(WORD) };

/* refuse: an increase-once run of two words at the last method */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_ONE_INC(0, 0x3ffc, 1)
#else
#define WORD GPUCMD_NV_ONE_INC(0, 0x3ffc, 2)
#endif

enum { REFUSED = (int)(WORD) };

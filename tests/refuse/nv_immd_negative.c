/* refuse: immediate data below zero */
#include "gpucmd_nv.h"

#ifdef FIXED
#define WORD GPUCMD_NV_IMMD(0, 0x0100, 1)
#else
#define WORD GPUCMD_NV_IMMD(0, 0x0100, -1)
#endif

enum { REFUSED = (int)(WORD) };

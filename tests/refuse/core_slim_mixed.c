/* refuse: a whole vendor header over a slim gpucmd.h with fewer parts */
#include "gpucmd.h"
#ifndef FIXED
#undef GPUCMD_PARTS
#define GPUCMD_PARTS 1
#endif
#include "gpucmd_nv.h"

extern int refused;
int refused = GPUCMD_OK;

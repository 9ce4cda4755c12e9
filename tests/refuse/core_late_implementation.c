/* refuse: GPUCMD_IMPLEMENTATION between the headers, so that the first has no implementation */
#ifdef FIXED
#define GPUCMD_IMPLEMENTATION
#endif
#include "gpucmd_nv.h"
#ifndef FIXED
#define GPUCMD_IMPLEMENTATION
#endif
#include "gpucmd_agx.h"

extern int refused;
int refused = GPUCMD_OK;

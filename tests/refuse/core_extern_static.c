/* refuse: external copies of the inline functions in a static implementation */
#define GPUCMD_EXTERN
#define GPUCMD_IMPLEMENTATION
#ifndef FIXED
#define GPUCMD_STATIC
#endif
#include "gpucmd.h"

extern int refused;
int refused = GPUCMD_OK;

/* The implementation of every header in one unit. */
#define GPUCMD_IMPLEMENTATION
#include "all.h"

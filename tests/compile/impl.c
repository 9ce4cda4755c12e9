/* The implementations of all headers in one unit. */
#define GPUCMD_IMPLEMENTATION
#include "all.h"

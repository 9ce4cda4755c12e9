/* The interface first, the implementation asked for later: it must still come. */
#include HEADER
#define GPUCMD_IMPLEMENTATION
#include HEADER

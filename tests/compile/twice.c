/* A second and a third include of the same header add nothing. */
#define GPUCMD_IMPLEMENTATION
#include HEADER
#include HEADER
#undef GPUCMD_IMPLEMENTATION
#include HEADER

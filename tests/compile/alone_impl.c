/* One header with its implementation, without another include before it. */
#define GPUCMD_IMPLEMENTATION
#include HEADER

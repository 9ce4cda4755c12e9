/* One header with its implementation, nothing before it. */
#define GPUCMD_IMPLEMENTATION
#include HEADER

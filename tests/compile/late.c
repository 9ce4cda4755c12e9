/* First the interface, then the header again with GPUCMD_IMPLEMENTATION: it must be implemented. */
#include HEADER
#define GPUCMD_IMPLEMENTATION
#include HEADER

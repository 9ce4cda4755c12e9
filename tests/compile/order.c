/* The vendor headers in the order that the tier selects, implemented in one unit. */
#define GPUCMD_IMPLEMENTATION
#ifdef H1
#include H1
#endif
#ifdef H2
#include H2
#endif
#ifdef H3
#include H3
#endif

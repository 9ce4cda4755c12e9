/* fuzz_agx_alias.c - fuzz_agx_kernel.c with a user whose memory is the memory of the objects:
 * timestamps change the syncs and streams of later submissions. */
#define FUZZ_ALIAS
#define FUZZ_NAME "fuzz_agx_alias"
#include "fuzz_agx_kernel.c"

/* fuzz_agx_draft_alias.c - fuzz_agx_draft.c with a user whose memory is the memory of the objects:
 * results change the syncs, commands and payloads of later submissions. */
#define FUZZ_ALIAS
#define FUZZ_NAME "fuzz_agx_draft_alias"
#include "fuzz_agx_draft.c"

/* fuzz_nv_alias.c - fuzz_nv_nvgpu.c with arguments in the RAM of the model: memory of the process
 * is also rings, control areas and words of channels. */
#define FUZZ_ALIAS
#define FUZZ_NAME "fuzz_nv_alias"
#include "fuzz_nv_nvgpu.c"

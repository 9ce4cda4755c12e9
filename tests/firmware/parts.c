/* A user of the headers, for the sizes in examples/firmware/README.md: PART 1 writes, 2 also checks
 * what it wrote, 3 also executes. */
#if PART > 1
#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#endif
#include "gpucmd_nv.h"
#include "gpucmd_i915.h"
#if PART > 2
#include "../../examples/streams.h"

bool part_run(gpucmd_text *t);
bool part_run(gpucmd_text *t)
{
    return streams_nv(t) && streams_i915(t) && streams_agx(t);
}
#endif

#include "../compile/write_only.c"

#if PART > 1
gpucmd_status part_check(const uint32_t *dw, size_t len_dw, bool nv, size_t *errors);
gpucmd_status part_check(const uint32_t *dw, size_t len_dw, bool nv, size_t *errors)
{
    gpucmd_nv_gate gate;
    gpucmd_i915_cmdset cmdset;
    gpucmd_status status;
    if (nv) {
        status = gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, true, GPUCMD_NV_FMT_NEW);
        return status != GPUCMD_OK ? status : gpucmd_nv_check(&gate, dw, len_dw, NULL, errors);
    }
    status = gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    return status != GPUCMD_OK ? status : gpucmd_i915_check(&cmdset, dw, len_dw, NULL, errors);
}
#endif

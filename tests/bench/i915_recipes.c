/* Requests written through the library, for row P19, which also measures the text size of this
 * unit. */
#include "i915_recipes.h"

size_t lib_i915_requests(uint32_t *dst, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                         uint32_t first, uint32_t count)
{
    const uint64_t va = gen < GPUCMD_I915_GEN8 ? (uint32_t)USER_VA : USER_VA;
    const bool copies = gen < GPUCMD_I915_GEN6 || engine == GPUCMD_I915_BCS;
    size_t len_dw = 0;
    for (uint32_t i = 0; i < count; i++) {
        gpucmd_writer w;
        gpucmd_writer_init(&w, dst, REQUEST_DW);
        gpucmd_i915_emit_flush(&w, gen, engine, GPUCMD_I915_INVALIDATE, SCRATCH_VA);
        gpucmd_i915_emit_dispatch(&w, gen, engine, false, va);
        gpucmd_i915_emit_flush(&w, gen, engine, GPUCMD_I915_WRITE_BACK, SCRATCH_VA);
        if (copies) {
            gpucmd_i915_emit_copy_pages(&w, gen, va + 4096, va, 1);
        }
        gpucmd_i915_emit_breadcrumb(&w, gen, engine, SEQNO_VA, first + i);
        if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
            return 0;
        }
    }
    return len_dw;
}

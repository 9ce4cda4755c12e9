/* Requests written through the library, for row P19, which also measures the text size of this
 * unit. */
#include "i915_recipes.h"

size_t lib_i915_requests(uint32_t *dst, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                         uint32_t first, uint32_t count)
{
    const uint64_t va = gen < GPUCMD_I915_GEN8 ? (uint32_t)USER_VA : USER_VA;
    const bool copies = gen < GPUCMD_I915_GEN6 || engine == GPUCMD_I915_BCS;
    size_t len_dw = 0;
    gpucmd_i915_target t = {GPUCMD_I915_GEN2, GPUCMD_I915_RCS, 0, 0, SCRATCH_VA, 0, 0, 0};
    t.gen = gen;
    t.engine = engine;
    for (uint32_t i = 0; i < count; i++) {
        gpucmd_writer w;
        gpucmd_writer_init(&w, dst, REQUEST_DW);
        gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_INVALIDATE);
        gpucmd_i915_emit_dispatch(&w, &t, false, va);
        gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK);
        if (copies) {
            gpucmd_i915_emit_copy_pages(&w, gen, va + 4096, va, 1);
        }
        gpucmd_i915_emit_breadcrumb(&w, &t, SEQNO_VA, first + i);
        if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
            return 0;
        }
    }
    return len_dw;
}

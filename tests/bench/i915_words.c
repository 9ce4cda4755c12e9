/* Words written through the library, for row P7. */
#include "i915.h"

size_t lib_i915_unit(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    const gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dst, cap_dw);
    for (size_t i = 0; i < units; i++) {
        gpucmd_i915_emit_mi_store_data_imm_qw(&w, gen, 0, STORE_VA, v[0] | (uint64_t)v[1] << 32);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2600, v[2]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2604, v[3]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2608, v[4]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x260c, v[5]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2610, v[6]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2614, v[7]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2618, v[8]);
        gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x261c, v[9]);
        gpucmd_i915_emit_pipe_control(&w, gen, 0,
                                      GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL) |
                                          GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1),
                                      FENCE_VA, v[10] | (uint64_t)v[11] << 32);
        gpucmd_i915_emit_mi_semaphore_wait(
            &w, gen,
            GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_POLL) |
                GPUCMD_I915_PUT(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_GE),
            v[12], FENCE_VA);
        gpucmd_i915_emit_mi_noop(&w, gen, 0);
    }
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

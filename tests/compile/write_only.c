/* A user that only writes words: the size of its code is in the manual of gpucmd.h. */
#include "gpucmd_nv.h"
#include "gpucmd_i915.h"

size_t write_nv(uint32_t *dw, size_t cap_dw, uint64_t va, uint32_t value);
size_t write_i915(uint32_t *dw, size_t cap_dw, uint64_t va, uint32_t value);

/* A method, a run of methods, and a semaphore of Ampere. */
size_t write_nv(uint32_t *dw, size_t cap_dw, uint64_t va, uint32_t value)
{
    const uint32_t line[4] = {value, 0, value, 1};
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dw, cap_dw);
    gpucmd_nv_emit_inc1(&w, 0, 0x0100, value);
    gpucmd_nv_emit_inc(&w, 4, 0x0400, line, 4);
    gpucmd_nv_emit_sem_release(&w, GPUCMD_NV_CHIP_GA102, va, value, 0);
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

/* A register, a store, and the end of a batch of gen9. */
size_t write_i915(uint32_t *dw, size_t cap_dw, uint64_t va, uint32_t value)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dw, cap_dw);
    gpucmd_i915_emit_mi_load_register_imm1(&w, GPUCMD_I915_GEN9, 0, 0x2600, value);
    gpucmd_i915_emit_mi_store_data_imm(&w, GPUCMD_I915_GEN9, 0, va, value);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, GPUCMD_I915_GEN9, 0);
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

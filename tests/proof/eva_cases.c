/* Emitters for EVA, one analysis of each case of the argument that determines the size. The writer's
 * functions are replaced by their contracts, which writer_wp.c proves for buffers of any size. */
#define EVA_WRITER
#include "tests/proof/eva.h"

static gpucmd_writer w;

/* ---- NVIDIA: chips and flags that select the methods ---- */

static void sem(unsigned first, unsigned last, uint32_t flags)
{
    const gpucmd_nv_chip chip = (gpucmd_nv_chip)Frama_C_unsigned_int_interval(first, last);
    uint64_t va, payload;
    gpucmd_nv_sem_op op;
    gpucmd_nv_reduction reduction;
    Frama_C_make_unknown((char *)&va, sizeof va);
    Frama_C_make_unknown((char *)&payload, sizeof payload);
    Frama_C_make_unknown((char *)&op, sizeof op);
    Frama_C_make_unknown((char *)&reduction, sizeof reduction);
    gpucmd_nv_emit_sem_release(&w, chip, va, payload, flags);
    gpucmd_nv_emit_sem_acquire(&w, chip, op, va, payload, flags);
    gpucmd_nv_emit_sem_reduction(&w, chip, reduction, va, payload, flags);
}

/* Each value of the flags, and all values with the same highest bit above them. */
void main_sem(void)
{
    //@ loop unroll 153;
    for (uint32_t i = 0; i < 128 + 25; i++) {
        const uint32_t flags =
            i < 128 ? i : Frama_C_unsigned_int_interval(1u << (i - 121), (2u << (i - 121)) - 1);
        sem(0, GPUCMD_NV_CHIP_GV100 - 1, flags);
        sem(GPUCMD_NV_CHIP_GV100, 0xffffffff, flags);
    }
}

/* No case: the words have room for the longest of each part. */
void main_ce(void)
{
    gpucmd_nv_ce ce;
    gpucmd_nv_chip chip;
    Frama_C_make_unknown((char *)&ce, sizeof ce);
    Frama_C_make_unknown((char *)&chip, sizeof chip);
    point_gpucmd_nv_ce(&ce);
    gpucmd_nv_emit_ce(&w, chip, &ce);
}

/* ---- Intel: each 2D command, generation and number of data words ---- */

static void blt(unsigned first, unsigned last, gpucmd_i915_op op, uint32_t data_dw, bool short_form)
{
    const gpucmd_i915_gen gen = (gpucmd_i915_gen)Frama_C_unsigned_int_interval(first, last);
    const gpucmd_priv_i915_blt_row row = gpucmd_priv_i915_blt_find(gen, op);
    uint32_t data[128];
    gpucmd_i915_blt b;
    size_t n_dw;
    Frama_C_make_unknown((char *)&b, sizeof b);
    Frama_C_make_unknown((char *)data, sizeof data);
    b.data = data + (data_dw <= 128 ? 128 - data_dw : 0);
    b.data_dw = data_dw;
    b.short_form = short_form;
    gpucmd_i915_emit_blt(&w, gen, op, &b);
    n_dw = row.limits != 0 ? gpucmd_priv_i915_blt_dw(gen, &b, &row) : 0;
    (void)!!gpucmd_i915_encode_blt(eva_room + (256 - (n_dw <= 256 ? n_dw : 256)), gen, op, &b);
}

static void blt_data(unsigned first, unsigned last, gpucmd_i915_op op)
{
    if ((gpucmd_priv_i915_blt_find(GPUCMD_I915_GEN8, op).parts & GPUCMD_I915_PRIV_BLT_DATA) == 0) {
        blt(first, last, op, 0, false);
        if (op == GPUCMD_I915_OP_XY_BLOCK_COPY_BLT) {
            blt(first, last, op, 0, true);
        }
        return;
    }
    blt(first, last, op, Frama_C_unsigned_int_interval(0, 1), false);
    blt(first, last, op, Frama_C_unsigned_int_interval(1, 63) * 2 + 1, false);
    blt(first, last, op, Frama_C_unsigned_int_interval(129, 0xffffffff), false);
#ifdef FULL
    //@ loop unroll 64;
    for (uint32_t n = 2; n <= 128; n += 2) {
#else
    //@ loop unroll 2;
    for (uint32_t n = 2; n <= 128; n += 126) {
#endif
        blt(first, last, op, n, false);
    }
}

void main_blt(void)
{
    //@ loop unroll 256;
    for (unsigned op = 0; op < 256; op++) {
        if (gpucmd_priv_i915_blt_find(GPUCMD_I915_GEN8, (gpucmd_i915_op)op).limits == 0) {
            blt(0, 0xffffffff, (gpucmd_i915_op)op, 2, false);
            continue;
        }
        blt_data(0, GPUCMD_I915_GEN8 - 1, (gpucmd_i915_op)op);
        blt_data(GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5 - 1, (gpucmd_i915_op)op);
        blt_data(GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN20 - 1, (gpucmd_i915_op)op);
        blt_data(GPUCMD_I915_GEN20, 0xffffffff, (gpucmd_i915_op)op);
    }
    blt(0, 0xffffffff, (gpucmd_i915_op)Frama_C_unsigned_int_interval(256, 0x7fffffff), 2, false);
    blt(0, 0xffffffff, (gpucmd_i915_op)Frama_C_unsigned_int_interval(1u << 31, ~0u), 2, false);
}

/* ---- Apple: each size of a payload ---- */

void main_cut(void)
{
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_render render;
    struct gpucmd_drm_asahi_cmd_compute compute;
    uint32_t vdm, cdm;
    Frama_C_make_unknown((char *)&s, sizeof s);
    Frama_C_make_unknown((char *)&render, sizeof render);
    Frama_C_make_unknown((char *)&compute, sizeof compute);
    Frama_C_make_unknown((char *)&vdm, sizeof vdm);
    Frama_C_make_unknown((char *)&cdm, sizeof cdm);
    //@ loop unroll 242;
    for (uint32_t i = 0; i < 242; i++) {
        const uint32_t bytes = i < 241 ? i : Frama_C_unsigned_int_interval(241, 0xffffffff);
        gpucmd_agx_emit_render_cut(&s, vdm, cdm, &render, bytes);
        gpucmd_agx_emit_compute_cut(&s, vdm, cdm, &compute, bytes);
    }
}

/* Decoders with unknown words for EVA: a stream of 1 to WORDS words that ends where its array ends. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "tests/proof/eva.h"

enum { WORDS = 4 };

static uint32_t words[WORDS];

static void nv(size_t n)
{
    const uint32_t *const dw = words + (WORDS - n);
    gpucmd_nv_gate gate;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk walk;
    gpucmd_nv_entry entry;
    uint32_t runlist = 0, channel = 0;
    Frama_C_make_unknown((char *)&gate, sizeof gate); /* any gate */
    gate.ib_enable = Frama_C_interval(0, 1) != 0;
    gate.sli_enable = Frama_C_interval(0, 1) != 0;
    (void)gpucmd_nv_classify(&gate, dw[0]);
    (void)gpucmd_nv_decode_header(dw[0], &gate, &cmd);
    (void)gpucmd_nv_decode(dw, n, &gate, &cmd);
    (void)gpucmd_nv_command_dw(&gate, dw, n);
    gpucmd_nv_walk_init(&walk, &gate, NULL, 0);
    walk.lenp = Frama_C_interval(0, 1) != 0;
    walk.form = (gpucmd_nv_form)Frama_C_interval(0, GPUCMD_NV_FORM_INVALID);
    walk.left_dw = Frama_C_unsigned_int_interval(0, 0xffffffff);
    gpucmd_nv_walk_segment(&walk, dw, n);
    if (gpucmd_nv_walk_next(&walk, &cmd)) {
        //@ split cmd.head_dw;
        //@ split cmd.len_dw;
        //@ assert cmd.data + (cmd.len_dw - cmd.head_dw) == walk.cur;
    }
    //@ assert dw <= walk.cur <= walk.end;
    (void)gpucmd_nv_walk_pending(&walk);
    (void)gpucmd_nv_decode_entry(words, gate.chip, &entry);
    (void)gpucmd_nv_decode_token(gate.chip, dw[0], &runlist, &channel);
}

static gpucmd_i915_cmdset set;

/* Any command set: opcodes without a row, GFX, or a row; lengths of 0 to 16 bits. */
static void any_set(void)
{
    Frama_C_make_unknown((char *)&set, sizeof set);
    //@ loop unroll 200;
    for (size_t i = 0; i < sizeof set.op; i++) {
        set.mi_form[i % 64] = (uint8_t)Frama_C_interval(0, 16);
        set.op[i] = (uint8_t)Frama_C_interval(0, GPUCMD_I915_PRIV_ROWS + 1);
    }
    set.gfx = Frama_C_interval(0, 1) != 0;
    set.video = Frama_C_interval(0, 1) != 0;
}

static void i915(size_t n)
{
    uint32_t *const dw = words + (WORDS - n);
    const uint32_t client = Frama_C_unsigned_int_interval(0, 7);
    gpucmd_i915_cmd cmd;
    gpucmd_i915_walk walk;
    gpucmd_i915_part part;
    //@ split client;
    dw[0] = client << 29 | Frama_C_unsigned_int_interval(0, (1u << 29) - 1);
    (void)gpucmd_i915_classify(&set, dw[0]);
    gpucmd_i915_decode(&set, dw, n, &cmd);
    (void)gpucmd_i915_command_dw(&set, dw, n);
    gpucmd_i915_walk_init(&walk, &set, dw, n);
    (void)gpucmd_i915_walk_next(&walk, &part);
    //@ assert dw <= walk.cur <= walk.end;
}

static void agx(size_t n)
{
    const uint8_t *const bytes = (const uint8_t *)words + (sizeof words - n);
    gpucmd_agx_raw raw;
    struct gpucmd_drm_asahi_cmd_render render;
    struct gpucmd_drm_asahi_cmd_compute compute;
    struct gpucmd_drm_asahi_draft_result_render result_render;
    struct gpucmd_drm_asahi_draft_result_compute result_compute;
    gpucmd_agx_result result;
    gpucmd_writer w;
    const gpucmd_status status = gpucmd_agx_decode(bytes, n, &raw);
    if (n >= 8 && status == GPUCMD_OK) {
        //@ split raw.avail_bytes;
        gpucmd_agx_load_render(&raw, &render);
        gpucmd_agx_load_compute(&raw, &compute);
    }
    gpucmd_agx_walk walk;
    gpucmd_agx_walk_init(&walk, bytes, n);
    (void)gpucmd_agx_walk_next(&walk,
                               &raw); /* a later state is the first one of a shorter stream */
    //@ assert walk.at_bytes <= n;
    gpucmd_writer_init(&w, words + (WORDS - n / 4), n / 4);
    (void)gpucmd_writer_reserve(&w, n / 4);
    gpucmd_writer_commit(&w, n / 4);
    (void)gpucmd_writer_commands(&w, gpucmd_agx_command_dw, NULL);
    Frama_C_make_unknown((char *)&result, sizeof result);
    gpucmd_agx_encode_result_render(&result, &result_render);
    gpucmd_agx_encode_result_compute(&result, &result_compute);
}

static size_t some_words(void)
{
    const size_t n = (size_t)Frama_C_interval(1, WORDS);
    Frama_C_make_unknown((char *)words, sizeof words);
    //@ split n;
    return n;
}

void main_agx(void)
{
    agx(some_words() * 4);
}
void main_i915(void)
{
    any_set();
    i915(some_words());
}
void main_nv(void)
{
    nv(some_words());
}

/* gpucmd_nv_emit_append, by induction: at_dw words are written, and the last count_dw + 1 are *run. */
void main_append(void)
{
    const size_t at_dw = some_words() - 1;
    const size_t cap = (size_t)Frama_C_interval(0, WORDS);
    gpucmd_writer w;
    gpucmd_nv_run run;
    //@ split cap;
    gpucmd_writer_init(&w, words + (WORDS - cap), cap);
    (void)gpucmd_writer_reserve(&w, at_dw);
    gpucmd_writer_commit(&w, at_dw);
    run.count_dw = Frama_C_unsigned_int_interval(0, WORDS);
    //@ split run.count_dw;
    if (run.count_dw != 0 && run.count_dw >= at_dw) {
        return;
    }
    run.end_dw = Frama_C_interval(0, 1) != 0 ? at_dw : 0;
    run.subc = Frama_C_unsigned_int_interval(0, 0xffffffff);
    run.mthd = Frama_C_unsigned_int_interval(0, 0xffffffff);
    const int chips = Frama_C_interval(0, 5);
    //@ split chips;
    gpucmd_nv_emit_append(&w, eva_chip(chips), &run, Frama_C_unsigned_int_interval(0, 0xffffffff),
                          Frama_C_unsigned_int_interval(0, 0xffffffff),
                          Frama_C_unsigned_int_interval(0, 0xffffffff));
    if (w.cur != NULL) { /* otherwise the writer has failed, and a run of it is never continued */
        //@ assert run.count_dw >= 1 && run.count_dw < run.end_dw;
    }
}

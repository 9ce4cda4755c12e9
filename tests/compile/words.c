/* Prints the words of a fixed list of emitter calls. The compile tier builds this program with
 * every compiler, standard, optimisation level and target that it has, and compares the outputs.
 * They must be equal, because words depend only on arguments.
 *
 * To add a command, add a line `SHOW("name", call);` to the block of the vendor. The call must
 * emit into &w; `data` has some words to use. */
#include <stdio.h>
#include <string.h>

#include "all.h"

#define WORDS_MAX 512

static uint32_t buffer[WORDS_MAX];
static const uint32_t data[8] = {0x00000000u, 0xffffffffu, 0x01234567u, 0x89abcdefu,
                                 0x80000001u, 0x7fffffffu, 0xdeadbeefu, 0x00c0ffeeu};

static void show(const char *name, const gpucmd_writer *w)
{
    size_t len_dw = 0;
    size_t i;
    const gpucmd_status status = gpucmd_writer_finish(w, &len_dw);

    printf("%s: status %d,", name, (int)status);
    for (i = 0; i < len_dw && i < WORDS_MAX; i++) {
        printf(" %08lx", (unsigned long)buffer[i]);
    }
    printf("\n");
}

/* Emit one command into a filled buffer, so that a word that is not written is visible. */
#define SHOW(name, call)                                                                           \
    do {                                                                                           \
        gpucmd_writer w;                                                                           \
        memset(buffer, 0xa5, sizeof buffer);                                                       \
        gpucmd_writer_init(&w, buffer, WORDS_MAX);                                                 \
        call;                                                                                      \
        show(name, &w);                                                                            \
    } while (0)

static void core_words(void)
{
    SHOW("core words", gpucmd_writer_emit_words(&w, data, 8));
    SHOW("core patch", {
        gpucmd_writer_emit_words(&w, data, 3);
        gpucmd_writer_patch(&w, 1, gpucmd_float_bits(0.1f));
    });
}

#ifdef GPUCMD_NV_H
static void nv_words(void)
{
    SHOW("nv long non_inc long", gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, data, 8));
    SHOW("nv inc", gpucmd_nv_emit_inc(&w, 2, 0x030c, data, 8));
    SHOW("nv inc1", gpucmd_nv_emit_inc1(&w, 0, 0x0100, data[0]));
    SHOW("nv inc2", gpucmd_nv_emit_inc2(&w, 1, 0x0100, data[0], data[1]));
    SHOW("nv inc3", gpucmd_nv_emit_inc3(&w, 2, 0x0100, data[0], data[1], data[2]));
    SHOW("nv inc4", gpucmd_nv_emit_inc4(&w, 3, 0x0100, data[0], data[1], data[2], data[3]));
    SHOW("nv inc5",
         gpucmd_nv_emit_inc5(&w, 4, 0x0100, data[0], data[1], data[2], data[3], data[4]));
    SHOW("nv inc6",
         gpucmd_nv_emit_inc6(&w, 5, 0x0100, data[0], data[1], data[2], data[3], data[4], data[5]));
    SHOW("nv inc7", gpucmd_nv_emit_inc7(&w, 6, 0x0100, data[0], data[1], data[2], data[3], data[4],
                                        data[5], data[6]));
    SHOW("nv inc8", gpucmd_nv_emit_inc8(&w, 7, 0x0100, data[0], data[1], data[2], data[3], data[4],
                                        data[5], data[6], data[7]));
    SHOW("nv non_inc", gpucmd_nv_emit_non_inc(&w, 1, 0x01b4, data, 3));
    SHOW("nv one_inc", gpucmd_nv_emit_one_inc(&w, 7, 0x3ff8, data, 4));
    SHOW("nv immd", gpucmd_nv_emit_immd(&w, 4, 0x0300, 0x1182));
    SHOW("nv nop", gpucmd_nv_emit_nop(&w));
    SHOW("nv sli_cond", gpucmd_nv_emit_sli_cond(&w, 0xfff));
    SHOW("nv sli_store", gpucmd_nv_emit_sli_store(&w, 0x801));
    SHOW("nv sli_use", gpucmd_nv_emit_sli_use(&w));
    SHOW("nv end_segment", gpucmd_nv_emit_end_segment(&w));
    SHOW("nv old_inc", gpucmd_nv_emit_old_inc(&w, 2, 0x030c, data, 8));
    SHOW("nv old_inc1", gpucmd_nv_emit_old_inc1(&w, 0, 0x0100, data[0]));
    SHOW("nv old_inc2", gpucmd_nv_emit_old_inc2(&w, 1, 0x0100, data[0], data[1]));
    SHOW("nv old_inc3", gpucmd_nv_emit_old_inc3(&w, 2, 0x0100, data[0], data[1], data[2]));
    SHOW("nv old_inc4", gpucmd_nv_emit_old_inc4(&w, 3, 0x0100, data[0], data[1], data[2], data[3]));
    SHOW("nv old_inc5",
         gpucmd_nv_emit_old_inc5(&w, 4, 0x0100, data[0], data[1], data[2], data[3], data[4]));
    SHOW("nv old_inc6", gpucmd_nv_emit_old_inc6(&w, 5, 0x0100, data[0], data[1], data[2], data[3],
                                                data[4], data[5]));
    SHOW("nv old_inc7", gpucmd_nv_emit_old_inc7(&w, 6, 0x0100, data[0], data[1], data[2], data[3],
                                                data[4], data[5], data[6]));
    SHOW("nv old_inc8", gpucmd_nv_emit_old_inc8(&w, 7, 0x0100, data[0], data[1], data[2], data[3],
                                                data[4], data[5], data[6], data[7]));
    SHOW("nv old_non_inc", gpucmd_nv_emit_old_non_inc(&w, 5, 0x1ffc, data, 3));
    SHOW("nv long_non_inc", gpucmd_nv_emit_long_non_inc(&w, 3, 0x0fb8, data, 5));
    SHOW("nv jump_old", gpucmd_nv_emit_jump_old(&w, 0x1ffffffc));
    SHOW("nv jump", gpucmd_nv_emit_jump(&w, 0xfffffffc));
    SHOW("nv call", gpucmd_nv_emit_call(&w, 0x80001000));
    SHOW("nv return", gpucmd_nv_emit_return(&w));
    SHOW("nv non_inc_long", gpucmd_nv_emit_non_inc_long(&w, 2, 0x0304, data, 8));
    SHOW("nv one_inc_long", gpucmd_nv_emit_one_inc_long(&w, 2, 0x01b0, data, 8));
    SHOW("nv old_inc_long", gpucmd_nv_emit_old_inc_long(&w, 2, 0x0304, data, 8));
    SHOW("nv old_non_inc_long", gpucmd_nv_emit_old_non_inc_long(&w, 2, 0x0304, data, 8));
}

/* Print only the headers of split runs, because WORDS_MAX is too small for all words. */
static void nv_split_words(void)
{
    static uint32_t room[20000];
    static uint32_t zeros[17000];
    gpucmd_writer w;
    size_t at_dw;

    gpucmd_writer_init(&w, room, sizeof room / sizeof room[0]);
    gpucmd_nv_emit_non_inc_long(&w, 2, 0x0304, zeros, 16383);
    gpucmd_nv_emit_old_inc_long(&w, 2, 0, zeros, 2048);
    printf("nv split: status %d, %lu words,", (int)w.status,
           (unsigned long)gpucmd_writer_need_dw(&w));
    for (at_dw = 0; at_dw < gpucmd_writer_at_dw(&w); at_dw++) {
        if (room[at_dw] != 0) {
            printf(" %lu %08lx", (unsigned long)at_dw, (unsigned long)room[at_dw]);
        }
    }
    printf("\n");
}

/* Constant words, and calls that fail. */
static void nv_constants(void)
{
    static const uint32_t constants[] = {
        GPUCMD_NV_INC(7, 0x3ffc, 1),
        GPUCMD_NV_NON_INC(7, 0x3ffc, 0x1fff),
        GPUCMD_NV_ONE_INC(7, 0x3ff8, 0x1fff),
        GPUCMD_NV_IMMD(7, 0x3ffc, 0x1fff),
        GPUCMD_NV_NOP,
        GPUCMD_NV_SLI_COND(0xfff),
        GPUCMD_NV_SLI_STORE(0xfff),
        GPUCMD_NV_SLI_USE,
        GPUCMD_NV_END_SEGMENT,
        GPUCMD_NV_OLD_INC(7, 0x1ffc, 1),
        GPUCMD_NV_OLD_NON_INC(7, 0x1ffc, 2047),
        GPUCMD_NV_LONG_NON_INC(7, 0x1ffc),
        GPUCMD_NV_LONG_COUNT(0xffffff),
        GPUCMD_NV_JUMP_OLD(0x1ffffffc),
        GPUCMD_NV_JUMP(0xfffffffc),
        GPUCMD_NV_CALL(0x80001000),
        GPUCMD_NV_RETURN,
        GPUCMD_NV_ENTRY0(0xfffffffff8),
        GPUCMD_NV_ENTRY1(0xfffffffff8, 1),
    };

    SHOW("nv constants",
         gpucmd_writer_emit_words(&w, constants, sizeof constants / sizeof constants[0]));
    SHOW("nv refused range", gpucmd_nv_emit_inc1(&w, 8, 0x0100, 1));
    SHOW("nv refused align", gpucmd_nv_emit_inc1(&w, 0, 0x0102, 1));
    SHOW("nv refused full", gpucmd_nv_emit_non_inc_long(&w, 0, 0, NULL, 0xffffff));
}

/* IB entries of both layouts, with every flag that the chip has. */
static void nv_entries(void)
{
    uint32_t entry[2] = {0, 0};

    SHOW("nv entry g80", {
        if (gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_G80, 0x1234567898, 0x3fffff,
                                   GPUCMD_NV_ENTRY_DISABLE | GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH |
                                       GPUCMD_NV_ENTRY_PRIV | GPUCMD_NV_ENTRY_SUBROUTINE) ==
            GPUCMD_OK) {
            gpucmd_writer_emit_words(&w, entry, 2);
        }
    });
    SHOW("nv entry gf100", {
        if (gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GF100, 0x1234567898, 0x1fffff,
                                   GPUCMD_NV_ENTRY_FETCH_CONDITIONAL |
                                       GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH | GPUCMD_NV_ENTRY_PRIV |
                                       GPUCMD_NV_ENTRY_SUBROUTINE | GPUCMD_NV_ENTRY_SYNC_WAIT) ==
            GPUCMD_OK) {
            gpucmd_writer_emit_words(&w, entry, 2);
        }
    });
    SHOW("nv control", {
        if (gpucmd_nv_encode_control(entry, GPUCMD_NV_CHIP_GH100,
                                     GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE, 0x00012300,
                                     GPUCMD_NV_ENTRY_SYNC_WAIT) == GPUCMD_OK) {
            gpucmd_writer_emit_words(&w, entry, 2);
        }
    });
}
#endif

#ifdef GPUCMD_I915_H
/* All commands in one generation; a command that the generation lacks prints a status. */
static void i915_words_of(gpucmd_i915_gen gen)
{
    gpucmd_i915_target target;
    memset(&target, 0, sizeof target);
    target.gen = gen;
    target.restore_va = 0x7000;
    static const uint32_t pairs[4] = {0x2358, 0x01234567, 0x2600, 0x89abcdef};
    gpucmd_i915_blt blt;
    memset(&blt, 0, sizeof blt);
    blt.br13 = gpucmd_i915_br13(3, 0xcc, 256);
    blt.x1 = 1;
    blt.y1 = 2;
    blt.x2 = 65;
    blt.y2 = 34;
    blt.dst_va = 0x00345000;
    blt.src_va = 0x00347000;
    blt.pattern_va = 0x00349000;
    blt.src_pitch = 256;
    blt.rows = 32;
    blt.width_bytes = 256;
    blt.color[0] = 0x01234567;
    blt.color[1] = 0x89abcdef;
    SHOW("i915 mi noop", gpucmd_i915_emit_mi_noop(&w, gen, 0));
    SHOW("i915 mi set predicate", gpucmd_i915_emit_mi_set_predicate(&w, gen, 0));
    SHOW("i915 mi user interrupt", gpucmd_i915_emit_mi_user_interrupt(&w, gen, 0));
    SHOW("i915 mi wait for event", gpucmd_i915_emit_mi_wait_for_event(&w, gen, 0));
    SHOW("i915 mi flush", gpucmd_i915_emit_mi_flush(&w, gen, 0));
    SHOW("i915 mi wait for event 2", gpucmd_i915_emit_mi_wait_for_event_2(&w, gen, 0));
    SHOW("i915 mi arb check", gpucmd_i915_emit_mi_arb_check(&w, gen, 0));
    SHOW("i915 mi rs control", gpucmd_i915_emit_mi_rs_control(&w, gen, 0));
    SHOW("i915 mi report head", gpucmd_i915_emit_mi_report_head(&w, gen, 0));
    SHOW("i915 mi arb on off", gpucmd_i915_emit_mi_arb_on_off(&w, gen, 0));
    SHOW("i915 mi urb atomic alloc", gpucmd_i915_emit_mi_urb_atomic_alloc(&w, gen, 0));
    SHOW("i915 mi batch buffer end", gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, 0));
    SHOW("i915 mi suspend flush", gpucmd_i915_emit_mi_suspend_flush(&w, gen, 0));
    SHOW("i915 mi predicate", gpucmd_i915_emit_mi_predicate(&w, gen, 0));
    SHOW("i915 mi topology filter", gpucmd_i915_emit_mi_topology_filter(&w, gen, 0));
    SHOW("i915 mi set appid", gpucmd_i915_emit_mi_set_appid(&w, gen, 0));
    SHOW("i915 mi rs context", gpucmd_i915_emit_mi_rs_context(&w, gen, 0));
    SHOW("i915 mi overlay flip", gpucmd_i915_emit_mi_overlay_flip(&w, gen, 0, 0x8000));
    SHOW("i915 mi load scan lines incl",
         gpucmd_i915_emit_mi_load_scan_lines_incl(&w, gen, 0, 0x00100020));
    SHOW("i915 mi load scan lines excl",
         gpucmd_i915_emit_mi_load_scan_lines_excl(&w, gen, 0, 0x00100020));
    SHOW("i915 mi semaphore mbox",
         gpucmd_i915_emit_mi_semaphore_mbox(&w, gen, 0, data[3], 0x00345000));
    SHOW("i915 mi vertex buffer", gpucmd_i915_emit_mi_vertex_buffer(&w, gen, 0, data[3]));
    SHOW("i915 mi set context", gpucmd_i915_emit_mi_set_context(&w, gen, 0, 0x1000));
    SHOW("i915 mi urb clear", gpucmd_i915_emit_mi_urb_clear(&w, gen, 0, 0x40));
    SHOW("i915 mi semaphore signal", gpucmd_i915_emit_mi_semaphore_signal(&w, gen, 0, 0x1000));
    SHOW("i915 mi semaphore wait",
         gpucmd_i915_emit_mi_semaphore_wait(&w, gen, 0, data[3], 0x00345000));
    SHOW("i915 mi semaphore wait token",
         gpucmd_i915_emit_mi_semaphore_wait_token(&w, gen, 0, data[3], 0x00345000, 3));
    SHOW("i915 mi semaphore wait 64",
         gpucmd_i915_emit_mi_semaphore_wait_64(&w, gen, 0, data[3], 0x00345000, 3));
    SHOW("i915 mi force wakeup", gpucmd_i915_emit_mi_force_wakeup(&w, gen, 0, 0x00010001));
    SHOW("i915 mi store data index",
         gpucmd_i915_emit_mi_store_data_index(&w, gen, 0, 0x40, data[3]));
    SHOW("i915 mi store data index qw",
         gpucmd_i915_emit_mi_store_data_index_qw(&w, gen, 0, 0x40, data[3]));
    SHOW("i915 mi store register mem",
         gpucmd_i915_emit_mi_store_register_mem(&w, gen, 0, 0x2358, 0x00345000));
    SHOW("i915 mi load register mem",
         gpucmd_i915_emit_mi_load_register_mem(&w, gen, 0, 0x2358, 0x00345000));
    SHOW("i915 mi load register reg",
         gpucmd_i915_emit_mi_load_register_reg(&w, gen, 0, 0x2600, 0x2608));
    SHOW("i915 mi flush dw", gpucmd_i915_emit_mi_flush_dw(&w, gen, 0, 0x00345000, data[3]));
    SHOW("i915 mi flush dw qw", gpucmd_i915_emit_mi_flush_dw_qw(&w, gen, 0, 0x00345000, data[3]));
    SHOW("i915 mi report perf count",
         gpucmd_i915_emit_mi_report_perf_count(&w, gen, 0, 0x00345000, 7));
    SHOW("i915 mi load urb mem", gpucmd_i915_emit_mi_load_urb_mem(&w, gen, 0, 0x80, 0x00345000));
    SHOW("i915 mi store urb mem", gpucmd_i915_emit_mi_store_urb_mem(&w, gen, 0, 0x80, 0x00345000));
    SHOW("i915 mi copy mem mem",
         gpucmd_i915_emit_mi_copy_mem_mem(&w, gen, 0, 0x00345000, 0x00347000));
    SHOW("i915 mi atomic", gpucmd_i915_emit_mi_atomic(&w, gen, 0, 0x00345000));
    SHOW("i915 mi batch buffer",
         gpucmd_i915_emit_mi_batch_buffer(&w, gen, 0, 0x00345000, 0x00346000));
    SHOW("i915 mi batch buffer start",
         gpucmd_i915_emit_mi_batch_buffer_start(&w, gen, 0, 0x00345000));
    SHOW("i915 mi conditional batch buffer end",
         gpucmd_i915_emit_mi_conditional_batch_buffer_end(&w, gen, 0, data[3], 0x00345000));
    SHOW("i915 mi display flip",
         gpucmd_i915_emit_mi_display_flip(&w, gen, 0, 0x100, 0x4000, 0x1000));
    SHOW("i915 mi store data imm",
         gpucmd_i915_emit_mi_store_data_imm(&w, gen, 0, 0x00345000, data[3]));
    SHOW("i915 mi store data imm qw",
         gpucmd_i915_emit_mi_store_data_imm_qw(&w, gen, 0, 0x00345000, data[3]));
    SHOW("i915 mi load register imm1",
         gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, 0x2358, data[2]));
    SHOW("i915 mi rs store data imm",
         gpucmd_i915_emit_mi_rs_store_data_imm(&w, gen, 0, 0x00345000, data[3]));
    SHOW("i915 mi atomic inline",
         gpucmd_i915_emit_mi_atomic_inline(&w, gen, 0, 0x00345000, data, data));
    SHOW("i915 pipe control", gpucmd_i915_emit_pipe_control(&w, gen, 0, 0, 0x00345000, data[3]));
    SHOW("i915 pipe control short",
         gpucmd_i915_emit_pipe_control_short(&w, gen, 0, 0, 0x00345000, data[3]));
    SHOW("i915 mi load register imm", gpucmd_i915_emit_mi_load_register_imm(&w, gen, 0, pairs, 2));
    SHOW("i915 mi math", gpucmd_i915_emit_mi_math(&w, gen, 0, data, 2));
    SHOW("i915 mi store data imm words",
         gpucmd_i915_emit_mi_store_data_imm_words(&w, gen, 0, 0x00345000, data, 2));
    SHOW("i915 mi update gtt", gpucmd_i915_emit_mi_update_gtt(&w, gen, 0, 0x1000, data, 2));
    SHOW("i915 mi clflush", gpucmd_i915_emit_mi_clflush(&w, gen, 0, 0x00345000, 2));
    SHOW("i915 xy color blt", gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_COLOR_BLT, &blt));
    SHOW("i915 xy src copy blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_SRC_COPY_BLT, &blt));
    SHOW("i915 color blt", gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_COLOR_BLT, &blt));
    SHOW("i915 src copy blt", gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_SRC_COPY_BLT, &blt));
    SHOW("i915 xy setup blt", gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_SETUP_BLT, &blt));
    SHOW("i915 xy setup clip blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_SETUP_CLIP_BLT, &blt));
    SHOW("i915 xy pixel blt", gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_PIXEL_BLT, &blt));
    SHOW("i915 xy scanlines blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_SCANLINES_BLT, &blt));
    SHOW("i915 xy fast copy blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_FAST_COPY_BLT, &blt));
    SHOW("i915 xy fast color blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_FAST_COLOR_BLT, &blt));
    SHOW("i915 xy block copy blt",
         gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &blt));
    SHOW("i915 flush", gpucmd_i915_emit_flush(&w, &target, 3));
    SHOW("i915 breadcrumb", gpucmd_i915_emit_breadcrumb(&w, &target, 0x1000, 7));
    SHOW("i915 copy_pages", gpucmd_i915_emit_copy_pages(&w, gen, 0x2000, 0x4000, 2));
    SHOW("i915 dispatch", gpucmd_i915_emit_dispatch(&w, &target, false, 0x00345000));
}

static void i915_words(void)
{
    i915_words_of(GPUCMD_I915_GEN3);
    i915_words_of(GPUCMD_I915_GEN6);
    i915_words_of(GPUCMD_I915_GEN7_5);
    i915_words_of(GPUCMD_I915_GEN9);
    i915_words_of(GPUCMD_I915_GEN12_5);
}
#endif

#ifdef GPUCMD_AGX_H
/* A stream of two commands, written by gpucmd_agx_stream. */
static void agx_stream_words(gpucmd_writer *w)
{
    static uint32_t words[256];
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_stream s;
    size_t len_bytes = 0;
    memset(words, 0xa5, sizeof words);
    gpucmd_agx_render_init(&r, 0x1500020000u, 1920, 1080);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, 256);
    gpucmd_agx_emit_render(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, 0, &r);
    gpucmd_agx_emit_compute(&s, gpucmd_agx_after_render(&s, 1), GPUCMD_DRM_ASAHI_BARRIER_NONE, &c);
    if (gpucmd_agx_stream_finish(&s, &len_bytes) == GPUCMD_OK) {
        gpucmd_writer_emit_words(w, words, len_bytes / 4);
        for (size_t i = 0; i < len_bytes / 4; i++) { /* the stream is little-endian on every CPU */
            gpucmd_writer_patch(w, i, gpucmd_load32(&words[i], GPUCMD_LITTLE_ENDIAN));
        }
    }
}

static void agx_words(void)
{
    SHOW("agx stream", agx_stream_words(&w));
}
#endif

int main(void)
{
    core_words();
#ifdef GPUCMD_NV_H
    nv_words();
    nv_split_words();
    nv_constants();
    nv_entries();
#endif
#ifdef GPUCMD_I915_H
    i915_words();
#endif
#ifdef GPUCMD_AGX_H
    agx_words();
#endif
    return 0;
}

/* Prints the words of a fixed list of emitter calls. The compile tier builds this with every
 * compiler, standard, optimisation level and host that it has and compares what comes out: words
 * depend on arguments only.
 *
 * To add a command: one line `SHOW("name", call);` in the vendor's block, where the call emits into
 * &w. `data` holds a few ready words. */
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

/* One command into a buffer full of rubbish, so that a word left out shows. */
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

/* Runs that are split, after their headers only: WORDS_MAX is too small to show all words. */
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

/* Constant words and refusals. */
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
static void i915_words(void)
{
    SHOW("i915 nothing", (void)w);
}
#endif

#ifdef GPUCMD_AGX_H
static void agx_words(void)
{
    SHOW("agx nothing", (void)w);
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

/* nv/emit.c - every emitter: its words, its size macro, its failures; runs that are split. */
#include "gpucmd_nv.h"
#include "test.h"

#include <stdlib.h>

static uint32_t data[40000]; /* word i is 0x1000000 + i */
static uint32_t want[40000];

/* ---- runs of GF100 and later ----------------------------------------------------------------- */

static void inc(void)
{
    /* [906F] INC_METHOD: SEC_OP 31:29 = 1, COUNT 28:16, SUBCH 15:13, ADDRESS 11:0 in words */
    EMITS(WORDS(0x20010040, 0x01000000), gpucmd_nv_emit_inc(&w, 0, 0x0100, data, 1));
    EMITS(WORDS(0x2003efff - 2, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_inc(&w, 7, 0x3ff4, data, 3));
    EMITS(WORDS(0x20000000), gpucmd_nv_emit_inc(&w, 0, 0, NULL, 0));
    EMITS(WORDS(0x20002fff), gpucmd_nv_emit_inc(&w, 1, 0x3ffc, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 0, 0x4000, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 0, 0x3ffc, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 0, 0x0000, data, 0x1001));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 0, 0x0000, data, 0x2000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc(&w, 0, 0x0000, data, 0xffffffff));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc(&w, 0, 0x0102, data, 1));
}

static void inc_words(void)
{
    EMITS(WORDS(0x20010040, 11), gpucmd_nv_emit_inc1(&w, 0, 0x0100, 11));
    EMITS(WORDS(0x20022040, 11, 12), gpucmd_nv_emit_inc2(&w, 1, 0x0100, 11, 12));
    EMITS(WORDS(0x20034040, 11, 12, 13), gpucmd_nv_emit_inc3(&w, 2, 0x0100, 11, 12, 13));
    EMITS(WORDS(0x20046040, 11, 12, 13, 14), gpucmd_nv_emit_inc4(&w, 3, 0x0100, 11, 12, 13, 14));
    EMITS(WORDS(0x20058040, 11, 12, 13, 14, 15),
          gpucmd_nv_emit_inc5(&w, 4, 0x0100, 11, 12, 13, 14, 15));
    EMITS(WORDS(0x2006a040, 11, 12, 13, 14, 15, 16),
          gpucmd_nv_emit_inc6(&w, 5, 0x0100, 11, 12, 13, 14, 15, 16));
    EMITS(WORDS(0x2007c040, 11, 12, 13, 14, 15, 16, 17),
          gpucmd_nv_emit_inc7(&w, 6, 0x0100, 11, 12, 13, 14, 15, 16, 17));
    EMITS(WORDS(0x2008e040, 11, 12, 13, 14, 15, 16, 17, 18),
          gpucmd_nv_emit_inc8(&w, 7, 0x0100, 11, 12, 13, 14, 15, 16, 17, 18));
    /* the last method that each can begin at, and one further */
    EMITS(WORDS(0x20010fff, 1), gpucmd_nv_emit_inc1(&w, 0, 0x3ffc, 1));
    EMITS(WORDS(0x20080ff8, 1, 2, 3, 4, 5, 6, 7, 8),
          gpucmd_nv_emit_inc8(&w, 0, 0x3fe0, 1, 2, 3, 4, 5, 6, 7, 8));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc1(&w, 0, 0x4000, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc2(&w, 0, 0x3ffc, 1, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc3(&w, 0, 0x3ff8, 1, 2, 3));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc4(&w, 0, 0x3ff4, 1, 2, 3, 4));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc5(&w, 0, 0x3ff0, 1, 2, 3, 4, 5));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc6(&w, 0, 0x3fec, 1, 2, 3, 4, 5, 6));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc7(&w, 0, 0x3fe8, 1, 2, 3, 4, 5, 6, 7));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc8(&w, 0, 0x3fe4, 1, 2, 3, 4, 5, 6, 7, 8));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc1(&w, 8, 0x0100, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inc8(&w, 8, 0x0100, 1, 2, 3, 4, 5, 6, 7, 8));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc1(&w, 0, 0x0101, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc2(&w, 0, 0x0102, 1, 2));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc3(&w, 0, 0x0103, 1, 2, 3));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc4(&w, 0, 0x0101, 1, 2, 3, 4));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc5(&w, 0, 0x0102, 1, 2, 3, 4, 5));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc6(&w, 0, 0x0103, 1, 2, 3, 4, 5, 6));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc7(&w, 0, 0x0101, 1, 2, 3, 4, 5, 6, 7));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inc8(&w, 0, 0x0102, 1, 2, 3, 4, 5, 6, 7, 8));
}

static void other_runs(void)
{
    EMITS(WORDS(0x60032040, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_non_inc(&w, 1, 0x0100, data, 3));
    EMITS(WORDS(0x6002efff, 0x01000000, 0x01000001),
          gpucmd_nv_emit_non_inc(&w, 7, 0x3ffc, data, 2));
    EMITS(WORDS(0x60000000), gpucmd_nv_emit_non_inc(&w, 0, 0, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc(&w, 0, 0x4000, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc(&w, 0, 0x0100, data, 0x2000));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_non_inc(&w, 0, 0x0101, data, 1));

    EMITS(WORDS(0xa0032040, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_one_inc(&w, 1, 0x0100, data, 3));
    EMITS(WORDS(0xa0020ffe, 0x01000000, 0x01000001),
          gpucmd_nv_emit_one_inc(&w, 0, 0x3ff8, data, 2));
    EMITS(WORDS(0xa0010fff, 0x01000000), gpucmd_nv_emit_one_inc(&w, 0, 0x3ffc, data, 1));
    EMITS(WORDS(0xa0000fff), gpucmd_nv_emit_one_inc(&w, 0, 0x3ffc, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc(&w, 0, 0x3ffc, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc(&w, 0, 0x0100, data, 0x2000));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_one_inc(&w, 0, 0x0103, data, 1));

    EMITS(WORDS(0x80000040), gpucmd_nv_emit_immd(&w, 0, 0x0100, 0));
    EMITS(WORDS(0x9fffefff), gpucmd_nv_emit_immd(&w, 7, 0x3ffc, 0x1fff));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_immd(&w, 0, 0x0100, 0x2000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_immd(&w, 0, 0x0100, 0xffffffff));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_immd(&w, 8, 0x0100, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_immd(&w, 0, 0x4000, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_immd(&w, 0, 0x0102, 0));
}

static void single_words(void)
{
    EMITS(WORDS(0x00000000), gpucmd_nv_emit_nop(&w));
    EMITS(WORDS(0x00010010), gpucmd_nv_emit_sli_cond(&w, 1));
    EMITS(WORDS(0x0001fff0), gpucmd_nv_emit_sli_cond(&w, 0xfff));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sli_cond(&w, 0x1000));
    EMITS(WORDS(0x00020030), gpucmd_nv_emit_sli_store(&w, 3));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sli_store(&w, 0x1000));
    EMITS(WORDS(0x00030000), gpucmd_nv_emit_sli_use(&w));
    EMITS(WORDS(0xe0000000), gpucmd_nv_emit_end_segment(&w));
}

/* ---- runs before GF100 ----------------------------------------------------------------------- */

static void old_inc(void)
{
    /* [206E] OPCODE_METHOD: COUNT 28:18, SUBCH 15:13, ADDRESS 12:2 */
    EMITS(WORDS(0x00040100, 0x01000000), gpucmd_nv_emit_old_inc(&w, 0, 0x0100, data, 1));
    EMITS(WORDS(0x000cfff4, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_old_inc(&w, 7, 0x1ff4, data, 3));
    EMITS(WORDS(0x00002000), gpucmd_nv_emit_old_inc(&w, 1, 0, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc(&w, 0, 0x2000, data, 1));
    EMITS(WORDS(0x00081ffc, 0x01000000, 0x01000001),
          gpucmd_nv_emit_old_inc(&w, 0, 0x1ffc, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc(&w, 0, 0x0000, data, 2048));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc(&w, 0, 0x0102, data, 1));
}

static void old_inc_words(void)
{
    EMITS(WORDS(0x00040100, 11), gpucmd_nv_emit_old_inc1(&w, 0, 0x0100, 11));
    EMITS(WORDS(0x00082100, 11, 12), gpucmd_nv_emit_old_inc2(&w, 1, 0x0100, 11, 12));
    EMITS(WORDS(0x000c4100, 11, 12, 13), gpucmd_nv_emit_old_inc3(&w, 2, 0x0100, 11, 12, 13));
    EMITS(WORDS(0x00106100, 11, 12, 13, 14),
          gpucmd_nv_emit_old_inc4(&w, 3, 0x0100, 11, 12, 13, 14));
    EMITS(WORDS(0x00148100, 11, 12, 13, 14, 15),
          gpucmd_nv_emit_old_inc5(&w, 4, 0x0100, 11, 12, 13, 14, 15));
    EMITS(WORDS(0x0018a100, 11, 12, 13, 14, 15, 16),
          gpucmd_nv_emit_old_inc6(&w, 5, 0x0100, 11, 12, 13, 14, 15, 16));
    EMITS(WORDS(0x001cc100, 11, 12, 13, 14, 15, 16, 17),
          gpucmd_nv_emit_old_inc7(&w, 6, 0x0100, 11, 12, 13, 14, 15, 16, 17));
    EMITS(WORDS(0x0020e100, 11, 12, 13, 14, 15, 16, 17, 18),
          gpucmd_nv_emit_old_inc8(&w, 7, 0x0100, 11, 12, 13, 14, 15, 16, 17, 18));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc1(&w, 0, 0x2000, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc1(&w, 8, 0x0100, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc1(&w, 0, 0x0101, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc2(&w, 0, 0x0102, 1, 2));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc3(&w, 0, 0x0103, 1, 2, 3));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc4(&w, 0, 0x0101, 1, 2, 3, 4));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc5(&w, 0, 0x0102, 1, 2, 3, 4, 5));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc6(&w, 0, 0x0103, 1, 2, 3, 4, 5, 6));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc7(&w, 0, 0x0101, 1, 2, 3, 4, 5, 6, 7));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc8(&w, 0, 0x0102, 1, 2, 3, 4, 5, 6, 7, 8));
}

static void old_others(void)
{
    EMITS(WORDS(0x400c2100, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_old_non_inc(&w, 1, 0x0100, data, 3));
    EMITS(WORDS(0x4008fffc, 0x01000000, 0x01000001),
          gpucmd_nv_emit_old_non_inc(&w, 7, 0x1ffc, data, 2));
    EMITS(WORDS(0x40000000), gpucmd_nv_emit_old_non_inc(&w, 0, 0, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc(&w, 0, 0x2000, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc(&w, 0, 0x0100, data, 2048));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_non_inc(&w, 0, 0x0101, data, 1));

    EMITS(WORDS(0x00032100, 3, 0x01000000, 0x01000001, 0x01000002),
          gpucmd_nv_emit_long_non_inc(&w, 1, 0x0100, data, 3));
    EMITS(WORDS(0x0003fffc, 1, 0x01000000), gpucmd_nv_emit_long_non_inc(&w, 7, 0x1ffc, data, 1));
    EMITS(WORDS(0x00030000, 0), gpucmd_nv_emit_long_non_inc(&w, 0, 0, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_long_non_inc(&w, 8, 0x0100, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_long_non_inc(&w, 0, 0x2000, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_long_non_inc(&w, 0, 0x0100, data, 0x1000000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_long_non_inc(&w, 0, 0x0100, data, 0xffffffff));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_long_non_inc(&w, 0, 0x0101, data, 1));

    EMITS(WORDS(0x20012000), gpucmd_nv_emit_jump_old(&w, 0x12000));
    EMITS(WORDS(0x3ffffffc), gpucmd_nv_emit_jump_old(&w, 0x1ffffffc));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_jump_old(&w, 0x20000000));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_jump_old(&w, 0x12002));
    EMITS(WORDS(0x00012001), gpucmd_nv_emit_jump(&w, 0x12000));
    EMITS(WORDS(0xfffffffd), gpucmd_nv_emit_jump(&w, 0xfffffffc));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_jump(&w, 0x100000000ull));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_jump(&w, 0x12001));
    EMITS(WORDS(0x80001002), gpucmd_nv_emit_call(&w, 0x80001000));
    EMITS(WORDS(0xfffffffe), gpucmd_nv_emit_call(&w, 0xfffffffc));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_call(&w, 0x100000000ull));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_call(&w, 0x80001003));
    EMITS(WORDS(0x00020000), gpucmd_nv_emit_return(&w));
}

/* ---- full counts and split runs -------------------------------------------------------------- */

typedef void emitter(uint32_t subc, uint32_t mthd, size_t count_dw);

static void emit_inc(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_inc(&w, subc, mthd, data, (uint32_t)count_dw);
}

static void emit_non_inc(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_non_inc(&w, subc, mthd, data, (uint32_t)count_dw);
}

static void emit_one_inc(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_one_inc(&w, subc, mthd, data, (uint32_t)count_dw);
}

static void emit_old_inc(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_old_inc(&w, subc, mthd, data, (uint32_t)count_dw);
}

static void emit_old_non_inc(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_old_non_inc(&w, subc, mthd, data, (uint32_t)count_dw);
}

static void emit_non_inc_long(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_non_inc_long(&w, subc, mthd, data, count_dw);
}

static void emit_one_inc_long(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_one_inc_long(&w, subc, mthd, data, count_dw);
}

static void emit_old_inc_long(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_old_inc_long(&w, subc, mthd, data, count_dw);
}

static void emit_old_non_inc_long(uint32_t subc, uint32_t mthd, size_t count_dw)
{
    gpucmd_nv_emit_old_non_inc_long(&w, subc, mthd, data, count_dw);
}

/* Expect these headers, each followed by as many of the next words of data as its count says, in
 * exact room, one word short, in no room and measuring. */
static void split(emitter *emit, uint32_t subc, uint32_t mthd, size_t count_dw,
                  const uint32_t *heads, size_t head_count, const uint32_t *counts, size_t size_dw,
                  int line)
{
    size_t len_dw = 0;
    size_t done_dw = 0;
    for (size_t i = 0; i < head_count; i++) {
        want[len_dw++] = heads[i];
        for (uint32_t k = 0; k < counts[i]; k++) {
            want[len_dw++] = 0x1000000 + (uint32_t)done_dw++;
        }
    }
    test_equal(done_dw, count_dw, __FILE__, line, "the row itself");
    test_equal(size_dw, len_dw, __FILE__, line, "size macro");
    for (int pass = 0; pass < 4; pass++) {
        test_begin(pass, len_dw);
        emit(subc, mthd, count_dw);
        test_end(pass, want, len_dw, __FILE__, line, "split");
    }
}

#define HEADS(...) __VA_ARGS__
#define SPLIT(emit, subc, mthd, count_dw, size_dw, heads_, counts_)                                \
    do {                                                                                           \
        static const uint32_t heads[] = {heads_};                                                  \
        static const uint32_t counts[] = {counts_};                                                \
        split(emit, subc, mthd, count_dw, heads, sizeof heads / sizeof heads[0], counts, size_dw,  \
              __LINE__);                                                                           \
    } while (0)

static void full_counts(void)
{
    SPLIT(emit_inc, 0, 0x0000, 4096, GPUCMD_NV_INC_DW(4096), HEADS(0x30000000), HEADS(4096));
    SPLIT(emit_inc, 0, 0x0100, 0xfc0, GPUCMD_NV_INC_DW(0xfc0), HEADS(0x2fc00040), HEADS(0xfc0));
    SPLIT(emit_non_inc, 7, 0x3ffc, 8191, GPUCMD_NV_NON_INC_DW(8191), HEADS(0x7fffefff),
          HEADS(8191));
    SPLIT(emit_one_inc, 7, 0x3ff8, 8191, GPUCMD_NV_ONE_INC_DW(8191), HEADS(0xbfffeffe),
          HEADS(8191));
    SPLIT(emit_old_inc, 0, 0x0004, 2047, GPUCMD_NV_OLD_INC_DW(2047), HEADS(0x1ffc0004),
          HEADS(2047));
    SPLIT(emit_old_non_inc, 7, 0x1818, 2047, GPUCMD_NV_OLD_NON_INC_DW(2047), HEADS(0x5ffcf818),
          HEADS(2047));
}

static void non_inc_long(void)
{
    SPLIT(emit_non_inc_long, 2, 0x0304, 1, GPUCMD_NV_NON_INC_LONG_DW(1), HEADS(0x600140c1),
          HEADS(1));
    SPLIT(emit_non_inc_long, 2, 0x0304, 8190, GPUCMD_NV_NON_INC_LONG_DW(8190), HEADS(0x7ffe40c1),
          HEADS(8190));
    SPLIT(emit_non_inc_long, 2, 0x0304, 8191, GPUCMD_NV_NON_INC_LONG_DW(8191), HEADS(0x7fff40c1),
          HEADS(8191));
    SPLIT(emit_non_inc_long, 2, 0x0304, 8192, GPUCMD_NV_NON_INC_LONG_DW(8192),
          HEADS(0x7fff40c1, 0x600140c1), HEADS(8191, 1));
    SPLIT(emit_non_inc_long, 2, 0x0304, 16382, GPUCMD_NV_NON_INC_LONG_DW(16382),
          HEADS(0x7fff40c1, 0x7fff40c1), HEADS(8191, 8191));
    SPLIT(emit_non_inc_long, 2, 0x0304, 16383, GPUCMD_NV_NON_INC_LONG_DW(16383),
          HEADS(0x7fff40c1, 0x7fff40c1, 0x600140c1), HEADS(8191, 8191, 1));
    /* a run of no words is one header, as without splitting */
    EMITS(WORDS(0x600040c1), gpucmd_nv_emit_non_inc_long(&w, 2, 0x0304, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc_long(&w, 8, 0x0304, data, 9000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc_long(&w, 0, 0x4000, data, 9000));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_non_inc_long(&w, 0, 0x0302, data, 9000));
}

static void one_inc_long(void)
{
    SPLIT(emit_one_inc_long, 2, 0x01b0, 1, GPUCMD_NV_ONE_INC_LONG_DW(1), HEADS(0xa001406c),
          HEADS(1));
    SPLIT(emit_one_inc_long, 2, 0x01b0, 8190, GPUCMD_NV_ONE_INC_LONG_DW(8190), HEADS(0xbffe406c),
          HEADS(8190));
    SPLIT(emit_one_inc_long, 2, 0x01b0, 8191, GPUCMD_NV_ONE_INC_LONG_DW(8191), HEADS(0xbfff406c),
          HEADS(8191));
    /* the rest goes to the next method, without increase */
    SPLIT(emit_one_inc_long, 2, 0x01b0, 8192, GPUCMD_NV_ONE_INC_LONG_DW(8192),
          HEADS(0xbfff406c, 0x6001406d), HEADS(8191, 1));
    SPLIT(emit_one_inc_long, 2, 0x01b0, 16382, GPUCMD_NV_ONE_INC_LONG_DW(16382),
          HEADS(0xbfff406c, 0x7fff406d), HEADS(8191, 8191));
    SPLIT(emit_one_inc_long, 2, 0x01b0, 16383, GPUCMD_NV_ONE_INC_LONG_DW(16383),
          HEADS(0xbfff406c, 0x7fff406d, 0x6001406d), HEADS(8191, 8191, 1));
    SPLIT(emit_one_inc_long, 7, 0x3ff8, 8192, GPUCMD_NV_ONE_INC_LONG_DW(8192),
          HEADS(0xbfffeffe, 0x6001efff), HEADS(8191, 1));
    EMITS(WORDS(0xa0010fff, 0x01000000), gpucmd_nv_emit_one_inc_long(&w, 0, 0x3ffc, data, 1));
    EMITS(WORDS(0xa0000fff), gpucmd_nv_emit_one_inc_long(&w, 0, 0x3ffc, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc_long(&w, 0, 0x3ffc, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc_long(&w, 0, 0x3ffc, data, 9000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc_long(&w, 8, 0x0100, data, 9000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc_long(&w, 0, 0x4000, data, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_one_inc_long(&w, 0, 0x0101, data, 9000));
}

static void old_inc_long(void)
{
    SPLIT(emit_old_inc_long, 3, 0x0100, 1, GPUCMD_NV_OLD_INC_LONG_DW(1), HEADS(0x00046100),
          HEADS(1));
    SPLIT(emit_old_inc_long, 3, 0x0004, 2046, GPUCMD_NV_OLD_INC_LONG_DW(2046), HEADS(0x1ff86004),
          HEADS(2046));
    SPLIT(emit_old_inc_long, 3, 0x0004, 2047, GPUCMD_NV_OLD_INC_LONG_DW(2047), HEADS(0x1ffc6004),
          HEADS(2047));
    /* all 2048 methods: one word is left, for the last of them */
    SPLIT(emit_old_inc_long, 3, 0x0000, 2048, GPUCMD_NV_OLD_INC_LONG_DW(2048),
          HEADS(0x1ffc6000, 0x00047ffc), HEADS(2047, 1));
    EMITS(WORDS(0x00007ffc), gpucmd_nv_emit_old_inc_long(&w, 3, 0x1ffc, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 3, 0x0000, data, 2049));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 3, 0x0004, data, 2048));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 3, 0x1ffc, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 3, 0x0000, data, 4095));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 8, 0x0000, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 3, 0x2000, data, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_inc_long(&w, 3, 0x0102, data, 1));
}

static void old_non_inc_long(void)
{
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 1, GPUCMD_NV_OLD_NON_INC_LONG_DW(1), HEADS(0x40046860),
          HEADS(1));
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 2046, GPUCMD_NV_OLD_NON_INC_LONG_DW(2046),
          HEADS(0x5ff86860), HEADS(2046));
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 2047, GPUCMD_NV_OLD_NON_INC_LONG_DW(2047),
          HEADS(0x5ffc6860), HEADS(2047));
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 2048, GPUCMD_NV_OLD_NON_INC_LONG_DW(2048),
          HEADS(0x5ffc6860, 0x40046860), HEADS(2047, 1));
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 4094, GPUCMD_NV_OLD_NON_INC_LONG_DW(4094),
          HEADS(0x5ffc6860, 0x5ffc6860), HEADS(2047, 2047));
    SPLIT(emit_old_non_inc_long, 3, 0x0860, 4095, GPUCMD_NV_OLD_NON_INC_LONG_DW(4095),
          HEADS(0x5ffc6860, 0x5ffc6860, 0x40046860), HEADS(2047, 2047, 1));
    EMITS(WORDS(0x40006860), gpucmd_nv_emit_old_non_inc_long(&w, 3, 0x0860, NULL, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc_long(&w, 8, 0x0860, data, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc_long(&w, 0, 0x2000, data, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_old_non_inc_long(&w, 0, 0x0861, data, 1));
}

/* Counts that no test buffer holds: measured, and rejected if there is no room. */
static void long_counts(void)
{
    const uint32_t *volatile nowhere = NULL;
    const size_t too_many_dw = (size_t)-1 / 8 + 1;
    gpucmd_writer_init(&w, NULL, 0);
    gpucmd_nv_emit_long_non_inc(&w, 0, 0x0860, nowhere, 0xffffff);
    EQUAL(gpucmd_writer_need_dw(&w), 0x1000001);
    EQUAL(GPUCMD_NV_LONG_NON_INC_DW(0xffffffu), 0x1000001);
    gpucmd_nv_emit_non_inc_long(&w, 0, 0x0860, nowhere, 0xffffff);
    EQUAL(gpucmd_writer_need_dw(&w), 0x1000001 + 0xffffff + 2049);
    EQUAL(GPUCMD_NV_NON_INC_LONG_DW((size_t)0xffffff), 0xffffff + 2049);
    EQUAL(w.status, GPUCMD_OK);
    gpucmd_writer_init(&w, test.words, 100);
    gpucmd_nv_emit_long_non_inc(&w, 0, 0x0860, nowhere, 0xffffff);
    EQUAL(w.status, GPUCMD_FULL);
    EQUAL(gpucmd_writer_need_dw(&w), 0x1000001);
    /* more words than any memory has */
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc_long(&w, 0, 0x0860, nowhere, too_many_dw));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_non_inc_long(&w, 0, 0x0860, nowhere, (size_t)-1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_one_inc_long(&w, 0, 0x0860, nowhere, (size_t)-1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_inc_long(&w, 0, 0x0860, nowhere, (size_t)-1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_old_non_inc_long(&w, 0, 0x0860, nowhere, (size_t)-1));
}

/* ---- size macros and order of commands ------------------------------------------------------- */

static void sizes(void)
{
    /* usable for an array */
    static uint32_t room[GPUCMD_NV_INC_DW(4) + GPUCMD_NV_IMMD_DW + GPUCMD_NV_NOP_DW +
                         GPUCMD_NV_SLI_COND_DW + GPUCMD_NV_SLI_STORE_DW + GPUCMD_NV_SLI_USE_DW +
                         GPUCMD_NV_NON_INC_DW(2) + GPUCMD_NV_ONE_INC_DW(3) +
                         GPUCMD_NV_NON_INC_LONG_DW(5) + GPUCMD_NV_END_SEGMENT_DW];
    static uint32_t old_room[GPUCMD_NV_OLD_INC_DW(4) + GPUCMD_NV_OLD_NON_INC_DW(2) +
                             GPUCMD_NV_LONG_NON_INC_DW(3) + GPUCMD_NV_JUMP_OLD_DW +
                             GPUCMD_NV_JUMP_DW + GPUCMD_NV_CALL_DW + GPUCMD_NV_RETURN_DW];
    static const uint32_t known[] = {0x20042040, 0x01000000, 0x01000001, 0x01000002, 0x01000003,
                                     0x80012040, 0x00000000, 0x00010020, 0x00020030, 0x00030000,
                                     0x60022040, 0x01000000, 0x01000001, 0xa0032040, 0x01000000,
                                     0x01000001, 0x01000002, 0x60052040, 0x01000000, 0x01000001,
                                     0x01000002, 0x01000003, 0x01000004, 0xe0000000};
    static const uint32_t old_known[] = {0x00102100, 0x01000000, 0x01000001, 0x01000002, 0x01000003,
                                         0x40082100, 0x01000000, 0x01000001, 0x00032100, 0x00000003,
                                         0x01000000, 0x01000001, 0x01000002, 0x20001000, 0x00001001,
                                         0x00002002, 0x00020000};
    size_t len_dw = 0;
    gpucmd_writer_init(&w, room, sizeof room / sizeof room[0]);
    gpucmd_nv_emit_inc(&w, 1, 0x0100, data, 4);
    gpucmd_nv_emit_immd(&w, 1, 0x0100, 1);
    gpucmd_nv_emit_nop(&w);
    gpucmd_nv_emit_sli_cond(&w, 2);
    gpucmd_nv_emit_sli_store(&w, 3);
    gpucmd_nv_emit_sli_use(&w);
    gpucmd_nv_emit_non_inc(&w, 1, 0x0100, data, 2);
    gpucmd_nv_emit_one_inc(&w, 1, 0x0100, data, 3);
    gpucmd_nv_emit_non_inc_long(&w, 1, 0x0100, data, 5);
    gpucmd_nv_emit_end_segment(&w);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, sizeof room / sizeof room[0]);
    CHECK(sizeof room == sizeof known && memcmp(room, known, sizeof known) == 0);
    gpucmd_writer_init(&w, old_room, sizeof old_room / sizeof old_room[0]);
    gpucmd_nv_emit_old_inc(&w, 1, 0x0100, data, 4);
    gpucmd_nv_emit_old_non_inc(&w, 1, 0x0100, data, 2);
    gpucmd_nv_emit_long_non_inc(&w, 1, 0x0100, data, 3);
    gpucmd_nv_emit_jump_old(&w, 0x1000);
    gpucmd_nv_emit_jump(&w, 0x1000);
    gpucmd_nv_emit_call(&w, 0x2000);
    gpucmd_nv_emit_return(&w);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, sizeof old_room / sizeof old_room[0]);
    CHECK(sizeof old_room == sizeof old_known &&
          memcmp(old_room, old_known, sizeof old_known) == 0);
}

/* A rejected command does not change those before it and is not counted; those after it are. */
static void refused_between(void)
{
    size_t len_dw = 0x5a5a;
    test_begin(2, 16);
    gpucmd_writer_init(&w, test.words + 1, 16);
    gpucmd_nv_emit_inc1(&w, 0, 0x0100, 7);
    gpucmd_nv_emit_inc2(&w, 0, 0x3ffc, 8, 9);
    gpucmd_nv_emit_inc3(&w, 0, 0x0100, 1, 2, 3);
    gpucmd_nv_emit_sli_cond(&w, 0x1000);
    gpucmd_nv_emit_nop(&w);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_RANGE);
    EQUAL(len_dw, 0x5a5a);
    EQUAL(gpucmd_writer_at_dw(&w), 2);
    EQUAL(gpucmd_writer_need_dw(&w), 2 + 4 + 1);
    EQUAL(test.words[1], 0x20010040);
    EQUAL(test.words[2], 7);
    for (size_t i = 3; i < 18; i++) {
        EQUAL(test.words[i], TEST_GUARD);
    }
}

/* [506F] DOUBLE_HEADER counts 24 bits: one word more makes two pieces, with two header words each. */
static void long_non_inc_long(void)
{
    const size_t max_dw = 0xffffff;
    uint32_t *from = calloc(max_dw + 1, 4);
    uint32_t *to = calloc(max_dw + 6, 4);
    size_t len_dw = 0;
    if (!CHECK(from != NULL && to != NULL)) {
        free(from);
        free(to);
        return;
    }
    from[0] = 0x11111111;
    from[max_dw - 1] = 0x22222222;
    from[max_dw] = 0x33333333;
    EMITS(WORDS(0x00036fb8, 0), gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, NULL, 0));
    EMITS(WORDS(0x00036fb8, 1, 0x11111111),
          gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, from, 1));
    to[0] = TEST_GUARD;
    to[max_dw + 3] = TEST_GUARD;
    gpucmd_writer_init(&w, to + 1, max_dw + 2);
    gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, from, max_dw);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, GPUCMD_NV_LONG_NON_INC_LONG_DW(max_dw));
    EQUAL(to[1], 0x00036fb8);
    EQUAL(to[2], 0x00ffffff);
    EQUAL(to[3], 0x11111111);
    EQUAL(to[max_dw + 2], 0x22222222);
    EQUAL(to[max_dw + 3], TEST_GUARD);
    gpucmd_writer_init(&w, to + 1, max_dw + 5);
    gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, from, max_dw + 1);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, max_dw + 5);
    EQUAL(GPUCMD_NV_LONG_NON_INC_LONG_DW(max_dw + 1), max_dw + 5);
    EQUAL(to[2], 0x00ffffff);
    EQUAL(to[max_dw + 2], 0x22222222);
    EQUAL(to[max_dw + 3], 0x00036fb8);
    EQUAL(to[max_dw + 4], 1);
    EQUAL(to[max_dw + 5], 0x33333333);
    EQUAL(to[0], TEST_GUARD);
    memset(to, 0, 64);
    gpucmd_writer_init(&w, to + 1, max_dw + 4); /* one word short: nothing */
    gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fb8, from, max_dw + 1);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_FULL);
    EQUAL(gpucmd_writer_need_dw(&w), max_dw + 5);
    EQUAL(to[1], 0);
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_long_non_inc_long(&w, 8, 0x0fb8, from, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_long_non_inc_long(&w, 3, 0x0fba, from, 1));
    free(from);
    free(to);
}

int main(void)
{
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        data[i] = 0x1000000 + (uint32_t)i;
    }
    inc();
    inc_words();
    other_runs();
    single_words();
    old_inc();
    old_inc_words();
    old_others();
    full_counts();
    non_inc_long();
    one_inc_long();
    old_inc_long();
    old_non_inc_long();
    long_non_inc_long();
    long_counts();
    sizes();
    refused_between();
    return test_report("nv_emit");
}

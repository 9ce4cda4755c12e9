/* nv/encode.c - checked encoders and constant macros: words that drivers use, the limits of every
 * value, failures that leave outputs unchanged. */
#include "gpucmd_nv.h"
#include "test.h"

#define MARK 0x5a5a5a5au

/* ---- words in use by drivers ---------------------------------------------------------------- */

/* Expect one word from the constant macro and from the encoder. */
#define WORD(want, constant, ...)                                                                  \
    do {                                                                                           \
        static const uint32_t constant_[] = {constant};                                            \
        uint32_t dw = MARK;                                                                        \
        EQUAL(constant_[0], want);                                                                 \
        EQUAL(__VA_ARGS__, GPUCMD_OK);                                                             \
        EQUAL(dw, want);                                                                           \
    } while (0)

#define INC(want, subc, mthd, n)                                                                   \
    WORD(want, GPUCMD_NV_INC(subc, mthd, n), gpucmd_nv_encode_inc(&dw, subc, mthd, n))
#define NON_INC(want, subc, mthd, n)                                                               \
    WORD(want, GPUCMD_NV_NON_INC(subc, mthd, n), gpucmd_nv_encode_non_inc(&dw, subc, mthd, n))
#define ONE_INC(want, subc, mthd, n)                                                               \
    WORD(want, GPUCMD_NV_ONE_INC(subc, mthd, n), gpucmd_nv_encode_one_inc(&dw, subc, mthd, n))
#define IMMD(want, subc, mthd, data)                                                               \
    WORD(want, GPUCMD_NV_IMMD(subc, mthd, data), gpucmd_nv_encode_immd(&dw, subc, mthd, data))
#define OLD_INC(want, subc, mthd, n)                                                               \
    WORD(want, GPUCMD_NV_OLD_INC(subc, mthd, n), gpucmd_nv_encode_old_inc(&dw, subc, mthd, n))
#define OLD_NON_INC(want, subc, mthd, n)                                                           \
    WORD(want, GPUCMD_NV_OLD_NON_INC(subc, mthd, n),                                               \
         gpucmd_nv_encode_old_non_inc(&dw, subc, mthd, n))
#define LONG_NON_INC(want, want_count, subc, mthd, n)                                              \
    do {                                                                                           \
        static const uint32_t constant_[] = {GPUCMD_NV_LONG_NON_INC(subc, mthd),                   \
                                             GPUCMD_NV_LONG_COUNT(n)};                             \
        uint32_t dw[2] = {MARK, MARK};                                                             \
        EQUAL(constant_[0], want);                                                                 \
        EQUAL(constant_[1], want_count);                                                           \
        EQUAL(gpucmd_nv_encode_long_non_inc(dw, subc, mthd, n), GPUCMD_OK);                        \
        EQUAL(dw[0], want);                                                                        \
        EQUAL(dw[1], want_count);                                                                  \
    } while (0)
#define JUMP_OLD(want, target_va)                                                                  \
    WORD(want, GPUCMD_NV_JUMP_OLD(target_va), gpucmd_nv_encode_jump_old(&dw, target_va))
#define JUMP(want, target_va)                                                                      \
    WORD(want, GPUCMD_NV_JUMP(target_va), gpucmd_nv_encode_jump(&dw, target_va))
#define CALL(want, target_va)                                                                      \
    WORD(want, GPUCMD_NV_CALL(target_va), gpucmd_nv_encode_call(&dw, target_va))
#define SLI_COND(want, mask)                                                                       \
    WORD(want, GPUCMD_NV_SLI_COND(mask), gpucmd_nv_encode_sli_cond(&dw, mask))
#define SLI_STORE(want, mask)                                                                      \
    WORD(want, GPUCMD_NV_SLI_STORE(mask), gpucmd_nv_encode_sli_store(&dw, mask))

/* Each word has its driver or document beside it. */
static void known_old_words(void)
{
    OLD_INC(0x00000000, 0, 0x0000, 0);                 /* [206E] DMA_NOP */
    OLD_INC(0x00040000, 0, 0x0000, 1);                 /* Mesa NV04_FIFO_PKHDR */
    OLD_INC(0x0020430c, 2, 0x030c, 8);                 /* Linux nouveau_bo0039.c */
    OLD_INC(0x00106300, 3, 0x0300, 4);                 /* Mesa NV04_FIFO_PKHDR */
    OLD_INC(0x00040050, 0, 0x0050, 1);                 /* Linux nv10_fence.c */
    OLD_INC(0x00100060, 0, 0x0060, 4);                 /* Linux nv17_fence.c */
    OLD_INC(0x00080064, 0, 0x0064, 2);                 /* Mesa NV04_FIFO_PKHDR */
    OLD_INC(0x00100010, 0, 0x0010, 4);                 /* Linux nv84_fence.c */
    OLD_INC(0x0008a238, 5, 0x0238, 2);                 /* Mesa nv50_transfer.c */
    OLD_NON_INC(0x40406400, 3, 0x0400, 16);            /* Mesa NV04_FIFO_PKHDR_NI */
    OLD_NON_INC(0x5ffcf818, 7, 0x1818, 2047);          /* Mesa NV04_FIFO_PKHDR_NI */
    OLD_NON_INC(0x40000000, 0, 0x0000, 0);             /* Mesa NV04_FIFO_PKHDR_NI */
    OLD_NON_INC(0x41906860, 3, 0x0860, 100);           /* Mesa nv50_winsys.h */
    LONG_NON_INC(0x00036fb8, 0x1388, 3, 0x0fb8, 5000); /* Mesa NV50_FIFO_PKHDR_L */
    LONG_NON_INC(0x0003fffc, 0xffffff, 7, 0x1ffc, 0xffffff);
    LONG_NON_INC(0x00030860, 1, 0, 0x0860, 1);
    JUMP_OLD(0x20000000, 0x00000000); /* Linux nouveau_dma.c */
    JUMP_OLD(0x20012000, 0x00012000); /* Linux nouveau_dma.c */
    JUMP_OLD(0x3ffffffc, 0x1ffffffc); /* [ENVY] dma-pusher.rst */
    JUMP(0x00012001, 0x00012000);     /* [206E] DMA_OPCODE2_JUMP_LONG */
    JUMP(0xfffffffd, 0xfffffffc);     /* [206E] */
    CALL(0x00020002, 0x00020000);     /* Mesa nv30 PUSH_CALL */
    CALL(0x80001002, 0x80001000);     /* [206E] DMA_OPCODE2_CALL */
    WORD(0x00020000, GPUCMD_NV_RETURN, gpucmd_nv_encode_return(&dw)); /* [206E] DMA_RETURN */
    SLI_COND(0x00010010, 0x001); /* [366E] SET_SUBDEVICE_MASK */
    SLI_COND(0x0001fff0, 0xfff);
    SLI_COND(0x00010020, 0x002);
    /* old forms that FORMATS can admit on Fermi to Pascal. [906F] METHOD_COUNT_OLD */
    OLD_INC(0x00080100, 0, 0x0100, 2);
}

static void known_words(void)
{
    WORD(0x00000000, GPUCMD_NV_NOP, gpucmd_nv_encode_nop(&dw)); /* [906F] DMA_NOP */
    INC(0x20010000, 0, 0x0000, 1);                              /* Mesa nvc0_winsys.h, SET_OBJECT */
    INC(0x20012000, 1, 0x0000, 1);                              /* tinygrad ops_nv.py */
    INC(0x20014000, 2, 0x0000, 1);                              /* Mesa nvc0_winsys.h */
    INC(0x20016000, 3, 0x0000, 1);                              /* Mesa nvc0_winsys.h */
    INC(0x20018000, 4, 0x0000, 1);                              /* tinygrad ops_nv.py */
    INC(0x20040004, 0, 0x0010, 4);                              /* Linux nvc0_fence.c */
    INC(0x20050004, 0, 0x0010, 5);                              /* Linux nvc0_fence.c */
    INC(0x20050017, 0, 0x005c, 5);          /* tinygrad ops_nv.py, SEM_ADDR_LO */
    INC(0x20010008, 0, 0x0020, 1);          /* tinygrad ops_nv.py, NON_STALL_INTERRUPT */
    INC(0x2001001e, 0, 0x0078, 1);          /* NVIDIA nvidia-uvm, WFI */
    INC(0x2004000a, 0, 0x0028, 4);          /* NVIDIA nvidia-uvm, MEM_OP_A */
    INC(0x20048100, 4, 0x0400, 4);          /* tinygrad ops_nv.py, OFFSET_IN_UPPER */
    INC(0x20088100, 4, 0x0400, 8);          /* Mesa nvc0_transfer.c */
    INC(0x20018106, 4, 0x0418, 1);          /* tinygrad ops_nv.py, LINE_LENGTH_IN */
    INC(0x200180c0, 4, 0x0300, 1);          /* tinygrad ops_nv.py, LAUNCH_DMA */
    INC(0x20038090, 4, 0x0240, 3);          /* tinygrad ops_nv.py, SET_SEMAPHORE_A */
    INC(0x200381c0, 4, 0x0700, 3);          /* NVIDIA nvidia-uvm, SET_REMAP_CONST_A */
    INC(0x2002408e, 2, 0x0238, 2);          /* Mesa nvc0_transfer.c */
    INC(0x200240c3, 2, 0x030c, 2);          /* Mesa nvc0_transfer.c */
    INC(0x200240c7, 2, 0x031c, 2);          /* Mesa nvc0_transfer.c */
    INC(0x200140c0, 2, 0x0300, 1);          /* Mesa nvc0_transfer.c */
    INC(0x2001efff, 7, 0x3ffc, 1);          /* Mesa nv_push.h */
    INC(0x2fc00040, 0, 0x0100, 0x0fc0);     /* Mesa nv_push.h; the last method is 0x3ffc */
    NON_INC(0x604040c1, 2, 0x0304, 64);     /* Mesa nvc0_transfer.c */
    NON_INC(0x6040206d, 1, 0x01b4, 64);     /* tinygrad ops_nv.py */
    NON_INC(0x7fff0002, 0, 0x0008, 0x1fff); /* NVIDIA nvidia-uvm, filler */
    NON_INC(0x7fffefff, 7, 0x3ffc, 0x1fff); /* Mesa nv_push.h */
    IMMD(0x80000044, 0, 0x0110, 0);         /* Mesa nvc0_winsys.h */
    IMMD(0x80010546, 0, 0x1518, 1);         /* Mesa nvc0_winsys.h */
    IMMD(0x80000014, 0, 0x0050, 0);         /* Mesa nvc0_winsys.h */
    IMMD(0x818280c0, 4, 0x0300, 0x182);     /* Mesa nv_push.h */
    IMMD(0x90000040, 0, 0x0100, 0x1000);    /* Mesa nv_push.h; needs the 13th bit */
    IMMD(0x9fffefff, 7, 0x3ffc, 0x1fff);    /* Mesa nv_push.h */
    ONE_INC(0xa041406c, 2, 0x01b0, 65);     /* Mesa nve4_p2mf_push_linear */
    ONE_INC(0xa0040e00, 0, 0x3800, 4);      /* Mesa nvc0_query_hw.c */
    ONE_INC(0xbfffeffe, 7, 0x3ff8, 0x1fff); /* Mesa nv_push.h */
    SLI_COND(0x0001fff0, 0xfff);            /* [906F] SET_SUBDEVICE_MASK */
    SLI_COND(0x00010020, 0x002);            /* [906F] */
    SLI_STORE(0x00020030, 0x003);           /* [906F] STORE_SUBDEVICE_MASK */
    WORD(0x00030000, GPUCMD_NV_SLI_USE, gpucmd_nv_encode_sli_use(&dw));         /* [906F] */
    WORD(0xe0000000, GPUCMD_NV_END_SEGMENT, gpucmd_nv_encode_end_segment(&dw)); /* [906F] */
}

/* The run with every field at its maximum, [206E] and Mesa, passes the last method: it is
 * written and read. What follows 0x1ffc is undocumented (MODEL: the run continues at 0). */
static void all_maximum(void)
{
    static const uint32_t word = GPUCMD_NV_OLD_INC(7, 0x1ffc, 2047);
    uint32_t dw = MARK;
    gpucmd_nv_gate gate;
    gpucmd_nv_cmd cmd;
    EQUAL(word, 0x1ffcfffc);
    EQUAL(gpucmd_nv_encode_old_inc(&dw, 7, 0x1ffc, 2047), GPUCMD_OK);
    EQUAL(dw, 0x1ffcfffc);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_NV4, false, false, GPUCMD_NV_FMT_NEW),
          GPUCMD_OK);
    EQUAL(gpucmd_nv_decode(&word, 1, &gate, &cmd), GPUCMD_TRUNCATED);
    EQUAL(cmd.form, GPUCMD_NV_FORM_INC);
    EQUAL(cmd.subc, 7);
    EQUAL(cmd.mthd, 0x1ffc);
    EQUAL(cmd.count_dw, 2047);
    EQUAL(cmd.stray, 0);
}

/* ---- whole sequences ------------------------------------------------------------------------ */

static void known_sequences(void)
{
    static const uint32_t upload[2] = {0x11111111, 0x22222222};
    static const uint32_t zeros[4] = {0, 0, 0, 0};
    static const uint32_t fence[5] = {1, 0x100, 5, 2, 0};
    /* tinygrad signal(): release 64-bit 0x2a with timestamp at 0x7f_1234_5670, then interrupt */
    EMITS(WORDS(0x20050017, 0x12345670, 0x0000007f, 0x0000002a, 0x00000000, 0x03100001, 0x20010008,
                0x00000000),
          {
              static const uint32_t first[] = {
                  GPUCMD_NV_INC(0, 0x005c, 5), 0x12345670, 0x7f, 0x2a, 0, 0x03100001,
                  GPUCMD_NV_INC(0, 0x0020, 1), 0};
              gpucmd_writer_emit_words(&w, first, 8);
          });
    /* tinygrad wait(): 64-bit circular >= 0x2b at the same address */
    EMITS(WORDS(0x20050017, 0x12345670, 0x0000007f, 0x0000002b, 0x00000000, 0x01000003),
          gpucmd_nv_emit_inc5(&w, 0, 0x005c, 0x12345670, 0x7f, 0x2b, 0, 0x01000003));
    /* tinygrad NVCopyQueue.signal(): payload 7 at 0x12_0000_0040; the room of one command after the
     * other is in nv/emit.c, here the whole comes from constants */
    EMITS(WORDS(0x20038090, 0x00000012, 0x00000040, 0x00000007, 0x200180c0, 0x00000014), {
        static const uint32_t words[] = {GPUCMD_NV_INC(4, 0x0240, 3), 0x12, 0x40, 7,
                                         GPUCMD_NV_INC(4, 0x0300, 1), 0x14};
        gpucmd_writer_emit_words(&w, words, 6);
    });
    /* Linux nvc0_fence.c emit: release 5 at 0x01_0000_0100, interrupt */
    EMITS(WORDS(0x20050004, 0x00000001, 0x00000100, 0x00000005, 0x00000002, 0x00000000),
          gpucmd_nv_emit_inc(&w, 0, 0x0010, fence, 5));
    /* Linux nvc0_fence.c sync: circular >= 5 */
    EMITS(WORDS(0x20040004, 0x00000001, 0x00000100, 0x00000005, 0x00001004),
          gpucmd_nv_emit_inc4(&w, 0, 0x0010, 1, 0x100, 5, 0x1004));
    /* Linux nv10_fence.c: REF_CNT = 9 */
    EMITS(WORDS(0x00040050, 0x00000009), gpucmd_nv_emit_old_inc1(&w, 0, 0x0050, 9));
    /* Mesa nvc0_transfer.c: inline upload */
    EMITS(WORDS(0x600240c1, 0x11111111, 0x22222222),
          gpucmd_nv_emit_non_inc(&w, 2, 0x0304, upload, 2));
    /* NVIDIA nvidia-uvm: fillers of one and of five words */
    EMITS(WORDS(0x60000002), gpucmd_nv_emit_non_inc(&w, 0, 0x0008, NULL, 0));
    EMITS(WORDS(0x60040002, 0, 0, 0, 0), gpucmd_nv_emit_non_inc(&w, 0, 0x0008, zeros, 4));
    /* NVIDIA nvidia-uvm: MEM_OP_A..D with a system membar, a GPU membar, an L2 flush */
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x28000000),
          gpucmd_nv_emit_inc4(&w, 0, 0x0028, 0, 0, 0, 0x28000000));
    EMITS(WORDS(0x2004000a, 0, 0, 1, 0x28000000),
          gpucmd_nv_emit_inc4(&w, 0, 0x0028, 0, 0, 1, 0x28000000));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x80000000),
          gpucmd_nv_emit_inc4(&w, 0, 0x0028, 0, 0, 0, 0x80000000));
}

/* tinygrad signal() and copy(), one emitter after the other. */
static void known_sequences_by_emitters(void)
{
    static const uint32_t want[] = {0x20050017, 0x12345670, 0x0000007f, 0x0000002a, 0x00000000,
                                    0x03100001, 0x20010008, 0x00000000, 0x20048100, 0x00000010,
                                    0x00000000, 0x00000011, 0x20000000, 0x20018106, 0x00001000,
                                    0x200180c0, 0x00000182, 0x20038090, 0x00000012, 0x00000040,
                                    0x00000007, 0x200180c0, 0x00000014};
    uint32_t got[32];
    size_t len_dw = 0;
    gpucmd_writer_init(&w, got, 32);
    gpucmd_nv_emit_inc5(&w, 0, 0x005c, 0x12345670, 0x7f, 0x2a, 0, 0x03100001);
    gpucmd_nv_emit_inc1(&w, 0, 0x0020, 0);
    gpucmd_nv_emit_inc4(&w, 4, 0x0400, 0x10, 0, 0x11, 0x20000000);
    gpucmd_nv_emit_inc1(&w, 4, 0x0418, 0x1000);
    gpucmd_nv_emit_inc1(&w, 4, 0x0300, 0x182);
    gpucmd_nv_emit_inc3(&w, 4, 0x0240, 0x12, 0x40, 7);
    gpucmd_nv_emit_inc1(&w, 4, 0x0300, 0x14);
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, sizeof want / sizeof want[0]);
    CHECK(memcmp(got, want, sizeof want) == 0);
}

/* ---- limits of values ----------------------------------------------------------------------- */

/* Expect an encoder of one word to fail and to leave dw unchanged. */
#define REFUSES(want_status, ...)                                                                  \
    do {                                                                                           \
        uint32_t dw = MARK;                                                                        \
        EQUAL(__VA_ARGS__, want_status);                                                           \
        EQUAL(dw, MARK);                                                                           \
    } while (0)
#define ACCEPTS(want, ...)                                                                         \
    do {                                                                                           \
        uint32_t dw = MARK;                                                                        \
        EQUAL(__VA_ARGS__, GPUCMD_OK);                                                             \
        EQUAL(dw, want);                                                                           \
    } while (0)

/* What all runs have in common: subc 0..7, mthd aligned and up to its maximum. */
#define RUN_LIMITS(encode, mthd_max, top)                                                          \
    do {                                                                                           \
        ACCEPTS((top) | 7u << 13, encode(&dw, 7, 0, 0));                                           \
        REFUSES(GPUCMD_RANGE, encode(&dw, 8, 0, 0));                                               \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0x80000000, 0, 0));                                      \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0xffffffff, 0, 0));                                      \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, (mthd_max) + 4, 0));                                  \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, 0x10000, 0));                                         \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, 0xfffffffc, 0));                                      \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, 0xffffffff, 0));                                      \
        for (uint32_t low = 1; low < 4; low++) {                                                   \
            REFUSES(GPUCMD_ALIGN, encode(&dw, 0, low, 0));                                         \
            REFUSES(GPUCMD_ALIGN, encode(&dw, 7, (mthd_max) + low, 0));                            \
            REFUSES(GPUCMD_RANGE, encode(&dw, 8, low, 0));                                         \
        }                                                                                          \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, 0, 0x80000000));                                      \
        REFUSES(GPUCMD_RANGE, encode(&dw, 0, 0, 0xffffffff));                                      \
    } while (0)

static void run_limits(void)
{
    RUN_LIMITS(gpucmd_nv_encode_inc, 0x3ffc, 0x20000000);
    ACCEPTS(0x20000fff, gpucmd_nv_encode_inc(&dw, 0, 0x3ffc, 0));
    ACCEPTS(0x30000000, gpucmd_nv_encode_inc(&dw, 0, 0, 0x1000)); /* all 4096 methods */
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_inc(&dw, 0, 0, 0x1001));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_inc(&dw, 0, 0, 0x1fff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_inc(&dw, 0, 0, 0x2000));
    ACCEPTS(0x2fff0001, gpucmd_nv_encode_inc(&dw, 0, 4, 0xfff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_inc(&dw, 0, 4, 0x1000));
    ACCEPTS(0x20010fff, gpucmd_nv_encode_inc(&dw, 0, 0x3ffc, 1));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_inc(&dw, 0, 0x3ffc, 2));

    RUN_LIMITS(gpucmd_nv_encode_non_inc, 0x3ffc, 0x60000000);
    ACCEPTS(0x7fff0000, gpucmd_nv_encode_non_inc(&dw, 0, 0, 0x1fff));
    ACCEPTS(0x7fff0fff, gpucmd_nv_encode_non_inc(&dw, 0, 0x3ffc, 0x1fff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_non_inc(&dw, 0, 0, 0x2000));

    RUN_LIMITS(gpucmd_nv_encode_one_inc, 0x3ffc, 0xa0000000);
    ACCEPTS(0xbfff0000, gpucmd_nv_encode_one_inc(&dw, 0, 0, 0x1fff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_one_inc(&dw, 0, 0, 0x2000));
    ACCEPTS(0xbfff0ffe, gpucmd_nv_encode_one_inc(&dw, 0, 0x3ff8, 0x1fff));
    ACCEPTS(0xa0000fff, gpucmd_nv_encode_one_inc(&dw, 0, 0x3ffc, 0));
    ACCEPTS(0xa0010fff, gpucmd_nv_encode_one_inc(&dw, 0, 0x3ffc, 1));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_one_inc(&dw, 0, 0x3ffc, 2));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_one_inc(&dw, 0, 0x3ffc, 0x1fff));

    RUN_LIMITS(gpucmd_nv_encode_immd, 0x3ffc, 0x80000000);
    ACCEPTS(0x9fff0000, gpucmd_nv_encode_immd(&dw, 0, 0, 0x1fff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_immd(&dw, 0, 0, 0x2000));
}

static void old_run_limits(void)
{
    RUN_LIMITS(gpucmd_nv_encode_old_inc, 0x1ffc, 0x00000000);
    ACCEPTS(0x1ffc0000, gpucmd_nv_encode_old_inc(&dw, 0, 0, 2047));
    ACCEPTS(0x1ffc0004, gpucmd_nv_encode_old_inc(&dw, 0, 4, 2047));
    ACCEPTS(0x1ffc0008, gpucmd_nv_encode_old_inc(&dw, 0, 8, 2047));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_old_inc(&dw, 0, 0, 2048));
    ACCEPTS(0x00001ffc, gpucmd_nv_encode_old_inc(&dw, 0, 0x1ffc, 0));
    ACCEPTS(0x00041ffc, gpucmd_nv_encode_old_inc(&dw, 0, 0x1ffc, 1));
    ACCEPTS(0x00081ffc, gpucmd_nv_encode_old_inc(&dw, 0, 0x1ffc, 2));

    RUN_LIMITS(gpucmd_nv_encode_old_non_inc, 0x1ffc, 0x40000000);
    ACCEPTS(0x5ffc1ffc, gpucmd_nv_encode_old_non_inc(&dw, 0, 0x1ffc, 2047));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_old_non_inc(&dw, 0, 0, 2048));
}

static void long_refuses(gpucmd_status want, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    uint32_t dw[2] = {MARK, MARK};
    EQUAL(gpucmd_nv_encode_long_non_inc(dw, subc, mthd, count_dw), want);
    EQUAL(dw[0], MARK);
    EQUAL(dw[1], MARK);
}

static void long_limits(void)
{
    uint32_t dw[2] = {MARK, MARK};
    EQUAL(gpucmd_nv_encode_long_non_inc(dw, 7, 0x1ffc, 0), GPUCMD_OK);
    EQUAL(dw[0], 0x0003fffc);
    EQUAL(dw[1], 0);
    long_refuses(GPUCMD_RANGE, 8, 0, 0);
    long_refuses(GPUCMD_RANGE, 0, 0x2000, 0);
    long_refuses(GPUCMD_ALIGN, 0, 0x1ffe, 0);
    long_refuses(GPUCMD_RANGE, 0, 0, 0x1000000);
    long_refuses(GPUCMD_RANGE, 0, 0, 0xffffffff);
}

static void jump_limits(void)
{
    static gpucmd_status (*const long_targets[2])(uint32_t *, uint64_t) = {gpucmd_nv_encode_jump,
                                                                           gpucmd_nv_encode_call};
    ACCEPTS(0x3ffffffc, gpucmd_nv_encode_jump_old(&dw, 0x1ffffffc));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_jump_old(&dw, 0x20000000));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_jump_old(&dw, 0x100000000ull));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_jump_old(&dw, 0xfffffffffffffffcull));
    for (uint64_t low = 1; low < 4; low++) {
        REFUSES(GPUCMD_ALIGN, gpucmd_nv_encode_jump_old(&dw, 0x1000 + low));
        REFUSES(GPUCMD_ALIGN, gpucmd_nv_encode_jump_old(&dw, 0x1ffffffc + low));
    }
    for (uint32_t i = 0; i < 2; i++) {
        ACCEPTS(0xfffffffd + i, long_targets[i](&dw, 0xfffffffc));
        ACCEPTS(1 + i, long_targets[i](&dw, 0));
        REFUSES(GPUCMD_RANGE, long_targets[i](&dw, 0x100000000ull));
        REFUSES(GPUCMD_RANGE, long_targets[i](&dw, 0xfffffffffffffffcull));
        for (uint64_t low = 1; low < 4; low++) {
            REFUSES(GPUCMD_ALIGN, long_targets[i](&dw, low));
            REFUSES(GPUCMD_ALIGN, long_targets[i](&dw, 0xfffffffc + low));
        }
    }
}

static void mask_limits(void)
{
    ACCEPTS(0x00010000, gpucmd_nv_encode_sli_cond(&dw, 0));
    ACCEPTS(0x0001fff0, gpucmd_nv_encode_sli_cond(&dw, 0xfff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_sli_cond(&dw, 0x1000));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_sli_cond(&dw, 0xffffffff));
    ACCEPTS(0x00020000, gpucmd_nv_encode_sli_store(&dw, 0));
    ACCEPTS(0x0002fff0, gpucmd_nv_encode_sli_store(&dw, 0xfff));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_sli_store(&dw, 0x1000));
    REFUSES(GPUCMD_RANGE, gpucmd_nv_encode_sli_store(&dw, 0x10000000));
}

/* ---- IB entries ----------------------------------------------------------------------------- */

static void entry(gpucmd_nv_chip chip, uint64_t va, uint32_t len_dw, uint32_t flags, uint32_t want0,
                  uint32_t want1, int line)
{
    uint32_t dw[2] = {MARK, MARK};
    test_equal(gpucmd_nv_encode_entry(dw, chip, va, len_dw, flags), GPUCMD_OK, __FILE__, line,
               "entry");
    test_equal(dw[0], want0, __FILE__, line, "ENTRY0");
    test_equal(dw[1], want1, __FILE__, line, "ENTRY1");
}

static void entry_refused(gpucmd_status want, gpucmd_nv_chip chip, uint64_t va, uint32_t len_dw,
                          uint32_t flags, int line)
{
    uint32_t dw[2] = {MARK, MARK};
    test_equal(gpucmd_nv_encode_entry(dw, chip, va, len_dw, flags), want, __FILE__, line, "entry");
    test_check(dw[0] == MARK && dw[1] == MARK, __FILE__, line, "entry untouched");
}

static void control(gpucmd_nv_chip chip, gpucmd_nv_control op, uint32_t operand, uint32_t flags,
                    uint32_t want0, uint32_t want1, int line)
{
    uint32_t dw[2] = {MARK, MARK};
    test_equal(gpucmd_nv_encode_control(dw, chip, op, operand, flags), GPUCMD_OK, __FILE__, line,
               "control");
    test_equal(dw[0], want0, __FILE__, line, "ENTRY0");
    test_equal(dw[1], want1, __FILE__, line, "ENTRY1");
}

static void control_refused(gpucmd_nv_chip chip, int op, uint32_t flags, int line)
{
    uint32_t dw[2] = {MARK, MARK};
    test_equal(gpucmd_nv_encode_control(dw, chip, (gpucmd_nv_control)op, 0, flags),
               GPUCMD_UNSUPPORTED, __FILE__, line, "control");
    test_check(dw[0] == MARK && dw[1] == MARK, __FILE__, line, "entry untouched");
}

#define ENTRY(chip, va, len_dw, flags, want0, want1)                                               \
    entry(GPUCMD_NV_CHIP_##chip, va, len_dw, flags, want0, want1, __LINE__)
#define ENTRY_REFUSED(status, chip, va, len_dw, flags)                                             \
    entry_refused(status, GPUCMD_NV_CHIP_##chip, va, len_dw, flags, __LINE__)
#define CONTROL(chip, op, operand, flags, want0, want1)                                            \
    control(GPUCMD_NV_CHIP_##chip, GPUCMD_NV_CONTROL_##op, operand, flags, want0, want1, __LINE__)
#define CONTROL_REFUSED(chip, op, flags) control_refused(GPUCMD_NV_CHIP_##chip, op, flags, __LINE__)

static void known_entries(void)
{
    static const uint32_t constants[] = {
        GPUCMD_NV_ENTRY0(0x20001000),     GPUCMD_NV_ENTRY1(0x20001000, 16),
        GPUCMD_NV_ENTRY0(0x120001000ull), GPUCMD_NV_ENTRY1(0x120001000ull, 0x1fffff),
        GPUCMD_NV_ENTRY0(0x100000000ull), GPUCMD_NV_ENTRY1(0x100000000ull, 1),
        GPUCMD_NV_ENTRY0(0xfffffffff8),   GPUCMD_NV_ENTRY1(0xfffffffff8, 1),
    };
    static const uint32_t want[] = {0x20001000, 0x00004000, 0x20001000, 0x7ffffc01,
                                    0x00000000, 0x00000401, 0xfffffff8, 0x000004ff};
    CHECK(sizeof constants == sizeof want && memcmp(constants, want, sizeof want) == 0);
    ENTRY(G80, 0x20001000, 16, 0, 0x20001000, 0x00004000);           /* Linux nv50_dma_push */
    ENTRY(G80, 0x120001000ull, 0x1fffff, 0, 0x20001000, 0x7ffffc01); /* [506F] */
    ENTRY(G80, 0x1000, 0x3fffff, 0, 0x00001000, 0xfffffc00);         /* [506F] 22 bits */
    ENTRY(GF100, 0x100000000ull, 1, 0, 0x00000000, 0x00000401);      /* [906F] */
    ENTRY(GF100, 0x100000000ull, 1, GPUCMD_NV_ENTRY_SYNC_WAIT, 0,
          0x80000401); /* Mesa NVC0_IB_ENTRY_1_NO_PREFETCH */
    ENTRY(GA102, 0x200400000ull, 12, GPUCMD_NV_ENTRY_SUBROUTINE, 0x00400000,
          0x00003202);                                              /* tinygrad _submit_to_gpfifo */
    ENTRY(GF100, 0xfffffffff8, 1, 0, 0xfffffff8, 0x000004ff);       /* [PBDMA] */
    CONTROL(GF100, NOP, 0, 0, 0x00000000, 0x00000000);              /* NVIDIA nvidia-uvm */
    CONTROL(GF100, ILLEGAL, 0xdeadbeef, 0, 0xdeadbeef, 0x00000001); /* [906F] */
    CONTROL(GF100, GP_CRC, 0x12345678, 0, 0x12345678, 0x00000002);  /* [906F] */
    CONTROL(GF100, PB_CRC, 0x12345678, GPUCMD_NV_ENTRY_SYNC_WAIT, 0x12345678, 0x80000003);
    /* NVIDIA uvm_hopper_host.c: address bits 56:40 of 0x1_2340_0567_8000 are 0x123 */
    CONTROL(GH100, SET_PB_SEGMENT_EXTENDED_BASE,
            GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, 0x1234005678000ull >> 40), 0, 0x00012300,
            0x00000004);
}

static void entry_limits(void)
{
    /* LENGTH: 22 bits before GF100, 21 bits on GF100 and later; 0 is not a segment */
    ENTRY(MCP89, 0, 0x3fffff, 0, 0, 0xfffffc00);
    ENTRY_REFUSED(GPUCMD_RANGE, MCP89, 0, 0x400000, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, G80, 0, 0, 0);
    ENTRY(GF100, 0, 0x1fffff, 0, 0, 0x7ffffc00);
    ENTRY_REFUSED(GPUCMD_RANGE, GF100, 0, 0x200000, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GB207, 0, 0x200000, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GF100, 0, 0, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GF100, 0, 0xffffffff, 0);
    EQUAL(gpucmd_nv_entry_max_dw(GPUCMD_NV_CHIP_G80), 0x3fffff);
    EQUAL(gpucmd_nv_entry_max_dw(GPUCMD_NV_CHIP_MCP89), 0x3fffff);
    EQUAL(gpucmd_nv_entry_max_dw(GPUCMD_NV_CHIP_GF100), 0x1fffff);
    EQUAL(gpucmd_nv_entry_max_dw(GPUCMD_NV_CHIP_GB207), 0x1fffff);
    /* address: 40 bits, from Hopper on 57, of which the entry holds the low 40 */
    ENTRY(G80, 0xfffffffffc, 1, 0, 0xfffffffc, 0x000004ff);
    ENTRY_REFUSED(GPUCMD_RANGE, G80, 0x10000000000ull, 1, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, TU102, 0x10000000000ull, 1, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, AD107, 0x10000000000ull, 1, 0);
    ENTRY(GH100, 0x10000000000ull, 1, 0, 0, 0x00000400);
    ENTRY(GH100, 0x1ffff1234567890ull & ~3ull, 1, 0, 0x34567890, 0x00000412);
    ENTRY_REFUSED(GPUCMD_RANGE, GH100, 0x200000000000000ull, 1, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GB202, 0xfffffffffffffffcull, 1, 0);
    /* end of the 40-bit space: the last word is usable before GF100, but not on GF100 and later */
    ENTRY(G80, 0xfffffffff8, 2, 0, 0xfffffff8, 0x000008ff);
    ENTRY_REFUSED(GPUCMD_RANGE, G80, 0xfffffffff8, 3, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, G80, 0xfffffffffc, 0x3fffff, 0);
    ENTRY(GF100, 0xfffffffff4, 2, 0, 0xfffffff4, 0x000008ff);
    ENTRY_REFUSED(GPUCMD_RANGE, GF100, 0xfffffffff8, 2, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GF100, 0xfffffffffc, 1, 0);
    ENTRY_REFUSED(GPUCMD_RANGE, GH100, 0x1fffffffffcull, 1, 0);
    ENTRY(GH100, 0x1fffffffff8ull, 1, 0, 0xfffffff8, 0x000004ff);
    /* alignment */
    for (uint64_t low = 1; low < 4; low++) {
        ENTRY_REFUSED(GPUCMD_ALIGN, G80, 0x1000 + low, 1, 0);
        ENTRY_REFUSED(GPUCMD_ALIGN, GF100, low, 1, 0);
    }
    /* chips without entries */
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, RSX, 0x1000, 1, 0);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, NV4, 0x1000, 1, 0);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, NV1, 0x1000, 1, 0);
}

static void entry_flags(void)
{
    enum {
        DISABLE = GPUCMD_NV_ENTRY_DISABLE,
        NO_SWITCH = GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH,
        FETCH = GPUCMD_NV_ENTRY_FETCH_CONDITIONAL,
        PRIV = GPUCMD_NV_ENTRY_PRIV,
        SUBROUTINE = GPUCMD_NV_ENTRY_SUBROUTINE,
        SYNC = GPUCMD_NV_ENTRY_SYNC_WAIT,
        UNKNOWN = 0x40,
    };
    ENTRY(G80, 0x1000, 1, DISABLE, 0x1001, 0x400);
    ENTRY(MCP89, 0x1000, 1, DISABLE, 0x1001, 0x400);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, GF100, 0x1000, 1, DISABLE);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, GB207, 0x1000, 1, DISABLE);
    ENTRY(G80, 0x1000, 1, NO_SWITCH, 0x1002, 0x400);
    ENTRY(GF117, 0x1000, 1, NO_SWITCH, 0x1002, 0x400);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, GK104, 0x1000, 1, NO_SWITCH);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, MCP89, 0x1000, 1, FETCH);
    ENTRY(GF100, 0x1000, 1, FETCH, 0x1001, 0x400);
    ENTRY(GB207, 0x1000, 1, FETCH, 0x1001, 0x400);
    ENTRY(G80, 0x1000, 1, PRIV, 0x1000, 0x500);
    ENTRY(GV11B, 0x1000, 1, PRIV, 0x1000, 0x500);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, TU102, 0x1000, 1, PRIV);
    ENTRY(G80, 0x1000, 1, SUBROUTINE, 0x1000, 0x600);
    ENTRY(GB207, 0x1000, 1, SUBROUTINE, 0x1000, 0x600);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, MCP89, 0x1000, 1, SYNC);
    ENTRY(GF100, 0x1000, 1, SYNC, 0x1000, 0x80000400);
    ENTRY(GB207, 0x1000, 1, SYNC, 0x1000, 0x80000400);
    ENTRY(G80, 0x1000, 1, DISABLE | NO_SWITCH | PRIV | SUBROUTINE, 0x1003, 0x700);
    ENTRY(GF100, 0x1000, 1, NO_SWITCH | FETCH | PRIV | SUBROUTINE | SYNC, 0x1003, 0x80000700);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, GF100, 0x1000, 1, SYNC | DISABLE);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, G80, 0x1000, 1, UNKNOWN);
    ENTRY_REFUSED(GPUCMD_UNSUPPORTED, GB207, 0x1000, 1, 0x80000000);
}

static void control_limits(void)
{
    CONTROL(GF100, NOP, 0xffffffff, GPUCMD_NV_ENTRY_SYNC_WAIT, 0xffffffff, 0x80000000);
    CONTROL(GB207, SET_PB_SEGMENT_EXTENDED_BASE, 0x01ffff00, 0, 0x01ffff00, 4);
    CONTROL_REFUSED(RSX, 0, 0);
    CONTROL_REFUSED(MCP89, 0, 0);
    CONTROL_REFUSED(AD107, 4, 0);
    CONTROL_REFUSED(GH100, 5, 0);
    CONTROL_REFUSED(GF100, 6, 0);
    CONTROL_REFUSED(GF100, 0, GPUCMD_NV_ENTRY_PRIV);
    CONTROL_REFUSED(GF100, 0, GPUCMD_NV_ENTRY_SUBROUTINE);
    CONTROL_REFUSED(GF100, 0, GPUCMD_NV_ENTRY_SYNC_WAIT | GPUCMD_NV_ENTRY_FETCH_CONDITIONAL);
    CONTROL_REFUSED(GF100, 0, 0x80000000);
}

int main(void)
{
    known_old_words();
    known_words();
    all_maximum();
    known_sequences();
    known_sequences_by_emitters();
    run_limits();
    old_run_limits();
    long_limits();
    jump_limits();
    mask_limits();
    known_entries();
    entry_limits();
    entry_flags();
    control_limits();
    return test_report("nv_encode");
}

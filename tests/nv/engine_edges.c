/* nv/engine_edges.c - engines at their edges: memory and DMA objects that end, jobs that the budget ends,
 * what a model passes to the callback instead, numbers that no pixel can hold. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0x2000)
#define DST        (BASE + 0xa000)
#define NOWHERE    0x900000u /* no memory */
#define CHIP(name) GPUCMD_NV_CHIP_##name

/* Expect the last run to have passed one method, with this data. */
static void passed(uint32_t mthd, uint32_t dw, int line)
{
    test_equal(got.count, 1, __FILE__, line, "events");
    test_equal(got.last.kind, GPUCMD_EVENT_METHODS, __FILE__, line, "kind");
    test_equal(got.last.addr, mthd, __FILE__, line, "method");
    test_equal(got.data[0], dw, __FILE__, line, "data");
    got.count = 0;
}

#define PASSED(mthd, dw) passed(mthd, dw, __LINE__)

/* Expect a fault of memory at va. */
static void faulted(uint64_t va, int line)
{
    test_equal(ch.puller.fault, GPUCMD_FAULT, __FILE__, line, "fault");
    test_equal(mem.fault_va, va, __FILE__, line, "fault_va");
}

#define FAULTED(va) faulted(va, __LINE__)

/* ---- objects, registers, the callback ---- */

static void objects(void)
{
    start(CHIP(NV40)); /* no callback that knows objects */
    card.object = NULL;
    GO(FAULT, 0x00044000, 0xcafe0039);
    EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
    /* methods end at 0x3ffc */
    start(CHIP(GA102));
    GO(IDLE, 0x20028090, 0x12, 0x34);
    EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x244), 0x34);
    EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x4244), 0);
    /* a row without words takes inline data, and follows the row before it without a gap */
#define ROW(model, mthd, words, triggers) {GPUCMD_NV_MODEL_##model, mthd, words},
    static const struct {
        uint32_t model, mthd, words;
    } rows[] = {GPUCMD_NV_ENGINE_WINDOWS(ROW)};
#undef ROW
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].words == 0) {
            EQUAL(rows[i - 1].model, rows[i].model);
            EQUAL(rows[i - 1].mthd + 4 * rows[i - 1].words, rows[i].mthd);
        }
    }
}

/* A callback that blocks and has executed all words, or says that it executed more: no word is passed
 * again. */
static void taken(void)
{
    for (uint32_t take = 0; take < 4; take++) {
        start(CHIP(GF100));
        got.answer = GPUCMD_BLOCKED;
        got.take = take;
        GO(BLOCKED, 0x20020040, 7, 8);
        EQUAL(got.count, 1);
        EQUAL(ch.pbdma.pb_get, BASE + (take < 2 ? 4 + 4 * take : 12));
        got.answer = GPUCMD_OK;
        got.count = 0;
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(got.count, take < 2 ? 1 : 0);
        EQUAL(got.count != 0 ? got.last.count_dw : 0, take < 2 ? 2 - take : 0);
    }
}

/* An object of 2 bytes, which has no place for a fence. */
static gpucmd_status short_object(void *user, uint32_t channel, uint32_t handle,
                                  gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->va = SEM;
    object->bytes = 2;
    return GPUCMD_OK;
}

static void short_objects(void)
{
    start(CHIP(NV40));
    card.object = short_object;
    GO(FAULT, 0x0004e000, 0xcafe4097, 0x0004e1a4, 0xbeef0002, 0x0008fd6c, 0, 5);
    FAULTED(SEM);
    EQUAL(peek(SEM), 0);
}

/* ---- copies ---- */

/* Elements of 12 bytes; element 5 of a tiled line is in two GOBs. */
static void tiled_pieces(void)
{
    start(CHIP(GK104));
    GO(FAULT, 0x20048100, 0, NOWHERE, 0, DST, 0x20018106, 1, 0x200181c2, 0x02230201, 0x200681ca,
       0x10, 50, 64, 1, 0, 5, 0x200180c0, 0x506);
    FAULTED(NOWHERE + 60);
    EQUAL(peek64(DST), 0);
    /* an upload of 8 bytes to byte 60 */
    start(CHIP(GK110));
    GO(FAULT, 0x20014000, 0xa140, 0x20044060, 8, 1, 0, NOWHERE, 0x20044065, 0x10, 256, 16, 1,
       0x2002406a, 60, 0, 0xa003406c, 0x1000, 1, 2);
    FAULTED(NOWHERE + 60);
}

static void fills(void)
{
    uint32_t turns = 0, bad = 0;
    gpucmd_run run;
    start(CHIP(TU102)); /* CONST_B to each byte */
    GO(FAULT, 0x200381c0, 0, 0xab, 0x00000005, 0x20028102, 0, NOWHERE, 0x20018106, 5, 0x200180c0,
       0x582);
    FAULTED(NOWHERE);
    /* 0x5000 bytes, of which a unit of budget pays at most 0x1000 */
    start(CHIP(TU102));
    submit((const uint32_t[]){0x200381c0, 0, 0xab, 0x00000005, 0x20028102, 0, DST, 0x20018106,
                              0x5000, 0x200180c0, 0x582},
           11);
    do {
        run = gpucmd_nv_channel_run(&ch, &env, 2);
        turns++;
    } while (run == GPUCMD_RUN_LIMIT && turns < 100);
    EQUAL(run, GPUCMD_RUN_IDLE);
    CHECK(turns > 6);
    for (uint32_t i = 0; i < 0x5000; i++) {
        bad += ram[DST - BASE + i] != 0xab;
    }
    EQUAL(bad, 0);
    EQUAL(ram[DST - BASE + 0x5000], 0);
}

/* Copies that the model cannot perform. */
static void passed_copies(void)
{
    start(CHIP(GK104)); /* X is component Z of a source that has only X; Y is X */
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 1, 0x200181c2, 0x01000002, 0x200180c0, 0x582);
    PASSED(0x300, 0x582);
    /* C1B5 and later: SRC_ORIGIN_X of a tiled source has 16 bits */
    for (uint32_t x = 1; x < 0x20000; x += 0xffff) {
        start(CHIP(GA102));
        ram[SRC - BASE + 1] = 0x5a;
        GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 1, 0x200681ca, 0, 64, 8, 1, 0, 0,
           0x200181d1, x, 0x200180c0, 0x106);
        EQUAL(ram[DST - BASE], x == 1 ? 0x5a : 0);
        if (x != 1) {
            PASSED(0x300, 0x106);
        }
        EQUAL(got.count, 0);
    }
    start(CHIP(GF100)); /* 90B5 has no SRC_ORIGIN_X */
    ram[SRC - BASE + 1] = 0x5a;
    GO(IDLE, 0x20018000, 0x90b5, 0x20048100, 0, SRC, 0, DST, 0x20018106, 1, 0x200681ca, 0, 64, 8, 1,
       0, 0, 0x200181d1, 1, 0x200180c0, 0x106);
    PASSED(0x300, 0x106);
    EQUAL(ram[DST - BASE], 0);
}

/* ---- scaled images ---- */

/* A8R8G8B8 to a linear surface on subchannel 3 at pitch 16, objects and offsets of both, and the point
 * and the step in x. Two pixels of one line. */
#define SCALED(src, src_off, dst, dst_off, point, du)                                              \
    0x00046000, 0xcafe0062, 0x0004a000, 0xcafe3089, 0x00046188, dst, 0x00106300, 0xa,              \
        64 << 16 | 16, 0x10, dst_off, 0x0004a184, src, 0x0004a198, 0xcafe0062, 0x0020a300, 3, 3,   \
        0, 0xffffffff, point, 1 << 16 | 2, du, 1 << 20, 0x0010a400, 1 << 16 | 8, 32, src_off, 0

static void scaled(void)
{
    static const struct {
        uint32_t format, surface; /* SCALED_FORMAT, SURFACE_FORMAT */
        uint32_t bytes;           /* of a pixel; 0: passed to the callback */
    } rows[] = {
        {3, 0xa, 4}, /* A8R8G8B8 */
        {3, 0x4, 0},
        {7, 0x4, 2}, /* R5G6B5 */
        {8, 0x1, 1}, /* Y8 */
        {9, 0x1, 1}, /* AY8 */
        {9, 0xa, 0},
    };
    /* every second pixel; pixel 1 is after the end of the source's object of 0x1000 bytes */
    start(CHIP(NV40));
    poke(SEM + 0xffc, 0x12345678);
    GO(FAULT, SCALED(0xbeef0002, 0xffc, 0xfeed0000, DST, 0, 2 << 20));
    FAULTED(SEM + 0x1004);
    EQUAL(peek(DST), 0x12345678);
    EQUAL(peek(DST + 4), 0);
    /* of the destination's */
    start(CHIP(NV40));
    poke(SRC, 0x12345678);
    GO(FAULT, SCALED(0xfeed0000, SRC, 0xbeef0002, 0xffc, 0, 2 << 20));
    FAULTED(SEM + 0x1000);
    EQUAL(peek(SEM + 0xffc), 0x12345678);
    /* formats that agree in the size of a pixel */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(CHIP(NV40));
        memset(ram + (SRC - BASE), 0x55, 16);
        GO(IDLE, SCALED(0xfeed0000, SRC, 0xfeed0000, DST, 0, 1 << 20), 0x00046300, rows[i].surface,
           0x0004a300, rows[i].format);
        memset(ram + (DST - BASE), 0, 16);
        GO(IDLE, 0x0004a40c, 0);
        if (rows[i].bytes == 0) {
            PASSED(0x40c, 0);
        }
        EQUAL(got.count, 0);
        EQUAL(peek64(DST), rows[i].bytes == 4   ? 0x5555555555555555ull
                           : rows[i].bytes == 2 ? 0x55555555
                           : rows[i].bytes == 1 ? 0x5555
                                                : 0);
    }
    /* the object in SCALED_SURFACE is no surface */
    start(CHIP(NV40));
    GO(IDLE, 0x00042000, 0xcafe0039, 0x0004a000, 0xcafe3089, 0x0004a198, 0xcafe0039, 0x0004a304, 3,
       0x0004a40c, 0);
    PASSED(0x40c, 0);
    /* columns after 0xffff */
    start(CHIP(NV40));
    GO(IDLE, SCALED(0xfeed0000, SRC, 0xfeed0000, DST, 0xffff, 1 << 20));
    PASSED(0x40c, 0);
    /* another operation than SRCCOPY */
    start(CHIP(NV40));
    poke(SRC, 0x12345678);
    GO(IDLE, SCALED(0xfeed0000, SRC, 0xfeed0000, DST, 0, 1 << 20));
    EQUAL(peek(DST), 0x12345678);
    poke(SRC, 0);
    GO(IDLE, 0x0004a304, 1, 0x0004a40c, 0);
    PASSED(0x40c, 0);
    EQUAL(peek(DST), 0x12345678);
    /* 2 x 2 pixels of a swizzled surface of 8 x 4: all inside, a column outside, a line outside */
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t point = i == 0 ? 2 << 16 | 6 : i == 1 ? 7 : 3 << 16;
        start(CHIP(NV30));
        memset(ram + (SRC - BASE), 0x55, 64);
        GO(IDLE, 0x00048000, 0xcafe039e, 0x0004a000, 0xcafe0389, 0x00088300, 0x0203000a, DST,
           0x0004a198, 0xcafe039e, 0x0020a300, 3, 3, 0, 0xffffffff, point, 2 << 16 | 2, 1 << 20,
           1 << 20, 0x0010a400, 2 << 16 | 8, 32, SRC, 0);
        if (i != 0) {
            PASSED(0x40c, 0);
        }
        EQUAL(got.count, 0);
        for (uint32_t at = 0; at < 32; at++) { /* (6, 2) to (7, 3) are pixels 28 to 31 */
            EQUAL(peek(DST + 4 * at), i == 0 && at >= 28 ? 0x55555555 : 0);
        }
    }
}

/* ---- 2D ---- */

/* Two linear surfaces A8R8G8B8 of 4 x 4 pixels at pitch 64, and a blit of one pixel from (0, 0) to
 * (0, 0), up to the method that starts it. */
#define BLIT                                                                                       \
    0x20016000, 0x902d, 0x20026080, 0xcf, 1, 0x20056085, 64, 4, 4, 0, DST, 0x2002608c, 0xcf, 1,    \
        0x20056091, 64, 4, 4, 0, SRC, 0x200b622c, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0
#define BLIT_GO 0x20016237, 0

/* ROP 0xca with a pattern of one colour: its bits select source or destination. */
#define SELECT 0x200160a8, 0xca, 0x200160ab, 4, 0x200660ba, 2, 0, 0, 0xffff, ~0u, ~0u

/* A blit is passed to the callback if one method has another value. */
static void passed_blits(void)
{
    static const uint32_t copies[][2] = {
        {0x2001608c, 0x12      }, /* no such source format */
        {0x20016080, 0x12      }, /* destination format */
        {0x200160a7, 1         }, /* colour key */
        {0x20016086, 0x20000   }, /* a destination of more than 65536 columns */
        {0x2001622c, 4         }, /* column 4 */
        {0x2001622d, 4         }, /* line 4 */
        {0x20016235, 0xffffffff}, /* source column -1 */
        {0x20016235, 4         },
        {0x20016237, 4         }, /* source line 4: the method that starts the blit */
    };
    static const uint32_t selects[][2] = {
        {0x200160a8, 0xcc},
        {0x2001608c, 0xd5}, /* the formats differ */
        {0x200160ad, 1   }, /* PATTERN_SELECT */
        {0x200160ba, 3   }, /* PATTERN_COLOR_FORMAT */
        {0x200160be, 0   }, /* a pattern of two colours */
        {0x200160bf, 0   },
    };
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        const unsigned before = test.failed;
        start(CHIP(GF100));
        poke(SRC, 0x44332211);
        GO(IDLE, BLIT, copies[i][0], copies[i][1]);
        if (copies[i][0] != 0x20016237) {
            GO(IDLE, BLIT_GO);
        }
        PASSED(0x8dc, copies[i][0] == 0x20016237 ? copies[i][1] : 0);
        EQUAL(peek(DST), 0);
        if (test.failed != before) {
            printf("    copy %u\n", (unsigned)i);
        }
    }
    for (size_t i = 0; i <= sizeof selects / sizeof selects[0]; i++) {
        const unsigned before = test.failed;
        start(CHIP(GF100));
        poke(SRC, 0x44332211);
        GO(IDLE, BLIT, SELECT);
        if (i < sizeof selects / sizeof selects[0]) {
            EQUAL(run_words(selects[i], 2), GPUCMD_RUN_IDLE);
            GO(IDLE, BLIT_GO);
            PASSED(0x8dc, 0);
            EQUAL(peek(DST), 0);
        } else {
            GO(IDLE, BLIT_GO);
            EQUAL(got.count, 0);
            EQUAL(peek(DST), 0x2211);
        }
        if (test.failed != before) {
            printf("    select %u\n", (unsigned)i);
        }
    }
    /* pixels of 2 bytes cannot be selected */
    start(CHIP(GF100));
    GO(IDLE, BLIT, SELECT, 0x2001608c, 0xe8, 0x20016080, 0xe8, BLIT_GO);
    PASSED(0x8dc, 0);
    /* two columns to the left of column 0 */
    start(CHIP(GF100));
    GO(IDLE, BLIT, 0x2001622e, 2, 0x20016231, 0xffffffff, BLIT_GO);
    PASSED(0x8dc, 0);
}

static void blits(void)
{
    /* SRCCOPY_PREMULT with factors of 0 for red and blue; the formats are equal */
    start(CHIP(GF100));
    poke(SRC, 0x44332211);
    GO(IDLE, BLIT, 0x200160aa, 0xff00ff00, 0x200160ab, 5, BLIT_GO);
    EQUAL(peek(DST), 0x44002200);
    EQUAL(got.count, 0);
    /* BLIT_CONTROL: measured from the corner, without a filter */
    start(CHIP(GF100));
    poke(SRC, 0x44332211);
    GO(IDLE, BLIT, 0x20016223, 1, BLIT_GO);
    EQUAL(peek(DST), 0x44332211);
    /* with a filter, a quarter from the corner of the first pixel: before its centre is only itself */
    start(CHIP(GF100));
    memset(ram + (SRC - BASE), 0xff, 0x200);
    poke(SRC, 0x44332211);
    GO(IDLE, BLIT, 0x20016223, 0x11, 0x20016234, 0x40000000, 0x20016236, 0x40000000, BLIT_GO);
    EQUAL(peek(DST), 0x44332211);
    EQUAL(got.count, 0);
    /* conversion of a source that memory lacks */
    start(CHIP(GF100));
    GO(FAULT, BLIT, 0x20016080, 0xd5, 0x20016095, NOWHERE, BLIT_GO);
    FAULTED(NOWHERE);
    EQUAL(peek(DST), 0);
    /* the same, of a selection */
    start(CHIP(GF100));
    GO(FAULT, BLIT, SELECT, 0x20016095, NOWHERE, BLIT_GO);
    FAULTED(NOWHERE);
}

/* The mean of four samples of R32_FLOAT, as R8_UNORM. */
static void mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t want)
{
    start(CHIP(GF100));
    poke(SRC, a);
    poke(SRC + 4, b);
    poke(SRC + 64, c);
    poke(SRC + 68, d);
    GO(IDLE, BLIT, 0x2001608c, 0xe5, 0x20016080, 0xf3, 0x20016223, 0x11, 0x20046230, 0, 2, 0, 2,
       0x20036234, 0, 1, 0, 0x20016237, 1);
    EQUAL(peek(DST), want);
    EQUAL(got.count, 0);
}

static void numbers(void)
{
    mean(0x3f800000, 0, 0, 0, 0x40);                         /* 1/4 of 255 is 63.75 */
    mean(0x71800000, 0, 0, 0, 0xff);                         /* 2^100 */
    mean(0x71800000, 0xf1800000, 0x71800000, 0xf1800000, 0); /* 2^100 and -2^100 */
    mean(0x7f800000, 0xff000000, 0xff000000, 0, 0xff);       /* infinite, twice -2^127 */
    mean(0xff800000, 0x7f000000, 0x7f000000, 0, 0);
    /* floats below half of 2^-24, the smallest of 16 bits, are 0 */
    start(CHIP(GF100));
    poke(SRC, 0x00800000);
    poke(SRC + 4, 0x32800000);
    GO(IDLE, BLIT, 0x2001608c, 0xcb, 0x20016080, 0xde, BLIT_GO);
    EQUAL(peek(DST), 0);
    EQUAL(got.count, 0);
}

/* ---- uploads ---- */

/* An inline image without columns or without lines takes no data. */
static void empty_images(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        start(CHIP(GF100));
        GO(IDLE, 0x20016000, 0x902d, 0x20026080, 0xcf, 1, 0x20056085, 64, 4, 4, 0, DST, 0x20026200,
           0, 0xcf, 0x200a620e, i != 0, i != 1, 0, 1, 0, 1, 0, 0, 0, 0, 0x60016218, 0x12345678);
        EQUAL(got.count, 0);
        EQUAL(peek(DST), i == 2 ? 0x12345678 : 0);
    }
}

static void uploads(void)
{
    /* a release at an address that is not 4-byte aligned */
    for (uint32_t off = 0; off < 4; off += 2) {
        start(CHIP(GK110));
        GO(IDLE, 0x20014000, 0xa140, 0x20034077, 0, SEM + off, 5, 0x20044060, 4, 1, 0, DST,
           0x2001406c, 0x1021);
        if (off != 0) {
            PASSED(0x1b0, 0x1021);
        }
        GO(IDLE, 0x6001406d, 0x12345678);
        EQUAL(peek(DST), off == 0 ? 0x12345678 : 0);
        EQUAL(peek(SEM), off == 0 ? 5 : 0);
    }
}

/* ---- clears ---- */

/* Z24_S8, depth in the low 24 bits: floats that are tiny, infinite, or no number. */
static void depths(void)
{
    static const uint32_t rows[][2] = {
        {0x30800000, 0       }, /* 2^-30 */
        {0x7f800000, 0xffffff},
        {0x7fc00000, 0       },
        {0xff800000, 0       },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(CHIP(TU102));
        poke(DST, 0x11111111);
        GO(IDLE, 0x20010000, 0xc597, 0x200703f8, 0, DST, 0x16, 0, 0, 1 << 16, 1 << 16, 0x2003048a,
           1, 1, 1, 0x2001054e, 1, 0x20010364, rows[i][0], 0x20010674, 1);
        EQUAL(peek(DST), 0x11000000 | rows[i][1]);
    }
}

/* A condition that compares two reports, of which memory lacks the first or the second. */
static void conditions(void)
{
    const uint32_t first[] = {NOWHERE, BASE + RAM_BYTES - 16};
    for (size_t i = 0; i < 2; i++) {
        start(CHIP(GF100));
        GO(FAULT, 0x20010000, 0x9097, 0x20030554, 0, first[i], 3, 0x20010674, 0x3c);
        EQUAL(ch.puller.fault, GPUCMD_FAULT);
        EQUAL(mem.fault_va, i == 0 ? NOWHERE : BASE + RAM_BYTES);
    }
}

/* A swizzled target of NV40 that is larger than its log2 sizes say: 8 x 4. */
static void swizzled_sizes(void)
{
    static const struct {
        uint32_t horiz, vert;
        bool good;
    } rows[] = {
        {8, 4, true },
        {9, 4, false},
        {8, 5, false},
    };
    for (size_t i = 0; i < 3; i++) {
        for (uint32_t mask = 3; mask < 0x100; mask += 0xed) { /* depth and stencil, then colours */
            start(CHIP(NV40));
            GO(IDLE, 0x0004e000, 0xcafe4097, 0x0018e200, rows[i].horiz << 16, rows[i].vert << 16,
               0x02030248, 64, DST, DST, 0x0008e8c0, 8 << 16, 4 << 16, 0x0008fd8c, 0x44332211,
               0x44332211);
            got.count = 0;
            GO(IDLE, 0x0004fd94, mask);
            EQUAL(got.count, rows[i].good ? 1 : 2); /* the callback also gets each 3D method */
            EQUAL(got.last.addr, 0x1d94);
            EQUAL(peek(DST), rows[i].good ? 0x44332211 : 0);
            EQUAL(peek(DST + 0x7c), rows[i].good ? 0x44332211 : 0);
            EQUAL(peek(DST + 0x80), 0);
        }
    }
}

/* A clear of 0x5000 bytes of depth and stencil, which needs several turns, under a condition that is
 * tested only at its start. */
static void long_clears(void)
{
    for (unsigned nv40 = 0; nv40 < 2; nv40++) {
        gpucmd_run run;
        uint32_t turns = 0, bad = 0;
        if (nv40 != 0) { /* NV40: mode 2, the report's third word */
            start(CHIP(NV40));
            poke(SEM + 8, 1);
            GO(IDLE, 0x0004e000, 0xcafe4097, 0x0004e1a8, 0xbeef0002, 0x0018e200, 256 << 16,
               20 << 16, 0x148, 0x400, 0, DST, 0x0004e22c, 0x400, 0x0008e8c0, 256 << 16, 20 << 16,
               0x0004fd8c, 0x12345678, 0x0004fe98, 2 << 24);
            submit((const uint32_t[]){0x0004fd94, 3}, 2);
        } else { /* mode 2: the value of the report */
            start(CHIP(GF100));
            poke(SEM + 4, 1);
            GO(IDLE, 0x20010000, 0x9097, 0x200703f8, 0, DST, 0x0a, 0, 0, 64 << 16, 80 << 16,
               0x2003048a, 64, 80, 1, 0x2001054e, 1, 0x20010364, 0x3f000000, 0x20030554, 0, SEM, 2);
            submit((const uint32_t[]){0x20010674, 1}, 2);
        }
        do {
            run = gpucmd_nv_channel_run(&ch, &env, 3);
            poke(SEM + 4, 0);
            poke(SEM + 8, 0);
            turns++;
        } while (run == GPUCMD_RUN_LIMIT && turns < 100);
        EQUAL(run, GPUCMD_RUN_IDLE);
        CHECK(turns > 2);
        for (uint32_t i = 0; i < 0x5000; i += 4) {
            bad += peek(DST + i) != (nv40 != 0 ? 0x12345678u : 0x3f000000u);
        }
        EQUAL(bad, 0);
    }
}

/* ---- compute ---- */

static void compute(void)
{
    static const struct {
        uint32_t execute, off;
        uint64_t low, high; /* after it; 1 everywhere: passed to the callback */
    } rows[] = {
        {0x00, 0, 0x600000005ull, 0x123456789abcull}, /* four words */
        {0x08, 0, 0x100000005ull, 1                }, /* one */
        {0x10, 0, 0x600000005ull, 1                }, /* two */
        {0x18, 0, 0x100000001ull, 1                }, /* no such size */
        {0x09, 0, 0x100000001ull, 1                }, /* ACQUIRE */
        {0x0a, 0, 0x100000001ull, 1                }, /* REPORT_ONLY */
        {0x48, 0, 0x100000001ull, 1                }, /* a reduction */
        {0x08, 2, 0x100000001ull, 1                }, /* not 4-byte aligned */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const unsigned before = test.failed;
        start(CHIP(GA102));
        poke(SEM, 1);
        poke(SEM + 4, 1);
        poke(SEM + 8, 1);
        GO(IDLE, 0x20012000, 0xc7c0);
        env.event = i < 3 ? NULL : on_event;
        GO(IDLE, 0x20042056, 5, 6, SEM + rows[i].off, 0);
        got.count = 0;
        GO(IDLE, 0x2001205a, rows[i].execute);
        if (i >= 3) {
            PASSED(0x168, rows[i].execute);
        }
        EQUAL(peek64(SEM), rows[i].low);
        EQUAL(peek64(SEM + 8), rows[i].high);
        if (test.failed != before) {
            printf("    row %u\n", (unsigned)i);
        }
    }
    /* a class of Fermi releases, but counts nothing */
    for (uint32_t op = 0; op < 4; op += 2) {
        start(CHIP(GF100));
        GO(IDLE, 0x20012000, 0x90c0, 0x200326c0, 0, SEM, 5);
        got.count = 0;
        GO(IDLE, 0x200126c3, 0x10000000 | op);
        EQUAL(peek(SEM), op == 0 ? 5 : 0);
        EQUAL(got.count, op == 0 ? 1 : 2); /* the callback gets each method after 0x1fc */
        EQUAL(got.last.addr, 0x1b0c);
        EQUAL(got.data[0], 0x10000000 | op);
    }
    /* a QMD that memory lacks */
    start(CHIP(GK104));
    env.event = NULL;
    GO(FAULT, 0x20012000, 0xa0c0, 0x200120ad, NOWHERE >> 8, 0x200120af, 3);
    FAULTED(NOWHERE);
}

int main(void)
{
    objects();
    taken();
    short_objects();
    tiled_pieces();
    fills();
    passed_copies();
    scaled();
    passed_blits();
    blits();
    numbers();
    empty_images();
    uploads();
    depths();
    conditions();
    swizzled_sizes();
    long_clears();
    compute();
    return test_report("nv/engine_edges");
}

/* Engines of graphics that move memory: 2D blits and inline images, scaled images, clears of
 * swizzled and tiled targets, counters of reports. Addresses of pixels come from the words of the
 * layout, not from the library. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0x2000)
#define DST        (BASE + 0xa000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

/* Byte i of memory at SRC differs from its neighbours and from zero. */
static void pattern(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        ram[SRC - BASE + i] = (uint8_t)(1 + i % 251);
    }
}

/* GOBs of 64 bytes by rows lines, blocks of 2^h GOBs one above the other. */
static uint32_t tiled(uint32_t x, uint32_t y, uint32_t width_gobs, uint32_t h, uint32_t rows)
{
    const uint32_t block_lines = rows << h;
    const uint32_t block = y / block_lines * width_gobs + x / 64;
    const uint32_t gob = y % block_lines / rows;
    return (block * (1u << h) + gob) * 64 * rows + y % rows * 64 + x % 64;
}

/* Pixel of a surface 8 wide, 4 high: x0 y0 x1 y1 x2, from bit 0 up. */
static uint32_t swizzled_8x4(uint32_t x, uint32_t y)
{
    static const uint8_t place[4][8] = {
        {0,  1,  4,  5,  16, 17, 20, 21},
        {2,  3,  6,  7,  18, 19, 22, 23},
        {8,  9,  12, 13, 24, 25, 28, 29},
        {10, 11, 14, 15, 26, 27, 30, 31}
    };
    return place[y][x];
}

/* Bind 502D to subchannel 4, or 902D to 3. */
static void start_2d(gpucmd_nv_chip chip)
{
    start(chip);
    pattern(0x4000);
    if (chip < CHIP(GF100)) {
        GO(IDLE, 0x00048000, 0xcafe502d);
    } else {
        GO(IDLE, 0x20016000, 0x902d);
    }
}

/* The blit of glCopyTexSubImage2D as nouveau writes it for 502D: RGBA8, tiled 64 x 64 pixels to
 * the same, 2^4 GOBs of 4 lines high, 32 x 32 pixels from (0, 0) to (8, 8). Here 40 x 20. */
static void blit_tiled(void)
{
    uint32_t bad = 0;
    start_2d(CHIP(G80));
    GO(IDLE, 0x00148200, 0xd5, 0, 0x10, 1, 0, 0x00108218, 40, 20, 0, DST, 0x00148230, 0xd5, 0, 0x10,
       1, 0, 0x00108248, 40, 20, 0, SRC, 0x0004888c, 0, 0x003088b0, 8, 6, 30, 12, 0, 1, 0, 1, 0, 2,
       0, 3);
    for (uint32_t y = 0; y < 20; y++) {
        for (uint32_t x = 0; x < 40; x++) {
            const bool in = x >= 8 && x < 38 && y >= 6 && y < 18;
            const uint32_t want = in ? peek(SRC + tiled(4 * (x - 8 + 2), y - 6 + 3, 3, 1, 4)) : 0;
            bad += peek(DST + tiled(4 * x, y, 3, 1, 4)) != want;
        }
    }
    EQUAL(bad, 0);
    EQUAL(got.count, 0);
    /* Fermi and later: 8 lines in a GOB; linear to tiled */
    start_2d(CHIP(TU102));
    GO(IDLE, 0x20056080, 0xcf, 0, 0x10, 1, 0, 0x20046086, 40, 20, 0, DST, 0x2002608c, 0xcf, 1,
       0x20056091, 256, 40, 20, 0, SRC, 0x200c622c, 8, 6, 30, 12, 0, 1, 0, 1, 0, 2, 0, 3);
    bad = 0;
    for (uint32_t y = 0; y < 20; y++) {
        for (uint32_t x = 0; x < 40; x++) {
            const bool in = x >= 8 && x < 38 && y >= 6 && y < 18;
            const uint32_t want = in ? peek(SRC + 256 * (y - 6 + 3) + 4 * (x - 8 + 2)) : 0;
            bad += peek(DST + tiled(4 * x, y, 3, 1, 8)) != want;
        }
    }
    EQUAL(bad, 0);
}

/* Two linear surfaces of 16 x 16 bytes at pitch 64, then a blit of 8 x 4 from (4, 2) to (1, 1). */
#define SIDES                                                                                      \
    0x20026080, 0xf3, 1, 0x20056085, 64, 16, 16, 0, DST, 0x2002608c, 0xf3, 1, 0x20056091, 64, 16,  \
        16, 0, SRC

static uint32_t at_src(uint32_t x, uint32_t y)
{
    return ram[SRC - BASE + 64 * y + x];
}

static uint32_t at_dst(uint32_t x, uint32_t y)
{
    return ram[DST - BASE + 64 * y + x];
}

static void blit_linear(void)
{
    start_2d(CHIP(GF100));
    GO(IDLE, SIDES, 0x200c622c, 1, 1, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
    EQUAL(at_dst(0, 1), 0);
    EQUAL(at_dst(1, 0), 0);
    EQUAL(at_dst(1, 1), at_src(4, 2));
    EQUAL(at_dst(8, 4), at_src(11, 5));
    EQUAL(at_dst(9, 4), 0);
    EQUAL(at_dst(8, 5), 0);
    /* half steps: each pixel twice; mirrored in y */
    start_2d(CHIP(GF100));
    GO(IDLE, SIDES, 0x200c622c, 0, 0, 8, 4, 0x80000000, 0, 0, 0xffffffff, 0, 4, 0, 5);
    EQUAL(at_dst(0, 0), at_src(4, 5));
    EQUAL(at_dst(1, 0), at_src(4, 5));
    EQUAL(at_dst(7, 0), at_src(7, 5));
    EQUAL(at_dst(7, 3), at_src(7, 2));
    EQUAL(at_dst(8, 3), 0);
    /* clip 2, 1, 3 x 2: what is left keeps its source */
    start_2d(CHIP(GF100));
    GO(IDLE, 0x200560a0, 2, 1, 3, 2, 1, SIDES, 0x200c622c, 0, 0, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
    EQUAL(at_dst(1, 1), 0);
    EQUAL(at_dst(2, 0), 0);
    EQUAL(at_dst(2, 1), at_src(6, 3));
    EQUAL(at_dst(4, 2), at_src(8, 4));
    EQUAL(at_dst(5, 2), 0);
    EQUAL(at_dst(4, 3), 0);
    EQUAL(got.count, 0);
}

/* If the executor cannot perform a blit, it passes the starting word to the callback and writes no
 * memory. */
static void blit_refused(void)
{
    static const uint32_t more[][3] = {
        {0x200160ab, 1,    0}, /* OPERATION is not SRCCOPY */
        {0x200160a7, 1,    0}, /* colour key */
        {0x2001608c, 0xf5, 0}, /* integers differ */
        {0x20016080, 0x12, 0}, /* unknown format */
        {0x20016086, 4,    0}, /* the destination is too narrow */
        {0x20016093, 4,    0}, /* the source is too low */
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        start_2d(CHIP(GF100));
        GO(IDLE, SIDES);
        EQUAL(run_words(more[i], 1 + (more[i][0] >> 16 & 0xf)), GPUCMD_RUN_IDLE);
        GO(IDLE, 0x200c622c, 1, 1, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
        if (!EQUAL(got.last.addr, 0x8dc)) {
            printf("    row %u\n", (unsigned)i);
        }
        EQUAL(at_dst(1, 1), 0);
    }
    start_2d(CHIP(GF100)); /* bilinear between equal pixels is a copy */
    GO(IDLE, SIDES, 0x20016223, 0x10, 0x200c622c, 1, 1, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
    EQUAL(got.count, 0);
    EQUAL(at_dst(1, 1), at_src(4, 2));
    /* no columns or no rows: the blit is done, and draws nothing, wherever its source is */
    for (uint32_t i = 0; i < 2; i++) {
        start_2d(CHIP(GF100));
        GO(IDLE, SIDES, 0x200c622c, 1, 1, i, 1 - i, 0, 1, 0, 1, 0, 4000, 0, 4000);
        EQUAL(got.count, 0);
        EQUAL(at_dst(1, 1), 0);
    }
    /* each number of a blit beyond what its arithmetic takes: at, len, step, from */
    static const uint32_t most[][12] = {
        {0x10000, 1,       1,       1,       0, 1,          0, 1,          0, 4,          0, 2         },
        {1,       0x10000, 1,       1,       0, 1,          0, 1,          0, 4,          0, 2         },
        {1,       1,       0x10000, 1,       0, 1,          0, 1,          0, 4,          0, 2         },
        {1,       1,       1,       0x10000, 0, 1,          0, 1,          0, 4,          0, 2         },
        {1,       1,       1,       1,       0, 0x4001,     0, 1,          0, 4,          0, 2         },
        {1,       1,       1,       1,       0, 1,          0, 0x4001,     0, 4,          0, 2         },
        {1,       1,       1,       1,       0, 0xffffbfff, 0, 1,          0, 4,          0, 2         },
        {1,       1,       1,       1,       0, 1,          0, 0xffffbfff, 0, 4,          0, 2         },
        {1,       1,       1,       1,       0, 1,          0, 1,          0, 0x10001,    0, 2         },
        {1,       1,       1,       1,       0, 1,          0, 1,          0, 4,          0, 0x10001   },
        {1,       1,       1,       1,       0, 1,          0, 1,          0, 0xfffeffff, 0, 2         },
        {1,       1,       1,       1,       0, 1,          0, 1,          0, 4,          0, 0xfffeffff},
    };
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        for (uint32_t clips = 0; clips < 2; clips++) { /* all of it is clipped, or none */
            const uint32_t *const v = most[i];
            start_2d(CHIP(GF100));
            GO(IDLE, SIDES, 0x200560a0, 9, 9, 0, 0, clips);
            GO(IDLE, 0x200c622c, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10],
               v[11]);
            if (!EQUAL(got.last.addr, 0x8dc)) {
                printf("    row %u, clips %u\n", (unsigned)i, (unsigned)clips);
            }
        }
    }
    start_2d(CHIP(GF100));
    GO(IDLE, SIDES);
    env.event = NULL; /* without a callback: UNSUPPORTED */
    GO(FAULT, 0x200160ab, 1, 0x200c622c, 1, 1, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

/* A line of 500 pixels takes more than a budget of 50: of the same format at half steps, and of
 * another format. */
static void blit_pauses(void)
{
    static const uint32_t blits[2][13] = {
        {0x200c622c, 0, 0, 500, 1, 0x80000000, 0, 0, 1, 0, 0, 0, 0},
        {0x200c622c, 0, 0, 500, 1, 0,          1, 0, 1, 0, 0, 0, 0},
    };
    for (unsigned i = 0; i < 2; i++) {
        start_2d(CHIP(GF100));
        memset(ram + (SRC - BASE), 1, 2000);
        GO(IDLE, 0x20026080, 0xd5, 1, 0x20056085, 2048, 500, 1, 0, DST, 0x2002608c,
           i == 0 ? 0xd5 : 0xcf, 1, 0x20056091, 2048, 500, 1, 0, SRC);
        submit(blits[i], 13);
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 50), GPUCMD_RUN_LIMIT);
        EQUAL(peek(DST), 0x01010101);
        EQUAL(peek(DST + 4 * 499), 0);
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
        EQUAL(peek(DST + 4 * 499), 0x01010101);
        EQUAL(got.count, 0);
    }
}

/* The upload of nouveau on 502D: bytes, linear, one row; then rows padded to words. */
static void inline_2d(void)
{
    start_2d(CHIP(G80));
    GO(IDLE, 0x00088200, 0xf3, 1, 0x00148214, 0x40000, 0x10000, 1, 0, DST, 0x00088800, 0, 0xf3,
       0x00288838, 10, 1, 0, 1, 0, 1, 0, 5, 0, 0, 0x400c8860, 0x44332211, 0x88776655, 0xccbbaa99);
    EQUAL(peek(DST + 4), 0x33221100);
    EQUAL(peek(DST + 8), 0x77665544);
    EQUAL(peek(DST + 12), 0x00aa9988);
    EQUAL(got.count, 0);
    /* RGBA8, tiled, 2 x 2 pixels at (3, 5); data in two runs; a third word too many is dropped */
    GO(IDLE, 0x00108200, 0xd5, 0, 0x10, 1, 0x00108218, 40, 20, 0, DST + 0x1000, 0x00088800, 0, 0xd5,
       0x00288838, 2, 2, 0, 1, 0, 1, 0, 3, 0, 5, 0x40088860, 0x11111111, 0x22222222, 0x400c8860,
       0x33333333, 0x44444444, 0x55555555);
    EQUAL(peek(DST + 0x1000 + tiled(12, 5, 3, 1, 4)), 0x11111111);
    EQUAL(peek(DST + 0x1000 + tiled(16, 5, 3, 1, 4)), 0x22222222);
    EQUAL(peek(DST + 0x1000 + tiled(12, 6, 3, 1, 4)), 0x33333333);
    EQUAL(peek(DST + 0x1000 + tiled(16, 6, 3, 1, 4)), 0x44444444);
    EQUAL(peek(DST + 0x1000 + tiled(20, 6, 3, 1, 4)), 0);
    EQUAL(got.count, 0);
    /* outside of the surface, or scaled: passed to the callback */
    GO(IDLE, 0x0004885c, 19);
    EQUAL(got.last.addr, 0x85c);
    got.count = 0;
    GO(IDLE, 0x00048844, 2, 0x0004885c, 5);
    EQUAL(got.last.addr, 0x85c);
    EQUAL(got.count, 1);
    /* each condition of an image that is copied: a method with 0 or this value, else to the callback */
    static const uint32_t more[][2] = {
        {0x000482ac, 1   }, /* OPERATION is not SRCCOPY */
        {0x0004829c, 1   }, /* colour key */
        {0x00048290, 1   }, /* clip */
        {0x00048800, 1   }, /* bitmap */
        {0x00048804, 0xcf}, /* another format */
        {0x00048840, 1   }, /* DU_DX, its fraction and its integer */
        {0x00048844, 2   },
        {0x00048848, 1   }, /* DV_DY */
        {0x0004884c, 0   },
        {0x00048850, 1   }, /* DST_X, its fraction */
        {0x00048858, 1   }, /* DST_Y, its fraction */
        {0x00048854, 61  }, /* DST_X: 4 of 64 columns */
        {0x00048838, 65  }, /* more columns and rows than the surface has */
        {0x0004883c, 60  },
        {0x00048200, 0x12}, /* unknown format */
    };
    for (size_t i = 0; i <= sizeof more / sizeof more[0]; i++) {
        start_2d(CHIP(G80));
        GO(IDLE, 0x00088200, 0xf3, 1, 0x00148214, 64, 64, 64, 0, DST, 0x00088800, 0, 0xf3,
           0x00208838, 4, 1, 0, 1, 0, 1, 0, 0);
        if (i < sizeof more / sizeof more[0]) {
            EQUAL(run_words(more[i], 2), GPUCMD_RUN_IDLE);
        }
        EQUAL(got.count, 0);
        GO(IDLE, i == 10 ? 0x0004885c : 0x00088858, i == 10 ? 5 : 0, i == 10 ? 0 : 5);
        if (!EQUAL(got.count, i < sizeof more / sizeof more[0])) {
            printf("    row %u\n", (unsigned)i);
        }
    }
    /* started again after one line and a word: from the beginning */
    start_2d(CHIP(G80));
    GO(IDLE, 0x00088200, 0xf3, 1, 0x00148214, 64, 64, 64, 0, DST, 0x00088800, 0, 0xf3, 0x00288838,
       8, 2, 0, 1, 0, 1, 0, 0, 0, 0, 0x400c8860, 1, 2, 3);
    GO(IDLE, 0x0004885c, 0, 0x40108860, 0x11111111, 0x22222222, 0x33333333, 0x44444444);
    EQUAL(peek(DST), 0x11111111);
    EQUAL(peek(DST + 4), 0x22222222);
    EQUAL(peek(DST + 64), 0x33333333);
    EQUAL(peek(DST + 68), 0x44444444);
    /* DMA objects: DST begins at SEM */
    start_2d(CHIP(G80));
    GO(IDLE, 0x00048184, 0xbeef0002, 0x00088200, 0xf3, 1, 0x00148214, 64, 64, 1, 0, 0x100,
       0x00088800, 0, 0xf3, 0x00288838, 4, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0x40048860, 0x44332211);
    EQUAL(peek(SEM + 0x100), 0x44332211);
}

/* NV30: image of 8 x 4 pixels at pitch 64 to a swizzled surface, as nouveau uploads textures. */
static void scaled_swizzled(void)
{
    uint32_t bad = 0;
    start(CHIP(NV30));
    pattern(0x1000);
    GO(IDLE, 0x00048000, 0xcafe039e, 0x0004a000, 0xcafe0389);
    GO(IDLE, 0x00088300, 0x0203000a, DST, 0x0004a198, 0xcafe039e, 0x0020a300, 3, 3, 0, 4 << 16 | 8,
       0, 4 << 16 | 8, 1 << 20, 1 << 20, 0x0010a400, 4 << 16 | 8, 0x10040, SRC, 0);
    for (uint32_t y = 0; y < 4; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            bad += peek(DST + 4 * swizzled_8x4(x, y)) != peek(SRC + 64 * y + 4 * x);
        }
    }
    EQUAL(bad, 0);
    EQUAL(got.count, 0);
    /* 16 bits, clipped to 2 x 1 at (3, 2), read from (1, 1) on */
    memset(ram + (DST - BASE), 0, 0x100);
    GO(IDLE, 0x00088300, 0x02030004, DST, 0x0020a300, 7, 3, 2 << 16 | 3, 1 << 16 | 2, 1 << 16 | 2,
       2 << 16 | 6, 1 << 20, 1 << 20, 0x0010a400, 4 << 16 | 8, 0x10040, SRC, 0x00100010);
    EQUAL(peek(DST + 2 * 12) >> 16, peek(SRC + 64 * 2 + 2 * 2) & 0xffff);    /* (3, 2): pixel 13 */
    EQUAL(peek(DST + 2 * 24) & 0xffff, peek(SRC + 64 * 2 + 2 * 3) & 0xffff); /* (4, 2): 24 */
    EQUAL(peek(DST + 2 * 24) >> 16, 0);
    EQUAL(peek(DST), 0);
    /* twice as large */
    memset(ram + (DST - BASE), 0, 0x100);
    GO(IDLE, 0x00088300, 0x02030001, DST, 0x0020a300, 8, 3, 0, 4 << 16 | 8, 0, 4 << 16 | 8, 1 << 19,
       1 << 19, 0x0010a400, 2 << 16 | 4, 64, SRC, 0);
    EQUAL(ram[DST - BASE + 1], ram[SRC - BASE]);
    EQUAL(ram[DST - BASE + 31], ram[SRC - BASE + 64 + 3]);
    EQUAL(got.count, 0);
    /* a filter, a format that changes pixels, more than the surface has: passed to the callback */
    GO(IDLE, 0x0008a404, 0x01000040, SRC, 0x0004a40c, 0);
    EQUAL(got.last.addr, 0x40c);
    GO(IDLE, 0x0004a404, 64, 0x0004a300, 7, 0x0004a40c, 0);
    EQUAL(got.count, 2);
    GO(IDLE, 0x0004a300, 8, 0x00088300, 0x02020001, DST, 0x0004a40c, 0);
    EQUAL(got.count, 3);
    GO(IDLE, 0x00048300, 0x11030001, 0x0004a40c, 0); /* no such surface */
    EQUAL(got.count, 4);
    GO(IDLE, 0x00048300, 0x03110001, 0x0004a40c, 0);
    EQUAL(got.count, 5);
    GO(IDLE, 0x00048300, 0x030300ff, 0x0004a40c, 0); /* an unknown format */
    EQUAL(got.count, 6);
    GO(IDLE, 0x0004a198, 0xcafe309e, 0x0004a40c, 0); /* no surface of this handle */
    EQUAL(got.count, 7);
}

/* NV40: an image to a swizzled surface; 0039 copies the memory of the picture to lines at a pitch.
 * A copy does not change the order of the pixels. */
static void swizzled_read_back(void)
{
    uint32_t bad = 0;
    start(CHIP(NV40));
    pattern(0x1000);
    GO(IDLE, 0x00048000, 0xcafe309e, 0x0004a000, 0xcafe3089, 0x00044000, 0xcafe0039);
    GO(IDLE, 0x00088300, 0x0203000a, DST, 0x0004a198, 0xcafe309e, 0x0020a300, 3, 3, 0, 4 << 16 | 8,
       0, 4 << 16 | 8, 1 << 20, 1 << 20, 0x0010a400, 4 << 16 | 8, 0x10040, SRC, 0);
    /* 8 lines of 4 pixels: squares of 2 x 2 pixels, from 16 to 64 bytes apart */
    GO(IDLE, 0x0020430c, DST, DST + 0x1000, 16, 64, 16, 8, 0x101, 0);
    for (uint32_t y = 0; y < 4; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            const uint32_t n = swizzled_8x4(x, y);
            bad += peek(DST + 0x1000 + n / 4 * 64 + n % 4 * 4) != peek(SRC + 64 * y + 4 * x);
        }
    }
    EQUAL(bad, 0);
    EQUAL(peek(DST + 0x1000 + 6 * 64 + 8), peek(SRC + 64 * 3 + 4 * 4)); /* (4, 3): pixel 26 */
    EQUAL(peek(DST + 0x1000 + 16), 0);
    EQUAL(got.count, 0);
}

/* NV40: the other classes; to lines at a pitch, in a DMA object. */
static void scaled_linear(void)
{
    start(CHIP(NV40));
    pattern(0x1000);
    GO(IDLE, 0x00046000, 0xcafe0062, 0x0004a000, 0xcafe3089);
    GO(IDLE, 0x00046188, 0xbeef0002, 0x00106300, 0xa, 64 << 16 | 16, 0x10, 0x100, 0x0004a198,
       0xcafe0062, 0x0020a300, 3, 3, 0, 0xffffffff, 1 << 16 | 2, 2 << 16 | 3, 1 << 20, 1 << 20,
       0x0010a400, 4 << 16 | 8, 32, SRC, 0);
    EQUAL(got.count, 0);
    EQUAL(peek(SEM + 0x100), 0);
    EQUAL(peek(SEM + 0x100 + 64 + 8), peek(SRC));
    EQUAL(peek(SEM + 0x100 + 128 + 16), peek(SRC + 32 + 8));
    EQUAL(peek(SEM + 0x100 + 128 + 20), 0);
}

/* NV30 clear of a swizzled target of 8 x 4 pixels: scissor (2, 1) of 5 x 2; then two channels. */
static void clear_swizzled(void)
{
    uint32_t bad = 0;
    start(CHIP(NV30));
    GO(IDLE, 0x0004e000, 0xcafe0397, 0x0014e200, 8 << 16, 4 << 16, 0x02030248, 0x10001000, DST,
       0x0008e8c0, 5 << 16 | 2, 2 << 16 | 1, 0x0008fd90, 0x11223344, 0xf0);
    for (uint32_t y = 0; y < 4; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            const bool in = x >= 2 && x < 7 && y >= 1 && y < 3;
            bad += peek(DST + 4 * swizzled_8x4(x, y)) != (in ? 0x11223344u : 0);
        }
    }
    EQUAL(bad, 0);
    GO(IDLE, 0x0008fd90, 0xaabbccdd, 0x90); /* red and alpha */
    EQUAL(peek(DST + 4 * swizzled_8x4(2, 1)), 0xaabb3344);
    EQUAL(peek(DST), 0);
    GO(IDLE, 0x0008fd90, 0x55667788, 0x60); /* green and blue */
    EQUAL(peek(DST + 4 * swizzled_8x4(6, 2)), 0xaabb7788);
    /* a clear of depth with an unknown format is passed to the callback; colour is cleared */
    GO(IDLE, 0x0004e208, 0x02030208);
    got.count = 0;
    GO(IDLE, 0x0008fd90, 0x01020304, 0xf3);
    EQUAL(got.count, 3); /* 1d90, 1d94 with 3, then 1d94 */
    EQUAL(got.last.addr, 0x1d94);
    EQUAL(got.last.count_dw, 1);
    EQUAL(got.data[0], 0xf3);
    EQUAL(peek(DST + 4 * swizzled_8x4(6, 2)), 0x01020304);
    /* a target larger than its swizzle; the DMA object of the colour */
    env.event = NULL;
    GO(IDLE, 0x0004e194, 0xbeef0002, 0x0014e200, 8 << 16, 4 << 16, 0x02030248, 0, 0x100, 0x0004fd94,
       0xf0);
    EQUAL(peek(SEM + 0x100 + 4 * swizzled_8x4(2, 1)), 0x01020304);
    GO(FAULT, 0x0014e200, 9 << 16, 4 << 16, 0x02030248, 0, 0x100, 0x0004fd94, 0xf0);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

/* Formats and channels of G80 and later, on a linear target of pitch 64. */
static void clear_formats(void)
{
    static const struct {
        uint32_t format, mask, dw[4];
    } rows[] = {
        {0xc2, 0x3c, {0x3f800000, 0x3f000000, 0xbf800000, 7}         },
        {0xcd, 0x3c, {0x3f800000, 0x3f000000, 0x3f800000, 0x3f000000}},
        {0xc9, 0x3c, {0x00000000, 0x00070000, 0x00000000, 0x00070000}},
        {0xe4, 0x3c, {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}},
        {0xf1, 0x3c, {0, 0, 0, 0}                                    },
        {0xd5, 0x3c, {0x000080ff, 0x000080ff, 0x000080ff, 0x000080ff}},
        {0xcf, 0x3c, {0x00ff8000, 0x00ff8000, 0x00ff8000, 0x00ff8000}},
        {0xe6, 0x3c, {0x00ff8000, 0x00ff8000, 0x00ff8000, 0x00ff8000}},
        {0xf3, 0x3c, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
        {0xea, 0x3c, {0x80ff80ff, 0x80ff80ff, 0x80ff80ff, 0x80ff80ff}},
        {0xd9, 0x3c, {0x07000000, 0x07000000, 0x07000000, 0x07000000}},
        {0xd5, 0x04, {0x222222ff, 0x222222ff, 0x222222ff, 0x222222ff}}, /* red */
        {0xd5, 0x28, {0x00228022, 0x00228022, 0x00228022, 0x00228022}}, /* green, alpha */
        {0xcf, 0x14, {0x22ff2200, 0x22ff2200, 0x22ff2200, 0x22ff2200}}, /* red, blue */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool raw = rows[i].format == 0xc2 || rows[i].format == 0xc9 || rows[i].format == 0xd9;
        start(CHIP(TU102));
        memset(ram + (DST - BASE), 0x22, 64);
        GO(IDLE, 0x20010000, 0xc597, 0x20060200, 0, DST, 64, 1, rows[i].format, 0x1000, 0x20040360,
           0x3f800000, 0x3f000000, 0xbf800000, raw ? 7 : 0, 0x200203fd, 0xffff0000, 0xffff0000,
           0x20010674, rows[i].mask);
        for (uint32_t k = 0; k < 16; k++) {
            if (!EQUAL(peek(DST + 4 * k), rows[i].dw[k % 4])) {
                printf("    format %x, mask %x\n", (unsigned)rows[i].format,
                       (unsigned)rows[i].mask);
            }
        }
        EQUAL(peek(DST + 64), 0);
    }
    /* another target, a layer, an unknown colour or depth format: passed to the callback */
    env.event = NULL;
    GO(FAULT, 0x20010674, 0x7c);
    gpucmd_nv_channel_clear(&ch);
    GO(FAULT, 0x20010674, 0x43c);
    gpucmd_nv_channel_clear(&ch);
    GO(FAULT, 0x20010204, 0xe1, 0x20010674, 0x3c);
    gpucmd_nv_channel_clear(&ch);
    GO(FAULT, 0x2001054e, 1, 0x200103fa, 0xff, 0x20010674, 0x03);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

static uint32_t asked[4];

static void count_samples(void *user, uint32_t channel, uint32_t get, uint32_t words[2])
{
    uint32_t *seen = (uint32_t *)user;
    seen[0]++;
    seen[1] = channel;
    seen[2] = get;
    seen[3] = words[0];
    words[1] = 100;
    if ((get & 0x01000000) == 0) {
        words[0] = 0x64636261;
    }
}

static void counters(void)
{
    memset(asked, 0, sizeof asked);
    start(CHIP(GF100));
    card.counter = count_samples;
    card.counter_user = asked;
    GO(IDLE, 0x20010000, 0x9097, 0x200406c0, 0, SEM, 6, 0x0100f002);
    EQUAL(peek64(SEM), 0x6400000006ull);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    EQUAL(asked[0], 1);
    EQUAL(asked[1], 3);
    EQUAL(asked[2], 0x0100f002);
    EQUAL(asked[3], 6);
    GO(IDLE, 0x200406c0, 0, SEM, 6, 0x00805002); /* 64 bits */
    EQUAL(peek64(SEM), 0x6464636261ull);
    GO(IDLE, 0x200406c0, 0, SEM, 7, 0x1000f010); /* a fence counts nothing */
    EQUAL(peek(SEM), 7);
    EQUAL(asked[0], 2);
    /* without a callback: 0 */
    card.counter = NULL;
    GO(IDLE, 0x200406c0, 0, SEM, 6, 0x0100f002);
    EQUAL(peek64(SEM), 6);
    /* NV30: third word */
    start(CHIP(NV30));
    card.counter = count_samples;
    card.counter_user = asked;
    GO(IDLE, 0x0004e000, 0xcafe0397, 0x0004e1a8, 0xbeef0002, 0x0004f800, 0x01000020);
    EQUAL(peek(SEM + 0x28), 100);
    EQUAL(peek(SEM + 0x2c), 0);
    EQUAL(asked[2], 0x01000020);
}

/* What a model keeps: windows in the order of their methods, in no more lines of 16 methods than an
 * engine has registers for; two more for methods that take handles. */
static void windows(void)
{
    static const struct {
        unsigned model, mthd, words;
        uint32_t triggers;
    } rows[] = {
#define ROW(model, mthd, words, triggers) {GPUCMD_NV_MODEL_##model, mthd, words, triggers},
        GPUCMD_NV_ENGINE_WINDOWS(ROW)
#undef ROW
    };
    unsigned last_line = 0;
    unsigned lines = 0;
    bool begun[GPUCMD_NV_MODEL_3D_GF100 + 1] = {false};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool same = i != 0 && rows[i].model == rows[i - 1].model;
        if (same) {
            CHECK(rows[i].mthd >= rows[i - 1].mthd + 4 * rows[i - 1].words);
            CHECK(rows[i].mthd > rows[i - 1].mthd);
        } else {
            CHECK(!begun[rows[i].model]); /* rows of a model are together */
            begun[rows[i].model] = true;
            last_line = 0;
            lines = 1 + 2; /* line 0 holds nothing */
        }
        CHECK(rows[i].words == 0 ||
              (rows[i].words <= 32 && rows[i].triggers >> (rows[i].words - 1) <= 1));
        for (unsigned k = 0; k < rows[i].words || k == 0; k++) {
            const unsigned line = (rows[i].mthd + 4 * k) / 0x40;
            lines += line != last_line;
            last_line = line;
        }
        CHECK(lines <= GPUCMD_NV_ENGINE_LINES);
    }
}

static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    blit_tiled();
    blit_linear();
    blit_refused();
    blit_pauses();
    inline_2d();
    scaled_swizzled();
    swizzled_read_back();
    scaled_linear();
    clear_swizzled();
    clear_formats();
    counters();
    windows();
    shapes();
    return test_report("nv_engine_2d");
}

/* 2D commands: fills and copies of all depths, raster operations, write masks, clips, tiles and
 * overlaps, against a pixel-by-pixel model of this test. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u

static uint8_t batch_bytes[4096], data[65536], want[65536];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;

static void start(gpucmd_i915_gen gen)
{
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, gen < GPUCMD_I915_GEN6 ? GPUCMD_I915_RCS : GPUCMD_I915_BCS,
                              0),
          GPUCMD_OK);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 7 + i / 256);
    }
    memcpy(want, data, sizeof data);
}

static gpucmd_run run_words_for(const uint32_t *words, size_t len_dw, uint64_t budget)
{
    gpucmd_store_words(batch_bytes, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    if (cs.state != GPUCMD_I915_RS0) {
        gpucmd_i915_cs_reset(&cs, 0);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    test_dirty();
    return gpucmd_i915_cs_run(&cs, &env, budget);
}

static gpucmd_run run_words(const uint32_t *words, size_t len_dw)
{
    return run_words_for(words, len_dw, 100000);
}

static void same(void)
{
    CHECK(memcmp(data, want, sizeof data) == 0);
}

/* Bit i of the result is bit 4P + 2S + D of the operation. */
static uint8_t rop_bits(uint32_t rop, uint32_t p, uint32_t s, uint32_t d)
{
    uint32_t v = 0;
    for (uint32_t i = 0; i < 8; i++) {
        v |= (rop >> ((p >> i & 1) * 4 + (s >> i & 1) * 2 + (d >> i & 1)) & 1) << i;
    }
    return (uint8_t)v;
}

static const uint32_t depth_bytes[4] = {1, 2, 2, 4};

/* XY_COLOR_BLT on gen8: every depth, mask, and operation without a source. */
static void fills(void)
{
    static const uint32_t rops[] = {0x00, 0x05, 0x0a, 0x0f, 0x50, 0x55, 0x5a, 0x5f,
                                    0xa0, 0xa5, 0xaa, 0xaf, 0xf0, 0xf5, 0xfa, 0xff};
    for (uint32_t depth = 0; depth < 4; depth++) {
        for (size_t r = 0; r < sizeof rops / sizeof rops[0]; r++) {
            for (uint32_t mask = 0; mask < 4; mask++) {
                const uint32_t color = 0x81c3a55a, bytes = depth_bytes[depth];
                const uint32_t words[7] = {0x54000005 | mask << 20,
                                           depth << 24 | rops[r] << 16 | 256,
                                           2u << 16 | 3,
                                           5u << 16 | 40,
                                           DATA_VA + 0x400,
                                           0,
                                           color};
                start(GPUCMD_I915_GEN8);
                EQUAL(run_words(words, 7), GPUCMD_RUN_IDLE);
                for (uint32_t y = 2; y < 5; y++) {
                    for (uint32_t xb = 3 * bytes; xb < 40 * bytes; xb++) {
                        uint8_t *d = &want[0x400 + y * 256 + xb];
                        const uint32_t byte = xb % bytes;
                        if (bytes != 4 || (byte == 3 ? (mask & 2) != 0 : (mask & 1) != 0)) {
                            *d = rop_bits(rops[r], color >> 8 * byte & 0xff, 0, *d);
                        }
                    }
                }
                same();
            }
        }
    }
}

/* XY_SRC_COPY_BLT on gen7: every operation without a pattern, different
 * pitches, negative pitch. */
static void copies(void)
{
    static const uint32_t rops[] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                    0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
    for (uint32_t depth = 0; depth < 4; depth++) {
        for (size_t r = 0; r < sizeof rops / sizeof rops[0]; r++) {
            const uint32_t bytes = depth_bytes[depth];
            const uint32_t words[8] = {0x54f00006,
                                       depth << 24 | rops[r] << 16 | 512,
                                       1u << 16 | 5,
                                       9u << 16 | 77,
                                       DATA_VA + 0x800,
                                       2u << 16 | 1,
                                       256,
                                       DATA_VA + 0x8000};
            start(GPUCMD_I915_GEN7);
            EQUAL(run_words(words, 8), GPUCMD_RUN_IDLE);
            for (uint32_t y = 0; y < 8; y++) {
                for (uint32_t xb = 0; xb < 72 * bytes; xb++) {
                    uint8_t *d = &want[0x800 + (y + 1) * 512 + 5 * bytes + xb];
                    *d = rop_bits(rops[r], 0, data[0x8000 + (y + 2) * 256 + bytes + xb], *d);
                }
            }
            same();
        }
    }
    {
        static const uint32_t words[8] = {0x54f00006,       0x03ccff00, 0,   4u << 16 | 8,
                                          DATA_VA + 0x1000, 0,          256, DATA_VA + 0x4000};
        start(GPUCMD_I915_GEN7);
        EQUAL(run_words(words, 8), GPUCMD_RUN_IDLE);
        for (int y = 0; y < 4; y++) {
            memcpy(want + 0x1000 - y * 256, want + 0x4000 + y * 256, 32);
        }
        same();
    }
}

/* Ranges that overlap: as if through a buffer; rows downwards, and upwards. */
static void overlaps(void)
{
    static const int shifts[] = {-300, -256, -4, -1, 0, 1, 4, 255, 256, 300};
    for (int kind = 0; kind < 4; kind++) {
        const bool mixed = (kind & 1) != 0; /* is drawn in parts */
        const int pitch = kind < 2 ? 256 : -256;
        for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
            const uint32_t words[8] = {0x54f00006,
                                       (mixed ? 0x660000u : 0xcc0000u) | ((uint32_t)pitch & 0xffff),
                                       0,
                                       8u << 16 | 200,
                                       (uint32_t)((int)DATA_VA + 0x2000 + shifts[i]),
                                       0,
                                       (uint32_t)pitch & 0xffff,
                                       DATA_VA + 0x2000};
            static uint8_t copy[65536];
            start(GPUCMD_I915_GEN7);
            memcpy(copy, want, sizeof copy);
            EQUAL(run_words(words, 8), GPUCMD_RUN_IDLE);
            for (int y = 0; y < 8; y++) {
                for (int x = 0; x < 200; x++) {
                    uint8_t *d = &want[0x2000 + shifts[i] + y * pitch + x];
                    const uint8_t s = copy[0x2000 + y * pitch + x];
                    *d = mixed ? (uint8_t)(*d ^ s) : s;
                }
            }
            same();
        }
    }
}

/* X tiles of 512 bytes by 8 rows; the pitch counts dwords. */
static uint32_t x_tile(uint32_t xb, uint32_t y, uint32_t pitch_bytes)
{
    return (y / 8 * (pitch_bytes / 512) + xb / 512) * 4096 + y % 8 * 512 + xb % 512;
}

static void tiles(void)
{
    for (uint32_t kind = 1; kind < 4; kind++) { /* bit 0: destination, bit 1: source */
        const uint32_t words[8] = {0x54f00006 | (kind & 1) << 11 | (kind & 2) << 14,
                                   0x03cc0000 | ((kind & 1) != 0 ? 1024u / 4 : 1024u),
                                   3u << 16 | 2,
                                   19u << 16 | 150,
                                   DATA_VA,
                                   5u << 16 | 100,
                                   (kind & 2) != 0 ? 1024u / 4 : 1024u,
                                   DATA_VA + 0x8000};
        start(GPUCMD_I915_GEN5);
        EQUAL(run_words(words, 8), GPUCMD_RUN_IDLE);
        for (uint32_t y = 0; y < 16; y++) {
            for (uint32_t xb = 0; xb < 148 * 4; xb++) {
                const uint32_t dx = xb + 8, dy = y + 3, sx = xb + 400, sy = y + 5;
                want[(kind & 1) != 0 ? x_tile(dx, dy, 1024) : dy * 1024 + dx] =
                    data[0x8000 + ((kind & 2) != 0 ? x_tile(sx, sy, 1024) : sy * 1024 + sx)];
            }
        }
        same();
    }
}

/* Y tiles and tiles 4 of 128 bytes by 32 rows, as address bits: Y has x3..0, y4..0, x6..4; 4 has
 * x3..0, y1..0, x5..4, y2, x6, y4..3. */
static uint32_t tile_of(char kind, uint32_t xb, uint32_t y, uint32_t pitch_bytes)
{
    const uint32_t first = (y / 32 * (pitch_bytes / 128) + xb / 128) * 4096;
    if (kind == 'L') {
        return y * pitch_bytes + xb;
    }
    if (kind == 'X') {
        return x_tile(xb, y, pitch_bytes);
    }
    return kind == 'Y' ? first + (xb & 15) + ((y & 31) << 4) + ((xb >> 4 & 7) << 9)
                       : first + (xb & 15) + ((y & 3) << 4) + ((xb >> 4 & 3) << 6) +
                             ((y >> 2 & 1) << 8) + ((xb >> 6 & 1) << 9) + ((y >> 3 & 3) << 10);
}

/* 40 by 30 pixels of 32 bits from (9, 5) to (3, 7), both surfaces with a pitch of 512 bytes. */
static void moved(char dst, char src)
{
    for (uint32_t y = 0; y < 30; y++) {
        for (uint32_t xb = 0; xb < 160; xb++) {
            want[tile_of(dst, xb + 12, y + 7, 512)] =
                data[0x8000 + tile_of(src, xb + 36, y + 5, 512)];
        }
    }
}

#define CORNER     (7u << 16 | 3)
#define BEHIND     (37u << 16 | 43)
#define SRC_CORNER (5u << 16 | 9)

static void modern_tiles(void)
{
    static const char kinds[] = "LXY4";
    for (uint32_t pair = 0; pair < 16; pair++) {
        const uint32_t d = pair & 3, s = pair >> 2;
        /* XY_SRC_COPY_BLT of gen9 with the register 0x22200; no tile 4 */
        const uint32_t y_bits = 0x00030000 | (d == 2 ? 2u : 0) | (s == 2 ? 1u : 0);
        const uint32_t copy[13] = {0x11000001,
                                   0x22200,
                                   y_bits,
                                   0x54f00008 | (d != 0 ? 0x800u : 0) | (s != 0 ? 0x8000u : 0),
                                   0x03cc0000 | (d != 0 ? 128 : 512),
                                   CORNER,
                                   BEHIND,
                                   DATA_VA,
                                   0,
                                   SRC_CORNER,
                                   s != 0 ? 128 : 512,
                                   DATA_VA + 0x8000,
                                   0};
        /* XY_FAST_COPY_BLT of gen12.5: a tile 4 is a Y tile with bits 31 and 30 of DW1 */
        const uint32_t fast[10] = {0x50800008 | (s == 3 ? 2 : s) << 20 | (d == 3 ? 2 : d) << 13,
                                   0x03000000 | (d != 0 ? 128u : 512u) | (s == 3 ? 1u << 31 : 0) |
                                       (d == 3 ? 1u << 30 : 0),
                                   CORNER,
                                   BEHIND,
                                   DATA_VA,
                                   0,
                                   SRC_CORNER,
                                   s != 0 ? 128 : 512,
                                   DATA_VA + 0x8000,
                                   0};
        if (d != 3 && s != 3) {
            start(GPUCMD_I915_GEN9);
            moved(kinds[d], kinds[s]);
            EQUAL(run_words(copy, 13), GPUCMD_RUN_IDLE);
            same();
        }
        start(GPUCMD_I915_GEN12_5);
        moved(kinds[d], kinds[s]);
        EQUAL(run_words(fast, 10), GPUCMD_RUN_IDLE);
        same();
    }
}

/* XY_BLOCK_COPY_BLT: a pitch field holds the pitch - 1. Tiling 1 is Y on gen12. On gen12.5, 1 is X
 * and 2 is Tile 4. */
static void block_copies(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t dst, src;
        char kinds[3];
    } rows[] = {
        {GPUCMD_I915_GEN12,   0, 0, "LL"},
        {GPUCMD_I915_GEN12,   0, 1, "LY"},
        {GPUCMD_I915_GEN12,   1, 0, "YL"},
        {GPUCMD_I915_GEN12_5, 0, 0, "LL"},
        {GPUCMD_I915_GEN12_5, 1, 2, "X4"},
        {GPUCMD_I915_GEN12_5, 2, 0, "4L"},
    };
    uint32_t words[22];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t len_dw = rows[i].gen == GPUCMD_I915_GEN12 ? 12 : 22;
        memset(words, 0, sizeof words);
        words[0] = 0x50500000 | (len_dw - 2); /* depth 2: 32 bits */
        words[1] = rows[i].dst << 30 | (rows[i].dst != 0 ? 127 : 511);
        words[2] = CORNER;
        words[3] = BEHIND;
        words[4] = DATA_VA;
        words[7] = SRC_CORNER;
        words[8] = rows[i].src << 30 | (rows[i].src != 0 ? 127 : 511);
        words[9] = DATA_VA + 0x8000;
        start(rows[i].gen);
        moved(rows[i].kinds[0], rows[i].kinds[1]);
        EQUAL(run_words(words, len_dw), GPUCMD_RUN_IDLE);
        same();
    }
    /* as OpenCL on DG2 sends it: a row of 4096 bytes, 8 bits a pixel */
    memset(words, 0, sizeof words);
    words[0] = 0x50400014;
    words[1] = 4095;
    words[3] = 1u << 16 | 4096;
    words[4] = DATA_VA + 0x1000;
    words[8] = 4095;
    words[9] = DATA_VA + 0x4000;
    start(GPUCMD_I915_GEN12_5);
    memcpy(want + 0x1000, want + 0x4000, 4096);
    EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
    same();
    words[1] |= 1u << 29; /* compressed: the callback gets it */
    EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
    same();
    words[1] = 4095;
    words[0] = 0x50700014; /* no such depth */
    EQUAL(run_words(words, 22), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
}

/* ---- tile 64 ---- */

/* Layouts of a tile of 64 KiB by the field DEPTH, from bit 15 of an offset to bit 0. [GMM]
 * INTEL_TILE_64_8, _16, _32, _64, _128 */
static const struct tile_64 {
    uint32_t depth, pixel_bytes, wide, rows; /* of a tile: bytes of a row, number of rows */
    char layout[17];
} tiles_64[] = {
    {0, 1,  256,  256, "yyyxyyxyxxyyxxxx"},
    {1, 2,  512,  128, "yyxxyyxyxxyyxxxx"},
    {2, 4,  512,  128, "yyxxyyxyxxyyxxxx"},
    {3, 8,  1024, 64,  "yxxxyyxyxxyyxxxx"},
    {5, 16, 1024, 64,  "yxxxyyxyxxyyxxxx"},
};

enum { SURFACE_VA = 0x01000000, LINES_VA = 0x02000000, SURFACE_BYTES = 6 * 65536 };

static uint8_t surface[SURFACE_BYTES], lines[SURFACE_BYTES], model[SURFACE_BYTES];
static const gpucmd_region big_regions[3] = {
    {BATCH_VA,   sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ                      },
    {SURFACE_VA, sizeof surface,     surface,     GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {LINES_VA,   sizeof lines,       lines,       GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};

static void start_64(gpucmd_i915_gen gen)
{
    start(gen);
    EQUAL(gpucmd_mem_init(&mem, big_regions, 3), GPUCMD_OK);
    for (uint32_t i = 0; i < SURFACE_BYTES; i++) {
        lines[i] = (uint8_t)(i * 5 + i / 251);
        surface[i] = (uint8_t)(i * 3 + i / 509);
    }
}

/* The offset of byte xb of row y, by the picture: each of its bits takes the next bit of x or y. */
static uint32_t place_64(const struct tile_64 *t, uint32_t pitch, uint32_t xb, uint32_t y)
{
    uint32_t at = (y / t->rows * (pitch / t->wide) + xb / t->wide) * 65536;
    uint32_t x_bit = 0, y_bit = 0;
    for (uint32_t bit = 0; bit < 16; bit++) {
        const bool is_x = t->layout[15 - bit] == 'x';
        at |= (is_x ? xb >> x_bit & 1 : y >> y_bit & 1) << bit;
        x_bit += is_x;
        y_bit += !is_x;
    }
    return at;
}

/* Fill words with an XY_BLOCK_COPY_BLT of w by h pixels from (sx, sy) to (dx, dy). */
static void copy_64(uint32_t *words, uint32_t depth, const uint32_t d[3], const uint32_t s[3],
                    const uint32_t xy[6])
{
    memset(words, 0, 88);
    words[0] = 0x50400014 | depth << 19;
    words[1] = d[0] << 30 | (d[0] != 0 ? d[1] / 4 - 1 : d[1] - 1); /* tiling, pitch, address */
    words[2] = xy[1] << 16 | xy[0];
    words[3] = (xy[1] + xy[5]) << 16 | (xy[0] + xy[4]);
    words[4] = d[2];
    words[7] = xy[3] << 16 | xy[2];
    words[8] = s[0] << 30 | (s[0] != 0 ? s[1] / 4 - 1 : s[1] - 1);
    words[9] = s[2];
    words[16] = 1u << 29; /* 2D */
    words[19] = 1u << 29;
}

/* Single pixels, at offsets that were worked out by hand from the layouts: the lowest and the highest
 * bit of each run, the corners of the tile, the tile to the right and the tile below. */
static void tile_64_corners(void)
{
    static const struct {
        uint32_t depth, pitch, xb, y, at;
    } rows[] = {
        {0, 512,  1,     0,   0x00001},
        {0, 512,  15,    0,   0x0000f},
        {0, 512,  16,    0,   0x00040},
        {0, 512,  32,    0,   0x00080},
        {0, 512,  64,    0,   0x00200},
        {0, 512,  128,   0,   0x01000},
        {0, 512,  255,   0,   0x012cf},
        {0, 512,  0,     1,   0x00010},
        {0, 512,  0,     2,   0x00020},
        {0, 512,  0,     4,   0x00100},
        {0, 512,  0,     8,   0x00400},
        {0, 512,  0,     16,  0x00800},
        {0, 512,  0,     32,  0x02000},
        {0, 512,  0,     64,  0x04000},
        {0, 512,  0,     128, 0x08000},
        {0, 512,  0,     255, 0x0ed30},
        {0, 512,  255,   255, 0x0ffff},
        {0, 512,  256,   0,   0x10000},
        {0, 512,  0,     256, 0x20000},
        {0, 512,  511,   511, 0x3ffff},
        {0, 512,  0xa5,  90,  0x05ca5},
        {1, 1024, 128,   0,   0x01000},
        {1, 1024, 256,   0,   0x02000},
        {1, 1024, 510,   0,   0x032ce},
        {1, 1024, 0,     31,  0x00d30},
        {1, 1024, 0,     32,  0x04000},
        {1, 1024, 0,     64,  0x08000},
        {1, 1024, 0,     127, 0x0cd30},
        {1, 1024, 512,   0,   0x10000},
        {1, 1024, 0,     128, 0x20000},
        {1, 1024, 0x14a, 85,  0x0ab1a},
        {2, 1024, 128,   0,   0x01000},
        {2, 1024, 256,   0,   0x02000},
        {2, 1024, 508,   0,   0x032cc},
        {2, 1024, 508,   127, 0x0fffc},
        {2, 1024, 512,   0,   0x10000},
        {2, 1024, 0,     128, 0x20000},
        {3, 2048, 128,   0,   0x01000},
        {3, 2048, 256,   0,   0x02000},
        {3, 2048, 512,   0,   0x04000},
        {3, 2048, 1016,  0,   0x072c8},
        {3, 2048, 0,     31,  0x00d30},
        {3, 2048, 0,     32,  0x08000},
        {3, 2048, 0,     63,  0x08d30},
        {3, 2048, 1024,  0,   0x10000},
        {3, 2048, 0,     64,  0x20000},
        {5, 2048, 16,    0,   0x00040},
        {5, 2048, 512,   0,   0x04000},
        {5, 2048, 1008,  63,  0x0fff0},
        {5, 2048, 1024,  0,   0x10000},
        {5, 2048, 0,     64,  0x20000},
    };
    static const uint32_t bytes[6] = {1, 2, 4, 8, 0, 16};
    uint32_t words[22];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t n = bytes[rows[i].depth];
        const uint32_t d[3] = {3, rows[i].pitch, SURFACE_VA}, s[3] = {0, 64, LINES_VA};
        const uint32_t xy[6] = {rows[i].xb / n, rows[i].y, 1, 2, 1, 1};
        start_64(GPUCMD_I915_GEN12_5);
        memcpy(model, surface, sizeof surface);
        memcpy(model + rows[i].at, lines + 128 + n, n);
        copy_64(words, rows[i].depth, d, s, xy);
        EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
        if (!CHECK(memcmp(surface, model, sizeof surface) == 0)) {
            printf("row %u\n", (unsigned)i);
        }
    }
}

/* Copies over the edges of four tiles: to tiles and back, from a tile 4, and inside a surface, where
 * the rectangles overlap. budget: of each run. */
static void tile_64_copies(gpucmd_i915_gen gen, uint64_t budget)
{
    for (size_t i = 0; i < sizeof tiles_64 / sizeof tiles_64[0]; i++) {
        const struct tile_64 *const t = &tiles_64[i];
        const uint32_t n = t->pixel_bytes, pitch = 2 * t->wide;
        const uint32_t x = t->wide / n - 5, y = t->rows - 7, cols = 11, high = 13;
        const uint32_t tiled[3] = {3, pitch, SURFACE_VA}, linear[3] = {0, 2048, LINES_VA};
        const uint32_t four[3] = {2, 2048, LINES_VA};
        for (uint32_t kind = 0; kind < 5; kind++) {
            /* 0: to tiles; 1: from tiles; 2: from a tile 4; 3, 4: one pixel down right, up left */
            const uint32_t *const d = kind == 1 ? linear : tiled;
            const uint32_t *const s = kind == 0 ? linear : kind == 2 ? four : tiled;
            const uint32_t sx = kind < 3 ? 3 : kind == 3 ? x - 1 : x + 1;
            const uint32_t sy = kind < 3 ? 30 : kind == 3 ? y - 1 : y + 1;
            const uint32_t xy[6] = {x, y, sx, sy, cols, high}, back[6] = {sx, sy, x, y, cols, high};
            uint32_t words[22];
            gpucmd_run got;
            start_64(gen);
            memcpy(model, kind == 1 ? lines : surface, sizeof model);
            for (uint32_t row = 0; row < high; row++) {
                for (uint32_t b = 0; b < cols * n; b++) {
                    const uint32_t xb = x * n + b, sb = sx * n + b;
                    const uint32_t in_tiles = place_64(t, pitch, xb, y + row);
                    if (kind == 1) {
                        model[(sy + row) * 2048 + sb] = surface[in_tiles];
                    } else if (kind == 0) {
                        model[in_tiles] = lines[(sy + row) * 2048 + sb];
                    } else if (kind == 2) {
                        model[in_tiles] = lines[tile_of('4', sb, sy + row, 2048)];
                    } else {
                        model[in_tiles] = surface[place_64(t, pitch, sb, sy + row)];
                    }
                }
            }
            copy_64(words, t->depth, d, s, kind == 1 ? back : xy);
            got = run_words_for(words, 22, budget);
            for (uint32_t k = 0; k < 10000 && got == GPUCMD_RUN_LIMIT; k++) {
                got = gpucmd_i915_cs_run(&cs, &env, budget);
            }
            EQUAL(got, GPUCMD_RUN_IDLE);
            CHECK(memcmp(kind == 1 ? lines : surface, model, sizeof model) == 0);
        }
    }
}

/* XY_FAST_COLOR_BLT: a rectangle with corners in four tiles, one of whole tiles, and one byte. */
static void tile_64_fills(void)
{
    static const uint32_t color[4] = {0x03020100, 0x17161514, 0x2b2a2928, 0x3f3e3d3c};
    for (size_t i = 0; i < sizeof tiles_64 / sizeof tiles_64[0]; i++) {
        const struct tile_64 *const t = &tiles_64[i];
        const uint32_t n = t->pixel_bytes, wide = t->wide / n, pitch = 2 * t->wide;
        const uint32_t rects[3][4] = {
            {wide - 9, t->rows - 3, wide + 4, t->rows + 2},
            {wide,     0,           2 * wide, t->rows    },
            {17,       9,           18,       10         },
        };
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *const r = rects[k];
            const uint32_t words[16] = {0x5100000e | t->depth << 19,
                                        0xc0000000 | (pitch / 4 - 1),
                                        r[1] << 16 | r[0],
                                        r[3] << 16 | r[2],
                                        SURFACE_VA,
                                        0,
                                        0,
                                        color[0],
                                        color[1],
                                        color[2],
                                        color[3],
                                        0,
                                        0,
                                        1u << 29,
                                        0,
                                        0};
            start_64(GPUCMD_I915_GEN20);
            memcpy(model, surface, sizeof model);
            for (uint32_t y = r[1]; y < r[3]; y++) {
                for (uint32_t xb = r[0] * n; xb < r[2] * n; xb++) {
                    model[place_64(t, pitch, xb, y)] =
                        (uint8_t)(color[xb % n / 4] >> 8 * (xb % n % 4));
                }
            }
            EQUAL(run_words(words, 16), GPUCMD_RUN_IDLE);
            CHECK(memcmp(surface, model, sizeof model) == 0);
        }
    }
}

/* What the executor passes to the callback, and a pitch that is no multiple of the tile's width. The
 * callback is absent: the surface does not change. */
static void tile_64_not_drawn(void)
{
    static const uint32_t d[3] = {3, 1024, SURFACE_VA}, s[3] = {0, 1024, LINES_VA};
    static const uint32_t xy[6] = {1, 2, 3, 4, 5, 6};
    static const struct {
        uint32_t depth, at, bits;
    } rows[] = {
        {2, 16, 3u << 29}, /* type 2, 3D, instead of 1 */
        {4, 0,  0       }, /* 96 bits a pixel */
        {2, 0,  1u << 9 }, /* samples */
        {2, 18, 1u << 21}, /* array index */
        {2, 17, 1       }, /* level */
    };
    uint32_t words[22];
    start_64(GPUCMD_I915_GEN12_5);
    memcpy(model, surface, sizeof model);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        copy_64(words, rows[i].depth, d, s, xy);
        words[rows[i].at] ^= rows[i].bits;
        EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
        CHECK(memcmp(surface, model, sizeof model) == 0);
    }
    copy_64(words, 2, s, d, xy); /* from a 3D surface */
    words[19] = 2u << 29;
    memcpy(model, lines, sizeof model);
    EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
    CHECK(memcmp(lines, model, sizeof model) == 0);
    copy_64(words, 2, d, s, xy);
    words[1] -= 64; /* 3 quarters of 1024 bytes: for 8 bits, not for 32 */
    EQUAL(run_words(words, 22), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    words[0] &= ~(7u << 19);
    EQUAL(run_words(words, 22), GPUCMD_RUN_IDLE);
}

/* The rows of the header have these layouts; the short form has no type. */
static void tile_64_rows(void)
{
#define LAYOUT(name, wide, bytes, depths, layout, source) {wide, bytes, depths, layout},
    static const struct {
        uint32_t wide, bytes, depths;
        char layout[17];
    } rows[] = {GPUCMD_I915_TILES(LAYOUT)};
#undef LAYOUT
    static const struct tile_64 *const t = tiles_64;
    const uint32_t d[3] = {3, 1024, SURFACE_VA}, s[3] = {0, 1024, LINES_VA};
    const uint32_t xy[6] = {0, 0, 0, 0, 1, 1};
    uint32_t words[22], found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t x = 0, y = 0;
        for (size_t bit = 0; rows[i].layout[bit] != 0; bit++) {
            x += rows[i].layout[bit] == 'x';
            y += rows[i].layout[bit] == 'y';
        }
        EQUAL(x, rows[i].wide);
        EQUAL(x + y, rows[i].bytes);
        for (size_t k = 0; k < sizeof tiles_64 / sizeof tiles_64[0]; k++) {
            if ((rows[i].depths >> t[k].depth & 1) != 0) {
                CHECK(strcmp(rows[i].layout, t[k].layout) == 0);
                found++;
            }
        }
    }
    EQUAL(found, 5);
    start_64(GPUCMD_I915_GEN12_5);
    copy_64(words, 2, d, s, xy);
    words[0] = 0x5050000a;
    memcpy(model, surface, sizeof model);
    memcpy(model, lines, 4);
    EQUAL(run_words(words, 12), GPUCMD_RUN_IDLE);
    CHECK(memcmp(surface, model, sizeof model) == 0);
}

static void tiles_of_64_kib(void)
{
    static const gpucmd_i915_gen gens[] = {GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN12_6,
                                           GPUCMD_I915_GEN12_7, GPUCMD_I915_GEN20,
                                           GPUCMD_I915_GEN30,   GPUCMD_I915_GEN35};
    tile_64_rows();
    tile_64_corners();
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        tile_64_copies(gens[i], 100000);
    }
    tile_64_copies(GPUCMD_I915_GEN20, 1);
    tile_64_fills();
    tile_64_not_drawn();
}

/* XY_SETUP_BLT, clip, pixel and solid scan lines, both in the background colour [I815]; clipped
 * copies keep their source in step. */
static void setup(void)
{
    static const uint32_t state[] = {0x40700006,
                                     0xc3f00100,
                                     0,
                                     20u << 16 | 30,
                                     DATA_VA,
                                     0x11111111,
                                     0x22222222,
                                     0,
                                     0x49000000,
                                     7u << 16 | 4, /* inside */
                                     0x49000000,
                                     20u << 16 | 4, /* outside */
                                     0x49400001,
                                     18u << 16 | 28,
                                     22u << 16 | 33,
                                     0x40c00001,
                                     1u << 16 | 1,
                                     3u << 16 | 3,
                                     0x54f00006,
                                     0x43cc0100,
                                     0,
                                     8u << 16 | 8,
                                     DATA_VA + 0x4000,
                                     0,
                                     256,
                                     DATA_VA + 0x8000};
    start(GPUCMD_I915_GEN7);
    EQUAL(run_words(state, sizeof state / 4), GPUCMD_RUN_IDLE);
    memset(want + 7 * 256 + 4 * 4, 0x11, 4);
    memset(want + 18 * 256 + 28 * 4, 0x11, 8);
    memset(want + 19 * 256 + 28 * 4, 0x11, 8);
    memcpy(want + 0x4000 + 256 + 4, want + 0x8000 + 256 + 4, 8);
    memcpy(want + 0x4000 + 512 + 4, want + 0x8000 + 512 + 4, 8);
    same();
}

/* The surface of XY_SETUP_BLT above 4 GiB; rows of bytes upwards. */
static void setup_high(void)
{
    static const uint32_t state[] = {0x40700008, 0x03f00100, 0, 0, 0x100000,   0x1234,
                                     0x11111111, 0x22222222, 0, 0, 0x49000000, 7u << 16 | 4};
    static const uint32_t up[] = {0x50f00004, 0x03cc0100, 3u << 16 | 12,
                                  DATA_VA,    0xff00,     DATA_VA + 0x4200};
    gpucmd_region high[2] = {regions[0], regions[1]};
    start(GPUCMD_I915_GEN8);
    for (size_t i = 0; i < 2; i++) {
        high[i].va = high[i].host == data ? 0x123400100000 : high[i].va;
    }
    EQUAL(gpucmd_mem_init(&mem, high, 2), GPUCMD_OK);
    EQUAL(run_words(state, sizeof state / 4), GPUCMD_RUN_IDLE);
    memset(want + 7 * 256 + 4 * 4, 0x11, 4);
    same();
    start(GPUCMD_I915_GEN3);
    EQUAL(run_words(up, 6), GPUCMD_RUN_IDLE);
    for (int y = 0; y < 3; y++) {
        memcpy(want + y * 256, want + 0x4200 - y * 256, 12);
    }
    same();
}

static gpucmd_event written;
static uint32_t written_count;

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->kind == GPUCMD_EVENT_MEM_WRITE) {
        written = *e;
        written_count++;
    }
    return GPUCMD_OK;
}

/* The trace has one write for a blit: the destination, the color and the words of a row. */
static void traced(void)
{
    static const uint32_t fill[] = {0x54300004, 0x03f00100, 0, 2u << 16 | 3, DATA_VA, 0xa5a5a5a5};
    start(GPUCMD_I915_GEN7);
    env.trace = on_trace;
    written_count = 0;
    EQUAL(run_words(fill, 6), GPUCMD_RUN_IDLE);
    EQUAL(written_count, 1);
    EQUAL(written.unit, GPUCMD_I915_BCS);
    CHECK(written.addr == 0 && written.code == 0 && written.count_dw == 3);
    EQUAL(written.va, DATA_VA);
    EQUAL(written.value, 0xa5a5a5a5);
    CHECK(written.data == NULL && written.out_dw == NULL);
}

/* A blit with more words than any layout: the words after its operands change nothing. */
static void too_many_words(void)
{
    static const uint32_t clip[] = {0x40c00001, 1u << 16 | 2, 3u << 16 | 4};
    for (uint32_t n = 6; n < 40; n++) {
        uint32_t words[40] = {0x54300000 | (n - 2), 0x03f00100, 0,
                              2u << 16 | 3,         DATA_VA,    0xa5a5a5a5};
        uint32_t setup_words[9];
        memset(words + 6, 0xff, sizeof words - 6 * 4);
        start(GPUCMD_I915_GEN7);
        EQUAL(run_words(clip, 3), GPUCMD_RUN_IDLE);
        memcpy(setup_words, cs.setup, sizeof setup_words);
        EQUAL(sizeof setup_words, sizeof cs.setup);
        EQUAL(run_words(words, n), GPUCMD_RUN_IDLE);
        memset(want, 0xa5, 12);
        memset(want + 256, 0xa5, 12);
        same();
        CHECK(memcmp(cs.setup, setup_words, sizeof setup_words) == 0);
    }
}

/* SRC_COPY_BLT from the right: addresses of the last byte of a row [PRM5], as the driver of the
 * i810 has them. */
static void from_right(void)
{
    static const int shifts[] = {-4, 0, 3, 8, 0x4000};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        const uint32_t right[] = {0x50f00004,    0x40cc0100,
                                  3u << 16 | 12, (uint32_t)((int)DATA_VA + 0x400b + shifts[i]),
                                  256,           DATA_VA + 0x400b};
        static uint8_t copy[65536];
        start(GPUCMD_I915_GEN5);
        memcpy(copy, want, sizeof copy);
        EQUAL(run_words(right, 6), GPUCMD_RUN_IDLE);
        for (int y = 0; y < 3; y++) {
            memcpy(want + 0x4000 + shifts[i] + y * 256, copy + 0x4000 + y * 256, 12);
        }
        same();
    }
}

/* Pixels left of the source or above it are not drawn [PRM5] [PRM9]. 8 by 6
 * pixels at (9, 7) from (-3, -2) are 5 by 4 at (12, 9) from (0, 0). The clip is
 * applied after that. */
static void outside(void)
{
    for (int kind = 0; kind < 4; kind++) { /* linear, X tiles, with a clip, no pixels left */
        const bool tiled = kind == 1, clip = kind == 2;
        const int left = clip ? 14 : 12, right = kind == 3 ? 11 : 17;
        const uint32_t words[] = {0x40c00001,
                                  8u << 16 | 14,
                                  99u << 16 | 99,
                                  0x54f00006 | (tiled ? 0x8000u : 0),
                                  0x03cc0200 | (clip ? 1u << 30 : 0),
                                  7u << 16 | 9,
                                  13u << 16 | (uint32_t)right,
                                  DATA_VA,
                                  0xfffefffd,
                                  tiled ? 128 : 512,
                                  DATA_VA + 0x8000};
        start(GPUCMD_I915_GEN7);
        EQUAL(run_words(words, sizeof words / 4), GPUCMD_RUN_IDLE);
        for (int y = 9; y < 13; y++) {
            for (int x = left; x < right; x++) {
                const uint32_t xb = 4 * (uint32_t)(x - 12), sy = (uint32_t)(y - 9);
                memcpy(want + y * 512 + x * 4,
                       data + 0x8000 + (tiled ? x_tile(xb, sy, 512) : sy * 512 + xb), 4);
            }
        }
        same();
    }
}

static void others(void)
{
    /* COLOR_BLT and SRC_COPY_BLT count bytes; FAST_COPY and FAST_COLOR */
    static const uint32_t color[] = {0x50300003, 0x01f00100, 3u << 16 | 10, DATA_VA, 0xa5b6};
    static const uint32_t src[] = {0x50f00004, 0x03cc0100, 3u << 16 | 12,
                                   DATA_VA,    256,        DATA_VA + 0x4000};
    static const uint32_t fast[] = {0x50800008, 0x05000100, 0,   2u << 16 | 4,     DATA_VA,
                                    0,          0,          256, DATA_VA + 0x4000, 0};
    static const uint32_t fill[] = {0x51200009, 255,        0,          2u << 16 | 3, DATA_VA,   0,
                                    0,          0x01010101, 0x02020202, 0x03030303,   0x04040404};
    static const uint32_t empty[] = {0x54300004,   0x03f00100, 5u << 16 | 5,
                                     5u << 16 | 9, 0x900000,   1};
    static const uint32_t lost[] = {0x54300004, 0x03f00100, 0, 5u << 16 | 9, 0x900000, 1};
    static const uint32_t pitch[] = {0x54f08006, 0x03cc0100, 0,   5u << 16 | 9,
                                     DATA_VA,    0,          100, DATA_VA};
    static const uint32_t large[] = {0x54300004, 0x03f00000, 0, 0x0fff0400, DATA_VA, 7};
    start(GPUCMD_I915_GEN3);
    EQUAL(run_words(color, 5), GPUCMD_RUN_IDLE);
    EQUAL(run_words(src, 6), GPUCMD_RUN_IDLE);
    for (int y = 0; y < 3; y++) {
        memcpy(want + y * 256, want + 0x4000 + y * 256, 12);
    }
    same();
    start(GPUCMD_I915_GEN3);
    EQUAL(run_words(color, 5), GPUCMD_RUN_IDLE);
    for (int i = 0; i < 15; i++) {
        want[i / 5 * 256 + i % 5 * 2] = 0xb6;
        want[i / 5 * 256 + i % 5 * 2 + 1] = 0xa5;
    }
    same();
    start(GPUCMD_I915_GEN9);
    EQUAL(run_words(fast, 10), GPUCMD_RUN_IDLE);
    memcpy(want, want + 0x4000, 64);
    memcpy(want + 256, want + 0x4100, 64);
    same();
    start(GPUCMD_I915_GEN12);
    EQUAL(run_words(fill, 11), GPUCMD_RUN_IDLE);
    for (int i = 0; i < 6 * 12; i++) { /* 96 bits a pixel */
        want[i / 36 * 256 + i % 36] = (uint8_t)(i % 36 % 12 / 4 + 1);
    }
    same();
    start(GPUCMD_I915_GEN7);
    EQUAL(run_words(empty, 6), GPUCMD_RUN_IDLE);
    same();
    EQUAL(run_words(lost, 6), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
    EQUAL(run_words(pitch, 8), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    EQUAL(run_words(large, 6), GPUCMD_RUN_IDLE); /* 16 MiB over one row: many units of budget */
    EQUAL(cs.blt_row, 0);
    EQUAL(run_words(large, 6), GPUCMD_RUN_IDLE);
    cs.commands = 0;
    cs.units = 0;
    gpucmd_store_words(batch_bytes, large, 6, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 20), GPUCMD_RUN_LIMIT);
    CHECK(cs.blt_row > 0 && cs.commands == 0 && cs.units >= 20);
}

/* Budget units of 32 KiB. Copied: parts of 4 KiB, and an eighth more for each. Computed: parts of 64
 * bytes, or of 256 if the raster operation is 0xf0 or 0xcc. */
static void costs(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t units, words[22];
    } rows[] = {
  /* clang-format off */
        {GPUCMD_I915_GEN8,    9,   {0x54300005, 0x03f00000, 0, 0x00012000, DATA_VA, 0, 0x11223344}},
        {GPUCMD_I915_GEN8,    128, {0x54100005, 0x03f00000, 0, 0x00012000, DATA_VA, 0, 0x11223344}},
        {GPUCMD_I915_GEN8,    512, {0x54300005, 0x035a0000, 0, 0x00012000, DATA_VA, 0, 0x11223344}},
        {GPUCMD_I915_GEN8,    9,   {0x54f00008, 0x03cc0000, 0, 0x00012000, DATA_VA, 0, 0, 0, DATA_VA + 0x8000, 0}},
        {GPUCMD_I915_GEN8,    128, {0x54d00008, 0x03cc0000, 0, 0x00012000, DATA_VA, 0, 0, 0, DATA_VA + 0x8000, 0}},
        {GPUCMD_I915_GEN8,    512, {0x54f00008, 0x03660000, 0, 0x00012000, DATA_VA, 0, 0, 0, DATA_VA + 0x8000, 0}},
        {GPUCMD_I915_GEN3,    9,   {0x50300003, 0x03f00000, 0x00018000, DATA_VA, 0x11223344}},
        {GPUCMD_I915_GEN3,    9,   {0x50f00004, 0x03cc0000, 0x00018000, DATA_VA, 0, DATA_VA + 0x8000}},
        {GPUCMD_I915_GEN9,    9,   {0x50800008, 0x03000000, 0, 0x00012000, DATA_VA, 0, 0, 0, DATA_VA + 0x8000, 0}},
        {GPUCMD_I915_GEN12,   9,   {0x5050000a, 0, 0, 0x00012000, DATA_VA, 0, 0, 0, 0, DATA_VA + 0x8000, 0, 0}},
        {GPUCMD_I915_GEN12,   9,   {0x51100009, 0, 0, 0x00012000, DATA_VA, 0, 0, 0x11223344, 0, 0, 0}},
        {GPUCMD_I915_GEN20,   9,   {0x56800008, 0x7fff, 0, 0, 0, DATA_VA + 0x8000, 0, DATA_VA, 0, 0}},
        {GPUCMD_I915_GEN20,   9,   {0x56c00005, 0x7fff, 0, 0, DATA_VA, 0, 0x44000000}},
  /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].gen);
        const uint32_t n = rows[i].words[0] % 256 + 2;
        EQUAL(run_words(rows[i].words, n), GPUCMD_RUN_IDLE);
        EQUAL(cs.units, 2 + rows[i].units);
        /* with MI_NOOP after it: four of them in the budget */
        start(rows[i].gen);
        memset(batch_bytes, 0, sizeof batch_bytes);
        gpucmd_store_words(batch_bytes, rows[i].words, n, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, rows[i].units + 5), GPUCMD_RUN_LIMIT);
        EQUAL(cs.units, rows[i].units + 5);
        EQUAL(cs.commands, 5);
        /* in single steps, each of about one unit */
        start(rows[i].gen);
        EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
        uint32_t steps = 0;
        gpucmd_run run = GPUCMD_RUN_DONE;
        for (uint64_t units = 0; run == GPUCMD_RUN_DONE && cs.commands == 0; units = cs.units) {
            run = cs.units < 2 + rows[i].units ? gpucmd_i915_cs_step(&cs, &env) : GPUCMD_RUN_LIMIT;
            steps += cs.units != units;
        }
        EQUAL(run, GPUCMD_RUN_DONE);
        CHECK(4 * steps > 3 * rows[i].units);
        EQUAL(cs.units, 1 + rows[i].units);
    }
}

int main(void)
{
    costs();
    fills();
    copies();
    overlaps();
    tiles();
    modern_tiles();
    block_copies();
    tiles_of_64_kib();
    setup();
    setup_high();
    traced();
    too_many_words();
    from_right();
    outside();
    others();
    return test_report("i915_blt");
}

/* Pixels of render targets and 2D surfaces: clears of every format, conversions by blits, filters.
 * Expected words are typed from the definitions: IEEE 754 for floats of 32 and 16 bits,
 * EXT_packed_float for 11 and 10 bits, the curve of IEC 61966-2-1 for sRGB, and OpenGL 4.6, 2.3.5,
 * for normalised integers. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0x2000)
#define DST        (BASE + 0x4000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

enum { UNIT, MINUS, INTS };

/* Colours of clears: 1, 1/2, 1/4, 3/4; with -1/2; the integers 5, 6, 7, 2. */
static const uint32_t colors[3][4] = {
    {0x3f800000, 0x3f000000, 0x3e800000, 0x3f400000},
    {0x3f800000, 0xbf000000, 0x3e800000, 0x3f400000},
    {5,          6,          7,          2         },
};

/* clang-format off */
static const struct {
    uint32_t format, bytes, color, dw[4];
} clears[] = {
    {0xc0, 16, UNIT, {0x3f800000, 0x3f000000, 0x3e800000, 0x3f400000}}, /* RF32_GF32_BF32_AF32 */
    {0xc1, 16, INTS, {0x00000005, 0x00000006, 0x00000007, 0x00000002}}, /* RS32_GS32_BS32_AS32 */
    {0xc2, 16, INTS, {0x00000005, 0x00000006, 0x00000007, 0x00000002}}, /* RU32_GU32_BU32_AU32 */
    {0xc3, 16, UNIT, {0x3f800000, 0x3f000000, 0x3e800000, 0x3f400000}}, /* RF32_GF32_BF32_X32 */
    {0xc4, 16, INTS, {0x00000005, 0x00000006, 0x00000007, 0x00000002}}, /* RS32_GS32_BS32_X32 */
    {0xc5, 16, INTS, {0x00000005, 0x00000006, 0x00000007, 0x00000002}}, /* RU32_GU32_BU32_X32 */
    {0xc6,  8, UNIT, {0x8000ffff, 0xbfff4000}}, /* R16_G16_B16_A16 */
    {0xc7,  8, MINUS,{0xc0007fff, 0x5fff2000}}, /* RN16_GN16_BN16_AN16 */
    {0xc8,  8, INTS, {0x00060005, 0x00020007}}, /* RS16_GS16_BS16_AS16 */
    {0xc9,  8, INTS, {0x00060005, 0x00020007}}, /* RU16_GU16_BU16_AU16 */
    {0xca,  8, UNIT, {0x38003c00, 0x3a003400}}, /* RF16_GF16_BF16_AF16 */
    {0xcb,  8, UNIT, {0x3f800000, 0x3f000000}}, /* RF32_GF32 */
    {0xcc,  8, INTS, {0x00000005, 0x00000006}}, /* RS32_GS32 */
    {0xcd,  8, INTS, {0x00000005, 0x00000006}}, /* RU32_GU32 */
    {0xce,  8, UNIT, {0x38003c00, 0x3a003400}}, /* RF16_GF16_BF16_X16 */
    {0xcf,  4, UNIT, {0xbfff8040}}, /* A8R8G8B8 */
    {0xd0,  4, UNIT, {0xbfffbc89}}, /* A8RL8GL8BL8 */
    {0xd1,  4, UNIT, {0x900803ff}}, /* A2B10G10R10 */
    {0xd2,  4, INTS, {0x80701805}}, /* AU2BU10GU10RU10 */
    {0xd5,  4, UNIT, {0xbf4080ff}}, /* A8B8G8R8 */
    {0xd6,  4, UNIT, {0xbf89bcff}}, /* A8BL8GL8RL8 */
    {0xd7,  4, MINUS,{0x5f20c07f}}, /* AN8BN8GN8RN8 */
    {0xd8,  4, INTS, {0x02070605}}, /* AS8BS8GS8RS8 */
    {0xd9,  4, INTS, {0x02070605}}, /* AU8BU8GU8RU8 */
    {0xda,  4, UNIT, {0x8000ffff}}, /* R16_G16 */
    {0xdb,  4, MINUS,{0xc0007fff}}, /* RN16_GN16 */
    {0xdc,  4, INTS, {0x00060005}}, /* RS16_GS16 */
    {0xdd,  4, INTS, {0x00060005}}, /* RU16_GU16 */
    {0xde,  4, UNIT, {0x38003c00}}, /* RF16_GF16 */
    {0xdf,  4, UNIT, {0xbff80100}}, /* A2R10G10B10 */
    {0xe0,  4, UNIT, {0x681c03c0}}, /* BF10GF11RF11 */
    {0xe3,  4, INTS, {0x00000005}}, /* RS32 */
    {0xe4,  4, INTS, {0x00000005}}, /* RU32 */
    {0xe5,  4, UNIT, {0x3f800000}}, /* RF32 */
    {0xe6,  4, UNIT, {0xbfff8040}}, /* X8R8G8B8 */
    {0xe7,  4, UNIT, {0xbfffbc89}}, /* X8RL8GL8BL8 */
    {0xe8,  2, UNIT, {0xfc08}}, /* R5G6B5 */
    {0xe9,  2, UNIT, {0xfe08}}, /* A1R5G5B5 */
    {0xea,  2, UNIT, {0x80ff}}, /* G8R8 */
    {0xeb,  2, MINUS,{0xc07f}}, /* GN8RN8 */
    {0xec,  2, INTS, {0x0605}}, /* GS8RS8 */
    {0xed,  2, INTS, {0x0605}}, /* GU8RU8 */
    {0xee,  2, UNIT, {0xffff}}, /* R16 */
    {0xef,  2, MINUS,{0x7fff}}, /* RN16 */
    {0xf0,  2, INTS, {0x0005}}, /* RS16 */
    {0xf1,  2, INTS, {0x0005}}, /* RU16 */
    {0xf2,  2, UNIT, {0x3c00}}, /* RF16 */
    {0xf3,  1, UNIT, {0xff}}, /* R8 */
    {0xf4,  1, MINUS,{0x7f}}, /* RN8 */
    {0xf5,  1, INTS, {0x05}}, /* RS8 */
    {0xf6,  1, INTS, {0x05}}, /* RU8 */
    {0xf7,  1, UNIT, {0xbf}}, /* A8 */
    {0xf8,  2, UNIT, {0xfe08}}, /* X1R5G5B5 */
    {0xf9,  4, UNIT, {0xbf4080ff}}, /* X8B8G8R8 */
    {0xfa,  4, UNIT, {0xbf89bcff}}, /* X8BL8GL8RL8 */
};
/* clang-format on */

static void clear_formats(void)
{
#define FORMAT(...) +1
    EQUAL(sizeof clears / sizeof clears[0], 0 GPUCMD_NV_PIXEL_FORMATS(FORMAT));
    for (size_t i = 0; i < sizeof clears / sizeof clears[0]; i++) {
        const uint32_t *c = colors[clears[i].color];
        const uint32_t words = clears[i].bytes < 4 ? 1 : clears[i].bytes / 4;
        const uint32_t keep = clears[i].bytes < 4 ? 0xffffffffu << 8 * clears[i].bytes : 0;
        start(CHIP(GF100));
        memset(ram + (DST - BASE), 0x11, 64);
        GO(IDLE, 0x20010000, 0x9097, 0x20090200, 0, DST, 1, 1, clears[i].format, 0, 1, 0, 0,
           0x20040360, c[0], c[1], c[2], c[3], 0x200203fd, 1 << 16, 1 << 16, 0x20010674, 0x3c);
        for (uint32_t k = 0; k < words; k++) {
            if (!EQUAL(peek(DST + 4 * k), clears[i].dw[k] | (keep & 0x11111111))) {
                printf("    format %x, word %u\n", (unsigned)clears[i].format, (unsigned)k);
            }
        }
        EQUAL(peek(DST + 4 * words), 0x11111111);
    }
}

static void start_2d(void)
{
    start(CHIP(GF100));
    GO(IDLE, 0x20016000, 0x902d);
}

/* Blit of width x height pixels from linear surfaces at SRC to DST, pitch 64, both 4 pixels wide
 * and high. Sample mode, steps and start of the source are 16.16. */
static void blit(uint32_t from, uint32_t to, uint32_t mode, const uint32_t at[6])
{
    GO(IDLE, 0x20026080, to, 1, 0x20056085, 64, 4, 4, 0, DST, 0x2002608c, from, 1, 0x20056091, 64,
       4, 4, 0, SRC, 0x20016223, mode, 0x200c622c, 0, 0, at[0], at[1], at[2] << 16, at[2] >> 16,
       at[3] << 16, at[3] >> 16, at[4] << 16, at[4] >> 16, at[5] << 16, at[5] >> 16);
}

static const uint32_t one_pixel[6] = {1, 1, 0x10000, 0x10000, 0, 0};

/* The words a, b of one pixel become the words x, y. */
static void converts(uint32_t from, uint32_t a, uint32_t b, uint32_t to, uint32_t x, uint32_t y)
{
    start_2d();
    poke(SRC, a);
    poke(SRC + 4, b);
    blit(from, to, 0, one_pixel);
    if (!EQUAL(peek(DST), x) || !EQUAL(peek(DST + 4), y)) {
        printf("    %x to %x of %x %x\n", (unsigned)from, (unsigned)to, (unsigned)a, (unsigned)b);
    }
    EQUAL(got.count, 0);
}

static void float_conversions(void)
{
    converts(0xcb, 0x3f800000, 0xc0000000, 0xde, 0xc0003c00, 0); /* 1, -2 */
    converts(0xcb, 0x477fe000, 0x477ff000, 0xde, 0x7c007bff, 0); /* 65504; 65520: infinite */
    converts(0xcb, 0x33800000, 0x33000000, 0xde, 0x00000001, 0); /* 2^-24; 2^-25: a tie to 0 */
    converts(0xcb, 0x33000001, 0x387fc000, 0xde, 0x03ff0001, 0); /* more than 2^-25; subnormal */
    converts(0xcb, 0x3f801000, 0x3f803000, 0xde, 0x3c023c00, 0); /* ties to even */
    converts(0xcb, 0x7fc00000, 0xff800000, 0xde, 0xfc007e00, 0); /* no number; -infinite */
    converts(0xcb, 0x80000000, 0x7f7fffff, 0xde, 0x7c008000, 0); /* -0; the largest */
    converts(0xde, 0xc0003c00, 0, 0xcb, 0x3f800000, 0xc0000000);
    converts(0xde, 0x00017bff, 0, 0xcb, 0x477fe000, 0x33800000);
    converts(0xde, 0x80007c00, 0, 0xcb, 0x7f800000, 0x80000000);
    converts(0xde, 0x3555fc00, 0, 0xcb, 0xff800000, 0x3eaaa000); /* 0x3555 is 0.333251953125 */
    /* 11, 11, 10 bits: 1, 1/2, 1/4; too large; negative; infinite; no number */
    converts(0xca, 0x38003c00, 0x3c003400, 0xe0, 0x681c03c0, 0);
    converts(0xcb, 0x47800000, 0xbf800000, 0xe0, 0x000007bf, 0);
    converts(0xcb, 0x7f800000, 0x7fc00000, 0xe0, 0x003f07c0, 0);
    converts(0xe0, 0x681c03c0, 0, 0xca, 0x38003c00, 0x3c003400); /* alpha is 1 */
    converts(0xe0, 0x00020001, 0, 0xcb, 0x35800000, 0x38800000); /* 2^-20; 2^-14 */
}

static void normalized_conversions(void)
{
    /* 8 bits to 16: v * 257. 16 to 8: half up. */
    converts(0xd5, 0xff800100, 0, 0xc6, 0x01010000, 0xffff8080);
    converts(0xc6, 0x80807f7f, 0x00800081, 0xd5, 0x0001807f, 0);
    converts(0xc6, 0x80008080, 0x01820180, 0xd5, 0x02018080, 0);
    converts(0xd5, 0xff8040ff, 0, 0xe8, 0xfa10, 0); /* 255, 64 of 63, 128 of 31 */
    converts(0xe8, 0xfa10, 0, 0xd5, 0xff8441ff, 0); /* 31, 16 * 255 / 63 = 64.76, 131.6 */
    converts(0xd5, 0x7f8040ff, 0, 0xe9, 0x7d10, 0); /* alpha 127 / 255 is less than half */
    converts(0xd5, 0x808040ff, 0, 0xe9, 0xfd10, 0);
    converts(0xd1, 0x400ffc00, 0, 0xd5, 0x5500ff00, 0); /* alpha 1 of 3 is 85 */
    converts(0xd5, 0x00332211, 0, 0xd1, 0x0cd22044, 0); /* 17, 34, 51 of 1023 */
    converts(0xd5, 0x44332211, 0, 0xdf, 0x444220cd, 0);
    /* signed: -128 and -127 are -1; 1/2 is 64, -1/2 is -64; negative to unsigned is 0 */
    converts(0xd7, 0x7f008180, 0, 0xcb, 0xbf800000, 0xbf800000);
    converts(0xd7, 0x7f008180, 0, 0xc7, 0x80018001, 0x7fff0000);
    converts(0xd7, 0x40c08140, 0, 0xd5, 0x81000081, 0);
    converts(0xca, 0xb8003800, 0xbc003c00, 0xd7, 0x817fc040, 0);
    converts(0xca, 0xc0004000, 0xfc007e00, 0xd7, 0x8100817f, 0); /* 2, -2; no number; -infinite */
    converts(0xca, 0x4000b800, 0xfc007e00, 0xd5, 0x0000ff00, 0);
    /* floats to 8 bits: 1/2 is 127.5, which is 128; 0.5 / 255 is 1 */
    converts(0xcb, 0x3f000000, 0x3b008081, 0xea, 0x0180, 0);
    converts(0xcb, 0x3effffff, 0x3b008080, 0xea, 0x007f, 0);
    converts(0xd5, 0x01ff0080, 0, 0xca, 0x00003804, 0x1c043c00);
}

static void srgb_conversions(void)
{
    converts(0xc6, 0x40008000, 0xc000ffff, 0xd6, 0xbfff89bc, 0); /* 1/2, 1/4, 1; alpha linear */
    converts(0xca, 0x1a1a0000, 0x3c00187f, 0xd6, 0xff070a00, 0); /* 0.0029786, 0.0021954 */
    converts(0xd6, 0x800b0a01, 0, 0xc6, 0x00c70014, 0x808000db);
    converts(0xd6, 0x40bc8040, 0, 0xc6, 0x37420d20, 0x404080bd);
    converts(0xd6, 0xff00fffe, 0, 0xc6, 0xfffffdb8, 0xffff0000);
    converts(0xd6, 0xffbc800a, 0, 0xca, 0x32e81a37, 0x3c003806);
    converts(0xd0, 0xff0a80bc, 0, 0xca, 0x32e81a37, 0x3c003806);
    converts(0xd6, 0x12345678, 0, 0xd0, 0x12785634, 0); /* there and back */
    /* the curve, computed with 60 digits and rounded to 24 bits; 88 is 0.0149 over a float */
    converts(0xd6, 0x00000a58, 0, 0xcb, 0x3dc7dbe0, 0x3b46eb61);
    converts(0xd6, 0x0000ff01, 0, 0xcb, 0x399f22b4, 0x3f800000);
    for (uint32_t i = 0; i < 256; i++) {
        converts(0xfa, 0x00010101 * i, 0, 0xe7, 0xff000000 | 0x00010101 * i, 0);
    }
}

/* Components that the source lacks: green and blue are red if there is only red; alpha is 1. */
static void absent_components(void)
{
    converts(0xf3, 0x80, 0, 0xd5, 0xff808080, 0);
    converts(0xf7, 0x80, 0, 0xd5, 0x80000000, 0);
    converts(0xea, 0x4080, 0, 0xd5, 0xff004080, 0);
    converts(0xf9, 0x11223344, 0, 0xcf, 0xff443322, 0);
    converts(0xd5, 0x11223344, 0, 0xf9, 0x11223344, 0); /* what X stores is read as 1 */
    converts(0xd5, 0x11223344, 0, 0xf7, 0x11, 0);
}

/* Words of the sources: rows of 4 pixels. */
static void resolves(uint32_t format, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t want)
{
    static const uint32_t at[6] = {1, 1, 0x20000, 0x20000, 0x10000, 0x10000};
    start_2d();
    poke(SRC, a);
    poke(SRC + 4, b);
    poke(SRC + 64, c);
    poke(SRC + 68, d);
    blit(format, format, 0x11, at);
    EQUAL(peek(DST), want);
    EQUAL(got.count, 0);
}

/* The mean of four samples: between four pixels, measured from the corner. */
static void resolve_formats(void)
{
    resolves(0xd5, 0x00ff0000, 0x01ff00ff, 0x00ff01ff, 0x01ff0101, 0x01ff0180);
    resolves(0xd7, 0x817f0001, 0x817f0002, 0x81810002, 0x81810001, 0x81000002);
    resolves(0xde, 0x3c003c00, 0xbc004000, 0x00004200, 0x00004400, 0x00004100); /* 1 to 4 */
    resolves(0xde, 0x7c007c00, 0x3c003c00, 0xfc003c00, 0x3c003c00, 0x7e007c00); /* infinite */
    resolves(0xde, 0x3c00fc00, 0x3c003c00, 0xfc003c00, 0xfc00fc00, 0xfc00fc00); /* -infinite */
    resolves(0xde, 0x3c003c00, 0x3c007e00, 0x7e003c00, 0x3c003c00, 0x7e007e00); /* no number */
    resolves(0xde, 0x00003c00, 0x0000c200, 0x00003c00, 0x0000c200, 0x0000bc00); /* 1, -3: -1 */
    resolves(0xe5, 0x3f800000, 0x3f800000, 0x3f800000, 0x40a00000, 0x40000000);
    resolves(0xe5, 0x3f800000, 0xbf800000, 0xbf800000, 0x3f800000, 0x00000000);
    resolves(0xe5, 0x71800000, 0x3f800000, 0x71800000, 0x3f800000, 0x71000000); /* 2^100, 1 */
    resolves(0xd6, 0x00000000, 0xffffffff, 0xffffffff, 0x00000000, 0x80bcbcbc); /* linear mean */
    resolves(0xe0, 0x000003c0, 0x00000380, 0x00000400, 0x00000380, 0x000003c0); /* 1 */
    /* two samples: half a pixel only in x */
    static const uint32_t two[6] = {1, 1, 0x20000, 0x10000, 0x10000, 0x8000};
    start_2d();
    poke(SRC, 0x10);
    poke(SRC + 4, 0x21);
    poke(SRC + 64, 0xff);
    blit(0xd5, 0xd5, 0x11, two);
    EQUAL(peek(DST), 0x19); /* 24.5 */
    /* infinite, of weight 1 / 256, and -65504 */
    static const uint32_t near_first[6] = {1, 1, 0x10000, 0x10000, 0x8100, 0x8000};
    start_2d();
    poke(SRC, 0x0000fbff);
    poke(SRC + 4, 0x00007c00);
    blit(0xde, 0xde, 0x11, near_first);
    EQUAL(peek(DST), 0x00007c00);
    /* samples without weight do not count: one that is no number, one that is infinite */
    start_2d();
    poke(SRC, 0x3c003c00);
    poke(SRC + 4, 0x3c003c00);
    poke(SRC + 64, 0x7c007e00);
    blit(0xde, 0xde, 0x11, two);
    EQUAL(peek(DST), 0x3c003c00);
    /* the mean of sRGB 30 and 174, of 31 and 227, to 24 bits [60 digits] */
    start_2d();
    poke(SRC, 0x1f1e);
    poke(SRC + 4, 0xe3ae);
    blit(0xd6, 0xcb, 0x11, two);
    EQUAL(peek(DST), 0x3e5f5c41);
    EQUAL(peek(DST + 4), 0x3ec82789);
    /* whole steps from half a pixel: a filter, though neither size nor format changes */
    static const uint32_t between[6] = {1, 1, 0x10000, 0x10000, 0x10000, 0x8000};
    start_2d();
    poke(SRC, 0x10);
    poke(SRC + 4, 0x21);
    blit(0xd5, 0xd5, 0x11, between);
    EQUAL(peek(DST), 0x19); /* 24.5 */
    EQUAL(got.count, 0);
    /* half steps, measured from the centre; the last position is the edge */
    static const uint32_t wide[6] = {4, 1, 0x8000, 0x10000, 0x20000, 0};
    start_2d();
    poke(SRC + 8, 0x10);
    poke(SRC + 12, 0x20);
    blit(0xd5, 0xcf, 0x10, wide);
    EQUAL(peek(DST), 0x00100000);
    EQUAL(peek(DST + 4), 0x00180000);
    EQUAL(peek(DST + 8), 0x00200000);
    EQUAL(peek(DST + 12), 0x00200000);
    /* integers have no mean */
    for (uint32_t format = 0xd8; format < 0xda; format++) {
        start_2d();
        got.last.addr = 0;
        blit(format, format, 0x11, two);
        EQUAL(got.last.addr, 0x8dc);
    }
    /* but where each sample is one pixel, there is nothing to blend: whole steps from a centre */
    static const uint32_t centres[6] = {2, 1, 0x10000, 0x10000, 0x18000, 0x8000};
    for (uint32_t corner = 0; corner < 2; corner++) {
        start_2d();
        poke(SRC, 0x80ff7f01);
        poke(SRC + 4, 0x03fe8102);
        blit(0xd8, 0xd8, 0x10 + corner, corner != 0 ? centres : one_pixel);
        EQUAL(peek(DST), corner != 0 ? 0x03fe8102 : 0x80ff7f01);
        EQUAL(got.count, 0);
    }
}

static void operations(void)
{
    /* ROP 0xca with a pattern of one colour: its bits select the source */
    start_2d();
    poke(SRC, 0x12345678);
    poke(DST, 0xfedcba98);
    GO(IDLE, 0x200160a8, 0xca, 0x200160ab, 4, 0x200660ba, 2, 0, 0, 0x00ffff0f, ~0u, ~0u);
    blit(0xcf, 0xcf, 0, one_pixel);
    EQUAL(peek(DST), 0xfe345698);
    EQUAL(got.count, 0);
    /* with a filter that has nothing to blend; bits cannot be blended */
    poke(DST, 0xfedcba98);
    blit(0xcf, 0xcf, 0x10, one_pixel);
    EQUAL(peek(DST), 0xfe345698);
    EQUAL(got.count, 0);
    static const uint32_t between[6] = {1, 1, 0x10000, 0x10000, 0x8000, 0};
    blit(0xcf, 0xcf, 0x10, between);
    EQUAL(got.last.addr, 0x8dc);
    EQUAL(peek(DST), 0xfe345698);
    got.last.addr = 0;
    GO(IDLE, 0x200160bf, 0x7fffffff); /* a pattern of two colours */
    blit(0xcf, 0xcf, 0, one_pixel);
    EQUAL(got.last.addr, 0x8dc);
    EQUAL(peek(DST), 0xfe345698);
    /* SRCCOPY_PREMULT: only red and alpha; other factors go to the callback */
    start(CHIP(G80));
    poke(SRC, 0x80);
    GO(IDLE, 0x00048000, 0xcafe502d, 0x000882a8, 0xffff0000, 5, 0x00088200, 0xd5, 1, 0x00148214, 64,
       4, 4, 0, DST, 0x00088230, 0xf3, 1, 0x00148244, 64, 4, 4, 0, SRC, 0x003088b0, 0, 0, 1, 1, 0,
       1, 0, 1, 0, 0, 0, 0);
    EQUAL(peek(DST), 0xff000080);
    EQUAL(got.count, 0);
    GO(IDLE, 0x000482a8, 0xff800000, 0x003088b0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0);
    EQUAL(got.last.addr, 0x8dc);
}

int main(void)
{
    clear_formats();
    float_conversions();
    normalized_conversions();
    srgb_conversions();
    absent_components();
    resolve_formats();
    operations();
    return test_report("nv_pixels");
}

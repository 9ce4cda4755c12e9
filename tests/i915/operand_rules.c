/* Rules of operands: for each a command that breaks it, the nearest that does not, and the boundary.
 * Widths of tiles: X 512 bytes, Y and 4 128 bytes, 64 by the depth: 256, 512 or 1024 bytes. Pitches of
 * tiled surfaces are in words. */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, B = 4, NONE = 100 };

static unsigned rule, count;
static gpucmd_i915_finding last;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    rule = (unsigned)f->rule;
    last = *f;
    count++;
    return GPUCMD_OK;
}

typedef struct row {
    int since, until, engine;
    unsigned rule; /* the only finding, or NONE */
    uint32_t at;   /* number of its word */
    uint64_t value, good;
    uint32_t words[22];
} row;

#define RULE(name) GPUCMD_I915_RULE_##name

/* clang-format off */
#define COLOR(dw0, br13, xy2, dst)      {0x54300004 | (dw0), br13, 0, xy2, dst, 0}
#define COPY(dw0, br13, xy2, dst, sp, src) {0x54f00006 | (dw0), br13, 0, xy2, dst, 0, sp, src}
#define COPY8(dw0, br13, xy2, dst, sp, src) {0x54f00008 | (dw0), br13, 0, xy2, dst, 0, 0, sp, src, 0}
#define FAST(dw0, dw1, xy2, dst, sp, src) {0x50800008 | (dw0), dw1, 0, xy2, dst, 0, 0, sp, src, 0}
#define BLOCK(d, xy2, dst, s, src)      {0x50500014, d, 0, xy2, dst, 0, 0, 0, s, src, 0, 0}
#define BLOCK12(d, xy2, dst, s, src)    {0x5050000a, d, 0, xy2, dst, 0, 0, 0, s, src, 0, 0}
#define DEEP(depth, d, xy2, dst, s, src) {0x50400014 | (depth) << 19, d, 0, xy2, dst, 0, 0, 0, s, src, 0, 0}
#define FILL(depth, d, xy2, dst)        {0x5100000e | (depth) << 19, d, 0, xy2, dst}
#define ONE 0x00010001u
static const row rows[] = {
    /* XY_COLOR_BLT. Linear: a multiple of 4 bytes. X: of 128 words */
    {40, 75, 0, NONE, 0, 0, 0, COLOR(0, 0x03f00200, ONE, 0x100000)},
    {40, 75, 0, NONE, 0, 0, 0, COLOR(0, 0x03f00004, ONE, 0x100000)},
    {40, 75, 0, RULE(PITCH_LINEAR), 1, 0x202, 0x204, COLOR(0, 0x03f00202, ONE, 0x100000)},
    {40, 75, 0, NONE, 0, 0, 0, COLOR(0x800, 0x03f00080, ONE, 0x100000)},
    {40, 75, 0, RULE(PITCH_TILE), 1, 0x81, 0x100, COLOR(0x800, 0x03f00081, ONE, 0x100000)},
    {40, 75, 0, RULE(PITCH_TILE), 1, 0x60, 0x80, COLOR(0x800, 0x03f00060, ONE, 0x100000)},
    {40, 75, 0, RULE(BASE_TILE), 4, 0x100040, 0x100000, COLOR(0x800, 0x03f00080, ONE, 0x100040)},
    {40, 75, 0, NONE, 0, 0, 0, COLOR(0, 0x03f00080, ONE, 0x100004)},
    {40, 75, 0, RULE(RECTANGLE), 3, 0, ONE, COLOR(0, 0x03f00200, 0, 0x100000)},
    {40, 75, 0, RULE(RECTANGLE), 3, 0x00100000, 0x00100001, COLOR(0, 0x03f00200, 0x00100000, 0x100000)},
    {40, 75, 0, RULE(RECTANGLE), 3, 0x0010ffff, 0x00100001, COLOR(0, 0x03f00200, 0x0010ffff, 0x100000)},
    /* XY_SRC_COPY_BLT: pitch and address of the source */
    {40, 75, 0, NONE, 0, 0, 0, COPY(0x8800, 0x03cc0080, ONE, 0x100000, 0x80, 0x200000)},
    {40, 75, 0, RULE(PITCH_TILE), 6, 0x64, 0x80, COPY(0x8000, 0x03cc0200, ONE, 0x100000, 0x64, 0x200000)},
    {40, 75, 0, NONE, 0, 0, 0, COPY(0, 0x03cc0200, ONE, 0x100000, 0x64, 0x200000)},
    {40, 75, 0, RULE(BASE_TILE), 7, 0x200080, 0x200000, COPY(0x8000, 0x03cc0200, ONE, 0x100000, 0x80, 0x200080)},
    {40, 75, 0, RULE(PITCH_TILE), 1, 0x1a0, 0x200, COPY(0x800, 0x03cc01a0, ONE, 0x100000, 0x80, 0x200000)},
    {80, 120, B, NONE, 0, 0, 0, COPY8(0x8800, 0x03cc0080, ONE, 0x100000, 0x80, 0x200000)},
    {80, 120, B, RULE(PITCH_TILE), 7, 0x64, 0x80, COPY8(0x8000, 0x03cc0200, ONE, 0x100000, 0x64, 0x200000)},
    {80, 120, B, RULE(BASE_TILE), 8, 0x200080, 0x200000, COPY8(0x8000, 0x03cc0200, ONE, 0x100000, 0x80, 0x200080)},
    /* XY_FAST_COPY_BLT: tiling 14:13 and 21:20, 1 X, 2 Y. Linear: 16 bytes, addresses 64 */
    {90, 300, B, NONE, 0, 0, 0, FAST(0, 0x03001000, ONE, 0x100000, 0x1000, 0x200000)},
    {90, 300, B, NONE, 0, 0, 0, FAST(0, 0x03000010, ONE, 0x100040, 0x10, 0x2000c0)},
    {90, 300, B, RULE(PITCH_LINEAR), 1, 0x18, 0x20, FAST(0, 0x03000018, ONE, 0x100000, 0x10, 0x200000)},
    {90, 300, B, RULE(PITCH_LINEAR), 7, 0x104, 0x110, FAST(0, 0x03000010, ONE, 0x100000, 0x104, 0x200000)},
    {90, 300, B, RULE(BASE_LINEAR), 4, 0x100020, 0x100000, FAST(0, 0x03000010, ONE, 0x100020, 0x100, 0x200000)},
    {90, 300, B, RULE(PITCH_TILE), 1, 0x64, 0x80, FAST(0x2000, 0x03000064, ONE, 0x100000, 0x100, 0x200000)},
    {90, 300, B, NONE, 0, 0, 0, FAST(0x2000, 0x03000080, ONE, 0x100000, 0x100, 0x200000)},
    {90, 300, B, RULE(PITCH_TILE), 7, 0x64, 0x80, FAST(0x00100000, 0x03000100, ONE, 0x100000, 0x64, 0x200000)},
    {90, 300, B, NONE, 0, 0, 0, FAST(0x00204000, 0x03000020, ONE, 0x100000, 0x60, 0x200000)},
    {90, 300, B, RULE(PITCH_TILE), 1, 0x30, 0x40, FAST(0x4000, 0x03000030, ONE, 0x100000, 0x60, 0x200000)},
    {90, 300, B, RULE(BASE_TILE), 8, 0x200800, 0x200000, FAST(0x00200000, 0x03000100, ONE, 0x100000, 0x60, 0x200800)},
    /* tiling 3 of XY_FAST_COPY_BLT: no source has the width of its tiles; the address is that of a page */
    {90, 300, B, NONE, 0, 0, 0, FAST(0x00306000, 0x03000024, ONE, 0x101000, 0x24, 0x202000)},
    {90, 300, B, RULE(BASE_TILE), 4, 0x100800, 0x100000, FAST(0x00306000, 0x03000024, ONE, 0x100800, 0x24, 0x202000)},
    {90, 300, B, RULE(RECTANGLE), 3, 0x00010000, 0x00010001, FAST(0, 0x03000010, 0x00010000, 0x100000, 0x10, 0x200000)},
    /* XY_BLOCK_COPY_BLT: pitch minus 1. gen12.5: 1 X, 2 tile 4, 3 tile 64; gen12: 1 Y */
    {125, 300, B, NONE, 0, 0, 0, BLOCK(0x4000007f, ONE, 0x100000, 0x8000001f, 0x200000)},
    {125, 300, B, RULE(PITCH_TILE), 1, 0x80, 0xff, BLOCK(0x40000080, ONE, 0x100000, 0x8000001f, 0x200000)},
    {125, 300, B, RULE(PITCH_TILE), 8, 0x20, 0x3f, BLOCK(0x4000007f, ONE, 0x100000, 0x80000020, 0x200000)},
    {125, 300, B, NONE, 0, 0, 0, BLOCK(0x00000012, ONE, 0x100001, 0x00000063, 0x200003)},
    {125, 300, B, RULE(BASE_TILE), 9, 0x200200, 0x200000, BLOCK(0x4000007f, ONE, 0x100000, 0x8000001f, 0x200200)},
    {125, 300, B, RULE(RECTANGLE), 3, 1, ONE, BLOCK(0x4000007f, 1, 0x100000, 0x8000001f, 0x200000)},
    {120, 120, B, NONE, 0, 0, 0, BLOCK12(0x4000001f, ONE, 0x100000, 0x4000003f, 0x200000)},
    {120, 120, B, RULE(PITCH_TILE), 1, 0x20, 0x3f, BLOCK12(0x40000020, ONE, 0x100000, 0x4000003f, 0x200000)},
    /* Tile 64 by DEPTH: 0 256 bytes, 1 and 2 512, 3 and 5 1024; addresses 64 KiB. 4, 96 bits: none */
    {125, 350, B, NONE, 0, 0, 0, DEEP(0, 0xc000003f, ONE, 0x110000, 0x00000063, 0x200001)},
    {125, 350, B, RULE(PITCH_TILE), 1, 0x5f, 0x7f, DEEP(0, 0xc000005f, ONE, 0x110000, 0x00000063, 0x200001)},
    {125, 350, B, NONE, 0, 0, 0, DEEP(1, 0x00000012, ONE, 0x100001, 0xc000007f, 0x210000)},
    {125, 350, B, RULE(PITCH_TILE), 8, 0x3f, 0x7f, DEEP(1, 0x00000012, ONE, 0x100001, 0xc000003f, 0x210000)},
    {125, 350, B, NONE, 0, 0, 0, DEEP(2, 0xc000007f, ONE, 0x110000, 0xc00000ff, 0x210000)},
    {125, 350, B, RULE(PITCH_TILE), 1, 0x80, 0xff, DEEP(2, 0xc0000080, ONE, 0x110000, 0xc00000ff, 0x210000)},
    {125, 350, B, NONE, 0, 0, 0, DEEP(3, 0xc00000ff, ONE, 0x110000, 0xc00001ff, 0x210000)},
    {125, 350, B, RULE(PITCH_TILE), 8, 0x7f, 0xff, DEEP(3, 0xc00000ff, ONE, 0x110000, 0xc000007f, 0x210000)},
    {125, 350, B, NONE, 0, 0, 0, DEEP(5, 0xc00000ff, ONE, 0x110000, 0xc00001ff, 0x210000)},
    {125, 350, B, RULE(PITCH_TILE), 1, 0x17f, 0x1ff, DEEP(5, 0xc000017f, ONE, 0x110000, 0xc00001ff, 0x210000)},
    {125, 350, B, RULE(BASE_TILE), 4, 0x111000, 0x110000, DEEP(0, 0xc000003f, ONE, 0x111000, 0x00000063, 0x200001)},
    {125, 350, B, RULE(BASE_TILE), 9, 0x218000, 0x210000, DEEP(2, 0xc000007f, ONE, 0x110000, 0xc00000ff, 0x218000)},
    {125, 350, B, RULE(BASE_TILE), 9, 0x210010, 0x210000, DEEP(5, 0xc00000ff, ONE, 0x110000, 0xc00001ff, 0x210010)},
    {125, 350, B, NONE, 0, 0, 0, DEEP(4, 0xc0000012, ONE, 0x111000, 0x00000063, 0x200000)},
    {125, 350, B, NONE, 0, 0, 0, FILL(3, 0xc00000ff, ONE, 0x110000)},
    {125, 350, B, RULE(PITCH_TILE), 1, 0x7f, 0xff, FILL(3, 0xc000007f, ONE, 0x110000)},
    {125, 350, B, RULE(BASE_TILE), 4, 0x108000, 0x100000, FILL(0, 0xc000003f, ONE, 0x108000)},
    /* rows and bytes */
    {40, 75, 0, NONE, 0, 0, 0, {0x50300003, 0x03f00200, ONE, 0x100000, 0}},
    {40, 75, 0, RULE(RECTANGLE), 2, 0x00010000, ONE, {0x50300003, 0x03f00200, 0x00010000, 0x100000, 0}},
    /* addresses of 64 bits; MI_ATOMIC with data in the command */
    {80, 300, R, NONE, 0, 0, 0, {0x10200003, 0x200008, 0, 1, 2}},
    {80, 300, R, RULE(QWORD_ALIGN), 1, 0x200004, 0x200000, {0x10200003, 0x200004, 0, 1, 2}},
    {80, 300, R, NONE, 0, 0, 0, {0x10000002, 0x200004, 0, 1}},
    {80, 300, R, NONE, 0, 0, 0, {0x17840409, 0x200004, 0, 5, 0, 0, 0, 0, 0, 0, 0}},
    {80, 300, R, NONE, 0, 0, 0, {0x178c2405, 0x200008, 0, 5, 0, 0, 0}},
    {80, 300, R, RULE(INLINE_DATA), 0, 0x178c2404, 0x178c2409, {0x178c2404, 0x200008, 0, 5, 0, 0}},
    {80, 300, R, RULE(INLINE_DATA), 0, 0x17840401, 0x17840409, {0x17840401, 0x200008, 0}},
    {80, 300, R, RULE(INLINE_DATA), 0, 0x17800409, 0x17800401, {0x17800409, 0x200008, 0, 5, 0, 0, 0, 0, 0, 0, 0}},
    {80, 300, R, NONE, 0, 0, 0, {0x17800401, 0x200008, 0}},
    {80, 300, R, RULE(QWORD_ALIGN), 1, 0x200004, 0x200000, {0x178c2409, 0x200004, 0, 5, 0, 0, 0, 0, 0, 0, 0}},
    /* canonical: zeros, or as bit 47 */
    {80, 300, R, NONE, 0, 0, 0, {0x10000002, 0x200000, 0x0000ffff, 1}},
    {80, 300, R, NONE, 0, 0, 0, {0x10000002, 0x200000, 0xffff8000, 1}},
    {80, 300, R, RULE(CANONICAL), 2, 0xffff7fff, 0x00007fff, {0x10000002, 0x200000, 0xffff7fff, 1}},
    {80, 300, R, RULE(CANONICAL), 2, 0x00018000, 0xffff8000, {0x10000002, 0x200000, 0x00018000, 1}},
    {80, 300, R, RULE(CANONICAL), 2, 0x00200000, 0, {0x10000002, 0, 0x00200000, 0x1234}},
    {80, 300, R, NONE, 0, 0, 0, {0x10000002, 0x200000, 0, 0x12345678}}, /* data */
    {80, 300, R, RULE(CANONICAL), 3, 0x12345678, 0x00005678, {0x7a000004, 0x00104000, 0x200000, 0x12345678, 0, 0}},
    {80, 300, R, NONE, 0, 0, 0, {0x7a000004, 0x00104000, 0x200000, 0, 0x12345678, 0x9abcdef0}},
    {60, 75, R, NONE, 0, 0, 0, {0x10000002, 0, 0x200000, 0x1234}},
    /* bit 7 of a start: an address of the table, not of memory. [K] gen4_emit_bb_start */
    {40, 50, R, NONE, 0, 0, 0, {0x18800180, 0x100000}},
    {40, 50, R, RULE(PHYSICAL), 0, 0x18800100, 0x18800180, {0x18800100, 0x100000}},
    {20, 30, R, NONE, 0, 0, 0, {0x18800080, 0x100001}},
    {20, 30, R, RULE(PHYSICAL), 0, 0x18800000, 0x18800080, {0x18800000, 0x100001}},
    {60, 75, R, NONE, 0, 0, 0, {0x18800100, 0x100000}},
};
/* clang-format on */

static const int gens[] = {20, 30,  40,  45,  50,  60,  70,  75, 80,
                           90, 110, 120, 125, 127, 200, 300, 350};

static void check(const row *r, int gen, bool ring)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    const gpucmd_i915_engine engine =
        r->engine != 0 ? (gpucmd_i915_engine)r->engine : (gpucmd_i915_engine)(gen < 60 ? R : B);
    uint32_t words[24] = {0};
    uint32_t n;
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.ring = ring;
    options.found = on_finding;
    rule = NONE;
    count = 0;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, engine), GPUCMD_OK);
    memcpy(words, r->words, sizeof r->words);
    n = gpucmd_i915_length_dw(&cmdset, words, 22);
    if (r->words[0] >> 23 != 0x31) { /* a start ends the batch itself */
        words[n] = ring ? 0 : 0x05000000;
        n++;
    }
    n += n & 1;
    EQUAL(gpucmd_i915_check(&cmdset, words, n, &options, NULL), GPUCMD_OK);
}

static void operands(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
            if (gens[g] < r->since || gens[g] > r->until) {
                continue;
            }
            check(r, gens[g], false);
            bool good = EQUAL(rule, r->rule);
            good = EQUAL(count, r->rule != NONE) && good;
            if (count != 0 && r->rule != NONE) {
                good = EQUAL(last.value, r->value) && good;
                good = EQUAL(last.good, r->good) && good;
                good = EQUAL(last.at_bytes, 4 * r->at) && good;
                good = CHECK(last.operand != NULL) && good;
            }
            if (!good) {
                printf("    row %u on gen %d: %08x %s\n", (unsigned)i, gens[g],
                       (unsigned)r->words[0], count != 0 ? last.name : "-");
            }
            check(r, gens[g], true); /* Linux writes addresses into rings as they are */
            EQUAL(rule, r->rule == RULE(CANONICAL) ? NONE : r->rule);
        }
    }
}

/* A command after two of the same first word: the checker knows them by then. */
static void repeated(void)
{
    static const row good = {0, 0, 0, 0,
                             0, 0, 0, DEEP(3, 0xc00000ff, ONE, 0x110000, 0xc00001ff, 0x210000)};
    static const struct {
        uint32_t at, word;
        unsigned rule;
    } bad[] = {
        {1, 0xc000013f, RULE(PITCH_TILE)},
        {8, 0xc00000bf, RULE(PITCH_TILE)},
        {4, 0x00111000, RULE(BASE_TILE) },
        {9, 0x00218000, RULE(BASE_TILE) },
        {8, 0xc00002ff, NONE            },
        {1, 0x8000001f, NONE            }, /* tile 4 */
        {1, 0x8000000f, RULE(PITCH_TILE)},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gpucmd_i915_check_options options;
        gpucmd_i915_cmdset cmdset;
        uint32_t words[68] = {0};
        for (size_t n = 0; n < 3; n++) {
            memcpy(words + 22 * n, good.words, sizeof good.words);
        }
        words[44 + bad[i].at] = bad[i].word;
        words[66] = 0x05000000;
        memset(&options, 0, sizeof options);
        options.secure = true;
        options.found = on_finding;
        rule = NONE;
        count = 0;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN30, GPUCMD_I915_BCS), GPUCMD_OK);
        EQUAL(gpucmd_i915_check(&cmdset, words, 68, &options, NULL), GPUCMD_OK);
        EQUAL(rule, bad[i].rule);
        EQUAL(count, bad[i].rule != NONE);
        if (count != 0) {
            EQUAL(last.at_bytes, 4 * (44 + bad[i].at));
        }
    }
}

/* After a write of BCS_SWCTRL, tiles of old commands are Y: 32 words are a width. */
static void y_tiles(void)
{
    static const uint32_t words[] = {0x11000001, 0x22200, 0x00010001, 0x54300804, 0x03f00020,
                                     0,          ONE,     0x100000,   0,          0x05000000};
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    count = 0;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN7, GPUCMD_I915_BCS), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, 10, &options, NULL), GPUCMD_OK);
    EQUAL(count, 0);
    options.va = 12;
    EQUAL(gpucmd_i915_check(&cmdset, words + 3, 7, &options, NULL), GPUCMD_OK);
    EQUAL(rule, RULE(PITCH_TILE));
    CHECK(strcmp(last.unit, "words of 4 bytes") == 0);
    EQUAL(last.step, 128);
}

/* The line of a finding names the operand, its value and one that would do. */
static void line(void)
{
    static const uint32_t words[] = {0x10400002, 0, 0x00200000, 0x1234, 0x05000000, 0};
    char text[400];
    gpucmd_text t;
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    options.secure = true;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, 6, &options, NULL), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_finding(&t, &last);
    if (!CHECK(strcmp(text,
                      "0x8: error: CANONICAL: bits 63:48 of an address are neither 0 nor equal to "
                      "bit 47: 0x200000 in the upper half of an address; 0x0 would do; looks like "
                      "MI_STORE_DATA_IMM (0x10400002) in the form of gen7, with an address of one "
                      "word") == 0)) {
        printf("    %s\n", text);
    }
}

/* Unit and step of a pitch. */
static void pitch_line(void)
{
    char text[400];
    gpucmd_text t;
    const row r = {125, 125, B, 0, 0, 0, 0, BLOCK(0x40000080, ONE, 0x100000, 0x8000001f, 0x200000)};
    check(&r, 125, false);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_finding(&t, &last);
    if (!CHECK(strcmp(text,
                      "0x4: error: PITCH_TILE: pitch of a tiled surface is no multiple of the "
                      "tile's width: 0x80 in DST_PITCH (words of 4 bytes, minus 1, multiple of "
                      "128); 0xff would do") == 0)) {
        printf("    %s\n", text);
    }
}

int main(void)
{
    pitch_line();
    operands();
    repeated();
    y_tiles();
    line();
    return test_report("i915_operand_rules");
}

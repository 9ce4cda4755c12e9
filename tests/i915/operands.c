/* The operands of the 2D commands, one after the other: at its limit, past it, and in a command
 * that does not use it. The bits of each word are typed from the sources of i915/fields.c. */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n) GPUCMD_I915_GEN##n
enum { ALIGN = GPUCMD_ALIGN, RANGE = GPUCMD_RANGE };

/* clang-format off */
/* Members that a command uses: f flags, b br13, r rows and width_bytes, 1 x1 and y1, 2 x2 and y2,
 * d dst_va, p src_x and src_y, q src_pitch, s src_va, a pattern_va, n data_dw. low, high: the first
 * and last generation of the test. dst, src, pattern: highest bit below the alignment of that
 * address; 0: any address. br13: bits that DW1 may have in low, and in high. */
static const struct {
    int op, low, high;
    const char *uses;
    uint32_t dst, src, pattern, br13[2];
} rows[] = {
#define OLD(name, uses, src, pattern)                                                              \
    {GPUCMD_I915_OP_##name, G(2), G(12_5), uses, 2, src, pattern, {0xf3ffffff, 0xf3ffffff}},
    OLD(XY_SETUP_BLT, "fb12da", 0, 2)
    OLD(XY_SETUP_CLIP_BLT, "f12", 0, 0)
    OLD(XY_SETUP_MONO_PATTERN_SL_BLT, "fb12d", 0, 0)
    OLD(XY_PIXEL_BLT, "f1", 0, 0)
    OLD(XY_SCANLINES_BLT, "f12", 0, 0)
    OLD(XY_TEXT_BLT, "f12s", 0, 0)
    OLD(XY_TEXT_IMMEDIATE_BLT, "f12n", 0, 0)
    OLD(XY_COLOR_BLT, "fb12d", 0, 0)
    OLD(XY_PAT_BLT, "fb12da", 0, 0x20)
    OLD(XY_MONO_PAT_BLT, "fb12d", 0, 0)
    OLD(XY_SRC_COPY_BLT, "fb12dpqs", 2, 0)
    OLD(XY_MONO_SRC_COPY_BLT, "fb12ds", 1, 0)
    OLD(XY_FULL_BLT, "fb12dpqsa", 2, 0x20)
    OLD(XY_FULL_MONO_SRC_BLT, "fb12dsa", 1, 0x20)
    OLD(XY_FULL_MONO_PATTERN_BLT, "fb12dpqs", 2, 0)
    OLD(XY_FULL_MONO_PATTERN_MONO_SRC_BLT, "fb12ds", 1, 0)
    OLD(XY_MONO_PAT_FIXED_BLT, "fb12d", 0, 0)
    OLD(XY_MONO_SRC_COPY_IMMEDIATE_BLT, "fb12dn", 0, 0)
    OLD(XY_PAT_BLT_IMMEDIATE, "fb12dn", 0, 0)
    OLD(XY_SRC_COPY_CHROMA_BLT, "fb12dpqs", 2, 0)
    OLD(XY_FULL_IMMEDIATE_PATTERN_BLT, "fb12dpqsn", 2, 0)
    OLD(XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT, "fb12dsn", 1, 0)
    OLD(XY_PAT_CHROMA_BLT, "fb12da", 0, 0x20)
    OLD(XY_PAT_CHROMA_BLT_IMMEDIATE, "fb12dn", 0, 0)
    {GPUCMD_I915_OP_COLOR_BLT, G(2), G(12_5), "fbrd", 2, 0, 0, {0x03ffffff, 0x03ffffff}},
    {GPUCMD_I915_OP_SRC_COPY_BLT, G(2), G(12_5), "fbrdqs", 2, 2, 0, {0x43ffffff, 0x43ffffff}},
    {GPUCMD_I915_OP_XY_FAST_COPY_BLT, G(9), G(30), "fb12dpqs", 2, 2, 0, {0x3700ffff, 0xc7f2ffff}},
    {GPUCMD_I915_OP_XY_FAST_COLOR_BLT, G(12), G(30), "fb12d", 2, 0, 0, {0xcfe3ffff, 0xcf23ffff}},
    {GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, G(12), G(30), "fb12dps", 2, 2, 0, {0xcfe3ffff, 0xcf23ffff}},
    {GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, G(12_5), G(30), "fds", 2, 2, 0, {0, 0}},
    {GPUCMD_I915_OP_MEM_COPY, G(20), G(30), "fds", 0, 0, 0, {0, 0}},
    {GPUCMD_I915_OP_MEM_SET, G(20), G(30), "fd", 0, 0, 0, {0, 0}},
};
/* clang-format on */

static uint32_t data[128];

static gpucmd_i915_blt legal(void)
{
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    b.data = data;
    b.data_dw = 2;
    return b;
}

static uint32_t out[300]; /* the words of the last command, and zeros */

static gpucmd_status status(int op, int gen, const gpucmd_i915_blt *b)
{
    size_t len_dw = 0;
    memset(out, 0, sizeof out);
    gpucmd_writer_init(&w, out, 300);
    gpucmd_i915_emit_blt(&w, (gpucmd_i915_gen)gen, (gpucmd_i915_op)op, b);
    return gpucmd_writer_finish(&w, &len_dw);
}

/* Emit b with the command of row i. want: the status, if the command uses the member. If not, the
 * words are those of a command whose members are 0. */
static void emit(size_t i, int gen, const char *member, gpucmd_status want,
                 const gpucmd_i915_blt *b)
{
    const bool used = strchr(rows[i].uses, member[0]) != NULL;
    const gpucmd_i915_blt zero = legal();
    uint32_t zeros[300];
    EQUAL(status(rows[i].op, gen, &zero), GPUCMD_OK);
    memcpy(zeros, out, sizeof zeros);
    if (!EQUAL(status(rows[i].op, gen, b), used ? want : GPUCMD_OK) ||
        !CHECK(used || memcmp(out, zeros, sizeof out) == 0)) {
        printf("    row %u, gen %d, member %s\n", (unsigned)i, gen, member);
    }
}

/* Store v in a member of a legal command, and emit it. */
#define TRY(member, letter, v, want)                                                               \
    do {                                                                                           \
        gpucmd_i915_blt try_b = legal();                                                           \
        try_b.member = v;                                                                          \
        emit(i, gen, letter " " #member, (gpucmd_status)(want), &try_b);                           \
    } while (0)

#define COORD(member, letter)                                                                      \
    do {                                                                                           \
        TRY(member, letter, 32767, GPUCMD_OK);                                                     \
        TRY(member, letter, 32768, RANGE);                                                         \
        TRY(member, letter, -32768, GPUCMD_OK);                                                    \
        TRY(member, letter, -32769, RANGE);                                                        \
    } while (0)

/* no: lowest bit that the address must not have, or 0. */
#define ADDRESS(member, letter, no)                                                                \
    do {                                                                                           \
        const uint64_t last = gen < G(8) ? 0xffffff00 : 0xffffffffff00;                            \
        TRY(member, letter, last, GPUCMD_OK);                                                      \
        TRY(member, letter, last + 0x100, RANGE);                                                  \
        TRY(member, letter, 0xffff800000000000, gen < G(8) ? RANGE : GPUCMD_OK);                   \
        TRY(member, letter, last + (no), (no) != 0 ? ALIGN : GPUCMD_OK);                           \
        TRY(member, letter, last + 2 * (uint64_t)(no), GPUCMD_OK);                                 \
        TRY(member, letter, last + 1, (no) != 0 ? ALIGN : GPUCMD_OK);                              \
    } while (0)

static void members(size_t i, int gen)
{
    const uint32_t br13 = rows[i].br13[gen == rows[i].high];
    TRY(flags, "f", 0x00400000, RANGE); /* a bit of the opcode */
    TRY(flags, "f", 0x80000000, RANGE);
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        TRY(br13, "b", bit, (br13 & bit) != 0 ? GPUCMD_OK : RANGE);
    }
    TRY(rows, "r", 0xffff, GPUCMD_OK);
    TRY(rows, "r", 0x10000, RANGE);
    TRY(width_bytes, "r", 0xffff, GPUCMD_OK);
    TRY(width_bytes, "r", 0x10000, RANGE);
    COORD(x1, "1");
    COORD(y1, "1");
    COORD(x2, "2");
    COORD(y2, "2");
    COORD(src_x, "p");
    COORD(src_y, "p");
    COORD(src_pitch, "q");
    ADDRESS(dst_va, "d", rows[i].dst);
    ADDRESS(src_va, "s", rows[i].src);
    ADDRESS(pattern_va, "a", rows[i].pattern);
    TRY(data_dw, "n", 0, RANGE);
    TRY(data_dw, "n", 1, RANGE);
    TRY(data_dw, "n", 3, RANGE);
    TRY(data_dw, "n", 128, GPUCMD_OK);
    TRY(data_dw, "n", 129, RANGE);
    TRY(data_dw, "n", 130, RANGE);
}

/* Words of single commands: command, generation, member of gpucmd_i915_blt as the number of its
 * word, and the bits that it may have. */
/* clang-format off */
enum { OFFSETS, LAYOUT, SRC_OFFSETS, SURFACE };
static const struct {
    int op, gen;
    uint32_t member, legal;
} words[] = {
#define BLOCK(gen, member, legal)    {GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, G(gen), member, legal},
#define FAST(gen, member, legal)     {GPUCMD_I915_OP_XY_FAST_COPY_BLT, G(gen), member, legal},
#define COLOR(gen, member, legal)    {GPUCMD_I915_OP_XY_FAST_COLOR_BLT, G(gen), member, legal},
#define CONTROL(gen, member, legal)  {GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, G(gen), member, legal},
#define MEM_COPY(gen, member, legal) {GPUCMD_I915_OP_MEM_COPY, G(gen), member, legal},
#define MEM_SET(gen, member, legal)  {GPUCMD_I915_OP_MEM_SET, G(gen), member, legal},
    BLOCK(12, OFFSETS, 0xbfff3fff)
    BLOCK(12, LAYOUT, 0xcfe3ffff)
    BLOCK(12, SRC_OFFSETS, 0xbfff3fff)
    BLOCK(12, SURFACE, 0xffffffff) /* not emitted before gen12.5 */
    BLOCK(12, SURFACE + 9, 0xffffffff)
    BLOCK(12_5, LAYOUT, 0xffffffff)
    BLOCK(12_5, SURFACE, 0xffffffff)
    BLOCK(12_5, SURFACE + 1, 0xffffffff)
    BLOCK(12_5, SURFACE + 2, 0xffffffff)
    BLOCK(12_5, SURFACE + 3, 0xffffffff)
    BLOCK(12_5, SURFACE + 4, 0xefffffff)
    BLOCK(12_5, SURFACE + 5, 0xffe7ffff)
    BLOCK(12_5, SURFACE + 6, 0xffe40f1b)
    BLOCK(12_5, SURFACE + 7, 0xefffffff)
    BLOCK(12_5, SURFACE + 8, 0xffe7ffff)
    BLOCK(12_7, SURFACE + 9, 0xffe40f1b)
    BLOCK(20, SURFACE + 6, 0xffe00f1b)
    BLOCK(30, SURFACE + 9, 0xffe00f1b)
    BLOCK(20, OFFSETS, 0xbfff3fff)
    BLOCK(20, LAYOUT, 0xcf23ffff)
    BLOCK(20, SRC_OFFSETS, 0xbfff3fff)
    COLOR(12, OFFSETS, 0xbfff3fff)
    COLOR(12, LAYOUT, 0xffffffff)
    COLOR(12, SRC_OFFSETS, 0xffffffff)
    COLOR(12, SURFACE, 0xffffffff)
    COLOR(12, SURFACE + 4, 0xffffffff)
    COLOR(12_5, OFFSETS, 0xbfff3fff)
    COLOR(12_5, SURFACE, 0xffffffff)
    COLOR(12_7, SURFACE + 1, 0xffffffff)
    COLOR(20, SURFACE, 0x0000000f)
    COLOR(20, SURFACE + 1, 0xe00001ff)
    COLOR(20, SURFACE + 2, 0xefffffff)
    COLOR(20, SURFACE + 3, 0xffe7ffff)
    COLOR(20, SURFACE + 4, 0xffe40f1b)
    COLOR(20, SURFACE + 5, 0xffffffff)
    FAST(9, OFFSETS, 0xffffffff)
    FAST(9, LAYOUT, 0xffffffff)
    FAST(12_7, LAYOUT, 0xffffffff)
    FAST(20, LAYOUT, 0x00f20000)
    FAST(20, SURFACE, 0xffffffff)
    CONTROL(12_5, OFFSETS, 0xfe000000)
    CONTROL(12_5, SRC_OFFSETS, 0xfe000000)
    CONTROL(20, OFFSETS, 0xfe000000)
    CONTROL(20, SRC_OFFSETS, 0xfe000000)
    CONTROL(20, LAYOUT, 0xffffffff)
    MEM_COPY(20, OFFSETS, 0xffffffff)
    MEM_COPY(20, SURFACE, 0x00ffffff)
    MEM_COPY(20, SURFACE + 1, 0x0003ffff)
    MEM_COPY(20, SURFACE + 2, 0x0003ffff)
    MEM_COPY(20, SURFACE + 3, 0x0003ffff)
    MEM_COPY(30, SURFACE + 4, 0xf2000079)
    MEM_COPY(20, SURFACE + 5, 0xffffffff)
    MEM_SET(20, SURFACE, 0x00ffffff)
    MEM_SET(20, SURFACE + 1, 0x0003ffff)
    MEM_SET(20, SURFACE + 2, 0x0003ffff)
    MEM_SET(20, SURFACE + 3, 0xff000079)
    MEM_SET(30, SURFACE + 4, 0xffffffff)
};
/* clang-format on */

static void bits(void)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (uint32_t bit = 1; bit != 0; bit <<= 1) {
            gpucmd_i915_blt b = legal();
            const uint32_t m = words[i].member;
            uint32_t *at = m == OFFSETS       ? &b.offsets
                           : m == LAYOUT      ? &b.src_layout
                           : m == SRC_OFFSETS ? &b.src_offsets
                                              : &b.surface[m - SURFACE];
            *at = bit;
            if (!EQUAL(status(words[i].op, words[i].gen, &b),
                       (words[i].legal & bit) != 0 ? GPUCMD_OK : RANGE)) {
                printf("    row %u, bit %08x\n", (unsigned)i, bit);
            }
            b.short_form = true; /* has no words of surface; other commands have no short form */
            const bool brief = words[i].op == GPUCMD_I915_OP_XY_BLOCK_COPY_BLT && m >= SURFACE;
            EQUAL(status(words[i].op, words[i].gen, &b),
                  brief || (words[i].legal & bit) != 0 ? GPUCMD_OK : RANGE);
        }
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        members(i, rows[i].low);
        members(i, rows[i].high);
    }
    bits();
    EQUAL(status(GPUCMD_I915_OP_MI_NOOP, G(9), &(gpucmd_i915_blt){0}), GPUCMD_INVALID);
    return test_report("i915_operands");
}

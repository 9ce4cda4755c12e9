/* Known-good words of what i915, xe, Mesa, igt, compute-runtime and media-driver send: each decodes
 * without reserved bits and without findings; the encoders write them; the executor performs them.
 * Words were computed from the macros of two sources each, which agree, unless one is named. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, V = 2, B = 4, E = 8, C = 16, GSC = 32, ALL = 63, VIDEO = V | E };

#define G(n)    GPUCMD_I915_GEN##n
#define F(f)    GPUCMD_I915_BITS(f)
#define P(f, v) GPUCMD_I915_PUT(f, v)
#define OP(n)   GPUCMD_I915_OP_##n

static const int gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127, 200, 300};

/* clang-format off */
/* First and last generation (times ten), engines, names of the commands, words. A row that ends in
 * "..." is a first word alone. */
#define W(since, until, engines, names, ...)                                                       \
    {since, until, engines, names, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,                    \
     (const uint32_t[]){__VA_ARGS__}},
static const struct {
    int since, until;
    unsigned engines;
    const char *names;
    size_t len_dw;
    const uint32_t *words;
} good[] = {
    /* [XE] [K2], and a second source */
    W(120, 300, ALL,   "MI_ARB_CHECK", 0x02800101)
    W(120, 300, ALL,   "MI_ARB_CHECK", 0x02800100)
    W(110, 300, ALL,   "MI_STORE_REGISTER_MEM", 0x12480002, 0x000003a8, 0x00012340, 0)
    W( 80, 300, ALL,   "MI_STORE_DATA_IMM", 0x10400002, 0x00012340, 0, 0x2a)
    W( 80, 300, B | VIDEO | GSC, "MI_FLUSH_DW", 0x13000002, 0, 0, 0)
    W( 80, 300, B | VIDEO | GSC, "MI_FLUSH_DW", 0x13004002, 0x00012344, 0, 0x2a)
    W( 80, 300, B | VIDEO | GSC, "MI_FLUSH_DW", 0x13044002, 0x00012344, 0, 0x2a)
    W(120, 300, B | VIDEO, "MI_FLUSH_DW", 0x13054002, 0x00012344, 0, 0x2a)
    W( 80, 300, B | VIDEO | GSC, "MI_FLUSH_DW", 0x13004003, 0x00012340, 0, 0x2a, 0)
    W(120, 300, VIDEO, "MI_FLUSH_DW", 0x13604002, 0x00000104, 0, 0)
    W( 80, 300, ALL,   "MI_BATCH_BUFFER_START", 0x18800101, 0x89abc000, 0x00000123)
    W( 80, 300, ALL,   "MI_BATCH_BUFFER_START", 0x18800001, 0x89abc000, 0x00000123)
    W( 80, 300, ALL,   "MI_ARB_ON_OFF", 0x04000000)
    W( 80, 300, ALL,   "MI_ARB_ON_OFF", 0x04000001)
    W(120, 300, ALL,   "MI_USER_INTERRUPT MI_ARB_ON_OFF MI_ARB_CHECK",
      0x01000000, 0x04000001, 0x02800000)
    W(120, 127, ALL,   "MI_LOAD_REGISTER_IMM MI_NOOP", 0x11020001, 0x00004208, 1, 0)
    W(127, 127, V,     "MI_LOAD_REGISTER_IMM MI_NOOP", 0x11020001, 0x00384218, 1, 0)
    W( 80, 300, ALL,   "MI_STORE_DATA_IMM", 0x10200003, 0x00345678, 0x12, 0x11111111, 0x22222222)
    W( 80, 300, ALL,   "MI_STORE_DATA_IMM...", 0x10200009)
    W( 80, 300, ALL,   "MI_STORE_DATA_IMM...", 0x102003fd)
    W(120, 300, R,     "PIPE_CONTROL", 0x7a000404, 0x20304c1c, 0x000000d0, 0, 0, 0)
    W(120, 300, R,     "PIPE_CONTROL", 0x7a000404, 0x20344c1c, 0x000000d0, 0, 0, 0)
    W(125, 300, C,     "PIPE_CONTROL", 0x7a000004, 0x20304c0c, 0x000000d0, 0, 0, 0)
    W(125, 300, R,     "PIPE_CONTROL", 0x7a000204, 0x101010a1, 0, 0, 0, 0)
    W(125, 300, C,     "PIPE_CONTROL", 0x7a000204, 0x001000a0, 0, 0, 0, 0)
    W( 80, 300, R,     "PIPE_CONTROL", 0x7a000004, 0x01104080, 0x00012340, 0, 0x2a, 0)
    W(125, 127, R | C, "PIPE_CONTROL", 0x7a000004, 0x00000001, 0x000000d0, 0, 0, 0)
    W(125, 127, B,     "XY_FAST_COPY_BLT", 0x50800008, 0xc3001000, 0, 0x00100400, 0x00100000, 0, 0,
      0x00001000, 0x00200000, 0)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x11081019)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x11081011)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x11081003)
    W(120, 120, ALL,   "MI_LOAD_REGISTER_IMM...", 0x11081065)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x11080001)
    W( 80, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x1100101b) /* [K] images of gen8, gen9 */
    W(110, 300, ALL,   "MI_LOAD_REGISTER_IMM...", 0x1108101d) /* [K] image of gen11 */
    W(110, 300, ALL,   "MI_BATCH_BUFFER_END", 0x05000001)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_MEM", 0x14c80002, 0x000000a8, 0x00012340, 0)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_MEM", 0x14e80002, 0x000003a8, 0x00012340, 0)
    W(120, 300, ALL,   "MI_LOAD_REGISTER_IMM", 0x11081003, 0xac, 0x00012340, 0xa4, 0x00012380)
    W(110, 300, ALL,   "MI_LOAD_REGISTER_REG", 0x15080001, 0x00007018, 0x00000600)
    W(110, 300, ALL,   "MI_LOAD_REGISTER_REG", 0x15040001, 0x00000600, 0x00007018)
    W(110, 300, ALL,   "MI_MATH", 0x0d000007, 0x08008000, 0x48008401, 0x10200000, 0x18000031,
      0x08008000, 0x08008402, 0x10300000, 0x18000031)
    W( 80, 300, ALL,   "MI_COPY_MEM_MEM", 0x17600003, 0x00100000, 0, 0x00200000, 0)
    W(120, 300, V,     "MFX_WAIT", 0x68000300)
    W(120, 300, ALL,   "MI_SET_APPID", 0x0700000f)
    W(120, 127, R | C, "STATE_COMPUTE_MODE...", 0x61050000)
    W( 90, 300, R | C, "STATE_BASE_ADDRESS...", 0x61010014)
    W( 70, 300, R,     "MI_TOPOLOGY_FILTER", 0x06800004)
    W(125, 300, R | C, "3DSTATE_MESH_CONTROL...", 0x78770001)
    /* [K2] and a second source */
    W(120, 127, B,     "MI_FLUSH_DW", 0x13254002, 0x000000d0, 0, 0)
    W(120, 300, V,     "MI_FLUSH_DW", 0x13244082, 0x000000d0, 0, 0)
    W(120, 300, B | VIDEO, "MI_FLUSH_DW", 0x13204002, 0x000000d0, 0, 0)
    W(125, 125, B,     "MI_FLUSH_DW", 0x13010201, 0, 0)
    W(125, 125, B,     "XY_CTRL_SURF_COPY_BLT", 0x5223ff03, 0x00200000, 0x04000000, 0x00100000,
      0x04000000)
    W(127, 127, B,     "MI_LOAD_REGISTER_IMM MI_SEMAPHORE_WAIT MI_NOOP", 0x11020001, 0x00004248, 1,
      0x0e01c003, 0, 0x00004248, 0, 0, 0)
    W(120, 300, ALL,   "MI_ARB_CHECK MI_SEMAPHORE_WAIT", 0x02800000, 0x0e40c003, 0, 0x00012340, 0,
      0)
    W( 80, 300, R,     "PIPE_CONTROL", 0x7a000003, 0x00004000, 0x00100004, 0, 0x2a) /* [IGT] */
    W(127, 127, R,     "PIPE_CONTROL", 0x7a002204, 0x103070a1, 0x000000d0, 0, 0, 0)
    W(127, 127, R,     "PIPE_CONTROL", 0x7a000204, 0x101410a1, 0, 0, 0, 0)
    /* [MB] [GX] [IGT] [CR] [MD] */
    W( 80, 300, ALL,   "MI_SET_PREDICATE", 0x00800003)
    W(125, 300, ALL,   "MI_SET_PREDICATE", 0x00800010)
    W( 80, 300, ALL,   "MI_BATCH_BUFFER_START", 0x18808101, 0x00010000, 0)
    W( 80, 300, ALL,   "MI_BATCH_BUFFER_START...", 0x18c00101)
    W(125, 300, ALL,   "MI_BATCH_BUFFER_END", 0x05008000)
    W(120, 300, ALL,   "MI_SEMAPHORE_WAIT", 0x0e40c003, 0, 0x00012340, 0, 0)
    W(120, 300, ALL,   "MI_SEMAPHORE_WAIT", 0x0e01c003, 0, 0x00004208, 0, 0)
    W(120, 125, ALL,   "MI_SEMAPHORE_WAIT", 0x0e001003, 7, 0x00012340, 0, 0x000000a0)
    W(120, 300, ALL,   "MI_STORE_DATA_IMM", 0x10000402, 0x00012340, 0, 1)
    W( 80, 300, ALL,   "MI_ATOMIC", 0x17800501, 0x00012340, 0)
    W(120, 300, ALL,   "MI_CONDITIONAL_BATCH_BUFFER_END", 0x1b205002, 7, 0x00012340, 0)
    W(125, 127, R | C, "COMPUTE_WALKER...", 0x72080025)
    W(125, 300, R | C, "EXECUTE_INDIRECT_DRAW...", 0x7c000004)
    W(125, 127, R | C, "EXECUTE_INDIRECT_DISPATCH...", 0x7c01002a)
    W( 90, 127, B,     "XY_FAST_COPY_BLT", 0x50800008, 0x33000200, 0, 0x00400080, 0x00100000, 0, 0,
      0x00000200, 0x00200000, 0) /* [IGT] */
    W( 80, 300, R | C, "MI_REPORT_PERF_COUNT", 0x14000002, 0x00012340, 0, 9)
    W(120, 300, B | VIDEO, "MI_FORCE_WAKEUP", 0x0e800000, 0x03000200)
    /* [K2] two clears of i915 on DG2: 32 bits, MOCS index 1 << 1, local and system memory */
    W(125, 127, B,     "XY_FAST_COLOR_BLT", 0x5110000e, 0x00400fff, 0, 0x00100400, 0x00100000, 0,
      0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    W(125, 127, B,     "XY_FAST_COLOR_BLT", 0x5110000e, 0x00400fff, 0, 0x00100400, 0x00100000, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    /* [XE] on 12.7, 20, 30 */
    W(200, 300, B,     "XY_FAST_COPY_BLT", 0x50800008, 0xc3301000, 0, 0x00100400, 0x00100000, 0, 0,
      0x00301000, 0x00200000, 0)
    W(200, 300, B,     "MEM_COPY", 0x56880008, 0x00000fff, 0x000000ff, 0x00000fff, 0x00000fff,
      0x00200000, 0, 0x00100000, 0, 0x30000018)
    W(200, 300, B,     "MEM_COPY", 0x56820008, 0x000000ff, 0x0000000f, 0x000000ff, 0x000000ff,
      0x00200010, 0, 0x00100010, 0, 0x30000018)
    W(200, 300, B,     "MEM_COPY", 0x56800008, 0x0000001f, 0x0000001f, 0, 0, 0x00200001, 0,
      0x00100003, 0, 0x30000018)
    W(200, 300, B,     "MEM_SET", 0x56c20005, 0x00000fff, 0x000000ff, 0x00000fff, 0x00100000, 0,
      0x00000018)
    W(127, 127, B,     "XY_FAST_COLOR_BLT", 0x5110000e, 0x02400fff, 0, 0x00100400, 0x00100000, 0,
      0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    W(200, 300, B,     "XY_FAST_COLOR_BLT", 0x5110000e, 0x03000fff, 0, 0x00100400, 0x00100000, 0,
      0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    W(200, 300, B,     "XY_CTRL_SURF_COPY_BLT", 0x5227fe03, 0x00200000, 0x30000000, 0x00100000,
      0x30000000)
    W(200, 300, B,     "XY_CTRL_SURF_COPY_BLT", 0x52100003, 0x00200000, 0x30000000, 0x00100000,
      0x30000000)
    W(120, 300, V,     "CRYPTO_KEY_EXCHANGE", 0x76090000, 0)
    W(127, 300, GSC,   "GSC_HECI_CMD_PKT", 0x40000006, 0x00100000, 0, 0x40, 0x00200000, 0, 0x80, 0)
    W(127, 300, GSC,   "GSC_FW_LOAD", 0x40400002, 0x00100000, 0, 0x80000400)
    W(200, 300, R,     "3DSTATE_DRAWING_RECTANGLE_FAST...", 0x78000002)
    W(200, 300, R | C | B, "STATE_SYSTEM_MEM_FENCE_ADDRESS...", 0x61090001)
    W(200, 300, R | C, "STATE_CONTEXT_DATA_BASE_ADDRESS...", 0x610b0001)
    W(200, 300, R | C, "STATE_COMPUTE_MODE...", 0x61050001)
    W(200, 300, R,     "3DSTATE_TE...", 0x781c0003)
    W(200, 300, R,     "3DSTATE_HS...", 0x781b0006)
    W(200, 300, R,     "3DSTATE_DEPTH_BUFFER...", 0x78050006)
    W(127, 300, R | C, "STATE_WRITE_INLINE...", 0x80000000)
    W(200, 300, ALL,   "MI_SEMAPHORE_WAIT", 0x0e001003, 7, 0x00012340, 0, 0x00000014)
    W(200, 300, ALL,   "MI_MEM_FENCE", 0x04800000)
    W(200, 300, ALL,   "MI_MEM_FENCE", 0x04800001)
    W(200, 300, ALL,   "MI_MEM_FENCE", 0x04800003)
    W(200, 300, R | C, "RESOURCE_BARRIER", 0xac000003, 0, 0, 0, 0)
    W(200, 300, R | C, "RESOURCE_BARRIER...", 0xad000003)
    W(200, 300, R | C, "COMPUTE_WALKER...", 0x72080026)
    W(200, 300, R | C, "EXECUTE_INDIRECT_DISPATCH...", 0x7c01002b)
    W(200, 300, R | C, "STATE_BYTE_STRIDE...", 0x60050000)
    W(200, 300, R | C, "STATE_PREFETCH...", 0x60030002)
    W(127, 127, B,     "XY_BLOCK_COPY_BLT", 0x50500014, 0x824001ff, 0, 0x00400080, 0x00100000, 0,
      0x80000000, 0, 0x024001ff, 0x00200000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    W(200, 300, B,     "XY_BLOCK_COPY_BLT", 0x50500014, 0x830001ff, 0, 0x00400080, 0x00100000, 0,
      0x80000000, 0, 0x030001ff, 0x00200000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    W(200, 300, B,     "XY_BLOCK_COPY_BLT", 0x50500014, 0x80c001ff, 0, 0x00400080, 0x00100000, 0,
      0x80000000, 0, 0x030001ff, 0x00200000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) /* [IGT] MOCS 3 */
    W(200, 300, B,     "XY_FAST_COPY_BLT", 0x50800008, 0xc3300200, 0, 0x00400080, 0x00100000, 0, 0,
      0x00300200, 0x00200000, 0)
    W(120, 300, V,     "VD_CONTROL_STATE...", 0x738a0001)
};
/* clang-format on */

static gpucmd_i915_cmdset cmdset;
static unsigned findings;
static const uint32_t zeros[1022];

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    printf("    %s at %u\n", f->name, (unsigned)(f->at_bytes / 4));
    findings++;
    return GPUCMD_OK;
}

/* Expect the word at the start of names, up to a blank or "...". */
static const char *expect_name(const char *names, const char *got)
{
    const size_t n = strlen(got);
    CHECK(strncmp(names, got, n) == 0 && strchr(" .", names[n]) != NULL);
    names += n;
    return names + (*names == ' ');
}

static void expect_good(const uint32_t *words, size_t len_dw, const char *names)
{
    gpucmd_i915_check_options options;
    const bool first_only = names[strlen(names) - 1] == '.';
    uint32_t even[64] = {0};
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.ring = words[0] >> 23 != 0x0a; /* MI_BATCH_BUFFER_END */
    options.found = on_finding;
    findings = 0;
    for (size_t at = 0; at < len_dw;) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(&cmdset, words + at, len_dw - at, &cmd);
        EQUAL(cmd.stray, 0);
        EQUAL(cmd.status, first_only ? GPUCMD_TRUNCATED : GPUCMD_OK);
        names = expect_name(names, gpucmd_i915_name(&cmdset, words[at]));
        at += cmd.len_dw;
    }
    if (!first_only) {
        CHECK(*names == '\0');
        memcpy(even, words, len_dw * 4); /* MI_NOOP after an odd number of words */
        EQUAL(gpucmd_i915_check(&cmdset, even, (len_dw + 1) & ~(size_t)1, &options, NULL),
              GPUCMD_OK);
        EQUAL(findings, 0);
    }
}

static void known_good(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        unsigned tried = 0;
        for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
            for (int e = R; e <= GSC; e *= 2) {
                const unsigned failed = test.failed;
                if (gens[g] < good[i].since || gens[g] > good[i].until ||
                    ((unsigned)e & good[i].engines) == 0 ||
                    gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gens[g],
                                            (gpucmd_i915_engine)e) != GPUCMD_OK) {
                    continue;
                }
                tried++;
                expect_good(good[i].words, good[i].len_dw, good[i].names);
                if (test.failed != failed) {
                    printf("    %08x, gen %d, engine %d\n", good[i].words[0], gens[g], e);
                }
            }
        }
        CHECK(tried != 0);
    }
}

/* Forms that the writers lacked. */
static void written(void)
{
    gpucmd_i915_blt b;
    EMITS(WORDS(0x13010201, 0, 0),
          gpucmd_i915_emit_mi_flush_dw_short(
              &w, G(12_5), F(MI_FLUSH_DW_FLUSH_CCS) | F(MI_FLUSH_DW_FLUSH_LLC), 0));
    EQUAL(GPUCMD_I915_MI_FLUSH_DW_SHORT(0x10200), 0x13010201);
    EMITS(WORDS(0x13604001, 0x00000184, 0), /* i915 ends a protected session so [K73] */
          gpucmd_i915_emit_mi_flush_dw_short(&w, G(12_5), 0x604000, 0x184));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_flush_dw_short(&w, G(12_5), 0, 2));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_flush_dw_short(&w, G(7_5), 0, 0));
    EMITS(WORDS(0x13254002, 0x000000d0, 0, 0),
          gpucmd_i915_emit_mi_flush_dw(&w, G(12), 0x254000, 0xd0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_flush_dw(&w, G(11), 0x254000, 0xd0, 0));
    EMITS(WORDS(0x0e001003, 7, 0x00012340, 0, 0x000000a0),
          gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(12_5), 0x1000, 7, 0x12340,
                                                   P(MI_SEMAPHORE_WAIT_TOKEN_G12, 5)));
    memset(&b, 0, sizeof b);
    b.flags = P(XY_FAST_COLOR_BLT_DEPTH, 2);
    b.br13 = P(XY_FAST_COLOR_BLT_MOCS, 2) | 4095;
    b.x2 = 1024;
    b.y2 = 16;
    b.dst_va = 0x100000;
    b.offsets = F(XY_FAST_COLOR_BLT_SYSTEM_MEMORY);
    EMITS(WORDS(0x5110000e, 0x00400fff, 0, 0x00100400, 0x00100000, 0, 0x80000000, 0, 0, 0, 0, 0, 0,
                0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12_5), OP(XY_FAST_COLOR_BLT), &b));
    b.surface[0] = P(XY_FAST_COLOR_BLT_FORMAT, 31);
    b.surface[1] = 0x12345678;
    b.surface[2] = P(XY_FAST_COLOR_BLT_WIDTH, 1023) | P(XY_FAST_COLOR_BLT_ROWS, 15);
    b.surface[3] = P(XY_FAST_COLOR_BLT_QPITCH, 0x7fff);
    b.surface[4] = P(XY_FAST_COLOR_BLT_HORIZONTAL_ALIGN, 3);
    EMITS(WORDS(0x5110000e, 0x00400fff, 0, 0x00100400, 0x00100000, 0, 0x80000000, 0, 0, 0, 0, 0x1f,
                0x12345678, 0x00ffc00f, 0x0007fff0, 3),
          gpucmd_i915_emit_blt(&w, G(12_5), OP(XY_FAST_COLOR_BLT), &b));
    for (int i = 0; i < 5; i++) {
        static const uint32_t reserved[5] = {0, 0, 1u << 28, 1u << 20, 1u << 5};
        const uint32_t kept = b.surface[i];
        if (reserved[i] != 0) {
            b.surface[i] = reserved[i];
            FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(12_5), OP(XY_FAST_COLOR_BLT), &b));
            b.surface[i] = kept;
        }
    }
    b.offsets = 0;
    b.br13 = 4095;
    EMITS(WORDS(0x51100009, 0x00000fff, 0, 0x00100400, 0x00100000, 0, 0, 0, 0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12), OP(XY_FAST_COLOR_BLT), &b));
    b.br13 = P(XY_FAST_COLOR_BLT_MOCS, 2) | 4095;
    EMITS(WORDS(0x51100009, 0x00400fff, 0, 0x00100400, 0x00100000, 0, 0, 0, 0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12), OP(XY_FAST_COLOR_BLT), &b));
    b.br13 = F(XY_FAST_COLOR_BLT_COMPRESSED) | 4095;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(12), OP(XY_FAST_COLOR_BLT), &b));
    memset(&b, 0, sizeof b);
    b.br13 = P(XY_FAST_COPY_BLT_DEPTH, 3) | F(XY_FAST_COPY_BLT_SRC_SYSTEM_MEMORY) |
             F(XY_FAST_COPY_BLT_DST_SYSTEM_MEMORY) | 512;
    b.x2 = 128;
    b.y2 = 64;
    b.dst_va = 0x100000;
    b.src_va = 0x200000;
    b.src_pitch = 512;
    EMITS(WORDS(0x50800008, 0x33000200, 0, 0x00400080, 0x00100000, 0, 0, 0x00000200, 0x00200000, 0),
          gpucmd_i915_emit_blt(&w, G(9), OP(XY_FAST_COPY_BLT), &b));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_blt(&w, G(8), OP(XY_FAST_COPY_BLT), &b));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(20), OP(XY_FAST_COPY_BLT), &b));
    b.src_layout = 1u << 20; /* ignored before Xe2 */
    EMITS(WORDS(0x50800008, 0x33000200, 0, 0x00400080, 0x00100000, 0, 0, 0x00000200, 0x00200000, 0),
          gpucmd_i915_emit_blt(&w, G(12_7), OP(XY_FAST_COPY_BLT), &b));
}

/* Commands and fields of gen12.7, 20 and 30. */
static void written_xe(void)
{
    gpucmd_i915_blt b;
    EMITS(WORDS(0x04800000),
          gpucmd_i915_emit_mi_mem_fence(&w, G(20), GPUCMD_I915_MEM_FENCE_RELEASE));
    EMITS(WORDS(0x04800003),
          gpucmd_i915_emit_mi_mem_fence(&w, G(30), GPUCMD_I915_MEM_FENCE_MI_WRITE));
    EQUAL(GPUCMD_I915_MEM_FENCE_ACQUIRE, 1);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_mem_fence(&w, G(12_7), 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_mem_fence(&w, G(20), 1u << 17)); /* another command */
    EQUAL(GPUCMD_I915_MI_MEM_FENCE(1), 0x04800001);
    EMITS(WORDS(0x0e001003, 7, 0x00012340, 0, 0x00000014),
          gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(20), 0x1000, 7, 0x12340,
                                                   P(MI_SEMAPHORE_WAIT_TOKEN, 5)));
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(12_5), 0x1000, 7, 0x12340, 4));
    EMITS(WORDS(0x40000006, 0x00100001, 1, 0x40, 0x00200000, 0, 0x80, 0),
          gpucmd_i915_emit_gsc_heci_cmd_pkt(&w, G(12_7), 0, 0x100100001, 0x40, 0x200000, 0x80));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_gsc_heci_cmd_pkt(&w, G(12_5), 0, 0, 0, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_gsc_heci_cmd_pkt(&w, G(20), 1, 0, 0, 0, 0));
    EMITS(WORDS(0x40400002, 0x00100000, 0, 0x80000400),
          gpucmd_i915_emit_gsc_fw_load(&w, G(30), 0, 0x100000,
                                       F(GSC_FW_LOAD_LIMIT_VALID) | P(GSC_FW_LOAD_PAGES, 0x400)));
    EQUAL(GPUCMD_I915_GSC_HECI_CMD_PKT(0), 0x40000006);
    EQUAL(GPUCMD_I915_GSC_FW_LOAD(0), 0x40400002);
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm_words(&w, G(12_7), 0, 0, zeros, 1022));
    memset(&b, 0, sizeof b);
    b.flags = F(MEM_COPY_PAGE_MODE);
    b.src_va = 0x200000;
    b.dst_va = 0x100000;
    b.surface[0] = 0xfff;
    b.surface[1] = 0xff;
    b.surface[2] = 0xfff;
    b.surface[3] = 0xfff;
    b.surface[4] = P(MEM_COPY_SRC_MOCS_INDEX, 3) | P(MEM_COPY_MOCS_INDEX, 3);
    EMITS(WORDS(0x56880008, 0x00000fff, 0x000000ff, 0x00000fff, 0x00000fff, 0x00200000, 0,
                0x00100000, 0, 0x30000018),
          gpucmd_i915_emit_blt(&w, G(20), OP(MEM_COPY), &b));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_blt(&w, G(12_7), OP(MEM_COPY), &b));
    b.flags = 0;
    b.src_va++;
    b.dst_va += 3;
    EMITS(WORDS(0x56800008, 0x00000fff, 0x000000ff, 0x00000fff, 0x00000fff, 0x00200001, 0,
                0x00100003, 0, 0x30000018),
          gpucmd_i915_emit_blt(&w, G(30), OP(MEM_COPY), &b));
    for (int i = 0; i < 5; i++) {
        const uint32_t kept = b.surface[i];
        b.surface[i] |= i == 0 ? 1u << 24 : i < 4 ? 1u << 18 : 2u;
        FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(20), OP(MEM_COPY), &b));
        b.surface[i] = kept;
    }
    memset(&b, 0, sizeof b);
    b.flags = P(MEM_SET_TYPE, 1);
    b.dst_va = 0x100000;
    b.surface[0] = 0xfff;
    b.surface[1] = 0xff;
    b.surface[2] = 0xfff;
    b.surface[3] = P(MEM_SET_FILL, 0xa5) | P(MEM_SET_MOCS_INDEX, 3);
    EMITS(WORDS(0x56c20005, 0x00000fff, 0x000000ff, 0x00000fff, 0x00100000, 0, 0xa5000018),
          gpucmd_i915_emit_blt(&w, G(20), OP(MEM_SET), &b));
    b.surface[3] |= 1u << 23;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(20), OP(MEM_SET), &b));
    EQUAL(GPUCMD_I915_BLT(MEM_COPY, G(20), 0, 0), 0x56800008);
    EQUAL(GPUCMD_I915_BLT(MEM_SET, G(20), 0, 0), 0x56c00005);
    memset(&b, 0, sizeof b);
    b.flags = P(XY_BLOCK_COPY_BLT_DEPTH, 2);
    b.br13 = P(XY_BLOCK_COPY_BLT_TILING, 2) | P(XY_BLOCK_COPY_BLT_MOCS_INDEX, 3) | 511;
    b.x2 = 128;
    b.y2 = 64;
    b.dst_va = 0x100000;
    b.src_va = 0x200000;
    b.offsets = F(XY_BLOCK_COPY_BLT_DST_SYSTEM_MEMORY);
    b.src_layout = P(XY_BLOCK_COPY_BLT_SRC_MOCS_INDEX, 3) | 511;
    EMITS(WORDS(0x50500014, 0x830001ff, 0, 0x00400080, 0x00100000, 0, 0x80000000, 0, 0x030001ff,
                0x00200000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(20), OP(XY_BLOCK_COPY_BLT), &b));
    b.br13 |= 1u << 22; /* encoded MOCS indices do not reach bit 23 */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(20), OP(XY_BLOCK_COPY_BLT), &b));
    b.br13 = P(XY_BLOCK_COPY_BLT_TILING, 2) | P(XY_BLOCK_COPY_BLT_MOCS, 18) | 511;
    b.src_layout = P(XY_BLOCK_COPY_BLT_SRC_MOCS, 18) | 511;
    EMITS(WORDS(0x50500014, 0x824001ff, 0, 0x00400080, 0x00100000, 0, 0x80000000, 0, 0x024001ff,
                0x00200000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12_7), OP(XY_BLOCK_COPY_BLT), &b));
    memset(&b, 0, sizeof b);
    b.br13 = P(XY_FAST_COPY_BLT_DEPTH, 3) | F(XY_FAST_COPY_BLT_SRC_TILE4) |
             F(XY_FAST_COPY_BLT_DST_TILE4) | P(XY_FAST_COPY_BLT_MOCS_INDEX, 3) | 4096;
    b.x2 = 1024;
    b.y2 = 16;
    b.dst_va = 0x100000;
    b.src_va = 0x200000;
    b.src_pitch = 4096;
    b.src_layout = P(XY_FAST_COPY_BLT_SRC_MOCS_INDEX, 3);
    EMITS(WORDS(0x50800008, 0xc3301000, 0, 0x00100400, 0x00100000, 0, 0, 0x00301000, 0x00200000, 0),
          gpucmd_i915_emit_blt(&w, G(30), OP(XY_FAST_COPY_BLT), &b));
    EMITS(WORDS(0x50800008, 0xc3301000, 0, 0x00100400, 0x00100000, 0, 0, 0x00301000, 0x00200000, 0),
          gpucmd_i915_emit_blt(&w, G(20), OP(XY_FAST_COPY_BLT), &b));
    b.src_layout |= 1u << 24;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(30), OP(XY_FAST_COPY_BLT), &b));
    memset(&b, 0, sizeof b);
    b.flags = P(XY_FAST_COLOR_BLT_DEPTH, 2);
    b.br13 = P(XY_FAST_COLOR_BLT_MOCS_INDEX, 3) | 4095;
    b.x2 = 1024;
    b.y2 = 16;
    b.dst_va = 0x100000;
    b.offsets = F(XY_FAST_COLOR_BLT_SYSTEM_MEMORY);
    EMITS(WORDS(0x5110000e, 0x03000fff, 0, 0x00100400, 0x00100000, 0, 0x80000000, 0, 0, 0, 0, 0, 0,
                0, 0, 0),
          gpucmd_i915_emit_blt(&w, G(20), OP(XY_FAST_COLOR_BLT), &b));
    b.surface[0] = 0x10; /* the format has 4 bits on Xe2 */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(20), OP(XY_FAST_COLOR_BLT), &b));
    memset(&b, 0, sizeof b);
    b.flags = F(XY_CTRL_SURF_COPY_BLT_SRC_DIRECT) | P(XY_CTRL_SURF_COPY_BLT_PAGES, 1023);
    b.src_va = 0x200000;
    b.dst_va = 0x100000;
    b.src_offsets = P(XY_CTRL_SURF_COPY_BLT_SRC_MOCS_INDEX, 3);
    b.offsets = P(XY_CTRL_SURF_COPY_BLT_DST_MOCS_INDEX, 3);
    EMITS(WORDS(0x5227fe03, 0x00200000, 0x30000000, 0x00100000, 0x30000000),
          gpucmd_i915_emit_blt(&w, G(20), OP(XY_CTRL_SURF_COPY_BLT), &b));
    b.flags = F(XY_CTRL_SURF_COPY_BLT_SRC_DIRECT) | P(XY_CTRL_SURF_COPY_BLT_BLOCKS, 1023);
    b.src_offsets = P(XY_CTRL_SURF_COPY_BLT_SRC_MOCS, 2);
    b.offsets = P(XY_CTRL_SURF_COPY_BLT_DST_MOCS, 2);
    EMITS(WORDS(0x5223ff03, 0x00200000, 0x04000000, 0x00100000, 0x04000000),
          gpucmd_i915_emit_blt(&w, G(12_5), OP(XY_CTRL_SURF_COPY_BLT), &b));
}

/* ---- execution: words in, memory out ---- */

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u

static uint8_t batch[16384], data[65536];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch, batch, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {DATA_VA,  sizeof data,  data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;
static unsigned passed_on;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    passed_on += e->kind == GPUCMD_EVENT_COMMAND;
    return GPUCMD_OK;
}

static uint64_t written_value; /* of the last store that was traced */

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)user;
    written_value = e->kind == GPUCMD_EVENT_MEM_WRITE ? e->value : written_value;
    return GPUCMD_OK;
}

static void start(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    memset(batch, 0, sizeof batch);
    memset(data, 0, sizeof data);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, on_event, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    passed_on = 0;
}

static gpucmd_run run(const uint32_t *words, size_t len_dw)
{
    gpucmd_store_words(batch, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    if (cs.state != GPUCMD_I915_RS0) {
        gpucmd_i915_cs_reset(&cs, 0);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    test_dirty();
    return gpucmd_i915_cs_run(&cs, &env, 100000);
}

#define RUN(want, ...)                                                                             \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__};                                            \
        EQUAL(run(words_, sizeof words_ / 4), GPUCMD_RUN_##want);                                  \
    } while (0)
#define DIES(want_error, ...)                                                                      \
    do {                                                                                           \
        RUN(FAULT, __VA_ARGS__);                                                                   \
        EQUAL(cs.error, GPUCMD_I915_ERROR_##want_error);                                           \
    } while (0)

static uint32_t at32(uint32_t off)
{
    return gpucmd_load32(data + off, GPUCMD_LITTLE_ENDIAN);
}

/* A store of 5 words writes 32 bits at an address whose bits 2:0 do not count; one of 4 words
 * has no data. MI_FLUSH_DW likewise. [IGT] */
static void short_stores(void)
{
    start(G(8), GPUCMD_I915_RCS);
    memset(data, 0xee, 16);
    RUN(IDLE, 0x7a000003, 0x00004000, DATA_VA + 4, 0, 0x2a);
    EQUAL(at32(0), 0x2a);
    EQUAL(at32(4), 0xeeeeeeee);
    RUN(IDLE, 0x7a000002, 0x00100000, 0, 0);
    DIES(LENGTH, 0x7a000002, 0x00004000, DATA_VA, 0);
    DIES(LENGTH, 0x7a000002, 0x00800000, 0x2600, 0);
    start(G(12_5), GPUCMD_I915_BCS);
    RUN(IDLE, 0x13010201, 0, 0);
    DIES(LENGTH, 0x13004001, DATA_VA, 0);
    DIES(LENGTH, 0x1300c001, DATA_VA, 0);
}

/* MI_PREDICATE_RESULT_2 is 0x2214 on gen7.5 and 0x23bc on gen8 and later. [K2] */
static void result_2(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t reg;
        bool counts;
    } rows[] = {
        {G(7_5), 0x2214, true },
        {G(7_5), 0x23bc, false},
        {G(8),   0x2214, false},
        {G(8),   0x23bc, true },
        {G(12),  0x23bc, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].gen, GPUCMD_I915_RCS);
        gpucmd_i915_cs_write(&cs, rows[i].reg, 1);
        RUN(IDLE, 0x00800002, 0x00400001); /* skip if RESULT_2 is set; MI_NOOP is never skipped */
        RUN(IDLE, 0x00800002, 0x11000001, 0x2600, 5, 0x00800000);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), rows[i].counts ? 0 : 5);
    }
}

/* MI_FORCE_WAKEUP: the upper half selects bits; the wells of video codecs exclude the others.
 * [MD] */
static void wakeup(void)
{
    start(G(12), GPUCMD_I915_VCS);
    RUN(IDLE, 0x0e800000, 0x03000200);
    EQUAL(cs.wells, 0x200);
    RUN(IDLE, 0x0e800000, 0x0000ffff); /* without a mask nothing changes */
    EQUAL(cs.wells, 0x200);
    RUN(IDLE, 0x0e800000, 0x001f001f);
    EQUAL(cs.wells, 0x21f);
    RUN(IDLE, 0x0e800000, 0x011f0100);
    EQUAL(cs.wells, 0x31f);
    EQUAL(passed_on, 0);
    start(G(11), GPUCMD_I915_VCS);
    RUN(IDLE, 0x0e800000, 0x010f0103);
    EQUAL(cs.wells, 0x103);
    for (int e = R; e <= C; e *= 2) { /* the render and compute streams must not have it */
        const uint32_t words[2] = {0x0e800000, 0x00010001};
        const gpucmd_i915_check_options options = {NULL, NULL, 0, true, false, true, false};
        size_t errors = 9;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, G(12_5), (gpucmd_i915_engine)e), GPUCMD_OK);
        EQUAL(gpucmd_i915_length_dw(&cmdset, words, 2), 2);
        EQUAL(gpucmd_i915_check(&cmdset, words, 2, &options, &errors), GPUCMD_OK);
        EQUAL(errors, e == R || e == C);
    }
}

/* A PIPE_CONTROL of 5 words stores 32 bits, one of 6 words 64 bits, one of 4 words has none.
 * [IGT] */
static void short_pipe_control(void)
{
    static const gpucmd_i915_gen since_gen8[] = {G(8), G(9), G(11), G(12), G(12_5), G(20)};
    for (size_t i = 0; i < sizeof since_gen8 / sizeof since_gen8[0]; i++) {
        start(since_gen8[i], GPUCMD_I915_RCS);
        memset(data, 0xee, 128);
        RUN(IDLE, 0x7a000003, 0x00004000, DATA_VA + 8, 0, 0x11223344);
        EQUAL(at32(4), 0xeeeeeeee);
        EQUAL(at32(8), 0x11223344);
        EQUAL(at32(12), 0xeeeeeeee);
        RUN(IDLE, 0x7a000004, 0x00004000, DATA_VA + 16, 0, 0x55667788, 0x99aabbcc);
        EQUAL(at32(16), 0x55667788);
        EQUAL(at32(20), 0x99aabbcc);
        RUN(FAULT, 0x7a000002, 0x00004000, DATA_VA + 24, 0);
        EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
        EQUAL(at32(24), 0xeeeeeeee);
    }
}

/* COMPUTE_WALKER: the callback gets it, then its post-sync operation stores. [GX] [CR] */
static void walker(gpucmd_i915_gen gen, size_t len_dw, size_t at, uint32_t bytes)
{
    uint32_t words[40] = {0};
    words[0] = 0x72080000 | (uint32_t)(len_dw - 2);
    for (int e = 0; e < 2; e++) {
        start(gen, e == 0 ? GPUCMD_I915_RCS : GPUCMD_I915_CCS);
        memset(data, 0xee, 128);
        words[at] = 0;
        words[at + 1] = DATA_VA + 8;
        words[at + 3] = 0x11223344;
        words[at + 4] = 0x55667788;
        EQUAL(run(words, len_dw), GPUCMD_RUN_IDLE);
        EQUAL(at32(8), 0xeeeeeeee);
        words[at] = 1;
        EQUAL(run(words, len_dw), GPUCMD_RUN_IDLE);
        EQUAL(passed_on, 2);
        EQUAL(at32(4), 0xeeeeeeee);
        EQUAL(at32(8), 0x11223344);
        EQUAL(at32(12), 0x55667788);
        EQUAL(at32(16), 0xeeeeeeee);
        words[at + 1] = DATA_VA + 32;
        words[at] = 3;
        cs.timestamp = 0x123456789;
        env.trace = on_trace;
        EQUAL(run(words, len_dw), GPUCMD_RUN_IDLE);
        EQUAL(written_value, bytes == 8 ? 0x123456789 : 0x23456789);
        for (uint32_t i = 0; i < 4; i++) {
            EQUAL(at32(32 + i * bytes), 0x23456789);
            EQUAL(at32(32 + i * bytes + 4), bytes == 8 ? 1 : i < 3 ? 0x23456789 : 0xeeeeeeee);
        }
        words[at + 1] = DATA_VA + 4; /* not aligned to the report */
        EQUAL(run(words, len_dw), GPUCMD_RUN_FAULT);
        EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
        words[at] = 2; /* reserved */
        EQUAL(run(words, len_dw), GPUCMD_RUN_FAULT);
        words[at] = 1;
        words[at + 1] = DATA_VA + 64;
        words[0] |= 1u << 8; /* the predicate is false */
        passed_on = 0;
        EQUAL(run(words, len_dw), GPUCMD_RUN_IDLE);
        EQUAL(at32(64), 0xeeeeeeee);
        EQUAL(passed_on, 0);
        gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_PREDICATE_RESULT, 1);
        EQUAL(run(words, len_dw), GPUCMD_RUN_IDLE);
        EQUAL(at32(64), 0x11223344);
        words[0] &= ~(1u << 8);
        words[0]--;
        EQUAL(run(words, len_dw - 1), GPUCMD_RUN_FAULT);
        EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
        words[0]++;
    }
}

/* Bits of gen12.5: predicates, the partition id, which is 0, and a comparison with a register. */
static void predicates(void)
{
    start(G(12_5), GPUCMD_I915_RCS);
    RUN(IDLE, 0x00800010, 0x10000002, DATA_VA, 0, 1); /* skip if the partition id is 0 */
    EQUAL(at32(0), 0);
    RUN(IDLE, 0x00800020, 0x10000002, DATA_VA, 0, 1);
    EQUAL(at32(0), 1);
    DIES(OPERAND, 0x00800030);
    RUN(IDLE, 0x7a000104, 0x00004000, DATA_VA + 8, 0, 2, 0); /* the predicate is false */
    EQUAL(at32(8), 0);
    gpucmd_i915_cs_write(&cs, 0x2418, 1);
    RUN(IDLE, 0x7a000104, 0x00004000, DATA_VA + 8, 0, 2, 0);
    EQUAL(at32(8), 2);
    /* Predicated, and MI_SET_PREDICATE_RESULT is set: the batch goes on. */
    gpucmd_i915_cs_write(&cs, 0x23b8, 1);
    RUN(IDLE, 0x1b20d002, 0, DATA_VA + 16, 0, 0x10000002, DATA_VA + 24, 0, 3);
    EQUAL(at32(24), 3);
    gpucmd_i915_cs_write(&cs, 0x23b8, 0);
    RUN(IDLE, 0x1b20d002, 0, DATA_VA + 16, 0, 0x10000002, DATA_VA + 24, 0, 4);
    EQUAL(at32(24), 3);
    /* Wait until 0x2608 equals GPR0; signal mode polls registers too. */
    gpucmd_i915_cs_write(&cs, 0x2600, 9);
    gpucmd_i915_cs_write(&cs, 0x2608, 9);
    RUN(IDLE, 0x0e034003, 5, 0x2608, 0, 0);
    RUN(BLOCKED, 0x0e014003, 5, 0x2608, 0, 0);
    gpucmd_i915_cs_write(&cs, 0x2608, 5);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_IDLE);
    RUN(IDLE, 0x17800501, DATA_VA + 33, 0); /* partition offset in bit 0 of the address */
    EQUAL(at32(32), 1);
}

/* A suffix of a generation is not printed, whatever its length. */
static void printed(void)
{
    static const uint32_t words[] = {0x0e001003, 7, 0x00012340, 0, 0xa0};
    char buf[512];
    gpucmd_text t;
    gpucmd_text_init(&t, buf, sizeof buf);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, G(12), GPUCMD_I915_RCS), GPUCMD_OK);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, 5, 0), 5);
    CHECK(strstr(buf, "TOKEN=5\n") != NULL);
}

/* MEM_COPY and MEM_SET: bytes, rows, pages, overlaps. Bytes outside stay. */
static void mem_copies(void)
{
    static uint8_t want[sizeof data];
    start(G(20), GPUCMD_I915_BCS);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 7 + i / 256);
    }
    memcpy(want, data, sizeof data);
    memmove(want + 3, want + 0x1001, 32); /* [XE] linear, 32 bytes; the number of rows is ignored */
    RUN(IDLE, 0x56800008, 0x1f, 0x1f, 0, 0, DATA_VA + 0x1001, 0, DATA_VA + 3, 0, 0x30000018);
    CHECK(memcmp(data, want, sizeof data) == 0);
    memmove(want + 0x2100, want + 0x2000, 0x1000); /* 16 units of 256 bytes, overlapping */
    RUN(IDLE, 0x56880008, 0xf, 0, 0, 0, DATA_VA + 0x2000, 0, DATA_VA + 0x2100, 0, 0x30000018);
    CHECK(memcmp(data, want, sizeof data) == 0);
    memmove(want + 0x2000, want + 0x2100, 0x1000);
    RUN(IDLE, 0x56880008, 0xf, 0, 0, 0, DATA_VA + 0x2100, 0, DATA_VA + 0x2000, 0, 0x30000018);
    CHECK(memcmp(data, want, sizeof data) == 0);
    for (size_t row = 0; row < 16; row++) { /* rows of 10 bytes, pitches of 32 and 16 */
        memcpy(want + 0x5000 + 16 * row, want + 0x4000 + 32 * row, 10);
    }
    RUN(IDLE, 0x56820008, 9, 15, 31, 15, DATA_VA + 0x4000, 0, DATA_VA + 0x5000, 0, 0);
    CHECK(memcmp(data, want, sizeof data) == 0);
    for (size_t row = 0; row < 10; row++) { /* as far apart as 10 pitches of 32, and 10 bytes */
        memcpy(want + 0x914a + 16 * row, want + 0x9000 + 32 * row, 10);
    }
    RUN(IDLE, 0x56820008, 9, 9, 31, 15, DATA_VA + 0x9000, 0, DATA_VA + 0x914a, 0, 0);
    CHECK(memcmp(data, want, sizeof data) == 0);
    for (size_t row = 3; row-- > 0;) { /* overlapping rows of one pitch: as if through a copy */
        memmove(want + 0x6004 + 16 * row, want + 0x6000 + 16 * row, 12);
    }
    RUN(IDLE, 0x56820008, 11, 2, 15, 15, DATA_VA + 0x6000, 0, DATA_VA + 0x6004, 0, 0);
    CHECK(memcmp(data, want, sizeof data) == 0);
    memset(want + 0x7001, 0xa5, 0x123);
    RUN(IDLE, 0x56c00005, 0x122, 9, 9, DATA_VA + 0x7001, 0, 0xa5000018);
    CHECK(memcmp(data, want, sizeof data) == 0);
    for (size_t row = 0; row < 5; row++) {
        memset(want + 0x8000 + 100 * row, 0x3c, 60);
    }
    RUN(IDLE, 0x56c20005, 59, 4, 99, DATA_VA + 0x8000, 0, 0x3c000000);
    CHECK(memcmp(data, want, sizeof data) == 0);
    RUN(IDLE, 0x56c80005, 59, 4, 99, DATA_VA + 0x8000, 0, 0x77000000); /* evict: no effect */
    CHECK(memcmp(data, want, sizeof data) == 0);
    EQUAL(passed_on, 0);
    RUN(IDLE, 0x56802008 & ~0x2000u, 0, 0, 0, 0, DATA_VA, 0, DATA_VA, 0, 0);
    EQUAL(passed_on, 0);
    RUN(IDLE, 0x56800208, 0, 0, 0, 0, DATA_VA, 0, DATA_VA + 1, 0, 0);      /* compressed */
    RUN(IDLE, 0x568a0008, 0, 0, 0, 0, DATA_VA, 0, DATA_VA + 0x100, 0, 0);  /* rows of pages */
    RUN(IDLE, 0x56820008, 9, 9, 31, 15, DATA_VA, 0, DATA_VA + 0x20, 0, 0); /* which order? */
    RUN(IDLE, 0x56820008, 9, 9, 31, 15, DATA_VA, 0, DATA_VA + 0x149, 0, 0);
    RUN(IDLE, 0x56820008, 9, 9, 15, 31, DATA_VA + 0x149, 0, DATA_VA, 0, 0);
    RUN(IDLE, 0x56c40005, 59, 4, 99, DATA_VA + 0x8000, 0, 0x77000000); /* fast clear */
    RUN(IDLE, 0x56c00205, 59, 4, 99, DATA_VA + 0x8000, 0, 0x77000000);
    EQUAL(passed_on, 7);
    CHECK(memcmp(data, want, sizeof data) == 0);
    DIES(OPERAND, 0x56840008, 0, 0, 0, 0, DATA_VA, 0, DATA_VA, 0, 0);
    DIES(OPERAND, 0x56d00005, 0, 0, 0, DATA_VA, 0, 0);
    DIES(LENGTH, 0x56c00004, 0, 0, 0, DATA_VA, 0);
    DIES(MEMORY, 0x56c00005, 0xffffff, 0, 0, DATA_VA, 0, 0);
    DIES(MEMORY, 0x56880008, 0xffffff, 0, 0, 0, DATA_VA, 0, DATA_VA + 256, 0, 0);
}

/* A fill of a tiled surface, read back by a copy to a linear one; what the executor passes on. */
static void surfaces(gpucmd_i915_gen gen, uint32_t tiling, uint32_t fast, uint32_t fast_bits)
{
    uint32_t fill[16] = {0x5110000e, 0, 0x00030005, 0x00150021, DATA_VA, 0, 0x80000000, 0x11223344};
    uint32_t detile[10] = {0x50800008, 0, 0, 0x00200040, DATA_VA + 0x8000, 0, 0, 128, DATA_VA, 0};
    const size_t n = gen < G(12_5) ? 11 : 16;
    start(gen, GPUCMD_I915_BCS);
    fill[0] = 0x51100000 | (uint32_t)(n - 2);
    fill[1] = tiling << 30 | (tiling != 0 ? 127 : 511); /* 512 bytes */
    detile[7] = tiling != 0 ? 128 : 512;
    fill[6] = gen < G(12_5) ? 0 : 0x80000000;
    EQUAL(run(fill, n), GPUCMD_RUN_IDLE);
    detile[0] |= fast << 20;
    detile[1] = 0x03000100 | fast_bits;
    EQUAL(run(detile, 10), GPUCMD_RUN_IDLE);
    EQUAL(passed_on, 0);
    for (uint32_t y = 0; y < 32; y++) {
        for (uint32_t px = 0; px < 64; px++) {
            const bool in = px >= 5 && px < 33 && y >= 3 && y < 21;
            if (!EQUAL(at32(0x8000 + 256 * y + 4 * px), in ? 0x11223344 : 0)) {
                return;
            }
        }
    }
    fill[6] |= 1; /* an offset */
    EQUAL(run(fill, n), GPUCMD_RUN_IDLE);
    EQUAL(passed_on, 1);
    fill[6] &= ~1u;
    if (n == 16) {
        static const struct {
            int word;
            uint32_t bits;
        } not_executed[] = {
            {0,  1u << 12},
            {1,  1u << 29},
            {11, 1       },
            {14, 1       },
            {15, 1u << 21},
        };
        for (size_t i = 0; i < sizeof not_executed / sizeof not_executed[0]; i++) {
            const uint32_t kept = fill[not_executed[i].word];
            fill[not_executed[i].word] |= not_executed[i].bits;
            EQUAL(run(fill, n), GPUCMD_RUN_IDLE);
            EQUAL(passed_on, 2 + i);
            fill[not_executed[i].word] = kept;
        }
        fill[13] = 0x20000000 | 63u << 14 | 31; /* a size and alignments do not matter */
        fill[14] = 8u << 4;
        fill[15] = 0xf09;
        EQUAL(run(fill, n), GPUCMD_RUN_IDLE);
        EQUAL(passed_on, 6);
    }
}

/* Commands that change nothing that a model of memory and registers has, and commands that only the caller
 * can execute, which the stream passes on. [MD] */
static void without_effect(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        unsigned passed_on;
        uint32_t len_dw;
        uint32_t words[4];
    } of[] = {
        {G(4),   GPUCMD_I915_RCS, 0, 1, {0x02000000}                }, /* MI_FLUSH */
        {G(7),   GPUCMD_I915_BCS, 0, 1, {0x02800000}                }, /* MI_ARB_CHECK */
        {G(7_5), GPUCMD_I915_RCS, 0, 1, {0x03000001}                }, /* MI_RS_CONTROL */
        {G(6),   GPUCMD_I915_RCS, 0, 1, {0x04000001}                }, /* MI_ARB_ON_OFF */
        {G(8),   GPUCMD_I915_RCS, 0, 1, {0x04800000}                }, /* MI_URB_ATOMIC_ALLOC */
        {G(20),  GPUCMD_I915_BCS, 0, 1, {0x04800000}                }, /* MI_MEM_FENCE */
        {G(5),   GPUCMD_I915_RCS, 0, 1, {0x05800001}                }, /* MI_SUSPEND_FLUSH */
        {G(8),   GPUCMD_I915_RCS, 0, 1, {0x07800000}                }, /* MI_RS_CONTEXT */
        {G(7),   GPUCMD_I915_RCS, 0, 2, {0x0c800000, 0}             }, /* MI_URB_CLEAR */
        {G(7),   GPUCMD_I915_RCS, 0, 3, {0x13800001, 0, DATA_VA}    }, /* MI_CLFLUSH */
        {G(7),   GPUCMD_I915_RCS, 1, 1, {0x06800004}                }, /* MI_TOPOLOGY_FILTER */
        {G(9),   GPUCMD_I915_VCS, 1, 1, {0x0700000f}                }, /* MI_SET_APPID */
        {G(3),   GPUCMD_I915_RCS, 1, 2, {0x08800000, 0}             }, /* MI_OVERLAY_FLIP */
        {G(7),   GPUCMD_I915_RCS, 1, 2, {0x09000000, 0}             }, /* _SCAN_LINES_INCL */
        {G(7),   GPUCMD_I915_RCS, 1, 2, {0x09800000, 0}             }, /* _SCAN_LINES_EXCL */
        {G(7),   GPUCMD_I915_BCS, 1, 3, {0x0a000001, 0x200, DATA_VA}}, /* MI_DISPLAY_FLIP */
        {G(2),   GPUCMD_I915_RCS, 1, 2, {0x0b800000, 0}             }, /* MI_VERTEX_BUFFER */
        {G(7),   GPUCMD_I915_RCS, 1, 3, {0x11800001, DATA_VA, 0}    }, /* MI_UPDATE_GTT */
        {G(8),   GPUCMD_I915_RCS, 1, 4, {0x16000002, 0, DATA_VA, 0} }, /* MI_LOAD_URB_MEM */
        {G(8),   GPUCMD_I915_RCS, 1, 4, {0x16800002, 0, DATA_VA, 0} }, /* MI_STORE_URB_MEM */
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        static uint32_t words[5], regs[GPUCMD_I915_WINDOW_BYTES / 4];
        const uint32_t n = of[i].len_dw;
        memcpy(words, of[i].words, sizeof of[i].words);
        words[n] = 0x00412345; /* MI_NOOP: the next command is executed, and NOPID is its number */
        start(of[i].gen, of[i].engine);
        memcpy(regs, cs.reg, sizeof regs);
        EQUAL(run(words, n + 1), GPUCMD_RUN_IDLE);
        EQUAL(passed_on, of[i].passed_on);
        EQUAL(cs.commands, 3);
        EQUAL(cs.interrupts, 0);
        regs[0x94 / 4] = 0x12345;
        regs[0x68 / 4] = 0x05000000; /* IPEHR: MI_BATCH_BUFFER_END */
        CHECK(memcmp(regs, cs.reg, sizeof regs) == 0);
        CHECK(data[0] == 0 && memcmp(data, data + 1, sizeof data - 1) == 0);
    }
}

int main(void)
{
    known_good();
    written();
    written_xe();
    short_stores();
    result_2();
    wakeup();
    without_effect();
    short_pipe_control();
    walker(G(12_5), 39, 26, 4);
    walker(G(12_7), 39, 26, 4);
    walker(G(20), 40, 27, 8);
    walker(G(30), 40, 27, 8);
    predicates();
    printed();
    mem_copies();
    surfaces(G(12), 1, 2, 0);
    surfaces(G(12_5), 1, 1, 0);
    surfaces(G(12_7), 2, 2, 3u << 30);
    surfaces(G(20), 2, 2, 3u << 30);
    surfaces(G(30), 0, 0, 3u << 30);
    return test_report("i915_xe");
}

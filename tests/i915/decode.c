/* Walker, decoder, printer and checker: end conditions, lengths that depend on more than the first
 * word, text, one bad batch for each finding. */
#include "gpucmd_i915.h"
#include "test.h"

static gpucmd_i915_cmdset cmdset;

static void use(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen, engine), GPUCMD_OK);
}

/* 3D and media lengths: generation, engine, first word, words. */
static void lengths(void)
{
    /* clang-format off */
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        uint32_t word, want;
    } rows[] = {
        {GPUCMD_I915_GEN4,    GPUCMD_I915_RCS,  0x61040001, 1     }, /* PIPELINE_SELECT */
        {GPUCMD_I915_GEN4,    GPUCMD_I915_RCS,  0x780b0001, 1     },
        {GPUCMD_I915_GEN4_5,  GPUCMD_I915_RCS,  0x69040001, 1     },
        {GPUCMD_I915_GEN7_5,  GPUCMD_I915_RCS,  0x61040000, 2     }, /* GPGPU_CSR_BASE_ADDRESS */
        {GPUCMD_I915_GEN9,    GPUCMD_I915_RCS,  0x61040001, 3     },
        {GPUCMD_I915_GEN4,    GPUCMD_I915_RCS,  0x60003f01, 3     }, /* URB_FENCE has flags */
        {GPUCMD_I915_GEN7,    GPUCMD_I915_RCS,  0x791701ff, 0x201 }, /* 3DSTATE_SO_DECL_LIST */
        {GPUCMD_I915_GEN8,    GPUCMD_I915_RCS,  0x783907ff, 0x801 }, /* 3DSTATE_DX9_CONSTANTF_VS */
        {GPUCMD_I915_GEN11,   GPUCMD_I915_RCS,  0x783907ff, 0x101 },
        {GPUCMD_I915_GEN9,    GPUCMD_I915_RCS,  0x7001ffff, 0x10001}, /* MEDIA_CURBE_LOAD */
        {GPUCMD_I915_GEN11,   GPUCMD_I915_RCS,  0x7100ffff, 0x8001}, /* MEDIA_OBJECT */
        {GPUCMD_I915_GEN9,    GPUCMD_I915_RCS,  0x7105400d, 15    }, /* GPGPU_WALKER */
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS,  0x72080225, 39    }, /* COMPUTE_WALKER */
        {GPUCMD_I915_GEN12,   GPUCMD_I915_RCS,  0x78220001, 3     },
        {GPUCMD_I915_GEN9,    GPUCMD_I915_RCS,  0x7b000105, 7     }, /* predicated 3DPRIMITIVE */
        {GPUCMD_I915_GEN7,    GPUCMD_I915_VCS,  0x68000000, 1     }, /* MFX_WAIT */
        {GPUCMD_I915_GEN7,    GPUCMD_I915_VCS,  0x70000fff, 0x1001},
        {GPUCMD_I915_GEN9,    GPUCMD_I915_VCS,  0x76000fff, 0x1001},
        {GPUCMD_I915_GEN9,    GPUCMD_I915_VCS,  0x7600ffff, 0x10001},
        {GPUCMD_I915_GEN9,    GPUCMD_I915_BCS,  0x7a000004, 0     }, /* the blitter has none */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x66014142, 1     },
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7d040cf3, 5     }, /* LOAD_STATE_IMMEDIATE_1 */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7d070005, 6     }, /* LOAD_INDIRECT, bias 1 */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7d9c0005, 7     }, /* CLEAR_PARAMETERS */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7f00000b, 13    }, /* inline vertices */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7f800006, 2     }, /* sequential */
        {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  0x7f820003, 3     }, /* three indices */
        {GPUCMD_I915_GEN6,    GPUCMD_I915_RCS,  0x54f00006, 0     }, /* blits moved away */
        {GPUCMD_I915_GEN5,    GPUCMD_I915_RCS,  0x54f00006, 8     },
        {GPUCMD_I915_GEN5,    GPUCMD_I915_RCS,  0x18800080, 2     }, /* flags above the length */
    };
    /* clang-format on */
    static const uint32_t list[] = {0x7f820000, 0x00010000, 0xffff0002, 0x05000000};
    static const uint32_t low_list[] = {0x7f820000, 0x00010000, 0x0002ffff, 0x05000000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        use(rows[i].gen, rows[i].engine);
        EQUAL(gpucmd_i915_length_dw(&cmdset, &rows[i].word, 1), rows[i].want);
    }
    use(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_length_dw(&cmdset, list, 4), 3); /* up to the index 0xffff */
    EQUAL(gpucmd_i915_length_dw(&cmdset, list, 2), 3); /* which is not among two words */
    EQUAL(gpucmd_i915_length_dw(&cmdset, low_list, 4), 3);
}

static void walks(void)
{
    static const uint32_t words[] = {0x00000000, 0x10000002, 0,       0,
                                     0,          0x18800100, 0x22000, 0x05000000};
    static const uint32_t hole[] = {0x00000000, 0x80000000, 0x05000000};
    gpucmd_i915_walk k;
    gpucmd_i915_part part = {0};
    use(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    gpucmd_i915_walk_init(&k, &cmdset, words, 8);
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == words);
    EQUAL(part.len_dw, 1);
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == words + 1);
    EQUAL(part.len_dw, 4);
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == words + 5);
    EQUAL(part.len_dw, 2);
    CHECK(gpucmd_i915_ends_batch(GPUCMD_I915_GEN6, words[5]));
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == words + 7);
    CHECK(!gpucmd_i915_walk_next(&k, &part));
    CHECK(part.dw == words + 7 && part.len_dw == 1); /* unchanged */
    EQUAL(k.status, GPUCMD_OK);
    gpucmd_i915_walk_init(&k, &cmdset, words, 3);
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == words);
    CHECK(!gpucmd_i915_walk_next(&k, &part));
    EQUAL(k.status, GPUCMD_TRUNCATED);
    gpucmd_i915_walk_init(&k, &cmdset, hole, 3);
    CHECK(gpucmd_i915_walk_next(&k, &part) && part.dw == hole);
    CHECK(!gpucmd_i915_walk_next(&k, &part));
    EQUAL(k.status, GPUCMD_INVALID);
    gpucmd_i915_walk_init(&k, &cmdset, NULL, 0);
    CHECK(!gpucmd_i915_walk_next(&k, &part));
    EQUAL(k.status, GPUCMD_OK);
    /* END ends with any low bits; a start ends unless it is a call */
    CHECK(gpucmd_i915_ends_batch(GPUCMD_I915_GEN12_5, 0x05008001));
    CHECK(!gpucmd_i915_ends_batch(GPUCMD_I915_GEN9, 0x18c00101));
    CHECK(gpucmd_i915_ends_batch(GPUCMD_I915_GEN7, 0x18c00100));
    CHECK(!gpucmd_i915_ends_batch(GPUCMD_I915_GEN9, 0x7a000004));
    CHECK(!gpucmd_i915_ends_batch(GPUCMD_I915_GEN12, 0x18a00101)); /* for another streamer */
    CHECK(gpucmd_i915_ends_batch(GPUCMD_I915_GEN12, 0x18900101));
}

static void decodes(void)
{
    static const uint32_t words[] = {0x11080901, 0x2600, 5, 0};
    gpucmd_i915_cmd cmd;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_i915_decode(&cmdset, words, 4, &cmd);
    EQUAL(cmd.op, GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM);
    EQUAL(cmd.len_dw, 3);
    EQUAL(cmd.stray, 0x00080000); /* relative offsets came with gen11 */
    EQUAL(cmd.status, GPUCMD_OK);
    gpucmd_i915_decode(&cmdset, words, 2, &cmd);
    EQUAL(cmd.len_dw, 2);
    EQUAL(cmd.want_dw, 3);
    EQUAL(cmd.status, GPUCMD_TRUNCATED);
    use(GPUCMD_I915_GEN11, GPUCMD_I915_RCS);
    gpucmd_i915_decode(&cmdset, words, 4, &cmd);
    EQUAL(cmd.stray, 0);
    use(GPUCMD_I915_GEN2, GPUCMD_I915_RCS);
    gpucmd_i915_decode(&cmdset, words, 4, &cmd);
    EQUAL(cmd.op, GPUCMD_I915_OP_UNKNOWN);
    EQUAL(cmd.len_dw, 1);
    EQUAL(cmd.status, GPUCMD_INVALID);
}

/* The first bit above the length field is reserved. */
static void strays(void)
{
    static const uint32_t color[] = {0x50000104, 0, 0, 0, 0, 0};
    static const uint32_t pipe[] = {0x7a000104, 0, 0, 0, 0, 0};
    static const uint32_t plain[] = {0x14000041, 0, 0, 0, 0, 0}; /* six bits */
    gpucmd_i915_cmd cmd;
    use(GPUCMD_I915_GEN8, GPUCMD_I915_BCS);
    gpucmd_i915_decode(&cmdset, color, 6, &cmd);
    EQUAL(cmd.op, GPUCMD_I915_OP_COLOR_BLT);
    EQUAL(cmd.len_dw, 6);
    EQUAL(cmd.stray, 0x100);
    use(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    gpucmd_i915_decode(&cmdset, pipe, 6, &cmd);
    EQUAL(cmd.op, GPUCMD_I915_OP_PIPE_CONTROL);
    EQUAL(cmd.len_dw, 6);
    EQUAL(cmd.stray, 0x100);
    gpucmd_i915_decode(&cmdset, plain, 6, &cmd);
    EQUAL(cmd.op, GPUCMD_I915_OP_MI_REPORT_PERF_COUNT);
    EQUAL(cmd.len_dw, 3);
    EQUAL(cmd.stray, 0x40);
}

static void names(void)
{
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    uint32_t base = 0;
    EQUAL(gpucmd_i915_gen_from_name("4.5", &gen), GPUCMD_OK);
    EQUAL(gen, 45);
    EQUAL(gpucmd_i915_gen_from_name("12.5", &gen), GPUCMD_OK);
    EQUAL(gen, 125);
    EQUAL(gpucmd_i915_gen_from_name("12.", &gen), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_gen_from_name("10", &gen), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_engine_from_name("vecs", &engine), GPUCMD_OK);
    EQUAL(engine, GPUCMD_I915_VECS);
    EQUAL(gpucmd_i915_engine_from_name("vec", &engine), GPUCMD_RANGE);
    CHECK(strcmp(gpucmd_i915_gen_name(GPUCMD_I915_GEN7_5), "7.5") == 0);
    CHECK(strcmp(gpucmd_i915_engine_name(GPUCMD_I915_CCS), "ccs") == 0);
    CHECK(strcmp(gpucmd_i915_op_name(GPUCMD_I915_OP_PIPE_CONTROL), "PIPE_CONTROL") == 0);
    CHECK(strcmp(gpucmd_i915_op_name(GPUCMD_I915_OP_UNKNOWN), "UNKNOWN") == 0);
    use(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    CHECK(strcmp(gpucmd_i915_name(&cmdset, 0x79170000), "3DSTATE_SO_DECL_LIST") == 0);
    EQUAL(gpucmd_i915_engine_base(GPUCMD_I915_GEN5, GPUCMD_I915_VCS, 0, &base), GPUCMD_OK);
    EQUAL(base, 0x4000);
    EQUAL(gpucmd_i915_engine_base(GPUCMD_I915_GEN11, GPUCMD_I915_VECS, 1, &base), GPUCMD_OK);
    EQUAL(base, 0x1d8000);
    EQUAL(gpucmd_i915_engine_base(GPUCMD_I915_GEN5, GPUCMD_I915_BCS, 0, &base), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN7, GPUCMD_I915_VECS), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)10, GPUCMD_I915_RCS),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)95, GPUCMD_I915_RCS),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)126, GPUCMD_I915_RCS),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, (gpucmd_i915_engine)3),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, (gpucmd_i915_engine)0),
          GPUCMD_UNSUPPORTED);
}

static void prints(void)
{
    static const uint32_t words[] = {0x0e40c002, 7, 0x1000, 1, 0x00400005, 0x80000000};
    char text[512];
    gpucmd_text t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, 6, 0x22000), 4);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words + 4, 2, 0x22010), 1);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words + 5, 1, 0x22014), 1);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, 1, 0x22018), 1);
    CHECK(strcmp(text,
                 "00022000: 0e40c002 MI_SEMAPHORE_WAIT GGTT=1 POLL=1 COMPARE=4\n"
                 "00022004: 00000007   DATA=0x7\n"
                 "00022008: 00001000   ADDRESS=0x1000\n"
                 "0002200c: 00000001   ADDRESS_HIGH=0x1\n"
                 "00022010: 00400005 MI_NOOP WRITE_ID=1 ID=0x5\n"
                 "00022014: 80000000 UNKNOWN\n"
                 "00022018: 0e40c002 MI_SEMAPHORE_WAIT GGTT=1 POLL=1 COMPARE=4 TRUNCATED\n") == 0);
    if (test.failed != 0) {
        printf("%s", text);
    }
}

/* Names of fields that end like a suffix of a generation, but with a letter. [GX] */
static void prints_names(void)
{
    static const uint32_t copy[] = {0x17600003, 0, 0, 0, 0};
    static const uint32_t flush[] = {0x7a000004, 0x01000000, 0, 0, 0, 0};
    char text[128];
    gpucmd_text t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, copy, 5, 0), 5);
    CHECK(strncmp(text, "00000000: 17600003 MI_COPY_MEM_MEM SRC_GGTT=1 DST_GGTT=1\n", 57) == 0);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, flush, 6, 0), 6);
    CHECK(strncmp(text,
                  "00000000: 7a000004 PIPE_CONTROL\n"
                  "00000004: 01000000   GGTT=1\n",
                  57) == 0);
}

/* Names that end in a digit keep it; a field of one byte is decimal. */
static void prints_blits(void)
{
    static const uint32_t clip[] = {0x40c00001, 0x00020001, 0x00040003};
    static const uint32_t color[] = {0x54000004, 0x03f00040}, merge[] = {0x54000004, 0x030c0040};
    static const uint32_t fast[] = {0x50800008, 0x40000000};
    char text[512];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    use(GPUCMD_I915_GEN7, GPUCMD_I915_BCS);
    EQUAL(gpucmd_i915_print(&t, &cmdset, clip, 3, 0), 3);
    EQUAL(gpucmd_i915_print(&t, &cmdset, color, 2, 0), 2);
    EQUAL(gpucmd_i915_print(&t, &cmdset, merge, 2, 0), 2);
    use(GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS);
    EQUAL(gpucmd_i915_print(&t, &cmdset, fast, 2, 0), 2);
    CHECK(strcmp(text, "00000000: 40c00001 XY_SETUP_CLIP_BLT\n"
                       "00000004: 00020001   CLIP_Y1=0x2 CLIP_X1=0x1\n"
                       "00000008: 00040003   CLIP_Y2=0x4 CLIP_X2=0x3\n"
                       "00000000: 54000004 XY_COLOR_BLT TRUNCATED\n"
                       "00000004: 03f00040   DEPTH=3 ROP=240 PITCH=0x40\n"
                       "00000000: 54000004 XY_COLOR_BLT TRUNCATED\n"
                       "00000004: 030c0040   DEPTH=3 ROP=12 PITCH=0x40\n"
                       "00000000: 50800008 XY_FAST_COPY_BLT TRUNCATED\n"
                       "00000004: 40000000   DST_TILE4=1\n") == 0);
}

/* The words of a command among those that are left; 0: no command. */
static void words_left(void)
{
    static const uint32_t words[] = {0x11000001, 0x2600, 1, 0x80000000};
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_command_dw(&cmdset, words, 4), 3);
    EQUAL(gpucmd_i915_command_dw(&cmdset, words, 3), 3);
    EQUAL(gpucmd_i915_command_dw(&cmdset, words, 2), 2);
    EQUAL(gpucmd_i915_command_dw(&cmdset, words + 3, 1), 0);
}

/* The value of a store has a name on every generation, further values have none. */
static void prints_stores(void)
{
    static const uint32_t old[] = {0x10000002, 0, 0x1000, 7};
    static const uint32_t two[] = {0x10000003, 0x1000, 0, 7, 8};
    char text[512];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    use(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_print(&t, &cmdset, old, 4, 0), 4);
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_print(&t, &cmdset, two, 5, 0), 5);
    CHECK(strcmp(text, "00000000: 10000002 MI_STORE_DATA_IMM\n"
                       "00000004: 00000000\n"
                       "00000008: 00001000   ADDRESS=0x1000\n"
                       "0000000c: 00000007   DATA=0x7\n"
                       "00000000: 10000003 MI_STORE_DATA_IMM\n"
                       "00000004: 00001000   ADDRESS=0x1000\n"
                       "00000008: 00000000   ADDRESS_HIGH=0x0\n"
                       "0000000c: 00000007   DATA=0x7\n"
                       "00000010: 00000008\n") == 0);
}

static void prints_flaws(void)
{
    static const uint32_t media = 0x70020002, stray = 0x11080001, interrupt = 0x01000001;
    static const uint32_t context[] = {0x0c000000, 0x12345000};
    char text[256];
    gpucmd_text t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, &media, 1, 0x7fff12345670), 1);
    EQUAL(gpucmd_i915_print(&t, &cmdset, &stray, 1, 0x100000000), 1);
    EQUAL(gpucmd_i915_print(&t, &cmdset, &interrupt, 1, 0x20), 1);
    CHECK(strcmp(text, "7fff12345670: 70020002 MEDIA_INTERFACE_DESCRIPTOR_LOAD TRUNCATED\n"
                       "100000000: 11080001 MI_LOAD_REGISTER_IMM stray=0x80000 TRUNCATED\n"
                       "00000020: 01000001 MI_USER_INTERRUPT stray=0x1\n") == 0);
    /* an address of pages keeps its place */
    use(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, context, 2, 0), 2);
    CHECK(strcmp(text, "00000000: 0c000000 MI_SET_CONTEXT\n"
                       "00000004: 12345000   ADDRESS=0x12345000\n") == 0);
}

static const char *any_name(void *user, uint32_t unit, uint32_t addr)
{
    (void)unit, (void)addr;
    return user;
}

static const char *reg_name(void *user, uint32_t unit, uint32_t addr)
{
    EQUAL(unit, GPUCMD_I915_RCS);
    *(uint32_t *)user = addr;
    return addr == 0x2358 ? "the clock" : NULL;
}

/* A field that is 0 is printed if it is an address, a word or a comparison. Registers have the
 * names of a callback, then their own. */
static void prints_zeros_and_names(void)
{
    static const uint32_t wait[] = {0x0e400002, 0, 0, 0};     /* wait until memory > 0 */
    static const uint32_t end[] = {0x1b200002, 8, 0x1000, 0}; /* no end if memory > 8 */
    static const uint32_t store[] = {0x12400002, 0x2358, 0, 0};
    static const uint32_t load[] = {0x11000003, 0x2358, 0, 0x2600, 1};
    char text[1024], longer[301];
    uint32_t addr = 0;
    gpucmd_text t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, wait, 4, 0), 4);
    EQUAL(gpucmd_i915_print_names(&t, &cmdset, store, 4, 0, reg_name, &addr), 4);
    EQUAL(addr, 0x2358);
    EQUAL(gpucmd_i915_print_names(&t, &cmdset, load, 5, 0, reg_name, &addr), 5);
    EQUAL(addr, 0x2600);
    use(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_print(&t, &cmdset, end, 4, 0), 4);
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    if (!CHECK(strcmp(text, "00000000: 0e400002 MI_SEMAPHORE_WAIT GGTT=1 COMPARE=0\n"
                            "00000004: 00000000   DATA=0x0\n"
                            "00000008: 00000000   ADDRESS=0x0\n"
                            "0000000c: 00000000   ADDRESS_HIGH=0x0\n"
                            "00000000: 12400002 MI_STORE_REGISTER_MEM GGTT=1\n"
                            "00000004: 00002358   REGISTER=0x8d6 the clock\n"
                            "00000008: 00000000   ADDRESS=0x0\n"
                            "0000000c: 00000000   ADDRESS_HIGH=0x0\n"
                            "00000000: 11000003 MI_LOAD_REGISTER_IMM\n"
                            "00000004: 00002358   the clock\n"
                            "00000008: 00000000\n"
                            "0000000c: 00002600   rcs0.CS_GPR0\n"
                            "00000010: 00000001\n"
                            "00000000: 1b200002 MI_CONDITIONAL_BATCH_BUFFER_END COMPARE_ENABLE=1 "
                            "COMPARE=0\n"
                            "00000004: 00000008   DATA=0x8\n"
                            "00000008: 00001000   ADDRESS=0x1000\n"
                            "0000000c: 00000000   ADDRESS_HIGH=0x0\n") == 0)) {
        printf("%s", text);
    }
    /* a name of any length, in text of any size */
    memset(longer, 'n', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    for (size_t cap = 1; cap <= sizeof text; cap++) {
        gpucmd_text_init(&t, text, cap);
        EQUAL(gpucmd_i915_print_names(&t, &cmdset, store, 2, 0, any_name, longer), 2);
        EQUAL(t.need_bytes, 58 + 337);
        CHECK(strlen(text) == (cap <= 395 ? cap - 1 : 395));
    }
}

/* Hexadecimal numbers have the digits that the C library prints. */
static void prints_digits(void)
{
    char text[256], want[256];
    gpucmd_text t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    for (uint32_t bit = 0; bit < 32; bit++) {
        for (uint32_t less = 0; less < 2; less++) {
            const uint32_t v = (1u << bit) - less;
            const uint32_t wait[] = {0x0e400002, v, 0, 0};
            gpucmd_text_init(&t, text, sizeof text);
            EQUAL(gpucmd_i915_print(&t, &cmdset, wait, 3, v), 3);
            (void)snprintf(want, sizeof want,
                           "%08x: 0e400002 MI_SEMAPHORE_WAIT GGTT=1 COMPARE=0 TRUNCATED\n"
                           "%08llx: %08x   DATA=0x%x\n",
                           v, (unsigned long long)v + 4, v, v);
            CHECK(strncmp(text, want, strlen(want)) == 0);
        }
    }
}

/* Long lines in buffers of every size: the characters that fit, and no store
 * after the end. */
static void prints_into_every_room(void)
{
    static const uint32_t words[] = {0x7a000004, 0xffffffff, 0xfffffffc, 0xffff, 0x12345678, 0};
    static const char tail[] = "0000000c: 0000ffff   ADDRESS_HIGH=0xffff\n"
                               "00000010: 12345678   DATA=0x12345678\n"
                               "00000014: 00000000   DATA_HIGH=0x0\n";
    static char whole[2048], text[2048];
    gpucmd_text t;
    size_t need;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_text_init(&t, whole, sizeof whole);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, 6, 0), 6);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    need = t.len_bytes;
    CHECK(need > 500);
    CHECK(strstr(whole, " CS_STALL=1 ") != NULL);
    CHECK(strcmp(whole + need - (sizeof tail - 1), tail) == 0);
    for (size_t room = 1; room < need + 500; room++) {
        const size_t fits = room - 1 < need ? room - 1 : need;
        memset(text, '#', sizeof text);
        gpucmd_text_init(&t, text, room);
        EQUAL(gpucmd_i915_print(&t, &cmdset, words, 6, 0), 6);
        EQUAL(gpucmd_text_finish(&t), room > need ? GPUCMD_OK : GPUCMD_FULL);
        EQUAL(t.need_bytes, need);
        EQUAL(t.len_bytes, fits);
        CHECK(memcmp(text, whole, fits) == 0 && text[fits] == '\0' && text[room] == '#');
    }
}

static uint32_t seen[64], seen_at[64], seen_value[64];

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    if (CHECK(f->rule < 64)) {
        seen[f->rule]++;
        seen_at[f->rule] = (uint32_t)(f->at_bytes / 4);
        seen_value[f->rule] = (uint32_t)f->value;
    }
    CHECK(f->severity == gpucmd_i915_rule_severity(f->rule));
    CHECK(f->name == gpucmd_i915_rule_name(f->rule) && f->name[0] != '?');
    CHECK(f->text == gpucmd_i915_rule_text(f->rule) && f->text[0] != '?');
    if (user != NULL) {
        EQUAL(f->at_va, *(const uint64_t *)user + f->at_bytes);
    }
    return GPUCMD_OK;
}

/* A batch, the rule that it breaks, and at which word;
 * GPUCMD_I915_RULE_TRUNCATED + 100: no finding. */
#define NOTHING 100
static void findings(void)
{
    /* clang-format off */
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        uint64_t va;
        uint32_t len_dw;
        bool secure, second_level, ring;
        uint32_t words[24];
        unsigned rule, at_dw;
        uint32_t value; /* 0: the word at at_dw */
        unsigned also;  /* another finding; 0: none */
    } rows[] = {
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, false, {0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0, 0x10000004, 0, 0x05000000}, GPUCMD_I915_RULE_TRUNCATED, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, false, {0xa0000000, 0x05000000}, GPUCMD_I915_RULE_UNKNOWN, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x0b140001, 0, 0, 0x05000000}, GPUCMD_I915_RULE_GENERATION, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x54300005, 0, 0, 0, 0, 0, 0, 0x05000000}, GPUCMD_I915_RULE_ENGINE, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0, 8, false, false, false, {0x7a000004, 0, 0, 0, 0, 0, 0x05000000}, GPUCMD_I915_RULE_ENGINE, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x11000000, 0x2600, 0x05000000}, GPUCMD_I915_RULE_LENGTH, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x12000001, 0x2600, 0x1000, 0x05000000}, GPUCMD_I915_RULE_LENGTH, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, false, {0, 0}, GPUCMD_I915_RULE_NO_END, 2, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 4, 2, false, false, false, {0x05000000}, GPUCMD_I915_RULE_BATCH_ALIGN, 0, 8, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 1, false, false, false, {0x05000000}, GPUCMD_I915_RULE_BATCH_ALIGN, 0, 4, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, false, {0x04000001, 0x05000000}, GPUCMD_I915_RULE_PRIVILEGED, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, true, false, false, {0x04000001, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7, GPUCMD_I915_RCS, 0, 2, false, false, false, {0x01000000, 0x05000000}, GPUCMD_I915_RULE_PRIVILEGED, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x10400002, 0, 0, 0, 0x05000000}, GPUCMD_I915_RULE_PRIVILEGED, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x7a000004, 0x01004000, 0, 0, 0, 0, 0x05000000}, GPUCMD_I915_RULE_PRIVILEGED, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0x2050, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 1, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0xb038, 1, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 1, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0xb038, 0x08000000, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x12000001, 0xb038, 0x1000, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x14800001, 0xb038, 0x1000, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 1, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15000001, 0x2600, 0xb038, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 2, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15000001, 0xb038, 0x2600, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0x2600, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN8, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15000001, 0x2358, 0x2600, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15000001, 0x2600, 0x2358, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 2, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x11000001, 0x2602, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, true, false, false, {0x1b200002, 0, 0x1004, 0, 0x05000000}, GPUCMD_I915_RULE_ADDRESS_ALIGN, 2, 0, 0},
        /* a 64-bit store of PIPE_CONTROL is 8-byte aligned; 32-bit stores,
         * registers and unused addresses need not be */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x7a000004, 0x00104000, 0x1004, 0, 7, 0, 0x05000000}, GPUCMD_I915_RULE_ADDRESS_ALIGN, 2, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x7a000004, 0x00104000, 0x1008, 0, 7, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x7a000004, 0x00100000, 0x1004, 0, 7, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 8, false, false, false, {0x7a000004, 0x00800000, 0x2604, 0, 7, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x7a000003, 0x0010c000, 0x1004, 0, 0, 0x05000000}, GPUCMD_I915_RULE_ADDRESS_ALIGN, 2, 0, 0},
        {GPUCMD_I915_GEN7, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x7a000002, 0x00104000, 0x1004, 7, 0x05000000, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0x1000, 4, false, false, false, {0x18800101, 0x1000, 0, 0}, GPUCMD_I915_RULE_SELF_JUMP, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, true, false, {0x18c00101, 0x1000, 0, 0x05000000}, GPUCMD_I915_RULE_SECOND_LEVEL, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x15000001, 0x2602, 0x2600, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, 0, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15080001, 0x2600, 0x600, 0x05000000}, NOTHING, 0, 0, 0},
        /* bit 19: the register counts from the base of the engine; before gen11 it is reserved */
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11080001, 0x580, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11080001, 0x50, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 1, 0x2050, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0x2580, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x14880002, 0x580, 0x1000, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x14800002, 0x2580, 0x1000, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x15040001, 0x600, 0x2600, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11080001, 0x2600, 0, 0x05000000}, GPUCMD_I915_RULE_RESERVED, 0, 0x00080000, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, false, {0x05000004}, GPUCMD_I915_RULE_RESERVED, 0, 4, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x05000000, 0, 7}, GPUCMD_I915_RULE_AFTER_END, 2, 0, 0},
        /* a ring may do everything and needs no end */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, true, {0x04000001, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x11000001, 0x2050, 0, 0}, NOTHING, 0, 0, 0},
        /* TAIL is bits 20:3: a word after the last pair is not executed [PRM7]. Batches return to the
         * ring; a command passes TAIL; nothing can end. */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 3, false, false, true, {0x04000001, 0, 0}, GPUCMD_I915_RULE_RING_TAIL, 2, 12, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0x1004, 3, false, false, true, {0x04000001, 0, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0x1004, 2, false, false, true, {0x04000001, 0, 0}, GPUCMD_I915_RULE_RING_TAIL, 1, 0x100c, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 1, false, false, true, {0xa0000000}, GPUCMD_I915_RULE_RING_TAIL, 0, 4, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 0, false, false, true, {0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 3, false, false, true, {0x10800001, 0x40, 1}, GPUCMD_I915_RULE_PAST_TAIL, 0, 0, GPUCMD_I915_RULE_RING_TAIL},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 2, false, false, true, {0x10800001, 0x40}, GPUCMD_I915_RULE_PAST_TAIL, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, true, {0x18800101, 0x1000, 0, 0xa0000000, 0, 0}, GPUCMD_I915_RULE_UNKNOWN, 3, 0, 0},
        {GPUCMD_I915_GEN6, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x18800100, 0x1000, 0x05000000, 0}, GPUCMD_I915_RULE_END_IN_RING, 2, 0, 0},
        {GPUCMD_I915_GEN6, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x05000000, 0, 0xa0000000, 0}, GPUCMD_I915_RULE_UNKNOWN, 2, 0, GPUCMD_I915_RULE_END_IN_RING},
        /* A batch of the first level does not return; with bit 22 it is called, from gen7.5 on. */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x18800101, 0x1000, 0, 0x05000000}, GPUCMD_I915_RULE_AFTER_START, 3, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x18800101, 0x1000, 0, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x18c00101, 0x1000, 0, 0x05000000}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN6, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x18800100, 0x1000, 0x02000000, 0x05000000}, GPUCMD_I915_RULE_AFTER_START, 2, 0, 0},
        /* gen6 drops every register write of a non-secure batch, gen5 none */
        {GPUCMD_I915_GEN6, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0x2358, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER, 1, 0, 0},
        {GPUCMD_I915_GEN5, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x11000001, 0x2358, 0, 0x05000000}, NOTHING, 0, 0, 0},
        /* a register is 22:2 */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, true, false, false, {0x12000002, 0x00802600, 0x1000, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x15000001, 0x00802600, 0x2608, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x15000001, 0x2600, 0x00802608, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 2, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x11000001, 0x00802600, 0, 0x05000000}, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, true, false, false, {0x11000001, 0x007ffffc, 0, 0x05000000}, NOTHING, 0, 0, 0},
        /* MI_LOAD_URB_MEM: URB address 14:2, no address of memory */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x16000002, 0x00000001, 0, 0, 0x05000000}, GPUCMD_I915_RULE_RESERVED, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x16000002, 0x00008000, 0, 0, 0x05000000}, GPUCMD_I915_RULE_RESERVED, 1, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x16000002, 0x00007ffc, 0, 0, 0x05000000}, NOTHING, 0, 0, 0},
        /* MI_FORCE_WAKEUP: enables 1:0, their mask 31:16 */
        {GPUCMD_I915_GEN9, GPUCMD_I915_VCS, 0, 4, false, false, false, {0x0e800000, 0x00000004, 0x05000000}, GPUCMD_I915_RULE_RESERVED, 1, 0, 0},
        /* XY_BLOCK_COPY_BLT: words 16 to 21 of gen12.5 */
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10000000}, GPUCMD_I915_RULE_RESERVED, 16, 0, 0},
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00000004}, GPUCMD_I915_RULE_RESERVED, 18, 0, 0},
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00000004}, GPUCMD_I915_RULE_RESERVED, 21, 0, 0},
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xffe40f1b}, NOTHING, 0, 0, 0},
        /* gen20: bits 23:22 of DW1 and DW8 are reserved; igt sets those of DW1 */
        {GPUCMD_I915_GEN20, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0x00c00000, 0, 0x00010001}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN20, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0x00040000, 0, 0x00010001}, GPUCMD_I915_RULE_RESERVED, 1, 0, 0},
        {GPUCMD_I915_GEN20, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0x00800000}, GPUCMD_I915_RULE_RESERVED, 8, 0, 0},
        {GPUCMD_I915_GEN20, GPUCMD_I915_BCS, 0, 22, false, false, true, {0x50400014, 0, 0, 0x00010001, 0, 0, 0, 0, 0x00400000}, GPUCMD_I915_RULE_RESERVED, 8, 0, 0},
        /* of the upper half of an address 15:0 count: it may be canonical */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0x800000001000, 4, false, false, false, {0x18800101, 0x1000, 0xffff8000, 0}, GPUCMD_I915_RULE_SELF_JUMP, 0, 0, 0},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0xffff800000001000, 4, false, false, false, {0x18800101, 0x1000, 0x00008000, 0}, GPUCMD_I915_RULE_SELF_JUMP, 0, 0, 0},
        /* gen12.5 nests */
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS, 0, 4, false, true, false, {0x18c00101, 0x1000, 0, 0x05000000}, NOTHING, 0, 0, 0},
        /* no batch is called as a second level from a ring */
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x18c00101, 0x1000, 0, 0}, GPUCMD_I915_RULE_SECOND_LEVEL, 0, 0, 0},
        /* gen7.5: blitter and video too [PRM7_5]; gen7's blitter: a reserved bit [PRM7] */
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_BCS, 0, 2, false, false, true, {0x18c00100, 0x1000}, GPUCMD_I915_RULE_SECOND_LEVEL, 0, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_VCS, 0, 4, false, true, false, {0x18c00100, 0x1000, 0x05000000, 0}, GPUCMD_I915_RULE_SECOND_LEVEL, 0, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_BCS, 0, 4, false, false, false, {0x18c00100, 0x1000, 0x05000000, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_VCS, 0, 4, false, false, false, {0x18c00100, 0x1000, 0x05000000, 0}, NOTHING, 0, 0, 0},
        {GPUCMD_I915_GEN7, GPUCMD_I915_BCS, 0, 4, false, false, false, {0x18c00100, 0x1000, 0, 0}, GPUCMD_I915_RULE_RESERVED, 0, 0x00400000, 0},
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x18c00101, 0x1000, 0, 0}, GPUCMD_I915_RULE_SECOND_LEVEL, 0, 0, 0},
        {GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS, 0, 4, false, false, true, {0x18800101, 0x1000, 0, 0}, NOTHING, 0, 0, 0},
        /* commands of another engine or generation: the walk continues after
         * them */
        {GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0, 6, false, false, false, {0x79000002, 0xa0000000, 0x05000000, 0, 0x05000000, 7}, GPUCMD_I915_RULE_AFTER_END, 5, 7, GPUCMD_I915_RULE_ENGINE},
        {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 6, false, false, false, {0x0b000001, 0xa0000000, 0x05000000, 0x05000000, 0, 7}, GPUCMD_I915_RULE_AFTER_END, 5, 7, GPUCMD_I915_RULE_GENERATION},
        {GPUCMD_I915_GEN11, GPUCMD_I915_RCS, 0, 4, false, false, false, {0x04800001, 0x05000000, 7}, GPUCMD_I915_RULE_AFTER_END, 2, 7, GPUCMD_I915_RULE_GENERATION},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_check_options options = {on_finding, NULL, 0, false, false, false, false};
        uint64_t va = rows[i].va;
        size_t errors = 0;
        uint32_t total = 0;
        use(rows[i].gen, rows[i].engine);
        options.secure = rows[i].secure;
        options.second_level = rows[i].second_level;
        options.ring = rows[i].ring;
        options.va = va;
        options.user = &va;
        memset(seen, 0, sizeof seen);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].len_dw, &options, &errors),
              GPUCMD_OK);
        for (size_t r = 0; r < 64; r++) {
            total += r != GPUCMD_I915_RULE_UNCHECKED ? seen[r] : 0; /* see lengths.c */
        }
        if (rows[i].rule == NOTHING) {
            EQUAL(total, 0);
        } else if (!EQUAL(total, rows[i].also != 0 ? 2 : 1) ||
                   !CHECK(rows[i].also == 0 || seen[rows[i].also] == 1) ||
                   !EQUAL(seen[rows[i].rule], 1) || !EQUAL(seen_at[rows[i].rule], rows[i].at_dw) ||
                   !EQUAL(seen_value[rows[i].rule],
                          rows[i].value != 0 ? rows[i].value : rows[i].words[rows[i].at_dw])) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

/* A batch starts at a multiple of 8 bytes; the target of MI_BATCH_BUFFER_START at one of 4. */
static void chained(void)
{
    static const uint32_t words[3] = {0, 0x05000000};
    static const struct {
        uint64_t va;
        uint32_t len_dw;
        bool chained;
        unsigned findings;
    } rows[] = {
        {0x1000, 2, false, 0},
        {0x1004, 2, false, 1},
        {0x1000, 3, false, 1},
        {0x1000, 2, true,  0},
        {0x1004, 2, true,  0},
        {0x1004, 3, true,  0},
        {0x1002, 2, true,  1},
    };
    use(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_check_options options = {on_finding, NULL, 0, false, false, false, false};
        uint64_t va = rows[i].va;
        size_t errors = 0;
        options.chained = rows[i].chained;
        options.va = va;
        options.user = &va;
        memset(seen, 0, sizeof seen);
        EQUAL(gpucmd_i915_check(&cmdset, words, rows[i].len_dw, &options, &errors), GPUCMD_OK);
        EQUAL(seen[GPUCMD_I915_RULE_BATCH_ALIGN], rows[i].findings);
        EQUAL(errors, rows[i].findings);
    }
}

/* Commands of a non-secure batch that lose their access: [K] i915_cmd_parser.c, the bits of the
 * global table and of the status page. A PIPE_CONTROL loses its store, if it has one. Gen6 executes
 * all of them. [PRM6] [PRM7] */
static void privileges(void)
{
    static const struct {
        uint32_t len_dw, words[6];
        bool since_gen8; /* the length belongs to gen8 and later; false: to gen7 */
        bool lost;
    } rows[] = {
        {5, {0x7a000003, 0x00004000, 0x1000, 0, 0},    false, false},
        {5, {0x7a000003, 0x01004000, 0x1000, 0, 0},    false, true },
        {5, {0x7a000003, 0x00204000, 0x1000, 0, 0},    false, true },
        {5, {0x7a000003, 0x01204000, 0x1000, 0, 0},    false, true },
        {5, {0x7a000003, 0x01200000, 0x1000, 0, 0},    false, false},
        {6, {0x7a000004, 0x00008000, 0x1000, 0, 0, 0}, true,  false},
        {6, {0x7a000004, 0x01008000, 0x1000, 0, 0, 0}, true,  true },
        {6, {0x7a000004, 0x0020c000, 0x1000, 0, 0, 0}, true,  true },
        {6, {0x7a000004, 0x01200000, 0x1000, 0, 0, 0}, true,  false},
        {2, {0x7a000000, 0x01004000, 0, 0, 0, 0},      true,  false}, /* too short for a store */
        {3, {0x7a000001, 0x01004000, 0, 0, 0, 0},      true,  true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gpucmd_i915_check_options options = {on_finding, NULL, 0, false, false, false, false};
        use(rows[i].since_gen8 ? GPUCMD_I915_GEN9 : GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
        memset(seen, 0, sizeof seen);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].len_dw, &options, NULL), GPUCMD_OK);
        if (!EQUAL(seen[GPUCMD_I915_RULE_PRIVILEGED], rows[i].lost)) {
            printf("    row %u\n", (unsigned)i);
        }
        use(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
        memset(seen, 0, sizeof seen);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].len_dw, &options, NULL), GPUCMD_OK);
        EQUAL(seen[GPUCMD_I915_RULE_PRIVILEGED], 0);
    }
}

/* A register offset that no command can contain gives one finding.
 * MI_STORE_REGISTER_MEM of gen4 and gen4.5 has address bits in the word of the
 * register. */
static void registers(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t at, words[4];
        bool odd;
    } rows[] = {
        {GPUCMD_I915_GEN3,   1, {0x12000001, 0x00002601, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN7,   1, {0x12000001, 0x00002602, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN7,   1, {0x12000001, 0x00802600, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN7,   1, {0x12000001, 0x007ffffc, 0x1000, 0x05000000}, false},
        {GPUCMD_I915_GEN4,   1, {0x12000001, 0xf0002600, 0x1000, 0x05000000}, false},
        {GPUCMD_I915_GEN4_5, 1, {0x12000001, 0x08002600, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN5,   1, {0x12000001, 0xf0002600, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN7_5, 1, {0x14800001, 0x00002602, 0x1000, 0x05000000}, true },
        {GPUCMD_I915_GEN7_5, 1, {0x15000001, 0x80002600, 0x2608, 0x05000000}, true },
        {GPUCMD_I915_GEN7_5, 2, {0x15000001, 0x00002600, 0x2609, 0x05000000}, true },
        {GPUCMD_I915_GEN7_5, 1, {0x11000001, 0x00002602, 0x0001, 0x05000000}, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_check_options options = {on_finding, NULL, 0, true, false, false, false};
        uint32_t total = 0;
        use(rows[i].gen, GPUCMD_I915_RCS);
        memset(seen, 0, sizeof seen);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, 4, &options, NULL), GPUCMD_OK);
        for (size_t r = 0; r < 64; r++) {
            total += seen[r];
        }
        EQUAL(total, rows[i].odd);
        EQUAL(seen[GPUCMD_I915_RULE_REGISTER_ALIGN], rows[i].odd);
        if (rows[i].odd) {
            EQUAL(seen_at[GPUCMD_I915_RULE_REGISTER_ALIGN], rows[i].at);
        }
    }
}

static gpucmd_status stop(void *user, const gpucmd_i915_finding *f)
{
    (void)f;
    ++*(unsigned *)user;
    return GPUCMD_LIMIT;
}

static void stops(void)
{
    static const uint32_t words[] = {0x04000001, 0x04000001, 0x04000001, 0};
    gpucmd_i915_check_options options = {stop, NULL, 0, false, false, false, false};
    size_t errors = 99;
    unsigned count = 0;
    options.user = &count;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_check(&cmdset, words, 4, &options, &errors), GPUCMD_LIMIT);
    EQUAL(count, 1);
    EQUAL(errors, 99); /* unchanged */
    EQUAL(gpucmd_i915_check(&cmdset, words, 4, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 1); /* NO_END; the reserved bits are warnings */
    EQUAL(gpucmd_i915_check(&cmdset, words, 4, NULL, NULL), GPUCMD_OK);
    options.found = NULL;
    EQUAL(gpucmd_i915_check(&cmdset, words, 4, &options, &errors), GPUCMD_OK);
    EQUAL(errors, 1);
}

static char findings_text[400];

static gpucmd_status print(void *user, const gpucmd_i915_finding *f)
{
    gpucmd_i915_print_finding((gpucmd_text *)user, f);
    gpucmd_text_char((gpucmd_text *)user, '\n');
    return GPUCMD_OK;
}

/* Findings as text: place, severity, name, text, value, name of the register. */
static void finding_lines(void)
{
    static const uint32_t words[] = {0x11000001, 0x00002038, 0x00000001, 0x04000001};
    gpucmd_text t;
    gpucmd_i915_check_options options = {print, NULL, 0, false, false, false, false};
    gpucmd_text_init(&t, findings_text, sizeof findings_text);
    options.user = &t;
    use(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_check(&cmdset, words, 4, &options, NULL), GPUCMD_OK);
    CHECK(strcmp(findings_text,
                 "0x4: warning: REGISTER: a non-secure batch cannot write the register: 0x2038 "
                 "START\n"
                 "0xc: warning: PRIVILEGED: a non-secure batch cannot execute all of the command: "
                 "0x4000001\n"
                 "0x10: error: NO_END: no MI_BATCH_BUFFER_END\n") == 0);
    CHECK(strcmp(gpucmd_i915_rule_name(GPUCMD_I915_RULE_AFTER_END), "AFTER_END") == 0);
    CHECK(strcmp(gpucmd_i915_rule_name((gpucmd_i915_rule)99), "?") == 0);
    CHECK(strcmp(gpucmd_i915_rule_text((gpucmd_i915_rule)99), "?") == 0);
    EQUAL(gpucmd_i915_rule_severity(GPUCMD_I915_RULE_AFTER_END), GPUCMD_SEVERITY_NOTE);
    EQUAL(gpucmd_i915_rule_severity((gpucmd_i915_rule)99), GPUCMD_SEVERITY_ERROR);
}

int main(void)
{
    lengths();
    walks();
    decodes();
    strays();
    names();
    prints();
    prints_names();
    prints_blits();
    words_left();
    prints_stores();
    prints_flaws();
    prints_digits();
    prints_zeros_and_names();
    prints_into_every_room();
    findings();
    chained();
    privileges();
    registers();
    stops();
    finding_lines();
    return test_report("i915_decode");
}

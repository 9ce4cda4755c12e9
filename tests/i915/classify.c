/* Length and class of first words on every engine of every generation, compared
 * with an oracle. The oracle is written from the published tables and shares no
 * code with the header. This program checks all upper halves with 34 lower
 * halves each. With I915_FIRST and I915_LAST (generations times ten) it checks
 * all 2^32 words of each engine of these generations. */
/* suite: long */
#include "gpucmd_i915.h"
#include "test.h"

#ifdef I915_FIRST
#define FULL true
#else
#define FULL       false
#define I915_FIRST 20
#define I915_LAST  300
#define I915_NAME  "i915_classify"
#endif

enum { R = 1, V = 2, B = 4, E = 8, C = 16, GSC = 32, ALL = 63 };

/* Opcode, name, first and last generation (times ten), engines; first match counts. */
static const struct {
    unsigned op;
    const char *name;
    int since, until;
    unsigned engines;
} mi[] = {
    {0x00, "MI_NOOP",                         20,  300, ALL                },
    {0x01, "MI_SET_PREDICATE",                75,  300, ALL                },
    {0x02, "MI_USER_INTERRUPT",               20,  300, ALL                },
    {0x03, "MI_WAIT_FOR_EVENT",               20,  90,  ALL                },
    {0x03, "MI_WAIT_FOR_EVENT",               110, 300, R | B              },
    {0x04, "MI_FLUSH",                        20,  50,  ALL                },
    {0x04, "MI_FLUSH",                        60,  90,  R                  },
    {0x04, "MI_WAIT_FOR_EVENT_2",             110, 300, R | B              },
    {0x05, "MI_ARB_CHECK",                    40,  300, ALL                },
    {0x06, "MI_RS_CONTROL",                   75,  300, R | C              },
    {0x07, "MI_REPORT_HEAD",                  20,  300, ALL                },
    {0x08, "MI_ARB_ON_OFF",                   30,  300, ALL                },
    {0x09, "MI_URB_ATOMIC_ALLOC",             75,  90,  R                  },
    {0x09, "MI_MEM_FENCE",                    200, 300, ALL                },
    {0x0a, "MI_BATCH_BUFFER_END",             20,  300, ALL                },
    {0x0b, "MI_SUSPEND_FLUSH",                50,  300, ALL                },
    {0x0c, "MI_PREDICATE",                    70,  90,  R                  },
    {0x0c, "MI_PREDICATE",                    110, 300, ALL                },
    {0x0d, "MI_TOPOLOGY_FILTER",              70,  300, R | C              },
    {0x0e, "MI_SET_APPID",                    70,  300, ALL                },
    {0x0f, "MI_RS_CONTEXT",                   75,  300, R | C              },
    {0x11, "MI_OVERLAY_FLIP",                 20,  30,  R                  },
    {0x12, "MI_LOAD_SCAN_LINES_INCL",         20,  300, R | B              },
    {0x13, "MI_LOAD_SCAN_LINES_EXCL",         20,  300, R | B              },
    {0x14, "MI_DISPLAY_FLIP",                 20,  300, R | B              },
    {0x16, "MI_SEMAPHORE_MBOX",               60,  75,  ALL                },
    {0x17, "MI_VERTEX_BUFFER",                20,  20,  R                  },
    {0x18, "MI_SET_CONTEXT",                  40,  300, R | C              },
    {0x19, "MI_URB_CLEAR",                    60,  80,  R                  },
    {0x1a, "MI_MATH",                         75,  80,  R                  },
    {0x1a, "MI_MATH",                         90,  300, ALL                },
    {0x1b, "MI_SEMAPHORE_SIGNAL",             80,  300, ALL                },
    {0x1c, "MI_SEMAPHORE_WAIT",               80,  300, ALL                },
    {0x1d, "MI_FORCE_WAKEUP",                 90,  300, ALL                },
    {0x20, "MI_STORE_DATA_IMM",               20,  300, ALL                },
    {0x21, "MI_STORE_DATA_INDEX",             20,  300, ALL                },
    {0x22, "MI_LOAD_REGISTER_IMM",            30,  300, ALL                },
    {0x23, "MI_UPDATE_GTT",                   45,  90,  ALL                },
    {0x24, "MI_STORE_REGISTER_MEM",           30,  300, ALL                },
    {0x26, "MI_FLUSH_DW",                     60,  120, V | B | E          },
    {0x26, "MI_FLUSH_DW",                     125, 125, V | B | E | C      },
    {0x26, "MI_FLUSH_DW",                     127, 300, V | B | E | C | GSC},
    {0x27, "MI_CLFLUSH",                      60,  300, R | C              },
    {0x28, "MI_REPORT_PERF_COUNT",            50,  300, R | C              },
    {0x29, "MI_LOAD_REGISTER_MEM",            70,  300, ALL                },
    {0x2a, "MI_LOAD_REGISTER_REG",            75,  300, ALL                },
    {0x2b, "MI_RS_STORE_DATA_IMM",            75,  300, R | C              },
    {0x2c, "MI_LOAD_URB_MEM",                 75,  90,  R                  },
    {0x2d, "MI_STORE_URB_MEM",                75,  90,  R                  },
    {0x2e, "MI_COPY_MEM_MEM",                 80,  300, ALL                },
    {0x2f, "MI_ATOMIC",                       80,  300, ALL                },
    {0x30, "MI_BATCH_BUFFER",                 20,  30,  R                  },
    {0x31, "MI_BATCH_BUFFER_START",           20,  300, ALL                },
    {0x36, "MI_CONDITIONAL_BATCH_BUFFER_END", 60,  300, ALL                },
};

static const struct {
    unsigned op;
    const char *name;
    int since, until;
} blt[] = {
    {0x01, "XY_SETUP_BLT",                           20,  125},
    {0x03, "XY_SETUP_CLIP_BLT",                      20,  125},
    {0x11, "XY_SETUP_MONO_PATTERN_SL_BLT",           20,  125},
    {0x24, "XY_PIXEL_BLT",                           20,  125},
    {0x25, "XY_SCANLINES_BLT",                       20,  125},
    {0x26, "XY_TEXT_BLT",                            20,  125},
    {0x31, "XY_TEXT_IMMEDIATE_BLT",                  20,  125},
    {0x40, "COLOR_BLT",                              20,  125},
    {0x41, "XY_BLOCK_COPY_BLT",                      120, 300},
    {0x42, "XY_FAST_COPY_BLT",                       90,  300},
    {0x43, "SRC_COPY_BLT",                           20,  125},
    {0x44, "XY_FAST_COLOR_BLT",                      120, 300},
    {0x48, "XY_CTRL_SURF_COPY_BLT",                  125, 300},
    {0x50, "XY_COLOR_BLT",                           20,  125},
    {0x51, "XY_PAT_BLT",                             20,  125},
    {0x52, "XY_MONO_PAT_BLT",                        20,  125},
    {0x53, "XY_SRC_COPY_BLT",                        20,  125},
    {0x54, "XY_MONO_SRC_COPY_BLT",                   20,  125},
    {0x55, "XY_FULL_BLT",                            20,  125},
    {0x56, "XY_FULL_MONO_SRC_BLT",                   20,  125},
    {0x57, "XY_FULL_MONO_PATTERN_BLT",               20,  125},
    {0x58, "XY_FULL_MONO_PATTERN_MONO_SRC_BLT",      20,  125},
    {0x59, "XY_MONO_PAT_FIXED_BLT",                  20,  125},
    {0x5a, "MEM_COPY",                               200, 300},
    {0x5b, "MEM_SET",                                200, 300},
    {0x71, "XY_MONO_SRC_COPY_IMMEDIATE_BLT",         20,  125},
    {0x72, "XY_PAT_BLT_IMMEDIATE",                   20,  125},
    {0x73, "XY_SRC_COPY_CHROMA_BLT",                 20,  125},
    {0x74, "XY_FULL_IMMEDIATE_PATTERN_BLT",          20,  125},
    {0x75, "XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT", 20,  125},
    {0x76, "XY_PAT_CHROMA_BLT",                      20,  125},
    {0x77, "XY_PAT_CHROMA_BLT_IMMEDIATE",            20,  125},
};

/* What the oracle expects of the 65536 words of one upper half: length =
 * (((word & mask) + round) >> shift) + add. The length of an index list without
 * a count depends on more than its first word. */
typedef struct {
    const char *name;
    uint32_t mask, round, shift, add;
    bool list;
} answer;

static answer field(const char *name, uint32_t mask)
{
    const answer a = {name, mask, 0, 0, 2, false};
    return a;
}

static answer one(const char *name)
{
    const answer a = {name, 0, 0, 0, 1, false};
    return a;
}

static const answer unknown = {"UNKNOWN", 0, 0, 0, 0, false};

static answer mi_answer(int gen, unsigned engine, uint32_t op)
{
    for (size_t i = 0; i < sizeof mi / sizeof mi[0]; i++) {
        if (mi[i].op == op && gen >= mi[i].since && gen <= mi[i].until &&
            (mi[i].engines & engine) != 0) {
            switch (op) {
            case 0x12:
            case 0x13:
            case 0x26:
            case 0x28: return field(mi[i].name, 0x3f);
            case 0x1a: return field(mi[i].name, gen <= 80 ? 0x3f : 0xff);
            case 0x20: return field(mi[i].name, gen <= 75 ? 0x3f : 0x3ff);
            case 0x23: return field(mi[i].name, gen <= 75 ? 0xff : 0x3ff);
            case 0x24: return field(mi[i].name, 0xff);
            case 0x27: return field(mi[i].name, gen == 60 ? 0x3f : 0x3ff);
            default: return op < 16 ? one(mi[i].name) : field(mi[i].name, gen <= 50 ? 0x3f : 0xff);
            }
        }
    }
    return unknown;
}

static answer blt_answer(int gen, unsigned engine, uint32_t op)
{
    if (engine == GSC && op < 2) {
        return field(op == 0 ? "GSC_HECI_CMD_PKT" : "GSC_FW_LOAD", 0xff);
    }
    for (size_t i = 0; i < sizeof blt / sizeof blt[0]; i++) {
        if (blt[i].op == op && gen >= blt[i].since && gen <= blt[i].until &&
            engine == (gen < 60 ? R : B)) {
            return field(blt[i].name, 0xff);
        }
    }
    return unknown;
}

/* Gen2 and 3. */
static answer old_3d(uint32_t top)
{
    const uint32_t op = top >> 8 & 31, sub = top & 255;
    answer a = field("GFX", 0xffff);
    if (op < 0x1d) {
        return one("GFX");
    }
    if (op == 0x1e) {
        return unknown;
    }
    if (op == 0x1f && (top & 0x80) == 0) { /* the field has 18 bits */
        a.add += (top & 3) << 16;
        return a;
    }
    if (op == 0x1f && (top & 2) == 0) {
        return field("GFX", 0);
    }
    if (op == 0x1f) { /* two indices a word */
        a.round = 1;
        a.shift = 1;
        a.add = 1;
        a.list = true;
        return a;
    }
    if (sub <= 1) {
        return field("GFX", 63);
    }
    if (sub == 3 || sub == 4 || sub == 0x80 || sub == 0x81 || sub == 0x85 || sub == 0x8e ||
        sub == 0x9c) {
        return field("GFX", 15);
    }
    if (sub >= 5 && sub <= 7) {
        a.mask = 255;
        a.add = sub == 7 ? 1 : 2;
    }
    return a;
}

static answer new_3d(int gen, unsigned engine, uint32_t k)
{
    const uint32_t type = k >> 11 & 3, op = k >> 8 & 7;
    if (type == 1 || (gen == 40 && (k == 0x6104 || k == 0x780b))) {
        return one("GFX");
    }
    if (engine == V || engine == E) {
        return field("GFX", type != 2 ? 0xff : op == 6 ? 0xffff : 0xfff);
    }
    if (k == 0x7917 || (k >= 0x7843 && k <= 0x7847)) {
        return field("GFX", 0x1ff);
    }
    if ((k == 0x7839 || k == 0x783a) && gen >= 75 && gen <= 90) {
        return field("GFX", 0x7ff);
    }
    if (type != 2 || op == 2 || k == 0x7104 || k == 0x7105) {
        return field(k == 0x7a00 ? "PIPE_CONTROL" : "GFX", 0xff);
    }
    return field("GFX", op == 1 && gen >= 110 ? 0x7fff : 0xffff);
}

static answer oracle(int gen, unsigned engine, uint32_t top)
{
    switch (top >> 13) {
    case 0: return mi_answer(gen, engine, top >> 7);
    case 2: return blt_answer(gen, engine, top >> 6 & 127);
    case 3: /* gen12.6, Xe2: STATE_SYSTEM_MEM_FENCE_ADDRESS on each engine that copies */
        return engine == B && (gen == 126 || gen >= 200) && top == 0x6109 ? field("GFX", 0xff)
               : engine == B || engine == GSC                             ? unknown
               : gen < 40                                                 ? old_3d(top)
                          : new_3d(gen, engine, top);
    case 4: return gen >= 127 && (engine == R || engine == C) ? field("GFX", 0xff) : unknown;
    case 5: /* RESOURCE_BARRIER */
        return gen >= 200 && (engine == R || engine == C) && (top >> 10 & 7) == 3
                   ? field("GFX", 0xff)
                   : unknown;
    default: return unknown;
    }
}

/* Every engine, with the number of its MI and 2D opcodes. */
static const struct {
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    unsigned mi, blt;
} pairs[] = {
    {GPUCMD_I915_GEN2,    GPUCMD_I915_RCS,  15, 26},
    {GPUCMD_I915_GEN3,    GPUCMD_I915_RCS,  17, 26},
    {GPUCMD_I915_GEN4,    GPUCMD_I915_RCS,  17, 26},
    {GPUCMD_I915_GEN4_5,  GPUCMD_I915_RCS,  18, 26},
    {GPUCMD_I915_GEN4_5,  GPUCMD_I915_VCS,  14, 0 },
    {GPUCMD_I915_GEN5,    GPUCMD_I915_RCS,  20, 26},
    {GPUCMD_I915_GEN5,    GPUCMD_I915_VCS,  15, 0 },
    {GPUCMD_I915_GEN6,    GPUCMD_I915_RCS,  24, 0 },
    {GPUCMD_I915_GEN6,    GPUCMD_I915_VCS,  17, 0 },
    {GPUCMD_I915_GEN6,    GPUCMD_I915_BCS,  20, 26},
    {GPUCMD_I915_GEN7,    GPUCMD_I915_RCS,  28, 0 },
    {GPUCMD_I915_GEN7,    GPUCMD_I915_VCS,  19, 0 },
    {GPUCMD_I915_GEN7,    GPUCMD_I915_BCS,  22, 26},
    {GPUCMD_I915_GEN7_5,  GPUCMD_I915_RCS,  37, 0 },
    {GPUCMD_I915_GEN7_5,  GPUCMD_I915_VCS,  21, 0 },
    {GPUCMD_I915_GEN7_5,  GPUCMD_I915_BCS,  24, 26},
    {GPUCMD_I915_GEN7_5,  GPUCMD_I915_VECS, 21, 0 },
    {GPUCMD_I915_GEN8,    GPUCMD_I915_RCS,  40, 0 },
    {GPUCMD_I915_GEN8,    GPUCMD_I915_VCS,  24, 0 },
    {GPUCMD_I915_GEN8,    GPUCMD_I915_BCS,  27, 26},
    {GPUCMD_I915_GEN8,    GPUCMD_I915_VECS, 24, 0 },
    {GPUCMD_I915_GEN9,    GPUCMD_I915_RCS,  40, 0 },
    {GPUCMD_I915_GEN9,    GPUCMD_I915_VCS,  26, 0 },
    {GPUCMD_I915_GEN9,    GPUCMD_I915_BCS,  29, 27},
    {GPUCMD_I915_GEN9,    GPUCMD_I915_VECS, 26, 0 },
    {GPUCMD_I915_GEN11,   GPUCMD_I915_RCS,  36, 0 },
    {GPUCMD_I915_GEN11,   GPUCMD_I915_VCS,  25, 0 },
    {GPUCMD_I915_GEN11,   GPUCMD_I915_BCS,  30, 27},
    {GPUCMD_I915_GEN11,   GPUCMD_I915_VECS, 25, 0 },
    {GPUCMD_I915_GEN12,   GPUCMD_I915_RCS,  36, 0 },
    {GPUCMD_I915_GEN12,   GPUCMD_I915_VCS,  25, 0 },
    {GPUCMD_I915_GEN12,   GPUCMD_I915_BCS,  30, 29},
    {GPUCMD_I915_GEN12,   GPUCMD_I915_VECS, 25, 0 },
    {GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS,  36, 0 },
    {GPUCMD_I915_GEN12_5, GPUCMD_I915_VCS,  25, 0 },
    {GPUCMD_I915_GEN12_5, GPUCMD_I915_BCS,  30, 30},
    {GPUCMD_I915_GEN12_5, GPUCMD_I915_VECS, 25, 0 },
    {GPUCMD_I915_GEN12_5, GPUCMD_I915_CCS,  32, 0 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_RCS,  36, 0 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_VCS,  25, 0 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_BCS,  30, 4 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_VECS, 25, 0 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_CCS,  32, 0 },
    {GPUCMD_I915_GEN12_7, GPUCMD_I915_GSC,  25, 2 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_RCS,  37, 0 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_VCS,  26, 0 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_BCS,  31, 6 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_VECS, 26, 0 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_CCS,  33, 0 },
    {GPUCMD_I915_GEN20,   GPUCMD_I915_GSC,  26, 2 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_RCS,  37, 0 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_VCS,  26, 0 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_BCS,  31, 6 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_VECS, 26, 0 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_CCS,  33, 0 },
    {GPUCMD_I915_GEN30,   GPUCMD_I915_GSC,  26, 2 },
};

enum { IS_UNKNOWN, IS_MI, IS_2D, IS_PIPE_CONTROL, IS_GFX };

static int kind(uint32_t top, gpucmd_i915_op op)
{
    return op == GPUCMD_I915_OP_UNKNOWN ? IS_UNKNOWN
           : top >> 13 == 0             ? IS_MI
           : top >> 13 == 2             ? IS_2D
           : op == GPUCMD_I915_OP_GFX   ? IS_GFX
                                        : IS_PIPE_CONTROL;
}

/* The class with a name. */
static gpucmd_i915_op op_of(const char *name)
{
    for (int op = 0; op < 256; op++) {
        if (strcmp(gpucmd_i915_op_name((gpucmd_i915_op)op), name) == 0) {
            return (gpucmd_i915_op)op;
        }
    }
    CHECK(name == NULL);
    return GPUCMD_I915_OP_UNKNOWN;
}

static uint64_t words(const gpucmd_i915_cmdset *cmdset, uint32_t top, uint64_t census[5])
{
    const answer a = oracle((int)cmdset->gen, (unsigned)cmdset->engine, top);
    const gpucmd_i915_op want_op = op_of(a.name);
    const bool full = FULL;
    const uint32_t count = full ? 0x10000 : 34;
    uint64_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t low = full      ? i
                             : i < 16  ? 1u << i
                             : i < 32  ? 0xffffu >> (i - 16)
                             : i == 32 ? 0
                                       : 0x5a5a;
        const uint32_t h = top << 16 | low;
        const uint32_t want =
            a.list && low == 0 ? 2 : (((low & a.mask) + a.round) >> a.shift) + a.add;
        const uint32_t got = gpucmd_i915_length_dw(cmdset, &h, 1);
        const gpucmd_i915_op op = gpucmd_i915_classify(cmdset, h);
        census[kind(top, op)]++;
        if ((got != want || op != want_op) && wrong++ == 0) {
            printf("gen %s %s word %08x: %u words of %s, not %u of %s\n",
                   gpucmd_i915_gen_name(cmdset->gen), gpucmd_i915_engine_name(cmdset->engine), h,
                   got, gpucmd_i915_op_name(op), want, a.name);
        }
    }
    return wrong;
}

static void engine(size_t pair)
{
    gpucmd_i915_cmdset cmdset;
    uint64_t wrong = 0, census[5] = {0, 0, 0, 0, 0};
    const gpucmd_i915_gen gen = pairs[pair].gen;
    const unsigned which = (unsigned)pairs[pair].engine;
    const uint64_t each = FULL ? 0x10000 : 34; /* words of one upper half */
    const bool three = which == R || which == C;
    const uint64_t gfx = (which == B || which == GSC ? 0u
                          : gen < GPUCMD_I915_GEN4   ? 0x1f00u
                                                     : 0x2000u) +
                         (three && gen >= GPUCMD_I915_GEN12_7 ? 0x2000u : 0u) +
                         (three && gen >= GPUCMD_I915_GEN20 ? 0x400u : 0u) +
                         (which == B && gen >= GPUCMD_I915_GEN20 ? 1u : 0u);
    const uint64_t pipe = gen >= GPUCMD_I915_GEN4 && (which == R || which == C);
    if (!CHECK(gpucmd_i915_cmdset_init(&cmdset, gen, pairs[pair].engine) == GPUCMD_OK)) {
        return;
    }
    for (uint32_t top = 0; top < 0x10000; top++) {
        wrong += words(&cmdset, top, census);
    }
    EQUAL(wrong, 0);
    EQUAL(census[IS_MI], pairs[pair].mi * each << 7);
    EQUAL(census[IS_2D], pairs[pair].blt * each << 6);
    EQUAL(census[IS_PIPE_CONTROL], pipe * each);
    EQUAL(census[IS_GFX], (gfx - pipe) * each);
    EQUAL(census[IS_UNKNOWN] + census[IS_MI] + census[IS_2D] + census[IS_PIPE_CONTROL] +
              census[IS_GFX],
          each << 16);
    if (FULL) {
        printf("gen %s %s: MI %llu, 2D %llu, PIPE_CONTROL %llu, other 3D %llu, unknown %llu\n",
               gpucmd_i915_gen_name(gen), gpucmd_i915_engine_name(pairs[pair].engine),
               (unsigned long long)census[IS_MI], (unsigned long long)census[IS_2D],
               (unsigned long long)census[IS_PIPE_CONTROL], (unsigned long long)census[IS_GFX],
               (unsigned long long)census[IS_UNKNOWN]);
        fflush(stdout);
    }
}

/* No engine is left out of pairs. */
static void every_engine(void)
{
    static const int gens[] = {20, 30, 40,  45,  50,  60,  70,  75,
                               80, 90, 110, 120, 125, 127, 200, 300};
    size_t known = 0;
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        for (int e = 1; e <= GSC; e *= 2) {
            gpucmd_i915_cmdset cmdset;
            known += gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gens[i],
                                             (gpucmd_i915_engine)e) == GPUCMD_OK;
        }
    }
    EQUAL(known, sizeof pairs / sizeof pairs[0]);
}

int main(void)
{
    every_engine();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if ((int)pairs[i].gen >= I915_FIRST && (int)pairs[i].gen <= I915_LAST) {
            engine(i);
        }
    }
    return test_report(I915_NAME);
}

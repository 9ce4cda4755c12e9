/* Length and name of first words on every engine of every generation, against an oracle written from
 * the published tables that shares nothing with the header: all upper halves with 34 lower halves each.
 * i915_exhaustive.c takes all 2^32 words. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, V = 2, B = 4, E = 8, C = 16, ALL = 31 };

/* Opcode, name, first and last generation (times ten), engines; first match counts. */
static const struct {
    unsigned op;
    const char *name;
    int since, until;
    unsigned engines;
} mi[] = {
    {0x00, "MI_NOOP",                         20,  125, ALL          },
    {0x01, "MI_SET_PREDICATE",                75,  125, ALL          },
    {0x02, "MI_USER_INTERRUPT",               20,  125, ALL          },
    {0x03, "MI_WAIT_FOR_EVENT",               20,  125, ALL          },
    {0x04, "MI_FLUSH",                        20,  50,  ALL          },
    {0x04, "MI_FLUSH",                        60,  90,  R            },
    {0x04, "MI_WAIT_FOR_EVENT_2",             110, 125, ALL          },
    {0x05, "MI_ARB_CHECK",                    45,  125, ALL          },
    {0x06, "MI_RS_CONTROL",                   75,  125, R | C        },
    {0x07, "MI_REPORT_HEAD",                  20,  125, ALL          },
    {0x08, "MI_ARB_ON_OFF",                   30,  125, ALL          },
    {0x09, "MI_URB_ATOMIC_ALLOC",             75,  90,  R            },
    {0x0a, "MI_BATCH_BUFFER_END",             20,  125, ALL          },
    {0x0b, "MI_SUSPEND_FLUSH",                50,  125, ALL          },
    {0x0c, "MI_PREDICATE",                    70,  125, R | C        },
    {0x0d, "MI_TOPOLOGY_FILTER",              70,  125, R | C        },
    {0x0e, "MI_SET_APPID",                    70,  125, ALL          },
    {0x0f, "MI_RS_CONTEXT",                   75,  125, R | C        },
    {0x11, "MI_OVERLAY_FLIP",                 20,  30,  R            },
    {0x12, "MI_LOAD_SCAN_LINES_INCL",         20,  125, R | B        },
    {0x13, "MI_LOAD_SCAN_LINES_EXCL",         20,  125, R | B        },
    {0x14, "MI_DISPLAY_FLIP",                 20,  125, R | B        },
    {0x16, "MI_SEMAPHORE_MBOX",               60,  75,  ALL          },
    {0x17, "MI_VERTEX_BUFFER",                20,  20,  R            },
    {0x18, "MI_SET_CONTEXT",                  40,  90,  R            },
    {0x19, "MI_URB_CLEAR",                    60,  80,  R            },
    {0x1a, "MI_MATH",                         75,  80,  R            },
    {0x1a, "MI_MATH",                         90,  125, ALL          },
    {0x1b, "MI_SEMAPHORE_SIGNAL",             80,  125, ALL          },
    {0x1c, "MI_SEMAPHORE_WAIT",               80,  125, ALL          },
    {0x1d, "MI_FORCE_WAKEUP",                 90,  125, ALL          },
    {0x20, "MI_STORE_DATA_IMM",               20,  125, ALL          },
    {0x21, "MI_STORE_DATA_INDEX",             20,  125, ALL          },
    {0x22, "MI_LOAD_REGISTER_IMM",            30,  125, ALL          },
    {0x23, "MI_UPDATE_GTT",                   60,  90,  ALL          },
    {0x24, "MI_STORE_REGISTER_MEM",           30,  125, ALL          },
    {0x26, "MI_FLUSH_DW",                     60,  120, V | B | E    },
    {0x26, "MI_FLUSH_DW",                     125, 125, V | B | E | C},
    {0x27, "MI_CLFLUSH",                      60,  125, R | C        },
    {0x28, "MI_REPORT_PERF_COUNT",            50,  125, R | C        },
    {0x29, "MI_LOAD_REGISTER_MEM",            70,  125, ALL          },
    {0x2a, "MI_LOAD_REGISTER_REG",            75,  125, ALL          },
    {0x2b, "MI_RS_STORE_DATA_IMM",            75,  125, R | C        },
    {0x2c, "MI_LOAD_URB_MEM",                 75,  90,  R            },
    {0x2d, "MI_STORE_URB_MEM",                75,  90,  R            },
    {0x2e, "MI_COPY_MEM_MEM",                 80,  125, ALL          },
    {0x2f, "MI_ATOMIC",                       80,  125, ALL          },
    {0x30, "MI_BATCH_BUFFER",                 20,  30,  R            },
    {0x31, "MI_BATCH_BUFFER_START",           20,  125, ALL          },
    {0x36, "MI_CONDITIONAL_BATCH_BUFFER_END", 40,  125, ALL          },
};

static const struct {
    unsigned op;
    const char *name;
    int since;
} blt[] = {
    {0x01, "XY_SETUP_BLT",                 20 },
    {0x03, "XY_SETUP_CLIP_BLT",            20 },
    {0x11, "XY_SETUP_MONO_PATTERN_SL_BLT", 20 },
    {0x24, "XY_PIXEL_BLT",                 20 },
    {0x25, "XY_SCANLINES_BLT",             20 },
    {0x26, "XY_TEXT_BLT",                  20 },
    {0x31, "XY_TEXT_IMMEDIATE_BLT",        20 },
    {0x40, "COLOR_BLT",                    20 },
    {0x41, "XY_BLOCK_COPY_BLT",            120},
    {0x42, "XY_FAST_COPY_BLT",             90 },
    {0x43, "SRC_COPY_BLT",                 20 },
    {0x44, "XY_FAST_COLOR_BLT",            120},
    {0x48, "XY_CTRL_SURF_COPY_BLT",        125},
    {0x50, "XY_COLOR_BLT",                 20 },
    {0x51, "XY_PAT_BLT",                   20 },
    {0x52, "XY_MONO_PAT_BLT",              20 },
    {0x53, "XY_SRC_COPY_BLT",              20 },
    {0x54, "XY_MONO_SRC_COPY_BLT",         20 },
    {0x55, NULL,                           20 },
    {0x56, NULL,                           20 },
    {0x57, NULL,                           20 },
    {0x58, NULL,                           20 },
    {0x59, NULL,                           20 },
    {0x71, NULL,                           20 },
    {0x72, NULL,                           20 },
    {0x73, NULL,                           20 },
    {0x74, NULL,                           20 },
    {0x75, NULL,                           20 },
    {0x76, NULL,                           20 },
    {0x77, NULL,                           20 },
};

/* Index into mi or blt by opcode for one engine; -1: none. */
static int mi_row[64], blt_row[128];

static void choose(int gen, unsigned engine)
{
    for (int op = 0; op < 64; op++) {
        mi_row[op] = -1;
        for (int i = (int)(sizeof mi / sizeof mi[0]) - 1; i >= 0; i--) {
            if (mi[i].op == (unsigned)op && gen >= mi[i].since && gen <= mi[i].until &&
                (mi[i].engines & engine) != 0) {
                mi_row[op] = i;
            }
        }
    }
    for (int op = 0; op < 128; op++) {
        blt_row[op] = -1;
        for (int i = 0; i < (int)(sizeof blt / sizeof blt[0]); i++) {
            if (blt[i].op == (unsigned)op && gen >= blt[i].since && engine == (gen < 60 ? R : B)) {
                blt_row[op] = i;
            }
        }
    }
}

static uint32_t mi_length(int gen, uint32_t h)
{
    const uint32_t op = h >> 23;
    if (mi_row[op] < 0) {
        return 0;
    }
    switch (op) {
    case 0x12:
    case 0x13:
    case 0x26:
    case 0x28: return (h & 0x3f) + 2;
    case 0x1a: return (h & (gen <= 80 ? 0x3fu : 0xffu)) + 2;
    case 0x20: return (h & (gen <= 75 ? 0x3fu : 0x3ffu)) + 2;
    case 0x23: return (h & (gen <= 75 ? 0xffu : 0x3ffu)) + 2;
    case 0x24: return (h & 0xff) + 2;
    case 0x27: return (h & (gen == 60 ? 0x3fu : 0x3ffu)) + 2;
    default: return op < 16 ? 1 : (h & (gen <= 50 ? 0x3fu : 0xffu)) + 2;
    }
}

/* Gen2 and 3; the index list without a count is asked with its first word alone. */
static uint32_t old_3d(uint32_t h)
{
    const uint32_t op = h >> 24 & 31, sub = h >> 16 & 255;
    if (op < 0x1d) {
        return 1;
    }
    if (op == 0x1e) {
        return 0;
    }
    if (op == 0x1f) {
        return (h & 0x800000) == 0  ? (h & 0x3ffff) + 2
               : (h & 0x20000) == 0 ? 2
               : (h & 0xffff) == 0  ? 2 /* the list has more words than there are */
                                    : ((h & 0xffff) + 1) / 2 + 1;
    }
    if (sub <= 1) {
        return (h & 63) + 2;
    }
    if (sub == 3 || sub == 4 || sub == 0x80 || sub == 0x81 || sub == 0x85 || sub == 0x8e ||
        sub == 0x9c) {
        return (h & 15) + 2;
    }
    if (sub == 5 || sub == 6) {
        return (h & 255) + 2;
    }
    return sub == 7 ? (h & 255) + 1 : (h & 65535) + 2;
}

static uint32_t new_3d(int gen, unsigned engine, uint32_t h)
{
    const uint32_t type = h >> 27 & 3, op = h >> 24 & 7, k = h >> 16;
    if (type == 1 || (gen == 40 && (k == 0x6104 || k == 0x780b))) {
        return 1;
    }
    if (engine == V || engine == E) {
        return type != 2 ? (h & 0xff) + 2 : op == 6 ? (h & 0xffff) + 2 : (h & 0xfff) + 2;
    }
    if (k == 0x7917 || (k >= 0x7843 && k <= 0x7847)) {
        return (h & 0x1ff) + 2;
    }
    if ((k == 0x7839 || k == 0x783a) && gen >= 75 && gen <= 90) {
        return (h & 0x7ff) + 2;
    }
    if (type != 2 || op == 2 || k == 0x7104 || k == 0x7105) {
        return (h & 0xff) + 2;
    }
    return op == 1 && gen >= 110 ? (h & 0x7fff) + 2 : (h & 0xffff) + 2;
}

static uint32_t oracle(int gen, unsigned engine, uint32_t h)
{
    switch (h >> 29) {
    case 0: return mi_length(gen, h);
    case 2: return blt_row[h >> 22 & 127] >= 0 ? (h & 0xff) + 2 : 0;
    case 3: return engine == B ? 0 : gen < 40 ? old_3d(h) : new_3d(gen, engine, h);
    default: return 0;
    }
}

/* Expected name, or NULL where none is laid down. */
static const char *oracle_name(int gen, uint32_t h)
{
    if (h >> 29 == 0) {
        return mi_row[h >> 23] < 0 ? "UNKNOWN" : mi[mi_row[h >> 23]].name;
    }
    if (h >> 29 == 2) {
        return blt_row[h >> 22 & 127] < 0 ? "UNKNOWN" : blt[blt_row[h >> 22 & 127]].name;
    }
    return h >> 29 != 3 ? "UNKNOWN" : h >> 16 == 0x7a00 && gen >= 40 ? "PIPE_CONTROL or GFX" : NULL;
}

static void engine(gpucmd_i915_gen gen, gpucmd_i915_engine which, bool full)
{
    gpucmd_i915_rules rules;
    uint64_t wrong = 0;
    if (gpucmd_i915_rules_init(&rules, gen, which) != GPUCMD_OK) {
        return;
    }
    choose((int)gen, (unsigned)which);
    for (uint32_t top = 0; top < 0x10000; top++) {
        const uint32_t count = full ? 0x10000 : 34;
        const char *name = oracle_name((int)gen, top << 16);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t low = full      ? i
                                 : i < 16  ? 1u << i
                                 : i < 32  ? 0xffffu >> (i - 16)
                                 : i == 32 ? 0
                                           : 0x5a5a;
            const uint32_t h = top << 16 | low;
            if (gpucmd_i915_length_dw(&rules, &h, 1) != oracle((int)gen, (unsigned)which, h) &&
                wrong++ == 0) {
                printf("gen %s %s word %08x: %u\n", gpucmd_i915_gen_name(gen),
                       gpucmd_i915_engine_name(which), h, gpucmd_i915_length_dw(&rules, &h, 1));
            }
        }
        if (name != NULL) {
            const char *got = gpucmd_i915_op_name(gpucmd_i915_classify(&rules, top << 16));
            if (strcmp(got, name) != 0 && strcmp(name, "PIPE_CONTROL or GFX") != 0 &&
                wrong++ == 0) {
                printf("gen %s %s word %04x0000: %s, not %s\n", gpucmd_i915_gen_name(gen),
                       gpucmd_i915_engine_name(which), top, got, name);
            }
        }
    }
    EQUAL(wrong, 0);
}

int main(void)
{
    static const gpucmd_i915_gen gens[] = {
        GPUCMD_I915_GEN2,   GPUCMD_I915_GEN3, GPUCMD_I915_GEN4,  GPUCMD_I915_GEN4_5,
        GPUCMD_I915_GEN5,   GPUCMD_I915_GEN6, GPUCMD_I915_GEN7,  GPUCMD_I915_GEN7_5,
        GPUCMD_I915_GEN8,   GPUCMD_I915_GEN9, GPUCMD_I915_GEN11, GPUCMD_I915_GEN12,
        GPUCMD_I915_GEN12_5};
#ifdef I915_FULL
    const bool full = true;
#else
    const bool full = false;
#endif
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        engine(gens[i], GPUCMD_I915_RCS, full);
        engine(gens[i], GPUCMD_I915_VCS, full);
        engine(gens[i], GPUCMD_I915_BCS, full);
        engine(gens[i], GPUCMD_I915_VECS, full);
        engine(gens[i], GPUCMD_I915_CCS, full);
    }
    return test_report(full ? "i915_exhaustive" : "i915_classify");
}

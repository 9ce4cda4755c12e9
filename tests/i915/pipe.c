/* The rules of PIPE_CONTROL, of the order of commands and of registers: for each a stream that breaks
 * it, the nearest that does not, and the generations at its ends. */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, C = 16, NONE = 100 };

/* The rules that the findings of a stream name: one, or NONE. */
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

static void check(int gen, int engine, const uint32_t *words, size_t len_dw, uint64_t va)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.ring = true; /* the streams have no end */
    options.va = va;
    options.found = on_finding;
    rule = NONE;
    count = 0;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine),
          GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL), GPUCMD_OK);
}

/* One PIPE_CONTROL: flags of the first and of the second word. */
static void one(void)
{
    /* clang-format off */
    static const struct {
        int since, until, engine;
        unsigned rule;
        uint32_t flags0, flags1;
    } rows[] = {
#define RULE(name) GPUCMD_I915_RULE_PIPE_##name
        /* A CS stall needs another flag: 0 depth flush, 1 scoreboard, 8 notify, 12 render targets, 13
         * depth stall, 15:14 post-sync. From gen7 on also 5, the DC flush. SNB PRM 2.1, 1.7.4.2.3 */
        { 60,  80, R, RULE(STALL),       0, 0x00100000},
        { 60,  80, R, RULE(STALL),       0, 0x00100008},
        { 60,  80, R, NONE,              0, 0x00100001},
        { 60,  80, R, NONE,              0, 0x00100002},
        { 60,  80, R, NONE,              0, 0x00100100},
        { 60,  80, R, NONE,              0, 0x00101000},
        { 60,  80, R, NONE,              0, 0x00102000},
        { 60,  80, R, NONE,              0, 0x00104000},
        { 70,  80, R, NONE,              0, 0x00100020},
        { 60,  60, R, RULE(STALL),       0, 0x00100020},
        { 70,  80, R, NONE,              0, 0x00100200}, /* hasvk, at the end of a command buffer */
        { 60,  60, R, RULE(STALL),       0, 0x00100200},
        { 90, 300, R, NONE,              0, 0x00100000},
        /* 18 invalidates the TLB. Post-sync until gen7.5, CS stall from gen7 on. */
        { 60,  60, R, RULE(TLB),         0, 0x00040000},
        { 60,  60, R, NONE,              0, 0x00044000},
        { 70,  75, R, RULE(TLB),         0, 0x00044000},
        { 70,  75, R, RULE(TLB),         0, 0x00140002},
        { 70,  75, R, NONE,              0, 0x00144000},
        { 80, 300, R, RULE(TLB),         0, 0x00040000},
        { 80, 300, R, RULE(TLB),         0, 0x00044000},
        { 80,  80, R, NONE,              0, 0x00140002},
        { 90, 300, R, NONE,              0, 0x00140000},
        {125, 300, C, RULE(TLB),         0, 0x00040000},
        {125, 300, C, NONE,              0, 0x00140000},
        /* 13, the depth stall, suppresses the flushes 12 and 0 until gen7; before gen6 in word 0. */
        { 70,  70, R, RULE(DEPTH_STALL), 0, 0x00003000},
        { 70,  70, R, RULE(DEPTH_STALL), 0, 0x00002001},
        { 70,  70, R, NONE,              0, 0x00002000},
        { 70,  70, R, NONE,              0, 0x00001001},
        { 75,  75, R, NONE,              0, 0x00003001},
        { 40,  50, R, RULE(DEPTH_STALL), 0x3000, 0},
        { 40,  50, R, NONE,              0x2000, 0},
        { 40,  50, R, NONE,              0x1000, 0},
        /* 15:14 = 2 depth count, 3 timestamp: neither with 12 (until gen7.5) nor with 1. */
        { 70,  75, R, RULE(QUERY),       0, 0x0000d000},
        { 70,  75, R, RULE(QUERY),       0, 0x00009000},
        { 70,  75, R, NONE,              0, 0x00005000},
        { 80, 127, R, NONE,              0, 0x0000d000}, /* a media driver does so */
        { 70, 127, R, RULE(QUERY),       0, 0x0000c002},
        { 70, 127, R, RULE(QUERY),       0, 0x00008002},
        { 70, 127, R, NONE,              0, 0x00004002},
        {200, 300, R, NONE,              0, 0x0000c002},
        /* 1 with 13: one has no effect. Drivers flush render targets and stall, 1 with 12, which gen11
         * and later need. */
        { 80,  90, R, NONE,              0, 0x00001002},
        { 80,  90, R, NONE,              0, 0x00101002},
        { 80,  90, R, RULE(SCOREBOARD),  0, 0x00002002},
        { 80,  90, R, NONE,              0, 0x00000003},
        {110, 110, R, NONE,              0, 0x00001002},
        { 70,  75, R, NONE,              0, 0x00001002}, /* Linux, all flushes at once */
        /* 2 invalidates state: CS stall on gen7 to gen8. */
        { 60,  60, R, NONE,              0, 0x00000004},
        { 70,  80, R, RULE(STATE),       0, 0x00000004},
        { 70,  80, R, NONE,              0, 0x00100006},
        { 90, 300, R, NONE,              0, 0x00000004},
        /* 4 invalidates vertices. gen8: not alone; gen9: with a post-sync operation. */
        { 70,  75, R, NONE,              0, 0x00000010},
        { 80,  80, R, RULE(VF),          0, 0x00000010},
        { 80,  80, R, NONE,              0, 0x00000018},
        { 80,  80, R, NONE,              0, 0x00004010},
        {110, 110, R, NONE,              0, 0x00000010},
        /* 19, 16 and 9 need a CS stall. */
        { 60, 127, R, RULE(NEEDS_STALL), 0, 0x00080000},
        { 60, 127, R, RULE(NEEDS_STALL), 0, 0x00010000},
        { 60, 127, R, RULE(NEEDS_STALL), 0, 0x00000200},
        { 60, 127, R, NONE,              0, 0x00180002},
        { 60, 127, R, NONE,              0, 0x00110002},
        { 60, 127, R, NONE,              0, 0x00100202},
        {200, 300, R, NONE,              0, 0x00000200},
        /* 21, 17 (gen6) and 26 (gen9 to gen12.7) need a post-sync operation. */
        { 60, 300, R, RULE(NEEDS_POST),  0, 0x00200000},
        { 60, 300, R, NONE,              0, 0x00204000},
        { 60,  60, R, RULE(NEEDS_POST),  0, 0x00020000},
        { 60,  60, R, NONE,              0, 0x00024000},
        { 90, 127, R, RULE(NEEDS_POST),  0, 0x04000000},
        { 90, 127, R, NONE,              0, 0x04004000},
        {200, 300, R, NONE,              0, 0x04000000},
        /* 23 writes a register instead of the operation. */
        { 70, 300, R, RULE(REGISTER),    0, 0x00804000},
        { 70, 300, R, NONE,              0, 0x00800000},
        /* 0 needs 13 on gen12. */
        {110, 110, R, NONE,              0, 0x00000001},
        {120, 120, R, RULE(DEPTH_FLUSH), 0, 0x00000001},
        {120, 120, R, NONE,              0, 0x00002001},
        {125, 300, R, NONE,              0, 0x00000001},
        /* Compute engines have no 28, 25, 19, 17, 13, 12, 4, 1, and from gen20 on no 0. */
        {125, 300, C, RULE(3D_FLAG),     0, 0x10000000},
        {125, 300, C, RULE(3D_FLAG),     0, 0x02000000},
        {125, 300, C, RULE(3D_FLAG),     0, 0x00020000},
        {125, 300, C, RULE(3D_FLAG),     0, 0x00002000},
        {125, 300, C, RULE(3D_FLAG),     0, 0x00001000},
        {125, 300, C, RULE(3D_FLAG),     0, 0x00000010},
        {125, 300, C, RULE(3D_FLAG),     0, 0x00000002},
        {200, 300, C, RULE(3D_FLAG),     0, 0x00000001},
        {125, 127, C, NONE,              0, 0x00000001},
        {125, 300, C, NONE,              0, 0x00100020},
        {125, 300, R, NONE,              0, 0x10001000},
        /* gen35: the driver masks them, too. Linux 7.3, xe_ring_ops.c */
        {350, 350, C, RULE(3D_FLAG),     0, 0x10000000},
        {350, 350, C, RULE(3D_FLAG),     0, 0x00080000},
        {350, 350, C, RULE(3D_FLAG),     0, 0x00002000},
        {350, 350, C, RULE(3D_FLAG),     0, 0x00001000},
        {350, 350, C, RULE(3D_FLAG),     0, 0x00000010},
        {350, 350, C, RULE(3D_FLAG),     0, 0x00000001},
        {350, 350, C, NONE,              0, 0x001000a0},
        {350, 350, R, NONE,              0, 0x10001011},
        /* word 0: 11, the untyped data port, needs 9, the HDC. */
        {125, 300, R, RULE(DATAPORT),    0x0800, 0},
        {125, 300, C, RULE(DATAPORT),    0x0800, 0},
        {125, 300, C, NONE,              0x0a00, 0},
        {125, 300, R, NONE,              0x0200, 0},
        /* gen6: 12 and 13 need a post-sync operation before. Nothing at all is invalid. */
        { 60,  60, R, RULE(AFTER_POST),  0, 0x00001000},
        { 60,  60, R, RULE(AFTER_POST),  0, 0x00002000},
        { 60,  60, R, NONE,              0, 0x00101000}, /* xf86-video-intel */
        { 60,  80, R, RULE(EMPTY),       0, 0x00000000},
        { 90, 300, R, NONE,              0, 0x00000000},
        /* The texture cache on a compute engine: CS stall. */
        {125, 300, C, RULE(GPGPU),       0, 0x00000400},
        {125, 300, C, NONE,              0, 0x00100400},
        { 90, 300, R, NONE,              0, 0x00000400},
#undef RULE
    };
    /* clang-format on */
    static const int gens[] = {40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127, 200, 300, 350};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned tried = 0;
        for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
            const uint32_t n = gens[g] < 60 ? 4 : gens[g] < 80 ? 5 : 6;
            const uint32_t words[6] = {(0x7a000000u | rows[i].flags0) + n - 2, rows[i].flags1};
            if (gens[g] < rows[i].since || gens[g] > rows[i].until) {
                continue;
            }
            tried++;
            check(gens[g], rows[i].engine, words, (n + 1) & ~1u, 0);
            EQUAL(count, rows[i].rule != NONE);
            if (!EQUAL(rule, rows[i].rule)) {
                printf("    row %zu, gen %d\n", i, gens[g]);
            }
            if (rows[i].rule != NONE) {
                EQUAL(last.at_bytes, 0);
                EQUAL(last.value, rows[i].flags0 != 0 ? words[0] : words[1]);
            }
        }
        CHECK(tried != 0);
    }
}

/* Streams of more commands. Words of PIPE_CONTROL after the flags are 0. */
static void several(void)
{
    /* clang-format off */
    static const struct {
        int gen, engine;
        unsigned rule, at_dw;
        uint32_t n, words[30];
    } rows[] = {
#define EMPTY9 0x7a000004, 0, 0, 0, 0, 0
#define VF9    0x7a000004, 0x00004010, 0, 0, 0, 0
#define STALL9 0x7a000004, 0x00100000, 0, 0, 0, 0
#define DRAW9  0x7b000005, 0, 0, 0, 0, 0, 0
#define RULE(name) GPUCMD_I915_RULE_##name
        /* gen9: an empty PIPE_CONTROL directly before, or PIPE_CONTROLs between. */
        {90, R, RULE(PIPE_VF_EMPTY), 0, 6, {VF9}},
        {90, R, NONE, 0, 12, {EMPTY9, VF9}},
        {90, R, NONE, 0, 18, {EMPTY9, STALL9, VF9}},
        {90, R, RULE(PIPE_VF_EMPTY), 8, 14, {EMPTY9, 0x02800000, 0x02800000, VF9}},
        {90, R, RULE(PIPE_VF_EMPTY), 12, 18, {EMPTY9, VF9, VF9}},
        {110, R, NONE, 0, 6, {VF9}},
        /* gen9, GPGPU pipeline: a CS stall in or before a PIPE_CONTROL with a post-sync operation. */
        {90, R, NONE, 0, 8, {0x69040300, 0x7a000004, 0x00004000, 0, 0, 0, 0}},
        {90, R, RULE(PIPE_GPGPU), 1, 8, {0x69040302, 0x7a000004, 0x00004000, 0, 0, 0, 0}},
        {90, R, RULE(PIPE_GPGPU), 1, 8, {0x69040302, 0x7a000004, 0x00800000, 0, 0, 0, 0}},
        {90, R, NONE, 0, 8, {0x69040301, 0x7a000004, 0x00004000, 0, 0, 0, 0}}, /* media */
        {90, R, NONE, 0, 8, {0x69040002, 0x7a000004, 0x00004000, 0, 0, 0, 0}}, /* mask bits 0 */
        {90, R, NONE, 0, 8, {0x69040302, 0x7a000004, 0x00104000, 0, 0, 0, 0}},
        {90, R, NONE, 0, 14, {0x69040302, STALL9, 0x7a000004, 0x00004000, 0, 0, 0, 0}},
        {90, R, NONE, 0, 8, {0x69040302, 0x69040300, 0x7a000004, 0x00004000, 0, 0, 0, 0}},
        {110, R, NONE, 0, 8, {0x69040302, 0x7a000004, 0x00004000, 0, 0, 0, 0}},
        /* the same pipeline, gen8: each flush; gen9 and later: the texture cache */
        {80, R, RULE(PIPE_GPGPU), 1, 8, {0x69040002, 0x7a000004, 0x00000020, 0, 0, 0, 0}},
        {80, R, NONE, 0, 8, {0x69040002, 0x7a000004, 0x00100020, 0, 0, 0, 0}},
        {80, R, NONE, 0, 8, {0x69040000, 0x7a000004, 0x00000020, 0, 0, 0, 0}},
        {80, R, NONE, 0, 8, {0x69040002, 0x7a000004, 0x00000400, 0, 0, 0, 0}},
        {120, R, RULE(PIPE_GPGPU), 1, 8, {0x69040302, 0x7a000004, 0x00000400, 0, 0, 0, 0}},
        {120, R, NONE, 0, 8, {0x69040302, 0x7a000004, 0x00100400, 0, 0, 0, 0}},
        /* gen7: a CS stall before the invalidation of state, without drawing between */
        {70, R, NONE, 0, 10, {0x7a000003, 0x00100002, 0, 0, 0, 0x7a000003, 0x00000004, 0, 0, 0}},
        {70, R, RULE(PIPE_STATE), 12, 18, {0x7a000003, 0x00100002, 0, 0, 0, DRAW9, 0x7a000003, 0x00000004, 0, 0, 0}},
        /* gen6: a post-sync operation before a flush of render targets */
        {60, R, NONE, 0, 10, {0x7a000003, 0x00004000, 0, 0, 0, 0x7a000003, 0x00001000, 0, 0, 0}},
        {60, R, RULE(PIPE_AFTER_POST), 0, 10, {0x7a000003, 0x00005000, 0, 0, 0, 0x7a000003, 0x00000001, 0, 0, 0}},
        /* Drawing, then PIPELINE_SELECT or STATE_BASE_ADDRESS: a CS stall between. */
        {90, R, RULE(UNFLUSHED), 7, 8, {DRAW9, 0x69040302}},
        {90, R, NONE, 0, 14, {DRAW9, STALL9, 0x69040302}},
        {90, R, RULE(UNFLUSHED), 13, 14, {DRAW9, 0x7a000004, 0x00001000, 0, 0, 0, 0, 0x69040302}},
        {90, R, RULE(UNFLUSHED), 7, 26, {DRAW9, 0x61010011}},
        {90, R, NONE, 0, 20, {0x69040302, 0x61010011}},
        {90, R, RULE(UNFLUSHED), 15, 16, {0x7105000d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x69040300}},
        {60, R, NONE, 0, 8, {0x7b000004, 0, 0, 0, 0, 0, 0x69040000}},
        {70, R, RULE(UNFLUSHED), 7, 8, {DRAW9, 0x69040000}},
#undef RULE
#undef DRAW9
#undef STALL9
#undef VF9
#undef EMPTY9
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint64_t va = 0; va < 0x3000; va += 0x1000) {
            check(rows[i].gen, rows[i].engine, rows[i].words, rows[i].n, va);
            EQUAL(count, rows[i].rule != NONE);
            if (!EQUAL(rule, rows[i].rule)) {
                printf("    row %zu\n", i);
            }
            if (rows[i].rule != NONE) {
                EQUAL(last.at_bytes, 4 * (size_t)rows[i].at_dw);
            }
        }
    }
}

/* IVB: of each four PIPE_CONTROLs one has a CS stall; those that only invalidate read caches do not
 * count. flags: of each PIPE_CONTROL; at: the number of the one with the finding, from 1; 0: none.
 * [CROC] WaCsStallAtEveryFourthPipecontrol */
static void fourth(void)
{
    static const struct {
        int gen;
        unsigned at, n;
        uint32_t flags[8];
    } rows[] = {
        {70, 4, 4, {0x1000, 0x1000, 0x1000, 0x1000}                                  },
        {70, 4, 5, {0x1000, 0x20, 0x4000, 0x1000, 0x1000}                            },
        {70, 8, 8, {0x1000, 0x1000, 0x1000, 0x100002, 0x1000, 0x1000, 0x1000, 0x1000}},
        {70, 0, 7, {0x1000, 0x1000, 0x1000, 0x100002, 0x1000, 0x1000, 0x1000}        },
        {70, 0, 4, {0x1000, 0x1000, 0x1000, 0x101000}                                },
        {70, 0, 5, {0x1000, 0x0c18, 0x1000, 0x1000, 0x0400}                          }, /* read caches: 3, 4, 10, 11 */
        {70, 6, 6, {0x1000, 0x0c18, 0x1000, 0x1000, 0x0400, 0x1400}                  },
        {70, 0, 3, {0x1000, 0x1000, 0x1000}                                          },
        {60, 0, 4, {0x4000, 0x4000, 0x4000, 0x4000}                                  },
        {75, 0, 4, {0x1000, 0x1000, 0x1000, 0x1000}                                  },
        {80, 0, 4, {0x1000, 0x1000, 0x1000, 0x1000}                                  },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t n = rows[i].gen >= 80 ? 6 : 5;
        uint32_t words[48] = {0};
        for (uint32_t k = 0; k < rows[i].n; k++) {
            words[n * k] = 0x7a000000 | (n - 2);
            words[n * k + 1] = rows[i].flags[k];
        }
        check(rows[i].gen, R, words, n * rows[i].n + (n * rows[i].n & 1), 0);
        EQUAL(count, rows[i].at != 0);
        EQUAL(rule, rows[i].at != 0 ? (unsigned)GPUCMD_I915_RULE_PIPE_FOURTH : NONE);
        if (rows[i].at != 0) {
            EQUAL(last.at_bytes, 4 * n * (rows[i].at - 1));
        }
    }
}

/* A change of the surface or dynamic state base, then drawing: an invalidation of the state or
 * texture cache between. BDW PRM, 3D Sampler, State Caching: "the L1 state cache must be
 * invalidated"; drivers invalidate the texture cache. */
static void bases(void)
{
    static const struct {
        int gen, bad;
        uint32_t word, flags; /* word of STATE_BASE_ADDRESS with bit 0; flags between */
    } rows[] = {
        {90,  1, 4, 0x00101000},
        {90,  1, 6, 0x00101000},
        {90,  0, 1, 0x00101000}, /* general */
        {90,  0, 4, 0x00100004},
        {90,  0, 4, 0x00100400},
        {90,  0, 6, 0x00100c0c},
        {90,  1, 4, 0x00100800},
        {90,  1, 4, 0x00100008},
        {90,  0, 0, 0x00101000},
        {70,  1, 2, 0x00101000},
        {70,  1, 3, 0x00101000},
        {70,  0, 1, 0x00101000},
        {70,  0, 2, 0x00100402},
        {60,  1, 2, 0x00100002},
        {60,  0, 2, 0x00104400},
        {50,  0, 2, 0         },
        {300, 1, 4, 0x00100020},
        {300, 0, 4, 0x00100400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t words[64] = {0}, at = 0, n;
        n = rows[i].gen >= 300 ? 22 : rows[i].gen >= 90 ? 19 : rows[i].gen >= 60 ? 10 : 8;
        words[0] = 0x61010000 | (n - 2);
        words[rows[i].word] |= rows[i].word != 0;
        at = n;
        if (rows[i].gen >= 60) {
            n = rows[i].gen >= 80 ? 6 : 5;
            words[at] = 0x7a000000 | (n - 2);
            words[at + 1] = rows[i].flags;
            at += n;
        }
        const uint32_t draw = at;
        n = rows[i].gen >= 70 ? 7 : 6;
        words[at] = 0x7b000000 | (n - 2);
        words[at + n] = words[at]; /* a second one has no finding of its own */
        at += 2 * n;
        check(rows[i].gen, R, words, at + (at & 1), 0);
        const bool counted = EQUAL(count, rows[i].bad);
        if (!EQUAL(rule, rows[i].bad != 0 ? (unsigned)GPUCMD_I915_RULE_BASE_INVALIDATE : NONE) ||
            !counted) {
            printf("    row %zu: %s\n", i, count != 0 ? last.name : "-");
        } else if (rows[i].bad != 0) {
            EQUAL(last.at_bytes, 4 * draw);
        }
    }
}

/* A finding has the flags that are needed, or must not be set; print_flags names them. */
static void flags(void)
{
    static const struct {
        int gen, engine;
        uint32_t words[6], word, needs, excludes;
        const char *names;
    } rows[] = {
        {90,  R, {0x7a000004, 0x00040000}, 1, 0x00100000, 0,          "CS_STALL"                             },
        {60,  R, {0x7a000003, 0x00040000}, 1, 0x0000c000, 0,          "POST_SYNC"                            },
        {70,
         R,      {0x7a000003, 0x00003000},
         1,                                   0,
         0x00001001,                                                  "DEPTH_CACHE_FLUSH/RENDER_TARGET_FLUSH"},
        {125, R, {0x7a000804, 0},          0, 0x00000200, 0,          "HDC_FLUSH"                            },
        {50,  R, {0x7a003002, 0},          0, 0,          0x00001000, "WRITE_FLUSH"                          },
        {200, C, {0x7a000004, 0x00000001}, 1, 0,          0x00000001, "DEPTH_CACHE_FLUSH"                    },
        {60,  R, {0x7a000003, 0},          1, 0,          0,          ""                                     },
        {90,  R, {0x7a000004, 0x10},       1, 0,          0,          ""                                     }, /* PIPE_VF_EMPTY, after PIPE_VF */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_text t;
        char text[80];
        check(rows[i].gen, rows[i].engine, rows[i].words, 6, 0);
        CHECK(count != 0);
        EQUAL(last.flags_dw, rows[i].word);
        EQUAL(last.needs, rows[i].needs);
        EQUAL(last.excludes, rows[i].excludes);
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)rows[i].gen,
                                      (gpucmd_i915_engine)rows[i].engine),
              GPUCMD_OK);
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_i915_print_flags(&t, &cmdset, rows[i].words[0], last.flags_dw,
                                last.needs | last.excludes, "/");
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        if (!CHECK(strcmp(text, rows[i].names) == 0)) {
            printf("    row %zu: %s\n", i, text);
        }
    }
}

/* print_flags appends nothing for what has no fields. */
static void no_flags(void)
{
    gpucmd_i915_cmdset cmdset;
    gpucmd_text t;
    char text[80];
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_flags(&t, &cmdset, 0x7b000005, 1, 0xffffffff, ", "); /* 3DPRIMITIVE */
    gpucmd_i915_print_flags(&t, &cmdset, 0x7a000004, 31, 0xffffffff, ", ");
    gpucmd_i915_print_flags(&t, &cmdset, 0x7a000004, 6, 0xffffffff, ", ");
    gpucmd_i915_print_flags(&t, &cmdset, 0x7a000004, 1, 0, ", ");
    gpucmd_i915_print_flags(&t, &cmdset, 0x54000004, 1, 0xffffffff, ", "); /* not on rcs */
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    EQUAL(t.len_bytes, 0);
    gpucmd_i915_print_flags(&t, &cmdset, 0x7a000004, 1, 0x00100c00, ", ");
    CHECK(strcmp(text, "TEXTURE_INVALIDATE, INSTRUCTION_INVALIDATE, CS_STALL") == 0);
}

/* Registers that streams of Mesa write in non-secure batches: no finding. Registers next to them,
 * or on another generation: a finding. */
static void registers(void)
{
    static const struct {
        int gen, engine, allowed;
        uint32_t reg;
    } rows[] = {
        {90,  R, 1, 0x2580},
        {80,  R, 0, 0x2580},
        {90,  R, 0, 0x2584},
        {110, R, 1, 0xe18c},
        {90,  R, 0, 0xe18c},
        {120, R, 0, 0xe18c},
        {90,  R, 1, 0x20d8},
        {80,  R, 0, 0x20d8},
        {90,  R, 0, 0x20dc},
        {120, R, 1, 0xb134},
        {110, R, 0, 0xb134},
        {120, R, 0, 0xb138},
        {200, R, 0, 0xb134},
        {120, R, 1, 0x7018},
        {125, R, 0, 0x7018},
        {110, R, 1, 0xe194},
        {120, R, 1, 0x4208},
        {120, R, 0, 0x420c},
        {110, R, 0, 0x4200},
        {70,  R, 1, 0x20c0},
        {75,  R, 0, 0x20c0},
        {80,  R, 1, 0x20c0},
        {125, C, 1, 0x42c8},
        {125, C, 0, 0x4208},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t words[4] = {0x11000001, rows[i].reg, 0, 0x05000000};
        gpucmd_i915_check_options options;
        gpucmd_i915_cmdset cmdset;
        memset(&options, 0, sizeof options);
        options.found = on_finding;
        count = 0;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)rows[i].gen,
                                      (gpucmd_i915_engine)rows[i].engine),
              GPUCMD_OK);
        EQUAL(gpucmd_i915_check(&cmdset, words, 4, &options, NULL), GPUCMD_OK);
        if (!EQUAL(count, rows[i].allowed == 0)) {
            printf("    row %zu\n", i);
        }
        /* gen7 drops the write of 0x20c0, although crocus sends it */
        EQUAL(gpucmd_i915_register_allowed(&cmdset, rows[i].reg, 0),
              rows[i].allowed != 0 && rows[i].gen != 70);
    }
}

/* Words end inside a PIPE_CONTROL, or it has one word: nothing behind the words is read. */
static void short_commands(void)
{
    static const uint32_t cut[2] = {0x7a000004, 0x00100000}, two[2] = {0x7a000000, 0x00100000};
    check(70, R, cut, 1, 0);
    CHECK(rule == GPUCMD_I915_RULE_TRUNCATED || count != 0);
    check(70, R, two, 2, 0);
    EQUAL(count, 2); /* LENGTH, then the flags */
    EQUAL(rule, GPUCMD_I915_RULE_PIPE_STALL);
}

#define PIPE_ROW(rule, since, until, engines, mode, word, flags, here, before, never, source,      \
                 second)                                                                           \
    {GPUCMD_I915_GEN##since,   GPUCMD_I915_GEN##until,   engines,                                  \
     GPUCMD_I915_SRC_##source, GPUCMD_I915_SRC_##second, GPUCMD_I915_RULE_##rule},
#define BASED_ROW(since, until, surface, dynamic, source, second)                                  \
    {GPUCMD_I915_GEN##since,   GPUCMD_I915_GEN##until,   1,                                        \
     GPUCMD_I915_SRC_##source, GPUCMD_I915_SRC_##second, GPUCMD_I915_RULE_BASE_INVALIDATE},
#define FLUSHED_ROW(bits, since, until, source, second)                                            \
    {GPUCMD_I915_GEN##since,   GPUCMD_I915_GEN##until,   1,                                        \
     GPUCMD_I915_SRC_##source, GPUCMD_I915_SRC_##second, GPUCMD_I915_RULE_UNFLUSHED},

/* Each row has generations in order, engines and sources. These have no second source. */
static void sources(void)
{
    static const struct {
        int since, until, engines;
        gpucmd_i915_source source, second;
        gpucmd_i915_rule rule;
    } rows[] = {GPUCMD_I915_PIPE_RULES(PIPE_ROW) GPUCMD_I915_FLUSHED(FLUSHED_ROW)
                    GPUCMD_I915_BASED(BASED_ROW)};
    unsigned alone = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(rows[i].since <= rows[i].until);
        CHECK(rows[i].engines != 0 && (rows[i].engines & ~17) == 0);
        CHECK(gpucmd_i915_rule_name(rows[i].rule)[0] != '?');
        if (rows[i].source == rows[i].second) {
            alone++;
            CHECK(rows[i].rule == GPUCMD_I915_RULE_PIPE_DEPTH_STALL || /* before gen6 */
                  rows[i].rule == GPUCMD_I915_RULE_PIPE_NEEDS_POST ||  /* LLC_FLUSH */
                  (rows[i].rule == GPUCMD_I915_RULE_PIPE_3D_FLAG &&
                   rows[i].since == GPUCMD_I915_GEN35) ||
                  rows[i].rule == GPUCMD_I915_RULE_PIPE_DATAPORT);
        }
    }
    EQUAL(alone, 4);
}

int main(void)
{
    one();
    several();
    fourth();
    bases();
    flags();
    no_flags();
    registers();
    short_commands();
    sources();
    return test_report("i915_pipe");
}

/* Recipes: words that the kernel's functions store, for each generation; every generation and engine
 * passes the checker, fits exactly or not at all, and does in the streamers what the text says. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n) GPUCMD_I915_GEN##n
#define RCS  GPUCMD_I915_RCS
#define BCS  GPUCMD_I915_BCS
#define VCS  GPUCMD_I915_VCS
#define VECS GPUCMD_I915_VECS
#define CCS  GPUCMD_I915_CCS
#define GSC  GPUCMD_I915_GSC
#define BACK GPUCMD_I915_WRITE_BACK
#define INV  GPUCMD_I915_INVALIDATE
#define ALL  (BACK | INV)

static const gpucmd_i915_gen gens[] = {G(2), G(3), G(4),  G(4_5), G(5),    G(6),    G(7),  G(7_5),
                                       G(8), G(9), G(11), G(12),  G(12_5), G(12_7), G(20), G(30)};
#define GENS (sizeof gens / sizeof gens[0])

static gpucmd_i915_target target(gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint32_t instance,
                                 uint32_t traits)
{
    gpucmd_i915_target t;
    memset(&t, 0, sizeof t);
    t.gen = gen;
    t.engine = engine;
    t.instance = instance;
    t.traits = traits;
    t.scratch_va = 0x3000;
    t.context_va = 0x40000;
    t.status_va = 0x50000;
    t.restore_va = 0x42000;
    return t;
}

/* Generation, engine, instance, traits, then the mode, the address of the seqno or a call; the
 * words. */
#define FLUSHES(gen, engine, instance, traits, mode, ...)                                          \
    do {                                                                                           \
        t = target(gen, engine, instance, traits);                                                 \
        EMITS(WORDS(__VA_ARGS__), gpucmd_i915_emit_flush(&w, &t, mode));                           \
    } while (0)
#define CRUMBS(gen, engine, instance, traits, va, ...)                                             \
    do {                                                                                           \
        t = target(gen, engine, instance, traits);                                                 \
        EMITS(WORDS(__VA_ARGS__), gpucmd_i915_emit_breadcrumb(&w, &t, va, 7));                     \
    } while (0)
#define STARTS(gen, engine, instance, traits, call, ...)                                           \
    do {                                                                                           \
        t = target(gen, engine, instance, traits);                                                 \
        EMITS(WORDS(__VA_ARGS__), call);                                                           \
    } while (0)
#define BY_ADDRESS GPUCMD_I915_TRAIT_BY_ADDRESS

/* Expect the status of a flush and of a breadcrumb; a failure appends nothing. */
static void refused(gpucmd_status want, const gpucmd_i915_target *t, uint64_t va)
{
    FAILS(want, gpucmd_i915_emit_breadcrumb(&w, t, va, 7));
}

/* [K73] the words that the functions of i915 in Linux 7.3 store */
static void flushes(void)
{
    gpucmd_i915_target t;
    /* gen4_emit_flush_rcs */
    FLUSHES(G(4), RCS, 0, 0, BACK, 0x02000000, 0x02000000);
    FLUSHES(G(4), RCS, 0, 0, INV, 0x02000002, 0x7a004002, 0x00003004, 0, 0, 0x02000000, 0x02000000,
            0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000,
            0x02000000, 0x02000000, 0x02000000, 0x7a004002, 0x00003004, 0, 0, 0x02000002);
    FLUSHES(G(5), RCS, 0, 0, BACK, 0x02000000, 0x02000000);
    FLUSHES(G(5), RCS, 0, 0, INV, 0x02000022, 0x7a004002, 0x00003004, 0, 0, 0x02000000, 0x02000000,
            0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000, 0x02000000,
            0x02000000, 0x02000000, 0x02000000, 0x7a004002, 0x00003004, 0, 0, 0x02000022);
    /* gen4_emit_flush_vcs */
    FLUSHES(G(5), VCS, 0, 0, BACK, 0x02000000, 0);
    FLUSHES(G(5), VCS, 0, 0, INV, 0x02000000, 0);
    /* gen6_emit_flush_rcs */
    FLUSHES(G(6), RCS, 0, 0, BACK, 0x7a000003, 0x00100002, 0x00003084, 0, 0, 0, 0x7a000003,
            0x00004000, 0x00003084, 0, 0, 0, 0x7a000002, 0x00101001, 0x00003084, 0);
    FLUSHES(G(6), RCS, 0, 0, INV, 0x7a000003, 0x00100002, 0x00003084, 0, 0, 0, 0x7a000003,
            0x00004000, 0x00003084, 0, 0, 0, 0x7a000002, 0x00144c1c, 0x00003084, 0);
    /* gen7_emit_flush_rcs */
    FLUSHES(G(7), RCS, 0, 0, BACK, 0x7a000002, 0x011050a1, 0x00003080, 0);
    FLUSHES(G(7), RCS, 0, 0, INV, 0x7a000002, 0x00100002, 0, 0, 0x7a000002, 0x01154c1c, 0x00003080,
            0);
    /* gen6_emit_flush_xcs */
    FLUSHES(G(6), BCS, 0, 0, BACK, 0x13204001, 0x00000204, 0, 0);
    FLUSHES(G(6), BCS, 0, 0, INV, 0x13244001, 0x00000204, 0, 0);
    /* gen6_emit_flush_vcs */
    FLUSHES(G(7_5), VCS, 0, 0, BACK, 0x13204001, 0x00000204, 0, 0);
    FLUSHES(G(7_5), VCS, 0, 0, INV, 0x13244081, 0x00000204, 0, 0);
    /* gen8_emit_flush_rcs */
    FLUSHES(G(8), RCS, 0, 0, BACK, 0x7a000004, 0x001010a1, 0xd0, 0, 0, 0);
    FLUSHES(G(8), RCS, 0, 0, INV, 0x7a000004, 0x00344c1c, 0xd0, 0, 0, 0);
    FLUSHES(G(9), RCS, 0, 0, BACK, 0x7a000004, 0x001010a1, 0xd0, 0, 0, 0);
    FLUSHES(G(9), RCS, 0, 0, INV, 0x7a000004, 0, 0, 0, 0, 0, 0x7a000004, 0x00344c1c, 0xd0, 0, 0, 0);
    FLUSHES(G(9), RCS, 0, GPUCMD_I915_TRAIT_KBL_B0, INV, 0x7a000004, 0, 0, 0, 0, 0, 0x7a000004,
            0x20, 0, 0, 0, 0, 0x7a000004, 0x00344c1c, 0xd0, 0, 0, 0, 0x7a000004, 0x00100000, 0, 0,
            0, 0);
    /* gen8_emit_flush_xcs */
    FLUSHES(G(9), BCS, 0, 0, BACK, 0x13204002, 0xd0, 0, 0);
    FLUSHES(G(9), BCS, 0, 0, INV, 0x13244002, 0xd0, 0, 0);
    FLUSHES(G(8), VCS, 0, 0, BACK, 0x13204002, 0xd0, 0, 0);
    FLUSHES(G(8), VCS, 0, 0, INV, 0x13244082, 0xd0, 0, 0);
    /* gen11_emit_flush_rcs */
    FLUSHES(G(11), RCS, 0, 0, BACK, 0x7a000004, 0x103050a1, 0xd0, 0, 0, 0);
    FLUSHES(G(11), RCS, 0, 0, INV, 0x7a000004, 0x20344c1c, 0xd0, 0, 0, 0);
    FLUSHES(G(11), RCS, 0, 0, ALL, 0x7a000004, 0x103050a1, 0xd0, 0, 0, 0, 0x7a000004, 0x20344c1c,
            0xd0, 0, 0, 0);
    /* gen12_emit_flush_rcs */
    FLUSHES(G(12), RCS, 0, 0, BACK, 0x7a000204, 0x183070a1, 0xd0, 0, 0, 0);
    FLUSHES(G(12), RCS, 0, 0, INV, 0x7a000204, 0x103070a1, 0xd0, 0, 0, 0, 0x02800101, 0x7a000004,
            0x20344c1c, 0xd0, 0, 0, 0, 0x11020001, 0x00004208, 1, 0x0e01c003, 0, 0x00004208, 0, 0,
            0x02800100);
    FLUSHES(G(12_5), RCS, 0, 0, BACK, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a000204, 0x183070a1, 0xd0, 0,
            0, 0);
    FLUSHES(G(12_5), RCS, 0, 0, INV, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x02800101, 0x7a000004,
            0x20344c1c, 0xd0, 0, 0, 0, 0x02800100);
    FLUSHES(G(12_5), CCS, 0, 0, BACK, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a000204, 0x083040a0, 0xd0, 0,
            0, 0);
    FLUSHES(G(12_5), CCS, 0, 0, INV, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x02800101, 0x7a000004,
            0x20344c0c, 0xd0, 0, 0, 0, 0x02800100);
    FLUSHES(G(12_7), RCS, 0, 0, BACK, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a002204, 0x103070a1, 0xd0, 0,
            0, 0);
    FLUSHES(G(12_7), RCS, 0, 0, INV, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a002204, 0x103070a1, 0xd0, 0,
            0, 0, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x02800101, 0x7a000004, 0x20344c1c, 0xd0, 0, 0, 0,
            0x11020001, 0x00004208, 1, 0x0e01c003, 0, 0x00004208, 0, 0, 0x02800100);
    FLUSHES(G(12_7), CCS, 0, 0, BACK, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a002204, 0x003040a0, 0xd0, 0,
            0, 0);
    FLUSHES(G(12_7), CCS, 0, 0, INV, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x7a002204, 0x003040a0, 0xd0, 0,
            0, 0, 0x7a000004, 1, 0xd0, 0, 0, 0, 0x02800101, 0x7a000004, 0x20344c0c, 0xd0, 0, 0, 0,
            0x11020001, 0x000042c8, 1, 0x0e01c003, 0, 0x000042c8, 0, 0, 0x02800100);
    /* gen12_emit_flush_xcs */
    FLUSHES(G(12), BCS, 0, 0, BACK, 0x13204002, 0xd0, 0, 0, 0x11020001, 0x00004248, 1, 0x0e01c003,
            0, 0x00004248, 0, 0);
    FLUSHES(G(12), BCS, 0, 0, INV, 0x02800101, 0x13254002, 0xd0, 0, 0, 0x11020001, 0x00004248, 1,
            0x0e01c003, 0, 0x00004248, 0, 0, 0x02800100);
    FLUSHES(G(12), VCS, 2, 0, BACK, 0x13204002, 0xd0, 0, 0, 0x11020001, 0x00004298, 1, 0x0e01c003,
            0, 0x00004298, 0, 0);
    FLUSHES(G(12), VCS, 2, 0, INV, 0x02800101, 0x13244082, 0xd0, 0, 0, 0x11020001, 0x00004298, 1,
            0x0e01c003, 0, 0x00004298, 0, 0, 0x02800100);
    FLUSHES(G(12_5), VCS, 0, 0, BACK, 0x13204002, 0xd0, 0, 0);
    FLUSHES(G(12_5), VCS, 0, 0, INV, 0x02800101, 0x13244082, 0xd0, 0, 0, 0x02800100);
    FLUSHES(G(12_7), VECS, 0, 0, BACK, 0x13204002, 0xd0, 0, 0, 0x11020001, 0x00384238, 1,
            0x0e01c003, 0, 0x00384238, 0, 0);
    FLUSHES(G(12_7), VECS, 0, 0, INV, 0x02800101, 0x13244002, 0xd0, 0, 0, 0x11020001, 0x00384238, 1,
            0x0e01c003, 0, 0x00384238, 0, 0, 0x02800100);
    FLUSHES(G(12), VECS, 1, 0, BACK, 0x13204002, 0xd0, 0, 0);
    FLUSHES(G(12), VECS, 1, 0, INV, 0x02800101, 0x13244002, 0xd0, 0, 0, 0x02800100);
    /* [XEK] emit_render_cache_flush, emit_pipe_invalidate, emit_flush_dw, emit_flush_imm_ggtt */
    FLUSHES(G(20), RCS, 0, 0, BACK, 0x7a000a04, 0x101010a1, 0, 0, 0, 0);
    FLUSHES(G(30), CCS, 0, 0, BACK, 0x7a000a04, 0x001000a0, 0, 0, 0, 0);
    FLUSHES(G(20), RCS, 0, 0, INV, 0x02800101, 0x7a000404, 0x20304c1c, 0xd0, 0, 0, 0, 0x02800100);
    FLUSHES(G(30), CCS, 0, 0, INV | GPUCMD_I915_INVALIDATE_TLB, 0x02800101, 0x7a000004, 0x20344c0c,
            0xd0, 0, 0, 0, 0x02800100);
    FLUSHES(G(20), CCS, 0, GPUCMD_I915_TRAIT_NO_RENDER, BACK, 0x7a000a04, 0x00100000, 0, 0, 0, 0);
    FLUSHES(G(20), VCS, 0, 0, BACK, 0x13000002, 0, 0, 0);
    FLUSHES(G(20), VCS, 0, 0, INV, 0x02800101, 0x13044002, 0x3004, 0, 0, 0x02800100);
    /* the same stores to an address */
    FLUSHES(G(8), RCS, 0, BY_ADDRESS, INV, 0x7a000004, 0x01144c1c, 0x3000, 0, 0, 0);
    FLUSHES(G(9), BCS, 0, BY_ADDRESS, BACK, 0x13004002, 0x3004, 0, 0);
    FLUSHES(G(7), BCS, 0, BY_ADDRESS, BACK, 0x13004001, 0x3004, 0, 0);
    FLUSHES(G(20), RCS, 0, BY_ADDRESS, INV, 0x02800101, 0x7a000404, 0x21104c1c, 0x3000, 0, 0, 0,
            0x02800100);
    t = target(G(6), RCS, 0, 0);
    t.scratch_va = 0x3004;
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_flush(&w, &t, BACK));
    t = target(G(12_5), RCS, 0, 0);
    t.restore_va = 0x42800;
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_flush(&w, &t, BACK));
    t = target((gpucmd_i915_gen)10, RCS, 0, 0);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_flush(&w, &t, BACK));
    t.gen = (gpucmd_i915_gen)9999;
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_flush(&w, &t, BACK));
}

/* Loops of the driver: n times the words of `one`. */
static void repeats(const uint32_t *got, uint32_t n, const uint32_t *one, uint32_t one_dw)
{
    for (uint32_t i = 0; i < n * one_dw; i++) {
        EQUAL(got[i], one[i % one_dw]);
    }
}

/* [K73] gen2_emit_flush, gen2_emit_breadcrumb, gen5_emit_breadcrumb, gen7_emit_breadcrumb_xcs */
static void delays(void)
{
    static const uint32_t wait[] = {0x10800001, 0x200, 0, 0x02000004};
    static const uint32_t by_va[] = {0x10400001, 0x3000, 0, 0x02000004};
    static const uint32_t scratch[] = {0x10800001, 0x200, 7}, seqno[] = {0x10800001, 0x100, 7};
    static const uint32_t stores[] = {0x10400002, 0, 0x5100, 7};
    static uint32_t words[160];
    for (uint32_t traits = 0; traits <= BY_ADDRESS; traits += BY_ADDRESS) {
        const gpucmd_i915_target t = target(G(3), RCS, 0, traits);
        gpucmd_writer_init(&w, words, 160);
        gpucmd_i915_emit_flush(&w, &t, INV);
        EQUAL(gpucmd_writer_at_dw(&w), 50);
        EQUAL(words[0], 0x02000001);
        repeats(words + 1, 12, traits != 0 ? by_va : wait, 4);
        EQUAL(words[49], 0x02000001);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const gpucmd_i915_gen some[] = {G(2), G(4_5), G(5)};
        const gpucmd_i915_target t = target(some[i], RCS, 0, 0);
        const uint32_t n = i < 2 ? 16 : 8;
        gpucmd_writer_init(&w, words, 160);
        gpucmd_i915_emit_breadcrumb(&w, &t, 0x5100, 7);
        EQUAL(gpucmd_writer_at_dw(&w), 2 + 3 * n + 24);
        EQUAL(words[0], 0x02000000);
        repeats(words + 1, n, scratch, 3);
        repeats(words + 1 + 3 * n, 8, seqno, 3);
        EQUAL(words[25 + 3 * n], 0x01000000);
    }
    for (uint32_t traits = 0; traits <= BY_ADDRESS; traits += BY_ADDRESS) {
        const gpucmd_i915_target t = target(G(7_5), VECS, 0, traits);
        const uint32_t one_dw = traits != 0 ? 4 : 3;
        const uint32_t *end = words + 3 + 32 * one_dw;
        gpucmd_writer_init(&w, words, 160);
        gpucmd_i915_emit_breadcrumb(&w, &t, 0x5100, 7);
        EQUAL(gpucmd_writer_at_dw(&w), 3 + 32 * one_dw + 5);
        EQUAL(words[0], traits != 0 ? 0x13044001 : 0x13244001);
        EQUAL(words[1], traits != 0 ? 0x5104 : 0x104);
        EQUAL(words[2], 7);
        repeats(words + 3, 32, traits != 0 ? stores : seqno, one_dw);
        EQUAL(end[0], 0x13000001);
        EQUAL(end[1] | end[2], 0);
        EQUAL(end[3], 0x01000000);
        EQUAL(end[4], 0);
    }
}

/* [K73] *_emit_breadcrumb_*, *_emit_fini_breadcrumb_* [XEK] emit_pipe_imm_ggtt, emit_user_interrupt */
static void breadcrumbs(void)
{
    gpucmd_i915_target t = target(G(3), RCS, 0, 0);
    /* gen6_emit_breadcrumb_rcs */
    CRUMBS(G(6), RCS, 0, 0, 0x1000, 0x7a000002, 0x00100002, 0, 0, 0x7a000002, 0x00004000,
           0x00003004, 0, 0x7a000002, 0x00105021, 0x00001004, 7, 0x01000000, 0);
    /* gen7_emit_breadcrumb_rcs */
    CRUMBS(G(7), RCS, 0, 0, 0x1000, 0x7a000002, 0x011050a1, 0x00001000, 7, 0x01000000, 0);
    /* gen6_emit_breadcrumb_xcs */
    CRUMBS(G(6), BCS, 0, 0, 0x1100, 0x13204001, 0x00000104, 7, 0x01000000);
    /* gen8_emit_fini_breadcrumb_rcs */
    CRUMBS(G(9), RCS, 0, 0, 0x1000, 0x7a000004, 0x00141021, 0, 0, 0, 0, 0x7a000004, 0x01104080,
           0x00001000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000, 0);
    /* gen8_emit_fini_breadcrumb_xcs */
    CRUMBS(G(11), VCS, 0, 0, 0x1000, 0x13004002, 0x00001004, 0, 7, 0x01000000, 0x04000001,
           0x02800000, 0);
    /* gen11_emit_fini_breadcrumb_rcs */
    CRUMBS(G(11), RCS, 0, 0, 0x1000, 0x7a000004, 0x10141021, 0, 0, 0, 0, 0x7a000004, 0x01104080,
           0x00001000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000, 0);
    /* gen12_emit_fini_breadcrumb_rcs */
    CRUMBS(G(12), RCS, 0, 0, 0x1000, 0x7a000204, 0x181430a1, 0, 0, 0, 0, 0x7a000004, 0x01104080,
           0x00001000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000, 0);
    CRUMBS(G(12_5), RCS, 0, 0, 0x1000, 0x7a000004, 1, 0, 0, 0, 0, 0x7a000204, 0x181410a1, 0, 0, 0,
           0, 0x7a000004, 0x01104080, 0x00001000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000, 0);
    CRUMBS(G(12_7), CCS, 0, 0, 0x1000, 0x7a000004, 1, 0, 0, 0, 0, 0x7a000204, 0x001400a0, 0, 0, 0,
           0, 0x7a000004, 0x01104080, 0x00001000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000, 0);
    /* gen8_emit_fini_breadcrumb_xcs */
    CRUMBS(G(9), BCS, 0, GPUCMD_I915_TRAIT_PREEMPT_WAIT, 0x1000, 0x13004002, 0x00001004, 0, 7,
           0x01000000, 0x04000001, 0x02800000, 0x0e40c002, 0, 0x000500c8, 0, 0, 0x02800000, 0);
    /* gen12_emit_fini_breadcrumb_xcs */
    CRUMBS(G(12), BCS, 0, GPUCMD_I915_TRAIT_PREEMPT_WAIT, 0x1000, 0x13000002, 0, 0, 0, 0x13004002,
           0x00001004, 0, 7, 0x01000000, 0x04000001, 0x02800000, 0x0e40c003, 0, 0x000500c8, 0, 0,
           0x02800000, 0);
    CRUMBS(G(20), RCS, 0, 0, 0x1000, 0x7a000a04, 0x101010a1, 0, 0, 0, 0, 0x7a000004, 0x01104080,
           0x1000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000);
    CRUMBS(G(20), CCS, 0, GPUCMD_I915_TRAIT_NO_RENDER, 0x1000, 0x7a000a04, 0x00100000, 0, 0, 0, 0,
           0x7a000004, 0x01104000, 0x1000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000);
    CRUMBS(G(30), GSC, 0, 0, 0x100001000, 0x13004002, 0x1004, 1, 7, 0x01000000, 0x04000001,
           0x02800000);
    CRUMBS(G(6), BCS, 0, BY_ADDRESS, 0x5100, 0x13004001, 0x5104, 7, 0x01000000);
    refused(GPUCMD_ALIGN, &t, 0x1004);
    refused(GPUCMD_RANGE, &t, 0x100000000);
    t.gen = (gpucmd_i915_gen)0;
    refused(GPUCMD_UNSUPPORTED, &t, 0x1000);
    t = target(G(9), RCS, 0, 0);
    refused(GPUCMD_RANGE, &t, 0x1000000000000);
    t.status_va = 4;
    refused(GPUCMD_ALIGN, &t, 0x1000);
}

/* [K73] gen8_emit_init_breadcrumb, *_emit_bb_start*, setup_predicate_disable_wa [XEK] emit_bb_start,
 * emit_store_imm_ggtt */
static void starts(void)
{
    gpucmd_i915_target t;
    /* gen8_emit_init_breadcrumb */
    STARTS(G(9), RCS, 0, 0, gpucmd_i915_emit_init_breadcrumb(&w, &t, 0x1000, 7), 0x10400002,
           0x00001000, 0, 6, 0, 0x02800000);
    /* gen125_emit_bb_start */
    STARTS(G(12_5), RCS, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, false, 0x12389abc000), 0x04000001,
           0x14c80002, 0x000003b8, 0x00042ff8, 0, 0x18800101, 0x89abc000, 0x00000123, 0x18800001,
           0x00042800, 0, 0x04000000);
    /* gen125_emit_bb_start_noarb */
    STARTS(G(12_7), RCS, 0, GPUCMD_I915_TRAIT_NO_PREEMPT,
           gpucmd_i915_emit_dispatch(&w, &t, true, 0x12389abc000), 0x04000000, 0x14c80002,
           0x000003b8, 0x00042ff8, 0, 0x18800001, 0x89abc000, 0x00000123, 0x18800001, 0x00042800, 0,
           0x04000000);
    /* gen8_emit_bb_start */
    STARTS(G(12), RCS, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, false, 0x12389abc000), 0x04000001,
           0x18800101, 0x89abc000, 0x00000123, 0x04000000, 0);
    /* gen8_emit_bb_start_noarb */
    STARTS(G(8), RCS, 0, GPUCMD_I915_TRAIT_NO_PREEMPT,
           gpucmd_i915_emit_dispatch(&w, &t, false, 0x12389abc000), 0x04000000, 0x18800101,
           0x89abc000, 0x00000123);
    /* setup_predicate_disable_wa */
    STARTS(G(12_5), RCS, 0, 0, gpucmd_i915_emit_restore(&w, &t), 0x10400002, 0x00042ff8, 0, 0,
           0x05008000, 0x00800000, 0x10400002, 0x00042ff8, 0, 1, 0x05000000);
    /* hsw_emit_bb_start on the render engine, gen6_emit_bb_start on others: setup_rcs */
    STARTS(G(7_5), RCS, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, false, 0x89abc000), 0x18802100,
           0x89abc000);
    STARTS(G(7_5), BCS, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, false, 0x89abc000), 0x18800100,
           0x89abc000);
    STARTS(G(20), RCS, 0, 0, gpucmd_i915_emit_init_breadcrumb(&w, &t, 0x1000, 7), 0x10400002,
           0x1000, 0, 7);
    STARTS(G(20), RCS, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, false, 0x12389abc000), 0x18800101,
           0x89abc000, 0x123, 0x04000000);
    STARTS(G(30), GSC, 0, 0, gpucmd_i915_emit_dispatch(&w, &t, true, 0x12389abc000), 0x18800001,
           0x89abc000, 0x123, 0x04000000);
    t = target(G(12_7), RCS, 0, 0);
    t.restore_va = 0; /* no predicate to restore */
    EMITS(WORDS(0x04000001, 0x18800101, 0x89abc000, 0x123, 0x04000000, 0),
          gpucmd_i915_emit_dispatch(&w, &t, false, 0x12389abc000));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_dispatch(&w, &t, false, 2));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_dispatch(&w, &t, false, (uint64_t)1 << 63));
    t.gen = G(7_5);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_init_breadcrumb(&w, &t, 0x1000, 7));
    t.gen = G(12);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_restore(&w, &t));
}

/* [K73] intel_migrate.c emit_copy [XEK] xe_migrate.c emit_copy */
static void copies(void)
{
    EMITS(WORDS(0x50f00004, 0x03cc1000, 0x00031000, 0x2000, 4096, 0x8000),
          gpucmd_i915_emit_copy_pages(&w, G(6), 0x2000, 0x8000, 3));
    EMITS(WORDS(0x54f00008, 0x03cc1000, 0, 0x00030400, 0x2000, 0, 0, 4096, 0x8000, 1),
          gpucmd_i915_emit_copy_pages(&w, G(8), 0x2000, 0x100008000, 3));
    EMITS(WORDS(0x50800008, 0x03001000, 0, 0x00030400, 0x2000, 0, 0, 4096, 0x8000, 1),
          gpucmd_i915_emit_copy_pages(&w, G(12), 0x2000, 0x100008000, 3));
    /* emit_copy */
    EMITS(WORDS(0x54f00008, 0x03cc1000, 0, 0x00030400, 0x00002000, 0, 0, 0x00001000, 0x00008000, 0),
          gpucmd_i915_emit_copy_pages(&w, G(11), 0x2000, 0x8000, 3));
    EMITS(WORDS(0x50800008, 0x03001000, 0, 0x00040400, 0x00002000, 0, 0, 0x00001000, 0x00008000, 0),
          gpucmd_i915_emit_copy_pages(&w, G(11), 0x2000, 0x8000, 4));
    /* [XE] 1 MiB, then 16 rows of 4096 bytes at addresses that are not multiples of 256 */
    EMITS(WORDS(0x56880008, 0x00000fff, 0x000000ff, 0x00000fff, 0x00000fff, 0x00200000, 0,
                0x00100000, 0, 0x30000018),
          gpucmd_i915_emit_copy_pages(&w, G(20), 0x100000, 0x200000, 256));
    EMITS(WORDS(0x56820008, 0x00000fff, 0x0000000f, 0x00000fff, 0x00000fff, 0x00200010, 0,
                0x00100010, 0, 0x30000018),
          gpucmd_i915_emit_copy_pages(&w, G(30), 0x100010, 0x200010, 16));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8000, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8000, 32768));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(7), 0x100002000, 0x8000, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8002, 1));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_i915_emit_copy_pages(&w, (gpucmd_i915_gen)351, 0x2000, 0x8000, 1));
}

/* [XEK] __emit_job_gen12_render_compute, __emit_job_gen12_video, __emit_job_gen12_simple,
 * emit_migration_job_gen12 */
static void jobs(void)
{
    gpucmd_i915_target t = target(G(20), RCS, 0, 0);
    gpucmd_xe_request r;
    memset(&r, 0, sizeof r);
    r.flags = GPUCMD_XE_REQUEST_TLB | GPUCMD_XE_REQUEST_USER_FENCE;
    r.seqno = 7;
    r.seqno_va = 0x1000;
    r.start_va = 0x1008;
    r.timestamp_va = 0x1200;
    r.vf_timestamp_va = 0x1300;
    r.context_va = 0x40000;
    r.batch_va = 0xd3007ef9dd20;
    r.after_va = 0x345678000;
    r.fence_va = 0x999000;
    r.fence_value = 0x1100000022;
    EMITS(WORDS(0x12480002, 0x3a8, 0x1200, 0, 0x02800101, 0x7a000404, 0x20344c1c, 0xd0, 0, 0, 0,
                0x02800100, 0x10400002, 0x1008, 0, 7, 0x18800101, 0x7ef9dd20, 0xd300, 0x04000000,
                0x7a000a04, 0x101010a1, 0, 0, 0, 0, 0x10200003, 0x999000, 0, 0x22, 0x11, 0x7a000004,
                0x01104080, 0x1000, 0, 7, 0, 0x01000000, 0x04000001, 0x02800000),
          gpucmd_xe_emit_job(&w, &t, &r));
    t = target(G(12), VCS, 0, 0); /* the auxiliary table; the TLB before the store */
    r.flags = GPUCMD_XE_REQUEST_TLB | GPUCMD_XE_REQUEST_GGTT;
    EMITS(WORDS(0x12480002, 0x3a8, 0x1200, 0, 0x02800101, 0x11020001, 0x4218, 1, 0x0e01c003, 0,
                0x4218, 0, 0, 0x13044002, 0x100c, 0, 7, 0x02800100, 0x18800001, 0x7ef9dd20, 0xd300,
                0x04000000, 0x13004002, 0x1004, 0, 7, 0x01000000, 0x04000001, 0x02800000),
          gpucmd_xe_emit_job(&w, &t, &r));
    t = target(G(30), BCS, 0, 0); /* a virtual function; the watchdog */
    r.flags = GPUCMD_XE_REQUEST_VF | GPUCMD_XE_REQUEST_HANG | GPUCMD_XE_REQUEST_USER_FENCE;
    EMITS(WORDS(0x11080003, 0x17c, 2, 0x178, 0, 0x0e40c003, 0xdead, 0x40000, 0, 0, 0x11080001,
                0x178, 1, 0x12480002, 0x3a8, 0x1200, 0, 0x12480002, 0x3a8, 0x1300, 0, 0x10400002,
                0x1008, 0, 7, 0x18800101, 0x7ef9dd20, 0xd300, 0x04000000, 0x13000002, 0, 0, 0,
                0x10200003, 0x999000, 0, 0x22, 0x11, 0x13004002, 0x1004, 0, 7, 0x01000000,
                0x04000001, 0x02800000),
          gpucmd_xe_emit_job(&w, &t, &r));
    r.flags = GPUCMD_XE_REQUEST_TLB | GPUCMD_XE_REQUEST_CCS;
    EMITS(WORDS(0x12480002, 0x3a8, 0x1200, 0, 0x10400002, 0x1008, 0, 7, 0x04000000, 0x18800101,
                0x7ef9dd20, 0xd300, 0x02800101, 0x13044002, 0x100c, 0, 7, 0x02800100, 0x18800101,
                0x45678000, 3, 0x13054002, 0x1004, 0, 7, 0x01000000, 0x04000001, 0x02800000),
          gpucmd_xe_emit_migration(&w, &t, &r));
    r.fence_va = 4;
    FAILS(GPUCMD_ALIGN, gpucmd_xe_emit_job(&w, &t, &r));
    r.fence_va = 0;
    r.after_va = 2;
    FAILS(GPUCMD_ALIGN, gpucmd_xe_emit_migration(&w, &t, &r));
    r.after_va = 0;
    t.gen = G(11);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_xe_emit_job(&w, &t, &r));
    t.gen = (gpucmd_i915_gen)9999;
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_xe_emit_migration(&w, &t, &r));
}

static uint8_t data[5 * 4096 + 16];
static uint32_t findings;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    fprintf(stderr, "rule %d at %u\n", (int)f->rule, (unsigned)(f->at_bytes / 4));
    findings++;
    return GPUCMD_OK;
}

/* All recipes of one engine into a secure batch: nothing that the checker finds; the page is copied
 * and the number is stored, each in the widths that the text says. */
static void in_a_batch(gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint32_t traits)
{
    const uint64_t va = 0x10000;
    const bool copy = gen < G(6) || engine == BCS;
    static uint32_t words[512];
    gpucmd_i915_target t = target(gen, engine, 0, traits);
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    gpucmd_region regions[2];
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    size_t len_dw = 0;
    t.scratch_va = 0x10200;
    gpucmd_writer_init(&w, words, 512);
    for (uint32_t mode = BACK; mode <= ALL; mode++) {
        gpucmd_i915_emit_flush(&w, &t, mode);
    }
    if (copy) {
        gpucmd_i915_emit_copy_pages(&w, gen, va + 4096, va + 2 * 4096, 2);
    }
    gpucmd_i915_emit_breadcrumb(&w, &t, 0x10100, 0x12345678);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, 0);
    if (gpucmd_writer_at_dw(&w) % 2 != 0) {
        gpucmd_i915_emit_mi_noop(&w, gen, 0);
    }
    if (!EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK)) {
        return;
    }
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen, engine), GPUCMD_OK);
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.found = on_finding;
    findings = 0;
    EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL), GPUCMD_OK);
    EQUAL(findings, 0);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 7 + i / 4096);
    }
    for (size_t i = 0; i < len_dw; i++) { /* the GPU reads little-endian words */
        gpucmd_store32(&words[i], words[i], GPUCMD_LITTLE_ENDIAN);
    }
    memset(regions, 0, sizeof regions);
    regions[0].va = va;
    regions[0].host = data;
    regions[0].bytes = sizeof data;
    regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    regions[1].va = va + 0x100000;
    regions[1].host = words;
    regions[1].bytes = sizeof words;
    regions[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    cs.reg[GPUCMD_I915_REG_HWS_PGA / 4] = (uint32_t)va;
    EQUAL(gpucmd_i915_cs_batch(&cs, va + 0x100000, true), GPUCMD_OK);
    if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE)) {
        fprintf(stderr, "gen %d engine %d\n", (int)gen, (int)engine);
    }
    EQUAL(gpucmd_load32(data + 0x100, GPUCMD_LITTLE_ENDIAN), 0x12345678);
    for (size_t i = 0x300; i < sizeof data; i++) {
        const size_t from = copy && i >= 4096 && i < 3 * 4096 ? i + 4096 : i;

        if (!EQUAL(data[i], (uint8_t)(from * 7 + from / 4096))) {
            break;
        }
    }
}

static void every_generation(void)
{
    for (size_t i = 0; i < 2 * GENS; i++) {
        const gpucmd_i915_gen gen = gens[i / 2];
        const uint32_t traits = i % 2 != 0 ? BY_ADDRESS : 0;
        in_a_batch(gen, RCS, traits);
        if (gen >= G(6)) {
            in_a_batch(gen, BCS, traits);
            in_a_batch(gen, VCS, traits);
        }
        if (gen >= G(12_5)) {
            in_a_batch(gen, CCS, traits);
        }
        if (gen >= G(12_7)) {
            in_a_batch(gen, GSC, traits);
        }
    }
}

int main(void)
{
    flushes();
    delays();
    breadcrumbs();
    starts();
    copies();
    jobs();
    every_generation();
    return test_report("i915_recipe");
}

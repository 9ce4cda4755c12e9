/* i915/check_edges.c - the checker at the ends of its input, and what it prints of findings that name
 * little; commands that repeat a first word that was checked before. Each row: words, options, and the
 * number of findings of a rule. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
#include "test.h"
#include <stdlib.h>

static gpucmd_i915_rule wanted;
static unsigned found, all;
static char text[512];

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    gpucmd_text t;
    (void)user;
    all++;
    found += f->rule == wanted;
    if (f->rule == wanted) {
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_i915_print_finding(&t, f);
    }
    return GPUCMD_OK;
}

static bool user; /* the batches are not secure */

/* The words are in a block of their own, so that a tool notices what is read behind them. */
static unsigned findings(gpucmd_i915_gen gen, gpucmd_i915_engine engine, gpucmd_i915_rule rule,
                         const uint32_t *words, size_t len_dw)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    uint32_t *const copy = (uint32_t *)malloc(len_dw * 4);
    memcpy(copy, words, len_dw * 4);
    options.secure = !user;
    options.found = on_finding;
    wanted = rule;
    found = all = 0;
    text[0] = '\0';
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen, engine), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, copy, len_dw, &options, NULL), GPUCMD_OK);
    free(copy);
    return found;
}

#define FINDS(want, gen, engine, rule, ...)                                                        \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__};                                            \
        EQUAL(findings(GPUCMD_I915_GEN##gen, GPUCMD_I915_##engine, GPUCMD_I915_RULE_##rule,        \
                       words_, sizeof words_ / 4),                                                 \
              want);                                                                               \
    } while (0)

static void commands(void)
{
    /* a rectangle without rows, without columns, and the smallest one */
    FINDS(1, 6, BCS, RECTANGLE, 0x50300003, 0x03f00040, 0x00000010, 0x1000, 0, 0x05000000);
    FINDS(1, 6, BCS, RECTANGLE, 0x50300003, 0x03f00040, 0x00010000, 0x1000, 0, 0x05000000);
    FINDS(0, 6, BCS, RECTANGLE, 0x50300003, 0x03f00040, 0x00010004, 0x1000, 0, 0x05000000);
    /* tiles: the pitch of gen6 must be a multiple of 512 bytes; gen3 has no such rule */
    FINDS(1, 6, BCS, PITCH_TILE, 0x54300804, 0x03f00064, 0, 0x00010001, 0x1000, 1, 0x05000000, 0);
    FINDS(0, 6, BCS, PITCH_TILE, 0x54300804, 0x03f00080, 0, 0x00010001, 0x1000, 1, 0x05000000, 0);
    FINDS(0, 3, RCS, PITCH_TILE, 0x54300804, 0x03f00064, 0, 0x00010001, 0x1000, 1, 0x05000000, 0);
    /* PIPE_CONTROL whose words end: not one without data */
    FINDS(1, 9, RCS, TRUNCATED, 0x7a000004);
    FINDS(1, 9, RCS, TRUNCATED, 0x7a000002, 0x4000);
    FINDS(0, 9, RCS, NO_DATA, 0x7a000002, 0x4000);
}

#define STORE 0x10000002, 0xfffffff8, 0xffffffff, 0xffffffff /* MI_STORE_DATA_IMM */

/* Commands with a wrong length, of which only the words before the next command count. */
static void cut(void)
{
    /* no word of a pitch in DW8 */
    FINDS(1, 12, BCS, LENGTH, 0x50400017, 0x05000000);
    FINDS(0, 12, BCS, TRUNCATED, 0x50400017, 0x05000000);
    /* no flags of PIPE_CONTROL: one with TLB_INVALIDATE needs CS_STALL */
    FINDS(1, 9, RCS, LENGTH, 0x7a000010, 0x05000000);
    FINDS(0, 9, RCS, PIPE_TLB, 0x7a000010, 0x05000000);
    FINDS(1, 9, RCS, PIPE_TLB, 0x7a000004, 0x00040000, 0, 0, 0, 0, 0x05000000, 0);
    /* what follows: four commands in a row; a command with a wrong length; one without a name. Their
     * operands are like no command. */
    FINDS(1, 9, RCS, LENGTH, 0x7a000010, STORE, STORE, STORE, STORE, STORE, 0x05000000);
    EQUAL(all, 1);
    FINDS(2, 9, RCS, LENGTH, 0x7a000010, STORE, 0x10000000, 0xfffffff8, 0x05000000, 0);
    FINDS(1, 9, RCS, LENGTH, 0x7a000010, STORE, 0x78fd0000, 0xffffffff, 0x05000000, 0);
}

/* ---- first words that were checked before ---- */

static uint32_t batch[8192];
static size_t batch_dw;

static void add(const uint32_t *dw, size_t n)
{
    memcpy(batch + batch_dw, dw, n * 4);
    batch_dw += n;
}
#define ADD(...)                                                                                   \
    do {                                                                                           \
        const uint32_t dw_[] = {__VA_ARGS__};                                                      \
        add(dw_, sizeof dw_ / 4);                                                                  \
    } while (0)

/* End the batch, check it and begin another. Return the number of findings of the rule. */
static unsigned run(gpucmd_i915_gen gen, gpucmd_i915_engine engine, gpucmd_i915_rule rule)
{
    ADD(0x05000000);
    if (batch_dw % 2 != 0) {
        ADD(0);
    }
    const unsigned n = findings(gen, engine, rule, batch, batch_dw);
    batch_dw = 0;
    return n;
}
/* Expect these findings of the rule, and no others. */
#define RUN(want, gen, engine, rule)                                                               \
    do {                                                                                           \
        EQUAL(run(GPUCMD_I915_GEN##gen, GPUCMD_I915_##engine, GPUCMD_I915_RULE_##rule), want);     \
        EQUAL(all, want);                                                                          \
    } while (0)

#define RECT(x2y2) 0x54300004, 0x03f00200, 0x00050005, x2y2, 0x100000, 0 /* XY_COLOR_BLT, gen6 */

static void same_words(void)
{
    /* a pitch, an address, a rectangle */
    ADD(RECT(0x00060006));
    ADD(RECT(0x00060006));
    ADD(RECT(0x00060005)); /* no columns */
    ADD(RECT(0x00050006)); /* no rows */
    ADD(RECT(0xffff0006)); /* ends above its begin */
    ADD(RECT(0x00060006));
    RUN(3, 6, BCS, RECTANGLE);
    ADD(RECT(0x00060006));
    ADD(0x54300004, 0x03f00202, 0x00050005, 0x00060006, 0x100000, 0);
    RUN(1, 6, BCS, PITCH_LINEAR);
    /* a command that is known passes the end */
    ADD(0x10000002, 0x1000, 0, 1);
    ADD(0x10000002, 0x1000, 0, 1);
    ADD(0x10000002, 0x1000);
    EQUAL(findings(GPUCMD_I915_GEN9, GPUCMD_I915_RCS, GPUCMD_I915_RULE_TRUNCATED, batch, batch_dw),
          1);
    batch_dw = 0;
    /* tiles with another width: 2 is X on gen12.5, and not known on gen12 */
    ADD(0x5050000a, 0x80000020, 0, 0x00010001, 0x100000, 0, 0, 0, 0x8000003f, 0x200000, 0, 0);
    RUN(0, 12, BCS, PITCH_TILE);
    ADD(0x5050000a, 0x40000020, 0, 0x00010001, 0x100000, 0, 0, 0, 0x4000003f, 0x200000, 0, 0);
    RUN(1, 12, BCS, PITCH_TILE);
    /* DW12 of XY_FAST_COLOR_BLT is the upper half of an address until gen12.7 only */
    for (int i = 0; i < 2; i++) {
        ADD(0x5100000e, 0x0000003f, 0, 0x00010001, 0x100000, 0, 0, 1, 2, 3, 4, 0, 0x20000005, 0, 0);
        ADD(0);
    }
    RUN(0, 20, BCS, CANONICAL);
    ADD(0x5100000e, 0x0000003f, 0, 0x00010001, 0x100000, 0, 0, 1, 2, 3, 4, 0, 0x20000005, 0, 0, 0);
    RUN(1, 12_5, BCS, CANONICAL);
}

/* More first words, words and flushes than are noted: nothing is lost, and nothing is found twice. */
static void many(void)
{
    for (uint32_t i = 0; i < 600; i++) {
        ADD(0x00400000 | i % 300); /* MI_NOOP with an identification */
    }
    ADD(RECT(0x00060006));
    for (uint32_t i = 0; i < 300; i++) {
        ADD(0x00400000 | i);
    }
    ADD(RECT(0x00060005));
    RUN(1, 6, BCS, RECTANGLE);
    /* CS_STALL with each mix of six flushes, then TLB_INVALIDATE without CS_STALL */
    for (uint32_t i = 0; i < 128; i++) {
        const uint32_t flags = (i & 1) | (i & 2) << 2 | (i & 4) << 3 | (i & 0x38) << 7;
        ADD(0x7a000004, 0x00100000 | flags, 0, 0, 0, 0);
    }
    ADD(0x7a000004, 0x00040000, 0, 0, 0, 0);
    RUN(1, 9, RCS, PIPE_TLB);
    /* copies with each kind of tiles, then a rectangle without rows */
    for (uint32_t i = 0; i < 36; i++) {
        const uint32_t head = 0x50800008 | i % 3 << 13 | i / 3 % 3 << 20;
        ADD(head, 0x03000080, 0, 0x00010001, 0x100000, 0, 0, 0x80, 0x200000, 0);
    }
    ADD(0x50802008, 0x03000080, 0, 0x00000001, 0x100000, 0, 0, 0x80, 0x200000, 0);
    RUN(1, 9, BCS, RECTANGLE);
}

static void registers(void)
{
    user = true;
    /* an offset relative to the base of the engine names another register than the same number */
    ADD(0x11000001, 0x2090, 0);
    ADD(0x11080001, 0x0600, 0);
    ADD(0x11080001, 0x2090, 0); /* 0x4090 */
    ADD(0x11000001, 0x2090, 0);
    RUN(1, 11, RCS, REGISTER);
    CHECK(strstr(text, "0x4090") != NULL);
    ADD(0x14800002, 0x2090, 0x1000, 0); /* MI_LOAD_REGISTER_MEM, then MI_LOAD_REGISTER_REG */
    ADD(0x14880002, 0x0600, 0x1000, 0);
    ADD(0x14880002, 0x2090, 0x1000, 0);
    ADD(0x15000001, 0x2600, 0x2090);
    ADD(0x15080001, 0x2600, 0x0600);
    ADD(0x15080001, 0x2600, 0x2090);
    RUN(2, 11, RCS, REGISTER);
    /* bit 0 of an offset */
    ADD(0x11000001, 0x2600, 0);
    ADD(0x11000001, 0x2600, 0);
    ADD(0x11000001, 0x2601, 0);
    RUN(1, 9, RCS, REGISTER_ALIGN);
    /* the same of 32 registers, more than are noted */
    for (uint32_t i = 0; i < 96; i++) {
        ADD(0x11000001, (i < 64 ? 0x2600 : 0x2601) + i % 32 * 4, 0);
    }
    RUN(32, 9, RCS, REGISTER_ALIGN);
    /* a register of which only bits 6 and 22 may be written */
    ADD(0x11000001, 0xe49c, 0x00400040);
    ADD(0x11000001, 0xe49c, 0x00400000);
    ADD(0x11000001, 0xe49c, 0x00400001);
    RUN(1, 7_5, RCS, REGISTER);
    /* INSTPM: the write is dropped, as the driver knows */
    ADD(0x11000001, 0x20c0, 0);
    ADD(0x11000001, 0x20c0, 0xffffffff);
    RUN(0, 7, RCS, REGISTER);
    user = false;
}

#define DRAW6          0x7b000004, 0, 0, 0, 0, 0
#define DRAW9          0x7b000005, 0, 0, 0, 0, 0, 0
#define BASE6          0x61010008, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define BASE9(surface) 0x61010011, 0, 0, 0, surface, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define SYNC6(flags)   0x7a000003, flags, (flags)&0xc000 ? 0x1000 : 0, 0, 0
#define SYNC9(flags)   0x7a000004, flags, 0, 0, 0, 0

static void orders(void)
{
    /* gen6: after a drawing a flush without CS_STALL needs a post-sync operation before it */
    ADD(SYNC6(0x4000));
    ADD(SYNC6(0x1000));
    ADD(SYNC6(0x1000));
    ADD(DRAW6);
    ADD(SYNC6(0x1000));
    RUN(1, 6, RCS, PIPE_AFTER_POST);
    /* gen7: one of four has CS_STALL */
    ADD(SYNC6(0x00101000));
    for (int i = 0; i < 2; i++) {
        ADD(SYNC6(0x1000));
        ADD(SYNC6(0x1000));
        ADD(SYNC6(0x1000));
        ADD(SYNC6(0x00101000));
    }
    RUN(0, 7, RCS, PIPE_FOURTH);
    ADD(SYNC6(0x00101000));
    for (int i = 0; i < 4; i++) {
        ADD(SYNC6(0x1000));
    }
    RUN(1, 7, RCS, PIPE_FOURTH);
    /* a change of a base: the next drawing needs an invalidation before it */
    ADD(DRAW9);
    ADD(DRAW9);
    ADD(SYNC9(0x00100000));
    ADD(BASE9(1));
    ADD(DRAW9);
    ADD(DRAW9);
    RUN(1, 9, RCS, BASE_INVALIDATE);
    ADD(DRAW9);
    ADD(DRAW9);
    ADD(SYNC9(0x00100000));
    ADD(BASE9(0x1001));
    ADD(SYNC9(0x00100004));
    ADD(DRAW9);
    RUN(0, 9, RCS, BASE_INVALIDATE);
    /* STATE_BASE_ADDRESS after a drawing, from gen7 on */
    ADD(BASE9(0));
    ADD(BASE9(0));
    ADD(DRAW9);
    ADD(BASE9(0));
    RUN(1, 9, RCS, UNFLUSHED);
    ADD(BASE6);
    ADD(DRAW6);
    ADD(BASE6);
    RUN(0, 6, RCS, UNFLUSHED);
}

/* The shortest form of a command has the words of its operands. */
static void operands_fit(void)
{
    for (size_t i = 0; i < sizeof gpucmd_priv_i915_operands / sizeof gpucmd_priv_i915_operands[0];
         i++) {
        const gpucmd_priv_i915_operand *const o = &gpucmd_priv_i915_operands[i];
        for (int gen = GPUCMD_I915_GEN2; gen <= GPUCMD_I915_GEN35; gen++) {
            gpucmd_priv_i915_check c;
            gpucmd_i915_cmdset cmdset;
            memset(&c, 0, sizeof c);
            c.cmdset = &cmdset;
            if (gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, GPUCMD_I915_RCS) ==
                    GPUCMD_OK &&
                gpucmd_priv_i915_in_range(o->range, cmdset.nth)) {
                CHECK(gpucmd_priv_i915_row_span((gpucmd_i915_op)o->op, cmdset.gen, cmdset.nth)
                          .least >= gpucmd_priv_i915_operand_dw(&c, o));
            }
        }
    }
}

/* An engine without pipelines to select: the words change nothing for a later command. */
static void other_engine(void)
{
    FINDS(0, 12_5, CCS, ENGINE, 0x69040302, 0x05000000);
}

static void prints(void)
{
    static const uint32_t atomic[] = {0x17800501, 0x1000, 0, 0x05000000};
    gpucmd_i915_finding f;
    gpucmd_text t;
    memset(&f, 0, sizeof f);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_operand(&t, &f); /* no operand, and no command that was meant */
    gpucmd_i915_print_meant(&t, &f);
    EQUAL(text[0], '\0');
    EQUAL(findings(GPUCMD_I915_GEN7, GPUCMD_I915_RCS, GPUCMD_I915_RULE_GENERATION, atomic, 4), 1);
    const char *who = strstr(text, "; gen8 to ");
    CHECK(who != NULL && strstr(who, " has it") != NULL);
    CHECK(strstr(text, "of this generation") == NULL);
}

/* Nothing in a ring that begins at an odd word: nothing to say. */
static void nothing(void)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    const uint32_t noop = 0;
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    options.ring = true;
    options.va = 4;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    all = 0;
    EQUAL(gpucmd_i915_check(&cmdset, &noop, 0, &options, NULL), GPUCMD_OK);
    EQUAL(all, 0);
    EQUAL(gpucmd_i915_check(&cmdset, &noop, 1, &options, NULL), GPUCMD_OK);
    EQUAL(all, 0);
    options.va = 8;
    EQUAL(gpucmd_i915_check(&cmdset, &noop, 1, &options, NULL), GPUCMD_OK);
    EQUAL(all, 1); /* TAIL counts qwords */
}

int main(void)
{
    commands();
    cut();
    same_words();
    many();
    registers();
    orders();
    operands_fit();
    other_engine();
    prints();
    nothing();
    return test_report("i915/check_edges");
}

/* i915/check_edges.c - the checker at the ends of its input, and what it prints of findings that name
 * little. Each row: words, options, and the number of findings of a rule. */
#include "gpucmd_i915.h"
#include "test.h"

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

static unsigned findings(gpucmd_i915_gen gen, gpucmd_i915_engine engine, gpucmd_i915_rule rule,
                         const uint32_t *words, size_t len_dw)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.found = on_finding;
    wanted = rule;
    found = all = 0;
    text[0] = '\0';
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen, engine), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL), GPUCMD_OK);
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
    other_engine();
    prints();
    nothing();
    return test_report("i915/check_edges");
}

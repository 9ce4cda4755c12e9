/* The rows themselves: commands ascend by first word, and fields by command and dword, which look-ups
 * halve; fields of one generation do not overlap; each field takes its values and gives them back. */
#include "gpucmd_i915.h"
#include "test.h"

typedef struct command {
    const char *name;
    uint32_t head;
    int since, until;
} command;

#define COMMAND(x, name, hdr, since, until, ...)                                                   \
    {#name, hdr, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until},
static const command commands[] = {GPUCMD_I915_COMMANDS(COMMAND, )};

typedef struct field {
    const char *name;
    uint32_t op, dw, hi, lo;
    int since, until;
    uint32_t mask;
} field;

/* The fields that have constants. In rows the command has an underscore in front; as the macros see
 * it, two. */
#define SEEN(x, name, dw, hi, lo, since, until)                                                    \
    GPUCMD_I915_##x##_##name##_BITS = GPUCMD_I915##x##_##name##_BITS,
enum { GPUCMD_I915_FIELD_NAMES(SEEN) };

typedef struct constant {
    uint32_t hi, lo, mask, max_put, get_max;
} constant;

#define CONSTANT(x, name, dw, hi, lo, since, until)                                                \
    {hi, lo, GPUCMD_I915_BITS(x##_##name),                                                         \
     GPUCMD_I915_PUT(x##_##name, 0xffffffffu >> (31 - (hi) + (lo))),                               \
     GPUCMD_I915_GET(x##_##name, 0xffffffffu)},
static const constant constants[] = {GPUCMD_I915_FIELD_NAMES(CONSTANT)};

#define FIELD(x, name, dw, hi, lo, since, until)                                                   \
    {#x "_" #name,                                                                                 \
     GPUCMD_I915_OP##x,                                                                            \
     dw,                                                                                           \
     hi,                                                                                           \
     lo,                                                                                           \
     GPUCMD_I915_GEN##since,                                                                       \
     GPUCMD_I915_GEN##until,                                                                       \
     0xffffffffu >> (31 - (hi) + (lo)) << (lo)},
static const field fields[] = {GPUCMD_I915_FIELDS(FIELD)};

enum { COMMANDS = sizeof commands / sizeof commands[0], FIELDS = sizeof fields / sizeof fields[0] };

static void order(void)
{
    CHECK(COMMANDS > 70 && FIELDS > 500);
    for (size_t i = 0; i < COMMANDS; i++) {
        CHECK(commands[i].since <= commands[i].until);
        if (i != 0) {
            CHECK(commands[i - 1].head < commands[i].head ||
                  (commands[i - 1].head == commands[i].head &&
                   (commands[i - 1].until < commands[i].since ||
                    commands[i].until < commands[i - 1].since)));
        }
    }
    for (size_t i = 1; i < FIELDS; i++) {
        const field *a = &fields[i - 1], *b = &fields[i];
        CHECK(a->op < b->op || (a->op == b->op && a->dw <= b->dw + (b->until < GPUCMD_I915_GEN8)));
        CHECK(b->dw < 32);
    }
    for (size_t i = 0; i < FIELDS; i++) { /* in one generation fields ascend by dword */
        for (size_t k = i + 1; k < FIELDS && fields[k].op == fields[i].op; k++) {
            CHECK(fields[k].dw >= fields[i].dw || fields[k].until < fields[i].since);
            CHECK(fields[k].dw + 1 >= fields[i].dw);
        }
    }
}

/* A command's generations contain those of its fields; DW0 leaves the opcode alone. */
static void bounds(void)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const field *f = &fields[i];
        const command *c = &commands[f->op - 2];
        const uint32_t opcode = c->head >> 29 == 0   ? 0xff800000
                                : c->head >> 29 == 2 ? 0xffc00000
                                                     : 0xffff0000;
        CHECK(f->hi <= 31 && f->lo <= f->hi);
        CHECK(f->since >= c->since && f->until <= c->until && f->since <= f->until);
        CHECK(f->dw != 0 || (f->mask & opcode) == 0);
    }
}

static void overlaps(void)
{
    for (size_t i = 0; i < FIELDS; i++) {
        for (size_t k = i + 1; k < FIELDS && fields[k].op == fields[i].op; k++) {
            const bool together = fields[k].dw == fields[i].dw &&
                                  fields[k].since <= fields[i].until &&
                                  fields[i].since <= fields[k].until;
            if (together && (fields[k].mask & fields[i].mask) != 0) {
                fprintf(stderr, "%s and %s overlap\n", fields[i].name, fields[k].name);
            }
            CHECK(!together || (fields[k].mask & fields[i].mask) == 0);
        }
    }
}

static void values(void)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const constant *f = &constants[i];
        uint32_t mask = 0;
        for (uint32_t bit = f->lo; bit <= f->hi; bit++) {
            mask |= 1u << bit;
        }
        EQUAL(f->mask, mask);
        EQUAL(f->max_put, mask);
        EQUAL(f->get_max, mask >> f->lo);
    }
    EQUAL(GPUCMD_I915_GET(MI_ATOMIC_OPCODE, GPUCMD_I915_PUT(MI_ATOMIC_OPCODE, 7)), 7);
    EQUAL(GPUCMD_I915_PUT(MI_ATOMIC_OPCODE, 7), 0x700);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL), 0x100000);
}

static uint32_t findings;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    findings += f->rule == GPUCMD_I915_RULE_RESERVED;
    return GPUCMD_OK;
}

/* Words far after the last field of a long command have no fields, in any command. */
static void long_commands(void)
{
    static const uint32_t heads[] = {0x10000028, 0x11000029, 0x0d000029,
                                     0x1380002a, 0x1180002a, 0x4c40002a};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const gpucmd_i915_engine engine = heads[i] >> 29 == 2 ? GPUCMD_I915_BCS : GPUCMD_I915_RCS;
        gpucmd_i915_check_options options;
        gpucmd_i915_cmdset cmdset;
        gpucmd_text t;
        uint32_t words[48], n;
        char buf[4096];
        const char *line = buf;
        memset(words, 0xff, sizeof words);
        memset(words, 0, 22 * sizeof words[0]);
        words[0] = heads[i];
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, engine), GPUCMD_OK);
        gpucmd_text_init(&t, buf, sizeof buf);
        n = gpucmd_i915_print(&t, &cmdset, words, 46, 0);
        CHECK(n > 40);
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        for (uint32_t k = 0; k < n && line != NULL; k++) {
            const char *end = strchr(line, '\n');
            CHECK(end != NULL && (k < 22 || end - line == 18)); /* address and word alone */
            line = end != NULL ? end + 1 : NULL;
        }
        words[n] = 0x05000000;
        findings = 0;
        memset(&options, 0, sizeof options);
        options.secure = true;
        options.found = on_finding;
        EQUAL(gpucmd_i915_check(&cmdset, words, n + 1, &options, NULL), GPUCMD_OK);
        EQUAL(findings, 0);
    }
}

int main(void)
{
    long_commands();
    order();
    bounds();
    overlaps();
    values();
    return test_report("i915_rows");
}

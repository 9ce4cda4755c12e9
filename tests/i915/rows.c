/* The rows themselves: commands ascend by first word, and fields by command and dword, which
 * look-ups halve; fields of one generation do not overlap; each field takes its values and gives
 * them back. Rows of small tables by value. */
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
#define SEEN(x, name, dw, hi, lo, since, until) GPUCMD_I915_##x##_##name = GPUCMD_I915##x##_##name,
__extension__ enum { GPUCMD_I915_FIELD_NAMES(SEEN) };

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
    /* "Each field has one constant, its mask" */
    EQUAL(GPUCMD_I915_PIPE_CONTROL_CS_STALL, 0x100000);
    EQUAL(GPUCMD_I915_MI_ATOMIC_OPCODE, 0xff00);
    EQUAL(GPUCMD_I915_MI_FLUSH_DW_GGTT, 4);
}

/* ---- rows of other tables ---- */

/* The rows of a class ascend and leave out no generation; the first and the last are typed. */
#define SPAN(name, since, until, ...) {#name, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until, 0},
static const command lengths[] = {GPUCMD_I915_LENGTHS(SPAN)};
static const command owners[] = {GPUCMD_I915_OWNERS(SPAN)};

static void classes(const command *rows, size_t n, const command *want, size_t want_n)
{
    static const int gens[] = {20, 30,  40,  45,  50,  60,  70,  75,  80,
                               90, 110, 120, 125, 126, 127, 200, 300, 350};
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const bool first = i == 0 || strcmp(rows[i - 1].name, rows[i].name) != 0;
        size_t g = 0;
        while (gens[g] != (int)rows[i].head) {
            g++;
        }
        CHECK(first || (g != 0 && gens[g - 1] == rows[i - 1].since));
        CHECK((int)rows[i].head <= rows[i].since);
        if (first && found < want_n) {
            CHECK(strcmp(rows[i].name, want[found].name) == 0);
            EQUAL(rows[i].head, want[found].head);
        }
        if (i + 1 == n || strcmp(rows[i].name, rows[i + 1].name) != 0) {
            EQUAL(found < want_n ? want[found].since : 0, rows[i].since);
            found++;
        }
    }
    EQUAL(found, want_n);
}

static void class_rows(void)
{
    static const command want_lengths[] = {
        {"ONE",  20, 350, 0},
        {"DEF",  20, 350, 0},
        {"BYTE", 20, 350, 0},
        {"SIX",  20, 350, 0},
        {"SDI",  20, 350, 0},
        {"UGTT", 20, 350, 0},
        {"CLF",  20, 350, 0},
        {"MATH", 20, 350, 0}
    };
    static const command want_owners[] = {
        {"ANY",   20,  350, 0},
        {"RCS",   20,  350, 0},
        {"FLSH",  20,  350, 0},
        {"MATH",  20,  350, 0},
        {"FDW",   20,  350, 0},
        {"DISP",  20,  350, 0},
        {"EVENT", 20,  350, 0},
        {"PRED",  70,  350, 0},
        {"BLT",   20,  350, 0},
        {"GSC",   127, 350, 0},
        {"MEM",   126, 350, 0},
        {"FENCE", 126, 350, 0},
    };
    classes(lengths, sizeof lengths / sizeof lengths[0], want_lengths,
            sizeof want_lengths / sizeof want_lengths[0]);
    classes(owners, sizeof owners / sizeof owners[0], want_owners,
            sizeof want_owners / sizeof want_owners[0]);
}

/* A command has no length in the generations that do not have the command, and one word if it has no
 * length field. */
#define DWORDS(x, name, hdr, since, until, owner, length, old_min, old_max, new_min, new_max, ...) \
    CHECK((GPUCMD_I915_GEN##since < GPUCMD_I915_GEN8) ? (old_min) >= 1 && (old_max) >= (old_min)   \
                                                      : (old_min) == 0 && (old_max) == 0);         \
    CHECK((GPUCMD_I915_GEN##until >= GPUCMD_I915_GEN8) ? (new_min) >= 1 && (new_max) >= (new_min)  \
                                                       : (new_min) == 0 && (new_max) == 0);        \
    CHECK(strcmp(#length, "ONE") != 0 || ((old_max) <= 1 && (new_max) <= 1));

/* The parser has rules for gen7, gen7.5 and, on the copy engine, gen9. */
#define PARSED(name, hdr, since, until, engines, dwords, mask, rule)                               \
    CHECK(GPUCMD_I915_GEN##since == GPUCMD_I915_GEN7 ||                                            \
          GPUCMD_I915_GEN##since == GPUCMD_I915_GEN7_5 ||                                          \
          GPUCMD_I915_GEN##since == GPUCMD_I915_GEN9);                                             \
    CHECK(GPUCMD_I915_GEN##until == GPUCMD_I915_GEN7_5 ||                                          \
          GPUCMD_I915_GEN##until == GPUCMD_I915_GEN9);                                             \
    CHECK(((dwords) == 0) != ((mask) == 0));                                                       \
    parsed_name(#name, hdr, GPUCMD_I915_GEN##since, engines);

/* A row of the parser has the first word of the command of its name. The kernel's table has MI_FLUSH
 * for the copy engine, which has no such command. */
static void parsed_name(const char *name, uint32_t hdr, gpucmd_i915_gen gen, uint32_t engines)
{
    for (uint32_t e = GPUCMD_I915_RCS; e <= GPUCMD_I915_VECS; e <<= 1) {
        gpucmd_i915_cmdset cmdset;
        if ((engines & e) != 0 && (e != GPUCMD_I915_BCS || strcmp(name, "MI_FLUSH") != 0) &&
            gpucmd_i915_cmdset_init(&cmdset, gen, (gpucmd_i915_engine)e) == GPUCMD_OK &&
            !CHECK(strcmp(gpucmd_i915_name(&cmdset, hdr), name) == 0)) {
            printf("    %s: %s\n", name, gpucmd_i915_name(&cmdset, hdr));
        }
    }
}

/* The fields of 32 bits whose names end in ADDRESS_HIGH, DST_HIGH or SRC_HIGH are upper halves of
 * addresses, and no others. */
#define HIGH(command, field) {#command, #field},
#define UPPER(x, name, dw, hi, lo, since, until)                                                   \
    upper_half(#x, #name, (hi) == 31 && (lo) == 0, &count);

static const char *const highs[][2] = {GPUCMD_I915_HIGHS(HIGH)};

static bool ends_in(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void upper_half(const char *of, const char *name, bool whole, size_t *count)
{
    const bool want = whole && (ends_in(name, "ADDRESS_HIGH") || ends_in(name, "DST_HIGH") ||
                                ends_in(name, "SRC_HIGH"));
    bool found = false;
    for (size_t i = 0; i < sizeof highs / sizeof highs[0]; i++) {
        found = found || (strcmp(highs[i][0], of + 1) == 0 && strcmp(highs[i][1], name) == 0);
    }
    if (!CHECK(found == want)) {
        printf("    %s %s\n", of, name);
    }
    *count += want;
}

static void upper_halves(void)
{
    size_t count = 0;
    GPUCMD_I915_FIELDS(UPPER)
    EQUAL(sizeof highs / sizeof highs[0], count);
}

static void generations(void)
{
    GPUCMD_I915_COMMANDS(DWORDS, )
    GPUCMD_I915_PARSED(PARSED)
}

/* The members of a structure follow one another without a gap. */
enum { SIZE_u32 = 4, SIZE_s32 = 4, SIZE_u64 = 8, SIZE_s64 = 8, SIZE_i915_user_extension = 32 };
#define STRUCT_BEGIN(name)            at = 0;
#define STRUCT_FIELD(type, name, off) STRUCT_ARRAY(type, name, 1, off)
#define STRUCT_ARRAY(type, name, n, off)                                                           \
    EQUAL(off, at);                                                                                \
    at += (n)*SIZE_##type;
#define STRUCT_UNION(...)
#define STRUCT_END(name, bytes)                                                                    \
    EQUAL(bytes, at);                                                                              \
    EQUAL(bytes, sizeof(struct gpucmd_##name));

static void structures(void)
{
    size_t at;
    GPUCMD_I915_STRUCTS(STRUCT_BEGIN, STRUCT_FIELD, STRUCT_ARRAY, STRUCT_UNION, STRUCT_END)
}

/* Words of the arrays in the structures of the writers and of the executor. */
static void arrays(void)
{
    const gpucmd_i915_blt *const b = NULL;
    const gpucmd_i915_cmdset *const set = NULL;
    const gpucmd_i915_cs *const cs = NULL;
    const gpucmd_i915_kernel_store *const store = NULL;
    EQUAL(sizeof b->color / 4, 4);
    EQUAL(sizeof b->surface / 4, 10); /* DW12 to DW21 */
    EQUAL(sizeof b->pattern / 4, 2);
    EQUAL(sizeof b->key / 4, 2);
    EQUAL(sizeof set->mi_user_noop / 4, 2); /* 64 opcodes of MI commands */
    EQUAL(sizeof set->mi_form, 64);
    EQUAL(sizeof set->mi_min, 64);
    EQUAL(sizeof set->op, 64 + 128 + 1);
    EQUAL(sizeof cs->levels / sizeof cs->levels[0], 4);
    EQUAL(sizeof cs->blt_dw / 4, 24);
    EQUAL(sizeof cs->setup / 4, 9);
    EQUAL(sizeof store->ring_words / 4, 1024);
    EQUAL(GPUCMD_I915_KERNEL_RINGS, 7); /* the five of EXECBUFFER2, BSD2, COMPUTE */
    EQUAL(sizeof store->regions / sizeof store->regions[0], 64 + 1);
}

/* Operations of MI_MATH. [GX] [MB] */
#define OPERATION(name, code, since) {#name, code, GPUCMD_I915_GEN##since, 0},
static void operations(void)
{
    static const command got[] = {GPUCMD_I915_ALU_OPS(OPERATION)};
    static const command want[] = {
        {"NOOP",     0x000, 75,  0},
        {"FENCE_RD", 0x001, 125, 0},
        {"FENCE_WR", 0x002, 125, 0},
        {"LOAD",     0x080, 75,  0},
        {"LOAD0",    0x081, 75,  0},
        {"LOADIND",  0x082, 125, 0},
        {"ADD",      0x100, 75,  0},
        {"SUB",      0x101, 75,  0},
        {"AND",      0x102, 75,  0},
        {"OR",       0x103, 75,  0},
        {"XOR",      0x104, 75,  0},
        {"SHL",      0x105, 125, 0},
        {"SHR",      0x106, 125, 0},
        {"SAR",      0x107, 125, 0},
        {"STORE",    0x180, 75,  0},
        {"STOREIND", 0x181, 125, 0},
        {"LOADINV",  0x480, 75,  0},
        {"LOAD1",    0x481, 75,  0},
        {"STOREINV", 0x580, 75,  0}
    };
    EQUAL(GPUCMD_FIELD_MASK(I915_ALU_OP), 0xfff00000);
    EQUAL(GPUCMD_FIELD_MASK(I915_ALU_OPERAND1), 0x000ffc00);
    EQUAL(GPUCMD_FIELD_MASK(I915_ALU_OPERAND2), 0x000003ff);
    EQUAL(sizeof got / sizeof got[0], sizeof want / sizeof want[0]);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(strcmp(got[i].name, want[i].name) == 0);
        EQUAL(got[i].head, want[i].head);
        EQUAL(got[i].since, want[i].since);
    }
}

/* The names of fields that the 2D commands before gen9 share. [PRM5] [SNA] */
static void shared_fields(void)
{
    EQUAL(GPUCMD_I915_BITS(BLT_WRITE_ALPHA), 0x00200000);
    EQUAL(GPUCMD_I915_BITS(BLT_WRITE_RGB), 0x00100000);
    EQUAL(GPUCMD_I915_BITS(BLT_FIRST_BIT), 0x000e0000);
    EQUAL(GPUCMD_I915_BITS(BLT_RANGE_MODE), 0x000e0000);
    EQUAL(GPUCMD_I915_BITS(BLT_NUMBER), 0x00078000);
    EQUAL(GPUCMD_I915_BITS(BLT_BYTE_PACKED), 0x00010000);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_TILED), 0x00008000);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_X), 0x00007000);
    EQUAL(GPUCMD_I915_BITS(BLT_DST_TILED), 0x00000800);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_Y), 0x00000700);
    EQUAL(GPUCMD_I915_BITS(BLT_X_DIRECTION), 0x40000000);
    EQUAL(GPUCMD_I915_BITS(BLT_Y), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_X), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SOLID), 0x80000000);
    EQUAL(GPUCMD_I915_BITS(BLT_CLIP), 0x40000000);
    EQUAL(GPUCMD_I915_BITS(BLT_TRANSPARENT), 0x30000000);
    EQUAL(GPUCMD_I915_BITS(BLT_DEPTH), 0x03000000);
    EQUAL(GPUCMD_I915_BITS(BLT_ROP), 0x00ff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_PITCH), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_Y1), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_X1), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_Y2), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_X2), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_DST), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_DST_HIGH), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_CLIP_Y1), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_CLIP_X1), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_CLIP_Y2), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_CLIP_X2), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_ROWS), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_WIDTH_BYTES), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_Y1_G2), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_X1_G2), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_Y1), 0xffff0000);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_X1), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_PITCH_G2), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_PITCH), 0x0000ffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_SRC_HIGH), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_COLOR_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_COLOR), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_BACKGROUND_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_BACKGROUND), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_FOREGROUND_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_FOREGROUND), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_HIGH), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_BACKGROUND_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_BACKGROUND), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_FOREGROUND_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_FOREGROUND), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_0_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_0), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_1_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_PATTERN_1), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_KEY_LOW_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_KEY_LOW), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_KEY_HIGH_G2), 0xffffffff);
    EQUAL(GPUCMD_I915_BITS(BLT_KEY_HIGH), 0xffffffff);
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

/* DW0, the words of its parts and 2 words of data are the size of a 2D command in one of its forms.
 * The parts of a command that gen7 does not have have no words there. */
static void parts(void)
{
#define DATA(p) (GPUCMD_I915_PRIV_BLT_##p == GPUCMD_I915_PRIV_BLT_DATA ? 2 : 0)
#define NEW(p)  (GPUCMD_I915_PRIV_##p##_DW + DATA(p))
#define OLD(p)  (GPUCMD_I915_PRIV_##p##_OLD + DATA(p))
#define ROW(dw, name, p, q, r, s)                                                                  \
    {dw(name, GPUCMD_I915_GEN7, 0), dw(name, GPUCMD_I915_GEN8, 0),                                 \
     dw(name, GPUCMD_I915_GEN12_5, 0), OLD(p) + OLD(q) + OLD(r) + OLD(s),                          \
     1 + NEW(p) + NEW(q) + NEW(r) + NEW(s)},
    static const struct {
        uint32_t gen7, gen8, gen12_5, old_dw, dw;
    } rows[] = {GPUCMD_I915_BLTS(ROW, GPUCMD_I915_BLT_DW)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(rows[i].old_dw, rows[i].gen7 != 0 ? rows[i].gen7 - 1 : 0);
        if (!CHECK(rows[i].dw == rows[i].gen8 || rows[i].dw == rows[i].gen12_5)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
#define SUM(p, q, r, s)                                                                            \
    EQUAL(NEW(p), NEW(q) + NEW(r) + NEW(s));                                                       \
    EQUAL(OLD(p), OLD(q) + OLD(r) + OLD(s))
    SUM(XY, BR13, RECT, DST);
    SUM(BYTES, BR13, ROWS, DST);
    SUM(MONO_PATTERN, PATTERN_COLORS, PATTERN_WORDS, NONE);
}

/* The effect of each command in a non-secure batch. [K] [MD] */
static void privileges(void)
{
#define PRIVILEGE(x, name, hdr, since, until, who, len, a, b, c, d, priv, ...) #priv " " #name,
    static const char *const rows[] = {GPUCMD_I915_COMMANDS(PRIVILEGE, )};
    static const char *const want[] = {
        "NOOP MI_WAIT_FOR_EVENT",
        "NOOP MI_WAIT_FOR_EVENT_2",
        "NOOP MI_ARB_ON_OFF",
        "NOOP MI_SUSPEND_FLUSH",
        "NOOP MI_OVERLAY_FLIP",
        "NOOP MI_DISPLAY_FLIP",
        "NOOP MI_SEMAPHORE_MBOX",
        "NOOP MI_SET_CONTEXT",
        "NOOP MI_UPDATE_GTT",
        "NOOP MI_LOAD_SCAN_LINES_INCL",
        "ALWAYS MI_STORE_DATA_INDEX",
        "NOOP MI_LOAD_SCAN_LINES_EXCL",
        "IRQ MI_USER_INTERRUPT",
        "DROP MI_STORE_REGISTER_MEM",
        "GGTT MI_STORE_DATA_IMM",
        "GGTT MI_CONDITIONAL_BATCH_BUFFER_END",
        "GGTT MI_COPY_MEM_MEM",
        "GGTT MI_REPORT_PERF_COUNT",
        "GGTT MI_CLFLUSH",
        "SPACE MI_ATOMIC",
        "SPACE MI_SEMAPHORE_WAIT",
        "SPACE MI_SEMAPHORE_WAIT_64",
        "REG MI_LOAD_REGISTER_IMM",
        "REG MI_LOAD_REGISTER_MEM",
        "REG MI_LOAD_REGISTER_REG",
        "SYNC MI_FLUSH_DW",
        "SYNC PIPE_CONTROL",
    };
    size_t found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = 0;
        while (n < sizeof want / sizeof want[0] && strcmp(rows[i], want[n]) != 0) {
            n++;
        }
        found += n < sizeof want / sizeof want[0];
        if (!CHECK(n < sizeof want / sizeof want[0] || strncmp(rows[i], "NONE ", 5) == 0)) {
            printf("    %s\n", rows[i]);
        }
    }
    EQUAL(found, sizeof want / sizeof want[0]);
}

int main(void)
{
    long_commands();
    parts();
    privileges();
    class_rows();
    generations();
    upper_halves();
    structures();
    arrays();
    operations();
    shared_fields();
    order();
    bounds();
    overlaps();
    values();
    return test_report("i915_rows");
}

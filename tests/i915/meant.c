/* Findings that name the command that the author meant, and engines or generations that have the
 * command. The right word of each row is computed by hand from the headers of the facts. */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, V = 2, B = 4, E = 8, C = 16 };

static char meant[256], who[256];
static unsigned rule, count, any;

/* Keep what the first finding with a name says. */
static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    gpucmd_text t;
    (void)user;
    count++;
    if (f->meant != NULL && any++ == 0) {
        gpucmd_text_init(&t, meant, sizeof meant);
        gpucmd_i915_print_meant(&t, f);
        rule = (unsigned)f->rule;
    }
    if (f->rule == GPUCMD_I915_RULE_ENGINE || f->rule == GPUCMD_I915_RULE_GENERATION) {
        gpucmd_text_init(&t, who, sizeof who);
        gpucmd_i915_print_who(&t, f);
    }
    return GPUCMD_OK;
}

static void check(int gen, int engine, const uint32_t *words, size_t len_dw)
{
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.found = on_finding;
    meant[0] = who[0] = '\0';
    count = any = 0;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine),
          GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL), GPUCMD_OK);
}

static void says(const char *got, const char *want, uint32_t word)
{
    if (!CHECK(strcmp(got, want) == 0)) {
        printf("    %08x: \"%s\", expected \"%s\"\n", (unsigned)word, got, want);
    }
}

#define RULE(name) GPUCMD_I915_RULE_##name

/* What the author meant. An empty text: the finding names no command. */
static void commands(void)
{
    /* clang-format off */
    static const struct {
        int gen, engine;
        unsigned rule;
        const char *meant;
        uint32_t n, words[12];
    } rows[] = {
        /* MI opcodes, shifted by 24: END 0x0a, NOOP has none; USER_INTERRUPT, ARB_CHECK are words
         * of other commands that are right; LOAD_REGISTER_IMM 0x22, STORE_DATA_IMM 0x20 */
        {90, R, RULE(LENGTH), "MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 24 instead of 23", 2, {0, 0x0a000000}},
        {90, B, RULE(LENGTH), "MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 24 instead of 23", 2, {0, 0x0a000000}},
        {60, R, RULE(LENGTH), "MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 24 instead of 23", 2, {0x0a000000, 0}},
        {90, R, RULE(UNKNOWN), "MI_LOAD_REGISTER_IMM (0x11000001) with its opcode shifted by 24 instead of 23", 4, {0x22000001, 0x2600, 1, 0x05000000}},
        {90, R, RULE(UNKNOWN), "MI_STORE_DATA_IMM (0x10000002) with its opcode shifted by 24 instead of 23", 6, {0x20000002, 0x200000, 0, 1, 0x05000000, 0}},
        {90, R, RULE(UNKNOWN), "MI_BATCH_BUFFER_START (0x18800101) with its opcode shifted by 24 instead of 23", 4, {0x31000101, 0x200000, 0, 0}},
        /* as the right commands */
        {90, R, 0, "", 4, {0x11000001, 0x2600, 1, 0x05000000}},
        {90, R, 0, "", 4, {0x0a000001, 0, 0, 0x05000000}},
        /* an end that is another command, or none: the last word that is not 0 */
        {90, R, RULE(NO_END), "MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 22 instead of 23", 4, {0, 0x02800000, 0, 0}},
        {90, R, RULE(NO_END), "MI_BATCH_BUFFER_END (0x05000000) with its bytes in reverse order", 2, {0, 5}},
        {90, R, 0, "", 2, {0x02800000, 0x05000000}},
        {90, R, 0, "", 2, {0x02800000, 0x03000000}},
        {90, R, 0, "", 2, {0, 0}},
        /* shifted by 22: STORE_REGISTER_MEM 0x24, 0x09000002: LOAD_SCAN_LINES_INCL of 4 words */
        {110, R, RULE(LENGTH), "MI_STORE_REGISTER_MEM (0x12000002) with its opcode shifted by 22 instead of 23", 6, {0x09000002, 0x2358, 0x200000, 0, 0x05000000, 0}},
        /* the top byte of a 3D command shifted by 23 and by 25, with and without flags of DW1 */
        {90, R, RULE(UNKNOWN), "PIPE_CONTROL (0x7a000004) with its bits 31:24 shifted by 23 instead of 24", 8, {0x3d000004, 0x00101000, 0, 0, 0, 0, 0x05000000, 0}},
        {90, R, RULE(UNKNOWN), "PIPE_CONTROL (0x7a000004) with its bits 31:24 shifted by 23 instead of 24", 8, {0x3d104004, 0, 0x200000, 0, 1, 0, 0x05000000, 0}},
        {70, R, RULE(UNKNOWN), "PIPE_CONTROL (0x7a000003) with its bits 31:24 shifted by 23 instead of 24", 6, {0x3d000003, 0x00101000, 0, 0, 0, 0x05000000}},
        {90, R, RULE(UNKNOWN), "3DPRIMITIVE (0x7b000005) with its bits 31:24 shifted by 23 instead of 24", 8, {0x3d800005, 0, 0, 0, 0, 0, 0, 0x05000000}},
        {90, R, RULE(UNKNOWN), "PIPE_CONTROL (0x7a000004) with its bits 31:24 shifted by 25 instead of 24", 8, {0xf4000004, 0x00101000, 0, 0, 0, 0, 0x05000000, 0}},
        /* no client bits. XY_COLOR_BLT 0x50 of 6 words on gen7, 7 on gen8; XY_SRC_COPY_BLT 0x53 */
        {70, R, RULE(LENGTH), "XY_COLOR_BLT (0x54300004, of bcs) without its client bits 31:29", 8, {0x14300004, 0x03f02000, 0, 0x00100010, 0x00100000, 0, 0x05000000, 0}},
        {70, B, RULE(ENGINE), "XY_COLOR_BLT (0x54300004) without its client bits 31:29", 8, {0x14300004, 0x03f02000, 0, 0x00100010, 0x00100000, 0, 0x05000000, 0}},
        {90, B, RULE(ENGINE), "XY_COLOR_BLT (0x54300005) without its client bits 31:29", 8, {0x14300005, 0x03f02000, 0, 0x00100010, 0x00100000, 0, 0, 0x05000000}},
        {70, R, RULE(LENGTH), "XY_COLOR_BLT (0x54300004, 6 words, of bcs) without its client bits 31:29", 6, {0x14300003, 0x03f02000, 0, 0x00100010, 0x00100000, 0x05000000}},
        {70, R, 0, "", 6, {0x14000003, 0x00200000, 0, 0, 0, 0x05000000}}, /* MI_REPORT_PERF_COUNT */
        /* BR13 in DW0: 0x14000000 and 0x03f00000, 0x14c00000 and 0x03cc0000 */
        {70, R, RULE(GENERATION), "XY_COLOR_BLT (0x54000004, 6 words, of bcs) with bits 31:16 of its DW1 in DW0, and without its client bits 31:29", 6, {0x17f00003, 0x2000, 0x0014000a, 0x003c006e, 0x00336699, 0x05000000}},
        {70, B, RULE(GENERATION), "XY_SRC_COPY_BLT (0x54c00006) with bits 31:16 of its DW1 in DW0, and without its client bits 31:29", 10, {0x17cc0006, 0x2000, 0, 0x003c006e, 0x200000, 0, 0x2000, 0x300000, 0x05000000, 0}},
        {70, B, RULE(UNKNOWN), "XY_COLOR_BLT (0x54000004) with bits 31:16 of its DW1 in DW0", 8, {0x57f00004, 0x2000, 0, 0x003c006e, 0x200000, 0, 0x05000000, 0}},
        /* 2D opcodes shifted by 23: 0x40000000 and 0x50 << 23; by 21 */
        {70, B, RULE(ENGINE), "XY_COLOR_BLT (0x54300004) with its opcode shifted by 23 instead of 22", 8, {0x68300004, 0x03f02000, 0, 0x00100010, 0x00100000, 0, 0x05000000, 0}},
        {90, B, RULE(UNKNOWN), "XY_FAST_COPY_BLT (0x50800008) with its opcode shifted by 21 instead of 22", 12, {0x48400008, 0x03001000, 0, 0x00010001, 0x200000, 0, 0, 0x1000, 0x300000, 0, 0x05000000, 0}},
        /* nothing is like it, or two commands are */
        {90, R, 0, "", 2, {0xffffffff, 0x05000000}},
        {90, R, 0, "", 2, {0xc0000000, 0x05000000}},
        {90, R, 0, "", 2, {0x20000000, 0x05000000}},
        {90, R, 0, "", 8, {0x1a000004, 0x00101000, 0, 0, 0, 0, 0x05000000, 0}}, /* MI_MATH, PIPE_CONTROL */
        /* a wrong number of words of the command itself */
        {90, R, 0, "", 6, {0x7a000003, 0x00101000, 0, 0, 0, 0x05000000}},
        {90, R, 0, "", 4, {0x11000002, 0x2600, 1, 0x05000000}},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check(rows[i].gen, rows[i].engine, rows[i].words, rows[i].n);
        says(meant, rows[i].meant, rows[i].words[0]);
        if (rows[i].meant[0] != '\0' && !EQUAL(rule, rows[i].rule)) {
            printf("    %08x\n", (unsigned)rows[i].words[0]);
        }
    }
}

/* Who has the command. [K] [GX] the rows of GPUCMD_I915_MI_COMMANDS and GPUCMD_I915_BLTS */
static void owners(void)
{
    static const struct {
        int gen, engine;
        const char *who;
        uint32_t words[2];
    } rows[] = {
        {70,  R, "bcs",                           {0x54300004, 0}}, /* XY_COLOR_BLT: blits left the render engine on gen6 */
        {50,  R, "",                              {0x54300004, 0}},
        {60,  V, "bcs",                           {0x54300004, 0}},
        {90,  B, "rcs",                           {0x7a000004, 0}}, /* PIPE_CONTROL */
        {125, B, "rcs, ccs",                      {0x7a000004, 0}},
        {90,  B, "rcs",                           {0x7b000005, 0}},
        {70,  R, "gen7.5 to 12.5, gen12.7 to 35", {0x15000001, 0}}, /* MI_LOAD_REGISTER_REG */
        {70,  R, "gen8 to 12.5, gen12.7 to 35",   {0x17800001, 0}}, /* MI_ATOMIC */
        {80,  R, "gen6 to 7.5",                   {0x0b000001, 0}}, /* MI_SEMAPHORE_MBOX */
        {80,  B, "gen9 to 30",                    {0x50800008, 0}}, /* XY_FAST_COPY_BLT */
        {90,  B, "gen12 to 35",                   {0x50400014, 0}}, /* XY_BLOCK_COPY_BLT */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check(rows[i].gen, rows[i].engine, rows[i].words, 2);
        says(who, rows[i].who, rows[i].words[0]);
    }
}

/* The line of a finding. */
static gpucmd_status on_line(void *user, const gpucmd_i915_finding *f)
{
    gpucmd_text *t = (gpucmd_text *)user;
    gpucmd_i915_print_finding(t, f);
    gpucmd_text_char(t, '\n');
    return GPUCMD_OK;
}

static void lines(void)
{
    static const uint32_t words[] = {0x54300004, 0x03f02000, 0,          0x00100010,
                                     0x00100000, 0,          0x0a000000, 0};
    static char text[1024];
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    gpucmd_text t;
    memset(&options, 0, sizeof options);
    gpucmd_text_init(&t, text, sizeof text);
    options.found = on_line;
    options.user = &t;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN7, GPUCMD_I915_RCS), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, words, 8, &options, NULL), GPUCMD_OK);
    says(text,
         "0x0: error: ENGINE: engine does not have the command: 0x54300004; bcs of this generation "
         "has it\n"
         "0x18: error: LENGTH: wrong number of words: 0xa000000 MI_DISPLAY_FLIP: 2, expected 3 "
         "words; looks like MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 24 instead "
         "of 23\n"
         "0x18: warning: PRIVILEGED: a non-secure batch cannot execute all of the command: "
         "0xa000000\n"
         "0x20: error: NO_END: no MI_BATCH_BUFFER_END\n",
         words[0]);
}

int main(void)
{
    commands();
    owners();
    lines();
    return test_report("i915_meant");
}

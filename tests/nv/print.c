/* Text of commands and of IB entries, and severities of rules. There is text for each shape of a
 * line: addresses of 6 and of more digits, method runs that continue in the next segment, count
 * words, flags, and buffers that are too small. Words are typed from [906F], [506F] and [C86F]. */
#include "gpucmd_nv.h"
#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

static gpucmd_nv_gate gate;

static void use(gpucmd_nv_chip chip)
{
    const bool ib = chip >= CHIP(G80);
    EQUAL(gpucmd_nv_gate_init(&gate, chip, ib, ib, GPUCMD_NV_FMT_NEW), GPUCMD_OK);
}

/* Append the text of the commands in dw: a segment of n_dw words, then one of the others. */
static void append(gpucmd_text *t, const uint32_t *dw, size_t n_dw, size_t len_dw, uint64_t at_va)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    size_t at = 0;
    gpucmd_nv_walk_init(&walk, &gate, dw, n_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(t, &gate, &cmd, at_va + 4 * at);
        at += cmd.len_dw;
    }
    gpucmd_nv_walk_segment(&walk, dw + n_dw, len_dw - n_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(t, &gate, &cmd, at_va + 4 * at);
        at += cmd.len_dw;
    }
    EQUAL(at, len_dw);
}

/* Expect this text, and the start of it in each smaller buffer. */
static void says(const uint32_t *dw, size_t n_dw, size_t len_dw, uint64_t at_va, const char *want)
{
    const size_t need_bytes = strlen(want);
    char line[512];
    for (size_t cap = 1; cap <= need_bytes + 1; cap++) {
        gpucmd_text t;
        memset(line, '~', sizeof line);
        gpucmd_text_init(&t, line, cap);
        append(&t, dw, n_dw, len_dw, at_va);
        EQUAL(t.need_bytes, need_bytes);
        if (!CHECK(strlen(line) == cap - 1 && memcmp(line, want, cap - 1) == 0)) {
            printf("%s\n", line);
            break;
        }
        CHECK(line[cap] == '~');
    }
}

#define SAYS(at_va, n_dw, want, ...)                                                               \
    says((const uint32_t[]){__VA_ARGS__}, n_dw, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,       \
         at_va, want)

static void commands(void)
{
    use(CHIP(GF100));
    SAYS(0x10, 2,
         "0x000010  20018040  INC          s4 0x0100 n1\n"
         "0x000014  0000002a               s4 0x0100\n",
         0x20018040, 0x2a);
    SAYS(0xfffffc, 2,
         "0xfffffc  20018040  INC          s4 0x0100 n1\n"
         "0x1000000  0000002a               s4 0x0100\n",
         0x20018040, 0x2a);
    SAYS(0xab12345678, 2,
         "0xab12345678  60016ffe  NON_INC      s3 0x3ff8 n1\n"
         "0xab1234567c  fedcba98               s3 0x3ff8\n",
         0x60016ffe, 0xfedcba98);
    SAYS(0x10000000000, 1, "0x10000000000  20018040  INC          s4 0x0100 n1\n", 0x20018040);
    SAYS(0xfffffffffc, 2,
         "0xfffffffffc  20018040  INC          s4 0x0100 n1\n"
         "0x10000000000  0000002a               s4 0x0100\n",
         0x20018040, 0x2a);
    /* a host method has its name on each line */
    SAYS(0, 3,
         "0x000000  20020004  INC          s0 0x0010 SEMAPHOREA n2\n"
         "0x000004  00000001               s0 0x0010 SEMAPHOREA\n"
         "0x000008  00000002               s0 0x0014 SEMAPHOREB\n",
         0x20020004, 1, 2);
    SAYS(0, 1, "0x000000  80010546  IMMD         s0 0x1518 = 0x1\n", 0x80010546);
    SAYS(0, 1, "0x000000  9fffe040  IMMD         s7 0x0100 = 0x1fff\n", 0x9fffe040);
    SAYS(0, 1, "0x000000  00010020  SLI_COND     mask 0x002\n", 0x00010020);
    SAYS(0, 1, "0x000000  0002fff0  SLI_STORE    mask 0xfff\n", 0x0002fff0);
    SAYS(0, 1, "0x000000  00030000  SLI_USE\n", 0x00030000);
    SAYS(4, 2, "0x000004  e0000000  END_SEGMENT\n0x000008  00000000  NOP\n", 0xe0000000, 0);
    SAYS(0, 1, "0x000000  c0000001  INVALID\n", 0xc0000001);
    use(CHIP(NV1A));
    SAYS(0, 1, "0x000000  00020002  CALL         to 0x020000\n", 0x00020002);
    SAYS(0, 1, "0x000000  20012000  JUMP_OLD     to 0x012000\n", 0x20012000);
    SAYS(0, 1, "0x000000  fedcba99  JUMP         to 0xfedcba98\n", 0xfedcba99);
    SAYS(0, 1, "0x000000  00020000  RETURN\n", 0x00020000);
}

static void continued(void)
{
    use(CHIP(GF100));
    SAYS(0x20, 2,
         "0x000020  20038040  INC          s4 0x0100 n3\n"
         "0x000024  00000011               s4 0x0100\n"
         "0x000028  00000022               s4 0x0104\n"
         "0x00002c  00000033               s4 0x0108\n",
         0x20038040, 0x11, 0x22, 0x33);
    SAYS(0x20, 1,
         "0x000020  a0038040  ONE_INC      s4 0x0100 n3\n"
         "0x000024  00000011               s4 0x0100\n"
         "0x000028  00000022               s4 0x0104\n"
         "0x00002c  00000033               s4 0x0104\n",
         0xa0038040, 0x11, 0x22, 0x33);
    SAYS(0x20, 2,
         "0x000020  a0038040  ONE_INC      s4 0x0100 n3\n"
         "0x000024  00000011               s4 0x0100\n"
         "0x000028  00000022               s4 0x0104\n"
         "0x00002c  00000033               s4 0x0104\n",
         0xa0038040, 0x11, 0x22, 0x33);
    use(CHIP(G80));
    for (size_t n_dw = 1; n_dw <= 4; n_dw++) {
        SAYS(0, n_dw,
             "0x000000  00032180  LONG_NON_INC s1 0x0180\n"
             "0x000004  00000002  COUNT        n2\n"
             "0x000008  00000011               s1 0x0180\n"
             "0x00000c  00000022               s1 0x0180\n",
             0x00032180, 2, 0x11, 0x22);
    }
}

/* Names of a callback: the callback gets the subchannel and the method of each line that shows a
 * method, in order. Without a name from the callback a host method keeps its own. */
static char asked[256];

static const char *name_of(void *user, uint32_t unit, uint32_t addr)
{
    char one[32];
    snprintf(one, sizeof one, "%u:%x ", (unsigned)unit, (unsigned)addr);
    strcat(asked, one);
    return addr == 0x0100 ? (const char *)user : NULL;
}

static void names(void)
{
    static const uint32_t inc[] = {0x20028040, 0x11, 0x22};
    static const uint32_t host[] = {0x20010004, 1};
    char line[256];
    char user[] = "SET_X";
    gpucmd_text t;
    gpucmd_nv_cmd cmd;
    use(CHIP(GF100));
    asked[0] = '\0';
    gpucmd_text_init(&t, line, sizeof line);
    EQUAL(gpucmd_nv_decode(inc, 3, &gate, &cmd), GPUCMD_OK);
    gpucmd_nv_print_names(&t, &gate, &cmd, 0x20, name_of, user);
    CHECK(strcmp(line, "0x000020  20028040  INC          s4 0x0100 SET_X n2\n"
                       "0x000024  00000011               s4 0x0100 SET_X\n"
                       "0x000028  00000022               s4 0x0104\n") == 0);
    CHECK(strcmp(asked, "4:100 4:100 4:104 ") == 0);
    asked[0] = '\0';
    gpucmd_text_init(&t, line, sizeof line);
    EQUAL(gpucmd_nv_decode(host, 2, &gate, &cmd), GPUCMD_OK);
    gpucmd_nv_print_names(&t, &gate, &cmd, 0, name_of, user);
    CHECK(strcmp(line, "0x000000  20010004  INC          s0 0x0010 SEMAPHOREA n1\n"
                       "0x000004  00000001               s0 0x0010 SEMAPHOREA\n") == 0);
    CHECK(strcmp(asked, "0:10 0:10 ") == 0);
}

/* The words of a command that are absent, and a run that continues without a data word. */
static void decoding(void)
{
    static const uint32_t dw[] = {0x00032180, 2, 0x11, 0x22, 0xc0000001};
    gpucmd_nv_cmd cmd;
    use(CHIP(G80));
    EQUAL(gpucmd_nv_decode(dw, 1, &gate, &cmd), GPUCMD_TRUNCATED);
    EQUAL(cmd.len_dw, 1);
    EQUAL(gpucmd_nv_decode(dw, 3, &gate, &cmd), GPUCMD_TRUNCATED);
    EQUAL(cmd.len_dw, 3);
    EQUAL(gpucmd_nv_decode(dw, 4, &gate, &cmd), GPUCMD_OK);
    EQUAL(cmd.len_dw, 4);
    memset(&cmd, 0xff, sizeof cmd);
    EQUAL(gpucmd_nv_decode(dw, 0, &gate, &cmd), GPUCMD_TRUNCATED);
    EQUAL(cmd.len_dw, 1);
    EQUAL(cmd.count_dw, 0);
    EQUAL(gpucmd_nv_command_dw(&gate, dw, 4), 4);
    EQUAL(gpucmd_nv_command_dw(&gate, dw, 2), 2);
    use(CHIP(GF100));
    EQUAL(gpucmd_nv_command_dw(&gate, dw + 4, 1), 0);
    EQUAL(gpucmd_nv_rule_severity((gpucmd_nv_rule)9999), GPUCMD_SEVERITY_ERROR);
}

/* The severity of each rule. */
static void severities(void)
{
    enum { ERROR_ = GPUCMD_SEVERITY_ERROR, WARNING_ = GPUCMD_SEVERITY_WARNING };
    enum { NOTE_ = GPUCMD_SEVERITY_NOTE };
    static const int rules[][2] = {
        {GPUCMD_NV_RULE_INVALID_COMMAND,  ERROR_  },
        {GPUCMD_NV_RULE_UNSUPPORTED_FORM, ERROR_  },
        {GPUCMD_NV_RULE_TRUNCATED,        ERROR_  },
        {GPUCMD_NV_RULE_UNKNOWN_METHOD,   ERROR_  },
        {GPUCMD_NV_RULE_METHOD_WRAP,      ERROR_  },
        {GPUCMD_NV_RULE_OLD_METHOD_WRAP,  WARNING_},
        {GPUCMD_NV_RULE_JUMP_OUTSIDE,     ERROR_  },
        {GPUCMD_NV_RULE_RETURN_OUTSIDE,   NOTE_   },
        {GPUCMD_NV_RULE_NESTED_CALL,      ERROR_  },
        {GPUCMD_NV_RULE_STRAY_BITS,       WARNING_},
        {GPUCMD_NV_RULE_EMPTY_RUN,        NOTE_   },
        {GPUCMD_NV_RULE_AFTER_END,        WARNING_},
        {GPUCMD_NV_RULE_EMPTY_ENTRY,      ERROR_  },
        {GPUCMD_NV_RULE_ENTRY_RANGE,      ERROR_  },
        {GPUCMD_NV_RULE_ENTRY_STRAY,      WARNING_},
        {GPUCMD_NV_RULE_ENTRY_OPCODE,     ERROR_  },
        {GPUCMD_NV_RULE_ENTRY_MEMORY,     ERROR_  },
        {GPUCMD_NV_RULE_RUN_CONDITIONAL,  ERROR_  },
    };
    static const int host[][2] = {
        {GPUCMD_NV_RULE_UNBOUND_SUBCHANNEL, WARNING_},
        {GPUCMD_NV_RULE_HOST_METHOD,        ERROR_  },
        {GPUCMD_NV_RULE_SEM_OPERATION,      ERROR_  },
        {GPUCMD_NV_RULE_SEM_MISALIGNED,     ERROR_  },
        {GPUCMD_NV_RULE_SEM_NEVER_RELEASED, WARNING_},
        {GPUCMD_NV_RULE_SEM_RANGE,          ERROR_  },
        {GPUCMD_NV_RULE_SEM_NOT_SET,        WARNING_},
        {GPUCMD_NV_RULE_SEM_MEMORY,         ERROR_  },
        {GPUCMD_NV_RULE_UNKNOWN_OBJECT,     ERROR_  },
        {GPUCMD_NV_RULE_OTHER_CHIP,         ERROR_  },
        {GPUCMD_NV_RULE_UNKNOWN_CLASS,      WARNING_},
        {GPUCMD_NV_RULE_UNCHECKED_CLASS,    NOTE_   },
        {GPUCMD_NV_RULE_OTHER_RUNLIST,      ERROR_  },
        {GPUCMD_NV_RULE_OTHER_SUBCHANNEL,   WARNING_},
        {GPUCMD_NV_RULE_CLASS_METHOD,       ERROR_  },
        {GPUCMD_NV_RULE_METHOD_BITS,        WARNING_},
        {GPUCMD_NV_RULE_COPY_EMPTY,         WARNING_},
        {GPUCMD_NV_RULE_RELEASE_NO_FLUSH,   WARNING_},
        {GPUCMD_NV_RULE_RELEASE_NO_WAIT,    NOTE_   },
        {GPUCMD_NV_RULE_HOST_VALUE,         ERROR_  },
        {GPUCMD_NV_RULE_TLB_NO_BARRIER,     WARNING_},
        {GPUCMD_NV_RULE_QMD_MEMORY,         ERROR_  },
        {GPUCMD_NV_RULE_QMD_VERSION,        ERROR_  },
        {GPUCMD_NV_RULE_QMD_THREADS,        ERROR_  },
        {GPUCMD_NV_RULE_QMD_REGISTERS,      ERROR_  },
        {GPUCMD_NV_RULE_QMD_BARRIERS,       ERROR_  },
        {GPUCMD_NV_RULE_QMD_SHARED,         ERROR_  },
        {GPUCMD_NV_RULE_QMD_CONFIG,         ERROR_  },
        {GPUCMD_NV_RULE_QMD_LOCAL,          ERROR_  },
        {GPUCMD_NV_RULE_QMD_CONSTANT,       ERROR_  },
        {GPUCMD_NV_RULE_QMD_PROGRAM,        ERROR_  },
        {GPUCMD_NV_RULE_QMD_GRID,           NOTE_   },
        {GPUCMD_NV_RULE_QMD_RELEASE,        ERROR_  },
        {GPUCMD_NV_RULE_QMD_TASKS,          ERROR_  },
    };
#define RULE(...) +1
    EQUAL(sizeof rules / sizeof rules[0], 0 GPUCMD_NV_RULES(RULE));
    EQUAL(sizeof host / sizeof host[0], 0 GPUCMD_NV_HOST_RULES(RULE));
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        EQUAL(gpucmd_nv_rule_severity((gpucmd_nv_rule)rules[i][0]), rules[i][1]);
    }
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
        EQUAL(gpucmd_nv_rule_severity((gpucmd_nv_rule)host[i][0]), host[i][1]);
    }
    /* the number after the last has no row */
    const gpucmd_nv_rule none = (gpucmd_nv_rule)(GPUCMD_NV_RULE_QMD_TASKS + 1);
    EQUAL(none, 0 GPUCMD_NV_RULES(RULE) GPUCMD_NV_HOST_RULES(RULE));
    EQUAL(gpucmd_nv_rule_severity(none), ERROR_);
    CHECK(strcmp(gpucmd_nv_rule_name(GPUCMD_NV_RULE_TLB_NO_BARRIER), "TLB_NO_BARRIER") == 0);
    CHECK(strcmp(gpucmd_nv_rule_name(none), "?") == 0);
    CHECK(strcmp(gpucmd_nv_rule_text(none), "?") == 0);
}

static void entry_says(gpucmd_nv_chip chip, uint32_t dw0, uint32_t dw1, uint64_t at_va,
                       const char *want)
{
    const uint32_t dw[2] = {dw0, dw1};
    char line[512];
    gpucmd_text t;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_nv_print_entry(&t, chip, dw, at_va);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    if (!CHECK(strcmp(line, want) == 0)) {
        printf("%s", line);
    }
}

static void entries(void)
{
#define FLAG "\n                            "
    entry_says(CHIP(NV40), 1, 2, 8, "0x000008  00000001  00000002  INVALID\n");
    entry_says(CHIP(G80), 0x12345678, 0x00001487, 0x1000,
               "0x001000  12345678  00001487  segment 0x8712345678 n5\n");
    entry_says(CHIP(G80), 0x1003, 0x00000700, 0,
               "0x000000  00001003  00000700  segment 0x0000001000 n1" FLAG "DISABLE" FLAG
               "NO_CONTEXT_SWITCH" FLAG "PRIV" FLAG "SUBROUTINE\n");
    entry_says(CHIP(GF100), 0x1003, 0x80000700, 0,
               "0x000000  00001003  80000700  segment 0x0000001000 n1" FLAG "NO_CONTEXT_SWITCH" FLAG
               "FETCH_CONDITIONAL" FLAG "PRIV" FLAG "SUBROUTINE" FLAG "SYNC_WAIT\n");
    entry_says(CHIP(GK104), 0x1003, 0x80000700, 0,
               "0x000000  00001003  80000700  segment 0x0000001000 n1" FLAG "FETCH_CONDITIONAL" FLAG
               "PRIV" FLAG "SUBROUTINE" FLAG "SYNC_WAIT\n");
    entry_says(CHIP(TU102), 0x1000, 0x7fffff00, 0x1000000,
               "0x1000000  00001000  7fffff00  segment 0x0000001000 n2097151" FLAG "SUBROUTINE\n");
    entry_says(CHIP(GF100), 0x1234, 0, 0,
               "0x000000  00001234  00000000  NOP opcode 0 operand 0x00001234\n");
    entry_says(CHIP(GF100), 7, 1, 0,
               "0x000000  00000007  00000001  ILLEGAL opcode 1 operand 0x00000007\n");
    entry_says(CHIP(GF100), 7, 2, 0,
               "0x000000  00000007  00000002  GP_CRC opcode 2 operand 0x00000007\n");
    entry_says(CHIP(GA100), 7, 3, 0,
               "0x000000  00000007  00000003  PB_CRC opcode 3 operand 0x00000007\n");
    entry_says(CHIP(GA100), 7, 4, 0, "0x000000  00000007  00000004  opcode 4 operand 0x00000007\n");
    entry_says(CHIP(GH100), 0x00ffff07, 0x80000004, 0,
               "0x000000  00ffff07  80000004  SET_PB_SEGMENT_EXTENDED_BASE opcode 4 operand "
               "0x00ffff07" FLAG "SYNC_WAIT\n");
    entry_says(CHIP(GH100), 7, 0xff, 0,
               "0x000000  00000007  000000ff  opcode 255 operand 0x00000007\n");
}

int main(void)
{
    commands();
    continued();
    names();
    decoding();
    severities();
    entries();
    return test_report("nv_print");
}

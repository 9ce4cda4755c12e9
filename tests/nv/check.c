/* nv/check.c - at least one row for every rule of the checker; streams without findings; hostile
 * streams for the checker and both executors. */
/* suite: executor */
#include "gpucmd_nv.h"

#include "test.h"
#include "nv/evil.h"

enum { BASE = 0x2000, MOST = 8 };

static struct {
    unsigned count;
    gpucmd_nv_finding at[MOST];
} found;

static unsigned seen[GPUCMD_NV_RULE_RUN_CONDITIONAL + 1];

/* gpucmd_nv_check and gpucmd_nv_check_entries with these members of the options. */
static gpucmd_status check_words(const gpucmd_nv_gate *gate, const uint32_t *dw, size_t len_dw,
                                 uint64_t va, gpucmd_nv_finding_fn fn, void *user, size_t *errors)
{
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = fn;
    options.user = user;
    options.va = va;
    return gpucmd_nv_check(gate, dw, len_dw, &options, errors);
}

static gpucmd_status check_entries(const gpucmd_nv_gate *gate, const uint32_t *dw, size_t count,
                                   uint64_t va, gpucmd_mem *mem, gpucmd_nv_finding_fn fn,
                                   void *user, size_t *errors)
{
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = fn;
    options.user = user;
    options.va = va;
    options.mem = mem;
    return gpucmd_nv_check_entries(gate, dw, count, &options, errors);
}

static gpucmd_status on_found(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    if (found.count < MOST) {
        found.at[found.count] = *finding;
    }
    found.count++;
    seen[finding->rule]++;
    return GPUCMD_OK;
}

typedef enum gate_id {
    NV4,
    NV10,
    NV1A,
    NV40,
    NV40_SLI,
    G80,
    G80_IB,
    G84_IB,
    GF100,
    GF100_BOTH,
    GK104,
    TU102,
    GA100,
    GH100
} gate_id;

static gpucmd_nv_gate gate_of(gate_id id)
{
    static const struct {
        gpucmd_nv_chip chip;
        bool ib, sli;
        gpucmd_nv_fmt fmt;
    } gates[] = {
        {GPUCMD_NV_CHIP_NV4,   false, false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_NV10,  false, false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_NV1A,  false, false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_NV40,  false, false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_NV40,  false, true,  GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_G80,   false, false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_G80,   true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_G84,   true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_GF100, true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_GF100, true,  false, GPUCMD_NV_FMT_BOTH},
        {GPUCMD_NV_CHIP_GK104, true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_TU102, true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_GA100, true,  false, GPUCMD_NV_FMT_NEW },
        {GPUCMD_NV_CHIP_GH100, true,  false, GPUCMD_NV_FMT_NEW },
    };
    gpucmd_nv_gate gate;
    memset(&gate, 0, sizeof gate);
    CHECK(gpucmd_nv_gate_init(&gate, gates[id].chip, gates[id].ib, gates[id].sli, gates[id].fmt) ==
          GPUCMD_OK);
    return gate;
}

/* ---- words ---- */

static const struct {
    gate_id gate;
    uint32_t n_dw;
    uint32_t words[4];
    gpucmd_nv_rule rule;
    uint32_t at_dw;
    uint32_t value; /* or the method */
} rows[] = {
#define R(name) GPUCMD_NV_RULE_##name
    {NV40,       1, {0x00000003},             R(INVALID_COMMAND),  0, 0         },
    {NV40,       1, {0x00050000},             R(INVALID_COMMAND),  0, 0         },
    {G80_IB,     1, {0x60000000},             R(INVALID_COMMAND),  0, 0         },
    {GF100,      1, {0xc0000000},             R(INVALID_COMMAND),  0, 0         },
    {GF100_BOTH, 1, {0x40010000},             R(INVALID_COMMAND),  0, 0         },
    {NV4,        1, {0x40000100},             R(UNSUPPORTED_FORM), 0, 3         },
    {NV10,       2, {0x00000000, 0x00002001}, R(UNSUPPORTED_FORM), 1, 10        },
    {NV40,       1, {0x00010010},             R(UNSUPPORTED_FORM), 0, 13        },
    {G80,        1, {0x00030100},             R(UNSUPPORTED_FORM), 0, 6         },
    {G80_IB,     1, {0x20002000},             R(UNSUPPORTED_FORM), 0, 9         },
    {GF100,      1, {0x00000100},             R(UNSUPPORTED_FORM), 0, 7         },
    {TU102,      1, {0x40000100},             R(UNSUPPORTED_FORM), 0, 8         },
    {NV4,        2, {0x00080100, 1},          R(TRUNCATED),        2, 1         },
    {G80_IB,     1, {0x00030100},             R(TRUNCATED),        1, 1         },
    {G80_IB,     3, {0x00030100, 9, 1},       R(TRUNCATED),        3, 8         },
    {GF100,      2, {0x20030040, 1},          R(TRUNCATED),        2, 2         },
    {NV4,        2, {0x00040004, 5},          R(UNKNOWN_METHOD),   1, 0x04      },
    {NV4,        2, {0x00040050, 5},          R(UNKNOWN_METHOD),   1, 0x50      },
    {NV10,       2, {0x00040060, 5},          R(UNKNOWN_METHOD),   1, 0x60      },
    {NV1A,       2, {0x00040080, 5},          R(UNKNOWN_METHOD),   1, 0x80      },
    {G80,        2, {0x00040010, 5},          R(UNKNOWN_METHOD),   1, 0x10      },
    {G84_IB,     3, {0x00080024, 5, 6},       R(UNKNOWN_METHOD),   2, 0x28      },
    {G84_IB,     4, {0x00030030, 2, 6, 7},    R(UNKNOWN_METHOD),   2, 0x30      },
    {GF100,      2, {0x20010003, 5},          R(UNKNOWN_METHOD),   1, 0x0c      },
    {GF100,      3, {0x60020003, 5, 6},       R(UNKNOWN_METHOD),   1, 0x0c      },
    {GF100,      4, {0xa0030002, 5, 6, 7},    R(UNKNOWN_METHOD),   2, 0x0c      },
    {GF100,      1, {0x80070003},             R(UNKNOWN_METHOD),   0, 0x0c      },
    {NV4,        3, {0x00081ffc, 1, 2},       R(OLD_METHOD_WRAP),  0, 0x1ffc    },
    {GF100,      3, {0x20020fff, 1, 2},       R(METHOD_WRAP),      0, 0x3ffc    },
    {GF100,      3, {0xa0020fff, 1, 2},       R(METHOD_WRAP),      0, 0x3ffc    },
    {NV4,        1, {0x20001ffc},             R(JUMP_OUTSIDE),     0, 0x1ffc    },
    {NV1A,       1, {0x00002005},             R(JUMP_OUTSIDE),     0, 0x2004    },
    {NV40,       2, {0, 0x00008002},          R(JUMP_OUTSIDE),     1, 0x8000    },
    {NV1A,       2, {0, 0x00020000},          R(RETURN_OUTSIDE),   1, 0         },
    {NV40_SLI,   1, {0x00010014},             R(STRAY_BITS),       0, 4         },
    {G80_IB,     2, {0x00030100, 0x01000000}, R(STRAY_BITS),       1, 0x01000000},
    {GF100,      2, {0x20011040, 7},          R(STRAY_BITS),       0, 0x1000    },
    {GF100,      1, {0x00010011},             R(STRAY_BITS),       0, 1         },
    {GF100,      1, {0x00030010},             R(STRAY_BITS),       0, 0x10      },
    {GF100,      1, {0xe0000001},             R(STRAY_BITS),       0, 1         },
    {GF100_BOTH, 2, {0x00040101, 7},          R(STRAY_BITS),       0, 1         },
    {NV4,        1, {0x00000100},             R(EMPTY_RUN),        0, 0x100     },
    {GF100,      1, {0x60000002},             R(EMPTY_RUN),        0, 0x08      },
    {GF100,      2, {0xe0000000, 0x12345678}, R(AFTER_END),        1, 0         },
#undef R
};

/* Streams without a finding. */
static const struct {
    gate_id gate;
    uint32_t n_dw;
    uint32_t words[4];
} clean[] = {
    {NV4,        0, {0}                                             },
    {NV4,        4, {0x00080100, 0xffffffff, 0x00000003, 0x20002000}},
    {NV1A,       3, {0x00000000, 0x00002005, 0x00002002}            },
    {NV1A,       4, {0x00000000, 0x00000000, 0x00000000, 0x0000200d}},
    {NV40_SLI,   3, {0x0001fff0, 0x00040080, 0xc0000000}            },
    {G80_IB,     4, {0x00030100, 2, 0x00000003, 0x20002000}         },
    {G84_IB,     2, {0x00040010, 0x00000003}                        },
    {GF100,      4, {0x20020ffe, 1, 0xc0000000, 0xe0000000}         },
    {GF100,      4, {0xa0020ffe, 1, 0xc0000000, 0x9fffefff}         },
    {GF100_BOTH, 3, {0x00041ffc, 1, 0x00030000}                     },
    {TU102,      4, {0x60020fff, 1, 2, 0x00020030}                  },
    {TU102,      2, {0xa0010fff, 1}                                 },
    {GH100,      2, {0x2001001b, 0}                                 },
};

static void every_rule(void)
{
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gpucmd_nv_gate gate = gate_of(rows[i].gate);
        const bool error = gpucmd_nv_rule_severity(rows[i].rule) == GPUCMD_SEVERITY_ERROR;
        const char *name = gpucmd_nv_rule_name(rows[i].rule);
        const gpucmd_nv_finding *f = &found.at[0];
        size_t errors = 99;
        memset(&found, 0, sizeof found);
        EQUAL(check_words(&gate, rows[i].words, rows[i].n_dw, BASE, on_found, NULL, &errors),
              GPUCMD_OK);
        test_equal(found.count, 1, __FILE__, __LINE__, name);
        test_equal(errors, error, __FILE__, __LINE__, name);
        test_equal(f->rule, rows[i].rule, __FILE__, __LINE__, name);
        test_equal(f->at_va, BASE + 4 * rows[i].at_dw, __FILE__, __LINE__, name);
        test_equal(f->at_bytes, 4 * rows[i].at_dw, __FILE__, __LINE__, name);
        test_equal(f->severity, gpucmd_nv_rule_severity(f->rule), __FILE__, __LINE__, name);
        CHECK(f->name == gpucmd_nv_rule_name(f->rule) && f->text == gpucmd_nv_rule_text(f->rule));
        test_equal(f->value | f->mthd,
                   rows[i].value | (rows[i].rule == GPUCMD_NV_RULE_TRUNCATED ? f->mthd : 0),
                   __FILE__, __LINE__, name);
        test_equal(f->dw, rows[i].at_dw < rows[i].n_dw ? rows[i].words[rows[i].at_dw] : 0, __FILE__,
                   __LINE__, name);
        errors = 99;
        EQUAL(check_words(&gate, rows[i].words, rows[i].n_dw, BASE, NULL, NULL, &errors),
              GPUCMD_OK);
        EQUAL(errors, error);
    }
    /* the same unknown method in two runs */
    const gpucmd_nv_gate nv4 = gate_of(NV4);
    const uint32_t twice[] = {0x00040004, 5, 0x00040004, 6};
    size_t n = 99;
    EQUAL(check_words(&nv4, twice, 4, BASE, NULL, NULL, &n), GPUCMD_OK);
    EQUAL(n, 2);
    for (unsigned i = 0; i < sizeof clean / sizeof clean[0]; i++) {
        const gpucmd_nv_gate gate = gate_of(clean[i].gate);
        size_t errors = 99;
        memset(&found, 0, sizeof found);
        EQUAL(check_words(&gate, clean[i].words, clean[i].n_dw, BASE, on_found, NULL, &errors),
              GPUCMD_OK);
        EQUAL(found.count, 0);
        EQUAL(errors, 0);
    }
}

/* Options and counter may be absent; a finding is one line. */
static void defaults(void)
{
    const gpucmd_nv_gate gate = gate_of(GF100);
    const uint32_t words[] = {0, 0xc0000001}, entry[] = {0x1000, 0x400};
    const gpucmd_nv_stream stream = {words, 2, 0};
    size_t errors = 9;
    char line[128];
    gpucmd_text t;
    gpucmd_text_init(&t, line, sizeof line);
    EQUAL(gpucmd_nv_check(&gate, words, 2, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 1);
    EQUAL(gpucmd_nv_check(&gate, words, 2, NULL, NULL), GPUCMD_OK);
    EQUAL(gpucmd_nv_check_entries(&gate, entry, 1, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 0);
    EQUAL(gpucmd_nv_check_entries(&gate, entry, 1, NULL, NULL), GPUCMD_OK);
    errors = 9;
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 0);
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, NULL, NULL), GPUCMD_OK);
    memset(&found, 0, sizeof found);
    EQUAL(check_words(&gate, words, 2, BASE, on_found, NULL, &errors), GPUCMD_OK);
    found.at[0].at_va = 0x84;
    found.at[0].value = 0;
    gpucmd_nv_print_finding(&t, &found.at[0]);
    CHECK(strcmp(line, "0x84: error: INVALID_COMMAND: the word is not a command") == 0);
    gpucmd_text_init(&t, line, sizeof line);
    found.at[0].value = 0x4000;
    gpucmd_nv_print_finding(&t, &found.at[0]);
    CHECK(strcmp(line, "0x84: error: INVALID_COMMAND: the word is not a command: 0x4000") == 0);
}

/* ---- entries ---- */

static const struct {
    gate_id gate;
    uint32_t entry[2];
    unsigned word; /* with the finding */
    gpucmd_nv_rule rule;
    uint32_t value;
} entries[] = {
#define R(name) GPUCMD_NV_RULE_##name
    {G80_IB, {0x00001000, 0x00000000}, 1, R(EMPTY_ENTRY),  0    },
    {G80_IB, {0xfffffffc, 0x000008ff}, 1, R(ENTRY_RANGE),  2    },
    {GF100,  {0xfffffffc, 0x000004ff}, 1, R(ENTRY_RANGE),  1    },
    {GK104,  {0x00001002, 0x00000400}, 0, R(ENTRY_STRAY),  2    },
    {TU102,  {0x00001000, 0x00000500}, 1, R(ENTRY_STRAY),  0x100},
    {TU102,  {0x00001002, 0x00000500}, 0, R(ENTRY_STRAY),  2    },
    {GF100,  {0x00000000, 0x00000300}, 1, R(ENTRY_STRAY),  0x300},
    {GF100,  {0x00000000, 0x00000001}, 1, R(ENTRY_OPCODE), 1    },
    {GH100,  {0x00000000, 0x00000005}, 1, R(ENTRY_OPCODE), 5    },
    {GA100,  {0x00012300, 0x00000004}, 1, R(ENTRY_OPCODE), 4    },
#undef R
};

static void every_entry(void)
{
    static const struct {
        gate_id gate;
        uint32_t entry[2];
    } fine[] = {
        {G80_IB, {0x00001001, 0x00000000}}, /* DISABLE */
        {G80_IB, {0xfffffffc, 0x000007ff}},
        {G80_IB, {0x00001000, 0x00000402}}, /* bits 39:32 of an address, not an operation */
        {G80_IB, {0x00001000, 0x00000403}},
        {GF100,  {0x00001003, 0x80000700}},
        {GF100,  {0xfffffff8, 0x000004ff}},
        {GH100,  {0x00012300, 0x80000004}},
        {GA100,  {0xffffffff, 0x00000002}},
        {GA100,  {0xffffffff, 0x00000003}},
    };
    const gpucmd_nv_gate nv40 = gate_of(NV40);
    size_t errors = 99;
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const gpucmd_nv_gate gate = gate_of(entries[i].gate);
        const bool error = gpucmd_nv_rule_severity(entries[i].rule) == GPUCMD_SEVERITY_ERROR;
        memset(&found, 0, sizeof found);
        EQUAL(check_entries(&gate, entries[i].entry, 1, 0x88, NULL, on_found, NULL, &errors),
              GPUCMD_OK);
        EQUAL(found.count, 1);
        EQUAL(errors, error);
        EQUAL(found.at[0].rule, entries[i].rule);
        EQUAL(found.at[0].at_va, 0x88);
        EQUAL(found.at[0].dw, entries[i].entry[entries[i].word]);
        EQUAL(found.at[0].mthd, 0);
        EQUAL(found.at[0].value, entries[i].value);
    }
    for (unsigned i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        const gpucmd_nv_gate gate = gate_of(fine[i].gate);
        memset(&found, 0, sizeof found);
        EQUAL(check_entries(&gate, fine[i].entry, 1, 0, NULL, on_found, NULL, &errors), GPUCMD_OK);
        EQUAL(found.count, 0);
    }
    EQUAL(check_entries(&nv40, fine[0].entry, 1, 0, NULL, NULL, NULL, &errors), GPUCMD_UNSUPPORTED);
}

/* Little-endian words in memory. */
static void store_all(uint8_t *to, const uint32_t *words, size_t n_dw)
{
    for (size_t i = 0; i < n_dw; i++) {
        gpucmd_store32(to + 4 * i, words[i], GPUCMD_LITTLE_ENDIAN);
    }
}

/* Segments in memory, longer than the blocks in which the checker reads them. */
static void segments(void)
{
    static uint8_t bytes[4 * 256];
    uint32_t words[256] = {0};
    const gpucmd_region region = {0x1000, sizeof bytes, bytes, GPUCMD_ACCESS_READ};
    const gpucmd_nv_gate gate = gate_of(TU102);
    gpucmd_mem mem;
    size_t errors = 99;
    uint32_t dw[8];
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
#define ENTRY(i, va, n, cond)                                                                      \
    do {                                                                                           \
        dw[2 * (i)] = (va) | (cond);                                                               \
        dw[2 * (i) + 1] = (uint32_t)(n) << 10;                                                     \
    } while (0)
#define LOOK(count)                                                                                \
    do {                                                                                           \
        memset(&found, 0, sizeof found);                                                           \
        store_all(bytes, words, 256);                                                              \
        EQUAL(check_entries(&gate, dw, count, 0x88, &mem, on_found, NULL, &errors), GPUCMD_OK);    \
    } while (0)
    words[0] = 0x60c80003; /* 200 words for an unknown method: one finding */
    ENTRY(0, 0x1000, 201, 0);
    LOOK(1);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_UNKNOWN_METHOD);
    EQUAL(found.at[0].at_va, 0x1004);
    words[0] = 0x20c80ff0; /* the method wraps; the methods after the wrap are not checked */
    LOOK(1);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_METHOD_WRAP);
    words[0] = 0;
    words[63] = 0xe0000000; /* last word of a block */
    words[100] = 0xc0000000;
    LOOK(1);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_AFTER_END);
    EQUAL(found.at[0].at_va, 0x1000 + 4 * 64);
    EQUAL(found.at[0].dw | found.at[0].mthd | found.at[0].value, 0); /* the word is not read */
    ENTRY(0, 0x1000, 64, 0);
    LOOK(1);
    EQUAL(found.count, 0);
    ENTRY(0, 0x1000, 256, 0);
    words[63] = 0;
    words[100] = 0;
    ENTRY(1, 0x1400, 1, 0);
    LOOK(2);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_ENTRY_MEMORY);
    EQUAL(found.at[0].at_va, 0x1400);
    EQUAL(found.at[0].dw | found.at[0].mthd | found.at[0].value, 0);
    ENTRY(0, 0x1000, 257, 0);
    LOOK(1);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].at_va, 0x1400);
    /* a header in segment 0, its data up to segment 2 */
    words[0] = 0x20020040;
    ENTRY(0, 0x1000, 1, 0);
    ENTRY(1, 0x1010, 1, 0);
    ENTRY(2, 0x1020, 1, 0);
    LOOK(3);
    EQUAL(found.count, 0);
    LOOK(2);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_TRUNCATED);
    EQUAL(found.at[0].at_va, 0x98);
    ENTRY(2, 0x1020, 1, 1);
    LOOK(3);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_RUN_CONDITIONAL);
    EQUAL(found.at[0].at_va, 0x98);
    EQUAL(found.at[0].dw, 0x1021); /* the first word of the entry */
    EQUAL(found.at[0].mthd | found.at[0].value, 0);
    ENTRY(0, 0x1000, 1, 1);
    LOOK(3);
    EQUAL(found.count, 0); /* the data of a conditional header may be in any segment */
    words[5] = 0x20010040; /* in segment 1, after the rest of the first run */
    words[0] = 0x20010040;
    ENTRY(1, 0x1010, 2, 0);
    LOOK(3);
    EQUAL(found.count, 1);
    EQUAL(found.at[0].rule, GPUCMD_NV_RULE_RUN_CONDITIONAL);
    ENTRY(0, 0x1000, 1, 0);
    ENTRY(1, 0x1010, 2, 1);
    LOOK(3); /* the finding names segment 1, not segment 2 */
    EQUAL(found.count, 1);
    EQUAL(found.at[0].at_va, 0x90);
    /* neither a control entry nor an empty one reads memory; that of a disabled one is not checked */
    ENTRY(0, 0x5000, 0, 0); /* NOP */
    LOOK(1);
    EQUAL(found.count, 0);
    words[0] = 0xc0000000;
    for (uint32_t n = 0; n < 2; n++) {
        const gpucmd_nv_gate g80 = gate_of(G80_IB);
        ENTRY(0, n == 0 ? 0x5000 : 0x1000, n, n);
        memset(&found, 0, sizeof found);
        store_all(bytes, words, 256);
        EQUAL(check_entries(&g80, dw, 1, 0x88, &mem, on_found, NULL, &errors), GPUCMD_OK);
        EQUAL(found.count, 1 - n);
        EQUAL(found.at[0].rule, n == 0 ? (unsigned)GPUCMD_NV_RULE_EMPTY_ENTRY : 0u);
    }
}

/* From GH100 on, opcode 4 sets bits 56:40 of the addresses of the segments after it. */
static void extended_base(void)
{
    static const uint32_t dw[] = {0x00012300, 4, 0xffffff00, 0, 0x00001000, 0x400};
    static uint8_t bytes[4];
    const gpucmd_region region = {0x1230000001000, 4, bytes, GPUCMD_ACCESS_READ};
    gpucmd_mem mem;
    size_t errors;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    gpucmd_store32(bytes, 0xc0000000, GPUCMD_LITTLE_ENDIAN);
    for (unsigned i = 0; i < 2; i++) {
        const gpucmd_nv_gate gate = gate_of(i == 0 ? GA100 : GH100);
        memset(&found, 0, sizeof found);
        EQUAL(check_entries(&gate, dw, 3, 0, &mem, on_found, NULL, &errors), GPUCMD_OK);
        const gpucmd_nv_finding *last = &found.at[1 - i];
        EQUAL(found.count, 2 - i); /* GA100 does not have opcode 4 */
        EQUAL(last->rule, i == 0 ? GPUCMD_NV_RULE_ENTRY_MEMORY : GPUCMD_NV_RULE_INVALID_COMMAND);
        EQUAL(last->at_va, i == 0 ? 0x1000 : 0x1230000001000);
    }
}

/* Subroutines. A word is inside of one if no JUMP or RETURN is between the target of a CALL and the
 * word. Hardware refuses a second CALL there: CALL_SUBR_ACTIVE. [ENVY] */
static void subroutines(void)
{
    static const struct {
        const char *name;
        uint32_t n_dw, count, at_dw;
        gpucmd_nv_rule rule;
        uint32_t words[8];
    } cases[] = {
#define NESTED  GPUCMD_NV_RULE_NESTED_CALL
#define OUTSIDE GPUCMD_NV_RULE_RETURN_OUTSIDE
#define BEYOND  GPUCMD_NV_RULE_JUMP_OUTSIDE
        {"one call",      8, 0, 0, NESTED,  {0x2012, 0x40100, 0, 0x2000201c, 0x40100, 0, 0x20000, 0}     },
        {"nested",        8, 1, 4, NESTED,  {0x2012, 0x40100, 0, 0x2000201c, 0x201a, 0x20000, 0x20000, 0}},
        {"in turn",       6, 0, 0, NESTED,  {0x2012, 0x2012, 0x20002014, 0, 0x20000, 0}                  },
        {"jump over",     5, 0, 0, NESTED,  {0x2000200c, 0, 0x20000, 0x2006, 0}                          },
        {"jump in",       7, 0, 0, NESTED,  {0x200e, 0, 0x20002018, 0, 0x20002014, 0x20000, 0}           },
        {"jump to",       7, 1, 5, OUTSIDE, {0x200e, 0x20002014, 0, 0x20000, 0, 0x20000, 0}              },
        {"itself",        3, 1, 1, NESTED,  {0x2006, 0x2006, 0x20000}                                    },
        {"next word",     2, 0, 0, NESTED,  {0x2006, 0x20000}                                            },
        {"after the end", 2, 1, 0, BEYOND,  {0x200a, 0}                                                  },
#undef NESTED
#undef OUTSIDE
#undef BEYOND
    };
    const gpucmd_nv_gate gate = gate_of(NV1A);
    uint32_t many[81];
    size_t errors;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&found, 0, sizeof found);
        EQUAL(check_words(&gate, cases[i].words, cases[i].n_dw, BASE, on_found, NULL, &errors),
              GPUCMD_OK);
        test_equal(found.count, cases[i].count, __FILE__, __LINE__, cases[i].name);
        if (cases[i].count != 0) {
            EQUAL(found.at[0].rule, cases[i].rule);
            EQUAL(found.at[0].at_bytes, 4 * cases[i].at_dw);
            EQUAL(found.at[0].dw, cases[i].words[cases[i].at_dw]);
        }
    }
    /* 24 or 40 calls, and as many subroutines: no RETURN is reported, whether known or not */
    for (uint32_t n = 24; n <= 40; n += 16) {
        for (uint32_t i = 0; i < n; i++) {
            many[i] = BASE + 4 * (n + 1 + i) + 2;
            many[n + 1 + i] = 0x20000;
        }
        many[n] = 0x20000000 | BASE;
        memset(&found, 0, sizeof found);
        EQUAL(check_words(&gate, many, 2 * n + 1, BASE, on_found, NULL, &errors), GPUCMD_OK);
        EQUAL(found.count, 0);
    }
}

static gpucmd_status refuse(void *user, const gpucmd_nv_finding *finding)
{
    (void)finding;
    *(unsigned *)user += 1;
    return GPUCMD_LIMIT;
}

/* A status of the callback ends the check. */
static void stopped(void)
{
    const gpucmd_nv_gate gate = gate_of(NV4);
    const uint32_t words[3] = {3, 3, 3};
    unsigned calls = 0;
    size_t errors = 99;
    EQUAL(check_words(&gate, words, 3, 0, refuse, &calls, &errors), GPUCMD_LIMIT);
    EQUAL(calls, 1);
    EQUAL(errors, 1);
    /* entries with stray bits (a warning), whose segments end after the last address (an error) */
    const gpucmd_nv_gate tu102 = gate_of(TU102);
    const uint32_t outside[4] = {0xfffffffc, 0x000005ff, 0xfffffffc, 0x000005ff};
    calls = 0;
    EQUAL(check_entries(&tu102, outside, 2, 0, NULL, on_found, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 2);
    EQUAL(check_entries(&tu102, outside, 2, 0, NULL, refuse, &calls, &errors), GPUCMD_LIMIT);
    EQUAL(calls, 1);
    EQUAL(errors, 0);
}

static gpucmd_status take_away(void *user, const gpucmd_nv_finding *finding)
{
    EQUAL(finding->rule, GPUCMD_NV_RULE_INVALID_COMMAND);
    ((gpucmd_region *)user)->access_mask = 0;
    return GPUCMD_OK;
}

/* The callback removes the memory of a segment: the check of the segment ends after the words that
 * are in the buffer. */
static void taken_away(void)
{
    static uint8_t bytes[4 * 80];
    gpucmd_region region = {0x1000, sizeof bytes, bytes, GPUCMD_ACCESS_READ};
    const gpucmd_nv_gate gate = gate_of(TU102);
    const uint32_t entry[2] = {0x1000, 80 << 10};
    uint32_t words[80] = {0};
    gpucmd_mem mem;
    size_t errors = 99;
    words[63] = words[64] = 0xc0000000;
    store_all(bytes, words, 80);
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    EQUAL(check_entries(&gate, entry, 1, 0, &mem, NULL, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 2);
    EQUAL(check_entries(&gate, entry, 1, 0, &mem, take_away, &region, &errors), GPUCMD_OK);
    EQUAL(errors, 1);
}

/* ---- hostile streams ---- */

static void evil_pusher(const evil_row *row, gpucmd_env *env)
{
    gpucmd_nv_pusher p;
    memset(&p, 0, sizeof p);
    EQUAL(gpucmd_nv_pusher_init(&p, row->chip), GPUCMD_OK);
    if (row->ring) {
        p.ib_enable = true;
        p.ib_address = EVIL_RING_VA;
        p.ib_order = 2;
        p.ib_put = row->n_dw / 2;
    } else {
        p.dma_get = EVIL_VA;
        p.dma_put = EVIL_VA + 4 * row->n_dw;
    }
    test_equal(gpucmd_nv_pusher_run(&p, env, EVIL_BUDGET), row->run, __FILE__, __LINE__, row->name);
    test_equal(p.error, row->why, __FILE__, __LINE__, row->name);
    test_equal(p.dma_get, row->get, __FILE__, __LINE__, row->name);
}

static void evil_pbdma(const evil_row *row, gpucmd_env *env)
{
    gpucmd_nv_pbdma d;
    memset(&d, 0, sizeof d);
    EQUAL(gpucmd_nv_pbdma_init(&d, row->chip), GPUCMD_OK);
    d.gp_base = EVIL_RING_VA;
    d.limit2 = 2;
    d.gp_put = row->ring ? row->n_dw / 2 : 1;
    test_equal(gpucmd_nv_pbdma_run(&d, env, EVIL_BUDGET), row->run, __FILE__, __LINE__, row->name);
    test_equal(d.intr, row->why == EVIL_FAULT ? 0 : row->why, __FILE__, __LINE__, row->name);
    test_equal(d.fault, row->why == EVIL_FAULT ? GPUCMD_FAULT : GPUCMD_OK, __FILE__, __LINE__,
               row->name);
    test_equal(d.pb_get, row->get, __FILE__, __LINE__, row->name);
}

static void evil(void)
{
    for (unsigned i = 0; i < EVIL_COUNT; i++) {
        const evil_row *row = &evil_rows[i];
        const bool gf100 = row->chip >= GPUCMD_NV_CHIP_GF100;
        uint8_t words[4 * EVIL_MAX_DW] = {0};
        uint8_t ring[8 * EVIL_ENTRIES] = {0};
        const gpucmd_region regions[] = {
            {EVIL_VA,      sizeof words, words, GPUCMD_ACCESS_READ},
            {EVIL_RING_VA, sizeof ring,  ring,  GPUCMD_ACCESS_READ},
        };
        const uint32_t entry[2] = {EVIL_VA, row->n_dw << 10};
        gpucmd_mem mem;
        gpucmd_env env;
        gpucmd_nv_gate gate;
        size_t errors = 99;
        EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        if (row->ring) {
            store_all(ring, row->words, row->n_dw);
            store_all(words, row->segment, 2);
        } else {
            store_all(words, row->words, row->n_dw);
            store_all(ring, entry, 2);
        }
        if (!EQUAL(
                gpucmd_nv_gate_init(&gate, row->chip, row->ring || gf100, false, GPUCMD_NV_FMT_NEW),
                GPUCMD_OK)) {
            continue;
        }
        if (row->ring) {
            EQUAL(check_entries(&gate, row->words, row->n_dw / 2, EVIL_RING_VA, &mem, NULL, NULL,
                                &errors),
                  GPUCMD_OK);
        } else {
            EQUAL(check_words(&gate, row->words, row->n_dw, EVIL_VA, NULL, NULL, &errors),
                  GPUCMD_OK);
        }
        test_equal(errors, row->errors, __FILE__, __LINE__, row->name);
        if (gf100) {
            evil_pbdma(row, &env);
        } else {
            evil_pusher(row, &env);
        }
    }
}

int main(void)
{
    defaults();
    every_rule();
    every_entry();
    segments();
    extended_base();
    subroutines();
    stopped();
    taken_away();
    evil();
#define SEEN(name, severity, text)                                                                 \
    test_check(seen[GPUCMD_NV_RULE_##name] != 0, __FILE__, __LINE__, #name);
    GPUCMD_NV_RULES(SEEN)
    return test_report("nv_check");
}

/* The kernel's command parser: one row for each rule of each ring; the
 * submission of a parsed batch, and its execution by the streamer. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"

enum { VA = 0x100000, BAD = -GPUCMD_SYS_EINVAL, NO = -GPUCMD_SYS_EACCES };

#define RCS  GPUCMD_I915_RCS
#define VCS  GPUCMD_I915_VCS
#define BCS  GPUCMD_I915_BCS
#define VECS GPUCMD_I915_VECS
#define G7   GPUCMD_I915_GEN7
#define G75  GPUCMD_I915_GEN7_5
#define G9   GPUCMD_I915_GEN9
#define END  0x05000000

typedef struct row {
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    int want;
    uint32_t n;
    uint32_t dw[8];
} row;

/* clang-format off */
static const row rows[] = {
    {G7,  RCS,  0,   2, {0, END}},
    {G7,  RCS,  BAD, 1, {0}},                                   /* no end */
    {G7,  RCS,  BAD, 2, {0, 0x05000001}},                       /* not an end for the parser */
    {G7,  RCS,  BAD, 2, {0x10000002, 0}},                       /* cut off */
    {G7,  RCS,  BAD, 2, {0x50300003, END}},                     /* no client 2 here */
    {G7,  RCS,  BAD, 2, {0x20000000, END}},                     /* no client 1 anywhere */
    {G7,  RCS,  NO,  2, {0x01000000, END}},                     /* USER_INTERRUPT */
    {G7,  BCS,  NO,  2, {0x01000000, END}},
    {G75, VECS, NO,  2, {0x01800008, END}},                     /* WAIT_FOR_EVENT */
    {G7,  VCS,  NO,  4, {0x0b140001, 1, 0, END}},               /* SEMAPHORE_MBOX */
    {G7,  BCS,  NO,  4, {0x10800001, 0xc0, 1, END}},            /* STORE_DATA_INDEX */
    {G7,  RCS,  NO,  2, {0x04000001, END}},                     /* ARB_ON_OFF */
    {G7,  VCS,  NO,  2, {0x04000001, END}},
    {G7,  BCS,  0,   3, {0x04000000, 0xa0000000, END}},         /* no row on BCS: two words */
    {G7,  BCS,  BAD, 2, {0x04000001, END}},                     /* three words */
    {G7,  RCS,  NO,  4, {0x0a000001, 0, 0, END}},               /* DISPLAY_FLIP */
    {G7,  BCS,  NO,  4, {0x0a000001, 0, 0, END}},
    {G7,  RCS,  NO,  3, {0x0c000000, 0x1000, END}},             /* SET_CONTEXT */
    {G7,  RCS,  NO,  4, {0x11800001, 0x1000, 1, END}},          /* UPDATE_GTT */
    {G75, RCS,  NO,  3, {0x09000000, 0, END}},                  /* LOAD_SCAN_LINES_INCL */
    {G7,  RCS,  0,   3, {0x09000000, 0, END}},
    {G75, BCS,  NO,  3, {0x09800000, 0, END}},
    {G7,  RCS,  0,   4, {0x11000001, 0x2358, 7, END}},          /* LOAD_REGISTER_IMM: listed */
    {G7,  RCS,  NO,  4, {0x11000001, 0x2030, 7, END}},
    {G7,  RCS,  NO,  6, {0x11000003, 0x2358, 7, 0x2030, 7, END}}, /* the second pair */
    {G7,  RCS,  0,   5, {0x11000002, 0x2358, 7, 0x2358, END}},  /* the last has no value. check_cmd */
    {G7,  RCS,  0,   3, {0x7a000000, 0x00200000, END}},         /* PIPE_CONTROL of two words */
    {G7,  RCS,  NO,  3, {0x7a000000, 0x00000100, END}},
    {G75, RCS,  0,   4, {0x11000001, 0xb038, 0x08000000, END}}, /* only bit 27 may be 1 */
    {G75, RCS,  NO,  4, {0x11000001, 0xb038, 0x00000001, END}},
    {G75, RCS,  0,   4, {0x12000001, 0xb038, 0x1000, END}},     /* a store of it is allowed */
    {G75, RCS,  NO,  4, {0x14800001, 0xb038, 0x1000, END}},     /* a load of it is not */
    {G75, RCS,  NO,  4, {0x15000001, 0x2600, 0xb038, END}},
    {G75, RCS,  0,   4, {0x15000001, 0x2600, 0x2604, END}},     /* LOAD_REGISTER_REG */
    {G75, RCS,  NO,  4, {0x15000001, 0x2600, 0x2030, END}},
    {G75, RCS,  NO,  4, {0x15000001, 0x2030, 0x2600, END}},
    {G7,  RCS,  NO,  4, {0x11000001, 0x2600, 7, END}},          /* no general registers on gen7 */
    {G7,  RCS,  0,   4, {0x12000001, 0x2358, 0x1000, END}},     /* STORE_REGISTER_MEM */
    {G7,  RCS,  NO,  4, {0x12400001, 0x2358, 0x1000, END}},     /* to the global table */
    {G7,  RCS,  NO,  4, {0x12000001, 0x2034, 0x1000, END}},
    {G7,  BCS,  0,   4, {0x11000001, 0x22200, 0x00010001, END}},
    {G7,  RCS,  0,   5, {0x10000002, 0, 0x1000, 7, END}},       /* STORE_DATA_IMM */
    {G7,  RCS,  NO,  5, {0x10400002, 0, 0x1000, 7, END}},
    {G7,  VCS,  NO,  5, {0x10400002, 0, 0x1000, 7, END}},
    {G7,  BCS,  NO,  5, {0x10400002, 0, 0x1000, 7, END}},
    {G7,  RCS,  NO,  4, {0x1b400001, 0, 0x1000, END}},          /* CONDITIONAL_BATCH_BUFFER_END */
    {G7,  VCS,  NO,  4, {0x1b400001, 0, 0x1000, END}},
    {G7,  RCS,  0,   4, {0x14000001, 0x1000, 1, END}},          /* REPORT_PERF_COUNT */
    {G7,  RCS,  0,   4, {0x14000001, 0xffffffc0, 1, END}},      /* the same, all address bits */
    {G7,  RCS,  NO,  4, {0x14000001, 0x1001, 1, END}},
    {G7,  RCS,  0,   6, {0x7a000003, 0x00004000, 0x1000, 1, 0, END}}, /* PIPE_CONTROL */
    {G7,  RCS,  NO,  6, {0x7a000003, 0x01004000, 0x1000, 1, 0, END}}, /* global table */
    {G7,  RCS,  NO,  6, {0x7a000003, 0x00204000, 0x1000, 1, 0, END}}, /* status page */
    {G7,  RCS,  0,   6, {0x7a000003, 0x01200000, 0x1000, 1, 0, END}}, /* without a store */
    {G7,  RCS,  NO,  6, {0x7a000003, 0x00000100, 0, 0, 0, END}},      /* notify */
    {G7,  RCS,  NO,  6, {0x7a000003, 0x00800000, 0x2358, 0, 0, END}}, /* a register */
    {G7,  VCS,  0,   4, {0x13004001, 0x1000, 1, END}},          /* FLUSH_DW */
    {G7,  VCS,  NO,  4, {0x13004001, 0x1004, 1, END}},
    {G7,  BCS,  NO,  4, {0x13204001, 0x1000, 1, END}},
    {G7,  BCS,  NO,  4, {0x13000101, 0, 0, END}},
    {G7,  BCS,  0,   4, {0x13200001, 4, 0, END}},
    {G7,  RCS,  0,   4, {0x70000001, 0, 0, END}},               /* MEDIA_VFE_STATE */
    {G7,  RCS,  NO,  4, {0x70000001, 0, 0x08, END}},
    {G7,  RCS,  NO,  3, {0x70000000, 0x18, END}},               /* without the word of the field */
    {G7,  RCS,  NO,  4, {0x70000000, 0xb010, END, 0}},
    {G7,  VCS,  0,   4, {0x70000001, 0, 0x08, END}},            /* another command */
    {G7,  RCS,  NO,  3, {0x18800100, VA, END}},                 /* BATCH_BUFFER_START */
    {G7,  BCS,  0,   8, {0x54300004, 0x03f00010, 0, 0x00010001, 0x1000, 1, 0, END}},
    {G9,  BCS,  0,   2, {0x01000000, END}},                     /* gen9 rejects no command */
    {G9,  BCS,  0,   2, {0x01800008, END}},
    {G9,  BCS,  0,   4, {0x10800001, 0xc0, 1, END}},
    {G9,  BCS,  0,   4, {0x0a000001, 0, 0, END}},
    {G9,  BCS,  0,   4, {0x11800001, 0x1000, 1, END}},
    {G9,  BCS,  0,   5, {0x09000000, 0, 0x09800000, 0, END}},
    {G9,  BCS,  0,   5, {0x10400002, 0x1000, 0, 7, END}},       /* nor an address for its table */
    {G9,  BCS,  0,   5, {0x1b400002, 0, 0x1000, 0, END}},
    {G9,  BCS,  0,   6, {0x13204103, 0x1004, 0, 1, 1, END}},
    {G9,  BCS,  0,   5, {0x12400002, 0x22358, 0x1000, 0, END}},
    {G9,  BCS,  0,   5, {0x14c00002, 0x22358, 0x1000, 0, END}},
    {G9,  BCS,  NO,  5, {0x12400002, 0x22030, 0x1000, 0, END}},
    {G9,  BCS,  0,   4, {0x11000001, 0x22600, 7, END}},
    {G9,  BCS,  NO,  4, {0x11000001, 0x22030, 7, END}},
    {G9,  BCS,  0,   5, {0x12000002, 0x22358, 0x1000, 0, END}},
    {G9,  BCS,  NO,  5, {0x14800002, 0x22030, 0x1000, 0, END}},
    {G9,  BCS,  NO,  4, {0x15000001, 0x22600, 0x22030, END}},
    {G9,  BCS,  0,   4, {0, 0x18800101, VA, 0}},                /* to the NOOP: no words follow */
    {G9,  BCS,  0,   4, {0, 0x18800101, VA + 4, 0}},            /* to itself */
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA + 8, 0, END}},       /* into itself */
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA + 16, 0, END}},      /* ahead */
    {G9,  BCS,  BAD, 4, {0, 0x18800101, VA + 16, 0}},           /* after the last word */
    {G7,  RCS,  BAD, 2, {0, 0x11000001}},                       /* too long */
    {G7,  RCS,  0,   3, {0x07800000, 0xa0000000, END}},         /* RS_CONTEXT of 7.5: two words */
    {G7,  RCS,  0,   4, {0x15000041, 0, END, END}},             /* the length is only bits 5:0 */
    {G75, VCS,  0,   4, {0x0e000001, 0, 0xa0000000, END}},      /* SEMAPHORE_WAIT of gen8 */
    {G9,  BCS,  0,   4, {0x0b000001, 0xa0000000, 0, END}},      /* SEMAPHORE_MBOX of 7.5 */
    {G9,  BCS,  BAD, 4, {0x0b000041, 0, 0, END}},               /* the length is bits 7:0: 67 */
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA + 64, 0, END}},      /* outside */
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA - 4, 0, END}},
    {G9,  BCS,  0,   5, {0, 0x18800101, VA + 1, 0, END}},       /* bits 1:0 of a target do not count */
    {G9,  BCS,  0,   5, {0, 0x18800101, VA + 7, 0, END}},
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA + 10, 0, END}},
    {G7,  RCS,  NO,  5, {0x14800002, 0x5240, 0, 0x013f3ff1, END}}, /* 3 words, whatever bits 7:0 say */
    {G7,  RCS,  0,   4, {0x14800002, 0x5240, 0x1000, END}},
    {G9,  BCS,  NO,  4, {0x14800001, 0x22030, 0x1000, 0}},      /* 4 words */
    {G9,  BCS,  BAD, 2, {0x00800000, END}},                     /* SET_PREDICATE: no row, two words */
    {G75, RCS,  0,   2, {0x00800000, END}},                     /* one word, by its row */
    {G7,  RCS,  BAD, 2, {0x6a1f0000, END}},                     /* no command: two words */
    {G7,  RCS,  0,   2, {0x680b0007, END}},                     /* 3DSTATE_VF_STATISTICS: one word */
    {G7,  VCS,  0,   2, {0x68000002, END}},                     /* MFX_WAIT: one word */
    {G7,  VCS,  BAD, 3, {0x680b0000, 0xa0000000, 0x6a000001}},
    {G7,  BCS,  0,   4, {0x4e400001, 0x1000, 0x2000, END}},     /* no such 2D command */
    {G7,  BCS,  BAD, 4, {0x6e400001, 0x1000, 0x2000, END}},     /* client 3: no length on BCS */
    {G7,  RCS,  0,   6, {0x05000002, 0xb010, 0xa0000000, 0xa0000000, END, 0}}, /* not an end */
    {G75, BCS,  0,   4, {0x15000001, 0x2030, 0x22030, END}},    /* LOAD_REGISTER_REG: no row on BCS */
    {G75, RCS,  BAD, 3, {0x10000041, 0, END}},                  /* STORE_DATA_IMM: bits 5:0, 3 words */
    {G75, VCS,  BAD, 4, {0x10000041, 0, 0, END}},               /* bits 7:0 */
    {G9,  BCS,  BAD, 5, {0, 0x18800101, VA, 1, END}},
    {G9,  BCS,  BAD, 7, {0x11000001, 0x22600, 0, 0x18800101, VA + 4, 0, END}}, /* into the first */
    {G9,  RCS,  0,   1, {0x10400002}},                          /* no parser there */
    {GPUCMD_I915_GEN6, RCS, 0, 1, {0x10400002}},
};
/* clang-format on */

static void rules(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        gpucmd_i915_cmdset rules_of;
        uint8_t words[32];
        EQUAL(gpucmd_i915_cmdset_init(&rules_of, r->gen, r->engine), GPUCMD_OK);
        gpucmd_store_words(words, r->dw, r->n, GPUCMD_LITTLE_ENDIAN);
        if (gpucmd_i915_parse(&rules_of, words, 4 * r->n, VA, NULL) != r->want) {
            fprintf(stderr, "row %u\n", (unsigned)i);
        }
        EQUAL(gpucmd_i915_parse(&rules_of, words, 4 * r->n, VA, NULL), r->want);
    }
}

/* Where the parser stops, at which word, and which rule says so. */
static void reasons(void)
{
    static const struct {
        uint32_t row, at_dw, dw;
        const char *line;
    } wants[] = {
        {1, 1, 0,          "ERROR rcs0 at 0x100004: DW0 0x00000000 no MI_BATCH_BUFFER_END\n"},
        {3, 0, 0x10000002,
         "ERROR rcs0 at 0x100000: DW0 0x10000002 MI_STORE_DATA_IMM: "
         "command passes the batch\n"                                                       },
        {4, 0, 0x50300003,
         "ERROR rcs0 at 0x100000: DW0 0x50300003 UNKNOWN: "
         "no command of this engine\n"                                                      },
        {6, 0, 0x01000000,
         "ERROR rcs0 at 0x100000: DW0 0x01000000 MI_USER_INTERRUPT: "
         "command is not allowed\n"                                                         },
    };
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        const row *r = &rows[wants[i].row];
        gpucmd_i915_cmdset cmdset;
        uint8_t words[32];
        char line[200];
        gpucmd_text t;
        gpucmd_why why;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, r->gen, r->engine), GPUCMD_OK);
        gpucmd_store_words(words, r->dw, r->n, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_parse(&cmdset, words, 4 * r->n, VA, &why), r->want);
        EQUAL(why.at_va, VA + 4 * wants[i].at_dw);
        EQUAL(why.bits, wants[i].dw);
        gpucmd_text_init(&t, line, sizeof line);
        gpucmd_print_why(&t, &why);
        if (!CHECK(strcmp(line, wants[i].line) == 0)) {
            printf("    %s", line);
        }
    }
}

/* Each reason once, as the text of the member that it leaves out. */
static void texts(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        const char *text;
        uint32_t n, dw[6];
    } wants[] = {
        {G7, RCS, "address in the global table",                            5, {0x10400002, 0, 0x1000, 7, END}            },
        {G7, RCS, "address in the global table",                            4, {0x14000001, 0x1001, 1, END}               },
        {G7, RCS, "address in the global table",                            4, {0x12400001, 0x2034, 0x1000, END}          },
        {G7, RCS, "register is not allowed",                                4, {0x12000001, 0x2034, 0x1000, END}          },
        {G7, RCS, "field of MEDIA_VFE_STATE is not allowed",                4, {0x70000001, 0, 0x08, END}                 },
        {G7, RCS, "MEDIA_VFE_STATE is too short",                           3, {0x70000000, 0x18, END}                    },
        {G7,
         VCS,     "GGTT: a store to the global table is not allowed",
         4,                                                                    {0x13004001, 0x1004, 1, END}               },
        {G7,
         VCS,     "STORE_INDEX: a store to the status page is not allowed",
         4,                                                                    {0x13204001, 0x40, 1, END}                 },
        {G7, VCS, "NOTIFY: an interrupt is not allowed",                    4, {0x13000101, 0, 0, END}                    },
        {G7, RCS, "NOTIFY: an interrupt is not allowed",                    6, {0x7a000003, 0x100, 0, 0, 0, END}          },
        {G7,
         RCS,     "LRI_POST_SYNC: a store to a register is not allowed",
         6,                                                                    {0x7a000003, 0x800000, 0x2358, 0, 0, END}  },
        {G7,
         RCS,     "GGTT: a store to the global table is not allowed",
         6,                                                                    {0x7a000003, 0x01004000, 0x1000, 0, 0, END}},
        {G7,
         RCS,     "STORE_INDEX: a store to the status page is not allowed",
         6,                                                                    {0x7a000003, 0x00204000, 8, 0, 0, END}     },
        {G9, BCS, "flags of a jump are not allowed",                        5, {0, 0x18800501, VA, 0, END}                },
        {G9, BCS, "jump leaves the batch",                                  5, {0, 0x18800101, VA + 64, 0, END}           },
        {G9, BCS, "jump to no earlier command",                             5, {0, 0x18800101, VA + 8, 0, END}            },
    };
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        uint8_t words[32];
        gpucmd_why why;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, wants[i].gen, wants[i].engine), GPUCMD_OK);
        gpucmd_store_words(words, wants[i].dw, wants[i].n, GPUCMD_LITTLE_ENDIAN);
        CHECK(gpucmd_i915_parse(&cmdset, words, 4 * wants[i].n, VA, &why) < 0);
        CHECK(strcmp(why.text, wants[i].text) == 0);
    }
}

/* The register that the parser refuses, and its word. [K] i915_cmd_parser.c check_cmd */
static void registers(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        const char *reg; /* NULL: the batch is allowed */
        uint32_t off, at_dw, n, dw[8];
    } wants[] = {
        {G7,                 RCS, "INSTPM",   0x20c0,   1, 4, {0x11000001, 0x20c0, 0x00800080, END}  },
        {G7,                 RCS, "INSTPM",   0x20c0,   3, 6, {0x11000003, 0x2358, 0, 0x20c0, 1, END}},
        {G7,                 RCS, "START",    0x2038,   1, 4, {0x12000001, 0x2038, 0x1000, END}      },
        {GPUCMD_I915_GEN7_5, RCS, "register", 0x138104, 1, 4, {0x12000001, 0x138104, 0x1000, END}    },
        {GPUCMD_I915_GEN7_5, RCS, "START",    0x2038,   2, 4, {0x15000001, 0x2600, 0x2038, END}      },
        {G9,                 BCS, "HWS_PGA",  0x22080,  1, 4, {0x11000001, 0x22080, 1, END}          },
 /* a last register without a value: only if the row has no mask of values */
        {GPUCMD_I915_GEN7_5, RCS, NULL,       0,        0, 5, {0x11000002, 0x2600, 1, 0x2604, END}   },
        {GPUCMD_I915_GEN7_5, RCS, "SCRATCH1", 0xb038,   3, 5, {0x11000002, 0x2600, 1, 0xb038, END}   },
    };
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        uint8_t words[32];
        gpucmd_why why;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, wants[i].gen, wants[i].engine), GPUCMD_OK);
        gpucmd_store_words(words, wants[i].dw, wants[i].n, GPUCMD_LITTLE_ENDIAN);
        if (!EQUAL(gpucmd_i915_parse(&cmdset, words, 4 * wants[i].n, VA, &why),
                   wants[i].reg == NULL ? 0 : NO) ||
            wants[i].reg == NULL) {
            continue;
        }
        if (!CHECK(strcmp(why.reg, wants[i].reg) == 0)) {
            printf("    %s\n", why.reg);
        }
        EQUAL(why.bits, wants[i].off);
        EQUAL(why.va, VA + 4 * wants[i].at_dw);
        EQUAL(why.at_va, VA);
    }
}

/* A jump of gen9 to each word of its batch: to the start of a command up to itself, and no other. */
static void jumps(void)
{
    for (uint32_t to = 0; to < 14; to++) {
        /* commands start at words 0, 1, 5, 6, 9 */
        const uint32_t words[] = {0, 0x10000002, 0, 0x1000, 7, 0, 0x18800101, VA + 4 * to, 0, END};
        const bool good = to == 0 || to == 1 || to == 5 || to == 6;
        gpucmd_i915_cmdset cmdset;
        uint8_t bytes[40];
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, G9, BCS), GPUCMD_OK);
        gpucmd_store_words(bytes, words, 10, GPUCMD_LITTLE_ENDIAN);
        if (!EQUAL(gpucmd_i915_parse(&cmdset, bytes, 40, VA, NULL), good ? 0 : BAD)) {
            printf("    word %u\n", (unsigned)to);
        }
    }
}

/* A jump of gen9 with one bit of its first word changed. Bits 7:0 are its length. */
static void jump_flags(void)
{
    for (uint32_t bit = 0; bit < 23; bit++) {
        uint32_t words[140] = {0, 0x18800101 ^ 1u << bit, VA};
        gpucmd_i915_cmdset cmdset;
        uint8_t bytes[sizeof words];
        words[139] = END;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, G9, BCS), GPUCMD_OK);
        gpucmd_store_words(bytes, words, 140, GPUCMD_LITTLE_ENDIAN);
        if (!EQUAL(gpucmd_i915_parse(&cmdset, bytes, sizeof bytes, VA, NULL), NO)) {
            printf("    bit %u\n", (unsigned)bit);
        }
    }
}

/* ---- through the ioctl ---- */

static struct user {
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_exec_object2 object;
} user;
static uint32_t ring_words[1024];
static uint8_t memory[8192];
static gpucmd_i915_object object;
static gpucmd_map vmas[1];
static struct gpucmd_drm_i915_gem_exec_object2 list[1];
static gpucmd_region user_region, gpu_regions[2];
static gpucmd_mem user_mem, gpu_mem;
static gpucmd_i915_ring ring;
static gpucmd_i915_cs cs;
static gpucmd_i915_kernel k;

/* Submit words from byte start on to the engine's ring. Return the result of the ioctl. */
static int submit_at(uint32_t start, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                     const uint32_t *words, uint32_t n, uint32_t batch_len)
{
    const uint32_t number = engine == RCS ? 1 : engine == VCS ? 2 : 3;
    gpucmd_mmio mmio;
    memset(&user, 0, sizeof user);
    memset(&object, 0, sizeof object);
    memset(memory, 0, sizeof memory);
    memset(ring_words, 0, sizeof ring_words);
    gpucmd_store_words(memory, words, n, GPUCMD_LITTLE_ENDIAN);
    user_region.va = (uint64_t)(uintptr_t)&user;
    user_region.bytes = sizeof user;
    user_region.host = &user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_words, 4096, 0, &mmio, cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, 0x40000), GPUCMD_OK);
    gpucmd_i915_kernel_init(&k, gen, &user_mem);
    object.handle = 1;
    object.bytes = sizeof memory / 2; /* after them, words that are not of the object */
    object.host = memory;
    k.objects = &object;
    k.object_count = 1;
    k.vmas = vmas;
    k.vma_count = 1;
    k.list = list;
    k.list_cap = 1;
    k.rings[number] = &ring;
    k.parser = true;
    user.object.handle = 1;
    user.object.offset = VA;
    user.arg.buffers_ptr = (uint64_t)(uintptr_t)&user.object;
    user.arg.buffer_count = 1;
    user.arg.batch_start_offset = start;
    user.arg.batch_len = batch_len;
    user.arg.flags = number;
    return gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    (uint64_t)(uintptr_t)&user.arg);
}

static int submit(gpucmd_i915_gen gen, gpucmd_i915_engine engine, const uint32_t *words, uint32_t n,
                  uint32_t batch_len)
{
    return submit_at(0, gen, engine, words, n, batch_len);
}

static void run(void)
{
    gpucmd_env env;
    gpu_regions[0].va = 0x40000;
    gpu_regions[0].bytes = sizeof ring_words;
    gpu_regions[0].host = ring_words;
    gpu_regions[0].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_i915_kernel_list_regions(&k, gpu_regions + 1, 1), 1);
    EQUAL(gpucmd_mem_init(&gpu_mem, gpu_regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &gpu_mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
}

static uint32_t first_word(void)
{
    return gpucmd_load32(ring_words, GPUCMD_LITTLE_ENDIAN);
}

static void submissions(void)
{
    /* a store to the global table: the parser rejects the batch, the hardware
     * skips the store */
    static const uint32_t bad[] = {0x10400002, 0, VA + 0x100, 7, 0x10000002, 0, VA + 0x104, 8, END};
    static const uint32_t good[] = {0x10000002, 0, VA + 0x100, 7, 0x11000001, 0x2358, 0x1000, END};
    static const uint32_t open[] = {0, 0};
    static const uint32_t blit[] = {0x11000001, 0x22030, 7, END};
    static const gpucmd_i915_gen gens[] = {G7, G75};
    static const gpucmd_i915_engine engines[] = {RCS, VCS, BCS};
    for (size_t g = 0; g < 2; g++) {
        for (size_t e = 0; e < 3; e++) {
            EQUAL(submit(gens[g], engines[e], bad, 9, 40), 0);
            EQUAL(k.why.kind, GPUCMD_WHY_ERROR);
            EQUAL(k.why.at_va, VA);
            EQUAL(first_word(), gens[g] == G7 ? 0x18800100 : 0x18802000);
            run();
            EQUAL(gpucmd_load32(memory + 0x100, GPUCMD_LITTLE_ENDIAN), 0);
            EQUAL(gpucmd_load32(memory + 0x104, GPUCMD_LITTLE_ENDIAN), 8);
            EQUAL(submit(gens[g], engines[e], open, 2, 8), BAD);
            EQUAL(cs.tail, 0);
            EQUAL(submit(gens[g], engines[e], bad, 9, 0), 0); /* no length: not parsed */
            EQUAL(first_word(), gens[g] == G75 && engines[e] == RCS ? 0x18802100 : 0x18800100);
        }
        EQUAL(submit(gens[g], RCS, good, 8, 32), 0);
        EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
        EQUAL(first_word(), 0x18800000); /* with all rights */
        run();
        EQUAL(gpucmd_load32(memory + 0x100, GPUCMD_LITTLE_ENDIAN), 7);
        CHECK(cs.timestamp >= 0x1000);
    }
    EQUAL(submit(G9, BCS, blit, 4, 0), NO); /* always parsed */
    EQUAL(cs.tail, 0);
    EQUAL(submit(G9, BCS, good, 8, 32), 0); /* 0x2358 is on its list too */
    EQUAL(submit(G9, BCS, bad + 4, 5, 24), 0);
    EQUAL(gpucmd_load32(ring_words + 1, GPUCMD_LITTLE_ENDIAN), 0x18800101); /* as the user */
    EQUAL(submit(G9, RCS, good, 8, 32), 0);
    /* without a length the batch is the rest of the object, which has no end */
    static uint32_t after[1026];
    after[1024] = END;
    EQUAL(submit_at(8, G9, BCS, after, 1026, 0), BAD);
    after[1023] = END;
    EQUAL(submit_at(8, G9, BCS, after, 1026, 0), 0);
}

int main(void)
{
    rules();
    reasons();
    texts();
    registers();
    jumps();
    jump_flags();
    submissions();
    return test_report("i915_parser");
}

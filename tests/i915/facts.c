/* The published tables, a row for each number: known-good first words, lengths of the 3D commands of
 * gen2 and gen3, words of each MI and 2D command, fields of PIPE_CONTROL and of single words, ring
 * registers and bases, registers of user batches, privileged commands, the numbers of the kernel's
 * interface. Other rules have their rows in i915/exec.c, i915/ring.c, i915/engines.c, i915/kernel.c
 * and i915/walkthrough.c. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

enum { R = 1, V = 2, B = 4, E = 8, C = 16, GSC = 32 };

static const int gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127, 200, 300};
#define GENS (sizeof gens / sizeof gens[0])

static gpucmd_i915_cmdset cmdset;

static void use(int gen, int engine)
{
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine),
          GPUCMD_OK);
}

/* clang-format off */
/* Word, first and last generation, engine, words, name. [K] [IGT] */
static const struct {
    uint32_t word;
    int since, until, engine;
    uint32_t len_dw;
    const char *name;
} good_words[] = {
    {0x00000000,  20, 300, R ,  1, "MI_NOOP"},
    {0x00412345,  20, 300, R ,  1, "MI_NOOP"},
    {0x007fffff,  20, 300, R ,  1, "MI_NOOP"},
    {0x00800000,  75, 300, R ,  1, "MI_SET_PREDICATE"},
    {0x00800001,  75, 300, R ,  1, "MI_SET_PREDICATE"},
    {0x0080000f,  80, 300, R ,  1, "MI_SET_PREDICATE"},
    {0x01000000,  20, 300, R ,  1, "MI_USER_INTERRUPT"},
    {0x01800004,  20,  50, R ,  1, "MI_WAIT_FOR_EVENT"},
    {0x01810000,  20,  30, R ,  1, "MI_WAIT_FOR_EVENT"},
    {0x02000000,  20,  75, R ,  1, "MI_FLUSH"},
    {0x02000001,  20,  30, R ,  1, "MI_FLUSH"},
    {0x02000002,  40,  90, R ,  1, "MI_FLUSH"},
    {0x02000004,  20,  75, R ,  1, "MI_FLUSH"},
    {0x02000022,  45,  50, R ,  1, "MI_FLUSH"},
    {0x02800000,  40, 300, R ,  1, "MI_ARB_CHECK"},
    {0x02800101, 120, 300, R ,  1, "MI_ARB_CHECK"},
    {0x02800100, 120, 300, R ,  1, "MI_ARB_CHECK"},
    {0x03000001,  75,  90, R ,  1, "MI_RS_CONTROL"},
    {0x03800000,  20, 300, R ,  1, "MI_REPORT_HEAD"},
    {0x04000000,  30, 300, R ,  1, "MI_ARB_ON_OFF"},
    {0x04000001,  30, 300, R ,  1, "MI_ARB_ON_OFF"},
    {0x04800000,  75,  90, R ,  1, "MI_URB_ATOMIC_ALLOC"},
    {0x05000000,  20, 300, R ,  1, "MI_BATCH_BUFFER_END"},
    {0x05008000, 125, 300, R ,  1, "MI_BATCH_BUFFER_END"},
    {0x05800000,  50, 300, R ,  1, "MI_SUSPEND_FLUSH"},
    {0x05800001,  50, 300, R ,  1, "MI_SUSPEND_FLUSH"},
    {0x06000082,  70, 300, R ,  1, "MI_PREDICATE"},
    {0x060000c2,  70, 300, R ,  1, "MI_PREDICATE"},
    {0x06800004,  70, 300, R ,  1, "MI_TOPOLOGY_FILTER"},
    {0x07000001,  70, 300, R ,  1, "MI_SET_APPID"},
    {0x07800001,  75,  90, R ,  1, "MI_RS_CONTEXT"},
    {0x08800000,  20,  30, R ,  2, "MI_OVERLAY_FLIP"},
    {0x08a00000,  20,  30, R ,  2, "MI_OVERLAY_FLIP"},
    {0x08c00000,  20,  30, R ,  2, "MI_OVERLAY_FLIP"},
    {0x09000000,  20, 300, R ,  2, "MI_LOAD_SCAN_LINES_INCL"},
    {0x09800000,  20, 300, R ,  2, "MI_LOAD_SCAN_LINES_EXCL"},
    {0x0a000001,  30,  30, R ,  3, "MI_DISPLAY_FLIP"},
    {0x0a000002,  40,  50, R ,  4, "MI_DISPLAY_FLIP"},
    {0x0a100002,  40,  50, R ,  4, "MI_DISPLAY_FLIP"},
    {0x0a200001,  70,  70, R ,  3, "MI_DISPLAY_FLIP"},
    {0x0b000001,  60,  75, R ,  3, "MI_SEMAPHORE_MBOX"},
    {0x0b140001,  60,  75, R ,  3, "MI_SEMAPHORE_MBOX"},
    {0x0b160001,  60,  75, R ,  3, "MI_SEMAPHORE_MBOX"},
    {0x0b150001,  75,  75, R ,  3, "MI_SEMAPHORE_MBOX"},
    {0x0b600001,  60,  75, R ,  3, "MI_SEMAPHORE_MBOX"},
    {0x0c000000,  40,  75, R ,  2, "MI_SET_CONTEXT"},
    {0x0c800000,  60,  80, R ,  2, "MI_URB_CLEAR"},
    {0x0d000000,  75, 300, R ,  2, "MI_MATH"},
    {0x0d000003,  75, 300, R ,  5, "MI_MATH"},
    {0x0d800000,  80, 300, R ,  2, "MI_SEMAPHORE_SIGNAL"},
    {0x0d810000,  80, 300, R ,  2, "MI_SEMAPHORE_SIGNAL"},
    {0x0e409002,  80, 110, R ,  4, "MI_SEMAPHORE_WAIT"},
    {0x0e40c002,  80, 110, R ,  4, "MI_SEMAPHORE_WAIT"},
    {0x0e00d002,  80, 110, R ,  4, "MI_SEMAPHORE_WAIT"},
    {0x0e40c003, 120, 300, R ,  5, "MI_SEMAPHORE_WAIT"},
    {0x0e01c003, 120, 300, R ,  5, "MI_SEMAPHORE_WAIT"},
    {0x10000001,  20,  30, R ,  3, "MI_STORE_DATA_IMM"},
    {0x10000002,  40, 300, R ,  4, "MI_STORE_DATA_IMM"},
    {0x10400002,  40, 300, R ,  4, "MI_STORE_DATA_IMM"},
    {0x10200003,  80, 300, R ,  5, "MI_STORE_DATA_IMM"},
    {0x10600003,  80, 300, R ,  5, "MI_STORE_DATA_IMM"},
    {0x10800001,  20, 300, R ,  3, "MI_STORE_DATA_INDEX"},
    {0x11000001,  30, 300, R ,  3, "MI_LOAD_REGISTER_IMM"},
    {0x11000003,  30, 300, R ,  5, "MI_LOAD_REGISTER_IMM"},
    {0x11000007,  30, 300, R ,  9, "MI_LOAD_REGISTER_IMM"},
    {0x110000fb,  60, 300, R , 253, "MI_LOAD_REGISTER_IMM"},
    {0x11080001, 110, 300, R ,  3, "MI_LOAD_REGISTER_IMM"},
    {0x11800000,  45,  90, R ,  2, "MI_UPDATE_GTT"},
    {0x12000001,  30,  75, R ,  3, "MI_STORE_REGISTER_MEM"},
    {0x12400001,  40,  75, R ,  3, "MI_STORE_REGISTER_MEM"},
    {0x12000002,  80, 300, R ,  4, "MI_STORE_REGISTER_MEM"},
    {0x12400002,  80, 300, R ,  4, "MI_STORE_REGISTER_MEM"},
    {0x13000001,  60,  75, V ,  3, "MI_FLUSH_DW"},
    {0x13000002,  80, 300, V ,  4, "MI_FLUSH_DW"},
    {0x13204001,  60,  75, V ,  3, "MI_FLUSH_DW"},
    {0x13244001,  60,  75, V ,  3, "MI_FLUSH_DW"},
    {0x13244081,  60,  75, V ,  3, "MI_FLUSH_DW"},
    {0x13004002,  80, 300, V ,  4, "MI_FLUSH_DW"},
    {0x13800000,  60, 300, R ,  2, "MI_CLFLUSH"},
    {0x14800001,  70,  75, R ,  3, "MI_LOAD_REGISTER_MEM"},
    {0x14800002,  80, 300, R ,  4, "MI_LOAD_REGISTER_MEM"},
    {0x14c00002,  80, 300, R ,  4, "MI_LOAD_REGISTER_MEM"},
    {0x15000001,  75, 300, R ,  3, "MI_LOAD_REGISTER_REG"},
    {0x15800000,  75, 300, R ,  2, "MI_RS_STORE_DATA_IMM"},
    {0x16000000,  75,  90, R ,  2, "MI_LOAD_URB_MEM"},
    {0x16800000,  75,  90, R ,  2, "MI_STORE_URB_MEM"},
    {0x17800001,  80, 300, R ,  3, "MI_ATOMIC"},
    {0x17840409,  80, 300, R , 11, "MI_ATOMIC"},
    {0x17c60409,  80, 300, R , 11, "MI_ATOMIC"},
    {0x18000001,  20,  30, R ,  3, "MI_BATCH_BUFFER"},
    {0x18800000,  20, 300, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18800180,  40,  50, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18800080,  40,  50, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18800100,  60,  75, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18800000,  60,  75, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18802100,  75,  75, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18c02100,  75,  75, R ,  2, "MI_BATCH_BUFFER_START"},
    {0x18800001,  80, 300, R ,  3, "MI_BATCH_BUFFER_START"},
    {0x18800101,  80, 300, R ,  3, "MI_BATCH_BUFFER_START"},
    {0x18c00101,  80, 300, R ,  3, "MI_BATCH_BUFFER_START"},
    {0x18808101,  80, 300, R ,  3, "MI_BATCH_BUFFER_START"},
    {0x18800501,  80,  90, R ,  3, "MI_BATCH_BUFFER_START"},
    {0x1b200002,  80, 300, R ,  4, "MI_CONDITIONAL_BATCH_BUFFER_END"},
    {0x7a000002,  40,  50, R ,  4, "PIPE_CONTROL"},
    {0x7a000003,  60,  75, R ,  5, "PIPE_CONTROL"},
    {0x7a000004,  80, 300, R ,  6, "PIPE_CONTROL"},
    {0x7a004002,  40,  50, R ,  4, "PIPE_CONTROL"},
    {0x50300003,  20,  75, B ,  5, "COLOR_BLT"},
    {0x50f00004,  20,  75, B ,  6, "SRC_COPY_BLT"},
    {0x54300004,  20,  75, B ,  6, "XY_COLOR_BLT"},
    {0x54300005,  80, 110, B ,  7, "XY_COLOR_BLT"},
    {0x54f00006,  20,  75, B ,  8, "XY_SRC_COPY_BLT"},
    {0x54f00008,  80, 110, B , 10, "XY_SRC_COPY_BLT"},
    {0x54f08006,  40,  70, B ,  8, "XY_SRC_COPY_BLT"},
    {0x50800008,  90, 300, B , 10, "XY_FAST_COPY_BLT"},
    {0x61010000,  40, 300, R ,  2, "STATE_BASE_ADDRESS"},
    {0x69040000,  45, 300, R ,  1, "PIPELINE_SELECT"},
    {0x68000000,  60, 300, V ,  1, "MFX_WAIT"},
    {0x14000000,  50, 300, R ,  2, "MI_REPORT_PERF_COUNT"},
};
/* clang-format on */

static void words(void)
{
    for (size_t i = 0; i < sizeof good_words / sizeof good_words[0]; i++) {
        for (size_t g = 0; g < GENS; g++) {
            gpucmd_i915_cmd cmd;
            if (gens[g] < good_words[i].since || gens[g] > good_words[i].until) {
                continue;
            }
            use(gens[g], good_words[i].engine == B && gens[g] < 60 ? R : good_words[i].engine);
            EQUAL(gpucmd_i915_length_dw(&cmdset, &good_words[i].word, 1), good_words[i].len_dw);
            CHECK(strcmp(gpucmd_i915_name(&cmdset, good_words[i].word), good_words[i].name) == 0);
            gpucmd_i915_decode(&cmdset, &good_words[i].word, 1, &cmd);
            if (!EQUAL(cmd.stray, 0)) { /* every bit has an owner */
                printf("    %08x on gen %d\n", good_words[i].word, gens[g]);
            }
        }
    }
}

/* Words of each MI and 2D command: opcode word without a length, engine, and up to gen7.5 and from
 * gen8 the fewest and the most words; 0: not in these generations. Judged by the checker. */
static void counts(void)
{
    /* clang-format off */
    static const struct {
        uint32_t head;
        int since, until, engine;
        uint32_t min7, max7, min8, max8;
    } rows[] = {
        {0x08800000, 20,  30,  R, 2, 2,   0, 0},
        {0x09000000, 20,  300, R, 2, 2,   2, 2},
        {0x09800000, 20,  300, R, 2, 2,   2, 2},
        {0x0a000000, 20,  20,  R, 3, 4,   0, 0},
        {0x0a000000, 30,  30,  R, 3, 3,   0, 0},
        {0x0a000000, 40,  60,  R, 4, 4,   0, 0},
        {0x0a000000, 70,  80,  R, 3, 3,   3, 3},
        {0x0a000000, 90,  300, R, 0, 0,   3, 4},
        {0x0b000000, 60,  75,  R, 3, 3,   0, 0},
        {0x0b800000, 20,  20,  R, 2, 2,   0, 0},
        {0x0c000000, 40,  90,  R, 2, 2,   2, 2},
        {0x0c800000, 60,  80,  R, 2, 2,   2, 2},
        {0x0d000000, 75,  80,  R, 2, 65,  2, 65},
        {0x0d000000, 90,  300, R, 0, 0,   2, 257},
        {0x0d800000, 80,  300, R, 0, 0,   2, 2},
        {0x0e000000, 80,  110, R, 0, 0,   4, 4},
        {0x0e000000, 120, 300, R, 0, 0,   4, 5},
        {0x0e800000, 90,  300, V, 0, 0,   2, 2},
        {0x10000000, 20,  30,  R, 3, 3,   0, 0},
        {0x10000000, 40,  75,  R, 4, 5,   0, 0},
        {0x10000000, 80,  125, R, 0, 0,   4, 1025},
        {0x10000000, 127, 300, R, 0, 0,   4, 1024},
        {0x10800000, 20,  300, R, 3, 4,   3, 4},
        {0x12000000, 30,  300, R, 3, 3,   4, 4},
        {0x13000000, 60,  300, V, 3, 4,   3, 5},
        {0x14000000, 50,  300, R, 3, 3,   4, 4},
        {0x14800000, 70,  300, R, 3, 3,   4, 4},
        {0x15000000, 75,  300, R, 3, 3,   3, 3},
        {0x15800000, 75,  300, R, 4, 4,   4, 4},
        {0x16000000, 75,  90,  R, 3, 3,   4, 4},
        {0x16800000, 75,  90,  R, 3, 3,   4, 4},
        {0x17000000, 80,  300, R, 0, 0,   5, 5},
        {0x17800000, 80,  300, R, 0, 0,   3, 11},
        {0x18000000, 20,  30,  R, 3, 3,   0, 0},
        {0x18800000, 20,  300, R, 2, 2,   3, 3},
        {0x1b000000, 60,  300, R, 3, 3,   4, 4},
        {0x7a000000, 40,  50,  R, 4, 4,   0, 0},
        {0x7a000000, 60,  300, R, 4, 5,   4, 6},
        {0x40400000, 20,  125, B, 8, 8,   10, 10},
        {0x40c00000, 20,  125, B, 3, 3,   3, 3},
        {0x44400000, 20,  125, B, 9, 9,   10, 10},
        {0x49000000, 20,  125, B, 2, 2,   2, 2},
        {0x49400000, 20,  125, B, 3, 3,   3, 3},
        {0x49800000, 20,  125, B, 4, 4,   5, 5},
        {0x50000000, 20,  125, B, 5, 5,   6, 6},
        {0x50400000, 120, 120, B, 0, 0,   12, 12},
        {0x50800000, 90,  300, B, 0, 0,   10, 10},
        {0x56800000, 200, 300, B, 0, 0,   10, 10},
        {0x56c00000, 200, 300, B, 0, 0,   7, 7},
        {0x40000000, 127, 300, GSC, 0, 0, 8, 8},
        {0x40400000, 127, 300, GSC, 0, 0, 4, 4},
        {0x50c00000, 20,  125, B, 6, 6,   8, 8},
        {0x51000000, 120, 120, B, 0, 0,   11, 11},
        {0x51000000, 125, 300, B, 0, 0,   16, 16},
        {0x52000000, 125, 300, B, 0, 0,   5, 5},
        {0x54000000, 20,  125, B, 6, 6,   7, 7},
        {0x54400000, 20,  125, B, 6, 6,   8, 8},
        {0x54800000, 20,  125, B, 9, 9,   10, 10},
        {0x54c00000, 20,  125, B, 8, 8,   10, 10},
        {0x55000000, 20,  125, B, 8, 8,   10, 10},
        {0x55400000, 20,  125, B, 9, 9,   12, 12},
        {0x55800000, 20,  125, B, 9, 9,   12, 12},
        {0x55c00000, 20,  125, B, 12, 12, 14, 14},
        {0x56000000, 20,  125, B, 12, 12, 14, 14},
        {0x56400000, 20,  125, B, 7, 7,   8, 8},
        {0x5cc00000, 20,  125, B, 10, 10, 12, 12},
        {0x5d800000, 20,  125, B, 8, 8,   10, 10},
        /* with data: the most words up to gen7.5 are of [LD], from gen8 those of a length of 8 bits */
        {0x4c400000, 20,  125, B, 5, 134,  5, 257},
        {0x5c400000, 20,  125, B, 9, 137,  10, 257},
        {0x5c800000, 20,  125, B, 7, 135,  8, 257},
        {0x5d000000, 20,  125, B, 10, 137, 12, 257},
        {0x5d400000, 20,  125, B, 10, 138, 12, 257},
        {0x5dc00000, 20,  125, B, 9, 137,  10, 257},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t g = 0; g < GENS; g++) {
            static uint32_t words_[1032];
            const bool old = gens[g] <= 75;
            const uint32_t min = old ? rows[i].min7 : rows[i].min8;
            const uint32_t max = old ? rows[i].max7 : rows[i].max8;
            if (gens[g] < rows[i].since || gens[g] > rows[i].until) {
                continue;
            }
            use(gens[g], rows[i].engine == B && gens[g] < 60 ? R : rows[i].engine);
            for (uint32_t n = 2; n <= 1026; n++) {
                const gpucmd_i915_check_options options = {NULL, NULL, 0, true, false, true, false};
                const bool good = (min == 0 || n >= min) && (max == 0 || n <= max);
                size_t errors = 9;
                words_[0] = rows[i].head | (n - 2);
                if (rows[i].head == 0x17800000 && n > 3) {
                    words_[0] |= 0x00040000; /* the data are in the command, see operand_rules.c */
                }
                if (rows[i].head == 0x18800000 && gens[g] < 60) {
                    words_[0] |= 0x80; /* an address of the table */
                }
                if (((min != 0 && n + 1 < min) || n > min + 2) && n != max && n != max + 1) {
                    continue;
                }
                if (gpucmd_i915_length_dw(&cmdset, words_, 1) != n ||
                    (rows[i].head == 0x17800000 && n == 4)) {
                    continue; /* the field is not that wide */
                }
                EQUAL(gpucmd_i915_check(&cmdset, words_, n + n % 2, &options, &errors), GPUCMD_OK);
                if ((min != 0 && max != 0) || (min != 0 && n < min) || (max != 0 && n > max)) {
                    if (!EQUAL(errors, good ? 0 : 1)) {
                        printf("    %08x on gen %d\n", words_[0], gens[g]);
                    }
                }
            }
        }
    }
}

/* 3D commands of gen2 and gen3: first word with all bits of the length set, words. [LD] */
static void old_lengths(void)
{
    static const struct {
        uint32_t word, want;
    } rows[] = {
        {0x62ffffff, 1      },
        {0x66ffffff, 1      },
        {0x67ffffff, 1      },
        {0x68ffffff, 1      },
        {0x69ffffff, 1      },
        {0x6bffffff, 1      },
        {0x6cffffff, 1      },
        {0x6dffffff, 1      },
        {0x6fffffff, 1      },
        {0x75ffffff, 1      },
        {0x76ffffff, 1      },
        {0x7cffffff, 1      },
        {0x7d00ffff, 65     },
        {0x7d01ffff, 65     },
        {0x7d02ffff, 65537  },
        {0x7d03ffff, 17     },
        {0x7d04ffff, 17     },
        {0x7d05ffff, 257    },
        {0x7d06ffff, 257    },
        {0x7d07ffff, 256    },
        {0x7d80ffff, 17     },
        {0x7d80fff3, 5      },
        {0x7d81fff1, 3      },
        {0x7d83ffff, 65537  },
        {0x7d85fff0, 2      },
        {0x7d86ffff, 65537  },
        {0x7d88ffff, 65537  },
        {0x7d89ffff, 65537  },
        {0x7d8bffff, 65537  },
        {0x7d8cffff, 65537  },
        {0x7d8dffff, 65537  },
        {0x7d8efff1, 3      },
        {0x7d8fffff, 65537  },
        {0x7d97ffff, 65537  },
        {0x7d98ffff, 65537  },
        {0x7d99ffff, 65537  },
        {0x7d9affff, 65537  },
        {0x7d9cfff5, 7      },
        {0x7d9d003f, 65     },
        {0x7d9effff, 65537  },
        {0x7e000000, 0      },
        {0x7f7fffff, 0x40001},
        {0x7f80ffff, 2      },
        {0x7f820001, 2      },
        {0x7f820002, 2      },
        {0x7f82ffff, 0x8001 },
    };
    for (int g = 20; g <= 30; g += 10) {
        use(g, R);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            EQUAL(gpucmd_i915_length_dw(&cmdset, &rows[i].word, 1), rows[i].want);
        }
    }
}

/* 3D and media commands from gen4: bits 31:16, generation, engine, words with ffff below. */
static void new_lengths(void)
{
    static const struct {
        uint32_t key;
        int gen, engine;
        uint32_t want;
    } rows[] = {
        {0x6904, 45,  R, 1      },
        {0x680b, 60,  R, 1      },
        {0x6800, 60,  V, 1      },
        {0x6800, 90,  E, 1      },
        {0x6104, 40,  R, 1      },
        {0x780b, 40,  R, 1      },
        {0x6104, 45,  R, 0x101  },
        {0x7917, 70,  R, 0x201  },
        {0x7843, 75,  R, 0x201  },
        {0x7844, 75,  R, 0x201  },
        {0x7845, 75,  R, 0x201  },
        {0x7846, 75,  R, 0x201  },
        {0x7847, 90,  R, 0x201  },
        {0x7848, 90,  R, 0x101  },
        {0x7842, 90,  R, 0x101  },
        {0x7839, 70,  R, 0x101  },
        {0x7839, 75,  R, 0x801  },
        {0x783a, 90,  R, 0x801  },
        {0x783a, 110, R, 0x101  },
        {0x7200, 125, R, 0x101  },
        {0x7208, 125, R, 0x101  },
        {0x7208, 125, C, 0x101  },
        {0x7104, 70,  R, 0x101  },
        {0x7105, 70,  R, 0x101  },
        {0x7106, 110, R, 0x8001 },
        {0x7100, 120, R, 0x8001 },
        {0x7100, 90,  R, 0x10001},
        {0x7000, 120, R, 0x10001},
        {0x7001, 60,  R, 0x10001},
        {0x7004, 75,  R, 0x10001},
        {0x6000, 40,  R, 0x101  },
        {0x6002, 50,  R, 0x101  },
        {0x7801, 60,  R, 0x101  },
        {0x7822, 120, R, 0x101  },
        {0x7871, 120, R, 0x101  },
        {0x7a00, 90,  R, 0x101  },
        {0x7b00, 40,  R, 0x101  },
        {0x7600, 60,  V, 0x10001},
        {0x7395, 90,  V, 0x1001 },
        {0x7395, 110, V, 0x1001 },
        {0x7000, 45,  V, 0x1001 },
        {0x7700, 75,  E, 0x1001 },
        {0x6101, 60,  V, 0x101  },
        {0x7801, 60,  V, 0x101  },
        {0x7a00, 60,  B, 0      },
        {0x6904, 90,  B, 0      },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t word = rows[i].key << 16 | 0xffff;
        use(rows[i].gen, rows[i].engine);
        EQUAL(gpucmd_i915_length_dw(&cmdset, &word, 1), rows[i].want);
    }
}

/* Second word of PIPE_CONTROL, bit by bit from 0; then the first word of gen4 and 5, and of 12. */
static void pipe_control_bits(void)
{
    static const uint32_t bits[32] = {
        GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_CACHE_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_STALL_AT_SCOREBOARD),
        GPUCMD_I915_BITS(PIPE_CONTROL_STATE_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_CONSTANT_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_VF_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_DC_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_PROTECTED_APP),
        GPUCMD_I915_BITS(PIPE_CONTROL_FLUSH_ENABLE),
        GPUCMD_I915_BITS(PIPE_CONTROL_NOTIFY),
        GPUCMD_I915_BITS(PIPE_CONTROL_ISP_DISABLE),
        GPUCMD_I915_BITS(PIPE_CONTROL_TEXTURE_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_INSTRUCTION_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_RENDER_TARGET_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_STALL),
        GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1),
        GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 2),
        GPUCMD_I915_BITS(PIPE_CONTROL_MEDIA_STATE_CLEAR),
        GPUCMD_I915_BITS(PIPE_CONTROL_GFDT_SYNC),
        GPUCMD_I915_BITS(PIPE_CONTROL_TLB_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_SNAPSHOT_RESET),
        GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL),
        GPUCMD_I915_BITS(PIPE_CONTROL_STORE_INDEX),
        GPUCMD_I915_BITS(PIPE_CONTROL_PROTECTED),
        GPUCMD_I915_BITS(PIPE_CONTROL_LRI_POST_SYNC),
        GPUCMD_I915_BITS(PIPE_CONTROL_GGTT),
        GPUCMD_I915_BITS(PIPE_CONTROL_AMFS_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_LLC_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_L3_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_TILE_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_COMMAND_INVALIDATE),
        GPUCMD_I915_BITS(PIPE_CONTROL_L3_FABRIC_FLUSH),
        GPUCMD_I915_BITS(PIPE_CONTROL_TBIMR),
    };
    for (uint32_t i = 0; i < 32; i++) {
        EQUAL(bits[i], 1u << i);
    }
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_PSD_SYNC), 1u << 17);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_POST_SYNC_G4), 0xc000);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_STALL_G4), 0x2000);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_WRITE_FLUSH_G4), 0x1000);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_INSTRUCTION_INVALIDATE_G4), 0x800);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_TEXTURE_FLUSH_G4), 0x400);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_ISP_DISABLE_G4), 0x200);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_NOTIFY_G4), 0x100);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_GGTT_G4), 4);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_GGTT_G6), 4);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_STALL_AT_SCOREBOARD_G5), 2);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_FLUSH_INHIBIT_G5), 1);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_HDC_FLUSH), 0x200);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_L3_READ_ONLY_INVALIDATE), 0x400);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_UDP_FLUSH), 0x800);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_CCS_FLUSH), 0x2000);
    EQUAL(GPUCMD_I915_BITS(PIPE_CONTROL_PARTITION_OFFSET), 0x4000);
}

/* First words that have a meaning in each generation: the bits that no field owns. */
static void owned_bits(void)
{
    static const struct {
        int gen, engine;
        uint32_t word, stray;
    } rows[] = {
        {75,  R, 0x00800003, 0      },
        {75,  R, 0x0080000c, 0xc    },
        {80,  R, 0x0080000f, 0      },
        {80,  R, 0x00800030, 0x30   },
        {125, R, 0x00800030, 0      },
        {30,  R, 0x0181ffff, 0x8001 }, /* bits 0 and 15 of MI_WAIT_FOR_EVENT */
        {60,  R, 0x018f2f2f, 0      },
        {60,  R, 0x01800010, 0x10   },
        {75,  R, 0x01f0ef2f, 0      },
        {80,  R, 0x01802020, 0x2020 },
        {90,  R, 0x01bfcfcf, 0      },
        {110, R, 0x0200773f, 0      },
        {110, R, 0x02000040, 0x40   },
        {30,  R, 0x0200001f, 0      },
        {45,  R, 0x02000020, 0      },
        {50,  R, 0x02000040, 0      },
        {120, R, 0x0280ff01, 0      },
        {90,  R, 0x02800001, 1      },
        {90,  R, 0x04000002, 2      },
        {110, R, 0x04000003, 0      },
        {90,  R, 0x05000001, 1      },
        {110, R, 0x05000001, 0      },
        {120, R, 0x05008000, 0x8000 },
        {125, R, 0x05008001, 0      },
        {80,  R, 0x060000db, 0      },
        {80,  R, 0x06000020, 0x20   },
        {80,  R, 0x0680003f, 0      },
        {80,  R, 0x070000ff, 0      },
        {80,  R, 0x048ff1ff, 0      },
        {80,  R, 0x10600003, 0      },
        {110, R, 0x110c0f01, 0x40000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmd cmd;
        use(rows[i].gen, rows[i].engine);
        gpucmd_i915_decode(&cmdset, &rows[i].word, 1, &cmd);
        if (!EQUAL(cmd.stray, rows[i].stray)) {
            printf("    %08x on gen %d\n", rows[i].word, rows[i].gen);
        }
    }
}

/* Engine, instance, first and last generation, register base. [K] */
static const struct {
    int engine;
    uint32_t instance;
    int since, until;
    uint32_t base;
} bases[] = {
    {R,   0, 20,  300, 0x2000  },
    {V,   0, 45,  50,  0x4000  },
    {V,   0, 60,  90,  0x12000 },
    {V,   0, 110, 300, 0x1c0000},
    {V,   1, 80,  90,  0x1c000 },
    {V,   1, 110, 300, 0x1c4000},
    {V,   2, 110, 300, 0x1d0000},
    {V,   3, 110, 300, 0x1d4000},
    {V,   4, 125, 300, 0x1e0000},
    {V,   5, 125, 300, 0x1e4000},
    {V,   6, 125, 300, 0x1f0000},
    {V,   7, 125, 300, 0x1f4000},
    {B,   0, 60,  300, 0x22000 },
    {E,   0, 75,  90,  0x1a000 },
    {E,   0, 110, 300, 0x1c8000},
    {E,   1, 110, 300, 0x1d8000},
    {E,   2, 125, 300, 0x1e8000},
    {E,   3, 125, 300, 0x1f8000},
    {C,   0, 125, 300, 0x1a000 },
    {C,   1, 125, 125, 0x1c000 },
    {C,   1, 200, 300, 0x1c000 },
    {C,   2, 125, 125, 0x1e000 },
    {C,   2, 200, 300, 0x1e000 },
    {C,   3, 125, 125, 0x26000 },
    {C,   3, 200, 300, 0x26000 },
    {B,   8, 200, 300, 0x3ee000},
    {GSC, 0, 127, 300, 0x11a000},
};

/* The bases, and the offsets from them. [K] */
static void registers(void)
{
    static const uint32_t offsets[][2] = {
        {0x30,  GPUCMD_I915_REG_TAIL                },
        {0x34,  GPUCMD_I915_REG_HEAD                },
        {0x38,  GPUCMD_I915_REG_START               },
        {0x3c,  GPUCMD_I915_REG_CTL                 },
        {0x40,  GPUCMD_I915_REG_SYNC_0              },
        {0x44,  GPUCMD_I915_REG_SYNC_1              },
        {0x48,  GPUCMD_I915_REG_SYNC_2              },
        {0x5c,  GPUCMD_I915_REG_ACTHD_HIGH          },
        {0x64,  GPUCMD_I915_REG_IPEIR               },
        {0x68,  GPUCMD_I915_REG_IPEHR               },
        {0x74,  GPUCMD_I915_REG_ACTHD               },
        {0x80,  GPUCMD_I915_REG_HWS_PGA             },
        {0x94,  GPUCMD_I915_REG_NOPID               },
        {0x9c,  GPUCMD_I915_REG_MI_MODE             },
        {0xc0,  GPUCMD_I915_REG_INSTPM              },
        {0xc8,  GPUCMD_I915_REG_ACTHD_G2            },
        {0x158, GPUCMD_I915_REG_BB_OFFSET           },
        {0x180, GPUCMD_I915_REG_CCID                },
        {0x24c, GPUCMD_I915_REG_SEMA_WAIT_POLL      },
        {0x350, GPUCMD_I915_REG_PS_DEPTH_COUNT      },
        {0x358, GPUCMD_I915_REG_TIMESTAMP           },
        {0x3b8, GPUCMD_I915_REG_PREDICATE_RESULT_SET},
        {0x3bc, GPUCMD_I915_REG_PREDICATE_RESULT_2  },
        {0x400, GPUCMD_I915_REG_PREDICATE_SRC0      },
        {0x408, GPUCMD_I915_REG_PREDICATE_SRC1      },
        {0x410, GPUCMD_I915_REG_PREDICATE_DATA      },
        {0x418, GPUCMD_I915_REG_PREDICATE_RESULT    },
        {0x41c, GPUCMD_I915_REG_PREDICATE_RESULT_1  },
        {0x4d0, GPUCMD_I915_REG_FORCE_TO_NONPRIV    },
        {0x600, GPUCMD_I915_REG_CS_GPR              },
    };
    for (size_t g = 0; g < GENS; g++) {
        for (int engine = 1; engine <= GSC; engine *= 2) {
            for (uint32_t instance = 0; instance < 10; instance++) {
                uint32_t want = 0, base = 0;
                for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
                    if (bases[i].engine == engine && bases[i].instance == instance &&
                        gens[g] >= bases[i].since && gens[g] <= bases[i].until) {
                        want = bases[i].base;
                    }
                }
                EQUAL(gpucmd_i915_engine_base((gpucmd_i915_gen)gens[g], (gpucmd_i915_engine)engine,
                                              instance, &base),
                      want != 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
                EQUAL(base, want);
            }
        }
    }
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        EQUAL(offsets[i][1], offsets[i][0]);
    }
    EQUAL(GPUCMD_I915_RING_TAIL_MASK, 0x001ffff8);
    EQUAL(GPUCMD_I915_RING_HEAD_MASK, 0x001ffffc);
    EQUAL(GPUCMD_I915_RING_HEAD_WRAP, 0x00200000);
    EQUAL(GPUCMD_I915_RING_CTL_VALID, 1);
    EQUAL(GPUCMD_I915_RING_CTL_SEMAPHORE, 1 << 10);
    EQUAL(GPUCMD_I915_RING_CTL_WAIT, 1 << 11);
    EQUAL(GPUCMD_I915_RING_MIN_BYTES, 4096);
    EQUAL(GPUCMD_I915_RING_MAX_BYTES, 2 << 20);
    EQUAL(GPUCMD_I915_RING_GAP_BYTES, 64);
    EQUAL(GPUCMD_I915_WINDOW_BYTES, 0x800);
}

/* The status page's register: base + 0x80, at 0x2080 more on gen6, apart on gen7. */
static void status_pages(void)
{
    static const struct {
        int gen, engine;
        uint32_t reg;
    } rows[] = {
        {40,  R, 0x02080 },
        {50,  V, 0x04080 },
        {60,  R, 0x04080 },
        {60,  V, 0x14080 },
        {60,  B, 0x24080 },
        {70,  R, 0x04080 },
        {70,  V, 0x04180 },
        {70,  B, 0x04280 },
        {75,  E, 0x04380 },
        {80,  R, 0x02080 },
        {90,  B, 0x22080 },
        {110, V, 0x1c0080},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cs cs;
        EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)rows[i].gen,
                                  (gpucmd_i915_engine)rows[i].engine, 0),
              GPUCMD_OK);
        gpucmd_i915_cs_write(&cs, rows[i].reg, 0x12345000);
        EQUAL(cs.reg[GPUCMD_I915_REG_HWS_PGA / 4], 0x12345000);
    }
}

/* Registers that a batch without privilege may write: first, last, generations, engines. [K]
 * i915_cmd_parser.c up to gen7.5 and for the copy engine of gen9, [IGT] gem_ctx_isolation */
static const struct {
    uint32_t first, last;
    int since, until, engines;
} user_regs[] = {
    {0x02290,  0x02294,  70,  75,  R        },
    {0x02300,  0x0235c,  70,  75,  R        },
    {0x02400,  0x0240c,  70,  75,  R        },
    {0x02420,  0x02420,  70,  75,  R        },
    {0x02430,  0x02440,  70,  75,  R        },
    {0x02500,  0x02508,  70,  75,  R        },
    {0x02600,  0x0267c,  75,  80,  R        },
    {0x04358,  0x0435c,  70,  75,  R | B    },
    {0x05200,  0x0521c,  70,  75,  R        },
    {0x05240,  0x0525c,  70,  75,  R        },
    {0x05280,  0x0528c,  70,  75,  R        },
    {0x0b010,  0x0b010,  70,  75,  R        },
    {0x0b020,  0x0b024,  70,  75,  R        },
    {0x0b038,  0x0b038,  75,  75,  R        },
    {0x0e49c,  0x0e49c,  75,  75,  R        },
    {0x22358,  0x2235c,  70,  75,  R | B    },
    {0x02358,  0x0235c,  70,  90,  B        },
    {0x22200,  0x22200,  70,  300, B        },
    {0x04358,  0x0435c,  90,  90,  B        },
    {0x22358,  0x2235c,  90,  90,  B        },
    {0x223a8,  0x223a8,  90,  90,  B        },
    {0x02094,  0x02094,  80,  300, R | C    },
    {0x020c0,  0x020c0,  80,  300, R | C    },
    {0x02158,  0x02158,  80,  300, R | C    },
    {0x02290,  0x02294,  80,  300, R | C    },
    {0x022c8,  0x022cc,  80,  300, R | C    },
    {0x022d8,  0x022dc,  80,  300, R | C    },
    {0x022f0,  0x022fc,  80,  300, R | C    },
    {0x02300,  0x02344,  80,  300, R | C    },
    {0x02360,  0x02364,  80,  300, R | C    },
    {0x023bc,  0x023bc,  80,  300, R | C    },
    {0x02400,  0x02420,  80,  300, R | C    },
    {0x02430,  0x02440,  80,  300, R | C    },
    {0x02448,  0x02454,  80,  300, R | C    },
    {0x02500,  0x02508,  80,  300, R | C    },
    {0x02580,  0x02580,  110, 300, R | C    },
    {0x05200,  0x0528c,  80,  300, R | C    },
    {0x07000,  0x07008,  80,  300, R | C    },
    {0x07034,  0x07034,  80,  110, R | C    },
    {0x0e400,  0x0e404,  80,  110, R | C    },
 /* Linux 6.1, intel_workarounds.c: whitelist_build of each platform */
    {0x02248,  0x02248,  90,  90,  R        },
    {0x02248,  0x02248,  125, 125, C        },
    {0x02580,  0x02580,  90,  90,  R        },
    {0x07014,  0x07014,  90,  90,  R        },
    {0x07304,  0x07304,  90,  90,  R        },
    {0x0731c,  0x0731c,  90,  110, R        },
    {0x0e18c,  0x0e18c,  110, 110, R        },
    {0x0e194,  0x0e194,  110, 110, R        },
    {0x07010,  0x07010,  120, 127, R        },
    {0x07018,  0x07018,  120, 120, R        },
 /* i915-sriov-dkms: dg2 and xelpg_whitelist_build; xe_reg_whitelist.c */
    {0x07304,  0x07304,  125, 127, R        },
    {0x0db1c,  0x0db1c,  120, 300, R | C    },
    {0x3931d0, 0x3931d0, 127, 300, V | E    },
    {0x3941d0, 0x3941d0, 127, 300, V | E    },
    {0x3949d0, 0x3949d0, 127, 300, V | E    },
    {0x023fc,  0x023fc,  200, 200, R        },
    {0x06210,  0x06210,  200, 300, R        }, /* [XEK] 2001 to 3005 */
    {0x062a8,  0x062a8,  200, 300, R        },
 /* PRM of SKL, vol 6, and of BDW, vol 6: user mode non-privileged registers */
    {0x0b118,  0x0b118,  90,  90,  R        },
    {0x02b00,  0x02b00,  90,  90,  R        },
    {0x091b8,  0x091c4,  90,  90,  R        },
    {0x12800,  0x12ffc,  90,  90,  V        },
    {0x1c800,  0x1cffc,  90,  90,  V        },
    {0x1e900,  0x1e9fc,  90,  90,  V        },
    {0x12800,  0x128fc,  80,  80,  V        },
    {0x1c800,  0x1c8fc,  80,  80,  V        },
    {0x12600,  0x1267c,  80,  80,  V        },
    {0x1c600,  0x1c67c,  80,  80,  V        },
    {0x1a600,  0x1a67c,  80,  80,  E        },
    {0x22600,  0x2267c,  80,  80,  B        },
 /* Mesa 24.3: iris_state.c, genX_init_state.c, genX_cmd_buffer.c of anv */
    {0x020d8,  0x020d8,  90,  300, R        },
    {0x0b0a4,  0x0b0a4,  110, 110, R        },
    {0x02090,  0x02090,  110, 120, R        },
    {0x06604,  0x06604,  120, 127, R        },
    {0x0b134,  0x0b134,  120, 127, R | C    },
    {0x04200,  0x04208,  120, 127, R        },
    {0x04210,  0x04218,  120, 127, V        },
    {0x04240,  0x04248,  125, 127, B        },
    {0x042c0,  0x042c8,  120, 127, R | C    },
    {0x04400,  0x04414,  120, 200, R | C | B},
    {0x04480,  0x04494,  120, 200, R | C | B},
    {0x04580,  0x04594,  120, 200, R | C | B},
    {0x0b158,  0x0b158,  125, 125, R | C    },
    {0x06208,  0x06208,  125, 125, R        },
    {0x06204,  0x06204,  125, 300, R        },
};

/* A register of these rows; or from gen9 one of the 32 words of general registers at 0x600 from the
 * base of an instance. */
static bool user_register(uint32_t reg, int gen, int engine)
{
    bool found = false;
    for (size_t i = 0; i < sizeof user_regs / sizeof user_regs[0]; i++) {
        found = found || (reg >= user_regs[i].first && reg <= user_regs[i].last &&
                          gen >= user_regs[i].since && gen <= user_regs[i].until &&
                          (engine & user_regs[i].engines) != 0);
    }
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        found = found || (gen >= 90 && engine == bases[i].engine && gen >= bases[i].since &&
                          gen <= bases[i].until && reg - bases[i].base - 0x600 < 0x80);
    }
    return found;
}

/* The registers from first - 64 to last + 64, with a value that both masked registers accept. */
static void judge(uint32_t first, uint32_t last, int gen, int engine)
{
    for (uint32_t reg = first - 64; reg <= last + 64; reg += 4) {
        if (!EQUAL(gpucmd_i915_register_allowed(&cmdset, reg, 0),
                   user_register(reg, gen, engine))) {
            printf("    %x on gen %d, engine %d\n", reg, gen, engine);
        }
    }
}

static void user_registers(void)
{
    for (size_t g = 0; g < GENS; g++) {
        for (int engine = 1; engine <= GSC; engine *= 2) {
            uint32_t base;
            if (gpucmd_i915_engine_base((gpucmd_i915_gen)gens[g], (gpucmd_i915_engine)engine, 0,
                                        &base) != GPUCMD_OK) {
                continue;
            }
            use(gens[g], engine);
            for (size_t i = 0; i < sizeof user_regs / sizeof user_regs[0]; i++) {
                judge(user_regs[i].first, user_regs[i].last, gens[g], engine);
            }
            for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
                judge(bases[i].base + 0x600, bases[i].base + 0x67c, gens[g], engine);
            }
        }
    }
    for (size_t i = 0; i < sizeof user_regs / sizeof user_regs[0]; i++) { /* every value but two */
        use(user_regs[i].until,
            user_regs[i].engines & -user_regs[i].engines); /* the first of the engines */
        EQUAL(gpucmd_i915_register_allowed(&cmdset, user_regs[i].last, 0xffffffff),
              user_regs[i].last != 0xb038 && user_regs[i].last != 0xe49c);
    }
    /* only some bits of two registers of Haswell */
    use(75, R);
    CHECK(gpucmd_i915_register_allowed(&cmdset, 0xb038, 0x08000000));
    CHECK(!gpucmd_i915_register_allowed(&cmdset, 0xb038, 0x08000001));
    CHECK(gpucmd_i915_register_allowed(&cmdset, 0xe49c, 0x00400040));
    CHECK(!gpucmd_i915_register_allowed(&cmdset, 0xe49c, 0x00400041));
    for (uint32_t reg = 0xe000; reg < 0xf000; reg += 4) { /* no other register near it */
        EQUAL(gpucmd_i915_register_allowed(&cmdset, reg, 0), reg == 0xe49c);
    }
    for (unsigned bit = 0; bit < 32; bit++) { /* [K] only bit 27; only bit 6 and its mask bit */
        EQUAL(gpucmd_i915_register_allowed(&cmdset, 0xb038, 1u << bit), bit == 27);
        EQUAL(gpucmd_i915_register_allowed(&cmdset, 0xe49c, 1u << bit), bit == 6 || bit == 22);
    }
    use(70, R);
    CHECK(!gpucmd_i915_register_allowed(&cmdset, 0xb038, 0));
    CHECK(!gpucmd_i915_register_allowed(&cmdset, 0x2600, 0));
    use(60, R); /* gen6: none */
    for (uint32_t reg = 0; reg < 0x40000; reg += 4) {
        if (gpucmd_i915_register_allowed(&cmdset, reg, 0)) {
            CHECK(reg == 0xffffffff);
        }
    }
}

/* Count events that are not about a missing right. */
static gpucmd_status count_event(void *user, const gpucmd_event *e)
{
    *(unsigned *)user += e->kind != GPUCMD_EVENT_DROP;
    return GPUCMD_OK;
}

/* The kernel's grants from gen8: slot, and which registers it opens. */
static void grants(void)
{
    static const struct {
        uint32_t slot, yes, no;
    } rows[] = {
        {0x00002050, 0x2050, 0x2054}, /* one */
        {0x00003001, 0x300c, 0x3010}, /* four */
        {0x00003042, 0x307c, 0x3080}, /* sixteen */
        {0x00003103, 0x31fc, 0x3200}, /* sixty-four */
        {0x10002050, 0,      0x2050}, /* to be read only */
        {0x20002050, 0x2050, 0x2054}, /* to be written only */
        {0x40002050, 0,      0x2050}, /* denied */
        {0x00002094, 0x2094, 0x2050}, /* an unused slot */
    };
    static uint8_t batch[4096];
    static const gpucmd_region region = {0x100000, 4096, batch, GPUCMD_ACCESS_READ};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int g = 70; g <= 90; g += 10) {
            for (uint32_t number = 0; number < 12; number += 11) {
                for (int good = 0; good < 2; good++) {
                    const uint32_t reg = good != 0 ? rows[i].yes : rows[i].no;
                    const uint32_t words_[] = {0x11000001, reg, 0x00010001, 0x05000000};
                    unsigned heard = 0;
                    gpucmd_i915_cs cs;
                    gpucmd_mem mem;
                    gpucmd_env env;
                    if (reg == 0 || (g == 70 && reg == 0x2094)) {
                        continue;
                    }
                    gpucmd_store_words(batch, words_, 4, GPUCMD_LITTLE_ENDIAN);
                    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
                    gpucmd_env_init(&env, &mem, count_event, &heard);
                    EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)g, GPUCMD_I915_RCS, 0),
                          GPUCMD_OK);
                    gpucmd_i915_cs_write(&cs, 0x24d0 + 4 * number, rows[i].slot);
                    EQUAL(gpucmd_i915_cs_batch(&cs, 0x100000, false), GPUCMD_OK);
                    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
                    /* those outside the engine's window are heard of */
                    EQUAL(reg < 0x2800 ? gpucmd_i915_cs_read(&cs, reg) & 1 : heard,
                          good != 0 && g >= 80);
                }
            }
        }
    }
}

/* MI_BATCH_BUFFER_START: generation, first word, and where the batch goes on: 1 at the address, 2 at
 * it and BB_OFFSET, 3 behind the command. */
static void starts(void)
{
    static const struct {
        int gen;
        uint32_t word, result1, where;
    } rows[] = {
        {75,  0x18800000, 0, 1},
        {75,  0x18810000, 0, 2}, /* the offset is added up to gen9 */
        {80,  0x18810001, 0, 2},
        {90,  0x18810001, 0, 2},
        {110, 0x18810001, 0, 1},
        {70,  0x18810000, 0, 1},
        {75,  0x18808000, 0, 3}, /* predicate */
        {75,  0x18808000, 1, 1},
        {90,  0x18808001, 0, 3},
        {90,  0x18808001, 1, 1},
        {120, 0x18808001, 0, 3},
        {120, 0x18808001, 1, 1},
        {125, 0x18808001, 0, 1}, /* looks at another register, which is 0 */
        {70,  0x18808000, 0, 1},
        {120, 0x18a00001, 0, 3}, /* a start for the position-only engine */
        {120, 0x18900001, 0, 1},
        {125, 0x18a00001, 0, 1},
    };
    static uint8_t batch[4096];
    static const gpucmd_region region = {0x100000, 4096, batch, GPUCMD_ACCESS_READ};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cs cs;
        gpucmd_mem mem;
        gpucmd_env env;
        const uint32_t behind = rows[i].gen >= 80 ? 12 : 8;
        memset(batch, 0, sizeof batch);
        gpucmd_store32(batch, rows[i].word, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(batch + 4, 0x100100, GPUCMD_LITTLE_ENDIAN);
        for (uint32_t k = 1; k <= 3; k++) { /* MI_NOOP with number k, and END */
            const uint32_t at = k == 1 ? 0x100 : k == 2 ? 0x180 : behind;
            gpucmd_store32(batch + at, 0x00400000 | k, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store32(batch + at + 4, 0x05000000, GPUCMD_LITTLE_ENDIAN);
        }
        EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)rows[i].gen, GPUCMD_I915_RCS, 0),
              GPUCMD_OK);
        gpucmd_i915_cs_write(&cs, 0x2158, 0x80);
        gpucmd_i915_cs_write(&cs, 0x241c, rows[i].result1);
        EQUAL(gpucmd_i915_cs_batch(&cs, 0x100000, true), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        if (!EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), rows[i].where)) {
            printf("    %08x on gen %d\n", rows[i].word, rows[i].gen);
        }
    }
}

static gpucmd_status count_privileged(void *user, const gpucmd_i915_finding *f)
{
    *(unsigned *)user += f->rule == GPUCMD_I915_RULE_PRIVILEGED;
    return GPUCMD_OK;
}

/* Commands that a batch without privilege loses whole: what the caller hears of them, and whether
 * the checker warns. Secure batches do run them. [K] [MD] */
static void lost_commands(void)
{
    static const struct {
        int gen, engine;
        bool lost;
        unsigned heard; /* by the caller, in a secure batch */
        uint32_t n, words[5];
    } rows[] = {
        {90, R, true,  0, 1, {0x04000000}             }, /* ARB_ON_OFF */
        {80, R, true,  1, 3, {0x0a000001, 0, 0}       }, /* DISPLAY_FLIP */
        {70, B, true,  1, 3, {0x0a000001, 0, 0}       },
        {80, R, true,  1, 2, {0x0c000000, 0x200000}   }, /* SET_CONTEXT */
        {80, B, true,  1, 3, {0x11800001, 0, 0}       }, /* UPDATE_GTT */
        {80, R, true,  0, 3, {0x10800001, 0xc0, 1}    }, /* STORE_DATA_INDEX */
        {80, R, true,  0, 1, {0x05800001}             }, /* SUSPEND_FLUSH */
        {80, R, true,  1, 1, {0x01800008}             }, /* WAIT_FOR_EVENT */
        {60, R, true,  0, 3, {0x10800001, 0xc0, 1}    }, /* on gen6 too, and nothing else [OUR] */
        {60, R, false, 1, 1, {0x01000000}             },
        {70, R, true,  1, 1, {0x01000000}             }, /* USER_INTERRUPT, before gen8 */
        {80, R, false, 1, 1, {0x01000000}             },
        {70, R, true,  0, 3, {0x0b600001, 1, 0x200010}}, /* SEMAPHORE_MBOX */
        {80, R, true,  1, 2, {0x09000000, 0}          }, /* LOAD_SCAN_LINES_* */
        {80, R, true,  1, 2, {0x09800000, 0}          },
        {70, R, false, 0, 1, {0x00400001}             }, /* NOOP */
        {70, R, false, 0, 1, {0x02000000}             }, /* FLUSH */
        {80, R, false, 0, 1, {0x02800000}             }, /* ARB_CHECK */
        {80, R, false, 0, 1, {0x03800000}             }, /* REPORT_HEAD */
        {80, R, false, 0, 1, {0x06000082}             }, /* PREDICATE */
        {80, R, false, 0, 1, {0x00800000}             }, /* SET_PREDICATE */
        {80, R, false, 0, 2, {0x0d000000, 0}          }, /* MATH */
        {80, R, false, 1, 1, {0x06800004}             }, /* TOPOLOGY_FILTER */
        {80, R, false, 1, 1, {0x07000001}             }, /* SET_APPID */
        {80, R, false, 1, 3, {0x61020001, 0, 0}       }, /* 3D */
    };
    static uint8_t batch[4096], data[4096], hws[4096];
    static const gpucmd_region regions[] = {
        {0x100000, 4096, batch, GPUCMD_ACCESS_READ                      },
        {0x200000, 4096, data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {0x300000, 4096, hws,   GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int secure = 0; secure < 2; secure++) {
            unsigned heard = 0;
            size_t errors;
            gpucmd_i915_cs cs;
            gpucmd_mem mem;
            gpucmd_env env;
            unsigned findings = 0;
            gpucmd_i915_check_options options = {
                count_privileged, NULL, 0, false, false, false, false};
            memset(hws, 0, sizeof hws);
            memset(data, 0, sizeof data);
            use(rows[i].gen, rows[i].engine);
            options.secure = secure != 0;
            options.user = &findings;
            gpucmd_store_words(batch, rows[i].words, rows[i].n, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store32(batch + 4 * rows[i].n, 0x05000000, GPUCMD_LITTLE_ENDIAN);
            EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
            gpucmd_env_init(&env, &mem, count_event, &heard);
            EQUAL(gpucmd_i915_cs_init(&cs, cmdset.gen, cmdset.engine, 0), GPUCMD_OK);
            cs.reg[GPUCMD_I915_REG_HWS_PGA / 4] = 0x300000;
            gpucmd_i915_cs_write(&cs, 0x4080, 0x300000); /* where gen6 and gen7 look */
            EQUAL(gpucmd_i915_cs_batch(&cs, 0x100000, secure != 0), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
            if (!EQUAL(heard, rows[i].lost && secure == 0 ? 0 : rows[i].heard)) {
                printf("    %08x\n", rows[i].words[0]);
            }
            EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN),
                  rows[i].words[0] == 0x10800001 && secure != 0);
            EQUAL(gpucmd_load32(data + 0x10, GPUCMD_LITTLE_ENDIAN),
                  rows[i].words[0] == 0x0b600001 && secure != 0);
            EQUAL(cs.reg[GPUCMD_I915_REG_CCID / 4],
                  rows[i].words[0] == 0x0c000000 && secure != 0 ? 0x200000 : 0);
            EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].n, &options, &errors),
                  GPUCMD_OK);
            EQUAL(findings, rows[i].lost && secure == 0);
        }
    }
}

/* Sequences of the kernel, run from a ring: generation, engine, words; then a place of the data page
 * at 0x200000 or a register of the engine's window, and what is there afterwards. The status page
 * is at 0x300000. [K] [K4] */
static void sequences(void)
{
    enum { D = 0x200000, H = 0x300000, REG = 1 };
    static const struct {
        int gen, engine;
        uint32_t n, words[18];
        uint32_t at[2], want[2]; /* an offset from the base: | REG */
        unsigned interrupts;
    } rows[] = {
        {40,
         R,      4,
         {0x02000000, 0x10800001, 0xc0, 100},
         {H + 0xc0},
         {100},
         0                                                                                               }, /* seqno of gen2 to 4 */
        {60,  V, 4,  {0x13204001, 0xc0 | 4, 100, 0x01000000},                     {H + 0xc0},   {100},  1},
        {70,  R, 6,  {0x7a000002, 0x011050a1, D, 100, 0x01000000, 0},             {D},          {100},  1},
        {60,
         R,      14,
         {0x7a000002, 0x00100002, 0, 0, 0x7a000002, 0x00004000, (D + 64) | 4, 0, 0x7a000002,
          0x00105021, D | 4, 100, 0x01000000, 0},
         {D, D + 64},
         {100, 0},
         1                                                                                               },
        {60,
         R,      6,
         {0x11000001, 0x2044, 100, 0x11000001, 0x2040, 101},
         {0x44 | REG, 0x40 | REG},
         {100, 101},
         0                                                                                               },
        {60,  B, 4,  {0x11000001, 0x22040, 100, 0},                               {0x40 | REG}, {100},  0},
        {60,
         B,      8,
         {0x11000001, 0x22040, 100, 0x0b140001, 99, 0, 0x00400007, 0},
         {0x94 | REG},
         {7},
         0                                                                                               },
        {70,
         R,      12, /* page directory: two stores, one read back, INSTPM */
         {0x11000001, 0x2220, 0xffffffff, 0x11000001, 0x2228, 0x1000, 0x12400001, 0x2228, D,
          0x11000001, 0x20c0, 0x02000200},
         {D, 0xc0 | REG},
         {0x1000, 0x200},
         0                                                                                               },
        {70,
         R,      6,
         {0x04000000, 0x00000000, 0x0c000000, D | 0x10c, 0x00000000, 0x04000001},
         {0x180 | REG},
         {D | 0x10c},
         0                                                                                               },
        {80,
         R,      8,
         {0x7a000004, 0x01004080, D + 8, 0, 100, 0, 0x0d810000, 0},
         {D + 8},
         {100},
         0                                                                                               }, /* signal */
        {80,  B, 6,  {0x13004002, (D + 8) | 4, 0, 100, 0x0d800000, 0},            {D + 8},      {100},  0},
        {80,  B, 8,  {0x10000002, D, 0, 100, 0x0e409002, 100, D, 0},              {D},          {100},  0}, /* wait */
        {120,
         R,      10,
         {0x0e40c003, 0, D, 0, 0, 0x00400009, 0x02800101, 0x02800100, 0, 0},
         {0x94 | REG},
         {9},
         0                                                                                               },
        {75,
         R,      14, /* GPR2 = GPR0 + GPR1 */
         {0x11000003, 0x2600, 7, 0x2608, 9, 0x0d000003, 0x08008000, 0x08008401, 0x10000000,
          0x18000831, 0, 0, 0, 0},
         {0x610 | REG, 0x614 | REG},
         {16, 0},
         0                                                                                               },
        {75,
         R,      14, /* GPR4 = GPR0 < GPR1 */
         {0x11000003, 0x2600, 7, 0x2608, 9, 0x0d000003, 0x08008000, 0x08008401, 0x10100000,
          0x18001033, 0, 0, 0, 0},
         {0x620 | REG, 0x624 | REG},
         {0xffffffff, 0xffffffff},
         0                                                                                               },
        {80,
         R,      10,
         {0x10000002, D, 0, 0x55, 0x10200003, D + 8, 0, 0x55, 0x66, 0},
         {D, D + 12},
         {0x55, 0x66},
         0                                                                                               },
        {75,  R, 4,  {0x15800002, 0, D, 0x77},                                    {D},          {0x77}, 0}, /* RS_STORE_DATA_IMM */
        {80,  R, 4,  {0x15800002, D, 0, 0x77},                                    {D},          {0x77}, 0},
        {60,  R, 4,  {0x10000002, 0, D, 0x55},                                    {D},          {0x55}, 0},
        {80,
         R,      16,
         {0x10000002, D, 0, 37, 0x17840709, D, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0},
         {D},
         {42},
         0                                                                                               },
        {80,
         B,      8,
         {0x54300005, 0x03f01000, 0, 0x00010400, D, 0, 0xc0ffee, 0},
         {D, D + 0xffc},
         {0xc0ffee, 0xc0ffee},
         0                                                                                               },
        {70,
         B,      6,
         {0x54300004, 0x03f01000, 0, 0x00010400, D, 0xc0ffee},
         {D, D + 0xffc},
         {0xc0ffee, 0xc0ffee},
         0                                                                                               },
        {80,
         B,      18, /* copy of a page of one row */
         {0x54300005, 0x03f01000, 0, 0x00010200, D, 0, 0xc0ffee, 0x54f00008, 0x03cc1000, 0,
          0x00010200, D + 0x800, 0, 0, 0x1000, D, 0, 0},
         {D + 0x800, D + 0xffc},
         {0xc0ffee, 0xc0ffee},
         0                                                                                               },
    };
    static uint8_t ring[4096], data[4096], hws[4096];
    static const gpucmd_region regions[] = {
        {0x100000, 4096, ring, GPUCMD_ACCESS_READ                      },
        {0x200000, 4096, data, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {0x300000, 4096, hws,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cs cs;
        gpucmd_mem mem;
        gpucmd_env env;
        memset(ring, 0, sizeof ring);
        memset(data, 0, sizeof data);
        memset(hws, 0, sizeof hws);
        gpucmd_store_words(ring, rows[i].words, rows[i].n, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)rows[i].gen,
                                  (gpucmd_i915_engine)rows[i].engine, 0),
              GPUCMD_OK);
        cs.reg[GPUCMD_I915_REG_HWS_PGA / 4] = H;
        gpucmd_i915_cs_write(&cs, cs.base + 0x38, 0x100000);
        gpucmd_i915_cs_write(&cs, cs.base + 0x3c, 1);
        EQUAL(rows[i].n % 2, 0); /* TAIL counts qwords */
        gpucmd_i915_cs_write(&cs, cs.base + 0x30, 4 * rows[i].n);
        if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE)) {
            printf("    row %u, %s at %x\n", (unsigned)i, gpucmd_i915_error_name(cs.error),
                   cs.head);
        }
        EQUAL(cs.head, 4 * rows[i].n);
        EQUAL(cs.interrupts, rows[i].interrupts);
        for (int k = 0; k < 2 && rows[i].at[k] != 0; k++) {
            const uint32_t at = rows[i].at[k];
            EQUAL((at & REG) != 0 ? gpucmd_i915_cs_read(&cs, cs.base + (at & ~3u))
                  : at >= H       ? gpucmd_load32(hws + (at - H), GPUCMD_LITTLE_ENDIAN)
                                  : gpucmd_load32(data + (at - D), GPUCMD_LITTLE_ENDIAN),
                  rows[i].want[k]);
        }
    }
}

/* execbuffer2: numbers of the ioctls, offsets, flags. [UAPI] */
static void interface(void)
{
    static const uint32_t ioctls[][2] = {
        {0x40406469, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2   },
        {0xc0406469, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR},
        {0xc010645b, GPUCMD_DRM_IOCTL_I915_GEM_CREATE        },
        {0x4020645d, GPUCMD_DRM_IOCTL_I915_GEM_PWRITE        },
        {0x4020645c, GPUCMD_DRM_IOCTL_I915_GEM_PREAD         },
        {0xc010646c, GPUCMD_DRM_IOCTL_I915_GEM_WAIT          },
        {0xc0086457, GPUCMD_DRM_IOCTL_I915_GEM_BUSY          },
        {0x400c645f, GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN    },
        {0x40086409, GPUCMD_DRM_IOCTL_GEM_CLOSE              },
        {0xc0106446, GPUCMD_DRM_IOCTL_I915_GETPARAM          },
    };
#define AT(type, member) offsetof(struct gpucmd_drm_i915_gem_##type, member)
    static const size_t offsets[][2] = {
        {0,                    AT(exec_object2,                  handle)},
        {4,                    AT(exec_object2,                                                    relocation_count)},
        {8,   AT(exec_object2,relocs_ptr)},
        {16,   AT(exec_object2,                                         alignment)},
        {24,                   AT(exec_object2,                                  offset)},
        {32,                    AT(exec_object2,                                                   flags)},
        {40,             AT(exec_object2,            rsvd1)},
        {48,AT(exec_object2,rsvd2)},
        {0,                   AT(relocation_entry,                        target_handle)},
        {4,                    AT(relocation_entry,                                                   delta)},
        {8,              AT(relocation_entry,                                                                                     offset)},
        {16,AT(relocation_entry,presumed_offset)},
        {24,                    AT(relocation_entry,              read_domains)},
        {28,                    AT(relocation_entry,                                                    write_domain)},
        {0,             AT(execbuffer2,buffers_ptr)},
        {8,                   AT(execbuffer2,                                                          buffer_count)},
        {12,                   AT(execbuffer2,             batch_start_offset)},
        {16,                    AT(execbuffer2,                                                   batch_len)},
        {20,       AT(execbuffer2,DR1)},
        {24,AT(execbuffer2,                                                      DR4)},
        {28,                    AT(execbuffer2,                    num_cliprects)},
        {32,                    AT(execbuffer2,                                                   cliprects_ptr)},
        {40, AT(execbuffer2,                     flags)},
        {48,AT(execbuffer2,rsvd1)},
        {56,                   AT(execbuffer2,                               rsvd2)},
        {0,                    AT(exec_fence,                                                   handle)},
        {4,                AT(exec_fence,flags)},
        {56,sizeof(struct gpucmd_drm_i915_gem_exec_object2)},
        {32,                   sizeof(struct gpucmd_drm_i915_gem_relocation_entry)                 },
        {64,                    sizeof(struct gpucmd_drm_i915_gem_execbuffer2)                                                  },
        {8,              sizeof(struct gpucmd_drm_i915_gem_exec_fence)                         },
    };
#undef AT
    static const uint32_t flags[][2] = {
        {0x3f,    GPUCMD_I915_EXEC_RING_MASK             },
        {0,       GPUCMD_I915_EXEC_DEFAULT               },
        {1,       GPUCMD_I915_EXEC_RENDER                },
        {2,       GPUCMD_I915_EXEC_BSD                   },
        {3,       GPUCMD_I915_EXEC_BLT                   },
        {4,       GPUCMD_I915_EXEC_VEBOX                 },
        {0xc0,    GPUCMD_I915_EXEC_CONSTANTS_MASK        },
        {1 << 8,  GPUCMD_I915_EXEC_GEN7_SOL_RESET        },
        {1 << 9,  GPUCMD_I915_EXEC_SECURE                },
        {1 << 10, GPUCMD_I915_EXEC_IS_PINNED             },
        {1 << 11, GPUCMD_I915_EXEC_NO_RELOC              },
        {1 << 12, GPUCMD_I915_EXEC_HANDLE_LUT            },
        {0x6000,  GPUCMD_I915_EXEC_BSD_MASK              },
        {1 << 15, GPUCMD_I915_EXEC_RESOURCE_STREAMER     },
        {1 << 16, GPUCMD_I915_EXEC_FENCE_IN              },
        {1 << 17, GPUCMD_I915_EXEC_FENCE_OUT             },
        {1 << 18, GPUCMD_I915_EXEC_BATCH_FIRST           },
        {1 << 19, GPUCMD_I915_EXEC_FENCE_ARRAY           },
        {1 << 20, GPUCMD_I915_EXEC_FENCE_SUBMIT          },
        {1 << 21, GPUCMD_I915_EXEC_USE_EXTENSIONS        },
        {1,       GPUCMD_EXEC_OBJECT_NEEDS_FENCE         },
        {2,       GPUCMD_EXEC_OBJECT_NEEDS_GTT           },
        {4,       GPUCMD_EXEC_OBJECT_WRITE               },
        {8,       GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS},
        {16,      GPUCMD_EXEC_OBJECT_PINNED              },
        {32,      GPUCMD_EXEC_OBJECT_PAD_TO_SIZE         },
        {64,      GPUCMD_EXEC_OBJECT_ASYNC               },
        {128,     GPUCMD_EXEC_OBJECT_CAPTURE             },
        {1,       GPUCMD_I915_GEM_DOMAIN_CPU             },
        {2,       GPUCMD_I915_GEM_DOMAIN_RENDER          },
        {4,       GPUCMD_I915_GEM_DOMAIN_SAMPLER         },
        {8,       GPUCMD_I915_GEM_DOMAIN_COMMAND         },
        {0x10,    GPUCMD_I915_GEM_DOMAIN_INSTRUCTION     },
        {0x20,    GPUCMD_I915_GEM_DOMAIN_VERTEX          },
        {0x40,    GPUCMD_I915_GEM_DOMAIN_GTT             },
    };
    for (size_t i = 0; i < sizeof ioctls / sizeof ioctls[0]; i++) {
        EQUAL(ioctls[i][1], ioctls[i][0]);
    }
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        EQUAL(offsets[i][1], offsets[i][0]);
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        EQUAL(flags[i][1], flags[i][0]);
    }
}

int main(void)
{
    words();
    counts();
    old_lengths();
    new_lengths();
    pipe_control_bits();
    owned_bits();
    registers();
    status_pages();
    user_registers();
    grants();
    starts();
    lost_commands();
    sequences();
    interface();
    return test_report("i915_facts");
}

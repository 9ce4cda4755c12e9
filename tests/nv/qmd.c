/* nv/qmd.c - members of QMDs by layout, compared with constants of NVIDIA's headers; for each rule a QMD
 * that breaks it, the nearest right one and the boundary; launches in a stream and in the executor. */
/* suite: executor */
#include "gpucmd_nv.h"

#include "test.h"

#include <stdlib.h>

#define CHIP(name) GPUCMD_NV_CHIP_##name
#define RULE(name) GPUCMD_NV_RULE_##name

enum { BASE = 0x100000, RING = BASE + 0x8000, QMD = BASE + 0x1000, SEM = BASE + 0x2000, DW = 128 };

static uint32_t dw[DW];
static uint64_t ram_qw[0x10000 / 8];
static uint8_t *const ram = (uint8_t *)ram_qw;

static struct {
    unsigned count;
    gpucmd_nv_finding last;
} found;

static gpucmd_status on_found(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found.count++;
    found.last = *finding;
    return GPUCMD_OK;
}

/* Set bits hi to lo of the QMD. */
static void put(uint32_t hi, uint32_t lo, uint32_t value)
{
    for (uint32_t bit = lo; bit <= hi; bit++) {
        const uint32_t mask = (uint32_t)1 << bit % 32;
        dw[bit / 32] = (dw[bit / 32] & ~mask) | (value >> (bit - lo) & 1) << bit % 32;
    }
}

/* ---- members ---- */

static const char *const layouts[] = {"00_06", "01_07", "02_01", "02_02", "02_03", "02_04",
                                      "03_00", "04_00", "04_01", "05_00", "05_01"};

/* Each member of the file has exactly its bits, in the first and in the second element. */
static void members(void)
{
    FILE *f = fopen("tests/data/nv_qmd.tsv", "r");
    char line[160], layout[8], name[64];
    unsigned rows = 0;
    if (!CHECK(f != NULL)) {
        return;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        unsigned hi, lo, stride, i = 0;
        uint32_t v = 5;
        if (sscanf(line, "%7s %63s %u %u %u", layout, name, &hi, &lo, &stride) != 5) {
            continue;
        }
        while (i < 11 && strcmp(layout, layouts[i]) != 0) {
            i++;
        }
        const uint32_t all = 0xffffffffu >> (31 - (hi - lo));
        for (uint32_t k = 0; k < (stride != 0 ? 2 : 1); k++) {
            memset(dw, 0, sizeof dw);
            put(hi + k * stride, lo + k * stride, 0xa5a5a5a5);
            EQUAL(gpucmd_nv_qmd_member((gpucmd_nv_qmd_layout)i, dw, name, k, &v), GPUCMD_OK);
            if (!EQUAL(v, 0xa5a5a5a5 & all)) {
                printf("    %s %s\n", layout, name);
            }
            memset(dw, 0xff, sizeof dw);
            put(hi + k * stride, lo + k * stride, 0);
            EQUAL(gpucmd_nv_qmd_member((gpucmd_nv_qmd_layout)i, dw, name, k, &v), GPUCMD_OK);
            EQUAL(v, 0);
        }
        v = 77;
        EQUAL(gpucmd_nv_qmd_member((gpucmd_nv_qmd_layout)i, dw, name, stride != 0 ? 8 : 1, &v),
              GPUCMD_RANGE);
        EQUAL(v, 77);
        rows++;
    }
    fclose(f);
    EQUAL(rows, 494);
}

static void versions(void)
{
    static const struct {
        uint32_t class_id, major, minor;
        int layout; /* -1: none */
    } rows[] = {
        {0xa0c0, 0, 6, GPUCMD_NV_QMD_00_06},
        {0xa0c0, 0, 0, GPUCMD_NV_QMD_00_06},
        {0xb1c0, 1, 7, GPUCMD_NV_QMD_01_07},
        {0xb1c0, 2, 1, -1                 },
        {0xc0c0, 2, 1, GPUCMD_NV_QMD_02_01},
        {0xc0c0, 0, 0, GPUCMD_NV_QMD_02_01},
        {0xc3c0, 2, 2, GPUCMD_NV_QMD_02_02},
        {0xc3c0, 0, 0, -1                 },
        {0xc3c0, 3, 0, -1                 },
        {0xc5c0, 2, 2, GPUCMD_NV_QMD_02_02}, /* as nouveau writes it */
        {0xc5c0, 2, 3, GPUCMD_NV_QMD_02_03},
        {0xc6c0, 2, 4, GPUCMD_NV_QMD_02_04},
        {0xc7c0, 3, 0, GPUCMD_NV_QMD_03_00},
        {0xcbc0, 4, 0, GPUCMD_NV_QMD_04_00},
        {0xcbc0, 4, 1, -1                 },
        {0xcdc0, 4, 1, GPUCMD_NV_QMD_04_01},
        {0xc7b5, 3, 0, -1                 },
        {0x90c0, 0, 6, -1                 },
    };
    gpucmd_nv_qmd_layout layout = GPUCMD_NV_QMD_LATER;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(dw, 0, sizeof dw);
        put(583, 580, rows[i].major);
        put(579, 576, rows[i].minor);
        const gpucmd_status status = gpucmd_nv_qmd_layout_of(rows[i].class_id, dw, &layout);
        EQUAL(status, rows[i].layout >= 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(layout, status == GPUCMD_OK ? (unsigned)rows[i].layout : (unsigned)layout);
    }
    memset(dw, 0, sizeof dw);
    put(471, 468, 5);
    EQUAL(gpucmd_nv_qmd_layout_of(0xcec0, dw, &layout), GPUCMD_OK);
    EQUAL(layout, GPUCMD_NV_QMD_05_00);
    put(467, 464, 1);
    EQUAL(gpucmd_nv_qmd_layout_of(0xcec0, dw, &layout), GPUCMD_OK);
    EQUAL(layout, GPUCMD_NV_QMD_05_01);
    EQUAL(gpucmd_nv_qmd_layout_of(0xcbc0, dw, &layout), GPUCMD_UNSUPPORTED);
    put(467, 464, 2);
    EQUAL(gpucmd_nv_qmd_layout_of(0xcec0, dw, &layout), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_qmd_dw(GPUCMD_NV_QMD_03_00), 64);
    EQUAL(gpucmd_nv_qmd_dw(GPUCMD_NV_QMD_04_00), 96);
    EQUAL(gpucmd_nv_qmd_dw(GPUCMD_NV_QMD_05_01), 128);
    EQUAL(gpucmd_nv_qmd_dw(GPUCMD_NV_QMD_LATER), 0);
}

/* ---- rules ---- */

/* A QMD that all rules accept: 64 threads, 32 registers, grid 1 by 1 by 1. */
static void good(gpucmd_nv_qmd_layout layout)
{
    memset(dw, 0, sizeof dw);
    switch (layout) {
    case GPUCMD_NV_QMD_00_06:
    case GPUCMD_NV_QMD_02_01:
    case GPUCMD_NV_QMD_02_02:
    case GPUCMD_NV_QMD_03_00: {
        const bool fourth = layout == GPUCMD_NV_QMD_00_06;
        const bool v = layout >= GPUCMD_NV_QMD_02_02;
        put(583, 576,
            layout == GPUCMD_NV_QMD_03_00   ? 0x30
            : layout == GPUCMD_NV_QMD_02_02 ? 0x22
            : layout == GPUCMD_NV_QMD_02_01 ? 0x21
                                            : 0x06);
        put(607, 592, 64);
        put(623, 608, 1);
        put(639, 624, 1);
        put(415, 384, 1);
        put(431, 416, 1);
        put(fourth ? 447 : 463, fourth ? 432 : 448, 1);
        put(v ? 656 : fourth ? 1503 : 991, v ? 648 : fourth ? 1496 : 984, 32);
        break;
    }
    case GPUCMD_NV_QMD_04_00:
        put(583, 576, 0x40);
        put(25, 23, 2);
        put(1167, 1152, 64);
        put(1183, 1168, 1);
        put(1199, 1184, 1);
        put(1055, 1024, 1);
        put(1071, 1056, 1);
        put(1103, 1088, 1);
        put(1208, 1200, 32);
        break;
    case GPUCMD_NV_QMD_05_00:
        put(471, 464, 0x50);
        put(153, 151, 2);
        put(1103, 1088, 64);
        put(1119, 1104, 1);
        put(1127, 1120, 1);
        put(1279, 1248, 1);
        put(1295, 1280, 1);
        put(1327, 1312, 1);
        put(1136, 1128, 32);
        break;
    case GPUCMD_NV_QMD_05_01: /* two sub-tasks */
        put(471, 464, 0x51);
        put(153, 151, 2);
        put(157, 154, 2);
        for (uint32_t at = 0; at < 2 * 416; at += 416) {
            put(at + 847, at + 832, 64);
            put(at + 863, at + 848, 1);
            put(at + 871, at + 864, 1);
            put(at + 880, at + 872, 32);
            put(at + 1151, at + 1120, 1);
            put(at + 1167, at + 1152, 1);
            put(at + 1183, at + 1168, 1);
        }
        break;
    case GPUCMD_NV_QMD_01_07:
    case GPUCMD_NV_QMD_02_03:
    case GPUCMD_NV_QMD_02_04:
    case GPUCMD_NV_QMD_04_01:
    case GPUCMD_NV_QMD_LATER: break;
    }
}

static const struct {
    gpucmd_nv_qmd_layout layout;
    uint32_t class_id;
    gpucmd_nv_chip chip;
} kinds[] = {
    {GPUCMD_NV_QMD_00_06, 0xa0c0, CHIP(GK104)},
    {GPUCMD_NV_QMD_02_01, 0xc0c0, CHIP(GP100)},
    {GPUCMD_NV_QMD_02_02, 0xc3c0, CHIP(GV100)},
    {GPUCMD_NV_QMD_03_00, 0xc7c0, CHIP(GA102)},
    {GPUCMD_NV_QMD_04_00, 0xcbc0, CHIP(GH100)},
    {GPUCMD_NV_QMD_05_00, 0xcec0, CHIP(GB202)},
    {GPUCMD_NV_QMD_05_01, 0xcec0, CHIP(GB202)},
};

/* Check dw; expect one finding of the rule with member, value and limit, or, if rule is -1, none. */
static void expect(size_t kind, int rule, const char *member, uint64_t value, uint64_t limit,
                   int line)
{
    gpucmd_nv_check_options options;
    size_t errors = 9;
    memset(&options, 0, sizeof options);
    memset(&found, 0, sizeof found);
    options.found = on_found;
    options.va = QMD;
    test_equal(
        gpucmd_nv_check_qmd(kinds[kind].chip, kinds[kind].class_id, dw, DW, &options, &errors),
        GPUCMD_OK, __FILE__, line, "check");
    test_equal(found.count, rule >= 0, __FILE__, line, "findings");
    if (rule >= 0) {
        test_equal(found.last.rule, (unsigned)rule, __FILE__, line, "rule");
        test_check(found.last.member != NULL && strcmp(found.last.member, member) == 0, __FILE__,
                   line, member);
        test_equal(found.last.value, value, __FILE__, line, "value");
        test_equal(found.last.limit, limit, __FILE__, line, "limit");
        test_equal(found.last.at_va, QMD, __FILE__, line, "at_va");
    }
    test_equal(errors, rule >= 0 && rule != RULE(QMD_GRID), __FILE__, line, "errors");
}

#define EXPECT(kind, rule, member, value, limit) expect(kind, rule, member, value, limit, __LINE__)
#define RIGHT(kind)                              expect(kind, -1, NULL, 0, 0, __LINE__)

/* A member of each layout with a value, and what must come. Values at and after each border. */
static void rules(void)
{
    static const struct {
        size_t kind;
        uint32_t hi, lo, value;
        int rule;
        const char *member;
        uint32_t limit;
    } rows[] = {
  /* THREADS: 1 to 1024, 1 to 1024, 1 to 64 */
        {0, 607,  592,  0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION0",         1      },
        {0, 607,  592,  1,       -1,                  NULL,                            0      },
        {0, 623,  608,  0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION1",         1      },
        {0, 623,  608,  16,      -1,                  NULL,                            0      },
        {3, 639,  624,  0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION2",         1      },
        {3, 639,  624,  16,      -1,                  NULL,                            0      },
        {4, 1199, 1184, 0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION2",         1      },
        {5, 1103, 1088, 0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION0",         1      },
        {5, 1103, 1088, 1024,    -1,                  NULL,                            0      },
 /* REGISTERS: 1 to 255 or 256 */
        {0, 1503, 1496, 0,       RULE(QMD_REGISTERS), "REGISTER_COUNT",                1      },
        {0, 1503, 1496, 1,       -1,                  NULL,                            0      },
        {0, 1503, 1496, 255,     -1,                  NULL,                            0      },
        {1, 991,  984,  0,       RULE(QMD_REGISTERS), "REGISTER_COUNT",                1      },
        {2, 656,  648,  0,       RULE(QMD_REGISTERS), "REGISTER_COUNT_V",              1      },
        {2, 656,  648,  256,     -1,                  NULL,                            0      },
        {2, 656,  648,  257,     RULE(QMD_REGISTERS), "REGISTER_COUNT_V",              256    },
        {4, 1208, 1200, 257,     RULE(QMD_REGISTERS), "REGISTER_COUNT",                256    },
        {5, 1136, 1128, 256,     -1,                  NULL,                            0      },
 /* BARRIERS: 0 to 16 */
        {0, 1471, 1467, 16,      -1,                  NULL,                            0      },
        {0, 1471, 1467, 17,      RULE(QMD_BARRIERS),  "BARRIER_COUNT",                 16     },
        {5, 1141, 1137, 17,      RULE(QMD_BARRIERS),  "BARRIER_COUNT",                 16     },
 /* SHARED: multiples of 256, since 03_00 of 128; what the chip has */
        {0, 561,  544,  0x100,   -1,                  NULL,                            0      },
        {0, 561,  544,  0x180,   RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            256    },
        {3, 561,  544,  0x180,   -1,                  NULL,                            0      },
        {3, 561,  544,  0x1c0,   RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            128    },
        {0, 561,  544,  0xc000,  -1,                  NULL,                            0      },
        {0, 561,  544,  0xc100,  RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            0xc000 },
        {2, 561,  544,  0x18000, -1,                  NULL,                            0      },
        {2, 561,  544,  0x18100, RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            0x18000},
        {3, 561,  544,  0x19000, -1,                  NULL,                            0      },
        {3, 561,  544,  0x19080, RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            0x19000},
        {4, 601,  584,  0x39000, -1,                  NULL,                            0      },
        {4, 601,  584,  0x39080, RULE(QMD_SHARED),    "SHARED_MEMORY_SIZE",            0x39000},
 /* LOCAL: multiples of 16 */
        {0, 1463, 1440, 0x10,    -1,                  NULL,                            0      },
        {0, 1463, 1440, 0x18,    RULE(QMD_LOCAL),     "SHADER_LOCAL_MEMORY_LOW_SIZE",  16     },
        {3, 1623, 1600, 0x10,    -1,                  NULL,                            0      },
        {3, 1623, 1600, 0x08,    RULE(QMD_LOCAL),     "SHADER_LOCAL_MEMORY_HIGH_SIZE", 16     },
 /* PROGRAM: instructions of 8 bytes, since 02_02 of 16 bytes */
        {0, 287,  256,  8,       -1,                  NULL,                            0      },
        {0, 287,  256,  4,       RULE(QMD_PROGRAM),   "PROGRAM_OFFSET",                8      },
        {2, 1567, 1536, 16,      -1,                  NULL,                            0      },
        {2, 1567, 1536, 8,       RULE(QMD_PROGRAM),   "PROGRAM_ADDRESS_LOWER",         16     },
        {4, 1247, 1216, 8,       RULE(QMD_PROGRAM),   "PROGRAM_ADDRESS_LOWER",         16     },
 /* GRID: not 0 */
        {0, 415,  384,  0,       RULE(QMD_GRID),      "CTA_RASTER_WIDTH",              1      },
        {3, 431,  416,  0,       RULE(QMD_GRID),      "CTA_RASTER_HEIGHT",             1      },
        {1, 463,  448,  0,       RULE(QMD_GRID),      "CTA_RASTER_DEPTH",              1      },
        {4, 1055, 1024, 0,       RULE(QMD_GRID),      "GRID_WIDTH",                    1      },
        {5, 1295, 1280, 0,       RULE(QMD_GRID),      "GRID_HEIGHT",                   1      },
        {5, 1327, 1312, 0,       RULE(QMD_GRID),      "GRID_DEPTH",                    1      },
 /* sub-tasks 0 and 1 of 05_01, bits of the second 416 after those of the first */
        {6, 847,  832,  0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION0",         1      },
        {6, 1263, 1248, 0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION0",         1      },
        {6, 1263, 1248, 1024,    -1,                  NULL,                            0      },
        {6, 1287, 1280, 0,       RULE(QMD_THREADS),   "CTA_THREAD_DIMENSION2",         1      },
        {6, 1296, 1288, 256,     -1,                  NULL,                            0      },
        {6, 1296, 1288, 257,     RULE(QMD_REGISTERS), "REGISTER_COUNT",                256    },
        {6, 885,  881,  17,      RULE(QMD_BARRIERS),  "BARRIER_COUNT",                 16     },
        {6, 1301, 1297, 16,      -1,                  NULL,                            0      },
        {6, 1301, 1297, 17,      RULE(QMD_BARRIERS),  "BARRIER_COUNT",                 16     },
        {6, 1567, 1536, 0,       RULE(QMD_GRID),      "GRID_WIDTH",                    1      },
        {6, 1599, 1584, 0,       RULE(QMD_GRID),      "GRID_DEPTH",                    1      },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        good(kinds[i].layout);
        RIGHT(i);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good(kinds[rows[i].kind].layout);
        put(rows[i].hi, rows[i].lo, rows[i].value);
        expect(rows[i].kind, rows[i].rule, rows[i].member, rows[i].value, rows[i].limit,
               (int)i + 1000);
    }
}

/* The shared memory that each chip has, and 256 bytes more. [NVK] */
static void shared_of_chips(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t class_id;
        gpucmd_nv_qmd_layout layout;
        uint32_t bytes;
    } rows[] = {
        {CHIP(TU102), 0xc5c0, GPUCMD_NV_QMD_02_02, 64 * 1024 },
        {CHIP(TU117), 0xc5c0, GPUCMD_NV_QMD_02_02, 64 * 1024 },
        {CHIP(GA100), 0xc6c0, GPUCMD_NV_QMD_03_00, 164 * 1024},
        {CHIP(GA102), 0xc7c0, GPUCMD_NV_QMD_03_00, 100 * 1024},
        {CHIP(GA10B), 0xc7c0, GPUCMD_NV_QMD_03_00, 164 * 1024},
        {CHIP(AD102), 0xc9c0, GPUCMD_NV_QMD_03_00, 100 * 1024},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t errors = 9;
        good(rows[i].layout);
        put(561, 544, rows[i].bytes);
        EQUAL(gpucmd_nv_check_qmd(rows[i].chip, rows[i].class_id, dw, DW, NULL, &errors),
              GPUCMD_OK);
        EQUAL(errors, 0);
        put(561, 544, rows[i].bytes + 256);
        EQUAL(gpucmd_nv_check_qmd(rows[i].chip, rows[i].class_id, dw, DW, NULL, &errors),
              GPUCMD_OK);
        EQUAL(errors, 1);
    }
}

/* Rules of several members. */
static void combined(void)
{
    /* 1024 threads; 1024 by 2 and 32 by 33 are more */
    good(GPUCMD_NV_QMD_03_00);
    put(607, 592, 1024);
    RIGHT(3);
    put(623, 608, 2);
    EXPECT(3, RULE(QMD_THREADS), "CTA_THREAD_DIMENSION0", 2048, 1024);
    put(607, 592, 32);
    put(623, 608, 32);
    RIGHT(3);
    put(623, 608, 33);
    EXPECT(3, RULE(QMD_THREADS), "CTA_THREAD_DIMENSION0", 1056, 1024);
    put(607, 592, 1025); /* a dimension alone: two findings, as the product is too large, too */
    put(623, 608, 1);
    memset(&found, 0, sizeof found);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GA102), 0xc7c0, dw, DW, NULL, NULL), GPUCMD_OK);
    /* 64 registers of 1024 threads are 65536; 65 are allocated as 72 */
    good(GPUCMD_NV_QMD_03_00);
    put(607, 592, 1024);
    put(656, 648, 64);
    RIGHT(3);
    put(656, 648, 65);
    EXPECT(3, RULE(QMD_REGISTERS), "REGISTER_COUNT_V", 72 * 1024, 0x10000);
    put(607, 592, 897); /* whole warps: 928 threads */
    EXPECT(3, RULE(QMD_REGISTERS), "REGISTER_COUNT_V", 72 * 928, 0x10000);
    put(607, 592, 896);
    RIGHT(3);
    /* L1_CONFIGURATION 1: 16 KiB, 3: 48 KiB; 0: not told */
    good(GPUCMD_NV_QMD_00_06);
    put(561, 544, 0x4100);
    RIGHT(0);
    put(671, 669, 1);
    EXPECT(0, RULE(QMD_CONFIG), "L1_CONFIGURATION", 0x4100, 0x4000);
    put(561, 544, 0x4000);
    RIGHT(0);
    put(561, 544, 0xc000);
    put(671, 669, 3);
    RIGHT(0);
    /* MAX_SM_CONFIG_SHARED_MEM_SIZE: KiB / 4 + 1; 3 is 8 KiB */
    good(GPUCMD_NV_QMD_02_02);
    put(575, 569, 3);
    put(561, 544, 0x2000);
    RIGHT(2);
    put(561, 544, 0x2100);
    EXPECT(2, RULE(QMD_CONFIG), "MAX_SM_CONFIG_SHARED_MEM_SIZE", 0x2100, 0x2000);
    good(GPUCMD_NV_QMD_05_00); /* in units of 128 bytes; GB202 has 100 KiB */
    put(1162, 1152, 800);
    RIGHT(5);
    put(1162, 1152, 801);
    EXPECT(5, RULE(QMD_SHARED), "SHARED_MEMORY_SIZE_SHIFTED7", 801 * 128, 0x19000);
    /* a third sub-task is not there; of 8, the others are empty; 9 do not exist */
    good(GPUCMD_NV_QMD_05_01);
    put(847 + 832, 832 + 832, 2000);
    RIGHT(6);
    put(157, 154, 9);
    memset(&found, 0, sizeof found);
    {
        gpucmd_nv_check_options options;
        size_t errors = 0;
        memset(&options, 0, sizeof options);
        options.found = on_found;
        EQUAL(gpucmd_nv_check_qmd(CHIP(GB202), 0xcec0, dw, DW, &options, &errors), GPUCMD_OK);
        CHECK(errors > 1); /* the number, and members of the 6 that are empty */
        for (uint32_t i = 2; i < 8; i++) {
            const uint32_t at = i * 416;
            put(at + 847, at + 832, 1);
            put(at + 863, at + 848, 1);
            put(at + 871, at + 864, 1);
            put(at + 880, at + 872, 1);
            put(at + 1151, at + 1120, 1);
            put(at + 1167, at + 1152, 1);
            put(at + 1183, at + 1168, 1);
        }
    }
    EXPECT(6, RULE(QMD_TASKS), "NUM_SUB_TASKS_PER_TASK", 9, 8);
    put(157, 154, 8);
    RIGHT(6);
    put(847 + 7 * 416, 832 + 7 * 416, 1025);
    put(157, 154, 7);
    RIGHT(6);
    put(157, 154, 0); /* taken as one */
    put(847, 832, 0);
    EXPECT(6, RULE(QMD_THREADS), "CTA_THREAD_DIMENSION0", 0, 1);
    /* sub-task 1: shared memory in units of 128 bytes, configuration, threads by dimensions */
    good(GPUCMD_NV_QMD_05_01);
    put(906 + 416, 896 + 416, 800);
    RIGHT(6);
    put(906 + 416, 896 + 416, 801);
    EXPECT(6, RULE(QMD_SHARED), "SHARED_MEMORY_SIZE_SHIFTED7", 801 * 128, 0x19000);
    put(906 + 416, 896 + 416, 65);
    put(918 + 416, 913 + 416, 3);
    EXPECT(6, RULE(QMD_CONFIG), "MAX_SM_CONFIG_SHARED_MEM_SIZE", 65 * 128, 0x2000);
    put(906 + 416, 896 + 416, 64);
    RIGHT(6);
    put(863 + 416, 848 + 416, 17);
    EXPECT(6, RULE(QMD_THREADS), "CTA_THREAD_DIMENSION0", 17 * 64, 1024);
    /* banks 0 and 1 of sub-task 1: 64 KiB, if they are valid */
    good(GPUCMD_NV_QMD_05_01);
    put(1023 + 416, 1011 + 416, 0x1001);
    RIGHT(6);
    put(886 + 416, 886 + 416, 1);
    EXPECT(6, RULE(QMD_CONSTANT), "CONSTANT_BANK0_SIZE_SHIFTED4", 0x10010, 0x10000);
    put(1023 + 416, 1011 + 416, 0x1000);
    RIGHT(6);
    put(1088 + 416, 1088 + 416, 1);
    put(1087 + 416, 1075 + 416, 0x1001);
    EXPECT(6, RULE(QMD_CONSTANT), "CONSTANT_BANK1_SIZE_SHIFTED4", 0x10010, 0x10000);
    /* its one release */
    good(GPUCMD_NV_QMD_05_01);
    put(511, 480, SEM + 8);
    RIGHT(6);
    put(288, 288, 1);
    EXPECT(6, RULE(QMD_RELEASE), "RELEASE_ADDRESS", SEM + 8, 16);
    put(290, 289, 2);
    RIGHT(6);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GB202), 0xcec0, dw, 127, NULL, NULL), GPUCMD_RANGE);
    /* constant buffer 7: 64 KiB, if it is valid */
    good(GPUCMD_NV_QMD_00_06);
    put(991 + 7 * 64, 975 + 7 * 64, 0x10001);
    RIGHT(0);
    put(647, 647, 1);
    EXPECT(0, RULE(QMD_CONSTANT), "CONSTANT_BUFFER_SIZE", 0x10001, 0x10000);
    put(991 + 7 * 64, 975 + 7 * 64, 0x10000);
    RIGHT(0);
    good(GPUCMD_NV_QMD_04_00);
    put(416 + 3 * 4, 416 + 3 * 4, 1);
    put(1599 + 3 * 64, 1587 + 3 * 64, 0x1000);
    RIGHT(4);
    put(1599 + 3 * 64, 1587 + 3 * 64, 0x1001);
    EXPECT(4, RULE(QMD_CONSTANT), "CONSTANT_BUFFER_SIZE_SHIFTED4", 0x10010, 0x10000);
    /* releases: 16, 4, 8 bytes at a multiple of their size; size 3 does not exist */
    good(GPUCMD_NV_QMD_03_00);
    put(1695, 1664, SEM + 8);
    RIGHT(3);
    put(1719, 1719, 1);
    EXPECT(3, RULE(QMD_RELEASE), "RELEASE_ADDRESS", SEM + 8, 16);
    put(1727, 1726, 2);
    RIGHT(3);
    put(1695, 1664, SEM + 4);
    EXPECT(3, RULE(QMD_RELEASE), "RELEASE_ADDRESS", SEM + 4, 8);
    put(1727, 1726, 1);
    RIGHT(3);
    put(1695, 1664, SEM + 2);
    EXPECT(3, RULE(QMD_RELEASE), "RELEASE_ADDRESS", SEM + 2, 4);
    put(1727, 1726, 3);
    EXPECT(3, RULE(QMD_RELEASE), "RELEASE_STRUCTURE_SIZE", 3, 2);
    /* versions; queues, whose other members mean something else */
    good(GPUCMD_NV_QMD_03_00);
    put(583, 576, 0x31);
    EXPECT(3, RULE(QMD_VERSION), "QMD_MAJOR_VERSION", 0x31, 0);
    good(GPUCMD_NV_QMD_03_00);
    EXPECT(2, RULE(QMD_VERSION), "QMD_MAJOR_VERSION", 0x30, 0); /* Volta has no 03_00 */
    put(607, 592, 0);
    put(136, 136, 1);
    RIGHT(3);
    good(GPUCMD_NV_QMD_04_00);
    put(1167, 1152, 0);
    put(25, 23, 1);
    RIGHT(4);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GH100), 0xcbc0, dw, 95, NULL, NULL), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GH100), 0xcbc0, dw, 63, NULL, NULL), GPUCMD_RANGE);
    good(GPUCMD_NV_QMD_03_00);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GA102), 0xc7c0, dw, 64, NULL, NULL), GPUCMD_OK);
}

/* The number of the sub-task plus 1 in a finding of layout 05_01; 0 in those about the whole QMD, and
 * in other layouts. */
static void sub_tasks(void)
{
    static const struct {
        size_t kind;
        uint32_t hi, lo, value;
        int rule;
        uint32_t sub_task;
    } rows[] = {
        {6, 847,        832,        0,    RULE(QMD_THREADS),   1}, /* CTA_THREAD_DIMENSION0 */
        {6, 847 + 416,  832 + 416,  0,    RULE(QMD_THREADS),   2},
        {6, 847 + 416,  832 + 416,  1024, -1,                  0},
        {6, 863 + 416,  848 + 416,  17,   RULE(QMD_THREADS),   2}, /* 17 * 64 threads */
        {6, 880 + 416,  872 + 416,  257,  RULE(QMD_REGISTERS), 2},
        {6, 906,        896,        801,  RULE(QMD_SHARED),    1},
        {6, 906 + 416,  896 + 416,  801,  RULE(QMD_SHARED),    2},
        {6, 1151 + 416, 1120 + 416, 0,    RULE(QMD_GRID),      2},
        {6, 157,        154,        9,    RULE(QMD_TASKS),     0},
        {5, 1103,       1088,       0,    RULE(QMD_THREADS),   0}, /* layout 05_00 has none */
        {3, 639,        624,        0,    RULE(QMD_THREADS),   0},
    };
    gpucmd_nv_check_options options;
    char text[200];
    gpucmd_text t;
    memset(&options, 0, sizeof options);
    options.found = on_found;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good(kinds[rows[i].kind].layout);
        put(rows[i].hi, rows[i].lo, rows[i].value);
        if (rows[i].rule == RULE(QMD_TASKS)) { /* 8 sub-tasks: copies of the first */
            for (uint32_t k = 2; k < 8; k++) {
                memcpy(&dw[24 + 13 * k], &dw[24], 13 * sizeof dw[0]);
            }
        }
        memset(&found, 0, sizeof found);
        EQUAL(gpucmd_nv_check_qmd(kinds[rows[i].kind].chip, kinds[rows[i].kind].class_id, dw, DW,
                                  &options, NULL),
              GPUCMD_OK);
        test_equal(found.count, rows[i].rule >= 0, __FILE__, 1000 + (int)i, "findings");
        if (rows[i].rule >= 0) {
            test_equal(found.last.rule, (unsigned)rows[i].rule, __FILE__, 1000 + (int)i, "rule");
        }
        test_equal(found.last.sub_task, rows[i].sub_task, __FILE__, 1000 + (int)i, "sub_task");
    }
    good(GPUCMD_NV_QMD_05_01);
    put(1151 + 416, 1120 + 416, 0);
    EXPECT(6, RULE(QMD_GRID), "GRID_WIDTH", 0, 1);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print_finding(&t, &found.last);
    if (!CHECK(strcmp(text, "0x101000: note: QMD_GRID: the grid has no CTA: "
                            "SUB_TASK_GRID_WIDTH(1) 0x0, limit 0x1") == 0)) {
        printf("    %s\n", text);
    }
    put(1151 + 416, 1120 + 416, 1);
    put(1088, 1088, 1); /* bank 1 of sub-task 0, then its one release, which is of the QMD */
    put(1087, 1075, 0x1001);
    EXPECT(6, RULE(QMD_CONSTANT), "CONSTANT_BANK1_SIZE_SHIFTED4", 0x10010, 0x10000);
    EQUAL(found.last.sub_task, 1);
    put(1088, 1088, 0);
    put(288, 288, 1);
    put(511, 480, SEM + 8);
    EXPECT(6, RULE(QMD_RELEASE), "RELEASE_ADDRESS", SEM + 8, 16);
    EQUAL(found.last.sub_task, 0);
}

static void printed(void)
{
    char text[512];
    gpucmd_text t;
    good(GPUCMD_NV_QMD_03_00);
    put(642, 642, 1);
    put(63, 62, 2); /* bits of a queue, which have no row */
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print_qmd(&t, GPUCMD_NV_QMD_03_00, dw);
    CHECK(strstr(text, "REGISTER_COUNT_V 0x20\n") != NULL);
    CHECK(strstr(text, "CTA_THREAD_DIMENSION0 0x40\n") != NULL);
    CHECK(strstr(text, "CONSTANT_BUFFER_VALID(2) 0x1\n") != NULL);
    CHECK(strstr(text, "word 1: 0x80000000\n") != NULL);
    CHECK(strstr(text, "word 0") == NULL && strstr(text, "BARRIER") == NULL);
    uint32_t v = 0;
    good(GPUCMD_NV_QMD_05_01);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print_qmd(&t, GPUCMD_NV_QMD_05_01, dw);
    CHECK(strstr(text, "NUM_SUB_TASKS_PER_TASK 0x2\n") != NULL);
    CHECK(strstr(text, "SUB_TASK_CTA_THREAD_DIMENSION0(1) 0x40\n") != NULL);
    EQUAL(gpucmd_nv_qmd_member(GPUCMD_NV_QMD_05_01, dw, "SUB_TAS_GRID_WIDTH", 0, &v), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_qmd_member(GPUCMD_NV_QMD_05_00, dw, "SUB_TASK_GRID_WIDTH", 0, &v),
          GPUCMD_RANGE);
    good(GPUCMD_NV_QMD_03_00);
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = on_found;
    put(656, 648, 257);
    EQUAL(gpucmd_nv_check_qmd(CHIP(GA102), 0xc7c0, dw, 64, &options, NULL), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print_finding(&t, &found.last);
    CHECK(strcmp(text, "0x0: error: QMD_REGISTERS: the registers are 0 or too many for the CTA: "
                       "REGISTER_COUNT_V 0x101, limit 0x100") == 0);
}

/* ---- launches ---- */

static gpucmd_region regions[2];
static uint32_t qmd_bytes = RING - QMD; /* bytes of memory from QMD to the next region */
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_nv_channel ch;
static gpucmd_env env;
static unsigned events;

static gpucmd_status on_event(void *user, const gpucmd_event *event)
{
    (void)user;
    events += event->kind == GPUCMD_EVENT_METHODS;
    return GPUCMD_OK;
}

static uint32_t peek(uint64_t va)
{
    return gpucmd_load32(ram + (va - BASE), GPUCMD_LITTLE_ENDIAN);
}

/* Launch dw, stored at QMD, on a chip: SEND_PCAS_A, then method 0x2bc or 0x2c0 with this data. */
static void launch(size_t kind, uint32_t mthd, uint32_t data, gpucmd_event_fn event)
{
    const uint32_t words[] = {0x20012000, kinds[kind].class_id,  0x200120ad,
                              QMD >> 8,   0x20012000 | mthd / 4, data};
    const gpucmd_nv_stream stream = {words, 6, BASE};
    gpucmd_nv_check_options options;
    gpucmd_nv_gate gate;
    uint32_t entry[2] = {0, 0};
    memset(ram, 0, sizeof ram_qw);
    regions[0].va = BASE;
    regions[0].bytes = QMD + qmd_bytes - BASE;
    regions[0].host = ram;
    regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    regions[1] = regions[0];
    regions[1].va = RING;
    regions[1].bytes = BASE + sizeof ram_qw - RING;
    regions[1].host = ram + (RING - BASE);
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    gpucmd_store_words(ram, words, 6, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(ram + (QMD - BASE), dw, DW, GPUCMD_LITTLE_ENDIAN);
    memset(&options, 0, sizeof options);
    memset(&found, 0, sizeof found);
    options.found = on_found;
    options.mem = &mem;
    CHECK(gpucmd_nv_gate_init(&gate, kinds[kind].chip, true, false, GPUCMD_NV_FMT_NEW) ==
          GPUCMD_OK);
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &options, NULL) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, event, NULL);
    CHECK(gpucmd_nv_channel_init(&ch, kinds[kind].chip, &card) == GPUCMD_OK);
    ch.pbdma.gp_base = RING;
    ch.pbdma.limit2 = 4;
    CHECK(gpucmd_nv_encode_entry(entry, kinds[kind].chip, BASE, 6, 0) == GPUCMD_OK);
    gpucmd_store_words(ram + (RING - BASE), entry, 2, GPUCMD_LITTLE_ENDIAN);
    ch.pbdma.gp_put = 1;
    card.clock_ns = 0x1234;
    events = 0;
    (void)gpucmd_nv_channel_run(&ch, &env, 1000);
}

/* Both releases of the first layouts, and of 03_00 and later with 64 bits. */
static void launches(void)
{
    good(GPUCMD_NV_QMD_00_06);
    put(202, 202, 1); /* SEMAPHORE_RELEASE_ENABLE0, four words */
    put(767, 736, SEM);
    put(831, 800, 7);
    put(203, 203, 1); /* ENABLE1, one word */
    put(863, 832, SEM + 0x20);
    put(895, 895, 1);
    put(927, 896, 8);
    launch(0, 0x2bc, 3, NULL);
    EQUAL(found.count, 0);
    EQUAL(ch.puller.fault, GPUCMD_OK);
    EQUAL(peek(SEM), 7);
    EQUAL(peek(SEM + 8), 0x1234);
    EQUAL(peek(SEM + 0x20), 8);
    EQUAL(peek(SEM + 0x28), 0);
    EQUAL(ch.unexecuted, 1);   /* the grid */
    launch(0, 0x2bc, 1, NULL); /* INVALIDATE alone */
    EQUAL(peek(SEM), 0);
    launch(0, 0x2bc, 2, on_event);
    EQUAL(peek(SEM), 7);
    EQUAL(ch.unexecuted, 0);
    CHECK(events >= 1);
    good(GPUCMD_NV_QMD_03_00);
    put(1719, 1719, 1); /* RELEASE2_ENABLE, two words */
    put(1727, 1726, 2);
    put(1695, 1664, SEM + 8);
    put(1759, 1728, 9);
    put(1791, 1760, 10);
    launch(3, 0x2c0, 3, NULL);
    EQUAL(found.count, 0);
    EQUAL(peek(SEM + 8), 9);
    EQUAL(peek(SEM + 12), 10);
    EQUAL(peek(SEM), 0);
    launch(3, 0x2c0, 1, NULL); /* INVALIDATE */
    EQUAL(peek(SEM + 8), 0);
    launch(3, 0x2c0, 6, NULL); /* INCREMENT_PUT */
    EQUAL(peek(SEM + 8), 0);
    launch(3, 0x2c0, 10, NULL);
    EQUAL(peek(SEM + 8), 9);
    good(GPUCMD_NV_QMD_05_00);
    put(304, 304, 1); /* RELEASE_ENABLE(1), four words */
    put(799, 768, SEM);
    put(863, 832, 11);
    launch(5, 0x2bc, 2, NULL);
    EQUAL(found.count, 0);
    EQUAL(peek(SEM), 11);
    EQUAL(peek(SEM + 8), 0x1234);
    /* a QMD of 96 words, of which memory has 64: nothing is released */
    put(799, 768, BASE + 0x100);
    for (uint32_t k = 0; k < 2; k++) {
        qmd_bytes = k == 0 ? 256 : 384;
        launch(5, 0x2bc, 2, NULL);
        EQUAL(found.count, k == 0 ? 1 : 0);
        EQUAL(ch.puller.fault, k == 0 ? GPUCMD_FAULT : GPUCMD_OK);
        EQUAL(peek(BASE + 0x100), k == 0 ? 0 : 11);
    }
    qmd_bytes = RING - QMD;
}

/* What the checker calls an error is not executed: the callback decides, or the channel stops. */
static void bad_launches(void)
{
    good(GPUCMD_NV_QMD_03_00);
    put(823, 823, 1); /* RELEASE0_ENABLE, one word */
    put(831, 830, 1);
    put(799, 768, SEM);
    put(863, 832, 7);
    put(656, 648, 0); /* no registers */
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(QMD_REGISTERS));
    EQUAL(found.last.mthd, 0x2bc);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
    EQUAL(peek(SEM), 0);
    launch(3, 0x2bc, 3, on_event);
    EQUAL(ch.puller.fault, GPUCMD_OK);
    EQUAL(peek(SEM), 0);
    put(656, 648, 32);
    put(826, 826, 1); /* REDUCTION_ENABLE */
    launch(3, 0x2bc, 3, NULL);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
    EQUAL(peek(SEM), 0);
    put(826, 826, 0);
    put(799, 768, BASE + sizeof ram_qw - 4); /* the last word of the memory */
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 0);
    EQUAL(ch.puller.fault, GPUCMD_OK);
    EQUAL(peek(BASE + sizeof ram_qw - 4), 7);
    put(831, 830, 2); /* 8 bytes into 4 */
    put(799, 768, BASE + sizeof ram_qw - 8);
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 0);
    put(799, 768, BASE + sizeof ram_qw);
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(SEM_MEMORY));
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    put(583, 576, 0x31);
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(QMD_VERSION));
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
    /* no release has three words, also in a QMD whose other members are not checked: a queue */
    for (uint32_t size = 1; size < 4; size++) {
        good(GPUCMD_NV_QMD_03_00);
        put(136, 136, 1); /* IS_QUEUE */
        put(823, 823, 1); /* RELEASE0_ENABLE */
        put(831, 830, size);
        put(799, 768, SEM);
        put(863, 832, 7);
        put(895, 864, 8);
        launch(3, 0x2bc, 3, NULL);
        EQUAL(found.count, 0);
        EQUAL(ch.puller.fault, size == 3 ? GPUCMD_UNSUPPORTED : GPUCMD_OK);
        EQUAL(peek(SEM), size == 3 ? 0 : 7);
        EQUAL(peek(SEM + 4), size == 2 ? 8 : 0);
        EQUAL(peek(SEM + 8), 0);
    }
}

/* A QMD outside of the memory; one whose second part is. */
static void no_memory(void)
{
    const struct {
        uint32_t va;
        bool there;
    } rows[] = {
        {BASE + sizeof ram_qw - 0x200, true }, /* 384 bytes */
        {BASE + sizeof ram_qw - 0x100, false}, /* 256 of them */
        {BASE + sizeof ram_qw,         false},
    };
    for (size_t i = 0; i < 3; i++) {
        const uint32_t words[] = {0x20012000, 0xcbc0, 0x200120ad, rows[i].va >> 8, 0x200120af, 3};
        const gpucmd_nv_stream stream = {words, 6, BASE};
        gpucmd_nv_check_options options;
        gpucmd_nv_gate gate;
        memset(&options, 0, sizeof options);
        memset(&found, 0, sizeof found);
        good(GPUCMD_NV_QMD_04_00);
        memset(ram, 0, sizeof ram_qw);
        if (i < 2) {
            gpucmd_store_words(ram + (rows[i].va - BASE), dw, 64, GPUCMD_LITTLE_ENDIAN);
        }
        options.found = on_found;
        options.mem = &mem;
        CHECK(gpucmd_nv_gate_init(&gate, CHIP(GH100), true, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
        CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &options, NULL) == GPUCMD_OK);
        EQUAL(found.last.rule == RULE(QMD_MEMORY), !rows[i].there);
        EQUAL(found.last.value, rows[i].there ? found.last.value : rows[i].va);
    }
}

/* ---- edges ---- */

static gpucmd_status refuse(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found.count++;
    found.last = *finding;
    return GPUCMD_LIMIT;
}

/* The words of each layout: 64 until 03_00, 96 until 05_00, then 128; none of other numbers. */
static void words_of_layouts(void)
{
    static const uint32_t words[] = {64, 64, 64, 64, 64, 64, 64, 96, 96, 96, 128, 0, 0};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        EQUAL(gpucmd_nv_qmd_dw((gpucmd_nv_qmd_layout)i), words[i]);
    }
}

static void check_edges(void)
{
    gpucmd_nv_check_options options;
    size_t errors = 0;
    memset(&options, 0, sizeof options);
    /* L1_CONFIGURATION 4 is no size of the table: 48 KiB are not compared with it */
    good(GPUCMD_NV_QMD_00_06);
    put(561, 544, 0xc000);
    put(671, 669, 4);
    RIGHT(0);
    /* bank 1 of sub-task 1 with its largest size */
    good(GPUCMD_NV_QMD_05_01);
    put(1088 + 416, 1088 + 416, 1);
    put(1087 + 416, 1075 + 416, 0x1000);
    RIGHT(6);
    /* the callback ends the check: the second finding is not reported */
    good(GPUCMD_NV_QMD_03_00);
    put(607, 592, 0);
    put(656, 648, 257);
    memset(&found, 0, sizeof found);
    options.found = refuse;
    EQUAL(gpucmd_nv_check_qmd(CHIP(GA102), 0xc7c0, dw, DW, &options, &errors), GPUCMD_LIMIT);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(QMD_THREADS));
    EQUAL(errors, 1);
    /* a release of size 3 has no memory that could be missing */
    good(GPUCMD_NV_QMD_03_00);
    put(823, 823, 1);
    put(831, 830, 3);
    put(799, 768, BASE + sizeof ram_qw);
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(QMD_RELEASE));
}

static gpucmd_status take_away(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found.count++;
    if (found.count == 1) {
        found.last = *finding;
    }
    regions[0].access_mask = 0;
    return GPUCMD_OK;
}

/* Launches without memory, and with memory that the callback takes away. */
static void launch_edges(void)
{
    const uint32_t words[] = {0x20012000, 0xc7c0, 0x200120ad, QMD >> 8, 0x200120af, 3};
    const gpucmd_nv_stream stream = {words, 6, BASE};
    gpucmd_nv_check_options options;
    gpucmd_nv_gate gate;
    good(GPUCMD_NV_QMD_03_00);
    put(656, 648, 0); /* no registers */
    launch(3, 0x2bc, 3, NULL);
    EQUAL(found.count, 1);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(GA102), true, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    memset(&options, 0, sizeof options);
    memset(&found, 0, sizeof found);
    options.found = on_found;
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, &options, NULL), GPUCMD_OK);
    EQUAL(found.count, 0); /* the caller supplies no memory */
    options.found = take_away;
    options.mem = &mem;
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, &options, NULL), GPUCMD_OK);
    CHECK(found.count >= 1);
    EQUAL(found.last.rule, RULE(QMD_REGISTERS));
    EQUAL(regions[0].access_mask, 0);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    members();
    versions();
    rules();
    shared_of_chips();
    combined();
    sub_tasks();
    printed();
    launches();
    bad_launches();
    no_memory();
    words_of_layouts();
    check_edges();
    launch_edges();
    shapes();
    return test_report("nv_qmd");
}

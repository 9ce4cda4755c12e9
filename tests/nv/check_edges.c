/* nv/check_edges.c - the checker of host methods at its edges: classes of other chips, memory that ends in a
 * semaphore, runs that reach past the methods that the checker knows; IB entries without IB mode. */
/* suite: executor */
#include "gpucmd_nv.h"

#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name
#define RULE(name) GPUCMD_NV_RULE_##name

enum { BASE = 0x100000, NONE = -1 };

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

/* Check a stream of host and engine methods. */
static void check(gpucmd_nv_chip chip, const uint32_t *dw, size_t len_dw,
                  gpucmd_nv_check_options *options)
{
    const gpucmd_nv_stream stream = {dw, len_dw, BASE};
    gpucmd_nv_gate gate;
    memset(&gate, 0, sizeof gate);
    memset(&found, 0, sizeof found);
    options->found = on_found;
    EQUAL(gpucmd_nv_gate_init(&gate, chip, chip >= CHIP(G80), false, GPUCMD_NV_FMT_NEW), GPUCMD_OK);
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, options, NULL), GPUCMD_OK);
}

/* SET_OBJECT of a class on a subchannel, and what must come. copies: the runlist has copy engines only. */
static void classes(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t subc, class_id;
        bool copies;
        int rule;
    } rows[] = {
        {CHIP(GB100), 4, 0xc9b5, true,  NONE                  },
        {CHIP(GB202), 4, 0xcab5, true,  NONE                  },
        {CHIP(GH100), 4, 0xc8b5, true,  NONE                  },
        {CHIP(GA102), 4, 0xc7b5, true,  NONE                  },
        {CHIP(GA100), 4, 0xc6b5, true,  NONE                  },
        {CHIP(TU102), 4, 0xc5b5, true,  NONE                  },
        {CHIP(GV100), 4, 0xc3b5, true,  NONE                  },
        {CHIP(GP102), 4, 0xc1b5, true,  NONE                  },
        {CHIP(GP100), 4, 0xc0b5, true,  NONE                  },
        {CHIP(GM107), 4, 0xb0b5, true,  NONE                  },
        {CHIP(GK104), 4, 0xa0b5, true,  NONE                  },
        {CHIP(GF100), 4, 0x90b5, true,  NONE                  },
        {CHIP(GF100), 4, 0x85b5, true,  NONE                  }, /* a class since GT215 */
        {CHIP(GB100), 0, 0xc9b5, false, RULE(OTHER_SUBCHANNEL)},
        {CHIP(GH100), 4, 0xc9b5, false, RULE(OTHER_CHIP)      },
        {CHIP(GB100), 2, 0xcd40, false, NONE                  },
        {CHIP(GB100), 1, 0xcd40, false, RULE(OTHER_SUBCHANNEL)},
        {CHIP(GB100), 2, 0xcd40, true,  RULE(OTHER_RUNLIST)   },
        {CHIP(GK104), 0, 0x0054, false, RULE(OTHER_CHIP)      }, /* 3D, until NV10 */
        {CHIP(GK104), 0, 0x0000, false, NONE                  }, /* no object */
        {CHIP(GK104), 0, 0x1234, false, RULE(UNKNOWN_CLASS)   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dw[2] = {0x20010000 | rows[i].subc << 13, rows[i].class_id};
        gpucmd_nv_check_options options;
        memset(&options, 0, sizeof options);
        options.copy_only = rows[i].copies;
        check(rows[i].chip, dw, 2, &options);
        test_equal(found.count, rows[i].rule != NONE, __FILE__, 1000 + (int)i, "findings");
        if (rows[i].rule != NONE && found.count != 0) {
            test_equal(found.last.rule, (unsigned)rows[i].rule, __FILE__, 1000 + (int)i, "rule");
            test_equal(found.last.value, rows[i].class_id, __FILE__, 1000 + (int)i, "class");
        }
    }
}

/* The memory of the caller ends in a semaphore of 4, 8 or 16 bytes: limit is what there is of it. */
static void semaphores(void)
{
    static const struct {
        uint32_t execute;
        uint32_t bytes;
    } rows[] = {
        {0x00000001, 4 }, /* RELEASE of 32 bits, of 64 bits, with a time */
        {0x01000001, 8 },
        {0x02000001, 16},
    };
    static uint8_t bytes[16];
    gpucmd_nv_check_options options;
    gpucmd_region region = {0x2000, 0, bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    memset(&options, 0, sizeof options);
    options.mem = &mem;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dw[] = {0x20050017, 0x2000, 0, 7, 0, rows[i].execute};
        for (uint32_t there = 0; there <= rows[i].bytes; there++) {
            region.bytes = there;
            EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
            check(CHIP(GV100), dw, 6, &options);
            EQUAL(found.count, there != rows[i].bytes);
            if (found.count != 0) {
                EQUAL(found.last.rule, RULE(SEM_MEMORY));
                EQUAL(found.last.value, 0x2000);
                EQUAL(found.last.limit, there);
            }
        }
    }
    /* before GF100 the memory is not compared: a release at an address that it lacks */
    const uint32_t old[] = {0x00100010, 0, 0x9000, 5, 2};
    check(CHIP(G84), old, 5, &options);
    EQUAL(found.count, 0);
}

/* A run of methods of the copy engine that begins with LINE_COUNT and ends after it, then a launch. */
static void past_the_end(void)
{
    uint32_t dw[32] = {0x20020106, 64,        1, /* LINE_LENGTH_IN; LINE_COUNT */
                       0x20020107, 0,         0, /* LINE_COUNT 0, and the method after it */
                       0x200100c0, 0x00000205};  /* LAUNCH_DMA of lines */
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    dw[0] |= 4 << 13;
    dw[3] |= 4 << 13;
    dw[6] |= 4 << 13;
    check(CHIP(GK104), dw, 32, &options);
    EQUAL(found.count, 1); /* the LINE_COUNT of the second run counts */
    EQUAL(found.last.rule, RULE(COPY_EMPTY));
    EQUAL(found.last.at_bytes, 28);
    dw[4] = 1;
    check(CHIP(GK104), dw, 32, &options);
    EQUAL(found.count, 0);
}

/* IB entries with a gate of G80 in NV4 mode, where words can be RETURN: no subroutine is known. */
static void entries_of_nv4_mode(void)
{
    static const uint32_t entry[2] = {0x1000, 2 << 10};
    static uint8_t bytes[8];
    const gpucmd_region region = {0x1000, 8, bytes, GPUCMD_ACCESS_READ};
    gpucmd_nv_check_options options;
    gpucmd_nv_gate gate;
    gpucmd_mem mem;
    size_t errors = 9;
    memset(&options, 0, sizeof options);
    memset(&found, 0, sizeof found);
    options.found = on_found;
    options.mem = &mem;
    gpucmd_store32(bytes, 0x00020000, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(bytes + 4, 0, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    EQUAL(gpucmd_nv_gate_init(&gate, CHIP(G80), false, false, GPUCMD_NV_FMT_NEW), GPUCMD_OK);
    EQUAL(gpucmd_nv_check_entries(&gate, entry, 1, &options, &errors), GPUCMD_OK);
    EQUAL(found.count, 1);
    EQUAL(found.last.rule, RULE(RETURN_OUTSIDE));
    EQUAL(found.last.at_va, 0x1000);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    classes();
    semaphores();
    past_the_end();
    entries_of_nv4_mode();
    shapes();
    return test_report("nv_check_edges");
}

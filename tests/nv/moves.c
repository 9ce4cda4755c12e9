/* Copy engines, M2MF and inline uploads, field by field and class by class: a row for each
 * statement of their class headers. Words and expected bytes are typed by hand. nv/engine.c has
 * the sequences of drivers, nv/tiling.c the offsets of tiled bytes. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)
#define CHIP(name) GPUCMD_NV_CHIP_##name
#define TIME       0x123456789abcull /* what start of nv/host.h sets */

static void put(uint64_t va, const char *bytes)
{
    memcpy(ram + (va - BASE), bytes, strlen(bytes));
}

/* Return whether memory at va contains these characters; a dot is a zero. */
static bool holds(uint64_t va, const char *bytes)
{
    for (size_t i = 0; bytes[i] != 0; i++) {
        if (ram[va - BASE + i] != (bytes[i] == '.' ? 0 : (uint8_t)bytes[i])) {
            printf("    at %u: %02x\n", (unsigned)i, ram[va - BASE + i]);
            return false;
        }
    }
    return true;
}

/* Return whether the last event of the callback was this method with this word. */
static bool asked(uint32_t mthd, uint32_t dw)
{
    const bool good = got.count == 1 && got.last.kind == GPUCMD_EVENT_METHODS &&
                      got.last.addr == mthd && got.data[0] == dw && got.last.va == 0;
    got.count = 0;
    return good;
}

/* Drop the word that stopped the channel, and the words after it. */
static void recover(void)
{
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
}

static bool quiet(void)
{
    return got.count == 0;
}

/* ---- DMA copy ---- */

/* Chips, and the copy class that subchannel 4 has at the start; on Fermi the test binds it. */
static const struct copy_class {
    gpucmd_nv_chip chip;
    uint32_t class_id;
    uint32_t upper; /* bits of an address above 31:0 */
} copy_classes[] = {
    {GPUCMD_NV_CHIP_GF100, 0x90b5, 0xff     },
    {GPUCMD_NV_CHIP_GK104, 0xa0b5, 0xff     },
    {GPUCMD_NV_CHIP_GM107, 0xb0b5, 0xff     },
    {GPUCMD_NV_CHIP_GP100, 0xc0b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_GP102, 0xc1b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_GV100, 0xc3b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_TU102, 0xc5b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_GA100, 0xc6b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_GA102, 0xc7b5, 0x1ffff  },
    {GPUCMD_NV_CHIP_GH100, 0xc8b5, 0x1ffffff},
    {GPUCMD_NV_CHIP_GB100, 0xc9b5, 0x1ffffff},
    {GPUCMD_NV_CHIP_GB202, 0xcab5, 0x1ffffff},
};

enum { CLASSES = sizeof copy_classes / sizeof copy_classes[0] };

static void start_copy(const struct copy_class *c)
{
    start(c->chip);
    if (c->class_id == 0x90b5) {
        GO(IDLE, 0x20018000, 0x90b5);
    }
    EQUAL(ch.engines[4].class_id, c->class_id);
}

/* Bits above the last address bit are ignored; the last address bit is used. */
static void upper_halves(void)
{
    for (unsigned i = 0; i < CLASSES; i++) {
        const struct copy_class *c = &copy_classes[i];
        const uint32_t last = (c->upper >> 1) + 1, beyond = ~c->upper & 0x0fffffff;
        start_copy(c);
        put(SRC, "abcdefgh");
        EQUAL(RUN(0x20048100, beyond, SRC, beyond, DST, 0x20018106, 8, 0x20038090, beyond, SEM, 7,
                  0x200180c0, 0x18e),
              GPUCMD_RUN_IDLE);
        CHECK(holds(DST, "abcdefgh."));
        EQUAL(peek(SEM), 7);
        EQUAL(RUN(0x20048100, last, SRC, 0, DST, 0x200180c0, 0x182), GPUCMD_RUN_FAULT);
        EQUAL(mem.fault_va, ((uint64_t)last << 32) + SRC);
        recover();
        EQUAL(RUN(0x20048100, 0, SRC, last, DST, 0x200180c0, 0x182), GPUCMD_RUN_FAULT);
        EQUAL(mem.fault_va, ((uint64_t)last << 32) + DST);
        recover();
        EQUAL(RUN(0x20038090, last, SEM, 7, 0x200180c0, 0x08), GPUCMD_RUN_FAULT);
        EQUAL(mem.fault_va, ((uint64_t)last << 32) + SEM);
        CHECK(quiet());
    }
}

/* DATA_TRANSFER_TYPE, SEMAPHORE_TYPE, INTERRUPT_TYPE, FLUSH. */
static void launch_fields(void)
{
    start(CHIP(GA102));
    put(SRC, "abcd");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20038090, 0, SEM, 7, 0x200180c0, 0x181);
    CHECK(holds(DST, "abcd."));
    EQUAL(peek(SEM), 0);
    put(SRC, "efgh");
    GO(IDLE, 0x200180c0, 0x182);
    CHECK(holds(DST, "efgh."));
    put(SRC, "ijkl");
    GO(IDLE, 0x200180c0, 0x180); /* NONE */
    CHECK(holds(DST, "efgh."));
    CHECK(quiet());
    GO(IDLE, 0x200180c0, 0x183); /* no such type, PREFETCH in CAB5 */
    CHECK(asked(0x300, 0x183));
    GO(IDLE, 0x200180c0, 0x18b); /* its semaphore is not written either */
    CHECK(asked(0x300, 0x18b));
    EQUAL(peek(SEM), 0);
    GO(IDLE, 0x200180c0, 0x18); /* RELEASE_CONDITIONAL_INTR */
    CHECK(asked(0x300, 0x18));
    EQUAL(peek(SEM), 0);
    /* a misaligned semaphore: 4 bytes for one word, 16 for four words; nothing is copied */
    put(DST, "wxyz");
    GO(IDLE, 0x20038090, 0, SEM + 2, 7, 0x200180c0, 0x18e);
    CHECK(asked(0x300, 0x18e));
    EQUAL(peek(SEM), 0);
    GO(IDLE, 0x20038090, 0, SEM + 8, 7, 0x200180c0, 0x196);
    CHECK(asked(0x300, 0x196));
    EQUAL(peek(SEM + 8), 0);
    CHECK(holds(DST, "wxyz."));
    GO(IDLE, 0x20038090, 0, SEM + 4, 7, 0x200180c0, 0x18e); /* aligned for one word */
    EQUAL(peek(SEM + 4), 7);
    CHECK(holds(DST, "ijkl."));
    GO(IDLE, 0x20038090, 0, SEM, 7, 0x200180c0, 0x180);
    GO(IDLE, 0x200180c0, 0x20); /* an interrupt without copy or semaphore */
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.value, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_COPY);
    EQUAL(got.last.unit, 3);
    GO(IDLE, 0x200180c0, 0x40);
    EQUAL(got.interrupts, 2);
    EQUAL(got.last.value, 2);
    GO(IDLE, 0x200180c0, 0x04); /* only FLUSH */
    EQUAL(got.interrupts, 2);
    EQUAL(peek(SEM), 0);
    /* bits without effect: 11, 25:20 except 23:22 of C8B5, 26, 31:28 */
    got.count = 0;
    GO(IDLE, 0x200180c0, 0xf6300982);
    CHECK(quiet());
    CHECK(holds(DST, "ijkl."));
}

/* Physical addresses: bits of LAUNCH_DMA from A0B5 on, ADDRESSING_MODE on 90B5. */
static void physical(void)
{
    for (unsigned i = 0; i < CLASSES; i++) {
        for (uint32_t bit = 12; bit < 14; bit++) {
            const uint32_t launch = 0x182 | 1u << bit;
            start_copy(&copy_classes[i]);
            put(SRC, "abcd");
            EQUAL(RUN(0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20018094, 0x101, 0x20018094, 0,
                      0x200180c0, launch),
                  GPUCMD_RUN_IDLE);
            if (copy_classes[i].class_id == 0x90b5) {
                CHECK(quiet());
                CHECK(holds(DST, "abcd."));
            } else {
                CHECK(asked(0x300, launch));
                CHECK(holds(DST, "...."));
            }
        }
    }
    start_copy(&copy_classes[0]);
    put(SRC, "abcd");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20018094, 0x1, 0x200180c0, 0x182);
    CHECK(asked(0x300, 0x182));
    GO(IDLE, 0x20018094, 0x100, 0x200180c0, 0x182);
    CHECK(asked(0x300, 0x182));
    CHECK(holds(DST, "...."));
    GO(IDLE, 0x20018094, 0x2030, 0x200180c0, 0x182); /* only targets */
    CHECK(quiet());
    CHECK(holds(DST, "abcd."));
    start_copy(&copy_classes[1]); /* A0B5 has no such method */
    put(SRC, "abcd");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20018094, 0x101, 0x200180c0, 0x182);
    CHECK(quiet());
    CHECK(holds(DST, "abcd."));
    /* a release without a copy moves no memory: its own addresses are virtual */
    start(CHIP(GA102));
    GO(IDLE, 0x20038090, 0, SEM, 7, 0x200180c0, 0x3008);
    EQUAL(peek(SEM), 7);
}

/* SET_RENDER_ENABLE_C, 90B5 and later: initially TRUE. Modes that read memory go to the
 * callback. */
static void render_enable(void)
{
    for (uint32_t mode = 0; mode < 5; mode++) {
        start(CHIP(TU102));
        put(SRC, "abcd");
        GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20018097, mode, 0x200180c0, 0x182);
        CHECK(mode == 1 ? quiet() : asked(0x300, 0x182));
        CHECK(holds(DST, mode == 1 ? "abcd." : "....."));
    }
    start(CHIP(GT215)); /* 85B5 has no such method */
    put(SRC, "abcd");
    GO(IDLE, 0x00048000, 0xcafe85b5);
    card.object = NULL;
    GO(IDLE, 0x0004825c, 0, 0x00108400, 0, SRC, 0, DST, 0x00048418, 4, 0x00048300, 0x182);
    CHECK(quiet());
    CHECK(holds(DST, "abcd."));
}

/* Payloads of two words: C7B5 and later. */
static void wide_payloads(void)
{
    for (unsigned i = 0; i < CLASSES; i++) {
        const bool wide = copy_classes[i].class_id >= 0xc7b5;
        start_copy(&copy_classes[i]);
        poke(SEM + 4, 0x55);
        poke(SEM + 0x14, 0x55);
        EQUAL(RUN(0x20048090, 0, SEM, 7, 8, 0x200180c0, 0x08000008), GPUCMD_RUN_IDLE);
        EQUAL(peek64(SEM), wide ? 0x800000007ull : 0x5500000007ull);
        EQUAL(RUN(0x20048090, 0, SEM + 0x10, 7, 8, 0x200180c0, 0x08000010), GPUCMD_RUN_IDLE);
        EQUAL(peek64(SEM + 0x10), wide ? 0x800000007ull : 7);
        EQUAL(peek64(SEM + 0x18), TIME);
        EQUAL(RUN(0x20048090, 0, SEM + 0x20, 7, 8, 0x200180c0, 0x00000010), GPUCMD_RUN_IDLE);
        EQUAL(peek64(SEM + 0x20), 7); /* one word, then zero */
        EQUAL(peek64(SEM + 0x28), TIME);
        CHECK(quiet());
    }
}

/* One reduction of TU102: op, unsigned, memory, payload, result. */
static void reductions(void)
{
    static const struct {
        uint32_t op, is_unsigned, v, p, want;
    } rows[] = {
        {0, 0, 0xffffffff, 1,          0xffffffff}, /* IMIN */
        {0, 1, 0xffffffff, 1,          1         },
        {1, 0, 0xffffffff, 1,          1         }, /* IMAX */
        {1, 1, 0xffffffff, 1,          0xffffffff},
        {2, 0, 0xf0,       0xff,       0x0f      }, /* IXOR */
        {2, 1, 0xf0,       0xff,       0x0f      },
        {3, 0, 0xf0,       0x3c,       0x30      }, /* IAND */
        {4, 1, 0xf0,       0x3c,       0xfc      }, /* IOR */
        {5, 0, 0xffffffff, 2,          1         }, /* IADD */
        {5, 1, 3,          4,          7         },
        {6, 1, 4,          5,          5         }, /* INC */
        {6, 1, 5,          5,          0         },
        {6, 1, 6,          5,          0         },
        {7, 1, 5,          5,          4         }, /* DEC */
        {7, 1, 0,          5,          5         },
        {7, 1, 6,          5,          5         },
        {7, 1, 0x80000000, 0xffffffff, 0x7fffffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t launch = 0x08 | rows[i].op << 14 | rows[i].is_unsigned << 18 | 1u << 19;
        start(CHIP(TU102));
        poke(SEM, rows[i].v);
        poke(SEM + 4, 0x55);
        GO(IDLE, 0x20038090, 0, SEM, rows[i].p, 0x200180c0, launch);
        EQUAL(peek(SEM), rows[i].want);
        EQUAL(peek(SEM + 4), 0x55);
        CHECK(quiet());
    }
    for (uint32_t op = 0; op < 16; op++) { /* without ENABLE: a plain write */
        start(CHIP(TU102));
        poke(SEM, 3);
        GO(IDLE, 0x20038090, 0, SEM, 9, 0x200180c0, 0x08 | op << 14);
        EQUAL(peek(SEM), 9);
        if (op > 7) { /* floats and unnamed operations go to the callback */
            poke(SEM, 3);
            GO(IDLE, 0x200180c0, 0x80008 | op << 14);
            CHECK(asked(0x300, 0x80008 | op << 14));
            EQUAL(peek(SEM), 3);
        }
    }
    start(CHIP(TU102)); /* signed INC and DEC do not exist; nor is there one of four words */
    poke(SEM, 3);
    GO(IDLE, 0x20038090, 0, SEM, 9, 0x200180c0, 0x98008);
    CHECK(asked(0x300, 0x98008));
    GO(IDLE, 0x200180c0, 0x9c008);
    CHECK(asked(0x300, 0x9c008));
    GO(IDLE, 0x200180c0, 0xd4010);
    CHECK(asked(0x300, 0xd4010));
    EQUAL(peek(SEM), 3);
    GO(IDLE, 0x200180c0, 0xd4000); /* no semaphore: no reduction */
    CHECK(quiet());
    EQUAL(peek(SEM), 3);
    start_copy(&copy_classes[0]); /* 90B5 has none of these bits */
    poke(SEM, 3);
    GO(IDLE, 0x20038090, 0, SEM, 9, 0x200180c0, 0xd4008);
    EQUAL(peek(SEM), 9);
    start_copy(&copy_classes[1]);
    poke(SEM, 3);
    GO(IDLE, 0x20038090, 0, SEM, 9, 0x200180c0, 0xd4008);
    EQUAL(peek(SEM), 12);
    start(CHIP(GA102)); /* of two words */
    poke(SEM, 0xffffffff);
    GO(IDLE, 0x20048090, 0, SEM, 2, 1, 0x200180c0, 0x080d4008);
    EQUAL(peek64(SEM), 0x200000001ull);
    GO(IDLE, 0x200180c0, 0x080d8008); /* INC has 32 bits */
    CHECK(asked(0x300, 0x080d8008));
    EQUAL(peek64(SEM), 0x200000001ull);
    /* memory that cannot be read */
    start(CHIP(GA102));
    GO(FAULT, 0x20038090, 0, 0x10, 2, 0x200180c0, 0x000d4008);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
}

/* Copy, then semaphore, then interrupt. */
static unsigned order_events;
static uint32_t order_dst, order_sem;

static gpucmd_status on_order(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind == GPUCMD_EVENT_MEM_WRITE) {
        order_dst = peek(DST); /* before the semaphore is written */
    }
    if (event->kind == GPUCMD_EVENT_INTERRUPT) {
        order_sem = peek(SEM);
    }
    order_events++;
    return GPUCMD_OK;
}

static void order(void)
{
    start(CHIP(GA102));
    put(SRC, "abcd");
    env.trace = on_order;
    order_events = 0;
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x20038090, 0, SEM, 7, 0x200180c0, 0x1ca);
    EQUAL(order_dst, 0x64636261);
    EQUAL(order_sem, 7);
    CHECK(order_events != 0);
    /* if copy and semaphore write one address, the semaphore is written last */
    GO(IDLE, 0x20038090, 0, DST, 9, 0x200180c0, 0x18a);
    EQUAL(peek(DST), 9);
    /* if the semaphore faults, the copy is done, but there is no interrupt */
    got.count = 0;
    put(SRC, "efgh");
    GO(FAULT, 0x20038090, 0, 0x10, 9, 0x200180c0, 0x1ca);
    CHECK(quiet());
    CHECK(holds(DST, "efgh"));
}

/* "MEM_WRITE: one for each contiguous piece; value is 0 if an engine writes", in words */
static struct {
    unsigned count;
    uint64_t va[8];
    uint32_t dw[8];
    uint64_t value[8];
} written;

static gpucmd_status on_written(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind == GPUCMD_EVENT_MEM_WRITE && written.count < 8) {
        EQUAL(event->unit, 3);
        EQUAL(event->code, 0);
        written.va[written.count] = event->va;
        written.dw[written.count] = event->count_dw;
        written.value[written.count] = event->value;
        written.count++;
    }
    return GPUCMD_OK;
}

static void wrote(unsigned i, uint64_t va, uint32_t dw, uint64_t value)
{
    CHECK(i < written.count);
    EQUAL(written.va[i], va);
    EQUAL(written.dw[i], dw);
    EQUAL(written.value[i], value);
}

static void traced_writes(void)
{
    /* two lines of 6 bytes 16 bytes apart, then a release of one word: three pieces */
    start(CHIP(GA102));
    env.trace = on_written;
    memset(&written, 0, sizeof written);
    put(SRC, "abcdefgh");
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 8, 16, 6, 2, 0x20038090, 0, SEM, 7, 0x200180c0, 0x38a);
    EQUAL(written.count, 3);
    wrote(0, DST, 2, 0);
    wrote(1, DST + 16, 2, 0);
    wrote(2, SEM, 1, 7);
    /* a constant fill is one piece, a timestamp before its payload two */
    memset(&written, 0, sizeof written);
    GO(IDLE, 0x200281c0, 0x11111111, 0, 0x200181c2, 0x00030004, 0x20018106, 5, 0x20038090, 0, SEM,
       9, 0x200180c0, 0x592);
    EQUAL(written.count, 3);
    wrote(0, DST, 5, 0);
    wrote(1, SEM + 8, 2, TIME);
    wrote(2, SEM, 2, 9);
    /* an upload of 8 bytes */
    start(CHIP(GA102));
    env.trace = on_written;
    memset(&written, 0, sizeof written);
    GO(IDLE, 0x20014000, 0xa140, 0x20044060, 8, 1, 0, DST, 0xa003406c, 0x1001, 1, 2);
    EQUAL(written.count, 1);
    wrote(0, DST, 2, 0);
}

/* Bytes, lines and pitches. */
static void lines(void)
{
    start(CHIP(GP100));
    put(SRC, "abcdefghijklmnopqrst");
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 7, 5, 3, 3, 0x200180c0, 0x382);
    CHECK(holds(DST, "abc..hij..opq..."));
    GO(IDLE, 0x20018106, 0, 0x200180c0, 0x382); /* no bytes */
    CHECK(holds(DST, "abc..hij..opq..."));
    GO(IDLE, 0x20018106, 0, 0x200180c0, 0x182);
    CHECK(holds(DST, "abc..hij..opq..."));
    /* unaligned ends */
    memset(ram + (DST - BASE), 0, 32);
    GO(IDLE, 0x20048100, 0, SRC + 3, 0, DST + 1, 0x20018106, 6, 0x200180c0, 0x182);
    CHECK(holds(DST, ".defghi.."));
    /* source and destination overlap: as memmove, line by line */
    put(DST, "abcdefgh........");
    GO(IDLE, 0x20048100, 0, DST, 0, DST + 2, 0x20018106, 8, 0x200180c0, 0x182);
    CHECK(holds(DST, "ababcdefgh"));
    put(DST, "abcdefgh");
    GO(IDLE, 0x20048100, 0, DST + 2, 0, DST, 0x20018106, 6, 0x200180c0, 0x182);
    CHECK(holds(DST, "cdefghgh"));
    put(DST, "abcdefgh");
    GO(IDLE, 0x20088100, 0, DST, 0, DST + 2, 2, 2, 2, 3, 0x200180c0, 0x382);
    CHECK(holds(DST, "abababab"));
}

/* A copy with REMAP_COMPONENTS of n elements; the source is "abcdefghijklmnopqrstuvwxyz", CONST_A
 * "ABCD", CONST_B "WXYZ", the destination was "0123456789:;<=>?". */
static void remap(uint32_t components, uint32_t n, const char *want)
{
    start(CHIP(TU102));
    put(SRC, "abcdefghijklmnopqrstuvwxyz");
    put(DST, "0123456789:;<=>?");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, n, 0x200381c0, 0x44434241, 0x5a595857,
       components, 0x200180c0, 0x582);
    CHECK(quiet());
    if (!CHECK(holds(DST, want))) {
        printf("    components %08x\n", (unsigned)components);
    }
}

static void remaps(void)
{
    /* fields: SIZE 17:16, NUM_SRC 21:20, NUM_DST 25:24; DST_X 2:0, Y 6:4, Z 10:8, W 14:12 */
    remap(0x00000000, 3, "abc3456");          /* X = SRC_X, one byte */
    remap(0x00010000, 2, "abcd4567");         /* two bytes */
    remap(0x00020000, 2, "abcdef678");        /* three */
    remap(0x00030000, 2, "abcdefgh89");       /* four */
    remap(0x01100010, 2, "abcd4567");         /* X, Y in their places */
    remap(0x01100001, 2, "badc4567");         /* swapped */
    remap(0x01110001, 2, "cdabghef89:");      /* swapped, of two bytes */
    remap(0x02200012, 2, "cbafed6789");       /* X = Z, Y = Y, Z = X */
    remap(0x03303210, 2, "abcdefgh89");       /* four in their places */
    remap(0x03300123, 2, "dcbahgfe89");       /* reversed */
    remap(0x00300003, 3, "dhl3456");          /* the fourth of four */
    remap(0x00200002, 3, "cfi3456");          /* the third of three */
    remap(0x00100001, 3, "bdf3456");          /* the second of two */
    remap(0x00100000, 3, "ace3456");          /* the first of two */
    remap(0x03000000, 2, "aaaabbbb89:");      /* one source for all */
    remap(0x02000000, 2, "aaabbb6789");       /* */
    remap(0x00000004, 4, "AAAA4567");         /* constants: their low bytes */
    remap(0x00000005, 4, "WWWW4567");         /* */
    remap(0x00010004, 2, "ABAB4567");         /* */
    remap(0x00020005, 2, "WXYWXY6789");       /* */
    remap(0x00030004, 2, "ABCDABCD89");       /* */
    remap(0x01030054, 2, "ABCDWXYZABCDWXYZ"); /* */
    remap(0x01000045, 2, "WAWA4567");         /* */
    remap(0x02000454, 2, "AWAAWA6789");       /* */
    remap(0x03004554, 2, "AWWAAWWA89:");      /* */
    remap(0x00000006, 4, "01234567");         /* NO_WRITE */
    remap(0x01000064, 2, "A1A34567");         /* */
    remap(0x01000046, 2, "0A2A4567");         /* */
    remap(0x03306010, 2, "aba3efe789");       /* */
    remap(0x00007770, 3, "abc3456");          /* components after NUM_DST are ignored */
    remap(0x0100008c, 2, "AaAb4567"); /* bit 3 of each field is ignored: X = CONST_A, Y = SRC_X */
    /* lines: pitches stay bytes */
    start(CHIP(TU102));
    put(SRC, "abcdefghijklmnopqrstuvwxyz");
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 7, 6, 2, 3, 0x200181c2, 0x01100001, 0x200180c0, 0x782);
    CHECK(holds(DST, "badc..ihkj..porq.."));
    /* value 7, and components that the source lacks, go to the callback */
    GO(IDLE, 0x200181c2, 0x00000007, 0x200180c0, 0x582);
    CHECK(asked(0x300, 0x582));
    GO(IDLE, 0x200181c2, 0x00100002, 0x200180c0, 0x582);
    CHECK(asked(0x300, 0x582));
    GO(IDLE, 0x200181c2, 0x03203210, 0x200180c0, 0x582);
    CHECK(asked(0x300, 0x582));
    /* without REMAP_ENABLE all these fields are ignored */
    memset(ram + (DST - BASE), 0, 32);
    GO(IDLE, 0x20018106, 3, 0x200180c0, 0x182);
    CHECK(holds(DST, "abc...."));
    /* a fill with elements of 3 bytes that is longer than the internal pattern of 144 bytes */
    start(CHIP(TU102));
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 500, 0x200381c0, 0x00434241, 0, 0x00020004,
       0x200180c0, 0x582);
    CHECK(holds(DST, "ABCABC"));
    CHECK(holds(DST + 144, "ABCABC"));
    CHECK(holds(DST + 1497, "ABC..."));
    /* 500 elements that are reversed take more than a budget of 50 */
    static const uint32_t launch[] = {0x200180c0, 0x582};
    start(CHIP(TU102));
    memset(ram + (SRC - BASE), 'a', 1000);
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 500, 0x200181c2, 0x01100001);
    submit(launch, 2);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 50), GPUCMD_RUN_LIMIT);
    CHECK(holds(DST, "aa"));
    CHECK(holds(DST + 998, ".."));
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    CHECK(holds(DST + 998, "aa."));
}

/* C1B5 and later: an origin in separate methods is that of SET_*_ORIGIN. GP100 has no such methods. */
static void wide_origins(void)
{
    start(CHIP(GP102));
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x200681ca, 0, 64, 16, 1, 0, 0);
    memcpy(ram + (SRC - BASE) + 8 * 64 + 64 + 5, "abcd",
           4); /* line 9 is line 1 of the second GOB */
    GO(IDLE, 0x200281d1, 5, 9, 0x200180c0, 0x102);
    CHECK(quiet());
    CHECK(holds(DST, "abcd"));
    start(CHIP(GP100));
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x200681ca, 0, 64, 16, 1, 0, 0);
    EQUAL(RUN(0x200281d1, 5, 9, 0x200180c0, 0x102), GPUCMD_RUN_IDLE);
    CHECK(asked(0x300, 0x102));
}

/* If both kinds of origin are not 0 for a tiled side, the copy is passed to the callback. */
static void origins(void)
{
    static const uint32_t heads[] = {0x200181d1, 0x200181d2, 0x200181d3, 0x200181d4};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t tiled = i < 2 ? 0x102 : 0x082; /* the source, the destination */
        const uint32_t other = i < 2 ? 0x082 : 0x102;
        start(CHIP(GP102));
        GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x200681c3, 0, 64, 8, 1, 0, 0x10000,
           0x200681ca, 0, 64, 8, 1, 0, 0x10000);
        EQUAL(RUN(heads[i], 1, 0x200180c0, 0x182), GPUCMD_RUN_IDLE);
        CHECK(quiet());
        EQUAL(RUN(0x200180c0, other), GPUCMD_RUN_IDLE);
        CHECK(quiet());
        EQUAL(RUN(0x200180c0, tiled), GPUCMD_RUN_IDLE);
        CHECK(asked(0x300, tiled));
        EQUAL(RUN(0x200180c0, 0x002), GPUCMD_RUN_IDLE);
        CHECK(asked(0x300, 0x002));
    }
}

/* A tiled side has width and origin in its own elements; a GOB is 8 lines of 64 bytes. */
static void tiled_elements(void)
{
    start(CHIP(
        GP100)); /* one byte from x = 3, y = 1 of 128 x 8; four bytes at x = 17, y = 2 of 32 x 8 */
    put(SRC + 64 + 3, "ab");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 2, 0x200181c2, 0x03000000, 0x200681c3, 0, 32,
       8, 1, 0, 17 | 2 << 16, 0x200681ca, 0, 128, 8, 1, 0, 3 | 1 << 16, 0x200180c0, 0x402);
    CHECK(quiet());
    CHECK(holds(DST + 512 + 2 * 64 + 4, "aaaabbbb.")); /* byte 68 is in the second GOB */
    start(CHIP(GP100));                                /* four bytes to one */
    put(SRC + 512 + 64 + 4, "abcdefgh");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 2, 0x200181c2, 0x00300001, 0x200681c3, 0, 128,
       8, 1, 0, 65 | 1 << 16, 0x200681ca, 0, 32, 8, 1, 0, 17 | 1 << 16, 0x200180c0, 0x402);
    CHECK(holds(DST + 512 + 64 + 1, "bf."));
    start(CHIP(GP100)); /* a fill of three bytes continues in the next GOB */
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 30, 0x200381c0, 0x00434241, 0, 0x00020004,
       0x200681c3, 0, 64, 8, 1, 0, 0, 0x200180c0, 0x482);
    CHECK(holds(DST, "ABCABC"));
    CHECK(holds(DST + 60, "ABCA"));
    CHECK(holds(DST + 512, "BCABC"));
    CHECK(holds(DST + 512 + 24, "BC."));
    start(CHIP(GP100)); /* an element of three bytes that continues in the next GOB, reversed */
    put(SRC + 60, "abcd");
    put(SRC + 512, "ef");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 2, 0x200181c2, 0x02200012, 0x200681ca, 0, 64,
       8, 1, 0, 20, 0x200180c0, 0x502);
    CHECK(holds(DST, "cbafed."));
    start(CHIP(GP100)); /* the height has four bits: blocks of 2^8 GOBs, two side by side */
    put(SRC, "a");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 1, 0x200681c3, 0x80, 128, 16, 1, 0, 8 << 16,
       0x200180c0, 0x082);
    CHECK(holds(DST + 512, "a."));
    start(CHIP(GP100)); /* origins of 16 bits: byte 260 is in the fifth GOB, line 9 in its second */
    put(SRC, "a");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 1, 0x200681c3, 0x10, 320, 16, 1, 0,
       260 | 9 << 16, 0x200180c0, 0x082);
    CHECK(holds(DST + 4 * 1024 + 512 + 64 + 4, "a."));
    EQUAL(GPUCMD_NV_COPY_SET_SRC_LAYER, 0x738);
    start(CHIP(GP100)); /* layer 1 of 3, as the source and as the destination */
    put(SRC + 512, "ab");
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 2, 0x200681ca, 0, 64, 8, 3, 1, 0, 0x200180c0,
       0x102);
    CHECK(holds(DST, "ab."));
    GO(IDLE, 0x200681c3, 0, 64, 8, 3, 2, 0, 0x200180c0, 0x002);
    CHECK(holds(DST + 1024, "ab."));
}

/* 90B5 has no DMA objects: handles and bits 31:28 are ignored. */
static gpucmd_status find_always(void *user, uint32_t channel, uint32_t handle,
                                 gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    (void)handle;
    object->va = 0x1000;
    object->bytes = 0x1000;
    return GPUCMD_OK;
}

static void no_objects(void)
{
    start_copy(&copy_classes[0]);
    card.object = find_always;
    put(SRC, "abcd");
    GO(IDLE, 0x20018060, 7, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x200180c0, 0x182);
    CHECK(holds(DST, "abcd."));
}

/* ---- M2MF ---- */

/* FORMAT: steps of 1 in 7:0 and above, which is 31:8 in 0039 and 15:8 in 5039. */
static void formats(void)
{
    static const struct {
        uint32_t format;
        bool nv4, g80;
    } rows[] = {
        {0x00000101, true,  true },
        {0x00010101, false, true },
        {0xffff0101, false, true },
        {0x00000102, false, false},
        {0x00000103, false, false},
        {0x00000201, false, false},
        {0x00000100, false, false},
        {0x00000001, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned g80 = 0; g80 < 2; g80++) {
            const bool good = g80 != 0 ? rows[i].g80 : rows[i].nv4;
            start(g80 != 0 ? CHIP(G80) : CHIP(NV4));
            put(SRC, "abcd");
            EQUAL(RUN(0x00044000, g80 != 0 ? 0xcafe5039 : 0xcafe0039, 0x00044200, 1, 0x0004421c, 1),
                  GPUCMD_RUN_IDLE);
            got.count = 0;
            EQUAL(RUN(0x0020430c, SRC, DST, 4, 4, 4, 1, rows[i].format, 0), GPUCMD_RUN_IDLE);
            CHECK(good ? quiet() : asked(0x328, 0));
            CHECK(holds(DST, good ? "abcd." : "....."));
        }
    }
}

/* BUFFER_NOTIFY: any value starts the copy, 1 awakens. */
static void buffer_notify(void)
{
    for (uint32_t v = 0; v < 4; v++) {
        start(CHIP(NV30));
        put(SRC, "abcd");
        GO(IDLE, 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 4, 4, 4, 1, 0x101, v);
        CHECK(holds(DST, "abcd."));
        EQUAL(got.interrupts, v == 1);
        EQUAL(got.count, v == 1);
        if (v == 1) {
            EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_INLINE);
            EQUAL(got.last.value, 1);
        }
    }
}

/* BUFFER_IN and BUFFER_OUT each name a DMA object; pitches may be negative. */
static gpucmd_status find_two(void *user, uint32_t channel, uint32_t handle,
                              gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->va = handle == 0x1111003d ? SRC : handle == 0x2222003d ? DST : 0;
    object->bytes = 0x1000;
    return GPUCMD_OK;
}

static void dma_objects(void)
{
    start(CHIP(NV10));
    card.object = find_two;
    put(SRC + 0x10, "abcdefgh");
    GO(IDLE, 0x00044000, 0xcafe0039, 0x00084184, 0x1111003d, 0x2222003d, 0x0020430c, 0x10, 0x20,
       0xfffffffe, 3, 2, 3, 0x101, 0);
    CHECK(holds(DST + 0x20, "ab.")); /* SRC + 0x10, - 2, - 4 */
    GO(IDLE, 0x0020430c, 0x14, 0x20, 0xfffffffe, 3, 2, 3, 0x101, 0);
    CHECK(holds(DST + 0x20, "ef.cd.ab."));
    GO(IDLE, 0x0020430c, 0x10, 0x46, 2, 0xfffffffd, 2, 3, 0x101, 0);
    CHECK(holds(DST + 0x40, "ef.cd.ab."));
    GO(IDLE, 0x00044188, 0x1111003d, 0x0020430c, 0x10, 0x80, 2, 2, 2, 1, 0x101, 0);
    CHECK(holds(SRC + 0x80, "ab."));
    /* LINE_COUNT 0, LINE_LENGTH 0 */
    GO(IDLE, 0x0020430c, 0x12, 0x80, 2, 2, 2, 0, 0x101, 0);
    GO(IDLE, 0x0020430c, 0x12, 0x80, 2, 2, 0, 1, 0x101, 0);
    CHECK(holds(SRC + 0x80, "ab."));
    /* 5039: bit 0 of the layouts; tiles have 4 lines of 64 bytes */
    start(CHIP(G80));
    put(SRC, "ab");
    put(SRC + 64, "cd");
    GO(IDLE, 0x00044000, 0xcafe5039, 0x001c4200, 0xfffffffe, 0, 64, 4, 1, 0, 0, 0x0004421c,
       0xffffffff, 0x0020430c, SRC, DST, 2, 2, 2, 2, 0x101, 0);
    CHECK(holds(DST, "abcd."));
    /* 5039: 8 bits of upper halves, in at 0x238 and out at 0x23c */
    start(CHIP(G84));
    put(SRC, "abcd");
    GO(IDLE, 0x00044000, 0xcafe5039, 0x00044200, 1, 0x0004421c, 1, 0x00084238, 0x100, 0x100,
       0x0020430c, SRC, DST, 4, 4, 4, 1, 0x101, 0);
    CHECK(holds(DST, "abcd."));
    GO(FAULT, 0x00084238, 0x80, 0, 0x00044328, 0);
    EQUAL(mem.fault_va, 0x8000000000ull + SRC);
    recover();
    GO(FAULT, 0x00084238, 0, 0x80, 0x00044328, 0);
    EQUAL(mem.fault_va, 0x8000000000ull + DST);
}

/* 85B5: bits 31:28 of an upper half choose one of 16 objects. */
static void chosen_objects(void)
{
    start(CHIP(MCP89));
    card.object = find_two;
    put(SRC, "abcd");
    GO(IDLE, 0x00048000, 0xcafe85b5, 0x00048180, 0x1111003d, 0x00048184, 0x2222003d, 0x000481bc,
       0x2222003d, 0x00108400, 0, 0, 1u << 28, 0x20, 0x00048418, 4, 0x00048300, 0x182);
    CHECK(holds(DST + 0x20, "abcd."));
    GO(IDLE, 0x00088408, 15u << 28, 0x40, 0x00048300, 0x182);
    CHECK(holds(DST + 0x40, "abcd."));
    GO(IDLE, 0x000c8240, 1u << 28, 0x60, 7, 0x00048300, 0x08);
    EQUAL(peek(DST + 0x60), 7);
}

/* 9039: completion, interrupt, structure size, upper halves, signed pitches. */
static void m2mf_gf100(void)
{
    for (uint32_t completion = 0; completion < 4; completion++) {
        for (uint32_t one = 0; one < 2; one++) {
            start(CHIP(GF100));
            put(SRC, "abcd");
            poke(SEM + 4, 0x55);
            EQUAL(RUN(0x20014000, 0x9039, 0x2002408e, 0, DST, 0x200640c3, 0, SRC, 4, 4, 4, 1,
                      0x200340cb, 0, SEM, 7, 0x200140c0, 0x110 | completion << 12 | one << 20),
                  GPUCMD_RUN_IDLE);
            CHECK(holds(DST, "abcd."));
            EQUAL(peek64(SEM), completion != 2 ? 0x5500000000ull : one != 0 ? 0x5500000007ull : 7);
            EQUAL(peek64(SEM + 8), completion == 2 && one == 0 ? TIME : 0);
            CHECK(quiet());
        }
    }
    GO(IDLE, 0x200140c0, 0x00010110);
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_INLINE);
    EQUAL(got.last.value, 1);
    /* bits above 39 do not exist */
    put(SRC, "efgh");
    GO(IDLE, 0x2002408e, 0x100, DST, 0x200240c3, 0x100, SRC, 0x200340cb, 0x100, SEM, 9, 0x200140c0,
       0x00102110);
    CHECK(holds(DST, "efgh."));
    EQUAL(peek(SEM), 9);
    GO(FAULT, 0x2002408e, 0x80, DST, 0x200140c0, 0x00100110);
    EQUAL(mem.fault_va, 0x8000000000ull + DST);
    recover();
    GO(FAULT, 0x2002408e, 0, DST, 0x200140c3, 0x80, 0x200140c0, 0x00100110);
    EQUAL(mem.fault_va, 0x8000000000ull + SRC);
    recover();
    GO(FAULT, 0x200140c3, 0, 0x200140cb, 0x80, 0x200140c0, 0x00102110);
    EQUAL(mem.fault_va, 0x8000000000ull + SEM);
    recover();
    put(SRC, "abcdefgh");
    memset(ram + (DST - BASE), 0, 16);
    GO(IDLE, 0x2002408e, 0, DST + 6, 0x200640c3, 0, SRC + 4, 0xfffffffe, 0xfffffffd, 2, 3,
       0x200140c0, 0x00100110);
    CHECK(holds(DST, "ab.cd.ef"));
    got.count = 0;
    GO(IDLE, 0x200140c0, 0x00100112); /* bit 1 is ignored */
    CHECK(quiet());
    /* an upload of two lines with a release and an interrupt at its end */
    GO(IDLE, 0x2002408e, 0, DST + 0x40, 0x200340c6, 16, 3, 2, 0x200140c0, 0x00112111, 0x600140c1,
       0x44434241);
    EQUAL(peek(SEM), 9);
    got.interrupts = 0;
    GO(IDLE, 0x200140cb, 0, 0x600140c1, 0x48474645);
    CHECK(holds(DST + 0x40, "ABC............."));
    CHECK(holds(DST + 0x50, "EFG."));
    EQUAL(got.interrupts, 1);
    GO(IDLE, 0x600140c1, 0x48474645); /* no data word remains */
    CHECK(holds(DST + 0x60, "...."));
}

/* ---- inline uploads ---- */

/* LAUNCH_DMA of A040 and A140. */
static void inline_fields(void)
{
    for (uint32_t completion = 0; completion < 4; completion++) {
        for (uint32_t one = 0; one < 2; one++) {
            start(CHIP(GK110));
            poke(SEM + 4, 0x55);
            EQUAL(RUN(0x20014000, 0xa140, 0x20034077, 0, SEM, 7, 0x20044060, 4, 1, 0, DST,
                      0xa002406c, 1 | completion << 4 | one << 12, 0x44434241),
                  GPUCMD_RUN_IDLE);
            CHECK(holds(DST, "ABCD."));
            EQUAL(peek64(SEM), completion != 2 ? 0x5500000000ull : one != 0 ? 0x5500000007ull : 7);
            EQUAL(peek64(SEM + 8), completion == 2 && one == 0 ? TIME : 0);
            CHECK(quiet());
        }
    }
    GO(IDLE, 0xa002406c, 0x101, 0x48474645); /* INTERRUPT */
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_INLINE);
    got.count = 0;
    GO(IDLE, 0x2001406c, 0x3); /* REDUCTION_ENABLE goes to the callback */
    CHECK(asked(0x1b0, 0x3));
    /* no data words: the upload ends immediately */
    start(CHIP(GK104));
    GO(IDLE, 0x20014000, 0xa040, 0x20034077, 0, SEM, 7, 0x20044060, 0, 1, 0, DST, 0x2001406c,
       0x1021);
    EQUAL(peek(SEM), 7);
    GO(IDLE, 0x20034077, 0, SEM, 8, 0x20044060, 4, 0, 0, DST, 0x2001406c, 0x1021);
    EQUAL(peek(SEM), 8);
    GO(IDLE, 0x6001406d, 0x48474645);
    CHECK(holds(DST, "....."));
    /* a new launch restarts the upload */
    GO(IDLE, 0x20044060, 8, 1, 0, DST, 0xa002406c, 1, 0x44434241, 0xa003406c, 1, 0x48474645,
       0x4c4b4a49);
    CHECK(holds(DST, "EFGHIJKL."));
    /* MODEL: if LINE_LENGTH_IN falls to what the line holds or below, a word is lost with the line */
    for (uint32_t length = 3; length < 6; length++) {
        start(CHIP(GK104));
        GO(IDLE, 0x20014000, 0xa040, 0x20054060, 8, 2, 0, DST, 8, 0xa002406c, 1, 0x44434241,
           0x20014060, length, 0x6002406d, 0x48474645, 0x4c4b4a49);
        CHECK(holds(DST, length < 5 ? "ABCD...." : "ABCDE..."));
        CHECK(holds(DST + 8, length == 3 ? "IJK." : "IJKL."));
    }
    start(CHIP(GK104));
    GO(IDLE, 0x20014000, 0xa040, 0x20044060, 8, 1, 0, DST);
    put(DST, "EFGHIJKL");
    /* 40 bits until GP100 */
    GO(IDLE, 0x20044060, 4, 1, 0x100, DST, 0xa002406c, 1, 0x44434241);
    CHECK(holds(DST, "ABCDIJKL."));
    GO(FAULT, 0x20034077, 0x80, SEM, 7, 0x20044060, 4, 1, 0, DST, 0xa002406c, 0x1021, 0x48474645);
    EQUAL(mem.fault_va, 0x8000000000ull + SEM);
}

/* An upload whose release faults: only its last word is executed again. */
static void inline_again(void)
{
    uint8_t more[16] = {0};
    gpucmd_region regions[2];
    start(CHIP(GK110));
    GO(FAULT, 0x20014000, 0xa140, 0x20034077, 0, 0x1000000, 7, 0x20044060, 10, 1, 0, DST,
       0xa004406c, 0x1021, 0x44434241, 0x48474645, 0x4c4b4a49);
    EQUAL(ch.pbdma.count, 1);
    EQUAL(ch.pbdma.mthd, 0x1b4 / 4);
    CHECK(ch.engines[2].inlining);
    memset(ram + (DST - BASE), 0, 16);
    regions[0] = region;
    regions[1].va = 0x1000000;
    regions[1].bytes = sizeof more;
    regions[1].host = more;
    regions[1].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    ch.puller.fault = GPUCMD_OK;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(more[0], 7);
    CHECK(holds(DST, "........IJ."));
    CHECK(!ch.engines[2].inlining);
    /* the same for a word that only ends the line */
    start(CHIP(GK110));
    GO(FAULT, 0x20014000, 0xa140, 0x20034077, 0, 0x1000000, 7, 0x20044060, 8, 1, 0, DST, 0xa002406c,
       0x1021, 0x44434241, 0x20014060, 4, 0x6002406d, 0x48474645, 0x4c4b4a49);
    EQUAL(ch.pbdma.count, 2);
    more[0] = 0;
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    ch.puller.fault = GPUCMD_OK;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(more[0], 7);
    CHECK(holds(DST, "ABCD...."));
    CHECK(!ch.engines[2].inlining);
}

/* A line of an upload that ends in the next region. Without that region nothing is written. */
static void inline_across(void)
{
    for (unsigned n = 2; n > 0; n--) {
        const uint64_t end = BASE + RAM_BYTES;
        uint8_t more[16] = {0};
        gpucmd_region regions[2] = {
            {0, 0,           NULL, 0                                       },
            {0, sizeof more, more, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE}
        };
        start(CHIP(GK110));
        regions[0] = region;
        regions[1].va = end;
        CHECK(gpucmd_mem_init(&mem, regions, n) == GPUCMD_OK);
        const gpucmd_run run = RUN(0x20014000, 0xa140, 0x20044060, 8, 1, 0, (uint32_t)end - 4,
                                   0xa003406c, 1, 0x44434241, 0x48474645);
        EQUAL(run, n == 2 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        CHECK(holds(end - 4, n == 2 ? "ABCD" : "...."));
        CHECK(memcmp(more, n == 2 ? "EFGH\0\0\0" : "\0\0\0\0\0\0\0", 8) == 0);
    }
}

/* A tiled line of 300 bytes, in five GOBs of 64 bytes by 8 lines: the end of the last stays. */
static void inline_tiled(void)
{
    uint32_t words[17 + 75 + 1] = {0x20014000, 0xa140, 0x200c4060, 300, 1, 0, DST,        0, 0,
                                   320,        8,      1,          0,   0, 0, 0x2001406c, 0};
    words[17] = 0x604b406d;
    for (uint32_t i = 0; i < 75; i++) {
        words[18 + i] = 0x01010101 * ('A' + i / 16);
    }
    start(CHIP(GK110));
    memset(ram + (DST - BASE), '-', 5 * 512);
    EQUAL(run_words(words, 18 + 75), GPUCMD_RUN_IDLE);
    for (uint32_t i = 0; i < 5 * 512; i++) {
        const bool in = i % 512 < (i / 512 < 4 ? 64 : 44);
        EQUAL(ram[DST - BASE + i], in ? 'A' + i / 512 : '-');
    }
}

/* The search for releasers includes the writes of uploads. */
static void would_release(const uint32_t *uploads, uint32_t n_dw, bool satisfies)
{
    static const uint32_t waits[] = {0x20040004, 0, SEM, 5, 1};
    static gpucmd_nv_channel two[2], scratch;
    gpucmd_nv_blocked rows[2];
    gpucmd_nv_report report;
    start(CHIP(GK110));
    memset(&report, 0, sizeof report);
    memset(rows, 0, sizeof rows);
    report.rows = rows;
    report.cap = 2;
    report.scratch = &scratch;
    report.look_ahead = 100;
    gpucmd_store_words(ram, waits, 5, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(ram + 0x100, uploads, n_dw, GPUCMD_LITTLE_ENDIAN);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(gpucmd_nv_channel_init(&two[i], CHIP(GK110), &card) == GPUCMD_OK);
        two[i].id = i;
        two[i].pbdma.gp_base = RING + 0x80 * i;
        two[i].pbdma.limit2 = 4;
        two[i].pbdma.gp_put = 1;
        poke(RING + 0x80 * i, BASE + 0x100 * i);
        poke(RING + 0x80 * i + 4, (i == 0 ? 5u : n_dw) << 10);
    }
    card.quantum = 8;
    EQUAL(gpucmd_nv_run_all(two, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 2);
    EQUAL(rows[0].releaser, 1);
    EQUAL(rows[0].satisfies, satisfies);
    EQUAL(rows[1].releaser, GPUCMD_NV_NO_CHANNEL);
}

static void upload_would_release(void)
{
    static const uint32_t linear[] = {0x20040004, 0,      SEM + 16,   5, 1,
                                      0x20014000, 0xa140, 0x20044060, 4, 1,
                                      0,          SEM,    0xa002406c, 1, 5};
    /* a line of 128 bytes in two GOBs of 64 bytes by 8 lines: the second begins at SEM */
    static const uint32_t tiled_line[] = {
        0x20040004, 0, SEM + 0x400, 5,   1, 0x20014000, 0xa140, 0x200c4060, 128, 1,          0,
        SEM - 512,  0, 0,           128, 8, 1,          0,      0,          0,   0x2001406c, 0,
        0x6020406d, 0, 0,           0,   0, 0,          0,      0,          0,   0,          0,
        0,          0, 0,           0,   0, 0,          5,      0,          0,   0,          0,
        0,          0, 0,           0,   0, 0,          0,      0,          0,   0,          0};
    would_release(linear, sizeof linear / 4, true);
    would_release(tiled_line, sizeof tiled_line / 4, false);
}

int main(void)
{
    upper_halves();
    launch_fields();
    physical();
    render_enable();
    wide_payloads();
    reductions();
    order();
    traced_writes();
    lines();
    remaps();
    wide_origins();
    origins();
    tiled_elements();
    no_objects();
    formats();
    buffer_notify();
    dma_objects();
    chosen_objects();
    m2mf_gf100();
    inline_fields();
    inline_again();
    inline_across();
    inline_tiled();
    upload_would_release();
    return test_report("nv_moves");
}

/* Host methods of every generation: their effect on memory and channel, the conditions under which
 * they block, and the errors of each chip. Words and expected values are typed from the sources. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

/* Expect an error of the chip; then recovery drops the word. */
static void expect_intr(uint32_t bit)
{
    EQUAL(ch.pbdma.intr, bit);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000000), GPUCMD_RUN_IDLE);
}

static void expect_error(gpucmd_nv_host_error error, uint32_t code)
{
    EQUAL(ch.puller.error, error);
    EQUAL(gpucmd_nv_host_error_code(ch.puller.error), code);
    EQUAL(gpucmd_nv_host_error_code((gpucmd_nv_host_error)9999), 0);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000000), GPUCMD_RUN_IDLE);
}

#define PUT(off, v) poke(SEM + (off), (v))

/* GV100 and later: SEM_ADDR_LO .. SEM_EXECUTE at SEM. */
#define SEM5(lo, hi, execute) 0x20050017, SEM, 0, (lo), (hi), (execute)

/* Memory value, payload, and whether the operation ends the wait. */
typedef struct acquire_row {
    uint32_t execute;
    uint64_t memory;
    uint64_t payload;
    bool ends;
} acquire_row;

static void volta_acquire(void)
{
    static const acquire_row rows[] = {
        {0x00000000, 5,           5,                  true }, /* ACQUIRE: S == P */
        {0x00000000, 5,           6,                  false},
        {0x00000000, 0x100000005, 5,                  true }, /* 32 bits only */
        {0x01000000, 0x100000005, 5,                  false}, /* 64 bits */
        {0x01000000, 0x100000005, 0x100000005,        true },
        {0x00000002, 5,           0xfffffff0,         false}, /* STRICT_GEQ: unsigned */
        {0x00000002, 0xfffffff0,  5,                  true },
        {0x00000003, 5,           0xfffffff0,         true }, /* CIRC_GEQ: wraps */
        {0x00000003, 0xfffffff0,  5,                  false},
        {0x00000003, 0x80000005,  5,                  false},
        {0x00000003, 0x80000004,  5,                  true },
        {0x01000003, 5,           0xfffffffffffffff0, true },
        {0x01000003, 5,           0xfffffff0,         false},
        {0x01000002, 0x100000000, 0xffffffff,         true },
        {0x00000004, 6,           2,                  true }, /* AND */
        {0x00000004, 5,           2,                  false},
        {0x01000004, 0x200000000, 0x200000000,        true },
        {0x00000004, 0x200000000, 0,                  false},
        {0x00000005, 0,           2,                  true }, /* NOR: a bit clear in both */
        {0x00000005, 0xfffffffd,  2,                  false},
        {0x01000005, 0xfffffffd,  2,                  true },
        {0x02000000, 5,           5,                  true }, /* an acquire ignores the time bit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const acquire_row *r = &rows[i];
        start(GPUCMD_NV_CHIP_GV100);
        PUT(0, (uint32_t)r->memory);
        PUT(4, (uint32_t)(r->memory >> 32));
        EQUAL(RUN(SEM5((uint32_t)r->payload, (uint32_t)(r->payload >> 32), r->execute)),
              r->ends ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
        EQUAL(ch.puller.wait.active, !r->ends);
        if (!r->ends) {
            EQUAL(ch.puller.wait.va, SEM);
            EQUAL(ch.pbdma.pb_get, BASE + 20); /* SEM_EXECUTE is executed again */
        }
        EQUAL(peek64(SEM), r->memory);
    }
}

static void volta_release(void)
{
    /* [C36F] RELEASE: 4 bytes; 8 with PAYLOAD_SIZE; 16 with RELEASE_TIMESTAMP */
    start(GPUCMD_NV_CHIP_TU102);
    PUT(4, 0x77);
    GO(IDLE, SEM5(0x2a, 0x99, 0x00000001));
    EQUAL(peek(SEM), 0x2a);
    EQUAL(peek(SEM + 4), 0x77);
    GO(IDLE, SEM5(0x2b, 0x99, 0x01100001));
    EQUAL(peek64(SEM), 0x990000002bull);
    PUT(8, 0);
    GO(IDLE, SEM5(0x2c, 0x99, 0x02000001));
    EQUAL(peek64(SEM), 0x2c);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    card.clock_ns = 1;
    GO(IDLE, SEM5(0x2d, 0x98, 0x03100001));
    EQUAL(peek64(SEM), 0x980000002dull);
    EQUAL(peek64(SEM + 8), 1);
    /* address bits 39:32; 56:32 on GH100 */
    GO(FAULT, 0x20050017, SEM, 1, 5, 0, 1);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x100000000ull + SEM);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    GO(IDLE, 0x20050017, SEM + 0x20, 0x100, 5, 0, 1);
    EQUAL(peek(SEM + 0x20), 5);
    start(GPUCMD_NV_CHIP_GH100);
    GO(FAULT, 0x20050017, SEM + 0x20, 0x100, 5, 0, 1);
    EQUAL(mem.fault_va, 0x10000000000ull + SEM + 0x20);
}

static void volta_alignment(void)
{
    static const struct {
        uint32_t off, execute;
        bool good;
    } rows[] = {
        {4,  0x00000001, true },
        {4,  0x01000001, false},
        {8,  0x01000001, true },
        {8,  0x02000001, false},
        {16, 0x02000001, true },
        {4,  0x01000000, false},
        {4,  0x02000000, true },
        {8,  0x03000003, true },
        {8,  0xaa000006, false},
        {0,  0x00000007, false},
        {0,  0xc0000006, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(GPUCMD_NV_CHIP_GA102);
        EQUAL(RUN(0x20050017, SEM + rows[i].off, 0, 0, 0, rows[i].execute),
              rows[i].good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        if (!rows[i].good) {
            expect_intr(1u << 25);
        }
    }
}

/* mem, payload, result; signed 32, unsigned 32, signed 64, unsigned 64 in turn; -: unsupported. */
static void volta_reduction(void)
{
    static const struct {
        uint32_t execute;
        uint64_t v, p, want;
        bool good;
    } rows[] = {
        {0x00000006, 0xffffffff,   1,                  0xffffffff,         true }, /* IMIN signed: -1 < 1 */
        {0x80000006, 0xffffffff,   1,                  1,                  true }, /* IMIN unsigned */
        {0x01000006, 1,            0x8000000000000000, 0x8000000000000000, true },
        {0x81000006, 1,            0x8000000000000000, 1,                  true },
        {0x08000006, 0xffffffff,   1,                  1,                  true }, /* IMAX signed */
        {0x88000006, 0xffffffff,   1,                  0xffffffff,         true },
        {0x10000006, 0xf0,         0xff,               0x0f,               true }, /* IXOR */
        {0x18000006, 0xf0,         0x3c,               0x30,               true }, /* IAND */
        {0x21000006, 0xf000000000, 0x0f,               0xf00000000f,       true }, /* IOR 64 */
        {0xa8000006, 0xffffffff,   2,                  1,                  true }, /* IADD u32 wraps */
        {0x28000006, 3,            4,                  7,                  true }, /* IADD s32 */
        {0xa9000006, 0xffffffff,   2,                  0x100000001,        true }, /* IADD u64 */
        {0x29000006, 3,            4,                  3,                  false}, /* IADD s64 */
        {0xb0000006, 4,            5,                  5,                  true }, /* INC: v < p */
        {0xb0000006, 5,            5,                  0,                  true }, /* INC: v >= p */
        {0x30000006, 4,            5,                  4,                  false}, /* INC signed */
        {0xb1000006, 4,            5,                  4,                  false}, /* INC 64 */
        {0xb8000006, 4,            5,                  3,                  true }, /* DEC */
        {0xb8000006, 0,            5,                  5,                  true },
        {0xb8000006, 6,            5,                  5,                  true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(GPUCMD_NV_CHIP_GV100);
        PUT(0, (uint32_t)rows[i].v);
        PUT(4, (uint32_t)(rows[i].v >> 32));
        EQUAL(RUN(SEM5((uint32_t)rows[i].p, (uint32_t)(rows[i].p >> 32), rows[i].execute)),
              rows[i].good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(peek64(SEM), rows[i].want);
        if (!rows[i].good) {
            expect_intr(1u << 25);
        }
    }
    /* with a time: it goes to + 8, + 4 stays on the 32-bit form */
    start(GPUCMD_NV_CHIP_GV100);
    PUT(0, 3);
    PUT(4, 0x55);
    GO(IDLE, SEM5(4, 0, 0xaa000006));
    EQUAL(peek64(SEM), 0x5500000007ull);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
}

/* GF100 and later: SEMAPHOREA..D at SEM. */
#define SEM4(payload, d) 0x20040004, 0, SEM, (payload), (d)

static void fermi_semaphore(void)
{
    start(GPUCMD_NV_CHIP_GF100);
    PUT(4, 0x77);
    GO(IDLE, SEM4(5, 0x00000002)); /* 16 bytes with time */
    EQUAL(peek64(SEM), 5);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    PUT(4, 0x77);
    GO(IDLE, SEM4(6, 0x01100002)); /* 4 bytes */
    EQUAL(peek64(SEM), 0x7700000006ull);
    GO(IDLE, SEM4(6, 0x00001001));
    GO(IDLE, SEM4(5, 0x00001004)); /* circular */
    GO(IDLE, SEM4(0xfffffff0, 0x00000004));
    GO(IDLE, SEM4(2, 0x00000008));
    GO(BLOCKED, SEM4(7, 0x00001004));
    EQUAL(ch.puller.wait.op, GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ);
    EQUAL(ch.puller.wait.ctxsw, true);
    PUT(0, 7);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(ch.puller.wait.active, false);
    GO(BLOCKED, SEM4(8, 0x00000008));
    PUT(0, 8);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    /* any dword-aligned address; bits 1:0 do not exist */
    GO(IDLE, 0x20040004, 0, SEM + 7, 9, 2);
    EQUAL(peek(SEM + 4), 9);
    /* values without a row: 3, 5, 0 */
    GO(FAULT, SEM4(1, 3));
    expect_intr(1u << 25);
    GO(FAULT, SEM4(1, 0));
    expect_intr(1u << 25);
    /* REDUCTION: GK110 until GK20A, GM107 and later; the older field has 4 bits */
    GO(FAULT, SEM4(1, 0xa8000010));
    expect_intr(1u << 25);
    start(GPUCMD_NV_CHIP_GK20A);
    GO(FAULT, SEM4(1, 0xa8000010));
    expect_intr(1u << 25);
    start(GPUCMD_NV_CHIP_GK110);
    PUT(0, 3);
    GO(IDLE, SEM4(4, 0xa8000010));
    EQUAL(peek(SEM), 7);
    start(GPUCMD_NV_CHIP_GM107);
    PUT(0, 3);
    GO(IDLE, SEM4(9, 0xb0000010)); /* INC */
    EQUAL(peek(SEM), 4);
    GO(FAULT, SEM4(9, 0x30000010)); /* INC has no signed form */
    expect_intr(1u << 25);
}

static void g84_semaphore(void)
{
    /* 0x00100010: INC 4 methods from 0x10 */
    start(GPUCMD_NV_CHIP_G84);
    GO(IDLE, 0x00100010, 0, SEM, 5, 2);
    EQUAL(peek64(SEM), 5);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    GO(IDLE, 0x00100010, 0, SEM, 5, 1);
    GO(IDLE, 0x00100010, 0, SEM, 0xfffffff0, 4);
    GO(BLOCKED, 0x00100010, 0, SEM, 6, 4);
    PUT(0, 6);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    GO(IDLE, 0x00100010, 0, SEM, 7, 0xa); /* 3 bits: a RELEASE */
    EQUAL(peek(SEM), 7);
    GO(FAULT, 0x00100010, 0x100, SEM, 8, 2);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE, 3);
    EQUAL(peek(SEM), 8); /* the words after the dropped one were executed */
    GO(FAULT, 0x00080010, 0, SEM + 2);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED, 1);
    GO(FAULT, 0x00100010, 0, 0x10, 8, 2);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT, 4);
    GO(BLOCKED, 0x00100010, 0, SEM, 8, 3); /* hangs the channel */
    EQUAL(ch.puller.wait.op, GPUCMD_NV_SEM_OP_NONE);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_BLOCKED);
    start(GPUCMD_NV_CHIP_MCP89);
    GO(BLOCKED, 0x00100010, 0, SEM, 7, 0xa); /* 4 bits */
    /* big-endian PFIFO: both words of the pair and the time */
    start(GPUCMD_NV_CHIP_G84);
    ch.pusher.pfifo_endian = true;
    GO(IDLE, 0x00100010, 0, SEM, 0x01020304, 2);
    EQUAL(peek(SEM), 0x04030201);
    EQUAL(gpucmd_load64(ram + 0x8008, GPUCMD_BIG_ENDIAN), 0x123456789abcull);
}

static void nv1a_semaphore(void)
{
    /* 0x000c0060: 3 methods from 0x60; DMA_SEMAPHORE, OFFSET, ACQUIRE. 0x0004006c: RELEASE */
    start(GPUCMD_NV_CHIP_NV1A);
    GO(FAULT, 0x0004006c, 1);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_STATE, 2);
    GO(FAULT, 0x00040060, 0x12345678);
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH, 0);
    GO(FAULT, 0x00040060, 0xbeef0003); /* not class 2 */
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND, 1);
    GO(IDLE, 0x00080060, 0xbeef0002, 0x10, 0x0004006c, 5);
    EQUAL(peek(SEM + 0x10), 5);
    GO(IDLE, 0x00040068, 5);
    GO(BLOCKED, 0x00040068, 6);
    EQUAL(ch.puller.wait.va, SEM + 0x10);
    PUT(0x10, 6);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    GO(FAULT, 0x00040064, 0x1000); /* v & ~0xffc */
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND, 1);
    GO(FAULT, 0x00040064, 2);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND, 1);
    GO(IDLE, 0x00040064, 0xffc);
    ch.pusher.big_endian = true;
    GO(IDLE, 0x0004006c, 0x01020304);
    EQUAL(peek(SEM + 0xffc), 0x04030201);
    /* G80: offset of 16 bits, other errors; the class is not checked */
    start(GPUCMD_NV_CHIP_G80);
    GO(FAULT, 0x0004006c, 1);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_STATE, 2);
    GO(FAULT, 0x00040064, 2);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED, 1);
    GO(FAULT, 0x00040064, 0x10000);
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE, 3);
    GO(IDLE, 0x00080060, 0xfeed0000, 0x2000, 0x00040060, 0xbeef003d, 0x00040064, 0xffc, 0x0004006c,
       9);
    EQUAL(peek(SEM + 0xffc), 9);
    GO(FAULT, 0x00040064, 0x1000, 0x0004006c, 10); /* beyond the object */
    expect_error(GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT, 4);
    GO(IDLE, 0x00040064, 0xfffc);
    GO(FAULT, 0x00040060, 0x11110000);
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH, 0);
}

static void objects(void)
{
    static const uint32_t methods[] = {0x00040100, 1};
    /* before GF100: nothing bound, unknown handle, software object */
    start(GPUCMD_NV_CHIP_NV40);
    EQUAL(run_words(methods, 2), GPUCMD_RUN_FAULT);
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL, 0);
}

static void objects_old(void)
{
    start(GPUCMD_NV_CHIP_NV40);
    GO(FAULT, 0x00040000, 0x33330039);
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH, 0);
    GO(FAULT, 0x00040000, 0xdead0001);
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL, 0);
    GO(IDLE, 0x00044000, 0xcafe0039);
    EQUAL(ch.engines[2].model, GPUCMD_NV_MODEL_M2MF_NV4);
    GO(FAULT, 0x00044180, 0x22220000); /* a handle that names nothing */
    expect_error(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH, 0);
    GO(IDLE, 0x00044180, 0xbeef003d);
    GO(IDLE, 0x00046000, 0xcafe1234, 0x000c6300, 7, 8, 9);
    EQUAL(got.last.kind, GPUCMD_EVENT_METHODS);
    EQUAL(got.last.unit, 3);
    EQUAL(got.last.addr, 0x300);
    EQUAL(got.last.count_dw, 3);
    EQUAL(got.data[2], 9);
    card.software = on_event;
    GO(IDLE, 0x00040000, 0xdead0001, 0x00040500, 0x77);
    EQUAL(got.last.addr, 0x500);
    EQUAL(got.data[0], 0x77);
}

static void objects_new(void)
{
    start(GPUCMD_NV_CHIP_GF100);
    GO(FAULT, 0x2001e000, 0x001f906e); /* engine 0x1f: software */
    expect_intr(1u << 23);
    GO(FAULT, 0x2001e140, 1);
    expect_intr(1u << 23);
    GO(IDLE, 0x20014000, 0x00009039);
    EQUAL(ch.engines[2].model, GPUCMD_NV_MODEL_M2MF_GF100);
    EQUAL(ch.engines[2].class_id, 0x9039);
    start(GPUCMD_NV_CHIP_GK104);
    EQUAL(ch.engines[4].class_id, 0xa0b5); /* bound from the beginning */
    GO(FAULT, 0x2001a000, 0x0000906e);     /* subchannels 5 to 7: software */
    expect_intr(1u << 23);
    GO(IDLE, 0x20014000, 0x001fa040); /* the engine is ignored */
    EQUAL(ch.engines[2].model, GPUCMD_NV_MODEL_INLINE);
    GO(IDLE, 0x20014000, 0x0000c5b5); /* the chip lacks this class: the callback gets it */
    EQUAL(ch.engines[2].model, GPUCMD_NV_MODEL_OTHER);
    start(GPUCMD_NV_CHIP_GA102);
    GO(IDLE, 0x20018000, 0x0000c7b5);
    EQUAL(ch.engines[4].class_id, 0xc7b5);
}

static void small_methods(void)
{
    start(GPUCMD_NV_CHIP_NV10);
    GO(IDLE, 0x00040050, 9);
    EQUAL(gpucmd_nv_channel_read32(&ch, GPUCMD_NV_AREA_REF), 9);
    start(GPUCMD_NV_CHIP_GF100);
    GO(IDLE, 0x20010014, 0x1234);
    EQUAL(gpucmd_nv_channel_read32(&ch, GPUCMD_NV_AREA_REF), 0x1234);
    GO(IDLE, 0x20010008, 0);
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_NON_STALL);
    EQUAL(got.last.unit, 3);
    GO(IDLE, 0x20010009, 0, 0x20010002, 5, 0x60040002, 0, 0, 0, 0, 0x60000002); /* FB_FLUSH, NOPs */
    GO(FAULT, 0x20010001, 0);                                                   /* ILLEGAL */
    expect_intr(1u << 21);
    GO(FAULT, 0x2001001e, 0); /* WFI: GK110 and later */
    expect_intr(1u << 21);
    GO(FAULT, 0x20010017, 0); /* SEM_ADDR_LO: GV100 and later */
    expect_intr(1u << 21);
    GO(FAULT, 0x80000003, 0); /* 0x0c */
    expect_intr(1u << 21);
    start(GPUCMD_NV_CHIP_GK110);
    GO(IDLE, 0x2001001e, 0x55);
    EQUAL(got.count, 0);
    /* without their state, CRC_CHECK and CLEAR_FAULTED are passed to the callback */
    GO(IDLE, 0x2001001f, 0x11223344);
    EQUAL(got.last.addr, 0x7c);
    EQUAL(got.data[0], 0x11223344);
    start(GPUCMD_NV_CHIP_GA100);
    GO(FAULT, 0x2001001f, 0);
    expect_intr(1u << 21);
    start(GPUCMD_NV_CHIP_GV100);
    got.answer = GPUCMD_BLOCKED;
    GO(BLOCKED, 0x20010021, 0x80000005);
    got.answer = GPUCMD_OK;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(got.data[0], 0x80000005);
}

/* Every method below 0x100 on one chip of each class: known methods are executed, others raise
 * METHOD. */
static void availability(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        const char *known; /* methods / 4, in base 64: 0-9 A-Z a-z + / */
    } rows[] = {
        {GPUCMD_NV_CHIP_GF100, "01245678"
                               "9AB"
                               "KVW"       },
        {GPUCMD_NV_CHIP_GK110, "01245678"
                               "9AB"
                               "KUVW"      },
        {GPUCMD_NV_CHIP_GK20A, "01245678"
                               "9AB"
                               "KSTUVW"    },
        {GPUCMD_NV_CHIP_GM107, "01245678"
                               "9AB"
                               "KUVW"      }, /* A16F as GK110; B06F begins with GM200 */
        {GPUCMD_NV_CHIP_GM204, "01245678"
                               "9CD"
                               "KUVW"      },
        {GPUCMD_NV_CHIP_GP100, "01245678"
                               "9ABCD"
                               "KUVW"      },
        {GPUCMD_NV_CHIP_GP10B, "01245678"
                               "9ABCD"
                               "KSTUVW"    },
        {GPUCMD_NV_CHIP_GV100, "01245678"
                               "9ABCD"
                               "KNOPQRUVWX"},
        {GPUCMD_NV_CHIP_GA100, "01245678"
                               "9ABCD"
                               "KNOPQRUW"  }, /* CLEAR_FAULTED is software's there [PBDMA] */
    };
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t m = 0; m < 64; m++) {
            const bool known = strchr(rows[i].known, digits[m]) != NULL;
            uint32_t syncpoints[1] = {0};
            uint32_t words[2];
            gpucmd_run run;
            start(rows[i].chip);
            card.syncpoints = syncpoints;
            card.syncpoint_count = 1;
            words[0] = 0x20010000 | m;
            words[1] = m == 7 || m == 0x1b ? 1 : m == 13 || m == 11 ? 0x28000000 : 0;
            PUT(0, 1);
            ch.puller.semaphore_address = SEM;
            ch.puller.sem_addr_lo = SEM;
            ch.puller.semaphore_sequence = 1;
            run = run_words(words, 2);
            if (known && m != 1) {
                EQUAL(run, GPUCMD_RUN_IDLE);
            } else {
                EQUAL(run, GPUCMD_RUN_FAULT);
                expect_intr(1u << 21);
            }
        }
    }
}

static void mem_ops(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint64_t good; /* bit op */
    } rows[] = {
        {GPUCMD_NV_CHIP_GF100, 0x1e260 },
        {GPUCMD_NV_CHIP_GK20A, 0x1c220 },
        {GPUCMD_NV_CHIP_GM107, 0x1e260 },
        {GPUCMD_NV_CHIP_GM204, 0x1e220 },
        {GPUCMD_NV_CHIP_GM206, 0x1e220 },
        {GPUCMD_NV_CHIP_GP100, 0x21e620},
        {GPUCMD_NV_CHIP_GP10B, 0x21e620},
        {GPUCMD_NV_CHIP_GV100, 0x61e620},
        {GPUCMD_NV_CHIP_TU102, 0x61e620},
        {GPUCMD_NV_CHIP_GA100, 0x61e620},
        {GPUCMD_NV_CHIP_GA102, 0x61ee20},
        {GPUCMD_NV_CHIP_GB100, 0x63ee20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t op = 0; op < 32; op++) {
            const bool good = (rows[i].good >> op & 1) != 0;
            const gpucmd_run want = good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT;
            start(rows[i].chip);
            if (rows[i].chip >= GPUCMD_NV_CHIP_GP100) {
                EQUAL(RUN(0x2004000a, 0, 0, 0, op << 27), want);
            } else if (rows[i].chip >= GPUCMD_NV_CHIP_GM204) {
                EQUAL(RUN(0x2002000c, 0, op << 27), want);
            } else {
                EQUAL(RUN(0x2002000a, 0, op << 27), want);
            }
            if (!good) {
                expect_intr(1u << 21); /* METHOD (MODEL) */
            }
        }
    }
}

static void yields(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        unsigned good;
    } rows[] = {
        {GPUCMD_NV_CHIP_GF100, 1 },
        {GPUCMD_NV_CHIP_GM107, 1 },
        {GPUCMD_NV_CHIP_GM204, 15},
        {GPUCMD_NV_CHIP_GP100, 15},
        {GPUCMD_NV_CHIP_GV100, 13},
        {GPUCMD_NV_CHIP_TU102, 13},
        {GPUCMD_NV_CHIP_GA100, 11},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t op = 0; op < 4; op++) {
            start(rows[i].chip);
            EQUAL(RUN(0x20010020, op, 0x20010014, 7),
                  (rows[i].good >> op & 1) != 0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            if ((rows[i].good >> op & 1) == 0) {
                expect_intr(1u << 21);
            }
            EQUAL(ch.pbdma.ref, 7);
        }
    }
    start(GPUCMD_NV_CHIP_NV40);
    GO(IDLE, 0x00040080, 0xffffffff, 0x00040050, 7);
    EQUAL(ch.pusher.ref, 7);
}

static void syncpoints(void)
{
    uint32_t sp[4] = {0, 0, 5, 0};
    start(GPUCMD_NV_CHIP_GK20A);
    card.syncpoints = sp;
    card.syncpoint_count = 4;
    GO(IDLE, 0x2002001c, 0, 0x00000201); /* INCR of 2 */
    EQUAL(sp[2], 6);
    GO(IDLE, 0x2002001c, 6, 0x00000210); /* WAIT */
    GO(BLOCKED, 0x2002001c, 7, 0x00000210);
    sp[2]++;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    GO(FAULT, 0x2002001c, 7, 0x00000410);
    expect_intr(1u << 21);
    start(GPUCMD_NV_CHIP_GP10B);
    card.syncpoints = sp;
    card.syncpoint_count = 4;
    GO(FAULT, 0x2002001c, 7, 0x00010010);
    expect_intr(1u << 28);
}

/* A run is accepted up to the word that blocks. Single steps give an equal result. */
static void exact_blocking(void)
{
    static const uint32_t words[] = {0x20010014, 1, SEM5(5, 0, 0), 0x20010014, 2};
    start(GPUCMD_NV_CHIP_GA102);
    EQUAL(run_words(words, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(ch.pbdma.ref, 1);
    EQUAL(ch.pbdma.count, 1);
    EQUAL(ch.pbdma.mthd, 0x6c / 4);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_BLOCKED);
    PUT(0, 5);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
    EQUAL(ch.pbdma.ref, 1);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
    EQUAL(ch.pbdma.ref, 2);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_IDLE);
    /* a budget ends the run */
    start(GPUCMD_NV_CHIP_GA102);
    PUT(0, 5);
    submit(words, 10);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 3), GPUCMD_RUN_LIMIT);
    EQUAL(ch.pbdma.ref, 1);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(ch.pbdma.ref, 2);
    /* an acquire where the entry forbids switches: GF100 until GK104 */
    start(GPUCMD_NV_CHIP_GF100);
    poke(BASE, 0x20040004);
    poke(BASE + 8, SEM);
    poke(BASE + 16, 1);
    poke(RING, BASE | 2);
    poke(RING + 4, 5 << 10);
    ch.pbdma.gp_put = 1;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_FAULT);
    expect_intr(1u << 29);
}

/* A status that the callback returns stops the channel at the word. */
static void answers(void)
{
    start(GPUCMD_NV_CHIP_GF100);
    got.answer = GPUCMD_BLOCKED;
    got.take = 2;
    GO(BLOCKED, 0x20040040, 1, 2, 3, 4);
    EQUAL(ch.pbdma.count, 2);
    EQUAL(ch.pbdma.mthd, 0x108 / 4);
    got.answer = GPUCMD_INVALID;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(ch.puller.fault, GPUCMD_INVALID);
    EQUAL(got.data[0], 3);
    got.answer = GPUCMD_OK;
    ch.puller.fault = GPUCMD_OK;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(got.last.addr, 0x108);
    EQUAL(got.last.count_dw, 2);
}

/* A method run that starts with host methods continues with engine methods; shadows. */
static void shadows(void)
{
    static uint32_t shadow[GPUCMD_NV_SHADOW_DW];
    start(GPUCMD_NV_CHIP_GF100);
    ch.shadow = shadow;
    GO(FAULT, 0x2003203f, 1, 2, 3); /* from 0xfc, which is unknown, to 0x104 */
    expect_intr(1u << 21);
    EQUAL(got.last.addr, 0x100);
    EQUAL(got.last.count_dw, 2);
    EQUAL(shadow[0x1041], 3);
    for (uint32_t n = 1; n < 5; n++) { /* n unknown host methods, then 0x100 of the engine */
        const uint32_t words[] = {0x20002040u - n + ((n + 1) << 16), 1, 2, 3, 4, 5};
        start(GPUCMD_NV_CHIP_GF100);
        EQUAL(run_words(words, n + 2), GPUCMD_RUN_FAULT);
        for (uint32_t i = 0; i < n; i++) {
            gpucmd_nv_channel_clear(&ch);
            (void)gpucmd_nv_channel_run(&ch, &env, 100);
        }
        EQUAL(got.last.addr, 0x100);
        EQUAL(got.last.count_dw, 1);
        EQUAL(got.data[0], n + 1);
    }
    start(GPUCMD_NV_CHIP_GF100);
    ch.shadow = shadow;
    memset(shadow, 0, sizeof shadow);
    GO(IDLE, 0x20022040, 11, 22, 0x60032041, 7, 8, 9, 0x8005e050, 0xa0032060, 31, 32, 33);
    EQUAL(shadow[0x1040], 11);
    EQUAL(shadow[0x1041], 9);
    EQUAL(shadow[0x7050], 5);
    EQUAL(shadow[0x1060], 31);
    EQUAL(shadow[0x1061], 33);
}

/* Execute the known-good sequences of drivers. */
static void driver_sequences(void)
{
    const uint32_t hi = 0x7f;
    gpucmd_region regions[2];
    static uint8_t far_ram[0x1000];
    /* tinygrad signal: release 64-bit 0x2a with time, then interrupt; then its wait for 0x2b */
    start(GPUCMD_NV_CHIP_GA102);
    regions[0] = region;
    regions[1].va = 0x7f12345000ull;
    regions[1].bytes = sizeof far_ram;
    regions[1].host = far_ram;
    regions[1].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    GO(IDLE, 0x20050017, 0x12345670, hi, 0x2a, 0, 0x03100001, 0x20010008, 0);
    EQUAL(gpucmd_load64(far_ram + 0x670, GPUCMD_LITTLE_ENDIAN), 0x2a);
    EQUAL(gpucmd_load64(far_ram + 0x678, GPUCMD_LITTLE_ENDIAN), 0x123456789abcull);
    EQUAL(got.interrupts, 1);
    GO(BLOCKED, 0x20050017, 0x12345670, hi, 0x2b, 0, 0x01000003);
    EQUAL(ch.puller.wait.va, 0x7f12345670ull);
    far_ram[0x670] = 0x2c;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    /* poll_bit */
    GO(IDLE, 0x20050017, 0x12345670, hi, 4, 0, 0x00000004);
    GO(IDLE, 0x20050017, 0x12345670, hi, 1, 0, 0x00000005);
    /* nouveau on Fermi: fence with interrupt, wait */
    start(GPUCMD_NV_CHIP_GF100);
    GO(IDLE, 0x20050004, 0, SEM, 5, 2, 0);
    EQUAL(peek(SEM), 5);
    EQUAL(got.interrupts, 1);
    GO(IDLE, 0x20040004, 0, SEM, 5, 0x1004);
    /* UVM driver: MEM_OP with MEMBAR and L2_FLUSH_DIRTY, and NOP as padding */
    start(GPUCMD_NV_CHIP_TU102);
    GO(IDLE, 0x2004000a, 0, 0, 0, 0x28000000, 0x2004000a, 0, 0, 1, 0x28000000, 0x2004000a, 0, 0, 0,
       0x80000000, 0x60000002, 0x60040002, 0, 0, 0, 0);
}

/* A semaphore whose value, or whose value and time, lie in two regions; the second region is read-only
 * in the end. */
static void two_regions(void)
{
    for (uint32_t split = 2; split <= 14; split += 2) {
        gpucmd_region regions[3];
        static uint8_t other[64];
        uint8_t whole[16];
        start(GPUCMD_NV_CHIP_GA102);
        memset(other, 0x11, sizeof other);
        regions[0] = region;
        regions[0].bytes = SEM + split - BASE;
        regions[1] = region;
        regions[1].va = SEM + split;
        regions[1].bytes = sizeof other;
        regions[1].host = other;
        regions[2] = region;
        regions[2].va = SEM + split + sizeof other;
        regions[2].bytes = BASE + RAM_BYTES - regions[2].va;
        regions[2].host = ram + (regions[2].va - BASE);
        CHECK(gpucmd_mem_init(&mem, regions, 3) == GPUCMD_OK);
        GO(IDLE, SEM5(0x55667788, 0x11223344, 0x03000001));
        memcpy(whole, ram + (SEM - BASE), split);
        memcpy(whole + split, other, 16 - split);
        EQUAL(gpucmd_load64(whole, GPUCMD_LITTLE_ENDIAN), 0x1122334455667788u);
        EQUAL(gpucmd_load64(whole + 8, GPUCMD_LITTLE_ENDIAN), 0x123456789abcull);
        EQUAL(other[16 - split], 0x11);
        regions[1].access_mask = GPUCMD_ACCESS_READ;
        GO(FAULT, SEM5(1, 2, 0x03000001));
        CHECK(memcmp(ram + (SEM - BASE), whole, split) == 0);
    }
}

/* The enum of host methods agrees with the rows. */
static void names(void)
{
#define SAME(name, chip)                                                                           \
    CHECK(strcmp(gpucmd_nv_host_method_name(GPUCMD_NV_CHIP_##chip, GPUCMD_NV_HOST_##name),         \
                 #name) == 0)
    SAME(SET_OBJECT, GV100);
    SAME(ILLEGAL, GV100);
    SAME(NOP, GV100);
    SAME(SEMAPHOREA, GV100);
    SAME(SEMAPHOREB, GV100);
    SAME(SEMAPHOREC, GV100);
    SAME(SEMAPHORED, GV100);
    SAME(NON_STALL_INTERRUPT, GV100);
    SAME(FB_FLUSH, GV100);
    SAME(MEM_OP_A, GV100);
    SAME(MEM_OP_B, GV100);
    SAME(MEM_OP_C, GV100);
    SAME(MEM_OP_D, GV100);
    SAME(REF_CNT, GV100);
    SAME(SEM_ADDR_LO, GV100);
    SAME(SEM_ADDR_HI, GV100);
    SAME(SEM_PAYLOAD_LO, GV100);
    SAME(SEM_PAYLOAD_HI, GV100);
    SAME(SEM_EXECUTE, GV100);
    SAME(DMA_SEMAPHORE, NV1A);
    SAME(SEMAPHORE_OFFSET, NV1A);
    SAME(SEMAPHORE_ACQUIRE, NV1A);
    SAME(SEMAPHORE_RELEASE, NV1A);
    SAME(SYNCPOINTA, GK20A);
    SAME(SYNCPOINTB, GK20A);
    SAME(WFI, GV100);
    SAME(CRC_CHECK, GV100);
    SAME(YIELD, GV100);
    SAME(CLEAR_FAULTED, GV100);
    CHECK(strcmp(gpucmd_nv_sem_op_name(GPUCMD_NV_SEM_OP_ACQ_NOR), "ACQ_NOR") == 0);
    CHECK(strcmp(gpucmd_nv_host_error_name(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH), "CACHE_NO_HASH") ==
          0);
    CHECK(gpucmd_nv_host_error_text(GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH)[0] == 'n');
}

#define CHIP(name) GPUCMD_NV_CHIP_##name

enum { RULES = GPUCMD_NV_RULE_QMD_TASKS + 1 };
static unsigned found[RULES];
static gpucmd_nv_finding last_found;
static uint64_t last_released[4];

static gpucmd_status on_found(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found[finding->rule]++;
    last_found = *finding;
    return GPUCMD_OK;
}

/* Check two streams (b may be empty); expect exactly one finding, of this rule; none: -1. */
static void finds(gpucmd_nv_chip chip, const uint32_t *a, size_t a_dw, const uint32_t *b,
                  size_t b_dw, int rule)
{
    const gpucmd_nv_stream streams[2] = {
        {a, a_dw, BASE         },
        {b, b_dw, BASE + 0x1000}
    };
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors = 9;
    unsigned sum = 0;
    memset(&check, 0, sizeof check);
    memset(last_released, 0, sizeof last_released);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, chip, false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.released = last_released;
    check.cap = 4;
    check.found = on_found;
    check.object = find_object;
    test_dirty();
    CHECK(gpucmd_nv_check_host(&gate, streams, 2, &check, &errors) == GPUCMD_OK);
    for (int i = 0; i < RULES; i++) {
        sum += found[i];
        EQUAL(found[i], i == rule);
    }
    EQUAL(sum, rule >= 0);
    EQUAL(errors,
          rule >= 0 && gpucmd_nv_rule_severity((gpucmd_nv_rule)rule) == GPUCMD_SEVERITY_ERROR);
}

/* Of a semaphore of 16 bytes with a time nothing is written if one half cannot be. */
static void half_semaphores(void)
{
    static const uint32_t executes[] = {0x02000001, 0x03000001, 0xaa000006, 0xab000006};
    for (size_t i = 0; i < sizeof executes / sizeof executes[0]; i++) {
        for (uint32_t half = 0; half < 2; half++) { /* the one that is not there */
            static gpucmd_region parts[2];
            start(CHIP(GV100));
            parts[0] = parts[1] = region;
            parts[0].bytes = SEM + 8 * half - BASE;
            parts[1].va = SEM + 8 + 8 * half;
            parts[1].host = ram + (parts[1].va - BASE);
            parts[1].bytes = BASE + RAM_BYTES - parts[1].va;
            CHECK(gpucmd_mem_init(&mem, parts, 2) == GPUCMD_OK);
            (void)RUN(SEM5(5, 0, executes[i]));
            EQUAL(ch.puller.fault, GPUCMD_FAULT);
            EQUAL(peek64(SEM), 0);
            EQUAL(peek64(SEM + 8), 0);
        }
    }
}

#define FINDS(chip, rule, ...)                                                                     \
    finds(CHIP(chip), (const uint32_t[]){__VA_ARGS__},                                             \
          sizeof((const uint32_t[]){__VA_ARGS__}) / 4, NULL, 0, rule)
#define RULE(name) GPUCMD_NV_RULE_##name
#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)

/* A release of 4, 8 or 16 bytes and an acquire of 4 or 8 bytes that overlap in part. */
static void check_host_parts(void)
{
    static const struct {
        uint32_t release_off, release_op;
        uint32_t acquire_off, acquire_op;
        int rule;
    } rows[] = {
        {0, 0x00000001, 0,  0x00000000, -1                      }, /* 4 and 4 bytes */
        {4, 0x00000001, 0,  0x00000000, RULE(SEM_NEVER_RELEASED)},
        {0, 0x00000001, 4,  0x00000000, RULE(SEM_NEVER_RELEASED)},
        {4, 0x00000001, 0,  0x01000000, -1                      }, /* 4 and 8 */
        {8, 0x00000001, 0,  0x01000000, RULE(SEM_NEVER_RELEASED)},
        {0, 0x00000001, 8,  0x01000000, RULE(SEM_NEVER_RELEASED)},
        {0, 0x01000001, 4,  0x00000000, -1                      }, /* 8 and 4 */
        {0, 0x01000001, 8,  0x00000000, RULE(SEM_NEVER_RELEASED)},
        {0, 0x02000001, 12, 0x00000000, -1                      }, /* 16 and 4 */
        {0, 0x02000001, 16, 0x00000000, RULE(SEM_NEVER_RELEASED)},
        {0, 0x02000001, 8,  0x01000000, -1                      },
        {0, 0xa9000006, 4,  0x00000000, -1                      }, /* addition of 8 bytes */
    };
    static const uint32_t g84[] = {0x00100010, 0, SEM, 5, 2};
    static const uint32_t g84_behind[] = {0x00100010, 0, SEM + 8, 5, 4};
    static const uint32_t g84_far[] = {0x00100010, 0, SEM + 16, 5, 4};
    static const uint32_t fermi_long[] = {0x20040004, 0, SEM, 5, 0x00000002};
    static const uint32_t fermi_short[] = {0x20040004, 0, SEM, 5, 0x01000002};
    static const uint32_t fermi_behind[] = {0x20040004, 0, SEM + 4, 5, 0x00000001};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t release[] = {0x20050017, SEM + rows[i].release_off, 0, 5,
                                    0,          rows[i].release_op};
        const uint32_t acquire[] = {0x20050017, SEM + rows[i].acquire_off, 0, 5,
                                    0,          rows[i].acquire_op};
        finds(CHIP(GV100), acquire, 6, release, 6, rows[i].rule);
        if (rows[i].rule >= 0) {
            EQUAL(last_found.value, SEM + rows[i].acquire_off);
        }
    }
    finds(CHIP(G84), g84_behind, 5, g84, 5, -1);
    finds(CHIP(G84), g84_far, 5, g84, 5, RULE(SEM_NEVER_RELEASED));
    finds(CHIP(GF100), fermi_behind, 5, fermi_long, 5, -1);
    finds(CHIP(GF100), fermi_behind, 5, fermi_short, 5, RULE(SEM_NEVER_RELEASED));
}

/* Each bit of an address, whichever half is set first. */
static void check_host_addresses(void)
{
    for (uint32_t bit = 2; bit < 40; bit++) {
        const uint64_t va = (uint64_t)1 << bit;
        const uint32_t lo = (uint32_t)va, hi = (uint32_t)(va >> 32);
        finds(CHIP(GF100),
              (const uint32_t[]){0x20010005, lo, 0x20010004, hi, 0x20020006, 5, 0x01000002}, 7,
              NULL, 0, -1);
        EQUAL(last_released[0], va);
        finds(CHIP(GV100), (const uint32_t[]){0x20020017, lo, hi, 0x20030019, 5, 0, 1}, 7, NULL, 0,
              -1);
        EQUAL(last_released[0], va);
        finds(CHIP(GV100), (const uint32_t[]){0x20010018, hi, 0x20010017, lo, 0x20030019, 5, 0, 1},
              8, NULL, 0, -1);
        EQUAL(last_released[0], va);
        finds(CHIP(GV100), (const uint32_t[]){0x20018091, lo, 0x20018090, hi, 0x200180c0, 8}, 6,
              NULL, 0, -1);
        EQUAL(last_released[0], va | 1); /* perhaps 8 bytes */
    }
}

/* Semaphores of engines are multiples of 4, those of copy engines with a time multiples of 16. */
static void check_host_alignment(void)
{
    for (uint32_t off = 0; off < 16; off++) {
        const uint32_t va = SEM + off;
        const int four = off % 4 != 0 ? RULE(SEM_MISALIGNED) : -1;
        finds(CHIP(GV100), (const uint32_t[]){0x20028090, 0, va, 0x200180c0, 0x08}, 5, NULL, 0,
              four);
        finds(CHIP(GV100), (const uint32_t[]){0x20028090, 0, va, 0x200180c0, 0x10}, 5, NULL, 0,
              off != 0 ? RULE(SEM_MISALIGNED) : -1);
        finds(CHIP(GK110),
              (const uint32_t[]){0x20014000, 0xa140, 0x20024060, 4, 1, 0x20024077, 0, va,
                                 0x2001406c, 0x20},
              10, NULL, 0, four);
        finds(CHIP(GA102), (const uint32_t[]){0x20010000, 0xc797, 0x200406c0, 0, va, 5, 0}, 7, NULL,
              0, four);
        finds(CHIP(GF100), (const uint32_t[]){0x20010000, 0x902d, 0x200406c0, 0, va, 5, 0}, 7, NULL,
              0, -1); /* 2D has no reports */
    }
}

/* A subchannel without an object is reported once. From GK104 on subchannel 4 has one. */
static void check_host_unbound(void)
{
    for (uint32_t subc = 0; subc < 8; subc++) {
        const uint32_t words[] = {0x20010040 | subc << 13, 0, 0x20010040 | subc << 13, 0};
        finds(CHIP(GF100), words, 4, NULL, 0, RULE(UNBOUND_SUBCHANNEL));
        finds(CHIP(GK104), words, 4, NULL, 0, subc == 4 ? -1 : RULE(UNBOUND_SUBCHANNEL));
    }
}

/* A stream begins without the addresses of the stream before. */
static void check_host_begin(void)
{
    static const uint32_t fermi[] = {0x20040004, 0, SEM, 5, 0x01000002},
                          fermi_wait[] = {0x20010007, 1};
    static const uint32_t volta[] = {0x20050017, SEM, 0, 5, 0, 1}, volta_wait[] = {0x2001001b, 0};
    static const uint32_t old[] = {0x00080060, 7, 0x10}, old_wait[] = {0x00040068, 5};
    finds(CHIP(GF100), fermi, 5, fermi_wait, 2, RULE(SEM_NEVER_RELEASED));
    EQUAL(last_found.value, 0);
    finds(CHIP(GV100), volta, 6, volta_wait, 2, RULE(SEM_NEVER_RELEASED));
    EQUAL(last_found.value, 0);
    finds(CHIP(NV1A), old, 3, old_wait, 2, RULE(SEM_NOT_SET));
    EQUAL(last_found.value, (uint64_t)1 << 63);
}

/* Three semaphores that are released twice fit into the array; all are looked at. */
static void check_host_several(void)
{
    static const uint32_t places[] = {0, 16, 32, 32, 16, 0};
    uint32_t releases[36];
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t release[] = {0x20050017, SEM + places[i], 0, 5, 0, 1};
        memcpy(releases + 6 * i, release, sizeof release);
    }
    for (uint32_t off = 0; off < 64; off += 16) {
        const uint32_t wait[] = {0x20050017, SEM + off, 0, 5, 0, 0};
        finds(CHIP(GV100), wait, 6, releases, 36, off < 48 ? -1 : RULE(SEM_NEVER_RELEASED));
    }
}

/* SEMAPHOREB has bits 1:0. The bits of an element are the size of the release, and a wait ends at
 * its last byte. */
static void check_host_low_bits(void)
{
    static const uint32_t words[] = {
        0x20040004, 0, SEM + 3, 5, 0x01000002, 0x20040004, 0, SEM + 36, 5, 0x01000002,
        0x20040004, 0, SEM + 9, 5, 0x00000002, 0x20040004, 0, SEM + 33, 5, 0x00000001};
    const gpucmd_nv_stream stream = {words, 20, BASE};
    uint64_t released[4];
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors;
    memset(&check, 0, sizeof check);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(GF100), false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.released = released;
    check.cap = 4;
    check.found = on_found;
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
    EQUAL(released[0], SEM);
    EQUAL(released[1], SEM + 36);
    EQUAL(released[2], SEM + 8 + 2);
    EQUAL(found[GPUCMD_NV_RULE_SEM_MISALIGNED], 3);
    EQUAL(found[GPUCMD_NV_RULE_SEM_NEVER_RELEASED], 0);
}

/* Each bit of an offset belongs to the place of a semaphore, in whichever order object and offset
 * come; a new offset replaces the old one. */
static void check_host_offsets(void)
{
    for (uint32_t bit = 2; bit < 16; bit++) {
        const uint32_t off = 1u << bit;
        const uint32_t waits[] = {0x000c0060, 0xbeef0002, off, 5};
        const uint32_t reversed[] = {0x00040064, off, 0x00040060, 0xbeef0002, 0x0004006c, 5};
        const uint32_t replaced[] = {0x00080060, 0xbeef0002, ~off & 0xfffc, 0x00040064, off,
                                     0x0004006c, 5};
        const uint32_t gone[] = {0x00080060, 0xbeef0002, off, 0x00040064, 0, 0x0004006c, 5};
        const uint32_t both[] = {0x00080060, 0xbeef0002, off ^ 0xfffc, 0x0004006c, 5};
        finds(CHIP(G80), waits, 4, reversed, 6, -1);
        finds(CHIP(G80), waits, 4, replaced, 7, -1);
        finds(CHIP(G80), waits, 4, gone, 7, RULE(SEM_NEVER_RELEASED));
        finds(CHIP(G80), waits, 4, both, 5, RULE(SEM_NEVER_RELEASED));
    }
}

/* Semaphores in DMA objects: G80 takes offsets to 0xfffc, chips before it to 0xffc. [ENVY] */
static void check_host_dma(void)
{
    static const uint32_t waits[] = {0x000c0060, 0xbeef0002, 0x10, 5};
    static const uint32_t other_offset[] = {0x00080060, 0xbeef0002, 0x14, 0x0004006c, 5};
    static const uint32_t other_object[] = {0x00080060, 0xbeef0003, 0x10, 0x0004006c, 5};
    static const uint32_t releases[] = {0x00080060, 0xbeef0002, 0x10, 0x0004006c, 5};
    static const uint32_t g84_release[] = {0x00100010, 0, SEM, 5, 2};
    static const uint32_t g84_wait[] = {0x00100010, 0, SEM, 5, 4};
    static const gpucmd_nv_chip chips[] = {CHIP(NV1A), CHIP(NV11), CHIP(NV40), CHIP(G80)};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        finds(chips[i], waits, 4, NULL, 0, RULE(SEM_NEVER_RELEASED));
        EQUAL(last_found.value, 0x8000beef00020010ull);
        EQUAL(last_found.at_va, BASE + 12);
        finds(chips[i], waits, 4, other_offset, 5, RULE(SEM_NEVER_RELEASED));
        finds(chips[i], waits, 4, other_object, 5, RULE(SEM_NEVER_RELEASED));
        finds(chips[i], waits, 4, releases, 5, -1);
    }
    finds(CHIP(G84), g84_wait, 5, NULL, 0, RULE(SEM_NEVER_RELEASED));
    finds(CHIP(G84), g84_wait, 5, g84_release, 5, -1);
    FINDS(NV1A, RULE(SEM_MISALIGNED), 0x00080060, 0xbeef0002, 0x12);
    EQUAL(last_found.value, 0x8000beef00020012ull);
    FINDS(NV11, RULE(SEM_MISALIGNED), 0x00080060, 0xbeef0002, 0x11);
    FINDS(G80, RULE(SEM_MISALIGNED), 0x00080060, 0xbeef0002, 0x13);
    FINDS(NV1A, -1, 0x00080060, 0xbeef0002, 0xffc);
    FINDS(NV11, RULE(SEM_RANGE), 0x00080060, 0xbeef0002, 0x1000);
    FINDS(NV1A, RULE(SEM_RANGE), 0x00080060, 0xbeef0002, 0x1000);
    FINDS(G80, -1, 0x00080060, 0xbeef0002, 0xfffc);
    FINDS(G80, RULE(SEM_RANGE), 0x00080060, 0xbeef0002, 0x10000);
    FINDS(G84, RULE(SEM_RANGE), 0x00040010, 0x100);
    FINDS(GF100, -1, 0x20010004, 0x100);
    FINDS(NV1A, RULE(SEM_NOT_SET), 0x0004006c, 5);
    FINDS(NV11, RULE(SEM_NOT_SET), 0x00080064, 0x10, 5, 0x0004006c, 5);
    FINDS(NV1A, -1, 0x00040060, 0xbeef0002, 0x0004006c, 5);
    FINDS(G80, RULE(SEM_NOT_SET), 0x00040060, 0xbeef0002, 0x0004006c, 5);
    FINDS(G80, -1, 0x00040064, 0x10, 0x0004006c, 5);
    FINDS(NV15, RULE(HOST_METHOD), 0x00040060, 0xbeef0002); /* sorts before NV1A */
}

/* Methods of classes, for the checker: all classes but the 3D classes are known; 0x158 is no method, and
 * 0x7b0 has 17 bits. */
static uint32_t class_bits[GPUCMD_NV_CLASS_METHODS];

static const uint32_t *find_methods(void *user, uint32_t class_id)
{
    CHECK(user == &found);
    memset(class_bits, 0xff, sizeof class_bits);
    class_bits[0x158 / 4] = 0;
    class_bits[0x7b0 / 4] = 0x1ffff;
    return (class_id & 0xff) == 0x97 ? NULL : class_bits;
}

#define CLASS_FINDS(chip, ...)                                                                     \
    class_finds(CHIP(chip), (const uint32_t[]){__VA_ARGS__},                                       \
                sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Check dw with find_methods; return the number of findings. The last one is in last_found. */
static unsigned class_finds(gpucmd_nv_chip chip, const uint32_t *dw, size_t len_dw)
{
    const gpucmd_nv_stream stream = {dw, len_dw, BASE};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    unsigned sum = 0;
    memset(&check, 0, sizeof check);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, chip, false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.found = on_found;
    check.methods = find_methods;
    check.methods_user = &found;
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, NULL) == GPUCMD_OK);
    for (int i = 0; i < RULES; i++) {
        sum += found[i];
    }
    return sum;
}

/* Classes that a chip has, their subchannels and their methods. [RM] [C0C0] */
static void check_host_classes(void)
{
    /* Class C5C0 is of Turing, C6C0 of GA100, C7C0 of other Amperes, C9C0 of Ada. */
    FINDS(GA10B, RULE(OTHER_CHIP), 0x20012000, 0xc5c0);
    EQUAL(last_found.value, 0xc5c0);
    EQUAL(last_found.at_va, BASE + 4);
    FINDS(GA10B, RULE(OTHER_CHIP), 0x20012000, 0xc9c0);
    FINDS(GA102, RULE(OTHER_CHIP), 0x20012000, 0xc6c0);
    FINDS(GA100, -1, 0x20012000, 0xc6c0);
    FINDS(GA10B, -1, 0x20012000, 0xc7c0);
    FINDS(GA102, -1, 0x20018000, 0xc6b5); /* chips also have older copy classes */
    FINDS(GF100, RULE(OTHER_CHIP), 0x20012000, 0x91c0);
    FINDS(GF110, -1, 0x20012000, 0x91c0);
    FINDS(GF110, -1, 0x20012000, 0x90c0);
    FINDS(GA102, RULE(UNKNOWN_CLASS), 0x20010000, 0x1234);
    EQUAL(last_found.value, 0x1234);
    FINDS(GA102, -1, 0x2001a000, 0x1234);                    /* a software object */
    FINDS(GA102, RULE(UNCHECKED_CLASS), 0x20018000, 0xc7b0); /* a video decoder */
    FINDS(GA102, RULE(UNKNOWN_CLASS), 0x20018000, 0xc7b4);
    FINDS(GA10B, RULE(OTHER_SUBCHANNEL), 0x20010000, 0xc7c0);
    FINDS(GK104, RULE(OTHER_SUBCHANNEL), 0x20012000, 0xa097);
    FINDS(GK104, RULE(OTHER_SUBCHANNEL), 0x20010000, 0xa040);
    FINDS(GK104, RULE(OTHER_SUBCHANNEL), 0x20014000, 0x902d);
    FINDS(GM107, RULE(OTHER_SUBCHANNEL), 0x20010000, 0xb0b5);
    FINDS(GK104, -1, 0x20010000, 0xa097, 0x20012000, 0xa0c0, 0x20014000, 0xa040, 0x20016000, 0x902d,
          0x20018000, 0xa0b5);
    FINDS(GF100, -1, 0x2001e000, 0x001f906e); /* engine 0x1f: a software object */
    FINDS(GF100, RULE(UNKNOWN_CLASS), 0x2001e000, 0x0000906e);
    FINDS(GF100, -1, 0x20010000, 0x90c0); /* before GK104 SET_OBJECT names the engine */

    /* LAUNCH_DMA of the copy class, 0x300, on a subchannel with C7C0; on subchannel 4 */
    FINDS(GA102, RULE(CLASS_METHOD), 0x20012000, 0xc7c0, 0x200120c0, 0x182);
    EQUAL(last_found.value, 0xc7c0);
    EQUAL(last_found.mthd, 0x300);
    EQUAL(last_found.subc, 1);
    FINDS(GA102, -1, 0x20018000, 0xc7b5, 0x20018106, 16, 0x200180c0, 0x186);

    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x20012056, 5, 0x20012056, 6), 1);
    EQUAL(found[RULE(CLASS_METHOD)], 1);
    EQUAL(last_found.mthd, 0x158);
    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x20012055, 5, 0x20012057, 5), 0);
    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x200121ec, 0x1ffff), 0);
    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x200121ec, 0xff020000), 1);
    EQUAL(found[RULE(METHOD_BITS)], 1);
    EQUAL(last_found.value, 0xff020000);
    EQUAL(CLASS_FINDS(GA10B, 0x20010000, 0xc797, 0x200101ec, 0xff000000), 1);
    EQUAL(found[RULE(UNCHECKED_CLASS)], 1);
    EQUAL(CLASS_FINDS(GA10B, 0x20018056, 5), 1); /* the copy class is bound before */
    EQUAL(last_found.value, 0xc7b5);
}

/* A run of C7C0 before 12 commands that have no finding: runs of all forms, up to 9 words and longer, in
 * which a word has bits that 0x7b0 lacks, or a method is 0x158, which C7C0 lacks. */
static void check_host_runs(void)
{
    static const struct {
        uint32_t head; /* header of the run, on subchannel 1 */
        uint32_t n_dw; /* its data words */
        uint32_t at;   /* the data word `value`; other words are 5 */
        uint32_t value;
        int rule;      /* -1: no finding */
        uint32_t word; /* the finding is at this word of the run; 0: its header */
    } rows[] = {
        {0x200121ec, 1,  0,  0x1ffff, -1,                 0 },
        {0x200121ec, 1,  0,  0x20000, RULE(METHOD_BITS),  1 },
        {0x200921e4, 9,  8,  0x1ffff, -1,                 0 },
        {0x200921e4, 9,  8,  0x20000, RULE(METHOD_BITS),  9 },
        {0x200921e4, 9,  7,  0x20000, -1,                 0 },
        {0x200a21e3, 10, 9,  0x1ffff, -1,                 0 },
        {0x200a21e3, 10, 9,  0x20000, RULE(METHOD_BITS),  10},
        {0x20012055, 1,  0,  5,       -1,                 0 },
        {0x20022055, 2,  0,  5,       RULE(CLASS_METHOD), 2 },
        {0x20092057, 9,  0,  5,       -1,                 0 },
        {0x200c204b, 12, 0,  5,       RULE(CLASS_METHOD), 12},
        {0x200b204b, 11, 0,  5,       -1,                 0 },
        {0x600221ec, 2,  1,  0x1ffff, -1,                 0 },
        {0x600221ec, 2,  1,  0x20000, RULE(METHOD_BITS),  2 },
        {0x600c21ec, 12, 11, 0x1ffff, -1,                 0 },
        {0x600c21ec, 12, 11, 0x20000, RULE(METHOD_BITS),  12},
        {0x600c21ec, 12, 0,  0x20000, RULE(METHOD_BITS),  1 },
        {0x60012056, 1,  0,  5,       RULE(CLASS_METHOD), 1 },
        {0x600c2056, 12, 0,  5,       RULE(CLASS_METHOD), 1 },
        {0xa00221eb, 2,  1,  0x1ffff, -1,                 0 },
        {0xa00221eb, 2,  1,  0x20000, RULE(METHOD_BITS),  2 },
        {0xa00221eb, 2,  0,  0x20000, -1,                 0 },
        {0xa00c21eb, 12, 11, 0x20000, RULE(METHOD_BITS),  12},
        {0xa00c21eb, 12, 0,  0x20000, -1,                 0 },
        {0xa0022055, 2,  0,  5,       RULE(CLASS_METHOD), 2 },
        {0xa00c2055, 12, 0,  5,       RULE(CLASS_METHOD), 2 },
        {0x9fff21ec, 0,  0,  0,       -1,                 0 },
        {0x80052056, 0,  0,  0,       RULE(CLASS_METHOD), 0 },
        {0x20002056, 0,  0,  0,       -1,                 0 },
        {0x60002056, 0,  0,  0,       -1,                 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t dw[32];
        uint32_t n_dw = 0;
        dw[n_dw++] = 0x20012000;
        dw[n_dw++] = 0xc7c0;
        dw[n_dw++] = rows[i].head;
        for (uint32_t k = 0; k < rows[i].n_dw; k++) {
            dw[n_dw++] = k == rows[i].at ? rows[i].value : 5;
        }
        for (uint32_t k = 0; k < 12; k++) {
            dw[n_dw++] = 0x80052055; /* IMMD, method 0x154 */
        }
        EQUAL(class_finds(CHIP(GA10B), dw, n_dw), rows[i].rule >= 0);
        if (rows[i].rule >= 0) {
            EQUAL(found[rows[i].rule], 1);
            EQUAL(last_found.at_va, BASE + 4 * (2 + rows[i].word));
        }
    }
    /* A run past the last method, which wraps: methods 0x3ffc and 0. */
    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x20022fff, 5, 0xc7c0, 0x80052055, 0x80052055,
                      0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055,
                      0x80052055),
          0);
    /* The same with 4100 words, from the last method that nine methods follow. */
    static uint32_t wraps[4120] = {0x20012000, 0xc7c0, 0x200a2ff7};
    for (uint32_t k = 3; k < 40; k++) {
        wraps[k] = k < 13 ? 0xc7c0 : 0x80052055;
    }
    EQUAL(class_finds(CHIP(GA10B), wraps, 40), 0);
}

/* A copy of no length, after 12 commands without a finding; each word of a run can begin a copy. The
 * callback stops the check at the first. [C0B5] */
static void check_host_run_acts(void)
{
    /* LAUNCH_DMA, 0x300, by INC, NON_INC, ONE_INC, and IMMD; 0x182: a copy with a flush */
    EQUAL(CLASS_FINDS(GA10B, 0x200180c0, 0x182, 0x80008055, 0x80008055, 0x80008055, 0x80008055,
                      0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055),
          1);
    EQUAL(found[RULE(COPY_EMPTY)], 1);
    EQUAL(last_found.at_va, BASE + 4);
    EQUAL(CLASS_FINDS(GA10B, 0x600280c0, 0x182, 0x182, 0x80008055, 0x80008055, 0x80008055,
                      0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055),
          2);
    EQUAL(last_found.at_va, BASE + 8);
    EQUAL(CLASS_FINDS(GA10B, 0xa00280bf, 0x182, 0x182, 0x80008055, 0x80008055, 0x80008055,
                      0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055),
          1);
    EQUAL(last_found.at_va, BASE + 8);
    EQUAL(CLASS_FINDS(GA10B, 0x818280c0, 0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055,
                      0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055),
          1);
    EQUAL(last_found.at_va, BASE);
    /* A table may have LAUNCH_DMA of a compute class; without one compute classes lack it. */
    EQUAL(CLASS_FINDS(GA10B, 0x20012000, 0xc7c0, 0x200120c0, 0x182, 0x80052055, 0x80052055,
                      0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055),
          0);
    FINDS(GA10B, RULE(CLASS_METHOD), 0x20012000, 0xc7c0, 0x200120c0, 0x182, 0x80052055, 0x80052055,
          0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055, 0x80052055);
    /* A subchannel without a class; a run of which words are missing; methods that wrap, before GF100. */
    FINDS(GA10B, RULE(UNBOUND_SUBCHANNEL), 0x20014055, 5, 0x80054055, 0x80054055, 0x80054055,
          0x80054055, 0x80054055, 0x80054055, 0x80054055, 0x80054055, 0x80054055, 0x80054055);
    FINDS(GA10B, -1, 0x20018055, 5, 0x20118055, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5);
    FINDS(G80, -1, 0x00040000, 0xcafe502d, 0x00081ffc, 5, 0xcafe502d);
}

/* The callback of run_stops: counts findings and ends the check. */
static gpucmd_status stop_found(void *user, const gpucmd_nv_finding *finding)
{
    unsigned *const count = user;
    EQUAL(finding->rule, GPUCMD_NV_RULE_COPY_EMPTY);
    *count += 1;
    return GPUCMD_LIMIT;
}

/* Of four copies without a length, in two runs, the callback sees one. */
static void run_stops(void)
{
    static const uint32_t dw[] = {0x600280c0, 0x182,      0x182,      0x600280c0, 0x182,
                                  0x182,      0x80008055, 0x80008055, 0x80008055, 0x80008055,
                                  0x80008055, 0x80008055, 0x80008055, 0x80008055, 0x80008055};
    const gpucmd_nv_stream stream = {dw, sizeof dw / 4, BASE};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    unsigned count = 0;
    memset(&check, 0, sizeof check);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(GA10B), false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.found = stop_found;
    check.user = &count;
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, NULL) == GPUCMD_LIMIT);
    EQUAL(count, 1);
}

/* Semaphores of which the memory of the caller lacks bytes: 4, 8 or 16 bytes before its end; and
 * acquires, which read. The executor stores none of them. */
static void check_host_memory(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t bytes, access; /* of the semaphore */
        uint32_t len_dw;
        uint32_t words[12]; /* 0xcafe0000: low word of the address */
    } rows[] = {
        {CHIP(GA102), 4,  GPUCMD_ACCESS_WRITE, 6, {0x20050017, 0xcafe0000, 0, 5, 0, 0x00000001}                                            },
        {CHIP(GA102), 8,  GPUCMD_ACCESS_WRITE, 6, {0x20050017, 0xcafe0000, 0, 5, 0, 0x01000001}                                            },
        {CHIP(GA102), 16, GPUCMD_ACCESS_WRITE, 6, {0x20050017, 0xcafe0000, 0, 5, 0, 0x02000001}                                            },
        {CHIP(GA102), 8,  GPUCMD_ACCESS_READ,  6, {0x20050017, 0xcafe0000, 0, 5, 0, 0x01000003}                                            },
        {CHIP(GF100), 16, GPUCMD_ACCESS_WRITE, 5, {0x20040004, 0, 0xcafe0000, 5, 0x00000002}                                               },
        {CHIP(GF100), 4,  GPUCMD_ACCESS_WRITE, 5, {0x20040004, 0, 0xcafe0000, 5, 0x01000002}                                               },
        {CHIP(GA102), 16, GPUCMD_ACCESS_WRITE, 6, {0x20038090, 0, 0xcafe0000, 5, 0x200180c0, 0x14}                                         },
        {CHIP(GA102), 4,  GPUCMD_ACCESS_WRITE, 6, {0x20038090, 0, 0xcafe0000, 5, 0x200180c0, 0x0c}                                         },
        {CHIP(GA102),
         16,              GPUCMD_ACCESS_WRITE,
         7,                                       {0x20010000, 0xc797, 0x200406c0, 0, 0xcafe0000, 5, 0}                                    },
        {CHIP(GA102),
         4,               GPUCMD_ACCESS_WRITE,
         7,                                       {0x20010000, 0xc797, 0x200406c0, 0, 0xcafe0000, 5, 0x10000000}                           },
        {CHIP(GA102),
         16,              GPUCMD_ACCESS_WRITE,
         12,                                      {0x20012000, 0xc7c0, 0x20022060, 4, 1, 0x20032077, 0, 0xcafe0000, 5, 0xa002206c, 0x21, 9}},
        {CHIP(GA102),
         4,               GPUCMD_ACCESS_WRITE,
         12,                                      {0x20012000, 0xc7c0, 0x20022060, 4, 1, 0x20032077, 0, 0xcafe0000, 5, 0xa002206c, 0x1021,
          9}                                                                                                                   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t there = 0; there <= rows[i].bytes; there += 4) {
            gpucmd_region part = {BASE, 0x1000, ram, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
            gpucmd_mem part_mem;
            gpucmd_nv_check_options check;
            gpucmd_nv_gate gate;
            uint32_t words[12];
            gpucmd_nv_stream stream = {words, rows[i].len_dw, BASE};
            const uint32_t va = BASE + 0x800;
            size_t errors = 9;
            memset(&check, 0, sizeof check);
            memset(found, 0, sizeof found);
            for (uint32_t k = 0; k < 12; k++) {
                words[k] = rows[i].words[k] == 0xcafe0000 ? va : rows[i].words[k];
            }
            part.bytes = 0x800 + there;
            CHECK(gpucmd_mem_init(&part_mem, &part, 1) == GPUCMD_OK);
            CHECK(gpucmd_nv_gate_init(&gate, rows[i].chip, false, false, GPUCMD_NV_FMT_NEW) ==
                  GPUCMD_OK);
            check.found = on_found;
            CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
            EQUAL(errors, 0); /* without memory nothing is known */
            check.mem = &part_mem;
            CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
            EQUAL(errors, there < rows[i].bytes);
            EQUAL(found[RULE(SEM_MEMORY)], there < rows[i].bytes);
            if (there < rows[i].bytes) {
                EQUAL(last_found.value, va);
                EQUAL(last_found.limit, there);
            }
            part.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
            part.access_mask &= ~rows[i].access;
            CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
            EQUAL(errors, 1); /* the right is missing */
        }
    }
}

/* A channel on a runlist of copy engines takes host methods and the copy class. [LNX] */
static void check_host_runlist(void)
{
    static const uint32_t classes[] = {0xc797, 0xc7c0, 0xa140, 0x902d, 0xc7b5};
    for (uint32_t subc = 0; subc < 5; subc++) {
        const uint32_t words[] = {0x20010000 | subc << 13, classes[subc]};
        const gpucmd_nv_stream stream = {words, 2, BASE};
        gpucmd_nv_check_options check;
        gpucmd_nv_gate gate;
        size_t errors = 9;
        memset(&check, 0, sizeof check);
        memset(found, 0, sizeof found);
        CHECK(gpucmd_nv_gate_init(&gate, CHIP(GA102), false, false, GPUCMD_NV_FMT_NEW) ==
              GPUCMD_OK);
        check.found = on_found;
        CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
        EQUAL(errors, 0);
        check.copy_only = true;
        CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
        EQUAL(errors, subc < 4);
        EQUAL(found[RULE(OTHER_RUNLIST)], subc < 4);
    }
}

/* Semaphores of compute classes are released; what the checker rejects goes to the callback, or is
 * the fault UNSUPPORTED. */
static void compute_semaphores(void)
{
    static const uint32_t classes[][2] = {
        {CHIP(GF100), 0x90c0},
        {CHIP(GK104), 0xa0c0},
        {CHIP(GV100), 0xc3c0},
        {CHIP(GA102), 0xc7c0},
        {CHIP(GB202), 0xcec0}
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        start((gpucmd_nv_chip)classes[i][0]);
        (void)RUN(0x20012000, classes[i][1], 0x200426c0, 0, SEM, 0xcafe, 0x10000000);
        EQUAL(ch.puller.fault, GPUCMD_OK);
        EQUAL(peek64(SEM), 0xcafe);
        start((gpucmd_nv_chip)classes[i][0]);
        (void)RUN(0x20012000, classes[i][1], 0x200426c0, 0, SEM, 0xcafe, 0);
        EQUAL(peek64(SEM), 0xcafe);
        CHECK(peek64(SEM + 8) != 0); /* the time */
        start((gpucmd_nv_chip)classes[i][0]);
        env.event = NULL;
        (void)RUN(0x20012000, classes[i][1], 0x200426c0, 0, SEM + 2, 0xcafe, 0x10000000);
        EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
        EQUAL(peek64(SEM), 0);
    }
    /* C7C0: payload, address, then REPORT_SEMAPHORE_EXECUTE with one, two, four words */
    static const struct {
        uint32_t execute;
        uint64_t want;
        bool timed;
    } sizes[] = {
        {0x08, 0xcafe,         false},
        {0x10, 0x12340000cafe, false},
        {0x00, 0x12340000cafe, true },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        start(CHIP(GA10B));
        (void)RUN(0x20012000, 0xc7c0, 0x20052056, 0xcafe, 0x1234, SEM, 0, sizes[i].execute);
        EQUAL(peek64(SEM), sizes[i].want);
        EQUAL(peek64(SEM + 8) != 0, sizes[i].timed);
    }
    start(CHIP(GA10B)); /* size 3 does not exist */
    env.event = NULL;
    (void)RUN(0x20012000, 0xc7c0, 0x20052056, 0xcafe, 0x1234, SEM, 0, 0x18);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
    start(CHIP(GA100)); /* C6C0 has no such methods */
    env.event = NULL;
    (void)RUN(0x20012000, 0xc6c0, 0x20052056, 0xcafe, 0x1234, SEM, 0, 0x08);
    EQUAL(peek64(SEM), 0);
    EQUAL(ch.unexecuted, 5);
    start(CHIP(GA102)); /* a class of another chip is not executed: GA102 has no 9039 */
    env.event = NULL;
    (void)RUN(0x20014000, 0x9039, 0x200340cb, 0, SEM, 5, 0x200240c7, 0, 0, 0x200140c0, 0x00102111);
    EQUAL(peek64(SEM), 0);
    EQUAL(ch.unexecuted, 6);
    start(CHIP(GF100));
    (void)RUN(0x20014000, 0x9039, 0x200340cb, 0, SEM, 5, 0x200240c7, 0, 0, 0x200140c0, 0x00102111);
    EQUAL(peek64(SEM), 5);
    start(CHIP(GF100));
    env.event = NULL;
    (void)RUN(0x20014000, 0x9039, 0x200340cb, 0, SEM + 1, 5, 0x200240c7, 0, 0, 0x200140c0,
              0x00102111);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

/* M2MF, inline uploads and reports: checks of their ranges and of their releases. */
static void check_host_engines(void)
{
    static const uint32_t wait_for_5[] = {SEM5(5, 0, 0)};
    static const uint32_t report_5[] = {0x20010000, 0xc397, 0x200406c0, 0, SEM, 5, 0x1000f010};
    static const uint32_t inline_5[] = {0x20012000, 0xc5c0, 0x20022060, 4,    1, 0x20032077, 0,
                                        SEM,        5,      0xa002206c, 0x21, 9};
    FINDS(NV1A, RULE(UNBOUND_SUBCHANNEL), 0x0004430c, 0);
    FINDS(NV11, RULE(UNKNOWN_OBJECT), 0x00044000, 0x12340039);
    EQUAL(last_found.value, 0x12340039);
    FINDS(GA100, RULE(OTHER_CHIP), 0x20018000, 0xc7b5); /* of GA102 */
    /* its methods are not checked as those of a copy, whose launch would be wrong */
    FINDS(GA100, RULE(OTHER_CHIP), 0x20018000, 0xc7b5, 0x200180c0, 0xffffffff, 0x200180c0, 0x182);
    EQUAL(last_found.value, 0xc7b5);
    FINDS(GA102, -1, 0x20018000, 0xc7b5);
    FINDS(GA100, RULE(UNCHECKED_CLASS), 0x20018000, 0xc4b7); /* has no row */
    FINDS(NV1A, RULE(COPY_EMPTY), 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 32, 16, 10, 0,
          0x101, 0);
    EQUAL(last_found.mthd, 0x328);
    FINDS(NV11, RULE(COPY_EMPTY), 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 32, 16, 0, 3, 0x101,
          0);
    FINDS(NV11, -1, 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 32, 16, 10, 3, 0x101, 0);
    EQUAL(last_released[0], 0); /* it releases nothing */
    FINDS(G80, RULE(COPY_EMPTY), 0x00044000, 0xcafe5039, 0x0020430c, SRC, DST, 32, 16, 10, 0, 0x101,
          0);
    FINDS(G80, -1, 0x00044000, 0xcafe502d, 0x0004430c, 0, 0x00044328, 0); /* not an M2MF */
    FINDS(GF100, RULE(COPY_EMPTY), 0x20014000, 0x9039, 0x200240c7, 8, 0, 0x200140c0, 0x00100110);
    FINDS(GF100, -1, 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0, 0x00100110);
    FINDS(GF100, RULE(SEM_MISALIGNED), 0x20014000, 0x9039, 0x200340cb, 0, SEM + 1, 5, 0x200240c7, 8,
          1, 0x200140c0, 0x00102110);
    FINDS(GK104, RULE(COPY_EMPTY), 0x20014000, 0xa040, 0x20024060, 8, 0, 0x2001406c, 0x1001);
    FINDS(GK104, -1, 0x20014000, 0xa040, 0x20024060, 8, 1, 0x2001406c, 0x1001);
    finds(CHIP(GV100), wait_for_5, 6, report_5, 7, -1);
    finds(CHIP(TU102), wait_for_5, 6, inline_5, 12, -1);
    FINDS(GF100, RULE(SEM_MISALIGNED), 0x20010000, 0x9097, 0x200406c0, 0, SEM + 2, 5, 0x1000f010);
    /* the host engine releases after a copy: only a release that waits, or WFI, orders it */
    FINDS(GF100, RULE(RELEASE_NO_WAIT), 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0,
          0x00100110, 0x20040004, 0, SEM, 5, 0x01100002);
    EQUAL(last_found.value, SEM);
    FINDS(GF100, -1, 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0, 0x00100110, 0x20040004, 0,
          SEM, 5, 0x01000002);
    FINDS(GA102, RULE(RELEASE_NO_WAIT), 0x20018106, 8, 0x200180c0, 0x186, SEM5(5, 0, 0x00000001));
    FINDS(GA102, -1, 0x20018106, 8, 0x200180c0, 0x186, SEM5(5, 0, 0x00100001));
    FINDS(GA102, -1, 0x20018106, 8, 0x200180c0, 0x186, 0x2001001e, 0, SEM5(5, 0, 0x00000001));
    FINDS(GA102, -1, 0x20018106, 8, 0x200180c0, 0x186, 0x20010014, 0, SEM5(5, 0, 0x00000001));
    FINDS(GA102, -1, SEM5(5, 0, 0x00000001));
}

static void check_host(void)
{
    static const uint32_t wait_for_5[] = {SEM5(5, 0, 0)};
    static const uint32_t release_5[] = {SEM5(5, 0, 1)};
    static const uint32_t ce_release[] = {0x20038090, 0, SEM, 5, 0x200180c0, 0x14};
    FINDS(GA102, -1, 0x20010000, 0xc797, 0x20010040, 1);
    FINDS(GA102, RULE(UNBOUND_SUBCHANNEL), 0x20010040, 1, 0x20010040, 1);
    EQUAL(last_found.at_va, BASE + 4);
    FINDS(GF100, RULE(UNBOUND_SUBCHANNEL), 0x800180c0);
    EQUAL(last_found.at_va, BASE);
    FINDS(GA102, -1, 0x800080c0); /* subchannel 4 is initially bound */
    for (unsigned c = CHIP(GF100); c < CHIP(LATER); c++) {
        static const uint32_t launch[] = {0x200180c0, 0x182}; /* of no bytes */
        finds((gpucmd_nv_chip)c, launch, 2, NULL, 0,
              c < CHIP(GK104) ? RULE(UNBOUND_SUBCHANNEL) : RULE(COPY_EMPTY));
    }
    FINDS(GF100, RULE(HOST_METHOD), 0x2001001e, 0);
    FINDS(GK110, -1, 0x2001001e, 0);
    FINDS(GV100, RULE(SEM_OPERATION), SEM5(5, 0, 7));
    FINDS(GV100, RULE(SEM_OPERATION), SEM5(5, 0, 0xb1000006));
    FINDS(GF100, RULE(SEM_OPERATION), 0x20040004, 0, SEM, 5, 0x10);
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM + 8, 0, 5, 0, 0x02000001);
    EQUAL(last_found.value, SEM + 8);
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM + 4, 0, 5, 0, 0x01000001);
    FINDS(G84, RULE(SEM_MISALIGNED), 0x00080010, 0, SEM + 2);
    for (uint32_t i = 1; i < 4; i++) { /* found once, though a release follows */
        FINDS(G84, RULE(SEM_MISALIGNED), 0x00100010, 0, SEM + i, 5, 2);
    }
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM + 2, 0, 5, 0, 0x00000001);
    EQUAL(last_found.value, SEM + 2);
    EQUAL(last_found.at_va, BASE + 4);
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20010017, SEM + 3);
    /* SEMAPHOREA and SEMAPHOREB are not SEM_ADDR_HI and SEM_ADDR_LO */
    FINDS(GV100, -1, 0x20020017, SEM, 0, 0x20020004, 0, SEM + 8, 0x2001001b, 0x02000001);
    FINDS(GV100, RULE(SEM_NEVER_RELEASED), 0x20020004, 0, SEM, 0x20020017, SEM + 8, 0, 0x20010007,
          1);
    EQUAL(last_found.value, SEM);
    FINDS(GA102, RULE(SEM_MISALIGNED), 0x20038090, 0, SEM + 8, 5, 0x200180c0, 0x14);
    finds(CHIP(GV100), wait_for_5, 6, NULL, 0, RULE(SEM_NEVER_RELEASED));
    EQUAL(last_found.value, SEM);
    finds(CHIP(GV100), wait_for_5, 6, release_5, 6, -1);
    finds(CHIP(GV100), wait_for_5, 6, ce_release, 6, -1);
    check_host_parts();
    half_semaphores();
    check_host_offsets();
    check_host_dma();
    check_host_engines();
    check_host_classes();
    check_host_runs();
    check_host_run_acts();
    run_stops();
    check_host_memory();
    check_host_runlist();
    compute_semaphores();
    FINDS(GA102, RULE(COPY_EMPTY), 0x200180c0, 0x182);
    FINDS(GA102, RULE(COPY_EMPTY), 0x20018106, 8, 0x200180c0, 0x386);
    FINDS(GA102, -1, 0x20028106, 8, 1, 0x200180c0, 0x386);
    FINDS(GA102, RULE(RELEASE_NO_FLUSH), 0x20018106, 8, 0x200180c0, 0x182, 0x20038090, 0, SEM, 5,
          0x200180c0, 0x08);
    FINDS(GA102, -1, 0x20018106, 8, 0x200180c0, 0x182, 0x20038090, 0, SEM, 5, 0x200180c0, 0x0c);
    CHECK(strcmp(gpucmd_nv_rule_name(RULE(COPY_EMPTY)), "COPY_EMPTY") == 0);
    CHECK(gpucmd_nv_rule_text(RULE(COPY_EMPTY))[0] == 't');
}

/* Recipes write the words that drivers write, and reject features that a chip lacks. */
static void recipe_semaphores(void)
{
    const uint32_t t64 = GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI;
    const uint64_t va = 0x7f12345670ull;
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 0x2a, 0, 0x03100001),
          gpucmd_nv_emit_sem_release(&w, CHIP(GA102), va, 0x2a, t64));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 7, 0, 0x00000001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), va, 7, 0));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 7, 0, 0x00100001),
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va, 7, GPUCMD_NV_SEM_WFI));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 7, 0, 0x02000001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), va, 7, GPUCMD_NV_SEM_TIMESTAMP));
    EMITS(WORDS(0x20040004, 0x7f, 0x12345670, 5, 0x00000002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GF100), va, 5,
                                     GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI));
    EMITS(WORDS(0x20040004, 0x7f, 0x12345670, 5, 0x01100002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GP102), va, 5, 0));
    EMITS(WORDS(0x00100010, 0x7f, 0x12345670, 5, 0x00000002),
          gpucmd_nv_emit_sem_release(&w, CHIP(G84), va, 5, GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_release(&w, CHIP(G84), va, 5, 0));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(G80), va, 5, GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(GP100), va, 5, GPUCMD_NV_SEM_64BIT));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va, 5, GPUCMD_NV_SEM_SWITCH));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va, 0x100000000, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sem_release(&w, CHIP(GV100), 1ull << 40, 5, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sem_release(&w, CHIP(GH100), 1ull << 57, 5, 0));
    EMITS(WORDS(0x20050017, 0, 0x1ffffff, 5, 0, 1),
          gpucmd_nv_emit_sem_release(&w, CHIP(GH100), 0x1ffffff00000000ull, 5, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va + 2, 5, 0));
    FAILS(GPUCMD_ALIGN,
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va + 4, 5, GPUCMD_NV_SEM_64BIT));
    FAILS(GPUCMD_ALIGN,
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), va + 8, 5, GPUCMD_NV_SEM_TIMESTAMP));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 0x2b, 0, 0x01000003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, va, 0x2b,
                                     GPUCMD_NV_SEM_64BIT));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 1, 0, 0x00001003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, va, 1,
                                     GPUCMD_NV_SEM_SWITCH));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 1, 0, 0x00000004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_AND, va, 1, 0));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 1, 0, 0x00000005),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_NOR, va, 1, 0));
    EMITS(WORDS(0x20040004, 0x7f, 0x12345670, 5, 0x00001004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GF100), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, va, 5,
                                     GPUCMD_NV_SEM_SWITCH));
    EMITS(WORDS(0x20040004, 0x7f, 0x12345670, 5, 0x00001001),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GF100), GPUCMD_NV_SEM_OP_ACQUIRE, va, 5,
                                     GPUCMD_NV_SEM_SWITCH));
    EMITS(WORDS(0x00100010, 0x7f, 0x12345670, 5, 0x00000004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(G84), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, va, 5, 0));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(G84), GPUCMD_NV_SEM_OP_ACQ_AND, va, 5, 0));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GP100), GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, va, 5, 0));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_RELEASE, va, 5, 0));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 1, 0, 0xa8000006),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GV100), GPUCMD_NV_REDUCTION_IADD, va, 1, 0));
    EMITS(WORDS(0x20050017, 0x12345670, 0x7f, 1, 0, 0xb0000006),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GV100), GPUCMD_NV_REDUCTION_INC, va, 1, 0));
    EMITS(WORDS(0x20040004, 0x7f, 0x12345670, 1, 0xa8100010),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GM107), GPUCMD_NV_REDUCTION_IADD, va, 1, 0));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GK20A), GPUCMD_NV_REDUCTION_IADD, va, 1, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_reduction(&w, CHIP(GV100), GPUCMD_NV_REDUCTION_INC,
                                                           va, 1, GPUCMD_NV_SEM_SIGNED));
    EMITS(WORDS(0x000c0060, 0xbeef0002, 0x10, 6),
          gpucmd_nv_emit_dma_sem_acquire(&w, CHIP(NV17), 0xbeef0002, 0x10, 6));
    EMITS(WORDS(0x00080060, 0xbeef0002, 0x10, 0x0004006c, 6),
          gpucmd_nv_emit_dma_sem_release(&w, CHIP(NV17), 0xbeef0002, 0x10, 6));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_dma_sem_release(&w, CHIP(NV17), 1, 0x1000, 6));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_dma_sem_release(&w, CHIP(G80), 1, 0x1002, 6));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_dma_sem_release(&w, CHIP(G80), 1, 0x10000, 6));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_dma_sem_release(&w, CHIP(NV15), 1, 0, 6));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_dma_sem_acquire(&w, CHIP(GF100), 1, 0, 6));
}

/* GF100 and later: an object is a class, and no class is the number of a chip. Earlier an object is a
 * handle, which may be any number. */
static void chips_as_objects(void)
{
    volatile uint32_t object; /* not a constant, which would not compile */
    for (object = 1; object < GPUCMD_NV_CHIP_COUNT; object++) {
        FAILS(GPUCMD_RANGE, gpucmd_nv_emit_set_object(&w, CHIP(GF100), 4, object));
        FAILS(GPUCMD_RANGE, gpucmd_nv_emit_set_object(&w, CHIP(GB202), 4, object));
    }
    EMITS(WORDS(0x00048000, 0x3c), gpucmd_nv_emit_set_object(&w, CHIP(G80), 4, 0x3c));
    object = 0;
    EMITS(WORDS(0x20018000, 0), gpucmd_nv_emit_set_object(&w, CHIP(GA102), 4, object));
}

static void recipe_host(void)
{
    EMITS(WORDS(0x00040000, 0xbeef5039), gpucmd_nv_emit_set_object(&w, CHIP(G80), 0, 0xbeef5039));
    EMITS(WORDS(0x20018000, 0xc7b5), gpucmd_nv_emit_set_object(&w, CHIP(GA102), 4, 0xc7b5));
    EMITS(WORDS(0x2001e000, 0x1f906e), gpucmd_nv_emit_set_object(&w, CHIP(GF100), 7, 0x1f906e));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_set_object(&w, CHIP(GF100), 7, 0x200000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_set_object(&w, CHIP(GF100), 8, 0x906e));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_set_object(&w, CHIP(NV3), 0, 1));
    EMITS(WORDS(0x00040050, 9), gpucmd_nv_emit_ref_cnt(&w, CHIP(NV10), 9));
    EMITS(WORDS(0x20010014, 9), gpucmd_nv_emit_ref_cnt(&w, CHIP(GF100), 9));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_ref_cnt(&w, CHIP(NV5), 9));
    EMITS(WORDS(0x20010008, 0), gpucmd_nv_emit_non_stall_interrupt(&w, CHIP(GF100)));
    EMITS(WORDS(0x00040020, 0), gpucmd_nv_emit_non_stall_interrupt(&w, CHIP(G84)));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_non_stall_interrupt(&w, CHIP(G80)));
    EMITS(WORDS(0x20010009, 0), gpucmd_nv_emit_fb_flush(&w, CHIP(GF100)));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_fb_flush(&w, CHIP(NV40)));
    EMITS(WORDS(0x2001001e, 0), gpucmd_nv_emit_wfi(&w, CHIP(GK110), false));
    EMITS(WORDS(0x2001001e, 1), gpucmd_nv_emit_wfi(&w, CHIP(GM204), true));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_wfi(&w, CHIP(GM108), true));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_wfi(&w, CHIP(GK104), false));
    EMITS(WORDS(0x20010020, 3), gpucmd_nv_emit_yield(&w, CHIP(GA102), GPUCMD_NV_YIELD_TSG));
    EMITS(WORDS(0x00040080, 0), gpucmd_nv_emit_yield(&w, CHIP(NV40), GPUCMD_NV_YIELD_NOP));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_yield(&w, CHIP(GA102), GPUCMD_NV_YIELD_RUNLIST_TIMESLICE));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_yield(&w, CHIP(NV36), GPUCMD_NV_YIELD_NOP));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(TU102), false));
    EMITS(WORDS(0x2004000a, 0, 0, 1, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(TU102), true));
    EMITS(WORDS(0x2002000c, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GM200), false));
    EMITS(WORDS(0x2002000a, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GM107), false));
    EMITS(WORDS(0x2002000a, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GF100), false));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_membar(&w, CHIP(GM107), true));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_membar(&w, CHIP(MCP89), false));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x80000000), gpucmd_nv_emit_l2_flush_dirty(&w, CHIP(GP100)));
}

/* What nouveau writes for a fence. Linux 7.3: gv100_fence.c, nvc0_fence.c */
static void recipe_fence(void)
{
    const uint64_t va = 0x1234567890;
    EMITS(WORDS(0x20030017, 0x34567890, 0x12, 77, 0x2001001b, 0x00100001, 0x2004000a, 0, 0, 0,
                0x28000000, 0x20010008, 0),
          gpucmd_nv_emit_fence(&w, CHIP(GV100), va, 77));
    EMITS(WORDS(0x20030017, 0x34567890, 0x12, 77, 0x2001001b, 0x00001003),
          gpucmd_nv_emit_fence_wait(&w, CHIP(GB202), va, 77));
    EMITS(WORDS(0x20050004, 0x12, 0x34567890, 77, 2, 0),
          gpucmd_nv_emit_fence(&w, CHIP(GP102), va, 77));
    EMITS(WORDS(0x20040004, 0x12, 0x34567890, 77, 0x1004),
          gpucmd_nv_emit_fence_wait(&w, CHIP(GF100), va, 77));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_fence(&w, CHIP(GV100), va + 2, 77));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_fence_wait(&w, CHIP(GV100), va + 2, 77));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_fence(&w, CHIP(GA102), (uint64_t)1 << 40, 77));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_fence_wait(&w, CHIP(GK104), (uint64_t)1 << 40, 77));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_fence(&w, CHIP(GT215), va, 77));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_fence_wait(&w, CHIP(G80), va, 77));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_fence(&w, (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER, va, 77));
}

/* Every host method that a chip has is executed: without a callback none is UNSUPPORTED, except
 * those that need state of the caller: CRC_CHECK, and CLEAR_FAULTED until GA100. */
static void all_executed(void)
{
    for (unsigned chip = GPUCMD_NV_CHIP_NV4; chip < GPUCMD_NV_CHIP_COUNT; chip++) {
        const bool gf100 = GPUCMD_NV_IS_GF100((gpucmd_nv_chip)chip);
        for (uint32_t mthd = 0; mthd < 0x100; mthd += 4) {
            if (!gpucmd_nv_knows_mthd((gpucmd_nv_chip)chip, mthd)) {
                continue;
            }
            start((gpucmd_nv_chip)chip);
            env.event = NULL;
            (void)RUN(gf100 ? 0x20010000 | mthd / 4 : 0x00040000 | mthd, 0x1);
            EQUAL(ch.puller.fault == GPUCMD_UNSUPPORTED,
                  mthd == 0x7c || (mthd == 0x84 && chip < GPUCMD_NV_CHIP_GA100));
        }
    }
}

/* Without an array for releases its length counts for nothing. */
static void check_without_array(void)
{
    static const uint32_t words[] = {0x20050017, BASE, 0, 7, 0, 1, 0x20050017, BASE + 8, 0, 7, 0, 1,
                                     0x20050017, BASE, 0, 7, 0, 0};
    const gpucmd_nv_stream stream = {words, sizeof words / 4, BASE};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors = 9;
    memset(&check, 0, sizeof check);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(GA102), false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.cap = 4;
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
    EQUAL(errors, 0);
}

/* An array for fewer places than are released: no acquire is reported. */
static void check_small_array(void)
{
    static const uint32_t words[] = {
        0x20050017, BASE,      0, 7, 0, 1, 0x20050017, BASE + 8,  0, 7, 0, 1,
        0x20050017, BASE + 16, 0, 7, 0, 1, 0x20050017, BASE + 24, 0, 7, 0, 0};
    const gpucmd_nv_stream stream = {words, sizeof words / 4, BASE};
    for (size_t cap = 0; cap < 5; cap++) {
        uint64_t released[5] = {1, 1, 1, 1, 1};
        gpucmd_nv_check_options check;
        gpucmd_nv_gate gate;
        size_t errors = 9;
        memset(&check, 0, sizeof check);
        memset(found, 0, sizeof found);
        CHECK(gpucmd_nv_gate_init(&gate, CHIP(GA102), false, false, GPUCMD_NV_FMT_NEW) ==
              GPUCMD_OK);
        check.released = released;
        check.cap = cap;
        check.found = on_found;
        CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
        EQUAL(found[RULE(SEM_NEVER_RELEASED)], cap >= 3);
        for (uint32_t i = 0; i < 5; i++) {
            EQUAL(released[i], i < cap && i < 3 ? BASE + 8 * i : 1);
        }
    }
}

int main(void)
{
    check_without_array();
    check_small_array();
    check_host();
    check_host_addresses();
    check_host_alignment();
    check_host_unbound();
    check_host_begin();
    check_host_several();
    check_host_low_bits();
    recipe_semaphores();
    recipe_host();
    recipe_fence();
    chips_as_objects();
    volta_acquire();
    volta_release();
    volta_alignment();
    volta_reduction();
    fermi_semaphore();
    g84_semaphore();
    nv1a_semaphore();
    objects();
    objects_old();
    objects_new();
    small_methods();
    availability();
    mem_ops();
    yields();
    syncpoints();
    exact_blocking();
    answers();
    shadows();
    driver_sequences();
    two_regions();
    names();
    all_executed();
    return test_report("nv_host");
}

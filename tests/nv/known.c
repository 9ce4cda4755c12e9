/* Known-good words of the fact sheet that are not headers, each with its number in the fact sheet.
 * The output of recipes and encoders must equal the word, and its execution must have the expected
 * effect in memory. Numbers 1 to 72, the headers, are in nv/encode.c. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)
#define CHIP(name) GPUCMD_NV_CHIP_##name
#define TIME       0x123456789abcull /* the time that start of nv/host.h sets */

static unsigned seen[134];

/* The following checks are for this number. */
static void known(unsigned number)
{
    seen[number]++;
}

/* Memory at the addresses that the sequences use. */
static uint8_t far_ram[2][0x2000];
static gpucmd_region regions[3];

static void add_region(unsigned i, uint64_t va)
{
    memset(far_ram[i], 0, sizeof far_ram[i]);
    regions[0] = region;
    regions[1 + i].va = va;
    regions[1 + i].bytes = sizeof far_ram[i];
    regions[1 + i].host = far_ram[i];
    regions[1 + i].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, regions, 2 + i) == GPUCMD_OK);
}

static uint64_t far64(unsigned i, uint32_t off_bytes)
{
    return gpucmd_load64(far_ram[i] + off_bytes, GPUCMD_LITTLE_ENDIAN);
}

static gpucmd_run go_on(void)
{
    return gpucmd_nv_channel_run(&ch, &env, 1000000);
}

/* ---- semaphores ---- */

/* Run SEM_EXECUTE with this word and payload 0x00000001_0000002a; memory is filled with 0x77. */
static void execute(uint32_t dw)
{
    start(CHIP(TU102));
    memset(ram + (SEM - BASE), 0x77, 32);
    GO(IDLE, 0x20050017, SEM, 0, 0x2a, 1, dw);
}

static void sem_execute_releases(void)
{
    known(73);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 1, 0x03100001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), SEM, 0x10000002a,
                                     GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP |
                                         GPUCMD_NV_SEM_WFI));
    execute(0x03100001);
    EQUAL(peek64(SEM), 0x10000002a);
    EQUAL(peek64(SEM + 8), TIME);
    known(75);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 0, 0x00100001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), SEM, 0x2a, GPUCMD_NV_SEM_WFI));
    execute(0x00100001);
    EQUAL(peek64(SEM), 0x777777770000002a);
    known(76);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 1, 0x01100001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), SEM, 0x10000002a,
                                     GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_WFI));
    execute(0x01100001);
    EQUAL(peek64(SEM), 0x10000002a);
    EQUAL(peek64(SEM + 8), 0x7777777777777777);
    known(79);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 0, 0x00000001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), SEM, 0x2a, 0));
    execute(0x00000001);
    EQUAL(peek64(SEM), 0x777777770000002a);
    known(80);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 0, 0x02000001),
          gpucmd_nv_emit_sem_release(&w, CHIP(TU102), SEM, 0x2a, GPUCMD_NV_SEM_TIMESTAMP));
    execute(0x02000001);
    EQUAL(peek64(SEM), 0x2a);
    EQUAL(peek64(SEM + 8), TIME);
    known(82);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 0, 0xa8000006),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(TU102), GPUCMD_NV_REDUCTION_IADD, SEM, 0x2a, 0));
    execute(0xa8000006);
    EQUAL(peek(SEM), 0x777777a1);
    EQUAL(peek(SEM + 4), 0x77777777);
    known(83);
    EMITS(WORDS(0x20050017, SEM, 0, 0x2a, 0, 0xb0000006),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(TU102), GPUCMD_NV_REDUCTION_INC, SEM, 0x2a, 0));
    execute(0xb0000006);
    EQUAL(peek(SEM), 0); /* above the payload: wraps */
    GO(IDLE, 0x20050017, SEM, 0, 0x2a, 0, 0xb0000006);
    EQUAL(peek(SEM), 1);
}

/* Run an acquire with this word and payload, before and after a change of memory. */
static void acquires(gpucmd_nv_chip chip, uint32_t dw, uint64_t payload, uint64_t before,
                     uint64_t after)
{
    start(chip);
    gpucmd_store64(ram + (SEM - BASE), before, GPUCMD_LITTLE_ENDIAN);
    if (chip >= CHIP(GV100)) {
        GO(BLOCKED, 0x20050017, SEM, 0, (uint32_t)payload, (uint32_t)(payload >> 32), dw);
    } else if (chip >= CHIP(GF100)) {
        GO(BLOCKED, 0x20040004, 0, SEM, (uint32_t)payload, dw);
    } else {
        GO(BLOCKED, 0x00100010, 0, SEM, (uint32_t)payload, dw);
    }
    EQUAL(ch.puller.wait.va, SEM);
    EQUAL(go_on(), GPUCMD_RUN_BLOCKED);
    gpucmd_store64(ram + (SEM - BASE), after, GPUCMD_LITTLE_ENDIAN);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
}

static void sem_acquires(void)
{
    known(74);
    EMITS(WORDS(0x20050017, SEM, 0, 0xfffffff0, 0xffffffff, 0x01000003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM,
                                     0xfffffffffffffff0, GPUCMD_NV_SEM_64BIT));
    acquires(CHIP(TU102), 0x01000003, 0xfffffffffffffff0, 0xffffffffffffffef, 5);
    known(77);
    EMITS(WORDS(0x20050017, SEM, 0, 6, 0, 0x00000004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_AND, SEM, 6, 0));
    acquires(CHIP(TU102), 0x00000004, 6, 0xfffffff9, 2);
    known(78);
    EMITS(
        WORDS(0x20050017, SEM, 0, 0xfffffffe, 0, 0x00000005),
        gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_NOR, SEM, 0xfffffffe, 0));
    acquires(CHIP(TU102), 0x00000005, 0xfffffffe, 1, 0xfffffffe);
    known(81);
    EMITS(WORDS(0x20050017, SEM, 0, 0xfffffff0, 0, 0x00001003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM,
                                     0xfffffff0, GPUCMD_NV_SEM_SWITCH));
    acquires(CHIP(TU102), 0x00001003, 0xfffffff0, 0xffffffef, 5);
    CHECK(ch.puller.wait.ctxsw);
    known(85);
    EMITS(WORDS(0x20040004, 0, SEM, 5, 0x00001004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GF100), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM, 5,
                                     GPUCMD_NV_SEM_SWITCH));
    acquires(CHIP(GF100), 0x00001004, 5, 4, 6);
    known(86);
    EMITS(WORDS(0x20040004, 0, SEM, 5, 0x00001001),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GF100), GPUCMD_NV_SEM_OP_ACQUIRE, SEM, 5,
                                     GPUCMD_NV_SEM_SWITCH));
    acquires(CHIP(GF100), 0x00001001, 5, 6, 5);
    known(89);
    EMITS(WORDS(0x00100010, 0, SEM, 5, 0x00000004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(G84), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM, 5, 0));
    acquires(CHIP(G84), 0x00000004, 5, 4, 6);
}

static void semaphored_releases(void)
{
    known(84);
    EMITS(WORDS(0x20040004, 0, SEM, 5, 0x00000002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GF100), SEM, 5,
                                     GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI));
    start(CHIP(GF100));
    poke(SEM + 4, 0x77);
    GO(IDLE, 0x20040004, 0, SEM, 5, 0x00000002);
    EQUAL(peek64(SEM), 5);
    EQUAL(peek64(SEM + 8), TIME);
    known(87);
    EMITS(WORDS(0x20040004, 0, SEM, 5, 0x01100002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GP102), SEM, 5, 0));
    start(CHIP(GP102));
    poke(SEM + 4, 0x77);
    GO(IDLE, 0x20040004, 0, SEM, 5, 0x01100002);
    EQUAL(peek64(SEM), 0x7700000005);
    EQUAL(peek64(SEM + 8), 0);
    known(88);
    EMITS(WORDS(0x00100010, 0, SEM, 5, 0x00000002),
          gpucmd_nv_emit_sem_release(&w, CHIP(G84), SEM, 5, GPUCMD_NV_SEM_TIMESTAMP));
    start(CHIP(G84));
    poke(SEM + 4, 0x77);
    GO(IDLE, 0x00100010, 0, SEM, 5, 0x00000002);
    EQUAL(peek64(SEM), 5);
    EQUAL(peek64(SEM + 8), TIME);
}

/* ---- other host methods ---- */

static void mem_ops_and_binds(void)
{
    known(90);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(TU102), false));
    known(91);
    EMITS(WORDS(0x2004000a, 0, 0, 1, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(TU102), true));
    known(92);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x80000000), gpucmd_nv_emit_l2_flush_dirty(&w, CHIP(TU102)));
    start(CHIP(TU102)); /* accepted without effect: the executor has no cache */
    GO(IDLE, 0x2004000a, 0, 0, 0, 0x28000000, 0x2004000a, 0, 0, 1, 0x28000000, 0x2004000a, 0, 0, 0,
       0x80000000, 0x20010014, 9);
    EQUAL(ch.pbdma.ref, 9);
    EQUAL(got.count, 0);
    known(93);
    EMITS(WORDS(0x20018000, 0x0000c7b5), gpucmd_nv_emit_set_object(&w, CHIP(GA102), 4, 0xc7b5));
    start(CHIP(GA102));
    GO(IDLE, 0x20018000, 0x0000c7b5);
    EQUAL(ch.engines[4].class_id, 0xc7b5);
    EQUAL(ch.engines[4].model, GPUCMD_NV_MODEL_COPY);
    known(94);
    EMITS(WORDS(0x20014000, 0x00009039), gpucmd_nv_emit_set_object(&w, CHIP(GF100), 2, 0x9039));
    start(CHIP(GF100));
    GO(IDLE, 0x20014000, 0x00009039);
    EQUAL(ch.engines[2].model, GPUCMD_NV_MODEL_M2MF_GF100);
}

/* ---- engines ---- */

static void fill_src(void)
{
    for (uint32_t i = 0; i < 0x200; i++) {
        ram[SRC - BASE + i] = (uint8_t)(1 + i % 251);
    }
}

static bool copied(uint32_t dst_off, uint32_t src_off, uint32_t n)
{
    return memcmp(ram + (DST - BASE) + dst_off, ram + (SRC - BASE) + src_off, n) == 0;
}

/* LAUNCH_DMA of the copy engine: 3 lines of 10 elements, pitch 64 to 32; semaphore 7 at SEM. */
static void launch(gpucmd_nv_chip chip, uint32_t components, uint32_t dw)
{
    start(chip);
    fill_src();
    poke(SEM, 3);
    poke(SEM + 4, 0x77);
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 64, 32, 10, 3, 0x200381c0, 0x55667788, 0x11223344,
       components, 0x20038090, 0, SEM, 7, 0x200180c0, dw);
}

static void copies(void)
{
    static const unsigned plain[] = {95, 97};
    for (unsigned i = 0; i < 2; i++) {
        known(plain[i]);
        launch(CHIP(GA102), 0, plain[i] == 95 ? 0x00000182 : 0x00000186);
        CHECK(copied(0, 0, 10));
        EQUAL(ram[DST - BASE + 10], 0);
        EQUAL(ram[DST - BASE + 32], 0); /* one line */
        EQUAL(peek(SEM), 3);
    }
    known(98);
    launch(CHIP(GK104), 0x03303210, 0x00000786); /* elements of 4 x 1 byte */
    CHECK(copied(0, 0, 32) && copied(32, 64, 32) && copied(64, 128, 40));
    EQUAL(ram[DST - BASE + 64 + 40], 0);
    known(99);
    known(102);
    launch(CHIP(TU102), 0x00000005, 0x00000582);
    EQUAL(peek64(DST), 0x4444444444444444);
    EQUAL(peek64(DST + 8), 0x4444);
    known(101);
    launch(CHIP(TU102), 0x00030005, 0x00000582);
    EQUAL(peek64(DST), 0x1122334411223344);
    EQUAL(peek64(DST + 36), 0x11223344);
    known(103);
    launch(CHIP(TU102), 0x01030054, 0x00000582);
    EQUAL(peek64(DST), 0x1122334455667788);
    EQUAL(peek64(DST + 72), 0x1122334455667788);
    EQUAL(peek64(DST + 80), 0);
    known(96);
    launch(CHIP(GA102), 0, 0x00000014);
    EQUAL(peek64(SEM), 7);
    EQUAL(peek64(SEM + 8), TIME);
    EQUAL(peek(DST), 0);
    known(100);
    launch(CHIP(TU102), 0, 0x00000008);
    EQUAL(peek64(SEM), 0x7700000007);
    EQUAL(peek64(SEM + 8), 0);
    known(122);
    launch(CHIP(TU102), 0, 0x000d8008);
    EQUAL(peek64(SEM), 0x7700000004);
    GO(IDLE, 0x20038090, 0, SEM, 3, 0x200180c0, 0x000d8008);
    EQUAL(peek(SEM), 0); /* above the payload: wraps */
    known(123);
    launch(CHIP(TU102), 0, 0x00002182); /* physical memory: goes to the callback */
    EQUAL(got.last.addr, 0x300);
    EQUAL(got.data[0], 0x00002182);
    EQUAL(peek(DST), 0);
    env.event = NULL;
    GO(FAULT, 0x200180c0, 0x00002182);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

static void m2mf(void)
{
    known(104);
    start(CHIP(GF100));
    fill_src();
    GO(IDLE, 0x20014000, 0x9039, 0x2002408e, 0, DST, 0x200640c3, 0, SRC, 64, 32, 20, 3, 0x200140c0,
       0x00100110);
    CHECK(copied(0, 0, 20) && copied(32, 64, 20) && copied(64, 128, 20));
    known(105);
    known(131);
    GO(IDLE, 0x2002408e, 0, DST, 0x200240c7, 8, 1, 0x200140c0, 0x00100111, 0x600240c1, 0x11111111,
       0x22222222);
    EQUAL(peek64(DST), 0x2222222211111111);
    known(106);
    start(CHIP(NV40));
    fill_src();
    GO(IDLE, 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 64, 32, 20, 3, 0x00000101, 0);
    CHECK(copied(0, 0, 20) && copied(32, 64, 20) && copied(64, 128, 20));
    start(CHIP(G80));
    fill_src();
    GO(IDLE, 0x0004a000, 0xcafe5039, 0x0004a200, 1, 0x0004a21c, 1, 0x0008a238, 0, 0, 0x0020a30c,
       SRC, DST, 64, 32, 20, 3, 0x00000101, 0);
    CHECK(copied(0, 0, 20) && copied(32, 64, 20) && copied(64, 128, 20));
}

/* ---- entries and doorbells ---- */

static void entries(void)
{
    static const struct {
        unsigned number;
        gpucmd_nv_chip chip;
        uint64_t va;
        uint32_t len_dw;
        uint32_t flags;
        uint32_t want[2];
    } rows[] = {
        {107, GPUCMD_NV_CHIP_G80,   0x20001000,   16,       0,                          {0x20001000, 0x00004000}},
        {108, GPUCMD_NV_CHIP_G80,   0x120001000,  0x1fffff, 0,                          {0x20001000, 0x7ffffc01}},
        {109, GPUCMD_NV_CHIP_G80,   0x1000,       0x3fffff, 0,                          {0x00001000, 0xfffffc00}},
        {110, GPUCMD_NV_CHIP_GF100, 0x100000000,  1,        0,                          {0x00000000, 0x00000401}},
        {111,
         GPUCMD_NV_CHIP_GF100,      0x100000000,
         1,                                                 GPUCMD_NV_ENTRY_SYNC_WAIT,
         {0x00000000, 0x80000401}                                                                               },
        {112,
         GPUCMD_NV_CHIP_GA102,      0x200400000,
         12,                                                GPUCMD_NV_ENTRY_SUBROUTINE,
         {0x00400000, 0x00003202}                                                                               },
        {113, GPUCMD_NV_CHIP_TU102, 0xfffffffff8, 1,        0,                          {0xfffffff8, 0x000004ff}},
    };
    static const struct {
        unsigned number;
        gpucmd_nv_chip chip;
        gpucmd_nv_control op;
        uint32_t operand;
        uint32_t flags;
        uint32_t want[2];
    } controls[] = {
        {114, GPUCMD_NV_CHIP_TU102, GPUCMD_NV_CONTROL_NOP,                          0, 0,                         {0x00000000, 0x00000000}},
        {115,
         GPUCMD_NV_CHIP_GF100,      GPUCMD_NV_CONTROL_ILLEGAL,
         0xdeadbeef,                                                                   0,
         {0xdeadbeef, 0x00000001}                                                                                                         },
        {116,
         GPUCMD_NV_CHIP_GF100,      GPUCMD_NV_CONTROL_GP_CRC,
         0x12345678,                                                                   0,
         {0x12345678, 0x00000002}                                                                                                         },
        {117,
         GPUCMD_NV_CHIP_GF100,      GPUCMD_NV_CONTROL_PB_CRC,
         0x12345678,                                                                   GPUCMD_NV_ENTRY_SYNC_WAIT,
         {0x12345678, 0x80000003}                                                                                                         },
        {118,
         GPUCMD_NV_CHIP_GH100,      GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
         0x00012300,                                                                   0,
         {0x00012300, 0x00000004}                                                                                                         },
    };
    uint32_t entry[2] = {0, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        known(rows[i].number);
        CHECK(gpucmd_nv_encode_entry(entry, rows[i].chip, rows[i].va, rows[i].len_dw,
                                     rows[i].flags) == GPUCMD_OK);
        EQUAL(entry[0], rows[i].want[0]);
        EQUAL(entry[1], rows[i].want[1]);
    }
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        known(controls[i].number);
        CHECK(gpucmd_nv_encode_control(entry, controls[i].chip, controls[i].op, controls[i].operand,
                                       controls[i].flags) == GPUCMD_OK);
        EQUAL(entry[0], controls[i].want[0]);
        EQUAL(entry[1], controls[i].want[1]);
    }
}

static uint32_t rung[2]; /* number of writes to the doorbell, last value */

static uint32_t read_nothing(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return 0;
}

static void ring_bell(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    if (off_bytes == 0x90) {
        rung[0]++;
        rung[1] = v;
    }
}

static void doorbells(void)
{
    static const struct {
        unsigned number;
        gpucmd_nv_chip chip;
        uint32_t token;
    } rows[] = {
        {119, GPUCMD_NV_CHIP_TU102, 0x00050023},
        {120, GPUCMD_NV_CHIP_GB202, 0x40050023},
        {121, GPUCMD_NV_CHIP_GV100, 0x00000023},
    };
    static const gpucmd_mmio mmio = {read_nothing, ring_bell, NULL};
    static uint64_t place[4];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nv_gpfifo f;
        memset(&f, 0, sizeof f);
        known(rows[i].number);
        memset(rung, 0, sizeof rung);
        CHECK(gpucmd_nv_gpfifo_init(&f, rows[i].chip, place, 2, &mmio, &mmio, rows[i].token) ==
              GPUCMD_OK);
        CHECK(gpucmd_nv_gpfifo_push(&f, 0x1000, 1, 0) == GPUCMD_OK);
        gpucmd_nv_gpfifo_submit(&f);
        EQUAL(rung[0], 1);
        EQUAL(rung[1], rows[i].token);
    }
}

/* ---- sequences ---- */

static void sequences(void)
{
    known(124);
    start(CHIP(GA102));
    add_region(0, 0x7f12345000);
    GO(IDLE, 0x20050017, 0x12345670, 0x0000007f, 0x0000002a, 0x00000000, 0x03100001, 0x20010008,
       0x00000000);
    EQUAL(far64(0, 0x670), 0x2a);
    EQUAL(far64(0, 0x678), TIME);
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_NON_STALL);
    known(125);
    GO(BLOCKED, 0x20050017, 0x12345670, 0x0000007f, 0x0000002b, 0x00000000, 0x01000003);
    gpucmd_store64(far_ram[0] + 0x670, 0x2b, GPUCMD_LITTLE_ENDIAN);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    known(126);
    start(CHIP(GA102));
    add_region(0, 0x1000000000);
    add_region(1, 0x1120000000);
    for (uint32_t i = 0; i < 0x1001; i++) {
        far_ram[0][i] = (uint8_t)(1 + i % 251);
    }
    GO(IDLE, 0x20048100, 0x00000010, 0x00000000, 0x00000011, 0x20000000, 0x20018106, 0x00001000,
       0x200180c0, 0x00000182);
    CHECK(memcmp(far_ram[0], far_ram[1], 0x1000) == 0);
    EQUAL(far_ram[1][0x1000], 0);
    known(127);
    start(CHIP(GA102));
    add_region(0, 0x1200000000);
    GO(IDLE, 0x20038090, 0x00000012, 0x00000040, 0x00000007, 0x200180c0, 0x00000014);
    EQUAL(far64(0, 0x40), 7);
    EQUAL(far64(0, 0x48), TIME);
    known(128);
    start(CHIP(GF100));
    add_region(0, 0x100000000);
    GO(IDLE, 0x20050004, 0x00000001, 0x00000100, 0x00000005, 0x00000002, 0x00000000);
    EQUAL(far64(0, 0x100), 5);
    EQUAL(far64(0, 0x108), TIME);
    EQUAL(got.interrupts, 1);
    known(129);
    gpucmd_store64(far_ram[0] + 0x100, 4, GPUCMD_LITTLE_ENDIAN);
    GO(BLOCKED, 0x20040004, 0x00000001, 0x00000100, 0x00000005, 0x00001004);
    gpucmd_store64(far_ram[0] + 0x100, 5, GPUCMD_LITTLE_ENDIAN);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    known(130);
    EMITS(WORDS(0x00040050, 9), gpucmd_nv_emit_ref_cnt(&w, CHIP(NV10), 9));
    start(CHIP(NV10));
    GO(IDLE, 0x00040050, 0x00000009);
    EQUAL(ch.pusher.ref, 9);
    known(132);
    known(133);
    start(CHIP(TU102));
    GO(IDLE, 0x60000002, 0x60040002, 0, 0, 0, 0, 0x20010014, 9);
    EQUAL(ch.pbdma.ref, 9);
    EQUAL(got.count, 0);
}

int main(void)
{
    sem_execute_releases();
    sem_acquires();
    semaphored_releases();
    mem_ops_and_binds();
    copies();
    m2mf();
    entries();
    doorbells();
    sequences();
    for (unsigned i = 73; i < 134; i++) {
        if (!EQUAL(seen[i], 1)) {
            printf("    known word %u\n", i);
        }
    }
    return test_report("nv_known");
}

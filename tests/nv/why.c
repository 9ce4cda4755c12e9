/* nv/why.c - why the pusher, the PBDMA, a channel and many channels stopped: kind, register bits,
 * position, address and text of every cause; names of INTR_0, of control entries and of windows.
 * Words are typed from the class headers. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/host.h"

static gpucmd_why why;
static char line[200];

/* Expect this line for why. */
static void says(const char *want, int at)
{
    gpucmd_text t;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_print_why(&t, &why);
    test_check(strcmp(line, want) == 0, __FILE__, at, line);
    if (why.kind == GPUCMD_WHY_IDLE || why.kind == GPUCMD_WHY_READY) {
        test_check(why.status == GPUCMD_OK && why.va == 0 && why.bits == 0 &&
                       (why.value == 0 || why.value == ch.unexecuted) && *why.reg == '\0' &&
                       *why.name == '\0',
                   __FILE__, at, line);
    }
}

#define SAYS(want) says(want "\n", __LINE__)

static void of_channel(void)
{
    memset(&why, 0xee, sizeof why);
    gpucmd_nv_channel_why(&ch, &env, &why);
}

/* ---- the pusher: DMA_STATE 31:29 holds the error ---- */

static void pusher_errors(void)
{
    static const struct {
        uint32_t dw;
        const char *want;
    } rows[] = {
        {0x00000003, "ERROR pusher 0 at 0x100000: DMA_STATE 0x80000000 INVALID_CMD: "
                     "not a command of this chip and mode\n"},
        {0x00020000, "ERROR pusher 0 at 0x100000: DMA_STATE 0x60000000 RET_SUBR_INACTIVE: "
                     "return outside a subroutine\n"        },
    };
    gpucmd_nv_pusher p;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(GPUCMD_NV_CHIP_NV40);
        poke(BASE, rows[i].dw);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        EQUAL(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_NV40), GPUCMD_OK);
        p.dma_get = BASE;
        p.dma_put = BASE + 4;
        gpucmd_nv_pusher_why(&p, NULL, &why);
        SAYS("READY pusher 0 at 0x100000: work is left and nothing stops it");
        EQUAL(gpucmd_nv_pusher_run(&p, &env, 10), GPUCMD_RUN_FAULT);
        gpucmd_nv_pusher_why(&p, NULL, &why);
        says(rows[i].want, __LINE__);
        EQUAL(why.kind, GPUCMD_WHY_ERROR);
        EQUAL(why.bits >> 29, p.error);
        gpucmd_nv_pusher_recover(&p);
        gpucmd_nv_pusher_why(&p, NULL, &why);
        SAYS("IDLE pusher 0 at 0x100004: no work is left");
    }
    /* an offset counts from the DMA object */
    p.dma_pushbuffer_va = 0x40000000;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x40100004);
    /* a callback that fails; a state that no chip has */
    p.fault = GPUCMD_INVALID;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    SAYS("CALLBACK pusher 0 at 0x40100004: INVALID: a callback returned this status");
    EQUAL(why.status, GPUCMD_INVALID);
    p.chip = GPUCMD_NV_CHIP_NV3;
    p.fault = GPUCMD_UNSUPPORTED;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    SAYS("MODEL pusher 0 at 0x40100004: UNSUPPORTED: the executor cannot execute this");
}

/* In IB mode the position is that of the IB entry if no segment is being executed. */
static void pusher_entries(void)
{
    gpucmd_nv_pusher p;
    EQUAL(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_G80), GPUCMD_OK);
    p.ib_enable = true;
    p.ib_address = 0x8000;
    p.ib_order = 3;
    p.ib_get = 2;
    p.ib_put = 2;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_IDLE);
    EQUAL(why.at_va, 0x8010);
    p.ib_put = 3;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_READY);
    p.dma_get = 0x2000;
    p.dma_put = 0x2004;
    p.ib_put = 2;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_READY);
    EQUAL(why.at_va, 0x2000);
}

/* After an error, the place is that of the word or entry with the error, whatever comes next. */
static void pusher_places(void)
{
    gpucmd_nv_pusher p;
    EQUAL(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_G80), GPUCMD_OK);
    p.ib_enable = true;
    p.ib_address = 0x8000;
    p.ib_order = 3;
    p.dma_get = p.dma_put = 0x2008; /* the bad word was the last of its segment */
    p.error = GPUCMD_NV_PUSHER_ERROR_INVALID_CMD;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x2004);
    EQUAL(why.va, 0x2004);
    p.error = GPUCMD_NV_PUSHER_ERROR_IB_EMPTY;
    p.ib_get = 2;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x8008);
    p.ib_get = 0; /* the entry before is the last of the ring */
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x8038);
    p.error = GPUCMD_NV_PUSHER_ERROR_MEM_FAULT;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x8000);
    p.dma_put = 0x2010;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x2008);
    p.error = GPUCMD_NV_PUSHER_ERROR_CALL_SUBR_ACTIVE;
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x2004);
    p.call_keeps_get = true; /* dma_get stays at CALL */
    gpucmd_nv_pusher_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x2008);
}

static void pbdma_places(void)
{
    static const struct {
        uint32_t bit;
        uint64_t va;
    } rows[] = {
        {GPUCMD_NV_PBDMA_INTR_PBENTRY, 0x2004  },
        {GPUCMD_NV_PBDMA_INTR_PBSEG,   0x2004  },
        {GPUCMD_NV_PBDMA_INTR_GPENTRY, RING    },
        {GPUCMD_NV_PBDMA_INTR_GPCRC,   RING    },
        {GPUCMD_NV_PBDMA_INTR_PBCRC,   RING    },
        {GPUCMD_NV_PBDMA_INTR_GPPTR,   RING + 8},
        {GPUCMD_NV_PBDMA_INTR_METHOD,  RING + 8},
    };
    gpucmd_nv_pbdma p;
    EQUAL(gpucmd_nv_pbdma_init(&p, GPUCMD_NV_CHIP_GA102), GPUCMD_OK);
    p.gp_base = RING;
    p.limit2 = 2;
    p.gp_get = 1;
    p.pb_get = p.pb_put = 0x2008;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        p.intr = rows[i].bit;
        gpucmd_nv_pbdma_why(&p, NULL, &why);
        EQUAL(why.at_va, rows[i].va);
        EQUAL(why.va, rows[i].va);
    }
    p.intr = GPUCMD_NV_PBDMA_INTR_GPENTRY;
    p.gp_get = 0; /* the entry before is the last of the ring */
    gpucmd_nv_pbdma_why(&p, NULL, &why);
    EQUAL(why.at_va, RING + 8 * 3);
    p.intr = GPUCMD_NV_PBDMA_INTR_METHOD;
    p.pb_put = 0x2010;
    gpucmd_nv_pbdma_why(&p, NULL, &why);
    EQUAL(why.at_va, 0x2008);
}

/* ---- words that nobody submitted, methods that nobody executed ---- */

static void missing(void)
{
    gpucmd_nv_pusher p;
    start(GPUCMD_NV_CHIP_GA102);
    submit((const uint32_t[]){0x20030040, 1}, 2); /* INC of 3 words */
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    gpucmd_nv_channel_why(&ch, &env, &why);
    SAYS("WAIT channel 3 at 0x110008: 2 data words of a method run are missing, from "
         "method 0x104 of subchannel 0");
    EQUAL(why.value, 2);
    submit((const uint32_t[]){2}, 1);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    gpucmd_nv_run_all_why(&ch, 1, NULL, NULL, &why);
    SAYS("WAIT channel 3 at 0x110010: 1 data word of a method run is missing, from "
         "method 0x108 of subchannel 0");
    /* An IB entry that is 3 words too short for a release: SEM_ADDR_LO, _HI are there. */
    start(GPUCMD_NV_CHIP_GA102);
    submit((const uint32_t[]){0x20052017, SEM, 0}, 3);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    of_channel();
    SAYS("WAIT channel 3 at 0x110008: 3 data words of a method run are missing, from "
         "SEM_PAYLOAD_LO 0x64 of subchannel 1");
    EQUAL(why.va, 0x64);
    EQUAL(why.bits, 1);
    start(GPUCMD_NV_CHIP_G80);
    EQUAL(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_G80), GPUCMD_OK);
    p.ib_enable = true;
    p.ib_address = RING;
    poke(BASE, 0x00030100); /* LONG_NON_INC */
    poke(BASE + 4, 5);
    poke(BASE + 8, 5);
    p.dma_get = BASE;
    p.dma_put = BASE + 4;
    EQUAL(gpucmd_nv_pusher_run(&p, &env, 10), GPUCMD_RUN_IDLE);
    gpucmd_nv_pusher_why(&p, NULL, &why);
    SAYS("WAIT pusher 0 at 0x110000: the count word of a method run is missing, from "
         "method 0x100 of subchannel 0");
    p.dma_put = BASE + 12;
    EQUAL(gpucmd_nv_pusher_run(&p, &env, 10), GPUCMD_RUN_IDLE);
    gpucmd_nv_pusher_why(&p, NULL, &why);
    SAYS("WAIT pusher 0 at 0x110000: 4 data words of a method run are missing, from "
         "method 0x100 of subchannel 0");
}

/* Data words of methods without a model or callback are counted, whether the words are executed one
 * by one or in runs. */
static void unexecuted(void)
{
    static const uint32_t words[] = {
        0x20010000, 0xc797,                     /* SET_OBJECT, 3D */
        0x20030080, 1,      2,   3,             /* INC 0x200: 3 words, nobody */
        0x60040080, 1,      2,   3, 4,          /* NON_INC 0x200: 4 words */
        0xa0030080, 1,      2,   3,             /* ONE_INC 0x200: 3 words */
        0x80010080,                             /* IMMD 0x200: 1 word */
        0x200406c0, 0,      SEM, 5, 0x1000f010, /* REPORT_*: the model */
        0x20010014, 1,                          /* SET_REFERENCE: the host engine */
        0x20092080, 1,      2,   3, 4,
        5,          6,      7,   8, 9, /* subchannel 1 has no object: 9 words */
    };
    for (unsigned step = 0; step < 2; step++) {
        start(GPUCMD_NV_CHIP_GA102);
        env.event = NULL;
        submit(words, sizeof words / 4);
        while (step != 0 && gpucmd_nv_channel_step(&ch, &env) == GPUCMD_RUN_DONE) {
        }
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
        EQUAL(ch.unexecuted, 3 + 4 + 3 + 1 + 9);
        EQUAL(peek(SEM), 5);
    }
    start(GPUCMD_NV_CHIP_GA102);
    submit(words, sizeof words / 4);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(ch.unexecuted, 0); /* the callback executed them */
    start(GPUCMD_NV_CHIP_GA102);
    env.event = NULL;
    submit(words, sizeof words / 4);
    EQUAL(gpucmd_nv_pbdma_run(&ch.pbdma, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(ch.pbdma.unexecuted, 1 + 3 + 4 + 3 + 1 + 4 + 1 + 9);
    start(GPUCMD_NV_CHIP_NV40);
    env.event = NULL;
    submit((const uint32_t[]){0x00080200, 1, 2, 0x400c0200, 1, 2, 3}, 7);
    EQUAL(gpucmd_nv_pusher_run(&ch.pusher, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(ch.pusher.unexecuted, 5);
}

/* ---- the PBDMA: INTR_0 ---- */

static void pbdma(void)
{
    gpucmd_nv_pbdma p;
    start(GPUCMD_NV_CHIP_GA102);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_nv_pbdma_init(&p, GPUCMD_NV_CHIP_GA102), GPUCMD_OK);
    p.gp_base = RING;
    p.limit2 = 4;
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("IDLE PBDMA 0 at 0x110000: no work is left");
    poke(BASE, 0xc0000000); /* SEC_OP 6 is reserved */
    poke(RING, BASE);
    poke(RING + 4, 1 << 10);
    p.gp_put = 1;
    gpucmd_nv_pbdma_why(&p, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_READY);
    EQUAL(gpucmd_nv_pbdma_run(&p, &env, 10), GPUCMD_RUN_FAULT);
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("ERROR PBDMA 0 at 0x100000: INTR_0 0x00040000 PBENTRY: no such command, or address wraps");
    /* if several bits are set, the name is that of the lowest */
    p.intr = 1u << 31 | 1u << 26;
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS(
        "ERROR PBDMA 0 at 0x110008: INTR_0 0x84000000 ACQUIRE: acquire took longer than its limit");
    gpucmd_nv_pbdma_clear(&p, 0xffffffff);
    /* the segment of the next entry is not mapped */
    poke(RING + 8, 0x40000000);
    poke(RING + 12, 1 << 10);
    p.gp_put = 2;
    EQUAL(gpucmd_nv_pbdma_run(&p, &env, 10), GPUCMD_RUN_FAULT);
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("MEMORY PBDMA 0 at 0x40000000: 0x40000000: memory cannot be accessed");
    EQUAL(why.status, GPUCMD_FAULT);
    gpucmd_nv_pbdma_why(&p, NULL, &why);
    EQUAL(why.va, 0);
    p.fault = GPUCMD_LIMIT;
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("CALLBACK PBDMA 0 at 0x40000000: LIMIT: a callback returned this status");
    p.limit2 = 32;
    EQUAL(gpucmd_nv_pbdma_step(&p, &env), GPUCMD_RUN_FAULT);
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("MODEL PBDMA 0 at 0x40000000: RANGE: the executor cannot execute this");
    /* no chip before GF100 has a PBDMA */
    p.limit2 = 4;
    for (unsigned chip = GPUCMD_NV_CHIP_NV4; chip < GPUCMD_NV_CHIP_GF100; chip++) {
        p.chip = (gpucmd_nv_chip)chip;
        p.fault = GPUCMD_OK;
        EQUAL(gpucmd_nv_pbdma_step(&p, &env), GPUCMD_RUN_FAULT);
        EQUAL(p.fault, GPUCMD_RANGE);
    }
    gpucmd_nv_pbdma_why(&p, &env, &why);
    SAYS("MODEL PBDMA 0 at 0x40000000: RANGE: the executor cannot execute this");
}

/* ---- a channel ---- */

static void channel_errors(void)
{
    start(GPUCMD_NV_CHIP_GA102);
    of_channel();
    SAYS("IDLE channel 3 at 0x110000: no work is left");
    env.event = NULL;
    GO(IDLE, 0x20012000, 0xc7c0, 0x20022080, 1,
       2); /* a compute class: the model has no such method */
    of_channel();
    SAYS("IDLE channel 3 at 0x110008: 2 words of methods that nobody executed; no work is left");
    EQUAL(why.value, 2);
    start(GPUCMD_NV_CHIP_GA102);
    GO(FAULT, 0x20010001, 0); /* host method ILLEGAL */
    of_channel();
    SAYS("ERROR channel 3 at 0x100004: INTR_0 0x00200000 METHOD: "
         "method or operation that the host engine lacks, or ILLEGAL");
    /* a semaphore that is not mapped: SEM_ADDR_LO to SEM_EXECUTE, acquire */
    start(GPUCMD_NV_CHIP_GA102);
    GO(FAULT, 0x20050017, 0x40000000, 0, 1, 0, 0);
    of_channel();
    SAYS("MEMORY channel 3 at 0x100014: 0x40000000: memory cannot be accessed");
    /* before GF100: DMA_SEMAPHORE with an unknown handle, SEMAPHORE_ACQUIRE without an object */
    start(GPUCMD_NV_CHIP_NV40);
    GO(FAULT, 0x00040060, 0x12345678);
    of_channel();
    SAYS("ERROR channel 3 at 0x100004: CACHE_ERROR 0x00000000 CACHE_NO_HASH: "
         "no object has this handle");
    start(GPUCMD_NV_CHIP_NV40);
    GO(FAULT, 0x00040068, 1);
    of_channel();
    SAYS("ERROR channel 3 at 0x100004: SEMAPHORE 0x00000002 SEMAPHORE_INVALID_STATE: "
         "no object or offset was set");
    /* an error of the pusher */
    start(GPUCMD_NV_CHIP_NV40);
    GO(FAULT, 0x00020000);
    of_channel();
    SAYS("ERROR channel 3 at 0x100000: DMA_STATE 0x60000000 RET_SUBR_INACTIVE: "
         "return outside a subroutine");
}

static void channel_waits(void)
{
    start(GPUCMD_NV_CHIP_GA102);
    GO(BLOCKED, 0x20050017, SEM, 0, 0x15, 0, 0);
    of_channel();
    SAYS("WAIT channel 3 at 0x100014: ACQUIRE 0x15 at 0x108000: waits for memory");
    EQUAL(why.status, GPUCMD_OK);
    /* SEMAPHORED 7 is not an operation of G84: the channel hangs */
    start(GPUCMD_NV_CHIP_G84);
    GO(BLOCKED, 0x0004001c, 7);
    of_channel();
    SAYS("WAIT channel 3 at 0x100004: NONE 0x0 at 0x0: "
         "hangs, because the chip has no such semaphore operation");
    /* CLEAR_FAULTED of channel 1, but no channel has faulted */
    {
        uint32_t faulted[2] = {0, 0};
        start(GPUCMD_NV_CHIP_TU102);
        card.faulted = faulted;
        card.faulted_count = 2;
        GO(BLOCKED, 0x20010021, 1);
        of_channel();
        EQUAL(why.kind, GPUCMD_WHY_WAIT);
        EQUAL(why.va, 1);
        CHECK(strcmp(why.text, "waits for a fault of this channel") == 0);
    }
    /* SYNCPOINTA 5, SYNCPOINTB: wait for syncpoint 2 */
    {
        uint32_t syncpoints[3] = {0, 0, 4};
        start(GPUCMD_NV_CHIP_GP10B);
        card.syncpoints = syncpoints;
        card.syncpoint_count = 3;
        GO(BLOCKED, 0x2002001c, 5, 0x200);
        of_channel();
        SAYS("WAIT channel 3 at 0x100008: ACQ_CIRC_GEQ 0x5 at 0x2: waits for this syncpoint");
    }
}

static void channel_callbacks(void)
{
    /* a method of a 3D class goes to the callback */
    start(GPUCMD_NV_CHIP_GA102);
    got.answer = GPUCMD_BLOCKED;
    GO(BLOCKED, 0x20010000, 0xc797, 0x20010100, 0);
    of_channel();
    SAYS("CALLBACK channel 3 at 0x10000c: BLOCKED: a callback returned this status");
    EQUAL(why.status, GPUCMD_BLOCKED);
    got.answer = GPUCMD_ORDER;
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_FAULT);
    of_channel();
    SAYS("CALLBACK channel 3 at 0x10000c: ORDER: a callback returned this status");
    /* a copy from a physical address, which needs a callback, without a callback */
    start(GPUCMD_NV_CHIP_GA102);
    env.event = NULL;
    GO(FAULT, 0x200180c0, 0x1182);
    of_channel();
    SAYS("MODEL channel 3 at 0x100004: UNSUPPORTED: the executor cannot execute this");
    /* budget spent */
    start(GPUCMD_NV_CHIP_GA102);
    submit((const uint32_t[]){0x20010002, 0, 0x20010002, 0}, 4);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 3), GPUCMD_RUN_LIMIT);
    of_channel();
    SAYS("READY channel 3 at 0x100008: work is left and nothing stops it");
}

/* ---- many channels ---- */

static gpucmd_nv_channel many[3];
static gpucmd_nv_channel scratch;
static gpucmd_nv_blocked blocked[3];
static gpucmd_nv_report report;

/* Start three channels with one memory. Channel i has id 10 + i and its words at BASE + i *
 * 0x100. */
static void start_many(void)
{
    start(GPUCMD_NV_CHIP_GA102);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(gpucmd_nv_channel_init(&many[i], GPUCMD_NV_CHIP_GA102, &card) == GPUCMD_OK);
        many[i].id = 10 + i;
        many[i].pbdma.gp_base = RING + i * 0x100;
        many[i].pbdma.limit2 = 4;
    }
    memset(&report, 0, sizeof report);
    report.rows = blocked;
    report.cap = 3;
    report.scratch = &scratch;
    report.look_ahead = 100;
}

static void give(uint32_t i, const uint32_t *words, uint32_t n)
{
    const uint32_t va = BASE + i * 0x100;
    gpucmd_store_words(ram + (va - BASE), words, n, GPUCMD_LITTLE_ENDIAN);
    poke(RING + i * 0x100, va);
    poke(RING + i * 0x100 + 4, n << 10);
    many[i].pbdma.gp_put = 1;
}

#define GIVE(i, ...)                                                                               \
    give(i, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define ACQUIRE(va, v) 0x20050017, va, 0, v, 0, 0
#define RELEASE(va, v) 0x20050017, va, 0, v, 0, 1

static gpucmd_run run_many(uint64_t budget)
{
    card.quantum = 10;
    const gpucmd_run run = gpucmd_nv_run_all(many, 3, &env, budget, &report);
    gpucmd_nv_run_all_why(many, 3, &env, &report, &why);
    return run;
}

static void all(void)
{
    start_many();
    EQUAL(run_many(100), GPUCMD_RUN_IDLE);
    SAYS("IDLE channel 10 at 0x110000: no work is left");
    memset(&why, 0xee, sizeof why);
    gpucmd_nv_run_all_why(many, 0, &env, NULL, &why);
    SAYS("IDLE channel 0 at 0x0: no work is left");
    /* 11 and 12 wait for each other, 10 has no releaser: the position is that of the cycle */
    GIVE(0, ACQUIRE(SEM + 0x40, 1));
    GIVE(1, ACQUIRE(SEM, 1), RELEASE(SEM + 0x10, 1));
    GIVE(2, ACQUIRE(SEM + 0x10, 1), RELEASE(SEM, 1));
    EQUAL(run_many(1000), GPUCMD_RUN_BLOCKED);
    SAYS(
        "DEADLOCK channel 11 at 0x100114: ACQUIRE 0x1 at 0x108000: every unit that has work waits");
    gpucmd_nv_run_all_why(many, 3, &env, NULL, &why);
    SAYS("WAIT channel 10 at 0x100014: ACQUIRE 0x1 at 0x108040: waits for memory");
    report.rows = NULL;
    EQUAL(run_many(1000), GPUCMD_RUN_BLOCKED);
    EQUAL(why.kind, GPUCMD_WHY_DEADLOCK);
    EQUAL(why.unit, 10);
    /* without a cycle: the first row */
    start_many();
    GIVE(1, ACQUIRE(SEM, 1));
    GIVE(2, ACQUIRE(SEM + 0x10, 1));
    EQUAL(run_many(1000), GPUCMD_RUN_BLOCKED);
    EQUAL(why.kind, GPUCMD_WHY_DEADLOCK);
    EQUAL(why.unit, 11);
    /* an error precedes waits, and the first of two errors is reported */
    start_many();
    GIVE(0, ACQUIRE(SEM, 1));
    GIVE(1, 0x20010001, 0);
    GIVE(2, 0xc0000000);
    EQUAL(run_many(1000), GPUCMD_RUN_FAULT);
    SAYS("ERROR channel 11 at 0x100104: INTR_0 0x00200000 METHOD: "
         "method or operation that the host engine lacks, or ILLEGAL");
    /* budget spent while one waits */
    start_many();
    GIVE(0, ACQUIRE(SEM, 1));
    GIVE(1, 0x20010002, 0, 0x20010002, 0, 0x20010002, 0, 0x20010002, 0, 0x20010002, 0, 0x20010002,
         0, 0x20010002, 0);
    EQUAL(run_many(14), GPUCMD_RUN_LIMIT);
    EQUAL(report.livelock, true);
    SAYS("LIVELOCK channel 11 at 0x10011c: units run without effect");
    gpucmd_nv_run_all_why(many, 3, &env, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_READY);
    EQUAL(why.unit, 11);
}

/* ---- names ---- */

/* [PBDMA] INTR_0, bits 8 and 20 of older chips as in Linux */
static void names(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        unsigned bit;
        const char *name;
    } rows[] = {
        {GPUCMD_NV_CHIP_GF100, 0,  "MEMREQ"             },
        {GPUCMD_NV_CHIP_GF100, 6,  "MEMOP"              },
        {GPUCMD_NV_CHIP_GK104, 12, "LBDAT_EXTRA"        },
        {GPUCMD_NV_CHIP_GK104, 15, "GPENTRY"            },
        {GPUCMD_NV_CHIP_GK104, 17, "PBPTR"              },
        {GPUCMD_NV_CHIP_GP102, 20, "XBARCONNECT"        },
        {GPUCMD_NV_CHIP_GV100, 20, "CLEAR_FAULTED_ERROR"},
        {GPUCMD_NV_CHIP_GA100, 20, "?"                  },
        {GPUCMD_NV_CHIP_GP102, 24, "?"                  },
        {GPUCMD_NV_CHIP_TU102, 24, "ENG_RESET"          },
        {GPUCMD_NV_CHIP_TU102, 26, "ACQUIRE"            },
        {GPUCMD_NV_CHIP_GB100, 31, "SIGNATURE"          },
        {GPUCMD_NV_CHIP_GB100, 32, "?"                  },
        {GPUCMD_NV_CHIP_G80,   15, "?"                  },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_check(strcmp(gpucmd_nv_pbdma_intr_name(rows[i].chip, rows[i].bit), rows[i].name) == 0,
                   __FILE__, __LINE__, rows[i].name);
    }
    /* before GV100, every bit except 24 has its own name and text */
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = gpucmd_nv_pbdma_intr_name(GPUCMD_NV_CHIP_TU102, bit);
        CHECK(*name != '?' && *gpucmd_nv_pbdma_intr_text(GPUCMD_NV_CHIP_TU102, bit) != '?');
        for (unsigned other = 0; other < bit; other++) {
            CHECK(strcmp(name, gpucmd_nv_pbdma_intr_name(GPUCMD_NV_CHIP_TU102, other)) != 0);
        }
    }
    for (unsigned bit = 0; bit < 32; bit++) { /* GA100 and later have no bits 6 and 20 */
        const bool gone = bit == 6 || bit == 20;
        EQUAL(*gpucmd_nv_pbdma_intr_name(GPUCMD_NV_CHIP_GA100, bit) == '?', gone);
        EQUAL(*gpucmd_nv_pbdma_intr_name(GPUCMD_NV_CHIP_GB202, bit) == '?', gone);
    }
    CHECK(strcmp(gpucmd_nv_pbdma_intr_text(GPUCMD_NV_CHIP_TU102, 32), "?") == 0);
    /* [906F] [C86F] GP_ENTRY1_OPCODE, by number */
    static const char *const controls[] = {
        "NOP", "ILLEGAL", "GP_CRC", "PB_CRC", "SET_PB_SEGMENT_EXTENDED_BASE", "?"};
    for (uint32_t op = 0; op < 6; op++) {
        CHECK(strcmp(gpucmd_nv_control_name(GPUCMD_NV_CHIP_G80, op), "?") == 0);
        CHECK(strcmp(gpucmd_nv_control_name(GPUCMD_NV_CHIP_MCP89, op), "?") == 0);
        CHECK(strcmp(gpucmd_nv_control_name(GPUCMD_NV_CHIP_GF100, op),
                     op < 4 ? controls[op] : "?") == 0);
        CHECK(strcmp(gpucmd_nv_control_name(GPUCMD_NV_CHIP_GA100, op),
                     op < 4 ? controls[op] : "?") == 0);
        CHECK(strcmp(gpucmd_nv_control_name(GPUCMD_NV_CHIP_GH100, op), controls[op]) == 0);
    }
    CHECK(strcmp(gpucmd_nv_window_name(GPUCMD_NV_WINDOW_MMIO), "MMIO") == 0);
    CHECK(strcmp(gpucmd_nv_window_name(GPUCMD_NV_WINDOW_MEMORY), "MEMORY") == 0);
    CHECK(strcmp(gpucmd_nv_window_name((gpucmd_nv_window)7), "?") == 0);
}

int main(void)
{
    pusher_errors();
    pusher_entries();
    pusher_places();
    pbdma_places();
    missing();
    unexecuted();
    pbdma();
    channel_errors();
    channel_waits();
    channel_callbacks();
    all();
    names();
    return test_report("nv_why");
}

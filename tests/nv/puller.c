/* The puller, method by method: differences between chips, METHOD_CRC, FAULTED bits, syncpoints,
 * and their recipes and checker rules. Words and expected values are typed from the sources. A
 * separate program computed the CRCs bit by bit. nv/host.c has the semaphores. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define CHIP(name) ((gpucmd_nv_chip)GPUCMD_NV_CHIP_##name)
#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)

static gpucmd_run go_on(void)
{
    return gpucmd_nv_channel_run(&ch, &env, 1000000);
}

/* Expect these bits of INTR_0, then let recovery drop the word. */
static void expect_intr(uint32_t bits)
{
    EQUAL(ch.pbdma.intr, bits);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
}

/* ---- METHOD_CRC ---- */

/* [PBDMA] MSB first over 6 bytes from the low one; subchannel, address / 4, data from the top. */
static void crc_values(void)
{
    EQUAL(gpucmd_nv_crc(0, "123456789", 9), 0x89a1897f);
    EQUAL(gpucmd_nv_method_crc(0, 0, 0x100, 1), 0x5a6e6134);
    EQUAL(gpucmd_nv_method_crc(0x5a6e6134, 0, 0x104, 2), 0x1c19f024);
    EQUAL(gpucmd_nv_method_crc(0, 5, 0x3ffc, 0xdeadbeef), 0x6d4b89ad);
    EQUAL(gpucmd_nv_method_crc(0, 7, 0x1400, 0x12345678), 0x6872baf2);
}

/* Start a channel of the chip that computes METHOD_CRC. */
static void start_crc(gpucmd_nv_chip chip)
{
    start(chip);
    ch.puller.keeps_crc = true;
}

static void crc_runs(void)
{
    start_crc(CHIP(GF100));
    GO(IDLE, 0x20020040, 1, 2, 0x2001001f, 0x1c19f024);    /* INC */
    EQUAL(ch.puller.method_crc, 0);                        /* cleared after the comparison */
    GO(IDLE, 0x60030040, 1, 2, 3, 0x2001001f, 0xe977b978); /* NON_INC */
    GO(IDLE, 0xa0030040, 1, 2, 3, 0x2001001f, 0x60cfa46e); /* ONE_INC */
    GO(IDLE, 0x80072500, 0x2001001f, 0x1a0c9273);          /* IMMD */
    GO(IDLE, 0x2001001f, 0);                               /* no method since the last CRC_CHECK */
    /* host methods are not counted, SET_OBJECT is */
    GO(IDLE, 0x20010014, 5, 0x60020002, 0, 0, 0x20020040, 1, 2, 0x2001001f, 0x1c19f024);
    GO(IDLE, 0x20010000, 0x9097, 0x2001001f, 0xdc14da3c);
    GO(IDLE, 0x20010000, 0x9097, 0x20010040, 5, 0x2001001f, 0x092edaa1);
    /* methods of a software object are not counted, nor SET_OBJECT of a copy engine */
    card.software = on_event;
    GO(IDLE, 0x2001e000, 0x001f906e, 0x2001e140, 1, 0x2001001f, 0);
    GO(IDLE, 0x20018000, 0x90b5, 0x2001001f, 0);
    /* methods that an engine model executes are counted, also without a callback */
    start_crc(CHIP(GF100));
    env.event = NULL;
    GO(IDLE, 0x20014000, 0x9039, 0x2002408e, 0, DST, 0x200640c3, 0, SRC, 64, 32, 20, 3, 0x200140c0,
       0x00100110, 0x2001001f, 0xbde27779);
    /* a run that begins with host methods: words for the engine are counted */
    start_crc(CHIP(TU102));
    GO(FAULT, 0x2003003f, 1, 1, 2, 0x2001001f, 0x1c19f024);
    expect_intr(1u << 21);
    /* a run that the callback accepts in several parts is counted once */
    start_crc(CHIP(GF100));
    got.answer = GPUCMD_BLOCKED;
    got.take = 1;
    GO(BLOCKED, 0x20020040, 1, 2, 0x2001001f, 0x1c19f024);
    EQUAL(ch.puller.method_crc, 0x5a6e6134);
    got.answer = GPUCMD_OK;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
}

/* A mismatch raises METHODCRC. The register restarts, and recovery drops the word. */
static void crc_mismatch(void)
{
    start_crc(CHIP(GV100));
    GO(FAULT, 0x20010040, 1, 0x2001001f, 0x5a6e6135, 0x20010014, 7);
    EQUAL(ch.puller.method_crc, 0);
    EQUAL(ch.pbdma.ref, 0);
    expect_intr(1u << 22);
    EQUAL(ch.pbdma.ref, 7);
    GO(IDLE, 0x20010040, 1, 0x2001001f, 0x5a6e6134);
    /* GA100 has no CRC_CHECK */
    start_crc(CHIP(GA100));
    GO(FAULT, 0x2001001f, 0);
    expect_intr(1u << 21);
    /* if the CRC is not computed, the method goes to the callback; without a callback:
     * UNSUPPORTED */
    start(CHIP(GV100));
    GO(IDLE, 0x20010040, 1, 0x2001001f, 0x11223344);
    EQUAL(got.last.addr, 0x7c);
    EQUAL(got.data[0], 0x11223344);
    EQUAL(ch.puller.method_crc, 0);
    env.event = NULL;
    GO(FAULT, 0x2001001f, 0x11223344);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
}

/* ---- FAULTED ---- */

static void clear_faulted(void)
{
    uint32_t faulted[6] = {0, 0, 0, 0, 0, 3};
    start(CHIP(GV100));
    card.faulted = faulted;
    card.faulted_count = 6;
    GO(IDLE, 0x20010021, 5, 0x20010014, 1); /* TYPE 0: PBDMA_FAULTED of channel 5 */
    EQUAL(faulted[5], GPUCMD_NV_ENG_FAULTED);
    EQUAL(ch.pbdma.ref, 1);
    GO(IDLE, 0x20010021, 0x80001005); /* TYPE 1: ENG_FAULTED; CHID 11:0 */
    EQUAL(faulted[5], 0);
    /* retried until the bit is set; nothing is left of an acquire of 64 bits before */
    poke(SEM + 4, 7);
    GO(IDLE, 0x20050017, SEM, 0, 0, 7, 0x01001003);
    CHECK(ch.puller.wait.is_64bit && ch.puller.wait.ctxsw);
    GO(BLOCKED, 0x20010021, 0x80000005, 0x20010014, 2);
    CHECK(ch.puller.wait.active && ch.puller.wait.is_fault);
    EQUAL(ch.puller.wait.op, GPUCMD_NV_SEM_OP_NONE);
    EQUAL(ch.puller.wait.va, 5);
    EQUAL(ch.puller.wait.payload, 0);
    CHECK(!ch.puller.wait.is_64bit && !ch.puller.wait.ctxsw);
    faulted[5] = GPUCMD_NV_PBDMA_FAULTED; /* the bit of the other type */
    EQUAL(go_on(), GPUCMD_RUN_BLOCKED);
    EQUAL(ch.pbdma.ref, 1);
    faulted[5] = 3;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    CHECK(!ch.puller.wait.active);
    EQUAL(faulted[5], GPUCMD_NV_PBDMA_FAULTED);
    EQUAL(ch.pbdma.ref, 2);
    GO(BLOCKED, 0x20010021, 6); /* a channel without bits */
    EQUAL(got.count, 0);
    /* TU102: the handle's channel is in 15:0, its runlist above */
    start(CHIP(TU102));
    card.faulted = faulted;
    card.faulted_count = 6;
    faulted[5] = 3;
    GO(IDLE, 0x20010021, 0x80070005);
    EQUAL(faulted[5], GPUCMD_NV_PBDMA_FAULTED);
    GO(BLOCKED, 0x20010021, 0x00001005);
    start(CHIP(GV11B)); /* as GV100 */
    card.faulted = faulted;
    card.faulted_count = 6;
    faulted[5] = 3;
    GO(IDLE, 0x20010021, 0x80001005);
    EQUAL(faulted[5], GPUCMD_NV_PBDMA_FAULTED);
    /* GA100: METHOD, and the bits stay */
    start(CHIP(GA100));
    card.faulted = faulted;
    card.faulted_count = 6;
    GO(FAULT, 0x20010021, 0x00000005);
    expect_intr(1u << 21);
    EQUAL(faulted[5], GPUCMD_NV_PBDMA_FAULTED);
    EQUAL(got.count, 0);
    /* without bits the method is passed to the callback */
    start(CHIP(TU102));
    GO(IDLE, 0x20010021, 0x80000005);
    EQUAL(got.last.addr, 0x84);
    EQUAL(got.data[0], 0x80000005);
}

/* A page fault sets the bits of channel 3. Once they are clear, the word is executed again. */
static void set_faulted(void)
{
    uint32_t faulted[4] = {0, 0, 0, 0};
    uint8_t more[0x100] = {0};
    gpucmd_region regions[2];
    start(CHIP(GV100));
    card.faulted = faulted;
    card.faulted_count = 4;
    regions[0] = region;
    regions[1].va = 0x1000000;
    regions[1].bytes = sizeof more;
    regions[1].host = more;
    regions[1].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    GO(FAULT, 0x20050017, 0x1000010, 0, 7, 0, 1, 0x20010014, 1); /* a release of the host */
    EQUAL(faulted[3], GPUCMD_NV_PBDMA_FAULTED);
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    EQUAL(go_on(), GPUCMD_RUN_FAULT); /* not before the bit is clear */
    faulted[3] = 0;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(more[0x10], 7);
    EQUAL(ch.pbdma.ref, 1);
    /* an engine */
    GO(FAULT, 0x20048100, 0, SRC, 0, 0x10, 0x20018106, 4, 0x200180c0, 0x182, 0x20010014, 2);
    EQUAL(faulted[3], GPUCMD_NV_ENG_FAULTED);
    EQUAL(ch.pbdma.ref, 1);
    faulted[3] = 0;
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    EQUAL(faulted[3], GPUCMD_NV_ENG_FAULTED); /* it faults again */
    /* a pushbuffer */
    start(CHIP(TU102));
    card.faulted = faulted;
    card.faulted_count = 4;
    faulted[3] = 0;
    poke(RING, 0x1000000);
    poke(RING + 4, 2 << 10);
    more[0] = 0x14;
    more[2] = 0x01;
    more[3] = 0x20;
    more[4] = 9;
    ch.pbdma.gp_put = 1;
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    EQUAL(faulted[3], GPUCMD_NV_PBDMA_FAULTED);
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    faulted[3] = 0;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(ch.pbdma.ref, 9);
    EQUAL(faulted[0] | faulted[1] | faulted[2] | faulted[3], 0);
    /* a status of the callback is not a page fault; Pascal has no such bits */
    got.answer = GPUCMD_INVALID;
    GO(FAULT, 0x20010040, 1);
    EQUAL(faulted[3], 0);
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    EQUAL(ch.puller.fault, GPUCMD_INVALID);
    got.answer = GPUCMD_OK; /* and remains until it is cleared */
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    EQUAL(ch.puller.fault, GPUCMD_INVALID);
    start(CHIP(GP102));
    card.faulted = faulted;
    card.faulted_count = 4;
    GO(FAULT, 0x20048100, 0, SRC, 0, 0x10, 0x20018106, 4, 0x200180c0, 0x182);
    EQUAL(faulted[3], 0);
    start(CHIP(GV100));
    card.faulted = faulted;
    card.faulted_count = 3; /* the array has no bits of this channel */
    GO(FAULT, 0x20048100, 0, SRC, 0, 0x10, 0x20018106, 4, 0x200180c0, 0x182);
    EQUAL(faulted[3], 0);
    /* an error that is not a page fault is not repeated */
    start(CHIP(GV100));
    card.faulted = faulted;
    card.faulted_count = 4;
    faulted[3] = 0;
    ch.pbdma.limit2 = 32;
    GO(FAULT, 0x20010014, 1);
    EQUAL(ch.pbdma.fault, GPUCMD_RANGE);
    ch.pbdma.limit2 = 4;
    EQUAL(go_on(), GPUCMD_RUN_FAULT);
    ch.pbdma.fault = GPUCMD_OK;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
}

/* Two channels: one faults, the other clears its bit, the first one continues. */
static void handler(void)
{
    static gpucmd_nv_channel two[2];
    static uint32_t faulted[2];
    static uint8_t more[0x100];
    gpucmd_region regions[2];
    start(CHIP(TU102));
    regions[0] = region;
    regions[1].va = 0x1000000;
    regions[1].bytes = sizeof more;
    regions[1].host = more;
    regions[1].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    faulted[0] = faulted[1] = 0;
    memset(more, 0, sizeof more);
    card.faulted = faulted;
    card.faulted_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(gpucmd_nv_channel_init(&two[i], CHIP(TU102), &card) == GPUCMD_OK);
        two[i].id = i;
        two[i].pbdma.gp_base = RING + 0x80 * i;
        two[i].pbdma.limit2 = 4;
        poke(RING + 0x80 * i, BASE + 0x100 * i);
        poke(RING + 0x80 * i + 4, (i == 0 ? 9u : 2u) << 10);
    }
    gpucmd_store_words(
        ram, (const uint32_t[]){0x20048100, 0, SRC, 0, 0x1000000, 0x20018106, 4, 0x200180c0, 0x182},
        9, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(ram + 0x100, (const uint32_t[]){0x20010021, 0x80000000}, 2,
                       GPUCMD_LITTLE_ENDIAN);
    poke(SRC, 0x55667788);
    two[0].pbdma.gp_put = 1;
    card.quantum = 8;
    EQUAL(gpucmd_nv_run_all(two, 2, &env, 1000, NULL), GPUCMD_RUN_FAULT);
    EQUAL(faulted[0], GPUCMD_NV_ENG_FAULTED);
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK); /* the kernel maps the page */
    two[1].pbdma.gp_put = 1;
    card.quantum = 8;
    EQUAL(gpucmd_nv_run_all(two, 2, &env, 1000, NULL), GPUCMD_RUN_IDLE);
    EQUAL(faulted[0], 0);
    EQUAL(more[0], 0x88);
    EQUAL(more[3], 0x55);
}

/* ---- features of single chips ---- */

/* Hopper has 25 bits of upper halves: 56:32. */
static void hopper_addresses(void)
{
    start(CHIP(GH100));
    GO(FAULT, 0x20040004, 0x1000100, SEM, 5, 0x01100002); /* SEMAPHOREA..D */
    EQUAL(mem.fault_va, 0x100010000000000ull + SEM);
    start(CHIP(GH100));
    GO(FAULT, 0x20050017, SEM, 0x1000100, 5, 0, 1); /* SEM_* */
    EQUAL(mem.fault_va, 0x100010000000000ull + SEM);
    start(CHIP(GH100));
    GO(FAULT, 0x20050017, SEM, 0x2000000, 5, 0, 1, 0x20050017, SEM, 0x1000000, 5, 0, 1);
    EQUAL(peek(SEM), 5); /* bit 25 does not exist */
    EQUAL(mem.fault_va, 0x100000000000000ull + SEM);
    start(CHIP(GA102));
    GO(IDLE, 0x20040004, 0x100, SEM, 5, 0x01100002);
    EQUAL(peek(SEM), 5);
    /* inline uploads and reports [CB97] */
    start(CHIP(GH100));
    GO(FAULT, 0x20012000, 0xcbc0, 0x20032077, 0x1000001, SEM, 5, 0x20042060, 4, 1, 0, DST,
       0xa002206c, 0x1021, 9);
    EQUAL(mem.fault_va, 0x100000100000000ull + SEM);
    start(CHIP(GH100));
    GO(FAULT, 0x20012000, 0xcbc0, 0x20042060, 4, 1, 0x1000001, DST, 0xa002206c, 0x1, 9);
    EQUAL(mem.fault_va, 0x100000100000000ull + DST);
    start(CHIP(GH100));
    GO(FAULT, 0x20010000, 0xcb97, 0x200406c0, 0x1000001, SEM, 5, 0x1000f010);
    EQUAL(mem.fault_va, 0x100000100000000ull + SEM);
    start(CHIP(GA102));
    GO(IDLE, 0x20010000, 0xc797, 0x200406c0, 0x1000000, SEM, 5, 0x1000f010);
    EQUAL(peek(SEM), 5);
    start(CHIP(GA102)); /* 49 address bits for inline data, 40 for their semaphore [C0C0] */
    GO(FAULT, 0x20012000, 0xc7c0, 0x20042060, 4, 1, 0x10001, DST, 0xa002206c, 0x1, 9);
    EQUAL(mem.fault_va, 0x1000100000000ull + DST);
    start(CHIP(GP100));
    GO(IDLE, 0x20012000, 0xc0c0, 0x20032077, 0x100, SEM, 5, 0x20042060, 4, 1, 0x20000, DST,
       0xa002206c, 0x1021, 9);
    EQUAL(peek(DST), 9);
    EQUAL(peek(SEM), 5);
    start(CHIP(GP100));
    GO(FAULT, 0x20012000, 0xc0c0, 0x20042060, 4, 1, 0x100, DST, 0xa002206c, 0x1, 9);
    start(CHIP(GM107));
    GO(IDLE, 0x20012000, 0xb0c0, 0x20042060, 4, 1, 0x100, DST, 0xa002206c, 0x1, 9);
    EQUAL(peek(DST), 9);
}

/* GK104 and later: subchannels 5 to 7 are software, also if an object is bound. */
static void software_subchannels(void)
{
    static const gpucmd_nv_chip chips[] = {CHIP(GK104), CHIP(GM107), CHIP(GV100), CHIP(GB202)};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        for (uint32_t subc = 0; subc < 8; subc++) {
            start(chips[i]);
            EQUAL(RUN(0x20010040 | subc << 13, 1), subc < 5 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            if (subc >= 5) {
                expect_intr(1u << 23);
                card.software = on_event;
                EQUAL(RUN(0x20010040 | subc << 13, 7), GPUCMD_RUN_IDLE);
                EQUAL(got.last.unit, subc);
                EQUAL(got.last.addr, 0x100);
                EQUAL(got.data[0], 7);
            }
            EQUAL(RUN(0x20010014 | subc << 13, subc), GPUCMD_RUN_IDLE); /* a host method */
            EQUAL(ch.pbdma.ref, subc);
        }
    }
    start(CHIP(GF119)); /* Fermi: only engine 0x1f is software */
    GO(IDLE, 0x2001e040, 1);
    GO(IDLE, 0x2001e000, 0x001e906e, 0x2001e040, 1);
}

/* YIELD uses only bits 1:0 of its word. On GA100 and later the value 1 does nothing. */
static void yield_values(void)
{
    start(CHIP(GA100));
    submit((const uint32_t[]){0x20010020, 1, 0x20010014, 7}, 4);
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE); /* the entry */
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE); /* header */
    EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE); /* value */
    CHECK(!ch.puller.yield);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(ch.pbdma.ref, 7);
    start(CHIP(GA100));
    GO(FAULT, 0x20010020, 2); /* the class lacks this value */
    expect_intr(1u << 21);
    start(CHIP(GF100));
    GO(IDLE, 0x20010020, 0xfffffffc);
    start(CHIP(GM108));
    GO(FAULT, 0x20010020, 1); /* GM200 and later */
    expect_intr(1u << 21);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_yield(&w, CHIP(GA100), GPUCMD_NV_YIELD_NOP1));
    EMITS(WORDS(0x20010020, 1),
          gpucmd_nv_emit_yield(&w, CHIP(GM204), GPUCMD_NV_YIELD_PBDMA_TIMESLICE));
    EMITS(WORDS(0x20010020, 2),
          gpucmd_nv_emit_yield(&w, CHIP(TU102), GPUCMD_NV_YIELD_RUNLIST_TIMESLICE));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_yield(&w, CHIP(GV100), GPUCMD_NV_YIELD_PBDMA_TIMESLICE));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_yield(&w, CHIP(GF100), GPUCMD_NV_YIELD_TSG));
}

/* A DMA object of NV1A until G80 must be of class 2, write-only, with a page table. */
static gpucmd_status find_unfit(void *user, uint32_t channel, uint32_t handle,
                                gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = 2;
    object->va = SEM;
    object->bytes = handle == 3 ? 3 : 0x1000;
    object->unfit = handle == 1;
    return GPUCMD_OK;
}

static void unfit_objects(void)
{
    static const gpucmd_nv_chip chips[] = {CHIP(NV1A), CHIP(NV11), CHIP(NV40), CHIP(RSX)};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        for (uint32_t handle = 1; handle < 4; handle++) {
            start(chips[i]);
            card.object = find_unfit;
            EQUAL(RUN(0x00040060, handle), handle == 2 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            EQUAL(ch.puller.error, handle == 2 ? GPUCMD_NV_HOST_ERROR_NONE
                                               : GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
        }
    }
    start(CHIP(G80)); /* G80 does not check the object */
    card.object = find_unfit;
    GO(IDLE, 0x00080060, 1, 0x20, 0x0004006c, 5);
    EQUAL(peek(SEM + 0x20), 5);
}

/* ---- semaphores ---- */

/* Which of s32, u32, s64, u64 each value of REDUCTION has, in this order of bits. [PBDMA] */
static const uint8_t reduction_forms[16] = {15, 15, 15, 15, 15, 11, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0};

/* The recipe of a reduction writes these words, or is rejected if last is 0. */
static void reduces(gpucmd_nv_chip chip, uint32_t op, uint32_t flags, uint32_t n_dw, uint32_t last)
{
    uint32_t words[8] = {0};
    size_t n = 0;
    gpucmd_writer_init(&w, words, 8);
    gpucmd_nv_emit_sem_reduction(&w, chip, (gpucmd_nv_reduction)op, SEM, 1, flags);
    EQUAL(gpucmd_writer_finish(&w, &n), last != 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
    if (last != 0) {
        EQUAL(n, n_dw);
        EQUAL(words[n_dw - 1], last);
    }
}

static void reduction_matrix(void)
{
    for (uint32_t op = 0; op < 16; op++) {
        for (uint32_t form = 0; form < 4; form++) {
            const bool good = (reduction_forms[op] >> form & 1) != 0;
            const uint32_t execute = 6 | op << 27 | (form & 1) << 31 | (form >> 1) << 24;
            const uint32_t flags = ((form & 1) != 0 ? 0u : (uint32_t)GPUCMD_NV_SEM_SIGNED) |
                                   ((form & 2) != 0 ? (uint32_t)GPUCMD_NV_SEM_64BIT : 0u);
            start(CHIP(GV100));
            poke(SEM, 1);
            EQUAL(RUN(0x20050017, SEM, 0, 1, 0, execute),
                  good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            if (!good) {
                expect_intr(1u << 25);
                EQUAL(peek(SEM), 1);
            }
            reduces(CHIP(GV100), op, flags, 6, good ? execute : 0);
            if (form < 2) { /* SEMAPHORED has only the 32-bit forms */
                const uint32_t dw = op << 27 | (form & 1) << 31 | 0x10;
                start(CHIP(GM107));
                EQUAL(RUN(0x20040004, 0, SEM, 1, dw), good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
                reduces(CHIP(GM107), op, flags, 5, good ? dw | 1u << 20 : 0);
            }
        }
    }
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GM107), GPUCMD_NV_REDUCTION_IADD, SEM, 1,
                                       GPUCMD_NV_SEM_64BIT));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GM107), GPUCMD_NV_REDUCTION_IADD, SEM, 1,
                                       GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_sem_reduction(&w, CHIP(GV100), GPUCMD_NV_REDUCTION_IADD,
                                                     SEM + 8, 1, GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_sem_reduction(&w, CHIP(GV100), GPUCMD_NV_REDUCTION_IADD,
                                                     SEM + 4, 1, GPUCMD_NV_SEM_64BIT));
    EMITS(WORDS(0x20040004, 0, SEM, 1, 0xa8000010),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(GK110), GPUCMD_NV_REDUCTION_IADD, SEM, 1,
                                       GPUCMD_NV_SEM_WFI));
}

/* The operations of SEMAPHORED, and the width of its operation field. */
static void semaphored_operations(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t mask;    /* of the operation */
        uint32_t release; /* bit i: operation i writes, waits */
        uint32_t acquire;
        uint32_t reduction;
    } rows[] = {
        {GPUCMD_NV_CHIP_G84,   7,  1u << 2, 1u << 1 | 1u << 4,           0       },
        {GPUCMD_NV_CHIP_GT218, 7,  1u << 2, 1u << 1 | 1u << 4,           0       },
        {GPUCMD_NV_CHIP_MCP89, 15, 1u << 2, 1u << 1 | 1u << 4,           0       },
        {GPUCMD_NV_CHIP_GF100, 15, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 0       },
        {GPUCMD_NV_CHIP_GK104, 15, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 0       },
        {GPUCMD_NV_CHIP_GK106, 15, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 0       },
        {GPUCMD_NV_CHIP_GK110, 31, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 1u << 16},
        {GPUCMD_NV_CHIP_GK20A, 15, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 0       },
        {GPUCMD_NV_CHIP_GM107, 31, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 1u << 16},
        {GPUCMD_NV_CHIP_GV100, 31, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 1u << 16},
        {GPUCMD_NV_CHIP_GB202, 31, 1u << 2, 1u << 1 | 1u << 4 | 1u << 8, 1u << 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t v = 0; v < 64; v++) {
            const uint32_t op = v & rows[i].mask;
            const bool old = rows[i].chip < CHIP(GF100);
            const bool writes = (rows[i].release >> op & 1) != 0;
            const bool known = writes || (rows[i].acquire >> op & 1) != 0;
            gpucmd_run run;
            start(rows[i].chip);
            poke(SEM, 3);
            run = old ? RUN(0x00100010, 0, SEM, 3, v) : RUN(0x20040004, 0, SEM, 3, v);
            if (known || (rows[i].reduction >> op & 1) != 0) {
                EQUAL(run, GPUCMD_RUN_IDLE);
            } else {
                EQUAL(run, old ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_FAULT);
                EQUAL(ch.pbdma.intr, old ? 0 : 1u << 25);
            }
            EQUAL(peek64(SEM + 8), writes ? 0x123456789abcull : 0);
        }
    }
}

/* SEM_EXECUTE: the operation is in 2:0. Bits 11:3, 19:13, 23:21 and 26 are ignored. */
static void sem_execute_bits(void)
{
    start(CHIP(GV100));
    GO(IDLE, 0x20050017, SEM, 0, 5, 0, 0x04eeeff9);
    EQUAL(peek64(SEM), 5);
    GO(IDLE, 0x20050017, SEM, 0, 5, 0, 0x04eeeffa); /* ACQ_STRICT_GEQ: also when equal */
    CHECK(!ch.puller.wait.active);
    GO(BLOCKED, 0x20050017, SEM, 0, 6, 0, 0x00000002);
    start(CHIP(GV100)); /* a signed 32-bit number is not sign-extended to 64 bits */
    poke(SEM, 0x80000000);
    GO(IDLE, 0x20050017, SEM, 0, 1, 0, 0x00000006); /* IMIN s32 */
    EQUAL(peek(SEM), 0x80000000);
    GO(IDLE, 0x20050017, SEM, 0, 1, 0, 0x01000006); /* IMIN s64: 0x80000000 is positive */
    EQUAL(peek64(SEM), 1);
    poke(SEM, 0);
    poke(SEM + 4, 0x80000000);
    GO(IDLE, 0x20050017, SEM, 0, 0, 0, 0x01000006);
    EQUAL(peek64(SEM), 0x8000000000000000ull);
    GO(IDLE, 0x20050017, SEM, 0, 0, 0, 0x09000006); /* IMAX */
    EQUAL(peek64(SEM), 0);
    /* a time with a reduction of 64 bits, and one that does not fit memory */
    poke(SEM, 5);
    GO(IDLE, 0x20050017, SEM, 0, 4, 1, 0xab000006); /* IADD u64 */
    EQUAL(peek64(SEM), 0x100000009ull);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    start(CHIP(GV100));
    GO(FAULT, 0x20050017, BASE + RAM_BYTES - 4, 0, 4, 1, 0x01000001); /* unaligned */
    EQUAL(ch.pbdma.intr, 1u << 25);
}

static gpucmd_status find_short(void *user, uint32_t channel, uint32_t handle,
                                gpucmd_nv_object *object)
{
    (void)find_unfit(user, channel, handle, object);
    object->bytes = 0x23;
    return GPUCMD_OK;
}

/* The error of an access outside the DMA object, G80 until GF100; then recovery drops the word. */
static void expect_mem_fault(void)
{
    EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT);
    EQUAL(ch.puller.fault, GPUCMD_OK);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
}

/* G80 and later: both styles count from the DMA object, and end with it. 6.1 of the fact sheet */
static void dma_semaphores(void)
{
    start(CHIP(G84));
    GO(IDLE, 0x00040060, 0xbeef003d, 0x00100010, 0, 0x20, 5, 2);
    EQUAL(ch.puller.dma_semaphore, 0xbeef003d);
    EQUAL(peek(SEM + 0x20), 5);
    GO(FAULT, 0x00100010, 0xff, 0xffffff00, 6, 2);
    expect_mem_fault();
    EQUAL(peek(SEM - 0x100), 0);
    GO(IDLE, 0x00100010, 0, 0xff0, 6, 2); /* 16 bytes, the last is that of the object */
    EQUAL(peek(SEM + 0xff0), 6);
    GO(FAULT, 0x00100010, 0, 0xff4, 6, 2);
    expect_mem_fault();
    EQUAL(peek(SEM + 0xff4), 0);
    GO(BLOCKED, 0x00100010, 0, 0xffc, 6, 1); /* an acquire reads 4 bytes */
    poke(SEM + 0xffc, 6);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    GO(FAULT, 0x00100010, 0, 0x1000, 6, 1);
    expect_mem_fault();
    GO(IDLE, 0x00040064, 0x30, 0x0004006c, 7);
    EQUAL(peek(SEM + 0x30), 7);
    GO(BLOCKED, 0x00100010, 0, 0x20, 6, 1);
    EQUAL(ch.puller.wait.va, SEM + 0x20);
    poke(SEM + 0x20, 6);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    /* no object: DMA_SEMAPHORE was not written */
    start(CHIP(GT218));
    ch.puller.dma_semaphore_bytes = 0;
    GO(FAULT, 0x00100010, 0, SEM, 6, 2);
    expect_mem_fault();
    GO(FAULT, 0x00040064, 0x10, 0x0004006c, 7);
    expect_mem_fault();
    /* pages that are not mapped: an error of G80, a fault of earlier chips */
    start(CHIP(G80));
    card.object = NULL; /* objects begin at 0 */
    GO(FAULT, 0x00040064, 0x10, 0x0004006c, 7);
    EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT);
    EQUAL(ch.puller.fault, GPUCMD_OK);
    start(CHIP(NV40));
    card.object = NULL;
    GO(FAULT, 0x00080060, 0x1234, 0x10, 0x0004006c, 7);
    EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_NONE);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    /* before G80 the offset begins as 0 */
    start(CHIP(NV1A));
    GO(IDLE, 0x00040060, 0xbeef0002, 0x0004006c, 5);
    EQUAL(peek(SEM), 5);
    /* offsets that pass the end of the object */
    start(CHIP(NV40));
    card.object = find_unfit;
    GO(IDLE, 0x00080060, 2, 0xffc, 0x0004006c, 7);
    EQUAL(peek(SEM + 0xffc), 7);
    start(CHIP(NV40));
    card.object = find_short; /* 0x23 bytes */
    GO(IDLE, 0x00080060, 2, 0x1c, 0x0004006c, 7);
    EQUAL(peek(SEM + 0x1c), 7);
    /* before G80 the offset is the low part of an address in a page: no limit applies */
    GO(IDLE, 0x00040064, 0x20, 0x0004006c, 8);
    EQUAL(peek(SEM + 0x20), 8);
}

/* State that the puller keeps, and the end of runs of host methods. */
static void kept(void)
{
    start(CHIP(GF100)); /* the halves of an address in either order */
    GO(IDLE, 0x20010005, SEM, 0x20010004, 0, 0x20020006, 5, 0x01100002);
    EQUAL(peek(SEM), 5);
    GO(IDLE, 0x2001000a, 0x11, 0x2001000b, 0x28000000);
    EQUAL(ch.puller.mem_op[0], 0x11);
    EQUAL(ch.puller.mem_op[1], 0x28000000);
    GO(IDLE, 0x20010008, 0x77);
    EQUAL(got.last.value, 0x77);
    GO(FAULT, 0x20020002, 0, 0); /* NOP, then 0x0c */
    expect_intr(1u << 21);
    start(CHIP(TU102));
    GO(IDLE, 0x2004000a, 1, 2, 3, 0x80000000);
    EQUAL(ch.puller.mem_op[0], 1);
    EQUAL(ch.puller.mem_op[1], 2);
    EQUAL(ch.puller.mem_op[2], 3);
    EQUAL(ch.puller.mem_op[3], 0x80000000);
    start(CHIP(GP102)); /* GV100 accepts the whole run; this chip stops at its first word */
    GO(FAULT, 0x20050017, SEM, 0, 5, 0, 1);
    EQUAL(ch.pbdma.count, 5);
    EQUAL(ch.pbdma.mthd, 0x5c / 4);
}

/* The channel stops once before YIELD, and continues at its next turn. */
static void yield_turns(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t head, value;
        bool yields;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV40,  0x00040080, 0, true },
        {GPUCMD_NV_CHIP_G80,   0x00040080, 7, true },
        {GPUCMD_NV_CHIP_GF100, 0x20010020, 0, false},
        {GPUCMD_NV_CHIP_GM200, 0x20010020, 1, true },
        {GPUCMD_NV_CHIP_GM200, 0x20010020, 2, true },
        {GPUCMD_NV_CHIP_GA102, 0x20010020, 3, true },
        {GPUCMD_NV_CHIP_GA102, 0x20010020, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool old = rows[i].chip < CHIP(GF100);
        const uint32_t words[] = {rows[i].head, rows[i].value, rows[i].head, rows[i].value};
        start(rows[i].chip);
        submit(words, 4);
        for (unsigned k = 0; k < (old ? 1 : 2); k++) {
            EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE); /* entry, header */
        }
        for (unsigned k = 0; k < 2; k++) {
            EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
            EQUAL(ch.puller.yield, rows[i].yields);
            if (rows[i].yields) {
                EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
                CHECK(!ch.puller.yield);
            }
            if (k == 0) {
                EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE); /* header */
            }
        }
        EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_IDLE);
    }
    /* recovery clears a wait and a yield */
    start(CHIP(GM204));
    submit((const uint32_t[]){0x20010020, 3, 0x20010020, 3}, 4);
    for (unsigned k = 0; k < 3; k++) {
        EQUAL(gpucmd_nv_channel_step(&ch, &env), GPUCMD_RUN_DONE);
    }
    CHECK(ch.puller.yield);
    gpucmd_nv_channel_clear(&ch);
    CHECK(!ch.puller.yield);
    start(CHIP(GF100));
    GO(BLOCKED, 0x20040004, 0, SEM, 5, 1);
    CHECK(ch.puller.wait.active);
    gpucmd_nv_channel_clear(&ch);
    CHECK(!ch.puller.wait.active);
}

static unsigned lookups;

static gpucmd_status find_counted(void *user, uint32_t channel, uint32_t handle,
                                  gpucmd_nv_object *object)
{
    lookups++;
    return find_object(user, channel, handle, object);
}

/* Before GF100 methods 0x180 to 0x1fc take handles, of any class. */
static void handles(void)
{
    static const gpucmd_nv_chip chips[] = {CHIP(NV4), CHIP(NV40), CHIP(G80), CHIP(MCP89)};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        for (uint32_t mthd = 0x178; mthd < 0x208; mthd += 4) {
            const bool looks = mthd >= 0x180 && mthd < 0x200;
            start(chips[i]);
            GO(IDLE, 0x00046000, 0xcafe1234);
            EQUAL(RUN(0x00046000 | mthd, 0x33330001), looks ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            EQUAL(ch.puller.error,
                  looks ? GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH : GPUCMD_NV_HOST_ERROR_NONE);
            EQUAL(got.count, !looks);
        }
    }
    /* handles before the unknown one are passed on; recovery drops only the unknown one */
    start(CHIP(NV40));
    GO(FAULT, 0x00046000, 0xcafe1234, 0x00106180, 0xbeef0002, 0xbeef0003, 0x33330001, 0xbeef0002);
    EQUAL(got.last.addr, 0x180);
    EQUAL(got.last.count_dw, 2);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(got.last.addr, 0x18c);
    EQUAL(got.last.count_dw, 1);
    /* runs that begin before the first and end after the last of these methods */
    start(CHIP(NV40));
    GO(FAULT, 0x00046000, 0xcafe1234, 0x000c617c, 5, 0xbeef0002, 0x33330001);
    EQUAL(got.last.addr, 0x17c);
    EQUAL(got.last.count_dw, 2);
    start(CHIP(NV40));
    GO(IDLE, 0x00046000, 0xcafe1234, 0x000861fc, 0xbeef0002, 0x33330001);
    EQUAL(got.last.count_dw, 2);
    lookups = 0; /* a word that is no handle is not looked up */
    card.object = find_counted;
    GO(IDLE, 0x000c617c, 5, 0xbeef0002, 0xbeef0003, 0x00046200, 5);
    EQUAL(lookups, 2);
    start(CHIP(GF100)); /* GF100 has no handles */
    GO(IDLE, 0x20010060, 0x33330001);
    EQUAL(got.count, 1);
}

/* ---- syncpoints ---- */

static unsigned waits, wakes;
static gpucmd_event last_wait;

/* Members that an event of the trace does not have are 0. See GPUCMD_EVENTS. */
static void unused_members(const gpucmd_event *event)
{
    const bool stored = event->kind == GPUCMD_EVENT_MEM_WRITE;
    EQUAL(event->addr, 0);
    CHECK(event->data == NULL && event->out_dw == NULL);
    EQUAL(event->unit, event->kind == GPUCMD_EVENT_FETCH ? 0 : 3);
    EQUAL(stored ? event->code : event->count_dw, 0);
}

static gpucmd_status on_trace(void *user, const gpucmd_event *event)
{
    (void)user;
    unused_members(event);
    waits += event->kind == GPUCMD_EVENT_WAIT;
    wakes += event->kind == GPUCMD_EVENT_WAKE;
    if (event->kind == GPUCMD_EVENT_WAIT || event->kind == GPUCMD_EVENT_WAKE) {
        last_wait = *event;
    }
    return GPUCMD_OK;
}

static uint64_t writes_va[4];
static unsigned writes;

static gpucmd_status on_write(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind == GPUCMD_EVENT_MEM_WRITE && writes < 4) {
        writes_va[writes++] = event->va;
    }
    return on_trace(user, event);
}

static gpucmd_event last_error;
static unsigned refusals;

static gpucmd_status on_error(void *user, const gpucmd_event *event)
{
    (void)user;
    unused_members(event);
    if (event->kind == GPUCMD_EVENT_ERROR) {
        last_error = *event;
        refusals++;
    }
    return GPUCMD_OK;
}

/* The trace receives a rejected method: channel, error, position and word. */
static void error_places(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t n, words[8], code, at_dw, value;
    } rows[] = {
        {CHIP(GA102), 6, {0x20050017, SEM + 4, 0, 5, 0, 0x01000001}, 1 << 25,                                      5, 0x01000001},
        {CHIP(GF100), 4, {0x20010008, 0, 0x2001001e, 0x55},          1 << 21,                                      3, 0x55      },
        {CHIP(GF100), 3, {0x20010008, 0, 0x8055001e},                1 << 21,                                      2, 0x55      },
        {CHIP(G80),   2, {0x0004006c, 5},                            GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_STATE, 1, 5         },
        {CHIP(G80),
         4,              {0x00040050, 1, 0x00044000, 0x12340001},
         GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH,                                                                       3,
         0x12340001                                                                                                             },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].chip);
        env.trace = on_error;
        refusals = 0;
        EQUAL(run_words(rows[i].words, rows[i].n), GPUCMD_RUN_FAULT);
        EQUAL(refusals, 1);
        EQUAL(last_error.unit, 3);
        EQUAL(last_error.code, rows[i].code);
        EQUAL(last_error.va, BASE + 4 * rows[i].at_dw);
        EQUAL(last_error.value, rows[i].value);
    }
}

/* Trace events of semaphores, and the effect of a release that does not fit into memory. */
static void semaphore_order(void)
{
    start(CHIP(GV100));
    env.trace = on_write;
    writes = waits = wakes = 0;
    GO(IDLE, 0x20050017, SEM, 0, 5, 0, 0x02000001); /* time, then payload */
    EQUAL(writes, 2);
    EQUAL(writes_va[0], SEM + 8);
    EQUAL(writes_va[1], SEM);
    writes = 0;
    GO(IDLE, 0x20050017, SEM, 0, 5, 0, 0xaa000006); /* a reduction ignores them, too */
    EQUAL(writes, 2);
    EQUAL(writes_va[0], SEM + 8);
    EQUAL(writes_va[1], SEM);
    GO(BLOCKED, 0x20050017, SEM, 0, 11, 0, 0x00000000);
    EQUAL(waits, 1);
    EQUAL(last_wait.va, SEM);
    EQUAL(last_wait.value, 11);
    EQUAL(go_on(), GPUCMD_RUN_BLOCKED);
    poke(SEM, 11);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(waits, 1);
    EQUAL(wakes, 1);
    EQUAL(last_wait.value, 11);
    /* 16 bytes of which 8 are memory: nothing is written */
    start(CHIP(GF100));
    GO(FAULT, 0x20040004, 0, BASE - 8, 5, 0x00000002);
    EQUAL(peek(BASE), 0x20040004);
    EQUAL(peek(BASE + 4), 0);
    start(CHIP(GF100));
    GO(FAULT, 0x20040004, 0, BASE + RAM_BYTES - 8, 5, 0x00000002);
    EQUAL(peek64(BASE + RAM_BYTES - 8), 0);
    start(CHIP(GV100));
    GO(FAULT, 0x20050017, BASE - 16, 0, 5, 0, 0xaa000006);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    /* in a segment that forbids switches a release is valid */
    start(CHIP(GF100));
    submit((const uint32_t[]){0x20040004, 0, SEM, 5, 0x01100002}, 5);
    poke(RING, BASE | 2);
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(peek(SEM), 5);
}

/* gpucmd_nv_wait_ends ignores the bits above the size. */
static void wait_ends(void)
{
    gpucmd_nv_wait wait;
    memset(&wait, 0, sizeof wait);
    wait.op = GPUCMD_NV_SEM_OP_ACQUIRE;
    wait.payload = 0x200000005;
    CHECK(gpucmd_nv_wait_ends(&wait, 0x100000005));
    wait.is_64bit = true;
    CHECK(!gpucmd_nv_wait_ends(&wait, 0x100000005));
    wait.op = GPUCMD_NV_SEM_OP_NONE;
    CHECK(!gpucmd_nv_wait_ends(&wait, 0x200000005));
    wait.op = GPUCMD_NV_SEM_OP_RELEASE;
    CHECK(!gpucmd_nv_wait_ends(&wait, 0x200000005));
}

static void syncpoints(void)
{
    uint32_t sp[4] = {0, 0, 0xfffffff0, 0};
    start(CHIP(GK20A));
    card.syncpoints = sp;
    card.syncpoint_count = 4;
    env.trace = on_trace;
    waits = wakes = 0;
    GO(IDLE, 0x2002001c, 0xfffffff0, 0x00000200);
    GO(BLOCKED, 0x2002001c, 5, 0x00000200); /* circular */
    CHECK(!ch.puller.wait.ctxsw);
    EQUAL(waits, 1);
    EQUAL(last_wait.value, 5);
    EQUAL(go_on(), GPUCMD_RUN_BLOCKED);
    EQUAL(waits, 1);
    sp[2] = 6;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    EQUAL(waits, 1);
    EQUAL(wakes, 1);
    EQUAL(last_wait.value, 6);
    GO(BLOCKED, 0x2002001c, 7, 0x00000210); /* WAIT_SWITCH */
    CHECK(ch.puller.wait.ctxsw);
    sp[2] = 7;
    EQUAL(go_on(), GPUCMD_RUN_IDLE);
    /* bases are the caller's: BASE_ADD, BASE_WRITE, WAIT with BASE */
    GO(IDLE, 0x2002001c, 7, 0x00100002);
    EQUAL(got.last.addr, 0x74);
    EQUAL(got.data[0], 0x00100002);
    GO(IDLE, 0x2002001c, 7, 0x00100003);
    EQUAL(got.data[0], 0x00100003);
    GO(IDLE, 0x2002001c, 100, 0x00100220);
    EQUAL(got.data[0], 0x00100220);
    got.count = 0;
    GO(IDLE, 0x2002001c, 0, 0x00000221); /* INCR has none */
    EQUAL(sp[2], 8);
    EQUAL(got.count, 0);
    /* GP10B: one bit of operation, 12 of index, no bases */
    start(CHIP(GP10B));
    card.syncpoints = sp;
    card.syncpoint_count = 4;
    GO(IDLE, 0x2002001c, 0, 0x00000303);
    EQUAL(sp[3], 1);
    GO(IDLE, 0x2002001c, 1, 0x00000322);
    EQUAL(got.count, 0);
    card.syncpoints = NULL;
    GO(FAULT, 0x2002001c, 0, 0x00000201);
    EQUAL(ch.pbdma.intr, 1u << 28);
    EMITS(WORDS(0x2002001c, 7, 0x0000ff10),
          gpucmd_nv_emit_syncpoint_wait(&w, CHIP(GK20A), 0xff, 7, true));
    EMITS(WORDS(0x2002001c, 7, 0x000fff00),
          gpucmd_nv_emit_syncpoint_wait(&w, CHIP(GP10B), 0xfff, 7, false));
    EMITS(WORDS(0x2002001c, 0, 0x00000201), gpucmd_nv_emit_syncpoint_incr(&w, CHIP(GK20A), 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_syncpoint_incr(&w, CHIP(GK20A), 0x100));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_syncpoint_incr(&w, CHIP(GP10B), 0x1000));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_syncpoint_incr(&w, CHIP(GK110), 2));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_syncpoint_incr(&w, CHIP(GP108), 2));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_syncpoint_wait(&w, CHIP(GV11B), 2, 1, false));
}

/* ---- recipes ---- */

static void recipes(void)
{
    EMITS(WORDS(0x20010002, 0), gpucmd_nv_emit_host_nop(&w, CHIP(GF100)));
    EMITS(WORDS(0x20010001, 0), gpucmd_nv_emit_illegal(&w, CHIP(GB202)));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_host_nop(&w, CHIP(MCP89)));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_illegal(&w, CHIP(MCP89)));
    EMITS(WORDS(0x2001001f, 0x5a6e6134), gpucmd_nv_emit_crc_check(&w, CHIP(GF100), 0x5a6e6134));
    EMITS(WORDS(0x2001001f, 0), gpucmd_nv_emit_crc_check(&w, CHIP(TU117), 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_crc_check(&w, CHIP(GA100), 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_crc_check(&w, CHIP(G80), 0));
    EMITS(WORDS(0x20010021, 0x00000fff),
          gpucmd_nv_emit_clear_faulted(&w, CHIP(GV100), 0xfff, false));
    EMITS(WORDS(0x20010021, 0x80000005), gpucmd_nv_emit_clear_faulted(&w, CHIP(GV11B), 5, true));
    EMITS(WORDS(0x20010021, 0xffffffff),
          gpucmd_nv_emit_clear_faulted(&w, CHIP(TU102), 0x7fffffff, true));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_clear_faulted(&w, CHIP(GV100), 0x1000, false));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_clear_faulted(&w, CHIP(TU102), 0x80000000, false));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_clear_faulted(&w, CHIP(GP10B), 5, false));
    /* MEM_OP without operands */
    EMITS(WORDS(0x2002000a, 0, 0x30000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GF100), GPUCMD_NV_MEM_OP_SOFT_FLUSH));
    EMITS(WORDS(0x2002000a, 0, 0x68000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GK110), GPUCMD_NV_MEM_OP_L2_PEERMEM_INVALIDATE));
    EMITS(WORDS(0x2002000c, 0, 0x70000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GM206), GPUCMD_NV_MEM_OP_L2_SYSMEM_INVALIDATE));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x78000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GP100), GPUCMD_NV_MEM_OP_L2_CLEAN_COMPTAGS));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x80000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GV100), GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x88000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GB100), GPUCMD_NV_MEM_OP_L2_SYSMEM_NCOH_INVALIDATE));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0xa8000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(TU102), GPUCMD_NV_MEM_OP_L2_WAIT_FOR_SYS_PENDING_READS));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_mem_op(&w, CHIP(GK20A), GPUCMD_NV_MEM_OP_SOFT_FLUSH));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_mem_op(&w, CHIP(GH100), GPUCMD_NV_MEM_OP_L2_SYSMEM_NCOH_INVALIDATE));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_mem_op(&w, CHIP(GM206), GPUCMD_NV_MEM_OP_L2_WAIT_FOR_SYS_PENDING_READS));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_mem_op(&w, CHIP(TU102), GPUCMD_NV_MEM_OP_MEMBAR));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_mem_op(&w, CHIP(TU102), GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_mem_op(&w, CHIP(TU102), GPUCMD_NV_MEM_OP_ACCESS_COUNTER_CLR));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_mem_op(&w, CHIP(MCP89), GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY));
    /* [866F] */
    EMITS(WORDS(0x00080028, 0x12345000, 0x20000010),
          gpucmd_nv_emit_cache_lines(&w, CHIP(MCP89), 1, 0x12345000, 0x10));
    EMITS(WORDS(0x00080028, 0, 0x50000000), gpucmd_nv_emit_cache_lines(&w, CHIP(MCP89), 2, 0, 0));
    EMITS(WORDS(0x00080028, 0, 0x0fffffff),
          gpucmd_nv_emit_cache_lines(&w, CHIP(MCP89), 0, 0, 0xfffffff));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_cache_lines(&w, CHIP(MCP89), 3, 0, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_cache_lines(&w, CHIP(MCP89), 0, 0, 0x10000000));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_cache_lines(&w, CHIP(GT218), 0, 0, 1));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_cache_lines(&w, CHIP(GF100), 0, 0, 1));
    start(CHIP(MCP89)); /* every value is taken */
    GO(IDLE, 0x00080028, 0x12345000, 0x20000010, 0x0008002c - 4, 0, 0xffffffff);
    /* flags of semaphores that say nothing there */
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), SEM, 1, GPUCMD_NV_SEM_SIGNED));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                         SEM, 1, GPUCMD_NV_SEM_SIGNED));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_release(&w, CHIP(GV100), SEM, 1, 128));
}

/* Classes since Ada, and the chips that have them first. [C0C0] [CB97] */
static void late_classes(void)
{
    static const struct {
        uint32_t class_id;
        gpucmd_nv_model model;
        gpucmd_nv_chip since;
    } rows[] = {
        {0xc997, GPUCMD_NV_MODEL_3D_GF100,      GPUCMD_NV_CHIP_AD102},
        {0xcb97, GPUCMD_NV_MODEL_3D_GF100,      GPUCMD_NV_CHIP_GH100},
        {0xcd97, GPUCMD_NV_MODEL_3D_GF100,      GPUCMD_NV_CHIP_GB100},
        {0xce97, GPUCMD_NV_MODEL_3D_GF100,      GPUCMD_NV_CHIP_GB202},
        {0xc9c0, GPUCMD_NV_MODEL_COMPUTE_GA102, GPUCMD_NV_CHIP_AD102},
        {0xcbc0, GPUCMD_NV_MODEL_COMPUTE_GA102, GPUCMD_NV_CHIP_GH100},
        {0xcdc0, GPUCMD_NV_MODEL_COMPUTE_GA102, GPUCMD_NV_CHIP_GB100},
        {0xcec0, GPUCMD_NV_MODEL_COMPUTE_GA102, GPUCMD_NV_CHIP_GB202},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nv_chip since = GPUCMD_NV_CHIP_NV1;
        EQUAL(gpucmd_nv_class_model(rows[i].class_id, &since), rows[i].model);
        EQUAL(since, rows[i].since);
    }
}

/* Recipes reject each invalid argument. */
static void refused(void)
{
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_ref_cnt(&w, (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER, 1));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                         SEM, 1, GPUCMD_NV_SEM_WFI));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                         SEM, 1, GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_NONE, SEM, 1, 0));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_REDUCTION, SEM, 1, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_sem_acquire(&w, CHIP(GV100), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                   SEM + 4, 1, GPUCMD_NV_SEM_64BIT));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(G84), SEM, 1,
                                     GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_acquire(&w, CHIP(G84), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                         SEM, 1, GPUCMD_NV_SEM_SWITCH));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sem_release(&w, CHIP(GP100), SEM, (uint64_t)1 << 32, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_sem_release(&w, CHIP(GB100), (uint64_t)1 << 57, 1, 0));
    EMITS(WORDS(0x20040004, 0, SEM + 4, 1, 0x00100002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GK104), SEM + 4, 1, GPUCMD_NV_SEM_TIMESTAMP));
    EMITS(WORDS(0x20050017, 0, 0x01000000, 1, 0, 0x00000001),
          gpucmd_nv_emit_sem_release(&w, CHIP(GH100), (uint64_t)1 << 56, 1, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_dma_sem_acquire(&w, CHIP(RSX), 1, 0x1000, 6));
    EMITS(WORDS(0x000c0060, 1, 0xfffc, 6),
          gpucmd_nv_emit_dma_sem_acquire(&w, CHIP(G80), 1, 0xfffc, 6));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_wfi(&w, CHIP(GK20A), true));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_membar(&w, CHIP(GM20B), true));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_membar(&w, (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER, false));
}

/* Of recipes of engines. */
static void refused_copies(void)
{
    static const uint32_t many[8190] = {0};
    const uint64_t far = (uint64_t)1 << 49;
    const gpucmd_nv_copy good = {DST, SRC, 16, 32, 10, 3};
    gpucmd_nv_copy copy = good;
    gpucmd_nv_fill fill = {DST, 1, 3, 2};
    size_t n = 0;
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_ce_copy_linear(&w, (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER, 4, DST, SRC, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_linear(&w, CHIP(GA102), 4, DST, far, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_fill(&w, CHIP(GA102), 4, &fill)); /* 3 bytes */
    fill.size_bytes = 4;
    fill.count = 0;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_fill(&w, CHIP(GA102), 4, &fill));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_ce_sem_release(&w, CHIP(GA102), 4, SEM, 7, GPUCMD_NV_SEM_WFI));
    copy.lines = 0;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_2d(&w, CHIP(GA102), 4, &copy));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(GF100), 2, &copy));
    copy = good;
    copy.line_bytes = 0;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_2d(&w, CHIP(GA102), 4, &copy));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(GF100), 2, &copy));
    copy = good;
    copy.src_va = far;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_2d(&w, CHIP(GA102), 4, &copy));
    copy = good;
    copy.src_pitch = 0x80000000;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(GF100), 2, &copy));
    copy = good;
    copy.dst_pitch = 0x80000000;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV4), 2, &copy));
    copy = good;
    copy.dst_va = (uint64_t)1 << 32;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV40), 2, &copy));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV3), 2, &good));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV40), 8, &good));
    /* 8190 words of inline data are the most */
    gpucmd_writer_init(&w, NULL, 0);
    gpucmd_nv_emit_inline_upload(&w, CHIP(GK104), 2, DST, many, 8190);
    EQUAL(gpucmd_writer_finish(&w, &n), GPUCMD_OK);
    EQUAL(n, 8197);
}

/* ---- check_host ---- */

enum { RULES = GPUCMD_NV_RULE_TLB_NO_BARRIER + 1 };
static unsigned found[RULES];
static gpucmd_nv_finding last_found;

static gpucmd_status on_found(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found[finding->rule]++;
    last_found = *finding;
    return GPUCMD_OK;
}

static uint64_t *released; /* places, and how many; NULL: releases are not noted */
static size_t released_cap;
static gpucmd_nv_object_fn lookup = find_object;

/* Check a stream; expect times findings of this rule and no others; none: -1. */
static void finds_times(gpucmd_nv_chip chip, int rule, unsigned times, const uint32_t *dw,
                        size_t len_dw)
{
    const gpucmd_nv_stream stream = {dw, len_dw, BASE};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors = 9;
    memset(&check, 0, sizeof check);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, chip, false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.found = on_found;
    check.object = lookup;
    check.released = released;
    check.cap = released_cap;
    test_dirty();
    CHECK(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
    for (int i = 0; i < RULES; i++) {
        EQUAL(found[i], i == rule ? times : 0);
    }
    EQUAL(errors,
          rule >= 0 && gpucmd_nv_rule_severity((gpucmd_nv_rule)rule) == GPUCMD_SEVERITY_ERROR
              ? times
              : 0);
}

#define FINDS_N(chip, rule, times, ...)                                                            \
    finds_times(CHIP(chip), rule, times, (const uint32_t[]){__VA_ARGS__},                          \
                sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define FINDS(chip, rule, ...) FINDS_N(chip, rule, 1, __VA_ARGS__)
#define RULE(name)             GPUCMD_NV_RULE_##name

static void check_host(void)
{
    /* values of YIELD */
    FINDS(GF100, -1, 0x20010020, 0);
    FINDS(GF100, RULE(HOST_VALUE), 0x20010020, 3);
    EQUAL(last_found.at_va, BASE + 4);
    EQUAL(last_found.value, 3);
    FINDS(GM107, RULE(HOST_VALUE), 0x20010020, 1);
    FINDS(GM204, -1, 0x20010020, 1);
    FINDS(GV100, RULE(HOST_VALUE), 0x20010020, 1);
    FINDS(GA100, RULE(HOST_VALUE), 0x20010020, 2);
    FINDS(GA100, -1, 0x20010020, 1);
    FINDS(NV40, -1, 0x00040080, 2);
    /* of MEM_OP */
    FINDS(GF100, -1, 0x2002000a, 0, 0x28000000);
    FINDS(GF100, RULE(HOST_VALUE), 0x2002000a, 0, 0x50000000);
    EQUAL(last_found.at_va, BASE + 8);
    FINDS(GM204, RULE(HOST_VALUE), 0x2002000c, 0, 0x30000000);
    FINDS(GM107, -1, 0x2002000a, 0, 0x30000000); /* SOFT_FLUSH of A16F */
    FINDS(GM204, -1, 0x2002000c, 0x28000000, 0x48000000);
    FINDS(GP100, RULE(HOST_VALUE), 0x2004000a, 0, 0x30000000, 0, 0xb0000000);
    EQUAL(last_found.at_va, BASE + 16);
    FINDS(GV100, -1, 0x2004000a, 0, 0, 0, 0xb0000000);
    FINDS(MCP89, -1, 0x00080028, 0, 0xffffffff);
    /* [PBDMA] MEM_OP: SYSMEMBAR is ignored with ACK_TYPE NONE, and with GPC DISABLE */
    FINDS(TU102, RULE(TLB_NO_BARRIER), 0x2004000a, 0x800, 0, 0, 0x48000000);
    FINDS(TU102, RULE(TLB_NO_BARRIER), 0x2004000a, 0x800, 0, 0x22, 0x50000000);
    FINDS(TU102, -1, 0x2004000a, 0x800, 0, 0x20, 0x48000000);
    FINDS(TU102, -1, 0x2004000a, 0, 0, 2, 0x48000000);
    FINDS(TU102, -1, 0x2004000a, 0x800, 0, 0, 0x28000000);
    /* reductions of SEMAPHORED: INC has no signed form */
    FINDS(GM107, RULE(SEM_OPERATION), 0x20040004, 0, SEM, 1, 0x30000010);
    FINDS(GM107, -1, 0x20040004, 0, SEM, 1, 0xb0000010);
    FINDS(GM107, -1, 0x20040004, 0, SEM, 1, 0xb1000010); /* bit 24 is no payload size there */
    FINDS(GV100, RULE(SEM_OPERATION), 0x20050017, SEM, 0, 1, 0, 0x31000006);
    CHECK(strcmp(gpucmd_nv_rule_name(RULE(HOST_VALUE)), "HOST_VALUE") == 0);
    /* an object that is bound anew has no lengths; findings name the subchannel */
    FINDS(GF100, -1, 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0, 0x00100110);
    FINDS(GF100, RULE(COPY_EMPTY), 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x20014000, 0x9039,
          0x200140c0, 0x00100110);
    EQUAL(last_found.subc, 2);
    EQUAL(last_found.mthd, 0x300);
    EQUAL(last_found.at_va, BASE + 32);
    /* before GF100 a handle is unknown without a callback */
    FINDS(GT215, RULE(COPY_EMPTY), 0x00048000, 0xcafe85b5, 0x00048300, 2);
    lookup = NULL;
    FINDS(GT215, -1, 0x00048000, 0xcafe85b5, 0x00048300, 2);
    lookup = find_object;
    /* an acquire of a 3D class writes nothing */
    FINDS(GF100, RULE(SEM_MISALIGNED), 0x20010000, 0x9097, 0x200406c0, 0, SEM + 2, 5, 0x1000f010);
    FINDS(GF100, -1, 0x20010000, 0x9097, 0x200406c0, 0, SEM + 2, 5, 0x1000f011);
    FINDS(G80, RULE(SEM_MISALIGNED), 0x00046000, 0xcafe5097, 0x00107b00, 0, SEM + 2, 5, 0x1000f010);
    FINDS(G80, -1, 0x00046000, 0xcafe5097, 0x00107b00, 0, SEM + 2, 5, 0x1000f011);
    /* what a software object does with its methods is the kernel's */
    FINDS(GT215, -1, 0x00048000, 0xdead85b5, 0x00048300, 2);
    /* subchannel 4 starts with the copy class from GK104 on, and no other with any */
    FINDS(GA102, -1, 0x20018100, 5);
    FINDS(GA102, RULE(UNBOUND_SUBCHANNEL), 0x2001a100, 5);
    FINDS(GA102, RULE(UNBOUND_SUBCHANNEL), 0x20016100, 5);
    FINDS(GF100, RULE(UNBOUND_SUBCHANNEL), 0x20018100, 5);
    /* bits 1:0 of SEM_ADDR_LO are reserved: one finding, at their word */
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM | 3, 0, 5, 0, 0x00000001);
    EQUAL(last_found.at_va, BASE + 4);
    /* alignment: of 16 bytes only what writes a time */
    FINDS(GV100, -1, 0x20050017, SEM + 4, 0, 5, 0, 0x02000000);
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM + 4, 0, 5, 0, 0x03000000);
    FINDS(GV100, RULE(SEM_MISALIGNED), 0x20050017, SEM + 4, 0, 5, 0, 0xaa000006);
    FINDS(GV100, -1, 0x20050017, SEM + 4, 0, 5, 0, 0xa8000006);
    FINDS(GA102, -1, 0x20038090, 0, SEM + 4, 5, 0x200180c0, 0x0c);
    FINDS(GA102, RULE(SEM_MISALIGNED), 0x20038090, 0, SEM + 2, 5, 0x200180c0, 0x0c);
    /* releases that do not wait: each of them, from GF100 on */
    FINDS_N(GF100, RULE(RELEASE_NO_WAIT), 2, 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0,
            0x00100110, 0x20040004, 0, SEM, 5, 0x01100002, 0x20010007, 0x01100002);
    FINDS_N(GF100, RULE(RELEASE_NO_WAIT), 1, 0x20014000, 0x9039, 0x200240c7, 8, 1, 0x200140c0,
            0x00100110, 0x20040004, 0, SEM, 5, 0x01100002, 0x20010007, 0x01000002, 0x20010007,
            0x01100002);
    FINDS(G84, -1, 0x00044000, 0xcafe5039, 0x0020430c, SRC, DST, 32, 16, 10, 3, 0x101, 0,
          0x00100010, 0, SEM, 5, 0x00100002); /* where bit 20 says nothing */
}

/* SEM_NEVER_RELEASED is checked only if the released array is large enough. */
static void check_host_places(void)
{
    uint64_t places[3] = {0, 0, 0};
    released = places;
    released_cap = 2;
    FINDS(GF100, RULE(SEM_NEVER_RELEASED), 0x20040004, 0, SEM, 5, 2, 0x20020005, SEM + 16, 5,
          0x20010007, 2, 0x20020005, SEM + 32, 5, 0x20010007, 1);
    EQUAL(places[0], SEM | 2); /* 16 bytes */
    EQUAL(places[1], (SEM + 16) | 2);
    EQUAL(last_found.value, SEM + 32);
    FINDS(GF100, -1, 0x20040004, 0, SEM, 5, 2, 0x20010007, 2, 0x20020005, SEM + 16, 5, 0x20010007,
          2, 0x20020005, SEM, 5, 0x20010007, 1); /* one of them twice */
    FINDS(GF100, -1, 0x20040004, 0, SEM, 5, 2, 0x20020005, SEM + 16, 5, 0x20010007, 2, 0x20020005,
          SEM + 48, 5, 0x20010007, 2, 0x20020005, SEM + 32, 5, 0x20010007, 1); /* too many */
    EQUAL(places[2], 0);
    /* a place for each, however often it is released */
    FINDS(GF100, RULE(SEM_NEVER_RELEASED), 0x20040004, 0, SEM, 5, 2, 0x20010007, 2, 0x20020005,
          SEM + 16, 5, 0x20010007, 2, 0x20020005, SEM + 32, 5, 0x20010007, 1);
    /* addresses whose halves come in the other order */
    FINDS(GF100, -1, 0x20010005, SEM, 0x20010004, 1, 0x20020006, 5, 2, 0x20020004, 1, SEM,
          0x20010007, 1);
    EQUAL(places[0], 0x100000002ull | SEM);
    FINDS(GF100, -1, 0x20020004, 1, SEM, 0x20020006, 5, 2, 0x20010005, SEM, 0x20010007, 1);
    EQUAL(places[0], 0x100000002ull | SEM);
    FINDS(GA102, -1, 0x20018091, SEM, 0x20018090, 1, 0x200180c0, 0x0c, 0x20050017, SEM, 1, 5, 0, 0);
    EQUAL(places[0], 0x100000001ull | SEM);
    FINDS(GA102, -1, 0x20028090, 1, 0, 0x20018091, SEM, 0x200180c0, 0x0c, 0x20050017, SEM, 1, 5, 0,
          0);
    EQUAL(places[0], 0x100000001ull | SEM);
    /* the copy engine writes 16 bytes, or 8 at most */
    FINDS(GA102, -1, 0x20038090, 0, SEM, 5, 0x200180c0, 0x14, 0x20050017, SEM + 12, 0, 5, 0, 0);
    FINDS(GA102, -1, 0x20038090, 0, SEM, 5, 0x200180c0, 0x0c, 0x20050017, SEM + 4, 0, 5, 0, 0);
    FINDS(GA102, RULE(SEM_NEVER_RELEASED), 0x20038090, 0, SEM, 5, 0x200180c0, 0x0c, 0x20050017,
          SEM + 8, 0, 5, 0, 0);
    /* G84 writes 16 bytes, and bit 24 says nothing */
    FINDS(G84, -1, 0x00100010, 0, SEM, 5, 0x01000002, 0x00100010, 0, SEM + 8, 5, 1);
    FINDS(GF100, RULE(SEM_NEVER_RELEASED), 0x20040004, 0, SEM, 5, 0x01000002, 0x20040004, 0,
          SEM + 8, 5, 1);
    /* 85B5: bits 31:28 of the upper half name a DMA object and are no address */
    FINDS(GT215, -1, 0x00048000, 0xcafe85b5, 0x000c8240, 1u << 28, 0x300, 5, 0x00048300, 8,
          0x00100010, 0, 0x300, 5, 4);
    EQUAL(places[0], 0x300 | 1);
    FINDS(GT215, RULE(SEM_NEVER_RELEASED), 0x00048000, 0xcafe85b5, 0x000c8240, 1u << 28 | 1, 0x300,
          5, 0x00048300, 8, 0x00100010, 0, 0x300, 5, 4);
    EQUAL(places[0], 0x100000301ull);
    /* a DMA object leaves the offset as it was */
    FINDS(NV40, -1, 0x00040064, 0x10, 0x00040060, 0xbeef0002, 0x0004006c, 5, 0x00080060, 0xbeef0002,
          0x10, 0x00040068, 5);
    released = NULL;
    released_cap = 0;
    FINDS(GF100, -1, 0x20040004, 0, SEM + 32, 5, 1);
}

/* What is known of one stream says nothing about the next one. */
static void check_host_streams(void)
{
    static const uint32_t nv40_sets[] = {0x00080060, 0xbeef0002, 0x10};
    static const uint32_t nv40_uses[] = {0x0004006c, 5};
    static const uint32_t copies[] = {0x20018106, 8, 0x200180c0, 0x182};
    static const uint32_t releases[] = {0x20050017, SEM, 0, 5, 0, 1};
    static const uint32_t ce_releases[] = {0x20038090, 0, SEM, 5, 0x200180c0, 0x08};
    static const uint32_t sets_address[] = {0x20020017, SEM + 4, 0};
    static const uint32_t executes[] = {0x2001001b, 0x01000001};
    static const uint32_t lengths[] = {0x20018106, 8};
    static const uint32_t launches[] = {0x200180c0, 0x186};
    static const struct {
        gpucmd_nv_chip chip;
        const uint32_t *dw[2];
        size_t len_dw[2];
        int rule; /* in both words of one stream; the two apart have none, or SEM_NOT_SET */
        int apart;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV40,  {nv40_sets, nv40_uses},   {3, 2}, -1,                     RULE(SEM_NOT_SET)},
        {GPUCMD_NV_CHIP_G80,   {nv40_sets, nv40_uses},   {3, 2}, -1,                     RULE(SEM_NOT_SET)},
        {GPUCMD_NV_CHIP_GA102, {copies, releases},       {4, 6}, RULE(RELEASE_NO_WAIT),  -1               },
        {GPUCMD_NV_CHIP_GA102, {copies, ce_releases},    {4, 6}, RULE(RELEASE_NO_FLUSH), -1               },
        {GPUCMD_NV_CHIP_GA102, {sets_address, executes}, {3, 2}, RULE(SEM_MISALIGNED),   -1               },
        {GPUCMD_NV_CHIP_GA102, {lengths, launches},      {2, 2}, -1,                     RULE(COPY_EMPTY) },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nv_stream streams[2];
        gpucmd_nv_check_options check;
        gpucmd_nv_gate gate;
        uint32_t both[16];
        size_t errors = 0;
        memcpy(both, rows[i].dw[0], 4 * rows[i].len_dw[0]);
        memcpy(both + rows[i].len_dw[0], rows[i].dw[1], 4 * rows[i].len_dw[1]);
        finds_times(rows[i].chip, rows[i].rule, 1, both, rows[i].len_dw[0] + rows[i].len_dw[1]);
        for (unsigned k = 0; k < 2; k++) {
            streams[k].dw = rows[i].dw[k];
            streams[k].len_dw = rows[i].len_dw[k];
            streams[k].base_va = BASE + 0x1000 * k;
        }
        memset(&check, 0, sizeof check);
        memset(found, 0, sizeof found);
        CHECK(gpucmd_nv_gate_init(&gate, rows[i].chip, false, false, GPUCMD_NV_FMT_NEW) ==
              GPUCMD_OK);
        check.found = on_found;
        CHECK(gpucmd_nv_check_host(&gate, streams, 2, &check, &errors) == GPUCMD_OK);
        for (int r = 0; r < RULES; r++) {
            EQUAL(found[r], r == rows[i].apart);
        }
    }
}

/* Each stream looks its own handles up, and begins without a DMA object. */
static gpucmd_status find_by_stream(void *user, uint32_t channel, uint32_t handle,
                                    gpucmd_nv_object *object)
{
    return channel == 0 ? find_object(user, channel, handle, object) : GPUCMD_FAULT;
}

static void check_host_objects(void)
{
    static const uint32_t binds[] = {0x00044000, 0xcafe5039};
    static const uint32_t releases[] = {0x00080060, 0xbeef0002, 0x10, 0x0004006c, 5};
    static const uint32_t waiting[] = {0x00080064, 0x10, 5};
    uint64_t places[2] = {0, 0};
    gpucmd_nv_stream streams[2] = {
        {binds, 2, BASE         },
        {binds, 2, BASE + 0x1000}
    };
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(G80), false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.found = on_found;
    check.object = find_by_stream;
    EQUAL(gpucmd_nv_check_host(&gate, streams, 2, &check, &errors), GPUCMD_OK);
    EQUAL(errors, 1);
    EQUAL(found[RULE(UNKNOWN_OBJECT)], 1);
    EQUAL(last_found.stream, 1);
    EQUAL(last_found.at_va, BASE + 0x1004);
    streams[0].dw = releases;
    streams[0].len_dw = 5;
    streams[1].dw = waiting;
    streams[1].len_dw = 3;
    check.released = places;
    check.cap = 2;
    memset(found, 0, sizeof found);
    EQUAL(gpucmd_nv_check_host(&gate, streams, 2, &check, &errors), GPUCMD_OK);
    EQUAL(found[RULE(SEM_NEVER_RELEASED)], 1);
    EQUAL(last_found.value, 0x8000000000000010ull); /* no handle */
}

/* The caller can end the check. */
static gpucmd_status on_found_stop(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    found[finding->rule]++;
    return GPUCMD_LIMIT;
}

static void check_host_stops(void)
{
    static const uint32_t dw[] = {0x60020003, 0, 0};
    const gpucmd_nv_stream stream = {dw, 3, BASE};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    memset(found, 0, sizeof found);
    CHECK(gpucmd_nv_gate_init(&gate, CHIP(GF100), false, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    check.found = on_found_stop;
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors), GPUCMD_LIMIT);
    EQUAL(found[RULE(HOST_METHOD)], 1);
    EQUAL(errors, 1);
    check.found = NULL; /* only counting */
    EQUAL(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors), GPUCMD_OK);
    EQUAL(errors, 2);
}

int main(void)
{
    crc_values();
    crc_runs();
    crc_mismatch();
    clear_faulted();
    set_faulted();
    handler();
    hopper_addresses();
    software_subchannels();
    yield_values();
    unfit_objects();
    reduction_matrix();
    semaphored_operations();
    sem_execute_bits();
    dma_semaphores();
    kept();
    yield_turns();
    handles();
    error_places();
    semaphore_order();
    wait_ends();
    syncpoints();
    recipes();
    late_classes();
    refused();
    refused_copies();
    check_host();
    check_host_places();
    check_host_streams();
    check_host_objects();
    check_host_stops();
    return test_report("nv_puller");
}

/* nv/exec_edges.c - the pusher, the PBDMA and host methods at their edges: modes that a chip lacks, rings
 * of the largest order, stopped state, runs that cross segments, old headers, memory that goes away. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

static gpucmd_why why;

static gpucmd_status on_trace(void *user, const gpucmd_event *event)
{
    (void)user;
    (void)event;
    return GPUCMD_OK;
}

/* Write words at BASE and IB entries that name parts of them: address and length in words, flags of
 * word 0 (bits 1:0) and word 1 of the entry. */
typedef struct entry {
    uint32_t at_dw, len_dw, flags[2];
} entry;

static void segments(const uint32_t *words, uint32_t n_dw, const entry *entries, uint32_t count)
{
    gpucmd_store_words(ram, words, n_dw, GPUCMD_LITTLE_ENDIAN);
    for (uint32_t i = 0; i < count; i++) {
        poke(RING + 8 * i, (BASE + 4 * entries[i].at_dw) | entries[i].flags[0]);
        poke(RING + 8 * i + 4, entries[i].len_dw << 10 | entries[i].flags[1]);
    }
    ch.pbdma.gp_put = count;
}

#define PUSH() gpucmd_nv_pusher_run(&ch.pusher, &env, 1000)
#define PB()   gpucmd_nv_pbdma_run(&ch.pbdma, &env, 1000)

/* ---- pusher ---- */

/* IB mode begins with G80 and SLI_COND with NV40: on earlier chips ib_enable and sli_enable do
 * nothing. [ENVY] dma-pusher.rst */
static void modes(void)
{
    start(CHIP(NV40));
    ch.pusher.ib_enable = true;
    ch.pusher.ib_put = 1;
    submit((const uint32_t[]){0x00040100, 7}, 2);
    EQUAL(PUSH(), GPUCMD_RUN_IDLE);
    EQUAL(got.count, 1);
    EQUAL(got.data[0], 7);
    EQUAL(ch.pusher.ib_get, 0);
    start(CHIP(NV34));
    ch.pusher.sli_enable = true;
    submit((const uint32_t[]){0x00040100, 8, 0x00010010}, 3);
    EQUAL(PUSH(), GPUCMD_RUN_FAULT); /* SLI_COND is no command */
    EQUAL(got.count, 1);
    EQUAL(got.data[0], 8);
    EQUAL(ch.pusher.error, GPUCMD_NV_PUSHER_ERROR_INVALID_CMD);
}

/* An index of 32 bits does not reach the end of a ring of 2^32 entries or more. */
static void large_rings(void)
{
    static const uint32_t words[] = {0x00040100, 7};
    static const entry first = {
        0,
        2,
        {0, 0}
    };
    for (uint32_t order = 32; order < 41; order += 4) {
        start(CHIP(G80));
        ch.pusher.ib_enable = true;
        ch.pusher.ib_address = RING;
        ch.pusher.ib_order = order;
        gpucmd_nv_pusher_write32(&ch.pusher, GPUCMD_NV_AREA_IB_PUT, 0x12345678);
        EQUAL(ch.pusher.ib_put, 0x12345678);
        segments(words, 2, &first, 1);
        gpucmd_nv_pusher_write32(&ch.pusher, GPUCMD_NV_AREA_IB_PUT, 2);
        EQUAL(PUSH(), GPUCMD_RUN_FAULT); /* the second entry is all zero */
        EQUAL(got.count, 1);
        EQUAL(ch.pusher.error, GPUCMD_NV_PUSHER_ERROR_IB_EMPTY);
        EQUAL(ch.pusher.ib_get, 2);
        gpucmd_nv_pusher_why(&ch.pusher, &env, &why);
        EQUAL(why.at_va, RING + 8);
    }
}

/* A method run without its data: a method below 0x100 that the host engine lacks has no name. It is
 * an error when its data word is fetched. */
static void unnamed(void)
{
    start(CHIP(NV4));
    submit((const uint32_t[]){0x00046004}, 1);
    EQUAL(PUSH(), GPUCMD_RUN_IDLE);
    gpucmd_nv_pusher_why(&ch.pusher, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_WAIT);
    EQUAL(strcmp(why.reg, "method"), 0);
    EQUAL(why.va, 4);
    EQUAL(why.bits, 3);
    EQUAL(why.value, 1);
}

/* DMA_STATE: bit 0 is NI, NV10 and later; bit 17 is SUBR_ACTIVE, NV40 and later. [ENVY] nv4_pfifo.xml */
static void registers(void)
{
    gpucmd_nv_cache1 regs;
    for (unsigned active = 0; active < 2; active++) {
        start(CHIP(NV40));
        ch.pusher.subr_active = active != 0;
        gpucmd_nv_pusher_pack(&ch.pusher, &regs);
        EQUAL(regs.dma_state, active << 17);
        EQUAL(regs.dma_subroutine, 0);
    }
    regs.dma_state = 1;
    for (unsigned nv10 = 0; nv10 < 2; nv10++) {
        start(nv10 != 0 ? CHIP(NV10) : CHIP(NV4));
        gpucmd_nv_pusher_unpack(&ch.pusher, &regs);
        EQUAL(ch.pusher.ni, nv10);
    }
}

/* ---- stopped ---- */

/* A callback that fails takes no word. What stopped executes nothing until the caller clears the
 * reason. Words are passed one by one with a trace, and at once without. */
static void stopped(void)
{
    for (unsigned traced = 0; traced < 2; traced++) {
        start(CHIP(NV40));
        env.trace = traced != 0 ? on_trace : NULL;
        got.answer = GPUCMD_INVALID;
        submit((const uint32_t[]){0x00080100, 7, 8}, 3);
        for (unsigned i = 0; i < 2; i++) {
            EQUAL(PUSH(), GPUCMD_RUN_FAULT);
            EQUAL(ch.pusher.fault, GPUCMD_INVALID);
            EQUAL(ch.pusher.error, GPUCMD_NV_PUSHER_ERROR_NONE);
            EQUAL(ch.pusher.dma_get, BASE + 4);
            EQUAL(ch.pusher.mcnt, 2);
            EQUAL(got.count, 1);
        }
        start(CHIP(GF100));
        env.trace = traced != 0 ? on_trace : NULL;
        got.answer = GPUCMD_INVALID;
        submit((const uint32_t[]){0x20020040, 7, 8}, 3);
        for (unsigned i = 0; i < 2; i++) {
            EQUAL(PB(), GPUCMD_RUN_FAULT);
            EQUAL(ch.pbdma.fault, GPUCMD_INVALID);
            EQUAL(ch.pbdma.pb_get, BASE + 4);
            EQUAL(ch.pbdma.count, 2);
            EQUAL(got.count, 1);
        }
        start(CHIP(GF100)); /* a reserved header */
        env.trace = traced != 0 ? on_trace : NULL;
        submit((const uint32_t[]){0xc0000000, 0x80050040}, 2);
        for (unsigned i = 0; i < 2; i++) {
            EQUAL(PB(), GPUCMD_RUN_FAULT);
            EQUAL(ch.pbdma.intr, 1u << 18); /* PBENTRY */
            EQUAL(ch.pbdma.pb_get, BASE + 4);
            EQUAL(got.count, 0);
        }
    }
}

/* ---- PBDMA: the ring ---- */

static void rings(void)
{
    gpucmd_nv_pbdma d;
    start(CHIP(GF100));
    d = ch.pbdma;
    EQUAL(gpucmd_nv_pbdma_init(&d, (gpucmd_nv_chip)GPUCMD_NV_CHIP_COUNT), GPUCMD_UNSUPPORTED);
    EQUAL(d.chip, CHIP(GF100));
    EQUAL(d.gp_base, RING);
    /* GP_GET and GP_PUT must be in the ring of 16 entries, also if they are equal: GPPTR, bit 14 */
    for (uint32_t put = 0; put < 17; put += 16) {
        start(CHIP(GF100));
        ch.pbdma.gp_get = 16;
        ch.pbdma.gp_put = put;
        EQUAL(PB(), GPUCMD_RUN_FAULT);
        EQUAL(ch.pbdma.intr, 1u << 14);
        EQUAL(ch.pbdma.gp_get, 16);
    }
    /* a ring that memory lacks */
    start(CHIP(GF100));
    ch.pbdma.gp_base = 0x40;
    ch.pbdma.gp_put = 1;
    EQUAL(PB(), GPUCMD_RUN_FAULT);
    EQUAL(ch.pbdma.fault, GPUCMD_FAULT);
    EQUAL(ch.pbdma.intr, 0);
    EQUAL(ch.pbdma.gp_get, 0);
    gpucmd_nv_pbdma_why(&ch.pbdma, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_MEMORY);
    EQUAL(why.va, 0x40);
    /* Volta and later have no register FORMATS */
    start(CHIP(GV100));
    ch.pbdma.fmt = GPUCMD_NV_FMT_OLD;
    submit((const uint32_t[]){0x80050040}, 1);
    EQUAL(PB(), GPUCMD_RUN_FAULT);
    EQUAL(ch.pbdma.fault, GPUCMD_UNSUPPORTED);
    EQUAL(got.count, 0);
    gpucmd_nv_pbdma_why(&ch.pbdma, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_MODEL);
}

/* The CRC of n bytes at BASE, bit by bit from the most significant; polynomial 0x04c11db7. */
static uint32_t crc_of(uint32_t n)
{
    uint32_t crc = 0;
    for (uint32_t i = 0; i < 8 * n; i++) {
        const uint32_t in = (ram[i / 8] >> (7 - i % 8) & 1u) ^ crc >> 31;
        crc = crc << 1 ^ (in != 0 ? 0x04c11db7 : 0);
    }
    return crc;
}

/* The CRC that an entry PB_CRC compares, for a segment of more than 256 bytes. */
static void segment_crc(void)
{
    uint32_t words[75] = {0x604a0002}; /* 74 data words for NOP */
    start(CHIP(GF100));
    EQUAL(gpucmd_nv_pbdma_pb_crc(&ch.pbdma, &mem), 0); /* no segment */
    for (uint32_t i = 1; i < 75; i++) {
        words[i] = i * 0x01020304;
    }
    submit(words, 75);
    EQUAL(PB(), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_nv_pbdma_pb_crc(&ch.pbdma, &mem), crc_of(300));
    CHECK(crc_of(300) != 0);
    region.bytes = 256; /* the end of the segment cannot be read */
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    EQUAL(gpucmd_nv_pbdma_pb_crc(&ch.pbdma, &mem), 0);
}

/* ---- PBDMA: words ---- */

/* Data words of a header in an unconditional segment must not be in a conditional segment (entry
 * bit 0): PBSEG, bit 30, after the first of them was passed. */
static void seams(void)
{
    static const uint32_t words[] = {0x20020040, 7, 8};
    const entry both[] = {
        {0, 1, {1, 0}},
        {1, 2, {1, 0}}
    };
    const entry second[] = {
        {0, 1, {0, 0}},
        {1, 2, {1, 0}}
    };
    start(CHIP(GF100));
    segments(words, 3, both, 2);
    EQUAL(PB(), GPUCMD_RUN_IDLE);
    EQUAL(got.count, 1);
    EQUAL(got.last.count_dw, 2);
    EQUAL(ch.pbdma.intr, 0);
    /* a callback that is not ready: the word is passed again, then PBSEG */
    start(CHIP(GF100));
    segments(words, 3, second, 2);
    got.answer = GPUCMD_BLOCKED;
    EQUAL(PB(), GPUCMD_RUN_BLOCKED);
    EQUAL(ch.pbdma.intr, 0);
    EQUAL(ch.pbdma.count, 2);
    got.answer = GPUCMD_OK;
    EQUAL(PB(), GPUCMD_RUN_FAULT);
    EQUAL(ch.pbdma.intr, 1u << 30);
    EQUAL(ch.pbdma.count, 1);
    EQUAL(got.last.count_dw, 1);
    EQUAL(got.data[0], 7);
}

/* NON_INC to the last method, and ONE_INC to the last but one: all words are one event. */
static void last_methods(void)
{
    static const struct {
        uint32_t header, addr, mthd;
        gpucmd_nv_kind kind;
    } rows[] = {
        {0x60030fff, 0x3ffc, 0xfff, GPUCMD_NV_KIND_NON_INC},
        {0xa0030ffe, 0x3ff8, 0xfff, GPUCMD_NV_KIND_ONE_INC},
    };
    for (size_t i = 0; i < 2; i++) {
        for (unsigned traced = 0; traced < 2; traced++) {
            start(CHIP(GF100));
            env.trace = traced != 0 ? on_trace : NULL;
            submit((const uint32_t[]){rows[i].header, 7, 8, 9}, 4);
            EQUAL(PB(), GPUCMD_RUN_IDLE);
            EQUAL(got.count, 1);
            EQUAL(got.last.code, rows[i].kind);
            EQUAL(got.last.addr, rows[i].addr);
            EQUAL(got.last.count_dw, 3);
            EQUAL(got.data[2], 9);
            EQUAL(ch.pbdma.mthd, rows[i].mthd);
            EQUAL(ch.pbdma.intr, 0);
        }
    }
}

/* SET_SUBDEVICE_MASK of another GPU: methods are parsed, but not passed. */
static void other_gpu(void)
{
    const uint32_t words[] = {0x00010020, 0x2001a040, 7};
    const entry parts[] = {
        {0, 2, {0, 0}         },
        {2, 1, {0, 0x80000000}}, /* SYNC_WAIT */
    };
    start(CHIP(GF100));
    submit((const uint32_t[]){0x00010020, 0x80056041}, 2);
    EQUAL(PB(), GPUCMD_RUN_IDLE);
    EQUAL(got.count, 0);
    EQUAL(ch.pbdma.type, GPUCMD_NV_PB_TYPE_IMMD);
    EQUAL(ch.pbdma.subc, 3);
    EQUAL(ch.pbdma.mthd, 0x41);
    EQUAL(ch.pbdma.hdr_shadow, 0x80056041);
    /* data words of a software object, in the segment of an entry with SYNC_WAIT: DEVICE, bit 23,
     * but not if another GPU executes them */
    for (unsigned other = 0; other < 2; other++) {
        start(CHIP(GK104));
        segments(words, 3, parts, 2);
        poke(BASE, other != 0 ? 0x00010020 : 0x00010010);
        EQUAL(PB(), other != 0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(ch.pbdma.intr, other != 0 ? 0 : 1u << 23);
        EQUAL(ch.pbdma.count, other != 0 ? 0 : 1);
        EQUAL(got.count, 0);
    }
}

/* Register FORMATS of Fermi to Pascal: new headers, old headers, or both. Others: PBENTRY. */
static void formats(void)
{
    static const uint32_t old[] = {0x00086100, 7, 8, 0x40086104, 9, 10};
    static const uint32_t mixed[] = {0x80050040, 0x00046100, 7};
    static const struct {
        gpucmd_nv_fmt fmt;
        unsigned old_events, mixed_events; /* before the first invalid header */
    } rows[] = {
        {GPUCMD_NV_FMT_OLD,  2, 0},
        {GPUCMD_NV_FMT_NEW,  0, 1},
        {GPUCMD_NV_FMT_BOTH, 2, 2},
    };
    for (size_t i = 0; i < 3; i++) {
        start(CHIP(GP104));
        ch.pbdma.fmt = rows[i].fmt;
        submit(old, 6);
        EQUAL(PB(), rows[i].old_events == 2 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(got.count, rows[i].old_events);
        EQUAL(ch.pbdma.intr, rows[i].old_events == 2 ? 0 : 1u << 18);
        if (rows[i].old_events == 2) {
            EQUAL(got.last.code, GPUCMD_NV_KIND_NON_INC);
            EQUAL(got.last.unit, 3);
            EQUAL(got.last.addr, 0x104);
            EQUAL(got.data[1], 10);
            EQUAL(ch.pbdma.type, GPUCMD_NV_PB_TYPE_NON_INC);
        }
        start(CHIP(GP104));
        ch.pbdma.fmt = rows[i].fmt;
        submit(mixed, 3);
        EQUAL(PB(), rows[i].mixed_events == 2 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(got.count, rows[i].mixed_events);
        EQUAL(ch.pbdma.intr, rows[i].mixed_events == 2 ? 0 : 1u << 18);
    }
}

/* ---- host methods ---- */

/* puller.known says which host methods the chip accepts; the caller may change it. */
static void known(void)
{
    start(CHIP(GF100));
    ch.puller.known &= ~((uint64_t)1 << (0x08 / 4));
    GO(FAULT, 0x60020002, 1, 2);
    EQUAL(ch.pbdma.intr, GPUCMD_NV_PBDMA_INTR_METHOD);
    EQUAL(ch.pbdma.count, 2);
    start(CHIP(GF100));
    GO(IDLE, 0x60020002, 1, 2);
    EQUAL(got.count, 0);
    /* a run from host methods to engine methods: each goes where it belongs */
    start(CHIP(TU102));
    ch.puller.known |= (uint64_t)1 << (0xfc / 4);
    GO(IDLE, 0x2003003f, 7, 8, 9);
    EQUAL(got.count, 2);
    EQUAL(got.last.addr, 0x100);
    EQUAL(got.last.count_dw, 2);
    EQUAL(got.data[0], 8);
    EQUAL(got.data[1], 9);
    start(CHIP(TU102));
    GO(FAULT, 0x2003003f, 7, 8, 9);
    EQUAL(ch.pbdma.intr, GPUCMD_NV_PBDMA_INTR_METHOD);
    EQUAL(got.count, 0);
}

/* All words of a NON_INC run go to SEM_ADDR_LO. */
static void one_method(void)
{
    start(CHIP(GV100));
    GO(IDLE, 0x60050017, 1, 2, 3, 4, 5);
    EQUAL(ch.puller.sem_addr_lo, 5);
    EQUAL(ch.puller.sem_addr_hi, 0);
    EQUAL(ch.puller.sem_payload_lo, 0);
}

/* A segment with NO_CONTEXT_SWITCH may release and reduce semaphores, but not acquire them. */
static void no_switch(void)
{
    static const struct {
        uint32_t trigger; /* SEMAPHORED */
        bool good;
        uint32_t after;
    } rows[] = {
        {0x28000010, true,  8}, /* REDUCTION: 3 + 5 */
        {0x01000002, true,  5}, /* RELEASE of 4 bytes */
        {0x00000001, false, 3}, /* ACQUIRE: interrupt NO_CTXSW_SEG */
    };
    for (size_t i = 0; i < 3; i++) {
        start(CHIP(GK110));
        poke(SEM, 3);
        submit((const uint32_t[]){0x20040004, 0, SEM, 5, rows[i].trigger}, 5);
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 1), GPUCMD_RUN_LIMIT); /* the entry */
        ch.pbdma.no_context_switch = true;
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100),
              rows[i].good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(ch.pbdma.intr, rows[i].good ? 0 : GPUCMD_NV_PBDMA_INTR_NO_CTXSW_SEG);
        EQUAL(peek(SEM), rows[i].after);
    }
}

/* Memory that is there when the semaphore is probed, but not when it is written. */
static struct {
    unsigned left; /* calls that find memory */
    uint8_t page[4096];
} lost;

static gpucmd_status find_page(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                               uint64_t *bytes)
{
    (void)user;
    (void)access_mask;
    if (lost.left == 0) {
        return GPUCMD_FAULT;
    }
    lost.left--;
    *host = lost.page + va % 4096;
    *bytes = 4096 - va % 4096;
    return GPUCMD_OK;
}

static void lost_memory(void)
{
    memset(&lost, 0, sizeof lost);
    for (unsigned calls = 0; calls < 3; calls++) {
        start(CHIP(TU102));
        mem.find = find_page;
        lost.left = calls;
        GO(FAULT, 0x20050017, 0x900000, 0, 7, 0, 0x02000001);
        EQUAL(ch.puller.fault, GPUCMD_FAULT);
        EQUAL(mem.fault_va >> 12, 0x900);
        EQUAL(gpucmd_load32(lost.page, GPUCMD_LITTLE_ENDIAN), 0); /* the payload is written last */
        lost.left = 100;
        ch.puller.fault = GPUCMD_OK;
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(gpucmd_load32(lost.page, GPUCMD_LITTLE_ENDIAN), 7);
        EQUAL(gpucmd_load64(lost.page + 8, GPUCMD_LITTLE_ENDIAN), 0x123456789abcull);
        memset(lost.page, 0, sizeof lost.page);
    }
}

int main(void)
{
    modes();
    large_rings();
    unnamed();
    registers();
    stopped();
    rings();
    segment_crc();
    seams();
    last_methods();
    other_gpu();
    formats();
    known();
    one_method();
    no_switch();
    lost_memory();
    return test_report("nv/exec_edges");
}

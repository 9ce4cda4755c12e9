/* Many channels in turn: fairness, waking, subdevice masks, deadlock with its cycle, livelock. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "report.h"
#include "test.h"

#define BASE 0x100000u
#define CHIP GPUCMD_NV_CHIP_GA102

enum { MOST = 64, CHANNEL_BYTES = 0x1000, SEM = BASE + MOST * CHANNEL_BYTES };

static uint8_t ram[(MOST + 1) * CHANNEL_BYTES];
static gpucmd_region region;
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel channels[MOST];
static gpucmd_nv_channel scratch;
static gpucmd_nv_blocked rows[MOST];
static gpucmd_nv_report report;

static uint32_t peek(uint64_t va)
{
    return gpucmd_load32(ram + (va - BASE), GPUCMD_LITTLE_ENDIAN);
}

/* count channels with empty rings of 8 entries each; channel i has id 10 + i. */
static void start(uint32_t count)
{
    memset(ram, 0, sizeof ram);
    region.va = BASE;
    region.bytes = sizeof ram;
    region.host = ram;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(gpucmd_nv_channel_init(&channels[i], CHIP, &card) == GPUCMD_OK);
        channels[i].id = 10 + i;
        channels[i].pbdma.gp_base = BASE + i * CHANNEL_BYTES;
        channels[i].pbdma.limit2 = 3;
    }
    memset(&report, 0, sizeof report);
    report.rows = rows;
    report.cap = MOST;
    report.scratch = &scratch;
    report.look_ahead = 1000;
}

/* Submit n words to channel i. */
static void submit(uint32_t i, const uint32_t *words, size_t n)
{
    const uint64_t va = BASE + i * CHANNEL_BYTES + 0x100;
    uint32_t entry[2];
    gpucmd_store_words(ram + (va - BASE), words, n, GPUCMD_LITTLE_ENDIAN);
    CHECK(gpucmd_nv_encode_entry(entry, CHIP, va, (uint32_t)n, 0) == GPUCMD_OK);
    gpucmd_store_words(ram + i * CHANNEL_BYTES + 8 * channels[i].pbdma.gp_put, entry, 2,
                       GPUCMD_LITTLE_ENDIAN);
    channels[i].pbdma.gp_put = (channels[i].pbdma.gp_put + 1) % 8;
}

/* Submit to channel i: wait for *SEM[from] == from_value, then *SEM[to] = to_value. A part whose
 * index is negative is left out. */
static void link_words(uint32_t i, int from, uint32_t from_value, int to, uint32_t to_value)
{
    uint32_t words[64];
    gpucmd_writer v;
    size_t n = 0;
    gpucmd_writer_init(&v, words, 64);
    if (from >= 0) {
        gpucmd_nv_emit_sem_acquire(&v, CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, SEM + 16 * (uint32_t)from,
                                   from_value, 0);
    }
    if (to >= 0) {
        gpucmd_nv_emit_sem_release(&v, CHIP, SEM + 16 * (uint32_t)to, to_value, 0);
    }
    CHECK(gpucmd_writer_finish(&v, &n) == GPUCMD_OK);
    submit(i, words, n);
}

static void waking(void)
{
    /* each waits for its predecessor, the last one starts: 64 rounds of blocking and waking */
    start(MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        link_words(i, i + 1 < MOST ? (int)i + 1 : -1, 7, (int)i, 7);
    }
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, MOST, &env, 1000000, &report), GPUCMD_RUN_IDLE);
    EQUAL(report.count, 0);
    CHECK(!report.deadlock && !report.livelock);
    for (uint32_t i = 0; i < MOST; i++) {
        EQUAL(peek(SEM + 16 * i), 7);
    }
    EQUAL(report.rounds, 65);
    /* a quantum of one word gives the same memory */
    start(2);
    link_words(0, 1, 7, 0, 7);
    link_words(1, -1, 0, 1, 7);
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000000, NULL), GPUCMD_RUN_IDLE);
    EQUAL(peek(SEM), 7);
}

static void deadlock(void)
{
    char buf[2000];
    gpucmd_text t;
    /* 0 waits for what 1 writes, 1 for 2, 2 for 0; 3 waits for 0; 4 has no releaser; 5 is done */
    start(6);
    link_words(0, 1, 5, 0, 5);
    link_words(1, 2, 5, 1, 5);
    link_words(2, 0, 5, 2, 5);
    link_words(3, 0, 5, 3, 5);
    link_words(4, 9, 5, 4, 5);
    link_words(5, -1, 0, 5, 5);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 6, &env, 1000000, &report), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock && !report.livelock);
    EQUAL(report.count, 5);
    EQUAL(rows[0].releaser, 1);
    EQUAL(rows[1].releaser, 2);
    EQUAL(rows[2].releaser, 0);
    EQUAL(rows[3].releaser, 0);
    EQUAL(rows[4].releaser, GPUCMD_NV_NO_CHANNEL);
    CHECK(rows[0].satisfies && rows[1].satisfies && rows[2].satisfies && rows[3].satisfies);
    CHECK(rows[0].in_cycle && rows[1].in_cycle && rows[2].in_cycle);
    CHECK(!rows[3].in_cycle && !rows[4].in_cycle);
    EQUAL(rows[2].wait.va, SEM);
    EQUAL(rows[2].wait.payload, 5);
    EQUAL(rows[2].id, 12);
    EQUAL(rows[2].at_va, BASE + 2 * CHANNEL_BYTES + 0x100 + 20);
    CHECK(rows[2].readable && rows[2].memory == 0);
    EQUAL(peek(SEM + 0x50), 5); /* the search for releases wrote nothing: only 5 was stored */
    EQUAL(peek(SEM), 0);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    CHECK(gpucmd_text_finish(&t) == GPUCMD_OK);
    {
        static const char first[] = "channel 10 at 0x100114 waits for 0x140010 ACQUIRE 0x5, memory "
                                    "holds 0x0\n  channel 11 would release it, in a cycle\n";
        CHECK(strncmp(buf, first, sizeof first - 1) == 0);
    }
    /* a CPU store breaks it */
    gpucmd_store32(ram + (SEM - BASE), 5, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(ram + (SEM - BASE) + 0x90, 5, GPUCMD_LITTLE_ENDIAN);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 6, &env, 1000000, &report), GPUCMD_RUN_IDLE);
}

static void deadlock_others(void)
{
    uint32_t words[64];
    gpucmd_writer v;
    size_t n = 0;
    /* a channel that waits for itself */
    start(1);
    link_words(0, 0, 5, 0, 5);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    EQUAL(rows[0].releaser, 0);
    CHECK(rows[0].in_cycle);
    /* the other channel writes that address, but another value */
    start(2);
    link_words(0, 0, 5, 1, 5);
    link_words(1, 1, 5, 0, 4);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    EQUAL(rows[0].releaser, 1);
    CHECK(!rows[0].satisfies && rows[1].satisfies);
    /* a copy engine whose semaphore would release, and one whose copy would overwrite the
     * address */
    start(2);
    gpucmd_writer_init(&v, words, 64);
    gpucmd_nv_emit_sem_acquire(&v, CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, SEM, 1, 0);
    gpucmd_nv_emit_ce_sem_release(&v, CHIP, 4, SEM + 16, 5, 0);
    CHECK(gpucmd_writer_finish(&v, &n) == GPUCMD_OK);
    submit(0, words, n);
    gpucmd_writer_init(&v, words, 64);
    gpucmd_nv_emit_sem_acquire(&v, CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, SEM + 16, 5, 0);
    gpucmd_nv_emit_ce_copy_linear(&v, CHIP, 4, SEM - 64, SEM + 64, 128);
    CHECK(gpucmd_writer_finish(&v, &n) == GPUCMD_OK);
    submit(1, words, n);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    EQUAL(rows[0].releaser, 1);
    CHECK(!rows[0].satisfies); /* the copied value is unknown */
    EQUAL(rows[1].releaser, 0);
    CHECK(rows[1].satisfies);
    CHECK(rows[0].in_cycle && rows[1].in_cycle);
    /* room for one row and no scratch array: all rows are still counted */
    report.cap = 1;
    report.scratch = NULL;
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 2);
    EQUAL(rows[0].releaser, GPUCMD_NV_NO_CHANNEL);
}

static void faults(void)
{
    static const uint32_t bad[] = {0x20010001, 0};
    /* one channel stops with an error, the others end */
    start(2);
    submit(0, bad, 2);
    link_words(1, -1, 0, 1, 5);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_FAULT);
    EQUAL(peek(SEM + 16), 5);
    EQUAL(channels[0].pbdma.intr, 1u << 21);
}

static void livelock(void)
{
    /* NV4-style: a jump to itself has no effect; one that releases has */
    static const uint32_t loop[] = {0x00040050, 9, 0x00100001};
    static gpucmd_nv_channel nv;
    start(0);
    CHECK(gpucmd_nv_channel_init(&nv, GPUCMD_NV_CHIP_NV1A, &card) == GPUCMD_OK);
    nv.id = 1;
    gpucmd_store_words(ram, loop, 3, GPUCMD_LITTLE_ENDIAN);
    nv.pusher.dma_get = BASE;
    nv.pusher.dma_put = BASE + 0x40;
    card.quantum = 10;
    EQUAL(gpucmd_nv_run_all(&nv, 1, &env, 1000, &report), GPUCMD_RUN_LIMIT);
    CHECK(report.livelock && !report.deadlock);
    /* G84: the same loop with a release is work */
    CHECK(gpucmd_nv_channel_init(&nv, GPUCMD_NV_CHIP_G84, &card) == GPUCMD_OK);
    nv.id = 1;
    {
        static const uint32_t works[] = {0x00100010, 0, SEM, 1, 2, 0x00100001};
        gpucmd_store_words(ram, works, 6, GPUCMD_LITTLE_ENDIAN);
    }
    nv.pusher.dma_get = BASE;
    nv.pusher.dma_put = BASE + 0x40;
    card.quantum = 10;
    EQUAL(gpucmd_nv_run_all(&nv, 1, &env, 1000, &report), GPUCMD_RUN_LIMIT);
    CHECK(!report.livelock);
    /* an endless YIELD loop ends with the budget too */
    {
        static const uint32_t yields[] = {0x00040080, 0, 0x00100001};
        gpucmd_store_words(ram, yields, 3, GPUCMD_LITTLE_ENDIAN);
    }
    nv.pusher.dma_get = BASE;
    nv.pusher.mcnt = 0;
    EQUAL(gpucmd_nv_channel_run(&nv, &env, 1000), GPUCMD_RUN_LIMIT);
}

/* Two subdevices execute one pushbuffer; each accepts the methods that its mask selects. */
static void subdevices(void)
{
    static const uint32_t words[] = {0x00010010, 0x20010014, 1,          0x00010020, 0x20010014,
                                     2,          0x00010030, 0x20010008, 0};
    start(2);
    channels[1].pbdma.gp_base = channels[0].pbdma.gp_base;
    channels[0].pbdma.subdevice = 0x30000001;
    channels[1].pbdma.subdevice = 0x30000002;
    submit(0, words, 9);
    channels[1].pbdma.gp_put = channels[0].pbdma.gp_put;
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_IDLE);
    EQUAL(channels[0].pbdma.ref, 1);
    EQUAL(channels[1].pbdma.ref, 2);
    EQUAL(card.effects, 2);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0x20010014, 1), gpucmd_nv_emit_ref_cnt(&w, CHIP, 1));
}

int main(void)
{
    waking();
    deadlock();
    deadlock_others();
    faults();
    livelock();
    subdevices();
    shapes();
    return test_report("nv_channel");
}

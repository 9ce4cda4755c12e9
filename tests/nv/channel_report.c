/* What gpucmd_nv_run_all reports if channels cannot continue, and that every channel that can
 * continue does: waits and releases of different sizes, several releasers, errors, callbacks, syncpoints,
 * subdevice masks, livelock. Words are typed from the class headers: SEM_EXECUTE of GV100 and later
 * is 0x20050017, address, payload, operation (0 ACQUIRE, 1 RELEASE, 2 ACQ_STRICT_GEQ, 3
 * ACQ_CIRC_GEQ, 6 REDUCTION; bit 24: 64 bits, bit 25: timestamp). */
#include "gpucmd_nv.h"
#include "report.h"
#include "test.h"

enum { MOST = 8, CHANNEL_BYTES = 0x1000, BASE = 0x100000, SEM = BASE + MOST * CHANNEL_BYTES };

static uint8_t ram[MOST * CHANNEL_BYTES + 0x8000];
static gpucmd_region region;
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel channels[MOST];
static gpucmd_nv_channel scratch;
static gpucmd_nv_blocked rows[MOST];
static gpucmd_nv_report report;
static uint32_t syncpoints[4];
static struct {
    gpucmd_status answer;
    unsigned waits, wakes, fetches;
    uint64_t va, value;
} got;

static uint32_t peek(uint64_t va)
{
    return gpucmd_load32(ram + (va - BASE), GPUCMD_LITTLE_ENDIAN);
}

static void poke(uint64_t va, uint32_t v)
{
    gpucmd_store32(ram + (va - BASE), v, GPUCMD_LITTLE_ENDIAN);
}

static gpucmd_status on_event(void *user, const gpucmd_event *event)
{
    (void)user;
    return event->kind == GPUCMD_EVENT_METHODS ? got.answer : GPUCMD_OK;
}

static gpucmd_status on_trace(void *user, const gpucmd_event *event)
{
    CHECK(user == &got);
    CHECK(event->out_dw == NULL || event->kind == GPUCMD_EVENT_METHODS);
    got.waits += event->kind == GPUCMD_EVENT_WAIT;
    got.wakes += event->kind == GPUCMD_EVENT_WAKE;
    got.fetches += event->kind == GPUCMD_EVENT_FETCH;
    if (event->kind == GPUCMD_EVENT_WAIT || event->kind == GPUCMD_EVENT_WAKE) {
        got.va = event->va;
        got.value = event->value;
    }
    return GPUCMD_OK;
}

/* count idle channels of a chip over zeroed memory; channel i has id 10 + i. */
static void start(gpucmd_nv_chip chip, uint32_t count)
{
    memset(ram, 0, sizeof ram);
    memset(&got, 0, sizeof got);
    memset(syncpoints, 0, sizeof syncpoints);
    region.va = BASE;
    region.bytes = sizeof ram;
    region.host = ram;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.trace = on_trace;
    env.trace_user = &got;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(gpucmd_nv_channel_init(&channels[i], chip, &card) == GPUCMD_OK);
        channels[i].id = 10 + i;
        channels[i].pbdma.gp_base = BASE + i * CHANNEL_BYTES;
        channels[i].pbdma.limit2 = 3;
        channels[i].pusher.dma_get = BASE + i * CHANNEL_BYTES;
        channels[i].pusher.dma_put = channels[i].pusher.dma_get;
    }
    memset(&report, 0, sizeof report);
    memset(rows, 0xee, sizeof rows);
    report.rows = rows;
    report.cap = MOST;
    report.scratch = &scratch;
    report.look_ahead = 1000;
}

/* Give channel i words: GF100 and later as a new segment, before GF100 as the next words. */
static void give(uint32_t i, const uint32_t *words, uint32_t n)
{
    gpucmd_nv_channel *ch = &channels[i];
    const uint32_t at = 0x100 + 0x100 * ch->pbdma.gp_put;
    const uint64_t va =
        GPUCMD_NV_IS_GF100(ch->chip) ? BASE + i * CHANNEL_BYTES + at : ch->pusher.dma_put;
    gpucmd_store_words(ram + (va - BASE), words, n,
                       ch->pusher.big_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN);
    if (GPUCMD_NV_IS_GF100(ch->chip)) {
        poke(BASE + i * CHANNEL_BYTES + 8 * ch->pbdma.gp_put, (uint32_t)va);
        poke(BASE + i * CHANNEL_BYTES + 8 * ch->pbdma.gp_put + 4, n << 10);
        ch->pbdma.gp_put = (ch->pbdma.gp_put + 1) % 8;
    } else {
        ch->pusher.dma_put = va + 4 * n;
    }
}

#define GIVE(i, ...)                                                                               \
    give(i, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* SEM_EXECUTE with a payload of 64 bits. */
#define EXECUTE(va, lo, hi, op) 0x20050017, (uint32_t)(va), 0, lo, hi, op

static gpucmd_run run(uint32_t count)
{
    card.quantum = 100;
    return gpucmd_nv_run_all(channels, count, &env, 100000, &report);
}

/* Expect row i: released by channel `who`, for certain or not, in a cycle or not. */
static void row_is(unsigned i, uint32_t who, bool satisfies, bool in_cycle, bool dead_end, int line)
{
    test_equal(rows[i].releaser, who, __FILE__, line, "releaser");
    test_equal(rows[i].satisfies, satisfies, __FILE__, line, "satisfies");
    test_equal(rows[i].in_cycle, in_cycle, __FILE__, line, "in_cycle");
    test_equal(rows[i].dead_end, dead_end, __FILE__, line, "dead_end");
    if (who != GPUCMD_NV_NO_CHANNEL) {
        test_equal(rows[i].releaser_id, 10 + who, __FILE__, line, "releaser_id");
    }
}

#define NOBODY GPUCMD_NV_NO_CHANNEL
#define ROW(i, who, satisfies, in_cycle, dead_end)                                                 \
    row_is(i, who, satisfies, in_cycle, dead_end, __LINE__)

/* ---- releases that cover a part of what is waited for ---- */

/* Channel 0 waits for 64 bits at SEM, which hold memory; channel 1 waits for channel 0 and then
 * would do the words. Is that the end of channel 0's wait, and what do they leave when they run? */
typedef struct part_row {
    const char *what;
    uint32_t off; /* from SEM to what channel 0 waits for */
    uint64_t memory, payload;
    uint32_t op;
    uint32_t words[24];
    unsigned count;
    bool found, satisfies;
    bool ends; /* in fact, although it cannot be known before */
} part_row;

static const part_row parts[] = {
    {"low half, high half stays and counts",
     0,  0x0000000100000000,
     0x0000000100000005, 0x01000000,
     {EXECUTE(SEM, 5, 0, 1)},
     6,  true,
     true,  true },
    {"low half, high half stays and is wrong",
     0,  0x0000000100000000,
     0x0000000000000005, 0x01000000,
     {EXECUTE(SEM, 5, 0, 1)},
     6,  true,
     false, false},
    {"high half",
     0,  0x0000000000000005,
     0x0000000700000005, 0x01000000,
     {EXECUTE(SEM + 4, 7, 0, 1)},
     6,  true,
     true,  true },
    {"high half, wrong",
     0,  0x0000000000000004,
     0x0000000700000005, 0x01000000,
     {EXECUTE(SEM + 4, 7, 0, 1)},
     6,  true,
     false, false},
    {"both halves, one after the other",
     0,  0,
     0x0000000700000005, 0x01000000,
     {EXECUTE(SEM, 5, 0, 1), EXECUTE(SEM + 4, 7, 0, 1)},
     12, true,
     true,  true },
    {"64 bits at once",
     0,  0,
     0x0000000700000005, 0x01000000,
     {EXECUTE(SEM, 5, 7, 0x01000001)},
     6,  true,
     true,  true },
    {"16 bytes: payload and zero",
     0,  0x0000000900000000,
     0x0000000000000005, 0x01000000,
     {EXECUTE(SEM, 5, 9, 0x02000001)},
     6,  true,
     true,  true },
    {"16 bytes: the time, which nobody knows",
     8,  0,
     0x0000000000000001, 0x01000000,
     {EXECUTE(SEM, 1, 0, 0x02000001)},
     6,  true,
     false, false},
    {"just before",
     0,  0,
     0x0000000000000005, 0x01000000,
     {EXECUTE(SEM - 4, 5, 0, 1)},
     6,  false,
     false, false},
    {"just behind",
     0,  0,
     0x0000000000000005, 0x01000000,
     {EXECUTE(SEM + 8, 5, 0, 1)},
     6,  false,
     false, false},
    {"32 bits: the word behind is another's",
     0,  0,
     0x0000000000000005, 0x00000000,
     {EXECUTE(SEM + 4, 5, 0, 1)},
     6,  false,
     false, false},
    {"32 bits, high half of 64 is no matter",
     0,  0x0000000900000000,
     0x0000000000000005, 0x00000000,
     {EXECUTE(SEM, 5, 9, 0x01000001)},
     6,  true,
     true,  true },
    {"16 bytes: the time's upper half",
     12, 0x0000000000000005,
     0x0000000000000000, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0x02000001)},
     6,  true,
     false, true },
    {"a copy of the high half, unknown, then the low half",
     0,  0x0000000000000004,
     0x0000000000000005, 0x01000000,
     {0x20048100, 0, SEM + 0x200, 0, SEM + 4, 0x20018106, 4, 0x200180c0, 0x182,
      EXECUTE(SEM, 5, 0, 1)},
     15, true,
     false, true },
    {"a copy of the high half, then both halves",
     0,  0x0000000000000004,
     0x0000000000000005, 0x01000000,
     {0x20048100, 0, SEM + 0x200, 0, SEM + 4, 0x20018106, 4, 0x200180c0, 0x182,
      EXECUTE(SEM, 5, 0, 0x01000001)},
     15, true,
     true,  true },
    {"64-bit addition, high half",
     4,  0x0000000000000000,
     0x0000000000000001, 0x00000000,
     {EXECUTE(SEM, 0, 1, 0xa9000006)},
     6,  true,
     false, true },
    {"32-bit addition, the word behind",
     4,  0x0000000000000000,
     0x0000000000000001, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xa8000006)},
     6,  false,
     false, false},
    {"two additions",
     0,  0,
     0x0000000000000002, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xa8000006), 0x2001001b, 0xa8000006},
     8,  true,
     true,  true },
    {"one addition",
     0,  0,
     0x0000000000000002, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xa8000006)},
     6,  true,
     false, false},
    {"addition after a release",
     0,  0,
     0x0000000000000007, 0x00000000,
     {EXECUTE(SEM, 5, 0, 1), 0x20020019, 2, 0, 0x2001001b, 0xa8000006},
     11, true,
     true,  true },
    {"a copy of the word, unknown, then an addition",
     0,  0,
     0x0000000000000001, 0x00000000,
     {0x20048100, 0, SEM + 0x200, 0, SEM, 0x20018106, 4, 0x200180c0, 0x182,
      EXECUTE(SEM, 1, 0, 0xa8000006)},
     15, true,
     false, true },
    {"addition and the time",
     0,  0,
     0x0000000000000001, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xaa000006)},
     6,  true,
     true,  true },
    {"addition elsewhere, and the time",
     8,  0,
     0x0000000000000007, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xaa000006)},
     6,  true,
     false, true },
    {"addition of 64 bits to 32",
     0,  0,
     0x0000000000000001, 0x00000000,
     {EXECUTE(SEM, 1, 0, 0xa9000006)},
     6,  true,
     false, true },
    {"too small",
     0,  0,
     0x0000000000000005, 0x01000002,
     {EXECUTE(SEM, 4, 0, 0x01000001)},
     6,  true,
     false, false},
    {"large enough",
     0,  0,
     0x0000000000000005, 0x01000002,
     {EXECUTE(SEM, 0, 1, 0x01000001)},
     6,  true,
     true,  true },
    {"first too small, then large enough",
     0,  0,
     0x0000000000000005, 0x01000003,
     {EXECUTE(SEM, 4, 0, 0x01000001), EXECUTE(SEM, 6, 0, 0x01000001)},
     12, true,
     true,  true },
};

static void partial(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const part_row *row = &parts[i];
        const unsigned before = test.failed;
        for (int pass = 0; pass < 2; pass++) { /* 0: the report; 1: really done */
            start(GPUCMD_NV_CHIP_GA102, 2);
            poke(SEM + row->off, (uint32_t)row->memory);
            poke(SEM + row->off + 4, (uint32_t)(row->memory >> 32));
            card.clock_ns = 7;
            GIVE(0,
                 EXECUTE(SEM + row->off, (uint32_t)row->payload, (uint32_t)(row->payload >> 32),
                         row->op),
                 EXECUTE(SEM + 0x100, 1, 0, 1));
            GIVE(1, EXECUTE(SEM + 0x100, 1, 0, 0));
            give(1, row->words, row->count);
            poke(SEM + 0x100, (uint32_t)pass);
            EQUAL(run(2), pass == 1 && row->ends ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
            if (pass == 0) {
                EQUAL(report.count, 2);
                ROW(0, row->found ? 1 : NOBODY, row->satisfies, row->found, !row->found);
                ROW(1, 0, true, row->found, !row->found);
                EQUAL(rows[0].wait.is_64bit, row->op >> 24);
                EQUAL(rows[0].memory, row->op >> 24 != 0 ? row->memory : (uint32_t)row->memory);
            } else if (row->ends) {
                EQUAL(report.count, 0);
                CHECK(!report.deadlock);
            }
        }
        if (test.failed != before) {
            printf("    %s\n", row->what);
        }
    }
}

/* ---- other writers ---- */

/* Block sizes as DST_BLOCK_SIZE has them: height and depth, log2 of GOBs, in 7:4 and 11:8. */
static const struct {
    uint32_t size, depth, lines, bytes;
} blocks[] = {
    {0x000, 1, 8,  0x200 },
    {0x000, 1, 9,  0x400 },
    {0x000, 1, 17, 0x600 },
    {0x010, 1, 1,  0x400 },
    {0x010, 1, 16, 0x400 },
    {0x010, 1, 17, 0x800 },
    {0x100, 2, 1,  0x400 },
    {0x110, 2, 17, 0x1000},
};

/* The line of a copy that touches the semaphore is found however far down it is. */
static void copies(void)
{
    for (unsigned i = 0; i < 6; i++) {
        /* 5000 lines of 4 bytes, 4 bytes apart, to SEM - at: line at / 4 touches it */
        static const uint32_t before[] = {0, 0x3ffc, 0x4000, 0x4e1c, 0x4e20, 4};
        start(GPUCMD_NV_CHIP_GA102, 2);
        GIVE(0, EXECUTE(SEM + 0x4000, 5, 0, 0), EXECUTE(SEM + 0x7000, 1, 0, 1));
        GIVE(1, EXECUTE(SEM + 0x7000, 1, 0, 0), 0x20088100, 0, SEM, 0, SEM + 0x4000 - before[i], 4,
             4, 4, i == 5 ? 1 : 5000, 0x200180c0, 0x382);
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        if (i < 4) {
            ROW(0, 1, false, true, false);
        } else {
            ROW(0, NOBODY, false, false, true);
        }
        EQUAL(report.deadlock, true);
        EQUAL(card.effects, 0);
    }
    /* block-linear: one GOB wide (64 bytes, 8 lines), a whole number of blocks is touched */
    for (unsigned i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t before[] = {0, blocks[i].bytes - 4, blocks[i].bytes, 0xfffffffc};
            start(GPUCMD_NV_CHIP_GA102, 2);
            GIVE(0, EXECUTE(SEM + 0x1000 + before[k], 5, 0, 0), EXECUTE(SEM, 1, 0, 1));
            GIVE(1, EXECUTE(SEM, 1, 0, 0), 0x20048100, 0, SEM + 0x80, 0, SEM + 0x1000, 0x20048104,
                 64, 64, 4, blocks[i].lines, 0x200681c3, blocks[i].size, 64, 64, blocks[i].depth, 0,
                 0, 0x200180c0, 0x282);
            EQUAL(run(2), GPUCMD_RUN_BLOCKED);
            if (k < 2) {
                ROW(0, 1, false, true, false);
            } else {
                ROW(0, NOBODY, false, false, true);
            }
            EQUAL(card.effects, 0);
        }
    }
    /* from line 8 on: two blocks; lines of no bytes: none */
    for (unsigned k = 0; k < 3; k++) {
        start(GPUCMD_NV_CHIP_GA102, 2);
        GIVE(0, EXECUTE(SEM + 0x1000 + (k == 1 ? 0x400 : 0x3fc), 5, 0, 0), EXECUTE(SEM, 1, 0, 1));
        GIVE(1, EXECUTE(SEM, 1, 0, 0), 0x20048100, 0, SEM + 0x80, 0, SEM + 0x1000, 0x20048104, 64,
             64, k == 2 ? 0 : 4, 1, 0x200681c3, 0, 64, 64, 1, 0, 8 << 16, 0x200180c0, 0x282);
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        if (k == 0) {
            ROW(0, 1, false, true, false);
        } else {
            ROW(0, NOBODY, false, false, true);
        }
        EQUAL(card.effects, 0);
    }
    /* inline data are known: 16 bytes through the upload of KEPLER_INLINE_TO_MEMORY_B, the third
     * word is the semaphore's */
    for (uint32_t value = 5; value < 7; value++) {
        static uint32_t shadow[GPUCMD_NV_SHADOW_DW];
        static const uint32_t none[GPUCMD_NV_SHADOW_DW];
        start(GPUCMD_NV_CHIP_GA102, 2);
        channels[1].shadow = shadow;
        GIVE(0, EXECUTE(SEM + 0x88, 5, 0, 0), EXECUTE(SEM, 1, 0, 1));
        GIVE(1, EXECUTE(SEM, 1, 0, 0), 0x20014000, 0xa140, 0x20044060, 16, 1, 0, SEM + 0x80,
             0x2001406c, 0x11, 0x6004406d, 0, 0, value, 0);
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        ROW(0, 1, value == 5, true, false);
        EQUAL(peek(SEM + 0x88), 0);
        CHECK(memcmp(shadow, none, sizeof shadow) == 0); /* the search stores no methods */
    }
}

/* Each waits for a syncpoint that the other one would increment. */
static void tegra(gpucmd_nv_chip chip, uint32_t shift, bool interrupts)
{
    char buf[600];
    gpucmd_text t;
    start(chip, 3);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    syncpoints[2] = 0xffffffff;
    syncpoints[3] = 6;
    poke(BASE + 4, 0); /* 0x100004 is no syncpoint */
    GIVE(0, 0x2002001c, 1, 2u << shift | 0x10, 0x2001001d, 3u << shift | 1);
    GIVE(1, 0x2002001c, 8, 3u << shift, 0x2001001d, 2u << shift | 1, 0x2001001d, 2u << shift | 1);
    GIVE(2, 0x2002001c, 1, 1u << shift, 0x2001001d, 3u << shift | 1);
    EQUAL(run(3), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock);
    EQUAL(got.waits, 3);
    EQUAL(got.va, 1);
    EQUAL(got.value, 1);
    EQUAL(rows[0].wait.is_syncpoint, true);
    EQUAL(rows[0].wait.va, 2);
    EQUAL(rows[0].wait.ctxsw, true);
    EQUAL(rows[1].wait.ctxsw, false);
    EQUAL(rows[0].memory, 0xffffffff);
    CHECK(rows[0].readable);
    ROW(0, 1, true, true, false);  /* two increments, one after the other */
    ROW(1, 0, false, true, false); /* one increment, where two are needed */
    ROW(2, NOBODY, false, false, true);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    {
        static const char text[] =
            "channel 10 at 0x100108 waits for syncpoint 0x2 ACQ_CIRC_GEQ 0x1, which holds "
            "0xffffffff\n  channel 11 would release it, in a cycle\n"
            "channel 11 at 0x101108 waits for syncpoint 0x3 ACQ_CIRC_GEQ 0x8, which holds 0x6\n"
            "  channel 10 increments it, but may not end the wait, in a cycle\n"
            "channel 12 at 0x102108 waits for syncpoint 0x1 ACQ_CIRC_GEQ 0x1, which holds 0x0\n"
            "  no channel increments it\n";
        CHECK(strcmp(buf, text) == 0);
    }
    /* the CPU increments: 2 continues, then 1, then 0 */
    syncpoints[1] = 1;
    syncpoints[3] = 7;
    EQUAL(run(3), GPUCMD_RUN_IDLE);
    EQUAL(syncpoints[2], 1);
    EQUAL(syncpoints[3], 9);
    EQUAL(got.wakes, 3);
    /* memory at the address with a syncpoint's number is another thing; increments count as work */
    start(chip, 2);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    GIVE(0, 0x2002001c, 1, 2u << shift);
    GIVE(1, 0x2002001c, 1, 1u << shift, 0x20040004, 0, 0, 1, 0x01000002);
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    CHECK(rows[0].wait.is_syncpoint && rows[1].wait.is_syncpoint);
    start(chip, 1);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    GIVE(0, 0x2002001c, 0, 1u << shift, 0x2001001d, 1u << shift, 0x2001001d, 1u << shift | 1,
         0x20040004, 0, SEM, 1, 0x01000001);
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    EQUAL(card.effects, 1);
    EQUAL(rows[0].wait.is_syncpoint, false); /* a semaphore after a syncpoint */
    EQUAL(rows[0].wait.va, SEM);
    EQUAL(rows[0].readable, true);
    /* syncpoint 0 is one like the others */
    start(chip, 1);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    GIVE(0, 0x2002001c, 1, 0);
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    CHECK(strstr(buf, "waits for syncpoint 0x0 ACQ_CIRC_GEQ 0x1, which holds 0x0\n") != NULL);
    /* the table of syncpoints is removed while a channel waits */
    start(chip, 1);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    syncpoints[1] = 0;
    GIVE(0, 0x2002001c, 1, 1u << shift);
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    card.syncpoint_count = 1;
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 0, &report), GPUCMD_RUN_LIMIT);
    EQUAL(rows[0].readable, false);
    card.syncpoints = NULL;
    card.syncpoint_count = 4;
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 0, &report), GPUCMD_RUN_LIMIT);
    EQUAL(rows[0].readable, false);
    /* an unknown syncpoint also ends the search for releases */
    start(chip, 2);
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    GIVE(0, 0x2002001c, 1, 2u << shift);
    GIVE(1, 0x2002001c, 1, 1u << shift, 0x2001001d, 4u << shift | 1, 0x2001001d, 2u << shift | 1);
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    syncpoints[1] = 1;
    EQUAL(run(2), GPUCMD_RUN_FAULT);
    EQUAL(channels[1].pbdma.intr, interrupts ? 1u << 28 : 1u << 21);
    /* a semaphore wait at the address with the syncpoint's number is another thing */
    EQUAL(gpucmd_nv_wait_ends(&rows[0].wait, 1), true);
}

/* ---- several releasers, dead ends, errors, callbacks ---- */

/* Channel i waits for *(SEM + 16 * from) == value, then does what to says. */
#define WAIT_THEN(i, from, ...) GIVE(i, EXECUTE(SEM + 16 * (from), 1, 0, 0), __VA_ARGS__)
#define RELEASE(to, v)          EXECUTE(SEM + 16 * (to), v, 0, 1)

static void several(void)
{
    /* 1 and 2 would both release 0. 1 has no releaser; 2 waits for 0: that is the cycle. */
    start(GPUCMD_NV_CHIP_GA102, 3);
    WAIT_THEN(0, 0, RELEASE(2, 1));
    WAIT_THEN(1, 9, RELEASE(0, 1));
    WAIT_THEN(2, 2, RELEASE(0, 1));
    EQUAL(run(3), GPUCMD_RUN_BLOCKED);
    ROW(0, 2, true, true, false);
    ROW(1, NOBODY, false, false, true);
    ROW(2, 0, true, true, false);
    /* one step more: 1 waits for 3, which has no releaser */
    start(GPUCMD_NV_CHIP_GA102, 4);
    WAIT_THEN(0, 0, RELEASE(2, 1));
    WAIT_THEN(1, 1, RELEASE(0, 1));
    WAIT_THEN(2, 2, RELEASE(0, 1));
    WAIT_THEN(3, 9, RELEASE(1, 1));
    EQUAL(run(4), GPUCMD_RUN_BLOCKED);
    ROW(0, 2, true, true, false);
    ROW(1, 3, true, false, true);
    ROW(2, 0, true, true, false);
    ROW(3, NOBODY, false, false, true);
    /* all are dead ends: the first is the releaser, certain ones before others */
    start(GPUCMD_NV_CHIP_GA102, 4);
    WAIT_THEN(0, 0, RELEASE(2, 1));
    WAIT_THEN(1, 9, RELEASE(0, 7));
    WAIT_THEN(2, 9, RELEASE(0, 1));
    WAIT_THEN(3, 9, RELEASE(0, 1));
    EQUAL(run(4), GPUCMD_RUN_BLOCKED);
    ROW(0, 2, true, false, true);
    EQUAL(report.deadlock, true);
    /* 3 is first released by 0, then, because 0 is a dead end, by 1; 1 turns out to be one too, and
     * so the first is named */
    start(GPUCMD_NV_CHIP_GA102, 4);
    WAIT_THEN(0, 9, RELEASE(3, 1));
    WAIT_THEN(1, 1, RELEASE(3, 1));
    WAIT_THEN(2, 9, RELEASE(1, 1));
    WAIT_THEN(3, 3, RELEASE(7, 1));
    EQUAL(run(4), GPUCMD_RUN_BLOCKED);
    ROW(1, 2, true, false, true);
    ROW(3, 0, true, false, true);
    /* and if none is certain */
    start(GPUCMD_NV_CHIP_GA102, 4);
    WAIT_THEN(0, 9, RELEASE(3, 7));
    WAIT_THEN(1, 1, RELEASE(3, 7));
    WAIT_THEN(2, 9, RELEASE(1, 1));
    WAIT_THEN(3, 3, RELEASE(7, 1));
    EQUAL(run(4), GPUCMD_RUN_BLOCKED);
    ROW(3, 0, false, false, true);
    /* a chain into a cycle is no cycle: 3 waits for 0 */
    start(GPUCMD_NV_CHIP_GA102, 4);
    WAIT_THEN(0, 0, RELEASE(1, 1));
    WAIT_THEN(1, 1, RELEASE(2, 1));
    WAIT_THEN(2, 2, RELEASE(0, 1), RELEASE(3, 7));
    WAIT_THEN(3, 1, RELEASE(5, 1));
    EQUAL(run(4), GPUCMD_RUN_BLOCKED);
    ROW(0, 2, true, true, false);
    ROW(1, 0, true, true, false);
    ROW(2, 1, true, true, false);
    ROW(3, 0, true, false, false);
    /* too few rows: counted, and what is filled is right */
    start(GPUCMD_NV_CHIP_GA102, 3);
    WAIT_THEN(0, 0, RELEASE(1, 1));
    WAIT_THEN(1, 1, RELEASE(2, 1));
    WAIT_THEN(2, 2, RELEASE(0, 1));
    report.cap = 2;
    memset(&rows[2], 0, sizeof rows[2]);
    EQUAL(run(3), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 3);
    ROW(0, 2, true, false, false);
    ROW(1, 0, true, false, false);
    for (size_t i = 0; i < sizeof rows[2]; i++) { /* rows after the capacity are unchanged */
        CHECK(((const uint8_t *)&rows[2])[i] == 0);
    }
    {
        char buf[8] = "none";
        gpucmd_text t;
        gpucmd_text_init(&t, buf, sizeof buf);
        report.rows = NULL; /* counted all the same, and nothing to print */
        EQUAL(run(3), GPUCMD_RUN_BLOCKED);
        EQUAL(report.count, 3);
        print_report(&t, channels, &env, &report);
        EQUAL(t.need_bytes, 0);
        report.rows = rows;
    }
    /* a channel after the end of the array is no releaser */
    report.cap = MOST;
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    /* no scratch: no releasers, but what memory holds */
    report.cap = MOST;
    report.scratch = NULL;
    EQUAL(run(3), GPUCMD_RUN_BLOCKED);
    EQUAL(rows[2].releaser, NOBODY);
    CHECK(rows[2].readable && rows[2].memory == 0 && report.deadlock);
}

/* The words that would release are after other acquires, in a later entry, after the end of a
 * segment, after an error, too far ahead, or excluded by a subdevice mask. */
static void ahead(void)
{
    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    WAIT_THEN(1, 9, EXECUTE(SEM + 0x80, 3, 0, 0), 0x20000000);
    GIVE(1, 0, RELEASE(0, 1));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, 1, true, false, true);
    report.look_ahead = 13; /* words and entries up to the one before the release */
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    report.look_ahead = 16;
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, 1, true, false, true);

    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    WAIT_THEN(1, 9, 0xe0000000, RELEASE(0, 1)); /* END_PB_SEGMENT */
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);

    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    WAIT_THEN(1, 9, 0x20010001, 0, RELEASE(0, 1)); /* ILLEGAL */
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    EQUAL(channels[1].pbdma.intr, 0);

    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    WAIT_THEN(1, 9, 0x00010020, RELEASE(0, 1)); /* SET_SUBDEVICE_MASK 2, but this is 1 */
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    channels[1].pbdma.subdevice = 0x30000002;
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, 1, true, false, true);
    /* the mask decides also when it is executed */
    poke(SEM + 0x90, 1);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    GIVE(1, 0x00010020, RELEASE(0, 1));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    EQUAL(peek(SEM), 0);
}

/* A channel that stopped with an error would release another if the kernel cleared it. */
static void stopped(void)
{
    char buf[600];
    gpucmd_text t;
    start(GPUCMD_NV_CHIP_GA102, 2);
    WAIT_THEN(0, 0, 0);
    GIVE(1, 0x20010001, 0, RELEASE(0, 1));
    EQUAL(run(2), GPUCMD_RUN_FAULT);
    EQUAL(report.count, 1);
    CHECK(report.deadlock);
    /* entry and 6 words of one, the last of them in each of two rounds; 3 of the other: no more */
    EQUAL(got.fetches, 11);
    ROW(0, 1, true, false, false);
    EQUAL(rows[0].releaser_stopped, true);
    EQUAL(channels[1].pbdma.intr, 1u << 21); /* the search for releases cleared no bit */
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    {
        static const char text[] = "channel 10 at 0x100114 waits for 0x108000 ACQUIRE 0x1, memory "
                                   "holds 0x0\n  channel 11, stopped by an error, would release "
                                   "it\n";
        CHECK(strcmp(buf, text) == 0);
    }
    gpucmd_nv_channel_clear(&channels[1]);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    /* who is cleared waits no more, until it comes to its acquire again */
    start(GPUCMD_NV_CHIP_GA102, 1);
    poke(SEM, 3);
    GIVE(0, EXECUTE(SEM, 0, 0, 0));
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    CHECK(strcmp(buf, "channel 10 at 0x100114 waits for 0x108000 ACQUIRE 0x0, memory holds 0x3\n"
                      "  no channel writes there\n") == 0);
    gpucmd_nv_channel_clear(&channels[0]);
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 0, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.count, 0);
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 1);
    /* a write in front of an error wakes who came before it in the round, with any quantum: the
     * copy is done, then its semaphore has no memory */
    for (uint64_t quantum = 1; quantum < 30; quantum++) {
        start(GPUCMD_NV_CHIP_GA102, 2);
        poke(SEM + 0x40, 1);
        GIVE(0, EXECUTE(SEM, 1, 0, 0), RELEASE(1, 8));
        GIVE(1, 0x20048100, 0, SEM + 0x40, 0, SEM, 0x20018106, 4, 0x20038090, 1, 0, 0, 0x200180c0,
             0x18a);
        card.quantum = quantum;
        EQUAL(gpucmd_nv_run_all(channels, 2, &env, 100000, &report), GPUCMD_RUN_FAULT);
        EQUAL(peek(SEM), 1);
        EQUAL(peek(SEM + 16), 8);
        EQUAL(report.count, 0);
    }
    /* who was stopped while it waited is not blocked: its error comes first */
    start(GPUCMD_NV_CHIP_GA102, 1);
    GIVE(0, EXECUTE(SEM, 1, 0, 0));
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 1);
    channels[0].pbdma.intr = 1u << 21;
    EQUAL(run(1), GPUCMD_RUN_FAULT);
    EQUAL(report.count, 0);
    CHECK(!report.deadlock);
    channels[0].pbdma.intr = 0;
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 1);
}

/* A callback that is not ready is no deadlock. */
static void callbacks(void)
{
    char buf[600];
    gpucmd_text t;
    start(GPUCMD_NV_CHIP_GA102, 3);
    env.event = on_event;
    got.answer = GPUCMD_BLOCKED;
    WAIT_THEN(0, 0, 0);
    GIVE(1, 0x20010040, 1, RELEASE(0, 1)); /* engine method 0x100 goes to the callback */
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    EQUAL(report.deadlock, false);
    EQUAL(report.count, 2);
    ROW(0, 1, true, false, false);
    EQUAL(rows[0].callback, false);
    EQUAL(rows[0].releaser_stopped, false);
    EQUAL(rows[1].callback, true);
    EQUAL(rows[1].wait.active, false);
    ROW(1, NOBODY, false, false, false);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    {
        static const char text[] = "channel 11 at 0x101104 waits for a callback\n  it "
                                   "continues when the callback is ready\n";
        CHECK(strstr(buf, text) != NULL);
    }
    got.answer = GPUCMD_OK;
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    EQUAL(report.count, 0);
    EQUAL(channels[1].puller.callback, false);
}

/* Operation 0 of SEMAPHORE_TRIGGER hangs a channel of G84 for ever. */
static void hang(void)
{
    uint32_t faulted[4] = {0, 0, 0, 0};
    char buf[600];
    gpucmd_text t;
    start(GPUCMD_NV_CHIP_G84, 2);
    GIVE(0, 0x0004001c, 0);
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    CHECK(!rows[0].readable && report.deadlock);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    CHECK(strcmp(buf, "channel 10 at 0x100004 hangs: the chip has no such operation\n  no channel "
                      "writes there\n") == 0);
    /* not even what is written at address 0 */
    GIVE(1, 0x00100010, 0, SEM, 1, 1, 0x00100010, 0, 0, 1, 2);
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 2);
    ROW(0, NOBODY, false, false, true);
    /* CLEAR_FAULTED of GV100 waits for a fault, which is not written */
    start(GPUCMD_NV_CHIP_GV100, 2);
    card.faulted = faulted;
    card.faulted_count = 4;
    GIVE(0, 0x20010021, 3);
    GIVE(1, EXECUTE(SEM, 1, 0, 0));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, NOBODY, false, false, true);
    CHECK(!rows[0].readable && report.deadlock);
    CHECK(rows[0].wait.is_fault && !rows[1].wait.is_fault);
    EQUAL(rows[0].wait.va, 3);
    gpucmd_text_init(&t, buf, sizeof buf);
    print_report(&t, channels, &env, &report);
    CHECK(strcmp(buf, "channel 10 at 0x100104 waits for a fault of channel 3\n  no channel causes "
                      "it\nchannel 11 at 0x101114 waits for 0x108000 ACQUIRE 0x1, memory "
                      "holds 0x0\n  no channel writes there\n") == 0);
    /* a channel that waited for a fault waits for memory like others */
    faulted[3] = GPUCMD_NV_PBDMA_FAULTED;
    GIVE(0, EXECUTE(SEM, 1, 0, 0));
    EQUAL(run(1), GPUCMD_RUN_BLOCKED);
    CHECK(!rows[0].wait.is_fault);
    EQUAL(rows[0].wait.va, SEM);
    EQUAL(faulted[3], 0);
}

/* ---- NV1A until GF100 ---- */

/* Handle 0xcafe0000 + class: an object of that class; others: a DMA object at SEM. */
static gpucmd_status find_object(void *user, uint32_t channel, uint32_t handle,
                                 gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    if (handle >> 16 == 0xcafe) {
        object->class_id = handle & 0xffff;
        return GPUCMD_OK;
    }
    object->class_id = 2;
    object->va = SEM;
    object->bytes = 0x1000;
    return GPUCMD_OK;
}

/* Semaphores in a DMA object, a ring of three; before G80 each channel has its own byte order, and
 * what one with the other order writes is read the other way round. */
static void old_chips(gpucmd_nv_chip chip, unsigned big)
{
    start(chip, 3);
    card.object = find_object;
    for (uint32_t i = 0; i < 3; i++) {
        channels[i].pusher.big_endian = (big >> i & 1) != 0;
    }
    for (uint32_t i = 0; i < 3; i++) { /* object, offset, acquire; then offset, and release */
        GIVE(i, 0x000c0060, 0, 16 * i, 5, 0x00040064, 16 * ((i + 1) % 3), 0x0004006c, 5);
    }
    EQUAL(run(3), GPUCMD_RUN_BLOCKED);
    EQUAL(report.count, 3);
    CHECK(report.deadlock);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t from = (i + 2) % 3;
        const bool same = (big >> i & 1) == (big >> from & 1);
        ROW(i, from, same, true, false);
        EQUAL(rows[i].wait.va, SEM + 16 * i);
        EQUAL(rows[i].at_va, BASE + i * CHANNEL_BYTES + 12);
        EQUAL(rows[i].memory, 0);
    }
    gpucmd_store32(ram + (SEM - BASE), 5,
                   (big & 1) != 0 ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN);
    EQUAL(run(3), big == 0 || big == 7 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
}

/* A scaled image of 8 x 4 pixels of 4 bytes to a swizzled surface, which is taken as one piece. */
static void swizzled(void)
{
    static const uint32_t off[] = {0x200, 0x27c, 0x280, 0x1fc};
    for (unsigned i = 0; i < 4; i++) {
        start(GPUCMD_NV_CHIP_NV34, 2);
        card.object = find_object;
        GIVE(0, 0x000c0060, 0, off[i], 5, 0x00040064, 0x10, 0x0004006c, 5);
        GIVE(1, 0x000c0060, 0, 0x10, 5, 0x00048000, 0xcafe039e, 0x0004a000, 0xcafe0389, 0x00088300,
             0x0203000a, 0x200, 0x0004a198, 0xcafe039e, 0x0020a300, 3, 3, 0, 0x40008, 0, 0x40008,
             1 << 20, 1 << 20, 0x0010a400, 0x40008, 0x10040, 0x400, 0);
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        if (i < 2) {
            ROW(0, 1, false, true, false);
        } else {
            ROW(0, NOBODY, false, false, true);
        }
        EQUAL(card.effects, 0);
    }
}

/* Lines far apart: only those that touch the semaphore count, however many there are and however
 * far they reach. Line y lies where the semaphore is, off bytes before it. */
static const struct {
    uint32_t pitch, bytes, lines, y, off;
    bool found;
} spread[] = {
    {0x40,       4,    10000,      0,    0,    true },
    {0x40,       4,    10000,      0,    1,    true },
    {0x40,       4,    10000,      0,    3,    true },
    {0x40,       4,    10000,      0,    4,    false},
    {0x40,       4,    10000,      4095, 0,    true },
    {0x40,       4,    10000,      4095, 4,    false},
    {0x40,       4,    10000,      4096, 0,    true },
    {0x40,       4,    10000,      4096, 4,    false},
    {0x40,       4,    10000,      4097, 0,    true },
    {0x40,       4,    10000,      4500, 0,    true },
    {0x40,       4,    10000,      4500, 3,    true },
    {0x40,       4,    10000,      4500, 4,    false},
    {0x40,       4,    10000,      4500, 0x3c, false}, /* between two lines */
    {0x40,       4,    10000,      4500, 0x3d, true }, /* the next one */
    {0x40,       4,    10000,      9999, 3,    true }, /* the last one */
    {0x40,       4,    10000,      9999, 4,    false},
    {0x40,       4,    10000,      9999, 0x40, false},
    {0x40,       4,    9999,       9999, 0,    false}, /* after the last line */
    {0x40,       0x41, 9999,       9999, 0,    true }, /* but its lines overlap */
    {0x40,       0x20, 10000,      9999, 0x1f, true },
    {0x40,       0x20, 10000,      9999, 0x20, false},
    {3,          1,    10000,      9000, 0,    true }, /* every third byte: one is in it */
    {3,          1,    10000,      9000, 1,    true },
    {3,          1,    10000,      9999, 1,    false},
    {5,          1,    10000,      9000, 1,    false},
    {5,          1,    10000,      9000, 2,    true },
    {0,          4,    10000,      9000, 3,    true }, /* all lines at one address */
    {0,          4,    10000,      9000, 4,    false},
    {0xfffffffc, 4,    10000,      0,    0,    true }, /* a large pitch, not a negative one */
    {0xfffffffc, 4,    10000,      0,    4,    false},
    {0xfffffffc, 4,    0xffffffff, 0,    3,    true },
    {0x40,       4,    0xffffffff, 4500, 0,    true },
    {0x40,       4,    0xffffffff, 4500, 8,    false},
    {0x40,       0,    10000,      4500, 0,    false}, /* nothing is copied */
    {0x40,       4,    0,          0,    0,    false},
};

/* Channel 0 stays blocked, and channel 1 may or may not release it. */
static void expect_releaser(bool found)
{
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    if (found) {
        ROW(0, 1, false, true, false);
    } else {
        ROW(0, NOBODY, false, false, true);
    }
    EQUAL(card.effects, 0);
}

static void spread_out(void)
{
    for (unsigned i = 0; i < sizeof spread / sizeof spread[0]; i++) {
        const uint32_t to = SEM - spread[i].pitch * spread[i].y - spread[i].off;
        const unsigned before = test.failed;
        start(GPUCMD_NV_CHIP_GA102, 2);
        GIVE(0, EXECUTE(SEM, 5, 0, 0), EXECUTE(SEM + 0x7000, 1, 0, 1));
        GIVE(1, EXECUTE(SEM + 0x7000, 1, 0, 0), 0x20088100, 0, SEM, 0, to, 4, spread[i].pitch,
             spread[i].bytes, spread[i].lines, 0x200180c0, 0x382);
        expect_releaser(spread[i].found);
        if (test.failed != before) {
            printf("    row %u\n", i);
        }
    }
    /* every second byte of 64 bits is copied: a later release does not make the value known if it
     * leaves out one of these bytes */
    for (uint32_t k = 0; k < 2; k++) {
        start(GPUCMD_NV_CHIP_GA102, 2);
        GIVE(0, EXECUTE(SEM, 5, 0, 0x01000000), EXECUTE(SEM + 0x7000, 1, 0, 1));
        GIVE(1, EXECUTE(SEM + 0x7000, 1, 0, 0), 0x20088100, 0, SEM, 0, SEM, 4, 2, 1, 3 + k,
             0x200180c0, 0x382, EXECUTE(SEM + 4, 0, 0, 1), EXECUTE(SEM, 5, 0, 1));
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        ROW(0, 1, true, true, false);
        start(GPUCMD_NV_CHIP_GA102, 2);
        GIVE(0, EXECUTE(SEM, 5, 0, 0x01000000), EXECUTE(SEM + 0x7000, 1, 0, 1));
        GIVE(1, EXECUTE(SEM + 0x7000, 1, 0, 0), 0x20088100, 0, SEM, 0, SEM, 4, 2, 1, 2 + k,
             0x200180c0, 0x382, EXECUTE(SEM, 5, 0, 1));
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        ROW(0, 1, k == 0, true, false); /* lines at 0, 2, and with k = 1 at 4 */
    }
    /* and each of the bytes counts: the low half was 5, then came bytes 0, 2, 4, 6, then 0 on top */
    start(GPUCMD_NV_CHIP_GA102, 2);
    poke(SEM, 5);
    poke(SEM + 4, 1);
    GIVE(0, EXECUTE(SEM, 5, 0, 0x01000000), EXECUTE(SEM + 0x7000, 1, 0, 1));
    GIVE(1, EXECUTE(SEM + 0x7000, 1, 0, 0), 0x20088100, 0, SEM, 0, SEM, 4, 2, 1, 4, 0x200180c0,
         0x382, EXECUTE(SEM + 4, 0, 0, 1));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    ROW(0, 1, false, true, false);
}

/* M2MF of NV34 upwards, each line pitch bytes before the last; line y lies off bytes before what
 * is waited for. */
static void upwards_spread(void)
{
    static const struct {
        uint32_t pitch, lines, y, off;
        bool found;
    } up[] = {
        {0x40, 10000,      0,    0,    true },
        {0x40, 10000,      0,    4,    false},
        {0x40, 10000,      4095, 0,    true },
        {0x40, 10000,      4096, 3,    true },
        {0x40, 10000,      4096, 4,    false},
        {0x40, 10000,      4500, 0x3c, false},
        {0x40, 10000,      4500, 0x3d, true },
        {0x40, 10000,      9999, 0,    true },
        {0x40, 10000,      9999, 4,    false},
        {0x40, 9999,       9999, 0,    false},
        {0x40, 9999,       9999, 0x3d, true },
        {1,    0x90000000, 8,    0,    true }, /* the lines below 0 come to nothing */
    };
    for (unsigned i = 0; i < sizeof up / sizeof up[0]; i++) {
        const unsigned before = test.failed;
        start(GPUCMD_NV_CHIP_NV34, 2);
        card.object = find_object;
        GIVE(0, 0x000c0060, 0, 0x800, 5, 0x00040064, 0x10, 0x0004006c, 5);
        GIVE(1, 0x000c0060, 0, 0x10, 5, 0x00044000, 0xcafe0039, 0x0020430c, 0,
             0x800 - up[i].off + up[i].pitch * up[i].y, 0, 0 - up[i].pitch, 4, up[i].lines, 0x101,
             0);
        expect_releaser(up[i].found);
        if (test.failed != before) {
            printf("    row %u\n", i);
        }
    }
}

/* M2MF of NV34 upwards: 5000 lines of 4 bytes, each 4 bytes before the last, from 0x5000 on. */
static void upwards(void)
{
    static const uint32_t off[] = {0x1e4, 0x1e0, 0xffc};
    for (unsigned i = 0; i < 3; i++) {
        start(GPUCMD_NV_CHIP_NV34, 2);
        card.object = find_object;
        GIVE(0, 0x000c0060, 0, off[i], 5, 0x00040064, 0x10, 0x0004006c, 5);
        GIVE(1, 0x000c0060, 0, 0x10, 5, 0x00044000, 0xcafe0039, 0x0020430c, 0, 0x5000, 0,
             0xfffffffc, 4, 5000, 0x101, 0);
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        if (i != 1) {
            ROW(0, 1, false, true, false);
        } else {
            ROW(0, NOBODY, false, false, true);
        }
        EQUAL(card.effects, 0);
    }
}

/* ---- waking ---- */

static void waking(void)
{
    /* all who wait for one address go on, and those who wait for another value do not */
    start(GPUCMD_NV_CHIP_GA102, 6);
    for (uint32_t i = 0; i < 4; i++) {
        GIVE(i, EXECUTE(SEM, 4, 0, 3), EXECUTE(SEM + 0x100 + 16 * i, 1, 0, 1)); /* circular >= 4 */
    }
    GIVE(4, EXECUTE(SEM, 6, 0, 3));
    GIVE(5, EXECUTE(SEM, 5, 0, 1));
    EQUAL(run(6), GPUCMD_RUN_BLOCKED);
    for (uint32_t i = 0; i < 4; i++) {
        EQUAL(peek(SEM + 0x100 + 16 * i), 1);
    }
    EQUAL(report.count, 1);
    EQUAL(rows[0].channel, 4);
    EQUAL(rows[0].memory, 5);
    EQUAL(got.waits, 5);
    EQUAL(got.wakes, 4);
    poke(SEM, 6); /* the CPU, between runs */
    EQUAL(run(6), GPUCMD_RUN_IDLE);
    EQUAL(got.wakes, 5);
    /* an engine's write wakes: a fill, an upload and a copy engine's release */
    start(GPUCMD_NV_CHIP_GA102, 2);
    GIVE(0, EXECUTE(SEM, 0x01010101, 0, 0), RELEASE(1, 1));
    GIVE(1, 0x200381c0, 0, 0x01010101, 0x00030005, 0x20028102, 0, SEM, 0x20018106, 1, 0x200180c0,
         0x582);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    EQUAL(peek(SEM + 16), 1);
    start(GPUCMD_NV_CHIP_GA102, 2);
    GIVE(0, EXECUTE(SEM, 7, 0, 0), RELEASE(1, 1));
    GIVE(1, 0x20038090, 0, SEM, 7, 0x200180c0, 0x8);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    EQUAL(peek(SEM + 16), 1);
}

/* ---- when a wait ends ---- */

/* [C36F] SEM_EXECUTE_OPERATION; what memory holds, the payload, and whether that is enough. */
static void ends(void)
{
    static const struct {
        gpucmd_nv_sem_op op;
        bool is_64bit;
        uint64_t memory, payload;
        bool ends;
    } rules[] = {
        {GPUCMD_NV_SEM_OP_ACQUIRE,        false, 5,                  5,                  true },
        {GPUCMD_NV_SEM_OP_ACQUIRE,        false, 4,                  5,                  false},
        {GPUCMD_NV_SEM_OP_ACQUIRE,        false, 0x100000005,        0x200000005,        true },
        {GPUCMD_NV_SEM_OP_ACQUIRE,        true,  0x100000005,        0x200000005,        false},
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, false, 5,                  5,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, false, 4,                  5,                  false},
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, false, 0x80000000,         5,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, false, 5,                  0xfffffff0,         false},
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, true,  0x8000000000000000, 5,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, true,  0x8000000000000000, 0x8000000000000000, true },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   false, 5,                  0xfffffff0,         true },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   false, 5,                  5,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   false, 4,                  5,                  false},
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   false, 0x80000004,         5,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   false, 0x80000005,         5,                  false},
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   true,  5,                  0xfffffffffffffff0, true },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   true,  5,                  0xfffffff0,         false},
        {GPUCMD_NV_SEM_OP_ACQ_AND,        false, 6,                  2,                  true },
        {GPUCMD_NV_SEM_OP_ACQ_AND,        false, 5,                  2,                  false},
        {GPUCMD_NV_SEM_OP_ACQ_AND,        false, 0x100000000,        0x100000000,        false},
        {GPUCMD_NV_SEM_OP_ACQ_AND,        true,  0x100000000,        0x100000000,        true },
        {GPUCMD_NV_SEM_OP_ACQ_NOR,        false, 0xfffffff0,         0x0000000f,         false},
        {GPUCMD_NV_SEM_OP_ACQ_NOR,        false, 0xfffffff0,         0x00000007,         true },
        {GPUCMD_NV_SEM_OP_ACQ_NOR,        true,  0xfffffff0,         0x0000000f,         true },
        {GPUCMD_NV_SEM_OP_NONE,           false, 0,                  0,                  false},
        {GPUCMD_NV_SEM_OP_RELEASE,        false, 0,                  0,                  false},
        {GPUCMD_NV_SEM_OP_REDUCTION,      true,  0,                  0,                  false},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        gpucmd_nv_wait wait;
        memset(&wait, 0, sizeof wait);
        wait.op = rules[i].op;
        wait.is_64bit = rules[i].is_64bit;
        wait.payload = rules[i].payload;
        if (!EQUAL(gpucmd_nv_wait_ends(&wait, rules[i].memory), rules[i].ends)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

/* YIELD ends the turn, its operation 0 does not, and a wait after it is a wait. */
static void yields(void)
{
    start(GPUCMD_NV_CHIP_GA102, 1);
    GIVE(0, 0x20010020, 0, 0x20010014, 1); /* YIELD NOP */
    EQUAL(run(1), GPUCMD_RUN_IDLE);
    EQUAL(report.rounds, 2);
    start(GPUCMD_NV_CHIP_GA102, 1);
    GIVE(0, 0x20010020, 3, 0x20010020, 3, 0x20010014, 1); /* two, each for TSG */
    EQUAL(run(1), GPUCMD_RUN_IDLE);
    EQUAL(report.rounds, 4);
    EQUAL(channels[0].pbdma.ref, 1);
    for (uint64_t budget = 3; budget < 5; budget++) { /* it costs one word more */
        start(GPUCMD_NV_CHIP_GA102, 1);
        GIVE(0, 0x20010020, 3);
        EQUAL(gpucmd_nv_channel_run(&channels[0], &env, budget),
              budget == 3 ? GPUCMD_RUN_LIMIT : GPUCMD_RUN_IDLE);
        EQUAL(channels[0].puller.yield, budget == 3);
    }
    start(GPUCMD_NV_CHIP_GA102, 1); /* who is cleared while it yields yields again */
    GIVE(0, 0x20010020, 3);
    EQUAL(gpucmd_nv_channel_run(&channels[0], &env, 3), GPUCMD_RUN_LIMIT);
    gpucmd_nv_channel_clear(&channels[0]);
    EQUAL(gpucmd_nv_channel_run(&channels[0], &env, 1), GPUCMD_RUN_LIMIT);
    EQUAL(channels[0].puller.yield, true);
    start(GPUCMD_NV_CHIP_GA102, 2);
    GIVE(0, 0x20010020, 3, EXECUTE(SEM, 1, 0, 0));
    GIVE(1, EXECUTE(SEM + 16, 1, 0, 0), 0x20010020, 3, 0x20010020, 3, EXECUTE(SEM, 1, 0, 1));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    EQUAL(report.rounds, 3);
    CHECK(report.deadlock);
    ROW(0, 1, true, false, true); /* the search continues after YIELD */
}

/* ---- budgets ---- */

static void budgets(void)
{
    /* each turn is quantum words: with 2 channels of 2 words and quantum 1 the words alternate */
    static gpucmd_nv_channel nv;
    static const uint32_t nops[41] = {0x60280002};       /* NOP, with 40 words */
    static const uint32_t interrupts[41] = {0x60280008}; /* NON_STALL_INTERRUPT */
    uint32_t loop[] = {0x00040050, 9, 0x00100001};
    start(GPUCMD_NV_CHIP_GA102, 2);
    GIVE(0, 0x20010014, 1);
    GIVE(1, 0x20010014, 2);
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 5, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.rounds, 3);
    EQUAL(channels[0].pbdma.ref, 1);
    EQUAL(channels[1].pbdma.ref, 0);
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 5, &report), GPUCMD_RUN_IDLE);
    EQUAL(channels[1].pbdma.ref, 2);
    start(GPUCMD_NV_CHIP_GA102, 2);
    GIVE(0, 0x20010014, 1, 0x20010014, 3);
    GIVE(1, 0x20010014, 2);
    card.quantum = 3;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 6, &report), GPUCMD_RUN_LIMIT);
    EQUAL(channels[0].pbdma.ref, 1);
    EQUAL(channels[1].pbdma.ref, 2);
    card.quantum = 0;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 100, &report), GPUCMD_RUN_IDLE); /* 0 is 1 */
    EQUAL(channels[0].pbdma.ref, 3);
    EQUAL(report.rounds, 3);
    card.quantum = 1;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 0, &report), GPUCMD_RUN_LIMIT);
    CHECK(!report.deadlock && !report.livelock && report.rounds == 0);

    /* a loop without effect is a livelock, whatever the quantum is */
    for (uint64_t quantum = 1; quantum < 4000; quantum += 997) {
        start(GPUCMD_NV_CHIP_NV1A, 1);
        CHECK(gpucmd_nv_channel_init(&nv, GPUCMD_NV_CHIP_NV1A, &card) == GPUCMD_OK);
        nv.id = 1;
        gpucmd_store_words(ram, loop, 3, GPUCMD_LITTLE_ENDIAN);
        nv.pusher.dma_get = BASE;
        nv.pusher.dma_put = BASE + 0x40;
        card.quantum = quantum;
        EQUAL(gpucmd_nv_run_all(&nv, 1, &env, 1000, &report), GPUCMD_RUN_LIMIT);
        CHECK(report.livelock && !report.deadlock);
    }
    /* who waits meanwhile is named, with the one that would release it if it ever came so far */
    start(GPUCMD_NV_CHIP_NV1A, 2);
    card.object = find_object;
    gpucmd_store_words(ram, loop, 3, GPUCMD_LITTLE_ENDIAN);
    channels[0].pusher.dma_put = BASE + 0x40;
    GIVE(1, 0x000c0060, 0, 0x10, 5);
    card.quantum = 10;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 1000, &report), GPUCMD_RUN_LIMIT);
    CHECK(report.livelock && report.count == 1 && !report.deadlock);
    ROW(0, NOBODY, false, false, true);
    EQUAL(rows[0].channel, 1);
    EQUAL(rows[0].wait.va, SEM + 0x10);
    /* work in the first half alone does not count */
    start(GPUCMD_NV_CHIP_G84, 1);
    GIVE(0, 0x00100010, 0, SEM, 1, 2, 0x00040050, 9, 0x00100015);
    channels[0].pusher.dma_put = BASE + 0x40;
    card.quantum = 1000;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 1000, &report), GPUCMD_RUN_LIMIT);
    CHECK(report.livelock);
    EQUAL(peek(SEM), 1);
    /* not moving in the second half is not a livelock but what it is */
    start(GPUCMD_NV_CHIP_GA102, 1);
    give(0, nops, 41);
    GIVE(0, EXECUTE(SEM, 1, 0, 0));
    card.quantum = 7;
    EQUAL(gpucmd_nv_run_all(channels, 1, &env, 60, &report), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock && !report.livelock);
    /* who has no turn left in the last round still waits for the callback */
    start(GPUCMD_NV_CHIP_GA102, 2);
    env.event = on_event;
    got.answer = GPUCMD_BLOCKED;
    give(0, nops, 41);
    GIVE(1, 0x20010040, 1);
    card.quantum = 10;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 25, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.count, 1);
    EQUAL(rows[0].channel, 1);
    EQUAL(rows[0].callback, true);
    /* releasers are not searched while others continue */
    start(GPUCMD_NV_CHIP_GA102, 2);
    give(0, interrupts, 41);
    GIVE(0, EXECUTE(SEM, 1, 0, 1));
    GIVE(1, EXECUTE(SEM, 1, 0, 0));
    card.quantum = 10;
    EQUAL(gpucmd_nv_run_all(channels, 2, &env, 40, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.count, 1);
    CHECK(!report.deadlock && !report.livelock);
    ROW(0, NOBODY, false, false, false);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
}

static gpucmd_status on_interrupt(void *user, const gpucmd_event *event)
{
    *(unsigned *)user += event->kind == GPUCMD_EVENT_INTERRUPT;
    return GPUCMD_OK;
}

/* The words of channel 1 that release channel 0 are only looked at: their interrupt, at the methods
 * NON_STALL_INTERRUPT and LAUNCH_DMA, comes when they are executed. */
static void quiet(void)
{
    unsigned interrupts = 0;
    start(GPUCMD_NV_CHIP_GA102, 2);
    env.event = on_interrupt;
    env.user = &interrupts;
    GIVE(0, EXECUTE(SEM, 5, 0, 0));
    GIVE(1, EXECUTE(SEM + 0x100, 7, 0, 0), 0x20010008, 0, 0x20038090, 0, SEM + 0x200, 5, 0x200180c0,
         0x2c, EXECUTE(SEM, 5, 0, 1));
    EQUAL(run(2), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock);
    ROW(0, 1, true, false, true);
    ROW(1, NOBODY, false, false, true);
    EQUAL(interrupts, 0);
    EQUAL(peek(SEM + 0x200), 0);
    poke(SEM + 0x100, 7);
    EQUAL(run(2), GPUCMD_RUN_IDLE);
    EQUAL(interrupts, 2);
    EQUAL(peek(SEM + 0x200), 5);
}

/* Handles: 0xcafe0000 + class is an object, 0xdead0000 is a software object, others are DMA objects of
 * 16 bytes at SEM + 0x400. */
static gpucmd_status find_short(void *user, uint32_t channel, uint32_t handle,
                                gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->software = handle >> 16 == 0xdead;
    if (handle >> 16 != 0xdead && handle >> 16 != 0xcafe) {
        object->va = SEM + 0x400;
        object->bytes = 16;
    }
    return GPUCMD_OK;
}

static void on_counter(void *user, uint32_t channel, uint32_t get, uint32_t words[2])
{
    (void)channel;
    (void)get;
    (void)words;
    ++*(unsigned *)user;
}

/* Words of channel 1, between its wait for SEM + 0x100 and the release for channel 0, are only looked
 * at: nothing that they would do is done, and nothing that would stop them stops the search. */
static const uint32_t checks_crc[] = {0x20010000, 0x9097, 0x20010040, 5, 0x2001001f, 1};
static const uint32_t increments[] = {0x2001001d, 1}; /* syncpoint 0 */
/* software objects that no callback executes: subchannel 5 of GK104, engine 0x1f of Fermi */
static const uint32_t soft_gk104[] = {0x2001a000, 0x1234, 0x2001a040, 5};
static const uint32_t soft_gf100[] = {0x20016000, 0x001f1234, 0x20016040, 5};
static const uint32_t soft_g84[] = {0x00046000, 0xdead1234, 0x00046100, 5};
static const uint32_t counts[] = {0x20010000, 0x9097, 0x200406c0, 0, SEM + 0x500, 5, 2};
/* a grid, whose QMD is all zero */
static const uint32_t launches[] = {
    0x20012000, 0xa0c0, 0x200120ad, (SEM + 0x600) >> 8, 0x200120af, 3,
};
/* an inline image of 16 pixels of 4 bytes, outside its DMA object */
static const uint32_t image[] = {
    0x00046000, 0xcafe502d, 0x00046184, 1, 0x00086200, 0xcf,       1,  0x00146214, 64, 16, 1,
    0,          0x10,       0x00086800, 0, 0xcf,       0x00286838, 16, 1,          0,  1,  0,
    1,          0,          0,          0, 0,          0x40106860, 1,  2,          3,  4,
};

static const struct {
    gpucmd_nv_chip chip;
    const uint32_t *words;
    uint32_t n;
} quiet_rows[] = {
    {GPUCMD_NV_CHIP_GF100, checks_crc, 6 },
    {GPUCMD_NV_CHIP_GK20A, increments, 2 },
    {GPUCMD_NV_CHIP_GK104, soft_gk104, 4 },
    {GPUCMD_NV_CHIP_GF100, soft_gf100, 4 },
    {GPUCMD_NV_CHIP_G84,   soft_g84,   4 },
    {GPUCMD_NV_CHIP_GF100, counts,     7 },
    {GPUCMD_NV_CHIP_GK104, launches,   6 },
    {GPUCMD_NV_CHIP_G84,   image,      32},
};

static void quiet_methods(void)
{
    for (size_t i = 0; i < sizeof quiet_rows / sizeof quiet_rows[0]; i++) {
        const gpucmd_nv_chip chip = quiet_rows[i].chip;
        const unsigned before = test.failed;
        unsigned counted = 0;
        start(chip, 2);
        card.object = find_short;
        card.counter = on_counter;
        card.counter_user = &counted;
        card.syncpoints = syncpoints;
        card.syncpoint_count = 4;
        channels[1].puller.keeps_crc = true;
        for (uint32_t k = 0; k < 2; k++) {
            channels[k].puller.dma_semaphore_bytes = (uint64_t)1 << 40;
        }
        if (GPUCMD_NV_IS_GF100(chip)) { /* SEMAPHOREA to D: acquire; then release */
            GIVE(0, 0x20040004, 0, SEM, 5, 1);
            GIVE(1, 0x20040004, 0, SEM + 0x100, 7, 1);
            give(1, quiet_rows[i].words, quiet_rows[i].n);
            GIVE(1, 0x20040004, 0, SEM, 5, 0x01000002);
        } else {
            GIVE(0, 0x00100010, 0, SEM, 5, 1);
            GIVE(1, 0x00100010, 0, SEM + 0x100, 7, 1);
            give(1, quiet_rows[i].words, quiet_rows[i].n);
            GIVE(1, 0x00100010, 0, SEM, 5, 2);
        }
        EQUAL(run(2), GPUCMD_RUN_BLOCKED);
        CHECK(report.deadlock);
        ROW(0, 1, true, false, true);
        ROW(1, NOBODY, false, false, true);
        EQUAL(card.effects, 0);
        EQUAL(counted, 0);
        EQUAL(syncpoints[0], 0);
        EQUAL(channels[1].unexecuted, 0);
        EQUAL(channels[1].puller.method_crc, 0);
        EQUAL(channels[1].puller.error, GPUCMD_NV_HOST_ERROR_NONE);
        EQUAL(channels[1].pbdma.intr, 0);
        EQUAL(peek(SEM), 0);
        EQUAL(peek(SEM + 0x500), 0);
        if (test.failed != before) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

int main(void)
{
    partial();
    copies();
    tegra(GPUCMD_NV_CHIP_GK20A, 8, false);
    tegra(GPUCMD_NV_CHIP_GP10B, 8, true);
    several();
    ahead();
    stopped();
    callbacks();
    hang();
    for (unsigned big = 0; big < 8; big++) {
        old_chips(GPUCMD_NV_CHIP_NV34, big);
    }
    old_chips(GPUCMD_NV_CHIP_G80, 0);
    swizzled();
    spread_out();
    upwards_spread();
    upwards();
    waking();
    ends();
    yields();
    budgets();
    quiet();
    quiet_methods();
    return test_report("nv_channel_report");
}

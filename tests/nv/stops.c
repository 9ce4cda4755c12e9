/* nv/stops.c - what a channel cannot execute: targets outside a DMA object, reports that are not
 * there, copies that are only passed on; a segment that PB_CRC cannot read; the callback of time. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0x2000)
#define DST        (BASE + 0xa000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

/* Semaphores with a time get that of the callback; clock_ns is not used and does not advance. */
static uint64_t at_time(void *user)
{
    return *(const uint64_t *)user;
}

static void times(void)
{
    uint64_t now = 0xfedcba9876543210ull;
    start(CHIP(TU102));
    card.clock_step_ns = 10;
    GO(IDLE, 0x20050017, SEM, 0, 0x2c, 0, 0x02000001);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    EQUAL(card.clock_ns, 0x123456789ac6ull);
    card.time_ns = at_time;
    card.time_user = &now;
    GO(IDLE, 0x20050017, SEM, 0, 0x2d, 0, 0x02000001);
    EQUAL(peek64(SEM), 0x2d);
    EQUAL(peek64(SEM + 8), now);
    EQUAL(card.clock_ns, 0x123456789ac6ull);
    start(CHIP(GF100)); /* SEMAPHORED, RELEASE of 16 bytes */
    card.time_ns = at_time;
    card.time_user = &now;
    GO(IDLE, 0x20040004, 0, SEM, 5, 0x00000002);
    EQUAL(peek64(SEM + 8), now);
}

/* Semaphores in DMA objects of 0 to 40 bytes: all bytes of the semaphore must be in the object. The
 * release of G84 has 16 bytes, all others have 4. [ENVY] */
static void short_objects(void)
{
    for (uint32_t bytes = 0; bytes <= 40; bytes++) {
        for (uint32_t off = 0; off <= 32; off += 4) {
            for (uint32_t kind = 0; kind < 4; kind++) { /* G84 and G80, acquire and release */
                const bool g84 = kind < 2;
                const uint32_t len = kind == 1 ? 16 : 4;
                const bool good = off + len <= bytes;
                start(g84 ? CHIP(G84) : CHIP(G80));
                ch.puller.dma_semaphore_va = SEM;
                ch.puller.dma_semaphore_bytes = bytes;
                if (kind % 2 == 0) {
                    poke(SEM + off, 5);
                }
                if (!EQUAL(g84 ? RUN(0x00100010, 0, off, 5, 1 + kind % 2)
                               : RUN(0x00040064, off, 0x00040068 + 4 * (kind % 2), 5),
                           good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT) ||
                    !EQUAL(peek(SEM + off), good || kind % 2 == 0 ? 5 : 0)) {
                    printf("    kind %u, %u bytes, offset %u\n", (unsigned)kind, (unsigned)bytes,
                           (unsigned)off);
                }
            }
        }
    }
}

/* The user mode page without a card: the time is 0. */
static void no_card(void)
{
    static const gpucmd_nv_chip chips[] = {CHIP(GV100), CHIP(TU102), CHIP(GA102)};
    for (size_t i = 0; i < 3; i++) {
        gpucmd_nv_mmio user;
        memset(&user, 0, sizeof user);
        user.chip = chips[i];
        EQUAL(gpucmd_nv_usermode_read32(&user, 0x80), 0);
        EQUAL(gpucmd_nv_usermode_read32(&user, 0x84), 0);
    }
}

/* Conditions of clears read a report of the object DMA_QUERY: 16 bytes, to compare 32. [ENVY] */
static void queries(void)
{
    static const struct {
        uint32_t mode, off;
        bool fault, draws;
    } rows[] = {
        {0, 0xffc, false, false},
        {1, 0xffc, false, true },
        {2, 0xff0, false, false},
        {2, 0xff4, true,  false},
        {3, 0xfe0, false, true },
        {3, 0xfe4, true,  false},
        {4, 0xfe0, false, false},
        {4, 0xfe4, true,  false},
        {5, 0xffc, false, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(CHIP(G80));
        GO(IDLE, 0x00046000, 0xcafe5097, 0x00106200, 0, DST, 0xe4, 0, 0x00046d80, 7, 0x00086ff4,
           1 << 16, 1 << 16, 0x00087240, 0x80000080, 1);
        if (!EQUAL(RUN(0x00046188, 0xbeef0002, 0x000c7550, 0, rows[i].off, rows[i].mode, 0x000479d0,
                       0x3c),
                   rows[i].fault ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE) ||
            !EQUAL(peek(DST), rows[i].draws ? 7 : 0)) {
            printf("    row %u\n", (unsigned)i);
        }
        if (rows[i].fault) {
            EQUAL(ch.puller.fault, GPUCMD_FAULT);
            EQUAL(mem.fault_va, SEM + rows[i].off);
        }
    }
    /* NV40: the report is at bits 23:0 of COND */
    for (uint32_t off = 0xff0; off < 0xff8; off += 4) {
        start(CHIP(NV40));
        poke(SEM + 0xff8, 1);
        EQUAL(RUN(0x0004e000, 0xcafe4097, 0x0004e1a8, 0xbeef0002, 0x0014e200, 1 << 16, 1 << 16,
                  0x148, 0x40, DST, 0x0008e8c0, 1 << 16, 1 << 16, 0x0004fd90, 7, 0x0004fe98,
                  0x02000000 | off, 0x0004fd94, 0xf0),
              off == 0xff0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(peek(DST), off == 0xff0 ? 7 : 0);
    }
}

/* A copy or an image of 2 lines of 16 bytes into an object of 0x1000 bytes: it stops at the byte
 * after the object, and what is before it is written. */
static void outside(void)
{
    for (uint32_t i = 0; i < 32; i++) {
        ram[SRC - BASE + i] = 0x55;
    }
    for (uint32_t off = 0xfd0; off < 0x1000; off += 8) {
        const bool good = off + 32 <= 0x1000;
        start(CHIP(NV11));
        memset(ram + (SRC - BASE), 0x55, 64);
        EQUAL(RUN(0x00044000, 0xcafe0039, 0x00084184, 0xfeed0000, 0xbeef003d, 0x0020430c, SRC, off,
                  16, 16, 16, 2, 0x101, 0),
              good ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        if (!good) {
            EQUAL(mem.fault_va, SEM + 0x1000);
        }
        EQUAL(peek(SEM + 0x1000), 0);
        EQUAL(peek(SEM + off + 4), 0x55555555);
    }
}

/* Blits outside the clip rectangle, left, right, above and below, and with an empty one. */
static void clipped(void)
{
    static const uint32_t clips[][4] = {
        {0,  0,  1,  16},
        {9,  0,  7,  16},
        {0,  0,  16, 1 },
        {0,  5,  16, 9 },
        {2,  2,  0,  2 },
        {2,  2,  2,  0 },
        {15, 15, 1,  1 },
    };
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
        uint32_t changed = 0;
        start(CHIP(GF100));
        memset(ram + (SRC - BASE), 0x55, 0x400);
        GO(IDLE, 0x20016000, 0x902d, 0x200560a0, clips[i][0], clips[i][1], clips[i][2], clips[i][3],
           1, 0x20026080, 0xf3, 1, 0x20056085, 64, 16, 16, 0, DST, 0x2002608c, 0xf3, 1, 0x20056091,
           64, 16, 16, 0, SRC, 0x200c622c, 1, 1, 8, 4, 0, 1, 0, 1, 0, 4, 0, 2);
        for (uint32_t at = 0; at < 0x400; at++) {
            changed += ram[DST - BASE + at] != 0;
        }
        EQUAL(changed, 0);
        EQUAL(got.count, 0);
    }
}

/* Copies of GH100 that encrypt or scrub are passed to the callback, others are executed. */
static void passed_copies(void)
{
    static const struct {
        uint32_t launch;
        bool passed;
    } rows[] = {
        {0x00000182, false},
        {0x00100182, true }, /* COPY_TYPE SECURE */
        {0x00200182, false}, /* NONPROT2NONPROT */
        {0x00800182, true }, /* MEMORY_SCRUB_ENABLE */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(CHIP(GH100));
        memset(ram + (SRC - BASE), 0x55, 8);
        GO(IDLE, 0x20018000, 0xc8b5, 0x20048100, 0, SRC, 0, DST, 0x20018106, 8, 0x200180c0,
           rows[i].launch);
        if (!EQUAL(got.count, rows[i].passed) ||
            !EQUAL(peek(DST), rows[i].passed ? 0 : 0x55555555)) {
            printf("    row %u\n", (unsigned)i);
        }
        EQUAL(got.last.addr, rows[i].passed ? 0x300 : 0);
    }
}

/* A segment of which memory lacks all, or the end, when PB_CRC comes: its CRC is 0. */
static void lost_segment(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t operand = i % 2;
        static gpucmd_region parts[2];
        start(CHIP(GF100));
        parts[0] = parts[1] = region;
        parts[0].bytes = RING - BASE;
        parts[1].va = RING;
        parts[1].host = ram + (RING - BASE);
        parts[1].bytes = 0x1000;
        EQUAL(gpucmd_mem_init(&mem, parts, 2), GPUCMD_OK);
        GO(IDLE, 0, 0x80000040, 0);
        CHECK(ch.pbdma.segment_end_va - ch.pbdma.segment_va == 12);
        if (i < 2) {
            parts[0].access_mask = 0;
        } else {
            parts[0].bytes = ch.pbdma.segment_va + 8 - BASE;
        }
        poke(RING + 8, operand);
        poke(RING + 12, GPUCMD_NV_CONTROL_PB_CRC);
        gpucmd_nv_channel_write32(&ch, GPUCMD_NV_AREA_IB_PUT, 2);
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100),
              operand == 0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(ch.pbdma.intr, operand == 0 ? 0 : GPUCMD_NV_PBDMA_INTR_PBCRC);
    }
}

/* An acquire that waits costs nothing, also if it is in the header: the channel has not moved, and
 * nothing can release it. */
static void waiting_header(void)
{
    gpucmd_nv_report report;
    memset(&report, 0, sizeof report);
    start(CHIP(GF100));
    submit((const uint32_t[]){0x20030004, 0, SEM, 5, 0x80010007}, 5);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(&ch, 1, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock);
    EQUAL(report.rounds, 2);
    poke(SEM, 5);
    card.quantum = 100;
    EQUAL(gpucmd_nv_run_all(&ch, 1, &env, 1000, &report), GPUCMD_RUN_IDLE);
    CHECK(!report.deadlock);
}

/* Copies in one method run, and in a method run each. A launch costs one unit of budget for its word,
 * and one more for each 4096 of its work: its bytes, and 512 for each 4 KiB block. */
static void spent(void)
{
    for (uint32_t bytes = 0x200; bytes <= 0x2000; bytes += 0x200) {
        const uint32_t begin[] = {0x20048100, 0, SRC, 0, DST, 0x20028106, bytes, 1};
        const uint32_t cost = 40 * (1 + (bytes + (bytes > 0x1000 ? 1024 : 512)) / 4096);
        for (unsigned immd = 0; immd < 2; immd++) {
            uint32_t launches[41] = {0x602880c0}; /* NON_INC, 40 words for LAUNCH_DMA */
            for (unsigned i = 1; i < 41; i++) {
                launches[i] = 0x182;
                launches[i - immd] = immd != 0 ? 0x818280c0 : launches[i - immd];
            }
            start(CHIP(GK104));
            EQUAL(run_words(begin, 8), GPUCMD_RUN_IDLE);
            submit(launches, 41 - immd);
            EQUAL(gpucmd_nv_channel_run(&ch, &env, cost - 1), GPUCMD_RUN_LIMIT);
            EQUAL(gpucmd_nv_channel_run(&ch, &env, 1000), GPUCMD_RUN_IDLE);
        }
    }
}

int main(void)
{
    spent();
    times();
    short_objects();
    no_card();
    queries();
    outside();
    clipped();
    passed_copies();
    lost_segment();
    waiting_header();
    return test_report("nv_stops");
}

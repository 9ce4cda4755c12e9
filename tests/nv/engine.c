/* Engines that move memory, bound and driven through a channel: DMA copy, M2MF, inline uploads, the
 * fences, reports and clears of 3D classes; and the recipes that write their words. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

static void pattern(uint64_t va, uint32_t n, uint8_t first)
{
    for (uint32_t i = 0; i < n; i++) {
        ram[va - BASE + i] = (uint8_t)(first + i * 7);
    }
}

static bool same(uint64_t a, uint64_t b, uint32_t n)
{
    return memcmp(ram + (a - BASE), ram + (b - BASE), n) == 0;
}

static bool clear(uint64_t va, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (ram[va - BASE + i] != 0) {
            return false;
        }
    }
    return true;
}

/* Address of a byte in a tiled surface, from the formula in words: GOBs of 64 bytes by rows lines,
 * blocks of 2^h GOBs one above the other, blocks from left to right, then down. */
static uint32_t tiled(uint32_t x, uint32_t y, uint32_t width_gobs, uint32_t h, uint32_t rows)
{
    const uint32_t block_lines = rows << h;
    const uint32_t block = y / block_lines * width_gobs + x / 64;
    const uint32_t gob = y % block_lines / rows;
    return (block * (1u << h) + gob) * 64 * rows + y % rows * 64 + x % 64;
}

/* tinygrad's copy: subchannel 4 with C7B5. */
static void copy_linear(void)
{
    start(CHIP(GA102));
    pattern(SRC, 0x1001, 1);
    GO(IDLE, 0x20018000, 0xc7b5, 0x20048100, 0, SRC, 0, DST, 0x20018106, 0x1000, 0x200180c0, 0x182);
    CHECK(same(DST, SRC, 0x1000));
    EQUAL(ram[DST - BASE + 0x1000], 0);
    /* no transfer, four-word release; the driver's 0x14 */
    GO(IDLE, 0x20038090, 0, SEM, 7, 0x200180c0, 0x14);
    EQUAL(peek64(SEM), 7);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    poke(SEM + 4, 0x55);
    GO(IDLE, 0x20038090, 0, SEM, 8, 0x200180c0, 0x08); /* one word */
    EQUAL(peek64(SEM), 0x5500000008ull);
    EQUAL(got.count, 0);
    /* copy, then semaphore, then interrupt, in one launch */
    pattern(SRC, 16, 9);
    GO(IDLE, 0x20018106, 16, 0x20038090, 0, SEM, 9, 0x200180c0, 0x1ce);
    CHECK(same(DST, SRC, 16));
    EQUAL(peek(SEM), 9);
    EQUAL(got.interrupts, 1);
    EQUAL(got.last.code, GPUCMD_NV_INTERRUPT_COPY);
    EQUAL(got.last.value, 2);
    /* nothing bound: from GK104 on the class is there anyway */
    start(CHIP(GM107));
    pattern(SRC, 64, 1);
    GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 64, 0x200180c0, 0x186);
    CHECK(same(DST, SRC, 64));
}

static void copy_lines(void)
{
    start(CHIP(GK104));
    pattern(SRC, 0x100, 1);
    /* 3 lines of 10 bytes, pitch 32 to pitch 16; 0x386 */
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 32, 16, 10, 3, 0x200180c0, 0x386);
    for (uint32_t y = 0; y < 3; y++) {
        CHECK(same(DST + 16 * y, SRC + 32 * y, 10));
        CHECK(clear(DST + 16 * y + 10, 6));
    }
    CHECK(clear(DST + 48, 64));
    /* without MULTI_LINE pitches and count are not used */
    memset(ram + (DST - BASE), 0, 64);
    GO(IDLE, 0x200180c0, 0x186);
    CHECK(same(DST, SRC, 10));
    CHECK(clear(DST + 10, 54));
    /* LINE_COUNT 0: no lines */
    memset(ram + (DST - BASE), 0, 64);
    GO(IDLE, 0x20018107, 0, 0x200180c0, 0x386);
    CHECK(clear(DST, 64));
}

static void copy_remap(void)
{
    start(CHIP(TU102));
    pattern(SRC, 0x100, 1);
    /* memset u8, u32, u64 as UVM does; 0x582 */
    GO(IDLE, 0x200381c0, 0, 0xab, 0x00000005, 0x20028102, 0, DST, 0x20018106, 5, 0x200180c0, 0x582);
    EQUAL(peek64(DST), 0xababababab);
    GO(IDLE, 0x200381c0, 0, 0x11223344, 0x00030005, 0x20018106, 3, 0x200180c0, 0x582);
    EQUAL(peek64(DST), 0x1122334411223344ull);
    EQUAL(peek64(DST + 8), 0x11223344);
    GO(IDLE, 0x200381c0, 0x55667788, 0x11223344, 0x01030054, 0x20018106, 2, 0x200180c0, 0x582);
    EQUAL(peek64(DST), 0x1122334455667788ull);
    EQUAL(peek64(DST + 8), 0x1122334455667788ull);
    EQUAL(peek(DST + 16), 0);
    /* swap two bytes of each element of two: DST_X = SRC_Y, DST_Y = SRC_X */
    GO(IDLE, 0x200381c0, 0, 0, 0x01100001, 0x20028100, 0, SRC, 0x20018106, 4, 0x200180c0, 0x582);
    for (uint32_t i = 0; i < 4; i++) {
        EQUAL(ram[DST - BASE + 2 * i], ram[SRC - BASE + 2 * i + 1]);
        EQUAL(ram[DST - BASE + 2 * i + 1], ram[SRC - BASE + 2 * i]);
    }
    /* NO_WRITE keeps a byte: X = CONST_A, Y = NO_WRITE */
    poke(DST, 0x04030201);
    GO(IDLE, 0x200381c0, 0xff, 0, 0x01000064, 0x20018106, 2, 0x200180c0, 0x582);
    EQUAL(peek(DST), 0x04ff02ff);
    /* a component that the source lacks goes to the callback */
    GO(IDLE, 0x200381c0, 0, 0, 0x00000001, 0x200180c0, 0x582);
    EQUAL(got.last.addr, 0x300);
    EQUAL(got.data[0], 0x582);
}

static void copy_reduction(void)
{
    start(CHIP(TU102));
    poke(SEM, 3);
    GO(IDLE, 0x20038090, 0, SEM, 9, 0x200180c0, 0x000d8008); /* INC unsigned */
    EQUAL(peek(SEM), 4);
    GO(IDLE, 0x200180c0, 0x000d4008); /* IADD unsigned */
    EQUAL(peek(SEM), 13);
    GO(IDLE, 0x200180c0, 0x000e8008); /* FADD: not modelled */
    EQUAL(got.last.addr, 0x300);
    EQUAL(peek(SEM), 13);
    /* the copy also goes to the callback with FADD, a conditional interrupt, or a reduction of
     * four words */
    {
        static const uint32_t launch[] = {0x000e818a, 0x0000019a, 0x000d8192};
        for (unsigned i = 0; i < 3; i++) {
            poke(SRC, 0x12345678);
            poke(DST, 0);
            got.count = 0;
            GO(IDLE, 0x20048100, 0, SRC, 0, DST, 0x20018106, 4, 0x200180c0, launch[i]);
            EQUAL(got.count, 1);
            EQUAL(got.data[0], launch[i]);
            EQUAL(peek(DST), 0);
            EQUAL(peek(SEM), 13);
        }
    }
    GO(IDLE, 0x200180c0, 0x000e8182); /* without a semaphore the reduction is ignored */
    EQUAL(peek(DST), 0x12345678);
    env.event = NULL;
    GO(FAULT, 0x200180c0, 0x000e8008);
    EQUAL(ch.puller.fault, GPUCMD_UNSUPPORTED);
    start(CHIP(GA102));
    GO(IDLE, 0x20048090, 0, SEM, 9, 5, 0x200180c0, 0x08000008); /* two-word payload */
    EQUAL(peek64(SEM), 0x500000009ull);
    start(CHIP(GA102)); /* physical addresses */
    GO(IDLE, 0x200180c0, 0x2182);
    EQUAL(got.last.addr, 0x300);
}

/* An object that is gone; the callback writes before it fails. */
static gpucmd_status lost_object(void *user, uint32_t channel, uint32_t handle,
                                 gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    (void)handle;
    object->va = SEM;
    object->bytes = (uint64_t)1 << 40;
    return GPUCMD_FAULT;
}

/* 85B5 counts its addresses from DMA objects: SET_CTX_DMA names them, bits 31:28 of the upper
 * halves choose one. Objects of the test begin at SEM. */
static void copy_85b5(void)
{
    start(CHIP(GT215));
    pattern(SEM + 0x100, 64, 1);
    GO(IDLE, 0x00048000, 0xcafe85b5, 0x00088180, 0xbeef0003, 0xbeef0002, 0x00208400, 1u << 28,
       0x100, 0, 0x200, 16, 32, 10, 3, 0x000c8240, 1u << 28, 0x300, 5, 0x00048300, 0x38e);
    for (uint32_t y = 0; y < 3; y++) {
        CHECK(same(SEM + 0x200 + 32 * y, SEM + 0x100 + 16 * y, 10));
    }
    EQUAL(peek(SEM + 0x300), 5);
    EQUAL(got.count, 0);
    /* the objects are gone after they were named: they have no bytes */
    pattern(SRC, 64, 1);
    card.object = lost_object;
    GO(FAULT, 0x00108400, 1u << 28, SRC, 0, DST, 0x00048300, 0x38e);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    EQUAL(mem.fault_va, SRC);
    EQUAL(peek(DST), 0);
    /* tiled: GOBs of 4 lines; 40 bytes x 6 lines to (100, 3) of 200 bytes width, 2 GOBs high */
    start(CHIP(GT215));
    pattern(SRC, 0x400, 3);
    GO(IDLE, 0x00048000, 0xcafe85b5);
    card.object = NULL; /* objects begin at 0 */
    GO(IDLE, 0x00208400, 0, SRC, 0, DST, 64, 0, 40, 6, 0x0018870c, 0x10, 200, 64, 1, 0,
       100 | 3 << 16, 0x00048300, 0x286);
    EQUAL(ram[DST - BASE + tiled(100, 3, 4, 1, 4)], ram[SRC - BASE]);
    EQUAL(ram[DST - BASE + tiled(139, 8, 4, 1, 4)], ram[SRC - BASE + 64 * 5 + 39]);
    EQUAL(ram[DST - BASE + tiled(140, 8, 4, 1, 4)], 0);
    EQUAL(got.count, 0);
}

static void copy_faults(void)
{
    start(CHIP(GA102));
    pattern(SRC, 64, 1);
    GO(FAULT, 0x20048100, 0, SRC, 0, 0x10, 0x20018106, 64, 0x200180c0, 0x182, 0x20010014, 7);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x10);
    EQUAL(ch.pbdma.ref, 0);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(ch.pbdma.ref, 7);
    /* 2^32 - 1 lines: the budget ends the copy; a later copy starts from its first line */
    GO(LIMIT, 0x20088100, 0, SRC, 0, DST, 0, 0, 4, 0xffffffff, 0x200180c0, 0x386);
    CHECK(ch.engines[4].copying);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 10), GPUCMD_RUN_LIMIT);
    ch.puller.skip = true;
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    /* 10000 lines take several turns and all arrive */
    memset(ram + (DST - BASE), 0, 0x3000);
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 0, 1, 1, 0x2710, 0x200180c0, 0x386);
    EQUAL(ram[DST - BASE + 0x270f], ram[SRC - BASE]);
    EQUAL(ram[DST - BASE + 0x2710], 0);
}

static void copy_tiled(void)
{
    uint32_t bad = 0;
    start(CHIP(GK104));
    pattern(SRC, 0x1000, 3);
    /* linear to tiled: 40 bytes x 20 lines to (100, 5) of 200 bytes width, 2 GOBs high; 0x286 */
    GO(IDLE, 0x20088100, 0, SRC, 0, DST, 64, 0, 40, 20, 0x200681c3, 0x10, 200, 64, 1, 0,
       100 | 5 << 16, 0x200180c0, 0x286);
    for (uint32_t y = 0; y < 20; y++) {
        for (uint32_t x = 0; x < 40; x++) {
            bad += ram[DST - BASE + tiled(100 + x, 5 + y, 4, 1, 8)] != ram[SRC - BASE + 64 * y + x];
        }
    }
    EQUAL(bad, 0);
    /* back, with remap: 4 x 1 byte, 10 elements a line; 0x706 */
    memset(ram + (SRC - BASE), 0, 0x1000);
    GO(IDLE, 0x20088100, 0, DST, 0, SRC, 0, 64, 10, 20, 0x200181c2, 0x03303210, 0x200681ca, 0x10,
       50, 64, 1, 0, 25 | 5 << 16, 0x200180c0, 0x706);
    EQUAL(ram[SRC - BASE], 3);
    EQUAL(ram[SRC - BASE + 64 * 19 + 39], (uint8_t)(3 + (64 * 19 + 39) * 7));
    /* origins in separate methods go to the callback */
    GO(IDLE, 0x200181d1, 1, 0x200180c0, 0x706);
    EQUAL(got.last.addr, 0x300);
}

static void m2mf(void)
{
    /* 0039: 8 methods from 0x30c, offsets absolute where there is no lookup */
    start(CHIP(NV40));
    pattern(SRC, 0x100, 1);
    GO(IDLE, 0x00044000, 0xcafe0039, 0x0020430c, SRC, DST, 32, 16, 10, 3, 0x101, 0);
    for (uint32_t y = 0; y < 3; y++) {
        CHECK(same(DST + 16 * y, SRC + 32 * y, 10));
    }
    /* offsets in DMA objects; negative pitch; awaken */
    pattern(SEM + 0x100, 64, 50);
    GO(IDLE, 0x00084184, 0xbeef0002, 0xbeef0002, 0x0020430c, 0x110, 0x200, 0xfffffff0, 16, 16, 2,
       0x101, 1);
    CHECK(same(SEM + 0x200, SEM + 0x110, 16));
    CHECK(same(SEM + 0x210, SEM + 0x100, 16));
    EQUAL(got.interrupts, 1);
    GO(IDLE, 0x00084324, 0x202, 0); /* steps go to the callback */
    EQUAL(got.last.addr, 0x328);
    /* 5039 */
    start(CHIP(G80));
    pattern(SRC, 0x1000, 1);
    GO(IDLE, 0x0004a000, 0xcafe5039, 0x0004a200, 1, 0x0004a21c, 1, 0x0008a238, 0, 0, 0x0020a30c,
       SRC, DST, 0, 0, 64, 1, 0x101, 0);
    CHECK(same(DST, SRC, 64));
    /* to tiled: GOBs have 4 lines; width 128, height 2 GOBs, at (16, 3) */
    GO(IDLE, 0x001ca21c, 0, 0x10, 128, 16, 1, 0, 16 | 3 << 16, 0x0020a30c, SRC, DST, 64, 0, 70, 9,
       0x101, 0);
    EQUAL(ram[DST - BASE + tiled(16 + 69, 3 + 8, 2, 1, 4)], ram[SRC - BASE + 64 * 8 + 69]);
    EQUAL(ram[DST - BASE + tiled(16, 3, 2, 1, 4)], ram[SRC - BASE]);
    /* 9039: linear; then tiled to linear with its own origins; then inline */
    start(CHIP(GF100));
    pattern(SRC, 0x1000, 1);
    GO(IDLE, 0x20014000, 0x9039, 0x2002408e, 0, DST, 0x200640c3, 0, SRC, 64, 32, 20, 3, 0x200140c0,
       0x00100110);
    CHECK(same(DST + 64, SRC + 128, 20));
    GO(IDLE, 0x20024081, 0x10, 128, 0x200240d1, 16, 3, 0x200240c7, 70, 9, 0x200140c0, 0x00100100);
    EQUAL(ram[DST - BASE + 32 * 8 + 69], ram[SRC - BASE + tiled(16 + 69, 3 + 8, 2, 1, 8)]);
    GO(IDLE, 0x2002408e, 0, DST, 0x200240c7, 8, 1, 0x200140c0, 0x00100111, 0x600240c1, 0x11111111,
       0x22222222);
    EQUAL(peek64(DST), 0x2222222211111111ull);
    /* release of its semaphore: four words */
    GO(IDLE, 0x200340cb, 0, SEM, 6, 0x200240c7, 0, 0, 0x200140c0, 0x00002110);
    EQUAL(peek64(SEM), 6);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
}

static void inline_uploads(void)
{
    /* A040: length, count, address, then ONE_INC 0x1b0 with launch and data */
    start(CHIP(GK104));
    GO(IDLE, 0x20014000, 0xa040, 0x20044060, 6, 1, 0, DST, 0xa003406c, 0x1001, 0x44332211,
       0x88776655);
    EQUAL(peek64(DST), 0x665544332211ull);
    /* two lines of 6 bytes at pitch 16: each begins with a new word; the rest is dropped */
    GO(IDLE, 0x20054060, 6, 2, 0, DST + 0x40, 16, 0xa006406c, 0x1001, 0x44332211, 0x88776655,
       0xccbbaa99, 0x0000eedd, 0xffffffff);
    EQUAL(peek64(DST + 0x40), 0x665544332211ull);
    EQUAL(peek64(DST + 0x50), 0xeeddccbbaa99ull);
    CHECK(clear(DST + 0x60, 16));
    /* tiled, at (4, 9) */
    GO(IDLE, 0x20044060, 8, 1, 0, DST + 0x100, 0x20044065, 0x10, 128, 16, 1, 0x2002406a, 4, 9,
       0xa003406c, 0x1000, 0x44332211, 0x88776655);
    EQUAL(peek64(DST + 0x100 + tiled(4, 9, 2, 1, 8)), 0x8877665544332211ull);
    /* semaphore and interrupt at the end, not before */
    start(CHIP(GK110));
    GO(IDLE, 0x20014000, 0xa140, 0x20034077, 0, SEM, 5, 0x20044060, 8, 1, 0, DST, 0xa002406c,
       0x1121, 0x44332211);
    EQUAL(peek(SEM), 0);
    GO(IDLE, 0x6001406d, 0x88776655);
    EQUAL(peek(SEM), 5);
    EQUAL(got.interrupts, 1);
    EQUAL(peek64(DST), 0x8877665544332211ull);
    /* a compute class has the same unit */
    start(CHIP(TU102));
    GO(IDLE, 0x20012000, 0xc5c0, 0x20042060, 4, 1, 0, DST, 0xa002206c, 0x41, 0x44332211);
    EQUAL(peek(DST), 0x44332211);
    EQUAL(got.count, 0);
    GO(IDLE, 0x20012500, 7); /* its other methods go to the callback */
    EQUAL(got.last.addr, 0x1400);
    /* if the data cannot be stored, the word is executed again */
    GO(FAULT, 0x20042060, 4, 1, 0, 0, 0xa002206c, 0x41, 0x44332211);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    EQUAL(ch.pbdma.count, 1);
}

static void fences_3d(void)
{
    /* NV40: FENCE_OFFSET, FENCE_VALUE; QUERY_GET writes time, count, 0 */
    start(CHIP(NV40));
    GO(IDLE, 0x0004e000, 0xcafe4097, 0x0008e1a4, 0xbeef0002, 0xbeef0002, 0x0008fd6c, 0x10, 5);
    EQUAL(peek(SEM + 0x10), 5);
    poke(SEM + 0x2c, 0x01000000);
    GO(IDLE, 0x0004f800, 0x01000020);
    EQUAL(peek64(SEM + 0x20), 0x123456789abcull);
    EQUAL(peek64(SEM + 0x28), 0);
    /* G80 and Fermi: short report (fence), long report */
    start(CHIP(G80));
    GO(IDLE, 0x00046000, 0xcafe5097, 0x00107b00, 0, SEM, 5, 0x1000f010);
    EQUAL(peek(SEM), 5);
    EQUAL(peek(SEM + 8), 0);
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x200406c0, 0, SEM, 5, 0x1000f010);
    EQUAL(peek(SEM), 5);
    EQUAL(peek(SEM + 8), 0);
    GO(IDLE, 0x200406c0, 0, SEM, 6, 0x00005002);
    EQUAL(peek64(SEM), 6);
    EQUAL(peek64(SEM + 8), 0x123456789abcull);
    EQUAL(got.last.addr, 0x1b0c); /* the callback also receives the 3D methods, in order */
    EQUAL(got.last.count_dw, 1);
    /* also methods before one that faults, because they were accepted */
    got.count = 0;
    GO(FAULT, 0x200406c0, 0xff, SEM, 7, 0x00005002);
    EQUAL(got.count, 1);
    EQUAL(got.last.addr, 0x1b00);
    EQUAL(got.last.count_dw, 3);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(got.count, 1);
    GO(IDLE, 0x200406c0, 0, SEM, 7, 0x00005001); /* an acquire goes only to the callback */
    EQUAL(peek(SEM), 6);
}

static void clears_3d(void)
{
    /* Fermi: target at DST, 40 x 20 pixels, BGRA8, tiled 2 GOBs high; scissor 10, 5 of 8 x 6 */
    uint32_t bad = 0;
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20060200, 0, DST, 40, 20, 0xcf, 0x10, 0x20040360, 0x3f800000,
       0x3f000000, 0, 0x3e800000, 0x200203fd, 8 << 16 | 10, 6 << 16 | 5, 0x20010674, 0x3c);
    for (uint32_t y = 0; y < 20; y++) {
        for (uint32_t x = 0; x < 40; x++) {
            const bool in = x >= 10 && x < 18 && y >= 5 && y < 11;
            bad += peek(DST + tiled(4 * x, y, 3, 1, 8)) != (in ? 0x40ff8000u : 0);
        }
    }
    EQUAL(bad, 0);
    /* linear R32_UINT, one row */
    GO(IDLE, 0x20060200, 0, SRC, 64, 1, 0xe4, 0x1000, 0x20010360, 0xdeadbeef, 0x200203fd,
       0xffff0000, 0xffff0000, 0x20010674, 0x3c);
    EQUAL(peek(SRC), 0xdeadbeef);
    EQUAL(peek(SRC + 60), 0xdeadbeef);
    EQUAL(peek(SRC + 64), 0);
    /* G80: RGBA8, linear; NV30: linear, packed colour */
    start(CHIP(G80));
    GO(IDLE, 0x00046000, 0xcafe5097, 0x00106200, 0, DST, 0xd5, 0, 0x00106d80, 0x3f800000,
       0x3f000000, 0, 0xbf800000, 0x00086ff4, 2 << 16, 2 << 16, 0x00087240, 0x80000040, 2,
       0x000479d0, 0x3c);
    EQUAL(peek(DST), 0x000080ff);
    EQUAL(peek(DST + 8), 0);
    EQUAL(peek(DST + 0x44), 0x000080ff);
    start(CHIP(NV30));
    GO(IDLE, 0x0004e000, 0xcafe0397, 0x0014e200, 4 << 16, 2 << 16, 0x148, 64, DST, 0x0008e8c0,
       4 << 16, 2 << 16, 0x0008fd90, 0x11223344, 0xf0);
    EQUAL(peek(DST + 12), 0x11223344);
    EQUAL(peek(DST + 16), 0);
    EQUAL(peek(DST + 64), 0x11223344);
    /* a partial mask goes only to the callback */
    got.count = 0;
    GO(IDLE, 0x0004fd94, 0x10);
    EQUAL(got.last.addr, 0x1d94);
}

static void recipes(void)
{
    const gpucmd_nv_copy copy = {DST, SRC, 16, 32, 10, 3};
    const gpucmd_nv_copy far = {0x1120000000, 0x1000000000, 16, 32, 10, 3};
    static const uint32_t many[8191] = {0};
    const uint32_t data[] = {0x11111111, 0x22222222};
    gpucmd_nv_fill fill = {0x1120000000, 0x1122334455667788, 8, 2};
    EMITS(WORDS(0x20048100, 0x10, 0, 0x11, 0x20000000, 0x20018106, 0x1000, 0x200180c0, 0x182),
          gpucmd_nv_emit_ce_copy_linear(&w, CHIP(GA102), 4, 0x1120000000, 0x1000000000, 0x1000));
    EMITS(WORDS(0x20038090, 0x12, 0x40, 7, 0x200180c0, 0x14),
          gpucmd_nv_emit_ce_sem_release(&w, CHIP(GA102), 4, 0x1200000040, 7,
                                        GPUCMD_NV_SEM_TIMESTAMP));
    EMITS(WORDS(0x20038090, 0x12, 0x44, 7, 0x200180c0, 0x0c),
          gpucmd_nv_emit_ce_sem_release(&w, CHIP(GF100), 4, 0x1200000044, 7, 0));
    FAILS(GPUCMD_ALIGN,
          gpucmd_nv_emit_ce_sem_release(&w, CHIP(GA102), 4, 0x44, 7, GPUCMD_NV_SEM_TIMESTAMP));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_ce_sem_release(&w, CHIP(GA102), 4, 0x40, 7, GPUCMD_NV_SEM_64BIT));
    EMITS(WORDS(0x20088100, 0x10, 0, 0x11, 0x20000000, 32, 16, 10, 3, 0x838680c0),
          gpucmd_nv_emit_ce_copy_2d(&w, CHIP(TU102), 4, &far));
    EMITS(WORDS(0x200381c0, 0x55667788, 0x11223344, 0x01030054, 0x20028102, 0x11, 0x20000000,
                0x20018106, 2, 0x200180c0, 0x582),
          gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    fill.size_bytes = 4;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    fill.value = 0x11223344;
    EMITS(WORDS(0x200281c1, 0x11223344, 0x00030005, 0x20028102, 0x11, 0x20000000, 0x20018106, 2,
                0x200180c0, 0x582),
          gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    fill.size_bytes = 1;
    fill.value = 0xab;
    EMITS(WORDS(0x200281c1, 0xab, 0x00000005, 0x20028102, 0x11, 0x20000000, 0x20018106, 2,
                0x200180c0, 0x582),
          gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    fill.dst_va++;
    fill.size_bytes = 2;
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    fill.count = 0;
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_fill(&w, CHIP(TU102), 4, &fill));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_ce_copy_linear(&w, CHIP(MCP89), 4, 0, 0, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_linear(&w, CHIP(GA102), 4, 0, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_linear(&w, CHIP(GA102), 8, 0, 0, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_copy_linear(&w, CHIP(GA102), 4, 1ull << 49, 0, 1));
    EMITS(WORDS(0x0020430c, SRC, DST, 32, 16, 10, 3, 0x101, 0),
          gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV40), 2, &copy));
    EMITS(WORDS(0x0004a200, 1, 0x0004a21c, 1, 0x0008a238, 0x10, 0x11, 0x0020a30c, 0, 0x20000000, 32,
                16, 10, 3, 0x101, 0),
          gpucmd_nv_emit_m2mf_copy(&w, CHIP(G80), 5, &far));
    EMITS(WORDS(0x2002408e, 0x11, 0x20000000, 0x200640c3, 0x10, 0, 32, 16, 10, 3, 0x200140c0,
                0x00100110),
          gpucmd_nv_emit_m2mf_copy(&w, CHIP(GF100), 2, &far));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV40), 2, &far));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_m2mf_copy(&w, CHIP(GK104), 2, &far));
    EMITS(WORDS(0x2002408e, 0x11, 0x20000000, 0x200240c7, 8, 1, 0x200140c0, 0x00100111, 0x600240c1,
                0x11111111, 0x22222222),
          gpucmd_nv_emit_inline_upload(&w, CHIP(GF100), 2, 0x1120000000, data, 2));
    EMITS(WORDS(0x20044060, 8, 1, 0x11, 0x20000000, 0xa003406c, 0x1001, 0x11111111, 0x22222222),
          gpucmd_nv_emit_inline_upload(&w, CHIP(GK104), 2, 0x1120000000, data, 2));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_inline_upload(&w, CHIP(G80), 2, 0, data, 2));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inline_upload(&w, CHIP(GK104), 2, 0, data, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_inline_upload(&w, CHIP(GK104), 2, 0, many, 8191));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_inline_upload(&w, CHIP(GK104), 2, 2, data, 2));
}

/* Each copy recipe, run on each kind of chip, copies. */
static void recipes_run(void)
{
    static const gpucmd_nv_chip chips[] = {
        CHIP(NV4),   CHIP(NV40),  CHIP(G80),   CHIP(GT215), CHIP(GF100), CHIP(GK104), CHIP(GM107),
        CHIP(GP102), CHIP(GV100), CHIP(TU102), CHIP(GA102), CHIP(GH100), CHIP(GB202)};
    const gpucmd_nv_copy copy = {DST, SRC, 16, 32, 10, 3};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        const gpucmd_nv_chip chip = chips[i];
        const uint32_t m2mf = chip < CHIP(G80)     ? 0xcafe0039
                              : chip < CHIP(GF100) ? 0xcafe5039
                                                   : 0x9039;
        uint32_t words[64];
        size_t n = 0;
        start(chip);
        pattern(SRC, 0x100, 1);
        gpucmd_writer_init(&w, words, 64);
        if (chip < CHIP(GK104)) {
            gpucmd_nv_emit_set_object(&w, chip, 2, m2mf);
            gpucmd_nv_emit_m2mf_copy(&w, chip, 2, &copy);
        } else {
            gpucmd_nv_emit_set_object(&w, chip, 4, gpucmd_nv_copy_class(chip));
            gpucmd_nv_emit_ce_copy_2d(&w, chip, 4, &copy);
            gpucmd_nv_emit_ce_sem_release(&w, chip, 4, SEM, 5, GPUCMD_NV_SEM_TIMESTAMP);
        }
        CHECK(gpucmd_writer_finish(&w, &n) == GPUCMD_OK);
        EQUAL(run_words(words, (uint32_t)n), GPUCMD_RUN_IDLE);
        CHECK(same(DST, SRC, 10) && same(DST + 32, SRC + 64, 10));
        EQUAL(peek(SEM), chip < CHIP(GK104) ? 0 : 5);
    }
}

static void classes(void)
{
    gpucmd_nv_chip since;
    EQUAL(gpucmd_nv_copy_class(CHIP(G200)), 0);
    EQUAL(gpucmd_nv_copy_class(CHIP(GT215)), 0x85b5);
    EQUAL(gpucmd_nv_copy_class(CHIP(GP104)), 0xc1b5);
    EQUAL(gpucmd_nv_copy_class(CHIP(AD102)), 0xc7b5);
    EQUAL(gpucmd_nv_copy_class(CHIP(GB202)), 0xcab5);
    EQUAL(gpucmd_nv_class_model(0xc597, &since), GPUCMD_NV_MODEL_3D_GF100);
    EQUAL(since, CHIP(TU102));
    EQUAL(gpucmd_nv_class_model(0x502d, &since), GPUCMD_NV_MODEL_2D_G80);
    EQUAL(gpucmd_nv_class_model(0x50c0, &since), GPUCMD_NV_MODEL_OTHER);
    start(CHIP(GA102));
    GO(IDLE, 0x20028090, 0x12, 0x34);
    EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x244), 0x34);
    EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x25c), 1);
    EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x260), 0);
}

/* Runs that end outside the state of an engine model, with a callback and without. */
static void kept(void)
{
    for (int with_event = 0; with_event < 2; with_event++) {
        start(CHIP(G80));
        env.event = with_event != 0 ? on_event : NULL;
        GO(IDLE, 0x00046000, 0xcafe5097, 0x0040727c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
           15, 16);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[3], 0x127c), 1);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[3], 0x1538), 0);
        GO(IDLE, 0x4008727c, 0x20, 0x21); /* of many words for one method the last */
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[3], 0x127c), 0x21);
        start(CHIP(GA102));
        env.event = with_event != 0 ? on_event : NULL;
        GO(IDLE, 0x60028106, 5, 9, 0xa0038100, 1, 2, 3);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x418), 9);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x400), 1);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x404), 3);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[4], 0x408), 0);
        /* handles are looked up in methods 0x180 to 0x1ff, not in a NON_INC run at 0x17c */
        start(CHIP(NV40));
        env.event = with_event != 0 ? on_event : NULL;
        GO(IDLE, 0x00044000, 0xcafe0030);
        env.event = on_event;
        GO(IDLE, 0x400c417c, 1, 2, 3);
        env.event = with_event != 0 ? on_event : NULL;
        GO(FAULT, 0x00044184, 1);
        EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
        start(CHIP(NV40));
        env.event = with_event != 0 ? on_event : NULL;
        GO(FAULT, 0x00044000, 0xcafe0039, 0x00044184, 1);
        EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
        EQUAL(gpucmd_nv_engine_reg(&ch.engines[2], 0x184), 0);
    }
    /* the event of each part has the address of its words */
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20050363, 1, 2, 3, 4, 5);
    EQUAL(got.count, 2);
    EQUAL(got.last.addr, 0xd94);
    EQUAL(got.last.count_dw, 3);
    EQUAL(got.last.va, BASE + 20);
    GO(IDLE, 0x80050040, 0); /* data in the header: its address */
    EQUAL(got.last.addr, 0x100);
    EQUAL(got.data[0], 5);
    EQUAL(got.last.va, BASE);
    GO(IDLE, 0xa0030040, 1, 2, 3); /* the first word alone, then the others */
    EQUAL(got.last.addr, 0x104);
    EQUAL(got.last.count_dw, 2);
    EQUAL(got.last.va, BASE + 8);
}

/* Long method runs without a model and without a callback. */
static void nobody(void)
{
    static const uint32_t fermi[21] = {0x2014a040}; /* subchannel 5, 20 words from 0x100 on */
    static const uint32_t curie[21] = {0x0050a200}; /* as above, from 0x200 on */
    for (int with_event = 0; with_event < 2; with_event++) {
        start(CHIP(GA102));
        env.event = with_event != 0 ? on_event : NULL;
        EQUAL(run_words(fermi, 21), GPUCMD_RUN_FAULT);
        EQUAL(ch.pbdma.intr, 1u << 23); /* DEVICE: subchannels 5 to 7 are software */
        EQUAL(ch.pbdma.pb_get, BASE + 4);
        start(CHIP(NV40));
        env.event = with_event != 0 ? on_event : NULL;
        EQUAL(run_words(curie, 21), GPUCMD_RUN_FAULT);
        EQUAL(ch.puller.error, GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL);
        EQUAL(ch.pusher.dma_get, BASE + 4);
    }
}

/* A callback that fails has taken no word, whatever it writes to *out_dw. */
static gpucmd_status refuses(void *user, const gpucmd_event *event)
{
    (void)user;
    *event->out_dw = 1;
    return GPUCMD_INVALID;
}

static void refused(void)
{
    start(CHIP(GA102));
    gpucmd_env_init(&env, &mem, refuses, NULL);
    submit((const uint32_t[]){0x20020040, 1, 2}, 3);
    EQUAL(gpucmd_nv_pbdma_run(&ch.pbdma, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(ch.pbdma.fault, GPUCMD_INVALID);
    EQUAL(ch.pbdma.pb_get, BASE + 4);
    EQUAL(ch.pbdma.count, 2);
    EQUAL(ch.pbdma.mthd, 0x40);
    start(CHIP(NV40));
    gpucmd_env_init(&env, &mem, refuses, NULL);
    submit((const uint32_t[]){0x00080100, 1, 2}, 3);
    EQUAL(gpucmd_nv_pusher_run(&ch.pusher, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(ch.pusher.fault, GPUCMD_INVALID);
    EQUAL(ch.pusher.dma_get, BASE + 4);
    EQUAL(ch.pusher.mcnt, 2);
    EQUAL(ch.pusher.mthd, 0x40);
}

/* What a run starts may write over the words of the run: its header was fetched before. */
static void overwritten(void)
{
    for (int with_event = 0; with_event < 2; with_event++) {
        start(CHIP(GA102));
        env.event = with_event != 0 ? on_event : NULL;
        poke(SRC, 0x20006f00); /* a run of no words, to what lies at 0x1c */
        GO(IDLE, 0x20048100, 0, SRC, 0, BASE + 0x1c, 0x20018106, 4, 0x200180c0, 0x182);
        EQUAL(peek(BASE + 0x1c), 0x20006f00);
        EQUAL(ch.pbdma.hdr_shadow, 0x200180c0);
        EQUAL(ch.pbdma.count, 0);
        EQUAL(ch.pbdma.subc, 4);
        EQUAL(ch.pbdma.mthd, 0xc1);
        EQUAL(ch.pbdma.type, GPUCMD_NV_PB_TYPE_INC);
        /* over the run before, and then its semaphore faults: that run stays the last one */
        start(CHIP(GA102));
        env.event = with_event != 0 ? on_event : NULL;
        poke(SRC, 0x20006f00);
        GO(FAULT, 0x20048100, 0, SRC, 0, BASE + 0x14, 0x20018106, 4, 0x818a80c0, 0, 0, 0, 0, 0, 0,
           0, 0, 0);
        EQUAL(peek(BASE + 0x14), 0x20006f00);
        EQUAL(ch.pbdma.pb_get, BASE + 0x1c);
        EQUAL(ch.pbdma.hdr_shadow, 0x20018106);
        EQUAL(ch.pbdma.count, 0);
        EQUAL(ch.pbdma.subc, 4);
        EQUAL(ch.pbdma.mthd, 0x107);
        EQUAL(ch.pbdma.type, GPUCMD_NV_PB_TYPE_INC);
        start(CHIP(NV34));
        env.event = with_event != 0 ? on_event : NULL;
        poke(SRC, 0x00006300);
        GO(IDLE, 0x00044000, 0xcafe0039, 0x0020430c, SRC, BASE + 8, 4, 4, 4, 1, 0x101, 0);
        EQUAL(peek(BASE + 8), 0x00006300);
        EQUAL(ch.pusher.rsvd_shadow, 0x0020430c);
        EQUAL(ch.pusher.dcount_shadow, 8);
        EQUAL(ch.pusher.mcnt, 0);
        EQUAL(ch.pusher.subc, 2);
        EQUAL(ch.pusher.mthd, 0xcb);
    }
}

/* Inline data overwrite the words that contain them. */
static void onto_itself(void)
{
    for (uint32_t off = 0; off < 3; off++) {
        start(CHIP(GA102));
        /* 16 bytes of data are at 0x28; upload them to 0x24, 0x28 and 0x2c */
        GO(IDLE, 0x20014000, 0xa140, 0x20044060, 16, 1, 0, BASE + 0x24 + 4 * off, 0x2001406c, 0x11,
           0x6004406d, 0x11111111, 0x22222222, 0x33333333, 0x44444444);
        EQUAL(peek(BASE + 0x24 + 4 * off), 0x11111111);
        EQUAL(peek(BASE + 0x28 + 4 * off), 0x22222222);
        EQUAL(peek(BASE + 0x2c + 4 * off), 0x33333333);
        EQUAL(peek(BASE + 0x30 + 4 * off), 0x44444444);
        EQUAL(peek(BASE + 0x38), off == 2 ? 0x44444444 : 0);
    }
}

/* A run that software sets, as after PBENTRY, may pass the last method: the address wraps. */
static void wraps(void)
{
    static uint32_t shadow[GPUCMD_NV_SHADOW_DW + 16];
    for (int once = 0; once < 2; once++) {
        memset(shadow, 0, sizeof shadow);
        start(CHIP(GF100));
        ch.shadow = shadow;
        GO(IDLE, 0x2001e000, 0x9097);
        ch.pbdma.type = once != 0 ? GPUCMD_NV_PB_TYPE_INC_ONCE : GPUCMD_NV_PB_TYPE_INC;
        ch.pbdma.subc = 7;
        ch.pbdma.mthd = 0xfff;
        ch.pbdma.count = 2;
        got.count = 0;
        GO(IDLE, 0x11, 0x9039);
        EQUAL(got.count, 1);
        EQUAL(got.last.addr, 0x3ffc);
        EQUAL(got.last.count_dw, 1);
        EQUAL(ch.engines[7].class_id, 0x9039);
        EQUAL(ch.pbdma.count, 0);
        EQUAL(ch.pbdma.mthd, once != 0 ? 0 : 1);
        EQUAL(shadow[GPUCMD_NV_SHADOW_DW - 1], 0x11);
        EQUAL(shadow[GPUCMD_NV_SHADOW_DW], 0);
    }
}

/* card.effects counts stores to memory, interrupts and events; see gpucmd_nv_card. */
static void effects(void)
{
    static const uint32_t release[] = {0x20050017, SEM, 0, 7, 0, 1};
    static const uint32_t interrupt[] = {0x20010008, 0};
    static const uint32_t increment[] = {0x2001001d, 1}; /* of syncpoint 0 */
    static const uint32_t software[] = {0x20018040, 5};  /* goes to the callback */
    static const uint32_t reduction[] = {0x2001406c, 3}; /* LAUNCH_DMA; the same */
    static const uint32_t copy[] = {0x20048100, 0, SRC, 0,          DST,
                                    0x20028106, 4, 1,   0x200180c0, 0x182};
    static const uint32_t upload[] = {0x20044060, 8, 1, 0, DST, 0xa003406c, 1, 2, 3};
    static const uint32_t clear[] = {0x20010021, 0}; /* CLEAR_FAULTED of channel 0 */
    static const struct {
        gpucmd_nv_chip chip;
        const uint32_t *words;
        uint32_t n;
    } rows[] = {
        {CHIP(GV100), release,   6 },
        {CHIP(GV100), interrupt, 2 },
        {CHIP(GK20A), increment, 2 },
        {CHIP(GK104), software,  2 },
        {CHIP(GK104), reduction, 2 },
        {CHIP(GK104), copy,      10},
        {CHIP(GK104), upload,    9 },
        {CHIP(GV100), clear,     2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t syncpoints[1] = {0};
        uint32_t faulted[1] = {GPUCMD_NV_PBDMA_FAULTED | GPUCMD_NV_ENG_FAULTED};
        start(rows[i].chip);
        card.syncpoints = syncpoints;
        card.syncpoint_count = 1;
        card.faulted = faulted;
        card.faulted_count = 1;
        GO(IDLE, 0x20014000, 0xa040);
        card.effects = 100;
        EQUAL(run_words(rows[i].words, rows[i].n), GPUCMD_RUN_IDLE);
        EQUAL(card.effects, 101);
    }
}

int main(void)
{
    effects();
    kept();
    nobody();
    refused();
    overwritten();
    onto_itself();
    wraps();

    copy_linear();
    copy_lines();
    copy_remap();
    copy_reduction();
    copy_85b5();
    copy_faults();
    copy_tiled();
    m2mf();
    inline_uploads();
    fences_3d();
    clears_3d();
    recipes();
    recipes_run();
    classes();
    return test_report("nv_engine");
}

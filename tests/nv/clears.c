/* Clears of layers, targets and formats, of depth and of stencil, and under conditions; and blits
 * that change the order of components. Bytes are typed by hand; nv/tiling.c checks offsets. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0x2000)
#define DST        (BASE + 0x4000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

/* Array of three layers of 16 x 8 pixels R32_UINT, 0x200 bytes each; clear of layer 1 + first. */
static void layers_gf100(void)
{
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20090200, 0, DST, 16, 8, 0xe4, 0, 3, 0x80, 0, 0x20010360,
       0xdeadbeef, 0x200203fd, 16 << 16, 8 << 16, 0x20010674, 0x3c | 1 << 10);
    EQUAL(peek(DST + 0x1fc), 0);
    EQUAL(peek(DST + 0x200), 0xdeadbeef);
    EQUAL(peek(DST + 0x3fc), 0xdeadbeef);
    EQUAL(peek(DST + 0x400), 0);
    GO(IDLE, 0x20010208, 1, 0x20010360, 0x12345678, 0x20010674, 0x3c | 1 << 10); /* first 1 */
    EQUAL(peek(DST + 0x3fc), 0xdeadbeef);
    EQUAL(peek(DST + 0x400), 0x12345678);
    EQUAL(peek(DST + 0x5fc), 0x12345678);
    EQUAL(peek(DST + 0x600), 0);
    got.answer = GPUCMD_UNSUPPORTED; /* one more than exist: goes to the callback */
    GO(FAULT, 0x20010674, 0x3c | 2 << 10);
    EQUAL(got.last.addr, 0x19d0);
    EQUAL(got.data[0], 0x3c | 2 << 10);
    EQUAL(peek(DST + 0x600), 0);
    /* layer 2049 of 4000, 4 bytes each: the number has 16 bits, [CB97] CLEAR_SURFACE 25:10 */
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20090200, 0, DST, 1, 1, 0xe4, 0, 4000, 1, 0, 0x20010360, 77,
       0x200203fd, 1 << 16, 1 << 16, 0x20010674, 0x3c | 2049 << 10);
    EQUAL(peek(DST + 4 * 2049), 77);
    EQUAL(peek(DST + 4), 0);
}

/* Layer 1 of three linear layers: one line of 64 bytes, layers 0x80 bytes apart. */
static void layers_linear(void)
{
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20090200, 0, DST, 64, 1, 0xe4, 0x1000, 3, 0x20, 0, 0x20010360,
       77, 0x200203fd, 16 << 16, 1 << 16, 0x20010674, 0x3c | 1 << 10);
    EQUAL(peek(DST - 0x80), 0);
    EQUAL(peek(DST), 0);
    EQUAL(peek(DST + 0x80), 77);
    EQUAL(peek(DST + 0xbc), 77);
    EQUAL(peek(DST + 0xc0), 0);
}

static void layers_g80(void)
{
    start(CHIP(G80));
    GO(IDLE, 0x00046000, 0xcafe5097, 0x00146200, 0, DST, 0xe4, 0, 0x80, 0x00047224, 3, 0x00087240,
       16, 8, 0x00046d80, 0xdeadbeef, 0x00086ff4, 16 << 16, 8 << 16, 0x000479d0, 0x3c | 2 << 10);
    EQUAL(peek(DST + 0x3fc), 0);
    EQUAL(peek(DST + 0x400), 0xdeadbeef);
    EQUAL(peek(DST + 0x5fc), 0xdeadbeef);
    EQUAL(peek(DST + 0x600), 0);
    GO(IDLE, 0x000479d0, 0x3c | 2048 << 10); /* 11 bits: layer 0 */
    EQUAL(peek(DST), 0xdeadbeef);
}

/* A pixel of a format at DST, of the colour given, over 0x11 bytes; mask RGBA. */
static void pixel(uint32_t format, uint32_t mask, uint32_t r, uint32_t g, uint32_t b, uint32_t a,
                  uint64_t want)
{
    start(CHIP(GK104));
    memset(ram + (DST - BASE), 0x11, 64);
    GO(IDLE, 0x20010000, 0xa097, 0x20090200, 0, DST, 1, 1, format, 0, 1, 0, 0, 0x20040360, r, g, b,
       a, 0x200203fd, 1 << 16, 1 << 16, 0x20010674, mask << 2);
    EQUAL(peek64(DST), want);
}

static void pixels(void)
{
    const uint32_t half = 0x3f000000, one = 0x3f800000;
    pixel(0xca, 15, half, 0x40000000, 0xbf800000, one, 0x3c00bc0040003800ull); /* RGBA16_FLOAT */
    pixel(0xde, 15, 0x477fe000, 0x477ff000, 0, 0,
          0x111111117c007bffull); /* 65504; 65520: infinite */
    pixel(0xde, 15, 0x33800000, 0x33000000, 0, 0,
          0x1111111100000001ull); /* 2^-24; 2^-25: to even */
    pixel(0xde, 15, 0x33400000, 0x387fc000, 0, 0,
          0x1111111103ff0001ull); /* 1.5 * 2^-25; subnormal */
    pixel(0xde, 15, 0x3f801000, 0x3f803000, 0, 0, 0x111111113c023c00ull); /* halves go to even */
    pixel(0xde, 15, 0x7fc00000, 0xff800000, 0, 0, 0x11111111fc007e00ull); /* no number; infinite */
    pixel(0xf2, 15, 0x3eaaaaab, 0, 0, 0, 0x1111111111113555ull);          /* 1/3 */
    pixel(0xc6, 15, one, half, 0, 0x3e800000, 0x400000008000ffffull);     /* RGBA16_UNORM */
    pixel(0xc6, 5, one, half, 0, 0x3e800000, 0x111100001111ffffull);      /* only red and blue */
    pixel(0xee, 15, half, 0, 0, 0, 0x1111111111118000ull);                /* R16_UNORM */
    pixel(0xf7, 15, 0, 0, 0, one, 0x11111111111111ffull);                 /* A8 */
    pixel(0xd1, 15, one, 0, half, 0x3f2aaaab, 0x11111111a00003ffull);     /* RGB10_A2; alpha 2/3 */
    pixel(0xdf, 15, one, 0, half, 0x3f2aaaab, 0x11111111bff00200ull);     /* BGR10_A2 */
    pixel(0xe8, 15, one, half, 0, 0, 0x111111111111fc00ull);              /* B5G6R5 */
    pixel(0xe8, 7, 0, one, one, 0, 0x11111111111107ffull);
    pixel(0xe9, 15, half, 0, one, one, 0x111111111111c01full); /* BGR5_A1 */
    pixel(0xd1, 7, one, one, one, one, 0x1111111111111111ull); /* parts of bytes: to the callback */
    EQUAL(got.last.addr, 0x19d0);
    pixel(0xe9, 7, one, one, one, one, 0x1111111111111111ull);
    pixel(0xcf, 1, one, one, one, one, 0x1111111111ff1111ull); /* BGRA8: red is byte 2 */
    pixel(0xcf, 4, one, one, one, one, 0x11111111111111ffull);
    pixel(0xcf, 8, one, one, one, one, 0x11111111ff111111ull);
    pixel(0xd5, 1, one, one, one, one, 0x11111111111111ffull);
    pixel(0xd5, 15, 0x7fc00000, 0x7f800000, 0xff800000, 0x80000000,
          0x111111110000ff00ull); /* no number, infinite */
}

static gpucmd_event once; /* the first event since it was zero */

static gpucmd_status on_event_once(void *user, const gpucmd_event *event)
{
    if (once.count_dw == 0) {
        once = *event;
    }
    return on_event(user, event);
}

/* Eight targets, each cleared separately. */
static void targets(void)
{
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x200203fd, 1 << 16, 1 << 16);
    for (uint32_t i = 0; i < 8; i++) {
        GO(IDLE, 0x20090000 | (0x200 + 0x10 * i), 0, DST + 0x40 * i, 4, 1, 0xe4, 0x1000, 1, 0, 0,
           0x20010360, 100 + i, 0x20010674, 0x3c | i << 6);
    }
    for (uint32_t i = 0; i < 8; i++) {
        EQUAL(peek(DST + 0x40 * i), 100 + i);
    }
    start(CHIP(G80));
    GO(IDLE, 0x00046000, 0xcafe5097, 0x00086ff4, 1 << 16, 1 << 16);
    for (uint32_t i = 0; i < 8; i++) {
        GO(IDLE, 0x00146000 | (0x200 + 0x20 * i), 0, DST + 0x40 * i, 0xe4, 0, 0, 0x00087240 + 8 * i,
           0x80000004, 1, 0x00046d80, 100 + i, 0x000479d0, 0x3c | i << 6);
    }
    for (uint32_t i = 0; i < 8; i++) {
        EQUAL(peek(DST + 0x40 * i), 100 + i);
    }
    got.count = 0;
    GO(IDLE, 0x00046d80, 5); /* methods are shown with the address of their words */
    EQUAL(got.last.va, BASE + 4);
    env.event = on_event_once;
    GO(IDLE, 0x000479d0, 0x3c | 8 << 6); /* a ninth target: to the callback */
    EQUAL(once.va, 0);
    EQUAL(once.addr, 0x19d0);
    EQUAL(once.count_dw, 1);
}

/* One pixel of depth and stencil at DST after a clear over 0x11 bytes. */
static void zeta(uint32_t format, uint32_t part, uint32_t depth, uint64_t want)
{
    start(CHIP(TU102));
    memset(ram + (DST - BASE), 0x11, 64);
    GO(IDLE, 0x20010000, 0xc597, 0x200703f8, 0, DST, format, 0, 0, 1 << 16, 1 << 16, 0x2003048a, 1,
       1, 1, 0x2001054e, 1, 0x20010364, depth, 0x20010368, 0x5a, 0x20010674, part);
    EQUAL(peek64(DST), want);
}

static void zeta_formats(void)
{
    /* 0.5 of 2^24 - 1 is 8388607.5: 0x800000 */
    zeta(0x16, 3, 0x3f000000, 0x111111115a800000ull); /* Z24_S8: depth lowest */
    zeta(0x16, 1, 0x3f000000, 0x1111111111800000ull);
    zeta(0x16, 2, 0x3f000000, 0x111111115a111111ull);
    zeta(0x14, 3, 0x3f000000, 0x111111118000005aull); /* S8_Z24: stencil lowest */
    zeta(0x14, 1, 0x3f000000, 0x1111111180000011ull);
    zeta(0x14, 2, 0x3f000000, 0x111111111111115aull);
    zeta(0x15, 3, 0x3f800000, 0x1111111111ffffffull); /* Z24_X8; 1.0 */
    zeta(0x13, 3, 0x3e800000, 0x1111111111114000ull); /* Z16: 0.25 of 65535 is 16383.75 */
    zeta(0x0a, 3, 0x3dcccccd, 0x111111113dcccccdull); /* Z32_FLOAT */
    zeta(0x19, 3, 0x3dcccccd, 0x1111115a3dcccccdull); /* Z32_S8_X24_FLOAT */
    zeta(0x16, 1, 0xbf800000, 0x1111111111000000ull); /* below 0 */
    zeta(0x16, 1, 0x40000000, 0x1111111111ffffffull); /* above 1 */
    zeta(0x18, 3, 0x3f000000, 0x1111111111111111ull); /* Z24_C8: goes to the callback */
    EQUAL(got.last.addr, 0x19d0);
}

static void zeta_rest(void)
{
    /* not enabled: nothing */
    start(CHIP(TU102));
    GO(IDLE, 0x20010000, 0xc597, 0x200703f8, 0, DST, 0x16, 0, 0, 1 << 16, 1 << 16, 0x2003048a, 1, 1,
       1, 0x20010364, 0x3f800000, 0x20010674, 1);
    EQUAL(peek(DST), 0);
    /* G80: layer 1 of two, tiles of 4 lines: 0x100 bytes; scissor x 1..2, y 1 */
    start(CHIP(G84));
    GO(IDLE, 0x00046000, 0xcafe8297, 0x001c6fe0, 0, DST, 0x14, 0, 0x40, 2 << 16 | 1, 1 << 16 | 1,
       0x000c7228, 16, 4, 2, 0x00047538, 1, 0x00046d90, 0x3f800000, 0x00046da0, 0x77, 0x000479d0,
       3 | 1 << 10);
    EQUAL(peek(DST + 0x40), 0);
    EQUAL(peek(DST + 0x140), 0);
    EQUAL(peek(DST + 0x144), 0xffffff77);
    EQUAL(peek(DST + 0x148), 0xffffff77);
    EQUAL(peek(DST + 0x14c), 0);
    EQUAL(peek(DST + 0x184), 0);
}

/* Depth of 32 x 16 pixels of 4 bytes, 2 x 2 GOBs of 64 bytes x 8 lines: the pixel in line 8 of the
 * layer at DST + 0x100 * layer, if a block has 1 GOB, and if it has 2; then in a DMA object. */
static void zeta_places(void)
{
    for (uint32_t layer = 0; layer < 2; layer++) {
        start(CHIP(TU102));
        GO(IDLE, 0x20010000, 0xc597, 0x2003048a, 32, 16, 2, 0x2001054e, 1, 0x200105e7, layer,
           0x20010364, 0x3dcccccd, 0x200703f8, 0, DST, 0x0a, 0, 0x40, 1 << 16, 1 << 16 | 8,
           0x20010674, 1);
        EQUAL(peek(DST + 0x100 * layer + 0x200), 0);
        EQUAL(peek(DST + 0x100 * layer + 0x400), 0x3dcccccd);
        poke(DST + 0x100 * layer + 0x400, 0);
        GO(IDLE, 0x200103fb, 0x10, 0x20010674, 1);
        EQUAL(peek(DST + 0x100 * layer + 0x200), 0x3dcccccd);
        EQUAL(peek(DST + 0x100 * layer + 0x400), 0);
    }
    start(CHIP(G84));
    GO(IDLE, 0x00046000, 0xcafe8297, 0x00046184, 0xbeef0002, 0x001c6fe0, 0, 0, 0x0a, 0, 0, 1 << 16,
       1 << 16, 0x000c7228, 16, 4, 1, 0x00047538, 1, 0x00046d90, 0x3dcccccd, 0x000479d0, 1);
    EQUAL(peek(SEM), 0x3dcccccd);
}

/* Depth and colour in one method, the colour so long that the channel pauses: depth is not done
 * again. */
static void zeta_once(void)
{
    start(CHIP(GF100));
    submit((const uint32_t[]){0x20010000, 0x9097,     0x20060200, 0,          DST + 0x1000,
                              4,          5000,       0xe4,       0x1000,     0x20010360,
                              9,          0x200703f8, 0,          SRC,        0x0a,
                              0,          0,          0xffff0000, 0xffff0000, 0x2003048a,
                              1,          1,          1,          0x2001054e, 1,
                              0x20010364, 5,          0x20010674, 0x3d},
           29);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_LIMIT);
    EQUAL(peek(SRC), 5);
    poke(SRC, 6);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100000), GPUCMD_RUN_IDLE);
    EQUAL(peek(SRC), 6);
    EQUAL(peek(DST + 0x1000 + 4 * 4999), 9);
    EQUAL(peek(DST + 0x1000 + 4 * 5000), 0);
    GO(IDLE, 0x20010674, 1);
    EQUAL(peek(SRC), 5);
}

/* NV30: depth pitch beside the colour's; NV40: its own; stencil is the low byte of the value. */
static void zeta_nv30(void)
{
    start(CHIP(NV30));
    memset(ram + (DST - BASE), 0x11, 0x100);
    GO(IDLE, 0x0004e000, 0xcafe0397, 0x0018e200, 3 << 16, 2 << 16, 0x148, 0x00800040, 0, DST,
       0x0008e8c0, 2 << 16 | 1, 2 << 16, 0x0004fd8c, 0xabcdef5a, 0x0004fd94, 3);
    EQUAL(peek(DST), 0x11111111);
    EQUAL(peek(DST + 4), 0xabcdef5a);
    EQUAL(peek(DST + 8), 0xabcdef5a);
    EQUAL(peek(DST + 0x40), 0x11111111);
    EQUAL(peek(DST + 0x84), 0xabcdef5a);
    GO(IDLE, 0x0004fd8c, 0x12345678, 0x0004fd94, 2);
    EQUAL(peek(DST + 4), 0xabcdef78);
    GO(IDLE, 0x0004fd94, 1);
    EQUAL(peek(DST + 4), 0x12345678);
    /* NV40: Z16 */
    start(CHIP(NV40));
    GO(IDLE, 0x0004e000, 0xcafe4097, 0x0018e200, 2 << 16, 2 << 16, 0x128, 0x40, 0, DST, 0x0004e22c,
       0x100, 0x0008e8c0, 2 << 16, 2 << 16, 0x0004fd8c, 0x8765, 0x0004fd94, 1);
    EQUAL(peek64(DST), 0x87658765);
    EQUAL(peek64(DST + 0x100), 0x87658765);
    EQUAL(peek64(DST + 0x40), 0);
}

/* A clear of one word at DST under a condition over reports at SRC. */
static void condition(uint32_t mode, uint64_t first, uint64_t second, bool draws)
{
    start(CHIP(GF100));
    poke(SRC, (uint32_t)first);
    poke(SRC + 4, (uint32_t)(first >> 32));
    poke(SRC + 16, (uint32_t)second);
    poke(SRC + 20, (uint32_t)(second >> 32));
    GO(IDLE, 0x20010000, 0x9097, 0x20060200, 0, DST, 64, 1, 0xe4, 0x1000, 0x20010360, 7, 0x200203fd,
       1 << 16, 1 << 16, 0x20030554, 0, SRC, mode, 0x20010674, 0x3c);
    EQUAL(peek(DST), draws ? 7 : 0);
}

static void conditions(void)
{
    condition(0, 1, 1, false);                     /* NEVER */
    condition(1, 0, 0, true);                      /* ALWAYS */
    condition(2, 0x0000000000000001ull, 0, false); /* RES_NON_ZERO */
    condition(2, 0x0000000100000000ull, 0, true);
    condition(3, 0x0000000500000001ull, 0x0000000500000001ull, true); /* EQUAL */
    condition(3, 0x0000000600000001ull, 0x0000000500000001ull, false);
    condition(3, 0x0000000500000002ull, 0x0000000500000001ull, false);
    condition(4, 0x0000000500000001ull, 0x0000000500000001ull, false); /* NOT_EQUAL */
    condition(4, 0x0000000600000001ull, 0x0000000500000001ull, true);
    /* a report that cannot be read is a fault */
    start(CHIP(GF100));
    GO(FAULT, 0x20010000, 0x9097, 0x20030554, 1, 0, 2, 0x20010674, 0x3c);
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    /* NV40: the report's third word */
    start(CHIP(NV40));
    GO(IDLE, 0x0004e000, 0xcafe4097, 0x0004e1a8, 0xbeef0002, 0x0014e200, 1 << 16, 1 << 16, 0x148,
       0x40, DST, 0x0008e8c0, 1 << 16, 1 << 16, 0x0004fd90, 7, 0x0004fe98, 0x02000020, 0x0004fd94,
       0xf0);
    EQUAL(peek(DST), 0);
    poke(SEM + 0x28, 1);
    GO(IDLE, 0x0004fd94, 0xf0);
    EQUAL(peek(DST), 7);
    poke(SEM + 0x28, 0);
    GO(IDLE, 0x0004fd90, 8, 0x0004fe98, 0x01000000, 0x0004fd94, 0xf0);
    EQUAL(peek(DST), 8);
}

/* Blit of one pixel 0x44332211 between linear surfaces. */
static void blit(uint32_t from, uint32_t to, uint32_t step, uint32_t want)
{
    start(CHIP(GF100));
    poke(SRC, 0x44332211);
    GO(IDLE, 0x20016000, 0x902d, 0x20026080, to, 1, 0x20056085, 64, 1, 1, 0, DST, 0x2002608c, from,
       1, 0x20056091, 64, 1, 1, 0, SRC, 0x200c622c, 0, 0, 1, 1, 0, step, 0, 1, 0, 0, 0, 0);
    EQUAL(peek(DST), want);
    EQUAL(peek(DST + 4), 0);
}

static void blits(void)
{
    blit(0xd5, 0xd5, 1, 0x44332211);
    blit(0xd5, 0xcf, 1, 0x44112233); /* RGBA to BGRA and back */
    blit(0xcf, 0xd5, 1, 0x44112233);
    blit(0xe6, 0xd5, 1, 0xff112233); /* no alpha: opaque */
    blit(0xe6, 0xcf, 1, 0xff332211);
    blit(0xf9, 0xd5, 1, 0xff332211);
    blit(0xf9, 0xcf, 1, 0xff112233);
    blit(0xd5, 0xe4, 1, 0); /* to integers: passed to the callback */
    EQUAL(got.last.addr, 0x8dc);
    blit(0xd5, 0xcf, 2, 0x44112233); /* scaled and converted */
}

/* Counters of reports: who asks, and where the answers go. */
static unsigned counted;
static uint32_t counted_get;

static void on_count(void *user, uint32_t channel, uint32_t get, uint32_t words[2])
{
    (void)user;
    EQUAL(channel, 3);
    EQUAL(words[1], 0);
    counted++;
    counted_get = get;
    words[0] += 0x10;
    words[1] = 0x99;
}

static gpucmd_status find_two(void *user, uint32_t channel, uint32_t handle,
                              gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->va = handle >> 16 == 0x1111 ? SRC : handle >> 16 == 0x2222 ? DST : 0;
    object->bytes = 0x1000;
    return GPUCMD_OK;
}

static void reports(void)
{
    start(CHIP(GF100));
    card.counter = on_count;
    counted = 0;
    GO(IDLE, 0x20010000, 0x9097, 0x200406c0, 0, SRC, 5, 0x0100f002); /* counter, long */
    EQUAL(counted, 1);
    EQUAL(counted_get, 0x0100f002);
    EQUAL(peek64(SRC), 0x9900000015ull);
    EQUAL(peek64(SRC + 8), 0x123456789abcull);
    GO(IDLE, 0x200406c0, 0, SRC + 0x20, 5, 0x1100f002); /* short */
    EQUAL(counted, 2);
    EQUAL(peek64(SRC + 0x20), 0x15);
    GO(IDLE, 0x200406c0, 0, SRC + 0x40, 5,
       0x0000f010); /* a fence calls no counter callback, long or short */
    GO(IDLE, 0x200406c0, 0, SRC + 0x60, 5, 0x1000f010);
    EQUAL(counted, 2);
    EQUAL(peek64(SRC + 0x40), 5);
    EQUAL(peek64(SRC + 0x48), 0x123456789abcull);
    EQUAL(peek64(SRC + 0x60), 5);
    EQUAL(peek64(SRC + 0x68), 0);
    /* acquires, traps and reductions are passed to the callback */
    GO(IDLE, 0x200406c0, 0, SRC + 0x80, 5, 0x1000f011);
    GO(IDLE, 0x200406c0, 0, SRC + 0x80, 5, 0x1000f013);
    GO(IDLE, 0x200406c0, 0, SRC + 0x80, 5, 0x1000f018);
    EQUAL(peek(SRC + 0x80), 0);
    /* NV30: fence and query in objects of their own */
    start(CHIP(NV30));
    card.object = find_two;
    card.counter = on_count;
    counted = 0;
    GO(IDLE, 0x0004e000, 0xcafe0397, 0x0008e1a4, 0x11110002, 0x22220002, 0x0008fd6c, 0x10, 5);
    EQUAL(peek64(SRC + 0x10), 5);
    EQUAL(peek64(SRC + 0x18), 0);
    EQUAL(counted, 0);
    poke(DST + 0x2c, 0x01000000);
    GO(IDLE, 0x0004f800, 0x01000020); /* 31:24 names the report, 23:0 its place */
    EQUAL(counted, 1);
    EQUAL(counted_get, 0x01000020);
    EQUAL(peek64(DST + 0x20), 0x123456789abcull);
    EQUAL(peek64(DST + 0x28), 0x99);
    EQUAL(peek64(SRC + 0x20), 0);
}

/* Clear of a linear target of 20 x 4 pixels under a scissor; x and y: what it leaves. */
static void scissored(uint32_t horiz, uint32_t vert, uint32_t x0, uint32_t x1, uint32_t y0,
                      uint32_t y1)
{
    uint32_t bad = 0;
    start(CHIP(GF100));
    GO(IDLE, 0x20010000, 0x9097, 0x20060200, 0, DST, 80, 4, 0xe4, 0x1000, 0x20010360, 7, 0x200203fd,
       horiz, vert, 0x20010674, 0x3c);
    for (uint32_t i = 0; i < 20 * 12; i++) {
        const uint32_t x = i % 20, y = i / 20;
        bad += peek(DST + 4 * i) != (x >= x0 && x < x1 && y >= y0 && y < y1 ? 7u : 0u);
    }
    EQUAL(bad, 0);
}

static void scissors(void)
{
    scissored(20 << 16, 4 << 16, 0, 20, 0, 4);
    scissored(5 << 16 | 10, 2 << 16 | 1, 10, 15, 1, 3);
    scissored(15 << 16 | 10, 4 << 16, 10, 20, 0, 4); /* passes the right edge */
    scissored(20 << 16, 4 << 16 | 3, 0, 20, 3, 4);   /* the lower one */
    scissored(5 << 16 | 30, 4 << 16, 0, 0, 0, 0);    /* lies outside */
    scissored(20 << 16, 2 << 16 | 9, 0, 0, 0, 0);
    scissored(0xffff0000, 0xffff0000, 0, 20, 0, 4);
}

/* NV30 and NV40: masks, formats, swizzled sizes. */
static void clear_nv30(uint32_t format, uint32_t horiz, uint32_t mask, uint32_t want)
{
    start(CHIP(NV40));
    memset(ram + (DST - BASE), 0x11, 64);
    GO(IDLE, 0x0004e000, 0xcafe4097, 0x0014e200, horiz << 16, 1 << 16, format, 64, DST, 0x0008e8c0,
       horiz << 16, 1 << 16, 0x0008fd90, 0x44332211, mask);
    EQUAL(peek(DST), want);
}

static void clears_nv30(void)
{
    /* G80: bit 31 of the width says linear; lines 0x80 bytes apart */
    start(CHIP(G80));
    GO(IDLE, 0x00046000, 0xcafe5097, 0x00106200, 0, DST, 0xe4, 0, 0x00046d80, 7, 0x00086ff4,
       2 << 16, 2 << 16, 0x00087240, 0x80000080, 2, 0x000479d0, 0x3c);
    EQUAL(peek64(DST), 0x700000007ull);
    EQUAL(peek64(DST + 0x80), 0x700000007ull);
    EQUAL(peek64(DST + 0x40), 0);
    clear_nv30(0x148, 4, 0xf0, 0x44332211);
    clear_nv30(0x145, 4, 0xf0, 0x44332211); /* X8R8G8B8 */
    clear_nv30(0x148, 4, 0x10, 0x11331111); /* red is byte 2 */
    clear_nv30(0x148, 4, 0x20, 0x11112211); /* green */
    clear_nv30(0x148, 4, 0x40, 0x11111111); /* blue: 0x11 over 0x11 */
    clear_nv30(0x148, 4, 0x80, 0x44111111); /* alpha */
    clear_nv30(0x143, 4, 0xf0, 0x11111111); /* R5G6B5 is passed to the callback */
    clear_nv30(0x348, 4, 0xf0, 0x11111111); /* no such layout */
    clear_nv30(0x03030248, 8, 0xf0, 0x44332211);
    clear_nv30(0x03030248, 9, 0xf0, 0x11111111); /* wider than 2^3 */
    clear_nv30(0x00100248, 8, 0xf0, 0x44332211);
    clear_nv30(0x00110248, 8, 0xf0, 0x11111111); /* wider than 2^16 */
    clear_nv30(0x11000248, 1, 0xf0, 0x11111111);
}

int main(void)
{
    layers_gf100();
    layers_linear();
    layers_g80();
    pixels();
    targets();
    zeta_formats();
    zeta_rest();
    zeta_places();
    zeta_once();
    zeta_nv30();
    conditions();
    reports();
    scissors();
    clears_nv30();
    blits();
    return test_report("nv_clears");
}

/* DMA objects have limits: accesses of the host engine and of engines beyond an object, or without
 * an object. Section 6 of the fact sheet. Words are typed from the sources. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#define SRC        (BASE + 0xa000)
#define DST        (BASE + 0xc000)
#define CHIP(name) GPUCMD_NV_CHIP_##name

/* Handles: 0x51000000 + n is a DMA object of n bytes at SRC, 0xd5000000 + n one at DST. 0xcafe0000 +
 * class is an engine object. 0 is no object. */
static gpucmd_status sized(void *user, uint32_t channel, uint32_t handle, gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    if (handle >> 24 == 0x51 || handle >> 24 == 0xd5) {
        object->class_id = 0x3d;
        object->va = handle >> 24 == 0x51 ? SRC : DST;
        object->bytes = handle & 0xffffff;
        return GPUCMD_OK;
    }
    return handle >> 16 == 0xcafe ? GPUCMD_OK : GPUCMD_FAULT;
}

static void begin(gpucmd_nv_chip chip)
{
    start(chip);
    card.object = sized;
    for (uint32_t i = 0; i < 0x1000; i += 4) {
        poke(SRC + i, 0x11110000 + i);
    }
}

/* Expect the fault of an engine at this address; then the channel goes on. */
static void faults_at(uint64_t va)
{
    EQUAL(ch.puller.fault, GPUCMD_FAULT);
    EQUAL(mem.fault_va, va);
    gpucmd_nv_channel_clear(&ch);
    EQUAL(gpucmd_nv_channel_run(&ch, &env, 100000), GPUCMD_RUN_IDLE);
}

/* 5039 and 0039: two lines of 16 bytes at a pitch of 32, from 0 in both objects. */
static void m2mf(void)
{
    static const struct {
        uint32_t in_bytes, out_bytes;
        uint64_t fault_va; /* 0: no fault */
    } rows[] = {
        {48, 48, 0       },
        {47, 48, SRC + 47}, /* the last byte of line 1 */
        {48, 47, DST + 47},
        {32, 48, SRC + 32},
        {8,  48, SRC + 8 },
        {48, 0,  DST     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned g80 = 0; g80 < 2; g80++) {
            const uint32_t in = 0x51000000 + rows[i].in_bytes;
            const uint32_t out = 0xd5000000 + rows[i].out_bytes;
            gpucmd_run run;
            begin(g80 ? CHIP(GT218) : CHIP(NV40));
            run = g80 ? RUN(0x00040000, 0xcafe5039, 0x00080184, in, out, 0x00040200, 1, 0x0004021c,
                            1, 0x0020030c, 0, 0, 32, 32, 16, 2, 0x101, 0)
                      : RUN(0x00040000, 0xcafe0039, 0x00080184, in, out, 0x0020030c, 0, 0, 32, 32,
                            16, 2, 0x101, 0);
            EQUAL(run, rows[i].fault_va != 0 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            if (rows[i].fault_va == 0) {
                EQUAL(peek(DST), 0x11110000);
                EQUAL(peek(DST + 44), 0x1111002c);
            } else {
                faults_at(rows[i].fault_va);
            }
            EQUAL(peek(DST + 48), 0);
        }
    }
    /* without objects, and a negative pitch that leaves the object downwards */
    begin(CHIP(G80));
    GO(FAULT, 0x00040000, 0xcafe5039, 0x0004021c, 1, 0x00040200, 1, 0x0020030c, 0, 0, 32, 32, 16, 2,
       0x101, 0);
    faults_at(0);
    GO(FAULT, 0x00080184, 0x51001000, 0xd5001000, 0x0020030c, 16, 0, 0xffffffe0, 32, 16, 2, 0x101,
       0);
    faults_at(SRC - 16);
    EQUAL(peek(DST + 12), 0x1111001c); /* line 0 was copied */
    /* without an object not even byte 0 is written or read, if there is memory */
    for (unsigned in = 0; in < 2; in++) {
        uint8_t low[16] = {7};
        gpucmd_region both[2] = {
            {0, sizeof low, low, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
            region
        };
        begin(CHIP(G80));
        both[1] = region;
        EQUAL(gpucmd_mem_init(&mem, both, 2), GPUCMD_OK);
        GO(FAULT, 0x00040000, 0xcafe5039, 0x00040184 + 4 * in, in != 0 ? 0xd5000010 : 0x51000010,
           0x0004021c, 1, 0x00040200, 1, 0x0020030c, 0, 0, 32, 32, 1, 1, 0x101, 0);
        faults_at(0);
        EQUAL(low[0], 7);
        EQUAL(peek(DST), 0);
    }
}

/* 85B5: SET_CTX_DMA 0 and 1 at 0x180; bits 31:28 of the upper halves select. */
static void copy_engine(void)
{
    begin(CHIP(GT215));
    GO(IDLE, 0x00040000, 0xcafe85b5, 0x00080180, 0x51000040, 0xd5000040, 0x00100400, 0, 0, 1u << 28,
       0, 0x00040418, 0x40, 0x00040300, 0x182);
    EQUAL(peek(DST + 0x3c), 0x1111003c);
    GO(FAULT, 0x00040418, 0x41, 0x00040300, 0x182);
    faults_at(SRC + 0x40);
    GO(FAULT, 0x00040184, 0xd5000020, 0x00040418, 0x40, 0x00040300, 0x182);
    faults_at(DST + 0x20);
    /* the semaphore: 4 bytes, then 16 */
    GO(IDLE, 0x000c0240, 1u << 28, 0x1c, 7, 0x00040300, 0x8);
    EQUAL(peek(DST + 0x1c), 7);
    GO(FAULT, 0x00040184, 0xd5000018, 0x00040244, 0x10, 0x00040300, 0x10);
    faults_at(DST + 0x10);
}

/* 502D: DMA_DST 0x184, DMA_SRC 0x188. A blit of 4 by 2 pixels of 4 bytes, both pitches 16; 3D classes
 * clear with DMA_COLOR 0x1c0, DMA_ZETA 0x184 and report with DMA_QUERY 0x188. */
static void two_d(uint32_t dst, uint32_t src, gpucmd_run want)
{
    begin(CHIP(G84));
    GO(IDLE, 0x00040000, 0xcafe502d, 0x00040188, src);
    if (dst != 0) {
        GO(IDLE, 0x00040184, dst);
    }
    GO(IDLE, 0x00080200, 0xcf, 1, 0x00180214, 16, 4, 2, 0, 0, 0);
    GO(IDLE, 0x00080230, 0xcf, 1, 0x00180244, 16, 4, 2, 0, 0, 0);
    GO(IDLE, 0x000402ac, 3);
    EQUAL(RUN(0x003008b0, 0, 0, 4, 2, 0, 1, 0, 1, 0, 0, 0, 0), want);
}

static void images(void)
{
    two_d(0xd5000020, 0x51000020, GPUCMD_RUN_IDLE);
    EQUAL(peek(DST + 0x1c), 0x1111001c);
    two_d(0xd500001f, 0x51000020, GPUCMD_RUN_FAULT);
    faults_at(DST + 0x1f);
    two_d(0xd5000020, 0x51000010, GPUCMD_RUN_FAULT);
    faults_at(SRC + 0x10);
    two_d(0, 0x51000020, GPUCMD_RUN_FAULT);
    faults_at(0);
}

static void three_d(void)
{
    /* 5097: RT 0 at offset 0, linear with a pitch of 64 bytes, 16 by 1 pixels of 4 bytes */
    static const uint32_t clear[] = {0x00140200, 0,          0,          0xd5,       0, 0,
                                     0x00081240, 0x80000040, 1,          0x00041224, 1, 0x00080ff4,
                                     16u << 16,  1u << 16,   0x000419d0, 0x3c};
    begin(CHIP(G80));
    GO(IDLE, 0x00040000, 0xcafe5097, 0x000401c0, 0xd5000040, 0x00100d80, 0x3f800000, 0, 0, 0);
    EQUAL(run_words(clear, sizeof clear / 4), GPUCMD_RUN_IDLE);
    EQUAL(peek(DST), 0xff);
    EQUAL(peek(DST + 0x3c), 0xff);
    GO(IDLE, 0x000401c0, 0xd5000020);
    EQUAL(run_words(clear, sizeof clear / 4), GPUCMD_RUN_FAULT);
    faults_at(DST + 0x20);
    /* DMA_COLOR(i) is 0x1c0 + 4 * i; target i at offset 0: RT(i) 0x200 + 0x20 * i, RT_HORIZ(i) and
     * RT_VERT(i) 0x1240 + 8 * i. 4 by 1 pixels. */
    for (uint32_t i = 0; i < 8; i++) {
        begin(CHIP(G80));
        GO(IDLE, 0x00040000, 0xcafe5097, 0x000401c0 + 4 * i, 0xd5000010, 0x00100d80, 0x3f800000, 0,
           0, 0, 0x00140200 + 0x20 * i, 0, 0, 0xd5, 0, 0, 0x00081240 + 8 * i, 0x80000010, 1,
           0x00041224, 1, 0x00080ff4, 16u << 16, 1u << 16, 0x000419d0, 0x3c | i << 6);
        EQUAL(peek(DST), 0xff);
        GO(FAULT, 0x000401c0 + 4 * i, 0xd500000c, 0x000419d0, 0x3c | i << 6);
        faults_at(DST + 0xc);
    }
    /* DMA_ZETA 0x184: ZETA 0xfe0, ENABLE 0x1538, HORIZ, VERT 0x1228, ARRAY_MODE 0x1230; one row of 16
     * pixels Z32_FLOAT (0xa), in one block of 64 bytes by 4 rows */
    begin(CHIP(G80));
    GO(IDLE, 0x00040000, 0xcafe5097, 0x00040184, 0xd5000040, 0x00040d90, 0x40000000, 0x00140fe0, 0,
       0, 0xa, 0, 0, 0x00041538, 1, 0x000c1228, 16, 1, 1, 0x00080ff4, 16u << 16, 1u << 16,
       0x000419d0, 1);
    EQUAL(peek(DST), 0x40000000);
    EQUAL(peek(DST + 0x3c), 0x40000000);
    GO(FAULT, 0x00040184, 0xd500003c, 0x000419d0, 1);
    faults_at(DST + 0x3c);
    /* REPORT_GET: 16 bytes with time, 4 with SHORT */
    GO(IDLE, 0x00040188, 0xd5000020, 0x00101b00, 0, 0x10, 5, 0);
    EQUAL(peek(DST + 0x10), 5);
    GO(FAULT, 0x00101b00, 0, 0x14, 5, 0);
    faults_at(DST + 0x14);
    GO(IDLE, 0x00101b00, 0, 0x1c, 6, 1u << 28);
    EQUAL(peek(DST + 0x1c), 6);
    /* 3D of NV30: DMA_FENCE 0x1a4, FENCE_OFFSET and VALUE; DMA_QUERY 0x1a8, QUERY_GET */
    begin(CHIP(NV40));
    GO(IDLE, 0x00040000, 0xcafe4097, 0x000401a4, 0xd5000010, 0x00081d6c, 0xc, 9);
    EQUAL(peek(DST + 0xc), 9);
    GO(FAULT, 0x00081d6c, 0x10, 9);
    faults_at(DST + 0x10);
    GO(IDLE, 0x000401a8, 0xd5000010, 0x00041800, 0x01000000);
    GO(FAULT, 0x00041800, 0x01000010);
    faults_at(DST + 0x10);
}

/* NV40: 16 bytes in DMA objects of 16 and of 12 bytes. Clears with DMA_COLOR 0x194, DMA_ZETA 0x198;
 * scaled images from DMA_IMAGE 0x184 to class 0062 (DMA_DST 0x188) or 309e (DMA 0x184). */
static void nv40(void)
{
    for (uint32_t kind = 0; kind < 5; kind++) {
        for (uint32_t bytes = 12; bytes <= 16; bytes += 4) {
            const uint32_t dst = 0xd5000000 + (kind == 4 ? 64 : bytes);
            const uint32_t src = 0x51000000 + (kind == 4 ? bytes : 64);
            gpucmd_run run;
            begin(CHIP(NV40));
            if (kind < 2) { /* 4 by 1 pixels, colour or depth and stencil */
                run = RUN(0x00040000, 0xcafe4097, 0x00040194 + 4 * kind, dst, 0x00180200, 4 << 16,
                          1 << 16, 0x148, 64, 0, 0, 0x0004022c, 64, 0x000808c0, 4 << 16, 1 << 16,
                          0x00081d8c, 0x11223344, 0x11223344, 0x00041d94, kind == 0 ? 0xf0 : 3);
            } else { /* an image of 4 by 1 pixels of 4 bytes */
                const bool swizzled = kind == 3;
                GO(IDLE, 0x00046000, swizzled ? 0xcafe309e : 0xcafe0062, 0x0004a000, 0xcafe3089,
                   swizzled ? 0x00046184 : 0x00046188, dst, 0x0004a184, src, 0x0004a198,
                   swizzled ? 0xcafe309e : 0xcafe0062);
                if (swizzled) {
                    GO(IDLE, 0x00086300, 0x0002000a, 0);
                } else {
                    GO(IDLE, 0x00106300, 0xa, 64 << 16 | 64, 0, 0);
                }
                run = RUN(0x0020a300, 3, 3, 0, 1 << 16 | 4, 0, 1 << 16 | 4, 1 << 20, 1 << 20,
                          0x0010a400, 1 << 16 | 4, 0x10040, 0, 0);
            }
            if (!EQUAL(run, bytes == 16 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT)) {
                printf("    kind %u\n", (unsigned)kind);
            }
            if (bytes == 12) {
                faults_at((kind == 4 ? SRC : DST) + 12);
            }
            EQUAL(peek(DST + 16), 0);
        }
    }
}

/* The pushbuffer's own object, by IB entries and NV4-style: MEM_FAULT, GET stays at the item. 6.1 */
static void pushbuffers(void)
{
    gpucmd_nv_pusher p;
    start(CHIP(G84));
    memset(&env, 0, sizeof env);
    env.mem = &mem;
    CHECK(gpucmd_nv_pusher_init(&p, CHIP(G84)) == GPUCMD_OK);
    EQUAL(p.dma_pushbuffer_bytes, ~(uint64_t)0);
    p.dma_pushbuffer_va = BASE;
    p.dma_pushbuffer_bytes = 0x108;
    p.ib_enable = true;
    p.ib_address = 0x100;
    p.ib_order = 2;
    poke(BASE + 0x100, 0xf8); /* words 0xf8 to 0x107: the second entry is data of the first */
    poke(BASE + 0x104, 4u << 10);
    p.ib_put = 2;
    EQUAL(gpucmd_nv_pusher_run(&p, &env, 1000), GPUCMD_RUN_FAULT);
    /* 0xf8, 0xfc are NOPs, 0x100 = 0xf8 is an empty INC, 0x104 = 0x1000: an empty INC; then entry 1 */
    EQUAL(p.error, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    EQUAL(p.dma_get, 0x108);
    EQUAL(p.ib_get, 1); /* entry 1 is beyond the object: not consumed */
    CHECK(gpucmd_nv_pusher_init(&p, CHIP(G84)) == GPUCMD_OK);
    p.dma_pushbuffer_va = BASE;
    p.dma_pushbuffer_bytes = 0x10a; /* no whole word after 0x107 */
    p.ib_enable = true;
    p.ib_address = 0x100;
    p.ib_order = 1;
    poke(BASE + 0x104, 5u << 10);
    p.ib_put = 1;
    EQUAL(gpucmd_nv_pusher_run(&p, &env, 1000), GPUCMD_RUN_FAULT);
    EQUAL(p.error, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    EQUAL(p.dma_get, 0x108);
    CHECK(gpucmd_nv_pusher_init(&p, CHIP(NV1A)) == GPUCMD_OK);
    p.dma_pushbuffer_va = BASE;
    p.dma_pushbuffer_bytes = 8;
    p.dma_put = 16;
    EQUAL(gpucmd_nv_pusher_run(&p, &env, 1000), GPUCMD_RUN_FAULT);
    EQUAL(p.error, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    EQUAL(p.dma_get, 8);
}

/* [PBDMA] DEVICE is raised at the header, before the data are fetched: data behind SYNC_WAIT never
 * arrive. Data in the same segment, or behind an entry without SYNC_WAIT, are shown with it. */
static void device(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t header; /* INC of one method */
        bool sync, at_header, raised;
    } rows[] = {
        {CHIP(GK104), 0x2001a040, true,  true,  true }, /* subchannel 5, method 0x100 */
        {CHIP(GA102), 0x2001e000, true,  true,  true }, /* SET_OBJECT on subchannel 7 */
        {CHIP(GA102), 0x2001a040, false, false, true },
        {CHIP(GA102), 0x20018040, true,  false, false}, /* subchannel 4 is the copy engine */
        {CHIP(GA102), 0x2001a014, true,  false, false}, /* SET_REFERENCE is a host method */
        {CHIP(GF100), 0x2001e000, true,  false, true }, /* engine 0x1f: the data say so */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].chip);
        poke(BASE, rows[i].header);
        poke(BASE + 4, 0x001f906e);
        poke(RING, BASE);
        poke(RING + 4, 1u << 10);
        poke(RING + 8, BASE + 4);
        poke(RING + 12, 1u << 10 | (rows[i].sync ? 1u << 31 : 0));
        ch.pbdma.gp_put = 1; /* the header alone: nothing is known of the data */
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_IDLE);
        ch.pbdma.gp_put = 2;
        EQUAL(gpucmd_nv_channel_run(&ch, &env, 100),
              rows[i].raised ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(ch.pbdma.intr, rows[i].raised ? 1u << 23 : 0);
        EQUAL(ch.pbdma.gp_get, rows[i].at_header ? 1 : 2);
        EQUAL(ch.pbdma.count, rows[i].at_header || rows[i].raised ? 1 : 0);
        if (rows[i].at_header) { /* clearing the interrupt does not help */
            EQUAL(ch.pbdma.pb_get, BASE + 4);
            gpucmd_nv_pbdma_clear(&ch.pbdma, 1u << 23);
            EQUAL(gpucmd_nv_channel_run(&ch, &env, 100), GPUCMD_RUN_FAULT);
            EQUAL(ch.pbdma.intr, 1u << 23);
        }
    }
}

int main(void)
{
    device();
    m2mf();
    copy_engine();
    images();
    three_d();
    nv40();
    pushbuffers();
    return test_report("nv_limits");
}

/* nv/exec.c - pusher and PBDMA, with expected values typed from the documents: errors and the
 * state after them, shadows, byte orders, SLI, IB entries, control entries, CRCs, and events of
 * methods. */
/* suite: executor */
#include "gpucmd_nv.h"

#include "test.h"

enum { VA = 0x1000, RING_VA = 0x8000, MOST_DW = 512 };

static struct {
    gpucmd_mem mem;
    gpucmd_region regions[2];
    gpucmd_env env;
    uint8_t words[4 * MOST_DW + 4];
    uint8_t ring[64];
    gpucmd_nv_pusher p;
    gpucmd_nv_pbdma d;
    unsigned calls;
    gpucmd_event last;
    uint32_t first; /* first word of the last call */
    uint32_t sizes[16];
    uint64_t sum;
} t;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    t.last = *e;
    t.first = e->data[0];
    EQUAL(*e->out_dw, 0);
    EQUAL((uintptr_t)e->data % 4, 0);
    if (t.calls < 16) {
        t.sizes[t.calls] = e->count_dw;
    }
    t.calls++;
    for (uint32_t i = 0; i < e->count_dw; i++) {
        t.sum += e->data[i];
    }
    return GPUCMD_OK;
}

static void memory(uint64_t va, const uint32_t *words, size_t n_dw, gpucmd_endian endian,
                   unsigned shift)
{
    gpucmd_store_words(t.words + shift, words, n_dw, endian);
    t.regions[0].va = va;
    t.regions[0].bytes = 4 * n_dw;
    t.regions[0].host = t.words + shift;
    t.regions[0].access_mask = GPUCMD_ACCESS_READ;
    t.regions[1].va = RING_VA;
    t.regions[1].bytes = sizeof t.ring;
    t.regions[1].host = t.ring;
    t.regions[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&t.mem, t.regions, 2), GPUCMD_OK);
    gpucmd_env_init(&t.env, &t.mem, on_event, NULL);
    t.calls = 0;
    t.sum = 0;
}

/* Start a pusher in NV4-style mode, with n_dw submitted words at VA. */
static void pusher(gpucmd_nv_chip chip, const uint32_t *words, size_t n_dw)
{
    memory(VA, words, n_dw, GPUCMD_LITTLE_ENDIAN, 0);
    EQUAL(gpucmd_nv_pusher_init(&t.p, chip), GPUCMD_OK);
    t.p.dma_get = VA;
    t.p.dma_put = VA + 4 * n_dw;
}

/* Start a pusher in IB mode; each entry is two words. */
static void pusher_ib(gpucmd_nv_chip chip, const uint32_t *entries, uint32_t count,
                      const uint32_t *words, size_t n_dw)
{
    pusher(chip, words, n_dw);
    gpucmd_store_words(t.ring, entries, 2 * (size_t)count, GPUCMD_LITTLE_ENDIAN);
    t.p.ib_enable = true;
    t.p.dma_put = t.p.dma_get = 0;
    t.p.ib_address = RING_VA;
    t.p.ib_order = 3;
    t.p.ib_put = count;
}

static void pbdma(gpucmd_nv_chip chip, const uint32_t *entries, uint32_t count,
                  const uint32_t *words, size_t n_dw)
{
    memory(VA, words, n_dw, GPUCMD_LITTLE_ENDIAN, 0);
    gpucmd_store_words(t.ring, entries, 2 * (size_t)count, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_pbdma_init(&t.d, chip), GPUCMD_OK);
    t.d.gp_base = RING_VA;
    t.d.limit2 = 3;
    t.d.gp_put = count;
}

#define STEP()      gpucmd_nv_pusher_step(&t.p, &t.env)
#define RUN()       gpucmd_nv_pusher_run(&t.p, &t.env, 10000)
#define PB_STEP()   gpucmd_nv_pbdma_step(&t.d, &t.env)
#define PB_RUN()    gpucmd_nv_pbdma_run(&t.d, &t.env, 10000)
#define ARRAY_DW(a) (sizeof(a) / sizeof((a)[0]))

#define CAME(n, subc, mthd, k, data0)                                                              \
    do {                                                                                           \
        EQUAL(t.calls, n);                                                                         \
        EQUAL(t.last.kind, GPUCMD_EVENT_METHODS);                                                  \
        EQUAL(t.last.unit, subc);                                                                  \
        EQUAL(t.last.addr, mthd);                                                                  \
        EQUAL(t.last.code, GPUCMD_NV_KIND_##k);                                                    \
        EQUAL(t.last.value, 0);                                                                    \
        EQUAL(t.first, data0);                                                                     \
    } while (0)

static void six_errors(void)
{
    const uint32_t call[] = {0x00001002};
    const uint32_t mthd[] = {0x000c6004, 7, 8, 9};
    const uint32_t ret[] = {0x00020000, 0};
    const uint32_t cmd[] = {0xa0000000, 0};
    const uint32_t empty[] = {0x00001000, 0x00000000, 0x00001000, 0x00000400};
    pusher(GPUCMD_NV_CHIP_NV1A, call, 1);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.subr_return, 0x1004);
    EQUAL(t.p.dma_get_jmp_shadow, 0);
    EQUAL(STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 1);
    EQUAL(t.p.dma_get, 0x1004);
    EQUAL(t.p.subr_active, 1);
    EQUAL(t.p.subr_return, 0x1004);
    EQUAL(t.p.rsvd_shadow, 0x00001002);
    EQUAL(STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.dma_get, 0x1004);
    gpucmd_nv_pusher_recover(&t.p);
    EQUAL(t.p.subr_active, 1); /* a separate register before NV40 */
    EQUAL(t.p.error, 0);
    EQUAL(STEP(), GPUCMD_RUN_IDLE);

    pusher(GPUCMD_NV_CHIP_NV40, mthd, 4);
    t.p.sli_enable = true;
    t.p.sli_active = false; /* also tested if SLI drops the method */
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 2);
    EQUAL(t.p.dma_get, 0x1008);
    EQUAL(t.p.mthd, 1);
    EQUAL(t.p.subc, 3);
    EQUAL(t.p.mcnt, 3);
    EQUAL(t.p.dcount_shadow, 0);
    EQUAL(t.p.data_shadow, 7);
    EQUAL(t.calls, 0);
    t.p.subr_active = true;
    gpucmd_nv_pusher_recover(&t.p);
    EQUAL(t.p.dma_get, 0x1010); /* everything submitted is dropped */
    EQUAL(t.p.mcnt | t.p.mthd | t.p.subc | t.p.subr_active, 0);

    pusher(GPUCMD_NV_CHIP_NV1A, ret, 2);
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 3);
    EQUAL(t.p.dma_get, 0x1004);
    EQUAL(t.p.subr_active, 0);
    EQUAL(t.p.rsvd_shadow, 0x00020000);

    pusher(GPUCMD_NV_CHIP_NV4, cmd, 2);
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 4);
    EQUAL(t.p.dma_get, 0x1004);
    EQUAL(t.p.rsvd_shadow, 0); /* NV5 and later */
    pusher(GPUCMD_NV_CHIP_NV5, cmd, 2);
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.rsvd_shadow, 0xa0000000);

    pusher_ib(GPUCMD_NV_CHIP_G80, empty, 2, cmd, 2);
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 5);
    EQUAL(t.p.ib_get, 1);
    EQUAL(t.p.dma_get, t.p.dma_put);
    gpucmd_nv_pusher_recover(&t.p);
    EQUAL(t.p.ib_get, 2); /* the ring is dropped */
    EQUAL(STEP(), GPUCMD_RUN_IDLE);

    pusher(GPUCMD_NV_CHIP_NV4, ret, 1);
    t.p.dma_get = 0x2000;
    EQUAL(STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 6);
    EQUAL(t.p.dma_get, 0x2000);
    t.p.fault = GPUCMD_UNSUPPORTED; /* as after a callback that failed */
    gpucmd_nv_pusher_recover(&t.p);
    EQUAL(t.p.error, 0);
    EQUAL(t.p.fault, GPUCMD_OK);
    pusher_ib(GPUCMD_NV_CHIP_G80, empty, 2, cmd, 2);
    t.p.ib_address = 0x9000;
    EQUAL(STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 6);
    EQUAL(t.p.ib_get, 0);
}

static void limit_and_shadows(void)
{
    const uint32_t words[] = {0x00080100, 0x11, 0x22, 0x00001011, 0x20001008};
    pusher(GPUCMD_NV_CHIP_NV1A, words, 5);
    t.p.dma_limit = 0x1004; /* first byte that must not be read */
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 6);
    EQUAL(t.p.dma_get, 0x1004);
    t.p.error = GPUCMD_NV_PUSHER_ERROR_NONE;
    t.p.dma_limit = 0x1100;
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.dcount_shadow, 1);
    EQUAL(t.p.data_shadow, 0x11);
    EQUAL(t.p.mthd, 0x41);
    EQUAL(t.p.mcnt, 1);
    CAME(1, 0, 0x100, INC, 0x11);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    CAME(2, 0, 0x104, INC, 0x22);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.dma_get, 0x1010);
    EQUAL(t.p.dma_get_jmp_shadow, 0x1010); /* already past the jump */
    EQUAL(t.p.rsvd_shadow, 0x00001011);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.dma_get, 0x1008);
    EQUAL(t.p.dma_get_jmp_shadow, 0x1014);
}

/* NV5 and later keep the last data word and count data words, also after a step of a header. */
static void last_data(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t mthd, data, count_dw;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV4, 0x100, 0, 0},
        {GPUCMD_NV_CHIP_NV4, 4,     0, 0}, /* an invalid method */
        {GPUCMD_NV_CHIP_NV5, 0x100, 7, 3},
        {GPUCMD_NV_CHIP_NV5, 4,     5, 0},
    };
    for (unsigned i = 0; i < 2 * ARRAY_DW(rows); i++) {
        const uint32_t words[] = {0x000c6000 | rows[i / 2].mthd, 5, 6, 7};
        pusher(rows[i / 2].chip, words, 4);
        t.p.dcount_shadow = 9; /* a header sets it to 0 */
        EQUAL(i % 2 != 0 ? STEP() : GPUCMD_RUN_DONE, GPUCMD_RUN_DONE);
        EQUAL(RUN(), rows[i / 2].mthd == 4 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(t.p.data_shadow, rows[i / 2].data);
        EQUAL(t.p.dcount_shadow, rows[i / 2].count_dw);
    }
}

/* The words of a run that are after the last method are another event, which starts at method 0. */
static void wraps(void)
{
    const uint32_t words[] = {0x000c7ff8, 5, 6, 7};
    pusher(GPUCMD_NV_CHIP_NV40, words, 4);
    EQUAL(RUN(), GPUCMD_RUN_IDLE);
    CAME(2, 3, 0, INC, 7);
    EQUAL(t.last.count_dw, 1);
    EQUAL(t.last.va, 0x100c);
}

/* The flag that selects the byte order depends on the chip. */
static void byte_order(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        bool big_endian, pfifo_endian, big;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV4,   true,  true,  false},
        {GPUCMD_NV_CHIP_NV15,  true,  true,  false},
        {GPUCMD_NV_CHIP_NV1A,  true,  false, true },
        {GPUCMD_NV_CHIP_NV1A,  false, true,  false},
        {GPUCMD_NV_CHIP_RSX,   true,  false, true },
        {GPUCMD_NV_CHIP_G80,   true,  false, false},
        {GPUCMD_NV_CHIP_MCP89, false, true,  true },
    };
    const uint32_t words[] = {0x00046100, 0x12345678};
    for (unsigned i = 0; i < ARRAY_DW(rows); i++) {
        for (int right = 0; right < 2; right++) {
            const bool big = right != 0 ? rows[i].big : !rows[i].big;
            pusher(rows[i].chip, words, 2);
            gpucmd_store_words(t.words, words, 2, big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN);
            t.p.big_endian = rows[i].big_endian;
            t.p.pfifo_endian = rows[i].pfifo_endian;
            EQUAL(RUN(), right != 0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            if (right != 0) {
                CAME(1, 3, 0x100, INC, 0x12345678);
            }
        }
    }
}

static void sli_and_subroutine(void)
{
    const uint32_t sli[] = {0x00010020, 0x00040100, 5, 0x00010010, 0x00040100, 6};
    const uint32_t subr[] = {0x00001012, 0x00040100, 9, 0x00001021, 0x00042104, 8, 0x00020000, 0};
    pusher(GPUCMD_NV_CHIP_NV40, sli, 6);
    t.p.sli_enable = true;
    t.p.sli_mask = 1;
    EQUAL(RUN(), GPUCMD_RUN_IDLE);
    CAME(1, 0, 0x100, INC, 6); /* the first one was not for this GPU */
    EQUAL(t.p.data_shadow, 6);
    pusher(GPUCMD_NV_CHIP_NV40, sli, 6);
    EQUAL(RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.p.error, 4);
    pusher(GPUCMD_NV_CHIP_NV40, subr, 8);
    EQUAL(gpucmd_nv_pusher_step(&t.p, &t.env), GPUCMD_RUN_DONE);
    EQUAL(t.p.dma_get, 0x1010);
    EQUAL(t.p.subr_return, 0x1004);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x54), 0x1004);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x44), 0x1010);
    EQUAL(RUN(), GPUCMD_RUN_IDLE);
    CAME(2, 0, 0x100, INC, 9);
    EQUAL(t.p.subr_active, 0);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x54), 0x1020);
}

/* Long count across entries. In segments that are not MAIN, MGET does not change. */
static void ib_mode(void)
{
    const uint32_t entries[] = {0x00001000, 0x00000400, 0x00001004, 0x00000b00,
                                0x0000100d, 0xffffffff, 0x0000100c, 0x00000400};
    const uint32_t words[] = {0x0003e400, 0xaa000002, 0x51, 0x52};
    pusher_ib(GPUCMD_NV_CHIP_G80, entries, 4, words, 4);
    EQUAL(t.p.dma_mget_val, 0);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.dma_get, 0x1000);
    EQUAL(t.p.dma_put, 0x1004);
    EQUAL(t.p.dma_mget, 0x1000);
    EQUAL(t.p.dma_mget_val, 0);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.lenp, 1);
    EQUAL(t.p.mcnt, 0);
    EQUAL(t.p.dma_mget, 0x1004);
    EQUAL(t.p.dma_mget_val, 1);
    EQUAL(STEP(), GPUCMD_RUN_DONE); /* entry 1: not MAIN, PRIV */
    EQUAL(t.p.nonmain, 1);
    EQUAL(t.p.priv, 1);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.lenp, 0);
    EQUAL(t.p.mcnt, 2);
    EQUAL(STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.p.dma_mget, 0x1004);
    CAME(1, 7, 0x400, NON_INC, 0x51);
    EQUAL(STEP(), GPUCMD_RUN_DONE); /* entry 2: DISABLE */
    EQUAL(t.p.nonmain, 1);
    EQUAL(t.p.ib_get, 3);
    EQUAL(RUN(), GPUCMD_RUN_IDLE);
    CAME(2, 7, 0x400, NON_INC, 0x52);
    EQUAL(t.p.mcnt, 0);
    EQUAL(t.p.nonmain, 0);
    EQUAL(t.p.priv, 0);
    EQUAL(t.p.dma_mget, 0x1010);
    EQUAL(t.p.ib_get, 4);
    EQUAL(t.p.dcount_shadow, 2);
}

/* NV5 and later keep the address after a jump. */
static void old_jumps(void)
{
    const uint32_t words[] = {0x20001004, 0};
    for (unsigned i = 0; i < 2; i++) {
        pusher(i == 0 ? GPUCMD_NV_CHIP_NV4 : GPUCMD_NV_CHIP_NV5, words, 2);
        t.p.dma_get_jmp_shadow = 9;
        EQUAL(STEP(), GPUCMD_RUN_DONE);
        EQUAL(t.p.dma_get_jmp_shadow, i == 0 ? 0 : 0x1004);
        EQUAL(t.p.rsvd_shadow, i == 0 ? 0 : 0x20001004);
    }
}

/* An entry must be in the DMA object. */
static void last_entry(void)
{
    const uint32_t entries[] = {0x00001001, 0, 0x00001001, 0}, words[] = {0};
    for (uint32_t bytes = 7; bytes < 17; bytes++) {
        pusher_ib(GPUCMD_NV_CHIP_G80, entries, 2, words, 1);
        t.p.dma_pushbuffer_va = RING_VA;
        t.p.dma_pushbuffer_bytes = bytes;
        t.p.ib_address = 0;
        EQUAL(RUN(), bytes < 16 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(t.p.ib_get, bytes / 8);
        EQUAL(t.p.error, bytes < 16 ? 6 : 0);
    }
}

/* A word must be in the DMA object and in memory with all its bytes. */
static void last_word(void)
{
    const uint32_t words[] = {0, 0};
    for (uint32_t bytes = 1; bytes < 10; bytes++) {
        for (unsigned i = 0; i < 2; i++) {
            pusher(GPUCMD_NV_CHIP_NV40, words, 2);
            t.p.dma_pushbuffer_va = VA;
            t.p.dma_get = 0;
            t.p.dma_put = 8;
            t.p.dma_pushbuffer_bytes = i == 0 ? bytes : 8;
            t.regions[0].bytes = i != 0 ? bytes : 8;
            EQUAL(gpucmd_mem_init(&t.mem, t.regions, 2), GPUCMD_OK);
            EQUAL(RUN(), bytes < 8 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            EQUAL(t.p.dma_get, bytes < 8 ? bytes / 4 * 4 : 8);
            EQUAL(t.p.error, bytes < 8 ? 6 : 0);
        }
    }
}

/* Addresses before G80 have 32 bits, those of segments 40; the word after the last is at 0. */
static void last_addresses(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t entry[2];
        uint64_t va, get; /* get: after the words */
    } rows[] = {
        {GPUCMD_NV_CHIP_RSX,   {0, 0},                   0xfffffff8,   0          },
        {GPUCMD_NV_CHIP_G80,   {0xfffffff8, 0x00000801}, 0x1fffffff8,  0x200000000},
        {GPUCMD_NV_CHIP_G80,   {0xfffffff8, 0x000008ff}, 0xfffffffff8, 0          },
        {GPUCMD_NV_CHIP_MCP89, {0xfffffff8, 0x000008ff}, 0xfffffffff8, 0          },
    };
    const uint32_t words[] = {0x00040100, 7};
    for (unsigned i = 0; i < ARRAY_DW(rows); i++) {
        if (rows[i].entry[1] == 0) {
            pusher(rows[i].chip, words, 2);
            t.p.dma_get = rows[i].va;
            t.p.dma_put = 0;
        } else {
            pusher_ib(rows[i].chip, rows[i].entry, 1, words, 2);
        }
        t.regions[0].va = rows[i].va;
        gpucmd_mem_sort(t.regions, 2);
        EQUAL(gpucmd_mem_init(&t.mem, t.regions, 2), GPUCMD_OK);
        EQUAL(RUN(), GPUCMD_RUN_IDLE);
        CAME(1, 0, 0x100, INC, 7);
        EQUAL(t.last.va, rows[i].va + 4);
        EQUAL(t.p.dma_get, rows[i].get);
    }
}

static void control_area(void)
{
    const uint32_t words[] = {0};
    pusher(GPUCMD_NV_CHIP_G80, words, 1);
    t.p.dma_get = 0x3412345678;
    t.p.dma_put = 0x5600000010;
    t.p.dma_mget = 0x7822222220;
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x60), 0); /* nothing latched yet */
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x44), 0x12345678);
    t.p.dma_get = 0x9912345678;
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x60), 0x34);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x58), 0x22222220);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x5c), 0x78);
    t.p.dma_mget_val = true;
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x5c), 0x78);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x58), 0x22222220);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x5c), 0x80000078);
    gpucmd_nv_pusher_write32(&t.p, 0x4c, 0x1ab);
    EQUAL(t.p.dma_put, 0x5600000010);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x4c), 0); /* the read shadow is another */
    gpucmd_nv_pusher_write32(&t.p, 0x40, 0x00000023);
    EQUAL(t.p.dma_put, 0xab00000020);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x40), 0x20);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x4c), 0xab);
    gpucmd_nv_pusher_write32(&t.p, 0x40, 0x40);
    EQUAL(t.p.dma_put, 0xab00000040); /* the write shadow is kept */
    gpucmd_nv_pusher_write32(&t.p, 0x8c, 1);
    EQUAL(t.p.ib_put, 0); /* IB mode only */
    t.p.ib_enable = true;
    t.p.ib_order = 2;
    gpucmd_nv_pusher_write32(&t.p, 0x8c, 7);
    EQUAL(t.p.ib_put, 3);
    gpucmd_nv_pusher_write32(&t.p, 0x40, 0);
    gpucmd_nv_pusher_write32(&t.p, 0x4c, 0);
    EQUAL(t.p.dma_put, 0xab00000040); /* not in IB mode */
    EQUAL(t.p.dma_put_high_ws, 0xab);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x54), 0);
    EQUAL(gpucmd_nv_pusher_read32(&t.p, 0x8c), 3);
}

/* ---- PBDMA ---- */

static void forms(void)
{
    const uint32_t entries[] = {0x00001000, 0x00003000}; /* 12 words */
    const uint32_t words[] = {0x20020040, 1,          2, 0x60022040, 3, 4,
                              0x9fffe040, 0xa0024040, 5, 6,          0, 0x60000002};
    pbdma(GPUCMD_NV_CHIP_TU102, entries, 1, words, 12);
    EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, 4), GPUCMD_RUN_LIMIT);
    CAME(1, 0, 0x100, INC, 1);
    EQUAL(t.last.count_dw, 2);
    EQUAL(t.d.mthd, 0x42);
    EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, 3), GPUCMD_RUN_LIMIT);
    CAME(2, 1, 0x100, NON_INC, 3);
    EQUAL(t.last.va, 0x1010);
    EQUAL(PB_STEP(), GPUCMD_RUN_DONE);
    CAME(3, 7, 0x100, IMMD, 0x1fff);
    EQUAL(t.last.count_dw, 1);
    EQUAL(t.d.type, 4);
    EQUAL(PB_STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.d.type, 5);
    EQUAL(PB_STEP(), GPUCMD_RUN_DONE);
    EQUAL(t.d.type, 3);
    EQUAL(t.d.mthd, 0x41);
    CAME(4, 2, 0x100, ONE_INC, 5);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    CAME(5, 2, 0x104, NON_INC, 6);
    EQUAL(t.d.hdr_shadow, 0x60000002);
    EQUAL(t.d.subc, 2); /* a count of zero changes nothing of PB_HEADER */
    EQUAL(t.d.top_level_get, 0x1030);
    EQUAL(t.d.top_level_get_valid, 1);
}

/* A run over two segments and a control entry; END_SEGMENT drops the rest. */
static void segments(void)
{
    const uint32_t entries[] = {0x00001000, 0x00000800, 0, 0x80000000, 0x00001008, 0x00001200};
    const uint32_t words[] = {0x20020040, 1, 2, 0xe0000000, 0xc0000000, 0xc0000000};
    pbdma(GPUCMD_NV_CHIP_GF100, entries, 3, words, 6);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    CAME(2, 0, 0x104, INC, 2);
    EQUAL(t.d.intr, 0);
    EQUAL(t.d.pb_get, 0x1018);
    EQUAL(t.d.level, 1);
    EQUAL(t.d.top_level_get, 0x1008); /* entry 2 is a SUBROUTINE */
    EQUAL(t.d.type, 7);
    EQUAL(t.d.gp_get, 3);
}

static void crcs(void)
{
    const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    /* NON_INC NOP of one word, then its data: the bytes 02 00 01 60, '1' '2' '3' '4' */
    const uint32_t words[] = {0x60010002, 0x34333231};
    uint32_t entries[] = {0x00001000, 0x00000800, 0, 3, 0, 2};
    uint32_t crc = 0;
    EQUAL(gpucmd_nv_crc(0, digits, 9), 0x89a1897f);
    EQUAL(gpucmd_nv_crc(gpucmd_nv_crc(0, digits, 4), digits + 4, 5), 0x89a1897f);
    EQUAL(gpucmd_nv_crc(0, digits, 0), 0);
    for (int i = 0; i < 64; i++) { /* bit by bit, words lowest byte first */
        const int byte = i / 8;
        const uint32_t v = words[byte / 4] >> 8 * (byte % 4) & 0xff;
        const uint32_t in = (v >> (7 - i % 8) & 1) ^ crc >> 31;
        crc = crc << 1 ^ (in != 0 ? 0x04c11db7 : 0);
    }
    entries[2] = crc;
    crc = 0;
    for (int i = 0; i < 64; i++) {
        const int byte = i / 8;
        const uint32_t v = entries[byte / 4] >> 8 * (byte % 4) & 0xff;
        const uint32_t in = (v >> (7 - i % 8) & 1) ^ crc >> 31;
        crc = crc << 1 ^ (in != 0 ? 0x04c11db7 : 0);
    }
    entries[4] = crc;
    pbdma(GPUCMD_NV_CHIP_TU102, entries, 3, words, 2);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    EQUAL(t.d.gp_crc, 0); /* compared and cleared */
    entries[2]++;
    entries[4]++;
    pbdma(GPUCMD_NV_CHIP_TU102, entries, 3, words, 2);
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 19);
    EQUAL(t.d.gp_get, 2);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 19);
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 16);
    EQUAL(t.d.gp_crc, 0);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 16);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
}

/* A PB_CRC takes a unit for each 256 bytes, and a region counts as at least 16 of them. */
static void crc_units(void)
{
    static const struct {
        uint32_t len_dw, region_bytes, units;
    } rows[] = {
        {1,   2048, 1},
        {64,  2048, 1},
        {65,  2048, 2},
        {128, 2048, 2},
        {129, 2048, 3},
        {257, 2048, 5},
        {16,  4,    1},
        {17,  4,    2},
        {32,  8,    1},
        {33,  8,    2},
        {64,  15,   2},
        {64,  16,   1},
        {65,  16,   2}
    };
    static const uint32_t words[MOST_DW]; /* 0 is the header of no words; their CRC is 0 */
    static gpucmd_region regions[64];
    for (size_t i = 0; i < ARRAY_DW(rows); i++) {
        const uint32_t entries[] = {VA, rows[i].len_dw << 10, 0, 3};
        const size_t count = 4 * (size_t)rows[i].len_dw / rows[i].region_bytes + 1;
        pbdma(GPUCMD_NV_CHIP_GA100, entries, 2, words, MOST_DW);
        for (size_t k = 0; k < count; k++) {
            regions[k] = t.regions[0];
            regions[k].va += k * rows[i].region_bytes;
            regions[k].host = t.words + k * rows[i].region_bytes;
            regions[k].bytes = rows[i].region_bytes;
        }
        regions[count] = t.regions[1];
        EQUAL(gpucmd_mem_init(&t.mem, regions, count + 1), GPUCMD_OK);
        EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, 1 + rows[i].len_dw), GPUCMD_RUN_LIMIT);
        for (uint32_t unit = 1; unit < rows[i].units; unit++) {
            EQUAL(PB_STEP(), GPUCMD_RUN_DONE);
            EQUAL(t.d.gp_get, 1);
        }
        EQUAL(PB_STEP(), GPUCMD_RUN_DONE);
        EQUAL(t.d.gp_get, 2);
        EQUAL(PB_STEP(), GPUCMD_RUN_IDLE);
    }
}

/* Conditional segments, and the subdevice commands that decide about them. */
static void subdevices(void)
{
    const uint32_t skip[] = {0x00001000, 0x00000800, 0x00001009, 0x00000800};
    const uint32_t skip_words[] = {0x00020030, 0x00010020, 0x20010040, 7};
    const uint32_t ends[] = {0x00001001, 0x00000c00, 0x0000100c, 0x00000800};
    const uint32_t ends_words[] = {0x00020020, 0x00030000, 0xc0000000, 0x00010010, 0x80050040};
    const uint32_t seam[] = {0x00001000, 0x00000400, 0x00001005, 0x00000800};
    const uint32_t seam_words[] = {0x20020040, 7, 8};
    pbdma(GPUCMD_NV_CHIP_GF100, skip, 2, skip_words, 4);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    EQUAL(t.calls, 0);
    EQUAL(t.d.subdevice, 0x20030001); /* inactive, mask 3 stored */
    EQUAL(t.d.pb_get, 0x1008);
    EQUAL(t.d.gp_get, 2);
    pbdma(GPUCMD_NV_CHIP_GF100, ends, 2, ends_words, 5);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE); /* USE ends the first segment */
    CAME(1, 0, 0x100, IMMD, 5);
    EQUAL(t.d.subdevice, 0x30020001);
    pbdma(GPUCMD_NV_CHIP_GF100, ends, 2, ends_words, 5);
    t.d.subdevice = 0x00000001; /* CHANNEL_DMA off: STORE allowed, USE not, methods pass */
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 18);
    EQUAL(t.d.hdr_shadow, 0x00030000);
    EQUAL(t.d.subdevice, 0x00020001);
    pbdma(GPUCMD_NV_CHIP_GF100, seam, 2, seam_words, 3);
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 30);
    CAME(1, 0, 0x100, INC, 7);
    EQUAL(t.d.count, 1);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 30);
    EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    CAME(2, 0, 0x104, INC, 8);
}

static void gp_rules(void)
{
    const uint32_t bad[] = {0xdeadbeef, 1, 0xfffffffc, 0x000004ff, 0x00001000, 0x00000400};
    const uint32_t words[] = {0xc0000000};
    pbdma(GPUCMD_NV_CHIP_TU102, bad, 3, words, 1);
    t.d.gp_crc = 5;
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 15);
    EQUAL(t.d.gp_get, 1); /* discarded */
    EQUAL(t.d.gp_crc, 5);
    EQUAL(t.d.gp_shadow[0], 0xdeadbeef);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 15);
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 15);
    EQUAL(t.d.gp_get, 2);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 15);
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 18);
    EQUAL(t.d.count, 0);
    pbdma(GPUCMD_NV_CHIP_GA100, bad, 3, words, 1);
    t.d.gp_crc = 5;
    EQUAL(PB_RUN(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.gp_crc, 0);
    pbdma(GPUCMD_NV_CHIP_TU102, bad, 3, words, 1);
    gpucmd_nv_pbdma_write32(&t.d, 0x8c, 8);
    EQUAL(PB_STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 14);
    EQUAL(t.d.gp_get, 0);
    gpucmd_nv_pbdma_clear(&t.d, 0xffffffff);
    gpucmd_nv_pbdma_write32(&t.d, 0x8c, 0);
    EQUAL(PB_STEP(), GPUCMD_RUN_IDLE);
    t.d.gp_base = 0xffffffffc8; /* 8 entries of 8 bytes pass 2^40 */
    EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, 0), GPUCMD_RUN_LIMIT);
    EQUAL(t.d.intr, 0);
    EQUAL(PB_STEP(), GPUCMD_RUN_FAULT);
    EQUAL(t.d.intr, 1u << 13);
    gpucmd_nv_pbdma_clear(&t.d, 1u << 13);
    t.d.gp_base = 0xffffffffc0;
    EQUAL(PB_STEP(), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_nv_pbdma_init(&t.d, GPUCMD_NV_CHIP_MCP89), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_pusher_init(&t.p, GPUCMD_NV_CHIP_GF100), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_pusher_init(&t.p, GPUCMD_NV_CHIP_NV3T), GPUCMD_UNSUPPORTED);
}

/* ---- events of methods ---- */

/* Sizes of the calls that n_dw words of data come in; at most 64 where they must be moved. If
 * alone, the header is executed before them. */
static void batch(bool new_format, uint32_t n_dw, bool big, unsigned shift, bool alone)
{
    const uint32_t entry[] = {VA, (n_dw + 1) << 10};
    const gpucmd_endian endian = big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    const bool whole = gpucmd_cpu_endian() == endian && shift == 0;
    uint32_t words[MOST_DW];
    uint64_t sum = 0;
    uint32_t left_dw = n_dw;
    words[0] = new_format ? 0x60000040 | n_dw << 16 : 0x40000100 | n_dw << 18;
    for (uint32_t i = 1; i <= n_dw; i++) {
        words[i] = i * 0x01020304;
        sum += words[i];
    }
    if (new_format) {
        pbdma(GPUCMD_NV_CHIP_TU102, entry, 1, words, n_dw + 1);
        memory(VA, words, n_dw + 1, endian, shift);
        EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, alone ? 2 : 0), GPUCMD_RUN_LIMIT);
        EQUAL(PB_RUN(), GPUCMD_RUN_IDLE);
    } else {
        pusher(GPUCMD_NV_CHIP_NV40, words, n_dw + 1);
        memory(VA, words, n_dw + 1, endian, shift);
        t.p.big_endian = big;
        EQUAL(gpucmd_nv_pusher_run(&t.p, &t.env, alone ? 1 : 0), GPUCMD_RUN_LIMIT);
        EQUAL(RUN(), GPUCMD_RUN_IDLE);
    }
    EQUAL(t.sum, sum);
    EQUAL(t.calls, whole ? 1 : (n_dw + 63) / 64);
    CHECK(!whole || (const uint8_t *)t.last.data == t.words + 4);
    for (unsigned i = 0; i < t.calls && i < 16; i++) {
        const uint32_t want = whole || left_dw < 64 ? left_dw : 64;
        EQUAL(t.sizes[i], want);
        left_dw -= want;
    }
    EQUAL(left_dw, 0);
}

static void batches(void)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 128, 500};
    for (unsigned i = 0; i < ARRAY_DW(sizes); i++) {
        for (unsigned k = 0; k < 8; k++) {
            batch(false, sizes[i], false, k / 2, k % 2 != 0);
            batch(false, sizes[i], true, k / 2, k % 2 != 0);
            batch(true, sizes[i], false, k / 2, k % 2 != 0);
        }
    }
}

static gpucmd_status takes_more(void *user, const gpucmd_event *e)
{
    (void)user;
    *e->out_dw = e->count_dw + 1;
    return GPUCMD_BLOCKED;
}

/* A callback that blocks and says that it executed more words than it got. */
static void too_many(void)
{
    const uint32_t entry[] = {VA, 4 << 10};
    for (unsigned alone = 0; alone < 2; alone++) {
        const uint32_t old[] = {0x00080100, 7, 8, 0}, words[] = {0x20020040, 7, 8, 0};
        pusher(GPUCMD_NV_CHIP_NV40, old, 4);
        t.env.event = takes_more;
        EQUAL(gpucmd_nv_pusher_run(&t.p, &t.env, alone), GPUCMD_RUN_LIMIT);
        EQUAL(RUN(), GPUCMD_RUN_BLOCKED);
        EQUAL(t.p.dma_get, VA + 12);
        EQUAL(t.p.mcnt, 0);
        pbdma(GPUCMD_NV_CHIP_TU102, entry, 1, words, 4);
        t.env.event = takes_more;
        EQUAL(gpucmd_nv_pbdma_run(&t.d, &t.env, 2 * alone), GPUCMD_RUN_LIMIT);
        EQUAL(PB_RUN(), GPUCMD_RUN_BLOCKED);
        EQUAL(t.d.pb_get, VA + 12);
        EQUAL(t.d.count, 0);
    }
}

/* ---- trace ---- */

static struct {
    unsigned count;
    gpucmd_event at[8];
} traced;

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)user;
    if (traced.count < 8) {
        traced.at[traced.count] = *e;
    }
    traced.count++;
    return GPUCMD_OK;
}

/* The pusher and the PBDMA stop after the fetched words if there are more. From G80 on the words
 * are a segment. */
typedef struct trace_row {
    gpucmd_nv_chip chip;
    uint32_t n_dw, fetched_dw;
    uint32_t words[4];
    uint32_t codes[4]; /* of the fetched words */
} trace_row;

static void trace_one(const trace_row *row)
{
    enum { OFF = 0x400 }; /* address of the DMA object */
    const bool old = row->chip < GPUCMD_NV_CHIP_GF100;
    const unsigned first = row->chip >= GPUCMD_NV_CHIP_G80 ? 1 : 0;
    const uint32_t entry[] = {VA - (old ? OFF : 0), row->n_dw << 10};
    gpucmd_run run = GPUCMD_RUN_DONE;
    memset(&traced, 0, sizeof traced);
    if (!old) {
        pbdma(row->chip, entry, 1, row->words, row->n_dw);
    } else if (first != 0) {
        pusher_ib(row->chip, entry, 1, row->words, row->n_dw);
        t.p.ib_address = RING_VA - OFF;
    } else {
        pusher(row->chip, row->words, row->n_dw);
        t.p.sli_enable = row->chip == GPUCMD_NV_CHIP_NV40;
        t.p.dma_get -= OFF;
        t.p.dma_put -= OFF;
    }
    t.p.dma_pushbuffer_va = OFF;
    t.env.trace = on_trace;
    while (run == GPUCMD_RUN_DONE) {
        test_dirty();
        run = old ? STEP() : PB_STEP();
    }
    EQUAL(run, row->fetched_dw < row->n_dw ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
    EQUAL(traced.count, first + row->fetched_dw);
    if (first != 0) {
        EQUAL(traced.at[0].code, GPUCMD_NV_FETCH_ENTRY);
        EQUAL(traced.at[0].va, RING_VA);
        EQUAL(traced.at[0].value, (uint64_t)entry[1] << 32 | entry[0]);
    }
    for (uint32_t k = 0; k < row->fetched_dw; k++) {
        const gpucmd_event *const e = &traced.at[first + k];
        EQUAL(e->kind, GPUCMD_EVENT_FETCH);
        EQUAL(e->code, row->codes[k]);
        EQUAL(e->va, VA + 4 * k);
        EQUAL(e->value, row->words[k]);
        EQUAL(e->unit | e->addr | e->count_dw, 0);
        CHECK(e->data == NULL && e->out_dw == NULL);
    }
}

/* Each fetched word is traced once: also the word of a method that the chip rejects, of a run that
 * wraps, and for another subdevice. */
static void traces(void)
{
    enum { DATA = GPUCMD_NV_FETCH_DATA, COUNT = GPUCMD_NV_FETCH_COUNT };
#define CHIP(name) GPUCMD_NV_CHIP_##name
#define F(name)    GPUCMD_NV_FORM_##name
    static const trace_row rows[] = {
        {CHIP(NV4),   4, 4, {0x00080100, 7, 8, 0},          {F(INC), DATA, DATA, F(INC)}        },
        {CHIP(NV4),   4, 2, {0x000c0004, 7, 8, 9},          {F(INC), DATA}                      },
        {CHIP(NV40),  4, 2, {0x400c0004, 7, 8, 9},          {F(NON_INC), DATA}                  },
        {CHIP(NV40),  3, 3, {0x00081ffc, 7, 8},             {F(INC), DATA, DATA}                },
        {CHIP(NV40),  3, 3, {0x00010000, 0x00040100, 7},    {F(SLI_COND), F(INC), DATA}         },
        {CHIP(NV40),  2, 1, {0x00021008, 0},                {F(INVALID)}                        },
        {CHIP(G80),   4, 4, {0x00030100, 2, 7, 8},          {F(LONG_NON_INC), COUNT, DATA, DATA}},
        {CHIP(GF100), 4, 4, {0x20020040, 7, 8, 0x80050040}, {F(INC), DATA, DATA, F(IMMD)}       },
        {CHIP(GF100), 3, 3, {0x00010000, 0x60010040, 7},    {F(SLI_COND), F(NON_INC), DATA}     },
        {CHIP(GF100), 2, 2, {0, 0xe0000000},                {F(NOP), F(END_SEGMENT)}            },
        {CHIP(GF100), 3, 2, {0, 0xc0000000, 0},             {F(NOP), F(INVALID)}                },
    };
#undef CHIP
#undef F
    for (unsigned i = 0; i < ARRAY_DW(rows); i++) {
        trace_one(&rows[i]);
    }
}

int main(void)
{
    six_errors();
    limit_and_shadows();
    wraps();
    last_data();
    byte_order();
    sli_and_subroutine();
    ib_mode();
    old_jumps();
    last_word();
    last_entry();
    last_addresses();
    control_area();
    forms();
    segments();
    crcs();
    crc_units();
    subdevices();
    gp_rules();
    batches();
    too_many();
    traces();
    return test_report("nv_exec");
}

/* nv/ring.c - NV4-style ring and GPFIFO, with the executors as consumers: every small size, many
 * patterns of command lengths and of consumer progress; order of the stores of a kick. */
/* suite: long */
#include <stdint.h>

static void record(unsigned what, uint32_t value);
#define GPUCMD_BARRIER_WRITE() record('W', 0)
#define GPUCMD_BARRIER_FULL()  record('F', 0)
#define GPUCMD_BARRIER_MMIO()  record('M', 0)

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "test.h"

enum { RING_DW = 32, SUBR_DW = 8, QUEUE = 256, POISON = 0x7fffffff };

/* ---- the effects of a kick, in order ---- */

static struct {
    unsigned count;
    unsigned what[64]; /* 'W', 'F', 'M', or the offset of a register write */
    uint32_t value[64];
} tape;

static void record(unsigned what, uint32_t value)
{
    if (tape.count < 64) {
        tape.what[tape.count] = what;
        tape.value[tape.count] = value;
    }
    tape.count++;
}

/* ---- the ring under test and its consumer ---- */

static struct {
    gpucmd_nv_ring ring;
    gpucmd_nv_pusher p;
    gpucmd_mmio area;
    gpucmd_mem mem;
    gpucmd_region regions[2];
    gpucmd_env env;
    uint32_t words[RING_DW];
    uint32_t subr[SUBR_DW];
    /* submitted and not yet fetched, in the order of fetching */
    uint32_t va[QUEUE], dw[QUEUE];
    unsigned head, tail;
    uint32_t *fetched; /* word of the last step */
    uint32_t wrap_va;  /* where the current begin writes a jump if it wraps; 0: nowhere */
    uint32_t sent, arrived;
    unsigned bad;      /* errors: words overwritten, out of order or lost, PUT equal to GET */
    uint32_t reads;    /* polls of GET */
    uint32_t get_off;  /* register of the last poll */
    uint32_t waits;    /* calls of the wait function */
    uint32_t give_up;  /* first call at which wait fails */
    uint32_t per_wait; /* steps of the consumer in one wait */
} t;

static void queue_push(uint32_t va, uint32_t dw)
{
    t.va[t.tail % QUEUE] = va;
    t.dw[t.tail % QUEUE] = dw;
    t.tail++;
    t.bad += t.tail - t.head > QUEUE;
}

/* Add the jump that the ring writes if it wraps; its words are typed from the documents. */
static void queue_wrap(uint32_t at_va)
{
    queue_push(at_va, t.ring.chip < GPUCMD_NV_CHIP_NV1A ? 0x20000000 | t.ring.base_va
                                                        : t.ring.base_va | 1);
    for (uint32_t i = 0; i < t.ring.first_dw; i++) {
        queue_push(t.ring.base_va + 4 * i, 0);
    }
    t.wrap_va = 0;
}

static gpucmd_status on_fetch(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->va < t.ring.base_va || e->va >= t.ring.base_va + 4 * t.ring.cap_dw) {
        return GPUCMD_OK; /* in the subroutine */
    }
    if (t.head == t.tail && t.wrap_va == e->va) {
        queue_wrap(t.wrap_va);
    }
    t.bad += t.head == t.tail || t.va[t.head % QUEUE] != e->va || t.dw[t.head % QUEUE] != e->value;
    t.head++;
    if (e->va >= t.ring.base_va + 4 * t.ring.first_dw) {
        t.fetched = &t.words[((uint32_t)e->va - t.ring.base_va) / 4];
    }
    return GPUCMD_OK;
}

static gpucmd_status on_method(void *user, const gpucmd_event *e)
{
    (void)user;
    for (uint32_t i = 0; i < e->count_dw; i++) {
        if (e->data[i] != 0x5b5b5b5b) {
            t.bad += e->data[i] != t.arrived;
            t.arrived++;
        }
    }
    return GPUCMD_OK;
}

static void consume(uint32_t steps)
{
    while (steps-- != 0) {
        const gpucmd_run run = gpucmd_nv_pusher_step(&t.p, &t.env);
        t.bad += run != GPUCMD_RUN_DONE && run != GPUCMD_RUN_IDLE;
        if (t.fetched != NULL) {
            *t.fetched = POISON; /* fetched words may be overwritten */
            t.fetched = NULL;
        }
    }
}

static gpucmd_status on_wait(void *user, uint32_t try_count)
{
    (void)user;
    (void)try_count;
    if (t.waits++ >= t.give_up) {
        return GPUCMD_BLOCKED;
    }
    consume(t.per_wait);
    return GPUCMD_OK;
}

static uint32_t area_read(void *user, uint64_t off_bytes)
{
    t.reads++;
    t.get_off = (uint32_t)off_bytes;
    return gpucmd_nv_pusher_read32(user, off_bytes);
}

static void area_write(void *user, uint64_t off_bytes, uint32_t v)
{
    if (off_bytes == GPUCMD_NV_AREA_DMA_PUT && (t.head != t.tail || t.wrap_va != 0)) {
        t.bad += v == t.p.dma_get; /* the ring appears empty, but words are not yet fetched */
    }
    record((unsigned)off_bytes, v);
    gpucmd_nv_pusher_write32(user, off_bytes, v);
}

static gpucmd_status ring_open(gpucmd_nv_chip chip, uint32_t base_va, uint32_t subr_va,
                               uint32_t cap_dw, uint32_t skip_dw)
{
    gpucmd_status status;
    memset(&t, 0, sizeof t);
    memset(t.words, 0xff, sizeof t.words);
    t.area.read32 = area_read;
    t.area.write32 = area_write;
    t.area.user = &t.p;
    t.give_up = 0xffffffff;
    t.per_wait = 1;
    t.regions[0].va = base_va;
    t.regions[0].bytes = sizeof t.words;
    t.regions[0].host = t.words;
    t.regions[0].access_mask = GPUCMD_ACCESS_READ;
    t.regions[1].va = subr_va;
    t.regions[1].bytes = sizeof t.subr;
    t.regions[1].host = t.subr;
    t.regions[1].access_mask = GPUCMD_ACCESS_READ;
    gpucmd_mem_sort(t.regions, subr_va != 0 ? 2 : 1);
    EQUAL(gpucmd_mem_init(&t.mem, t.regions, subr_va != 0 ? 2 : 1), GPUCMD_OK);
    gpucmd_env_init(&t.env, &t.mem, on_method, NULL);
    t.env.trace = on_fetch;
    EQUAL(gpucmd_nv_pusher_init(&t.p, chip), GPUCMD_OK);
    t.p.dma_get = t.p.dma_put = base_va;
    t.p.big_endian = t.p.pfifo_endian = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN;
    status = gpucmd_nv_ring_init(&t.ring, chip, t.words, base_va, cap_dw, skip_dw, &t.area);
    t.ring.wait.fn = on_wait;
    for (uint32_t i = 0; i < skip_dw && status == GPUCMD_OK; i++) {
        queue_push(base_va + 4 * i, 0);
    }
    return status;
}

/* Begin a command of n_dw words. If the ring wraps, update the queue. */
static gpucmd_status ring_begin(uint32_t n_dw, gpucmd_writer *to)
{
    const uint32_t at = t.ring.put_dw;
    gpucmd_status status;
    t.wrap_va = t.ring.base_va + 4 * at;
    status = gpucmd_nv_ring_begin(&t.ring, n_dw, to);
    if (t.wrap_va != 0 && t.ring.put_dw != at) {
        queue_wrap(t.wrap_va);
    }
    t.wrap_va = 0;
    return status;
}

/* Submit one method run of n_dw words with increasing data. */
static gpucmd_status submit(uint32_t n_dw, bool kick)
{
    uint32_t data[RING_DW];
    gpucmd_writer to;
    uint32_t at_va;
    gpucmd_status status = ring_begin(n_dw, &to);
    if (status != GPUCMD_OK) {
        return status;
    }
    for (uint32_t i = 0; i + 1 < n_dw; i++) {
        data[i] = t.sent++;
    }
    at_va = t.ring.base_va + 4 * t.ring.put_dw;
    gpucmd_nv_emit_old_inc(&to, 1, 0x100 + t.sent % 0x400 * 4, data, n_dw - 1);
    status = gpucmd_nv_ring_end(&t.ring, &to);
    for (uint32_t i = 0; i < n_dw; i++) {
        queue_push(at_va + 4 * i, t.words[(at_va - t.ring.base_va) / 4 + i]);
    }
    if (kick) {
        gpucmd_nv_ring_submit(&t.ring);
    }
    return status;
}

/* Expect every word to be fetched once, in order. */
static void drain(const char *what)
{
    gpucmd_nv_ring_submit(&t.ring);
    consume(4 * RING_DW);
    test_equal(t.bad, 0, __FILE__, __LINE__, what);
    test_equal(t.arrived, t.sent, __FILE__, __LINE__, what);
    test_equal(t.head, t.tail, __FILE__, __LINE__, what);
}

/* Submit commands of alternating lengths a and b, with k consumer steps between them. */
static void pattern(uint32_t a, uint32_t b, uint32_t k, uint32_t kick_every)
{
    const uint32_t laps = 3 * t.ring.cap_dw / (a + b) + 2;
    unsigned refused = 0;
    for (uint32_t i = 0; i < 2 * laps; i++) {
        refused += submit(i % 2 == 0 ? a : b, i % kick_every == 0) != GPUCMD_OK;
        consume(k);
        if (i % 16 == 15) {
            tape.count = 0;
        }
    }
    test_equal(refused, 0, __FILE__, __LINE__, "submit");
    drain("pattern");
}

static gpucmd_nv_chip ring_chips[] = {GPUCMD_NV_CHIP_NV4, GPUCMD_NV_CHIP_NV11, GPUCMD_NV_CHIP_NV40,
                                      GPUCMD_NV_CHIP_G80};

static void every_size(gpucmd_nv_chip chip, uint32_t skip_dw)
{
    static const uint32_t progress[] = {0, 1, 2, 3, 5, 100};
    uint32_t seed = 7;
    for (uint32_t cap_dw = skip_dw + 2; cap_dw <= 24; cap_dw++) {
        const uint32_t most = cap_dw - skip_dw - 1;
        for (uint32_t a = 1; a <= most; a++) {
            const uint32_t partner[] = {1, most, a * 7 % most + 1};
            for (unsigned i = 0; i < 3 * 6; i++) {
                EQUAL(ring_open(chip, 0x1000, 0, cap_dw, skip_dw), GPUCMD_OK);
                t.per_wait = 1 + i % 2;
                pattern(a, partner[i % 3], progress[i / 3], 1 + (a + i) % 3);
            }
        }
        EQUAL(ring_open(chip, 0x1000, 0, cap_dw, skip_dw), GPUCMD_OK);
        for (unsigned i = 0; i < 200; i++) { /* random lengths and progress */
            seed = seed * 1664525 + 1013904223;
            CHECK(submit(1 + (seed >> 16) % most, (seed >> 8) % 4 != 0) == GPUCMD_OK);
            consume((seed >> 24) % 8);
        }
        drain("random");
    }
}

/* An idle ring continues at any position. */
static void resume(gpucmd_nv_chip chip)
{
    for (uint32_t at = 0; at < 12; at++) {
        EQUAL(ring_open(chip, 0x1000, 0, 12, 0), GPUCMD_OK);
        t.p.dma_get = t.p.dma_put = 0x1000 + 4 * at;
        EQUAL(gpucmd_nv_ring_resume(&t.ring, 12), GPUCMD_RANGE);
        EQUAL(t.ring.put_dw, 0);
        EQUAL(gpucmd_nv_ring_resume(&t.ring, at), GPUCMD_OK);
        pattern(3, 5, 2, 1);
    }
    EQUAL(ring_open(chip, 0x1000, 0, 12, 3), GPUCMD_OK);
    EQUAL(gpucmd_nv_ring_resume(&t.ring, 2), GPUCMD_RANGE);
}

/* A full ring returns the status of wait, or LIMIT, and stays usable. */
static void refusals(gpucmd_nv_chip chip, uint32_t skip_dw)
{
    gpucmd_writer to;
    uint32_t refused = 0;
    EQUAL(ring_open(chip, 0x1000, 0, 12 + skip_dw, skip_dw), GPUCMD_OK);
    EQUAL(gpucmd_nv_ring_begin(&t.ring, 0, &to), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_ring_begin(&t.ring, 12, &to), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_ring_begin(&t.ring, 0xffffffff, &to), GPUCMD_RANGE);
    EQUAL(t.reads, 0);
    EQUAL(ring_begin(11, &to), GPUCMD_OK);
    EQUAL(gpucmd_nv_ring_end(&t.ring, &to), GPUCMD_OK); /* nothing in it */
    EQUAL(t.ring.put_dw, skip_dw);
    gpucmd_writer_init(&to, t.words + skip_dw + 1, 4);
    EQUAL(gpucmd_nv_ring_end(&t.ring, &to), GPUCMD_ORDER);
    gpucmd_writer_init(&to, t.words + skip_dw, 12); /* a writer of too many words */
    for (uint32_t i = 0; i < 12; i++) {
        gpucmd_nv_emit_nop(&to);
    }
    EQUAL(gpucmd_nv_ring_end(&t.ring, &to), GPUCMD_ORDER);
    EQUAL(t.ring.put_dw, skip_dw);
    EQUAL(ring_begin(4, &to), GPUCMD_OK);
    gpucmd_nv_emit_old_inc(&to, 8, 0x100, NULL, 0);
    EQUAL(gpucmd_nv_ring_end(&t.ring, &to), GPUCMD_RANGE);
    EQUAL(t.ring.put_dw, skip_dw);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t n_dw = 1 + i * 5 % 11;
        gpucmd_status status;
        t.waits = 0;
        t.give_up = i % 3;
        t.per_wait = 0;
        status = submit(n_dw, true);
        if (status != GPUCMD_OK) {
            EQUAL(status, GPUCMD_BLOCKED);
            t.ring.wait.fn = NULL;
            t.ring.wait.max_tries = 0;
            t.reads = 0;
            EQUAL(submit(n_dw, true), GPUCMD_BLOCKED);
            EQUAL(t.reads, 1);
            t.ring.wait.max_tries = 2;
            t.reads = 0;
            EQUAL(submit(n_dw, true), GPUCMD_LIMIT);
            EQUAL(t.reads, 3);
            gpucmd_nv_ring_set_wait(&t.ring, on_wait, NULL, 1000);
            CHECK(t.ring.wait.user == NULL);
            t.give_up = 0xffffffff;
            t.per_wait = 1;
            EQUAL(submit(n_dw, true), GPUCMD_OK);
            refused++;
        }
    }
    CHECK(refused > 20);
    drain("after refusals");
}

static void init_rules(void)
{
    uint32_t base[8];
    gpucmd_nv_ring ring;
#define INIT(chip, va, cap, skip)                                                                  \
    gpucmd_nv_ring_init(&ring, GPUCMD_NV_CHIP_##chip, base, va, cap, skip, &t.area)
    EQUAL(INIT(NV3T, 0, 8, 0), GPUCMD_UNSUPPORTED);
    EQUAL(INIT(GF100, 0, 8, 0), GPUCMD_UNSUPPORTED);
    EQUAL(INIT(NV4, 0x1002, 8, 0), GPUCMD_ALIGN);
    EQUAL(INIT(NV15, 0x1fffffe0, 8, 0), GPUCMD_OK);
    EQUAL(INIT(NV15, 0x1fffffe4, 8, 0), GPUCMD_RANGE);
    EQUAL(INIT(NV1A, 0x1fffffe4, 8, 0), GPUCMD_OK);
    EQUAL(INIT(G80, 0xffffffe0, 8, 0), GPUCMD_OK);
    EQUAL(INIT(G80, 0xffffffe4, 8, 0), GPUCMD_RANGE);
    EQUAL(INIT(NV4, 0, 1, 0), GPUCMD_RANGE);
    EQUAL(INIT(NV4, 0, 8, 7), GPUCMD_RANGE);
    EQUAL(INIT(NV4, 0, 8, 8), GPUCMD_RANGE);
    EQUAL(INIT(NV4, 0, 8, 0xffffffff), GPUCMD_RANGE);
    EQUAL(INIT(NV4, 0, 8, 6), GPUCMD_OK);
    EQUAL(base[5], 0);
    EQUAL(INIT(NV34, 0, 8, 0), GPUCMD_OK);
    EQUAL(ring.get_off_bytes, 0x44);
    EQUAL(INIT(NV40, 0, 8, 0), GPUCMD_OK);
    EQUAL(ring.get_off_bytes, 0x54);
#undef INIT
}

/* While the GPU executes a subroutine, the position in the ring is in CGET, not in DMA_GET. */
static void subroutine(gpucmd_nv_chip chip, uint32_t base_va, uint32_t subr_va)
{
    gpucmd_writer to;
    gpucmd_nv_ring *ring = &t.ring;
    EQUAL(ring_open(chip, base_va, subr_va, 8, 0), GPUCMD_OK);
    t.subr[0] = 0x00080100; /* two words that the count does not include */
    t.subr[1] = 0x5b5b5b5b;
    t.subr[2] = 0x5b5b5b5b;
    t.subr[3] = 0x00020000; /* return */
    EQUAL(submit(3, true), GPUCMD_OK);
    EQUAL(ring_begin(1, &to), GPUCMD_OK);
    gpucmd_nv_emit_call(&to, subr_va);
    EQUAL(gpucmd_nv_ring_end(ring, &to), GPUCMD_OK);
    queue_push(base_va + 12, subr_va | 2);
    gpucmd_nv_ring_submit(ring);
    consume(5); /* the command, the call, the first word of the subroutine */
    EQUAL(t.p.dma_get, subr_va + 4);
    t.give_up = 0;
    t.waits = 0;
    t.reads = 0;
    if (chip < GPUCMD_NV_CHIP_NV40) {
        /* GET is outside the ring: the position is unknown */
        EQUAL(ring_begin(2, &to), GPUCMD_BLOCKED);
        EQUAL(t.get_off, 0x44);
    } else {
        EQUAL(ring_begin(2, &to), GPUCMD_OK); /* CGET: just past the call */
        EQUAL(t.get_off, 0x54);
        EQUAL(gpucmd_nv_ring_end(ring, &to), GPUCMD_OK);
    }
    t.give_up = 0xffffffff;
    EQUAL(submit(2, true), GPUCMD_OK);
    CHECK(chip >= GPUCMD_NV_CHIP_NV40 || t.p.subr_active == false);
    EQUAL(submit(5, true), GPUCMD_OK); /* wraps */
    EQUAL(submit(6, true), GPUCMD_OK);
    drain("subroutine");
}

#define TAPE(i, code, v)                                                                           \
    do {                                                                                           \
        EQUAL(tape.what[i], code);                                                                 \
        EQUAL(tape.value[i], v);                                                                   \
    } while (0)

static void ring_kick(void)
{
    for (unsigned c = 0; c < 4; c++) {
        const unsigned put = ring_chips[c] >= GPUCMD_NV_CHIP_G80 ? 2 : 1;
        EQUAL(ring_open(ring_chips[c], 0x2000, 0, 8, 0), GPUCMD_OK);
        tape.count = 0;
        EQUAL(submit(3, false), GPUCMD_OK);
        EQUAL(tape.count, 0);
        gpucmd_nv_ring_submit(&t.ring);
        EQUAL(tape.count, put + 1);
        TAPE(0, 'W', 0);
        if (put == 2) {
            TAPE(1, 0x4c, 0);
        }
        TAPE(put, 0x40, 0x200c);
        drain("kick");
    }
}

/* The jump to the start of the ring. */
static void jumps(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t dw;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV4,  0x20002000},
        {GPUCMD_NV_CHIP_NV15, 0x20002000},
        {GPUCMD_NV_CHIP_NV1A, 0x00002001},
        {GPUCMD_NV_CHIP_NV11, 0x00002001},
        {GPUCMD_NV_CHIP_NV40, 0x00002001},
        {GPUCMD_NV_CHIP_G80,  0x00002001},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(ring_open(rows[i].chip, 0x2000, 0, 8, 0), GPUCMD_OK);
        EQUAL(submit(5, true), GPUCMD_OK);
        t.p.dma_get = t.p.dma_put; /* all read */
        t.head = t.tail;
        t.arrived = t.sent;
        t.per_wait = 0;
        EQUAL(submit(4, true), GPUCMD_OK);
        EQUAL(t.words[5], rows[i].dw);
        if (rows[i].chip >= GPUCMD_NV_CHIP_NV1A || gpucmd_cpu_endian() == GPUCMD_LITTLE_ENDIAN) {
            drain("jump");
        }
    }
}

/* ---- GPFIFO ---- */

enum { FIFO_MAX = 16, SEG_DW = 4 };

static struct {
    gpucmd_nv_gpfifo fifo;
    gpucmd_nv_pbdma d;
    gpucmd_nv_pusher p;
    gpucmd_mmio area, usermode;
    gpucmd_mem mem;
    gpucmd_region regions[2];
    gpucmd_env env;
    uint8_t space[8 * FIFO_MAX + 8];
    uint8_t *ring; /* in space, 8-byte aligned */
    uint8_t words[4 * SEG_DW * 64];
    uint64_t entry[QUEUE]; /* pushed and not yet fetched */
    unsigned head, tail;
    uint32_t sent, arrived, reads, waits, give_up, per_wait;
    unsigned bad;
    bool old;
} f;

static gpucmd_status fifo_trace(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->code == GPUCMD_NV_FETCH_ENTRY) {
        f.bad += f.head == f.tail || f.entry[f.head % QUEUE] != e->value;
        f.head++;
        memset(f.ring + (e->va - 0x100000), 0xee, 8);
    }
    return GPUCMD_OK;
}

static gpucmd_status fifo_method(void *user, const gpucmd_event *e)
{
    (void)user;
    for (uint32_t i = 0; i < e->count_dw; i++) {
        f.bad += e->data[i] != f.arrived;
        f.arrived++;
    }
    return GPUCMD_OK;
}

static void fifo_consume(uint32_t steps)
{
    while (steps-- != 0) {
        const gpucmd_run run =
            f.old ? gpucmd_nv_pusher_step(&f.p, &f.env) : gpucmd_nv_pbdma_step(&f.d, &f.env);
        f.bad += run != GPUCMD_RUN_DONE && run != GPUCMD_RUN_IDLE;
    }
}

static gpucmd_status fifo_wait(void *user, uint32_t try_count)
{
    (void)user;
    (void)try_count;
    if (f.waits++ >= f.give_up) {
        return GPUCMD_ALIGN;
    }
    fifo_consume(f.per_wait);
    return GPUCMD_OK;
}

static uint32_t fifo_read(void *user, uint64_t off_bytes)
{
    (void)user;
    f.reads++;
    f.bad += off_bytes != 0x88;
    return f.old ? gpucmd_nv_pusher_read32(&f.p, off_bytes)
                 : gpucmd_nv_pbdma_read32(&f.d, off_bytes);
}

static void fifo_write(void *user, uint64_t off_bytes, uint32_t v)
{
    record((unsigned)off_bytes | (user == &f.usermode ? 0x1000u : 0u), v);
    if (user == &f.usermode) {
        return;
    }
    f.bad += off_bytes != 0x8c;
    f.bad += f.head != f.tail && v == (f.old ? f.p.ib_get : f.d.gp_get);
    if (f.old) {
        gpucmd_nv_pusher_write32(&f.p, off_bytes, v);
    } else {
        gpucmd_nv_pbdma_write32(&f.d, off_bytes, v);
    }
}

/* Return the first 8-byte aligned address in space. */
static uint8_t *aligned(uint8_t *space)
{
    return space + (8 - (uintptr_t)space % 8) % 8;
}

static void fifo_open(gpucmd_nv_chip chip, uint32_t order, uint64_t words_va, bool big)
{
    memset(&f, 0, sizeof f);
    f.old = chip < GPUCMD_NV_CHIP_GF100;
    f.ring = aligned(f.space);
    f.give_up = 0xffffffff;
    f.per_wait = 1;
    f.area.read32 = fifo_read;
    f.area.write32 = fifo_write;
    f.area.user = &f.area;
    f.usermode = f.area;
    f.usermode.user = &f.usermode;
    f.regions[0].va = 0x100000;
    f.regions[0].bytes = 8 * FIFO_MAX;
    f.regions[0].host = f.ring;
    f.regions[0].access_mask = GPUCMD_ACCESS_READ;
    f.regions[1].va = words_va;
    f.regions[1].bytes = sizeof f.words;
    f.regions[1].host = f.words;
    f.regions[1].access_mask = GPUCMD_ACCESS_READ;
    gpucmd_mem_sort(f.regions, 2);
    EQUAL(gpucmd_mem_init(&f.mem, f.regions, 2), GPUCMD_OK);
    gpucmd_env_init(&f.env, &f.mem, fifo_method, NULL);
    f.env.trace = fifo_trace;
    if (f.old) {
        EQUAL(gpucmd_nv_pusher_init(&f.p, chip), GPUCMD_OK);
        f.p.ib_enable = true;
        f.p.ib_address = 0x100000;
        f.p.ib_order = order;
        f.p.pfifo_endian = big;
    } else {
        EQUAL(gpucmd_nv_pbdma_init(&f.d, chip), GPUCMD_OK);
        f.d.gp_base = 0x100000;
        f.d.limit2 = order;
    }
    EQUAL(gpucmd_nv_gpfifo_init(&f.fifo, chip, f.ring, order, &f.area,
                                chip >= GPUCMD_NV_CHIP_GV100 ? &f.usermode : NULL, 0x00050023),
          GPUCMD_OK);
    f.fifo.endian = big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    f.fifo.wait.fn = fifo_wait;
}

/* Submit one segment of 1 to 4 words with increasing data. The expected entry is computed from the
 * layout in the documents. */
static gpucmd_status fifo_submit(uint64_t words_va, bool kick)
{
    const uint32_t slot = f.tail % 64;
    const uint32_t n = f.tail % SEG_DW;
    const gpucmd_endian endian =
        f.old && f.p.pfifo_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    const uint64_t va = words_va + 4 * SEG_DW * (uint64_t)slot;
    const uint64_t low = va & 0xffffffffff;
    uint8_t *at = f.words + 4 * SEG_DW * slot;
    gpucmd_status status;
    const uint32_t header =
        f.old ? 0x00000100 | n << 18 : 0x20000040 | n << 16; /* INC to method 0x100 */
    gpucmd_store32(at, header, endian);
    for (uint32_t i = 0; i < n; i++) {
        gpucmd_store32(at + 4 + 4 * i, f.sent + i, endian);
    }
    status = gpucmd_nv_gpfifo_push(&f.fifo, va, n + 1, 0);
    if (status == GPUCMD_OK) {
        f.sent += n;
        f.entry[f.tail++ % QUEUE] = low | (uint64_t)(n + 1) << 42;
    }
    if (kick) {
        gpucmd_nv_gpfifo_submit(&f.fifo);
    }
    return status;
}

static void fifo_control(uint32_t op, uint32_t operand)
{
    EQUAL(gpucmd_nv_gpfifo_push_control(&f.fifo, (gpucmd_nv_control)op, operand, 0), GPUCMD_OK);
    f.entry[f.tail++ % QUEUE] = operand | (uint64_t)op << 32;
}

static void fifo_drain(void)
{
    gpucmd_nv_gpfifo_submit(&f.fifo);
    fifo_consume(200);
    EQUAL(f.bad, 0);
    EQUAL(f.arrived, f.sent);
    EQUAL(f.head, f.tail);
}

static void fifo_sizes(gpucmd_nv_chip chip, bool big)
{
    const uint64_t va = 0x7600002000;
    uint32_t seed = 3;
    for (uint32_t order = 1; order <= 4; order++) {
        for (uint32_t k = 0; k < 12; k++) {
            unsigned refused = 0;
            fifo_open(chip, order, va, big);
            f.per_wait = 1 + k % 3;
            for (uint32_t i = 0; i < 60; i++) {
                seed = seed * 1664525 + 1013904223;
                gpucmd_nv_gpfifo_submit(&f.fifo); /* a full ring that was not kicked stays full */
                if (!f.old && i % 7 == 3) {
                    fifo_control(GPUCMD_NV_CONTROL_NOP, 0);
                }
                gpucmd_nv_gpfifo_submit(&f.fifo);
                refused += fifo_submit(va, (seed >> 8) % 3 != 0) != GPUCMD_OK;
                fifo_consume(k < 10 ? k : (seed >> 16) % 9);
                tape.count = 0;
            }
            EQUAL(refused, 0);
            fifo_drain();
        }
    }
}

/* The ring is full if one entry is free. GP_GET is polled only then. */
static void fifo_full(gpucmd_nv_chip chip)
{
    const uint64_t va = 0x4000;
    for (uint32_t order = 1; order <= 4; order++) {
        const uint32_t size = 1u << order;
        fifo_open(chip, order, va, false);
        for (uint32_t i = 0; i + 1 < size; i++) {
            EQUAL(fifo_submit(va, true), GPUCMD_OK);
        }
        EQUAL(f.reads, 0);
        f.fifo.wait.fn = NULL;
        f.fifo.wait.max_tries = 0;
        EQUAL(fifo_submit(va, true), GPUCMD_BLOCKED);
        EQUAL(f.reads, 1);
        f.fifo.wait.max_tries = 4;
        EQUAL(fifo_submit(va, true), GPUCMD_LIMIT);
        EQUAL(f.reads, 1 + 5);
        EQUAL(f.fifo.put, size - 1);
        f.fifo.wait.fn = fifo_wait;
        f.give_up = 0;
        EQUAL(fifo_submit(va, true), GPUCMD_ALIGN); /* the status of wait */
        EQUAL(f.fifo.put, size - 1);
        f.give_up = 0xffffffff;
        EQUAL(fifo_submit(va, true), GPUCMD_OK);
        EQUAL(f.fifo.put, 0); /* wrapped */
        fifo_drain();
    }
}

static void fifo_rules(void)
{
    uint8_t space[24];
    uint8_t *base = aligned(space);
    gpucmd_nv_gpfifo fifo;
#define INIT(chip, at, order)                                                                      \
    gpucmd_nv_gpfifo_init(&fifo, GPUCMD_NV_CHIP_##chip, at, order, &f.area, NULL, 0)
    EQUAL(INIT(RSX, base, 1), GPUCMD_UNSUPPORTED);
    EQUAL(INIT(G80, base, 0), GPUCMD_RANGE);
    EQUAL(INIT(G80, base, 25), GPUCMD_RANGE);
    EQUAL(INIT(G80, base + 4, 1), GPUCMD_ALIGN);
    EQUAL(INIT(G80, base, 1), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 0, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1002, 1, 0), GPUCMD_ALIGN);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, GPUCMD_NV_ENTRY_SYNC_WAIT), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gpfifo_push_control(&fifo, GPUCMD_NV_CONTROL_NOP, 0, 0), GPUCMD_UNSUPPORTED);
    EQUAL(fifo.put, 0);
#undef INIT
}

/* The ring must set bits 56:40 before the first segment that needs them. */
static void fifo_extended(void)
{
    const uint64_t va = 0x1234005678000;
    fifo_open(GPUCMD_NV_CHIP_GH100, 3, va, false);
    EQUAL(gpucmd_nv_gpfifo_push(&f.fifo, va, 1, 0), GPUCMD_ORDER);
    EQUAL(f.fifo.put, 0);
    fifo_control(4, 0x00012300);
    EQUAL(gpucmd_nv_gpfifo_push(&f.fifo, 0x5678000, 1, 0), GPUCMD_ORDER);
    EQUAL(gpucmd_nv_gpfifo_push(&f.fifo, (uint64_t)1 << 57, 1, 0), GPUCMD_RANGE);
    EQUAL(f.fifo.put, 1);
    EQUAL(gpucmd_nv_gpfifo_push(&f.fifo, va + ((uint64_t)1 << 40), 1, 0), GPUCMD_ORDER);
    f.regions[1].va = 0x12345678000; /* 0x123 << 40 would be another */
    f.regions[1].va = (uint64_t)0x123 << 40 | 0x5678000;
    gpucmd_mem_sort(f.regions, 2);
    EQUAL(gpucmd_mem_init(&f.mem, f.regions, 2), GPUCMD_OK);
    for (unsigned i = 0; i < 20; i++) {
        EQUAL(fifo_submit((uint64_t)0x123 << 40 | 0x5678000, true), GPUCMD_OK);
    }
    EQUAL(f.d.extended_base, 0x123);
    fifo_drain();
    f.fifo.wait.fn = NULL; /* a full ring keeps the old base */
    f.fifo.wait.max_tries = 2;
    for (unsigned i = 0; i < 7; i++) {
        EQUAL(fifo_submit((uint64_t)0x123 << 40 | 0x5678000, true), GPUCMD_OK);
    }
    EQUAL(gpucmd_nv_gpfifo_push_control(&f.fifo, GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE, 0,
                                        0),
          GPUCMD_LIMIT);
    EQUAL(f.fifo.base_va, (uint64_t)0x123 << 40);
    fifo_drain();
    fifo_open(GPUCMD_NV_CHIP_GA100, 3, 0x1000, false);
    EQUAL(gpucmd_nv_gpfifo_push_control(&f.fifo, GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE, 0,
                                        0),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gpfifo_push(&f.fifo, (uint64_t)1 << 40, 1, 0), GPUCMD_RANGE);
}

static void fifo_kick(void)
{
    fifo_open(GPUCMD_NV_CHIP_G80, 3, 0x4000, false);
    EQUAL(fifo_submit(0x4000, false), GPUCMD_OK);
    tape.count = 0;
    gpucmd_nv_gpfifo_submit(&f.fifo);
    EQUAL(tape.count, 2);
    TAPE(0, 'W', 0);
    TAPE(1, 0x8c, 1);
    fifo_open(GPUCMD_NV_CHIP_TU102, 3, 0x4000, false);
    EQUAL(fifo_submit(0x4000, false), GPUCMD_OK);
    EQUAL(fifo_submit(0x4000, false), GPUCMD_OK);
    tape.count = 0;
    gpucmd_nv_gpfifo_submit(&f.fifo);
    EQUAL(tape.count, 4);
    TAPE(0, 'W', 0);
    TAPE(1, 0x8c, 2);
    TAPE(2, 'M', 0);
    TAPE(3, 0x1090, 0x00050023);
}

static void fifo_resume(gpucmd_nv_chip chip)
{
    const uint64_t va = 0x7600002000;
    for (uint32_t at = 0; at < 8; at++) {
        fifo_open(chip, 3, va, false);
        f.p.ib_get = f.p.ib_put = f.d.gp_get = f.d.gp_put = at;
        EQUAL(gpucmd_nv_gpfifo_resume(&f.fifo, 8), GPUCMD_RANGE);
        EQUAL(f.fifo.put, 0);
        EQUAL(gpucmd_nv_gpfifo_resume(&f.fifo, at), GPUCMD_OK);
        EQUAL(gpucmd_nv_gpfifo_room(&f.fifo), 7);
        tape.count = 0;
        EQUAL(gpucmd_nv_gpfifo_drain(&f.fifo), GPUCMD_OK); /* nothing to submit */
        EQUAL(tape.count, 0);
        for (uint32_t i = 0; i < 20; i++) {
            EQUAL(fifo_submit(va, true), GPUCMD_OK);
            fifo_consume(2);
        }
        fifo_drain();
        tape.count = 0;
    }
}

int main(void)
{
    const bool big = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN;
    if (big) { /* NV4 until NV1A read only little-endian words, and a writer stores CPU words */
        ring_chips[0] = GPUCMD_NV_CHIP_NV1A;
    }
    for (unsigned c = 0; c < 4; c++) {
        for (uint32_t skip_dw = 0; skip_dw <= 3; skip_dw += 3) {
            every_size(ring_chips[c], skip_dw);
            refusals(ring_chips[c], skip_dw);
        }
        resume(ring_chips[c]);
    }
    init_rules();
    ring_kick();
    jumps();
    subroutine(GPUCMD_NV_CHIP_NV1A, 0x1000, 0x8000);
    subroutine(GPUCMD_NV_CHIP_NV34, 0x8000, 0x1000);
    subroutine(GPUCMD_NV_CHIP_NV40, 0x1000, 0x8000);
    subroutine(GPUCMD_NV_CHIP_RSX, 0x8000, 0x1000);
    fifo_sizes(GPUCMD_NV_CHIP_G80, false);
    fifo_sizes(GPUCMD_NV_CHIP_MCP89, true);
    fifo_sizes(GPUCMD_NV_CHIP_GF100, false);
    fifo_sizes(GPUCMD_NV_CHIP_TU102, false);
    fifo_full(GPUCMD_NV_CHIP_G80);
    fifo_full(GPUCMD_NV_CHIP_GF100);
    fifo_resume(GPUCMD_NV_CHIP_G80);
    fifo_resume(GPUCMD_NV_CHIP_GA102);
    fifo_rules();
    fifo_extended();
    fifo_kick();
    return test_report("nv_ring");
}

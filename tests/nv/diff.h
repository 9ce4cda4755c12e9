/* nv/diff.h - the executors compared with the oracles, on random and mutated streams. Each stream
 * is executed word by word, and the complete state is compared after every step. Then it is
 * executed in runs of random length, with a callback that accepts only part of the words. */
#ifndef GPUCMD_NV_DIFF_H
#define GPUCMD_NV_DIFF_H

#include "nv/oracle_pbdma.h"
#include "nv/oracle_pusher.h"

enum {
    DIFF_DW = 96,         /* words of the pushbuffer */
    DIFF_RING = 16,       /* most entries of the ring */
    DIFF_REGIONS = 12,    /* most regions of memory */
    DIFF_STEPS = 64,      /* steps per stream */
    DIFF_CRC_STEPS = 256, /* of a stream with long segments, each with a PB_CRC */
    DIFF_LOG = 1024,      /* most methods per stream */
    DIFF_ARENA = 8 * 512, /* bytes of CPU memory for all regions */
};

/* ---- random numbers ---- */

static uint64_t diff_seed;

static uint32_t diff_rand(void)
{
    diff_seed ^= diff_seed << 13;
    diff_seed ^= diff_seed >> 7;
    diff_seed ^= diff_seed << 17;
    return (uint32_t)(diff_seed >> 16);
}

static uint32_t diff_below(uint32_t n)
{
    return diff_rand() % n;
}

/* Return true with probability 1 / n. */
static bool diff_once(uint32_t n)
{
    return diff_below(n) == 0;
}

/* ---- state of a stream ---- */

typedef struct diff_method {
    uint32_t subc, mthd, data, ni;
} diff_method;

typedef struct diff_log {
    unsigned count;
    diff_method at[DIFF_LOG];
} diff_log;

/* The log of the library or of the oracle; for the library also the behaviour of its callback. */
typedef struct diff_sink {
    diff_log log;
    gpucmd_nv_chip chip;
    uint32_t stop_once_in; /* 0: the callback accepts all words */
    bool stopped;          /* the last call did not accept all words with OK */
    bool took_all;         /* the last call accepted every word but returned BLOCKED */
    uint64_t va;           /* expected address of the next event, checked in runs */
} diff_sink;

static struct {
    gpucmd_mem mem;
    gpucmd_region regions[DIFF_REGIONS];
    size_t region_count;
    uint8_t arena[DIFF_ARENA];
    size_t arena_used;
    uint64_t offset; /* base that is added to addresses of the oracle */
    diff_sink lib, oracle;
    gpucmd_env env;
    struct nv_oracle_pusher_env pusher_env;
    struct nv_oracle_pbdma_env pbdma_env;
    uint64_t streams, steps, methods, runs, batches, faults, blocked, crc_waits;
    uint64_t errors[8], intr_bits[32];
    bool long_crc; /* streams have segments of up to DIFF_DW words, each with a PB_CRC */
    bool bad;
} diff;

static void diff_log_add(diff_sink *sink, uint32_t subc, uint32_t mthd, uint32_t data, uint32_t ni)
{
    if (sink->log.count < DIFF_LOG) {
        diff_method *m = &sink->log.at[sink->log.count];
        m->subc = subc;
        m->mthd = mthd;
        m->data = data;
        m->ni = ni;
    }
    sink->log.count++;
}

static void diff_oracle_method(void *user, uint32_t subc, uint32_t mthd, uint32_t data, int ni)
{
    diff_log_add((diff_sink *)user, subc, mthd, data, (uint32_t)ni);
}

/* Callback of the library: accepts all words, sometimes only the first few, sometimes none. */
static gpucmd_status diff_lib_event(void *user, const gpucmd_event *e)
{
    diff_sink *sink = (diff_sink *)user;
    uint32_t take = e->count_dw;
    gpucmd_status status = GPUCMD_OK;
    sink->stopped = false;
    sink->took_all = false;
    if (e->kind != GPUCMD_EVENT_METHODS || e->count_dw == 0) {
        diff.bad = true;
        return GPUCMD_OK;
    }
    if (sink->stop_once_in != 0 && diff_once(sink->stop_once_in)) {
        sink->stopped = true;
        take = diff_once(2) ? 0 : diff_below(e->count_dw + 1);
        status = GPUCMD_BLOCKED;
        if (diff_once(4)) {
            take = 0;
            status = GPUCMD_ALIGN;
        } else if (take != 0 || diff_once(2)) {
            *e->out_dw = take;
        }
        sink->took_all = take == e->count_dw;
    }
    for (uint32_t i = 0; i < take; i++) {
        const gpucmd_nv_kind kind = (gpucmd_nv_kind)e->code;
        const uint32_t ni =
            kind == GPUCMD_NV_KIND_NON_INC || (kind == GPUCMD_NV_KIND_ONE_INC && i != 0);
        diff_log_add(sink, e->unit, gpucmd_nv_mthd_at(sink->chip, kind, e->addr, i), e->data[i],
                     ni);
    }
    diff.batches++;
    return status;
}

/* The region that has addr and can be read, or NULL. */
static const gpucmd_region *diff_region(uint64_t addr)
{
    for (size_t i = 0; i < diff.region_count; i++) {
        const gpucmd_region *r = &diff.regions[i];
        if (addr >= r->va && addr - r->va < r->bytes) {
            return (r->access_mask & GPUCMD_ACCESS_READ) != 0 ? r : NULL;
        }
    }
    return NULL;
}

static int diff_read8(void *user, uint64_t addr, uint8_t *byte)
{
    const gpucmd_region *r = diff_region(addr + diff.offset);
    (void)user;
    if (r == NULL) {
        return 1;
    }
    *byte = ((const uint8_t *)r->host)[addr + diff.offset - r->va];
    return 0;
}

/* ---- memory in several regions ---- */

static void diff_memory_begin(uint64_t offset)
{
    diff.region_count = 0;
    diff.arena_used = 0;
    diff.offset = offset;
}

static void diff_piece(uint64_t va, const uint8_t *bytes, size_t len, uint32_t access)
{
    gpucmd_region *r = &diff.regions[diff.region_count];
    if (len == 0 || diff.region_count == DIFF_REGIONS) {
        return;
    }
    diff.arena_used += diff_below(4);
    r->va = va;
    r->bytes = len;
    r->host = diff.arena + diff.arena_used;
    r->access_mask = access;
    memcpy(r->host, bytes, len);
    diff.arena_used += len;
    diff.region_count++;
}

/* Map len bytes at addresses that wrap at mask, as regions of random length, sometimes with a
 * hole. */
static void diff_lay(uint64_t at, uint64_t mask, const uint8_t *bytes, size_t len, bool holes)
{
    size_t done = 0;
    unsigned cuts = diff_once(2) ? 0 : diff_below(4);
    while (done < len) {
        const uint64_t va = (at + done) & mask;
        size_t n = cuts == 0 ? len - done : 1 + diff_below((uint32_t)(len - done));
        uint32_t access = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
        if (n - 1 > mask - va) {
            n = (size_t)(mask - va) + 1;
        }
        if (holes && diff_once(32)) {
            access = diff_once(2) ? GPUCMD_ACCESS_WRITE : 0;
        }
        if (access != 0) {
            diff_piece(diff.offset + va, bytes + done, n, access);
        }
        done += n;
        cuts = cuts != 0 ? cuts - 1 : 0;
    }
}

static void diff_memory_end(void)
{
    if (diff_once(4)) {
        for (size_t i = 0; i < diff.region_count / 2; i++) {
            const gpucmd_region r = diff.regions[i];
            diff.regions[i] = diff.regions[diff.region_count - 1 - i];
            diff.regions[diff.region_count - 1 - i] = r;
        }
    }
    gpucmd_mem_sort(diff.regions, diff.region_count);
    for (size_t i = 1; i < diff.region_count; i++) { /* cut a region where the next begins */
        const uint64_t room = diff.regions[i].va - diff.regions[i - 1].va;
        diff.regions[i - 1].bytes =
            diff.regions[i - 1].bytes < room ? diff.regions[i - 1].bytes : room;
    }
    if (gpucmd_mem_init(&diff.mem, diff.regions, diff.region_count) != GPUCMD_OK) {
        diff.bad = true;
    }
}

static void diff_env_begin(gpucmd_nv_chip chip)
{
    gpucmd_env_init(&diff.env, &diff.mem, diff_lib_event, &diff.lib);
    diff.lib.log.count = 0;
    diff.lib.chip = chip;
    diff.lib.stop_once_in = 0;
    diff.lib.stopped = false;
    diff.oracle.log.count = 0;
    diff.pusher_env.user = &diff.oracle;
    diff.pusher_env.read8 = diff_read8;
    diff.pusher_env.method = diff_oracle_method;
    diff.pbdma_env.user = &diff.oracle;
    diff.pbdma_env.read8 = diff_read8;
    diff.pbdma_env.method = diff_oracle_method;
}

/* Return whether both logs are equal, and clear them. */
static bool diff_same_log(void)
{
    const unsigned n = diff.lib.log.count;
    bool same = n == diff.oracle.log.count && n <= DIFF_LOG;
    if (same && n != 0) {
        same = memcmp(diff.lib.log.at, diff.oracle.log.at, n * sizeof(diff_method)) == 0;
    }
    diff.methods += n;
    diff.lib.log.count = 0;
    diff.oracle.log.count = 0;
    return same;
}

/* Report a stream that differs. Its seed repeats the stream. */
static bool diff_expect(bool good, const char *what, uint64_t seed)
{
    if (diff.bad) {
        good = false;
    }
    if (!good) {
        printf("    stream of seed 0x%016llx: %s\n", (unsigned long long)seed, what);
        diff.bad = true;
    }
    return good;
}

/* ---- pusher ---- */

static const gpucmd_nv_chip diff_old_chips[] = {
    GPUCMD_NV_CHIP_NV4,  GPUCMD_NV_CHIP_NV5,  GPUCMD_NV_CHIP_NVA,   GPUCMD_NV_CHIP_NV10,
    GPUCMD_NV_CHIP_NV15, GPUCMD_NV_CHIP_NV1A, GPUCMD_NV_CHIP_NV11,  GPUCMD_NV_CHIP_NV34,
    GPUCMD_NV_CHIP_NV40, GPUCMD_NV_CHIP_RSX,  GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_G84,
    GPUCMD_NV_CHIP_G80,  GPUCMD_NV_CHIP_G84,  GPUCMD_NV_CHIP_GT218, GPUCMD_NV_CHIP_MCP89,
};

#define DIFF_SAME(field, other)                                                                    \
    if ((uint64_t)l->field != (uint64_t)o->other) {                                                \
        return #field;                                                                             \
    }

/* NULL, or the first member that differs. */
static const char *diff_pusher_state(const gpucmd_nv_pusher *l, const struct nv_oracle_pusher *o)
{
    DIFF_SAME(dma_put, dma_put)
    DIFF_SAME(dma_get, dma_get)
    DIFF_SAME(dma_limit, dma_limit)
    DIFF_SAME(mthd, dma_state.mthd)
    DIFF_SAME(subc, dma_state.subc)
    DIFF_SAME(mcnt, dma_state.mcnt)
    DIFF_SAME(ni, dma_state.ni)
    DIFF_SAME(lenp, dma_state.lenp)
    DIFF_SAME(dcount_shadow, dcount_shadow)
    DIFF_SAME(dma_get_jmp_shadow, dma_get_jmp_shadow)
    DIFF_SAME(rsvd_shadow, rsvd_shadow)
    DIFF_SAME(data_shadow, data_shadow)
    DIFF_SAME(ref, ref)
    DIFF_SAME(subr_active, subr_active)
    DIFF_SAME(subr_return, subr_return)
    DIFF_SAME(big_endian, big_endian)
    DIFF_SAME(pfifo_endian, pfifo_endian)
    DIFF_SAME(sli_enable, sli_enable)
    DIFF_SAME(sli_mask, sli_mask)
    DIFF_SAME(sli_active, sli_active)
    DIFF_SAME(ib_enable, ib_enable)
    DIFF_SAME(nonmain, nonmain)
    DIFF_SAME(priv, priv)
    DIFF_SAME(dma_put_high_rs, dma_put_high_rs)
    DIFF_SAME(dma_put_high_ws, dma_put_high_ws)
    DIFF_SAME(dma_get_high_rs, dma_get_high_rs)
    DIFF_SAME(ib_put, ib_put)
    DIFF_SAME(ib_get, ib_get)
    DIFF_SAME(ib_address, ib_address)
    DIFF_SAME(ib_order, ib_order)
    DIFF_SAME(dma_mget, dma_mget)
    DIFF_SAME(dma_mget_val, dma_mget_val)
    DIFF_SAME(dma_mget_high_rs, dma_mget_high_rs)
    DIFF_SAME(dma_mget_val_rs, dma_mget_val_rs)
    DIFF_SAME(error, error)
    return NULL;
}

static uint32_t diff_mthd(void)
{
    static const uint32_t low[] = {0x00, 0x04, 0x08, 0x10, 0x1c, 0x20, 0x24, 0x28, 0x2c,
                                   0x30, 0x50, 0x54, 0x5c, 0x60, 0x64, 0x68, 0x6c, 0x70,
                                   0x78, 0x80, 0x84, 0x9c, 0xf0, 0xf8, 0xfc};
    switch (diff_below(8)) {
    case 0: return low[diff_below(sizeof low / sizeof low[0])];
    case 1: return 0x1ffc - 4 * diff_below(4);
    default: return 0x100 + 4 * diff_below(0x700);
    }
}

/* Return a random word that is often valid before GF100. base is the range for jump targets. */
static uint32_t diff_old_word(uint32_t base, uint32_t prev)
{
    const uint32_t run =
        diff_mthd() | diff_below(8) << 13 | (diff_once(8) ? diff_below(2048) : diff_below(6)) << 18;
    const uint32_t target =
        diff_once(16) ? diff_rand() & ~3u : base + 4 * diff_below(DIFF_DW + diff_once(16));
    if ((prev & 0xffff0003) == 0x00030000 && !diff_once(4)) {
        return diff_below(5) | (diff_once(2) ? diff_rand() << 24 : 0);
    }
    switch (diff_below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: return run;
    case 6:
    case 7:
    case 8: return run | 0x40000000;
    case 9:
    case 10: return (run & 0xffff) | 0x00030000;
    case 11: return (target & 0x1ffffffc) | 0x20000000;
    case 12: return target | 1;
    case 13: return target | 2;
    case 14: return 0x00020000;
    case 15: return 0x00010000 | diff_below(4096) << 4 | (diff_once(4) ? diff_below(4) << 2 : 0);
    case 16: return diff_rand();
    case 17: return 0;
    case 18: return (run | (diff_once(2) ? 0x40000000u : 0)) ^ (uint32_t)1 << diff_below(32);
    default: return diff_below(64);
    }
}

static void diff_store(uint8_t *at, uint32_t v, bool big)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(v >> (big ? 24 - 8 * i : 8 * i));
    }
}

/* Set both sides to the same random state and lay out memory for it. */
static void diff_pusher_begin(gpucmd_nv_pusher *l, struct nv_oracle_pusher *o)
{
    static const uint64_t places[] = {0x1000, 0, 0x1ffffe80, 0xffffff00, 0x40001000};
    const gpucmd_nv_chip chip =
        diff_old_chips[diff_below(sizeof diff_old_chips / sizeof diff_old_chips[0])];
    const bool g80 = chip >= GPUCMD_NV_CHIP_G80;
    const uint64_t mask = g80 ? 0xffffffffffu : 0xffffffffu;
    uint8_t words[4 * DIFF_DW];
    uint8_t ring[8 * DIFF_RING];
    uint64_t base = places[diff_below(5)];
    uint32_t prev = 0;
    bool big;
    memset(l, 0, sizeof *l);
    if (gpucmd_nv_pusher_init(l, chip) != GPUCMD_OK) {
        diff.bad = true;
    }
    nv_oracle_pusher_init(o, (int)chip);
    o->dma_limit = 0xffffffff;
    if (g80 && diff_once(3)) {
        base = diff_once(3) ? 0xffffffff00u : base + ((uint64_t)diff_below(256) << 32);
    }
    o->big_endian = diff_once(3);
    l->big_endian = o->big_endian != 0;
    o->pfifo_endian = diff_once(3);
    l->pfifo_endian = o->pfifo_endian != 0;
    o->sli_enable = diff_once(2);
    l->sli_enable = o->sli_enable != 0;
    l->sli_mask = o->sli_mask = diff_below(4096);
    o->sli_active = !diff_once(4);
    l->sli_active = o->sli_active != 0;
    o->ib_enable = diff_once(2);
    l->ib_enable = o->ib_enable != 0;
    l->ref = o->ref = diff_rand();
    big = chip < GPUCMD_NV_CHIP_NV1A ? false : g80 ? l->pfifo_endian : l->big_endian;
    if (diff_once(4)) {
        l->mthd = o->dma_state.mthd = diff_mthd() / 4;
        l->subc = o->dma_state.subc = diff_below(8);
        l->mcnt = o->dma_state.mcnt = diff_below(g80 && diff_once(4) ? 0x1000000 : 6);
        o->dma_state.ni = chip >= GPUCMD_NV_CHIP_NV10 && diff_once(2);
        l->ni = o->dma_state.ni != 0;
        o->subr_active = chip >= GPUCMD_NV_CHIP_NV1A && diff_once(2);
        l->subr_active = o->subr_active != 0;
        l->subr_return = o->subr_return =
            (uint32_t)base + (diff_once(8) ? diff_below(64) : 4 * diff_below(DIFF_DW));
        o->dma_state.lenp = g80 && diff_once(8);
        l->lenp = o->dma_state.lenp != 0;
        o->nonmain = g80 && diff_once(4);
        l->nonmain = o->nonmain != 0;
    }
    if (chip >= GPUCMD_NV_CHIP_NV5) {
        l->dcount_shadow = o->dcount_shadow = diff_rand();
        l->rsvd_shadow = o->rsvd_shadow = diff_rand();
        l->data_shadow = o->data_shadow = diff_rand();
        l->dma_get_jmp_shadow = o->dma_get_jmp_shadow = diff_rand();
    }
    l->dma_get = o->dma_get = base & mask;
    l->dma_put = o->dma_put = (base + 4 * (uint64_t)diff_below(DIFF_DW + 1)) & mask;
    if (diff_once(8)) {
        l->dma_limit = o->dma_limit = (uint32_t)base + diff_below(4 * DIFF_DW);
    }
    l->ib_order = o->ib_order = diff_once(32) ? 31 + diff_below(3) : diff_below(5);
    l->ib_address = o->ib_address = diff_once(8)   ? 0xffffffffc0u
                                    : diff_once(8) ? 0x2004
                                                   : 0x8000 + 0x100000000u * diff_below(2);
    if (g80 && l->ib_enable) {
        l->dma_put = o->dma_put = l->dma_get;
        l->ib_get = o->ib_get = diff_below(DIFF_RING) & ((1u << (l->ib_order & 31)) - 1);
        l->ib_put = o->ib_put = diff_once(8) ? diff_rand() : diff_below(DIFF_RING);
        l->dma_mget = o->dma_mget = diff_rand();
    }
    for (uint32_t i = 0; i < DIFF_DW; i++) {
        prev = diff_old_word((uint32_t)base, prev);
        diff_store(words + 4 * i, prev, big);
    }
    for (uint32_t i = 0; i < DIFF_RING; i++) {
        const uint64_t va = base + 4 * (uint64_t)diff_below(DIFF_DW);
        const uint32_t len = diff_once(16) ? diff_below(0x400000) : diff_below(12);
        const uint32_t flags = diff_once(4) ? diff_below(4) << 8 : 0;
        diff_store(ring + 8 * i, (uint32_t)va | (diff_once(8) ? diff_below(4) : 0),
                   l->pfifo_endian);
        diff_store(ring + 8 * i + 4, (uint32_t)(va >> 32 & 0xff) | flags | len << 10,
                   l->pfifo_endian);
    }
    diff_memory_begin(diff_once(2) ? 0 : (uint64_t)diff_rand() << 9);
    l->dma_pushbuffer_va = diff.offset;
    diff_lay(base, mask, words, sizeof words, true);
    diff_lay(l->ib_address, mask, ring, sizeof ring, diff_once(8));
    diff_memory_end();
    diff_env_begin(chip);
}

/* Access a random register of the control area between two steps. */
static bool diff_pusher_touch(gpucmd_nv_pusher *l, struct nv_oracle_pusher *o)
{
    const uint32_t off = diff_once(8) ? diff_below(0x100) : 0x40 + 4 * diff_below(20);
    const uint32_t put = (uint32_t)l->dma_get + 4 * diff_below(32) + diff_below(4);
    const uint32_t v = off == 0x40 && !diff_once(8) ? put : diff_once(2) ? diff_rand() : 0;
    if (diff_once(2)) {
        return gpucmd_nv_pusher_read32(l, off) == nv_oracle_user_read(o, off);
    }
    gpucmd_nv_pusher_write32(l, off, v);
    nv_oracle_user_write(o, off, v);
    return true;
}

static void diff_pusher_recover(gpucmd_nv_pusher *l, struct nv_oracle_pusher *o)
{
    diff.errors[o->error]++;
    gpucmd_nv_pusher_recover(l);
    nv_oracle_pusher_recover(o);
    if (!l->ib_enable || l->chip < GPUCMD_NV_CHIP_G80) { /* submit some words */
        const uint64_t mask = l->chip >= GPUCMD_NV_CHIP_G80 ? 0xffffffffffu : 0xffffffffu;
        l->dma_put = o->dma_put = (l->dma_get + 4 * (uint64_t)diff_below(8)) & mask;
    }
}

static bool diff_pusher_same(const gpucmd_nv_pusher *l, const struct nv_oracle_pusher *o,
                             uint64_t seed)
{
    const char *what = diff_pusher_state(l, o);
    return diff_expect(what == NULL, what != NULL ? what : "", seed) &&
           diff_expect(diff_same_log(), "methods", seed);
}

/* Execute one step of the library and of the oracle, and compare. */
static bool diff_pusher_step(gpucmd_nv_pusher *l, struct nv_oracle_pusher *o, uint64_t seed)
{
    enum nv_oracle_pusher_result want;
    gpucmd_run run;
    diff.lib.stopped = false;
    run = gpucmd_nv_pusher_step(l, &diff.env);
    diff.steps++;
    if (diff.lib.stopped && !diff.lib.took_all) { /* a stopped step changes nothing */
        diff.blocked++;
        if (!diff_expect(run == (l->fault == GPUCMD_OK ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_FAULT),
                         "result of a refusal", seed)) {
            return false;
        }
        l->fault = GPUCMD_OK;
        return diff_pusher_same(l, o, seed);
    }
    want = nv_oracle_pusher_step(o, &diff.pusher_env);
    if (!diff_expect(run == (want == NV_ORACLE_PUSHER_IDLE    ? GPUCMD_RUN_IDLE
                             : want == NV_ORACLE_PUSHER_ERROR ? GPUCMD_RUN_FAULT
                             : diff.lib.stopped               ? GPUCMD_RUN_BLOCKED
                                                              : GPUCMD_RUN_DONE),
                     "result of a step", seed)) {
        return false;
    }
    return diff_pusher_same(l, o, seed);
}

/* Bring the oracle to where a run of the library stopped. */
static bool diff_pusher_follow(gpucmd_run run, uint64_t budget, struct nv_oracle_pusher *o,
                               uint64_t seed)
{
    uint64_t n = 0;
    enum nv_oracle_pusher_result got = NV_ORACLE_PUSHER_OK;
    for (; got == NV_ORACLE_PUSHER_OK && n <= budget; n++) {
        const struct nv_oracle_pusher before = *o;
        const unsigned count = diff.oracle.log.count;
        if (run == GPUCMD_RUN_LIMIT && n == budget) {
            return true;
        }
        if (diff.lib.stopped && diff.lib.took_all && count == diff.lib.log.count) {
            return true;
        }
        got = nv_oracle_pusher_step(o, &diff.pusher_env);
        if (diff.lib.stopped && diff.oracle.log.count > diff.lib.log.count) {
            *o = before;
            diff.oracle.log.count = count;
            return true;
        }
    }
    return diff_expect((run == GPUCMD_RUN_IDLE && got == NV_ORACLE_PUSHER_IDLE) ||
                           (run == GPUCMD_RUN_FAULT && got == NV_ORACLE_PUSHER_ERROR),
                       "result of a run", seed);
}

static bool diff_pusher_run(gpucmd_nv_pusher *l, struct nv_oracle_pusher *o, uint64_t seed)
{
    const uint64_t budget = diff_once(8) ? 0 : diff_below(48);
    gpucmd_run run;
    diff.lib.stopped = false;
    run = gpucmd_nv_pusher_run(l, &diff.env, budget);
    diff.runs++;
    if (diff.lib.stopped) {
        diff.blocked++;
        if (!diff_expect(run == (l->fault == GPUCMD_OK ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_FAULT),
                         "result of a refused run", seed)) {
            return false;
        }
        l->fault = GPUCMD_OK;
    }
    return diff_pusher_follow(run, budget, o, seed) && diff_pusher_same(l, o, seed);
}

/* Execute one stream. Return whether the library and the oracle always agree. */
static bool diff_pusher_stream(uint64_t seed)
{
    gpucmd_nv_pusher l0, l;
    struct nv_oracle_pusher o0, o;
    bool good = true;
    diff_seed = seed;
    diff_pusher_begin(&l0, &o0);
    diff.streams++;
    for (int pass = 0; pass < 2; pass++) {
        const int rounds = pass == 0 ? DIFF_STEPS : 6;
        l = l0;
        o = o0;
        diff.lib.stop_once_in = diff_once(2) ? 0 : pass == 0 ? 8 : 4;
        for (int i = 0; i < rounds && good; i++) {
            good = pass == 0 ? diff_pusher_step(&l, &o, seed) : diff_pusher_run(&l, &o, seed);
            if (good && diff_once(pass == 0 ? 24 : 3)) {
                good = diff_expect(diff_pusher_touch(&l, &o), "control area", seed);
            }
            if (good && (o.error != NV_ORACLE_NO_ERROR ? !diff_once(4) : diff_once(64))) {
                diff_pusher_recover(&l, &o);
            }
            good = good && diff_pusher_same(&l, &o, seed);
        }
    }
    return good;
}

/* ---- PBDMA ---- */

static const struct {
    gpucmd_nv_chip chip;
    enum nv_oracle_gen gen;
} diff_new_chips[] = {
    {GPUCMD_NV_CHIP_GF100, NV_ORACLE_FERMI },
    {GPUCMD_NV_CHIP_GF117, NV_ORACLE_FERMI },
    {GPUCMD_NV_CHIP_GK104, NV_ORACLE_KEPLER},
    {GPUCMD_NV_CHIP_GP10B, NV_ORACLE_KEPLER},
    {GPUCMD_NV_CHIP_GV100, NV_ORACLE_KEPLER},
    {GPUCMD_NV_CHIP_GV11B, NV_ORACLE_KEPLER},
    {GPUCMD_NV_CHIP_TU102, NV_ORACLE_TURING},
    {GPUCMD_NV_CHIP_TU117, NV_ORACLE_TURING},
    {GPUCMD_NV_CHIP_GA100, NV_ORACLE_AMPERE},
    {GPUCMD_NV_CHIP_AD107, NV_ORACLE_AMPERE},
    {GPUCMD_NV_CHIP_GH100, NV_ORACLE_HOPPER},
    {GPUCMD_NV_CHIP_GB207, NV_ORACLE_HOPPER},
};

/* NULL, or the first member that differs. */
static const char *diff_pbdma_state(const gpucmd_nv_pbdma *l, const struct nv_oracle_pbdma *o)
{
    const uint32_t subdevice = o->subdevice_id | o->subdevice_stored_mask << 16 |
                               (uint32_t)o->subdevice_status << 28 |
                               (uint32_t)o->subdevice_channel_dma << 29;
    DIFF_SAME(gp_base, gp_base)
    DIFF_SAME(limit2, limit2)
    DIFF_SAME(gp_get, gp_get)
    DIFF_SAME(gp_put, gp_put)
    DIFF_SAME(pb_get, pb_get)
    DIFF_SAME(pb_put, pb_put)
    DIFF_SAME(top_level_get, top_level_get)
    DIFF_SAME(top_level_get_valid, top_level_get_valid)
    DIFF_SAME(mthd, pb_header.method / 4)
    DIFF_SAME(subc, pb_header.subch)
    DIFF_SAME(type, pb_header.type)
    DIFF_SAME(sdmask, pb_header.sdmask)
    DIFF_SAME(run_conditional, pb_header.conditional)
    DIFF_SAME(count, pb_count)
    DIFF_SAME(level, seg_subroutine)
    DIFF_SAME(conditional, seg_conditional)
    DIFF_SAME(first, seg_first)
    DIFF_SAME(sync_wait, sync)
    DIFF_SAME(no_context_switch, seg_no_context_switch)
    DIFF_SAME(priv, seg_priv)
    DIFF_SAME(gp_crc, gp_crc)
    DIFF_SAME(hdr_shadow, hdr_shadow)
    DIFF_SAME(gp_shadow[0], gp_shadow_0)
    DIFF_SAME(gp_shadow[1], gp_shadow_1)
    DIFF_SAME(intr, intr)
    if (l->subdevice != subdevice) {
        return "subdevice";
    }
    if ((uint64_t)l->extended_base << 40 != o->extended_base) {
        return "extended_base";
    }
    if (o->pb_get == o->pb_put && gpucmd_nv_pbdma_pb_crc(l, &diff.mem) != o->pb_crc) {
        return "pb_crc";
    }
    return NULL;
}

/* Return a random word that is often valid on GF100 and later. */
static uint32_t diff_new_word(void)
{
    static const uint32_t sec[] = {1, 1, 1, 3, 3, 4, 4, 5, 5};
    const uint32_t mthd = diff_once(6) ? 0xfff - diff_below(4) : diff_below(0x1000);
    const uint32_t run = sec[diff_below(9)] << 29 | mthd | diff_below(8) << 13 |
                         (diff_once(12) ? diff_below(8192) : diff_below(6)) << 16;
    const uint32_t old = diff_mthd() | diff_below(8) << 13 | diff_below(6) << 18;
    switch (diff_below(20)) {
    case 0: return diff_rand();
    case 1: return 0;
    case 2: return old;
    case 3: return old | 0x40000000 | (diff_once(4) ? diff_below(4) << 16 : 0);
    case 4: return run ^ (uint32_t)1 << diff_below(32);
    case 5:
    case 6: return 0x00010000 | diff_below(4096) << 4 | (diff_once(4) ? diff_below(16) : 0);
    case 7: return 0x00020000 | diff_below(4096) << 4 | (diff_once(4) ? diff_rand() << 18 >> 3 : 0);
    case 8: return 0x00030000 | (diff_once(4) ? diff_below(0x10000) : 0);
    case 9: return diff_once(2) ? 0xe0000000 | diff_rand() >> 3 : 0x60000002;
    case 10: return diff_below(64);
    default: return run;
    }
}

/* Write a random IB entry. */
static void diff_new_entry(uint8_t *at, uint64_t base, gpucmd_nv_chip chip)
{
    const uint64_t va = base + 4 * (uint64_t)diff_below(DIFF_DW);
    const uint32_t len = diff_once(32) ? diff_below(0x200000) : 1 + diff_below(12);
    uint32_t dw0 = ((uint32_t)va & ~3u) | (diff_once(3) ? diff_below(4) : 0);
    uint32_t dw1 = (uint32_t)(va >> 32 & 0xff) | (diff_once(4) ? diff_below(4) << 8 : 0) |
                   len << 10 | (diff_once(4) ? 0x80000000u : 0);
    if (diff_once(4)) {
        const uint32_t hi = (uint32_t)(base >> 40) << 8;
        static const uint8_t ops[] = {0, 1, 2, 2, 3, 3, 3, 4};
        dw0 = diff_once(2) ? hi : diff_rand();
        dw1 = (diff_once(8) ? diff_below(256) : ops[diff_below(8)]) |
              (diff_once(4) ? 0x80000300u : 0);
        if ((dw1 & 0xff) == 4 && chip >= GPUCMD_NV_CHIP_GH100 && !diff_once(8)) {
            dw0 = hi | (diff_once(2) ? 0xfe0000ffu : 0);
        }
    }
    diff_store(at, dw0, false);
    diff_store(at + 4, dw1, false);
}

static void diff_pbdma_begin(gpucmd_nv_pbdma *l, struct nv_oracle_pbdma *o)
{
    static const uint64_t places[] = {0x1000, 0, 0xffffff00, 0x1234567000, 0xfffffffd00};
    const unsigned c = diff_below(sizeof diff_new_chips / sizeof diff_new_chips[0]);
    const gpucmd_nv_chip chip = diff_new_chips[c].chip;
    const uint64_t hi =
        chip >= GPUCMD_NV_CHIP_GH100 && diff_once(2) ? (uint64_t)diff_below(0x20000) << 40 : 0;
    const uint64_t base = hi + places[diff_below(5)];
    enum nv_oracle_pbdma_fmt fmt = NV_ORACLE_PBDMA_NEW;
    uint8_t words[4 * DIFF_DW];
    uint8_t ring[8 * DIFF_RING];
    memset(l, 0, sizeof *l);
    if (gpucmd_nv_pbdma_init(l, chip) != GPUCMD_OK) {
        diff.bad = true;
    }
    if (chip < GPUCMD_NV_CHIP_GV100) {
        const unsigned pick = diff_below(4);
        fmt = pick == 0 ? NV_ORACLE_PBDMA_OLD : pick == 1 ? NV_ORACLE_PBDMA_BOTH : fmt;
        l->fmt = pick == 0 ? GPUCMD_NV_FMT_OLD : pick == 1 ? GPUCMD_NV_FMT_BOTH : GPUCMD_NV_FMT_NEW;
    }
    nv_oracle_pbdma_init(o, diff_new_chips[c].gen, fmt);
    l->extended_base = (uint32_t)(hi >> 40);
    o->extended_base = hi;
    if (diff_once(2)) {
        const uint32_t id = diff_below(4096);
        const uint32_t stored = diff_below(4096);
        const uint32_t status = !diff_once(4);
        const uint32_t dma = !diff_once(4);
        l->subdevice = id | stored << 16 | status << 28 | dma << 29;
        o->subdevice_id = id;
        o->subdevice_stored_mask = stored;
        o->subdevice_status = (int)status;
        o->subdevice_channel_dma = (int)dma;
    }
    l->limit2 = o->limit2 = diff_below(5);
    l->gp_base = o->gp_base = 0x8000;
    if (diff_once(16)) {
        l->gp_base = o->gp_base = 0xffffffff80u + 8 * (uint64_t)diff_below(16);
    }
    if (diff_once(16)) {
        l->limit2 = o->limit2 = 31;
    }
    l->gp_get = o->gp_get = diff_below(1u << (l->limit2 & 7));
    l->gp_put = o->gp_put = diff_once(8) ? diff_below(40) : diff_below(1u << (l->limit2 & 7));
    for (uint32_t i = 0; i < DIFF_DW; i++) {
        diff_store(words + 4 * i, diff_new_word(), false);
    }
    for (uint32_t i = 0; i < DIFF_RING; i++) {
        diff_new_entry(ring + 8 * i, base, chip);
    }
    if (diff.long_crc) {
        for (uint32_t i = 0; i < DIFF_DW; i++) { /* most words do nothing */
            diff_store(words + 4 * i, diff_once(32) ? diff_new_word() : 0, false);
        }
        for (uint32_t i = 0; i < DIFF_RING; i++) {
            const uint32_t len = DIFF_DW - diff_below(48);
            diff_store(ring + 8 * i, i % 2 == 0 ? (uint32_t)base : diff_rand(), false);
            diff_store(ring + 8 * i + 4, i % 2 == 0 ? (uint32_t)(base >> 32 & 0xff) | len << 10 : 3,
                       false);
        }
    }
    diff_memory_begin(0);
    diff_lay(base, 0xffffffffffffffffu, words, sizeof words, true);
    diff_lay(l->gp_base, 0xffffffffffffffffu, ring, sizeof ring, diff_once(8));
    diff_memory_end();
    diff_env_begin(chip);
}

/* Return how many units of budget the next step takes, where done bytes of a PB_CRC were read
 * before: 1, but of a PB_CRC 1 for each 256 bytes, of which a region takes at least 16. */
static uint64_t diff_pbdma_units(const struct nv_oracle_pbdma *o, uint64_t done)
{
    const uint64_t entries = (uint64_t)1 << o->limit2;
    uint64_t va = o->pb_crc_begin + done;
    uint32_t dw1 = 0;
    uint64_t units = 1;
    uint64_t room = 256;
    if (o->intr != 0 || o->pb_get != o->pb_put || o->gp_get == o->gp_put || o->gp_get >= entries ||
        o->gp_put >= entries ||
        !nv_oracle_pbdma_read32(&diff.pbdma_env, o->gp_base + 8 * (uint64_t)o->gp_get + 4, &dw1) ||
        (dw1 & 0x7ffffcff) != 3) {
        return 1;
    }
    while (va < o->pb_crc_end) {
        const gpucmd_region *r = diff_region(va);
        uint64_t n = o->pb_crc_end - va;
        if (r == NULL) {
            break;
        }
        if (room == 0) {
            units++;
            room = 256;
        }
        n = n < r->va + r->bytes - va ? n : r->va + r->bytes - va;
        n = n < room ? n : room;
        va += n;
        room -= n > 16 ? n : room < 16 ? room : 16;
    }
    return units;
}

/* If the next entry is a CRC entry, write the correct CRC with probability 1 / 2. */
static void diff_pbdma_crc(const struct nv_oracle_pbdma *o)
{
    const uint64_t at = o->gp_base + 8 * (uint64_t)o->gp_get;
    uint32_t dw0 = 0;
    uint32_t dw1 = 0;
    if (o->pb_get == o->pb_put && nv_oracle_pbdma_read32(&diff.pbdma_env, at, &dw0) &&
        nv_oracle_pbdma_read32(&diff.pbdma_env, at + 4, &dw1) && (dw1 & 0x7ffffc00) == 0 &&
        ((dw1 & 0xff) == 2 || (dw1 & 0xff) == 3) && diff_once(2)) {
        (void)!gpucmd_mem_write32(&diff.mem, at, GPUCMD_LITTLE_ENDIAN,
                                  (dw1 & 0xff) == 2 ? o->gp_crc : o->pb_crc);
    }
}

/* Act as the kernel: clear pending interrupts, sometimes repair the header or submit more
 * entries. */
static void diff_pbdma_touch(gpucmd_nv_pbdma *l, struct nv_oracle_pbdma *o, bool faulted)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        diff.intr_bits[bit] += o->intr >> bit & 1;
    }
    if (o->intr != 0 && !diff_once(4)) {
        const uint32_t bits = diff_once(8) ? diff_rand() : o->intr;
        if (o->intr == NV_ORACLE_INTR_PBENTRY && diff_once(2)) {
            static const enum nv_oracle_type types[] = {NV_ORACLE_TYPE_INC, NV_ORACLE_TYPE_NON_INC,
                                                        NV_ORACLE_TYPE_INC_ONCE};
            o->pb_header.type = types[diff_below(3)];
            l->type = (uint32_t)o->pb_header.type;
            l->count = o->pb_count = diff_below(5);
            l->subc = o->pb_header.subch = diff_below(8);
            l->mthd = diff_below(0x1000);
            o->pb_header.method = l->mthd * 4;
        }
        if ((o->intr & NV_ORACLE_INTR_DEVICE) != 0 && diff_once(2)) {
            l->count = o->pb_count = 0; /* the run is dropped */
        }
        if ((o->intr & NV_ORACLE_INTR_GPFIFO) != 0) {
            l->gp_base = o->gp_base = 0x8000;
        }
        gpucmd_nv_pbdma_clear(l, bits);
        nv_oracle_pbdma_clear(o, bits);
    }
    if (faulted && l->pb_get != l->pb_put && diff_once(2)) { /* drop the segment */
        l->segment_end_va = l->pb_get;
        l->pb_get = o->pb_get = o->pb_put;
    }
    if (diff_once(4)) {
        const uint32_t put = diff_once(16) ? diff_below(40) : diff_below(1u << (l->limit2 & 7));
        gpucmd_nv_pbdma_write32(l, 0x8c, put);
        o->gp_put = put;
        l->gp_get = o->gp_get = o->gp_get & ((1u << (l->limit2 & 31)) - 1);
    }
}

static bool diff_pbdma_same(const gpucmd_nv_pbdma *l, const struct nv_oracle_pbdma *o,
                            uint64_t seed)
{
    const char *what = diff_pbdma_state(l, o);
    return diff_expect(what == NULL, what != NULL ? what : "", seed) &&
           diff_expect(diff_same_log(), "methods", seed);
}

static bool diff_pbdma_step(gpucmd_nv_pbdma *l, struct nv_oracle_pbdma *o, uint64_t seed)
{
    enum nv_oracle_pbdma_result want;
    uint64_t units;
    gpucmd_run run;
    diff.lib.stopped = false;
    diff_pbdma_crc(o);
    units = diff_pbdma_units(o, l->crc_bytes);
    run = gpucmd_nv_pbdma_step(l, &diff.env);
    diff.steps++;
    for (; units > 1; units--) { /* a long PB_CRC: nothing else changes until it is complete */
        diff.crc_waits++;
        if (!diff_expect(run == GPUCMD_RUN_DONE && l->crc_bytes != 0, "PB_CRC goes on", seed) ||
            !diff_pbdma_same(l, o, seed)) {
            return false;
        }
        run = gpucmd_nv_pbdma_step(l, &diff.env);
    }
    if (diff.lib.stopped && !diff.lib.took_all) {
        diff.blocked++;
        if (!diff_expect(run == (l->fault == GPUCMD_OK ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_FAULT),
                         "result of a refusal", seed)) {
            return false;
        }
        l->fault = GPUCMD_OK;
        return diff_pbdma_same(l, o, seed);
    }
    want = nv_oracle_pbdma_step(o, &diff.pbdma_env);
    if (!diff_expect(run == (want == NV_ORACLE_PBDMA_IDLE ? GPUCMD_RUN_IDLE
                             : want != NV_ORACLE_PBDMA_OK ? GPUCMD_RUN_FAULT
                             : diff.lib.stopped           ? GPUCMD_RUN_BLOCKED
                                                          : GPUCMD_RUN_DONE),
                     "result of a step", seed) ||
        !diff_expect(l->fault == (want == NV_ORACLE_PBDMA_FAULT ? GPUCMD_FAULT : GPUCMD_OK),
                     "fault", seed)) {
        return false;
    }
    diff.faults += l->fault != GPUCMD_OK;
    l->fault = GPUCMD_OK;
    return diff_pbdma_same(l, o, seed);
}

/* Bring the oracle to where a run of the library stopped. */
static bool diff_pbdma_follow(gpucmd_run run, uint64_t budget, uint64_t crc_bytes,
                              struct nv_oracle_pbdma *o, uint64_t seed)
{
    uint64_t n = 0;
    enum nv_oracle_pbdma_result got = NV_ORACLE_PBDMA_OK;
    while (got == NV_ORACLE_PBDMA_OK && n <= budget) {
        const struct nv_oracle_pbdma before = *o;
        const unsigned count = diff.oracle.log.count;
        const uint64_t units = diff_pbdma_units(o, crc_bytes);
        if (run == GPUCMD_RUN_LIMIT && n + units > budget) {
            return true;
        }
        n += units;
        crc_bytes = 0;
        if (diff.lib.stopped && diff.lib.took_all && count == diff.lib.log.count) {
            return true;
        }
        got = nv_oracle_pbdma_step(o, &diff.pbdma_env);
        if (diff.lib.stopped && diff.oracle.log.count > diff.lib.log.count) {
            *o = before;
            diff.oracle.log.count = count;
            return true;
        }
    }
    if (diff.lib.stopped && diff.lib.took_all && got == NV_ORACLE_PBDMA_INTR) {
        return true; /* the word accepted with BLOCKED also raised PBSEG */
    }
    return diff_expect((run == GPUCMD_RUN_IDLE && got == NV_ORACLE_PBDMA_IDLE) ||
                           (run == GPUCMD_RUN_FAULT && got != NV_ORACLE_PBDMA_IDLE),
                       "result of a run", seed);
}

static bool diff_pbdma_run(gpucmd_nv_pbdma *l, struct nv_oracle_pbdma *o, uint64_t seed)
{
    const uint64_t budget = diff_once(8) ? 0 : diff_below(48);
    const uint64_t crc_bytes = l->crc_bytes;
    gpucmd_run run;
    diff.lib.stopped = false;
    run = gpucmd_nv_pbdma_run(l, &diff.env, budget);
    diff.runs++;
    if (diff.lib.stopped) {
        diff.blocked++;
        if (!diff_expect(run == (l->fault == GPUCMD_OK && l->intr == 0 ? GPUCMD_RUN_BLOCKED
                                                                       : GPUCMD_RUN_FAULT),
                         "result of a refused run", seed)) {
            return false;
        }
    }
    diff.faults += l->fault == GPUCMD_FAULT;
    l->fault = GPUCMD_OK;
    return diff_pbdma_follow(run, budget, crc_bytes, o, seed) && diff_pbdma_same(l, o, seed);
}

static bool diff_pbdma_stream(uint64_t seed)
{
    gpucmd_nv_pbdma l0, l;
    struct nv_oracle_pbdma o0, o;
    bool good = true;
    diff_seed = seed;
    diff_pbdma_begin(&l0, &o0);
    diff.streams++;
    for (int pass = 0; pass < 2; pass++) {
        const int rounds = pass != 0 ? 6 : diff.long_crc ? DIFF_CRC_STEPS : DIFF_STEPS;
        l = l0;
        o = o0;
        diff.lib.stop_once_in = diff_once(2) ? 0 : pass == 0 ? 8 : 4;
        for (int i = 0; i < rounds && good; i++) {
            const uint64_t faults = diff.faults;
            good = pass == 0 ? diff_pbdma_step(&l, &o, seed) : diff_pbdma_run(&l, &o, seed);
            if (good && (o.intr != 0 || faults != diff.faults || diff_once(16))) {
                diff_pbdma_touch(&l, &o, faults != diff.faults);
            }
            good = good && diff_pbdma_same(&l, &o, seed);
        }
    }
    return good;
}

/* Execute count streams with each executor. Return whether all agree. */
static bool diff_all(uint64_t count, uint64_t first)
{
    uint64_t s = first * 0x9e3779b97f4a7c15u + 1;
    for (uint64_t i = 0; i < count && !diff.bad; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        if (!diff_pusher_stream(s | 1)) {
            printf("    pusher\n");
        } else if (!diff_pbdma_stream((s ^ s >> 29) | 1)) {
            printf("    PBDMA\n");
        }
    }
    return !diff.bad;
}

/* Execute count streams with long segments, each with a PB_CRC. Return whether all agree. */
static bool diff_crcs(uint64_t count, uint64_t first)
{
    uint64_t s = first * 0x9e3779b97f4a7c15u + 1;
    diff.long_crc = true;
    for (uint64_t i = 0; i < count && !diff.bad; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        if (!diff_pbdma_stream((s ^ s >> 29) | 1)) {
            printf("    PBDMA, long segments\n");
        }
    }
    diff.long_crc = false;
    return !diff.bad;
}

/* Print what the streams covered. */
static void diff_print(void)
{
    printf("streams %llu, steps %llu, runs %llu, methods %llu in %llu calls, refusals %llu\n",
           (unsigned long long)diff.streams, (unsigned long long)diff.steps,
           (unsigned long long)diff.runs, (unsigned long long)diff.methods,
           (unsigned long long)diff.batches, (unsigned long long)diff.blocked);
    printf("pusher errors recovered from:");
    for (unsigned i = 1; i < 7; i++) {
        printf(" %s %llu", gpucmd_nv_pusher_error_name((gpucmd_nv_pusher_error)i),
               (unsigned long long)diff.errors[i]);
    }
    printf("\nPBDMA interrupts, by bit:");
    for (unsigned i = 0; i < 32; i++) {
        if (diff.intr_bits[i] != 0) {
            printf(" %u: %llu", i, (unsigned long long)diff.intr_bits[i]);
        }
    }
    printf(", page faults %llu, units of PB_CRC after the first %llu\n",
           (unsigned long long)diff.faults, (unsigned long long)diff.crc_waits);
}

#endif /* GPUCMD_NV_DIFF_H */

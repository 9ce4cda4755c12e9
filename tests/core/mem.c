/* core/mem.c - GPU memory: single cases, then random accesses compared with an oracle that looks up
 * every byte alone. */
/* suite: regions */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

enum {
    R = GPUCMD_ACCESS_READ,
    W = GPUCMD_ACCESS_WRITE,
    POOL_BYTES = 1024,
};

static uint8_t pool[POOL_BYTES];
static gpucmd_mem mem;

/* Fill the pool; each byte depends on its position. */
static void fill(void)
{
    for (size_t i = 0; i < POOL_BYTES; i++) {
        pool[i] = (uint8_t)(i * 7 + (i >> 8));
    }
}

/* ---- init ----------------------------------------------------------------------------------- */

static void init(void)
{
    gpucmd_region r = {0x1000, 0x10, pool, R | W};
    uint8_t byte = 0;
    memset(&mem, 0xee, sizeof mem); /* every member is written */
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    CHECK(mem.regions == &r && mem.count == 1 && mem.fault_va == 0);
    CHECK(mem.scratch == NULL && mem.scratch_count == 0);
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 1), GPUCMD_OK);
    /* no regions at all */
    EQUAL(gpucmd_mem_init(&mem, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 1), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 0), GPUCMD_OK);
    /* a region up to the end of the address space, then one byte longer */
    r.va = 0xfffffffffffffff0ull;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0xffffffffffffffffull, &byte, 1), GPUCMD_OK);
    r.bytes = 0x11;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_RANGE);
    EQUAL(gpucmd_mem_read(&mem, 0xfffffffffffffff0ull, &byte, 1), GPUCMD_FAULT);
    r.va = 0xffffffffffffffffull;
    r.bytes = 0xffffffffffffffffull;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_RANGE);
    /* "or has no CPU memory; mem then has no regions" */
    const gpucmd_region two[2] = {
        {0x1000, 0x10, pool, R},
        {0x2000, 0x10, NULL, R}
    };
    EQUAL(gpucmd_mem_init(&mem, two, 2), GPUCMD_RANGE);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 1), GPUCMD_FAULT);
    /* an empty region needs no CPU memory and contains no address */
    r.va = 0x1000;
    r.bytes = 0;
    r.host = NULL;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 1), GPUCMD_FAULT);
    /* "after a change call gpucmd_mem_init again" */
    r.bytes = 1;
    r.host = pool;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x1000, &byte, 1), GPUCMD_OK);
}

/* ---- span ----------------------------------------------------------------------------------- */

static uint8_t *host;
static uint64_t got_bytes;

static void span_refused(uint64_t va, uint32_t access, int line)
{
    uint8_t mark = 0;
    host = &mark;
    got_bytes = 0x5a5a;
    test_equal(gpucmd_mem_span(&mem, va, 4, access, &host, &got_bytes), GPUCMD_FAULT, __FILE__,
               line, "span");
    test_check(host == &mark && got_bytes == 0x5a5a, __FILE__, line, "outputs untouched");
    test_equal(mem.fault_va, va, __FILE__, line, "fault_va");
}

#define SPAN_REFUSED(va, access) span_refused(va, access, __LINE__)
#define SPAN(va, want_bytes, access, at, n_bytes)                                                  \
    do {                                                                                           \
        EQUAL(gpucmd_mem_span(&mem, va, want_bytes, access, &host, &got_bytes), GPUCMD_OK);        \
        CHECK(host == (at));                                                                       \
        EQUAL(got_bytes, n_bytes);                                                                 \
    } while (0)

static void span(void)
{
    /* ascending without overlap: the first two are adjacent, a gap precedes the third */
    const gpucmd_region sorted[3] = {
        {0x1000, 0x20, pool + 1,   R | W},
        {0x1020, 0x10, pool + 200, R    },
        {0x2000, 0x08, pool + 300, W    }
    };
    EQUAL(gpucmd_mem_init(&mem, sorted, 3), GPUCMD_OK);
    SPAN(0x1000, 1, R, pool + 1, 1);
    SPAN(0x1000, 0x20, W, pool + 1, 0x20);
    SPAN(0x1000, 0x21, R, pool + 1, 0x20);
    SPAN(0x101f, 100, R | W, pool + 0x20, 1);
    SPAN(0x1020, 0xffffffffffffffffull, R, pool + 200, 0x10);
    SPAN(0x2007, 2, W, pool + 307, 1);
    SPAN(0x1004, 2, R, pool + 5, 2);
    SPAN_REFUSED(0x0fff, R);
    SPAN_REFUSED(0x1030, R);
    SPAN_REFUSED(0x1fff, W);
    SPAN_REFUSED(0x2008, W);
    SPAN_REFUSED(0x1020, W);
    SPAN_REFUSED(0x1020, R | W);
    SPAN_REFUSED(0x2000, R);
    SPAN_REFUSED(0, R);
    SPAN_REFUSED(0xffffffffffffffffull, R);
}

/* Regions in another order, or that overlap, are refused; sorting mends the order. */
static void order(void)
{
    gpucmd_region r[64];
    const gpucmd_region down[2] = {
        {0x1010, 0x10, pool, R},
        {0x1000, 0x10, pool, R}
    };
    const gpucmd_region overlap[2] = {
        {0x1000, 0x11, pool, R},
        {0x1010, 0x10, pool, R}
    };
    uint8_t byte = 0;
    EQUAL(gpucmd_mem_init(&mem, down, 2), GPUCMD_ORDER);
    EQUAL(gpucmd_mem_read(&mem, 0x1010, &byte, 1), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_init(&mem, overlap, 2), GPUCMD_ORDER);
    for (uint32_t n = 0; n <= 64; n++) {
        for (uint32_t i = 0; i < n; i++) { /* 37 and 64 have no common factor */
            const uint32_t k = i * 37 % 64;
            const gpucmd_region one = {0x1000 + 0x10 * (uint64_t)k, 0x10, pool + k, R};
            r[i] = one;
        }
        gpucmd_mem_sort(r, n);
        EQUAL(gpucmd_mem_init(&mem, r, n), GPUCMD_OK);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t k = i * 37 % 64;
            EQUAL(gpucmd_mem_read(&mem, 0x1005 + 0x10 * (uint64_t)k, &byte, 1), GPUCMD_OK);
            EQUAL(byte, pool[k + 5]);
        }
    }
}

/* ---- values --------------------------------------------------------------------------------- */

static void values(void)
{
    const gpucmd_region r[2] = {
        {0x1000, 13, pool + 3,  R | W},
        {0x100d, 20, pool + 99, R | W}
    };
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    for (uint64_t off = 0; off < 16; off++) { /* any alignment, also across the two regions */
        static const uint8_t bytes[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
        const uint64_t va = 0x1000 + off;
        uint8_t back[8];
        uint32_t v32 = 0;
        uint64_t v64 = 0;
        EQUAL(gpucmd_mem_write(&mem, va, bytes, 8), GPUCMD_OK);
        EQUAL(gpucmd_mem_read32(&mem, va, GPUCMD_LITTLE_ENDIAN, &v32), GPUCMD_OK);
        EQUAL(v32, 0x44332211);
        EQUAL(gpucmd_mem_read32(&mem, va, GPUCMD_BIG_ENDIAN, &v32), GPUCMD_OK);
        EQUAL(v32, 0x11223344);
        EQUAL(gpucmd_mem_read64(&mem, va, GPUCMD_LITTLE_ENDIAN, &v64), GPUCMD_OK);
        EQUAL(v64, 0x8877665544332211ull);
        EQUAL(gpucmd_mem_read64(&mem, va, GPUCMD_BIG_ENDIAN, &v64), GPUCMD_OK);
        EQUAL(v64, 0x1122334455667788ull);
        memset(pool, 0xee, sizeof pool);
        EQUAL(gpucmd_mem_write32(&mem, va, GPUCMD_LITTLE_ENDIAN, 0x44332211), GPUCMD_OK);
        EQUAL(gpucmd_mem_read(&mem, va, back, 8), GPUCMD_OK);
        CHECK(memcmp(back, "\x11\x22\x33\x44\xee\xee\xee\xee", 8) == 0);
        EQUAL(gpucmd_mem_write32(&mem, va, GPUCMD_BIG_ENDIAN, 0x44332211), GPUCMD_OK);
        EQUAL(gpucmd_mem_read(&mem, va, back, 8), GPUCMD_OK);
        CHECK(memcmp(back, "\x44\x33\x22\x11\xee\xee\xee\xee", 8) == 0);
        EQUAL(gpucmd_mem_write64(&mem, va, GPUCMD_LITTLE_ENDIAN, 0x8877665544332211ull), GPUCMD_OK);
        EQUAL(gpucmd_mem_read(&mem, va, back, 8), GPUCMD_OK);
        CHECK(memcmp(back, bytes, 8) == 0);
        EQUAL(gpucmd_mem_write64(&mem, va, GPUCMD_BIG_ENDIAN, 0x1122334455667788ull), GPUCMD_OK);
        EQUAL(gpucmd_mem_read(&mem, va, back, 8), GPUCMD_OK);
        CHECK(memcmp(back, bytes, 8) == 0);
    }
    /* "it cannot be accessed; *v or the memory is unchanged" */
    uint32_t v32 = 0x5a5a;
    uint64_t v64 = 0x5a5a;
    fill();
    EQUAL(gpucmd_mem_read32(&mem, 0x101e, GPUCMD_LITTLE_ENDIAN, &v32), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x1021);
    EQUAL(v32, 0x5a5a);
    EQUAL(gpucmd_mem_read64(&mem, 0x101a, GPUCMD_LITTLE_ENDIAN, &v64), GPUCMD_FAULT);
    EQUAL(v64, 0x5a5a);
    EQUAL(gpucmd_mem_write32(&mem, 0x101e, GPUCMD_LITTLE_ENDIAN, 0), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_write64(&mem, 0x0fff, GPUCMD_LITTLE_ENDIAN, 0), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x0fff);
    for (size_t i = 0; i < POOL_BYTES; i++) {
        EQUAL(pool[i], (uint8_t)(i * 7 + (i >> 8)));
    }
}

/* ---- the end of the address space ------------------------------------------------------------ */

static void wrap(void)
{
    const gpucmd_region r[2] = {
        {0,                     16, pool,       R | W},
        {0xfffffffffffffff0ull, 16, pool + 100, R | W}
    };
    uint8_t bytes[16];
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0xfffffffffffffff8ull, bytes, 8), GPUCMD_OK);
    mem.fault_va = 0x5a5a;
    EQUAL(gpucmd_mem_probe(&mem, 0xfffffffffffffff8ull, 9, R), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0);
    EQUAL(gpucmd_mem_read(&mem, 0xfffffffffffffffeull, bytes, 4), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_write(&mem, 0xffffffffffffffffull, bytes, 2), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_copy(&mem, 0, 0xfffffffffffffffcull, 5), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_copy(&mem, 0xfffffffffffffffcull, 0, 5), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_copy(&mem, 0xfffffffffffffffcull, 0, 4), GPUCMD_OK);
    EQUAL(gpucmd_mem_probe(&mem, 0, 0xffffffffffffffffull, R), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 16);
    /* "or if len_bytes is 0": every call succeeds, at any address */
    EQUAL(gpucmd_mem_probe(&mem, 0x5000, 0, R), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x5000, bytes, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_write(&mem, 0x5000, bytes, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_read(&mem, 0x5000, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_write(&mem, 0x5000, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_copy(&mem, 0x5000, 0x6000, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_copy(&mem, 0, 0, 16), GPUCMD_OK);
}

/* ---- comparison with an oracle that looks up every byte ------------------------------------- */

static uint32_t seed = 4711;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

static gpucmd_region regions[6];
static size_t count;

/* Return the index in the pool of the byte at va. -1: no region, or the right is missing. */
static int oracle_at(uint64_t va, uint32_t access)
{
    for (size_t i = 0; i < count; i++) {
        for (uint64_t k = 0; k < regions[i].bytes; k++) {
            if (regions[i].va + k == va) {
                return (regions[i].access_mask & access) == access
                           ? (int)((uint8_t *)regions[i].host - pool) + (int)k
                           : -1;
            }
        }
    }
    return -1;
}

/* Return the status of an access, and write the first address that fails. */
static gpucmd_status oracle_probe(uint64_t va, uint64_t len_bytes, uint32_t access, uint64_t *fault)
{
    for (uint64_t i = 0; i < len_bytes; i++) {
        if (va + i < va || oracle_at(va + i, access) < 0) {
            *fault = va + i;
            return GPUCMD_FAULT;
        }
    }
    return GPUCMD_OK;
}

/* Create random regions near base: most are adjacent, some have gaps. If mixed, their order in
 * memory is another one. */
static void deal(uint64_t base, bool mixed)
{
    uint64_t va = base;
    count = 1 + dice(6);
    for (size_t i = 0; i < count; i++) {
        gpucmd_region *r = &regions[i];
        if (dice(4) == 0 && va + 6 > va) {
            va += dice(6);
        }
        r->va = va;
        r->bytes = dice(7) == 0 ? 0 : 1 + dice(24);
        if (r->bytes != 0 && r->va + (r->bytes - 1) < r->va) {
            r->bytes = 0 - r->va;
        }
        r->host = pool + (mixed ? 5 - i : i) * 64 + dice(8);
        r->access_mask = dice(8) == 0 ? dice(4) : R | W;
        va = r->va + r->bytes;
        if (va < r->va) { /* the end of the address space */
            count = i + 1;
        }
    }
    for (size_t i = 0; mixed && i + 1 < count; i++) {
        const gpucmd_region other = regions[i];
        const size_t k = i + dice((uint32_t)(count - i));
        regions[i] = regions[k];
        regions[k] = other;
    }
    gpucmd_mem_sort(regions, mixed ? count : 0);
}

static uint8_t want_pool[POOL_BYTES];

static bool one_access(uint64_t base)
{
    const uint64_t va = base + dice(100) - 10;
    const uint64_t src_va = base + dice(100) - 10;
    const uint32_t len_bytes = dice(40);
    const uint32_t op = dice(4);
    uint8_t moved[64];
    uint8_t got[64];
    uint64_t fault_va = 0x5a5a;
    gpucmd_status want;
    gpucmd_status status = GPUCMD_OK;
    memset(got, 0x5a, sizeof got);
    for (size_t i = 0; i < sizeof moved; i++) {
        moved[i] = (uint8_t)dice(256);
    }
    memcpy(want_pool, pool, sizeof pool);
    mem.fault_va = 0x5a5a;
    if (op == 0) { /* read */
        want = oracle_probe(va, len_bytes, R, &fault_va);
        status = gpucmd_mem_read(&mem, va, got, len_bytes);
        for (uint32_t i = 0; i < sizeof got; i++) {
            const bool read = want == GPUCMD_OK && i < len_bytes;
            moved[i] = read ? pool[oracle_at(va + i, R)] : 0x5a;
        }
        if (!CHECK(memcmp(got, moved, sizeof got) == 0)) {
            return false;
        }
    } else if (op == 1) { /* write */
        want = oracle_probe(va, len_bytes, W, &fault_va);
        status = gpucmd_mem_write(&mem, va, moved, len_bytes);
        for (uint32_t i = 0; want == GPUCMD_OK && i < len_bytes; i++) {
            want_pool[oracle_at(va + i, W)] = moved[i];
        }
    } else if (op == 2) { /* copy; the expected result uses a temporary buffer */
        want = oracle_probe(src_va, len_bytes, R, &fault_va);
        if (want == GPUCMD_OK) {
            want = oracle_probe(va, len_bytes, W, &fault_va);
        }
        status = gpucmd_mem_copy(&mem, va, src_va, len_bytes);
    } else { /* probe */
        const uint32_t access = dice(4);
        want = oracle_probe(va, len_bytes, access, &fault_va);
        status = gpucmd_mem_probe(&mem, va, len_bytes, access);
    }
    for (uint32_t i = 0; op == 2 && want == GPUCMD_OK && i < len_bytes; i++) {
        moved[i] = want_pool[oracle_at(src_va + i, R)];
    }
    for (uint32_t i = 0; op == 2 && want == GPUCMD_OK && i < len_bytes; i++) {
        want_pool[oracle_at(va + i, W)] = moved[i];
    }
    EQUAL(status, want);
    EQUAL(mem.fault_va, fault_va);
    return CHECK(memcmp(pool, want_pool, sizeof pool) == 0) && test.failed == 0;
}

static void random_accesses(uint64_t base, bool mixed)
{
    for (int round = 0; round < 600; round++) {
        fill();
        deal(base, mixed);
        if (!EQUAL(gpucmd_mem_init(&mem, regions, count), GPUCMD_OK)) {
            return;
        }
        for (int i = 0; i < 40; i++) {
            if (!one_access(base)) {
                printf("    round %d, access %d, base 0x%llx\n", round, i,
                       (unsigned long long)base);
                return;
            }
        }
    }
}

/* A fill that starts anywhere in the repeats of its pattern, also after 2^32 bytes. */
static void fills(void)
{
    static const uint64_t phases[] = {
        0, 6, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0x123456789abcull, 0xfffffffffffffff8ull};
    static const uint8_t pattern[7] = {1, 2, 3, 4, 5, 6, 7};
    const gpucmd_region r = {0x1000, 32, pool, R | W};
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        for (uint32_t period = 1; period <= 7; period++) {
            uint64_t n = 20;
            memset(pool, 0, 32);
            EQUAL(gpucmd_priv_mem_fill(&mem, 0x1000, pattern, period, phases[i], &n), GPUCMD_OK);
            EQUAL(n, 20);
            for (uint64_t k = 0; k < 32; k++) {
                EQUAL(pool[k], k < 20 ? (phases[i] % period + k) % period + 1 : 0);
            }
        }
    }
}

/* A fill of fewer bytes than the pattern has, and one that cannot be written. */
static void short_fills(void)
{
    static const uint8_t pattern[7] = {1, 2, 3, 4, 5, 6, 7};
    const gpucmd_region r = {0x1000, 32, pool, R | W};
    uint64_t n = 3;
    EQUAL(gpucmd_mem_init(&mem, &r, 1), GPUCMD_OK);
    memset(pool, 0, 32);
    EQUAL(gpucmd_priv_mem_fill(&mem, 0x101d, pattern, 7, 5, &n), GPUCMD_OK);
    EQUAL(n, 3);
    EQUAL(pool[28], 0);
    EQUAL(pool[29], 6);
    EQUAL(pool[30], 7);
    EQUAL(pool[31], 1);
    n = 9; /* the region ends after two bytes */
    EQUAL(gpucmd_priv_mem_fill(&mem, 0x101e, pattern, 1, 0, &n), GPUCMD_OK);
    EQUAL(n, 2);
    EQUAL(pool[30], 1);
    EQUAL(pool[31], 1);
    n = 9; /* after one byte */
    EQUAL(gpucmd_priv_mem_fill(&mem, 0x101f, pattern, 7, 2, &n), GPUCMD_OK);
    EQUAL(n, 1);
    EQUAL(pool[31], 3);
    n = 9;
    EQUAL(gpucmd_priv_mem_fill(&mem, 0x1020, pattern, 1, 0, &n), GPUCMD_FAULT);
    EQUAL(n, 9);
}

/* ---- parts of a copy ------------------------------------------------------------------------- */

/* A unit of budget is at most 4 KiB moved: a byte is 1, a block of 4 KiB or a pixel 512 more. */
static void work(void)
{
    EQUAL(GPUCMD_PRIV_UNIT_WORK, 4096);
    EQUAL(GPUCMD_PRIV_PIECE_WORK, 512);
    EQUAL(gpucmd_priv_work(0, 1), 513);
    EQUAL(gpucmd_priv_work(0, 4096), 4608);
    EQUAL(gpucmd_priv_work(0, 4097), 4097 + 1024);
    EQUAL(gpucmd_priv_work(4095, 1), 513);
    EQUAL(gpucmd_priv_work(4095, 2), 1026);
    EQUAL(gpucmd_priv_work(4096, 4096), 4608);
    EQUAL(gpucmd_priv_work(0x123456789abcull, 0x10000), 0x10000 + 17 * 512);
    /* the block of the first byte is free, each further block costs 4608 */
    EQUAL(gpucmd_priv_work_limit(0, 100, 0), 100);
    EQUAL(gpucmd_priv_work_limit(0, 100000, 0), 4096);
    EQUAL(gpucmd_priv_work_limit(100, 100000, 0), 3996);
    EQUAL(gpucmd_priv_work_limit(0, 100000, 4607), 4096);
    EQUAL(gpucmd_priv_work_limit(0, 100000, 4608), 8192);
    EQUAL(gpucmd_priv_work_limit(4097, 100000, 3 * 4608), 4 * 4096 - 1);
    EQUAL(gpucmd_priv_work_limit(0, 8192, 4608), 8192);
    EQUAL(gpucmd_priv_work_limit(0, 8193, 4608), 8192);
    EQUAL(gpucmd_priv_work_limit(0, (uint64_t)1 << 40, 0xffffffffu), 932068ull * 4096);
    EQUAL(gpucmd_priv_work_limit(0, (uint64_t)1 << 40, ~(uint64_t)0), 932068ull * 4096);
    EQUAL(gpucmd_priv_work_limit(0, 100000, (uint64_t)1 << 32), 100000);
}

static uint8_t alias[40000], expected[40000];

/* Copy in parts of an allowed work and expect what block after block of 4 KiB gives. If the
 * destination begins inside the source, the last block comes first. from and to are the places in
 * alias of the first source and destination byte. */
static void parts(const gpucmd_region *two, uint64_t dst_va, uint64_t src_va, uint64_t len,
                  size_t to, size_t from, uint64_t allowed)
{
    const bool back = dst_va - src_va < len;
    uint64_t done, n;
    EQUAL(gpucmd_mem_init(&mem, two, 2), GPUCMD_OK);
    for (size_t i = 0; i < sizeof alias; i++) {
        alias[i] = expected[i] = (uint8_t)(i * 7 + (i >> 8));
    }
    for (done = 0; done < len; done += n) {
        n = len - done < 4096 ? len - done : 4096;
        const size_t at = (size_t)(back ? len - done - n : done);
        memmove(expected + to + at, expected + from + at, (size_t)n);
    }
    for (done = 0; done < len; done += n) {
        n = allowed;
        if (!EQUAL(gpucmd_priv_mem_part(&mem, dst_va, src_va, len, done, &n), GPUCMD_OK)) {
            return;
        }
        CHECK(n != 0 && n <= len - done);
    }
    CHECK(memcmp(alias, expected, sizeof alias) == 0);
}

static void copies_in_parts(void)
{
    static const uint64_t lengths[] = {1, 100, 4096, 4097, 8192, 10000, 16384};
    static const size_t places[] = {0, 1, 100, 4095, 4096, 4097, 9000};
    static const uint64_t allowed[] = {0, 4608, 9216, ~(uint64_t)0};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            for (size_t m = 0; m < sizeof allowed / sizeof allowed[0]; m++) {
                const uint64_t len = lengths[i];
                const size_t apart = places[k];
                /* one region; two whose CPU memory overlaps either way; two that are adjacent */
                const gpucmd_region one[2] = {
                    {0x10000,   40000, alias, R | W},
                    {0x1000000, 1,     alias, R | W}
                };
                const gpucmd_region up[2] = {
                    {0x10000,   20000, alias,         R | W},
                    {0x1000000, 20000, alias + apart, R | W}
                };
                const gpucmd_region down[2] = {
                    {0x10000,   20000, alias + apart, R | W},
                    {0x1000000, 20000, alias,         R | W}
                };
                const gpucmd_region split[2] = {
                    {0x10000,         12345, alias,         R | W},
                    {0x10000 + 12345, 20000, alias + 12345, R | W}
                };
                parts(one, 0x10000 + apart, 0x10000, len, apart, 0, allowed[m]);
                parts(one, 0x10000, 0x10000 + apart, len, 0, apart, allowed[m]);
                parts(up, 0x1000000, 0x10000, len, apart, 0, allowed[m]);
                parts(up, 0x10000, 0x1000000, len, 0, apart, allowed[m]);
                parts(down, 0x1000000, 0x10000, len, 0, apart, allowed[m]);
                parts(split, 0x10000 + apart, 0x10000, len, apart, 0, allowed[m]);
                parts(split, 0x10000, 0x10000 + apart, len, 0, apart, allowed[m]);
            }
        }
    }
}

/* Two adjacent regions with the same CPU memory. The destination begins 19900 bytes after the
 * source, inside it, but in CPU memory 100 bytes before it: the last 4 KiB come first. */
static void turned_copies(void)
{
    static const uint64_t allowed[] = {0, 4608, 9216, ~(uint64_t)0};
    const gpucmd_region r[2] = {
        {0x10000,         20000, alias, R | W},
        {0x10000 + 20000, 20000, alias, R | W}
    };
    uint64_t left, n;
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        for (size_t k = 0; k < sizeof alias; k++) {
            alias[k] = expected[k] = (uint8_t)(k * 7 + (k >> 8));
        }
        for (left = 20000; left > 0; left -= n) {
            const uint64_t end = 19900 + left;
            n = 4096 - (20000 - left) % 4096 < left ? 4096 - (20000 - left) % 4096 : left;
            n = end > 20000 && end - n < 20000 ? end - 20000 : n; /* it ends with the region */
            memmove(expected + (end - n) % 20000, expected + (left - n), (size_t)n);
        }
        for (left = 20000; left > 0; left -= n) {
            n = allowed[i];
            EQUAL(gpucmd_priv_mem_part(&mem, 0x10000 + 19900, 0x10000, 20000, 20000 - left, &n),
                  GPUCMD_OK);
            if (!CHECK(n != 0 && n <= left)) {
                return;
            }
        }
        CHECK(memcmp(alias, expected, sizeof alias) == 0);
    }
}

/* A part that cannot be accessed leaves the number of bytes. */
static void refused_parts(void)
{
    const gpucmd_region r[2] = {
        {0x1000, 64, pool,       R    },
        {0x2000, 64, pool + 100, R | W}
    };
    uint64_t n = 4608;
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    EQUAL(gpucmd_priv_mem_part(&mem, 0x1000, 0x2000, 8, 0, &n), GPUCMD_FAULT); /* no right */
    EQUAL(mem.fault_va, 0x1000);
    EQUAL(gpucmd_priv_mem_part(&mem, 0x2000, 0x3000, 8, 0, &n), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x3000);
    EQUAL(gpucmd_priv_mem_part(&mem, 0x2038, 0x2034, 16, 0, &n), GPUCMD_FAULT); /* backwards */
    EQUAL(mem.fault_va, 0x2043);
    EQUAL(gpucmd_priv_mem_part(&mem, 0x1004, 0x1000, 16, 0, &n), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x1013);
    EQUAL(n, 4608);
}

/* An access outside all regions reads the first scratch page and writes the second. */
static void scratch(void)
{
    static uint8_t pages[8192];
    const gpucmd_region r[2] = {
        {0x1ff8,  8, pool,      R | W},
        {0x10010, 4, pool + 16, R    }
    };
    uint8_t bytes[24];
    uint64_t n = 0;
    uint32_t v = 0;
    fill();
    for (size_t i = 0; i < 4096; i++) {
        pages[i] = (uint8_t)(i >> 4);
        pages[4096 + i] = 0xee;
    }
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    CHECK(mem.scratch == NULL);
    mem.scratch = pages;
    SPAN(0x2ffc, 100, R, pages + 0xffc, 4); /* to the end of the page */
    EQUAL(mem.fault_va, 0x2ffc);
    EQUAL(mem.scratch_count, 1);
    SPAN(0x1000, 0x2000, R, pages, 0xff8); /* to the next region */
    SPAN(0x10004, 100, W, pages + 4096 + 4, 12);
    SPAN(0xfffffffffffffffeull, 9, R, pages + 0xffe, 2); /* to the end of all addresses */
    SPAN(0x1ffc, 100, R, pool + 4, 4);
    EQUAL(mem.scratch_count, 4);
    SPAN_REFUSED(0x10010, W); /* a region without the right */
    /* a long hole is one step; the end of all addresses is the end */
    EQUAL(gpucmd_mem_probe(&mem, 0x20000, 0xfffffffffffd0000ull, W), GPUCMD_OK);
    EQUAL(gpucmd_mem_probe(&mem, 0x20000, 0xfffffffffffe0000ull, W), GPUCMD_OK);
    EQUAL(gpucmd_mem_probe(&mem, 0x20000, 0xfffffffffffe0001ull, W), GPUCMD_FAULT);
    /* a region before the hole, and one without the right after it */
    for (uint64_t va = 0x1ff8; va < 0x2010; va += 4) {
        mem.scratch_count = 0;
        EQUAL(gpucmd_mem_probe(&mem, va, 0x10014 - va, R), GPUCMD_OK);
        EQUAL(mem.scratch_count, 1); /* the hole */
        EQUAL(mem.fault_va, va < 0x2000 ? 0x2000 : va);
        EQUAL(gpucmd_mem_probe(&mem, va, 0x10010 - va, W), GPUCMD_OK);
        EQUAL(gpucmd_mem_probe(&mem, va, 0x10011 - va, W), GPUCMD_FAULT);
        EQUAL(mem.fault_va, 0x10010);
    }
    /* values: reads do not see what was written */
    EQUAL(gpucmd_mem_write32(&mem, 0x5120, GPUCMD_LITTLE_ENDIAN, 7), GPUCMD_OK);
    EQUAL(gpucmd_mem_read32(&mem, 0x5120, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_OK);
    EQUAL(v, 0x12121212);
    EQUAL(pages[4096 + 0x120], 7);
    /* a copy over both ends of the first region */
    EQUAL(gpucmd_mem_read(&mem, 0x1ff0, bytes, 24), GPUCMD_OK);
    for (uint32_t i = 0; i < 24; i++) {
        EQUAL(bytes[i], i < 8 ? 0xff : i < 16 ? pool[i - 8] : 0);
    }
    /* the source overlaps the destination: the last bytes are copied first, and from the hole */
    n = 100;
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x1ff8, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == pages + 0xff8 - 100 && n == 100);
    n = 100;
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x2008, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == pages && n == 8);
    n = 100;
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x10018, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == pages + 0x14 && n == 4);
    EQUAL(gpucmd_mem_copy(&mem, 0x1ff8, 0x1ff4, 8), GPUCMD_OK);
    for (uint32_t i = 0; i < 8; i++) {
        EQUAL(pool[i], i < 4 ? 0xff : (i - 4) * 7);
    }
    n = 100; /* no region before it: down to address 0 */
    EQUAL(gpucmd_priv_mem_span_back(&mem, 10, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == pages && n == 10);
    /* a hole between two regions of one page ends at both */
    const gpucmd_region near[2] = {
        {0x3000, 16, pool,      R},
        {0x3020, 16, pool + 16, R}
    };
    EQUAL(gpucmd_mem_init(&mem, near, 2), GPUCMD_OK);
    EQUAL(GPUCMD_MEM_SCRATCH_BYTES, sizeof pages);
    mem.scratch = pages;
    for (uint32_t end = 1; end <= 16; end++) {
        n = 100;
        EQUAL(gpucmd_priv_mem_span_back(&mem, 0x3010 + end, n, R, &host, &n), GPUCMD_OK);
        CHECK(host == pages + 16 && n == end);
    }
    /* without regions one hole, of all addresses */
    EQUAL(gpucmd_mem_init(&mem, r, 0), GPUCMD_OK);
    mem.scratch = pages;
    EQUAL(gpucmd_priv_mem_hole(&mem, 0), ~(uint64_t)0);
    EQUAL(gpucmd_priv_mem_hole(&mem, 5), ~(uint64_t)4);
    SPAN(0, 10000, R, pages, 4096);
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    SPAN_REFUSED(0x1000, R);
}

static uint8_t found[2 * 4096]; /* at 0x7000 */

static uint32_t wanted; /* rights that the last call of find was asked for */

static gpucmd_status find(void *user, uint64_t va, uint32_t access_mask, uint8_t **at,
                          uint64_t *bytes)
{
    CHECK(user == found);
    wanted = access_mask;
    if (va - 0x7000 >= sizeof found) {
        return GPUCMD_FAULT;
    }
    *at = found + (va - 0x7000);
    *bytes = sizeof found - (va - 0x7000);
    return GPUCMD_OK;
}

/* A callback finds memory outside all regions. */
static void finding(void)
{
    static uint8_t pages[8192];
    const gpucmd_region r[1] = {
        {0x5ff8, 8, pool, R | W}
    };
    const gpucmd_region not_given[1] = {
        {0x7004, 8, pool, R | W}
    };
    uint64_t n = 100;
    fill();
    EQUAL(gpucmd_mem_init(&mem, r, 1), GPUCMD_OK);
    CHECK(mem.find == NULL && mem.find_user == NULL);
    SPAN_REFUSED(0x7004, R);
    mem.find = find;
    mem.find_user = found;
    SPAN(0x7004, 100, R, found + 4, 100);
    EQUAL(wanted, R);
    SPAN(0x8ffc, 100, W, found + 0x1ffc, 4);
    EQUAL(wanted, W);
    SPAN(0x8ffc, 100, R | W, found + 0x1ffc, 4);
    EQUAL(wanted, R | W);
    SPAN(0x5ff8, 100, R, pool, 8);
    SPAN_REFUSED(0x6fff, R);
    SPAN_REFUSED(0x9000, W);
    mem.scratch = pages;
    SPAN(0x6ffe, 100, R, pages + 0xffe, 2);
    SPAN(0x7000, 100, R, found, 100);
    EQUAL(mem.scratch_count, 1);
    /* backwards: at most the bytes in the page, and not those before a region */
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x8010, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == found + 0x1000 && n == 16);
    n = 100;
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x6000, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == pool && n == 8);
    EQUAL(gpucmd_mem_write32(&mem, 0x7ffe, GPUCMD_LITTLE_ENDIAN, 0x04030201), GPUCMD_OK);
    EQUAL(gpucmd_mem_copy(&mem, 0x8000, 0x7ffe, 4), GPUCMD_OK); /* over itself, from its end */
    CHECK(found[0x1000] == 1 && found[0x1001] == 2 && found[0x1002] == 3 && found[0x1003] == 4);
    EQUAL(gpucmd_mem_init(&mem, not_given, 0), GPUCMD_OK);
    mem.find = find;
    mem.find_user = found;
    SPAN(0x7000, 100, R, found, 100);
    n = 100;
    EQUAL(gpucmd_priv_mem_span_back(&mem, 0x7008, n, R, &host, &n), GPUCMD_OK);
    CHECK(host == found && n == 8);
}

int main(void)
{
    init();
    scratch();
    finding();
    fills();
    short_fills();
    work();
    copies_in_parts();
    turned_copies();
    refused_parts();
    span();
    order();
    values();
    wrap();
    random_accesses(0x1000, false);
    random_accesses(0x1000, true);
    random_accesses(0xffffffffffffffb0ull, false);
    random_accesses(0xffffffffffffffb0ull, true);
    random_accesses(0, true);
    return test_report("core_mem");
}

/* i915/xe_failing.c - the model kernel of xe with callbacks that fail at each call: memory of the
 * process, memory of objects, waits; and memory of the process with a hole at each place. The ioctl returns their errno and changes nothing; called again,
 * it does its work. */
#include "gpucmd_i915.h"
#include "i915/xe_vectors.h"
#include "i915/xe_state.h"

/* The memory of the process, found page by page; access number fail_at fails, and so does an access
 * of 8 bytes at offset `hole` that needs more than hole_mask. */
enum { NO_HOLE = USER_BYTES, HOLE_BYTES = 8 };
static uint32_t accesses, fail_at, hole = NO_HOLE, hole_mask;

static gpucmd_status find(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                          uint64_t *bytes)
{
    const uint64_t at = va - USER_VA;
    (void)user;
    if (accesses++ == fail_at || at >= USER_BYTES) {
        return GPUCMD_FAULT;
    }
    *host = user_at((uint32_t)at);
    *bytes = 4096 - (va & 4095);
    if (at >= hole && at < hole + HOLE_BYTES) {
        *bytes = hole + HOLE_BYTES - at;
        return (access_mask & ~hole_mask) != 0 ? GPUCMD_FAULT : GPUCMD_OK;
    }
    if (at < hole && hole - at < *bytes) {
        *bytes = hole - at;
    }
    return GPUCMD_OK;
}

static void begin(void)
{
    fail_at = UINT32_MAX;
    start(GPUCMD_XE_BMG, 0);
    EQUAL(gpucmd_mem_init(&user_mem, user_regions, 0), GPUCMD_OK);
    user_mem.find = find;
    k.slice_units = 64; /* the batch of EXEC has no memory: it hangs */
    k.hang_runs = 4;
    EQUAL(syncobj(), 1);
    EQUAL(syncobj(), 2);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 1, 0), 0);
    vm_and_object();
    put(0x4000, "2 1 10002 1");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10002 1 0*2 4000 7f00 0*4"), 0);
}

/* absent, read_only: the holes of 8 bytes that make the call fail, without memory and without the
 * right to write: a structure of n bytes that is read, or written, has n / 8 of them [XE]. ENGINE_CYCLES
 * writes all but its first 8 bytes. The answer of OA_UNITS is longer than the 256 bytes with holes. */
static const struct {
    uint32_t request;
    const char *text;
    uint32_t absent, read_only;
} calls[] = {
    {XE(GEM_CREATE),        "5100 7f00 1000 0 1 0 0 0 1 0*5",               13, 7 },
    {XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4800 7f00 0*4",          13, 6 },
    {XE(VM_BIND),           "0*2 1 0*2 2 1000 7f00 0*18 0 2 3000 7f00 0*4", 49, 0 },
    {XE(EXEC),              "0*2 1 2 3000 7f00 1100 7f00 2 0*5",            21, 0 },
    {XE(DEVICE_QUERY),      "0*2 6 28 2000 7f00 0*4",                       10, 9 },
    {XE(DEVICE_QUERY),      "0*2 0 e8 2000 7f00 0*4",                       34, 34},
    {XE(DEVICE_QUERY),      "0*2 1 b8 2000 7f00 0*4",                       28, 28},
    {XE(DEVICE_QUERY),      "0*2 2 30 2000 7f00 0*4",                       11, 11},
    {XE(DEVICE_QUERY),      "0*2 3 c8 2000 7f00 0*4",                       30, 30},
    {XE(DEVICE_QUERY),      "0*2 5 a0 2000 7f00 0*4",                       25, 25},
    {XE(DEVICE_QUERY),      "0*2 8 160 2000 7f00 0*4",                      37, 37},
    {XE(WAIT_USER_FENCE),   "0*2 5000 7f00 0*2 0*2 ffffffff*2 0*8",         10, 9 },
    {XE(VM_GET_PROPERTY),   "0*2 1 0*11",                                   7,  7 },
    {XE(MADVISE),           "0*2 1a0000 0 10000 0 1 3 0 0 6000 7f00 0*4",   9,  1 },
};

/* Return true if err is the errno of MEM_REGIONS for a buffer that cannot be written. */
static bool is_regions(size_t i, int err)
{
    return calls[i].request == XE(DEVICE_QUERY) && strncmp(calls[i].text, "0*2 1 ", 6) == 0 &&
           err == -GPUCMD_SYS_ENOSPC;
}

/* A world in which each call succeeds. */
static void begin_call(void)
{
    begin();
    put(0x1000, "0*2 1*2 0*2 10000 0 1a0000 0*11");
    put(0x1050, "0*2 0 1 0*2 1000 0 400000 0*2 4 0*8");
    put(0x1100, "1a0000 0 1a0000 0");
    put(0x3000, "0*4 1 0*7 0*2 1*2 2 0 5 0*5");
    put(0x5100, "0*12");
    put(0x2000, "0*2 4 0*7");
    memset(ram, 0, 4096);
    gpucmd_store32(ram, 0x05000000, GPUCMD_LITTLE_ENDIAN);
}

/* Each access of each ioctl fails once. */
static void memory(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        uint32_t n = 0;
        int err = 1;
        begin_call();
        for (n = 0; n < 200 && err != 0; n++) {
            const xe_state before = xe_state_of(&k);
            put(ARG, calls[i].text);
            put(0x6000, "0");
            accesses = 0;
            fail_at = n;
            err = gpucmd_xe_kernel_ioctl(&k, calls[i].request, USER_VA + ARG);
            if (err != 0 && err != -GPUCMD_SYS_EFAULT && !is_regions(i, err)) {
                printf("    call %u, access %u: %d %s%u %s\n", (unsigned)i, n, err, k.why.unit_name,
                       k.why.unit_number, k.why.reg);
                CHECK(err == -GPUCMD_SYS_EFAULT);
            }
            const bool copied_back = accesses == n + 1 && i < 2 && err != 0 && n > 3;
            if (err != 0 && !copied_back) { /* a copy back that fails leaves the effect */
                const xe_state after = xe_state_of(&k);
                if (!CHECK(memcmp(&before, &after, sizeof before) == 0)) {
                    printf("    call %u, access %u\n", (unsigned)i, n);
                }
            }
        }
        CHECK(n > 1 && n < 200);
        fail_at = UINT32_MAX;
    }
}

/* Return how many holes make call number i fail. A failed call changes nothing, except that a result
 * which cannot be copied to the argument leaves the effect. */
static uint32_t holes_of(uint32_t i, uint32_t access_mask)
{
    static const uint32_t places[] = {0x1000, 0x1100, 0x2000, 0x3000, 0x4000,
                                      0x4800, 0x5000, 0x5100, 0x6000, ARG};
    uint32_t refused = 0;
    for (uint32_t n = 0; n < 256 * sizeof places / sizeof places[0]; n += HOLE_BYTES) {
        begin_call();
        put(ARG, calls[i].text);
        put(0x6000, "0");
        const xe_state before = xe_state_of(&k);
        hole = places[n / 256] + n % 256;
        hole_mask = access_mask;
        const int err = gpucmd_xe_kernel_ioctl(&k, calls[i].request, USER_VA + ARG);
        const bool back = hole >= ARG && access_mask != 0;
        hole = NO_HOLE;
        refused += err != 0;
        const xe_state after = xe_state_of(&k);
        if (!CHECK(err == 0 || ((err == -GPUCMD_SYS_EFAULT || is_regions(i, err)) &&
                                (back || memcmp(&before, &after, sizeof before) == 0)))) {
            printf("    call %u, hole at %x: %d\n", i, places[n / 256] + n % 256, err);
        }
    }
    return refused;
}

static void holes(void)
{
    for (uint32_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        EQUAL(holes_of(i, 0), calls[i].absent);
        EQUAL(holes_of(i, GPUCMD_ACCESS_READ), calls[i].read_only);
    }
}

/* No memory for an object: ENOMEM. */
static uint32_t obtained, released;

static void *obtain(void *user, uint32_t object, uint64_t bytes)
{
    (void)user;
    (void)object;
    (void)bytes;
    return obtained++ == 0 ? NULL : ram;
}

static void release(void *user, uint32_t object, void *host, uint64_t bytes)
{
    (void)user;
    (void)object;
    released += host == ram && bytes == 0x1000;
}

static void objects(void)
{
    begin();
    k.obtain = obtain;
    k.release = release;
    const xe_state before = xe_state_of(&k);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 1 0*5"), 12);
    EQUAL(k.table, GPUCMD_XE_TABLE_RAM);
    const xe_state after = xe_state_of(&k);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 1 0*5"), 0);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(released, 1);
}

/* A wait that a signal ends. */
static int interrupt(void *user)
{
    (void)user;
    k.now_ns += 5;
    return -GPUCMD_SYS_EINTR;
}

static void waits(void)
{
    begin();
    k.progress = interrupt;
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 0*2 1 0 ffffffff*2 64 0*7"), 4);
    OUT("0*2 5000 7f00 0*2 1 0 ffffffff*2 5f 0*7");
    put(0x1000, "2");
    EQUAL(xe(0xc02064c3, "1000 7f00 ffffffff 7fffffff 1 2 0*2"), 4); /* SYNCOBJ_WAIT */
}

int main(void)
{
    if (is_other_cpu()) {
        return test_report("i915/xe_failing");
    }
    memory();
    holes();
    objects();
    waits();
    return test_report("i915/xe_failing");
}

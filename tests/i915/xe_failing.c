/* i915/xe_failing.c - the model kernel of xe with callbacks that fail at each call: memory of the
 * process, memory of objects, waits. The ioctl returns their errno and changes nothing; called again,
 * it does its work. */
#include "gpucmd_i915.h"
#include "i915/xe_vectors.h"
#include "i915/xe_state.h"

/* The memory of the process, found page by page; access number fail_at fails. */
static uint32_t accesses, fail_at;

static gpucmd_status find(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                          uint64_t *bytes)
{
    (void)user;
    (void)access_mask;
    if (accesses++ == fail_at || va - USER_VA >= USER_BYTES) {
        return GPUCMD_FAULT;
    }
    *host = user_at((uint32_t)(va - USER_VA));
    *bytes = 4096 - (va & 4095);
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

static const struct {
    uint32_t request;
    const char *text;
} calls[] = {
    {XE(GEM_CREATE),        "5100 7f00 1000 0 1 0 0 0 1 0*5"              },
    {XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4800 7f00 0*4"         },
    {XE(VM_BIND),           "0*2 1 0*2 2 1000 7f00 0*18 0 2 3000 7f00 0*4"},
    {XE(EXEC),              "0*2 1 2 3000 7f00 1100 7f00 2 0*5"           },
    {XE(DEVICE_QUERY),      "0*2 6 28 2000 7f00 0*4"                      },
    {XE(DEVICE_QUERY),      "0*2 0 e8 2000 7f00 0*4"                      },
    {XE(WAIT_USER_FENCE),   "0*2 5000 7f00 0*2 0*2 ffffffff*2 0*8"        },
    {XE(VM_GET_PROPERTY),   "0*2 1 0*11"                                  },
    {XE(MADVISE),           "0*2 1a0000 0 10000 0 1 3 0 0 6000 7f00 0*4"  },
};

/* Each access of each ioctl fails once. */
static void memory(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        uint32_t n = 0;
        int err = 1;
        begin();
        put(0x1000, "0*2 1*2 0*2 10000 0 1a0000 0*11");
        put(0x1050, "0*2 0 1 0*2 1000 0 400000 0*2 4 0*8");
        put(0x1100, "1a0000 0 1a0000 0");
        put(0x3000, "0*4 1 0*7 0*2 1*2 2 0 5 0*5");
        put(0x5100, "0*12");
        put(0x2000, "0*2 4 0*7");
        memset(ram, 0, 4096);
        gpucmd_store32(ram, 0x05000000, GPUCMD_LITTLE_ENDIAN);
        for (n = 0; n < 200 && err != 0; n++) {
            const xe_state before = xe_state_of(&k);
            put(ARG, calls[i].text);
            put(0x6000, "0");
            accesses = 0;
            fail_at = n;
            err = gpucmd_xe_kernel_ioctl(&k, calls[i].request, USER_VA + ARG);
            if (err != 0 && err != -GPUCMD_SYS_EFAULT) {
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
    objects();
    waits();
    return test_report("i915/xe_failing");
}

/* i915/kernel_edges.c - the model kernel of i915: 64 requests, hangs of two rings, priorities,
 * rings without space, evictions that fail, tables of the caller in states that the other suites do
 * not have. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"
#include "i915/world.h"

enum { RENDER = GPUCMD_I915_EXEC_RENDER, BLT = GPUCMD_I915_EXEC_BLT };

/* Submit object b alone, at an address if va is not 0. */
static int submit_at(uint64_t exec, uint32_t a, uint64_t va, uint64_t flags)
{
    memset(given, 0, sizeof given);
    given[0].handle = a;
    given[0].offset = va;
    given[0].flags = flags | (va != 0 ? GPUCMD_EXEC_OBJECT_PINNED : 0u);
    arg.buffer_count = 1;
    arg.flags = exec;
    return gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                    (uint64_t)(uintptr_t)&arg);
}

/* As submit, with the first object at an address. */
static int submit_pinned(uint64_t exec, uint32_t a, uint64_t va, uint32_t b)
{
    memset(given, 0, sizeof given);
    given[0].handle = a;
    given[0].flags = GPUCMD_EXEC_OBJECT_PINNED;
    given[0].offset = va;
    given[1].handle = b;
    arg.buffer_count = 2;
    arg.flags = exec;
    return gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                    (uint64_t)(uintptr_t)&arg);
}

static uint32_t busy_of(uint32_t handle)
{
    struct gpucmd_drm_i915_gem_busy b = {handle, 0};
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_BUSY, (uint64_t)(uintptr_t)&b), 0);
    return b.busy;
}

/* Ring n executes all its words. */
static void finish(uint32_t n)
{
    engines[n].head = engines[n].tail;
}

/* ---- requests ---- */

static void most_requests(void)
{
    static gpucmd_i915_request many[64];
    for (int hangs = 0; hangs < 2; hangs++) {
        setup(GPUCMD_I915_GEN9, 8);
        memset(many, 0, sizeof many);
        k.requests = many;
        k.request_count = 64;
        for (uint32_t i = 0; i < 64; i++) {
            EQUAL(submit(RENDER, 1, 0, 2), 0);
        }
        EQUAL(-submit(RENDER, 1, 0, 2), GPUCMD_SYS_EAGAIN);
        EQUAL(k.pending, ~(uint64_t)0);
        EQUAL(gpucmd_i915_kernel_find(&k, 64), (uint64_t)1 << 63);
        EQUAL(busy_of(2), 1u << 16); /* read by class render */
        if (hangs != 0) {            /* the first request alone is dropped */
            k.sync_ring = NULL;
            k.hang_runs = 1;
            CHECK(gpucmd_i915_kernel_run(&k));
            EQUAL(k.pending, ~(uint64_t)1);
            CHECK(many[0].hung && !many[1].hung);
            finish(RENDER);
            k.sync_ring = on_sync;
            EQUAL(submit(RENDER, 1, 0, 2), 0); /* its row is free */
            EQUAL(gpucmd_i915_kernel_find(&k, 65), 1);
        }
        while (gpucmd_i915_kernel_run(&k)) {
        }
        EQUAL(k.pending, 0);
        EQUAL(busy_of(2), 0);
    }
}

/* A context that is banned at its first hang has work on two rings: what waits is dropped, what
 * runs hangs, too, and counts. */
static void two_hangs(void)
{
    setup(GPUCMD_I915_GEN9, REQUESTS);
    contexts[0].unrecoverable = true;
    arg.rsvd1 = 7;
    k.sync_ring = NULL;
    k.hang_runs = 2;
    EQUAL(submit(RENDER, 1, 0, 2), 0);
    EQUAL(submit(BLT, 3, 0, 4), 0);
    EQUAL(submit(RENDER, 1, 0, 2), 0);
    (void)gpucmd_i915_kernel_run(&k);
    EQUAL(k.pending, 7);
    (void)gpucmd_i915_kernel_run(&k);
    EQUAL(k.pending, 0);
    CHECK(contexts[0].banned);
    EQUAL(contexts[0].active, 2);
    CHECK(requests[0].hung && requests[1].hung && requests[2].hung);
    EQUAL(-submit(RENDER, 1, 0, 2), GPUCMD_SYS_EIO);
}

/* The request of the higher priority first, also if the other one is later. */
static void priorities(void)
{
    for (int first = 0; first < 2; first++) {
        setup(GPUCMD_I915_GEN9, REQUESTS);
        contexts[first].priority = 1;
        arg.rsvd1 = 7;
        EQUAL(submit(RENDER, 1, 0, 2), 0);
        arg.rsvd1 = 8;
        EQUAL(submit(RENDER, 3, 0, 4), 0);
        CHECK(gpucmd_i915_kernel_run(&k));
        EQUAL(gpucmd_i915_kernel_find(&k, 1), first == 0 ? 0 : 1);
        EQUAL(gpucmd_i915_kernel_find(&k, 2), first == 0 ? 2 : 0);
    }
}

/* A ring that the words of somebody else fill: the request waits until they are executed. Nobody
 * executes the words of a ring for the kernel. */
static void full_ring(void)
{
    gpucmd_writer other;
    setup(GPUCMD_I915_GEN9, REQUESTS);
    k.sync_ring = NULL;
    EQUAL(gpucmd_i915_ring_begin(&rings[RENDER], 1000, &other), GPUCMD_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        gpucmd_i915_emit_mi_noop(&other, k.gen, 0);
    }
    EQUAL(gpucmd_i915_ring_end(&rings[RENDER], &other), GPUCMD_OK);
    gpucmd_i915_ring_submit(&rings[RENDER]);
    EQUAL(rings[RENDER].tail_bytes, 4000);
    EQUAL(submit(RENDER, 1, 0, 2), 0);
    CHECK(!gpucmd_i915_kernel_run(&k));
    EQUAL(rings[RENDER].tail_bytes, 4000);
    CHECK(!requests[0].running);
    finish(RENDER);
    CHECK(!gpucmd_i915_kernel_run(&k)); /* it begins */
    CHECK(requests[0].running);
    CHECK(rings[RENDER].tail_bytes != 4000);
    EQUAL(k.pending, 1);
    finish(RENDER);
    CHECK(gpucmd_i915_kernel_run(&k));
    EQUAL(k.pending, 0);
}

/* An object that waiting work uses, and that nobody can execute, does not move. */
static void busy_eviction(void)
{
    setup(GPUCMD_I915_GEN9, REQUESTS);
    k.sync_ring = NULL;
    EQUAL(submit_pinned(RENDER, 1, 0x200000, 2), 0);
    EQUAL(-submit_pinned(RENDER, 3, 0x200000, 4), GPUCMD_SYS_ENOSPC);
    EQUAL(objects[0].va, 0x200000);
    CHECK(objects[0].bound && !objects[2].bound);
    finish(RENDER);
    EQUAL(submit_pinned(RENDER, 3, 0x200000, 4), 0);
    CHECK(!objects[0].bound && objects[2].bound);
}

/* ---- refusals ---- */

static void refusals(void)
{
    static const uint8_t map[2] = {99, GPUCMD_I915_EXEC_RENDER};
    gpucmd_i915_engine_map maps = {7, 2, map};
    setup(GPUCMD_I915_GEN9, 0);
    k.maps = &maps;
    k.map_count = 1;
    arg.rsvd1 = 7;
    EQUAL(-submit(0, 1, 0, 2), GPUCMD_SYS_EINVAL); /* index 0: no ring has the number 99 */
    EQUAL(submit(1, 1, 0, 2), 0);
    EQUAL(-submit(2, 1, 0, 2), GPUCMD_SYS_EINVAL);
    setup(GPUCMD_I915_GEN9, 0); /* larger than the address space */
    objects[0].bytes = 0x100000000;
    EQUAL(-submit_at(RENDER, 1, 0x100000, 0), GPUCMD_SYS_ENOSPC);
    /* gen7 has addresses of 32 bits, whatever the caller says */
    setup(GPUCMD_I915_GEN7, 0);
    k.first_va = (uint64_t)1 << 32;
    k.end_va = (uint64_t)1 << 33;
    EQUAL(-submit_at(RENDER, 1, 0, GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS), GPUCMD_SYS_EINVAL);
    EQUAL(engines[RENDER].tail, 0);
    /* the parser of gen7 has no commands of the video enhancement engine */
    setup(GPUCMD_I915_GEN7, 0);
    k.parser = true;
    k.rings[GPUCMD_I915_EXEC_VEBOX] = &rings[RENDER];
    arg.batch_len = 8;
    EQUAL(-submit(GPUCMD_I915_EXEC_VEBOX, 1, 0, 2), GPUCMD_SYS_EINVAL);
    EQUAL(engines[RENDER].tail, 0);
    /* a table without objects */
    setup(GPUCMD_I915_GEN9, 0);
    k.object_count = 0;
    EQUAL(-submit(RENDER, 1, 0, 2), GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_i915_kernel_regions(&k, NULL, 0), 0);
}

/* One BSD ring: the bits that choose one mean nothing. Two, but one is not there: the other. */
static void bsd(void)
{
    for (uint32_t which = 2; which < 4; which++) {
        setup(GPUCMD_I915_GEN9, 0);
        add_ring(GPUCMD_I915_EXEC_BSD, GPUCMD_I915_VCS);
        k.second_bsd = which == 2;
        EQUAL(submit(GPUCMD_I915_EXEC_BSD | which << 13, 1, 0, 2), 0);
        CHECK(rings[GPUCMD_I915_EXEC_BSD].tail_bytes != 0);
    }
}

/* A list of extensions ends at the first that fails, and where the memory of the process ends. */
static void extensions(void)
{
    static struct {
        struct gpucmd_drm_i915_gem_execbuffer2 arg;
        struct gpucmd_drm_i915_gem_exec_object2 object;
        struct gpucmd_drm_i915_gem_exec_fence fence;
        uint64_t value;
        struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext[2];
    } user;
    gpucmd_region region = {(uint64_t)(uintptr_t)&user, sizeof user, &user,
                            GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    const uint64_t at = (uint64_t)(uintptr_t)user.ext;
    for (int row = 0; row < 3; row++) {
        static const int want[3] = {0, GPUCMD_SYS_ENOENT, GPUCMD_SYS_EFAULT};
        setup(GPUCMD_I915_GEN9, 0);
        memset(&user, 0, sizeof user);
        user.arg.buffers_ptr = (uint64_t)(uintptr_t)&user.object;
        user.arg.buffer_count = 1;
        user.arg.flags = RENDER | GPUCMD_I915_EXEC_USE_EXTENSIONS;
        user.arg.cliprects_ptr = at;
        user.object.handle = 1;
        user.ext[0].base.next_extension = at + sizeof user.ext[0];
        user.ext[0].fence_count = 1;
        user.ext[0].handles_ptr = (uint64_t)(uintptr_t)&user.fence;
        user.ext[0].values_ptr = (uint64_t)(uintptr_t)&user.value;
        user.fence.handle = row == 1 ? 99 : 9;
        user.fence.flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
        user.ext[1].base.name = row == 1; /* an error that comes later */
        region.bytes = row == 2 ? sizeof user - sizeof user.ext[1] + 32 : sizeof user;
        EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
        k.process = &mem;
        EQUAL(-gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                        (uint64_t)(uintptr_t)&user.arg),
              want[row]);
        EQUAL(engines[RENDER].tail != 0, row == 0);
    }
}

/* A submission that waits for a sync object and for a sync file needs a fence for both. */
static void full_fences(void)
{
    for (int room = 0; room < 2; room++) {
        setup(GPUCMD_I915_GEN9, REQUESTS);
        const uint32_t a = gpucmd_fence_new(&k.fences, 0, 0);
        const uint32_t b = gpucmd_fence_new(&k.fences, 0, 0);
        EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 9, a), 0);
        files[0].used = true;
        files[0].fence = b;
        fence.handle = 9;
        fence.flags = GPUCMD_I915_EXEC_FENCE_WAIT;
        arg.cliprects_ptr = (uint64_t)(uintptr_t)&fence;
        arg.num_cliprects = 1;
        arg.rsvd2 = 30;
        if (room == 0) {
            k.fence_count = k.fences.count;
        }
        EQUAL(-submit(RENDER | GPUCMD_I915_EXEC_FENCE_ARRAY | GPUCMD_I915_EXEC_FENCE_IN, 1, 0, 2),
              room == 0 ? GPUCMD_SYS_ENOMEM : 0);
        EQUAL(k.table, room == 0 ? GPUCMD_I915_TABLE_FENCES : GPUCMD_I915_TABLE_NONE);
        EQUAL(k.pending, room);
    }
}

/* ---- objects ---- */

/* Handles in any row; an object that the caller drops while it is mapped. */
static void rows_of_objects(void)
{
    setup(GPUCMD_I915_GEN9, 0);
    objects[0].handle = 2;
    objects[1].handle = 1;
    EQUAL(submit_pinned(RENDER, 1, 0x200000, 2), 0);
    EQUAL(objects[1].va, 0x200000);
    objects[1].handle = 0;
    EQUAL(submit_pinned(RENDER, 3, 0x200000, 4), 0);
    EQUAL(objects[2].va, 0x200000);
    CHECK(!objects[1].bound);
}

/* An object of two address spaces that is evicted from the first stays in the second. */
static void two_spaces(void)
{
    uint64_t va = 0;
    setup(GPUCMD_I915_GEN9, 0);
    arg.rsvd1 = 7;
    EQUAL(submit_pinned(RENDER, 1, 0x200000, 2), 0);
    arg.rsvd1 = 8;
    EQUAL(submit_pinned(RENDER, 1, 0x300000, 2), 0);
    arg.rsvd1 = 7;
    EQUAL(submit_pinned(RENDER, 3, 0x200000, 2), 0);
    CHECK(!gpucmd_i915_kernel_address(&k, &objects[0], 1, &va));
    CHECK(gpucmd_i915_kernel_address(&k, &objects[0], 2, &va));
    EQUAL(va, 0x300000);
    CHECK(objects[0].bound);
    EQUAL(objects[0].va, 0x300000);
}

/* The list of the last submission, after one of its objects was closed; after another object has
 * the handle. */
static void closed_objects(void)
{
    struct gpucmd_drm_gem_close close_1 = {1, 0};
    struct gpucmd_drm_i915_gem_create create = {4096, 0, 0};
    gpucmd_region r[2];
    setup(GPUCMD_I915_GEN9, 0);
    k.ram = &memory[0][0];
    k.ram_bytes = sizeof memory;
    EQUAL(submit(RENDER, 1, 0, 2), 0);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 2), 2);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_GEM_CLOSE, (uint64_t)(uintptr_t)&close_1),
          0);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 2), 1);
    CHECK(r[0].host == memory[1]);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_CREATE,
                                   (uint64_t)(uintptr_t)&create),
          0);
    EQUAL(create.handle, 1);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 2), 1);
}

/* Memory for GEM_CREATE: the last object of the caller passes the end of it. */
static void ram(void)
{
    struct gpucmd_drm_i915_gem_create create = {4096, 0, 0};
    struct gpucmd_drm_i915_gem_set_domain domain = {2, GPUCMD_I915_GEM_DOMAIN_CPU,
                                                    GPUCMD_I915_GEM_DOMAIN_CPU};
    setup(GPUCMD_I915_GEN9, 0);
    k.ram = &memory[0][0];
    k.ram_bytes = 3 * 4096 + 2048;
    objects[0].handle = 0;
    objects[0].host = NULL;
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_CREATE,
                                   (uint64_t)(uintptr_t)&create),
          0);
    EQUAL(create.handle, 1);
    CHECK(objects[0].host == memory[0]);
    k.object_count = OBJECTS - 1; /* no row: but first there is no memory */
    objects[2].bytes = 4096 + 4096;
    EQUAL(-gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_CREATE,
                                    (uint64_t)(uintptr_t)&create),
          GPUCMD_SYS_ENOMEM);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN,
                                   (uint64_t)(uintptr_t)&domain),
          0);
}

int main(void)
{
    most_requests();
    two_hangs();
    priorities();
    full_ring();
    busy_eviction();
    refusals();
    bsd();
    extensions();
    full_fences();
    rows_of_objects();
    two_spaces();
    closed_objects();
    ram();
    return test_report("i915/kernel_edges");
}

/* A refused ioctl changes nothing: for each ioctl of the model kernel and each errno that it can
 * return, the tables, the memory of objects, the ring, the engine and the process are as before.
 * The exceptions are those of the ioctl's comment: relocations, and results that cannot be
 * written back. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "flips.h"
#include "test.h"
#include "i915/refused.h"

enum { OBJECTS = 4, VMAS = 6, PINNED = GPUCMD_EXEC_OBJECT_PINNED };

/* Everything that a call could change. */
static struct world {
    struct user {
        struct gpucmd_drm_i915_gem_execbuffer2 arg;
        struct gpucmd_drm_i915_gem_exec_object2 objects[OBJECTS];
        struct gpucmd_drm_i915_gem_relocation_entry relocs[4];
        struct gpucmd_drm_i915_gem_exec_fence fences[2];
        uint64_t points[2];
        struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext[2];
        uint64_t ioctl[4]; /* argument of another ioctl */
        uint8_t data[64];
    } user;
    uint8_t memory[OBJECTS][4096];
    uint32_t ring_words[1024];
    gpucmd_i915_object objects[OBJECTS];
    syncs sync;
    gpucmd_i915_sync_file files[2];
    gpucmd_i915_context contexts[2];
    gpucmd_i915_request requests[2];
    gpucmd_i915_vm vms[1];
    gpucmd_map vmas[VMAS]; /* three objects in each of two spaces */
    gpucmd_i915_ring ring;
    gpucmd_i915_cs cs;
    gpucmd_i915_kernel k;
} it, before, after;

static gpucmd_region user_region;
static gpucmd_mem user_mem;
static struct gpucmd_drm_i915_gem_exec_object2 list[OBJECTS]; /* scratch of a submission */
static const uint8_t engines[2] = {1, 2};
static const gpucmd_i915_engine_map map = {7, 2, engines};
static uint8_t ram_memory[3 * 4096];
static int sync_answer;
static gpucmd_status wait_answer;
static uint64_t seen[256]; /* by number of the ioctl: bit n is errno n */

/* An errno that the callback returns, except for ring 3; or the work stays. */
static int on_sync(void *user, uint32_t ring)
{
    (void)user;
    return ring != 3 ? sync_answer : 0;
}

static gpucmd_status on_wait(void *user, uint32_t try_count)
{
    (void)user;
    (void)try_count;
    return wait_answer;
}

static uint64_t address(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static void setup_kernel_ring(gpucmd_i915_gen gen)
{
    gpucmd_mmio mmio;
    EQUAL(gpucmd_i915_cs_init(&it.cs, gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&it.cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&it.ring, it.ring_words, 4096, 0x30, &mmio, it.cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&it.ring, 0x40000), GPUCMD_OK);
    gpucmd_wait_init(&it.ring.wait);
    it.ring.wait.fn = on_wait;
}

static int submit(void)
{
    return gpucmd_i915_kernel_ioctl(&it.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    address(&it.user.arg));
}

static void setup_kernel(gpucmd_i915_gen gen)
{
    setup_kernel_ring(gen);
    gpucmd_i915_kernel_init(&it.k, gen, &user_mem);
    it.k.objects = it.objects;
    it.k.object_count = OBJECTS;
    it.k.list = list;
    it.k.list_cap = OBJECTS;
    it.k.sync_files = it.files;
    it.k.sync_file_count = 2;
    it.k.rings[1] = &it.ring;
    it.contexts[0].id = 7;
    it.contexts[1].id = 6;
    it.contexts[1].vm = 1;
    it.k.contexts = it.contexts;
    it.k.context_count = 2;
    it.k.requests = it.requests;
    it.k.vms = it.vms;
    it.k.vm_count = 1;
    it.k.vmas = it.vmas;
    it.k.vma_count = VMAS;
    it.k.sync_ring = on_sync;
    CHECK(syncs_open(&it.k, &it.sync, 10));
}

/* A kernel with objects, of which the first two are bound, and a valid submission of the first. */
static void setup(gpucmd_i915_gen gen)
{
    memset(&it, 0, sizeof it);
    user_region.va = address(&it.user);
    user_region.bytes = sizeof it.user;
    user_region.host = &it.user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    setup_kernel(gen);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        it.objects[i].handle = i + 1;
        it.objects[i].bytes = 4096;
        it.objects[i].host = it.memory[i];
        it.user.objects[i].handle = i + 1;
        it.user.objects[i].offset = 0x200000 + 0x4000 * i; /* free: taken */
        memset(it.memory[i], 0x11 * (int)i, 4096);
        gpucmd_store32(it.memory[i], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    }
    it.files[0].fd = 30;
    it.files[1].fd = 31;
    it.user.arg.buffers_ptr = address(it.user.objects);
    it.user.arg.buffer_count = 2;
    it.user.arg.batch_len = 8;
    EQUAL(submit(), 0);
    CHECK(it.objects[0].va == 0x200000 && it.objects[1].va == 0x204000 && !it.objects[2].bound);
    it.user.arg.buffer_count = 1;
    it.user.objects[2].offset = it.user.objects[3].offset = 0;
    memset(it.ring_words, 0, sizeof it.ring_words); /* no work, no user of an object */
    setup_kernel_ring(gen);
    it.objects[0].readers = it.objects[1].readers = 0;
    sync_answer = 0;
    wait_answer = GPUCMD_LIMIT;
}

/* Remove what a call that fails may change. */
static void normalise(struct world *w_)
{
    refused_syncs(&w_->k, &w_->sync);
    refused_kernel(&w_->k);
    refused_vm(&w_->vms[0]);
    refused_vmas(w_->vmas, VMAS);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        refused_object(&w_->objects[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        refused_request(&w_->requests[i]);
    }
}

/* Return 1 if a part of the world has changed. */
static unsigned changed(const char *part, const void *a, const void *b, size_t bytes)
{
    if (memcmp(a, b, bytes) == 0) {
        return 0;
    }
    printf("    %s has changed\n", part);
    return 1;
}
#define CHANGED(member) changed(#member, &after.member, &before.member, sizeof it.member)

/* Compare by member: a region has bytes without a value. */
static bool same_regions(const gpucmd_region a[OBJECTS], const gpucmd_region b[OBJECTS])
{
    unsigned same = 0;
    for (size_t i = 0; i < OBJECTS; i++) {
        same += a[i].va == b[i].va && a[i].bytes == b[i].bytes && a[i].host == b[i].host &&
                a[i].access_mask == b[i].access_mask;
    }
    return same == OBJECTS;
}

/* Call an ioctl; expect -want, and every byte as before. */
static bool refused(uint32_t request, const void *arg, int want)
{
    gpucmd_region old[OBJECTS], new[OBJECTS];
    memset(old, 0, sizeof old);
    memset(new, 0, sizeof new);
    const size_t bound = gpucmd_i915_kernel_regions(&it.k, old, OBJECTS);
    memcpy(&before, &it, sizeof it);
    const int got = -gpucmd_i915_kernel_ioctl(&it.k, request, address(arg));
    const bool good = test_equal((uint64_t)got, (uint64_t)want, __FILE__, __LINE__, "errno");
    seen[GPUCMD_FIELD_GET(IOC_NR, request)] |= got > 0 && got < 64 ? 1ull << got : 0;
    EQUAL(gpucmd_i915_kernel_regions(&it.k, new, OBJECTS), bound);
    CHECK(same_regions(old, new)); /* the tree is whole */
    memcpy(&after, &it, sizeof it);
    normalise(&after);
    normalise(&before);
    return CHANGED(user) + CHANGED(memory) + CHANGED(ring_words) + CHANGED(objects) +
                   CHANGED(sync) + CHANGED(files) + CHANGED(contexts) + CHANGED(requests) +
                   CHANGED(vms) + CHANGED(vmas) + CHANGED(ring) + CHANGED(cs) + CHANGED(k) ==
               0 &&
           good;
}

#define REFUSED(gen, errno_, ...)                                                                  \
    do {                                                                                           \
        setup(GPUCMD_I915_GEN##gen);                                                               \
        __VA_ARGS__;                                                                               \
        CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg, errno_));               \
        CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &it.user.arg, errno_));            \
    } while (0)

static void fields(void)
{
    struct gpucmd_drm_i915_gem_execbuffer2 *a = &it.user.arg;
    REFUSED(9, GPUCMD_SYS_EINVAL, a->buffer_count = 0);
    REFUSED(9, GPUCMD_SYS_ENOMEM, a->buffer_count = OBJECTS + 1);
    REFUSED(9, GPUCMD_SYS_EFAULT, a->buffers_ptr = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->flags = 1u << 22);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->DR1 = 1);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->batch_len = 4);
    REFUSED(11, GPUCMD_SYS_ENODEV, a->flags = GPUCMD_I915_EXEC_SECURE);
    REFUSED(9, GPUCMD_SYS_EPERM, a->flags = GPUCMD_I915_EXEC_SECURE);
    REFUSED(9, GPUCMD_SYS_ENOENT, a->rsvd1 = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->flags = GPUCMD_I915_EXEC_BLT);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->rsvd1 = 7; a->flags = 1; it.k.maps = &map; it.k.map_count = 1);
    REFUSED(9, GPUCMD_SYS_EIO, it.k.wedged = true);
    REFUSED(9, GPUCMD_SYS_EIO, a->rsvd1 = 7; it.contexts[0].banned = true);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->flags = GPUCMD_I915_EXEC_FENCE_IN);
    REFUSED(9, GPUCMD_SYS_EMFILE, a->flags = GPUCMD_I915_EXEC_FENCE_OUT; it.files[0].used = true;
            it.files[1].used = true);
    REFUSED(9, GPUCMD_SYS_EINVAL, a->flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET;
            it.user.objects[0].offset = 0);
}

/* The first fence would be signalled; the second is refused. */
static void second_fence(uint32_t handle, uint32_t flags)
{
    it.user.arg.flags = GPUCMD_I915_EXEC_FENCE_ARRAY;
    it.user.arg.num_cliprects = 2;
    it.user.arg.cliprects_ptr = address(it.user.fences);
    it.user.fences[0].handle = 9;
    it.user.fences[0].flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
    it.user.fences[1].handle = handle;
    it.user.fences[1].flags = flags;
}

static void extension(void)
{
    it.user.arg.flags = GPUCMD_I915_EXEC_USE_EXTENSIONS;
    it.user.arg.cliprects_ptr = address(&it.user.ext[0]);
    it.user.fences[0].handle = 9;
    it.user.fences[0].flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
    it.user.points[0] = 5;
    it.user.ext[0].fence_count = 1;
    it.user.ext[0].handles_ptr = address(it.user.fences);
    it.user.ext[0].values_ptr = address(it.user.points);
}

/* A sync object has a fence that has not signalled; its points 2 and 4 grow on the fence. */
static void pending(uint32_t syncobj)
{
    EQUAL(gpucmd_syncobj_replace(&it.k.syncobjs, syncobj, gpucmd_fence_new(&it.k.fences, 0, 0)), 0);
}

static void grown(uint32_t syncobj)
{
    EQUAL(gpucmd_syncobj_signal(&it.k.syncobjs, syncobj, 2), 0);
    EQUAL(gpucmd_syncobj_signal(&it.k.syncobjs, syncobj, 4), 0);
}

static void fences(void)
{
    REFUSED(9, GPUCMD_SYS_ENOENT, second_fence(11, 2));
    REFUSED(9, GPUCMD_SYS_EINVAL, second_fence(10, 4));
    REFUSED(9, GPUCMD_SYS_EINVAL, second_fence(10, 1));
    REFUSED(9, GPUCMD_SYS_EFAULT, second_fence(10, 2); it.user.arg.cliprects_ptr = 8);
    REFUSED(9, GPUCMD_SYS_ENOENT, second_fence(10, 2); it.user.objects[0].handle = 99);
    REFUSED(9, GPUCMD_SYS_ENOENT, it.user.arg.flags = GPUCMD_I915_EXEC_FENCE_OUT;
            it.user.objects[0].handle = 99);
    REFUSED(9, GPUCMD_SYS_EFAULT, extension(); it.user.ext[0].base.next_extension = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, extension(); it.user.ext[0].base.name = 1);
    REFUSED(9, GPUCMD_SYS_EFAULT, extension(); it.user.ext[0].values_ptr = 0);
    REFUSED(9, GPUCMD_SYS_EINVAL, extension(); it.user.ext[0].fence_count = 0x20000000);
    flips_repeats(true); /* a chain without an end */
    REFUSED(9, GPUCMD_SYS_E2BIG, extension(); it.user.ext[0].fence_count = 0;
            it.user.ext[0].base.next_extension = address(&it.user.ext[0]));
    flips_repeats(false);
    REFUSED(9, GPUCMD_SYS_ENOENT, extension(); it.user.objects[0].handle = 99);
    REFUSED(9, GPUCMD_SYS_ENOMEM, second_fence(10, 2); it.k.signal_count = 1);
    REFUSED(9, GPUCMD_SYS_ENOMEM, second_fence(10, 2); it.k.fence_count = 0);
    REFUSED(9, GPUCMD_SYS_ENOMEM, extension(); it.k.fence_count = 1);
    REFUSED(9, GPUCMD_SYS_ENOMEM, extension(); it.k.point_count = 0);
    /* a wait for two fences, and a new point of a timeline */
    REFUSED(9, GPUCMD_SYS_ENOENT, second_fence(10, 1); it.user.fences[0].flags = 1; pending(9);
            pending(10); it.user.objects[0].handle = 99);
    REFUSED(9, GPUCMD_SYS_ENOMEM, second_fence(10, 1); it.user.fences[0].flags = 1; pending(9);
            pending(10); it.k.fence_count = 2);
    REFUSED(9, GPUCMD_SYS_ENOENT, extension(); pending(9); grown(9);
            it.user.objects[0].handle = 99);
}

/* Row n of the list pins its object at va. */
static void pin(uint32_t n, uint64_t va)
{
    it.user.objects[n].flags = PINNED;
    it.user.objects[n].offset = va;
}

/* Three objects, of which the first two move, the second onto a bound object outside the list. */
static void moves(void)
{
    it.user.arg.buffer_count = 3;
    it.user.objects[0].handle = 1;
    it.user.objects[0].alignment = 0x100000;
    it.user.objects[1].handle = 3;
    pin(1, it.objects[1].va);
    it.user.objects[2].handle = 4;
    it.user.objects[0].offset += 0x1000; /* the object is not there, because it moves */
}

static void placement(void)
{
    REFUSED(9, GPUCMD_SYS_ENOENT, moves(); it.user.objects[2].handle = 99);
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); it.user.objects[2].flags = 256);
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); it.user.objects[2].flags = GPUCMD_EXEC_OBJECT_WRITE);
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); it.user.arg.batch_start_offset = 4096);
    /* two objects of the list at one place */
    REFUSED(9, GPUCMD_SYS_ENOSPC, moves(); pin(2, it.objects[1].va));
    REFUSED(9, GPUCMD_SYS_ENOSPC, it.user.arg.buffer_count = 2; pin(0, 0x300000); pin(1, 0x300000));
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); pin(2, 0x7ffffffff000); it.objects[3].bytes = 8192;
            it.k.end_va = 0x7ffffffff000);
    REFUSED(9, GPUCMD_SYS_ENOSPC, moves(); it.user.objects[2].alignment = 1ull << 40);
    REFUSED(9, GPUCMD_SYS_ENOSPC, moves(); it.objects[3].bytes = 0x100000000);
    CHECK(!it.objects[2].bound && it.objects[1].bound);
    /* an object that moves keeps its row, two others need one */
    REFUSED(9, GPUCMD_SYS_ENOMEM, moves(); it.k.vma_count = 3);
    it.k.vma_count = 4;
    EQUAL(submit(), 0);
}

/* As moves(), in the address space of a context. Each object needs a row of vmas there. */
static void moves_in_space(void)
{
    moves();
    it.user.arg.rsvd1 = 6;
}

static void spaces(void)
{
    REFUSED(9, GPUCMD_SYS_ENOENT, moves_in_space(); it.user.objects[2].handle = 99);
    REFUSED(9, GPUCMD_SYS_ENOSPC, moves_in_space(); it.user.objects[2].alignment = 1ull << 40);
    REFUSED(9, GPUCMD_SYS_EINVAL, moves_in_space();
            it.user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    REFUSED(9, GPUCMD_SYS_ENOMEM, moves_in_space(); it.k.vma_count = 3;
            it.user.objects[1].handle = 2);
    EQUAL(it.k.mappings.used, 2); /* the search for rows is before the first binding */
    REFUSED(9, GPUCMD_SYS_EINVAL, moves_in_space(); it.contexts[1].vm = 2);
    /* no object has addresses in the space, and the second call changes none */
    REFUSED(9, GPUCMD_SYS_ENOSPC, moves_in_space(); it.user.arg.buffer_count = 1;
            it.user.objects[0].handle = 3; it.user.objects[0].alignment = 1ull << 40);
}

/* Submissions that wait in rows of requests: two, so a third is refused. */
static void requests(void)
{
    setup(GPUCMD_I915_GEN9);
    it.k.request_count = 2;
    it.user.arg.rsvd1 = 7;
    EQUAL(submit(), 0);
    EQUAL(submit(), 0);
    CHECK(it.k.pending == 3 && it.objects[0].used_by == 3);
    it.user.arg.buffer_count = 2;
    it.user.objects[0].handle = 4;
    it.user.objects[1].handle = 1;
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg, GPUCMD_SYS_EAGAIN));
    it.user.arg.rsvd1 = 6;
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg, GPUCMD_SYS_EAGAIN));
    it.user.objects[0].handle = 99;
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg, GPUCMD_SYS_ENOENT));
}

/* One relocation in the third object of moves(). */
static void relocate(void)
{
    moves();
    it.user.objects[2].relocation_count = 1;
    it.user.objects[2].relocs_ptr = address(it.user.relocs);
    it.user.relocs[0].target_handle = 3;
    it.user.relocs[0].offset = 64;
    it.user.relocs[0].presumed_offset = 1;
}

static void relocations(void)
{
    REFUSED(9, GPUCMD_SYS_ENOENT, relocate(); it.user.relocs[0].target_handle = 2);
    REFUSED(9, GPUCMD_SYS_EINVAL, relocate(); it.user.relocs[0].offset = 4092);
    REFUSED(9, GPUCMD_SYS_EINVAL, relocate(); it.user.relocs[0].write_domain = 6);
    REFUSED(9, GPUCMD_SYS_EFAULT, relocate(); it.user.objects[2].relocs_ptr = 8);
    REFUSED(12_5, GPUCMD_SYS_EINVAL, relocate());
    /* the exception: the second relocation fails, so the first remains, whole */
    setup(GPUCMD_I915_GEN9);
    relocate();
    it.user.objects[2].relocation_count = 2;
    it.user.relocs[1].target_handle = 99;
    EQUAL(gpucmd_i915_kernel_ioctl(&it.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                   address(&it.user.arg)),
          -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_load64(it.memory[3] + 64, GPUCMD_LITTLE_ENDIAN), 0x204000);
    EQUAL(it.user.relocs[0].presumed_offset, 0x204000);
    CHECK(it.objects[2].bound && it.objects[2].va == 0x204000 && !it.objects[1].bound);
    it.user.objects[2].relocation_count = 1;
    it.user.objects[2].relocs_ptr = address(&it.user.relocs[1]);
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg, GPUCMD_SYS_ENOENT));
}

/* The last steps: the parser, other rings, and room in the ring. */
static void runs(void)
{
    const uint32_t copy = GPUCMD_I915_EXEC_BLT;
    REFUSED(9, GPUCMD_SYS_EACCES, moves(); it.k.parser = true; it.user.arg.flags = copy;
            it.k.rings[3] = &it.ring;
            gpucmd_store32(it.memory[3], 0x11000001, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store32(it.memory[3] + 12, 0x05000000, GPUCMD_LITTLE_ENDIAN);
            it.user.arg.batch_len = 16);
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); it.k.parser = true; it.user.arg.flags = copy;
            it.k.rings[3] = &it.ring;
            gpucmd_store32(it.memory[3], 0xe0000000, GPUCMD_LITTLE_ENDIAN));
    REFUSED(9, GPUCMD_SYS_EINVAL, moves(); it.user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    REFUSED(9, GPUCMD_SYS_EIO, moves(); it.cs.tail = 0x40; it.cs.head = 0x30;
            it.ring.tail_bytes = 0x40; it.k.rings[2] = &it.ring; it.objects[3].writer = 2;
            sync_answer = -GPUCMD_SYS_EIO);
    /* two rings have work of the objects: the error of the first is not lost */
    REFUSED(9, GPUCMD_SYS_EIO, moves(); it.cs.tail = 0x40; it.cs.head = 0x30;
            it.ring.tail_bytes = 0x40; it.k.rings[2] = it.k.rings[3] = &it.ring;
            it.objects[3].writer = 2; it.objects[2].writer = 3; sync_answer = -GPUCMD_SYS_EIO);
    for (int full = 0; full < 2; full++) { /* the ring gets full: its work is not executed */
        int err = 0;
        setup(GPUCMD_I915_GEN9);
        it.user.objects[0].handle = 4;
        for (int i = 0; i < 1000 && err == 0; i++) {
            err = submit();
        }
        EQUAL(-err, GPUCMD_SYS_EAGAIN); /* the padding at the end of the ring is written now */
        wait_answer = full != 0 ? GPUCMD_FAULT : GPUCMD_LIMIT;
        moves();
        CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg,
                      full != 0 ? GPUCMD_SYS_EINTR : GPUCMD_SYS_EAGAIN));
        it.user.arg.rsvd1 = 6;
        CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &it.user.arg,
                      full != 0 ? GPUCMD_SYS_EINTR : GPUCMD_SYS_EAGAIN));
    }
}

/* One of the other ioctls, with up to four qwords of argument. */
static bool other(uint32_t request, uint64_t q0, uint64_t q1, uint64_t q2, uint64_t q3, int want)
{
    const uint64_t argument[4] = {q0, q1, q2, q3};
    memcpy(it.user.ioctl, argument, sizeof argument);
    if (request != GPUCMD_DRM_IOCTL_I915_GEM_CREATE) { /* two words: a handle comes first */
        const uint32_t words[2] = {(uint32_t)q0, (uint32_t)(q0 >> 32)};
        memcpy(it.user.ioctl, words, sizeof words);
    }
    return refused(request, it.user.ioctl, want);
}

/* Object 1 is in use by ring 1, whose work stays. */
static void busy(void)
{
    setup(GPUCMD_I915_GEN9);
    EQUAL(gpucmd_i915_kernel_ioctl(&it.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                   address(&it.user.arg)),
          0);
}

static void objects(void)
{
    const uint64_t data = address(it.user.data);
    setup(GPUCMD_I915_GEN9);
    it.k.ram = ram_memory + (4096 - (uintptr_t)ram_memory % 4096) % 4096;
    it.k.ram_bytes = 8192;
    CHECK(other(GPUCMD_DRM_IOCTL_GEM_CLOSE, 99, 0, 0, 0, GPUCMD_SYS_EINVAL));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, 99, 0, 0, 0, GPUCMD_SYS_ENOENT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, 0, 0, 0, 0, GPUCMD_SYS_EINVAL));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, 4096, 0, 0, 0, GPUCMD_SYS_ENOMEM)); /* no row */
    it.objects[3].handle = 0;
    CHECK(
        other(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, 12288, 0, 0, 0, GPUCMD_SYS_ENOMEM)); /* no memory */
    it.objects[3].handle = 4;
    /* handle, offset, size, data */
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 99, 0, 8, data, GPUCMD_SYS_ENOENT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 1, 4092, 8, data, GPUCMD_SYS_EINVAL));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 1, 0, 128, data, GPUCMD_SYS_EFAULT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 99, 0, 8, data, GPUCMD_SYS_ENOENT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 1, 1ull << 40, 8, data, GPUCMD_SYS_EINVAL));
    memset(it.user.data, 0x77, sizeof it.user.data);
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 2, 0, 128, data, GPUCMD_SYS_EFAULT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, 1 | 2ull << 32, 0, 0, 0, GPUCMD_SYS_EINVAL));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, 99 | 1ull << 32, 0, 0, 0, GPUCMD_SYS_ENOENT));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, 1 | 1ull << 32, 0, 0, 0, GPUCMD_SYS_EINVAL));
    CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, 99, 0, 0, 0, GPUCMD_SYS_ENOENT));
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, NULL, GPUCMD_SYS_EFAULT));
    CHECK(refused(GPUCMD_DRM_IOCTL_I915_GETPARAM, it.user.ioctl, GPUCMD_SYS_ENOTTY));
    for (int errno_ = GPUCMD_SYS_EIO; errno_ <= GPUCMD_SYS_ETIME; errno_ += 57) {
        busy();
        sync_answer = errno_ == GPUCMD_SYS_EIO ? -errno_ : 0;
        CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, 1, 0, 0, 0, errno_));
        CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, 1 | 1ull << 32, 0, 0, 0, errno_));
        CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 1, 0, 8, data, errno_));
        CHECK(other(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 1, 0, 8, data, errno_));
    }
}

/* Each errno of each ioctl occurred above: a row of the header without its errnos here does not
 * compile. That a result cannot be written back is the exception of the ioctl's comment. */
static void complete(void)
{
#define BIT(name)              (1ull << GPUCMD_SYS_##name)
#define ALL                    BIT(EFAULT)
#define LOOK                   (ALL | BIT(ENOENT))
#define WAITS                  (LOOK | BIT(EINVAL) | BIT(EIO) | BIT(ETIME))
#define OF_GEM_CLOSE           (ALL | BIT(EINVAL))
#define OF_I915_GEM_BUSY       LOOK
#define OF_I915_GEM_CREATE     (ALL | BIT(EINVAL) | BIT(ENOMEM))
#define OF_I915_GEM_PREAD      WAITS
#define OF_I915_GEM_PWRITE     WAITS
#define OF_I915_GEM_WAIT       WAITS
#define OF_I915_GEM_SET_DOMAIN WAITS
#define OF_I915_GEM_EXECBUFFER2                                                                    \
    (LOOK | BIT(EPERM) | BIT(EINTR) | BIT(EIO) | BIT(E2BIG) | BIT(EAGAIN) | BIT(ENOMEM) |          \
     BIT(EACCES) | BIT(ENODEV) | BIT(EINVAL) | BIT(EMFILE) | BIT(ENOSPC))
#define OF_I915_GEM_EXECBUFFER2_WR OF_I915_GEM_EXECBUFFER2
#define ROW(name, argument, function)                                                              \
    CHECK(refused(GPUCMD_DRM_IOCTL_##name, NULL, GPUCMD_SYS_EFAULT));                              \
    EQUAL(seen[GPUCMD_FIELD_GET(IOC_NR, GPUCMD_DRM_IOCTL_##name)], OF_##name);
    GPUCMD_I915_IOCTLS(ROW)
#undef ROW
}

/* The comparison notices one byte anywhere. */
static void control(void)
{
    setup(GPUCMD_I915_GEN9);
    it.user.arg.buffer_count = 2;
    memcpy(&before, &it, sizeof it);
    EQUAL(gpucmd_i915_kernel_ioctl(&it.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                   address(&it.user.arg)),
          0);
    CHECK(memcmp(it.objects, before.objects, sizeof it.objects) != 0);
    CHECK(memcmp(it.ring_words, before.ring_words, sizeof it.ring_words) != 0);
    CHECK(memcmp(&it.cs, &before.cs, sizeof it.cs) != 0);
}

int main(void)
{
    control();
    fields();
    fences();
    placement();
    spaces();
    requests();
    relocations();
    runs();
    objects();
    complete();
    return test_report("i915_refused");
}

/* execbuffer2 beyond one ring: sync files, timelines, engine maps, the second BSD ring, and the
 * order between rings. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "flips.h"
#include "test.h"
#include "i915/syncs.h"

enum { RINGS = GPUCMD_I915_KERNEL_RINGS, OBJECTS = 3 };

static struct user {
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_exec_object2 objects[OBJECTS];
    struct gpucmd_drm_i915_gem_relocation_entry reloc;
    struct gpucmd_drm_i915_gem_exec_fence fences[2];
    uint64_t points[2];
    struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext[2];
} user;
static uint32_t ring_words[RINGS][1024];
static uint8_t memory[OBJECTS][4096];
static gpucmd_region user_region;
static gpucmd_mem user_mem;
static gpucmd_i915_object objects[OBJECTS];
static gpucmd_map vmas[OBJECTS];
static struct gpucmd_drm_i915_gem_exec_object2 list[OBJECTS];
static syncs synced_objects;
static gpucmd_i915_sync_file files[2];
static gpucmd_i915_ring rings[RINGS];
static gpucmd_i915_cs cs[RINGS];
static gpucmd_i915_kernel k;
static uint32_t synced; /* bit per ring that sync was called for */
static int sync_answer;

/* The ring runs to its end. */
static int on_sync(void *us, uint32_t ring)
{
    CHECK(us == &synced);
    synced |= 1u << ring;
    cs[ring].head = cs[ring].tail;
    return sync_answer;
}

static void add_ring(uint32_t number, gpucmd_i915_engine engine, uint32_t instance)
{
    gpucmd_mmio mmio;
    EQUAL(gpucmd_i915_cs_init(&cs[number], k.gen, engine, instance), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs[number], &mmio);
    EQUAL(
        gpucmd_i915_ring_init(&rings[number], ring_words[number], 4096, 0, &mmio, cs[number].base),
        GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&rings[number], 0x40000 + 0x1000 * number), GPUCMD_OK);
    k.rings[number] = &rings[number];
}

static void setup(gpucmd_i915_gen gen)
{
    memset(&user, 0, sizeof user);
    memset(memory, 0, sizeof memory);
    memset(objects, 0, sizeof objects);
    memset(files, 0, sizeof files);
    user_region.va = (uint64_t)(uintptr_t)&user;
    user_region.bytes = sizeof user;
    user_region.host = &user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    gpucmd_i915_kernel_init(&k, gen, &user_mem);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        objects[i].handle = 10 + i;
        objects[i].bytes = 4096;
        objects[i].host = memory[i];
        user.objects[i].handle = 10 + i;
        gpucmd_store32(memory[i], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    }
    k.objects = objects;
    k.object_count = OBJECTS;
    k.vmas = vmas;
    k.vma_count = OBJECTS;
    k.list = list;
    k.list_cap = OBJECTS;
    add_ring(GPUCMD_I915_EXEC_RENDER, GPUCMD_I915_RCS, 0);
    add_ring(GPUCMD_I915_EXEC_BSD, GPUCMD_I915_VCS, 0);
    add_ring(GPUCMD_I915_EXEC_BLT, GPUCMD_I915_BCS, 0);
    CHECK(syncs_open(&k, &synced_objects, 2));
    files[0].fd = 30;
    files[1].fd = 31;
    k.sync_files = files;
    k.sync_file_count = 2;
    k.sync_ring = on_sync;
    k.sync_user = &synced;
    synced = 0;
    sync_answer = 0;
    user.arg.buffers_ptr = (uint64_t)(uintptr_t)user.objects;
    user.arg.buffer_count = 1;
}

static int submit_by(uint32_t request, uint64_t flags)
{
    user.arg.flags = flags;
    return gpucmd_i915_kernel_ioctl(&k, request, (uint64_t)(uintptr_t)&user.arg);
}

static int submit(uint64_t flags)
{
    return submit_by(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, flags);
}

/* FENCE_OUT stores a free descriptor in the high half; only the ioctl that writes shows it. */
static void sync_files(void)
{
    setup(GPUCMD_I915_GEN9);
    user.arg.rsvd2 = 0x77;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER | GPUCMD_I915_EXEC_FENCE_OUT), 0);
    EQUAL(user.arg.rsvd2, 0x1e00000077);
    CHECK(files[0].used && files[0].fence == 1);
    EQUAL(submit_by(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                    GPUCMD_I915_EXEC_BLT | GPUCMD_I915_EXEC_FENCE_OUT),
          0);
    EQUAL(user.arg.rsvd2, 0x1e00000077);
    CHECK(files[1].used && files[1].fence == 2);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER | GPUCMD_I915_EXEC_FENCE_OUT), -GPUCMD_SYS_EMFILE);
    EQUAL(k.seqno, 2);
    /* in: the low half; the ring of the fence runs first, unless it is the ring
     * of the submission */
    EQUAL(synced, 0);
    user.arg.rsvd2 = 30;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER | GPUCMD_I915_EXEC_FENCE_IN), 0);
    EQUAL(synced, 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BSD | GPUCMD_I915_EXEC_FENCE_IN), 0);
    EQUAL(synced, 1u << 1);
    user.arg.rsvd2 = 31;
    EQUAL(submit(GPUCMD_I915_EXEC_BSD | GPUCMD_I915_EXEC_FENCE_SUBMIT), 0);
    EQUAL(synced, 1u << 1 | 1u << 3);
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT), -GPUCMD_SYS_EINVAL);
    user.arg.rsvd2 = 32;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN), -GPUCMD_SYS_EINVAL);
    files[1].used = false;
    user.arg.rsvd2 = 31;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN), -GPUCMD_SYS_EINVAL);
    /* a failed submission returns no file */
    user.objects[0].handle = 99;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_OUT), -GPUCMD_SYS_ENOENT);
    CHECK(!files[1].used);
    EQUAL(user.arg.rsvd2, 31);
}

static void extend(uint32_t handle, uint32_t flags, uint64_t point)
{
    user.fences[0].handle = handle;
    user.fences[0].flags = flags;
    user.points[0] = point;
    user.ext[0].fence_count = 1;
    user.ext[0].handles_ptr = (uint64_t)(uintptr_t)user.fences;
    user.ext[0].values_ptr = (uint64_t)(uintptr_t)user.points;
    user.arg.cliprects_ptr = (uint64_t)(uintptr_t)user.ext;
    user.arg.num_cliprects = 0;
}

static void timelines(void)
{
    static gpucmd_i915_signal many[512];
    const uint64_t use = GPUCMD_I915_EXEC_USE_EXTENSIONS;
    EQUAL(sizeof user.ext[0], 56);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences, handles_ptr), 40);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences, values_ptr), 48);
    setup(GPUCMD_I915_GEN12);
    EQUAL(submit(use), 0); /* no extension at all */
    extend(1, 1, 5);
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL); /* no fence to wait for */
    extend(1, 2, 5);
    EQUAL(submit(use), 0);
    EQUAL(syncs_last(&k, 1), 5);
    extend(1, 1, 6);
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL); /* that point is not there */
    extend(1, 1, 4);
    EQUAL(submit(use | GPUCMD_I915_EXEC_BLT), 0);
    EQUAL(synced, 1u << 1);
    extend(1, 3, 7);
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL); /* waits for the point that it signals */
    extend(2, 3, 0);
    EQUAL(submit(use), 0); /* no timeline and no fence to wait for, but signalled */
    CHECK(syncs_has_fence(&k, 2) && syncs_last(&k, 2) == 0);
    extend(3, 2, 0);
    EQUAL(submit(use), -GPUCMD_SYS_ENOENT);
    extend(1, 4, 0);
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL);
    extend(1, 2, 9);
    EQUAL(submit(use | GPUCMD_I915_EXEC_FENCE_ARRAY), -GPUCMD_SYS_EINVAL);
    user.arg.num_cliprects = 1;
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL);
    user.arg.num_cliprects = 0;
    user.ext[0].base.name = 1;
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL);
    user.ext[0].base.name = 0;
    user.ext[0].base.flags = 1;
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL);
    user.ext[0].base.flags = 0;
    user.ext[0].base.rsvd[3] = 1;
    EQUAL(submit(use), -GPUCMD_SYS_EINVAL);
    user.ext[0].base.rsvd[3] = 0;
    user.ext[0].handles_ptr = 8;
    EQUAL(submit(use), -GPUCMD_SYS_EFAULT);
    extend(1, 2, 9);
    user.ext[0].values_ptr = 8;
    EQUAL(submit(use), -GPUCMD_SYS_EFAULT);
    user.arg.cliprects_ptr = 8;
    EQUAL(submit(use), -GPUCMD_SYS_EFAULT);
    EQUAL(syncs_last(&k, 1), 5); /* none of these signalled */
    extend(1, 2, 9);
    user.ext[0].base.next_extension = (uint64_t)(uintptr_t)&user.ext[0];
    k.signals = many;
    k.signal_count = 512;
    flips_repeats(true);
    EQUAL(submit(use), -GPUCMD_SYS_E2BIG); /* a chain without an end */
    flips_repeats(false);
    user.ext[0].base.next_extension = (uint64_t)(uintptr_t)&user.ext[1];
    user.ext[1] = user.ext[0];
    user.ext[1].base.next_extension = 0;
    user.ext[1].handles_ptr += 8;
    user.ext[1].values_ptr += 8;
    user.fences[1].handle = 2;
    user.fences[1].flags = 2;
    user.points[1] = 3;
    EQUAL(submit(use), 0); /* two of them */
    CHECK(syncs_last(&k, 1) == 9 && syncs_last(&k, 2) == 3);
    user.ext[0].base.next_extension = 0;
    user.ext[0].fence_count = 2;
    user.points[0] = 11;
    user.points[1] = 0x600000004;
    EQUAL(submit(use), 0); /* two of one extension */
    CHECK(syncs_last(&k, 1) == 11 && syncs_last(&k, 2) == 0x600000004);
}

/* With a map the number in the flags is an index; other contexts use the old numbers. */
static void engines(void)
{
    static const uint8_t by_index[] = {3, 1, 4, GPUCMD_I915_RING_COMPUTE};
    static const gpucmd_i915_engine_map maps[] = {
        {7, 4, by_index}
    };
    static gpucmd_i915_context contexts[2];
    setup(GPUCMD_I915_GEN12_5);
    contexts[0].id = 7;
    contexts[1].id = 8;
    k.contexts = contexts;
    k.context_count = 2;
    k.maps = maps;
    k.map_count = 1;
    add_ring(GPUCMD_I915_RING_COMPUTE, GPUCMD_I915_CCS, 0);
    user.arg.rsvd1 = 7;
    EQUAL(submit(0), 0);
    EQUAL(cs[3].tail, 24);
    EQUAL(submit(1), 0);
    EQUAL(cs[1].tail, 24);
    EQUAL(submit(2), -GPUCMD_SYS_EINVAL); /* the part has no VEBOX here */
    EQUAL(submit(3), 0);
    EQUAL(cs[6].tail, 24);
    EQUAL(submit(4), -GPUCMD_SYS_EINVAL);
    user.arg.rsvd1 = 8;
    EQUAL(submit(3), 0);
    EQUAL(cs[3].tail, 48);
    EQUAL(submit(6), -GPUCMD_SYS_EINVAL);
    /* with one BSD ring any choice is valid, because media drivers make one;
     * with two rings 1 and 2 are */
    setup(GPUCMD_I915_GEN9);
    EQUAL(submit(0x2002), 0);
    EQUAL(submit(0x4002), 0);
    EQUAL(cs[2].tail, 48);
    k.second_bsd = true;
    add_ring(GPUCMD_I915_RING_BSD2, GPUCMD_I915_VCS, 1);
    EQUAL(submit(0x4002), 0);
    EQUAL(cs[5].tail, 24);
    EQUAL(submit(0x2002), 0);
    EQUAL(submit(0x0002), 0);
    EQUAL(cs[2].tail, 96);
    EQUAL(submit(0x6002), -GPUCMD_SYS_EINVAL);
    EQUAL(submit(0x2001), -GPUCMD_SYS_EINVAL);
}

/* A reader waits for the writer on another ring, a writer waits for all users;
 * with ASYNC nothing waits. */
static void order(void)
{
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 2; /* the batch is the last */
    user.objects[0].flags = GPUCMD_EXEC_OBJECT_WRITE;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER), 0);
    EQUAL(synced, 0);
    user.objects[0].flags = 0;
    EQUAL(submit(GPUCMD_I915_EXEC_BLT), 0);
    EQUAL(synced, 1u << 1);
    synced = 0;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER), 0); /* two readers need no order */
    EQUAL(synced, 0);
    user.objects[0].flags = GPUCMD_EXEC_OBJECT_WRITE | GPUCMD_EXEC_OBJECT_ASYNC;
    EQUAL(submit(GPUCMD_I915_EXEC_BSD), 0);
    EQUAL(synced, 0);
    user.objects[0].flags = GPUCMD_EXEC_OBJECT_WRITE;
    EQUAL(submit(GPUCMD_I915_EXEC_BLT), 0);
    EQUAL(synced, 1u << 2);
    /* the writer waits for those who read before it */
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 2;
    EQUAL(submit(GPUCMD_I915_EXEC_BLT), 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BSD), 0);
    EQUAL(synced, 0);
    user.objects[0].flags = GPUCMD_EXEC_OBJECT_WRITE;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER), 0);
    EQUAL(synced, 1u << 2 | 1u << 3);
    /* a relocation with a write domain makes a writer; sync is not called for
     * an idle ring; its errno ends the ioctl */
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 2;
    user.objects[1].relocation_count = 1;
    user.objects[1].relocs_ptr = (uint64_t)(uintptr_t)&user.reloc;
    user.reloc.target_handle = 10;
    user.reloc.offset = 64;
    user.reloc.read_domains = GPUCMD_I915_GEM_DOMAIN_RENDER;
    user.reloc.write_domain = GPUCMD_I915_GEM_DOMAIN_RENDER;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER), 0);
    EQUAL(objects[0].writer, 1);
    EQUAL(objects[1].writer, 0);
    sync_answer = -GPUCMD_SYS_EAGAIN;
    EQUAL(submit(GPUCMD_I915_EXEC_BLT), -GPUCMD_SYS_EAGAIN);
    EQUAL(cs[3].tail, 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT), 0); /* the render ring was run to its end above */
    EQUAL(cs[3].tail, 24);
}

/* A list of fences is in an object, and a relocation changes the list after its
 * check. The batch is submitted with the list as it was checked. */
static void overwritten(void)
{
    setup(GPUCMD_I915_GEN9);
    objects[0].host = user.fences;
    objects[0].bytes = sizeof user.fences;
    user.arg.buffer_count = 2;
    user.arg.cliprects_ptr = (uint64_t)(uintptr_t)user.fences;
    user.arg.num_cliprects = 1;
    user.fences[0].handle = 1;
    user.fences[0].flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
    user.objects[0].relocation_count = 1;
    user.objects[0].relocs_ptr = (uint64_t)(uintptr_t)&user.reloc;
    user.reloc.target_handle = 10;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_ARRAY), 0);
    EQUAL(gpucmd_load32(user.fences, GPUCMD_LITTLE_ENDIAN), 0x100000);
    EQUAL(k.seqno, 1);
    EQUAL(k.list_count, 2);
    EQUAL(user.objects[0].offset, 0x100000);
    CHECK(syncs_has_fence(&k, 1)); /* the list was read once */
    user.fences[0].handle = 1;     /* a list that is invalid from the start is rejected */
    user.fences[0].flags = 4;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_ARRAY), -GPUCMD_SYS_EINVAL);
    EQUAL(k.seqno, 1);
}

/* The memory of one submission: its objects, once each, in ascending order. */
static void regions(void)
{
    gpucmd_region r[3];
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        user.objects[i].flags = GPUCMD_EXEC_OBJECT_PINNED;
        user.objects[i].offset = 0x30000 - 0x10000 * i;
    }
    EQUAL(submit(0), 0);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 3), 3);
    CHECK(r[0].va == 0x10000 && r[1].va == 0x20000 && r[2].va == 0x30000);
    CHECK(r[0].host == memory[2] && r[0].bytes == 4096);
    r[1].va = 1;
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 1), 3);
    CHECK(r[0].va == 0x10000 && r[1].va == 1);
    user.objects[1].handle = 10;
    user.objects[1].offset = 0x30000;
    EQUAL(submit(0), 0);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 3), 2);
    CHECK(r[0].va == 0x10000 && r[1].va == 0x30000);
    EQUAL(gpucmd_i915_kernel_regions(&k, r, 3), 3);
    user.objects[0].handle = 99;
    EQUAL(submit(0), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_i915_kernel_list_regions(&k, r, 3), 0);
}

int main(void)
{
    sync_files();
    timelines();
    engines();
    order();
    overwritten();
    regions();
    return test_report("i915_fences");
}

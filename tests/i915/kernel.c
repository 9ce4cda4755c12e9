/* The model kernel: sizes and numbers of the interface, each errno with its
 * condition, placement, relocations, buffer objects, tables, and a submission
 * from the ioctl to the idle ring. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"
#include "i915/syncs.h"

#define RING_VA 0x40000u

/* The process: everything the kernel copies lies in one structure, at its own address. */
static struct user {
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_exec_object2 objects[4];
    struct gpucmd_drm_i915_gem_relocation_entry relocs[4];
    struct gpucmd_drm_i915_gem_exec_fence fences[2];
} user;
static uint32_t ring_words[1024];
static uint8_t memory[4][4096];
static gpucmd_region user_region, gpu_regions[8];
static gpucmd_mem user_mem, gpu_mem;
static gpucmd_i915_object objects[4];
static gpucmd_map vmas[4];
static struct gpucmd_drm_i915_gem_exec_object2 list[4];
static syncs sync_objects;
static gpucmd_i915_context contexts[2];
static gpucmd_i915_ring ring;
static gpucmd_i915_cs cs;
static gpucmd_i915_kernel k;

static void setup(gpucmd_i915_gen gen)
{
    gpucmd_mmio mmio;
    memset(&user, 0, sizeof user);
    memset(memory, 0, sizeof memory);
    memset(ring_words, 0, sizeof ring_words);
    memset(objects, 0, sizeof objects);
    user_region.va = (uint64_t)(uintptr_t)&user;
    user_region.bytes = sizeof user;
    user_region.host = &user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_words, 4096, 0x30, &mmio, cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, RING_VA), GPUCMD_OK);
    gpucmd_i915_kernel_init(&k, gen, &user_mem);
    for (uint32_t i = 0; i < 4; i++) {
        objects[i].handle = i + 1;
        objects[i].bytes = 4096;
        objects[i].host = memory[i];
        user.objects[i].handle = i + 1;
    }
    k.objects = objects;
    k.object_count = 4;
    k.vmas = vmas;
    k.vma_count = 4;
    k.list = list;
    k.list_cap = 4;
    k.rings[1] = &ring;
    k.contexts = contexts;
    k.context_count = 2;
    memset(contexts, 0, sizeof contexts);
    contexts[1].id = 7;
    CHECK(syncs_open(&k, &sync_objects, 9));
    user.arg.buffers_ptr = (uint64_t)(uintptr_t)user.objects;
    user.arg.buffer_count = 1;
    user.arg.batch_len = 8;
    gpucmd_store32(memory[0], 0x05000000, GPUCMD_LITTLE_ENDIAN);
}

static int submit(void)
{
    return gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    (uint64_t)(uintptr_t)&user.arg);
}

/* _IOC of direction, type 'd', number and size. */
static uint32_t ioc(uint32_t direction, uint32_t number, uint32_t bytes)
{
    return direction << 30 | bytes << 16 | 0x64u << 8 | number;
}

static void interface(void)
{
    EQUAL(sizeof(struct gpucmd_drm_i915_gem_exec_object2), 56);
    EQUAL(sizeof(struct gpucmd_drm_i915_gem_relocation_entry), 32);
    EQUAL(sizeof(struct gpucmd_drm_i915_gem_execbuffer2), 64);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_exec_object2, relocs_ptr), 8);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_exec_object2, alignment), 16);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_exec_object2, flags), 32);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_exec_object2, rsvd2), 48);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_relocation_entry, offset), 8);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_relocation_entry, write_domain), 28);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer2, batch_start_offset), 12);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer2, DR4), 24);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer2, cliprects_ptr), 32);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer2, rsvd1), 48);
    EQUAL(offsetof(struct gpucmd_drm_i915_gem_execbuffer2, rsvd2), 56);
    EQUAL(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, ioc(1, 0x69, 64));
    EQUAL(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, ioc(3, 0x69, 64));
    EQUAL(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, ioc(3, 0x5b, 16));
    EQUAL(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, ioc(1, 0x5d, 32));
    EQUAL(GPUCMD_DRM_IOCTL_GEM_CLOSE, ioc(1, 0x09, 8));
    EQUAL(GPUCMD_DRM_IOCTL_I915_GETPARAM, ioc(3, 0x46, 16));
}

enum { PINNED_48B = GPUCMD_EXEC_OBJECT_PINNED | GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS };

/* One row for each check: one change to a valid submission, and its result. */
#define REFUSED(gen, errno_, ...)                                                                  \
    do {                                                                                           \
        setup(GPUCMD_I915_GEN##gen);                                                               \
        __VA_ARGS__;                                                                               \
        EQUAL(-submit(), errno_);                                                                  \
        EQUAL(ring.tail_bytes, 0x30);                                                              \
        EQUAL(cs.tail, 0x30);                                                                      \
    } while (0)
#define TAKEN(gen, ...)                                                                            \
    do {                                                                                           \
        setup(GPUCMD_I915_GEN##gen);                                                               \
        __VA_ARGS__;                                                                               \
        EQUAL(submit(), 0);                                                                        \
    } while (0)

static void refusals(void)
{
    struct gpucmd_drm_i915_gem_exec_object2 *o = user.objects;
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.buffer_count = 0);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.buffer_count = 0x7fffffffu / 56 + 1);
    REFUSED(9, GPUCMD_SYS_ENOMEM, user.arg.buffer_count = 0x7fffffffu / 56);
    REFUSED(9, GPUCMD_SYS_ENOMEM, user.arg.buffer_count = 5);
    REFUSED(9, GPUCMD_SYS_EFAULT, user.arg.buffers_ptr = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = 1u << 22);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = 1u << 6);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = 1u << 7);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = 1ull << 63);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_RESOURCE_STREAMER);
    REFUSED(9, GPUCMD_SYS_EINVAL,
            user.arg.flags = GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT);
    REFUSED(9, GPUCMD_SYS_EINVAL,
            user.arg.flags = GPUCMD_I915_EXEC_USE_EXTENSIONS | GPUCMD_I915_EXEC_FENCE_ARRAY);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_USE_EXTENSIONS;
            user.arg.num_cliprects = 1);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.num_cliprects = 1);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.cliprects_ptr = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.DR1 = 1);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.DR4 = 1);
    TAKEN(9, user.arg.DR4 = 0xffffffff);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_len = 4);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_start_offset = 4);
    TAKEN(9, user.arg.batch_len = 0);
    REFUSED(11, GPUCMD_SYS_ENODEV, user.arg.flags = GPUCMD_I915_EXEC_SECURE);
    REFUSED(6, GPUCMD_SYS_EPERM, user.arg.flags = GPUCMD_I915_EXEC_SECURE; k.master = true);
    REFUSED(5, GPUCMD_SYS_EPERM, user.arg.flags = GPUCMD_I915_EXEC_SECURE);
    TAKEN(5, user.arg.flags = GPUCMD_I915_EXEC_SECURE; k.master = true);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_FENCE_IN);
    REFUSED(9, GPUCMD_SYS_ENOENT, user.arg.rsvd1 = 8);
    TAKEN(9, user.arg.rsvd1 = 7);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = 5);
    REFUSED(9, GPUCMD_SYS_EINVAL, k.rings[5] = &ring;
            user.arg.flags = 5); /* not a number for users */
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_BLT);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_RENDER | 1u << 13);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_RENDER | 2u << 13);
    REFUSED(9, GPUCMD_SYS_EINVAL, k.rings[2] = &ring; k.second_bsd = true;
            user.arg.flags = GPUCMD_I915_EXEC_BSD | 3u << 13);
    REFUSED(9, GPUCMD_SYS_EIO, k.wedged = true);
    REFUSED(9, GPUCMD_SYS_EIO, contexts[1].banned = true; user.arg.rsvd1 = 7);
    REFUSED(9, GPUCMD_SYS_EIO, contexts[0].banned = true);
    TAKEN(9, contexts[1].banned = true);
    REFUSED(9, GPUCMD_SYS_ENOENT, o[0].handle = 99);
    REFUSED(9, GPUCMD_SYS_ENOENT, o[0].handle = 0);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = 256);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].alignment = 12288);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_NEEDS_GTT);
    REFUSED(8, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_NEEDS_GTT);
    TAKEN(7_5, o[0].flags = GPUCMD_EXEC_OBJECT_NEEDS_GTT);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED; o[0].offset = 0x1008);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED; o[0].offset = 0x1800);
    REFUSED(7, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED; o[0].offset = 0x7ffff000;
            objects[0].bytes = 8192);
    TAKEN(7, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED; o[0].offset = 0x7ffff000);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PAD_TO_SIZE; o[0].rsvd1 = 0x1800);
    TAKEN(9, o[0].flags = GPUCMD_EXEC_OBJECT_PAD_TO_SIZE; o[0].rsvd1 = 0x2000);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED;
            o[0].offset = 0x800000000000);
    TAKEN(9, o[0].flags = PINNED_48B; o[0].offset = 0xffff800000000000);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED; /* without 48B: 4 GiB */
            o[0].offset = 0xffff800000000000);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PAD_TO_SIZE; o[0].rsvd1 = 100);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_WRITE);
    /* the batch is the last object, or the first */
    TAKEN(9, user.arg.buffer_count = 2; o[0].flags = GPUCMD_EXEC_OBJECT_WRITE);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.buffer_count = 2;
            user.arg.flags = GPUCMD_I915_EXEC_BATCH_FIRST; o[0].flags = GPUCMD_EXEC_OBJECT_WRITE);
    TAKEN(9, user.arg.buffer_count = 2; user.arg.flags = GPUCMD_I915_EXEC_BATCH_FIRST;
          o[1].flags = GPUCMD_EXEC_OBJECT_WRITE);
    REFUSED(12_5, GPUCMD_SYS_EINVAL, o[0].relocation_count = 1);
    TAKEN(12, o[0].relocation_count = 1; o[0].relocs_ptr = (uint64_t)(uintptr_t)user.relocs;
          user.relocs[0].target_handle = 1; user.relocs[0].offset = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, o[0].relocation_count = 1;
            o[0].relocs_ptr = (uint64_t)(uintptr_t)user.relocs; user.relocs[0].target_handle = 1;
            user.relocs[0].presumed_offset = 1; user.relocs[0].offset = 10);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_len = 4104);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_start_offset = 4096);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_start_offset = 8192);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_start_offset = 0xfffffff8);
    TAKEN(9, user.arg.batch_start_offset = 4088);
    REFUSED(7, GPUCMD_SYS_EINVAL, o[0].flags = GPUCMD_EXEC_OBJECT_PINNED;
            o[0].offset = 0x100000000);
    REFUSED(9, GPUCMD_SYS_EFAULT, user.arg.flags = GPUCMD_I915_EXEC_FENCE_ARRAY;
            user.arg.num_cliprects = 1; user.arg.cliprects_ptr = 8);
    REFUSED(9, GPUCMD_SYS_EINVAL, user.arg.batch_len = 0; user.arg.batch_start_offset = 4096);
    REFUSED(9, GPUCMD_SYS_ENOSPC, k.end_va = 0x100000);
    REFUSED(9, GPUCMD_SYS_ENOSPC, objects[0].bytes = 0x100000000);
    REFUSED(6, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    REFUSED(8, GPUCMD_SYS_EINVAL, user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    TAKEN(7, user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    TAKEN(7_5, user.arg.flags = GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    REFUSED(7, GPUCMD_SYS_EINVAL, k.rings[3] = &ring;
            user.arg.flags = GPUCMD_I915_EXEC_BLT | GPUCMD_I915_EXEC_GEN7_SOL_RESET);
    TAKEN(9, user.arg.buffer_count = 2; o[1].handle = 1); /* one handle in two rows */
    setup(GPUCMD_I915_GEN9);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GETPARAM, 0), -GPUCMD_SYS_ENOTTY);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, 16),
          -GPUCMD_SYS_EFAULT);
}

static void fences(void)
{
    for (int round = 0; round < 6; round++) {
        static const struct {
            uint32_t handle, flags;
            bool had;
            int want;
        } rows[6] = {
            {9,  2, false, 0                 },
            {9,  1, false, -GPUCMD_SYS_EINVAL},
            {9,  1, true,  0                 },
            {11, 2, false, -GPUCMD_SYS_ENOENT},
            {9,  4, false, -GPUCMD_SYS_EINVAL},
            {9,  3, true,  0                 }
        };
        setup(GPUCMD_I915_GEN9);
        user.arg.flags = GPUCMD_I915_EXEC_FENCE_ARRAY;
        user.arg.num_cliprects = 1;
        user.arg.cliprects_ptr = (uint64_t)(uintptr_t)user.fences;
        user.fences[0].handle = rows[round].handle;
        user.fences[0].flags = rows[round].flags;
        if (rows[round].had) {
            EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 9, 0), 0);
        }
        EQUAL(submit(), rows[round].want);
        EQUAL(syncs_has_fence(&k, 9),
              rows[round].had || (rows[round].want == 0 && (rows[round].flags & 2) != 0));
    }
}

static void placement(void)
{
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 4;
    user.objects[0].alignment = 0x10000;
    user.objects[1].flags = GPUCMD_EXEC_OBJECT_PINNED;
    user.objects[1].offset = 0x101000;
    gpucmd_store32(memory[3], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(submit(), 0);
    EQUAL(objects[0].va & 0xffff, 0);
    EQUAL(objects[1].va, 0x101000);
    for (int i = 0; i < 4; i++) {
        EQUAL(user.objects[i].offset, objects[i].va); /* written back */
        for (int j = 0; j < i; j++) {
            CHECK(objects[i].va + 4096 <= objects[j].va || objects[j].va + 4096 <= objects[i].va);
        }
    }
    {
        const uint64_t before = objects[2].va;
        EQUAL(submit(), 0);
        EQUAL(objects[2].va, before); /* objects stay where they are */
    }
    /* an object moves to an aligned address; an object at the address of a
     * pinned one is evicted */
    user.objects[2].alignment = 0x40000;
    EQUAL(submit(), 0);
    EQUAL(objects[2].va & 0x3ffff, 0);
    {
        const uint64_t wanted = objects[2].va;
        user.arg.buffer_count = 1;
        user.objects[0].handle = 4;
        user.objects[0].alignment = 0;
        user.objects[0].flags = GPUCMD_EXEC_OBJECT_PINNED;
        user.objects[0].offset = wanted;
        EQUAL(submit(), 0);
        EQUAL(objects[3].va, wanted);
        CHECK(objects[3].bound && !objects[2].bound);
        user.objects[0].flags = 0;
        user.objects[0].offset = 0;
        user.objects[0].handle = 1;
        user.arg.buffer_count = 4;
        EQUAL(submit(), 0);
        CHECK(objects[2].bound && objects[2].va != wanted && (objects[2].va & 0x3ffff) == 0);
    }
    setup(GPUCMD_I915_GEN9); /* a page stays free after each object */
    user.arg.buffer_count = 2;
    gpucmd_store32(memory[1], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(submit(), 0);
    EQUAL(objects[1].va, objects[0].va + 8192);
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 4;
    user.objects[1].flags = GPUCMD_EXEC_OBJECT_PINNED;
    user.objects[1].offset = 0x101000;
    gpucmd_store32(memory[3], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(submit(), 0);
    user.objects[1].offset = objects[2].va; /* two of the list in one place */
    user.objects[2].offset = objects[2].va;
    user.objects[2].flags = GPUCMD_EXEC_OBJECT_PINNED;
    EQUAL(submit(), -GPUCMD_SYS_ENOSPC);
}

static void relocations(void)
{
    for (int gen8 = 0; gen8 < 2; gen8++) {
        struct gpucmd_drm_i915_gem_relocation_entry *r = user.relocs;
        setup(gen8 != 0 ? GPUCMD_I915_GEN8 : GPUCMD_I915_GEN7);
        user.arg.buffer_count = 2;
        user.arg.flags = GPUCMD_I915_EXEC_HANDLE_LUT;
        user.objects[1].relocation_count = 1;
        user.objects[1].relocs_ptr = (uint64_t)(uintptr_t)r;
        user.objects[0].offset = gen8 != 0 ? 0x200000 : 0x300000; /* free: taken */
        memset(memory[1], 0xee, 4096);
        r[0].target_handle = 0;
        r[0].delta = (uint32_t)-16;
        r[0].offset = 8;
        r[0].read_domains = GPUCMD_I915_GEM_DOMAIN_RENDER;
        r[0].write_domain = GPUCMD_I915_GEM_DOMAIN_RENDER;
        EQUAL(submit(), 0);
        EQUAL(gpucmd_load64(memory[1] + 8, GPUCMD_LITTLE_ENDIAN),
              gen8 != 0 ? 0x1ffff0 : 0xeeeeeeee002ffff0);
        EQUAL(r[0].presumed_offset, objects[0].va);
        r[0].offset = 4095; /* a right guess hides a wrong place */
        EQUAL(submit(), 0);
        r[0].presumed_offset = 0;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].offset = gen8 != 0 ? 4092 : 4096;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].offset = gen8 != 0 ? 4088 : 4092;
        EQUAL(submit(), 0);
        r[0].write_domain = 0x12;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].write_domain = 0;
        r[0].read_domains = GPUCMD_I915_GEM_DOMAIN_GTT;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].read_domains = 1; /* of the processor */
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].read_domains = 2;
        r[0].write_domain = 0x40;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        r[0].write_domain = 0;
        r[0].presumed_offset = 0;
        objects[0].bytes = 2; /* no room for an address at all */
        user.objects[0].relocation_count = 1;
        user.objects[0].relocs_ptr = (uint64_t)(uintptr_t)r;
        user.objects[1].relocation_count = 0;
        r[0].offset = 0;
        EQUAL(submit(), -GPUCMD_SYS_EINVAL);
        objects[0].bytes = 4096;
        EQUAL(submit(), 0);
        EQUAL(gpucmd_load32(memory[0], GPUCMD_LITTLE_ENDIAN), objects[0].va - 16);
        user.objects[0].relocation_count = 0;
        user.objects[1].relocation_count = 1;
        r[0].presumed_offset = 0;
        r[0].offset = 8;
        EQUAL(submit(), 0);
        r[0].target_handle = 2;
        EQUAL(submit(), -GPUCMD_SYS_ENOENT);
        user.arg.flags = 0; /* by handle: 2 is listed, 3 is not */
        EQUAL(submit(), 0);
        r[0].target_handle = 3;
        EQUAL(submit(), -GPUCMD_SYS_ENOENT);
        user.arg.flags =
            GPUCMD_I915_EXEC_NO_RELOC; /* no object has moved: relocations are not read */
        EQUAL(submit(), 0);
        r[0].target_handle = 1; /* something moved */
        r[0].presumed_offset = 0;
        user.objects[0].alignment = 0x800000;
        EQUAL(submit(), 0);
        CHECK((objects[0].va & 0x7fffff) == 0);
        EQUAL(gpucmd_load32(memory[1] + 8, GPUCMD_LITTLE_ENDIAN), objects[0].va - 16);
        EQUAL(r[0].presumed_offset, objects[0].va);
        user.arg.flags = 0;
        user.objects[1].relocs_ptr = 8;
        EQUAL(submit(), -GPUCMD_SYS_EFAULT);
    }
}

/* A relocation stores a canonical address: bits 63:48 repeat bit 47. */
static void relocations_high(void)
{
    static const struct {
        uint64_t va;
        uint32_t delta;
        uint64_t want;
    } rows[] = {
        {0xffff800000000000, 16,            0xffff800000000010},
        {0xffff800000000000, (uint32_t)-16, 0x00007ffffffffff0},
        {0x00007ffffffff000, 4096,          0xffff800000000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setup(GPUCMD_I915_GEN9);
        user.arg.buffer_count = 2;
        user.objects[0].flags = GPUCMD_EXEC_OBJECT_PINNED | GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
        user.objects[0].offset = rows[i].va;
        user.objects[1].relocation_count = 1;
        user.objects[1].relocs_ptr = (uint64_t)(uintptr_t)user.relocs;
        user.relocs[0].target_handle = 1;
        user.relocs[0].delta = rows[i].delta;
        user.relocs[0].offset = 8;
        gpucmd_store32(memory[1], 0x05000000, GPUCMD_LITTLE_ENDIAN);
        EQUAL(submit(), 0);
        EQUAL(user.relocs[0].presumed_offset, rows[i].va);
        EQUAL(gpucmd_load64(memory[1] + 8, GPUCMD_LITTLE_ENDIAN), rows[i].want);
    }
}

/* From the ioctl to the idle ring, with and without a breadcrumb after the
 * batch. */
static void whole_way(void)
{
    static const gpucmd_i915_gen gens[] = {GPUCMD_I915_GEN4, GPUCMD_I915_GEN6, GPUCMD_I915_GEN7_5,
                                           GPUCMD_I915_GEN9, GPUCMD_I915_GEN12};
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        for (int crumb = 0; crumb < 2; crumb++) {
            static uint8_t hws[4096];
            gpucmd_env env;
            size_t n;
            setup(gens[i]);
            memset(hws, 0, sizeof hws);
            k.breadcrumb = crumb != 0;
            gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_HWS_PGA, 0x50000);
            for (uint32_t round = 1; round < 600; round++) { /* the ring wraps many times */
                EQUAL(submit(), 0);
                n = gpucmd_i915_kernel_regions(&k, gpu_regions, 6);
                EQUAL(n, 1);
                gpu_regions[n].va = RING_VA;
                gpu_regions[n].bytes = sizeof ring_words;
                gpu_regions[n].host = ring_words;
                gpu_regions[n].access_mask = GPUCMD_ACCESS_READ;
                gpu_regions[n + 1].va = 0x50000;
                gpu_regions[n + 1].bytes = 4096;
                gpu_regions[n + 1].host = hws;
                gpu_regions[n + 1].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
                gpucmd_mem_sort(gpu_regions, n + 2);
                EQUAL(gpucmd_mem_init(&gpu_mem, gpu_regions, n + 2), GPUCMD_OK);
                gpucmd_env_init(&env, &gpu_mem, NULL, NULL);
                EQUAL(gpucmd_i915_cs_run(&cs, &env, 2000), GPUCMD_RUN_IDLE);
                EQUAL(cs.head & GPUCMD_I915_RING_HEAD_MASK, ring.tail_bytes);
                if (crumb != 0) {
                    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), round);
                    EQUAL(cs.interrupts, round);
                }
            }
            CHECK(cs.head >> 21 != 0);
        }
    }
    setup(GPUCMD_I915_GEN9); /* no engine runs: the ring becomes full, and the ioctl fails */
    for (int i = 0; i < 200; i++) {
        const int err = submit();
        if (err != 0) {
            EQUAL(err, -GPUCMD_SYS_EAGAIN);
            CHECK(i > 100);
            return;
        }
    }
    CHECK(k.seqno == 0);
}

/* The builder fills the members that the test of igt fills. */
static void builder(void)
{
    gpucmd_i915_exec e;
    setup(GPUCMD_I915_GEN9);
    gpucmd_i915_exec_init(&e, user.objects, 1);
    EQUAL(gpucmd_i915_exec_finish(&e, 0, 0, 8, &user.arg), GPUCMD_ORDER);
    EQUAL(gpucmd_i915_exec_add(&e, 1, 0, 0, NULL, 0), 0);
    EQUAL(gpucmd_i915_exec_finish(&e, GPUCMD_I915_EXEC_RENDER, 0, 4, &user.arg), GPUCMD_ALIGN);
    EQUAL(gpucmd_i915_exec_finish(&e, GPUCMD_I915_EXEC_RENDER, 0, 8, &user.arg), GPUCMD_OK);
    EQUAL(user.arg.buffer_count, 1);
    EQUAL(user.arg.batch_len, 8);
    EQUAL(submit(), 0);
    EQUAL(gpucmd_i915_exec_add(&e, 2, 0, 0, NULL, 0), 0);
    EQUAL(gpucmd_i915_exec_finish(&e, 0, 0, 8, &user.arg), GPUCMD_FULL);
    /* flags and offset in the wrong order: no flag of an object is a multiple of 4096 */
    gpucmd_i915_exec_init(&e, user.objects, 1);
    EQUAL(gpucmd_i915_exec_add(&e, 1, 0, GPUCMD_EXEC_OBJECT_WRITE, NULL, 0), 0);
    EQUAL(e.count, 0);
    EQUAL(gpucmd_i915_exec_add(&e, 1, 0, 0x1000, NULL, 0), 0);
    EQUAL(gpucmd_i915_exec_add(&e, 1, 0, 0x1000, NULL, 0), 0); /* full: the first status stays */
    EQUAL(gpucmd_i915_exec_finish(&e, 0, 0, 8, &user.arg), GPUCMD_ALIGN);
}

/* Each argument of the builder is in its member, and all other members are 0. */
static void builder_members(void)
{
    struct gpucmd_drm_i915_gem_exec_object2 objs[2], want_objs[2];
    struct gpucmd_drm_i915_gem_execbuffer2 arg, want;
    struct gpucmd_drm_i915_gem_relocation_entry relocs[3] = {
        {0, 0, 0, 0, 0, 0}
    };
    gpucmd_i915_exec e;
    memset(objs, 0xff, sizeof objs);
    memset(want_objs, 0, sizeof want_objs);
    memset(&arg, 0xff, sizeof arg);
    memset(&want, 0, sizeof want);
    gpucmd_i915_exec_init(&e, objs, 2);
    EQUAL(gpucmd_i915_exec_add(&e, 5, 0x14, 0x123456789000, relocs, 3), 0);
    EQUAL(gpucmd_i915_exec_add(&e, 6, 0x10000000000, 0, NULL, 0), 1);
    want_objs[0].handle = 5;
    want_objs[0].relocation_count = 3;
    want_objs[0].relocs_ptr = (uint64_t)(uintptr_t)relocs;
    want_objs[0].offset = 0x123456789000;
    want_objs[0].flags = 0x14;
    want_objs[1].handle = 6;
    want_objs[1].flags = 0x10000000000;
    CHECK(memcmp(objs, want_objs, sizeof objs) == 0);
    EQUAL(gpucmd_i915_exec_finish(&e, 0x100000003, 0x1238, 0x4560, &arg), GPUCMD_OK);
    want.buffers_ptr = (uint64_t)(uintptr_t)objs;
    want.buffer_count = 2;
    want.batch_start_offset = 0x1238;
    want.batch_len = 0x4560;
    want.flags = 0x100000003;
    CHECK(memcmp(&arg, &want, sizeof arg) == 0);
    memset(&arg, 0xff, sizeof arg);
    EQUAL(gpucmd_i915_exec_finish(&e, 0, 0x1234, 0x4560, &arg), GPUCMD_ALIGN);
    EQUAL(gpucmd_i915_exec_finish(&e, 0, 0x1238, 0x4564, &arg), GPUCMD_ALIGN);
    EQUAL(arg.flags, ~(uint64_t)0);
}

/* The process's memory in three pieces, of which the arrays can be read only. */
static gpucmd_region piece[3];

static void readable(void *list_of, size_t bytes)
{
    const uint8_t *from = (const uint8_t *)list_of;
    const size_t before = (size_t)(from - (const uint8_t *)&user);
    for (int i = 0; i < 3; i++) {
        piece[i] = user_region;
    }
    piece[0].bytes = before;
    piece[1].va += before;
    piece[1].host = list_of;
    piece[1].bytes = bytes;
    piece[1].access_mask = GPUCMD_ACCESS_READ;
    piece[2].va += before + bytes;
    piece[2].host = (uint8_t *)&user + before + bytes;
    piece[2].bytes = sizeof user - before - bytes;
    EQUAL(gpucmd_mem_init(&user_mem, piece, 3), GPUCMD_OK);
}

/* An input that cannot be read is EFAULT. A result that cannot be written back
 * is ignored, because the batch is already changed. */
static void faults(void)
{
    struct gpucmd_drm_i915_gem_relocation_entry *r = user.relocs;
    for (uint32_t part = 0; part < 5; part++) {
        setup(GPUCMD_I915_GEN9);
        user.arg.buffer_count = 2;
        user.objects[1].relocation_count = 2;
        user.objects[1].relocs_ptr = (uint64_t)(uintptr_t)r;
        for (uint32_t i = 0; i < 2; i++) {
            r[i].target_handle = 1;
            r[i].offset = 8 + 8 * i;
            r[i].delta = 4;
        }
        gpucmd_store32(memory[1], 0x05000000, GPUCMD_LITTLE_ENDIAN);
        if (part == 0) { /* relocations that cannot be written */
            readable(r, sizeof user.relocs);
            EQUAL(submit(), 0);
            EQUAL(gpucmd_load64(memory[1] + 16, GPUCMD_LITTLE_ENDIAN), objects[0].va + 4);
            EQUAL(r[0].presumed_offset, 0);
            EQUAL(user.objects[0].offset, objects[0].va);
        } else if (part == 1) { /* a list that cannot be written */
            readable(user.objects, sizeof user.objects);
            EQUAL(submit(), 0);
            EQUAL(user.objects[0].offset, 0);
            EQUAL(r[1].presumed_offset, objects[0].va);
        } else if (part == 2) { /* the second relocation is after the end of the memory */
            user.objects[1].relocs_ptr = (uint64_t)(uintptr_t)(&user + 1) - 32;
            memcpy((uint8_t *)(&user + 1) - 32, r, 32);
            EQUAL(submit(), -GPUCMD_SYS_EFAULT);
            EQUAL(cs.tail, 0x30);
        } else if (part == 3) { /* half of the list does */
            user.arg.buffers_ptr = (uint64_t)(uintptr_t)(&user + 1) - 56;
            EQUAL(submit(), -GPUCMD_SYS_EFAULT);
        } else { /* the request with its answer, in memory that can be read only */
            readable(&user.arg, sizeof user.arg);
            EQUAL(submit(), 0);
            EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                           (uint64_t)(uintptr_t)&user.arg),
                  -GPUCMD_SYS_EFAULT);
        }
    }
}

static int interrupted(void *sync_user, uint32_t number)
{
    (void)sync_user;
    return number == 1 ? -GPUCMD_SYS_EINTR : 0;
}

static gpucmd_status on_wait(void *answer, uint32_t tries)
{
    (void)tries;
    return *(const gpucmd_status *)answer;
}

/* A signal while the kernel waits for room in the ring, or for another ring.
 * Nothing is submitted. */
static void signals(void)
{
    static const struct {
        gpucmd_status answer;
        uint32_t tries;
        int want;
    } rows[] = {
        {GPUCMD_FAULT,   3, -GPUCMD_SYS_EINTR },
        {GPUCMD_OK,      3, -GPUCMD_SYS_EAGAIN}, /* it never gets room */
        {GPUCMD_BLOCKED, 3, -GPUCMD_SYS_EAGAIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] + 1; i++) {
        gpucmd_status answer = i != 0 ? rows[i - 1].answer : GPUCMD_OK;
        uint32_t tail;
        int err = 0;
        setup(GPUCMD_I915_GEN7);
        if (i != 0) {
            gpucmd_i915_ring_set_wait(&ring, on_wait, &answer, rows[i - 1].tries);
        }
        for (uint32_t n = 0; n < 600 && err == 0; n++) {
            tail = cs.tail;
            err = submit();
        }
        EQUAL(err, i != 0 ? rows[i - 1].want : -GPUCMD_SYS_EAGAIN);
        EQUAL(cs.tail, tail);
    }
    EQUAL(GPUCMD_SYS_EINTR, 4);
    {
        static gpucmd_i915_ring blit;
        static uint32_t blit_words[1024];
        static gpucmd_i915_cs blit_cs;
        gpucmd_mmio mmio;
        setup(GPUCMD_I915_GEN7);
        EQUAL(gpucmd_i915_cs_init(&blit_cs, GPUCMD_I915_GEN7, GPUCMD_I915_BCS, 0), GPUCMD_OK);
        gpucmd_i915_cs_mmio(&blit_cs, &mmio);
        EQUAL(gpucmd_i915_ring_init(&blit, blit_words, 4096, 0, &mmio, blit_cs.base), GPUCMD_OK);
        k.rings[3] = &blit;
        k.sync_ring = interrupted;
        user.arg.buffer_count = 2;
        user.objects[0].flags = GPUCMD_EXEC_OBJECT_WRITE;
        EQUAL(submit(), 0);
        user.arg.flags = GPUCMD_I915_EXEC_BLT;
        EQUAL(submit(), -GPUCMD_SYS_EINTR);
        EQUAL(blit_cs.tail, 0);
        EQUAL(k.list_count, 0);
    }
}

/* ---- buffer objects, through the table of system calls ---- */

static gpucmd_i915_kernel_store store;
static uint64_t ram_words[3 * 512 + 512];
static gpucmd_sys_ops ops;
static int fd;

static uint8_t *ram(void)
{
    return (uint8_t *)ram_words + (4096 - (uintptr_t)ram_words % 4096) % 4096;
}

/* The sizes of a store are in the manual. */
static void store_sizes(void)
{
    gpucmd_i915_cs *cs_of = &store.cs;
    memset(&store, 0xff, sizeof store);
    EQUAL(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, ram(), 8192),
          GPUCMD_OK);
    EQUAL(k.object_count, 64);
    EQUAL(k.vma_count, 128);
    EQUAL(k.vm_count, 8);
    EQUAL(k.context_count, 16);
    EQUAL(k.list_cap, 64);
    EQUAL(k.fence_count, 128);
    EQUAL(k.syncobj_count, 16);
    EQUAL(k.point_count, 64);
    EQUAL(k.signal_count, 64);
    EQUAL(k.sync_file_count, 16);
    for (int i = 0; i < 16; i++) {
        EQUAL(k.sync_files[i].fd, 1000 + i);
        CHECK(!k.sync_files[i].used && k.contexts[i].id == 0);
    }
    for (int i = 0; i < 64; i++) {
        CHECK(k.objects[i].handle == 0 && k.vmas[2 * i + 1].bytes == 0 && k.list[i].handle == 0);
    }
    CHECK(k.objects == store.objects && k.vmas == store.vmas && k.vms == store.vms);
    CHECK(k.contexts == store.contexts && k.list == store.list);
    CHECK(k.fence_rows == store.fence_rows && k.fences.rows == store.fence_rows);
    CHECK(k.fences.cap == 128 && k.syncobjs.cap == 16 && k.syncobjs.point_cap == 64);
    CHECK(k.syncobjs.rows == store.syncobj_rows && k.syncobjs.points == store.point_rows);
    CHECK(k.signals == store.signals && k.sync_files == store.sync_files);
    CHECK(k.ram == ram() && k.ram_bytes == 8192 && k.store == &store);
    CHECK(k.rings[GPUCMD_I915_EXEC_RENDER] == &store.ring && k.sync_user == &k);
    CHECK(k.sync_ring != NULL && k.table == GPUCMD_I915_TABLE_NONE);
    EQUAL(sizeof store.regions / sizeof store.regions[0], 65);
    EQUAL(store.regions[0].va, ~(uint64_t)0); /* not written: it follows the tables */
    EQUAL(cs_of->base, 0x2000);
    EQUAL(gpucmd_i915_cs_read(cs_of, 0x2038), 0xffffe000);
    EQUAL(gpucmd_i915_cs_read(cs_of, 0x203c), 1); /* 4096 bytes, enabled */
}

static void open_store(gpucmd_i915_gen gen)
{
    EQUAL(gpucmd_i915_kernel_init_store(&k, gen, NULL, &store, ram(), 3 * 4096), GPUCMD_OK);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    gpucmd_i915_kernel_sys(&k, &ops);
    fd = ops.sys_open(ops.user, "/dev/dri/renderD128", GPUCMD_SYS_O_RDWR);
    CHECK(fd >= 0);
}

static int call(uint32_t number, void *arg)
{
    return ops.sys_ioctl(ops.user, fd, number, arg);
}

static int create(uint64_t bytes, uint32_t *handle)
{
    struct gpucmd_drm_i915_gem_create a = {bytes, 0, 0};
    const int err = call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a);
    EQUAL(err == 0 && a.size != (bytes + 4095) / 4096 * 4096, 0);
    *handle = a.handle;
    return err;
}

static int copy(uint32_t number, uint32_t handle, uint64_t offset, void *data, uint64_t bytes)
{
    struct gpucmd_drm_i915_gem_pwrite a = {handle, 0, offset, bytes, (uint64_t)(uintptr_t)data};
    return call(number, &a);
}

static void buffer_objects(void)
{
    struct gpucmd_drm_gem_close close_arg = {1, 0};
    uint32_t words[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0}, handle, other;
    open_store(GPUCMD_I915_GEN9);
    EQUAL(create(0, &handle), -GPUCMD_SYS_EINVAL);
    EQUAL(create(~(uint64_t)0, &handle), -GPUCMD_SYS_EINVAL);
    EQUAL(create(1, &handle), 0);
    EQUAL(handle, 1);
    EQUAL(create(8192, &other), 0);
    EQUAL(other, 2);
    EQUAL(create(1, &other), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_RAM);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 2, 8176, words, 16), 0);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 2, 8176, back, 16), 0);
    CHECK(memcmp(words, back, 16) == 0);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 2, 8177, words, 16), -GPUCMD_SYS_EINVAL);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 2, ~(uint64_t)0, words, 1), -GPUCMD_SYS_EINVAL);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 3, 0, words, 16), -GPUCMD_SYS_ENOENT);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 3, 0, words, 0), 0); /* no bytes to copy */
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 2, 0, NULL, 16), -GPUCMD_SYS_EFAULT);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, NULL), -GPUCMD_SYS_EFAULT);
    EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &close_arg), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &close_arg), -GPUCMD_SYS_EINVAL);
    ram()[0] = 7;
    EQUAL(create(4096, &handle), 0); /* the memory of the closed object, zero again */
    EQUAL(handle, 1);
    EQUAL(ram()[0], 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GETPARAM, NULL), -GPUCMD_SYS_ENOTTY);
    EQUAL(ops.sys_close(ops.user, fd), 0);
}

/* A size of 0 without RAM, and a row whose usual handle an object of the caller has. */
static void caller_objects(void)
{
    static uint64_t own[512];
    gpucmd_i915_object own_objects[3];
    uint32_t handle = 0;
    memset(own_objects, 0, sizeof own_objects);
    open_store(GPUCMD_I915_GEN9);
    k.ram = NULL;
    k.ram_bytes = 0;
    EQUAL(create(0, &handle), -GPUCMD_SYS_EINVAL);
    k.ram = ram();
    k.ram_bytes = 3 * 4096;
    k.objects = own_objects;
    k.object_count = 3;
    own_objects[0].handle = 2;
    own_objects[0].bytes = 4096;
    own_objects[0].host = own;
    EQUAL(create(4096, &handle), 0);
    EQUAL(own_objects[1].handle, handle);
    CHECK(handle != 0 && handle != 2);
    own[0] = 5;
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 2, 0, &own[1], 8), 0);
    EQUAL(own[1], 5);
}

/* A store has regions for its ring and 64 objects. -EIO: more objects are bound, or one has no memory. */
static void store_regions(void)
{
    static gpucmd_i915_object own[65];
    static uint8_t page[4096] = {0, 0, 0, 5}; /* MI_BATCH_BUFFER_END */
    struct gpucmd_drm_i915_gem_exec_object2 objs[32];
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_wait wait = {65, 0, -1};
    for (uint32_t fewer = 0; fewer < 2; fewer++) {
        open_store(GPUCMD_I915_GEN9);
        memset(own, 0, sizeof own);
        k.objects = own;
        k.object_count = 65;
        for (uint32_t i = 0; i < 65; i++) {
            own[i].handle = i + 1;
            own[i].bytes = 4096;
            own[i].host = page;
        }
        for (uint32_t step = 0; step < 3; step++) { /* 1, then 33, then 65 or 64 objects */
            const uint32_t first = 65 - 32 * step;
            const uint32_t count = step == 0 ? 1 : step == 1 ? 32 : 32 - fewer;
            memset(objs, 0, sizeof objs);
            memset(&arg, 0, sizeof arg);
            for (uint32_t i = 0; i < count; i++) {
                objs[i].handle = first + i;
            }
            arg.buffers_ptr = (uint64_t)(uintptr_t)objs;
            arg.buffer_count = count;
            EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg), 0);
            wait.bo_handle = first;
            EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait),
                  step == 2 && fewer == 0 ? -GPUCMD_SYS_EIO : 0);
        }
        EQUAL(gpucmd_i915_cs_read(&store.cs, 0x203c), 1); /* the engine follows the regions */
        own[64].host = NULL;
        EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg), 0);
        EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), -GPUCMD_SYS_EIO);
    }
}

static uint64_t other_va = 0x200000;

/* Submit words as the batch in object 1; object 2 is in the list, at other_va. */
static int submit_store(const uint32_t *words, uint32_t n)
{
    struct gpucmd_drm_i915_gem_exec_object2 objs[2];
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    gpucmd_i915_exec e;
    uint8_t bytes[64];
    gpucmd_store_words(bytes, words, n, GPUCMD_LITTLE_ENDIAN);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, 1, 0, bytes, 4 * n), 0);
    gpucmd_i915_exec_init(&e, objs, 2);
    (void)gpucmd_i915_exec_add(&e, 2,
                               GPUCMD_EXEC_OBJECT_PINNED | GPUCMD_EXEC_OBJECT_WRITE |
                                   GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
                               other_va, NULL, 0);
    (void)gpucmd_i915_exec_add(&e, 1, 0, 0, NULL, 0);
    EQUAL(gpucmd_i915_exec_finish(&e, GPUCMD_I915_EXEC_RENDER, 0, 4 * n, &arg), GPUCMD_OK);
    return call(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg);
}

/* The ring is not in the address space of the process: it stays as it is when a batch writes its
 * address, and an object can be at that address. */
static void hidden_ring(void)
{
    struct gpucmd_drm_i915_gem_wait wait = {1, 0, -1};
    uint32_t batch[] = {0x10000002, 0, 0, 0x1234, 0x05000000, 0};
    uint32_t handle, ring_word, word = 0;
    open_store(GPUCMD_I915_GEN9);
    EQUAL(create(4096, &handle), 0);
    EQUAL(create(4096, &handle), 0);
    batch[1] = store.cs.start;
    EQUAL(submit_store(batch, 6), 0);
    ring_word = store.ring_words[0];
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    EQUAL(k.why.kind, GPUCMD_WHY_MEMORY);
    EQUAL(store.ring_words[0], ring_word);
    other_va = batch[1];
    EQUAL(submit_store(batch, 6), 0);
    other_va = 0x200000;
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 2, 0, &word, 4), 0);
    EQUAL(gpucmd_load32(&word, GPUCMD_LITTLE_ENDIAN), 0x1234);
    EQUAL(store.ring_words[0], ring_word);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
}

static void waiting(void)
{
    static const uint32_t store_word[] = {0x10000002, 0x200000, 0, 0x1234, 0x05000000, 0};
    static const uint32_t fault[] = {0x10000002, 0x900000, 0, 0x1234, 0x05000000, 0};
    static const uint32_t block[] = {0x0e00c002, 1, 0x200004, 0, 0x05000000, 0};
    struct gpucmd_drm_i915_gem_wait wait = {2, 0, -1};
    struct gpucmd_drm_i915_gem_busy busy = {2, 0};
    struct gpucmd_drm_i915_gem_set_domain domain = {2, GPUCMD_I915_GEM_DOMAIN_CPU, 0};
    uint32_t handle, word = 0;
    open_store(GPUCMD_I915_GEN9);
    EQUAL(create(4096, &handle), 0);
    EQUAL(create(4096, &handle), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
    EQUAL(busy.busy, 0);
    EQUAL(submit_store(store_word, 6), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
    EQUAL(busy.busy, 0x10001); /* read and written by the render class */
    busy.handle = 1;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, &busy), 0);
    EQUAL(busy.busy, 0x10000);
    busy.handle = 9;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, &busy), -GPUCMD_SYS_ENOENT);
    EQUAL(copy(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, 2, 0, &word, 4), 0); /* waits */
    EQUAL(gpucmd_load32(&word, GPUCMD_LITTLE_ENDIAN), 0x1234);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    EQUAL(submit_store(store_word, 6), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    wait.flags = 1;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), -GPUCMD_SYS_EINVAL);
    wait.flags = 0;
    wait.bo_handle = 9;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), -GPUCMD_SYS_ENOENT);
    wait.bo_handle = 2;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), 0);
    domain.read_domains = GPUCMD_I915_GEM_DOMAIN_RENDER;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), -GPUCMD_SYS_EINVAL);
    domain.read_domains = GPUCMD_I915_GEM_DOMAIN_CPU;
    domain.write_domain = GPUCMD_I915_GEM_DOMAIN_GTT;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), -GPUCMD_SYS_EINVAL);
    domain.write_domain = 0;
    domain.handle = 9;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), -GPUCMD_SYS_ENOENT);
    domain.read_domains = 0;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain), 0); /* no domain */
    /* a batch that the engine cannot finish is dropped, and one that waits is not */
    EQUAL(submit_store(fault, 6), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    EQUAL(k.why.kind, GPUCMD_WHY_MEMORY);
    EQUAL(k.why.va, 0x900000);
    EQUAL(submit_store(block, 6), 0);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), -GPUCMD_SYS_ETIME);
    EQUAL(k.why.kind, GPUCMD_WHY_WAIT);
    k.sync_ring = NULL;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait), -GPUCMD_SYS_ETIME);
}

/* The tables that init and check reject, and the table that an ioctl found too
 * small. */
static void tables(void)
{
    uint32_t handle;
    EQUAL(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, NULL, ram(), 4096),
          GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_OBJECTS);
    EQUAL(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, ram(), 4095),
          GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_RAM);
    EQUAL(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, NULL, 4096),
          GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_RAM);
    EQUAL(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, ram() + 8, 4096),
          GPUCMD_ALIGN);
    EQUAL(k.table, GPUCMD_I915_TABLE_RAM);
    EQUAL(gpucmd_i915_kernel_init_store(&k, (gpucmd_i915_gen)10, NULL, &store, ram(), 4096),
          GPUCMD_UNSUPPORTED);
    gpucmd_i915_kernel_init(&k, GPUCMD_I915_GEN9, NULL);
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_LIST);
    k.list_cap = 1;
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_LIST);
    k.list = list;
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_OK);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    k.object_count = 1;
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_I915_TABLE_OBJECTS);
    k.objects = (gpucmd_i915_object *)((uintptr_t)objects + 1);
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_ALIGN);
    EQUAL(k.table, GPUCMD_I915_TABLE_OBJECTS);
    CHECK(strcmp(gpucmd_i915_table_name(k.table), "OBJECTS") == 0);
    CHECK(strcmp(gpucmd_i915_table_name(GPUCMD_I915_TABLE_NONE), "NONE") == 0);
    CHECK(strcmp(gpucmd_i915_table_name(GPUCMD_I915_TABLE_RAM), "RAM") == 0);
    CHECK(strcmp(gpucmd_i915_table_name((gpucmd_i915_table)99), "?") == 0);
    open_store(GPUCMD_I915_GEN9);
    k.object_count = 1;
    EQUAL(create(1, &handle), 0);
    EQUAL(create(1, &handle), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_OBJECTS);
    setup(GPUCMD_I915_GEN9);
    user.arg.buffer_count = 5;
    EQUAL(submit(), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_LIST);
    user.arg.buffer_count = 1;
    user.arg.flags = GPUCMD_I915_EXEC_FENCE_OUT;
    EQUAL(submit(), -GPUCMD_SYS_EMFILE);
    EQUAL(k.table, GPUCMD_I915_TABLE_SYNC_FILES);
    user.arg.flags = 0;
    EQUAL(submit(), 0);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
}

/* Every structure as i915_drm.h and drm.h have it: name; type, name, offset and number of each member;
 * bytes. [UAPI] */
static void structures(void)
{
    /* clang-format off */
    static const struct { uint32_t idx; const char *rows; } of[] = {
#define OF(name, rows) {GPUCMD_STRUCT_##name, #name " " rows}
        OF(drm_gem_close, "u32 handle 0 1 u32 pad 4 1 8"),
        OF(drm_i915_gem_create, "u64 size 0 1 u32 handle 8 1 u32 pad 12 1 16"),
        OF(drm_i915_gem_pread, "u32 handle 0 1 u32 pad 4 1 u64 offset 8 1 u64 size 16 1 u64 data_ptr 24 1 32"),
        OF(drm_i915_gem_pwrite, "u32 handle 0 1 u32 pad 4 1 u64 offset 8 1 u64 size 16 1 u64 data_ptr 24 1 32"),
        OF(drm_i915_gem_busy, "u32 handle 0 1 u32 busy 4 1 8"),
        OF(drm_i915_gem_wait, "u32 bo_handle 0 1 u32 flags 4 1 s64 timeout_ns 8 1 16"),
        OF(drm_i915_gem_set_domain, "u32 handle 0 1 u32 read_domains 4 1 u32 write_domain 8 1 12"),
        OF(drm_i915_getparam, "s32 param 0 1 u32 pad 4 1 u64 value 8 1 16"),
        OF(drm_i915_gem_exec_object2, "u32 handle 0 1 u32 relocation_count 4 1 u64 relocs_ptr 8 1 "
           "u64 alignment 16 1 u64 offset 24 1 u64 flags 32 1 u64 rsvd1 40 1 u64 rsvd2 48 1 56"),
        OF(drm_i915_gem_relocation_entry, "u32 target_handle 0 1 u32 delta 4 1 u64 offset 8 1 "
           "u64 presumed_offset 16 1 u32 read_domains 24 1 u32 write_domain 28 1 32"),
        OF(drm_i915_gem_execbuffer2, "u64 buffers_ptr 0 1 u32 buffer_count 8 1 u32 batch_start_offset 12 1 "
           "u32 batch_len 16 1 u32 DR1 20 1 u32 DR4 24 1 u32 num_cliprects 28 1 u64 cliprects_ptr 32 1 "
           "u64 flags 40 1 u64 rsvd1 48 1 u64 rsvd2 56 1 64"),
        OF(drm_i915_gem_exec_fence, "u32 handle 0 1 u32 flags 4 1 8"),
        OF(i915_user_extension, "u64 next_extension 0 1 u32 name 8 1 u32 flags 12 1 u32 rsvd 16 4 32"),
        OF(drm_i915_gem_execbuffer_ext_timeline_fences, "i915_user_extension base 0 1 u64 fence_count 32 1 "
           "u64 handles_ptr 40 1 u64 values_ptr 48 1 56"),
#undef OF
    };
    /* clang-format on */
    for (uint32_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const char *text = gpucmd_i915_layout(of[i].idx);
        const char *rows = of[i].rows;
        EQUAL(of[i].idx, i); /* all structures, in their order */
        for (; *rows != '\0'; rows += *rows == ' ', text++) {
            const size_t n = strcspn(rows, " ");
            text += *text == '\0'; /* the end of the members is an empty string */
            CHECK(strlen(text) == n && memcmp(text, rows, n) == 0);
            rows += n;
            text += n;
        }
    }
    CHECK(gpucmd_i915_layout(sizeof of / sizeof of[0]) == NULL);
}

/* A structure as text, by its rows. */
static void printed(void)
{
    const struct gpucmd_drm_i915_gem_wait wait = {2, 0, -1};
    uint8_t bytes[16];
    char text[100];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_layout_convert(gpucmd_i915_layout, GPUCMD_STRUCT_drm_i915_gem_wait, bytes, &wait,
                          GPUCMD_LITTLE_ENDIAN);
    EQUAL(bytes[0], 2);
    EQUAL(bytes[8], 0xff);
    gpucmd_layout_print(&t, gpucmd_i915_layout, GPUCMD_STRUCT_drm_i915_gem_wait, bytes,
                        GPUCMD_LITTLE_ENDIAN, 2);
    CHECK(strcmp(text, "  bo_handle                0x2\n"
                       "  timeout_ns               0xffffffffffffffff\n") == 0);
    EQUAL(gpucmd_layout_bytes(gpucmd_i915_layout,
                              GPUCMD_STRUCT_drm_i915_gem_execbuffer_ext_timeline_fences),
          56);
    EQUAL(gpucmd_layout_bytes(gpucmd_i915_layout, 99), 0);
}

int main(void)
{
    store_sizes();
    buffer_objects();
    caller_objects();
    store_regions();
    hidden_ring();
    waiting();
    tables();
    structures();
    printed();
    interface();
    refusals();
    fences();
    placement();
    relocations();
    relocations_high();
    whole_way();
    builder();
    builder_members();
    faults();
    signals();
    return test_report("i915_kernel");
}

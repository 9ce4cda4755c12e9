/* What igt's execution tests state about the kernel, as raw ioctls to the model kernel with its
 * executors, by generation. Each row names the igt test. The answers come from Linux 6.1
 * (drivers/gpu/drm/i915) and from [UAPI]; words of batches from Intel's manuals. A row that needs a
 * busy GPU uses the queue of pending requests. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"
#include "i915/syncs.h"

enum {
    RINGS = GPUCMD_I915_KERNEL_RINGS,
    OBJECTS = 16,
    REQUESTS = 48,
    END = 0x05000000,
    RCS = 1, /* numbers of the EXEC flags */
    VCS = 2,
    BCS = 3,
    VECS = 4,
    WRITE = GPUCMD_EXEC_OBJECT_WRITE,
    PINNED = GPUCMD_EXEC_OBJECT_PINNED,
    WIDE = GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
    SPIN_VA = 0x1000000,
    NONE = 0
};

static gpucmd_i915_kernel k;
static gpucmd_i915_cs cs[RINGS];
static gpucmd_i915_ring rings[RINGS];
static uint32_t ring_words[RINGS][1024];
static gpucmd_i915_object objects[OBJECTS];
static gpucmd_map vmas[OBJECTS];
static struct gpucmd_drm_i915_gem_exec_object2 list[OBJECTS], given[OBJECTS];
static gpucmd_i915_context contexts[4];
static gpucmd_i915_request requests[REQUESTS];
static syncs sync_objects;
static gpucmd_i915_sync_file files[2];
static struct gpucmd_drm_i915_gem_execbuffer2 arg;
static union {
    uint8_t bytes[OBJECTS * 4096];
    uint64_t align[512];
} storage;
static uint8_t *ram;
static gpucmd_i915_gen gen;

/* Execute a ring for at most 200 commands, in the address space of its work. */
static int on_sync(void *user, uint32_t n)
{
    gpucmd_region regions[OBJECTS + 1];
    gpucmd_mem mem;
    gpucmd_env env;
    (void)user;
    regions[0].va = 0x10000;
    regions[0].bytes = sizeof ring_words[n];
    regions[0].host = ring_words[n];
    regions[0].access_mask = GPUCMD_ACCESS_READ;
    const size_t count = 1 + gpucmd_i915_kernel_regions(&k, regions + 1, OBJECTS);
    EQUAL(gpucmd_mem_init(&mem, regions, count), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    if (gpucmd_i915_cs_run(&cs[n], &env, 200) == GPUCMD_RUN_FAULT) {
        gpucmd_i915_cs_reset(&cs[n], cs[n].tail);
    }
    return 0;
}

static void on_reset(void *user, uint32_t n)
{
    (void)user;
    gpucmd_i915_cs_reset(&cs[n], cs[n].tail);
}

static void add_ring(uint32_t n, gpucmd_i915_engine engine, gpucmd_i915_gen since)
{
    gpucmd_mmio mmio;
    if (gen < since) {
        return;
    }
    EQUAL(gpucmd_i915_cs_init(&cs[n], gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs[n], &mmio);
    EQUAL(gpucmd_i915_ring_init(&rings[n], ring_words[n], 4096, 0, &mmio, cs[n].base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&rings[n], 0x10000), GPUCMD_OK);
    k.rings[n] = &rings[n];
}

/* busy: submissions wait until they are executed. */
static void setup(bool busy)
{
    memset(objects, 0, sizeof objects);
    memset(given, 0, sizeof given);
    memset(contexts, 0, sizeof contexts);
    memset(requests, 0, sizeof requests);
    memset(files, 0, sizeof files);
    memset(&arg, 0, sizeof arg);
    gpucmd_i915_kernel_init(&k, gen, NULL);
    add_ring(RCS, GPUCMD_I915_RCS, GPUCMD_I915_GEN2);
    add_ring(VCS, GPUCMD_I915_VCS, GPUCMD_I915_GEN4_5);
    add_ring(BCS, GPUCMD_I915_BCS, GPUCMD_I915_GEN6);
    add_ring(VECS, GPUCMD_I915_VECS, GPUCMD_I915_GEN7_5);
    ram = storage.bytes + (4096 - (uintptr_t)storage.bytes % 4096) % 4096;
    k.objects = objects;
    k.object_count = OBJECTS;
    k.vmas = vmas;
    k.vma_count = OBJECTS;
    k.list = list;
    k.list_cap = OBJECTS;
    k.ram = ram;
    k.ram_bytes = (OBJECTS - 1) * 4096;
    contexts[1].id = 5;
    contexts[2].id = 6;
    contexts[3].id = 7;
    k.contexts = contexts;
    k.context_count = 4;
    CHECK(syncs_open(&k, &sync_objects, 2));
    files[0].fd = 30;
    files[1].fd = 31;
    k.sync_files = files;
    k.sync_file_count = 2;
    k.sync_ring = on_sync;
    k.reset_ring = on_reset;
    k.requests = requests;
    k.request_count = busy ? REQUESTS : 0;
    k.master = true;
    arg.buffers_ptr = (uint64_t)(uintptr_t)given;
}

static int call(uint32_t request, void *a)
{
    return gpucmd_i915_kernel_ioctl(&k, request, (uint64_t)(uintptr_t)a);
}

/* Create an object of a page and return its handle. */
static uint32_t create(void)
{
    struct gpucmd_drm_i915_gem_create a = {4096, 0, 0};
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a), 0);
    return a.handle;
}

static void put(uint32_t handle, uint64_t at, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gpucmd_store32((uint8_t *)objects[handle - 1].host + at + 4 * i, words[i],
                       GPUCMD_LITTLE_ENDIAN);
    }
}

static uint32_t peek(uint32_t handle, uint64_t at)
{
    return gpucmd_load32((uint8_t *)objects[handle - 1].host + at, GPUCMD_LITTLE_ENDIAN);
}

/* Submit the first count rows of given; the last is the batch. SECURE on gen4 to gen5, as igt does
 * for stores. */
static int submit(uint32_t count, uint64_t flags)
{
    arg.buffer_count = count;
    arg.flags = flags;
    return call(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg);
}

static uint32_t nop(void)
{
    static const uint32_t words[] = {END, 0};
    const uint32_t handle = create();
    put(handle, 0, words, 2);
    return handle;
}

/* List one object. */
static void row(uint32_t n, uint32_t handle, uint64_t flags, uint64_t va)
{
    memset(&given[n], 0, sizeof given[n]);
    given[n].handle = handle;
    given[n].flags = flags;
    given[n].offset = va;
}

static uint64_t privilege(void)
{
    return gen >= GPUCMD_I915_GEN4 && gen < GPUCMD_I915_GEN6 ? GPUCMD_I915_EXEC_SECURE : 0;
}

/* Submit a batch that stores a value into target, at byte 4 * slot; both are pinned. */
static int store(uint32_t ring, uint32_t target, uint32_t slot, uint32_t value, uint64_t flags)
{
    const uint32_t batch = create();
    const uint32_t va = SPIN_VA + 0x10000 * target;
    const uint32_t to = va + 4 * slot;
    const uint32_t gen3[] = {0x10400001, to, value, END};
    const uint32_t gen4[] = {0x10400002, 0, to, value, END};
    const uint32_t gen6[] = {0x10000002, 0, to, value, END};
    const uint32_t gen8[] = {0x10000002, to, 0, value, END};
    put(batch, 0,
        gen < GPUCMD_I915_GEN4   ? gen3
        : gen < GPUCMD_I915_GEN6 ? gen4
        : gen < GPUCMD_I915_GEN8 ? gen6
                                 : gen8,
        gen < GPUCMD_I915_GEN4 ? 4 : 5);
    row(0, target, PINNED | WRITE | (flags & GPUCMD_EXEC_OBJECT_ASYNC), va);
    row(1, batch, PINNED, SPIN_VA + 0x10000 * batch);
    const int err = submit(2, ring | privilege() | (flags & ~(uint64_t)GPUCMD_EXEC_OBJECT_ASYNC));
    struct gpucmd_drm_gem_close c = {batch, 0};
    EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), 0); /* the batch stays until it has run */
    return err;
}

/* Submit a batch that jumps to itself until the CPU stores an end. It uses object used. */
static uint32_t spin(uint32_t ring, uint32_t used, uint64_t used_flags, uint64_t flags)
{
    const uint32_t batch = create();
    const uint32_t va = SPIN_VA + 0x10000 * batch;
    const uint32_t gen3[] = {0, 0, 0x18800080, va | 1};
    const uint32_t gen4[] = {0, 0, 0x18800180, va};
    const uint32_t gen6[] = {0, 0, 0x18800100, va};
    const uint32_t gen7_5[] = {0, 0, 0x18802100, va};
    const uint32_t gen8[] = {0, 0, 0x18800101, va, 0};
    put(batch, 0,
        gen < GPUCMD_I915_GEN4                     ? gen3
        : gen < GPUCMD_I915_GEN6                   ? gen4
        : gen == GPUCMD_I915_GEN7_5 && ring == RCS ? gen7_5
        : gen < GPUCMD_I915_GEN8                   ? gen6
                                                   : gen8,
        gen < GPUCMD_I915_GEN8 ? 4 : 5);
    row(0, used, used_flags, SPIN_VA + 0x10000 * used);
    row(1, batch, PINNED, va);
    EQUAL(submit(used != 0 ? 2 : 1, ring | flags), 0);
    return batch;
}

/* Submit a spinner that uses no other object. */
static uint32_t spin_alone(uint32_t ring)
{
    const uint32_t batch = spin(ring, create(), PINNED, 0);
    return batch;
}

static void end_spin(uint32_t batch)
{
    static const uint32_t end[] = {END};
    put(batch, 0, end, 1);
}

static int wait_for(uint32_t handle)
{
    struct gpucmd_drm_i915_gem_wait a = {handle, 0, 0};
    return call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &a);
}

/* Return the answer of GEM_BUSY, or the errno. */
static uint32_t busy(uint32_t handle)
{
    struct gpucmd_drm_i915_gem_busy a = {handle, 0};
    const int err = call(GPUCMD_DRM_IOCTL_I915_GEM_BUSY, &a);
    return err != 0 ? (uint32_t)-err : a.busy;
}

/* ---- statements ---- */

/* Each ring of the generation takes a nop, each other number is EINVAL. */
static void exec_nop(void)
{
    const uint32_t last = gen < GPUCMD_I915_GEN4_5   ? RCS
                          : gen < GPUCMD_I915_GEN6   ? VCS
                          : gen < GPUCMD_I915_GEN7_5 ? BCS
                                                     : VECS;
    setup(false);
    row(0, nop(), 0, 0);
    for (uint32_t ring = 0; ring < 64; ring++) {
        EQUAL(-submit(1, ring), ring <= last ? 0 : GPUCMD_SYS_EINVAL);
    }
}

/* Every engine that can store does, and the CPU sees it after a wait. */
static void exec_store(void)
{
    setup(false);
    const uint32_t target = create();
    for (uint32_t ring = RCS; ring <= VECS; ring++) {
        if (k.rings[ring] == NULL || (gen < GPUCMD_I915_GEN7 && ring == VCS)) {
            continue; /* gem_can_store_dword */
        }
        EQUAL(store(ring, target, ring, 0xc0de0000 + ring, 0), 0);
        EQUAL(wait_for(target), 0);
        EQUAL(peek(target, 4 * ring), 0xc0de0000 + ring);
    }
}

static void exec_params(void)
{
    static const struct {
        uint64_t flags;
        uint32_t DR1, DR4, cliprects, start, len;
        int want;
    } rows[] = {
        {0,                                  0, 0,          0, 0,    8,    0                },
        {1u << 6,                            0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL}, /* rel-constants */
        {2u << 6,                            0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL},
        {GPUCMD_I915_EXEC_RESOURCE_STREAMER, 0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL},
        {1u << 22,                           0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL}, /* invalid-flag */
        {1ull << 63,                         0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL},
        {0,                                  1, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL}, /* DR1 */
        {0,                                  0, 1,          0, 0,    8,    GPUCMD_SYS_EINVAL}, /* DR4 */
        {0,                                  0, 0xffffffff, 0, 0,    8,    0                },
        {0,                                  0, 0,          1, 0,    8,    GPUCMD_SYS_EINVAL}, /* cliprects */
        {0,                                  0, 0,          0, 0,    4,    GPUCMD_SYS_EINVAL}, /* batch-len */
        {0,                                  0, 0,          0, 4,    8,    GPUCMD_SYS_EINVAL},
        {0,                                  0, 0,          0, 0,    4104, GPUCMD_SYS_EINVAL}, /* larger-than-life */
        {0,                                  0, 0,          0, 4096, 0,    GPUCMD_SYS_EINVAL},
        {0,                                  0, 0,          0, 0,    0,    0                },
        {GPUCMD_I915_EXEC_BATCH_FIRST,       0, 0,          0, 0,    8,    0                },
        {GPUCMD_I915_EXEC_RENDER | 1u << 13, 0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL}, /* bsd1 on render */
        {GPUCMD_I915_EXEC_RENDER | 2u << 13, 0, 0,          0, 0,    8,    GPUCMD_SYS_EINVAL},
        {GPUCMD_I915_EXEC_NO_RELOC,          0, 0,          0, 0,    8,    0                },
        {GPUCMD_I915_EXEC_HANDLE_LUT,        0, 0,          0, 0,    8,    0                },
        {GPUCMD_I915_EXEC_IS_PINNED,         0, 0,          0, 0,    8,    0                }
    };
    setup(false);
    row(0, nop(), 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arg.DR1 = rows[i].DR1;
        arg.DR4 = rows[i].DR4;
        arg.num_cliprects = rows[i].cliprects;
        arg.batch_start_offset = rows[i].start;
        arg.batch_len = rows[i].len;
        if (!EQUAL(-submit(1, rows[i].flags), rows[i].want)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
    memset(&arg.batch_start_offset, 0, 24);
    /* sol-reset: render ring of gen7 only */
    EQUAL(-submit(1, RCS | GPUCMD_I915_EXEC_GEN7_SOL_RESET),
          gen == GPUCMD_I915_GEN7 || gen == GPUCMD_I915_GEN7_5 ? 0 : GPUCMD_SYS_EINVAL);
    /* secure-non-master */
    EQUAL(-submit(1, GPUCMD_I915_EXEC_SECURE), gen < GPUCMD_I915_GEN6    ? 0
                                               : gen < GPUCMD_I915_GEN11 ? GPUCMD_SYS_EPERM
                                                                         : GPUCMD_SYS_ENODEV);
    k.master = false;
    EQUAL(-submit(1, GPUCMD_I915_EXEC_SECURE),
          gen < GPUCMD_I915_GEN11 ? GPUCMD_SYS_EPERM : GPUCMD_SYS_ENODEV);
}

/* Relocations: value, presumed offset, and each way to be wrong (gem_exec_reloc, gem_reloc_overflow). */
static void exec_reloc(void)
{
    struct gpucmd_drm_i915_gem_relocation_entry r;
    setup(false);
    const uint32_t target = create(), batch = nop();
    row(0, target, 0, 0x200000);
    row(1, batch, 0, 0);
    given[1].relocation_count = 1;
    given[1].relocs_ptr = (uint64_t)(uintptr_t)&r;
    memset(&r, 0, sizeof r);
    r.target_handle = target;
    r.offset = 64;
    r.delta = 8;
    r.presumed_offset = 1;
    if (gen >= GPUCMD_I915_GEN12_5) { /* no relocations after Tiger Lake */
        EQUAL(-submit(2, 0), GPUCMD_SYS_EINVAL);
        return;
    }
    EQUAL(submit(2, 0), 0);
    EQUAL(peek(batch, 64), 0x200008);
    EQUAL(peek(batch, 68), 0);
    EQUAL(r.presumed_offset, 0x200000);
    EQUAL(given[0].offset, 0x200000);
    static const struct {
        uint32_t handle, read, write;
        uint64_t offset;
        int want;
    } rows[] = {
        {99, 0,    0, 64,                 GPUCMD_SYS_ENOENT},
        {0,  1,    0, 64,                 GPUCMD_SYS_EINVAL}, /* CPU domain */
        {0,  0x40, 0, 64,                 GPUCMD_SYS_EINVAL}, /* GTT domain */
        {0,  0x80, 0, 64,                 GPUCMD_SYS_EINVAL},
        {0,  0,    1, 64,                 GPUCMD_SYS_EINVAL},
        {0,  6,    6, 64,                 GPUCMD_SYS_EINVAL}, /* two write domains */
        {0,  2,    2, 65,                 GPUCMD_SYS_EINVAL}, /* unaligned */
        {0,  2,    2, 4096,               GPUCMD_SYS_EINVAL}, /* beyond the object */
        {0,  2,    2, 0xffffffffffffff00, GPUCMD_SYS_EINVAL}, /* wraps */
        {0,  2,    2, 64,                 0                }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        r.target_handle = rows[i].handle != 0 ? rows[i].handle : target;
        r.read_domains = rows[i].read;
        r.write_domain = rows[i].write;
        r.offset = rows[i].offset;
        r.presumed_offset = 1;
        EQUAL(-submit(2, 0), rows[i].want);
    }
    /* the last four bytes; gen8 and later write eight */
    r.offset = 4092;
    r.presumed_offset = 1;
    EQUAL(-submit(2, 0), gen < GPUCMD_I915_GEN8 ? 0 : GPUCMD_SYS_EINVAL);
    r.offset = 64;
    given[1].relocs_ptr = 8;
    EQUAL(-submit(2, 0), GPUCMD_SYS_EFAULT);
    given[1].relocs_ptr = (uint64_t)(uintptr_t)&r;
    r.target_handle = 0; /* by index */
    EQUAL(submit(2, GPUCMD_I915_EXEC_HANDLE_LUT), 0);
    r.target_handle = 2;
    EQUAL(-submit(2, GPUCMD_I915_EXEC_HANDLE_LUT), GPUCMD_SYS_ENOENT);
}

static void create_objects(void)
{
    struct gpucmd_drm_i915_gem_create a = {0, 0, 0};
    setup(false);
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a), GPUCMD_SYS_EINVAL); /* create-invalid-size */
    a.size = 1;
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a), 0);
    EQUAL(a.size, 4096); /* create-valid-nonaligned */
    CHECK(a.handle != 0);
    memset(objects[a.handle - 1].host, 0xee, 4096);
    struct gpucmd_drm_gem_close c = {a.handle, 0};
    EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), 0);
    EQUAL(-call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), GPUCMD_SYS_EINVAL); /* twice */
    const uint32_t again = create();
    for (uint32_t i = 0; i < 4096; i += 4) {
        EQUAL(peek(again, i), 0); /* create-clear */
    }
    a.size = ~(uint64_t)0;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a), GPUCMD_SYS_EINVAL); /* rounds to 0 */
    a.size = (uint64_t)1 << 62;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &a), GPUCMD_SYS_ENOMEM);
}

static void pread_pwrite(void)
{
    uint32_t data[2] = {0x12345678, 0x9abcdef0};
    struct gpucmd_drm_i915_gem_pwrite a = {0, 0, 4088, 8, (uint64_t)(uintptr_t)data};
    struct gpucmd_drm_i915_gem_pread b;
    setup(false);
    a.handle = create();
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &a), 0);
    data[0] = data[1] = 0;
    memcpy(&b, &a, sizeof b);
    EQUAL(call(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, &b), 0);
    CHECK(data[0] == 0x12345678 && data[1] == 0x9abcdef0);
    a.offset = 4092;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &a), GPUCMD_SYS_EINVAL);
    a.offset = ~(uint64_t)7;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &a), GPUCMD_SYS_EINVAL);
    b.handle = 99;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_PREAD, &b), GPUCMD_SYS_ENOENT);
}

/* gem_softpin: invalid, overlap, reverse, and each bound of the address space. */
static void softpin(void)
{
    static const struct {
        uint64_t flags, va;
        uint8_t since, until; /* where the answer is 0 */
    } rows[] = {
        {PINNED,        0x200000,           GPUCMD_I915_GEN2, GPUCMD_I915_GEN12_5},
        {PINNED,        0x200800,           NONE,             NONE               }, /* unaligned */
        {PINNED | WIDE, 0x800000000000,     NONE,             NONE               }, /* not canonical */
        {PINNED | WIDE, 0x7ffffffff000,     GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5},
        {PINNED | WIDE, 0xfffffffffffff000, GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5},
        {PINNED | WIDE, 0x100000000,        GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5},
        {PINNED,        0x100000000,        NONE,             NONE               }, /* 32 bits */
        {PINNED,        0xfffff000,         NONE,             NONE               }, /* its last page */
        {PINNED,        0xffffe000,         GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5},
        {PINNED | WIDE, 0xfffff000,         GPUCMD_I915_GEN8, GPUCMD_I915_GEN12_5},
        {PINNED,        0x7ffff000,         GPUCMD_I915_GEN6, GPUCMD_I915_GEN12_5},
        {PINNED,        0x1ffff000,         GPUCMD_I915_GEN2, GPUCMD_I915_GEN12_5}
    };
    setup(false);
    const uint32_t a = nop(), b = nop();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row(0, a, rows[i].flags, rows[i].va);
        const bool good = rows[i].until != NONE && gen >= rows[i].since;
        if (!EQUAL(-submit(1, 0), good ? 0 : GPUCMD_SYS_EINVAL)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
    row(0, a, PINNED, 0x300000);
    row(1, b, PINNED, 0x300000);
    EQUAL(-submit(2, 0), GPUCMD_SYS_ENOSPC); /* overlap */
    row(1, b, PINNED, 0x301000);
    EQUAL(submit(2, 0), 0);
    EQUAL(given[0].offset, 0x300000);
    row(0, a, PINNED, 0x301000); /* reversed */
    row(1, b, PINNED, 0x300000);
    EQUAL(submit(2, 0), 0);
    CHECK(given[0].offset == 0x301000 && given[1].offset == 0x300000);
    row(0, a, 0, 0x300000); /* unpinned: the pinned one wins, wherever it is in the list */
    EQUAL(submit(2, 0), 0);
    CHECK(given[0].offset != 0x300000 && given[1].offset == 0x300000);
}

static void fence_errors(void)
{
    struct gpucmd_drm_i915_gem_exec_fence f = {1, 0};
    setup(false);
    row(0, nop(), 0, 0);
    arg.rsvd2 = 77;
    EQUAL(-submit(1, GPUCMD_I915_EXEC_FENCE_IN), GPUCMD_SYS_EINVAL); /* basic-await of no file */
    arg.rsvd2 = ~(uint64_t)0;
    EQUAL(-submit(1, GPUCMD_I915_EXEC_FENCE_IN), GPUCMD_SYS_EINVAL);
    EQUAL(submit(1, GPUCMD_I915_EXEC_FENCE_OUT), 0);
    EQUAL(arg.rsvd2 >> 32, 30); /* out in the high half */
    arg.rsvd2 = 30;
    EQUAL(submit(1, GPUCMD_I915_EXEC_FENCE_IN), 0);
    arg.num_cliprects = 1;
    arg.cliprects_ptr = (uint64_t)(uintptr_t)&f;
    static const struct {
        uint32_t handle, flags;
        int want;
    } rows[] = {
        {1,  4, GPUCMD_SYS_EINVAL}, /* syncobj-invalid-flags */
        {1,  1, GPUCMD_SYS_EINVAL}, /* syncobj-invalid-wait: no fence yet */
        {99, 2, GPUCMD_SYS_ENOENT}, /* syncobj-invalid-handle */
        {1,  0, 0                }, /* syncobj-unused-fence */
        {1,  2, 0                }, /* syncobj-signal */
        {1,  1, 0                }  /* syncobj-wait */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f.handle = rows[i].handle;
        f.flags = rows[i].flags;
        EQUAL(-submit(1, GPUCMD_I915_EXEC_FENCE_ARRAY), rows[i].want);
    }
    arg.cliprects_ptr = 8;
    EQUAL(-submit(1, GPUCMD_I915_EXEC_FENCE_ARRAY), GPUCMD_SYS_EFAULT);
}

/* GEM_WAIT: flags, handles, and a GPU that is busy until the batch ends. */
static void wait(void)
{
    struct gpucmd_drm_i915_gem_wait a = {99, 0, 0};
    setup(true);
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &a), GPUCMD_SYS_ENOENT); /* invalid-buf */
    const uint32_t batch = spin_alone(RCS);
    a.bo_handle = batch;
    a.flags = 1;
    EQUAL(-call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &a), GPUCMD_SYS_EINVAL); /* invalid-flags */
    EQUAL(-wait_for(batch), GPUCMD_SYS_ETIME);
    EQUAL(-wait_for(batch), GPUCMD_SYS_ETIME);
    end_spin(batch);
    EQUAL(wait_for(batch), 0);
    EQUAL(k.pending, 0);
}

/* GEM_BUSY: classes of readers in 31:16, class of the writer + 1 in 15:0. */
static void busy_bits(void)
{
    setup(true);
    EQUAL(busy(99), GPUCMD_SYS_ENOENT);
    const uint32_t read = create(), written = create();
    EQUAL(busy(read), 0);
    const uint32_t batch = spin(RCS, read, PINNED, 0);
    EQUAL(busy(read), 0x10000);
    EQUAL(busy(batch), 0x10000);
    if (gen >= GPUCMD_I915_GEN6) {
        const uint32_t other = spin(BCS, written, PINNED | WRITE, 0);
        EQUAL(busy(written), 0x20002); /* copy is class 1 */
        end_spin(other);
        EQUAL(wait_for(written), 0);
        EQUAL(busy(written), 0);
        EQUAL(busy(read), 0x10000); /* each ring is on its own */
    }
    end_spin(batch);
    EQUAL(wait_for(read), 0);
    EQUAL(busy(read), 0);
}

/* gem_exec_await, gem_exec_fence: a request waits for the writer of its object, for a sync file and
 * for a sync object. */
static void await(void)
{
    struct gpucmd_drm_i915_gem_exec_fence f = {1, GPUCMD_I915_EXEC_FENCE_WAIT};
    if (gen < GPUCMD_I915_GEN6) {
        return; /* one ring stores */
    }
    setup(true);
    const uint32_t shared = create(), mine = create();
    uint32_t batch = spin(RCS, shared, PINNED | WRITE, GPUCMD_I915_EXEC_FENCE_OUT);
    EQUAL(arg.rsvd2 >> 32, 30);
    EQUAL(store(BCS, shared, 0, 7, 0), 0); /* implicit */
    EQUAL(-wait_for(shared), GPUCMD_SYS_ETIME);
    EQUAL(peek(shared, 0), 0);
    contexts[0].vm = 0;
    arg.rsvd1 = 5; /* another context is not behind the store above */
    EQUAL(store(BCS, shared, 1, 8, GPUCMD_EXEC_OBJECT_ASYNC), 0); /* ASYNC: no implicit wait */
    (void)gpucmd_i915_kernel_run(&k);
    EQUAL(peek(shared, 4), 8);
    arg.rsvd2 = 30;
    EQUAL(store(BCS, mine, 0, 9, GPUCMD_I915_EXEC_FENCE_IN), 0); /* explicit */
    EQUAL(-wait_for(mine), GPUCMD_SYS_ETIME);
    EQUAL(peek(mine, 0), 0);
    end_spin(batch);
    EQUAL(wait_for(mine), 0);
    EQUAL(wait_for(shared), 0);
    CHECK(peek(mine, 0) == 9 && peek(shared, 0) == 7);
    /* a writer waits for a reader */
    batch = spin(RCS, shared, PINNED, 0);
    EQUAL(store(BCS, shared, 2, 11, 0), 0);
    EQUAL(-wait_for(shared), GPUCMD_SYS_ETIME);
    EQUAL(peek(shared, 8), 0);
    end_spin(batch);
    EQUAL(wait_for(shared), 0);
    EQUAL(peek(shared, 8), 11);
    /* a fence of the caller (sw_sync) */
    const uint32_t sw = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 1, sw), 0);
    arg.cliprects_ptr = (uint64_t)(uintptr_t)&f;
    arg.num_cliprects = 1;
    EQUAL(store(BCS, mine, 1, 10, GPUCMD_I915_EXEC_FENCE_ARRAY), 0);
    arg.num_cliprects = 0;
    arg.cliprects_ptr = 0;
    EQUAL(-wait_for(mine), GPUCMD_SYS_ETIME);
    EQUAL(gpucmd_fence_signal(&k.fences, sw, 0), GPUCMD_OK);
    EQUAL(wait_for(mine), 0);
    EQUAL(peek(mine, 4), 10);
}

/* gem_exec_whisper: each engine in turn overwrites one word; the last one wins. */
static void whisper(void)
{
    setup(true);
    const uint32_t target = create();
    for (uint32_t i = 1; i <= 40; i++) {
        uint32_t ring = gen < GPUCMD_I915_GEN6 ? RCS : 1 + i % 4;
        ring = k.rings[ring] == NULL || (gen < GPUCMD_I915_GEN7 && ring == VCS) ? RCS : ring;
        int err = store(ring, target, 0, i, 0);
        EQUAL(err, 0);
        if (i % 8 == 0) { /* batches come back */
            EQUAL(wait_for(target), 0);
            EQUAL(peek(target, 0), i);
        }
    }
    EQUAL(wait_for(target), 0);
    EQUAL(peek(target, 0), 40);
}

/* gem_exec_schedule: requests that become ready together run by priority, those of one context in
 * their order. */
static void schedule(void)
{
    setup(true);
    const uint32_t target = create();
    const uint32_t batch = spin_alone(RCS);
    CHECK(!gpucmd_i915_kernel_run(&k)); /* it runs */
    contexts[1].priority = -1;
    contexts[2].priority = 1;
    contexts[3].priority = 1;
    arg.rsvd1 = 5;
    EQUAL(store(RCS, target, 0, 1, GPUCMD_EXEC_OBJECT_ASYNC), 0);
    arg.rsvd1 = 6;
    EQUAL(store(RCS, target, 0, 2, GPUCMD_EXEC_OBJECT_ASYNC), 0);
    EQUAL(store(RCS, target, 0, 3, GPUCMD_EXEC_OBJECT_ASYNC), 0);
    arg.rsvd1 = 7;
    EQUAL(store(RCS, target, 0, 4, GPUCMD_EXEC_OBJECT_ASYNC), 0);
    end_spin(batch);
    for (uint32_t i = 0; i < 5; i++) {
        static const uint32_t want[5] = {0, 2, 3, 4, 1};
        CHECK(gpucmd_i915_kernel_run(&k));
        EQUAL(peek(target, 0), gen >= GPUCMD_I915_GEN8 ? want[i] : i); /* before: no priorities */
    }
    CHECK(!gpucmd_i915_kernel_run(&k));
}

/* gem_eio, gem_ctx_persistence, gem_reset_stats: a batch that does not end is dropped, its context is
 * blamed, the third hang bans it; other contexts go on. */
static void hang(void)
{
    setup(true);
    k.hang_runs = 3;
    arg.rsvd1 = 5;
    const uint32_t target = create();
    for (uint32_t i = 1; i <= 3; i++) {
        EQUAL(contexts[1].active, i - 1);
        const uint32_t batch = spin_alone(RCS);
        EQUAL(store(RCS, target, i, i, 0), 0);
        for (uint32_t n = 0; n < 6; n++) {
            (void)gpucmd_i915_kernel_run(&k);
        }
        EQUAL(busy(batch), 0);
        EQUAL(k.pending, 0);
        EQUAL(contexts[1].active, i);
        EQUAL(peek(target, 4 * i),
              i < 3 ? i : 0); /* with the ban the request behind it goes, too */
        struct gpucmd_drm_gem_close c = {batch, 0};
        EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), 0);
        for (uint32_t h = 1; h < OBJECTS; h++) { /* and the object that it used */
            struct gpucmd_drm_gem_close d = {h, 0};
            EQUAL(h != target && objects[h - 1].handle == h ? call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &d)
                                                            : 0,
                  0);
        }
    }
    EQUAL(contexts[1].pending, 0);
    EQUAL(-store(RCS, target, 0, 9, 0), GPUCMD_SYS_EIO);
    arg.rsvd1 = 6;
    EQUAL(store(RCS, target, 0, 9, 0), 0);
    EQUAL(wait_for(target), 0);
    EQUAL(peek(target, 0), 9);
    contexts[2].unrecoverable = true; /* CONTEXT_PARAM_RECOVERABLE 0: the first hang bans */
    (void)spin_alone(RCS);
    for (uint32_t n = 0; n < 3; n++) {
        (void)gpucmd_i915_kernel_run(&k);
    }
    CHECK(contexts[2].banned && contexts[2].active == 1);
    k.wedged = true;
    arg.rsvd1 = 7;
    EQUAL(-store(RCS, target, 0, 9, 0), GPUCMD_SYS_EIO); /* throttle, execbuf of a wedged GPU */
}

/* gem_ringfill: a full queue is EAGAIN, as with O_NONBLOCK; nothing is lost. */
static void ringfill(void)
{
    uint32_t taken = 0;
    int err = 0;
    setup(true);
    const uint32_t batch = spin_alone(RCS);
    row(0, nop(), 0, 0);
    while (taken < 1000 && (err = submit(1, RCS)) == 0) {
        taken++;
    }
    EQUAL(-err, GPUCMD_SYS_EAGAIN);
    EQUAL(taken, REQUESTS - 1);
    end_spin(batch);
    EQUAL(wait_for(given[0].handle), 0);
    EQUAL(submit(1, RCS), 0);
    EQUAL(wait_for(given[0].handle), 0);
    EQUAL(k.pending, 0);
}

/* gem_close_race: a busy object that is closed stays until its work has ended. */
static void close_busy(void)
{
    setup(true);
    const uint32_t used = create();
    const uint32_t batch = spin(RCS, used, PINNED | WRITE, 0);
    struct gpucmd_drm_gem_close c = {used, 0};
    EQUAL(call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), 0);
    EQUAL(-call(GPUCMD_DRM_IOCTL_GEM_CLOSE, &c), GPUCMD_SYS_EINVAL);
    EQUAL(busy(used), GPUCMD_SYS_ENOENT);
    const uint8_t *host = objects[used - 1].host;
    const uint32_t other = create();
    CHECK(objects[other - 1].host != host); /* its memory is in use */
    row(0, other, PINNED, SPIN_VA + 0x10000 * used);
    EQUAL(-submit(1, RCS), GPUCMD_SYS_ENOSPC); /* its address, too */
    end_spin(batch);
    EQUAL(wait_for(batch), 0);
    static const uint32_t end[] = {END};
    put(other, 0, end, 1);
    EQUAL(submit(1, RCS), 0);
    EQUAL(wait_for(other), 0);
}

static void contexts_(void)
{
    setup(false);
    row(0, nop(), 0, 0);
    arg.rsvd1 = 99;
    EQUAL(-submit(1, 0), GPUCMD_SYS_ENOENT); /* gem_ctx_exec basic-invalid-context */
    arg.rsvd1 = 5;
    EQUAL(submit(1, 0), 0);
    contexts[1].banned = true;
    EQUAL(-submit(1, 0), GPUCMD_SYS_EIO);
    arg.rsvd1 = 6;
    EQUAL(submit(1, 0), 0);
}

/* gem_linear_blits: a copy of a page by the blitter, render ring before gen6. */
static void linear_blit(void)
{
    setup(false);
    const uint32_t from = create(), to = create(), batch = create();
    const uint32_t a = SPIN_VA, b = SPIN_VA + 0x1000;
    const uint32_t gen3[] = {0x54f00006, 0x03cc0000 | 256, 0, 16u << 16 | 64, b, 0, 256, a, END, 0};
    const uint32_t gen8[] = {0x54f00008, 0x03cc0000 | 256, 0, 16u << 16 | 64, b, 0, 0, 256, a, 0,
                             END};
    for (uint32_t i = 0; i < 1024; i++) {
        const uint32_t word = i * 0x01010101u;
        put(from, 4 * i, &word, 1);
    }
    put(batch, 0, gen < GPUCMD_I915_GEN8 ? gen3 : gen8, gen < GPUCMD_I915_GEN8 ? 10 : 11);
    row(0, from, PINNED, a);
    row(1, to, PINNED | WRITE, b);
    row(2, batch, PINNED, SPIN_VA + 0x4000);
    EQUAL(submit(3, gen < GPUCMD_I915_GEN6 ? RCS : BCS), 0);
    EQUAL(wait_for(to), 0);
    CHECK(memcmp(objects[from - 1].host, objects[to - 1].host, 4096) == 0);
}

static const struct {
    const char *name;
    void (*check)(void);
} statements[] = {
    {"gem_exec_nop",                   exec_nop      },
    {"gem_exec_store, gem_exec_flush", exec_store    },
    {"gem_exec_params",                exec_params   },
    {"gem_exec_reloc",                 exec_reloc    },
    {"gem_create",                     create_objects},
    {"gem_pread, gem_pwrite",          pread_pwrite  },
    {"gem_softpin",                    softpin       },
    {"gem_exec_fence",                 fence_errors  },
    {"gem_wait, gem_sync",             wait          },
    {"gem_busy",                       busy_bits     },
    {"gem_exec_await, gem_exec_fence", await         },
    {"gem_exec_whisper",               whisper       },
    {"gem_exec_schedule",              schedule      },
    {"gem_eio, gem_reset_stats",       hang          },
    {"gem_ringfill",                   ringfill      },
    {"gem_close_race",                 close_busy    },
    {"gem_ctx_exec",                   contexts_     },
    {"gem_linear_blits",               linear_blit   }
};

int main(void)
{
    static const gpucmd_i915_gen gens[] = {
        GPUCMD_I915_GEN3, GPUCMD_I915_GEN4,  GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN5,
        GPUCMD_I915_GEN6, GPUCMD_I915_GEN7,  GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN8,
        GPUCMD_I915_GEN9, GPUCMD_I915_GEN11, GPUCMD_I915_GEN12,  GPUCMD_I915_GEN12_5};
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        gen = gens[g];
        for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
            const unsigned failed = test.failed;
            statements[i].check();
            if (test.failed != failed) {
                printf("    %s on gen %u\n", statements[i].name, (unsigned)gen);
            }
        }
    }
    return test_report("i915_igt");
}

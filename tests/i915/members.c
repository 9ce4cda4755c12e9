/* The member that execbuffer2 refuses, its value and the rule. The errnos are those of Linux,
 * i915_gem_execbuffer.c; the texts say what its checks compare. */
#include "gpucmd_i915.h"
#include "test.h"

typedef struct gpucmd_drm_i915_gem_execbuffer2 args;
typedef struct gpucmd_drm_i915_gem_exec_object2 object;
typedef struct gpucmd_drm_i915_gem_relocation_entry reloc;

static gpucmd_i915_kernel k;
static gpucmd_i915_kernel_store store;
static uint8_t ram[65536 + 4096];
static gpucmd_sys_ops ops;
static int fd;
static args a;
static object list[2];
static reloc r;
static struct gpucmd_drm_i915_gem_exec_fence fence;

/* What a row changes in a submission that succeeds. */
typedef enum change {
    NOTHING,
    COUNT,
    FLAGS,
    CLIPRECTS,
    CLIPRECTS_PTR,
    DR1,
    DR4,
    START,
    LENGTH,
    CONTEXT,
    FENCE_FD,
    OBJECT_FLAGS,
    ALIGNMENT,
    OFFSET,
    HANDLE,
    PAD,
    WRITE_DOMAIN,
    READ_DOMAINS,
    RELOC_OFFSET,
    TARGET,
    FENCE_FLAGS,
    FENCE_HANDLE
} change;

static void boot(gpucmd_i915_gen gen)
{
    static const uint32_t end[2] = {0x05000000, 0};
    uint8_t *pages = ram + (4096 - ((uintptr_t)ram & 4095)) % 4096;
    memset(&a, 0, sizeof a);
    memset(list, 0, sizeof list);
    memset(&r, 0, sizeof r);
    memset(&fence, 0, sizeof fence);
    EQUAL(gpucmd_i915_kernel_init_store(&k, gen, NULL, &store, pages, 65536), GPUCMD_OK);
    gpucmd_i915_kernel_sys(&k, &ops);
    fd = ops.sys_open(ops.user, "/dev/dri/renderD128", 2);
    for (int i = 0; i < 2; i++) {
        struct gpucmd_drm_i915_gem_create c = {4096, 0, 0};
        EQUAL(ops.sys_ioctl(ops.user, fd, GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &c), 0);
        struct gpucmd_drm_i915_gem_pwrite p = {c.handle, 0, 0, 8, (uint64_t)(uintptr_t)end};
        EQUAL(ops.sys_ioctl(ops.user, fd, GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &p), 0);
        list[i].handle = c.handle;
    }
    r.target_handle = list[0].handle;
    r.offset = 8;
    a.buffers_ptr = (uint64_t)(uintptr_t)list;
    a.buffer_count = 2;
    a.batch_len = 8;
}

static void make(change what, uint64_t value)
{
    switch (what) {
    case NOTHING: break;
    case COUNT: a.buffer_count = (uint32_t)value; break;
    case FLAGS: a.flags = value; break;
    case CLIPRECTS: a.num_cliprects = (uint32_t)value; break;
    case CLIPRECTS_PTR: a.cliprects_ptr = value; break;
    case DR1: a.DR1 = (uint32_t)value; break;
    case DR4: a.DR4 = (uint32_t)value; break;
    case START: a.batch_start_offset = (uint32_t)value; break;
    case LENGTH: a.batch_len = (uint32_t)value; break;
    case CONTEXT: a.rsvd1 = value; break;
    case FENCE_FD:
        a.flags = GPUCMD_I915_EXEC_FENCE_IN;
        a.rsvd2 = value;
        break;
    case OBJECT_FLAGS: list[1].flags = value; break;
    case ALIGNMENT: list[1].alignment = value; break;
    case OFFSET:
        list[1].flags = GPUCMD_EXEC_OBJECT_PINNED | GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
        list[1].offset = value;
        break;
    case HANDLE: list[0].handle = (uint32_t)value; break;
    case PAD:
        list[1].flags = GPUCMD_EXEC_OBJECT_PAD_TO_SIZE;
        list[1].rsvd1 = value;
        break;
    case WRITE_DOMAIN: r.write_domain = (uint32_t)value; break;
    case READ_DOMAINS: r.read_domains = (uint32_t)value; break;
    case RELOC_OFFSET: r.offset = value; break;
    case TARGET: r.target_handle = (uint32_t)value; break;
    case FENCE_FLAGS: fence.flags = (uint32_t)value; break;
    case FENCE_HANDLE: fence.handle = (uint32_t)value; break;
    }
    if (what >= WRITE_DOMAIN && what <= TARGET) {
        list[1].relocation_count = 1;
        list[1].relocs_ptr = (uint64_t)(uintptr_t)&r;
    }
    if (what >= FENCE_FLAGS) {
        a.flags = GPUCMD_I915_EXEC_FENCE_ARRAY;
        a.num_cliprects = 1;
        a.cliprects_ptr = (uint64_t)(uintptr_t)&fence;
    }
}

static void members(void)
{
    /* clang-format off */
    static const struct {
        int gen;
        change what;
        uint64_t value;
        const char *line; /* NULL: success */
    } rows[] = {
        {90, NOTHING, 0, NULL},
        {90, COUNT, 0, "REFUSED execbuffer2: buffer_count 0x0 EINVAL: no objects, or too many\n"},
        {90, FLAGS, 1ull << 22, "REFUSED execbuffer2: flags 0x400000 EINVAL: bits 63:22 are not flags\n"},
        {90, FLAGS, 0x40, "REFUSED execbuffer2: flags 0x40 EINVAL: I915_EXEC_CONSTANTS_* are not supported\n"},
        {90, FLAGS, 0x8000, "REFUSED execbuffer2: flags 0x8000 EINVAL: I915_EXEC_RESOURCE_STREAMER is not supported\n"},
        {90, FLAGS, 0x200, "REFUSED execbuffer2: flags 0x200 EPERM: I915_EXEC_SECURE is for the master before gen6, and for nobody since\n"},
        {120, FLAGS, 0x200, "REFUSED execbuffer2: flags 0x200 ENODEV: I915_EXEC_SECURE does not exist on gen11 and later\n"},
        {90, FLAGS, 3, "REFUSED execbuffer2: flags 0x3 EINVAL: no such engine: bits 5:0, and 14:13 for BSD alone\n"},
        {90, FLAGS, 0x2001, "REFUSED execbuffer2: flags 0x2001 EINVAL: no such engine: bits 5:0, and 14:13 for BSD alone\n"},
        {90, FLAGS, 0x100, "REFUSED execbuffer2: flags 0x100 EINVAL: I915_EXEC_GEN7_SOL_RESET is for gen7, render\n"},
        {90, FLAGS, 0x110000, "REFUSED execbuffer2: flags 0x110000 EINVAL: I915_EXEC_FENCE_IN and I915_EXEC_FENCE_SUBMIT\n"},
        {90, FLAGS, 0x280000, "REFUSED execbuffer2: flags 0x280000 EINVAL: I915_EXEC_FENCE_ARRAY and I915_EXEC_USE_EXTENSIONS\n"},
        {90, FLAGS, 1, NULL},
        {90, CLIPRECTS, 1, "REFUSED execbuffer2: num_cliprects 0x1 EINVAL: not 0 without I915_EXEC_FENCE_ARRAY\n"},
        {90, CLIPRECTS_PTR, 8, "REFUSED execbuffer2: cliprects_ptr 0x8 EINVAL: not 0 without I915_EXEC_FENCE_ARRAY or I915_EXEC_USE_EXTENSIONS\n"},
        {90, DR1, 1, "REFUSED execbuffer2: DR1 0x1 EINVAL: not 0\n"},
        {90, DR4, 1, "REFUSED execbuffer2: DR4 0x1 EINVAL: neither 0 nor -1\n"},
        {90, DR4, 0xffffffff, NULL},
        {90, START, 4, "REFUSED execbuffer2: batch_start_offset 0x4 EINVAL: not a multiple of 8\n"},
        {90, START, 0x2000, "REFUSED execbuffer2: batch_start_offset 0x2000 EINVAL: not in the object of the batch\n"},
        {90, LENGTH, 0x44, "REFUSED execbuffer2: batch_len 0x44 EINVAL: not a multiple of 8\n"},
        {90, LENGTH, 0x48, NULL},
        {90, LENGTH, 0x1000, NULL},
        {90, LENGTH, 0x1008, "REFUSED execbuffer2: batch_len 0x1008 EINVAL: leaves the object of the batch\n"},
        {90, CONTEXT, 7, "REFUSED execbuffer2: rsvd1 0x7 ENOENT: no such context\n"},
        {90, FENCE_FD, 5, "REFUSED execbuffer2: rsvd2 0x5 EINVAL: its lower half is no sync file\n"},
        {90, OBJECT_FLAGS, 0x100, "REFUSED object 1: flags 0x100 EINVAL: bits 63:8 are not flags\n"},
        {90, OBJECT_FLAGS, 2, "REFUSED object 1: flags 0x2 EINVAL: EXEC_OBJECT_NEEDS_GTT with full PPGTT\n"},
        {70, OBJECT_FLAGS, 2, NULL},
        {90, OBJECT_FLAGS, 4, "REFUSED object 1: flags 0x4 EINVAL: EXEC_OBJECT_WRITE on the batch\n"},
        {90, ALIGNMENT, 3000, "REFUSED object 1: alignment 0xbb8 EINVAL: not a power of two\n"},
        {90, ALIGNMENT, 4096, NULL},
        {90, OFFSET, 0x8001fffec000, "REFUSED object 1: offset 0x8001fffec000 EINVAL: EXEC_OBJECT_PINNED: not canonical: bits 63:48 must equal bit 47\n"},
        {90, OFFSET, 0xffff8001fffec000, NULL},
        {90, OFFSET, 0x200100, "REFUSED object 1: offset 0x200100 EINVAL: EXEC_OBJECT_PINNED: not a multiple of 4096\n"},
        {90, PAD, 100, "REFUSED object 1: rsvd1 0x64 EINVAL: EXEC_OBJECT_PAD_TO_SIZE: not a multiple of 4096\n"},
        {90, HANDLE, 99, "REFUSED object 0: handle 0x63 ENOENT: no such object\n"},
        {90, WRITE_DOMAIN, 0x0a, "REFUSED relocation 0: write_domain 0xa EINVAL: more than one domain, or one that is not of the GPU\n"},
        {90, WRITE_DOMAIN, 0x10, NULL},
        {90, READ_DOMAINS, 0x40, "REFUSED relocation 0: read_domains 0x40 EINVAL: a domain that is not of the GPU\n"},
        {90, RELOC_OFFSET, 4092, "REFUSED relocation 0: offset 0xffc EINVAL: not a multiple of 4, or its 8 bytes leave the object\n"},
        {90, RELOC_OFFSET, 4088, NULL},
        {70, RELOC_OFFSET, 4092, NULL},
        {70, RELOC_OFFSET, 4096, "REFUSED relocation 0: offset 0x1000 EINVAL: not a multiple of 4, or its 4 bytes leave the object\n"},
        {90, TARGET, 77, "REFUSED relocation 0: target_handle 0x4d ENOENT: not in the list\n"},
        {125, TARGET, 1, "REFUSED object 1: relocation_count 0x1 EINVAL: relocations do not exist on this generation\n"},
        {90, FENCE_FLAGS, 4, "REFUSED fence 0: flags 0x4 EINVAL: bits 31:2 are not flags\n"},
        {90, FENCE_HANDLE, 9, "REFUSED fence 0: handle 0x9 ENOENT: no such sync object\n"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256];
        gpucmd_text t;
        boot((gpucmd_i915_gen)rows[i].gen);
        make(rows[i].what, rows[i].value);
        const int got = ops.sys_ioctl(ops.user, fd, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
        gpucmd_text_init(&t, line, sizeof line);
        gpucmd_print_why(&t, &k.why);
        if (rows[i].line == NULL) {
            const bool good = EQUAL(got, 0);
            if (!EQUAL(k.why.kind, GPUCMD_WHY_IDLE) || !good) {
                printf("    row %u: %s", (unsigned)i, line);
            }
            continue;
        }
        if (!CHECK(got < 0 && strcmp(line, rows[i].line) == 0)) {
            printf("    %d %s    not %s", got, line, rows[i].line);
        }
        EQUAL(k.why.value, rows[i].what == TARGET && rows[i].gen == 125 ? 1 : rows[i].value);
        /* a submission that succeeds forgets it */
        boot((gpucmd_i915_gen)rows[i].gen);
        make(rows[i].what, rows[i].value);
        CHECK(ops.sys_ioctl(ops.user, fd, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &a) < 0);
        const uint32_t handle = rows[i].what == HANDLE ? list[1].handle - 1 : list[0].handle;
        memset(&a, 0, sizeof a);
        memset(list, 0, sizeof list);
        list[0].handle = handle;
        a.buffers_ptr = (uint64_t)(uintptr_t)list;
        a.buffer_count = 1;
        EQUAL(ops.sys_ioctl(ops.user, fd, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
        EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    }
}

int main(void)
{
    members();
    return test_report("i915_members");
}

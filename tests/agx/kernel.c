/* agx/kernel.c - the model kernel: every check of every ioctl in its order with its errno, sync
 * objects, timestamps, the worked example through SUBMIT, the client. */
/* suite: regions */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"
#include "agx/world.h"
#include "agx/refused.h"

#define RW (GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE)

static world w_;
static gpucmd_agx_kernel *const k = &w_.k;

/* The caller's memory, as the kernel sees it. */
#define USER_VA 0x7f0000000000u
static uint8_t user[32768];
static gpucmd_region user_region;
static gpucmd_mem user_mem;

static void setup(void)
{
    EQUAL(world_init(&w_), GPUCMD_OK);
    memset(user, 0, sizeof user);
    user_region.va = USER_VA;
    user_region.bytes = sizeof user;
    user_region.host = user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    k->user = &user_mem;
    k->behavior = GPUCMD_AGX_BEHAVIOR_TEXT; /* agx/driver.c tests the driver */
    k->exec.durations.ring[0] = 4;
    k->exec.durations.ring[1] = 2;
    k->exec.durations.ring[2] = 3;
}

/* Expect an errno (0: accepted) and its rule. */
static void expect(int got, int err, gpucmd_agx_rule rule, const char *file, int line)
{
    test_equal((uint64_t)(int64_t)-got, (uint64_t)(int64_t)err, file, line, "errno");
    if (!test_equal(k->finding.rule, rule, file, line, "rule")) {
        printf("    got %s\n", gpucmd_agx_rule_name(k->finding.rule));
    }
}

/* Call an ioctl. If it is refused, the kernel is as before. */
#define EXPECT(call, err, rule)                                                                    \
    do {                                                                                           \
        refused_save(&w_);                                                                         \
        const int got_ = (call);                                                                   \
        CHECK(got_ == 0 || refused_same(&w_));                                                     \
        if (got_ != 0) {                                                                           \
            refused_saw(#call, k);                                                                 \
        }                                                                                          \
        expect(got_, (err), GPUCMD_AGX_RULE_##rule, __FILE__, __LINE__);                           \
    } while (0)
#define TAKES(call) EXPECT(call, 0, NONE)

/* Expect the text of the last finding. */
static void says(const char *want)
{
    char text[128];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_finding(&t, &k->finding);
    TEXT(text, want);
}

/* ---- parameters, time ---- */

static void params(void)
{
    struct gpucmd_drm_asahi_get_params a = {0, 0, USER_VA + 64, 592};
    struct gpucmd_drm_asahi_get_time t = {0, 0};
    setup();
    a.param_group = 1;
    EXPECT(gpucmd_agx_kernel_get_params(k, &a), 22, PARAM_GROUP);
    EQUAL(k->finding.command, -1); /* no place in a stream */
    EQUAL(k->finding.at_bytes, 0);
    EQUAL(k->finding.other, -1);
    a.param_group = 0;
    a.pad = 1;
    k->crashed = true;
    EXPECT(gpucmd_agx_kernel_get_params(k, &a), 22, PAD);
    a.pad = 0;
    EXPECT(gpucmd_agx_kernel_get_params(k, &a), 19, CRASHED);
    k->crashed = false;
    a.pointer = 0x1000;
    EXPECT(gpucmd_agx_kernel_get_params(k, &a), 14, ARGUMENT_FAULT);
    a.pointer = USER_VA + sizeof user - 591;
    EXPECT(gpucmd_agx_kernel_get_params(k, &a), 14, ARGUMENT_FAULT);
    a.pointer = USER_VA + 64;
    TAKES(gpucmd_agx_kernel_get_params(k, &a));
    EQUAL(gpucmd_load64(user + 64 + 552, GPUCMD_LITTLE_ENDIAN), 0x4000);
    EQUAL(gpucmd_load64(user + 64 + 560, GPUCMD_LITTLE_ENDIAN), 0x7FFFFF8000u);
    EQUAL(gpucmd_load64(user + 64 + 568, GPUCMD_LITTLE_ENDIAN), 0x20000000);
    EQUAL(gpucmd_load32(user + 64 + 576, GPUCMD_LITTLE_ENDIAN), 64);
    EQUAL(gpucmd_load32(user + 64 + 580, GPUCMD_LITTLE_ENDIAN), 16);
    EQUAL(gpucmd_load64(user + 64 + 584, GPUCMD_LITTLE_ENDIAN), 1000000000);
    memset(user, 0xee, sizeof user);
    a.size = 560; /* min(size, 592) bytes are written */
    TAKES(gpucmd_agx_kernel_get_params(k, &a));
    EQUAL(user[64 + 559], 0);
    EQUAL(user[64 + 560], 0xee);
    a.size = 0;
    a.pointer = 0;
    TAKES(gpucmd_agx_kernel_get_params(k, &a));
    memset(user, 0xee, sizeof user);
    a.size = ~(uint64_t)0;
    a.pointer = USER_VA;
    TAKES(gpucmd_agx_kernel_get_params(k, &a));
    EQUAL(user[592], 0xee);
    t.flags = 1;
    EXPECT(gpucmd_agx_kernel_get_time(k, &t), 22, FLAGS);
    t.flags = 0;
    k->exec.now = 48000000 + 1;
    k->timer_hz = 24000000;
    TAKES(gpucmd_agx_kernel_get_time(k, &t));
    EQUAL(t.gpu_timestamp, 2000000041);
    k->exec.now = (uint64_t)24000000 * 86400 * 365; /* a year of ticks */
    TAKES(gpucmd_agx_kernel_get_time(k, &t));
    EQUAL(t.gpu_timestamp, (uint64_t)1000000000 * 86400 * 365);
}

/* ---- VMs, objects, queues ---- */

static int vm_create(uint64_t start, uint64_t end)
{
    struct gpucmd_drm_asahi_vm_create a = {start, end, 0, 0};
    return gpucmd_agx_kernel_vm_create(k, &a);
}

static void vms(void)
{
    struct gpucmd_drm_asahi_vm_create a = {0x7000000000u, 0x7020000000u, 0, 1};
    struct gpucmd_drm_asahi_vm_destroy d = {9, 1};
    setup();
    EXPECT(gpucmd_agx_kernel_vm_create(k, &a), 22, PAD);
    EXPECT(vm_create(0, 0x7000000000u), 22, VM_WINDOW);             /* below vm_start */
    EXPECT(vm_create(0x7000000000u, 0x7FFFFFC000u), 22, VM_WINDOW); /* above vm_end */
    EXPECT(vm_create(0x7000000000u, 0x701FFFC000u), 22, VM_WINDOW); /* one page too short */
    EXPECT(vm_create(0x7020000000u, 0x7000000000u), 22, VM_WINDOW);
    EXPECT(vm_create(0x7000001000u, 0x7040000000u), 22, VM_WINDOW);
    EXPECT(vm_create(0x7000000000u, 0x7040001000u), 22, VM_WINDOW);
    TAKES(vm_create(0x4000, 0x20004000));
    TAKES(vm_create(0x77ffff8000u, 0x7fffff8000u));
    a.pad = 0;
    TAKES(gpucmd_agx_kernel_vm_create(k, &a));
    EQUAL(a.vm_id, 3);
    EXPECT(gpucmd_agx_kernel_vm_create(k, &a), 12, NO_MEMORY);
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d), 22, PAD); /* before the look-up */
    d.pad = 0;
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d), 2, VM_UNKNOWN);
    d.vm_id = 0;
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d), 2, VM_UNKNOWN);
    d.vm_id = 2;
    d.pad = 1;
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d), 22, PAD);
    d.pad = 0;
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d), 2, VM_UNKNOWN);
}

static int gem_create(uint64_t size, uint32_t flags, uint32_t vm_id)
{
    struct gpucmd_drm_asahi_gem_create a = {size, flags, vm_id, 0, 0};
    return gpucmd_agx_kernel_gem_create(k, &a);
}

static void gems(void)
{
    struct gpucmd_drm_asahi_gem_create a = {1, 0, 0, 0, 1};
    struct gpucmd_drm_asahi_gem_mmap_offset m = {9, 1, 0};
    setup();
    TAKES(vm_create(0x4000, 0x20004000));
    EXPECT(gpucmd_agx_kernel_gem_create(k, &a), 22, PAD);
    EXPECT(gem_create(0, 4, 0), 22, GEM_SIZE);
    EXPECT(gem_create(1, 4, 0), 22, FLAGS);
    EXPECT(gem_create(1, 4 | 2, 9), 22, FLAGS); /* before the look-up */
    EXPECT(gem_create(1, 0, 1), 22, GEM_VM_ID);
    EXPECT(gem_create(1, 2, 0), 2, VM_UNKNOWN);
    EXPECT(gem_create(1, 2, 2), 2, VM_UNKNOWN);
    EXPECT(gem_create(~(uint64_t)0, 0, 0), 22, GEM_SIZE);
    TAKES(gem_create(1, 2 | 1, 1));
    EQUAL(w_.gems[0].bytes, 0x4000);
    TAKES(gem_create(0x4001, 0, 0));
    EQUAL(w_.gems[1].bytes, 0x8000);
    EXPECT(gpucmd_agx_kernel_gem_mmap_offset(k, &m), 22, FLAGS);
    m.flags = 0;
    EXPECT(gpucmd_agx_kernel_gem_mmap_offset(k, &m), 2, GEM_UNKNOWN);
    m.handle = 2;
    TAKES(gpucmd_agx_kernel_gem_mmap_offset(k, &m));
    CHECK(m.offset != 0);
    EQUAL(gpucmd_agx_kernel_back(k, 3, user), GPUCMD_RANGE);
    EXPECT(gpucmd_agx_kernel_gem_close(k, 3), 2, GEM_UNKNOWN);
    TAKES(gpucmd_agx_kernel_gem_close(k, 2));
    EXPECT(gpucmd_agx_kernel_gem_close(k, 2), 2, GEM_UNKNOWN);
}

static void queues(void)
{
    struct gpucmd_drm_asahi_queue_create a = {1, 9, 9, 0, 0};
    struct gpucmd_drm_asahi_queue_destroy d = {9, 1};
    setup();
    k->finding.rule = GPUCMD_AGX_RULE_FLAGS;
    k->finding.command = 3;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &a), 22, FLAGS);
    EQUAL(k->finding.command, -1); /* not the place of an earlier call */
    a.flags = 0;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &a), 22, QUEUE_PRIORITY);
    a.priority = GPUCMD_DRM_ASAHI_PRIORITY_REALTIME;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &a), 22, QUEUE_PRIORITY);
    a.priority = GPUCMD_DRM_ASAHI_PRIORITY_HIGH;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &a), 22, QUEUE_PRIORITY);
    a.priority = GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &a), 2, VM_UNKNOWN);
    TAKES(vm_create(0x4000, 0x20004000));
    a.vm_id = 1;
    TAKES(gpucmd_agx_kernel_queue_create(k, &a));
    EQUAL(a.queue_id, 1);
    EQUAL(w_.queues[0].caps, 7); /* render 1, blit 2, compute 4 */
    EQUAL(w_.queues[0].vm_id, 1);
    EQUAL(w_.queues[0].priority, 1);
    EQUAL(w_.queues[0].exec, 0);
    a.priority = GPUCMD_DRM_ASAHI_PRIORITY_LOW;
    TAKES(gpucmd_agx_kernel_queue_create(k, &a));
    EQUAL(a.queue_id, 2);
    EXPECT(gpucmd_agx_kernel_queue_destroy(k, &d), 22, PAD);
    d.pad = 0;
    EXPECT(gpucmd_agx_kernel_queue_destroy(k, &d), 2, QUEUE_UNKNOWN);
    d.queue_id = 1;
    d.pad = 1;
    EXPECT(gpucmd_agx_kernel_queue_destroy(k, &d), 22, PAD);
    d.pad = 0;
    TAKES(gpucmd_agx_kernel_queue_destroy(k, &d));
    EXPECT(gpucmd_agx_kernel_queue_destroy(k, &d), 2, QUEUE_UNKNOWN);
    TAKES(gpucmd_agx_kernel_queue_create(k, &a));
    EQUAL(a.queue_id, 1); /* the lowest free id */
}

static int gem_bind_object(uint32_t op, uint32_t flags, uint32_t handle, uint32_t vm_id,
                           uint64_t offset, uint64_t range, uint32_t object, uint32_t pad)
{
    struct gpucmd_drm_asahi_gem_bind_object a = {op,     flags, handle, vm_id,
                                                 offset, range, object, pad};
    return gpucmd_agx_kernel_gem_bind_object(k, &a);
}

static void special_objects(void)
{
    setup();
    TAKES(vm_create(0x4000, 0x20004000));
    TAKES(gem_create(0x8000, 0, 0)); /* 1: shared */
    TAKES(gem_create(0x8000, 2, 1)); /* 2: private */
    EXPECT(gem_bind_object(9, 9, 9, 9, 9, 9, 9, 9), 22, PAD);
    EXPECT(gem_bind_object(9, 9, 9, 9, 9, 9, 9, 0), 22, OBJECT_VM_ID);
    EXPECT(gem_bind_object(9, 9, 9, 0, 9, 9, 9, 0), 22, OBJECT_OP);
    EXPECT(gem_bind_object(0, 9, 9, 0, 9, 0, 0, 0), 22, OBJECT_ALIGN);
    EXPECT(gem_bind_object(0, 9, 9, 0, 0, 9, 0, 0), 22, OBJECT_ALIGN);
    EXPECT(gem_bind_object(0, 3, 9, 0, 0, 0x4000, 0, 0), 22, OBJECT_FLAGS);
    EXPECT(gem_bind_object(0, 0, 9, 0, 0, 0x4000, 0, 0), 22, OBJECT_FLAGS);
    EXPECT(gem_bind_object(0, 1, 9, 0, ~(uint64_t)0x3fff, 0x8000, 0, 0), 22, OBJECT_RANGE);
    EXPECT(gem_bind_object(0, 1, 9, 0, 0, 0x4000, 0, 0), 2, GEM_UNKNOWN);
    EXPECT(gem_bind_object(0, 1, 1, 0, 0x4000, 0x8000, 0, 0), 22, OBJECT_RANGE);
    EXPECT(gem_bind_object(0, 1, 2, 0, 0, 0xC000, 0, 0), 22, OBJECT_RANGE);
    EXPECT(gem_bind_object(0, 1, 2, 0, 0, 0x4000, 0, 0), 22, OBJECT_PRIVATE);
    TAKES(gem_bind_object(0, 1, 1, 0, 0x4000, 0x4000, 0, 0));
    EXPECT(gem_bind_object(1, 0, 0, 0, 0, 1, 1, 0), 22, OBJECT_UNUSED);
    EXPECT(gem_bind_object(1, 0, 0, 0, 1, 0, 1, 0), 22, OBJECT_UNUSED);
    EXPECT(gem_bind_object(1, 1, 0, 0, 0, 0, 1, 0), 22, OBJECT_UNUSED);
    EXPECT(gem_bind_object(1, 0, 1, 0, 0, 0, 1, 0), 22, OBJECT_UNUSED);
    EXPECT(gem_bind_object(1, 0, 0, 0, 0, 0, 2, 0), 2, OBJECT_UNKNOWN);
    TAKES(gem_bind_object(1, 0, 0, 0, 0, 0, 1, 0));
    EXPECT(gem_bind_object(1, 0, 0, 0, 0, 0, 1, 0), 2, OBJECT_UNKNOWN);
    /* a handle that is closed: its objects keep the memory, others keep the handle */
    static uint8_t memory[0x8000];
    TAKES(gem_create(0x4000, 0, 0)); /* 3 */
    EQUAL(gpucmd_agx_kernel_back(k, 1, memory), GPUCMD_OK);
    TAKES(gem_bind_object(0, 1, 1, 0, 0x4000, 0x4000, 0, 0)); /* 1 */
    TAKES(gem_bind_object(0, 1, 3, 0, 0, 0x4000, 0, 0));      /* 2 */
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x8000, 0, 0));      /* 3 */
    TAKES(gem_bind_object(1, 0, 0, 0, 0, 0, 3, 0));
    TAKES(gpucmd_agx_kernel_gem_close(k, 1));
    EQUAL(w_.objects[0].handle, 0);
    CHECK(w_.objects[0].host == memory);
    EQUAL(w_.objects[0].offset, 0x4000);
    EQUAL(w_.objects[0].bytes, 0x4000);
    EQUAL(w_.objects[1].handle, 3);
    CHECK(w_.objects[1].host == NULL);
    EQUAL(w_.objects[2].handle, 1); /* a free row */
    CHECK(!w_.objects[2].used);
    TAKES(gpucmd_agx_kernel_gem_close(k, 3)); /* a row that is not the first */
    EQUAL(w_.objects[1].handle, 0);
}

/* ---- binds ---- */

static void put_op(uint32_t at, uint32_t flags, uint32_t handle, uint64_t offset, uint64_t range,
                   uint64_t addr)
{
    const struct gpucmd_drm_asahi_gem_bind_op op = {flags, handle, offset, range, addr};
    agx_convert(GPUCMD_STRUCT_drm_asahi_gem_bind_op, user + at, &op);
}

static int vm_bind(uint32_t vm, uint32_t count, uint32_t stride, uint32_t pad, uint64_t at)
{
    const struct gpucmd_drm_asahi_vm_bind a = {vm, count, stride, pad, at};
    return gpucmd_agx_kernel_vm_bind(k, &a);
}

static void binds(void)
{
    const uint32_t one = GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE;
    const uint32_t un = GPUCMD_DRM_ASAHI_BIND_UNBIND;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x10000, 0, 0)); /* 1: shared, four pages */
    TAKES(gem_create(0x4000, 2, 1));  /* 2: private to VM 1 */
#define BOUND(vm, ...)                                                                             \
    do {                                                                                           \
        put_op(0, __VA_ARGS__);                                                                    \
        TAKES(vm_bind(vm, 1, 32, 0, USER_VA));                                                     \
    } while (0)
#define BIND(err, rule, vm, ...)                                                                   \
    do {                                                                                           \
        put_op(0, __VA_ARGS__);                                                                    \
        EXPECT(vm_bind(vm, 1, 32, 0, USER_VA), err, rule);                                         \
    } while (0)
    BIND(22, BIND_FLAGS, 9, 16, 9, 1, 1, 1);
    BIND(22, BIND_ALIGN, 9, RW, 9, 0, 0x4000, 1);
    BIND(22, BIND_ALIGN, 9, RW, 9, 0x2000, 0x4000, 0x4000);
    BIND(22, BIND_ALIGN, 9, RW, 9, 0, 0x4001, 0x4000);
    BIND(22, BIND_EMPTY, 9, RW, 9, 0, 0, 0);
    BIND(22, BIND_WINDOW, 9, RW, 9, 0, 0x4000, 0);
    BIND(22, BIND_WINDOW, 9, RW, 9, 0, 0x4000, 0x7FFFFF8000u);
    BIND(22, BIND_WINDOW, 9, RW, 9, 0, 0x8000, 0x7FFFFF4000u);
    BIND(22, BIND_WINDOW, 9, RW, 9, 0, ~(uint64_t)0x3fff, 0x8000); /* overflows */
    BIND(22, BIND_KERNEL_WINDOW, 1, RW, 9, 0, 0x4000, 0x7000000000u);
    BIND(22, BIND_KERNEL_WINDOW, 1, RW, 9, 0, 0x8000, 0x6FFFFFC000u);
    BIND(22, BIND_KERNEL_WINDOW, 1, RW, 9, 0, 0x4000, 0x701FFFC000u);
    BIND(2, GEM_UNKNOWN, 9, RW, 9, 0, 0x4000, 0x4000);
    BIND(2, GEM_UNKNOWN, 1, RW, 0, 0, 0x4000, 0x4000);
    BIND(22, BIND_OBJECT_RANGE, 9, 0, 1, 0, 0x14000, 0x4000);
    BIND(22, BIND_OBJECT_RANGE, 9, 0, 1, 0xC000, 0x8000, 0x4000);
    BIND(22, BIND_OBJECT_RANGE, 9, 0, 1, ~(uint64_t)0x3fff, 0x8000, 0x4000); /* overflows */
    BIND(22, BIND_OBJECT_RANGE, 1, RW | one, 1, 0x10000, 0x100000, 0x4000);
    BIND(22, BIND_RIGHTS, 9, 0, 1, 0, 0x4000, 0x4000);
    BIND(22, BIND_RIGHTS, 1, one, 1, 0, 0x4000, 0x4000);
    BIND(2, VM_UNKNOWN, 9, RW, 1, 0, 0x4000, 0x4000);
    BIND(22, BIND_PRIVATE, 2, RW, 2, 0, 0x4000, 0x4000);
    BOUND(1, RW, 2, 0, 0x4000, 0x4000);
    BOUND(1, RW, 1, 0, 0x10000, 0x6FFFFF0000u); /* up to the kernel window */
    BOUND(1, RW, 1, 0, 0x10000, 0x7020000000u); /* after it */
    BOUND(1, RW | one, 1, 0xC000, 0x100000, 0x1600000000u);
    BOUND(2, GPUCMD_DRM_ASAHI_BIND_READ, 1, 0x4000, 0xC000, 0x4000);
    BOUND(2, GPUCMD_DRM_ASAHI_BIND_WRITE, 1, 0, 0x4000, 0x7FFFFF4000u);
    BIND(22, BIND_FLAGS, 9, un | RW, 0, 0, 0x4000, 0x4000);
    BIND(22, BIND_FLAGS, 9, un | 16, 0, 0, 0x4000, 0x4000);
    BIND(22, BIND_UNUSED, 9, un, 1, 0, 0x4001, 0x4000);
    BIND(22, BIND_UNUSED, 9, un, 0, 0x4000, 0x4000, 0x4000);
    BIND(22, BIND_ALIGN, 9, un, 0, 0, 0x4001, 0x4000);
    BIND(22, BIND_EMPTY, 9, un, 0, 0, 0, 0x4000);
    BIND(22, BIND_WINDOW, 9, un, 0, 0, 0x4000, 0);
    BIND(2, VM_UNKNOWN, 9, un, 0, 0, 0x4000, 0x4000);
    BIND(22, BIND_KERNEL_WINDOW, 1, un, 0, 0, 0x4000, 0x7010000000u);
    BOUND(1, un, 0, 0, 0x4000, 0x4000);
    BOUND(1, un, 0, 0, 0x4000, 0x4000); /* no mapping there: no failure */
    /* closing a handle unmaps its object from all VMs; destroying a VM unmaps all objects */
    EQUAL(k->maps.count, 5);
    TAKES(gpucmd_agx_kernel_gem_close(k, 1));
    EQUAL(k->maps.count, 0);
    BOUND(1, RW, 2, 0, 0x4000, 0x4000);
    const struct gpucmd_drm_asahi_vm_destroy d = {1, 0};
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    EQUAL(k->maps.count, 0);
    /* a new VM under the old id does not get the old one's private objects */
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    BIND(22, BIND_PRIVATE, 1, RW, 2, 0, 0x4000, 0x4000);
}

static void bind_arrays(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x10000, 0, 0));
    EXPECT(vm_bind(9, 1, 0, 1, 1), 22, BIND_STRIDE);
    EXPECT(vm_bind(9, 1, 32, 1, 1), 22, PAD);
    EXPECT(vm_bind(9, 1, 32, 0, 1), 14, BIND_OPS_FAULT);
    EXPECT(vm_bind(9, 0xffffffff, 0xffffffff, 0, USER_VA), 14, BIND_OPS_FAULT);
    TAKES(vm_bind(9, 0, 32, 0, 1)); /* no operation: the VM is not checked */
    /* not atomic: operations before the failing one keep their effect */
    put_op(0, RW, 1, 0, 0x4000, 0x4000);
    put_op(32, RW, 9, 0, 0x4000, 0x8000);
    put_op(64, RW, 1, 0, 0x4000, 0xC000);
    expect(vm_bind(1, 3, 32, 0, USER_VA), 2, GPUCMD_AGX_RULE_GEM_UNKNOWN, __FILE__, __LINE__);
    EQUAL(k->finding.command, 1);
    EQUAL(k->finding.at_bytes, 32);
    EQUAL(k->maps.count, 1);
    /* a larger stride, if the bytes after the operation are zero */
    put_op(0, RW, 1, 0x4000, 0x4000, 0x20000);
    memset(user + 32, 0, 64);
    put_op(48, RW, 1, 0x8000, 0x4000, 0x30000);
    TAKES(vm_bind(1, 2, 48, 0, USER_VA));
    EQUAL(k->maps.count, 3);
    user[47] = 1;
    EXPECT(vm_bind(1, 2, 48, 0, USER_VA), 22, BIND_TAIL);
    /* a smaller one reads the missing members as zero: no addr, so outside the VM */
    EXPECT(vm_bind(1, 1, 24, 0, USER_VA), 22, BIND_WINDOW);
    /* the three operations of the known bytes */
    setup();
    TAKES(vm_create(0x77ffff8000u, 0x7fffff8000u));
    for (int i = 0; i < 6; i++) {
        TAKES(gem_create(0x10000, 0, 0));
    }
    unhex(AGX_ARG_BIND_OPS, user);
    TAKES(vm_bind(1, 3, 32, 0, USER_VA));
    EQUAL(k->maps.count, 3); /* the first one has a hole */
    for (uint32_t i = 0; i < k->maps.used; i++) {
        EQUAL(w_.maps[i].space, 1);
    }
}

/* ---- submit ---- */

static void put_sync(uint32_t index, uint32_t type, uint32_t handle, uint64_t value)
{
    const struct gpucmd_drm_asahi_sync s = {type, handle, value};
    agx_convert(GPUCMD_STRUCT_drm_asahi_sync, user + 8192 + 16 * index, &s);
}

#define STREAM_VA (USER_VA + 16384)
#define SYNCS_VA  (USER_VA + 8192)

static uint32_t put_stream(const char *hex)
{
    return (uint32_t)unhex(hex, user + 16384);
}

static int submit(uint32_t queue, uint32_t in, uint32_t out, uint32_t bytes)
{
    struct gpucmd_drm_asahi_submit a;
    memset(&a, 0, sizeof a);
    a.syncs = in + out != 0 ? SYNCS_VA : 0;
    a.cmdbuf = STREAM_VA;
    a.queue_id = queue;
    a.in_sync_count = in;
    a.out_sync_count = out;
    a.cmdbuf_size = bytes;
    return gpucmd_agx_kernel_submit(k, &a);
}

static uint32_t new_queue(void)
{
    struct gpucmd_drm_asahi_queue_create a = {0, 1, 1, 0, 0};
    EQUAL(gpucmd_agx_kernel_queue_create(k, &a), 0);
    return a.queue_id;
}

static void submit_checks(void)
{
    struct gpucmd_drm_asahi_submit a;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    const uint32_t bin = world_syncobj(k);
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    memset(&a, 0, sizeof a);
    a.flags = 1;
    a.pad = 1;
    a.queue_id = 9;
    EXPECT(gpucmd_agx_kernel_submit(k, &a), 22, FLAGS);
    a.flags = 0;
    EXPECT(gpucmd_agx_kernel_submit(k, &a), 22, PAD);
    a.pad = 0;
    EXPECT(gpucmd_agx_kernel_submit(k, &a), 2, QUEUE_UNKNOWN);
    a.queue_id = 1;
    a.in_sync_count = 0xffffffff;
    a.out_sync_count = 2;
    a.syncs = 1;
    EXPECT(gpucmd_agx_kernel_submit(k, &a), 22, SYNC_COUNT);
    a.in_sync_count = 1;
    EXPECT(gpucmd_agx_kernel_submit(k, &a), 14, SYNCS_FAULT);
    /* the kernel checks the syncs in array order, before it reads the stream */
    put_sync(0, 2, 99, 5);
    EXPECT(submit(1, 1, 0, 40000), 22, SYNC_TYPE);
    says(
        "0x0, sync 0 of the ins: error: SYNC_TYPE: sync_type 2 is neither binary (0) nor timeline (1) "
        "(EINVAL)");
    put_sync(0, 0, 99, 5);
    EXPECT(submit(1, 1, 0, 40000), 22, SYNC_VALUE);
    says(
        "0x0, sync 0 of the ins: error: SYNC_VALUE: timeline_value 0x5 of binary sync object 99 is not 0 "
        "(EINVAL)");
    put_sync(0, 0, 99, 0);
    EXPECT(submit(1, 1, 0, 40000), 2, SYNC_UNKNOWN);
    says("0x0, sync 0 of the ins: error: SYNC_UNKNOWN: handle 99 names no sync object (ENOENT)");
    put_sync(0, 0, 0, 0);
    EXPECT(submit(1, 1, 0, 40000), 2, SYNC_UNKNOWN);
    put_sync(0, 0, bin, 0);
    EXPECT(submit(1, 1, 0, 40000), 22, SYNC_NO_FENCE);
    put_sync(0, 1, tl, 1);
    EXPECT(submit(1, 1, 0, 40000), 22, SYNC_NO_FENCE);
    put_sync(0, 0, bin, 0);
    EXPECT(submit(1, 0, 1, 40000), 14, CMDBUF_FAULT); /* as out-sync nothing need be attached */
    put_sync(1, 1, 77, 3);
    EXPECT(submit(1, 0, 2, 40000), 2, SYNC_UNKNOWN);
    says("0x10, sync 1 of the outs: error: SYNC_UNKNOWN: handle 77 names no sync object (ENOENT)");
    k->crashed = true;
    EXPECT(submit(1, 0, 1, 40000), 14, CMDBUF_FAULT);
    EXPECT(submit(1, 0, 1, 7), 19, CRASHED); /* before the stream's contents */
    k->crashed = false;
    EXPECT(submit(1, 0, 1, 7), 22, HEADER_TRUNCATED);
    EXPECT(submit(1, 0, 1, 0), 22, COMMAND_COUNT);
    EXPECT(submit(1, 0, 1, n - 1), 22, PAYLOAD_TRUNCATED);
    EQUAL(k->finding.command, 0);
    /* a failing submission leaves no trace: the out-sync still has nothing attached */
    int32_t error = 0;
    EQUAL(world_signalled(k, bin, &error), false);
    EXPECT(submit(1, 1, 0, n), 22, SYNC_NO_FENCE);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    /* accepted: the fence is attached immediately, and signalled when the work has ended */
    TAKES(submit(1, 0, 1, n));
    EQUAL(world_signalled(k, bin, &error), false);
    TAKES(submit(1, 1, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 8);
    EQUAL(world_signalled(k, bin, &error), true);
    EQUAL(error, 0);
    /* a binary object is no timeline: a value other than 0 finds nothing */
    put_sync(0, 1, bin, 1);
    EXPECT(submit(1, 1, 0, n), 22, SYNC_POINT);
    EQUAL(k->finding.value, 1);
    /* the out-syncs follow the in-syncs in one array */
    put_sync(0, 1, bin, 0);
    put_sync(1, 0, bin, 0);
    put_sync(2, 0, 77, 0);
    EXPECT(submit(1, 1, 2, n), 2, SYNC_UNKNOWN);
    says("0x20, sync 1 of the outs: error: SYNC_UNKNOWN: handle 77 names no sync object (ENOENT)");
    put_sync(0, 1, bin, 0);
    TAKES(submit(1, 1, 0, n));
    /* the array of syncs is larger than the tables */
    EXPECT(submit(1, 0, 11, n), 12, NO_MEMORY);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    gpucmd_syncobj_release(&k->syncobjs, bin);
    EXPECT(submit(1, 0, 1, n), 2, SYNC_UNKNOWN);
}

/* Points of a timeline. Jobs of one compute of 4 each, one after the other. */
static void timelines(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    const uint32_t q2 = new_queue();
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    for (uint64_t value = 10; value <= 30; value += 10) { /* signal at 4, 8, 12 */
        put_sync(0, 1, tl, value);
        TAKES(submit(q1, 0, 1, n));
    }
    put_sync(0, 1, tl, 31);
    EXPECT(submit(q2, 1, 0, n), 22, SYNC_POINT);
    put_sync(0, 1, tl, 11); /* the first point that is not smaller: 20, at 8 */
    TAKES(submit(q2, 1, 0, n));
    EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE); /* 4 */
    EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE); /* 8 */
    EQUAL(k->exec.now, 8);
    put_sync(0, 1, tl, 20); /* has signalled: satisfied */
    TAKES(submit(q2, 1, 0, n));
    put_sync(0, 1, tl, 0); /* the whole object: 12 */
    TAKES(submit(q2, 1, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    /* the job for 11 ran 8-12 on q2, the next two after it in its firmware queue: 12-16, 16-20 */
    EQUAL(k->exec.now, 20);
    /* a value not above the last one is accepted and counted; its point is merged: a wait for any
     * point before it waits for it */
    put_sync(0, 1, tl, 25);
    TAKES(submit(q1, 0, 1, n)); /* runs 20-24 */
    EQUAL(k->syncobjs.merged_points, 1);
    put_sync(0, 1, tl, 1);
    TAKES(submit(q2, 1, 0, n)); /* waits for the merged point: runs 24-28 */
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 28);
    /* the in-syncs of a job are looked up before its out-syncs */
    put_sync(0, 1, tl, 30);
    put_sync(1, 1, tl, 40);
    TAKES(submit(q1, 1, 1, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 32);
    EQUAL(w_.syncobjs[tl - 1].last, 40);
    /* two out-syncs of one job on one object; nothing leaks */
    put_sync(0, 1, tl, 50);
    put_sync(1, 1, tl, 60);
    put_sync(2, 0, tl, 0);
    put_sync(3, 0, tl, 0);
    TAKES(submit(q1, 0, 4, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(w_.syncobjs[tl - 1].last, 0); /* a fence that is no point has no value */
    gpucmd_syncobj_release(&k->syncobjs, tl);
    EQUAL(k->exec.fences.count, 0);
    EQUAL(k->syncobjs.point_count, 0);
}

/* Points between one that has signalled and the next: 10 ends at 4, 20 at 8. Several in-syncs on
 * one object wait for the latest. */
static void between_points(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    const uint32_t q2 = new_queue();
    const uint32_t q3 = new_queue();
    const uint32_t q4 = new_queue();
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    for (uint64_t value = 10; value <= 30; value += 10) {
        put_sync(0, 1, tl, value);
        TAKES(submit(q1, 0, 1, n));
    }
    EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE);
    EQUAL(k->exec.now, 4);
    put_sync(0, 1, tl, 10);
    EQUAL(k->queue, 0);
    EQUAL(k->number, 2);
    TAKES(submit(q2, 1, 0, n)); /* point 10 has signalled: runs 4-8 */
    EQUAL(k->queue, 1);
    EQUAL(k->number, 0);
    put_sync(0, 1, tl, 11);
    TAKES(submit(q3, 1, 0, n)); /* waits for point 20, until 8: runs 8-12 */
    put_sync(0, 1, tl, 5);
    put_sync(1, 1, tl, 21); /* waits for point 30, until 12: runs 12-16 */
    put_sync(2, 1, tl, 20);
    TAKES(submit(q4, 3, 0, n));
    put_sync(0, 1, tl, 20);
    TAKES(submit(q3, 1, 0, n)); /* waits for point 20, not 30: until 8 */
    EQUAL(k->queue, 2);
    EQUAL(k->number, 1);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    for (uint32_t q = 1; q <= 3; q++) {
        uint64_t pushed = 99;
        for (uint32_t j = 0; j < WORLD_JOBS; j++) {
            if (w_.jobs[j].queue == q && w_.jobs[j].job.count != 0) {
                pushed = w_.jobs[j].pushed;
                EQUAL(pushed, 4 * q);
            }
        }
        CHECK(pushed != 99);
    }
    EQUAL(k->exec.now, 16);
}

/* The CPU signals points of a timeline, as Mesa's Vulkan does, and a SUBMIT waits for them. Jobs of one
 * compute of 4 each. */
static void cpu_timeline(void)
{
    uint64_t value = 99;
    uint32_t moved = 0;
    gpucmd_why why;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    const uint32_t q2 = new_queue();
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    put_sync(0, 1, tl, 1);
    EXPECT(submit(q1, 1, 0, n), 22, SYNC_NO_FENCE); /* "the fence must exist" */
    EQUAL(gpucmd_syncobj_signal(&k->syncobjs, tl, 1), 0);
    TAKES(submit(q1, 1, 0, n)); /* runs 0-4 */
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 4);
    /* point 3 of the CPU is after point 2 of a job, which runs 4-8: so does the job after it, 8-12 */
    put_sync(0, 1, tl, 2);
    TAKES(submit(q1, 0, 1, n));
    EQUAL(gpucmd_syncobj_signal(&k->syncobjs, tl, 3), 0);
    EQUAL(gpucmd_syncobj_query(&k->syncobjs, tl, 0, &value), 0);
    EQUAL(value, 1);
    put_sync(0, 1, tl, 3);
    TAKES(submit(q2, 1, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 12);
    EQUAL(gpucmd_syncobj_query(&k->syncobjs, tl, 0, &value), 0);
    EQUAL(value, 3);
    /* a point that the CPU signals later: the job waits for it */
    const uint32_t later = gpucmd_fence_new(&k->exec.fences, w_.syncobjs[tl - 1].fence, 0);
    EQUAL(gpucmd_syncobj_add_point(&k->syncobjs, tl, 10, later), 0);
    put_sync(0, 1, tl, 7);
    TAKES(submit(q1, 1, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_BLOCKED);
    gpucmd_agx_exec_why(&k->exec, NULL, &why);
    CHECK(why.kind == GPUCMD_WHY_WAIT && why.value == later);
    /* and so does one that waits for a transfer of the point */
    EQUAL(gpucmd_syncobj_create(&k->syncobjs, GPUCMD_SYNCOBJ_CREATE_SIGNALED, &moved), 0);
    EQUAL(gpucmd_syncobj_transfer(&k->syncobjs, moved, 4, tl, 10), 0);
    put_sync(0, 1, moved, 4);
    TAKES(submit(q2, 1, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_BLOCKED);
    gpucmd_agx_exec_why(&k->exec, NULL, &why);
    CHECK(why.kind == GPUCMD_WHY_WAIT && why.value == later);
    EQUAL(k->exec.now, 12);
    EQUAL(gpucmd_fence_signal(&k->exec.fences, later, 0), GPUCMD_OK);
    gpucmd_agx_exec_why(&k->exec, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_READY);
    gpucmd_fence_release(&k->exec.fences, later);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 16); /* both */
    /* reset: there is no fence to wait for */
    EQUAL(gpucmd_syncobj_replace(&k->syncobjs, moved, 0), 0);
    EXPECT(submit(q2, 1, 0, n), 22, SYNC_NO_FENCE);
    CHECK(world_tear_down(&w_));
}

/* A binary fence replaces a whole timeline. */
static void binary_over_timeline(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q = new_queue();
    const uint32_t object = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    put_sync(0, 1, object, 10);
    TAKES(submit(q, 0, 1, n));
    TAKES(submit(q, 1, 0, n));
    put_sync(0, 0, object, 0);
    TAKES(submit(q, 0, 1, n));
    EQUAL(w_.syncobjs[object - 1].point, 0); /* binary */
    put_sync(0, 1, object, 10);
    EXPECT(submit(q, 1, 0, n), 22, SYNC_POINT);
    put_sync(0, 1, object, 5); /* a timeline again: its first point need not grow */
    TAKES(submit(q, 0, 1, n));
    EQUAL(k->syncobjs.merged_points, 0);
    put_sync(0, 1, object, 6);
    EXPECT(submit(q, 1, 0, n), 22, SYNC_POINT);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    CHECK(world_tear_down(&w_));
}

/* The worked example of the fact sheet, through the ioctl. */
static void worked_example(void)
{
    static uint32_t words[512];
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    size_t n = 0;
    int32_t error = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    const uint32_t q2 = new_queue();
    const uint32_t bin = world_syncobj(k);
    const uint32_t tl = world_syncobj(k);
    gpucmd_agx_render_init(&r, 0x1500020000u, 16, 16);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
#define SUBMIT(queue, in, out, ...)                                                                \
    do {                                                                                           \
        gpucmd_agx_stream_init(&s, words, 512);                                                    \
        __VA_ARGS__;                                                                               \
        EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);                                        \
        memcpy(user + 16384, words, n);                                                            \
        TAKES(submit(queue, in, out, (uint32_t)n));                                                \
    } while (0)
    put_sync(0, 1, tl, 1);
    SUBMIT(q1, 0, 1, gpucmd_agx_emit_render(&s, NONE, NONE, &r),
           gpucmd_agx_emit_render(&s, NONE, NONE, &r));
    put_sync(1, 0, bin, 0);
    SUBMIT(q2, 1, 1, gpucmd_agx_emit_compute(&s, NONE, NONE, &c));
    put_sync(0, 0, bin, 0);
    put_sync(1, 1, tl, 2);
    SUBMIT(q1, 1, 1, gpucmd_agx_emit_render(&s, NONE, NONE, &r),
           gpucmd_agx_emit_compute(&s, 1, 0, &c));
    SUBMIT(q1, 0, 0, gpucmd_agx_emit_render(&s, 0, NONE, &r));
    put_sync(0, 1, tl, 3);
    const uint32_t last_bytes = put_stream(AGX_W1);
    EXPECT(submit(q2, 1, 0, last_bytes), 22, SYNC_POINT);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 1000), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 22);
    CHECK(world_signalled(k, bin, &error));
    CHECK(world_signalled(k, tl, &error));
    EQUAL(w_.fences[w_.syncobjs[bin - 1].fence - 1].clock, 12);
    EQUAL(w_.fences[w_.syncobjs[tl - 1].fence - 1].clock, 21);
}

/* Timestamps: nanoseconds at start and end of each half, written to the timestamp object. */
static void timestamps(void)
{
    static uint32_t words[512];
    static uint8_t memory[0x8000];
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    size_t n = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    TAKES(gem_create(0x8000, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, memory), GPUCMD_OK);
    TAKES(gem_bind_object(0, 1, 1, 0, 0x4000, 0x4000, 0, 0));
    memset(memory, 0xee, sizeof memory);
    gpucmd_agx_render_init(&r, 0x1500020000u, 16, 16);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    r.ts_vtx.start.handle = r.ts_vtx.end.handle = 1;
    r.ts_frag.start.handle = r.ts_frag.end.handle = 1;
    r.ts_vtx.end.offset = 8;
    r.ts_frag.start.offset = 16;
    r.ts_frag.end.offset = 24;
    c.ts.end.handle = 1;
    c.ts.end.offset = 0x3ff8;
    gpucmd_agx_stream_init(&s, words, 512);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, 1, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
    memcpy(user + 16384, words, n);
    k->timer_hz = 500000000;
    k->exec.now = 1000;
    TAKES(submit(1, 0, 0, (uint32_t)n));
    EQUAL(k->taken[0].stamps[1].end.offset, 24);
    EQUAL(k->taken[1].stamps[0].end.offset, 0x3ff8);
    EQUAL(k->taken[1].stamps[1].end.handle, 0); /* a compute has no fragment half */
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load64(memory + 0x4000, GPUCMD_LITTLE_ENDIAN), 2000);
    EQUAL(gpucmd_load64(memory + 0x4008, GPUCMD_LITTLE_ENDIAN), 2004);
    EQUAL(gpucmd_load64(memory + 0x4010, GPUCMD_LITTLE_ENDIAN), 2004);
    EQUAL(gpucmd_load64(memory + 0x4018, GPUCMD_LITTLE_ENDIAN), 2010);
    EQUAL(gpucmd_load64(memory + 0x7ff8, GPUCMD_LITTLE_ENDIAN), 2018);
    EQUAL(memory[0x3fff], 0xee);
    EQUAL(memory[0x4020], 0xee);
    /* the handle is closed and used again: the special object keeps the old memory */
    static uint8_t later[0x8000];
    memset(later, 0xee, sizeof later);
    TAKES(gpucmd_agx_kernel_gem_close(k, 1));
    TAKES(gem_create(0x8000, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, later), GPUCMD_OK);
    c.ts.end.offset = 0;
    gpucmd_agx_stream_init(&s, words, 512);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
    memcpy(user + 16384, words, n);
    TAKES(submit(1, 0, 0, (uint32_t)n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(later[0], 0xee);
    EQUAL(later[0x4000], 0xee);
    EQUAL(gpucmd_load64(memory + 0x4000, GPUCMD_LITTLE_ENDIAN), 2026); /* 4 ticks of 2 ns later */
    /* outside its object, or in none */
    c.ts.end.offset = 0x4000;
    gpucmd_agx_stream_init(&s, words, 512);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
    memcpy(user + 16384, words, n);
    EXPECT(submit(1, 0, 0, (uint32_t)n), 34, TIMESTAMP_RANGE);
    TAKES(gem_bind_object(1, 0, 0, 0, 0, 0, 1, 0));
    EXPECT(submit(1, 0, 0, (uint32_t)n), 2, TIMESTAMP_UNKNOWN);
}

/* 64 renders, the most of a job, each with four timestamps. Vertex halves take 2, fragment halves 3
 * units: half i of the vertex queue executes from 2 i to 2 i + 2, of the fragment queue from 3 i + 2
 * to 3 i + 5. */
static void timestamps_of_64(void)
{
    static uint32_t words[4096];
    static uint8_t memory[0x4000];
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_render r;
    size_t n = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    TAKES(gem_create(0x4000, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, memory), GPUCMD_OK);
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0));
    memset(memory, 0xee, sizeof memory);
    gpucmd_agx_render_init(&r, 0x1500020000u, 16, 16);
    r.ts_vtx.start.handle = r.ts_vtx.end.handle = 1;
    r.ts_frag.start.handle = r.ts_frag.end.handle = 1;
    gpucmd_agx_stream_init(&s, words, 4096);
    for (uint32_t i = 0; i < 64; i++) {
        r.ts_vtx.start.offset = 32 * i;
        r.ts_vtx.end.offset = 32 * i + 8;
        r.ts_frag.start.offset = 32 * i + 16;
        r.ts_frag.end.offset = 32 * i + 24;
        gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    }
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
    memcpy(user + 16384, words, n);
    TAKES(submit(1, 0, 0, (uint32_t)n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 1000), GPUCMD_RUN_IDLE);
    for (uint32_t i = 0; i < 64; i++) {
        const uint8_t *at = memory + 32 * i;
        EQUAL(gpucmd_load64(at, GPUCMD_LITTLE_ENDIAN), 2 * i);
        EQUAL(gpucmd_load64(at + 8, GPUCMD_LITTLE_ENDIAN), 2 * i + 2);
        EQUAL(gpucmd_load64(at + 16, GPUCMD_LITTLE_ENDIAN), 3 * i + 2);
        EQUAL(gpucmd_load64(at + 24, GPUCMD_LITTLE_ENDIAN), 3 * i + 5);
    }
    EQUAL(memory[2048], 0xee);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_LIMIT);
}

/* Two jobs at once, each with timestamps of its own: 0 and 8 are those of the first compute, 16 and
 * 24 of the second, 32 to 56 of a render on another queue. */
static void timestamps_of_jobs(void)
{
    static uint32_t words[512];
    static uint8_t memory[0x4000];
    static const uint64_t want[] = {5000, 9000, 9000, 13000, 5000, 7000, 7000, 10000};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    EQUAL(new_queue(), 2);
    TAKES(gem_create(0x4000, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, memory), GPUCMD_OK);
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0));
    memset(memory, 0xee, sizeof memory);
    k->timer_hz = 1000000;
    k->exec.now = 5;
    for (uint32_t i = 0; i < 3; i++) {
        struct gpucmd_drm_asahi_cmd_compute c;
        struct gpucmd_drm_asahi_cmd_render r;
        gpucmd_agx_stream s;
        size_t n = 0;
        gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
        gpucmd_agx_render_init(&r, 0x1500020000u, 16, 16);
        c.ts.start.handle = c.ts.end.handle = 1;
        c.ts.start.offset = 16 * i;
        c.ts.end.offset = 16 * i + 8;
        r.ts_vtx.start.handle = r.ts_vtx.end.handle = 1;
        r.ts_frag.start.handle = r.ts_frag.end.handle = 1;
        r.ts_vtx.start.offset = 32;
        r.ts_vtx.end.offset = 40;
        r.ts_frag.start.offset = 48;
        r.ts_frag.end.offset = 56;
        gpucmd_agx_stream_init(&s, words, 512);
        if (i < 2) {
            gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
        } else {
            gpucmd_agx_emit_render(&s, NONE, NONE, &r);
        }
        EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
        memcpy(user + 16384, words, n);
        TAKES(submit(i < 2 ? 1 : 2, 0, 0, (uint32_t)n));
    }
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        EQUAL(gpucmd_load64(memory + 8 * i, GPUCMD_LITTLE_ENDIAN), want[i]);
    }
    EQUAL(memory[64], 0xee);
    /* a job without timestamps in the same row writes none */
    memset(memory, 0xee, sizeof memory);
    for (uint32_t i = 0; i < WORLD_JOBS; i++) {
        TAKES(submit(1, 0, 0, put_stream(AGX_W8)));
        EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    }
    for (size_t i = 0; i < 128; i++) {
        EQUAL(memory[i], 0xee);
    }
}

/* Jobs of a destroyed queue run to their end; then its row is free. */
static void destroyed_queue(void)
{
    const struct gpucmd_drm_asahi_queue_destroy d = {1, 0};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    const uint32_t bin = world_syncobj(k);
    put_sync(0, 0, bin, 0);
    const uint32_t n = put_stream(AGX_W8);
    TAKES(submit(1, 0, 1, n));
    TAKES(gpucmd_agx_kernel_queue_destroy(k, &d));
    EXPECT(submit(1, 0, 0, n), 2, QUEUE_UNKNOWN);
    EQUAL(w_.exec_queues[0].used, true);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 21);
    int32_t error = 0;
    CHECK(world_signalled(k, bin, &error));
    EQUAL(w_.exec_queues[0].used, false);
}

/* ---- sharing objects ---- */

/* A shared object is exported to another file and back; a private object cannot be exported. */
static void sharing(void)
{
    static world other_;
    static uint8_t memory[0x8000];
    static uint8_t moved[0x8000];
    gpucmd_agx_kernel *const other = &other_.k;
    gpucmd_agx_dmabuf place = {0, NULL};
    gpucmd_agx_dmabuf second = {0, NULL};
    gpucmd_agx_dmabuf odd = {0x4001, memory};
    gpucmd_agx_dmabuf *out = NULL;
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    uint32_t handle = 0;
    setup();
    EQUAL(world_init(&other_), GPUCMD_OK);
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x8000, 2, 1)); /* 1: private */
    TAKES(gem_create(0x8000, 0, 0)); /* 2: shared */
    EQUAL(gpucmd_agx_kernel_back(k, 2, memory), GPUCMD_OK);
    EXPECT(gpucmd_agx_kernel_gem_export(k, 9, &place, &out), 2, GEM_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_gem_export(k, 0, &place, &out), 2, GEM_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_gem_export(k, 1, &place, &out), 22, GEM_EXPORT);
    CHECK(out == NULL && place.bytes == 0);
    TAKES(gpucmd_agx_kernel_gem_export(k, 2, &place, &out));
    CHECK(out == &place && place.host == memory);
    EQUAL(place.bytes, 0x8000);
    TAKES(gpucmd_agx_kernel_gem_export(k, 2, &second, &out));
    CHECK(out == &place && second.bytes == 0); /* one dma-buf for an object */
    /* a private object stays private after its VM was destroyed */
    const struct gpucmd_drm_asahi_vm_destroy d = {1, 0};
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    EXPECT(gpucmd_agx_kernel_gem_export(k, 1, &second, &out), 22, GEM_EXPORT);
    /* into the same file: its handle; into another file: a new handle, for any VM */
    TAKES(gpucmd_agx_kernel_gem_import(k, &place, &handle));
    EQUAL(handle, 2);
    EQUAL(gpucmd_agx_kernel_gem_import(other, &place, &handle), 0);
    EQUAL(handle, 1);
    EQUAL(gpucmd_agx_kernel_gem_import(other, &place, &handle), 0);
    EQUAL(handle, 1);
    EQUAL(other_.gems[0].bytes, 0x8000);
    EQUAL(gpucmd_agx_kernel_vm_create(other, &vm), 0);
    EQUAL(gpucmd_agx_kernel_vm_create(other, &vm), 0);
    for (uint32_t id = 1; id <= 2; id++) {
        const struct gpucmd_drm_asahi_gem_bind_op op = {RW, 1, 0, 0x8000, 0x4000};
        EQUAL(gpucmd_agx_kernel_bind_op(other, id, &op), GPUCMD_AGX_RULE_NONE);
    }
    EQUAL(gpucmd_agx_kernel_gem_export(other, 1, &second, &out), 0);
    CHECK(out == &place); /* exported again: the dma-buf is unchanged */
    /* memory set in one file is set in the other file, too */
    EQUAL(gpucmd_agx_kernel_back(k, 2, moved), GPUCMD_OK);
    CHECK(place.host == moved);
    /* a handle closed in one file leaves the other's mappings alone */
    TAKES(gpucmd_agx_kernel_gem_close(k, 2));
    EQUAL(other->maps.count, 2);
    TAKES(gpucmd_agx_kernel_gem_import(k, &place, &handle));
    EQUAL(handle, 2);
    EQUAL(gpucmd_agx_kernel_gem_close(other, 1), 0);
    EQUAL(other->maps.count, 0);
    /* a dma-buf whose size is invalid for an object */
    EXPECT(gpucmd_agx_kernel_gem_import(k, &odd, &handle), 22, GEM_SIZE);
    odd.bytes = 0;
    EXPECT(gpucmd_agx_kernel_gem_import(k, &odd, &handle), 22, GEM_SIZE);
    for (int i = 2; i < 6; i++) {
        TAKES(gem_create(1, 0, 0));
    }
    odd.bytes = 0x4000;
    EXPECT(gpucmd_agx_kernel_gem_import(k, &odd, &handle), 12, NO_MEMORY);
    EQUAL(handle, 2);
}

/* An imported object as timestamp buffer: the time is in the exporter's memory. */
static void shared_timestamps(void)
{
    static uint32_t words[64];
    static uint8_t memory[0x4000];
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_dmabuf buffer = {0x4000, memory};
    uint32_t handle = 0;
    size_t n = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    TAKES(gpucmd_agx_kernel_gem_import(k, &buffer, &handle));
    TAKES(gem_bind_object(0, 1, handle, 0, 0, 0x4000, 0, 0));
    gpucmd_agx_compute_init(&c, 16, 32);
    c.ts.end.handle = 1;
    c.ts.end.offset = 8;
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &n), GPUCMD_OK);
    memcpy(user + 16384, words, n);
    TAKES(submit(1, 0, 0, (uint32_t)n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load64(memory + 8, GPUCMD_LITTLE_ENDIAN), 4);
}

/* A lost GPU: running and waiting work fails with ENODEV and without a timestamp, dependent jobs
 * as well, and nothing is taken any more. */
static void crash(void)
{
    struct gpucmd_drm_asahi_get_params p = {0, 0, USER_VA, 592};
    int32_t error = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    const uint32_t q2 = new_queue();
    const uint32_t first = world_syncobj(k);
    const uint32_t second = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    put_sync(0, 0, first, 0);
    put_sync(1, 0, second, 0);
    TAKES(submit(q1, 0, 1, n));
    TAKES(submit(q1, 0, 0, n));
    TAKES(submit(q2, 1, 1, n));
    EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE);
    EQUAL(k->exec.now, 4);
    gpucmd_agx_kernel_crash(k);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 4);
    EQUAL(world_signalled(k, first, &error), true);
    EQUAL(error, 0); /* was complete before */
    EQUAL(world_signalled(k, second, &error), true);
    EQUAL(error, 19);
    EXPECT(submit(q1, 0, 0, n), 19, CRASHED);
    EXPECT(gpucmd_agx_kernel_get_params(k, &p), 19, CRASHED);
}

/* A new VM under an old id: a fault there kills nothing on queues of the old one. */
static void fault_at_once(void *nothing, const gpucmd_agx_exec_job *job, uint32_t command,
                          gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)nothing;
    (void)command;
    (void)part;
    if (job->queue == 1) {
        fate->duration = 1;
        fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
    }
}

static void old_vm(void)
{
    const struct gpucmd_drm_asahi_vm_destroy d = {1, 0};
    int32_t error = 99;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q1 = new_queue();
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    const uint32_t q2 = new_queue();
    const uint32_t bin = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    k->exec.fate = fault_at_once;
    put_sync(0, 0, bin, 0);
    TAKES(submit(q1, 0, 1, n));
    TAKES(submit(q2, 0, 0, n));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    CHECK(world_signalled(k, bin, &error));
    EQUAL(error, 0);
}

/* ---- ioctl numbers and the client ---- */

static void ioctls(void)
{
    uint64_t arg[16];
    struct gpucmd_drm_asahi_vm_create *vm = (struct gpucmd_drm_asahi_vm_create *)(void *)arg;
    setup();
    EXPECT(gpucmd_agx_kernel_ioctl(k, 0, arg), 25, IOCTL_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_ioctl(k, 0xC0186442, NULL), 14, ARGUMENT_FAULT);
    const uint32_t bind[4] = {1, 1, 32, 0}; /* VM 1, one row of 32 bytes */
    memcpy(arg, bind, sizeof bind);
    arg[2] = 0xdead0000u; /* an array outside the memory */
    EQUAL(gpucmd_agx_kernel_ioctl(k, 0x40186444, arg), -14);
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_BIND_OPS_FAULT); /* not ARGUMENT_FAULT */
    /* GET_PARAMS has an argument that is only read: its pointer may lead to itself */
    k->user = NULL;
    k->params.features = 0x1122334455667788u;
    memset(arg, 0, sizeof arg);
    arg[1] = (uintptr_t)arg;
    arg[2] = 8;
    TAKES(gpucmd_agx_kernel_ioctl(k, 0x40186440, arg));
    EQUAL(gpucmd_load64(arg, GPUCMD_LITTLE_ENDIAN), 0x1122334455667788u);
    k->user = &user_mem;
    EXPECT(gpucmd_agx_kernel_ioctl(k, 0x4028644B, arg), 22, IOCTL_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_ioctl(k, 0xC0186542, arg), 25, IOCTL_UNKNOWN); /* type */
    memset(arg, 0, sizeof arg);
    vm->kernel_start = 0x7000000000u;
    vm->kernel_end = 0x7020000000u;
    TAKES(gpucmd_agx_kernel_ioctl(k, 0xC0186442, arg));
    EQUAL(vm->vm_id, 1);
    vm->vm_id = 0;
    /* a newer caller: more bytes, which the kernel does not look at */
    arg[4] = 1;
    TAKES(gpucmd_agx_kernel_ioctl(k, 0xC0286442, arg));
    EQUAL(vm->vm_id, 2);
    EQUAL(arg[4], 1);
    /* an older one: fewer, followed by zeros */
    vm->vm_id = 0x55;
    TAKES(gpucmd_agx_kernel_ioctl(k, 0xC0106442, arg));
    EQUAL(vm->vm_id, 0x55);
    /* the directions of caller and kernel are intersected: no id comes back, the VM exists */
    w_.vms[2].used = false;
    TAKES(gpucmd_agx_kernel_ioctl(k, 0x40186442, arg));
    EQUAL(vm->vm_id, 0x55);
    CHECK(w_.vms[2].used);
    /* nothing goes in: a structure of zeros */
    EQUAL(gpucmd_agx_kernel_ioctl(k, 0x80186442, arg), -22);
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_VM_WINDOW);
    EQUAL(vm->kernel_start, 0);
}

static void client(void)
{
    static uint32_t words[64];
    gpucmd_agx_client c;
    gpucmd_sys_ops ops;
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_sync array[2];
    gpucmd_agx_syncs l;
    struct gpucmd_drm_asahi_cmd_compute cmd;
    uint64_t offset = 0;
    uint32_t vm = 0, gem = 0, queue = 0, object = 0;
    int32_t error = 0;
    setup();
    k->user = NULL; /* pointers of this program */
    gpucmd_agx_kernel_sys(k, &ops);
    EQUAL(gpucmd_agx_client_open(&c, &ops, ""), -2);
    k->crashed = true;
    EQUAL(gpucmd_agx_client_open(&c, &ops, "/dev/dri/renderD128"), -19);
    k->crashed = false;
    EQUAL(gpucmd_agx_client_open(&c, &ops, "/dev/dri/renderD128"), 0);
    EQUAL(c.params.vm_end, 0x7FFFFF8000u);
    EQUAL(gpucmd_agx_client_vm_create(&c, &vm), 0);
    EQUAL(w_.vms[0].kernel_end, 0x7FFFFF8000u);
    EQUAL(gpucmd_agx_client_gem_create(&c, 9, 1000, 0, &gem), -2);
    EQUAL(gem, 0);
    EQUAL(gpucmd_agx_client_gem_create(&c, 0, 1000, 0, &gem), 0);
    EQUAL(gpucmd_agx_client_gem_mmap_offset(&c, gem, &offset), 0);
    CHECK(offset != 0 && offset % 0x4000 == 0);
    EQUAL(gpucmd_agx_client_gem_mmap_offset(&c, gem + 1, &offset), -2);
    struct gpucmd_drm_asahi_gem_bind_op op = {RW, gem, 0, 0x4000, 0x1500010000u};
    EQUAL(gpucmd_agx_client_vm_bind(&c, vm, &op), 0);
    op.range = 0x8000;
    EQUAL(gpucmd_agx_client_vm_bind(&c, vm, &op), -22);
    EQUAL(k->maps.count, 1);
    op.range = 0x4000;
    op.flags = GPUCMD_DRM_ASAHI_BIND_UNBIND;
    op.handle = 0;
    EQUAL(gpucmd_agx_client_vm_bind(&c, vm, &op), 0);
    EQUAL(k->maps.count, 0);
    EQUAL(gpucmd_agx_client_bind_timestamps(&c, gem, 0x4000, &object), 0);
    EQUAL(object, 1);
    EQUAL(gpucmd_agx_client_queue_create(&c, vm, 0x1000000000u, &queue), 0);
    EQUAL(w_.queues[0].usc_exec_base, 0x1000000000u);
    const uint32_t out = world_syncobj(k);
    gpucmd_agx_compute_init(&cmd, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, 64);
    EQUAL(gpucmd_agx_client_submit(&c, queue, &s, NULL), -22);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &cmd);
    gpucmd_agx_syncs_init(&l, array, 2);
    gpucmd_agx_emit_out_timeline(&l, out, 7);
    EQUAL(gpucmd_agx_client_submit(&c, queue, &s, &l), 0);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    CHECK(world_signalled(k, out, &error));
    EQUAL(gpucmd_agx_client_unbind_timestamps(&c, object), 0);
    CHECK(!w_.objects[0].used);
    EQUAL(gpucmd_agx_client_unbind_timestamps(&c, object), -2);
    EQUAL(gpucmd_agx_client_queue_destroy(&c, queue), 0);
    CHECK(!w_.queues[0].used);
    EQUAL(gpucmd_agx_client_queue_destroy(&c, queue), -2);
    EQUAL(gpucmd_agx_client_vm_destroy(&c, vm), 0);
    CHECK(!w_.vms[0].used);
    EQUAL(gpucmd_agx_client_vm_destroy(&c, vm), -2);
    EQUAL(gpucmd_agx_client_close(&c), 0);
    EQUAL(gpucmd_agx_client_close(&c), -9); /* EBADF, as close(2) of -1 */
}

static int run_some(void *self)
{
    CHECK(self == &w_);
    return gpucmd_agx_exec_run(&k->exec, NULL, 1) == GPUCMD_RUN_IDLE ? -62 : 0;
}

/* Submit a job, and wait for it: ETIME (62) until the job ends. */
static void client_waits(void)
{
    static uint32_t words[64];
    gpucmd_agx_client c;
    gpucmd_sys_ops ops;
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_sync array[2];
    gpucmd_agx_syncs l;
    struct gpucmd_drm_asahi_cmd_compute cmd;
    uint32_t vm = 0, queue = 0, handles[2] = {0, 0}, first = 77;
    const uint64_t points[2] = {0, 7};
    gpucmd_syncobj_wait wait = {handles, points, 2, GPUCMD_SYNCOBJ_WAIT_ALL, NULL, NULL};
    setup();
    k->user = NULL; /* pointers of this program */
    gpucmd_agx_kernel_sys(k, &ops);
    EQUAL(gpucmd_agx_client_open(&c, &ops, "/dev/dri/renderD128"), 0);
    EQUAL(gpucmd_agx_client_vm_create(&c, &vm), 0);
    EQUAL(gpucmd_agx_client_queue_create(&c, vm, 0x1000000000u, &queue), 0);
    EQUAL(gpucmd_drm_syncobj_create(&c.sys, c.fd, 0, &handles[0]), 0);
    EQUAL(gpucmd_drm_syncobj_create(&c.sys, c.fd, 0, &handles[1]), 0);
    EQUAL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 0, &first), -22); /* no fence */
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_NONE);
    gpucmd_agx_compute_init(&cmd, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &cmd);
    gpucmd_agx_syncs_init(&l, array, 2);
    gpucmd_agx_emit_out_sync(&l, handles[0]);
    gpucmd_agx_emit_out_timeline(&l, handles[1], 7);
    EQUAL(gpucmd_agx_client_submit(&c, queue, &s, &l), 0);
    EQUAL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 1, &first), -62); /* nobody executes */
    k->progress = run_some;
    k->progress_user = &w_;
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&c.sys, c.fd, &wait, 0, &first), -62);
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&c.sys, c.fd, &wait, 1, NULL), 0);
    EQUAL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 0, NULL), 0);
    wait.flags = 0;
    EQUAL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 0, &first), 0);
    EQUAL(first, 0);
    wait.syncobjs = NULL;
    EQUAL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 0, &first), -14);
    EQUAL(gpucmd_drm_syncobj_destroy(&c.sys, c.fd, handles[0]), 0);
    EQUAL(gpucmd_drm_syncobj_destroy(&c.sys, c.fd, handles[0]), -22);
    EQUAL(gpucmd_drm_syncobj_destroy(&c.sys, c.fd, handles[1]), 0);
    EQUAL(gpucmd_agx_client_queue_destroy(&c, queue), 0);
    EQUAL(gpucmd_agx_client_vm_destroy(&c, vm), 0);
    EQUAL(gpucmd_agx_client_close(&c), 0);
}

/* A node of the test. It answers one ioctl with the result that the test selects, the others with
 * 0. */
static struct {
    int opened, closed, ioctls;
    uint32_t answer_to; /* ioctl number; 0: open */
    int answer;
    size_t params_bytes; /* size of the parameters that an older kernel writes */
    uint32_t request;    /* of the last ioctl */
    uint8_t bytes[40];   /* its argument before it was answered */
    uint32_t op[8];      /* operation of the last VM_BIND */
} node;

static int node_open(void *self, const char *path, uint32_t flags)
{
    EQUAL(flags, 0x80002); /* O_RDWR | O_CLOEXEC */
    CHECK(self == &node && strcmp(path, "node") == 0);
    node.opened++;
    return node.answer_to == 0 && node.answer != 0 ? node.answer : 7;
}

static int node_close(void *self, int fd)
{
    CHECK(self == &node);
    EQUAL(fd, 7);
    node.closed++;
    return node.answer_to == 1 ? node.answer : 0;
}

static int node_ioctl(void *self, int fd, uint32_t request, void *arg)
{
    uint8_t params_bytes[592];
    CHECK(self == &node);
    EQUAL(fd, 7);
    node.ioctls++;
    node.request = request;
    memcpy(node.bytes, arg, request >> 16 & 0x3fff);
    if (request == 0x40186444) {
        const struct gpucmd_drm_asahi_vm_bind *b = (const struct gpucmd_drm_asahi_vm_bind *)arg;
        gpucmd_load_words(node.op, (const void *)(uintptr_t)b->userptr, 8, GPUCMD_LITTLE_ENDIAN);
    }
    if (request == node.answer_to && node.answer < 0) {
        return node.answer;
    }
    if (request == 0x40186440) {
        struct gpucmd_drm_asahi_get_params *p = (struct gpucmd_drm_asahi_get_params *)arg;
        memset(params_bytes, 0x11, sizeof params_bytes);
        EQUAL(p->size, 592);
        memcpy((void *)(uintptr_t)p->pointer, params_bytes, node.params_bytes);
    }
    if (request == 0xC0186442) {
        ((struct gpucmd_drm_asahi_vm_create *)arg)->vm_id = 5;
    } else if (request == 0xC0186445) {
        ((struct gpucmd_drm_asahi_gem_create *)arg)->handle = 6;
    } else if (request == 0xC0106446) {
        ((struct gpucmd_drm_asahi_gem_mmap_offset *)arg)->offset = 0x700000000u;
    } else if (request == 0xC0186448) {
        ((struct gpucmd_drm_asahi_queue_create *)arg)->queue_id = 7;
    } else if (request == 0xC0286447) {
        ((struct gpucmd_drm_asahi_gem_bind_object *)arg)->object_handle = 8;
    }
    return request == node.answer_to ? node.answer : 0;
}

/* An errno of a node is returned unchanged, and outputs are unchanged. */
static void client_errors(void)
{
    static const gpucmd_sys_ops ops = {node_open, node_close, node_ioctl, NULL,
                                       NULL,      NULL,       NULL,       &node};
    static uint32_t words[64];
    const struct gpucmd_drm_asahi_gem_bind_op op = {RW, 1, 0, 0x4000, 0x1500010000u};
    struct gpucmd_drm_asahi_cmd_compute cmd;
    gpucmd_agx_client c;
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_sync array[1];
    gpucmd_agx_syncs l;
    uint64_t offset = 77;
    uint32_t id = 77;
    memset(&node, 0, sizeof node);
    node.answer = -13; /* EACCES at open: nothing to close */
    memset(&c, 0xee, sizeof c);
    EQUAL(gpucmd_agx_client_open(&c, &ops, "node"), -13);
    EQUAL(c.fd, -1);
    EQUAL(c.params.vm_end, 0);
    EQUAL(node.closed, 0);
    EQUAL(node.ioctls, 0);
    node.answer_to = 0x40186440; /* not this driver: the descriptor is closed */
    node.answer = -25;
    EQUAL(gpucmd_agx_client_open(&c, &ops, "node"), -25);
    EQUAL(node.closed, 1);
    EQUAL(c.fd, -1);
    node.answer_to = 0;
    node.answer = 0;
    node.params_bytes = 560; /* an older kernel: unknown members are zero */
    EQUAL(gpucmd_agx_client_open(&c, &ops, "node"), 0);
    EQUAL(c.params.vm_start, 0x1111111111111111u);
    EQUAL(c.params.vm_end, 0);
    EQUAL(c.params.max_commands_per_submission, 0);
    /* each call, interrupted: once, not again and again */
    node.ioctls = 0;
    node.answer = -4;
    node.answer_to = 0xC0186442;
    EQUAL(gpucmd_agx_client_vm_create(&c, &id), -4);
    node.answer_to = 0xC0186445;
    EQUAL(gpucmd_agx_client_gem_create(&c, 0, 1, 0, &id), -4);
    node.answer_to = 0xC0106446;
    EQUAL(gpucmd_agx_client_gem_mmap_offset(&c, 1, &offset), -4);
    EQUAL(offset, 77);
    node.answer_to = 0x40186444;
    EQUAL(gpucmd_agx_client_vm_bind(&c, 1, &op), -4);
    node.answer_to = 0xC0186448;
    EQUAL(gpucmd_agx_client_queue_create(&c, 1, 0, &id), -4);
    node.answer_to = 0xC0286447;
    EQUAL(gpucmd_agx_client_bind_timestamps(&c, 1, 0x4000, &id), -4);
    gpucmd_agx_compute_init(&cmd, 16, 32);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &cmd);
    node.answer_to = 0x4028644A;
    EQUAL(gpucmd_agx_client_submit(&c, 1, &s, NULL), -4);
    node.answer_to = 0xC0286447;
    EQUAL(gpucmd_agx_client_unbind_timestamps(&c, 1), -4);
    node.answer_to = 0x40086449;
    EQUAL(gpucmd_agx_client_queue_destroy(&c, 1), -4);
    node.answer_to = 0x40086443;
    EQUAL(gpucmd_agx_client_vm_destroy(&c, 1), -4);
    EQUAL(id, 77);
    EQUAL(node.ioctls, 10);
    /* a failed stream or sync array does not reach the node */
    gpucmd_agx_syncs_init(&l, array, 1);
    gpucmd_agx_emit_in_sync(&l, 0);
    EQUAL(gpucmd_agx_client_submit(&c, 1, &s, &l), -22);
    EQUAL(node.ioctls, 10);
    /* more than 0 is no failure */
    node.answer_to = 0xC0186442;
    node.answer = 3;
    EQUAL(gpucmd_agx_client_vm_create(&c, &id), 0);
    EQUAL(id, 5);
    node.answer_to = 1;
    node.answer = -5;
    EQUAL(gpucmd_agx_client_close(&c), -5);
    EQUAL(node.closed, 2);
}

static int open_zero(void *self, const char *path, uint32_t flags)
{
    (void)path;
    (void)flags;
    CHECK(self == &node);
    return 0;
}

static int ioctl_zero(void *self, int fd, uint32_t request, void *arg)
{
    (void)request;
    (void)arg;
    CHECK(self == &node);
    EQUAL(fd, 0);
    return 0;
}

/* 0 is a descriptor. */
static void client_of_zero(void)
{
    const gpucmd_sys_ops ops = {open_zero, NULL, ioctl_zero, NULL, NULL, NULL, NULL, &node};
    gpucmd_agx_client c;
    EQUAL(gpucmd_agx_client_open(&c, &ops, "node"), 0);
    EQUAL(c.fd, 0);
    EQUAL(gpucmd_agx_client_vm_destroy(&c, 1), 0);
}

/* Expect the last ioctl to have this number and these words as its argument. */
static void asked(uint32_t request, const uint32_t *words, int line)
{
    /* By ioctl number from 0x42 on, bit n: words n and n + 1 are one member of 64 bits, whose words
     * a big-endian CPU stores in the other order. */
    static const uint32_t pairs[] = {5, 0, 0, 1, 4, 0x50, 0x10, 0, 0};
    const uint32_t wide = pairs[(request & 0xff) - 0x42];
    const bool swaps = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN;
    test_equal(node.request, request, __FILE__, line, "ioctl");
    for (uint32_t i = 0; i < (request >> 16 & 0x3fff) / 4; i++) {
        const uint32_t at = !swaps ? i : wide >> i & 1 ? i + 1 : wide << 1 >> i & 1 ? i - 1 : i;
        uint32_t dw;
        memcpy(&dw, node.bytes + 4 * at, 4);
        if (!test_equal(dw, words[i], __FILE__, line, "argument")) {
            printf("    word %u of ioctl 0x%08x\n", (unsigned)i, (unsigned)request);
        }
    }
}

#define ASKED(request, ...)                                                                        \
    do {                                                                                           \
        static const uint32_t want_[] = {__VA_ARGS__};                                             \
        asked((request), want_, __LINE__);                                                         \
    } while (0)

/* The words that each call of the client passes to the kernel, and what it returns. */
static void client_arguments(void)
{
    static const gpucmd_sys_ops ops = {node_open, node_close, node_ioctl, NULL,
                                       NULL,      NULL,       NULL,       &node};
    static uint32_t words[64];
    const struct gpucmd_drm_asahi_gem_bind_op op = {6, 9, 0x10000004000u, 0x20000008000u,
                                                    0x1500010000u};
    struct gpucmd_drm_asahi_cmd_compute cmd;
    struct gpucmd_drm_asahi_get_params params;
    struct gpucmd_drm_asahi_vm_bind bind;
    struct gpucmd_drm_asahi_submit a;
    gpucmd_agx_client c;
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_sync array[2];
    gpucmd_agx_syncs l;
    uint64_t offset = 0;
    uint32_t id = 0;
    memset(&node, 0, sizeof node);
    memset(&c, 0xee, sizeof c);
    EQUAL(gpucmd_agx_client_open(&c, &ops, "node"), 0);
    EQUAL(c.fd, 7);
    EQUAL(c.params.vm_end, 0); /* the kernel wrote no bytes */
    memcpy(&params, node.bytes, sizeof params);
    EQUAL(node.request, 0x40186440);
    EQUAL(params.param_group, 0);
    EQUAL(params.pad, 0);
    EQUAL(params.size, 592);
    c.params.vm_end = 0x7fffff8000u;
    c.params.vm_kernel_min_size = 0x20000000;
    EQUAL(gpucmd_agx_client_vm_create(&c, &id), 0);
    ASKED(0xC0186442, 0xdfff8000, 0x7f, 0xffff8000, 0x7f, 0, 0);
    EQUAL(id, 5);
    EQUAL(gpucmd_agx_client_gem_create(&c, 0, 0x300001234u, 1, &id), 0);
    ASKED(0xC0186445, 0x1234, 3, 1, 0, 0, 0);
    EQUAL(id, 6);
    EQUAL(gpucmd_agx_client_gem_create(&c, 9, 0x1234, 1, &id), 0);
    ASKED(0xC0186445, 0x1234, 0, 3, 9, 0, 0); /* VM_PRIVATE */
    EQUAL(gpucmd_agx_client_gem_create(&c, 0, 0, 0, &id), 0);
    ASKED(0xC0186445, 0, 0, 0, 0, 0, 0);
    EQUAL(gpucmd_agx_client_gem_mmap_offset(&c, 9, &offset), 0);
    ASKED(0xC0106446, 9, 0, 0, 0);
    EQUAL(offset, 0x700000000u);
    EQUAL(gpucmd_agx_client_queue_create(&c, 6, 0x1100004000u, &id), 0);
    ASKED(0xC0186448, 0, 6, 1, 0, 0x4000, 0x11); /* PRIORITY_MEDIUM */
    EQUAL(id, 7);
    EQUAL(gpucmd_agx_client_bind_timestamps(&c, 9, 0x500004000u, &id), 0);
    ASKED(0xC0286447, 0, 1, 9, 0, 0, 0, 0x4000, 5, 0, 0);
    EQUAL(id, 8);
    EQUAL(gpucmd_agx_client_unbind_timestamps(&c, 9), 0);
    ASKED(0xC0286447, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0);
    EQUAL(gpucmd_agx_client_queue_destroy(&c, 4), 0);
    ASKED(0x40086449, 4, 0);
    EQUAL(gpucmd_agx_client_vm_destroy(&c, 5), 0);
    ASKED(0x40086443, 5, 0);
    EQUAL(gpucmd_agx_client_vm_bind(&c, 6, &op), 0);
    memcpy(&bind, node.bytes, sizeof bind);
    EQUAL(node.request, 0x40186444);
    EQUAL(bind.vm_id, 6);
    EQUAL(bind.num_binds, 1);
    EQUAL(bind.stride, 32);
    EQUAL(bind.pad, 0);
    EQUAL(node.op[0], 6);
    EQUAL(node.op[1], 9);
    EQUAL(node.op[2], 0x4000);
    EQUAL(node.op[3], 0x100);
    EQUAL(node.op[4], 0x8000);
    EQUAL(node.op[5], 0x200);
    EQUAL(node.op[6], 0x10000);
    EQUAL(node.op[7], 0x15);
    /* syncs and cmdbuf are addresses; then flags, queue, counts, bytes, padding */
    gpucmd_agx_compute_init(&cmd, 16, 32);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &cmd);
    EQUAL(gpucmd_agx_client_submit(&c, 3, &s, NULL), 0);
    memcpy(&a, node.bytes, sizeof a);
    EQUAL(node.request, 0x4028644A);
    EQUAL(a.syncs, 0);
    EQUAL(a.cmdbuf, (uintptr_t)words);
    EQUAL(a.flags | a.pad | a.in_sync_count | a.out_sync_count, 0);
    EQUAL(a.queue_id, 3);
    EQUAL(a.cmdbuf_size, 72);
    gpucmd_agx_syncs_init(&l, array, 2);
    gpucmd_agx_emit_in_sync(&l, 1);
    EQUAL(gpucmd_agx_client_submit(&c, 3, &s, &l), 0);
    memcpy(&a, node.bytes, sizeof a);
    EQUAL(a.syncs, (uintptr_t)array);
    EQUAL(a.in_sync_count, 1);
    EQUAL(a.out_sync_count, 0);
    gpucmd_agx_emit_out_sync(&l, 1);
    EQUAL(gpucmd_agx_client_submit(&c, 3, &s, &l), 0);
    memcpy(&a, node.bytes, sizeof a);
    EQUAL(a.out_sync_count, 1);
    EQUAL(gpucmd_agx_client_close(&c), 0);
    EQUAL(c.fd, -1);
}

/* An address that a 32-bit CPU does not have. */
static void far_pointers(void)
{
    struct gpucmd_drm_asahi_get_params p = {0, 0, (uint64_t)1 << 32 | (uintptr_t)user, 592};
    setup();
    k->user = NULL;
    if (sizeof(void *) < 8) {
        EXPECT(gpucmd_agx_kernel_get_params(k, &p), 14, ARGUMENT_FAULT);
    }
    p.pointer = 0;
    EXPECT(gpucmd_agx_kernel_get_params(k, &p), 14, ARGUMENT_FAULT);
}

/* The trace of the kernel includes the events of its executor. */
static unsigned traced;

static gpucmd_status count_trace(void *nothing, const gpucmd_event *e)
{
    CHECK(nothing == &traced);
    traced += e->kind == GPUCMD_EVENT_START || e->kind == GPUCMD_EVENT_FINISH ? 1 : 0;
    return GPUCMD_OK;
}

static void tracing(void)
{
    gpucmd_env env;
    setup();
    gpucmd_env_init(&env, NULL, NULL, NULL);
    env.trace = count_trace;
    env.trace_user = &traced;
    EQUAL(world_init(&w_), GPUCMD_OK);
    k->user = &user_mem;
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    traced = 0;
    TAKES(submit(1, 0, 0, put_stream(AGX_W8)));
    EQUAL(gpucmd_agx_exec_run(&k->exec, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(traced, 20); /* ten operations */
}

/* A submission needs a link for each sync, a fence and a point for each out-sync. If one is
 * missing, it fails and changes nothing. */
static void no_room(void)
{
    for (int table = 0; table < 3; table++) {
        for (uint32_t left = 0; left <= 3; left++) {
            int32_t error = 0;
            setup();
            TAKES(vm_create(0x7000000000u, 0x7020000000u));
            EQUAL(new_queue(), 1);
            const uint32_t tl = world_syncobj(k);
            const uint32_t n = put_stream(AGX_W1);
            put_sync(0, 1, tl, 1);
            TAKES(submit(1, 0, 1, n));
            EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
            uint32_t *at = &k->exec.free_link; /* as if the other rows were in use */
            for (uint32_t i = 0; table == 0 && i < left; i++) {
                at = &w_.links[*at].next;
            }
            *at = table == 0 ? GPUCMD_AGX_NONE : *at;
            k->exec.fences.cap = table == 1 ? k->exec.fences.count + left : k->exec.fences.cap;
            k->syncobjs.point_cap =
                table == 2 ? k->syncobjs.point_count + left : k->syncobjs.point_cap;
            const uint32_t other = world_syncobj(k);
            put_sync(0, 1, tl, 0);
            put_sync(1, 1, other, 1);
            put_sync(2, 1, other, 2);
            const uint32_t want = table == 0 ? 3 : 2;
            if (left < want) {
                EXPECT(submit(1, 1, 2, n), 12, NO_MEMORY);
                put_sync(0, 0, other, 0);
                EXPECT(submit(1, 1, 0, n), 22, SYNC_NO_FENCE); /* nothing was attached */
                EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
                EQUAL(k->exec.now, 4);
            } else {
                TAKES(submit(1, 1, 2, n));
                EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
                EQUAL(k->exec.now, 8);
            }
            EQUAL(world_signalled(k, other, &error), left >= want);
        }
    }
}

/* Points that have signalled leave their rows to a new point, also if nobody has looked at them. */
static void rows_of_points(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    k->syncobjs.point_cap = 2;
    for (uint64_t i = 1; i < 6; i += 2) {
        put_sync(0, 1, tl, i);
        TAKES(submit(1, 0, 1, n));
        put_sync(0, 1, tl, i + 1);
        TAKES(submit(1, 0, 1, n));
        put_sync(0, 1, tl, i + 2);
        EXPECT(submit(1, 0, 1, n), 12, NO_MEMORY); /* both rows are needed */
        EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 20), GPUCMD_RUN_IDLE);
    }
}

/* A place in a stream or an array belongs to the call that found it. */
static void places(void)
{
    struct gpucmd_drm_asahi_vm_bind b = {1, 2, 32, 0, USER_VA};
    struct gpucmd_drm_asahi_gem_mmap_offset m = {9, 0, 0};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x4000, 0, 0));
    for (int which = 0; which < 3; which++) {
        put_op(0, RW, 1, 0, 0x4000, 0x1500000000u);
        put_op(32, RW, 9, 0, 0x4000, 0x1500000000u);
        EQUAL(gpucmd_agx_kernel_vm_bind(k, &b), (uint64_t)-2);
        EQUAL(k->finding.rule, GPUCMD_AGX_RULE_GEM_UNKNOWN);
        EQUAL(k->finding.command, 1);
        EQUAL(k->finding.at_bytes, 32);
        if (which == 0) {
            EXPECT(gpucmd_agx_kernel_gem_close(k, 9), 2, GEM_UNKNOWN);
        } else if (which == 1) {
            EXPECT(gpucmd_agx_kernel_gem_mmap_offset(k, &m), 2, GEM_UNKNOWN);
        } else {
            TAKES(gem_create(0x4000, 0, 0));
        }
        EQUAL(k->finding.command, -1);
        EQUAL(k->finding.at_bytes, 0);
    }
}

/* An unbind in the middle of a mapping needs a row. */
static void no_row_for_hole(void)
{
    struct gpucmd_drm_asahi_gem_bind_op op = {RW, 1, 0, 0xC000, 0x1500000000u};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x10000, 0, 0));
    EQUAL(gpucmd_agx_kernel_bind_op(k, 1, &op), GPUCMD_AGX_RULE_NONE);
    k->maps.cap = 1;
    op.flags = GPUCMD_DRM_ASAHI_BIND_UNBIND;
    op.handle = 0;
    op.addr += 0x4000;
    op.range = 0x4000;
    refused_save(&w_);
    EQUAL(gpucmd_agx_kernel_bind_op(k, 1, &op), GPUCMD_AGX_RULE_NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_MAPS);
    CHECK(refused_same(&w_));
    EQUAL(k->maps.count, 1);
    op.addr -= 0x4000;
    EQUAL(gpucmd_agx_kernel_bind_op(k, 1, &op), GPUCMD_AGX_RULE_NONE);
    EQUAL(k->maps.count, 1);
}

/* Without rows for timestamps a job runs and writes none. */
static void no_stamp_rows(void)
{
    static uint8_t memory[0x4000];
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    TAKES(gem_create(0x4000, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, memory), GPUCMD_OK);
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0));
    memset(memory, 0xee, sizeof memory);
    const uint32_t n = put_stream(AGX_W1);
    TAKES(submit(1, 0, 0, n));
    k->t.stamps[0].at[0][0][0] = memory;
    k->t.stamps[0].result[0] = memory + 64;
    k->t.stamps[0].result_bytes[0] = 56;
    k->t.stamp_count = 0;
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 4);
    EQUAL(memory[0], 0xee);
    EQUAL(memory[64], 0xee);
}

/* A VM goes with all its mappings, in whatever order they were made, and no other VM loses any. */
static void whole_vm(void)
{
    struct gpucmd_drm_asahi_vm_destroy d = {1, 0};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x4000, 0, 0));
    for (uint64_t i = 0; i < 15; i++) {
        const struct gpucmd_drm_asahi_gem_bind_op op = {RW, 1, 0, 0x4000,
                                                        0x1500000000u + (i * 7 % 15) * 0x10000};
        EQUAL(gpucmd_agx_kernel_bind_op(k, 1, &op), GPUCMD_AGX_RULE_NONE);
        EQUAL(gpucmd_agx_kernel_bind_op(k, 2, &op), GPUCMD_AGX_RULE_NONE);
    }
    EQUAL(k->maps.count, 30);
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    EQUAL(k->maps.count, 15);
    uint32_t free_rows = 0;
    for (uint32_t at = k->maps.free; at != 0; at = w_.maps[at - 1].next) {
        free_rows++;
    }
    EQUAL(free_rows, 15);
    for (uint64_t i = 0; i < 15; i++) {
        uint32_t handle = 0;
        uint64_t offset = 0;
        EQUAL(gpucmd_agx_space_translate(&k->maps, &w_.vms[1].space, 0x1500000000u + i * 0x10000, 1,
                                         &handle, &offset),
              GPUCMD_AGX_FAULT_NONE);
    }
    d.vm_id = 2;
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d));
    EQUAL(k->maps.count, 0);
}

/* Rows after the count of a table are not used, even if their contents are valid. */
static void table_ends(void)
{
    gpucmd_agx_dmabuf buffer = {0x4000, NULL};
    gpucmd_agx_dmabuf other = {0x4000, NULL};
    uint32_t handle = 0;
    setup();
    k->t.vm_count = 1;
    k->t.gem_count = 1;
    k->t.object_count = 1;
    k->t.queue_count = 1;
    k->syncobjs.cap = 1;
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gpucmd_agx_kernel_gem_import(k, &buffer, &handle));
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0));
    EQUAL(new_queue(), 1);
    EQUAL(world_syncobj(k), 1);
    w_.vms[1] = w_.vms[0];
    w_.gems[1] = w_.gems[0];
    w_.gems[1].dmabuf = &other;
    w_.gems[1].vm_id = 1;
    w_.objects[1] = w_.objects[0];
    w_.queues[1] = w_.queues[0];
    w_.syncobjs[1] = w_.syncobjs[0];
    const struct gpucmd_drm_asahi_vm_destroy d1 = {1, 0};
    const struct gpucmd_drm_asahi_vm_destroy d2 = {2, 0};
    const struct gpucmd_drm_asahi_queue_destroy q2 = {2, 0};
    struct gpucmd_drm_asahi_queue_create q = {0, 1, 1, 0, 0};
    EXPECT(vm_create(0x7000000000u, 0x7020000000u), 12, NO_MEMORY);
    EXPECT(gem_create(1, 0, 0), 12, NO_MEMORY);
    EXPECT(gpucmd_agx_kernel_gem_import(k, &other, &handle), 12, NO_MEMORY);
    EXPECT(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0), 12, NO_MEMORY);
    EXPECT(gpucmd_agx_kernel_queue_create(k, &q), 12, NO_MEMORY);
    EQUAL(world_syncobj(k), 0);
    EXPECT(gpucmd_agx_kernel_vm_destroy(k, &d2), 2, VM_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_gem_close(k, 2), 2, GEM_UNKNOWN);
    EXPECT(gem_bind_object(1, 0, 0, 0, 0, 0, 2, 0), 2, OBJECT_UNKNOWN);
    EXPECT(gpucmd_agx_kernel_queue_destroy(k, &q2), 2, QUEUE_UNKNOWN);
    gpucmd_syncobj_release(&k->syncobjs, 2);
    EQUAL(w_.syncobjs[1].refs, 1);
    TAKES(gpucmd_agx_kernel_gem_close(k, 1));
    EQUAL(w_.objects[0].handle, 0);
    EQUAL(w_.objects[1].handle, 1);
    TAKES(gpucmd_agx_kernel_vm_destroy(k, &d1));
    EQUAL(w_.gems[1].vm_id, 1);
}

/* Each table that can be full, except those of no_room: the call fails and changes nothing. */
static void full_tables(void)
{
    struct gpucmd_drm_asahi_queue_create q = {0, 1, 1, 0, 0};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x400000, 0, 0));
    EQUAL(new_queue(), 1);
    const uint32_t n = put_stream(AGX_W1);
    const uint32_t free_job = k->exec.free_job;
    put_sync(0, 1, world_syncobj(k), 1);
    k->exec.free_job = GPUCMD_AGX_NONE; /* as if all jobs were in use */
    EXPECT(submit(1, 0, 1, n), 12, NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_EXEC_JOBS);
    k->exec.free_job = free_job;
    k->t.stamp_count = 0;
    EXPECT(submit(1, 0, 1, n), 12, NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_STAMPS);
    k->exec.t.queue_count = 1;
    EXPECT(gpucmd_agx_kernel_queue_create(k, &q), 12, NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_EXEC_QUEUES);
    for (uint32_t i = 0; i < WORLD_COUNT(w_.maps); i++) {
        if (i == WORLD_COUNT(w_.maps) - 1) { /* one row is free, a split of a mapping needs two */
            put_op(0, RW, 1, 0x20000, 0x4000, 0x14000);
            EXPECT(vm_bind(1, 1, 32, 0, USER_VA), 12, NO_MEMORY);
            EQUAL(k->table, GPUCMD_AGX_TABLE_MAPS);
        }
        put_op(0, RW, 1, 0, 0xC000, 0x10000 + 0x10000 * (uint64_t)i);
        TAKES(vm_bind(1, 1, 32, 0, USER_VA));
    }
    EQUAL(k->maps.count, WORLD_COUNT(w_.maps));
    put_op(0, RW, 1, 0, 0x4000, 0x8000);
    EXPECT(vm_bind(1, 1, 32, 0, USER_VA), 12, NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_MAPS);
    put_op(0, RW, 1, 0x20000, 0x4000, 0x10000); /* replaces a part of a mapping */
    EXPECT(vm_bind(1, 1, 32, 0, USER_VA), 12, NO_MEMORY);
}

/* Expect a refused ioctl to leave its argument, whose output member is 77, as it was. */
#define KEEPS(name, err, rule, ...)                                                                \
    do {                                                                                           \
        struct gpucmd_drm_asahi_##name a_ = {__VA_ARGS__};                                         \
        const struct gpucmd_drm_asahi_##name before_ = {__VA_ARGS__};                              \
        EXPECT(gpucmd_agx_kernel_##name(k, &a_), err, rule);                                       \
        CHECK(memcmp(&a_, &before_, sizeof a_) == 0);                                              \
    } while (0)

/* The ioctls with an output: refused by a check, then by a table without a free row. */
static void arguments_stay(void)
{
    setup();
    KEEPS(get_time, 22, FLAGS, 1, 77);
    KEEPS(vm_create, 22, PAD, 0x7000000000u, 0x7020000000u, 77, 1);
    KEEPS(vm_create, 22, VM_WINDOW, 0, 0x7000000000u, 77, 0);
    KEEPS(gem_create, 22, GEM_SIZE, 0, 0, 0, 77, 0);
    KEEPS(gem_create, 2, VM_UNKNOWN, 1, GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE, 9, 77, 0);
    KEEPS(gem_mmap_offset, 22, FLAGS, 1, 1, 77);
    KEEPS(gem_mmap_offset, 2, GEM_UNKNOWN, 1, 0, 77);
    KEEPS(gem_bind_object, 2, GEM_UNKNOWN, 0, 1, 1, 0, 0, 0x4000, 77, 0);
    KEEPS(queue_create, 22, QUEUE_PRIORITY, 0, 1, 9, 77, 0);
    KEEPS(queue_create, 2, VM_UNKNOWN, 0, 1, 0, 77, 0);
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x4000, 0, 0));
    k->t.vm_count = k->t.gem_count = 1;
    k->t.object_count = 0;
    k->exec.t.queue_count = 0;
    KEEPS(vm_create, 12, NO_MEMORY, 0x7000000000u, 0x7020000000u, 77, 0);
    KEEPS(gem_create, 12, NO_MEMORY, 1, 0, 0, 77, 0);
    KEEPS(gem_bind_object, 12, NO_MEMORY, 0, 1, 1, 0, 0, 0x4000, 77, 0);
    KEEPS(queue_create, 12, NO_MEMORY, 0, 1, 0, 77, 0);
    k->t.queue_count = 0;
    KEEPS(queue_create, 12, NO_MEMORY, 0, 1, 0, 77, 0);
}

/* A SUBMIT that fails can free rows of points that have signalled. No call shows it. */
static void freed_points(void)
{
    int32_t error = 0;
    uint64_t value = 0;
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(new_queue(), 1);
    const uint32_t tl = world_syncobj(k);
    const uint32_t n = put_stream(AGX_W1);
    for (uint64_t point = 1; point <= 3; point++) {
        put_sync(0, 1, tl, point);
        TAKES(submit(1, 0, 1, n));
    }
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    put_sync(0, 1, tl, 2);
    put_sync(1, 1, 99, 1);
    expect(submit(1, 1, 1, n), 2, GPUCMD_AGX_RULE_SYNC_UNKNOWN, __FILE__, __LINE__);
    EQUAL(w_.syncobjs[0].passed, 2);
    for (uint64_t point = 0; point <= 3; point++) {
        EQUAL(world_point(k, tl, point, &error), GPUCMD_OK);
    }
    EQUAL(gpucmd_syncobj_query(&k->syncobjs, tl, 0, &value), 0);
    EQUAL(value, 3);
    EXPECT(submit(1, 1, 1, n), 2, SYNC_UNKNOWN);
}

/* Submit a compute, then a command with a payload of size bytes. The payload is valid, and then
 * has v at an offset. */
static int submit_payload(uint32_t type, uint32_t size, uint32_t at, uint32_t v)
{
    uint8_t *stream = user + 16384, *payload = stream + 16;
    memset(stream, 0, 512);
    gpucmd_store32(stream, 1, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(stream + 4, 0xffffffff, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(stream + 8, type | size << 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(stream + 12, 0xffffffff, GPUCMD_LITTLE_ENDIAN);
    if (type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        gpucmd_store32(payload + 148, 0x00010001, GPUCMD_LITTLE_ENDIAN); /* width, height */
        gpucmd_store32(payload + 152, 0x00000001, GPUCMD_LITTLE_ENDIAN); /* layers */
        gpucmd_store32(payload + 156, 0x00012020, GPUCMD_LITTLE_ENDIAN); /* utile, samples */
    }
    gpucmd_store32((at < 512 ? payload : stream - 512) + at, v, GPUCMD_LITTLE_ENDIAN);
    refused_save(&w_);
    return submit(1, 0, 0, 16 + size);
}

/* Barriers, software commands, payloads: rules of the stream. at 512 and later: of the stream. */
static void streams_refused(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    TAKES(gem_create(0x4000, 0, 0));
    TAKES(gem_bind_object(0, 1, 1, 0, 0, 0x4000, 0, 0));
    EQUAL(new_queue(), 1);
#define STREAM(err, rule, ...)                                                                     \
    do {                                                                                           \
        const int got_ = submit_payload(__VA_ARGS__);                                              \
        CHECK(refused_same(&w_));                                                                  \
        refused_saw("submit", k);                                                                  \
        expect(got_, (err), GPUCMD_AGX_RULE_##rule, __FILE__, __LINE__);                           \
    } while (0)
    STREAM(22, VDM_BARRIER, 1, 64, 512 + 12, 0xffff0001);
    STREAM(22, CDM_BARRIER, 1, 64, 512 + 12, 0x0002ffff);
    STREAM(22, SOFTWARE_BARRIER, 2, 24, 512 + 12, 0x0000ffff);
    STREAM(22, COMMAND_UNKNOWN, 5, 24, 0, 0);
    STREAM(22, PAYLOAD_TAIL, 1, 72, 64, 1);
    STREAM(22, RENDER_FLAGS, 0, 240, 0, 0x80000000);
    STREAM(22, RENDER_SIZE, 0, 240, 148, 0x00010000);
    STREAM(22, RENDER_LAYERS, 0, 240, 152, 0);
    STREAM(22, RENDER_UTILE, 0, 240, 156, 0x00011111);
    STREAM(22, RENDER_SAMPLES, 0, 240, 156, 0x00032020);
    STREAM(22, COMPUTE_FLAGS, 1, 64, 0, 1);
    STREAM(2, TIMESTAMP_UNKNOWN, 1, 64, 48, 9);
    STREAM(22, ATTACHMENT_COUNT, 2, 17 * 24, 0, 0);
    STREAM(22, ATTACHMENT_LENGTH, 3, 25, 0, 0);
    STREAM(22, ATTACHMENT_PAD, 4, 24, 16, 1);
    STREAM(22, ATTACHMENT_BYTES, 4, 24, 12, 0xffffffff);
#undef STREAM
    put_stream("01004000ffffffff"
               "000000000000000000000000000000000000000000000000"
               "000000000000000000000000000000000000000000000000"
               "01000000f8ffffff0000000000000000");
    EXPECT(submit(1, 0, 0, 72), 22, TIMESTAMP_OVERFLOW);
}

/* A row with old values in its table is as new for its next owner. */
static void fresh_rows(void)
{
    setup();
    memset(w_.vms, 0xee, sizeof w_.vms);
    memset(w_.gems, 0xee, sizeof w_.gems);
    memset(w_.objects, 0xee, sizeof w_.objects);
    memset(w_.queues, 0xee, sizeof w_.queues);
    memset(w_.syncobjs, 0xee, sizeof w_.syncobjs);
    w_.vms[0].used = w_.gems[0].used = w_.objects[0].used = w_.queues[0].used = false;
    TAKES(vm_create(0x7000000000u, 0x7020000000u));
    EQUAL(w_.vms[0].serial, 1);
    TAKES(gem_create(0x4000, 0, 0));
    EQUAL(w_.gems[0].flags, 0);
    EQUAL(w_.gems[0].vm_id, 0);
    CHECK(w_.gems[0].host == NULL && w_.gems[0].dmabuf == NULL);
    TAKES(gem_bind_object(GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND,
                          GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS, 1, 0, 0, 0x4000, 0, 0));
    CHECK(w_.objects[0].host == NULL);
    EQUAL(new_queue(), 1);
    EQUAL(world_syncobj(k), 1);
    EQUAL(w_.syncobjs[0].refs, 1);
    EQUAL(w_.syncobjs[0].fence, 0);
    EQUAL(w_.syncobjs[0].point, 0);
    EQUAL(w_.syncobjs[0].last, 0);
    EQUAL(w_.syncobjs[0].passed, 0);
}

/* The rules that each call can break, in the order of their rows: of each ioctl, then of calls
 * that are no ioctls. Each occurred above, with the state compared. */
static void complete(void)
{
    static const struct {
        const char *call, *rules;
    } rows[] = {
        {"get_params",      "ARGUMENT_FAULT PAD CRASHED PARAM_GROUP"                                                        },
        {"get_time",        "FLAGS"                                                                                         },
        {"vm_create",       "PAD NO_MEMORY VM_WINDOW"                                                                       },
        {"vm_destroy",      "PAD VM_UNKNOWN"                                                                                },
        {"vm_bind",         "PAD NO_MEMORY VM_UNKNOWN GEM_UNKNOWN BIND_STRIDE BIND_OPS_FAULT BIND_TAIL "
                    "BIND_FLAGS BIND_UNUSED BIND_ALIGN BIND_EMPTY BIND_OBJECT_RANGE "
                    "BIND_WINDOW BIND_RIGHTS BIND_KERNEL_WINDOW BIND_PRIVATE"                            },
        {"gem_create",      "FLAGS PAD NO_MEMORY VM_UNKNOWN GEM_SIZE GEM_VM_ID"                                             },
        {"gem_mmap_offset", "FLAGS GEM_UNKNOWN"                                                                             },
        {"gem_bind_object", "PAD NO_MEMORY GEM_UNKNOWN OBJECT_UNKNOWN OBJECT_VM_ID OBJECT_OP "
                            "OBJECT_ALIGN OBJECT_FLAGS OBJECT_RANGE OBJECT_PRIVATE OBJECT_UNUSED"},
        {"queue_create",    "FLAGS NO_MEMORY VM_UNKNOWN QUEUE_PRIORITY"                                                     },
        {"queue_destroy",   "PAD QUEUE_UNKNOWN"                                                                             },
        {"submit",          "FLAGS PAD CRASHED NO_MEMORY QUEUE_UNKNOWN SYNCS_FAULT SYNC_COUNT SYNC_TYPE "
                   "SYNC_VALUE SYNC_UNKNOWN SYNC_NO_FENCE SYNC_POINT CMDBUF_FAULT "
                   "HEADER_TRUNCATED COMMAND_COUNT VDM_BARRIER CDM_BARRIER "
                   "SOFTWARE_BARRIER PAYLOAD_TRUNCATED PAYLOAD_TAIL RENDER_FLAGS "
                   "RENDER_SIZE RENDER_LAYERS RENDER_UTILE RENDER_SAMPLES COMPUTE_FLAGS "
                   "TIMESTAMP_UNKNOWN TIMESTAMP_OVERFLOW TIMESTAMP_RANGE ATTACHMENT_COUNT "
                   "ATTACHMENT_LENGTH ATTACHMENT_PAD ATTACHMENT_BYTES COMMAND_UNKNOWN"                    },
        {"ioctl",           "ARGUMENT_FAULT IOCTL_UNKNOWN"                                                                  },
        {"gem_close",       "GEM_UNKNOWN"                                                                                   },
        {"gem_export",      "GEM_UNKNOWN GEM_EXPORT"                                                                        },
        {"gem_import",      "NO_MEMORY GEM_SIZE"                                                                            },
    };
#define IOCTL(name, number, argument, type) #argument,
    static const char *const ioctls[] = {GPUCMD_AGX_IOCTLS(IOCTL)};
#undef IOCTL
    uint64_t all[2] = {0, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        refused_by(rows[i].call, rows[i].rules, all);
        CHECK(i >= sizeof ioctls / sizeof ioctls[0] || strcmp(rows[i].call, ioctls[i]) == 0);
    }
    EQUAL(refused_calls[sizeof rows / sizeof rows[0]].name[0], 0); /* no other call */
    refused_all(all, false,
                "NOTATION NOTATION_NUMBER "           /* of text, which no kernel reads */
                "GEM_EMPTY BIND_BYTES OBJECT_SPACE"); /* of the driver */
}

int main(void)
{
    params();
    vms();
    gems();
    queues();
    special_objects();
    binds();
    bind_arrays();
    submit_checks();
    timelines();
    between_points();
    cpu_timeline();
    binary_over_timeline();
    worked_example();
    timestamps();
    timestamps_of_64();
    timestamps_of_jobs();
    destroyed_queue();
    sharing();
    shared_timestamps();
    crash();
    old_vm();
    ioctls();
    client();
    client_errors();
    client_of_zero();
    client_waits();
    client_arguments();
    far_pointers();
    tracing();
    no_room();
    rows_of_points();
    table_ends();
    places();
    no_stamp_rows();
    no_row_for_hole();
    whole_vm();
    full_tables();
    streams_refused();
    arguments_stay();
    freed_points();
    fresh_rows();
    complete();
    return test_report("agx_kernel");
}

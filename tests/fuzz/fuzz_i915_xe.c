/* fuzz_i915_xe.c - a hostile client of the model kernel of xe.
 *   byte 0  platform; bit 7: jobs wait until the kernel runs
 *   then the memory of the process, 4 KiB at 0x1000, of which the first bytes come from the input
 *   then ioctls: a number, flags, and words that change the structure at 0x1000
 * Objects are in memory of their own; objects 1 and 2, VM 1 and queue 1 exist. An ioctl returns 0
 * or a negative errno. A refused one changes no mapping, object, queue, job, fence or sync object.
 * Only the objects and the memory of the process change. At the end everything can be freed. */
#include "gpucmd_i915.h"

#include "fuzz.h"

#include "i915/xe_state.h"

enum { USER_VA = 0x1000, USER_BYTES = 4096, RAM_BYTES = 0x20000, GUARD = 0x5c, CALLS = 40 };

/* A model kernel with small tables, so that they become full. */
static struct world {
    gpucmd_xe_kernel k;
    gpucmd_xe_object objects[6];
    gpucmd_handle handle_rows[5];
    gpucmd_map place_rows[10];
    gpucmd_xe_vm vms[3];
    gpucmd_handle vm_rows[3];
    gpucmd_map map_rows[40];
    gpucmd_xe_queue queues[4];
    gpucmd_handle queue_rows[4];
    gpucmd_xe_context contexts[4];
    gpucmd_xe_job jobs[6];
    gpucmd_xe_op ops[8];
    gpucmd_xe_sync syncs[6];
    gpucmd_fence fence_rows[24];
    gpucmd_syncobj syncobj_rows[4];
    gpucmd_sync_point point_rows[8];
} w;

static uint64_t user_words[USER_BYTES / 8 + 2]; /* a guard before and after */
static uint8_t ram_bytes[RAM_BYTES + 3 * 4096];
static uint8_t *ram;
static gpucmd_region region;
static gpucmd_mem mem;

static void start(gpucmd_xe_platform platform)
{
    gpucmd_xe_device device;
    gpucmd_xe_kernel *const k = &w.k;
    must(gpucmd_xe_device_init(&device, platform) == GPUCMD_OK);
    memset(&w, 0xa5, sizeof w);
    gpucmd_xe_kernel_init(k, &device, &mem);
#define TABLE(id, member, count, type, store)                                                      \
    k->member = w.member;                                                                          \
    k->count = sizeof w.member / sizeof w.member[0];
    GPUCMD_XE_KERNEL_TABLES(TABLE)
#undef TABLE
    k->ram = ram;
    k->ram_bytes = RAM_BYTES;
    k->slice_units = 64;
    k->hang_runs = 4;
    must(gpucmd_xe_kernel_check(k) == GPUCMD_OK);
}

static int call(uint32_t request)
{
    return gpucmd_xe_kernel_ioctl(&w.k, request, USER_VA);
}

static void store(uint32_t off_bytes, const void *src, size_t bytes)
{
    memcpy((uint8_t *)(user_words + 1) + off_bytes, src, bytes);
}

/* A VM, two objects, of which the first is at 0x10000 and is the batch, a queue, a sync object. */
static void populate(const uint8_t *data, size_t size)
{
    struct gpucmd_drm_xe_vm_create vm;
    struct gpucmd_drm_xe_gem_create gem;
    struct gpucmd_drm_xe_vm_bind bind;
    struct gpucmd_drm_xe_exec_queue_create queue;
    const struct gpucmd_drm_xe_engine_class_instance eci = {0, 0, 0, 0};
    uint32_t handle;
    memset(&vm, 0, sizeof vm);
    store(0, &vm, sizeof vm);
    must(call(GPUCMD_DRM_IOCTL_XE_VM_CREATE) == 0);
    memset(&gem, 0, sizeof gem);
    gem.size = 0x10000;
    gem.placement = 1;
    gem.cpu_caching = GPUCMD_DRM_XE_GEM_CPU_CACHING_WC;
    store(0, &gem, sizeof gem);
    must(call(GPUCMD_DRM_IOCTL_XE_GEM_CREATE) == 0);
    gem.size = 0x1000;
    store(0, &gem, sizeof gem);
    must(call(GPUCMD_DRM_IOCTL_XE_GEM_CREATE) == 0);
    memset(&bind, 0, sizeof bind);
    bind.vm_id = 1;
    bind.num_binds = 1;
    bind.bind.obj = 1;
    bind.bind.range = 0x10000;
    bind.bind.addr = 0x10000;
    store(0, &bind, sizeof bind);
    must(call(GPUCMD_DRM_IOCTL_XE_VM_BIND) == 0);
    memset(&queue, 0, sizeof queue);
    queue.width = queue.num_placements = 1;
    queue.vm_id = 1;
    queue.instances = USER_VA + 0x100;
    store(0, &queue, sizeof queue);
    store(0x100, &eci, sizeof eci);
    must(call(GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_CREATE) == 0);
    must(gpucmd_syncobj_create(&w.k.syncobjs, 1, &handle) == 0);
    memcpy(ram, data, size < 4096 ? size : 4096);
}

static void guards(void)
{
    must(user_words[0] == 0x5c5c5c5c5c5c5c5cu && user_words[USER_BYTES / 8 + 1] == user_words[0]);
    for (unsigned i = 0; i < 4096; i++) {
        must(ram[RAM_BYTES + i] == GUARD);
    }
}

/* Change the structure at 0x1000: a word of it becomes a small number, an address or any number. */
static void change(input *in)
{
    const uint32_t at = take(in, 1) & 0x7fu, how = take(in, 1);
    uint32_t v = how & 15;
    if ((how & 0x30) == 0x10) {
        v = take(in, 1) << 12;
    } else if ((how & 0x30) == 0x20) {
        v = USER_VA + (take(in, 1) << 4);
    } else if ((how & 0x30) == 0x30) {
        v = take(in, 4);
    }
    memcpy((uint8_t *)(user_words + 1) + 4 * at, &v, 4);
}

static uint32_t request_of(uint32_t n)
{
    static const uint32_t requests[] = {
#define ROW(name, tag, function) GPUCMD_DRM_IOCTL_XE_##name,
        GPUCMD_XE_IOCTLS(ROW)
#undef ROW
            GPUCMD_DRM_IOCTL_GEM_CLOSE,
        GPUCMD_DRM_IOCTL_SYNCOBJ_CREATE, GPUCMD_DRM_IOCTL_SYNCOBJ_DESTROY,
        GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT, GPUCMD_DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT};
    return requests[n % (sizeof requests / sizeof requests[0])];
}

/* Free everything: all tables are empty then. */
static void tear_down(void)
{
    gpucmd_xe_kernel *const k = &w.k;
    gpucmd_xe_kernel_close(k);
    for (uint32_t i = 1; i <= 4; i++) {
        gpucmd_syncobj_release(&k->syncobjs, i);
    }
    must(k->maps.count == 0 && k->places.count == 0 && k->fences.count == 0);
    must(k->object_rows.count == 1 && k->vm_free.count == 0 && k->queue_free.count == 0);
    must(k->context_free.count == 0 && k->job_free.count == 0 && k->op_free.count == 0);
    must(k->op_rows_pending == 0 && k->syncobjs.point_count == 0 && k->handles.count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    const uint32_t first = take(&in, 1);
    memset(user_words, 0, sizeof user_words);
    memset(user_words, GUARD, 8);
    memset(user_words + USER_BYTES / 8 + 1, GUARD, 8);
    ram = ram_bytes + (4096 - ((uintptr_t)ram_bytes & 4095)) % 4096;
    memset(ram, GUARD, RAM_BYTES + 4096);
    region.va = USER_VA;
    region.bytes = USER_BYTES;
    region.host = user_words + 1;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    start((gpucmd_xe_platform)((first & 127) % 6));
    populate(in.data, in.size);
    w.k.deferred = first >= 128;
    for (uint32_t i = 0; i < CALLS && in.size != 0; i++) {
        const uint32_t what = take(&in, 1), changes = take(&in, 1);
        const uint32_t request = request_of(what & 63);
        for (uint32_t n = 0; n < (changes & 15); n++) {
            change(&in);
        }
        const xe_state before = xe_state_of(&w.k);
        const bool waits = request == GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT ||
                           request == GPUCMD_DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT ||
                           request == GPUCMD_DRM_IOCTL_XE_WAIT_USER_FENCE;
        const int result = call(request);
        must(result <= 0 && result > -200);
        guards();
        /* in fault mode a bind with an in-sync fails after it has changed the mappings */
        if (result != 0 && !waits && result != -GPUCMD_SYS_EOPNOTSUPP) {
            const xe_state after = xe_state_of(&w.k);
            must(memcmp(&before, &after, sizeof before) == 0);
        }
        if ((what & 0x80) != 0) {
            (void)gpucmd_xe_kernel_run(&w.k);
        }
    }
    tear_down();
    guards();
    return 0;
}

#define FUZZ_NAME "fuzz_i915_xe"
#include "fuzz_main.h"

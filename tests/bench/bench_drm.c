/* Rows P20: the model kernels of nouveau and xe.
 *   P20d, P20e  a submission of one batch with 256 mappings in the VM, time relative to one with 4
 *   P20f, P20g  a bind among 100000 mappings, instructions relative to one among 1000 (bench.sh)
 * Each mapping of P20d and P20e has an object of its own. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

#include "bench.h"

enum {
    PAGE = 4096,
    OBJECT_BYTES = 0x10000, /* of the object that is bound often */
    SMALL = 4,
    LARGE = 256,
    FEW = 1000,
    MANY = 100000,
    BINDS = 4096,  /* per call */
    SUBMITS = 256, /* per call */
    OBJECTS = 512
};
#define VA ((uint64_t)1 << 32)

static unsigned failures;

static void *rows(size_t count, size_t bytes)
{
    return bench_alloc(count * bytes);
}

/* A VM: an address space of 5 pages per 3 mappings, and the number of the next random page. */
typedef struct range {
    uint32_t pages;
    uint32_t state;
} range;

/* Choose one to four pages. */
static uint64_t choose(range *r, uint64_t *bytes)
{
    uint32_t page;
    r->state = r->state * 1664525u + 1013904223u;
    page = (uint32_t)((uint64_t)(r->state >> 8) * r->pages >> 24);
    *bytes = (1 + r->state % 4) * (uint64_t)PAGE;
    return VA + (uint64_t)page * PAGE;
}

/* ---- nouveau ---- */

typedef struct nouveau {
    gpucmd_nouveau_device device;
    gpucmd_nouveau_kernel k;
    gpucmd_nouveau_tables t;
    range range;
    uint32_t object, channel;
    uint32_t *batch;
} nouveau;

static void nouveau_call(nouveau *n, uint32_t request, void *arg)
{
    failures += gpucmd_nouveau_kernel_ioctl(&n->k, request, (uintptr_t)arg) != 0;
}

static int nouveau_memory(void *user, gpucmd_nouveau_gem *gem)
{
    (void)user;
    gem->host = bench_alloc((size_t)gem->bytes);
    gem->map_handle = GPUCMD_NOUVEAU_MAP_OFFSET;
    return 0;
}

static int nouveau_progress(void *user)
{
    nouveau *n = user;
    return gpucmd_nouveau_kernel_run(&n->k, 1000) == GPUCMD_RUN_BLOCKED ? -GPUCMD_SYS_ETIME : 0;
}

static uint32_t nouveau_object(nouveau *n, uint64_t bytes)
{
    struct gpucmd_drm_nouveau_gem_new gem;
    memset(&gem, 0, sizeof gem);
    gem.info.domain = GPUCMD_NOUVEAU_GEM_DOMAIN_GART | GPUCMD_NOUVEAU_GEM_DOMAIN_NO_SHARE;
    gem.info.size = bytes;
    nouveau_call(n, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_NEW, &gem);
    return gem.info.handle;
}

static void nouveau_bind(nouveau *n, uint32_t object, uint64_t va, uint64_t bytes)
{
    struct gpucmd_drm_nouveau_vm_bind_op op;
    struct gpucmd_drm_nouveau_vm_bind bind;
    memset(&op, 0, sizeof op);
    memset(&bind, 0, sizeof bind);
    op.op = object != 0 ? GPUCMD_NOUVEAU_VM_BIND_OP_MAP : GPUCMD_NOUVEAU_VM_BIND_OP_UNMAP;
    op.handle = object;
    op.addr = va;
    op.range = bytes;
    bind.op_count = 1;
    bind.op_ptr = (uintptr_t)&op;
    nouveau_call(n, GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, &bind);
}

/* Alternately bind and unbind one to four pages. The number of mappings stays about constant. */
static void nouveau_bind_some(nouveau *n, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes;
        const uint64_t va = choose(&n->range, &bytes);
        nouveau_bind(n, i % 2 == 0 ? n->object : 0, va, bytes);
    }
}

static void nouveau_open(nouveau *n, uint32_t mappings)
{
    struct gpucmd_drm_nouveau_vm_init vm = {(uint64_t)1 << 39, (uint64_t)1 << 39};
    memset(&n->t, 0, sizeof n->t);
    n->t.handle_count = n->t.gem_count = OBJECTS;
    n->t.vm_count = 4;
    n->t.map_count = 4 * mappings + 64;
    n->t.channel_count = 4;
    n->t.name_count = n->t.syncobj_count = n->t.point_count = 4;
    n->t.job_count = 64;
    n->t.item_count = 1024;
    n->t.fence_count = 256;
#define MAKE(name, member, count, type, store) n->t.member = rows(n->t.count, sizeof *n->t.member);
    GPUCMD_NOUVEAU_TABLES(MAKE)
#undef MAKE
    bench_require(gpucmd_nouveau_device_init(&n->device, GPUCMD_NV_CHIP_GA102) == GPUCMD_OK,
                  "device");
    n->device.memory = nouveau_memory;
    bench_require(gpucmd_nouveau_kernel_init(&n->k, &n->device, &n->t) == GPUCMD_OK, "tables");
    n->k.progress = nouveau_progress;
    n->k.progress_user = n;
    nouveau_call(n, GPUCMD_DRM_IOCTL_NOUVEAU_VM_INIT, &vm);
    n->range.pages = 5 * mappings / 3; /* then about that many mappings stay */
    n->object = nouveau_object(n, OBJECT_BYTES);
}

/* A channel, a batch with one semaphore release, and the mappings. */
static void nouveau_make_exec(nouveau *n, uint32_t mappings)
{
    struct gpucmd_drm_nouveau_channel_alloc channel;
    gpucmd_writer w;
    uint32_t dw[16];
    size_t len_dw = 0;
    nouveau_open(n, mappings);
    memset(&channel, 0, sizeof channel);
    channel.fb_ctxdma_handle = 0xffffffff;
    channel.tt_ctxdma_handle = GPUCMD_NOUVEAU_ENGINE_GR;
    nouveau_call(n, GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC, &channel);
    n->channel = (uint32_t)channel.channel;
    nouveau_bind(n, n->object, VA, OBJECT_BYTES);
    for (uint32_t i = 1; i < mappings; i++) {
        nouveau_bind(n, nouveau_object(n, PAGE), VA + OBJECT_BYTES * (uint64_t)i, PAGE);
    }
    gpucmd_writer_init(&w, dw, 16);
    gpucmd_nv_emit_sem_release(&w, GPUCMD_NV_CHIP_GA102, VA + OBJECT_BYTES / 2, 0xc0ffee, 0);
    bench_require(gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK, "batch");
    n->batch = gpucmd_nouveau_kernel_gem(&n->k, n->object)->host;
    memcpy(n->batch, dw, len_dw * 4);
    n->range.state = (uint32_t)len_dw * 4;
}

static void nouveau_exec(nouveau *n)
{
    struct gpucmd_drm_nouveau_exec_push push = {VA, n->range.state, 0};
    struct gpucmd_drm_nouveau_exec exec;
    memset(&exec, 0, sizeof exec);
    exec.channel = n->channel;
    exec.push_count = 1;
    exec.push_ptr = (uintptr_t)&push;
    for (int i = 0; i < SUBMITS; i++) {
        nouveau_call(n, GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, &exec);
        while (n->k.jobs != 0 && gpucmd_nouveau_kernel_run(&n->k, 1000) != GPUCMD_RUN_BLOCKED) {
        }
    }
}

/* ---- xe ---- */

typedef struct xe {
    gpucmd_xe_kernel k;
    range range;
    uint32_t object, vm, queue;
} xe;

static void xe_call(xe *x, uint32_t request, void *arg)
{
    failures += gpucmd_xe_kernel_ioctl(&x->k, request, (uintptr_t)arg) != 0;
}

static void *xe_obtain(void *user, uint32_t object, uint64_t bytes)
{
    (void)user;
    (void)object;
    return bench_alloc((size_t)bytes);
}

static void xe_release(void *user, uint32_t object, void *host, uint64_t bytes)
{
    (void)user;
    (void)object;
    (void)bytes;
    free(host);
}

static uint32_t xe_object(xe *x, uint64_t bytes)
{
    struct gpucmd_drm_xe_gem_create gem;
    memset(&gem, 0, sizeof gem);
    gem.size = bytes;
    gem.placement = 1;
    gem.cpu_caching = GPUCMD_DRM_XE_GEM_CPU_CACHING_WB;
    xe_call(x, GPUCMD_DRM_IOCTL_XE_GEM_CREATE, &gem);
    return gem.handle;
}

static void xe_bind(xe *x, uint32_t object, uint64_t va, uint64_t bytes)
{
    struct gpucmd_drm_xe_vm_bind bind;
    memset(&bind, 0, sizeof bind);
    bind.vm_id = x->vm;
    bind.num_binds = 1;
    bind.bind.obj = object;
    bind.bind.op = object != 0 ? GPUCMD_DRM_XE_VM_BIND_OP_MAP : GPUCMD_DRM_XE_VM_BIND_OP_UNMAP;
    bind.bind.range = bytes;
    bind.bind.addr = va;
    bind.bind.pat_index = 1;
    xe_call(x, GPUCMD_DRM_IOCTL_XE_VM_BIND, &bind);
}

static void xe_bind_some(xe *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes;
        const uint64_t va = choose(&x->range, &bytes);
        xe_bind(x, i % 2 == 0 ? x->object : 0, va, bytes);
    }
}

static void xe_open(xe *x, uint32_t mappings)
{
    gpucmd_xe_device device;
    struct gpucmd_drm_xe_vm_create vm;
    bench_require(gpucmd_xe_device_init(&device, GPUCMD_XE_LNL) == GPUCMD_OK, "device");
    gpucmd_xe_kernel_init(&x->k, &device, NULL);
#define COUNT(id, member, count, type, store) x->k.count = (store) < OBJECTS ? OBJECTS : (store);
    GPUCMD_XE_KERNEL_TABLES(COUNT)
#undef COUNT
    x->k.map_count = 4 * mappings + 64;
    x->k.place_count = 4 * OBJECTS;
#define MAKE(id, member, count, type, store) x->k.member = rows(x->k.count, sizeof *x->k.member);
    GPUCMD_XE_KERNEL_TABLES(MAKE)
#undef MAKE
    x->k.obtain = xe_obtain;
    x->k.release = xe_release;
    bench_require(gpucmd_xe_kernel_check(&x->k) == GPUCMD_OK, "tables");
    memset(&vm, 0, sizeof vm);
    xe_call(x, GPUCMD_DRM_IOCTL_XE_VM_CREATE, &vm);
    x->vm = vm.vm_id;
    x->range.pages = 5 * mappings / 3; /* then about that many mappings stay */
    x->object = xe_object(x, OBJECT_BYTES);
}

static void xe_make_exec(xe *x, uint32_t mappings)
{
    struct gpucmd_drm_xe_engine_class_instance render = {0, 0, 0, 0};
    struct gpucmd_drm_xe_exec_queue_create queue;
    gpucmd_writer w;
    uint32_t dw[16];
    size_t len_dw = 0;
    xe_open(x, mappings);
    memset(&queue, 0, sizeof queue);
    queue.width = queue.num_placements = 1;
    queue.vm_id = x->vm;
    queue.instances = (uintptr_t)&render;
    xe_call(x, GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &queue);
    x->queue = queue.exec_queue_id;
    xe_bind(x, x->object, VA, OBJECT_BYTES);
    for (uint32_t i = 1; i < mappings; i++) {
        xe_bind(x, xe_object(x, PAGE), VA + OBJECT_BYTES * (uint64_t)i, PAGE);
    }
    gpucmd_writer_init(&w, dw, 16);
    gpucmd_i915_emit_mi_store_data_imm(&w, GPUCMD_I915_GEN20, 0, VA + OBJECT_BYTES / 2, 0xc0ffee);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, GPUCMD_I915_GEN20, 0);
    bench_require(gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK, "batch");
    memcpy(x->k.objects[gpucmd_xe_kernel_object(&x->k, x->object) - 1].host, dw, len_dw * 4);
}

static void xe_exec(xe *x)
{
    struct gpucmd_drm_xe_exec exec;
    memset(&exec, 0, sizeof exec);
    exec.exec_queue_id = x->queue;
    exec.address = VA;
    exec.num_batch_buffer = 1;
    for (int i = 0; i < SUBMITS; i++) {
        xe_call(x, GPUCMD_DRM_IOCTL_XE_EXEC, &exec);
    }
}

/* ---- rows ---- */

static nouveau nouveau_small, nouveau_large, nouveau_few, nouveau_many;
static xe xe_small, xe_large, xe_few, xe_many;

static void nouveau_exec_small(void)
{
    nouveau_exec(&nouveau_small);
}

static void nouveau_exec_large(void)
{
    nouveau_exec(&nouveau_large);
}

static void xe_exec_small(void)
{
    xe_exec(&xe_small);
}

static void xe_exec_large(void)
{
    xe_exec(&xe_large);
}

__attribute__((noinline)) static void nouveau_bind_few(void)
{
    nouveau_bind_some(&nouveau_few, BINDS);
}

__attribute__((noinline)) static void nouveau_bind_many(void)
{
    nouveau_bind_some(&nouveau_many, BINDS);
}

__attribute__((noinline)) static void xe_bind_few(void)
{
    xe_bind_some(&xe_few, BINDS);
}

__attribute__((noinline)) static void xe_bind_many(void)
{
    xe_bind_some(&xe_many, BINDS);
}

static void fill_nouveau(nouveau *n, uint32_t mappings)
{
    nouveau_open(n, mappings);
    nouveau_bind_some(n, 3 * mappings);
    bench_require(n->k.maps.count > mappings / 2 && n->k.maps.count < 2 * mappings, "mappings");
}

static void fill_xe(xe *x, uint32_t mappings)
{
    xe_open(x, mappings);
    xe_bind_some(x, 3 * mappings);
    bench_require(x->k.maps.count > mappings / 2 && x->k.maps.count < 2 * mappings, "mappings");
}

static void fill_few_nouveau(void)
{
    fill_nouveau(&nouveau_few, FEW);
}

static void fill_many_nouveau(void)
{
    fill_nouveau(&nouveau_many, MANY);
}

static void fill_few_xe(void)
{
    fill_xe(&xe_few, FEW);
}

static void fill_many_xe(void)
{
    fill_xe(&xe_many, MANY);
}

/* `--once KERNEL` runs one kernel for callgrind, after its preparation, and prints the number of
 * binds. */
static const struct {
    const char *name;
    bench_fn fill, fn;
} kernels[] = {
    {"nouveau_bind_few",  fill_few_nouveau,  nouveau_bind_few },
    {"nouveau_bind_many", fill_many_nouveau, nouveau_bind_many},
    {"xe_bind_few",       fill_few_xe,       xe_bind_few      },
    {"xe_bind_many",      fill_many_xe,      xe_bind_many     },
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0] && argc == 3; i++) {
        if (strcmp(argv[2], kernels[i].name) == 0) {
            kernels[i].fill();
            kernels[i].fn();
            printf("%d\n", BINDS);
        }
    }
    if (argc == 1) {
        nouveau_make_exec(&nouveau_small, SMALL);
        nouveau_make_exec(&nouveau_large, LARGE);
        xe_make_exec(&xe_small, SMALL);
        xe_make_exec(&xe_large, LARGE);
        bench_result("P20d", bench_ratio(nouveau_exec_large, nouveau_exec_small));
        bench_result("P20e", bench_ratio(xe_exec_large, xe_exec_small));
        bench_require(nouveau_large.batch[OBJECT_BYTES / 8] == 0xc0ffee, "not executed");
        bench_require(nouveau_large.k.kills == 0 && xe_large.k.bans == 0 &&
                          xe_large.k.jobs_done >= SUBMITS,
                      "not executed");
    }
    bench_require(failures == 0, "refused");
    return 0;
}

/* The xe driver: the model kernel of gpucmd_i915.h answers its ioctls. Objects have the memory of
 * the library; batches are executed before the ioctl returns. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "i915.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/drm.h>

/* Rows of the tables of one file. Pages of the tables that are not used take no memory. */
enum {
    OBJECTS = 1 << 16,
    MAPS = 1 << 18,
    VMS = 256,
    QUEUES = 512,
    CONTEXTS = 512,
    JOBS = 1024,
    OPS = 1 << 16,
    SYNCS = 1024,
    FENCES = 1 << 14,
    SYNCOBJS = 1 << 16,
    SAMPLES = 100, /* count of passed samples per draw, because the model draws nothing */
    ENGINE_CLASSES = 5
};

/* An imported object: the kernel knows it by the address of the first member. */
typedef struct xe_import {
    gpucmd_xe_dmabuf dmabuf;
    shim_storage *storage;
    struct xe_import *next;
} xe_import;

/* One open of the node. */
typedef struct xe_file {
    gpucmd_xe_kernel k;
    shim_file *file;
    shim_storage **storages;   /* by the number of the object */
    i915_registers *registers; /* outside the windows of the engines, by the row of the queue */
    xe_import *imports;
    struct gpucmd_drm_xe_sync lent[SYNCS]; /* items of an ioctl with syncs */
    uint32_t lent_count;
    uint32_t made;  /* handle that the library gave the object that the ioctl creates; 0: none */
    uint32_t bound; /* kernel fence that has signalled, during an ioctl with syncs */
    uint64_t bans;  /* of the kernel that were reported */
} xe_file;

/* ---- memory ---- */

static const uint64_t page = 4096;
static gpucmd_mem process;

/* Find memory of the client, page by page. */
static gpucmd_status find_process(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                                  uint64_t *bytes)
{
    const uint64_t left = page - (va & (page - 1));
    (void)user;
    if (va < page || va >> 47 != 0) {
        return GPUCMD_FAULT;
    }
    if ((access_mask & GPUCMD_ACCESS_WRITE) != 0 ? !shim_is_writable(va)
                                                 : !shim_is_readable(va, 1)) {
        return GPUCMD_FAULT;
    }
    *host = (uint8_t *)(uintptr_t)va;
    *bytes = left;
    return GPUCMD_OK;
}

static void *obtain(void *user, uint32_t object, uint64_t bytes)
{
    xe_file *d = user;
    shim_object *o = shim_object_new(d->file, bytes, 0x10000);
    if (o == NULL) {
        return NULL;
    }
    d->made = o->handle;
    d->storages[object] = o->storage;
    o->storage->refs++;
    return o->storage->host;
}

static void release(void *user, uint32_t object, void *host, uint64_t bytes)
{
    const xe_file *d = user;
    (void)host;
    (void)bytes;
    shim_storage_put(d->storages[object]);
    d->storages[object] = NULL;
}

/* ---- execution ---- */

static uint32_t engine_of_class(uint32_t engine_class)
{
    static const uint32_t engines[ENGINE_CLASSES] = {0, 2, 1, 3, 4}; /* of the report */
    return engines[engine_class];
}

/* A job starts: check its batch. */
static void started(void *user, uint32_t queue, const gpucmd_i915_cs *cs, uint64_t batch_va)
{
    xe_file *d = user;
    shim_count_engine(engine_of_class(d->k.queues[queue - 1].engine_class));
    if (shim.check || shim.trace || shim.dump != NULL) {
        const shim_timer timer = shim_timer_begin();
        i915_check_at(&cs->cmdset, &d->k.memory, batch_va);
        shim_timer_end(timer, SHIM_CHECK_NS, false);
    }
}

static gpucmd_status event(void *user, const gpucmd_event *e)
{
    const xe_file *d = user;
    return i915_event(&d->registers[d->k.queue - 1], &d->k.view.context->cs, e);
}

static uint64_t commands_of(const xe_file *d)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < d->k.context_free.used; i++) {
        n += d->k.contexts[i].cs.commands;
    }
    return n;
}

/* Report a queue that was banned since the last report. */
static void report_bans(xe_file *d)
{
    if (d->k.bans != d->bans) {
        char buf[512];
        gpucmd_text text;
        gpucmd_text_init(&text, buf, sizeof buf);
        gpucmd_print_why(&text, &d->k.why);
        shim_error(SHIM_FAULTS, "%s", buf);
        d->bans = d->k.bans;
    }
}

/* End the jobs that wait for something: no other thread can change it while an ioctl runs. */
static void end_blocked(xe_file *d)
{
    const uint32_t runs = d->k.hang_runs;
    for (uint32_t i = 0; i < d->k.queue_free.used; i++) {
        const gpucmd_xe_queue *q = &d->k.queues[i];
        for (uint32_t n = 0; q->used && q->line.first != 0 && n < q->width; n++) {
            char buf[256];
            gpucmd_text text;
            gpucmd_text_init(&text, buf, sizeof buf);
            gpucmd_i915_print_waits(&text, &d->k.contexts[q->contexts[n] - 1].cs, 1, NULL);
            shim_error(SHIM_BLOCKED, "%s", buf);
        }
    }
    d->k.hang_runs = 1;
    while (d->k.job_free.count != 0 && gpucmd_xe_kernel_run(&d->k)) {
    }
    d->k.hang_runs = runs;
}

/* ---- files ---- */

static void start(void)
{
    if (gpucmd_mem_init(&process, NULL, 0) != GPUCMD_OK) {
        abort();
    }
    process.find = find_process;
}

static void *rows(size_t count, size_t bytes)
{
    void *at = calloc(count, bytes);
    if (at == NULL) {
        abort();
    }
    return at;
}

static void open_file(shim_file *f)
{
    gpucmd_xe_device device;
    xe_file *d = rows(1, sizeof *d);
    if (gpucmd_xe_device_from_id(&device, shim.gpu->device) != GPUCMD_OK) {
        abort();
    }
    gpucmd_xe_kernel_init(&d->k, &device, &process);
    d->file = f;
#define ROWS(member, count, n)                                                                     \
    d->k.count = (n);                                                                              \
    d->k.member = rows((n), sizeof d->k.member[0])
    ROWS(objects, object_count, OBJECTS);
    ROWS(handle_rows, handle_count, OBJECTS);
    ROWS(place_rows, place_count, OBJECTS);
    ROWS(vms, vm_count, VMS);
    ROWS(vm_rows, vm_id_count, VMS);
    ROWS(map_rows, map_count, MAPS);
    ROWS(queues, queue_count, QUEUES);
    ROWS(queue_rows, queue_id_count, QUEUES);
    ROWS(contexts, context_count, CONTEXTS);
    ROWS(jobs, job_count, JOBS);
    ROWS(ops, op_count, OPS);
    ROWS(syncs, sync_count, SYNCS);
    ROWS(fence_rows, fence_count, FENCES);
    ROWS(syncobj_rows, syncobj_count, SYNCOBJS);
    ROWS(point_rows, point_count, SYNCOBJS);
#undef ROWS
    d->storages = rows(OBJECTS + 1, sizeof(shim_storage *));
    d->registers = rows(QUEUES, sizeof *d->registers);
    d->k.obtain = obtain;
    d->k.release = release;
    d->k.memory_user = d;
    d->k.started = started;
    d->k.event = event;
    d->k.event_user = d;
    d->k.execute = shim.execute;
    d->k.has_nice = geteuid() == 0;
    if (gpucmd_xe_kernel_check(&d->k) != GPUCMD_OK) {
        abort();
    }
    f->data = d;
}

static void close_file(shim_file *f)
{
    xe_file *d = f->data;
    gpucmd_xe_kernel_close(&d->k);
    while (d->imports != NULL) {
        xe_import *i = d->imports;
        d->imports = i->next;
        shim_storage_put(i->storage);
        free(i);
    }
#define ROW(id, member, count, type, store) free(d->k.member);
    GPUCMD_XE_KERNEL_TABLES(ROW)
#undef ROW
    free(d->storages);
    free(d->registers);
    free(d);
    f->data = NULL;
}

/* The handle of an object is closed; its mappings in VMs keep the memory. */
static void object_free(shim_file *f, shim_object *o)
{
    xe_file *d = f->data;
    struct gpucmd_drm_gem_close a = {o->handle, 0};
    if (d != NULL && gpucmd_xe_kernel_object(&d->k, o->handle) != 0 &&
        gpucmd_xe_kernel_ioctl(&d->k, GPUCMD_DRM_IOCTL_GEM_CLOSE, (uintptr_t)&a) != 0) {
        abort();
    }
}

static int object_import(shim_file *f, shim_object *o)
{
    xe_file *d = f->data;
    xe_import *i = rows(1, sizeof *i);
    uint32_t handle = 0;
    int err;
    i->dmabuf.bytes = o->bytes;
    i->dmabuf.host = o->storage->host;
    i->storage = o->storage;
    o->storage->refs++;
    i->next = d->imports;
    d->imports = i;
    err = gpucmd_xe_kernel_gem_import(&d->k, &i->dmabuf, &handle);
    if (err == 0 && handle != o->handle) {
        abort();
    }
    return err;
}

/* ---- syncs ---- */

/* Copy the items of an EXEC or VM_BIND to d->lent. Those that the model kernel rejects are none. */
static void read_syncs(xe_file *d, uint64_t at, uint32_t count)
{
    d->lent_count = 0;
    if (count <= SYNCS &&
        gpucmd_process_read(&process, at, d->lent, count * sizeof d->lent[0]) == 0) {
        d->lent_count = count;
    }
}

/* Return the row of the sync object that an item of d->lent names; NULL: it names none. */
static gpucmd_syncobj *lent_row(const shim_file *f, const xe_file *d, uint32_t i)
{
    const struct gpucmd_drm_xe_sync *s = &d->lent[i];
    if (s->type == GPUCMD_DRM_XE_SYNC_TYPE_USER_FENCE || s->handle == 0 ||
        s->handle > f->sync_count) {
        return NULL;
    }
    return &d->k.syncobjs.rows[s->handle - 1];
}

/* Each handle of f has a sync object in the table of the model kernel, without a fence. Copy the
 * state of those that the ioctl names, and free those that the file does not have. All their fences
 * have signalled. */
static void lend_syncs(const shim_file *f, xe_file *d)
{
    gpucmd_syncobjs *t = &d->k.syncobjs;
    uint32_t handle;
    int err = 0;
    while (t->used < f->sync_count && err == 0) {
        err = gpucmd_syncobj_create(t, 0, &handle);
    }
    d->bound = gpucmd_fence_new(&d->k.fences, 0, 0);
    if (err == 0 && gpucmd_fence_signal(&d->k.fences, d->bound, 0) != GPUCMD_OK) {
        abort();
    }
    for (uint32_t i = 0; i < d->lent_count && err == 0; i++) {
        const gpucmd_syncobj *row = lent_row(f, d, i);
        if (row == NULL || row->refs == 0 || row->fence != 0) {
            continue;
        }
        handle = d->lent[i].handle;
        if (f->syncs[handle - 1] == NULL) {
            gpucmd_syncobj_release(t, handle);
        } else if (shim_sync_point(f->syncs[handle - 1]) != 0) {
            err = gpucmd_syncobj_add_point(t, handle, shim_sync_point(f->syncs[handle - 1]),
                                           d->bound);
        } else if (shim_sync_has_fence(f->syncs[handle - 1])) {
            err = gpucmd_syncobj_replace(t, handle, d->bound);
        }
    }
    if (err != 0) {
        abort();
    }
}

/* Return a fence of the library that has ended as a fence of the model kernel; 0: without an error. */
static uint64_t shared_fence(const xe_file *d, uint32_t fence)
{
    const int error = d->k.fences.rows[fence - 1].error;
    uint64_t shared = 0;
    if (error != 0) {
        shared = shim_fence_new();
        shim_fence_signal(shared, -error);
    }
    return shared;
}

/* Take the state of the sync objects that the ioctl has signalled. */
static void take_syncs(const shim_file *f, xe_file *d)
{
    gpucmd_syncobjs *t = &d->k.syncobjs;
    int err = 0;
    for (uint32_t i = 0; i < d->lent_count && err == 0; i++) {
        const gpucmd_syncobj *row = lent_row(f, d, i);
        if (row == NULL) {
            continue;
        }
        if (row->refs != 0 && row->fence != 0 && row->fence != d->bound) {
            shim_sync_set_fence(f->syncs[d->lent[i].handle - 1], row->last,
                                shared_fence(d, row->fence));
        }
        if (row->refs != 0) {
            err = gpucmd_syncobj_replace(t, d->lent[i].handle, 0);
        }
    }
    while (t->count < t->used && err == 0) { /* those that lend_syncs has freed */
        uint32_t handle;
        err = gpucmd_syncobj_create(t, 0, &handle);
    }
    if (err != 0) {
        abort();
    }
    gpucmd_fence_release(&d->k.fences, d->bound);
}

/* ---- ioctls ---- */

/* The number of the ioctl, with the size that the client has given. */
static uint32_t request_of(uint32_t nr, uint32_t arg_bytes)
{
    static const uint32_t numbers[] = {
#define ROW(name, tag, function) GPUCMD_DRM_IOCTL_XE_##name,
        GPUCMD_XE_IOCTLS(ROW)
#undef ROW
    };
    if (nr >= sizeof numbers / sizeof numbers[0]) {
        return 0;
    }
    return (numbers[nr] & ~(uint32_t)GPUCMD_FIELD_MASK(IOC_BYTES)) |
           GPUCMD_FIELD_PUT(IOC_BYTES, arg_bytes);
}

/* An EXEC or VM_BIND with syncs. */
static int submit(shim_file *f, uint32_t request, void *arg)
{
    xe_file *d = f->data;
    const bool exec = GPUCMD_FIELD_GET(IOC_NR, request) == 0x49;
    const struct gpucmd_drm_xe_exec *e = arg;
    const struct gpucmd_drm_xe_vm_bind *b = arg;
    const uint64_t before = exec ? commands_of(d) : 0;
    const shim_timer timer = shim_timer_begin();
    int err;
    read_syncs(d, exec ? e->syncs : b->syncs, exec ? e->num_syncs : b->num_syncs);
    lend_syncs(f, d);
    err = gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)arg);
    if (d->k.job_free.count != 0) {
        end_blocked(d);
    }
    take_syncs(f, d);
    if (exec) {
        shim_count(SHIM_SUBMITS, err == 0 && e->num_batch_buffer != 0);
        shim_count_own(SHIM_COMMANDS, commands_of(d) - before);
        shim_timer_end(timer, SHIM_EXEC_NS, true);
    }
    report_bans(d);
    if (err != 0) {
        shim_count(SHIM_REFUSED, 1);
        shim_log("%s refused: %s, %s%u %s = 0x%llx", gpucmd_xe_ioctl_name(request), d->k.why.name,
                 d->k.why.unit_name, d->k.why.unit_number, d->k.why.reg,
                 (unsigned long long)d->k.why.value);
    }
    return err;
}

static int gem_create(shim_file *f, uint32_t request, struct gpucmd_drm_xe_gem_create *a)
{
    xe_file *d = f->data;
    int err;
    d->made = 0;
    err = gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)a);
    if (err != 0 && d->made != 0) {
        shim_object_close(f, d->made);
    }
    if (err == 0 && a->handle != d->made) {
        abort();
    }
    return err;
}

static int gem_mmap_offset(shim_file *f, uint32_t request, struct gpucmd_drm_xe_gem_mmap_offset *a)
{
    xe_file *d = f->data;
    const int err = gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)a);
    const shim_object *o = shim_object_of(f, a->handle);
    if (err == 0 && o != NULL) {
        a->offset = o->storage->off_bytes;
    }
    return err;
}

/* Look once; the caller calls again until the time is over. */
static int wait_user_fence(shim_file *f, uint32_t request, struct gpucmd_drm_xe_wait_user_fence *a)
{
    xe_file *d = f->data;
    const bool absolute = (a->flags & GPUCMD_DRM_XE_UFENCE_WAIT_FLAG_ABSTIME) != 0;
    const int64_t now_ns = (int64_t)shim_now_ns();
    const int64_t spent_ns = now_ns - (int64_t)shim_ioctl_begin_ns();
    struct gpucmd_drm_xe_wait_user_fence once = *a;
    int err;
    bool over = a->timeout >= 0 && (absolute ? now_ns : spent_ns) >= a->timeout;
    d->k.now_ns = (uint64_t)now_ns;
    err = gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)&once);
    report_bans(d);
    if (err == -ETIME && !over) {
        return SHIM_LATER;
    }
    if (err == -EINVAL || err == -ENOENT) {
        return err;
    }
    if (a->timeout < 0) {
        a->timeout = INT64_MAX - (absolute ? 0 : spent_ns);
    } else if (!absolute) {
        a->timeout -= spent_ns < a->timeout ? spent_ns : a->timeout;
    }
    return err;
}

static int queue_create(shim_file *f, uint32_t request, struct gpucmd_drm_xe_exec_queue_create *a)
{
    xe_file *d = f->data;
    const int err = gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)a);
    const gpucmd_xe_queue *q = gpucmd_xe_kernel_queue(&d->k, a->exec_queue_id);
    if (err == 0 && q != NULL) {
        memset(&d->registers[q - d->k.queues], 0, sizeof d->registers[0]);
        for (uint32_t i = 0; i < q->width; i++) {
            d->k.contexts[q->contexts[i] - 1].cs.depth_step = SAMPLES;
        }
    }
    return err;
}

static int driver_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    xe_file *d = f->data;
    const uint32_t request = request_of(nr, arg_bytes);
    d->k.now_ns = shim_now_ns();
    d->k.wedged = shim_wedged();
    switch (nr + 0x40) {
    case 0x41: return gem_create(f, request, arg);
    case 0x42: return gem_mmap_offset(f, request, arg);
    case 0x45:
    case 0x49: return submit(f, request, arg);
    case 0x46: return queue_create(f, request, arg);
    case 0x4a: return wait_user_fence(f, request, arg);
    default: break;
    }
    if (request == 0) {
        return -EINVAL;
    }
    return gpucmd_xe_kernel_ioctl(&d->k, request, (uintptr_t)arg);
}

/* A signal ended a wait: the client calls it again for the remaining time. */
static void interrupted(uint32_t nr, void *arg, uint64_t spent_ns)
{
    struct gpucmd_drm_xe_wait_user_fence *a = arg;
    if (nr == 0x0a && a->timeout > 0 && (a->flags & GPUCMD_DRM_XE_UFENCE_WAIT_FLAG_ABSTIME) == 0) {
        a->timeout -= (int64_t)spent_ns < a->timeout ? (int64_t)spent_ns : a->timeout;
    }
}

/* Recordings have no submissions of xe. */
static bool replay(uint32_t type, const uint8_t *data, size_t bytes)
{
    (void)type;
    (void)data;
    (void)bytes;
    return false;
}

const shim_driver shim_xe = {
    .name = "xe",
    .major = 1,
    .minor = 1,
    .patch = 0,
    .caps = (uint64_t)1 << DRM_CAP_PRIME | (uint64_t)1 << DRM_CAP_TIMESTAMP_MONOTONIC |
            (uint64_t)1 << DRM_CAP_SYNCOBJ | (uint64_t)1 << DRM_CAP_SYNCOBJ_TIMELINE,
    .start = start,
    .open = open_file,
    .close = close_file,
    .object_free = object_free,
    .ioctl = driver_ioctl,
    .interrupted = interrupted,
    .object_import = object_import,
    .replay = replay,
};

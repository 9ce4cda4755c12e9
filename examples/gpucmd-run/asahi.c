/* The asahi kernel driver for its clients. The ioctls are those of the model kernel of gpucmd_agx.h,
 * one for each open node; this file gives it memory for its objects, and the sync objects of the
 * library in place of those of the model kernel. Behaviour of the driver belongs to gpucmd_agx.h.
 *
 * A submission is executed before the ioctl returns, also with --async. Shaders are not executed:
 * copies, fills, draws and dispatches change no memory. Timestamps, fences, faults of addresses and
 * the checks of the kernel are those of the model. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include "shim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/drm.h>

/* Rows of the tables of a node. */
enum {
    VMS = 64,
    OBJECTS = 1 << 16,
    TIMESTAMP_OBJECTS = 4096,
    QUEUES = 64,
    JOBS = 4,
    MAPS = 1 << 17,
    ADDRESSES = 16384,
    ENTRIES = 1280,
    SPANS_NS = 1000 /* duration of an operation */
};

/* The data of an open node. */
typedef struct node {
    gpucmd_agx_kernel kernel;
    gpucmd_agx_kernel_tables tables;
    int32_t error; /* of the last job, positive */
} node;

static struct {
    gpucmd_agx_chip chip;
    gpucmd_agx_kernel places; /* its table of places is that of all nodes */
    uint64_t now_ns;          /* of the GPU */
} dev;

/* Count a finding, and write it to the log. */
static void tell(int counter, const char *what, const gpucmd_agx_finding *f)
{
    char text[256];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_finding(&t, f);
    shim_error(counter, "asahi: %s: %s", what, text);
}

/* ---- nodes ---- */

static void *rows(size_t count, size_t bytes)
{
    void *table = calloc(count, bytes);
    if (table == NULL) {
        abort();
    }
    return table;
}

static void asahi_start(void)
{
    gpucmd_agx_kernel_tables t;
    static gpucmd_agx_exec_store store;
    memset(&t, 0, sizeof t);
    gpucmd_agx_exec_tables_init(&t.exec, &store);
    t.places = rows(2 * TIMESTAMP_OBJECTS, sizeof *t.places);
    t.place_count = 2 * TIMESTAMP_OBJECTS;
    if (gpucmd_agx_chip_from_id(shim.gpu->device, &dev.chip) != GPUCMD_OK ||
        gpucmd_agx_kernel_init(&dev.places, &t) != GPUCMD_OK) {
        abort();
    }
}

/* A job has ended; its row becomes free. */
static void job_ended(void *user, gpucmd_agx_exec_job *job)
{
    node *n = user;
    n->error = job->error;
}

static void asahi_open(shim_file *f)
{
    node *n = rows(1, sizeof *n);
    gpucmd_agx_kernel_tables *t = &n->tables;
    t->vms = rows(t->vm_count = VMS, sizeof *t->vms);
    t->gems = rows(t->gem_count = OBJECTS, sizeof *t->gems);
    t->objects = rows(t->object_count = TIMESTAMP_OBJECTS, sizeof *t->objects);
    t->queues = rows(t->queue_count = QUEUES, sizeof *t->queues);
    t->stamps = rows(t->stamp_count = JOBS, sizeof *t->stamps);
    t->maps = rows(t->map_count = MAPS, sizeof *t->maps);
    t->addresses = rows(t->address_count = ADDRESSES, sizeof *t->addresses);
    t->exec.queues = rows(t->exec.queue_count = QUEUES, sizeof *t->exec.queues);
    t->exec.jobs = rows(t->exec.job_count = JOBS, sizeof *t->exec.jobs);
    t->exec.ring_entries = ENTRIES;
    t->exec.slots = rows((size_t)QUEUES * GPUCMD_AGX_RINGS * ENTRIES, sizeof *t->exec.slots);
    if (gpucmd_agx_kernel_init(&n->kernel, t) != GPUCMD_OK ||
        gpucmd_agx_params_init(&n->kernel.params, dev.chip) != GPUCMD_OK) {
        abort();
    }
    n->kernel.places_of = &dev.places;
    n->kernel.exec.ended = job_ended;
    n->kernel.exec.ended_user = n;
    for (int i = 0; i < GPUCMD_AGX_RINGS; i++) {
        n->kernel.exec.durations.ring[i] = SPANS_NS;
    }
    f->data = n;
}

/* Timestamp objects keep their places until they are destroyed: destroy them. */
static void free_timestamps(gpucmd_agx_kernel *k)
{
    for (uint32_t i = 1; i <= k->t.object_count; i++) {
        if (k->t.objects[i - 1].used) {
            struct gpucmd_drm_asahi_gem_bind_object a;
            memset(&a, 0, sizeof a);
            a.op = GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND;
            a.object_handle = i;
            (void)gpucmd_agx_kernel_gem_bind_object(k, &a);
        }
    }
}

static void asahi_close(shim_file *f)
{
    node *n = f->data;
    gpucmd_agx_kernel_tables *t = &n->tables;
    free_timestamps(&n->kernel);
    free(t->vms);
    free(t->gems);
    free(t->objects);
    free(t->queues);
    free(t->stamps);
    free(t->maps);
    free(t->addresses);
    free(t->exec.queues);
    free(t->exec.jobs);
    free(t->exec.slots);
    free(n);
    f->data = NULL;
}

/* ---- objects ---- */

/* Make the object of the library for GEM object `handle` of the model kernel, which has the same
 * handle: both take the lowest free number. */
static int add_object(shim_file *f, uint32_t handle, uint64_t bytes)
{
    node *n = f->data;
    shim_object *o = shim_object_new(f, bytes, GPUCMD_AGX_PAGE_BYTES);
    if (o != NULL && o->handle == handle) {
        o->data = n;
        return gpucmd_agx_kernel_back(&n->kernel, handle, o->storage->host) == GPUCMD_OK ? 0
                                                                                         : -ENOMEM;
    }
    if (o != NULL) {
        shim_log("asahi: object %u has handle %u", handle, o->handle);
        (void)shim_object_close(f, o->handle);
    }
    (void)gpucmd_agx_kernel_gem_close(&n->kernel, handle);
    return -ENOMEM;
}

static int gem_create(shim_file *f, struct gpucmd_drm_asahi_gem_create *a)
{
    node *n = f->data;
    const int result = gpucmd_agx_kernel_gem_create(&n->kernel, a);
    if (result != 0) {
        return result;
    }
    return add_object(f, a->handle, n->kernel.t.gems[a->handle - 1].bytes);
}

static int gem_mmap_offset(const shim_file *f, struct gpucmd_drm_asahi_gem_mmap_offset *a)
{
    node *n = f->data;
    const int result = gpucmd_agx_kernel_gem_mmap_offset(&n->kernel, a);
    const shim_object *o = shim_object_of(f, a->handle);
    if (result != 0 || o == NULL) {
        return result != 0 ? result : -ENOENT;
    }
    a->offset = o->storage->off_bytes;
    return 0;
}

/* An object of another file or process gets the handle of o. */
static int object_import(shim_file *f, shim_object *o)
{
    node *n = f->data;
    struct gpucmd_drm_asahi_gem_create a;
    memset(&a, 0, sizeof a);
    a.size = o->bytes;
    const int result = gpucmd_agx_kernel_gem_create(&n->kernel, &a);
    if (result != 0 || a.handle != o->handle) {
        return result != 0 ? result : -ENOMEM;
    }
    o->data = n;
    return gpucmd_agx_kernel_back(&n->kernel, a.handle, o->storage->host) == GPUCMD_OK ? 0
                                                                                       : -ENOMEM;
}

static void object_free(shim_file *f, shim_object *o)
{
    (void)f;
    if (o->data != NULL) { /* the node, whose tables are gone if the file is closed */
        node *n = f->data;
        if (n != NULL) {
            (void)gpucmd_agx_kernel_gem_close(&n->kernel, o->handle);
        }
        o->data = NULL;
    }
}

/* ---- submissions ---- */

/* Check a sync, and write the fence of an in-sync to *fence, 0: signalled. Rules and errnos are
 * those of the driver. */
static int check_sync(const shim_file *f, const struct gpucmd_drm_asahi_sync *s, bool is_in,
                      uint64_t *fence)
{
    const shim_sync *sync;
    *fence = 0;
    if (s->sync_type > GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ) {
        return -EINVAL;
    }
    if (s->sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ && s->timeline_value != 0) {
        return -EINVAL;
    }
    sync = shim_sync_of(f, s->handle);
    if (sync == NULL) {
        return -ENOENT;
    }
    if (!is_in) {
        return 0;
    }
    if (!shim_sync_has_fence(sync) || shim_sync_point(sync) < s->timeline_value) {
        return -EINVAL;
    }
    *fence = shim_sync_fence(sync, s->timeline_value);
    return 0;
}

/* Check the syncs of a submission in their order. SHIM_LATER: an in-sync is pending, and its fence
 * is of another process or of the CPU. */
static int check_syncs(const shim_file *f, const struct gpucmd_drm_asahi_submit *a)
{
    const struct gpucmd_drm_asahi_sync *syncs = (const void *)(uintptr_t)a->syncs;
    const uint64_t count = (uint64_t)a->in_sync_count + a->out_sync_count;
    int result = 0;
    if (count != 0 && !shim_is_readable(a->syncs, count * sizeof *syncs)) {
        return -EFAULT;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t fence;
        const int error = check_sync(f, &syncs[i], i < a->in_sync_count, &fence);
        if (error != 0) {
            shim_log("asahi: SUBMIT: sync %llu: error %d", (unsigned long long)i, -error);
            return error;
        }
        if (shim_fence_state(fence) == 1) {
            result = SHIM_LATER;
        }
    }
    return result;
}

/* Attach a fence to each out-sync: signalled, or with the error of the job. */
static void set_fences(const shim_file *f, const struct gpucmd_drm_asahi_submit *a, int32_t error)
{
    const struct gpucmd_drm_asahi_sync *syncs = (const void *)(uintptr_t)a->syncs;
    uint64_t fence = 0;
    if (error != 0 && a->out_sync_count != 0) {
        fence = shim_fence_new();
        shim_fence_signal(fence, -error);
    }
    for (uint32_t i = 0; i < a->out_sync_count; i++) {
        const struct gpucmd_drm_asahi_sync *s = &syncs[a->in_sync_count + i];
        shim_sync *sync = shim_sync_of(f, s->handle);
        if (sync != NULL) {
            shim_sync_set_fence(sync, s->timeline_value, fence);
        }
    }
}

/* Pass a finding of the checker to the report. */
static gpucmd_status found(void *user, const gpucmd_agx_finding *finding)
{
    (void)user;
    if (finding->severity == GPUCMD_SEVERITY_ERROR) {
        tell(SHIM_ERRORS, "check", finding);
    } else if (finding->rule == GPUCMD_AGX_RULE_CHECK_BLOCK ||
               finding->rule == GPUCMD_AGX_RULE_CHECK_NO_END) {
        tell(SHIM_UNKNOWN, "check", finding);
    } else {
        shim_count(SHIM_NOTES, 1);
    }
    return GPUCMD_OK;
}

/* Return the memory of an object for the walk of control streams. */
static uint8_t *object_memory(void *user, uint32_t object, uint64_t offset, uint64_t *bytes)
{
    const gpucmd_agx_gem *gem = &((const gpucmd_agx_kernel *)user)->t.gems[object - 1];
    if (gem->host == NULL || offset >= gem->bytes) {
        return NULL;
    }
    *bytes = gem->bytes - offset;
    return (uint8_t *)gem->host + offset;
}

/* Print the control streams of a submission, for --trace. */
static void trace_streams(const gpucmd_agx_check_options *o, const uint8_t *stream, size_t bytes)
{
    gpucmd_agx_walk walk;
    gpucmd_agx_raw raw;
    gpucmd_agx_walk_init(&walk, stream, bytes);
    while (gpucmd_agx_walk_next(&walk, &raw)) {
        gpucmd_agx_ctrl kind = GPUCMD_AGX_CTRL_VDM;
        uint64_t va = 0;
        gpucmd_agx_ctrl_walk blocks;
        gpucmd_agx_block b;
        if (raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
            struct gpucmd_drm_asahi_cmd_render c;
            gpucmd_agx_load_render(&raw, &c);
            va = c.vdm_ctrl_stream_base;
        } else if (raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
            struct gpucmd_drm_asahi_cmd_compute c;
            gpucmd_agx_load_compute(&raw, &c);
            va = c.cdm_ctrl_stream_base;
            kind = GPUCMD_AGX_CTRL_CDM;
        }
        gpucmd_agx_ctrl_init(&blocks, o->mem, kind, va, o->params);
        for (int i = 0; va != 0 && i < 4096 && gpucmd_agx_ctrl_next(&blocks, &b); i++) {
            char line[512];
            gpucmd_text t;
            gpucmd_text_init(&t, line, sizeof line);
            gpucmd_agx_print_block(&t, &b);
            gpucmd_text_char(&t, '\n');
            shim_trace(line);
        }
    }
}

/* Check a stream of the client, and write it to the files of --dump. */
static void check_stream(node *n, const struct gpucmd_drm_asahi_submit *a)
{
    const uint8_t *stream = (const void *)(uintptr_t)a->cmdbuf;
    gpucmd_agx_kernel *k = &n->kernel;
    const shim_timer timer = shim_timer_begin();
    const gpucmd_agx_queue *q = &k->t.queues[a->queue_id - 1];
    gpucmd_agx_check_options o;
    gpucmd_space_view view;
    gpucmd_mem mem;
    memset(&o, 0, sizeof o);
    o.found = found;
    o.maps = &k->maps;
    o.space = &k->t.vms[q->vm_id - 1].space;
    o.usc_exec_base = q->usc_exec_base;
    o.params = &k->params;
    gpucmd_space_view_init(&view, o.maps, o.space, object_memory, k);
    if (gpucmd_mem_init(&mem, NULL, 0) == GPUCMD_OK) {
        mem.find = gpucmd_space_view_find;
        mem.find_user = &view;
        o.mem = &mem;
    }
    if (shim.check) {
        shim_count(SHIM_BUFFERS, 1);
        shim_count(SHIM_WORDS, a->cmdbuf_size / 4);
        (void)!gpucmd_agx_check_stream(stream, a->cmdbuf_size, &o, NULL);
        (void)!gpucmd_agx_check(&k->job, &o, NULL);
    }
    if (shim.dump != NULL) {
        shim_dump("agx", a->cmdbuf, (const uint32_t *)(const void *)stream, a->cmdbuf_size / 4);
    }
    if (shim.trace) {
        static char text[1 << 16];
        gpucmd_text t;
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_stream(&t, stream, a->cmdbuf_size);
        shim_trace(text);
        trace_streams(&o, stream, a->cmdbuf_size);
    }
    shim_timer_end(timer, SHIM_CHECK_NS, false);
}

/* Execute the submitted job. The time of the GPU is that of this machine, and never goes back. */
static void run(node *n)
{
    gpucmd_agx_kernel *k = &n->kernel;
    const shim_timer timer = shim_timer_begin();
    const uint64_t now_ns = shim_now_ns();
    gpucmd_run result;
    k->fault.rule = GPUCMD_AGX_RULE_NONE;
    n->error = 0;
    result = gpucmd_agx_exec_run(&k->exec, NULL, (uint64_t)1 << 32);
    dev.now_ns = k->exec.now > now_ns ? k->exec.now : now_ns;
    if (result != GPUCMD_RUN_IDLE) {
        shim_error(SHIM_BLOCKED, "asahi: the executor has stopped: %s", gpucmd_run_name(result));
    }
    if (k->fault.rule != GPUCMD_AGX_RULE_NONE) {
        tell(SHIM_FAULTS, "fault", &k->fault);
    }
    shim_timer_end(timer, SHIM_EXEC_NS, false);
}

/* The clock of a node is that of the GPU while none of its jobs executes. */
static void set_clock(node *n)
{
    const uint64_t now_ns = shim_now_ns();
    if (dev.now_ns < now_ns) {
        dev.now_ns = now_ns;
    }
    n->kernel.exec.now = dev.now_ns;
}

static int submit(shim_file *f, const struct gpucmd_drm_asahi_submit *arg)
{
    node *n = f->data;
    gpucmd_agx_kernel *k = &n->kernel;
    struct gpucmd_drm_asahi_submit a = *arg;
    int result = 0;
    const bool known = a.queue_id - 1 < k->t.queue_count && k->t.queues[a.queue_id - 1].used;
    if (a.flags == 0 && a.pad == 0 && known) { /* else the model kernel refuses it */
        result = check_syncs(f, &a);
        if (result == 0 && a.cmdbuf_size != 0 && !shim_is_readable(a.cmdbuf, a.cmdbuf_size)) {
            result = -EFAULT;
        }
    }
    if (result == 0) {
        a.syncs = 0;
        a.in_sync_count = a.out_sync_count = 0;
        set_clock(n);
        result = gpucmd_agx_kernel_submit(k, &a);
        if (result != 0) {
            char text[256];
            gpucmd_text t;
            gpucmd_text_init(&t, text, sizeof text);
            gpucmd_agx_print_finding(&t, &k->finding);
            shim_log("asahi: SUBMIT: %s", text);
        }
    }
    if (result != 0) {
        shim_count(SHIM_REFUSED, result != SHIM_LATER);
        return result;
    }
    shim_count(SHIM_SUBMITS, 1);
    shim_count(SHIM_COMMANDS, k->job.count);
    shim_count_engine(k->job.renders != 0 ? 1 : 0);
    check_stream(n, &a);
    run(n);
    set_fences(f, arg, n->error);
    return 0;
}

/* ---- the driver ---- */

static int get_time(node *n, struct gpucmd_drm_asahi_get_time *a)
{
    set_clock(n);
    return gpucmd_agx_kernel_get_time(&n->kernel, a);
}

/* Call an ioctl that needs nothing of the library, as drm_ioctl does; arg is in this process. */
static int call(node *n, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    const uint32_t request =
        (uint32_t)(GPUCMD_FIELD_PUT(IOC_DIR, 3) | GPUCMD_FIELD_PUT(IOC_BYTES, arg_bytes) |
                   GPUCMD_FIELD_PUT(IOC_LETTER, 'd') |
                   GPUCMD_FIELD_PUT(IOC_NR, (uint32_t)GPUCMD_AGX_FIRST_IOCTL + nr));
    const int result = gpucmd_agx_kernel_ioctl(&n->kernel, request, arg);
    if (result != 0) {
        char text[256];
        gpucmd_text t;
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_finding(&t, &n->kernel.finding);
        shim_log("asahi: %s: %s", gpucmd_agx_ioctl_name(request), text);
    }
    return result;
}

/* Copy the argument into a structure of the known size, followed by zeros; copy it back. */
static int with_copy(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    union {
        struct gpucmd_drm_asahi_gem_create gem_create;
        struct gpucmd_drm_asahi_gem_mmap_offset gem_mmap_offset;
        struct gpucmd_drm_asahi_get_time get_time;
        struct gpucmd_drm_asahi_submit submit;
    } u;
    const size_t bytes = arg_bytes < sizeof u ? arg_bytes : sizeof u;
    int result = -EINVAL;
    memset(&u, 0, sizeof u);
    memcpy(&u, arg, bytes);
    switch (nr) {
    case GPUCMD_DRM_ASAHI_GET_TIME: result = get_time(f->data, &u.get_time); break;
    case GPUCMD_DRM_ASAHI_GEM_CREATE: result = gem_create(f, &u.gem_create); break;
    case GPUCMD_DRM_ASAHI_GEM_MMAP_OFFSET: result = gem_mmap_offset(f, &u.gem_mmap_offset); break;
    case GPUCMD_DRM_ASAHI_SUBMIT: return submit(f, &u.submit);
    default: break;
    }
    memcpy(arg, &u, bytes);
    return result;
}

/* Return whether the process can access the memory that an argument names. */
static bool is_accessible(uint32_t nr, uint32_t arg_bytes, const void *arg)
{
    if (nr == GPUCMD_DRM_ASAHI_GET_PARAMS &&
        arg_bytes >= sizeof(struct gpucmd_drm_asahi_get_params)) {
        const struct gpucmd_drm_asahi_get_params *a = arg;
        return a->size == 0 || (shim_is_mapped(a->pointer, 1) && shim_is_writable(a->pointer));
    }
    if (nr == GPUCMD_DRM_ASAHI_VM_BIND && arg_bytes >= sizeof(struct gpucmd_drm_asahi_vm_bind)) {
        const struct gpucmd_drm_asahi_vm_bind *a = arg;
        const uint64_t bytes = (uint64_t)a->num_binds * a->stride;
        return bytes == 0 || bytes > UINT32_MAX || shim_is_readable(a->userptr, bytes);
    }
    return true;
}

static int asahi_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    switch (nr) {
    case GPUCMD_DRM_ASAHI_GET_TIME:
    case GPUCMD_DRM_ASAHI_GEM_CREATE:
    case GPUCMD_DRM_ASAHI_GEM_MMAP_OFFSET:
    case GPUCMD_DRM_ASAHI_SUBMIT: return with_copy(f, nr, arg_bytes, arg);
    case GPUCMD_DRM_ASAHI_GET_PARAMS:
    case GPUCMD_DRM_ASAHI_VM_CREATE:
    case GPUCMD_DRM_ASAHI_VM_DESTROY:
    case GPUCMD_DRM_ASAHI_VM_BIND:
    case GPUCMD_DRM_ASAHI_GEM_BIND_OBJECT:
    case GPUCMD_DRM_ASAHI_QUEUE_CREATE:
    case GPUCMD_DRM_ASAHI_QUEUE_DESTROY:
        if (!is_accessible(nr, arg_bytes, arg)) {
            return -EFAULT;
        }
        return call(f->data, nr, arg_bytes, arg);
    default: return -ENOTTY;
    }
}

/* Jobs of the queue do not exist: a submission is executed in its ioctl. */
static int job_step(struct shim_job *job)
{
    (void)job;
    return 0;
}

static bool job_yields(struct shim_job *job)
{
    (void)job;
    return false;
}

static void job_end(struct shim_job *job, int error)
{
    (void)job;
    (void)error;
}

/* Submissions are not recorded. */
static bool replay(uint32_t type, const uint8_t *data, size_t bytes)
{
    (void)type;
    (void)data;
    (void)bytes;
    return false;
}

const shim_driver shim_asahi = {
    .name = "asahi",
    .major = 0,
    .minor = 0,
    .patch = 0,
    .caps = (uint64_t)1 << DRM_CAP_PRIME | (uint64_t)1 << DRM_CAP_SYNCOBJ |
            (uint64_t)1 << DRM_CAP_SYNCOBJ_TIMELINE,
    .start = asahi_start,
    .open = asahi_open,
    .close = asahi_close,
    .object_free = object_free,
    .ioctl = asahi_ioctl,
    .object_import = object_import,
    .job_step = job_step,
    .job_yields = job_yields,
    .job_hangs = job_step,
    .job_end = job_end,
    .replay = replay,
};

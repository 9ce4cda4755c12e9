/* The nouveau kernel driver for its clients. The model kernel of gpucmd_nv.h answers the ioctls of each
 * open file: VM_INIT, VM_BIND and EXEC, or the older interface with GEM_PUSHBUF. This file gives it
 * memory, sync objects and time, which are those of the library. Behaviour of the driver belongs to
 * gpucmd_nv.h.
 *
 * The ioctl of a submission returns after its execution. If work waits for something outside the
 * file, or with --async, a job of the queue executes it. Work on an object that other files use waits
 * for theirs in the ioctl that submits it. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "nouveau.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/drm.h>
#include <libdrm/nouveau_drm.h>
#include <sys/ioctl.h>

/* Words of GPUCMD_CLIENT_OFF that this driver knows:
 *   vm_bind  no VM_INIT, VM_BIND and EXEC; report version 1.3.1
 *   nvif     report version 1.3.0; its clients create objects with GROBJ_ALLOC
 *   memory   report from PUSHBUF that no memory is free
 *   3d, 2d, m2mf, copy, upload, image
 *            switch off an engine: 3D classes (fences, reports, clears), 2D
 *            classes, memory to memory, DMA copy, inline to memory, scaled images */

enum {
    GEMS = 16384,
    VMS = 8,
    MAPS = 65536,
    CHANNELS = 64,
    NAMES = 1024,
    JOBS = 4096,
    ITEMS = 65536,
    FENCES = 3 * GEMS,
    SLICE = 1 << 15, /* budget of a step */
    PAGE = 4096,
    IN_RING = 60,       /* submissions that a file may have in work */
    ARG_BYTES = 128,    /* of an argument that is kept */
    FIRST_OF_VM = 0x10, /* VM_INIT, VM_BIND, EXEC, GET_ZCULL_INFO */
    EXEC = 0x12,
    LAST_OF_VM = 0x13,
    QUEUES = 16,    /* of the library */
    REPLAYED = 4096 /* files of a recording */
};

/* Limits of the kernel: a submission that does not end, CPU_PREP, the end of a channel. */
static const uint64_t hang_ns = 3000000000u, prep_ns = 30000000000u, idle_ns = 15000000000u;

/* A fence of the kernel and a fence of the library. */
typedef struct pair {
    uint32_t fence;
    uint64_t seq;
} pair;

/* A list of pairs. */
typedef struct pairs {
    pair *rows;
    size_t count, cap;
} pairs;

/* The data of an open file. */
typedef struct node {
    shim_file *file;
    uint32_t number; /* of the file in this process */
    gpucmd_nouveau_device device;
    gpucmd_nouveau_kernel k;
    gpucmd_nouveau_tables t;
    gpucmd_nouveau_syncs syncs;
    gpucmd_mem process;
    pairs ours;   /* fences of jobs; the library's fence is signalled afterwards */
    pairs theirs; /* fences of others, which a job waits for */
    nouveau_stream streams[CHANNELS];
    bool queued;     /* a job of the library's queue executes it */
    bool is_closed;  /* that job frees it */
    bool forgets;    /* its work is that of another process: do not execute it */
    bool replays;    /* a recording gives it memory */
    uint64_t place;  /* of the memory of the next object of a recording */
    uint32_t handle; /* of the object that was made last */
    uint32_t stops;  /* channels that errors killed */
    bool is_prep;    /* the ioctl is CPU_PREP */
} node;

/* The chip of all files, and the size of VRAM. */
static struct {
    gpucmd_nv_chip chip;
    uint64_t memory_bytes;
    uint32_t nodes; /* so far */
} dev;

static bool is_async(void)
{
    return shim.async && shim.execute && shim.record == NULL;
}

/* ---- memory ---- */

/* Memory of the client, if it is readable. */
static gpucmd_status find_client(void *user, uint64_t va, uint32_t access, uint8_t **host,
                                 uint64_t *bytes)
{
    const uint64_t left = PAGE - va % PAGE;
    (void)user;
    if ((access & GPUCMD_ACCESS_WRITE) != 0 ? !shim_is_writable(va) : !shim_is_readable(va, 1)) {
        return GPUCMD_FAULT;
    }
    *host = (uint8_t *)(uintptr_t)va;
    *bytes = left;
    return GPUCMD_OK;
}

/* Make the memory and the handle of an object. The kernel takes the same handle, the lowest free. */
static int object_memory(void *user, gpucmd_nouveau_gem *gem)
{
    node *n = user;
    shim_object *o;
    shim_row *row;
    if (n->replays) {
        gem->host = shim_replay_host(n->place, gem->bytes);
        gem->map_handle = n->place;
        return gem->host != NULL ? 0 : -ENOMEM;
    }
    o = shim_object_new(n->file, gem->bytes, 0);
    if (o == NULL) {
        return -ENOMEM;
    }
    row = shim_row_at(o->storage->row);
    row->storage.tiling = gem->tile_mode;
    row->storage.stride = gem->tile_flags;
    row->storage.caching = gem->domain;
    gem->host = o->storage->host;
    gem->map_handle = o->storage->off_bytes;
    gem->user = o->storage;
    o->storage->refs++;
    n->handle = o->handle;
    return 0;
}

static void object_release(void *user, const gpucmd_nouveau_gem *gem)
{
    (void)user;
    shim_storage_put(gem->user);
}

/* ---- fences ---- */

static void add_pair(pairs *p, uint32_t fence, uint64_t seq)
{
    if (p->count == p->cap) {
        p->cap = p->cap != 0 ? 2 * p->cap : 64;
        p->rows = realloc(p->rows, p->cap * sizeof *p->rows);
        if (p->rows == NULL) {
            abort();
        }
    }
    p->rows[p->count].fence = fence;
    p->rows[p->count++].seq = seq;
}

/* Pass on the ends of fences, in both directions. */
static void update_fences(node *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->theirs.count; i++) {
        const pair p = n->theirs.rows[i];
        if (shim_fence_state(p.seq) == 1 && !n->forgets) {
            n->theirs.rows[kept++] = p;
            continue;
        }
        if (gpucmd_fence_signal(&n->k.fences, p.fence, 0) != GPUCMD_OK) {
            abort();
        }
        gpucmd_fence_release(&n->k.fences, p.fence);
    }
    n->theirs.count = kept;
    kept = 0;
    for (size_t i = 0; i < n->ours.count; i++) {
        const pair p = n->ours.rows[i];
        if (!gpucmd_fence_signalled(&n->k.fences, p.fence)) {
            n->ours.rows[kept++] = p;
            continue;
        }
        shim_fence_signal(p.seq, -n->k.fences.rows[p.fence - 1].error);
        gpucmd_fence_release(&n->k.fences, p.fence);
    }
    n->ours.count = kept;
}

/* Return the fence of a job for a fence of the library; 0: it is not of this file. */
static uint32_t fence_of(const node *n, uint64_t seq)
{
    for (size_t i = 0; i < n->ours.count; i++) {
        if (n->ours.rows[i].seq == seq) {
            return n->ours.rows[i].fence;
        }
    }
    return 0;
}

static int find_sync(void *user, uint32_t handle, uint64_t point, uint32_t *fence)
{
    node *n = user;
    const shim_sync *s = shim_sync_of(n->file, handle);
    uint64_t seq;
    if (s == NULL) {
        return -ENOENT;
    }
    if (!shim_sync_has_fence(s) || point > shim_sync_point(s)) {
        return -EINVAL;
    }
    seq = shim_sync_fence(s, point);
    if (shim_fence_state(seq) != 1) {
        return 0;
    }
    *fence = fence_of(n, seq);
    if (*fence != 0) {
        gpucmd_fence_hold(&n->k.fences, *fence);
        return 0;
    }
    *fence = gpucmd_fence_new(&n->k.fences, 0, 0);
    if (*fence == 0) {
        return -ENOMEM;
    }
    gpucmd_fence_hold(&n->k.fences, *fence);
    add_pair(&n->theirs, *fence, seq);
    return 0;
}

static bool sync_exists(void *user, uint32_t handle)
{
    node *n = user;
    return shim_sync_of(n->file, handle) != NULL;
}

/* Return the library's fence for the fence of a job. */
static uint64_t fence_for(node *n, uint32_t fence)
{
    if (n->ours.count == 0 || n->ours.rows[n->ours.count - 1].fence != fence) { /* the first use */
        gpucmd_fence_hold(&n->k.fences, fence);
        add_pair(&n->ours, fence, shim_fence_new());
    }
    return n->ours.rows[n->ours.count - 1].seq;
}

static void attach_sync(void *user, uint32_t handle, uint64_t point, uint32_t fence)
{
    node *n = user;
    shim_sync_set_fence(shim_sync_of(n->file, handle), point, fence_for(n, fence));
}

/* ---- objects that others use ---- */

static bool is_of_others(const node *n, uint64_t seq)
{
    return shim_fence_state(seq) == 1 && fence_of(n, seq) == 0;
}

/* Return whether work of others writes a storage; all: or uses it. */
static bool is_awaited(const node *n, const shim_storage *s, bool all)
{
    const struct shim_row_storage *r = &shim_row_at(s->row)->storage;
    bool waits = is_of_others(n, r->writer);
    for (uint32_t i = 0; all && i < SHIM_ENGINES; i++) {
        waits = waits || is_of_others(n, r->users[i]);
    }
    return waits;
}

/* The job of a fence uses the buffers of a push. */
static void use_buffers(node *n, uint32_t channel, const struct drm_nouveau_gem_pushbuf *a,
                        uint32_t fence)
{
    const struct drm_nouveau_gem_pushbuf_bo *list = (const void *)(uintptr_t)a->buffers;
    const uint32_t place = (n->number + channel) % (SHIM_ENGINES - 1);
    const uint64_t seq = fence_for(n, fence);
    for (uint32_t i = 0; i < a->nr_buffers; i++) {
        const shim_object *o = shim_object_of(n->file, list[i].handle);
        const bool writes = list[i].write_domains != 0;
        if (o == NULL) {
            continue;
        }
        if (!is_of_others(n, shim_row_at(o->storage->row)->storage.users[place]) ||
            !shim_storage_add_fence(o->storage, writes, seq)) {
            shim_storage_use(o->storage, place, writes, seq);
        }
    }
}

/* ---- execution ---- */

static nouveau_stream *stream_of(node *n, const gpucmd_nouveau_channel *ch)
{
    return &n->streams[ch - n->t.channels];
}

/* A channel ends: check the host methods of all its words. */
static void end_stream(node *n, uint32_t id)
{
    const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&n->k, id);
    if (ch != NULL) {
        nouveau_end(stream_of(n, ch));
    }
}

/* Copy a segment out of the memory of its channel. Return the number of words. */
static size_t read_segment(node *n, gpucmd_nouveau_channel *ch, uint64_t va, uint32_t *dw,
                           size_t len_dw)
{
    gpucmd_nouveau_view view;
    gpucmd_mem mem;
    size_t at = 0;
    gpucmd_nouveau_kernel_view(&n->k, ch, &view, &mem);
    while (at < len_dw) {
        uint8_t *host;
        uint64_t bytes;
        if (gpucmd_mem_span(&mem, va + 4 * at, 4 * (len_dw - at), GPUCMD_ACCESS_READ, &host,
                            &bytes) != GPUCMD_OK ||
            bytes < 4) {
            break;
        }
        memcpy(dw + at, host, bytes / 4 * 4);
        at += bytes / 4;
    }
    return at;
}

static void saw_push(void *user, const gpucmd_nouveau_channel *ch, uint64_t va, uint32_t bytes)
{
    node *n = user;
    const uint32_t row = (uint32_t)(ch - n->t.channels);
    const uint32_t most = (bytes & GPUCMD_NOUVEAU_EXEC_PUSH_BYTES) / 4;
    uint32_t *dw;
    if (n->forgets) {
        return;
    }
    if (n->k.state != GPUCMD_NOUVEAU_VM && (((va | bytes) & 3) != 0 || bytes == 0)) {
        shim_error(SHIM_ERRORS, "nouveau: segment of %u bytes at %llx", bytes,
                   (unsigned long long)va);
    }
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine(row);
    dw = malloc(4 * ((size_t)most + 1));
    if (dw == NULL) {
        abort();
    }
    nouveau_look(&n->streams[row], dw, read_segment(n, &n->t.channels[row], va, dw, most), va);
    free(dw);
}

/* Execute a turn of a channel. The pushes of its job have come before. */
static gpucmd_run execute(void *user, gpucmd_nv_channel *gpu, const gpucmd_env *env,
                          uint64_t budget)
{
    node *n = user;
    gpucmd_run run = GPUCMD_RUN_IDLE;
    uint64_t start_ns;
    nouveau_check(stream_of(n, gpucmd_nouveau_kernel_channel(&n->k, gpu->id)));
    start_ns = shim_now_ns();
    if (shim.execute && !n->forgets) {
        run = nouveau_run(gpu, env, budget);
    } else {
        gpu->pbdma.gp_get = gpu->pbdma.gp_put;
        gpu->pusher.ib_get = gpu->pusher.ib_put;
        gpu->pusher.dma_get = gpu->pusher.dma_put;
    }
    shim_count(SHIM_EXEC_NS, shim_now_ns() - start_ns);
    return run;
}

static void saw_stop(void *user, const gpucmd_nouveau_channel *ch, const gpucmd_why *why,
                     bool killed)
{
    node *n = user;
    n->stops += killed;
    shim_error(SHIM_FAULTS, "nouveau: channel %u: %s %s, address %llx, at %llx%s", ch->id,
               why->name, why->text, (unsigned long long)why->va, (unsigned long long)why->at_va,
               killed ? "; killed" : "");
}

/* The time of the GPU is that of the CPU. In a recording a submission knows the time of its begin, so
 * that the replay is equal. */
static uint64_t time_ns(void *user)
{
    node *n = user;
    const uint64_t now_ns = n->k.card.clock_ns;
    if (shim.record == NULL && !n->replays) {
        return shim_now_ns();
    }
    n->k.card.clock_ns += n->k.card.clock_step_ns;
    return now_ns;
}

/* Execute at most budget units. Return true if work may continue at once. */
static bool pump(node *n, uint64_t budget)
{
    const uint32_t jobs = n->k.jobs, hangs = n->k.kills - n->stops;
    gpucmd_run run;
    n->device.now_ns = shim_now_ns();
    update_fences(n);
    run = gpucmd_nouveau_kernel_run(&n->k, budget);
    update_fences(n);
    if (n->k.kills - n->stops != hangs) {
        shim_count(SHIM_HANGS, n->k.kills - n->stops - hangs);
        if (!shim.async && n->k.state != GPUCMD_NOUVEAU_VM) {
            shim_error(SHIM_BLOCKED, "nouveau: a channel does not end");
        } else {
            shim_log("nouveau: a channel that does not end is killed");
        }
    }
    return run == GPUCMD_RUN_LIMIT || run == GPUCMD_RUN_FAULT || n->k.jobs != jobs;
}

/* Return how long the ioctl has waited. Without --async no other work delays it. */
static uint64_t spent_ns(void)
{
    return shim_ioctl_begin_ns() != 0 ? shim_now_ns() - shim_ioctl_begin_ns() : 0;
}

/* A wait of an ioctl. The old interface gives other threads a turn unless a job has ended. */
static int progress(void *user)
{
    node *n = user;
    const uint32_t jobs = n->k.jobs;
    if (pump(n, SLICE) && (n->k.state == GPUCMD_NOUVEAU_VM || n->k.jobs != jobs)) {
        return 0;
    }
    return n->is_prep && spent_ns() >= prep_ns ? -ETIME : SHIM_LATER;
}

/* A job of the queue that executes the work of a file. */
static void enqueue(node *n)
{
    shim_job *job;
    if (n->queued) {
        return;
    }
    job = calloc(1, sizeof *job);
    if (job == NULL) {
        abort();
    }
    n->queued = true;
    job->fence = shim_fence_new();
    job->key = (uintptr_t)n;
    job->data = n;
    job->engine = n->number % QUEUES;
    shim_queue_add(job);
}

static int job_step(shim_job *job)
{
    node *n = job->data;
    (void)pump(n, SLICE);
    return n->k.jobs == 0 ? 0 : SHIM_LATER;
}

/* Other work runs while a channel waits. */
static bool job_yields(shim_job *job)
{
    (void)job;
    return true;
}

/* The model kernel has limits of its own. */
static int job_hangs(shim_job *job)
{
    (void)job;
    return SHIM_LATER;
}

/* Execute what an ioctl has submitted. A recording has all effects of a submission. */
static void run_work(node *n)
{
    const bool whole = n->replays || shim.record != NULL;
    while (!is_async() && n->k.jobs != 0 && (pump(n, SLICE) || whole)) {
    }
    if (n->k.jobs != 0) {
        enqueue(n);
    }
}

/* ---- files ---- */

static void *table(size_t count, size_t bytes)
{
    void *rows = calloc(count, bytes);
    if (rows == NULL) {
        abort();
    }
    return rows;
}

static void make_tables(gpucmd_nouveau_tables *t)
{
    memset(t, 0, sizeof *t);
    t->handle_count = t->gem_count = GEMS;
    t->vm_count = VMS;
    t->map_count = MAPS;
    t->channel_count = CHANNELS;
    t->name_count = NAMES;
    t->job_count = JOBS;
    t->item_count = ITEMS;
    t->fence_count = FENCES;
    t->syncobj_count = t->point_count = 1; /* those of the library take their place */
#define MAKE(name, member, count, type, store) t->member = table(t->count, sizeof *t->member);
    GPUCMD_NOUVEAU_TABLES(MAKE)
#undef MAKE
}

static node *node_new(shim_file *f)
{
    node *n = table(1, sizeof *n);
    gpucmd_nouveau_device *d = &n->device;
    n->file = f;
    n->number = dev.nodes++;
    make_tables(&n->t);
    if (gpucmd_nouveau_device_init(d, dev.chip) != GPUCMD_OK) {
        abort();
    }
    d->pci_device = shim.gpu->device;
    d->vram_bytes = dev.memory_bytes;
    d->vram_user_bytes = d->vram_bytes;
    d->vram_bar_bytes = d->vram_bytes;
    d->watchdog_ns = hang_ns;
    d->memory = object_memory;
    d->release = object_release;
    d->memory_user = n;
    if (gpucmd_nouveau_kernel_init(&n->k, d, &n->t) != GPUCMD_OK) {
        abort();
    }
    n->syncs.find = find_sync;
    n->syncs.exists = sync_exists;
    n->syncs.attach = attach_sync;
    n->syncs.user = n;
    (void)!gpucmd_mem_init(&n->process, NULL, 0);
    n->process.find = find_client;
    n->k.process = &n->process;
    n->k.syncs = &n->syncs;
    n->k.progress = progress;
    n->k.progress_user = n;
    n->k.exec = execute;
    n->k.exec_user = n;
    n->k.pushed = saw_push;
    n->k.pushed_user = n;
    n->k.stopped = saw_stop;
    n->k.stopped_user = n;
    n->k.event = nouveau_methods;
    n->k.card.time_ns = time_ns;
    n->k.card.time_user = n;
    return n;
}

/* Return the data of an open file, which its first use creates. */
static node *node_of(shim_file *f)
{
    if (f->data == NULL) {
        f->data = node_new(f);
    }
    return f->data;
}

static void node_free(node *n)
{
#define FREE(name, member, count, type, store) free(n->t.member);
    GPUCMD_NOUVEAU_TABLES(FREE)
#undef FREE
    free(n->ours.rows);
    free(n->theirs.rows);
    free(n);
}

static void node_close(node *n)
{
    while (n->k.jobs != 0 && (pump(n, SLICE) || n->k.state != GPUCMD_NOUVEAU_VM)) {
        (void)shim_queue_step(); /* work of other files may release a channel */
    }
    for (size_t i = 0; i < CHANNELS; i++) {
        nouveau_end(&n->streams[i]);
    }
    gpucmd_nouveau_kernel_close(&n->k);
    update_fences(n);
    for (size_t i = 0; i < n->theirs.count; i++) { /* nothing waits for them any more */
        gpucmd_fence_release(&n->k.fences, n->theirs.rows[i].fence);
    }
    if (n->queued) {
        n->is_closed = true; /* the job frees it */
    } else {
        node_free(n);
    }
}

/* In the child of a fork: the work is that of the parent. */
static void forget_work(node *n)
{
    n->forgets = true;
    for (size_t i = 0; i < n->ours.count; i++) {
        gpucmd_fence_release(&n->k.fences, n->ours.rows[i].fence);
    }
    n->ours.count = 0;
    while (n->k.jobs != 0 && pump(n, SLICE)) {
    }
    n->forgets = false;
}

static void job_end(shim_job *job, int error)
{
    node *n = job->data;
    (void)error;
    n->queued = false;
    if (n->is_closed) {
        node_free(n);
    } else if (n->k.jobs != 0) {
        forget_work(n);
    }
}

/* ---- recordings ---- */

/* Records of this driver: an ioctl that has succeeded; an import; the end of a file. */
enum { CALL = SHIM_RECORD_DRIVER, IMPORT, CLOSE };

/* The data of a record. The segments and the buffers of a push follow. */
typedef struct recorded {
    uint32_t node;
    uint32_t request;
    uint64_t place;              /* of the memory of the object that it makes */
    uint64_t clock_ns;           /* of the GPU */
    uint64_t arg[ARG_BYTES / 8]; /* argument of the ioctl; IMPORT: a gpucmd_nouveau_gem */
} recorded;

/* Write a record. push: the argument of GEM_PUSHBUF, or NULL. */
static void record(const node *n, uint32_t type, uint32_t request, const void *arg,
                   const struct drm_nouveau_gem_pushbuf *push)
{
    const size_t segment_bytes =
        push != NULL ? push->nr_push * sizeof(struct drm_nouveau_gem_pushbuf_push) : 0;
    const size_t buffer_bytes =
        push != NULL ? push->nr_buffers * sizeof(struct drm_nouveau_gem_pushbuf_bo) : 0;
    uint8_t *data;
    recorded r;
    if (shim.record == NULL || n->replays) {
        return;
    }
    memset(&r, 0, sizeof r);
    r.node = n->number;
    r.request = request;
    r.clock_ns = n->k.card.clock_ns;
    if (n->handle != 0) {
        r.place = shim_object_of(n->file, n->handle)->storage->off_bytes;
    }
    if (arg != NULL) {
        memcpy(r.arg, arg, sizeof r.arg);
    }
    data = table(1, sizeof r + segment_bytes + buffer_bytes);
    memcpy(data, &r, sizeof r);
    if (push != NULL) {
        memcpy(data + sizeof r, (const void *)(uintptr_t)push->push, segment_bytes);
        memcpy(data + sizeof r + segment_bytes, (const void *)(uintptr_t)push->buffers,
               buffer_bytes);
    }
    shim_record(type, data, sizeof r + segment_bytes + buffer_bytes);
    free(data);
}

/* Execute a push, and record what it does to its buffers and to the notifiers of its channel. */
static void record_push(node *n, uint32_t request, const void *arg,
                        const struct drm_nouveau_gem_pushbuf *a)
{
    const struct drm_nouveau_gem_pushbuf_bo *list = (const void *)(uintptr_t)a->buffers;
    const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&n->k, a->channel);
    const gpucmd_nouveau_gem *notifier = &n->t.gems[ch->notifier - 1];
    shim_span *spans = table(a->nr_buffers + 1, sizeof *spans);
    for (uint32_t i = 0; i < a->nr_buffers; i++) {
        const gpucmd_nouveau_gem *gem = gpucmd_nouveau_kernel_gem(&n->k, list[i].handle);
        spans[i].place = gem->map_handle;
        spans[i].bytes = gem->bytes;
    }
    spans[a->nr_buffers].place = notifier->map_handle;
    spans[a->nr_buffers].bytes = notifier->bytes;
    shim_record_before(spans, a->nr_buffers + 1);
    n->k.card.clock_ns = shim_now_ns();
    record(n, CALL, request, arg, a);
    run_work(n);
    shim_record_after(spans, a->nr_buffers + 1);
    free(spans);
}

static uint32_t request_of(uint32_t nr, uint32_t arg_bytes)
{
    return (uint32_t)_IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + nr, arg_bytes);
}

static uint32_t number_of(uint32_t request)
{
    return _IOC_NR(request) - DRM_COMMAND_BASE;
}

/* Replay an ioctl. Its relocations are already in the recorded memory. */
static bool replay_call(node *n, recorded *r, const uint8_t *rest, size_t bytes)
{
    struct drm_nouveau_gem_pushbuf *a = (void *)r->arg;
    uint8_t *arrays = table(1, bytes + 1);
    int result = -EINVAL;
    memcpy(arrays, rest, bytes);
    if (number_of(r->request) == DRM_NOUVEAU_GEM_PUSHBUF) {
        const uint64_t segment_bytes =
            a->nr_push * (uint64_t)sizeof(struct drm_nouveau_gem_pushbuf_push);
        a->push = (uintptr_t)arrays;
        a->buffers = (uintptr_t)arrays + segment_bytes;
        a->nr_relocs = 0;
        if (bytes !=
            segment_bytes + a->nr_buffers * (uint64_t)sizeof(struct drm_nouveau_gem_pushbuf_bo)) {
            a->channel = 0; /* no channel of a client has this number */
        }
    } else if (number_of(r->request) == DRM_NOUVEAU_CHANNEL_FREE) {
        end_stream(n, (uint32_t)r->arg[0]);
    }
    if (_IOC_SIZE(r->request) <= sizeof r->arg) {
        n->place = r->place;
        n->k.card.clock_ns = r->clock_ns;
        n->device.now_ns = shim_now_ns();
        result = gpucmd_nouveau_kernel_ioctl(&n->k, r->request, (uintptr_t)r->arg);
        run_work(n);
    }
    free(arrays);
    return result == 0;
}

static bool replay_import(node *n, const recorded *r)
{
    gpucmd_nouveau_gem gem;
    uint32_t handle;
    memcpy(&gem, r->arg, sizeof gem);
    gem.host = shim_replay_host(gem.map_handle, gem.bytes);
    gem.user = NULL;
    return gem.host != NULL && gpucmd_nouveau_kernel_import(&n->k, &gem, &handle) == 0;
}

static bool replay(uint32_t type, const uint8_t *data, size_t bytes)
{
    static node *nodes[REPLAYED];
    recorded r;
    node **n;
    if (bytes < sizeof r) {
        return false;
    }
    memcpy(&r, data, sizeof r);
    if (r.node >= REPLAYED) {
        return false;
    }
    n = &nodes[r.node];
    if (*n == NULL) {
        *n = node_new(NULL);
        (*n)->replays = true;
        (*n)->k.process = NULL;
    }
    switch (type) {
    case CALL: return replay_call(*n, &r, data + sizeof r, bytes - sizeof r);
    case IMPORT: return replay_import(*n, &r);
    case CLOSE:
        node_close(*n);
        *n = NULL;
        return true;
    default: return false;
    }
}

/* ---- objects ---- */

/* Let an object that another file or process has created have the same handle in the kernel. */
static int object_import(shim_file *f, shim_object *o)
{
    node *n = node_of(f);
    const shim_row *row = shim_row_at(o->storage->row);
    uint64_t copy[ARG_BYTES / 8] = {0};
    gpucmd_nouveau_gem gem;
    uint32_t handle = 0;
    int result;
    memset(&gem, 0, sizeof gem);
    gem.domain = row->storage.caching;
    if (gem.domain == 0) {
        gem.domain = NOUVEAU_GEM_DOMAIN_GART;
    }
    gem.tile_mode = row->storage.tiling;
    gem.tile_flags = row->storage.stride;
    gem.bytes = o->bytes;
    gem.host = o->storage->host;
    gem.map_handle = o->storage->off_bytes;
    gem.user = o->storage;
    result = gpucmd_nouveau_kernel_import(&n->k, &gem, &handle);
    if (result == 0) {
        o->storage->refs++;
        if (handle != o->handle) {
            abort(); /* both take the lowest free handle */
        }
        n->handle = 0;
        memcpy(copy, &gem, sizeof gem);
        record(n, IMPORT, 0, copy, NULL);
    }
    return result;
}

static void object_free(shim_file *f, shim_object *o)
{
    node *n = f->data;
    uint64_t arg[ARG_BYTES / 8] = {o->handle};
    if (n != NULL) { /* else the file is closed */
        (void)gpucmd_nouveau_kernel_ioctl(&n->k, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE,
                                          (uintptr_t)arg);
        n->handle = 0;
        record(n, CALL, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, arg, NULL);
    }
}

/* On NV50 and later a memory kind means that bytes are tiled. */
static const uint8_t *linear(const shim_storage *s)
{
    const uint32_t flags = s->is_user ? 0 : shim_row_at(s->row)->storage.stride;
    return (flags & NOUVEAU_GEM_TILE_LAYOUT_MASK) == 0 || shim.gpu->number < 0x50 ? s->host : NULL;
}

/* ---- ioctls ---- */

/* Return 0 if a push may be submitted now. SHIM_LATER: wait for other work. */
static int push_waits(node *n, const struct drm_nouveau_gem_pushbuf *a)
{
    const struct drm_nouveau_gem_pushbuf_bo *list = (const void *)(uintptr_t)a->buffers;
    if (n->k.state == GPUCMD_NOUVEAU_VM || a->nr_push == 0 ||
        a->nr_buffers > NOUVEAU_GEM_MAX_BUFFERS ||
        !shim_is_readable(a->buffers, a->nr_buffers * sizeof *list)) {
        return 0;
    }
    if (n->k.jobs >= IN_RING) {
        return SHIM_LATER;
    }
    for (uint32_t i = 0; i < a->nr_buffers; i++) {
        const shim_object *o = shim_object_of(n->file, list[i].handle);
        if (o != NULL && is_awaited(n, o->storage, list[i].write_domains != 0)) {
            return SHIM_LATER;
        }
    }
    return 0;
}

/* Return 0 if no work of others delays CPU_PREP; otherwise SHIM_LATER or -EBUSY. */
static int prep_waits(node *n, const struct drm_nouveau_gem_cpu_prep *a)
{
    const shim_object *o = shim_object_of(n->file, a->handle);
    if (o == NULL || !is_awaited(n, o->storage, (a->flags & NOUVEAU_GEM_CPU_PREP_WRITE) != 0)) {
        return 0;
    }
    return (a->flags & NOUVEAU_GEM_CPU_PREP_NOWAIT) != 0 || spent_ns() >= prep_ns ? -EBUSY
                                                                                  : SHIM_LATER;
}

/* Return 0 if a channel has no work, or if it was waited for long enough. */
static int idle_waits(node *n, uint32_t id)
{
    const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&n->k, id);
    while (n->k.state == GPUCMD_NOUVEAU_VM && n->k.jobs != 0 && pump(n, SLICE)) {
    }
    return n->k.state != GPUCMD_NOUVEAU_VM && ch != NULL && ch->queue.first != 0 &&
                   spent_ns() < idle_ns
               ? SHIM_LATER
               : 0;
}

/* Before an ioctl: wait for what the kernel of the file does not know. */
static int before(node *n, uint32_t nr, const void *arg)
{
    uint32_t id;
    int result = 0;
    memcpy(&id, arg, sizeof id);
    n->is_prep = false;
    switch (nr) {
    case DRM_NOUVEAU_GEM_PUSHBUF: return push_waits(n, arg);
    case DRM_NOUVEAU_GEM_CPU_PREP: n->is_prep = true; return prep_waits(n, arg);
    case DRM_NOUVEAU_GPUOBJ_FREE: return idle_waits(n, id);
    case DRM_NOUVEAU_CHANNEL_FREE:
        result = idle_waits(n, id);
        if (result == 0) {
            end_stream(n, id);
        }
        return result;
    default: return 0;
    }
}

/* After GEM_PUSHBUF: execute the job, or let it use its buffers until it ends. */
static int pushed(node *n, uint32_t request, const void *given, struct drm_nouveau_gem_pushbuf *a)
{
    const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&n->k, a->channel);
    const bool waits = (((const struct drm_nouveau_gem_pushbuf *)given)->vram_available & 1) != 0;
    const uint32_t row = (uint32_t)(ch - n->t.channels);
    uint32_t fence;
    if (shim_is_off("memory")) {
        a->vram_available = a->gart_available = 0;
    }
    if (a->nr_push == 0) {
        return 0;
    }
    fence = n->t.jobs[ch->queue.last - 1].fence;
    gpucmd_fence_hold(&n->k.fences, fence);
    if (shim.record != NULL) {
        record_push(n, request, given, a);
    } else {
        run_work(n);
    }
    while (waits && !gpucmd_fence_signalled(&n->k.fences, fence) && pump(n, SLICE)) {
    }
    if (!gpucmd_fence_signalled(&n->k.fences, fence)) {
        use_buffers(n, row, a, fence);
    }
    gpucmd_fence_release(&n->k.fences, fence);
    return waits && ch->killed ? -ENODEV : 0;
}

/* Return whether a recording needs the ioctl. */
static bool is_recorded(uint32_t nr, const void *arg)
{
    uint8_t head[2]; /* of an NVIF message */
    memcpy(head, arg, sizeof head);
    switch (nr) {
    case DRM_NOUVEAU_CHANNEL_ALLOC:
    case DRM_NOUVEAU_CHANNEL_FREE:
    case DRM_NOUVEAU_GROBJ_ALLOC:
    case DRM_NOUVEAU_NOTIFIEROBJ_ALLOC:
    case DRM_NOUVEAU_GPUOBJ_FREE:
    case DRM_NOUVEAU_GEM_NEW: return true;
    case DRM_NOUVEAU_NVIF: return head[1] == GPUCMD_NVIF_NEW || head[1] == GPUCMD_NVIF_DEL;
    default: return false;
    }
}

static bool has_no_vm(void)
{
    return shim_is_off("vm_bind") || shim.record != NULL;
}

static int nouveau_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    const uint32_t kept_bytes = arg_bytes < ARG_BYTES ? arg_bytes : ARG_BYTES;
    const uint32_t request = request_of(nr, arg_bytes);
    const bool is_push =
        nr == DRM_NOUVEAU_GEM_PUSHBUF && arg_bytes >= sizeof(struct drm_nouveau_gem_pushbuf);
    uint64_t given[ARG_BYTES / 8] = {0};
    node *n = node_of(f);
    int result;
    if (strcmp(gpucmd_nouveau_ioctl_name(request), "?") == 0) {
        return -ENOTTY;
    }
    if (nr >= FIRST_OF_VM && nr <= LAST_OF_VM && has_no_vm()) {
        return -EINVAL;
    }
    if (!shim_is_readable((uintptr_t)arg, kept_bytes) ||
        (is_push &&
         !(shim_is_writable((uintptr_t)arg) &&
           shim_is_writable((uintptr_t)arg + sizeof(struct drm_nouveau_gem_pushbuf) - 1)))) {
        return -EFAULT;
    }
    memcpy(given, arg, kept_bytes);
    result = before(n, nr, given);
    if (result != 0) {
        return result;
    }
    if (is_push) { /* a wait comes after the execution */
        ((struct drm_nouveau_gem_pushbuf *)arg)->vram_available &= ~(uint64_t)1;
    }
    n->device.now_ns = shim_now_ns();
    n->handle = 0;
    result = gpucmd_nouveau_kernel_ioctl(&n->k, request, (uintptr_t)arg);
    if (n->handle != 0 && gpucmd_nouveau_kernel_gem(&n->k, n->handle) == NULL) {
        abort(); /* both take the lowest free handle */
    }
    if (result == SHIM_LATER) {
        memcpy(arg, given, kept_bytes);
    } else if (result != 0 && (is_push || nr == EXEC)) {
        shim_count(SHIM_REFUSED, 1);
    } else if (result == 0 && is_push) {
        return pushed(n, request, given, arg);
    } else if (result == 0 && is_recorded(nr, given)) {
        record(n, CALL, request_of(nr, kept_bytes), given, NULL);
    }
    run_work(n);
    return result == -ENOTTY ? SHIM_NO_TTY : result; /* GET_ZCULL_INFO */
}

/* ---- the driver ---- */

static void nouveau_start(void)
{
    if (gpucmd_nv_chip_from_id(shim.gpu->number, &dev.chip) != GPUCMD_OK) {
        abort();
    }
    nouveau_check_start(dev.chip);
    dev.memory_bytes = (uint64_t)(dev.chip < GPUCMD_NV_CHIP_G80 ? 256 : 1024) << 20;
}

static void nouveau_open(shim_file *f)
{
    f->data = NULL;
}

static void nouveau_close(shim_file *f)
{
    node *n = f->data;
    f->data = NULL;
    if (n != NULL) {
        n->handle = 0;
        record(n, CLOSE, 0, NULL, NULL);
        node_close(n);
    }
}

/* 1.3 has no VM. 1.3.0 has no NVIF. */
static void version(int *minor, int *patch)
{
    *minor = has_no_vm() ? 3 : 4;
    *patch = *minor == 3 ? 1 : 2;
    if (shim_is_off("nvif")) {
        *minor = 3;
        *patch = 0;
    }
}

const shim_driver shim_nouveau = {
    .name = "nouveau",
    .major = 1,
    .version = version,
    .caps = (uint64_t)1 << DRM_CAP_PRIME | (uint64_t)1 << DRM_CAP_SYNCOBJ |
            (uint64_t)1 << DRM_CAP_SYNCOBJ_TIMELINE,
    .start = nouveau_start,
    .open = nouveau_open,
    .close = nouveau_close,
    .object_free = object_free,
    .ioctl = nouveau_ioctl,
    .object_import = object_import,
    .linear = linear,
    .job_step = job_step,
    .job_yields = job_yields,
    .job_hangs = job_hangs,
    .job_end = job_end,
    .replay = replay,
};

/* Files of nouveau with a VM: the interface of Linux 6.6 and later, VM_INIT, VM_BIND and EXEC. The
 * model kernel of gpucmd_nv.h answers all ioctls of such a file. This file gives it memory, sync
 * objects and time, which are those of the library.
 *
 * The ioctl of a submission returns after its execution. If work waits for something outside the
 * file, or with --async, a job of the queue executes it. */
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

enum {
    GEMS = 16384,
    VMS = 8,
    MAPS = 65536,
    CHANNELS = 64,
    NAMES = 1024,
    JOBS = 4096,
    ITEMS = 65536,
    FENCES = 16384,
    SLICE = 1 << 15, /* budget of a step */
    PAGE = 4096,
    VM_INIT = 0x10,
    VM_CHANNEL_FREE = 0x03
};

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

/* What was submitted to a channel. */
typedef struct stream {
    nouveau_words words;
    gpucmd_nv_walk walk;
    size_t first_dw; /* of the submission */
    uint64_t va;
    bool open; /* a submission is not checked yet */
} stream;

struct nouveau_vm {
    shim_file *file;
    gpucmd_nouveau_device device;
    gpucmd_nouveau_kernel k;
    gpucmd_nouveau_tables t;
    gpucmd_nouveau_syncs syncs;
    gpucmd_mem process;
    pairs ours;   /* fences of jobs; the library's fence is signalled afterwards */
    pairs theirs; /* fences of others, which a job waits for */
    stream streams[CHANNELS];
    bool queued;     /* a job of the library's queue executes it */
    uint32_t handle; /* of the object that was made last */
};

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
    struct nouveau_vm *vm = user;
    shim_object *o = shim_object_new(vm->file, gem->bytes, 0);
    shim_row *row;
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
    vm->handle = o->handle;
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
static void update_fences(struct nouveau_vm *vm)
{
    size_t kept = 0;
    for (size_t i = 0; i < vm->theirs.count; i++) {
        const pair p = vm->theirs.rows[i];
        if (shim_fence_state(p.seq) == 1) {
            vm->theirs.rows[kept++] = p;
            continue;
        }
        if (gpucmd_fence_signal(&vm->k.fences, p.fence, 0) != GPUCMD_OK) {
            abort();
        }
        gpucmd_fence_release(&vm->k.fences, p.fence);
    }
    vm->theirs.count = kept;
    kept = 0;
    for (size_t i = 0; i < vm->ours.count; i++) {
        const pair p = vm->ours.rows[i];
        if (!gpucmd_fence_signalled(&vm->k.fences, p.fence)) {
            vm->ours.rows[kept++] = p;
            continue;
        }
        shim_fence_signal(p.seq, -vm->k.fences.rows[p.fence - 1].error);
        gpucmd_fence_release(&vm->k.fences, p.fence);
    }
    vm->ours.count = kept;
}

static int find_sync(void *user, uint32_t handle, uint64_t point, uint32_t *fence)
{
    struct nouveau_vm *vm = user;
    const shim_sync *s = shim_sync_of(vm->file, handle);
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
    for (size_t i = 0; i < vm->ours.count; i++) {
        if (vm->ours.rows[i].seq == seq) {
            *fence = vm->ours.rows[i].fence;
            gpucmd_fence_hold(&vm->k.fences, *fence);
            return 0;
        }
    }
    *fence = gpucmd_fence_new(&vm->k.fences, 0, 0);
    if (*fence == 0) {
        return -ENOMEM;
    }
    gpucmd_fence_hold(&vm->k.fences, *fence);
    add_pair(&vm->theirs, *fence, seq);
    return 0;
}

static bool sync_exists(void *user, uint32_t handle)
{
    struct nouveau_vm *vm = user;
    return shim_sync_of(vm->file, handle) != NULL;
}

static void attach_sync(void *user, uint32_t handle, uint64_t point, uint32_t fence)
{
    struct nouveau_vm *vm = user;
    pair *last = NULL;
    if (vm->ours.count != 0) {
        last = &vm->ours.rows[vm->ours.count - 1];
    }
    if (last == NULL || last->fence != fence) { /* the first sync object of this job */
        gpucmd_fence_hold(&vm->k.fences, fence);
        add_pair(&vm->ours, fence, shim_fence_new());
        last = &vm->ours.rows[vm->ours.count - 1];
    }
    shim_sync_set_fence(shim_sync_of(vm->file, handle), point, last->seq);
}

/* ---- execution ---- */

static stream *stream_of(struct nouveau_vm *vm, const gpucmd_nouveau_channel *ch)
{
    return &vm->streams[ch - vm->t.channels];
}

/* Copy a segment out of the memory of its channel. Return the number of words. */
static size_t read_segment(struct nouveau_vm *vm, gpucmd_nouveau_channel *ch, uint64_t va,
                           uint32_t *dw, size_t len_dw)
{
    gpucmd_nouveau_view view;
    gpucmd_mem mem;
    size_t at = 0;
    gpucmd_nouveau_kernel_view(&vm->k, ch, &view, &mem);
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
    struct nouveau_vm *vm = user;
    stream *s = stream_of(vm, ch);
    uint32_t *dw = malloc((size_t)bytes + 4);
    const size_t len_dw =
        dw != NULL ? read_segment(vm, &vm->t.channels[ch - vm->t.channels], va, dw, bytes / 4) : 0;
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine((uint32_t)(ch - vm->t.channels));
    if (!s->open) {
        s->open = true;
        s->first_dw = s->words.len_dw;
        s->va = va;
        gpucmd_nv_walk_init(&s->walk, nouveau_gate(), NULL, 0);
    }
    nouveau_look(&s->words, &s->walk, dw, len_dw, va);
    free(dw);
}

/* Execute a turn of a channel. The pushes of its job have come before. */
static gpucmd_run execute(void *user, gpucmd_nv_channel *gpu, const gpucmd_env *env,
                          uint64_t budget)
{
    struct nouveau_vm *vm = user;
    const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&vm->k, gpu->id);
    stream *s = stream_of(vm, ch);
    const uint64_t start_ns = shim_now_ns();
    gpucmd_run run = GPUCMD_RUN_IDLE;
    if (s->open) {
        s->open = false;
        nouveau_check(&s->words, &s->walk, s->first_dw, s->va);
    }
    if (shim.execute) {
        run = nouveau_run(gpu, env, budget);
    } else {
        gpu->pbdma.gp_get = gpu->pbdma.gp_put;
    }
    shim_count(SHIM_EXEC_NS, shim_now_ns() - start_ns);
    return run;
}

static void saw_stop(void *user, const gpucmd_nouveau_channel *ch, const gpucmd_why *why,
                     bool killed)
{
    (void)user;
    shim_error(SHIM_FAULTS, "nouveau: channel %u: %s %s, address %llx, at %llx%s", ch->id,
               why->name, why->text, (unsigned long long)why->va, (unsigned long long)why->at_va,
               killed ? "; killed" : "");
}

/* The time of the GPU is that of the CPU. */
static uint64_t time_ns(void *user)
{
    (void)user;
    return shim_now_ns();
}

/* Execute at most budget units. Return true if work may continue at once. */
static bool pump(struct nouveau_vm *vm, uint64_t budget)
{
    const uint32_t jobs = vm->k.jobs;
    gpucmd_run run;
    vm->device.now_ns = shim_now_ns();
    update_fences(vm);
    run = gpucmd_nouveau_kernel_run(&vm->k, budget);
    update_fences(vm);
    return run == GPUCMD_RUN_LIMIT || run == GPUCMD_RUN_FAULT || vm->k.jobs != jobs;
}

/* A wait of an ioctl. */
static int progress(void *user)
{
    return pump(user, SLICE) ? 0 : SHIM_LATER;
}

/* A job of the queue that executes the work of a VM. */
static void enqueue(struct nouveau_vm *vm)
{
    shim_job *job;
    if (vm->queued) {
        return;
    }
    job = calloc(1, sizeof *job);
    if (job == NULL) {
        abort();
    }
    vm->queued = true;
    job->fence = shim_fence_new();
    job->key = (uintptr_t)vm;
    job->data = vm;
    job->engine = SHIM_ENGINES - 1;
    shim_queue_add(job);
}

int nouveau_vm_step(struct nouveau_vm *vm)
{
    (void)pump(vm, SLICE);
    return vm->k.jobs == 0 ? 0 : SHIM_LATER;
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

static struct nouveau_vm *vm_new(shim_file *f)
{
    struct nouveau_vm *vm = table(1, sizeof *vm);
    gpucmd_nouveau_device *d = &vm->device;
    vm->file = f;
    make_tables(&vm->t);
    if (gpucmd_nouveau_device_init(d, nouveau_chip()) != GPUCMD_OK) {
        abort();
    }
    d->pci_device = shim.gpu->device;
    d->vram_bytes = nouveau_memory_bytes();
    d->vram_user_bytes = d->vram_bytes;
    d->vram_bar_bytes = d->vram_bytes;
    d->memory = object_memory;
    d->release = object_release;
    d->memory_user = vm;
    if (gpucmd_nouveau_kernel_init(&vm->k, d, &vm->t) != GPUCMD_OK) {
        abort();
    }
    vm->syncs.find = find_sync;
    vm->syncs.exists = sync_exists;
    vm->syncs.attach = attach_sync;
    vm->syncs.user = vm;
    (void)!gpucmd_mem_init(&vm->process, NULL, 0);
    vm->process.find = find_client;
    vm->k.process = &vm->process;
    vm->k.syncs = &vm->syncs;
    vm->k.progress = progress;
    vm->k.progress_user = vm;
    vm->k.exec = execute;
    vm->k.exec_user = vm;
    vm->k.pushed = saw_push;
    vm->k.pushed_user = vm;
    vm->k.stopped = saw_stop;
    vm->k.event = nouveau_methods;
    vm->k.card.time_ns = time_ns;
    return vm;
}

static void vm_free(struct nouveau_vm *vm)
{
#define FREE(name, member, count, type, store) free(vm->t.member);
    GPUCMD_NOUVEAU_TABLES(FREE)
#undef FREE
    for (size_t i = 0; i < CHANNELS; i++) {
        free(vm->streams[i].words.dw);
    }
    free(vm->ours.rows);
    free(vm->theirs.rows);
    free(vm);
}

void nouveau_vm_end(struct nouveau_vm *vm)
{
    vm->queued = false;
    if (vm->file == NULL) { /* closed meanwhile */
        vm_free(vm);
    }
}

/* A channel ends: check the host methods of all its words. */
static void end_stream(struct nouveau_vm *vm, const gpucmd_nouveau_channel *ch)
{
    stream *s = stream_of(vm, ch);
    nouveau_check_host(&s->words);
    free(s->words.dw);
    memset(s, 0, sizeof *s);
}

void nouveau_vm_close(struct nouveau_vm *vm)
{
    while (vm->k.jobs != 0 && pump(vm, SLICE)) {
    }
    for (size_t i = 0; i < CHANNELS; i++) {
        if (vm->t.channels[i].used) {
            end_stream(vm, &vm->t.channels[i]);
        }
    }
    gpucmd_nouveau_kernel_close(&vm->k);
    update_fences(vm);
    for (size_t i = 0; i < vm->theirs.count; i++) { /* nothing waits for them any more */
        gpucmd_fence_release(&vm->k.fences, vm->theirs.rows[i].fence);
    }
    if (vm->queued) {
        vm->file = NULL; /* the job frees it */
    } else {
        vm_free(vm);
    }
}

int nouveau_vm_import(struct nouveau_vm *vm, const shim_object *o)
{
    const shim_row *row = shim_row_at(o->storage->row);
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
    result = gpucmd_nouveau_kernel_import(&vm->k, &gem, &handle);
    if (result == 0) {
        o->storage->refs++;
        if (handle != o->handle) {
            abort();
        }
    }
    return result;
}

void nouveau_vm_gem_close(struct nouveau_vm *vm, uint32_t handle)
{
    struct gpucmd_drm_nouveau_gem_close arg = {handle, 0};
    (void)gpucmd_nouveau_kernel_ioctl(&vm->k, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, (uintptr_t)&arg);
}

/* Execute what an ioctl has submitted. */
static void run_work(struct nouveau_vm *vm)
{
    while (!shim.async && vm->k.jobs != 0 && pump(vm, SLICE)) {
    }
    if (vm->k.jobs != 0) {
        enqueue(vm);
    }
}

int nouveau_vm_ioctl(shim_file *f, struct nouveau_vm **at, bool fresh, uint32_t nr,
                     uint32_t arg_bytes, void *arg)
{
    const uint32_t request =
        (uint32_t)_IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + nr, arg_bytes);
    struct nouveau_vm *vm = *at;
    int result;
    if (vm == NULL && nr != VM_INIT) {
        return -ENOTTY;
    }
    if (vm == NULL && !fresh) {
        return -ENOSYS;
    }
    if (vm == NULL) {
        vm = vm_new(f);
    }
    if (nr == VM_CHANNEL_FREE && arg_bytes >= 4) {
        uint32_t id;
        memcpy(&id, arg, sizeof id);
        const gpucmd_nouveau_channel *ch = gpucmd_nouveau_kernel_channel(&vm->k, id);
        if (ch != NULL) {
            while (vm->k.jobs != 0 && pump(vm, SLICE)) {
            }
            end_stream(vm, ch);
        }
    }
    if (strcmp(gpucmd_nouveau_ioctl_name(request), "?") == 0) {
        return -ENOTTY;
    }
    vm->device.now_ns = shim_now_ns();
    vm->handle = 0;
    result = gpucmd_nouveau_kernel_ioctl(&vm->k, request, (uintptr_t)arg);
    if (*at == NULL && result != 0) {
        vm_free(vm);
        return result;
    }
    *at = vm;
    if (vm->handle != 0 && gpucmd_nouveau_kernel_gem(&vm->k, vm->handle) == NULL) {
        abort(); /* both take the lowest free handle */
    }
    run_work(vm);
    return result == -ENOTTY ? SHIM_NO_TTY : result; /* GET_ZCULL_INFO */
}

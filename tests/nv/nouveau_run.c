/* nv/nouveau_run.c - execution in the model kernel of nouveau: the complete run of a client, order of
 * binds and jobs, sparse regions, faults, the time limit, jobs of the old interface, close. */
/* suite: kernel */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nouveau.h"

#define ARG    0x7f0000001000u
#define OPS    0x7f0000003000u
#define WAITS  0x7f0000004000u
#define SIGS   0x7f0000005000u
#define PUSHES 0x7f0000006000u

static int io(uint32_t request, void *arg, size_t len_bytes)
{
    memcpy(nouveau_at(ARG), arg, len_bytes);
    const int result = gpucmd_nouveau_kernel_ioctl(&k, request, ARG);
    memcpy(arg, nouveau_at(ARG), len_bytes);
    return result;
}

static uint32_t gem_new(uint64_t bytes, uint32_t domain)
{
    struct gpucmd_drm_nouveau_gem_new a;
    memset(&a, 0, sizeof a);
    a.info.size = bytes;
    a.info.domain = domain;
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_NEW, &a, sizeof a), 0);
    return a.info.handle;
}

static uint32_t channel_new(uint32_t fb, uint32_t tt)
{
    struct gpucmd_drm_nouveau_channel_alloc a;
    memset(&a, 0, sizeof a);
    a.fb_ctxdma_handle = fb;
    a.tt_ctxdma_handle = tt;
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC, &a, sizeof a), 0);
    return (uint32_t)a.channel;
}

static void vm_init(void)
{
    struct gpucmd_drm_nouveau_vm_init a = {(uint64_t)1 << 39, (uint64_t)1 << 39};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_VM_INIT, &a, sizeof a), 0);
}

/* Bind one range; wait and sig: sync objects, 0: none. */
static int bind(uint32_t op, uint32_t flags, uint32_t handle, uint64_t va, uint64_t bytes,
                uint32_t wait, uint32_t sig)
{
    const struct gpucmd_drm_nouveau_vm_bind_op o = {op, flags, handle, 0, va, 0, bytes};
    const struct gpucmd_drm_nouveau_sync w_sync = {0, wait, 0}, s_sync = {0, sig, 0};
    struct gpucmd_drm_nouveau_vm_bind a = {1, 0, wait != 0, sig != 0, WAITS, SIGS, OPS};
    a.flags = wait != 0 || sig != 0;
    memcpy(nouveau_at(OPS), &o, sizeof o);
    memcpy(nouveau_at(WAITS), &w_sync, sizeof w_sync);
    memcpy(nouveau_at(SIGS), &s_sync, sizeof s_sync);
    return io(GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, &a, sizeof a);
}

static int exec(uint32_t channel, uint64_t va, uint32_t bytes, uint32_t wait, uint32_t sig)
{
    const struct gpucmd_drm_nouveau_exec_push p = {va, bytes, 0};
    const struct gpucmd_drm_nouveau_sync w_sync = {0, wait, 0}, s_sync = {0, sig, 0};
    struct gpucmd_drm_nouveau_exec a = {channel, bytes != 0, wait != 0, sig != 0,
                                        WAITS,   SIGS,       PUSHES};
    memcpy(nouveau_at(PUSHES), &p, sizeof p);
    memcpy(nouveau_at(WAITS), &w_sync, sizeof w_sync);
    memcpy(nouveau_at(SIGS), &s_sync, sizeof s_sync);
    return io(GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, &a, sizeof a);
}

static uint32_t syncobj(uint32_t flags)
{
    uint32_t s = 0;
    EQUAL(gpucmd_syncobj_create(&k.syncobjs, flags, &s), 0);
    return s;
}

/* The errno of the fence of a sync object; -1: it has not signalled. */
static int32_t outcome(uint32_t s)
{
    uint32_t fence = 0;
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, s, 0, &fence), 0);
    return gpucmd_fence_signalled(&k.fences, fence) ? k.fences.rows[fence - 1].error : -1;
}

static uint32_t *words_of(uint32_t handle)
{
    const gpucmd_nouveau_gem *const gem = gpucmd_nouveau_kernel_gem(&k, handle);
    return gem != NULL ? (uint32_t *)gem->host : NULL;
}

/* Return word n of an object, which the GPU writes little endian. */
static uint32_t word_at(uint32_t handle, size_t n)
{
    return gpucmd_load32(words_of(handle) + n, GPUCMD_LITTLE_ENDIAN);
}

/* A release of 0xc0ffee to va, Volta and later: 6 words. */
static void release(uint32_t *dw, uint64_t va)
{
    const uint32_t words[6] = {0x20030017, (uint32_t)va, (uint32_t)(va >> 32),
                               0xc0ffee,   0x2001001b,   1};
    gpucmd_store_words(dw, words, 6, GPUCMD_LITTLE_ENDIAN);
}

/* ---- the run of a client ---- */

static unsigned pushes_seen;
static uint64_t last_push_va;

static void saw_push(void *user, const gpucmd_nouveau_channel *ch, uint64_t va, uint32_t bytes)
{
    (void)user;
    pushes_seen++;
    last_push_va = va;
    EQUAL(bytes, 24);
    EQUAL(ch->id, 3);
}

static void client(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c);
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, 0, 0), 0);
    const uint32_t ch = channel_new(0xffffffff, 1);
    EQUAL(ch, 3);
    const uint32_t done = syncobj(0);
    release(words_of(bo), 0x1001000);
    k.pushed = saw_push;
    EQUAL(exec(ch, 0x1000000, 24, 0, done), 0);
    EQUAL(outcome(done), -1); /* nothing has run */
    struct gpucmd_drm_syncobj_wait_arg wait = {NOUVEAU_VA, INT64_MAX, 1, 2, 0, 0};
    memcpy(nouveau_at(NOUVEAU_VA), &done, 4);
    EQUAL(io(GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT, &wait, sizeof wait), 0);
    EQUAL(word_at(bo, 0x1000 / 4), 0xc0ffee);
    EQUAL(pushes_seen, 1);
    EQUAL(last_push_va, 0x1000000);
    /* entry of the ring: address, 6 words and the flag of a client's segment */
    const gpucmd_nouveau_channel *const c = gpucmd_nouveau_kernel_channel(&k, 3);
    EQUAL(gpucmd_load32(&c->ring[0], GPUCMD_LITTLE_ENDIAN), 0x1000000);
    EQUAL(gpucmd_load32(&c->ring[1], GPUCMD_LITTLE_ENDIAN), 0x1a00);
    EQUAL(c->gpu.pbdma.gp_put, 1);
    EQUAL(exec(ch, 0, 0, 0, 0), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1000), GPUCMD_RUN_IDLE);
    EQUAL(bind(1, 0, 0, 0x1000000, 0x10000, 0, 0), 0);
    struct gpucmd_drm_nouveau_channel_free f = {3};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_FREE, &f, sizeof f), 0);
    struct gpucmd_drm_nouveau_gem_close close = {1, 0};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, &close, sizeof close), 0);
    close.handle = 2;
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, &close, sizeof close), 0);
    EQUAL(nouveau_live, 0);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- order ---- */

/* A job waits for its fences, later jobs of the channel wait for it; other channels do not. */
static void order(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c);
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, 0, 0), 0);
    const uint32_t a = channel_new(0, 0), b = channel_new(0xffffffff, 0x30);
    EQUAL(b, a + 1);
    const uint32_t first = syncobj(0), second = syncobj(0), other = syncobj(0), gate = syncobj(0);
    release(words_of(bo), 0x1001000);
    release(words_of(bo) + 64, 0x1002000);
    /* gate has a fence of channel b, which is not submitted to run yet */
    EQUAL(exec(b, 0, 0, 0, gate), 0);
    EQUAL(exec(a, 0x1000000, 24, gate, first), 0);
    EQUAL(exec(a, 0x1000100, 24, 0, second), 0);
    EQUAL(exec(b, 0, 0, 0, other), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1), GPUCMD_RUN_LIMIT);
    EQUAL(outcome(gate), 0);
    EQUAL(outcome(first), -1);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(outcome(first), 0);
    EQUAL(outcome(second), 0);
    EQUAL(outcome(other), 0);
    EQUAL(word_at(bo, 0x2000 / 4), 0xc0ffee);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* A fence that nothing signals: the caller's. Return its sync object. */
static uint32_t never(uint32_t *fence)
{
    const uint32_t s = syncobj(0);
    *fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, s, *fence), 0);
    return s;
}

/* Binds of a file run in their order; the tree changes at once, what the GPU sees later. */
static void binds(void)
{
    uint32_t fence;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c), done = syncobj(0), after = syncobj(0);
    const uint32_t gate = never(&fence);
    const gpucmd_nouveau_vm *const vm = &k.t.vms[k.vm - 1];
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, gate, done), 0);
    EQUAL(bind(1, 0, 0, 0x1004000, 0x1000, 0, after), 0);
    EQUAL(bind(1, 0, 0, 0x1008000, 0x1000, 0, 0),
          0); /* synchronous: returns 0, but waits in the queue */
    EQUAL(k.jobs, 3);
    CHECK(gpucmd_space_find(&k.maps, &vm->pages, 0) == NULL);
    EQUAL(gpucmd_space_find(&k.maps, &vm->tree, 0)->bytes, 0x4000);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 100), GPUCMD_RUN_BLOCKED);
    /* the object lives as long as a job or a mapping needs it */
    struct gpucmd_drm_nouveau_gem_close close = {bo, 0};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, &close, sizeof close), 0);
    EQUAL(bind(1, 0, 0, 0x1000000, 0x10000, 0, 0), 0);
    EQUAL(nouveau_live, 1);
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    gpucmd_fence_release(&k.fences, fence);
    EQUAL(outcome(done), -1);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 2), GPUCMD_RUN_IDLE);
    EQUAL(outcome(done), 0);
    EQUAL(outcome(after), 0);
    EQUAL(nouveau_live, 0);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* A MAP into a region that a job will remove waits for this job. */
static void dirty_regions(void)
{
    uint32_t fence;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c), done = syncobj(0);
    EQUAL(bind(0, 0x100, 0, 0x2000000, 0x200000, 0, 0), 0);
    EQUAL(bind(1, 0x100, 0, 0x2000000, 0x200000, never(&fence), done), 0);
    EQUAL(bind(1, 0x100, 0, 0x2000000, 0x200000, 0, done), -2); /* already asked for */
    k.progress = NULL;
    EQUAL(bind(0, 0, bo, 0x2000000, 0x10000, 0, 0), -4);
    EQUAL(bind(0, 0x100, 0, 0x2100000, 0x10000, 0, 0), -4);
    k.progress = nouveau_progress;
    EQUAL(bind(0, 0, bo, 0x2000000, 0x10000, 0, 0), -62); /* the progress function gives up */
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    gpucmd_fence_release(&k.fences, fence);
    EQUAL(bind(0, 0, bo, 0x21f8000, 0x10000, 0, 0), 0); /* no region there any more */
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- memory ---- */

/* A sparse region reads 0 and swallows writes; a mapping in it wins; other addresses fault. */
static void sparse_memory(void)
{
    gpucmd_nouveau_view view;
    gpucmd_mem mem;
    uint64_t v = 1;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c), ch = channel_new(0, 0);
    EQUAL(bind(0, 0x100, 0, 0x2000000, 0x200000, 0, 0), 0);
    EQUAL(bind(0, 0, bo, 0x2010000, 0x10000, 0, 0), 0);
    gpucmd_nouveau_kernel_view(&k, gpucmd_nouveau_kernel_channel(&k, ch), &view, &mem);
    EQUAL(gpucmd_mem_write64(&mem, 0x2000008, GPUCMD_LITTLE_ENDIAN, 77), GPUCMD_OK);
    EQUAL(gpucmd_mem_read64(&mem, 0x2000008, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_OK);
    EQUAL(v, 0);
    EQUAL(gpucmd_mem_write64(&mem, 0x2010008, GPUCMD_LITTLE_ENDIAN, 77), GPUCMD_OK);
    EQUAL(word_at(bo, 2), 77);
    EQUAL(gpucmd_mem_write64(&mem, 0x2200000, GPUCMD_LITTLE_ENDIAN, 77), GPUCMD_FAULT);
    /* the addresses of the channel are not the client's, but for its ring */
    EQUAL(gpucmd_mem_read64(&mem, (uint64_t)1 << 39, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    EQUAL(bind(1, 0, 0, 0x2010000, 0x10000, 0, 0), 0); /* the sparse page appears again */
    gpucmd_nouveau_kernel_view(&k, gpucmd_nouveau_kernel_channel(&k, ch), &view, &mem);
    EQUAL(gpucmd_mem_read64(&mem, 0x2010008, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_OK);
    EQUAL(v, 0);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- faults ---- */

static gpucmd_why why_seen;
static unsigned kills_seen, stops_seen;

static void saw_stop(void *user, const gpucmd_nouveau_channel *ch, const gpucmd_why *why,
                     bool killed)
{
    (void)user;
    (void)ch;
    why_seen = *why;
    stops_seen++;
    kills_seen += killed;
}

/* A fault kills the channel: its jobs end with ENODEV, later ones too; the VM and other channels stay. */
static void faults(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    k.stopped = saw_stop;
    const uint32_t bo = gem_new(0x10000, 0x2c);
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, 0, 0), 0);
    const uint32_t ch = channel_new(0, 0), other = channel_new(0, 0);
    const uint32_t bad = syncobj(0), next = syncobj(0), good = syncobj(0), late = syncobj(0);
    uint32_t fence;
    release(words_of(bo), 0x5000000); /* not mapped */
    release(words_of(bo) + 64, 0x1001000);
    EQUAL(exec(ch, 0x1000000, 24, 0, bad), 0);
    EQUAL(exec(ch, 0x1000100, 24, 0, next), 0);
    const uint32_t gate = never(&fence);
    EQUAL(exec(ch, 0x1000100, 24, gate, late), 0);
    EQUAL(exec(other, 0x1000100, 24, 0, good), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_FAULT);
    EQUAL(outcome(bad), 19);
    EQUAL(outcome(next), 19); /* it had begun */
    EQUAL(outcome(late), -1);
    EQUAL(kills_seen, 1);
    EQUAL(why_seen.kind, GPUCMD_WHY_MEMORY);
    EQUAL(why_seen.va, 0x5000000);
    EQUAL(exec(ch, 0, 0, 0, 0), -19);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    EQUAL(outcome(good), 0);
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    gpucmd_fence_release(&k.fences, fence);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(outcome(late), 19);
    struct gpucmd_drm_nouveau_channel_free f = {(int32_t)ch};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_FREE, &f, sizeof f), 0);
    EQUAL(channel_new(0, 0), ch);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* The time limit: 10 s since a job of the channel began or ended. */
static void limit(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c), ch = channel_new(0, 0), s = syncobj(0);
    const uint32_t t = syncobj(0);
    static const uint32_t acquire[6] = {0x20030017, 0x1001000, 0, 1, 0x2001001b, 0};
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, 0, 0), 0);
    gpucmd_store_words(words_of(bo), acquire, 6, GPUCMD_LITTLE_ENDIAN);
    EQUAL(exec(ch, 0x1000000, 24, 0, s), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    nouveau_gpu.now_ns = 9999999999u;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    EQUAL(exec(ch, 0, 0, 0, t), 0); /* a job begins: the timer is set anew */
    nouveau_gpu.now_ns = 19999999998u;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    nouveau_gpu.now_ns++;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_FAULT);
    EQUAL(outcome(s), 125);
    EQUAL(outcome(t), 125);
    EQUAL(exec(ch, 0, 0, 0, 0), -19);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- CHANNEL_FREE, CPU_PREP, close ---- */

static void ends(void)
{
    uint32_t fence;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c), ch = channel_new(0, 0), s = syncobj(0);
    const uint32_t t = syncobj(0);
    struct gpucmd_drm_nouveau_gem_cpu_prep prep = {bo, 1};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep), 0);
    EQUAL(exec(ch, 0, 0, 0, s), 0);
    EQUAL(exec(ch, 0, 0, never(&fence), t), 0);
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep), -16);
    prep.flags = 0;
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep), -16); /* 30 s are over */
    struct gpucmd_drm_nouveau_channel_free f = {(int32_t)ch};
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_FREE, &f, sizeof f), 0);
    EQUAL(outcome(s), 0);
    EQUAL(outcome(t), 3); /* cancelled */
    EQUAL(io(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep), 0);
    gpucmd_fence_release(&k.fences, fence);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* VM_INIT again: channels keep the old space, new ones get the new one. */
static void second_vm(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t bo = gem_new(0x10000, 0x2c);
    EQUAL(bind(0, 0, bo, 0x1000000, 0x10000, 0, 0), 0);
    const uint32_t old = channel_new(0, 0), s = syncobj(0), t = syncobj(0);
    release(words_of(bo), 0x1001000);
    vm_init();
    const uint32_t new_ch = channel_new(0, 0);
    EQUAL(exec(old, 0x1000000, 24, 0, s), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(outcome(s), 0);
    EQUAL(exec(new_ch, 0x1000000, 24, 0, t), 0);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_FAULT);
    EQUAL(outcome(t), 19);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* What a channel sees: mappings in any order, gaps, the addresses that the kernel keeps, its ring. */
static void views(void)
{
    gpucmd_nouveau_view view;
    gpucmd_mem mem;
    uint8_t *host;
    uint64_t bytes;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    vm_init();
    const uint32_t a = gem_new(0x10000, 0x2c), ch = channel_new(0, 0);
    gpucmd_nouveau_channel *const channel = gpucmd_nouveau_kernel_channel(&k, ch);
    uint8_t *const ram = (uint8_t *)words_of(a);
    EQUAL(bind(0, 0, a, 0x1000000, 0x10000, 0, 0), 0);
    EQUAL(bind(0, 0, a, 0x3000000, 0x4000, 0, 0), 0);
    EQUAL(bind(0, 0, a, 0x2000000, 0x8000, 0, 0), 0);
    gpucmd_nouveau_kernel_view(&k, channel, &view, &mem);
    static const struct {
        uint64_t va, bytes;
        uint32_t offset;
    } rows[] = {
        {0x1008000, 0x8000,  0x8000},
        {0x1000000, 0x10000, 0     },
        {0x2000010, 0x7ff0,  0x10  },
        {0x100ffff, 1,       0xffff},
        {0x3003000, 0x1000,  0x3000},
        {0x2007000, 0x1000,  0x7000},
        {0x1000004, 0xfffc,  4     },
        {0x3000000, 0x4000,  0     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_mem_span(&mem, rows[i].va, 1 << 20, GPUCMD_ACCESS_WRITE, &host, &bytes),
              GPUCMD_OK);
        CHECK(host == ram + rows[i].offset);
        EQUAL(bytes, rows[i].bytes);
    }
    const uint64_t nothing[] = {0,         0xffffff,  0x1010000,   0x2008000,
                                0x2ffffff, 0x3004000, channel->va, (uint64_t)1 << 46};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        EQUAL(gpucmd_mem_span(&mem, nothing[i], 1, GPUCMD_ACCESS_READ, &host, &bytes),
              GPUCMD_FAULT);
    }
    EQUAL(gpucmd_mem_span(&mem, channel->va + 0x10008, 8, GPUCMD_ACCESS_READ, &host, &bytes),
          GPUCMD_OK);
    CHECK(host == (uint8_t *)&channel->ring[2]);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- the table of system calls ---- */

static void node(void)
{
    gpucmd_sys_ops sys;
    gpucmd_sys_map map;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GA102));
    k.process = NULL;
    gpucmd_nouveau_kernel_sys(&k, &sys);
    EQUAL(sys.sys_open(sys.user, "/dev/dri/renderD128", GPUCMD_SYS_O_RDWR), 3);
    struct gpucmd_drm_nouveau_gem_new a;
    memset(&a, 0, sizeof a);
    a.info.size = 0x2000;
    a.info.domain = GPUCMD_NOUVEAU_GEM_DOMAIN_GART;
    EQUAL(sys.sys_ioctl(sys.user, 3, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_NEW, &a), 0);
    memset(&map, 0, sizeof map);
    map.len_bytes = 0x2000;
    map.flags = GPUCMD_SYS_MAP_SHARED;
    map.fd = 3;
    map.off_bytes = a.info.map_handle;
    EQUAL(sys.sys_mmap(sys.user, &map), 0);
    CHECK(map.addr == gpucmd_nouveau_kernel_gem(&k, a.info.handle)->host);
    map.len_bytes = 0x3000;
    EQUAL(sys.sys_mmap(sys.user, &map), -22);
    map.off_bytes++;
    EQUAL(sys.sys_mmap(sys.user, &map), -22);
    map.flags = 2;
    EQUAL(sys.sys_mmap(sys.user, &map), -22);
    EQUAL(sys.sys_close(sys.user, 3), 0);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

int main(void)
{
    client();
    order();
    binds();
    dirty_regions();
    sparse_memory();
    faults();
    limit();
    ends();
    second_vm();
    views();
    node();
    return test_report("nv/nouveau_run");
}

/* A busy GPU, by raw ioctls: a batch that spins until the CPU ends it, what is busy meanwhile, sync
 * files and timelines, order of engines, a hang and its context. Needs run --async. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

#include "client.h"

enum { END = 0x05000000, START = 0x18800000, STORE = 0x10000000, PAGE = 4096 };

static int node;
static int gen;

static void show(const char *name, bool good)
{
    printf("%s %s\n", name, good ? "RIGHT" : "WRONG");
}

/* Call an ioctl. Return 0 or a negative errno. */
static int call(unsigned long request, void *arg)
{
    int result;
    do {
        result = ioctl(node, request, arg);
    } while (result != 0 && errno == EINTR);
    return result != 0 ? -errno : 0;
}

static uint32_t create(void)
{
    struct drm_i915_gem_create a = {.size = PAGE};
    client_need(call(DRM_IOCTL_I915_GEM_CREATE, &a) == 0, "create");
    return a.handle;
}

static uint32_t *map(uint32_t handle)
{
    struct drm_i915_gem_mmap_gtt a = {.handle = handle};
    void *at;
    client_need(call(DRM_IOCTL_I915_GEM_MMAP_GTT, &a) == 0, "mmap offset");
    at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    client_need(at != MAP_FAILED, "mmap");
    return at;
}

static uint32_t busy(uint32_t handle)
{
    struct drm_i915_gem_busy a = {.handle = handle};
    client_need(call(DRM_IOCTL_I915_GEM_BUSY, &a) == 0, "busy");
    return a.busy;
}

static int wait_ns(uint32_t handle, int64_t timeout_ns)
{
    struct drm_i915_gem_wait a = {.bo_handle = handle, .timeout_ns = timeout_ns};
    return call(DRM_IOCTL_I915_GEM_WAIT, &a);
}

/* A submission: the batch, a target that it writes (0: none), flags, context, fences. */
typedef struct submission {
    uint32_t batch, target;
    uint64_t flags;
    uint32_t context;
    int in, out;
    struct drm_i915_gem_exec_fence *fence;
    struct drm_i915_gem_relocation_entry *relocs;
    uint32_t reloc_count;
} submission;

static int submit(submission *s)
{
    struct drm_i915_gem_exec_object2 list[2];
    struct drm_i915_gem_execbuffer2 a;
    int err;
    memset(list, 0, sizeof list);
    memset(&a, 0, sizeof a);
    list[0].handle = s->target;
    list[0].flags = EXEC_OBJECT_WRITE;
    list[1].handle = s->batch;
    list[1].relocs_ptr = (uintptr_t)s->relocs;
    list[1].relocation_count = s->reloc_count;
    a.buffers_ptr = (uintptr_t)(s->target != 0 ? list : list + 1);
    a.buffer_count = s->target != 0 ? 2 : 1;
    a.flags = s->flags;
    a.rsvd1 = s->context;
    a.rsvd2 = (uint32_t)s->in;
    a.cliprects_ptr = (uintptr_t)s->fence;
    a.num_cliprects = s->fence != NULL;
    err = call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &a);
    s->out = (int)(a.rsvd2 >> 32);
    return err;
}

/* Write a batch that jumps to its own start until its first word becomes END. */
static uint32_t *spin(submission *s, struct drm_i915_gem_relocation_entry *reloc)
{
    uint32_t *dw;
    memset(s, 0, sizeof *s);
    s->batch = create();
    dw = map(s->batch);
    dw[0] = 0;
    dw[1] = START | (gen >= 8 ? 1u << 8 | 1 : gen >= 6 ? 1u << 8 : 0);
    memset(reloc, 0, sizeof *reloc);
    reloc->target_handle = s->batch;
    reloc->offset = 8;
    reloc->presumed_offset = ~0ull;
    reloc->read_domains = I915_GEM_DOMAIN_COMMAND;
    s->relocs = reloc;
    s->reloc_count = 1;
    return dw;
}

/* Write a batch that stores value to the start of the target. */
static void store(submission *s, struct drm_i915_gem_relocation_entry *reloc, uint32_t target,
                  uint32_t value)
{
    const uint32_t at = gen >= 8 ? 1 : 2;
    uint32_t *dw;
    memset(s, 0, sizeof *s);
    s->batch = create();
    s->target = target;
    dw = map(s->batch);
    dw[0] = STORE | 2 | (gen < 6 ? 1u << 22 : 0);
    dw[3] = value;
    dw[4] = END;
    memset(reloc, 0, sizeof *reloc);
    reloc->target_handle = target;
    reloc->offset = at * 4;
    reloc->presumed_offset = ~0ull;
    reloc->read_domains = I915_GEM_DOMAIN_INSTRUCTION;
    reloc->write_domain = I915_GEM_DOMAIN_INSTRUCTION;
    s->relocs = reloc;
    s->reloc_count = 1;
}

static bool is_readable(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN) != 0;
}

/* The spinner is busy until the CPU ends it; its sync file becomes readable. */
static void check_spinner(void)
{
    struct drm_i915_gem_relocation_entry reloc;
    submission s;
    uint32_t *dw = spin(&s, &reloc);
    s.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
    client_need(submit(&s) == 0, "submit");
    show("BUSY", (busy(s.batch) >> 16) == 1);
    show("ETIME", wait_ns(s.batch, 1000000) == -ETIME);
    show("UNREADABLE", !is_readable(s.out, 0));
    dw[0] = END;
    show("READABLE", is_readable(s.out, 2000));
    show("WAIT", wait_ns(s.batch, -1) == 0);
    show("IDLE", busy(s.batch) == 0);
    close(s.out);
}

/* A store waits for a sync file, on the same engine or on another one; objects order work too. */
static void check_order(uint64_t other)
{
    struct drm_i915_gem_relocation_entry reloc[3];
    const uint32_t target = create();
    const uint32_t *value = map(target);
    submission a, b, c;
    uint32_t *dw = spin(&a, &reloc[0]);
    a.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
    client_need(submit(&a) == 0, "submit");
    store(&b, &reloc[1], target, 1);
    b.flags = other | I915_EXEC_FENCE_IN;
    b.in = a.out;
    client_need(submit(&b) == 0, "submit");
    store(&c, &reloc[2], target, 2);
    c.flags = I915_EXEC_RENDER;
    client_need(submit(&c) == 0, "submit");
    usleep(20000);
    show("HELD", *(volatile const uint32_t *)value == 0 && busy(target) != 0);
    show("WRITER", (busy(target) & 0xffff) != 0);
    dw[0] = END;
    show("ORDER", wait_ns(target, -1) == 0 && *(volatile const uint32_t *)value == 2);
    close(a.out);
}

/* Closing the handles of a spinner does not end it; a syncobj is signalled with it. */
static void check_close(void)
{
    struct drm_syncobj_create create_sync = {0};
    struct drm_i915_gem_exec_fence fence = {0};
    struct drm_i915_gem_relocation_entry reloc;
    struct drm_syncobj_wait w = {0};
    struct drm_gem_close gone = {0};
    submission s;
    uint32_t *dw = spin(&s, &reloc);
    client_need(call(DRM_IOCTL_SYNCOBJ_CREATE, &create_sync) == 0, "syncobj");
    fence.handle = create_sync.handle;
    fence.flags = I915_EXEC_FENCE_SIGNAL;
    s.fence = &fence;
    s.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_ARRAY;
    client_need(submit(&s) == 0, "submit");
    gone.handle = s.batch;
    client_need(call(DRM_IOCTL_GEM_CLOSE, &gone) == 0, "close");
    w.handles = (uintptr_t)&create_sync.handle;
    w.count_handles = 1;
    show("PENDING", call(DRM_IOCTL_SYNCOBJ_WAIT, &w) == -ETIME);
    dw[0] = END;
    w.timeout_nsec = INT64_MAX;
    show("SIGNALLED", call(DRM_IOCTL_SYNCOBJ_WAIT, &w) == 0);
}

/* A batch without end is a hang. A context that is not recoverable may submit no more. */
static void check_hang(void)
{
    struct drm_i915_gem_relocation_entry reloc[2];
    struct drm_i915_gem_context_create context = {0};
    struct drm_i915_gem_context_param p = {.param = I915_CONTEXT_PARAM_RECOVERABLE};
    struct drm_i915_reset_stats stats = {0};
    submission a, b;
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context) == 0, "context");
    p.ctx_id = context.ctx_id;
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "recoverable");
    spin(&a, &reloc[0]);
    a.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
    a.context = context.ctx_id;
    client_need(submit(&a) == 0, "submit");
    store(&b, &reloc[1], create(), 7);
    b.flags = I915_EXEC_RENDER;
    client_need(submit(&b) == 0, "submit");
    show("HANG", is_readable(a.out, 20000));
    stats.ctx_id = context.ctx_id;
    show("GUILTY", call(DRM_IOCTL_I915_GET_RESET_STATS, &stats) == 0 && stats.batch_active == 1);
    show("BANNED", submit(&a) == -EIO);
    show("OTHERS", wait_ns(b.target, -1) == 0 && *map(b.target) == 7);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc == 3, "name of the GPU and its generation");
    gen = atoi(argv[2]);
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    check_spinner();
    if (gen >= 4) { /* on gen3 the store needs rights */
        check_order(I915_EXEC_RENDER);
    }
    if (gen >= 6) {
        check_order(I915_EXEC_BLT);
    }
    check_close();
    if (gen >= 6) {
        check_hang();
    }
    printf("DONE\n");
    return 0;
}

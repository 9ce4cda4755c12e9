/* A busy GPU, by raw ioctls: a batch that spins until the CPU ends it, what is busy meanwhile, sync
 * files and timelines, order of engines, a hang and its context. Needs run --async. */
#include "client_i915.h"

#include <signal.h>
#include <sys/time.h>

static void on_signal(int number)
{
    (void)number;
}

/* A wait that signals interrupt ends in time: the client calls it again for the remaining time. */
static int wait_with_signals(uint32_t handle)
{
    const struct timeval period = {0, 500}, zero = {0, 0};
    const struct itimerval often = {period, period}, never = {zero, zero};
    struct sigaction action;
    int err;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal; /* without SA_RESTART */
    client_need(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
    client_need(setitimer(ITIMER_REAL, &often, NULL) == 0, "timer");
    err = wait_ns(handle, 1000000000);
    client_need(setitimer(ITIMER_REAL, &never, NULL) == 0, "timer");
    return err;
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
    show("INTERRUPTED", wait_with_signals(s.batch) == -ETIME);
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

static uint32_t context_new(void)
{
    struct drm_i915_gem_context_create context = {0};
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context) == 0, "context");
    return context.ctx_id;
}

/* A batch without end is a hang. A context that is not recoverable may submit no more. */
static void check_hang(void)
{
    struct drm_i915_gem_relocation_entry reloc[2];
    struct drm_i915_gem_context_param p = {.param = I915_CONTEXT_PARAM_RECOVERABLE};
    struct drm_i915_reset_stats stats = {0};
    submission a, b;
    p.ctx_id = context_new();
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "recoverable");
    spin(&a, &reloc[0]);
    a.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
    a.context = p.ctx_id;
    client_need(submit(&a) == 0, "submit");
    store(&b, &reloc[1], create(), 7);
    b.flags = I915_EXEC_RENDER;
    client_need(submit(&b) == 0, "submit");
    show("HANG", is_readable(a.out, 20000));
    stats.ctx_id = p.ctx_id;
    show("GUILTY", call(DRM_IOCTL_I915_GET_RESET_STATS, &stats) == 0 && stats.batch_active == 1);
    show("BANNED", submit(&a) == -EIO);
    show("OTHERS", wait_ns(b.target, -1) == 0 && *map(b.target) == 7);
}

static volatile uint32_t *spinning;
static void end_spinner(int number)
{
    (void)number;
    *spinning = END;
}

/* A target has another address in the space of another context: a relocation of a batch waits for
 * the first use of the batch. */
static void check_spaces(void)
{
    struct drm_i915_gem_relocation_entry reloc[3];
    const uint32_t target = create(), context = context_new();
    submission a, b, c;
    uint64_t first;
    store(&c, &reloc[2], create(), 1);
    c.context = context;
    client_need(submit(&c) == 0, "submit"); /* has the first addresses of its space */
    spinning = spin(&a, &reloc[0]);
    client_need(submit(&a) == 0, "submit");
    store(&b, &reloc[1], target, 3);
    client_need(submit(&b) == 0, "submit");
    first = reloc[1].presumed_offset;
    signal(SIGALRM, end_spinner);
    ualarm(50000, 0);
    b.context = context;
    client_need(submit(&b) == 0, "submit");
    show("SPACES", *spinning == END && first != reloc[1].presumed_offset);
    show("BOTH", wait_ns(b.batch, -1) == 0 && *map(target) == 3);
}

static void set_priority(uint32_t context, int priority)
{
    struct drm_i915_gem_context_param p = {.ctx_id = context, .param = I915_CONTEXT_PARAM_PRIORITY};
    p.value = (__u64)priority;
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "priority");
}

/* Each submission has the priority that its context had then, or that of a later one that waits for
 * it: two stores to one object pass the last of three spinners. */
static void check_priority(void)
{
    struct drm_i915_gem_relocation_entry reloc[5];
    const uint32_t spinners = context_new(), low = context_new(), high = context_new();
    const uint32_t target = create();
    uint32_t *dw[3];
    submission s[3], a, b;
    for (int i = 0; i < 3; i++) {
        dw[i] = spin(&s[i], &reloc[i]);
        s[i].context = spinners;
        set_priority(spinners, -10 * i);
        client_need(submit(&s[i]) == 0, "submit");
    }
    store(&a, &reloc[3], target, 4);
    a.context = low;
    set_priority(low, -30);
    client_need(submit(&a) == 0, "submit");
    store(&b, &reloc[4], target, 5);
    b.context = high;
    set_priority(high, -15);
    client_need(submit(&b) == 0, "submit");
    show("LATER", wait_ns(target, 20000000) == -ETIME);
    dw[0][0] = END;
    dw[1][0] = END;
    show("BETWEEN", wait_ns(target, 2000000000) == 0 && *map(target) == 5);
    show("LAST", busy(s[2].batch) != 0);
    dw[2][0] = END;
    client_need(wait_ns(s[2].batch, -1) == 0, "wait");
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
    if (gen >= 8) {
        check_spaces();
    }
    if (gen >= 9) {
        check_priority();
    }
    if (gen >= 6) {
        check_hang();
    }
    printf("DONE\n");
    return 0;
}

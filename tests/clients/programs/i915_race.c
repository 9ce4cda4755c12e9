/* Two threads of a process: one closes objects, contexts and nodes that the other one uses, by raw
 * ioctls. Each answer is that of a live object or that of one that is gone. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "client_i915.h"

enum { ROUNDS = 1000 };

static atomic_uint handle, context;
static atomic_int other = -1; /* a second node */
static atomic_bool done;
static atomic_uint lives, gone, odd;

/* Count an answer. An object that is gone gives -ENOENT, a node -EBADF. */
static void count(int err)
{
    atomic_fetch_add(err == 0 ? &lives : err == -ENOENT || err == -EBADF ? &gone : &odd, 1);
    if (err != 0 && err != -ENOENT && err != -EBADF) {
        printf("ODD %d\n", err);
    }
}

/* Submit an empty batch with an object of the other thread. */
static int submit_empty(uint32_t batch, uint32_t object)
{
    struct drm_i915_gem_exec_object2 list[2] = {{.handle = object}, {.handle = batch}};
    struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = (uintptr_t)list, .buffer_count = 2};
    a.rsvd1 = gen >= 6 ? atomic_load(&context) : 0;
    return call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
}

static void *user(void *unused)
{
    const uint32_t batch = create();
    *(volatile uint32_t *)map(batch) = END;
    while (!atomic_load(&done)) {
        struct drm_i915_gem_busy b = {.handle = atomic_load(&handle)};
        struct drm_i915_gem_mmap_gtt m = {.handle = b.handle};
        struct drm_i915_gem_set_domain d = {.handle = b.handle,
                                            .read_domains = I915_GEM_DOMAIN_CPU};
        struct drm_prime_handle p = {.handle = b.handle, .flags = DRM_CLOEXEC};
        struct drm_i915_gem_create c = {.size = PAGE};
        const int second = atomic_load(&other);
        if (b.handle == 0) {
            continue;
        }
        count(call(DRM_IOCTL_I915_GEM_BUSY, &b));
        count(call(DRM_IOCTL_I915_GEM_MMAP_GTT, &m));
        count(call(DRM_IOCTL_I915_GEM_SET_DOMAIN, &d));
        count(wait_ns(b.handle, -1));
        count(submit_empty(batch, b.handle));
        if (call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &p) == 0) {
            close(p.fd);
        }
        count(ioctl(second, DRM_IOCTL_I915_GEM_CREATE, &c) != 0 ? -errno : 0);
    }
    return unused;
}

static uint32_t new_context(void)
{
    struct drm_i915_gem_context_create a = {0};
    client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &a) == 0, "context");
    return a.ctx_id;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc > 2, "name of the GPU and its generation");
    gen = atoi(argv[2]);
    node = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    client_need(pthread_create(&thread, NULL, user, NULL) == 0, "thread");
    for (int i = 0; i < ROUNDS; i++) {
        struct drm_gem_close gem = {0};
        struct drm_i915_gem_context_destroy c = {0};
        const int second = fcntl(node, F_DUPFD_CLOEXEC, 100 + i % 50);
        client_need(second >= 0, "second descriptor");
        c.ctx_id = gen >= 6 ? new_context() : 0;
        gem.handle = create();
        atomic_store(&context, c.ctx_id);
        atomic_store(&handle, gem.handle);
        atomic_store(&other, second);
        if (i % 4 == 0) {
            sched_yield();
        }
        close(second);
        client_need(call(DRM_IOCTL_GEM_CLOSE, &gem) == 0, "close");
        client_need(gen < 6 || call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &c) == 0, "destroy");
    }
    atomic_store(&done, true);
    client_need(pthread_join(thread, NULL) == 0, "join");
    show("MET", lives > 50 && gone > 50);
    show("ANSWERS", odd == 0);
    printf("DONE\n");
    return wrong != 0;
}

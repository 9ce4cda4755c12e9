/* Raw ioctls of the i915 driver, for programs that check its answers. */
#ifndef CLIENT_I915_H
#define CLIENT_I915_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

#include "client.h"

enum { END = 0x05000000, START = 0x18800000, STORE = 0x10000000, PAGE = 4096 };

static int node;
static int gen; /* first digits of the generation */

static int wrong; /* answers that show has printed as wrong */

static inline void show(const char *name, bool good)
{
    wrong += !good;
    printf("%s %s\n", name, good ? "RIGHT" : "WRONG");
}

/* Call an ioctl. Return 0 or a negative errno. */
static inline int call(unsigned long request, void *arg)
{
    int result;
    do {
        result = ioctl(node, request, arg);
    } while (result != 0 && errno == EINTR);
    return result != 0 ? -errno : 0;
}

static inline uint32_t create(void)
{
    struct drm_i915_gem_create a = {.size = PAGE};
    client_need(call(DRM_IOCTL_I915_GEM_CREATE, &a) == 0, "create");
    return a.handle;
}

static inline uint32_t *map(uint32_t handle)
{
    struct drm_i915_gem_mmap_gtt a = {.handle = handle};
    void *at;
    client_need(call(DRM_IOCTL_I915_GEM_MMAP_GTT, &a) == 0, "mmap offset");
    at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    client_need(at != MAP_FAILED, "mmap");
    return at;
}

static inline uint32_t busy(uint32_t handle)
{
    struct drm_i915_gem_busy a = {.handle = handle};
    client_need(call(DRM_IOCTL_I915_GEM_BUSY, &a) == 0, "busy");
    return a.busy;
}

static inline int wait_ns(uint32_t handle, int64_t timeout_ns)
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

static inline int submit(submission *s)
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
static inline uint32_t *spin(submission *s, struct drm_i915_gem_relocation_entry *reloc)
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
static inline void store(submission *s, struct drm_i915_gem_relocation_entry *reloc,
                         uint32_t target, uint32_t value)
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

static inline bool is_readable(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN) != 0;
}

#endif /* CLIENT_I915_H */

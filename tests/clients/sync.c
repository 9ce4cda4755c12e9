/* Synchronisation objects and sync files. A submission is finished when its ioctl returns, so that
 * a wait on a fence ends at once. A wait on an object without a fence is rejected, with the errno
 * of the kernel. */
#include "shim.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include <libdrm/drm.h>

shim_sync *shim_sync_of(const shim_file *f, uint32_t handle)
{
    return handle >= 1 && handle <= f->sync_count ? f->syncs[handle - 1] : NULL;
}

void shim_sync_put(shim_sync *s)
{
    if (s != NULL && --s->refs == 0) {
        free(s);
    }
}

void shim_syncs_free(shim_file *f)
{
    for (uint32_t i = 0; i < f->sync_count; i++) {
        shim_sync_put(f->syncs[i]);
    }
    free(f->syncs);
    f->syncs = NULL;
    f->sync_count = 0;
}

/* Create a handle in f for s; the handle owns one reference to s. */
static int give(shim_file *f, shim_sync *s, uint32_t *handle)
{
    uint32_t i = 0;
    while (i < f->sync_count && f->syncs[i] != NULL) {
        i++;
    }
    if (i == f->sync_count) {
        const uint32_t count = f->sync_count != 0 ? 2 * f->sync_count : 64;
        shim_sync **more = realloc(f->syncs, count * sizeof *more);
        if (more == NULL) {
            return -ENOMEM;
        }
        for (uint32_t n = f->sync_count; n < count; n++) {
            more[n] = NULL;
        }
        f->syncs = more;
        f->sync_count = count;
    }
    f->syncs[i] = s;
    *handle = i + 1;
    return 0;
}

static int sync_create(shim_file *f, struct drm_syncobj_create *a)
{
    shim_sync *s;
    if ((a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED) != 0) {
        return -EINVAL;
    }
    s = calloc(1, sizeof *s);
    if (s == NULL) {
        return -ENOMEM;
    }
    s->refs = 1;
    s->has_fence = (a->flags & DRM_SYNCOBJ_CREATE_SIGNALED) != 0;
    return give(f, s, &a->handle);
}

static int sync_destroy(shim_file *f, const struct drm_syncobj_destroy *a)
{
    shim_sync *s = shim_sync_of(f, a->handle);
    if (s == NULL) {
        return -EINVAL;
    }
    f->syncs[a->handle - 1] = NULL;
    shim_sync_put(s);
    return 0;
}

/* Create a descriptor that is always readable for poll. */
static int signalled_fd(shim_kind kind, void *data)
{
    const int fd = eventfd(1, EFD_CLOEXEC);
    return fd < 0 ? -errno : shim_fd_add(fd, kind, data) != 0 ? -EMFILE : fd;
}

int shim_sync_file_new(void)
{
    return signalled_fd(SHIM_SYNC_FILE, NULL);
}

static int sync_to_fd(shim_file *f, struct drm_syncobj_handle *a)
{
    shim_sync *s = shim_sync_of(f, a->handle);
    if (s == NULL) {
        return -ENOENT;
    }
    if ((a->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) != 0) {
        a->fd = s->has_fence ? shim_sync_file_new() : -EINVAL;
    } else {
        s->refs++;
        a->fd = signalled_fd(SHIM_SYNCOBJ, s);
    }
    return a->fd < 0 ? a->fd : 0;
}

static int sync_from_fd(shim_file *f, struct drm_syncobj_handle *a)
{
    if ((a->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) != 0) {
        shim_sync *s = shim_sync_of(f, a->handle);
        if (s == NULL) {
            return -ENOENT;
        }
        if (shim_fd_kind(a->fd) != SHIM_SYNC_FILE) {
            return -EINVAL;
        }
        s->has_fence = true;
        return 0;
    }
    if (shim_fd_kind(a->fd) != SHIM_SYNCOBJ) {
        return -EINVAL;
    }
    shim_sync *s = shim_fd_data(a->fd, SHIM_SYNCOBJ);
    s->refs++;
    return give(f, s, &a->handle);
}

/* Arguments of a wait. The first form of the ioctl has no points: points is 0. */
typedef struct wait_args {
    uint64_t handles, points;
    int64_t timeout; /* CLOCK_MONOTONIC, ns */
    uint32_t count, flags;
} wait_args;

/* Wait for one or all of the handles. An object without a fence is rejected without
 * WAIT_FOR_SUBMIT. With WAIT_FOR_SUBMIT another thread may submit until the timeout. */
static int sync_wait(const shim_file *f, const wait_args *a, uint32_t *first)
{
    const uint32_t *handle = (const uint32_t *)(uintptr_t)a->handles;
    const uint64_t *point = (const uint64_t *)(uintptr_t)a->points;
    const uint32_t submits =
        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    uint32_t done = 0;
    if (a->count == 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        const shim_sync *s = shim_sync_of(f, handle[i]);
        if (s == NULL) {
            return -ENOENT;
        }
        if (point != NULL && point[i] != 0 ? s->point >= point[i] : s->has_fence) {
            *first = done++ == 0 ? i : *first;
        } else if ((a->flags & submits) == 0) {
            return -EINVAL;
        }
    }
    if (done == a->count || (done > 0 && (a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) == 0)) {
        return 0;
    }
    return a->timeout > (int64_t)shim_now_ns() ? SHIM_LATER : -ETIME;
}

static int sync_wait_plain(const shim_file *f, struct drm_syncobj_wait *w)
{
    const wait_args a = {w->handles, 0, w->timeout_nsec, w->count_handles, w->flags};
    return sync_wait(f, &a, &w->first_signaled);
}

static int sync_wait_timeline(const shim_file *f, struct drm_syncobj_timeline_wait *w)
{
    const wait_args a = {w->handles, w->points, w->timeout_nsec, w->count_handles, w->flags};
    return sync_wait(f, &a, &w->first_signaled);
}

/* Reset or signal count objects. points is 0, or has one point for each handle. */
static int sync_set(const shim_file *f, uint64_t handles, uint64_t points, uint32_t count,
                    bool has_fence)
{
    const uint32_t *handle = (const uint32_t *)(uintptr_t)handles;
    const uint64_t *point = (const uint64_t *)(uintptr_t)points;
    if (count == 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < count; i++) {
        shim_sync *s = shim_sync_of(f, handle[i]);
        if (s == NULL) {
            return -ENOENT;
        }
        s->has_fence = has_fence;
        s->point = !has_fence ? 0 : point != NULL && point[i] > s->point ? point[i] : s->point;
    }
    return 0;
}

static int sync_query(const shim_file *f, const struct drm_syncobj_timeline_array *a)
{
    const uint32_t *handle = (const uint32_t *)(uintptr_t)a->handles;
    uint64_t *point = (uint64_t *)(uintptr_t)a->points;
    for (uint32_t i = 0; i < a->count_handles; i++) {
        const shim_sync *s = shim_sync_of(f, handle[i]);
        if (s == NULL) {
            return -ENOENT;
        }
        point[i] = s->point;
    }
    return a->count_handles != 0 ? 0 : -EINVAL;
}

static int sync_transfer(const shim_file *f, const struct drm_syncobj_transfer *a)
{
    const shim_sync *src = shim_sync_of(f, a->src_handle);
    shim_sync *dst = shim_sync_of(f, a->dst_handle);
    if (src == NULL || dst == NULL) {
        return -ENOENT;
    }
    if (a->src_point != 0 ? src->point < a->src_point : !src->has_fence) {
        return -EINVAL;
    }
    dst->has_fence = true;
    dst->point = a->dst_point > dst->point ? a->dst_point : dst->point;
    return 0;
}

int shim_sync_ioctl(shim_file *f, uint32_t nr, void *arg)
{
    const struct drm_syncobj_array *a = arg;
    const struct drm_syncobj_timeline_array *p = arg;
    switch (nr) {
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE): return sync_create(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY): return sync_destroy(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD): return sync_to_fd(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE): return sync_from_fd(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT): return sync_wait_plain(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT): return sync_wait_timeline(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
        return sync_set(f, a->handles, 0, a->count_handles, false);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
        return sync_set(f, a->handles, 0, a->count_handles, true);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
        return sync_set(f, p->handles, p->points, p->count_handles, true);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY): return sync_query(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER): return sync_transfer(f, arg);
    default: return -ENOTTY;
    }
}

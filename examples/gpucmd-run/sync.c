/* Synchronisation objects, also as timelines; sync files; timelines of sw_sync. The state of an
 * object is in a row that processes share. A fence is the number of a submission. The name of a
 * sync file holds its fence. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <linux/sync_file.h>
#include <sys/ioctl.h>

shim_sync *shim_sync_of(const shim_file *f, uint32_t handle)
{
    if (handle >= 1 && handle <= f->sync_count) {
        return f->syncs[handle - 1];
    }
    return NULL;
}

void shim_sync_put(shim_sync *s)
{
    if (s != NULL && --s->refs == 0) {
        shim_row_drop(s->row);
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

/* ---- state ---- */

static shim_row *row_of(const shim_sync *s)
{
    return shim_row_at(s->row);
}

/* Remove the points whose fences are signalled. Return the highest signalled point. */
static uint64_t signalled_point(const shim_sync *s)
{
    shim_row *r = row_of(s);
    uint32_t done = 0;
    shim_shared_lock();
    while (done < r->sync.pending && shim_fence_state(r->sync.fences[done]) != 1) {
        r->sync.done_point = r->sync.points[done++];
    }
    for (uint32_t i = done; i < r->sync.pending; i++) {
        r->sync.points[i - done] = r->sync.points[i];
        r->sync.fences[i - done] = r->sync.fences[i];
    }
    r->sync.pending -= done;
    shim_shared_unlock();
    return r->sync.done_point;
}

bool shim_sync_has_fence(const shim_sync *s)
{
    return row_of(s)->sync.has_fence;
}

uint64_t shim_sync_point(const shim_sync *s)
{
    return row_of(s)->sync.point;
}

uint64_t shim_sync_fence(const shim_sync *s, uint64_t point)
{
    const shim_row *r = row_of(s);
    if (point == 0) {
        return r->sync.fence;
    }
    for (uint32_t i = 0; i < r->sync.pending; i++) {
        if (r->sync.points[i] >= point) {
            return r->sync.fences[i];
        }
    }
    return 0;
}

void shim_sync_set_fence(shim_sync *s, uint64_t point, uint64_t fence)
{
    shim_row *r = row_of(s);
    signalled_point(s);
    shim_shared_lock();
    r->sync.has_fence = true;
    r->sync.fence = fence;
    if (point == 0) { /* the fence replaces the timeline */
        r->sync.point = r->sync.done_point = 0;
        r->sync.pending = 0;
    } else if (point > r->sync.point) {
        uint32_t at = SHIM_POINTS - 1;
        if (r->sync.pending < SHIM_POINTS) {
            at = r->sync.pending++;
        }
        r->sync.point = point;
        r->sync.points[at] = point; /* if the array is full, the last points are one */
        r->sync.fences[at] = fence;
    }
    shim_shared_unlock();
    signalled_point(s);
}

/* ---- handles ---- */

/* Create a handle in f for s; the handle owns one reference to s. */
static int give(shim_file *f, shim_sync *s, uint32_t *handle)
{
    uint32_t i = 0;
    while (i < f->sync_count && f->syncs[i] != NULL) {
        i++;
    }
    if (i == f->sync_count) {
        uint32_t count = 64;
        if (f->sync_count != 0) {
            count = 2 * f->sync_count;
        }
        shim_sync **more = realloc(f->syncs, count * sizeof *more);
        if (more == NULL) {
            shim_sync_put(s);
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

/* Create an object for a row that this process holds. NULL: no memory. */
static shim_sync *sync_new(uint32_t row)
{
    shim_sync *s = NULL;
    if (row != 0) {
        s = calloc(1, sizeof *s);
    }
    if (s == NULL) {
        if (row != 0) {
            shim_row_drop(row);
        }
        return NULL;
    }
    s->refs = 1;
    s->row = row;
    return s;
}

shim_sync *shim_sync_of_path(const char *path)
{
    const uint32_t row = shim_row_of_path(path, SHIM_ROW_SYNC);
    return row != 0 && shim_row_hold(row, SHIM_ROW_SYNC) ? sync_new(row) : NULL;
}

static int sync_create(shim_file *f, struct drm_syncobj_create *a)
{
    shim_sync *s;
    if ((a->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED) != 0) {
        return -EINVAL;
    }
    s = sync_new(shim_row_new(SHIM_ROW_SYNC));
    if (s == NULL) {
        return -ENOMEM;
    }
    row_of(s)->sync.has_fence = (a->flags & DRM_SYNCOBJ_CREATE_SIGNALED) != 0;
    return give(f, s, &a->handle);
}

static int sync_destroy(shim_file *f, const struct drm_syncobj_destroy *a)
{
    shim_sync *s = shim_sync_of(f, a->handle);
    if (s == NULL || a->pad != 0) {
        return -EINVAL;
    }
    f->syncs[a->handle - 1] = NULL;
    shim_sync_put(s);
    return 0;
}

/* ---- sync files ---- */

/* Pending sync files of this process: the write end of each pipe. */
static struct waiting {
    uint64_t fence;
    int fd;
} waiting[1024];
static uint32_t waiting_count;

void shim_sync_files_forked(void)
{
    for (uint32_t i = 0; i < waiting_count; i++) {
        close(waiting[i].fd);
    }
    waiting_count = 0;
}

/* Fences that this process has merged. A merged fence ends after both of its parts. */
static struct merged {
    uint64_t fence, part[2];
} merged[256];
static uint32_t merged_count;

static bool merged_update(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < merged_count; i++) {
        const struct merged m = merged[i];
        const int first = shim_fence_state(m.part[0]);
        const int second = shim_fence_state(m.part[1]);
        if (first == 1 || second == 1) {
            merged[kept++] = m;
        } else {
            shim_fence_signal(m.fence, first != 0 ? first : second);
        }
    }
    merged_count = kept;
    return kept != 0;
}

/* Signal a sync file: write a byte to its pipe. This function opens the pipe for reading too, because
 * without a reader the process would get SIGPIPE. */
static void pipe_signal(int fd)
{
    char path[64];
    int both;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    both = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (both < 0 || write(both, "", 1) != 1) {
        shim_log("a sync file was not signalled");
    }
    if (both >= 0) {
        close(both);
    }
}

/* Forget the pending sync files that are closed in all processes. */
static void closed_forget(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < waiting_count; i++) {
        struct pollfd p = {waiting[i].fd, 0, 0};
        if (poll(&p, 1, 0) == 1 && (p.revents & POLLERR) != 0) {
            close(waiting[i].fd);
        } else {
            waiting[kept++] = waiting[i];
        }
    }
    waiting_count = kept;
}

bool shim_sync_files_update(void)
{
    const bool merging = merged_update();
    uint32_t kept = 0;
    for (uint32_t i = 0; i < waiting_count; i++) {
        if (shim_fence_state(waiting[i].fence) == 1) {
            waiting[kept++] = waiting[i];
        } else {
            pipe_signal(waiting[i].fd);
            close(waiting[i].fd);
        }
    }
    waiting_count = kept;
    return kept != 0 || merging;
}

/* A sync file is a pipe, because poll must work. It is readable when its fence is signalled. */
int shim_sync_file_new(uint64_t fence)
{
    const bool pending = shim_fence_state(fence) == 1;
    char path[PATH_MAX];
    int writer;
    int fd;
    if (waiting_count == sizeof waiting / sizeof waiting[0]) {
        closed_forget();
    }
    snprintf(path, sizeof path, "%s/" SHIM_SYNC_DIR "%llu-%d", shim.root, (unsigned long long)fence,
             (int)getpid());
    if (waiting_count == sizeof waiting / sizeof waiting[0] || mkfifo(path, 0666) != 0) {
        return -EMFILE;
    }
    fd = open(path, (pending ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC);
    writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    unlink(path);
    if (fd < 0 || writer < 0 || shim_fd_add(fd, SHIM_SYNC_FILE, (void *)(uintptr_t)fence) != 0) {
        close(fd);
        close(writer);
        return -EMFILE;
    }
    waiting[waiting_count].fence = fence;
    waiting[waiting_count++].fd = shim_move_up(writer);
    shim_sync_files_update();
    return fd;
}

uint64_t shim_sync_file_fence(int fd)
{
    return (uintptr_t)shim_fd_data(fd, SHIM_SYNC_FILE);
}

uint64_t shim_fence_merge(uint64_t first, uint64_t second)
{
    struct merged m = {
        0,
        {first, second}
    };
    if (shim_fence_state(first) != 1) {
        return second;
    }
    if (shim_fence_state(second) != 1) {
        return first;
    }
    if (merged_count == sizeof merged / sizeof merged[0]) {
        return 0;
    }
    m.fence = shim_fence_new();
    merged[merged_count++] = m;
    return m.fence;
}

/* Answer SYNC_IOC_MERGE. */
static int sync_file_merge(uint64_t fence, struct sync_merge_data *a)
{
    uint64_t other = 0;
    if (shim_fd_adopt(a->fd2) == SHIM_SYNC_FILE) {
        other = shim_sync_file_fence(a->fd2);
    }
    struct merged m = {
        0,
        {fence, other}
    };
    if (a->flags != 0 || a->pad != 0) {
        return -EINVAL;
    }
    if (shim_fd_kind(a->fd2) != SHIM_SYNC_FILE) {
        return -ENOENT;
    }
    if (merged_count == sizeof merged / sizeof merged[0]) {
        return -ENOMEM;
    }
    m.fence = shim_fence_new();
    merged[merged_count++] = m;
    a->fence = shim_sync_file_new(m.fence);
    return a->fence < 0 ? a->fence : 0;
}

/* Return the status that SYNC_IOC_FILE_INFO reports for a state of shim_fence_state. */
static int sync_file_status(int state)
{
    if (state < 0) {
        return state;
    }
    return state == 0;
}

/* Answer SYNC_IOC_FILE_INFO for the parts of a fence. A part is 1 signalled, 0 pending, or an
 * errno. */
static int sync_file_info(uint64_t fence, struct sync_file_info *a)
{
    struct sync_fence_info *info = (struct sync_fence_info *)(uintptr_t)a->sync_fence_info;
    uint64_t parts[2] = {fence, 0};
    uint32_t count = 1;
    const int state = shim_fence_state(fence);
    if (a->flags != 0 || a->pad != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < merged_count; i++) {
        if (merged[i].fence == fence) {
            count = 2;
            memcpy(parts, merged[i].part, sizeof parts);
        }
    }
    memset(a->name, 0, sizeof a->name);
    a->status = sync_file_status(state);
    if (a->num_fences != 0 && a->num_fences < count) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < count && a->num_fences != 0; i++) {
        const int part = shim_fence_state(parts[i]);
        memset(&info[i], 0, sizeof info[i]);
        snprintf(info[i].driver_name, sizeof info[i].driver_name, "%s",
                 shim_driver_current()->name);
        info[i].status = sync_file_status(part);
        if (part != 1) {
            info[i].timestamp_ns = shim_now_ns();
        }
    }
    a->num_fences = count;
    return 0;
}

int shim_sync_file_ioctl(int fd, unsigned long request, void *arg)
{
    const uint64_t fence = shim_sync_file_fence(fd);
    if (request == SYNC_IOC_MERGE) {
        return sync_file_merge(fence, arg);
    }
    if (request == SYNC_IOC_FILE_INFO) {
        return sync_file_info(fence, arg);
    }
    return -ENOTTY;
}

/* ---- sw_sync: fences of the CPU ---- */

struct shim_timeline {
    uint32_t refs;
    uint32_t value;
    bool inherited; /* by fork: the parent signals what is left at its end */
    uint32_t count;
    struct {
        uint32_t value;
        uint64_t fence;
    } points[4096];
};

#define SW_SYNC_CREATE _IOWR('W', 0, struct sw_sync_create)
#define SW_SYNC_INC    _IOW('W', 1, uint32_t)

struct sw_sync_create {
    uint32_t value;
    char name[32];
    int32_t fence;
};

shim_timeline *shim_timeline_new(void)
{
    shim_timeline *t = NULL;
    if (shim.async) {
        t = calloc(1, sizeof *t);
    }
    if (t != NULL) {
        t->refs = 1;
    }
    return t;
}

void shim_timeline_inherit(shim_timeline *t)
{
    t->inherited = true;
}

void shim_timeline_hold(shim_timeline *t)
{
    t->refs++;
}

/* Signal the points that the timeline has reached. */
static void timeline_update(shim_timeline *t)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if ((int32_t)(t->points[i].value - t->value) <= 0) {
            shim_fence_signal(t->points[i].fence, 0);
        } else {
            t->points[kept++] = t->points[i];
        }
    }
    t->count = kept;
    shim_sync_files_update();
}

void shim_timeline_put(shim_timeline *t)
{
    if (--t->refs != 0) {
        return;
    }
    for (uint32_t i = 0; i < t->count && !t->inherited; i++) {
        shim_fence_signal(t->points[i].fence, -ENOENT);
    }
    shim_sync_files_update();
    free(t);
}

int shim_timeline_ioctl(shim_timeline *t, unsigned long request, void *arg)
{
    struct sw_sync_create *a = arg;
    if (request == SW_SYNC_INC) {
        t->value += *(const uint32_t *)arg;
        timeline_update(t);
        return 0;
    }
    if (request != SW_SYNC_CREATE) {
        return -ENOTTY;
    }
    if (t->count == sizeof t->points / sizeof t->points[0]) {
        return -ENOMEM;
    }
    t->points[t->count].value = a->value;
    t->points[t->count++].fence = shim_fence_new();
    a->fence = shim_sync_file_new(t->points[t->count - 1].fence);
    if (a->fence < 0) {
        return a->fence;
    }
    timeline_update(t);
    shim_queue_wake();
    return 0;
}

static int sync_to_fd(shim_file *f, struct drm_syncobj_handle *a)
{
    shim_sync *s = shim_sync_of(f, a->handle);
    const uint32_t file = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    if (a->pad != 0 || (a->flags & ~file) != 0) {
        return -EINVAL;
    }
    if (s == NULL) {
        return a->flags != 0 ? -ENOENT : -EINVAL;
    }
    if (a->flags != 0) {
        if (shim_sync_has_fence(s)) {
            a->fd = shim_sync_file_new(shim_sync_fence(s, 0));
        } else {
            a->fd = -EINVAL;
        }
        return a->fd < 0 ? a->fd : 0;
    }
    a->fd = shim_row_export(s->row, 0, O_CLOEXEC);
    if (a->fd < 0) {
        return a->fd;
    }
    s->refs++;
    return shim_fd_add(a->fd, SHIM_SYNCOBJ, s);
}

static int sync_from_fd(shim_file *f, struct drm_syncobj_handle *a)
{
    const shim_kind kind = shim_fd_adopt(a->fd);
    const uint32_t file = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
    if (a->pad != 0 || (a->flags & ~file) != 0) {
        return -EINVAL;
    }
    if (a->flags != 0) {
        shim_sync *s = shim_sync_of(f, a->handle);
        if (kind != SHIM_SYNC_FILE) {
            return -EINVAL;
        }
        if (s == NULL) {
            return -ENOENT;
        }
        shim_sync_set_fence(s, 0, shim_sync_file_fence(a->fd));
        return 0;
    }
    if (kind != SHIM_SYNCOBJ) {
        return -EINVAL;
    }
    shim_sync *s = shim_fd_data(a->fd, SHIM_SYNCOBJ);
    s->refs++;
    return give(f, s, &a->handle);
}

/* ---- waiting ---- */

/* Arguments of a wait. The first form of the ioctl has no points: points is 0. */
typedef struct wait_args {
    uint64_t handles, points;
    int64_t timeout; /* CLOCK_MONOTONIC, ns */
    uint32_t count, flags;
} wait_args;

/* Return whether the wait for one object is over: it has a fence for the point, and the fence is
 * signalled or the wait is only for its availability. *submitted becomes whether it has a fence. */
static bool is_over(const shim_sync *s, uint64_t point, uint32_t flags, bool *submitted)
{
    *submitted = point != 0 ? shim_sync_point(s) >= point : shim_sync_has_fence(s);
    if (!*submitted || (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) != 0) {
        return *submitted;
    }
    if (point != 0) {
        return signalled_point(s) >= point;
    }
    return shim_fence_state(shim_sync_fence(s, 0)) != 1;
}

/* Wait for one or all of the handles. An object without a fence is rejected without
 * WAIT_FOR_SUBMIT. With WAIT_FOR_SUBMIT another thread may submit until the timeout. */
static int sync_wait(const shim_file *f, const wait_args *a, uint32_t *first)
{
    const uint32_t *handle = (const uint32_t *)(uintptr_t)a->handles;
    const uint64_t *point = (const uint64_t *)(uintptr_t)a->points;
    const uint32_t submits =
        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    /* What was signalled during this wait counts as signalled, also if it is reset later. */
    static __thread uint64_t seen, seen_ns;
    uint32_t done = 0;
    if (!(seen_ns == shim_ioctl_begin_ns() && seen_ns != 0)) {
        seen = 0;
    }
    seen_ns = shim_ioctl_begin_ns();
    if (a->count == 0 || (a->flags & ~(submits | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)) != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (shim_sync_of(f, handle[i]) == NULL) {
            return -ENOENT;
        }
    }
    for (uint32_t i = 0; i < a->count; i++) {
        const shim_sync *s = shim_sync_of(f, handle[i]);
        uint64_t bit = 0;
        if (i < 64) {
            bit = (uint64_t)1 << i;
        }
        bool submitted;
        if ((seen & bit) != 0 || is_over(s, point != NULL ? point[i] : 0, a->flags, &submitted)) {
            *first = done++ == 0 ? i : *first;
            seen |= bit;
        } else if (!submitted && (a->flags & submits) == 0) {
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
    if ((w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) != 0) {
        return -EINVAL;
    }
    return sync_wait(f, &a, &w->first_signaled);
}

static int sync_wait_timeline(const shim_file *f, struct drm_syncobj_timeline_wait *w)
{
    const wait_args a = {w->handles, w->points, w->timeout_nsec, w->count_handles, w->flags};
    return sync_wait(f, &a, &w->first_signaled);
}

/* ---- changing ---- */

static void reset(const shim_sync *s)
{
    shim_row *r = row_of(s);
    shim_shared_lock();
    memset(&r->sync, 0, sizeof r->sync);
    shim_shared_unlock();
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
        if (shim_sync_of(f, handle[i]) == NULL) {
            return -ENOENT;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        shim_sync *s = shim_sync_of(f, handle[i]);
        if (!has_fence) {
            reset(s);
        } else {
            shim_sync_set_fence(s, point != NULL ? point[i] : 0, 0);
        }
    }
    return 0;
}

static int sync_query(const shim_file *f, const struct drm_syncobj_timeline_array *a)
{
    const uint32_t *handle = (const uint32_t *)(uintptr_t)a->handles;
    uint64_t *point = (uint64_t *)(uintptr_t)a->points;
    if ((a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED) != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < a->count_handles; i++) {
        const shim_sync *s = shim_sync_of(f, handle[i]);
        if (s == NULL) {
            return -ENOENT;
        }
        point[i] = (a->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED) != 0 ? shim_sync_point(s)
                                                                            : signalled_point(s);
    }
    return a->count_handles != 0 ? 0 : -EINVAL;
}

static int sync_transfer(const shim_file *f, const struct drm_syncobj_transfer *a)
{
    const shim_sync *src = shim_sync_of(f, a->src_handle);
    shim_sync *dst = shim_sync_of(f, a->dst_handle);
    if (a->pad != 0) {
        return -EINVAL;
    }
    if (src == NULL || dst == NULL) {
        return -ENOENT;
    }
    if (a->src_point != 0 ? shim_sync_point(src) < a->src_point : !shim_sync_has_fence(src)) {
        return (a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) != 0 ? SHIM_LATER : -EINVAL;
    }
    shim_sync_set_fence(dst, a->dst_point, shim_sync_fence(src, a->src_point));
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
        return a->pad != 0 ? -EINVAL : sync_set(f, a->handles, 0, a->count_handles, false);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
        return a->pad != 0 ? -EINVAL : sync_set(f, a->handles, 0, a->count_handles, true);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
        return p->flags != 0 ? -EINVAL : sync_set(f, p->handles, p->points, p->count_handles, true);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY): return sync_query(f, arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER): return sync_transfer(f, arg);
    default: return -ENOTTY;
    }
}

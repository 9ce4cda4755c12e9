/* Descriptors that the library emulates, and the ioctls that every DRM driver answers. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <linux/dma-buf.h>

enum { DESCRIPTORS = 65536 };

static struct {
    shim_kind kind;
    void *data;
} table[DESCRIPTORS];

const shim_driver *shim_driver_current(void)
{
    if (strcmp(shim.driver, "xe") == 0) {
        return &shim_xe;
    }
    if (shim.gpu->vendor == SHIM_INTEL) {
        return &shim_i915;
    }
    if (shim.gpu->vendor == SHIM_APPLE) {
        return &shim_asahi;
    }
    return &shim_nouveau;
}

/* ---- descriptors ---- */

shim_kind shim_fd_kind(int fd)
{
    if (fd >= 0 && fd < DESCRIPTORS) {
        return table[fd].kind;
    }
    return SHIM_NONE;
}

void *shim_fd_data(int fd, shim_kind kind)
{
    if (shim_fd_kind(fd) == kind) {
        return table[fd].data;
    }
    return NULL;
}

shim_file *shim_fd_file(int fd)
{
    return shim_fd_data(fd, SHIM_NODE);
}

int shim_fd_add(int fd, shim_kind kind, void *data)
{
    if (fd < 0 || fd >= DESCRIPTORS) {
        return -EMFILE;
    }
    shim_fd_gone(fd);
    table[fd].kind = kind;
    table[fd].data = data;
    return 0;
}

static shim_file *master; /* NULL: no file is the master of the card */

/* The first file of the card becomes its master. */
static int set_master(shim_file *f)
{
    if (f->minor != 0) {
        return -EACCES;
    }
    if (master != NULL && master != f) {
        return -EBUSY;
    }
    master = f;
    f->master = true;
    return 0;
}

static int drop_master(shim_file *f)
{
    if (master != f) {
        return -EINVAL;
    }
    f->master = false;
    master = NULL;
    return 0;
}

int shim_fd_open_node(int fd, uint32_t minor)
{
    static bool started;
    shim_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return -ENOMEM;
    }
    if (!started) {
        started = true;
        shim_memory_start();
        shim_driver_current()->start();
    }
    shim_processes_sweep();
    f->refs = 1;
    f->minor = minor;
    (void)set_master(f);
    if (shim_fd_add(fd, SHIM_NODE, f) != 0) {
        (void)drop_master(f);
        free(f);
        return -EMFILE;
    }
    shim_driver_current()->open(f);
    shim_count(SHIM_OPENS, 1);
    return 0;
}

/* Create an entry for a descriptor whose file in the directory of shared files has that name. */
static void adopt_shared(int fd, const char *name)
{
    static const char fence[] = "fence-";
    shim_storage *s = shim_storage_of_path(name);
    shim_sync *sync = s == NULL ? shim_sync_of_path(name) : NULL;
    if (strncmp(name, fence, sizeof fence - 1) == 0) {
        shim_fd_add(fd, SHIM_SYNC_FILE,
                    (void *)(uintptr_t)strtoull(name + sizeof fence - 1, NULL, 10));
    } else if (s != NULL && shim_fd_add(fd, SHIM_DMABUF, s) != 0) {
        shim_storage_put(s);
    } else if (sync != NULL && shim_fd_add(fd, SHIM_SYNCOBJ, sync) != 0) {
        shim_sync_put(sync);
    }
}

/* Create an entry for a descriptor of another process or from before execve. */
shim_kind shim_fd_adopt(int fd)
{
    static const char shared[] = "/" SHIM_SHARED_DIR "/";
    size_t n = 0;
    if (shim.root != NULL) {
        n = strlen(shim.root);
    }
    char link[64];
    char path[PATH_MAX];
    ssize_t bytes;
    int minor;
    if (n == 0 || fd < 0 || shim_fd_kind(fd) != SHIM_NONE) {
        return shim_fd_kind(fd);
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    bytes = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[bytes > 0 ? bytes : 0] = 0;
    if (strncmp(path, shim.root, n) != 0) {
        return SHIM_NONE;
    }
    minor = shim_path_minor(path + n);
    if (minor >= 0) {
        shim_fd_open_node(fd, (uint32_t)minor);
    } else if (strncmp(path + n, shared, sizeof shared - 1) == 0) {
        adopt_shared(fd, path + n + sizeof shared - 1);
    }
    return shim_fd_kind(fd);
}

void shim_fd_dup(int from, int to)
{
    const shim_kind kind = shim_fd_kind(from);
    void *data = NULL;
    if (kind != SHIM_NONE) {
        data = table[from].data;
    }
    if (kind == SHIM_NONE) {
        shim_fd_gone(to);
        return;
    }
    if (kind == SHIM_NODE) {
        ((shim_file *)data)->refs++;
    } else if (kind == SHIM_DMABUF) {
        ((shim_storage *)data)->refs++;
    } else if (kind == SHIM_SYNCOBJ) {
        ((shim_sync *)data)->refs++;
    } else if (kind == SHIM_TIMELINE) {
        shim_timeline_hold(data);
    }
    if (shim_fd_add(to, kind, data) != 0) {
        shim_log("descriptor %d is too high", to);
    }
}

static void file_put(shim_file *f)
{
    if (--f->refs == 0) {
        (void)drop_master(f);
        shim_queue_retire();
        shim_display_close(f);
        shim_driver_current()->close(f);
        shim_objects_free(f);
        shim_syncs_free(f);
        free(f);
    }
}

void shim_fd_gone(int fd)
{
    const shim_kind kind = shim_fd_kind(fd);
    void *data;
    if (kind == SHIM_NONE) {
        return;
    }
    data = table[fd].data;
    table[fd].kind = SHIM_NONE;
    table[fd].data = NULL;
    if (kind == SHIM_DMABUF) {
        shim_storage_put(data);
    } else if (kind == SHIM_SYNCOBJ) {
        shim_sync_put(data);
    } else if (kind == SHIM_TIMELINE) {
        shim_timeline_put(data);
    } else if (kind == SHIM_NODE) {
        file_put(data);
    }
}

void shim_fds_forked(void)
{
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        if (table[fd].kind == SHIM_TIMELINE) {
            shim_timeline_inherit(table[fd].data);
        }
    }
}

/* ---- descriptors that are not nodes ---- */

short shim_dmabuf_events(int fd)
{
    const shim_storage *s = shim_fd_data(fd, SHIM_DMABUF);
    const uint32_t busy = s != NULL ? shim_storage_busy(s) : 0;
    return (short)(((busy >> 31) == 0 ? POLLIN : 0) | (busy == 0 ? POLLOUT : 0));
}

/* Return a sync file for the work that writes a dma-buf; with DMA_BUF_SYNC_WRITE, for all work. */
static int dmabuf_export(int fd, struct dma_buf_export_sync_file *a)
{
    const shim_storage *s = shim_fd_data(fd, SHIM_DMABUF);
    uint64_t fence;
    int file;
    if ((a->flags & ~(uint32_t)DMA_BUF_SYNC_RW) != 0 || (a->flags & DMA_BUF_SYNC_RW) == 0) {
        return -EINVAL;
    }
    if (!shim_storage_fence(s, (a->flags & DMA_BUF_SYNC_WRITE) != 0, &fence)) {
        return -ENOMEM;
    }
    file = shim_sync_file_new(fence);
    if (file < 0) {
        return file;
    }
    a->fd = file;
    return 0;
}

/* The work of a sync file reads the dma-buf; with DMA_BUF_SYNC_WRITE it also writes it. */
static int dmabuf_import(int fd, const struct dma_buf_import_sync_file *a)
{
    const shim_storage *s = shim_fd_data(fd, SHIM_DMABUF);
    if ((a->flags & ~(uint32_t)DMA_BUF_SYNC_RW) != 0 || (a->flags & DMA_BUF_SYNC_RW) == 0) {
        return -EINVAL;
    }
    if (shim_fd_adopt(a->fd) != SHIM_SYNC_FILE) {
        return -EINVAL;
    }
    if (!shim_storage_add_fence(s, (a->flags & DMA_BUF_SYNC_WRITE) != 0,
                                shim_sync_file_fence(a->fd))) {
        return -ENOMEM;
    }
    return 0;
}

/* Begin CPU access to a dma-buf: wait for work that writes it; for a write, for all work. */
static int dmabuf_ioctl(int fd, unsigned long request, void *arg)
{
    const struct dma_buf_sync *a = arg;
    const short idle = shim_dmabuf_events(fd);
    if (request == DMA_BUF_IOCTL_EXPORT_SYNC_FILE) {
        return dmabuf_export(fd, arg);
    }
    if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE) {
        return dmabuf_import(fd, arg);
    }
    if (request != DMA_BUF_IOCTL_SYNC) {
        return -ENOTTY;
    }
    if ((a->flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK) != 0 ||
        (a->flags & DMA_BUF_SYNC_RW) == 0) {
        return -EINVAL;
    }
    return (a->flags & DMA_BUF_SYNC_END) != 0 ||
                   (idle & ((a->flags & DMA_BUF_SYNC_WRITE) != 0 ? POLLOUT : POLLIN)) != 0
               ? 0
               : SHIM_LATER;
}

int shim_fd_ioctl(int fd, unsigned long request, void *arg)
{
    shim_file *f = shim_fd_file(fd);
    int result;
    switch (shim_fd_kind(fd)) {
    case SHIM_NODE:
        f->refs++; /* a signal handler may close the descriptor meanwhile */
        result = shim_file_ioctl(f, request, arg);
        file_put(f);
        return result;
    case SHIM_DMABUF: return dmabuf_ioctl(fd, request, arg);
    case SHIM_SYNC_FILE: return shim_sync_file_ioctl(fd, request, arg);
    case SHIM_TIMELINE: return shim_timeline_ioctl(table[fd].data, request, arg);
    case SHIM_SYNCOBJ:
    case SHIM_ATTRIBUTE:
    case SHIM_WEDGED:
    case SHIM_NONE: break;
    }
    return SHIM_REAL;
}

/* ---- ioctls of every driver ---- */

/* Copy at most *bytes bytes of text, and write its whole length to *bytes. */
static void version_text(char *to, size_t *bytes, const char *text)
{
    const size_t n = strlen(text);
    if (to != NULL) {
        memcpy(to, text, *bytes < n ? *bytes : n);
    }
    *bytes = n;
}

static int version(struct drm_version *v)
{
    const shim_driver *driver = shim_driver_current();
    v->version_major = driver->major;
    v->version_minor = driver->minor;
    if (driver->version != NULL) {
        driver->version(&v->version_minor, &v->version_patchlevel);
    } else if (driver->older != NULL && shim_is_off(driver->older)) {
        v->version_patchlevel = driver->patch - 1;
    } else {
        v->version_patchlevel = driver->patch;
    }
    version_text(v->name, &v->name_len, driver->name);
    version_text(v->date, &v->date_len, "20201103");
    version_text(v->desc, &v->desc_len, driver->name);
    return 0;
}

/* Agree on versions: of the interface 1.0 to 1.4, of the driver its own and older ones; -1: any. */
static int set_version(const shim_file *f, struct drm_set_version *a)
{
    const shim_driver *driver = shim_driver_current();
    const bool fits =
        (a->drm_di_major == -1 ||
         (a->drm_di_major == 1 && a->drm_di_minor >= 0 && a->drm_di_minor <= 4)) &&
        (a->drm_dd_major == -1 || (a->drm_dd_major == driver->major && a->drm_dd_minor >= 0 &&
                                   a->drm_dd_minor <= driver->minor));
    if (!f->master) {
        return -EACCES;
    }
    a->drm_di_major = 1;
    a->drm_di_minor = 4;
    a->drm_dd_major = driver->major;
    a->drm_dd_minor = driver->minor;
    return fits ? 0 : -EINVAL;
}

/* The display is that of the card; render nodes have none. */
static bool has_display(const shim_file *f)
{
    return shim.display_width != 0 && f->minor == 0;
}

static int get_cap(const shim_file *f, struct drm_get_cap *c)
{
    const bool yes = c->capability < 64 && (shim_driver_current()->caps >> c->capability & 1) != 0;
    uint64_t of_display;
    if (has_display(f) && shim_display_cap(c->capability, &of_display) == 0) {
        c->value = of_display;
        return 0;
    }
    if (!yes) {
        c->value = 0;
    } else if (c->capability == DRM_CAP_PRIME) {
        c->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
    } else {
        c->value = 1;
    }
    return 0;
}

static int prime(shim_file *f, uint32_t nr, struct drm_prime_handle *p)
{
    int fd;
    if (nr == _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE)) {
        return shim_prime_import(f, p->fd, &p->handle);
    }
    if ((p->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR)) != 0) {
        return -EINVAL;
    }
    fd = shim_prime_export(f, p->handle, p->flags);
    if (fd >= 0) {
        p->fd = fd;
    }
    return fd < 0 ? fd : 0;
}

/* No display: no connector, encoder, controller or plane. */
static int no_resources(struct drm_mode_card_res *a)
{
    a->count_fbs = a->count_crtcs = a->count_connectors = a->count_encoders = 0;
    a->min_width = a->min_height = a->max_width = a->max_height = 0;
    return 0;
}

static int no_planes(struct drm_mode_get_plane_res *a)
{
    a->count_planes = 0;
    return 0;
}

/* The name of a PCI device. A text that has no room is not copied. */
static int unique(struct drm_unique *a)
{
    static const char name[] = "pci:0000:00:02.0";
    if (a->unique_len >= sizeof name - 1) {
        memcpy(a->unique, name, sizeof name - 1);
    }
    a->unique_len = sizeof name - 1;
    return 0;
}

static bool is_of_display(uint32_t nr)
{
    return nr == _IOC_NR(DRM_IOCTL_WAIT_VBLANK) || nr == _IOC_NR(DRM_IOCTL_MODE_GETFB2) ||
           (nr >= _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES) && nr < _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE));
}

static int core_ioctl(shim_file *f, uint32_t nr, void *arg)
{
    struct drm_gem_flink *flink = arg;
    struct drm_gem_open *gem_open = arg;
    uint64_t bytes = 0;
    int err;
    switch (nr) {
    case _IOC_NR(DRM_IOCTL_VERSION): return version(arg);
    case _IOC_NR(DRM_IOCTL_GET_CAP): return get_cap(f, arg);
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
        return shim_object_close(f, ((struct drm_gem_close *)arg)->handle);
    case _IOC_NR(DRM_IOCTL_GEM_FLINK): return shim_flink(f, flink->handle, &flink->name);
    case _IOC_NR(DRM_IOCTL_GEM_OPEN):
        err = shim_flink_open(f, gem_open->name, &gem_open->handle, &bytes);
        gem_open->size = bytes;
        return err;
    case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
    case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE): return prime(f, nr, arg);
    case _IOC_NR(DRM_IOCTL_SET_CLIENT_CAP):
        return has_display(f) ? shim_display_client_cap(f, arg) : 0;
    case _IOC_NR(DRM_IOCTL_AUTH_MAGIC): return 0;
    case _IOC_NR(DRM_IOCTL_SET_MASTER): return set_master(f);
    case _IOC_NR(DRM_IOCTL_DROP_MASTER): return drop_master(f);
    case _IOC_NR(DRM_IOCTL_GET_UNIQUE): return unique(arg);
    case _IOC_NR(DRM_IOCTL_SET_VERSION): return set_version(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES): return no_resources(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETPLANERESOURCES): return no_planes(arg);
    case _IOC_NR(DRM_IOCTL_GET_MAGIC): ((struct drm_auth *)arg)->magic = 1; return 0;
    default:
        return nr >= _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES) && nr < _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE)
                   ? -EOPNOTSUPP /* no display */
                   : shim_sync_ioctl(f, nr, arg);
    }
}

void shim_ioctl_interrupted(unsigned long request, void *arg, uint64_t spent_ns)
{
    const uint32_t nr = _IOC_NR(request);
    if (_IOC_TYPE(request) == DRM_IOCTL_BASE && nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END &&
        shim_driver_current()->interrupted != NULL) {
        shim_driver_current()->interrupted(nr - DRM_COMMAND_BASE, arg, spent_ns);
    }
}

int shim_file_ioctl(shim_file *f, unsigned long request, void *arg)
{
    const uint32_t nr = _IOC_NR(request);
    uint64_t copy[32];
    int result;
    shim_count(SHIM_IOCTLS, 1);
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE) {
        return -ENOTTY;
    }
    if ((_IOC_DIR(request) & _IOC_READ) == 0 && _IOC_SIZE(request) <= sizeof copy) {
        memcpy(copy, arg, _IOC_SIZE(request)); /* nothing is written back */
        arg = copy;
    }
    if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END) {
        result = shim_driver_current()->ioctl(f, nr - DRM_COMMAND_BASE, _IOC_SIZE(request), arg);
    } else if (has_display(f) && is_of_display(nr)) {
        result = shim_display_ioctl(f, nr, _IOC_SIZE(request), arg);
    } else {
        result = core_ioctl(f, nr, arg);
    }
    if (result == -ENOTTY) {
        shim_error(SHIM_UNHANDLED, "ioctl 0x%lx (number 0x%x) has no answer", request, nr);
        return -EINVAL;
    }
    return result == SHIM_NO_TTY ? -ENOTTY : result;
}

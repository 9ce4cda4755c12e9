/* The libc symbols that the library replaces. Assembler names define them, so that they do not
 * conflict with the declarations of the C library. On 64-bit Linux a function with 64 in its name
 * is equal to the function without it. */
#include "shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == 8 && sizeof(struct stat) == sizeof(struct stat64),
               "the 64-bit variants are the plain ones");

shim_options shim;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The mutex is not fair: a thread that calls ioctl after ioctl can keep it for seconds. */
static uint32_t waiting;        /* threads that wait to answer an ioctl */
static const void *last_thread; /* that answered one, and since when no other did */
static uint64_t last_begin_ns;
static const uint64_t share_ns = 250000; /* after it, a thread lets others go first */

static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static __thread uint64_t ioctl_begin_ns;

/* A signal handler may close a node during an ioctl of its thread. The node then closes after it. */
static __thread bool in_ioctl;
static __thread int late_close[8];
static __thread int late_closes;

void shim_lock(void)
{
    pthread_mutex_lock(&lock);
}

void shim_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void shim_lock_wait(void)
{
    pthread_cond_wait(&work, &lock);
}

void shim_lock_signal(void)
{
    pthread_cond_signal(&work);
}

uint64_t shim_ioctl_begin_ns(void)
{
    return ioctl_begin_ns;
}

static void forked_prepare(void)
{
    pthread_mutex_lock(&lock);
    shim_shared_fork();
}

static void forked_parent(void)
{
    pthread_mutex_unlock(&lock);
}

static void forked_child(void)
{
    static const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    static const pthread_cond_t fresh_work = PTHREAD_COND_INITIALIZER;
    work = fresh_work;
    lock = fresh; /* a thread of the parent may hold the old one */
    waiting = 0;
    shim_report_forked();
    shim_memory_forked();
    shim_fds_forked();
}

static const char *option(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != 0 ? value : NULL;
}

static bool option_is(const char *name, const char *text)
{
    const char *value = option(name);
    return value != NULL && strcmp(value, text) == 0;
}

/* Start the library at its first use, because other libraries call open before constructors run. */
static void start(void)
{
    static bool started;
    const char *name = option("GPUCMD_CLIENT_GPU");
    if (started) {
        return;
    }
    started = true;
    shim.gpu = name != NULL ? shim_gpu_find(name) : NULL;
    if (shim.gpu == NULL) {
        return;
    }
    shim.driver = shim_gpu_driver(shim.gpu, option("GPUCMD_CLIENT_DRIVER"));
    if (shim.driver == NULL) {
        shim.driver = shim_gpu_driver(shim.gpu, NULL);
    }
    shim.dump = option("GPUCMD_CLIENT_DUMP");
    shim.off = option("GPUCMD_CLIENT_OFF");
    shim.record = option("GPUCMD_CLIENT_RECORD");
    shim.sysroot = option("GPUCMD_CLIENT_SYSROOT");
    shim.memory = option("GPUCMD_CLIENT_MEMORY");
    shim.frames = option("GPUCMD_CLIENT_FRAMES");
    if (option("GPUCMD_CLIENT_DISPLAY") != NULL &&
        sscanf(option("GPUCMD_CLIENT_DISPLAY"), "%ux%u", &shim.display_width,
               &shim.display_height) != 2) {
        shim.display_width = 0;
    }
    shim.trace = option_is("GPUCMD_CLIENT_TRACE", "1");
    shim.check = option_is("GPUCMD_CLIENT_CHECK", "1");
    shim.async = option_is("GPUCMD_CLIENT_ASYNC", "1");
    shim.execute = !option_is("GPUCMD_CLIENT_EXEC", "0");
    shim.root = option("GPUCMD_CLIENT_ROOT");
    if (shim.root != NULL) {
        shim_report_start();
        pthread_atfork(forked_prepare, forked_parent, forked_child);
    }
}

__attribute__((constructor)) static void constructor(void)
{
    start();
}

/* ---- the real functions ---- */

#define EXPORT __attribute__((visibility("default")))

/* Declare real_NAME, a pointer to the libc function. REAL fills it at its first use. */
#define REAL_FUNCTION(type, name, ...) static type (*real_##name)(__VA_ARGS__)
#define REAL(name)                                                                                 \
    ((real_##name == NULL ? real_find(&real_##name, sizeof real_##name, #name) : (void)0),         \
     real_##name)

static void real_find(void *slot, size_t bytes, const char *name)
{
    void *at = dlsym(RTLD_NEXT, name);
    if (at == NULL) {
        abort();
    }
    memcpy(slot, &at, bytes);
}

REAL_FUNCTION(int, openat, int, const char *, int, ...);
REAL_FUNCTION(FILE *, fopen, const char *, const char *);
REAL_FUNCTION(DIR *, opendir, const char *);
REAL_FUNCTION(int, scandir, const char *, struct dirent ***, int (*)(const struct dirent *),
              int (*)(const struct dirent **, const struct dirent **));
REAL_FUNCTION(int, fstatat, int, const char *, struct stat *, int);
REAL_FUNCTION(int, fstat, int, struct stat *);
REAL_FUNCTION(int, statx, int, const char *, int, unsigned, struct statx *);
REAL_FUNCTION(int, faccessat, int, const char *, int, int);
REAL_FUNCTION(ssize_t, readlinkat, int, const char *, char *, size_t);
REAL_FUNCTION(char *, realpath, const char *, char *);
REAL_FUNCTION(int, mount, const char *, const char *, const char *, unsigned long, const void *);
REAL_FUNCTION(int, ioctl, int, unsigned long, ...);
REAL_FUNCTION(int, close, int);
REAL_FUNCTION(int, poll, struct pollfd *, nfds_t, int);
REAL_FUNCTION(int, select, int, fd_set *, fd_set *, fd_set *, struct timeval *);
REAL_FUNCTION(ssize_t, read, int, void *, size_t);
REAL_FUNCTION(ssize_t, write, int, const void *, size_t);
REAL_FUNCTION(int, munmap, void *, size_t);
REAL_FUNCTION(off_t, lseek, int, off_t, int);
REAL_FUNCTION(int, msgctl, int, int, struct msqid_ds *);
REAL_FUNCTION(int, dup, int);
REAL_FUNCTION(int, dup2, int, int);
REAL_FUNCTION(int, dup3, int, int, int);
REAL_FUNCTION(int, fcntl, int, int, ...);
REAL_FUNCTION(void *, mmap, void *, size_t, int, int, int, off_t);

/* ---- opening ---- */

/* Remove the entry of a descriptor that the program opened: the entry is from an earlier file with
 * that number. */
static int taken(int fd)
{
    if (shim_fd_kind(fd) != SHIM_NONE) {
        pthread_mutex_lock(&lock);
        shim_fd_gone(fd);
        pthread_mutex_unlock(&lock);
    }
    return fd;
}

/* Return the kind of a descriptor, also of one that another process sent. */
static shim_kind adopt(int fd)
{
    shim_kind kind = shim_fd_kind(fd);
    if (kind == SHIM_NONE && shim.root != NULL) {
        pthread_mutex_lock(&lock);
        kind = shim_fd_adopt(fd);
        pthread_mutex_unlock(&lock);
    }
    return kind;
}

static void open_timeline(int fd)
{
    shim_timeline *t;
    pthread_mutex_lock(&lock);
    shim_memory_start(); /* the state of fences is in it */
    t = shim_timeline_new();
    if (t != NULL && shim_fd_add(fd, SHIM_TIMELINE, t) != 0) {
        shim_timeline_put(t);
    }
    pthread_mutex_unlock(&lock);
}

/* Note a file of debugfs or sysfs that the program opens to write it. */
static void open_attribute(int fd)
{
    static const char wedged[] = "/i915_wedged";
    char link[64];
    char path[PATH_MAX];
    ssize_t n;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = REAL(readlinkat)(AT_FDCWD, link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    if (strncmp(path, shim.root, strlen(shim.root)) == 0 &&
        strncmp(path + strlen(shim.root), "/sys/", 5) == 0) {
        const bool is_wedged = strcmp(path + n - (sizeof wedged - 1), wedged) == 0;
        pthread_mutex_lock(&lock);
        shim_fd_add(fd, is_wedged ? SHIM_WEDGED : SHIM_ATTRIBUTE, NULL);
        pthread_mutex_unlock(&lock);
    }
}

static int open_any(int dir, const char *path, int flags, mode_t mode)
{
    char buf[PATH_MAX];
    int minor;
    int fd;
    start();
    minor = shim_path_minor(path);
    if (minor < 0) {
        fd = taken(REAL(openat)(dir, shim_path(path, buf), flags, mode));
        if (fd >= 0 && path != NULL && strcmp(path, "/sys/kernel/debug/sync/sw_sync") == 0) {
            open_timeline(fd);
        } else if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY && shim.root != NULL) {
            open_attribute(fd);
        }
        if (fd >= 0 && path != NULL && strncmp(path, "/proc/", 6) == 0) {
            adopt(fd); /* it may be a node that the program opens again */
        }
        return fd;
    }
    fd = taken(
        REAL(openat)(dir, shim_path(path, buf), O_RDONLY | (flags & (O_CLOEXEC | O_NONBLOCK))));
    if (fd >= 0) {
        int err;
        pthread_mutex_lock(&lock);
        err = shim_fd_open_node(fd, (uint32_t)minor);
        pthread_mutex_unlock(&lock);
        if (err != 0) {
            REAL(close)(fd);
            errno = -err;
            return -1;
        }
    }
    return fd;
}

static mode_t open_mode(int flags, va_list args)
{
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
        return va_arg(args, mode_t);
    }
    return 0;
}

#define OPEN(name, symbol)                                                                         \
    EXPORT int name(const char *path, int flags, ...) __asm__(symbol);                             \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list args;                                                                              \
        mode_t mode;                                                                               \
        va_start(args, flags);                                                                     \
        mode = open_mode(flags, args);                                                             \
        va_end(args);                                                                              \
        return open_any(AT_FDCWD, path, flags, mode);                                              \
    }
#define OPENAT(name, symbol)                                                                       \
    EXPORT int name(int dir, const char *path, int flags, ...) __asm__(symbol);                    \
    int name(int dir, const char *path, int flags, ...)                                            \
    {                                                                                              \
        va_list args;                                                                              \
        mode_t mode;                                                                               \
        va_start(args, flags);                                                                     \
        mode = open_mode(flags, args);                                                             \
        va_end(args);                                                                              \
        return open_any(dir, path, flags, mode);                                                   \
    }
OPEN(shim_open, "open")
OPEN(shim_open64, "open64")
OPEN(shim_open_2, "__open_2")
OPEN(shim_open64_2, "__open64_2")
OPENAT(shim_openat, "openat")
OPENAT(shim_openat64, "openat64")
OPENAT(shim_openat_2, "__openat_2")
OPENAT(shim_openat64_2, "__openat64_2")

#define FOPEN(name, symbol)                                                                        \
    EXPORT FILE *name(const char *path, const char *mode) __asm__(symbol);                         \
    FILE *name(const char *path, const char *mode)                                                 \
    {                                                                                              \
        char buf[PATH_MAX];                                                                        \
        FILE *file;                                                                                \
        start();                                                                                   \
        file = REAL(fopen)(shim_path(path, buf), mode);                                            \
        if (file != NULL) {                                                                        \
            taken(fileno(file));                                                                   \
        }                                                                                          \
        return file;                                                                               \
    }
FOPEN(shim_fopen, "fopen")
FOPEN(shim_fopen64, "fopen64")

EXPORT DIR *shim_opendir(const char *path) __asm__("opendir");
DIR *shim_opendir(const char *path)
{
    char buf[PATH_MAX];
    start();
    return REAL(opendir)(shim_path(path, buf));
}

#define SCANDIR(name, symbol)                                                                      \
    EXPORT int name(                                                                               \
        const char *path, struct dirent ***list, int (*filter)(const struct dirent *),             \
        int (*compare)(const struct dirent **, const struct dirent **)) __asm__(symbol);           \
    int name(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),        \
             int (*compare)(const struct dirent **, const struct dirent **))                       \
    {                                                                                              \
        char buf[PATH_MAX];                                                                        \
        start();                                                                                   \
        return REAL(scandir)(shim_path(path, buf), list, filter, compare);                         \
    }
SCANDIR(shim_scandir, "scandir")
SCANDIR(shim_scandir64, "scandir64")

/* ---- stat and readlink ---- */

static int stat_any(int dir, const char *path, struct stat *st, int flags)
{
    char buf[PATH_MAX];
    int minor;
    int result;
    start();
    minor = shim_path_minor(path);
    result = REAL(fstatat)(dir, shim_path(path, buf), st, flags);
    if (result == 0 && minor >= 0) {
        shim_path_stat(minor, st);
    } else if (result == 0 && (flags & AT_EMPTY_PATH) != 0 && shim_fd_file(dir) != NULL) {
        shim_path_stat((int)shim_fd_file(dir)->minor, st);
    }
    return result;
}

static int stat_fd(int fd, struct stat *st)
{
    const int result = REAL(fstat)(fd, st);
    if (result == 0 && shim_fd_file(fd) != NULL) {
        shim_path_stat((int)shim_fd_file(fd)->minor, st);
    }
    return result;
}

#define STAT(name, symbol, flags)                                                                  \
    EXPORT int name(const char *path, struct stat *st) __asm__(symbol);                            \
    int name(const char *path, struct stat *st)                                                    \
    {                                                                                              \
        return stat_any(AT_FDCWD, path, st, flags);                                                \
    }
STAT(shim_stat, "stat", 0)
STAT(shim_stat64, "stat64", 0)
STAT(shim_lstat, "lstat", AT_SYMLINK_NOFOLLOW)
STAT(shim_lstat64, "lstat64", AT_SYMLINK_NOFOLLOW)

/* The stat functions that programs built before glibc 2.33 call. */
#define XSTAT(name, symbol, flags)                                                                 \
    EXPORT int name(int version, const char *path, struct stat *st) __asm__(symbol);               \
    int name(int version, const char *path, struct stat *st)                                       \
    {                                                                                              \
        (void)version;                                                                             \
        return stat_any(AT_FDCWD, path, st, flags);                                                \
    }
XSTAT(shim_xstat, "__xstat", 0)
XSTAT(shim_xstat64, "__xstat64", 0)
XSTAT(shim_lxstat, "__lxstat", AT_SYMLINK_NOFOLLOW)
XSTAT(shim_lxstat64, "__lxstat64", AT_SYMLINK_NOFOLLOW)

#define FSTAT(name, symbol)                                                                        \
    EXPORT int name(int fd, struct stat *st) __asm__(symbol);                                      \
    int name(int fd, struct stat *st)                                                              \
    {                                                                                              \
        return stat_fd(fd, st);                                                                    \
    }
#define FXSTAT(name, symbol)                                                                       \
    EXPORT int name(int version, int fd, struct stat *st) __asm__(symbol);                         \
    int name(int version, int fd, struct stat *st)                                                 \
    {                                                                                              \
        (void)version;                                                                             \
        return stat_fd(fd, st);                                                                    \
    }
FSTAT(shim_fstat, "fstat")
FSTAT(shim_fstat64, "fstat64")
FXSTAT(shim_fxstat, "__fxstat")
FXSTAT(shim_fxstat64, "__fxstat64")

#define FSTATAT(name, symbol)                                                                      \
    EXPORT int name(int dir, const char *path, struct stat *st, int flags) __asm__(symbol);        \
    int name(int dir, const char *path, struct stat *st, int flags)                                \
    {                                                                                              \
        return stat_any(dir, path, st, flags);                                                     \
    }
FSTATAT(shim_fstatat, "fstatat")
FSTATAT(shim_fstatat64, "fstatat64")

EXPORT int shim_statx(int dir, const char *path, int flags, unsigned mask,
                      struct statx *st) __asm__("statx");
int shim_statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    char buf[PATH_MAX];
    int minor;
    int result;
    start();
    minor = shim_path_minor(path);
    if (minor < 0 && (flags & AT_EMPTY_PATH) != 0 && shim_fd_file(dir) != NULL) {
        minor = (int)shim_fd_file(dir)->minor;
    }
    result = REAL(statx)(dir, shim_path(path, buf), flags, mask, st);
    if (result == 0 && minor >= 0) {
        struct stat plain;
        shim_path_stat(minor, &plain);
        st->stx_mode = (uint16_t)plain.st_mode;
        st->stx_rdev_major = major(plain.st_rdev);
        st->stx_rdev_minor = minor(plain.st_rdev);
    }
    return result;
}

EXPORT int shim_access(const char *path, int mode) __asm__("access");
int shim_access(const char *path, int mode)
{
    char buf[PATH_MAX];
    start();
    return REAL(faccessat)(AT_FDCWD, shim_path(path, buf), mode, 0);
}

EXPORT int shim_faccessat(int dir, const char *path, int mode, int flags) __asm__("faccessat");
int shim_faccessat(int dir, const char *path, int mode, int flags)
{
    char buf[PATH_MAX];
    start();
    return REAL(faccessat)(dir, shim_path(path, buf), mode, flags);
}

/* The link of a descriptor of a node names the node, without the tree of the run before it. */
static ssize_t readlink_any(int dir, const char *path, char *to, size_t bytes)
{
    static const char nodes[] = "/dev/dri/";
    char buf[PATH_MAX];
    char link[PATH_MAX];
    ssize_t n;
    size_t tree;
    start();
    if (shim.root == NULL || path == NULL || strncmp(path, "/proc/", 6) != 0) {
        return REAL(readlinkat)(dir, shim_path(path, buf), to, bytes);
    }
    n = REAL(readlinkat)(dir, path, link, sizeof link - 1);
    tree = strlen(shim.root);
    link[n > 0 ? n : 0] = 0;
    if (strncmp(link, shim.root, tree) != 0 || strncmp(link + tree, nodes, sizeof nodes - 1) != 0) {
        return REAL(readlinkat)(dir, path, to, bytes);
    }
    n -= (ssize_t)tree;
    if ((size_t)n > bytes) {
        n = (ssize_t)bytes;
    }
    memcpy(to, link + tree, (size_t)n);
    return n;
}

EXPORT ssize_t shim_readlink(const char *path, char *to, size_t bytes) __asm__("readlink");
ssize_t shim_readlink(const char *path, char *to, size_t bytes)
{
    return readlink_any(AT_FDCWD, path, to, bytes);
}

EXPORT ssize_t shim_readlink_chk(const char *path, char *to, size_t bytes,
                                 size_t room) __asm__("__readlink_chk");
ssize_t shim_readlink_chk(const char *path, char *to, size_t bytes, size_t room)
{
    if (bytes > room) {
        abort();
    }
    return readlink_any(AT_FDCWD, path, to, bytes);
}

EXPORT ssize_t shim_readlinkat(int dir, const char *path, char *to,
                               size_t bytes) __asm__("readlinkat");
ssize_t shim_readlinkat(int dir, const char *path, char *to, size_t bytes)
{
    return readlink_any(dir, path, to, bytes);
}

EXPORT char *shim_realpath(const char *path, char *to) __asm__("realpath");
char *shim_realpath(const char *path, char *to)
{
    char buf[PATH_MAX];
    char *result;
    start();
    result = REAL(realpath)(shim_path(path, buf), to);
    shim_path_strip(result);
    return result;
}

EXPORT char *shim_realpath_chk(const char *path, char *to, size_t room) __asm__("__realpath_chk");
char *shim_realpath_chk(const char *path, char *to, size_t room)
{
    if (room < PATH_MAX) {
        abort();
    }
    return shim_realpath(path, to);
}

EXPORT char *shim_canonicalize(const char *path) __asm__("canonicalize_file_name");
char *shim_canonicalize(const char *path)
{
    return shim_realpath(path, NULL);
}

/* igt mounts debugfs, which needs root rights. The emulated debugfs is already mounted. */
EXPORT int shim_mount(const char *source, const char *target, const char *type, unsigned long flags,
                      const void *data) __asm__("mount");
int shim_mount(const char *source, const char *target, const char *type, unsigned long flags,
               const void *data)
{
    start();
    if (shim.root != NULL && type != NULL && strcmp(type, "debugfs") == 0) {
        return 0;
    }
    return REAL(mount)(source, target, type, flags, data);
}

/* ---- descriptors ---- */

static void lock_for_ioctl(void)
{
    if (pthread_mutex_trylock(&lock) != 0) {
        __atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
        pthread_mutex_lock(&lock);
        __atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED);
    }
}

static void unlock_after_ioctl(uint64_t begin_ns, uint64_t now_ns)
{
    static const struct timespec pause_time = {0, 1};
    bool yields;
    if (last_thread != &in_ioctl) {
        last_thread = &in_ioctl;
        last_begin_ns = begin_ns;
    }
    yields = __atomic_load_n(&waiting, __ATOMIC_RELAXED) != 0 && now_ns - last_begin_ns > share_ns;
    pthread_mutex_unlock(&lock);
    if (yields) {
        nanosleep(&pause_time, NULL);
    }
}

/* Answer an ioctl. Before it must wait, execute the work of this process as far as possible. */
static int ioctl_once(int fd, unsigned long request, void *arg)
{
    uint64_t begin_ns, end_ns;
    int result;
    in_ioctl = true;
    lock_for_ioctl();
    begin_ns = shim_now_ns();
    shim_work_begin(begin_ns);
    do {
        result = shim_fd_ioctl(fd, request, arg);
    } while (result == SHIM_LATER && shim_queue_step());
    end_ns = shim_now_ns();
    shim_count(SHIM_DRIVER_NS, end_ns - begin_ns);
    unlock_after_ioctl(begin_ns, end_ns);
    in_ioctl = false;
    while (late_closes > 0) {
        close(late_close[--late_closes]);
    }
    return result;
}

EXPORT int shim_libc_ioctl(int fd, unsigned long request, ...) __asm__("ioctl");
int shim_libc_ioctl(int fd, unsigned long request, ...)
{
    static const struct timespec pause_time = {0, 50000};
    va_list args;
    void *arg;
    int result;
    va_start(args, request);
    arg = va_arg(args, void *);
    va_end(args);
    if (_IOC_TYPE(request) == '>') {
        adopt(fd); /* a sync file of another process */
    }
    if (shim_fd_kind(fd) == SHIM_NONE) {
        if (_IOC_TYPE(request) == 'd' && shim.root != NULL) {
            pthread_mutex_lock(&lock); /* another thread may be closing the node */
            pthread_mutex_unlock(&lock);
        }
        return REAL(ioctl)(fd, request, arg);
    }
    if (_IOC_SIZE(request) != 0 && (uintptr_t)arg < 65536) { /* where Linux maps nothing */
        errno = EFAULT;
        return -1;
    }
    if (shim.async) {
        ioctl_begin_ns = shim_now_ns();
    } else {
        ioctl_begin_ns = 0;
    }
    do {
        result = ioctl_once(fd, request & 0xffffffffu, arg);
        if (result == SHIM_LATER) {
            shim_lock();
            shim_processes_sweep_rarely();
            shim_unlock();
        }
    } while (result == SHIM_LATER && nanosleep(&pause_time, NULL) == 0);
    if (result == SHIM_REAL) {
        return REAL(ioctl)(fd, request, arg);
    }
    if (result == SHIM_LATER) {
        shim_ioctl_interrupted(request & 0xffffffffu, arg, shim_now_ns() - ioctl_begin_ns);
        result = -EINTR;
    }
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
}

/* poll of a dma-buf waits for the work that uses it, that of a node for events of the display. */
static bool is_polled(shim_kind kind)
{
    return (kind == SHIM_DMABUF && shim.async) || (kind == SHIM_NODE && shim.display_width != 0);
}

static short events_of(int fd)
{
    const shim_file *f = shim_fd_file(fd);
    if (f == NULL) {
        return shim_dmabuf_events(fd);
    }
    return f->event_count != 0 ? POLLIN : 0;
}

static int poll_any(struct pollfd *fds, nfds_t count, int64_t timeout_ns)
{
    static const struct timespec pause_time = {0, 200000};
    const uint64_t end_ns = shim_now_ns() + (uint64_t)timeout_ns;
    int ready;
    do {
        ready = REAL(poll)(fds, count, 0);
        for (nfds_t i = 0; i < count && ready >= 0; i++) {
            const bool was = fds[i].revents != 0;
            if (is_polled(adopt(fds[i].fd))) {
                pthread_mutex_lock(&lock);
                fds[i].revents = (short)(events_of(fds[i].fd) & fds[i].events);
                pthread_mutex_unlock(&lock);
                ready += (fds[i].revents != 0) - was;
            }
        }
    } while (ready == 0 && (timeout_ns < 0 || shim_now_ns() < end_ns) &&
             nanosleep(&pause_time, NULL) == 0);
    return ready;
}

static bool polls_any(const struct pollfd *fds, nfds_t count)
{
    bool any = false;
    for (nfds_t i = 0; i < count; i++) {
        any = any || is_polled(shim_fd_kind(fds[i].fd));
    }
    return any;
}

EXPORT int shim_poll(struct pollfd *fds, nfds_t count, int timeout_ms) __asm__("poll");
int shim_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    if (polls_any(fds, count)) {
        return poll_any(fds, count, (int64_t)timeout_ms * 1000000);
    }
    return REAL(poll)(fds, count, timeout_ms);
}

static bool selects_node(int count, const fd_set *reads)
{
    bool any = false;
    for (int fd = 0; fd < count && shim.display_width != 0 && reads != NULL; fd++) {
        any = any || (FD_ISSET(fd, reads) && shim_fd_kind(fd) == SHIM_NODE);
    }
    return any;
}

/* A node can be read if an event of the display is pending. */
EXPORT int shim_select(int count, fd_set *reads, fd_set *writes, fd_set *others,
                       struct timeval *timeout) __asm__("select");
int shim_select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout)
{
    static const struct timespec pause_time = {0, 200000};
    fd_set sets[3], *const given[3] = {reads, writes, others};
    const uint64_t begin_ns = shim_now_ns();
    uint64_t limit_ns = 0;
    bool over = false;
    int ready;
    if (!selects_node(count, reads)) {
        return REAL(select)(count, reads, writes, others, timeout);
    }
    if (timeout != NULL) {
        limit_ns = (uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_usec * 1000;
    }
    do {
        struct timeval none = {0, 0};
        over = timeout != NULL && shim_now_ns() - begin_ns >= limit_ns;
        for (int i = 0; i < 3; i++) {
            FD_ZERO(&sets[i]);
            sets[i] = given[i] != NULL ? *given[i] : sets[i];
        }
        ready = REAL(select)(count, &sets[0], &sets[1], &sets[2], &none);
        for (int fd = 0; fd < count && ready > 0; fd++) {
            const shim_file *f = shim_fd_file(fd);
            if (f != NULL && FD_ISSET(fd, &sets[0]) && f->event_count == 0) {
                FD_CLR(fd, &sets[0]);
                ready--;
            }
        }
    } while (ready == 0 && !over && nanosleep(&pause_time, NULL) == 0);
    for (int i = 0; i < 3 && (ready > 0 || over); i++) {
        if (given[i] != NULL) {
            *given[i] = sets[i];
        }
    }
    if (ready == 0 && !over) {
        errno = EINTR;
        return -1;
    }
    return ready;
}

/* Read events of the display from a node. Without an event, wait for one. */
static ssize_t read_node(int fd, void *to, size_t bytes)
{
    static const struct timespec pause_time = {0, 200000};
    shim_file *f;
    size_t n = 0;
    do {
        pthread_mutex_lock(&lock);
        f = shim_fd_file(fd);
        if (f != NULL) {
            n = shim_display_read(f, to, bytes);
        }
        pthread_mutex_unlock(&lock);
        if (n == 0 &&
            (f == NULL || f->event_count != 0 || (REAL(fcntl)(fd, F_GETFL) & O_NONBLOCK) != 0)) {
            errno = f == NULL ? EBADF : EAGAIN;
            return f != NULL && f->event_count != 0 ? 0 : -1;
        }
    } while (n == 0 && nanosleep(&pause_time, NULL) == 0);
    if (n == 0) {
        errno = EINTR;
        return -1;
    }
    return (ssize_t)n;
}

EXPORT ssize_t shim_read(int fd, void *to, size_t bytes) __asm__("read");
ssize_t shim_read(int fd, void *to, size_t bytes)
{
    if (shim_fd_kind(fd) == SHIM_NODE && shim.display_width != 0) {
        return read_node(fd, to, bytes);
    }
    return REAL(read)(fd, to, bytes);
}

EXPORT ssize_t shim_read_chk(int fd, void *to, size_t bytes, size_t room) __asm__("__read_chk");
ssize_t shim_read_chk(int fd, void *to, size_t bytes, size_t room)
{
    if (bytes > room) {
        abort();
    }
    return shim_read(fd, to, bytes);
}

/* A write replaces an attribute of the kernel; i915_wedged resets the GPU and keeps its value. */
EXPORT ssize_t shim_write(int fd, const void *data, size_t bytes) __asm__("write");
ssize_t shim_write(int fd, const void *data, size_t bytes)
{
    if (shim_fd_kind(fd) == SHIM_ATTRIBUTE && ftruncate(fd, 0) != 0) {
        return -1;
    }
    if (shim_fd_kind(fd) != SHIM_WEDGED) {
        return REAL(write)(fd, data, bytes);
    }
    pthread_mutex_lock(&lock);
    shim_memory_start();
    shim_queue_reset();
    pthread_mutex_unlock(&lock);
    return (ssize_t)bytes;
}

#define LSEEK(name, symbol)                                                                        \
    EXPORT off_t name(int fd, off_t offset, int whence) __asm__(symbol);                           \
    off_t name(int fd, off_t offset, int whence)                                                   \
    {                                                                                              \
        if (shim_fd_kind(fd) == SHIM_DMABUF && (offset != 0 || whence == SEEK_CUR)) {              \
            errno = EINVAL; /* only its size can be asked for */                                   \
            return -1;                                                                             \
        }                                                                                          \
        return REAL(lseek)(fd, offset, whence);                                                    \
    }
LSEEK(shim_lseek, "lseek")
LSEEK(shim_lseek64, "lseek64")

/* igt enlarges message queues, which needs rights. */
EXPORT int shim_msgctl(int id, int command, struct msqid_ds *arg) __asm__("msgctl");
int shim_msgctl(int id, int command, struct msqid_ds *arg)
{
    const int result = REAL(msgctl)(id, command, arg);
    return result != 0 && errno == EPERM && command == IPC_SET && shim.root != NULL ? 0 : result;
}

EXPORT int shim_close(int fd) __asm__("close");
int shim_close(int fd)
{
    const shim_kind kind = shim_fd_kind(fd);
    int result;
    if (shim_memory_is_fd(fd)) {
        errno = EBADF;
        return -1;
    }
    if (kind == SHIM_NONE) {
        return REAL(close)(fd);
    }
    if (in_ioctl && kind == SHIM_NODE && late_closes < 8) {
        late_close[late_closes++] = fd;
        return 0;
    }
    pthread_mutex_lock(&lock); /* no ioctl meets a descriptor that is only half closed */
    shim_fd_gone(fd);
    result = REAL(close)(fd);
    pthread_mutex_unlock(&lock);
    if (kind == SHIM_DMABUF) {
        shim_rows_sweep(); /* it may have been the last descriptor */
    }
    return result;
}

/* Record descriptor to as a duplicate of descriptor from. */
static int duplicated(int from, int to)
{
    if (to >= 0 && to != from &&
        (shim_fd_kind(from) != SHIM_NONE || shim_fd_kind(to) != SHIM_NONE)) {
        pthread_mutex_lock(&lock);
        shim_fd_dup(from, to);
        pthread_mutex_unlock(&lock);
    }
    return to;
}

EXPORT int shim_dup(int fd) __asm__("dup");
int shim_dup(int fd)
{
    return duplicated(fd, REAL(dup)(fd));
}

EXPORT int shim_dup2(int fd, int to) __asm__("dup2");
int shim_dup2(int fd, int to)
{
    return duplicated(fd, REAL(dup2)(fd, to));
}

EXPORT int shim_dup3(int fd, int to, int flags) __asm__("dup3");
int shim_dup3(int fd, int to, int flags)
{
    return duplicated(fd, REAL(dup3)(fd, to, flags));
}

#define FCNTL(name, symbol)                                                                        \
    EXPORT int name(int fd, int command, ...) __asm__(symbol);                                     \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        va_list args;                                                                              \
        void *arg;                                                                                 \
        int result;                                                                                \
        va_start(args, command);                                                                   \
        arg = va_arg(args, void *);                                                                \
        va_end(args);                                                                              \
        result = REAL(fcntl)(fd, command, arg);                                                    \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result; \
    }
FCNTL(shim_fcntl, "fcntl")
FCNTL(shim_fcntl64, "fcntl64")

static void *mmap_any(void *addr, size_t bytes, int prot, int flags, int fd, off_t off_bytes)
{
    const shim_kind kind =
        fd >= 0 && (flags & MAP_TYPE) != MAP_PRIVATE ? adopt(fd) : shim_fd_kind(fd);
    void *at;
    if ((kind != SHIM_NODE && kind != SHIM_DMABUF) || (flags & MAP_ANONYMOUS) != 0) {
        if ((flags & MAP_FIXED) != 0 && shim.root != NULL) {
            pthread_mutex_lock(&lock);
            shim_memory_unmapped(addr, bytes);
            pthread_mutex_unlock(&lock);
        }
        return REAL(mmap)(addr, bytes, prot, flags, fd, off_bytes);
    }
    pthread_mutex_lock(&lock);
    if (kind == SHIM_NODE) {
        at = shim_memory_map(shim_fd_file(fd), addr, bytes, prot, flags, (uint64_t)off_bytes);
    } else {
        at = shim_prime_map(fd, addr, bytes, prot, flags, (uint64_t)off_bytes);
    }
    pthread_mutex_unlock(&lock);
    return at;
}

/* As the kernel does: wait for the work that uses the memory. */
EXPORT int shim_munmap(void *addr, size_t bytes) __asm__("munmap");
int shim_munmap(void *addr, size_t bytes)
{
    static const struct timespec pause_time = {0, 100000};
    bool busy = true;
    while (busy && shim.async) {
        pthread_mutex_lock(&lock);
        busy = shim_memory_user_busy(addr, bytes) &&
               (shim_queue_step() || shim_memory_user_busy(addr, bytes));
        pthread_mutex_unlock(&lock);
        if (busy) {
            nanosleep(&pause_time, NULL);
        }
    }
    if (shim.root != NULL) {
        pthread_mutex_lock(&lock);
        shim_memory_unmapped(addr, bytes);
        pthread_mutex_unlock(&lock);
    }
    return REAL(munmap)(addr, bytes);
}

#define MMAP(name, symbol)                                                                         \
    EXPORT void *name(void *addr, size_t bytes, int prot, int flags, int fd,                       \
                      off_t off_bytes) __asm__(symbol);                                            \
    void *name(void *addr, size_t bytes, int prot, int flags, int fd, off_t off_bytes)             \
    {                                                                                              \
        return mmap_any(addr, bytes, prot, flags, fd, off_bytes);                                  \
    }
MMAP(shim_mmap, "mmap")
MMAP(shim_mmap64, "mmap64")

/* model.c - a library for LD_PRELOAD: NVIDIA's driver and a GH100 for a program that uses neither
 * CUDA nor anything else than the nodes. A thread is the GPU. It stands in for a GPU in the tests of
 * this directory.
 *   RM_MODEL_WRONG=1    the copy engine takes IMIN for IMAX, so a comparison finds a difference
 *   RM_MODEL_SANDBOX=1  the resource manager does not map memory, so a program needs UVM
 *   RM_MODEL_STOP=1     the GPU rejects each MEM_OP */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "gpucmd_nv.h"

#include "../../examples/hardware/nvidia.h"

#define RM_ARENA_BYTES (16u << 20)
#include "../nv/rm.h"

static gpucmd_sys_ops ops;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t time_ns(void *user)
{
    struct timespec t;
    (void)user;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return ((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec) & ~(uint64_t)31;
}

/* The GPU: it looks at the doorbell all the time. */
static void *run_gpu(void *user)
{
    const struct timespec span = {0, 2000};
    for (;;) {
        (void)pthread_mutex_lock(&lock);
        (void)rm_run();
        (void)pthread_mutex_unlock(&lock);
        (void)nanosleep(&span, NULL);
    }
    return user;
}

/* Replace words of the stream: header in mask and value of the word after it. */
static void edit(uint8_t *words, size_t len_dw)
{
    const bool stops = getenv("RM_MODEL_STOP") != NULL;
    for (size_t i = 0; i + 1 < len_dw; i++) {
        uint8_t *const at = words + 4 * i;
        const uint32_t hdr = gpucmd_load32(at, GPUCMD_LITTLE_ENDIAN);
        const uint32_t dw = gpucmd_load32(at + 4, GPUCMD_LITTLE_ENDIAN);
        if (stops && hdr == 0x2004000au) { /* MEM_OP_A, n 4 */
            gpucmd_store32(at, 0x20040001u, GPUCMD_LITTLE_ENDIAN);
        } else if (!stops && hdr == 0x200180c0u && (dw >> 19 & 1) != 0 && (dw >> 15 & 7) == 0) {
            gpucmd_store32(at + 4, dw ^ 1u << 14, GPUCMD_LITTLE_ENDIAN);
        }
    }
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static int new_fd(void)
{
    int (*const real)(const char *path, int flags, ...) =
        (int (*)(const char *, int, ...))(uintptr_t)next("open");
    return real("/dev/null", O_RDWR | O_CLOEXEC);
}

static void begin(void)
{
    pthread_t thread;
    rm_init(&ops);
    rm.any_doorbell = true;
    rm.sandboxed = getenv("RM_MODEL_SANDBOX") != NULL;
    rm.new_fd = new_fd;
    rm.card.time_ns = time_ns;
    rm.edit = getenv("RM_MODEL_WRONG") != NULL || getenv("RM_MODEL_STOP") != NULL ? edit : NULL;
    (void)pthread_create(&thread, NULL, run_gpu, NULL);
    (void)pthread_detach(thread);
}

static int finish(int status)
{
    (void)pthread_mutex_unlock(&lock);
    if (status < 0) {
        errno = -status;
        return -1;
    }
    return status;
}

static bool is_ours(int fd)
{
    bool ours;
    (void)pthread_once(&once, begin);
    (void)pthread_mutex_lock(&lock);
    ours = fd >= 0 && rm_file_of((uint32_t)fd) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return ours;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT int open(const char *path, int flags, ...);
EXPORT int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;
    va_start(args, flags);
    mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (strncmp(path, "/dev/nvidia", 11) == 0) {
        (void)pthread_once(&once, begin);
        (void)pthread_mutex_lock(&lock);
        return finish(ops.sys_open(NULL, path, (uint32_t)flags));
    }
    return ((int (*)(const char *, int, ...))(uintptr_t)next("open"))(path, flags, mode);
}

EXPORT int close(int fd)
{
    int (*const real)(int fd) = (int (*)(int))(uintptr_t)next("close");
    if (is_ours(fd)) {
        (void)pthread_mutex_lock(&lock);
        (void)ops.sys_close(NULL, fd);
        (void)pthread_mutex_unlock(&lock);
    }
    return real(fd);
}

EXPORT int ioctl(int fd, unsigned long number, ...);
EXPORT int ioctl(int fd, unsigned long number, ...)
{
    va_list args;
    void *arg;
    va_start(args, number);
    arg = va_arg(args, void *);
    va_end(args);
    if (is_ours(fd)) {
        (void)pthread_mutex_lock(&lock);
        return finish(ops.sys_ioctl(NULL, fd, (uint32_t)number, arg));
    }
    return ((int (*)(int, unsigned long, ...))(uintptr_t)next("ioctl"))(fd, number, arg);
}

EXPORT void *mmap(void *addr, size_t len_bytes, int prot, int flags, int fd, off_t off)
{
    if ((flags & MAP_ANONYMOUS) == 0 && is_ours(fd)) {
        gpucmd_sys_map map = {addr, len_bytes, (uint32_t)prot, (uint32_t)flags, fd, (uint64_t)off};
        (void)pthread_mutex_lock(&lock);
        return finish(ops.sys_mmap(NULL, &map)) == 0 ? map.addr : MAP_FAILED;
    }
    return ((void *(*)(void *, size_t, int, int, int, off_t))(uintptr_t)next("mmap"))(
        addr, len_bytes, prot, flags, fd, off);
}

EXPORT int munmap(void *addr, size_t len_bytes)
{
    const uint8_t *const at = addr;
    const uint8_t *const arena = (const uint8_t *)rm_arena;
    const uint8_t *const page = (const uint8_t *)rm_usermode;
    if ((at >= arena && at < arena + sizeof rm_arena) ||
        (at >= page && at < page + sizeof rm_usermode)) {
        (void)pthread_mutex_lock(&lock);
        return finish(ops.sys_munmap(NULL, addr, len_bytes));
    }
    return ((int (*)(void *, size_t))(uintptr_t)next("munmap"))(addr, len_bytes);
}

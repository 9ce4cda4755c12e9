/* Storage of the objects: one sparse memory file, mapped once. Each object is a range of the file.
 * A range is never used again, so that a stale pointer reads zeros. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t page = 4096;
static uint64_t whole = (uint64_t)64 << 30;

static int memory_fd = -1;
static uint8_t *memory;
static uint64_t next_off = 1 << 20;
static uint64_t end_off;

void shim_memory_start(void)
{
    int fd;
    void *at;
    if (memory != NULL) {
        return;
    }
    fd = memfd_create("gpucmd", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)whole) != 0) {
        return;
    }
    /* Halve the size until mmap succeeds, because resource limits or valgrind may limit it. */
    do {
        at = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    } while (at == MAP_FAILED && (whole /= 2) >= (uint64_t)1 << 30);
    if (at == MAP_FAILED) {
        close(fd);
        return;
    }
    memory_fd = fcntl(fd, F_DUPFD_CLOEXEC,
                      900); /* a high number, so that it does not meet the client's descriptors */
    close(fd);
    memory = at;
    end_off = whole / 2; /* the second half is for child processes */
}

/* In a child process: create objects in a range of the file that the parent does not use. */
void shim_memory_forked(void)
{
    const uint64_t part = whole / 64;
    next_off = part * (uint64_t)(32 + getpid() % 32);
    end_off = next_off + part;
}

bool shim_memory_is_fd(int fd)
{
    return fd >= 0 && fd == memory_fd;
}

static uint64_t round_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) & ~(align - 1);
}

static shim_storage *storage_new(uint64_t bytes, uint64_t align)
{
    const uint64_t off = round_up(next_off, align > page ? align : page);
    shim_storage *s;
    if (memory == NULL || off > end_off || bytes > end_off - off) {
        return NULL;
    }
    s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    next_off = off + bytes;
    s->refs = 1;
    s->off_bytes = off;
    s->bytes = bytes;
    s->host = memory + off;
    return s;
}

void shim_storage_put(shim_storage *s)
{
    if (s == NULL || --s->refs != 0) {
        return;
    }
    if (!s->is_user) {
        fallocate(memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->off_bytes,
                  (off_t)s->bytes);
    }
    free(s);
}

/* Create an object that owns one reference to s. On failure, release that reference and return
 * NULL. */
static shim_object *object_for(shim_file *f, shim_storage *s)
{
    shim_object *o = s != NULL ? calloc(1, sizeof *o) : NULL;
    uint32_t i = 0;
    while (i < f->object_count && f->objects[i] != NULL) {
        i++;
    }
    if (o != NULL && i == f->object_count) {
        const uint32_t count = f->object_count != 0 ? 2 * f->object_count : 256;
        shim_object **more = realloc(f->objects, count * sizeof *more);
        if (more == NULL) {
            free(o);
            o = NULL;
        } else {
            for (uint32_t n = f->object_count; n < count; n++) {
                more[n] = NULL;
            }
            f->objects = more;
            f->object_count = count;
        }
    }
    if (o == NULL) {
        shim_storage_put(s);
        return NULL;
    }
    o->handle = i + 1;
    o->storage = s;
    o->bytes = s->bytes;
    f->objects[i] = o;
    return o;
}

shim_object *shim_object_new(shim_file *f, uint64_t bytes, uint64_t align)
{
    if (bytes == 0 || bytes > whole) {
        return NULL;
    }
    return object_for(f, storage_new(round_up(bytes, page), align));
}

shim_object *shim_object_new_user(shim_file *f, void *host, uint64_t bytes)
{
    shim_storage *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->refs = 1;
    s->bytes = bytes;
    s->host = host;
    s->is_user = true;
    return object_for(f, s);
}

shim_object *shim_object_of(const shim_file *f, uint32_t handle)
{
    return handle >= 1 && handle <= f->object_count ? f->objects[handle - 1] : NULL;
}

int shim_object_close(shim_file *f, uint32_t handle)
{
    const shim_driver *driver = shim_driver_current();
    shim_object *o = shim_object_of(f, handle);
    if (o == NULL) {
        return -EINVAL;
    }
    if (driver->object_free != NULL) {
        driver->object_free(f, o);
    }
    f->objects[handle - 1] = NULL;
    shim_storage_put(o->storage);
    free(o);
    return 0;
}

void shim_objects_free(shim_file *f)
{
    for (uint32_t i = 0; i < f->object_count; i++) {
        if (f->objects[i] != NULL) {
            shim_object_close(f, i + 1);
        }
    }
    free(f->objects);
    f->objects = NULL;
    f->object_count = 0;
}

static void *map_storage(const shim_storage *s, void *addr, size_t bytes, int prot, int flags,
                         uint64_t off_bytes)
{
    if (s->is_user || off_bytes < s->off_bytes || off_bytes - s->off_bytes > s->bytes ||
        bytes > round_up(s->bytes, page) - (off_bytes - s->off_bytes)) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    return mmap(addr, bytes, prot, flags, memory_fd, (off_t)off_bytes);
}

void *shim_memory_map(shim_file *f, void *addr, size_t bytes, int prot, int flags,
                      uint64_t off_bytes)
{
    for (uint32_t i = 0; i < f->object_count; i++) {
        const shim_object *o = f->objects[i];
        if (o != NULL && !o->storage->is_user && off_bytes >= o->storage->off_bytes &&
            off_bytes - o->storage->off_bytes < o->bytes) {
            return map_storage(o->storage, addr, bytes, prot, flags, off_bytes);
        }
    }
    errno = EACCES;
    return MAP_FAILED;
}

/* ---- sharing ---- */

/* Export as a file of the object's size, because clients read the size with lseek. Its pages are
 * never used. */
int shim_prime_export(shim_file *f, uint32_t handle, uint32_t flags)
{
    shim_object *o = shim_object_of(f, handle);
    int fd;
    if (o == NULL || o->storage->is_user) {
        return -ENOENT;
    }
    fd = memfd_create("dmabuf", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
    if (fd < 0 || ftruncate(fd, (off_t)o->bytes) != 0) {
        return -EMFILE;
    }
    o->storage->refs++;
    if (shim_fd_add(fd, SHIM_DMABUF, o->storage) != 0) {
        o->storage->refs--;
        close(fd);
        return -EMFILE;
    }
    return fd;
}

/* Import a storage into f. If f has a handle for this storage, return that handle. */
static int import(shim_file *f, shim_storage *s, uint32_t *handle)
{
    shim_object *o;
    for (uint32_t i = 0; i < f->object_count; i++) {
        if (f->objects[i] != NULL && f->objects[i]->storage == s) {
            *handle = i + 1;
            return 0;
        }
    }
    s->refs++;
    o = object_for(f, s);
    if (o == NULL) {
        return -ENOMEM;
    }
    *handle = o->handle;
    return 0;
}

int shim_prime_import(shim_file *f, int fd, uint32_t *handle)
{
    if (shim_fd_kind(fd) != SHIM_DMABUF) {
        return -EINVAL;
    }
    return import(f, shim_fd_data(fd, SHIM_DMABUF), handle);
}

void *shim_prime_map(int fd, void *addr, size_t bytes, int prot, int flags, uint64_t off_bytes)
{
    const shim_storage *s = shim_fd_data(fd, SHIM_DMABUF);
    return map_storage(s, addr, bytes, prot, flags, s->off_bytes + off_bytes);
}

/* Global names, indexed by number - 1. A name holds a reference to its storage. */
enum { NAMES = 256 };
static shim_storage *names[NAMES];

int shim_flink(shim_file *f, uint32_t handle, uint32_t *name)
{
    const shim_object *o = shim_object_of(f, handle);
    uint32_t i = 0;
    if (o == NULL) {
        return -ENOENT;
    }
    while (i < NAMES && names[i] != NULL && names[i] != o->storage) {
        i++;
    }
    if (i == NAMES) {
        return -ENOSPC;
    }
    if (names[i] == NULL) {
        o->storage->refs++;
        names[i] = o->storage;
    }
    *name = i + 1;
    return 0;
}

int shim_flink_open(shim_file *f, uint32_t name, uint32_t *handle, uint64_t *bytes)
{
    if (name < 1 || name > NAMES || names[name - 1] == NULL) {
        return -ENOENT;
    }
    *bytes = names[name - 1]->bytes;
    return import(f, names[name - 1], handle);
}

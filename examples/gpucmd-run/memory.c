/* Storage of the objects: one sparse memory file, mapped once. Each object is a range of the file.
 * A range is never used again, so that a stale pointer reads zeros. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const uint64_t page = 4096;
static const uint64_t whole = (uint64_t)64 << 30;

static int memory_fd = -1;
static uint8_t *memory;
static uint64_t end_off;       /* of the part that this process maps */
static shim_storage *storages; /* all storages of this process */
static uint64_t user_place;

/* Open the memory file of the run. Without a runner, this process has a memory file of its own. */
static int open_memory(void)
{
    int fd = -1;
    if (shim.memory != NULL) {
        fd = open(shim.memory, O_RDWR | O_CLOEXEC);
    }
    if (fd < 0) {
        fd = memfd_create("gpucmd", MFD_CLOEXEC);
    }
    if (fd >= 0 && ftruncate(fd, (off_t)whole) == 0) {
        return fd;
    }
    return -1;
}

void shim_memory_start(void)
{
    int fd = -1;
    if (memory == NULL) {
        fd = open_memory();
    }
    void *at;
    if (fd < 0) {
        return;
    }
    /* Halve the size until mmap succeeds, because resource limits or valgrind may limit it. */
    end_off = whole;
    do {
        at = mmap(NULL, end_off, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    } while (at == MAP_FAILED && (end_off /= 2) >= (uint64_t)1 << 30);
    memory_fd = fcntl(fd, F_DUPFD_CLOEXEC,
                      900); /* a high number, so that it does not meet the client's descriptors */
    if (at == MAP_FAILED || !shim_shared_start(memory_fd, at)) {
        close(fd);
        return;
    }
    close(fd);
    memory = at;
    user_place = whole;
}

void shim_memory_forked(void)
{
    if (!shim_shared_forked()) {
        memory = NULL;
    }
    shim_record_forked();
    shim_queue_forked();
}

void shim_memory_drop(uint64_t off_bytes, uint64_t bytes)
{
    fallocate(memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)off_bytes,
              (off_t)bytes);
}

uint64_t shim_memory_place(const void *host)
{
    const uintptr_t at = (uintptr_t)host;
    if (at - (uintptr_t)memory < end_off) {
        return at - (uintptr_t)memory;
    }
    for (const shim_storage *s = storages; s != NULL; s = s->next) {
        if (s->is_user && at - (uintptr_t)s->host < s->bytes) {
            return s->off_bytes + (at - (uintptr_t)s->host);
        }
    }
    return 0;
}

void *shim_memory_host(uint64_t place)
{
    if (place < end_off) {
        return memory + place;
    }
    for (const shim_storage *s = storages; s != NULL; s = s->next) {
        if (s->is_user && place - s->off_bytes < s->bytes) {
            return (uint8_t *)s->host + (place - s->off_bytes);
        }
    }
    return NULL;
}

uint64_t shim_memory_next_data(uint64_t at, uint64_t end)
{
    off_t data;
    if (at >= end_off || at >= end) {
        return at;
    }
    data = lseek(memory_fd, (off_t)at, SEEK_DATA);
    if (data >= 0) {
        return (uint64_t)data;
    }
    return end;
}

bool shim_is_mapped(uint64_t at, uint64_t bytes)
{
    const uint64_t begin = at & ~(page - 1);
    return at + bytes >= at && msync((void *)(uintptr_t)begin, at + bytes - begin, MS_ASYNC) == 0;
}

/* Pages that an ioctl has found readable: it asks for the page of an argument many times. */
static struct readable_pages {
    uint64_t work_ns; /* begin of the ioctl */
    uint32_t count;
    uint64_t va[8];
} readable;

static bool was_readable(uint64_t va)
{
    if (readable.work_ns != shim_work_ns) {
        readable.work_ns = shim_work_ns;
        readable.count = 0;
    }
    for (uint32_t i = 0; i < readable.count; i++) {
        if (readable.va[i] == va) {
            return true;
        }
    }
    return false;
}

bool shim_is_readable(uint64_t at, uint64_t bytes)
{
    const uint64_t end = at + bytes;
    bool all = end >= at;
    for (; at < end && all; at = (at & ~(page - 1)) + page) {
        uint8_t copy;
        const struct iovec here = {&copy, 1}, there = {(void *)(uintptr_t)at, 1};
        if (was_readable(at & ~(page - 1))) {
            continue;
        }
        all = process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1 || shim_is_writable(at);
        if (all && readable.count < sizeof readable.va / sizeof readable.va[0]) {
            readable.va[readable.count++] = at & ~(page - 1);
        }
    }
    return all;
}

/* A page of this library tells whether this Linux has MADV_POPULATE_WRITE (5.14 and later). */
bool shim_is_writable(uint64_t at)
{
    enum { POPULATE_WRITE = 23 };
    static uint8_t own[8192];
    const uintptr_t own_page = ((uintptr_t)own + page - 1) & ~(uintptr_t)(page - 1);
    return madvise((void *)(uintptr_t)(at & ~(page - 1)), page, POPULATE_WRITE) == 0 ||
           madvise((void *)own_page, page, POPULATE_WRITE) != 0;
}

bool shim_memory_is_fd(int fd)
{
    return fd >= 0 && fd == memory_fd;
}

static uint64_t round_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) & ~(align - 1);
}

/* Create the storage of a shared row that this process holds. */
static shim_storage *storage_add(uint32_t row, uint64_t off_bytes, uint64_t bytes, void *host)
{
    shim_storage *s = calloc(1, sizeof *s);
    if (s == NULL) {
        shim_row_drop(row);
        return NULL;
    }
    s->refs = 1;
    s->row = row;
    s->off_bytes = off_bytes;
    s->bytes = bytes;
    s->host = host;
    s->next = storages;
    s->link = &storages;
    if (storages != NULL) {
        storages->link = &s->next;
    }
    storages = s;
    return s;
}

static shim_storage *storage_new(uint64_t bytes, uint64_t align)
{
    uint32_t row = 0;
    if (memory != NULL) {
        row = shim_row_new(SHIM_ROW_STORAGE);
    }
    uint64_t off;
    if (row == 0) {
        return NULL;
    }
    if (!shim_range_new(row, bytes, align > page ? align : page, end_off)) {
        shim_row_drop(row);
        return NULL;
    }
    off = shim_row_at(row)->storage.off_bytes;
    return storage_add(row, off, bytes, memory + off);
}

/* Return a reference to the storage of a shared row. NULL: the row is not in use. */
static shim_storage *storage_of_row(uint32_t row)
{
    const shim_row *r;
    for (shim_storage *s = storages; s != NULL; s = s->next) {
        if (s->row == row) {
            s->refs++;
            return s;
        }
    }
    if (memory == NULL || !shim_row_hold(row, SHIM_ROW_STORAGE)) {
        return NULL;
    }
    r = shim_row_at(row);
    if (r->storage.off_bytes + r->storage.bytes > end_off) {
        shim_row_drop(row);
        return NULL;
    }
    return storage_add(row, r->storage.off_bytes, r->storage.bytes, memory + r->storage.off_bytes);
}

void shim_storage_put(shim_storage *s)
{
    if (s == NULL || --s->refs != 0) {
        return;
    }
    *s->link = s->next;
    if (s->next != NULL) {
        s->next->link = s->link;
    }
    shim_row_drop(s->row);
    free(s);
}

/* ---- fences of a storage ---- */

uint32_t shim_storage_busy(const shim_storage *s)
{
    const shim_row *r = shim_row_at(s->row);
    uint32_t busy = 0;
    if (shim_fence_state(r->storage.writer) == 1) {
        busy = 1u << 31;
    }
    for (uint32_t i = 0; i < SHIM_ENGINES; i++) {
        busy |= shim_fence_state(r->storage.users[i]) == 1 ? 1u << i : 0;
    }
    return busy | shim_queue_users(s);
}

bool shim_memory_user_busy(const void *at, uint64_t bytes)
{
    for (const shim_storage *s = storages; s != NULL; s = s->next) {
        const uintptr_t host = (uintptr_t)s->host;
        if (s->is_user && host < (uintptr_t)at + bytes && (uintptr_t)at < host + s->bytes &&
            shim_storage_busy(s) != 0) {
            return true;
        }
    }
    return false;
}

void shim_storage_waits(const shim_storage *s, bool writes, shim_job *job)
{
    const shim_row *r = shim_row_at(s->row);
    shim_job_wait(job, r->storage.writer);
    for (uint32_t i = 0; i < SHIM_ENGINES; i++) {
        const uint64_t user = r->storage.users[i];
        /* A fence of another process stays in the row until it is signalled. */
        if (shim_fence_state(user) == 1 && (writes || shim_fence_foreign(user))) {
            shim_job_wait(job, user);
        }
    }
    if (writes) {
        shim_queue_waits(s, job);
    }
}

bool shim_storage_fence(const shim_storage *s, bool all, uint64_t *fence)
{
    const shim_row *r = shim_row_at(s->row);
    *fence = r->storage.writer;
    for (uint32_t i = 0; all && i < SHIM_ENGINES; i++) {
        const uint64_t user = r->storage.users[i];
        if (shim_fence_state(user) == 1) {
            *fence = shim_fence_merge(*fence, user);
            if (*fence == 0) {
                return false;
            }
        }
    }
    return !all || shim_queue_merge(s, fence);
}

bool shim_storage_add_fence(const shim_storage *s, bool writes, uint64_t fence)
{
    shim_row *r = shim_row_at(s->row);
    uint64_t *user = &r->storage.users[SHIM_ENGINES - 1];
    const uint64_t used = shim_fence_merge(*user, fence);
    uint64_t writer = r->storage.writer;
    if (writes) {
        writer = shim_fence_merge(writer, fence);
    }
    if (shim_fence_state(fence) == 1 && (used == 0 || writer == 0)) {
        return false;
    }
    *user = used;
    if (writes) {
        r->storage.writer = writer;
        r->storage.writer_engine = SHIM_ENGINES - 1;
    }
    return true;
}

bool shim_storage_written_by(const shim_storage *s, uint32_t engine)
{
    return shim_row_at(s->row)->storage.writer_engine == engine;
}

void shim_storage_use(const shim_storage *s, uint32_t engine, bool writes, uint64_t fence)
{
    shim_row *r = shim_row_at(s->row);
    r->storage.users[engine] = fence;
    if (writes) {
        r->storage.writer = fence;
        r->storage.writer_engine = engine;
    }
}

/* Create an object that owns one reference to s. On failure, release that reference and return
 * NULL. */
static shim_object *object_for(shim_file *f, shim_storage *s)
{
    shim_object *o = NULL;
    if (s != NULL) {
        o = calloc(1, sizeof *o);
    }
    uint32_t i = f->object_next;
    while (i < f->object_count && f->objects[i] != NULL) {
        i++;
    }
    if (o != NULL && i == f->object_count) {
        uint32_t count = 256;
        if (f->object_count != 0) {
            count = 2 * f->object_count;
        }
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
    f->object_next = i + 1;
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
    uint32_t row = 0;
    if (memory != NULL) {
        row = shim_row_new(SHIM_ROW_STORAGE);
    }
    shim_storage *s = NULL;
    if (row != 0) {
        s = storage_add(row, user_place, bytes, host);
    }
    if (s == NULL) {
        return NULL;
    }
    user_place += round_up(bytes, page);
    s->is_user = true;
    return object_for(f, s);
}

shim_object *shim_object_of(const shim_file *f, uint32_t handle)
{
    shim_object *o = NULL;
    if (handle >= 1 && handle <= f->object_count) {
        o = f->objects[handle - 1];
    }
    if (o != NULL && !o->closed) {
        return o;
    }
    return NULL;
}

/* The system copies, because an access of this library would end the client. Memory that can only be
 * written is readable by the system, but not by process_vm_readv. */
bool shim_memory_copy(void *object, void *client, uint64_t bytes, bool to_object)
{
    const uint64_t place = (uintptr_t)object - (uintptr_t)memory;
    for (uint64_t at = 0; at < bytes;) {
        const size_t left = (size_t)(bytes - at);
        uint8_t *to = (uint8_t *)client + at;
        const struct iovec here = {(uint8_t *)object + at, left}, there = {to, left};
        ssize_t n;
        if (place >= end_off && to_object) {
            n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        } else if (place >= end_off) {
            n = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
        } else if (to_object) {
            n = pwrite(memory_fd, to, left, (off_t)(place + at));
        } else {
            n = pread(memory_fd, to, left, (off_t)(place + at));
        }
        if (n <= 0) {
            return false;
        }
        at += (uint64_t)n;
    }
    return true;
}

static void object_drop(shim_file *f, shim_object *o)
{
    const shim_driver *driver = shim_driver_current();
    const uint32_t i = o->handle - 1;
    if (driver->object_free != NULL) {
        driver->object_free(f, o);
    }
    f->objects[i] = NULL;
    if (i < f->object_next) {
        f->object_next = i;
    }
    shim_storage_put(o->storage);
    free(o);
}

int shim_object_close(shim_file *f, uint32_t handle)
{
    const shim_driver *driver = shim_driver_current();
    shim_object *o = shim_object_of(f, handle);
    if (o == NULL) {
        return -EINVAL;
    }
    if (driver->object_busy != NULL && driver->object_busy(f, o)) {
        o->closed = true;
    } else {
        object_drop(f, o);
    }
    return 0;
}

void shim_object_reap(shim_file *f, uint32_t handle)
{
    if (f->objects[handle - 1] != NULL && f->objects[handle - 1]->closed) {
        object_drop(f, f->objects[handle - 1]);
    }
}

void shim_objects_free(shim_file *f)
{
    for (uint32_t i = 0; i < f->object_count; i++) {
        if (f->objects[i] != NULL) {
            object_drop(f, f->objects[i]);
        }
    }
    free(f->objects);
    f->objects = NULL;
    f->object_count = 0;
}

/* A mapping of the client, which keeps the storage. */
static struct mapping {
    struct mapping *next;
    shim_storage *storage;
    uintptr_t at, end;
    uint64_t from; /* offset in the storage of the byte at address at */
    int prot, flags;
    bool gtt;  /* through the aperture */
    bool view; /* it shows the second view of the storage */
} * mappings;

void shim_memory_unmapped(const void *at, uint64_t bytes)
{
    readable.count = 0;
    struct mapping **link = &mappings;
    while (*link != NULL) {
        struct mapping *m = *link;
        const uintptr_t begin = (uintptr_t)at, end = begin + bytes;
        if (m->at >= begin && m->end <= end) {
            *link = m->next;
            shim_storage_put(m->storage);
            free(m);
            continue;
        }
        if (m->at < end && begin < m->end) { /* a part remains; of two, only the first moves */
            if (begin <= m->at) {
                m->from += end - m->at;
                m->at = end;
            } else {
                m->end = begin;
            }
        }
        link = &m->next;
    }
}

uint8_t *shim_storage_view(const shim_storage *s)
{
    uint32_t view = 0;
    if (!s->is_user) {
        view = shim_row_at(s->row)->storage.view;
    }
    const struct shim_row_storage *v = NULL;
    if (view != 0) {
        v = &shim_row_at(view)->storage;
    }
    if (v != NULL && v->off_bytes + v->bytes <= end_off) {
        return memory + v->off_bytes;
    }
    return NULL;
}

bool shim_storage_view_new(const shim_storage *s)
{
    return shim_storage_view(s) != NULL || shim_view_new(s->row, 2 * s->bytes, end_off);
}

/* Return the offset in the memory file of what a mapping of the storage shows. */
static uint64_t place_of(const shim_storage *s, bool view)
{
    if (view) {
        return (uint64_t)(shim_storage_view(s) - memory);
    }
    return s->off_bytes;
}

static bool shows_view(const shim_storage *s, bool gtt)
{
    const shim_driver *driver = shim_driver_current();
    return driver->shows_view != NULL && driver->shows_view(s, gtt);
}

void shim_storage_remap(const shim_storage *s)
{
    for (struct mapping *m = mappings; m != NULL; m = m->next) {
        const bool view = m->storage == s && shows_view(s, m->gtt);
        if (m->storage == s && view != m->view) {
            m->view = view;
            syscall(SYS_mmap, m->at, m->end - m->at, m->prot, m->flags | MAP_FIXED, memory_fd,
                    (off_t)(place_of(s, view) + m->from));
        }
    }
}

/* Map a part of a storage, from byte number from on. */
static void *map_storage(shim_storage *s, void *addr, size_t bytes, int prot, int flags,
                         uint64_t from, bool gtt)
{
    struct mapping *m;
    bool view;
    void *at;
    if (s->is_user || from > s->bytes || bytes > round_up(s->bytes, page) - from) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    shim_row_at(s->row)->storage.mapped[gtt ? 1 : 0] = true;
    view = shows_view(s, gtt);
    at = mmap(addr, bytes, prot, flags, memory_fd, (off_t)(place_of(s, view) + from));
    if (at != MAP_FAILED) {
        m = malloc(sizeof *m);
    } else {
        m = NULL;
    }
    if (m != NULL) {
        m->at = (uintptr_t)at;
        m->end = m->at + round_up(bytes, page);
        m->from = from;
        m->prot = prot;
        m->flags = flags;
        m->gtt = gtt;
        m->view = view;
        m->storage = s;
        m->next = mappings;
        mappings = m;
        s->refs++;
    }
    return at;
}

void *shim_memory_map(shim_file *f, void *addr, size_t bytes, int prot, int flags,
                      uint64_t off_bytes)
{
    const bool gtt = off_bytes >= SHIM_GTT_OFFSET;
    off_bytes -= gtt ? SHIM_GTT_OFFSET : 0;
    for (uint32_t i = 0; i < f->object_count; i++) {
        const shim_object *o = f->objects[i];
        if (o != NULL && !o->storage->is_user && off_bytes >= o->storage->off_bytes &&
            off_bytes - o->storage->off_bytes < o->bytes) {
            return map_storage(o->storage, addr, bytes, prot, flags,
                               off_bytes - o->storage->off_bytes, gtt);
        }
    }
    errno = EACCES;
    return MAP_FAILED;
}

/* ---- sharing ---- */

/* Export as a file of the object's size, because clients read the size with lseek. Its pages are
 * never used. The lock on the file keeps the storage alive. */
int shim_prime_export(shim_file *f, uint32_t handle, uint32_t flags)
{
    shim_object *o = shim_object_of(f, handle);
    int fd;
    if (o == NULL || o->storage->is_user) {
        if (o == NULL) {
            return -ENOENT;
        }
        return -EINVAL;
    }
    if (shim_driver_current()->object_export != NULL) {
        shim_driver_current()->object_export(o->storage);
    }
    fd = shim_row_export(o->storage->row, o->bytes, (int)flags);
    if (fd < 0) {
        return fd;
    }
    o->storage->refs++;
    if (shim_fd_add(fd, SHIM_DMABUF, o->storage) != 0) {
        o->storage->refs--;
        close(fd);
        return -EMFILE;
    }
    return fd;
}

shim_storage *shim_storage_of_path(const char *path)
{
    const uint32_t row = shim_row_of_path(path, SHIM_ROW_STORAGE);
    if (row != 0) {
        return storage_of_row(row);
    }
    return NULL;
}

/* Return the handle that f has for a storage. 0: none. */
static uint32_t handle_of(const shim_file *f, const shim_storage *s)
{
    for (uint32_t i = 0; i < f->object_count; i++) {
        if (f->objects[i] != NULL && f->objects[i]->storage == s && !f->objects[i]->closed) {
            return i + 1;
        }
    }
    return 0;
}

/* Import a storage into f, with a new handle, and release the reference to it. */
static int import(shim_file *f, shim_storage *s, uint32_t *handle)
{
    shim_object *o = object_for(f, s);
    int err;
    if (o == NULL) {
        return -ENOMEM;
    }
    *handle = o->handle;
    err = shim_driver_current()->object_import(f, o);
    if (err != 0) {
        shim_object_close(f, o->handle);
    }
    return err;
}

int shim_prime_import(shim_file *f, int fd, uint32_t *handle)
{
    shim_storage *s;
    if (shim_fd_adopt(fd) != SHIM_DMABUF) {
        return -EINVAL;
    }
    s = shim_fd_data(fd, SHIM_DMABUF);
    *handle = handle_of(f, s);
    if (*handle != 0) {
        return 0;
    }
    s->refs++;
    return import(f, s, handle);
}

void *shim_prime_map(int fd, void *addr, size_t bytes, int prot, int flags, uint64_t off_bytes)
{
    shim_storage *s = shim_fd_data(fd, SHIM_DMABUF);
    return map_storage(s, addr, bytes, prot, flags, off_bytes, false);
}

/* The global name of an object is the number of its shared row. Each use gives a new handle. */
int shim_flink(shim_file *f, uint32_t handle, uint32_t *name)
{
    const shim_object *o = shim_object_of(f, handle);
    if (o == NULL) {
        return -ENOENT;
    }
    shim_row_at(o->storage->row)->named = true;
    *name = o->storage->row;
    return 0;
}

int shim_flink_open(shim_file *f, uint32_t name, uint32_t *handle, uint64_t *bytes)
{
    char text[16];
    shim_storage *s;
    snprintf(text, sizeof text, "%u", name);
    s = shim_storage_of_path(text);
    if (s == NULL || !shim_row_at(name)->named) {
        shim_storage_put(s);
        return -ENOENT;
    }
    *bytes = s->bytes;
    return import(f, s, handle);
}

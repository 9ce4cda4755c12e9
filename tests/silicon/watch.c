/* watch.c - a library for LD_PRELOAD that reads the command streams of a program that uses NVIDIA's
 * driver. It remembers the channels that the program allocates and the memory that it maps. After each
 * synchronisation, and before a channel goes, it walks the new entries of each ring: it prints and
 * checks the words, and keeps each segment as a file for gpucmd-dump. It changes no call.
 *
 *   LD_PRELOAD=watch.so GPUCMD_WATCH=DIR PROGRAM
 *
 * DIR gets watch.txt (all words), watch.tsv (one line for each channel) and a file for each segment.
 * GPUCMD_WATCH_MS=N walks every N milliseconds, too, for a program whose synchronisation cannot be
 * seen because it looked up the functions itself. A ring that went round between two walks loses
 * entries; watch.tsv counts them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "gpucmd_nv.h"

#include "../../examples/hardware/nvidia.h"

enum {
    W_MAPS = 4096,
    W_CHANNELS = 64,
    W_FDS = 1024,
    W_WORDS = 1 << 16,
    W_FILES = 100000,
    W_HELD = 0x2000
};
#define W_NV_ESC_RM_ALLOC_64 0xc030462bu /* NVOS64_PARAMETERS, which begins as NVOS21_PARAMETERS */

/* A mapping of a memory object: for the GPU at va, or for the process at cpu, from offset va on. */
typedef struct w_map {
    uint32_t memory; /* 0: free */
    bool is_gpu;
    uint64_t va;
    const uint8_t *cpu;
    uint64_t len_bytes;
} w_map;

typedef struct w_channel {
    uint32_t handle; /* 0: free */
    unsigned number;
    gpucmd_nv_chip chip;
    uint64_t ring_va;
    uint32_t entries;
    uint32_t userd;
    uint64_t userd_off_bytes;
    uint32_t get;     /* next entry to walk */
    uint64_t base_va; /* address bits 56:40 of segments */
    uint64_t segments, words, unknown, errors, lost;
    uint32_t held[W_HELD]; /* start of a command that goes on in the next segment */
    uint32_t held_dw;
} w_channel;

static struct {
    pthread_mutex_t lock;
    const char *dir;
    FILE *text, *table;
    w_map maps[W_MAPS];
    w_channel channels[W_CHANNELS];
    unsigned count, files;
    enum { W_UNKNOWN, W_NODE, W_OTHER } kind[W_FDS]; /* W_NODE: a node of the driver */
    uint32_t mapping[W_FDS]; /* object that NV_ESC_RM_MAP_MEMORY named, and where in it */
    uint64_t mapping_off[W_FDS];
    uint32_t words[W_WORDS];
    char line[1 << 20];
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- memory ---- */

static w_map *w_new_map(uint32_t memory)
{
    for (unsigned i = 0; memory != 0 && i < W_MAPS; i++) {
        if (watch.maps[i].memory == 0) {
            memset(&watch.maps[i], 0, sizeof watch.maps[i]);
            watch.maps[i].memory = memory;
            return &watch.maps[i];
        }
    }
    return NULL;
}

/* Return where the process sees len_bytes of a memory object from off_bytes on, or NULL. */
static const uint8_t *w_cpu(uint32_t memory, uint64_t off_bytes, uint64_t len_bytes)
{
    for (unsigned i = 0; i < W_MAPS; i++) {
        const w_map *const m = &watch.maps[i];
        const uint64_t at_bytes = off_bytes - m->va;
        if (m->memory == memory && !m->is_gpu && m->cpu != NULL && at_bytes <= m->len_bytes &&
            len_bytes <= m->len_bytes - at_bytes) {
            return m->cpu + at_bytes;
        }
    }
    return NULL;
}

/* Copy memory of the GPU. CUDA also maps memory at the same address for both; such an address is read
 * as one of the process. */
static bool w_read(uint64_t va, void *dst, uint64_t len_bytes)
{
    struct iovec local = {dst, (size_t)len_bytes};
    struct iovec remote = {(void *)(uintptr_t)va, (size_t)len_bytes};
    for (unsigned i = 0; i < W_MAPS; i++) {
        const w_map *const m = &watch.maps[i];
        if (m->memory != 0 && m->is_gpu && va >= m->va && va - m->va < m->len_bytes) {
            const uint8_t *const at = w_cpu(m->memory, va - m->va, len_bytes);
            if (at != NULL) {
                memcpy(dst, at, (size_t)len_bytes);
                return true;
            }
        }
    }
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)len_bytes;
}

/* ---- walking ---- */

static gpucmd_status w_found(void *user, const gpucmd_nv_finding *f)
{
    w_channel *const c = user;
    if (gpucmd_nv_rule_severity(f->rule) == GPUCMD_SEVERITY_ERROR) {
        c->errors++;
        fprintf(watch.text, "ERROR 0x%llx %s: %s\n", (unsigned long long)f->at_va,
                gpucmd_nv_rule_name(f->rule), gpucmd_nv_rule_text(f->rule));
    }
    return GPUCMD_OK;
}

/* Keep a segment as a file. */
static void w_keep(const w_channel *c, uint64_t va, const uint32_t *dw, size_t len_dw)
{
    char path[512];
    FILE *f;
    snprintf(path, sizeof path, "%s/c%u_%06u_%llx.bin", watch.dir, c->number, watch.files,
             (unsigned long long)va);
    f = watch.files++ < W_FILES ? fopen(path, "wb") : NULL;
    if (f != NULL) {
        (void)fwrite(dw, 4, len_dw, f);
        (void)fclose(f);
    }
}

/* Check words that are whole commands. */
static void w_check(w_channel *c, const gpucmd_nv_gate *gate, uint64_t va, uint32_t len_dw)
{
    const gpucmd_nv_stream words = {watch.words, len_dw, va};
    gpucmd_nv_check_options options;
    size_t errors = 0;
    memset(&options, 0, sizeof options);
    options.found = w_found;
    options.user = c;
    options.va = va;
    if (gpucmd_nv_check(gate, watch.words, len_dw, &options, &errors) != GPUCMD_OK ||
        gpucmd_nv_check_host(gate, &words, 1, &options, &errors) != GPUCMD_OK) {
        c->lost++;
    }
}

/* Print and check one segment. A command that goes on in the next segment is held until then. */
static void w_segment(w_channel *c, uint64_t va, uint32_t len_dw)
{
    const uint32_t held_dw = c->held_dw;
    const uint32_t all_dw = held_dw + len_dw;
    uint32_t whole_dw = all_dw;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_text text;
    c->segments++;
    c->held_dw = 0;
    if (all_dw > W_WORDS || !w_read(va, watch.words + held_dw, 4 * (uint64_t)len_dw) ||
        gpucmd_nv_gate_init(&gate, c->chip, true, true, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        c->lost++;
        return;
    }
    memcpy(watch.words, c->held, 4 * (size_t)held_dw);
    c->words += len_dw;
    w_keep(c, va, watch.words + held_dw, len_dw);
    gpucmd_text_init(&text, watch.line, sizeof watch.line);
    gpucmd_nv_walk_init(&walk, &gate, watch.words, all_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        const uint32_t at_dw = (uint32_t)(cmd.data - cmd.head_dw - watch.words);
        if (walk.left_dw != 0 && cmd.len_dw <= W_HELD) {
            whole_dw = at_dw;
            c->held_dw = cmd.len_dw;
            memcpy(c->held, watch.words + at_dw, 4 * (size_t)cmd.len_dw);
            break;
        }
        c->unknown += cmd.form == GPUCMD_NV_FORM_INVALID;
        gpucmd_nv_print(&text, &gate, &cmd, va + 4 * (uint64_t)at_dw - 4 * (uint64_t)held_dw);
    }
    fprintf(watch.text, "channel %u, segment 0x%llx, %u words\n%s", c->number,
            (unsigned long long)va, (unsigned)len_dw, watch.line);
    w_check(c, &gate, va - 4 * (uint64_t)held_dw, whole_dw);
}

/* Walk the entries of a ring from the last walk until GP_PUT. */
static void w_ring(w_channel *c)
{
    const uint8_t *const userd =
        w_cpu(c->userd, c->userd_off_bytes + GPUCMD_NV_AREA_IB_PUT, sizeof(uint32_t));
    const uint32_t put = userd != NULL ? gpucmd_load32(userd, GPUCMD_LITTLE_ENDIAN) : c->get;
    while (put < c->entries && c->get != put) {
        uint32_t dw[2];
        gpucmd_nv_entry e;
        if (!w_read(c->ring_va + 8 * (uint64_t)c->get, dw, sizeof dw) ||
            gpucmd_nv_decode_entry(dw, c->chip, &e) != GPUCMD_OK) {
            c->lost++;
        } else if (!e.is_control) {
            w_segment(c, c->base_va | e.va, e.len_dw);
        } else if (e.opcode == GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE) {
            c->base_va = (uint64_t)GPUCMD_FIELD_GET(NV_EXTENDED_BASE, e.operand)
                         << GPUCMD_NV_ENTRY_VA_BITS;
        }
        c->get = (c->get + 1) & (c->entries - 1);
    }
}

/* Write the line of a channel. */
static void w_report(const w_channel *c)
{
    fprintf(watch.table, "%u\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\n", c->number,
            gpucmd_nv_chip_name(c->chip), (unsigned long long)c->segments,
            (unsigned long long)c->words, (unsigned long long)c->unknown,
            (unsigned long long)c->errors, (unsigned long long)c->lost);
    (void)fflush(watch.table);
}

static void w_walk(void)
{
    for (unsigned i = 0; i < W_CHANNELS; i++) {
        if (watch.channels[i].handle != 0) {
            w_ring(&watch.channels[i]);
        }
    }
    (void)fflush(watch.text);
}

/* ---- what the program asks of the driver ---- */

/* Remember a channel. Its class names the chip: 0xc86f is GH100. */
static void w_channel_made(uint32_t handle, uint32_t class_id,
                           const NV(NV_CHANNEL_ALLOC_PARAMS) * p)
{
    char name[8];
    for (unsigned i = 0; i < W_CHANNELS; i++) {
        w_channel *const c = &watch.channels[i];
        if (c->handle == 0) {
            memset(c, 0, sizeof *c);
            snprintf(name, sizeof name, "%04x", (unsigned)class_id & 0xffff);
            if (gpucmd_nv_chip_from_name(name, &c->chip) != GPUCMD_OK) {
                return;
            }
            c->handle = handle;
            c->number = watch.count++;
            c->ring_va = p->gpFifoOffset;
            c->entries = p->gpFifoEntries;
            c->userd = p->hUserdMemory[0];
            c->userd_off_bytes = p->userdOffset[0];
            return;
        }
    }
}

/* A memory object or channel goes: walk first. */
static void w_before_free(uint32_t handle)
{
    w_walk();
    for (unsigned i = 0; i < W_CHANNELS; i++) {
        if (watch.channels[i].handle == handle) {
            w_report(&watch.channels[i]);
            watch.channels[i].handle = 0;
        }
    }
}

static void w_after_free(uint32_t handle)
{
    for (unsigned i = 0; i < W_MAPS; i++) {
        watch.maps[i].memory = watch.maps[i].memory == handle ? 0 : watch.maps[i].memory;
    }
}

/* Learn from a request that succeeded. */
static void w_learn(uint32_t number, const void *arg)
{
    const NV(NVOS21_PARAMETERS) *const object = arg;
    const NV(nv_ioctl_nvos33_parameters_with_fd) *const cpu = arg;
    const NV(NVOS46_PARAMETERS) *const dma = arg;
    const NV(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) *const external = arg;
    w_map *m;
    if ((number == NV_ESC_RM_ALLOC || number == W_NV_ESC_RM_ALLOC_64) &&
        (object->hClass & 0xff) == 0x6f && object->pAllocParms != 0) {
        w_channel_made(object->hObjectNew, object->hClass,
                       (const NV(NV_CHANNEL_ALLOC_PARAMS) *)(uintptr_t)object->pAllocParms);
    } else if (number == NV_ESC_RM_MAP_MEMORY && cpu->params.status == 0 && cpu->fd < W_FDS) {
        watch.mapping[cpu->fd] = cpu->params.hMemory;
        watch.mapping_off[cpu->fd] = cpu->params.offset;
    } else if (number == NV_ESC_RM_MAP_MEMORY_DMA && dma->status == 0) {
        m = w_new_map(dma->hMemory);
        if (m != NULL) {
            m->is_gpu = true;
            m->va = dma->dmaOffset - dma->offset;
            m->len_bytes = dma->length + dma->offset;
        }
    } else if (number == UVM_MAP_EXTERNAL_ALLOCATION && external->rmStatus == 0) {
        m = w_new_map(external->hMemory);
        if (m != NULL) {
            m->is_gpu = true;
            m->va = external->base - external->offset;
            m->len_bytes = external->length + external->offset;
        }
    }
}

/* ---- the C library ---- */

static void *w_next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void *w_often(void *user)
{
    const long ms = atol(getenv("GPUCMD_WATCH_MS"));
    const struct timespec span = {ms / 1000, ms % 1000 * 1000000};
    for (;;) {
        (void)nanosleep(&span, NULL);
        (void)pthread_mutex_lock(&watch.lock);
        w_walk();
        (void)pthread_mutex_unlock(&watch.lock);
    }
    return user;
}

static void w_begin(void)
{
    char path[512];
    pthread_t thread;
    watch.dir = getenv("GPUCMD_WATCH") != NULL ? getenv("GPUCMD_WATCH") : ".";
    snprintf(path, sizeof path, "%s/watch.txt", watch.dir);
    watch.text = fopen(path, "w");
    snprintf(path, sizeof path, "%s/watch.tsv", watch.dir);
    watch.table = fopen(path, "w");
    if (watch.text == NULL || watch.table == NULL) {
        fprintf(stderr, "watch: %s: %s\n", path, strerror(errno));
        abort();
    }
    fprintf(watch.table, "channel\tchip\tsegments\twords\tunknown\terrors\tlost\n");
    if (getenv("GPUCMD_WATCH_MS") != NULL && pthread_create(&thread, NULL, w_often, NULL) == 0) {
        (void)pthread_detach(thread);
    }
}

/* Return whether a descriptor is a node of the driver; it may be a copy, or come from a function that
 * is not seen here. */
static bool w_is_node(int fd)
{
    char link[40];
    char path[40];
    ssize_t n;
    if (watch.kind[fd] == W_UNKNOWN) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        n = readlink(link, path, sizeof path);
        watch.kind[fd] = n >= 11 && memcmp(path, "/dev/nvidia", 11) == 0 ? W_NODE : W_OTHER;
    }
    return watch.kind[fd] == W_NODE;
}

/* Enter the library. Return false if the descriptor is no node of the driver. */
static bool w_enter(int fd)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (fd < 0 || fd >= W_FDS || !w_is_node(fd)) {
        return false;
    }
    (void)pthread_once(&once, w_begin);
    (void)pthread_mutex_lock(&watch.lock);
    return true;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT int open(const char *path, int flags, ...);
EXPORT int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;
    int fd;
    va_start(args, flags);
    mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    fd = ((int (*)(const char *, int, ...))(uintptr_t)w_next("open"))(path, flags, mode);
    if (fd >= 0 && fd < W_FDS) {
        watch.kind[fd] = strncmp(path, "/dev/nvidia", 11) == 0 ? W_NODE : W_OTHER;
        watch.mapping[fd] = 0;
    }
    return fd;
}

EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));

EXPORT int close(int fd)
{
    if (fd >= 0 && fd < W_FDS) {
        watch.kind[fd] = W_UNKNOWN;
    }
    return ((int (*)(int))(uintptr_t)w_next("close"))(fd);
}

EXPORT int ioctl(int fd, unsigned long number, ...);
EXPORT int ioctl(int fd, unsigned long number, ...)
{
    int (*const real)(int, unsigned long, ...) =
        (int (*)(int, unsigned long, ...))(uintptr_t)w_next("ioctl");
    const bool ours = w_enter(fd);
    const NV(NVOS00_PARAMETERS) * gone;
    va_list args;
    void *arg;
    int result;
    int error;
    va_start(args, number);
    arg = va_arg(args, void *);
    va_end(args);
    gone = arg;
    if (ours && number == NV_ESC_RM_FREE) {
        w_before_free(gone->hObjectOld);
    }
    if (ours) { /* another thread may have to make the call return */
        (void)pthread_mutex_unlock(&watch.lock);
    }
    result = real(fd, number, arg);
    error = errno;
    if (ours) {
        (void)pthread_mutex_lock(&watch.lock);
        if (result >= 0) {
            w_learn((uint32_t)number, arg);
        }
        if (number == NV_ESC_RM_FREE) {
            w_after_free(gone->hObjectOld);
        }
        (void)pthread_mutex_unlock(&watch.lock);
    }
    errno = error;
    return result;
}

EXPORT void *mmap(void *addr, size_t len_bytes, int prot, int flags, int fd, off_t off)
{
    void *const at = ((void *(*)(void *, size_t, int, int, int, off_t))(uintptr_t)w_next("mmap"))(
        addr, len_bytes, prot, flags, fd, off);
    if (at != MAP_FAILED && (flags & MAP_ANONYMOUS) == 0 && w_enter(fd)) {
        w_map *const m = w_new_map(watch.mapping[fd]);
        if (m != NULL) {
            m->cpu = at;
            m->va = watch.mapping_off[fd];
            m->len_bytes = (prot & PROT_READ) != 0 ? len_bytes : 0;
        }
        (void)pthread_mutex_unlock(&watch.lock);
    }
    return at;
}

EXPORT void *mmap64(void *addr, size_t len_bytes, int prot, int flags, int fd, off_t off)
    __attribute__((alias("mmap")));

EXPORT int munmap(void *addr, size_t len_bytes)
{
    (void)pthread_mutex_lock(&watch.lock);
    for (unsigned i = 0; i < W_MAPS; i++) {
        w_map *const m = &watch.maps[i];
        if (m->memory != 0 && !m->is_gpu && m->cpu == addr) {
            w_walk();
            m->memory = 0;
        }
    }
    (void)pthread_mutex_unlock(&watch.lock);
    return ((int (*)(void *, size_t))(uintptr_t)w_next("munmap"))(addr, len_bytes);
}

/* Synchronisation of CUDA: the program's words are in memory and complete after it. */
#define W_SYNC(name)                                                                               \
    EXPORT int name(void *what);                                                                   \
    EXPORT int name(void *what)                                                                    \
    {                                                                                              \
        int (*const real)(void *) = (int (*)(void *))(uintptr_t)w_next(#name);                     \
        const int result = real != NULL ? real(what) : 0;                                          \
        (void)pthread_mutex_lock(&watch.lock);                                                     \
        if (watch.text != NULL) {                                                                  \
            w_walk();                                                                              \
        }                                                                                          \
        (void)pthread_mutex_unlock(&watch.lock);                                                   \
        return result;                                                                             \
    }
W_SYNC(cuCtxSynchronize)
W_SYNC(cuStreamSynchronize)
W_SYNC(cuEventSynchronize)
W_SYNC(cudaDeviceSynchronize)
W_SYNC(cudaStreamSynchronize)
W_SYNC(cudaEventSynchronize)

__attribute__((destructor)) static void w_end(void)
{
    if (watch.text == NULL) {
        return;
    }
    w_walk();
    for (unsigned i = 0; i < W_CHANNELS; i++) {
        if (watch.channels[i].handle != 0) {
            w_report(&watch.channels[i]);
        }
    }
    (void)fclose(watch.text);
    (void)fclose(watch.table);
    watch.text = NULL;
}

/* Private interface of the preload library that plays a DRM driver.
 *
 *   interpose.c  the libc symbols it takes over
 *   paths.c      which paths lead into the fake tree, what stat says of them
 *   files.c      open files, the ioctls that every DRM driver has
 *   memory.c     storage, objects and their handles, mmap
 *   sync.c       synchronisation objects, sync files
 *   report.c     counters, log, dump, trace
 *   i915.c, i915_info.c   the i915 driver: submissions; what it tells of itself
 *   nouveau.c    the nouveau driver
 *
 * Everything below interpose.c runs under one lock. Functions that answer an ioctl return 0 (or
 * more) or a negated error number. */
#ifndef CLIENTS_SHIM_H
#define CLIENTS_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "gpus.h"
#include "report.h"

/* ---- what the runner asked for (environment) ---- */

typedef struct shim_options {
    const char *root;    /* GPUCMD_CLIENT_ROOT: fake tree; NULL: the library does nothing */
    const shim_gpu *gpu; /* GPUCMD_CLIENT_GPU */
    const char *dump;    /* GPUCMD_CLIENT_DUMP: directory, or NULL */
    bool trace;          /* GPUCMD_CLIENT_TRACE=1: every command as text on standard error */
    bool check;          /* GPUCMD_CLIENT_CHECK=1: walk and lint what is submitted */
    bool execute;        /* GPUCMD_CLIENT_EXEC=0 switches the executor off */
    const char *off;     /* GPUCMD_CLIENT_OFF: comma list of features a driver switches off */
} shim_options;

extern shim_options shim;

/* Is word one of the comma list of GPUCMD_CLIENT_OFF? */
bool shim_is_off(const char *word);

/* ---- files ---- */

typedef struct shim_object shim_object;
typedef struct shim_sync shim_sync;

/* An open of a node: its own handles, its own address space. */
typedef struct shim_file {
    uint32_t refs;         /* descriptors */
    uint32_t minor;        /* 0 or 128 */
    shim_object **objects; /* by handle - 1; NULL: free */
    uint32_t object_count;
    shim_sync **syncs; /* by handle - 1; NULL: free */
    uint32_t sync_count;
    void *data; /* the driver's */
} shim_file;

/* A driver. Its functions may use f->data; object data is the driver's too. */
typedef struct shim_driver {
    const char *name;
    int major, minor, patch;
    const char *older;   /* word of GPUCMD_CLIENT_OFF that makes the version one patch older */
    uint64_t caps;       /* bit per DRM_CAP_* number that reads as 1 (PRIME: as 3) */
    void (*start)(void); /* before the first open */
    void (*open)(shim_file *f);  /* fill f->data */
    void (*close)(shim_file *f); /* last descriptor gone; objects are freed afterwards */
    void (*object_free)(shim_file *f, shim_object *o); /* last use of o; may be NULL */
    /* Numbers DRM_COMMAND_BASE and above; nr without the base. -ENOTTY: unknown. */
    int (*ioctl)(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg);
} shim_driver;

extern const shim_driver shim_i915;
extern const shim_driver shim_nouveau;

const shim_driver *shim_driver_current(void);

/* What a descriptor is to the library. */
typedef enum shim_kind {
    SHIM_NONE,
    SHIM_NODE,      /* data: shim_file */
    SHIM_DMABUF,    /* data: shim_storage */
    SHIM_SYNC_FILE, /* data: NULL; what was submitted is done */
    SHIM_SYNCOBJ    /* data: shim_sync */
} shim_kind;

shim_kind shim_fd_kind(int fd);
shim_file *shim_fd_file(int fd);                     /* NULL: not a node */
int shim_fd_open_node(int fd, uint32_t minor);       /* fd is an empty file, open */
int shim_fd_add(int fd, shim_kind kind, void *data); /* takes one use of data */
void shim_fd_dup(int from, int to);
void shim_fd_gone(int fd); /* closed, or its number taken by something else */
void *shim_fd_data(int fd, shim_kind kind);
int shim_file_ioctl(shim_file *f, unsigned long request, void *arg);

/* ---- memory ---- */

/* Bytes that objects of several files may share. */
typedef struct shim_storage {
    uint32_t refs;
    uint64_t off_bytes; /* in the memfd: what mmap on the node takes */
    uint64_t bytes;
    void *host;   /* where they are in this process */
    bool is_user; /* the client's own memory (userptr): host is its pointer */
} shim_storage;

struct shim_object {
    uint32_t handle; /* 1.. */
    shim_storage *storage;
    uint64_t bytes;  /* rounded up to pages */
    uint64_t va;     /* for the driver */
    uint32_t tiling; /* for the driver: mode, and stride or flags */
    uint32_t stride;
    void *data; /* the driver's */
};

void shim_memory_start(void);
void shim_memory_forked(void);
bool shim_memory_is_fd(int fd); /* the memfd, which a client must not close */
/* A new object with its handle; NULL: no memory. align is a power of two or 0. */
shim_object *shim_object_new(shim_file *f, uint64_t bytes, uint64_t align);
shim_object *shim_object_new_user(shim_file *f, void *host, uint64_t bytes);
shim_object *shim_object_of(const shim_file *f, uint32_t handle); /* NULL: none */
int shim_object_close(shim_file *f, uint32_t handle);
void shim_objects_free(shim_file *f);
/* What mmap on a node does; MAP_FAILED with errno set if nothing lives there. */
void *shim_memory_map(shim_file *f, void *addr, size_t bytes, int prot, int flags,
                      uint64_t off_bytes);
int shim_prime_export(shim_file *f, uint32_t handle, uint32_t flags); /* descriptor */
int shim_prime_import(shim_file *f, int fd, uint32_t *handle);
void *shim_prime_map(int fd, void *addr, size_t bytes, int prot, int flags, uint64_t off_bytes);
int shim_flink(shim_file *f, uint32_t handle, uint32_t *name);
int shim_flink_open(shim_file *f, uint32_t name, uint32_t *handle, uint64_t *bytes);
void shim_storage_put(shim_storage *s);

/* ---- synchronisation ---- */

/* Work is finished when the submitting ioctl returns: a fence that exists is signalled. */
struct shim_sync {
    uint32_t refs;
    bool has_fence;
    uint64_t point; /* timeline */
};

shim_sync *shim_sync_of(const shim_file *f, uint32_t handle); /* NULL: none */
/* DRM_IOCTL_SYNCOBJ_*; -ENOTTY: another number. SHIM_LATER: the caller of the ioctl lets go of the
 * lock for a while, and asks again. */
enum { SHIM_LATER = -4096 };
int shim_sync_ioctl(shim_file *f, uint32_t nr, void *arg);
void shim_sync_put(shim_sync *s);
void shim_syncs_free(shim_file *f);
int shim_sync_file_new(void); /* descriptor of a signalled sync file */

/* ---- report ---- */

void shim_report_start(void);
void shim_count(int counter, uint64_t n);
void shim_count_engine(uint32_t engine);
uint64_t shim_now_ns(void);
/* A line in the log of the run, capped. */
void shim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line that says what an error counter counts; counts it. */
void shim_error(int counter, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The words of a submitted buffer as a file of --dump, with a line in its index. kind says which
 * stream it is ("rcs", "pb"). */
void shim_dump(const char *kind, uint64_t va, const uint32_t *dw, size_t len_dw);
/* Text of --trace. */
void shim_trace(const char *text);

/* ---- paths ---- */

/* The path to use instead: path itself, or buf (PATH_MAX bytes) filled. NULL: stays NULL. */
const char *shim_path(const char *path, char *buf);
/* Remove the root that realpath put in front, in place. */
void shim_path_strip(char *path);
/* Minor number of a node's path; -1: not a node. */
int shim_path_minor(const char *path);
void shim_path_stat(int minor, struct stat *st);

#endif /* CLIENTS_SHIM_H */

/* Private interface of the preload library that emulates a DRM driver.
 *
 *   interpose.c  the libc symbols that the library replaces
 *   paths.c      paths inside the emulated tree, and their stat results
 *   files.c      open files, the ioctls that every DRM driver has
 *   shared.c     state that all processes of the run share
 *   memory.c     storage, objects and their handles, mmap
 *   queue.c      asynchronous submissions
 *   sync.c       synchronisation objects, sync files
 *   record.c     recordings of submissions and their replay
 *   display.c    a display: modes, framebuffers, flips, pictures
 *   report.c     counters, log, dump, trace
 *   i915.c       the i915 driver: submissions
 *   i915_gem.c, i915_detile.c, i915_context.c, i915_vm.c, i915_info.c   its other ioctls
 *   xe.c         the xe driver
 *   nouveau.c    the nouveau driver; nouveau_check.c the words that its clients submit
 *   asahi.c      the asahi driver
 *
 * interpose.c calls all other files under one lock. Functions that answer an ioctl return a value
 * of 0 or more, or a negative errno. */
#ifndef CLIENTS_SHIM_H
#define CLIENTS_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "gpus.h"
#include "report.h"

/* ---- options from the runner (environment) ---- */

typedef struct shim_options {
    const char *root;    /* GPUCMD_CLIENT_ROOT: emulated tree; NULL: the library does nothing */
    const shim_gpu *gpu; /* GPUCMD_CLIENT_GPU */
    const char *driver;  /* GPUCMD_CLIENT_DRIVER: i915, xe, nouveau or asahi */
    const char *dump;    /* GPUCMD_CLIENT_DUMP: directory, or NULL */
    bool trace;          /* GPUCMD_CLIENT_TRACE=1: print every command on standard error */
    bool check;          /* GPUCMD_CLIENT_CHECK=1: walk and check submitted commands */
    bool async;          /* GPUCMD_CLIENT_ASYNC=1: submissions return before they are executed */
    bool execute;        /* GPUCMD_CLIENT_EXEC=0 switches the executor off */
    const char *record;  /* GPUCMD_CLIENT_RECORD: directory, or NULL */
    const char *sysroot; /* GPUCMD_CLIENT_SYSROOT: directory, or NULL */
    const char *memory;  /* GPUCMD_CLIENT_MEMORY: path of the memory file */
    const char *frames;  /* GPUCMD_CLIENT_FRAMES: directory, or NULL */
    uint32_t display_width, display_height; /* GPUCMD_CLIENT_DISPLAY: WxH; 0: there is no display */
    const char *off; /* GPUCMD_CLIENT_OFF: comma list of features to switch off */
} shim_options;

extern shim_options shim;

/* Return whether word is in the comma list of GPUCMD_CLIENT_OFF. */
bool shim_is_off(const char *word);

/* ---- files ---- */

typedef struct shim_object shim_object;
typedef struct shim_sync shim_sync;
typedef struct shim_timeline shim_timeline;

enum { SHIM_EVENTS = 128, SHIM_EVENT_BYTES = 32 };

/* One open of a node. Each open has its own handles and its own address space. */
typedef struct shim_file {
    uint32_t refs;         /* number of descriptors */
    uint32_t minor;        /* 0 or 128 */
    bool master;           /* the process may submit with all rights, if it is root */
    shim_object **objects; /* by handle - 1; NULL: free */
    uint32_t object_count;
    uint32_t object_next; /* no lower handle - 1 is free */
    shim_sync **syncs;    /* by handle - 1; NULL: free */
    uint32_t sync_count;
    void *data;                    /* private data of the driver */
    bool universal_planes, atomic; /* what the client said that it knows of displays */
    uint32_t event_first, event_count;
    uint8_t events[SHIM_EVENTS][SHIM_EVENT_BYTES]; /* of the display, not yet read */
} shim_file;

struct shim_job;
struct shim_storage;

/* A driver. f->data and the data of objects belong to its functions. */
typedef struct shim_driver {
    const char *name;
    int major, minor, patch;
    const char *older; /* if in GPUCMD_CLIENT_OFF, the version is one patch level lower */
    uint64_t caps;     /* bit per DRM_CAP_* number whose value is 1 (PRIME: 3) */
    void (*version)(int *minor, int *patch); /* in place of minor and patch; may be NULL */
    void (*start)(void);                     /* before the first open */
    void (*open)(shim_file *f);              /* fill f->data */
    void (*close)(shim_file *f); /* after the last close; objects are freed afterwards */
    void (*object_free)(shim_file *f, shim_object *o); /* last use of o; may be NULL */
    /* Answer an ioctl of the driver; nr is its number minus DRM_COMMAND_BASE. -ENOTTY: unknown, and
     * the report counts it; SHIM_NO_TTY: the client gets ENOTTY. */
    int (*ioctl)(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg);
    /* A signal ended an ioctl after spent_ns. NULL: nothing to do. */
    void (*interrupted)(uint32_t nr, void *arg, uint64_t spent_ns);
    int (*object_import)(shim_file *f, shim_object *o); /* o shares its storage */
    void (*object_export)(
        const struct shim_storage *s); /* others will see it; NULL: nothing to do */
    /* Return whether a mapping shows the second view of a storage; NULL: never. gtt: through the
     * aperture. */
    bool (*shows_view)(const struct shim_storage *s, bool gtt);
    /* Return the bytes of a picture in linear order; NULL: its layout is not known. No function: its
     * memory. */
    const uint8_t *(*linear)(const struct shim_storage *s);
    /* Return whether work uses o, whose handle the client closes; NULL: never. */
    bool (*object_busy)(shim_file *f, shim_object *o);
    /* Execute a slice of a job. Return 0 or a negative errno: it ended; SHIM_LATER: it did not. */
    int (*job_step)(struct shim_job *job);
    bool (*job_yields)(struct shim_job *job); /* another job may take its engine now */
    int (*job_hangs)(struct shim_job *job);   /* as job_step; the job took too long */
    void (*job_leaves)(struct shim_job *job); /* its file or process ends; may be NULL */
    void (*job_end)(struct shim_job *job, int error);
    void (*job_free)(struct shim_job *job); /* soon after job_end, if it keeps more; may be NULL */
    /* Perform a record of this driver. false: it is invalid. */
    bool (*replay)(uint32_t type, const uint8_t *data, size_t bytes);
} shim_driver;

extern const shim_driver shim_i915;
extern const shim_driver shim_xe;
extern const shim_driver shim_nouveau;
extern const shim_driver shim_asahi;

const shim_driver *shim_driver_current(void);

/* The kinds of descriptors that the library knows. */
typedef enum shim_kind {
    SHIM_NONE,
    SHIM_NODE,      /* data: shim_file */
    SHIM_DMABUF,    /* data: shim_storage */
    SHIM_SYNC_FILE, /* data: number of the fence */
    SHIM_SYNCOBJ,   /* data: shim_sync */
    SHIM_TIMELINE,  /* data: shim_timeline */
    SHIM_ATTRIBUTE, /* a file of sysfs or debugfs */
    SHIM_WEDGED     /* the file that resets the GPU */
} shim_kind;

shim_kind shim_fd_kind(int fd);
shim_file *shim_fd_file(int fd);                     /* NULL: not a node */
int shim_fd_open_node(int fd, uint32_t minor);       /* fd is an empty file, open */
int shim_fd_add(int fd, shim_kind kind, void *data); /* the descriptor owns one reference to data */
void shim_fd_dup(int from, int to);
void shim_fd_gone(int fd); /* after a close or a reuse of the number */
void *shim_fd_data(int fd, shim_kind kind);
/* Return the kind of a descriptor that may come from another process or from before execve. */
shim_kind shim_fd_adopt(int fd);
int shim_file_ioctl(shim_file *f, unsigned long request, void *arg);
/* Answer an ioctl of a descriptor that is not a node. SHIM_REAL: the library does not emulate
 * it. */
enum { SHIM_REAL = -4097, SHIM_NO_TTY = -4098 };
void shim_ioctl_interrupted(unsigned long request, void *arg, uint64_t spent_ns);
int shim_fd_ioctl(int fd, unsigned long request, void *arg);
void shim_fds_forked(void);
/* Return POLLIN and POLLOUT as a dma-buf has them: no writer; no user. */
short shim_dmabuf_events(int fd);

/* ---- state that processes share ---- */

#define SHIM_SHARED_DIR   "shared" /* files in the root whose locks show that descriptors exist */
#define SHIM_SHARED_BYTES ((uint64_t)1 << 30)

typedef enum shim_row_kind {
    SHIM_ROW_FREE,
    SHIM_ROW_STORAGE,
    SHIM_ROW_SYNC,
    SHIM_ROW_VIEW /* memory that belongs to a storage; no process holds it */
} shim_row_kind;

enum { SHIM_POINTS = 12 };

/* A shared storage or synchronisation object. It lives while a process or a descriptor holds it. */
typedef struct shim_row {
    uint64_t holders; /* bit per process */
    uint32_t kind;
    bool exported; /* a descriptor was made for it */
    bool orphan;   /* only a descriptor holds it */
    bool named;    /* a storage with a global name */
    union {
        struct shim_row_storage {
            uint64_t off_bytes, bytes;
            uint32_t tiling, stride;   /* for the driver: mode, and stride or flags */
            uint32_t caching, advice;  /* for the driver */
            bool read_only, has_pages; /* for the driver */
            uint32_t view;             /* row of its second view; 0: none */
            bool mapped[2]; /* a client has mapped it: [0] directly, [1] by the aperture */
            uint32_t writer_engine;
            uint64_t writer;              /* fence of the last submission that writes it */
            uint64_t users[SHIM_ENGINES]; /* fences of the last submissions that use it */
        } storage;
        struct {
            bool has_fence;
            uint64_t fence;      /* 0: signalled */
            uint64_t point;      /* highest submitted point of the timeline */
            uint64_t done_point; /* highest signalled point */
            uint32_t pending;    /* points that are not signalled, in ascending order */
            uint64_t points[SHIM_POINTS], fences[SHIM_POINTS];
        } sync;
    };
} shim_row;

bool shim_shared_start(int fd, void *head);
void shim_shared_fork(void);
bool shim_shared_forked(void);
void shim_shared_lock(void);
void shim_shared_unlock(void);
/* Free the rows of processes that have ended, and rows whose last descriptor is closed. */
void shim_processes_sweep(void);
/* Sweep at most once in 50 ms: work may wait for the fence of a process that has ended. */
void shim_processes_sweep_rarely(void);
void shim_rows_sweep(void);
/* A new row, which this process holds. 0: no free row. */
uint32_t shim_row_new(shim_row_kind kind);
shim_row *shim_row_at(uint32_t row);
bool shim_row_hold(uint32_t row, shim_row_kind kind); /* false: there is no such row */
void shim_row_drop(uint32_t row);
/* A new descriptor that holds the row, also in other processes. A negative errno: failed. */
int shim_row_export(uint32_t row, uint64_t bytes, int flags);
uint32_t shim_row_of_path(const char *path, shim_row_kind kind); /* 0: none */
/* Give a storage row a range of the memory file below end_off. */
bool shim_range_new(uint32_t row, uint64_t bytes, uint64_t align, uint64_t end_off);
/* Give a storage row a view of that many bytes, which is freed with the storage. */
bool shim_view_new(uint32_t row, uint64_t bytes, uint64_t end_off);

/* Fences of submissions, by number. shim_fence_state returns 1: pending; 0: done; a negative errno:
 * the submission failed. */
bool shim_wedged(void);
void shim_wedged_set(bool wedged);
uint64_t shim_fence_new(void);
/* Return a fence that is signalled after both: one of them, if the other is not pending. 0: there are
 * too many. */
uint64_t shim_fence_merge(uint64_t first, uint64_t second);
void shim_fence_signal(uint64_t seq, int error);
int shim_fence_state(uint64_t seq);
bool shim_fence_foreign(uint64_t seq); /* another process executes the submission */

/* ---- memory ---- */

/* Memory of an object; objects of several files may share it. */
typedef struct shim_storage {
    uint32_t refs;                     /* of this process */
    uint32_t row;                      /* shared row */
    struct shim_storage *next, **link; /* list of the process */
    uint64_t off_bytes; /* offset in the memory file and of mmap on the node. userptr: above it */
    uint64_t bytes;
    void *host;   /* address in this process */
    bool is_user; /* memory of the client (userptr): host is its pointer */
} shim_storage;

struct shim_object {
    uint32_t handle; /* 1.. */
    shim_storage *storage;
    uint64_t bytes; /* rounded up to pages */
    uint64_t va;    /* for the driver */
    bool closed;    /* by the client; work still uses it */
    void *data;     /* private data of the driver */
};

/* Added to the offset of an object: mmap through the aperture. */
#define SHIM_GTT_OFFSET ((uint64_t)1 << 40)

void shim_memory_start(void);
void shim_memory_forked(void);
void shim_memory_drop(uint64_t off_bytes, uint64_t bytes); /* the range becomes zeros */
void shim_memory_unmapped(const void *at, uint64_t bytes); /* by the client */
bool shim_is_mapped(uint64_t at, uint64_t bytes);          /* by the client, all pages */
bool shim_is_readable(uint64_t at, uint64_t bytes);        /* by the client */
bool shim_is_writable(uint64_t at);                        /* the page, mapped by the client */
/* Copy between memory of an object and of the client. false: the client cannot access all of it. */
bool shim_memory_copy(void *object, void *client, uint64_t bytes, bool to_object);
bool shim_memory_is_fd(int fd); /* true for the memfd, which a client must not close */
/* Create an object with a handle; align is a power of two or 0. NULL: no memory. */
shim_object *shim_object_new(shim_file *f, uint64_t bytes, uint64_t align);
shim_object *shim_object_new_user(shim_file *f, void *host, uint64_t bytes);
bool shim_memory_user_busy(const void *at, uint64_t bytes); /* work uses memory of the client */
shim_object *shim_object_of(const shim_file *f, uint32_t handle); /* NULL: none */
int shim_object_close(shim_file *f, uint32_t handle);
/* No work uses an object any more: free it if the client has closed it. */
void shim_object_reap(shim_file *f, uint32_t handle);
void shim_objects_free(shim_file *f);
/* mmap of a node. MAP_FAILED with errno set: no object at that offset. */
void *shim_memory_map(shim_file *f, void *addr, size_t bytes, int prot, int flags,
                      uint64_t off_bytes);
int shim_prime_export(shim_file *f, uint32_t handle, uint32_t flags); /* descriptor */
shim_storage *shim_storage_of_path(const char *path); /* a new reference; path: row number */
int shim_prime_import(shim_file *f, int fd, uint32_t *handle);
void *shim_prime_map(int fd, void *addr, size_t bytes, int prot, int flags, uint64_t off_bytes);
int shim_flink(shim_file *f, uint32_t handle, uint32_t *name);
int shim_flink_open(shim_file *f, uint32_t name, uint32_t *handle, uint64_t *bytes);
void shim_storage_put(shim_storage *s);
/* The second view of a storage: memory of twice its size, which processes share. NULL: none. */
uint8_t *shim_storage_view(const shim_storage *s);
bool shim_storage_view_new(const shim_storage *s);
/* Let the mappings of this process show the view or the memory, as the driver says now. */
void shim_storage_remap(const shim_storage *s);
/* Return which engines use a storage, one bit each; in bit 31: one of them writes it. */
uint32_t shim_storage_busy(const shim_storage *s);
/* Write a fence to *fence that is signalled after the work that writes s, or after all work on it.
 * false: there are too many merged fences. */
bool shim_storage_fence(const shim_storage *s, bool all, uint64_t *fence);
/* Work that ends with the fence reads or writes s. false: there are too many merged fences. */
bool shim_storage_add_fence(const shim_storage *s, bool writes, uint64_t fence);
struct shim_job;
/* The job waits for the work that must end before it uses the storage. */
void shim_storage_waits(const shim_storage *s, bool writes, struct shim_job *job);
bool shim_storage_written_by(const shim_storage *s, uint32_t engine);
void shim_storage_use(const shim_storage *s, uint32_t engine, bool writes, uint64_t fence);

/* ---- synchronisation ---- */

/* A synchronisation object; its state is in the shared row. */
struct shim_sync {
    uint32_t refs; /* of this process */
    uint32_t row;
};

shim_sync *shim_sync_of(const shim_file *f, uint32_t handle); /* NULL: none */
/* Answer a DRM_IOCTL_SYNCOBJ_*. -ENOTTY: another number. SHIM_LATER: the caller must release the
 * lock for a while and call again. */
enum { SHIM_LATER = -4096 };
int shim_sync_ioctl(shim_file *f, uint32_t nr, void *arg);
void shim_sync_put(shim_sync *s);
void shim_syncs_free(shim_file *f);
shim_sync *shim_sync_of_path(const char *path); /* a new reference; path: row number */
bool shim_sync_has_fence(const shim_sync *s);
uint64_t shim_sync_point(const shim_sync *s); /* the highest submitted point */
/* Return the fence of a point; point 0: the last fence. 0: signalled. */
uint64_t shim_sync_fence(const shim_sync *s, uint64_t point);
void shim_sync_set_fence(shim_sync *s, uint64_t point, uint64_t fence);
#define SHIM_SYNC_DIR SHIM_SHARED_DIR "/fence-"
int shim_sync_file_new(uint64_t fence); /* descriptor of a sync file */
uint64_t shim_sync_file_fence(int fd);
int shim_sync_file_ioctl(int fd, unsigned long request, void *arg);
/* A timeline of sw_sync, whose fences the CPU signals. NULL: only with --async. */
shim_timeline *shim_timeline_new(void);
void shim_timeline_hold(shim_timeline *t);
void shim_timeline_put(shim_timeline *t);
void shim_timeline_inherit(shim_timeline *t);
int shim_timeline_ioctl(shim_timeline *t, unsigned long request, void *arg);
bool shim_sync_files_update(void); /* signal sync files; true: some are pending */
void shim_sync_files_forked(void);

/* ---- asynchronous submissions ---- */

/* A submission that waits for its execution. */
typedef struct shim_job {
    struct shim_job *next;
    uint32_t engine;
    uint64_t key; /* jobs of an engine with the same key run in their order */
    int32_t priority;
    bool is_first; /* of its key */
    bool begun;
    uint64_t follows; /* fence of a job that must have begun before; 0: none */
    uint64_t fence;
    uint64_t *waits; /* fences that must be signalled before */
    size_t wait_count, wait_cap;
    shim_storage **holds; /* memory of the submission */
    size_t hold_count;
    uint64_t run_ns; /* how long it had the engine */
    void *data;      /* of the driver, whose job_end or job_free frees it */
} shim_job;

void shim_job_wait(shim_job *job, uint64_t fence); /* if it is pending */
void shim_queue_add(shim_job *job);
void shim_queue_retire(void); /* frees what ended jobs keep */
/* The jobs that use a storage: their engines, one bit each; job waits for them. */
uint32_t shim_queue_users(const shim_storage *s);
void shim_queue_waits(const shim_storage *s, shim_job *job);
/* Merge *fence with those of all work on s. false: there are too many. */
bool shim_queue_merge(const shim_storage *s, uint64_t *fence);
bool shim_queue_step(void);                  /* execute slices; true: a job ended */
shim_job *shim_queue_first(uint32_t engine); /* NULL: the engine is idle */
uint32_t shim_queue_count(uint64_t key, uint32_t engine);
/* Reset all engines: what runs there hangs. If the parameter `reset` of the driver is 0, the GPU is
 * wedged: all jobs end. */
void shim_queue_reset(void);
void shim_queue_wake(void);
void shim_queue_forked(void);

/* The lock of the library. shim_lock_wait releases it until shim_lock_signal is called. */
void shim_lock(void);
void shim_unlock(void);
void shim_lock_wait(void);
void shim_lock_signal(void);
uint64_t shim_ioctl_begin_ns(void); /* when the client called the current ioctl */

/* ---- recording ---- */

/* A place is an address in the memory of a recording: an offset in the memory file, or a place of
 * memory of the client above it. */
#define SHIM_PLACES ((uint64_t)128 << 30)

enum {
    SHIM_RECORD_GPU = 1,    /* name of the GPU */
    SHIM_RECORD_PAGE,       /* place and contents of a page before a submission */
    SHIM_RECORD_RESULT,     /* place and contents of a page that a submission has changed */
    SHIM_RECORD_END,        /* spans of the submission */
    SHIM_RECORD_DRIVER = 16 /* first type of the drivers */
};

/* Memory that a submission uses; bytes is a multiple of the page size. */
typedef struct shim_span {
    uint64_t place;
    uint64_t bytes;
} shim_span;

bool shim_recording(void);
void shim_record_forked(void);
void shim_record(uint32_t type, const void *data, size_t bytes);
/* Before a submission is executed: write the changed pages of the spans. */
void shim_record_before(const shim_span *spans, size_t count);
void shim_record_after(const shim_span *spans, size_t count); /* after it was executed */
void *shim_replay_host(uint64_t place, uint64_t bytes);       /* NULL: no such place */
__attribute__((visibility("default"))) int shim_replay(const char *path);
/* Return the place of memory; 0: not known. */
uint64_t shim_memory_place(const void *host);
void *shim_memory_host(uint64_t place); /* NULL: memory of the client that is gone */
/* Return the first place from at on that may not be zero; end or more: none. */
uint64_t shim_memory_next_data(uint64_t at, uint64_t end);

/* ---- display ---- */

struct drm_set_client_cap;
/* Answer an ioctl of displays by its number; the argument has that many bytes. */
int shim_display_ioctl(shim_file *f, uint32_t nr, uint32_t bytes, void *arg);
int shim_display_cap(uint64_t capability, uint64_t *value); /* -EINVAL: not of a display */
int shim_display_client_cap(shim_file *f, const struct drm_set_client_cap *a);
void shim_display_close(const shim_file *f);
/* Copy the events that have room to the client, and remove them. Return the number of bytes. */
size_t shim_display_read(shim_file *f, void *to, size_t bytes);

/* ---- report ---- */

int shim_move_up(int fd);          /* to a high number, away from the descriptors of the client */
uint64_t shim_report_record(void); /* number of a new recording */
uint64_t shim_report_frame(void);  /* number of a new picture */

void shim_report_start(void);
void shim_report_forked(void);
void shim_count(int counter, uint64_t n);
/* Counts of this process, which no other process writes; NULL: there are too many processes. */
extern uint64_t *shim_own_counts;
/* As shim_count, without an atomic access: the caller has the lock of the library. */
static inline void shim_count_own(int counter, uint64_t n)
{
    if (shim_own_counts != NULL) {
        shim_own_counts[counter] += n;
    } else {
        shim_count(counter, n);
    }
}
void shim_count_engine(uint32_t engine);
uint64_t shim_findings(void); /* notes and errors of all processes so far */
uint64_t shim_now_ns(void);
/* Measure time for a counter. To read the clock takes longer than to execute a short batch. After
 * 64 ioctls or slices of jobs only some are measured, chosen at random: each then counts 16 times.
 * Work that was_long is measured from the begin of the ioctl or slice. */
typedef struct shim_timer {
    uint64_t begin_ns;
    uint64_t weight; /* 0: not measured */
} shim_timer;
extern uint64_t shim_work_ns;     /* begin of the ioctl or slice */
extern uint32_t shim_work_weight; /* of its timers */
void shim_work_begin(uint64_t now_ns);
static inline shim_timer shim_timer_begin(void)
{
    const shim_timer t = {shim_work_weight != 0 ? shim_now_ns() : shim_work_ns, shim_work_weight};
    return t;
}
static inline void shim_timer_end(shim_timer t, int counter, bool was_long)
{
    if (was_long) {
        t.weight = 1;
    }
    if (t.weight != 0) {
        shim_count(counter, t.weight * (shim_now_ns() - t.begin_ns));
    }
}
/* Add a line to the log of the run. The length of the log is limited. */
void shim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Add 1 to an error counter and write a line with the reason to the log. */
void shim_error(int counter, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Write the words of a submitted buffer to a file of --dump and add a line to the index. kind
 * names the stream ("rcs", "pb"). */
void shim_dump(const char *kind, uint64_t va, const uint32_t *dw, size_t len_dw);
/* Print text for --trace. */
void shim_trace(const char *text);

/* ---- paths ---- */

/* Return the path to open: path itself, or its place in the emulated tree, written to buf (PATH_MAX
 * bytes). For a NULL path, return NULL. */
const char *shim_path(const char *path, char *buf);
/* Remove the root of the emulated tree from the front of path, in place. */
void shim_path_strip(char *path);
/* Return the minor number of the node at path; -1: not a node. */
int shim_path_minor(const char *path);
void shim_path_stat(int minor, struct stat *st);

#endif /* CLIENTS_SHIM_H */

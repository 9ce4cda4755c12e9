/* Declarations for the files of the i915 driver. */
#ifndef CLIENTS_I915_H
#define CLIENTS_I915_H

#include "gpucmd_i915.h"
#include "shim.h"

enum {
    I915_ENGINES = 5,
    I915_EXTENSIONS = 512, /* most in a chain */
    MAP_MAX = 64
};

/* The engine map of a context: ring numbers. */
typedef struct i915_engines {
    uint8_t rings[MAP_MAX];
} i915_engines;

/* Registers outside the window of an engine that batches have written. */
typedef struct i915_registers {
    uint32_t count, offsets[64], values[64];
} i915_registers;

/* The state of an engine that a context saves. */
typedef struct i915_image {
    uint32_t refs;
    gpucmd_i915_cs cs;
    i915_registers registers;
    uint64_t run_ns; /* time for which the context had the engine */
} i915_image;

/* What the row of the model kernel does not have of a context. */
typedef struct i915_context {
    uint64_t serial; /* never used again */
    uint64_t last;   /* single_timeline: fence of the last submission, on any engine */
    bool single_timeline;
    i915_image *images[I915_ENGINES];
    bool no_error_capture;
    bool bannable;
    bool persistent; /* its work continues after it is destroyed */
    bool used;       /* its address space and engine map can no longer be set */
} i915_context;

/* The data of an asynchronous submission. */
typedef struct i915_job {
    shim_file *file; /* NULL: closed */
    uint32_t context;
    uint32_t ring[1024]; /* its words */
    uint32_t tail;       /* their end */
    uint32_t ring_va;
    i915_image *image;
    uint64_t va;     /* of its batch */
    uint32_t space;  /* address space of its context */
    uint64_t run_ns; /* time already counted in the image */
    bool begun;
    bool stuck;   /* at a word that is no command, until it is a hang */
    bool dropped; /* it ends as soon as it is looked at */
    gpucmd_region *regions;
    size_t region_count;
    uint32_t *handles; /* of its objects */
    size_t handle_count;
} i915_job;

/* One open of the node: a model kernel with its tables. */
typedef struct i915_file {
    gpucmd_i915_kernel k;
    gpucmd_i915_object *rows; /* by handle - 1 */
    uint32_t row_count;
    gpucmd_i915_context *contexts;
    i915_context *states; /* by the index in contexts */
    uint32_t context_count;
    gpucmd_i915_vm *vms; /* address spaces, by id - 1 */
    uint32_t *vm_refs;   /* contexts that use a space, and its id; 0: free */
    bool *vm_ids;        /* the client has an id of the space */
    gpucmd_map *vmas;    /* addresses of objects */
    gpucmd_i915_engine_map *maps;
    i915_engines **engines; /* memory of the engine maps */
    uint32_t map_count;
    gpucmd_i915_sync_file sync_files[2];
} i915_file;

/* Check, trace and dump the batch at va of mem and all batches that it chains or calls. */
void i915_check_at(const gpucmd_i915_cmdset *cmdset, gpucmd_mem *mem, uint64_t va);
/* Answer an event of the executor with registers r. */
gpucmd_status i915_event(i915_registers *r, const gpucmd_i915_cs *cs, const gpucmd_event *e);

gpucmd_i915_gen i915_gen(void);
/* Return the ring number of a class I915_ENGINE_CLASS_*; 0: this GPU has no such engine. */
uint32_t i915_ring_of_class(uint32_t engine_class);

uint32_t i915_class_of_engine(uint32_t engine);

/* Objects. */
int i915_object_added(shim_file *f, shim_object *o);
bool i915_object_busy(shim_file *f, shim_object *o);
/* Return 0 if the object has memory or can get it. -EFAULT: purged, or not mapped by the client. */
int i915_object_pages(const shim_object *o);
/* If the object has a second view: make both equal. */
void i915_detile(const shim_storage *s);
const uint8_t *i915_linear(const shim_storage *s); /* NULL: no memory for the linear view */
bool i915_shows_view(const shim_storage *s, bool gtt);
/* Return the memory that PREAD and PWRITE access. */
uint8_t *i915_cpu_bytes(const shim_storage *s);
/* Set the tiling of an object: its bytes remain, and what is detiled changes. */
void i915_set_tiling(const shim_storage *s, uint32_t mode, uint32_t stride);
/* A signal ended an ioctl: the client calls it again for the remaining time. */
void i915_interrupted(uint32_t nr, void *arg, uint64_t spent_ns);
int i915_object_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg);

/* Contexts. */
struct drm_i915_gem_context_create_ext;
struct drm_i915_gem_context_destroy;
struct drm_i915_gem_context_param;
struct drm_i915_gem_vm_control;
struct drm_i915_reset_stats;
int i915_contexts_open(i915_file *d); /* creates the default context */
void i915_contexts_close(i915_file *d);
gpucmd_i915_context *i915_context_of(const i915_file *d, uint32_t id); /* NULL: none */
void i915_context_use(const i915_file *d, uint32_t id);
bool i915_context_persists(const i915_file *d, uint32_t id);
bool i915_context_bannable(const i915_file *d, uint32_t id);
int i915_context_create(i915_file *d, uint32_t arg_bytes,
                        struct drm_i915_gem_context_create_ext *a);
int i915_context_destroy(i915_file *d, const struct drm_i915_gem_context_destroy *a);
int i915_context_set(i915_file *d, const struct drm_i915_gem_context_param *p);
int i915_context_get(i915_file *d, struct drm_i915_gem_context_param *p);
int i915_reset_stats(const i915_file *d, struct drm_i915_reset_stats *a);
uint32_t i915_resets(void);
i915_image **i915_context_image(const i915_file *d, uint32_t id, uint32_t engine);
void i915_image_put(i915_image *image); /* may be NULL */
/* If the context has one timeline for all engines, return its last fence and keep the new one.
 * Otherwise return 0. */
uint64_t i915_context_follow(const i915_file *d, uint32_t id, uint64_t fence);
uint64_t i915_context_serial(const i915_file *d, uint32_t id); /* 0: no such context */
/* End the work of a context that does not persist. */
void i915_jobs_of_context_end(const i915_file *d, uint32_t context);

/* Return the id of a new address space with one reference, or a negative errno. */
int i915_vm_new(i915_file *d);
void i915_vm_put(i915_file *d, uint32_t vm);
void i915_vms_close(i915_file *d);
/* Make room for the addresses of count more objects. Return 0 or -ENOMEM. */
int i915_vmas_room(i915_file *d, uint32_t count);
int i915_vm_create(i915_file *d, struct drm_i915_gem_vm_control *a);
int i915_vm_destroy(i915_file *d, const struct drm_i915_gem_vm_control *a);
/* Remove all objects from an address space. */
void i915_vm_empty(i915_file *d, uint32_t vm);
/* Answer CONTEXT_PARAM_VM. */
int i915_vm_set(i915_file *d, gpucmd_i915_context *row, const struct drm_i915_gem_context_param *p);
int i915_vm_get(i915_file *d, const gpucmd_i915_context *row, struct drm_i915_gem_context_param *p);

struct i915_user_extension;
int i915_extension(const struct i915_user_extension *x); /* checks its header */

#define I915_LOCAL_BYTES ((uint64_t)8 << 30)
bool i915_has_local_memory(void); /* the card is discrete */
bool i915_has_llc(void);
int i915_timestamp_hz(void); /* of the time stamps of the engines */

/* Answers to GETPARAM and QUERY. */
int i915_getparam(int param, int *value);
int i915_query(void *arg);
/* Write the mask of subslices and the number of execution units in each. */
void i915_topology(uint64_t *subslice_mask, uint16_t *eus);
uint64_t i915_aperture_bytes(void);
uint64_t i915_address_space_bytes(void);

#endif /* CLIENTS_I915_H */

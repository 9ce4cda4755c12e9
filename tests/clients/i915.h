/* Declarations for both files of the i915 driver. */
#ifndef CLIENTS_I915_H
#define CLIENTS_I915_H

#include "gpucmd_i915.h"
#include "shim.h"

enum {
    MAP_MAX = 64,
    VMS_MAX = 256,
    VMAS_MAX = 1 << 14 /* objects in second and further address spaces */
};

/* The engine map of a context: ring numbers. */
typedef struct i915_engines {
    uint8_t rings[MAP_MAX];
} i915_engines;

/* What hangs have done to a context. */
typedef struct i915_context {
    uint32_t id;
    uint32_t active;  /* hangs that it caused */
    uint32_t pending; /* hangs of others that delayed it */
    bool recoverable;
    bool banned;
} i915_context;

/* The data of an asynchronous submission. */
typedef struct i915_job {
    shim_file *file; /* NULL: closed */
    uint32_t context;
    uint32_t tail; /* end of its words in the ring */
    uint64_t va;   /* of its batch */
    bool checked;
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
    uint32_t context_count;
    uint32_t context_next;       /* next unused id of a context */
    gpucmd_i915_vm vms[VMS_MAX]; /* address spaces, by id - 1 */
    uint32_t vm_refs[VMS_MAX];   /* contexts that use a space, and its id; 0: free */
    bool vm_ids[VMS_MAX];        /* the client has an id of the space */
    gpucmd_i915_vma *vmas;
    gpucmd_i915_engine_map *maps;
    i915_engines **engines; /* memory of the engine maps */
    uint32_t map_count;
    i915_context *states;
    uint32_t state_count;
    gpucmd_i915_syncobj *syncobjs;
    gpucmd_i915_sync_file sync_files[2];
} i915_file;

gpucmd_i915_gen i915_gen(void);
/* Return the ring number of a class I915_ENGINE_CLASS_*; 0: this GPU has no such engine. */
uint32_t i915_ring_of_class(uint32_t engine_class);

struct drm_i915_gem_vm_control;
struct drm_i915_gem_context_param;
/* Return the id of a new address space with one reference, or a negative errno. */
int i915_vm_new(i915_file *d);
void i915_vm_put(i915_file *d, uint32_t vm);
int i915_vm_create(i915_file *d, struct drm_i915_gem_vm_control *a);
int i915_vm_destroy(i915_file *d, const struct drm_i915_gem_vm_control *a);
/* Remove all objects from an address space. */
void i915_vm_empty(i915_file *d, uint32_t vm);
/* Answer CONTEXT_PARAM_VM. */
int i915_vm_set(i915_file *d, uint32_t context, const struct drm_i915_gem_context_param *p);
int i915_vm_get(i915_file *d, struct drm_i915_gem_context_param *p);

/* Answers to GETPARAM and QUERY. */
int i915_getparam(int param, int *value);
int i915_query(void *arg);
uint64_t i915_aperture_bytes(void);
uint64_t i915_address_space_bytes(void);

#endif /* CLIENTS_I915_H */

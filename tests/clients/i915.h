/* What the two halves of the i915 driver share. */
#ifndef CLIENTS_I915_H
#define CLIENTS_I915_H

#include "gpucmd_i915.h"
#include "shim.h"

enum { MAP_MAX = 64 };

/* The engine map of a context: ring numbers. */
typedef struct i915_engines {
    uint8_t rings[MAP_MAX];
} i915_engines;

/* An open of the node: the model kernel with its tables. */
typedef struct i915_file {
    gpucmd_i915_kernel k;
    gpucmd_i915_object *rows; /* by handle - 1 */
    uint32_t row_count;
    uint32_t *contexts;
    uint32_t context_count;
    uint32_t context_next; /* id that nobody has yet; address spaces too */
    gpucmd_i915_engine_map *maps;
    i915_engines **engines; /* where the maps point */
    uint32_t map_count;
    gpucmd_i915_syncobj *syncobjs;
    gpucmd_i915_sync_file sync_files[2];
} i915_file;

gpucmd_i915_gen i915_gen(void);
/* Ring number of an engine class of the kernel's interface; 0: this GPU has none. */
uint32_t i915_ring_of_class(uint32_t engine_class);

/* What the driver tells of the GPU. */
int i915_getparam(int param, int *value);
int i915_query(void *arg);
uint64_t i915_aperture_bytes(void);
uint64_t i915_address_space_bytes(void);

#endif /* CLIENTS_I915_H */

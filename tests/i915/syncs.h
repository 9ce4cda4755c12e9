/* i915/syncs.h - fences and sync objects of a model kernel, for its tests. */
#ifndef I915_SYNCS_H
#define I915_SYNCS_H

enum { SYNCS_FENCES = 48, SYNCS_OBJECTS = 10, SYNCS_POINTS = 24, SYNCS_SIGNALS = 16 };

typedef struct syncs {
    gpucmd_fence fences[SYNCS_FENCES];
    gpucmd_syncobj objects[SYNCS_OBJECTS];
    gpucmd_sync_point points[SYNCS_POINTS];
    gpucmd_i915_signal signals[SYNCS_SIGNALS];
} syncs;

/* Give a kernel the tables, and make the sync objects 1 to count. The other tables must be set. */
static inline bool syncs_open(gpucmd_i915_kernel *k, syncs *s, uint32_t count)
{
    uint32_t made = 0;
    memset(s, 0, sizeof *s);
    k->fence_rows = s->fences;
    k->fence_count = SYNCS_FENCES;
    k->syncobj_rows = s->objects;
    k->syncobj_count = SYNCS_OBJECTS;
    k->point_rows = s->points;
    k->point_count = SYNCS_POINTS;
    k->signals = s->signals;
    k->signal_count = SYNCS_SIGNALS;
    if (gpucmd_i915_kernel_check(k) != GPUCMD_OK) {
        return false;
    }
    while (made < count && gpucmd_syncobj_create(&k->syncobjs, 0, &made) == 0) {
    }
    return made == count;
}

/* Return the fence of a wait for a point: 0: the point has signalled and has no row; 0xffffffff:
 * there is no fence. */
static inline uint32_t syncs_fence(gpucmd_i915_kernel *k, uint32_t syncobj, uint64_t point)
{
    uint32_t fence = 0;
    return gpucmd_syncobj_find(&k->syncobjs, syncobj, point, &fence) == 0 ? fence : 0xffffffffu;
}

static inline bool syncs_has_fence(gpucmd_i915_kernel *k, uint32_t syncobj)
{
    return syncs_fence(k, syncobj, 0) != 0xffffffffu;
}

/* Return the value of the newest point; 0: the object is binary. */
static inline uint64_t syncs_last(gpucmd_i915_kernel *k, uint32_t syncobj)
{
    uint64_t value = 0;
    const int err =
        gpucmd_syncobj_query(&k->syncobjs, syncobj, GPUCMD_SYNCOBJ_QUERY_LAST_SUBMITTED, &value);
    return err == 0 ? value : ~(uint64_t)0;
}

#endif /* I915_SYNCS_H */

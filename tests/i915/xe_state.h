/* i915/xe_state.h - the state of a model kernel of xe that a refused ioctl must not change. */
#ifndef I915_XE_STATE_H
#define I915_XE_STATE_H

/* What a refused ioctl must not change. */
typedef struct xe_state {
    uint32_t counts[12];
    uint64_t maps;
    uint64_t syncobjs;
} xe_state;

static inline uint64_t xe_mix(uint64_t sum, uint64_t v)
{
    return (sum ^ v) * 0x100000001b3u;
}

static inline xe_state xe_state_of(const gpucmd_xe_kernel *kernel)
{
    xe_state s;
    memset(&s, 0, sizeof s);
    s.counts[0] = kernel->object_rows.count;
    s.counts[1] = kernel->handles.count;
    s.counts[2] = kernel->places.count;
    s.counts[3] = kernel->vm_free.count;
    s.counts[4] = kernel->queue_free.count;
    s.counts[5] = kernel->context_free.count;
    s.counts[6] = kernel->job_free.count;
    s.counts[7] = kernel->op_free.count;
    s.counts[8] = kernel->fences.count;
    s.counts[9] = kernel->syncobjs.count;
    s.counts[10] = kernel->op_rows_pending;
    s.counts[11] = kernel->maps.count;
    for (uint32_t i = 0; i < kernel->vm_free.used; i++) {
        for (uint32_t n = 0; n < 2 && kernel->vms[i].refs != 0; n++) {
            const gpucmd_space *space = n == 0 ? &kernel->vms[i].vmas : &kernel->vms[i].pages;
            const gpucmd_map *m = gpucmd_space_find(&kernel->maps, space, 0);
            for (; m != NULL; m = gpucmd_space_next(&kernel->maps, m)) {
                s.maps = xe_mix(xe_mix(xe_mix(s.maps, m->va), m->bytes), m->offset);
                s.maps = xe_mix(xe_mix(xe_mix(s.maps, m->object), m->access_mask), m->user[0]);
            }
        }
    }
    for (uint32_t i = 0; i < kernel->syncobjs.used; i++) {
        s.syncobjs = xe_mix(xe_mix(s.syncobjs, kernel->syncobjs.rows[i].refs),
                            kernel->syncobjs.rows[i].fence);
        s.syncobjs = xe_mix(s.syncobjs, kernel->syncobjs.rows[i].last);
    }
    for (uint32_t i = 0; i < kernel->object_rows.used; i++) {
        if (kernel->objects[i].used) {
            s.maps = xe_mix(xe_mix(s.maps, i), kernel->objects[i].refs);
        }
    }
    return s;
}

#endif /* I915_XE_STATE_H */

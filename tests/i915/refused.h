/* i915/refused.h - a refused ioctl of the i915 model kernel changes nothing. These functions remove from
 * copies of its tables what a refused ioctl may change: reports, scratch, the shape of trees and lists. */
#ifndef I915_REFUSED_H
#define I915_REFUSED_H

#include "i915/syncs.h"

/* Return true if mapping a is before b: by space, then by address; free rows are last. */
static inline bool refused_before(const gpucmd_map *a, const gpucmd_map *b)
{
    if (a->bytes == 0 || b->bytes == 0 || a->space == b->space) {
        return a->bytes != 0 && (b->bytes == 0 || a->va < b->va);
    }
    return a->space < b->space;
}

/* Keep object, space, addresses and rights of n mappings, and sort them: their rows are free. */
static inline void refused_vmas(gpucmd_map *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        gpucmd_map kept;
        memset(&kept, 0, sizeof kept);
        if (rows[i].bytes != 0) {
            kept.va = rows[i].va;
            kept.bytes = rows[i].bytes;
            kept.offset = rows[i].offset;
            kept.object = rows[i].object;
            kept.space = rows[i].space;
            kept.access_mask = rows[i].access_mask;
        }
        uint32_t at = i;
        for (; at > 0 && refused_before(&kept, &rows[at - 1]); at--) {
            memcpy(&rows[at], &rows[at - 1], sizeof kept);
        }
        memcpy(&rows[at], &kept, sizeof kept);
    }
}

static inline void refused_vm(gpucmd_i915_vm *vm)
{
    vm->space.root = vm->space.root != 0;
    vm->space.id = 0;
}

static inline void refused_kernel(gpucmd_i915_kernel *k)
{
    const uint32_t count = k->mappings.count;
    memset(&k->mappings, 0, sizeof k->mappings);
    k->mappings.count = count;
    memset(&k->why, 0, sizeof k->why);
    k->table = GPUCMD_I915_TABLE_NONE;
    k->list_count = 0;
    refused_vm(&k->vm);
}

static inline void refused_object(gpucmd_i915_object *o)
{
    o->row = o->mappings = 0;
    o->now_va = o->now_bytes = 0;
    o->first = o->next = 0; /* index of handles */
}

/* Keep the fences, sync objects and points that exist. */
static inline void refused_syncs(gpucmd_i915_kernel *k, syncs *s)
{
    bool kept[SYNCS_POINTS] = {false};
    for (uint32_t i = 0; i < SYNCS_OBJECTS; i++) {
        uint32_t at = s->objects[i].refs != 0 ? s->objects[i].point : 0;
        for (; at != 0; at = s->points[at - 1].next) {
            kept[at - 1] = true;
        }
    }
    for (uint32_t i = 0; i < SYNCS_POINTS; i++) {
        if (!kept[i]) {
            memset(&s->points[i], 0, sizeof s->points[i]);
        }
    }
    for (uint32_t i = 0; i < SYNCS_FENCES; i++) {
        if (s->fences[i].refs == 0) {
            memset(&s->fences[i], 0, sizeof s->fences[i]);
        }
    }
    memset(s->signals, 0, sizeof s->signals);
    k->fences.used = k->fences.free = k->fences.cap = 0; /* the numbers of rows are in k, too */
    k->syncobjs.point_used = k->syncobjs.point_free = k->syncobjs.point_cap = 0;
}

/* Clear the bytes after the last member. */
static inline void refused_request(gpucmd_i915_request *r)
{
    const size_t end = offsetof(gpucmd_i915_request, hung) + sizeof(bool);
    memset((uint8_t *)r + end, 0, sizeof *r - end);
}

#endif /* I915_REFUSED_H */

/* i915_refused.h - a refused ioctl of the i915 model kernel changes nothing. These functions remove from
 * copies of its tables what a refused ioctl may change: reports, scratch, the shape of trees and lists. */
#ifndef I915_REFUSED_H
#define I915_REFUSED_H

/* Keep the addresses of a node. Its place in the tree and in lists is free. */
static inline void refused_vma(gpucmd_i915_vma *v)
{
    v->low = v->high = v->hole = 0;
    v->up = v->child[0] = v->child[1] = v->next = v->height = 0;
    v->va = v->end != 0 ? v->va : 0;
    v->vm = v->end != 0 ? v->vm : 0;
    v->object = v->end != 0 ? v->object : 0;
}

/* Also count the free rows of the table vmas, whose order is free. Call it before refused_vma. */
static inline void refused_kernel(gpucmd_i915_kernel *k, const gpucmd_i915_vma *vmas)
{
    memset(&k->why, 0, sizeof k->why);
    k->table = GPUCMD_I915_TABLE_NONE;
    k->list_count = 0;
    k->vm.root = k->vm.root != 0;
    k->vma_used = k->vma_count - k->vma_used;
    for (uint32_t id = k->vma_free; id != 0 && k->vma_used < k->vma_count;) {
        id = vmas[id & 0x7fffffff].next;
        k->vma_used++;
    }
    k->vma_free = 0;
}

static inline void refused_object(gpucmd_i915_object *o)
{
    o->row = o->node = 0;
    o->first = o->next = 0; /* index of handles, as in a sync object */
    refused_vma(&o->vma);
}

static inline void refused_syncobj(gpucmd_i915_syncobj *s)
{
    s->next_point = 0;
    s->first = s->next = 0;
}

/* Clear the bytes after the last member. */
static inline void refused_request(gpucmd_i915_request *r)
{
    const size_t end = offsetof(gpucmd_i915_request, hung) + sizeof(bool);
    memset((uint8_t *)r + end, 0, sizeof *r - end);
}

#endif /* I915_REFUSED_H */

/* Address spaces of contexts, gen8 and later: a context has one of its own, or one that the client
 * has created. The default context has the space of the file. */
#include "i915.h"

#include <errno.h>
#include <stdlib.h>

#include <libdrm/i915_drm.h>

int i915_vm_new(i915_file *d)
{
    uint32_t i = 0;
    while (i < VMS_MAX && d->vm_refs[i] != 0) {
        i++;
    }
    d->vmas = d->vmas != NULL ? d->vmas : calloc(VMAS_MAX, sizeof *d->vmas);
    if (i == VMS_MAX || d->vmas == NULL) {
        return -ENOMEM;
    }
    d->k.vms = d->vms;
    d->k.vm_count = VMS_MAX;
    d->k.vmas = d->vmas;
    d->k.vma_count = VMAS_MAX;
    d->vm_refs[i] = 1;
    return (int)i + 1;
}

void i915_vm_put(i915_file *d, uint32_t vm)
{
    if (vm != 0 && --d->vm_refs[vm - 1] == 0) {
        i915_vm_empty(d, vm);
    }
}

static bool is_known(const i915_file *d, uint64_t id)
{
    return id >= 1 && id <= VMS_MAX && d->vm_ids[id - 1];
}

int i915_vm_create(i915_file *d, struct drm_i915_gem_vm_control *a)
{
    int vm;
    if (i915_gen() < GPUCMD_I915_GEN8) {
        return -ENODEV;
    }
    if (a->flags != 0 || a->extensions != 0) {
        return -EINVAL;
    }
    vm = i915_vm_new(d);
    if (vm < 0) {
        return vm;
    }
    d->vm_ids[vm - 1] = true;
    a->vm_id = (uint32_t)vm;
    return 0;
}

int i915_vm_destroy(i915_file *d, const struct drm_i915_gem_vm_control *a)
{
    if (a->flags != 0 || a->extensions != 0) {
        return -EINVAL;
    }
    if (!is_known(d, a->vm_id)) {
        return -ENOENT;
    }
    d->vm_ids[a->vm_id - 1] = false;
    i915_vm_put(d, a->vm_id);
    return 0;
}

/* Return the row of a context; NULL: the default context. */
static gpucmd_i915_context *row_of(const i915_file *d, uint32_t id)
{
    for (uint32_t i = 0; i < d->context_count; i++) {
        if (d->contexts[i].id == id) {
            return &d->contexts[i];
        }
    }
    return NULL;
}

int i915_vm_set(i915_file *d, uint32_t context, const struct drm_i915_gem_context_param *p)
{
    gpucmd_i915_context *row = row_of(d, context);
    if (i915_gen() < GPUCMD_I915_GEN8) {
        return -ENODEV;
    }
    if (row == NULL || p->size != 0) {
        return -EINVAL;
    }
    if (!is_known(d, p->value)) {
        return -ENOENT;
    }
    d->vm_refs[p->value - 1]++;
    i915_vm_put(d, row->vm);
    row->vm = (uint32_t)p->value;
    return 0;
}

int i915_vm_get(i915_file *d, struct drm_i915_gem_context_param *p)
{
    const gpucmd_i915_context *row = row_of(d, p->ctx_id);
    if (row == NULL || row->vm == 0) {
        return -ENODEV;
    }
    if (!d->vm_ids[row->vm - 1]) {
        d->vm_ids[row->vm - 1] = true;
        d->vm_refs[row->vm - 1]++;
    }
    p->value = row->vm;
    return 0;
}

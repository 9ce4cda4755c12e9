/* Address spaces of contexts, gen8 and later. A new context has a new space; the client can
 * replace it by a space that it has created. */
#include "i915.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/i915_drm.h>

/* Enlarge a table of rows that begin as zeros. Return false if there is no memory. */
static bool grow(void *table, uint32_t from, uint32_t count, size_t bytes)
{
    void **at = table;
    uint8_t *more = realloc(*at, count * bytes);
    if (more == NULL) {
        return false;
    }
    memset(more + from * bytes, 0, (count - from) * bytes);
    *at = more;
    return true;
}

int i915_vm_new(i915_file *d)
{
    uint32_t count = 16;
    if (d->k.vm_count != 0) {
        count = 2 * d->k.vm_count;
    }
    uint32_t i = 0;
    while (i < d->k.vm_count && d->vm_refs[i] != 0) {
        i++;
    }
    if (i == d->k.vm_count) {
        const bool grown = grow(&d->vms, i, count, sizeof *d->vms) &&
                           grow(&d->vm_refs, i, count, sizeof *d->vm_refs) &&
                           grow(&d->vm_ids, i, count, sizeof *d->vm_ids);
        d->k.vms = d->vms;
        if (!grown) {
            return -ENOMEM;
        }
        d->k.vm_count = count;
    }
    d->vm_refs[i] = 1;
    return (int)i + 1;
}

int i915_vmas_room(i915_file *d, uint32_t count)
{
    const uint32_t most = 2 * d->k.vma_count + count + 64;
    if (d->k.vma_count - d->k.mappings.count >= count) {
        return 0;
    }
    if (!grow(&d->vmas, d->k.vma_count, most, sizeof *d->vmas)) {
        return -ENOMEM;
    }
    d->k.vmas = d->vmas;
    d->k.vma_count = most;
    return 0;
}

void i915_vms_close(i915_file *d)
{
    free(d->vms);
    free(d->vm_refs);
    free(d->vm_ids);
    free(d->vmas);
}

void i915_vm_put(i915_file *d, uint32_t vm)
{
    if (vm != 0 && --d->vm_refs[vm - 1] == 0) {
        i915_vm_empty(d, vm);
    }
}

static bool is_known(const i915_file *d, uint64_t id)
{
    return id >= 1 && id <= d->k.vm_count && d->vm_ids[id - 1];
}

int i915_vm_create(i915_file *d, struct drm_i915_gem_vm_control *a)
{
    int vm;
    if (i915_gen() < GPUCMD_I915_GEN8) {
        return -ENODEV;
    }
    if (a->flags != 0) {
        return -EINVAL;
    }
    if (a->extensions != 0) { /* none is known */
        const int err = i915_extension((const void *)(uintptr_t)a->extensions);
        return err != 0 ? err : -EINVAL;
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

int i915_vm_set(i915_file *d, gpucmd_i915_context *row, const struct drm_i915_gem_context_param *p)
{
    if (p->size != 0) {
        return -EINVAL;
    }
    if (i915_gen() < GPUCMD_I915_GEN8) {
        return -ENODEV;
    }
    if (!is_known(d, p->value)) {
        return -ENOENT;
    }
    d->vm_refs[p->value - 1]++;
    i915_vm_put(d, row->vm);
    row->vm = (uint32_t)p->value;
    return 0;
}

int i915_vm_get(i915_file *d, const gpucmd_i915_context *row, struct drm_i915_gem_context_param *p)
{
    if (row->vm == 0) { /* before gen8 */
        return -ENODEV;
    }
    if (!d->vm_ids[row->vm - 1]) {
        d->vm_ids[row->vm - 1] = true;
        d->vm_refs[row->vm - 1]++;
    }
    p->value = row->vm;
    return 0;
}

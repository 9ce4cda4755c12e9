/* Objects of the i915 driver. The rules are those of Linux 6.1, drivers/gpu/drm/i915/gem. */
#include "i915.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <libdrm/i915_drm.h>

/* Bit in the handle of an object that the client has closed and a job uses. */
static const uint32_t closed_bit = 1u << 30;

static const uint64_t page = 4096;

/* Return what all handles of an object share. */
static struct shim_row_storage *state_of(const shim_object *o)
{
    return &shim_row_at(o->storage->row)->storage;
}

/* Add a new object to the table of the model kernel. */
int i915_object_added(shim_file *f, shim_object *o)
{
    i915_file *d = f->data;
    gpucmd_i915_object *row;
    if (o->handle > d->row_count) {
        uint32_t count = 64;
        if (d->row_count != 0) {
            count = 2 * d->row_count;
        }
        gpucmd_i915_object *more = realloc(d->rows, count * sizeof *more);
        if (more == NULL) {
            return -ENOMEM;
        }
        memset(more + d->row_count, 0, (count - d->row_count) * sizeof *more);
        d->rows = more;
        d->row_count = count;
        d->k.objects = more;
    }
    if (o->handle > d->k.object_count) {
        d->k.object_count = o->handle;
    }
    row = &d->rows[o->handle - 1];
    row->handle = o->handle;
    row->bytes = o->bytes;
    row->host = o->storage->host;
    return 0;
}

/* Return whether a job uses the object. Its address must remain, and its handle must end. */
bool i915_object_busy(shim_file *f, shim_object *o)
{
    i915_file *d = f->data;
    if (d == NULL || o->handle > d->row_count || d->rows[o->handle - 1].pins == 0) {
        return false;
    }
    d->rows[o->handle - 1].handle |= closed_bit;
    return true;
}

/* ---- create ---- */

static int create(shim_file *f, uint64_t *bytes, uint32_t *handle)
{
    shim_object *o;
    if (*bytes == 0 || *bytes > UINT64_MAX - page) {
        return -EINVAL;
    }
    if (*bytes / page > INT_MAX) {
        return -E2BIG;
    }
    o = shim_object_new(f, *bytes, i915_gen() >= GPUCMD_I915_GEN12_5 ? 0x10000 : 0);
    if (o == NULL) {
        return -ENOMEM;
    }
    state_of(o)->caching = i915_has_llc() ? I915_CACHING_CACHED : I915_CACHING_NONE;
    *bytes = o->bytes;
    *handle = o->handle;
    return i915_object_added(f, o);
}

static int gem_create(shim_file *f, struct drm_i915_gem_create *a)
{
    uint64_t bytes = a->size;
    const int err = create(f, &bytes, &a->handle);
    a->size = bytes;
    return err;
}

/* Check a list of memory regions, and write a bit for each class to *classes. */
static int placements(const struct drm_i915_gem_create_ext_memory_regions *x, uint32_t *classes)
{
    const struct drm_i915_gem_memory_class_instance *r = (const void *)(uintptr_t)x->regions;
    if (x->pad != 0 || x->num_regions == 0 || x->num_regions > 8 || *classes != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < x->num_regions; i++) {
        if (r[i].memory_class > (i915_has_local_memory() ? 1 : 0) || r[i].memory_instance != 0 ||
            (*classes >> r[i].memory_class & 1) != 0) {
            return -EINVAL;
        }
        *classes |= 1u << r[i].memory_class;
    }
    return 0;
}

/* Extension SET_PAT, number 2: Meteor Lake and Arrow Lake have five entries. */
static int set_pat(const struct i915_user_extension *x)
{
    const uint32_t *pat_index = (const uint32_t *)(const void *)(x + 1);
    if (!shim_is_mapped((uintptr_t)pat_index, 8)) {
        return -EFAULT;
    }
    return *pat_index < 5 ? 0 : -EINVAL;
}

static int gem_create_ext(shim_file *f, struct drm_i915_gem_create_ext *a)
{
    const uint32_t needs_cpu = 1; /* I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS */
    const uint32_t system_memory = 1u << I915_MEMORY_CLASS_SYSTEM;
    uint32_t classes = 0;
    uint64_t bytes = a->size;
    int err = (a->flags & ~needs_cpu) != 0 ? -EINVAL : 0;
    for (uint64_t at = a->extensions; at != 0 && err == 0;) {
        const struct i915_user_extension *x = (const void *)(uintptr_t)at;
        err = i915_extension(x);
        if (err == 0) {
            if (x->name == I915_GEM_CREATE_EXT_MEMORY_REGIONS) {
                err = placements((const void *)x, &classes);
            } else if (x->name == 2 && i915_gen() >= GPUCMD_I915_GEN12_7) {
                err = set_pat((const void *)x);
            } else if (x->name == I915_GEM_CREATE_EXT_PROTECTED_CONTENT) {
                err = -ENODEV;
            } else {
                err = -EINVAL;
            }
        }
        at = err == 0 ? x->next_extension : 0;
    }
    if (err != 0) {
        return err;
    }
    if (classes == 0) {
        classes = system_memory;
    }
    if ((a->flags & needs_cpu) != 0 &&
        ((classes & system_memory) == 0 || (classes & (classes - 1)) == 0)) {
        return -EINVAL;
    }
    if ((classes & system_memory) == 0 && bytes > I915_LOCAL_BYTES) {
        return -E2BIG;
    }
    err = create(f, &bytes, &a->handle);
    a->size = bytes;
    return err;
}

static int gem_userptr(shim_file *f, struct drm_i915_gem_userptr *a)
{
    const uint32_t probe = 2; /* I915_USERPTR_PROBE */
    const gpucmd_i915_gen gen = i915_gen();
    const uint64_t top = (uint64_t)1 << 47;
    shim_object *o;
    if ((a->flags & ~(I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED | probe)) != 0) {
        return -EINVAL;
    }
    if (a->user_size / page > INT_MAX) {
        return -E2BIG;
    }
    if (a->user_size == 0 || ((a->user_ptr | a->user_size) & (page - 1)) != 0) {
        return -EINVAL;
    }
    if (a->user_ptr >= top || a->user_size > top - a->user_ptr) {
        return -EFAULT;
    }
    if ((a->flags & I915_USERPTR_UNSYNCHRONIZED) != 0 ||
        ((a->flags & I915_USERPTR_READ_ONLY) != 0 && /* pages of gen8 and gen9 can be read-only */
         (gen < GPUCMD_I915_GEN8 || gen > GPUCMD_I915_GEN9))) {
        return -ENODEV;
    }
    if ((a->flags & probe) != 0 && !shim_is_mapped(a->user_ptr, a->user_size)) {
        return -EFAULT;
    }
    o = shim_object_new_user(f, (void *)(uintptr_t)a->user_ptr, a->user_size);
    if (o == NULL) {
        return -ENOMEM;
    }
    state_of(o)->caching = I915_CACHING_CACHED;
    state_of(o)->read_only = (a->flags & I915_USERPTR_READ_ONLY) != 0;
    a->handle = o->handle;
    return i915_object_added(f, o);
}

int i915_object_pages(const shim_object *o)
{
    struct shim_row_storage *s = state_of(o);
    if (o->storage->is_user && !shim_is_mapped((uintptr_t)o->storage->host, o->bytes)) {
        return -EFAULT;
    }
    if (s->advice != I915_MADV_WILLNEED && !s->has_pages) {
        return -EFAULT;
    }
    s->has_pages = true;
    return 0;
}

/* ---- access by the CPU ---- */

/* Return 0 if no work uses the object; with only_writer, if no work writes it. SHIM_LATER: wait. */
static int wait_idle(const shim_object *o, bool only_writer)
{
    uint32_t busy = 0;
    if (shim.async) {
        busy = shim_storage_busy(o->storage);
    }
    return (only_writer ? busy & 1u << 31 : busy) != 0 ? SHIM_LATER : 0;
}

/* Discrete cards and gen12 after Tiger Lake have no PREAD and PWRITE. */
static bool has_pread(void)
{
    return i915_gen() < GPUCMD_I915_GEN12 || shim.gpu->device == 0x9a49;
}

static int gem_copy(shim_file *f, const struct drm_i915_gem_pwrite *a, bool to_object)
{
    const shim_object *o = shim_object_of(f, a->handle);
    bool done;
    int err;
    if (!has_pread()) {
        return -EOPNOTSUPP;
    }
    if (a->size == 0) {
        return 0;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if (a->offset > o->bytes || a->size > o->bytes - a->offset ||
        (to_object && state_of(o)->read_only)) {
        return -EINVAL;
    }
    err = wait_idle(o, !to_object);
    if (err == 0) {
        err = i915_object_pages(o);
    }
    if (err != 0) {
        return err;
    }
    i915_detile(o->storage);
    done = shim_memory_copy(i915_cpu_bytes(o->storage) + a->offset, (void *)(uintptr_t)a->data_ptr,
                            a->size, to_object);
    i915_detile(o->storage);
    return done ? 0 : -EFAULT;
}

static int gem_mmap(shim_file *f, struct drm_i915_gem_mmap *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    void *at;
    if (i915_has_local_memory()) {
        return -EOPNOTSUPP;
    }
    if ((a->flags & ~(uint64_t)I915_MMAP_WC) != 0) {
        return -EINVAL;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user) {
        return -ENXIO;
    }
    if (a->size == 0 || (a->offset & (page - 1)) != 0 || a->offset > o->bytes ||
        a->size > o->bytes - a->offset) {
        return -EINVAL;
    }
    i915_detile(o->storage);
    at = shim_memory_map(f, NULL, a->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                         o->storage->off_bytes + a->offset);
    if (at == MAP_FAILED) {
        return -errno;
    }
    a->addr_ptr = (uintptr_t)at;
    return 0;
}

/* MMAP_GTT, and MMAP_OFFSET, whose structure begins with the members of MMAP_GTT. */
static int gem_mmap_offset(shim_file *f, uint32_t arg_bytes, struct drm_i915_gem_mmap_offset *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    const uint64_t flags = arg_bytes < sizeof *a ? I915_MMAP_OFFSET_GTT : a->flags;
    if (arg_bytes >= sizeof *a && a->extensions != 0) {
        return shim_is_mapped(a->extensions, 1) ? -EINVAL : -EFAULT;
    }
    if (flags > I915_MMAP_OFFSET_FIXED) {
        return -EINVAL;
    }
    if (flags == I915_MMAP_OFFSET_GTT && i915_has_local_memory()) {
        return -ENODEV; /* no aperture */
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user || (flags == I915_MMAP_OFFSET_FIXED) != i915_has_local_memory()) {
        return -ENODEV;
    }
    state_of(o)->has_pages = true;
    i915_detile(o->storage);
    a->offset = o->storage->off_bytes + (flags == I915_MMAP_OFFSET_GTT ? SHIM_GTT_OFFSET : 0);
    return 0;
}

/* Wait until the CPU can use the object. */
static int gem_set_domain(shim_file *f, const struct drm_i915_gem_set_domain *a)
{
    const uint32_t cpu = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT | I915_GEM_DOMAIN_WC;
    const shim_object *o = shim_object_of(f, a->handle);
    int err;
    if (i915_has_local_memory()) {
        return -ENODEV;
    }
    if (((a->write_domain | a->read_domains) & ~cpu) != 0 ||
        (a->write_domain != 0 && a->read_domains != a->write_domain)) {
        return -EINVAL;
    }
    if (a->read_domains == 0) {
        return 0;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    err = wait_idle(o, a->write_domain == 0);
    if (err == 0) {
        i915_detile(o->storage);
    }
    return err == 0 ? i915_object_pages(o) : err;
}

/* ---- properties ---- */

/* Return whether a fence can detile that pitch. */
static bool tiling_is_valid(uint32_t mode, uint32_t stride)
{
    const gpucmd_i915_gen gen = i915_gen();
    const bool narrow_y = gen >= GPUCMD_I915_GEN4 || shim.gpu->device == 0x27a2 ||
                          shim.gpu->device == 0x29c2 || shim.gpu->device == 0xa011;
    const uint32_t width = mode == I915_TILING_Y && narrow_y ? 128 : 512;
    uint32_t most = 8192;
    if (gen >= GPUCMD_I915_GEN7) {
        most = 128 * 0x800;
    } else if (gen >= GPUCMD_I915_GEN4) {
        most = 128 * 0x400;
    }
    if (mode == I915_TILING_NONE) {
        return true;
    }
    return mode <= I915_TILING_Y && stride != 0 && stride % width == 0 &&
           stride / 128 <= most / 128 &&
           (gen >= GPUCMD_I915_GEN4 || (stride <= most && (stride & (stride - 1)) == 0));
}

static int gem_set_tiling(shim_file *f, struct drm_i915_gem_set_tiling *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (i915_has_local_memory()) {
        return -EOPNOTSUPP; /* no fences */
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user) {
        return -ENXIO;
    }
    if (shim_is_off("tiling") || !tiling_is_valid(a->tiling_mode, a->stride)) {
        return -EINVAL;
    }
    if (a->tiling_mode == I915_TILING_NONE) {
        a->stride = 0;
    }
    i915_set_tiling(o->storage, a->tiling_mode, a->stride);
    a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int gem_get_tiling(shim_file *f, struct drm_i915_gem_get_tiling *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (i915_has_local_memory()) {
        return -EOPNOTSUPP;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    a->tiling_mode = state_of(o)->tiling;
    a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    a->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int gem_set_caching(shim_file *f, const struct drm_i915_gem_caching *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    int err;
    if (i915_has_local_memory()) {
        return -ENODEV;
    }
    if (a->caching > I915_CACHING_DISPLAY) {
        return -EINVAL;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user) {
        return a->caching == I915_CACHING_CACHED ? 0 : -ENXIO;
    }
    err = wait_idle(o, false);
    if (err == 0) { /* no card of the list has a cache that the display reads */
        state_of(o)->caching = a->caching == I915_CACHING_DISPLAY ? I915_CACHING_NONE : a->caching;
    }
    return err;
}

static int gem_get_caching(shim_file *f, struct drm_i915_gem_caching *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (i915_has_local_memory()) {
        return -ENODEV;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    a->caching = state_of(o)->caching;
    return 0;
}

/* An object without pages is purged at once. Nothing else purges, because memory never runs out. */
static int gem_madvise(shim_file *f, struct drm_i915_gem_madvise *a)
{
    const uint32_t purged = 2;
    const shim_object *o = shim_object_of(f, a->handle);
    struct shim_row_storage *s;
    if (a->madv > I915_MADV_DONTNEED) {
        return -EINVAL;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    s = state_of(o);
    if (a->madv == I915_MADV_DONTNEED && !s->has_pages) {
        s->advice = purged;
    } else if (s->advice != purged) {
        s->advice = a->madv;
    }
    a->retained = s->advice != purged;
    return 0;
}

/* ---- waiting ---- */

/* The remaining time is written back. */
static int gem_wait(shim_file *f, struct drm_i915_gem_wait *a)
{
    const int64_t spent_ns = (int64_t)(shim_now_ns() - shim_ioctl_begin_ns());
    const shim_object *o = shim_object_of(f, a->bo_handle);
    int err;
    if (shim_is_off("wait")) {
        return -EIO;
    }
    if (a->flags != 0 || o == NULL) {
        return a->flags != 0 ? -EINVAL : -ENOENT;
    }
    err = wait_idle(o, false);
    i915_detile(o->storage);
    if (err == SHIM_LATER && a->timeout_ns >= 0 && spent_ns >= a->timeout_ns) {
        a->timeout_ns = 0;
        return -ETIME;
    }
    if (err == 0 && shim.async && a->timeout_ns > 0) {
        a->timeout_ns -= spent_ns < a->timeout_ns ? spent_ns : a->timeout_ns;
    }
    return err;
}

void i915_interrupted(uint32_t nr, void *arg, uint64_t spent_ns)
{
    struct drm_i915_gem_wait *a = arg;
    if (nr == DRM_I915_GEM_WAIT && a->timeout_ns > 0) {
        a->timeout_ns -= (int64_t)spent_ns < a->timeout_ns ? (int64_t)spent_ns : a->timeout_ns;
    }
}

/* Write a bit for each engine class that uses the object in 31:16, and the class that writes it
 * plus 1 in 15:0. */
static int gem_busy(shim_file *f, struct drm_i915_gem_busy *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    uint32_t busy;
    if (o == NULL) {
        return -ENOENT;
    }
    if (shim.async) {
        busy = shim_storage_busy(o->storage);
    } else {
        busy = 0;
    }
    i915_detile(o->storage);
    a->busy = 0;
    for (uint32_t i = 0; i < I915_ENGINES; i++) {
        if ((busy >> i & 1) != 0) {
            const uint32_t engine_class = i915_class_of_engine(i);
            a->busy |= 1u << (16 + engine_class);
            if ((busy >> 31) != 0 && shim_storage_written_by(o->storage, i)) {
                a->busy |= engine_class + 1;
            }
        }
    }
    return 0;
}

int i915_object_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    switch (nr) {
    case DRM_I915_GEM_CREATE:
        return arg_bytes < sizeof(struct drm_i915_gem_create_ext) ? gem_create(f, arg)
                                                                  : gem_create_ext(f, arg);
    case DRM_I915_GEM_CREATE_EXT: return gem_create_ext(f, arg);
    case DRM_I915_GEM_USERPTR: return gem_userptr(f, arg);
    case DRM_I915_GEM_PWRITE: return gem_copy(f, arg, true);
    case DRM_I915_GEM_PREAD: return gem_copy(f, arg, false);
    case DRM_I915_GEM_MMAP: return gem_mmap(f, arg);
    case DRM_I915_GEM_MMAP_GTT: return gem_mmap_offset(f, arg_bytes, arg);
    case DRM_I915_GEM_SET_TILING: return gem_set_tiling(f, arg);
    case DRM_I915_GEM_GET_TILING: return gem_get_tiling(f, arg);
    case DRM_I915_GEM_SET_DOMAIN: return gem_set_domain(f, arg);
    case DRM_I915_GEM_SW_FINISH:
        return shim_object_of(f, ((struct drm_i915_gem_sw_finish *)arg)->handle) != NULL ? 0
                                                                                         : -ENOENT;
    case DRM_I915_GEM_SET_CACHING: return gem_set_caching(f, arg);
    case DRM_I915_GEM_GET_CACHING: return gem_get_caching(f, arg);
    case DRM_I915_GEM_BUSY: return gem_busy(f, arg);
    case DRM_I915_GEM_WAIT: return gem_wait(f, arg);
    case DRM_I915_GEM_MADVISE: return gem_madvise(f, arg);
    default: return -ENOTTY;
    }
}

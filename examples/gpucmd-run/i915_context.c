/* Contexts of a file: their parameters, engine maps and reset statistics. The rules are those of
 * Linux 6.1, i915_gem_context.c. */
#include "i915.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

/* Return the index of a context in the tables; context_count: there is no such context. */
static uint32_t index_of(const i915_file *d, uint32_t id)
{
    uint32_t i = 0;
    while (i < d->context_count && d->contexts[i].id != id) {
        i++;
    }
    return i;
}

gpucmd_i915_context *i915_context_of(const i915_file *d, uint32_t id)
{
    const uint32_t i = index_of(d, id);
    if (i < d->context_count) {
        return &d->contexts[i];
    }
    return NULL;
}

uint64_t i915_context_serial(const i915_file *d, uint32_t id)
{
    const uint32_t i = index_of(d, id);
    if (i < d->context_count) {
        return d->states[i].serial;
    }
    return 0;
}

uint64_t i915_context_follow(const i915_file *d, uint32_t id, uint64_t fence)
{
    const uint32_t i = index_of(d, id);
    uint64_t last = 0;
    if (i < d->context_count && d->states[i].single_timeline) {
        last = d->states[i].last;
        d->states[i].last = fence;
    }
    return last;
}

i915_image **i915_context_image(const i915_file *d, uint32_t id, uint32_t engine)
{
    return &d->states[index_of(d, id)].images[engine];
}

void i915_context_use(const i915_file *d, uint32_t id)
{
    const uint32_t i = index_of(d, id);
    if (i < d->context_count) {
        d->states[i].used = true;
    }
}

/* Execlists and GuC submission exist from gen8 on. */
static bool has_execlists(void)
{
    return i915_gen() >= GPUCMD_I915_GEN8;
}

static bool is_root(void)
{
    return geteuid() == 0;
}

/* Add a context with an address space. Return 0 or a negative errno. */
static int add(i915_file *d, uint32_t id)
{
    static uint64_t serial;
    const i915_context fresh = {.serial = ++serial, .bannable = true, .persistent = true};
    const gpucmd_i915_context row = {.id = id};
    gpucmd_i915_context *rows = realloc(d->contexts, (d->context_count + 1) * sizeof *rows);
    int vm = 0;
    if (has_execlists()) {
        vm = i915_vm_new(d);
    }
    i915_context *states = realloc(d->states, (d->context_count + 1) * sizeof *states);
    if (rows != NULL) {
        d->contexts = rows;
    }
    if (states != NULL) {
        d->states = states;
    }
    d->k.contexts = d->contexts;
    if (rows == NULL || states == NULL || vm < 0) {
        i915_vm_put(d, vm > 0 ? (uint32_t)vm : 0);
        return -ENOMEM;
    }
    states[d->context_count] = fresh;
    rows[d->context_count] = row;
    rows[d->context_count].vm = (uint32_t)vm;
    d->k.context_count = ++d->context_count;
    return 0;
}

static void drop_images(const i915_context *c)
{
    for (uint32_t i = 0; i < I915_ENGINES; i++) {
        i915_image_put(c->images[i]);
    }
}

/* Remove a context with its engine map. */
static void drop(i915_file *d, uint32_t id)
{
    const uint32_t at = index_of(d, id);
    drop_images(&d->states[at]);
    i915_vm_put(d, d->contexts[at].vm);
    d->k.context_count = --d->context_count;
    d->contexts[at] = d->contexts[d->context_count];
    d->states[at] = d->states[d->context_count];
    for (uint32_t i = 0; i < d->map_count; i++) {
        if (d->maps[i].context == id) {
            free(d->engines[i]);
            d->maps[i] = d->maps[--d->map_count];
            d->engines[i] = d->engines[d->map_count];
        }
    }
    d->k.map_count = d->map_count;
}

int i915_contexts_open(i915_file *d)
{
    if (add(d, 0) != 0) {
        return -ENOMEM;
    }
    d->states[0].used = true;
    return 0;
}

void i915_contexts_close(i915_file *d)
{
    for (uint32_t i = 0; i < d->context_count; i++) {
        drop_images(&d->states[i]);
    }
    free(d->contexts);
    free(d->states);
    for (uint32_t i = 0; i < d->map_count; i++) {
        free(d->engines[i]);
    }
    free(d->engines);
    free(d->maps);
}

/* ---- engine maps ---- */

static uint8_t ring_of(struct i915_engine_class_instance e)
{
    if (e.engine_class < 5 && e.engine_instance == 0) {
        return (uint8_t)i915_ring_of_class(e.engine_class);
    }
    return 0;
}

/* Create an engine map for the context. NULL: no memory. */
static i915_engines *map_new(i915_file *d, uint32_t context, uint32_t count)
{
    i915_engines *map = calloc(1, sizeof *map);
    gpucmd_i915_engine_map *maps = realloc(d->maps, (d->map_count + 1) * sizeof *maps);
    i915_engines **engines = realloc(d->engines, (d->map_count + 1) * sizeof(i915_engines *));
    if (maps != NULL) {
        d->maps = maps;
    }
    if (engines != NULL) {
        d->engines = engines;
    }
    d->k.maps = d->maps;
    if (map == NULL || maps == NULL || engines == NULL) {
        free(map);
        return NULL;
    }
    engines[d->map_count] = map;
    maps[d->map_count].context = context;
    maps[d->map_count].rings = map->rings;
    maps[d->map_count].count = count;
    d->k.map_count = ++d->map_count;
    return map;
}

/* Place a virtual engine. Each class has one engine, so that all siblings are that engine. */
static int balance(const struct i915_context_engines_load_balance *b, i915_engines *map,
                   uint32_t count)
{
    uint8_t ring = 0;
    if (!has_execlists()) {
        return -ENODEV;
    }
    if (b->engine_index >= count) {
        return -EINVAL;
    }
    if (map->rings[b->engine_index] != 0) {
        return -EEXIST;
    }
    if (b->flags != 0 || b->mbz64 != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < b->num_siblings; i++) {
        ring = ring_of(b->engines[i]);
        if (ring == 0) {
            return -EINVAL;
        }
    }
    map->rings[b->engine_index] = ring;
    return 0;
}

/* The engine of a bond exists once, so that a valid bond has no effect. */
static int bond(const struct i915_context_engines_bond *b, const i915_engines *map, uint32_t count)
{
    if (b->virtual_index >= count || map->rings[b->virtual_index] == 0 || b->flags != 0 ||
        ring_of(b->master) == 0) {
        return -EINVAL;
    }
    if (i915_gen() < GPUCMD_I915_GEN12_5) {
        return 0;
    }
    return -ENODEV;
}

int i915_extension(const struct i915_user_extension *x)
{
    if (!shim_is_mapped((uintptr_t)x, 64)) {
        return -EFAULT;
    }
    if ((x->flags | x->rsvd[0] | x->rsvd[1] | x->rsvd[2] | x->rsvd[3]) != 0) {
        return -EINVAL;
    }
    return 0;
}

static int engine_extensions(uint64_t at, i915_engines *map, uint32_t count)
{
    int err = 0;
    for (uint32_t n = 0; at != 0 && err == 0; n++) {
        const struct i915_user_extension *x = (const void *)(uintptr_t)at;
        if (n < I915_EXTENSIONS) {
            err = i915_extension(x);
        } else {
            err = -E2BIG;
        }
        if (err == 0) {
            if (x->name == I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE) {
                err = balance((const void *)x, map, count);
            } else if (x->name == I915_CONTEXT_ENGINES_EXT_BOND) {
                err = bond((const void *)x, map, count);
            } else if (x->name == I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT) {
                err = -ENODEV;
            } else {
                err = -EINVAL;
            }
        }
        if (err == 0) {
            at = x->next_extension;
        } else {
            at = 0;
        }
    }
    return err;
}

static int set_engines(i915_file *d, uint32_t context, const struct drm_i915_gem_context_param *p)
{
    const struct i915_context_param_engines *e =
        (const struct i915_context_param_engines *)(uintptr_t)p->value;
    const uint32_t count = (p->size - (uint32_t)sizeof *e) / (uint32_t)sizeof e->engines[0];
    i915_engines map = {{0}};
    int err = 0;
    for (uint32_t i = 0; i < d->map_count; i++) {
        if (d->maps[i].context == context) {
            err = -EINVAL;
        }
    }
    if (err != 0 || p->size < sizeof *e || (p->size - sizeof *e) % sizeof e->engines[0] != 0 ||
        count > MAP_MAX || shim_is_off("engines")) {
        return -EINVAL;
    }
    if (!shim_is_mapped(p->value, p->size)) {
        return -EFAULT;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct i915_engine_class_instance one = e->engines[i];
        map.rings[i] = ring_of(one);
        if (map.rings[i] == 0 &&
            (one.engine_class != (uint16_t)I915_ENGINE_CLASS_INVALID ||
             one.engine_instance != (uint16_t)I915_ENGINE_CLASS_INVALID_NONE)) {
            return -ENOENT;
        }
    }
    err = engine_extensions(e->extensions, &map, count);
    if (err == 0) {
        i915_engines *kept = map_new(d, context, count);
        if (kept == NULL) {
            return -ENOMEM;
        }
        *kept = map;
    }
    return err;
}

/* ---- parameters ---- */

static int set_priority(gpucmd_i915_context *row, const struct drm_i915_gem_context_param *p)
{
    const int64_t priority = (int64_t)p->value;
    if (p->size != 0) {
        return -EINVAL;
    }
    if (!has_execlists()) {
        return -ENODEV;
    }
    if (priority > I915_CONTEXT_MAX_USER_PRIORITY || priority < I915_CONTEXT_MIN_USER_PRIORITY) {
        return -EINVAL;
    }
    if (priority > I915_CONTEXT_DEFAULT_PRIORITY && !is_root()) {
        return -EPERM;
    }
    row->priority = (int32_t)priority;
    return 0;
}

/* Set one of the parameters that are true or false. */
static int set_flag(const i915_file *d, uint32_t at, const struct drm_i915_gem_context_param *p)
{
    i915_context *c = &d->states[at];
    const bool on = p->value != 0;
    if (p->size != 0) {
        return -EINVAL;
    }
    switch (p->param) {
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE: c->no_error_capture = on; return 0;
    case I915_CONTEXT_PARAM_RECOVERABLE: d->contexts[at].unrecoverable = !on; return 0;
    case I915_CONTEXT_PARAM_BANNABLE:
        if (!on && !is_root()) {
            return -EPERM;
        }
        c->bannable = on;
        return 0;
    default: /* persistence: to end work with its context needs preemption or an engine reset */
        if (c->persistent != on && !on && i915_gen() < GPUCMD_I915_GEN9) {
            return -ENODEV;
        }
        c->persistent = on;
        return 0;
    }
}

/* The power of an engine can be set on gen11 only; it changes nothing here. */
static int sseu(const struct drm_i915_gem_context_param *p, bool set)
{
    const struct drm_i915_gem_context_param_sseu *s = (const void *)(uintptr_t)p->value;
    if (p->size < sizeof *s) {
        return -EINVAL;
    }
    if (!shim_is_mapped(p->value, sizeof *s)) {
        return -EFAULT;
    }
    if (set && i915_gen() != GPUCMD_I915_GEN11) {
        return -ENODEV;
    }
    if (s->rsvd != 0 || (s->flags & ~(uint32_t)I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX) != 0) {
        return -EINVAL;
    }
    return 0;
}

static int set(i915_file *d, uint32_t id, const struct drm_i915_gem_context_param *p)
{
    const uint32_t at = index_of(d, id);
    if (at == d->context_count) {
        return -ENOENT;
    }
    switch (p->param) {
    case I915_CONTEXT_PARAM_ENGINES: return d->states[at].used ? -EINVAL : set_engines(d, id, p);
    case I915_CONTEXT_PARAM_VM:
        return d->states[at].used ? -EINVAL : i915_vm_set(d, &d->contexts[at], p);
    case I915_CONTEXT_PARAM_PRIORITY: return set_priority(&d->contexts[at], p);
    case I915_CONTEXT_PARAM_SSEU: return sseu(p, true);
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
    case I915_CONTEXT_PARAM_BANNABLE:
    case I915_CONTEXT_PARAM_RECOVERABLE:
    case I915_CONTEXT_PARAM_PERSISTENCE: return set_flag(d, at, p);
    default: return -EINVAL;
    }
}

int i915_context_set(i915_file *d, const struct drm_i915_gem_context_param *p)
{
    return set(d, p->ctx_id, p);
}

static int get_sseu(struct drm_i915_gem_context_param *p)
{
    struct drm_i915_gem_context_param_sseu *s = (void *)(uintptr_t)p->value;
    int err = 0;
    if (p->size != 0) {
        err = sseu(p, false);
    }
    if (p->size != 0 && err == 0) {
        uint64_t subslices;
        i915_topology(&subslices, &s->max_eus_per_subslice);
        s->slice_mask = 1;
        s->subslice_mask = subslices;
        s->min_eus_per_subslice = s->max_eus_per_subslice;
    }
    if (err == 0) {
        p->size = (uint32_t)sizeof *s;
    }
    return err;
}

int i915_context_get(i915_file *d, struct drm_i915_gem_context_param *p)
{
    const uint32_t at = index_of(d, p->ctx_id);
    const i915_context *c = &d->states[at];
    int err = 0;
    if (at == d->context_count) {
        return -ENOENT;
    }
    i915_context_use(d, p->ctx_id);
    switch (p->param) {
    case I915_CONTEXT_PARAM_SSEU: return get_sseu(p);
    case I915_CONTEXT_PARAM_VM: err = i915_vm_get(d, &d->contexts[at], p); break;
    case I915_CONTEXT_PARAM_GTT_SIZE: p->value = i915_address_space_bytes(); break;
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE: p->value = c->no_error_capture; break;
    case I915_CONTEXT_PARAM_BANNABLE: p->value = c->bannable; break;
    case I915_CONTEXT_PARAM_RECOVERABLE: p->value = !d->contexts[at].unrecoverable; break;
    case I915_CONTEXT_PARAM_PRIORITY:
        p->value =
            (uint32_t)d->contexts[at].priority | (d->contexts[at].priority < 0 ? ~0ull << 32 : 0);
        break;
    case I915_CONTEXT_PARAM_PERSISTENCE: p->value = c->persistent; break;
    case I915_CONTEXT_PARAM_PROTECTED_CONTENT: p->value = 0; break;
    default: err = -EINVAL; break;
    }
    if (err == 0) {
        p->size = 0;
    }
    return err;
}

int i915_reset_stats(const i915_file *d, struct drm_i915_reset_stats *a)
{
    const gpucmd_i915_context *row = i915_context_of(d, a->ctx_id);
    if (a->flags != 0 || a->pad != 0) {
        return -EINVAL;
    }
    if (row == NULL) {
        return -ENOENT;
    }
    i915_context_use(d, a->ctx_id);
    if (is_root()) {
        a->reset_count = i915_resets();
    } else {
        a->reset_count = 0;
    }
    a->batch_active = row->active;
    a->batch_pending = row->pending;
    return 0;
}

/* ---- create and destroy ---- */

int i915_context_create(i915_file *d, uint32_t arg_bytes, struct drm_i915_gem_context_create_ext *a)
{
    uint32_t extensions = 0;
    uint32_t id = 1; /* the kernel, too, gives the lowest free number */
    uint32_t flags = 0;
    if (arg_bytes >= sizeof *a) {
        flags = a->flags;
    }
    int err;
    if (i915_gen() < GPUCMD_I915_GEN6 || shim_is_off("context")) {
        return -ENODEV;
    }
    if ((flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN) != 0 ||
        ((flags & I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE) != 0 && !has_execlists())) {
        return -EINVAL;
    }
    if (shim_wedged()) {
        return -EIO;
    }
    while (index_of(d, id) < d->context_count) {
        id++;
    }
    err = add(d, id);
    if (err != 0) {
        return err;
    }
    d->states[index_of(d, id)].single_timeline =
        (flags & I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE) != 0;
    for (uint64_t at = (flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) != 0 ? a->extensions : 0;
         at != 0 && err == 0;) {
        const struct drm_i915_gem_context_create_ext_setparam *x = (const void *)(uintptr_t)at;
        if (extensions++ < I915_EXTENSIONS) {
            err = i915_extension(&x->base);
        } else {
            err = -E2BIG;
        }
        if (err == 0) {
            if (x->base.name != I915_CONTEXT_CREATE_EXT_SETPARAM || x->param.ctx_id != 0) {
                err = -EINVAL;
            } else {
                err = set(d, id, &x->param);
            }
        }
        if (err == 0) {
            at = x->base.next_extension;
        } else {
            at = 0;
        }
    }
    if (err != 0) {
        drop(d, id);
        return err;
    }
    a->ctx_id = id;
    return 0;
}

bool i915_context_persists(const i915_file *d, uint32_t id)
{
    const uint32_t at = index_of(d, id);
    return at == d->context_count || d->states[at].persistent;
}

bool i915_context_bannable(const i915_file *d, uint32_t id)
{
    const uint32_t at = index_of(d, id);
    return at < d->context_count && d->states[at].bannable;
}

int i915_context_destroy(i915_file *d, const struct drm_i915_gem_context_destroy *a)
{
    if (a->pad != 0) {
        return -EINVAL;
    }
    if (a->ctx_id == 0 || i915_context_of(d, a->ctx_id) == NULL) {
        return -ENOENT;
    }
    i915_jobs_of_context_end(d, a->ctx_id);
    drop(d, a->ctx_id);
    return 0;
}

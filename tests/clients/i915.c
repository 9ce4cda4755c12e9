/* The i915 driver: objects, contexts and submissions. The model kernel of gpucmd_i915.h puts each
 * submission into a ring; the executor executes it before the ioctl returns. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "i915.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

/* Words of GPUCMD_CLIENT_OFF that this driver knows:
 *   getparamN  reject parameter N
 *   tiling     reject SET_TILING
 *   wait       reject GEM_WAIT
 *   context    reject contexts
 *   engines    reject the engine map of a context
 *   words      replace the first word of each batch by an unknown word */
enum {
    NOT_A_COMMAND = 0x20000000,
    ENGINES = 5,
    RING_BYTES = 4096,
    LIST_MAX = 1 << 16,
    PIECES = 256,  /* chained and called batches that one check follows */
    SAMPLES = 100, /* count of passed samples per draw, because the model draws nothing */
    TRACE_BYTES = 1 << 16
};

/* GPU address of the rings: below all addresses that the kernel and drivers assign. */
static const uint64_t ring_va = 0x10000;
/* Commands that one submission may execute. */
static const uint64_t budget = (uint64_t)1 << 26;

static const struct {
    gpucmd_i915_engine engine;
    uint32_t ring;
    uint32_t engine_class;
} engine_rows[ENGINES] = {
    {GPUCMD_I915_RCS,  GPUCMD_I915_EXEC_RENDER,  I915_ENGINE_CLASS_RENDER       },
    {GPUCMD_I915_VCS,  GPUCMD_I915_EXEC_BSD,     I915_ENGINE_CLASS_VIDEO        },
    {GPUCMD_I915_BCS,  GPUCMD_I915_EXEC_BLT,     I915_ENGINE_CLASS_COPY         },
    {GPUCMD_I915_VECS, GPUCMD_I915_EXEC_VEBOX,   I915_ENGINE_CLASS_VIDEO_ENHANCE},
    {GPUCMD_I915_CCS,  GPUCMD_I915_RING_COMPUTE, I915_ENGINE_CLASS_COMPUTE      },
};

/* The hardware, shared by all open files. */
static gpucmd_i915_cs engines[ENGINES];
static gpucmd_i915_ring rings[ENGINES];
static bool present[ENGINES];
static uint32_t ring_words[ENGINES][RING_BYTES / 4];

/* The memory of the engines during a submission. */
static gpucmd_region *regions;
static size_t region_cap;
static size_t region_count;
static gpucmd_mem memory;

/* The memory of the client process: addresses are its pointers. */
static gpucmd_region process_region;
static gpucmd_mem process;

gpucmd_i915_gen i915_gen(void)
{
    return (gpucmd_i915_gen)shim.gpu->number;
}

uint32_t i915_ring_of_class(uint32_t engine_class)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        if (engine_rows[i].engine_class == engine_class && present[i]) {
            return engine_rows[i].ring;
        }
    }
    return 0;
}

static void start(void)
{
    process_region.va = 0x1000;
    process_region.host = (void *)(uintptr_t)0x1000;
    process_region.bytes = ((uint64_t)1 << 47) - 0x2000;
    process_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    if (gpucmd_mem_init(&process, &process_region, 1) != GPUCMD_OK) {
        abort();
    }
    for (uint32_t i = 0; i < ENGINES; i++) {
        gpucmd_i915_cs *cs = &engines[i];
        gpucmd_mmio mmio;
        if (gpucmd_i915_cs_init(cs, i915_gen(), engine_rows[i].engine, 0) != GPUCMD_OK) {
            continue;
        }
        gpucmd_i915_cs_mmio(cs, &mmio);
        if (gpucmd_i915_ring_init(&rings[i], ring_words[i], RING_BYTES, 0, &mmio, cs->base) !=
                GPUCMD_OK ||
            gpucmd_i915_ring_start(&rings[i], (uint32_t)ring_va + i * RING_BYTES) != GPUCMD_OK) {
            abort();
        }
        cs->depth_step = SAMPLES;
        present[i] = true;
    }
}

static void open_file(shim_file *f)
{
    i915_file *d = calloc(1, sizeof *d);
    if (d == NULL) {
        abort();
    }
    gpucmd_i915_kernel_init(&d->k, i915_gen(), &process);
    for (uint32_t i = 0; i < ENGINES; i++) {
        d->k.rings[engine_rows[i].ring] = present[i] ? &rings[i] : NULL;
    }
    d->k.parser = true;
    d->context_next = 1;
    f->data = d;
}

static void close_file(shim_file *f)
{
    i915_file *d = f->data;
    free(d->k.list);
    free(d->rows);
    free(d->contexts);
    for (uint32_t i = 0; i < d->map_count; i++) {
        free(d->engines[i]);
    }
    free(d->engines);
    free(d->maps);
    free(d->syncobjs);
    free(d);
    f->data = NULL;
}

/* ---- objects ---- */

/* Add a new object to the table of the model kernel. */
static int object_added(shim_file *f, shim_object *o)
{
    i915_file *d = f->data;
    gpucmd_i915_object *row;
    if (o->handle > d->row_count) {
        const uint32_t count = d->row_count == 0 ? 64 : 2 * d->row_count;
        gpucmd_i915_object *more = realloc(d->rows, count * sizeof *more);
        if (more == NULL) {
            return -ENOMEM;
        }
        memset(more + d->row_count, 0, (count - d->row_count) * sizeof *more);
        d->rows = more;
        d->row_count = count;
        d->k.objects = more;
    }
    d->k.object_count = o->handle > d->k.object_count ? o->handle : d->k.object_count;
    row = &d->rows[o->handle - 1];
    row->handle = o->handle;
    row->bytes = o->bytes;
    row->host = o->storage->host;
    row->va = 0;
    row->bound = false;
    return 0;
}

static void object_free(shim_file *f, shim_object *o)
{
    i915_file *d = f->data;
    if (d != NULL && o->handle <= d->row_count) {
        d->rows[o->handle - 1].handle = 0;
    }
}

static int create(shim_file *f, uint64_t *bytes, uint32_t *handle)
{
    shim_object *o;
    if (*bytes == 0) {
        return -EINVAL;
    }
    o = shim_object_new(f, *bytes, i915_gen() >= GPUCMD_I915_GEN12_5 ? 0x10000 : 0);
    if (o == NULL) {
        return -ENOMEM;
    }
    *bytes = o->bytes;
    *handle = o->handle;
    return object_added(f, o);
}

static int gem_create(shim_file *f, struct drm_i915_gem_create *a)
{
    uint64_t bytes = a->size;
    const int err = create(f, &bytes, &a->handle);
    a->size = bytes;
    return err;
}

static int gem_create_ext(shim_file *f, struct drm_i915_gem_create_ext *a)
{
    uint64_t bytes = a->size;
    const int err = create(f, &bytes, &a->handle);
    a->size = bytes;
    return err;
}

static int gem_userptr(shim_file *f, struct drm_i915_gem_userptr *a)
{
    shim_object *o;
    if (a->user_size == 0 || ((a->user_ptr | a->user_size) & 4095) != 0) {
        return -EINVAL;
    }
    o = shim_object_new_user(f, (void *)(uintptr_t)a->user_ptr, a->user_size);
    if (o == NULL) {
        return -ENOMEM;
    }
    a->handle = o->handle;
    return object_added(f, o);
}

static int gem_copy(shim_file *f, const struct drm_i915_gem_pwrite *a, bool to_object)
{
    const shim_object *o = shim_object_of(f, a->handle);
    uint8_t *at;
    if (o == NULL) {
        return -ENOENT;
    }
    if (a->offset > o->bytes || a->size > o->bytes - a->offset) {
        return -EINVAL;
    }
    at = (uint8_t *)o->storage->host + a->offset;
    if (to_object) {
        memcpy(at, (const void *)(uintptr_t)a->data_ptr, a->size);
    } else {
        memcpy((void *)(uintptr_t)a->data_ptr, at, a->size);
    }
    return 0;
}

static int gem_mmap(shim_file *f, struct drm_i915_gem_mmap *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    void *at;
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user || a->offset > o->bytes || a->size > o->bytes - a->offset) {
        return -EINVAL;
    }
    at = shim_memory_map(f, NULL, a->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                         o->storage->off_bytes + a->offset);
    if (at == MAP_FAILED) {
        return -errno;
    }
    a->addr_ptr = (uintptr_t)at;
    return 0;
}

/* MMAP_GTT, and MMAP_OFFSET, whose structure begins with the members of MMAP_GTT. */
static int gem_mmap_offset(shim_file *f, struct drm_i915_gem_mmap_gtt *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (o == NULL) {
        return -ENOENT;
    }
    if (o->storage->is_user) {
        return -ENODEV;
    }
    a->offset = o->storage->off_bytes;
    return 0;
}

static int gem_set_tiling(shim_file *f, struct drm_i915_gem_set_tiling *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (o == NULL) {
        return -ENOENT;
    }
    if (shim_is_off("tiling")) {
        return -EINVAL;
    }
    a->stride = a->tiling_mode != I915_TILING_NONE ? a->stride : 0;
    shim_row_at(o->storage->row)->storage.tiling = a->tiling_mode;
    shim_row_at(o->storage->row)->storage.stride = a->stride;
    a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int gem_get_tiling(shim_file *f, struct drm_i915_gem_get_tiling *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (o == NULL) {
        return -ENOENT;
    }
    a->tiling_mode = shim_row_at(o->storage->row)->storage.tiling;
    a->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    a->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

/* ---- contexts ---- */

static bool context_known(const i915_file *d, uint32_t id)
{
    bool known = id == 0;
    for (uint32_t i = 0; i < d->context_count; i++) {
        known = known || d->contexts[i].id == id;
    }
    return known;
}

static uint8_t ring_of(struct i915_engine_class_instance e)
{
    return e.engine_class < 5 && (int16_t)e.engine_instance <= 0
               ? (uint8_t)i915_ring_of_class(e.engine_class)
               : 0;
}

/* Return the engine map of the context; create one if the context has none. NULL: no memory. */
static i915_engines *engines_of(i915_file *d, uint32_t context)
{
    i915_engines *engine_map = NULL;
    gpucmd_i915_engine_map *maps;
    for (uint32_t i = 0; i < d->map_count; i++) {
        if (d->maps[i].context == context) {
            return d->engines[i];
        }
    }
    maps = realloc(d->maps, (d->map_count + 1) * sizeof *maps);
    d->maps = maps != NULL ? maps : d->maps;
    if (maps != NULL) {
        i915_engines **more = realloc(d->engines, (d->map_count + 1) * sizeof(i915_engines *));
        d->engines = more != NULL ? more : d->engines;
        engine_map = more != NULL ? calloc(1, sizeof *engine_map) : NULL;
    }
    d->k.maps = d->maps;
    if (engine_map == NULL) {
        return NULL;
    }
    d->engines[d->map_count] = engine_map;
    d->maps[d->map_count].context = context;
    d->maps[d->map_count].rings = engine_map->rings;
    d->k.map_count = ++d->map_count;
    return engine_map;
}

static void set_map_count(const i915_file *d, uint32_t context, uint32_t count)
{
    for (uint32_t i = 0; i < d->map_count; i++) {
        if (d->maps[i].context == context) {
            d->maps[i].count = count;
        }
    }
}

/* Set the engine map. A virtual engine is emulated by its first sibling. */
static int set_engines(i915_file *d, uint32_t context, const struct drm_i915_gem_context_param *p)
{
    const struct i915_context_param_engines *e =
        (const struct i915_context_param_engines *)(uintptr_t)p->value;
    const uint32_t count = (p->size - (uint32_t)sizeof *e) / (uint32_t)sizeof e->engines[0];
    i915_engines *map;
    if (p->size < sizeof *e || count > MAP_MAX || shim_is_off("engines")) {
        return -EINVAL;
    }
    map = engines_of(d, context);
    if (map == NULL) {
        return -ENOMEM;
    }
    set_map_count(d, context, count);
    for (uint32_t i = 0; i < count; i++) {
        map->rings[i] = ring_of(e->engines[i]);
    }
    for (uint64_t at = e->extensions; at != 0;) {
        const struct i915_context_engines_load_balance *b =
            (const struct i915_context_engines_load_balance *)(uintptr_t)at;
        if (b->base.name == I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE && b->num_siblings > 0 &&
            b->engine_index < count) {
            map->rings[b->engine_index] = ring_of(b->engines[0]);
        }
        at = b->base.next_extension;
    }
    return 0;
}

static int context_set(i915_file *d, uint32_t context, const struct drm_i915_gem_context_param *p)
{
    if (!context_known(d, context)) {
        return -ENOENT;
    }
    if (p->param == I915_CONTEXT_PARAM_ENGINES) {
        return set_engines(d, context, p);
    }
    return p->param < I915_CONTEXT_PARAM_PROTECTED_CONTENT ? 0 : -EINVAL;
}

static int context_get(i915_file *d, struct drm_i915_gem_context_param *p)
{
    if (!context_known(d, p->ctx_id)) {
        return -ENOENT;
    }
    switch (p->param) {
    case I915_CONTEXT_PARAM_GTT_SIZE: p->value = i915_address_space_bytes(); break;
    case I915_CONTEXT_PARAM_VM: p->value = d->context_next++; break;
    case I915_CONTEXT_PARAM_SSEU:
        if (p->size != 0 && p->value != 0) {
            memset((void *)(uintptr_t)p->value, 0, p->size);
        }
        return 0;
    default:
        if (p->param >= I915_CONTEXT_PARAM_PROTECTED_CONTENT) {
            return -EINVAL;
        }
        p->value = 0;
        break;
    }
    p->size = 0;
    return 0;
}

static int context_create(i915_file *d, uint32_t arg_bytes,
                          struct drm_i915_gem_context_create_ext *a)
{
    const uint32_t id = d->context_next;
    const gpucmd_i915_context context = {.id = id};
    gpucmd_i915_context *more;
    int err = 0;
    if (i915_gen() < GPUCMD_I915_GEN6 || shim_is_off("context")) {
        return -ENODEV;
    }
    more = realloc(d->contexts, (d->context_count + 1) * sizeof *more);
    if (more == NULL) {
        return -ENOMEM;
    }
    d->contexts = more;
    more[d->context_count++] = context;
    d->k.contexts = more;
    d->k.context_count = d->context_count;
    d->context_next++;
    a->ctx_id = id;
    if (arg_bytes < sizeof *a || (a->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) == 0) {
        return 0;
    }
    for (uint64_t at = a->extensions; at != 0 && err == 0;) {
        const struct drm_i915_gem_context_create_ext_setparam *x =
            (const struct drm_i915_gem_context_create_ext_setparam *)(uintptr_t)at;
        err = x->base.name == I915_CONTEXT_CREATE_EXT_SETPARAM ? context_set(d, id, &x->param)
                                                               : -EINVAL;
        at = x->base.next_extension;
    }
    if (err != 0) {
        d->k.context_count = --d->context_count;
    }
    return err;
}

static int context_destroy(i915_file *d, uint32_t id)
{
    if (id == 0 || !context_known(d, id)) {
        return -ENOENT;
    }
    for (uint32_t i = 0; i < d->context_count; i++) {
        if (d->contexts[i].id == id) {
            d->contexts[i] = d->contexts[--d->context_count];
        }
    }
    for (uint32_t i = 0; i < d->map_count; i++) {
        if (d->maps[i].context == id) {
            free(d->engines[i]);
            d->maps[i] = d->maps[--d->map_count];
            d->engines[i] = d->engines[d->map_count];
        }
    }
    d->k.context_count = d->context_count;
    d->k.map_count = d->map_count;
    return 0;
}

/* ---- memory of the engines ---- */

static int by_address(const void *a, const void *b)
{
    const gpucmd_region *x = a;
    const gpucmd_region *y = b;
    return x->va < y->va ? -1 : x->va > y->va;
}

static int room_for_regions(size_t count)
{
    const size_t cap = count + (size_t)ENGINES;
    if (region_cap < cap) {
        gpucmd_region *more = realloc(regions, 2 * cap * sizeof *more);
        if (more == NULL) {
            return -ENOMEM;
        }
        regions = more;
        region_cap = 2 * cap;
    }
    return 0;
}

/* Map the rings, and count regions of objects after them, for the engines. */
static int map_regions(size_t count)
{
    bool low = false;
    for (uint32_t i = 0; i < ENGINES; i++) {
        regions[i].va = ring_va + (uint64_t)i * RING_BYTES;
        regions[i].bytes = RING_BYTES;
        regions[i].host = ring_words[i];
        regions[i].access_mask = GPUCMD_ACCESS_READ;
    }
    region_count = ENGINES + count;
    for (size_t i = ENGINES; i < region_count; i++) {
        low = low || regions[i].va < ring_va + ENGINES * RING_BYTES;
    }
    if (low) {
        qsort(regions, region_count, sizeof regions[0], by_address);
    }
    for (size_t i = 1; i < region_count; i++) {
        if (regions[i].va - regions[i - 1].va < regions[i - 1].bytes) {
            shim_error(SHIM_UNDONE, "two objects at address 0x%llx",
                       (unsigned long long)regions[i].va);
        }
    }
    return gpucmd_mem_init(&memory, regions, region_count) == GPUCMD_OK ? 0 : -EINVAL;
}

/* Map the rings and the objects of the last submission for the engines. */
static int see(const i915_file *d)
{
    const int err = room_for_regions(d->k.list_count);
    return err != 0 ? err
                    : map_regions(gpucmd_i915_kernel_list_regions(&d->k, regions + ENGINES,
                                                                  region_cap - ENGINES));
}

/* ---- checking ---- */

/* The part of a batch that one walk covers: up to the end of the batch or of the memory. */
typedef struct piece {
    uint64_t va;
    bool second_level; /* called by another batch */
    const uint32_t *dw;
    size_t len_dw;
} piece;

typedef struct checker {
    const gpucmd_i915_cmdset *cmdset;
    piece pieces[PIECES];
    uint32_t count;
    const piece *now;
} checker;

static uint64_t address_of(const piece *p, const uint32_t *at)
{
    return p->va + 4 * (uint64_t)(at - p->dw);
}

static gpucmd_status found(void *user, const gpucmd_i915_finding *finding)
{
    const checker *c = user;
    const uint32_t *at = c->now->dw + finding->at_dw;
    if (finding->severity < 2) {
        shim_count(SHIM_NOTES, 1);
        return GPUCMD_OK;
    }
    shim_error(SHIM_ERRORS, "%s at 0x%llx: %s (0x%08x): %s", gpucmd_i915_name(c->cmdset, *at),
               (unsigned long long)address_of(c->now, at), finding->name, finding->value,
               finding->text);
    return GPUCMD_OK;
}

static void trace_command(const checker *c, const uint32_t *at, uint32_t len_dw)
{
    static char buf[TRACE_BYTES];
    gpucmd_text text;
    gpucmd_text_init(&text, buf, sizeof buf);
    gpucmd_i915_print(&text, c->cmdset, at, len_dw, address_of(c->now, at));
    shim_trace(buf);
}

/* Add the target of an MI_BATCH_BUFFER_START to the parts to check. */
static void add_piece(checker *c, const uint32_t *dw)
{
    const gpucmd_i915_gen gen = c->cmdset->gen;
    const uint64_t high = gen >= GPUCMD_I915_GEN8 ? dw[2] & 0xffff : 0;
    const uint64_t va = high << 32 | (dw[1] & ~3u);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->pieces[i].va == va) {
            return;
        }
    }
    if (c->count < PIECES) {
        piece *p = &c->pieces[c->count++];
        p->va = va;
        p->second_level =
            !gpucmd_i915_ends_batch(gen, *dw) || (c->now != NULL && c->now->second_level);
    }
}

/* Walk at most p->len_dw words from p->dw, and write the number of words walked to p->len_dw. */
static void walk_piece(checker *c, piece *p)
{
    gpucmd_i915_walk walk;
    const uint32_t *at;
    uint32_t len_dw = 0;
    bool ended = false;
    gpucmd_i915_walk_init(&walk, p->dw, p->len_dw);
    while (!ended && (at = gpucmd_i915_walk_next(&walk, c->cmdset, &len_dw)) != NULL) {
        if (gpucmd_i915_classify(c->cmdset, *at) == GPUCMD_I915_OP_UNKNOWN) {
            shim_error(SHIM_UNKNOWN, "0x%08x at 0x%llx is not known", *at,
                       (unsigned long long)address_of(p, at));
        }
        if (shim.trace) {
            trace_command(c, at, len_dw);
        }
        ended = gpucmd_i915_ends_batch(c->cmdset->gen, *at);
        if (*at >> 23 == GPUCMD_I915_HDR_MI_BATCH_BUFFER_START >> 23) {
            add_piece(c, at);
        }
    }
    if (!ended) {
        shim_error(walk.status == GPUCMD_INVALID ? SHIM_UNKNOWN : SHIM_TRUNCATED,
                   "the walk from 0x%llx ends at 0x%llx: 0x%08x", (unsigned long long)p->va,
                   (unsigned long long)address_of(p, walk.cur),
                   walk.cur < walk.end ? *walk.cur : 0);
    }
    len_dw = (uint32_t)(walk.cur - p->dw);
    len_dw += len_dw & 1 & (len_dw < p->len_dw); /* a batch is fetched by qwords */
    p->len_dw = len_dw;
}

static void check_piece(checker *c, piece *p)
{
    gpucmd_i915_check_options options;
    uint64_t bytes;
    uint8_t *host;
    if (gpucmd_mem_span(&memory, p->va, (uint64_t)1 << 32, GPUCMD_ACCESS_READ, &host, &bytes) !=
        GPUCMD_OK) {
        shim_error(SHIM_TRUNCATED, "no memory at 0x%llx", (unsigned long long)p->va);
        return;
    }
    c->now = p;
    p->dw = (const uint32_t *)(const void *)host;
    p->len_dw = bytes / 4;
    walk_piece(c, p);
    shim_count(SHIM_BUFFERS, 1);
    shim_count(SHIM_WORDS, p->len_dw);
    if (shim.dump != NULL) {
        shim_dump(gpucmd_i915_engine_name(c->cmdset->engine), p->va, p->dw, p->len_dw);
    }
    if (shim.check) {
        options.secure = false;
        options.second_level = p->second_level;
        options.ring = false;
        options.va = p->va;
        options.found = found;
        options.user = c;
        if (gpucmd_i915_check(c->cmdset, p->dw, p->len_dw, &options, NULL) != GPUCMD_OK) {
            shim_error(SHIM_ERRORS, "the checker gave up");
        }
    }
}

/* Check the batch at va and all batches that it chains or calls. */
static void check_batch(const gpucmd_i915_cmdset *cmdset, uint64_t va)
{
    static checker c;
    c.cmdset = cmdset;
    c.now = NULL;
    c.count = 1;
    c.pieces[0].va = va;
    c.pieces[0].second_level = false;
    for (uint32_t i = 0; i < c.count; i++) {
        check_piece(&c, &c.pieces[i]);
    }
}

/* ---- executing ---- */

/* Callback for commands that the executor does not perform. 3D and media commands and
 * MI_SET_CONTEXT need no effect; any other command is counted as undone. */
static gpucmd_status event(void *user, const gpucmd_event *e)
{
    const gpucmd_i915_cs *cs = user;
    const uint32_t head = (uint32_t)e->value;
    if (e->kind == GPUCMD_EVENT_COMMAND && head >> 29 != 3 &&
        head >> 23 != GPUCMD_I915_HDR_MI_SET_CONTEXT >> 23) {
        shim_error(SHIM_UNDONE, "%s (0x%08x) at 0x%llx is not executed",
                   gpucmd_i915_name(&cs->cmdset, head), head, (unsigned long long)e->va);
    }
    return GPUCMD_OK;
}

/* Reset engine i, with an empty ring. */
static void reset(uint32_t i)
{
    gpucmd_i915_cs_reset(&engines[i], rings[i].tail_bytes);
}

static void execute(uint32_t i)
{
    gpucmd_i915_cs *cs = &engines[i];
    const uint64_t before = cs->commands;
    gpucmd_env env;
    gpucmd_run run;
    gpucmd_env_init(&env, &memory, event, cs);
    run = gpucmd_i915_run(cs, &env, budget);
    shim_count(SHIM_COMMANDS, cs->commands - before);
    if (run == GPUCMD_RUN_IDLE) {
        return;
    }
    if (run == GPUCMD_RUN_BLOCKED) {
        char buf[256];
        gpucmd_text text;
        gpucmd_text_init(&text, buf, sizeof buf);
        gpucmd_i915_print_waits(&text, cs, 1, &memory);
        shim_error(SHIM_BLOCKED, "%s", buf);
    } else {
        shim_error(SHIM_FAULTS, "%s stops at 0x%llx: %s, %s; address 0x%llx",
                   gpucmd_i915_engine_name(cs->cmdset.engine), (unsigned long long)cs->acthd,
                   gpucmd_run_name(run), gpucmd_i915_error_text(cs->error),
                   (unsigned long long)memory.fault_va);
    }
    reset(i);
}

/* Copy the synchronisation objects of f into the table of the model kernel. take_syncs copies
 * their state back after the submission. */
static int lend_syncs(shim_file *f, i915_file *d)
{
    uint32_t n = 0;
    gpucmd_i915_syncobj *more;
    more = realloc(d->syncobjs, (f->sync_count + 1) * sizeof *more);
    if (more == NULL) {
        return -ENOMEM;
    }
    d->syncobjs = more;
    for (uint32_t i = 0; i < f->sync_count; i++) {
        if (f->syncs[i] != NULL) {
            more[n].handle = i + 1;
            more[n].has_fence = f->syncs[i]->has_fence;
            more[n].ring = 0;
            more[n].point = f->syncs[i]->point;
            n++;
        }
    }
    d->k.syncobjs = more;
    d->k.syncobj_count = n;
    return 0;
}

static void take_syncs(shim_file *f, const i915_file *d)
{
    for (uint32_t i = 0; i < d->k.syncobj_count; i++) {
        shim_sync *s = f->syncs[d->syncobjs[i].handle - 1];
        const gpucmd_i915_syncobj *row = &d->syncobjs[i];
        s->has_fence = s->has_fence || row->has_fence; /* one object may have several handles */
        s->point = row->point > s->point ? row->point : s->point;
    }
}

/* Put the sync file that the submission waits for, and an empty one for its result, into the table
 * of the model kernel. */
static int lend_sync_files(i915_file *d, const struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const int in = (int)(a->rsvd2 & 0xffffffffu);
    const uint64_t waits = GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT;
    d->k.sync_files = d->sync_files;
    if ((a->flags & waits) != 0 && shim_fd_kind(in) == SHIM_SYNC_FILE) {
        const gpucmd_i915_sync_file given = {in, true, 0, 0};
        d->sync_files[d->k.sync_file_count++] = given;
    }
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_OUT) != 0) {
        const int out = shim_sync_file_new();
        const gpucmd_i915_sync_file empty = {out, false, 0, 0};
        if (out < 0) {
            return out;
        }
        d->sync_files[d->k.sync_file_count++] = empty;
    }
    return 0;
}

/* Close the sync files that the submission did not use. */
static void take_sync_files(const i915_file *d)
{
    for (uint32_t i = 0; i < d->k.sync_file_count; i++) {
        if (!d->sync_files[i].used) {
            close(d->sync_files[i].fd);
        }
    }
}

static int room_for_list(i915_file *d, uint32_t count)
{
    if (count > d->k.list_cap && count <= LIST_MAX) {
        struct gpucmd_drm_i915_gem_exec_object2 *more =
            realloc(d->k.list, (size_t)count * 2 * sizeof *more);
        if (more == NULL) {
            return -ENOMEM;
        }
        d->k.list = more;
        d->k.list_cap = count * 2;
    }
    return 0;
}

/* A submission in a recording. The regions and the words of the ring follow. */
typedef struct recorded {
    uint32_t engine;
    uint32_t from_bytes; /* position of the words in the ring */
    uint32_t tail_bytes;
    uint32_t region_count;
    uint64_t batch_va;
} recorded;

/* A region in a recording. */
typedef struct recorded_region {
    uint64_t va, bytes, place;
} recorded_region;

static void check(uint32_t i, uint64_t va)
{
    const uint64_t begin_ns = shim_now_ns();
    if (shim.check || shim.trace || shim.dump != NULL) {
        check_batch(&engines[i].cmdset, va);
        shim_count(SHIM_CHECK_NS, shim_now_ns() - begin_ns);
    }
}

/* Execute the work of engine i and count the time. */
static void run_engine(uint32_t i)
{
    const uint64_t begin_ns = shim_now_ns();
    execute(i);
    shim_count(SHIM_EXEC_NS, shim_now_ns() - begin_ns);
}

/* Execute the work of engine i, whose batch is at va, and record it. */
static void record_engine(uint32_t i, uint64_t va)
{
    const size_t count = region_count - ENGINES;
    const recorded head = {i, engines[i].head & GPUCMD_I915_RING_HEAD_MASK, engines[i].tail,
                           (uint32_t)count, va};
    const size_t bytes = sizeof head + count * sizeof(recorded_region) + RING_BYTES;
    uint8_t *data = malloc(bytes);
    shim_span *spans = malloc((count + 1) * sizeof *spans);
    if (data == NULL || spans == NULL) {
        abort();
    }
    memcpy(data, &head, sizeof head);
    for (size_t n = 0, at = 0; n < region_count; n++) {
        const gpucmd_region *r = &regions[n];
        if (r->va < ring_va || r->va >= ring_va + (uint64_t)ENGINES * RING_BYTES) {
            const recorded_region saved = {r->va, r->bytes, shim_memory_place(r->host)};
            memcpy(data + sizeof head + at * sizeof saved, &saved, sizeof saved);
            spans[at].place = saved.place;
            spans[at++].bytes = saved.bytes;
        }
    }
    memcpy(data + bytes - RING_BYTES, ring_words[i], RING_BYTES);
    shim_record_before(spans, count);
    shim_record(SHIM_RECORD_DRIVER, data, bytes);
    run_engine(i);
    shim_record_after(spans, count);
    free(spans);
    free(data);
}

/* Replay a submission. */
static bool replay(uint32_t type, const uint8_t *data, size_t bytes)
{
    recorded head;
    if (type != SHIM_RECORD_DRIVER || bytes < sizeof head) {
        return false;
    }
    memcpy(&head, data, sizeof head);
    if (head.engine >= ENGINES || !present[head.engine] || head.tail_bytes >= RING_BYTES ||
        (bytes - sizeof head - RING_BYTES) / sizeof(recorded_region) != head.region_count) {
        return false;
    }
    data += sizeof head;
    if (room_for_regions(head.region_count) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < head.region_count; i++, data += sizeof(recorded_region)) {
        gpucmd_region *r = &regions[ENGINES + i];
        recorded_region saved;
        memcpy(&saved, data, sizeof saved);
        r->va = saved.va;
        r->bytes = saved.bytes;
        r->host = shim_replay_host(saved.place, saved.bytes);
        r->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
        if (r->host == NULL) {
            return false;
        }
    }
    memcpy(ring_words[head.engine], data, RING_BYTES);
    if (map_regions(head.region_count) != 0) {
        return false;
    }
    engines[head.engine].tail = head.tail_bytes;
    rings[head.engine].tail_bytes = head.tail_bytes;
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine(head.engine);
    check(head.engine, head.batch_va);
    if (shim.execute) {
        run_engine(head.engine);
    } else {
        reset(head.engine);
    }
    return true;
}

/* Check and execute a submission that the model kernel has put into a ring. */
static int submitted(const i915_file *d, const struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const bool first = (a->flags & GPUCMD_I915_EXEC_BATCH_FIRST) != 0;
    const uint32_t batch = first ? 0 : a->buffer_count - 1;
    const uint64_t va = d->rows[d->k.list[batch].handle - 1].va + a->batch_start_offset;
    const int err = see(d);
    if (err != 0) {
        return err;
    }
    if (shim_is_off("words") &&
        gpucmd_mem_write32(&memory, va, GPUCMD_LITTLE_ENDIAN, NOT_A_COMMAND) != GPUCMD_OK) {
        return -EFAULT;
    }
    for (uint32_t i = 0; i < ENGINES; i++) {
        if (!present[i] || engines[i].tail == (engines[i].head & GPUCMD_I915_RING_HEAD_MASK)) {
            continue;
        }
        shim_count_engine(i);
        check(i, va);
        if (!shim.execute) {
            reset(i);
        } else if (shim.record != NULL) {
            record_engine(i, va);
        } else {
            run_engine(i);
        }
    }
    return 0;
}

static int execbuffer(shim_file *f, struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const uint64_t lists = GPUCMD_I915_EXEC_FENCE_ARRAY | GPUCMD_I915_EXEC_USE_EXTENSIONS;
    const uint64_t files =
        GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT | GPUCMD_I915_EXEC_FENCE_OUT;
    const uint64_t flags = a->flags;
    i915_file *d = f->data;
    int err = room_for_list(d, a->buffer_count);
    d->k.syncobj_count = 0;
    d->k.sync_file_count = 0;
    if (err == 0 && (flags & lists) != 0) {
        err = lend_syncs(f, d);
    }
    if (err == 0 && (flags & files) != 0) {
        err = lend_sync_files(d, a);
    }
    if (err == 0) {
        const uint32_t request = GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR;
        err = gpucmd_i915_kernel_ioctl(&d->k, request, (uintptr_t)a);
    }
    take_sync_files(d);
    if (err == 0) {
        take_syncs(f, d);
        shim_count(SHIM_SUBMITS, 1);
        err = submitted(d, a);
    } else {
        shim_count(SHIM_REFUSED, 1);
        shim_log("submission refused: %d (flags 0x%llx, %u objects)", err,
                 (unsigned long long)flags, a->buffer_count);
    }
    return err;
}

/* ---- the rest ---- */

static int reg_read(struct drm_i915_reg_read *a)
{
    if ((a->offset & ~(uint64_t)7) !=
        engines[0].base +
            (uint64_t)GPUCMD_I915_REG_TIMESTAMP) { /* the low bits of the offset are flags */
        return -EINVAL;
    }
    a->val = engines[0].timestamp;
    return 0;
}

static int get_aperture(struct drm_i915_gem_get_aperture *a)
{
    a->aper_size = i915_aperture_bytes();
    a->aper_available_size = a->aper_size - ((uint64_t)16 << 20);
    return 0;
}

static int getparam(const struct drm_i915_getparam *a)
{
    return i915_getparam(a->param, a->value);
}

static int wait_for(shim_file *f, uint32_t handle)
{
    return shim_object_of(f, handle) != NULL ? 0 : -ENOENT;
}

static int reset_stats(struct drm_i915_reset_stats *a)
{
    a->reset_count = 0;
    a->batch_active = 0;
    a->batch_pending = 0;
    return 0;
}

static int context_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    i915_file *d = f->data;
    switch (nr) {
    case DRM_I915_GEM_CONTEXT_CREATE: return context_create(d, arg_bytes, arg);
    case DRM_I915_GEM_CONTEXT_DESTROY:
        return context_destroy(d, ((struct drm_i915_gem_context_destroy *)arg)->ctx_id);
    case DRM_I915_GEM_CONTEXT_SETPARAM:
        return context_set(d, ((struct drm_i915_gem_context_param *)arg)->ctx_id, arg);
    case DRM_I915_GEM_CONTEXT_GETPARAM: return context_get(d, arg);
    case DRM_I915_GEM_VM_CREATE:
        if (i915_gen() < GPUCMD_I915_GEN8) {
            return -ENODEV;
        }
        ((struct drm_i915_gem_vm_control *)arg)->vm_id = d->context_next++;
        return 0;
    case DRM_I915_GEM_VM_DESTROY: return 0;
    case DRM_I915_GET_RESET_STATS: return reset_stats(arg);
    default: return -ENOTTY;
    }
}

static int object_ioctl(shim_file *f, uint32_t nr, void *arg)
{
    switch (nr) {
    case DRM_I915_GEM_CREATE: return gem_create(f, arg);
    case DRM_I915_GEM_CREATE_EXT: return gem_create_ext(f, arg);
    case DRM_I915_GEM_USERPTR: return gem_userptr(f, arg);
    case DRM_I915_GEM_PWRITE: return gem_copy(f, arg, true);
    case DRM_I915_GEM_PREAD: return gem_copy(f, arg, false);
    case DRM_I915_GEM_MMAP: return gem_mmap(f, arg);
    case DRM_I915_GEM_MMAP_GTT: return gem_mmap_offset(f, arg);
    case DRM_I915_GEM_SET_TILING: return gem_set_tiling(f, arg);
    case DRM_I915_GEM_GET_TILING: return gem_get_tiling(f, arg);
    case DRM_I915_GEM_SET_DOMAIN:
        return wait_for(f, ((struct drm_i915_gem_set_domain *)arg)->handle);
    case DRM_I915_GEM_SW_FINISH: return wait_for(f, ((struct drm_i915_gem_sw_finish *)arg)->handle);
    case DRM_I915_GEM_SET_CACHING: return wait_for(f, ((struct drm_i915_gem_caching *)arg)->handle);
    case DRM_I915_GEM_GET_CACHING:
        ((struct drm_i915_gem_caching *)arg)->caching = I915_CACHING_CACHED;
        return 0;
    case DRM_I915_GEM_BUSY: ((struct drm_i915_gem_busy *)arg)->busy = 0; return 0;
    case DRM_I915_GEM_WAIT:
        return shim_is_off("wait") ? -EIO
                                   : wait_for(f, ((struct drm_i915_gem_wait *)arg)->bo_handle);
    case DRM_I915_GEM_MADVISE: ((struct drm_i915_gem_madvise *)arg)->retained = 1; return 0;
    default: return -ENOTTY;
    }
}

static int driver_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    int err;
    switch (nr) {
    case DRM_I915_GEM_EXECBUFFER2: return execbuffer(f, arg);
    case DRM_I915_GETPARAM: return getparam(arg);
    case DRM_I915_QUERY: return i915_query(arg);
    case DRM_I915_REG_READ: return reg_read(arg);
    case DRM_I915_GEM_GET_APERTURE: return get_aperture(arg);
    case DRM_I915_GEM_THROTTLE: return 0;
    case DRM_I915_GEM_EXECBUFFER: return -ENODEV;
    default: break;
    }
    err = object_ioctl(f, nr, arg);
    return err != -ENOTTY ? err : context_ioctl(f, nr, arg_bytes, arg);
}

const shim_driver shim_i915 = {
    .name = "i915",
    .major = 1,
    .minor = 6,
    .patch = 0,
    .caps = (uint64_t)1 << DRM_CAP_PRIME | (uint64_t)1 << DRM_CAP_TIMESTAMP_MONOTONIC |
            (uint64_t)1 << DRM_CAP_ADDFB2_MODIFIERS | (uint64_t)1 << DRM_CAP_SYNCOBJ |
            (uint64_t)1 << DRM_CAP_SYNCOBJ_TIMELINE,
    .start = start,
    .open = open_file,
    .close = close_file,
    .object_free = object_free,
    .ioctl = driver_ioctl,
    .object_import = object_added,
    .replay = replay,
};

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
 *   words      replace the first word of each batch by an unknown word
 *   scratch    an access to an address without an object is a fault */
enum {
    NOT_A_COMMAND = 0x20000000,
    ENGINES = I915_ENGINES,
    RING_BYTES = 4096,
    LIST_MAX = 1 << 21,
    PIECES = 256,  /* chained and called batches that one check follows */
    SAMPLES = 100, /* count of passed samples per draw, because the model draws nothing */
    TRACE_BYTES = 1 << 16,
    SLICE = 1 << 15,     /* commands that a job executes at a time */
    YIELD_STEPS = 4096,  /* commands up to a place where a job yields */
    IN_RING = 60,        /* submissions that the ring of a context has room for */
    CLEAN_DW = 64,       /* words of a short clean batch, at most */
    LONG_DW = 8192,      /* words of a long one, at most */
    I915_ENOTSUPP = 524, /* an errno of the kernel, which user space does not name */
    SHORT = 256          /* units of the executor, words of the checker */
};
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
static gpucmd_i915_cs fresh[ENGINES]; /* as the kernel has started them */
static gpucmd_i915_ring rings[ENGINES];
static bool present[ENGINES];
static uint32_t ring_words[ENGINES][RING_BYTES / 4];

/* The memory of the engines during a submission. */
static gpucmd_region *regions;
static size_t region_cap;
static size_t region_count;
static gpucmd_mem memory;
static size_t ring_region; /* index of the region of the first ring */

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

uint32_t i915_class_of_engine(uint32_t engine)
{
    return engine_rows[engine].engine_class;
}

/* On gen9 and gen11 Linux lets batches write more registers of the render engine. [K]
 * intel_workarounds.c */
static void allow_registers(gpucmd_i915_cs *cs)
{
    static const uint32_t gen9[] = {0x2248, 0x2580, 0x7304, 0x7014, 0xb118};
    static const uint32_t gen11[] = {0xe194, 0xe18c, 0x731c};
    uint32_t *slots = &cs->reg[GPUCMD_I915_REG_FORCE_TO_NONPRIV / 4];
    if (cs->cmdset.engine == GPUCMD_I915_RCS && i915_gen() == GPUCMD_I915_GEN9) {
        memcpy(slots, gen9, sizeof gen9);
    } else if (cs->cmdset.engine == GPUCMD_I915_RCS && i915_gen() == GPUCMD_I915_GEN11) {
        memcpy(slots, gen11, sizeof gen11);
    }
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
            gpucmd_i915_ring_start(&rings[i], i * RING_BYTES) != GPUCMD_OK) {
            abort();
        }
        gpucmd_i915_ring_set_wait(&rings[i], NULL, NULL, 0);
        cs->depth_step = SAMPLES;
        allow_registers(cs);
        fresh[i] = *cs;
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
    if (i915_gen() >= GPUCMD_I915_GEN8) { /* each address space begins at 0 */
        d->k.first_va = 0;
    }
    for (uint32_t i = 0; i < ENGINES; i++) {
        if (present[i]) {
            d->k.rings[engine_rows[i].ring] = &rings[i];
        } else {
            d->k.rings[engine_rows[i].ring] = NULL;
        }
    }
    d->k.parser = true;
    if (i915_contexts_open(d) != 0) {
        abort();
    }
    f->data = d;
}

/* The address space that the engines see. */
static const shim_file *seen_file; /* NULL: closed, or none */
static uint32_t seen_space;

/* The work of a context that does not persist ends with its file. */
static void job_leaves(shim_job *job)
{
    i915_job *data = job->data;
    data->dropped = data->dropped ||
                    (data->file != NULL && !i915_context_persists(data->file->data, data->context));
}

static void close_file(shim_file *f)
{
    i915_file *d = f->data;
    for (uint32_t i = 0; i < ENGINES; i++) { /* the jobs end without the file */
        for (shim_job *job = shim_queue_first(i); job != NULL; job = job->next) {
            i915_job *data = job->data;
            if (data->file == f) {
                job_leaves(job);
                data->file = NULL;
            }
        }
    }
    if (seen_file == f) {
        seen_file = NULL;
    }
    i915_contexts_close(d);
    free(d->k.list);
    free(d->rows);
    i915_vms_close(d);
    free(d);
    f->data = NULL;
}

static void object_free(shim_file *f, shim_object *o)
{
    i915_file *d = f->data;
    if (d != NULL && o->handle <= d->row_count) {
        d->rows[o->handle - 1].pins = 0;
        gpucmd_i915_kernel_free(&d->k, &d->rows[o->handle - 1]);
    }
}

void i915_vm_empty(i915_file *d, uint32_t vm)
{
    gpucmd_i915_kernel_vm_free(&d->k, vm);
}

/* ---- memory of the engines ---- */

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

/* Return the number of the first of count regions that ends after va; count: there is none. */
static size_t region_after(const gpucmd_region *r, size_t count, uint64_t va)
{
    while (count > 0 && r[count - 1].va + r[count - 1].bytes > va) {
        count--;
    }
    return count;
}

/* Find an object that is bound, but is not in the list of the submission. Linux can move it at any
 * time; until then the access succeeds. */
static gpucmd_status find_unlisted(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                                   uint64_t *bytes)
{
    static uint32_t last; /* row that was found last */
    const i915_file *d = NULL;
    if (seen_file != NULL) {
        d = seen_file->data;
    }
    (void)user;
    (void)access_mask;
    for (uint32_t i = 0; d != NULL && i <= d->row_count; i++) {
        uint32_t row = i - 1;
        if (i == 0) {
            row = last;
        }
        const gpucmd_i915_object *o = NULL;
        if (row < d->row_count) {
            o = &d->rows[row];
        }
        uint64_t begin;
        if (o == NULL || o->handle == 0 ||
            !gpucmd_i915_kernel_address(&d->k, o, seen_space, &begin) || va - begin >= o->bytes ||
            !shim_is_mapped((uintptr_t)o->host + (va - begin), 1)) {
            continue;
        }
        last = row;
        *host = (uint8_t *)o->host + (va - begin);
        *bytes = o->bytes - (va - begin);
        shim_error(SHIM_UNLISTED, "0x%llx is in an object that is not in the list",
                   (unsigned long long)va);
        return GPUCMD_OK;
    }
    return GPUCMD_FAULT;
}

/* The engines see regions and address space space of f. As under Linux, an address that no object
 * has is in a scratch page. */
static bool map_memory(const gpucmd_region *r, size_t count, const shim_file *f, uint32_t space)
{
    static uint8_t scratch[GPUCMD_MEM_SCRATCH_BYTES];
    const size_t batch = memory.hint; /* region that the last submission used last */
    if (gpucmd_mem_init(&memory, r, count) != GPUCMD_OK) {
        return false;
    }
    memory.hint = batch;
    if (shim_is_off("scratch")) {
        memory.scratch = NULL;
    } else {
        memory.scratch = scratch;
    }
    memory.find = find_unlisted;
    seen_file = f;
    seen_space = space;
    return true;
}

static bool has_work(uint32_t i)
{
    return present[i] && engines[i].tail != (engines[i].head & GPUCMD_I915_RING_HEAD_MASK);
}

/* Map the rings between count regions of objects in ascending order, which begin at regions +
 * ENGINES. The rings get the highest addresses below 4 GiB that no object has. If there are not
 * enough, only rings with work are mapped, from the last page on, which Linux does not use. */
static int map_regions(const shim_file *f, size_t count)
{
    const uint64_t bytes = (uint64_t)ENGINES * RING_BYTES;
    const uint64_t last = ((uint64_t)1 << 32) - RING_BYTES;
    uint64_t va = last + RING_BYTES - bytes;
    bool full;
    size_t at = region_after(regions + ENGINES, count, va);
    while (va != last && at < count && regions[ENGINES + at].va < va + bytes) {
        const uint64_t end = regions[ENGINES + at].va;
        if (end < bytes) {
            va = last;
        } else {
            va = (end - bytes) & ~(uint64_t)(RING_BYTES - 1);
        }
        at = region_after(regions + ENGINES, va == last ? count : at, va);
    }
    full = va == last;
    if (full && at < count &&
        regions[ENGINES + at].va + regions[ENGINES + at].bytes == va + RING_BYTES) {
        regions[ENGINES + at].bytes -= RING_BYTES; /* of an object that fills all addresses */
        at++;
    }
    memmove(regions, regions + ENGINES, at * sizeof regions[0]);
    for (uint32_t i = 0; i < ENGINES; i++) {
        gpucmd_region *r = &regions[at + i];
        r->va = va;
        if (!full || has_work(i)) {
            r->bytes = RING_BYTES;
        } else {
            r->bytes = 0;
        }
        r->host = ring_words[i];
        r->access_mask = GPUCMD_ACCESS_READ;
        engines[i].start = (uint32_t)va;
        va += r->bytes;
    }
    ring_region = at;
    region_count = ENGINES + count;
    for (size_t i = 1; i < region_count; i++) {
        if (regions[i].va - regions[i - 1].va < regions[i - 1].bytes) {
            shim_error(SHIM_UNDONE, "two objects at address 0x%llx",
                       (unsigned long long)regions[i].va);
        }
    }
    return map_memory(regions, region_count, f, f != NULL ? ((i915_file *)f->data)->k.space : 0)
               ? 0
               : -EINVAL;
}

/* Map the rings and the objects of the last submission for the engines. */
static int see(const shim_file *f)
{
    const i915_file *d = f->data;
    const int err = room_for_regions(d->k.list_count);
    if (err != 0) {
        return err;
    }
    return map_regions(
        f, gpucmd_i915_kernel_list_regions(&d->k, regions + ENGINES, region_cap - ENGINES));
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

/* The memory that the checker walks. */
static gpucmd_mem *walked = &memory;

static uint64_t address_of(const piece *p, const uint32_t *at)
{
    return p->va + 4 * (uint64_t)(at - p->dw);
}

static gpucmd_status found(void *user, const gpucmd_i915_finding *finding)
{
    const checker *c = user;
    const uint32_t *at = c->now->dw + finding->at_bytes / 4;
    /* The CPU can end a loop of a busy GPU. */
    if (finding->severity < 2 || (shim.async && strcmp(finding->name, "SELF_JUMP") == 0)) {
        shim_count(SHIM_NOTES, 1);
        return GPUCMD_OK;
    }
    shim_error(SHIM_ERRORS, "%s at 0x%llx: %s (0x%08x): %s", gpucmd_i915_name(c->cmdset, *at),
               (unsigned long long)finding->at_va, finding->name, (uint32_t)finding->value,
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
    uint64_t high = 0;
    if (gen >= GPUCMD_I915_GEN8) {
        high = dw[2] & 0xffff;
    }
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
    gpucmd_i915_part cmd;
    bool ended = false;
    gpucmd_i915_walk_init(&walk, c->cmdset, p->dw, p->len_dw);
    while (!ended && gpucmd_i915_walk_next(&walk, &cmd)) {
        const uint32_t *at = cmd.dw;
        if (gpucmd_i915_classify(c->cmdset, *at) == GPUCMD_I915_OP_UNKNOWN) {
            shim_error(SHIM_UNKNOWN, "0x%08x at 0x%llx is not known", *at,
                       (unsigned long long)address_of(p, at));
        }
        if (shim.trace) {
            trace_command(c, at, cmd.len_dw);
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
    uint32_t len_dw = (uint32_t)(walk.cur - p->dw);
    len_dw += len_dw & 1 & (len_dw < p->len_dw); /* a batch is fetched by qwords */
    p->len_dw = len_dw;
}

static void check_piece(checker *c, piece *p)
{
    gpucmd_i915_check_options options;
    uint64_t bytes;
    uint8_t *host;
    p->len_dw = 0;
    if (gpucmd_mem_span(walked, p->va, (uint64_t)1 << 32, GPUCMD_ACCESS_READ, &host, &bytes) !=
            GPUCMD_OK ||
        walked->scratch_count != 0) {
        walked->scratch_count = 0;
        shim_error(SHIM_TRUNCATED, "no memory at 0x%llx", (unsigned long long)p->va);
        return;
    }
    c->now = p;
    p->dw = (const uint32_t *)(const void *)host;
    p->len_dw = bytes / 4;
    walk_piece(c, p);
    if (shim.dump != NULL) {
        shim_dump(gpucmd_i915_engine_name(c->cmdset->engine), p->va, p->dw, p->len_dw);
    }
    if (shim.check) {
        options.secure = false;
        options.second_level = p->second_level;
        options.ring = false;
        options.chained = p != c->pieces;
        options.va = p->va;
        options.found = found;
        options.user = c;
        if (gpucmd_i915_check(c->cmdset, p->dw, p->len_dw, &options, NULL) != GPUCMD_OK) {
            shim_error(SHIM_ERRORS, "the checker gave up");
        }
    }
}

/* Check the batch at va and all batches that it chains or calls. Return their words, and their
 * number in *batches. */
static uint64_t check_batch(const gpucmd_i915_cmdset *cmdset, uint64_t va, uint32_t *batches)
{
    static checker c;
    uint64_t words = 0, buffers = 0;
    c.cmdset = cmdset;
    c.now = NULL;
    c.count = 1;
    c.pieces[0].va = va;
    c.pieces[0].second_level = false;
    for (uint32_t i = 0; i < c.count; i++) {
        check_piece(&c, &c.pieces[i]);
        words += c.pieces[i].len_dw;
        buffers += c.pieces[i].len_dw != 0;
    }
    shim_count_own(SHIM_BUFFERS, buffers);
    shim_count_own(SHIM_WORDS, words);
    *batches = c.count;
    return words;
}

void i915_check_at(const gpucmd_i915_cmdset *cmdset, gpucmd_mem *mem, uint64_t va)
{
    uint32_t batches;
    walked = mem;
    (void)check_batch(cmdset, va, &batches);
    walked = &memory;
}

/* ---- executing ---- */

static i915_registers own_registers[ENGINES];
static i915_registers *registers; /* of the context that runs */

/* Read or write a register outside the window of the engine: one that keeps what was written. */
static void other_register(i915_registers *r, const gpucmd_i915_cmdset *cmdset,
                           const gpucmd_event *e)
{
    gpucmd_i915_register row;
    uint32_t i = 0;
    while (i < r->count && r->offsets[i] != e->addr) {
        i++;
    }
    if (e->kind == GPUCMD_EVENT_REG_READ) {
        *e->out_dw = i < r->count ? r->values[i] : 0;
    } else if (i < sizeof r->offsets / sizeof r->offsets[0]) {
        const bool known = gpucmd_i915_register_find(cmdset, (uint32_t)e->addr, &row);
        uint32_t mask = UINT32_MAX;
        if (known && row.masked) {
            mask = (uint32_t)e->value >> 16;
        }
        if (known && row.clears) {
            mask = 0;
        }
        if (i >= r->count) {
            r->values[i] = 0;
        }
        r->values[i] = (r->values[i] & ~mask) | ((uint32_t)e->value & mask);
        r->offsets[i] = e->addr;
        r->count += i == r->count;
    }
}

/* Return whether a command that the executor does not perform needs no effect: 3D and media commands,
 * MI_SET_CONTEXT, and RESOURCE_BARRIER, because commands are executed one after the other. */
static bool needs_no_effect(uint32_t head)
{
    return head >> 29 == 3 || head >> 16 == 0xac00 ||
           head >> 23 == GPUCMD_I915_HDR_MI_SET_CONTEXT >> 23;
}

/* Callback for registers, and for commands that the executor does not perform. */
gpucmd_status i915_event(i915_registers *r, const gpucmd_i915_cs *cs, const gpucmd_event *e)
{
    const uint32_t head = (uint32_t)e->value;
    if (e->kind == GPUCMD_EVENT_REG_READ || e->kind == GPUCMD_EVENT_REG_WRITE) {
        other_register(r, &cs->cmdset, e);
    }
    if (e->kind == GPUCMD_EVENT_COMMAND && !needs_no_effect(head)) {
        shim_error(SHIM_UNDONE, "%s (0x%08x) at 0x%llx is not executed",
                   gpucmd_i915_name(&cs->cmdset, head), head, (unsigned long long)e->va);
    }
    return GPUCMD_OK;
}

static gpucmd_status event(void *user, const gpucmd_event *e)
{
    return i915_event(registers, user, e);
}

/* Reset engine i, with an empty ring. */
static void reset(uint32_t i)
{
    gpucmd_i915_cs_reset(&engines[i], rings[i].tail_bytes);
}

/* Report why an engine stopped. */
static void report_stop(const gpucmd_i915_cs *cs, gpucmd_run run)
{
    if (run == GPUCMD_RUN_BLOCKED) {
        char buf[256];
        gpucmd_text text;
        gpucmd_env env;
        gpucmd_text_init(&text, buf, sizeof buf);
        gpucmd_env_init(&env, &memory, NULL, NULL);
        gpucmd_i915_print_waits(&text, cs, 1, &env);
        shim_error(SHIM_BLOCKED, "%s", buf);
    } else {
        shim_error(SHIM_FAULTS, "%s stops at 0x%llx: %s, %s; address 0x%llx",
                   gpucmd_i915_engine_name(cs->cmdset.engine), (unsigned long long)cs->acthd,
                   gpucmd_run_name(run), gpucmd_i915_error_text(cs->error),
                   (unsigned long long)memory.fault_va);
    }
}

__attribute__((noinline)) static void report_scratch(const gpucmd_i915_cs *cs)
{
    memory.scratch_count = 0;
    shim_error(SHIM_SCRATCH, "%s accesses 0x%llx, where no object is, before 0x%llx (0x%08x)",
               gpucmd_i915_engine_name(cs->cmdset.engine), (unsigned long long)memory.fault_va,
               (unsigned long long)cs->acthd, cs->reg[GPUCMD_I915_REG_IPEHR / 4]);
}

/* Execute at most limit commands of an engine, and count them and the time. */
static inline gpucmd_run run_some(gpucmd_i915_cs *cs, uint64_t limit)
{
    const shim_timer timer = shim_timer_begin();
    const uint64_t before = cs->commands;
    const uint64_t units = cs->units;
    gpucmd_env env;
    gpucmd_run run;
    gpucmd_env_init(&env, &memory, event, cs);
    run = gpucmd_i915_cs_run(cs, &env, limit);
    shim_count_own(SHIM_COMMANDS, cs->commands - before);
    if (memory.scratch_count != 0) {
        report_scratch(cs);
    }
    shim_timer_end(timer, SHIM_EXEC_NS, cs->units - units > SHORT);
    return run;
}

/* Tables for the fences of one submission: one that has signalled, one of the submission, and one
 * for each point that it signals. */
static gpucmd_fence fence_rows[2 + GPUCMD_I915_KERNEL_FENCES];
static gpucmd_i915_signal signal_rows[GPUCMD_I915_KERNEL_FENCES];
static gpucmd_syncobj *sync_rows;
static gpucmd_sync_point *point_rows;
static uint32_t sync_cap;

/* Give the model kernel tables without fences and without objects. */
static void lend_fences(const shim_file *f, i915_file *d)
{
    if (f->sync_count > sync_cap || point_rows == NULL) {
        free(sync_rows);
        free(point_rows);
        sync_cap = f->sync_count;
        sync_rows = calloc(sync_cap + 1, sizeof *sync_rows);
        point_rows = calloc(sync_cap + (size_t)GPUCMD_I915_KERNEL_FENCES, sizeof *point_rows);
        if (sync_rows == NULL || point_rows == NULL) {
            abort();
        }
    }
    d->k.fence_rows = fence_rows;
    d->k.fence_count = 2 + GPUCMD_I915_KERNEL_FENCES;
    d->k.syncobj_rows = sync_rows;
    d->k.syncobj_count = sync_cap;
    d->k.point_rows = point_rows;
    d->k.point_count = sync_cap + GPUCMD_I915_KERNEL_FENCES;
    d->k.signals = signal_rows;
    d->k.signal_count = GPUCMD_I915_KERNEL_FENCES;
    gpucmd_fences_init(&d->k.fences, d->k.fence_rows, d->k.fence_count);
    gpucmd_syncobjs_init(&d->k.syncobjs, &d->k.fences, sync_rows, sync_cap, point_rows,
                         d->k.point_count);
}

/* Copy the synchronisation objects of f into the table of the model kernel, with fences that have
 * signalled: the queue of jobs waits. take_syncs copies their state back after the submission. */
static int lend_syncs(const shim_file *f, i915_file *d)
{
    gpucmd_syncobjs *t = &d->k.syncobjs;
    const uint32_t done = gpucmd_fence_new(&d->k.fences, 0, 0);
    int err = gpucmd_fence_signal(&d->k.fences, done, 0) == GPUCMD_OK ? 0 : -ENOMEM;
    for (uint32_t i = 0; i < f->sync_count && err == 0; i++) {
        uint32_t handle;
        err = gpucmd_syncobj_create(t, 0, &handle);
    }
    for (uint32_t i = 0; i < f->sync_count && err == 0; i++) {
        if (f->syncs[i] == NULL) {
            gpucmd_syncobj_release(t, i + 1);
        } else if (shim_sync_point(f->syncs[i]) != 0) {
            err = gpucmd_syncobj_add_point(t, i + 1, shim_sync_point(f->syncs[i]), done);
        } else if (shim_sync_has_fence(f->syncs[i])) {
            err = gpucmd_syncobj_replace(t, i + 1, done);
        }
    }
    return err;
}

/* Give the synchronisation objects that the submission signals its fence. */
static void take_syncs(const shim_file *f, const i915_file *d, uint64_t fence)
{
    const gpucmd_syncobjs *t = &d->k.syncobjs;
    for (uint32_t i = 0; i < t->used; i++) {
        if (t->rows[i].refs != 0 && t->rows[i].fence > 1) { /* 1 is the fence of lend_syncs */
            shim_sync_set_fence(f->syncs[i], t->rows[i].last, fence);
        }
    }
}

/* Put the sync file that the submission waits for, and an empty one for its result, into the table
 * of the model kernel. */
static int lend_sync_files(i915_file *d, const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                           uint64_t fence)
{
    const int in = (int)(a->rsvd2 & 0xffffffffu);
    const uint64_t waits = GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT;
    d->k.sync_files = d->sync_files;
    if ((a->flags & waits) != 0 && shim_fd_adopt(in) == SHIM_SYNC_FILE) {
        const gpucmd_i915_sync_file given = {in, true, 0};
        d->sync_files[d->k.sync_file_count++] = given;
    }
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_OUT) != 0) {
        const int out = shim_sync_file_new(fence);
        const gpucmd_i915_sync_file empty = {out, false, 0};
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

/* A batch in which the checker found nothing: it is not checked again. */
typedef struct clean_batch {
    uint64_t va;
    uint64_t words; /* 0: none */
    uint32_t dw[LONG_DW];
} clean_batch;

/* The last short one of an engine and the last long one: programs submit both by turns. */
static clean_batch clean[ENGINES][2];

/* Return the words of the batch at va; NULL if not all of them are in one region. */
static inline const void *batch_words(uint64_t va, uint64_t words)
{
    uint8_t *host = gpucmd_priv_i915_direct(&memory, va, (uint32_t)(4 * words), GPUCMD_ACCESS_READ);
    uint64_t bytes = 0;
    if (host != NULL) {
        return host;
    }
    if (gpucmd_mem_span(&memory, va, 4 * words, GPUCMD_ACCESS_READ, &host, &bytes) == GPUCMD_OK &&
        bytes == 4 * words) {
        return host;
    }
    return NULL;
}

static inline bool is_clean(const clean_batch *c, uint64_t va)
{
    const void *at = NULL;
    if (c->words != 0 && c->va == va) {
        at = batch_words(va, c->words);
    }
    if (at != NULL && c->words == 2) { /* a batch that only ends is the most frequent one */
        return memcmp(at, c->dw, 8) == 0;
    }
    return at != NULL && memcmp(at, c->dw, 4 * c->words) == 0;
}

/* Keep the batch if the check has counted nothing but one buffer. */
static void keep_clean(uint32_t i, uint64_t va, uint64_t words, uint64_t findings)
{
    clean_batch *c = &clean[i][words > CLEAN_DW];
    const void *at = NULL;
    if (words != 0 && words <= LONG_DW && findings == 0) {
        at = batch_words(va, words);
    }
    if (at != NULL) {
        c->words = words;
    } else {
        c->words = 0;
    }
    c->va = va;
    if (at != NULL) {
        memcpy(c->dw, at, 4 * words);
    }
}

__attribute__((noinline)) static void check_all(uint32_t i, uint64_t va)
{
    const shim_timer timer = shim_timer_begin();
    const uint64_t before = shim_findings();
    uint32_t batches;
    const uint64_t words = check_batch(&engines[i].cmdset, va, &batches);
    keep_clean(i, va, batches == 1 ? words : 0, shim_findings() - before);
    shim_timer_end(timer, SHIM_CHECK_NS, words > SHORT);
}

static inline void check(uint32_t i, uint64_t va)
{
    const clean_batch *c = clean[i];
    const bool only_check = shim.check && !shim.trace && shim.dump == NULL;
    if (only_check && (is_clean(c, va) || is_clean(++c, va))) {
        shim_count_own(SHIM_BUFFERS, 1);
        shim_count_own(SHIM_WORDS, c->words);
    } else if (shim.check || shim.trace || shim.dump != NULL) {
        check_all(i, va);
    }
}

/* Execute the work of engine i. Return whether it hangs: it waits for what nothing can change. */
static bool run_engine(uint32_t i)
{
    gpucmd_run run;
    memory.older_hint = memory.hint; /* the batch, probably */
    memory.hint = ring_region + i;
    registers = &own_registers[i];
    run = run_some(&engines[i], budget);
    if (run != GPUCMD_RUN_IDLE) {
        report_stop(&engines[i], run);
        reset(i);
    }
    return run == GPUCMD_RUN_BLOCKED;
}

static uint32_t resets; /* of engines */

uint32_t i915_resets(void)
{
    return resets;
}

/* A context has caused a hang. If it is not recoverable, or has caused three, it may submit no more.
 * Return its row; NULL: it is gone. */
static gpucmd_i915_context *count_hang(const i915_file *d, uint32_t context)
{
    gpucmd_i915_context *c = i915_context_of(d, context);
    resets++;
    if (c != NULL) {
        c->active++;
        c->banned =
            i915_context_bannable(d, context) && (c->banned || c->unrecoverable || c->active >= 3);
    }
    return c;
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
        if (r->va < engines[0].start || r->va - engines[0].start >= ENGINES * RING_BYTES) {
            const recorded_region saved = {r->va, r->bytes, shim_memory_place(r->host)};
            memcpy(data + sizeof head + at * sizeof saved, &saved, sizeof saved);
            spans[at].place = saved.place;
            spans[at++].bytes = saved.bytes;
        }
    }
    memcpy(data + bytes - RING_BYTES, ring_words[i], RING_BYTES);
    shim_record_before(spans, count);
    shim_record(SHIM_RECORD_DRIVER, data, bytes);
    (void)run_engine(i);
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
    if (map_regions(NULL, head.region_count) != 0) {
        return false;
    }
    engines[head.engine].tail = head.tail_bytes;
    rings[head.engine].tail_bytes = head.tail_bytes;
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine(head.engine);
    check(head.engine, head.batch_va);
    if (shim.execute) {
        (void)run_engine(head.engine);
    } else {
        reset(head.engine);
    }
    return true;
}

/* Check and execute a submission that the model kernel has put into a ring. If it hangs, *fence becomes
 * a fence that has failed. */
static int submitted(const shim_file *f, const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                     uint64_t *fence)
{
    const i915_file *d = f->data;
    bool hangs = false;
    const bool first = (a->flags & GPUCMD_I915_EXEC_BATCH_FIRST) != 0;
    uint32_t batch = 0;
    if (!first) {
        batch = a->buffer_count - 1;
    }
    const uint64_t va = d->rows[d->k.list[batch].handle - 1].va + a->batch_start_offset;
    const int err = see(f);
    if (err != 0) {
        return err;
    }
    if (shim_is_off("words") &&
        gpucmd_mem_write32(&memory, va, GPUCMD_LITTLE_ENDIAN, NOT_A_COMMAND) != GPUCMD_OK) {
        return -EFAULT;
    }
    for (uint32_t i = 0; i < ENGINES; i++) {
        if (!has_work(i)) {
            continue;
        }
        shim_count_engine(i);
        check(i, va);
        if (!shim.execute) {
            reset(i);
        } else if (shim.record != NULL) {
            record_engine(i, va);
        } else {
            hangs = run_engine(i) || hangs;
        }
    }
    if (hangs) {
        (void)count_hang(d, (uint32_t)a->rsvd1);
        *fence = shim_fence_new();
        shim_fence_signal(*fence, -EIO);
    }
    for (uint32_t i = 0; i < d->k.list_count; i++) {
        i915_detile(shim_object_of(f, d->k.list[i].handle)->storage);
    }
    return 0;
}

/* ---- asynchronous submissions ---- */

/* Add the fence of a syncobj that the submission waits for. */
static void wait_for_sync(const shim_file *f, shim_job *job,
                          const struct drm_i915_gem_exec_fence *x, uint64_t point)
{
    const shim_sync *s = shim_sync_of(f, x->handle);
    if (s != NULL && (x->flags & I915_EXEC_FENCE_WAIT) != 0) {
        shim_job_wait(job, shim_sync_fence(s, point));
    }
}

/* Add the fences in the lists of the submission, which the model kernel has checked. */
static void wait_for_lists(const shim_file *f, shim_job *job,
                           const struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const void *at = (const void *)(uintptr_t)a->cliprects_ptr;
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_ARRAY) != 0) {
        for (uint32_t i = 0; i < a->num_cliprects; i++) {
            wait_for_sync(f, job, (const struct drm_i915_gem_exec_fence *)at + i, 0);
        }
    }
    while ((a->flags & GPUCMD_I915_EXEC_USE_EXTENSIONS) != 0 && at != NULL) {
        const struct drm_i915_gem_execbuffer_ext_timeline_fences *x = at;
        const struct drm_i915_gem_exec_fence *fences = (const void *)(uintptr_t)x->handles_ptr;
        const uint64_t *points = (const void *)(uintptr_t)x->values_ptr;
        for (uint64_t i = 0; i < x->fence_count; i++) {
            wait_for_sync(f, job, &fences[i], points[i]);
        }
        at = (const void *)(uintptr_t)x->base.next_extension;
    }
}

/* Return a number for the order of a context on an engine: its jobs run one after the other. */
static uint64_t timeline_of(const i915_file *d, uint32_t context, uint32_t i)
{
    return i915_context_serial(d, context) * ENGINES + i;
}

/* Order the job after the work that uses its objects, hold them, and note that it uses them. */
static void use_objects(shim_file *f, shim_job *job)
{
    i915_file *d = f->data;
    i915_job *data = job->data;
    for (uint32_t i = 0; i < d->k.list_count; i++) {
        const struct gpucmd_drm_i915_gem_exec_object2 *e = &d->k.list[i];
        const bool writes = (e->flags & GPUCMD_EXEC_OBJECT_WRITE) != 0;
        const shim_object *o = shim_object_of(f, e->handle);
        if (o == NULL) {
            continue;
        }
        if ((e->flags & GPUCMD_EXEC_OBJECT_ASYNC) == 0) {
            shim_storage_waits(o->storage, writes, job);
        }
        shim_storage_use(o->storage, job->engine, writes, job->fence);
        o->storage->refs++;
        job->holds[job->hold_count++] = o->storage;
        data->handles[data->handle_count++] = o->handle;
        d->rows[o->handle - 1].pins++;
    }
}

/* Return the state of engine i for a context: its image, or the engine's own state if it has no
 * images. The caller gets a reference. */
static i915_image *image_of(const i915_file *d, uint32_t context, uint32_t i)
{
    static i915_image *own[ENGINES];
    const gpucmd_i915_gen gen = i915_gen();
    const bool saves = gen >= GPUCMD_I915_GEN8 || (gen >= GPUCMD_I915_GEN6 && i == 0);
    i915_image **at;
    if (saves) {
        at = i915_context_image(d, context, i);
    } else {
        at = &own[i];
    }
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        if (*at == NULL) {
            abort();
        }
        (*at)->refs = 1;
        (*at)->cs = fresh[i];
    }
    (*at)->refs++;
    return *at;
}

void i915_image_put(i915_image *image)
{
    if (image != NULL && --image->refs == 0) {
        free(image);
    }
}

/* Move the words that the model kernel has put into the ring of engine i to a ring of the job. */
static void take_words(uint32_t i, i915_job *data)
{
    const uint32_t tail = rings[i].tail_bytes;
    uint32_t at = engines[i].head & GPUCMD_I915_RING_HEAD_MASK;
    for (; at != tail; at = (at + 4) % RING_BYTES) {
        data->ring[data->tail / 4] = ring_words[i][at / 4];
        data->tail += 4;
    }
    reset(i);
}

/* Queue the work that the model kernel has put into the ring of engine i. */
static int enqueue(shim_file *f, const struct gpucmd_drm_i915_gem_execbuffer2 *a, uint32_t i,
                   uint64_t fence)
{
    i915_file *d = f->data;
    const bool first = (a->flags & GPUCMD_I915_EXEC_BATCH_FIRST) != 0;
    shim_job *job = calloc(1, sizeof *job);
    i915_job *data = calloc(1, sizeof *data);
    const gpucmd_i915_context *context = i915_context_of(d, (uint32_t)a->rsvd1);
    if (job == NULL || data == NULL || context == NULL || see(f) != 0) {
        abort();
    }
    job->data = data;
    job->holds = calloc(d->k.list_count, sizeof(shim_storage *));
    data->handles = calloc(d->k.list_count, sizeof *data->handles);
    data->regions = calloc(region_count, sizeof *data->regions);
    if (job->holds == NULL || data->handles == NULL || data->regions == NULL) {
        abort();
    }
    take_words(i, data);
    memcpy(data->regions, regions, region_count * sizeof *regions);
    data->region_count = region_count;
    for (size_t n = 0; n < region_count; n++) {
        if (regions[n].host == ring_words[i]) {
            data->regions[n].host = data->ring;
            data->ring_va = (uint32_t)regions[n].va;
        }
    }
    data->file = f;
    data->context = context->id;
    data->space = d->k.space;
    if (data->space != 0) {
        d->vm_refs[data->space - 1]++;
    }
    data->image = image_of(d, context->id, i);
    data->va =
        d->rows[d->k.list[first ? 0 : a->buffer_count - 1].handle - 1].va + a->batch_start_offset;
    job->engine = i;
    job->fence = fence;
    job->key = timeline_of(d, context->id, i);
    if (i915_gen() >= GPUCMD_I915_GEN8) {
        job->priority = context->priority;
    } else {
        job->priority = 0;
    }
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_SUBMIT) != 0) {
        job->follows = shim_sync_file_fence((int)(a->rsvd2 & 0xffffffffu));
    }
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_IN) != 0) {
        shim_job_wait(job, shim_sync_file_fence((int)(a->rsvd2 & 0xffffffffu)));
    }
    wait_for_lists(f, job, a);
    shim_job_wait(job, i915_context_follow(d, context->id, fence));
    use_objects(f, job);
    shim_count_engine(i);
    shim_queue_add(job);
    return 0;
}

/* Drop the rest of a job: its engine continues after it. */
static void drop_job(const shim_job *job)
{
    i915_job *data = job->data;
    gpucmd_i915_cs_reset(&data->image->cs, data->tail);
}

/* The engines see the memory of a job. Return false if the client has unmapped some of it. */
static bool enter(const shim_job *job)
{
    const i915_job *data = job->data;
    for (size_t i = 0; i < job->hold_count; i++) {
        const shim_storage *s = job->holds[i];
        if (s->is_user && !shim_is_mapped((uintptr_t)s->host, s->bytes)) {
            return false;
        }
    }
    if (!map_memory(data->regions, data->region_count, data->file, data->space)) {
        abort();
    }
    registers = &data->image->registers;
    return true;
}

enum { CTX_TIMESTAMP = 0x3a8 }; /* offset in the window of an engine */

/* Gen8 and later: CTX_TIMESTAMP of a context counts the time that it has the engine. */
static void count_time(const shim_job *job)
{
    i915_job *data = job->data;
    const uint64_t hz = (uint64_t)i915_timestamp_hz();
    data->image->run_ns += job->run_ns - data->run_ns;
    data->run_ns = job->run_ns;
    if (i915_gen() >= GPUCMD_I915_GEN8) {
        data->image->cs.reg[CTX_TIMESTAMP / 4] =
            (uint32_t)(data->image->run_ns / 1000 * hz / 1000000);
    }
}

static int job_step(shim_job *job)
{
    i915_job *data = job->data;
    gpucmd_i915_cs *cs = &data->image->cs;
    const gpucmd_i915_context *c = NULL;
    if (data->file != NULL) {
        c = i915_context_of(data->file->data, data->context);
    }
    gpucmd_run run;
    if (!enter(job) || data->dropped || shim_wedged() || (c != NULL && c->banned)) {
        drop_job(job);
        return -EIO;
    }
    if (!data->begun) {
        data->begun = true;
        for (size_t i = 0; i < job->hold_count; i++) {
            i915_detile(job->holds[i]);
        }
        check(job->engine, data->va);
        gpucmd_i915_cs_reset(cs, 0);
        cs->start = data->ring_va;
        cs->tail = data->tail;
    }
    count_time(job);
    if (data->stuck) {
        return SHIM_LATER;
    }
    cs->timestamp = engines[job->engine].timestamp;
    run = run_some(cs, SLICE);
    engines[job->engine].timestamp = cs->timestamp;
    if (run == GPUCMD_RUN_FAULT) {
        report_stop(cs, run);
        data->stuck = cs->error != GPUCMD_I915_ERROR_MEMORY && cs->error != GPUCMD_I915_ERROR_FETCH;
        if (data->stuck) {
            return SHIM_LATER;
        }
        drop_job(job);
        return -EIO;
    }
    if (run == GPUCMD_RUN_IDLE) {
        return 0;
    }
    return SHIM_LATER;
}

/* Gen9 and later: another context can take the engine while a job waits for a semaphore, and at an
 * MI_ARB_CHECK. Execute the job up to such a place, if there is one nearby. */
static bool job_yields(shim_job *job)
{
    i915_job *data = job->data;
    gpucmd_i915_cs *cs = &data->image->cs;
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    uint32_t word = 0;
    if (i915_gen() < GPUCMD_I915_GEN9 || !data->begun || data->stuck) {
        return !data->begun;
    }
    if (!enter(job)) {
        return true;
    }
    for (uint32_t n = 0; n < YIELD_STEPS && run == GPUCMD_RUN_LIMIT; n++) {
        if (cs->level != 0 && /* in the ring ACTHD is no address */
            gpucmd_mem_read32(&memory, cs->acthd, GPUCMD_LITTLE_ENDIAN, &word) == GPUCMD_OK &&
            word == GPUCMD_I915_HDR_MI_ARB_CHECK) {
            return true;
        }
        run = run_some(cs, 1);
    }
    return run == GPUCMD_RUN_BLOCKED;
}

void i915_jobs_of_context_end(const i915_file *d, uint32_t context)
{
    const bool persists = i915_context_persists(d, context);
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (shim_job *job = shim_queue_first(i); job != NULL; job = job->next) {
            i915_job *data = job->data;
            if (data->file != NULL && data->file->data == d && data->context == context) {
                data->dropped = data->dropped || !persists;
                data->context = UINT32_MAX;
            }
        }
    }
}

/* A job does not end: reset the engine and the image of the context. */
static int job_hangs(shim_job *job)
{
    const i915_job *data = job->data;
    gpucmd_i915_cs *cs = &data->image->cs;
    gpucmd_i915_context *c = NULL;
    shim_count(SHIM_HANGS, 1);
    shim_log("%s hangs at 0x%llx", gpucmd_i915_engine_name(cs->cmdset.engine),
             (unsigned long long)cs->acthd);
    if (data->file != NULL) {
        c = count_hang(data->file->data, data->context);
    } else {
        resets++;
    }
    if (c != NULL) {
        for (shim_job *next = shim_queue_first(job->engine); next != NULL; next = next->next) {
            const i915_job *other = next->data;
            gpucmd_i915_context *delayed = NULL;
            if (other->file != NULL) {
                delayed = i915_context_of(other->file->data, other->context);
            }
            if (delayed != NULL && delayed != c &&
                (other->begun || i915_gen() < GPUCMD_I915_GEN8)) {
                delayed->pending++;
            }
        }
    }
    *cs = fresh[job->engine];
    return -EIO;
}

static void job_end(shim_job *job, int error)
{
    (void)error;
    for (size_t i = 0; i < job->hold_count; i++) {
        i915_detile(job->holds[i]);
    }
}

static void job_free(shim_job *job)
{
    i915_job *data = job->data;
    i915_file *d = NULL;
    if (data->file != NULL) {
        d = data->file->data;
    }
    if (d != NULL) {
        i915_vm_put(d, data->space);
    }
    for (size_t i = 0; i < data->handle_count && d != NULL; i++) {
        const uint32_t handle = data->handles[i];
        if (--d->rows[handle - 1].pins == 0) {
            shim_object_reap(data->file, handle);
        }
    }
    i915_image_put(data->image);
    free(data->regions);
    free(data->handles);
    free(data);
}

/* Return the engine whose ring has new words since the tails were read. ENGINES: none. */
static uint32_t engine_with_work(const uint32_t *tails)
{
    uint32_t i = 0;
    while (i < ENGINES && (!present[i] || engines[i].tail == tails[i])) {
        i++;
    }
    return i;
}

static bool any_job(void)
{
    bool any = false;
    for (uint32_t i = 0; i < ENGINES; i++) {
        any = any || shim_queue_first(i) != NULL;
    }
    return any;
}

/* Return whether a relocation of an object of the list will write to the object. */
static bool relocates(const i915_file *d, const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                      const struct gpucmd_drm_i915_gem_exec_object2 *list,
                      const struct gpucmd_drm_i915_gem_exec_object2 *e)
{
    const struct gpucmd_drm_i915_gem_relocation_entry *r =
        (const struct gpucmd_drm_i915_gem_relocation_entry *)(uintptr_t)e->relocs_ptr;
    const bool lut = (a->flags & GPUCMD_I915_EXEC_HANDLE_LUT) != 0;
    const gpucmd_i915_context *c = i915_context_of(d, (uint32_t)a->rsvd1);
    uint32_t vm = 0;
    if (c != NULL && i915_gen() >= GPUCMD_I915_GEN8) {
        vm = c->vm;
    }
    if (!shim_is_mapped(e->relocs_ptr, e->relocation_count * (uint64_t)sizeof *r)) {
        return false;
    }
    for (uint32_t i = 0; i < e->relocation_count; i++) {
        uint32_t handle = 0;
        if (!lut) {
            handle = r[i].target_handle;
        } else if (r[i].target_handle < a->buffer_count) {
            handle = list[r[i].target_handle].handle;
        }
        uint64_t va = 0;
        if (handle < 1 || handle > d->row_count ||
            !gpucmd_i915_kernel_address(&d->k, &d->rows[handle - 1], vm, &va) ||
            va != (r[i].presumed_offset & 0xffffffffffffu)) {
            return true;
        }
    }
    return false;
}

/* Prepare the objects of the list: they get memory, and those that the kernel will write to must be
 * idle. */
static int prepare_objects(const shim_file *f, const struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const struct gpucmd_drm_i915_gem_exec_object2 *list =
        (const struct gpucmd_drm_i915_gem_exec_object2 *)(uintptr_t)a->buffers_ptr;
    int err = 0;
    for (uint32_t i = 0; i < a->buffer_count && a->buffer_count <= LIST_MAX && err == 0; i++) {
        const shim_object *o = shim_object_of(f, list[i].handle);
        if (o != NULL) {
            err = i915_object_pages(o);
        } else {
            err = 0;
        }
        if (o != NULL) {
            i915_detile(o->storage);
        }
        if (err == 0 && o != NULL && shim.async && list[i].relocation_count != 0 &&
            shim_storage_busy(o->storage) != 0 && relocates(f->data, a, list, &list[i])) {
            err = SHIM_LATER;
        }
    }
    return err;
}

/* Linux submits also if it cannot write the new addresses to the relocations. If the client cannot
 * write some of them, replace the list by a copy with copies of these relocations, and return it.
 * Otherwise return NULL. *err: a negative errno, or 0. */
static struct drm_i915_gem_exec_object2 *lend_relocs(struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                                     int *err)
{
    const struct drm_i915_gem_exec_object2 *list = (const void *)(uintptr_t)a->buffers_ptr;
    struct drm_i915_gem_exec_object2 *copy = NULL;
    *err = 0;
    for (uint32_t i = 0; i < a->buffer_count && a->buffer_count <= LIST_MAX && *err == 0; i++) {
        const uint64_t bytes =
            list[i].relocation_count * (uint64_t)sizeof(struct drm_i915_gem_relocation_entry);
        const void *relocs = (const void *)(uintptr_t)list[i].relocs_ptr;
        if (bytes == 0 || shim_is_writable(list[i].relocs_ptr)) {
            continue;
        }
        if (copy == NULL) {
            copy = malloc(a->buffer_count * sizeof *copy);
            *err = copy != NULL ? 0 : -ENOMEM;
            if (copy != NULL) {
                memcpy(copy, list, a->buffer_count * sizeof *copy);
            }
        }
        *err = *err == 0 && !shim_is_mapped(list[i].relocs_ptr, bytes) ? -EFAULT : *err;
        if (*err == 0) {
            void *lent = malloc(bytes);
            *err = lent != NULL ? 0 : -ENOMEM;
            if (lent != NULL) {
                copy[i].relocs_ptr = (uintptr_t)memcpy(lent, relocs, bytes);
            }
        }
    }
    if (copy != NULL) {
        a->buffers_ptr = (uintptr_t)copy;
    }
    return copy;
}

/* Give the addresses of the objects to the client's list, and free the copies. */
static void take_relocs(struct gpucmd_drm_i915_gem_execbuffer2 *a,
                        struct drm_i915_gem_exec_object2 *copy, uint64_t buffers_ptr)
{
    struct drm_i915_gem_exec_object2 *list = (void *)(uintptr_t)buffers_ptr;
    for (uint32_t i = 0; copy != NULL && i < a->buffer_count; i++) {
        list[i].offset = copy[i].offset;
        if (copy[i].relocs_ptr != list[i].relocs_ptr) {
            free((void *)(uintptr_t)copy[i].relocs_ptr);
        }
    }
    free(copy);
    a->buffers_ptr = buffers_ptr;
}

/* Call the ioctl of the model kernel. */
static int call_execbuffer(i915_file *d, struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const uint64_t buffers_ptr = a->buffers_ptr;
    struct drm_i915_gem_exec_object2 *copy = NULL;
    int err = 0;
    if ((a->flags & GPUCMD_I915_EXEC_NO_RELOC) == 0) {
        copy = lend_relocs(a, &err);
    }
    if (err == 0) {
        err =
            gpucmd_i915_kernel_ioctl(&d->k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, (uintptr_t)a);
    }
    take_relocs(a, copy, buffers_ptr);
    return err;
}

/* Give the model kernel its tables, and call its ioctl. */
static int kernel_execbuffer(shim_file *f, struct gpucmd_drm_i915_gem_execbuffer2 *a,
                             uint64_t fence)
{
    const uint64_t lists = GPUCMD_I915_EXEC_FENCE_ARRAY | GPUCMD_I915_EXEC_USE_EXTENSIONS;
    const uint64_t files =
        GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT | GPUCMD_I915_EXEC_FENCE_OUT;
    i915_file *d = f->data;
    int err = room_for_list(d, a->buffer_count);
    if (err == 0) {
        err = prepare_objects(f, a);
    }
    if (err == 0) {
        err = i915_vmas_room(d, a->buffer_count);
    }
    d->k.sync_file_count = 0;
    lend_fences(f, d);
    if (err == 0 && (a->flags & GPUCMD_I915_EXEC_FENCE_ARRAY) != 0 &&
        a->num_cliprects <= GPUCMD_I915_KERNEL_FENCES &&
        !shim_is_readable(a->cliprects_ptr, a->num_cliprects * (uint64_t)8)) {
        err = -EFAULT;
    }
    if (err == 0 && (a->flags & lists) != 0) {
        err = lend_syncs(f, d);
    }
    if (err == 0 && (a->flags & files) != 0) {
        err = lend_sync_files(d, a, fence);
    }
    if (err == 0) {
        err = call_execbuffer(d, a);
    }
    take_sync_files(d);
    return err;
}

static int execbuffer(shim_file *f, struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const bool async = shim.async && shim.execute && shim.record == NULL;
    uint64_t fence = 0;
    if (async) {
        fence = shim_fence_new();
    }
    i915_file *d = f->data;
    uint32_t tails[ENGINES];
    int err;
    d->k.wedged = shim_wedged();
    d->k.master = (a->flags & GPUCMD_I915_EXEC_SECURE) != 0 && f->master && geteuid() == 0;
    i915_context_use(d, (uint32_t)a->rsvd1);
    for (uint32_t i = 0; i < ENGINES; i++) {
        tails[i] = engines[i].tail;
        if (async && shim_queue_count(timeline_of(d, (uint32_t)a->rsvd1, i), i) >= IN_RING) {
            shim_fence_signal(fence, 0);
            return SHIM_LATER;
        }
    }
    err = kernel_execbuffer(f, a, fence);
    if (err == 0) {
        shim_count(SHIM_SUBMITS, 1);
        if (async && engine_with_work(tails) < ENGINES) {
            err = enqueue(f, a, engine_with_work(tails), fence);
        } else {
            err = submitted(f, a, &fence);
        }
        take_syncs(f, d, fence);
        return err;
    }
    if (async) {
        shim_fence_signal(fence, 0);
    }
    if (err == SHIM_LATER || ((err == -EAGAIN || err == -ENOSPC) && any_job())) {
        return SHIM_LATER; /* the ring is full, or a busy object has the address or a relocation */
    }
    shim_count(SHIM_REFUSED, 1);
    shim_log("submission refused: %d (flags 0x%llx, %u objects)", err, (unsigned long long)a->flags,
             a->buffer_count);
    return err;
}

/* ---- the rest ---- */

/* The time stamp is the only register that clients can read, on gen4 and later. */
static int reg_read(struct drm_i915_reg_read *a)
{
    if (i915_gen() < GPUCMD_I915_GEN4 ||
        (a->offset & ~(uint64_t)7) !=
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

static int context_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    i915_file *d = f->data;
    switch (nr) {
    case DRM_I915_GEM_CONTEXT_CREATE: return i915_context_create(d, arg_bytes, arg);
    case DRM_I915_GEM_CONTEXT_DESTROY: return i915_context_destroy(d, arg);
    case DRM_I915_GEM_CONTEXT_SETPARAM: return i915_context_set(d, arg);
    case DRM_I915_GEM_CONTEXT_GETPARAM: return i915_context_get(d, arg);
    case DRM_I915_GEM_VM_CREATE: return i915_vm_create(d, arg);
    case DRM_I915_GEM_VM_DESTROY: return i915_vm_destroy(d, arg);
    case DRM_I915_GET_RESET_STATS: return i915_reset_stats(d, arg);
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
    case DRM_I915_GEM_THROTTLE: return shim_wedged() ? -EIO : 0;
    case DRM_I915_GEM_EXECBUFFER: return -ENODEV;
    case DRM_I915_PERF_OPEN:
    case DRM_I915_PERF_ADD_CONFIG:
    case DRM_I915_PERF_REMOVE_CONFIG: return -I915_ENOTSUPP; /* no counters */
    default: break;
    }
    err = i915_object_ioctl(f, nr, arg_bytes, arg);
    if (err != -ENOTTY) {
        return err;
    }
    return context_ioctl(f, nr, arg_bytes, arg);
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
    .interrupted = i915_interrupted,
    .object_import = i915_object_added,
    .linear = i915_linear,
    .object_busy = i915_object_busy,
    .object_export = i915_detile,
    .shows_view = i915_shows_view,
    .job_step = job_step,
    .job_yields = job_yields,
    .job_hangs = job_hangs,
    .job_leaves = job_leaves,
    .job_end = job_end,
    .job_free = job_free,
    .replay = replay,
};

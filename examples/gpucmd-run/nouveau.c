/* The nouveau kernel driver for its clients: ioctls, buffers, channels. Pushed
 * segments are executed by the channels of gpucmd_nv.h. This file uses only the
 * public interface of gpucmd_nv.h; hardware behaviour belongs there.
 *
 * As in the kernel, each channel has a ring that refers to the segments of the
 * client. G80 and later: an IB ring with one entry for each segment. Before G80:
 * a ring of words with one CALL for each segment. The ioctl returns after the
 * segments are executed, so that a client never waits in the kernel. With --async
 * it returns before: a channel is then a queue of jobs, one for each ioctl, that
 * put their segments into the ring one after the other. VRAM and GART share one
 * address space without overlaps; DMA objects of memory begin at address 0. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "nouveau.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/nouveau_drm.h>

#include <libdrm/nouveau/nvif/cl0080.h>
#include <libdrm/nouveau/nvif/ioctl.h>

enum {
    CHANNELS = 16,
    OBJECTS = 64,         /* handles per channel */
    RING_BYTES = 0x10000, /* size of the ring of a channel */
    RING_ORDER = 12,      /* entries of an IB ring, log2 */
    RING_SKIP_DW = 32,    /* NOPs at the beginning of an NV4-style ring */
    NOTIFIER_BYTES = 0x4000,
    NOTIFIER_STEP = 32,     /* the size of a notifier object is rounded up to this */
    PUSH_LENGTH = 0x7fffff, /* mask of the segment length; bit 23 forbids prefetch */
    PAGE = 4096,
    BIG_PAGE = 65536,
    SLICE = 1 << 15,    /* units that a job executes at a time */
    FAULTS = 64,        /* of a submission, after which its channel stays stopped */
    IN_RING = 60,       /* submissions that the ring of a channel has room for */
    FIRST_OF_VM = 0x10, /* VM_INIT, VM_BIND, EXEC, GET_ZCULL_INFO */
    LAST_OF_VM = 0x13
};

#define RINGS_VA       0x00010000u /* CHANNELS rings, adjacent */
#define BUFFERS_VA     0x01000000u /* first address of buffers */
#define RUN_BUDGET     ((uint64_t)1 << 32)
#define SUFFIX_NV25    0x00020000u /* RETURN, which libdrm appends to each segment */
#define VRAM_HANDLE    0xbeef0201u
#define GART_HANDLE    0xbeef0202u
#define MEMORY_CLASS   0x0002u /* class of DMA objects: memory for reads and writes */
#define SOFTWARE_CLASS 0x906e  /* class of objects whose methods the kernel executes */

/* Words of GPUCMD_CLIENT_OFF that this driver knows:
 *   vm_bind  no VM_INIT, VM_BIND and EXEC; report version 1.3.1
 *   nvif     report version 1.3.0; its clients create objects with GROBJ_ALLOC
 *   offset   return no address from GEM_NEW, so that every push needs relocations
 *   memory   report from PUSHBUF that no memory is free
 *   3d, 2d, m2mf, copy, upload, image
 *            switch off an engine: 3D classes (fences, reports, clears), 2D
 *            classes, memory to memory, DMA copy, inline to memory, scaled images */

/* The data of the driver for a memory object. */
typedef struct buffer {
    uint32_t domain; /* NOUVEAU_GEM_DOMAIN_VRAM or GART */
    uint32_t pins;   /* jobs that use it */
} buffer;

/* The object of a handle on a channel: an instance of a class, or a notifier. */
typedef struct object {
    uint32_t handle;
    uint32_t class_id;
    uint64_t va; /* address of a notifier */
    uint64_t bytes;
    bool software;
    bool used;
} object;

typedef struct channel {
    shim_file *file; /* NULL: the channel is free */
    gpucmd_nv_channel host;
    gpucmd_mmio area;
    gpucmd_nv_gpfifo fifo; /* G80 and later */
    gpucmd_nv_ring ring;   /* before G80 */
    uint32_t *memory;      /* memory of the ring, RING_BYTES */
    object objects[OBJECTS];
    uint32_t notifier; /* handle of the notifier buffer */
    uint32_t notifier_at;
    nouveau_words pushed;
    uint64_t serial; /* never used again */
    bool killed;     /* a job did not end: no more submissions */
} channel;

/* A segment of the client. */
typedef struct span {
    uint64_t va;
    uint32_t len_dw;
} span;

/* The data of an asynchronous submission, of a channel or of a file with a VM. */
typedef struct work {
    channel *ch;
    span *segments;
    uint32_t segment_count;
    uint32_t *handles; /* of its buffers */
    uint32_t handle_count;
    uint32_t faults;
    bool begun;
} work;

static struct {
    gpucmd_nv_chip chip;
    uint32_t chipset;
    gpucmd_nv_gate gate;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    gpucmd_region *regions; /* rings, then buffers; by ascending address */
    size_t region_count;
    size_t region_cap;
    uint64_t next_va;
    uint64_t memory_bytes; /* size of VRAM, and of GART */
    channel channels[CHANNELS];
} dev;

/* Records of this driver: a mapped region, a mapping that ends, a channel that begins or ends, an
 * object of a channel (class 0: it ends), a segment, an execution. */
enum { MAPPED = SHIM_RECORD_DRIVER, UNMAPPED, BEGUN, ENDED, OBJECT, SEGMENT, RUN };

/* The data of all records; each uses a part of them. */
typedef struct recorded {
    uint32_t channel; /* index */
    uint32_t handle;
    uint32_t class_id;
    uint32_t software;
    uint64_t va;
    uint64_t bytes; /* or the time of an execution */
    uint64_t place;
} recorded;

static void record(uint32_t type, uint32_t channel_id, uint64_t va, uint64_t bytes, uint64_t place)
{
    const recorded r = {channel_id, 0, 0, 0, va, bytes, place};
    if (shim.record != NULL) {
        shim_record(type, &r, sizeof r);
    }
}

/* The state of an open file. */
typedef struct file_state {
    struct nouveau_vm *vm; /* NULL: the old interface */
    bool used;             /* it made an object or a channel: no VM is possible */
} file_state;

static struct nouveau_vm *vm_of(const shim_file *f)
{
    const file_state *state = f->data;
    return state != NULL ? state->vm : NULL;
}

gpucmd_nv_chip nouveau_chip(void)
{
    return dev.chip;
}

const gpucmd_nv_gate *nouveau_gate(void)
{
    return &dev.gate;
}

uint64_t nouveau_memory_bytes(void)
{
    return dev.memory_bytes;
}

/* ---- buffers ---- */

static uint64_t align_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) / align * align;
}

/* Return the array, enlarged if n more elements do not fit. Its size doubles. */
static void *grow(void *array, size_t count, size_t n, size_t *cap, size_t bytes)
{
    if (n <= *cap - count) {
        return array;
    }
    while (n > *cap - count) {
        *cap = *cap != 0 ? 2 * *cap : 256;
    }
    array = realloc(array, *cap * bytes);
    if (array == NULL) {
        abort();
    }
    return array;
}

/* Map memory for the GPU. The table of regions stays in address order. */
static void map_region(uint64_t va, uint64_t bytes, void *host)
{
    const gpucmd_region region = {va, bytes, host, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    size_t i = dev.region_count;
    dev.regions = grow(dev.regions, dev.region_count, 1, &dev.region_cap, sizeof region);
    while (i != 0 && dev.regions[i - 1].va > va) {
        dev.regions[i] = dev.regions[i - 1];
        i--;
    }
    dev.regions[i] = region;
    dev.region_count++;
    if (gpucmd_mem_init(&dev.mem, dev.regions, dev.region_count) != GPUCMD_OK) {
        abort();
    }
}

static void unmap_region(uint64_t va)
{
    size_t i = 0;
    while (i < dev.region_count && dev.regions[i].va != va) {
        i++;
    }
    if (i < dev.region_count) {
        dev.region_count--;
        memmove(&dev.regions[i], &dev.regions[i + 1],
                (dev.region_count - i) * sizeof dev.regions[0]);
        if (gpucmd_mem_init(&dev.mem, dev.regions, dev.region_count) != GPUCMD_OK) {
            abort();
        }
    }
}

/* Give object o an address and map it for the GPU. */
static void add_buffer(shim_object *o, uint32_t align, uint32_t domain)
{
    uint64_t va_align = align > PAGE ? align : PAGE;
    buffer *b = calloc(1, sizeof *b);
    if (b == NULL) {
        abort();
    }
    if (GPUCMD_NV_IS_GF100(dev.chip) && o->bytes >= BIG_PAGE && va_align < BIG_PAGE) {
        va_align = BIG_PAGE;
    }
    b->domain =
        (domain & NOUVEAU_GEM_DOMAIN_VRAM) != 0 ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
    o->data = b;
    o->va = align_up(dev.next_va, va_align);
    dev.next_va = o->va + o->bytes + PAGE;
    map_region(o->va, o->bytes, o->storage->host);
    record(MAPPED, 0, o->va, o->bytes, o->storage->off_bytes);
}

static shim_object *new_buffer(shim_file *f, uint64_t bytes, uint32_t align, uint32_t domain)
{
    shim_object *o = shim_object_new(f, bytes, 0);
    if (o != NULL) {
        add_buffer(o, align, domain);
    }
    return o;
}

/* Map an object that another file or process has created. */
static int object_import(shim_file *f, shim_object *o)
{
    if (vm_of(f) != NULL) {
        return nouveau_vm_import(vm_of(f), o);
    }
    add_buffer(o, 0, NOUVEAU_GEM_DOMAIN_GART);
    return 0;
}

/* On NV50 and later a memory kind means that bytes are tiled. */
static const uint8_t *linear(const shim_storage *s)
{
    const uint32_t flags = s->is_user ? 0 : shim_row_at(s->row)->storage.stride;
    return (flags & NOUVEAU_GEM_TILE_LAYOUT_MASK) == 0 || shim.gpu->number < 0x50 ? s->host : NULL;
}

static void object_free(shim_file *f, shim_object *o)
{
    if (vm_of(f) != NULL) {
        nouveau_vm_gem_close(vm_of(f), o->handle);
    }
    if (o->data != NULL) {
        unmap_region(o->va);
        record(UNMAPPED, 0, o->va, 0, 0);
        free(o->data);
        o->data = NULL;
    }
}

/* Find a buffer that this driver created; NULL: no such buffer, or one imported from outside. */
static shim_object *find_buffer(const shim_file *f, uint32_t handle)
{
    shim_object *o = shim_object_of(f, handle);
    return o != NULL && o->data != NULL ? o : NULL;
}

static uint32_t domain_of(const shim_object *o)
{
    const buffer *b = o->data;
    return b->domain;
}

static void tell_buffer(const shim_object *o, struct drm_nouveau_gem_info *info)
{
    const shim_row *row = shim_row_at(o->storage->row);
    const buffer *b = o->data;
    info->handle = o->handle;
    info->domain = b->domain;
    info->size = o->bytes;
    info->offset = shim_is_off("offset") ? 0 : o->va;
    info->map_handle = o->storage->off_bytes;
    info->tile_mode = row->storage.tiling;
    info->tile_flags = row->storage.stride;
}

static int gem_new(shim_file *f, struct drm_nouveau_gem_new *arg)
{
    const uint32_t place = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
    shim_object *o;
    if ((arg->info.domain & place) == 0 || (arg->align & (arg->align - 1)) != 0) {
        return -EINVAL;
    }
    o = new_buffer(f, arg->info.size, arg->align, arg->info.domain);
    if (o == NULL) {
        return -ENOMEM;
    }
    shim_row_at(o->storage->row)->storage.tiling = arg->info.tile_mode;
    shim_row_at(o->storage->row)->storage.stride = arg->info.tile_flags;
    tell_buffer(o, &arg->info);
    return 0;
}

static int gem_info(const shim_file *f, struct drm_nouveau_gem_info *arg)
{
    const shim_object *o = find_buffer(f, arg->handle);
    if (o == NULL) {
        return -ENOENT;
    }
    tell_buffer(o, arg);
    return 0;
}

/* ---- channels ---- */

static channel *find_channel(const shim_file *f, uint64_t id)
{
    if (id >= 1 && id <= CHANNELS && f != NULL && dev.channels[id - 1].file == f) {
        return &dev.channels[id - 1];
    }
    return NULL;
}

static object *find_object(channel *ch, uint32_t handle)
{
    for (size_t i = 0; i < OBJECTS; i++) {
        if (ch->objects[i].used && ch->objects[i].handle == handle) {
            return &ch->objects[i];
        }
    }
    return NULL;
}

/* Return the cleared entry of a handle. If the handle is unused, return a free entry. */
static object *new_object(channel *ch, uint32_t handle)
{
    object *o = find_object(ch, handle);
    for (size_t i = 0; i < OBJECTS && o == NULL; i++) {
        if (ch->objects[i].used) {
            o = NULL;
        } else {
            o = &ch->objects[i];
        }
    }
    if (o != NULL) {
        memset(o, 0, sizeof *o);
        o->used = true;
        o->handle = handle;
    }
    return o;
}

/* Return whether the chip has the class of software methods, which drivers bind from Fermi to
 * Pascal. */
static bool has_software(void)
{
    return dev.chip >= GPUCMD_NV_CHIP_GF100 && dev.chip < GPUCMD_NV_CHIP_GV100;
}

static void record_object(const channel *ch, const object *o)
{
    const recorded r = {(uint32_t)(ch - dev.channels),
                        o->handle,
                        o->used ? o->class_id : 0,
                        o->software,
                        o->va,
                        o->bytes,
                        0};
    if (shim.record != NULL) {
        shim_record(OBJECT, &r, sizeof r);
    }
}

static int add_class(channel *ch, uint32_t handle, int32_t oclass)
{
    const bool software = oclass < 0 || oclass == SOFTWARE_CLASS;
    const uint32_t class_id = software ? (uint32_t)SOFTWARE_CLASS : (uint32_t)oclass;
    object *o;
    if (!gpucmd_nv_has_class(dev.chip, class_id) && !(software && has_software())) {
        shim_log("nouveau: no class %x on chipset %x", class_id, dev.chipset);
        return -EINVAL;
    }
    o = new_object(ch, handle);
    if (o == NULL) {
        return -ENOSPC;
    }
    o->class_id = class_id;
    o->software = software;
    record_object(ch, o);
    return 0;
}

static int add_notifier(channel *ch, struct drm_nouveau_notifierobj_alloc *arg)
{
    const uint32_t bytes = (uint32_t)align_up(arg->size, NOTIFIER_STEP);
    const shim_object *b = find_buffer(ch->file, ch->notifier);
    object *o;
    if (b == NULL || arg->size > NOTIFIER_BYTES || NOTIFIER_BYTES - bytes < ch->notifier_at) {
        return -ENOMEM;
    }
    o = new_object(ch, arg->handle);
    if (o == NULL) {
        return -ENOSPC;
    }
    o->class_id = MEMORY_CLASS;
    o->va = b->va + ch->notifier_at;
    o->bytes = bytes;
    record_object(ch, o);
    arg->offset = ch->notifier_at;
    ch->notifier_at += bytes;
    return 0;
}

/* Search the objects of a channel, as the hardware searches RAMHT. */
static gpucmd_status look_up(void *user, uint32_t id, uint32_t handle, gpucmd_nv_object *found)
{
    channel *ch = &dev.channels[id - 1];
    const object *o = find_object(ch, handle);
    (void)user;
    if (o != NULL) {
        found->class_id = o->class_id;
        found->software = o->software;
        found->va = o->va;
        found->bytes = o->bytes;
        return GPUCMD_OK;
    }
    if (handle == VRAM_HANDLE || handle == GART_HANDLE) {
        found->class_id = MEMORY_CLASS;
        found->bytes = (uint64_t)1 << 40;
        return GPUCMD_OK;
    }
    shim_log("nouveau: channel %u has no object %08x", id, handle);
    return GPUCMD_FAULT;
}

/* Accept methods of classes without an engine model: state, draws. A method that an
 * engine model cannot perform has va 0 and is counted as undone. */
gpucmd_status nouveau_methods(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind == GPUCMD_EVENT_METHODS) {
        if (event->va == 0) {
            shim_error(SHIM_UNDONE, "nouveau: subc %u mthd %04x data %08x", event->unit,
                       event->addr, event->data[0]);
        }
        *event->out_dw = event->count_dw;
    }
    return GPUCMD_OK;
}

/* Accept methods of the software object of the kernel. */
static gpucmd_status take_software(void *user, const gpucmd_event *event)
{
    (void)user;
    *event->out_dw = event->count_dw;
    return GPUCMD_OK;
}

/* Create the ring of a channel and connect it to the control area. */
static gpucmd_status ring_init(channel *ch, uint32_t index)
{
    const uint64_t va = RINGS_VA + index * (uint64_t)RING_BYTES;
    gpucmd_nv_channel *host = &ch->host;
    ch->area.read32 = gpucmd_nv_channel_read32;
    ch->area.write32 = gpucmd_nv_channel_write32;
    ch->area.user = host;
    if (dev.chip < GPUCMD_NV_CHIP_G80) {
        host->pusher.dma_get = va;
        host->pusher.dma_put = va;
        return gpucmd_nv_ring_init(&ch->ring, dev.chip, ch->memory, (uint32_t)va, RING_BYTES / 4,
                                   RING_SKIP_DW, &ch->area);
    }
    host->pusher.ib_enable = true;
    host->pusher.ib_address = va;
    host->pusher.ib_order = RING_ORDER;
    host->pbdma.gp_base = va;
    host->pbdma.limit2 = RING_ORDER;
    return gpucmd_nv_gpfifo_init(&ch->fifo, dev.chip, ch->memory, RING_ORDER, &ch->area, NULL, 0);
}

/* Begin channel i with an empty ring. */
static channel *begin_channel(uint32_t i)
{
    static uint64_t serial;
    channel *ch = &dev.channels[i];
    memset(ch, 0, sizeof *ch);
    ch->serial = ++serial;
    ch->memory = calloc(1, RING_BYTES);
    if (ch->memory == NULL || gpucmd_nv_channel_init(&ch->host, dev.chip, &dev.card) != GPUCMD_OK ||
        ring_init(ch, i) != GPUCMD_OK) {
        abort();
    }
    ch->host.id = i + 1;
    map_region(RINGS_VA + i * (uint64_t)RING_BYTES, RING_BYTES, ch->memory);
    record(BEGUN, i, 0, 0, 0);
    return ch;
}

static int channel_alloc(shim_file *f, struct drm_nouveau_channel_alloc *arg)
{
    uint32_t i = 0;
    channel *ch;
    const shim_object *notifier;
    while (i < CHANNELS && dev.channels[i].file != NULL) {
        i++;
    }
    if (i < CHANNELS) {
        notifier = new_buffer(f, NOTIFIER_BYTES, 0, NOUVEAU_GEM_DOMAIN_GART);
    } else {
        notifier = NULL;
    }
    if (notifier == NULL) {
        return -ENOSPC;
    }
    ch = begin_channel(i);
    ch->file = f;
    ch->notifier = notifier->handle;
    arg->channel = (int)(i + 1);
    if (dev.chip < GPUCMD_NV_CHIP_G80) {
        arg->pushbuf_domains = NOUVEAU_GEM_DOMAIN_GART;
    } else {
        arg->pushbuf_domains = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
    }
    arg->notifier_handle = ch->notifier;
    arg->nr_subchan = 0;
    return 0;
}

static bool is_async(void)
{
    return shim.async && shim.execute && shim.record == NULL;
}

/* Return the queue of a channel. */
static uint32_t queue_of(const channel *ch)
{
    return (uint32_t)(ch - dev.channels) % (SHIM_ENGINES - 1); /* the last is for files with a VM */
}

/* The channel executes no more: its jobs end with -ENODEV. */
static void kill_channel(channel *ch)
{
    ch->killed = true;
    for (shim_job *job = shim_queue_first(queue_of(ch)); job != NULL; job = job->next) {
        if (job->key == ch->serial) {
            job->wait_count = 0;
        }
    }
}

/* Execute what was submitted to the channel. As the kernel does, kill the channel after 15 s. */
static void finish_channel(channel *ch)
{
    const uint64_t end_ns = shim_now_ns() + 15000000000u;
    while (shim_queue_count(ch->serial, queue_of(ch)) != 0) {
        shim_queue_step();
        if (!ch->killed && shim_now_ns() > end_ns) {
            kill_channel(ch);
        }
    }
}

/* Free a channel, except its notifier buffer: the client or the end of the file frees that. */
static int channel_free(channel *ch)
{
    if (ch == NULL) {
        return -ENOENT;
    }
    finish_channel(ch);
    nouveau_check_host(&ch->pushed);
    record(ENDED, (uint32_t)(ch - dev.channels), 0, 0, 0);
    unmap_region(RINGS_VA + (uint64_t)(ch - dev.channels) * RING_BYTES);
    free(ch->memory);
    free(ch->pushed.dw);
    ch->memory = NULL;
    ch->file = NULL;
    return 0;
}

/* ---- pushes ---- */

/* Report a finding of gpucmd_nv_check. Errors are counted as errors, others as notes. */
static gpucmd_status show_finding(void *user, const gpucmd_nv_finding *finding)
{
    const gpucmd_severity severity = gpucmd_nv_rule_severity(finding->rule);
    (void)user;
    if (finding->rule == GPUCMD_NV_RULE_RETURN_OUTSIDE) {
        return GPUCMD_OK; /* the ring calls each segment */
    }
    if (severity == GPUCMD_SEVERITY_ERROR) {
        shim_error(SHIM_ERRORS, "nouveau: %s at %llx: %08x", gpucmd_nv_rule_name(finding->rule),
                   (unsigned long long)finding->at_va, finding->dw);
    } else {
        shim_count(SHIM_NOTES, 1);
        shim_log("nouveau: %s %s at %llx: %08x", gpucmd_severity_name(severity),
                 gpucmd_nv_rule_name(finding->rule), (unsigned long long)finding->at_va,
                 finding->dw);
    }
    return GPUCMD_OK;
}

/* Report a finding of gpucmd_nv_check_host. Errors are counted as errors, others as notes. */
static gpucmd_status show_host_finding(void *user, const gpucmd_nv_finding *finding)
{
    const gpucmd_severity severity = gpucmd_nv_rule_severity(finding->rule);
    (void)user;
    if (severity == GPUCMD_SEVERITY_ERROR) {
        shim_error(SHIM_ERRORS, "nouveau: %s at word %llx: subc %u mthd %04x value %llx",
                   gpucmd_nv_rule_name(finding->rule), (unsigned long long)finding->at_va / 4,
                   finding->subc, finding->mthd, (unsigned long long)finding->value);
    } else {
        shim_count(SHIM_NOTES, 1);
        shim_log("nouveau: %s %s at word %llx: subc %u mthd %04x value %llx",
                 gpucmd_severity_name(severity), gpucmd_nv_rule_name(finding->rule),
                 (unsigned long long)finding->at_va / 4, finding->subc, finding->mthd,
                 (unsigned long long)finding->value);
    }
    return GPUCMD_OK;
}

void nouveau_check_host(const nouveau_words *words)
{
    gpucmd_nv_stream stream;
    gpucmd_nv_check_options check;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    memset(&stream, 0, sizeof stream);
    stream.dw = words->dw;
    stream.len_dw = words->len_dw;
    check.found = show_host_finding;
    if (stream.len_dw != 0 &&
        gpucmd_nv_check_host(&dev.gate, &stream, 1, &check, &errors) != GPUCMD_OK) {
        abort();
    }
}

/* Print one command for --trace. */
static void trace_command(const gpucmd_nv_cmd *cmd, uint64_t va)
{
    static char text[1 << 20];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print(&t, &dev.gate, cmd, va);
    shim_trace(text);
}

/* Walk a segment and report each word that belongs to no known command. A run may continue in the
 * next segment of the submission. */
static void walk_segment(gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw, uint64_t va)
{
    gpucmd_nv_cmd cmd;
    uint64_t commands = 0;
    gpucmd_nv_walk_segment(walk, dw, len_dw);
    while (gpucmd_nv_walk_next(walk, &cmd)) {
        commands++;
        if (cmd.form == GPUCMD_NV_FORM_INVALID) {
            shim_error(SHIM_UNKNOWN, "nouveau: word %08x", cmd.dw);
        }
        if (shim.trace) {
            trace_command(&cmd, va);
        }
        va += 4 * (uint64_t)cmd.len_dw;
    }
    if (shim.execute) {
        shim_count_own(SHIM_COMMANDS, commands);
    }
}

void nouveau_look(nouveau_words *words, gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw,
                  uint64_t va)
{
    const uint64_t start_ns = shim_now_ns();
    if (shim.dump != NULL) {
        shim_dump("pb", va, dw, len_dw);
    }
    walk_segment(walk, dw, len_dw, va);
    if (shim.check) {
        shim_count_own(SHIM_BUFFERS, 1);
        shim_count_own(SHIM_WORDS, len_dw);
        words->dw = grow(words->dw, words->len_dw, len_dw, &words->cap_dw, sizeof *words->dw);
        memcpy(words->dw + words->len_dw, dw, len_dw * 4);
        words->len_dw += len_dw;
    }
    shim_count(SHIM_CHECK_NS, shim_now_ns() - start_ns);
}

void nouveau_check(const nouveau_words *words, const gpucmd_nv_walk *walk, size_t first_dw,
                   uint64_t va)
{
    const uint64_t start_ns = shim_now_ns();
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = show_finding;
    options.va = va;
    if (gpucmd_nv_walk_pending(walk)) {
        shim_error(SHIM_TRUNCATED, "nouveau: run passes the end of its submission");
    }
    if (shim.check && gpucmd_nv_check(&dev.gate, words->dw + first_dw, words->len_dw - first_dw,
                                      &options, NULL) != GPUCMD_OK) {
        abort();
    }
    shim_count(SHIM_CHECK_NS, shim_now_ns() - start_ns);
}

/* Report why a channel stopped, and let it continue as the interrupt handler of
 * the kernel does. */
static void recover(gpucmd_nv_channel *host)
{
    shim_error(SHIM_FAULTS,
               "nouveau: channel %u: pusher error %d fault %d; intr %08x fault %d; puller %s fault "
               "%d; memory %llx",
               host->id, (int)host->pusher.error, (int)host->pusher.fault, host->pbdma.intr,
               (int)host->pbdma.fault, gpucmd_nv_host_error_name(host->puller.error),
               (int)host->puller.fault, (unsigned long long)dev.mem.fault_va);
    if (dev.chip < GPUCMD_NV_CHIP_GF100 && (int)host->pusher.error != 0) {
        gpucmd_nv_pusher_recover(&host->pusher);
    }
    host->pusher.fault = GPUCMD_OK;
    host->pbdma.fault = GPUCMD_OK;
    gpucmd_nv_channel_clear(host);
}

/* Return the word of GPUCMD_CLIENT_OFF that switches an engine model off. */
static const char *model_word(gpucmd_nv_model model)
{
    switch (model) {
    case GPUCMD_NV_MODEL_M2MF_NV4:
    case GPUCMD_NV_MODEL_M2MF_G80:
    case GPUCMD_NV_MODEL_M2MF_GF100: return "m2mf";
    case GPUCMD_NV_MODEL_INLINE:
    case GPUCMD_NV_MODEL_COMPUTE:
    case GPUCMD_NV_MODEL_COMPUTE_GA102: return "upload";
    case GPUCMD_NV_MODEL_COPY: return "copy";
    case GPUCMD_NV_MODEL_SCALED: return "image";
    case GPUCMD_NV_MODEL_2D_G80:
    case GPUCMD_NV_MODEL_2D_GF100: return "2d";
    case GPUCMD_NV_MODEL_3D_NV30:
    case GPUCMD_NV_MODEL_3D_G80:
    case GPUCMD_NV_MODEL_3D_GF100: return "3d";
    case GPUCMD_NV_MODEL_NONE:
    case GPUCMD_NV_MODEL_SOFTWARE:
    case GPUCMD_NV_MODEL_OTHER:
    case GPUCMD_NV_MODEL_COMPUTE_GF100:
    case GPUCMD_NV_MODEL_SURFACE:
    case GPUCMD_NV_MODEL_SWIZZLED: break;
    }
    return "";
}

/* Run the channel until it stops or has used budget. If engines are switched off, execute word
 * by word, so that such an engine does nothing from its binding on. */
gpucmd_run nouveau_run(gpucmd_nv_channel *host, const gpucmd_env *env, uint64_t budget)
{
    gpucmd_run run = GPUCMD_RUN_DONE;
    if (shim.off == NULL) {
        return gpucmd_nv_channel_run(host, env, budget);
    }
    for (; run == GPUCMD_RUN_DONE; budget--) {
        if (budget == 0) {
            return GPUCMD_RUN_LIMIT;
        }
        for (size_t i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
            if (shim_is_off(model_word(host->engines[i].model))) {
                host->engines[i].model = GPUCMD_NV_MODEL_OTHER;
            }
        }
        run = gpucmd_nv_channel_step(host, env);
    }
    return run;
}

/* Submit the words of the ring of a channel. */
static void kick(channel *ch)
{
    if (dev.chip >= GPUCMD_NV_CHIP_G80) {
        gpucmd_nv_gpfifo_submit(&ch->fifo);
    } else {
        gpucmd_nv_ring_submit(&ch->ring);
    }
}

/* Submit and execute the words of the ring of a channel. */
static void run_channel(channel *ch)
{
    const uint64_t start_ns = shim_now_ns();
    gpucmd_run run = GPUCMD_RUN_FAULT;
    kick(ch);
    for (int tries = 0; tries < FAULTS && run == GPUCMD_RUN_FAULT; tries++) {
        run = nouveau_run(&ch->host, &dev.env, RUN_BUDGET);
        if (run == GPUCMD_RUN_FAULT) {
            recover(&ch->host);
        }
    }
    if (run != GPUCMD_RUN_IDLE) {
        shim_error(SHIM_BLOCKED, "nouveau: channel %u stays %s", ch->host.id, gpucmd_run_name(run));
    }
    shim_count(SHIM_EXEC_NS, shim_now_ns() - start_ns);
}

/* Append one segment to the ring of a channel. */
static int submit(channel *ch, uint64_t va, uint32_t len_dw)
{
    gpucmd_writer w;
    gpucmd_status status;
    if (dev.chip >= GPUCMD_NV_CHIP_G80) {
        return gpucmd_nv_gpfifo_push(&ch->fifo, va, len_dw, 0) == GPUCMD_OK ? 0 : -EINVAL;
    }
    status = gpucmd_nv_ring_begin(&ch->ring, 1, &w);
    if (status == GPUCMD_OK) {
        gpucmd_nv_emit_call(&w, va);
        status = gpucmd_nv_ring_end(&ch->ring, &w);
    }
    return status == GPUCMD_OK ? 0 : -EINVAL;
}

/* Write the address of each buffer of a push back to the client, if the client
 * expected another address. */
static int place_buffers(const shim_file *f, const struct drm_nouveau_gem_pushbuf *arg,
                         struct drm_nouveau_gem_pushbuf_bo *list)
{
    for (uint32_t i = 0; i < arg->nr_buffers; i++) {
        struct drm_nouveau_gem_pushbuf_bo_presumed *presumed = &list[i].presumed;
        const shim_object *o = find_buffer(f, list[i].handle);
        if (o == NULL) {
            return -ENOENT;
        }
        if (presumed->offset != o->va || presumed->domain != domain_of(o)) {
            presumed->offset = o->va;
            presumed->domain = domain_of(o);
            presumed->valid = 0;
        }
    }
    return 0;
}

/* Return the word of a relocation; its target has an address. */
static uint32_t relocated(const struct drm_nouveau_gem_pushbuf_reloc *r,
                          const struct drm_nouveau_gem_pushbuf_bo_presumed *place)
{
    const uint64_t va = place->offset + r->data;
    uint32_t dw;
    if ((r->flags & NOUVEAU_GEM_RELOC_LOW) != 0) {
        dw = (uint32_t)va;
    } else if ((r->flags & NOUVEAU_GEM_RELOC_HIGH) != 0) {
        dw = (uint32_t)(va >> 32);
    } else {
        dw = r->data;
    }
    if ((r->flags & NOUVEAU_GEM_RELOC_OR) == 0) {
        return dw;
    }
    return dw | (place->domain == NOUVEAU_GEM_DOMAIN_GART ? r->tor : r->vor);
}

static int relocate(const shim_file *f, const struct drm_nouveau_gem_pushbuf *arg,
                    const struct drm_nouveau_gem_pushbuf_bo *list)
{
    const struct drm_nouveau_gem_pushbuf_reloc *r = (const void *)(uintptr_t)arg->relocs;
    for (uint32_t i = 0; i < arg->nr_relocs; i++, r++) {
        const shim_object *in;
        uint32_t dw;
        if (r->bo_index >= arg->nr_buffers || r->reloc_bo_index >= arg->nr_buffers) {
            return -EINVAL;
        }
        in = find_buffer(f, list[r->reloc_bo_index].handle);
        if (r->reloc_bo_offset > in->bytes - 4) {
            return -EINVAL;
        }
        if (list[r->bo_index].presumed.valid == 0) {
            if (shim.async && (shim_storage_busy(in->storage) & 1u << 31) != 0) {
                return SHIM_LATER;
            }
            dw = relocated(r, &list[r->bo_index].presumed);
            memcpy((uint8_t *)in->storage->host + r->reloc_bo_offset, &dw, sizeof dw);
        }
    }
    return 0;
}

static int push_segment(channel *ch, gpucmd_nv_walk *walk,
                        const struct drm_nouveau_gem_pushbuf *arg,
                        const struct drm_nouveau_gem_pushbuf_bo *list,
                        const struct drm_nouveau_gem_pushbuf_push *push)
{
    const uint64_t bytes = push->length & PUSH_LENGTH;
    const shim_object *o;
    const void *segment;
    if (push->bo_index >= arg->nr_buffers) {
        return -EINVAL;
    }
    o = find_buffer(ch->file, list[push->bo_index].handle);
    if (bytes == 0 || bytes % 4 != 0 || push->offset % 4 != 0 || push->offset > o->bytes ||
        bytes > o->bytes - push->offset) {
        return -EINVAL;
    }
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine((uint32_t)(ch - dev.channels));
    segment = (const uint8_t *)o->storage->host + push->offset;
    nouveau_look(&ch->pushed, walk, segment, bytes / 4, o->va + push->offset);
    if (shim.execute && !is_async()) {
        return submit(ch, o->va + push->offset, (uint32_t)(bytes / 4));
    }
    return 0;
}

/* Run the channel, and record what it does to the buffers of a submission. */
static void record_run(channel *ch, const struct drm_nouveau_gem_pushbuf *arg,
                       const struct drm_nouveau_gem_pushbuf_bo *list)
{
    const struct drm_nouveau_gem_pushbuf_push *push = (const void *)(uintptr_t)arg->push;
    const uint32_t number = (uint32_t)(ch - dev.channels);
    shim_span *spans = malloc((arg->nr_buffers + 1) * sizeof *spans);
    const shim_object *notifier = find_buffer(ch->file, ch->notifier);
    size_t count = 0;
    if (spans == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < arg->nr_buffers; i++, count++) {
        const shim_object *o = find_buffer(ch->file, list[i].handle);
        spans[count].place = o->storage->off_bytes;
        spans[count].bytes = o->bytes;
    }
    if (notifier != NULL) {
        spans[count].place = notifier->storage->off_bytes;
        spans[count++].bytes = notifier->bytes;
    }
    shim_record_before(spans, count);
    for (uint32_t i = 0; i < arg->nr_push; i++, push++) {
        record(SEGMENT, number,
               find_buffer(ch->file, list[push->bo_index].handle)->va + push->offset,
               push->length & PUSH_LENGTH, 0);
    }
    record(RUN, number, 0, dev.card.clock_ns, 0);
    run_channel(ch);
    shim_record_after(spans, count);
    free(spans);
}

static bool replay_object(channel *ch, const recorded *r)
{
    object *o = new_object(ch, r->handle);
    if (o == NULL) {
        return false;
    }
    o->used = r->class_id != 0;
    o->class_id = r->class_id;
    o->software = r->software != 0;
    o->va = r->va;
    o->bytes = r->bytes;
    return true;
}

/* Replay a segment: check its words and append it to the ring. */
static bool replay_segment(channel *ch, const recorded *r)
{
    const size_t first_dw = ch->pushed.len_dw;
    gpucmd_nv_walk walk;
    uint64_t bytes;
    uint8_t *host;
    if (gpucmd_mem_span(&dev.mem, r->va, r->bytes, GPUCMD_ACCESS_READ, &host, &bytes) !=
            GPUCMD_OK ||
        bytes < r->bytes) {
        return false;
    }
    shim_count(SHIM_SUBMITS, 1);
    shim_count_engine(r->channel);
    gpucmd_nv_walk_init(&walk, &dev.gate, NULL, 0);
    nouveau_look(&ch->pushed, &walk, (const uint32_t *)(const void *)host, r->bytes / 4, r->va);
    nouveau_check(&ch->pushed, &walk, first_dw, r->va);
    return !shim.execute || submit(ch, r->va, (uint32_t)(r->bytes / 4)) == 0;
}

static bool replay(uint32_t type, const uint8_t *data, size_t bytes)
{
    recorded r;
    channel *ch;
    void *host;
    if (bytes != sizeof r) {
        return false;
    }
    memcpy(&r, data, sizeof r);
    if (r.channel < CHANNELS) {
        ch = &dev.channels[r.channel];
    } else {
        ch = NULL;
    }
    if (ch == NULL || ((ch->memory == NULL) != (type == BEGUN) && type > UNMAPPED)) {
        return false;
    }
    switch (type) {
    case MAPPED:
        host = shim_replay_host(r.place, r.bytes);
        if (host != NULL) {
            map_region(r.va, r.bytes, host);
        }
        return host != NULL;
    case UNMAPPED: unmap_region(r.va); return true;
    case BEGUN: begin_channel(r.channel); return true;
    case ENDED: return channel_free(ch) == 0;
    case OBJECT: return replay_object(ch, &r);
    case SEGMENT: return replay_segment(ch, &r);
    case RUN:
        dev.card.clock_ns = r.bytes;
        if (shim.execute) {
            run_channel(ch);
        }
        return true;
    default: return false;
    }
}

/* Append the segments of a submission to the ring of the channel. */
static int push_segments(channel *ch, const struct drm_nouveau_gem_pushbuf *arg,
                         const struct drm_nouveau_gem_pushbuf_bo *list)
{
    const struct drm_nouveau_gem_pushbuf_push *push = (const void *)(uintptr_t)arg->push;
    const size_t first_dw = ch->pushed.len_dw;
    gpucmd_nv_walk walk;
    int error = 0;
    gpucmd_nv_walk_init(&walk, &dev.gate, NULL, 0);
    for (uint32_t i = 0; i < arg->nr_push && error == 0; i++) {
        error = push_segment(ch, &walk, arg, list, &push[i]);
    }
    if (error == 0) {
        nouveau_check(&ch->pushed, &walk, first_dw,
                      find_buffer(ch->file, list[push->bo_index].handle)->va + push->offset);
    }
    return error;
}

/* ---- asynchronous submissions ---- */

/* Order a job after the work that uses its buffers, hold them, and note that it uses them. */
static void use_buffers(const channel *ch, shim_job *job, const struct drm_nouveau_gem_pushbuf *arg,
                        const struct drm_nouveau_gem_pushbuf_bo *list)
{
    work *w = job->data;
    for (uint32_t i = 0; i < arg->nr_buffers; i++) {
        const bool writes = list[i].write_domains != 0;
        const shim_object *o = find_buffer(ch->file, list[i].handle);
        buffer *b = o->data;
        shim_storage_waits(o->storage, writes, job);
        shim_storage_use(o->storage, job->engine, writes, job->fence);
        o->storage->refs++;
        job->holds[job->hold_count++] = o->storage;
        w->handles[w->handle_count++] = o->handle;
        b->pins++;
    }
}

/* Queue the segments of a submission, which are checked. */
static void enqueue(channel *ch, const struct drm_nouveau_gem_pushbuf *arg,
                    const struct drm_nouveau_gem_pushbuf_bo *list)
{
    const struct drm_nouveau_gem_pushbuf_push *push = (const void *)(uintptr_t)arg->push;
    shim_job *job = calloc(1, sizeof *job);
    work *w = calloc(1, sizeof *w);
    if (job == NULL || w == NULL) {
        abort();
    }
    job->holds = calloc(arg->nr_buffers, sizeof(shim_storage *));
    w->handles = calloc(arg->nr_buffers, sizeof *w->handles);
    w->segments = calloc(arg->nr_push, sizeof *w->segments);
    if (job->holds == NULL || w->handles == NULL || w->segments == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < arg->nr_push; i++, push++) {
        w->segments[i].va = find_buffer(ch->file, list[push->bo_index].handle)->va + push->offset;
        w->segments[i].len_dw = (uint32_t)(push->length & PUSH_LENGTH) / 4;
    }
    w->segment_count = arg->nr_push;
    w->ch = ch;
    job->data = w;
    job->engine = queue_of(ch);
    job->fence = shim_fence_new();
    job->key = ch->serial;
    use_buffers(ch, job, arg, list);
    shim_queue_add(job);
}

/* Return the VM whose work a job executes; NULL: it is the job of a channel. */
static struct nouveau_vm *vm_of_job(const shim_job *job)
{
    return job->engine == SHIM_ENGINES - 1 ? job->data : NULL;
}

static int job_step(shim_job *job)
{
    if (vm_of_job(job) != NULL) {
        return nouveau_vm_step(vm_of_job(job));
    }
    work *w = job->data;
    channel *ch = w->ch;
    const uint64_t start_ns = shim_now_ns();
    gpucmd_run run;
    if (ch->killed) {
        return -ENODEV;
    }
    for (uint32_t i = 0; i < w->segment_count && !w->begun; i++) {
        if (submit(ch, w->segments[i].va, w->segments[i].len_dw) != 0) {
            abort(); /* the ring is empty when a job begins */
        }
    }
    if (!w->begun) {
        kick(ch);
        w->begun = true;
    }
    run = nouveau_run(&ch->host, &dev.env, SLICE);
    if (run == GPUCMD_RUN_FAULT) {
        recover(&ch->host);
        if (++w->faults == FAULTS) {
            kill_channel(ch);
        }
    }
    shim_count(SHIM_EXEC_NS, shim_now_ns() - start_ns);
    return run == GPUCMD_RUN_IDLE ? 0 : SHIM_LATER;
}

/* A channel runs while another one waits. */
static bool job_yields(shim_job *job)
{
    (void)job;
    return true;
}

static int job_hangs(shim_job *job)
{
    if (vm_of_job(job) != NULL) {
        return SHIM_LATER; /* the kernel has a limit of its own */
    }
    const work *w = job->data;
    shim_count(SHIM_HANGS, 1);
    shim_log("nouveau: channel %u is killed", w->ch->host.id);
    kill_channel(w->ch);
    return -ENODEV;
}

static void job_end(shim_job *job, int error)
{
    (void)error;
    if (vm_of_job(job) != NULL) {
        nouveau_vm_end(vm_of_job(job));
        return;
    }
    work *w = job->data;
    for (uint32_t i = 0; i < w->handle_count; i++) {
        const shim_object *o = w->ch->file->objects[w->handles[i] - 1]; /* may be closed */
        buffer *b = o->data;
        if (--b->pins == 0) {
            shim_object_reap(w->ch->file, w->handles[i]);
        }
    }
    free(w->segments);
    free(w->handles);
    free(w);
}

/* Return whether work uses a buffer whose handle the client closes: its address stays valid. */
static bool object_busy(shim_file *f, shim_object *o)
{
    const buffer *b = o->data;
    (void)f;
    return b != NULL && b->pins != 0;
}

/* Wait for the work that writes a buffer, or with the flag WRITE for all work that uses it. */
static int cpu_prep(const shim_file *f, const struct drm_nouveau_gem_cpu_prep *arg)
{
    const shim_object *o = find_buffer(f, arg->handle);
    const bool all = (arg->flags & NOUVEAU_GEM_CPU_PREP_WRITE) != 0;
    const uint64_t limit_ns = (arg->flags & NOUVEAU_GEM_CPU_PREP_NOWAIT) != 0 ? 0 : 30000000000u;
    uint32_t busy;
    if (o == NULL) {
        return -ENOENT;
    }
    if (shim.async) {
        busy = shim_storage_busy(o->storage);
    } else {
        busy = 0;
    }
    if (!all) {
        busy = busy & 1u << 31;
    }
    if (busy == 0) {
        return 0;
    }
    if (shim_now_ns() - shim_ioctl_begin_ns() >= limit_ns) {
        return -EBUSY;
    }
    return SHIM_LATER;
}

static int gem_pushbuf(shim_file *f, struct drm_nouveau_gem_pushbuf *arg)
{
    struct drm_nouveau_gem_pushbuf_bo *list = (void *)(uintptr_t)arg->buffers;
    channel *ch = find_channel(f, arg->channel);
    int error;
    if (ch == NULL || arg->nr_push > NOUVEAU_GEM_MAX_PUSH ||
        arg->nr_buffers > NOUVEAU_GEM_MAX_BUFFERS || arg->nr_relocs > NOUVEAU_GEM_MAX_RELOCS) {
        return ch == NULL ? -ENOENT : -EINVAL;
    }
    if (ch->killed) {
        return -ENODEV;
    }
    if (shim_queue_count(ch->serial, queue_of(ch)) >= IN_RING) {
        return SHIM_LATER;
    }
    arg->suffix0 = dev.chip < GPUCMD_NV_CHIP_G80 ? SUFFIX_NV25 : 0;
    arg->suffix1 = 0;
    arg->vram_available = shim_is_off("memory") ? 0 : dev.memory_bytes;
    arg->gart_available = arg->vram_available;
    if (arg->nr_push == 0) {
        return 0;
    }
    if (!shim_is_readable(arg->push, arg->nr_push * sizeof(struct drm_nouveau_gem_pushbuf_push)) ||
        !shim_is_readable(arg->buffers, arg->nr_buffers * sizeof *list) ||
        !shim_is_readable(arg->relocs,
                          arg->nr_relocs * sizeof(struct drm_nouveau_gem_pushbuf_reloc))) {
        return -EFAULT;
    }
    error = place_buffers(f, arg, list);
    if (error == 0) {
        error = relocate(f, arg, list);
    }
    if (error == 0) {
        error = push_segments(ch, arg, list);
    }
    if (error != 0) {
        shim_count(SHIM_REFUSED, error != SHIM_LATER);
    } else if (is_async()) {
        enqueue(ch, arg, list);
    } else if (shim.execute && shim.record != NULL) {
        record_run(ch, arg, list);
    } else if (shim.execute) {
        run_channel(ch);
    }
    return error;
}

/* ---- information about the device ---- */

static uint64_t device_ns(void)
{
    dev.card.clock_ns += dev.card.clock_step_ns;
    return dev.card.clock_ns;
}

static int getparam(struct drm_nouveau_getparam *arg)
{
    switch (arg->param) {
    case NOUVEAU_GETPARAM_PCI_VENDOR: arg->value = shim.gpu->vendor; return 0;
    case NOUVEAU_GETPARAM_PCI_DEVICE: arg->value = shim.gpu->device; return 0;
    case NOUVEAU_GETPARAM_BUS_TYPE: arg->value = 2; return 0; /* PCIE */
    case NOUVEAU_GETPARAM_FB_SIZE:
    case NOUVEAU_GETPARAM_AGP_SIZE: arg->value = dev.memory_bytes; return 0;
    case NOUVEAU_GETPARAM_CHIPSET_ID: arg->value = dev.chipset; return 0;
    case NOUVEAU_GETPARAM_GRAPH_UNITS: /* counts of multiprocessors and of their parts */
        arg->value = GPUCMD_NV_IS_GF100(dev.chip) ? 0x00000404 : 0x0300000f;
        return 0;
    case NOUVEAU_GETPARAM_PTIMER_TIME: arg->value = device_ns(); return 0;
    case GPUCMD_NOUVEAU_GETPARAM_VM_VRAM_BASE: arg->value = 0; return 0;
    case GPUCMD_NOUVEAU_GETPARAM_EXEC_PUSH_MAX:
        arg->value = dev.chip < GPUCMD_NV_CHIP_G80 ? 0 : GPUCMD_NOUVEAU_EXEC_PUSH_MAX;
        return 0;
    case GPUCMD_NOUVEAU_GETPARAM_VRAM_BAR_SIZE: arg->value = dev.memory_bytes; return 0;
    case GPUCMD_NOUVEAU_GETPARAM_VRAM_USED: arg->value = 1 << 24; return 0;
    case GPUCMD_NOUVEAU_GETPARAM_HAS_VMA_TILEMODE:
    case NOUVEAU_GETPARAM_HAS_BO_USAGE:
    case NOUVEAU_GETPARAM_HAS_PAGEFLIP: arg->value = 1; return 0;
    default: return -EINVAL;
    }
}

/* Answer NVIF MTHD for the device object. */
static int device_method(struct nvif_ioctl_mthd_v0 *arg, size_t bytes)
{
    if (arg->method == NV_DEVICE_V0_INFO && bytes >= sizeof(struct nv_device_info_v0)) {
        struct nv_device_info_v0 *info = (void *)arg->data;
        memset(info, 0, sizeof *info);
        info->platform = NV_DEVICE_INFO_V0_PCIE;
        info->chipset = (uint16_t)dev.chipset;
        info->ram_size = dev.memory_bytes;
        info->ram_user = dev.memory_bytes;
        snprintf(info->chip, sizeof info->chip, "NV%02X", dev.chipset);
        snprintf(info->name, sizeof info->name, "%s", gpucmd_nv_chip_name(dev.chip));
        return 0;
    }
    if (arg->method == NV_DEVICE_V0_TIME && bytes >= sizeof(struct nv_device_time_v0)) {
        struct nv_device_time_v0 *time = (void *)arg->data;
        time->time = device_ns();
        return 0;
    }
    return -EINVAL;
}

/* Answer NVIF SCLASS: the count of all classes, and as many classes as fit. */
static int list_classes(struct nvif_ioctl_sclass_v0 *arg, size_t bytes)
{
    size_t room;
    if (bytes / sizeof arg->oclass[0] < arg->count) {
        room = bytes / sizeof arg->oclass[0];
    } else {
        room = arg->count;
    }
    size_t count = 0;
    uint32_t class_id;
    do {
        class_id = gpucmd_nv_object_class(dev.chip, (uint32_t)count);
        if (class_id == 0 && has_software()) {
            class_id = SOFTWARE_CLASS;
        }
        if (class_id != 0 && count < room) {
            arg->oclass[count].oclass = (int32_t)class_id;
            arg->oclass[count].minver = -1;
            arg->oclass[count].maxver = -1;
        }
        count += class_id != 0;
    } while (class_id != 0 && class_id != SOFTWARE_CLASS);
    arg->count = (uint8_t)count;
    return 0;
}

static int nvif(shim_file *f, uint8_t *arg, size_t bytes)
{
    struct nvif_ioctl_v0 *head = (void *)arg;
    void *data = arg + sizeof *head;
    const size_t n = bytes - sizeof *head;
    if (bytes < sizeof *head) {
        return -EINVAL;
    }
    switch (head->type) {
    case NVIF_IOCTL_V0_NOP:
    case NVIF_IOCTL_V0_DEL: return 0;
    case NVIF_IOCTL_V0_SCLASS:
        return n < sizeof(struct nvif_ioctl_sclass_v0)
                   ? -EINVAL
                   : list_classes(data, n - sizeof(struct nvif_ioctl_sclass_v0));
    case NVIF_IOCTL_V0_MTHD:
        return n < sizeof(struct nvif_ioctl_mthd_v0)
                   ? -EINVAL
                   : device_method(data, n - sizeof(struct nvif_ioctl_mthd_v0));
    case NVIF_IOCTL_V0_NEW: {
        const struct nvif_ioctl_new_v0 *new = data;
        channel *ch = find_channel(f, head->token);
        if (n < sizeof *new) {
            return -EINVAL;
        }
        if (head->owner == NVIF_IOCTL_V0_OWNER_ANY) { /* the object is the device */
            return 0;
        }
        if (ch != NULL) {
            return add_class(ch, new->handle, new->oclass);
        }
        return -ENOENT;
    }
    default: return -EINVAL;
    }
}

/* ---- the driver ---- */

static int object_ioctl(shim_file *f, uint32_t nr, void *arg)
{
    if (nr == DRM_NOUVEAU_GROBJ_ALLOC) {
        const struct drm_nouveau_grobj_alloc *a = arg;
        channel *ch = find_channel(f, (uint64_t)a->channel);
        if (ch != NULL) {
            return add_class(ch, a->handle, a->class);
        }
        return -ENOENT;
    }
    if (nr == DRM_NOUVEAU_NOTIFIEROBJ_ALLOC) {
        struct drm_nouveau_notifierobj_alloc *a = arg;
        channel *ch = find_channel(f, a->channel);
        if (ch != NULL) {
            return add_notifier(ch, a);
        }
        return -ENOENT;
    }
    if (nr == DRM_NOUVEAU_GPUOBJ_FREE) {
        const struct drm_nouveau_gpuobj_free *a = arg;
        channel *ch = find_channel(f, (uint64_t)a->channel);
        object *o = NULL;
        if (ch != NULL) {
            o = find_object(ch, a->handle);
        }
        if (o != NULL) {
            o->used = false;
            record_object(ch, o);
        }
        if (ch == NULL) {
            return -EINVAL;
        }
        return o != NULL ? 0 : -ENOENT;
    }
    return -ENOTTY;
}

/* Return the minimum size of an argument in bytes; ~0: unknown ioctl. */
static uint32_t least_bytes(uint32_t nr)
{
    switch (nr) {
    case DRM_NOUVEAU_GETPARAM: return sizeof(struct drm_nouveau_getparam);
    case DRM_NOUVEAU_CHANNEL_ALLOC: return sizeof(struct drm_nouveau_channel_alloc);
    case DRM_NOUVEAU_CHANNEL_FREE: return sizeof(struct drm_nouveau_channel_free);
    case DRM_NOUVEAU_GROBJ_ALLOC: return sizeof(struct drm_nouveau_grobj_alloc);
    case DRM_NOUVEAU_NOTIFIEROBJ_ALLOC: return sizeof(struct drm_nouveau_notifierobj_alloc);
    case DRM_NOUVEAU_GPUOBJ_FREE: return sizeof(struct drm_nouveau_gpuobj_free);
    case DRM_NOUVEAU_NVIF: return sizeof(struct nvif_ioctl_v0);
    case DRM_NOUVEAU_SVM_INIT: return sizeof(struct drm_nouveau_svm_init);
    case DRM_NOUVEAU_GEM_NEW: return sizeof(struct drm_nouveau_gem_new);
    case DRM_NOUVEAU_GEM_PUSHBUF: return sizeof(struct drm_nouveau_gem_pushbuf);
    case DRM_NOUVEAU_GEM_CPU_PREP: return sizeof(struct drm_nouveau_gem_cpu_prep);
    case DRM_NOUVEAU_GEM_CPU_FINI: return sizeof(struct drm_nouveau_gem_cpu_fini);
    case DRM_NOUVEAU_GEM_INFO: return sizeof(struct drm_nouveau_gem_info);
    default: return UINT32_MAX;
    }
}

/* Answer an ioctl of a file that has a VM, or may get one. -ENOTTY: it is of the old interface. */
static int vm_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    file_state *state = f->data;
    if (shim_is_off("vm_bind") || shim.record != NULL) {
        return nr >= FIRST_OF_VM && nr <= LAST_OF_VM ? -EINVAL : -ENOTTY;
    }
    if (state->vm == NULL && nr > FIRST_OF_VM && nr <= LAST_OF_VM) {
        return -ENOSYS;
    }
    if (nr == DRM_NOUVEAU_GEM_NEW || nr == DRM_NOUVEAU_CHANNEL_ALLOC) {
        state->used = true;
    }
    return nouveau_vm_ioctl(f, &state->vm, !state->used, nr, arg_bytes, arg);
}

static int nouveau_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    const uint32_t least = least_bytes(nr);
    int result = vm_ioctl(f, nr, arg_bytes, arg);
    if (result != -ENOTTY || vm_of(f) != NULL) {
        return result;
    }
    if (least == UINT32_MAX) {
        return -ENOTTY;
    }
    if (arg_bytes < least) { /* the rest of a short structure is 0 */
        uint64_t whole[16] = {0};
        if (nr == DRM_NOUVEAU_NVIF || least > sizeof whole) {
            return -EINVAL;
        }
        memcpy(whole, arg, arg_bytes);
        result = nouveau_ioctl(f, nr, least, whole);
        memcpy(arg, whole, arg_bytes);
        return result;
    }
    switch (nr) {
    case DRM_NOUVEAU_GETPARAM: return getparam(arg);
    case DRM_NOUVEAU_CHANNEL_ALLOC: return channel_alloc(f, arg);
    case DRM_NOUVEAU_CHANNEL_FREE: {
        const struct drm_nouveau_channel_free *a = arg;
        return channel_free(find_channel(f, (uint64_t)a->channel));
    }
    case DRM_NOUVEAU_NVIF: return nvif(f, arg, arg_bytes);
    case DRM_NOUVEAU_SVM_INIT: return -ENOSYS;
    case DRM_NOUVEAU_GEM_NEW: return gem_new(f, arg);
    case DRM_NOUVEAU_GEM_PUSHBUF: return gem_pushbuf(f, arg);
    case DRM_NOUVEAU_GEM_INFO: return gem_info(f, arg);
    case DRM_NOUVEAU_GEM_CPU_PREP: return cpu_prep(f, arg);
    case DRM_NOUVEAU_GEM_CPU_FINI: {
        const struct drm_nouveau_gem_cpu_fini *a = arg;
        return find_buffer(f, a->handle) != NULL ? 0 : -ENOENT;
    }
    default: return object_ioctl(f, nr, arg);
    }
}

static void nouveau_start(void)
{
    dev.chipset = shim.gpu->number;
    if (gpucmd_nv_chip_from_id(dev.chipset, &dev.chip) != GPUCMD_OK ||
        gpucmd_nv_gate_init(&dev.gate, dev.chip, dev.chip >= GPUCMD_NV_CHIP_G80, false,
                            GPUCMD_NV_FMT_NEW) != GPUCMD_OK ||
        gpucmd_mem_init(&dev.mem, NULL, 0) != GPUCMD_OK) {
        abort();
    }
    dev.next_va = BUFFERS_VA;
    dev.memory_bytes = (uint64_t)(dev.chip < GPUCMD_NV_CHIP_G80 ? 256 : 1024) << 20;
    gpucmd_nv_card_init(&dev.card);
    gpucmd_env_init(&dev.env, &dev.mem, nouveau_methods, NULL);
    dev.card.software = take_software;
    dev.card.object = look_up;
}

static void nouveau_open(shim_file *f)
{
    f->data = calloc(1, sizeof(file_state));
    if (f->data == NULL) {
        abort();
    }
}

static void nouveau_close(shim_file *f)
{
    for (size_t i = 0; i < CHANNELS; i++) {
        if (dev.channels[i].file == f) {
            channel_free(&dev.channels[i]);
        }
    }
    if (vm_of(f) != NULL) {
        nouveau_vm_close(vm_of(f));
    }
    free(f->data);
    f->data = NULL;
}

/* 1.3 has no VM. 1.3.0 has no NVIF. */
static void version(int *minor, int *patch)
{
    *minor = shim_is_off("vm_bind") || shim.record != NULL ? 3 : 4;
    *patch = *minor == 3 ? 1 : 2;
    if (shim_is_off("nvif")) {
        *minor = 3;
        *patch = 0;
    }
}

const shim_driver shim_nouveau = {
    .name = "nouveau",
    .major = 1,
    .version = version,
    .caps = (uint64_t)1 << DRM_CAP_PRIME | (uint64_t)1 << DRM_CAP_SYNCOBJ |
            (uint64_t)1 << DRM_CAP_SYNCOBJ_TIMELINE,
    .start = nouveau_start,
    .open = nouveau_open,
    .close = nouveau_close,
    .object_free = object_free,
    .ioctl = nouveau_ioctl,
    .object_import = object_import,
    .linear = linear,
    .object_busy = object_busy,
    .job_step = job_step,
    .job_yields = job_yields,
    .job_hangs = job_hangs,
    .job_end = job_end,
    .replay = replay,
};

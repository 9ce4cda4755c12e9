/* nv/rm.h - a model of NVIDIA's kernel driver, release 580, on one GH100: the calls of
 * examples/hardware/nvidia.c with the errors of the driver. Include it after gpucmd_nv.h and hardware/nvidia.h.
 *
 * The channels are gpucmd_nv_channel. Memory that the caller maps is plain memory, so the model sees
 * GP_PUT and the doorbell when rm_run or rm_doorbell is called; hardware sees them at once. */
#ifndef GPUCMD_TEST_NV_RM_H
#define GPUCMD_TEST_NV_RM_H

#include <stdlib.h>

#ifndef RM_ARENA_BYTES
#define RM_ARENA_BYTES (8u << 20)
#endif

enum {
    RM_PAGE = 4096,
    RM_FILES = 32,
    RM_OBJECTS = 64,
    RM_MAPS = 32,
    RM_CHANNELS = 4,
    RM_COPY_ENGINES = 10,
    RM_GPU_ID = 0x0900,
    RM_ENGINE_COPY0 = 0x9,
    RM_XID_MMU = 31,
    RM_XID_PBDMA = 32,
    RM_XID_CE0 = 39,
    RM_DOORBELL = 0x90 / 4,
    RM_RUNLIST = 7,
};

/* An open node. mapping is the object that NV_ESC_RM_MAP_MEMORY named. */
typedef struct rm_file {
    enum { RM_CLOSED, RM_CTL, RM_GPU, RM_UVM } node;
    int fd;
    bool registered, used, started;
    uint32_t mapping;
    uint64_t map_bytes;
} rm_file;

typedef struct rm_object {
    uint32_t handle; /* 0: free */
    uint32_t parent, class_id;
    uint8_t *cpu; /* memory */
    uint64_t len_bytes;
    uint32_t engine, space, flags;
    bool external, registered, scheduled; /* VA space, channel */
    uint32_t notifier, userd;             /* channel */
    uint32_t slot;                        /* channel: index of gpu */
} rm_object;

/* A mapping for the GPU (memory, va) or for the process (memory, cpu). */
typedef struct rm_map {
    uint64_t len_bytes; /* 0: free */
    uint64_t va;
    uint32_t memory;
    bool ranged; /* made by UVM_CREATE_EXTERNAL_RANGE */
    uint8_t *cpu;
} rm_map;

typedef struct rm_model {
    const char *version;
    bool sandboxed;   /* NVOS46 and NV01_MEMORY_VIRTUAL are rejected, as gVisor does */
    bool no_bar1;     /* HOPPER_USERMODE_A takes no parameters */
    bool not_hopper;  /* the class list has no class of GH100 */
    unsigned fail_at; /* this call fails; counted from 1; 0: none */
    int fail_errno;   /* 0: the call returns fail_status, if it has a status */
    uint32_t fail_status;
    unsigned calls;
    const char *failed_call;
    const char *wrong; /* first call that a correct program does not make; NULL: none */
    rm_file files[RM_FILES];
    rm_object objects[RM_OBJECTS];
    rm_map gpu_maps[RM_MAPS], cpu_maps[RM_MAPS];
    uint32_t next_handle;
    uint32_t client; /* made on the control node client_file; closing that frees the client */
    const rm_file *client_file;
    uint32_t uvm_space; /* VA space that UVM owns */
    bool uvm_gpu;
    uint64_t used_bytes; /* of arena */
    gpucmd_nv_channel gpu[RM_CHANNELS];
    bool in_use[RM_CHANNELS], dead[RM_CHANNELS], rung[RM_CHANNELS];
    bool any_doorbell; /* each token is for every channel */
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    gpucmd_region regions[RM_MAPS];
    int (*new_fd)(void);                         /* returns a free descriptor; NULL: 3 and so on */
    void (*edit)(uint8_t *words, size_t len_dw); /* makes the executor wrong; NULL: right */
} rm_model;

static rm_model rm;
static uint64_t rm_arena[RM_ARENA_BYTES / 8 + RM_PAGE / 8];
static uint64_t rm_usermode[0x10000 / 8 + RM_PAGE / 8];

static uint8_t *rm_aligned(uint64_t *memory)
{
    uint8_t *const p = (uint8_t *)memory;
    return p + (RM_PAGE - (uintptr_t)p % RM_PAGE) % RM_PAGE;
}

static uint32_t *rm_page(void)
{
    return (uint32_t *)(void *)rm_aligned(rm_usermode);
}

/* Record a call that hardware or the driver would punish later. */
static void rm_blame(const char *what)
{
    if (rm.wrong == NULL) {
        rm.wrong = what;
    }
}

static rm_object *rm_find(uint32_t handle)
{
    for (unsigned i = 0; handle != 0 && i < RM_OBJECTS; i++) {
        if (rm.objects[i].handle == handle) {
            return &rm.objects[i];
        }
    }
    return NULL;
}

static bool rm_is(const rm_object *o, uint32_t class_id)
{
    return o != NULL && o->class_id == class_id;
}

static bool rm_is_memory(const rm_object *o)
{
    return rm_is(o, NV01_MEMORY_SYSTEM) || rm_is(o, NV01_MEMORY_LOCAL_USER);
}

static rm_map *rm_free_map(rm_map *maps)
{
    for (unsigned i = 0; i < RM_MAPS; i++) {
        if (maps[i].len_bytes == 0) {
            return &maps[i];
        }
    }
    rm_blame("too many mappings for the model");
    return NULL;
}

/* ---- the GPU ---- */

static bool rm_region_before(const gpucmd_region *a, const gpucmd_region *b)
{
    return a->va < b->va;
}

/* Make the regions of the executor from the mappings. */
static void rm_remap(void)
{
    size_t n = 0;
    for (unsigned i = 0; i < RM_MAPS; i++) {
        const rm_object *const o = rm_find(rm.gpu_maps[i].memory);
        gpucmd_region r = {rm.gpu_maps[i].va, rm.gpu_maps[i].len_bytes, NULL,
                           GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
        size_t k = n;
        if (rm.gpu_maps[i].len_bytes == 0 || o == NULL) {
            continue;
        }
        r.host = o->cpu;
        while (k > 0 && rm_region_before(&r, &rm.regions[k - 1])) {
            rm.regions[k] = rm.regions[k - 1];
            k--;
        }
        rm.regions[k] = r;
        n++;
    }
    if (gpucmd_mem_init(&rm.mem, rm.regions, n) != GPUCMD_OK) {
        rm_blame("regions");
    }
}

/* Let edit change the words of the entries that were submitted. */
static void rm_edit(const gpucmd_nv_pbdma *p)
{
    const uint32_t mask = (1u << p->limit2) - 1;
    for (uint32_t i = p->gp_get; rm.edit != NULL && i != p->gp_put; i = (i + 1) & mask) {
        uint64_t entry = 0;
        uint8_t *words = NULL;
        uint64_t got_bytes = 0;
        uint64_t len_dw;
        if (gpucmd_mem_read64(&rm.mem, p->gp_base + 8 * (uint64_t)i, GPUCMD_LITTLE_ENDIAN,
                              &entry) != GPUCMD_OK) {
            return;
        }
        len_dw = entry >> 42 & 0x1fffff; /* LENGTH, 0 in control entries */
        if (len_dw != 0 && gpucmd_mem_span(&rm.mem, entry & 0xfffffffffcu, 4 * len_dw,
                                           GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE, &words,
                                           &got_bytes) == GPUCMD_OK) {
            rm.edit(words, (size_t)(got_bytes / 4));
        }
    }
}

/* A channel stops: the driver writes notifier 0, and the channel never runs again. */
static void rm_channel_error(const rm_object *o)
{
    const rm_object *const note = rm_find(o->notifier);
    const gpucmd_nv_channel *const ch = &rm.gpu[o->slot];
    const uint32_t xid = ch->pbdma.intr != 0 || ch->puller.error != 0 ? RM_XID_PBDMA
                         : ch->pbdma.fault == GPUCMD_FAULT || ch->puller.fault == GPUCMD_FAULT
                             ? RM_XID_MMU
                             : RM_XID_CE0 + (o->engine - RM_ENGINE_COPY0);
    rm.dead[o->slot] = true;
    if (note != NULL) {
        gpucmd_store32(note->cpu + 8, xid, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(note->cpu + 12, 0xffff0000u | o->engine, GPUCMD_LITTLE_ENDIAN);
    }
}

/* Look at the doorbell: a token that was stored is remembered for its channel. The doorbell is plain
 * memory here, so this must happen before the next store: a program that kicks several channels calls
 * it in its barriers, or sets any_doorbell. */
static void rm_doorbell(void)
{
    const uint32_t token = gpucmd_load32(&rm_page()[RM_DOORBELL], GPUCMD_LITTLE_ENDIAN);
    if (token == 0) {
        return;
    }
    gpucmd_store32(&rm_page()[RM_DOORBELL], 0, GPUCMD_LITTLE_ENDIAN);
    for (unsigned i = 0; i < RM_CHANNELS; i++) {
        rm.rung[i] |= rm.any_doorbell || token == (RM_RUNLIST << 16 | rm.gpu[i].id);
    }
}

/* Return the channel of an object, or NULL if it cannot execute. */
static gpucmd_nv_channel *rm_channel(const rm_object *o)
{
    return o->handle != 0 && o->class_id == HOPPER_CHANNEL_GPFIFO_A && o->scheduled &&
                   !rm.dead[o->slot]
               ? &rm.gpu[o->slot]
               : NULL;
}

/* Read GP_PUT of a channel whose token was stored, execute, write GP_GET. Return true if the channel
 * did something. */
static bool rm_run_channel(const rm_object *o, gpucmd_nv_channel *ch)
{
    const rm_object *const userd = rm_find(o->userd);
    const uint64_t effects = rm.card.effects;
    if (userd != NULL && rm.rung[o->slot]) {
        rm.rung[o->slot] = false;
        ch->pbdma.gp_put = gpucmd_load32(userd->cpu + GPUCMD_NV_AREA_IB_PUT, GPUCMD_LITTLE_ENDIAN);
        rm_edit(&ch->pbdma);
    }
    if (gpucmd_nv_channel_run(ch, &rm.env, 1u << 24) == GPUCMD_RUN_FAULT) {
        rm_channel_error(o);
    }
    if (userd != NULL) {
        gpucmd_store32(userd->cpu + GPUCMD_NV_AREA_IB_GET, ch->pbdma.gp_get, GPUCMD_LITTLE_ENDIAN);
    }
    return rm.card.effects != effects;
}

/* Let the GPU execute until nothing is left. Return true if it did something. */
static bool rm_run(void)
{
    bool ran = false;
    bool again = true;
    rm_doorbell();
    while (again) {
        again = false;
        for (unsigned i = 0; i < RM_OBJECTS; i++) {
            gpucmd_nv_channel *const ch = rm_channel(&rm.objects[i]);
            again |= ch != NULL && rm_run_channel(&rm.objects[i], ch);
        }
        ran |= again;
    }
    return ran;
}

/* ---- objects ---- */

/* Return whether memory is the ring, USERD or notifier of a channel, none of which may go first. */
static bool rm_is_needed(const rm_object *memory)
{
    for (unsigned i = 0; i < RM_OBJECTS; i++) {
        const rm_object *const o = &rm.objects[i];
        if (o->handle != 0 && o->class_id == HOPPER_CHANNEL_GPFIFO_A) {
            uint8_t *host = NULL;
            uint64_t got = 0;
            if (o->notifier == memory->handle || o->userd == memory->handle ||
                (gpucmd_mem_span(&rm.mem, rm.gpu[o->slot].pbdma.gp_base, 1, GPUCMD_ACCESS_READ,
                                 &host, &got) == GPUCMD_OK &&
                 host == memory->cpu)) {
                return true;
            }
        }
    }
    return false;
}

/* Return the number of objects of a kind; NULL: of all objects. */
static unsigned rm_count(bool (*is)(const rm_object *o))
{
    unsigned n = 0;
    for (unsigned i = 0; i < RM_OBJECTS; i++) {
        n += rm.objects[i].handle != 0 && (is == NULL || is(&rm.objects[i]));
    }
    return n;
}

/* Free an object with its children. */
static void rm_drop(rm_object *o)
{
    const uint32_t handle = o->handle;
    for (unsigned i = 0; i < RM_OBJECTS; i++) { /* the tree has 6 levels */
        if (rm.objects[i].handle != 0 && rm.objects[i].parent == handle) {
            rm_drop(&rm.objects[i]);
        }
    }
    if (rm_is_memory(o) && rm_is_needed(o)) {
        rm_blame("memory of a live channel was freed");
    }
    for (unsigned i = 0; i < RM_MAPS; i++) {
        if (rm.gpu_maps[i].memory == handle && rm.gpu_maps[i].len_bytes != 0) {
            rm.gpu_maps[i].memory = 0;
            if (!rm.gpu_maps[i].ranged) {
                rm.gpu_maps[i].len_bytes = 0;
            }
        }
    }
    if (rm_is(o, FERMI_VASPACE_A) && rm.uvm_space == handle) {
        rm_blame("the VA space was freed before UVM_UNREGISTER_GPU_VASPACE");
    }
    if (rm_is(o, HOPPER_CHANNEL_GPFIFO_A) && o->registered) {
        rm_blame("the channel was freed before UVM_UNREGISTER_CHANNEL");
    }
    if (rm_is(o, HOPPER_CHANNEL_GPFIFO_A)) {
        rm.in_use[o->slot] = false;
    }
    memset(o, 0, sizeof *o);
    rm.used_bytes = rm_count(rm_is_memory) != 0 ? rm.used_bytes : 0;
    rm_remap();
}

static uint32_t rm_alloc_memory(rm_object *o, NV(NV_MEMORY_ALLOCATION_PARAMS) * p)
{
    const uint64_t bytes = (p->size + RM_PAGE - 1) / RM_PAGE * RM_PAGE;
    const uint32_t location = p->attr >> 25 & 3;
    if (p->owner == 0 || p->owner == 0xffffffffu) {
        return NV_ERR_INVALID_OWNER;
    }
    if (p->size == 0 || p->internalflags != 0 || p->rangeLo != 0 || p->rangeHi != 0 ||
        location != (o->class_id == NV01_MEMORY_SYSTEM ? 1u : 0u)) {
        return NV_ERR_INVALID_ARGUMENT;
    }
    if (p->flags != (o->class_id == NV01_MEMORY_SYSTEM ? 0x100u : 0x10100u) ||
        p->attr != (o->class_id == NV01_MEMORY_SYSTEM ? 0x2a800000u : 0x00800000u) ||
        p->alignment != RM_PAGE || (p->type != 0 && p->type != 6 && p->type != 13)) {
        rm_blame("memory of a kind that is not in the table");
    }
    if (bytes > RM_ARENA_BYTES - rm.used_bytes) {
        return NV_ERR_NO_MEMORY;
    }
    o->cpu = rm_aligned(rm_arena) + rm.used_bytes;
    o->len_bytes = bytes;
    memset(o->cpu, 0xa5, (size_t)bytes); /* a caller that clears nothing sees this */
    rm.used_bytes += bytes;
    p->size = bytes;
    p->limit = bytes - 1;
    return 0;
}

static uint32_t rm_alloc_channel(rm_object *o, const rm_object *parent,
                                 const NV(NV_CHANNEL_ALLOC_PARAMS) * p)
{
    const bool in_group = rm_is(parent, KEPLER_CHANNEL_GROUP_A);
    const rm_object *const space = rm_find(in_group ? parent->space : p->hVASpace);
    const rm_object *const userd = rm_find(p->hUserdMemory[0]);
    const uint32_t entries = p->gpFifoEntries;
    unsigned slot = 0;
    if ((!in_group && !rm_is(parent, NV01_DEVICE_0)) || space == NULL) {
        return NV_ERR_INVALID_OBJECT_PARENT;
    }
    if ((in_group && (p->hVASpace != 0 || p->engineType != parent->engine)) ||
        p->engineType < RM_ENGINE_COPY0 || p->engineType >= RM_ENGINE_COPY0 + RM_COPY_ENGINES ||
        entries < 2 || (entries & (entries - 1)) != 0 || p->gpFifoOffset % 8 != 0 ||
        p->userdOffset[0] % 512 != 0) {
        return NV_ERR_INVALID_ARGUMENT;
    }
    if (!rm_is_memory(userd) || !rm_is_memory(rm_find(p->hObjectError))) {
        return NV_ERR_OBJECT_NOT_FOUND;
    }
    while (slot < RM_CHANNELS && rm.in_use[slot]) {
        slot++;
    }
    if (slot == RM_CHANNELS) {
        return NV_ERR_INSUFFICIENT_RESOURCES;
    }
    o->slot = slot;
    o->engine = p->engineType;
    o->notifier = p->hObjectError;
    o->userd = p->hUserdMemory[0];
    rm.dead[slot] = rm.rung[slot] = false;
    rm.in_use[slot] = true;
    if (gpucmd_nv_channel_init(&rm.gpu[slot], GPUCMD_NV_CHIP_GH100, &rm.card) != GPUCMD_OK) {
        return NV_ERR_INVALID_STATE;
    }
    rm.gpu[slot].id = 8 + slot;
    rm.gpu[slot].pbdma.gp_base = p->gpFifoOffset;
    while (1u << rm.gpu[slot].pbdma.limit2 < entries) {
        rm.gpu[slot].pbdma.limit2++;
    }
    for (unsigned i = 0; i < 512; i++) {
        if (userd->cpu[i] != 0) {
            rm_blame("USERD was not cleared");
        }
    }
    return 0;
}

/* Fill an object by its class. */
static uint32_t rm_alloc_class(rm_object *o, rm_object *parent, hw_params *p)
{
    const uint32_t parent_class = parent != NULL ? parent->class_id : 0;
    const bool on_device = parent_class == NV01_DEVICE_0;
    switch (o->class_id) {
    case NV01_ROOT_CLIENT: return parent == NULL ? 0 : NV_ERR_INVALID_OBJECT_PARENT;
    case NV01_DEVICE_0:
        if (p == NULL || p->device.deviceId != 0 || p->device.vaMode > 2) {
            return NV_ERR_INVALID_ARGUMENT;
        }
        return parent_class == NV01_ROOT_CLIENT ? 0 : NV_ERR_INVALID_OBJECT_PARENT;
    case NV20_SUBDEVICE_0:
        return !on_device                                   ? NV_ERR_INVALID_OBJECT_PARENT
               : p == NULL || p->subdevice.subDeviceId != 0 ? NV_ERR_INVALID_ARGUMENT
                                                            : 0;
    case FERMI_VASPACE_A:
        if (p == NULL || ((p->space.flags & 0x40) != 0 && (p->space.flags & 0x8) == 0)) {
            return NV_ERR_INVALID_ARGUMENT;
        }
        o->external = (p->space.flags & 0x8) != 0;
        return on_device ? 0 : NV_ERR_INVALID_OBJECT_PARENT;
    case NV01_MEMORY_VIRTUAL:
        if (rm.sandboxed) {
            return NV_ERR_INVALID_CLASS;
        }
        o->space = p != NULL ? p->range.hVASpace : 0;
        return !on_device                                  ? NV_ERR_INVALID_OBJECT_PARENT
               : rm_is(rm_find(o->space), FERMI_VASPACE_A) ? 0
                                                           : NV_ERR_OBJECT_NOT_FOUND;
    case NV01_MEMORY_SYSTEM:
    case NV01_MEMORY_LOCAL_USER:
        return on_device && p != NULL ? rm_alloc_memory(o, &p->memory)
                                      : NV_ERR_INVALID_OBJECT_PARENT;
    case HOPPER_USERMODE_A:
        if (p != NULL && p->usermode.bPriv != 0) {
            return NV_ERR_INSUFFICIENT_PERMISSIONS;
        }
        if (p != NULL && p->usermode.bBar1Mapping != 0 && rm.no_bar1) {
            return NV_ERR_INVALID_ARGUMENT;
        }
        o->cpu = (uint8_t *)rm_page();
        o->len_bytes = 0x10000;
        return parent_class == NV20_SUBDEVICE_0 ? 0 : NV_ERR_INVALID_OBJECT_PARENT;
    case KEPLER_CHANNEL_GROUP_A:
        if (!on_device) {
            return NV_ERR_INVALID_OBJECT_PARENT;
        }
        o->engine = p != NULL ? p->group.engineType : 0;
        o->space = p != NULL ? p->group.hVASpace : 0;
        return o->engine == 0 ? NV_ERR_INVALID_ARGUMENT : 0;
    case HOPPER_CHANNEL_GPFIFO_A:
        return p != NULL ? rm_alloc_channel(o, parent, &p->channel) : NV_ERR_INVALID_ARGUMENT;
    case HOPPER_DMA_COPY_A:
        if (parent_class != HOPPER_CHANNEL_GPFIFO_A) {
            return NV_ERR_INVALID_OBJECT_PARENT;
        }
        return p == NULL || p->copy.version != 1 || p->copy.engineType != parent->engine
                   ? NV_ERR_INVALID_ARGUMENT
                   : 0;
    default: return NV_ERR_INVALID_CLASS;
    }
}

static uint32_t rm_alloc(NV(NVOS21_PARAMETERS) * a)
{
    rm_object *const parent = rm_find(a->hObjectParent);
    rm_object *o = NULL;
    uint32_t status;
    for (unsigned i = 0; i < RM_OBJECTS && o == NULL; i++) {
        o = rm.objects[i].handle == 0 ? &rm.objects[i] : NULL;
    }
    if (o == NULL) {
        return NV_ERR_INSUFFICIENT_RESOURCES;
    }
    if (a->hClass != NV01_ROOT_CLIENT && !rm_is(rm_find(a->hRoot), NV01_ROOT_CLIENT)) {
        return NV_ERR_INVALID_CLIENT;
    }
    if (a->hObjectParent != 0 && parent == NULL) {
        return NV_ERR_INVALID_OBJECT_PARENT;
    }
    memset(o, 0, sizeof *o);
    o->class_id = a->hClass;
    status = rm_alloc_class(o, parent, (hw_params *)(uintptr_t)a->pAllocParms);
    if (status != 0) {
        memset(o, 0, sizeof *o);
        return status;
    }
    o->parent = a->hObjectParent;
    o->handle = a->hObjectNew = 0xc1d00000u + ++rm.next_handle;
    return 0;
}

/* ---- controls ---- */

/* Answer a control. Its class of object and the size of its parameters must match. */
static uint32_t rm_answer(uint32_t cmd, rm_object *o, void *params)
{
    NV(NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS) *const id = params;
    NV(NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS) *const list = params;
    NV(NV2080_CTRL_GPU_GET_ENGINES_V2_PARAMS) *const engines = params;
    NV(NV2080_CTRL_CE_GET_ALL_CAPS_PARAMS) *const caps = params;
    NV(NV2080_CTRL_GPU_GET_GID_INFO_PARAMS) *const gid = params;
    NV(NV2080_CTRL_MC_GET_ARCH_INFO_PARAMS) *const arch = params;
    NV(NV2080_CTRL_TIMER_GET_TIME_PARAMS) *const timer = params;
    NV(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS) *const token = params;
    const NV(NVA06C_CTRL_GPFIFO_SCHEDULE_PARAMS) *const schedule = params;
    static const uint32_t classes[] = {0xa06c, 0xc361, 0xc461, 0xc561, 0xc36f, 0xc46f,
                                       0xc56f, 0xc86f, 0xc8b5, 0xc661, 0xcbc0};
    switch (cmd) {
    case NV0000_CTRL_CMD_GPU_GET_ID_INFO_V2:
        return id->gpuId == RM_GPU_ID ? 0 : NV_ERR_INVALID_ARGUMENT;
    case NV0080_CTRL_CMD_GPU_GET_CLASSLIST_V2:
        list->numClasses = rm.not_hopper ? 7 : sizeof classes / sizeof classes[0];
        memcpy(list->classList, classes, sizeof classes);
        return 0;
    case NV2080_CTRL_CMD_GPU_GET_ENGINES_V2:
        engines->engineCount = RM_COPY_ENGINES + 1;
        engines->engineList[0] = 1; /* GRAPHICS */
        for (uint32_t i = 0; i < RM_COPY_ENGINES; i++) {
            engines->engineList[1 + i] = RM_ENGINE_COPY0 + i;
        }
        return 0;
    case NV2080_CTRL_CMD_CE_GET_ALL_CAPS:
        for (unsigned i = 0; i < RM_COPY_ENGINES; i++) {
            caps->capsTbl[2 * i] = i < 2 ? 0x0d : 0x0c;      /* CE0 and CE1 are GRCEs */
            caps->capsTbl[2 * i + 1] = i == 2 ? 0x00 : 0x03; /* CE2 has no block-linear */
        }
        caps->present = (1u << RM_COPY_ENGINES) - 1;
        return 0;
    case NV2080_CTRL_CMD_GPU_GET_GID_INFO:
        if (gid->flags != 2 || gid->length != 16) {
            return NV_ERR_INVALID_ARGUMENT;
        }
        memcpy(gid->data, "a GPU of a model", 16);
        return 0;
    case NV2080_CTRL_CMD_TIMER_GET_TIME:
        timer->time_nsec = rm.card.time_ns != NULL ? rm.card.time_ns(NULL) : rm.card.clock_ns;
        return 0;
    case NV2080_CTRL_CMD_MC_GET_ARCH_INFO:
        arch->architecture = 0x180;
        arch->implementation = 0;
        return 0;
    case NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN:
        token->workSubmitToken = RM_RUNLIST << 16 | rm.gpu[o->slot].id;
        gpucmd_store32(rm_find(o->notifier)->cpu + 16 + 8, token->workSubmitToken,
                       GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(rm_find(o->notifier)->cpu + 16 + 12, 0xffff0000u, GPUCMD_LITTLE_ENDIAN);
        return 0;
    default: break;
    }
    for (unsigned i = 0; i < RM_OBJECTS; i++) { /* SCHEDULE of a channel or of all in a group */
        rm_object *const c = &rm.objects[i];
        if (c->handle != 0 && c->class_id == HOPPER_CHANNEL_GPFIFO_A &&
            (c == o || c->parent == o->handle)) {
            const rm_object *const group = rm_find(c->parent);
            const rm_object *const space = group != NULL ? rm_find(group->space) : NULL;
            c->scheduled = schedule->bEnable != 0;
            if (space != NULL && space->external && !c->registered) {
                rm_blame("a channel that UVM does not know was scheduled");
            }
        }
    }
    return 0;
}

static uint32_t rm_control(const NV(NVOS54_PARAMETERS) * c)
{
#define RM_CONTROL(cmd, class_id, type)                                                            \
    {                                                                                              \
        cmd, class_id, sizeof(NV(type))                                                            \
    }
    static const struct {
        uint32_t cmd, class_id;
        size_t len_bytes;
    } rows[] = {
        RM_CONTROL(NV0000_CTRL_CMD_GPU_GET_ID_INFO_V2, NV01_ROOT_CLIENT,
                   NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS),
        RM_CONTROL(NV0080_CTRL_CMD_GPU_GET_CLASSLIST_V2, NV01_DEVICE_0,
                   NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS),
        RM_CONTROL(NV2080_CTRL_CMD_GPU_GET_ENGINES_V2, NV20_SUBDEVICE_0,
                   NV2080_CTRL_GPU_GET_ENGINES_V2_PARAMS),
        RM_CONTROL(NV2080_CTRL_CMD_CE_GET_ALL_CAPS, NV20_SUBDEVICE_0,
                   NV2080_CTRL_CE_GET_ALL_CAPS_PARAMS),
        RM_CONTROL(NV2080_CTRL_CMD_GPU_GET_GID_INFO, NV20_SUBDEVICE_0,
                   NV2080_CTRL_GPU_GET_GID_INFO_PARAMS),
        RM_CONTROL(NV2080_CTRL_CMD_TIMER_GET_TIME, NV20_SUBDEVICE_0,
                   NV2080_CTRL_TIMER_GET_TIME_PARAMS),
        RM_CONTROL(NV2080_CTRL_CMD_MC_GET_ARCH_INFO, NV20_SUBDEVICE_0,
                   NV2080_CTRL_MC_GET_ARCH_INFO_PARAMS),
        RM_CONTROL(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN, HOPPER_CHANNEL_GPFIFO_A,
                   NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS),
        RM_CONTROL(NVA06F_CTRL_CMD_GPFIFO_SCHEDULE, HOPPER_CHANNEL_GPFIFO_A,
                   NVA06F_CTRL_GPFIFO_SCHEDULE_PARAMS),
        RM_CONTROL(NVA06C_CTRL_CMD_GPFIFO_SCHEDULE, KEPLER_CHANNEL_GROUP_A,
                   NVA06C_CTRL_GPFIFO_SCHEDULE_PARAMS),
    };
#undef RM_CONTROL
    rm_object *const o = rm_find(c->hObject);
    if (!rm_is(rm_find(c->hClient), NV01_ROOT_CLIENT)) {
        return NV_ERR_INVALID_CLIENT;
    }
    if (o == NULL) {
        return NV_ERR_OBJECT_NOT_FOUND;
    }
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].cmd == c->cmd) {
            return rows[i].class_id != o->class_id ? NV_ERR_INVALID_ARGUMENT
                   : rows[i].len_bytes != c->paramsSize
                       ? NV_ERR_INVALID_PARAM_STRUCT
                       : rm_answer(c->cmd, o, (void *)(uintptr_t)c->params);
        }
    }
    return NV_ERR_INVALID_ARGUMENT;
}

/* ---- mappings ---- */

static bool rm_overlaps(uint64_t va, uint64_t len_bytes)
{
    for (unsigned i = 0; i < RM_MAPS; i++) {
        const rm_map *const m = &rm.gpu_maps[i];
        if (m->len_bytes != 0 && va < m->va + m->len_bytes && m->va < va + len_bytes) {
            return true;
        }
    }
    return false;
}

static uint32_t rm_map_dma(NV(NVOS46_PARAMETERS) * a)
{
    const rm_object *const memory = rm_find(a->hMemory);
    rm_map *m;
    if (!rm_is(rm_find(a->hClient), NV01_ROOT_CLIENT)) {
        return NV_ERR_INVALID_CLIENT;
    }
    if (!rm_is(rm_find(a->hDevice), NV01_DEVICE_0) ||
        !rm_is(rm_find(a->hDma), NV01_MEMORY_VIRTUAL) || !rm_is_memory(memory)) {
        return NV_ERR_INVALID_OBJECT_HANDLE;
    }
    if (a->length == 0 || a->length > memory->len_bytes || a->offset != 0) {
        return NV_ERR_INVALID_BASE;
    }
    if (a->flags != 0x8110 || a->dmaOffset % RM_PAGE != 0 || rm_overlaps(a->dmaOffset, a->length)) {
        return NV_ERR_INVALID_ARGUMENT;
    }
    m = rm_free_map(rm.gpu_maps);
    if (m == NULL) {
        return NV_ERR_NO_MEMORY;
    }
    m->len_bytes = a->length;
    m->va = a->dmaOffset;
    m->memory = a->hMemory;
    m->ranged = false;
    rm_remap();
    return 0;
}

static rm_map *rm_gpu_map(uint64_t va, bool ranged)
{
    for (unsigned i = 0; i < RM_MAPS; i++) {
        if (rm.gpu_maps[i].len_bytes != 0 && rm.gpu_maps[i].va == va &&
            rm.gpu_maps[i].ranged == ranged) {
            return &rm.gpu_maps[i];
        }
    }
    return NULL;
}

static uint32_t rm_unmap_dma(const NV(NVOS47_PARAMETERS) * a)
{
    rm_map *const m = rm_gpu_map(a->dmaOffset, false);
    const rm_object *const memory = rm_find(a->hMemory);
    if (m == NULL || memory == NULL || m->memory != a->hMemory || a->size != 0) {
        return NV_ERR_INVALID_ARGUMENT;
    }
    if (rm_is_needed(memory)) {
        rm_blame("memory of a live channel was unmapped");
    }
    m->len_bytes = 0;
    rm_remap();
    return 0;
}

static rm_file *rm_file_of(uint32_t fd)
{
    for (unsigned i = 0; i < RM_FILES; i++) {
        if (rm.files[i].node != RM_CLOSED && (uint32_t)rm.files[i].fd == fd) {
            return &rm.files[i];
        }
    }
    return NULL;
}

static uint32_t rm_map_memory(NV(nv_ioctl_nvos33_parameters_with_fd) * a)
{
    const rm_object *const o = rm_find(a->params.hMemory);
    const rm_object *const device = rm_find(a->params.hDevice);
    const bool system = rm_is(o, NV01_MEMORY_SYSTEM);
    rm_file *const f = rm_file_of(a->fd);
    if (!rm_is(rm_find(a->params.hClient), NV01_ROOT_CLIENT)) {
        return NV_ERR_INVALID_CLIENT;
    }
    if (o == NULL || (!rm_is_memory(o) && o->class_id != HOPPER_USERMODE_A) ||
        (!rm_is(device, NV01_DEVICE_0) && !rm_is(device, NV20_SUBDEVICE_0))) {
        return NV_ERR_INVALID_OBJECT_HANDLE;
    }
    if (f == NULL || f->node != (system ? RM_CTL : RM_GPU) || (!system && !f->registered)) {
        return NV_ERR_INVALID_ARGUMENT;
    }
    if (f->used || f->mapping != 0) {
        return NV_ERR_STATE_IN_USE;
    }
    if (a->params.length == 0 || a->params.length > o->len_bytes) {
        return NV_ERR_INVALID_BASE;
    }
    f->mapping = o->handle;
    f->map_bytes = (a->params.length + RM_PAGE - 1) / RM_PAGE * RM_PAGE;
    a->params.pLinearAddress = 0xfeed0000u;
    return 0;
}

/* ---- UVM ---- */

/* Answer a request on f; *status is its rmStatus. */
static void rm_uvm(rm_file *f, uint32_t number, void *arg, uint32_t *status)
{
    NV(UVM_REGISTER_GPU_VASPACE_PARAMS) *const space = arg;
    NV(UVM_REGISTER_CHANNEL_PARAMS) *const channel = arg;
    NV(UVM_UNREGISTER_CHANNEL_PARAMS) *const gone = arg;
    NV(UVM_CREATE_EXTERNAL_RANGE_PARAMS) *const range = arg;
    NV(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) *const map = arg;
    rm_object *o;
    rm_map *m;
    *status = 0;
    if (number == UVM_INITIALIZE || number == UVM_MM_INITIALIZE) {
        f->started = number == UVM_INITIALIZE;
        return;
    }
    if (!f->started || (number != UVM_REGISTER_GPU && !rm.uvm_gpu)) {
        *status = NV_ERR_INVALID_STATE;
        return;
    }
    switch (number) {
    case UVM_REGISTER_GPU: rm.uvm_gpu = true; return;
    case UVM_REGISTER_GPU_VASPACE:
        o = rm_find(space->hVaSpace);
        if (!rm_is(o, FERMI_VASPACE_A) || !o->external || rm.uvm_space != 0) {
            break;
        }
        rm.uvm_space = o->handle;
        return;
    case UVM_UNREGISTER_GPU_VASPACE:
        if (rm.uvm_space == 0) {
            break;
        }
        rm.uvm_space = 0;
        return;
    case UVM_REGISTER_CHANNEL:
        o = rm_find(channel->hChannel);
        if (!rm_is(o, HOPPER_CHANNEL_GPFIFO_A) || o->registered) {
            break;
        }
        o->registered = true;
        return;
    case UVM_UNREGISTER_CHANNEL:
        o = rm_find(gone->hChannel);
        if (!rm_is(o, HOPPER_CHANNEL_GPFIFO_A) || !o->registered) {
            break;
        }
        o->registered = false;
        return;
    case UVM_CREATE_EXTERNAL_RANGE:
        m = rm_free_map(rm.gpu_maps);
        if (m == NULL || range->length == 0 || (range->base | range->length) % RM_PAGE != 0 ||
            rm_overlaps(range->base, range->length)) {
            break;
        }
        m->va = range->base;
        m->len_bytes = range->length;
        m->memory = 0;
        m->ranged = true;
        return;
    case UVM_MAP_EXTERNAL_ALLOCATION:
        m = rm_gpu_map(map->base, true);
        o = rm_find(map->hMemory);
        if (m == NULL || m->len_bytes != map->length || !rm_is_memory(o) ||
            map->length > o->len_bytes || map->offset != 0 || map->gpuAttributesCount != 1 ||
            map->perGpuAttributes[0].gpuMappingType != 1 || rm.uvm_space == 0) {
            break;
        }
        m->memory = o->handle;
        rm_remap();
        return;
    case UVM_FREE:
        m = rm_gpu_map(range->base, true); /* base and length as in UVM_FREE_PARAMS */
        if (m == NULL || m->len_bytes != range->length) {
            break;
        }
        if (m->memory != 0 && rm_find(m->memory) != NULL && rm_is_needed(rm_find(m->memory))) {
            rm_blame("memory of a live channel was unmapped");
        }
        m->len_bytes = 0;
        rm_remap();
        return;
    default: break;
    }
    *status = NV_ERR_INVALID_ARGUMENT;
}

/* Closing the node undoes everything. */
static void rm_uvm_close(void)
{
    rm.uvm_gpu = false;
    rm.uvm_space = 0;
    for (unsigned i = 0; i < RM_OBJECTS; i++) {
        rm.objects[i].registered = false;
    }
    for (unsigned i = 0; i < RM_MAPS; i++) {
        rm.gpu_maps[i].len_bytes = rm.gpu_maps[i].ranged ? 0 : rm.gpu_maps[i].len_bytes;
    }
    rm_remap();
}

/* ---- system calls ---- */

/* Count a call. Return true if it must fail; a request with a status may fail in that. */
static bool rm_fails(const char *name)
{
    if (++rm.calls != rm.fail_at) {
        return false;
    }
    rm.failed_call = name;
    return true;
}

static int rm_open(void *user, const char *path, uint32_t flags)
{
    static const struct {
        const char *path;
        int node;
    } nodes[] = {
        {"/dev/nvidiactl",  RM_CTL},
        {"/dev/nvidia0",    RM_GPU},
        {"/dev/nvidia-uvm", RM_UVM}
    };
    (void)user;
    if (rm_fails("open")) {
        return -(rm.fail_errno != 0 ? rm.fail_errno : GPUCMD_SYS_EACCES);
    }
    if (flags != (GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC)) {
        rm_blame("open without O_RDWR | O_CLOEXEC");
    }
    for (unsigned k = 0; k < sizeof nodes / sizeof nodes[0]; k++) {
        for (int fd = 0; strcmp(path, nodes[k].path) == 0 && fd < RM_FILES; fd++) {
            if (rm.files[fd].node == RM_CLOSED) {
                memset(&rm.files[fd], 0, sizeof rm.files[fd]);
                rm.files[fd].node = nodes[k].node == RM_CTL   ? RM_CTL
                                    : nodes[k].node == RM_GPU ? RM_GPU
                                                              : RM_UVM;
                rm.files[fd].fd = rm.new_fd != NULL ? rm.new_fd() : 3 + fd;
                return rm.files[fd].fd;
            }
        }
    }
    return -GPUCMD_SYS_ENOENT;
}

static int rm_close(void *user, int fd)
{
    rm_file *const f = rm_file_of((uint32_t)fd);
    (void)user;
    if (f == NULL) {
        rm_blame("close of a descriptor that is not open");
        return -GPUCMD_SYS_EBADF;
    }
    if (f == rm.client_file && rm_find(rm.client) != NULL) {
        rm_drop(rm_find(rm.client));
    }
    if (f->started) {
        rm_uvm_close();
    }
    f->node = RM_CLOSED;
    return rm_fails("close") ? -GPUCMD_SYS_EIO : 0;
}

/* Answer a request on the control node or a node of the GPU. */
static int rm_request(rm_file *f, uint32_t number, void *arg)
{
    NV(nv_ioctl_card_info_t) *const cards = arg;
    NV(nv_ioctl_rm_api_version_t) *const version = arg;
    const NV(nv_ioctl_register_fd_t) *const with = arg;
    NV(NVOS00_PARAMETERS) *const gone = arg;
    NV(NVOS21_PARAMETERS) *const object = arg;
    NV(NVOS54_PARAMETERS) *const control = arg;
    NV(nv_ioctl_nvos33_parameters_with_fd) *const map = arg;
    NV(NVOS46_PARAMETERS) *const dma = arg;
    NV(NVOS47_PARAMETERS) *const undma = arg;
    if (number == NV_ESC_REGISTER_FD) {
        const rm_file *const ctl = rm_file_of(with->ctl_fd);
        if (f->node != RM_GPU || f->registered || ctl == NULL || ctl->node != RM_CTL) {
            return -GPUCMD_SYS_EINVAL;
        }
        f->registered = true;
        return 0;
    }
    if (f->node != RM_CTL) {
        return -GPUCMD_SYS_EINVAL;
    }
    switch (number) {
    case NV_ESC_CARD_INFO:
        cards[1].valid = 1; /* entry 0 is empty */
        cards[1].gpu_id = RM_GPU_ID;
        cards[1].pci_info.vendor_id = 0x10de;
        cards[1].minor_number = 0;
        return 0;
    case NV_ESC_CHECK_VERSION_STR:
        if (version->cmd != '2') {
            rm_blame("a version was guessed");
            return -GPUCMD_SYS_EINVAL;
        }
        memcpy(version->versionString, rm.version, strlen(rm.version) + 1);
        return 0;
    case NV_ESC_RM_FREE:
        gone->status = rm_find(gone->hObjectOld) == NULL ? NV_ERR_OBJECT_NOT_FOUND : 0;
        if (gone->status == 0) {
            rm_drop(rm_find(gone->hObjectOld));
        }
        return 0;
    case NV_ESC_RM_ALLOC:
        object->status = rm_alloc(object);
        if (object->status == 0 && object->hClass == NV01_ROOT_CLIENT) {
            rm.client = object->hObjectNew;
            rm.client_file = f;
        }
        return 0;
    case NV_ESC_RM_CONTROL: control->status = rm_control(control); return 0;
    case NV_ESC_RM_MAP_MEMORY: map->params.status = rm_map_memory(map); return 0;
    case NV_ESC_RM_MAP_MEMORY_DMA:
        if (rm.sandboxed) {
            return -GPUCMD_SYS_EINVAL;
        }
        dma->status = rm_map_dma(dma);
        return 0;
    case NV_ESC_RM_UNMAP_MEMORY_DMA: undma->status = rm_unmap_dma(undma); return 0;
    default: return -GPUCMD_SYS_EINVAL;
    }
}

/* Return where the status of a request is; NULL: it has none. */
static uint32_t *rm_status(uint32_t number, void *arg)
{
#define RM_STATUS(request, type, member)                                                           \
    {                                                                                              \
        request, GPUCMD_PRIV_OFFSETOF(NV(type), member)                                            \
    }
    static const struct {
        uint32_t number;
        size_t off_bytes;
    } rows[] = {
        RM_STATUS(NV_ESC_RM_FREE, NVOS00_PARAMETERS, status),
        RM_STATUS(NV_ESC_RM_ALLOC, NVOS21_PARAMETERS, status),
        RM_STATUS(NV_ESC_RM_CONTROL, NVOS54_PARAMETERS, status),
        RM_STATUS(NV_ESC_RM_MAP_MEMORY, nv_ioctl_nvos33_parameters_with_fd, params.status),
        RM_STATUS(NV_ESC_RM_MAP_MEMORY_DMA, NVOS46_PARAMETERS, status),
        RM_STATUS(NV_ESC_RM_UNMAP_MEMORY_DMA, NVOS47_PARAMETERS, status),
        RM_STATUS(UVM_INITIALIZE, UVM_INITIALIZE_PARAMS, rmStatus),
        RM_STATUS(UVM_MM_INITIALIZE, UVM_MM_INITIALIZE_PARAMS, rmStatus),
        RM_STATUS(UVM_REGISTER_GPU, UVM_REGISTER_GPU_PARAMS, rmStatus),
        RM_STATUS(UVM_REGISTER_GPU_VASPACE, UVM_REGISTER_GPU_VASPACE_PARAMS, rmStatus),
        RM_STATUS(UVM_UNREGISTER_GPU_VASPACE, UVM_UNREGISTER_GPU_VASPACE_PARAMS, rmStatus),
        RM_STATUS(UVM_REGISTER_CHANNEL, UVM_REGISTER_CHANNEL_PARAMS, rmStatus),
        RM_STATUS(UVM_UNREGISTER_CHANNEL, UVM_UNREGISTER_CHANNEL_PARAMS, rmStatus),
        RM_STATUS(UVM_CREATE_EXTERNAL_RANGE, UVM_CREATE_EXTERNAL_RANGE_PARAMS, rmStatus),
        RM_STATUS(UVM_MAP_EXTERNAL_ALLOCATION, UVM_MAP_EXTERNAL_ALLOCATION_PARAMS, rmStatus),
        RM_STATUS(UVM_FREE, UVM_FREE_PARAMS, rmStatus),
    };
#undef RM_STATUS
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].number == number) {
            return (uint32_t *)(void *)((uint8_t *)arg + rows[i].off_bytes);
        }
    }
    return NULL;
}

static int rm_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    rm_file *const f = rm_file_of((uint32_t)fd);
    uint32_t *const status = rm_status(number, arg);
    (void)user;
    if (f == NULL) {
        rm_blame("ioctl of a descriptor that is not open");
        return -GPUCMD_SYS_EBADF;
    }
    if (rm_fails("ioctl")) {
        if (rm.fail_errno != 0 || status == NULL) {
            return -(rm.fail_errno != 0 ? rm.fail_errno : GPUCMD_SYS_EINVAL);
        }
        *status = rm.fail_status;
        return 0;
    }
    if (f->node == RM_UVM) {
        if (status == NULL) {
            return -GPUCMD_SYS_EINVAL;
        }
        rm_uvm(f, number, arg, status);
        return 0;
    }
    return rm_request(f, number, arg);
}

static int rm_mmap(void *user, gpucmd_sys_map *map)
{
    rm_file *const f = rm_file_of((uint32_t)map->fd);
    const rm_object *const o = f != NULL ? rm_find(f->mapping) : NULL;
    rm_map *m;
    (void)user;
    if (rm_fails("mmap")) {
        return -(rm.fail_errno != 0 ? rm.fail_errno : GPUCMD_SYS_ENOMEM);
    }
    if (f == NULL || o == NULL || map->off_bytes != 0 || map->flags != GPUCMD_SYS_MAP_SHARED) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (map->len_bytes > f->map_bytes || (f->node == RM_GPU && map->len_bytes != f->map_bytes)) {
        return -GPUCMD_SYS_ENXIO;
    }
    m = rm_free_map(rm.cpu_maps);
    if (m == NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    f->used = true;
    m->cpu = o->cpu;
    m->memory = o->handle;
    m->len_bytes = map->len_bytes;
    map->addr = o->cpu;
    return 0;
}

static int rm_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    for (unsigned i = 0; i < RM_MAPS; i++) {
        rm_map *const m = &rm.cpu_maps[i];
        if (m->len_bytes == len_bytes && m->cpu == addr) {
            const rm_object *const o = rm_find(m->memory);
            if (o != NULL && rm_is_memory(o) && rm_is_needed(o)) {
                rm_blame("memory of a live channel was unmapped from the process");
            }
            m->len_bytes = 0;
            return rm_fails("munmap") ? -GPUCMD_SYS_EINVAL : 0;
        }
    }
    rm_blame("munmap of no mapping");
    return -GPUCMD_SYS_EINVAL;
}

/* Start the model; nothing is open. */
static void rm_init(gpucmd_sys_ops *sys)
{
    memset(&rm, 0, sizeof rm);
    memset(rm_page(), 0, 0x10000);
    rm.version = "580.159.04";
    rm_remap();
    gpucmd_nv_card_init(&rm.card);
    gpucmd_env_init(&rm.env, &rm.mem, NULL, NULL);
    rm.card.clock_ns = 1000000;
    memset(sys, 0, sizeof *sys);
    sys->sys_open = rm_open;
    sys->sys_close = rm_close;
    sys->sys_ioctl = rm_ioctl;
    sys->sys_mmap = rm_mmap;
    sys->sys_munmap = rm_munmap;
}

/* Return the number of things that are open, allocated or mapped. */
static inline unsigned rm_alive(void)
{
    unsigned n = rm_count(NULL) + (rm.uvm_space != 0);
    for (unsigned i = 0; i < RM_FILES; i++) {
        n += rm.files[i].node != RM_CLOSED;
    }
    for (unsigned i = 0; i < RM_MAPS; i++) {
        n += rm.gpu_maps[i].len_bytes != 0;
        n += rm.cpu_maps[i].len_bytes != 0;
    }
    return n;
}

#endif /* GPUCMD_TEST_NV_RM_H */

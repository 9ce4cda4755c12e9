/* Information about the GPU from the i915 driver: parameters and queries. */
#include "i915.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

static const uint64_t mib = (uint64_t)1 << 20;
static const uint64_t gib = (uint64_t)1 << 30;

uint64_t i915_aperture_bytes(void)
{
    const gpucmd_i915_gen gen = i915_gen();
    if (gen < GPUCMD_I915_GEN6) {
        return 256 * mib;
    }
    if (gen < GPUCMD_I915_GEN8) {
        return 2 * gib;
    }
    return 4 * gib;
}

uint64_t i915_address_space_bytes(void)
{
    const gpucmd_i915_gen gen = i915_gen();
    if (gen < GPUCMD_I915_GEN6) {
        return 512 * mib;
    }
    if (gen < GPUCMD_I915_GEN8) {
        return 2 * gib;
    }
    return (uint64_t)1 << 48;
}

typedef struct topology {
    uint32_t subslices; /* 0: the kernel does not report a topology */
    uint32_t eus;       /* per subslice */
} topology;

/* Before gen8 the kernel reports the topology of Haswell only. */
static topology topology_of(gpucmd_i915_gen gen)
{
    static const topology none = {0, 0}, hsw = {2, 10}, gen8 = {3, 8}, gen11 = {8, 8},
                          gen12 = {6, 16}, gen12_5 = {32, 16};
    if (gen < GPUCMD_I915_GEN7_5) {
        return none;
    }
    if (gen < GPUCMD_I915_GEN8) {
        return hsw;
    }
    if (gen < GPUCMD_I915_GEN11) {
        return gen8;
    }
    if (gen < GPUCMD_I915_GEN12) {
        return gen11;
    }
    if (gen < GPUCMD_I915_GEN12_5) {
        return gen12;
    }
    return gen12_5;
}

void i915_topology(uint64_t *subslice_mask, uint16_t *eus)
{
    const topology t = topology_of(i915_gen());
    *subslice_mask = ((uint64_t)1 << t.subslices) - 1;
    *eus = (uint16_t)t.eus;
}

/* ---- parameters: the answers of Linux 6.1, i915_getparam.c ---- */

static bool is_one_of(uint32_t a, uint32_t b, uint32_t c)
{
    return shim.gpu->device == a || shim.gpu->device == b || shim.gpu->device == c;
}

/* Dg1, and gen12.5. */
bool i915_has_local_memory(void)
{
    return i915_gen() == GPUCMD_I915_GEN12_5 || (shim.gpu->device & 0xff00) == 0x4900;
}

int i915_timestamp_hz(void)
{
    const gpucmd_i915_gen gen = i915_gen();
    if (gen < GPUCMD_I915_GEN9) {
        return 12500000;
    }
    if (gen < GPUCMD_I915_GEN12 && shim.gpu->device != 0x5a84) {
        return 12000000;
    }
    return 19200000;
}

/* Baytrail, Cherryview, Broxton, Meteor Lake and discrete cards: no cache that CPU and GPU share. */
bool i915_has_llc(void)
{
    return i915_gen() >= GPUCMD_I915_GEN6 && !is_one_of(0x0f31, 0x22b0, 0x5a84) &&
           i915_gen() < GPUCMD_I915_GEN12_7 && !i915_has_local_memory();
}

/* Fence registers detile an aperture; local memory has none. */
static int fences(gpucmd_i915_gen gen)
{
    if (i915_has_local_memory()) {
        return 0;
    }
    if (gen >= GPUCMD_I915_GEN7 && !is_one_of(0x0f31, 0x22b0, 0)) {
        return 32;
    }
    if (gen >= GPUCMD_I915_GEN4 || is_one_of(0x27a2, 0x29c2, 0xa011)) {
        return 16;
    }
    return 8;
}

/* Bits I915_SCHEDULER_CAP_* that all engines have. GuC submission (gen12.5) has no semaphores. */
static int scheduler(gpucmd_i915_gen gen)
{
    const int all = I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |
                    I915_SCHEDULER_CAP_ENGINE_BUSY_STATS;
    if (gen < GPUCMD_I915_GEN8) {
        return 0;
    }
    if (gen < GPUCMD_I915_GEN9) {
        return all | I915_SCHEDULER_CAP_SEMAPHORES;
    }
    if (gen < GPUCMD_I915_GEN12_5) {
        return all | I915_SCHEDULER_CAP_SEMAPHORES | I915_SCHEDULER_CAP_PREEMPTION;
    }
    return all | I915_SCHEDULER_CAP_PREEMPTION | I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP;
}

/* Engine classes whose contexts start from a saved image. */
static int isolated(gpucmd_i915_gen gen)
{
    int classes = gen >= GPUCMD_I915_GEN4;
    for (uint32_t c = 1; c < 5 && gen >= GPUCMD_I915_GEN8; c++) {
        classes |= (i915_ring_of_class(c) != 0) << c;
    }
    return classes;
}

/* Return a mask with a bit for each of count parts of the topology, or a negative errno. */
static int topology_mask(gpucmd_i915_gen gen, uint32_t subslices, uint32_t count)
{
    if (gen >= GPUCMD_I915_GEN12_5) {
        return -EINVAL;
    }
    return subslices != 0 ? (1 << count) - 1 : -ENODEV;
}

/* Return a value of 0 or more, or a negative errno. */
static int parameter(int param, gpucmd_i915_gen gen)
{
    const topology t = topology_of(gen);
    switch (param) {
    case I915_PARAM_IRQ_ACTIVE:
    case I915_PARAM_ALLOW_BATCHBUFFER:
    case I915_PARAM_LAST_DISPATCH:
    case I915_PARAM_HAS_EXEC_CONSTANTS: return -ENODEV;
    case I915_PARAM_CHIPSET_ID: return (int)shim.gpu->device;
    case I915_PARAM_REVISION: return gen < GPUCMD_I915_GEN12 ? 2 : 4;
    case I915_PARAM_NUM_FENCES_AVAIL: return fences(gen);
    case I915_PARAM_HAS_BSD: return i915_ring_of_class(I915_ENGINE_CLASS_VIDEO) != 0;
    case I915_PARAM_HAS_BLT: return i915_ring_of_class(I915_ENGINE_CLASS_COPY) != 0;
    case I915_PARAM_HAS_VEBOX: return i915_ring_of_class(I915_ENGINE_CLASS_VIDEO_ENHANCE) != 0;
    case I915_PARAM_HAS_LLC: return i915_has_llc();
    case I915_PARAM_HAS_ALIASING_PPGTT:
        if (gen < GPUCMD_I915_GEN6) {
            return I915_GEM_PPGTT_NONE;
        }
        return gen < GPUCMD_I915_GEN8 ? I915_GEM_PPGTT_ALIASING : I915_GEM_PPGTT_FULL;
    case I915_PARAM_HAS_SEMAPHORES:
        return (scheduler(gen) & (int)I915_SCHEDULER_CAP_SEMAPHORES) != 0;
    case I915_PARAM_CMD_PARSER_VERSION:
        return gen == GPUCMD_I915_GEN7 || gen == GPUCMD_I915_GEN7_5 || gen == GPUCMD_I915_GEN9 ? 10
                                                                                               : 0;
    case I915_PARAM_SUBSLICE_TOTAL: return t.subslices != 0 ? (int)t.subslices : -ENODEV;
    case I915_PARAM_EU_TOTAL: return t.subslices != 0 ? (int)(t.subslices * t.eus) : -ENODEV;
    case I915_PARAM_SLICE_MASK: return topology_mask(gen, t.subslices, 1);
    case I915_PARAM_SUBSLICE_MASK: return topology_mask(gen, t.subslices, t.subslices);
    case I915_PARAM_HAS_GPU_RESET: return gen < GPUCMD_I915_GEN7 ? 1 : 2;
    case I915_PARAM_HAS_POOLED_EU: return shim.gpu->device == 0x5a84;
    case I915_PARAM_HUC_STATUS: /* Skylake to Rocket Lake: off by default */
        if (gen < GPUCMD_I915_GEN9) {
            return -ENODEV;
        }
        return gen < GPUCMD_I915_GEN12 || is_one_of(0x9a49, 0x4c8a, 0) ? -EOPNOTSUPP : 0;
    case I915_PARAM_HAS_SECURE_BATCHES: return gen < GPUCMD_I915_GEN6 && geteuid() == 0;
    case I915_PARAM_MMAP_GTT_VERSION: return 4;
    case I915_PARAM_HAS_SCHEDULER: return scheduler(gen);
    case I915_PARAM_HAS_CONTEXT_ISOLATION: return isolated(gen);
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY: return i915_timestamp_hz();
    case I915_PARAM_MMAP_GTT_COHERENT:
        return gen < GPUCMD_I915_GEN11 && !is_one_of(0x0f31, 0x22b0, 0x5a84);
    case I915_PARAM_PERF_REVISION: return 5;
    default: return -EINVAL;
    }
}

/* Return whether the value of the parameter is the same on all GPUs. */
static bool is_constant(int param, int *value)
{
    static const uint8_t zeros[] = {I915_PARAM_HAS_OVERLAY, I915_PARAM_HAS_BSD2,
                                    I915_PARAM_HAS_RESOURCE_STREAMER, I915_PARAM_HAS_WT,
                                    I915_PARAM_MIN_EU_IN_POOL};
    static const uint8_t ones[] = {
        I915_PARAM_MMAP_VERSION,          I915_PARAM_HAS_GEM,
        I915_PARAM_HAS_PAGEFLIPPING,      I915_PARAM_HAS_EXECBUF2,
        I915_PARAM_HAS_RELAXED_FENCING,   I915_PARAM_HAS_COHERENT_RINGS,
        I915_PARAM_HAS_RELAXED_DELTA,     I915_PARAM_HAS_GEN7_SOL_RESET,
        I915_PARAM_HAS_WAIT_TIMEOUT,      I915_PARAM_HAS_PRIME_VMAP_FLUSH,
        I915_PARAM_HAS_PINNED_BATCHES,    I915_PARAM_HAS_EXEC_NO_RELOC,
        I915_PARAM_HAS_EXEC_HANDLE_LUT,   I915_PARAM_HAS_COHERENT_PHYS_GTT,
        I915_PARAM_HAS_EXEC_SOFTPIN,      I915_PARAM_HAS_EXEC_ASYNC,
        I915_PARAM_HAS_EXEC_FENCE,        I915_PARAM_HAS_EXEC_CAPTURE,
        I915_PARAM_HAS_EXEC_BATCH_FIRST,  I915_PARAM_HAS_EXEC_FENCE_ARRAY,
        I915_PARAM_HAS_EXEC_SUBMIT_FENCE, I915_PARAM_HAS_EXEC_TIMELINE_FENCES,
        I915_PARAM_HAS_USERPTR_PROBE};
    *value = memchr(ones, param, sizeof ones) != NULL;
    return param >= 0 && param < 256 && (*value != 0 || memchr(zeros, param, sizeof zeros) != NULL);
}

int i915_getparam(int param, int *value)
{
    char word[24];
    int answer;
    snprintf(word, sizeof word, "getparam%d", param);
    if (shim_is_off(word)) {
        return -EINVAL;
    }
    if (!is_constant(param, &answer)) {
        answer = parameter(param, i915_gen());
    }
    if (answer < 0) {
        return answer;
    }
    *value = answer;
    return 0;
}

/* ---- queries ---- */

/* Return the size of the answer in bytes, or a negative errno. Write the answer to data if cap is
 * large enough. */
static int32_t query_topology(gpucmd_i915_gen gen, uint8_t *data, int32_t cap)
{
    const topology t = topology_of(gen);
    const uint32_t mask_bytes = (t.subslices + 7) / 8;
    const uint32_t eu_bytes = (t.eus + 7) / 8;
    const uint32_t bytes = (uint32_t)sizeof(struct drm_i915_query_topology_info) + 1 + mask_bytes +
                           t.subslices * eu_bytes;
    struct drm_i915_query_topology_info info;
    if (t.subslices == 0) {
        return -ENODEV;
    }
    if (cap == 0) {
        return (int32_t)bytes;
    }
    if (cap < (int32_t)bytes) {
        return -EINVAL;
    }
    memset(&info, 0, sizeof info);
    info.max_slices = 1;
    info.max_subslices = (uint16_t)t.subslices;
    info.max_eus_per_subslice = (uint16_t)t.eus;
    info.subslice_offset = 1;
    info.subslice_stride = (uint16_t)mask_bytes;
    info.eu_offset = (uint16_t)(1 + mask_bytes);
    info.eu_stride = (uint16_t)eu_bytes;
    memcpy(data, &info, sizeof info);
    data += sizeof info;
    data[0] = 1;
    for (uint32_t i = 0; i < t.subslices; i++) {
        data[1 + i / 8] = (uint8_t)((i % 8 == 0 ? 0 : data[1 + i / 8]) | 1u << i % 8);
    }
    for (uint32_t i = 0; i < t.subslices * eu_bytes; i++) {
        const uint32_t left = t.eus - 8 * (i % eu_bytes);
        data[1 + mask_bytes + i] = (uint8_t)(left < 8 ? (1u << left) - 1 : 0xff);
    }
    return (int32_t)bytes;
}

/* Return the capabilities of an engine class. Gen9 and later have HEVC and a scaler. */
static uint64_t engine_capabilities(uint32_t engine_class)
{
    if (i915_gen() < GPUCMD_I915_GEN9) {
        return 0;
    }
    switch (engine_class) {
    case I915_ENGINE_CLASS_VIDEO:
        return I915_VIDEO_CLASS_CAPABILITY_HEVC | I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC;
    case I915_ENGINE_CLASS_VIDEO_ENHANCE: return I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC;
    default: return 0;
    }
}

/* Return whether the first bytes of an answer, which the client must clear, are 0. */
static bool is_clear(const uint8_t *data, size_t bytes)
{
    while (bytes > 0 && data[bytes - 1] == 0) {
        bytes--;
    }
    return bytes == 0;
}

static int32_t query_engines(uint8_t *data, int32_t cap)
{
    struct drm_i915_query_engine_info head;
    uint32_t count = 0;
    int32_t bytes;
    for (uint32_t engine_class = 0; engine_class < 5; engine_class++) {
        count += i915_ring_of_class(engine_class) != 0;
    }
    bytes = (int32_t)(sizeof head + count * sizeof(struct drm_i915_engine_info));
    if (cap == 0) {
        return bytes;
    }
    if (cap < bytes || !is_clear(data, sizeof head)) {
        return -EINVAL;
    }
    memset(&head, 0, sizeof head);
    head.num_engines = count;
    memcpy(data, &head, sizeof head);
    data += sizeof head;
    for (uint32_t engine_class = 0; engine_class < 5; engine_class++) {
        struct drm_i915_engine_info info;
        if (i915_ring_of_class(engine_class) != 0) {
            memset(&info, 0, sizeof info);
            info.engine.engine_class = (uint16_t)engine_class;
            info.flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
            info.capabilities = engine_capabilities(engine_class);
            memcpy(data, &info, sizeof info);
            data += sizeof info;
        }
    }
    return bytes;
}

/* System memory, and the local memory of a discrete card, all of which the CPU can access. */
static int32_t query_regions(uint8_t *data, int32_t cap)
{
    const uint32_t count = i915_has_local_memory() ? 2 : 1;
    struct drm_i915_query_memory_regions head;
    const int32_t bytes =
        (int32_t)(sizeof head + count * sizeof(struct drm_i915_memory_region_info));
    if (cap == 0) {
        return bytes;
    }
    if (cap < bytes || !is_clear(data, sizeof head)) {
        return -EINVAL;
    }
    memset(&head, 0, sizeof head);
    head.num_regions = count;
    memcpy(data, &head, sizeof head);
    data += sizeof head;
    for (uint32_t i = 0; i < count; i++) {
        struct drm_i915_memory_region_info info;
        memset(&info, 0, sizeof info);
        info.region.memory_class = (uint16_t)i;
        if (i == 0) {
            info.probed_size = 16 * gib;
        } else {
            info.probed_size = I915_LOCAL_BYTES;
        }
        info.unallocated_size = info.probed_size;
        info.probed_cpu_visible_size = info.probed_size;
        info.unallocated_cpu_visible_size = info.probed_size;
        memcpy(data, &info, sizeof info);
        data += sizeof info;
    }
    return bytes;
}

/* Answer one item, whose pointers and flags are checked. Return the length for it. */
static int32_t query_item(uint64_t id, uint8_t *data, int32_t length)
{
    const gpucmd_i915_gen gen = i915_gen();
    switch (id) {
    case DRM_I915_QUERY_GEOMETRY_SUBSLICES: /* flags: class and instance: render */
        if (gen < GPUCMD_I915_GEN12_5) {
            return -ENODEV;
        }
        return query_topology(gen, data, length);
    case DRM_I915_QUERY_TOPOLOGY_INFO: return query_topology(gen, data, length);
    case DRM_I915_QUERY_ENGINE_INFO: return query_engines(data, length);
    case DRM_I915_QUERY_MEMORY_REGIONS: return query_regions(data, length);
    }
    return -EINVAL; /* performance counters and the hardware table are not emulated */
}

int i915_query(void *arg)
{
    const struct drm_i915_query *q = arg;
    struct drm_i915_query_item *items = (struct drm_i915_query_item *)(uintptr_t)q->items_ptr;
    if (q->flags != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < q->num_items; i++) {
        struct drm_i915_query_item *item = &items[i];
        int32_t needed;
        if (!shim_is_mapped((uintptr_t)item, sizeof *item)) {
            return -EFAULT;
        }
        needed = query_item(item->query_id, NULL, 0);
        if (item->flags != 0 &&
            (item->query_id != DRM_I915_QUERY_GEOMETRY_SUBSLICES || needed >= 0)) {
            needed = -EINVAL;
        }
        if (item->length == 0 || needed < 0) {
            item->length = needed;
        } else if (item->length >= needed && !shim_is_mapped(item->data_ptr, (uint64_t)needed)) {
            item->length = -EFAULT;
        } else {
            item->length =
                query_item(item->query_id, (uint8_t *)(uintptr_t)item->data_ptr, item->length);
        }
    }
    return 0;
}

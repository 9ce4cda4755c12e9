/* Information about the GPU from the i915 driver: parameters and queries. */
#include "i915.h"

#include <errno.h>
#include <string.h>

#include <libdrm/i915_drm.h>

static const uint64_t mib = (uint64_t)1 << 20;
static const uint64_t gib = (uint64_t)1 << 30;

uint64_t i915_aperture_bytes(void)
{
    const gpucmd_i915_gen gen = i915_gen();
    return gen < GPUCMD_I915_GEN6 ? 256 * mib : gen < GPUCMD_I915_GEN8 ? 2 * gib : 4 * gib;
}

uint64_t i915_address_space_bytes(void)
{
    const gpucmd_i915_gen gen = i915_gen();
    return gen < GPUCMD_I915_GEN6   ? 512 * mib
           : gen < GPUCMD_I915_GEN8 ? 2 * gib
                                    : (uint64_t)1 << 48;
}

typedef struct topology {
    uint32_t subslices;
    uint32_t eus; /* per subslice */
} topology;

static topology topology_of(gpucmd_i915_gen gen)
{
    const topology t = {gen < GPUCMD_I915_GEN11     ? 3
                        : gen < GPUCMD_I915_GEN12   ? 8
                        : gen < GPUCMD_I915_GEN12_5 ? 6
                                                    : 32,
                        gen < GPUCMD_I915_GEN12 ? 8 : 16};
    return t;
}

/* ---- parameters ---- */

/* Return the value of a parameter that is a number, not a flag. -1: any other parameter. */
static int amount(int param, gpucmd_i915_gen gen)
{
    const topology t = topology_of(gen);
    switch (param) {
    case I915_PARAM_CHIPSET_ID: return (int)shim.gpu->device;
    case I915_PARAM_NUM_FENCES_AVAIL: return gen < GPUCMD_I915_GEN7 ? 16 : 32;
    case I915_PARAM_HAS_ALIASING_PPGTT:
        return gen < GPUCMD_I915_GEN6 ? 0 : gen < GPUCMD_I915_GEN8 ? 1 : 3;
    case I915_PARAM_CMD_PARSER_VERSION:
        return gen == GPUCMD_I915_GEN7 || gen == GPUCMD_I915_GEN7_5 ? 10 : 0;
    case I915_PARAM_MMAP_VERSION: return 1;
    case I915_PARAM_REVISION: return gen < GPUCMD_I915_GEN12 ? 2 : 4;
    case I915_PARAM_SUBSLICE_TOTAL: return (int)t.subslices;
    case I915_PARAM_EU_TOTAL: return (int)(t.subslices * t.eus);
    case I915_PARAM_MMAP_GTT_VERSION: return 4;
    case I915_PARAM_HAS_SCHEDULER: return gen < GPUCMD_I915_GEN8 ? 0 : 7;
    case I915_PARAM_SLICE_MASK: return 1;
    case I915_PARAM_SUBSLICE_MASK: return (int)((1ull << t.subslices) - 1);
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        return gen < GPUCMD_I915_GEN9 ? 12500000 : gen < GPUCMD_I915_GEN12 ? 12000000 : 19200000;
    case I915_PARAM_PERF_REVISION: return 5;
    default: return -1;
    }
}

/* Return the first generation that has a feature; 255: no generation; 0: unknown parameter. */
static int since(int param)
{
    switch (param) {
    case I915_PARAM_HAS_BSD: return GPUCMD_I915_GEN4_5;
    case I915_PARAM_HAS_BLT:
    case I915_PARAM_HAS_LLC:
    case I915_PARAM_HAS_SEMAPHORES: return GPUCMD_I915_GEN6;
    case I915_PARAM_HAS_VEBOX: return GPUCMD_I915_GEN7_5;
    case I915_PARAM_HAS_EXEC_SOFTPIN:
    case I915_PARAM_HAS_CONTEXT_ISOLATION: return GPUCMD_I915_GEN8;
    case I915_PARAM_HAS_OVERLAY:
    case I915_PARAM_HAS_WT:
    case I915_PARAM_HAS_BSD2:
    case I915_PARAM_HAS_RESOURCE_STREAMER:
    case I915_PARAM_HAS_POOLED_EU:
    case I915_PARAM_MIN_EU_IN_POOL:
    case I915_PARAM_HUC_STATUS: return 255;
    case I915_PARAM_HAS_GEM:
    case I915_PARAM_HAS_PAGEFLIPPING:
    case I915_PARAM_HAS_EXECBUF2:
    case I915_PARAM_HAS_RELAXED_FENCING:
    case I915_PARAM_HAS_COHERENT_RINGS:
    case I915_PARAM_HAS_EXEC_CONSTANTS:
    case I915_PARAM_HAS_RELAXED_DELTA:
    case I915_PARAM_HAS_WAIT_TIMEOUT:
    case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
    case I915_PARAM_HAS_SECURE_BATCHES:
    case I915_PARAM_HAS_EXEC_NO_RELOC:
    case I915_PARAM_HAS_EXEC_HANDLE_LUT:
    case I915_PARAM_HAS_GPU_RESET:
    case I915_PARAM_HAS_EXEC_ASYNC:
    case I915_PARAM_HAS_EXEC_FENCE:
    case I915_PARAM_HAS_EXEC_CAPTURE:
    case I915_PARAM_HAS_EXEC_BATCH_FIRST:
    case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
    case I915_PARAM_MMAP_GTT_COHERENT:
    case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
    case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
    case I915_PARAM_HAS_USERPTR_PROBE: return 1;
    default: return 0;
    }
}

int i915_getparam(int param, int *value)
{
    const gpucmd_i915_gen gen = i915_gen();
    char word[24];
    snprintf(word, sizeof word, "getparam%d", param);
    if (shim_is_off(word)) {
        return -EINVAL;
    }
    if (param == I915_PARAM_HAS_GEN7_SOL_RESET) {
        *value = gen == GPUCMD_I915_GEN7 || gen == GPUCMD_I915_GEN7_5;
        return 0;
    }
    if (gen < GPUCMD_I915_GEN8 &&
        (param == I915_PARAM_SUBSLICE_TOTAL || param == I915_PARAM_EU_TOTAL ||
         param == I915_PARAM_SLICE_MASK || param == I915_PARAM_SUBSLICE_MASK)) {
        return -ENODEV;
    }
    *value = amount(param, gen);
    if (*value < 0) {
        const int first = since(param);
        *value = (int)gen >= first;
        return first != 0 ? 0 : -EINVAL;
    }
    return 0;
}

/* ---- queries ---- */

/* Return the size of the answer in bytes, or a negative errno. Write the answer to data if cap is
 * large enough. */
static int32_t query_topology(gpucmd_i915_gen gen, uint8_t *data, int32_t cap)
{
    const topology t = topology_of(gen);
    const uint32_t mask_bytes = (t.subslices + 7) / 8;
    const uint32_t eu_bytes = t.eus / 8;
    const uint32_t bytes = (uint32_t)sizeof(struct drm_i915_query_topology_info) + 1 + mask_bytes +
                           t.subslices * eu_bytes;
    struct drm_i915_query_topology_info info;
    if (gen < GPUCMD_I915_GEN8) {
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
    memset(data + 1 + mask_bytes, 0xff, (size_t)t.subslices * eu_bytes);
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
    if (cap < bytes) {
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
            info.capabilities = engine_capabilities(engine_class);
            memcpy(data, &info, sizeof info);
            data += sizeof info;
        }
    }
    return bytes;
}

/* Return whether the card is discrete: dg1, and gen12.5. */
static bool has_local_memory(void)
{
    return i915_gen() >= GPUCMD_I915_GEN12_5 || (shim.gpu->device & 0xff00) == 0x4900;
}

/* System memory, and the local memory of a discrete card, all of which the CPU can access. */
static int32_t query_regions(uint8_t *data, int32_t cap)
{
    const uint32_t count = has_local_memory() ? 2 : 1;
    struct drm_i915_query_memory_regions head;
    const int32_t bytes =
        (int32_t)(sizeof head + count * sizeof(struct drm_i915_memory_region_info));
    if (cap == 0) {
        return bytes;
    }
    if (cap < bytes) {
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
        info.probed_size = i == 0 ? 16 * gib : 8 * gib;
        info.unallocated_size = info.probed_size;
        if (i == 1) {
            info.probed_cpu_visible_size = info.probed_size;
            info.unallocated_cpu_visible_size = info.probed_size;
        }
        memcpy(data, &info, sizeof info);
        data += sizeof info;
    }
    return bytes;
}

int i915_query(void *arg)
{
    const struct drm_i915_query *q = arg;
    struct drm_i915_query_item *items = (struct drm_i915_query_item *)(uintptr_t)q->items_ptr;
    const gpucmd_i915_gen gen = i915_gen();
    if (q->flags != 0) {
        return -EINVAL;
    }
    for (uint32_t i = 0; i < q->num_items; i++) {
        struct drm_i915_query_item *item = &items[i];
        uint8_t *data = (uint8_t *)(uintptr_t)item->data_ptr;
        switch (item->query_id) {
        case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
        case DRM_I915_QUERY_TOPOLOGY_INFO:
            item->length = query_topology(gen, data, item->length);
            break;
        case DRM_I915_QUERY_ENGINE_INFO: item->length = query_engines(data, item->length); break;
        case DRM_I915_QUERY_MEMORY_REGIONS: item->length = query_regions(data, item->length); break;
        default:
            item->length = -EINVAL;
            break; /* performance counters and the hardware table are not emulated */
        }
    }
    return 0;
}

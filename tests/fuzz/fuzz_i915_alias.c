/* fuzz_i915_alias.c - the model kernel with its store, and a process whose memory is the memory of
 * its objects: each copy may overlap itself, each store may change an argument.
 *   byte 0  generation; bit 7: the memory changes while a call reads it    byte 1  words of memory
 *   then    that many words, then calls of 4 bytes and their arguments
 * No call accesses other memory or hangs. Objects stay in the memory. */
#include "gpucmd_i915.h"

#include "fuzz.h"

enum { USER_VA = 0x10000, RAM_BYTES = 0x6000 };

static const gpucmd_i915_gen gens[] = {
    GPUCMD_I915_GEN3, GPUCMD_I915_GEN4, GPUCMD_I915_GEN6,  GPUCMD_I915_GEN7,
    GPUCMD_I915_GEN8, GPUCMD_I915_GEN9, GPUCMD_I915_GEN12,
};

static const uint32_t requests[] = {
    GPUCMD_DRM_IOCTL_GEM_CLOSE,
    GPUCMD_DRM_IOCTL_I915_GEM_BUSY,
    GPUCMD_DRM_IOCTL_I915_GEM_CREATE,
    GPUCMD_DRM_IOCTL_I915_GEM_PREAD,
    GPUCMD_DRM_IOCTL_I915_GEM_PWRITE,
    GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN,
    GPUCMD_DRM_IOCTL_I915_GEM_WAIT,
    GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
    GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
};

static gpucmd_i915_kernel_store store;
static gpucmd_i915_kernel k;
static uint64_t space[RAM_BYTES / 8 + 512];

/* Store a value of a kind that arguments have: an address in this memory, a size, a handle. */
static void argument(uint8_t *at, input *in, size_t bytes)
{
    const uint32_t kind = take(in, 1);
    const uint64_t v = kind % 4 == 0   ? take(in, 1)
                       : kind % 4 == 1 ? USER_VA + (uint64_t)take(in, 2) % RAM_BYTES
                       : kind % 4 == 2 ? (uint64_t)take(in, 1) * 256
                                       : take(in, 4);
    if (bytes == 8) {
        gpucmd_store64(at, v, gpucmd_cpu_endian());
    } else {
        gpucmd_store32(at, (uint32_t)v, gpucmd_cpu_endian());
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    uint8_t *const ram = (uint8_t *)space + (4096 - (uintptr_t)space % 4096) % 4096;
    const gpucmd_region region = {USER_VA, RAM_BYTES, ram,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    if (size < 8 || size > 4096) {
        return 0;
    }
    const uint32_t first = take(&in, 1), words = take(&in, 1);
    memset(space, 0, sizeof space);
    memset(&store, 0, sizeof store);
    for (uint32_t i = 0; i < words; i++) {
        gpucmd_store32(ram + 4 * i, take(&in, 4), GPUCMD_LITTLE_ENDIAN);
    }
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    must(gpucmd_i915_kernel_init_store(&k, gens[first % 7], &mem, &store, ram, RAM_BYTES) ==
         GPUCMD_OK);
    flips_clear();
    flips_add(ram, RAM_BYTES);
    for (int calls = 0; calls < 60 && in.size != 0; calls++) {
        const uint32_t request = requests[take(&in, 1) % (sizeof requests / sizeof requests[0])];
        const uint32_t at = take(&in, 2) % (RAM_BYTES - 128) & ~3u, fields = take(&in, 1);
        for (uint32_t i = 0; i < 7; i++) { /* of 8 bytes, or two of 4 */
            const size_t bytes = i < 2 && fields >> 7 != 0 ? 4 : 8;
            if ((fields >> i & 1) != 0) {
                argument(ram + at + bytes * i, &in, bytes);
            }
        }
        if (first >= 128) {
            flips_arm(at * 0x9e3779b1u);
        }
        const int result = gpucmd_i915_kernel_ioctl(&k, request, USER_VA + at);
        (void)flips_disarm(); /* arrays may overlap, so a second read is not an error */
        must(result <= 0 && result > -200);
        for (uint32_t i = 0; i < k.object_count; i++) {
            const gpucmd_i915_object *o = &store.objects[i];
            must(o->handle == 0 || ((uint8_t *)o->host >= ram && o->bytes <= RAM_BYTES &&
                                    (uint8_t *)o->host + o->bytes <= ram + RAM_BYTES));
        }
    }
    return 0;
}

#define FUZZ_NAME "fuzz_i915_alias"
#include "fuzz_main.h"

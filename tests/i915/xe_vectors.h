/* i915/xe_vectors.h - a model kernel of xe whose ioctls are given as words, in the notation of the
 * fact sheet: 32-bit numbers in hexadecimal, 0*5 is five zeros. The memory of the process is 0x8000
 * bytes at 0x7f0000000000. */
#ifndef I915_XE_VECTORS_H
#define I915_XE_VECTORS_H

#include "test.h"

#define USER_VA 0x7f0000000000u
#define CPU_VA  0x7f1000000000u /* of the memory of objects */
enum { USER_BYTES = 0x8000, RAM_BYTES = 0x100000, ARG = 0x7000 };

static gpucmd_xe_kernel k;
static gpucmd_xe_kernel_store store;
static uint64_t user_words[USER_BYTES / 8];
static uint8_t ram_bytes[RAM_BYTES + 4096];
static uint8_t *ram;
static gpucmd_region user_regions[2];
static gpucmd_mem user_mem;

/* Write the words of a text to out, and return their number. */
static uint32_t words_of(const char *text, uint32_t *out)
{
    uint32_t n = 0;
    while (*text != '\0') {
        uint32_t value = 0, times = 1;
        for (; *text != ' ' && *text != '*' && *text != '\0'; text++) {
            const uint32_t digit = (uint32_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
            value = value << 4 | digit;
        }
        if (*text == '*') {
            for (times = 0, text++; *text >= '0' && *text <= '9'; text++) {
                times = 10 * times + (uint32_t)(*text - '0');
            }
        }
        while (times-- > 0) {
            out[n++] = value;
        }
        text += *text == ' ';
    }
    return n;
}

static uint8_t *user_at(uint32_t off_bytes)
{
    return (uint8_t *)user_words + off_bytes;
}

/* Write words to the memory of the process at 0x7f0000000000 + off_bytes. */
static void put(uint32_t off_bytes, const char *text)
{
    uint32_t words[64];
    memcpy(user_at(off_bytes), words, 4 * words_of(text, words));
}

static inline void put64(uint32_t off_bytes, uint64_t value)
{
    memcpy(user_at(off_bytes), &value, 8);
}

/* Expect words in the memory of the process. */
static void has(uint32_t off_bytes, const char *text, int line)
{
    uint32_t words[64], i, got;
    const uint32_t n = words_of(text, words);
    for (i = 0; i < n; i++) {
        memcpy(&got, user_at(off_bytes + 4 * i), 4);
        if (!test_equal(got, words[i], __FILE__, line, text)) {
            printf("    word %u of \"%s\"\n", i, text);
        }
    }
}
#define HAS(off_bytes, text) has((off_bytes), (text), __LINE__)

/* Call an ioctl with these words. Return a positive errno, or 0. */
static int xe(uint32_t request, const char *text)
{
    put(ARG, text);
    return -gpucmd_xe_kernel_ioctl(&k, request, USER_VA + ARG);
}
#define OUT(text) has(ARG, (text), __LINE__)
#define XE(name)  GPUCMD_DRM_IOCTL_XE_##name

static void start(gpucmd_xe_platform platform, uint32_t revision)
{
    static bool used;
    gpucmd_xe_device device;
    memset(user_words, 0, sizeof user_words);
    if (!used) { /* later the tables have the rows of the world before */
        memset(&store, 0xa5, sizeof store);
        used = true;
    }
    ram = ram_bytes + (4096 - ((uintptr_t)ram_bytes & 4095)) % 4096;
    user_regions[0].va = USER_VA;
    user_regions[0].bytes = USER_BYTES;
    user_regions[0].host = user_words;
    user_regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    user_regions[1] = user_regions[0];
    user_regions[1].va = CPU_VA;
    user_regions[1].bytes = RAM_BYTES;
    user_regions[1].host = ram;
    EQUAL(gpucmd_mem_init(&user_mem, user_regions, 2), GPUCMD_OK);
    EQUAL(gpucmd_xe_device_init(&device, platform), GPUCMD_OK);
    device.revision = revision;
    EQUAL(gpucmd_xe_kernel_init_store(&k, &device, &user_mem, &store, ram, RAM_BYTES), GPUCMD_OK);
    k.has_nice = true;
}

/* The objects of the vectors 25 and 29: VM 1 with scratch, object 1 of 64 KiB. */
static inline void vm_and_object(void)
{
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    OUT("0*2 1*2 0*4");
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 1 0*5"), 0);
    OUT("0*2 10000 0 1 0 1*3 0*5");
}

/* Vector 41: object 1 at 0x1a0000 with a user fence, which becomes 1. */
#define BIND_41 "0*2 1 0*2 1 0*2 1*2 0*2 10000 0 1a0000 0*12 1 3000 7f00 0*4"
#define SYNC_41 "0*2 2 1 5000 7f00 1 0*5"
static inline void bind_object(void)
{
    put(0x3000, SYNC_41);
    EQUAL(xe(XE(VM_BIND), BIND_41), 0);
    HAS(0x5000, "1 0");
    put(0x5000, "0*2");
}

static inline uint32_t syncobj(void)
{
    uint32_t handle = 0;
    EQUAL(gpucmd_syncobj_create(&k.syncobjs, 0, &handle), 0);
    return handle;
}

/* Return true if the newest fence of a sync object has signalled; its error goes to *error. */
static inline bool signalled(uint32_t handle, int32_t *error)
{
    uint32_t fence = 0;
    if (gpucmd_syncobj_find(&k.syncobjs, handle, 0, &fence) != 0 ||
        !gpucmd_fence_signalled(&k.fences, fence)) {
        return false;
    }
    *error = k.fences.rows[fence - 1].error;
    return true;
}

/* The notation has 64-bit members as two words, the lower one first. Return true on a CPU whose
 * structures have them the other way: nothing can be tested there. */
static inline bool is_other_cpu(void)
{
    const bool other = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN;
    CHECK(!other || sizeof(void *) >= 4);
    return other;
}

#endif /* I915_XE_VECTORS_H */

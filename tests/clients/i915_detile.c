/* GTT mappings of tiled objects, gen4 and later. A fence register of the card detiles what the CPU
 * reads and writes there. Here such a mapping is a linear copy of the object. The two are made
 * equal whenever an ioctl names the object, and when work on it ends. */
#include "i915.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

enum { PAGE = 4096 };

/* A linear copy of an object. It is valid until the process ends. */
typedef struct linear {
    struct linear *next;
    uint32_t row;       /* of the storage */
    uint64_t off_bytes; /* of the storage, which is never used again */
    uint64_t bytes;
    int fd;
    uint8_t *copy; /* the program maps the same memory */
    uint8_t *base; /* the contents when copy and object were equal */
} linear;

static linear *all;

static linear *find(const shim_storage *s)
{
    linear *l = all;
    while (l != NULL && (l->row != s->row || l->off_bytes != s->off_bytes)) {
        l = l->next;
    }
    return l;
}

/* Return the offset in the tiled object of the byte at offset at of the linear copy. */
static uint64_t tiled(uint64_t at, uint32_t mode, uint32_t stride)
{
    const uint64_t y = at / stride, x = at % stride;
    return mode == I915_TILING_X ? (y / 8 * (stride / 512) + x / 512) * PAGE + y % 8 * 512 + x % 512
                                 : (y / 32 * (stride / 128) + x / 128) * PAGE + x % 128 / 16 * 512 +
                                       y % 32 * 16 + x % 16;
}

/* Make the copy and the object equal, in pieces that are contiguous in both. What the CPU has
 * changed in the copy goes to the object. */
static void equalise(const linear *l, uint8_t *host, uint32_t mode, uint32_t stride)
{
    const uint64_t rows = mode == I915_TILING_X ? 8 : 32;
    const uint64_t piece = mode == I915_TILING_X ? 512 : 16;
    const uint64_t whole = l->bytes / (stride * rows) * (stride * rows);
    for (uint64_t at = 0; at < whole; at += piece) {
        uint8_t *object = host + tiled(at, mode, stride);
        if (memcmp(l->copy + at, l->base + at, piece) != 0) {
            for (uint64_t i = 0; i < piece; i++) {
                object[i] = l->copy[at + i] != l->base[at + i] ? l->copy[at + i] : object[i];
            }
        }
        if (memcmp(object, l->base + at, piece) != 0 || memcmp(object, l->copy + at, piece) != 0) {
            memcpy(l->base + at, object, piece);
            memcpy(l->copy + at, object, piece);
        }
    }
}

void i915_detile(const shim_storage *s)
{
    const linear *l = all != NULL ? find(s) : NULL;
    if (l != NULL) {
        const struct shim_row_storage *state = &shim_row_at(s->row)->storage;
        if (state->tiling != I915_TILING_NONE) {
            equalise(l, s->host, state->tiling, state->stride);
        }
    }
}

static linear *linear_new(const shim_storage *s)
{
    linear *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    l->row = s->row;
    l->off_bytes = s->off_bytes;
    l->bytes = s->bytes;
    l->fd = shim_move_up(memfd_create("linear", MFD_CLOEXEC));
    if (l->fd < 0 || ftruncate(l->fd, (off_t)l->bytes) != 0) {
        free(l);
        return NULL;
    }
    l->copy = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
    l->base = calloc(1, l->bytes);
    if (l->copy == MAP_FAILED || l->base == NULL) {
        free(l);
        return NULL;
    }
    l->next = all;
    all = l;
    return l;
}

void *i915_map_gtt(const shim_storage *s, void *addr, size_t bytes, int prot, int flags,
                   uint64_t off_bytes)
{
    linear *l = find(s);
    /* On gen3 fences detile the accesses of the GPU, too, so that both see the object itself. */
    if (shim_row_at(s->row)->storage.tiling == I915_TILING_NONE || i915_gen() < GPUCMD_I915_GEN4) {
        errno = 0;
        return MAP_FAILED; /* map the object itself */
    }
    l = l != NULL ? l : linear_new(s);
    if (l == NULL) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    i915_detile(s);
    return mmap(addr, bytes, prot, flags, l->fd, (off_t)off_bytes);
}

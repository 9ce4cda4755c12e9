/* Tiled objects. A fence register of the card detiles some accesses: gen4 and later what the CPU does
 * through a GTT mapping, before gen4 also what the GPU does. Here the object has two views in memory,
 * tiled and linear. The memory of the storage is what the GPU sees: tiled bytes, before gen4 linear
 * ones. The other view is made when something can see it. All processes share both. They are made
 * equal when an ioctl names the object, and when work on it begins and ends. */
#include "i915.h"

#include <string.h>

#include <libdrm/i915_drm.h>

enum { PAGE = 4096 };

static struct shim_row_storage *state_of(const shim_storage *s)
{
    return &shim_row_at(s->row)->storage;
}

/* The GPU sees linear bytes. */
static bool gpu_detiles(void)
{
    return i915_gen() < GPUCMD_I915_GEN4;
}

/* Return the offset among the tiled bytes of the byte at offset at of the linear view. */
static uint64_t tiled(uint64_t at, uint32_t mode, uint32_t stride)
{
    const uint64_t y = at / stride, x = at % stride;
    if (mode == I915_TILING_X) {
        return (y / 8 * (stride / 512) + x / 512) * PAGE + y % 8 * 512 + x % 512;
    }
    return (y / 32 * (stride / 128) + x / 128) * PAGE + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
}

/* Make n bytes of a and b equal, which were as in base: what differs from base is new. Of two new
 * bytes a's remains. Bytes that are not new are not written, because programs write at any time. */
static void merge(uint8_t *a, uint8_t *b, uint8_t *base, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t now = a[i];
        if (now != base[i]) {
            base[i] = now;
            b[i] = now;
        } else if (b[i] != base[i]) {
            base[i] = b[i];
            a[i] = base[i];
        }
    }
}

/* Make the views equal, in pieces that are contiguous in both. base: the view when they were. */
static void equalise(const shim_storage *s, uint8_t *view)
{
    const uint32_t mode = state_of(s)->tiling, stride = state_of(s)->stride;
    const uint64_t piece = mode == I915_TILING_X ? 512 : 16;
    const uint64_t row_bytes = stride * (mode == I915_TILING_X ? 8 : 32);
    const uint64_t end = (s->bytes + row_bytes - 1) / row_bytes * row_bytes;
    uint8_t *const base = view + s->bytes;
    for (uint64_t at = 0; at < end; at += piece) {
        const uint64_t there = tiled(at, mode, stride);
        const uint64_t v = gpu_detiles() ? there : at;
        uint8_t *object = (uint8_t *)s->host + (gpu_detiles() ? at : there);
        if (at < s->bytes && there < s->bytes &&
            (memcmp(view + v, base + v, piece) != 0 || memcmp(object, base + v, piece) != 0)) {
            merge(view + v, object, base + v, piece);
        }
    }
}

bool i915_shows_view(const shim_storage *s, bool gtt)
{
    const bool shows = state_of(s)->tiling != I915_TILING_NONE && gtt != gpu_detiles();
    if (shows && state_of(s)->view == 0) {
        shim_shared_lock();
        if (shim_storage_view_new(s)) {
            equalise(s, shim_storage_view(s));
        }
        shim_shared_unlock();
    }
    return shows && shim_storage_view(s) != NULL;
}

uint8_t *i915_cpu_bytes(const shim_storage *s)
{
    return !s->is_user && i915_shows_view(s, false) ? shim_storage_view(s) : s->host;
}

const uint8_t *i915_linear(const shim_storage *s)
{
    if (s->is_user || state_of(s)->tiling == I915_TILING_NONE || gpu_detiles()) {
        return s->host;
    }
    if (!i915_shows_view(s, true)) {
        return NULL;
    }
    i915_detile(s);
    return shim_storage_view(s);
}

void i915_detile(const shim_storage *s)
{
    uint8_t *view;
    if (s->is_user || state_of(s)->view == 0) {
        return;
    }
    shim_shared_lock();
    view = shim_storage_view(s);
    if (view != NULL && state_of(s)->tiling != I915_TILING_NONE) {
        equalise(s, view);
    }
    shim_storage_remap(s);
    shim_shared_unlock();
}

/* Return a view of the tiled bytes for an object whose tiling changes before gen4. NULL: the object
 * is zero, or there is no memory. */
static uint8_t *tiled_bytes(const shim_storage *s)
{
    const uint64_t end = s->off_bytes + s->bytes;
    const bool is_new = state_of(s)->view == 0;
    uint8_t *view;
    if ((is_new && shim_memory_next_data(s->off_bytes, end) >= end) || !shim_storage_view_new(s)) {
        return NULL;
    }
    view = shim_storage_view(s);
    if (state_of(s)->tiling == I915_TILING_NONE) {
        memcpy(view, s->host, s->bytes);
    } else if (is_new) {
        equalise(s, view);
    }
    return view;
}

void i915_set_tiling(const shim_storage *s, uint32_t mode, uint32_t stride)
{
    struct shim_row_storage *state = state_of(s);
    uint8_t *view;
    if (mode == state->tiling && stride == state->stride) {
        return;
    }
    shim_shared_lock();
    i915_detile(s); /* the last time with the old mode */
    view = gpu_detiles() ? tiled_bytes(s) : shim_storage_view(s);
    state->tiling = mode;
    state->stride = stride;
    if (view != NULL && mode == I915_TILING_NONE && gpu_detiles()) {
        memcpy(s->host, view, s->bytes);
    } else if (view != NULL && mode != I915_TILING_NONE) {
        uint8_t *const base = view + s->bytes;
        for (uint64_t i = 0; i < s->bytes; i++) { /* all bytes that stay are new */
            if (gpu_detiles()) {
                base[i] = (uint8_t)~view[i];
            } else {
                base[i] = 0;
            }
            if (!gpu_detiles()) {
                view[i] = 0;
            }
        }
        equalise(s, view);
    }
    if (state->mapped[gpu_detiles() ? 0 : 1]) {
        i915_shows_view(s, !gpu_detiles()); /* makes the view */
    }
    shim_storage_remap(s);
    shim_shared_unlock();
}

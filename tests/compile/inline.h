/* Helpers for the unit that the inline tier generates: a writer that measures or has a buffer, and
 * valid objects of types for which zeros are not valid. */
#include <string.h>

static void begin(gpucmd_writer *w, bool measure)
{
    static uint32_t words[4096];
    gpucmd_writer_init(w, measure ? NULL : words, 4096);
}

/* Return status and length of the written words. Measured and written commands have equal
 * values. */
static int words_of(const gpucmd_writer *w)
{
    size_t len_dw = 0;
    const gpucmd_status status = gpucmd_writer_finish(w, &len_dw);
    return (int)status * 0x10000 + (int)len_dw;
}

static uint32_t read_nothing(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return 0;
}

static void write_nothing(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    (void)off_bytes;
    (void)v;
}

static void valid_gpucmd_mmio(gpucmd_mmio *mmio)
{
    mmio->read32 = read_nothing;
    mmio->write32 = write_nothing;
}

static const gpucmd_mmio registers = {read_nothing, write_nothing, NULL};

static gpucmd_status give_up(void *user, uint32_t try_count)
{
    (void)user;
    (void)try_count;
    return GPUCMD_LIMIT;
}

static void valid_gpucmd_wait(gpucmd_wait *wait)
{
    gpucmd_wait_init(wait);
    wait->fn = give_up;
}

#ifdef HAVE_NV
static void valid_gpucmd_nv_ring(gpucmd_nv_ring *ring)
{
    static uint32_t words[1024];
    if (gpucmd_nv_ring_init(ring, GPUCMD_NV_CHIP_NV40, words, 0x1000, 1024, 0, &registers) ==
        GPUCMD_OK) {
        ring->wait.fn = give_up;
    }
}

static void valid_gpucmd_nv_gpfifo(gpucmd_nv_gpfifo *fifo)
{
    static uint64_t entries[64];
    if (gpucmd_nv_gpfifo_init(fifo, GPUCMD_NV_CHIP_GA102, entries, 6, &registers, &registers, 0) ==
        GPUCMD_OK) {
        fifo->wait.fn = give_up;
    }
}
#endif

#ifdef HAVE_I915
static void valid_gpucmd_i915_ring(gpucmd_i915_ring *ring)
{
    static uint32_t words[1024];
    if (gpucmd_i915_ring_init(ring, words, sizeof words, 0, &registers, 0) == GPUCMD_OK) {
        ring->wait.fn = give_up;
    }
}

static void valid_gpucmd_i915_chunk(gpucmd_i915_chunk *chunk)
{
    static uint32_t words[1024];
    chunk->base = words;
    chunk->cap_dw = 1024;
    chunk->va = 0;
}

static void valid_gpucmd_i915_batch(gpucmd_i915_batch *batch)
{
    gpucmd_i915_chunk chunk;
    valid_gpucmd_i915_chunk(&chunk);
    if (gpucmd_i915_batch_init(batch, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk) !=
        GPUCMD_OK) {
        memset(batch, 0, sizeof *batch);
    }
}
#endif

#ifdef HAVE_AGX
static void valid_gpucmd_agx_stream(gpucmd_agx_stream *stream)
{
    gpucmd_agx_stream_init(stream, NULL, 0);
}
#endif

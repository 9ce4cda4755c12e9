/* Row P8b: a submission to a Tegra channel in plain memory: entry, store barrier, GP_PUT, full
 * barrier, doorbell. The time through the library is divided by the time of hand-written stores
 * and barriers. Row P8: as P8b, but the words of unit S are first written through a gpucmd_writer.
 */
#include "bench.h"

#include "gpucmd_nv.h"

enum { ENTRIES = 1024, SUBMITS = 512 };

static uint64_t lib_ring[ENTRIES];
static uint64_t raw_ring[ENTRIES];
static uint32_t lib_userd[1024];
static uint32_t raw_userd[1024];
static uint32_t page[0x10000 / 4];
static gpucmd_nv_gpfifo queue;
static uint32_t raw_put;
static unsigned failures;
static uint64_t va[SUBMITS];
static uint32_t len_dw[SUBMITS];
static uint64_t ready[SUBMITS];

/* Submit as a driver without checks does, from precomputed entries. */
static void raw_kicks(void)
{
    volatile uint64_t *const ring = raw_ring;
    volatile uint32_t *const put = &raw_userd[0x8c / 4];
    volatile uint32_t *const bell = &page[0x90 / 4];
    for (unsigned i = 0; i < SUBMITS; i++) {
        ring[raw_put] = ready[i];
        raw_put = (raw_put + 1) & (ENTRIES - 1);
        GPUCMD_BARRIER_WRITE();
        *put = raw_put;
        GPUCMD_BARRIER_FULL();
        *bell = 511;
    }
}

static void lib_kicks(void)
{
    gpucmd_nv_gpfifo q = queue;
    q.userd[0x88 / 4] = q.put; /* the GPU has fetched all entries of the last round */
    for (unsigned i = 0; i < SUBMITS; i++) {
        failures +=
            gpucmd_nvgpu_submit(&q, va[i], len_dw[i], GPUCMD_NV_ENTRY_SUBROUTINE) != GPUCMD_OK;
    }
    queue = q;
}

/* ---- the whole submission: the 11 words of S, then the entry ---- */

enum { S_DW = 11 };

static uint32_t lib_words[SUBMITS][16];
static uint32_t raw_words[SUBMITS][16];

static void lib_whole(void)
{
    gpucmd_nv_gpfifo q = queue;
    q.userd[0x88 / 4] = q.put;
    for (uint32_t i = 0; i < SUBMITS; i++) {
        gpucmd_writer w;
        size_t n = 0;
        gpucmd_writer_init(&w, lib_words[i], S_DW);
        gpucmd_nv_emit_inc5(&w, 0, 0x5c, i, 2, 3, i, 5);
        gpucmd_nv_emit_immd(&w, 4, 0x300, 0x182);
        gpucmd_nv_emit_inc3(&w, 4, 0x400, i, 7, 8);
        failures += gpucmd_writer_finish(&w, &n) != GPUCMD_OK;
        failures += gpucmd_nv_gpfifo_push(&q, va[i], (uint32_t)n, 0) != GPUCMD_OK;
        gpucmd_nv_gpfifo_submit(&q);
    }
    queue = q;
}

static void raw_whole(void)
{
    volatile uint64_t *const ring = raw_ring;
    volatile uint32_t *const put = &raw_userd[0x8c / 4];
    volatile uint32_t *const bell = &page[0x90 / 4];
    for (uint32_t i = 0; i < SUBMITS; i++) {
        uint32_t *at = raw_words[i];
        at[0] = 0x20050017;
        at[1] = i;
        at[2] = 2;
        at[3] = 3;
        at[4] = i;
        at[5] = 5;
        at[6] = 0x818280c0;
        at[7] = 0x20038100;
        at[8] = i;
        at[9] = 7;
        at[10] = 8;
        ring[raw_put] = va[i] | (uint64_t)S_DW << 42;
        raw_put = (raw_put + 1) & (ENTRIES - 1);
        GPUCMD_BARRIER_WRITE();
        *put = raw_put;
        GPUCMD_BARRIER_FULL();
        *bell = 511;
    }
}

int main(void)
{
    gpucmd_nvgpu_channel channel;
    memset(&channel, 0, sizeof channel);
    channel.ring_cpu = lib_ring;
    channel.userd_cpu = lib_userd;
    channel.entries = ENTRIES;
    channel.token = 511;
    gpucmd_nvgpu_gpfifo_init(&queue, &channel, page, NULL);
    for (unsigned i = 0; i < SUBMITS; i++) {
        va[i] = 0x200000 + (uint64_t)i * 0x1000;
        len_dw[i] = 16 + i;
        ready[i] = va[i] | (uint64_t)len_dw[i] << 42 | (uint64_t)1 << 41;
    }
    lib_kicks();
    raw_kicks();
    bench_require(failures == 0 && memcmp(lib_ring, raw_ring, sizeof lib_ring) == 0 &&
                      lib_userd[0x8c / 4] == raw_userd[0x8c / 4],
                  "both must submit the same");
    lib_whole();
    raw_whole();
    bench_require(failures == 0 && memcmp(lib_words, raw_words, sizeof lib_words) == 0 &&
                      memcmp(lib_ring, raw_ring, sizeof lib_ring) == 0,
                  "both must write and submit the same");
    bench_result("P8", bench_ratio(lib_whole, raw_whole));
    bench_result("P8b", bench_ratio(lib_kicks, raw_kicks));
    bench_require(failures == 0, "refused");
    return 0;
}

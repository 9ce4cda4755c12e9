/* Row P8b: a submission to a Tegra channel in plain memory (entry, store barrier, GP_PUT, full barrier,
 * doorbell) through the library, over the same stores and barriers by hand. */
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

/* What a driver would write that checks nothing; its entries are ready. */
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
    q.userd[0x88 / 4] = q.put; /* the GPU has fetched all of the last round */
    for (unsigned i = 0; i < SUBMITS; i++) {
        failures +=
            gpucmd_nvgpu_submit(&q, va[i], len_dw[i], GPUCMD_NV_ENTRY_SUBROUTINE) != GPUCMD_OK;
    }
    queue = q;
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
    bench_result("P8b", bench_ratio(lib_kicks, raw_kicks));
    bench_require(failures == 0, "refused");
    return 0;
}

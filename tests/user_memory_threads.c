/* Memory that a second thread changes all the time, while model kernels and executors read it: each
 * call ends, nothing is accessed outside, every table stays valid. Reads are counted elsewhere, in
 * user_memory.c and the builds with FLIPS. */
#define _GNU_SOURCE 1
#define FLIP_THREADS
#define GPUCMD_IMPLEMENTATION
#include "user_memory.c"

#if defined(__linux__) && defined(__x86_64__)
#include <time.h>

/* Words that executors know, at random places, with addresses in this memory. */
static void words(uint8_t *memory)
{
    static const uint32_t likely[] = {0x10000002, 0x13000001, 0x11000001, 0x12000002, 0x18800001,
                                      0x0e000002, 0x05000000, 0x54c00006, 0x20050017, 0x20000000,
                                      0x20018000, 0x40000000, 0x80000000, 0x60000000, 0x00040000,
                                      0x00020000, 0x20010001, 0x10001000, 0x10002000, 0};
    for (uint32_t i = 0; i < FLIP_BYTES / 4; i++) {
        const uint32_t v = test_random(3) != 0
                               ? likely[test_random(sizeof likely / sizeof likely[0])] +
                                     test_random(2) * test_random(64)
                               : 0x10000 + test_random(FLIP_BYTES);
        memcpy(memory + 4 * i, &v, 4);
    }
}

static void executors(uint32_t mask)
{
    static gpucmd_nv_channel channels[2];
    static gpucmd_i915_cs streamers[2];
    static const gpucmd_i915_gen gens[4] = {GPUCMD_I915_GEN4, GPUCMD_I915_GEN6, GPUCMD_I915_GEN7,
                                            GPUCMD_I915_GEN9};
    static const gpucmd_nv_chip chips[4] = {GPUCMD_NV_CHIP_NV40, GPUCMD_NV_CHIP_G80,
                                            GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_GA102};
    gpucmd_region gpu_region = {0x10000, FLIP_BYTES, flip_memory(),
                                GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    const uint32_t which = test_random(4);
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_nv_card card;
    gpucmd_i915_report report;
    words(flips.memory);
    EQUAL(gpucmd_mem_init(&mem, &gpu_region, 1), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        EQUAL(gpucmd_i915_cs_init(&streamers[i], gens[which], GPUCMD_I915_RCS, 0), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_batch(&streamers[i], 0x10000 + 0x800 * i, true), GPUCMD_OK);
        EQUAL(gpucmd_nv_channel_init(&channels[i], chips[which], i), GPUCMD_OK);
        channels[i].pbdma.gp_base = 0x10000 + 0x3000 + 0x80 * i;
        channels[i].pbdma.limit2 = 4;
        channels[i].pbdma.gp_put = 12;
        channels[i].pusher.dma_get = 0x10000 + 0x1000 * i;
        channels[i].pusher.dma_put = 0x10000 + 0x1000 * i + 0x1000;
    }
    gpucmd_nv_card_init(&card, &mem);
    flip_arm(mask);
    (void)!gpucmd_i915_run_all(streamers, 2, &env, 2000, &report);
    for (uint32_t tries = 0; tries < 4; tries++) {
        (void)gpucmd_nv_run_all(channels, 2, &card, 50, 2000, NULL);
        for (uint32_t i = 0; i < 2; i++) {
            CHECK(channels[i].pbdma.count <= GPUCMD_FIELD_MAX(NV_HDR_COUNT));
            CHECK(channels[i].pusher.mcnt <= GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT));
            gpucmd_nv_pusher_recover(&channels[i].pusher);
            channels[i].pbdma.fault = GPUCMD_OK;
            gpucmd_nv_channel_clear(&channels[i]);
        }
    }
    EQUAL(flip_disarm(), 0);
    CHECK(streamers[0].level <= 3 && streamers[1].level <= 3);
}

int main(void)
{
    const time_t end = time(NULL) + 10;
    for (uint32_t i = 0; i < 400 && time(NULL) < end; i++) {
        const uint32_t mask = i % 2 == 0 ? 1u << i / 2 % 32 : test_random(0xfffffffe) + 1;
        agx_submit(mask);
        agx_draft_submit(mask, GPUCMD_AGX_DRAFT_10006);
        agx_draft_submit(mask, GPUCMD_AGX_DRAFT_10011);
        agx_bind(mask);
        i915_submit(mask, false);
        i915_submit(mask, true);
        nvgpu_calls(mask);
        executors(mask);
    }
    flips.ends = true;
    return test_report("user_memory_threads");
}
#endif

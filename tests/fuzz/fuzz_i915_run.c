/* fuzz_i915_run.c - a command streamer in memory filled from the input.
 *   byte 0  generation    byte 1  engine    byte 2  bit 0 privilege, bit 1 the
 *     callback fails, bit 7 the memory changes while it is read
 *   then    a batch at 0x10000, which is also the memory that it reads and
 *     writes
 * gpucmd_i915_cs_run and single steps must end with equal states and memory, unless
 * the memory changes. Then
 * a second pair of engines shares the memory in gpucmd_i915_run_all. */
#include "gpucmd_i915.h"

#include "fuzz.h"

enum { BYTES = 8192, BUDGET = 300 };

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    uint32_t *calls = (uint32_t *)user;
    must(e->count_dw != 0 || e->kind != GPUCMD_EVENT_COMMAND);
    if (e->out_dw != NULL) {
        *e->out_dw = e->addr;
    }
    ++*calls;
    return (*calls & 0x40000000) != 0 && *calls % 8 == 0 ? GPUCMD_FAULT : GPUCMD_OK;
}

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)e;
    ++*(uint32_t *)user;
    return GPUCMD_OK;
}

static const gpucmd_i915_gen gens[] = {
    GPUCMD_I915_GEN2,  GPUCMD_I915_GEN3,  GPUCMD_I915_GEN4,   GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN5,
    GPUCMD_I915_GEN6,  GPUCMD_I915_GEN7,  GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN8,   GPUCMD_I915_GEN9,
    GPUCMD_I915_GEN11, GPUCMD_I915_GEN12, GPUCMD_I915_GEN12_5};

static uint8_t memory[2][BYTES];
static gpucmd_i915_cs cs[2];

static gpucmd_run run(int which, const uint8_t *data, size_t size, bool traced)
{
    const uint32_t both = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    const gpucmd_region regions[2] = {
        {0x10000,             BYTES / 2, memory[which],             both},
        {0x10000 + BYTES / 2, BYTES / 2, memory[which] + BYTES / 2, both},
    };
    uint32_t calls = (data[2] & 2) != 0 ? 0x40000000 : 0, traces = 0;
    gpucmd_mem mem;
    gpucmd_env env;
    memset(memory[which], 0, BYTES);
    memcpy(memory[which], data + 3, size - 3 < BYTES ? size - 3 : BYTES);
    must(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    gpucmd_env_init(&env, &mem, on_event, &calls);
    if (traced) {
        env.trace = on_trace;
        env.trace_user = &traces;
    }
    must(gpucmd_i915_cs_batch(&cs[which], 0x10000, (data[2] & 1) != 0) == GPUCMD_OK);
    return gpucmd_i915_cs_run(&cs[which], &env, BUDGET);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpucmd_run a, b;
    if (size < 7 || size > 65536) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        memset(&cs[i], 0, sizeof cs[i]);
        if (gpucmd_i915_cs_init(&cs[i], gens[data[0] % 13], (gpucmd_i915_engine)(1 << data[1] % 5),
                                0) != GPUCMD_OK) {
            return 0;
        }
        gpucmd_i915_cs_write(&cs[i], cs[i].base + GPUCMD_I915_REG_HWS_PGA, 0x11000);
    }
    flips_clear();
    if (data[2] >= 128) {
        flips_add(memory, sizeof memory);
        flips_arm(data[size - 1] * 0x01010101u);
    }
    a = run(0, data, size, false);
    b = run(1, data, size, true);
    must(cs[0].level <= 3 && (a == GPUCMD_RUN_FAULT) == (cs[0].state == GPUCMD_I915_RS5));
    if (a != GPUCMD_RUN_LIMIT && b != GPUCMD_RUN_LIMIT && data[2] < 128) {
        must(a == b);
        must(memcmp(memory[0], memory[1], BYTES) == 0);
        must(cs[0].commands == cs[1].commands && cs[0].acthd == cs[1].acthd);
        must(cs[0].state == cs[1].state && cs[0].error == cs[1].error);
        must(memcmp(cs[0].reg, cs[1].reg, sizeof cs[0].reg) == 0);
    }
    {
        const gpucmd_region region = {0x10000, BYTES, memory[0],
                                      GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
        gpucmd_i915_report report;
        gpucmd_mem mem;
        gpucmd_env env;
        must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        for (uint32_t i = 0; i < 2; i++) {
            gpucmd_i915_cs_reset(&cs[i], 0);
            must(gpucmd_i915_cs_batch(&cs[i], 0x10000 + 64 * i, true) == GPUCMD_OK);
        }
        a = gpucmd_i915_run_all(cs, 2, &env, BUDGET, &report);
        must((a == GPUCMD_RUN_BLOCKED) == report.deadlock || data[2] >= 128);
    }
    (void)flips_disarm();
    return 0;
}

#define FUZZ_NAME "fuzz_i915_run"
#include "fuzz_main.h"

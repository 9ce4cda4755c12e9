/* fuzz_i915_shared.c - three streamers, their rings and batches in one memory that all can write.
 * The processor writes commands to the rings, in rings that the streamers may have overwritten.
 *   byte 0  generation; bit 7: the memory changes while it is read    byte 1  words of memory
 *   then    that many words at the shared page, then steps of 4 bytes
 * No access is outside the memory, every wait and run ends, and rings stay valid. */
#include "gpucmd_i915.h"

#include "fuzz.h"

enum { BASE = 0x10000, PAGE = 4096, SHARED = BASE + 3 * PAGE, RAM_BYTES = 4 * PAGE, BUDGET = 200 };

static const gpucmd_i915_gen gens[] = {
    GPUCMD_I915_GEN3, GPUCMD_I915_GEN4, GPUCMD_I915_GEN5, GPUCMD_I915_GEN6,
    GPUCMD_I915_GEN7, GPUCMD_I915_GEN8, GPUCMD_I915_GEN9, GPUCMD_I915_GEN12,
};

static const gpucmd_i915_engine engines[] = {GPUCMD_I915_RCS, GPUCMD_I915_VCS, GPUCMD_I915_BCS};

static gpucmd_i915_cs cs[3];
static gpucmd_i915_ring rings[3];
static uint8_t *ram;
static gpucmd_mem mem;
static gpucmd_env env;

static gpucmd_run run(uint64_t budget)
{
    gpucmd_i915_report report;
    const gpucmd_run result = gpucmd_i915_run_all(cs, 3, &env, budget, &report);
    must((report.idle & report.blocked) == 0 && report.commands <= budget);
    for (uint32_t i = 0; i < 3; i++) {
        must(cs[i].level <= 3);
        must((report.faulted >> i & 1) == (cs[i].state == GPUCMD_I915_RS5));
    }
    return result;
}

/* A ring waits: execute some commands. */
static gpucmd_status on_wait(void *user, uint32_t tries)
{
    (void)user;
    (void)run(20);
    return tries < 8 ? GPUCMD_OK : GPUCMD_LIMIT;
}

/* An address of the rings or of the shared page. */
static uint32_t address(uint32_t v)
{
    return BASE + v * 68 % RAM_BYTES / 4 * 4;
}

/* Write a group of a few commands to a ring. */
static void submit(gpucmd_i915_gen gen, gpucmd_i915_ring *ring, input *in)
{
    const uint32_t what = take(in, 1), at = address(take(in, 1)), v = take(in, 1);
    gpucmd_writer w;
    if (gpucmd_i915_ring_begin(ring, what / 8 % 2 != 0 ? 4 + v * 4 : 32, &w) != GPUCMD_OK) {
        return;
    }
    switch (what % 8) {
    case 0: gpucmd_i915_emit_mi_store_data_imm(&w, gen, 0, at, v); break;
    case 1: gpucmd_i915_emit_mi_batch_buffer_start(&w, gen, 0, at & ~7u); break;
    case 2: gpucmd_i915_emit_mi_semaphore_wait(&w, gen, 0, at, v); break;
    case 3: {
        const uint32_t pair[2] = {0x2600 + 4 * (v % 16), at};
        gpucmd_i915_emit_mi_load_register_imm(&w, gen, 0, pair, 1);
        break;
    }
    case 4: gpucmd_i915_emit_mi_store_data_imm(&w, gen, 0, at, address(v)); break;
    case 5: gpucmd_i915_emit_mi_user_interrupt(&w, gen, 0); break;
    default: {
        const uint32_t words[4] = {take(in, 4), at, take(in, 2), v};
        gpucmd_writer_emit_words(&w, words, 4);
        break;
    }
    }
    if (gpucmd_i915_ring_end(ring, &w) == GPUCMD_OK && what < 224) {
        gpucmd_i915_ring_submit(ring);
    }
}

static void step(gpucmd_i915_gen gen, input *in)
{
    const uint32_t op = take(in, 1), which = op / 8 % 3, at = take(in, 1), v = take(in, 2);
    switch (op % 8) {
    case 0:
    case 1:
    case 2: submit(gen, &rings[which], in); break;
    case 3: (void)run(v % BUDGET); break;
    case 4: /* the processor stores a word */
        gpucmd_store32(ram + (address(at) - BASE), v < 256 ? v : take(in, 4), GPUCMD_LITTLE_ENDIAN);
        break;
    case 5: /* and a register: HEAD, TAIL, START, CTL and others */
        gpucmd_i915_cs_write(&cs[which], cs[which].base + at * 4, v < 4096 ? v : address(v));
        break;
    case 6: (void)gpucmd_i915_cs_read(&cs[which], cs[which].base + at * 4); break;
    default:
        gpucmd_i915_cs_reset(&cs[which], 0);
        must(gpucmd_i915_ring_start(&rings[which], BASE + which * PAGE) == GPUCMD_OK);
        break;
    }
    for (uint32_t i = 0; i < 3; i++) {
        must(rings[i].tail_bytes < PAGE && rings[i].tail_bytes % 8 == 0);
        must(rings[i].open_bytes == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    gpucmd_region region = {BASE, RAM_BYTES, NULL, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    if (size < 8 || size > 4096) {
        return 0;
    }
    const uint32_t first = take(&in, 1), words = take(&in, 1);
    const gpucmd_i915_gen gen = gens[first % 8];
    ram = (uint8_t *)malloc(RAM_BYTES);
    must(ram != NULL);
    memset(ram, 0, RAM_BYTES);
    for (uint32_t i = 0; i < words; i++) {
        gpucmd_store32(ram + SHARED - BASE + 4 * i, take(&in, 4), GPUCMD_LITTLE_ENDIAN);
    }
    region.host = ram;
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    bool good = true;
    for (uint32_t i = 0; i < 3; i++) {
        gpucmd_mmio mmio;
        memset(&cs[i], 0, sizeof cs[i]);
        if (gpucmd_i915_cs_init(&cs[i], gen, engines[i], 0) != GPUCMD_OK) {
            good = gpucmd_i915_cs_init(&cs[i], gen, GPUCMD_I915_RCS, 0) == GPUCMD_OK && good;
        }
        gpucmd_i915_cs_mmio(&cs[i], &mmio);
        must(gpucmd_i915_ring_init(&rings[i], (uint32_t *)(void *)(ram + i * PAGE), PAGE, 0, &mmio,
                                   cs[i].base) == GPUCMD_OK);
        must(gpucmd_i915_ring_start(&rings[i], BASE + i * PAGE) == GPUCMD_OK);
        gpucmd_i915_ring_set_wait(&rings[i], on_wait, NULL, 10);
    }
    must(good);
    flips_clear();
    if (first >= 128) {
        flips_add(ram, RAM_BYTES);
        flips_arm(words * 0x01010101u);
    }
    for (int steps = 0; steps < 100 && in.size != 0; steps++) {
        step(gen, &in);
    }
    (void)run(BUDGET);
    (void)flips_disarm();
    free(ram);
    return 0;
}

#define FUZZ_NAME "fuzz_i915_shared"
#include "fuzz_main.h"

/* 21_i915_ring_wrap.c - a ring that wraps.
 *
 * You learn: why a command is never split over the end of the ring, why one
 * cache line always stays free, and what a driver does when there is no room.
 * Read first: 20_i915_gem_exec_nop.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>

static uint32_t ring_words[1024];
static gpucmd_i915_cs cs;
static gpucmd_env env;

/* Called while the ring is full. The executor stands for the hardware, so
 * execute some commands. A driver would sleep until the next interrupt. */
static gpucmd_status let_it_run(void *user, uint32_t try_count)
{
    (void)user;
    if (try_count == 0) {
        printf("full: HEAD %03x, waiting\n", (unsigned)(cs.head & GPUCMD_I915_RING_HEAD_MASK));
    }
    return gpucmd_i915_cs_run(&cs, &env, 100) == GPUCMD_RUN_FAULT ? GPUCMD_FAULT : GPUCMD_OK;
}

int main(void)
{
    const gpucmd_region region = {0x100000, sizeof ring_words, ring_words, GPUCMD_ACCESS_READ};
    gpucmd_mem mem;
    gpucmd_mmio mmio;
    gpucmd_i915_ring ring;
    gpucmd_writer w;

    /* Step 1: initialise a ring of one page. HEAD is read from the registers of
     * the engine. */
    if (gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    if (gpucmd_i915_ring_init(&ring, ring_words, 4096, 0, &mmio, cs.base) != GPUCMD_OK ||
        gpucmd_i915_ring_start(&ring, 0x100000) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_i915_ring_set_wait(&ring, let_it_run, NULL, 100);

    /* Step 2: groups of 99 words, published one by one. Each is padded to a qword, 400 bytes. */
    for (uint32_t round = 0; round < 12; round++) {
        const uint32_t before = ring.tail_bytes;
        if (gpucmd_i915_ring_begin(&ring, 99, &w) != GPUCMD_OK) {
            return 1;
        }
        for (uint32_t i = 0; i < 33; i++) {
            gpucmd_i915_emit_mi_load_register_imm1(
                &w, GPUCMD_I915_GEN9, 0, GPUCMD_I915_GPR(cs.base, i % 16, i / 16 % 2), round);
        }
        if (gpucmd_i915_ring_end(&ring, &w) != GPUCMD_OK) {
            return 1;
        }
        gpucmd_i915_ring_submit(&ring);
        printf("round %2u: TAIL %03x -> %03x%s\n", (unsigned)round, (unsigned)before,
               (unsigned)ring.tail_bytes, ring.tail_bytes < before ? ", wrapped" : "");
    }

    /* Step 3: the consumer catches up; its HEAD has counted the wraps. */
    if (gpucmd_i915_cs_run(&cs, &env, 10000) != GPUCMD_RUN_IDLE) {
        return 1;
    }
    printf("idle: HEAD %03x after %u wrap, GPR0 %u\n",
           (unsigned)(cs.head & GPUCMD_I915_RING_HEAD_MASK), (unsigned)(cs.head >> 21),
           (unsigned)gpucmd_i915_cs_read(&cs, GPUCMD_I915_GPR(cs.base, 0, 0)));
    return 0;
}

/* Output:
 * round  0: TAIL 000 -> 190
 * round  1: TAIL 190 -> 320
 * round  2: TAIL 320 -> 4b0
 * round  3: TAIL 4b0 -> 640
 * round  4: TAIL 640 -> 7d0
 * round  5: TAIL 7d0 -> 960
 * round  6: TAIL 960 -> af0
 * round  7: TAIL af0 -> c80
 * round  8: TAIL c80 -> e10
 * round  9: TAIL e10 -> fa0
 * full: HEAD 000, waiting
 * round 10: TAIL fa0 -> 190, wrapped
 * round 11: TAIL 190 -> 320
 * idle: HEAD 320 after 1 wrap, GPR0 11
 */

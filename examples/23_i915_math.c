/* 23_i915_math.c - arithmetic in the command streamer.
 *
 * You learn: MI_MATH, the general purpose registers, and why a loop needs a
 * budget. A batch counts a number in memory down to zero: it jumps to its own
 * start until MI_CONDITIONAL_BATCH_BUFFER_END ends it.
 * Read first: 20_i915_gem_exec_nop.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>

#define GEN      GPUCMD_I915_GEN9
#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u

/* GPR2 := GPR0 - GPR1; GPR3 := GPR3 + GPR0. */
static const uint32_t alu[] = {
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCA, 0),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCB, 1),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_SUB, 0, 0),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_STORE, 2, GPUCMD_I915_ALU_ACCU),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCA, 3),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCB, 0),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_ADD, 0, 0),
    GPUCMD_I915_ALU(GPUCMD_I915_ALU_STORE, 3, GPUCMD_I915_ALU_ACCU),
};

static uint32_t words[64], batch[64];
static uint8_t data[4096];

int main(void)
{
    const gpucmd_region regions[2] = {
        {BATCH_VA, sizeof batch, batch, GPUCMD_ACCESS_READ                      },
        {DATA_VA,  sizeof data,  data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    static gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_run run;

    if (gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs, GEN, GPUCMD_I915_RCS, 0) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);

    /* Step 1: set registers 1 (the step) and 3 (the sum). */
    gpucmd_i915_cs_write(&cs, GPUCMD_I915_GPR(cs.base, 1, 0), 1);
    gpucmd_store32(data, 10, GPUCMD_LITTLE_ENDIAN);

    /* Step 2: the loop. Leave when the number is not above 0; load it, subtract, add, store, again. */
    gpucmd_writer_init(&w, words, 64);
    gpucmd_i915_emit_mi_conditional_batch_buffer_end(
        &w, GEN, GPUCMD_I915_BITS(MI_CONDITIONAL_BATCH_BUFFER_END_COMPARE_ENABLE), 0, DATA_VA);
    gpucmd_i915_emit_mi_load_register_mem(&w, GEN, 0, GPUCMD_I915_GPR(cs.base, 0, 0), DATA_VA);
    gpucmd_i915_emit_mi_math(&w, GEN, 0, alu, sizeof alu / sizeof alu[0]);
    gpucmd_i915_emit_mi_store_register_mem(&w, GEN, 0, GPUCMD_I915_GPR(cs.base, 2, 0), DATA_VA);
    gpucmd_i915_emit_mi_store_register_mem(&w, GEN, 0, GPUCMD_I915_GPR(cs.base, 3, 0), DATA_VA + 8);
    gpucmd_i915_emit_mi_batch_buffer_start(&w, GEN, GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_PPGTT),
                                           BATCH_VA);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_store_words(batch, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    printf("%u words\n", (unsigned)len_dw);

    /* Step 3: run, with a budget: a loop that never ends would end here. */
    if (gpucmd_i915_cs_batch(&cs, BATCH_VA, false) != GPUCMD_OK) {
        return 1;
    }
    run = gpucmd_i915_cs_run(&cs, &env, 20);
    printf("after 20 commands: %s, number %u\n", gpucmd_run_name(run),
           (unsigned)gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN));
    run = gpucmd_i915_cs_run(&cs, &env, 1000);
    printf("at the end: %s, number %u, sum %u\n", gpucmd_run_name(run),
           (unsigned)gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load32(data + 8, GPUCMD_LITTLE_ENDIAN));
    return run == GPUCMD_RUN_IDLE ? 0 : 1;
}

/* Output:
 * 28 words
 * after 20 commands: LIMIT, number 7
 * at the end: IDLE, number 0, sum 55
 */

/* 22_i915_two_engines.c - two engines and a semaphore.
 *
 * You learn: how one engine waits for another: the render engine stores a
 * number, the blitter waits for it and copies it. Then each engine waits for
 * the other, and the executor reports the deadlock.
 * Read first: 20_i915_gem_exec_nop.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>
#include <string.h>

#define GEN      GPUCMD_I915_GEN9
#define DATA_VA  0x00300000u
#define BATCH(i) (0x00100000u + 0x1000u * (i))

static uint32_t batches[2][1024];
static uint8_t data[4096];

/* Close a batch and hand it to its engine. */
static bool start(gpucmd_i915_cs *cs, uint32_t i, gpucmd_writer *w)
{
    uint32_t words[64];
    size_t len_dw = 0;
    gpucmd_i915_emit_mi_batch_buffer_end(w, GEN, 0);
    if (gpucmd_writer_finish(w, &len_dw) != GPUCMD_OK || len_dw > 64) {
        return false;
    }
    memcpy(words, batches[i], len_dw * 4);
    gpucmd_store_words(batches[i], words, len_dw, GPUCMD_LITTLE_ENDIAN);
    return gpucmd_i915_cs_batch(&cs[i], BATCH(i), false) == GPUCMD_OK;
}

int main(void)
{
    const gpucmd_region regions[2] = {
        {BATCH(0), sizeof batches, batches, GPUCMD_ACCESS_READ                      },
        {DATA_VA,  sizeof data,    data,    GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    const uint32_t poll = GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_POLL) |
                          GPUCMD_I915_PUT(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_GE);
    static gpucmd_i915_cs cs[2];
    gpucmd_i915_report report;
    gpucmd_run run;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_writer w;
    gpucmd_text t;
    char text[256];

    if (gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs[0], GEN, GPUCMD_I915_RCS, 0) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs[1], GEN, GPUCMD_I915_BCS, 0) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);

    /* Step 1: render. Store a value, then the semaphore. PIPE_CONTROL stores
     * after all commands before it. */
    gpucmd_writer_init(&w, batches[0], 1024);
    gpucmd_i915_emit_mi_store_data_imm(&w, GEN, 0, DATA_VA + 64, 1234);
    gpucmd_i915_emit_pipe_control(
        &w, GEN, 0,
        GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL) |
            GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, GPUCMD_I915_POST_SYNC_IMMEDIATE),
        DATA_VA, 1);
    if (!start(cs, 0, &w)) {
        return 1;
    }

    /* Step 2: blitter. Wait until the semaphore is at least 1, then copy the value. */
    gpucmd_writer_init(&w, batches[1], 1024);
    gpucmd_i915_emit_mi_semaphore_wait(&w, GEN, poll, 1, DATA_VA);
    gpucmd_i915_emit_mi_copy_mem_mem(&w, GEN, 0, DATA_VA + 128, DATA_VA + 64);
    if (!start(cs, 1, &w)) {
        return 1;
    }

    /* Step 3: the blitter alone is blocked; with both, everything is done. */
    printf("blitter alone: %s\n", gpucmd_run_name(gpucmd_i915_cs_run(&cs[1], &env, 100)));
    printf("both: %s\n", gpucmd_run_name(gpucmd_i915_run_all(cs, 2, &env, 1000, &report)));
    printf("copied %u\n", (unsigned)gpucmd_load32(data + 128, GPUCMD_LITTLE_ENDIAN));

    /* Step 4: each engine waits for a value that the other would store
     * later. */
    for (uint32_t i = 0; i < 2; i++) {
        gpucmd_writer_init(&w, batches[i], 1024);
        gpucmd_i915_emit_mi_semaphore_wait(&w, GEN, poll, 2, DATA_VA + 4 * i);
        gpucmd_i915_emit_mi_store_data_imm(&w, GEN, 0, DATA_VA + 4 * (1 - i), 2);
        if (!start(cs, i, &w)) {
            return 1;
        }
    }
    run = gpucmd_i915_run_all(cs, 2, &env, 1000, &report);
    printf("crossed: %s%s\n", gpucmd_run_name(run), report.deadlock ? ", deadlock" : "");
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 2, &env);
    printf("%s", text);
    return report.deadlock ? 0 : 1;
}

/* Output:
 * blitter alone: BLOCKED
 * both: IDLE
 * copied 1234
 * crossed: BLOCKED, deadlock
 * rcs0 at 0x100000 waits for memory 0x300000 >= 0x2, which is 0x1
 * bcs0 at 0x101000 waits for memory 0x300004 >= 0x2, which is 0x0
 */

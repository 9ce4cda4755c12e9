/* 40_deadlock.c - find a deadlock before the hardware does.
 *
 * You learn: how channels wait for each other with semaphores, how to run
 * several channels together, and how to read the report if all are blocked.
 * Read first: 11_ampere_copy.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x100000000ull

enum { CHANNELS = 3, CHANNEL_BYTES = 0x1000, SEM = 0x8000, QUANTUM = 100, BUDGET = 10000 };

static uint8_t vram[0x10000];
static gpucmd_nv_channel channels[CHANNELS];
static gpucmd_nv_channel scratch;
static gpucmd_nv_blocked rows[CHANNELS];
static gpucmd_nv_report report;
static gpucmd_nv_card card;
static gpucmd_env env;

/* Step 1: channel index + 1 waits until semaphore `from` is 1, then sets
 * semaphore `to` to 1. Semaphore n is at offset SEM + 16 * n. */
static gpucmd_status write_stream(uint32_t index, uint32_t from, uint32_t to)
{
    const uint32_t ring = index * CHANNEL_BYTES;
    const uint64_t words_va = VRAM_VA + ring + 0x100;
    const uint64_t sem_va = VRAM_VA + SEM;
    uint32_t dw[32];
    uint32_t entry[2];
    size_t len_dw = 0;
    gpucmd_writer w;
    gpucmd_status status;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_sem_acquire(&w, CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, sem_va + 16 * from, 1, 0);
    gpucmd_nv_emit_sem_release(&w, CHIP, sem_va + 16 * to, 1, GPUCMD_NV_SEM_WFI);
    status = gpucmd_writer_finish(&w, &len_dw);
    if (status == GPUCMD_OK) {
        status = gpucmd_nv_encode_entry(entry, CHIP, words_va, (uint32_t)len_dw, 0);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_nv_channel_init(&channels[index], CHIP, &card);
    }
    if (status == GPUCMD_OK) {
        channels[index].id = index + 1;
        gpucmd_store_words(vram + ring + 0x100, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store_words(vram + ring, entry, 2, GPUCMD_LITTLE_ENDIAN);
        channels[index].pbdma.gp_base = VRAM_VA + ring;
        channels[index].pbdma.limit2 = 3;
        channels[index].pbdma.gp_put = 1;
    }
    return status;
}

/* Each channel executes QUANTUM words in turn, BUDGET words in all. */
static gpucmd_run run_together(void)
{
    const gpucmd_run run = gpucmd_nv_run_all(channels, CHANNELS, &env, BUDGET, &report);
    printf("   %s, %u blocked%s\n", gpucmd_run_name(run), (unsigned)report.count,
           report.deadlock ? ", a deadlock" : "");
    return run;
}

static gpucmd_run signal_and_run(uint32_t semaphore)
{
    gpucmd_store32(vram + SEM + 16 * semaphore, 1, GPUCMD_LITTLE_ENDIAN);
    return run_together();
}

int main(void)
{
    const gpucmd_region region = {VRAM_VA, sizeof vram, vram,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    gpucmd_text text;
    char buf[1000];

    if (gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK || write_stream(0, 1, 0) != GPUCMD_OK ||
        write_stream(1, 0, 1) != GPUCMD_OK || write_stream(2, 7, 2) != GPUCMD_OK) {
        return 1;
    }

    /* Step 2: the look-ahead finds which channel would write which semaphore. */
    printf("1. Three streams, each valid alone, together:\n");
    gpucmd_nv_card_init(&card);
    card.quantum = QUANTUM;
    gpucmd_env_init(&env, &mem, NULL, NULL);
    report.rows = rows;
    report.cap = CHANNELS;
    report.scratch = &scratch;
    report.look_ahead = 1000;
    (void)run_together();

    /* Step 3: who waits for what, and who would end the wait. */
    gpucmd_text_init(&text, buf, sizeof buf);
    for (size_t i = 0; i < report.count; i++) {
        gpucmd_nv_print_waits(&text, &channels[rows[i].channel], 1, &env);
        gpucmd_text_str(&text, "  ");
        gpucmd_nv_print_releaser(&text, &rows[i]);
        gpucmd_text_char(&text, '\n');
    }
    printf("2. The report:\n%s", buf);

    printf("3. The CPU writes a semaphore of the cycle:\n");
    (void)signal_and_run(0);
    printf("4. The CPU writes the semaphore that no channel writes:\n");
    return signal_and_run(7) != GPUCMD_RUN_IDLE;
}

/* Output:
 * 1. Three streams, each valid alone, together:
 *    BLOCKED, 3 blocked, a deadlock
 * 2. The report:
 * channel 1 at 0x100000114 waits for 0x100008010 ACQUIRE 0x1, memory holds 0x0
 *   channel 2 would release it, in a cycle
 * channel 2 at 0x100001114 waits for 0x100008000 ACQUIRE 0x1, memory holds 0x0
 *   channel 1 would release it, in a cycle
 * channel 3 at 0x100002114 waits for 0x100008070 ACQUIRE 0x1, memory holds 0x0
 *   no channel writes there
 * 3. The CPU writes a semaphore of the cycle:
 *    BLOCKED, 1 blocked, a deadlock
 * 4. The CPU writes the semaphore that no channel writes:
 *    IDLE, 0 blocked
 */

/* Find a deadlock before the hardware does.
 *
 * You learn: how channels wait for each other with semaphores, how to run several of them together,
 * and how to read the report when none can go on. Read 11_ampere_copy.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include <stdio.h>
#include <string.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x100000000ull
#define SEM_VA  (VRAM_VA + 0x8000)

enum { CHANNELS = 3, CHANNEL_BYTES = 0x1000 };

static uint8_t vram[0x10000];
static gpucmd_nv_channel channels[CHANNELS];
static gpucmd_nv_channel scratch;

/* Channel me waits until *SEM[from] is 1, then sets *SEM[to] to 1. */
static bool write_stream(uint32_t me, uint32_t from, uint32_t to)
{
    const uint64_t ring_va = VRAM_VA + me * CHANNEL_BYTES;
    const uint64_t words_va = ring_va + 0x100;
    uint32_t words[32];
    uint32_t entry[2];
    size_t n = 0;
    gpucmd_writer w;
    gpucmd_writer_init(&w, words, 32);
    gpucmd_nv_emit_sem_acquire(&w, CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, SEM_VA + 16 * from, 1, 0);
    gpucmd_nv_emit_sem_release(&w, CHIP, SEM_VA + 16 * to, 1, GPUCMD_NV_SEM_WFI);
    if (gpucmd_writer_finish(&w, &n) != GPUCMD_OK ||
        gpucmd_nv_encode_entry(entry, CHIP, words_va, (uint32_t)n, 0) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&channels[me], CHIP, me + 1) != GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(vram + (words_va - VRAM_VA), words, n, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(vram + (ring_va - VRAM_VA), entry, 2, GPUCMD_LITTLE_ENDIAN);
    channels[me].pbdma.gp_base = ring_va;
    channels[me].pbdma.limit2 = 3;
    channels[me].pbdma.gp_put = 1;
    return true;
}

int main(void)
{
    const gpucmd_region region = {VRAM_VA, sizeof vram, vram,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    gpucmd_nv_card card;
    gpucmd_nv_blocked rows[CHANNELS];
    gpucmd_nv_report report;
    gpucmd_text text;
    char buf[1000];

    /* Step 1: three channels in a ring. Each is right by itself. */
    if (gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK || !write_stream(0, 1, 0) ||
        !write_stream(1, 2, 1) || !write_stream(2, 0, 2)) {
        return 1;
    }
    printf("channel 1 waits for semaphore 1, then writes 0\n");
    printf("channel 2 waits for semaphore 2, then writes 1\n");
    printf("channel 3 waits for semaphore 0, then writes 2\n");

    /* Step 2: run them together, at most 100 words each in turn. */
    gpucmd_nv_card_init(&card, &mem);
    memset(&report, 0, sizeof report);
    report.rows = rows;
    report.cap = CHANNELS;
    report.scratch = &scratch;
    report.look_ahead = 1000;
    printf("run_all: %s\n",
           gpucmd_run_name(gpucmd_nv_run_all(channels, CHANNELS, &card, 100, 10000, &report)));

    /* Step 3: who waits for what, and who would have to move first. */
    gpucmd_text_init(&text, buf, sizeof buf);
    gpucmd_nv_print_report(&text, &report);
    printf("%s", buf);

    /* Step 4: the usual cure is that somebody does not wait the first time: the CPU gives
     * semaphore 0 its value, and the ring of waits comes apart. */
    gpucmd_store32(vram + 0x8000, 1, GPUCMD_LITTLE_ENDIAN);
    printf("CPU writes semaphore 0\n");
    printf("run_all: %s\n",
           gpucmd_run_name(gpucmd_nv_run_all(channels, CHANNELS, &card, 100, 10000, &report)));
    for (unsigned i = 0; i < CHANNELS; i++) {
        printf("semaphore %u: %u\n", i,
               (unsigned)gpucmd_load32(vram + 0x8000 + 16 * i, GPUCMD_LITTLE_ENDIAN));
    }
    return 0;
}

/* Output:
 * channel 1 waits for semaphore 1, then writes 0
 * channel 2 waits for semaphore 2, then writes 1
 * channel 3 waits for semaphore 0, then writes 2
 * run_all: BLOCKED
 * channel 1 at 0x100000114 waits for 0x100008010 ACQUIRE 0x1, memory holds 0x0
 *   channel 2 would release it, in a cycle
 * channel 2 at 0x100001114 waits for 0x100008020 ACQUIRE 0x1, memory holds 0x0
 *   channel 3 would release it, in a cycle
 * channel 3 at 0x100002114 waits for 0x100008000 ACQUIRE 0x1, memory holds 0x0
 *   channel 1 would release it, in a cycle
 * CPU writes semaphore 0
 * run_all: IDLE
 * semaphore 0: 1
 * semaphore 1: 1
 * semaphore 2: 1
 */

/* Find a deadlock before the hardware does.
 *
 * You learn: how channels wait for each other with semaphores, how to run several of them together,
 * and how to read the report when none can go on. Read 11_ampere_copy.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include <stdio.h>
#include <stdlib.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x100000000ull
#define SEM_VA  (VRAM_VA + 0x8000) /* semaphore n lies at SEM_VA + 16 * n */

enum { CHANNELS = 4, CHANNEL_BYTES = 0x1000, QUANTUM = 100, BUDGET = 10000 };

static uint8_t vram[0x10000];
static gpucmd_nv_channel channels[CHANNELS];
static gpucmd_nv_channel scratch;
static gpucmd_nv_blocked rows[CHANNELS];
static gpucmd_nv_report report;

/* Every step says what must hold after it. */
static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("this does not hold: %s\n", what);
        exit(1);
    }
}

/* Channel me (its id is one more) waits until semaphore from is 1, then sets semaphore to to 1. */
static void write_stream(uint32_t me, uint32_t from, uint32_t to)
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
    must(gpucmd_writer_finish(&w, &n) == GPUCMD_OK &&
             gpucmd_nv_encode_entry(entry, CHIP, words_va, (uint32_t)n, 0) == GPUCMD_OK &&
             gpucmd_nv_channel_init(&channels[me], CHIP, me + 1) == GPUCMD_OK,
         "words, entry and channel are legal");
    gpucmd_store_words(vram + (words_va - VRAM_VA), words, n, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(vram + (ring_va - VRAM_VA), entry, 2, GPUCMD_LITTLE_ENDIAN);
    channels[me].pbdma.gp_base = ring_va;
    channels[me].pbdma.limit2 = 3;
    channels[me].pbdma.gp_put = 1;
    printf("   channel %u waits for semaphore %u, then writes semaphore %u\n", me + 1, from, to);
}

/* The CPU writes 1 to a semaphore, and all channels have their turns. */
static gpucmd_run signal_and_run(gpucmd_nv_card *card, uint32_t semaphore)
{
    gpucmd_run run;
    printf("   CPU writes semaphore %u at 0x%llx\n", semaphore,
           (unsigned long long)(SEM_VA + 16 * semaphore));
    gpucmd_store32(vram + (SEM_VA - VRAM_VA) + 16 * semaphore, 1, GPUCMD_LITTLE_ENDIAN);
    run = gpucmd_nv_run_all(channels, CHANNELS, card, QUANTUM, BUDGET, &report);
    printf("   run_all: %s, %u blocked\n", gpucmd_run_name(run), (unsigned)report.count);
    return run;
}

int main(void)
{
    const gpucmd_region region = {VRAM_VA, sizeof vram, vram,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    gpucmd_nv_card card;
    gpucmd_text text;
    char buf[1000];

    printf("1. Four streams. Each is right by itself.\n");
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK, "memory");
    gpucmd_nv_card_init(&card, &mem);
    write_stream(0, 1, 0);
    write_stream(1, 2, 1);
    write_stream(2, 0, 2);
    write_stream(3, 7, 3);

    printf("2. Together: %d words each in turn, %d in all.\n", QUANTUM, BUDGET);
    report.rows = rows;
    report.cap = CHANNELS;
    report.scratch = &scratch; /* to look ahead in each channel: who would write where? */
    report.look_ahead = 1000;
    const gpucmd_run run = gpucmd_nv_run_all(channels, CHANNELS, &card, QUANTUM, BUDGET, &report);
    printf("   run_all: %s%s\n", gpucmd_run_name(run), report.deadlock ? ", a deadlock" : "");
    must(run == GPUCMD_RUN_BLOCKED && report.deadlock && report.count == 4, "all four wait");

    printf("3. Who waits for what, and whose words to come would end the wait:\n");
    gpucmd_text_init(&text, buf, sizeof buf);
    gpucmd_nv_print_report(&text, &report);
    must(gpucmd_text_finish(&text) == GPUCMD_OK, "the text fits");
    printf("%s", buf);
    must(rows[0].releaser == 1 && rows[1].releaser == 2 && rows[2].releaser == 0, "1, 2, 3, 1");
    must(rows[0].in_cycle && rows[1].in_cycle && rows[2].in_cycle && !rows[3].in_cycle, "cycle");
    must(rows[3].releaser == GPUCMD_NV_NO_CHANNEL, "channel 4's address is a mistake");

    printf("4. The ring comes apart if one of its channels need not wait the first time.\n");
    must(signal_and_run(&card, 0) == GPUCMD_RUN_BLOCKED && report.count == 1 && rows[0].id == 4,
         "3 went on, then 2, then 1; 4 still waits");

    printf("5. What nobody writes only the CPU can give.\n");
    must(signal_and_run(&card, 7) == GPUCMD_RUN_IDLE && report.count == 0, "all is done");
    for (uint32_t i = 0; i < CHANNELS; i++) {
        must(gpucmd_load32(vram + (SEM_VA - VRAM_VA) + 16 * i, GPUCMD_LITTLE_ENDIAN) == 1,
             "each channel wrote its semaphore");
    }
    return 0;
}

/* Output:
 * 1. Four streams. Each is right by itself.
 *    channel 1 waits for semaphore 1, then writes semaphore 0
 *    channel 2 waits for semaphore 2, then writes semaphore 1
 *    channel 3 waits for semaphore 0, then writes semaphore 2
 *    channel 4 waits for semaphore 7, then writes semaphore 3
 * 2. Together: 100 words each in turn, 10000 in all.
 *    run_all: BLOCKED, a deadlock
 * 3. Who waits for what, and whose words to come would end the wait:
 * channel 1 at 0x100000114 waits for 0x100008010 ACQUIRE 0x1, memory holds 0x0
 *   channel 2 would release it, in a cycle
 * channel 2 at 0x100001114 waits for 0x100008020 ACQUIRE 0x1, memory holds 0x0
 *   channel 3 would release it, in a cycle
 * channel 3 at 0x100002114 waits for 0x100008000 ACQUIRE 0x1, memory holds 0x0
 *   channel 1 would release it, in a cycle
 * channel 4 at 0x100003114 waits for 0x100008070 ACQUIRE 0x1, memory holds 0x0
 *   nobody writes there
 * 4. The ring comes apart if one of its channels need not wait the first time.
 *    CPU writes semaphore 0 at 0x100008000
 *    run_all: BLOCKED, 1 blocked
 * 5. What nobody writes only the CPU can give.
 *    CPU writes semaphore 7 at 0x100008070
 *    run_all: IDLE, 0 blocked
 */

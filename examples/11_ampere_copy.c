/* 11_ampere_copy.c - a copy on Ampere between two semaphores.
 *
 * You learn: recipes, which write whole operations; how a channel waits for the
 * CPU, copies, and reports; the trace function.
 * Read first: 01_first_words.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x1000000000ull

enum { RING = 0, WORDS = 0x1000, SEM = 0x2000, SRC = 0x4000, DST = 0x8000, TEXT_BYTES = 12 };

static uint64_t vram_qw[0x10000 / 8];

/* Step 1: bind the copy engine, wait until the semaphore is at least 6, copy,
 * set the semaphore to 7 and store the time, interrupt. */
static gpucmd_status write_words(uint32_t *dw, size_t cap_dw, size_t *len_dw)
{
    gpucmd_writer w;
    gpucmd_writer_init(&w, dw, cap_dw);
    gpucmd_nv_emit_set_object(&w, CHIP, 4, gpucmd_nv_copy_class(CHIP));
    gpucmd_nv_emit_sem_acquire(&w, CHIP, GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, VRAM_VA + SEM, 6,
                               GPUCMD_NV_SEM_64BIT);
    gpucmd_nv_emit_ce_copy_linear(&w, CHIP, 4, VRAM_VA + DST, VRAM_VA + SRC, TEXT_BYTES);
    gpucmd_nv_emit_sem_release(&w, CHIP, VRAM_VA + SEM, 7,
                               GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI);
    gpucmd_nv_emit_non_stall_interrupt(&w, CHIP);
    return gpucmd_writer_finish(&w, len_dw);
}

/* The trace function sees each effect before it happens. */
static gpucmd_status on_trace(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind != GPUCMD_EVENT_FETCH) {
        printf("   GPU: %-9s va 0x%llx value 0x%llx\n", gpucmd_event_name(event->kind),
               (unsigned long long)event->va, (unsigned long long)event->value);
    }
    return GPUCMD_OK;
}

int main(void)
{
    uint8_t *const vram = (uint8_t *)vram_qw;
    const gpucmd_region region = {VRAM_VA, sizeof vram_qw, vram_qw,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    static gpucmd_nv_channel channel;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    uint32_t dw[64];
    uint32_t entry[2];
    size_t len_dw = 0;

    /* Step 2: a channel over the memory; one IB entry names the words. */
    if (write_words(dw, 64, &len_dw) != GPUCMD_OK ||
        gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&channel, CHIP, &card) != GPUCMD_OK ||
        gpucmd_nv_encode_entry(entry, CHIP, VRAM_VA + WORDS, (uint32_t)len_dw, 0) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_store_words(vram + RING, entry, 2, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(vram + WORDS, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    memcpy(vram + SRC, "hello, copy", TEXT_BYTES);
    channel.pbdma.gp_base = VRAM_VA + RING;
    channel.pbdma.limit2 = 1; /* log2 of the entries of the ring */
    channel.pbdma.gp_put = 1;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.trace = on_trace;
    card.clock_ns = 1000;

    /* Step 3: run. The semaphore is 0, so the channel waits for the CPU. */
    printf("1. %u words, first run:\n", (unsigned)len_dw);
    printf("   %s\n", gpucmd_run_name(gpucmd_nv_channel_run(&channel, &env, 1000)));

    /* Step 4: the CPU writes 6, and the channel continues. */
    printf("2. Second run:\n");
    gpucmd_store64(vram + SEM, 6, GPUCMD_LITTLE_ENDIAN);
    printf("   %s\n", gpucmd_run_name(gpucmd_nv_channel_run(&channel, &env, 1000)));
    printf("3. semaphore %u, time %u ns, destination \"%s\"\n",
           (unsigned)gpucmd_load64(vram + SEM, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load64(vram + SEM + 8, GPUCMD_LITTLE_ENDIAN), (char *)vram + DST);
    return strcmp((char *)vram + DST, "hello, copy") != 0;
}

/* Output:
 * 1. 25 words, first run:
 *    GPU: WAIT      va 0x1000002000 value 0x6
 *    BLOCKED
 * 2. Second run:
 *    GPU: WAKE      va 0x1000002000 value 0x6
 *    GPU: MEM_WRITE va 0x1000008000 value 0x0
 *    GPU: MEM_WRITE va 0x1000002008 value 0x3e8
 *    GPU: MEM_WRITE va 0x1000002000 value 0x7
 *    GPU: INTERRUPT va 0x0 value 0x0
 *    IDLE
 * 3. semaphore 7, time 1000 ns, destination "hello, copy"
 */

/* A copy on Ampere: bind the copy engine, copy, release a semaphore, and see it from the CPU.
 *
 * You learn: how a driver submits through an IB ring and the doorbell of Volta and later, what the
 * words look like, and what they leave in memory. Read 02_measure_then_write.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include <stdio.h>
#include <string.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x1000000000ull
#define RING_VA VRAM_VA
#define PB_VA   (VRAM_VA + 0x1000)
#define SEM_VA  (VRAM_VA + 0x2000)
#define SRC_VA  (VRAM_VA + 0x4000)
#define DST_VA  (VRAM_VA + 0x8000)

enum { TOKEN = 0x00050023 }; /* runlist 5, channel 0x23 [USER] */

static uint64_t vram_words[0x10000 / 8];
static uint8_t *vram = (uint8_t *)vram_words;
static gpucmd_nv_channel channel; /* plays the GPU */
static gpucmd_nv_card card;

/* The usermode region: the model's channel runs when its token arrives. */
static void ring_doorbell(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    printf("doorbell + 0x%02x = 0x%08x, GP_PUT is %u\n", (unsigned)off_bytes, (unsigned)v,
           (unsigned)gpucmd_nv_channel_read32(&channel, GPUCMD_NV_AREA_IB_PUT));
    if (off_bytes == GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING && v == TOKEN) {
        printf("GPU: %s\n", gpucmd_run_name(gpucmd_nv_channel_run(&channel, &card, 1000)));
    }
}

/* Methods that the model does not know, and interrupts. */
static gpucmd_status on_event(void *user, const gpucmd_event *event)
{
    (void)user;
    printf("GPU: %s\n", gpucmd_event_name(event->kind));
    return GPUCMD_OK;
}

int main(void)
{
    const gpucmd_region region = {VRAM_VA, sizeof vram_words, vram_words,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    const gpucmd_mmio area = {gpucmd_nv_channel_read32, gpucmd_nv_channel_write32, &channel};
    const gpucmd_mmio usermode = {NULL, ring_doorbell, NULL};
    gpucmd_mem mem;
    gpucmd_nv_gpfifo fifo;
    gpucmd_writer w;
    uint32_t words[64];
    size_t len_dw = 0;

    /* Step 1: the channel, as the kernel would create it: a ring of 2^3 entries. */
    if (gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&channel, CHIP, 0x23) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nv_card_init(&card, &mem);
    card.event = on_event;
    card.clock_ns = 1000;
    channel.pbdma.gp_base = RING_VA;
    channel.pbdma.limit2 = 3;

    /* Step 2: the words. Recipes know the chip's form of each method. */
    gpucmd_writer_init(&w, words, 64);
    gpucmd_nv_emit_set_object(&w, CHIP, 4, gpucmd_nv_copy_class(CHIP));
    gpucmd_nv_emit_sem_acquire(&w, CHIP, GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM_VA, 6,
                               GPUCMD_NV_SEM_64BIT);
    gpucmd_nv_emit_ce_copy_linear(&w, CHIP, 4, DST_VA, SRC_VA, 12);
    gpucmd_nv_emit_sem_release(&w, CHIP, SEM_VA, 7,
                               GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI);
    gpucmd_nv_emit_non_stall_interrupt(&w, CHIP);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        return 1;
    }
    for (size_t i = 0; i < len_dw; i++) {
        printf("%08x%c", (unsigned)words[i], i % 8 == 7 || i + 1 == len_dw ? '\n' : ' ');
    }
    gpucmd_store_words(vram + (PB_VA - VRAM_VA), words, len_dw, GPUCMD_LITTLE_ENDIAN);
    memcpy(vram + (SRC_VA - VRAM_VA), "hello, copy", 12);

    /* Step 3: entry into the ring, GP_PUT, doorbell; the semaphore still holds 0, so the channel
     * waits: it is blocked at SEM_EXECUTE. */
    if (gpucmd_nv_gpfifo_init(&fifo, CHIP, vram, 3, &area, &usermode, TOKEN) != GPUCMD_OK ||
        gpucmd_nv_gpfifo_push(&fifo, PB_VA, (uint32_t)len_dw, GPUCMD_NV_ENTRY_SUBROUTINE) !=
            GPUCMD_OK) {
        return 1;
    }
    printf("entry %08x %08x\n", (unsigned)gpucmd_load32(vram, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load32(vram + 4, GPUCMD_LITTLE_ENDIAN));
    gpucmd_nv_gpfifo_kick(&fifo);
    printf("waits for 0x%llx to reach %u\n", (unsigned long long)channel.puller.wait.va,
           (unsigned)channel.puller.wait.payload);

    /* Step 4: the CPU signals; the GPU goes on, copies, releases, interrupts. */
    gpucmd_store64(vram + (SEM_VA - VRAM_VA), 6, GPUCMD_LITTLE_ENDIAN);
    printf("CPU: semaphore = 6\n");
    printf("GPU: %s\n", gpucmd_run_name(gpucmd_nv_channel_run(&channel, &card, 1000)));

    /* Step 5: what the CPU finds. */
    printf("semaphore = %u at %u ns, destination holds \"%s\"\n",
           (unsigned)gpucmd_load64(vram + (SEM_VA - VRAM_VA), GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load64(vram + (SEM_VA - VRAM_VA) + 8, GPUCMD_LITTLE_ENDIAN),
           (const char *)(vram + (DST_VA - VRAM_VA)));
    return 0;
}

/* Output:
 * 20018000 0000c7b5 20050017 00002000 00000010 00000006 00000000 01000003
 * 20048100 00000010 00004000 00000010 00008000 20018106 0000000c 200180c0
 * 00000182 20050017 00002000 00000010 00000007 00000000 03100001 20010008
 * 00000000
 * entry 00001000 00006610
 * doorbell + 0x90 = 0x00050023, GP_PUT is 1
 * GPU: BLOCKED
 * waits for 0x1000002000 to reach 6
 * CPU: semaphore = 6
 * GPU: INTERRUPT
 * GPU: IDLE
 * semaphore = 7 at 1000 ns, destination holds "hello, copy"
 */

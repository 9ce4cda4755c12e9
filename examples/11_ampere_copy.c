/* A copy on Ampere: bind the copy engine, copy, release a semaphore, and see it from the CPU.
 *
 * You learn: how a driver submits through an IB ring and the doorbell of Volta and later, what the
 * words look like, and what they leave in memory. Read 02_measure_then_write.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x1000000000ull
#define PB_VA   (VRAM_VA + 0x1000)
#define SEM_VA  (VRAM_VA + 0x2000)
#define SRC_VA  (VRAM_VA + 0x4000)
#define DST_VA  (VRAM_VA + 0x8000)

enum { RUNLIST = 5, CHANNEL = 0x23, RING_ORDER = 3, COPY_BYTES = 12 };

static uint64_t vram_words[0x10000 / 8]; /* the ring lies at its beginning */
static uint8_t *vram = (uint8_t *)vram_words;
static gpucmd_nv_channel channel; /* plays the GPU */
static gpucmd_nv_card card;

/* Every step says what must hold after it. */
static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("this does not hold: %s\n", what);
        exit(1);
    }
}

/* What the GPU does that others can see. */
static gpucmd_status on_trace(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind != GPUCMD_EVENT_FETCH) {
        printf("   GPU: %-9s va 0x%llx value 0x%llx\n", gpucmd_event_name(event->kind),
               (unsigned long long)event->va, (unsigned long long)event->value);
    }
    return GPUCMD_OK;
}

/* The doorbell's token named a channel. */
static void on_doorbell(void *user, size_t place)
{
    (void)user;
    printf("   GPU: channel %u has work, GP_PUT is %u\n", (unsigned)channel.id,
           (unsigned)channel.pbdma.gp_put);
    must(place == 0 && gpucmd_nv_channel_run(&channel, &card, 1000) == GPUCMD_RUN_BLOCKED,
         "the channel waits for its semaphore");
}

/* Bind, wait until the semaphore has reached 6, copy, set it to 7 with the time, interrupt. */
static size_t write_words(uint32_t *words, size_t cap_dw)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, words, cap_dw);
    gpucmd_nv_emit_set_object(&w, CHIP, 4, gpucmd_nv_copy_class(CHIP));
    gpucmd_nv_emit_sem_acquire(&w, CHIP, GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, SEM_VA, 6,
                               GPUCMD_NV_SEM_64BIT);
    gpucmd_nv_emit_ce_copy_linear(&w, CHIP, 4, DST_VA, SRC_VA, COPY_BYTES);
    gpucmd_nv_emit_sem_release(&w, CHIP, SEM_VA, 7,
                               GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI);
    gpucmd_nv_emit_non_stall_interrupt(&w, CHIP);
    must(gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK, "all words fit and are legal");
    return len_dw;
}

/* Name of a method: the host's below 0x100, else the copy engine's, from their rows. */
static const char *name_of(uint32_t mthd)
{
#define NAME(name, row_mthd, src)                                                                  \
    if (mthd == (row_mthd) && strncmp(#name, "COPY_", 5) == 0) {                                   \
        return &#name[5];                                                                          \
    }
    GPUCMD_NV_ENGINE_METHODS(NAME)
#undef NAME
    return gpucmd_nv_host_method_name(CHIP, mthd);
}

/* Each run: header word, then the method that every data word goes to. */
static void show_words(const uint32_t *words, size_t len_dw)
{
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    must(gpucmd_nv_gate_init(&gate, CHIP, true, false, GPUCMD_NV_FMT_NEW) == GPUCMD_OK, "gate");
    gpucmd_nv_walk_init(&walk, &gate);
    gpucmd_nv_walk_segment(&walk, words, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        printf("   %08x  subchannel %u\n", (unsigned)cmd.data[-1], (unsigned)cmd.subc);
        for (uint32_t i = 0; i < cmd.count_dw; i++) {
            const uint32_t mthd = gpucmd_nv_mthd_at(CHIP, cmd.kind, cmd.mthd, i);
            printf("     %08x  0x%04x %s\n", (unsigned)cmd.data[i], (unsigned)mthd, name_of(mthd));
        }
    }
}

int main(void)
{
    const gpucmd_region region = {VRAM_VA, sizeof vram_words, vram_words,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    const gpucmd_mmio area = {gpucmd_nv_channel_read32, gpucmd_nv_channel_write32, &channel};
    gpucmd_nv_mmio user = {CHIP, &channel, 1, RUNLIST, &card, on_doorbell, NULL, NULL};
    const gpucmd_mmio usermode = {gpucmd_nv_usermode_read32, gpucmd_nv_usermode_write32, &user};
    gpucmd_mem mem;
    gpucmd_nv_gpfifo fifo;
    uint32_t words[64];
    uint32_t token = 0;

    printf("1. The kernel makes the channel, its ring of 8 entries, its doorbell token.\n");
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK &&
             gpucmd_nv_channel_init(&channel, CHIP, CHANNEL) == GPUCMD_OK &&
             gpucmd_nv_encode_token(CHIP, RUNLIST, CHANNEL, &token) == GPUCMD_OK,
         "chip, channel and runlist exist");
    gpucmd_nv_card_init(&card, &mem);
    card.trace = on_trace;
    card.clock_ns = 1000;
    channel.pbdma.gp_base = VRAM_VA;
    channel.pbdma.limit2 = RING_ORDER;
    printf("   token 0x%08x: runlist %d, channel %d\n", (unsigned)token, RUNLIST, CHANNEL);

    printf("2. The driver writes words: bind, wait, copy, release, interrupt.\n");
    const size_t len_dw = write_words(words, 64);
    show_words(words, len_dw);
    gpucmd_store_words(vram + (PB_VA - VRAM_VA), words, len_dw, GPUCMD_LITTLE_ENDIAN);
    memcpy(vram + (SRC_VA - VRAM_VA), "hello, copy", COPY_BYTES);

    printf("3. An entry names the words: address, length in bits 62:42, bit 41 not MAIN.\n");
    must(gpucmd_nv_gpfifo_init(&fifo, CHIP, vram, RING_ORDER, &area, &usermode, token) ==
                 GPUCMD_OK &&
             gpucmd_nv_gpfifo_push(&fifo, PB_VA, (uint32_t)len_dw, GPUCMD_NV_ENTRY_SUBROUTINE) ==
                 GPUCMD_OK,
         "the ring has room");
    const uint64_t entry = gpucmd_load64(vram, GPUCMD_LITTLE_ENDIAN);
    printf("   entry 0x%016llx\n", (unsigned long long)entry);
    must(entry == (PB_VA | (uint64_t)len_dw << 42 | (uint64_t)1 << 41), "the entry's bits");
    must(channel.pbdma.gp_put == 0, "the GPU knows nothing yet");

    printf("4. Kick: barrier, GP_PUT, barrier, token. The semaphore holds 0: the GPU waits.\n");
    gpucmd_nv_gpfifo_kick(&fifo);
    must(channel.puller.wait.active && channel.puller.wait.va == SEM_VA, "it waits");

    printf("5. The CPU sets the semaphore to 6: the GPU wakes, copies, releases, interrupts.\n");
    gpucmd_store64(vram + (SEM_VA - VRAM_VA), 6, GPUCMD_LITTLE_ENDIAN);
    must(gpucmd_nv_channel_run(&channel, &card, 1000) == GPUCMD_RUN_IDLE, "all is done");

    const uint8_t *sem = vram + (SEM_VA - VRAM_VA);
    const char *text = (const char *)(vram + (DST_VA - VRAM_VA));
    printf("6. The CPU finds semaphore %u, time %u ns, and \"%s\" at the destination.\n",
           (unsigned)gpucmd_load64(sem, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load64(sem + 8, GPUCMD_LITTLE_ENDIAN), text);
    must(gpucmd_load64(sem, GPUCMD_LITTLE_ENDIAN) == 7 && strcmp(text, "hello, copy") == 0,
         "semaphore and copy");
    must(gpucmd_nv_channel_read32(&channel, GPUCMD_NV_AREA_IB_GET) == 1, "GP_GET has followed");
    return 0;
}

/* Output:
 * 1. The kernel makes the channel, its ring of 8 entries, its doorbell token.
 *    token 0x00050023: runlist 5, channel 35
 * 2. The driver writes words: bind, wait, copy, release, interrupt.
 *    20018000  subchannel 4
 *      0000c7b5  0x0000 SET_OBJECT
 *    20050017  subchannel 0
 *      00002000  0x005c SEM_ADDR_LO
 *      00000010  0x0060 SEM_ADDR_HI
 *      00000006  0x0064 SEM_PAYLOAD_LO
 *      00000000  0x0068 SEM_PAYLOAD_HI
 *      01000003  0x006c SEM_EXECUTE
 *    20048100  subchannel 4
 *      00000010  0x0400 OFFSET_IN_UPPER
 *      00004000  0x0404 OFFSET_IN_LOWER
 *      00000010  0x0408 OFFSET_OUT_UPPER
 *      00008000  0x040c OFFSET_OUT_LOWER
 *    20018106  subchannel 4
 *      0000000c  0x0418 LINE_LENGTH_IN
 *    200180c0  subchannel 4
 *      00000182  0x0300 LAUNCH_DMA
 *    20050017  subchannel 0
 *      00002000  0x005c SEM_ADDR_LO
 *      00000010  0x0060 SEM_ADDR_HI
 *      00000007  0x0064 SEM_PAYLOAD_LO
 *      00000000  0x0068 SEM_PAYLOAD_HI
 *      03100001  0x006c SEM_EXECUTE
 *    20010008  subchannel 0
 *      00000000  0x0020 NON_STALL_INTERRUPT
 * 3. An entry names the words: address, length in bits 62:42, bit 41 not MAIN.
 *    entry 0x0000661000001000
 * 4. Kick: barrier, GP_PUT, barrier, token. The semaphore holds 0: the GPU waits.
 *    GPU: channel 35 has work, GP_PUT is 1
 *    GPU: WAIT      va 0x1000002000 value 0x6
 * 5. The CPU sets the semaphore to 6: the GPU wakes, copies, releases, interrupts.
 *    GPU: WAKE      va 0x1000002000 value 0x6
 *    GPU: MEM_WRITE va 0x1000002008 value 0x3e8
 *    GPU: MEM_WRITE va 0x1000002000 value 0x7
 *    GPU: INTERRUPT va 0x0 value 0x0
 * 6. The CPU finds semaphore 7, time 1000 ns, and "hello, copy" at the destination.
 */

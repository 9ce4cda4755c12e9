/* 15_doorbell.c - submission through a GPFIFO and the doorbell of Volta and later.
 *
 * You learn: IB entries, GP_PUT, the token of the doorbell, the order of the
 * stores, and what a driver does when the ring is full.
 * Read first: 11_ampere_copy.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x1000000000ull

enum { WORDS = 0x1000, SEM = 0x2000, RUNLIST = 5, CHANNEL = 0x23, ORDER = 2, JOBS = 4 };

static uint64_t vram_qw[0x4000 / 8]; /* the ring of 4 entries lies at offset 0 */
static gpucmd_nv_channel channel;
static gpucmd_nv_card card;
static gpucmd_env env;

/* The driver's register writes: print each, then let the GPU see it. */
static void area_write(void *user, uint64_t off_bytes, uint32_t v)
{
    printf("   control area + 0x%02x <- %u (GP_PUT)\n", (unsigned)off_bytes, (unsigned)v);
    gpucmd_nv_channel_write32(user, off_bytes, v);
}

static void usermode_write(void *user, uint64_t off_bytes, uint32_t v)
{
    printf("   usermode + 0x%02x <- 0x%08x (doorbell)\n", (unsigned)off_bytes, (unsigned)v);
    gpucmd_nv_usermode_write32(user, off_bytes, v);
}

/* The ring is full. A driver would sleep; here the GPU executes a few words. */
static gpucmd_status wait_for_room(void *user, uint32_t try_count)
{
    (void)user;
    printf("   full, try %u: GP_GET %u\n", (unsigned)try_count, (unsigned)channel.pbdma.gp_get);
    return gpucmd_nv_channel_run(&channel, &env, 7) == GPUCMD_RUN_FAULT ? GPUCMD_FAULT : GPUCMD_OK;
}

/* Step 3: words of one job at a place of its own, then the entry that names
 * them, then the submit: barrier, GP_PUT, barrier, doorbell. */
static gpucmd_status submit(gpucmd_nv_gpfifo *fifo, uint32_t job)
{
    const uint64_t off_bytes = WORDS + 0x40 * (uint64_t)job;
    uint32_t dw[16];
    size_t len_dw = 0;
    gpucmd_writer w;
    gpucmd_status status;
    gpucmd_writer_init(&w, dw, 16);
    gpucmd_nv_emit_sem_release(&w, CHIP, VRAM_VA + SEM, job, 0);
    status = gpucmd_writer_finish(&w, &len_dw);
    if (status == GPUCMD_OK) {
        gpucmd_store_words((uint8_t *)vram_qw + off_bytes, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
        status = gpucmd_nv_gpfifo_push(fifo, VRAM_VA + off_bytes, (uint32_t)len_dw, 0);
    }
    if (status == GPUCMD_OK) {
        printf("job %u is entry %u\n", (unsigned)job, (unsigned)((fifo->put - 1) & fifo->mask));
        gpucmd_nv_gpfifo_submit(fifo);
    }
    return status;
}

int main(void)
{
    static const gpucmd_region region = {VRAM_VA, sizeof vram_qw, vram_qw,
                                         GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_nv_mmio regs = {CHIP, &channel, 1, RUNLIST, &card, NULL, NULL, NULL};
    const gpucmd_mmio area = {gpucmd_nv_channel_read32, area_write, &channel};
    const gpucmd_mmio usermode = {gpucmd_nv_usermode_read32, usermode_write, &regs};
    static gpucmd_mem mem;
    gpucmd_nv_gpfifo fifo;
    uint32_t token = 0;

    /* Step 1: what the kernel sets up: the channel, its ring, its token. */
    if (gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&channel, CHIP, &card) != GPUCMD_OK ||
        gpucmd_nv_encode_token(CHIP, RUNLIST, CHANNEL, &token) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nv_card_init(&card);
    channel.id = CHANNEL;
    gpucmd_env_init(&env, &mem, NULL, NULL);
    channel.pbdma.gp_base = VRAM_VA;
    channel.pbdma.limit2 = ORDER;

    /* Step 2: the driver's side of the ring. */
    if (gpucmd_nv_gpfifo_init(&fifo, CHIP, vram_qw, ORDER, &area, &usermode, token) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nv_gpfifo_set_wait(&fifo, wait_for_room, NULL, GPUCMD_WAIT_TRIES);
    for (uint32_t job = 1; job <= JOBS; job++) {
        if (submit(&fifo, job) != GPUCMD_OK) {
            return 1;
        }
    }

    /* Step 4: the GPU executes the rest. */
    printf("%s, ", gpucmd_run_name(gpucmd_nv_channel_run(&channel, &env, 1000)));
    printf("semaphore %u\n",
           (unsigned)gpucmd_load32((uint8_t *)vram_qw + SEM, GPUCMD_LITTLE_ENDIAN));
    return 0;
}

/* Output:
 * job 1 is entry 0
 *    control area + 0x8c <- 1 (GP_PUT)
 *    usermode + 0x90 <- 0x00050023 (doorbell)
 * job 2 is entry 1
 *    control area + 0x8c <- 2 (GP_PUT)
 *    usermode + 0x90 <- 0x00050023 (doorbell)
 * job 3 is entry 2
 *    control area + 0x8c <- 3 (GP_PUT)
 *    usermode + 0x90 <- 0x00050023 (doorbell)
 *    full, try 0: GP_GET 0
 * job 4 is entry 3
 *    control area + 0x8c <- 0 (GP_PUT)
 *    usermode + 0x90 <- 0x00050023 (doorbell)
 * IDLE, semaphore 4
 */

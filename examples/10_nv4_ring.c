/* 10_nv4_ring.c - a ring as NV4 until GF100 read it, with a subroutine.
 *
 * You learn: room, words, submit; the wrap; waiting for GET; a subroutine outside
 * the ring, and which register tells where the GPU is meanwhile.
 * Read first: 01_first_words.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

enum { RING_VA = 0x10000, RING_DW = 12, SUBR_VA = 0x20000, FRAMES = 4 };

typedef struct gpu {
    gpucmd_nv_pusher pusher;
    gpucmd_env env;
} gpu;

static gpucmd_status arrived(void *user, const gpucmd_event *event)
{
    (void)user;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        printf("        GPU: %04x = %x\n", event->addr + 4 * i, event->data[i]);
    }
    return GPUCMD_OK;
}

/* No room: a driver would sleep. This GPU takes two words at a time. */
static gpucmd_status gpu_works(void *user, uint32_t try_count)
{
    gpu *g = (gpu *)user;
    const gpucmd_run run = gpucmd_nv_pusher_run(&g->pusher, &g->env, 2);
    return try_count < 100 && run != GPUCMD_RUN_FAULT ? GPUCMD_OK : GPUCMD_LIMIT;
}

/* Step 1: the subroutine is written once, before anybody calls it. */
static gpucmd_status write_subroutine(uint32_t *dw, size_t cap_dw)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dw, cap_dw);
    gpucmd_nv_emit_old_inc1(&w, 7, 0x1800, 0xaa);
    gpucmd_nv_emit_return(&w);
    return gpucmd_writer_finish(&w, &len_dw);
}

/* Step 4: room for three words, the words, and then PUT. */
static gpucmd_status submit_frame(gpucmd_nv_ring *ring, uint32_t frame)
{
    gpucmd_writer w;
    gpucmd_status status = gpucmd_nv_ring_begin(ring, 3, &w);
    if (status != GPUCMD_OK) {
        return status;
    }
    printf("driver writes frame %u at %x\n", frame, RING_VA + 4 * ring->put_dw);
    gpucmd_nv_emit_old_inc1(&w, 0, 0x0104, frame);
    gpucmd_nv_emit_call(&w, SUBR_VA);
    status = gpucmd_nv_ring_end(ring, &w);
    gpucmd_nv_ring_submit(ring);
    return status;
}

int main(void)
{
    static uint32_t ring_dw[RING_DW];
    static uint32_t subr_dw[4];
    const gpucmd_region regions[] = {
        {RING_VA, sizeof ring_dw, ring_dw, GPUCMD_ACCESS_READ},
        {SUBR_VA, sizeof subr_dw, subr_dw, GPUCMD_ACCESS_READ},
    };
    gpu g;
    gpucmd_mem mem;
    const gpucmd_mmio area = {gpucmd_nv_pusher_read32, gpucmd_nv_pusher_write32, &g.pusher};
    gpucmd_nv_ring ring;

    /* Step 2: the kernel maps both and points the channel at the ring. */
    if (write_subroutine(subr_dw, 4) != GPUCMD_OK ||
        gpucmd_nv_pusher_init(&g.pusher, GPUCMD_NV_CHIP_NV40) != GPUCMD_OK ||
        gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_env_init(&g.env, &mem, arrived, NULL);
    g.pusher.dma_get = RING_VA;
    g.pusher.dma_put = RING_VA;

    /* Step 3: the ring. It polls DMA_CGET: the caller, while a subroutine
     * runs. */
    if (gpucmd_nv_ring_init(&ring, GPUCMD_NV_CHIP_NV40, ring_dw, RING_VA, RING_DW, 0, &area) !=
        GPUCMD_OK) {
        return 1;
    }
    gpucmd_nv_ring_set_wait(&ring, gpu_works, &g, GPUCMD_WAIT_TRIES);
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        if (submit_frame(&ring, frame) != GPUCMD_OK) {
            return 1;
        }
    }

    /* Step 5: the GPU finishes. */
    printf("GPU: %s\n", gpucmd_run_name(gpucmd_nv_pusher_run(&g.pusher, &g.env, 1000)));
    return 0;
}

/* Output:
 * driver writes frame 1 at 10000
 * driver writes frame 2 at 1000c
 * driver writes frame 3 at 10018
 *         GPU: 0104 = 1
 *         GPU: 1800 = aa
 *         GPU: 0104 = 2
 * driver writes frame 4 at 10000
 *         GPU: 1800 = aa
 *         GPU: 0104 = 3
 *         GPU: 1800 = aa
 *         GPU: 0104 = 4
 *         GPU: 1800 = aa
 * GPU: IDLE
 */

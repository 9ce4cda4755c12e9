/* 12_sli_mask.c - one pushbuffer for two GPUs, each taking its own part.
 *
 * You learn: the subdevice mask before and since GF100, what a GPU that is not
 * addressed does with the words, SLI_STORE and SLI_USE.
 * Read first: 01_first_words.c, 10_nv4_ring.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

enum { LEFT = 1, RIGHT = 2, WORDS_VA = 0x1000 };

/* Step 1: both GPUs read the same words. The mask says who takes what follows;
 * it stays until the next one, so the last mask names all again. */
static void write_nv40(gpucmd_writer *w)
{
    gpucmd_nv_emit_old_inc1(w, 7, 0x0200, 0xb07); /* both */
    gpucmd_nv_emit_sli_cond(w, LEFT);
    gpucmd_nv_emit_old_inc1(w, 7, 0x0200, 0x1ef7);
    gpucmd_nv_emit_sli_cond(w, RIGHT);
    gpucmd_nv_emit_old_inc1(w, 7, 0x0200, 0x419);
    gpucmd_nv_emit_sli_cond(w, LEFT | RIGHT);
}

/* GF100 and later can store a mask and use it later. */
static void write_gf100(gpucmd_writer *w)
{
    gpucmd_nv_emit_sli_store(w, LEFT | RIGHT);
    gpucmd_nv_emit_sli_cond(w, LEFT);
    gpucmd_nv_emit_inc1(w, 0, 0x0200, 0x1ef7);
    gpucmd_nv_emit_sli_cond(w, RIGHT);
    gpucmd_nv_emit_inc1(w, 0, 0x0200, 0x419);
    gpucmd_nv_emit_sli_use(w);
    gpucmd_nv_emit_immd(w, 0, 0x0200, 0xb07);
}

static gpucmd_status arrived(void *user, const gpucmd_event *event)
{
    (void)user;
    printf(" 0x%x", (unsigned)event->data[0]);
    return GPUCMD_OK;
}

/* Step 2: execute the words as one GPU; self is its bit in the mask. */
static gpucmd_run run_nv40(const gpucmd_env *env, size_t len_dw, uint32_t self)
{
    gpucmd_nv_pusher p;
    if (gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_NV40) != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    p.sli_enable = true; /* the kernel's switch: without it the mask is an error */
    p.sli_mask = self;
    p.dma_get = WORDS_VA;
    p.dma_put = WORDS_VA + 4 * len_dw;
    return gpucmd_nv_pusher_run(&p, env, 1000);
}

static gpucmd_run run_gf100(const gpucmd_env *env, size_t len_dw, uint32_t self)
{
    gpucmd_nv_pbdma p;
    if (gpucmd_nv_pbdma_init(&p, GPUCMD_NV_CHIP_GF100) != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    p.subdevice = GPUCMD_FIELD_PUT(NV_SUBDEVICE_ID, self) |
                  GPUCMD_FIELD_PUT(NV_SUBDEVICE_STATUS, 1) |
                  GPUCMD_FIELD_PUT(NV_SUBDEVICE_CHANNEL_DMA, 1);
    p.pb_get = WORDS_VA; /* as if an entry had been read */
    p.pb_put = WORDS_VA + 4 * len_dw;
    return gpucmd_nv_pbdma_run(&p, env, 1000);
}

/* Step 3: the same words, once for each GPU. */
static gpucmd_status show(bool gf100)
{
    uint32_t dw[32];
    size_t len_dw = 0;
    gpucmd_region region;
    gpucmd_writer w;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_status status;
    gpucmd_writer_init(&w, dw, 32);
    if (gf100) {
        write_gf100(&w);
    } else {
        write_nv40(&w);
    }
    status = gpucmd_writer_finish(&w, &len_dw);
    region.va = WORDS_VA;
    region.bytes = 4 * len_dw;
    region.host = dw;
    region.access_mask = GPUCMD_ACCESS_READ;
    if (status == GPUCMD_OK) {
        status = gpucmd_mem_init(&mem, &region, 1);
    }
    gpucmd_env_init(&env, &mem, arrived, NULL);
    for (uint32_t self = LEFT; self <= RIGHT && status == GPUCMD_OK; self++) {
        gpucmd_run run;
        printf("%s, %s GPU:", gf100 ? "GF100" : "NV40", self == LEFT ? "left" : "right");
        run = gf100 ? run_gf100(&env, len_dw, self) : run_nv40(&env, len_dw, self);
        printf(" (%s)\n", gpucmd_run_name(run));
    }
    return status;
}

int main(void)
{
    return show(false) != GPUCMD_OK || show(true) != GPUCMD_OK;
}

/* Output:
 * NV40, left GPU: 0xb07 0x1ef7 (IDLE)
 * NV40, right GPU: 0xb07 0x419 (IDLE)
 * GF100, left GPU: 0x1ef7 0xb07 (IDLE)
 * GF100, right GPU: 0x419 0xb07 (IDLE)
 */

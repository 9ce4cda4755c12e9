/* 02_measure_then_write.c - know the size before there is a buffer.
 *
 * You learn: the measuring pass, a buffer that is too short, constant words, a
 * block of ready words.
 * Read first: 01_first_words.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <stdlib.h>

enum { CE = 4 }; /* subchannel of the copy engine, by custom */

/* Words that never change need no writer. What is out of range here does not
 * compile. */
static const uint32_t setup[] = {
    GPUCMD_NV_INC(CE, 0x0000, 1), 0xc7b5, /* bind the class of GA102 */
    GPUCMD_NV_IMMD(CE, 0x0700, 0),        /* no remapping */
};

/* Step 1: one function writes the stream, whoever the writer belongs to. */
static void write_copies(gpucmd_writer *w, uint32_t copies)
{
    gpucmd_writer_emit_words(w, setup, sizeof setup / sizeof setup[0]);
    for (uint32_t i = 0; i < copies; i++) {
        const uint32_t address[4] = {0, 0x100000 + i * 0x1000, 0, 0x200000 + i * 0x1000};
        gpucmd_nv_emit_inc(w, CE, 0x0400, address, 4);
        gpucmd_nv_emit_inc1(w, CE, 0x0418, 0x1000);
        gpucmd_nv_emit_immd(w, CE, 0x0300, 0x182);
    }
}

/* Words that arrive, counted. */
static gpucmd_status arrived(void *user, const gpucmd_event *event)
{
    unsigned *launches = (unsigned *)user;
    *launches += event->addr == 0x0300;
    return GPUCMD_OK;
}

static gpucmd_run run_words(uint32_t *dw, size_t len_dw, unsigned *launches)
{
    gpucmd_region region;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_nv_pbdma pbdma;
    region.va = 0x2000;
    region.bytes = len_dw * 4;
    region.host = dw;
    region.access_mask = GPUCMD_ACCESS_READ;
    if (gpucmd_nv_pbdma_init(&pbdma, GPUCMD_NV_CHIP_GA102) != GPUCMD_OK ||
        gpucmd_mem_init(&mem, &region, 1) != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    pbdma.pb_get = 0x2000; /* as if an entry had been read */
    pbdma.pb_put = 0x2000 + len_dw * 4;
    gpucmd_env_init(&env, &mem, arrived, launches);
    return gpucmd_nv_pbdma_run(&pbdma, &env, 10000);
}

int main(void)
{
    uint32_t small[20];
    uint32_t *buf;
    size_t len_dw = 0;
    size_t need_dw;
    unsigned launches = 0;
    gpucmd_writer w;
    gpucmd_run run;

    /* Step 2: without a buffer the writer only counts. */
    gpucmd_writer_init(&w, NULL, 0);
    write_copies(&w, 10);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        return 1;
    }
    printf("measured: %u words\n", (unsigned)len_dw);

    /* Step 3: a buffer that is too short keeps whole commands, and tells
     * too. */
    gpucmd_writer_init(&w, small, 20);
    write_copies(&w, 10);
    printf("20 words: %s, %u written, %u needed\n",
           gpucmd_status_name(gpucmd_writer_finish(&w, &len_dw)), (unsigned)gpucmd_writer_at_dw(&w),
           (unsigned)gpucmd_writer_need_dw(&w));

    /* Step 4: write in earnest. */
    need_dw = gpucmd_writer_need_dw(&w);
    buf = (uint32_t *)malloc(need_dw * sizeof *buf);
    if (buf == NULL) {
        return 1;
    }
    gpucmd_writer_init(&w, buf, need_dw);
    write_copies(&w, 10);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        free(buf);
        return 1;
    }

    /* Step 5: run. */
    run = run_words(buf, len_dw, &launches);
    printf("run: %s, %u words, %u copies launched\n", gpucmd_run_name(run), (unsigned)len_dw,
           launches);
    free(buf);
    return run != GPUCMD_RUN_IDLE;
}

/* Output:
 * measured: 83 words
 * 20 words: FULL, 19 written, 83 needed
 * run: IDLE, 83 words, 10 copies launched
 */

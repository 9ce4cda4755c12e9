/* 01_first_words.c - write one method, look at the words, run them.
 *
 * You learn: the writer, the one place to test it, the decoder, the executor.
 * Read first: the manuals on top of gpucmd.h and gpucmd_nv.h.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

/* What the pushbuffer says reaches the engines here. */
static gpucmd_status arrived(void *user, const gpucmd_event *event)
{
    (void)user;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        printf("arrived: subchannel %u, method 0x%04x, data 0x%x\n", (unsigned)event->unit,
               (unsigned)gpucmd_nv_mthd_at(GPUCMD_NV_CHIP_GA102, (gpucmd_nv_kind)event->code,
                                           event->addr, i),
               (unsigned)event->data[i]);
    }
    return GPUCMD_OK;
}

/* Step 1: write. Nothing is tested until the end: the first failure sticks. */
static gpucmd_status write_words(uint32_t *buf, size_t cap_dw, size_t *len_dw)
{
    gpucmd_writer w;
    gpucmd_writer_init(&w, buf, cap_dw);
    gpucmd_nv_emit_inc1(&w, 0, 0x0100, 7);       /* header and one word */
    gpucmd_nv_emit_inc2(&w, 4, 0x0400, 0x12, 0); /* two methods, one header */
    gpucmd_nv_emit_immd(&w, 4, 0x0300, 0x182);   /* 13 bits fit in the header */
    return gpucmd_writer_finish(&w, len_dw);
}

/* Step 2: look, without running anything. */
static gpucmd_status print_words(const uint32_t *dw, size_t len_dw)
{
    char lines[2048];
    gpucmd_text text;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    const gpucmd_status status =
        gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, true, GPUCMD_NV_FMT_NEW);
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_text_init(&text, lines, sizeof lines);
    gpucmd_nv_walk_init(&walk, &gate, dw, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(&text, &gate, &cmd, 4 * (uint64_t)(cmd.data - cmd.head_dw - dw));
    }
    fputs(lines, stdout);
    return gpucmd_text_finish(&text);
}

/* Step 3: run. The words lie at 0x2000, where the one entry of an IB ring at
 * 0x1000 points; moving gp_put is what submits them. */
static gpucmd_run run_words(uint32_t *dw, size_t len_dw)
{
    uint32_t ring[4];
    gpucmd_region regions[2];
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_nv_pbdma pbdma;
    regions[0].va = 0x1000;
    regions[0].bytes = sizeof ring;
    regions[0].host = ring;
    regions[0].access_mask = GPUCMD_ACCESS_READ;
    regions[1].va = 0x2000;
    regions[1].bytes = len_dw * 4;
    regions[1].host = dw;
    regions[1].access_mask = GPUCMD_ACCESS_READ;
    if (gpucmd_nv_pbdma_init(&pbdma, GPUCMD_NV_CHIP_GA102) != GPUCMD_OK ||
        gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK ||
        gpucmd_nv_encode_entry(ring, GPUCMD_NV_CHIP_GA102, 0x2000, (uint32_t)len_dw, 0) !=
            GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    pbdma.gp_base = 0x1000;
    pbdma.limit2 = 1;
    pbdma.gp_put = 1;
    gpucmd_env_init(&env, &mem, arrived, NULL);
    return gpucmd_nv_pbdma_run(&pbdma, &env, 1000);
}

int main(void)
{
    uint32_t buf[16] = {0};
    size_t len_dw = 0;
    gpucmd_status status = write_words(buf, 16, &len_dw);
    if (status == GPUCMD_OK) {
        status = print_words(buf, len_dw);
    }
    if (status != GPUCMD_OK) {
        printf("%s: %s\n", gpucmd_status_name(status), gpucmd_status_text(status));
        return 1;
    }
    printf("run: %s\n", gpucmd_run_name(run_words(buf, len_dw)));
    return 0;
}

/* Output:
 * 0x000000  20010040  INC          s0 0x0100 n1
 * 0x000004  00000007               s0 0x0100
 * 0x000008  20028100  INC          s4 0x0400 n2
 * 0x00000c  00000012               s4 0x0400
 * 0x000010  00000000               s4 0x0404
 * 0x000014  818280c0  IMMD         s4 0x0300 = 0x182
 * arrived: subchannel 0, method 0x0100, data 0x7
 * arrived: subchannel 4, method 0x0400, data 0x12
 * arrived: subchannel 4, method 0x0404, data 0x0
 * arrived: subchannel 4, method 0x0300, data 0x182
 * run: IDLE
 */

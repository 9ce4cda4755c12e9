/* demo.c - the second half of `make demo`: builds a stream, submits it through
 * an NV4-style ring and through an IB ring, and shows what arrives. */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

enum { RING_VA = 0x10000, WORDS_VA = 0x20000, RING_DW = 64, TOKEN = 0x2a };

static uint32_t ring_dw[RING_DW];
static uint32_t words_dw[RING_DW];
static const gpucmd_region regions[] = {
    {RING_VA,  sizeof ring_dw,  ring_dw,  GPUCMD_ACCESS_READ},
    {WORDS_VA, sizeof words_dw, words_dw, GPUCMD_ACCESS_READ},
};
static gpucmd_mem mem;
static gpucmd_env env;

/* What the pushbuffer says reaches the engines here. */
static gpucmd_status arrived(void *user, const gpucmd_event *event)
{
    const gpucmd_nv_chip chip = *(const gpucmd_nv_chip *)user;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(chip, (gpucmd_nv_kind)event->code, event->addr, i);
        printf("    GPU   subchannel %u  method 0x%04x  data %08x%s%s\n", (unsigned)event->unit,
               (unsigned)mthd, (unsigned)event->data[i], mthd < 0x100 ? "  " : "",
               mthd < 0x100 ? gpucmd_nv_host_method_name(chip, mthd) : "");
    }
    return GPUCMD_OK;
}

static void show_words(gpucmd_nv_chip chip, const uint32_t *dw, size_t len_dw, uint32_t va)
{
    char line[1024];
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    if (gpucmd_nv_gate_init(&gate, chip, false, false, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        return;
    }
    gpucmd_nv_walk_init(&walk, &gate, dw, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        const uint32_t *first = cmd.data - cmd.head_dw;
        gpucmd_text text;
        gpucmd_text_init(&text, line, sizeof line);
        gpucmd_nv_print(&text, &gate, &cmd, va + 4 * (uint64_t)(first - dw));
        for (const char *at = line; *at != '\0'; at++) {
            if (at == line || at[-1] == '\n') {
                fputs("    ", stdout);
            }
            putchar(*at);
        }
    }
}

/* NV4-style: the words lie in the ring itself, PUT submits them. */
static bool through_ring(void)
{
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_NV40;
    gpucmd_nv_pusher gpu;
    const gpucmd_mmio area = {gpucmd_nv_pusher_read32, gpucmd_nv_pusher_write32, &gpu};
    gpucmd_nv_ring ring;
    gpucmd_writer w;
    if (gpucmd_nv_pusher_init(&gpu, chip) != GPUCMD_OK ||
        gpucmd_nv_ring_init(&ring, chip, ring_dw, RING_VA, RING_DW, 0, &area) != GPUCMD_OK) {
        return false;
    }
    gpu.dma_get = gpu.dma_put = RING_VA; /* the kernel's work */
    gpucmd_env_init(&env, &mem, arrived, &chip);
    if (gpucmd_nv_ring_begin(&ring, 16, &w) != GPUCMD_OK) {
        return false;
    }
    gpucmd_nv_emit_old_inc1(&w, 7, 0x0000, 0xbeef3097);
    gpucmd_nv_emit_old_inc2(&w, 7, 0x0200, 0x00400000, 0x00400000);
    gpucmd_nv_emit_old_inc1(&w, 7, 0x0050, 1);
    if (gpucmd_nv_ring_end(&ring, &w) != GPUCMD_OK) {
        return false;
    }
    show_words(chip, ring_dw, ring.put_dw, RING_VA);
    gpucmd_nv_ring_submit(&ring);
    printf("    DMA_PUT = 0x%x\n", (unsigned)area.read32(&gpu, GPUCMD_NV_AREA_DMA_PUT));
    if (gpucmd_nv_pusher_run(&gpu, &env, 1000) != GPUCMD_RUN_IDLE) {
        return false;
    }
    printf("    DMA_GET = 0x%x: idle\n", (unsigned)area.read32(&gpu, GPUCMD_NV_AREA_DMA_GET));
    return true;
}

/* The register behind the doorbell: the GPU wakes up. */
static void doorbell(void *user, uint64_t off_bytes, uint32_t token)
{
    gpucmd_nv_pbdma *gpu = (gpucmd_nv_pbdma *)user;
    printf("    doorbell 0x%02x rung with token 0x%x, GP_PUT = %u\n", (unsigned)off_bytes,
           (unsigned)token, (unsigned)gpu->gp_put);
    if (gpucmd_nv_pbdma_run(gpu, &env, 1000) == GPUCMD_RUN_IDLE) {
        printf("    GP_GET = %u: idle\n", (unsigned)gpu->gp_get);
    }
}

/* IB: the words lie anywhere, an entry of the ring names them. */
static bool through_gpfifo(void)
{
    static gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GA102;
    gpucmd_nv_pbdma gpu;
    const gpucmd_mmio area = {gpucmd_nv_pbdma_read32, gpucmd_nv_pbdma_write32, &gpu};
    const gpucmd_mmio usermode = {NULL, doorbell, &gpu};
    gpucmd_nv_gpfifo fifo;
    gpucmd_writer w;
    char line[256];
    gpucmd_text text;
    size_t len_dw = 0;
    if (gpucmd_nv_pbdma_init(&gpu, chip) != GPUCMD_OK ||
        gpucmd_nv_gpfifo_init(&fifo, chip, ring_dw, 3, &area, &usermode, TOKEN) != GPUCMD_OK) {
        return false;
    }
    gpu.gp_base = RING_VA; /* the kernel's work */
    gpu.limit2 = 3;
    gpucmd_env_init(&env, &mem, arrived, &chip);
    gpucmd_writer_init(&w, words_dw, RING_DW);
    gpucmd_nv_emit_inc4(&w, 4, 0x0400, 0, 0x00100000, 0, 0x00200000);
    gpucmd_nv_emit_inc1(&w, 4, 0x0418, 0x1000);
    gpucmd_nv_emit_immd(&w, 4, 0x0300, 0x182);
    gpucmd_nv_emit_inc5(&w, 0, 0x005c, 0x00300000, 0, 1, 0, 0x00100001);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK ||
        gpucmd_nv_gpfifo_push(&fifo, WORDS_VA, (uint32_t)len_dw, 0) != GPUCMD_OK) {
        return false;
    }
    show_words(chip, words_dw, len_dw, WORDS_VA);
    gpucmd_text_init(&text, line, sizeof line);
    gpucmd_nv_print_entry(&text, chip, ring_dw, RING_VA);
    printf("    entry of the IB ring:\n    %s", line);
    gpucmd_nv_gpfifo_submit(&fifo);
    return gpu.gp_get == fifo.put;
}

int main(void)
{
    if (gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK) {
        return 1;
    }
    puts("  NV40: a ring of words with DMA_PUT and DMA_GET");
    puts("");
    if (!through_ring()) {
        return 1;
    }
    puts("");
    puts("  GA102: a ring of entries, words elsewhere, a doorbell");
    puts("");
    return through_gpfifo() ? 0 : 1;
}

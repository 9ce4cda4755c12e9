/* 18_copy_options.c - one recipe for every operation of the copy engine.
 *
 * You learn: gpucmd_nv_emit_ce with a fill, a copy of lines with its semaphore
 * in the same launch, and a reduction; how the recipe checks the copy class.
 * Read first: 11_ampere_copy.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

#define CHIP    GPUCMD_NV_CHIP_GA102
#define VRAM_VA 0x1000000000ull

enum { RING = 0, WORDS = 0x1000, SEM = 0x2000, SRC = 0x4000, DST = 0x8000 };

static uint64_t vram_qw[0x10000 / 8];

/* Step 1: fill 16 words of the source; copy two lines of 8 bytes to a pitch of 64,
 * flush for the GPU, and set the semaphore to 7; then add 1 to it. */
static gpucmd_status write_words(uint32_t *dw, size_t cap_dw, size_t *len_dw)
{
    gpucmd_writer w;
    gpucmd_nv_ce ce;
    gpucmd_writer_init(&w, dw, cap_dw);
    memset(&ce, 0, sizeof ce);
    ce.subc = 4;
    gpucmd_nv_emit_set_object(&w, CHIP, ce.subc, gpucmd_nv_copy_class(CHIP));
    ce.launch = GPUCMD_NV_CE_NON_PIPELINED;
    ce.length = 16;
    ce.components = GPUCMD_FIELD_PUT(NV_REMAP_DST_X, GPUCMD_NV_REMAP_CONST_B) |
                    GPUCMD_FIELD_PUT(NV_REMAP_SIZE, 3);
    ce.const_b = 0x11223344;
    ce.dst.va = VRAM_VA + SRC;
    gpucmd_nv_emit_ce(&w, CHIP, &ce);
    ce.launch = GPUCMD_NV_CE_NON_PIPELINED | GPUCMD_NV_CE_FLUSH_GL | GPUCMD_NV_CE_SEM_ONE_WORD;
    ce.components = 0;
    ce.length = 8;
    ce.lines = 2;
    ce.src.va = VRAM_VA + SRC;
    ce.src.pitch = 8;
    ce.dst.va = VRAM_VA + DST;
    ce.dst.pitch = 64;
    ce.sem_va = VRAM_VA + SEM;
    ce.sem_payload = 7;
    gpucmd_nv_emit_ce(&w, CHIP, &ce);
    ce.launch = GPUCMD_NV_CE_SEM_ONE_WORD | GPUCMD_NV_CE_REDUCTION | GPUCMD_NV_CE_REDUCTION_IADD |
                GPUCMD_NV_CE_REDUCTION_UNSIGNED;
    ce.sem_payload = 1;
    gpucmd_nv_emit_ce(&w, CHIP, &ce);
    return gpucmd_writer_finish(&w, len_dw);
}

int main(void)
{
    uint8_t *const vram = (uint8_t *)vram_qw;
    const gpucmd_region region = {VRAM_VA, sizeof vram_qw, vram_qw,
                                  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    static gpucmd_nv_channel channel;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_nv_ce ce;
    gpucmd_writer w;
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
    channel.pbdma.gp_base = VRAM_VA + RING;
    channel.pbdma.limit2 = 1; /* log2 of the entries of the ring */
    channel.pbdma.gp_put = 1;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);

    /* Step 3: run. */
    printf("1. %u words: %s\n", (unsigned)len_dw,
           gpucmd_run_name(gpucmd_nv_channel_run(&channel, &env, 1000)));
    printf("2. line 0 %08x, line 1 %08x, semaphore %u\n",
           (unsigned)gpucmd_load32(vram + DST, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load32(vram + DST + 64, GPUCMD_LITTLE_ENDIAN),
           (unsigned)gpucmd_load32(vram + SEM, GPUCMD_LITTLE_ENDIAN));

    /* Step 4: FLUSH_TYPE begins with the class C3B5 of GV100. */
    memset(&ce, 0, sizeof ce);
    ce.launch = GPUCMD_NV_CE_FLUSH_GL | GPUCMD_NV_CE_SEM_ONE_WORD;
    gpucmd_writer_init(&w, dw, 64);
    gpucmd_nv_emit_ce(&w, GPUCMD_NV_CHIP_GP100, &ce);
    printf("3. on GP100: %s\n", gpucmd_status_name(w.status));
    return 0;
}

/* Output:
 * 1. 33 words: IDLE
 * 2. line 0 11223344, line 1 11223344, semaphore 8
 * 3. on GP100: UNSUPPORTED
 */

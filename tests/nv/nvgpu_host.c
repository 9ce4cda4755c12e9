/* Words submitted with gpucmd_nvgpu are executed by gpucmd_nv_channel: two channels in one group, one
 * copies, the other waits for it. */
/* suite: kernel */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;
static gpucmd_nv_card card;
static gpucmd_nv_channel gpu[2]; /* of the channels 511 and 510 */

static gpucmd_run host_exec(void *user, uint32_t channel, gpucmd_nv_pbdma *p, const gpucmd_env *env,
                            uint64_t budget)
{
    gpucmd_nv_channel *const c = &gpu[511 - channel];
    gpucmd_run run;
    (void)user;
    c->pbdma = *p;
    run = gpucmd_nv_channel_run(c, env, budget);
    *p = c->pbdma;
    return run;
}

static void words(const gpucmd_nvgpu_buffer *b, size_t at_dw, const gpucmd_writer *from,
                  const uint32_t *dw, size_t *len_dw)
{
    EQUAL(gpucmd_writer_finish(from, len_dw), GPUCMD_OK);
    gpucmd_store_words((uint8_t *)b->cpu + at_dw * 4, dw, *len_dw, GPUCMD_LITTLE_ENDIAN);
}

int main(void)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer b[4]; /* source, destination, words, semaphores */
    gpucmd_nvgpu_channel c[2];
    gpucmd_nv_gpfifo q[2];
    gpucmd_mmio bell;
    gpucmd_writer wr;
    uint32_t dw[64];
    size_t n[2];
    nvgpu_setup();
    gpucmd_nv_card_init(&card);
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    m.exec = host_exec;
    gpucmd_nvgpu_kernel_mmio(&m, &bell);
    gpucmd_nvgpu_channel_req_init(&creq);
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_req_init(&breq, 0x4000, i < 2);
        EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &b[i]), GPUCMD_OK);
    }
    for (unsigned i = 0; i < 2; i++) {
        EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &c[i]), GPUCMD_OK);
        EQUAL(c[i].token, 511 - i);
        EQUAL(gpucmd_nv_channel_init(&gpu[i], GPUCMD_NV_CHIP_GA10B, &card), GPUCMD_OK);
        gpucmd_nvgpu_gpfifo_init(&q[i], &c[i], NULL, &bell);
        q[i].wait.fn = nvgpu_wait;
    }
    for (unsigned i = 0; i < 0x4000; i++) {
        ((uint8_t *)b[0].cpu)[i] = (uint8_t)(i ^ i >> 6);
    }
    /* The first channel waits for 7 and then releases 9; SEM_EXECUTE: strict >= and release, 64-bit. */
    const uint32_t sem_lo = (uint32_t)b[3].va;
    const uint32_t sem_hi = (uint32_t)(b[3].va >> 32);
    gpucmd_writer_init(&wr, dw, 64);
    gpucmd_nv_emit_inc5(&wr, 0, 0x5c, sem_lo, sem_hi, 7, 0, 0x01000002);
    gpucmd_nv_emit_inc5(&wr, 0, 0x5c, sem_lo + 64, sem_hi, 9, 0, 0x01000001);
    words(&b[2], 0, &wr, dw, &n[0]);
    /* The second copies all but the last byte and then releases 7. */
    gpucmd_writer_init(&wr, dw, 64);
    gpucmd_nv_emit_inc1(&wr, 4, 0, 0xc7b5);
    gpucmd_nv_emit_inc4(&wr, 4, 0x400, (uint32_t)(b[0].va >> 32), (uint32_t)b[0].va,
                        (uint32_t)(b[1].va >> 32), (uint32_t)b[1].va);
    gpucmd_nv_emit_inc1(&wr, 4, 0x418, 0x3fff);
    gpucmd_nv_emit_inc1(&wr, 4, 0x300, 0x182);
    gpucmd_nv_emit_inc5(&wr, 0, 0x5c, sem_lo, sem_hi, 7, 0, 0x01100001);
    words(&b[2], 64, &wr, dw, &n[1]);
    EQUAL(gpucmd_nvgpu_submit(&q[0], b[2].va, (uint32_t)n[0], 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_load64((uint8_t *)b[3].cpu + 64, GPUCMD_LITTLE_ENDIAN), 0);
    EQUAL(gpucmd_nvgpu_submit(&q[1], b[2].va + 256, (uint32_t)n[1], 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_wait_sem(&q[0], (uint8_t *)b[3].cpu + 64, 9), GPUCMD_OK);
    CHECK(memcmp(b[0].cpu, b[1].cpu, 0x3fff) == 0);
    EQUAL(((const uint8_t *)b[1].cpu)[0x3fff], 0);
    EQUAL(gpucmd_nv_gpfifo_drain(&q[0]), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_drain(&q[1]), GPUCMD_OK);
    for (unsigned i = 0; i < 2; i++) {
        CHECK(!m.channels[i].timed_out);
        gpucmd_nvgpu_channel_close(&g, &c[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_free(&g, &b[i]);
    }
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    return test_report("nv_nvgpu_host");
}

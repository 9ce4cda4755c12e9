/* 14_tegra.c - a copy on a Tegra GPU, on a model kernel or on a board.
 *
 * You learn: nodes, buffers, a channel, submission. The client does not know who
 * answers: only the table of system calls says so. Start the program with the
 * argument "board" to use the GPU of a Jetson. Read first: 11_ampere_copy.c.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpucmd_nvgpu_kernel kernel;
static gpucmd_nvgpu_kernel_store store;
static uint8_t ram[(1 << 20) + 4096]; /* the model's memory starts at a page */
static gpucmd_nv_channel engines;     /* the model's GPU: host methods, copy engine */
static gpucmd_nv_card card;
static gpucmd_nvgpu g;

static gpucmd_run run_channel(void *user, uint32_t channel, gpucmd_nv_pbdma *p,
                              const gpucmd_env *env, uint64_t budget)
{
    gpucmd_run run;
    (void)user;
    printf("GPU: channel %u, GP_PUT %u\n", (unsigned)channel, (unsigned)p->gp_put);
    engines.pbdma = *p;
    run = gpucmd_nv_channel_run(&engines, env, budget);
    *p = engines.pbdma;
    return run;
}

/* While the CPU waits, the model's GPU executes. On a board nothing is to do. */
static gpucmd_status run_gpu(void *user, uint32_t try_count)
{
    (void)user, (void)try_count;
    return gpucmd_nvgpu_kernel_run(&kernel, 1000) == GPUCMD_RUN_FAULT ? GPUCMD_FAULT : GPUCMD_OK;
}

/* A call that fails undoes what it did, and sets step and error. */
static void need(gpucmd_status status)
{
    if (status != GPUCMD_OK) {
        printf("%s: %s\n", gpucmd_nvgpu_step_text(g.step), gpucmd_sys_error_name(g.error));
        exit(1);
    }
}

/* Step 2: the client. */
static int copy_text(const gpucmd_sys_ops *sys, gpucmd_wait_fn wait)
{
    gpucmd_nvgpu_buffer b[4]; /* source, destination, words, semaphore */
    gpucmd_nvgpu_buffer_req want;
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel channel;
    gpucmd_nv_gpfifo fifo;
    gpucmd_writer w;
    uint32_t dw[32];
    size_t len_dw = 0;
    need(gpucmd_nvgpu_start(&g, sys)); /* nodes, address space, doorbell page, group */
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_req_init(&want, 4096, i < 2);
        need(gpucmd_nvgpu_buffer_alloc(&g, &want, &b[i])); /* for the GPU and the CPU */
    }
    memcpy(b[0].cpu, "from here to there", 19);
    gpucmd_nvgpu_channel_req_init(&req);
    need(gpucmd_nvgpu_channel_open(&g, &req, &channel)); /* with ring and USERD */
    need(gpucmd_nvgpu_channel_alloc_obj(&g, &channel, g.gpu.dma_copy_class));
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_set_object(&w, GPUCMD_NV_CHIP_GA10B, 4, g.gpu.dma_copy_class);
    gpucmd_nv_emit_ce_copy_linear(&w, GPUCMD_NV_CHIP_GA10B, 4, b[1].va, b[0].va, 32);
    gpucmd_nv_emit_ce_sem_release(&w, GPUCMD_NV_CHIP_GA10B, 4, b[3].va, 1, 0);
    need(gpucmd_writer_finish(&w, &len_dw));
    gpucmd_store_words(b[2].cpu, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_nvgpu_gpfifo_init(&fifo, &channel, g.usermode, NULL);
    gpucmd_nv_gpfifo_set_wait(&fifo, wait, NULL, GPUCMD_WAIT_TRIES);
    need(gpucmd_nvgpu_submit(&fifo, b[2].va, (uint32_t)len_dw, 0)); /* no system call */
    need(gpucmd_nvgpu_wait_sem(&fifo, b[3].cpu, 1));
    printf("the destination holds \"%s\"\n", (char *)b[1].cpu);
    gpucmd_nvgpu_channel_close(&g, &channel);
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_free(&g, &b[i]);
    }
    gpucmd_nvgpu_close(&g);
    return 0;
}

/* Step 1: choose who answers the system calls. */
int main(int argc, char **argv)
{
    gpucmd_sys_ops sys;
    uint8_t *const page = ram + (4096 - (uintptr_t)ram % 4096) % 4096;
#if defined(__linux__)
    if (argc > 1 && strcmp(argv[1], "board") == 0) {
        gpucmd_sys_ops_init_linux(&sys);
        return copy_text(&sys, NULL);
    }
#endif
    (void)argc, (void)argv;
    gpucmd_nv_card_init(&card);
    need(gpucmd_nv_channel_init(&engines, GPUCMD_NV_CHIP_GA10B, &card));
    need(gpucmd_nvgpu_kernel_init_store(&kernel, &store, page, 1 << 20));
    gpucmd_nvgpu_kernel_sys(&kernel, &sys);
    kernel.exec = run_channel;
    return copy_text(&sys, run_gpu);
}

/* Output:
 * GPU: channel 511, GP_PUT 1
 * the destination holds "from here to there"
 */

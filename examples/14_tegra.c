/* 14_tegra.c - Tegra from open to the doorbell, with a model kernel in place of
 * nvgpu and nvmap.
 *
 * You learn: the order of the calls, what each is for, how a buffer gets its two
 * addresses, how channels are made, what a submission is, and how a program for
 * the desktop driver gets the same.
 * Read first: 11_ampere_copy.c. hw_tegra.c is the same on a Jetson.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAM_BYTES = 1 << 20, PAGE = 4096 };

static gpucmd_nvgpu_kernel kernel;
static gpucmd_nvgpu_kernel_store tables;
static uint8_t ram[RAM_BYTES + PAGE];
static gpucmd_nvgpu g;

/* What the kernel saw: a line for each turn to another descriptor. */
static void saw(void *user, const char *call, int fd, uint64_t what, int64_t result)
{
    int *const last = (int *)user;
    if (strcmp(call, "ioctl") == 0) { /* the name behind NV..._IOC_, _IOCTL_ */
        call = strstr(gpucmd_nvgpu_ioctl_name((uint32_t)what), "_IOC");
        call = strchr(call + 1, '_') + 1;
    }
    if (*last != fd) {
        printf("%s    fd %d:", *last < 0 ? "" : "\n", fd);
    }
    printf(" %s%s", call, result < 0 ? " (refused)" : "");
    *last = fd;
}

static void step(const char *text)
{
    static int last = -1;
    printf("%s\n", text);
    last = -1;
    kernel.trace = saw;
    kernel.trace_user = &last;
}

/* A failed call has undone what it did, and told the step and the error. */
static void need(gpucmd_status status)
{
    if (status != GPUCMD_OK) {
        printf("%s: %s, %s\n", gpucmd_nvgpu_step_text(g.step), gpucmd_status_text(status),
               gpucmd_sys_error_name(g.error));
        exit(1);
    }
}

/* The GPU: host methods and the copy engine, over the channel's mappings. */
static gpucmd_run run_channel(void *user, uint32_t channel, gpucmd_nv_pbdma *p,
                              const gpucmd_env *env, uint64_t budget)
{
    gpucmd_nv_channel *const gpu = (gpucmd_nv_channel *)user;
    gpucmd_nv_card card;
    gpucmd_run run;
    printf("    GPU: channel %u, entries %u to %u\n", channel, p->gp_get, p->gp_put);
    gpucmd_nv_card_init(&card, env->mem);
    gpu->pbdma = *p;
    run = gpucmd_nv_channel_run(gpu, &card, budget);
    *p = gpu->pbdma;
    return run;
}

/* While the CPU waits, the GPU works. */
static gpucmd_status gpu_works(void *user, uint32_t try_count)
{
    (void)user;
    return try_count < 3 && gpucmd_nvgpu_kernel_run(&kernel, 1000) != GPUCMD_RUN_FAULT
               ? GPUCMD_OK
               : GPUCMD_LIMIT;
}

int main(void)
{
    const gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GA10B;
    static gpucmd_nv_channel engines;
    gpucmd_sys_ops sys;
    gpucmd_nvgpu_buffer_req want;
    gpucmd_nvgpu_buffer b[4]; /* source, destination, words, semaphore */
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel channel[2]; /* compute, copy */
    gpucmd_nv_gpfifo queue;
    gpucmd_nvgpu_rm rm;
    gpucmd_nvgpu_rm_object objects[4];
    gpucmd_nvgpu_kernel_counts left;
    gpucmd_writer w;
    uint32_t dw[32];
    uint8_t gid[268] = {0};
    uint32_t h;
    size_t len_dw = 0;

    need(gpucmd_nvgpu_kernel_init_store(&kernel, &tables,
                                        ram + (PAGE - (uintptr_t)ram % PAGE) % PAGE, RAM_BYTES));
    gpucmd_nvgpu_kernel_sys(&kernel, &sys);
    kernel.exec = run_channel;
    kernel.exec_user = &engines;

    /* Two nodes; all else comes out of ioctls. The windows are reserved before a
     * buffer can come to lie in one. */
    step("Step 1: nodes, address space with two windows, doorbell page, group, subcontext");
    need(gpucmd_nvgpu_start(&g, &sys));
    printf("\n  %.8s, compute %x, copy %x, SM %x\n", (const char *)g.gpu.chipname,
           g.gpu.compute_class, g.gpu.dma_copy_class, g.gpu.sm_arch_sm_version);

    /* A handle is only a number, ALLOC takes pages, the dma-buf is what the
     * GPU's driver accepts. The CPU address is the GPU address if that is free
     * (here it is out of reach, so the second mmap takes any). */
    step("Step 2: memory: handle, pages, dma-buf, GPU address, CPU address");
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_req_init(&want, PAGE, i < 2);
        need(gpucmd_nvgpu_buffer_alloc(&g, &want, &b[i]));
        kernel.trace = NULL; /* the other three are alike */
    }
    printf("\n  GPU addresses %llx, %llx, ...\n", (unsigned long long)b[0].va,
           (unsigned long long)b[1].va);
    memcpy(b[0].cpu, "from here to there", 19);

    /* Ring and user page are small buffers of their own, because the kernel maps
     * them whole; the address space comes before the group. */
    step("Step 3: two channels in the group: open, bind, watchdog, ring, user page, object");
    gpucmd_nvgpu_channel_req_init(&req);
    for (unsigned i = 0; i < 2; i++) {
        need(gpucmd_nvgpu_channel_open(&g, &req, &channel[i]));
        need(gpucmd_nvgpu_channel_alloc_obj(&g, &channel[i],
                                            i == 0 ? g.gpu.compute_class : g.gpu.dma_copy_class));
        kernel.trace = NULL;
    }
    printf("\n  rings of %u entries, tokens %u and %u\n", channel[0].entries, channel[0].token,
           channel[1].token);

    /* Words, then the entry that names them, then GP_PUT, then the token into
     * the doorbell, with a barrier between each two. */
    step("Step 4: words, entry, GP_PUT, doorbell: no system call");
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_set_object(&w, chip, 4, g.gpu.dma_copy_class);
    gpucmd_nv_emit_ce_copy_linear(&w, chip, 4, b[1].va, b[0].va, 32);
    gpucmd_nv_emit_ce_sem_release(&w, chip, 4, b[3].va, 1, 0);
    need(gpucmd_writer_finish(&w, &len_dw));
    gpucmd_store_words(b[2].cpu, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    need(gpucmd_nv_channel_init(&engines, chip, channel[1].token));
    gpucmd_nvgpu_gpfifo_init(&queue, &channel[1], g.usermode, NULL);
    queue.wait.fn = gpu_works;
    need(gpucmd_nvgpu_submit(&queue, b[2].va, (uint32_t)len_dw, 0));
    need(gpucmd_nvgpu_wait_sem(&queue, b[3].cpu, 1));
    printf("  %u words; the destination holds \"%s\"\n", (unsigned)len_dw, (const char *)b[1].cpu);

    /* A program that makes the desktop driver's objects and controls: most need
     * nothing of the kernel here, and some are answered from what step 1 read. */
    step("Step 5: the desktop driver's calls");
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 4);
    need(gpucmd_nvgpu_rm_alloc(&rm, 0, GPUCMD_NVGPU_RM_NV20_SUBDEVICE_0, NULL, 0, &h));
    need(gpucmd_nvgpu_rm_control(&rm, h, 0x2080014a, gid, sizeof gid)); /* GET_GID_INFO */
    printf("  handle %x, identity %c%c%c...\n", h, gid[12], gid[13], gid[14]);
    gpucmd_nvgpu_rm_close(&rm);

    /* The GPU is done, so nothing uses the buffers any more. */
    step("Step 6: everything back: channels, buffers, doorbell page, group, space, nodes");
    kernel.trace = NULL;
    for (unsigned i = 0; i < 4; i++) {
        if (i < 2) {
            gpucmd_nvgpu_channel_close(&g, &channel[i]);
        }
        gpucmd_nvgpu_buffer_free(&g, &b[i]);
    }
    gpucmd_nvgpu_close(&g);
    gpucmd_nvgpu_kernel_count(&kernel, &left);
    printf("  left: %u descriptors, %u handles, %u mappings\n", left.files, left.handles,
           left.mappings + left.vmas);
    return 0;
}

/* Output:
 * Step 1: nodes, address space with two windows, doorbell page, group, subcontext
 *     fd 3: /dev/nvmap
 *     fd 4: /dev/nvgpu/igpu0/ctrl GET_CHARACTERISTICS ALLOC_AS
 *     fd 5: ALLOC_SPACE ALLOC_SPACE
 *     fd 4: mmap OPEN_TSG
 *     fd 6: CREATE_SUBCONTEXT
 *   ga10b, compute c7c0, copy c7b5, SM 807
 * Step 2: memory: handle, pages, dma-buf, GPU address, CPU address
 *     fd 3: CREATE ALLOC GET_FD
 *     fd 5: MAP_BUFFER_EX
 *     fd 7: mmap (refused) mmap
 *   GPU addresses 200000, 201000, ...
 * Step 3: two channels in the group: open, bind, watchdog, ring, user page, object
 *     fd 4: OPEN_CHANNEL
 *     fd 5: BIND_CHANNEL
 *     fd 6: BIND_CHANNEL_EX
 *     fd 11: CHANNEL_WDT
 *     fd 3: CREATE ALLOC GET_FD
 *     fd 12: mmap
 *     fd 3: CREATE ALLOC GET_FD
 *     fd 13: mmap
 *     fd 11: CHANNEL_SETUP_BIND CHANNEL_ALLOC_OBJ_CTX
 *   rings of 1024 entries, tokens 511 and 510
 * Step 4: words, entry, GP_PUT, doorbell: no system call
 *     GPU: channel 510, entries 0 to 1
 *   17 words; the destination holds "from here to there"
 * Step 5: the desktop driver's calls
 *   handle 10001, identity JKL...
 * Step 6: everything back: channels, buffers, doorbell page, group, space, nodes
 *   left: 0 descriptors, 0 handles, 0 mappings
 */

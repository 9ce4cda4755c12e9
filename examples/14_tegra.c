/* 14_tegra.c - Tegra from open to the doorbell, with a model kernel in place of
 * nvgpu and nvmap.
 *
 * You learn: the order of the calls, what each is for, how a buffer gets its two
 * addresses, how a channel is made, and what a submission is.
 * Read first: 02_measure_then_write.c. hw_tegra.c is the same on a Jetson.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

enum { RAM_BYTES = 1 << 20, PAGE = 4096, TEXT_BYTES = 32 };

static gpucmd_nvgpu_model kernel;
static gpucmd_nvgpu_model_store tables;
static uint8_t ram[RAM_BYTES + PAGE];
static gpucmd_nv_channel engines;

/* What the kernel saw. */
static void saw(void *user, const char *call, int fd, uint64_t what, int64_t result)
{
    const bool is_ioctl = strcmp(call, "ioctl") == 0;
    (void)user;
    printf("    %s fd %d = %s\n", is_ioctl ? gpucmd_nvgpu_ioctl_name((uint32_t)what) : call, fd,
           result < 0 ? gpucmd_sys_error_name((int)result) : "fine");
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
    return try_count < 3 && gpucmd_nvgpu_model_run(&kernel, 1000) != GPUCMD_RUN_FAULT
               ? GPUCMD_OK
               : GPUCMD_LIMIT;
}

static gpucmd_status buffer(gpucmd_nvgpu *g, bool device, gpucmd_nvgpu_buffer *b)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer_req_init(&req, PAGE, device);
    return gpucmd_nvgpu_buffer_alloc(g, &req, b);
}

/* Bind the copy class, copy TEXT_BYTES, then say so: the value 1 to sem. */
static gpucmd_status write_words(void *at, uint32_t class_num, const gpucmd_nvgpu_buffer *b,
                                 uint64_t sem_va, size_t *len_dw)
{
    uint32_t dw[32];
    gpucmd_writer w;
    gpucmd_status status;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_inc1(&w, 4, 0, class_num);
    gpucmd_nv_emit_inc4(&w, 4, 0x400, (uint32_t)(b[0].va >> 32), (uint32_t)b[0].va,
                        (uint32_t)(b[1].va >> 32), (uint32_t)b[1].va);
    gpucmd_nv_emit_inc1(&w, 4, 0x418, TEXT_BYTES);
    gpucmd_nv_emit_inc1(&w, 4, 0x300, 0x182);
    gpucmd_nv_emit_inc5(&w, 0, 0x5c, (uint32_t)sem_va, (uint32_t)(sem_va >> 32), 1, 0, 0x01100001);
    status = gpucmd_writer_finish(&w, len_dw);
    if (status == GPUCMD_OK) {
        gpucmd_store_words(at, dw, *len_dw, GPUCMD_LITTLE_ENDIAN);
    }
    return status;
}

int main(void)
{
    gpucmd_sys_ops sys;
    gpucmd_nvgpu g;
    gpucmd_nvgpu_buffer b[4]; /* source, destination, words, semaphore */
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel channel;
    gpucmd_nvgpu_queue queue;
    gpucmd_nvgpu_model_counts left;
    size_t len_dw = 0;

    gpucmd_nvgpu_model_init_store(&kernel, &tables, ram + (PAGE - (uintptr_t)ram % PAGE) % PAGE,
                                  RAM_BYTES);
    gpucmd_nvgpu_model_sys(&kernel, &sys);
    kernel.exec = run_channel;
    kernel.exec_user = &engines;
    kernel.trace = saw;

    /* Step 1: two nodes; all else comes out of ioctls. The windows are reserved
     * before a buffer can come to lie in one. */
    printf("Step 1: nodes, address space with two windows, doorbell page, group, subcontext\n");
    if (gpucmd_nvgpu_start(&g, &sys) != GPUCMD_OK) {
        printf("%s: %s\n", gpucmd_nvgpu_step_text(g.step), gpucmd_sys_error_name(g.error));
        return 1;
    }
    printf("  %.8s, compute %x, copy %x, SM %x\n", (const char *)g.gpu.chipname,
           g.gpu.compute_class, g.gpu.dma_copy_class, g.gpu.sm_arch_sm_version);

    /* Step 2: a handle is only a number, ALLOC takes pages, the dma-buf is what
     * the GPU's driver accepts. The CPU address is the GPU address if that is
     * free (here it is out of reach, so the second mmap takes any). */
    printf("Step 2: memory: handle, pages, dma-buf, GPU address, CPU address\n");
    for (unsigned i = 0; i < 4; i++) {
        if (buffer(&g, i < 2, &b[i]) != GPUCMD_OK) {
            return 1;
        }
        printf("  buffer %u: GPU address %llx\n", i, (unsigned long long)b[i].va);
        kernel.trace = NULL; /* the other three are alike */
    }
    memcpy(b[0].cpu, "from here to there", 19);

    /* Step 3: ring and user page are small buffers of their own, because the
     * kernel maps them whole; the address space comes before the group. */
    printf("Step 3: a channel: open, address space, group, watchdog, ring, user page\n");
    kernel.trace = saw;
    gpucmd_nvgpu_channel_req_init(&req);
    if (gpucmd_nvgpu_channel_open(&g, &req, &channel) != GPUCMD_OK ||
        gpucmd_nvgpu_channel_alloc_obj(&g, &channel, g.gpu.dma_copy_class) != GPUCMD_OK) {
        return 1;
    }
    printf("  ring of %u entries, token %u\n", channel.entries, channel.token);

    /* Step 4: words, then the entry that names them, then GP_PUT, then the token
     * into the doorbell, with a barrier between each two. */
    printf("Step 4: words, entry, GP_PUT, doorbell: no system call\n");
    if (gpucmd_nv_channel_init(&engines, GPUCMD_NV_CHIP_GA10B, channel.token) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nvgpu_queue_init(&queue, &channel, g.usermode, NULL);
    queue.wait = gpu_works;
    if (write_words(b[2].cpu, g.gpu.dma_copy_class, b, b[3].va, &len_dw) != GPUCMD_OK ||
        gpucmd_nvgpu_queue_submit(&queue, b[2].va, (uint32_t)len_dw, GPUCMD_NV_ENTRY_SUBROUTINE) !=
            GPUCMD_OK ||
        gpucmd_nvgpu_queue_wait_sem(&queue, b[3].cpu, 1) != GPUCMD_OK) {
        return 1;
    }
    printf("  %u words; the destination holds \"%s\"\n", (unsigned)len_dw, (const char *)b[1].cpu);

    /* Step 5: the GPU is done, so nothing uses the buffers any more. */
    printf("Step 5: everything back, in order\n");
    kernel.trace = NULL;
    gpucmd_nvgpu_channel_close(&g, &channel);
    for (unsigned i = 0; i < 4; i++) {
        gpucmd_nvgpu_buffer_free(&g, &b[i]);
    }
    gpucmd_nvgpu_close(&g);
    gpucmd_nvgpu_model_count(&kernel, &left);
    printf("  left: %u descriptors, %u handles, %u mappings\n", left.files, left.handles,
           left.mappings + left.vmas);
    return 0;
}

/* Output:
 * Step 1: nodes, address space with two windows, doorbell page, group, subcontext
 *     /dev/nvmap fd 3 = fine
 *     /dev/nvgpu/igpu0/ctrl fd 4 = fine
 *     NVGPU_GPU_IOCTL_GET_CHARACTERISTICS fd 4 = fine
 *     NVGPU_GPU_IOCTL_ALLOC_AS fd 4 = fine
 *     NVGPU_AS_IOCTL_ALLOC_SPACE fd 5 = fine
 *     NVGPU_AS_IOCTL_ALLOC_SPACE fd 5 = fine
 *     mmap fd 4 = fine
 *     NVGPU_GPU_IOCTL_OPEN_TSG fd 4 = fine
 *     NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT fd 6 = fine
 *   ga10b, compute c7c0, copy c7b5, SM 807
 * Step 2: memory: handle, pages, dma-buf, GPU address, CPU address
 *     NVMAP_IOC_CREATE fd 3 = fine
 *     NVMAP_IOC_ALLOC fd 3 = fine
 *     NVMAP_IOC_GET_FD fd 3 = fine
 *     NVGPU_AS_IOCTL_MAP_BUFFER_EX fd 5 = fine
 *     mmap fd 7 = ENOMEM
 *     mmap fd 7 = fine
 *   buffer 0: GPU address 200000
 *   buffer 1: GPU address 201000
 *   buffer 2: GPU address 202000
 *   buffer 3: GPU address 203000
 * Step 3: a channel: open, address space, group, watchdog, ring, user page
 *     NVGPU_GPU_IOCTL_OPEN_CHANNEL fd 4 = fine
 *     NVGPU_AS_IOCTL_BIND_CHANNEL fd 5 = fine
 *     NVGPU_TSG_IOCTL_BIND_CHANNEL_EX fd 6 = fine
 *     NVGPU_IOCTL_CHANNEL_WDT fd 11 = fine
 *     NVMAP_IOC_CREATE fd 3 = fine
 *     NVMAP_IOC_ALLOC fd 3 = fine
 *     NVMAP_IOC_GET_FD fd 3 = fine
 *     mmap fd 12 = fine
 *     NVMAP_IOC_CREATE fd 3 = fine
 *     NVMAP_IOC_ALLOC fd 3 = fine
 *     NVMAP_IOC_GET_FD fd 3 = fine
 *     mmap fd 13 = fine
 *     NVGPU_IOCTL_CHANNEL_SETUP_BIND fd 11 = fine
 *     NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX fd 11 = fine
 *   ring of 1024 entries, token 511
 * Step 4: words, entry, GP_PUT, doorbell: no system call
 *     GPU: channel 511, entries 0 to 1
 *   17 words; the destination holds "from here to there"
 * Step 5: everything back, in order
 *   left: 0 descriptors, 0 handles, 0 mappings
 */

/* tegra.c - 14_tegra.c on a Jetson, with a line for each step.
 *
 * It copies 32 bytes with the copy engine and waits for the semaphore, at most
 * two seconds. It changes nothing permanently. It needs read and write access to
 * /dev/nvmap and /dev/nvgpu/igpu0/ctrl (group video, or root). Exit status 77: it
 * does not have that.
 */

#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

enum { PAGE = 4096, TEXT_BYTES = 32 };

/* Sleep a tenth of a millisecond between two polls, 20000 times. */
static gpucmd_status pause_between(void *user, uint32_t try_count)
{
    const struct timespec span = {0, 100000};
    (void)user;
    (void)nanosleep(&span, NULL);
    return try_count < 20000 ? GPUCMD_OK : GPUCMD_LIMIT;
}

static gpucmd_status buffer(gpucmd_nvgpu *g, bool device, gpucmd_nvgpu_buffer *b)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer_req_init(&req, PAGE, device);
    return gpucmd_nvgpu_buffer_alloc(g, &req, b);
}

/* Bind the copy class, copy TEXT_BYTES, flush, then release the semaphore with 1. */
static gpucmd_status write_words(void *at, uint32_t class_num, const gpucmd_nvgpu_buffer *b,
                                 uint64_t sem_va, size_t *len_dw)
{
    uint32_t dw[32];
    gpucmd_writer w;
    gpucmd_status status;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_inc1(&w, 4, 0, class_num);
    gpucmd_nv_emit_ce_copy_linear(&w, GPUCMD_NV_CHIP_GA10B, 4, b[1].va, b[0].va, TEXT_BYTES);
    gpucmd_nv_emit_ce_sem_release(&w, GPUCMD_NV_CHIP_GA10B, 4, sem_va, 1, 0);
    status = gpucmd_writer_finish(&w, len_dw);
    if (status == GPUCMD_OK) {
        gpucmd_store_words(at, dw, *len_dw, GPUCMD_LITTLE_ENDIAN);
    }
    return status;
}

/* Print which call failed. Return 77 if there is no such device. */
static int refused(const gpucmd_nvgpu *g, gpucmd_status status)
{
    const bool none =
        g->step == GPUCMD_NVGPU_STEP_OPEN_NVMAP || g->step == GPUCMD_NVGPU_STEP_OPEN_CTRL;
    printf("%s: %s%s%s%s\n", gpucmd_nvgpu_step_text(g->step), gpucmd_status_text(status),
           g->error != 0 ? ", " : "", g->error != 0 ? strerror(g->error) : "",
           none ? "; no Tegra GPU here, or no right to use it" : "");
    return none ? 77 : 1;
}

/* Submit the copy and wait for it. */
static gpucmd_status copy(const gpucmd_nvgpu *g, const gpucmd_nvgpu_channel *channel,
                          const gpucmd_nvgpu_buffer *b)
{
    gpucmd_nv_gpfifo queue;
    size_t len_dw = 0;
    gpucmd_status status;
    if (channel->userd_cpu == NULL) { /* the channel is not open */
        return GPUCMD_ORDER;
    }
    gpucmd_nvgpu_gpfifo_init(&queue, channel, g->usermode, NULL);
    queue.wait.fn = pause_between;
    status = write_words(b[2].cpu, g->gpu.dma_copy_class, b, b[3].va, &len_dw);
    if (status == GPUCMD_OK) {
        status = gpucmd_nvgpu_submit(&queue, b[2].va, (uint32_t)len_dw, GPUCMD_NV_ENTRY_SUBROUTINE);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_nvgpu_wait_sem(&queue, b[3].cpu, 1);
    }
    printf("copy: %s; the destination holds \"%.32s\"\n", gpucmd_status_text(status),
           (const char *)b[1].cpu);
    return status;
}

int main(void)
{
    gpucmd_sys_ops sys;
    gpucmd_nvgpu g;
    gpucmd_nvgpu_buffer b[4]; /* source, destination, words, semaphore */
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel channel[2]; /* compute, copy */
    gpucmd_status status;
    unsigned made = 0;
    unsigned opened = 0;

    gpucmd_sys_ops_init_linux(&sys);
    status = gpucmd_nvgpu_start(&g, &sys);
    if (status != GPUCMD_OK) {
        return refused(&g, status);
    }
    printf("%.8s, compute %x, copy %x, SM %x, flags %016llx\n", (const char *)g.gpu.chipname,
           g.gpu.compute_class, g.gpu.dma_copy_class, g.gpu.sm_arch_sm_version,
           (unsigned long long)g.gpu.flags);
    while (made < 4 && status == GPUCMD_OK) {
        status = buffer(&g, made < 2, &b[made]);
        if (status == GPUCMD_OK) {
            printf("buffer %u: GPU %010llx, CPU %p\n", made, (unsigned long long)b[made].va,
                   b[made].cpu);
            made++;
        }
    }
    gpucmd_nvgpu_channel_req_init(&req);
    if (status == GPUCMD_OK) {
        memset(b[1].cpu, 0, PAGE);
        memset(b[3].cpu, 0, PAGE);
        memcpy(b[0].cpu, "from here to there", 19);
    }
    while (opened < 2 && status == GPUCMD_OK) {
        gpucmd_nvgpu_channel *const c = &channel[opened];
        status = gpucmd_nvgpu_channel_open(&g, &req, c);
        if (status == GPUCMD_OK) {
            status = gpucmd_nvgpu_channel_alloc_obj(
                &g, c, opened == 0 ? g.gpu.compute_class : g.gpu.dma_copy_class);
            printf("channel: token %u, object %s\n", c->token, gpucmd_status_name(status));
            opened++;
        }
    }
    if (status == GPUCMD_OK) {
        g.step = GPUCMD_NVGPU_STEP_NONE; /* what fails from here is no call */
        status = copy(&g, &channel[1], b);
    }
    if (status != GPUCMD_OK) {
        (void)refused(&g, status);
    }
    while (opened > 0) {
        gpucmd_nvgpu_channel_close(&g, &channel[--opened]);
    }
    while (made > 0) {
        gpucmd_nvgpu_buffer_free(&g, &b[--made]);
    }
    gpucmd_nvgpu_close(&g);
    return status != GPUCMD_OK;
}

/* 17_tegra_desktop.c - the desktop driver's calls on Tegra, and the system calls that they make.
 *
 * You learn: to perform allocations and controls of the desktop driver with nvgpu,
 * to see each call, what a failed call undoes. Read first: 14_tegra.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

static gpucmd_nvgpu_kernel kernel;
static gpucmd_nvgpu_kernel_store store;
static uint8_t ram[(1 << 20) + 4096]; /* the model's memory starts at a page */
static gpucmd_nvgpu g;
static gpucmd_nvgpu_rm rm;

/* Print a system call. */
static void print_call(void *user, const char *call, int fd, uint64_t what, int64_t result)
{
    (void)user;
    printf("    fd %d: %s%s\n", fd,
           strcmp(call, "ioctl") == 0 ? gpucmd_nvgpu_ioctl_name((uint32_t)what) : call,
           result < 0 ? " (rejected)" : "");
}

/* Print the text and a status; a failure of the kernel has a step and an errno. */
static void report(const char *text, gpucmd_status status)
{
    printf("%s: %s", text, gpucmd_status_name(status));
    if (status == GPUCMD_FAULT) {
        printf(" (%s: %s)", gpucmd_nvgpu_step_text(g.step), gpucmd_sys_error_name(g.error));
    }
    printf("\n");
}

/* An allocation of the desktop driver: parent, class, parameters. */
static uint32_t alloc(const char *name, uint32_t parent, uint32_t number, const void *params,
                      size_t params_bytes)
{
    uint32_t handle = 0;
    report(name, gpucmd_nvgpu_rm_alloc(&rm, parent, number, params, params_bytes, &handle));
    return handle;
}

int main(void)
{
    static uint8_t channel_params[GPUCMD_NVGPU_RM_OFF_CHANNEL_BYTES];
    const uint32_t entries = 64;
    const uint64_t userd_off_bytes = 4096;
    uint8_t *const page = ram + (4096 - (uintptr_t)ram % 4096) % 4096;
    gpucmd_nvgpu_rm_object objects[8];
    gpucmd_nvgpu_buffer_req want;
    static gpucmd_nvgpu_buffer area;
    gpucmd_nvgpu_kernel_counts left;
    gpucmd_sys_ops sys;
    uint8_t id[268] = {0};
    uint32_t sub, group, h;

    /* Step 1: the model kernel, both nodes, no objects. */
    if (gpucmd_nvgpu_kernel_init_store(&kernel, &store, page, 1 << 20) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nvgpu_kernel_sys(&kernel, &sys);
    report("open", gpucmd_nvgpu_open(&g, &sys));
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 8);
    kernel.trace = print_call;

    /* Step 2: objects. Some need no system call, because Tegra has only one of them. */
    sub = alloc("NV20_SUBDEVICE_0", 0, GPUCMD_NVGPU_RM_NV20_SUBDEVICE_0, NULL, 0);
    (void)alloc("NV01_MEMORY_VIRTUAL", 0, GPUCMD_NVGPU_RM_NV01_MEMORY_VIRTUAL, NULL, 0);
    group = alloc("KEPLER_CHANNEL_GROUP_A", 0, GPUCMD_NVGPU_RM_KEPLER_CHANNEL_GROUP_A, NULL, 0);
    (void)alloc("FERMI_CONTEXT_SHARE_A", group, GPUCMD_NVGPU_RM_FERMI_CONTEXT_SHARE_A, NULL, 0);

    /* Step 3: a channel whose ring and USERD appear in a buffer of the program. */
    kernel.trace = NULL;
    gpucmd_nvgpu_buffer_req_init(&want, 0x10000, true);
    report("buffer", gpucmd_nvgpu_buffer_alloc(&g, &want, &area));
    report("its handle", gpucmd_nvgpu_rm_add_buffer(&rm, &area, &h));
    memcpy(channel_params + GPUCMD_NVGPU_RM_OFF_CHANNEL_H_BUFFER, &h, 4);
    memcpy(channel_params + GPUCMD_NVGPU_RM_OFF_CHANNEL_GPFIFO_OFFSET, &area.va, 8);
    memcpy(channel_params + GPUCMD_NVGPU_RM_OFF_CHANNEL_ENTRIES, &entries, 4);
    memcpy(channel_params + GPUCMD_NVGPU_RM_OFF_CHANNEL_USERD_OFFSET, &userd_off_bytes, 8);
    kernel.fail_at = 6; /* the sixth call fails with ENOMEM */
    (void)alloc("channel", group, GPUCMD_NVGPU_RM_AMPERE_CHANNEL_GPFIFO_A, channel_params, 368);
    (void)alloc("channel", group, GPUCMD_NVGPU_RM_AMPERE_CHANNEL_GPFIFO_A, channel_params, 368);

    /* Step 4: a control that the characteristics answer. */
    report("GET_GID_INFO", gpucmd_nvgpu_rm_control(&rm, sub, 0x2080014a, id, sizeof id));
    printf("identity %c%c%c...\n", id[12], id[13], id[14]);

    /* Step 5: free everything. */
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    gpucmd_nvgpu_kernel_count(&kernel, &left);
    printf("left: %u descriptors, %u mappings\n", left.files, left.mappings + left.vmas);
    return 0;
}

/* Output:
 * open: OK
 * NV20_SUBDEVICE_0: OK
 *     fd 4: NVGPU_GPU_IOCTL_ALLOC_AS
 *     fd 5: NVGPU_AS_IOCTL_ALLOC_SPACE
 *     fd 5: NVGPU_AS_IOCTL_ALLOC_SPACE
 * NV01_MEMORY_VIRTUAL: OK
 *     fd 4: NVGPU_GPU_IOCTL_OPEN_TSG
 * KEPLER_CHANNEL_GROUP_A: OK
 *     fd 6: NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT
 * FERMI_CONTEXT_SHARE_A: OK
 * buffer: OK
 * its handle: OK
 * channel: FAULT (allocate the ring: ENOMEM)
 * channel: OK
 * GET_GID_INFO: OK
 * identity JKL...
 * left: 0 descriptors, 0 mappings
 */

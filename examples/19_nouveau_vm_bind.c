/* 19_nouveau_vm_bind.c - from open to the fence: the interface of nouveau that NVK uses.
 *
 * You learn the ioctls in their order: an address space whose addresses the client chooses, an object,
 * its mapping, a channel, a submission that signals a sync object; and what the kernel answers to
 * mistakes. The calls go through a table: here the model kernel answers them, with the table of
 * gpucmd_sys_ops_init_linux the driver does, where GPU addresses and words are those of a GA102.
 * Read 11_ampere_copy.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <string.h>

#define VA ((uint64_t)1 << 32) /* where the client maps its object */

enum { BYTES = 0x10000, FENCE = 0x8000 };

static gpucmd_nouveau_device gpu;
static gpucmd_nouveau_kernel kernel;
static uint8_t memory[4 * BYTES];

/* Memory for objects of the model kernel. */
static int object_memory(void *user, gpucmd_nouveau_gem *gem)
{
    static size_t used;
    (void)user;
    if (gem->bytes > sizeof memory - used) {
        return -GPUCMD_SYS_ENOMEM;
    }
    gem->host = memory + used;
    gem->map_handle = GPUCMD_NOUVEAU_MAP_OFFSET + used;
    used += (size_t)gem->bytes;
    return 0;
}

/* The model kernel calls this while a client waits: execute. */
static int execute(void *user)
{
    (void)user;
    return gpucmd_nouveau_kernel_run(&kernel, 1000) == GPUCMD_RUN_BLOCKED ? -GPUCMD_SYS_ETIME : 0;
}

/* Do an ioctl, and print its name and result. */
static int call(const gpucmd_sys_ops *sys, int fd, uint32_t request, void *arg)
{
    const int result = sys->sys_ioctl(sys->user, fd, request, arg);
    printf("%-14s %s\n", gpucmd_nouveau_ioctl_name(request),
           result == 0 ? "0" : gpucmd_sys_error_name(result));
    return result;
}

static int client(const gpucmd_sys_ops *sys, const char *path)
{
    const int fd = sys->sys_open(sys->user, path, GPUCMD_SYS_O_RDWR);
    struct gpucmd_drm_nouveau_vm_init vm;
    struct gpucmd_drm_nouveau_gem_new gem;
    struct gpucmd_drm_nouveau_vm_bind_op op;
    struct gpucmd_drm_nouveau_vm_bind bind;
    struct gpucmd_drm_nouveau_channel_alloc channel;
    struct gpucmd_drm_nouveau_exec_push push;
    struct gpucmd_drm_nouveau_exec exec;
    struct gpucmd_drm_nouveau_sync sig;
    gpucmd_syncobj_wait wait;
    gpucmd_sys_map map;
    gpucmd_writer w;
    uint32_t done, dw[16];
    size_t len_dw = 0;
    memset(&gem, 0, sizeof gem);
    memset(&op, 0, sizeof op);
    memset(&bind, 0, sizeof bind);
    memset(&channel, 0, sizeof channel);
    memset(&exec, 0, sizeof exec);
    memset(&sig, 0, sizeof sig);
    memset(&wait, 0, sizeof wait);
    memset(&map, 0, sizeof map);

    /* Step 1: first of all, an address space. The upper half is for rings of the kernel. */
    vm.kernel_managed_addr = (uint64_t)1 << 39;
    vm.kernel_managed_size = (uint64_t)1 << 39;
    if (fd < 0 || call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_VM_INIT, &vm) != 0) {
        return 1;
    }

    /* Step 2: an object in GART, mapped for the CPU. */
    gem.info.domain = GPUCMD_NOUVEAU_GEM_DOMAIN_GART | GPUCMD_NOUVEAU_GEM_DOMAIN_NO_SHARE;
    gem.info.size = BYTES;
    if (call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_GEM_NEW, &gem) != 0) {
        return 1;
    }
    map.len_bytes = BYTES;
    map.prot = GPUCMD_SYS_PROT_READ | GPUCMD_SYS_PROT_WRITE;
    map.flags = GPUCMD_SYS_MAP_SHARED;
    map.fd = fd;
    map.off_bytes = gem.info.map_handle;
    if (sys->sys_mmap(sys->user, &map) != 0) {
        return 1;
    }

    /* Step 3: map it for the GPU. The first address is the kernel's: EINVAL, and nothing changes. */
    op.handle = gem.info.handle;
    op.addr = vm.kernel_managed_addr;
    op.range = BYTES;
    bind.op_count = 1;
    bind.op_ptr = (uintptr_t)&op;
    (void)call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, &bind);
    op.addr = VA;
    if (call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, &bind) != 0) {
        return 1;
    }

    /* Step 4: a channel for graphics; a sync object. */
    channel.fb_ctxdma_handle = 0xffffffff;
    channel.tt_ctxdma_handle = GPUCMD_NOUVEAU_ENGINE_GR;
    if (call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC, &channel) != 0 ||
        gpucmd_drm_syncobj_create(sys, fd, 0, &done) != 0) {
        return 1;
    }

    /* Step 5: words at the start of the object: a semaphore release into its middle. */
    gpucmd_writer_init(&w, dw, 16);
    gpucmd_nv_emit_sem_release(&w, GPUCMD_NV_CHIP_GA102, VA + FENCE, 0xc0ffee, 0);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_store_words(map.addr, dw, len_dw, GPUCMD_LITTLE_ENDIAN);

    /* Step 6: submit them, and wait for the sync object, which has a fence from now on. */
    push.va = VA;
    push.va_len = (uint32_t)len_dw * 4;
    push.flags = 0;
    sig.handle = done;
    exec.channel = (uint32_t)channel.channel;
    exec.push_count = 1;
    exec.push_ptr = (uintptr_t)&push;
    exec.sig_count = 1;
    exec.sig_ptr = (uintptr_t)&sig;
    wait.syncobjs = &done;
    wait.count = 1;
    if (call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, &exec) != 0 ||
        gpucmd_drm_syncobj_wait(sys, fd, &wait, INT64_MAX, NULL) != 0) {
        return 1;
    }
    printf("channel %d wrote 0x%x\n", (int)channel.channel,
           (unsigned)gpucmd_load32((uint8_t *)map.addr + FENCE, GPUCMD_LITTLE_ENDIAN));

    /* Step 7: words that write where nothing is mapped: the fault kills the channel. */
    op.op = GPUCMD_NOUVEAU_VM_BIND_OP_UNMAP;
    op.addr = VA + FENCE;
    op.range = GPUCMD_NOUVEAU_PAGE_BYTES;
    if (call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, &bind) != 0 ||
        call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, &exec) != 0 ||
        gpucmd_drm_syncobj_wait(sys, fd, &wait, INT64_MAX, NULL) != 0) {
        return 1;
    }
    (void)call(sys, fd, GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, &exec);
    (void)sys->sys_munmap(sys->user, map.addr, BYTES);
    return sys->sys_close(sys->user, fd);
}

int main(void)
{
    static gpucmd_nouveau_store store;
    gpucmd_nouveau_tables tables;
    gpucmd_sys_ops sys;
    gpucmd_nouveau_tables_init(&tables, &store);
    if (gpucmd_nouveau_device_init(&gpu, GPUCMD_NV_CHIP_GA102) != GPUCMD_OK ||
        gpucmd_nouveau_kernel_init(&kernel, &gpu, &tables) != GPUCMD_OK) {
        return 1;
    }
    gpu.memory = object_memory;
    kernel.progress = execute;
    gpucmd_nouveau_kernel_sys(&kernel, &sys);
    return client(&sys, "/dev/dri/renderD128");
}

/* Output:
 * VM_INIT        0
 * GEM_NEW        0
 * VM_BIND        EINVAL
 * VM_BIND        0
 * CHANNEL_ALLOC  0
 * EXEC           0
 * channel 3 wrote 0xc0ffee
 * VM_BIND        0
 * EXEC           0
 * EXEC           ENODEV
 */

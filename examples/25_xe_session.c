/* 25_xe_session.c - from open to a user fence with the driver xe.
 *
 * You learn how a client of today's Intel driver opens a node, makes a VM, an object and an exec
 * queue, binds the object, submits a batch, and waits for a fence in memory; and what happens to a
 * queue whose batch has no memory. The node is the model kernel of a Lunar Lake here: with the table
 * of gpucmd_sys_ops_init_linux the same calls reach the driver. Read 20_i915_gem_exec_nop.c first.
 */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>
#include <string.h>

enum { OBJECT_BYTES = 0x10000, OBJECT_VA = 0x1a0000, FENCE_OFF = 0x1000, DATA_OFF = 0x2000 };

static gpucmd_sys_ops node;
static int fd;

/* Make an ioctl, and print its result. */
static int call(const char *name, uint32_t number, void *arg)
{
    const int result = node.sys_ioctl(node.user, fd, number, arg);
    printf("%-18s %s\n", name, result == 0 ? "fine" : gpucmd_sys_error_name(-result));
    return result;
}

/* Wait until the 64-bit number at *at is at least value, and the queue is not banned. */
static int wait_for(const uint64_t *at, uint64_t value, uint32_t queue)
{
    struct gpucmd_drm_xe_wait_user_fence a;
    memset(&a, 0, sizeof a);
    a.addr = (uintptr_t)at;
    a.op = GPUCMD_DRM_XE_UFENCE_WAIT_OP_GTE;
    a.value = value;
    a.mask = UINT64_MAX;
    a.timeout = 1000000000;
    a.exec_queue_id = queue;
    return call("WAIT_USER_FENCE", GPUCMD_DRM_IOCTL_XE_WAIT_USER_FENCE, &a);
}

/* Submit the batch at va. The GPU writes value to fence_va when the batch has ended. */
static int submit(uint32_t queue, uint64_t va, uint64_t fence_va, uint64_t value)
{
    struct gpucmd_drm_xe_sync fence;
    struct gpucmd_drm_xe_exec a;
    memset(&fence, 0, sizeof fence);
    fence.type = GPUCMD_DRM_XE_SYNC_TYPE_USER_FENCE;
    fence.flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
    fence.addr = fence_va;
    fence.timeline_value = value;
    memset(&a, 0, sizeof a);
    a.exec_queue_id = queue;
    a.num_syncs = 1;
    a.syncs = (uintptr_t)&fence;
    a.address = va;
    a.num_batch_buffer = 1;
    return call("EXEC", GPUCMD_DRM_IOCTL_XE_EXEC, &a);
}

int main(void)
{
    static gpucmd_xe_kernel kernel;
    static gpucmd_xe_kernel_store store;
    static uint8_t room[0x40000 + 4096];
    static uint64_t bound; /* the fence of a bind is in memory of the process */
    gpucmd_xe_device device;
    struct gpucmd_drm_xe_vm_create vm;
    struct gpucmd_drm_xe_gem_create gem;
    struct gpucmd_drm_xe_gem_mmap_offset offset;
    struct gpucmd_drm_xe_vm_bind bind;
    struct gpucmd_drm_xe_sync sync;
    struct gpucmd_drm_xe_exec_queue_create queue;
    struct gpucmd_drm_xe_engine_class_instance render = {0, 0, 0, 0};
    struct gpucmd_drm_xe_exec_queue_get_property ban;
    gpucmd_writer w;
    size_t len_dw = 0;

    /* Step 1: a device, tables and memory for the model kernel, and its node. */
    uint8_t *const ram = room + (4096 - ((uintptr_t)room & 4095)) % 4096;
    if (gpucmd_xe_device_init(&device, GPUCMD_XE_LNL) != GPUCMD_OK ||
        gpucmd_xe_kernel_init_store(&kernel, &device, NULL, &store, ram, 0x40000) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_xe_kernel_sys(&kernel, &node);
    fd = node.sys_open(node.user, "/dev/dri/renderD128", GPUCMD_SYS_O_RDWR);

    /* Step 2: a VM without scratch pages, and an object of system memory that the CPU can map. */
    memset(&vm, 0, sizeof vm);
    memset(&gem, 0, sizeof gem);
    gem.size = OBJECT_BYTES;
    gem.placement = 1;
    gem.cpu_caching = GPUCMD_DRM_XE_GEM_CPU_CACHING_WB;
    if (call("VM_CREATE", GPUCMD_DRM_IOCTL_XE_VM_CREATE, &vm) != 0 ||
        call("GEM_CREATE", GPUCMD_DRM_IOCTL_XE_GEM_CREATE, &gem) != 0) {
        return 1;
    }
    memset(&offset, 0, sizeof offset);
    offset.handle = gem.handle;
    if (call("GEM_MMAP_OFFSET", GPUCMD_DRM_IOCTL_XE_GEM_MMAP_OFFSET, &offset) != 0) {
        return 1;
    }
    gpucmd_sys_map map = {
        NULL, OBJECT_BYTES, GPUCMD_SYS_PROT_READ | GPUCMD_SYS_PROT_WRITE, GPUCMD_SYS_MAP_SHARED,
        fd,   offset.offset};
    if (node.sys_mmap(node.user, &map) != 0) {
        return 1;
    }
    uint8_t *const memory = (uint8_t *)map.addr;

    /* Step 3: bind the object. PAT entry 1 is coherent: a cached object needs it. */
    memset(&sync, 0, sizeof sync);
    sync.type = GPUCMD_DRM_XE_SYNC_TYPE_USER_FENCE;
    sync.flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
    sync.addr = (uintptr_t)&bound;
    sync.timeline_value = 1;
    memset(&bind, 0, sizeof bind);
    bind.vm_id = vm.vm_id;
    bind.num_binds = 1;
    bind.bind.obj = gem.handle;
    bind.bind.range = OBJECT_BYTES;
    bind.bind.addr = OBJECT_VA;
    bind.num_syncs = 1;
    bind.syncs = (uintptr_t)&sync;
    (void)call("VM_BIND, PAT 0", GPUCMD_DRM_IOCTL_XE_VM_BIND, &bind);
    bind.bind.pat_index = 1;
    if (call("VM_BIND, PAT 1", GPUCMD_DRM_IOCTL_XE_VM_BIND, &bind) != 0 ||
        wait_for(&bound, 1, 0) != 0) {
        return 1;
    }

    /* Step 4: a queue of the render engine. */
    memset(&queue, 0, sizeof queue);
    queue.width = queue.num_placements = 1;
    queue.vm_id = vm.vm_id;
    queue.instances = (uintptr_t)&render;
    if (call("EXEC_QUEUE_CREATE", GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &queue) != 0) {
        return 1;
    }

    /* Step 5: a batch that stores a number; its fence is at 0x1000 of the object. */
    gpucmd_writer_init(&w, (uint32_t *)(void *)memory, 64);
    gpucmd_i915_emit_mi_store_data_imm(&w, GPUCMD_I915_GEN20, 0, OBJECT_VA + DATA_OFF, 0xdeadbeef);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, GPUCMD_I915_GEN20, 0);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK ||
        submit(queue.exec_queue_id, OBJECT_VA, OBJECT_VA + FENCE_OFF, 0xc0ffee) != 0) {
        return 1;
    }
    const uint64_t *const fence = (const uint64_t *)(const void *)(memory + FENCE_OFF);
    (void)wait_for(fence, 0xc0ffee, queue.exec_queue_id);
    printf("the batch stored 0x%08x\n",
           (unsigned)gpucmd_load32(memory + DATA_OFF, GPUCMD_LITTLE_ENDIAN));

    /* Step 6: a batch where no object is. The kernel bans the queue; its fence is not written. */
    (void)submit(queue.exec_queue_id, 0x700000, OBJECT_VA + FENCE_OFF, 0xc0ffef);
    (void)wait_for(fence, 0xc0ffef, queue.exec_queue_id);
    (void)submit(queue.exec_queue_id, OBJECT_VA, OBJECT_VA + FENCE_OFF, 0xc0ffef);
    memset(&ban, 0, sizeof ban);
    ban.exec_queue_id = queue.exec_queue_id;
    (void)call("GET_PROPERTY", GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &ban);
    printf("banned: %u\n", (unsigned)ban.value);
    return node.sys_close(node.user, fd);
}

/* Output:
 * VM_CREATE          fine
 * GEM_CREATE         fine
 * GEM_MMAP_OFFSET    fine
 * VM_BIND, PAT 0     EINVAL
 * VM_BIND, PAT 1     fine
 * WAIT_USER_FENCE    fine
 * EXEC_QUEUE_CREATE  fine
 * EXEC               fine
 * WAIT_USER_FENCE    fine
 * the batch stored 0xdeadbeef
 * EXEC               fine
 * WAIT_USER_FENCE    EIO
 * EXEC               ECANCELED
 * GET_PROPERTY       fine
 * banned: 1
 */

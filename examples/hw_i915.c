/* hw: gem_exec_nop on a real Intel GPU, where there is one: the same structures and words as in
 * example 20, sent to the first render node whose kernel driver answers as i915. Linux only. */
#include "gpucmd_i915.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Arguments of the other ioctls, by their names in the kernel. */
struct drm_i915_gem_create {
    uint64_t size;
    uint32_t handle, pad;
};
struct drm_i915_gem_pwrite {
    uint32_t handle, pad;
    uint64_t offset, size, data_ptr;
};
struct drm_i915_gem_wait {
    uint32_t bo_handle, flags;
    int64_t timeout_ns;
};

/* A render node of i915: it knows the ioctl that makes a buffer object. */
static int open_node(uint32_t *handle)
{
    for (int i = 128; i < 144; i++) {
        struct drm_i915_gem_create create;
        char path[32];
        int fd;
        snprintf(path, sizeof path, "/dev/dri/renderD%d", i);
        fd = open(path, O_RDWR);
        if (fd < 0) {
            continue;
        }
        memset(&create, 0, sizeof create);
        create.size = 4096;
        if (ioctl(fd, GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &create) == 0) {
            printf("%s\n", path);
            *handle = create.handle;
            return fd;
        }
        close(fd);
    }
    return -1;
}

int main(void)
{
    struct gpucmd_drm_i915_gem_exec_object2 objects[1];
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct drm_i915_gem_pwrite pwrite_arg;
    struct drm_i915_gem_wait wait_arg;
    uint8_t batch[8];
    gpucmd_i915_exec exec;
    uint32_t handle = 0;

    /* Step 1: a buffer object with MI_BATCH_BUFFER_END and MI_NOOP. */
    const int fd = open_node(&handle);
    if (fd < 0) {
        printf("no render node of an Intel GPU\n");
        return 0;
    }
    gpucmd_store32(batch, GPUCMD_I915_MI_BATCH_BUFFER_END(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch + 4, GPUCMD_I915_MI_NOOP(0), GPUCMD_LITTLE_ENDIAN);
    memset(&pwrite_arg, 0, sizeof pwrite_arg);
    pwrite_arg.handle = handle;
    pwrite_arg.size = sizeof batch;
    pwrite_arg.data_ptr = (uint64_t)(uintptr_t)batch;
    if (ioctl(fd, GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &pwrite_arg) != 0) {
        perror("write the batch");
        return 1;
    }

    /* Step 2: one object, eight bytes, the render ring. */
    gpucmd_i915_exec_init(&exec, objects, 1);
    (void)gpucmd_i915_exec_add(&exec, handle, 0, 0, NULL, 0);
    if (gpucmd_i915_exec_finish(&exec, GPUCMD_I915_EXEC_RENDER, 0, 8, &arg) != GPUCMD_OK) {
        return 1;
    }
    if (ioctl(fd, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg) != 0) {
        perror("execbuffer2");
        return 1;
    }
    printf("submitted, the batch is at 0x%llx\n", (unsigned long long)objects[0].offset);

    /* Step 3: wait until it has run, at most a second. */
    memset(&wait_arg, 0, sizeof wait_arg);
    wait_arg.bo_handle = handle;
    wait_arg.timeout_ns = 1000000000;
    if (ioctl(fd, GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait_arg) != 0) {
        perror("wait");
        return 1;
    }
    printf("done\n");
    close(fd);
    return 0;
}

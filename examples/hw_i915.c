/* hw_i915.c - gem_exec_nop on a real Intel GPU: the first render node whose driver answers as i915.
 *
 * You learn: the calls of example 20 against Linux, with the search for a node.
 * Linux only. Exit status 77: there is no such node.
 * Read first: 20_i915_gem_exec_nop.c.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpucmd_i915.h"

#include <stdio.h>

static gpucmd_sys_ops ops;
static int fd;

static int call(uint32_t number, void *arg)
{
    return ops.sys_ioctl(ops.user, fd, number, arg);
}

/* Step 1: open a render node that makes a buffer object of i915. */
static bool open_node(uint32_t *handle)
{
    for (int i = 128; i < 144; i++) {
        struct gpucmd_drm_i915_gem_create create = {4096, 0, 0};
        char path[32];
        snprintf(path, sizeof path, "/dev/dri/renderD%d", i);
        fd = ops.sys_open(ops.user, path, GPUCMD_SYS_O_RDWR);
        if (fd < 0) {
            continue;
        }
        if (call(GPUCMD_DRM_IOCTL_I915_GEM_CREATE, &create) == 0) {
            printf("%s\n", path);
            *handle = create.handle;
            return true;
        }
        (void)ops.sys_close(ops.user, fd);
    }
    return false;
}

/* Print which call failed. */
static int failed(const char *what, int result)
{
    printf("%s: errno %d\n", what, -result);
    return 1;
}

int main(void)
{
    struct gpucmd_drm_i915_gem_pwrite copy = {0, 0, 0, 8, 0};
    struct gpucmd_drm_i915_gem_wait wait = {0, 0, 1000000000};
    struct gpucmd_drm_i915_gem_exec_object2 objects[1];
    struct gpucmd_drm_i915_gem_execbuffer2 submit;
    gpucmd_i915_exec exec;
    uint8_t batch[8];
    uint32_t handle = 0;
    int result;

    gpucmd_sys_ops_init_linux(&ops);
    if (!open_node(&handle)) {
        printf("no render node of an Intel GPU\n");
        return 77;
    }

    /* Step 2: write the batch, list one object, submit it to the render engine. */
    gpucmd_store32(batch, GPUCMD_I915_MI_BATCH_BUFFER_END(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch + 4, GPUCMD_I915_MI_NOOP(0), GPUCMD_LITTLE_ENDIAN);
    copy.handle = handle;
    copy.data_ptr = (uint64_t)(uintptr_t)batch;
    gpucmd_i915_exec_init(&exec, objects, 1);
    (void)gpucmd_i915_exec_add(&exec, handle, 0, 0, NULL, 0);
    if (gpucmd_i915_exec_finish(&exec, GPUCMD_I915_EXEC_RENDER, 0, 8, &submit) != GPUCMD_OK) {
        return 1;
    }
    result = call(GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, &copy);
    if (result < 0) {
        return failed("write the batch", result);
    }
    result = call(GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, &submit);
    if (result < 0) {
        return failed("execbuffer2", result);
    }
    printf("submitted, the batch is at 0x%llx\n", (unsigned long long)objects[0].offset);

    /* Step 3: wait until the batch has run, at most one second. */
    wait.bo_handle = handle;
    result = call(GPUCMD_DRM_IOCTL_I915_GEM_WAIT, &wait);
    if (result < 0) {
        return failed("wait", result);
    }
    printf("done\n");
    return ops.sys_close(ops.user, fd) < 0;
}

/* 20_i915_gem_exec_nop.c - gem_exec_nop: a batch through the ioctls of i915, on a model kernel or
 * on a real node.
 *
 * You learn: to create an object, write a batch into it, submit it and wait for
 * it. The client does not know who answers: only the table of system calls
 * says so. Start the program with /dev/dri/renderD128 to try a real GPU.
 * Read first: 01_first_words.c.
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
#include "gpucmd_i915.h"

#include <stdio.h>

static gpucmd_i915_kernel kernel;
static gpucmd_i915_kernel_store store;
static uint64_t ram[3 * 512]; /* two pages that start at a page */

/* Step 1: choose who answers the system calls. */
static int choose(gpucmd_sys_ops *ops, const char *path)
{
    uint8_t *page = (uint8_t *)ram + (4096 - (uintptr_t)ram % 4096) % 4096;
#if defined(__linux__)
    if (path[0] != '\0') {
        gpucmd_sys_ops_init_linux(ops);
        return 0;
    }
#endif
    (void)path;
    if (gpucmd_i915_kernel_init_store(&kernel, GPUCMD_I915_GEN9, NULL, &store, page, 2 * 4096) !=
        GPUCMD_OK) {
        printf("table %s\n", gpucmd_i915_table_name(kernel.table));
        return -1;
    }
    gpucmd_i915_kernel_sys(&kernel, ops);
    return 0;
}

/* Call an ioctl and print its result. */
static int call(const gpucmd_sys_ops *ops, int fd, const char *name, uint32_t number, void *arg)
{
    const int result = ops->sys_ioctl(ops->user, fd, number, arg);
    printf("%-20s %s\n", name, result < 0 ? gpucmd_sys_error_name(result) : "ok");
    return result;
}

#define CALL(name, arg) call(ops, fd, #name, GPUCMD_DRM_IOCTL_##name, arg)

/* Step 2: the client. It does not know who answers. */
static int client(const gpucmd_sys_ops *ops, int fd)
{
    struct gpucmd_drm_i915_gem_create create = {4096, 0, 0};
    struct gpucmd_drm_i915_gem_pwrite copy = {0, 0, 0, 16, 0};
    struct gpucmd_drm_i915_gem_wait wait = {0, 0, 1000000000};
    struct gpucmd_drm_gem_close close_arg = {0, 0};
    struct gpucmd_drm_i915_gem_exec_object2 objects[1];
    struct gpucmd_drm_i915_gem_execbuffer2 submit;
    gpucmd_i915_exec exec;
    uint32_t words[4] = {0, 0, 0, 0};
    uint8_t bytes[16];
    gpucmd_writer w;
    size_t len_dw;

    gpucmd_writer_init(&w, words, 4);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, GPUCMD_I915_GEN9, 0);
    gpucmd_i915_emit_mi_noop(&w, GPUCMD_I915_GEN9, 0);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK || CALL(I915_GEM_CREATE, &create) < 0) {
        return 1;
    }
    gpucmd_store_words(bytes, words, 4, GPUCMD_LITTLE_ENDIAN);
    copy.handle = create.handle;
    copy.data_ptr = (uint64_t)(uintptr_t)bytes;
    gpucmd_i915_exec_init(&exec, objects, 1);
    (void)gpucmd_i915_exec_add(&exec, create.handle, 0, 0, NULL, 0);
    if (gpucmd_i915_exec_finish(&exec, GPUCMD_I915_EXEC_RENDER, 0, 8, &submit) != GPUCMD_OK) {
        return 1;
    }
    wait.bo_handle = create.handle;
    close_arg.handle = create.handle;
    return CALL(I915_GEM_PWRITE, &copy) < 0 || CALL(I915_GEM_EXECBUFFER2, &submit) < 0 ||
           CALL(I915_GEM_WAIT, &wait) < 0 || CALL(GEM_CLOSE, &close_arg) < 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "";
    gpucmd_sys_ops ops;
    int fd, failed;
    if (choose(&ops, path) != 0) {
        return 1;
    }
    fd = ops.sys_open(ops.user, path[0] != '\0' ? path : "/dev/dri/renderD128", GPUCMD_SYS_O_RDWR);
    if (fd < 0) {
        printf("open %s\n", gpucmd_sys_error_name(fd));
        return 1;
    }
    failed = client(&ops, fd);
    failed |= ops.sys_close(ops.user, fd) != 0;
    if (path[0] == '\0') {
        printf("commands executed by the model: %u\n", (unsigned)store.cs.commands);
    }
    return failed;
}

/* Output:
 * I915_GEM_CREATE      ok
 * I915_GEM_PWRITE      ok
 * I915_GEM_EXECBUFFER2 ok
 * I915_GEM_WAIT        ok
 * GEM_CLOSE            ok
 * commands executed by the model: 5
 */

/* asahi.c - the model kernel against the real one.
 *
 * On a machine with an Apple GPU and the Asahi driver this program makes the same calls to the DRM
 * node and to the model kernel and compares the results: parameters, address spaces, objects, binds,
 * queues, and submissions that both must reject. No submission reaches the GPU, and a node of another
 * driver is not used. Read 31_agx_vm_bind.c first. The first argument is the node; default: the first
 * render node of the driver. Exit status 77: there is no such node. A line that ends in "<-- differs" shows where the model kernel is wrong
 * about your kernel. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include "drm.h"

#define RW   (GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE)
#define NONE GPUCMD_DRM_ASAHI_BARRIER_NONE

/* Step 1: the system calls of the client are those of Linux. Only the ioctl differs: it restarts an
 * ioctl that a signal interrupted, which has changed nothing. */
static gpucmd_sys_ops linux_sys;

static int restarted_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    int result;
    do {
        result = linux_sys.sys_ioctl(user, fd, number, arg);
    } while (result == -EINTR || result == -EAGAIN);
    return result;
}

/* Return the node to use; NULL: there is none. Of a node that was asked for, print the reason. */
static const char *find_node(const char *wanted)
{
    static char path[32];
    char name[32];
    int fd = 0;
    if (wanted == NULL) {
        fd = hw_drm_find(&linux_sys, "asahi", path);
    } else {
        fd = hw_drm_open(&linux_sys, wanted, "asahi", name);
        if (fd < 0) {
            printf("%s: %s %s\n", wanted, gpucmd_sys_error_name(-fd), name);
        }
    }
    if (fd < 0) {
        return NULL;
    }
    (void)linux_sys.sys_close(NULL, fd);
    return wanted != NULL ? wanted : path;
}

/* Step 2: a model kernel with tables of its own. */
static gpucmd_agx_kernel kernel;

static gpucmd_status model(gpucmd_sys_ops *sys)
{
    static gpucmd_agx_kernel_store store;
    gpucmd_agx_kernel_tables t;
    gpucmd_agx_kernel_tables_init(&t, &store);
    const gpucmd_status status = gpucmd_agx_kernel_init(&kernel, &t);
    gpucmd_agx_kernel_sys(&kernel, sys);
    return status;
}

static unsigned same, different;

static void compare(const char *what, int real, int modelled)
{
    printf("%-40s %s, model %s%s\n", what, real == 0 ? "fine" : gpucmd_sys_error_name(-real),
           modelled == 0 ? "fine" : gpucmd_sys_error_name(-modelled),
           real == modelled ? "" : "   <-- differs");
    *(real == modelled ? &same : &different) += 1;
}

/* Step 3: submit one header and payload that gpucmd_agx_emit_* reject. */
static int refused(gpucmd_agx_client *c, uint32_t queue, uint32_t type, uint32_t vdm,
                   uint32_t bytes)
{
    static uint32_t words[64];
    struct gpucmd_drm_asahi_submit submit = {0, 0, 0, 0, 0, 0, 0, 0};
    if (gpucmd_agx_encode_header(words, type, bytes, vdm, NONE) != GPUCMD_OK) {
        return -EINVAL;
    }
    submit.cmdbuf = (uint64_t)(uintptr_t)words;
    submit.cmdbuf_size = 8 + bytes;
    submit.queue_id = queue;
    return c->sys.sys_ioctl(c->sys.user, c->fd, GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &submit);
}

int main(int argc, char **argv)
{
    gpucmd_sys_ops sys[2];
    gpucmd_agx_client c[2];
    uint32_t vm[2] = {0, 0}, gem[2] = {0, 0}, queue[2] = {0, 0};
    int r[2];
    gpucmd_sys_ops_init_linux(&linux_sys);
    const char *const node = find_node(argc > 1 ? argv[1] : NULL);
    if (node == NULL) {
        printf(
            "no node of the asahi driver: this needs a Mac with an Apple GPU, and Linux on it\n");
        return 77;
    }
    sys[0] = linux_sys;
    sys[0].sys_ioctl = restarted_ioctl;
    if (model(&sys[1]) != GPUCMD_OK || gpucmd_agx_client_open(&c[1], &sys[1], "model") != 0) {
        return 2;
    }
    r[0] = gpucmd_agx_client_open(&c[0], &sys[0], node);
    if (r[0] != 0) {
        printf("%s: parameters: %s\n", node, gpucmd_sys_error_name(-r[0]));
        return 1;
    }
    printf("%s: G%u%c, addresses 0x%llx to 0x%llx\n", node, (unsigned)c[0].params.gpu_generation,
           (char)c[0].params.gpu_variant, (unsigned long long)c[0].params.vm_start,
           (unsigned long long)c[0].params.vm_end);
    kernel.params = c[0].params; /* the model kernel reports the parameters of this machine */
    c[1].params = c[0].params;
#define BOTH(what, call)                                                                           \
    do {                                                                                           \
        for (int i = 0; i < 2; i++) {                                                              \
            r[i] = (call);                                                                         \
        }                                                                                          \
        compare(what, r[0], r[1]);                                                                 \
    } while (0)
    struct gpucmd_drm_asahi_gem_bind_op op = {RW, 0, 0, 0x4000, 0x1500000000u};
    BOTH("VM", gpucmd_agx_client_vm_create(&c[i], &vm[i]));
    BOTH("object", gpucmd_agx_client_gem_create(&c[i], 0, 0x8000, 0, &gem[i]));
    BOTH("private object of an unknown VM",
         gpucmd_agx_client_gem_create(&c[i], 99, 0x8000, 0, &gem[i]));
    BOTH("bind", (op.handle = gem[i], gpucmd_agx_client_vm_bind(&c[i], vm[i], &op)));
    op.range = 0xC000;
    BOTH("bind past the end", (op.handle = gem[i], gpucmd_agx_client_vm_bind(&c[i], vm[i], &op)));
    op.range = 0x2000;
    BOTH("unaligned bind", (op.handle = gem[i], gpucmd_agx_client_vm_bind(&c[i], vm[i], &op)));
    BOTH("queue", gpucmd_agx_client_queue_create(&c[i], vm[i], 0x1000000000u, &queue[i]));
    BOTH("barrier on itself", refused(&c[i], queue[i], 1, 1, 24));
    BOTH("barrier 0xfffe", refused(&c[i], queue[i], 0, 0xfffe, 160));
    BOTH("no hardware command", refused(&c[i], queue[i], 2, NONE, 0));
    BOTH("render without a size", refused(&c[i], queue[i], 0, NONE, 160));
    BOTH("unknown queue", refused(&c[i], 999, 1, NONE, 24));
    printf("%u the same, %u different\n", same, different);
    return different != 0;
}

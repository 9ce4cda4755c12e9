/* asahi_answers GPU [fault]: the answers of an asahi node, asked by its ioctls alone: the device on the
 * platform bus, sizes and offsets in pages of 16 KiB, errnos, a submission; with the second argument a
 * control stream that is not mapped. The structures are those of gpucmd_agx.h, because libdrm has
 * none. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <drm.h>

#include "../../../gpucmd_agx.h"

static int fd;

/* Print the errno of an ioctl, or 0. */
static void ask(const char *what, unsigned long request, void *arg)
{
    const int result = ioctl(fd, request, arg);
    printf("%s %d\n", what, result == 0 ? 0 : errno);
}

static void devices(void)
{
    char text[512] = "";
    struct stat st;
    const int file = open("/sys/dev/char/226:128/device/uevent", O_RDONLY);
    const ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    text[n > 0 ? n : 0] = 0;
    printf("CARD0 %s\n", stat("/dev/dri/card0", &st) != 0 ? "none" : "there");
    printf("OF %d %d\n", strstr(text, "OF_FULLNAME=") != NULL,
           strstr(text, "OF_COMPATIBLE_0=") != NULL);
    if (file >= 0) {
        close(file);
    }
}

static void objects(uint32_t vm)
{
    struct gpucmd_drm_asahi_gem_create create = {1, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_mmap_offset offset = {0, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_op op = {GPUCMD_DRM_ASAHI_BIND_READ, 0, 0, 0x4000,
                                              0x1500000000u};
    struct gpucmd_drm_asahi_vm_bind bind = {vm, 1, sizeof op, 0, (uintptr_t)&op};
    void *at;
    ask("CREATE", GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE, &create);
    offset.handle = create.handle;
    ask("OFFSET", GPUCMD_DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &offset);
    printf("PAGES %llu\n", (unsigned long long)(offset.offset % 0x4000));
    at = mmap(NULL, 0x4000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
    printf("MMAP %d\n", at != MAP_FAILED);
    if (at != MAP_FAILED) {
        memset(at, 0, 0x4000);
        ((uint32_t *)at)[0] = 0x40000000; /* CDM_TERMINATE */
        munmap(at, 0x4000);
    }
    create.size = 0;
    ask("EMPTY", GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE, &create);
    op.handle = 99;
    ask("UNKNOWN", GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, &bind);
    op.handle = offset.handle;
    op.range = 0x8000;
    ask("BEYOND", GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, &bind);
    op.range = 0x4000;
    ask("BIND", GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, &bind);
    bind.userptr = 16;
    ask("EFAULT", GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, &bind);
}

static void submissions(uint32_t vm, uint64_t second_va)
{
    struct gpucmd_drm_asahi_queue_create queue = {0, vm, 1, 0, 0x1100000000u};
    struct gpucmd_drm_asahi_cmd_compute c;
    struct gpucmd_drm_asahi_submit a;
    struct gpucmd_drm_asahi_sync sync = {0, 0, 0};
    struct drm_syncobj_create create = {0, 0};
    uint32_t words[64];
    gpucmd_agx_stream s;
    gpucmd_agx_syncs l;
    ask("QUEUE", GPUCMD_DRM_IOCTL_ASAHI_QUEUE_CREATE, &queue);
    ask("SYNCOBJ", DRM_IOCTL_SYNCOBJ_CREATE, &create);
    gpucmd_agx_compute_init(&c, 0x1500000000u, 0);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, GPUCMD_DRM_ASAHI_BARRIER_NONE, &c);
    gpucmd_agx_syncs_init(&l, &sync, 1);
    gpucmd_agx_emit_out_sync(&l, create.handle);
    if (gpucmd_agx_encode_submit(&a, &s, (uintptr_t)words, &l, (uintptr_t)&sync, queue.queue_id) !=
        GPUCMD_OK) {
        printf("ENCODE failed\n");
        return;
    }
    ask("SUBMIT", GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &a);
    struct drm_syncobj_wait wait;
    memset(&wait, 0, sizeof wait);
    wait.handles = (uintptr_t)&create.handle;
    wait.count_handles = 1;
    ask("WAIT", DRM_IOCTL_SYNCOBJ_WAIT, &wait);
    a.queue_id = 99;
    ask("NOQUEUE", GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &a);
    a.queue_id = queue.queue_id;
    a.cmdbuf = 16;
    ask("NOSTREAM", GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &a);
    if (second_va != 0) { /* nothing is mapped there */
        gpucmd_agx_compute_init(&c, second_va, 0);
        gpucmd_agx_stream_init(&s, words, 64);
        gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, GPUCMD_DRM_ASAHI_BARRIER_NONE,
                                &c);
        a.cmdbuf = (uintptr_t)words;
        ask("FAULTS", GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &a);
    }
}

int main(int argc, char **argv)
{
    struct gpucmd_drm_asahi_params_global p;
    struct gpucmd_drm_asahi_get_params get = {0, 0, (uintptr_t)&p, sizeof p};
    struct gpucmd_drm_asahi_vm_create vm = {0x77ffff8000u, 0x7fffff8000u, 0, 0};
    memset(&p, 0, sizeof p);
    devices();
    fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    printf("OPEN %d\n", fd >= 0);
    ask("PARAMS", GPUCMD_DRM_IOCTL_ASAHI_GET_PARAMS, &get);
    printf("CHIP %x %u %u\n", (unsigned)p.chip_id, (unsigned)p.gpu_generation,
           (unsigned)p.num_clusters_total);
    get.pointer = 16;
    ask("NOWHERE", GPUCMD_DRM_IOCTL_ASAHI_GET_PARAMS, &get);
    ask("VM", GPUCMD_DRM_IOCTL_ASAHI_VM_CREATE, &vm);
    objects(vm.vm_id);
    submissions(vm.vm_id, argc > 2 ? 0x1600000000u : 0);
    (void)argv;
    printf("DONE\n");
    return 0;
}

/* nv/nouveau_uapi.c - structures and numbers of nouveau compared with the header of Linux that libdrm
 * installs, for what that has: the old interface, NVIF. Without the header the suite only counts. */
#include "gpucmd_nv.h"
#include "test.h"

#if defined(__has_include) && defined(__x86_64__) /* headers of other machines may be half there */
#if __has_include(<libdrm/nouveau_drm.h>) && !defined(__cplusplus)
#define HAS_LIBDRM 1
#include <libdrm/nouveau_drm.h>
#endif
#endif

#ifdef HAS_LIBDRM
#define SAME(tag) _Static_assert(sizeof(struct gpucmd_##tag) == sizeof(struct tag), "size of " #tag)
#define AT(tag, member)                                                                            \
    _Static_assert(offsetof(struct gpucmd_##tag, member) == offsetof(struct tag, member),          \
                   "offset of " #tag "." #member)
SAME(drm_nouveau_channel_alloc);
AT(drm_nouveau_channel_alloc, notifier_handle);
AT(drm_nouveau_channel_alloc, subchan);
AT(drm_nouveau_channel_alloc, nr_subchan);
SAME(drm_nouveau_channel_free);
SAME(drm_nouveau_grobj_alloc);
SAME(drm_nouveau_notifierobj_alloc);
AT(drm_nouveau_notifierobj_alloc, offset);
SAME(drm_nouveau_gpuobj_free);
SAME(drm_nouveau_getparam);
SAME(drm_nouveau_svm_init);
SAME(drm_nouveau_svm_bind);
AT(drm_nouveau_svm_bind, result);
SAME(drm_nouveau_gem_info);
AT(drm_nouveau_gem_info, map_handle);
AT(drm_nouveau_gem_info, tile_flags);
SAME(drm_nouveau_gem_new);
AT(drm_nouveau_gem_new, align);
SAME(drm_nouveau_gem_pushbuf);
AT(drm_nouveau_gem_pushbuf, relocs);
AT(drm_nouveau_gem_pushbuf, suffix0);
AT(drm_nouveau_gem_pushbuf, gart_available);
SAME(drm_nouveau_gem_pushbuf_bo);
AT(drm_nouveau_gem_pushbuf_bo, presumed);
SAME(drm_nouveau_gem_pushbuf_reloc);
AT(drm_nouveau_gem_pushbuf_reloc, tor);
SAME(drm_nouveau_gem_pushbuf_push);
AT(drm_nouveau_gem_pushbuf_push, length);
SAME(drm_nouveau_gem_cpu_prep);
SAME(drm_nouveau_gem_cpu_fini);
#endif

/* Request codes and sizes, made by a C compiler from the header of Linux 7.2. */
static void codes(void)
{
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GETPARAM, 0xc0106440);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_SETPARAM, 0xc0106441);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC, 0xc0586442);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_CHANNEL_FREE, 0x40046443);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GROBJ_ALLOC, 0x400c6444);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_NOTIFIEROBJ_ALLOC, 0xc0106445);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GPUOBJ_FREE, 0x40086446);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_NVIF(0x88), 0xc0886447);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_SVM_INIT, 0xc0106448);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_SVM_BIND, 0xc0406449);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_VM_INIT, 0xc0106450);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_VM_BIND, 0xc0286451);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_EXEC, 0xc0286452);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GET_ZCULL_INFO, 0x80306453);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_NEW, 0xc0306480);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_PUSHBUF, 0xc0406481);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_PREP, 0x40086482);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CPU_FINI, 0x40046483);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_INFO, 0xc0286484);
    EQUAL(GPUCMD_DRM_IOCTL_NOUVEAU_GEM_CLOSE, 0x40086409);
}

/* Structures that no installed header has: sizes and offsets of the same compiler run. */
static void structures(void)
{
    EQUAL(sizeof(struct gpucmd_drm_nouveau_vm_init), 16);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_sync), 16);
    EQUAL(offsetof(struct gpucmd_drm_nouveau_sync, timeline_value), 8);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_vm_bind), 40);
    EQUAL(offsetof(struct gpucmd_drm_nouveau_vm_bind, wait_ptr), 16);
    EQUAL(offsetof(struct gpucmd_drm_nouveau_vm_bind, op_ptr), 32);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_vm_bind_op), 40);
    EQUAL(offsetof(struct gpucmd_drm_nouveau_vm_bind_op, bo_offset), 24);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_exec), 40);
    EQUAL(offsetof(struct gpucmd_drm_nouveau_exec, push_ptr), 32);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_exec_push), 16);
    EQUAL(sizeof(struct gpucmd_drm_nouveau_get_zcull_info), 48);
    EQUAL(sizeof(struct gpucmd_nvif_ioctl_v0), 24);
    EQUAL(sizeof(struct gpucmd_nvif_ioctl_new_v0), 32);
    EQUAL(offsetof(struct gpucmd_nvif_ioctl_new_v0, oclass), 28);
    EQUAL(sizeof(struct gpucmd_nv_device_info_v0), 104);
}

int main(void)
{
    codes();
    structures();
    return test_report("nv/nouveau_uapi");
}

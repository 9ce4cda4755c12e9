/* i915/xe_uapi.c - structures and numbers of drm/xe compared with the header of Linux, if one of
 * libdrm or of the kernel is installed that has xe; `make clients-today` has one. Members whose names
 * differ here are left out. */
#include "gpucmd_i915.h"
#include "test.h"

#if defined(__has_include) && defined(__x86_64__) /* headers of other machines may be half there */
#if __has_include(<drm/xe_drm.h>) && !defined(__cplusplus)
#define HAS_XE 1
#include <drm/xe_drm.h>
#elif __has_include(<libdrm/xe_drm.h>) && !defined(__cplusplus)
#define HAS_XE 1
#include <libdrm/xe_drm.h>
#endif
#endif

#if defined(NEED_HEADERS) && !defined(HAS_XE)
#error xe_drm.h is not there
#endif

#ifdef HAS_XE
#define SAME(tag) _Static_assert(sizeof(struct gpucmd_##tag) == sizeof(struct tag), "size of " #tag)
#define AT(tag, member)                                                                            \
    _Static_assert(offsetof(struct gpucmd_##tag, member) == offsetof(struct tag, member),          \
                   "offset of " #tag "." #member)
#define CODE(name)                                                                                 \
    _Static_assert(GPUCMD_DRM_IOCTL_XE_##name == (uint32_t)DRM_IOCTL_XE_##name, "number of " #name)
SAME(drm_xe_ext_set_property);
AT(drm_xe_ext_set_property, property);
AT(drm_xe_ext_set_property, value);
SAME(drm_xe_engine_class_instance);
SAME(drm_xe_device_query);
AT(drm_xe_device_query, data);
SAME(drm_xe_mem_region);
AT(drm_xe_mem_region, cpu_visible_used);
SAME(drm_xe_gt);
AT(drm_xe_gt, ip_ver_major);
SAME(drm_xe_query_engine_cycles);
SAME(drm_xe_query_uc_fw_version);
SAME(drm_xe_gem_create);
AT(drm_xe_gem_create, cpu_caching);
SAME(drm_xe_gem_mmap_offset);
SAME(drm_xe_vm_create);
SAME(drm_xe_vm_destroy);
SAME(drm_xe_vm_bind_op);
AT(drm_xe_vm_bind_op, op);
AT(drm_xe_vm_bind_op, prefetch_mem_region_instance);
SAME(drm_xe_vm_bind);
AT(drm_xe_vm_bind, bind);
AT(drm_xe_vm_bind, syncs);
SAME(drm_xe_sync);
AT(drm_xe_sync, timeline_value);
SAME(drm_xe_exec_queue_create);
AT(drm_xe_exec_queue_create, instances);
SAME(drm_xe_exec_queue_destroy);
SAME(drm_xe_exec_queue_get_property);
SAME(drm_xe_exec);
AT(drm_xe_exec, num_batch_buffer);
SAME(drm_xe_wait_user_fence);
AT(drm_xe_wait_user_fence, timeout);
SAME(drm_xe_observation_param);
CODE(DEVICE_QUERY);
CODE(GEM_CREATE);
CODE(GEM_MMAP_OFFSET);
CODE(VM_CREATE);
CODE(VM_DESTROY);
CODE(VM_BIND);
CODE(EXEC_QUEUE_CREATE);
CODE(EXEC_QUEUE_DESTROY);
CODE(EXEC_QUEUE_GET_PROPERTY);
CODE(EXEC);
CODE(WAIT_USER_FENCE);
CODE(OBSERVATION);
#endif

int main(void)
{
    /* sizes of the fact sheet */
    EQUAL(sizeof(struct gpucmd_drm_xe_vm_bind), 136);
    EQUAL(offsetof(struct gpucmd_drm_xe_vm_bind, bind), 24);
    EQUAL(offsetof(struct gpucmd_drm_xe_vm_bind, num_syncs), 108);
    EQUAL(sizeof(struct gpucmd_drm_xe_vm_bind_op), 80);
    EQUAL(sizeof(struct gpucmd_drm_xe_sync), 48);
    EQUAL(sizeof(struct gpucmd_drm_xe_exec), 56);
    EQUAL(sizeof(struct gpucmd_drm_xe_madvise), 64);
    EQUAL(sizeof(struct gpucmd_drm_xe_mem_range_attr), 64);
    EQUAL(sizeof(struct gpucmd_drm_xe_vm_get_property), 56);
    EQUAL(sizeof(struct gpucmd_drm_xe_oa_unit), 72);
    return test_report("i915/xe_uapi");
}

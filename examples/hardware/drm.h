/* drm.h - the render node of a DRM driver, found by the name that the driver returns. Include it
 * after a gpucmd header. */
#ifndef HW_DRM_H
#define HW_DRM_H

#include <stdio.h>
#include <string.h>

/* Argument of the ioctl that returns the name of a DRM driver, with its name in the kernel. */
struct drm_version {
    int version_major, version_minor, version_patchlevel;
    size_t name_len;
    char *name;
    size_t date_len;
    char *date;
    size_t desc_len;
    char *desc;
};
#define DRM_IOCTL_VERSION GPUCMD_IOWR('d', 0, struct drm_version)

/* Open a node if this driver answers there. Return its descriptor, or a negative errno; ENODEV: it
 * is the node of the driver whose name is written to name. */
static inline int hw_drm_open(const gpucmd_sys_ops *sys, const char *path, const char *driver,
                              char name[32])
{
    struct drm_version version = {0, 0, 0, 31, NULL, 0, NULL, 0, NULL};
    const int fd = sys->sys_open(sys->user, path, GPUCMD_SYS_O_RDWR);
    int error = fd;
    memset(name, 0, 32);
    version.name = name;
    if (fd >= 0) {
        error = sys->sys_ioctl(sys->user, fd, DRM_IOCTL_VERSION, &version);
        error = error >= 0 && strcmp(name, driver) != 0 ? -GPUCMD_SYS_ENODEV : error;
        if (error < 0) {
            (void)sys->sys_close(sys->user, fd);
        }
    }
    return error < 0 ? error : fd;
}

/* Open the first render node of this driver. Return its descriptor, or a negative number. */
static inline int hw_drm_find(const gpucmd_sys_ops *sys, const char *driver, char path[32])
{
    int fd = -1;
    for (unsigned i = 128; i < 144 && fd < 0; i++) {
        char name[32];
        snprintf(path, 32, "/dev/dri/renderD%u", i);
        fd = hw_drm_open(sys, path, driver, name);
    }
    return fd;
}

#endif /* HW_DRM_H */

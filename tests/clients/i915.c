/* The i915 driver. */
#include "shim.h"

#include <errno.h>

#include <libdrm/drm.h>

static void start(void)
{
}

static void open_file(shim_file *f)
{
    (void)f;
}

static void close_file(shim_file *f)
{
    (void)f;
}

static int driver_ioctl(shim_file *f, uint32_t nr, uint32_t arg_bytes, void *arg)
{
    (void)f;
    (void)nr;
    (void)arg_bytes;
    (void)arg;
    return -ENOTTY;
}

const shim_driver shim_i915 = {
    .name = "i915",
    .major = 1,
    .minor = 6,
    .patch = 0,
    .caps = (uint64_t)1 << DRM_CAP_PRIME,
    .start = start,
    .open = open_file,
    .close = close_file,
    .ioctl = driver_ioctl,
};

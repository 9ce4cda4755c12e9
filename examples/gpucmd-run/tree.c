#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOT "0000:00:02.0"
#define PCI  "/sys/devices/pci0000:00/" SLOT
#define OF   "/sys/devices/platform/206400000.gpu" /* of the device tree; not a PCI device */

typedef struct tree {
    const char *root;
    const shim_gpu *gpu;
    const char *driver;
    const char *device; /* directory of the device in sysfs, two levels below /sys/devices */
    bool fine;
} tree;

/* Create the parent directories of path, which is relative to the root. Return the whole path. */
static const char *place(tree *t, const char *path, char *full)
{
    const size_t n = strlen(t->root);
    snprintf(full, PATH_MAX, "%s%s", t->root, path);
    for (char *at = full + n + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = 0;
        t->fine = t->fine && (mkdir(full, 0777) == 0 || errno == EEXIST);
        *at = '/';
    }
    return full;
}

static void bytes(tree *t, const char *path, const void *data, size_t n)
{
    char full[PATH_MAX];
    const int fd = open(place(t, path, full), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    t->fine = t->fine && fd >= 0 && write(fd, data, n) == (ssize_t)n;
    if (fd >= 0) {
        close(fd);
    }
}

static void text(tree *t, const char *path, const char *data)
{
    bytes(t, path, data, strlen(data));
}

/* Write a file with one number: in hexadecimal with that many digits, or in decimal if digits is
 * 0. */
static void number(tree *t, const char *path, int digits, unsigned v)
{
    char data[64];
    if (digits > 0) {
        snprintf(data, sizeof data, "0x%0*x\n", digits, v);
    } else {
        snprintf(data, sizeof data, "%u\n", v);
    }
    text(t, path, data);
}

static void directory(tree *t, const char *path)
{
    char full[PATH_MAX];
    t->fine = t->fine && (mkdir(place(t, path, full), 0777) == 0 || errno == EEXIST);
}

static void link_to(tree *t, const char *path, const char *target)
{
    char full[PATH_MAX];
    t->fine = t->fine && symlink(target, place(t, path, full)) == 0;
}

/* Write the files of the device, with its PCI configuration. */
static void device(tree *t)
{
    const unsigned vendor = t->gpu->vendor;
    const unsigned id = t->gpu->device;
    const unsigned char low = (unsigned char)(id & 0xff);
    const unsigned char high = (unsigned char)(id >> 8);
    unsigned char config[256] = {0};
    char data[1024];
    number(t, PCI "/vendor", 4, vendor);
    number(t, PCI "/device", 4, id);
    number(t, PCI "/subsystem_vendor", 4, 0x1028);
    number(t, PCI "/subsystem_device", 4, 0x075b);
    number(t, PCI "/revision", 2, 4);
    number(t, PCI "/class", 6, 0x030000);
    number(t, PCI "/boot_vga", 0, 1);
    number(t, PCI "/irq", 0, 16);
    number(t, PCI "/numa_node", 0, 0);
    snprintf(data, sizeof data,
             "DRIVER=%s\nPCI_CLASS=30000\nPCI_ID=%04X:%04X\nPCI_SUBSYS_ID=1028:075B\n"
             "PCI_SLOT_NAME=" SLOT "\n",
             t->driver, vendor, id);
    text(t, PCI "/uevent", data);
    config[0] = (unsigned char)(vendor & 0xff);
    config[1] = (unsigned char)(vendor >> 8);
    config[2] = low;
    config[3] = high;
    config[8] = 4;
    config[11] = 3;
    config[0x2c] = 0x28;
    config[0x2d] = 0x10;
    config[0x2e] = 0x5b;
    config[0x2f] = 0x07;
    bytes(t, PCI "/config", config, sizeof config);
    for (size_t i = 0, at = 0; i < 13; i++) {
        unsigned long long range[3] = {0, 0, 0}; /* first, last, flags */
        if (i == 0) {
            range[0] = 0xf6000000;
            range[1] = 0xf6ffffff;
            range[2] = 0x140204;
        } else if (i == 2) {
            range[0] = 0xe0000000;
            range[1] = 0xefffffff;
            range[2] = 0x14220c;
        }
        at += (size_t)snprintf(data + at, sizeof data - at, "0x%016llx 0x%016llx 0x%016llx\n",
                               range[0], range[1], range[2]);
    }
    text(t, PCI "/resource", data); /* registers and aperture */
    link_to(t, PCI "/subsystem", "../../../bus/pci");
}

/* Write the files of a device of the device tree. */
static void platform_device(tree *t)
{
    static const char *const chips[] = {"t8103", "t6001", "t8112"};
    static const unsigned ids[] = {0x8103, 0x6001, 0x8112};
    const char *chip = chips[0];
    char data[512];
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (ids[i] == t->gpu->device) {
            chip = chips[i];
        }
    }
    snprintf(data, sizeof data,
             "DRIVER=%s\nOF_NAME=gpu\nOF_FULLNAME=/soc/gpu@406400000\n"
             "OF_COMPATIBLE_0=apple,agx-%s\nOF_COMPATIBLE_N=1\n"
             "MODALIAS=of:NgpuT(null)Capple,agx-%s\n",
             t->driver, chip, chip);
    text(t, OF "/uevent", data);
    link_to(t, OF "/subsystem", "../../../bus/platform");
}

/* Write one node and its files in sysfs. */
static void node(tree *t, const char *name, unsigned minor)
{
    char path[PATH_MAX];
    char data[PATH_MAX];
    snprintf(path, sizeof path, "/dev/dri/%s", name);
    text(t, path, "");
    snprintf(path, sizeof path, "%s/drm/%s/device", t->device, name);
    snprintf(data, sizeof data, "../../../%s", strrchr(t->device, '/') + 1);
    link_to(t, path, data);
    snprintf(path, sizeof path, "%s/drm/%s/subsystem", t->device, name);
    link_to(t, path, "../../../../../class/drm");
    snprintf(path, sizeof path, "%s/drm/%s/dev", t->device, name);
    snprintf(data, sizeof data, "226:%u\n", minor);
    text(t, path, data);
    snprintf(path, sizeof path, "%s/drm/%s/uevent", t->device, name);
    snprintf(data, sizeof data, "MAJOR=226\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", minor,
             name);
    text(t, path, data);
    snprintf(path, sizeof path, "/sys/dev/char/226:%u", minor);
    snprintf(data, sizeof data, "../../%s/drm/%s", t->device + strlen("/sys/"), name);
    link_to(t, path, data);
    snprintf(path, sizeof path, "/sys/class/drm/%s", name);
    link_to(t, path, data);
}

/* Write the files of a device without display: a render node alone. */
static bool make_platform(tree *t)
{
    char path[128];
    char data[128];
    t->device = OF;
    platform_device(t);
    node(t, "renderD128", 128);
    snprintf(path, sizeof path, "/sys/bus/platform/drivers/%s", t->driver);
    directory(t, path);
    snprintf(data, sizeof data, "../../../bus/platform/drivers/%s", t->driver);
    link_to(t, OF "/driver", data);
    link_to(t, "/sys/bus/platform/devices/206400000.gpu",
            "../../../devices/platform/206400000.gpu");
    return t->fine;
}

bool tree_make(const char *root, const shim_gpu *gpu, const char *driver, bool async)
{
    tree t = {root, gpu, driver, PCI, true};
    char path[128];
    char data[128];
    if (gpu->vendor == SHIM_APPLE) {
        return make_platform(&t);
    }
    device(&t);
    node(&t, "card0", 0);
    node(&t, "renderD128", 128);
    snprintf(path, sizeof path, "/sys/bus/pci/drivers/%s", t.driver);
    directory(&t, path);
    snprintf(data, sizeof data, "../../../bus/pci/drivers/%s", t.driver);
    link_to(&t, PCI "/driver", data);
    link_to(&t, "/sys/bus/pci/devices/" SLOT, "../../../devices/pci0000:00/" SLOT);
    if (async) {
        text(&t, "/sys/kernel/debug/sync/sw_sync", "");
    }
    for (int minor = 0; minor <= 128; minor += 128) {
        snprintf(path, sizeof path, "/sys/kernel/debug/dri/%d/name", minor);
        snprintf(data, sizeof data, "%s dev=" SLOT " unique=" SLOT "\n", t.driver);
        text(&t, path, data);
        snprintf(path, sizeof path, "/sys/kernel/debug/dri/%d/i915_gem_drop_caches", minor);
        text(&t, path, "0x1ff\n");
        snprintf(path, sizeof path, "/sys/kernel/debug/dri/%d/i915_wedged", minor);
        text(&t, path, "0\n");
        snprintf(path, sizeof path, "/sys/kernel/debug/dri/%d/i915_gem_objects", minor);
        text(&t, path, "0 objects\n");
        snprintf(path, sizeof path, "/sys/kernel/debug/dri/%d/i915_params/reset", minor);
        text(&t, path, "3\n");
    }
    return t.fine;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void tree_remove(const char *root)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

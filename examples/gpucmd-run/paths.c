/* Redirection of paths in /dev, /sys and debugfs to the emulated tree, and stat of the nodes. */
#include "shim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { DRM_MAJOR = 226 };

static const char *const prefixes[] = {
    "/dev/dri",       "/sys/dev/char/226:",    "/sys/devices/pci0000:00", "/sys/bus/pci",
    "/sys/class/drm", "/sys/kernel/debug/dri", "/sys/kernel/debug/sync",
};

/* Return the path of a file of the sysroot, if it has the file: data and drivers that libraries look
 * for by absolute paths. */
static const char *sysroot_path(const char *path, char *buf)
{
    static const char *const below[] = {"/usr/share/", "/usr/lib/x86_64-linux-gnu/"};
    for (size_t i = 0; shim.sysroot != NULL && i < sizeof below / sizeof below[0]; i++) {
        if (strncmp(path, below[i], strlen(below[i])) == 0) {
            const int n = snprintf(buf, PATH_MAX, "%s%s", shim.sysroot, path);
            if (n > 0 && n < PATH_MAX && syscall(SYS_access, buf, F_OK) == 0) {
                return buf;
            }
        }
    }
    return path;
}

const char *shim_path(const char *path, char *buf)
{
    if (path == NULL || path[0] != '/' || shim.root == NULL) {
        return path;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (strncmp(path, prefixes[i], strlen(prefixes[i])) == 0) {
            const int n = snprintf(buf, PATH_MAX, "%s%s", shim.root, path);
            return n > 0 && n < PATH_MAX ? buf : path;
        }
    }
    return sysroot_path(path, buf);
}

void shim_path_strip(char *path)
{
    size_t n = 0;
    if (shim.root != NULL) {
        n = strlen(shim.root);
    }
    if (path != NULL && n > 0 && strncmp(path, shim.root, n) == 0 && path[n] == '/') {
        memmove(path, path + n, strlen(path + n) + 1);
    }
}

int shim_path_minor(const char *path)
{
    static const char card[] = "/dev/dri/card";
    static const char render[] = "/dev/dri/renderD";
    const char *digits = NULL;
    char *end;
    long minor;
    if (path == NULL || shim.root == NULL) {
        return -1;
    }
    if (strncmp(path, card, sizeof card - 1) == 0) {
        digits = path + sizeof card - 1;
    } else if (strncmp(path, render, sizeof render - 1) == 0) {
        digits = path + sizeof render - 1;
    }
    if (digits == NULL || *digits < '0' || *digits > '9') {
        return -1;
    }
    minor = strtol(digits, &end, 10);
    return *end == 0 && minor < 256 ? (int)minor : -1;
}

void shim_path_stat(int minor, struct stat *st)
{
    st->st_mode = S_IFCHR | 0666;
    st->st_rdev = makedev(DRM_MAJOR, (unsigned)minor);
}

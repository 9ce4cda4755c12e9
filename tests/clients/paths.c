/* Redirection of paths in /dev, /sys and debugfs to the emulated tree, and stat of the nodes. */
#include "shim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

enum { DRM_MAJOR = 226 };

static const char *const prefixes[] = {
    "/dev/dri",       "/sys/dev/char/226:",    "/sys/devices/pci0000:00", "/sys/bus/pci",
    "/sys/class/drm", "/sys/kernel/debug/dri", "/sys/kernel/debug/sync",
};

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
    return path;
}

void shim_path_strip(char *path)
{
    const size_t n = shim.root != NULL ? strlen(shim.root) : 0;
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

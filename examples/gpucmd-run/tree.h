/* The emulated tree of one run: /dev/dri, and the files of /sys and debugfs that name the GPU. */
#ifndef CLIENTS_TREE_H
#define CLIENTS_TREE_H

#include <stdbool.h>

#include "gpus.h"

/* Build the tree below root, an empty directory. On failure, return false and set errno. */
bool tree_make(const char *root, const shim_gpu *gpu, const char *driver, bool async);
/* Remove root with everything in it. */
void tree_remove(const char *root);

#endif /* CLIENTS_TREE_H */

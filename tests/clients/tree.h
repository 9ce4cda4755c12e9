/* The fake tree of one run: /dev/dri, the parts of /sys and of debugfs that name the GPU. */
#ifndef CLIENTS_TREE_H
#define CLIENTS_TREE_H

#include <stdbool.h>

#include "gpus.h"

/* Build it below root, an empty directory. false: errno says why. */
bool tree_make(const char *root, const shim_gpu *gpu);
/* Remove root with everything in it. */
void tree_remove(const char *root);

#endif /* CLIENTS_TREE_H */

/* What the files of the nouveau driver share: nouveau.c has the device, the old interface and the
 * checks of submitted words, nouveau_vm.c the files with a VM. Include it after gpucmd_nv.h. */
#ifndef CLIENTS_NOUVEAU_H
#define CLIENTS_NOUVEAU_H

#include "shim.h"

/* All words that were submitted to a channel, for --check, which checks host methods last. */
typedef struct nouveau_words {
    uint32_t *dw;
    size_t len_dw;
    size_t cap_dw;
} nouveau_words;

/* The device: chip and how its words are read; size of VRAM. */
gpucmd_nv_chip nouveau_chip(void);
const gpucmd_nv_gate *nouveau_gate(void);
uint64_t nouveau_memory_bytes(void);

/* Process a segment for --dump, --trace and --check. A run may continue in the next segment of the
 * submission: then walk is the same. */
void nouveau_look(nouveau_words *words, gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw,
                  uint64_t va);
/* Check the words of a submission, which begin at word first_dw. Their addresses are those of
 * adjacent segments from va on. */
void nouveau_check(const nouveau_words *words, const gpucmd_nv_walk *walk, size_t first_dw,
                   uint64_t va);
/* Check the host methods in all words, at the end of a channel. */
void nouveau_check_host(const nouveau_words *words);
/* Run a channel until it stops or has used budget; engines may be switched off. */
gpucmd_run nouveau_run(gpucmd_nv_channel *host, const gpucmd_env *env, uint64_t budget);
/* Accept methods of classes without an engine model; count what a model cannot do. */
gpucmd_status nouveau_methods(void *user, const gpucmd_event *event);

/* ---- files with a VM ---- */

struct nouveau_vm;

/* Answer an ioctl of a file that has a VM, or VM_INIT of one that may get one. fresh: the file made
 * neither objects nor channels. *vm is the VM of the file; NULL: none, and then the result of other
 * ioctls is -ENOTTY. */
int nouveau_vm_ioctl(shim_file *f, struct nouveau_vm **vm, bool fresh, uint32_t nr,
                     uint32_t arg_bytes, void *arg);
void nouveau_vm_close(struct nouveau_vm *vm);
int nouveau_vm_import(struct nouveau_vm *vm, const shim_object *o);
void nouveau_vm_gem_close(struct nouveau_vm *vm, uint32_t handle);
/* The job functions of a VM; see shim_driver. */
int nouveau_vm_step(struct nouveau_vm *vm);
void nouveau_vm_end(struct nouveau_vm *vm);

#endif /* CLIENTS_NOUVEAU_H */

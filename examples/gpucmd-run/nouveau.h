/* What the files of the nouveau driver share: nouveau.c has the open files and their ioctls,
 * nouveau_check.c the words that they submit. Include it after gpucmd_nv.h. */
#ifndef CLIENTS_NOUVEAU_H
#define CLIENTS_NOUVEAU_H

#include "shim.h"

/* What was submitted to a channel. All words are kept for --check, which checks host methods last. */
typedef struct nouveau_stream {
    uint32_t *dw;
    size_t len_dw;
    size_t cap_dw;
    gpucmd_nv_walk walk;
    size_t first_dw; /* first word of the submission */
    uint64_t va;     /* address of its first segment */
    bool open;       /* a submission is not checked yet */
} nouveau_stream;

/* Set the chip whose words are read. */
void nouveau_check_start(gpucmd_nv_chip chip);
/* Process a segment for --dump, --trace and --check. A method run may continue in the next segment
 * of the submission. */
void nouveau_look(nouveau_stream *s, const uint32_t *dw, size_t len_dw, uint64_t va);
/* Check the words of the open submission, if there is one. The checker gets them as adjacent
 * segments from the address of the first on. */
void nouveau_check(nouveau_stream *s);
/* The channel ends: check the host methods in all its words, and clear *s. */
void nouveau_end(nouveau_stream *s);
/* Run a channel until it stops or has used budget; engines may be switched off. */
gpucmd_run nouveau_run(gpucmd_nv_channel *host, const gpucmd_env *env, uint64_t budget);
/* Accept methods of classes without an engine model; count what a model cannot do. */
gpucmd_status nouveau_methods(void *user, const gpucmd_event *event);

#endif /* CLIENTS_NOUVEAU_H */

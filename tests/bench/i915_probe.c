/* Rows P16c and P16d. P16c is the code of a firmware that writes rings and walks the commands of a
 * batch with their kind and length. P16d also decodes single commands, down to the reserved bits of
 * the first word. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

gpucmd_i915_op walk_probe(gpucmd_i915_walk *walk, const gpucmd_i915_cmdset *cmdset,
                          const uint32_t **dw, uint32_t *len_dw);
gpucmd_status i915_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset, gpucmd_i915_walk *walk,
                         gpucmd_i915_op *op);
gpucmd_status i915_fields_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset,
                                gpucmd_i915_walk *walk, gpucmd_i915_cmd *cmd);

/* The walk is inline; it and its table of rules are part of the measured size. */
gpucmd_i915_op walk_probe(gpucmd_i915_walk *walk, const gpucmd_i915_cmdset *cmdset,
                          const uint32_t **dw, uint32_t *len_dw)
{
    *dw = gpucmd_i915_walk_next(walk, cmdset, len_dw);
    return *dw != NULL ? gpucmd_i915_classify(cmdset, **dw) : GPUCMD_I915_OP_UNKNOWN;
}

/* Entry point for the link of P16c. */
gpucmd_status i915_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset, gpucmd_i915_walk *walk,
                         gpucmd_i915_op *op)
{
    const uint32_t *dw;
    uint32_t len_dw;
    gpucmd_writer w;
    gpucmd_status status = gpucmd_i915_cmdset_init(cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    *op = walk_probe(walk, cmdset, &dw, &len_dw);
    if (status == GPUCMD_OK) {
        status = gpucmd_i915_ring_begin(ring, 6, &w);
    }
    if (status == GPUCMD_OK) {
        gpucmd_i915_emit_dispatch(&w, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, 0x1000);
        status = gpucmd_i915_ring_end(ring, &w);
        gpucmd_i915_ring_publish(ring);
    }
    return status;
}

/* Entry point for the link of P16d. */
gpucmd_status i915_fields_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset,
                                gpucmd_i915_walk *walk, gpucmd_i915_cmd *cmd)
{
    gpucmd_i915_decode(cmdset, walk->cur, (size_t)(walk->end - walk->cur), cmd);
    return i915_probe(ring, cmdset, walk, &cmd->op);
}

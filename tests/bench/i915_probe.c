/* Rows P16c and P16d. P16c is the code of a firmware that writes rings and walks the commands of a
 * batch with their kind and length. P16d also decodes single commands, down to the reserved bits of
 * the first word. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

gpucmd_i915_op walk_probe(gpucmd_i915_walk *walk, gpucmd_i915_part *cmd);
gpucmd_status i915_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset, gpucmd_i915_walk *walk,
                         gpucmd_i915_op *op);
gpucmd_status i915_fields_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset,
                                gpucmd_i915_walk *walk, gpucmd_i915_cmd *cmd);

/* The walk is inline; it and its table of rules are part of the measured size. */
gpucmd_i915_op walk_probe(gpucmd_i915_walk *walk, gpucmd_i915_part *cmd)
{
    if (!gpucmd_i915_walk_next(walk, cmd)) {
        return GPUCMD_I915_OP_UNKNOWN;
    }
    return gpucmd_i915_classify(walk->cmdset, cmd->dw[0]);
}

/* Entry point for the link of P16c. */
gpucmd_status i915_probe(gpucmd_i915_ring *ring, gpucmd_i915_cmdset *cmdset, gpucmd_i915_walk *walk,
                         gpucmd_i915_op *op)
{
    gpucmd_i915_part cmd;
    gpucmd_i915_target t = {GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0, 0, 0, 0, 0, 0};
    gpucmd_writer w;
    gpucmd_status status = gpucmd_i915_cmdset_init(cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    *op = walk_probe(walk, &cmd);
    if (status == GPUCMD_OK) {
        status = gpucmd_i915_ring_begin(ring, 6, &w);
    }
    if (status == GPUCMD_OK) {
        gpucmd_i915_emit_dispatch(&w, &t, false, 0x1000);
        status = gpucmd_i915_ring_end(ring, &w);
        gpucmd_i915_ring_submit(ring);
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

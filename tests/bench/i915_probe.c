/* Row P16: what a firmware needs that writes rings and batches and decodes single commands. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

uint32_t i915_probe(gpucmd_i915_ring *ring, const gpucmd_i915_rules *rules, const uint32_t *dw,
                    size_t avail_dw, gpucmd_i915_cmd *cmd);

/* Where the link of the core begins. */
uint32_t i915_probe(gpucmd_i915_ring *ring, const gpucmd_i915_rules *rules, const uint32_t *dw,
                    size_t avail_dw, gpucmd_i915_cmd *cmd)
{
    gpucmd_writer w;
    gpucmd_i915_decode(rules, dw, avail_dw, cmd);
    if (gpucmd_i915_ring_begin(ring, 6, &w) != GPUCMD_OK) {
        return 0;
    }
    gpucmd_i915_emit_dispatch(&w, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, 0x1000);
    if (gpucmd_i915_ring_end(ring, &w) != GPUCMD_OK) {
        return 0;
    }
    gpucmd_i915_ring_publish(ring);
    return cmd->len_dw;
}

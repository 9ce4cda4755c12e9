/* Recipes of gpucmd_i915.h against the functions of the i915 driver whose words they are. */
#include "gpucmd_i915.h"
#include "ports.h"

static gpucmd_i915_target target(const port_case *c)
{
    static const gpucmd_i915_engine engines[PORT_ENGINES] = {
        GPUCMD_I915_RCS, GPUCMD_I915_BCS, GPUCMD_I915_VCS, GPUCMD_I915_VECS, GPUCMD_I915_CCS};
    gpucmd_i915_target t = {0};
    t.gen = (gpucmd_i915_gen)c->gen10;
    t.engine = engines[c->engine];
    t.instance = c->instance;
    t.traits = (c->kbl_b0 ? GPUCMD_I915_TRAIT_KBL_B0 : 0u) |
               (c->semaphores && !c->guc ? GPUCMD_I915_TRAIT_PREEMPT_WAIT : 0u) |
               (c->engine == PORT_CCS && c->pinned ? GPUCMD_I915_TRAIT_HOLD_SWITCH : 0u);
    t.scratch_va = c->scratch_va;
    t.status_va = c->status_va;
    t.context_va = c->state_va;
    if (c->gen10 >= 125) {
        t.restore_va = c->state_va + 2 * 4096;
    }
    return t;
}

/* Define recipe_NAME, which appends to w for target t. */
#define RECIPE(name, ...)                                                                          \
    int recipe_##name(const port_case *c, uint32_t *out)                                           \
    {                                                                                              \
        gpucmd_i915_target t = target(c);                                                          \
        size_t len_dw = 0;                                                                         \
        gpucmd_writer w;                                                                           \
        gpucmd_writer_init(&w, out, PORT_MAX_DW);                                                  \
        __VA_ARGS__;                                                                               \
        return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? (int)len_dw : PORT_REFUSED;        \
    }
#define FLUSH(name)                                                                                \
    RECIPE(name, gpucmd_i915_emit_flush(&w, &t,                                                    \
                                        (c->write_back ? GPUCMD_I915_WRITE_BACK : 0u) |            \
                                            (c->invalidate ? GPUCMD_I915_INVALIDATE : 0u)))
#define CRUMB(name)                                                                                \
    RECIPE(name,                                                                                   \
           gpucmd_i915_emit_breadcrumb(&w, &t, c->hwsp_va | GPUCMD_I915_STATUS_SEQNO, c->seqno))
#define CRUMB_8(name) RECIPE(name, gpucmd_i915_emit_breadcrumb(&w, &t, c->hwsp_va, c->seqno))
#define START(name)                                                                                \
    RECIPE(name, t.traits |= c->noarb ? GPUCMD_I915_TRAIT_NO_PREEMPT : 0u;                         \
           gpucmd_i915_emit_dispatch(&w, &t, c->secure, c->va))
#define START_NOARB(name)                                                                          \
    RECIPE(name, t.traits |= GPUCMD_I915_TRAIT_NO_PREEMPT;                                         \
           gpucmd_i915_emit_dispatch(&w, &t, c->secure, c->va))

FLUSH(gen2_emit_flush)
FLUSH(gen4_emit_flush_rcs)
FLUSH(gen4_emit_flush_vcs)
FLUSH(gen6_emit_flush_rcs)
FLUSH(gen6_emit_flush_vcs)
FLUSH(gen6_emit_flush_xcs)
FLUSH(gen7_emit_flush_rcs)
FLUSH(gen8_emit_flush_rcs)
FLUSH(gen8_emit_flush_xcs)
FLUSH(gen11_emit_flush_rcs)
FLUSH(gen12_emit_flush_rcs)
FLUSH(gen12_emit_flush_xcs)
CRUMB(gen3_emit_breadcrumb)
CRUMB(gen5_emit_breadcrumb)
CRUMB_8(gen6_emit_breadcrumb_rcs)
CRUMB(gen6_emit_breadcrumb_xcs)
CRUMB_8(gen7_emit_breadcrumb_rcs)
CRUMB(gen7_emit_breadcrumb_xcs)
CRUMB_8(gen8_emit_fini_breadcrumb_rcs)
CRUMB_8(gen8_emit_fini_breadcrumb_xcs)
CRUMB_8(gen11_emit_fini_breadcrumb_rcs)
CRUMB_8(gen12_emit_fini_breadcrumb_rcs)
CRUMB_8(gen12_emit_fini_breadcrumb_xcs)
RECIPE(gen8_emit_init_breadcrumb, gpucmd_i915_emit_init_breadcrumb(&w, &t, c->hwsp_va, c->seqno))
START(gen3_emit_bb_start)
START(gen4_emit_bb_start)
START(gen6_emit_bb_start)
START(hsw_emit_bb_start)
START(gen8_emit_bb_start)
START_NOARB(gen8_emit_bb_start_noarb)
RECIPE(gen125_emit_bb_start, gpucmd_i915_emit_dispatch(&w, &t, c->secure, c->va))
START_NOARB(gen125_emit_bb_start_noarb)
RECIPE(setup_predicate_disable_wa, gpucmd_i915_emit_restore(&w, &t))
RECIPE(emit_copy, const uint64_t high = (uint64_t)c->instance << 32;
       gpucmd_i915_emit_copy_pages(&w, t.gen, high | c->dst, high | c->src, c->size_bytes >> 12))

/* Ports of functions of other drivers: what both sides of a comparison share. A case gives the
 * arguments of one call. The upstream side calls the driver's own function, compiled from its
 * sources; the other side is a port on the headers. Both store words at out and return their
 * number. */
#ifndef PORTS_H
#define PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PORT_MAX_DW = 4096, PORT_REFUSED = -1 };

typedef struct port_case {
    unsigned gen10;    /* generation times 10: 20, 30, 40, 45 (G4x), 50 ... 125 */
    unsigned engine;   /* PORT_RCS ... */
    unsigned instance; /* of that engine */
    unsigned version;  /* version of the driver: 601, 703 */
    bool flat_ccs, guc, semaphores, secure, pinned, noarb, lmem,
        kbl_b0; /* properties of the device or call */
    bool write_back, invalidate;
    uint32_t seqno, hwsp_va, scratch_va, state_va, status_va, value, count;
    uint32_t dst, src, size_bytes, seed, gsi_offset;
    uint64_t va;
} port_case;

enum { PORT_RCS, PORT_BCS, PORT_VCS, PORT_VECS, PORT_CCS, PORT_ENGINES };

/* X(function, lowest generation times 10, highest, bits of engines) */
#define PORT_RENDER (1u << PORT_RCS)
#define PORT_3D     (1u << PORT_RCS | 1u << PORT_CCS)
#define PORT_VIDEO  (1u << PORT_VCS)
#define PORT_COPY   (1u << PORT_BCS)
#define PORT_OTHER  (1u << PORT_BCS | 1u << PORT_VCS | 1u << PORT_VECS)
#define PORT_ANY    (PORT_3D | PORT_OTHER)

/* gen2_engine_cs.c */
#define PORTS_GEN2(X)                                                                              \
    X(gen2_emit_flush, 20, 30, PORT_RENDER)                                                        \
    X(gen4_emit_flush_rcs, 40, 50, PORT_RENDER)                                                    \
    X(gen4_emit_flush_vcs, 40, 50, PORT_VIDEO)                                                     \
    X(gen3_emit_breadcrumb, 20, 45, PORT_RENDER | PORT_VIDEO)                                      \
    X(gen5_emit_breadcrumb, 50, 50, PORT_RENDER | PORT_VIDEO)                                      \
    X(i830_emit_bb_start, 20, 20, PORT_RENDER)                                                     \
    X(gen3_emit_bb_start, 20, 30, PORT_RENDER)                                                     \
    X(gen4_emit_bb_start, 40, 50, PORT_RENDER | PORT_VIDEO)
/* gen6_engine_cs.c */
#define PORTS_GEN6(X)                                                                              \
    X(gen6_emit_flush_rcs, 60, 60, PORT_RENDER)                                                    \
    X(gen6_emit_flush_vcs, 60, 75, PORT_VIDEO)                                                     \
    X(gen6_emit_flush_xcs, 60, 75, PORT_OTHER)                                                     \
    X(gen7_emit_flush_rcs, 70, 75, PORT_RENDER)                                                    \
    X(gen6_emit_breadcrumb_rcs, 60, 60, PORT_RENDER)                                               \
    X(gen6_emit_breadcrumb_xcs, 60, 60, PORT_OTHER)                                                \
    X(gen7_emit_breadcrumb_rcs, 70, 75, PORT_RENDER)                                               \
    X(gen7_emit_breadcrumb_xcs, 70, 75, PORT_OTHER)                                                \
    X(gen6_emit_bb_start, 60, 70, PORT_RENDER | PORT_OTHER)                                        \
    X(hsw_emit_bb_start, 75, 75, PORT_RENDER)
/* gen8_engine_cs.c */
#define PORTS_GEN8(X)                                                                              \
    X(gen8_emit_flush_rcs, 80, 90, PORT_RENDER)                                                    \
    X(gen8_emit_flush_xcs, 80, 110, PORT_OTHER)                                                    \
    X(gen11_emit_flush_rcs, 110, 110, PORT_RENDER)                                                 \
    X(gen12_emit_flush_rcs, 120, PORTS_LAST, PORT_3D)                                              \
    X(gen12_emit_flush_xcs, 120, PORTS_LAST, PORT_OTHER)                                           \
    X(gen8_emit_init_breadcrumb, 80, PORTS_LAST, PORT_ANY)                                         \
    X(gen8_emit_bb_start_noarb, 80, 90, PORT_RENDER | PORT_OTHER)                                  \
    X(gen8_emit_bb_start, 80, 120, PORT_RENDER | PORT_OTHER)                                       \
    X(gen125_emit_bb_start_noarb, 125, PORTS_LAST, PORT_ANY)                                       \
    X(gen125_emit_bb_start, 125, PORTS_LAST, PORT_ANY)                                             \
    X(gen8_emit_fini_breadcrumb_xcs, 80, 110, PORT_OTHER)                                          \
    X(gen8_emit_fini_breadcrumb_rcs, 80, 90, PORT_RENDER)                                          \
    X(gen11_emit_fini_breadcrumb_rcs, 110, 110, PORT_RENDER)                                       \
    X(gen12_emit_fini_breadcrumb_xcs, 120, PORTS_LAST, PORT_OTHER)                                 \
    X(gen12_emit_fini_breadcrumb_rcs, 120, PORTS_LAST, PORT_3D)
/* intel_migrate.c */
#define PORTS_MIGRATE(X)                                                                           \
    X(emit_no_arbitration, 30, 125, PORT_COPY)                                                     \
    X(emit_pte, 80, 125, PORT_COPY)                                                                \
    X(emit_copy, 40, 125, PORT_COPY)                                                               \
    X(emit_copy_ccs, 125, 125, PORT_COPY)                                                          \
    X(emit_clear, 40, 125, PORT_COPY)
/* intel_lrc.c, intel_execlists_submission.c, intel_context_sseu.c, intel_workarounds.c,
 * intel_ring_submission.c, gen7_renderclear.c */
#define PORTS_CONTEXT(X)                                                                           \
    X(setup_predicate_disable_wa, 125, 125, PORT_ANY)                                              \
    X(gen12_emit_indirect_ctx_rcs, 120, 125, PORT_RENDER)                                          \
    X(gen12_emit_indirect_ctx_xcs, 120, 125, PORT_OTHER | 1u << PORT_CCS)                          \
    X(gen8_init_indirectctx_bb, 80, 80, PORT_RENDER)                                               \
    X(gen9_init_indirectctx_bb, 90, 90, PORT_RENDER)                                               \
    X(intel_engine_emit_ctx_wa, 70, 125, PORT_RENDER)                                              \
    X(wa_list_srm, 60, 125, PORT_RENDER)                                                           \
    X(load_pd_dir, 60, 75, PORT_RENDER | PORT_OTHER)                                               \
    X(mi_set_context, 50, 75, PORT_RENDER)                                                         \
    X(remap_l3_slice, 70, 75, PORT_RENDER)                                                         \
    X(emit_pdps, 80, 90, PORT_RENDER | PORT_OTHER)                                                 \
    X(gen8_emit_rpcs_config, 80, 125, PORT_RENDER)                                                 \
    X(emit_batch, 70, 75, PORT_RENDER)

/* Functions that 7.3 no longer has. */
#if LINUX < 700
#define PORTS_LAST 125
#define PORTS_OLD(X)                                                                               \
    X(dg2_emit_rcs_hang_wabb, 125, 125, PORT_RENDER)                                               \
    X(lrc_update_regs, 80, 125, PORT_ANY)
#else
#define PORTS_LAST   127
#define PORTS_OLD(X) X(lrc_update_regs, 80, 110, PORT_ANY)
#endif

#define PORTS(X)                                                                                   \
    PORTS_OLD(X) PORTS_GEN2(X) PORTS_GEN6(X) PORTS_GEN8(X) PORTS_MIGRATE(X) PORTS_CONTEXT(X)

/* Functions of 7.3 whose words a recipe of the headers writes. */
#define PORT_RECIPES(X)                                                                            \
    X(gen2_emit_flush, 20, 30, PORT_RENDER)                                                        \
    X(gen4_emit_flush_rcs, 40, 50, PORT_RENDER)                                                    \
    X(gen4_emit_flush_vcs, 40, 50, PORT_VIDEO)                                                     \
    X(gen6_emit_flush_rcs, 60, 60, PORT_RENDER)                                                    \
    X(gen6_emit_flush_vcs, 60, 75, PORT_VIDEO)                                                     \
    X(gen6_emit_flush_xcs, 60, 75, PORT_COPY | 1u << PORT_VECS)                                    \
    X(gen7_emit_flush_rcs, 70, 75, PORT_RENDER)                                                    \
    X(gen8_emit_flush_rcs, 80, 90, PORT_RENDER)                                                    \
    X(gen8_emit_flush_xcs, 80, 110, PORT_OTHER)                                                    \
    X(gen11_emit_flush_rcs, 110, 110, PORT_RENDER)                                                 \
    X(gen12_emit_flush_rcs, 120, 127, PORT_3D)                                                     \
    X(gen12_emit_flush_xcs, 120, 127, PORT_OTHER)                                                  \
    X(gen3_emit_breadcrumb, 20, 45, PORT_RENDER | PORT_VIDEO)                                      \
    X(gen5_emit_breadcrumb, 50, 50, PORT_RENDER | PORT_VIDEO)                                      \
    X(gen6_emit_breadcrumb_rcs, 60, 60, PORT_RENDER)                                               \
    X(gen6_emit_breadcrumb_xcs, 60, 60, PORT_OTHER)                                                \
    X(gen7_emit_breadcrumb_rcs, 70, 75, PORT_RENDER)                                               \
    X(gen7_emit_breadcrumb_xcs, 70, 75, PORT_OTHER)                                                \
    X(gen8_emit_fini_breadcrumb_rcs, 80, 90, PORT_RENDER)                                          \
    X(gen8_emit_fini_breadcrumb_xcs, 80, 110, PORT_OTHER)                                          \
    X(gen11_emit_fini_breadcrumb_rcs, 110, 110, PORT_RENDER)                                       \
    X(gen12_emit_fini_breadcrumb_rcs, 120, 127, PORT_3D)                                           \
    X(gen12_emit_fini_breadcrumb_xcs, 120, 127, PORT_OTHER)                                        \
    X(gen8_emit_init_breadcrumb, 80, 127, PORT_ANY)                                                \
    X(gen3_emit_bb_start, 20, 30, PORT_RENDER)                                                     \
    X(gen4_emit_bb_start, 40, 50, PORT_RENDER | PORT_VIDEO)                                        \
    X(gen6_emit_bb_start, 60, 70, PORT_RENDER | PORT_OTHER)                                        \
    X(hsw_emit_bb_start, 75, 75, PORT_RENDER)                                                      \
    X(gen8_emit_bb_start, 80, 120, PORT_RENDER | PORT_OTHER)                                       \
    X(gen8_emit_bb_start_noarb, 80, 120, PORT_RENDER | PORT_OTHER)                                 \
    X(gen125_emit_bb_start, 125, 127, PORT_ANY)                                                    \
    X(gen125_emit_bb_start_noarb, 125, 127, PORT_ANY)                                              \
    X(setup_predicate_disable_wa, 125, 127, PORT_ANY)                                              \
    X(emit_copy, 40, 127, PORT_COPY)

/* One function for each side and port: store the words of c at out, at most PORT_MAX_DW. Return
 * their number, or PORT_REFUSED if the function refused the arguments. */
#define PORT_DECLARE(name, first, last, engines)                                                   \
    int upstream_##name(const port_case *c, uint32_t *out);                                        \
    int port_##name(const port_case *c, uint32_t *out);
PORTS(PORT_DECLARE)
#undef PORT_DECLARE
#define PORT_DECLARE(name, first, last, engines)                                                   \
    int recipe_##name(const port_case *c, uint32_t *out);
PORT_RECIPES(PORT_DECLARE)
#undef PORT_DECLARE

#endif

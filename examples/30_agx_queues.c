/* 30_agx_queues.c - six AGX commands with barriers, from the builder to the firmware queues.
 *
 * You learn: how a command gets its barriers, what the kernel makes of them,
 * and the graph of what must wait for what. The submission is the one that the
 * AGX driver notes explain.
 * Read first: the manual on top of gpucmd_agx.h.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include <stdio.h>

#define NONE GPUCMD_DRM_ASAHI_BARRIER_NONE

/* Step 1: append the six commands, each with a render and a compute barrier. */
static gpucmd_status build(uint32_t *words, size_t cap_dw, size_t *len_bytes)
{
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_stream s;
    gpucmd_agx_render_init(&r, 0x1500020000u, 1920, 1080);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, cap_dw);
    gpucmd_agx_emit_render(&s, NONE, 0, &r);     /* R1 waits for all earlier computes */
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c); /* C1 */
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c); /* C2 */
    gpucmd_agx_emit_render(&s, gpucmd_agx_after_render(&s, 1), gpucmd_agx_after_compute(&s, 2),
                           &r);                                           /* R2 */
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);                           /* R3 */
    gpucmd_agx_emit_render(&s, gpucmd_agx_after_render(&s, 3), NONE, &r); /* R4 */
    return gpucmd_agx_stream_finish(&s, len_bytes);
}

int main(void)
{
    static uint32_t words[512];
    static char buf[4096];
    static gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    gpucmd_agx_job job;
    gpucmd_agx_finding finding;
    gpucmd_text t;
    size_t len_bytes = 0;
    uint32_t n = 0;

    /* Step 2: parse the bytes as the kernel does. */
    if (build(words, 512, &len_bytes) != GPUCMD_OK ||
        gpucmd_agx_parse_stream((const uint8_t *)words, len_bytes, NULL, &job, &finding) !=
            GPUCMD_OK) {
        return 1;
    }
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_notation(&t, &job);

    /* Step 3: the firmware queues. Earlier jobs of this queue may still be active. */
    if (gpucmd_agx_lower(&job, GPUCMD_AGX_PRIOR_BOTH, entries, GPUCMD_AGX_MAX_ENTRIES, &n) !=
        GPUCMD_OK) {
        return 1;
    }
    gpucmd_text_char(&t, '\n');
    gpucmd_agx_print_queues(&t, entries, n);

    /* Step 4: the graph, for the program dot of Graphviz. */
    gpucmd_text_char(&t, '\n');
    gpucmd_agx_print_dot(&t, &job, GPUCMD_AGX_PRIOR_BOTH);
    fputs(buf, stdout);
    return gpucmd_text_finish(&t) != GPUCMD_OK;
}

/* Output:
 * #0 R1 barrier=[__, C0]
 * #1 C1 barrier=[__, __]
 * #2 C2 barrier=[__, __]
 * #3 R2 barrier=[R1, C2]
 * #4 R3 barrier=[__, __]
 * #5 R4 barrier=[R3, __]
 *
 * Compute     Vertex      Fragment
 * RUN C1      WAIT C0     WAIT R1v
 * RUN C2      RUN R1v     RUN R1f
 *             WAIT R1f    WAIT R2v
 *             WAIT C2     RUN R2f
 *             RUN R2v     WAIT R3v
 *             RUN R3v     RUN R3f
 *             WAIT R3f    WAIT R4v
 *             RUN R4v     RUN R4f
 *
 * digraph job {
 *     rankdir=LR;
 *     node [shape=box];
 *     "C*" -> "R1";
 *     "R1";
 *     "C1";
 *     "C1" -> "C2" [style=dotted, arrowhead=open];
 *     "R1" -> "R2";
 *     "C2" -> "R2";
 *     "R1" -> "R3" [style=dashed];
 *     "C2" -> "R3" [style=dashed];
 *     "R2" -> "R3" [style=dotted, arrowhead=open];
 *     "R3" -> "R4";
 *     "C2" -> "R4" [style=dashed];
 * }
 */

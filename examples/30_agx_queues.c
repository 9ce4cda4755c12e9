/* 30_agx_queues.c - six AGX commands with barriers, from the builder to the firmware queues.
 *
 * You learn how barriers are given to commands, what the kernel makes of them, what may overlap,
 * and what the barriers cost. The submission is the one that the AGX driver notes explain. Read the
 * manual on top of gpucmd_agx.h first. With a file name as argument the timeline is written there
 * as SVG. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include <stdio.h>

#define NONE GPUCMD_DRM_ASAHI_BARRIER_NONE

/* Step 1: append the six commands, each with a render and a compute barrier. */
static gpucmd_status build(uint32_t *words, size_t cap_dw, bool barriers, size_t *len_bytes)
{
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_stream s;
    gpucmd_agx_render_init(&r, 0x1500020000u, 1920, 1080);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, cap_dw);
    gpucmd_agx_emit_render(&s, NONE, barriers ? 0 : NONE, &r); /* R1 after all earlier computes */
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);               /* C1 */
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);               /* C2 */
    gpucmd_agx_emit_render(&s, barriers ? gpucmd_agx_after_render(&s, 1) : NONE,
                           barriers ? gpucmd_agx_after_compute(&s, 2) : NONE, &r); /* R2 */
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);                                    /* R3 */
    gpucmd_agx_emit_render(&s, barriers ? gpucmd_agx_after_render(&s, 3) : NONE, NONE, &r);
    return gpucmd_agx_stream_finish(&s, len_bytes);
}

/* Step 5: run the words through the executor, which draws nothing but time. */
static uint64_t execute(const gpucmd_agx_job *job)
{
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
    static gpucmd_agx_exec x;
    const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, GPUCMD_AGX_RING_ENTRIES,
                                           NULL,   0, NULL, 0};
    const gpucmd_agx_submission submission = {job, NULL, 0, 0, NULL, 0};
    gpucmd_env env;
    uint32_t slot;
    gpucmd_env_init(&env, NULL, NULL, NULL);
    if (gpucmd_agx_exec_init(&x, &tables, &env) != GPUCMD_OK) {
        return 0;
    }
    x.durations.ring[GPUCMD_AGX_RING_COMPUTE] = 4;
    x.durations.ring[GPUCMD_AGX_RING_VERTEX] = 2;
    x.durations.ring[GPUCMD_AGX_RING_FRAGMENT] = 3;
    if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) !=
            GPUCMD_OK ||
        gpucmd_agx_exec_run(&x, 100) != GPUCMD_RUN_IDLE) {
        return 0;
    }
    return x.now;
}

int main(int argc, char **argv)
{
    static const gpucmd_agx_durations durations = {
        {4, 2, 3},
        NULL,
        NULL
    };
    static uint32_t words[512];
    static char buf[8192];
    static gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    static gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    gpucmd_agx_job job;
    gpucmd_agx_finding finding;
    gpucmd_text t;
    uint32_t n = 0;
    for (int barriers = 1; barriers >= 0; barriers--) {
        size_t len_bytes = 0;
        if (build(words, 512, barriers != 0, &len_bytes) != GPUCMD_OK) {
            return 1;
        }

        /* Step 2: read the bytes back as the kernel does. */
        if (gpucmd_agx_parse_stream((const uint8_t *)words, len_bytes, NULL, &job, &finding) !=
            GPUCMD_OK) {
            return 1;
        }
        gpucmd_text_init(&t, buf, sizeof buf);
        if (barriers != 0) {
            gpucmd_agx_print_notation(&t, &job);

            /* Step 3: the firmware queues, with earlier work still alive, and the graph. */
            if (gpucmd_agx_lower(&job, GPUCMD_AGX_PRIOR_BOTH, entries, GPUCMD_AGX_MAX_ENTRIES,
                                 &n) != GPUCMD_OK) {
                return 1;
            }
            gpucmd_text_char(&t, '\n');
            gpucmd_agx_print_queues(&t, entries, n);
            gpucmd_text_char(&t, '\n');
            gpucmd_agx_print_dot(&t, &job, GPUCMD_AGX_PRIOR_BOTH);
        }

        /* Step 4: over time: vertex 2, fragment 3, compute 4. */
        n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
        gpucmd_text_str(&t, barriers != 0 ? "\nwith barriers:\n" : "\nwithout:\n");
        gpucmd_agx_print_timeline(&t, spans, n, 60);
        printf("%sends at %u\n", buf, (unsigned)execute(&job));
        if (barriers != 0 && argc > 1) {
            FILE *f = fopen(argv[1], "w");
            gpucmd_text_init(&t, buf, sizeof buf);
            gpucmd_agx_print_svg(&t, spans, n);
            if (f == NULL || fputs(buf, f) < 0 || fclose(f) != 0) {
                return 1;
            }
        }
    }
    return 0;
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
 *
 * with barriers:
 * q0 compute      C1======C2======..........................
 * q0 vertex       R1v=............R2v=R3v=........R4v=......
 * q0 fragment     ....R1f===..........R2f===R3f===....R4f===
 * ends at 21
 *
 * without:
 * q0 compute      C1======C2======............
 * q0 vertex       R1v=R2v=R3v=R4v=............
 * q0 fragment     ....R1f===R2f===R3f===R4f===
 * ends at 14
 */

/* 32_agx_timeline.c - what barriers cost.
 *
 * You learn: to schedule a job with your own durations, to print a timeline, to
 * execute the job, and that both agree. With a file name as argument the
 * program writes the timeline there as SVG.
 * Read first: 30_agx_queues.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include <stdio.h>

#define NONE GPUCMD_DRM_ASAHI_BARRIER_NONE

/* Step 1: R1, R2 after R1, C1 after R2, C2; or the same without barriers. */
static gpucmd_status build(uint32_t *words, size_t cap_dw, bool barriers, gpucmd_agx_job *job)
{
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_stream s;
    gpucmd_agx_finding finding;
    size_t len_bytes = 0;
    gpucmd_status status;
    gpucmd_agx_render_init(&r, 0x1500020000u, 1920, 1080);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, cap_dw);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_render(&s, barriers ? gpucmd_agx_after_render(&s, 1) : NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, barriers ? gpucmd_agx_after_render(&s, 2) : NONE, NONE, &c);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    status = gpucmd_agx_stream_finish(&s, &len_bytes);
    return status != GPUCMD_OK
               ? status
               : gpucmd_agx_parse_stream((const uint8_t *)words, len_bytes, NULL, job, &finding);
}

/* Step 3: execute the job. No shader is executed; each part only takes its time. */
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

/* Write the timeline as a picture. */
static int write_svg(const char *path, const gpucmd_agx_span *spans, uint32_t n)
{
    static char svg[8192];
    gpucmd_text t;
    FILE *f = fopen(path, "w");
    gpucmd_text_init(&t, svg, sizeof svg);
    gpucmd_agx_print_svg(&t, spans, n);
    return f == NULL || fputs(svg, f) < 0 || fclose(f) != 0;
}

int main(int argc, char **argv)
{
    static const gpucmd_agx_durations durations = {
        {4, 2, 3},
        NULL,
        NULL
    };
    static uint32_t words[512];
    static gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    for (int barriers = 1; barriers >= 0; barriers--) {
        char buf[1024];
        gpucmd_agx_job job;
        gpucmd_text t;
        uint32_t n;
        if (build(words, 512, barriers != 0, &job) != GPUCMD_OK) {
            return 1;
        }

        /* Step 2: schedule. Compute takes 4 units of time, vertex 2, fragment 3. */
        n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_timeline(&t, spans, n, 60);
        printf("%s:\n%sexecuted in %u\n", barriers != 0 ? "with barriers" : "without barriers", buf,
               (unsigned)execute(&job));
        if (barriers != 0 && argc > 1 && write_svg(argv[1], spans, n) != 0) {
            return 1;
        }
    }
    return 0;
}

/* Output:
 * with barriers:
 * q0 compute      ....................C1======C2======
 * q0 vertex       R1v=......R2v=......................
 * q0 fragment     ....R1f===....R2f===................
 * executed in 18
 * without barriers:
 * q0 compute      C1======C2======
 * q0 vertex       R1v=R2v=........
 * q0 fragment     ....R1f===R2f===
 * executed in 8
 */

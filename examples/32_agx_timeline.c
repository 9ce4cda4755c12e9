/* 32_agx_timeline.c - what barriers cost.
 *
 * You learn: to schedule a job with your own durations, to execute the job and
 * record when its parts execute, to print timelines, and that both agree. With
 * a file name as argument the program writes the timeline there as SVG.
 * Read first: 30_agx_queues.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include <stdio.h>
#include <string.h>

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

/* Step 3: execute the job and record when each part executes; return the number of parts. No shader
 * is executed; each part only takes its time. */
static uint32_t execute(const gpucmd_agx_job *job, const gpucmd_agx_durations *durations,
                        gpucmd_agx_span *spans)
{
    static gpucmd_agx_exec_store store;
    static gpucmd_agx_exec x;
    gpucmd_agx_exec_tables tables;
    const gpucmd_agx_submission submission = {job, NULL, 0, 0, NULL, 0};
    uint32_t slot;
    gpucmd_agx_exec_tables_init(&tables, &store);
    if (gpucmd_agx_exec_init(&x, &tables) != GPUCMD_OK) {
        return 0;
    }
    x.durations = *durations;
    gpucmd_agx_exec_spans(&x, spans, 2 * GPUCMD_AGX_MAX_COMMANDS);
    if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) !=
            GPUCMD_OK ||
        gpucmd_agx_exec_run(&x, NULL, 100) != GPUCMD_RUN_IDLE) {
        return 0;
    }
    return x.span_count;
}

static void print(char *buf, size_t bytes, const gpucmd_agx_span *spans, uint32_t n)
{
    gpucmd_text t;
    gpucmd_text_init(&t, buf, bytes);
    gpucmd_agx_print_timeline(&t, spans, n, 60);
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
    static gpucmd_agx_span planned[2 * GPUCMD_AGX_MAX_COMMANDS];
    static gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    for (int barriers = 1; barriers >= 0; barriers--) {
        char plan[1024], real[1024];
        gpucmd_agx_job job;
        uint32_t n;
        if (build(words, 512, barriers != 0, &job) != GPUCMD_OK) {
            return 1;
        }

        /* Step 2: schedule. Compute takes 4 units of time, vertex 2, fragment 3. */
        print(plan, sizeof plan, planned, gpucmd_agx_schedule(&job, NULL, &durations, planned));
        n = execute(&job, &durations, spans);
        print(real, sizeof real, spans, n);
        printf("%s:\n%s%s\n", barriers != 0 ? "with barriers" : "without barriers", real,
               strcmp(plan, real) == 0 ? "as scheduled" : "not as scheduled");
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
 * as scheduled
 * without barriers:
 * q0 compute      C1======C2======
 * q0 vertex       R1v=R2v=........
 * q0 fragment     ....R1f===R2f===
 * as scheduled
 */

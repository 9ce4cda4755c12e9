/* fuzz_agx_notation.c - hostile text for the parser of the notation; an accepted job must
 * print as text that parses to the same job.
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz_agx_notation.c */
#include "gpucmd_agx.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[4096];
    static char pictures[65536];
    static gpucmd_agx_job job;
    static gpucmd_agx_job again;
    static gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    gpucmd_agx_durations durations = {
        {0, 0, 0},
        NULL,
        NULL
    };
    gpucmd_agx_finding f;
    gpucmd_text t;
    char *exact = (char *)malloc(size != 0 ? size : 1);
    if (exact == NULL || size == 0 || size > 65536) {
        free(exact);
        return 0;
    }
    memcpy(exact, data, size);
    const gpucmd_status status = gpucmd_agx_parse_notation(exact, size, true, &job, &f);
    must((status == GPUCMD_OK) == (f.rule == GPUCMD_AGX_RULE_NONE));
    must(f.at_bytes <= size);
    if (status == GPUCMD_OK) {
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_notation(&t, &job);
        must(gpucmd_text_finish(&t) == GPUCMD_OK);
        must(gpucmd_agx_parse_notation(text, t.len_bytes, true, &again, &f) == GPUCMD_OK);
        must(job.count == again.count);
        for (uint32_t i = 0; i < job.count; i++) {
            must(job.commands[i].kind == again.commands[i].kind);
            must(job.commands[i].render_barrier == again.commands[i].render_barrier);
            must(job.commands[i].compute_barrier == again.commands[i].compute_barrier);
        }
        for (int i = 0; i < 3; i++) {
            durations.ring[i] = (uint64_t)data[size - 1] << 8 * (data[0] & 6);
        }
        const uint32_t n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
        gpucmd_text_init(&t, pictures, sizeof pictures);
        gpucmd_agx_print_timeline(&t, spans, n, data[0]);
        gpucmd_agx_print_svg(&t, spans, n);
        gpucmd_agx_print_dot(&t, &job, data[0] & 3);
    }
    free(exact);
    return 0;
}

#define FUZZ_NAME "fuzz_agx_notation"
#include "fuzz_main.h"

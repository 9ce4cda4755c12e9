/* fuzz_agx_stream.c - hostile command streams for parser, printer and decoder; for valid streams
 * writers, lowering, checker and executor must agree. Then the stream is parsed in memory that
 * changes while it is read; each byte is read once. */
#include "gpucmd_agx.h"

#include "fuzz.h"

static bool object_bytes(void *user, uint32_t handle, uint64_t *bytes)
{
    (void)user;
    *bytes = (uint64_t)handle * 64;
    return handle < 5;
}

/* Check that every command has at least one byte, and that the walk ends at the end of the data. */
static void walk(const uint8_t *data, size_t size)
{
    size_t at = 0;
    while (at < size) {
        gpucmd_agx_raw raw;
        const gpucmd_status status = gpucmd_agx_decode(data + at, size - at, &raw);
        must(raw.len_bytes >= 1 && raw.len_bytes <= size - at);
        must(status == GPUCMD_OK || status == GPUCMD_TRUNCATED || status == GPUCMD_INVALID);
        at += raw.len_bytes;
    }
    must(at == size);
}

static gpucmd_status count_findings(void *user, const gpucmd_agx_finding *f)
{
    must(f->command >= 0 && gpucmd_agx_rule_errno(f->rule) == 0);
    *(size_t *)user += f->severity == GPUCMD_SEVERITY_ERROR;
    return GPUCMD_OK;
}

/* Execute a valid job; the times must be those of the simple simulation. */
static void execute(const gpucmd_agx_job *job)
{
    static gpucmd_agx_exec x;
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * 194];
    static gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    static const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, 194, NULL, 0, NULL, 0};
    static const gpucmd_agx_durations durations = {
        {4, 2, 3},
        NULL,
        NULL
    };
    const gpucmd_agx_submission submission = {job, NULL, 0, 0, NULL, 0};
    gpucmd_env env;
    uint32_t slot = 0;
    uint64_t last = 0;
    const uint32_t n = gpucmd_agx_schedule(job, NULL, &durations, spans);
    for (uint32_t i = 0; i < n; i++) {
        last = spans[i].end > last ? spans[i].end : last;
    }
    gpucmd_env_init(&env, NULL, NULL, NULL);
    must(gpucmd_agx_exec_init(&x, &tables) == GPUCMD_OK);
    x.durations = durations;
    must(gpucmd_agx_exec_queue_open(&x, 1) == 0);
    must(gpucmd_agx_exec_submit(&x, 0, &submission, &slot) == GPUCMD_OK);
    must(gpucmd_agx_exec_run(&x, &env, 129) == GPUCMD_RUN_IDLE);
    must(x.now == last);
}

static void legal(const gpucmd_agx_job *job)
{
    static gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    gpucmd_agx_access accesses[4];
    gpucmd_agx_check_options options;
    uint32_t count = 0;
    size_t seen = 0, errors = 0;
    for (uint32_t i = 0; i < 4; i++) {
        accesses[i].command = i * job->count / 4;
        accesses[i].part = job->commands[accesses[i].command].kind == GPUCMD_AGX_KIND_COMPUTE
                               ? GPUCMD_AGX_RING_COMPUTE
                               : GPUCMD_AGX_RING_FRAGMENT;
        accesses[i].writes = i % 2 == 0;
        accesses[i].va = 0x1000 * (i / 2);
        accesses[i].bytes = 0x1000;
    }
    memset(&options, 0, sizeof options);
    options.prior = job->renders & 3;
    options.accesses = accesses;
    options.access_count = 4;
    options.found = count_findings;
    options.user = &seen;
    must(gpucmd_agx_lower(job, 3, entries, GPUCMD_AGX_MAX_ENTRIES, &count) == GPUCMD_OK);
    must(gpucmd_agx_drop_redundant(entries, count) <= count);
    must(gpucmd_agx_check(job, &options, &errors) == GPUCMD_OK && errors == seen);
    execute(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[4096];
    static gpucmd_agx_job job;
    const gpucmd_agx_objects objects = {object_bytes, NULL, GPUCMD_AGX_BEHAVIOR_TEXT};
    gpucmd_agx_finding f;
    gpucmd_text t;
    uint8_t *exact = (uint8_t *)malloc(size != 0 ? size : 1); /* to detect reads after the end */
    if (exact == NULL || size > 65536) {
        free(exact);
        return 0;
    }
    if (size != 0) {
        memcpy(exact, data, size);
    }
    walk(exact, size);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, exact, size);
    const gpucmd_status status = gpucmd_agx_parse_stream(exact, size, &objects, &job, &f);
    must((status == GPUCMD_OK) == (f.rule == GPUCMD_AGX_RULE_NONE));
    must(f.at_bytes <= size && f.other == -1);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_finding(&t, &f);
    if (status == GPUCMD_OK) {
        legal(&job);
    } else {
        must(gpucmd_agx_rule_errno(f.rule) != 0);
    }
    flips_clear();
    flips_add(exact, size);
    flips_arm(size != 0 ? exact[size - 1] * 0x01010101u : 0);
    const gpucmd_status again = gpucmd_agx_parse_stream(exact, size, &objects, &job, &f);
    must(flips_disarm() == 0 && again == status);
    flips_arm(0);
    for (size_t at = 0; at < size;) {
        gpucmd_agx_raw raw;
        (void)!gpucmd_agx_decode(exact + at, size - at, &raw);
        must(raw.len_bytes >= 1 && raw.len_bytes <= size - at);
        at += raw.len_bytes;
    }
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, exact, size);
    (void)flips_disarm();
    flips_clear();
    free(exact);
    return 0;
}

#define FUZZ_NAME "fuzz_agx_stream"
#include "fuzz_main.h"

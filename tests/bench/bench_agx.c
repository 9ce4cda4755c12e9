/* Rows P9, P14, P27e and P27f: submissions of the Asahi interface.
 *
 * All rows of P9 build 64 commands with full payloads, alternately renders and computes. Each
 * command waits for all earlier ones.
 *   P9a  time relative to a loop that stores headers and payloads without checks
 *   P9b  1 MiB of submissions, each with its own payloads and destination, relative to a memcpy of
 *        the finished bytes
 * P27e checks the stream of P9a, P27f also its addresses against a VM; both relative to the checks of
 * SUBMIT alone, the walk of a stream.
 * P14 lowers and executes submissions of 8 and of 64 commands. Then it binds and unbinds random
 * ranges, in an address space with few mappings and in one with many. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include "bench.h"

enum {
    COMMANDS = 64,
    PAIR_DW = 62 + 18, /* words of a render and a compute */
    STREAM_BYTES = COMMANDS / 2 * PAIR_DW * 4,
    JOB_ROUNDS = 8,
    STREAMS = 102, /* streams of 10240 bytes: 1 MiB */
    BINDS = 4096,  /* binds per call */
    FEW = 1000,
    MANY = 100000
};

static uint32_t *built;
static uint32_t *by_hand;
static uint32_t *many_built;
static uint32_t *many_ready;
static uint32_t *many_copied;
static struct gpucmd_drm_asahi_cmd_render *renders;
static struct gpucmd_drm_asahi_cmd_compute *computes;
static unsigned failures;

/* ---- P9 ---- */

__attribute__((noinline)) static void build_at(uint32_t *base,
                                               const struct gpucmd_drm_asahi_cmd_render *render,
                                               const struct gpucmd_drm_asahi_cmd_compute *compute)
{
    gpucmd_agx_stream s;
    size_t len_bytes = 0;
    gpucmd_agx_stream_init(&s, base, STREAM_BYTES / 4);
    for (uint32_t i = 0; i < COMMANDS / 2; i++) {
        gpucmd_agx_emit_render(&s, i, i, &render[i]);
        gpucmd_agx_emit_compute(&s, i + 1, i, &compute[i]);
    }
    failures += gpucmd_agx_stream_finish(&s, &len_bytes) != GPUCMD_OK || len_bytes != STREAM_BYTES;
}

__attribute__((noinline)) static void agx_build(void)
{
    build_at(built, renders, computes);
}

static void build_many(void)
{
    for (size_t i = 0; i < STREAMS; i++) {
        build_at(many_built + i * (STREAM_BYTES / 4), renders + i * (COMMANDS / 2),
                 computes + i * (COMMANDS / 2));
    }
}

/* Build the stream as a driver without checks would. */
static void hand_build(void)
{
    uint32_t *p = by_hand;
    for (uint32_t i = 0; i < COMMANDS / 2; i++) {
        p[0] = 240u << 16;
        p[1] = i | i << 16;
        memcpy(p + 2, &renders[i], sizeof renders[i]);
        p += 62;
        p[0] = 1u | 64u << 16;
        p[1] = (i + 1) | i << 16;
        memcpy(p + 2, &computes[i], sizeof computes[i]);
        p += 18;
    }
}

static void raw_copy_many(void)
{
    for (size_t i = 0; i < STREAMS; i++) {
        memcpy(many_copied + i * (STREAM_BYTES / 4), many_ready + i * (STREAM_BYTES / 4),
               STREAM_BYTES);
    }
}

static void make_streams(void)
{
    built = bench_alloc(STREAM_BYTES);
    by_hand = bench_alloc(STREAM_BYTES);
    many_built = bench_alloc(STREAMS * STREAM_BYTES);
    many_ready = bench_alloc(STREAMS * STREAM_BYTES);
    many_copied = bench_alloc(STREAMS * STREAM_BYTES);
    renders = bench_alloc(STREAMS * COMMANDS / 2 * sizeof *renders);
    computes = bench_alloc(STREAMS * COMMANDS / 2 * sizeof *computes);
    for (uint32_t i = 0; i < STREAMS * COMMANDS / 2; i++) {
        gpucmd_agx_render_init(&renders[i], 0x1500020000u + 0x1000 * i, 1920, 1080);
        gpucmd_agx_compute_init(&computes[i], 0x1500010000u, 0x1500010080u);
        renders[i].depth.base = 0x1800000000u;
        renders[i].ts_frag.end.handle = 1;
        renders[i].ts_frag.end.offset = 8 * i;
        computes[i].sampler_count = i;
    }
    hand_build();
    build_many();
    memcpy(many_ready, many_built, STREAMS * STREAM_BYTES);
}

/* ---- P27: check ---- */

static gpucmd_agx_check_options vm;
static gpucmd_maps vm_maps;
static gpucmd_map vm_rows[4];
static gpucmd_space vm_space;
static volatile size_t errors_seen;

static void make_vm(void)
{
    gpucmd_map m;
    gpucmd_maps_init(&vm_maps, vm_rows, 4);
    gpucmd_space_init(&vm_space, 1);
    memset(&m, 0, sizeof m);
    m.va = 0x1100000000u;
    m.bytes = 0x1000000000u;
    m.object = 1;
    m.access_mask = GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
    failures += gpucmd_space_bind(&vm_maps, &vm_space, &m) != GPUCMD_OK;
    vm.maps = &vm_maps;
    vm.space = &vm_space;
    vm.usc_exec_base = 0x1500000000u;
}

static void check_with(const gpucmd_agx_check_options *options)
{
    size_t errors = 0;
    failures += gpucmd_agx_check_stream((const uint8_t *)by_hand, STREAM_BYTES, options, &errors) !=
                GPUCMD_OK;
    errors_seen += errors;
}

__attribute__((noinline)) static void agx_check(void)
{
    check_with(NULL);
}

__attribute__((noinline)) static void agx_check_vm(void)
{
    check_with(&vm);
}

__attribute__((noinline)) static void agx_parse(void)
{
    gpucmd_agx_finding f;
    failures += gpucmd_agx_parse_stream((const uint8_t *)by_hand, STREAM_BYTES, NULL, NULL, &f) !=
                GPUCMD_OK;
}

/* ---- P14: lower and run ---- */

static gpucmd_agx_exec x;
static gpucmd_agx_exec_queue queues[1];
static gpucmd_agx_exec_job jobs[1];
static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
static gpucmd_agx_job small_job;
static gpucmd_agx_job large_job;

static void make_job(gpucmd_agx_job *job, uint32_t commands)
{
    gpucmd_agx_job_init(job);
    for (uint32_t i = 0; i < commands; i++) {
        failures +=
            gpucmd_agx_job_add(job, i % 2 == 0 ? GPUCMD_AGX_KIND_RENDER : GPUCMD_AGX_KIND_COMPUTE,
                               job->renders / 2, job->computes) != GPUCMD_OK;
    }
}

static void schedule(const gpucmd_agx_job *job)
{
    static gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    const gpucmd_agx_submission submission = {job, NULL, 0, 0, NULL, 0};
    uint32_t count = 0;
    uint32_t slot;
    failures += gpucmd_agx_lower(job, GPUCMD_AGX_PRIOR_BOTH, entries, GPUCMD_AGX_MAX_ENTRIES,
                                 &count) != GPUCMD_OK;
    failures += gpucmd_agx_exec_submit(&x, 0, &submission, &slot) != GPUCMD_OK;
    failures += gpucmd_agx_exec_run(&x, NULL, 1000) != GPUCMD_RUN_IDLE;
}

static void schedule_large(void)
{
    schedule(&large_job);
}

static void schedule_small(void)
{
    for (int i = 0; i < COMMANDS / 8; i++) {
        schedule(&small_job);
    }
}

static void schedule_rows(void)
{
    const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, GPUCMD_AGX_RING_ENTRIES,
                                           NULL,   0, NULL, 0};
    bench_require(gpucmd_agx_exec_init(&x, &tables) == GPUCMD_OK, "tables");
    x.durations.ring[GPUCMD_AGX_RING_COMPUTE] = 4;
    x.durations.ring[GPUCMD_AGX_RING_VERTEX] = 2;
    x.durations.ring[GPUCMD_AGX_RING_FRAGMENT] = 3;
    bench_require(gpucmd_agx_exec_queue_open(&x, 1) == 0, "queue");
    make_job(&small_job, 8);
    make_job(&large_job, COMMANDS);
    bench_result("P14a", bench_ns(schedule_large) / 1000);
    bench_result("P14b", bench_ratio(schedule_large, schedule_small));
}

/* ---- P14: binds ---- */

typedef struct space {
    gpucmd_maps maps;
    gpucmd_space space;
    uint32_t pages; /* size of the address space: about 5 pages per mapping */
    uint32_t state;
} space;

static space few;
static space many;

static uint32_t random_page(space *s)
{
    s->state = s->state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(s->state >> 8) * s->pages >> 24);
}

/* Alternately bind and unbind one to four pages. The number of mappings stays about constant. */
static void bind_some(space *s, uint32_t count)
{
    gpucmd_map m;
    memset(&m, 0, sizeof m);
    m.access_mask = GPUCMD_ACCESS_READ;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t page = random_page(s);
        m.va = (uint64_t)page * GPUCMD_AGX_PAGE_BYTES;
        m.bytes = (1 + s->state % 4) * (uint64_t)GPUCMD_AGX_PAGE_BYTES;
        m.object = 1 + i % 7;
        if (i % 2 == 0) {
            failures += gpucmd_space_bind(&s->maps, &s->space, &m) != GPUCMD_OK;
        } else {
            failures += gpucmd_space_unbind(&s->maps, &s->space, m.va, m.bytes) != GPUCMD_OK;
        }
    }
}

__attribute__((noinline)) static void agx_bind_few(void)
{
    bind_some(&few, BINDS);
}

__attribute__((noinline)) static void agx_bind_many(void)
{
    bind_some(&many, BINDS);
}

static void make_space(space *s, uint32_t mappings)
{
    const uint32_t nodes = 4 * mappings;
    gpucmd_maps_init(&s->maps, bench_alloc(nodes * sizeof(gpucmd_map)), nodes);
    gpucmd_space_init(&s->space, 1);
    s->pages = 5 * mappings; /* the number of mappings becomes about this */
    s->state = 1;
    bind_some(s, 8 * mappings);
    bench_require(s->maps.count > mappings / 2 && s->maps.count < 2 * mappings, "mappings");
}

/* `--once KERNEL` runs one kernel for callgrind. It prints the divisor of its instruction count:
 * words of a stream, or binds. */
static const struct {
    const char *name;
    bench_fn fn;
    unsigned units;
} kernels[] = {
    {"agx_build",     agx_build,     STREAM_BYTES / 4},
    {"agx_check",     agx_check,     STREAM_BYTES / 4},
    {"agx_check_vm",  agx_check_vm,  STREAM_BYTES / 4},
    {"agx_bind_few",  agx_bind_few,  BINDS           },
    {"agx_bind_many", agx_bind_many, BINDS           },
};

int main(int argc, char **argv)
{
    make_streams();
    make_vm();
    make_space(&few, FEW);
    make_space(&many, MANY);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0] && argc == 3; i++) {
        if (strcmp(argv[2], kernels[i].name) == 0) {
            kernels[i].fn();
            printf("%u\n", kernels[i].units);
        }
    }
    if (argc == 1) {
        agx_build();
        bench_require(memcmp(built, by_hand, STREAM_BYTES) == 0, "both must build the same");
        bench_result("P9a", bench_ratio(agx_build, hand_build));
        bench_result("P9b", bench_ratio(build_many, raw_copy_many));
        bench_result("P27e", bench_ratio(agx_check, agx_parse));
        bench_result("P27f", bench_ratio(agx_check_vm, agx_parse));
        bench_require(errors_seen == 0, "the stream must have no findings");
        schedule_rows();
        bench_result("P14d", bench_ns(agx_bind_many) / BINDS / 1000);
    }
    bench_require(failures == 0, "refused");
    return 0;
}

/* Rows P7, P12, P13 and P19 for gpucmd_i915.h. Without arguments the program prints all ratios,
 * one per line. `--once KERNEL` runs one kernel once with a small fixed load, to count
 * instructions, and prints the number of words. Before a comparison, both sides must give equal
 * results. */
#include "bench.h"
#include "i915.h"
#include "i915_recipes.h"

enum { UNITS = 204, STREAM_DW = UNITS * U_DW, PRINT_UNITS = 100, TEXT_BYTES = 1 << 20 };
enum { BATCH_VA = 0x200000, DATA_VA = 0x100000 };

static uint32_t v[V_DW];
static uint32_t *out[2];
static uint32_t *stream; /* the units, then the end of the batch */
static uint8_t data[4096];
static char *text[2];
static gpucmd_i915_cmdset cmdset;
static gpucmd_i915_cs cs_start;
static gpucmd_i915_cs cs;
static gpucmd_region region[2];
static gpucmd_mem mem;
static gpucmd_env env;
static volatile size_t sink;

static void lib_words(void)
{
    sink = lib_i915_unit(out[0], STREAM_DW, UNITS, v);
}

static void raw_words(void)
{
    sink = raw_i915_unit(out[0], STREAM_DW, UNITS, v);
}

static void lib_walk(void)
{
    sink = lib_i915_walk(&cmdset, stream, STREAM_DW + 1);
}

static void raw_walk(void)
{
    sink = raw_i915_walk(stream, STREAM_DW + 1);
}

static void run(void)
{
    cs = cs_start;
    sink = (size_t)lib_i915_run(&cs, &env);
}

static void lib_print(void)
{
    sink = lib_i915_print(text[0], TEXT_BYTES, &cmdset, stream, PRINT_UNITS * U_DW);
}

static void raw_print(void)
{
    sink = raw_i915_print(text[1], TEXT_BYTES, stream, PRINT_UNITS * U_DW);
}

static void set_region(gpucmd_region *r, uint64_t va, void *host, uint64_t bytes, uint32_t access)
{
    r->va = va;
    r->host = host;
    r->bytes = bytes;
    r->access_mask = access;
}

static void prepare(void)
{
    for (uint32_t i = 0; i < V_DW; i++) {
        v[i] = (i + 1) * 0x9e3779b9u;
    }
    v[10] = v[12] = 7; /* the value that the semaphore waits for */
    out[0] = (uint32_t *)bench_alloc(4 * STREAM_DW);
    out[1] = (uint32_t *)bench_alloc(4 * STREAM_DW);
    stream = (uint32_t *)bench_alloc(4 * (STREAM_DW + 64)) + 32;
    text[0] = (char *)bench_alloc(TEXT_BYTES);
    text[1] = (char *)bench_alloc(TEXT_BYTES);
    bench_require(raw_i915_unit(stream, STREAM_DW, UNITS, v) == STREAM_DW, "words");
    stream[STREAM_DW] = 0x05000000;
    bench_require(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS) == GPUCMD_OK,
                  "command set");
    set_region(&region[0], DATA_VA, data, sizeof data, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE);
    set_region(&region[1], BATCH_VA, stream, 4 * (STREAM_DW + 1), GPUCMD_ACCESS_READ);
    bench_require(gpucmd_mem_init(&mem, region, 2) == GPUCMD_OK, "memory");
    gpucmd_env_init(&env, &mem, NULL, NULL);
    bench_require(gpucmd_i915_cs_init(&cs_start, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0) ==
                          GPUCMD_OK &&
                      gpucmd_i915_cs_batch(&cs_start, BATCH_VA, true) == GPUCMD_OK,
                  "streamer");
}

static void same_words(void)
{
    bench_require(lib_i915_unit(out[0], STREAM_DW, UNITS, v) == STREAM_DW &&
                      raw_i915_unit(out[1], STREAM_DW, UNITS, v) == STREAM_DW &&
                      memcmp(out[0], out[1], 4 * STREAM_DW) == 0,
                  "writers differ");
}

static void same_effect(void)
{
    const size_t commands = UNITS * U_COMMANDS + 1;
    lib_walk();
    bench_require(sink == commands, "walk");
    raw_walk();
    bench_require(sink == commands, "minimal walk");
    memset(data, 0, sizeof data);
    run();
    bench_require(sink == GPUCMD_RUN_IDLE && cs.commands == commands, "executor stopped");
    for (uint32_t r = 0; r < 8; r++) {
        bench_require(gpucmd_i915_cs_read(&cs, 0x2600 + 4 * r) == v[2 + r], "register");
    }
    bench_require(memcmp(data + (STORE_VA - DATA_VA), v, 8) == 0 &&
                      memcmp(data + (FENCE_VA - DATA_VA), v + 10, 8) == 0,
                  "stores");
}

static void same_text(void)
{
    size_t len;
    raw_print();
    len = sink;
    lib_print();
    bench_require(sink == len && memcmp(text[0], text[1], len) == 0, "texts differ");
}

/* All generations of the comparison; each runs on the render and on the copy engine. */
static const int gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125};

static void requests(requests_fn *fn)
{
    size_t len_dw = 0;
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        len_dw += fn(out[0], (gpucmd_i915_gen)gens[i], GPUCMD_I915_RCS, 1, 500);
        if (gens[i] >= 60) {
            len_dw += fn(out[0], (gpucmd_i915_gen)gens[i], GPUCMD_I915_BCS, 1, 500);
        }
    }
    sink = len_dw;
}

static void lib_requests(void)
{
    requests(lib_i915_requests);
}

static void raw_requests(void)
{
    requests(raw_i915_requests);
}

static void same_requests(void)
{
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        for (uint32_t e = GPUCMD_I915_RCS; e <= GPUCMD_I915_BCS; e += 3) {
            const gpucmd_i915_gen gen = (gpucmd_i915_gen)gens[i];
            const gpucmd_i915_engine engine = (gpucmd_i915_engine)e;
            size_t len_dw;
            if (engine == GPUCMD_I915_BCS && gens[i] < 60) {
                continue;
            }
            memset(out[0], 0xa5, 4 * REQUEST_DW);
            memset(out[1], 0xa5, 4 * REQUEST_DW);
            len_dw = lib_i915_requests(out[0], gen, engine, 7, 1);
            bench_require(len_dw != 0 && raw_i915_requests(out[1], gen, engine, 7, 1) == len_dw &&
                              memcmp(out[0], out[1], 4 * REQUEST_DW) == 0,
                          "requests differ");
        }
    }
}

static int once(const char *kernel)
{
    static const struct {
        const char *name;
        bench_fn fn;
        size_t words;
    } kernels[] = {
        {"raw_i915_unit",  raw_words, STREAM_DW         },
        {"lib_i915_unit",  lib_words, STREAM_DW         },
        {"raw_i915_walk",  raw_walk,  STREAM_DW + 1     },
        {"lib_i915_walk",  lib_walk,  STREAM_DW + 1     },
        {"lib_i915_run",   run,       STREAM_DW + 1     },
        {"lib_i915_print", lib_print, PRINT_UNITS * U_DW},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (strcmp(kernel, kernels[i].name) == 0) {
            kernels[i].fn();
            printf("%zu\n", kernels[i].words);
            return 0;
        }
    }
    fprintf(stderr, "no kernel %s\n", kernel);
    return 1;
}

int main(int argc, char **argv)
{
    prepare();
    if (argc == 3 && strcmp(argv[1], "--once") == 0) {
        return once(argv[2]);
    }
    same_words();
    same_effect();
    same_text();
    same_requests();
    bench_result("P19b", bench_ratio(lib_requests, raw_requests));
    bench_result("P7", bench_ratio(lib_words, raw_words));
    bench_result("P12a", bench_ratio(lib_walk, raw_walk));
    bench_result("P12b", bench_ratio(run, raw_walk));
    bench_result("P13b", bench_ratio(raw_print, lib_print));
    return 0;
}

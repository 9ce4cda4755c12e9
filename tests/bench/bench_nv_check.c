/* Row P27 for gpucmd_nv.h: checks of small methods without findings. */
#define GPUCMD_IMPLEMENTATION
#include "bench.h"
#include "nv.h"

enum { STREAM_DW = 1 << 20 };

static gpucmd_nv_gate gate;
static uint32_t *words;
static uint32_t table[GPUCMD_NV_CLASS_METHODS];
static volatile size_t sink;
static uint32_t seed = 1;

/* First methods and their number, per subchannel: 3D, compute, inline uploads, 2D, copies. Most of
 * these start no operation. */
static const struct {
    uint32_t class_id, first, count;
} subcs[5] = {
    {0xc797, 0x200 / 4, 0x5e0},
    {0xc7c0, 0x310 / 4, 0x580},
    {0xa140, 0x200 / 4, 0x010},
    {0x902d, 0x200 / 4, 0x190},
    {0xc7b5, 0x440 / 4, 0x0c0},
};

/* Write method runs of 1 to 8 words and IMMD, in the proportions of driver streams. Eleven of sixteen
 * are for the 3D class. */
static void fill(void)
{
    size_t i = 0;
    for (uint32_t s = 0; s < 5; s++) {
        words[i++] = 0x20010000 | s << 13;
        words[i++] = subcs[s].class_id;
    }
    while (i < STREAM_DW) {
        const uint32_t pick = bench_random(&seed, 16);
        const uint32_t part = bench_random(&seed, 16);
        const uint32_t s = part < 11 ? 0 : part - 11;
        const size_t left = STREAM_DW - i - 1;
        const uint32_t op = left < 8 ? 4 : pick < 10 ? 1 : pick < 13 ? 4 : pick < 15 ? 3 : 5;
        const uint32_t n = op == 4 ? bench_random(&seed, 0x2000) : 1 + bench_random(&seed, 8);
        words[i++] = op << 29 | n << 16 | s << 13 |
                     (subcs[s].first + bench_random(&seed, subcs[s].count - 8));
        for (uint32_t k = 0; k < n && op != 4; k++) {
            words[i++] = bench_random(&seed, 0x1000000);
        }
    }
}

static const uint32_t *methods(void *user, uint32_t class_id)
{
    (void)user;
    (void)class_id;
    return table;
}

static gpucmd_status found(void *user, const gpucmd_nv_finding *finding)
{
    (void)user;
    (void)finding;
    return GPUCMD_FAULT;
}

static void walk(void)
{
    gpucmd_nv_walk it;
    size_t commands = 0;
    gpucmd_nv_walk_init(&it, &gate, words, STREAM_DW);
    sink = (size_t)gpucmd_nv_walk_valid(&it, &commands);
}

static void check_forms(void)
{
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = found;
    sink = (size_t)gpucmd_nv_check(&gate, words, STREAM_DW, &options, NULL);
}

static void check_methods(void)
{
    const gpucmd_nv_stream stream = {words, STREAM_DW, 0};
    gpucmd_nv_check_options options;
    memset(&options, 0, sizeof options);
    options.found = found;
    options.methods = methods;
    sink = (size_t)gpucmd_nv_check_host(&gate, &stream, 1, &options, NULL);
}

int main(void)
{
    memset(table, 0xff, sizeof table);
    words = (uint32_t *)bench_alloc(4 * (size_t)STREAM_DW);
    fill();
    bench_require(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, false, false,
                                      GPUCMD_NV_FMT_NEW) == GPUCMD_OK,
                  "gate");
    walk();
    bench_require(sink == GPUCMD_OK, "walk");
    check_forms();
    bench_require(sink == GPUCMD_OK, "finding of a form");
    check_methods();
    bench_require(sink == GPUCMD_OK, "finding of a method");
    bench_result("P27a", bench_ratio(check_forms, walk));
    bench_result("P27b", bench_ratio(check_methods, walk));
    return 0;
}

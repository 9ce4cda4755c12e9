/* Rows P1 to P6, P8c, P10, P11 and P13 for the core and gpucmd_nv.h. Without arguments the program
 * prints all ratios, one per line. `--once KERNEL` runs one kernel once with a small fixed load,
 * to count instructions, and prints the number of words (lib_push: of entries). Before a
 * comparison, both sides must give equal bytes. */
#include "bench.h"
#include "nv.h"

enum { L1_DW = 8192, BIG_DW = 16 << 20, ENTRIES = 1024, PRINT_DW = 4096 };

static uint32_t v[V_DW];
static uint32_t *out;    /* output of the writers */
static uint32_t *stream; /* small methods, GF100 */
static uint32_t *old;    /* small methods, before GF100 */
static uint32_t *block;  /* large payloads, GF100 */
static size_t stream_dw; /* words of stream and old */
static size_t block_dw;
static size_t units;
static words_fn *kernel[2];
static gpucmd_nv_gate gate;

/* ---- streams ---- */

static uint32_t seed = 1;

static uint32_t rnd(uint32_t below)
{
    return bench_random(&seed, below);
}

/* Fill two streams with method runs of 1 to 8 words and IMMD, in the proportions of driver streams.
 * All methods are above those of the host engine. */
static void small_methods(uint32_t *dw, uint32_t *before, size_t len_dw)
{
    for (size_t i = 0; i < len_dw;) {
        const uint32_t pick = rnd(16);
        const uint32_t op = pick < 10 ? 1 : pick < 13 ? 4 : pick < 15 ? 3 : 5;
        const uint32_t left = (uint32_t)(len_dw - i - 1 < 8 ? len_dw - i - 1 : 8);
        const uint32_t n = op == 4 || left == 0 ? 0 : 1 + rnd(left);
        const uint32_t subc = rnd(5);
        const uint32_t mthd = 0x40 + rnd(0x700);
        const uint32_t is_old_non_inc = op == 3 || op == 5;
        dw[i] = (n == 0 ? 4 : op) << 29 | (n == 0 ? rnd(0x2000) : n) << 16 | subc << 13 | mthd;
        before[i++] = is_old_non_inc << 30 | n << 18 | subc << 13 | mthd << 2;
        for (uint32_t k = 0; k < n; k++) {
            dw[i] = rnd(0x1000000);
            before[i] = dw[i];
            i++;
        }
    }
}

static void large_payloads(uint32_t *dw, size_t len_dw)
{
    for (size_t i = 0; i < len_dw;) {
        const uint32_t n = (uint32_t)(len_dw - i - 1 < 8191 ? len_dw - i - 1 : 8191);
        dw[i++] = 3u << 29 | n << 16 | 4u << 13 | 0x1b4 / 4;
        for (uint32_t k = 0; k < n; k++, i++) {
            dw[i] = (uint32_t)i * 0x9e3779b9u;
        }
    }
}

/* ---- writers ---- */

static void writer_a(void)
{
    kernel[0](out, units * M_DW, units, v);
}

static void writer_b(void)
{
    kernel[1](out, units * M_DW, units, v);
}

/* Check that a and b write equal words; return the time of a over b for this many units. */
static double writers(words_fn *a, words_fn *b, size_t count, size_t unit_dw)
{
    uint32_t *other = (uint32_t *)bench_alloc(count * unit_dw * 4);
    bench_require(a(out, count * unit_dw, count, v) == count * unit_dw, "writer failed");
    bench_require(b(other, count * unit_dw, count, v) == count * unit_dw, "writer failed");
    bench_require(memcmp(out, other, count * unit_dw * 4) == 0, "writers differ");
    free(other);
    kernel[0] = a;
    kernel[1] = b;
    units = count;
    return bench_ratio(writer_a, writer_b);
}

/* ---- one function call per unit ---- */

static unit_fn *unit;

static size_t calls_lib(uint32_t *dst)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dst, L1_DW);
    for (size_t i = 0; i < L1_DW / S_DW; i++) {
        unit(&w, v);
    }
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

static size_t calls_raw(uint32_t *dst)
{
    raw_writer w = {dst, dst + L1_DW};
    for (size_t i = 0; i < L1_DW / S_DW; i++) {
        raw_unit(&w, v);
    }
    return (size_t)(w.cur - dst);
}

static void calls_a(void)
{
    calls_lib(out);
}

static void calls_b(void)
{
    calls_raw(out);
}

static void row_calls(const char *row, unit_fn *fn)
{
    uint32_t *other = (uint32_t *)bench_alloc(L1_DW * 4);
    unit = fn;
    memset(out, 0, L1_DW * 4);
    bench_require(calls_lib(out) == calls_raw(other), "calls differ");
    bench_require(memcmp(out, other, L1_DW / S_DW * S_DW * 4) == 0, "calls differ");
    free(other);
    bench_result(row, bench_ratio(calls_a, calls_b));
}

/* ---- entries ---- */

static uint64_t va[ENTRIES - 1];
static uint32_t len_dw[ENTRIES - 1];
static uint64_t entry[ENTRIES - 1];
static uint8_t *ring_base[2];
static gpucmd_nv_gpfifo fifo;
static raw_ring ring;

static uint32_t area_read(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return fifo.put;
}

static void area_write(void *user, uint64_t off_bytes, uint32_t value)
{
    (void)user;
    (void)off_bytes;
    (void)value;
}

static const gpucmd_mmio area = {area_read, area_write, NULL};

/* Push entries into a ring whose consumer is always up to date. */
static void push_a(void)
{
    fifo.get = fifo.put;
    lib_push(&fifo, va, len_dw, ENTRIES - 1);
}

static void push_b(void)
{
    raw_push(&ring, entry, ENTRIES - 1);
}

static void prepare_push(void)
{
    for (size_t i = 0; i < ENTRIES - 1; i++) {
        va[i] = (uint64_t)rnd(0x1000000) << 12;
        len_dw[i] = 1 + rnd(0x10000);
        entry[i] = (uint64_t)len_dw[i] << 42 | va[i];
    }
    ring_base[0] = (uint8_t *)bench_alloc(8 * ENTRIES);
    ring_base[1] = (uint8_t *)bench_alloc(8 * ENTRIES);
    bench_require(gpucmd_nv_gpfifo_init(&fifo, GPUCMD_NV_CHIP_GA102, ring_base[0], 10, &area, NULL,
                                        0) == GPUCMD_OK,
                  "gpfifo");
    ring.base = ring_base[1];
    ring.mask = ENTRIES - 1;
    ring.put = 0;
}

static void row_push(void)
{
    prepare_push();
    push_b();
    bench_require(lib_push(&fifo, va, len_dw, ENTRIES - 1) == 0, "push failed");
    bench_require(memcmp(ring_base[0], ring_base[1], 8 * ENTRIES) == 0, "entries differ");
    bench_result("P8c", bench_ratio(push_a, push_b));
}

/* ---- walks ---- */

static const uint32_t *walked;
static size_t walked_dw;
static volatile size_t sink;

static void walk_a(void)
{
    sink = lib_walk(&gate, walked, walked_dw);
}

static void walk_b(void)
{
    sink = raw_walk(walked, walked_dw);
}

static void sum_b(void)
{
    sink = raw_sum(walked, walked_dw);
}

static void row_walk(void)
{
    walked = stream;
    walked_dw = stream_dw;
    bench_require(lib_walk(&gate, stream, stream_dw) == raw_walk(stream, stream_dw) &&
                      raw_walk(stream, stream_dw) != WALK_BAD,
                  "walks differ");
    bench_result("P10a", bench_ratio(walk_a, walk_b));
    walked = block;
    walked_dw = block_dw;
    bench_require(lib_walk(&gate, block, block_dw) == raw_walk(block, block_dw), "walks differ");
    bench_result("P10b", bench_ratio(walk_a, sum_b));
}

/* ---- executors ---- */

enum { RING_VA = 0x1000, STREAM_VA = 0x100000, ENTRY_DW = 0x100000 };

/* State of an engine that receives methods: the value of each method and a count of triggers. Long
 * runs to one method go to a buffer (port). */
typedef struct engine {
    uint32_t state[8][4096];
    uint32_t room[8]; /* keep_few may store up to 8 words after state */
    uint32_t *port;
    size_t port_dw;
    size_t port_cap_dw;
    size_t triggers;
    size_t words;
} engine;

static engine *hot;  /* receives methods from the executor */
static engine *cold; /* receives methods from a loop over the words, for comparison */
static gpucmd_env env;
static gpucmd_mem mem;
static gpucmd_region region[2];
static gpucmd_nv_pbdma pbdma_start;
static gpucmd_nv_pbdma pbdma;
static gpucmd_nv_pusher pusher_start;
static gpucmd_nv_pusher pusher;
static uint32_t gp_ring[2 * ENTRIES];

enum { TRIGGER = 0x300 / 4 };

/* Store count words, at most 8; the first is word. The function always stores 8 words and then
 * restores those after count, because a loop of random length costs a mispredicted branch per run.
 * The streams have readable words after their end. */
static void keep_few(uint32_t *state, uint32_t word, const uint32_t *data, uint32_t count)
{
    uint64_t after[4];
    memcpy(after, state + count, sizeof after);
    memcpy(state, data, 32);
    state[0] = word;
    memcpy(state + count, after, sizeof after);
}

static gpucmd_status methods(void *user, const gpucmd_event *e)
{
    engine *g = (engine *)user;
    const uint32_t first = e->addr / 4 & 4095;
    const uint32_t n = e->count_dw;
    const uint32_t inc = 0u - (uint32_t)(e->code == GPUCMD_NV_KIND_INC);
    const uint32_t kept = 1 + ((n - 1) & inc);
    uint32_t *state = &g->state[e->unit & 7][first];
    g->words += n;
    g->triggers += TRIGGER - first < kept;
    if (n <= 8) {
        static const uint32_t none[8];
        const uint32_t *const data[2] = {e->data + (n - kept), none};
        keep_few(state, *data[0], data[e->code == GPUCMD_NV_KIND_IMMD], kept);
    } else if (inc != 0) {
        memcpy(state, e->data, 4 * (size_t)n);
    } else {
        state[0] = e->data[n - 1];
        if (n <= g->port_cap_dw - g->port_dw) {
            memcpy(g->port + g->port_dw, e->data, 4 * (size_t)n);
            g->port_dw += n;
        }
    }
    return GPUCMD_OK;
}

static void reset(engine *g)
{
    g->port_dw = 0;
    g->triggers = 0;
    g->words = 0;
}

/* Change g as the executor and its callback do, by a plain loop over the words. */
static void reference(engine *g, const uint32_t *dw, size_t n_dw, int is_old)
{
    for (size_t i = 0; i < n_dw;) {
        const uint32_t head = dw[i++];
        const uint32_t op = is_old ? (head >> 30 != 0 ? 3 : 1) : head >> 29;
        const uint32_t n = is_old ? head >> 18 & 0x7ff : head >> 16 & 0x1fff;
        const uint32_t first = is_old ? head >> 2 & 0x7ff : head & 0xfff;
        const uint32_t subc = head >> 13 & 7;
        g->triggers += op == 1 ? TRIGGER - first < n : (op == 4 || n != 0) && TRIGGER == first;
        if (op == 4) {
            g->state[subc][first] = n;
            g->words++;
            continue;
        }
        for (uint32_t k = 0; k < n; k++, i++) {
            g->state[subc][op == 1 ? first + k : first] = dw[i];
        }
        g->words += n;
        if (op != 1 && n > 8) {
            memcpy(g->port + g->port_dw, dw + i - n, 4 * (size_t)n);
            g->port_dw += n;
        }
    }
}

/* Fill the IB ring with entries for the whole stream. */
static void prepare_run(const uint32_t *dw, size_t n_dw)
{
    size_t count = 0;
    region[0].va = RING_VA;
    region[0].bytes = sizeof gp_ring;
    region[0].host = gp_ring;
    region[0].access_mask = GPUCMD_ACCESS_READ;
    region[1].va = STREAM_VA;
    region[1].bytes = n_dw * 4;
    region[1].host = (void *)(uintptr_t)dw;
    region[1].access_mask = GPUCMD_ACCESS_READ;
    bench_require(gpucmd_mem_init(&mem, region, 2) == GPUCMD_OK, "mem");
    for (size_t at = 0; at < n_dw; at += ENTRY_DW) {
        const size_t n = n_dw - at < ENTRY_DW ? n_dw - at : ENTRY_DW;
        gp_ring[2 * count] = (uint32_t)(STREAM_VA + 4 * at);
        gp_ring[2 * count + 1] = (uint32_t)n << 10;
        count++;
    }
    bench_require(gpucmd_nv_pbdma_init(&pbdma_start, GPUCMD_NV_CHIP_GA102) == GPUCMD_OK, "pbdma");
    pbdma_start.gp_base = RING_VA;
    pbdma_start.limit2 = 10;
    pbdma_start.gp_put = (uint32_t)count;
    bench_require(gpucmd_nv_pusher_init(&pusher_start, GPUCMD_NV_CHIP_NV40) == GPUCMD_OK, "pusher");
    pusher_start.dma_pushbuffer_va = STREAM_VA;
    pusher_start.dma_put = n_dw * 4;
    gpucmd_env_init(&env, &mem, methods, hot);
}

static void run_pbdma(void)
{
    reset(hot);
    pbdma = pbdma_start;
    sink = (size_t)lib_pbdma(&pbdma, &env);
}

static void run_pusher(void)
{
    reset(hot);
    pusher = pusher_start;
    sink = (size_t)lib_pusher(&pusher, &env);
}

static void copy_b(void)
{
    memcpy(out, walked, walked_dw * 4);
}

static void same_effect(bench_fn run, const uint32_t *dw, size_t n_dw, int is_old)
{
    memset(hot->state, 0, sizeof hot->state);
    memset(cold->state, 0, sizeof cold->state);
    prepare_run(dw, n_dw);
    run();
    bench_require(sink == GPUCMD_RUN_IDLE, "executor stopped");
    reset(cold);
    reference(cold, dw, n_dw, is_old);
    bench_require(hot->words == cold->words && hot->triggers == cold->triggers,
                  "executor: words or triggers differ");
    bench_require(memcmp(hot->state, cold->state, sizeof hot->state) == 0,
                  "executor: state differs");
    bench_require(hot->port_dw == cold->port_dw &&
                      memcmp(hot->port, cold->port, 4 * hot->port_dw) == 0,
                  "executor: payload differs");
}

static void prepare_engines(size_t port_dw)
{
    hot = (engine *)bench_alloc(sizeof *hot);
    cold = (engine *)bench_alloc(sizeof *cold);
    hot->port_cap_dw = port_dw;
    hot->port = out;
    cold->port_cap_dw = port_dw;
    cold->port = (uint32_t *)bench_alloc(port_dw * 4);
}

static void row_run(void)
{
    same_effect(run_pusher, old, stream_dw, 1);
    walked = stream;
    walked_dw = stream_dw;
    bench_result("P11c", bench_ratio(run_pusher, walk_b));
    same_effect(run_pbdma, stream, stream_dw, 0);
    bench_result("P11a", bench_ratio(run_pbdma, walk_b));
    same_effect(run_pbdma, block, block_dw, 0);
    walked = block;
    walked_dw = block_dw;
    bench_result("P11b", bench_ratio(run_pbdma, copy_b));
}

/* ---- text ---- */

enum { TEXT_BYTES = PRINT_DW * 64 };

static char *text[2];

static void print_a(void)
{
    sink = lib_print(text[0], TEXT_BYTES, &gate, stream, PRINT_DW);
}

static void print_b(void)
{
    sink = raw_print(text[1], TEXT_BYTES, stream, PRINT_DW);
}

static void row_print(void)
{
    size_t len;
    print_b();
    len = sink;
    print_a();
    bench_require(sink == len && memcmp(text[0], text[1], len) == 0, "texts differ");
    bench_result("P13", bench_ratio(print_b, print_a));
}

static void prepare_streams(size_t n_dw)
{
    for (size_t i = 0; i < V_DW; i++) {
        v[i] = (uint32_t)i * 0x9e3779b9u;
    }
    /* Shift the streams, so that they begin at different offsets in a page. */
    out = (uint32_t *)bench_alloc((n_dw + M_DW) * 4);
    stream = (uint32_t *)bench_alloc((n_dw + 64) * 4) + 32;
    old = (uint32_t *)bench_alloc((n_dw + 64) * 4) + 32;
    block = (uint32_t *)bench_alloc((n_dw + 64) * 4) + 48;
    text[0] = (char *)bench_alloc(TEXT_BYTES);
    text[1] = (char *)bench_alloc(TEXT_BYTES);
    stream_dw = n_dw;
    block_dw = n_dw;
    small_methods(stream, old, PRINT_DW);
    small_methods(stream + PRINT_DW, old + PRINT_DW, n_dw - PRINT_DW);
    large_payloads(block, n_dw);
    bench_require(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, true, GPUCMD_NV_FMT_NEW) ==
                      GPUCMD_OK,
                  "gate");
    prepare_engines(n_dw);
}

/* ---- one run of one kernel ---- */

static int once(const char *name)
{
    static const struct {
        const char *name;
        words_fn *fn;
        size_t unit_dw;
    } writer[] = {
        {"raw_s",         raw_s,         S_DW},
        {"hand_s",        hand_s,        S_DW},
        {"lib_s",         lib_s,         S_DW},
        {"lib_s_noalias", lib_s_noalias, S_DW},
        {"lib_s_os",      lib_s_os,      S_DW},
        {"lib_s_reserve", lib_s_reserve, S_DW},
        {"raw_m",         raw_m,         M_DW},
        {"hand_m",        hand_m,        M_DW},
        {"lib_m",         lib_m,         M_DW},
    };
    const size_t n_dw = L1_DW;
    prepare_streams(n_dw);
    prepare_push();
    walked = stream;
    walked_dw = n_dw;
    for (size_t i = 0; i < sizeof writer / sizeof writer[0]; i++) {
        if (strcmp(name, writer[i].name) == 0) {
            printf("%zu\n", writer[i].fn(out, n_dw, n_dw / writer[i].unit_dw, v));
            return 0;
        }
    }
    printf("%zu\n", strcmp(name, "lib_push") == 0 || strcmp(name, "raw_push") == 0
                        ? (size_t)ENTRIES - 1
                    : strcmp(name, "lib_print") == 0 ? (size_t)PRINT_DW
                                                     : n_dw / S_DW * S_DW);
    if (strcmp(name, "lib_unit") == 0 || strcmp(name, "lib_unit_reserve") == 0) {
        unit = strcmp(name, "lib_unit") == 0 ? lib_unit : lib_unit_reserve;
        calls_a();
    } else if (strcmp(name, "raw_unit") == 0) {
        calls_b();
    } else if (strcmp(name, "lib_push") == 0) {
        push_a();
    } else if (strcmp(name, "raw_push") == 0) {
        push_b();
    } else if (strcmp(name, "lib_walk") == 0) {
        walk_a();
    } else if (strcmp(name, "raw_walk") == 0) {
        walk_b();
    } else if (strcmp(name, "lib_print") == 0) {
        print_a();
    } else if (strcmp(name, "lib_pbdma") == 0) {
        prepare_run(stream, n_dw);
        run_pbdma();
    } else if (strcmp(name, "lib_pusher") == 0) {
        prepare_run(old, n_dw);
        run_pusher();
    } else {
        return 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--once") == 0) {
        return once(argv[2]);
    }
    prepare_streams(BIG_DW);
    bench_result("P1", writers(lib_s, raw_s, L1_DW / S_DW, S_DW));
    bench_result("P3a", writers(lib_s_reserve, hand_s, L1_DW / S_DW, S_DW));
    bench_result("P3b", writers(lib_s_reserve, raw_s, L1_DW / S_DW, S_DW));
    bench_result("P4a", writers(lib_m, hand_m, L1_DW / M_DW, M_DW));
    bench_result("P4b", writers(lib_m, raw_m, BIG_DW / M_DW, M_DW));
    bench_result("P5a", writers(lib_s_noalias, lib_s, L1_DW / S_DW, S_DW));
    bench_result("P5b", writers(lib_s_os, lib_s, L1_DW / S_DW, S_DW));
    row_calls("P6a", lib_unit);
    row_calls("P6b", lib_unit_reserve);
    row_push();
    row_walk();
    row_run();
    row_print();
    return 0;
}

/* Rows P11d to P11h and P18 for channels of gpucmd_nv.h, which execute host methods and engine
 * methods. Before a measurement, the words must have their effect. */
#define GPUCMD_IMPLEMENTATION
#include "bench.h"
#include "nv.h"

enum {
    CHANNELS = 64,
    SMALL_DW = 16 << 20,
    UPLOAD_DW = 8190,     /* with the word that starts the upload: the longest run */
    BLOCK_DW = 1024,      /* block that the growing stream repeats */
    RING_VA = 0x1000,     /* IB rings of all channels, adjacent */
    SEM_VA = 0x100000,    /* a page of semaphores */
    WORDS_VA = 0x1000000, /* segments */
    ENTRIES = 1024,
    PART_DW = 0x100000 /* most words of one entry */
};

static const uint64_t SRC_VA = 0x1000000000;
static const uint64_t DST_VA = 0x2000000000;

static gpucmd_region region[5];
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel start[CHANNELS];
static gpucmd_nv_channel channel[CHANNELS];
static uint32_t ring[CHANNELS * 2 * ENTRIES];
static uint32_t sem[1024];
static uint32_t *shadow;
static uint32_t *words; /* words of all streams */
static size_t words_dw;
static uint8_t *src;
static uint8_t *dst;
static size_t bytes; /* size of src, and of dst */
static gpucmd_nv_gate gate;
static volatile size_t sink;
static uint32_t seed = 1;

static uint32_t rnd(uint32_t below)
{
    return bench_random(&seed, below);
}

static void own(unsigned i, uint64_t va, uint64_t len_bytes, void *host)
{
    region[i].va = va;
    region[i].bytes = len_bytes;
    region[i].host = host;
    region[i].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
}

/* ---- streams ---- */

/* Range of methods of each subchannel that start no operation. */
static const struct {
    uint32_t first, count;
} quiet[5] = {
    {0x200 / 4, 0x5e0}, /* 3D */
    {0x200 / 4, 0x5c0}, /* compute */
    {0x180 / 4, 0x00c}, /* inline uploads */
    {0x100 / 4, 0x1d0}, /* 2D */
    {0x400 / 4, 0x0d0}, /* copies */
};

/* Write method runs of 1 to 8 words and IMMD, in the proportions of driver streams. Eleven of
 * sixteen are for the 3D class. Of 64 commands, one is a host method (release, SET_REFERENCE, NOP)
 * and one is a fence of the 3D class. */
static void small_methods(uint32_t *dw, size_t len_dw)
{
    for (size_t i = 0; i < len_dw;) {
        const uint32_t pick = rnd(16);
        const uint32_t part = rnd(16);
        const uint32_t subc = part < 11 ? 0 : part - 11;
        const uint32_t special = rnd(64);
        const uint32_t left = (uint32_t)(len_dw - i - 1 < 8 ? len_dw - i - 1 : 8);
        const uint32_t op = left == 0 ? 4 : pick < 10 ? 1 : pick < 13 ? 4 : pick < 15 ? 3 : 5;
        const uint32_t n = op == 4 ? rnd(0x2000) : 1 + rnd(left);
        if (special < 2 && left >= 6) {
            const uint32_t kind = special == 0 ? 0 : 1 + rnd(3);
            if (kind > 1) {
                dw[i++] = kind == 2 ? 0x20010014 : 0x20010002;
                dw[i++] = rnd(0x1000000);
                continue;
            }
            /* REPORT_UPPER to REPORT_GET, or SEM_ADDR_LO to SEM_EXECUTE */
            dw[i++] = kind == 0 ? 0x200406c0 : 0x20050017;
            dw[i++] = kind == 0 ? 0 : SEM_VA + 4 * rnd(1024);
            dw[i++] = kind == 0 ? SEM_VA + 4 * rnd(1024) : 0;
            dw[i++] = rnd(0x1000000);
            dw[i++] = kind == 0 ? 0x1000f010 : 0;
            if (kind != 0) {
                dw[i++] = 1;
            }
            continue;
        }
        dw[i++] =
            op << 29 | n << 16 | subc << 13 | (quiet[subc].first + rnd(quiet[subc].count - 8));
        for (uint32_t k = 0; k < n && op != 4; k++) {
            dw[i++] = rnd(0x1000000);
        }
    }
}

/* Write SET_OBJECT for the five engines. */
static size_t bind(uint32_t *dw)
{
    static const uint32_t classes[] = {0xc797, 0xc7c0, 0xa140, 0x902d, 0xc7b5};
    for (uint32_t i = 0; i < 5; i++) {
        dw[2 * i] = 0x20010000 | i << 13;
        dw[2 * i + 1] = classes[i];
    }
    return 10;
}

/* ---- running ---- */

/* Write the entries of channel i, for n_dw words that begin at at_dw. */
static void entries(unsigned i, size_t at_dw, size_t n_dw)
{
    uint32_t *at = ring + i * 2 * ENTRIES;
    uint32_t put = 0;
    for (size_t done = 0; done < n_dw; done += PART_DW) {
        const size_t n = n_dw - done < PART_DW ? n_dw - done : PART_DW;
        const uint64_t va = WORDS_VA + 4 * (uint64_t)(at_dw + done);
        at[2 * put] = (uint32_t)va;
        at[2 * put + 1] = (uint32_t)(va >> 32) | (uint32_t)n << 10;
        put++;
    }
    bench_require(put < ENTRIES, "ring");
    bench_require(gpucmd_nv_channel_init(&start[i], GPUCMD_NV_CHIP_GA102, &card) == GPUCMD_OK,
                  "init");
    start[i].id = i;
    start[i].pbdma.gp_base = RING_VA + i * 8 * ENTRIES;
    start[i].pbdma.limit2 = 10;
    start[i].pbdma.gp_put = put;
}

static void prepare(void)
{
    own(0, RING_VA, sizeof ring, ring);
    own(1, SEM_VA, sizeof sem, sem);
    own(2, WORDS_VA, words_dw * 4, words);
    own(3, SRC_VA, bytes, src);
    own(4, DST_VA, bytes, dst);
    bench_require(gpucmd_mem_init(&mem, region, bytes != 0 ? 5 : 3) == GPUCMD_OK, "memory");
    gpucmd_nv_card_init(&card);
    card.quantum = 1024;
    gpucmd_env_init(&env, &mem, NULL, NULL);
}

/* Execute all words on one channel. */
static void run_one(void)
{
    channel[0] = start[0];
    channel[0].shadow = shadow;
    sink = (size_t)gpucmd_nv_channel_run(&channel[0], &env, UINT64_MAX);
}

/* Execute the words on count channels. The caller must first copy the start state to them. */
static void run_all_of(unsigned count)
{
    sink = (size_t)gpucmd_nv_run_all(channel, count, &env, UINT64_MAX, NULL);
}

static void run_many(void)
{
    run_all_of(CHANNELS);
}

static void run_alone(void)
{
    run_all_of(1);
}

static void walk(void)
{
    gpucmd_nv_walk it;
    gpucmd_nv_cmd cmd;
    size_t commands = 0;
    gpucmd_nv_walk_init(&it, &gate, words, words_dw);
    while (gpucmd_nv_walk_next(&it, &cmd)) {
        commands += cmd.form != GPUCMD_NV_FORM_INVALID;
    }
    sink = commands;
}

static void minimal_walk(void)
{
    sink = raw_walk(words, words_dw);
}

static void read_words(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < words_dw / 2; i++) {
        uint64_t v;
        memcpy(&v, words + 2 * i, 8);
        sum += v;
    }
    sink = (size_t)sum;
}

/* ---- rows ---- */

static void row_small(void)
{
    uint32_t last = 0;
    words_dw = SMALL_DW;
    words = (uint32_t *)bench_alloc(words_dw * 4);
    shadow = (uint32_t *)bench_alloc(4 * (size_t)GPUCMD_NV_SHADOW_DW);
    small_methods(words + bind(words), words_dw - 10);
    for (size_t i = 10; i + 6 < words_dw; i++) {
        last = (words[i] == 0x20050017 && words[i + 1] == SEM_VA) ||
                       (words[i] == 0x200406c0 && words[i + 2] == SEM_VA)
                   ? words[i + 3]
                   : last;
    }
    entries(0, 0, words_dw);
    prepare();
    run_one();
    bench_require(sink == GPUCMD_RUN_IDLE, "channel stopped");
    bench_require(sem[0] == last, "release");
    bench_require(raw_walk(words, words_dw) != WALK_BAD, "minimal walk");
    bench_result("P11d", bench_ratio(run_one, minimal_walk));
    shadow = NULL;
}

/* Execute inline uploads of 32 KiB each, which together fill dst. */
static void copy_uploads(void)
{
    for (size_t i = 0; i < words_dw / (UPLOAD_DW + 7); i++) {
        memcpy(dst + i * 4 * UPLOAD_DW, words + 10 + i * (UPLOAD_DW + 7) + 7, 4 * UPLOAD_DW);
    }
}

static void row_uploads(void)
{
    const size_t count = SMALL_DW / (UPLOAD_DW + 7);
    uint32_t *at = words;
    uint8_t *seen;
    words_dw = 10 + count * (UPLOAD_DW + 7);
    bytes = (size_t)SMALL_DW * 4;
    dst = (uint8_t *)bench_alloc(bytes);
    seen = (uint8_t *)bench_alloc(bytes);
    src = seen;
    at += bind(at);
    for (size_t i = 0; i < count; i++) {
        const uint64_t va = DST_VA + i * 4 * UPLOAD_DW;
        *at++ = 0x20044060; /* LINE_LENGTH_IN to OFFSET_OUT */
        *at++ = 4 * UPLOAD_DW;
        *at++ = 1;
        *at++ = (uint32_t)(va >> 32);
        *at++ = (uint32_t)va;
        *at++ = 0xa0000000 | (UPLOAD_DW + 1) << 16 | 0x406c; /* LAUNCH_DMA, then data */
        *at++ = 0x1001;
        for (uint32_t k = 0; k < UPLOAD_DW; k++) {
            *at++ = rnd(0x1000000);
        }
    }
    entries(0, 0, words_dw);
    prepare();
    run_one();
    bench_require(sink == GPUCMD_RUN_IDLE, "channel stopped");
    memcpy(seen, dst, bytes);
    memset(dst, 0, bytes);
    copy_uploads();
    bench_require(memcmp(seen, dst, bytes) == 0, "uploads differ");
    bench_result("P11e", bench_ratio(run_one, copy_uploads));
}

static size_t piece; /* bytes of one copy */
static size_t copies;

static void copy_pieces(void)
{
    for (size_t i = 0; i < copies; i++) {
        memcpy(dst + i * piece, src + i * piece, piece);
        FORGET();
    }
}

/* Measure copies of len_bytes by the copy engine, each with a release. */
static void row_copies(const char *row, size_t len_bytes, size_t count)
{
    uint32_t *at = words;
    piece = len_bytes;
    copies = count;
    for (size_t i = 0; i < piece * copies; i++) {
        src[i] = (uint8_t)rnd(256);
    }
    memset(dst, 0, piece * copies);
    for (size_t i = 0; i < count; i++) {
        *at++ = 0x20048100;
        *at++ = (uint32_t)((SRC_VA + i * piece) >> 32);
        *at++ = (uint32_t)(SRC_VA + i * piece);
        *at++ = (uint32_t)((DST_VA + i * piece) >> 32);
        *at++ = (uint32_t)(DST_VA + i * piece);
        *at++ = 0x20018106;
        *at++ = (uint32_t)piece;
        *at++ = 0x20038090;
        *at++ = 0;
        *at++ = SEM_VA;
        *at++ = (uint32_t)i + 1;
        *at++ = 0x200180c0;
        *at++ = 0x18e; /* copy, flush, release of one word */
    }
    entries(0, 0, (size_t)(at - words));
    run_one();
    bench_require(sink == GPUCMD_RUN_IDLE && sem[0] == count, "channel stopped");
    bench_require(memcmp(src, dst, piece * copies) == 0, "copies differ");
    bench_result(row, bench_ratio(run_one, copy_pieces));
}

/* Compare 64 channels, in turns of 1024 words, with one channel that executes equal words. */
static void row_many(void)
{
    const size_t each = BLOCK_DW * 16;
    words_dw = CHANNELS * each;
    small_methods(words + bind(words), each - 10);
    for (unsigned i = 1; i < CHANNELS; i++) {
        memcpy(words + i * each, words, each * 4);
    }
    for (unsigned i = 1; i < CHANNELS; i++) {
        entries(i, i * each, each);
    }
    bytes = 0;
    prepare();
    entries(0, 0, each);
    memcpy(channel, start, sizeof channel);
    run_many();
    bench_require(sink == GPUCMD_RUN_IDLE, "channels stopped");
    for (unsigned i = 1; i < CHANNELS; i++) {
        bench_require(channel[i].pbdma.ref == channel[0].pbdma.ref, "channels differ");
    }
    {
        double ratio[BENCH_MAX_ROUNDS];
        const size_t rounds = bench_quick() ? 31 : 101;
        for (size_t i = 0; i < rounds; i++) {
            double many;
            entries(0, 0, each);
            memcpy(channel, start, sizeof channel);
            many = bench_time(run_many, 1);
            entries(0, 0, words_dw);
            channel[0] = start[0];
            ratio[i] = many / bench_time(run_alone, 1);
        }
        bench_result("P11h", bench_median(ratio, rounds));
    }
}

/* Return nanoseconds per word, from calls that together take about a millisecond. */
static double per_word(bench_fn fn, size_t n_dw)
{
    const size_t reps = n_dw < 1 << 20 ? (1 << 20) / n_dw : 1;
    words_dw = n_dw;
    entries(0, 0, n_dw);
    region[2].bytes = n_dw * 4;
    return bench_time(fn, reps) / (double)(n_dw * reps);
}

/* Return the time per word of a stream of n_dw words, relative to a stream that fits the first
 * cache. The longer time of plain reads is added to the divisor. Both streams repeat one block, so
 * that only their size differs. */
static double growth(bench_fn fn, size_t n_dw)
{
    double ratio[BENCH_MAX_ROUNDS];
    const size_t first_dw = 4 * BLOCK_DW;
    const size_t rounds = n_dw < 16 << 20 ? 41 : bench_quick() ? 3 : 7;
    for (size_t i = 0; i < rounds; i++) {
        const double limit = per_word(read_words, n_dw) - per_word(read_words, first_dw);
        const double first = per_word(fn, first_dw);
        ratio[i] = per_word(fn, n_dw) / (first + (limit > 0 ? limit : 0));
    }
    return bench_median(ratio, rounds);
}

static void row_growth(const char *row, bench_fn fn, size_t most_dw)
{
    double most = 0;
    for (size_t n_dw = BLOCK_DW; n_dw <= most_dw; n_dw *= 4) {
        const double now = growth(fn, n_dw);
        if (getenv("BENCH_VERBOSE") != NULL) {
            fprintf(stderr, "%s %8zu KiB: %.3f\n", row, n_dw / 256, now);
        }
        most = now > most ? now : most;
    }
    bench_result(row, most);
}

static void rows_growth(size_t most_dw)
{
    free(words);
    words = (uint32_t *)bench_alloc(most_dw * 4);
    small_methods(words + bind(words), BLOCK_DW - 10);
    for (size_t i = BLOCK_DW; i < most_dw; i += BLOCK_DW) {
        memcpy(words + i, words, BLOCK_DW * 4);
    }
    words_dw = most_dw;
    bytes = 0;
    prepare();
    row_growth("P18a", walk, most_dw);
    row_growth("P18b", run_one, most_dw);
}

int main(void)
{
    bench_require(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, true, GPUCMD_NV_FMT_NEW) ==
                      GPUCMD_OK,
                  "gate");
    row_small();
    row_uploads();
    row_copies("P11f", 64 << 10, 64);
    row_copies("P11g", 1 << 20, 32);
    row_many();
    rows_growth(bench_quick() ? (size_t)16 << 20 : (size_t)256 << 20); /* 64 MiB, 1 GiB */
    return 0;
}

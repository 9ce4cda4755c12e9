/* A channel executes short runs of engine methods, with all sequences of lengths, kinds, methods
 * and subchannels. The shadow registers are compared with a loop over the words. All other state
 * is compared with a second channel that executes one word at a time. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"

enum { BASE = 0x10000, STREAM_DW = 512, STREAMS = 600, RAM_DW = 0x10000 };

static uint32_t ram[RAM_DW];
static uint32_t ram_before[RAM_DW];
static uint32_t ram_after[RAM_DW];
static uint32_t expected[GPUCMD_NV_SHADOW_DW];
static uint32_t shadow[GPUCMD_NV_SHADOW_DW];
static uint32_t stepped[GPUCMD_NV_SHADOW_DW];
static gpucmd_region region;
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel first;
static gpucmd_nv_channel run;
static gpucmd_nv_channel step;
static uint32_t seed = 0x2545f491;

static uint32_t rnd(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (seed >> 8) % below;
}

/* Write runs of 1 to 9 words, seldom up to 70, and IMMD. If quiet, only methods that start no
 * operation. Return the number of words. */
static uint32_t fill(uint32_t *dw, bool quiet)
{
    static const uint32_t ops[] = {1, 1, 1, 3, 4, 5};
    uint32_t i = 0;
    for (uint32_t subc = 0; subc < 5; subc++) {
        static const uint32_t classes[] = {0xc797, 0xc7c0, 0xa140, 0x902d, 0xc7b5};
        dw[i++] = 0x20010000 | subc << 13;
        dw[i++] = classes[subc];
    }
    while (i < STREAM_DW - 80) {
        const uint32_t op = ops[rnd(6)];
        const uint32_t n = rnd(40) == 0 ? 1 + rnd(70) : 1 + rnd(9);
        uint32_t subc = rnd(6); /* 5 has no engine model */
        uint32_t mthd = 0x40 + rnd(0x1000 - 0x40 - 70);
        if (quiet && rnd(2) != 0) { /* methods at and near the render targets of GF100 and later */
            subc = 0;
            mthd = 0x1f0 + rnd(0x98 - n % 9);
        } else if (quiet && rnd(2) != 0) { /* last methods */
            subc = rnd(2) * 4;
            mthd = 0x1000 - n - rnd(18);
        } else if (quiet) { /* between the triggers */
            subc = 0;
            mthd = 0x270 + rnd(0x674 - 0x270 - 70);
        } else if (rnd(4) == 0) {
            mthd = (subc == 0 ? 0x1b00u : subc < 3 ? 0x180u : subc == 3 ? 0x830u : 0x300u) / 4;
            mthd += rnd(8);
        }
        dw[i++] = op << 29 | (op == 4 ? rnd(0x2000) : n) << 16 | subc << 13 | mthd;
        for (uint32_t k = 0; k < n && op != 4; k++) {
            dw[i++] = rnd(8) == 0 ? rnd(0x30000) : rnd(64);
        }
    }
    return i;
}

/* Words of engine methods one by one. */
static void keep(const uint32_t *dw, uint32_t at_dw, uint32_t n_dw)
{
    for (uint32_t i = at_dw; i < n_dw;) {
        const uint32_t head = dw[i++];
        const uint32_t op = head >> 29;
        const uint32_t n = head >> 16 & 0x1fff;
        uint32_t *to = expected + (head >> 13 & 7) * 0x1000 + (head & 0xfff);
        if (op == 4) {
            *to = n;
        }
        for (uint32_t k = 0; k < n && op != 4; k++, i++) {
            to[op == 1 ? k : op == 5 && k != 0 ? 1 : 0] = dw[i];
        }
    }
}

static void begin(gpucmd_nv_chip chip, uint32_t n_dw)
{
    const uint64_t va = BASE + 4 * (uint64_t)(RAM_DW - n_dw); /* up to the end of memory */
    CHECK(gpucmd_nv_channel_init(&first, chip, &card) == GPUCMD_OK);
    first.id = 1;
    first.pbdma.gp_base = BASE;
    first.pbdma.limit2 = 3;
    first.pbdma.gp_put = 1;
    gpucmd_store32(ram, (uint32_t)va, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(ram + 1, n_dw << 10, GPUCMD_LITTLE_ENDIAN);
}

static void same_channels(void)
{
    for (uint32_t subc = 0; subc < 8; subc++) {
        unsigned differ = 0;
        for (uint32_t mthd = 0; mthd < 0x4000; mthd += 4) {
            differ += gpucmd_nv_engine_reg(&run.engines[subc], mthd) !=
                      gpucmd_nv_engine_reg(&step.engines[subc], mthd);
        }
        EQUAL(differ, 0);
        EQUAL(run.engines[subc].inlining, step.engines[subc].inlining);
        EQUAL(run.engines[subc].line, step.engines[subc].line);
        EQUAL(run.engines[subc].at_bytes, step.engines[subc].at_bytes);
    }
    EQUAL(run.last_subc, step.last_subc);
    EQUAL(run.pbdma.pb_get, step.pbdma.pb_get);
    EQUAL(run.pbdma.mthd, step.pbdma.mthd);
    EQUAL(run.pbdma.subc, step.pbdma.subc);
    EQUAL(run.pbdma.count, step.pbdma.count);
    EQUAL(run.pbdma.type, step.pbdma.type);
    EQUAL(run.pbdma.hdr_shadow, step.pbdma.hdr_shadow);
    EQUAL(run.pbdma.intr, step.pbdma.intr);
    EQUAL(run.puller.fault, step.puller.fault);
}

static void one_stream(bool quiet, bool shaded)
{
    uint32_t words[STREAM_DW];
    const uint32_t n_dw = fill(words, quiet);
    gpucmd_run stop = GPUCMD_RUN_DONE;
    gpucmd_run other;
    gpucmd_store_words(ram + RAM_DW - n_dw, words, n_dw, GPUCMD_LITTLE_ENDIAN);
    begin(GPUCMD_NV_CHIP_GA102, n_dw);
    for (uint32_t i = 0; i < GPUCMD_NV_SHADOW_DW; i++) {
        expected[i] = i * 0x9e3779b9u;
    }
    memcpy(shadow, expected, sizeof shadow);
    memcpy(stepped, expected, sizeof stepped);
    memcpy(ram_before, ram, sizeof ram);
    run = first;
    run.shadow = shaded ? shadow : NULL;
    other = gpucmd_nv_channel_run(&run, &env, 100000);
    memcpy(ram_after, ram, sizeof ram);
    memcpy(ram, ram_before, sizeof ram);
    step = first;
    step.shadow = shaded ? stepped : NULL;
    for (uint32_t i = 0; i < 100000 && stop == GPUCMD_RUN_DONE; i++) {
        stop = gpucmd_nv_channel_step(&step, &env);
    }
    EQUAL(other, stop);
    same_channels();
    CHECK(memcmp(ram, ram_after, sizeof ram) == 0);
    CHECK(memcmp(shadow, stepped, sizeof shadow) == 0);
    if (quiet) {
        EQUAL(stop, GPUCMD_RUN_IDLE);
    }
    if (quiet && shaded) {
        keep(words, 10, n_dw);
        CHECK(memcmp(shadow, expected, sizeof shadow) == 0);
    }
}

/* The last methods of the last subchannel are the last shadow registers. */
static void last_methods(void)
{
    static const uint32_t ops[] = {1, 3, 4, 5};
    for (uint32_t mthd = 0xfe8; mthd < 0x1000; mthd++) {
        for (uint32_t n = 1; n <= 8 && n <= 0x1000 - mthd; n++) {
            uint32_t words[32] = {0x2001e000, 0x9097};
            uint32_t n_dw = 2;
            for (uint32_t i = 0; i < 4; i++) {
                words[2] = ops[i] << 29 | n << 16 | 0xe000 | mthd;
                n_dw = 3;
                for (uint32_t k = 0; k < n && ops[i] != 4; k++) {
                    words[n_dw++] = 0x1000 * n + k;
                }
                while (n_dw < 32) { /* host methods: REF_CNT */
                    words[n_dw++] = 0x80000014;
                }
                gpucmd_store_words(ram + RAM_DW - n_dw, words, n_dw, GPUCMD_LITTLE_ENDIAN);
                begin(GPUCMD_NV_CHIP_GF100, n_dw);
                for (uint32_t k = 0; k < GPUCMD_NV_SHADOW_DW; k++) {
                    shadow[k] = ~k;
                    expected[k] = ~k;
                }
                run = first;
                run.shadow = shadow;
                EQUAL(gpucmd_nv_channel_run(&run, &env, 100), GPUCMD_RUN_IDLE);
                keep(words, 2, ops[i] == 4 ? 3 : 3 + n);
                CHECK(memcmp(shadow, expected, sizeof shadow) == 0);
            }
        }
    }
}

static gpucmd_status refuse(void *user, const gpucmd_event *event)
{
    (void)user;
    *event->out_dw = 0;
    return GPUCMD_FAULT;
}

/* The method that the callback rejected is dropped after gpucmd_nv_channel_clear, even if the
 * callback would accept it now. */
static void skipped_method(void)
{
    uint32_t words[32] = {0x20010000, 0xc797, 0x80550400, 0x80660401};
    for (uint32_t i = 4; i < 32; i++) {
        words[i] = 0x80000014; /* a host method: REF_CNT */
    }
    memset(shadow, 0, sizeof shadow);
    gpucmd_store_words(ram + RAM_DW - 32, words, 32, GPUCMD_LITTLE_ENDIAN);
    begin(GPUCMD_NV_CHIP_GA102, 32);
    run = first;
    env.event = refuse;
    EQUAL(gpucmd_nv_channel_run(&run, &env, 100), GPUCMD_RUN_FAULT);
    env.event = NULL;
    run.shadow = shadow;
    gpucmd_nv_channel_clear(&run);
    EQUAL(gpucmd_nv_channel_run(&run, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(shadow[0x400], 0);
    EQUAL(shadow[0x401], 0x66);
}

/* A run of 8 methods that crosses into the next line of 16 is stored by the operations that the first
 * line starts. That is right only if no model of GF100 and later starts one in the next 7 methods. */
static void next_lines(void)
{
    static const struct {
        gpucmd_nv_model model;
        uint32_t mthd, words, triggers;
    } windows[] = {
#define WINDOW(model, mthd, words, triggers) {GPUCMD_NV_MODEL_##model, mthd, words, triggers},
        GPUCMD_NV_ENGINE_WINDOWS(WINDOW)
#undef WINDOW
    };
    enum { COUNT = sizeof windows / sizeof windows[0] };
    unsigned triggers = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        const gpucmd_nv_model m = windows[i].model;
        if (m != GPUCMD_NV_MODEL_COPY && m != GPUCMD_NV_MODEL_M2MF_GF100 &&
            m != GPUCMD_NV_MODEL_INLINE && m != GPUCMD_NV_MODEL_2D_GF100 &&
            m != GPUCMD_NV_MODEL_3D_GF100) {
            continue;
        }
        for (uint32_t bit = 0; bit < 32; bit++) {
            const uint32_t mthd = windows[i].mthd / 4 + bit;
            if ((windows[i].triggers >> bit & 1) == 0) {
                continue;
            }
            triggers++;
            for (unsigned k = 0; k < COUNT && mthd % 16 < 7; k++) {
                const uint32_t end = windows[k].mthd / 4 + windows[k].words;
                CHECK(windows[k].model != m || end <= mthd - mthd % 16 - 16 ||
                      windows[k].mthd / 4 >= mthd - mthd % 16);
            }
        }
    }
    EQUAL(triggers, 10);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    region.va = BASE;
    region.bytes = sizeof ram;
    region.host = ram;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    for (unsigned i = 0; i < STREAMS; i++) {
        one_stream(i % 3 != 0, i % 2 != 0);
    }
    last_methods();
    skipped_method();
    next_lines();
    shapes();
    return test_report("nv_short_runs");
}

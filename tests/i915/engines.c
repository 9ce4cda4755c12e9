/* Several command streamers: mailboxes of gen6 to 7.5, memory semaphores and signals of gen8, and
 * the deadlocks that no hardware reports. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define DATA_VA  0x00200000u
#define BATCH(i) (0x00100000u + 0x1000u * (i))

static uint8_t batches[4 * 4096], data[4096];
static const gpucmd_region regions[2] = {
    {BATCH(0), sizeof batches, batches, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,    data,    GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs[4];
static gpucmd_i915_report report;

static void start(gpucmd_i915_gen gen, size_t count)
{
    static const gpucmd_i915_engine engines[4] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS, GPUCMD_I915_VCS,
                                                  GPUCMD_I915_VECS};
    memset(batches, 0, sizeof batches);
    memset(data, 0, sizeof data);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        EQUAL(gpucmd_i915_cs_init(&cs[i], gen, engines[i], 0), GPUCMD_OK);
    }
}

static void load(size_t i, const uint32_t *words, size_t len_dw)
{
    gpucmd_store_words(batches + 4096 * i, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batches + 4096 * i + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs[i], BATCH((uint32_t)i), true), GPUCMD_OK);
}

#define LOAD(i, ...)                                                                               \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__};                                            \
        load(i, words_, sizeof words_ / 4);                                                        \
    } while (0)

/* Signaller, waiter, mailbox register, first word of the wait. [K4] */
static void mailboxes(void)
{
    static const struct {
        unsigned from, to;
        uint32_t reg, wait;
    } rows[] = {
        {0, 2, 0x12044, 0x0b160001},
        {0, 1, 0x22040, 0x0b140001},
        {0, 3, 0x1a044, 0x0b160001},
        {2, 0, 0x02040, 0x0b140001},
        {2, 1, 0x22044, 0x0b160001},
        {2, 3, 0x1a048, 0x0b150001},
        {1, 0, 0x02044, 0x0b160001},
        {1, 2, 0x12040, 0x0b140001},
        {1, 3, 0x1a040, 0x0b140001},
        {3, 0, 0x02048, 0x0b150001},
        {3, 2, 0x12048, 0x0b150001},
        {3, 1, 0x22048, 0x0b150001},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t wait[] = {rows[i].wait, 99, 0, 0, 0x10000002, 0, DATA_VA, 1};
        const uint32_t low[] = {0x11000001, rows[i].reg, 99};
        const uint32_t high[] = {0x11000001, rows[i].reg, 100};
        start(GPUCMD_I915_GEN7_5, 4);
        load(rows[i].to, wait, 8);
        load(rows[i].from, low, 3);
        EQUAL(gpucmd_i915_run_all(cs, 4, &env, 1000, &report),
              GPUCMD_RUN_BLOCKED); /* 99 > 99 is false */
        EQUAL(report.blocked, 1u << rows[i].to);
        CHECK(report.deadlock);
        load(rows[i].from, high, 3);
        EQUAL(gpucmd_i915_run_all(cs, 4, &env, 1000, &report), GPUCMD_RUN_IDLE);
        EQUAL(report.idle, 15);
        CHECK(!report.deadlock);
        EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 1);
    }
}

/* Gen8: the blitter polls a value that the render engine writes with
 * PIPE_CONTROL. */
static void polling(void)
{
    start(GPUCMD_I915_GEN8, 2);
    LOAD(1, 0x0e409002, 100, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 7);
    LOAD(0, 0, 0, 0, 0x7a000004, 0x01104080, DATA_VA, 0, 100, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load32(data + 8, GPUCMD_LITTLE_ENDIAN), 7);
    EQUAL(report.commands, 3 + 1 + 1 + 1 + 1 + 1);
    /* polls that block use no budget: only executed commands do */
    start(GPUCMD_I915_GEN8, 2);
    LOAD(1, 0x0e409002, 100, DATA_VA, 0);
    for (uint32_t i = 0; i < 200; i++) {
        gpucmd_store32(batches + 4 * i, 0, GPUCMD_LITTLE_ENDIAN);
    }
    gpucmd_store32(batches + 800, 0x10000002, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batches + 804, DATA_VA, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batches + 812, 100, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batches + 816, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs[0], BATCH(0), true), GPUCMD_OK);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 205, &report), GPUCMD_RUN_IDLE);
    EQUAL(report.commands, 200 + 2 + 2);
}

/* A wait in signal mode polls only after MI_SEMAPHORE_SIGNAL to its engine. */
static void signals(void)
{
    char text[128];
    gpucmd_text t;
    start(GPUCMD_I915_GEN8, 2);
    gpucmd_store32(data, 3, GPUCMD_LITTLE_ENDIAN);
    LOAD(1, 0x0e401002, 100, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 7);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 2, &env);
    CHECK(strcmp(text, "bcs0 at 0x101000 waits for memory 0x200000 >= 0x64, which is 0x3, "
                       "after a signal\n") == 0);
    LOAD(0, 0x10000002, DATA_VA, 0, 100);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    LOAD(0, 0x0d818000, 0); /* to the video enhancement engine, which is not there */
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    LOAD(0, 0x0d810000, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load32(data + 8, GPUCMD_LITTLE_ENDIAN), 7);
    /* a signal allows one poll: a signal that arrived too early has no
     * effect */
    LOAD(1, 0x0e401002, 200, DATA_VA, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    LOAD(0, 0x0d810000, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    LOAD(0, 0x10000002, DATA_VA, 0, 200);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    LOAD(0, 0x0d810000, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_IDLE);
}

/* Target number of MI_SEMAPHORE_SIGNAL, and the engine that it wakes; no other. [GX] */
static void signal_targets(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t target;
        gpucmd_i915_engine engine;
        uint32_t instance;
    } rows[] = {
        {GPUCMD_I915_GEN8,    0,  GPUCMD_I915_RCS,  0},
        {GPUCMD_I915_GEN8,    1,  GPUCMD_I915_VCS,  0},
        {GPUCMD_I915_GEN8,    2,  GPUCMD_I915_BCS,  0},
        {GPUCMD_I915_GEN8,    3,  GPUCMD_I915_VECS, 0},
        {GPUCMD_I915_GEN8,    4,  GPUCMD_I915_VCS,  1},
        {GPUCMD_I915_GEN11,   6,  GPUCMD_I915_VCS,  2},
        {GPUCMD_I915_GEN11,   7,  GPUCMD_I915_VCS,  3},
        {GPUCMD_I915_GEN11,   12, GPUCMD_I915_VECS, 1},
        {GPUCMD_I915_GEN12_5, 8,  GPUCMD_I915_VCS,  4},
        {GPUCMD_I915_GEN12_5, 9,  GPUCMD_I915_VCS,  5},
        {GPUCMD_I915_GEN12_5, 10, GPUCMD_I915_VCS,  6},
        {GPUCMD_I915_GEN12_5, 11, GPUCMD_I915_VCS,  7},
        {GPUCMD_I915_GEN12_5, 13, GPUCMD_I915_VECS, 2},
        {GPUCMD_I915_GEN12_5, 14, GPUCMD_I915_VECS, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t target = 0; target < (rows[i].gen < GPUCMD_I915_GEN11 ? 8u : 16u); target++) {
            const uint32_t wait[] = {0x0e001002, 1, DATA_VA, 0};
            const uint32_t open[] = {0x10000002, DATA_VA, 0, 1, 0x0d800000 | target << 15, 0};
            start(rows[i].gen, 2);
            EQUAL(gpucmd_i915_cs_init(&cs[1], rows[i].gen, rows[i].engine, rows[i].instance),
                  GPUCMD_OK);
            load(1, wait, 4);
            EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
            load(0, open, 6);
            EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report),
                  target == rows[i].target ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
        }
    }
}

/* Each engine waits for a value that the other would write next. */
static void deadlock(void)
{
    char text[512];
    gpucmd_text t;
    gpucmd_why why;
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0x0e009002, 1, DATA_VA, 0, 0x10000002, DATA_VA + 4, 0, 1);
    LOAD(1, 0x0e009002, 1, DATA_VA + 4, 0, 0x10000002, DATA_VA, 0, 1);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    CHECK(report.deadlock);
    EQUAL(report.blocked, 3);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 2, &env);
    CHECK(strcmp(text, "rcs0 at 0x100000 waits for memory 0x200000 >= 0x1, which is 0x0\n"
                       "bcs0 at 0x101000 waits for memory 0x200004 >= 0x1, which is 0x0\n") == 0);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 2, NULL);
    CHECK(strcmp(text, "rcs0 at 0x100000 waits for memory 0x200000 >= 0x1\n"
                       "bcs0 at 0x101000 waits for memory 0x200004 >= 0x1\n") == 0);
    gpucmd_i915_run_all_why(cs, 2, NULL, &report, &why);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_print_why(&t, &why);
    CHECK(strcmp(text, "DEADLOCK rcs0 at 0x100000: >= 0x1 at 0x200000: polls memory\n") == 0);
    EQUAL(why.va, DATA_VA);
    EQUAL(why.value, 1);
    /* a register mailbox */
    start(GPUCMD_I915_GEN6, 2);
    cs[0].reg[0x44 / 4] = 3;
    LOAD(0, 0x0b160001, 5, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 2, &env);
    CHECK(strcmp(text, "rcs0 at 0x100000 waits for register 0x2044 > 0x5, which is 0x3\n") == 0);
}

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    return e->kind == GPUCMD_EVENT_WAIT ? GPUCMD_BLOCKED : GPUCMD_OK;
}

/* A display event that does not happen: MI_WAIT_FOR_EVENT, and MI_WAIT_FOR_EVENT_2. */
static void events(void)
{
    static const uint32_t heads[] = {0x01900004, 0x02001104};
    static const char *const lines[] = {"rcs0 at 0x100000 waits for event 0x100004\n",
                                        "rcs0 at 0x100000 waits for event 0x1104\n"};
    for (int i = 0; i < 2; i++) {
        char text[128];
        gpucmd_text t;
        start(i == 0 ? GPUCMD_I915_GEN9 : GPUCMD_I915_GEN11, 1);
        gpucmd_env_init(&env, &mem, on_event, NULL);
        load(0, heads + i, 1);
        EQUAL(gpucmd_i915_run_all(cs, 1, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
        CHECK(report.deadlock);
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_i915_print_waits(&t, cs, 1, &env);
        CHECK(strcmp(text, lines[i]) == 0);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        EQUAL(gpucmd_i915_run_all(cs, 1, &env, 1000, &report), GPUCMD_RUN_IDLE);
    }
}

/* Numbers of one digit: a batch at address 0 waits until its own first word is 0. */
static void at_zero(void)
{
    char text[128];
    gpucmd_text t;
    const gpucmd_region low = {0, 4096, batches, GPUCMD_ACCESS_READ};
    start(GPUCMD_I915_GEN9, 1);
    LOAD(0, 0x0e00c002, 0, 0, 0);
    EQUAL(gpucmd_i915_cs_init(&cs[0], GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_init(&mem, &low, 1), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs[0], 0, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_run_all(cs, 1, &env, 1000, &report), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, cs, 1, &env);
    CHECK(strcmp(text, "rcs0 at 0x0 waits for memory 0x0 == 0x0, which is 0xe00c002\n") == 0);
}

/* An endless batch beside a waiting one is no deadlock; a fault beside one is a fault. */
static void others(void)
{
    gpucmd_why why;
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0x02800000, 0x18800101, BATCH(0), 0);
    LOAD(1, 0x0e009002, 1, DATA_VA, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_LIMIT);
    CHECK(!report.deadlock);
    EQUAL(report.blocked, 2);
    gpucmd_i915_run_all_why(cs, 2, &env, &report, &why); /* the second, which waits */
    EQUAL(why.kind, GPUCMD_WHY_WAIT);
    EQUAL(why.unit, GPUCMD_I915_BCS);
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0x80000000);
    LOAD(1, 0x0e009002, 1, DATA_VA, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 1000, &report), GPUCMD_RUN_FAULT);
    EQUAL(report.faulted, 1);
    EQUAL(report.blocked, 2);
    CHECK(!report.deadlock);
    gpucmd_i915_run_all_why(cs, 2, &env, &report, &why); /* the first, which failed */
    EQUAL(why.kind, GPUCMD_WHY_ERROR);
    EQUAL(why.bits, 0x80000000);
    EQUAL(why.unit, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_run_all(cs, 0, &env, 1000, &report), GPUCMD_RUN_IDLE);
}

/* The budget counts executed commands. With exactly enough the engines are
 * idle, with one less they are not. Each batch has one command and its end. */
static void budgets(void)
{
    for (uint64_t budget = 0; budget < 8; budget++) {
        start(GPUCMD_I915_GEN9, 2);
        LOAD(0, 0x10000002, DATA_VA, 0, 1);
        LOAD(1, 0x10000002, DATA_VA + 4, 0, 2, 0x10000002, DATA_VA + 8, 0, 3);
        EQUAL(gpucmd_i915_run_all(cs, 2, &env, budget, &report),
              budget < 5 ? GPUCMD_RUN_LIMIT : GPUCMD_RUN_IDLE);
        EQUAL(report.idle, budget < 2 ? 0 : budget < 5 ? 1 : 3);
        EQUAL(report.commands, budget < 5 ? budget : 5);
        CHECK(!report.deadlock && report.blocked == 0);
    }
    /* a fault with the last command; who waits is not a deadlock before it has looked again */
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0x10000002, DATA_VA, 0, 1, 0x80000000);
    LOAD(1, 0x02800000);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 3, &report), GPUCMD_RUN_FAULT);
    EQUAL(report.faulted, 1);
    EQUAL(report.idle, 2);
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0x0e009002, 1, DATA_VA, 0);
    LOAD(1, 0x10000002, DATA_VA, 0, 1);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 2, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.blocked, 1);
    CHECK(!report.deadlock);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 2, &report), GPUCMD_RUN_IDLE);
    EQUAL(report.commands, 2);
    /* without work no budget is needed */
    start(GPUCMD_I915_GEN9, 2);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 0, &report), GPUCMD_RUN_IDLE);
    EQUAL(report.idle, 3);
}

/* Engines take turns of 16 units. Who waits uses the units of its commands. */
static void turns(void)
{
    for (uint64_t budget = 0; budget < 70; budget++) {
        const uint64_t turn = budget / 16, rest = budget % 16;
        start(GPUCMD_I915_GEN9, 2);
        for (size_t i = 0; i < 2; i++) {
            EQUAL(gpucmd_i915_cs_batch(&cs[i], BATCH((uint32_t)i), true), GPUCMD_OK);
        }
        EQUAL(gpucmd_i915_run_all(cs, 2, &env, budget, &report), GPUCMD_RUN_LIMIT);
        EQUAL(cs[0].commands, (turn + 1) / 2 * 16 + (turn % 2 == 0 ? rest : 0));
        EQUAL(cs[1].commands, turn / 2 * 16 + (turn % 2 == 1 ? rest : 0));
    }
    start(GPUCMD_I915_GEN9, 2);
    LOAD(0, 0, 0, 0, 0, 0);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 9, &report), GPUCMD_RUN_IDLE);
    LOAD(0, 0, 0, 0, 0, 0, 0x0e009002, 1, DATA_VA, 0);
    memset(batches + 4096, 0, 4096);
    EQUAL(gpucmd_i915_cs_batch(&cs[1], BATCH(1), true), GPUCMD_OK);
    EQUAL(gpucmd_i915_run_all(cs, 2, &env, 30, &report), GPUCMD_RUN_LIMIT);
    EQUAL(report.blocked, 1);
    EQUAL(cs[0].commands, 6 + 5);
    EQUAL(cs[1].commands, 25);
}

/* The masks of a report have a bit for each of 32 engines; further engines do not run. */
static void many(void)
{
    static gpucmd_i915_cs engines[33];
    gpucmd_why why;
    for (uint32_t count = 31; count <= 33; count++) {
        start(GPUCMD_I915_GEN9, 2);
        for (uint32_t i = 0; i < count; i++) {
            EQUAL(gpucmd_i915_cs_init(&engines[i], GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0),
                  GPUCMD_OK);
        }
        EQUAL(gpucmd_i915_run_all(engines, count, &env, 100, &report), GPUCMD_RUN_IDLE);
        EQUAL(report.idle, count == 31 ? 0x7fffffff : 0xffffffff);
        EQUAL(report.blocked, 0);
        EQUAL(report.faulted, 0);
        LOAD(0, 0x00000000, 0x00000000);
        engines[count - 1] = cs[0];
        EQUAL(gpucmd_i915_run_all(engines, count, &env, 100, &report), GPUCMD_RUN_IDLE);
        EQUAL(report.commands, count < 33 ? 3 : 0);
        LOAD(1, 0x0e009002, 1, DATA_VA, 0); /* waits for ever */
        engines[count - 1] = cs[1];
        EQUAL(gpucmd_i915_run_all(engines, count, &env, 100, &report),
              count < 33 ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_IDLE);
        EQUAL(report.blocked, count < 33 ? 1u << (count - 1) : 0);
        EQUAL(report.deadlock, count < 33);
        gpucmd_i915_run_all_why(engines, count, &env, &report, &why);
        EQUAL(why.kind, count < 33 ? GPUCMD_WHY_DEADLOCK : GPUCMD_WHY_IDLE);
        EQUAL(why.unit, (uint32_t)engines[count < 33 ? count - 1 : 0].cmdset.engine);
    }
    /* a report of other engines: the last one answers */
    memset(&report, 0, sizeof report);
    report.blocked = 1u << 31;
    engines[2] = cs[0];
    EQUAL(gpucmd_i915_cs_init(&engines[1], GPUCMD_I915_GEN9, GPUCMD_I915_VCS, 0), GPUCMD_OK);
    gpucmd_i915_run_all_why(engines, 2, &env, &report, &why);
    EQUAL(why.unit, GPUCMD_I915_VCS);
}

static gpucmd_status no_event(void *user, const gpucmd_event *e)
{
    (void)user;
    CHECK(e->kind != GPUCMD_EVENT_COMMAND);
    return GPUCMD_OK;
}

/* Commands without an effect, in single steps: no register changes, no command for the callback. */
static void no_effects(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t head, len_dw;
        uint32_t bits; /* of the operands in the first word */
    } rows[] = {
        {GPUCMD_I915_GEN7,   0x02000000, 1, 0x7fffff}, /* MI_FLUSH */
        {GPUCMD_I915_GEN9,   0x02800000, 1, 0x7fffff}, /* MI_ARB_CHECK */
        {GPUCMD_I915_GEN7_5, 0x03000000, 1, 0x7fffff}, /* MI_RS_CONTROL */
        {GPUCMD_I915_GEN9,   0x04000000, 1, 0x7fffff}, /* MI_ARB_ON_OFF */
        {GPUCMD_I915_GEN7_5, 0x04800000, 1, 0x7fffff}, /* MI_URB_ATOMIC_ALLOC */
        {GPUCMD_I915_GEN20,  0x04800000, 1, 0x7fffff}, /* MI_MEM_FENCE */
        {GPUCMD_I915_GEN7,   0x05800000, 1, 0x7fffff}, /* MI_SUSPEND_FLUSH */
        {GPUCMD_I915_GEN7_5, 0x07800000, 1, 0x7fffff}, /* MI_RS_CONTEXT */
        {GPUCMD_I915_GEN7,   0x0c800000, 2, 0x7fff00}, /* MI_URB_CLEAR */
        {GPUCMD_I915_GEN9,   0x13800001, 3, 0x7ffc00}, /* MI_CLFLUSH */
    };
    for (size_t i = 0; i < 24 * sizeof rows / sizeof rows[0]; i++) {
        const uint32_t bits = i % 24 < 23 ? 1u << i % 24 : 0x7fffff;
        const uint32_t n = rows[i / 24].len_dw;
        uint32_t words[6] = {rows[i / 24].head | (bits & rows[i / 24].bits), 0, 0};
        words[n] = 0x11000001;
        words[n + 1] = 0x2400;
        words[n + 2] = 7;
        start(rows[i / 24].gen, 1);
        load(0, words, n + 3);
        gpucmd_env_init(&env, &mem, no_event, NULL);
        gpucmd_i915_cs want = cs[0];
        want.reg[0x400 / 4] = 7;         /* the next command is executed */
        want.reg[0x68 / 4] = 0x05000000; /* IPEHR: the last command */
        for (int step = 0; step < 20; step++) {
            (void)!gpucmd_i915_cs_step(&cs[0], &env);
        }
        EQUAL(cs[0].commands, 3);
        EQUAL(cs[0].interrupts, 0);
        if (!CHECK(memcmp(cs[0].reg, want.reg, sizeof want.reg) == 0)) {
            printf("    word %08x\n", (unsigned)words[0]);
        }
    }
}

int main(void)
{
    many();
    mailboxes();
    polling();
    signals();
    signal_targets();
    deadlock();
    events();
    at_zero();
    others();
    budgets();
    no_effects();
    turns();
    return test_report("i915_engines");
}

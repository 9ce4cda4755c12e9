/* i915/stops.c - commands that stop an engine: operands without a meaning, memory that is not there
 * or read-only, callbacks that fail; and commands whose words lie in two regions. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

enum { B = 0x100000, D = 0x200000, SHORT = 0x300000, NONE = 0x400000 };

static uint8_t batch[256], data[256], half[8];
static gpucmd_region regions[4];
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;
static unsigned events;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    events++;
    (void)e;
    return *(const gpucmd_status *)user;
}

static gpucmd_region region(uint64_t va, uint8_t *host, uint64_t bytes, uint32_t access_mask)
{
    const gpucmd_region r = {va, bytes, host, access_mask};
    return r;
}

/* The batch is in two regions, of which the first has split words. */
static void start(int gen, unsigned engine, const uint32_t *words, size_t n, uint32_t split)
{
    const uint32_t both = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    memset(batch, 0, sizeof batch);
    memset(data, 0, sizeof data);
    memset(half, 0, sizeof half);
    gpucmd_store_words(batch, words, n, GPUCMD_LITTLE_ENDIAN);
    regions[0] = region(B, batch, 4 * split, GPUCMD_ACCESS_READ);
    regions[1] =
        region(B + 4 * split, batch + 4 * split, sizeof batch - 4 * split, GPUCMD_ACCESS_READ);
    regions[2] = region(D, data, sizeof data, both);
    regions[3] = region(SHORT, half, sizeof half, both);
    EQUAL(gpucmd_mem_init(&mem, regions, 4), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, B, true), GPUCMD_OK);
    events = 0;
}

/* clang-format off */
static const struct {
    int gen;
    unsigned engine, error;
    int fault;
    uint32_t words[16];
} rows[] = {
#define ERROR(name) GPUCMD_I915_ERROR_##name
    /* MI_ATOMIC: 4 bytes, 8 bytes, 16 bytes of which the second half is missing, a read-only one */
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x17840709, NONE, 0, 1}},
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x178c2709, NONE, 0, 1}},
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x17944e09, NONE, 0, 1}},
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x17944e09, SHORT, 0, 1}},
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x17944e09, B + 0x40, 0, 0}},
    {80,  GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x17840709, B + 0x40, 0, 1}},
    /* MI_CONDITIONAL_BATCH_BUFFER_END: comparisons 6 and 7 */
    {120, GPUCMD_I915_RCS, ERROR(OPERAND), GPUCMD_INVALID, {0x1b206002, 0, D, 0}},
    {120, GPUCMD_I915_RCS, ERROR(OPERAND), GPUCMD_INVALID, {0x1b207002, 0, D, 0}},
    {120, GPUCMD_I915_RCS, ERROR(MEMORY),  GPUCMD_FAULT,   {0x1b205002, 0, NONE, 0}},
    /* MI_MATH: LOAD to a general register, STORE to SRCA, LOAD of no source */
    {75,  GPUCMD_I915_RCS, ERROR(OPERAND), GPUCMD_INVALID, {0x0d000000, 0x08000000}},
    {75,  GPUCMD_I915_RCS, ERROR(OPERAND), GPUCMD_INVALID, {0x0d000000, 0x18008031}},
    {75,  GPUCMD_I915_RCS, ERROR(OPERAND), GPUCMD_INVALID, {0x0d000000, 0x0800803f}},
    /* pixel sizes without a meaning */
    {90,  GPUCMD_I915_BCS, ERROR(OPERAND), GPUCMD_INVALID, {0x50800008, 0x02000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
    {90,  GPUCMD_I915_BCS, ERROR(OPERAND), GPUCMD_INVALID, {0x50800008, 0x06000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
    {90,  GPUCMD_I915_BCS, ERROR(OPERAND), GPUCMD_INVALID, {0x50800008, 0x07000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
    {120, GPUCMD_I915_BCS, ERROR(OPERAND), GPUCMD_INVALID, {0x51300009, 0x0000000f, 0, 0x00010001, D, 0}},
    {120, GPUCMD_I915_BCS, ERROR(OPERAND), GPUCMD_INVALID, {0x51380009, 0x0000000f, 0, 0x00010001, D, 0}},
#undef ERROR
};
/* clang-format on */

static void stops(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].gen, rows[i].engine, rows[i].words, 16, 20);
        if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT) ||
            !EQUAL(cs.error, rows[i].error) || !EQUAL(cs.fault, rows[i].fault)) {
            printf("    row %u\n", (unsigned)i);
        }
        EQUAL(cs.state, GPUCMD_I915_RS5);
        EQUAL(gpucmd_i915_cs_batch(&cs, B, true), GPUCMD_ORDER);
        EQUAL(gpucmd_load64(half, GPUCMD_LITTLE_ENDIAN), 0);
    }
}

/* Commands for the callback; MI_LOAD_REGISTER_IMM with disabled bytes reads a register first. */
static void callbacks(void)
{
    static const struct {
        int gen;
        unsigned engine;
        unsigned events; /* if the callback succeeds */
        uint32_t words[16];
    } calls[] = {
        {90, GPUCMD_I915_RCS, 2, {0x11000101, 0x4000, 0x55}                                },
        {90, GPUCMD_I915_BCS, 1, {0x50b00008, 0x03000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
        {90, GPUCMD_I915_BCS, 1, {0x50806008, 0x03000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
        {90, GPUCMD_I915_BCS, 1, {0x50800008, 0x43000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
        {90, GPUCMD_I915_BCS, 1, {0x50800008, 0x83000010, 0, 0x00010001, D, 0, 0, 16, D, 0}},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        gpucmd_status answer = GPUCMD_FAULT;
        uint32_t words[17];
        memcpy(words, calls[i].words, 64);
        words[calls[i].engine == GPUCMD_I915_RCS ? 3 : 10] = 0x05000000;
        start(calls[i].gen, calls[i].engine, words, 16, 20);
        env.event = on_event;
        env.user = &answer;
        if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT)) {
            printf("    call %u\n", (unsigned)i);
        }
        EQUAL(cs.error, GPUCMD_I915_ERROR_CALLBACK);
        EQUAL(cs.fault, GPUCMD_FAULT);
        EQUAL(events, 1);
        answer = GPUCMD_OK;
        start(calls[i].gen, calls[i].engine, words, 16, 20);
        env.event = on_event;
        env.user = &answer;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(events, calls[i].events);
    }
}

/* A batch of one word before memory that is not there: the step in state `before` fails. */
static void no_batch(void)
{
    static const struct {
        uint32_t va, word;
        gpucmd_i915_state before;
    } ends[] = {
        {NONE,      0,          GPUCMD_I915_BS0}, /* no word */
        {SHORT + 4, 0,          GPUCMD_I915_BS3}, /* MI_NOOP, then no word */
        {SHORT + 4, 0x10000002, GPUCMD_I915_BS1}, /* words 1 to 3 of MI_STORE_DATA_IMM */
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        for (int steps = 0; steps < 2; steps++) {
            gpucmd_i915_state before = GPUCMD_I915_RS0;
            start(90, GPUCMD_I915_RCS, &ends[i].word, 1, 20);
            gpucmd_store32(half + 4, ends[i].word, GPUCMD_LITTLE_ENDIAN);
            EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_batch(&cs, ends[i].va, true), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_batch(&cs, ends[i].va, true), GPUCMD_ORDER);
            for (int n = 0; steps != 0 && n < 20 && cs.state != GPUCMD_I915_RS5; n++) {
                before = cs.state;
                EQUAL(gpucmd_i915_cs_step(&cs, &env),
                      before == ends[i].before ? GPUCMD_RUN_FAULT : GPUCMD_RUN_DONE);
            }
            EQUAL(before, steps != 0 ? ends[i].before : GPUCMD_I915_RS0);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), GPUCMD_RUN_FAULT);
            EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
            EQUAL(cs.fault_va, i == 0 ? NONE : SHORT + 8);
        }
    }
}

/* MI_BATCH_BUFFER_START is executed if the 4 bytes of the first word can be read. */
static void short_batches(void)
{
    static const uint32_t words[] = {0x18800101, SHORT + 4, 0, 0};
    for (uint32_t n = 0; n < 5; n++) {
        start(90, GPUCMD_I915_RCS, words, 4, 20);
        gpucmd_store32(half + 4, 0x05000000, GPUCMD_LITTLE_ENDIAN);
        regions[3].bytes = 4 + n;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), n < 4 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(cs.error, n < 4 ? GPUCMD_I915_ERROR_FETCH : GPUCMD_I915_ERROR_NONE);
        EQUAL(cs.fault_va, n < 4 ? SHORT + 4 + n : 0);
        EQUAL(cs.commands, n < 4 ? 0 : 2);
    }
    /* its first word is in two regions, and no byte after it is readable */
    start(90, GPUCMD_I915_RCS, words, 4, 20);
    gpucmd_store32(half + 4, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    regions[2] = region(SHORT, half, 6, GPUCMD_ACCESS_READ);
    regions[3] = region(SHORT + 6, half + 6, 2, GPUCMD_ACCESS_READ);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), GPUCMD_RUN_IDLE);
    EQUAL(cs.commands, 2);
    static const uint32_t noops[4] = {0};
    for (uint32_t n = 0; n < 16; n++) {
        start(90, GPUCMD_I915_RCS, noops, 4, 4);
        regions[0].bytes = n;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), GPUCMD_RUN_FAULT);
        EQUAL(cs.commands, n / 4);
    }
    /* nothing of MI_LOAD_REGISTER_IMM is executed before all its 12 bytes can be read */
    static const uint32_t load[] = {0x11000001, 0x2600, 0x44332211, 0x05000000};
    for (uint32_t n = 0; n < 13; n++) {
        start(90, GPUCMD_I915_RCS, load, 4, 3);
        regions[0].bytes = n;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), n < 12 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(cs.error, n < 12 ? GPUCMD_I915_ERROR_FETCH : GPUCMD_I915_ERROR_NONE);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), n < 12 ? 0 : 0x44332211);
    }
}

/* The words of each command in two regions, at each place: the batch does the same. */
static void split_commands(void)
{
    static const uint32_t words[] = {
        0x11000003, 0x2600,     0x77,       0x2608,     0x11, /* LOAD_REGISTER_IMM */
        0x10200003, D,          0,          7,          8,    /* STORE_DATA_IMM */
        0x17840709, D,          0,          0x100,      0,          0,
        0,          0,          0,          0,          0,             /* ATOMIC: addition */
        0x0d000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831,    /* MATH: R2 = R0 + R1 */
        0x12000002, 0x2610,     D + 16,     0,                         /* STORE_REGISTER_MEM */
        0x14800002, 0x2618,     D + 16,     0,                         /* LOAD_REGISTER_MEM */
        0x15000001, 0x2618,     0x2620,                                /* LOAD_REGISTER_REG */
        0x12000002, 0x2620,     D + 20,     0,                         /* STORE_REGISTER_MEM */
        0x17000003, D + 24,     0,          D + 4,      0,             /* COPY_MEM_MEM */
        0x7a000004, 0x4000,     D + 32,     0,          5,          6, /* PIPE_CONTROL: store */
        0x05000000};
    const uint32_t n = sizeof words / 4;
    for (uint32_t split = 1; split < n; split++) {
        for (uint64_t budget = 1; budget < 1000; budget += 998) {
            gpucmd_run got = GPUCMD_RUN_LIMIT;
            start(90, GPUCMD_I915_RCS, words, n, split);
            for (int i = 0; i < 200 && got == GPUCMD_RUN_LIMIT; i++) {
                got = gpucmd_i915_cs_run(&cs, &env, budget);
            }
            EQUAL(got, GPUCMD_RUN_IDLE);
            EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 0x107);
            EQUAL(gpucmd_load32(data + 4, GPUCMD_LITTLE_ENDIAN), 8);
            EQUAL(gpucmd_load32(data + 16, GPUCMD_LITTLE_ENDIAN), 0x88);
            EQUAL(gpucmd_load32(data + 20, GPUCMD_LITTLE_ENDIAN), 0x88);
            EQUAL(gpucmd_load32(data + 24, GPUCMD_LITTLE_ENDIAN), 8);
            if (!EQUAL(gpucmd_load64(data + 32, GPUCMD_LITTLE_ENDIAN), 0x600000005)) {
                printf("    split at word %u, budget %u\n", (unsigned)split, (unsigned)budget);
            }
        }
    }
}

/* A list of regions for fewer objects than are bound has the lowest addresses. */
static void short_lists(void)
{
    static struct gpucmd_drm_i915_gem_exec_object2 list[5];
    static gpucmd_i915_object objects[5];
    static uint8_t bytes[5][16];
    static const uint32_t order[5] = {3, 0, 4, 1, 2};
    static gpucmd_i915_kernel k;
    gpucmd_i915_kernel_init(&k, GPUCMD_I915_GEN9, NULL);
    for (uint32_t i = 0; i < 5; i++) {
        list[i].handle = 1 + i;
        objects[i].handle = 1 + i;
        objects[i].bytes = 16;
        objects[i].host = bytes[i];
        objects[i].va = 0x1000 * (1 + (uint64_t)order[i]);
        objects[i].bound = true;
    }
    k.objects = objects;
    k.object_count = 5;
    k.list = list;
    k.list_count = 5;
    k.list_cap = 5;
    for (size_t cap = 0; cap < 7; cap++) {
        gpucmd_region got[7];
        memset(got, 0, sizeof got);
        EQUAL(gpucmd_i915_kernel_list_regions(&k, got, cap), 5);
        for (size_t i = 0; i < 7; i++) {
            if (!EQUAL(got[i].va, i < cap && i < 5 ? 0x1000 * (1 + i) : 0)) {
                printf("    cap %u, region %u\n", (unsigned)cap, (unsigned)i);
            }
        }
        for (uint32_t i = 0; i < 5; i++) {
            CHECK(order[i] >= cap || got[order[i]].host == bytes[i]);
        }
    }
}

int main(void)
{
    stops();
    callbacks();
    no_batch();
    short_batches();
    split_commands();
    short_lists();
    return test_report("i915_stops");
}

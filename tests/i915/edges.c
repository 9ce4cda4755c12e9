/* Cases just at the edge of a condition, where tests of a rule have only its two sides: what the
 * executor traces, why it stops, numbers of registers, jumps of the checker, the queue of the model
 * kernel, and the space of a ring. */
#include "gpucmd_i915.h"
#include "test.h"

enum { B = 0x100000, D = 0x200000 };

static uint8_t batch[4096], data[4096];
static const gpucmd_region regions[] = {
    {B, sizeof batch, batch, GPUCMD_ACCESS_READ                      },
    {D, sizeof data,  data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;

/* ---- the executor ---- */

static gpucmd_event events[100];
static size_t event_count;

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    CHECK(user == &events && event_count < 100);
    events[event_count++] = *e;
    return GPUCMD_FAULT; /* is ignored */
}

static gpucmd_status answer;
static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    (void)e;
    return answer;
}

static void start(gpucmd_i915_gen gen, gpucmd_i915_engine engine, const uint32_t *words, size_t n)
{
    memset(batch, 0, sizeof batch);
    memset(data, 0, sizeof data);
    gpucmd_store_words(batch, words, n, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, B, true), GPUCMD_OK);
}

/* What the trace is told, without the changes of state, which follow. */
static void trace(void)
{
    static const uint32_t words[] = {0x11000001, 0x2600, 0x77,            /* +00 */
                                     0x10000002, D,      0,      0x55,    /* +0c */
                                     0x10200003, D + 8,  0,      1,    2, /* +1c */
                                     0x14800002, 0x2604, D,      0,       /* +30 */
                                     0x12000002, 0x2600, D + 16, 0,       /* +40 */
                                     0x01000000,                          /* +50 */
                                     0x0e009002, 1,      D + 32, 0,       /* +54 */
                                     0x12000002, 0x4004, D + 20, 0,       /* +64 */
                                     0x11000001, 0x4000, 9,               /* +74 */
                                     0x80000000};                         /* +80 */
    static const struct {
        gpucmd_event_kind kind;
        uint32_t addr, code;
        uint64_t va, value;
        uint32_t count_dw;
    } want[] = {
        {GPUCMD_EVENT_FETCH,     0,      0x22, B,        0x11000001,  0},
        {GPUCMD_EVENT_REG_WRITE, 0x2600, 0,    B,        0x77,        0},
        {GPUCMD_EVENT_FETCH,     0,      0x20, B + 0x0c, 0x10000002,  0},
        {GPUCMD_EVENT_MEM_WRITE, 0,      0,    D,        0x55,        1},
        {GPUCMD_EVENT_FETCH,     0,      0x20, B + 0x1c, 0x10200003,  0},
        {GPUCMD_EVENT_MEM_WRITE, 0,      0,    D + 8,    0x200000001, 2},
        {GPUCMD_EVENT_FETCH,     0,      0x29, B + 0x30, 0x14800002,  0},
        {GPUCMD_EVENT_MEM_READ,  0,      0,    D,        0x55,        1},
        {GPUCMD_EVENT_REG_WRITE, 0x2604, 0,    B + 0x30, 0x55,        0},
        {GPUCMD_EVENT_FETCH,     0,      0x24, B + 0x40, 0x12000002,  0},
        {GPUCMD_EVENT_REG_READ,  0x2600, 0,    B + 0x40, 0x77,        0},
        {GPUCMD_EVENT_MEM_WRITE, 0,      0,    D + 16,   0x77,        1},
        {GPUCMD_EVENT_FETCH,     0,      0x02, B + 0x50, 0x01000000,  0},
        {GPUCMD_EVENT_INTERRUPT, 0,      0,    B + 0x50, 1,           0},
        {GPUCMD_EVENT_FETCH,     0,      0x1c, B + 0x54, 0x0e009002,  0},
        {GPUCMD_EVENT_MEM_READ,  0,      0,    D + 32,   0,           1},
        {GPUCMD_EVENT_WAIT,      0,      1,    D + 32,   1,           0},
        {GPUCMD_EVENT_MEM_READ,  0,      0,    D + 32,   0,           1},
        {GPUCMD_EVENT_MEM_READ,  0,      0,    D + 32,   2,           1},
        {GPUCMD_EVENT_WAKE,      0,      1,    D + 32,   2,           0},
        {GPUCMD_EVENT_FETCH,     0,      0x24, B + 0x64, 0x12000002,  0},
        {GPUCMD_EVENT_REG_READ,  0x4004, 0,    B + 0x64, 0,           0}, /* of no engine */
        {GPUCMD_EVENT_MEM_WRITE, 0,      0,    D + 20,   0,           1},
        {GPUCMD_EVENT_FETCH,     0,      0x22, B + 0x74, 0x11000001,  0},
        {GPUCMD_EVENT_REG_WRITE, 0x4000, 0,    B + 0x74, 9,           0},
        {GPUCMD_EVENT_ERROR,     0,      0,    B + 0x80, 0x80000000,  0},
    };
    size_t i, n = 0;
    uint64_t state = GPUCMD_I915_RS0;
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, sizeof words / 4);
    state = cs.state;
    event_count = 0;
    env.trace = on_trace;
    env.trace_user = events;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
    gpucmd_store32(data + 32, 2, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    for (i = 0; i < event_count; i++) {
        const gpucmd_event *e = &events[i];
        EQUAL(e->unit, GPUCMD_I915_RCS);
        if (e->kind == GPUCMD_EVENT_STATE) {
            EQUAL(e->value, state);
            EQUAL(e->addr, 0);
            EQUAL(e->count_dw, 0);
            CHECK(e->data == NULL && e->out_dw == NULL);
            state = e->code;
            continue;
        }
        if (n < sizeof want / sizeof want[0]) {
            EQUAL(e->kind, want[n].kind);
            EQUAL(e->addr, want[n].addr);
            EQUAL(e->code, e->kind == GPUCMD_EVENT_FETCH
                               ? (uint32_t)gpucmd_i915_classify(&cs.cmdset, (uint32_t)e->value)
                           : e->kind == GPUCMD_EVENT_ERROR ? (uint32_t)GPUCMD_I915_ERROR_UNKNOWN
                                                           : want[n].code);
            EQUAL(e->va, want[n].va);
            EQUAL(e->value, want[n].value);
            EQUAL(e->count_dw, want[n].count_dw);
        }
        n++;
    }
    EQUAL(n, sizeof want / sizeof want[0]);
    EQUAL(state, GPUCMD_I915_RS5);
}

/* A callback that blocks: why says so, until it does not. */
static void blocked_callback(void)
{
    static const uint32_t words[] = {0x78080003, 1, 2, 3, 4, 0x05000000};
    gpucmd_why why;
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS, words, 6);
    env.event = on_event;
    answer = GPUCMD_BLOCKED;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
    memset(&why, 0xff, sizeof why);
    gpucmd_i915_cs_why(&cs, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_CALLBACK);
    EQUAL(why.status, GPUCMD_BLOCKED);
    CHECK(strcmp(why.name, gpucmd_status_name(GPUCMD_BLOCKED)) == 0);
    EQUAL(why.unit, GPUCMD_I915_RCS);
    EQUAL(why.at_va, B);
    answer = GPUCMD_OK;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    gpucmd_i915_cs_why(&cs, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_IDLE);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS, words, 6);
    env.event = on_event;
    answer = GPUCMD_UNSUPPORTED;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    gpucmd_i915_cs_why(&cs, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_CALLBACK);
    EQUAL(why.status, GPUCMD_UNSUPPORTED);
    CHECK(strcmp(why.name, gpucmd_status_name(GPUCMD_UNSUPPORTED)) == 0);
}

/* The batch of MI_BATCH_BUFFER has all rights, after another without them, too. */
static void rights(void)
{
    static const uint32_t words[] = {0x18000001, B + 0x40, B + 0x48, 0};
    static uint8_t ring[4096];
    static const gpucmd_region with_ring[] = {
        {B,        sizeof batch, batch, GPUCMD_ACCESS_READ},
        {0x300000, sizeof ring,  ring,  GPUCMD_ACCESS_READ},
    };
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, 0);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1), GPUCMD_RUN_LIMIT);
    gpucmd_i915_cs_reset(&cs, 0);
    EQUAL(gpucmd_i915_cs_batch(&cs, B + 0x80, false), GPUCMD_OK);
    gpucmd_store32(batch + 0x80, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    CHECK(!cs.levels[1].secure);
    gpucmd_store_words(ring, words, 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, with_ring, 2), GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, 0x2038, 0x300000);
    gpucmd_i915_cs_write(&cs, 0x203c, 1);
    gpucmd_i915_cs_write(&cs, 0x2030, 16);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.head, 16);
    CHECK(cs.levels[1].secure);
    /* a batch that no command of the ring has started leaves HEAD as it is */
    EQUAL(gpucmd_i915_cs_batch(&cs, B + 0x80, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.head, 16);
}

/* Bits of MI_BATCH_BUFFER_START that take rights from a batch, by generation; a batch without rights
 * does not write HWSTAM. [K] [PRM5] [PRM7] */
static void started_rights(void)
{
    static const struct {
        int gen;
        gpucmd_i915_engine engine;
        uint32_t start, reg;
        bool writes;
    } rows[] = {
        {30,  GPUCMD_I915_RCS, 0x18800080, 0x2098,  true },
        {40,  GPUCMD_I915_RCS, 0x18800080, 0x2098,  true },
        {40,  GPUCMD_I915_RCS, 0x18800180, 0x2098,  true }, /* [OUR] */
        {45,  GPUCMD_I915_RCS, 0x18800180, 0x2098,  true },
        {50,  GPUCMD_I915_RCS, 0x18800180, 0x2098,  true },
        {60,  GPUCMD_I915_RCS, 0x18800000, 0x2098,  true },
        {60,  GPUCMD_I915_RCS, 0x18800100, 0x2098,  false},
        {70,  GPUCMD_I915_RCS, 0x18800000, 0x2098,  true },
        {70,  GPUCMD_I915_RCS, 0x18800100, 0x2098,  false},
        {75,  GPUCMD_I915_RCS, 0x18800100, 0x2098,  true },
        {75,  GPUCMD_I915_RCS, 0x18802000, 0x2098,  false},
        {75,  GPUCMD_I915_RCS, 0x18802100, 0x2098,  false},
        {75,  GPUCMD_I915_BCS, 0x18800000, 0x22098, true },
        {75,  GPUCMD_I915_BCS, 0x18800100, 0x22098, false},
        {75,  GPUCMD_I915_BCS, 0x18802000, 0x22098, false},
        {80,  GPUCMD_I915_BCS, 0x18800001, 0x22098, true },
        {80,  GPUCMD_I915_BCS, 0x18800101, 0x22098, false},
        {120, GPUCMD_I915_BCS, 0x18800001, 0x22098, true },
        {120, GPUCMD_I915_BCS, 0x18800101, 0x22098, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t words[] = {rows[i].start, B + 0x40, 0}; /* a batch that starts the next */
        const uint32_t next[] = {0x11000001, rows[i].reg, 0x77, 0x05000000};
        start((gpucmd_i915_gen)rows[i].gen, rows[i].engine, words, 3);
        gpucmd_store_words(batch + 0x40, next, 4, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(gpucmd_i915_cs_read(&cs, rows[i].reg), rows[i].writes ? 0x77 : 0);
    }
}

/* A reset ends all work and keeps registers. */
static void reset(void)
{
    static const uint32_t list[] = {0x7f820000, 0x0001ffff, 0x05000000};
    uint32_t words[200] = {0x7f820000};
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, 200);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1), GPUCMD_RUN_LIMIT);
    CHECK(cs.scan_dw != 0);
    gpucmd_i915_cs_reset(&cs, 0);
    EQUAL(cs.scan_dw, 0);
    gpucmd_store_words(batch, list, 3, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs, B, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.commands, 2);
    cs.head = 0x00e00008;
    cs.acthd = 0x1234;
    cs.state = GPUCMD_I915_RS5;
    cs.error = GPUCMD_I915_ERROR_MEMORY;
    cs.fault = GPUCMD_FAULT;
    cs.fault_va = 5;
    cs.wait.active = true;
    cs.is_signalled = true;
    cs.skip = true;
    cs.level = 2;
    cs.cmd_dw = cs.ring_dw = 7;
    cs.pending = GPUCMD_I915_PENDING_DATA;
    cs.scan_dw = 9;
    cs.blt_row = 1;
    cs.blt_at = 2;
    cs.blt_used = 3;
    cs.ctl = 0x00000c01;
    cs.start = 0x300000;
    cs.tail = 0x20;
    cs.reg[4] = 0x77;
    gpucmd_i915_cs_reset(&cs, 0xffe00010);
    EQUAL(cs.head, 0x00e00010); /* the wraps stay */
    EQUAL(cs.acthd, 0x10);
    EQUAL(cs.state, GPUCMD_I915_RS0);
    EQUAL(cs.error, GPUCMD_I915_ERROR_NONE);
    EQUAL(cs.fault, GPUCMD_OK);
    EQUAL(cs.fault_va, 0);
    CHECK(!cs.wait.active && !cs.is_signalled && !cs.skip && cs.level == 0);
    CHECK(cs.cmd_dw == 0 && cs.ring_dw == 0);
    CHECK(cs.scan_dw == 0 && cs.blt_row == 0 && cs.blt_at == 0 && cs.blt_used == 0);
    EQUAL(cs.ctl, 1); /* does not wait */
    CHECK(cs.start == 0x300000 && cs.tail == 0x20 && cs.reg[4] == 0x77);
    EQUAL(cs.commands, 2);
}

/* The end of an index list is in either half of a word. A unit of budget searches 32 words. */
static void index_lists(void)
{
    static const uint32_t ends[] = {0x0001ffff, 0xffff0001, 0xffffffff};
    for (uint32_t n = 1; n < 100; n++) {
        uint32_t words[102] = {0x7f820000};
        words[n] = ends[n % 3];
        words[n + 1] = 0x05000000;
        start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, n + 2);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.commands, 2);
        EQUAL(cs.units, 2 + (n - 1) / 32);
        /* in a ring, perhaps with MI_NOOP after it */
        const uint32_t tail = (4 * n + 4 + 7) & ~7u;
        gpucmd_store32(batch + 4 * n + 4, 0, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN3, GPUCMD_I915_RCS, 0), GPUCMD_OK);
        gpucmd_i915_cs_write(&cs, 0x2038, B);
        gpucmd_i915_cs_write(&cs, 0x203c, 1);
        gpucmd_i915_cs_write(&cs, 0x2030, tail);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.commands, tail == 4 * n + 4 ? 1 : 2);
        EQUAL(cs.head, tail);
    }
}

/* A ring that is disabled executes nothing. */
static void disabled_ring(void)
{
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, NULL, 0);
    gpucmd_i915_cs_reset(&cs, 0);
    gpucmd_i915_cs_write(&cs, 0x2038, B);
    gpucmd_i915_cs_write(&cs, 0x2030, 8);
    EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.commands, 0);
    gpucmd_i915_cs_write(&cs, 0x203c, 1);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.commands, 2);
}

/* A ring at B with words, of which bytes up to TAIL. */
static void start_ring(gpucmd_i915_gen gen, const uint32_t *words, uint32_t tail_bytes)
{
    start(gen, GPUCMD_I915_RCS, words, tail_bytes / 4);
    gpucmd_i915_cs_reset(&cs, 0);
    gpucmd_i915_cs_write(&cs, 0x2038, B);
    gpucmd_i915_cs_write(&cs, 0x203c, 1);
    gpucmd_i915_cs_write(&cs, 0x2030, tail_bytes);
}

/* A command of a ring that waits: in state RS4 for memory, in RS3 for a callback. */
static void waiting_ring(void)
{
    static const struct {
        gpucmd_i915_state state;
        uint32_t words[6], tail_bytes;
    } rows[] = {
        {GPUCMD_I915_RS4, {0x0e001002, 1, D, 0},                16},
        {GPUCMD_I915_RS3, {0x78080003, 1, 2, 3, 4, 0x00000000}, 24},
    };
    answer = GPUCMD_BLOCKED;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start_ring(GPUCMD_I915_GEN8, rows[i].words, rows[i].tail_bytes);
        env.event = on_event;
        for (int again = 0; again < 3; again++) {
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 1), GPUCMD_RUN_BLOCKED);
            EQUAL(cs.state, rows[i].state);
            EQUAL(cs.commands, 0);
        }
    }
}

/* MI_LOAD_REGISTER_IMM writes the registers around the GPRs (0x2600 to 0x267f): on gen2, which has
 * not the command, none; in a batch without rights of gen9 and later the GPRs. */
static void loaded_registers(void)
{
    static const int gens[] = {20, 30, 70, 90, 110, 125, 200};
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        for (uint32_t reg = 0x1800; reg < 0x3000; reg += 4) {
            const uint32_t words[] = {0x11000001, reg, 0x5a, 0x05000000};
            const bool is_gpr = reg - 0x2600 < 0x80;
            start((gpucmd_i915_gen)gens[i], GPUCMD_I915_RCS, words, 4);
            EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)gens[i], GPUCMD_I915_RCS, 0),
                  GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_batch(&cs, B, false), GPUCMD_OK);
            CHECK(gpucmd_i915_cs_run(&cs, &env, 9) != GPUCMD_RUN_LIMIT);
            if (is_gpr) {
                EQUAL(gpucmd_i915_cs_read(&cs, reg), gens[i] >= 90 ? 0x5a : 0);
            }
        }
    }
    static const uint32_t words[] = {0x11000001, 0x2600, 0x5a, 0};
    for (int gen = 20; gen <= 30; gen += 10) {
        start_ring((gpucmd_i915_gen)gen, words, 16);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), gen == 20 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(cs.error, gen == 20 ? GPUCMD_I915_ERROR_UNKNOWN : GPUCMD_I915_ERROR_NONE);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), gen == 20 ? 0 : 0x5a);
    }
}

/* Each budget is spent exactly: two commands of four units, five of one, the end of the batch. */
static void exact_budgets(void)
{
    uint32_t words[2 * 33 + 6] = {0};
    for (uint32_t i = 0; i < 2; i++) {
        words[33 * i] = 0x1100001f;
        for (uint32_t k = 0; k < 16; k++) {
            words[33 * i + 1 + 2 * k] = 0x2600;
        }
    }
    words[71] = 0x05000000;
    for (uint64_t budget = 0; budget < 20; budget++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 72);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, budget),
              budget < 14 ? GPUCMD_RUN_LIMIT : GPUCMD_RUN_IDLE);
        EQUAL(cs.units, budget < 14 ? budget : 14);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 14), GPUCMD_RUN_IDLE);
        EQUAL(cs.units, 14);
        EQUAL(cs.commands, 8);
        EQUAL(cs.cmd_dw, 1);
    }
}

/* A ring at 0x1000 that starts a batch at 0x40, after some single steps. Most other words are
 * unknown commands, and an engine that has stopped stays so when they are others. */
static void low_addresses(void)
{
    static const uint32_t ring[] = {0, 0, 0x18800001, 0x40, 0, 0};
    static const uint32_t words[] = {0, 0x11000001, 0x2600, 0x5a, 0x05000000};
    static const uint32_t other[] = {0x11000001, 0x2604, 0x77};
    static uint8_t low[0x2000];
    static const gpucmd_region part = {0, sizeof low, low, GPUCMD_ACCESS_READ};
    for (int stops = 0; stops < 2; stops++) {
        for (int steps = 0; steps < 40; steps++) {
            start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, NULL, 0);
            gpucmd_i915_cs_reset(&cs, 0);
            memset(low, 0x80, sizeof low);
            gpucmd_store_words(low + 0x1000, ring, 6, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store_words(low + 0x40, words, stops != 0 ? 4 : 5, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store_words(low + 0xc0, other, 3, GPUCMD_LITTLE_ENDIAN);
            EQUAL(gpucmd_mem_init(&mem, &part, 1), GPUCMD_OK);
            gpucmd_i915_cs_write(&cs, 0x2038, 0x1000);
            gpucmd_i915_cs_write(&cs, 0x203c, 1);
            gpucmd_i915_cs_write(&cs, 0x2030, 24);
            for (int i = 0; i < steps; i++) {
                CHECK(gpucmd_i915_cs_step(&cs, &env) != GPUCMD_RUN_BLOCKED);
            }
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100),
                  stops != 0 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            EQUAL(cs.commands, stops != 0 ? 5 : 7);
            EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), 0x5a);
            EQUAL(gpucmd_i915_cs_read(&cs, 0x2604), 0);
            memset(low, 0, sizeof low);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100),
                  stops != 0 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            EQUAL(cs.commands, stops != 0 ? 5 : 7);
        }
    }
}

/* A batch that goes on in a second region and has no end there. It begins with a jump to its word
 * 16, and there is a write to TAIL. */
static void next_region(void)
{
    static const uint32_t jump[] = {0x18800001, B + 64, 0};
    static const uint32_t words[] = {0, 0x11000001, 0x2030, 0, 0, 0x11000001, 0x2600, 0x5a};
    for (uint32_t first = 72; first <= 1024; first += 952) {
        for (uint32_t second = 24; second <= 64; second += 40) {
            const gpucmd_region parts[] = {
                {B,         first,  batch,        GPUCMD_ACCESS_READ},
                {B + first, second, batch + 2048, GPUCMD_ACCESS_READ},
            };
            start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, jump, 3);
            gpucmd_store_words(batch + 2048, words, second == 24 ? 5 : 8, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store32(batch + 2048 + second, 0x05000000, GPUCMD_LITTLE_ENDIAN);
            EQUAL(gpucmd_mem_init(&mem, parts, 2), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_FAULT);
            EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
            EQUAL(cs.fault_va, B + first + second);
            EQUAL(cs.commands, 1 + (first - 64) / 4 + (second == 24 ? 4 : 12));
            EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), second == 24 ? 0 : 0x5a);
        }
    }
}

/* Memory is read where commands are: an empty ring, a disabled one and an index list in a ring read
 * nothing outside all regions. */
static void no_other_memory(void)
{
    static const uint32_t words[] = {0x7f820000, 0xffff, 0, 0};
    static uint8_t scratch[GPUCMD_MEM_SCRATCH_BYTES];
    for (int i = 0; i < 3; i++) {
        start_ring(GPUCMD_I915_GEN3, words, 16);
        mem.scratch = scratch;
        if (i < 2) {
            gpucmd_i915_cs_write(&cs, 0x2038, 0x700000);
            gpucmd_i915_cs_write(&cs, 0x2030, i == 0 ? 0 : 16);
            gpucmd_i915_cs_write(&cs, 0x203c, i == 0 ? 1 : 0);
        }
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.commands, i < 2 ? 0 : 3);
        EQUAL(mem.scratch_count, 0);
    }
}

/* The address of a batch has no bits 1:0. A signal to the engine itself, in single steps, too. */
static void own_signal(void)
{
    static const uint32_t words[] = {0x0d800000, 0, 0x05000000};
    for (uint32_t bits = 0; bits < 8; bits++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 3);
        gpucmd_i915_cs_reset(&cs, 0);
        EQUAL(gpucmd_i915_cs_batch(&cs, B + (bits & 3), true), GPUCMD_OK);
        EQUAL(cs.next_va, B);
        for (int i = 0; i < 20 && bits > 3; i++) {
            CHECK(gpucmd_i915_cs_step(&cs, &env) != GPUCMD_RUN_BLOCKED);
        }
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 9), GPUCMD_RUN_IDLE);
        CHECK(cs.is_signalled);
    }
}

/* The trace of an error has the first word of the command; 0 if it cannot be read. */
static void word_of_error(void)
{
    static const uint32_t words[] = {0x00400001, 0x80000001};
    for (uint32_t n = 1; n < 3; n++) {
        const gpucmd_region part = {B, 4 * n, batch, GPUCMD_ACCESS_READ};
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 2);
        EQUAL(gpucmd_mem_init(&mem, &part, 1), GPUCMD_OK);
        event_count = 0;
        env.trace = on_trace;
        env.trace_user = events;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        uint64_t value = 1;
        for (size_t i = 0; i < event_count; i++) {
            value = events[i].kind == GPUCMD_EVENT_ERROR ? events[i].value : value;
        }
        EQUAL(value, n == 1 ? 0 : 0x80000001);
    }
}

/* An index list ends at the end of memory: word n is not there. */
static void lists_without_end(void)
{
    static const uint32_t words[] = {0x7f820000};
    for (uint32_t n = 1; n < 100; n += 2) {
        const gpucmd_region part = {B, 4 * n, batch, GPUCMD_ACCESS_READ};
        for (int ring = 0; ring < 2; ring++) {
            start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, 1);
            EQUAL(gpucmd_mem_init(&mem, &part, 1), GPUCMD_OK);
            if (ring != 0) {
                gpucmd_i915_cs_reset(&cs, 0);
                gpucmd_i915_cs_write(&cs, 0x2038, B);
                gpucmd_i915_cs_write(&cs, 0x203c, 1);
                gpucmd_i915_cs_write(&cs, 0x2030, 4 * n + 4);
            }
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
            EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
            EQUAL(cs.fault_va, B + 4 * n);
            EQUAL(cs.commands, 0);
        }
    }
}

/* An index list has at most 65536 words. */
static void longest_list(void)
{
    static uint8_t list[4 * 65538];
    static const gpucmd_region part = {B, sizeof list, list, GPUCMD_ACCESS_READ};
    for (uint32_t n = 65535; n < 65538; n++) {
        memset(list, 0, sizeof list);
        gpucmd_store32(list, 0x7f820000, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(list + 4 * n - 4, 0xffff, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(list + 4 * n, 0x05000000, GPUCMD_LITTLE_ENDIAN);
        start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, NULL, 0);
        EQUAL(gpucmd_mem_init(&mem, &part, 1), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 10000), n > 65536 ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
        EQUAL(cs.error, n > 65536 ? GPUCMD_I915_ERROR_UNKNOWN : GPUCMD_I915_ERROR_NONE);
    }
}

/* A unit of budget executes 8 words after the first of MI_LOAD_REGISTER_IMM, or stores 8 words of
 * MI_STORE_DATA_IMM. */
static void words_of_unit(void)
{
    for (uint32_t n = 1; n < 33; n++) {
        uint32_t words[1 + 64 + 1] = {0x11000000 + 2 * n - 1};
        for (uint32_t i = 0; i < n; i++) {
            words[1 + 2 * i] = 0x2600 + i % 4 * 4;
        }
        words[1 + 2 * n] = 0x05000000;
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 2 * n + 2);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.units, (2 * n + 7) / 8 + 1);
        memset(words, 0, sizeof words);
        words[0] = 0x10000001 + n;
        words[1] = D;
        words[3 + n] = 0x05000000;
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, n + 4);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.units, (n + 7) / 8 + 1);
    }
}

/* MI_LOAD_REGISTER_IMM in a ring, of which the last words are behind TAIL. */
static void behind_tail(void)
{
    for (uint32_t n = 3; n < 64; n += 2) {
        for (uint32_t tail = 8; tail < 4 * n + 8; tail += 8) {
            const uint32_t words[1] = {0x11000000 + n - 2};
            start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 1);
            gpucmd_i915_cs_reset(&cs, 0);
            gpucmd_i915_cs_write(&cs, 0x2038, B);
            gpucmd_i915_cs_write(&cs, 0x203c, 1);
            gpucmd_i915_cs_write(&cs, 0x2030, tail);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100),
                  tail < 4 * n ? GPUCMD_RUN_FAULT : GPUCMD_RUN_IDLE);
            EQUAL(cs.error, tail < 4 * n ? GPUCMD_I915_ERROR_TAIL : GPUCMD_I915_ERROR_NONE);
        }
    }
}

/* A command of four words 8 bytes before the end of a ring passes it, also if TAIL is behind it. A
 * command that was begun passes TAIL if TAIL is moved to HEAD. */
static void over_the_end(void)
{
    static const uint32_t words[] = {0x10000002, D, 0, 0x61};
    for (int traced = 0; traced < 2; traced++) {
        for (uint32_t tail = 0; tail < 0x2000; tail += 8) {
            start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 0);
            gpucmd_i915_cs_reset(&cs, 0);
            gpucmd_store_words(batch + 4088, words, 2, GPUCMD_LITTLE_ENDIAN);
            gpucmd_i915_cs_write(&cs, 0x2038, B);
            gpucmd_i915_cs_write(&cs, 0x2034, 4088);
            gpucmd_i915_cs_write(&cs, 0x203c, 1);
            gpucmd_i915_cs_write(&cs, 0x2030, tail);
            event_count = 0;
            env.trace = traced != 0 ? on_trace : NULL;
            env.trace_user = events;
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 9),
                  tail == 4088 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
            EQUAL(cs.error, tail == 4088 ? GPUCMD_I915_ERROR_NONE : GPUCMD_I915_ERROR_TAIL);
        }
    }
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, NULL, 0);
    gpucmd_i915_cs_reset(&cs, 0);
    gpucmd_i915_cs_write(&cs, 0x2038, B);
    gpucmd_i915_cs_write(&cs, 0x203c, 1);
    gpucmd_i915_cs_write(&cs, 0x2030, 8);
    EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_DONE);
    EQUAL(cs.state, GPUCMD_I915_RS1);
    gpucmd_i915_cs_write(&cs, 0x2030, 0);
    EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_TAIL);
}

/* Work over the end of a ring, in single steps, too. Before and after the ring is other memory. */
static void wrapped(void)
{
    static uint8_t around[3 * 4096];
    uint8_t *const ring = around + 4096;
    static const gpucmd_region parts[] = {
        {D,        sizeof data,   data,   GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {0x2ff000, sizeof around, around, GPUCMD_ACCESS_READ                      },
    };
    static const uint32_t words[] = {0x10000002, D, 0, 0x61, 0x10000002, D + 4, 0, 0x62};
    for (int traced = 0; traced < 2; traced++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 0);
        gpucmd_i915_cs_reset(&cs, 0);
        memset(around, 0, sizeof around);
        gpucmd_store_words(ring + 4080, words, 4, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store_words(ring, words + 4, 4, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_mem_init(&mem, parts, 2), GPUCMD_OK);
        gpucmd_i915_cs_write(&cs, 0x2038, 0x300000);
        gpucmd_i915_cs_write(&cs, 0x2034, 4080);
        gpucmd_i915_cs_write(&cs, 0x203c, 1);
        gpucmd_i915_cs_write(&cs, 0x2030, 16);
        event_count = 0;
        env.trace = traced != 0 ? on_trace : NULL;
        env.trace_user = events;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.head, 0x00200010);
        EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 0x61);
        EQUAL(gpucmd_load32(data + 4, GPUCMD_LITTLE_ENDIAN), 0x62);
        EQUAL(cs.commands, 2);
    }
}

/* What the callback is told of a display event. */
static void display_event(void)
{
    static const uint32_t words[] = {0x01800008, 0x05000000};
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS, words, 2);
    event_count = 0;
    env.event = on_event;
    answer = GPUCMD_BLOCKED;
    cs.wait.is_register = cs.wait.on_signal = true; /* of an earlier wait */
    cs.wait.value = 5;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
    CHECK(cs.wait.active && cs.wait.is_event && !cs.wait.is_register && !cs.wait.on_signal);
    EQUAL(cs.wait.value, 8);
    EQUAL(cs.ctl & 0x800, 0x800);
    env.event = on_trace;
    env.user = events;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(event_count, 1);
    EQUAL(events[0].kind, GPUCMD_EVENT_WAIT);
    CHECK(events[0].addr == 0 && events[0].code == 0 && events[0].count_dw == 0);
    EQUAL(events[0].va, B);
    EQUAL(events[0].value, 8);
    CHECK(events[0].data == NULL && events[0].out_dw == NULL);
}

/* The code of an interrupt: 0 of MI_USER_INTERRUPT, 1 of a flush. Non-secure batches of gen7 and
 * gen7.5 have none of a flush. */
static void interrupts(void)
{
    static const struct {
        int gen;
        gpucmd_i915_engine engine;
        bool secure;
        uint32_t words[7];
        uint32_t count, code;
    } rows[] = {
        {45, GPUCMD_I915_RCS, true,  {0x7a000102, 0, 0, 0, 0x05000000},           1, 1},
        {45, GPUCMD_I915_RCS, true,  {0x7a000002, 0, 0, 0, 0x05000000},           0, 0},
        {60, GPUCMD_I915_BCS, true,  {0x13000101, 0, 0, 0x05000000},              1, 1},
        {60, GPUCMD_I915_BCS, true,  {0x13000001, 0, 0, 0x05000000},              0, 0},
        {60, GPUCMD_I915_BCS, false, {0x13000101, 0, 0, 0x05000000},              1, 1},
        {70, GPUCMD_I915_BCS, true,  {0x13000101, 0, 0, 0x05000000},              1, 1},
        {70, GPUCMD_I915_BCS, false, {0x13000101, 0, 0, 0x05000000},              0, 0},
        {75, GPUCMD_I915_RCS, false, {0x7a000003, 0x100, 0, 0, 0, 0x05000000},    0, 0},
        {75, GPUCMD_I915_RCS, true,  {0x7a000003, 0x100, 0, 0, 0, 0x05000000},    1, 1},
        {80, GPUCMD_I915_RCS, false, {0x7a000004, 0x100, 0, 0, 0, 0, 0x05000000}, 1, 1},
        {80, GPUCMD_I915_RCS, false, {0x7a000004, 0, 0, 0, 0, 0, 0x05000000},     0, 0},
        {80, GPUCMD_I915_RCS, true,  {0x01000000, 0x05000000},                    1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start((gpucmd_i915_gen)rows[i].gen, rows[i].engine, rows[i].words, 7);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 0), GPUCMD_RUN_LIMIT);
        gpucmd_i915_cs_reset(&cs, 0);
        EQUAL(gpucmd_i915_cs_batch(&cs, B, rows[i].secure), GPUCMD_OK);
        event_count = 0;
        env.trace = on_trace;
        env.trace_user = events;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(cs.interrupts, rows[i].count);
        for (size_t n = 0; n < event_count; n++) {
            EQUAL(events[n].kind == GPUCMD_EVENT_INTERRUPT ? events[n].code : rows[i].code,
                  rows[i].code);
        }
    }
}

/* A fill whose rows take several units of budget: the words are those that its start has read, and
 * its event has the words of a row, the first address and the color. */
static void fill(void)
{
    static uint8_t pixels[64 * 1024];
    static const uint32_t words[] = {0x50300004, 0x03f01000, 0x00100400, D,
                                     0,          0x12345678, 0x05000000};
    static const gpucmd_region parts[] = {
        {B, sizeof batch,  batch,  GPUCMD_ACCESS_READ                      },
        {D, sizeof pixels, pixels, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    for (int traced = 0; traced < 2; traced++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_BCS, words, 7);
        memset(pixels, 0, sizeof pixels);
        EQUAL(gpucmd_mem_init(&mem, parts, 2), GPUCMD_OK);
        event_count = 0;
        env.trace = traced != 0 ? on_trace : NULL;
        env.trace_user = events;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 3), GPUCMD_RUN_LIMIT);
        EQUAL(gpucmd_load32(pixels + 4, GPUCMD_LITTLE_ENDIAN), 0x12345678);
        /* a row is the work of 1024 bytes and of a search, 512; three units are 3 * 4096 = 8 rows */
        EQUAL(gpucmd_load32(pixels + 7 * 4096, GPUCMD_LITTLE_ENDIAN), 0x12345678);
        EQUAL(gpucmd_load32(pixels + 8 * 4096, GPUCMD_LITTLE_ENDIAN), 0);
        gpucmd_store32(batch + 20, 0x55, GPUCMD_LITTLE_ENDIAN);
        for (int n = 0; n < 100 && gpucmd_i915_cs_run(&cs, &env, 1) == GPUCMD_RUN_LIMIT; n++) {
        }
        EQUAL(cs.commands, 2);
        for (uint32_t at = 0; at < sizeof pixels; at += 4) {
            EQUAL(gpucmd_load32(pixels + at, GPUCMD_LITTLE_ENDIAN),
                  at % 4096 < 1024 ? 0x12345678 : 0);
        }
        uint32_t writes = 0;
        for (size_t i = 0; i < event_count; i++) {
            if (events[i].kind == GPUCMD_EVENT_MEM_WRITE) {
                writes++;
                EQUAL(events[i].va, D);
                EQUAL(events[i].value, 0x12345678);
                EQUAL(events[i].count_dw, 256);
            }
        }
        EQUAL(writes, traced);
    }
}

/* A flush that stores and lacks the words of its data is an error, and stores nothing. One that does
 * not store may lack them; nothing is read past its end, which is the end of memory. */
static void short_flushes(void)
{
    static const struct {
        int gen;
        gpucmd_i915_engine engine;
        uint32_t n, words[6];
    } rows[] = {
        {60, GPUCMD_I915_BCS, 2, {0x13004000, D, 0x05000000}           },
        {80, GPUCMD_I915_BCS, 3, {0x13004001, D, 0, 0x05000000}        },
        {80, GPUCMD_I915_RCS, 4, {0x7a000002, 0x4000, D, 0, 0x05000000}},
        {70, GPUCMD_I915_RCS, 3, {0x7a000001, 0x4000, D, 0x05000000}   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t words[6];
        start((gpucmd_i915_gen)rows[i].gen, rows[i].engine, rows[i].words, 6);
        memset(data, 0xee, 16);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
        EQUAL(data[0], 0xee);
        memcpy(words, rows[i].words, sizeof words);
        words[rows[i].engine == GPUCMD_I915_BCS ? 0 : 1] &= ~0x4000u;
        start((gpucmd_i915_gen)rows[i].gen, rows[i].engine, NULL, 0);
        gpucmd_i915_cs_reset(&cs, 0);
        gpucmd_store_words(batch + sizeof batch - 4 * rows[i].n, words, rows[i].n,
                           GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_cs_batch(&cs, B + sizeof batch - 4 * rows[i].n, true), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        /* the word after it cannot be read; gen6 and gen7 need all words */
        EQUAL(cs.error, rows[i].gen >= 80 ? GPUCMD_I915_ERROR_FETCH : GPUCMD_I915_ERROR_LENGTH);
        EQUAL(cs.commands, rows[i].gen >= 80);
    }
}

/* A batch whose first word is half outside memory does not start. */
static void half_a_word(void)
{
    static const uint32_t words[] = {0x18800001, B + sizeof batch - 4, 0, 0};
    static const gpucmd_region shorter[] = {
        {B, sizeof batch - 2, batch, GPUCMD_ACCESS_READ}
    };
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 4);
    EQUAL(gpucmd_mem_init(&mem, shorter, 1), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
    EQUAL(cs.acthd, B);
}

/* The search for the end of an index list goes on in the state in which it began. */
static void long_list(void)
{
    uint32_t words[200] = {0, 0x7f820000};
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, 200);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 2), GPUCMD_RUN_LIMIT);
    CHECK(cs.scan_dw != 0);
    EQUAL(cs.state, GPUCMD_I915_BS1);
}

/* A wait ends if what it waits for, or its command, cannot be read any more. */
static void lost_wait(void)
{
    static const uint32_t words[] = {0x0e00c002, 1, D, 0}; /* until memory >= 1, polled */
    for (int lost = 0; lost < 2; lost++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 4);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
        CHECK(cs.wait.active);
        EQUAL(gpucmd_mem_init(&mem, regions + lost, 1), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        EQUAL(cs.error, lost ? GPUCMD_I915_ERROR_FETCH : GPUCMD_I915_ERROR_MEMORY);
        CHECK(!cs.wait.active);
        EQUAL(cs.ctl & (1u << 10 | 1u << 11), 0); /* waiting for a semaphore, for an event */
    }
}

/* MI_BATCH_BUFFER ends at its end address, also if the batch has no end command. */
static void bounded(void)
{
    static const uint32_t words[] = {0x18000001, B + 0x40, B + 0x48, 0};
    static uint8_t ring[4096];
    static const gpucmd_region with_ring[] = {
        {B,        sizeof batch, batch, GPUCMD_ACCESS_READ},
        {0x300000, sizeof ring,  ring,  GPUCMD_ACCESS_READ},
    };
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, words, 0);
    gpucmd_i915_cs_reset(&cs, 0);
    for (uint32_t at = 0x40; at < 0x80; at += 4) {
        gpucmd_store32(batch + at, 0x01000000, GPUCMD_LITTLE_ENDIAN);
    }
    gpucmd_store_words(ring, words, 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, with_ring, 2), GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, 0x2038, 0x300000);
    gpucmd_i915_cs_write(&cs, 0x203c, 1);
    gpucmd_i915_cs_write(&cs, 0x2030, 16);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.interrupts, 4); /* the end is the last qword [PRM] */
    EQUAL(cs.head, 16);
}

/* COLOR_BLT and SRC_COPY_BLT have no tiles: bits 11 and 15 of DW0 are reserved. */
static void linear(void)
{
    static const uint32_t words[] = {0x50300804, 0x03f00080, 0x00020004, D,          0,
                                     0x12345678, 0x50f08806, 0x03cc0080, 0x00020004, D + 0x400,
                                     0,          128,        D,          0,          0x05000000};
    start(GPUCMD_I915_GEN8, GPUCMD_I915_BCS, words, sizeof words / 4);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE);
    for (uint32_t row = 0; row < 16; row++) {
        const uint32_t want = row < 2 ? 0x12345678 : 0;
        EQUAL(gpucmd_load32(data + 128 * row, GPUCMD_LITTLE_ENDIAN),
              row == 8 || row == 9 ? 0x12345678 : want);
        EQUAL(gpucmd_load32(data + 128 * row + 4, GPUCMD_LITTLE_ENDIAN), 0);
    }
    EQUAL(gpucmd_load32(data + 0x400 + 128, GPUCMD_LITTLE_ENDIAN), 0x12345678);
}

/* What the executor cannot do it passes on, and draws nothing: each bit alone. [IBLT] */
static void not_drawn(void)
{
    static const struct {
        int gen;
        uint32_t dw, bits; /* word, and the bits that pass the command on */
        uint32_t words[23];
    } rows[] = {
  /* XY_BLOCK_COPY_BLT: modes, layouts, offsets, clear colors, levels */
        {125, 0,  0x3e00,     {0x50500014, 511, 0, 0x00020004, D, 0, 0, 0, 511, D + 0x800, 0, 0}},
        {125, 1,  0x201c0000, {0x50500014, 511, 0, 0x00020004, D, 0, 0, 0, 511, D + 0x800, 0, 0}},
        {125, 6,  0x3fff3fff, {0x50500014, 511, 0, 0x00020004, D, 0, 0, 0, 511, D + 0x800, 0, 0}},
        {125, 8,  0x201c0000, {0x50500014, 511, 0, 0x00020004, D, 0, 0, 0, 511, D + 0x800, 0, 0}},
        {125, 11, 0x3fff3fff, {0x50500014, 511, 0, 0x00020004, D, 0, 0, 0, 511, D + 0x800, 0, 0}},
 /* XY_FAST_COLOR_BLT */
        {125, 0,  0x3e00,     {0x5110000e, 511, 0, 0x00020004, D, 0, 0, 7, 0}                   },
        {125, 1,  0x201c0000, {0x5110000e, 511, 0, 0x00020004, D, 0, 0, 7, 0}                   },
        {125, 6,  0x3fff3fff, {0x5110000e, 511, 0, 0x00020004, D, 0, 0, 7, 0}                   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t n = (rows[i].words[0] & 0xff) + 2;
        for (uint32_t bit = 1; bit != 0; bit <<= 1) {
            uint32_t words[24];
            memcpy(words, rows[i].words, sizeof rows[i].words);
            words[n] = 0x05000000;
            words[rows[i].dw] |= bit;
            if ((rows[i].bits & bit) == 0) {
                continue;
            }
            start((gpucmd_i915_gen)rows[i].gen, GPUCMD_I915_BCS, words, n + 1);
            memset(data + 0x800, 0x11, 0x800);
            event_count = 0;
            env.event = on_trace;
            env.user = events;
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_FAULT); /* on_trace answers so */
            if (!EQUAL(event_count, 1)) {
                printf("    row %u, bit %08x\n", (unsigned)i, bit);
            }
            EQUAL(events[0].kind, GPUCMD_EVENT_COMMAND);
            EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 0);
        }
    }
}

/* Addresses have 48 bits; bits 63:48, which repeat bit 47, are ignored. Each row reads or writes
 * the last 64 KiB of the space: words, then a place there and what it has afterwards. */
#define T 0xffff0000u
#define H 0xffffffffu
static void top_addresses(void)
{
    static uint8_t top[65536];
    static const gpucmd_region parts[] = {
        {B,              sizeof batch, batch, GPUCMD_ACCESS_READ                      },
        {0xffffffff0000, sizeof top,   top,   GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    static const struct {
        int gen, engine;
        uint32_t n, words[24], at, want;
    } rows[] = {
  /* clang-format off */
        {80, 1, 4, {0x10000002, T, H, 0x12345678}, 0, 0x12345678},
        {80, 1, 5, {0x10200003, T, H, 1, 0x12345678}, 4, 0x12345678},
        {80, 1, 7, {0x11000001, 0x2600, 0x77, 0x12000002, 0x2600, T + 8, H}, 8, 0x77},
        {80, 1, 8, {0x14800002, 0x2600, T + 0x100, H, 0x12000002, 0x2600, T, H}, 0, 0xaaaa0100},
        {80, 1, 5, {0x17000003, T + 4, H, T + 0x104, H}, 4, 0xaaaa0104},
        {80, 1, 11, {0x17840709, T + 0x100, H, 5, 0, 0, 0, 0, 0, 0, 0}, 0x100, 0xaaaa0105},
        {80, 1, 6, {0x7a000004, 0x4000, T + 8, H, 0x99, 0}, 8, 0x99},
        {80, 4, 4, {0x13004002, (T + 8) | 4, H, 0x98}, 8, 0x98},
        {80, 1, 8, {0x0e00c002, 0xaaaa0100, T + 0x100, H, 0x10000002, T, H, 3}, 0, 3},
        {80, 1, 8, {0x1b200002, 0xaaaa0000, T + 0x100, H, 0x10000002, T, H, 4}, 0, 4},
        {80, 1, 3, {0x18800101, T + 0x400, H}, 0, 0x1234},
        {80, 1, 4, {0x15800002, T, H, 6}, 0, 6},
        {80, 4, 7, {0x54300005, 0x03f01000, 0, 0x00010001, T, H, 0x55}, 0, 0x55},
        {80, 4, 10, {0x54f00008, 0x03cc1000, 0, 0x00010001, T, H, 0, 0x1000, T + 0x100, H},
         0, 0xaaaa0100},
        {80, 4, 6, {0x50300004, 0x03f01000, 0x00010004, T, H, 0x56}, 0, 0x56},
        {80, 4, 8, {0x50f00006, 0x03cc1000, 0x00010004, T, H, 0x1000, T + 0x100, H}, 0, 0xaaaa0100},
        {90, 4, 10, {0x50800008, 0x03001000, 0, 0x00010001, T, H, 0, 0x1000, T + 0x100, H},
         0, 0xaaaa0100},
        {80, 4, 8, {0x54700006, 0x03f01000, 0, 0x00010001, T, H, T + 0x200, H}, 0, 0xaaaa0200},
        {80, 4, 10, {0x55300008, 0x03cc1000, 0, 0x00010001, T, H, T + 0x500, H, 0x57, 0x58},
         0, 0x58},
        {80, 4, 12, {0x5570000a, 0x03f01000, 0, 0x00010001, T, H, 0x1000, 0,
         T + 0x100, H, T + 0x200, H},
         0, 0xaaaa0200},
        {80, 4, 12, {0x40700008, 0x03f01000, 0, 0x00100010, T, H, 0x59, 0x5a, T + 0x200, H,
         0x49000000, 0},
         0, 0x59},
        {80, 4, 13, {0x40700008, 0x03f01000, 0, 0x00100010, T, H, 0x59, 0x5a, T + 0x200, H,
         0x49400001, 0, 0x00010001},
         0, 0xaaaa0200},
        {80, 4, 15, {0x40700008, 0x03cc1000, 0, 0x00100010, T, H, 0x59, 0x5a, 0, 0,
         0x49810003, 0, 0x00010001, T + 0x500, H},
         0, 0x5a},
        {120, 4, 12, {0x5050000a, 0xfff, 0, 0x00010001, T, H, 0, 0, 0xfff, T + 0x100, H, 0},
         0, 0xaaaa0100},
        {120, 4, 11, {0x51100009, 0xfff, 0, 0x00010001, T, H, 0, 0x5b, 0, 0, 0}, 0, 0x5b},
        {200, 4, 10, {0x56800008, 3, 0, 3, 3, T + 0x100, H, T, H, 0}, 0, 0xaaaa0100},
        {200, 4, 7, {0x56c00005, 3, 0, 3, T, H, 0x5c000000}, 0, 0x5c5c5c5c},
  /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const uint32_t called[] = {0x10000002, T, H, 0x1234, 0x05000000};
        uint32_t words[25];
        memcpy(words, rows[i].words, sizeof rows[i].words);
        words[rows[i].n] = 0x05000000;
        start((gpucmd_i915_gen)rows[i].gen, (gpucmd_i915_engine)rows[i].engine, words,
              rows[i].n + 1);
        memset(top, 0, sizeof top);
        for (uint32_t at = 0x100; at < 0x300; at += 4) {
            gpucmd_store32(top + at, 0xaaaa0000 + at, GPUCMD_LITTLE_ENDIAN);
        }
        gpucmd_store_words(top + 0x400, called, 5, GPUCMD_LITTLE_ENDIAN);
        memset(top + 0x500, 0xff, 16);
        EQUAL(gpucmd_mem_init(&mem, parts, 2), GPUCMD_OK);
        if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE) ||
            !EQUAL(gpucmd_load32(top + rows[i].at, GPUCMD_LITTLE_ENDIAN), rows[i].want)) {
            printf("    row %u, word %08x, %s at %llx\n", (unsigned)i, rows[i].words[0],
                   gpucmd_i915_error_name(cs.error), (unsigned long long)cs.fault_va);
        }
    }
}
#undef T
#undef H

/* ---- decoder and checker ---- */

static void numbers(void)
{
    gpucmd_i915_cmdset cmdset;
    gpucmd_text t;
    char text[40];
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_register(&t, &cmdset, 4);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    CHECK(strcmp(text, "0x4") == 0);
}

/* Lines with registers: after fields, and in words that have no fields. */
static void register_lines(void)
{
    static const uint32_t many[] = {0x11000003, 0x2600, 5, 0x2034, 7};
    static const uint32_t one[] = {0x14800002, 0x2600, 0x1000, 0};
    gpucmd_i915_cmdset cmdset;
    gpucmd_text t;
    char text[500];
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    test_dirty();
    EQUAL(gpucmd_i915_print(&t, &cmdset, many, 5, 0), 5);
    EQUAL(gpucmd_i915_print(&t, &cmdset, one, 4, 0x20), 4);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    CHECK(strcmp(text, "00000000: 11000003 MI_LOAD_REGISTER_IMM\n"
                       "00000004: 00002600   rcs0.CS_GPR0\n"
                       "00000008: 00000005\n"
                       "0000000c: 00002034   rcs0.HEAD\n"
                       "00000010: 00000007\n"
                       "00000020: 14800002 MI_LOAD_REGISTER_MEM\n"
                       "00000024: 00002600   REGISTER=0x980 rcs0.CS_GPR0\n"
                       "00000028: 00001000   ADDRESS=0x1000\n"
                       "0000002c: 00000000   ADDRESS_HIGH=0x0\n") == 0);
}

/* Registers that a batch without privilege may write in other generations or on other engines than
 * this one. [K] i915_cmd_parser.c [IGT] */
static void other_registers(void)
{
    enum { R = 1, V = 2, C = 4, E = 8 };
    static const struct {
        int gen, engine;
        uint32_t regs[12];
    } rows[] = {
        {60,  R, {0x2290, 0x2300, 0x2400, 0x2420, 0x2500, 0x5200, 0x4358, 0xb010, 0x22358}       },
        {60,  C, {0x2358, 0x4358, 0x22358, 0x22200}                                              },
        {70,  R, {0x2600, 0x20c0, 0x2158, 0x22c8, 0x2360, 0x2094, 0x23bc, 0x7000, 0x7034, 0xe400}},
        {70,  R, {0xb038, 0xe49c, 0x22200, 0x22d8, 0x22f0, 0x22f8, 0x2448, 0x2450, 0x5220}       },
        {75,  R, {0x20c0, 0x2158, 0x22c8, 0x2360, 0x2094, 0x23bc, 0x7000, 0x7034, 0xe400}        },
        {75,  C, {0x223a8, 0x2600, 0x2290, 0x5200, 0x20c0, 0x22600}                              },
        {75,  V, {0x4358, 0x22358, 0x22200, 0x2290, 0x2600, 0x12600}                             },
        {80,  R, {0x2348, 0x4358, 0xb010, 0xb020, 0xb038, 0xe49c, 0x22358, 0x22200, 0x2680}      },
        {80,  C, {0x4358, 0x22358, 0x223a8, 0x20c0, 0x2094, 0x2600}                              },
        {80,  V, {0x20c0, 0x2094, 0x22200, 0x2600}                                               },
        {80,  E, {0x20c0, 0x2094, 0x22200, 0x2600}                                               },
        {90,  R, {0x2348, 0x4358, 0xb010, 0xb038, 0xe49c, 0x22358, 0x22200, 0x223a8, 0x2358}     },
        {90,  C, {0x20c0, 0x2158, 0x2290, 0x2600, 0xe400, 0x7034}                                },
        {110, C, {0x2358, 0x4358, 0x22358, 0x223a8, 0x2600}                                      },
        {120, C, {0x2358, 0x4358, 0x22358, 0x223a8}                                              },
        {120, R, {0x7034, 0xe400, 0xe404, 0x2348, 0x4358, 0x22358}                               },
        {300, R, {0x7034, 0xe400, 0xe404, 0xb010, 0x4358, 0x22358, 0x22200}                      },
        {300, C, {0x2358, 0x4358, 0x22358, 0x223a8, 0x20c0, 0x2094}                              },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)rows[i].gen,
                                      (gpucmd_i915_engine)rows[i].engine),
              GPUCMD_OK);
        for (uint32_t n = 0; n < 12 && rows[i].regs[n] != 0; n++) {
            if (!CHECK(!gpucmd_i915_register_allowed(&cmdset, rows[i].regs[n], 0))) {
                printf("    row %u, register %x\n", (unsigned)i, rows[i].regs[n]);
            }
        }
    }
}

/* Reserved bits of a first word, if it is that of a command with a row. */
static void no_stray(void)
{
    static const uint32_t words[][2] = {
        {0xa0000000, 0},
        {0x10ff0002, 0},
        {0x78ff0000, 0},
        {0x05ff0000, 0}
    };
    static const uint32_t want[] = {0, 0x005f0000, 0, 0x007f0000};
    for (size_t i = 0; i < 4; i++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_cmd cmd;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN8, GPUCMD_I915_RCS), GPUCMD_OK);
        memset(&cmd, 0xff, sizeof cmd);
        (void)gpucmd_i915_decode(&cmdset, words[i], i == 1 ? 1 : 2, &cmd);
        EQUAL(cmd.stray, want[i]);
    }
}

static uint32_t jumps;
static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    jumps += f->rule == GPUCMD_I915_RULE_SELF_JUMP;
    return GPUCMD_OK;
}

/* A jump to the batch's own address, of which gen8 has 48 bits and gen7 has 32. */
static void self_jumps(void)
{
    static const struct {
        int gen;
        uint64_t va;
        uint32_t n, words[4], jumps;
    } rows[] = {
        {70,  0x1000,         2, {0x18800100, 0x1000, 0, 0},      1},
        {75,  0x1000,         2, {0x18800100, 0x1000, 0, 0},      1},
        {75,  0x100001000,    2, {0x18800100, 0x1000, 0, 0},      0},
        {80,  0x100001000,    4, {0x18800101, 0x1000, 1, 0},      1},
        {80,  0x1000,         4, {0x18800101, 0x1000, 1, 0},      0},
        {80,  0x100001000,    2, {0x18800100, 0x1000, 1, 0},      0}, /* a word is missing */
        {80,  0x1000,         2, {0x18800100, 0x1000, 0, 0},      0},
        {80,  0x200001000,    4, {0x18800101, 0x1000, 1, 0},      0},
        {120, 0x7fff00001000, 4, {0x18800101, 0x1000, 0x7fff, 0}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_check_options options;
        memset(&options, 0, sizeof options);
        options.va = rows[i].va;
        options.found = on_finding;
        jumps = 0;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)rows[i].gen, GPUCMD_I915_RCS),
              GPUCMD_OK);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].n, &options, NULL), GPUCMD_OK);
        EQUAL(jumps, rows[i].jumps);
    }
}

/* A batch of an odd number of words, or at an odd qword: found at its first word. */
static gpucmd_i915_finding align_finding;
static gpucmd_status on_align(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    align_finding = *f;
    return GPUCMD_OK;
}

static void unaligned(void)
{
    static const uint32_t end[] = {0x05000000, 0};
    for (uint32_t odd = 0; odd < 2; odd++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_check_options options;
        size_t errors = 7;
        memset(&options, 0, sizeof options);
        memset(&align_finding, 0xff, sizeof align_finding);
        options.va = odd * 4;
        options.found = on_align;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
        test_dirty();
        EQUAL(gpucmd_i915_check(&cmdset, end, 1 + odd, &options, &errors), GPUCMD_OK);
        EQUAL(align_finding.rule, GPUCMD_I915_RULE_BATCH_ALIGN);
        EQUAL(align_finding.at_bytes, 0);
        EQUAL(align_finding.value, 4 + 4 * odd);
        EQUAL(errors, 1);
    }
}

/* ---- words of an emitter: one bad bit in each operand ---- */

static void flips(void)
{
    const gpucmd_i915_gen g9 = GPUCMD_I915_GEN9;
    EMITS(WORDS(0x0a000001, 0, 0), gpucmd_i915_emit_mi_display_flip(&w, g9, 0, 0, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, g9, 0, 8, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, g9, 0, 0, 4, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, g9, 0, 0, 0, 0x1000));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, g9, 1, 0, 0, 0));
}

/* The first generation of the forms with any number of words, which have rows of their own. */
static void first_gens(void)
{
    static const uint32_t two[2] = {0x2600, 2};
    static const int gens[] = {20, 30, 40,  45,  50,  60,  70,  75,
                               80, 90, 110, 120, 125, 127, 200, 300};
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        const gpucmd_i915_gen g = (gpucmd_i915_gen)gens[i];
        gpucmd_writer w_;
        gpucmd_writer_init(&w_, NULL, 0);
        gpucmd_i915_emit_mi_store_data_imm_words(&w_, g, 0, 0x1000, two, 2);
        EQUAL(w_.status, gens[i] >= 80 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        gpucmd_writer_init(&w_, NULL, 0);
        gpucmd_i915_emit_mi_math(&w_, g, 0, two, 2);
        EQUAL(w_.status, gens[i] >= 75 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        gpucmd_writer_init(&w_, NULL, 0);
        gpucmd_i915_emit_mi_load_register_imm(&w_, g, 0, two, 1);
        EQUAL(w_.status, gens[i] >= 30 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
    }
}

/* An encoder that refuses stores nothing. */
#define REFUSES(status, call)                                                                      \
    do {                                                                                           \
        memset(dw, 0x5a, sizeof dw);                                                               \
        EQUAL(call, status);                                                                       \
        EQUAL(dw[0], 0x5a5a5a5a);                                                                  \
        CHECK(memcmp(dw, dw + 1, sizeof dw - 4) == 0);                                             \
    } while (0)

static void encoders(void)
{
    static const uint32_t many[1024] = {0x2600, 0, 0x2602, 0};
    static const gpucmd_i915_blt no_blt;
    const gpucmd_i915_gen g9 = GPUCMD_I915_GEN9, g7 = GPUCMD_I915_GEN7, g6 = GPUCMD_I915_GEN6;
    uint32_t dw[1100];
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_copy_mem_mem(dw, g9, 0, 2, 0));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_copy_mem_mem(dw, g9, 0, 0, 2));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_copy_mem_mem(dw, g9, 1, 0, 0));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_batch_buffer(dw, GPUCMD_I915_GEN3, 0, 4, 0));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_batch_buffer(dw, GPUCMD_I915_GEN3, 0, 8, 4));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_atomic_inline(dw, g9, 1u << 31, 0, many, many));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_atomic_inline(dw, g9, 0, 2, many, many));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_atomic_inline(dw, g9, 1u << 19, 4, many, many));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_load_register_imm(dw, g9, 0, many, 2));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_load_register_imm(dw, g9, 0, many, 127));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_load_register_imm(dw, g9, 0, many, 0));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_math(dw, g9, 0, many, 257));
    REFUSES(GPUCMD_ALIGN, gpucmd_i915_encode_mi_store_data_imm_words(dw, g9, 0, 2, many, 2));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_update_gtt(dw, g6, 0, 0, many, 63));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_update_gtt(dw, g7, 0, 0, many, 255));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_update_gtt(dw, GPUCMD_I915_GEN8, 0, 0, many, 1023));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_clflush(dw, g6, 0, 0, 62));
    REFUSES(GPUCMD_RANGE, gpucmd_i915_encode_mi_clflush(dw, g7, 0, 0, 1023));
    REFUSES(GPUCMD_INVALID, gpucmd_i915_encode_blt(dw, g9, GPUCMD_I915_OP_MI_NOOP, &no_blt));
    REFUSES(GPUCMD_UNSUPPORTED, gpucmd_i915_encode_blt(dw, g9, GPUCMD_I915_OP_MEM_SET, &no_blt));
    EQUAL(gpucmd_i915_encode_mi_update_gtt(dw, g6, 0, 0x1000, many, 62), GPUCMD_OK);
    EQUAL(dw[0], 0x1180003e);
    EQUAL(dw[1], 0x1000);
    EQUAL(gpucmd_i915_encode_mi_update_gtt(dw, g7, 0, 0x1000, many, 254), GPUCMD_OK);
    EQUAL(dw[0], 0x118000fe);
    EQUAL(gpucmd_i915_encode_mi_update_gtt(dw, GPUCMD_I915_GEN8, 0, 0x1000, many, 1022), GPUCMD_OK);
    EQUAL(dw[0], 0x118003fe);
    EQUAL(gpucmd_i915_encode_mi_clflush(dw, g6, 0, 0x12340, 61), GPUCMD_OK);
    EQUAL(dw[0], 0x1380003d);
    EQUAL(dw[1], 0x12340);
    EQUAL(gpucmd_i915_encode_mi_clflush(dw, g7, 0, 0x12340, 1022), GPUCMD_OK);
    EQUAL(dw[0], 0x138003ff);
    CHECK(dw[1] == 0x12340 && dw[2] == 0);
    EQUAL(gpucmd_i915_encode_mi_clflush(dw, g9, 0, 0xffff800000012340, 1), GPUCMD_OK);
    CHECK(dw[0] == 0x13800002 && dw[1] == 0x12340 && dw[2] == 0xffff8000);
}

/* A batch after a failure: nothing more is written, and no chunk is taken. */
static uint32_t chunk_words[2][64];
static uint32_t chunks_taken;
static gpucmd_status next_chunk(void *user, gpucmd_i915_chunk *chunk)
{
    CHECK(user == &chunks_taken);
    chunks_taken++;
    chunk->base = chunk_words[1];
    chunk->cap_dw = 64;
    chunk->va = 0x2000;
    return GPUCMD_OK;
}

static void failed_batch(void)
{
    gpucmd_i915_chunk chunk;
    gpucmd_i915_batch b;
    uint32_t len_bytes = 77;
    memset(&chunk, 0, sizeof chunk);
    memset(chunk_words, 0x5a, sizeof chunk_words);
    chunk.base = chunk_words[0];
    chunk.cap_dw = 16;
    chunk.va = 0x1000;
    chunks_taken = 0;
    test_dirty();
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, &chunks_taken);
    gpucmd_i915_batch_reserve(&b, 12); /* what is left */
    EQUAL(chunks_taken, 0);
    gpucmd_i915_emit_mi_noop(&b.w, GPUCMD_I915_GEN9, 1u << 30);
    gpucmd_i915_batch_reserve(&b, 13);
    EQUAL(chunks_taken, 0);
    gpucmd_i915_batch_reloc(&b, 0, 1, 2, 3, 4);
    EQUAL(b.reloc_count, 0);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_RANGE);
    EQUAL(len_bytes, 77);
    EQUAL(chunk_words[0][0], 0x5a5a5a5a);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, &chunks_taken);
    gpucmd_i915_batch_reserve(&b, 13);
    EQUAL(chunks_taken, 1);
    EQUAL(b.chunk_count, 2);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 8);
    EQUAL(gpucmd_load32(chunk_words[0], GPUCMD_LITTLE_ENDIAN), 0x18800101);
    EQUAL(gpucmd_load32(chunk_words[0] + 1, GPUCMD_LITTLE_ENDIAN), 0x2000);
    EQUAL(gpucmd_load32(chunk_words[1], GPUCMD_LITTLE_ENDIAN), 0x05000000);
}

/* ---- the model kernel ---- */

#include "i915/world.h"

/* Requests of one context run in their order on a ring, also if only the first must wait. */
static void queue_order(void)
{
    setup(GPUCMD_I915_GEN9, REQUESTS);
    const uint32_t sw = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 1, sw), 0);
    fence.handle = 1;
    fence.flags = GPUCMD_I915_EXEC_FENCE_WAIT;
    arg.cliprects_ptr = (uint64_t)(uintptr_t)&fence;
    arg.num_cliprects = 1;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER | GPUCMD_I915_EXEC_FENCE_ARRAY, 1, 0, 2), 0);
    arg.cliprects_ptr = 0;
    arg.num_cliprects = 0;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 3, 0, 4), 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 3, 0, 4), 0); /* another ring */
    EQUAL(requests[0].wait, 0);
    EQUAL(requests[1].wait, 1);
    EQUAL(requests[2].wait, 0);
    (void)gpucmd_i915_kernel_run(&k);
    EQUAL(engines[1].tail, 0);
    CHECK(engines[3].tail != 0);
    EQUAL(gpucmd_fence_signal(&k.fences, sw, 0), GPUCMD_OK);
    (void)gpucmd_i915_kernel_run(&k);
    const uint32_t first = engines[1].tail;
    CHECK(first != 0);
    (void)gpucmd_i915_kernel_run(&k);
    EQUAL(engines[1].tail, 2 * first);
}

/* Readers of an object do not wait for one another; a writer waits for all users. */
static void queue_readers(void)
{
    const uint64_t write = GPUCMD_EXEC_OBJECT_WRITE;
    setup(GPUCMD_I915_GEN9, REQUESTS);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 3), 0);
    EQUAL(objects[0].used_by, 3);
    EQUAL(objects[0].written_by, 0);
    EQUAL(requests[1].wait, 0);
    arg.rsvd1 = 7; /* contexts of their own, so that only the object orders them */
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, write, 3), 0);
    EQUAL(requests[2].wait, 3);
    EQUAL(objects[0].written_by, 4);
    arg.rsvd1 = 8;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
    EQUAL(requests[3].wait, 4);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, GPUCMD_EXEC_OBJECT_ASYNC, 4), 0);
    EQUAL(requests[4].wait, 0);
    EQUAL(objects[0].used_by, 0x1f);
}

/* A row of requests is used again: the object that its first request wrote is only read now. */
static void queue_again(void)
{
    struct gpucmd_drm_i915_gem_busy a = {1, 0};
    setup(GPUCMD_I915_GEN9, 1);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_BUSY, (uint64_t)(uintptr_t)&a), 0);
    EQUAL(a.busy, 0x10001); /* class 0 reads it, and writes it: 0 + 1 */
    while (gpucmd_i915_kernel_run(&k)) {
    }
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_BUSY, (uint64_t)(uintptr_t)&a), 0);
    EQUAL(a.busy, 0x10000);
}

/* GEM_BUSY returns the class of a ring: render 0, copy 1, video 2, video enhance 3, compute 4. */
static void busy_classes(void)
{
    static const uint8_t numbers[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t classes[6] = {0, 2, 1, 3, 2, 4};
    const gpucmd_i915_engine_map map = {7, 6, numbers};
    for (uint32_t i = 0; i < 6; i++) {
        struct gpucmd_drm_i915_gem_busy a = {1, 0};
        setup(GPUCMD_I915_GEN12_5, 1);
        k.maps = &map;
        k.map_count = 1;
        k.rings[numbers[i]] = &rings[1];
        arg.rsvd1 = 7;
        EQUAL(submit(i, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
        EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_BUSY, (uint64_t)(uintptr_t)&a),
              0);
        EQUAL(a.busy, (classes[i] + 1) | 0x10000u << classes[i]);
    }
}

/* Of the caller's rows for requests the first 64 are used, and no other. */
static void queue_full(void)
{
    static gpucmd_i915_request rows[66], kept[2];
    setup(GPUCMD_I915_GEN9, 66);
    memset(rows, 0xff, sizeof rows);
    memset(kept, 0xff, sizeof kept);
    k.requests = rows;
    for (uint32_t i = 0; i < 64; i++) {
        arg.rsvd1 = 7 + (i & 1);
        EQUAL(submit(1 + i % 3 / 2 * 2, 1, 0, 2), 0);
    }
    EQUAL(k.pending, ~(uint64_t)0);
    EQUAL(submit(1, 1, 0, 2), -GPUCMD_SYS_EAGAIN);
    EQUAL(gpucmd_i915_kernel_find(&k, 64), (uint64_t)1 << 63);
    EQUAL(gpucmd_i915_kernel_find(&k, 1), 1);
    EQUAL(gpucmd_i915_kernel_find(&k, 65), 0);
    EQUAL(gpucmd_i915_kernel_find(&k, 0xffffffff), 0);
    CHECK(memcmp(&rows[64], kept, sizeof kept) == 0);
    for (uint32_t i = 0; i < 64; i++) {
        (void)gpucmd_i915_kernel_run(&k);
        CHECK(memcmp(&rows[64], kept, sizeof kept) == 0);
    }
    for (uint32_t i = 0; i < 100 && k.pending != 0; i++) {
        (void)gpucmd_i915_kernel_run(&k);
    }
    EQUAL(k.pending, 0);
    EQUAL(submit(1, 1, 0, 2), 0);
    EQUAL(k.pending, 1);
    CHECK(memcmp(&rows[64], kept, sizeof kept) == 0);
}

/* A ring is run in the space of its work; then the space is that of the submission. */
static void spaces(void)
{
    gpucmd_region r[OBJECTS];
    setup(GPUCMD_I915_GEN9, 0);
    arg.rsvd1 = 7;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
    EQUAL(k.space, 1);
    EQUAL(synced, 0);
    arg.rsvd1 = 8;
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 3), 0);
    EQUAL(synced, 1u << GPUCMD_I915_EXEC_RENDER);
    EQUAL(synced_space, 1);
    EQUAL(k.space, 2);
    EQUAL(gpucmd_i915_kernel_regions(&k, r, OBJECTS), 2);
    arg.rsvd1 = 7; /* the same ring with another space: its work ends first */
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 4, 0, 3), 0);
    CHECK((synced & 1u << GPUCMD_I915_EXEC_BLT) != 0);
    EQUAL(synced_space, 2);
    EQUAL(k.space, 1);
}

/* An object with places in three spaces loses them in any order. */
static void three_spaces(void)
{
    static const uint32_t orders[][2] = {
        {1, 2},
        {2, 1}
    };
    gpucmd_region r[OBJECTS];
    for (size_t i = 0; i < 2; i++) {
        setup(GPUCMD_I915_GEN9, 0);
        k.sync_ring = NULL;
        for (uint32_t id = 0; id < 3; id++) {
            arg.rsvd1 = id == 0 ? 0 : 6 + id;
            EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
            engines[1].head = engines[1].tail;
        }
        EQUAL(k.mappings.count, 6); /* two objects, three spaces */
        for (uint32_t n = 0; n < 2; n++) {
            gpucmd_i915_kernel_vm_free(&k, orders[i][n]);
            for (uint32_t vm = 0; vm < 3; vm++) {
                const bool freed = vm == orders[i][0] || (n == 1 && vm == orders[i][1]);
                k.space = vm;
                EQUAL(gpucmd_i915_kernel_regions(&k, r, OBJECTS), freed ? 0 : 2);
            }
            EQUAL(k.mappings.count, 4 - 2 * n);
        }
        for (uint32_t id = 0; id < 3; id++) { /* other objects use the rows, too */
            arg.rsvd1 = id == 0 ? 0 : 6 + id;
            EQUAL(submit(GPUCMD_I915_EXEC_RENDER, i == 0 ? 1 : 3, 0, 2), 0);
            engines[1].head = engines[1].tail;
        }
        EQUAL(k.mappings.count, i == 0 ? 6 : 7); /* object 1 stays in the first space */
        EQUAL(k.mappings.used, i == 0 ? 6 : 7);  /* the rows that were freed are used again */
    }
}

/* A submission that fails for want of rows of vmas keeps none. */
static void returned_row(void)
{
    setup(GPUCMD_I915_GEN9, 0);
    k.vma_count = 3;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
    arg.rsvd1 = 7;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), -GPUCMD_SYS_ENOMEM); /* one row, two objects */
    EQUAL(k.table, GPUCMD_I915_TABLE_VMAS);
    EQUAL(k.mappings.count, 2);
    arg.rsvd1 = 0;
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 3, 0, 2), 0); /* one row, for object 3 */
    EQUAL(k.mappings.count, 3);
}

/* An object was closed while a request used it. A submission moves it away and ends that request;
 * then its own request takes the row, so that the object is gone before the submission ends. */
static void closed_and_moved(void)
{
    gpucmd_region r[OBJECTS];
    struct gpucmd_drm_gem_close close = {1, 0};
    setup(GPUCMD_I915_GEN9, 1);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 2), 0);
    const uint64_t va = objects[0].va;
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_GEM_CLOSE, (uint64_t)(uintptr_t)&close), 0);
    EQUAL(objects[0].handle, 0x80000000u);
    memset(given, 0, sizeof given);
    given[0].handle = 3;
    given[0].flags = GPUCMD_EXEC_OBJECT_PINNED;
    given[0].offset = va;
    given[1].handle = 4;
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                   (uint64_t)(uintptr_t)&arg),
          0);
    CHECK(objects[2].bound && objects[2].va == va && objects[3].bound);
    EQUAL(objects[0].handle, 0);
    EQUAL(gpucmd_i915_kernel_regions(&k, r, OBJECTS), 3);
}

/* A sync file is used only with FENCE_OUT. A read or a write of no bytes is nothing. An object of
 * the caller without bytes has a place nevertheless. */
static void little(void)
{
    struct gpucmd_drm_i915_gem_pread a = {9, 0, 1, 0, 1};
    struct gpucmd_drm_i915_gem_pwrite b = {9, 0, 1, 0, 1};
    setup(GPUCMD_I915_GEN9, 0);
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_OUT, 1, 0, 2), 0);
    CHECK(files[0].used && !files[1].used);
    arg.rsvd2 = 30;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN, 1, 0, 2), 0);
    CHECK(!files[1].used);
    EQUAL(submit(0, 1, 0, 2), 0);
    CHECK(!files[1].used);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_PREAD, (uint64_t)(uintptr_t)&a),
          0);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_PWRITE, (uint64_t)(uintptr_t)&b),
          0);
    objects[0].bytes = 0;
    gpucmd_i915_kernel_free(&k, &objects[0]);
    objects[0].handle = 1;
    EQUAL(submit(0, 1, 0, 2), 0);
    EQUAL(gpucmd_maps_first(&k.mappings, 1)->bytes, 1);
}

/* Memory that is there for so many accesses, then no more. */
static uint32_t accesses_left;

static gpucmd_status find_for_a_while(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                                      uint64_t *bytes)
{
    (void)access_mask;
    CHECK(user == &accesses_left);
    if (va < D || va >= D + sizeof data || accesses_left == 0) {
        return GPUCMD_FAULT;
    }
    accesses_left--;
    *host = data + (va - D);
    *bytes = sizeof data - (va - D);
    return GPUCMD_OK;
}

/* The memory of an MI_ATOMIC goes away before each of its accesses: the command stops with a fault. */
static void atomic_without_memory(void)
{
    static const struct {
        uint32_t words[11];
        uint32_t stored[4]; /* at D */
    } rows[] = {
  /* CMPWR16B with RETURN: four words of 0 become 1 to 4 */
        {{0x17954e09, D, 0, 0, 1, 0, 2, 0, 3, 0, 4}, {1, 2, 3, 4}},
 /* ADD8B with RETURN: + 0x500000006 */
        {{0x178d2709, D, 0, 6, 0, 5, 0, 0, 0, 0, 0}, {6, 5, 0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t n = 0;
        gpucmd_run end = GPUCMD_RUN_FAULT;
        for (; n < 20 && end == GPUCMD_RUN_FAULT; n++) {
            uint32_t words[12];
            memcpy(words, rows[i].words, sizeof rows[i].words);
            words[11] = 0x05000000;
            start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS, words, 12);
            mem.count = 1; /* the batch */
            mem.find = find_for_a_while;
            mem.find_user = &accesses_left;
            accesses_left = n;
            end = gpucmd_i915_cs_run(&cs, &env, 100);
            EQUAL(cs.error,
                  end == GPUCMD_RUN_FAULT ? GPUCMD_I915_ERROR_MEMORY : GPUCMD_I915_ERROR_NONE);
        }
        EQUAL(end, GPUCMD_RUN_IDLE);
        CHECK(n > 3); /* it was asked for, read and written */
        for (size_t word = 0; word < 4; word++) {
            EQUAL(gpucmd_load32(data + 4 * word, GPUCMD_LITTLE_ENDIAN), rows[i].stored[word]);
        }
    }
}

int main(void)
{
    atomic_without_memory();
    trace();
    blocked_callback();
    rights();
    started_rights();
    reset();
    index_lists();
    disabled_ring();
    waiting_ring();
    loaded_registers();
    exact_budgets();
    low_addresses();
    next_region();
    no_other_memory();
    own_signal();
    word_of_error();
    lists_without_end();
    longest_list();
    words_of_unit();
    behind_tail();
    over_the_end();
    wrapped();
    display_event();
    interrupts();
    fill();
    bounded();
    short_flushes();
    half_a_word();
    long_list();
    lost_wait();
    linear();
    not_drawn();
    top_addresses();
    numbers();
    register_lines();
    other_registers();
    no_stray();
    self_jumps();
    unaligned();
    flips();
    first_gens();
    encoders();
    failed_batch();
    queue_order();
    queue_readers();
    queue_again();
    busy_classes();
    queue_full();
    spaces();
    three_spaces();
    returned_row();
    closed_and_moved();
    little();
    return test_report("i915_edges");
}

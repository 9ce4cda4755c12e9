/* Events DROP: what a non-secure batch has no right to do. Events RULE: rules that a command breaks
 * while it is executed and traced. Both name a rule of the checker. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u

enum {
    R = 1,
    B = 4,
    MOST = 16,
    PRIVILEGED = GPUCMD_I915_RULE_PRIVILEGED,
    REGISTER = GPUCMD_I915_RULE_REGISTER
};

static uint8_t batch[4096], data[4096];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch, batch, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,  data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;

/* The events of one kind that a callback got. */
typedef struct heard {
    gpucmd_event_kind kind;
    unsigned count;
    gpucmd_event e[MOST];
    gpucmd_status answer;
} heard;

static gpucmd_status hear(void *user, const gpucmd_event *e)
{
    heard *h = user;
    if (e->kind != h->kind) {
        return GPUCMD_OK;
    }
    if (h->count < MOST) {
        h->e[h->count] = *e;
    }
    h->count++;
    return h->answer;
}

static void load(int gen, int engine, bool secure, const uint32_t *words, uint32_t n)
{
    memset(data, 0, sizeof data);
    gpucmd_store_words(batch, words, n, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch + 4 * (size_t)n, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine, 0), GPUCMD_OK);
    cs.reg[GPUCMD_I915_REG_HWS_PGA / 4] = DATA_VA;
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, secure), GPUCMD_OK);
}

/* One command after an MI_NOOP: in a non-secure batch it has one event, in a secure one none. A
 * trace and the callback get the same event. */
static void drops(void)
{
    /* clang-format off */
    static const struct {
        int gen, engine;
        unsigned rule;
        uint32_t addr, value, n, words[6];
    } rows[] = {
        /* stores to the global table. IVB PRM vol 1 part 3, MI_STORE_DATA_IMM: "privileged" */
        { 70, R, PRIVILEGED, 0, DATA_VA,       4, {0x10400002, 0, DATA_VA, 1}},
        { 90, R, PRIVILEGED, 0, DATA_VA,       4, {0x10400002, DATA_VA, 0, 1}},
        { 70, R, PRIVILEGED, 0, DATA_VA + 8,   3, {0x12400001, 0x2310, DATA_VA + 8}},
        { 90, R, PRIVILEGED, 0, DATA_VA + 8,   4, {0x12400002, 0x2310, DATA_VA + 8, 0}},
        { 70, R, PRIVILEGED, 0, DATA_VA,       3, {0x14c00001, 0x2310, DATA_VA}},
        { 90, R, PRIVILEGED, 0, DATA_VA,       5, {0x17200003, DATA_VA, 0, DATA_VA + 4, 0}},
        { 90, R, PRIVILEGED, 0, DATA_VA,       5, {0x17400003, DATA_VA, 0, DATA_VA + 4, 0}},
        { 70, R, PRIVILEGED, 0, DATA_VA + 192, 3, {0x10800001, 192, 1}},
        { 60, R, PRIVILEGED, 0, DATA_VA + 192, 3, {0x10800001, 192, 1}},
        /* post-sync operations to the global table, and by an index */
        { 70, R, PRIVILEGED, 0, DATA_VA + 16,  5, {0x7a000003, 0x01104000, DATA_VA + 16, 1, 0}},
        { 90, R, PRIVILEGED, 0, DATA_VA + 16,  6, {0x7a000004, 0x01104000, DATA_VA + 16, 0, 1, 0}},
        { 90, R, PRIVILEGED, 0, DATA_VA + 16,  6, {0x7a000004, 0x00304000, 16, 0, 1, 0}},
        { 90, B, PRIVILEGED, 0, DATA_VA + 16,  5, {0x13004003, DATA_VA + 20, 0, 1, 0}},
        { 90, B, PRIVILEGED, 0, DATA_VA + 16,  5, {0x13204003, 16, 0, 1, 0}},
        /* interrupts before gen8, conditions in the global table, reports, waits, flips */
        { 70, R, PRIVILEGED, 0, 0,             1, {0x01000000}},
        { 70, R, PRIVILEGED, 0, 0,             5, {0x7a000003, 0x00100100, 0, 0, 0}},
        { 70, B, PRIVILEGED, 0, 0,             3, {0x13000101, 0, 0}},
        { 90, R, PRIVILEGED, 0, DATA_VA,       4, {0x1b600002, 0, DATA_VA, 0}},
        { 75, R, PRIVILEGED, 0, DATA_VA,       3, {0x14000001, DATA_VA | 1, 5}},
        { 80, R, PRIVILEGED, 0, 0,             1, {0x01800008}},
        { 80, R, PRIVILEGED, 0, 0,             3, {0x0a000001, 0, 0}},
        /* registers outside the lists */
        { 60, R, REGISTER, 0x2310, 7,          3, {0x11000001, 0x2310, 7}},
        { 70, R, REGISTER, 0x2080, 7,          3, {0x11000001, 0x2080, 7}},
        { 90, R, REGISTER, 0x2080, 7,          3, {0x11000001, 0x2080, 7}},
        {110, R, REGISTER, 0x2080, 7,          3, {0x11080001, 0x0080, 7}},
        { 70, R, REGISTER, 0x2080, 0,          3, {0x14800001, 0x2080, DATA_VA}},
        { 90, R, REGISTER, 0x2080, 0,          4, {0x14800002, 0x2080, DATA_VA, 0}},
        { 75, R, REGISTER, 0x2080, DATA_VA,    3, {0x15000001, 0x2080, 0x2080}},
        { 90, R, REGISTER, 0x2080, 9,          6, {0x7a000004, 0x00900000, 0x2080, 0, 9, 0}},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int how = 0; how < 4; how++) { /* bit 0: secure, bit 1: with a trace */
            const bool secure = (how & 1) != 0;
            heard called = {GPUCMD_EVENT_DROP,
                            0,
                            {{GPUCMD_EVENT_DROP, 0, 0, 0, 0, 0, NULL, 0, NULL}},
                            GPUCMD_OK};
            heard traced = called;
            uint32_t words[8] = {0};
            gpucmd_why why;
            memcpy(words + 1, rows[i].words, 4 * (size_t)rows[i].n);
            load(rows[i].gen, rows[i].engine, secure, words, rows[i].n + 1);
            gpucmd_env_init(&env, &mem, hear, &called);
            if ((how & 2) != 0) {
                env.trace = hear;
                env.trace_user = &traced;
            }
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
            EQUAL(called.count, !secure);
            EQUAL(traced.count, how == 2);
            EQUAL(cs.dropped, !secure);
            gpucmd_i915_cs_why(&cs, &env, &why);
            EQUAL(why.kind, GPUCMD_WHY_IDLE);
            if (secure) {
                CHECK(why.name[0] == '\0');
                continue;
            }
            bool good = EQUAL(called.e[0].code, rows[i].rule);
            good = EQUAL(called.e[0].addr, rows[i].addr) && good;
            good = EQUAL(called.e[0].value, rows[i].value) && good;
            good = EQUAL(called.e[0].va, BATCH_VA + 4) && good;
            if (!good) {
                printf("    row %u, %08x\n", (unsigned)i, rows[i].words[0]);
            }
            EQUAL(called.e[0].unit, rows[i].engine);
            EQUAL(why.va, BATCH_VA + 4);
            CHECK(strcmp(why.name, rows[i].rule == PRIVILEGED ? "PRIVILEGED" : "REGISTER") == 0);
            EQUAL(data[8] | data[16] | data[192], 0);
        }
    }
}

/* Neighbours that have the right, and commands without an effect that could be lost. */
static void rights(void)
{
    static const struct {
        int gen, engine;
        uint32_t n, words[6];
    } rows[] = {
        {70, R, 4, {0x10000002, 0, DATA_VA, 1}               },
        {60, R, 4, {0x10400002, 0, DATA_VA, 1}               }, /* gen6 stores all the same */
        {70, R, 3, {0x11000001, 0x2310, 7}                   },
        {90, R, 3, {0x11000001, 0x2600, 7}                   },
        {90, R, 6, {0x7a000004, 0x00104000, DATA_VA, 0, 1, 0}},
        {90, R, 6, {0x7a000004, 0x01100000, DATA_VA, 0, 1, 0}}, /* no operation to lose */
        {80, R, 1, {0x01000000}                              },
        {70, R, 1, {0x04000000}                              }, /* arbitration */
        {70, R, 1, {0x05800000}                              },
        {80, R, 4, {0x0e40c002, 0, DATA_VA, 0}               }, /* the bit is ignored */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        heard called = {GPUCMD_EVENT_DROP,
                        0,
                        {{GPUCMD_EVENT_DROP, 0, 0, 0, 0, 0, NULL, 0, NULL}},
                        GPUCMD_OK};
        load(rows[i].gen, rows[i].engine, false, rows[i].words, rows[i].n);
        gpucmd_env_init(&env, &mem, hear, &called);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        if (!EQUAL(called.count, 0)) {
            printf("    row %u, %08x\n", (unsigned)i, rows[i].words[0]);
        }
    }
}

/* The callback can stop the engine; the text says what was lost first. */
static void answers(void)
{
    static const uint32_t words[] = {0x11000003, 0x2080, 7, 0x2600, 5};
    heard called = {GPUCMD_EVENT_DROP,
                    0,
                    {{GPUCMD_EVENT_DROP, 0, 0, 0, 0, 0, NULL, 0, NULL}},
                    GPUCMD_INVALID};
    gpucmd_why why;
    char text[256];
    gpucmd_text t;
    load(90, R, false, words, 5);
    gpucmd_env_init(&env, &mem, hear, &called);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    gpucmd_i915_cs_why(&cs, &env, &why);
    EQUAL(why.kind, GPUCMD_WHY_CALLBACK);
    EQUAL(why.status, GPUCMD_INVALID);
    called.answer = GPUCMD_BLOCKED;
    load(90, R, false, words, 5);
    gpucmd_env_init(&env, &mem, hear, &called);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
    EQUAL(cs.dropped, 0);
    called.answer = GPUCMD_OK;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.dropped, 1);
    EQUAL(cs.reg[GPUCMD_I915_REG_CS_GPR / 4], 5); /* the second pair is written */
    gpucmd_i915_cs_why(&cs, &env, &why);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_print_why(&t, &why);
    CHECK(strcmp(text,
                 "IDLE rcs0 at 0x0: REGISTER at 0x100000: a non-secure batch cannot write the "
                 "register\n") == 0);
}

/* Rules that traced commands break. The first event names the word. */
static void rules(void)
{
    /* clang-format off */
    static const struct {
        int gen;
        unsigned rule; /* ~0: none */
        uint32_t at, n, words[17];
    } rows[] = {
        { 70, GPUCMD_I915_RULE_PIPE_STALL,  0, 5, {0x7a000003, 0x00100000, 0, 0, 0}},
        { 70, ~0u,                          0, 5, {0x7a000003, 0x00100002, 0, 0, 0}},
        { 90, GPUCMD_I915_RULE_PIPE_TLB,    4, 7, {0, 0x7a000004, 0x00040000, 0, 0, 0, 0}},
        { 90, ~0u,                          0, 7, {0, 0x7a000004, 0x00140000, 0, 0, 0, 0}},
        { 80, GPUCMD_I915_RULE_LENGTH,      0, 7, {0x7a000005, 0, 0, 0, 0, 0, 0}},
        { 90, GPUCMD_I915_RULE_RESERVED,    0, 4, {0x10100002, DATA_VA, 0, 1}},
        { 90, ~0u,                          0, 4, {0x10000002, DATA_VA, 0, 1}},
        /* the order of commands: 3DPRIMITIVE, then STATE_BASE_ADDRESS without a stall */
        { 75, GPUCMD_I915_RULE_UNFLUSHED,  28, 17, {0x7b000005, 0, 0, 0, 0, 0, 0, 0x61010008}},
        /* rights are events DROP */
        { 90, ~0u,                          0, 4, {0x10400002, DATA_VA, 0, 1}},
        { 90, ~0u,                          0, 3, {0x11000001, 0x2080, 7}},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        heard traced = {GPUCMD_EVENT_RULE,
                        0,
                        {{GPUCMD_EVENT_RULE, 0, 0, 0, 0, 0, NULL, 0, NULL}},
                        GPUCMD_OK};
        heard called = traced;
        load(rows[i].gen, R, false, rows[i].words, rows[i].n);
        gpucmd_env_init(&env, &mem, hear, &called);
        env.trace = hear;
        env.trace_user = &traced;
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(called.count, 0);
        if (rows[i].rule == ~0u) {
            EQUAL(traced.count, 0);
            continue;
        }
        bool good = CHECK(traced.count != 0);
        good = good && EQUAL(traced.e[0].code, rows[i].rule);
        good = good && EQUAL(traced.e[0].va, BATCH_VA + rows[i].at);
        if (!good) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

int main(void)
{
    drops();
    rights();
    answers();
    rules();
    return test_report("i915_drops");
}

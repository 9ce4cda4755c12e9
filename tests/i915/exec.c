/* Effects of single commands, one row or function for each rule: words in, memory and registers
 * out. Words are typed, not emitted, so that encoder and executor are tested apart. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u
#define HWS_VA   0x00300000u

static uint8_t batch_bytes[16384], data[65536], hws[4096];
static const gpucmd_region regions[3] = {
    {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {HWS_VA,   sizeof hws,         hws,         GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;
static uint32_t event_count, event_addr, event_code, event_words;
static uint64_t event_value;
static uint32_t event_data[32]; /* words of the last event; event_has_data: it has some */
static bool event_has_data;
static uint32_t event_commands; /* events of kind COMMAND */
static gpucmd_event_kind event_kind;
static gpucmd_status event_answer;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    event_count++;
    event_commands += e->kind == GPUCMD_EVENT_COMMAND;
    event_kind = e->kind;
    event_addr = e->addr;
    event_code = e->code;
    event_value = e->value;
    event_words = e->count_dw;
    event_has_data = e->data != NULL;
    memset(event_data, 0, sizeof event_data);
    for (uint32_t i = 0; event_has_data && i < e->count_dw && i < 32; i++) {
        event_data[i] = e->data[i];
    }
    if (e->kind == GPUCMD_EVENT_REG_READ && e->out_dw != NULL) {
        *e->out_dw = 0x5eed;
    }
    return event_answer;
}

static void start(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    memset(batch_bytes, 0, sizeof batch_bytes);
    memset(data, 0, sizeof data);
    memset(hws, 0, sizeof hws);
    EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, on_event, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_HWS_PGA, HWS_VA);
    event_count = 0;
    event_commands = 0;
    event_answer = GPUCMD_OK;
}

static void set64(uint32_t off, uint64_t v)
{
    gpucmd_i915_cs_write(&cs, cs.base + off, (uint32_t)v);
    gpucmd_i915_cs_write(&cs, cs.base + off + 4, (uint32_t)(v >> 32));
}

static uint64_t get64(uint32_t off)
{
    return gpucmd_i915_cs_read(&cs, cs.base + off) |
           (uint64_t)gpucmd_i915_cs_read(&cs, cs.base + off + 4) << 32;
}

#define GPR(n) (0x600u + 8u * (n))

static uint32_t at32(uint32_t off)
{
    return gpucmd_load32(data + off, GPUCMD_LITTLE_ENDIAN);
}

static uint64_t at64(uint32_t off)
{
    return gpucmd_load64(data + off, GPUCMD_LITTLE_ENDIAN);
}

static void poke32(uint32_t off, uint32_t v)
{
    gpucmd_store32(data + off, v, GPUCMD_LITTLE_ENDIAN);
}

static void poke64(uint32_t off, uint64_t v)
{
    gpucmd_store64(data + off, v, GPUCMD_LITTLE_ENDIAN);
}

/* Run words as a batch, followed by END. */
static gpucmd_run run_words(const uint32_t *words, size_t len_dw, bool secure)
{
    gpucmd_store_words(batch_bytes, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    if (cs.state != GPUCMD_I915_RS0) {
        gpucmd_i915_cs_reset(&cs, 0);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, secure), GPUCMD_OK);
    test_dirty();
    return gpucmd_i915_cs_run(&cs, &env, 100000);
}

#define RUN_AS(secure, want, ...)                                                                  \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__};                                            \
        EQUAL(run_words(words_, sizeof words_ / 4, secure), want);                                 \
    } while (0)
#define RUN(...)  RUN_AS(true, GPUCMD_RUN_IDLE, __VA_ARGS__)
#define USER(...) RUN_AS(false, GPUCMD_RUN_IDLE, __VA_ARGS__)
#define DIES(want_error, ...)                                                                      \
    do {                                                                                           \
        RUN_AS(true, GPUCMD_RUN_FAULT, __VA_ARGS__);                                               \
        EQUAL(cs.state, GPUCMD_I915_RS5);                                                          \
        EQUAL(cs.error, GPUCMD_I915_ERROR_##want_error);                                           \
    } while (0)

static void noop(void)
{
    /* [LD] only bit 22 writes the number to NOPID */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    RUN(0x00012345);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x22094), 0);
    RUN(0x00412345);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x22094), 0x12345);
}

static void store_data_imm(void)
{
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    RUN(0x10400001, DATA_VA + 8, 0x55);
    EQUAL(at32(8), 0x55);
    EQUAL(at32(12), 0);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_BCS);
    RUN(0x10000002, 0, DATA_VA + 8, 0x55);
    EQUAL(at64(8), 0x55);
    RUN(0x10000003, 0, DATA_VA + 8, 0x55, 0x66);
    EQUAL(at64(8), 0x6600000055);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    RUN(0x10200003, DATA_VA + 16, 0, 1, 2);
    EQUAL(at64(16), 0x200000001);
    RUN(0x10000004, DATA_VA + 32, 0, 7, 8, 9); /* three contiguous dwords */
    EQUAL(at64(32), 0x800000007);
    EQUAL(at64(40), 9);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    RUN(0x10000402, DATA_VA, 0, 0x77); /* bit 10 is a hint */
    EQUAL(at32(0), 0x77);
    DIES(MEMORY, 0x10000002, 0x00900000, 0, 1);
    DIES(MEMORY, 0x10000002, DATA_VA, 1, 1); /* bit 32 of the address counts */
    /* not executed in a non-secure batch if it stores to the global table */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    USER(0x10400002, 0, DATA_VA, 0x55);
    EQUAL(at32(0), 0);
    USER(0x10000002, 0, DATA_VA, 0x55);
    EQUAL(at32(0), 0x55);
}

static void store_data_index(void)
{
    start(GPUCMD_I915_GEN4, GPUCMD_I915_RCS);
    RUN(0x10800001, 0xc0, 0x1234);
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0x1234);
    RUN(0x10800002, 0xc8, 1, 2);
    EQUAL(gpucmd_load64(hws + 0xc8, GPUCMD_LITTLE_ENDIAN), 0x200000001);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    USER(0x10a00001, 0xc0, 0x1234); /* nor with the per-process page [OUR] */
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS); /* nor on gen6 [OUR] */
    gpucmd_i915_cs_write(&cs, 0x4080, HWS_VA);
    USER(0x10800001, 0xc0, 0x1234);
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0);
    RUN(0x10800001, 0xc0, 0x1234);
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0x1234);
}

/* The register with the address of the status page: near the engine's base,
 * except on gen6 and gen7. */
static void status_pages(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        uint32_t reg;
    } rows[] = {
        {GPUCMD_I915_GEN4,   GPUCMD_I915_RCS,  0x2080 },
        {GPUCMD_I915_GEN6,   GPUCMD_I915_RCS,  0x4080 },
        {GPUCMD_I915_GEN6,   GPUCMD_I915_VCS,  0x14080},
        {GPUCMD_I915_GEN6,   GPUCMD_I915_BCS,  0x24080},
        {GPUCMD_I915_GEN7,   GPUCMD_I915_RCS,  0x4080 },
        {GPUCMD_I915_GEN7,   GPUCMD_I915_VCS,  0x4180 },
        {GPUCMD_I915_GEN7,   GPUCMD_I915_BCS,  0x4280 },
        {GPUCMD_I915_GEN7_5, GPUCMD_I915_VECS, 0x4380 },
        {GPUCMD_I915_GEN8,   GPUCMD_I915_BCS,  0x22080},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].gen, rows[i].engine);
        gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_HWS_PGA, 0);
        gpucmd_i915_cs_write(&cs, rows[i].reg, HWS_VA);
        RUN(0x10800001, 0xc0, 0x1234, 0x10800001, 0xffc, 0x5678);
        EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0x1234);
        EQUAL(gpucmd_load32(hws + 0xffc, GPUCMD_LITTLE_ENDIAN), 0x5678);
    }
}

static void registers(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    RUN(0x11000003, 0x2600, 0x11111111, 0x2604, 0x22222222);
    EQUAL(get64(GPR(0)), 0x2222222211111111);
    RUN(0x11000501, 0x2600, 0xffffffff); /* bytes 0 and 2 are not written */
    EQUAL(get64(GPR(0)) & 0xffffffff, 0xff11ff11);
    RUN(0x12000002, 0x2600, DATA_VA, 0);
    EQUAL(at32(0), 0xff11ff11);
    poke32(4, 0xabcd);
    RUN(0x14800002, 0x2608, DATA_VA + 4, 0);
    EQUAL(get64(GPR(1)), 0xabcd);
    RUN(0x15000001, 0x2608, 0x2614); /* source first */
    EQUAL(get64(GPR(2)), 0xabcd00000000);
    RUN(0x11000001, 0x20c0, 0x00050005, 0x11000001, 0x20c0, 0x00040000); /* INSTPM is masked */
    EQUAL(gpucmd_i915_cs_read(&cs, 0x20c0), 1);
    /* the timestamp counts from the loaded value, one tick for each command */
    RUN(0x11000001, 0x2358, 0x12345670, 0x12000002, 0x2358, DATA_VA, 0);
    EQUAL(at32(0), 0x12345671);
    RUN(0x11000001, 0x235c, 0x89, 0x12000002, 0x235c, DATA_VA, 0);
    EQUAL(at32(0), 0x89);
    /* the value of a register is not taken for the next register */
    RUN(0x11000001, 0x2610, 0x2618, 0x11000001, 0x2620, 7);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2610), 0x2618);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2618), 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2620), 7);
    /* nor is a register without a value taken for a command */
    RUN(0x11000002, 0x2610, 8, 0x05000000, 0x11000001, 0x2620, 9);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2610), 8);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2620), 9);
    RUN(0x11000002, 0x2610, 10, 0x2620, 0x11000004, 0x2610, 11, 0x2614, 12, 0x2620);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2610), 11);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2614), 12);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2620), 9);
    /* the callback gets registers outside the window */
    RUN(0x11000001, 0x7000, 0x42);
    EQUAL(event_count, 1);
    EQUAL(event_kind, GPUCMD_EVENT_REG_WRITE);
    EQUAL(event_addr, 0x7000);
    EQUAL(event_value, 0x42);
    for (uint32_t reg = 0x24; reg <= 0x480000; reg *= 2) {
        const uint32_t words[] = {0x11000001, reg, 0x42};
        event_count = 0;
        EQUAL(run_words(words, 3, true), GPUCMD_RUN_IDLE);
        EQUAL(event_count, reg == 0x2400 ? 0 : 1);
    }
    event_count = 0; /* beside the window */
    RUN(0x11000001, 0x1ffc, 0x42, 0x11000001, 0x2800, 0x42, 0x11000003, 0x1ffc, 0x42, 0x2800, 0x42);
    EQUAL(event_count, 4);
    RUN(0x12000002, 0x7000, DATA_VA, 0);
    EQUAL(at32(0), 0x5eed);
    env.event = NULL; /* without a callback they are 0 */
    RUN(0x12000002, 0x2608, DATA_VA, 0, 0x12000002, 0x7000, DATA_VA, 0);
    EQUAL(at32(0), 0);
    RUN(0x15000001, 0x2608, 0x2618, 0x15000001, 0x7000, 0x2618);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2618), 0);
    env.event = on_event;
    /* predicated store */
    poke32(0, 0);
    RUN(0x12200002, 0x2608, DATA_VA, 0);
    EQUAL(at32(0), 0);
    RUN(0x11000001, 0x2418, 1, 0x12200002, 0x2608, DATA_VA, 0);
    EQUAL(at32(0), 0xabcd);
    /* gen11: offsets from the engine's base */
    start(GPUCMD_I915_GEN11, GPUCMD_I915_VCS);
    RUN(0x11080001, 0x600, 5, 0x12080002, 0x600, DATA_VA, 0);
    EQUAL(at32(0), 5);
    RUN(0x150c0001, 0x600, 0x608);
    EQUAL(get64(GPR(1)), 5);
    /* before gen8: one word of address */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    RUN(0x11000001, 0x2310, 9, 0x12400001, 0x2310, DATA_VA, 0x14800001, 0x2318, DATA_VA);
    EQUAL(at32(0), 9);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2318), 9);
}

static void privilege(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    USER(0x11000005, 0x2600, 1, 0x2050, 0xffffffff, 0x2608,
         2); /* only the rejected pair is dropped */
    EQUAL(get64(GPR(0)), 1);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 0);
    EQUAL(get64(GPR(1)), 2);
    USER(0x11000001, 0x2680, 7); /* after the last general register */
    EQUAL(get64(0x680), 0);
    USER(0x12400002, 0x2600, DATA_VA, 0); /* store to the global table dropped */
    EQUAL(at32(0), 0);
    USER(0x12000002, 0x2600, DATA_VA, 0);
    EQUAL(at32(0), 1);
    USER(0x15000001, 0x2600, 0x2094, 0x15000001, 0x2600, 0x2080);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), 1);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2080), HWS_VA);
    USER(0x14800002, 0x2080, DATA_VA, 0, 0x14c00002, 0x2608, DATA_VA, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2080), HWS_VA);
    EQUAL(get64(GPR(1)), 2);
    USER(0x17400003, DATA_VA + 8, 0, DATA_VA, 0, 0x17200003, DATA_VA + 8, 0, DATA_VA, 0);
    EQUAL(at32(8), 0);
    USER(0x17000003, DATA_VA + 8, 0, DATA_VA, 0);
    EQUAL(at32(8), 1);
    USER(0x7a000004, 0x01004000, DATA_VA, 0, 7, 0, 0x7a000004, 0x00204000, 0x40, 0, 7, 0);
    EQUAL(at32(0), 1);
    EQUAL(gpucmd_load32(hws + 0x40, GPUCMD_LITTLE_ENDIAN), 0);
    USER(0x7a000004, 0x00004000, DATA_VA, 0, 7, 0);
    EQUAL(at64(0), 7);
    USER(0x7a000004, 0x00800000, 0x2050, 0, 7, 0, 0x7a000004, 0x00800000, 0x2610, 0, 7, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 0);
    EQUAL(get64(GPR(2)), 7);
    USER(0x01000000); /* from gen8 a user batch may interrupt */
    EQUAL(cs.interrupts, 1);
    /* FORCE_TO_NONPRIV slot 0 permits reads and writes of one register */
    gpucmd_i915_cs_write(&cs, 0x24d0, 0x2050);
    USER(0x11000001, 0x2050, 0x00010001);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 1);
    /* gen7: interrupts are dropped, also those of a flush */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    USER(0x01000000, 0x7a000003, 0x00000100, 0, 0, 0);
    EQUAL(cs.interrupts, 0);
    RUN(0x01000000, 0x7a000003, 0x00000100, 0, 0, 0);
    EQUAL(cs.interrupts, 2);
    USER(0x7a000003, 0x01004000, DATA_VA, 7, 0);
    EQUAL(at64(0), 0);
    USER(0x7a000003, 0x00004000, DATA_VA | 4, 7, 0); /* gen6 alone has the bit here */
    EQUAL(at64(0), 7);
    /* gen6: no register at all */
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    USER(0x11000001, 0x2310, 9);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2310), 0);
    /* but commands; from gen7 MI_SET_CONTEXT is skipped */
    USER(0x0c000000, 0x00345000);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2180), 0x00345000);
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    USER(0x0c000000, 0x00345000);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2180), 0);
    /* a child cannot have more rights than its parent */
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    gpucmd_store32(batch_bytes + 0x100, 0x11000001, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 0x104, 0x2050, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 0x108, 0x00010001, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 0x10c, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    USER(0x18800001, BATCH_VA + 0x100, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 0);
    RUN(0x18800101, BATCH_VA + 0x100, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 0);
    RUN(0x18800001, BATCH_VA + 0x100, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2050), 1);
}

static void post_sync(void)
{
    start(GPUCMD_I915_GEN4, GPUCMD_I915_RCS);
    RUN(0x7a004002, DATA_VA | 7, 0x11, 0x22);
    EQUAL(at64(0), 0x2200000011);
    set64(0x350, 0x123456789a);
    RUN(0x7a008002, DATA_VA, 0, 0);
    EQUAL(at64(0), 0x123456789a);
    cs.timestamp = 0x700000000;
    RUN(0x7a00c002, DATA_VA, 0, 0);
    EQUAL(at64(0) >> 32, 7);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    poke64(0, 0xffffffffffffffff);
    RUN(0x7a000003, 0x00004000, DATA_VA | 7, 0x64, 0);
    EQUAL(at64(0), 0x64);
    poke64(8, 0xffffffffffffffff);
    RUN(0x7a000002, 0x00004000, DATA_VA + 8, 0x64); /* one data word: 32 bits [OUR] */
    EQUAL(at64(8), 0xffffffff00000064);
    RUN(0x7a000003, 0x00800000, 0x2310, 7, 0); /* no write to a register before gen7 */
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2310), 0);
    start(GPUCMD_I915_GEN4, GPUCMD_I915_RCS); /* no interrupt before gen4.5 */
    RUN(0x7a000102, 0, 0, 0);
    EQUAL(cs.interrupts, 0);
    start(GPUCMD_I915_GEN4_5, GPUCMD_I915_RCS);
    RUN(0x7a000102, 0, 0, 0);
    EQUAL(cs.interrupts, 1);
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS); /* from gen7 such a word has any place */
    poke64(0, 0xffffffffffffffff);
    RUN(0x7a000002, 0x00004000, DATA_VA + 4, 0x64);
    EQUAL(at64(0), 0x64ffffffff);
    RUN(0x7a000002, 0x00204000, 0x44, 0x65);
    EQUAL(gpucmd_load64(hws + 0x40, GPUCMD_LITTLE_ENDIAN), 0x6500000000);
    poke64(0, 0xffffffffffffffff);
    RUN(0x7a000003, 0x00004000, DATA_VA + 4, 0x64, 0);
    EQUAL(at64(0), 0x64);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    set64(0x350, 77);
    RUN(0x7a000004, 0x0000a000, DATA_VA, 0, 0, 0);
    EQUAL(at64(0), 77);
    RUN(0x7a000004, 0x00204000, 0x80, 0, 9, 0); /* to the status page */
    EQUAL(gpucmd_load32(hws + 0x80, GPUCMD_LITTLE_ENDIAN), 9);
    RUN(0x7a000004, 0x00000100, 0, 0, 0, 0);
    EQUAL(cs.interrupts, 1);
    EQUAL(event_kind, GPUCMD_EVENT_INTERRUPT);
    /* MI_FLUSH_DW: width by the number of data words */
    start(GPUCMD_I915_GEN6, GPUCMD_I915_BCS);
    poke64(0, 0xffffffffffffffff);
    RUN(0x13004001, DATA_VA | 4, 0x64);
    EQUAL(at64(0), 0xffffffff00000064);
    RUN(0x13004002, DATA_VA | 7, 0x64, 0x65);
    EQUAL(at64(0), 0x6500000064);
    RUN(0x13204001, 0xc7, 0x66);
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0x66);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_VCS);
    poke64(0, 0xffffffffffffffff);
    RUN(0x13004002, DATA_VA, 0, 0x64);
    EQUAL(at64(0), 0xffffffff00000064);
    RUN(0x13004003, DATA_VA, 0, 0x64, 0x65);
    EQUAL(at64(0), 0x6500000064);
    cs.timestamp = 0x900000000;
    RUN(0x1300c102, DATA_VA, 0, 0);
    EQUAL(at64(0) >> 32, 9);
    EQUAL(cs.interrupts, 1);
    DIES(OPERAND, 0x13008002, DATA_VA, 0, 0);
}

/* MI_ATOMIC, 32 and 64 bits inline: operation, old, operand 1, operand 2, result. */
/* Samples of primitives, with option depth_step; a query of gen4 and one of
 * gen8. */
static void depth_count(void)
{
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    cs.depth_step = 100;
    RUN(0x7b000005, 4, 0, 3, 1, 0, 0,             /* 3DPRIMITIVE */
        0x7b000005, 4, 0, 3, 1, 0, 0,             /* another */
        0x7a000004, 0x0000a000, DATA_VA, 0, 0, 0, /* depth count */
        0x78230000, 0);                           /* no primitive */
    EQUAL(at64(0), 200);
    cs.reg[0x350 / 4] = 0xffffffff;
    RUN(0x7b000005, 4, 0, 3, 1, 0, 0);
    EQUAL(get64(0x350), 0x100000063);
    start(GPUCMD_I915_GEN4_5, GPUCMD_I915_RCS);
    cs.depth_step = 7;
    RUN(0x7b000004, 3, 0, 1, 0, 0, 0x7a00a002, DATA_VA | 4, 0, 0);
    EQUAL(at64(0), 7);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    RUN(0x7b000005, 4, 0, 3, 1, 0, 0);
    EQUAL(get64(0x350), 0);
}

static void atomic(void)
{
    static const struct {
        uint32_t op, old, op1, op2, want;
    } rows[] = {
        {0x01, 0xff00,     0x0ff0, 0, 0x0f00    },
        {0x02, 0xff00,     0x0ff0, 0, 0xfff0    },
        {0x03, 0xff00,     0x0ff0, 0, 0xf0f0    },
        {0x04, 0xff00,     0x0ff0, 0, 0x0ff0    },
        {0x05, 0xffffffff, 0,      0, 0         },
        {0x06, 0,          0,      0, 0xffffffff},
        {0x07, 7,          5,      0, 12        },
        {0x08, 7,          5,      0, 2         },
        {0x09, 7,          5,      0, 0xfffffffe},
        {0x0a, 0xffffffff, 5,      0, 5         },
        {0x0b, 0xffffffff, 5,      0, 0xffffffff},
        {0x0c, 0xffffffff, 5,      0, 0xffffffff},
        {0x0d, 0xffffffff, 5,      0, 5         },
        {0x0e, 7,          7,      9, 9         },
        {0x0e, 7,          8,      9, 7         },
        {0x0f, 7,          0,      0, 6         },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dword[11] = {0x17850009 | rows[i].op << 8, DATA_VA, 0, rows[i].op1,
                                    rows[i].op2};
        const uint32_t qword[11] = {
            0x178d0009 | (rows[i].op + 0x20) << 8, DATA_VA + 8, 0, 0, 0, rows[i].op1, rows[i].op2};
        start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
        poke32(0, rows[i].old);
        poke32(4, 0x1111);
        EQUAL(run_words(dword, 11, true), GPUCMD_RUN_IDLE);
        EQUAL(at32(0), rows[i].want);
        EQUAL(at32(4), 0x1111);
        EQUAL(get64(GPR(4)), rows[i].op == 0x0f ? rows[i].want : rows[i].old);
        if (rows[i].op != 5 && rows[i].op != 6 && rows[i].op != 15) {
            /* on the upper half of a qword; the lower halves are 0 */
            poke64(8, (uint64_t)rows[i].old << 32);
            EQUAL(run_words(qword, 11, true), GPUCMD_RUN_IDLE);
            EQUAL(at64(8), (uint64_t)rows[i].want << 32);
            EQUAL(get64(GPR(4)), (uint64_t)rows[i].old << 32);
        }
    }
}

static void atomic_forms(void)
{
    /* operands in the registers; without RETURN, GPR4 keeps its value */
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    set64(GPR(0), 5);
    set64(GPR(2), 9);
    poke32(0, 7);
    RUN(0x17800701, DATA_VA, 0);
    EQUAL(at32(0), 12);
    EQUAL(get64(GPR(4)), 0);
    poke64(8, 0xffffffff);
    RUN(0x17882701, DATA_VA + 8, 0); /* 64 bits carry */
    EQUAL(at64(8), 0x100000004);
    set64(GPR(0), 1);
    set64(GPR(1), 2);
    set64(GPR(2), 3);
    set64(GPR(3), 4);
    poke64(16, 1);
    poke64(24, 2);
    RUN(0x17914e01, DATA_VA + 16, 0); /* 16 bytes */
    EQUAL(at64(16), 3);
    EQUAL(at64(24), 4);
    EQUAL(get64(GPR(4)), 1);
    EQUAL(get64(GPR(5)), 2);
    /* the short inline form of iris on gen11 [CAP] */
    start(GPUCMD_I915_GEN11, GPUCMD_I915_RCS);
    RUN(0x178c2405, DATA_VA, 0, 0x11, 0, 0x22, 0);
    EQUAL(at64(0), 0x2200000011);
    DIES(LENGTH, 0x178c2403, DATA_VA, 0, 0x11, 0);
    DIES(LENGTH, 0x178c2404, DATA_VA, 0, 0x11, 0, 0x22);
    DIES(LENGTH, 0x17840702, DATA_VA, 0, 5);
    RUN(0x17840703, DATA_VA + 8, 0, 5, 6);
    EQUAL(at64(8), 5);
    DIES(LENGTH, 0x17944e08, DATA_VA, 0, 1, 2, 3, 4, 5, 6, 7);
    DIES(OPERAND, 0x17800001, DATA_VA, 0);
    DIES(OPERAND, 0x17880701, DATA_VA, 0);     /* 32-bit operation, 64-bit width */
    DIES(OPERAND, 0x17882701, DATA_VA + 4, 0); /* not aligned to its width */
}

static void math(void)
{
    /* [MB] add, unsigned less, equal; flags are all ones or zero */
    start(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS);
    set64(GPR(0), 0xffffffff);
    set64(GPR(1), 0x100000002);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831);
    EQUAL(get64(GPR(2)), 0x200000001);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10100000, 0x18001033);
    EQUAL(get64(GPR(4)), 0xffffffffffffffff);
    RUN(0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x18001033);
    EQUAL(get64(GPR(4)), 0);
    RUN(0x0d000004, 0x08008000, 0x08008400, 0x10100000, 0x18001032, 0x58000c32);
    EQUAL(get64(GPR(4)), 0xffffffffffffffff);
    EQUAL(get64(GPR(3)), 0);
    RUN(0x0d000003, 0x48008000, 0x48108400, 0x10200000, 0x18001031); /* ~a & ~0 */
    EQUAL(get64(GPR(4)), 0xffffffff00000000);
    RUN(0x0d000003, 0x08008000, 0x08108400, 0x10300000, 0x18001031); /* a | 0 */
    EQUAL(get64(GPR(4)), 0xffffffff);
    RUN(0x0d000003, 0x08008000, 0x48108400, 0x10400000, 0x18001031); /* a ^ ~0 */
    EQUAL(get64(GPR(4)), 0xffffffff00000000);
    /* ACCU, ZF, CF and the sources are 0 at the start, also after another command */
    for (uint32_t i = 6; i < 10; i++) {
        set64(GPR(i), 7);
    }
    RUN(0x0d000002, 0x48108000, 0x48108400, 0x10000000, /* */
        0x0d000004, 0x18001831, 0x18001c32, 0x18002033, 0x10300000, 0x18002431);
    for (uint32_t i = 6; i < 10; i++) {
        EQUAL(get64(GPR(i)), 0);
    }
    DIES(OPERAND, 0x0d000000, 0x12300000);
    DIES(OPERAND, 0x0d000000, 0x10500000); /* shifts are newer */
    DIES(OPERAND, 0x0d000000, 0x08008010); /* no such register */
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    set64(GPR(0), 0x8000000000000001);
    set64(GPR(1), 4);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10500000, 0x18000831);
    EQUAL(get64(GPR(2)), 0x10);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10600000, 0x18000831);
    EQUAL(get64(GPR(2)), 0x0800000000000000);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10700000, 0x18000831);
    EQUAL(get64(GPR(2)), 0xf800000000000000);
    RUN(0x0d000003, 0x08108000, 0x08008401, 0x10600000, 0x18000c32); /* 0 shifted: zero */
    EQUAL(get64(GPR(3)), 0xffffffffffffffff);
    set64(GPR(3), 7); /* a shift and an AND after a sum with a carry: no carry */
    RUN(0x0d000005, 0x08008000, 0x08008400, 0x10000000, 0x08008401, 0x10500000, 0x18000c33);
    EQUAL(get64(GPR(3)), 0);
    set64(GPR(3), 7);
    RUN(0x0d000004, 0x08008000, 0x08008400, 0x10000000, 0x10200000, 0x18000c33);
    EQUAL(get64(GPR(3)), 0);
    set64(GPR(0), 0x4000000000000001);
    RUN(0x0d000003, 0x08008000, 0x08008401, 0x10700000, 0x18000831);
    EQUAL(get64(GPR(2)), 0x0400000000000000);
    set64(GPR(1), 3);
    DIES(OPERAND, 0x0d000002, 0x08008000, 0x08008401, 0x10500000);
    set64(GPR(0), DATA_VA);
    set64(GPR(5), 0x1234);
    RUN(0x0d000004, 0x08008000, 0x08108400, 0x10000000, 0x1810c405, 0x00200000);
    EQUAL(at64(0), 0x1234);
    RUN(0x0d000004, 0x08008000, 0x08108400, 0x10000000, 0x08201831, 0x00100000);
    EQUAL(get64(GPR(6)), 0x1234);
    set64(GPR(1), -(uint64_t)DATA_VA); /* a borrow, which loads and stores keep */
    RUN(0x0d000005, 0x08108000, 0x08008401, 0x10100000, 0x1810c405, 0x08201831, 0x18001c33);
    EQUAL(get64(GPR(7)), 0xffffffffffffffff);
    DIES(OPERAND, 0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x1810c005); /* by ACCU alone */
    set64(GPR(0), DATA_VA + 12);
    RUN(0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x1810c405);
    EQUAL(at64(8), 0x1234);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    set64(GPR(0), DATA_VA);
    DIES(OPERAND, 0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x1810c405);
}

/* Stores of a value with all its bytes, and no byte after it. */
static void whole_words(void)
{
    start(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS);
    RUN(0x15800002, 0, DATA_VA + 8, 0x87654321);
    EQUAL(at64(8), 0x87654321);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    RUN(0x15800002, DATA_VA + 8, 0, 0x87654321);
    EQUAL(at64(8), 0x87654321);
    RUN(0x10000002, DATA_VA + 16, 0, 0x87654321);
    EQUAL(at64(16), 0x87654321);
    RUN(0x10800001, 0x40, 0x87654321);
    EQUAL(gpucmd_load64(hws + 0x40, GPUCMD_LITTLE_ENDIAN), 0x87654321);
    hws[0x14] = 0xee;
    RUN(0x03800000); /* the head, of 32 bits */
    EQUAL(hws[0x14], 0xee);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    RUN(0x10000002, 0, DATA_VA + 8, 0x87654321);
    EQUAL(at64(8), 0x87654321);
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    RUN(0x10400001, DATA_VA + 8, 0x87654321);
    EQUAL(at64(8), 0x87654321);
}

/* The words of a command that is passed to the callback: up to 32 words, in order. */
static void passed_words(void)
{
    uint32_t words[40] = {0x7a000004};
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    RUN(0x78080003, 0x11, 0x22, 0x33, 0x44);
    CHECK(event_has_data && event_words == 5 && event_addr == 1);
    CHECK(event_data[0] == 0x78080003 && event_data[1] == 0x11 && event_data[4] == 0x44);
    for (uint32_t n = 32; n < 34; n++) {
        words[0] = 0x78080000 | (n - 2);
        for (uint32_t i = 1; i < n; i++) {
            words[i] = 0x100 + i;
        }
        EQUAL(run_words(words, n, true), GPUCMD_RUN_IDLE);
        EQUAL(event_words, n);
        EQUAL(event_has_data, n == 32);
        EQUAL(event_data[31], n == 32 ? 0x11f : 0);
    }
}

/* A command whose first word alone can be read has no effect. */
static void cut_short(void)
{
    static const struct {
        int gen, engine;
        uint32_t n, words[3];
    } rows[] = {
        {90, 1, 1, {0x78080003, 0, 0}         },
        {90, 1, 2, {0x78080003, 0x11, 0}      },
        {90, 1, 1, {0x11000001, 0, 0}         },
        {90, 1, 2, {0x11000001, 0x2600, 0}    },
        {90, 4, 2, {0x54300005, 0x03f01000, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t at = (uint32_t)sizeof batch_bytes - 4 * rows[i].n;
        for (int traced = 0; traced < 2; traced++) {
            start((gpucmd_i915_gen)rows[i].gen, (gpucmd_i915_engine)rows[i].engine);
            env.trace = traced != 0 ? on_event : NULL;
            gpucmd_store_words(batch_bytes + at, rows[i].words, rows[i].n, GPUCMD_LITTLE_ENDIAN);
            EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA + at, true), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
            EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
            EQUAL(cs.state, GPUCMD_I915_RS5);
            EQUAL(event_commands, 0);
            CHECK(traced != 0 || event_count == 0);
            EQUAL(get64(GPR(0)), 0);
            EQUAL(gpucmd_i915_cs_read(&cs, cs.base + 0x68), rows[i].words[0]);
        }
    }
}

/* The register that names the command in work stays at the last one that was fetched. */
static void last_head(void)
{
    const uint32_t at = sizeof batch_bytes - 12;
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_store32(batch_bytes + at, 0x11000001, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + at + 4, 0x2600, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA + at - 4, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2068), 0x11000001);
    EQUAL(cs.commands, 2);
}

/* Features that start with a generation. */
static void since(void)
{
    /* before gen8 a non-secure batch cannot write general registers, except on
     * the render engine */
    start(GPUCMD_I915_GEN7_5, GPUCMD_I915_BCS);
    USER(0x11000001, 0x22600, 5);
    EQUAL(get64(GPR(0)), 0);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_BCS); /* PRM of BDW, vol 6: BCS_GPR */
    USER(0x11000001, 0x22600, 5);
    EQUAL(get64(GPR(0)), 5);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    USER(0x11000001, 0x22600, 5);
    EQUAL(get64(GPR(0)), 5);
    /* fences of the ALU came with gen12.5 */
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    DIES(OPERAND, 0x0d000000, 0x00100000);
    DIES(OPERAND, 0x0d000000, 0x00200000);
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    RUN(0x0d000001, 0x00100000, 0x00200000);
}

static void predicates(void)
{
    static const struct {
        uint32_t word;
        uint64_t src0, src1;
        uint32_t before, want;
    } rows[] = {
        {0x06000080, 0,           0, 0, 1}, /* TRUE */
        {0x06000081, 0,           0, 1, 0}, /* FALSE */
        {0x06000082, 5,           5, 0, 1}, /* equal */
        {0x06000082, 0x500000005, 5, 1, 0},
        {0x060000c2, 5,           5, 1, 0}, /* inverted */
        {0x06000083, 9,           6, 0, 1}, /* difference is 3 */
        {0x06000083, 9,           7, 1, 0},
        {0x06000002, 5,           5, 0, 0}, /* KEEP */
        {0x0600008a, 5,           5, 0, 0}, /* AND */
        {0x06000092, 5,           6, 1, 1}, /* OR */
        {0x0600009a, 5,           5, 1, 0}, /* XOR */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
        set64(0x400, rows[i].src0);
        set64(0x408, rows[i].src1);
        set64(0x410, 3);
        gpucmd_i915_cs_write(&cs, 0x2418, rows[i].before);
        EQUAL(run_words(&rows[i].word, 1, true), GPUCMD_RUN_IDLE);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2418), rows[i].want);
        EQUAL(get64(0x410), (rows[i].word & 3) == 2 ? rows[i].src0 - rows[i].src1 : 3); /* [PRM7] */
    }
    set64(0x410, 3);
    DIES(OPERAND, 0x06000042); /* a reserved load: DATA stays */
    EQUAL(get64(0x410), 3);
    /* MI_SET_PREDICATE: commands are parsed and skipped, up to the next
     * MI_SET_PREDICATE */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    RUN(0x0080000f, 0x10000002, DATA_VA, 0, 1, 0x11000001, 0x2600, 5, 0x00800000, 0x10000002,
        DATA_VA + 4, 0, 2);
    EQUAL(at64(0), 0x200000000);
    EQUAL(get64(GPR(0)), 0);
    RUN(0x00800001, 0x10000002, DATA_VA + 8, 0, 1); /* RESULT_2 is clear */
    EQUAL(at32(8), 0);
    RUN(0x00800002, 0x10000002, DATA_VA + 8, 0, 1); /* the end of the batch took the state away */
    EQUAL(at32(8), 1);
    gpucmd_i915_cs_write(&cs, 0x23bc, 1);
    RUN(0x00800002, 0x10000002, DATA_VA + 8, 0, 2);
    EQUAL(at32(8), 1);
    RUN(0x00800006, 0x10000002, DATA_VA + 8, 0, 3); /* unless two slices */
    EQUAL(at32(8), 1);
    cs.slices = 2;
    RUN(0x00800006, 0x10000002, DATA_VA + 8, 0, 3);
    EQUAL(at32(8), 3);
    DIES(OPERAND, 0x00800008);
    /* which conditions there are, and where gen12 keeps the answer */
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    RUN(0x00800003, 0x10000002, DATA_VA, 0, 1);
    EQUAL(at32(0), 0);
    start(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS);
    DIES(OPERAND, 0x00800003);
    start(GPUCMD_I915_GEN11, GPUCMD_I915_RCS);
    DIES(OPERAND, 0x00800005);
    DIES(OPERAND, 0x00800007);
    RUN(0x0080000f, 0x00800000);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x23b8), 0);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    RUN(0x0080000f);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x23b8), 1);
    RUN(0x0080000f, 0x00800000);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x23b8), 0);
    /* a predicated start reads RESULT_1; on gen12.5 it reads RESULT_SET */
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    RUN(0x18808101, BATCH_VA + 0x100, 0, 0x10000002, DATA_VA, 0, 1);
    EQUAL(at32(0), 1);
    gpucmd_store32(batch_bytes + 0x100, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    gpucmd_i915_cs_write(&cs, 0x241c, 1);
    RUN(0x18808101, BATCH_VA + 0x100, 0, 0x10000002, DATA_VA, 0, 2);
    EQUAL(at32(0), 1);
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    RUN(0x0080000f, 0x05008000, 0x00800000, 0x10000002, DATA_VA, 0, 1);
    EQUAL(at32(0), 1);
    RUN(0x05008000, 0x10000002, DATA_VA, 0, 2);
    EQUAL(at32(0), 1);
}

static void conditional_end(void)
{
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    poke32(0, 5);
    RUN(0x1b200002, 4, DATA_VA, 0, 0x10000002, DATA_VA + 4, 0, 1);
    EQUAL(at32(4), 1); /* 5 > 4: on */
    RUN(0x1b200002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 4, 0, 2);
    EQUAL(at32(4), 1); /* 5 > 5 is false: the end */
    RUN(0x1b000002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 4, 0, 3);
    EQUAL(at32(4), 3); /* not enabled */
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    RUN(0x1b200001, 0, DATA_VA, 0x10000002, 0, DATA_VA + 4, 1);
    EQUAL(at32(4), 0);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    poke32(0, 0x0f); /* mask, then data */
    poke32(4, 0xf5);
    RUN(0x1b280002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1);
    EQUAL(at32(8), 0);
    RUN(0x1b280002, 4, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1);
    EQUAL(at32(8), 1);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    poke32(0, 5);
    RUN(0x1b204002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1); /* == */
    EQUAL(at32(8), 1);
    RUN(0x1b205002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 2); /* != */
    EQUAL(at32(8), 1);
}

static void semaphore_wait(void)
{
    static const char *const signs[] = {">", ">=", "<", "<=", "==", "!="};
    static const struct {
        uint32_t compare, memory, value;
        bool passes;
    } rows[] = {
        {0, 2,          1, true },
        {0, 1,          1, false},
        {0, 0xffffffff, 1, true },
        {1, 1,          1, true },
        {1, 0,          1, false},
        {2, 0,          1, true },
        {2, 1,          1, false},
        {3, 1,          1, true },
        {3, 2,          1, false},
        {4, 1,          1, true },
        {4, 2,          1, false},
        {5, 2,          1, true },
        {5, 1,          1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t words[] = {0x0e008002 | rows[i].compare << 12, rows[i].value, DATA_VA, 0};
        start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
        poke32(0, rows[i].memory);
        EQUAL(run_words(words, 4, false), rows[i].passes ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
        EQUAL(cs.wait.active, !rows[i].passes);
        if (!rows[i].passes) {
            char text[128];
            gpucmd_text t;
            EQUAL(cs.state, GPUCMD_I915_BS4);
            EQUAL(cs.ctl >> 10 & 1, 1);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_BLOCKED);
            gpucmd_text_init(&t, text, sizeof text);
            gpucmd_i915_print_waits(&t, &cs, 1, &env);
            const char *sign = signs[rows[i].compare];
            CHECK(strncmp(text, "rcs0 at 0x100000 waits for memory 0x200000 ", 43) == 0);
            CHECK(strncmp(text + 43, sign, strlen(sign)) == 0 && text[43 + strlen(sign)] == ' ');
        }
    }
    poke32(0, 2); /* the last row waits for != 1 */
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(cs.wait.active, false);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_BCS); /* which gen8 has not: this is memory */
    poke32(0, 1);
    RUN(0x0e01c002, 1, DATA_VA, 0);
    EQUAL(event_count, 0);
    start(GPUCMD_I915_GEN12, GPUCMD_I915_BCS); /* token form; register poll */
    poke32(0, 1);
    RUN(0x0e00c003, 1, DATA_VA, 0, 0, 0x0e01c003, 0, 0x22600, 0, 0);
    DIES(OPERAND, 0x0e00e002, 1, DATA_VA, 0);
}

static void others(void)
{
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    poke32(0, 0x1234);
    RUN(0x17000003, DATA_VA + 4, 0, DATA_VA, 0); /* destination first */
    EQUAL(at32(4), 0x1234);
    cs.head = 0x00400000;
    RUN(0x03800000);
    EQUAL(gpucmd_load32(hws + 0x10, GPUCMD_LITTLE_ENDIAN), 0x00400000);
    cs.head = 0;
    RUN(0x7b000005, 0, 3, 0, 1, 0, 0); /* the callback gets a primitive with all its words */
    EQUAL(event_kind, GPUCMD_EVENT_COMMAND);
    EQUAL(event_addr, GPUCMD_I915_OP_GFX);
    EQUAL(event_words, 7);
    EQUAL(event_value, 0x7b000005);
    event_answer = GPUCMD_BLOCKED; /* the display is not there yet */
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x01800008);
    EQUAL(event_kind, GPUCMD_EVENT_WAIT);
    EQUAL(event_value, 8);
    CHECK(cs.wait.active && cs.wait.is_event);
    event_answer = GPUCMD_OK;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_IDLE);
    event_answer = GPUCMD_FAULT;
    DIES(CALLBACK, 0x01000000);
    EQUAL(cs.fault, GPUCMD_FAULT);
    event_answer = GPUCMD_OK;
    DIES(LENGTH, 0x12000000, 0x2600);
    DIES(LENGTH, 0x7a000001, 0, 0);
    DIES(LENGTH, 0x7a000002, 0x4000, DATA_VA, 0); /* a store without data */
    RUN(0x7a000002, 0, 0, 0);
    DIES(UNKNOWN, 0x54f00008, 0, 0, 0, 0, 0, 0, 0, 0, 0); /* no blits on the render engine */
    DIES(UNKNOWN, 0x0b140001, 0, 0);
    DIES(UNKNOWN, 0xe0000000);
}

/* A command that a non-secure batch cannot execute has no effect: it reads
 * nothing, and the callback hears only of that. */
static void refused(void)
{
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    USER(0x14800001, 0x2080, 0x08000000); /* no memory there */
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2080), HWS_VA);
    RUN_AS(false, GPUCMD_RUN_FAULT, 0x14800001, 0x2310, 0x08000000); /* this one is granted */
    USER(0x10400002, 0, DATA_VA, 1); /* gen7 drops stores to the global table */
    EQUAL(at32(0), 0);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    USER(0x10400002, 0, DATA_VA, 1);
    EQUAL(at32(0), 1);
    /* gen7.5: some bits of a register are a grant for immediate values alone */
    start(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS);
    poke32(0, 0x00400040);
    USER(0x11000001, 0x2600, 0x00400040);
    event_count = 0;
    USER(0x14800001, 0xe49c, DATA_VA, 0x15000001, 0x2600, 0xe49c, 0x11000001, 0xe49c, 0x00400041);
    EQUAL(event_count, 3);
    EQUAL(event_kind, GPUCMD_EVENT_DROP);
    USER(0x11000001, 0xe49c, 0x00400040);
    EQUAL(event_count, 4);
    EQUAL(event_kind, GPUCMD_EVENT_REG_WRITE);
    EQUAL(event_addr, 0xe49c);
    EQUAL(event_value, 0x00400040);
    event_count = 0;
    USER(0x14000001, DATA_VA | 1, 5); /* a report to the global table */
    EQUAL(event_count, 1);
    EQUAL(event_kind, GPUCMD_EVENT_DROP);
    USER(0x14000001, DATA_VA, 5);
    EQUAL(event_count, 2);
    EQUAL(event_kind, GPUCMD_EVENT_COMMAND);
    RUN(0x14000001, DATA_VA | 1, 5);
    EQUAL(event_count, 3);
    EQUAL(event_kind, GPUCMD_EVENT_COMMAND);
}

/* The bit for the global table in a non-secure batch: a conditional end is
 * skipped, a flush does not store, semaphores and atomic operations ignore the
 * bit. */
static void global_bit(void)
{
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    USER(0x1b600002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1);
    EQUAL(at32(8), 1);
    RUN(0x1b600002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 2);
    EQUAL(at32(8), 1);
    USER(0x17c40709, DATA_VA, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    EQUAL(at32(0), 5);
    USER(0x0e40c002, 5, DATA_VA, 0);
    RUN_AS(false, GPUCMD_RUN_BLOCKED, 0x0e40c002, 6, DATA_VA, 0);
    start(GPUCMD_I915_GEN8, GPUCMD_I915_BCS);
    USER(0x13004002, DATA_VA | 4, 0, 7, 0x13204002, 0xc0, 0, 7);
    EQUAL(at32(0), 0);
    EQUAL(gpucmd_load32(hws + 0xc0, GPUCMD_LITTLE_ENDIAN), 0);
    USER(0x13004002, DATA_VA, 0, 7);
    EQUAL(at32(0), 7);
}

/* A conditional end leaves all levels; from gen12 a bit keeps it to its own. */
static void conditional_levels(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t head, want;
    } rows[] = {
        {GPUCMD_I915_GEN9,    0x1b200002, 0},
        {GPUCMD_I915_GEN11,   0x1b240002, 0},
        {GPUCMD_I915_GEN12,   0x1b200002, 0},
        {GPUCMD_I915_GEN12,   0x1b240002, 1},
        {GPUCMD_I915_GEN12_5, 0x1b200002, 0},
        {GPUCMD_I915_GEN12_5, 0x1b240002, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t child[] = {rows[i].head, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 9};
        start(rows[i].gen, GPUCMD_I915_RCS);
        gpucmd_store_words(batch_bytes + 0x100, child, 8, GPUCMD_LITTLE_ENDIAN);
        RUN(0x18c00001, BATCH_VA + 0x100, 0, 0x10000002, DATA_VA + 8, 0, 1);
        EQUAL(at32(8), rows[i].want);
    }
}

/* Source and destination of MI_LOAD_REGISTER_REG are made relative each by its own bit. */
static void relative(void)
{
    start(GPUCMD_I915_GEN11, GPUCMD_I915_BCS);
    set64(GPR(0), 5);
    RUN(0x15040001, 0x600, 0x22608);
    EQUAL(get64(GPR(1)), 5);
    RUN(0x15080001, 0x22600, 0x610);
    EQUAL(get64(GPR(2)), 5);
    /* before gen8 five words store a qword without a bit for it */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    RUN(0x10000003, 0, DATA_VA, 0x11, 0x22);
    EQUAL(at64(0), 0x2200000011);
}

/* Which bits of a start lower the rights on Haswell, and where it may call. */
static void haswell(void)
{
    static const struct {
        gpucmd_i915_engine engine;
        uint32_t head, want, after;
    } rows[] = {
        {GPUCMD_I915_RCS,  0x18800000, 1, 0},
        {GPUCMD_I915_RCS,  0x18800100, 1, 0},
        {GPUCMD_I915_RCS,  0x18802100, 0, 0},
        {GPUCMD_I915_VECS, 0x18800000, 1, 0},
        {GPUCMD_I915_VECS, 0x18800100, 0, 0},
        {GPUCMD_I915_RCS,  0x18c00000, 1, 7},
        {GPUCMD_I915_VECS, 0x18c00000, 1, 0}, /* no second level there */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t child[] = {rows[i].head, BATCH_VA + 0x200, 0x10000002, 0, DATA_VA, 7, 0x05000000};
        uint32_t last[] = {0x11000001, 0, 0x00010001, 0x05000000};
        start(GPUCMD_I915_GEN7_5, rows[i].engine);
        last[1] = cs.base + 0x50;
        gpucmd_store_words(batch_bytes + 0x200, last, 4, GPUCMD_LITTLE_ENDIAN);
        EQUAL(run_words(child, 7, true), GPUCMD_RUN_IDLE);
        EQUAL(gpucmd_i915_cs_read(&cs, cs.base + 0x50) & 1, rows[i].want);
        EQUAL(at32(0), rows[i].after);
    }
    /* MI_SEMAPHORE_MBOX: UPDATE with REGISTER is rejected, and there is no fourth mailbox */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    DIES(OPERAND, 0x0b240001, 1, DATA_VA);
    DIES(OPERAND, 0x0b170001, 1, 0);
    RUN(0x0b000001, 1, DATA_VA);
    /* gen8 has no masks in a conditional end */
    start(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    poke32(0, 5);
    poke32(4, 9);
    RUN(0x1b280002, 5, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1);
    EQUAL(at32(8), 0);
    RUN(0x1b280002, 4, DATA_VA, 0, 0x10000002, DATA_VA + 8, 0, 1);
    EQUAL(at32(8), 1);
}

/* CTL says what the streamer waits for, and is clear when it does not wait. */
static void waiting_bits(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    event_answer = GPUCMD_BLOCKED;
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x01800008);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0x800);
    event_answer = GPUCMD_OK;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0);
    event_answer = GPUCMD_BLOCKED;
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x01800008);
    event_answer = GPUCMD_FAULT;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_FAULT);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0);
    event_answer = GPUCMD_OK;
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x0e00c002, 1, DATA_VA, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0x400);
    poke32(0, 1);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0);
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x0e00c002, 2, DATA_VA, 0);
    gpucmd_i915_cs_reset(&cs, 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x203c) & 0xc00, 0);
    EQUAL(cs.wait.active, false);
}

/* The bits that a register keeps when the CPU writes it. [K] */
static void kept(void)
{
    static const struct {
        uint32_t off, first, second, want;
    } rows[] = {
        {0x3c, 0xffffffff, 0xffffffff, 0x001ff007}, /* CTL: pages, head reports, valid */
        {0x38, 0x12345fff, 0x12345fff, 0x12345000}, /* START */
        {0x30, 0xffffffff, 0xffffffff, 0x001ffff8}, /* TAIL */
        {0x34, 0xffffffff, 0xffffffff, 0xfffffffc}, /* HEAD */
        {0x50, 0x00050005, 0x00040000, 0x00000001}, /* masked */
        {0x54, 0x00050005, 0x00040000, 0x00000001},
        {0x9c, 0x11001100, 0x01000000, 0x00001000},
        {0xc0, 0x02000200, 0x00010001, 0x00000201},
        {0x98, 0x00050005, 0x00040000, 0x00040000}, /* plain */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
        gpucmd_i915_cs_write(&cs, 0x2000 + rows[i].off, rows[i].first);
        gpucmd_i915_cs_write(&cs, 0x2000 + rows[i].off, rows[i].second);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2000 + rows[i].off), rows[i].want);
    }
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    cs.acthd = 0x123456789a0;
    gpucmd_i915_cs_write(&cs, 0x2074, 1);
    gpucmd_i915_cs_write(&cs, 0x205c, 1);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2074), 0x456789a0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x205c), 0x123);
    /* the first word of the last command */
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    RUN(0x00400123);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x208c), 0x05000000);
    start(GPUCMD_I915_GEN4, GPUCMD_I915_RCS);
    RUN(0x00400123);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x208c), 0);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2068), 0x05000000);
}

/* Why the streamer does not go on, as one line. */
#define WHY(...)                                                                                   \
    do {                                                                                           \
        char line_[200];                                                                           \
        gpucmd_text t_;                                                                            \
        gpucmd_why why_;                                                                           \
        gpucmd_text_init(&t_, line_, sizeof line_);                                                \
        gpucmd_i915_cs_why(&cs, &env, &why_);                                                      \
        gpucmd_print_why(&t_, &why_);                                                              \
        if (!CHECK(strcmp(line_, __VA_ARGS__) == 0)) {                                             \
            printf("    %s", line_);                                                               \
        }                                                                                          \
    } while (0)

static void why(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    WHY("IDLE bcs0 at 0x0: no work is left\n");
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    WHY("READY bcs0 at 0x0: work is left and nothing stops it\n");
    gpucmd_i915_cs_reset(&cs, 0);
    DIES(FETCH, 0, 0x18800101, 0x7000, 0);
    WHY("MEMORY bcs0 at 0x100004: 0x7000: command in unmapped memory\n");
    DIES(MEMORY, 0x10000002, 0x8000, 0, 7);
    WHY("MEMORY bcs0 at 0x100000: 0x8000: data in unmapped memory\n");
    gpucmd_i915_cs_reset(&cs, 8);
    WHY("IDLE bcs0 at 0x8: no work is left\n");
    DIES(UNKNOWN, 0, 0xa0000000);
    WHY("ERROR bcs0 at 0x100004: IPEHR 0xa0000000 UNKNOWN: no such command on this engine\n");
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x0e00c002, 7, DATA_VA + 8, 0);
    WHY("WAIT bcs0 at 0x100000: == 0x7 at 0x200008: polls memory\n");
    gpucmd_i915_cs_reset(&cs, 0);
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0, 0x0e001002, 7, DATA_VA + 8, 0);
    WHY("WAIT bcs0 at 0x100004: >= 0x7 at 0x200008: waits for MI_SEMAPHORE_SIGNAL\n");
    gpucmd_i915_cs_reset(&cs, 0);
    event_answer = GPUCMD_BLOCKED;
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x01800008);
    WHY("WAIT bcs0 at 0x100000: event 0x8 at 0x0: MI_WAIT_FOR_EVENT waits for the callback\n");
    gpucmd_i915_cs_reset(&cs, 0);
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x01000000);
    WHY("CALLBACK bcs0 at 0x100000: BLOCKED: a callback returned this status\n");
    gpucmd_i915_cs_reset(&cs, 0);
    event_answer = GPUCMD_LIMIT;
    DIES(CALLBACK, 0x01000000);
    WHY("CALLBACK bcs0 at 0x100000: LIMIT: a callback returned this status\n");
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    DIES(OPERAND, 0x0b240001, 0, 0);
    WHY("MODEL rcs0 at 0x100000: OPERAND: operand without a defined meaning\n");
    start(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
    RUN_AS(true, GPUCMD_RUN_BLOCKED, 0x0e01c003, 7, 0x2600, 0, 0);
    WHY("WAIT rcs0 at 0x100000: == 0x7 at 0x2600: polls a register\n");
}

/* The address of a bad word in the ring, in a batch and in a batch that this batch calls. */
static void bad_word(void)
{
    gpucmd_why y;
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    DIES(UNKNOWN, 0, 0, 0xa0000000);
    gpucmd_i915_cs_why(&cs, NULL, &y);
    EQUAL(y.at_va, BATCH_VA + 8);
    EQUAL(y.va, BATCH_VA + 8);
    EQUAL(y.unit, GPUCMD_I915_RCS);
    CHECK(strcmp(y.unit_name, "rcs") == 0);
    EQUAL(y.unit_number, 0);
    gpucmd_i915_cs_reset(&cs, 0);
    DIES(OPERAND, 0, 0x0e007002, 1, DATA_VA, 0);
    gpucmd_i915_cs_why(&cs, NULL, &y);
    EQUAL(y.at_va, BATCH_VA + 4);
    EQUAL(y.va, BATCH_VA + 4);
    EQUAL(y.bits, 0x0e007002);
}

/* Commands that neither the executor nor a callback executes; reset keeps their number. */
static void unexecuted(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    env.event = NULL;
    RUN(0x78080003, 1, 2, 3, 4, 0, 0x7a000004, 0, 0, 0, 0, 0, 0x7b000005, 4, 3, 0, 1, 0, 0);
    EQUAL(cs.unexecuted, 2); /* 3DSTATE_VERTEX_BUFFERS, 3DPRIMITIVE */
    gpucmd_i915_cs_reset(&cs, 0);
    EQUAL(cs.unexecuted, 2);
    env.trace = on_event;
    RUN(0x78080003, 1, 2, 3, 4);
    EQUAL(cs.unexecuted, 3);
    env.event = on_event;
    RUN(0x78080003, 1, 2, 3, 4);
    EQUAL(cs.unexecuted, 3);
}

/* Registers: those of old generations are plain later, masked writes belong to the copy engine,
 * registers of other engines read as 0. */
static void register_edges(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_i915_cs_write(&cs, 0x20c8, 0x1234);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x20c8), 0x1234);
    gpucmd_i915_cs_write(&cs, 0x2200, 0x00030003);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2200), 0x00030003);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x22094), 0); /* of the copy engine */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    gpucmd_i915_cs_write(&cs, 0x22200, 0x00030003);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x22200), 3);
    start(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x4084), 0); /* beside HWS_PGA of gen6 */
    /* HEAD moves ACTHD in the ring only */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    for (int i = 0; i < 8 && gpucmd_i915_cs_read(&cs, 0x2074) < BATCH_VA; i++) {
        EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_DONE);
    }
    gpucmd_i915_cs_write(&cs, 0x2034, 0x40);
    CHECK(gpucmd_i915_cs_read(&cs, 0x2074) >= BATCH_VA);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2034), 0x40);
    /* two registers of the ring in one command */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    RUN(0x11000003, 0x2038, 0x40000, 0x203c, 0x1000);
    EQUAL(cs.start, 0x40000);
    EQUAL(cs.ctl, 0x1000);
    /* HEAD after the end of the ring stays where it is after a batch */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    gpucmd_i915_cs_write(&cs, 0x2034, 0x2000);
    RUN(0);
    EQUAL(cs.head, 0x2000);
    /* an access that the callback refuses ends the command */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    event_answer = GPUCMD_FAULT;
    poke32(0, 0x55);
    DIES(CALLBACK, 0x12000002, 0x40000, DATA_VA, 0); /* store of a register nobody has */
    EQUAL(at32(0), 0x55);
    DIES(CALLBACK, 0x15000001, 0x40000, 0x2600);
    EQUAL(get64(GPR(0)), 0);
}

/* Operands and memory that MI commands must not have. */
static void command_edges(void)
{
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    DIES(MEMORY, 0x10000004, DATA_VA + 65532, 0, 1, 2, 3); /* the second word */
    EQUAL(at32(65532), 1);
    DIES(OPERAND, 0x17904f01, DATA_VA, 0); /* 16 bytes: COMPARE_WRITE only */
    /* MI_MATH of gen12.5: shift by 64; LOADIND to a GPR 16, from memory that is not there */
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    set64(GPR(0), 1);
    set64(GPR(1), 64);
    DIES(OPERAND, 0x0d000002, 0x08008000, 0x08008401, 0x10500000);
    set64(GPR(0), 0x00900000);
    DIES(OPERAND, 0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x08204031);
    DIES(MEMORY, 0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x08200431);
    /* a non-secure batch: no event for a command without effect, or a flush that stores nothing */
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    USER(0x05800001);
    EQUAL(event_count, 0);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    USER(0x13200002, 0, 0, 0);
    EQUAL(event_count, 0);
    /* the option of walkthroughs changes nothing for commands inside a batch */
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    cs.seed_literal = true;
    RUN(0x10000002, DATA_VA, 0, 5, 0x10000002, DATA_VA + 4, 0, 6);
    EQUAL(at64(0), 0x600000005);
    /* gen35: a qword; nothing; without POST_SYNC a dword if the flag says so */
    start(GPUCMD_I915_GEN35, GPUCMD_I915_RCS);
    RUN(0x7a000004, 0x4000, DATA_VA, 0, 0x55, 0x66);
    EQUAL(at64(0), 0x6600000055);
    RUN(0x7a000004, 0, DATA_VA + 8, 0, 0x77, 0);
    EQUAL(at64(8), 0);
}

/* Commands for the callback: COMPUTE_WALKER of generations whose post-sync operation the model does
 * not know, and of other engines; 3DPRIMITIVE that is refused, or not of the render engine. */
static void caller_edges(void)
{
    uint32_t walker[39] = {0x72080025};
    for (int i = 0; i < 3; i++) {
        static const gpucmd_i915_gen gens[3] = {GPUCMD_I915_GEN12, GPUCMD_I915_GEN35,
                                                GPUCMD_I915_GEN12_5};
        start(gens[i], i == 2 ? GPUCMD_I915_VCS : GPUCMD_I915_RCS);
        EQUAL(run_words(walker, 39, true), GPUCMD_RUN_IDLE);
        EQUAL(event_commands, 1);
        EQUAL(event_words, 39);
    }
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    walker[26] = 3; /* timestamps where no memory is */
    walker[27] = 0x00900000;
    EQUAL(run_words(walker, 39, true), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
    walker[26] = 1;
    walker[27] = DATA_VA;
    event_answer = GPUCMD_FAULT;
    EQUAL(run_words(walker, 39, true), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_CALLBACK);
    EQUAL(at64(0), 0);
    walker[0] = 0x72080010; /* too short */
    event_answer = GPUCMD_OK;
    EQUAL(run_words(walker, 18, true), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    cs.depth_step = 7;
    RUN(0x7b000005, 4, 3, 0, 1, 0, 0);
    EQUAL(get64(0x350), 7);
    event_answer = GPUCMD_FAULT;
    DIES(CALLBACK, 0x7b000005, 4, 3, 0, 1, 0, 0);
    EQUAL(get64(0x350), 7);
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_CCS);
    cs.depth_step = 7;
    RUN(0x7b000005, 4, 3, 0, 1, 0, 0);
    EQUAL(get64(0x350), 0);
    start(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    cs.depth_step = 7;
    RUN(0x7b000005, 4, 3, 0, 1, 0, 0);
    EQUAL(get64(0x350), 0);
}

/* Blits that cannot be drawn: tiled surfaces whose pitch is negative, or whose first pixel is left
 * of the surface or above it; memory that is read, too, and is not there. */
static void blit_edges(void)
{
    gpucmd_why y;
    start(GPUCMD_I915_GEN6, GPUCMD_I915_BCS);
    DIES(OPERAND, 0x54f00806, 0x03cc0064, 0, 0x00010001, DATA_VA, 0, 64, DATA_VA + 0x8000);
    DIES(OPERAND, 0x54f00806, 0x03ccff80, 0, 0x00010001, DATA_VA, 0, 64, DATA_VA + 0x8000);
    DIES(OPERAND, 0x54f00806, 0x03cc0080, 0x0000ffff, 0x00010001, DATA_VA, 0, 64, DATA_VA + 0x8000);
    DIES(OPERAND, 0x54f00806, 0x03cc0080, 0xffff0000, 0x00010001, DATA_VA, 0, 64, DATA_VA + 0x8000);
    DIES(MEMORY, 0x54300004, 0x035a0400, 0, 0x00010064, 0x00900000, 1);
    DIES(MEMORY, 0x54700004, 0x035a0400, 0, 0x00010064, 0x00900000, DATA_VA);
    /* why: a blit that has begun waits for nobody */
    start(GPUCMD_I915_GEN6, GPUCMD_I915_BCS);
    static const uint32_t fill[] = {0x54300004, 0x035a0100, 0, 0x00100040, DATA_VA, 1, 0x05000000};
    gpucmd_store_words(batch_bytes, fill, 7, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 8), GPUCMD_RUN_LIMIT);
    gpucmd_i915_cs_why(&cs, &env, &y);
    EQUAL(y.kind, GPUCMD_WHY_READY);
    EQUAL(gpucmd_i915_run_all(&cs, 1, &env, 10000, NULL), GPUCMD_RUN_IDLE);
    EQUAL(at32(0), 1);
    EQUAL(at32(15 * 0x100 + 0xfc), 1);
}

/* Words in a ring that wait; memory that goes away between two steps. */
static void step_edges(void)
{
    gpucmd_why y;
    static const gpucmd_i915_gen gens[2] = {GPUCMD_I915_GEN6, GPUCMD_I915_GEN9};
    for (int i = 0; i < 2; i++) {
        start(gens[i], GPUCMD_I915_RCS);
        gpucmd_store32(batch_bytes, 0x05800000, GPUCMD_LITTLE_ENDIAN);
        cs.start = BATCH_VA;
        cs.ctl = 1;
        cs.tail = 8;
        gpucmd_i915_cs_why(&cs, &env, &y);
        EQUAL(y.kind, GPUCMD_WHY_READY);
        while (cs.state != GPUCMD_I915_RS2) {
            EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_DONE);
        }
        EQUAL(gpucmd_mem_init(&mem, regions + 1, 2), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_FAULT);
        EQUAL(cs.error, GPUCMD_I915_ERROR_FETCH);
    }
}

/* Words as a batch, one step at a time. */
static void run_steps(const uint32_t *words, size_t len_dw, bool secure)
{
    gpucmd_run run = GPUCMD_RUN_DONE;
    gpucmd_store_words(batch_bytes, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, secure), GPUCMD_OK);
    for (int i = 0; i < 1000 && run == GPUCMD_RUN_DONE; i++) {
        run = gpucmd_i915_cs_step(&cs, &env);
    }
    EQUAL(run, GPUCMD_RUN_IDLE);
}

static gpucmd_status find_blocked(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                                  uint64_t *bytes)
{
    (void)user;
    (void)va;
    (void)access_mask;
    (void)host;
    (void)bytes;
    return GPUCMD_BLOCKED;
}

/* A command without effect in a non-secure batch, stores with seed_literal, by steps; memory that
 * can only be read; memory whose callback says BLOCKED, which is no reason to wait. */
static void memory_edges(void)
{
    static const uint32_t suspend[] = {0x05800001};
    static const uint32_t stores[] = {0x10000002, DATA_VA, 0, 5, 0x10000002, DATA_VA + 4, 0, 6};
    static gpucmd_region some[3];
    start(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    run_steps(suspend, 1, false);
    EQUAL(event_count, 0);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    cs.seed_literal = true;
    run_steps(stores, 8, true);
    EQUAL(at64(0), 0x600000005);
    start(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    memcpy(some, regions, sizeof some);
    some[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, some, 3), GPUCMD_OK);
    poke32(0, 0x1234);
    DIES(MEMORY, 0x14800002, 0x2600, DATA_VA, 0, 0x10000002, DATA_VA + 4, 0, 6);
    EQUAL(get64(GPR(0)), 0x1234);
    EQUAL(at32(4), 0);
    some[1].access_mask |= GPUCMD_ACCESS_WRITE; /* the last qword is not whole */
    some[1].bytes = 12;
    EQUAL(gpucmd_mem_init(&mem, some, 3), GPUCMD_OK);
    DIES(MEMORY, 0x10200003, DATA_VA, 0, 1, 2, 0x10200003, DATA_VA + 8, 0, 3, 4);
    EQUAL(at64(0), 0x200000001);
    EQUAL(at32(8), 0);
    start(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    mem.find = find_blocked;
    set64(GPR(0), 0x00900000);
    DIES(MEMORY, 0x0d000003, 0x08008000, 0x08108400, 0x10000000, 0x08200431);
    mem.find = NULL;
}

int main(void)
{
    bad_word();
    memory_edges();
    register_edges();
    command_edges();
    caller_edges();
    blit_edges();
    step_edges();
    unexecuted();
    why();
    noop();
    store_data_imm();
    store_data_index();
    status_pages();
    registers();
    privilege();
    post_sync();
    depth_count();
    atomic();
    atomic_forms();
    math();
    whole_words();
    passed_words();
    cut_short();
    last_head();
    since();
    predicates();
    conditional_end();
    semaphore_wait();
    others();
    refused();
    global_bit();
    conditional_levels();
    relative();
    haswell();
    waiting_bits();
    kept();
    return test_report("i915_exec");
}

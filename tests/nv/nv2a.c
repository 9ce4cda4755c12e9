/* The pusher as an NV2A emulator drives it: the state lies in the registers of CACHE1, and each turn
 * unpacks it, runs a few words, and packs it again. Random streams; after every turn the registers
 * must be those of a loop that is restated here from section 7 of the fact sheet. */
/* suite: executor, long */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"
#include <stdlib.h>

enum { WORDS_IN_RAM = 64, STREAMS = 200000, TURNS = 40 };

static uint32_t ram[WORDS_IN_RAM];

/* ---- a loop over registers ------------------------------------------------------------------ */

/* Offsets from PFIFO's 0x2000 in 4-byte units are not needed: a name for each register. */
typedef struct registers {
    uint32_t state; /* NI 0, MTHD 12:2, SUBC 15:13, COUNT 28:18, ERROR 31:29 */
    uint32_t put, get, sub, dcount, jmp, rsvd, data;
} registers;

/* A method that the puller took. */
typedef struct taken {
    uint32_t mthd, subc, data;
} taken;

static struct {
    taken list[2][TURNS * 16];
    unsigned count[2];
    unsigned room;       /* words that the puller takes before it is full */
    uint32_t limit;      /* first offset that must not be read */
    bool keeps;          /* GET stays at a CALL inside a subroutine */
    unsigned errors[8];  /* by code, for the report */
    unsigned full, ends; /* turns that ended with a full puller; streams that reached PUT */
} emu;

static bool host_method(uint32_t mthd) /* NV1A until NV40, puller.rst */
{
    return mthd >= 0x100 || mthd == 0 || mthd == 0x50 || (mthd >= 0x60 && mthd <= 0x6c);
}

static void fails(registers *r, uint32_t error)
{
    r->state = (r->state & 0x1fffffff) | error << 29;
    emu.errors[error]++;
}

/* One word. Returns false if nothing can be done. */
static bool turn_word(registers *r, unsigned *room)
{
    uint32_t dw, count = r->state >> 18 & 0x7ff;
    if (r->get == r->put || r->state >> 29 != 0) {
        return false;
    }
    if (r->get >= emu.limit) {
        fails(r, 6);
        return false;
    }
    dw = ram[r->get / 4];
    if (count != 0) {
        const uint32_t mthd = r->state & 0x1ffc;
        if (!host_method(mthd)) {
            r->data = dw;
            r->get += 4;
            fails(r, 2);
            return false;
        }
        if (*room == 0) {
            emu.full++;
            return false; /* a full puller: GET stays at the data word */
        }
        --*room;
        emu.list[1][emu.count[1]++] = (taken){mthd, r->state >> 13 & 7, dw};
        r->data = dw;
        r->get += 4;
        r->dcount++;
        r->state -= 1u << 18;
        if ((r->state & 1) == 0) {
            r->state = (r->state & ~0x1ffcu) | ((mthd + 4) & 0x1ffc);
        }
        return true;
    }
    r->rsvd = dw;
    r->get += 4;
    if ((dw & 0xe0000003) == 0x20000000) {
        r->jmp = r->get;
        r->get = dw & 0x1fffffff;
    } else if ((dw & 3) == 1) {
        r->jmp = r->get;
        r->get = dw & 0xfffffffc;
    } else if ((dw & 3) == 2) {
        if ((r->sub & 1) != 0) {
            r->get -= emu.keeps ? 4 : 0;
            fails(r, 1);
            return false;
        }
        r->sub = r->get | 1;
        r->get = dw & 0xfffffffc;
    } else if (dw == 0x00020000) {
        if ((r->sub & 1) == 0) {
            fails(r, 3);
            return false;
        }
        r->get = r->sub & 0xfffffffc;
        r->sub &= 0xfffffffc;
    } else if ((dw & 0xe0030003) == 0 || (dw & 0xe0030003) == 0x40000000) {
        r->state = (dw & 0x1ffcfffc) | dw >> 30;
        r->dcount = 0;
    } else {
        fails(r, 4);
        return false;
    }
    return true;
}

/* ---- random streams -------------------------------------------------------------------------- */

static uint64_t seed_state;

static uint32_t random_below(uint32_t n)
{
    seed_state = seed_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(seed_state >> 33) % n;
}

static uint32_t random_word(void)
{
    const uint32_t target = 4 * random_below(WORDS_IN_RAM);
    const uint32_t where = random_below(8) << 13 | (random_below(6) != 0 ? 0x100 : 0) |
                           (random_below(3) != 0 ? 0x40 * random_below(4) : 0x60);
    switch (random_below(12)) {
    case 0: return 0x20000000 | target;
    case 1: return target | 1;
    case 2: return target | 2;
    case 3: return 0x00020000;
    case 4: return random_below(0xffffffff);
    case 5: return 0x40000000 | random_below(5) << 18 | where;
    case 6: return 0;
    default: return random_below(6) << 18 | where;
    }
}

/* ---- the library, as an emulator calls it ---------------------------------------------------- */

static gpucmd_status take(void *user, const gpucmd_event *event)
{
    uint32_t n = event->count_dw;
    (void)user;
    if (event->kind != GPUCMD_EVENT_METHODS) {
        return GPUCMD_OK;
    }
    n = n < emu.room ? n : emu.room;
    for (uint32_t i = 0; i < n; i++) {
        emu.list[0][emu.count[0]++] = (taken){
            gpucmd_nv_mthd_at(GPUCMD_NV_CHIP_NV2A, (gpucmd_nv_kind)event->code, event->addr, i),
            event->unit, event->data[i]};
    }
    emu.room -= n;
    *event->out_dw = n;
    return n == event->count_dw ? GPUCMD_OK : GPUCMD_BLOCKED;
}

static bool same_registers(const gpucmd_nv_cache1 *got, const registers *want)
{
    return got->dma_state == want->state && got->dma_put == want->put &&
           got->dma_get == want->get && got->dma_subroutine == want->sub &&
           got->dma_dcount == want->dcount && got->dma_get_jmp == want->jmp &&
           got->dma_rsvd == want->rsvd && got->dma_data == want->data && got->method_count == 0;
}

/* Run the library for one turn: budget words, room words of methods. */
static void turn(gpucmd_nv_cache1 *regs, const gpucmd_env *env, unsigned budget, unsigned room)
{
    gpucmd_nv_pusher p;
    if (gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_NV2A) != GPUCMD_OK) {
        return; /* the registers then differ */
    }
    p.big_endian = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN; /* ram has CPU words */
    p.dma_limit = emu.limit;
    p.call_keeps_get = emu.keeps;
    gpucmd_nv_pusher_unpack(&p, regs);
    emu.room = room;
    (void)gpucmd_nv_pusher_run(&p, env, budget);
    gpucmd_nv_pusher_pack(&p, regs);
}

static bool stream(uint64_t seed, const gpucmd_env *env)
{
    gpucmd_nv_cache1 regs;
    registers want;
    seed_state = seed * 0x9e3779b97f4a7c15ull;
    memset(&regs, 0, sizeof regs);
    memset(&want, 0, sizeof want);
    memset(emu.count, 0, sizeof emu.count);
    for (uint32_t i = 0; i < WORDS_IN_RAM; i++) {
        ram[i] = random_word();
    }
    emu.keeps = random_below(2) != 0;
    emu.limit = 4 * (WORDS_IN_RAM - random_below(8));
    regs.dma_put = want.put = 4 * random_below(WORDS_IN_RAM + 1);
    for (unsigned t = 0; t < TURNS; t++) {
        const unsigned budget = 1 + random_below(8);
        const unsigned room = random_below(4) == 0 ? random_below(3) : 16;
        unsigned left = room;
        turn(&regs, env, budget, room);
        for (unsigned k = 0; k < budget && turn_word(&want, &left); k++) {
        }
        if (!same_registers(&regs, &want) || emu.count[0] != emu.count[1]) {
            printf("    stream %llu, turn %u: state %08x %08x get %x %x sub %x %x\n",
                   (unsigned long long)seed, t, (unsigned)regs.dma_state, (unsigned)want.state,
                   (unsigned)regs.dma_get, (unsigned)want.get, (unsigned)regs.dma_subroutine,
                   (unsigned)want.sub);
            return false;
        }
        if (want.state >> 29 != 0) { /* recovery as Linux does it: GET := PUT, STATE := 0 */
            regs.dma_state = want.state = 0;
            regs.dma_get = want.get = want.put;
            if (random_below(2) == 0) { /* a new submission elsewhere */
                regs.dma_get = want.get = 4 * random_below(WORDS_IN_RAM);
            }
        } else if (want.get == want.put) {
            emu.ends++;
            regs.dma_put = want.put = 4 * random_below(WORDS_IN_RAM + 1);
        }
    }
    return memcmp(emu.list[0], emu.list[1], emu.count[0] * sizeof(taken)) == 0;
}

static void streams(uint64_t count)
{
    gpucmd_region region;
    gpucmd_mem mem;
    gpucmd_env env;
    unsigned bad = 0;
    uint64_t methods = 0;
    memset(&region, 0, sizeof region);
    region.bytes = sizeof ram;
    region.host = (uint8_t *)ram;
    region.access_mask = GPUCMD_ACCESS_READ;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    memset(&env, 0, sizeof env);
    env.mem = &mem;
    env.event = take;
    for (uint64_t i = 0; i < count && bad < 5; i++) {
        bad += !CHECK(stream(i + 1, &env));
        methods += emu.count[0];
    }
    printf(
        "    %llu streams, %llu methods, errors 1: %u 2: %u 3: %u 4: %u 6: %u, full %u, ends %u\n",
        (unsigned long long)count, (unsigned long long)methods, emu.errors[1], emu.errors[2],
        emu.errors[3], emu.errors[4], emu.errors[6], emu.full, emu.ends);
    /* every way out was taken */
    CHECK(emu.errors[1] > 100 && emu.errors[2] > 100 && emu.errors[3] > 100);
    CHECK(emu.errors[4] > 100 && emu.errors[6] > 100 && emu.full > 100 && emu.ends > 100);
}

/* ---- registers of other chips ----------------------------------------------------------------- */

static void packing(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t state, sub, count;
    } rows[] = {
  /* method 0x184 / 4 = 0x61, subchannel 5, NI, 3 words to come, error 4, active subroutine */
        {GPUCMD_NV_CHIP_NV4,  0x800ca184, 0x00000000, 0},
        {GPUCMD_NV_CHIP_NV10, 0x800ca185, 0x00000000, 0},
        {GPUCMD_NV_CHIP_NV2A, 0x800ca185, 0x00001235, 0},
        {GPUCMD_NV_CHIP_NV40, 0x800ea185, 0x00001234, 0},
        {GPUCMD_NV_CHIP_G80,  0x8007a187, 0x00001234, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nv_cache1 regs;
        gpucmd_nv_cache1 again;
        gpucmd_nv_pusher p;
        memset(&regs, 0, sizeof regs);
        CHECK(gpucmd_nv_pusher_init(&p, rows[i].chip) == GPUCMD_OK);
        regs.dma_state = rows[i].state;
        regs.dma_subroutine = rows[i].sub;
        regs.method_count = rows[i].count;
        regs.dma_put = 0x1003; /* bits 1:0 of a position do not exist (MODEL) */
        regs.dma_get = 0x0ff8;
        regs.ref = 7;
        regs.dma_dcount = 8;
        regs.dma_get_jmp = 9;
        regs.dma_rsvd = 10;
        regs.dma_data = 11;
        gpucmd_nv_pusher_unpack(&p, &regs);
        EQUAL(p.mthd, 0x61);
        EQUAL(p.subc, 5);
        EQUAL(p.mcnt, 3);
        EQUAL(p.ni, rows[i].chip >= GPUCMD_NV_CHIP_NV10);
        EQUAL(p.error, GPUCMD_NV_PUSHER_ERROR_INVALID_CMD);
        EQUAL(p.subr_active, rows[i].sub != 0);
        EQUAL(p.subr_return, rows[i].sub & ~1u);
        EQUAL(p.lenp, rows[i].count != 0);
        EQUAL(p.nonmain, rows[i].count != 0);
        EQUAL(p.priv, rows[i].count != 0);
        EQUAL(p.dma_put, 0x1000);
        EQUAL(p.dma_get, 0x0ff8);
        EQUAL(p.ref, 7);
        EQUAL(p.dcount_shadow, 8);
        EQUAL(p.dma_get_jmp_shadow, 9);
        EQUAL(p.rsvd_shadow, 10);
        EQUAL(p.data_shadow, 11);
        regs.dma_put = 0x1000;
        gpucmd_nv_pusher_pack(&p, &again);
        CHECK(memcmp(&regs, &again, sizeof regs) == 0);
    }
    /* Section 7 of the fact sheet: [ENVY] nv4_pfifo.xml and g80_pfifo.xml. NV04_PFIFO_CACHE1_* and
     * NV10_PFIFO_CACHE1_* of Linux nouveau (fifo/regsnv04.h) have the same offsets, up to DCOUNT. */
    EQUAL(GPUCMD_NV_CACHE1_DMA_STATE, 0x3228);
    EQUAL(GPUCMD_NV_CACHE1_DMA_PUT, 0x3240);
    EQUAL(GPUCMD_NV_CACHE1_DMA_GET, 0x3244);
    EQUAL(GPUCMD_NV_CACHE1_REF, 0x3248);
    EQUAL(GPUCMD_NV_CACHE1_DMA_SUBROUTINE, 0x324c);
    EQUAL(GPUCMD_NV_CACHE1_DMA_DCOUNT, 0x32a0);
    EQUAL(GPUCMD_NV_CACHE1_DMA_GET_JMP, 0x32a4);
    EQUAL(GPUCMD_NV_CACHE1_DMA_RSVD, 0x32a8);
    EQUAL(GPUCMD_NV_CACHE1_DMA_DATA, 0x32ac);
    EQUAL(GPUCMD_NV_CACHE1_METHOD_COUNT, 0x3364);
    EQUAL(GPUCMD_FIELD_MASK(NV_CACHE1_PUSH_SUSPENDED), 0x1000);
    EQUAL(GPUCMD_FIELD_MASK(NV_CACHE1_ADDR_SUBC), 0xe000);
}

static void ahead(void)
{
    gpucmd_region region;
    gpucmd_mem mem;
    gpucmd_nv_pusher p;
    const uint8_t *at = NULL;
    memset(&region, 0, sizeof region);
    region.va = 0x1000;
    region.bytes = 35;
    region.host = (uint8_t *)ram;
    region.access_mask = GPUCMD_ACCESS_READ;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    CHECK(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_NV2A) == GPUCMD_OK);
    p.dma_pushbuffer_va = 0x1000;
    p.dma_put = 20;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1008, &at), 3);
    CHECK(at == (const uint8_t *)(ram + 2));
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1014, &at), 0); /* PUT */
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0xffc, &at), 0);
    p.dma_put = 64; /* memory ends at 35 */
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1010, &at), 4);
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1020, &at), 0);
    CHECK(at == (const uint8_t *)(ram + 4));
    mem.fault_va = 5;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1024, &at), 0);
    EQUAL(mem.fault_va, 5);
    p.dma_limit = 24;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1010, &at), 2);
    p.dma_pushbuffer_bytes = 20;
    at = NULL;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1014, &at), 0);
    CHECK(at == NULL);
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0x1010, &at), 1);
    CHECK(at == (const uint8_t *)(ram + 4));
}

static gpucmd_status find_anywhere(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                                   uint64_t *bytes)
{
    (void)user;
    (void)va;
    (void)access_mask;
    *host = (uint8_t *)ram;
    *bytes = ~(uint64_t)0;
    return GPUCMD_OK;
}

/* The result has 32 bits; 16 GiB of words have more. */
static void far_ahead(void)
{
    gpucmd_mem mem;
    gpucmd_nv_pusher p;
    const uint8_t *at = NULL;
    CHECK(gpucmd_mem_init(&mem, NULL, 0) == GPUCMD_OK);
    mem.find = find_anywhere;
    CHECK(gpucmd_nv_pusher_init(&p, GPUCMD_NV_CHIP_G80) == GPUCMD_OK);
    p.ib_enable = true;
    p.dma_put = 0x300000000;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0, &at), 0xc0000000);
    p.dma_put = 0x3fffffffc;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 4, &at), 0xfffffffe);
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0, &at), 0xffffffff);
    p.dma_put = 0x400000004;
    EQUAL(gpucmd_nv_pusher_ahead(&p, &mem, 0, &at), 0xffffffff);
}

int main(void)
{
    const char *few = getenv("GPUCMD_NV2A_STREAMS");
    packing();
    ahead();
    far_ahead();
    streams(few != NULL ? strtoull(few, NULL, 0) : STREAMS);
    return test_report("nv_nv2a");
}

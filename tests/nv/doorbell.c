/* What a submission does to memory, to GP_PUT and to the doorbell, in which order; the tokens of
 * the doorbell and the usermode region. Barriers and registers are replaced by functions that look
 * at memory. [USER] "Submitting new work": words, entry, GP_PUT, handle; facts 4.4: a barrier
 * before GP_PUT and one between GP_PUT and the doorbell. */
/* suite: executor */
#include <stdint.h>

static void barrier(unsigned what);
#define GPUCMD_BARRIER_WRITE() barrier('W')
#define GPUCMD_BARRIER_FULL()  barrier('F')
#define GPUCMD_BARRIER_MMIO()  barrier('M')
#include "gpucmd_nv.h"
#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

enum { AREA = 'a', USERMODE = 'u', READ = 'r' };

static uint64_t ring[8];
static uint32_t words[64];
static uint32_t gp_get;
static struct {
    unsigned what; /* a barrier, AREA, USERMODE, READ */
    uint64_t off_bytes;
    uint32_t v;
    uint64_t entry[8]; /* the ring as it was then */
    uint32_t dw[64];   /* and the words */
} tape[64];
static unsigned count;

static void note(unsigned what, uint64_t off_bytes, uint32_t v)
{
    if (count < 64) {
        tape[count].what = what;
        tape[count].off_bytes = off_bytes;
        tape[count].v = v;
        for (unsigned i = 0; i < 8; i++) {
            tape[count].entry[i] = gpucmd_load64(&ring[i], GPUCMD_LITTLE_ENDIAN);
        }
        memcpy(tape[count].dw, words, sizeof words);
    }
    count++;
}

static void barrier(unsigned what)
{
    note(what, 0, 0);
}

static uint32_t on_read(void *user, uint64_t off_bytes)
{
    (void)user;
    note(READ, off_bytes, gp_get);
    return gp_get;
}

static void on_area(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    note(AREA, off_bytes, v);
}

static void on_usermode(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    note(USERMODE, off_bytes, v);
}

static const gpucmd_mmio area = {on_read, on_area, NULL};
static const gpucmd_mmio usermode = {NULL, on_usermode, NULL};

static void expect(unsigned at, unsigned what, uint64_t off_bytes, uint32_t v, int line)
{
    test_equal(tape[at].what, what, __FILE__, line, "what");
    test_equal(tape[at].off_bytes, off_bytes, __FILE__, line, "off_bytes");
    test_equal(tape[at].v, v, __FILE__, line, "v");
}

#define TAPE(at, what, off_bytes, v) expect(at, what, off_bytes, v, __LINE__)

/* Two segments, one kick. From the first barrier on all words and both entries are there. */
static void kick(gpucmd_nv_chip chip, bool bell)
{
    const unsigned all = bell ? 4 : 2;
    gpucmd_nv_gpfifo fifo;
    gpucmd_writer v;
    size_t n = 0;
    memset(ring, 0, sizeof ring);
    memset(words, 0, sizeof words);
    gpucmd_writer_init(&v, words, 64);
    if (chip >= CHIP(GF100)) {
        gpucmd_nv_emit_inc1(&v, 0, 0x0100, 0x11);
        gpucmd_nv_emit_inc1(&v, 0, 0x0100, 0x22);
    } else {
        gpucmd_nv_emit_old_inc1(&v, 0, 0x0100, 0x11);
        gpucmd_nv_emit_old_inc1(&v, 0, 0x0100, 0x22);
    }
    EQUAL(gpucmd_writer_finish(&v, &n), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_init(&fifo, chip, ring, 3, &area, bell ? &usermode : NULL, 0x00050023),
          GPUCMD_OK);
    count = 0;
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 2, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1008, 2, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(count, 0); /* nothing is submitted before the kick */
    gpucmd_nv_gpfifo_submit(&fifo);
    EQUAL(count, all);
    TAPE(0, 'W', 0, 0);
    TAPE(1, AREA, 0x8c, 2);
    if (bell) {
        TAPE(2, 'M', 0, 0);
        TAPE(3, USERMODE, 0x90, 0x00050023);
    }
    for (unsigned i = 0; i < all; i++) {
        EQUAL(tape[i].dw[1], 0x11);
        EQUAL(tape[i].dw[3], 0x22);
        EQUAL(tape[i].entry[0], 0x0000080000001000);
        EQUAL(tape[i].entry[1], 0x00000a0000001008);
    }
    /* GP_PUT is modulo the size of the ring, and each kick has all its steps */
    gp_get = 2;
    for (unsigned i = 0; i < 6; i++) {
        EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x2000, 1, 0), GPUCMD_OK);
    }
    count = 0;
    gpucmd_nv_gpfifo_submit(&fifo);
    EQUAL(count, all);
    TAPE(0, 'W', 0, 0);
    TAPE(1, AREA, 0x8c, 0);
    gp_get = 0;
}

/* A full ring is submitted first, in the same steps. Then GP_GET is polled until there is room. */
static void full(gpucmd_nv_chip chip, bool bell)
{
    const unsigned all = bell ? 4 : 2;
    gpucmd_nv_gpfifo fifo;
    EQUAL(gpucmd_nv_gpfifo_init(&fifo, chip, ring, 1, &area, bell ? &usermode : NULL, 7),
          GPUCMD_OK);
    fifo.wait.max_tries = 2;
    gp_get = 0;
    count = 0;
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0), GPUCMD_OK);
    EQUAL(count, 0);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x2000, 1, 0), GPUCMD_LIMIT);
    EQUAL(count, all + 3);
    TAPE(0, 'W', 0, 0);
    TAPE(1, AREA, 0x8c, 1);
    if (bell) {
        TAPE(2, 'M', 0, 0);
        TAPE(3, USERMODE, 0x90, 7);
    }
    for (unsigned i = 0; i < 3; i++) {
        TAPE(all + i, READ, 0x88, 0);
    }
    EQUAL(tape[0].entry[0] & 0xffffffff, 0x1000);
    count = 0; /* submitted already: only polled */
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x2000, 1, 0), GPUCMD_LIMIT);
    EQUAL(count, 3);
    TAPE(0, READ, 0x88, 0);
}

/* The control area and the doorbell as mapped memory: the same order, and a full barrier after
 * GP_PUT. [facts nvgpu 7.6] */
static void mapped(void)
{
    static uint32_t userd[128];
    static uint32_t bell;
    gpucmd_nv_gpfifo fifo;
    EQUAL(gpucmd_nv_gpfifo_init(&fifo, CHIP(GA10B), ring, 2, NULL, NULL, 0x1ff), GPUCMD_OK);
    fifo.userd = userd;
    fifo.doorbell = &bell;
    fifo.wait.max_tries = 3;
    count = 0;
    EQUAL(gpucmd_nv_gpfifo_room(&fifo), 3);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 2, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1008, 2, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_room(&fifo), 1);
    EQUAL(userd[0x8c / 4] | bell, 0);
    gpucmd_nv_gpfifo_submit(&fifo);
    EQUAL(count, 2);
    TAPE(0, 'W', 0, 0);
    TAPE(1, 'F', 0, 0);
    EQUAL(tape[0].entry[1], 0x00000a0000001008);
    EQUAL(gpucmd_load32(&userd[0x8c / 4], GPUCMD_LITTLE_ENDIAN), 2);
    EQUAL(gpucmd_load32(&bell, GPUCMD_LITTLE_ENDIAN), 0x1ff);
    /* GP_GET is read again only when the ring is full, or to drain it. */
    EQUAL(gpucmd_nv_gpfifo_drain(&fifo), GPUCMD_LIMIT);
    gpucmd_store32(&userd[0x88 / 4], 1, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_drain(&fifo), GPUCMD_LIMIT);
    EQUAL(gpucmd_nv_gpfifo_room(&fifo), 2);
    gpucmd_store32(&userd[0x88 / 4], 2, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_drain(&fifo), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_room(&fifo), 3);
    EQUAL(count, 2); /* no entry was pushed, so that no wait submits */
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_drain(&fifo), GPUCMD_LIMIT);
    EQUAL(count, 4);
    EQUAL(gpucmd_load32(&userd[0x8c / 4], GPUCMD_LITTLE_ENDIAN), 3);
    /* A value that is no index, as a device reads that is gone, is not masked. */
    gpucmd_store32(&userd[0x88 / 4], 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_poll(&fifo), GPUCMD_FAULT);
    EQUAL(gpucmd_nv_gpfifo_drain(&fifo), GPUCMD_FAULT);
    EQUAL(fifo.get, 2);
    /* GP_PUT in a register, the doorbell in memory */
    EQUAL(gpucmd_nv_gpfifo_init(&fifo, CHIP(GA10B), ring, 2, &area, NULL, 0x2ff), GPUCMD_OK);
    fifo.doorbell = &bell;
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0), GPUCMD_OK);
    count = 0;
    gpucmd_nv_gpfifo_submit(&fifo);
    EQUAL(count, 3);
    TAPE(0, 'W', 0, 0);
    TAPE(1, AREA, 0x8c, 1);
    TAPE(2, 'M', 0, 0);
    EQUAL(gpucmd_load32(&bell, GPUCMD_LITTLE_ENDIAN), 0x2ff);
    EQUAL(gpucmd_nv_gpfifo_init(&fifo, CHIP(GA102), ring, 1, &area, NULL, 0), GPUCMD_OK);
    gp_get = 0xffffffff;
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0), GPUCMD_FAULT);
    EQUAL(fifo.put, 1);
    gp_get = 0;
}

/* ---- tokens ---- */

typedef struct token_row {
    gpucmd_nv_chip chip;
    uint32_t runlist, channel;
    gpucmd_status status;
    uint32_t token;
} token_row;

/* Words 119 to 121 of the facts, [USER] of GV100 and TU104, [RM] kernel_fifo of GB100 and GB202. */
static const token_row tokens[] = {
    {CHIP(GP10B), 0,   0,      GPUCMD_UNSUPPORTED, 0         },
    {CHIP(GV100), 0,   0x23,   GPUCMD_OK,          0x00000023},
    {CHIP(GV100), 5,   0x23,   GPUCMD_OK,          0x00000023},
    {CHIP(GV11B), 0,   0xfff,  GPUCMD_OK,          0x00000fff},
    {CHIP(GV100), 0,   0x1000, GPUCMD_RANGE,       0         },
    {CHIP(TU102), 5,   0x23,   GPUCMD_OK,          0x00050023},
    {CHIP(TU117), 127, 0xfff,  GPUCMD_OK,          0x007f0fff},
    {CHIP(TU102), 128, 0,      GPUCMD_RANGE,       0         },
    {CHIP(GA100), 5,   0x23,   GPUCMD_OK,          0x00050023},
    {CHIP(GH100), 127, 1,      GPUCMD_OK,          0x007f0001},
    {CHIP(GB100), 63,  1,      GPUCMD_OK,          0x003f0001},
    {CHIP(GB100), 64,  1,      GPUCMD_RANGE,       0         },
    {CHIP(GB102), 64,  1,      GPUCMD_RANGE,       0         },
    {CHIP(GB202), 5,   0x23,   GPUCMD_OK,          0x40050023},
    {CHIP(GB202), 127, 1,      GPUCMD_OK,          0x407f0001},
    {CHIP(GB207), 127, 0xfff,  GPUCMD_OK,          0x407f0fff},
    {CHIP(GB202), 128, 0,      GPUCMD_RANGE,       0         },
};

static void token_words(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t token;
    } bad[] = {
        {CHIP(GV100), 0x00010023}, /* a runlist where Volta has none */
        {CHIP(GV100), 0x00001000},
        {CHIP(TU102), 0x00001023}, /* bits between the fields, and above */
        {CHIP(TU102), 0x00800023},
        {CHIP(TU102), 0x40050023},
        {CHIP(GB100), 0x00450023}, /* bit 22: doorbell off */
        {CHIP(GB100), 0x80050023}, /* bit 31: off */
        {CHIP(GB202), 0x00050023}, /* without bit 30 the doorbell ignores the token */
        {CHIP(GB202), 0xc0050023},
    };
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        const token_row *row = &tokens[i];
        uint32_t token = 0xeeeeeeee;
        uint32_t runlist = 0xee;
        uint32_t channel = 0xee;
        EQUAL(gpucmd_nv_encode_token(row->chip, row->runlist, row->channel, &token), row->status);
        EQUAL(token, row->status == GPUCMD_OK ? row->token : 0xeeeeeeee);
        if (row->status == GPUCMD_OK) {
            EQUAL(gpucmd_nv_decode_token(row->chip, token, &runlist, &channel), GPUCMD_OK);
            EQUAL(channel, row->channel);
            EQUAL(runlist, row->chip < CHIP(TU102) ? 0 : row->runlist);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t runlist = 0xee;
        uint32_t channel = 0xee;
        EQUAL(gpucmd_nv_decode_token(bad[i].chip, bad[i].token, &runlist, &channel),
              GPUCMD_INVALID);
        EQUAL(runlist, 0xee);
        EQUAL(channel, 0xee);
    }
    {
        uint32_t runlist, channel;
        EQUAL(gpucmd_nv_decode_token(CHIP(GP100), 0, &runlist, &channel), GPUCMD_UNSUPPORTED);
    }
}

/* ---- the region ---- */

static unsigned rings, last_rung;

static void on_rung(void *user, size_t channel)
{
    *(unsigned *)user += 1;
    last_rung = (unsigned)channel;
}

static uint64_t at_time(void *user)
{
    return *(const uint64_t *)user;
}

static void region(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t base, other, class_id;
    } rows[] = {
        {CHIP(GV100), 0x810000, 0xbb0000, 0xc361}, /* [USER]; the other one is Turing's */
        {CHIP(GV11B), 0x810000, 0xbb0000, 0xc361},
        {CHIP(TU102), 0xbb0000, 0,        0xc461}, /* both: [USER] of TU104, [RM] dev_vm.h */
        {CHIP(TU117), 0xbb0000, 0,        0xc461},
        {CHIP(GA100), 0xbb0000, 0x810000, 0xc561},
        {CHIP(GB207), 0xbb0000, 0x810000, 0xc561},
    };
    static gpucmd_nv_channel channels[4]; /* u has the first 3 */
    uint64_t now = 0xfedcba9876543210;
    uint64_t place = 0;
    uint32_t reg = 0;
    gpucmd_nv_card card;
    gpucmd_nv_card_init(&card);
    card.time_ns = at_time;
    card.time_user = &now;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nv_mmio u = {rows[i].chip, channels, 3, 5, &card, on_rung, &rings, NULL};
        uint32_t token = 0;
        channels[0].id = 7;
        channels[1].id = 0x23;
        channels[2].id = 0x123;
        channels[3].id = 0x124;
        for (unsigned k = 0; k < 3; k++) {
            channels[k].chip = rows[i].chip;
        }
        EQUAL(gpucmd_nv_usermode_place(rows[i].chip, &place), GPUCMD_OK);
        EQUAL(place, rows[i].base);
        EQUAL(gpucmd_nv_usermode_find(rows[i].chip, rows[i].base + 0xffff, &reg), GPUCMD_OK);
        EQUAL(reg, 0xffff);
        EQUAL(gpucmd_nv_usermode_find(rows[i].chip, rows[i].base + 0x10000, &reg), GPUCMD_RANGE);
        EQUAL(gpucmd_nv_usermode_find(rows[i].chip, rows[i].base - 4, &reg), GPUCMD_RANGE);
        EQUAL(gpucmd_nv_usermode_find(rows[i].chip, rows[i].other, &reg), GPUCMD_RANGE);
        EQUAL(gpucmd_nv_usermode_find(rows[i].chip, 0x810090, &reg),
              rows[i].chip < CHIP(GA100) ? GPUCMD_OK : GPUCMD_RANGE);
        EQUAL(gpucmd_nv_usermode_read32(&u, 0), rows[i].class_id);
        EQUAL(gpucmd_nv_mmio_read32(&u, rows[i].base), rows[i].class_id);
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x80), 0x76543200); /* bits 31:5 */
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x84), 0x1edcba98); /* bits 28:0 */
        EQUAL(gpucmd_nv_mmio_read32(&u, rows[i].base + 0x84), 0x1edcba98);
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x90), 0); /* write-only */
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x88), 0);
        EQUAL(gpucmd_nv_mmio_read32(&u, 0x800), 0);

        rings = 0;
        last_rung = 99;
        EQUAL(gpucmd_nv_encode_token(rows[i].chip, 5, 0x23, &token), GPUCMD_OK);
        gpucmd_nv_usermode_write32(&u, 0x90, token);
        EQUAL(rings, 1);
        EQUAL(last_rung, 1);
        EQUAL(gpucmd_nv_encode_token(rows[i].chip, 5, 0x123, &token), GPUCMD_OK);
        gpucmd_nv_mmio_write32(&u, rows[i].base + 0x90, token);
        EQUAL(rings, 2);
        EQUAL(last_rung, 2);
        gpucmd_nv_mmio_write32(&u, 0x810090, token);
        EQUAL(rings, rows[i].chip < CHIP(GA100) ? 3 : 2);

        /* ignored: another register, a channel that does not exist, a reserved bit */
        rings = 0;
        gpucmd_nv_usermode_write32(&u, 0x94, token);
        gpucmd_nv_usermode_write32(&u, 0x80, token);
        gpucmd_nv_usermode_write32(&u, 0x90, token + 1); /* 0x124 is after the channels of u */
        gpucmd_nv_usermode_write32(&u, 0x90, token | 0x1000);
        gpucmd_nv_usermode_write32(&u, 0x90, token ^ 0x40000000);
        EQUAL(rings, 0);
        /* another runlist: no matter for Volta, which knows none; 15 is all of Turing's */
        EQUAL(gpucmd_nv_encode_token(rows[i].chip, 6, 0x23, &token), GPUCMD_OK);
        gpucmd_nv_usermode_write32(&u, 0x90, token);
        EQUAL(rings, rows[i].chip < CHIP(TU102));
        EQUAL(gpucmd_nv_encode_token(rows[i].chip, 15, 0x23, &token), GPUCMD_OK);
        rings = 0;
        gpucmd_nv_usermode_write32(&u, 0x90, token);
        EQUAL(rings, rows[i].chip < CHIP(GA100));
        u.doorbell = NULL; /* no callback */
        u.card = NULL;
        gpucmd_nv_usermode_write32(&u, 0x90, token);
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x80), 0);
    }
    card.time_ns = NULL;
    card.clock_ns = 0x300000040;
    {
        gpucmd_nv_mmio u = {CHIP(GV100), channels, 3, 0, &card, NULL, NULL, NULL};
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x80), 0x40);
        EQUAL(gpucmd_nv_usermode_read32(&u, 0x84), 3);
    }
    EQUAL(gpucmd_nv_usermode_place(CHIP(GP10B), &place), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_usermode_find(CHIP(GP10B), 0x810000, &reg), GPUCMD_RANGE);
}

/* ---- a submission as tinygrad makes it on Ampere ---- */

static gpucmd_nv_channel tg;
static gpucmd_nv_card tg_card;
static gpucmd_env tg_env;
static gpucmd_run tg_run;

static void tg_rung(void *user, size_t channel)
{
    (void)user;
    EQUAL(channel, 0);
    rings++;
    tg_run = gpucmd_nv_channel_run(&tg, &tg_env, 1000);
}

/* Words 125, 126, 124 of the facts: wait until the timeline is 0x2b, copy 0x1000 bytes, signal 0x2c
 * with the time, interrupt. The ring value is (addr / 4 << 2) | (len << 42) | (1 << 41). */
static void tinygrad(void)
{
    static const uint32_t pb[] = {
        0x20050017, 0x12345670, 0x0000007f, 0x0000002b, 0x00000000, 0x01000003, /* wait */
        0x20048100, 0x00000010, 0x00000000, 0x00000011, 0x20000000, 0x20018106,
        0x00001000, 0x200180c0, 0x00000182, /* copy */
        0x20050017, 0x12345670, 0x0000007f, 0x0000002c, 0x00000000, 0x03100001,
        0x20010008, 0x00000000, /* signal */
    };
    static uint8_t ring_bytes[64];
    static uint8_t pb_bytes[sizeof pb];
    static uint8_t from[0x1000], to[0x1001];
    static uint8_t timeline[16];
    const uint32_t access = GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
    const gpucmd_region regions[] = {
        {0x200000000,  sizeof ring_bytes, ring_bytes, GPUCMD_ACCESS_READ},
        {0x200400000,  sizeof pb_bytes,   pb_bytes,   GPUCMD_ACCESS_READ},
        {0x1000000000, sizeof from,       from,       access            },
        {0x1120000000, sizeof to,         to,         access            },
        {0x7f12345670, sizeof timeline,   timeline,   access            },
    };
    const uint64_t va = 0x200400000;
    const uint64_t entry = (va / 4 << 2) | (uint64_t)(sizeof pb / 4) << 42 | (uint64_t)1 << 41;
    gpucmd_nv_mmio u = {CHIP(GA102), &tg, 1, 5, &tg_card, tg_rung, NULL, NULL};
    gpucmd_mem mem;
    EQUAL(gpucmd_mem_init(&mem, regions, 5), GPUCMD_OK);
    gpucmd_nv_card_init(&tg_card);
    gpucmd_env_init(&tg_env, &mem, NULL, NULL);
    tg_card.clock_ns = 0x1122334455667700;
    EQUAL(gpucmd_nv_channel_init(&tg, CHIP(GA102), &tg_card), GPUCMD_OK);
    tg.id = 0x23;
    tg.pbdma.gp_base = 0x200000000;
    tg.pbdma.limit2 = 3;
    for (size_t i = 0; i < sizeof from; i++) {
        from[i] = (uint8_t)(i * 7 + 1);
    }
    to[0x1000] = 0x5a;
    gpucmd_store64(timeline, 0x2a, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(pb_bytes, pb, sizeof pb / 4, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store64(ring_bytes, entry, GPUCMD_LITTLE_ENDIAN);
    rings = 0;
    gpucmd_nv_channel_write32(&tg, 0x8c, 1);
    EQUAL(rings, 0); /* GV100 and later: GP_PUT alone starts no channel */
    gpucmd_nv_mmio_write32(&u, 0xbb0090, 0x00050023);
    EQUAL(rings, 1);
    EQUAL(tg_run, GPUCMD_RUN_BLOCKED);
    EQUAL(tg.puller.wait.va, 0x7f12345670);
    EQUAL(tg.puller.wait.payload, 0x2b);
    CHECK(tg.puller.wait.is_64bit);
    gpucmd_store64(timeline, 0x2b, GPUCMD_LITTLE_ENDIAN); /* the CPU, or another engine */
    EQUAL(gpucmd_nv_channel_run(&tg, &tg_env, 1000), GPUCMD_RUN_IDLE);
    CHECK(memcmp(from, to, sizeof from) == 0);
    EQUAL(to[0x1000], 0x5a);
    EQUAL(gpucmd_load64(timeline, GPUCMD_LITTLE_ENDIAN), 0x2c);
    EQUAL(gpucmd_load64(timeline + 8, GPUCMD_LITTLE_ENDIAN), 0x1122334455667700);
    EQUAL(gpucmd_nv_channel_read32(&tg, 0x88), 1);
    EQUAL(tg.pbdma.level, true);
    EQUAL(tg_card.effects, 4); /* copy, time, payload, interrupt */
}

int main(void)
{
    tinygrad();
    kick(CHIP(G80), false);
    kick(CHIP(GF100), false);
    kick(CHIP(GV100), true);
    kick(CHIP(GA102), true);
    full(CHIP(GP100), false);
    full(CHIP(TU102), true);
    mapped();
    token_words();
    region();
    return test_report("nv_doorbell");
}

/* fuzz_nv_shared.c - three channels in one memory: their rings, control areas, words and what
 * their engines write. The processor writes to the rings while channels overwrite them.
 *   byte 0  chip    byte 1  bit 0 control areas in the memory, bit 1 callback, bit 7 the memory
 *   changes while it is read    byte 2  words of memory    then    those words, then steps
 * No access is outside the memory, every wait and run ends, and rings stay valid. */
#include "gpucmd_nv.h"

#include "fuzz.h"

enum {
    BASE = 0x10000,
    PART = 0x800,  /* of each channel: ring, then words */
    WORDS = 0x200, /* first words in a part */
    AREAS = 3 * PART,
    RAM_BYTES = AREAS + 3 * 0x200,
    ORDER = 4,
    BUDGET = 300,
};

static gpucmd_nv_channel channels[3];
static gpucmd_nv_ring rings[3];
static gpucmd_nv_gpfifo fifos[3];
static gpucmd_mmio areas[3];
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel scratch;
static gpucmd_mem mem;
static uint8_t *ram;
static bool old, mapped;

/* The control area of a channel, as the processor accesses it. */
static uint32_t area_read(void *user, uint64_t off_bytes)
{
    gpucmd_nv_channel *ch = (gpucmd_nv_channel *)user;
    return ch->chip < GPUCMD_NV_CHIP_GF100 ? gpucmd_nv_pusher_read32(&ch->pusher, off_bytes)
                                           : gpucmd_nv_pbdma_read32(&ch->pbdma, off_bytes);
}

static void area_write(void *user, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_channel *ch = (gpucmd_nv_channel *)user;
    if (ch->chip < GPUCMD_NV_CHIP_GF100) {
        gpucmd_nv_pusher_write32(&ch->pusher, off_bytes, v);
    } else {
        gpucmd_nv_pbdma_write32(&ch->pbdma, off_bytes, v);
    }
}

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    uint32_t sum = 0;
    (void)user;
    for (uint32_t i = 0; i < e->count_dw; i++) {
        sum += e->data[i];
    }
    return sum % 64 == 63 ? GPUCMD_INVALID : GPUCMD_OK;
}

/* Object of a handle: bits 15:0 are the class. */
static gpucmd_status find(void *user, uint32_t channel, uint32_t handle, gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->software = handle >> 16 == 1;
    object->va = handle >> 16 == 2 ? BASE : 0;
    object->bytes = RAM_BYTES;
    return handle >> 16 == 4 ? GPUCMD_FAULT : GPUCMD_OK;
}

static void run(uint64_t quantum, uint64_t budget)
{
    gpucmd_nv_blocked rows[3];
    gpucmd_nv_report report;
    for (uint32_t i = 0; i < 3 && mapped; i++) { /* the GPU reads GP_PUT in memory */
        const uint8_t *area = ram + AREAS + 0x200 * i;
        area_write(&channels[i], 0x8c, gpucmd_load32(area + 0x8c, GPUCMD_LITTLE_ENDIAN));
    }
    memset(&report, 0, sizeof report);
    report.rows = rows;
    report.cap = 3;
    report.scratch = &scratch;
    report.look_ahead = 200;
    card.quantum = quantum;
    (void)gpucmd_nv_run_all(channels, 3, &env, budget, &report);
    must(report.count <= 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t *area = ram + AREAS + 0x200 * i;
        must(channels[i].pusher.mcnt <= GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT));
        must(channels[i].pbdma.count <= GPUCMD_FIELD_MAX(NV_HDR_COUNT));
        if (mapped) {
            gpucmd_store32(area + 0x88, area_read(&channels[i], 0x88), GPUCMD_LITTLE_ENDIAN);
        }
    }
}

static gpucmd_status on_wait(void *user, uint32_t tries)
{
    (void)user;
    run(10, 30);
    return tries < 6 ? GPUCMD_OK : GPUCMD_LIMIT;
}

static uint32_t address(uint32_t v)
{
    return BASE + v * 52 % RAM_BYTES / 4 * 4;
}

/* Methods of the host and of a copy engine, or any word. */
static void methods(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t what, input *in)
{
    const uint32_t at = address(take(in, 1)), v = take(in, 1);
    const uint32_t release[4] = {0, at, v, 2}, acquire[4] = {0, at, v, 1};
    const uint32_t copy[4] = {0, at, 0, address(v)}, launch[1] = {take(in, 2)};
    const uint32_t bind[1] = {take(in, 1) % 2 != 0 ? 0xa0b5u : take(in, 2)};
    const uint32_t line[2] = {v, 1};
    switch (what % 8) {
    case 0: gpucmd_writer_emit_words(w, launch, 1); break;
    case 1:
        if (old) {
            gpucmd_nv_emit_old_inc(w, v % 8, (at & 0x7fc), line, 2);
        } else {
            gpucmd_nv_emit_inc(w, v % 8, (at & 0xffc), line, 2);
        }
        break;
    case 2:
        if (old) {
            gpucmd_nv_emit_old_inc(w, v % 8, 0, bind, 1);
        } else {
            gpucmd_nv_emit_inc(w, 4, 0, bind, 1);
        }
        break;
    case 3:
        if (old) {
            gpucmd_nv_emit_old_inc(w, 0, 0x10, v % 2 != 0 ? release : acquire, 4);
        } else {
            gpucmd_nv_emit_inc(w, 0, 0x10, v % 2 != 0 ? release : acquire, 4);
        }
        break;
    case 4: gpucmd_nv_emit_sem_release(w, chip, at, v, 0); break;
    case 5: gpucmd_nv_emit_sem_acquire(w, chip, GPUCMD_NV_SEM_OP_ACQUIRE, at, v, 0); break;
    default:
        if (!old) {
            gpucmd_nv_emit_inc(w, 4, 0x400, copy, 4);
            gpucmd_nv_emit_inc(w, 4, 0x418, line, 2);
            gpucmd_nv_emit_inc(w, 4, 0x300, launch, 1);
        }
        break;
    }
}

static void submit(gpucmd_nv_chip chip, uint32_t i, input *in)
{
    const uint32_t what = take(in, 1), at = take(in, 1);
    gpucmd_writer w;
    if (old) {
        if (gpucmd_nv_ring_begin(&rings[i], what / 8 + 1, &w) != GPUCMD_OK) {
            return;
        }
        methods(&w, chip, what, in);
        if (gpucmd_nv_ring_end(&rings[i], &w) == GPUCMD_OK && what < 240) {
            gpucmd_nv_ring_submit(&rings[i]);
        }
        return;
    }
    const uint32_t off = i * PART + WORDS + at % 64 * 16; /* words, then an entry for them */
    gpucmd_writer_init(&w, (uint32_t *)(void *)(ram + off), 24);
    methods(&w, chip, what, in);
    if (gpucmd_nv_gpfifo_push(&fifos[i], BASE + off, what / 8 + 1, 0) == GPUCMD_OK && what < 240) {
        gpucmd_nv_gpfifo_submit(&fifos[i]);
    }
}

static void step(gpucmd_nv_chip chip, input *in)
{
    const uint32_t op = take(in, 1), i = op / 8 % 3, at = take(in, 1);
    switch (op % 8) {
    case 0:
    case 1:
    case 2:
    case 3: submit(chip, i, in); break;
    case 4: run(1 + at % 20, BUDGET); break;
    case 5: gpucmd_store32(ram + (address(at) - BASE), take(in, 4), GPUCMD_LITTLE_ENDIAN); break;
    case 6: area_write(&channels[i], at % 64 * 4, take(in, 2)); break;
    default: /* continue after an error */
        gpucmd_nv_pusher_recover(&channels[i].pusher);
        channels[i].pbdma.fault = GPUCMD_OK;
        gpucmd_nv_channel_clear(&channels[i]);
        break;
    }
    for (uint32_t k = 0; k < 3; k++) {
        must(!old || (rings[k].put_dw >= rings[k].first_dw && rings[k].put_dw < rings[k].cap_dw));
        must(old || (fifos[k].put <= fifos[k].mask && fifos[k].get <= fifos[k].mask));
    }
}

static void start(gpucmd_nv_chip chip, uint32_t i)
{
    gpucmd_nv_channel *ch = &channels[i];
    uint8_t *part = ram + i * PART;
    must(gpucmd_nv_channel_init(ch, chip, &card) == GPUCMD_OK);
    ch->id = i;
    areas[i].read32 = area_read;
    areas[i].write32 = area_write;
    areas[i].user = ch;
    if (old) {
        ch->pusher.dma_get = ch->pusher.dma_put = BASE + i * PART;
        must(gpucmd_nv_ring_init(&rings[i], chip, (uint32_t *)(void *)part, BASE + i * PART,
                                 WORDS / 4, 2, &areas[i]) == GPUCMD_OK);
        rings[i].wait.fn = on_wait;
        return;
    }
    ch->pbdma.gp_base = BASE + i * PART;
    ch->pbdma.limit2 = ORDER;
    must(gpucmd_nv_gpfifo_init(&fifos[i], chip, part, ORDER, &areas[i], NULL, 0) == GPUCMD_OK);
    if (mapped) {
        fifos[i].userd = (volatile uint32_t *)(void *)(ram + AREAS + 0x200 * i);
    }
    fifos[i].wait.fn = on_wait;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const gpucmd_nv_chip chips[] = {
        GPUCMD_NV_CHIP_NV4,   GPUCMD_NV_CHIP_NV1A,  GPUCMD_NV_CHIP_NV40,  GPUCMD_NV_CHIP_G80,
        GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_GK104, GPUCMD_NV_CHIP_GV100, GPUCMD_NV_CHIP_GA102};
    input in = {data, size};
    gpucmd_region region = {BASE, RAM_BYTES, NULL, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    if (size < 8 || size > 4096) {
        return 0;
    }
    const gpucmd_nv_chip chip = chips[take(&in, 1) % 8];
    const uint32_t flags = take(&in, 1), words = take(&in, 1);
    old = chip < GPUCMD_NV_CHIP_GF100;
    mapped = !old && (flags & 1) != 0;
    ram = (uint8_t *)malloc(RAM_BYTES);
    must(ram != NULL);
    memset(ram, 0, RAM_BYTES);
    for (uint32_t i = 0; i < words; i++) {
        gpucmd_store32(ram + WORDS + 4 * i, take(&in, 4), GPUCMD_LITTLE_ENDIAN);
    }
    region.host = ram;
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.event = (flags & 2) != 0 ? on_event : NULL;
    card.object = find;
    for (uint32_t i = 0; i < 3; i++) {
        start(chip, i);
    }
    flips_clear();
    if ((flags & 128) != 0) {
        flips_add(ram, RAM_BYTES);
        flips_arm(words * 0x01010101u);
    }
    for (int steps = 0; steps < 60 && in.size != 0; steps++) {
        step(chip, &in);
    }
    run(1, BUDGET);
    (void)flips_disarm();
    free(ram);
    return 0;
}

#define FUZZ_NAME "fuzz_nv_shared"
#include "fuzz_main.h"

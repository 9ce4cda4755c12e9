/* fuzz_nv_host.c - two channels of any chip execute hostile words in one small memory, which holds
 * words, IB entries, semaphores and the data of copies. No access may be outside that memory, and
 * no call may hang. The channels run in turns of many words, then in turns of one word.
 *   byte 0  chip    byte 1  flags; bit 7: the memory changes while it is read
 *   then    the memory, little-endian words */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "fuzz.h"
#include "nv/report.h"

#define BASE 0x10000u

enum { RAM_BYTES = 0x2000, RING = 0x1800, HALF = 0xc00 };

static gpucmd_nv_channel channels[2][2];
static gpucmd_nv_channel scratch;
static uint32_t shadow[GPUCMD_NV_SHADOW_DW];
static uint32_t syncpoints[4];
static uint32_t faulted[2];

/* Callback. Depending on the flags, accept only half of the words of a run, or return a failure. */
static gpucmd_status on_event(void *user, const gpucmd_event *event)
{
    const uint8_t *flags = (const uint8_t *)user;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        sum += event->data[i]; /* read all words */
    }
    if ((*flags & 8) != 0 && event->kind == GPUCMD_EVENT_METHODS && event->count_dw > 1) {
        *event->out_dw = event->count_dw / 2 + (sum & 0);
        return GPUCMD_BLOCKED;
    }
    return (*flags & 16) != 0 && (event->addr & 0xf00) == 0x700 ? GPUCMD_INVALID : GPUCMD_OK;
}

/* Object of a handle. Bits 15:0 of the handle are the class, bits 19:16 the kind of object. */
static gpucmd_status find(void *user, uint32_t channel, uint32_t handle, gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = handle & 0xffff;
    object->software = (handle >> 16 & 15) == 1;
    object->va = (handle >> 16 & 15) == 2 ? BASE : 0;
    object->bytes = (handle >> 16 & 15) == 3 ? 0 : RAM_BYTES;
    return (handle >> 16 & 15) == 4 ? GPUCMD_FAULT : GPUCMD_OK;
}

static void start(gpucmd_nv_channel *ch, gpucmd_nv_chip chip, gpucmd_nv_card *card, uint32_t id,
                  uint8_t flags)
{
    must(gpucmd_nv_channel_init(ch, chip, card) == GPUCMD_OK);
    ch->id = id;
    ch->shadow = (flags & 1) != 0 ? shadow : NULL;
    ch->puller.keeps_crc = (flags & 64) != 0;
    ch->pbdma.gp_base = BASE + RING + 0x80 * id;
    ch->pbdma.limit2 = 4;
    ch->pbdma.gp_put = 12;
    ch->pusher.dma_get = BASE + id * HALF;
    ch->pusher.dma_put = BASE + id * HALF + HALF;
    ch->pusher.big_endian = (flags & 2) != 0 && chip >= GPUCMD_NV_CHIP_NV1A;
    ch->pusher.pfifo_endian = (flags & 2) != 0 && chip >= GPUCMD_NV_CHIP_G80;
    for (uint32_t subc = 0; subc < 8 && chip < GPUCMD_NV_CHIP_GF100; subc++) {
        static const uint16_t classes[] = {0x0039, 0x4097, 0x5039, 0x5097,
                                           0x309e, 0x3089, 0x502d, 0x0062};
        gpucmd_nv_chip since;
        gpucmd_priv_nv_engine_init(&ch->engines[subc], classes[subc],
                                   gpucmd_nv_class_model(classes[subc], &since), true);
    }
}

/* Return the word of the request as the value of the counter. */
static void count(void *user, uint32_t channel, uint32_t get, uint32_t words[2])
{
    (void)user;
    words[channel & 1] = get;
}

/* Run both channels with memory ram, in turns of quantum words. */
static void run(uint8_t *ram, gpucmd_nv_channel *pair, gpucmd_nv_chip chip, uint8_t *flags,
                uint64_t quantum)
{
    const gpucmd_region region = {BASE, RAM_BYTES, ram, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_nv_blocked rows[2];
    gpucmd_nv_report report;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    gpucmd_text t;
    char buf[600];
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.event = (*flags & 4) != 0 ? on_event : NULL;
    card.software = env.event;
    env.user = flags;
    card.software_user = flags;
    card.object = find;
    card.counter = (*flags & 32) != 0 ? count : NULL;
    card.syncpoints = syncpoints;
    card.syncpoint_count = 4;
    card.clock_step_ns = 0;
    faulted[0] = faulted[1] = 0;
    card.faulted = (*flags & 64) != 0 ? faulted : NULL;
    card.faulted_count = 2;
    gpucmd_priv_zero(&report, sizeof report);
    report.rows = rows;
    report.cap = 2;
    report.scratch = &scratch;
    report.look_ahead = 500;
    start(&pair[0], chip, &card, 0, *flags);
    start(&pair[1], chip, &card, 1, *flags);
    for (int tries = 0; tries < 4; tries++) {
        card.quantum = quantum;
        (void)gpucmd_nv_run_all(pair, 2, &env, 3000, &report);
        gpucmd_text_init(&t, buf, sizeof buf);
        print_report(&t, pair, &env, &report);
        must(report.count <= 2 && t.len_bytes < sizeof buf);
        for (int i = 0; i < 2; i++) { /* continue after errors */
            must(pair[i].pusher.mcnt <= GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT));
            must(pair[i].pbdma.count <= GPUCMD_FIELD_MAX(NV_HDR_COUNT));
            gpucmd_nv_pusher_recover(&pair[i].pusher);
            pair[i].pbdma.fault = GPUCMD_OK;
            gpucmd_nv_channel_clear(&pair[i]);
        }
    }
}

static gpucmd_status on_finding(void *user, const gpucmd_nv_finding *finding)
{
    unsigned *count = (unsigned *)user;
    must(gpucmd_nv_rule_name(finding->rule)[0] != '?' && finding->stream < 2);
    must(finding->at_va >= BASE && finding->at_va < BASE + RAM_BYTES);
    return ++*count < 1000 ? GPUCMD_OK : GPUCMD_BLOCKED;
}

/* Check the words with gpucmd_nv_check_host, without execution. */
static void check(const uint8_t *ram, gpucmd_nv_chip chip)
{
    uint32_t words[RING / 4];
    uint64_t released[8];
    gpucmd_nv_stream streams[2];
    gpucmd_nv_check_options c;
    gpucmd_nv_gate gate;
    unsigned count = 0;
    size_t errors = 0;
    for (uint32_t i = 0; i < RING / 4; i++) {
        words[i] = gpucmd_load32(ram + 4 * i, GPUCMD_LITTLE_ENDIAN);
    }
    gpucmd_priv_zero(&c, sizeof c);
    if (gpucmd_nv_gate_init(&gate, chip, false, false, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        streams[i].dw = words + i * HALF / 4;
        streams[i].len_dw = HALF / 4;
        streams[i].base_va = BASE + i * HALF;
    }
    c.released = released;
    c.cap = 8;
    c.found = on_finding;
    c.user = &count;
    c.object = find;
    must(gpucmd_nv_check_host(&gate, streams, 2, &c, &errors) ==
         (count < 1000 ? GPUCMD_OK : GPUCMD_BLOCKED));
    must(errors <= count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *ram;
    uint8_t flags;
    const size_t n = size < 2 ? 0 : size - 2 < RAM_BYTES ? size - 2 : RAM_BYTES;
    const gpucmd_nv_chip chip = (gpucmd_nv_chip)(size != 0 ? data[0] % GPUCMD_NV_CHIP_COUNT : 0);
    if (n < 8 || chip < GPUCMD_NV_CHIP_NV4) {
        return 0;
    }
    flags = data[1];
    ram = (uint8_t *)malloc(RAM_BYTES);
    must(ram != NULL);
    for (int pass = 0; pass < 2; pass++) {
        gpucmd_priv_zero(ram, RAM_BYTES);
        gpucmd_priv_copy(ram, data + 2, n);
        if (chip >= GPUCMD_NV_CHIP_GF100) { /* IB entries for the words of each channel */
            for (uint32_t i = 0; i < 24; i++) {
                gpucmd_store32(ram + RING + 8 * i, BASE + i / 12 * HALF + i % 12 * 0x100,
                               GPUCMD_LITTLE_ENDIAN);
                gpucmd_store32(ram + RING + 8 * i + 4, 0x40 << 10, GPUCMD_LITTLE_ENDIAN);
            }
        }
        if (pass == 0) {
            check(ram, chip);
        }
        flips_clear();
        if ((flags & 128) != 0) {
            flips_add(ram, RAM_BYTES);
            flips_arm(data[size - 1] * 0x01010101u);
        }
        run(ram, channels[pass], chip, &flags, pass == 0 ? 100 : 1);
        (void)flips_disarm();
    }
    free(ram);
    return 0;
}

#define FUZZ_NAME "fuzz_nv_host"
#include "fuzz_main.h"

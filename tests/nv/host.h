/* nv/host.h - a channel with a small memory, for tests of host methods and engines. start creates
 * the channel; RUN submits words and executes them. */
#ifndef GPUCMD_NV_HOST_TEST_H
#define GPUCMD_NV_HOST_TEST_H

#define BASE      0x100000u        /* address of the memory */
#define SEM       (BASE + 0x8000)  /* address for semaphores */
#define RING      (BASE + 0x10000) /* IB entries */
#define RAM_BYTES 0x20000u

static uint8_t ram[RAM_BYTES];
static gpucmd_region region;
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel ch;
static struct {
    unsigned count;    /* events */
    gpucmd_event last; /* of kind METHODS or INTERRUPT */
    uint32_t data[64]; /* its first words */
    unsigned interrupts;
    gpucmd_status answer; /* status for METHODS */
    uint32_t take;        /* number of words accepted if answer is BLOCKED */
} got;

static gpucmd_status on_event(void *user, const gpucmd_event *event)
{
    (void)user;
    got.count++;
    got.last = *event;
    for (uint32_t i = 0; i < event->count_dw && i < 64; i++) {
        got.data[i] = event->data[i];
    }
    if (event->kind == GPUCMD_EVENT_INTERRUPT) {
        got.interrupts++;
        return GPUCMD_OK;
    }
    if (got.answer == GPUCMD_BLOCKED) {
        *event->out_dw = got.take;
    }
    return got.answer;
}

static inline uint32_t peek(uint64_t va)
{
    return gpucmd_load32(ram + (va - BASE), GPUCMD_LITTLE_ENDIAN);
}

static inline uint64_t peek64(uint64_t va)
{
    return gpucmd_load64(ram + (va - BASE), GPUCMD_LITTLE_ENDIAN);
}

static void poke(uint64_t va, uint32_t v)
{
    gpucmd_store32(ram + (va - BASE), v, GPUCMD_LITTLE_ENDIAN);
}

/* Handles: 0xbeef0000 + class is a DMA object of that class, 0x1000 bytes at SEM. 0xfeed0000, and
 * 0, which methods have before a handle is bound, are the whole address space. 0xcafe0000 + class is an engine object. 0xdead0000 is a software object.
 * Others are unknown. */
static gpucmd_status find_object(void *user, uint32_t channel, uint32_t handle,
                                 gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    CHECK(object->class_id == 0 && !object->software && object->va == 0 && object->bytes == 0 &&
          !object->unfit);
    object->class_id = handle & 0xffff;
    if (handle >> 16 == 0xbeef) {
        object->va = SEM;
        object->bytes = 0x1000;
        return GPUCMD_OK;
    }
    if (handle == 0 || handle >> 16 == 0xfeed) {
        object->bytes = (uint64_t)1 << 40;
        return GPUCMD_OK;
    }
    object->software = handle >> 16 == 0xdead;
    return object->software || handle >> 16 == 0xcafe ? GPUCMD_OK : GPUCMD_FAULT;
}

/* Start a new channel of the chip, with zeroed memory. */
static void start(gpucmd_nv_chip chip)
{
    memset(ram, 0, sizeof ram);
    memset(&got, 0, sizeof got);
    region.va = BASE;
    region.bytes = RAM_BYTES;
    region.host = ram;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.event = on_event;
    card.object = find_object;
    card.clock_ns = 0x123456789abcull;
    card.clock_step_ns = 0;
    CHECK(gpucmd_nv_channel_init(&ch, chip, &card) == GPUCMD_OK);
    ch.id = 3;
    if (chip >= GPUCMD_NV_CHIP_GF100) {
        ch.pbdma.gp_base = RING;
        ch.pbdma.limit2 = 4;
    }
    /* the object of SEMAPHOREA and SEMAPHOREB: the whole address space, as nouveau sets it */
    if (chip >= GPUCMD_NV_CHIP_G84) {
        ch.puller.dma_semaphore_bytes = (uint64_t)1 << 40;
    }
}

/* Submit words. GF100 and later: as a new segment. Before GF100: as the next words of the
 * pushbuffer. */
static void submit(const uint32_t *words, uint32_t n)
{
    const gpucmd_endian endian =
        ch.pusher.big_endian || ch.pusher.pfifo_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    gpucmd_store_words(ram, words, n, endian);
    if (ch.chip >= GPUCMD_NV_CHIP_GF100) {
        poke(RING + 8 * ch.pbdma.gp_put, BASE);
        poke(RING + 8 * ch.pbdma.gp_put + 4, n << 10);
        gpucmd_nv_channel_write32(&ch, GPUCMD_NV_AREA_IB_PUT, (ch.pbdma.gp_put + 1) % 16);
        return;
    }
    ch.pusher.dma_get = BASE;
    gpucmd_nv_channel_write32(&ch, GPUCMD_NV_AREA_DMA_PUT, BASE + 4 * n);
}

static gpucmd_run run_words(const uint32_t *words, uint32_t n)
{
    submit(words, n);
    test_dirty();
    return gpucmd_nv_channel_run(&ch, &env, 1000000);
}

#define RUN(...)                                                                                   \
    run_words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

#define GO(result, ...) EQUAL(RUN(__VA_ARGS__), GPUCMD_RUN_##result)

#endif /* GPUCMD_NV_HOST_TEST_H */

/* fuzz_nv_run.c - pusher and PBDMA with memory from the input.
 *   byte 0  chip    byte 1  switches; bit 7: the memory changes while it is read
 *   byte 2  length of the first region / 4
 *   byte 3  order of the ring, words of the ring that are submitted
 *   then    32 bytes of ring at 0x2000, the rest at 0x1000, cut in two regions
 * Each executes whole runs in one copy and single words in another. The final states of both copies
 * must be equal. */
#include "gpucmd_nv.h"

#include "fuzz.h"

enum { RING_BYTES = 32, HEAD_BYTES = 4, BUDGET = 600 };

typedef struct sink {
    gpucmd_nv_chip chip;
    uint32_t sum; /* checksum of all methods in order */
    uint64_t count;
    uint32_t refuse_in; /* calls until the next BLOCKED; 0: never */
    bool traced;
} sink;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    sink *s = (sink *)user;
    uint32_t take = e->count_dw;
    gpucmd_status status = GPUCMD_OK;
    must(e->kind == GPUCMD_EVENT_METHODS && e->count_dw != 0 && e->unit < 8);
    if (s->refuse_in != 0 && --s->refuse_in == 0) {
        s->refuse_in = 5;
        take /= 2;
        *e->out_dw = take;
        status = GPUCMD_BLOCKED;
    }
    for (uint32_t i = 0; i < take; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(s->chip, (gpucmd_nv_kind)e->code, e->addr, i);
        s->sum = s->sum * 31 + mthd * 7 + e->data[i] + e->unit;
    }
    s->count += take;
    return status;
}

static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)e;
    ((sink *)user)->traced = true;
    return GPUCMD_OK;
}

static void sink_init(sink *s, gpucmd_env *env, gpucmd_mem *mem, gpucmd_nv_chip chip,
                      uint32_t refuse_in)
{
    s->chip = chip;
    s->sum = 0;
    s->count = 0;
    s->refuse_in = refuse_in;
    s->traced = false;
    gpucmd_env_init(env, mem, on_event, s);
    env->trace = on_trace;
    env->trace_user = s;
}

static void run_pusher(gpucmd_mem *mem, gpucmd_nv_chip chip, const uint8_t *head, size_t len)
{
    gpucmd_nv_pusher p;
    gpucmd_nv_pusher q;
    sink s;
    gpucmd_env env;
    gpucmd_run run = GPUCMD_RUN_DONE;
    must(gpucmd_nv_pusher_init(&p, chip) == GPUCMD_OK);
    p.big_endian = (head[1] & 1) != 0;
    p.pfifo_endian = (head[1] & 2) != 0;
    p.ib_enable = (head[1] & 4) != 0;
    p.sli_enable = (head[1] & 8) != 0;
    p.sli_mask = 1;
    p.dma_get = p.dma_put = 0x1000;
    p.ib_address = 0x2000;
    p.ib_order = head[3] & 3;
    p.ib_put = head[3] >> 2 & 7;
    if (!p.ib_enable || chip < GPUCMD_NV_CHIP_G80) {
        p.dma_put += len & ~(size_t)3;
    }
    q = p;
    sink_init(&s, &env, mem, chip, 0);
    for (unsigned i = 0; i < BUDGET && run != GPUCMD_RUN_IDLE; i++) {
        run = gpucmd_nv_pusher_step(&p, &env);
        if (run == GPUCMD_RUN_FAULT) {
            must(p.error != GPUCMD_NV_PUSHER_ERROR_NONE);
            break;
        }
    }
    const sink steps = s;
    const bool changes = (head[1] & 128) != 0;
    sink_init(&s, &env, mem, chip, 0);
    (void)gpucmd_nv_pusher_run(&q, &env, BUDGET);
    must(changes || (q.dma_get == p.dma_get && q.dma_put == p.dma_put && q.error == p.error));
    must(changes || (q.mthd == p.mthd && q.mcnt == p.mcnt && q.ib_get == p.ib_get));
    must(changes || (q.lenp == p.lenp && s.sum == steps.sum && s.count == steps.count));
    sink_init(&s, &env, mem, chip, 3);
    for (unsigned i = 0; i < 20; i++) {
        (void)gpucmd_nv_pusher_run(&q, &env, 64);
        q.fault = GPUCMD_OK;
        if (q.error != GPUCMD_NV_PUSHER_ERROR_NONE) {
            gpucmd_nv_pusher_recover(&q);
        }
        (void)gpucmd_nv_pusher_read32(&q, 0x40 + 4 * i);
        gpucmd_nv_pusher_write32(&q, 0x8c, i);
    }
}

static void run_pbdma(gpucmd_mem *mem, gpucmd_nv_chip chip, const uint8_t *head)
{
    gpucmd_nv_pbdma p;
    gpucmd_nv_pbdma q;
    sink s;
    gpucmd_env env;
    gpucmd_run run = GPUCMD_RUN_DONE;
    must(gpucmd_nv_pbdma_init(&p, chip) == GPUCMD_OK);
    p.fmt = chip >= GPUCMD_NV_CHIP_GV100 ? GPUCMD_NV_FMT_NEW
            : (head[1] & 1) != 0         ? GPUCMD_NV_FMT_BOTH
            : (head[1] & 2) != 0         ? GPUCMD_NV_FMT_OLD
                                         : GPUCMD_NV_FMT_NEW;
    if ((head[1] & 4) != 0) {
        p.subdevice = 0x30000001 ^ (uint32_t)(head[1] & 0x30) << 24;
    }
    p.gp_base = 0x2000;
    p.limit2 = head[3] & 3;
    p.gp_put = head[3] >> 2 & 7;
    q = p;
    sink_init(&s, &env, mem, chip, 0);
    for (unsigned i = 0; i < BUDGET && run != GPUCMD_RUN_IDLE; i++) {
        run = gpucmd_nv_pbdma_step(&p, &env);
        if (run == GPUCMD_RUN_FAULT) {
            must(p.intr != 0 || p.fault == GPUCMD_FAULT);
            break;
        }
    }
    const sink steps = s;
    const bool changes = (head[1] & 128) != 0;
    sink_init(&s, &env, mem, chip, 0);
    (void)gpucmd_nv_pbdma_run(&q, &env, BUDGET);
    must(changes || (q.pb_get == p.pb_get && q.pb_put == p.pb_put && q.intr == p.intr));
    must(changes || (q.mthd == p.mthd && q.count == p.count && q.gp_get == p.gp_get));
    must(changes || (q.fault == p.fault && q.type == p.type && q.subdevice == p.subdevice));
    must(changes || (q.gp_crc == p.gp_crc && q.top_level_get == p.top_level_get));
    must(changes || (s.sum == steps.sum && s.count == steps.count));
    sink_init(&s, &env, mem, chip, 3);
    for (unsigned i = 0; i < 20; i++) {
        (void)gpucmd_nv_pbdma_run(&q, &env, 64);
        q.fault = GPUCMD_OK;
        gpucmd_nv_pbdma_clear(&q, 0xffffffffu);
        (void)gpucmd_nv_pbdma_read32(&q, 0x40 + 4 * i);
        gpucmd_nv_pbdma_write32(&q, 0x8c, i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const gpucmd_nv_chip chips[] = {
        GPUCMD_NV_CHIP_NV4,   GPUCMD_NV_CHIP_NV10,  GPUCMD_NV_CHIP_NV1A,  GPUCMD_NV_CHIP_NV40,
        GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_MCP89, GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_GK104,
        GPUCMD_NV_CHIP_GV100, GPUCMD_NV_CHIP_TU102, GPUCMD_NV_CHIP_GA100, GPUCMD_NV_CHIP_GH100};
    uint8_t *memory;
    gpucmd_mem mem;
    if (size < HEAD_BYTES + RING_BYTES + 4) {
        return 0;
    }
    const gpucmd_nv_chip chip = chips[data[0] % 12];
    const size_t len = size - HEAD_BYTES - RING_BYTES;
    const size_t cut = data[2] % (len + 1);
    memory = (uint8_t *)malloc(size - HEAD_BYTES);
    must(memory != NULL);
    gpucmd_priv_copy(memory, data + HEAD_BYTES, size - HEAD_BYTES);
    const gpucmd_region regions[] = {
        {0x1000,       cut,        memory + RING_BYTES,       GPUCMD_ACCESS_READ},
        {0x1000 + cut, len - cut,  memory + RING_BYTES + cut, GPUCMD_ACCESS_READ},
        {0x2000,       RING_BYTES, memory,                    GPUCMD_ACCESS_READ},
    };
    if (len <= 0x1000) {
        must(gpucmd_mem_init(&mem, regions, 3) == GPUCMD_OK);
        flips_clear();
        if ((data[1] & 128) != 0) {
            flips_add(memory, size - HEAD_BYTES);
            flips_arm(data[size - 1] * 0x01010101u);
        }
        if (chip >= GPUCMD_NV_CHIP_GF100) {
            run_pbdma(&mem, chip, data);
        } else {
            run_pusher(&mem, chip, data, len);
        }
    }
    (void)flips_disarm();
    free(memory);
    return 0;
}

#define FUZZ_NAME "fuzz_nv_run"
#include "fuzz_main.h"

/* Each function that sets up a structure writes every member, whatever the memory held before. The
 * values are typed from the comments of the functions. */
#include "gpucmd_nv.h"
#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

/* The memory of every structure, first full of 0xff, then of 0. */
static union {
    gpucmd_nv_ring ring;
    gpucmd_nv_gpfifo fifo;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_pusher pusher;
    gpucmd_nv_pbdma pbdma;
    gpucmd_nv_ports ports;
    gpucmd_nv_card card;
    gpucmd_nv_channel channel;
    gpucmd_nvgpu_buffer_req buffer_req;
    gpucmd_nvgpu_channel_req channel_req;
    gpucmd_nvgpu_rm rm;
    gpucmd_nvgpu_kernel kernel;
    uint8_t bytes[sizeof(gpucmd_nv_channel) + sizeof(gpucmd_nvgpu_kernel)];
} u;

static const gpucmd_mmio area = {NULL, NULL, NULL};

static void rings(void)
{
    static uint64_t memory[64];
    EQUAL(gpucmd_nv_ring_init(&u.ring, CHIP(NV10), (uint32_t *)memory, 0x100, 64, 2, &area),
          GPUCMD_OK);
    CHECK(u.ring.base == (uint32_t *)memory && u.ring.area.read32 == NULL);
    CHECK(u.ring.wait.fn == NULL && u.ring.wait.max_tries == 1u << 20);
    EQUAL(u.ring.base_va, 0x100);
    EQUAL(u.ring.cap_dw, 64);
    EQUAL(u.ring.first_dw, 2);
    EQUAL(u.ring.put_dw, 2);
    EQUAL(u.ring.submitted_dw, 0);
    EQUAL(u.ring.chip, CHIP(NV10));
    EQUAL(u.ring.get_off_bytes, 0x44);
    EQUAL(memory[0], 0);

    EQUAL(gpucmd_nv_gpfifo_init(&u.fifo, CHIP(GV100), memory, 6, &area, &area, 0x123), GPUCMD_OK);
    CHECK(u.fifo.base == (uint8_t *)memory && u.fifo.area.read32 == NULL &&
          u.fifo.usermode.user == NULL);
    CHECK(u.fifo.userd == NULL && u.fifo.doorbell == NULL);
    EQUAL(u.fifo.mask, 63);
    EQUAL(u.fifo.put, 0);
    EQUAL(u.fifo.get, 0);
    EQUAL(u.fifo.submitted, 0);
    EQUAL(u.fifo.chip, CHIP(GV100));
    EQUAL(u.fifo.endian, GPUCMD_LITTLE_ENDIAN);
    EQUAL(u.fifo.base_va, 0);
    EQUAL(u.fifo.token, 0x123);
}

static void readers(void)
{
    gpucmd_nv_gate gate;
    EQUAL(gpucmd_nv_gate_init(&u.gate, CHIP(NV4), false, false, GPUCMD_NV_FMT_NEW), GPUCMD_OK);
    EQUAL(u.gate.chip, CHIP(NV4));
    EQUAL(u.gate.fmt, GPUCMD_NV_FMT_NEW);
    CHECK(!u.gate.ib_enable && !u.gate.sli_enable);
    gate = u.gate;
    gpucmd_nv_walk_init(&u.walk, &gate, NULL, 0);
    CHECK(u.walk.cur == NULL && u.walk.end == NULL && !u.walk.lenp);
    EQUAL(u.walk.gate.forms, gate.forms);
    EQUAL(u.walk.form, GPUCMD_NV_FORM_INVALID);
    EQUAL(u.walk.kind, GPUCMD_NV_KIND_INC);
    EQUAL(u.walk.subc, 0);
    EQUAL(u.walk.mthd, 0);
    EQUAL(u.walk.left_dw, 0);
    EQUAL(u.walk.status, GPUCMD_OK);
}

/* Call init over both fillings: the first bytes bytes become equal. */
#define FILLED(member, ...)                                                                        \
    do {                                                                                           \
        static uint8_t once[sizeof u.member];                                                      \
        memset(&u, 0xff, sizeof u);                                                                \
        __VA_ARGS__;                                                                               \
        memcpy(once, &u, sizeof once);                                                             \
        memset(&u, 0, sizeof u);                                                                   \
        __VA_ARGS__;                                                                               \
        CHECK(memcmp(once, &u, sizeof once) == 0);                                                 \
    } while (0)

/* The members that are not 0. */
static void pushers(void)
{
    static const gpucmd_nv_pusher none;
    for (unsigned c = CHIP(NV4); c < CHIP(GF100); c++) {
        FILLED(pusher, EQUAL(gpucmd_nv_pusher_init(&u.pusher, (gpucmd_nv_chip)c), GPUCMD_OK));
        EQUAL(u.pusher.chip, c);
        EQUAL(u.pusher.dma_limit, 0xffffffff);
        EQUAL(u.pusher.dma_pushbuffer_bytes, ~(uint64_t)0);
        EQUAL(u.pusher.sli_active, c >= CHIP(NV40));
        memset(&u.pusher.chip, 0, sizeof u.pusher.chip);
        u.pusher.dma_limit = 0;
        u.pusher.dma_pushbuffer_bytes = 0;
        u.pusher.sli_active = false;
        CHECK(memcmp(&u.pusher, &none, sizeof none) == 0);
    }
}

static void zeroed(void)
{
    static gpucmd_nvgpu_rm_object objects[2];
    FILLED(pbdma, EQUAL(gpucmd_nv_pbdma_init(&u.pbdma, CHIP(GK104)), GPUCMD_OK));
    EQUAL(u.pbdma.subdevice, 0x30000001);
    FILLED(channel, EQUAL(gpucmd_nv_channel_init(&u.channel, CHIP(G80), NULL), GPUCMD_OK));
    FILLED(channel, EQUAL(gpucmd_nv_channel_init(&u.channel, CHIP(GK104), NULL), GPUCMD_OK));
    FILLED(card, gpucmd_nv_card_init(&u.card));
    FILLED(ports, gpucmd_nv_ports_init(&u.ports, &area, &area, NULL));
    FILLED(buffer_req, gpucmd_nvgpu_buffer_req_init(&u.buffer_req, 4096, true));
    memset(objects, 0xff, sizeof objects);
    FILLED(rm, gpucmd_nvgpu_rm_init(&u.rm, NULL, objects, 2));
    EQUAL(objects[0].handle | objects[1].handle, 0); /* all rows are free */
    EQUAL(u.rm.next_handle, 0x10001);
    EQUAL(u.rm.cap, 2);
}

/* A callback that must not be called. */
static void never(void *user, const char *call, int fd, uint64_t what, int64_t result)
{
    (void)user;
    (void)call;
    (void)fd;
    (void)what;
    (void)result;
    CHECK(false);
}

static void kernel(void)
{
    static gpucmd_nvgpu_kernel_store store;
    static uint8_t ram[0x2000];
    uint8_t *const page = ram + (0x1000 - (uintptr_t)ram % 0x1000) % 0x1000;
    gpucmd_nvgpu_kernel *const k = &u.kernel;
    k->trace = never;
    EQUAL(gpucmd_nvgpu_kernel_init_store(k, &store, page, 0x1000), GPUCMD_OK);
    CHECK(!k->root && !k->identity && !k->fail_copy_out);
    EQUAL(k->fail_at, 0);
    EQUAL(k->fail_error, 12); /* ENOMEM */
    CHECK(k->process == NULL && k->host == NULL && k->trace == NULL);
    CHECK(k->exec == NULL && k->event == NULL);
    EQUAL((uint32_t)k->ram_fd, 0xffffffff);
    EQUAL(k->ram_bytes, 0x1000);
    CHECK(k->ram == page && k->regions == store.regions);
    EQUAL(k->fd_count, 64);
    EQUAL(k->buffer_count, 48);
    EQUAL(k->handle_count, 48);
    EQUAL(k->ctrl_count, 4);
    EQUAL(k->space_count, 4);
    EQUAL(k->range_count, 64);
    EQUAL(sizeof store.regions / sizeof store.regions[0], 64);
    EQUAL(k->tsg_count, 4);
    EQUAL(k->channel_count, 8);
    EQUAL(k->vma_count, 64);
    EQUAL(k->min_freq, 306000000);
    EQUAL(k->max_freq, 1300500000);
    EQUAL(k->gpu.rev, 0); /* members of GA10B without a value */
    EQUAL(k->gpu.chipname[5], 0);
    EQUAL(k->next_serial, 1);
    EQUAL(k->next_range, 0);
    EQUAL(k->finding.rule, GPUCMD_NVGPU_RULE_NONE);
    CHECK(strcmp(k->finding.item, "descriptor ") == 0 && k->finding.member == NULL);
    EQUAL(k->why.kind, GPUCMD_WHY_IDLE);
    EQUAL(k->next_syncpoint, 1);
    EQUAL(k->table, GPUCMD_NVGPU_TABLE_NONE);
    gpucmd_nvgpu_channel_req_init(&u.channel_req);
    EQUAL(u.channel_req.entries, 1024);
    CHECK(u.channel_req.area == NULL);
    EQUAL(u.channel_req.ring_off_bytes, 0);
    EQUAL(u.channel_req.userd_off_bytes, 0);
}

int main(void)
{
    static void (*const cases[])(void) = {rings, readers, pushers, zeroed, kernel};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&u, 0xff, sizeof u);
        cases[i]();
        memset(&u, 0, sizeof u);
        cases[i]();
    }
    return test_report("nv_init");
}

/* The GPU of the model kernel: mappings with rights and offsets, address spaces, doorbells, budgets
 * and faults. The channel releases 64-bit semaphores without a wait:
 * header 0x20050017 of the facts, SEM_EXECUTE 0x01000001. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;
static gpucmd_mmio bell;
static gpucmd_nvgpu_buffer words;
static gpucmd_nvgpu_channel channel;
static gpucmd_nv_gpfifo queue;

/* A buffer for words and a channel with a ring of 8 entries. */
static void channel_make(gpucmd_nvgpu *of, gpucmd_nvgpu_buffer *text, gpucmd_nvgpu_channel *c,
                         gpucmd_nv_gpfifo *q)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer_req_init(&breq, 4096, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(of, &breq, text), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    creq.entries = 8;
    EQUAL(gpucmd_nvgpu_channel_open(of, &creq, c), GPUCMD_OK);
    gpucmd_nvgpu_kernel_mmio(&m, &bell);
    gpucmd_nvgpu_gpfifo_init(q, c, NULL, &bell);
    q->wait.fn = nvgpu_wait;
}

static void started(void)
{
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    channel_make(&g, &words, &channel, &queue);
}

static void finished(void)
{
    gpucmd_nvgpu_channel_close(&g, &channel);
    gpucmd_nvgpu_buffer_free(&g, &words);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Write the words of a release at the beginning of text and submit them. */
static void release(gpucmd_nv_gpfifo *q, const gpucmd_nvgpu_buffer *text, uint64_t va, uint64_t v)
{
    const uint32_t dw[6] = {0x20050017,  (uint32_t)va,        (uint32_t)(va >> 32),
                            (uint32_t)v, (uint32_t)(v >> 32), 0x01000001};
    gpucmd_store_words(text->cpu, dw, 6, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nvgpu_submit(q, text->va, 6, 0), GPUCMD_OK);
}

static gpucmd_run run(void)
{
    return gpucmd_nvgpu_kernel_run(&m, 1000);
}

static uint64_t value(const void *at)
{
    return gpucmd_load64(at, GPUCMD_LITTLE_ENDIAN);
}

/* The kernel's part of the address space holds the ring, read-only. */
static void ring_is_read_only(void)
{
    started();
    EQUAL(m.channels[0].pbdma.gp_base, 0xff00000000);
    release(&queue, &words, 0xff00000000, 7);
    EQUAL(run(), GPUCMD_RUN_FAULT);
    CHECK(value(channel.ring_cpu) != 7);
    CHECK(m.channels[0].timed_out);
    /* A channel that faulted hears no doorbell. */
    EQUAL(gpucmd_nvgpu_submit(&queue, words.va, 6, 0), GPUCMD_OK);
    engine.methods = 0;
    EQUAL(run(), GPUCMD_RUN_IDLE);
    EQUAL(engine.methods, 0);
    finished();
}

/* Access of MAP_BUFFER_EX: bits 11:10. */
static void access_rights(void)
{
    static const struct {
        uint32_t flags;
        bool writable;
    } rows[] = {
        {0,       true },
        {1 << 10, false},
        {2 << 10, true },
        {1 << 2,  true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nvgpu_buffer_req req;
        gpucmd_nvgpu_buffer b;
        started();
        gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
        req.map_flags = rows[i].flags;
        EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
        release(&queue, &words, b.va + 8, 0x1234567890);
        EQUAL(run(), rows[i].writable ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(value((uint8_t *)b.cpu + 8), rows[i].writable ? 0x1234567890 : 0);
        gpucmd_nvgpu_buffer_free(&g, &b);
        finished();
    }
}

static uint64_t map_part(int as, int fd, uint64_t va, uint64_t off, uint64_t bytes)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a = {0};
    a.flags = 1;
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)fd;
    a.buffer_offset = off;
    a.mapping_size = bytes;
    a.offset = va;
    EQUAL(sys.sys_ioctl(sys.user, as, 0xc0284107, &a), 0);
    return a.offset;
}

/* FIXED mappings of parts, made from the highest to the lowest; nothing is between them. */
static void parts_of_a_buffer(void)
{
    struct gpucmd_nvgpu_as_alloc_space_args space = {0};
    struct gpucmd_nvgpu_as_free_space_args give_back = {0};
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    started();
    space.pages = 16;
    space.page_size = 4096;
    space.flags = 1;
    space.o_a.offset = 0x40000000;
    EQUAL(sys.sys_ioctl(sys.user, g.as_fd, 0xc0204106, &space), 0);
    gpucmd_nvgpu_buffer_req_init(&req, 0x3000, true);
    req.map_gpu = false;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    EQUAL(map_part(g.as_fd, b.fd, 0x40008000, 0, 4096), 0x40008000);
    EQUAL(map_part(g.as_fd, b.fd, 0x40004000, 0x2000, 4096), 0x40004000);
    EQUAL(map_part(g.as_fd, b.fd, 0x40000000, 0x1000, 4096), 0x40000000);
    release(&queue, &words, 0x40008010, 1);
    EQUAL(run(), GPUCMD_RUN_IDLE);
    release(&queue, &words, 0x40000010, 2);
    EQUAL(run(), GPUCMD_RUN_IDLE);
    release(&queue, &words, 0x40004010, 3);
    EQUAL(run(), GPUCMD_RUN_IDLE);
    EQUAL(value((uint8_t *)b.cpu + 0x0010), 1);
    EQUAL(value((uint8_t *)b.cpu + 0x1010), 2);
    EQUAL(value((uint8_t *)b.cpu + 0x2010), 3);
    give_back.offset = 0x40000000; /* removes the mappings, too */
    EQUAL(sys.sys_ioctl(sys.user, g.as_fd, 0xc0204103, &give_back), 0);
    release(&queue, &words, 0x40008010, 4);
    EQUAL(run(), GPUCMD_RUN_FAULT);
    EQUAL(value((uint8_t *)b.cpu + 0x0010), 1);
    gpucmd_nvgpu_buffer_free(&g, &b);
    finished();
}

/* A second client: its own nodes and address space, with the same addresses. */
static void address_spaces(void)
{
    gpucmd_nvgpu other;
    gpucmd_nvgpu_buffer other_words;
    gpucmd_nvgpu_channel other_channel;
    gpucmd_nv_gpfifo other_queue;
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer a;
    gpucmd_nvgpu_buffer b;
    started();
    EQUAL(gpucmd_nvgpu_start(&other, &sys), GPUCMD_OK);
    CHECK(g.gpu.device_instance_id != other.gpu.device_instance_id);
    CHECK(g.gpu.device_instance_id != 0 && other.gpu.device_instance_id != 0);
    channel_make(&other, &other_words, &other_channel, &other_queue);
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &a), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&other, &req, &b), GPUCMD_OK);
    EQUAL(a.va, b.va);
    EQUAL(channel.token, 511);
    EQUAL(other_channel.token, 510);
    /* A doorbell is for one channel: the other's entry stays until its own. */
    other_queue.usermode.write32 = NULL;
    release(&other_queue, &other_words, b.va, 22);
    release(&queue, &words, a.va, 11);
    EQUAL(run(), GPUCMD_RUN_IDLE);
    EQUAL(value(a.cpu), 11);
    EQUAL(value(b.cpu), 0);
    bell.write32(bell.user, 0x94, 510); /* no doorbell */
    bell.write32(bell.user, 0x90, 509); /* token of no channel */
    EQUAL(run(), GPUCMD_RUN_IDLE);
    EQUAL(value(b.cpu), 0);
    bell.write32(bell.user, 0x90, 510);
    EQUAL(run(), GPUCMD_RUN_IDLE);
    EQUAL(value(a.cpu), 11);
    EQUAL(value(b.cpu), 22);
    gpucmd_nvgpu_buffer_free(&other, &b);
    gpucmd_nvgpu_channel_close(&other, &other_channel);
    gpucmd_nvgpu_buffer_free(&other, &other_words);
    gpucmd_nvgpu_close(&other);
    gpucmd_nvgpu_buffer_free(&g, &a);
    finished();
}

static unsigned told;

static gpucmd_run scripted(void *user, uint32_t number, gpucmd_nv_pbdma *p, const gpucmd_env *env,
                           uint64_t budget)
{
    const gpucmd_run *const results = (const gpucmd_run *)user;
    (void)p;
    (void)env;
    EQUAL(budget, 1000);
    told++;
    return results[511 - number];
}

/* Doorbells of two channels: the results, and which channel continues in the next call. */
static void results(void)
{
    static const struct {
        gpucmd_run of[2];
        gpucmd_run all;
        unsigned again; /* channels that run at the next call, without a doorbell */
    } rows[] = {
        {{GPUCMD_RUN_IDLE, GPUCMD_RUN_IDLE},     GPUCMD_RUN_IDLE,    0},
        {{GPUCMD_RUN_BLOCKED, GPUCMD_RUN_IDLE},  GPUCMD_RUN_BLOCKED, 1},
        {{GPUCMD_RUN_IDLE, GPUCMD_RUN_LIMIT},    GPUCMD_RUN_LIMIT,   1},
        {{GPUCMD_RUN_BLOCKED, GPUCMD_RUN_LIMIT}, GPUCMD_RUN_BLOCKED, 2},
        {{GPUCMD_RUN_BLOCKED, GPUCMD_RUN_FAULT}, GPUCMD_RUN_FAULT,   1},
        {{GPUCMD_RUN_FAULT, GPUCMD_RUN_LIMIT},   GPUCMD_RUN_FAULT,   1},
        {{GPUCMD_RUN_LIMIT, GPUCMD_RUN_FAULT},   GPUCMD_RUN_FAULT,   1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_run of[2] = {rows[i].of[0], rows[i].of[1]};
        gpucmd_nvgpu_channel_req req;
        gpucmd_nvgpu_channel second;
        started();
        gpucmd_nvgpu_channel_req_init(&req);
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &second), GPUCMD_OK);
        m.exec = scripted;
        m.exec_user = of;
        bell.write32(bell.user, 0x90, 511);
        bell.write32(bell.user, 0x90, 510);
        told = 0;
        test_equal(run(), rows[i].all, __FILE__, __LINE__, "row");
        EQUAL(told, 2);
        (void)run();
        EQUAL(told - 2, rows[i].again);
        gpucmd_nvgpu_channel_close(&g, &second);
        finished();
    }
}

/* A budget that ends in the middle: the next call goes on without a doorbell, and GP_GET says how far. */
static void budgets(void)
{
    started();
    for (unsigned i = 0; i < 1024; i++) {
        gpucmd_store32((uint8_t *)words.cpu + 4 * i, GPUCMD_NV_IMMD(1, 0x100, 5),
                       GPUCMD_LITTLE_ENDIAN);
    }
    EQUAL(gpucmd_nv_gpfifo_push(&queue, words.va, 600, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&queue, words.va, 400, 0), GPUCMD_OK);
    EQUAL(run(), GPUCMD_RUN_IDLE); /* no doorbell yet */
    EQUAL(engine.methods, 0);
    gpucmd_nv_gpfifo_submit(&queue);
    unsigned calls = 0;
    while (gpucmd_nvgpu_kernel_run(&m, 100) == GPUCMD_RUN_LIMIT && calls < 100) {
        calls++;
    }
    CHECK(calls >= 9 && calls < 30);
    EQUAL(engine.methods, 1000);
    EQUAL(gpucmd_load32((uint8_t *)channel.userd_cpu + 0x88, GPUCMD_LITTLE_ENDIAN), 2);
    EQUAL(gpucmd_nv_gpfifo_drain(&queue), GPUCMD_OK);
    finished();
}

int main(void)
{
    ring_is_read_only();
    access_rights();
    parts_of_a_buffer();
    address_spaces();
    results();
    budgets();
    return test_report("nv_nvgpu_gpu");
}

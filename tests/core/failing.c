/* Callbacks that fail: a set of clients and streams runs with call number 1 of a callback failing, then
 * call 2, and so on until no call fails. Also each 8 bytes of a process's memory that an ioctl uses are
 * absent, then read-only, once. Nothing crashes, the status is reported, and the state is that before
 * the call or that after a complete call. */
/* suite: kernel */
#define _GNU_SOURCE 1
#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include "agx/agx.h"
#include "agx/world.h"
#include "i915/syncs.h"
#include "nv/nvgpu.h"
#include "agx/refused.h"

/* ---- the callback that fails ---- */

typedef struct entry {
    uint32_t kind, unit, addr, code, count_dw, first;
    uint64_t va, value;
} entry;

static struct failing {
    unsigned calls;       /* so far */
    unsigned at;          /* number of the call that fails; 0: none */
    gpucmd_status status; /* of the call that fails */
    unsigned count;       /* calls that did not fail */
    entry log[512];
} f, whole;

/* Count a call; return true if it fails. */
static bool fails(void)
{
    return ++f.calls == f.at;
}

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    if (fails()) {
        return f.status;
    }
    if (e->kind == GPUCMD_EVENT_REG_READ && e->out_dw != NULL) {
        *e->out_dw = 0x12345678;
    }
    entry *l = &f.log[f.count++ % 512];
    memset(l, 0, sizeof *l);
    l->kind = (uint32_t)e->kind;
    l->unit = e->unit;
    l->addr = e->addr;
    l->code = e->code;
    l->count_dw = e->count_dw;
    l->first = e->data != NULL && e->count_dw != 0 ? e->data[0] : 0;
    l->va = e->va;
    l->value = e->value;
    return GPUCMD_OK;
}

/* A trace hook cannot change anything: its status is ignored. */
static gpucmd_status on_trace(void *user, const gpucmd_event *e)
{
    (void)user;
    (void)e;
    return GPUCMD_FAULT;
}

/* ---- executors ---- */

#define MEM_VA 0x100000u
static uint8_t memory[8192], after[8192];
static gpucmd_region region = {MEM_VA, sizeof memory, memory,
                               GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
static gpucmd_mem mem;
static gpucmd_env env;

static void put(uint32_t at, const uint32_t *words, size_t len_dw)
{
    gpucmd_store_words(memory + at, words, len_dw, GPUCMD_LITTLE_ENDIAN);
}

static gpucmd_i915_cs cs;

static void i915_begin(void)
{
    static const uint32_t batch[] = {
        0x10000002,
        MEM_VA + 4096,
        0,
        1, /* MI_STORE_DATA_IMM */
        0x11000001,
        0x00007004,
        0xffff, /* MI_LOAD_REGISTER_IMM outside the engine */
        0x12000002,
        0x00009840,
        MEM_VA + 4100, /* MI_STORE_REGISTER_MEM outside the engine */
        0,
        0x79000002,
        0, /* 3DSTATE_DRAWING_RECTANGLE */
        0x00ff00ff,
        0,
        0x7b000005, /* 3DPRIMITIVE */
        4,
        3,
        0,
        1,
        0,
        0,
        0x01000000, /* MI_USER_INTERRUPT */
        0x10000002,
        MEM_VA + 4104,
        0,
        2,
        0x05000000,
    };
    put(0, batch, sizeof batch / 4);
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, MEM_VA, true), GPUCMD_OK);
}

static gpucmd_run i915_go(gpucmd_why *why)
{
    const gpucmd_run run = gpucmd_i915_cs_run(&cs, &env, 1000);
    gpucmd_i915_cs_why(&cs, &env, why);
    return run;
}

static gpucmd_nv_pusher pusher;

/* Words of NV40: method runs of several kinds, without a host method. */
static void pusher_begin(void)
{
    static const uint32_t words[] = {
        0x00080200, 1, 2, 0x400c2300, 3, 4, 5, 0x00042400, 6, 0x00000000, 0x00044500, 7,
    };
    put(0, words, sizeof words / 4);
    EQUAL(gpucmd_nv_pusher_init(&pusher, GPUCMD_NV_CHIP_NV40), GPUCMD_OK);
    pusher.dma_get = MEM_VA;
    pusher.dma_put = MEM_VA + sizeof words;
}

static gpucmd_run pusher_go(gpucmd_why *why)
{
    const gpucmd_run run = gpucmd_nv_pusher_run(&pusher, &env, 1000);
    gpucmd_nv_pusher_why(&pusher, NULL, why);
    return run;
}

/* Words of GA102: runs of each form, a bound object, a release by the host. */
static const uint32_t pb_words[] = {
    0x20020100, 1,          2,      0x6002a140, 3, 4,          0xa0036150,    5, 6, 7,
    0x80084160, 0x20012000, 0xc6b5, 0x20010200, 8, 0x20050017, MEM_VA + 4096, 0, 9, 0,
    0x00000001,
};

static void entries_begin(void)
{
    uint32_t entry_dw[2] = {0, 0};
    put(0, pb_words, sizeof pb_words / 4);
    EQUAL(gpucmd_nv_encode_entry(entry_dw, GPUCMD_NV_CHIP_GA102, MEM_VA, sizeof pb_words / 4, 0),
          GPUCMD_OK);
    put(1024, entry_dw, 2);
}

static gpucmd_nv_pbdma pbdma;

static void pbdma_begin(void)
{
    entries_begin();
    EQUAL(gpucmd_nv_pbdma_init(&pbdma, GPUCMD_NV_CHIP_GA102), GPUCMD_OK);
    pbdma.gp_base = MEM_VA + 1024;
    pbdma.limit2 = 1;
    pbdma.gp_put = 1;
}

static gpucmd_run pbdma_go(gpucmd_why *why)
{
    const gpucmd_run run = gpucmd_nv_pbdma_run(&pbdma, &env, 1000);
    gpucmd_nv_pbdma_why(&pbdma, &env, why);
    return run;
}

static gpucmd_nv_channel channel;
static gpucmd_nv_card card;

static void channel_begin(void)
{
    entries_begin();
    EQUAL(gpucmd_nv_channel_init(&channel, GPUCMD_NV_CHIP_GA102, &card), GPUCMD_OK);
    channel.pbdma.gp_base = MEM_VA + 1024;
    channel.pbdma.limit2 = 1;
    channel.pbdma.gp_put = 1;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    env.event = card.software = on_event;
    env.trace = env.trace;
}

/* Methods of software objects, on subchannels 5 and 6, and between them a release by the host. */
static void software_begin(void)
{
    static const uint32_t words[] = {
        0x2002a040, 1,          2,          0x8003a050, 0x20050017, MEM_VA + 4096, 0, 9,
        0,          0x00000001, 0x6002c060, 3,          4,
    };
    uint32_t entry_dw[2] = {0, 0};
    channel_begin();
    put(0, words, sizeof words / 4);
    EQUAL(gpucmd_nv_encode_entry(entry_dw, GPUCMD_NV_CHIP_GA102, MEM_VA, sizeof words / 4, 0),
          GPUCMD_OK);
    put(1024, entry_dw, 2);
}

static gpucmd_run channel_go(gpucmd_why *why)
{
    const gpucmd_run run = gpucmd_nv_channel_run(&channel, &env, 1000);
    gpucmd_nv_channel_why(&channel, &env, why);
    return run;
}

static world agx;

/* Two jobs of a queue: renders and computes with barriers. */
static void agx_begin(void)
{
    gpucmd_agx_job job;
    uint32_t slot = 0;
    const gpucmd_agx_submission sub = {&job, NULL, 0, 0, NULL, 0};
    EQUAL(world_init(&agx), GPUCMD_OK);
    agx.k.exec.durations.ring[0] = 4;
    agx.k.exec.durations.ring[1] = 2;
    agx.k.exec.durations.ring[2] = 3;
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, 0, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, 1, 1), GPUCMD_OK);
    const uint32_t queue = gpucmd_agx_exec_queue_open(&agx.k.exec, 1);
    EQUAL(gpucmd_agx_exec_submit(&agx.k.exec, queue, &sub, &slot), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_submit(&agx.k.exec, queue, &sub, &slot), GPUCMD_OK);
}

static gpucmd_run agx_go(gpucmd_why *why)
{
    const gpucmd_run run = gpucmd_agx_exec_run(&agx.k.exec, &env, 1000);
    gpucmd_agx_exec_why(&agx.k.exec, &env, why);
    return run;
}

typedef struct executor {
    const char *name;
    void (*begin)(void);
    gpucmd_run (*go)(gpucmd_why *why);
    unsigned calls;     /* of the callback */
    gpucmd_run blocked; /* result if the callback returns BLOCKED */
} executor;

static gpucmd_run start(const executor *x, unsigned at, gpucmd_status status, gpucmd_why *why)
{
    memset(memory, 0x55, sizeof memory);
    memset(&f, 0, sizeof f);
    f.at = at;
    f.status = status;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    x->begin();
    return x->go(why);
}

/* Return true if the calls so far are the first of the whole run. */
static bool same_calls(void)
{
    return f.count <= whole.count && memcmp(f.log, whole.log, f.count * sizeof f.log[0]) == 0;
}

static void execute(const executor *x)
{
    static const gpucmd_status statuses[] = {GPUCMD_FAULT, GPUCMD_UNSUPPORTED, GPUCMD_FULL};
    gpucmd_why why;
    EQUAL(start(x, 0, GPUCMD_OK, &why), GPUCMD_RUN_IDLE);
    whole = f;
    memcpy(after, memory, sizeof memory);
    if (!EQUAL(whole.calls, x->calls)) {
        printf("    %s\n", x->name);
    }
    for (unsigned n = 1; n <= whole.calls; n++) {
        EQUAL(start(x, n, GPUCMD_BLOCKED, &why), x->blocked);
        EQUAL(f.calls, n);
        EQUAL(x->go(&why), GPUCMD_RUN_IDLE); /* the call is made again: nothing is lost or twice */
        const entry *l = &whole.log[n - 1];
        if (x->begin == agx_begin && l->kind == GPUCMD_EVENT_STATE && l->code == 1) {
            EQUAL(f.count, whole.count - 1); /* the job has ended */
        } else if (!CHECK(f.count == whole.count && same_calls())) {
            printf("    %s, call %u: %u calls instead of %u\n", x->name, n, f.count, whole.count);
        }
        CHECK(memcmp(memory, after, sizeof memory) == 0);
        for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
            EQUAL(start(x, n, statuses[i], &why), GPUCMD_RUN_FAULT);
            CHECK(why.kind == GPUCMD_WHY_CALLBACK || /* a callback that could not access memory */
                  (why.kind == GPUCMD_WHY_MEMORY && statuses[i] == GPUCMD_FAULT));
            if (!EQUAL(why.status, statuses[i])) {
                printf("    %s, call %u\n", x->name, n);
            }
            CHECK(f.calls == n && f.count == n - 1 && same_calls());
            (void)x->go(&why); /* may go on or stay */
        }
    }
}

static void executors(void)
{
    static const executor rows[] = {
        {"i915",     i915_begin,     i915_go,    5,  GPUCMD_RUN_BLOCKED},
        {"pusher",   pusher_begin,   pusher_go,  4,  GPUCMD_RUN_BLOCKED},
        {"pbdma",    pbdma_begin,    pbdma_go,   7,  GPUCMD_RUN_BLOCKED},
        {"channel",  channel_begin,  channel_go, 6,  GPUCMD_RUN_BLOCKED},
        {"software", software_begin, channel_go, 3,  GPUCMD_RUN_BLOCKED},
        {"agx",      agx_begin,      agx_go,     24, GPUCMD_RUN_FAULT  },
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        gpucmd_env_init(&env, &mem, on_event, NULL);
        env.trace = i % 2 != 0 ? on_trace : NULL;
        execute(&rows[i / 2]);
    }
}

/* ---- look-ups of objects, findings ---- */

static gpucmd_status on_object(void *unused, uint32_t number, uint32_t handle,
                               gpucmd_nv_object *object)
{
    (void)unused, (void)number;
    if (fails()) {
        return f.status;
    }
    object->class_id = handle;
    return GPUCMD_OK;
}

/* NV40 binds three objects, and stores the reference counter after each: a look-up that fails is
 * an error of that method; the words before it have their effect, those after it go on. */
static void look_ups(void)
{
    static const uint32_t words[] = {0x00040000, 0x4097, 0x00040050, 1,      0x00042000, 0x0039,
                                     0x00040050, 2,      0x00044000, 0x0062, 0x00040050, 3};
    for (unsigned n = 0; n <= 3; n++) {
        memset(&f, 0, sizeof f);
        f.at = n;
        f.status = GPUCMD_RANGE;
        put(0, words, sizeof words / 4);
        EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
        EQUAL(gpucmd_nv_channel_init(&channel, GPUCMD_NV_CHIP_NV40, &card), GPUCMD_OK);
        gpucmd_nv_card_init(&card);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        card.object = on_object;
        channel.pusher.dma_get = MEM_VA;
        channel.pusher.dma_put = MEM_VA + sizeof words;
        if (n != 0) {
            gpucmd_why why;
            EQUAL(gpucmd_nv_channel_run(&channel, &env, 1000), GPUCMD_RUN_FAULT);
            gpucmd_nv_channel_why(&channel, &env, &why);
            EQUAL(why.kind, GPUCMD_WHY_ERROR);
            EQUAL(f.calls, n);
            EQUAL(channel.pusher.ref, n - 1);
            gpucmd_nv_channel_clear(&channel);
        }
        EQUAL(gpucmd_nv_channel_run(&channel, &env, 1000), GPUCMD_RUN_IDLE);
        EQUAL(f.calls, 3);
        EQUAL(channel.pusher.ref, 3);
    }
}

static gpucmd_status on_nv_finding(void *unused, const gpucmd_nv_finding *finding)
{
    (void)unused, (void)finding;
    return fails() ? f.status : GPUCMD_OK;
}

static gpucmd_status on_i915_finding(void *unused, const gpucmd_i915_finding *finding)
{
    (void)unused, (void)finding;
    return fails() ? f.status : GPUCMD_OK;
}

/* Run checker number which. */
static gpucmd_status check(unsigned which, size_t *errors)
{
    static const uint32_t nv[] = {0x20010003, 1, 0x20010003, 1, 0x20020100, 1};
    static const uint32_t sems[] = {0x20050017, 2, 0, 7, 0, 0, 0x20050017, 1, 0, 7, 0, 0};
    static const uint32_t i915[] = {0xffffffff, 0x12000002, 2, 1, 0, 0x05000000, 1};
    static const gpucmd_nv_stream stream = {sems, sizeof sems / 4, MEM_VA};
    gpucmd_status status;
    gpucmd_nv_gate gate;
    if (which == 0) {
        EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, false, false, GPUCMD_NV_FMT_NEW),
              GPUCMD_OK);
        gpucmd_nv_check_options c;
        memset(&c, 0, sizeof c);
        c.found = on_nv_finding;
        c.va = MEM_VA;
        status = gpucmd_nv_check(&gate, nv, sizeof nv / 4, &c, errors);
    } else if (which == 1) {
        gpucmd_nv_check_options c;
        memset(&c, 0, sizeof c);
        EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, false, false, GPUCMD_NV_FMT_NEW),
              GPUCMD_OK);
        c.found = on_nv_finding;
        status = gpucmd_nv_check_host(&gate, &stream, 1, &c, errors);
    } else {
        const gpucmd_i915_check_options options = {on_i915_finding, NULL,  0,    false,
                                                   false,           false, false};
        gpucmd_i915_cmdset set;
        EQUAL(gpucmd_i915_cmdset_init(&set, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
        status = gpucmd_i915_check(&set, i915, sizeof i915 / 4, &options, errors);
    }
    return status;
}

/* A callback that fails ends the check with its status; no finding comes after it. */
static void findings(void)
{
    static const unsigned calls[3] = {3, 2, 5};
    for (unsigned which = 0; which < 3; which++) {
        size_t all = 0, errors = 0;
        memset(&f, 0, sizeof f);
        EQUAL(check(which, &all), GPUCMD_OK);
        EQUAL(f.calls, calls[which]);
        for (unsigned n = 1; n <= calls[which]; n++) {
            memset(&f, 0, sizeof f);
            f.at = n;
            f.status = GPUCMD_LIMIT;
            EQUAL(check(which, &errors), GPUCMD_LIMIT);
            EQUAL(f.calls, n);
            CHECK(errors <= all);
        }
    }
}

/* ---- chunks of a batch, waits of a ring ---- */

enum { CHUNKS = 5, CHUNK_DW = 12 };
static uint32_t chunks[CHUNKS][CHUNK_DW], chunks_whole[CHUNKS][CHUNK_DW];

static gpucmd_status next_chunk(void *unused, gpucmd_i915_chunk *chunk)
{
    (void)unused;
    if (fails()) {
        return f.status;
    }
    chunk->base = chunks[f.calls];
    chunk->va += 4096;
    return GPUCMD_OK;
}

/* A batch of five chunks: if one cannot be had, the chunks before it are as in the whole batch, up
 * to the jump that is missing. */
static void chunk_calls(void)
{
    for (unsigned n = 0; n < CHUNKS; n++) {
        const gpucmd_i915_chunk first = {chunks[0], CHUNK_DW, MEM_VA};
        gpucmd_i915_batch b;
        uint32_t len_bytes = 77;
        memset(&f, 0, sizeof f);
        memset(chunks, 0x55, sizeof chunks);
        f.at = n;
        f.status = GPUCMD_BLOCKED;
        EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, true, &first),
              GPUCMD_OK);
        gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
        for (uint32_t i = 0; i < 2 * CHUNKS; i++) { /* two commands in each chunk */
            gpucmd_i915_batch_reserve(&b, 4);
            gpucmd_i915_emit_mi_store_data_imm(&b.w, b.gen, 0, MEM_VA + 4096 + 8 * i, i);
        }
        EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), n == 0 ? GPUCMD_OK : GPUCMD_BLOCKED);
        EQUAL(len_bytes, n == 0 ? 40 : 77);
        EQUAL(f.calls, n == 0 ? CHUNKS - 1 : n);
        if (n == 0) {
            memcpy(chunks_whole, chunks, sizeof chunks);
        }
        for (unsigned i = 0; i < CHUNKS && n != 0; i++) {
            const bool last = i == n - 1;
            EQUAL(memcmp(chunks[i], chunks_whole[i], i + 1 < n ? sizeof chunks[i] : 0), 0);
            for (uint32_t k = 0; k < (last ? 8u : 0); k++) { /* not yet little endian */
                EQUAL(chunks[i][k], gpucmd_load32(&chunks_whole[i][k], GPUCMD_LITTLE_ENDIAN));
            }
            for (uint32_t k = last ? 8 : i < n ? CHUNK_DW : 0; k < CHUNK_DW; k++) {
                EQUAL(chunks[i][k], 0x55555555);
            }
        }
    }
}

static uint32_t ring_memory[1024];
static gpucmd_i915_ring ring;

/* Execute a part of the ring, or fail. */
static gpucmd_status on_ring_wait(void *unused, uint32_t try_count)
{
    (void)unused, (void)try_count;
    gpucmd_i915_ring_submit(&ring); /* padding */
    if (fails()) {
        return f.status;
    }
    return gpucmd_i915_cs_run(&cs, &env, 16) == GPUCMD_RUN_FAULT ? GPUCMD_FAULT : GPUCMD_OK;
}

/* Append count stores; return how often begin failed. *status receives the last such status. */
static unsigned ring_session(unsigned count, gpucmd_status *status)
{
    unsigned failed = 0;
    gpucmd_mmio mmio;
    gpucmd_region rows[2] = {
        {MEM_VA,           sizeof memory,      memory,                         3},
        {MEM_VA + 0x10000, sizeof ring_memory, (uint8_t *)(void *)ring_memory, 3}
    };
    memset(memory, 0, sizeof memory);
    EQUAL(gpucmd_mem_init(&mem, rows, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_memory, 4096, 0x30, &mmio, cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, MEM_VA + 0x10000), GPUCMD_OK);
    gpucmd_wait_init(&ring.wait);
    ring.wait.fn = on_ring_wait;
    for (unsigned i = 0; i < count; i++) {
        gpucmd_writer w_;
        const uint32_t tail = cs.tail;
        gpucmd_status got = gpucmd_i915_ring_begin(&ring, 6, &w_);
        if (got != GPUCMD_OK) {
            failed++;
            *status = got;
            CHECK(cs.tail == tail || cs.tail == 0); /* only padding, up to the end of the ring */
            gpucmd_i915_ring_submit(&ring);
            got = gpucmd_i915_ring_begin(&ring, 6, &w_);
        }
        EQUAL(got, GPUCMD_OK);
        gpucmd_i915_emit_mi_store_data_imm(&w_, GPUCMD_I915_GEN9, 0, MEM_VA + 4 * (i % 1024),
                                           i + 1);
        gpucmd_i915_emit_mi_noop(&w_, GPUCMD_I915_GEN9, 0);
        gpucmd_i915_emit_mi_noop(&w_, GPUCMD_I915_GEN9, 0);
        EQUAL(gpucmd_i915_ring_end(&ring, &w_), GPUCMD_OK);
        gpucmd_i915_ring_submit(&ring);
    }
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100000), GPUCMD_RUN_IDLE);
    return failed;
}

/* 600 requests in a ring for 170: a wait that fails loses nothing. */
static void ring_waits(void)
{
    gpucmd_status status = GPUCMD_OK;
    memset(&f, 0, sizeof f);
    EQUAL(ring_session(600, &status), 0);
    const unsigned calls = f.calls;
    CHECK(calls > 20);
    memcpy(after, memory, sizeof memory);
    for (uint32_t i = 0; i < 600; i++) {
        EQUAL(gpucmd_load32(after + 4 * i, GPUCMD_LITTLE_ENDIAN), i + 1);
    }
    for (unsigned n = 1; n <= calls; n++) {
        memset(&f, 0, sizeof f);
        f.at = n;
        f.status = n % 2 != 0 ? GPUCMD_LIMIT : GPUCMD_FAULT;
        EQUAL(ring_session(600, &status), 1);
        EQUAL(status, f.status);
        CHECK(memcmp(memory, after, sizeof memory) == 0);
    }
}

/* ---- memory of a process ---- */

#define USER_VA (sizeof(void *) == 4 ? 0x70000000u : 0x7f0000000000u)
enum { USER_BYTES = 8192, GRANULE = 8 };
static uint8_t user[USER_BYTES], user_after[USER_BYTES], user_before[USER_BYTES];
static gpucmd_region pieces[3];
static gpucmd_mem process;

/* Map the memory, except 8 bytes at a place: they are absent, or cannot be written. */
static void map_user(uint32_t hole, uint32_t access_mask)
{
    const gpucmd_region rows[3] = {
        {USER_VA,                  hole,                                                user,        3          },
        {USER_VA + hole,           hole < USER_BYTES ? GRANULE : 0,                     user + hole, access_mask},
        {USER_VA + hole + GRANULE, hole < USER_BYTES ? USER_BYTES - hole - GRANULE : 0, user + hole,
         3                                                                                                      }
    };
    memcpy(pieces, rows, sizeof pieces);
    pieces[2].host = user + (hole < USER_BYTES ? hole + GRANULE : 0);
    EQUAL(gpucmd_mem_init(&process, pieces, 3), GPUCMD_OK);
}

/* One ioctl: its state is compared after each hole with that before, and that after a whole call. */
typedef struct client {
    const char *name;
    void (*begin)(void);       /* make the state, and the argument in user */
    int (*call)(void);         /* 0 or a negative errno */
    void (*copy)(uint8_t *to); /* copy the state, without reports and scratch */
    size_t state_bytes;
    uint32_t used_bytes; /* of user */
    unsigned absent;     /* holes that make the call fail: 8 bytes each of what it uses */
    unsigned read_only;
} client;

static uint32_t nvgpu_number; /* ioctl of nvgpu_call */
static int nvgpu_call(void);
static uint8_t state_before[1 << 20], state_good[1 << 20], state_now[1 << 20];

static unsigned holes(const client *c, uint32_t access_mask)
{
    unsigned refused = 0;
    for (uint32_t hole = 0; hole < c->used_bytes; hole += GRANULE) {
        c->begin();
        map_user(hole, access_mask);
        const int result = c->call();
        memset(state_now, 0, c->state_bytes);
        c->copy(state_now);
        const bool none = memcmp(state_now, state_before, c->state_bytes) == 0 &&
                          memcmp(user, user_before, sizeof user) == 0;
        const bool all = memcmp(state_now, state_good, c->state_bytes) == 0;
        refused += result != 0;
        if (result == 0) {
            memcpy(user + hole, user_after + hole, GRANULE); /* a result that is lost */
            CHECK(all && memcmp(user, user_after, sizeof user) == 0);
        } else if (!(c->call == nvgpu_call && result > 0 /* bytes not copied, as the driver */
                         ? CHECK(hole < (nvgpu_number >> 16 & 0x3fff) ? all : none)
                         : EQUAL(result, -GPUCMD_SYS_EFAULT)) ||
                   !CHECK(none || all)) {
            printf("    %s, hole at %u, rights %u\n", c->name, hole, access_mask);
        }
    }
    return refused;
}

static void client_holes(const client *c)
{
    CHECK(c->state_bytes <= sizeof state_now);
    c->begin();
    memset(state_before, 0, c->state_bytes);
    memset(state_good, 0, c->state_bytes);
    c->copy(state_before);
    memcpy(user_before, user, sizeof user);
    map_user(USER_BYTES, 0);
    EQUAL(c->call(), 0);
    c->copy(state_good);
    memcpy(user_after, user, sizeof user);
    CHECK(memcmp(state_before, state_good, c->state_bytes) != 0 ||
          memcmp(user_before, user_after, sizeof user) != 0);
    const unsigned absent = holes(c, 0), read_only = holes(c, GPUCMD_ACCESS_READ);
    if (!EQUAL(absent, c->absent) || !EQUAL(read_only, c->read_only)) {
        printf("    %s\n", c->name);
    }
}

static uint8_t object_memory[4][GPUCMD_AGX_PAGE_BYTES];

/* ---- AGX: SUBMIT, VM_BIND, the drafts ---- */

static gpucmd_agx_draft draft;

/* Write a structure to the process as little-endian bytes. */
#define PUT(at, tag, v) agx_convert(GPUCMD_STRUCT_drm_asahi_##tag, user + (at), (v))

static void agx_setup(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 0, 0, 0x1000};
    struct gpucmd_drm_asahi_gem_create gem = {GPUCMD_AGX_PAGE_BYTES, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_object object = {GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND,
                                                      GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS,
                                                      0,
                                                      0,
                                                      0,
                                                      GPUCMD_AGX_PAGE_BYTES,
                                                      0,
                                                      0};
    memset(&agx, 0, sizeof agx);
    memset(user, 0, sizeof user);
    EQUAL(world_init(&agx), GPUCMD_OK);
    agx.k.user = &process;
    EQUAL(gpucmd_agx_kernel_vm_create(&agx.k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(&agx.k, &queue), 0);
    EQUAL(gpucmd_agx_kernel_gem_create(&agx.k, &gem), 0);
    EQUAL(gpucmd_agx_kernel_back(&agx.k, gem.handle, object_memory[0]), GPUCMD_OK);
    object.handle = gem.handle;
    EQUAL(gpucmd_agx_kernel_gem_bind_object(&agx.k, &object), 0);
    EQUAL(world_syncobj(&agx.k), 1);
    EQUAL(world_syncobj(&agx.k), 2);
}

static void agx_copy(uint8_t *to)
{
    static world copy;
    memcpy(&copy, &agx, sizeof copy);
    refused_normalise(&copy);
    memcpy(to, &copy, sizeof copy);
}

static struct gpucmd_drm_asahi_submit submit;

static void submit_begin(void)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    uint32_t words[512];
    size_t len_bytes = 0;
    gpucmd_agx_stream s;
    agx_setup();
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    c.ts.start.handle = 1;
    c.ts.end.handle = 1;
    c.ts.end.offset = 8;
    gpucmd_agx_stream_init(&s, words, 512);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    gpucmd_agx_emit_compute(&s, NONE, 1, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
    memcpy(user + 64, words, len_bytes);
    for (uint32_t i = 0; i < 2; i++) {
        const struct gpucmd_drm_asahi_sync sync = {GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, 1,
                                                   5 + i};
        PUT(i * sizeof sync, sync, &sync);
    }
    memset(&submit, 0, sizeof submit);
    submit.syncs = USER_VA;
    submit.out_sync_count = 2;
    submit.cmdbuf = USER_VA + 64;
    submit.cmdbuf_size = (uint32_t)len_bytes;
    submit.queue_id = 1;
}

static int submit_call(void)
{
    return gpucmd_agx_kernel_submit(&agx.k, &submit);
}

static struct gpucmd_drm_asahi_vm_bind vm_bind;

static void bind_begin(void)
{
    const struct gpucmd_drm_asahi_gem_bind_op op = {GPUCMD_DRM_ASAHI_BIND_READ, 1, 0,
                                                    GPUCMD_AGX_PAGE_BYTES, 0x100000000u};
    agx_setup();
    PUT(0, gem_bind_op, &op);
    vm_bind.vm_id = 1;
    vm_bind.num_binds = 1;
    vm_bind.stride = sizeof op;
    vm_bind.userptr = USER_VA;
}

static int bind_call(void)
{
    return gpucmd_agx_kernel_vm_bind(&agx.k, &vm_bind);
}

static struct gpucmd_drm_asahi_draft_submit draft_submit;

static void draft_begin(void)
{
    enum { COMMANDS = 128, PAYLOADS = 256, LIST = 512 };
    const bool old = draft == GPUCMD_AGX_DRAFT_10006;
    agx_setup();
    for (uint32_t i = 0; i < 2; i++) {
        const struct gpucmd_drm_asahi_draft_sync sync = {0, 0, 1 + i, 0};
        struct gpucmd_drm_asahi_draft_command c;
        struct gpucmd_drm_asahi_draft06_cmd_compute c06;
        struct gpucmd_drm_asahi_draft11_cmd_compute c11;
        const struct gpucmd_drm_asahi_draft06_attachment a06 = {0, 4096, 0};
        const struct gpucmd_drm_asahi_draft11_attachment a11 = {0, 4096, 1, 0};
        memset(&c, 0, sizeof c);
        memset(&c06, 0, sizeof c06);
        memset(&c11, 0, sizeof c11);
        c.cmd_type = GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE;
        c.cmd_buffer = USER_VA + PAYLOADS + 128 * i;
        c.result_offset = 128 * i;
        c.result_size = 64;
        c.barriers[0] = c.barriers[1] = 0xffffffff;
        c06.attachments = c11.attachments = USER_VA + LIST + 64 * i;
        c06.attachment_count = c11.attachment_count = 1;
        PUT(i * sizeof sync, draft_sync, &sync);
        PUT(COMMANDS + i * sizeof c, draft_command, &c);
        if (old) {
            PUT(PAYLOADS + 128 * i, draft06_cmd_compute, &c06);
            PUT(LIST + 64 * i, draft06_attachment, &a06);
        } else {
            PUT(PAYLOADS + 128 * i, draft11_cmd_compute, &c11);
            PUT(LIST + 64 * i, draft11_attachment, &a11);
        }
    }
    memset(&draft_submit, 0, sizeof draft_submit);
    draft_submit.out_syncs = USER_VA;
    draft_submit.commands = USER_VA + COMMANDS;
    draft_submit.queue_id = 1;
    draft_submit.result_handle = 1;
    draft_submit.out_sync_count = 2;
    draft_submit.command_count = 2;
}

static int draft_call(void)
{
    return gpucmd_agx_kernel_draft_ioctl(&agx.k, draft, GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT,
                                         &draft_submit);
}

static struct gpucmd_drm_asahi_get_params get_params;

static void params_begin(void)
{
    agx_setup();
    get_params.param_group = 0;
    get_params.pad = 0;
    get_params.pointer = USER_VA;
    get_params.size = sizeof(struct gpucmd_drm_asahi_params_global);
}

static int params_call(void)
{
    return gpucmd_agx_kernel_get_params(&agx.k, &get_params);
}

/* ---- i915: EXECBUFFER2 ---- */

enum { ARG = 0, LIST = 64, RELOCS = 256, FENCES = 320, POINTS = 336, EXTENSION = 384 };

/* What a submission can change. */
static struct i915_state {
    gpucmd_i915_object objects[4];
    gpucmd_map vmas[4];
    syncs sync;
    gpucmd_i915_ring ring;
    gpucmd_i915_cs cs;
    uint32_t ring_words[1024];
    gpucmd_i915_kernel k;
} i9;
static struct gpucmd_drm_i915_gem_exec_object2 list[4];
static bool extension, relocations;

static uint64_t i915_put(uint32_t at, const void *v, size_t len_bytes)
{
    memcpy(user + at, v, len_bytes);
    return USER_VA + at;
}

static void exec_setup(void)
{
    gpucmd_mmio mmio;
    memset(&i9, 0, sizeof i9);
    memset(user, 0, sizeof user);
    memset(object_memory, 0, sizeof object_memory);
    EQUAL(gpucmd_i915_cs_init(&i9.cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&i9.cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&i9.ring, i9.ring_words, 4096, 0x30, &mmio, i9.cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&i9.ring, 0x40000), GPUCMD_OK);
    gpucmd_i915_kernel_init(&i9.k, GPUCMD_I915_GEN9, &process);
    for (uint32_t i = 0; i < 4; i++) {
        i9.objects[i].handle = i + 1;
        i9.objects[i].bytes = 4096;
        i9.objects[i].host = object_memory[i];
    }
    i9.k.objects = i9.objects;
    i9.k.object_count = 4;
    i9.k.vmas = i9.vmas;
    i9.k.vma_count = 4;
    i9.k.list = list;
    i9.k.list_cap = 4;
    i9.k.rings[1] = &i9.ring;
    CHECK(syncs_open(&i9.k, &i9.sync, 9));
}

static void exec_begin(void)
{
    const struct gpucmd_drm_i915_gem_exec_fence fence = {9, GPUCMD_I915_EXEC_FENCE_SIGNAL};
    const uint64_t point = 3;
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext;
    struct gpucmd_drm_i915_gem_relocation_entry reloc;
    exec_setup();
    memset(&arg, 0, sizeof arg);
    memset(&ext, 0, sizeof ext);
    memset(&reloc, 0, sizeof reloc);
    reloc.target_handle = 2;
    reloc.offset = 64;
    reloc.presumed_offset = 1;
    for (uint32_t i = 0; i < 2; i++) {
        struct gpucmd_drm_i915_gem_exec_object2 o;
        memset(&o, 0, sizeof o);
        o.handle = i + 1;
        o.relocation_count = i == 0 && relocations ? 1 : 0;
        o.relocs_ptr = i == 0 && relocations ? i915_put(RELOCS, &reloc, sizeof reloc) : 0;
        (void)i915_put(LIST + i * (uint32_t)sizeof o, &o, sizeof o);
    }
    ext.fence_count = 1;
    ext.handles_ptr = i915_put(FENCES, &fence, sizeof fence);
    ext.values_ptr = i915_put(POINTS, &point, sizeof point);
    arg.buffers_ptr = USER_VA + LIST;
    arg.buffer_count = 2;
    arg.batch_len = 8;
    arg.cliprects_ptr = extension ? i915_put(EXTENSION, &ext, sizeof ext) : USER_VA + FENCES;
    arg.num_cliprects = extension ? 0 : 1;
    arg.flags = GPUCMD_I915_EXEC_RENDER | (extension ? (uint64_t)GPUCMD_I915_EXEC_USE_EXTENSIONS
                                                     : (uint64_t)GPUCMD_I915_EXEC_FENCE_ARRAY);
    (void)i915_put(ARG, &arg, sizeof arg);
}

static int exec_call(void)
{
    return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, USER_VA);
}

/* What a process sees: addresses and users of objects, fences, the ring, memory. */
static void exec_copy(uint8_t *to)
{
    uint64_t *n = (uint64_t *)(void *)to;
    for (uint32_t i = 0; i < 4; i++) {
        const gpucmd_i915_object *o = &i9.objects[i];
        const uint64_t row[5] = {o->handle, o->bound, o->bound ? o->va : 0, o->readers, o->bytes};
        memcpy(n, row, sizeof row);
        n += 5;
    }
    const uint64_t row[6] = {syncs_has_fence(&i9.k, 9),
                             syncs_fence(&i9.k, 9, 0),
                             syncs_last(&i9.k, 9),
                             i9.k.fences.count,
                             i9.k.seqno,
                             i9.cs.tail};
    memcpy(n, row, sizeof row);
    memcpy(n + 6, i9.ring_words, sizeof i9.ring_words);
    memcpy((uint8_t *)(n + 6) + sizeof i9.ring_words, object_memory, sizeof object_memory);
}

/* ---- nvgpu: arguments, and what they point to ---- */

static int nvgpu_fd;

static void nvgpu_put(const void *arg, uint32_t number, int fd)
{
    memset(user, 0, sizeof user);
    memcpy(user, arg, number >> 16 & 0x3fff);
    nvgpu_number = number;
    nvgpu_fd = fd;
}

/* Descriptors 3 (nvmap), 4 (ctrl), 5 (address space). */
static void nvgpu_begin(void)
{
    struct gpucmd_nvgpu_alloc_as_args space;
    nvgpu_setup();
    memset(&space, 0, sizeof space);
    space.flags = 2;
    space.va_range_start = 0x200000;
    space.va_range_end = 0xff00000000;
    EQUAL(sys.sys_open(sys.user, "/dev/nvmap", 2), 3);
    EQUAL(sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2), 4);
    EQUAL(sys.sys_ioctl(sys.user, 4, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &space), 0);
    m.process = &process;
    nvgpu_put(&space, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, 4);
}

static void nvmap_begin(void)
{
    struct gpucmd_nvmap_create_handle create;
    nvgpu_begin();
    memset(&create, 0, sizeof create);
    create.size = 8192;
    nvgpu_put(&create, GPUCMD_NVMAP_IOC_CREATE, 3);
}

static void characteristics_begin(void)
{
    struct gpucmd_nvgpu_gpu_get_characteristics gpu;
    nvgpu_begin();
    memset(&gpu, 0, sizeof gpu);
    gpu.gpu_characteristics_buf_size = 64;
    gpu.gpu_characteristics_buf_addr = USER_VA + 512;
    nvgpu_put(&gpu, GPUCMD_NVGPU_GPU_IOCTL_GET_CHARACTERISTICS, 4);
}

static void regions_begin(void)
{
    struct gpucmd_nvgpu_as_get_va_regions_args regions;
    nvgpu_begin();
    memset(&regions, 0, sizeof regions);
    regions.buf_addr = USER_VA + 512;
    regions.buf_size = 24;
    nvgpu_put(&regions, GPUCMD_NVGPU_AS_IOCTL_GET_VA_REGIONS, 5);
}

static int nvgpu_call(void)
{
    return sys.sys_ioctl(sys.user, nvgpu_fd, nvgpu_number, (void *)(uintptr_t)USER_VA);
}

/* The kernel without its reports, and used rows. */
static void nvgpu_copy(uint8_t *to)
{
    static gpucmd_nvgpu_kernel copy;
    memcpy(&copy, &m, sizeof copy);
    copy.table = GPUCMD_NVGPU_TABLE_NONE;
    memset(&copy.finding, 0, sizeof copy.finding);
    memset(&copy.why, 0, sizeof copy.why);
    memset(copy.why_text, 0, sizeof copy.why_text);
    memcpy(to, &copy, sizeof copy);
    to += sizeof m;
#define TABLE(name, member, count, type, used, store)                                              \
    for (uint32_t i = 0; i < m.count; i++, to += sizeof m.member[i]) {                             \
        if (m.member[i].used != 0) {                                                               \
            memcpy(to, &m.member[i], sizeof m.member[i]);                                          \
        }                                                                                          \
    }
    GPUCMD_NVGPU_KERNEL_TABLES(TABLE)
#undef TABLE
}

/* AGX takes an array of syncs or binds, and a stream, only from one region. */
enum { EXEC_BYTES = 26 * 8 + 4096 + sizeof object_memory };
#define TABLE(name, member, count, type, used, store) +sizeof nvgpu_##member
enum { NVGPU_BYTES = sizeof m GPUCMD_NVGPU_KERNEL_TABLES(TABLE) };
#undef TABLE

static void clients_with_holes(void)
{
    static const client rows[] = {
        {"agx submit",    submit_begin,          submit_call, agx_copy,   sizeof agx,  1024, 22, 22},
        {"agx bind",      bind_begin,            bind_call,   agx_copy,   sizeof agx,  64,   4,  4 },
        {"agx params",    params_begin,          params_call, agx_copy,   sizeof agx,  1024, 74, 74},
        {"agx draft 06",  draft_begin,           draft_call,  agx_copy,   sizeof agx,  640,  42, 6 },
        {"agx draft 11",  draft_begin,           draft_call,  agx_copy,   sizeof agx,  640,  50, 6 },
        {"i915 array",    exec_begin,            exec_call,   exec_copy,  EXEC_BYTES,  512,  23, 0 },
        {"i915 points",   exec_begin,            exec_call,   exec_copy,  EXEC_BYTES,  512,  31, 0 },
        {"i915 relocs",   exec_begin,            exec_call,   exec_copy,  EXEC_BYTES,  512,  27, 0 },
        {"nvgpu space",   nvgpu_begin,           nvgpu_call,  nvgpu_copy, NVGPU_BYTES, 1024, 8,  8 },
        {"nvmap create",  nvmap_begin,           nvgpu_call,  nvgpu_copy, NVGPU_BYTES, 1024, 1,  1 },
        {"nvgpu gpu",     characteristics_begin, nvgpu_call,  nvgpu_copy, NVGPU_BYTES, 1024, 10, 10},
        {"nvgpu regions", regions_begin,         nvgpu_call,  nvgpu_copy, NVGPU_BYTES, 1024, 5,  5 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        draft = i == 3 ? GPUCMD_AGX_DRAFT_10006 : GPUCMD_AGX_DRAFT_10011;
        extension = i == 6;
        relocations = i == 7;
        client_holes(&rows[i]);
    }
}

/* ---- i915: the work of rings ---- */

static gpucmd_i915_cs cs2;
static gpucmd_i915_ring ring2;
static uint32_t ring2_words[1024];

/* Do the work of a ring, or fail. */
static int on_sync(void *unused, uint32_t number)
{
    (void)unused;
    if (fails()) {
        return -GPUCMD_SYS_EIO;
    }
    *(number == 1 ? &i9.cs.head : &cs2.head) = number == 1 ? i9.cs.tail : cs2.tail;
    return 0;
}

/* Submit objects 1, which is written, and 2 to a ring. */
static int sync_submit(uint32_t number)
{
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_exec_object2 o[2];
    memset(&arg, 0, sizeof arg);
    memset(o, 0, sizeof o);
    o[0].handle = 1;
    o[0].flags = GPUCMD_EXEC_OBJECT_WRITE | (uint64_t)GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
    o[1].handle = 2;
    arg.buffers_ptr = i915_put(LIST, o, sizeof o);
    arg.buffer_count = 2;
    arg.batch_len = 8;
    arg.flags = number;
    return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    i915_put(ARG, &arg, sizeof arg));
}

/* An ioctl that waits for object 1. */
static int sync_wait(uint32_t which)
{
    const struct gpucmd_drm_i915_gem_wait wait = {1, 0, 0};
    const struct gpucmd_drm_i915_gem_pread pread = {1, 0, 0, 8, USER_VA + POINTS};
    const struct gpucmd_drm_i915_gem_pwrite pwrite = {1, 0, 0, 8, USER_VA + POINTS};
    const struct gpucmd_drm_i915_gem_set_domain domain = {1, 1, 0};
    switch (which) {
    case 0:
        return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_WAIT,
                                        i915_put(ARG, &wait, sizeof wait));
    case 1:
        return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_PREAD,
                                        i915_put(ARG, &pread, sizeof pread));
    case 2:
        return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_PWRITE,
                                        i915_put(ARG, &pwrite, sizeof pwrite));
    default:
        return gpucmd_i915_kernel_ioctl(&i9.k, GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN,
                                        i915_put(ARG, &domain, sizeof domain));
    }
}

static void sync_copy(uint8_t *to)
{
    exec_copy(to);
    memcpy(to + EXEC_BYTES, ring2_words, sizeof ring2_words);
    memcpy(to + EXEC_BYTES + sizeof ring2_words, &ring2, sizeof ring2);
}

/* A ring waits for the other, four ioctls wait for both: the call whose callback fails returns its
 * errno and changes nothing, and does its work if it is called again. */
static void ring_syncs(void)
{
    const size_t state_bytes = EXEC_BYTES + sizeof ring2_words + sizeof ring2;
    unsigned calls = 0;
    for (unsigned n = 0; n <= calls; n++) {
        gpucmd_mmio mmio;
        unsigned told = 0;
        exec_setup();
        memset(ring2_words, 0, sizeof ring2_words);
        EQUAL(gpucmd_i915_cs_init(&cs2, GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0), GPUCMD_OK);
        gpucmd_i915_cs_mmio(&cs2, &mmio);
        EQUAL(gpucmd_i915_ring_init(&ring2, ring2_words, 4096, 0x30, &mmio, cs2.base), GPUCMD_OK);
        EQUAL(gpucmd_i915_ring_start(&ring2, 0x50000), GPUCMD_OK);
        i9.k.rings[3] = &ring2;
        i9.k.sync_ring = on_sync;
        map_user(USER_BYTES, 0);
        memset(&f, 0, sizeof f);
        f.at = n;
        for (uint32_t i = 0; i < 12; i++) { /* render, copy, wait */
            memset(state_before, 0, state_bytes);
            memset(state_now, 0, state_bytes);
            sync_copy(state_before);
            const unsigned before = f.calls;
            int result = i % 3 == 2 ? sync_wait(i / 3) : sync_submit(i % 3 == 0 ? 1 : 3);
            const bool failed = before < n && n <= f.calls;
            EQUAL(-result, failed ? GPUCMD_SYS_EIO : 0);
            if (failed) {
                told++;
                sync_copy(state_now);
                CHECK(memcmp(state_now, state_before, state_bytes) == 0);
                result = i % 3 == 2 ? sync_wait(i / 3) : sync_submit(i % 3 == 0 ? 1 : 3);
                EQUAL(result, 0);
            }
        }
        EQUAL(told, n != 0);
        calls = n == 0 ? f.calls : calls;
    }
    EQUAL(calls, 8); /* in each of four rounds one for the other ring, one of the ioctl */
}

/* ---- system calls and host hooks ---- */

static gpucmd_sys_ops inner, outer; /* what is called, and the same with calls that fail */

static int fail_open(void *unused, const char *path, uint32_t flags)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_open(inner.user, path, flags);
}

static int fail_close(void *unused, int fd)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_close(inner.user, fd);
}

static int fail_ioctl(void *unused, int fd, uint32_t number, void *arg)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_ioctl(inner.user, fd, number, arg);
}

static int fail_mmap(void *unused, gpucmd_sys_map *map)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_mmap(inner.user, map);
}

static int fail_munmap(void *unused, void *addr, size_t len_bytes)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_munmap(inner.user, addr, len_bytes);
}

static int64_t fail_read(void *unused, int fd, void *dst, size_t len_bytes)
{
    (void)unused;
    return fails() ? -GPUCMD_SYS_EIO : inner.sys_read(inner.user, fd, dst, len_bytes);
}

static void fail_sys(unsigned at)
{
    memset(&f, 0, sizeof f);
    f.at = at;
    outer = inner;
    outer.sys_open = fail_open;
    outer.sys_close = fail_close;
    outer.sys_ioctl = fail_ioctl;
    outer.sys_mmap = fail_mmap;
    outer.sys_munmap = fail_munmap;
    outer.sys_read = inner.sys_read != NULL ? fail_read : NULL;
}

/* One session of nvgpu: two buffers, a channel, an object, a submission. Return the first status that
 * is not OK. Everything that exists is freed. *set_up receives the number of calls before that. */
static gpucmd_status nvgpu_session(unsigned *set_up)
{
    gpucmd_nvgpu g;
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer b[2];
    gpucmd_nvgpu_channel c;
    unsigned made = 0;
    gpucmd_status status = gpucmd_nvgpu_start(&g, &outer);
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_nvgpu_buffer_req_init(&breq, 0x3000, true);
    gpucmd_nvgpu_channel_req_init(&creq);
    for (unsigned i = 0; i < 2 && status == GPUCMD_OK; i++) {
        status = gpucmd_nvgpu_buffer_alloc(&g, &breq, &b[i]);
        made += status == GPUCMD_OK;
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_nvgpu_channel_open(&g, &creq, &c);
        made += status == GPUCMD_OK;
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_nvgpu_channel_alloc_obj(&g, &c, g.gpu.dma_copy_class);
    }
    *set_up = f.calls;
    if (made == 3) {
        gpucmd_nvgpu_channel_close(&g, &c);
    }
    for (unsigned i = 0; i < 2 && i < made; i++) {
        gpucmd_nvgpu_buffer_free(&g, &b[i]);
    }
    gpucmd_nvgpu_close(&g);
    return status;
}

/* Each call of set-up fails once: the session ends with FAULT, or does without (the address of the CPU
 * mapping), and nothing is left. Each call of tear-down fails once: nothing is used after its end. */
static void nvgpu_calls(void)
{
    unsigned set_up = 0, unused = 0;
    nvgpu_setup();
    inner = sys;
    fail_sys(0);
    EQUAL(nvgpu_session(&set_up), GPUCMD_OK);
    EQUAL(nvgpu_alive(), 0);
    const unsigned calls = f.calls;
    CHECK(set_up > 30 && calls > set_up + 10);
    for (unsigned n = 1; n <= calls; n++) {
        nvgpu_setup();
        inner = sys;
        fail_sys(n);
        const gpucmd_status status = nvgpu_session(&unused);
        CHECK(status == GPUCMD_OK || status == GPUCMD_FAULT);
        CHECK(n > set_up || f.calls >= n);
        if (n <= set_up && !EQUAL(nvgpu_alive(), 0)) {
            printf("    call %u of %u\n", n, set_up);
        }
    }
}

#if defined(__linux__) && defined(__x86_64__)
/* The model kernel's own mappings fail: those of the memory file in the process. */
static void host_hooks(void)
{
    static gpucmd_sys_ops linux_ops;
    unsigned set_up = 0, calls = 1;
    gpucmd_sys_ops_init_linux(&linux_ops);
    for (unsigned n = 0; n <= calls; n++) {
        nvgpu_setup();
        m.ram_bytes = 1 << 20;
        m.ram_fd = memfd_create("failing", 0);
        CHECK(m.ram_fd >= 0 && ftruncate(m.ram_fd, 1 << 20) == 0);
        m.ram = (uint8_t *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, m.ram_fd, 0);
        CHECK(m.ram != (uint8_t *)MAP_FAILED);
        inner = linux_ops;
        fail_sys(n);
        gpucmd_sys_ops saved = outer;
        outer = sys; /* the session calls the model kernel, which calls the hooks */
        m.host = &saved;
        const gpucmd_status status = nvgpu_session(&set_up);
        CHECK(status == GPUCMD_OK || status == GPUCMD_FAULT);
        calls = n == 0 ? f.calls : calls;
        if (n <= set_up && !EQUAL(nvgpu_alive(), 0)) {
            printf("    host call %u of %u\n", n, calls);
        }
        EQUAL(munmap(m.ram, 1 << 20), 0);
        EQUAL(close(m.ram_fd), 0);
    }
    CHECK(calls > 8);
}
#endif

/* A session of AGX: each call that fails is told once, all others have their effect. */
static unsigned agx_session(void)
{
    gpucmd_agx_client c;
    gpucmd_agx_stream s;
    struct gpucmd_drm_asahi_cmd_compute cmd;
    struct gpucmd_drm_asahi_gem_bind_op op = {GPUCMD_DRM_ASAHI_BIND_READ, 1, 0,
                                              GPUCMD_AGX_PAGE_BYTES, 0x100000000u};
    uint32_t words[64], vm = 0, gem = 0, queue = 0, stamps = 0;
    uint32_t done = 0;
    const gpucmd_syncobj_wait wait = {&done, NULL, 1, GPUCMD_SYNCOBJ_WAIT_FOR_SUBMIT, NULL, NULL};
    uint64_t offset = 0;
    size_t len_bytes = 0;
    unsigned told = 0;
    if (gpucmd_agx_client_open(&c, &outer, "node") != 0) {
        EQUAL(c.fd, -1);
        return 1;
    }
    gpucmd_agx_compute_init(&cmd, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &cmd);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
#define CALL(call)                                                                                 \
    do {                                                                                           \
        const unsigned calls_ = f.calls;                                                           \
        const int result_ = (call);                                                                \
        EQUAL(f.calls, calls_ + 1);                                                                \
        EQUAL(result_ == -GPUCMD_SYS_EIO, f.calls == f.at);                                        \
        told += f.calls == f.at;                                                                   \
    } while (0)
    CALL(gpucmd_agx_client_vm_create(&c, &vm));
    CALL(gpucmd_agx_client_gem_create(&c, 0, 1, 0, &gem));
    CALL(gpucmd_agx_client_gem_mmap_offset(&c, 1, &offset));
    CALL(gpucmd_agx_client_vm_bind(&c, vm, &op));
    CALL(gpucmd_agx_client_queue_create(&c, vm, 0, &queue));
    CALL(gpucmd_agx_client_bind_timestamps(&c, gem, GPUCMD_AGX_PAGE_BYTES, &stamps));
    CALL(gpucmd_drm_syncobj_create(&c.sys, c.fd, 0, &done));
    CALL(gpucmd_agx_client_submit(&c, queue, &s, NULL));
    CALL(gpucmd_drm_syncobj_wait(&c.sys, c.fd, &wait, 1, NULL));
    CALL(gpucmd_drm_syncobj_timeline_wait(&c.sys, c.fd, &wait, 1, NULL));
    CALL(gpucmd_drm_syncobj_destroy(&c.sys, c.fd, done));
    CALL(gpucmd_agx_client_unbind_timestamps(&c, stamps));
    CALL(gpucmd_agx_client_queue_destroy(&c, queue));
    CALL(gpucmd_agx_client_vm_destroy(&c, vm));
    CALL(gpucmd_agx_client_close(&c));
#undef CALL
    return told;
}

static void agx_calls(void)
{
    for (unsigned n = 1; n <= 19; n++) {
        memset(&agx, 0, sizeof agx);
        EQUAL(world_init(&agx), GPUCMD_OK);
        gpucmd_agx_kernel_sys(&agx.k, &inner);
        fail_sys(n);
        EQUAL(agx_session(), n <= 17); /* open, GET_PARAMS, 15 calls */
        for (unsigned i = 0; i < 10; i++) {
            (void)gpucmd_agx_exec_run(&agx.k.exec, NULL, 100);
        }
        CHECK(world_tear_down(&agx));
    }
}

int main(void)
{
    executors();
    look_ups();
    findings();
    chunk_calls();
    ring_waits();
    clients_with_holes();
    ring_syncs();
    nvgpu_calls();
#if defined(__linux__) && defined(__x86_64__)
    host_hooks();
#endif
    agx_calls();
    return test_report("failing");
}

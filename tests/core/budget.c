/* One unit of budget: whatever an operation of an engine does, a run with a budget of one moves at
 * most two blocks of 4 KiB; and operations that are cut anywhere give the bytes, the fault and the
 * position of an operation that is not cut. A step of AGX firmware queues that is cut after any
 * piece of its work gives the same events, times and tables. */
/* suite: executor, long */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include "test.h"

enum {
    ROOM = 1 << 18, /* bytes of memory that the operations use */
    WORDS = 32,
    RW = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE,
};
#define MEM_VA   0x1000000u
#define ALIAS_VA 0x2000000u /* the same memory again */
#define BATCH_VA 0x3000000u
#define GP_VA    0x3100000u

static uint8_t fresh[ROOM], whole[ROOM], split[ROOM], before[ROOM];
static uint8_t batch[4 * WORDS], gp[16];
static gpucmd_region regions[12];
static gpucmd_mem mem;
static uint32_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 4) * n >> 28);
}

/* Map memory at two addresses, the first in pieces of odd sizes, and the batch. */
static void map(uint8_t *memory, bool hole)
{
    uint32_t at = 0, n = 0;
    while (n < 8) {
        const uint32_t len = n == 7 ? ROOM - at : 1 + below((ROOM - at) / 3);
        const gpucmd_region r = {MEM_VA + (uint64_t)at, len, memory + at, RW};
        regions[n++] = r;
        at += len;
    }
    regions[4].access_mask = hole ? 0 : RW;
    const gpucmd_region rest[3] = {
        {ALIAS_VA, ROOM,         memory, RW                },
        {BATCH_VA, sizeof batch, batch,  GPUCMD_ACCESS_READ},
        {GP_VA,    sizeof gp,    gp,     GPUCMD_ACCESS_READ}
    };
    memcpy(&regions[8], rest, sizeof rest);
    EQUAL(gpucmd_mem_init(&mem, regions, 11), GPUCMD_OK);
}

/* A budget for the next call: small numbers, or random. */
static uint64_t next_budget(uint32_t round)
{
    return round < 4 ? round + 1 : 1 + below(9);
}

static uint32_t changed(void)
{
    uint32_t i, n = 0;
    for (i = 0; i < ROOM; i++) {
        n += split[i] != before[i];
    }
    return n;
}

/* ---- NVIDIA: LAUNCH_DMA of C7B5 ---- */

static gpucmd_nv_channel ch;
static gpucmd_nv_card card;
static gpucmd_env env;

static void nv_words(void)
{
    const bool to_tiles = below(3) == 0, from_tiles = below(3) == 0, remap = below(4) == 0;
    const uint32_t base[2] = {below(3) == 0 ? ALIAS_VA : MEM_VA, below(3) == 0 ? ALIAS_VA : MEM_VA};
    const uint32_t from = below(4) != 0 ? below(ROOM / 4) : below(ROOM);
    const uint32_t to = below(3) == 0 ? from + below(9000) - 4500 : below(ROOM / 2);
    const uint32_t lines = 1 + below(12);
    const uint32_t len = remap                    ? 1 + below(900)
                         : to_tiles || from_tiles ? 1 + below(1000)
                                                  : 1 + below(30000);
    const uint32_t components = below(2) != 0 ? 0x03303210 : 0x03304444 + below(3) * 0x01000000;
    const uint32_t words[] = {0x20088100,
                              0,
                              base[0] + from,
                              0,
                              base[1] + to,
                              below(9000),
                              below(9000),
                              len,
                              lines,
                              0x200381c0,
                              1,
                              0x12345678,
                              components,
                              0x200681c3,
                              0x10,
                              2048,
                              64,
                              1,
                              0,
                              below(200) | below(20) << 16,
                              0x200681ca,
                              0x10,
                              2048,
                              64,
                              1,
                              0,
                              below(200) | below(20) << 16,
                              0x200180c0,
                              0x206u | (from_tiles ? 0 : 0x80u) | (to_tiles ? 0 : 0x100u) |
                                  (remap ? 0x400u : 0)};
    GPUCMD_PRIV_STATIC_ASSERT(sizeof words <= sizeof batch, words_fit);
    uint32_t entry[2];
    gpucmd_store_words(batch, words, sizeof words / 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GA102, BATCH_VA, sizeof words / 4, 0),
          GPUCMD_OK);
    gpucmd_store_words(gp, entry, 2, GPUCMD_LITTLE_ENDIAN);
}

static void nv_start(void)
{
    EQUAL(gpucmd_nv_channel_init(&ch, GPUCMD_NV_CHIP_GA102, &card), GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    ch.pbdma.gp_base = GP_VA;
    ch.pbdma.limit2 = 1;
    ch.pbdma.gp_put = 1;
}

static uint64_t nv_run(uint64_t budget, gpucmd_run *run)
{
    *run = gpucmd_nv_channel_run(&ch, &env, budget);
    return ch.pbdma.pb_get | (uint64_t)ch.puller.fault << 60;
}

/* ---- Intel: 2D commands ---- */

static gpucmd_i915_cs cs;

static void i915_words(void)
{
    static const uint8_t rops[] = {0xcc, 0xcc, 0xf0, 0x66, 0x5a, 0xb8};
    const uint32_t rop = rops[below(sizeof rops)];
    const uint32_t tiles = below(3) == 0 ? 0x800u : 0, src_tiles = below(3) == 0 ? 0x8000u : 0;
    const uint32_t mask = below(3) == 0 ? 0x00200000u : 0x00300000u;
    const uint32_t pitch = 512u * (1 + below(4)), width = 1 + below(500), height = 1 + below(24);
    const uint32_t from = MEM_VA + (src_tiles != 0 ? below(16) * 4096 : below(ROOM / 3) & ~3u);
    const uint32_t to = (below(3) == 0 ? ALIAS_VA : MEM_VA) +
                        (tiles != 0 ? below(16) * 4096 : below(ROOM / 3) & ~3u);
    const uint32_t x = below(16), y = below(4);
    const uint32_t copy[] = {0x54c00008 | mask | tiles | src_tiles,
                             0x03000000 | rop << 16 | (tiles != 0 ? pitch / 4 : pitch),
                             y << 16 | x,
                             (y + height) << 16 | (x + width),
                             to,
                             0,
                             below(4) << 16 | below(16),
                             src_tiles != 0 ? 512 : below(6000) & ~3u,
                             from,
                             0,
                             0x05000000};
    const uint32_t fill[] = {0x54000005 | mask | tiles,
                             0x03f00000 | (tiles != 0 ? pitch / 4 : pitch),
                             y << 16 | x,
                             (y + height) << 16 | (x + width),
                             to,
                             0,
                             0xa1b2c3d4,
                             0x05000000};
    if (below(4) == 0) {
        gpucmd_store_words(batch, fill, sizeof fill / 4, GPUCMD_LITTLE_ENDIAN);
    } else {
        gpucmd_store_words(batch, copy, sizeof copy / 4, GPUCMD_LITTLE_ENDIAN);
    }
}

static void i915_start(void)
{
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
}

static uint64_t i915_run(uint64_t budget, gpucmd_run *run)
{
    *run = gpucmd_i915_cs_run(&cs, &env, budget);
    return cs.acthd | (uint64_t)cs.error << 60;
}

/* ---- both ---- */

static struct {
    unsigned idle, fault, cut; /* operations that end, fault, cost more than 50 units */
} seen[2];

/* Compare one operation that is not cut with the same operation cut in one way after another. */
static bool compare(uint32_t number, void (*start)(void),
                    uint64_t (*run)(uint64_t budget, gpucmd_run *result))
{
    const uint32_t map_seed = seed;
    const bool hole = number % 4 == 0;
    gpucmd_run result = GPUCMD_RUN_LIMIT;
    uint64_t state, units;
    memcpy(whole, fresh, ROOM);
    map(whole, hole);
    start();
    state = run((uint64_t)1 << 32, &result);
    if (!CHECK(result == GPUCMD_RUN_IDLE || result == GPUCMD_RUN_FAULT)) {
        return false;
    }
    seen[start == nv_start].idle += result == GPUCMD_RUN_IDLE;
    seen[start == nv_start].fault += result == GPUCMD_RUN_FAULT;
    for (uint32_t round = 0; round < 6; round++) {
        const gpucmd_run want = result;
        uint64_t now = 0;
        gpucmd_run got = GPUCMD_RUN_LIMIT;
        memcpy(split, fresh, ROOM);
        seed = map_seed;
        map(split, hole);
        start();
        for (units = 0; got == GPUCMD_RUN_LIMIT && units < 100000; units++) {
            memcpy(before, split, round == 0 ? ROOM : 0);
            now = run(next_budget(round), &got);
            if (round == 0 && !CHECK(changed() <= 8192)) {
                return false;
            }
        }
        if (!EQUAL(got, want) || !EQUAL(now, state) || !CHECK(memcmp(whole, split, ROOM) == 0)) {
            printf("    operation %u, round %u\n", number, round);
            return false;
        }
        seen[start == nv_start].cut += round == 0 && units > 50;
    }
    return true;
}

/* ---- AGX: steps that are cut after any piece of work ---- */

enum { QUEUES = 5, JOBS = 24, SLOTS = 500, FENCES = 60, LINKS = 600, LOG = 20000 };

typedef struct agx_world {
    gpucmd_agx_exec x;
    gpucmd_env env;
    gpucmd_agx_exec_queue queues[QUEUES];
    gpucmd_agx_exec_job jobs[JOBS];
    gpucmd_agx_slot slots[QUEUES * GPUCMD_AGX_RINGS * SLOTS];
    gpucmd_fence fences[FENCES];
    gpucmd_agx_link links[LINKS];
    uint64_t log[LOG]; /* events, results, ended jobs */
    uint32_t log_count;
    uint32_t calls; /* of the callback */
    uint32_t fails; /* each so manyth call of the callback fails; 0: none */
    uint32_t hash;
} agx_world;

static agx_world agx_whole, agx_split;

static void agx_log(agx_world *a, uint64_t value)
{
    if (a->log_count < LOG) {
        a->log[a->log_count++] = value;
    }
}

static gpucmd_status agx_event(void *user, const gpucmd_event *e)
{
    agx_world *a = (agx_world *)user;
    agx_log(a, (uint64_t)e->kind << 56 | (uint64_t)e->unit << 48 | (uint64_t)e->code << 40 |
                   (uint64_t)e->addr << 32 | e->value);
    agx_log(a, e->va);
    return a->fails != 0 && ++a->calls % a->fails == 0 ? GPUCMD_FAULT : GPUCMD_OK;
}

static void agx_ended(void *user, gpucmd_agx_exec_job *job)
{
    agx_log((agx_world *)user, job->tag << 32 | (uint32_t)job->error);
}

static void agx_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                     gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    agx_world *a = (agx_world *)user;
    const uint32_t h =
        (job->number * 31 + job->queue * 17 + command * 7 + (uint32_t)part) * a->hash;
    fate->duration = (h >> 20) % 9;
    fate->outcome = (h >> 8) % 16 == 0 ? GPUCMD_AGX_OUTCOME_FAULT : GPUCMD_AGX_OUTCOME_COMPLETE;
}

static uint32_t agx_barrier(uint32_t count)
{
    return below(3) != 0 ? (uint32_t)GPUCMD_DRM_ASAHI_BARRIER_NONE : below(count + 1);
}

/* Submit a random job that waits for fences of fence[], and ends others. Each fence is in the out
 * of one job; out_next is the first that is not. */
static bool agx_submit(agx_world *a, const uint32_t *fence, uint32_t *out_next, uint32_t number,
                       uint32_t tag)
{
    uint32_t in[12], i, slot;
    gpucmd_agx_job job;
    gpucmd_agx_submission sub = {
        &job, in, below(*out_next < 12 ? *out_next + 1 : 12), below(9), fence + *out_next, tag};
    const uint32_t commands = below(4) == 0 ? 64 : 1 + below(6);
    sub.out_count = *out_next + sub.out_count > FENCES ? 0 : sub.out_count;
    for (i = 0; i < sub.in_count; i++) {
        in[i] = fence[below(*out_next + (number % 4 == 1 && *out_next < FENCES ? 1 : 0))];
    }
    gpucmd_agx_job_init(&job);
    for (i = 0; i < commands; i++) {
        const gpucmd_agx_kind kind =
            below(2) != 0 ? GPUCMD_AGX_KIND_RENDER : GPUCMD_AGX_KIND_COMPUTE;
        const uint32_t renders = agx_barrier(job.renders), computes = agx_barrier(job.computes);
        EQUAL(gpucmd_agx_job_add(&job, kind, renders, computes), GPUCMD_OK);
    }
    *out_next += sub.out_count;
    return EQUAL(gpucmd_agx_exec_submit(&a->x, below(QUEUES), &sub, &slot), GPUCMD_OK);
}

/* Begin queues, fences in chains of up to 8, jobs, and one fence that the caller signals. */
static void agx_start(agx_world *a, uint32_t number)
{
    const gpucmd_agx_exec_tables t = {a->queues, QUEUES,    a->jobs, JOBS,     a->slots,
                                      SLOTS,     a->fences, FENCES,  a->links, LINKS};
    uint32_t fence[FENCES], i, out_next = 0;
    memset(a, 0, sizeof *a);
    gpucmd_env_init(&a->env, NULL, agx_event, a);
    EQUAL(gpucmd_agx_exec_init(&a->x, &t), GPUCMD_OK);
    a->x.ended = agx_ended;
    a->x.fate = agx_fate;
    a->x.ended_user = a->x.fate_user = a;
    a->hash = number * 2654435761u | 1;
    a->fails = number % 3 == 0 ? 2 + below(20) : 0;
    for (i = 0; i < QUEUES; i++) {
        EQUAL(gpucmd_agx_exec_queue_open(&a->x, i / 2), i);
    }
    for (i = 0; i < FENCES; i++) {
        fence[i] =
            gpucmd_fence_new(&a->x.fences, below(4) != 0 && i % 8 != 0 ? fence[i - 1] : 0, 0);
    }
    for (i = 0; i < JOBS && agx_submit(a, fence, &out_next, number, i); i++) {
    }
    for (i = out_next + (number % 4 == 1 ? 1 : 0); i < FENCES; i++) {
        EQUAL(gpucmd_fence_signal(&a->x.fences, fence[i], 0), GPUCMD_OK);
    }
    for (i = 0; i < FENCES; i++) {
        if (below(3) != 0) {
            gpucmd_fence_release(&a->x.fences, fence[i]);
        }
    }
    gpucmd_agx_exec_queue_retire(&a->x, below(QUEUES));
}

/* Execute all; each call may do at most most pieces. 0: as many as it likes. */
static gpucmd_run agx_all(agx_world *a, uint32_t most, uint32_t *cuts)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    for (uint32_t i = 0; i < 200000; i++) {
        run = gpucmd_priv_agx_execute_pieces(&a->x, &a->env,
                                             most == 0 ? INT32_MAX : 1 + (int32_t)below(most));
        *cuts += run == GPUCMD_RUN_LIMIT;
        if (run == GPUCMD_RUN_IDLE || run == GPUCMD_RUN_BLOCKED) {
            return run;
        }
        if (run == GPUCMD_RUN_FAULT) {
            agx_log(a, 0xfa017u);
        }
    }
    return run;
}

static struct {
    uint32_t idle, blocked, cuts;
} agx_seen;

static bool agx_compare(uint32_t number)
{
    static const uint32_t most[] = {1, 2, 5, GPUCMD_AGX_UNIT_PIECES};
    const uint32_t begin = seed;
    uint32_t none = 0;
    agx_start(&agx_whole, number);
    const gpucmd_run run = agx_all(&agx_whole, 0, &none);
    EQUAL(none, 0);
    agx_seen.idle += run == GPUCMD_RUN_IDLE;
    agx_seen.blocked += run == GPUCMD_RUN_BLOCKED;
    CHECK(agx_whole.log_count > 20 && agx_whole.log_count < LOG);
    for (uint32_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        agx_world *const a = &agx_whole, *const s = &agx_split;
        seed = begin;
        agx_start(s, number);
        bool good = EQUAL(agx_all(s, most[i], &agx_seen.cuts), run);
        good = EQUAL(s->log_count, a->log_count) && good;
        good = CHECK(memcmp(s->log, a->log, sizeof s->log) == 0) && good;
        good = EQUAL(s->x.now, a->x.now) && EQUAL(s->x.fences.free, a->x.fences.free) && good;
        good = EQUAL(s->x.free_link, a->x.free_link) && EQUAL(s->x.free_job, a->x.free_job) && good;
        good = CHECK(memcmp(s->fences, a->fences, sizeof s->fences) == 0) && good;
        good = CHECK(memcmp(s->links, a->links, sizeof s->links) == 0) && good;
        good = CHECK(memcmp(s->jobs, a->jobs, sizeof s->jobs) == 0) && good;
        good = CHECK(memcmp(s->queues, a->queues, sizeof s->queues) == 0) && good;
        good = CHECK(memcmp(s->slots, a->slots, sizeof s->slots) == 0) && good;
        if (!good) {
            printf("    jobs %u, at most %u pieces\n", number, most[i]);
            return false;
        }
    }
    return true;
}

static void agx(void)
{
    for (uint32_t i = 0; i < 60; i++) {
        seed = 77 + i;
        if (!agx_compare(i)) {
            break;
        }
    }
    CHECK(agx_seen.idle > 10 && agx_seen.blocked > 5 && agx_seen.cuts > 100000);
}

int main(void)
{
    for (uint32_t i = 0; i < ROOM; i++) {
        fresh[i] = (uint8_t)(i * 7 + (i >> 8) * 13);
    }
    for (uint32_t i = 0; i < 120; i++) {
        nv_words();
        if (!compare(i, nv_start, nv_run)) {
            break;
        }
        i915_words();
        if (!compare(i, i915_start, i915_run)) {
            break;
        }
    }
    agx();
    for (int i = 0; i < 2; i++) {
        CHECK(seen[i].idle > 40 && seen[i].fault != 0 && seen[i].cut > 20);
    }
    return test_report("budget");
}

/* agx/why.c - queries: which table is invalid or full, why the executor stopped, what a job waits
 * for, which points of a timeline have signalled, what the rows of the tables contain. */
/* suite: regions */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/world.h"

static gpucmd_agx_exec_store store;
static gpucmd_agx_exec x;

static gpucmd_agx_exec_tables tables(void)
{
    gpucmd_agx_exec_tables t;
    gpucmd_agx_exec_tables_init(&t, &store);
    return t;
}

/* Compute 4, vertex 2, fragment 3. */
static gpucmd_env env;

static void setup(gpucmd_event_fn event)
{
    const gpucmd_agx_exec_tables t = tables();
    gpucmd_env_init(&env, NULL, event, NULL);
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    x.durations.ring[GPUCMD_AGX_RING_COMPUTE] = 4;
    x.durations.ring[GPUCMD_AGX_RING_VERTEX] = 2;
    x.durations.ring[GPUCMD_AGX_RING_FRAGMENT] = 3;
}

static uint32_t submit(uint32_t queue, const char *notation, const uint32_t *in, uint32_t in_count,
                       const uint32_t *out, uint32_t out_count)
{
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    uint32_t slot = GPUCMD_AGX_NONE;
    const gpucmd_agx_submission sub = {&job, in, in_count, out_count, out, 0};
    EQUAL(gpucmd_agx_parse_notation(notation, strlen(notation), false, &job, &f), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_submit(&x, queue, &sub, &slot), GPUCMD_OK);
    return slot;
}

/* ---- tables ---- */

static void *shifted(void *p)
{
    return (void *)((uintptr_t)p + 1);
}

/* init names the table that it cannot use. */
static void bad_exec_tables(void)
{
    gpucmd_agx_exec_tables t;
#define BAD(change, status, id)                                                                    \
    t = tables();                                                                                  \
    change;                                                                                        \
    EQUAL(gpucmd_agx_exec_init(&x, &t), status);                                                   \
    EQUAL(x.table, GPUCMD_AGX_TABLE_##id);
    BAD((void)0, GPUCMD_OK, NONE)
    BAD(t.queue_count = 0, GPUCMD_RANGE, EXEC_QUEUES)
    BAD(t.queues = NULL, GPUCMD_RANGE, EXEC_QUEUES)
    BAD(t.job_count = 0, GPUCMD_RANGE, EXEC_JOBS)
    BAD(t.jobs = NULL, GPUCMD_RANGE, EXEC_JOBS)
    BAD(t.jobs = (gpucmd_agx_exec_job *)shifted(t.jobs), GPUCMD_ALIGN, EXEC_JOBS)
    BAD(t.ring_entries = 193, GPUCMD_RANGE, EXEC_SLOTS)
    BAD(t.ring_entries = 194, GPUCMD_OK, NONE)
    BAD(t.slots = NULL, GPUCMD_RANGE, EXEC_SLOTS)
    BAD(t.slots = (gpucmd_agx_slot *)shifted(t.slots), GPUCMD_ALIGN, EXEC_SLOTS)
    BAD(t.queues = (gpucmd_agx_exec_queue *)shifted(t.queues), GPUCMD_ALIGN, EXEC_QUEUES)
    BAD(t.fences = (gpucmd_fence *)shifted(t.fences), GPUCMD_ALIGN, EXEC_FENCES)
    BAD(t.fences = NULL, GPUCMD_RANGE, EXEC_FENCES)
    BAD((t.fences = NULL, t.fence_count = 0), GPUCMD_OK, NONE) /* no fences: none can be made */
    BAD(t.links = NULL, GPUCMD_RANGE, EXEC_LINKS)
    BAD(t.links = (gpucmd_agx_link *)shifted(t.links), GPUCMD_ALIGN, EXEC_LINKS)
    BAD((t.queues = NULL, t.links = NULL), GPUCMD_RANGE, EXEC_QUEUES) /* the first one */
#undef BAD
    TEXT(gpucmd_agx_table_name(GPUCMD_AGX_TABLE_NONE), "NONE");
    TEXT(gpucmd_agx_table_name(GPUCMD_AGX_TABLE_EXEC_SLOTS), "EXEC_SLOTS");
    TEXT(gpucmd_agx_table_name(GPUCMD_AGX_TABLE_MAPS), "MAPS");
    TEXT(gpucmd_agx_table_name(GPUCMD_AGX_TABLE_PLACES), "PLACES");
    TEXT(gpucmd_agx_table_name(GPUCMD_AGX_TABLE_ADDRESSES), "ADDRESSES");
    TEXT(gpucmd_agx_table_name((gpucmd_agx_table)(GPUCMD_AGX_TABLE_ADDRESSES + 1)), "?");
}

static void bad_kernel_tables(void)
{
    static gpucmd_agx_kernel_store kernel_store;
    static gpucmd_agx_kernel k;
    gpucmd_agx_kernel_tables t;
#define BAD(change, status, id)                                                                    \
    gpucmd_agx_kernel_tables_init(&t, &kernel_store);                                              \
    change;                                                                                        \
    EQUAL(gpucmd_agx_kernel_init(&k, &t), status);                                                 \
    EQUAL(k.table, GPUCMD_AGX_TABLE_##id);
    BAD((void)0, GPUCMD_OK, NONE)
    BAD((t.points = NULL, t.point_count = 0), GPUCMD_OK, NONE)
    BAD(t.vms = (gpucmd_agx_vm *)shifted(t.vms), GPUCMD_ALIGN, VMS)
    BAD(t.gems = (gpucmd_agx_gem *)shifted(t.gems), GPUCMD_ALIGN, GEMS)
    BAD(t.objects = (gpucmd_agx_object *)shifted(t.objects), GPUCMD_ALIGN, OBJECTS)
    BAD(t.queues = (gpucmd_agx_queue *)shifted(t.queues), GPUCMD_ALIGN, QUEUES)
    BAD(t.syncobjs = (gpucmd_syncobj *)shifted(t.syncobjs), GPUCMD_ALIGN, SYNCOBJS)
    BAD(t.points = (gpucmd_sync_point *)shifted(t.points), GPUCMD_ALIGN, POINTS)
    BAD(t.stamps = (gpucmd_agx_stamps *)shifted(t.stamps), GPUCMD_ALIGN, STAMPS)
    BAD(t.syncs = (struct gpucmd_drm_asahi_sync *)shifted(t.syncs), GPUCMD_ALIGN, SYNCS)
    BAD(t.maps = NULL, GPUCMD_RANGE, MAPS)
    BAD(t.vms = NULL, GPUCMD_RANGE, VMS)
    BAD((t.gems = NULL, t.gem_count = 0), GPUCMD_OK, NONE)
    BAD((t.vms = NULL, t.vm_count = 0), GPUCMD_OK, NONE)
    BAD(t.gems = NULL, GPUCMD_RANGE, GEMS)
    BAD(t.objects = NULL, GPUCMD_RANGE, OBJECTS)
    BAD(t.queues = NULL, GPUCMD_RANGE, QUEUES)
    BAD(t.syncobjs = NULL, GPUCMD_RANGE, SYNCOBJS)
    BAD(t.points = NULL, GPUCMD_RANGE, POINTS)
    BAD(t.stamps = NULL, GPUCMD_RANGE, STAMPS)
    BAD(t.fence_ids = NULL, GPUCMD_RANGE, FENCE_IDS)
    BAD(t.fence_ids = (uint32_t *)shifted(t.fence_ids), GPUCMD_ALIGN, FENCE_IDS)
    BAD(t.syncs = NULL, GPUCMD_RANGE, SYNCS)
    BAD(t.maps = (gpucmd_map *)shifted(t.maps), GPUCMD_ALIGN, MAPS)
    BAD(t.places = NULL, GPUCMD_RANGE, PLACES)
    BAD(t.places = (gpucmd_agx_place *)shifted(t.places), GPUCMD_ALIGN, PLACES)
    BAD(t.addresses = NULL, GPUCMD_RANGE, ADDRESSES)
    BAD(t.addresses = (gpucmd_agx_address *)shifted(t.addresses), GPUCMD_ALIGN, ADDRESSES)
    BAD(t.exec.queues = NULL, GPUCMD_RANGE, EXEC_QUEUES)
    BAD(t.exec.ring_entries = 1, GPUCMD_RANGE, EXEC_SLOTS)
#undef BAD
}

static void full_exec_tables(void)
{
    gpucmd_agx_exec_tables t = tables();
    gpucmd_agx_job job;
    uint32_t f;
    uint32_t slot;
    gpucmd_agx_submission sub = {&job, &f, 1, 0, NULL, 0};
    t.queue_count = 1;
    t.job_count = 1;
    t.fence_count = 1;
    t.link_count = 0;
    memset(&env, 0, sizeof env);
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(x.table, GPUCMD_AGX_TABLE_NONE);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), GPUCMD_AGX_NONE);
    EQUAL(x.table, GPUCMD_AGX_TABLE_EXEC_QUEUES);
    f = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(f, 1);
    EQUAL(gpucmd_fence_new(&x.fences, 0, 0), 0); /* the table is full */
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_FULL);
    EQUAL(x.table, GPUCMD_AGX_TABLE_EXEC_LINKS);
    sub.in_count = 0;
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    EQUAL(x.table, GPUCMD_AGX_TABLE_NONE);
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_FULL);
    EQUAL(x.table, GPUCMD_AGX_TABLE_EXEC_JOBS);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0); /* a call that succeeds names no table */
    EQUAL(x.table, GPUCMD_AGX_TABLE_NONE);
}

/* ---- the kernel ---- */

static world it;
static gpucmd_agx_kernel *const k = &it.k;

/* Submit one compute with syncs. The words are those of the UAPI. */
static int compute(uint32_t queue, const struct gpucmd_drm_asahi_sync *syncs, uint32_t in,
                   uint32_t out)
{
    static uint32_t words[64];
    struct gpucmd_drm_asahi_cmd_compute c;
    struct gpucmd_drm_asahi_submit a;
    gpucmd_agx_stream s;
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, words, 64);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_encode_submit(&a, &s, (uint64_t)(uintptr_t)words, NULL, 0, queue), GPUCMD_OK);
    a.syncs = (uint64_t)(uintptr_t)syncs;
    a.in_sync_count = in;
    a.out_sync_count = out;
    return gpucmd_agx_kernel_submit(k, &a);
}

/* Sync number i of an array, as bytes of the UAPI. */
static void put_sync(struct gpucmd_drm_asahi_sync *syncs, uint32_t i, uint32_t type,
                     uint32_t handle, uint64_t value)
{
    gpucmd_agx_syncs l;
    gpucmd_agx_syncs_init(&l, &syncs[i], 1);
    if (type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ) {
        gpucmd_agx_emit_out_sync(&l, handle);
    } else {
        gpucmd_agx_emit_out_timeline(&l, handle, value);
    }
    EQUAL(l.status, GPUCMD_OK);
}

static uint32_t boot(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 1, 0, 0};
    EQUAL(world_init(&it), GPUCMD_OK);
    k->exec.durations.ring[GPUCMD_AGX_RING_COMPUTE] = 4;
    EQUAL(gpucmd_agx_kernel_vm_create(k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(k, &queue), 0);
    return queue.queue_id;
}

/* ENOMEM names the table, whichever ioctl ran into it. */
static void full_kernel_tables(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_gem_create gem = {0x4000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 1, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_object object = {0, 1, 1, 0, 0, 0x4000, 0, 0};
    struct gpucmd_drm_asahi_sync syncs[2];
#define FULL(call, change, back, id)                                                               \
    change;                                                                                        \
    EQUAL(call, (uint64_t)-12);                                                                    \
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_NO_MEMORY);                                             \
    EQUAL(k->table, GPUCMD_AGX_TABLE_##id);                                                        \
    back;                                                                                          \
    EQUAL(call, 0);                                                                                \
    EQUAL(k->table, GPUCMD_AGX_TABLE_NONE);
    const uint32_t q = boot();
    const uint32_t h = world_syncobj(k);
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_vm_create(k, &vm), k->t.vm_count = 1,
         k->t.vm_count = 2, VMS)
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_gem_create(k, &gem), k->t.gem_count = 0,
         k->t.gem_count = 1, GEMS)
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_gem_bind_object(k, &object), k->t.object_count = 0,
         k->t.object_count = 1, OBJECTS)
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_gem_bind_object(k, &object),
         (k->t.object_count = 2, k->t.place_count = 1), k->t.place_count = 2, PLACES)
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_queue_create(k, &queue), k->t.queue_count = 1,
         k->t.queue_count = 2, QUEUES)
    FULL((uint64_t)(int64_t)gpucmd_agx_kernel_queue_create(k, &queue),
         (k->t.queue_count = 3, k->exec.t.queue_count = 2), k->exec.t.queue_count = 3, EXEC_QUEUES)
    put_sync(syncs, 0, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, h, 0);
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 1), k->t.fence_id_count = 0,
         k->t.fence_id_count = 1, FENCE_IDS)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 1), k->t.sync_count = 0, k->t.sync_count = 1,
         SYNCS)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 1), const uint32_t points = k->syncobjs.point_cap;
         k->syncobjs.point_cap = k->syncobjs.point_count, k->syncobjs.point_cap = points, POINTS)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 1), const uint32_t cap = k->exec.fences.cap;
         k->exec.fences.cap = k->exec.fences.count, k->exec.fences.cap = cap, EXEC_FENCES)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 1), const uint32_t link = k->exec.free_link;
         k->exec.free_link = GPUCMD_AGX_NONE, k->exec.free_link = link, EXEC_LINKS)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 0), const uint32_t job = k->exec.free_job;
         k->exec.free_job = GPUCMD_AGX_NONE, k->exec.free_job = job, EXEC_JOBS)
    FULL((uint64_t)(int64_t)compute(q, syncs, 0, 0), k->t.stamp_count = 0,
         k->t.stamp_count = WORLD_JOBS, STAMPS)
    const struct gpucmd_drm_asahi_gem_bind_op op = {2, 1, 0, 0x4000, 0x1500000000u};
    k->maps.cap = k->maps.count;
    EQUAL(gpucmd_agx_kernel_bind_op(k, 1, &op), GPUCMD_AGX_RULE_NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_MAPS);
#undef FULL
}

/* Points 5 and 9 of a timeline: computes of 4 each on one queue, so 5 signals at 4 and 9 at 8. A
 * point asks for the first point that is not smaller. */
static void points(void)
{
    struct gpucmd_drm_asahi_sync syncs[2];
    uint64_t value = 99;
    int32_t error = 99;
    const uint32_t q = boot();
    const uint32_t tl = world_syncobj(k);
    const uint32_t bin = world_syncobj(k);
#define POINT(handle, point, status) EQUAL(world_point(k, handle, point, &error), status)
#define PASSED(handle, want)                                                                       \
    EQUAL(gpucmd_syncobj_query(&k->syncobjs, handle, 0, &value), 0);                               \
    EQUAL(value, want)
    EQUAL(gpucmd_syncobj_query(&k->syncobjs, 77, 0, &value), -GPUCMD_SYS_ENOENT);
    POINT(77, 0, GPUCMD_RANGE);
    POINT(tl, 0, GPUCMD_ORDER); /* nothing was attached */
    POINT(tl, 1, GPUCMD_ORDER);
    PASSED(tl, 0);
    put_sync(syncs, 0, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, tl, 5);
    EQUAL(compute(q, syncs, 0, 1), 0);
    EQUAL(k->queue, 0);
    EQUAL(k->number, 0);
    put_sync(syncs, 0, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, tl, 9);
    put_sync(syncs, 1, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, bin, 0);
    EQUAL(compute(q, syncs, 0, 2), 0);
    EQUAL(k->number, 1);
    PASSED(tl, 0);
    PASSED(bin, 0);
    POINT(tl, 0, GPUCMD_BLOCKED);
    POINT(tl, 5, GPUCMD_BLOCKED);
    POINT(tl, 9, GPUCMD_BLOCKED);
    POINT(tl, 10, GPUCMD_ORDER);
    POINT(bin, 0, GPUCMD_BLOCKED);
    POINT(bin, 1, GPUCMD_ORDER);
    EQUAL(error, 99);
    EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE);
    EQUAL(k->exec.now, 4);
    EQUAL(gpucmd_agx_exec_find(&k->exec, 0, 0), GPUCMD_AGX_NONE);
    CHECK(gpucmd_agx_exec_find(&k->exec, 0, 1) != GPUCMD_AGX_NONE);
    PASSED(tl, 5); /* though nothing was submitted since */
    POINT(tl, 5, GPUCMD_OK);
    EQUAL(error, 0);
    POINT(tl, 3, GPUCMD_OK);
    POINT(tl, 6, GPUCMD_BLOCKED);
    POINT(tl, 0, GPUCMD_BLOCKED);
    gpucmd_agx_kernel_crash(k); /* the running job ends with ENODEV */
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    PASSED(tl, 9);
    PASSED(bin, 0);
    POINT(tl, 6, GPUCMD_OK);
    EQUAL(error, 19);
    POINT(tl, 5, GPUCMD_OK);
    EQUAL(error, 0);
    POINT(bin, 0, GPUCMD_OK);
    EQUAL(error, 19);
    EQUAL(world_signalled(k, tl, &error), true);
}

/* If a point is not above the last one, a wait for an earlier point waits for it. */
static void merged_point(void)
{
    struct gpucmd_drm_asahi_sync syncs[1];
    uint64_t value = 99;
    int32_t error = 99;
    const uint32_t q = boot();
    const uint32_t tl = world_syncobj(k);
    put_sync(syncs, 0, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, tl, 5);
    EQUAL(compute(q, syncs, 0, 1), 0);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    PASSED(tl, 5);
    put_sync(syncs, 0, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, tl, 2);
    EQUAL(compute(q, syncs, 0, 1), 0);
    PASSED(tl, 0);
    POINT(tl, 1, GPUCMD_BLOCKED);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 10), GPUCMD_RUN_IDLE);
    PASSED(tl, 5);
    POINT(tl, 1, GPUCMD_OK);
}

/* Points of a timeline by their depth. A point jumps to the one before it; after two jumps of one
 * length it jumps over both. Depth 3 jumps over 2 and 1, 7 over 6 and 3. */
static void jumps(void)
{
    static const uint32_t want[11] = {0, 0, 1, 0, 3, 4, 3, 0, 7, 8, 7};
    struct gpucmd_drm_asahi_sync syncs[8];
    const uint32_t q = boot();
    const uint32_t tl = world_syncobj(k);
    for (uint32_t i = 0; i < 11; i++) {
        put_sync(syncs, i % 8, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, tl, 10 * i + 10);
        if (i == 7 || i == 10) {
            EQUAL(compute(q, syncs, 0, i % 8 + 1), 0);
        }
    }
    uint32_t at = it.syncobjs[tl - 1].point;
    for (uint32_t i = 11; i-- > 0; at = it.points[at - 1].next) {
        const gpucmd_sync_point *p = &it.points[at - 1];
        EQUAL(p->value, 10 * i + 10);
        EQUAL(p->depth, i);
        EQUAL(p->jump_value, i != 0 ? 10 * want[i] + 10 : 0);
        EQUAL(i != 0 ? it.points[p->jump - 1].depth : 0, want[i]);
        CHECK(!p->merged);
    }
    EQUAL(at, 0);
    /* a wait for a value is a wait for the first point with that value or more */
    for (uint32_t value = 10; value <= 110; value++) {
        const uint32_t first = (value - 1) / 10 * 10 + 10;
        uint32_t fence = 0;
        EQUAL(gpucmd_syncobj_find(&k->syncobjs, tl, value, &fence), 0);
        for (at = it.syncobjs[tl - 1].point; it.points[at - 1].value != first;) {
            at = it.points[at - 1].next;
        }
        EQUAL(it.points[at - 1].fence, fence);
    }
    EQUAL(it.syncobjs[tl - 1].last, 110);
    EQUAL(it.syncobjs[tl - 1].passed, 0);
}

/* ---- why ---- */

static gpucmd_status refuse(void *user, const gpucmd_event *e)
{
    (void)user;
    (void)e;
    return GPUCMD_UNSUPPORTED;
}

static const char *why_line(void)
{
    static char buf[256];
    gpucmd_text t;
    gpucmd_why why;
    test_dirty();
    gpucmd_agx_exec_why(&x, &env, &why);
    CHECK(why.bits == 0 && *why.reg == '\0');
    CHECK(why.value == 0 || why.kind == GPUCMD_WHY_WAIT || why.kind == GPUCMD_WHY_DEADLOCK);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_print_why(&t, &why);
    return buf;
}

/* The job of the first row has ended, that of the second row has work. */
static void why_second(void)
{
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    EQUAL(submit(0, "C1", NULL, 0, NULL, 0), 0);
    EQUAL(submit(1, "R1", NULL, 0, NULL, 0), 1);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1v */
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* C1 */
    EQUAL(gpucmd_agx_exec_find(&x, 0, 0), GPUCMD_AGX_NONE);
    TEXT(why_line(), "READY queue 0 at 0x0: work is left and nothing stops it\n");
}

static void why(void)
{
    gpucmd_why callback;
    uint32_t f[2];
    setup(NULL);
    TEXT(why_line(), "IDLE queue 0 at 0x0: no work is left\n");
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    (void)submit(1, "R1", NULL, 0, NULL, 0);
    TEXT(why_line(), "READY queue 0 at 0x0: work is left and nothing stops it\n");
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT); /* the fragment half is left */
    TEXT(why_line(), "READY queue 0 at 0x0: work is left and nothing stops it\n");
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    TEXT(why_line(), "IDLE queue 0 at 0x0: no work is left\n");
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    (void)submit(1, "C1", &f[1], 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    /* job 1 of queue 1 waits for the second fence since 2 + 3 */
    TEXT(why_line(), "WAIT queue 1 at 0x1: fence 0x2 at 0x5: the caller must signal the fence\n");
    EQUAL(gpucmd_fence_signal(&x.fences, f[1], 0), GPUCMD_OK);
    TEXT(why_line(), "READY queue 0 at 0x0: work is left and nothing stops it\n");
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    (void)submit(0, "C1", &f[1], 1, &f[0], 1);
    (void)submit(1, "C1", &f[0], 1, &f[1], 1);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    TEXT(why_line(), "DEADLOCK queue 0 at 0x0: queues wait for each other's jobs\n");
    TEXT(why_line(), "DEADLOCK queue 0 at 0x0: queues wait for each other's jobs\n");
    setup(refuse);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    (void)submit(0, "C1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_FAULT);
    gpucmd_agx_exec_why(&x, &env, &callback);
    EQUAL(callback.status, GPUCMD_UNSUPPORTED);
    TEXT(why_line(), "CALLBACK queue 0 at 0x0: UNSUPPORTED: a callback returned this status\n");
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    (void)submit(0, "C1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    (void)submit(0, "C1", &f[1], 1, NULL, 0);
    (void)submit(1, "C1", &f[0], 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED); /* the first of two queues */
    TEXT(why_line(), "WAIT queue 0 at 0x1: fence 0x2 at 0x4: the caller must signal the fence\n");
    /* of several fences of a job, the last of the submission is named */
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    (void)submit(0, "C1", f, 2, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    TEXT(why_line(), "WAIT queue 0 at 0x0: fence 0x2 at 0x0: the caller must signal the fence\n");
}

/* ---- what a job waits for ---- */

static bool is(const gpucmd_agx_wait *got, gpucmd_agx_wait_kind kind, uint32_t fence,
               uint32_t queue, uint32_t job, uint32_t command, gpucmd_agx_ring part,
               gpucmd_agx_ring waiter)
{
    return got->kind == kind && got->fence == fence && got->queue == queue && got->job == job &&
           got->command == command && got->part == part && got->waiter == waiter;
}

#define VERTEX   GPUCMD_AGX_RING_VERTEX
#define FRAGMENT GPUCMD_AGX_RING_FRAGMENT
#define COMPUTE  GPUCMD_AGX_RING_COMPUTE
#define NO       GPUCMD_AGX_NONE

static void waits_before(void)
{
    gpucmd_agx_wait got[4];
    uint32_t f[2];
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, f[0], 0); /* as a point after f[0] */
    const uint32_t a = submit(1, "C1", NULL, 0, &f[1], 1);
    const uint32_t b = submit(0, "C1", f, 2, NULL, 0);
    const uint32_t c = submit(0, "C1", &f[0], 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_waits(&x, 99, got, 4), 0);
    EQUAL(gpucmd_agx_exec_waits(&x, 15, got, 4), 0); /* a free slot */
    EQUAL(gpucmd_agx_exec_waits(&x, a, got, 4), 0);
    /* the fences in the reverse order of the submission: f[1] for job 0 of queue 1, f[0] for the
     * caller */
    EQUAL(gpucmd_agx_exec_waits(&x, b, got, 4), 2);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_FENCE, f[1], 1, 0, 0, COMPUTE, COMPUTE));
    CHECK(is(&got[1], GPUCMD_AGX_WAIT_FENCE, f[0], NO, 0, 0, COMPUTE, COMPUTE));
    memset(got, 0xee, sizeof got);
    EQUAL(gpucmd_agx_exec_waits(&x, b, got, 1), 2);
    EQUAL(got[1].queue, 0xeeeeeeee);
    EQUAL(gpucmd_agx_exec_waits(&x, c, got, 4), 2);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_FENCE, f[0], NO, 0, 0, COMPUTE, COMPUTE));
    CHECK(is(&got[1], GPUCMD_AGX_WAIT_JOB, 0, 0, 0, 0, COMPUTE, COMPUTE));
    /* job 0 of queue 1 has ended, f[1] still waits for f[0] */
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_waits(&x, b, got, 4), 2);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_FENCE, f[1], NO, 0, 0, COMPUTE, COMPUTE));
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_waits(&x, b, got, 4), 0);
    EQUAL(gpucmd_agx_exec_waits(&x, c, got, 4), 1); /* job 0 is first */
}

/* Job 1 is C1 after all earlier renders, then R1: its compute waits for R1f of job 0 (until 5), and
 * its fragment half is after R1f in the fragment queue. */
static void waits_in_rings(void)
{
    gpucmd_agx_wait got[4];
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    (void)submit(0, "R1", NULL, 0, NULL, 0);
    const uint32_t slot = submit(0, "C1 [R0, -]\nR1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_find(&x, 0, 1), slot);
    const uint32_t rows = x.t.job_count;
    x.t.job_count = slot; /* a table that ends before this row */
    EQUAL(gpucmd_agx_exec_find(&x, 0, 1), NO);
    x.t.job_count = rows;
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_JOB, 0, 0, 0, 0, COMPUTE, COMPUTE));
    for (uint64_t now = 2; now <= 4; now += 2) { /* R1v of job 0, R1v of job 1 */
        EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
        EQUAL(x.now, now);
        EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 2);
        CHECK(is(&got[0], GPUCMD_AGX_WAIT_BARRIER, 0, 0, 0, 0, FRAGMENT, COMPUTE));
        CHECK(is(&got[1], GPUCMD_AGX_WAIT_ORDER, 0, 0, 0, 0, FRAGMENT, FRAGMENT));
    }
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1f of job 0 */
    EQUAL(x.now, 5);
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 0);
    EQUAL(gpucmd_agx_exec_find(&x, 0, 0), NO);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    EQUAL(x.now, 9);
    EQUAL(gpucmd_agx_exec_find(&x, 0, 1), NO);
    /* inside one job: C2 after R2, which is command 2 and ends at 2 + 3 + 3 */
    const uint32_t own = submit(0, "C1\nR1\nR2\nC2 [R2, -]", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1v */
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* C1, R2v: at 4 both */
    EQUAL(x.now, 13);
    EQUAL(gpucmd_agx_exec_waits(&x, own, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_BARRIER, 0, 0, 2, 2, FRAGMENT, COMPUTE));
}

/* C1 waits for R3f, the third operation of the fragment queue, none of which has started. */
static void waits_for_third(void)
{
    gpucmd_agx_wait got[4];
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    const uint32_t slot = submit(0, "R1\nR2\nR3\nC1 [R3, -]", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1v */
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_BARRIER, 0, 0, 0, 2, FRAGMENT, COMPUTE));
}

/* A queue of 194 entries: job 0 leaves its head at entry 192. Of job 1, C2 to C4 wait in entries 193, 0
 * and 1; job 2 waits for C4. */
static void waits_at_the_end(void)
{
    gpucmd_agx_exec_tables t = tables();
    gpucmd_agx_job job;
    gpucmd_agx_wait got[4];
    uint32_t slot = 0;
    const gpucmd_agx_submission sub = {&job, NULL, 0, 0, NULL, 0};
    t.ring_entries = 194;
    setup(NULL);
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (int i = 0; i < 64; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    }
    for (int i = 0; i < 3; i++) {
        EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    }
    EQUAL(x.t.queues[0].rings[COMPUTE].head, 192);
    (void)submit(0, "C1\nC2\nC3\nC4", NULL, 0, NULL, 0);
    slot = submit(0, "C1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* C1 */
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_ORDER, 0, 0, 3, 3, COMPUTE, COMPUTE));
}

/* The callback refuses the start of the first operation: what is behind it waits for it. */
static gpucmd_status refuse_start(void *user, const gpucmd_event *e)
{
    (void)user;
    return e->kind == GPUCMD_EVENT_START ? GPUCMD_FAULT : GPUCMD_OK;
}

static void waits_for_refused(void)
{
    gpucmd_agx_wait got[4];
    setup(refuse_start);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    const uint32_t slot = submit(0, "C1\nC2\nR1 [-,C1]", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 100), GPUCMD_RUN_FAULT);
    memset(got, 0xee, sizeof got);
    const uint32_t n = gpucmd_agx_exec_waits(&x, slot, got, 4);
    EQUAL(n, 2);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_BARRIER, 0, 0, 0, 0, COMPUTE, VERTEX));
    CHECK(is(&got[1], GPUCMD_AGX_WAIT_BARRIER, 0, 0, 0, 2, VERTEX, FRAGMENT));
}

/* 127 events in flight hold a job back: of jobs of 60 computes the third finds 7 left. */
static void waits_for_room(void)
{
    gpucmd_agx_job job;
    gpucmd_agx_wait got[4];
    uint32_t slot = 0;
    const gpucmd_agx_submission sub = {&job, NULL, 0, 0, NULL, 0};
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (int i = 0; i < 60; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    }
    for (int i = 0; i < 3; i++) {
        EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_ROOM, 0, 0, 0, 0, COMPUTE, COMPUTE));
    EQUAL(gpucmd_agx_exec_waits(&x, gpucmd_agx_exec_find(&x, 0, 1), got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_ORDER, 0, 0, 0, 59, COMPUTE, COMPUTE));
    char text[192];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_waits(&t, &x, NULL);
    TEXT(text, "queue 0 (compute), job 1 waits for the end of C60 of job 0\n"
               "queue 0 (compute), job 2 waits for room in the compute queue\n");
}

/* The same with blits, which use the fragment queue only: it is the one without room. */
static void waits_for_fragment_room(void)
{
    gpucmd_agx_job job;
    gpucmd_agx_wait got[4];
    uint32_t slot = 0;
    const gpucmd_agx_submission sub = {&job, NULL, 0, 0, NULL, 0};
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (int i = 0; i < 60; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_BLIT, NONE, NONE), GPUCMD_OK);
    }
    for (int i = 0; i < 4; i++) {
        EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_agx_exec_waits(&x, gpucmd_agx_exec_find(&x, 0, 2), got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_ROOM, 0, 0, 0, 0, FRAGMENT, COMPUTE));
    EQUAL(gpucmd_agx_exec_waits(&x, slot, got, 4), 1);
    CHECK(is(&got[0], GPUCMD_AGX_WAIT_JOB, 0, 0, 2, 0, COMPUTE, COMPUTE));
}

/* Of four jobs that wait, each waits for the one before it. A number is that of its own queue. */
static void waits_in_line(void)
{
    gpucmd_agx_wait got[4];
    uint32_t slots[4];
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    const uint32_t f = gpucmd_fence_new(&x.fences, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        slots[i] = submit(1, "C1", &f, 1, NULL, 0);
    }
    for (uint32_t i = 1; i < 4; i++) {
        EQUAL(gpucmd_agx_exec_waits(&x, slots[i], got, 4), 2);
        CHECK(is(&got[1], GPUCMD_AGX_WAIT_JOB, 0, 1, i - 1, 0, COMPUTE, COMPUTE));
        EQUAL(gpucmd_agx_exec_find(&x, 1, i), slots[i]);
        EQUAL(gpucmd_agx_exec_find(&x, 0, i), NO);
    }
    EQUAL(gpucmd_agx_exec_find(&x, 1, 4), NO);
    EQUAL(gpucmd_agx_exec_find(&x, 2, 0), NO);
}

/* ---- rows of the tables ---- */

/* The row of a job, of its fences and of its queue, from the submission to the end. */
static void rows(void)
{
    gpucmd_agx_job job;
    gpucmd_agx_finding finding;
    uint32_t f[3], slot = 77;
    gpucmd_agx_submission sub = {&job, f, 1, 1, &f[1], 0x123456789abcdefu};
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 5), 0);
    EQUAL(x.t.queues[0].vm, 5);
    EQUAL(gpucmd_agx_parse_notation("R1\nC1", 5, false, &job, &finding), GPUCMD_OK);
    for (int i = 0; i < 3; i++) {
        f[i] = gpucmd_fence_new(&x.fences, 0, 0);
    }
    x.now = x.fences.clock = 100;
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    const gpucmd_agx_exec_job *j = &x.t.jobs[slot];
    EQUAL(j->queue, 0);
    EQUAL(j->number, 0);
    EQUAL(j->tag, 0x123456789abcdefu);
    EQUAL(j->left, 3);
    EQUAL(j->error, 0);
    EQUAL(j->next, NO);
    CHECK(!j->active);
    EQUAL(j->job.count, 2);
    EQUAL(j->job.renders, 1);
    EQUAL(j->job.computes, 1);
    EQUAL(x.waiting, 1);
    EQUAL(x.running, 0);
    EQUAL(x.t.fences[f[0] - 1].refs, 2);
    EQUAL(x.t.fences[f[1] - 1].refs, 2);
    EQUAL(x.t.fences[f[0] - 1].owner, 0);
    EQUAL(x.t.fences[f[1] - 1].owner, slot + 1);
    /* a fence is in the out of one job only, and not of a job if it was signalled */
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_ORDER);
    EQUAL(gpucmd_fence_signal(&x.fences, f[1], 0), GPUCMD_ORDER);
    EQUAL(gpucmd_fence_signal(&x.fences, f[2], 9), GPUCMD_OK);
    EQUAL(gpucmd_fence_signal(&x.fences, f[2], 9), GPUCMD_ORDER);
    sub.out = &f[2];
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_ORDER);
    EQUAL(x.t.fences[f[2] - 1].owner, 0);
    EQUAL(x.t.fences[f[2] - 1].error, 9);
    EQUAL(x.t.fences[f[2] - 1].clock, 100);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1v until 102 */
    EQUAL(x.now, 102);
    CHECK(j->active);
    EQUAL(j->left, 2);
    EQUAL(j->pushed, 100);
    EQUAL(j->in, NO);
    EQUAL(x.waiting, 0);
    EQUAL(x.running, 1); /* C1 until 104; R1f until 105 starts with the next step */
    EQUAL(x.t.fences[f[0] - 1].refs, 1);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    EQUAL(x.now, 105);
    EQUAL(j->left, 0);
    EQUAL(j->done, 105);
    EQUAL(j->out, NO);
    CHECK(!j->active);
    EQUAL(x.running, 0);
    EQUAL(x.t.fences[f[1] - 1].refs, 1);
    EQUAL(x.t.fences[f[1] - 1].owner, 0);
    EQUAL(x.t.fences[f[1] - 1].clock, 105);
    EQUAL(x.t.fences[f[1] - 1].error, 0);
    CHECK(x.t.fences[f[1] - 1].ended && x.t.fences[f[1] - 1].is_signalled);
    EQUAL(j->results[0].start[0], 100);
    EQUAL(j->results[0].end[0], 102);
    EQUAL(j->results[0].start[1], 102);
    EQUAL(j->results[0].end[1], 105);
    EQUAL(j->results[1].start[0], 100);
    EQUAL(j->results[1].end[0], 104);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 1), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 99), GPUCMD_RANGE);
    gpucmd_agx_exec_queue_retire(&x, 1); /* not open: nothing happens */
    gpucmd_agx_exec_queue_retire(&x, 99);
    CHECK(!x.t.queues[1].retired);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_RANGE);
}

static void fault_of_all(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                         gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)job;
    (void)command;
    (void)part;
    memset(&fate->fault, 0xee, sizeof fate->fault);
    fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
}

/* The row of a job that failed, in the next job. */
static void row_again(void)
{
    struct gpucmd_drm_asahi_draft_result_info complete = {0};
    setup(NULL);
    x.fate = fault_of_all;
    x.now = 100;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    const uint32_t slot = submit(0, "R1", NULL, 0, NULL, 0);
    const gpucmd_agx_exec_job *const j = &x.t.jobs[slot];
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    CHECK(j->error != 0 && j->pushed == 100 && j->done == 105);
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), slot);
    EQUAL(j->number, 1);
    EQUAL(j->left, 2);
    EQUAL(j->pushed, 0);
    EQUAL(j->done, 0);
    EQUAL(j->error, 0);
    CHECK(!j->active);
    x.fate = NULL;
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(j->results[0].halves, 1);
    EQUAL(j->results[0].end[1], 0);
    complete.status = GPUCMD_AGX_OUTCOME_COMPLETE;
    CHECK(memcmp(&j->results[0].info, &complete, sizeof complete) == 0);
}

/* Three fences after one. They signal with it, or later. A fence that has signalled is not waited for. A
 * fence that is not held does not exist. */
static void chains(void)
{
    uint32_t f[4];
    setup(NULL);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    for (int i = 1; i < 4; i++) {
        f[i] = gpucmd_fence_new(&x.fences, f[0], 0);
        EQUAL(x.t.fences[f[i] - 1].prev, f[0]);
    }
    for (int i = 3; i > 0; i--) {
        EQUAL(gpucmd_fence_signal(&x.fences, f[i], 0), GPUCMD_OK);
        CHECK(!x.t.fences[f[i] - 1].is_signalled && x.t.fences[f[i] - 1].ended);
    }
    x.fences.clock = 7;
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(x.t.fences[f[i] - 1].is_signalled);
        EQUAL(x.t.fences[f[i] - 1].clock, 7);
        EQUAL(x.t.fences[f[i] - 1].prev, 0);
        EQUAL(x.t.fences[f[i] - 1].refs, 1);
    }
    const uint32_t after = gpucmd_fence_new(&x.fences, f[0], 0);
    EQUAL(x.t.fences[after - 1].prev, 0);
    gpucmd_fence_release(&x.fences, f[0]);
    EQUAL(x.t.fences[f[0] - 1].refs, 0);
    EQUAL(gpucmd_fence_new(&x.fences, f[0], 0), 0); /* prev does not exist */
    EQUAL(gpucmd_fence_new(&x.fences, 0, 0), f[0]); /* the row that was freed last */
}

static uint32_t signal_at_start; /* fence; 0: none */

static gpucmd_status signal_fence(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->kind == GPUCMD_EVENT_START && signal_at_start != 0) {
        EQUAL(gpucmd_fence_signal(&x.fences, signal_at_start, 0), GPUCMD_OK);
        signal_at_start = 0;
    }
    return GPUCMD_OK;
}

/* A callback signals a fence: the job that waits for it, in a queue before or after, starts then. */
static void signal_in_callback(void)
{
    for (uint32_t queue = 0; queue < 2; queue++) {
        setup(signal_fence);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
        const uint32_t f = signal_at_start = gpucmd_fence_new(&x.fences, 0, 0);
        const uint32_t slot = submit(queue, "C1", &f, 1, NULL, 0);
        (void)submit(1 - queue, "C1", NULL, 0, NULL, 0);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(x.t.jobs[slot].pushed, 0);
        EQUAL(x.now, x.t.jobs[slot].done);
    }
}

/* Fences that wait for two others, as transfers to timelines make them: the deadlock is found through
 * each of them, whichever way leads to it. The fences of n levels have 2^n ways, and each is seen once. */
static void two_ways(void)
{
    gpucmd_agx_deadlock arcs[2];
    gpucmd_agx_wait got[4];
    uint32_t f[2], way[2][40];
    for (uint32_t which = 0; which < 2; which++) {
        setup(NULL);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
        f[0] = gpucmd_fence_new(&x.fences, 0, 0); /* of the job in queue 0 */
        f[1] = gpucmd_fence_new(&x.fences, 0, 0); /* of the job in queue 1 */
        const uint32_t ended = gpucmd_fence_new(&x.fences, 0, 0);
        EQUAL(gpucmd_fence_signal(&x.fences, ended, 0), GPUCMD_OK);
        way[0][0] =
            gpucmd_fence_new(&x.fences, which == 0 ? f[1] : ended, which == 0 ? ended : f[1]);
        way[1][0] = way[0][0];
        for (uint32_t i = 1; i < 40; i++) {
            way[0][i] = gpucmd_fence_new(&x.fences, way[0][i - 1], way[1][i - 1]);
            way[1][i] = gpucmd_fence_new(&x.fences, way[1][i - 1], way[0][i - 1]);
        }
        const uint32_t a = submit(0, "C1", &way[which][39], 1, &f[0], 1);
        const uint32_t b = submit(1, "C1", &f[0], 1, &f[1], 1);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
        EQUAL(gpucmd_agx_exec_waits(&x, a, got, 4), 1);
        CHECK(is(&got[0], GPUCMD_AGX_WAIT_FENCE, way[which][39], 1, 0, 0, COMPUTE, COMPUTE));
        EQUAL(gpucmd_agx_exec_waits(&x, b, got, 4), 1);
        CHECK(is(&got[0], GPUCMD_AGX_WAIT_FENCE, f[0], 0, 0, 0, COMPUTE, COMPUTE));
        EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 2), 2);
        CHECK(arcs[0].queue == 0 && arcs[0].for_queue == 1 && arcs[0].fence == f[1]);
        CHECK(arcs[1].queue == 1 && arcs[1].for_queue == 0 && arcs[1].fence == f[0]);
        EQUAL(gpucmd_fence_signal(&x.fences, way[0][39], 0), GPUCMD_ORDER);
    }
    /* a job that waits for a fence with an inner fence that the caller must signal */
    setup(NULL);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, f[0]);
    gpucmd_agx_job job;
    uint32_t slot = 0;
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    const gpucmd_agx_submission sub = {&job, NULL, 0, 1, &f[1], 0};
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_ORDER); /* f[0] signals f[1] */
    (void)submit(0, "C1", &f[1], 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    TEXT(why_line(), "WAIT queue 0 at 0x0: fence 0x1 at 0x0: the caller must signal the fence\n");
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
}

/* ---- callbacks ---- */

static unsigned traced, passed;

static gpucmd_status trace(void *user, const gpucmd_event *e)
{
    CHECK(user == &traced);
    EQUAL(e->unit, 0);
    EQUAL(e->addr, 0);
    traced++;
    return GPUCMD_FAULT; /* ignored */
}

static gpucmd_status pass(void *user, const gpucmd_event *e)
{
    CHECK(user == &passed);
    EQUAL(e->kind, passed == 0   ? GPUCMD_EVENT_STATE
                   : passed == 1 ? GPUCMD_EVENT_START
                   : passed == 2 ? GPUCMD_EVENT_FINISH
                                 : GPUCMD_EVENT_STATE);
    passed++;
    return GPUCMD_OK;
}

/* Either callback may be missing. A compute has four events: entries, start, finish, end. */
static void callbacks(void)
{
    for (unsigned which = 0; which < 4; which++) {
        const gpucmd_agx_exec_tables t = tables();
        traced = passed = 0;
        gpucmd_env_init(&env, NULL, which & 1 ? pass : NULL, &passed);
        env.trace = which & 2 ? trace : NULL;
        env.trace_user = &traced;
        EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        (void)submit(0, "C1", NULL, 0, NULL, 0);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
        EQUAL(passed, which & 1 ? 4 : 0);
        EQUAL(traced, which & 2 ? 4 : 0);
    }
}

static uint64_t each(void *user, uint32_t command, gpucmd_agx_ring part)
{
    CHECK(user == &passed);
    return 10 * command + part + 1;
}

/* Durations by command and part: C1 1, R1v 12 and R1f 13. A job that is half done is READY, and its
 * queue is not free. */
static void durations(void)
{
    setup(NULL);
    x.durations.each = each;
    x.durations.user = &passed;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    const uint32_t slot = submit(0, "C1\nR1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(x.now, 1);
    EQUAL(x.running, 1);
    TEXT(why_line(), "READY queue 0 at 0x0: work is left and nothing stops it\n");
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    EQUAL(x.t.jobs[slot].results[0].end[0], 1);
    EQUAL(x.t.jobs[slot].results[1].end[0], 12);
    EQUAL(x.t.jobs[slot].results[1].end[1], 25);
    (void)submit(0, "C1\nC2", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(x.running, 0); /* C2 starts with the next step */
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
    gpucmd_agx_exec_queue_retire(&x, 0);
    CHECK(x.t.queues[0].used);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    CHECK(!x.t.queues[0].used);
}

/* A wait that ends makes room at once. Queues of 194 entries; job 0 has 127 in the vertex queue: 64
 * renders, each but the first after the one before it. Job 1 has 67 and needs 69 free: 126 are left
 * when R1v ends at 2, 125 when R1f ends at 5 and the wait of R2 is over. */
static void room_from_waits(void)
{
    gpucmd_agx_exec_tables t = tables();
    gpucmd_agx_job job;
    uint32_t slot = 0;
    const gpucmd_agx_submission sub = {&job, NULL, 0, 0, NULL, 0};
    t.ring_entries = 194;
    memset(&env, 0, sizeof env);
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    x.durations.ring[GPUCMD_AGX_RING_VERTEX] = 2;
    x.durations.ring[GPUCMD_AGX_RING_FRAGMENT] = 3;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (uint32_t i = 0; i < 64; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, i != 0 ? i : NONE, NONE), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    gpucmd_agx_job_init(&job);
    for (uint32_t i = 0; i < 33; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, 0, i == 32 ? 0 : NONE), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &sub, &slot), GPUCMD_OK);
    for (uint64_t now = 2; now <= 7; now += now == 2 ? 3 : 2) {
        EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
        EQUAL(x.now, now);
        EQUAL(x.t.jobs[slot].active, now == 7);
    }
    EQUAL(x.t.jobs[slot].pushed, 5);
}

static void two_fates(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                      gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)command;
    (void)part;
    fate->duration = job->queue == 0 ? 4 : 8;
    fate->outcome = job->queue == 0   ? GPUCMD_AGX_OUTCOME_FAULT
                    : job->queue == 1 ? GPUCMD_AGX_OUTCOME_TIMEOUT
                    : job->queue == 2 ? GPUCMD_AGX_OUTCOME_COMPLETE
                                      : GPUCMD_AGX_OUTCOME_PENDING;
}

/* The fault of queue 0 at time 4 kills what runs on its VM; an operation that fails itself keeps
 * its outcome. The last queue is of another VM, and PENDING is no failure. */
static void killed(void)
{
    static const struct {
        gpucmd_agx_outcome outcome;
        int error;
        uint64_t end;
    } want[5] = {
        {GPUCMD_AGX_OUTCOME_FAULT,   5,   4},
        {GPUCMD_AGX_OUTCOME_TIMEOUT, 110, 8},
        {GPUCMD_AGX_OUTCOME_KILLED,  125, 8},
        {GPUCMD_AGX_OUTCOME_KILLED,  125, 8},
        {GPUCMD_AGX_OUTCOME_PENDING, 0,   8},
    };
    uint32_t slots[5];
    setup(NULL);
    x.fate = two_fates;
    for (uint32_t i = 0; i < 5; i++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, i < 4 ? 1 : 2), i);
        slots[i] = submit(i, "C1", NULL, 0, NULL, 0);
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    for (uint32_t i = 0; i < 5; i++) {
        const gpucmd_agx_exec_job *j = &x.t.jobs[slots[i]];
        EQUAL(j->results[0].outcome[0], want[i].outcome);
        EQUAL(j->results[0].info.status, want[i].outcome);
        EQUAL(j->results[0].halves, 1);
        EQUAL(j->results[0].end[0], want[i].end);
        EQUAL(j->error, want[i].error);
        EQUAL(j->done, want[i].end);
    }
}

/* The fault of queue 0 at time 4 kills the vertex half of a render, which ends at 8. Its fragment half
 * succeeds; the record of the command keeps the failure. */
static void killed_half(void)
{
    setup(NULL);
    x.fate = two_fates;
    for (uint32_t i = 0; i < 3; i++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), i);
    }
    (void)submit(0, "C1", NULL, 0, NULL, 0);
    const gpucmd_agx_exec_job *const j = &x.t.jobs[submit(2, "R1", NULL, 0, NULL, 0)];
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    EQUAL(j->results[0].outcome[0], GPUCMD_AGX_OUTCOME_KILLED);
    EQUAL(j->results[0].end[0], 8);
    EQUAL(j->results[0].outcome[1], GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(j->results[0].end[1], 16);
    EQUAL(j->results[0].info.status, GPUCMD_AGX_OUTCOME_KILLED);
    EQUAL(j->error, 125);
}

/* ---- nothing to call ---- */

/* Without a callback the checker only counts, and the parser does not check timestamps. */
static void no_functions(void)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    static const gpucmd_agx_objects none = {NULL, NULL, GPUCMD_AGX_BEHAVIOR_DRIVER};
    size_t errors = 9;
    uint32_t words[32];
    size_t len_bytes = 0;
    gpucmd_agx_stream s;
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    c.ts.start.handle = 7;
    gpucmd_agx_stream_init(&s, words, 32);
    gpucmd_agx_emit_compute(&s, NONE, 0, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
    EQUAL(gpucmd_agx_parse_stream((const uint8_t *)words, len_bytes, &none, &job, &f), GPUCMD_OK);
    ((uint8_t *)words)[8 + 52] = 4; /* ts.start.offset */
    EQUAL(gpucmd_agx_check_stream((const uint8_t *)words, len_bytes, NULL, NULL), GPUCMD_OK);
    EQUAL(gpucmd_agx_check_stream((const uint8_t *)words, len_bytes, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 0); /* an offset that is not a multiple of 8 is a warning */
    EQUAL(gpucmd_agx_check_stream(NULL, 0, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 1); /* no command */
    EQUAL(gpucmd_agx_check(&job, NULL, NULL), GPUCMD_OK);
    EQUAL(gpucmd_agx_check(&job, NULL, &errors), GPUCMD_OK);
    EQUAL(errors, 0); /* C0 without prior work is a note */
}

/* ---- waits, timeline, counters, walk ---- */

/* Two queues wait for each other, a third one for the caller. */
static void waits_printed(void)
{
    char text[1024];
    gpucmd_text t;
    setup(NULL);
    for (uint32_t q = 0; q < 3; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
    }
    const uint32_t a = gpucmd_fence_new(&x.fences, 0, 0);
    const uint32_t b = gpucmd_fence_new(&x.fences, 0, 0);
    const uint32_t c = gpucmd_fence_new(&x.fences, 0, 0);
    (void)submit(0, "R1", &a, 1, &b, 1);
    (void)submit(0, "C1", NULL, 0, NULL, 0);
    (void)submit(1, "C1", &b, 1, &a, 1);
    (void)submit(2, "C1", &c, 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, NULL, 9), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_waits(&t, &x, NULL);
    TEXT(text, "queue 0 (vertex), job 0 waits for the out-fence of job 0 of queue 1, in a cycle\n"
               "queue 0 (compute), job 1 waits for job 0 of its queue\n"
               "queue 1 (compute), job 0 waits for the out-fence of job 0 of queue 0, in a cycle\n"
               "queue 2 (compute), job 0 waits for fence 3, which the caller must signal\n");
}

/* Queues 1 and 2 wait for each other; queue 0 waits for queue 1, queue 3 for queue 4, which waits for
 * the caller. Only the jobs that are in a cycle say so. */
static void waits_on_cycles(void)
{
    char text[1024];
    gpucmd_text t;
    uint32_t f[4];
    setup(NULL);
    for (uint32_t q = 0; q < 5; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
    }
    for (int i = 0; i < 4; i++) {
        f[i] = gpucmd_fence_new(&x.fences, 0, 0);
    }
    (void)submit(1, "C1", &f[1], 1, &f[0], 1);
    (void)submit(2, "C1", &f[0], 1, &f[1], 1);
    (void)submit(0, "C1", &f[0], 1, NULL, 0);
    (void)submit(4, "C1", &f[3], 1, &f[2], 1);
    (void)submit(3, "C1", &f[2], 1, NULL, 0);
    (void)submit(3, "C1", &f[1], 1, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, NULL, 9), GPUCMD_RUN_BLOCKED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_waits(&t, &x, NULL);
    TEXT(text, "queue 0 (compute), job 0 waits for the out-fence of job 0 of queue 1\n"
               "queue 1 (compute), job 0 waits for the out-fence of job 0 of queue 2, in a cycle\n"
               "queue 2 (compute), job 0 waits for the out-fence of job 0 of queue 1, in a cycle\n"
               "queue 3 (compute), job 0 waits for the out-fence of job 0 of queue 4\n"
               "queue 3 (compute), job 1 waits for the out-fence of job 0 of queue 2\n"
               "queue 3 (compute), job 1 waits for job 0 of its queue\n"
               "queue 4 (compute), job 0 waits for fence 4, which the caller must signal\n");
}

/* Operations are recorded when they end; without a callback, nobody does their work. */
static void spans_recorded(void)
{
    gpucmd_agx_span spans[2];
    char text[256];
    gpucmd_text t;
    setup(NULL);
    gpucmd_agx_exec_spans(&x, spans, 2);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    (void)submit(0, "R1\nC1 [R1, __]", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_step(&x, NULL), GPUCMD_RUN_DONE);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_waits(&t, &x, NULL);
    TEXT(text, "queue 0 (compute), job 0 waits for the end of R1f of job 0\n");
    EQUAL(gpucmd_agx_exec_run(&x, NULL, 9), GPUCMD_RUN_IDLE);
    EQUAL(x.span_count, 3);
    EQUAL(x.unexecuted, 3);
    EQUAL(spans[0].ring, GPUCMD_AGX_RING_VERTEX);
    EQUAL(spans[0].start, 0);
    EQUAL(spans[0].end, 2);
    EQUAL(spans[1].ring, GPUCMD_AGX_RING_FRAGMENT);
    EQUAL(spans[1].start, 2);
    EQUAL(spans[1].end, 5);
    passed = 0;
    setup(pass);
    env.user = &passed;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    (void)submit(0, "C1", NULL, 0, NULL, 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 9), GPUCMD_RUN_IDLE);
    EQUAL(x.unexecuted, 0);
    EQUAL(x.span_count, 1);
}

static gpucmd_status stop_check(void *user, const gpucmd_agx_finding *f)
{
    ++*(uint32_t *)user;
    return f->rule == GPUCMD_AGX_RULE_CHECK_NO_PRIOR ? GPUCMD_LIMIT : GPUCMD_OK;
}

/* A callback ends a check; then *errors is unchanged. */
static void check_ends(void)
{
    static const char notation[] = "C1 [R0, C0]";
    uint32_t calls = 0;
    const gpucmd_agx_check_options options = {
        stop_check, &calls, 0, 0, NULL, GPUCMD_AGX_OVER_ORDER_EACH, NULL, NULL, 0, NULL, NULL};
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    size_t errors = 77;
    EQUAL(gpucmd_agx_parse_notation(notation, strlen(notation), false, &job, &f), GPUCMD_OK);
    EQUAL(gpucmd_agx_check(&job, &options, &errors), GPUCMD_LIMIT);
    EQUAL(calls, 2); /* CHECK_ALONE, then CHECK_NO_PRIOR */
    EQUAL(errors, 77);
}

static void walked(void)
{
    /* a compute without payload, cmd_type 9, a header of 4 bytes */
    static const uint8_t bytes[] = {1, 0, 0,    0,    0xff, 0xff, 0xff, 0xff, 9, 0,
                                    0, 0, 0xff, 0xff, 0xff, 0xff, 1,    0,    0, 0};
    gpucmd_agx_walk walk;
    gpucmd_agx_raw raw;
    gpucmd_agx_walk_init(&walk, bytes, sizeof bytes);
    CHECK(gpucmd_agx_walk_next(&walk, &raw));
    EQUAL(walk.cmd_at_bytes, 0);
    CHECK(!gpucmd_agx_walk_next(&walk, &raw));
    EQUAL(walk.status, GPUCMD_INVALID);
    EQUAL(raw.cmd_type, 9);
    CHECK(!gpucmd_agx_walk_next(&walk, &raw));
    EQUAL(walk.status, GPUCMD_TRUNCATED);
    EQUAL(walk.cmd_at_bytes, 16);
    CHECK(raw.payload == NULL);
    CHECK(!gpucmd_agx_walk_next(&walk, &raw));
    EQUAL(walk.status, GPUCMD_TRUNCATED);
    gpucmd_agx_walk_init(&walk, NULL, 0);
    CHECK(!gpucmd_agx_walk_next(&walk, &raw));
    EQUAL(walk.status, GPUCMD_OK);
}

int main(void)
{
    waits_printed();
    waits_on_cycles();
    spans_recorded();
    check_ends();
    walked();
    bad_exec_tables();
    bad_kernel_tables();
    full_exec_tables();
    full_kernel_tables();
    points();
    merged_point();
    jumps();
    why();
    why_second();
    waits_before();
    waits_in_rings();
    waits_for_third();
    waits_at_the_end();
    waits_for_refused();
    waits_for_room();
    waits_for_fragment_room();
    waits_in_line();
    rows();
    row_again();
    chains();
    two_ways();
    signal_in_callback();
    callbacks();
    durations();
    room_from_waits();
    killed();
    killed_half();
    no_functions();
    return test_report("agx_why");
}

/* Fences of submissions: a wait for a point of a timeline waits for this point only, whatever rings
 * signal the other points. Sources: i915_gem_execbuffer.c, drm_syncobj.c and dma-fence-chain.c of
 * Linux. Random submissions are compared with a model that keeps every point and shares nothing
 * with gpucmd. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"
#include "i915/world.h"

enum {
    WAIT = GPUCMD_I915_EXEC_FENCE_WAIT,
    SIGNAL = GPUCMD_I915_EXEC_FENCE_SIGNAL,
    RCS = GPUCMD_I915_EXEC_RENDER,
    VCS = GPUCMD_I915_EXEC_BSD,
    BCS = GPUCMD_I915_EXEC_BLT,
    FENCES = 4
};

static struct gpucmd_drm_i915_gem_exec_fence fences[FENCES];
static uint64_t points[FENCES];
static struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext;
static uint32_t fence_count;
static uint32_t runs; /* bit n: ring n executes its work to the end */

static int on_some(void *user, uint32_t ring)
{
    (void)user;
    synced |= 1u << ring;
    if ((runs >> ring & 1) != 0) {
        engines[ring].head = engines[ring].tail;
    }
    return 0;
}

static void start(uint32_t request_count)
{
    setup(GPUCMD_I915_GEN9, request_count);
    add_ring(VCS, GPUCMD_I915_VCS);
    k.sync_ring = on_some;
    runs = fence_count = 0;
}

/* The next submission has a fence. */
static void add(uint32_t handle, uint32_t flags, uint64_t point)
{
    fences[fence_count].handle = handle;
    fences[fence_count].flags = flags;
    points[fence_count] = point;
    fence_count++;
}

/* Submit a batch with the fences, in an array or as timelines. */
static int send_by(uint32_t ring, uint64_t kind)
{
    const bool use = kind == GPUCMD_I915_EXEC_USE_EXTENSIONS;
    memset(&ext, 0, sizeof ext);
    ext.fence_count = fence_count;
    ext.handles_ptr = (uint64_t)(uintptr_t)fences;
    ext.values_ptr = (uint64_t)(uintptr_t)points;
    arg.cliprects_ptr = use ? (uint64_t)(uintptr_t)&ext : (uint64_t)(uintptr_t)fences;
    arg.num_cliprects = use ? 0 : fence_count;
    fence_count = 0;
    const int err = submit(ring | kind, 1, 0, 2);
    arg.cliprects_ptr = 0;
    arg.num_cliprects = 0;
    return err;
}

static int send(uint32_t ring)
{
    return send_by(ring, GPUCMD_I915_EXEC_USE_EXTENSIONS);
}

static int send_one(uint32_t ring, uint32_t handle, uint32_t flags, uint64_t point)
{
    add(handle, flags, point);
    return send(ring);
}

static int send_array(uint32_t ring, uint32_t handle, uint32_t flags)
{
    fence.handle = handle;
    fence.flags = flags;
    fences[0] = fence;
    fence_count = 1;
    return send_by(ring, GPUCMD_I915_EXEC_FENCE_ARRAY);
}

/* State of a point: 0 signalled, 1 not yet, or the negative errno of find. */
static int state(uint32_t s, uint64_t point)
{
    uint32_t f = 0;
    const int err = gpucmd_syncobj_find(&k.syncobjs, s, point, &f);
    return err != 0 ? err : f != 0 && !gpucmd_fence_signalled(&k.fences, f);
}

static uint64_t queried(uint32_t s)
{
    uint64_t value = 999;
    EQUAL(gpucmd_syncobj_query(&k.syncobjs, s, 0, &value), 0);
    return value;
}

/* Let rings run until no request ends any more. */
static void run(uint32_t rings_)
{
    runs = rings_;
    while (gpucmd_i915_kernel_run(&k)) {
    }
    runs = 0;
}

static bool started(uint32_t row)
{
    return (k.pending >> row & 1) == 0 || requests[row].running;
}

/* gpucmd_progress_fn: the kernel works. */
static int progress(void *user)
{
    return gpucmd_i915_kernel_run((gpucmd_i915_kernel *)user) ? 0 : -GPUCMD_SYS_ETIME;
}

static int wait_for(uint32_t s, uint64_t point)
{
    uint32_t first = 99;
    const gpucmd_syncobj_wait asked = {&s, &point, 1, 0, progress, &k};
    return gpucmd_syncobj_wait_for(&k.syncobjs, &asked, &first);
}

/* Point 1 is signalled by the ring of blits, which is done; point 2 by the render ring, which is not. */
static void points_of_two_rings(void)
{
    start(REQUESTS);
    EQUAL(send_one(BCS, 9, SIGNAL, 1), 0);
    EQUAL(state(9, 1), 1);
    run(1u << BCS);
    EQUAL(state(9, 1), 0);
    EQUAL(send_one(RCS, 9, SIGNAL, 2), 0);
    EQUAL(wait_for(9, 1), 0);
    EQUAL(wait_for(9, 2), -GPUCMD_SYS_ETIME);
    EQUAL(queried(9), 1);
    EQUAL(send_one(VCS, 9, WAIT, 1), 0);
    (void)gpucmd_i915_kernel_run(&k);
    CHECK(engines[VCS].tail != 0); /* it starts at once */
    EQUAL(k.wait_rings, 0);
    run(1u << VCS);
    EQUAL(gpucmd_i915_kernel_find(&k, 3), 0);
    EQUAL(send_one(BCS, 9, WAIT, 2), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    const uint32_t tail = engines[BCS].tail;
    run(1u << BCS);
    EQUAL(engines[BCS].tail, tail); /* its point has not signalled */
    EQUAL(state(9, 2), 1);
    EQUAL(state(9, 3), -GPUCMD_SYS_EINVAL);
    run(1u << BCS | 1u << RCS);
    EQUAL(k.pending, 0);
    CHECK(engines[BCS].tail != tail);
    EQUAL(state(9, 2), 0);
    EQUAL(queried(9), 2);
    EQUAL(wait_for(9, 2), 0);
    gpucmd_syncobj_release(&k.syncobjs, 9);
    EQUAL(k.fences.count, 0);
    EQUAL(k.syncobjs.point_count, 0);
}

/* A point signals after all earlier points, also if its own ring is done first. */
static void points_in_order(void)
{
    start(REQUESTS);
    EQUAL(send_one(RCS, 9, SIGNAL, 1), 0);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 9, 2), 0);
    EQUAL(state(9, 2), 1);
    EQUAL(send_one(BCS, 9, WAIT, 2), 0);
    EQUAL(k.wait_rings, 1u << RCS); /* the ring of the earlier point */
    run(1u << BCS);
    CHECK(!started(1));
    run(1u << RCS | 1u << BCS);
    EQUAL(k.pending, 0);
    EQUAL(queried(9), 2);
    /* the CPU signals point 3: a wait is over at once */
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 9, 3), 0);
    EQUAL(send_one(BCS, 9, WAIT, 3), 0);
    EQUAL(k.wait_rings, 0);
    run(1u << BCS);
    EQUAL(k.pending, 0);
}

/* [K] add_timeline_fence_array: with any flags a fence of a timeline waits. If its point was not
 * submitted, it waits for the newest fence, and must signal. Without a fence, 0 and SIGNAL pass. */
static void flags_of_timelines(void)
{
    start(REQUESTS);
    EQUAL(send_one(RCS, 9, 0, 5), 0); /* no fence */
    EQUAL(send_one(RCS, 9, WAIT, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(send_one(RCS, 9, SIGNAL, 5), 0);
    EQUAL(send_one(BCS, 9, SIGNAL, 6), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(send_one(VCS, 9, 0, 5), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(send_one(VCS, 9, 0, 7), -GPUCMD_SYS_EINVAL);
    EQUAL(send_one(VCS, 9, WAIT, 7), -GPUCMD_SYS_EINVAL);
    EQUAL(send_one(VCS, 9, WAIT | SIGNAL, 7), -GPUCMD_SYS_EINVAL);
    EQUAL(send_one(VCS, 9, 4, 5), -GPUCMD_SYS_EINVAL);
    EQUAL(send_one(VCS, 11, SIGNAL, 5), -GPUCMD_SYS_ENOENT);
    run(1u << BCS | 1u << VCS);
    CHECK(!started(2) && !started(3));
    run(1u << RCS);
    CHECK(started(2) && started(3));
    run(~0u);
    EQUAL(k.pending, 0);
    EQUAL(queried(9), 6);
    /* in an array only WAIT waits */
    start(REQUESTS);
    EQUAL(send_array(RCS, 9, SIGNAL), 0);
    EQUAL(send_array(BCS, 9, 0), 0);
    EQUAL(send_array(BCS, 9, SIGNAL), 0);
    EQUAL(k.wait_rings, 0);
    EQUAL(send_array(VCS, 9, WAIT | SIGNAL), 0);
    EQUAL(k.wait_rings, 1u << BCS);
}

/* Binary waits, signals and transfers of timelines. */
static void binary(void)
{
    uint32_t f = 0;
    start(REQUESTS);
    EQUAL(send_one(BCS, 9, SIGNAL, 1), 0);
    run(1u << BCS);
    EQUAL(send_one(RCS, 9, SIGNAL, 2), 0);
    EQUAL(send_array(VCS, 9, WAIT), 0); /* the newest point */
    EQUAL(k.wait_rings, 1u << RCS);
    run(1u << VCS | 1u << BCS);
    CHECK(!started(2));
    EQUAL(gpucmd_syncobj_transfer(&k.syncobjs, 8, 0, 9, 2), 0);
    EQUAL(state(8, 0), 1);
    EQUAL(gpucmd_syncobj_transfer(&k.syncobjs, 7, 0, 9, 1), 0);
    EQUAL(state(7, 0), 0);
    EQUAL(gpucmd_syncobj_transfer(&k.syncobjs, 7, 4, 9, 2), 0);
    EQUAL(state(7, 4), 1);
    EQUAL(send_array(BCS, 7, WAIT), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(send_array(BCS, 8, WAIT), 0);
    EQUAL(send_array(BCS, 9, SIGNAL), 0); /* the timeline ends */
    EQUAL(state(9, 1), -GPUCMD_SYS_EINVAL);
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, 9, 0, &f), 0);
    EQUAL(k.fences.rows[f - 1].owner >> 21, BCS);
    EQUAL(gpucmd_fence_signal(&k.fences, f, 0), GPUCMD_ORDER); /* the ring signals it */
    EQUAL(send_one(RCS, 9, SIGNAL, 3), 0);                     /* a new one */
    EQUAL(queried(9), 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 8, 0), 0);
    EQUAL(send_array(RCS, 8, WAIT), -GPUCMD_SYS_EINVAL); /* reset */
    run(~0u);
    EQUAL(k.pending, 0);
    EQUAL(queried(9), 3);
    EQUAL(queried(7), 4);
}

/* A sync file is a fence: FENCE_OUT makes it, an import gives it to a sync object, an export takes
 * it from there. The row of the file holds the fence until the row is used again. */
static void files_of_fences(void)
{
    start(REQUESTS);
    EQUAL(submit(RCS | GPUCMD_I915_EXEC_FENCE_OUT, 1, 0, 2), 0);
    CHECK(files[0].used && files[0].fence != 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 9, files[0].fence), 0); /* import */
    EQUAL(send_array(BCS, 9, WAIT), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(send_one(RCS, 8, SIGNAL, 1), 0);
    EQUAL(send_one(VCS, 8, SIGNAL, 2), 0);
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, 8, 1, &files[1].fence), 0); /* export */
    gpucmd_fence_hold(&k.fences, files[1].fence);
    files[1].used = true;
    arg.rsvd2 = 31;
    EQUAL(submit(BCS | GPUCMD_I915_EXEC_FENCE_IN, 3, 0, 4), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(submit(BCS | GPUCMD_I915_EXEC_FENCE_OUT, 3, 0, 4), -GPUCMD_SYS_EMFILE);
    EQUAL(k.table, GPUCMD_I915_TABLE_SYNC_FILES);
    for (uint32_t s = 1; s <= 9; s++) {
        gpucmd_syncobj_release(&k.syncobjs, s); /* submissions keep the fences */
    }
    run(1u << BCS | 1u << VCS);
    CHECK(!started(1) && !started(4));
    run(~0u);
    EQUAL(k.pending, 0);
    EQUAL(k.fences.count, 2); /* those of the files */
    CHECK(gpucmd_fence_signalled(&k.fences, files[0].fence));
    CHECK(gpucmd_fence_signalled(&k.fences, files[1].fence));
    files[0].used = false;
    EQUAL(submit(RCS | GPUCMD_I915_EXEC_FENCE_OUT, 1, 0, 2), 0);
    CHECK(!gpucmd_fence_signalled(&k.fences, files[0].fence));
    EQUAL(k.fences.count, 2);
    files[0].used = false;
    files[0].fence = 0; /* a file without a fence has signalled */
    files[1].fence = 0;
    arg.rsvd2 = 31;
    EQUAL(submit(BCS | GPUCMD_I915_EXEC_FENCE_SUBMIT, 3, 0, 4), 0);
    EQUAL(k.wait_rings, 0);
}

/* A request waits for several fences, of rings and of the caller. */
static void several(void)
{
    start(REQUESTS);
    const uint32_t mine = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 1, mine), 0);
    EQUAL(send_array(RCS, 2, SIGNAL), 0);
    EQUAL(send_one(BCS, 3, SIGNAL, 7), 0);
    add(1, WAIT, 0);
    add(2, WAIT, 0);
    add(3, WAIT, 6);
    add(2, WAIT, 0);
    EQUAL(send(VCS), 0);
    EQUAL(k.wait_rings, 1u << RCS | 1u << BCS);
    run(1u << BCS | 1u << VCS);
    CHECK(!started(2));
    EQUAL(gpucmd_fence_signal(&k.fences, mine, 5), GPUCMD_OK);
    run(1u << VCS);
    CHECK(!started(2));
    run(1u << RCS);
    CHECK(started(2)); /* an error of a fence ends a wait, too */
    run(~0u);
    EQUAL(k.pending, 0);
    gpucmd_fence_release(&k.fences, mine);
    for (uint32_t s = 1; s <= 9; s++) {
        gpucmd_syncobj_release(&k.syncobjs, s);
    }
    EQUAL(k.fences.count, 0);
}

/* The fence of a batch that hangs signals with EIO. */
static void hang(void)
{
    uint32_t f = 0;
    start(REQUESTS);
    k.hang_runs = 1;
    EQUAL(send_one(RCS, 9, SIGNAL, 1), 0);
    EQUAL(send_one(BCS, 8, SIGNAL, 1), 0);
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, 9, 1, &f), 0);
    run(1u << BCS);
    CHECK(gpucmd_fence_signalled(&k.fences, f));
    EQUAL(k.fences.rows[f - 1].error, GPUCMD_SYS_EIO);
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, 8, 1, &f), 0);
    EQUAL(k.fences.rows[f - 1].error, 0);
    EQUAL(queried(9), 1);
}

/* Tables that are too small: ENOMEM, and nothing has changed. */
static void full(void)
{
    start(REQUESTS);
    k.fence_count = 0;
    EQUAL(submit(RCS | GPUCMD_I915_EXEC_FENCE_OUT, 1, 0, 2), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_FENCES);
    CHECK(!files[0].used);
    EQUAL(submit(RCS, 1, 0, 2), 0); /* it needs no fence */
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    k.signal_count = 1;
    add(1, SIGNAL, 0);
    add(2, SIGNAL, 0);
    EQUAL(send(RCS), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_SIGNALS);
    k.signal_count = 2;
    k.point_count = 1;
    add(1, SIGNAL, 1);
    add(2, SIGNAL, 1);
    EQUAL(send(RCS), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_POINTS);
    k.point_count = 3;
    k.fence_count = 2; /* it needs 3: that of the submission, and one for each point */
    add(1, SIGNAL, 1);
    add(2, SIGNAL, 1);
    EQUAL(send(RCS), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_FENCES);
    EQUAL(k.fences.count, 0);
    EQUAL(k.syncobjs.point_count, 0);
    k.fence_count = 3;
    add(1, SIGNAL, 1);
    add(2, SIGNAL, 1);
    EQUAL(send(RCS), 0);
    EQUAL(k.fences.count, 3);
    add(1, WAIT, 1);
    add(1, WAIT, 1);
    EQUAL(send(BCS), 0); /* one fence needs no row, two need one */
    add(1, WAIT, 1);
    add(2, WAIT, 1);
    EQUAL(send(BCS), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_FENCES);
    k.fence_count = 4;
    add(1, WAIT, 1);
    add(2, WAIT, 1);
    EQUAL(send(BCS), 0);
    run(~0u);
    EQUAL(k.pending, 0);
    EQUAL(k.fences.count, 2);
    /* the rows of points that have signalled become free, also if nobody looks at them */
    for (uint64_t i = 2; i < 50; i++) {
        EQUAL(send_one(i % 2 != 0 ? BCS : RCS, 1, SIGNAL, i), 0);
        EQUAL(k.fences.count, 4);
        run(~0u);
        EQUAL(i < 20 ? state(1, i) : 0, 0);
    }
    EQUAL(queried(1), 49);
    /* nor do fences that have signalled need a row */
    start(REQUESTS);
    k.fence_count = 2;
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_OK);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 1, 0), 0);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 2, 0), 0);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 3, 0), -GPUCMD_SYS_ENOMEM);
    add(1, WAIT, 0);
    add(2, WAIT, 0);
    EQUAL(send(RCS), 0);
    EQUAL(k.fences.count, 2);
}

/* Submissions that are executed at once: a fence signals when its ring has executed the words. */
static void at_once(void)
{
    uint32_t ends[3];
    start(0);
    EQUAL(send_one(RCS, 9, SIGNAL, 1), 0);
    ends[0] = engines[RCS].tail;
    EQUAL(send_one(RCS, 9, SIGNAL, 2), 0);
    ends[1] = engines[RCS].tail;
    EQUAL(submit(RCS, 1, 0, 2), 0); /* more work */
    ends[2] = engines[RCS].tail;
    EQUAL(send_one(BCS, 9, SIGNAL, 3), 0);
    EQUAL(k.wait_rings, 1u << RCS);
    EQUAL(synced, 1u << RCS);
    engines[RCS].head = ends[0] - 8;
    EQUAL(gpucmd_i915_kernel_run(&k), false);
    EQUAL(state(9, 1), 1);
    engines[RCS].head = ends[0];
    CHECK(gpucmd_i915_kernel_run(&k));
    EQUAL(state(9, 1), 0);
    EQUAL(state(9, 2), 1);
    synced = 0;
    EQUAL(send_one(VCS, 9, WAIT, 1), 0);
    EQUAL(synced, 0);
    EQUAL(send_one(VCS, 9, WAIT, 2), 0);
    EQUAL(synced, 1u << RCS);
    engines[RCS].head = ends[1]; /* the first submission after it sees that */
    synced = 0;
    EQUAL(send_one(VCS, 9, WAIT, 2), 0);
    EQUAL(synced, 0);
    EQUAL(queried(9), 2);
    EQUAL(send_one(VCS, 9, WAIT, 3), 0);
    EQUAL(synced, 1u << BCS);
    EQUAL(wait_for(9, 2), 0);
    EQUAL(wait_for(9, 3), -GPUCMD_SYS_ETIME);
    runs = ~0u;
    EQUAL(wait_for(9, 3), 0);
    EQUAL(engines[RCS].head, ends[2]); /* rings without fences are executed, too */
    EQUAL(queried(9), 3);
    /* the fences signal when a submission has executed the ring */
    EQUAL(send_array(RCS, 8, SIGNAL), 0);
    EQUAL(send_array(BCS, 8, WAIT), 0);
    EQUAL(state(8, 0), 0);
    /* a fence that nobody holds is no longer there when its ring is done */
    EQUAL(send_array(RCS, 8, SIGNAL), 0);
    const uint32_t count = k.fences.count;
    gpucmd_syncobj_release(&k.syncobjs, 8);
    CHECK(!gpucmd_i915_kernel_run(&k));
    EQUAL(k.fences.count, count - 1);
    /* without sync_ring the caller executes the rings, and no submission waits */
    k.sync_ring = NULL;
    EQUAL(send_one(RCS, 9, SIGNAL, 4), 0);
    EQUAL(send_one(BCS, 9, WAIT, 4), 0);
    EQUAL(gpucmd_i915_kernel_run(&k), false);
    EQUAL(state(9, 4), 1);
    engines[RCS].head = engines[RCS].tail;
    CHECK(gpucmd_i915_kernel_run(&k));
    EQUAL(state(9, 4), 0);
    k.rings[RCS] = NULL; /* a ring that is gone has executed its work */
    EQUAL(submit(BCS | GPUCMD_I915_EXEC_FENCE_OUT, 1, 0, 2), 0);
    k.rings[BCS] = NULL;
    CHECK(gpucmd_i915_kernel_run(&k));
    CHECK(gpucmd_fence_signalled(&k.fences, files[0].fence));
}

/* As at_once, around the end of the ring again and again, with one to six submissions in the ring. */
static void around(void)
{
    uint32_t ends[6];
    uint64_t point = 0, done = 0;
    start(0);
    for (uint32_t i = 0; i < 2000; i++) {
        const uint32_t count = 1 + i % 6;
        for (uint32_t n = 0; n < count; n++) {
            EQUAL(send_one(RCS, 9, SIGNAL, ++point), 0);
            ends[n] = engines[RCS].tail;
        }
        for (uint32_t n = 0; n < count; n++) {
            engines[RCS].head = ends[n];
            CHECK(gpucmd_i915_kernel_run(&k));
            EQUAL(queried(9), ++done);
        }
    }
    EQUAL(k.syncobjs.merged_points, 0);
}

/* A full ring executes one submission after the other while the next one waits for room. */
static uint32_t room_ends[2000], room_done;

static gpucmd_status on_room(void *user, uint32_t try_count)
{
    (void)user;
    (void)try_count;
    engines[RCS].head = room_ends[room_done++];
    return GPUCMD_OK;
}

static void full_ring(void)
{
    start(0);
    gpucmd_i915_ring_set_wait(&rings[RCS], on_room, NULL, 1000);
    room_done = 0;
    for (uint32_t i = 0; i < 2000; i++) { /* every 16th has a point */
        EQUAL(i % 16 == 15 ? send_one(RCS, 9, SIGNAL, i / 16 + 1) : submit(RCS, 1, 0, 2), 0);
        room_ends[i] = engines[RCS].tail;
        EQUAL(i < 16 ? 0 : queried(9), room_done / 16);
    }
    CHECK(room_done > 1500);
}

/* ---- a model that keeps every point ----------------------------------------------------------- */

enum { OBJECT_MAX = 3, NODES = 2000, ENTRIES = 400, JOBS = 200 };

/* What signals: job 0 is the CPU. A node signals when its job has ended and node prev has signalled. */
static struct node {
    uint32_t job, prev, inner; /* node numbers from 1; inner: it signals instead of a job */
    bool signalled;
} nodes[NODES];
static uint32_t node_count;
static bool job_ended[JOBS];
static uint32_t job_waits[JOBS][2 * FENCES], job_wait_count[JOBS];
static struct model {
    uint32_t node[ENTRIES], count; /* the first is the binary fence below a timeline, if any */
    uint64_t value[ENTRIES];
    bool merged[ENTRIES], timeline;
} model[OBJECT_MAX];

static uint32_t node_new(uint32_t job, uint32_t prev, uint32_t inner)
{
    const struct node n = {job, prev, inner, false};
    CHECK(node_count + 1 < NODES);
    nodes[++node_count] = n;
    return node_count;
}

static bool node_signalled(uint32_t n)
{
    struct node *const at = &nodes[n];
    if (n == 0 || at->signalled) {
        return true;
    }
    at->signalled = (at->job == 0 || job_ended[at->job]) && node_signalled(at->inner) &&
                    node_signalled(at->prev);
    return at->signalled;
}

/* Write the node of a point; 0: point 0 of no fence. Return 0 or a negative errno. */
static int model_find(const struct model *o, uint64_t point, uint32_t *n)
{
    uint32_t at = o->count;
    if (at == 0 || (point != 0 && (!o->timeline || point > o->value[at - 1]))) {
        return -GPUCMD_SYS_EINVAL;
    }
    while (point != 0 && at > 1 && !o->merged[at - 1] && o->value[at - 2] >= point) {
        at--;
    }
    *n = o->node[at - 1];
    return 0;
}

static void model_attach(struct model *o, uint64_t point, uint32_t n)
{
    if (point == 0) {
        o->count = 0;
        o->timeline = false;
    }
    const uint32_t at = o->count++;
    CHECK(at < ENTRIES);
    o->merged[at] = point != 0 && o->timeline && point <= o->value[at - 1];
    o->value[at] = o->merged[at] ? o->value[at - 1] : point;
    o->node[at] = point != 0 ? node_new(0, at != 0 ? o->node[at - 1] : 0, n) : n;
    o->timeline = point != 0;
}

/* Apply the fences of a submission. Return its errno; 0: it is job number `job`. */
static int model_submit(uint32_t job, uint32_t count, bool timeline)
{
    job_wait_count[job] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct model *o = &model[fences[i].handle - 1];
        const uint64_t point = timeline ? points[i] : 0;
        uint32_t n = 0;
        if (timeline && fences[i].flags == (WAIT | SIGNAL) && point != 0) {
            return -GPUCMD_SYS_EINVAL;
        }
        if (!timeline && (fences[i].flags & WAIT) == 0) {
            continue;
        }
        const int err = model_find(o, point, &n);
        if (err != 0 && (!timeline || (fences[i].flags & SIGNAL) == 0) &&
            (o->count != 0 || fences[i].flags != 0)) {
            return err;
        }
        if (err != 0 && o->count != 0) {
            n = o->node[o->count - 1];
        }
        if (n != 0) {
            job_waits[job][job_wait_count[job]++] = n;
        }
    }
    const uint32_t n = node_new(job, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        if ((fences[i].flags & SIGNAL) != 0) {
            model_attach(&model[fences[i].handle - 1], timeline ? points[i] : 0, n);
        }
    }
    return 0;
}

static bool job_ready(uint32_t job)
{
    bool ready = true;
    for (uint32_t i = 0; i < job_wait_count[job]; i++) {
        ready = ready && node_signalled(job_waits[job][i]);
    }
    return ready;
}

/* Compare all points, and what each request does. */
static void compare(void)
{
    for (uint32_t s = 1; s <= OBJECT_MAX; s++) {
        const struct model *o = &model[s - 1];
        const uint64_t last = o->timeline ? o->value[o->count - 1] : 0;
        EQUAL(syncs_last(&k, s), last);
        for (uint64_t point = 0; point <= last + 1; point++) {
            uint32_t n = 0;
            const int err = model_find(o, point, &n);
            EQUAL(state(s, point), err != 0 ? err : !node_signalled(n));
        }
    }
    for (uint32_t i = 0; i < REQUESTS; i++) {
        if ((k.pending >> i & 1) != 0 && requests[i].running) {
            CHECK(job_ready(requests[i].seqno)); /* not too early */
        }
    }
}

/* Let rings run; jobs end. Requests that could start have started. */
static void model_run(uint32_t rings_)
{
    runs = rings_;
    for (bool more = true; more;) {
        more = gpucmd_i915_kernel_run(&k);
        for (uint32_t job = 1; job <= k.seqno; job++) {
            job_ended[job] = gpucmd_i915_kernel_find(&k, job) == 0;
        }
        compare();
    }
    for (uint32_t ring = 1; ring <= 3; ring++) {
        bool runs_one = false, could = false;
        for (uint32_t i = 0; i < REQUESTS; i++) {
            const bool here = (k.pending >> i & 1) != 0 && requests[i].ring == ring;
            runs_one = runs_one || (here && requests[i].running);
            could = could ||
                    (here && (requests[i].wait & k.pending) == 0 && job_ready(requests[i].seqno));
        }
        EQUAL(could, runs_one); /* not too late */
    }
}

static uint64_t roll_state = 1;

/* Return a random number below a bound. */
static uint32_t roll(uint32_t below)
{
    roll_state = roll_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((roll_state >> 33) % below);
}

static void random_submission(void)
{
    const bool timeline = roll(3) != 0;
    const uint32_t count = roll(FENCES + 1);
    const uint64_t kind = timeline ? GPUCMD_I915_EXEC_USE_EXTENSIONS : GPUCMD_I915_EXEC_FENCE_ARRAY;
    if (k.pending == (1u << REQUESTS) - 1) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct model *o = &model[roll(OBJECT_MAX)];
        const uint64_t last = o->timeline ? o->value[o->count - 1] : 0;
        const uint32_t flags = roll(8), back = roll(last < 4 ? (uint32_t)last + 3 : 6);
        const bool newest = roll(6) == 0;
        add((uint32_t)(o - model) + 1, flags < 7 ? flags % 3 : 3, newest ? 0 : last + 3 - back);
    }
    const int want = model_submit(k.seqno + 1, count, timeline);
    const uint32_t context = roll(3);
    arg.rsvd1 = context == 0 ? 0 : 6 + context;
    fence_count = count;
    EQUAL(send_by(1 + roll(3), kind), want);
}

static void random_world(void)
{
    static gpucmd_fence fence_rows[1000];
    static gpucmd_sync_point point_rows[1000];
    uint32_t made = 0;
    start(REQUESTS);
    memset(&k.fences, 0, sizeof k.fences);
    memset(&k.syncobjs, 0, sizeof k.syncobjs);
    k.fence_rows = fence_rows;
    k.fence_count = k.point_count = 1000;
    k.point_rows = point_rows;
    EQUAL(gpucmd_i915_kernel_check(&k), GPUCMD_OK);
    for (uint32_t s = 1; s <= OBJECT_MAX; s++) {
        EQUAL(gpucmd_syncobj_create(&k.syncobjs, 0, &made), 0);
        EQUAL(made, s);
    }
    memset(model, 0, sizeof model);
    memset(job_ended, 0, sizeof job_ended);
    node_count = 0;
    for (uint32_t step = 0; step < 100; step++) {
        const uint32_t s = 1 + roll(OBJECT_MAX);
        const uint32_t what = roll(12), ahead = roll(4);
        struct model *const o = &model[s - 1];
        const uint64_t last = o->timeline ? o->value[o->count - 1] : 0;
        const uint64_t point = roll(3) != 0 ? last + ahead : 0;
        if (what < 7) {
            random_submission();
        } else if (what == 7) {
            EQUAL(gpucmd_syncobj_signal(&k.syncobjs, s, point), 0);
            model_attach(o, point, node_new(0, 0, 0));
        } else if (what == 8 && roll(4) == 0) {
            EQUAL(gpucmd_syncobj_replace(&k.syncobjs, s, 0), 0);
            o->count = 0;
            o->timeline = false;
        } else if (what == 9) {
            const uint32_t from = 1 + roll(OBJECT_MAX);
            const uint64_t from_point = roll(4);
            uint32_t n = 0;
            const int want = model_find(&model[from - 1], from_point, &n);
            EQUAL(gpucmd_syncobj_transfer(&k.syncobjs, s, point, from, from_point), want);
            if (want == 0) {
                model_attach(o, point, n);
            }
        }
        if (roll(2) == 0) { /* a look frees rows */
            compare();
        }
        if (roll(3) == 0) {
            model_run(roll(8) << 1);
        }
    }
    model_run(~0u);
    EQUAL(k.pending, 0);
    for (uint32_t s = 1; s <= OBJECT_MAX; s++) {
        gpucmd_syncobj_release(&k.syncobjs, s);
    }
    EQUAL(k.fences.count, 0);
    EQUAL(k.syncobjs.point_count, 0);
}

int main(void)
{
    points_of_two_rings();
    points_in_order();
    flags_of_timelines();
    binary();
    files_of_fences();
    several();
    hang();
    full();
    at_once();
    around();
    full_ring();
    for (uint32_t i = 0; i < 200; i++) {
        random_world();
    }
    return test_report("i915_timelines");
}

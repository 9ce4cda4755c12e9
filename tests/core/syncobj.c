/* core/syncobj.c - fences and sync objects: what signals when, binary objects and timelines, the
 * errno of each condition, and random operations compared with an oracle that walks lists. Source:
 * drm_syncobj.c and dma-fence-chain.c of Linux. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

enum { FENCES = 600, OBJECTS = 40, POINTS = 400 };

static gpucmd_fence fence_rows[FENCES];
static gpucmd_syncobj object_rows[OBJECTS];
static gpucmd_sync_point point_rows[POINTS];
static gpucmd_fences f;
static gpucmd_syncobjs t;

static void start_caps(uint32_t fences, uint32_t objects, uint32_t points)
{
    memset(fence_rows, 0xa5, sizeof fence_rows);
    memset(object_rows, 0xa5, sizeof object_rows);
    memset(point_rows, 0xa5, sizeof point_rows);
    memset(&f, 0xa5, sizeof f);
    memset(&t, 0xa5, sizeof t);
    gpucmd_fences_init(&f, fence_rows, fences);
    gpucmd_syncobjs_init(&t, &f, object_rows, objects, point_rows, points);
}

static void start(void)
{
    start_caps(FENCES, OBJECTS, POINTS);
}

static uint32_t object(uint32_t flags)
{
    uint32_t s = 0;
    EQUAL(gpucmd_syncobj_create(&t, flags, &s), 0);
    return s;
}

static uint64_t queried(uint32_t s)
{
    uint64_t value = 999;
    EQUAL(gpucmd_syncobj_query(&t, s, 0, &value), 0);
    return value;
}

static uint64_t submitted(uint32_t s)
{
    uint64_t value = 999;
    EQUAL(gpucmd_syncobj_query(&t, s, GPUCMD_SYNCOBJ_QUERY_LAST_SUBMITTED, &value), 0);
    return value;
}

/* State of a point: 0 signalled, 1 not yet, or the negative errno of find. */
static int state(uint32_t s, uint64_t point)
{
    uint32_t fence = 0;
    const int result = gpucmd_syncobj_find(&t, s, point, &fence);
    return result != 0 ? result : fence != 0 && !gpucmd_fence_signalled(&f, fence);
}

/* A job that will signal a point (0: a binary object). Return its fence, held by the job. */
static uint32_t job(uint32_t s, uint64_t point)
{
    const uint32_t fence = gpucmd_fence_new(&f, point != 0 ? object_rows[s - 1].fence : 0, 0);
    CHECK(fence != 0);
    EQUAL(point != 0 ? gpucmd_syncobj_add_point(&t, s, point, fence)
                     : gpucmd_syncobj_replace(&t, s, fence),
          0);
    return fence;
}

/* The job ends. */
static void ends(uint32_t fence, int32_t error)
{
    EQUAL(gpucmd_fence_signal(&f, fence, error), GPUCMD_OK);
    gpucmd_fence_release(&f, fence);
}

/* ---- fences --------------------------------------------------------------------------------- */

static void fences(void)
{
    start_caps(3, 0, 0);
    EQUAL(gpucmd_fence_new(&f, 9, 0), 0);
    EQUAL(gpucmd_fence_new(&f, 0, 1), 0);
    f.clock = 5;
    const uint32_t a = gpucmd_fence_new(&f, 0, 0);
    EQUAL(a, 1);
    CHECK(!gpucmd_fence_signalled(&f, a) && !gpucmd_fence_signalled(&f, 0));
    CHECK(!gpucmd_fence_signalled(&f, 2) && !gpucmd_fence_signalled(&f, 0xffffffffu));
    EQUAL(gpucmd_fence_signal(&f, 0, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_fence_signal(&f, 2, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_fence_signal(&f, 0xffffffffu, 0), GPUCMD_RANGE);
    gpucmd_fence_hold(&f, 2); /* ignored */
    gpucmd_fence_release(&f, 2);
    const uint32_t b = gpucmd_fence_new(&f, a, 0);
    const uint32_t c = gpucmd_fence_new(&f, a, b);
    EQUAL(gpucmd_fence_new(&f, 0, 0), 0); /* "no row is free" */
    EQUAL(f.count, 3);
    EQUAL(gpucmd_fence_signal(&f, c, 0), GPUCMD_ORDER); /* "the fence has an inner fence" */
    EQUAL(gpucmd_fence_signal(&f, b, 7), GPUCMD_OK);
    EQUAL(gpucmd_fence_signal(&f, b, 8), GPUCMD_ORDER); /* "was called before" */
    CHECK(!gpucmd_fence_signalled(&f, b));              /* "if prev has not signalled" */
    gpucmd_fence_release(&f, a);
    EQUAL(f.count, 3); /* b and c hold a */
    EQUAL(gpucmd_fence_signal(&f, a, 0), GPUCMD_OK);
    CHECK(gpucmd_fence_signalled(&f, b) && gpucmd_fence_signalled(&f, c));
    EQUAL(fence_rows[b - 1].error, 7);
    EQUAL(fence_rows[c - 1].error, 7); /* "with the error of inner" */
    EQUAL(fence_rows[c - 1].clock, 5);
    EQUAL(f.signals, 3);
    EQUAL(f.count, 2); /* a had no hold any more */
    EQUAL(gpucmd_fence_signal(&f, c, 0), GPUCMD_ORDER);
    /* fences that have signalled are no reason to wait */
    const uint32_t d = gpucmd_fence_new(&f, b, c);
    CHECK(gpucmd_fence_signalled(&f, d) && fence_rows[d - 1].error == 7);
    gpucmd_fence_release(&f, b);
    gpucmd_fence_release(&f, c);
    gpucmd_fence_release(&f, d);
    EQUAL(f.count, 0);
    /* a chain without holds becomes free, and nothing waits for it then */
    const uint32_t x = gpucmd_fence_new(&f, 0, 0), y = gpucmd_fence_new(&f, x, 0);
    const uint32_t z = gpucmd_fence_new(&f, y, x);
    gpucmd_fence_release(&f, y);
    EQUAL(f.count, 3);
    gpucmd_fence_release(&f, z);
    EQUAL(f.count, 1);
    EQUAL(gpucmd_fence_signal(&f, x, 0), GPUCMD_OK);
    gpucmd_fence_release(&f, x);
    EQUAL(f.count, 0);
}

typedef struct seen_fences {
    uint32_t list[8], count, end;
} seen_fences;

static bool see(void *user, uint32_t fence)
{
    seen_fences *const s = (seen_fences *)user;
    s->list[s->count++ % 8] = fence;
    return fence == s->end;
}

/* Search from a fence up to the fence end; 0: all. The tags are the fences that were seen. */
static void searches(uint32_t fence, uint32_t end, uint32_t count, uint64_t digits)
{
    seen_fences s = {{0}, 0, end};
    uint64_t got = 0;
    EQUAL(gpucmd_fence_search(&f, fence, see, &s), end);
    EQUAL(s.count, count);
    for (uint32_t i = 0; i < s.count; i++) {
        got = got * 10 + s.list[i];
    }
    EQUAL(got, digits);
    for (uint32_t i = 0; i < f.used; i++) {
        EQUAL(fence_rows[i].back, 0);
    }
}

/* What must signal before a fence: "a fence comes before its prev, and its prev before its inner fence";
 * "once for each". A fence with an owner is not for the caller. */
static void fence_searches(void)
{
    seen_fences s = {{0}, 0, 0};
    start_caps(7, 0, 0);
    EQUAL(gpucmd_fence_search(&f, 0, see, &s), 0);
    EQUAL(gpucmd_fence_search(&f, 1, see, &s), 0);
    EQUAL(s.count, 0);
    EQUAL(gpucmd_fence_new(&f, 0, 0), 1);
    EQUAL(gpucmd_fence_new(&f, 0, 0), 2);
    EQUAL(gpucmd_fence_new(&f, 1, 2), 3);
    EQUAL(gpucmd_fence_new(&f, 2, 1), 4);
    EQUAL(gpucmd_fence_new(&f, 3, 4), 5);
    EQUAL(gpucmd_fence_new(&f, 5, 0), 6);
    EQUAL(gpucmd_fence_new(&f, 0, 6), 7);
    searches(1, 0, 1, 1);
    searches(1, 1, 1, 1);
    searches(5, 0, 5, 53124);
    searches(7, 0, 7, 7653124);
    searches(7, 2, 6, 765312);
    searches(7, 5, 3, 765);
    EQUAL(gpucmd_fence_signal(&f, 1, 0), GPUCMD_OK);
    searches(7, 0, 6, 765324);
    searches(4, 0, 2, 42);
    EQUAL(gpucmd_fence_search(&f, 1, see, &s), 0); /* "the fence has signalled" */
    EQUAL(s.count, 0);
    fence_rows[1].owner = 5;
    EQUAL(gpucmd_fence_signal(&f, 2, 0), GPUCMD_ORDER); /* "or an owner" */
    fence_rows[1].owner = 0;
    EQUAL(gpucmd_fence_signal(&f, 2, 0), GPUCMD_OK);
    CHECK(gpucmd_fence_signalled(&f, 5) && !gpucmd_fence_signalled(&f, 6));
    searches(7, 0, 2, 76);
}

/* ---- binary objects ------------------------------------------------------------------------- */

static void binary(void)
{
    uint32_t s = 77, fence = 88;
    uint64_t value = 99;
    start_caps(2, 2, 1);
    /* create */
    EQUAL(gpucmd_syncobj_create(&t, 2, &s), -GPUCMD_SYS_EINVAL);
    EQUAL(gpucmd_syncobj_create(&t, 3, &s), -GPUCMD_SYS_EINVAL);
    EQUAL(s, 77);
    const uint32_t a = object(GPUCMD_SYNCOBJ_CREATE_SIGNALED);
    const uint32_t b = object(0);
    EQUAL(gpucmd_syncobj_create(&t, 0, &s), -GPUCMD_SYS_ENOMEM);
    EQUAL(state(a, 0), 0);
    EQUAL(state(b, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(state(a, 1), -GPUCMD_SYS_EINVAL); /* "the object is binary" */
    EQUAL(queried(a), 0);
    EQUAL(queried(b), 0);
    EQUAL(submitted(a), 0);
    /* objects that do not exist */
    EQUAL(gpucmd_syncobj_find(&t, 0, 0, &fence), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_find(&t, 3, 0, &fence), -GPUCMD_SYS_ENOENT);
    EQUAL(fence, 88);
    EQUAL(gpucmd_syncobj_query(&t, 3, 0, &value), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_query(&t, a, 2, &value), -GPUCMD_SYS_EINVAL);
    EQUAL(value, 99);
    EQUAL(gpucmd_syncobj_signal(&t, 0, 0), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_replace(&t, 3, 0), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_replace(&t, a, 2), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_add_point(&t, a, 1, 2), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_add_point(&t, 3, 1, 1), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_transfer(&t, 3, 0, a, 0), -GPUCMD_SYS_ENOENT);
    EQUAL(gpucmd_syncobj_transfer(&t, a, 0, 3, 0), -GPUCMD_SYS_ENOENT);
    gpucmd_syncobj_hold(&t, 3);
    gpucmd_syncobj_release(&t, 3);
    /* signal and reset by the CPU */
    EQUAL(gpucmd_syncobj_signal(&t, b, 0), 0);
    EQUAL(state(b, 0), 0);
    EQUAL(gpucmd_syncobj_signal(&t, b, 0), -GPUCMD_SYS_ENOMEM); /* no fence is free */
    EQUAL(state(b, 0), 0);
    EQUAL(gpucmd_syncobj_replace(&t, b, 0), 0);
    EQUAL(state(b, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(gpucmd_syncobj_replace(&t, b, 0), 0);
    /* a job */
    const uint32_t one = job(b, 0);
    EQUAL(state(b, 0), 1);
    EQUAL(gpucmd_syncobj_transfer(&t, a, 0, b, 0), 0); /* both have the fence of the job */
    EQUAL(state(a, 0), 1);
    EQUAL(f.count, 1);
    ends(one, GPUCMD_SYS_EIO);
    EQUAL(state(a, 0) | state(b, 0), 0); /* "a fence with an error counts as signalled" */
    EQUAL(gpucmd_syncobj_find(&t, a, 0, &fence), 0);
    EQUAL(fence_rows[fence - 1].error, GPUCMD_SYS_EIO);
    /* shared by files: the row lives until the last hold */
    gpucmd_syncobj_hold(&t, a);
    gpucmd_syncobj_release(&t, a);
    EQUAL(state(a, 0), 0);
    gpucmd_syncobj_release(&t, a);
    EQUAL(state(a, 0), -GPUCMD_SYS_ENOENT);
    EQUAL(f.count, 1);
    gpucmd_syncobj_release(&t, b);
    EQUAL(f.count, 0);
    EQUAL(object(0), b);
    EQUAL(object(0), a);
    /* a signalled object needs a fence */
    start_caps(1, 3, 1);
    EQUAL(object(GPUCMD_SYNCOBJ_CREATE_SIGNALED), 1);
    EQUAL(gpucmd_syncobj_create(&t, GPUCMD_SYNCOBJ_CREATE_SIGNALED, &s), -GPUCMD_SYS_ENOMEM);
    EQUAL(object(0), 2);
}

/* ---- timelines ------------------------------------------------------------------------------ */

static void timelines(void)
{
    start();
    const uint32_t s = object(0);
    /* a timeline of the CPU, as Mesa's Vulkan makes it: initial value, then signals */
    EQUAL(gpucmd_syncobj_signal(&t, s, 3), 0);
    EQUAL(queried(s), 3);
    EQUAL(state(s, 1) | state(s, 3) | state(s, 0), 0);
    EQUAL(state(s, 4), -GPUCMD_SYS_EINVAL); /* "the point was not submitted" */
    /* jobs between signals: a point signals after all earlier points */
    const uint32_t one = job(s, 5), two = job(s, 7);
    EQUAL(gpucmd_syncobj_signal(&t, s, 9), 0);
    EQUAL(queried(s), 3);
    EQUAL(submitted(s), 9);
    EQUAL(state(s, 3), 0);
    EQUAL(state(s, 4), 1);
    EQUAL(state(s, 9), 1);
    ends(two, 0);
    EQUAL(queried(s), 3);
    EQUAL(state(s, 7), 1);
    ends(one, 0);
    EQUAL(queried(s), 9);
    EQUAL(state(s, 4) | state(s, 5) | state(s, 9) | state(s, 0), 0);
    EQUAL(state(s, 10), -GPUCMD_SYS_EINVAL);
    /* reset: no fence, no points */
    EQUAL(gpucmd_syncobj_replace(&t, s, 0), 0);
    EQUAL(state(s, 5), -GPUCMD_SYS_EINVAL);
    EQUAL(queried(s) | submitted(s), 0);
    EQUAL(f.count, 0);
    /* a binary fence, then a timeline on it: the point waits for the fence */
    const uint32_t base = job(s, 0);
    EQUAL(gpucmd_syncobj_signal(&t, s, 2), 0);
    EQUAL(queried(s), 0);
    EQUAL(state(s, 1), 1);
    ends(base, 0);
    EQUAL(queried(s), 2);
    /* rows of points that signalled are used again: more signals than rows */
    for (uint64_t i = 3; i < 3 * POINTS; i++) {
        EQUAL(gpucmd_syncobj_signal(&t, s, i), 0);
        EQUAL(queried(s), i);
    }
    EQUAL(f.count, 1);
    EQUAL(t.merged_points, 0);
}

static void merged(void)
{
    start();
    const uint32_t s = object(0);
    const uint32_t one = job(s, 5), two = job(s, 5), three = job(s, 4);
    EQUAL(t.merged_points, 2);
    EQUAL(submitted(s), 5);
    EQUAL(queried(s), 0);
    EQUAL(state(s, 1), 1); /* every earlier point means the newest one */
    ends(one, 0);
    EQUAL(queried(s), 0);
    EQUAL(state(s, 5), 1);
    ends(two, 0);
    EQUAL(state(s, 1), 1);
    ends(three, 0);
    EQUAL(queried(s), 5);
    EQUAL(state(s, 5), 0);
    const uint32_t four = job(s, 6);
    EQUAL(queried(s), 5);
    EQUAL(state(s, 6), 1);
    EQUAL(state(s, 5), 0);
    ends(four, 0);
    EQUAL(queried(s), 6);
}

static void full(void)
{
    start_caps(4, 1, 2);
    const uint32_t s = object(0);
    const uint32_t one = job(s, 1), two = job(s, 2);
    EQUAL(gpucmd_syncobj_signal(&t, s, 3), -GPUCMD_SYS_ENOMEM); /* no point is free */
    EQUAL(f.count, 2);
    EQUAL(submitted(s), 2);
    ends(one, 0);
    EQUAL(gpucmd_syncobj_signal(&t, s, 3), 0);
    ends(two, 0);
    EQUAL(queried(s), 3);
}

static void transfers(void)
{
    uint32_t fence = 0;
    start();
    const uint32_t a = object(0), b = object(0), c = object(0);
    EQUAL(gpucmd_syncobj_transfer(&t, b, 0, a, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(gpucmd_syncobj_transfer(&t, b, 1, a, 0), -GPUCMD_SYS_EINVAL);
    const uint32_t one = job(a, 4), two = job(a, 6);
    EQUAL(gpucmd_syncobj_transfer(&t, b, 0, a, 7), -GPUCMD_SYS_EINVAL);
    /* from a point of a timeline to a binary object, and on to another timeline */
    EQUAL(gpucmd_syncobj_transfer(&t, b, 0, a, 5), 0);
    EQUAL(gpucmd_syncobj_signal(&t, c, 1), 0);
    EQUAL(gpucmd_syncobj_transfer(&t, c, 8, a, 3), 0);
    EQUAL(gpucmd_syncobj_transfer(&t, c, 9, b, 0), 0);
    EQUAL(state(b, 0), 1);
    EQUAL(queried(c), 1);
    EQUAL(state(c, 8), 1);
    ends(one, GPUCMD_SYS_ECANCELED);
    EQUAL(queried(c), 8);
    EQUAL(state(b, 0), 1);
    ends(two, 0);
    EQUAL(queried(c), 9);
    EQUAL(state(b, 0), 0);
    EQUAL(gpucmd_syncobj_find(&t, c, 9, &fence), 0);
    EQUAL(fence_rows[fence - 1].error, 0);
    /* a point that has signalled and has no row */
    EQUAL(gpucmd_syncobj_transfer(&t, b, 0, a, 4), 0);
    EQUAL(state(b, 0), 0);
    EQUAL(gpucmd_syncobj_transfer(&t, b, 2, a, 4), 0);
    EQUAL(queried(b), 2);
    /* an object to itself */
    EQUAL(gpucmd_syncobj_transfer(&t, b, 0, b, 2), 0);
    EQUAL(queried(b), 0);
    EQUAL(state(b, 0), 0);
    EQUAL(gpucmd_syncobj_transfer(&t, b, 3, b, 0), 0);
    EQUAL(queried(b), 3);
    /* a sync file is a snapshot: it keeps its fence when the object gets another */
    const uint32_t three = job(a, 0);
    EQUAL(gpucmd_syncobj_find(&t, a, 0, &fence), 0);
    gpucmd_fence_hold(&f, fence);
    EQUAL(gpucmd_syncobj_replace(&t, a, 0), 0);
    EQUAL(gpucmd_syncobj_replace(&t, b, fence), 0); /* import */
    EQUAL(state(b, 0), 1);
    ends(three, GPUCMD_SYS_EIO);
    EQUAL(state(b, 0), 0);
    EQUAL(fence_rows[fence - 1].error, GPUCMD_SYS_EIO);
    gpucmd_fence_release(&f, fence);
    gpucmd_syncobj_release(&t, a);
    gpucmd_syncobj_release(&t, b);
    gpucmd_syncobj_release(&t, c);
    EQUAL(f.count, 0);
}

/* ---- handles of files ----------------------------------------------------------------------- */

static void files(void)
{
    gpucmd_handle rows[2][8];
    gpucmd_handles file[2];
    uint32_t here = 0, there = 0;
    start();
    gpucmd_handles_init(&file[0], rows[0], 8);
    gpucmd_handles_init(&file[1], rows[1], 8);
    const uint32_t s = object(0), other = object(0);
    EQUAL(gpucmd_handles_add(&file[0], s, &here), GPUCMD_OK);
    EQUAL(gpucmd_handles_add(&file[1], other, &there), GPUCMD_OK);
    /* export from one file, import to the other */
    gpucmd_syncobj_hold(&t, s);
    EQUAL(gpucmd_handles_add(&file[1], gpucmd_handles_find(&file[0], here), &there), GPUCMD_OK);
    EQUAL(there, 2);
    EQUAL(gpucmd_syncobj_signal(&t, gpucmd_handles_find(&file[0], here), 5), 0);
    EQUAL(queried(gpucmd_handles_find(&file[1], there)), 5);
    gpucmd_syncobj_release(&t, gpucmd_handles_remove(&file[0], here));
    EQUAL(queried(gpucmd_handles_find(&file[1], there)), 5);
    gpucmd_syncobj_release(&t, gpucmd_handles_remove(&file[1], there));
    EQUAL(state(s, 0), -GPUCMD_SYS_ENOENT);
}

/* ---- waits ---------------------------------------------------------------------------------- */

static uint32_t pending[8]; /* fences of jobs, in the order in which they end */
static uint32_t rounds, due;
static uint32_t later; /* object to which a job is submitted at the first call; 0: none */
static int end_result;

/* Each call ends one job; after the last one the time is up. */
static int progress(void *user)
{
    CHECK(user == pending);
    rounds++;
    if (later != 0) {
        pending[due++] = job(later, 0);
        later = 0;
    } else if (due != 0) {
        due--;
        ends(pending[due], 0);
    } else {
        return end_result;
    }
    return 0;
}

static int wait_for(uint32_t count, const uint32_t *objects, const uint64_t *points, uint32_t flags,
                    uint32_t *first)
{
    const gpucmd_syncobj_wait wait = {objects, points, count, flags, progress, pending};
    rounds = 0;
    return gpucmd_syncobj_wait_for(&t, &wait, first);
}

static void waits(void)
{
    enum {
        ALL = GPUCMD_SYNCOBJ_WAIT_ALL,
        SUBMIT = GPUCMD_SYNCOBJ_WAIT_FOR_SUBMIT,
        AVAILABLE = GPUCMD_SYNCOBJ_WAIT_AVAILABLE,
    };
    uint32_t first = 77;
    start();
    end_result = -GPUCMD_SYS_ETIME;
    const uint32_t empty = object(0), done = object(1), a = object(0), b = object(0);
    uint32_t list[3] = {done, a, b};
    EQUAL(wait_for(0, NULL, NULL, 0, &first), 0);
    EQUAL(first, 0xffffffffu);
    first = 77;
    EQUAL(wait_for(1, &empty, NULL, 0, &first), -GPUCMD_SYS_EINVAL);
    EQUAL(wait_for(1, &empty, NULL, ALL, &first), -GPUCMD_SYS_EINVAL);
    list[1] = 40;
    EQUAL(wait_for(2, list, NULL, SUBMIT, &first), -GPUCMD_SYS_ENOENT);
    EQUAL(wait_for(1, &empty, NULL, SUBMIT, &first), -GPUCMD_SYS_ETIME);
    EQUAL(first, 77); /* unchanged on failure */
    EQUAL(rounds, 1);
    end_result = -GPUCMD_SYS_EINTR;
    EQUAL(wait_for(1, &empty, NULL, AVAILABLE, &first), -GPUCMD_SYS_EINTR);
    end_result = -GPUCMD_SYS_ETIME;
    const gpucmd_syncobj_wait none = {&empty, NULL, 1, SUBMIT, NULL, NULL};
    EQUAL(gpucmd_syncobj_wait_for(&t, &none, &first), -GPUCMD_SYS_ETIME);
    /* any: the first that has signalled, without progress */
    pending[1] = job(a, 0);
    pending[0] = job(b, 0);
    due = 2;
    list[0] = a;
    list[1] = done;
    list[2] = b;
    EQUAL(wait_for(3, list, NULL, 0, &first), 0);
    EQUAL(first, 1);
    EQUAL(rounds, 0);
    /* all: first is that of the first look */
    EQUAL(wait_for(3, list, NULL, ALL, &first), 0);
    EQUAL(first, 1);
    EQUAL(rounds, 2);
    EQUAL(wait_for(3, list, NULL, ALL, &first), 0);
    EQUAL(first, 0);
    EQUAL(rounds, 0);
    /* any, with progress: the object that ended the wait */
    pending[1] = job(b, 0);
    pending[0] = job(a, 0);
    due = 2;
    const uint32_t two[2] = {a, b};
    EQUAL(wait_for(2, two, NULL, 0, &first), 0);
    EQUAL(first, 1);
    EQUAL(rounds, 1);
    EQUAL(wait_for(1, &a, NULL, ALL, &first), 0);
    EQUAL(first, 0xffffffffu); /* nothing was finished at the first look */
    /* for submit: the fence comes later */
    later = empty;
    EQUAL(wait_for(1, &empty, NULL, SUBMIT, &first), 0);
    EQUAL(rounds, 2);
    EQUAL(gpucmd_syncobj_replace(&t, empty, 0), 0);
    /* available: it is enough that the point exists */
    const uint64_t point = 4;
    const uint32_t tl = object(0);
    EQUAL(wait_for(1, &tl, &point, AVAILABLE, &first), -GPUCMD_SYS_ETIME);
    pending[0] = job(tl, 4);
    EQUAL(wait_for(1, &tl, &point, AVAILABLE, &first), 0);
    EQUAL(rounds, 0);
    EQUAL(wait_for(1, &tl, &point, 0, &first), -GPUCMD_SYS_ETIME);
    due = 1;
    EQUAL(wait_for(1, &tl, &point, 0, &first), 0);
    const uint64_t above = 5;
    EQUAL(wait_for(1, &tl, &above, 0, &first), -GPUCMD_SYS_EINVAL);
    EQUAL(wait_for(1, &tl, &above, SUBMIT, &first), -GPUCMD_SYS_ETIME);
    /* a point that signalled is finished, while a later one has not */
    pending[0] = job(tl, 6);
    EQUAL(wait_for(1, &tl, &point, 0, &first), 0);
    EQUAL(rounds, 0);
    EQUAL(first, 0);
    EQUAL(wait_for(1, &tl, &above, 0, &first), -GPUCMD_SYS_ETIME);
}

/* ---- random operations ---------------------------------------------------------------------- */

/* The oracle: a fence is a number; it signals when ended is true and all that it waits for have
 * signalled, found by a search each time. An object is a list of points. */
static struct {
    bool ended;
    uint32_t wait[2];
} want_fence[2000];
static uint32_t want_fences;

static struct {
    uint32_t fence;
    uint32_t points;
    uint64_t value[600];
    uint32_t point_fence[600];
    bool is_merged[600];
} want[4];

static bool want_signalled(uint32_t i)
{
    return i == 0 || (want_fence[i].ended && want_signalled(want_fence[i].wait[0]) &&
                      want_signalled(want_fence[i].wait[1]));
}

static uint32_t want_new(uint32_t prev, uint32_t inner, bool ended)
{
    want_fences++;
    want_fence[want_fences].ended = ended;
    want_fence[want_fences].wait[0] = prev;
    want_fence[want_fences].wait[1] = inner;
    return want_fences;
}

static void want_add(uint32_t s, uint64_t value, uint32_t fence)
{
    const uint32_t n = want[s].points++;
    const uint64_t last = n != 0 ? want[s].value[n - 1] : 0;
    want[s].is_merged[n] = n != 0 && value <= last;
    want[s].value[n] = want[s].is_merged[n] ? last : value;
    want[s].point_fence[n] = fence;
    want[s].fence = fence;
}

static void want_replace(uint32_t s, uint32_t fence)
{
    want[s].points = 0;
    want[s].fence = fence;
}

/* Index of the first point that counts: the last merged one. */
static uint32_t want_first(uint32_t s)
{
    uint32_t i = want[s].points;
    while (i > 1 && !want[s].is_merged[i - 1]) {
        i--;
    }
    return i > 0 ? i - 1 : 0;
}

/* The fence for a point, or a negative errno. */
static int64_t want_find(uint32_t s, uint64_t point)
{
    uint32_t i = want_first(s);
    const uint32_t n = want[s].points;
    if (want[s].fence == 0 || (point != 0 && (n == 0 || point > want[s].value[n - 1]))) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (point == 0) {
        return want[s].fence;
    }
    while (want[s].value[i] < point) {
        i++;
    }
    return want[s].point_fence[i];
}

static uint64_t want_query(uint32_t s)
{
    uint64_t value = 0;
    for (uint32_t i = want_first(s); i < want[s].points; i++) {
        if (want_signalled(want[s].point_fence[i])) {
            value = want[s].value[i];
        }
    }
    return value;
}

/* Count the points that the lists of four objects have. */
static uint32_t listed_points(const uint32_t s[4])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t at = object_rows[s[i] - 1].point; at != 0; at = point_rows[at - 1].next) {
            n++;
        }
    }
    return n;
}

static void random_ops(uint32_t seed)
{
    uint32_t s[4], jobs[40], want_jobs[40], job_count = 0;
    start();
    memset(want, 0, sizeof want);
    memset(want_fence, 0, sizeof want_fence);
    want_fences = 0;
    for (uint32_t i = 0; i < 4; i++) {
        s[i] = object(0);
    }
    for (uint32_t n = 0; n < 500; n++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t a = (seed >> 8) % 4, b = (seed >> 10) % 4, op = (seed >> 12) % 16;
        const uint64_t near = object_rows[s[a] - 1].last + (seed >> 16) % 5;
        const uint64_t point = near > 1 ? near - 1 : 1;
        if (op < 5 && job_count < 40) { /* a job with a point or a binary fence */
            const uint64_t value = op == 0 ? 0 : point;
            const uint32_t w_fence = want_new(value != 0 ? want[a].fence : 0, 0, false);
            jobs[job_count] = job(s[a], value);
            want_jobs[job_count++] = w_fence;
            if (value != 0) {
                want_add(a, value, w_fence);
            } else {
                want_replace(a, w_fence);
            }
        } else if (op < 9 && job_count != 0) { /* some job ends */
            const uint32_t at = (seed >> 20) % job_count;
            ends(jobs[at], 0);
            want_fence[want_jobs[at]].ended = true;
            jobs[at] = jobs[--job_count];
            want_jobs[at] = want_jobs[job_count];
        } else if (op < 11) {
            EQUAL(gpucmd_syncobj_signal(&t, s[a], point), 0);
            want_add(a, point, want_new(want[a].fence, 0, true));
        } else if (op == 11 && (seed >> 24) % 4 == 0) {
            EQUAL(gpucmd_syncobj_replace(&t, s[a], 0), 0);
            want_replace(a, 0);
        } else if (op > 12) {
            const uint64_t from = (seed >> 24) % 3 != 0 ? object_rows[s[b] - 1].last : 0;
            const uint64_t to = op == 13 ? 0 : point;
            const int64_t found = want_find(b, from);
            EQUAL(gpucmd_syncobj_transfer(&t, s[a], to, s[b], from), found < 0 ? found : 0);
            if (found >= 0 && to == 0) {
                want_replace(a, (uint32_t)found);
            } else if (found >= 0) {
                want_add(a, to, want_new(want[a].fence, (uint32_t)found, true));
            }
        }
        EQUAL(t.count, 4);
        EQUAL(t.point_count, listed_points(s));
        for (uint32_t i = 0; i < 4; i++) {
            const uint64_t last = want[i].points != 0 ? want[i].value[want[i].points - 1] : 0;
            EQUAL(queried(s[i]), want_query(i));
            EQUAL(submitted(s[i]), last);
            for (uint64_t v = last > 6 ? last - 6 : 0; v <= last + 1; v++) {
                const int64_t found = want_find(i, v);
                EQUAL(state(s[i], v), found < 0 ? found : !want_signalled((uint32_t)found));
            }
        }
    }
    while (job_count != 0) {
        ends(jobs[--job_count], 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        gpucmd_syncobj_release(&t, s[i]);
    }
    EQUAL(f.count, 0);
    EQUAL(t.count, 0);
    EQUAL(t.point_count, 0);
    EQUAL(f.ready | f.dropped, 0);
}

/* ---- ioctls ---- */

/* A node of the test. It answers with 0 or the errno `answer`. */
static struct {
    int answer;
    int calls;
    uint32_t number; /* of the last ioctl */
    uint8_t arg[40]; /* its argument before it was answered */
} node;

static int node_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    const uint32_t seven = 7;
    CHECK(user == &node);
    EQUAL(fd, 5);
    memset(node.arg, 0xee, sizeof node.arg);
    memcpy(node.arg, arg, number >> 16 & 0x3fff);
    node.number = number;
    node.calls++;
    if (node.answer >= 0) { /* handle, first_signaled */
        const size_t at = number == 0xC02064C3 ? 24 : number == 0xC02864CA ? 32 : 0;
        memcpy((uint8_t *)arg + at, &seven, 4);
    }
    return node.answer;
}

static uint32_t arg32(size_t at)
{
    uint32_t v;
    memcpy(&v, node.arg + at, 4);
    return v;
}

static uint64_t arg64(size_t at)
{
    uint64_t v;
    memcpy(&v, node.arg + at, 8);
    return v;
}

/* Numbers and bytes of drm.h: DRM_IOWR(0xBF), (0xC0), (0xC3) and (0xCA). */
static void client_calls(void)
{
    static const uint32_t handles[2] = {3, 4};
    static const uint64_t points[2] = {10, 20};
    const gpucmd_sys_ops sys = {NULL, NULL, node_ioctl, NULL, NULL, NULL, NULL, &node};
    gpucmd_syncobj_wait wait = {handles, points, 2, 3, NULL, NULL};
    uint32_t out = 0;
    memset(&node, 0, sizeof node);
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 1, &out), 0);
    EQUAL(node.number, 0xC00864BF);
    EQUAL(arg32(0), 0);
    EQUAL(arg32(4), 1);
    EQUAL(out, 7);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 9), 0);
    EQUAL(node.number, 0xC00864C0);
    EQUAL(arg32(0), 9);
    EQUAL(arg32(4), 0);
    out = 0;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0x123456789abcdef0, &out), 0);
    EQUAL(node.number, 0xC02064C3);
    EQUAL(arg64(0), (uintptr_t)handles);
    EQUAL(arg64(8), 0x123456789abcdef0u);
    EQUAL(arg32(16), 2);
    EQUAL(arg32(20), 3);
    EQUAL(arg64(24), 0);
    EQUAL(out, 7);
    out = 0;
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, -2, &out), 0);
    EQUAL(node.number, 0xC02864CA);
    EQUAL(arg64(0), (uintptr_t)handles);
    EQUAL(arg64(8), (uintptr_t)points);
    EQUAL(arg64(16), 0xfffffffffffffffeu);
    EQUAL(arg32(24), 2);
    EQUAL(arg32(28), 3);
    EQUAL(arg64(32), 0);
    EQUAL(out, 7);
    node.answer = 2; /* more than 0 is no failure */
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, NULL), 0);
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, NULL), 0);
    /* an interrupted call: once, and outputs stay */
    node.answer = -4;
    node.calls = 0;
    out = 77;
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 0, &out), -4);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 9), -4);
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &out), -4);
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &out), -4);
    EQUAL(node.calls, 4);
    EQUAL(out, 77);
}

static int kernel_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    (void)fd;
    return gpucmd_syncobjs_ioctl(&t, NULL, (gpucmd_progress_fn)NULL, user, number, arg);
}

/* Signal the newest fence of object 1; the next call fails. */
static int signal_first(void *user)
{
    uint32_t *const left = (uint32_t *)user;
    if ((*left)-- == 0) {
        return -GPUCMD_SYS_EIO;
    }
    EQUAL(gpucmd_syncobj_signal(&t, 1, 0), 0);
    return 0;
}

/* The errno of each condition in a model kernel. */
static void kernel_calls(void)
{
    const gpucmd_sys_ops sys = {NULL, NULL, kernel_ioctl, NULL, NULL, NULL, NULL, NULL};
    uint32_t handles[3] = {0, 0, 0}, first = 77, left = 1;
    uint64_t points[2] = {1, 0};
    uint32_t create[2] = {0, 0}, destroy[2] = {1, 1};
    gpucmd_syncobj_wait wait = {handles, NULL, 2, 0, NULL, NULL};
    start_caps(8, 2, 8);
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 2, &handles[0]), -22);
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 0, &handles[0]), 0);
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 1, &handles[1]), 0);
    EQUAL(gpucmd_drm_syncobj_create(&sys, 5, 0, &handles[2]), -12);
    EQUAL(handles[0], 1);
    EQUAL(handles[1], 2);
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -22); /* no fence yet */
    wait.flags = 2;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), 0);
    EQUAL(first, 1);
    wait.flags = 3;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -62);
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0x7fffffffffffffff, &first), -62);
    wait.flags = 4;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -22); /* WAIT_AVAILABLE */
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &first), 0);
    wait.flags = 8;
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &first), -22);
    wait.flags = 3;
    wait.points = points;
    EQUAL(gpucmd_syncobj_signal(&t, 1, 1), 0);
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &first), 0);
    points[0] = 2;
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &first), -62);
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), 0); /* ignores the points */
    wait.points = (const uint64_t *)(uintptr_t)64; /* the first page is never readable */
    EQUAL(gpucmd_drm_syncobj_timeline_wait(&sys, 5, &wait, 0, &first), -14);
    wait.count = 33; /* more than the model kernel copies */
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -12);
    wait.count = 2;
    wait.points = NULL;
    wait.syncobjs = NULL;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -14);
    wait.count = 0;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), 0);
    handles[1] = 3;
    wait.syncobjs = handles;
    wait.count = 2;
    EQUAL(gpucmd_drm_syncobj_wait(&sys, 5, &wait, 0, &first), -2);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 3), -22);
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, NULL, NULL, 0xC00864C0, destroy), -22); /* pad */
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, NULL, NULL, 0xC00864C1, create), -22);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 1), 0);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 1), -22);
    EQUAL(gpucmd_drm_syncobj_destroy(&sys, 5, 2), 0);
    EQUAL(t.count, 0);
    EQUAL(f.count, 0);
    /* progress: not called for a poll, and its errno ends the wait */
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, NULL, NULL, 0xC00864BF, create), 0);
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, NULL, NULL, 0xC00864BF, create), 0);
    handles[0] = 1;
    handles[1] = 2;
    uint64_t a[4] = {(uintptr_t)handles, 0, 0, 0};
    const uint32_t two[2] = {2, 2}; /* count_handles, flags: WAIT_FOR_SUBMIT */
    memcpy(&a[2], two, sizeof two);
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, signal_first, &left, 0xC02064C3, a), -62);
    EQUAL(left, 1);
    a[1] = 1;
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, signal_first, &left, 0xC02064C3, a), 0);
    EQUAL(left, 0);
    const uint32_t all[2] = {2, 3};
    memcpy(&a[2], all, sizeof all);
    EQUAL(gpucmd_syncobjs_ioctl(&t, NULL, signal_first, &left, 0xC02064C3, a), -5);
}

int main(void)
{
    fences();
    fence_searches();
    binary();
    timelines();
    merged();
    full();
    transfers();
    files();
    waits();
    for (uint32_t seed = 0; seed < 30; seed++) {
        random_ops(seed);
    }
    client_calls();
    kernel_calls();
    return test_report("core_syncobj");
}

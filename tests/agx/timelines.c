/* agx/timelines.c - sync objects under random submissions: which job waits for which, against a
 * model that keeps every point for ever and shares nothing with gpucmd. */
/* suite: regions */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"
#include "agx/world.h"

#define OBJECTS  3
#define JOBS_MAX 24
#define QUEUES   4

static world w_;
static gpucmd_agx_kernel *const k = &w_.k;

/* A job in the reference model, and its observed times. */
typedef struct model_job {
    unsigned queue;
    uint64_t submitted;
    uint32_t needs;        /* bit i: job i must be done before */
    uint64_t pushed, done; /* seen */
    bool seen;
} model_job;

/* A sync object: the jobs of all points that were ever attached, the oldest first; a binary fence
 * that a timeline grew on is its first entry. */
typedef struct model_object {
    unsigned count;
    unsigned job[JOBS_MAX * 2];
    uint64_t value[JOBS_MAX * 2];
    bool stands_for_all[JOBS_MAX * 2]; /* a point that did not grow: no smaller one is found */
    bool timeline;
} model_object;

static model_job jobs[JOBS_MAX];
static unsigned job_count;
static model_object objects[OBJECTS];

static void job_ended(void *user, gpucmd_agx_exec_job *job)
{
    unsigned n = 0;
    (void)user;
    for (unsigned i = 0; i < job_count; i++) {
        if (jobs[i].queue == job->queue && n++ == job->number) {
            jobs[i].pushed = job->pushed;
            jobs[i].done = job->done;
            jobs[i].seen = true;
        }
    }
}

static void random_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                        gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)job;
    (void)command;
    (void)part;
    fate->duration = test_random(12);
}

/* Return the errno of an in-sync. If it is 0, add the dependencies of the in-sync to the job. */
static int model_in(const model_object *o, uint32_t type, uint64_t value, model_job *j)
{
    unsigned last = o->count;
    if (type == 0 && value != 0) {
        return 22;
    }
    if (o->count == 0) {
        return 22;
    }
    if (value != 0) {
        if (!o->timeline || value > o->value[o->count - 1]) {
            return 22;
        }
        /* search from the newest point backwards for the first point that is not smaller than
         * value */
        while (!o->stands_for_all[last - 1] && last > 1 && o->value[last - 2] >= value) {
            last--;
        }
    }
    for (unsigned i = 0; i < last; i++) {
        j->needs |= (uint32_t)1 << o->job[i];
    }
    return 0;
}

static void model_out(model_object *o, uint32_t type, uint64_t value, unsigned job)
{
    if (type == 0) {
        o->count = 0;
        o->timeline = false;
    }
    const bool grows = !o->timeline || value > o->value[o->count - 1];
    const uint64_t last = o->timeline ? o->value[o->count - 1] : 0;
    o->job[o->count] = job;
    o->value[o->count] = type == 0 ? 0 : grows ? value : last;
    o->stands_for_all[o->count] = type != 0 && !grows;
    o->count++;
    o->timeline = type != 0;
}

static unsigned taken, refused, full;

static void one_submission(const uint32_t *queues, const uint32_t *handles)
{
    uint8_t stream[64];
    struct gpucmd_drm_asahi_sync syncs[4];
    uint32_t types[4], which[4];
    uint64_t values[4];
    const uint32_t in = test_random(3);
    const uint32_t out = test_random(3);
    const unsigned q = test_random(QUEUES);
    model_job j;
    struct gpucmd_drm_asahi_submit a;
    int want = 0;
    memset(&j, 0, sizeof j);
    j.queue = q;
    j.submitted = k->exec.now;
    for (uint32_t i = 0; i < in + out; i++) {
        types[i] = test_random(3) != 0;
        which[i] = test_random(OBJECTS);
        values[i] = types[i] == 0 ? 0 : test_random(i < in ? 12 : 9) + (i < in ? 0 : 1);
        if (test_random(3) == 0 && objects[which[i]].timeline && types[i] != 0) {
            values[i] = objects[which[i]].value[objects[which[i]].count - 1] + (i < in ? 0 : 1);
        }
        const struct gpucmd_drm_asahi_sync sync = {types[i], handles[which[i]], values[i]};
        agx_convert(GPUCMD_STRUCT_drm_asahi_sync, &syncs[i], &sync);
    }
    for (uint32_t i = 0; i < in && want == 0; i++) {
        want = model_in(&objects[which[i]], types[i], values[i], &j);
    }
    memset(&a, 0, sizeof a);
    a.cmdbuf_size = (uint32_t)unhex(AGX_W1, stream);
    a.cmdbuf = (uint64_t)(uintptr_t)stream;
    a.syncs = (uint64_t)(uintptr_t)syncs;
    a.in_sync_count = in;
    a.out_sync_count = out;
    a.queue_id = queues[q];
    const int got = -gpucmd_agx_kernel_submit(k, &a);
    if (got == 12) {
        full++;
        return;
    }
    EQUAL(got, want);
    taken += got == 0 ? 1 : 0;
    refused += got != 0 ? 1 : 0;
    if (got == 0) {
        for (uint32_t i = in; i < in + out; i++) {
            model_out(&objects[which[i]], types[i], values[i], job_count);
        }
        jobs[job_count++] = j;
    }
}

/* A job enters the firmware queues as soon as it was submitted, the job before it in its queue has
 * entered them, and all fences that it waits for have signalled. */
static void check_pushes(void)
{
    uint64_t last[QUEUES] = {0};
    for (unsigned i = 0; i < job_count; i++) {
        const model_job *j = &jobs[i];
        uint64_t want = j->submitted > last[j->queue] ? j->submitted : last[j->queue];
        for (unsigned n = 0; n < i; n++) {
            want = (j->needs >> n & 1) != 0 && jobs[n].done > want ? jobs[n].done : want;
        }
        CHECK(j->seen);
        EQUAL(j->pushed, want);
        last[j->queue] = j->pushed;
    }
}

int main(void)
{
    for (unsigned round = 0; round < 1500; round++) {
        struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
        uint32_t queues[QUEUES], handles[OBJECTS];
        EQUAL(world_init(&w_), GPUCMD_OK);
        k->exec.fate = random_fate;
        k->exec.ended = job_ended;
        memset(objects, 0, sizeof objects);
        job_count = 0;
        EQUAL(gpucmd_agx_kernel_vm_create(k, &vm), 0);
        for (unsigned i = 0; i < QUEUES; i++) {
            struct gpucmd_drm_asahi_queue_create q = {0, 1, 1, 0, 0};
            EQUAL(gpucmd_agx_kernel_queue_create(k, &q), 0);
            queues[i] = q.queue_id;
        }
        for (unsigned i = 0; i < OBJECTS; i++) {
            handles[i] = world_syncobj(k);
        }
        for (unsigned i = 0; i < 40 && job_count < JOBS_MAX; i++) {
            one_submission(queues, handles);
            (void)gpucmd_agx_exec_run(&k->exec, NULL, test_random(3));
        }
        EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 1000), GPUCMD_RUN_IDLE);
        check_pushes();
        CHECK(world_tear_down(&w_));
    }
    CHECK(taken > 10000 && refused > 5000); /* both results occur often */
    CHECK(full < taken);
    return test_report("agx_timelines");
}

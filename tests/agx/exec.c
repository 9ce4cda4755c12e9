/* agx/exec.c - the executor: known examples, many jobs on many queues against the oracle, failures,
 * deadlocks, limits, callbacks that stop it. */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/schedules.h"
#include "agx/oracle.h"

#define QUEUES 6
#define JOBS   48

static gpucmd_agx_exec x;
static gpucmd_agx_exec_queue queues[QUEUES];
static gpucmd_agx_exec_job jobs[JOBS];
static gpucmd_agx_slot slots[QUEUES * GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
static gpucmd_fence fences[256];
static gpucmd_agx_link links[512];

/* What the events said: start and end of every operation, by queue, job, command and part. */
static struct {
    uint64_t start, end;
    bool started, finished;
} seen[QUEUES][JOBS][GPUCMD_AGX_MAX_COMMANDS][3];
static uint64_t seen_push[QUEUES][JOBS], seen_done[QUEUES][JOBS];
static int seen_error[QUEUES][JOBS];
static unsigned events, bad_events;
static unsigned running_on[QUEUES][3];
static uint64_t newest_on[QUEUES][3]; /* last operation that a ring started: job, command, + 1 */
static unsigned refuse_at, refusals;

static gpucmd_status note(void *user, const gpucmd_event *e)
{
    (void)user;
    if (refuse_at != 0 && events + 1 == refuse_at && refusals++ == 0) {
        return GPUCMD_FAULT;
    }
    events++;
    bad_events += e->data != NULL || e->out_dw != NULL || e->count_dw != 0;
    bad_events += e->unit >= QUEUES || e->addr >= JOBS ? 1 : 0;
    if (e->kind == GPUCMD_EVENT_STATE) {
        (e->code == 0 ? seen_push : seen_done)[e->unit][e->addr] = e->va;
        seen_error[e->unit][e->addr] = e->code == 1 ? (int)e->value : 0;
    } else if (e->kind == GPUCMD_EVENT_START) {
        const uint64_t operation = (e->addr << 8 | e->value) + 1;
        bad_events += running_on[e->unit][e->code]++ != 0; /* one at a time on a ring, in order */
        bad_events += operation <= newest_on[e->unit][e->code];
        newest_on[e->unit][e->code] = operation;
        bad_events += seen[e->unit][e->addr][e->value][e->code].started;
        seen[e->unit][e->addr][e->value][e->code].started = true;
        seen[e->unit][e->addr][e->value][e->code].start = e->va;
    } else if (e->kind == GPUCMD_EVENT_FINISH) {
        running_on[e->unit][e->code]--;
        bad_events += seen[e->unit][e->addr][e->value][e->code].finished;
        seen[e->unit][e->addr][e->value][e->code].finished = true;
        seen[e->unit][e->addr][e->value][e->code].end = e->va;
    } else {
        bad_events++;
    }
    return GPUCMD_OK;
}

static gpucmd_agx_exec_tables tables(void)
{
    gpucmd_agx_exec_tables t;
    t.queues = queues;
    t.queue_count = QUEUES;
    t.jobs = jobs;
    t.job_count = JOBS;
    t.slots = slots;
    t.ring_entries = GPUCMD_AGX_RING_ENTRIES;
    t.fences = fences;
    t.fence_count = 256;
    t.links = links;
    t.link_count = 512;
    return t;
}

static gpucmd_env env;

static void setup(void)
{
    const gpucmd_agx_exec_tables t = tables();
    gpucmd_env_init(&env, NULL, note, NULL);
    memset(seen, 0, sizeof seen);
    memset(running_on, 0, sizeof running_on);
    memset(newest_on, 0, sizeof newest_on);
    events = bad_events = refuse_at = refusals = 0;
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    x.durations.ring[0] = 4;
    x.durations.ring[1] = 2;
    x.durations.ring[2] = 3;
}

static void job_of(const char *notation, gpucmd_agx_job *job)
{
    gpucmd_agx_finding f;
    EQUAL(gpucmd_agx_parse_notation(notation, strlen(notation), true, job, &f), GPUCMD_OK);
}

static gpucmd_status submit(uint32_t queue, const char *notation, const uint32_t *in, uint32_t nin,
                            const uint32_t *out, uint32_t nout)
{
    gpucmd_agx_job job;
    uint32_t slot;
    const gpucmd_agx_submission sub = {&job, in, nin, nout, out, 0};
    job_of(notation, &job);
    return gpucmd_agx_exec_submit(&x, queue, &sub, &slot);
}

static bool holds(uint32_t q, uint32_t j, const char *times)
{
    /* "R1v 3-5, ..." in terms of kind and number: find the command by its order */
    char label;
    unsigned number, start, end;
    bool good = true;
    while (sscanf(times, " %c%u", &label, &number) == 2) {
        char half = 'c';
        while (*times == ' ' || *times == ',') {
            times++;
        }
        times++;
        while (*times >= '0' && *times <= '9') {
            times++;
        }
        if (*times != ' ') {
            half = *times++;
        }
        EQUAL(sscanf(times, " %u-%u", &start, &end), 2);
        const unsigned part = half == 'c' ? 0 : half == 'v' ? 1 : 2;
        bool found = false;
        for (unsigned s = 0; s < JOBS && !found; s++) {
            if (jobs[s].queue == q && jobs[s].number == j && jobs[s].job.count != 0) {
                for (unsigned c = 0; c < jobs[s].job.count; c++) {
                    const gpucmd_agx_command *k = &jobs[s].job.commands[c];
                    if (k->number == number &&
                        (k->kind == GPUCMD_AGX_KIND_COMPUTE) == (label == 'C')) {
                        found = true;
                        good = good && seen[q][j][c][part].start == start &&
                               seen[q][j][c][part].end == end;
                    }
                }
            }
        }
        good = good && found;
        const char *comma = strchr(times, ',');
        if (comma == NULL) {
            break;
        }
        times = comma + 1;
    }
    return good;
}

/* Prior work of the examples: R0v ends at 1, R0f at 4, C0 at 3. */
static void prior_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                       gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    static const uint64_t prior[3] = {3, 1, 3};
    (void)command;
    if (*(const bool *)user && job->number == 0) {
        fate->duration = prior[part];
    }
}

static void known_schedules(void)
{
    for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
        const schedule_row *r = &schedules[i];
        bool prior = r->prior != GPUCMD_AGX_PRIOR_NONE;
        setup();
        x.fate = prior_fate;
        x.fate_user = &prior;
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        if (prior) {
            EQUAL(submit(0, r->prior == GPUCMD_AGX_PRIOR_BOTH ? "R1\nC1" : "C1", NULL, 0, NULL, 0),
                  GPUCMD_OK);
        }
        EQUAL(submit(0, r->notation, NULL, 0, NULL, 0), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
        if (!CHECK(holds(0, prior ? 1 : 0, r->times))) {
            printf("    %s\n", r->name);
        }
        EQUAL(bad_events, 0);
    }
}

/* The worked example of several jobs: two queues, a timeline, a binary sync. */
static void worked_example(void)
{
    setup();
    const uint32_t q1 = gpucmd_agx_exec_queue_open(&x, 1);
    const uint32_t q2 = gpucmd_agx_exec_queue_open(&x, 1);
    const uint32_t point1 = gpucmd_fence_new(&x.fences, 0, 0);
    const uint32_t binary = gpucmd_fence_new(&x.fences, 0, 0);
    const uint32_t point2 = gpucmd_fence_new(&x.fences, point1, 0);
    EQUAL(submit(q1, "R1\nR2", NULL, 0, &point1, 1), GPUCMD_OK);
    EQUAL(submit(q2, "C1", &point1, 1, &binary, 1), GPUCMD_OK);
    EQUAL(submit(q1, "R1\nC1 [R1,C0]", &binary, 1, &point2, 1), GPUCMD_OK);
    EQUAL(submit(q1, "R1 [R0,-]", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    CHECK(holds(q1, 0, "R1v 0-2, R1f 2-5, R2v 2-4, R2f 5-8"));
    CHECK(holds(q2, 0, "C1 8-12"));
    CHECK(holds(q1, 1, "R1v 12-14, R1f 14-17, C1 17-21"));
    CHECK(holds(q1, 2, "R1v 17-19, R1f 19-22"));
    EQUAL(seen_push[q1][0], 0);
    EQUAL(seen_push[q2][0], 8);
    EQUAL(seen_push[q1][1], 12);
    EQUAL(seen_push[q1][2], 12);
    EQUAL(seen_done[q1][0], 8);
    EQUAL(seen_done[q2][0], 12);
    EQUAL(seen_done[q1][1], 21);
    EQUAL(seen_done[q1][2], 22);
    EQUAL(fences[binary - 1].clock, 12);
    EQUAL(fences[point1 - 1].clock, 8);
    EQUAL(fences[point2 - 1].clock, 21);
    EQUAL(bad_events, 0);
    gpucmd_fence_release(&x.fences, point1);
    gpucmd_fence_release(&x.fences, point2);
    gpucmd_fence_release(&x.fences, binary);
    EQUAL(gpucmd_agx_exec_queue_close(&x, q1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_close(&x, q1), GPUCMD_RANGE);
}

/* A compute-only job ends before the render-only job before it, if there are no barriers. */
static void out_of_order(void)
{
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(submit(0, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(seen_done[0][0], 5);
    EQUAL(seen_done[0][1], 4);
}

/* ---- random jobs against the reference model ---- */

#define MAX_FENCES 64

static uint64_t random_times[QUEUES][JOBS][GPUCMD_AGX_MAX_COMMANDS][3];

static void random_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                        gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    fate->duration = random_times[job->queue][job->number][command][part];
}

/* The reference model: jobs in the order they were submitted, clocks of the rings of each queue. */
typedef struct model {
    uint64_t clock[QUEUES][3];
    uint64_t last_push[QUEUES];
    uint64_t prior[QUEUES][3]; /* end of the last operation on each ring */
    uint64_t signal[MAX_FENCES];
    uint32_t jobs[QUEUES];
} model;

static bool model_job(model *m, uint32_t q, const gpucmd_agx_job *job, const unsigned *in,
                      unsigned nin, const unsigned *out, const int *out_prev, unsigned nout)
{
    const uint32_t j = m->jobs[q]++;
    uint64_t push = m->last_push[q];
    uint64_t done = 0;
    uint64_t ends[3][GPUCMD_AGX_MAX_COMMANDS + 1];
    bool good = true;
    for (unsigned i = 0; i < nin; i++) {
        push = m->signal[in[i]] > push ? m->signal[in[i]] : push;
    }
    m->last_push[q] = push;
    for (unsigned p = 0; p < 3; p++) {
        ends[p][0] = m->prior[q][p];
        m->clock[q][p] = m->clock[q][p] > push ? m->clock[q][p] : push;
    }
    for (uint32_t i = 0; i < job->count; i++) {
        for (uint32_t part = 0; part < 3; part++) {
            unsigned needs[4];
            if (!oracle_has(job, i, part)) {
                continue;
            }
            uint64_t start = m->clock[q][part];
            const unsigned n = oracle_needs(job, i, part, needs);
            for (unsigned k = 0; k < n; k++) {
                const uint64_t end = ends[needs[k] / 65][needs[k] % 65];
                start = end > start ? end : start;
            }
            const uint64_t end = start + random_times[q][j][i][part];
            good = good && seen[q][j][i][part].started && seen[q][j][i][part].finished &&
                   seen[q][j][i][part].start == start && seen[q][j][i][part].end == end;
            ends[part][job->commands[i].number] = end;
            m->clock[q][part] = end;
            m->prior[q][part] = end;
            done = end > done ? end : done;
        }
    }
    for (unsigned i = 0; i < nout; i++) {
        const uint64_t prev = out_prev[i] >= 0 ? m->signal[out_prev[i]] : 0;
        m->signal[out[i]] = done > prev ? done : prev;
    }
    return good && seen_push[q][j] == push && seen_done[q][j] == done;
}

static void random_world(unsigned round)
{
    static gpucmd_agx_job list[JOBS];
    static model m;
    uint32_t queue_of[JOBS];
    unsigned in[JOBS][4], nin[JOBS], out[JOBS][2], nout[JOBS];
    int prev[JOBS][2];
    uint32_t handle[MAX_FENCES];
    unsigned known = 0; /* fences that some job signals */
    uint32_t total[QUEUES] = {0};
    const uint32_t nq = 1 + test_random(QUEUES);
    const uint32_t nj = 1 + test_random(12);
    bool good = true;
    setup();
    x.fate = random_fate;
    for (uint32_t q = 0; q < nq; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, q % 2), q);
    }
    for (uint32_t j = 0; j < nj; j++) {
        uint32_t count = 1 + test_random(round % 4 == 0 ? GPUCMD_AGX_MAX_COMMANDS : 6);
        uint32_t ids[4], slot;
        uint32_t outs[2];
        queue_of[j] = test_random(nq);
        /* no more than a queue has event slots for, so that none is held back for want of them */
        count = count <= 110 - total[queue_of[j]] ? count : 1;
        total[queue_of[j]] += count;
        gpucmd_agx_job_init(&list[j]);
        while (list[j].count < count) {
            const uint32_t vdm = test_random(3) == 0 ? test_random(list[j].renders + 1) : NONE;
            const uint32_t cdm = test_random(3) == 0 ? test_random(list[j].computes + 1) : NONE;
            EQUAL(gpucmd_agx_job_add(&list[j], (gpucmd_agx_kind)test_random(round % 3 ? 2 : 3), vdm,
                                     cdm),
                  GPUCMD_OK);
        }
        nin[j] = known != 0 ? test_random(4) : 0;
        for (unsigned i = 0; i < nin[j]; i++) {
            in[j][i] = test_random(known);
            ids[i] = handle[in[j][i]];
        }
        nout[j] = known < MAX_FENCES - 2 ? test_random(3) : 0;
        for (unsigned i = 0; i < nout[j]; i++) {
            /* a fence after the newest one, as on a timeline, or a fence without prev */
            prev[j][i] = known != 0 && test_random(2) ? (int)known - 1 : -1;
            handle[known] =
                gpucmd_fence_new(&x.fences, prev[j][i] >= 0 ? handle[prev[j][i]] : 0, 0);
            out[j][i] = known;
            outs[i] = handle[known];
            known++;
        }
        for (uint32_t c = 0; c < count; c++) {
            uint32_t number = 0;
            for (uint32_t k = 0; k < j; k++) {
                number += queue_of[k] == queue_of[j];
            }
            for (int p = 0; p < 3; p++) {
                random_times[queue_of[j]][number][c][p] = test_random(8);
            }
        }
        const gpucmd_agx_submission sub = {&list[j], ids, nin[j], nout[j], outs, j};
        EQUAL(gpucmd_agx_exec_submit(&x, queue_of[j], &sub, &slot), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 100000), GPUCMD_RUN_IDLE);
    memset(&m, 0, sizeof m);
    for (uint32_t j = 0; j < nj; j++) {
        good =
            model_job(&m, queue_of[j], &list[j], in[j], nin[j], out[j], prev[j], nout[j]) && good;
    }
    for (unsigned i = 0; i < known; i++) {
        good = good && fences[handle[i] - 1].is_signalled &&
               fences[handle[i] - 1].clock == m.signal[i];
        gpucmd_fence_release(&x.fences, handle[i]);
    }
    CHECK(good);
    EQUAL(bad_events, 0);
    /* nothing leaks: all fences, links and jobs are free again */
    unsigned free_links = 0, free_jobs = 0;
    for (uint32_t l = x.free_link; l != GPUCMD_AGX_NONE; l = links[l].next) {
        free_links++;
    }
    for (uint32_t j = x.free_job; j != GPUCMD_AGX_NONE; j = jobs[j].next) {
        free_jobs++;
    }
    EQUAL(x.fences.count, 0);
    EQUAL(free_links, 512);
    EQUAL(free_jobs, JOBS);
}

/* ---- failures ---- */

typedef struct blow {
    uint32_t queue, command;
    gpucmd_agx_ring part;
    gpucmd_agx_outcome outcome;
} blow;

static blow blows[4];
static unsigned blow_count;
static gpucmd_agx_result results[QUEUES][JOBS][4];

static void failing_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                         gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    for (unsigned i = 0; i < blow_count; i++) {
        if (blows[i].queue == job->queue && blows[i].command == command && blows[i].part == part) {
            fate->outcome = blows[i].outcome;
            fate->fault.fault_type = GPUCMD_AGX_FAULT_UNMAPPED;
            fate->fault.address = 0x1500000040u;
            fate->fault.is_read = 1;
        }
    }
    fate->tvb_used_pages = 3;
    fate->tvb_size_bytes = 0x80000;
    fate->tvb_flags = GPUCMD_DRM_ASAHI_DRAFT_TVB_OVERFLOWED;
    fate->partial_renders = 2;
}

static void keep_results(void *user, gpucmd_agx_exec_job *job)
{
    (void)user;
    for (uint32_t i = 0; i < job->job.count && i < 4; i++) {
        results[job->queue][job->number][i] = job->results[i];
    }
}

static void failing_setup(void)
{
    setup();
    x.fate = failing_fate;
    x.ended = keep_results;
    for (uint32_t q = 0; q < 3; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, q < 2 ? 1 : 2), q); /* 0 and 1 share a VM */
    }
}

static void failures(void)
{
    struct gpucmd_drm_asahi_draft_result_render rr;
    struct gpucmd_drm_asahi_draft_result_compute rc;
    /* R1 0-2-5 faults in its vertex half at 2; C1 0-4 of both queues of the VM overlaps that; the
     * queue of another VM does not care. Later work runs. */
    failing_setup();
    const uint32_t fence = gpucmd_fence_new(&x.fences, 0, 0);
    const blow vertex = {0, 0, GPUCMD_AGX_RING_VERTEX, GPUCMD_AGX_OUTCOME_FAULT};
    blows[0] = vertex;
    blow_count = 1;
    EQUAL(submit(0, "R1\nC1\nR2 [R1,C1]", NULL, 0, &fence, 1), GPUCMD_OK);
    EQUAL(submit(1, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(submit(2, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].outcome[0], GPUCMD_AGX_OUTCOME_FAULT);
    EQUAL(results[0][0][0].outcome[1], GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_FAULT);
    EQUAL(results[0][0][0].info.fault_type, GPUCMD_AGX_FAULT_UNMAPPED);
    EQUAL(results[0][0][0].info.address, 0x1500000040u);
    EQUAL(results[0][0][0].end[0], 2); /* ends at its planned end */
    EQUAL(results[0][0][1].info.status, GPUCMD_AGX_OUTCOME_KILLED);
    EQUAL(results[0][0][1].info.fault_type, 0);
    EQUAL(results[0][0][1].end[0], 4);
    EQUAL(results[1][0][0].info.status, GPUCMD_AGX_OUTCOME_KILLED);
    EQUAL(results[2][0][0].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[0][0][2].info.status, GPUCMD_AGX_OUTCOME_COMPLETE); /* not passed on */
    EQUAL(seen_error[0][0], 125); /* the killed compute ended after the fault: set last, stays */
    EQUAL(seen_error[1][0], 125);
    EQUAL(seen_error[2][0], 0);
    EQUAL(fences[fence - 1].error, 125);
    CHECK(fences[fence - 1].is_signalled);
    /* an operation that starts or ends at the time of the fault does not overlap it */
    failing_setup();
    const blow early = {0, 0, GPUCMD_AGX_RING_COMPUTE, GPUCMD_AGX_OUTCOME_TIMEOUT};
    blows[0] = early;
    EQUAL(submit(0, "C1\nR1\nR2\nC2", NULL, 0, NULL, 0), GPUCMD_OK); /* R2v 2-4 ends with C1 */
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_TIMEOUT);
    EQUAL(results[0][0][1].info.status, GPUCMD_AGX_OUTCOME_KILLED); /* R1f 2-5 */
    EQUAL(results[0][0][2].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[0][0][3].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    /* an operation without duration does not overlap those that start with it */
    failing_setup();
    blow_count = 1;
    x.durations.ring[0] = 0;
    EQUAL(submit(0, "C1\nR1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_TIMEOUT);
    EQUAL(results[0][0][1].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    /* two errors on one render: the vertex error wins, but a fragment error replaces KILLED */
    failing_setup();
    const blow frag = {0, 0, GPUCMD_AGX_RING_FRAGMENT, GPUCMD_AGX_OUTCOME_TIMEOUT};
    blows[0] = vertex;
    blows[1] = frag;
    blow_count = 2;
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_FAULT);
    EQUAL(seen_error[0][0], 110);
    failing_setup();
    const blow other = {1, 0, GPUCMD_AGX_RING_COMPUTE, GPUCMD_AGX_OUTCOME_CHANNEL_ERROR};
    blows[0] = other;
    x.durations.ring[0] = 1;
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(submit(1, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].outcome[0], GPUCMD_AGX_OUTCOME_KILLED);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_TIMEOUT);
    EQUAL(seen_error[1][0], 5);
    /* the draft's result structures */
    gpucmd_agx_encode_result_render(&results[0][0][0], &rr);
    EQUAL(rr.info.status, 3);
    EQUAL(rr.flags, 4);
    EQUAL(rr.vertex_ts_start, 0);
    EQUAL(rr.vertex_ts_end, 2);
    EQUAL(rr.fragment_ts_start, 2);
    EQUAL(rr.fragment_ts_end, 5);
    EQUAL(rr.tvb_size_bytes, 0x80000);
    EQUAL(rr.tvb_usage_bytes, 3 * 32768);
    EQUAL(rr.num_tvb_overflows, 2);
    gpucmd_agx_encode_result_compute(&results[1][0][0], &rc);
    EQUAL(rc.info.status, 7);
    EQUAL(rc.flags, 0);
    EQUAL(rc.ts_start, 0);
    EQUAL(rc.ts_end, 1);
    /* as many bytes as the result has room for, and no more */
    static uint8_t buffer[128];
    gpucmd_region region = {0x1000, sizeof buffer, buffer, GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    memset(buffer, 0xee, sizeof buffer);
    EQUAL(gpucmd_agx_write_result(&mem, 0x1000, 128, GPUCMD_AGX_KIND_RENDER, &results[0][0][0]),
          GPUCMD_OK);
    EQUAL(buffer[0], 3);
    EQUAL(buffer[48], 2);
    EQUAL(buffer[64], 5);
    EQUAL(buffer[88], 2);
    EQUAL(buffer[95], 0);
    EQUAL(buffer[96], 0xee);
    memset(buffer, 0xee, sizeof buffer);
    EQUAL(gpucmd_agx_write_result(&mem, 0x1000, 48, GPUCMD_AGX_KIND_COMPUTE, &results[1][0][0]),
          GPUCMD_OK);
    EQUAL(buffer[0], 7);
    EQUAL(buffer[47], 0);
    EQUAL(buffer[48], 0xee);
    EQUAL(gpucmd_agx_write_result(&mem, 0x1040, 96, GPUCMD_AGX_KIND_RENDER, &results[0][0][0]),
          GPUCMD_FAULT);
    EQUAL(buffer[0x40], 0xee);
}

/* C2 of queue 0 starts at 4, when C1 of queue 1 fails: it does not overlap the failure. */
static void starts_with_failure(void)
{
    const blow other = {1, 0, GPUCMD_AGX_RING_COMPUTE, GPUCMD_AGX_OUTCOME_TIMEOUT};
    failing_setup();
    blows[0] = other;
    blow_count = 1;
    EQUAL(submit(0, "C1\nC2", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(submit(1, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(results[0][0][0].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[0][0][1].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[1][0][0].info.status, GPUCMD_AGX_OUTCOME_TIMEOUT);
}

/* ---- deadlock ---- */

static void deadlocks(void)
{
    gpucmd_agx_deadlock arcs[8];
    uint32_t f[4];
    /* nothing to say while nothing waits */
    setup();
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 0);
    for (uint32_t q = 0; q < 4; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
    }
    /* a fence of the caller: blocked without a cycle, until the caller signals */
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(submit(0, "C1", f, 1, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 0);
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_ORDER);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    /* queue 0 waits for the second job of queue 1, whose first job waits for queue 2, which waits
     * for queue 0; queue 3 waits for queue 2 and is not in the cycle */
    for (int i = 0; i < 4; i++) {
        f[i] = gpucmd_fence_new(&x.fences, 0, 0);
    }
    EQUAL(submit(0, "C1", &f[1], 1, &f[0], 1), GPUCMD_OK); /* q0 j1 waits f1, signals f0 */
    EQUAL(submit(1, "C1", &f[2], 1, NULL, 0), GPUCMD_OK);  /* q1 j0 waits f2 */
    EQUAL(submit(1, "C1", NULL, 0, &f[1], 1), GPUCMD_OK);  /* q1 j1 signals f1 */
    EQUAL(submit(2, "C1", &f[0], 1, &f[2], 1), GPUCMD_OK); /* q2 j0 waits f0, signals f2 */
    EQUAL(submit(3, "C1", &f[2], 1, &f[3], 1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 3);
    for (int i = 0; i < 3; i++) {
        static const gpucmd_agx_deadlock want[3] = {
            {0, 1, 0, 1, 1},
            {1, 0, 0, 2, 0},
            {2, 0, 0, 0, 1},
        };
        const gpucmd_agx_deadlock *arc = &want[arcs[i].queue % 3];
        EQUAL(arcs[i].job, arc->job);
        EQUAL(arcs[i].for_queue, arc->for_queue);
        EQUAL(arcs[i].for_job, arc->for_job);
        EQUAL(arcs[i].fence, f[(arcs[i].queue + 1) % 3]);
        EQUAL(arcs[(i + 1) % 3].queue, arcs[i].for_queue); /* a cycle, in order */
    }
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 1), 1);
    /* queues 1 and 2 wait for each other; queue 0 waits for queue 1, queue 3 for nothing. Three arcs
     * from queue 0, the first that waits, is queue 1. */
    setup();
    for (uint32_t q = 0; q < 4; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
    }
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    f[2] = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(submit(0, "C1", &f[1], 1, NULL, 0), GPUCMD_OK);
    EQUAL(submit(1, "C1", &f[2], 1, &f[1], 1), GPUCMD_OK);
    EQUAL(submit(2, "C1", &f[1], 1, &f[2], 1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 2);
    CHECK(arcs[0].queue == 1 && arcs[0].for_queue == 2);
    CHECK(arcs[1].queue == 2 && arcs[1].for_queue == 1);
    /* a job that waits for a later job of its own queue */
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(submit(0, "R1", f, 1, NULL, 0), GPUCMD_OK);
    EQUAL(submit(0, "R1", NULL, 0, f, 1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 1);
    EQUAL(arcs[0].queue, 0);
    EQUAL(arcs[0].for_job, 1);
    /* a running job is not part of a deadlock, even if its signal would complete a cycle of jobs */
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(submit(0, "C1\nC2", NULL, 0, &f[0], 1), GPUCMD_OK);
    EQUAL(submit(0, "C1", &f[1], 1, NULL, 0), GPUCMD_OK);
    EQUAL(submit(1, "C1", &f[0], 1, &f[1], 1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 0);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    /* through the point before it on a timeline */
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, f[0], 0);
    EQUAL(submit(1, "C1", NULL, 0, &f[1], 1), GPUCMD_OK);
    EQUAL(submit(0, "C1", &f[1], 1, &f[0], 1), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_agx_exec_deadlock(&x, arcs, 8), 1);
    EQUAL(arcs[0].fence, f[0]);
}

/* Each of six queues waits for another one, so that some wait for each other: a cycle, in order. */
static void cycles(void)
{
    for (unsigned round = 0; round < 200; round++) {
        gpucmd_agx_deadlock arcs[QUEUES];
        uint32_t f[QUEUES], to[QUEUES];
        setup();
        for (uint32_t q = 0; q < QUEUES; q++) {
            EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
            f[q] = gpucmd_fence_new(&x.fences, 0, 0);
            to[q] = (q + 1 + test_random(QUEUES - 1)) % QUEUES;
        }
        for (uint32_t q = 0; q < QUEUES; q++) {
            EQUAL(submit(q, "C1", &f[to[q]], 1, &f[q], 1), GPUCMD_OK);
        }
        EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_BLOCKED);
        const uint32_t n = gpucmd_agx_exec_deadlock(&x, arcs, QUEUES);
        CHECK(n >= 2 && n <= QUEUES);
        for (uint32_t i = 0; i < n && n <= QUEUES; i++) {
            EQUAL(arcs[i].for_queue, to[arcs[i].queue]);
            EQUAL(arcs[i].fence, f[to[arcs[i].queue]]);
            EQUAL(arcs[i].for_queue, arcs[(i + 1) % n].queue);
            CHECK(i == 0 || arcs[i].queue != arcs[0].queue);
        }
    }
}

/* ---- limits and failures ---- */

static void limits(void)
{
    gpucmd_agx_exec_tables t = tables();
    gpucmd_agx_job job;
    const gpucmd_agx_submission alone = {&job, NULL, 0, 0, NULL, 0};
    uint32_t slot = 99;
    uint32_t f;
    gpucmd_env_init(&env, NULL, NULL, NULL);
    t.ring_entries = 193;
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_RANGE);
    setup();
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), GPUCMD_RANGE); /* no such queue */
    for (uint32_t q = 0; q < QUEUES; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
    }
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), GPUCMD_AGX_NONE);
    f = 5;
    EQUAL(submit(0, "R1", &f, 1, NULL, 0), GPUCMD_RANGE); /* no such fence */
    EQUAL(submit(0, "R1", NULL, 0, &f, 1), GPUCMD_RANGE);
    f = gpucmd_fence_new(&x.fences, 0, 0);
    const uint32_t twice[2] = {f, f};
    EQUAL(submit(0, "R1", NULL, 0, twice, 2), GPUCMD_ORDER);
    EQUAL(submit(0, "R1", NULL, 0, twice, 1), GPUCMD_OK);
    EQUAL(submit(0, "R1", NULL, 0, twice, 1), GPUCMD_ORDER); /* signalled by the job above */
    EQUAL(gpucmd_fence_signal(&x.fences, f, 0), GPUCMD_ORDER);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER); /* not idle */
    job_of("R1", &job);
    job.commands[0].render_barrier = 1;
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_ORDER);
    job.count = 0;
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_RANGE);
    job.count = GPUCMD_AGX_MAX_COMMANDS + 1;
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_RANGE);
    EQUAL(slot, 99);
    for (uint32_t j = 1; j < JOBS; j++) {
        EQUAL(submit(j % QUEUES, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    }
    EQUAL(submit(0, "C1", NULL, 0, NULL, 0), GPUCMD_FULL);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 3), GPUCMD_RUN_LIMIT);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(bad_events, 0);
}

/* A job waits for event slots: of jobs with 60 computes two fit into 127 slots. The third needs 60
 * of the 7 free slots, and starts when 120 + 60 - 127 + 1 = 54 computes have ended. */
static void event_slots(void)
{
    gpucmd_agx_job job;
    const gpucmd_agx_submission alone = {&job, NULL, 0, 0, NULL, 0};
    uint32_t slot;
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (int i = 0; i < 60; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    }
    for (int i = 0; i < 3; i++) {
        EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(seen_push[0][0], 0);
    EQUAL(seen_push[0][1], 0);
    EQUAL(seen_push[0][2], 54 * 4);
    EQUAL(seen_done[0][2], 180 * 4);
}

/* A job waits for entries, too: 194 entries have room for one job of 64 renders with two barriers
 * each (192 in the vertex queue). Index 0 counts, even if it needs no entry. */
static void ring_space(void)
{
    gpucmd_agx_exec_tables t = tables();
    gpucmd_agx_job job;
    const gpucmd_agx_submission alone = {&job, NULL, 0, 0, NULL, 0};
    uint32_t slot;
    setup();
    gpucmd_env_init(&env, NULL, note, NULL);
    t.ring_entries = 194;
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    x.durations.ring[1] = 2;
    x.durations.ring[2] = 3;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    gpucmd_agx_job_init(&job);
    for (uint32_t i = 0; i < 64; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, i, 0), GPUCMD_OK);
    }
    for (int i = 0; i < 5; i++) {
        EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10000), GPUCMD_RUN_IDLE);
    EQUAL(seen_push[0][0], 0);
    EQUAL(seen_done[0][0], 64 * 5);
    EQUAL(seen_push[0][1], 64 * 5 - 3); /* the vertex ring is empty when its last item has ended */
    EQUAL(seen_done[0][4], 5 * 64 * 5);
    EQUAL(bad_events, 0);
}

/* A lost GPU: R2v is about to start, a job waits for a fence that the caller signals later. None of
 * them is heard of but as a job that failed. */
static void lost(void)
{
    uint32_t f;
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    f = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(submit(0, "R1\nR2 [R1, -]", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(submit(0, "C1", &f, 1, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1v 0-2 */
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE); /* R1f 2-5; R2v is next */
    EQUAL(submit(0, "R1", NULL, 0, NULL, 0), GPUCMD_OK);
    const unsigned before = events;
    gpucmd_agx_exec_lose(&x);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 100), GPUCMD_RUN_BLOCKED);
    EQUAL(x.now, 5);
    EQUAL(events, before + 1); /* the first job's end */
    EQUAL(seen_error[0][0], 19);
    EQUAL(seen[0][0][1][1].started, false);
    EQUAL(gpucmd_fence_signal(&x.fences, f, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(events, before + 5); /* two more jobs pushed and ended */
    EQUAL(seen_error[0][1], 19);
    EQUAL(seen_error[0][2], 19);
    EQUAL(seen[0][1][0][0].started, false);
    EQUAL(x.now, 5);
}

/* A GPU that is lost while the executor searches for the operation that ends first: all operations end now, the lower queue first, although it would have ended last. */
static uint32_t end_order[QUEUES], end_count;

static void note_end(void *user, gpucmd_agx_exec_job *job)
{
    (void)user;
    end_order[end_count++ % QUEUES] = job->queue;
}

static void lower_is_longer(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                            gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)command;
    (void)part;
    fate->duration = 100 - 10 * job->queue;
}

static void lost_in_search(void)
{
    uint32_t searches = 0;
    for (uint32_t n = 1; n <= GPUCMD_AGX_MAX_COMMANDS; n++) {
        gpucmd_agx_job job;
        const gpucmd_agx_submission first = {&job, NULL, 0, 0, NULL, 0};
        uint32_t slot;
        setup();
        gpucmd_agx_job_init(&job);
        for (uint32_t i = 0; i < n; i++) { /* other numbers of pieces before the search */
            EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
        }
        x.fate = lower_is_longer;
        x.ended = note_end;
        end_count = 0;
        for (uint32_t q = 0; q < QUEUES; q++) {
            EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
            EQUAL(q == 0 ? gpucmd_agx_exec_submit(&x, 0, &first, &slot)
                         : submit(q, "C1", NULL, 0, NULL, 0),
                  GPUCMD_OK);
        }
        while (x.now == 0 && !(x.settled && x.at != 0 && x.first != GPUCMD_AGX_NONE)) {
            EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT);
        }
        if (x.now == 0) {
            searches++;
            gpucmd_agx_exec_lose(&x);
            EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
            EQUAL(x.now, 0);
            EQUAL(end_count, QUEUES);
            for (uint32_t q = 0; q < QUEUES; q++) {
                EQUAL(end_order[q], q);
            }
        }
    }
    CHECK(searches != 0);
}

/* A retired queue accepts no job and becomes free with its last job. */
static void retired(void)
{
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(submit(0, "C1", NULL, 0, NULL, 0), GPUCMD_OK);
    gpucmd_agx_exec_queue_retire(&x, 0);
    EQUAL(submit(0, "C1", NULL, 0, NULL, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1); /* its row is still in use */
    EQUAL(gpucmd_agx_exec_run(&x, &env, 10), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
}

/* Stamps are compared modulo 2^32: an item count that passes the end of 32 bits changes nothing. */
static void stamp_wrap(void)
{
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    for (uint32_t r = 0; r < GPUCMD_AGX_RINGS; r++) {
        queues[0].rings[r].queued = queues[0].rings[r].ended = 0xfffffffe;
    }
    EQUAL(submit(0, schedules[0].notation, NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    CHECK(holds(0, 0,
                "R1v 0-2, R1f 2-5, R2v 8-10, R2f 10-13, R3v 10-12, R3f 13-16, R4v 16-18, "
                "R4f 18-21, C1 0-4, C2 4-8"));
    EQUAL(queues[0].rings[GPUCMD_AGX_RING_VERTEX].ended, 2);
    EQUAL(bad_events, 0);
}

/* What a callback leaves out is zero, whatever the ring's last operation had. */
static gpucmd_agx_result first_three[3];

static void keep_first(void *user, gpucmd_agx_exec_job *job)
{
    (void)user;
    memcpy(first_three, job->results, sizeof first_three);
}

static void fate_of_first(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                          gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)job;
    (void)part;
    EQUAL(fate->outcome, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(fate->duration, part == GPUCMD_AGX_RING_VERTEX    ? 2
                          : part == GPUCMD_AGX_RING_COMPUTE ? 4
                                                            : 3);
    if (command == 2) { /* a timeout carries no fault record */
        fate->outcome = GPUCMD_AGX_OUTCOME_TIMEOUT;
        fate->fault.unit = 9;
    }
    if (command == 0) {
        fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
        fate->fault.unit = 5;
        fate->partial_renders = 3;
        fate->tvb_flags = 1;
        fate->tvb_size_bytes = 2;
        fate->tvb_used_pages = 4;
    }
}

static void fresh_fate(void)
{
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    x.fate = fate_of_first;
    x.ended = keep_first;
    EQUAL(submit(0, "R1\nR2 [R1,-]\nC1 [R2,-]", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(first_three[0].partial_renders, 3);
    EQUAL(first_three[0].tvb_usage_bytes, 4 * 32768);
    EQUAL(first_three[0].info.unit, 5);
    EQUAL(first_three[1].info.status, GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(first_three[1].info.unit, 0);
    EQUAL(first_three[1].partial_renders, 0);
    EQUAL(first_three[1].tvb_flags, 0);
    EQUAL(first_three[1].tvb_size_bytes, 0);
    EQUAL(first_three[1].tvb_usage_bytes, 0);
    EQUAL(first_three[2].info.status, GPUCMD_AGX_OUTCOME_TIMEOUT);
    EQUAL(first_three[2].info.unit, 0);
}

/* Tables end where their counts say. */
static void table_ends(void)
{
    gpucmd_agx_exec_tables t = tables();
    uint32_t f = 256;
    setup();
    gpucmd_env_init(&env, NULL, note, NULL);
    t.fence_count = 255;
    t.queue_count = 2;
    EQUAL(gpucmd_agx_exec_init(&x, &t), GPUCMD_OK);
    fences[255].refs = 1; /* as if in use */
    fences[255].is_signalled = false;
    queues[2].used = true;
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(submit(0, "C1", &f, 1, NULL, 0), GPUCMD_RANGE);
    EQUAL(submit(0, "C1", NULL, 0, &f, 1), GPUCMD_RANGE);
    EQUAL(gpucmd_fence_signal(&x.fences, 256, 0), GPUCMD_RANGE);
    gpucmd_fence_hold(&x.fences, 256);
    gpucmd_fence_release(&x.fences, 256);
    EQUAL(fences[255].refs, 1);
    EQUAL(gpucmd_fence_new(&x.fences, 256, 0), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), GPUCMD_AGX_NONE);
    EQUAL(submit(2, "C1", NULL, 0, NULL, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_exec_queue_close(&x, 2), GPUCMD_RANGE);
    gpucmd_agx_exec_queue_retire(&x, 2);
    EQUAL(queues[2].used, true);
    queues[2].used = false;
    fences[255].refs = 0;
}

/* Each command of a job is checked, not only the first. */
static void bad_barriers(void)
{
    setup();
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    for (uint32_t at = 0; at < 4; at++) {
        for (unsigned part = 0; part < 2; part++) {
            gpucmd_agx_job job;
            const gpucmd_agx_submission alone = {&job, NULL, 0, 0, NULL, 0};
            uint32_t slot = 99;
            job_of("C1\nC2\nR1\nR2", &job);
            *(part != 0 ? &job.commands[at].compute_barrier : &job.commands[at].render_barrier) = 9;
            EQUAL(gpucmd_agx_exec_submit(&x, 0, &alone, &slot), GPUCMD_ORDER);
            EQUAL(slot, 99);
        }
    }
}

/* Entries of the firmware queues: stamp, operation, target, command, number. */
static void entries(void)
{
    static const uint8_t want[][6] = {
        {GPUCMD_AGX_RING_COMPUTE,  1, GPUCMD_AGX_OP_RUN,  GPUCMD_AGX_RING_COMPUTE,  1, 2},
        {GPUCMD_AGX_RING_VERTEX,   1, GPUCMD_AGX_OP_WAIT, GPUCMD_AGX_RING_COMPUTE,  2, 1},
        {GPUCMD_AGX_RING_VERTEX,   1, GPUCMD_AGX_OP_RUN,  GPUCMD_AGX_RING_VERTEX,   2, 1},
        {GPUCMD_AGX_RING_FRAGMENT, 1, GPUCMD_AGX_OP_WAIT, GPUCMD_AGX_RING_VERTEX,   2, 1},
        {GPUCMD_AGX_RING_FRAGMENT, 1, GPUCMD_AGX_OP_RUN,  GPUCMD_AGX_RING_FRAGMENT, 2, 1},
    };
    uint32_t at[GPUCMD_AGX_RINGS] = {1, 0, 0}; /* C1 is executing */
    setup();
    memset(slots, 0xee, sizeof slots);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(submit(0, "C1\nC2\nR1 [-,C1]", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 0), GPUCMD_RUN_LIMIT);
    EQUAL(events, 0); /* no budget, no work */
    test_dirty();
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT);
    CHECK(events != 0);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const uint8_t *const v = want[i];
        const gpucmd_agx_slot *const s = &slots[v[0] * GPUCMD_AGX_RING_ENTRIES + at[v[0]]++];
        EQUAL(s->op, v[2]);
        EQUAL(s->target, v[3]);
        EQUAL(s->command, v[4]);
        EQUAL(s->number, v[5]);
        EQUAL(s->job, 0);
        if (s->op == GPUCMD_AGX_OP_WAIT) {
            EQUAL(s->stamp, v[1]);
        }
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(bad_events, 0);
}

/* A queue that is opened again is as new. */
static void opened_again(void)
{
    gpucmd_agx_exec_queue fresh;
    setup();
    memset(&queues[0], 0, sizeof queues[0]);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 7), 0);
    fresh = queues[0];
    EQUAL(submit(0, "C1\nR1\nR2", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    for (unsigned r = 0; r < GPUCMD_AGX_RINGS; r++) { /* work in one ring is enough */
        queues[0].rings[r].running = true;
        EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
        queues[0].rings[r].running = false;
    }
    EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 7), 0);
    EQUAL(queues[0].jobs, 0);
    for (unsigned r = 0; r < GPUCMD_AGX_RINGS; r++) {
        EQUAL(queues[0].rings[r].queued, 0);
        EQUAL(queues[0].rings[r].ended, 0);
        EQUAL(queues[0].rings[r].head, 0);
        EQUAL(queues[0].rings[r].count, 0);
    }
    CHECK(memcmp(&queues[0], &fresh, sizeof fresh) == 0);
}

/* Entries cost, too: the starts of six queues at one time are more than one unit, which takes 64
 * pieces: 6 * (1 check, 3 to push a command, twice, and 5 to start an operation, twice). */
static void charges(void)
{
    uint32_t units = 0;
    setup();
    for (uint32_t q = 0; q < QUEUES; q++) {
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), q);
        EQUAL(submit(q, "C1\nR1", NULL, 0, NULL, 0), GPUCMD_OK);
    }
    while (x.now == 0 && units < 100) {
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT);
        units++;
    }
    EQUAL(units, 2);
}

/* What one step costs: 1 for each row of a queue to check it and 1 to search it, 1 to begin with a
 * job and 1 for each 8 commands of it, 3 to push a command, 5 to start and to end an operation, 1
 * for an entry that waits, for an in-fence and for the end of a job; 3 for an out-fence; 1 for each
 * row of a queue if the operation failed. */
static void pieces(void)
{
    static const struct {
        const char *job;
        uint32_t in, out;
        bool fails;
        int32_t pieces;
    } rows[] = {
        {"C1",                             0, 0, false, 2 * QUEUES + 1 + 3 + 5 + 5 + 1        },
        {"C1",                             7, 0, false, 2 * QUEUES + 1 + 3 + 5 + 5 + 1 + 7    },
        {"C1",                             0, 6, false, 2 * QUEUES + 1 + 3 + 5 + 5 + 1 + 6 * 3},
        {"C1",                             0, 0, true,  3 * QUEUES + 1 + 3 + 5 + 5 + 1        },
        {"C1\nC2\nC3\nC4\nC5\nC6\nC7",     0, 0, false, 2 * QUEUES + 1 + 7 * 3 + 5 + 5        },
        {"C1\nC2\nC3\nC4\nC5\nC6\nC7\nC8", 0, 0, false, 2 * QUEUES + 2 + 8 * 3 + 5 + 5        },
        {"C1\nR1 [-,C1]",                  0, 0, false, 2 * QUEUES + 1 + 2 * 3 + 5 + 2 + 5    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t f[8];
        setup();
        x.fate = rows[i].fails ? failing_fate : NULL;
        blow_count = 1;
        blows[0].queue = blows[0].command = 0;
        blows[0].part = GPUCMD_AGX_RING_COMPUTE;
        blows[0].outcome = GPUCMD_AGX_OUTCOME_TIMEOUT;
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        for (uint32_t k = 0; k < rows[i].in + rows[i].out; k++) {
            f[k] = gpucmd_fence_new(&x.fences, 0, 0);
            if (k < rows[i].in) {
                EQUAL(gpucmd_fence_signal(&x.fences, f[k], 0), GPUCMD_OK);
            }
        }
        EQUAL(submit(0, rows[i].job, f, rows[i].in, f + rows[i].in, rows[i].out), GPUCMD_OK);
        (void)gpucmd_agx_exec_run(&x, &env, 1);
        EQUAL(x.now, 4);
        EQUAL(x.pieces, 64 - rows[i].pieces);
    }
}

/* A queue with a job that waits for a fence is checked once after each signal of any fence. If a
 * callback fails in this check, the next run repeats it. */
static void checks(void)
{
    uint32_t f[2];
    setup();
    f[0] = gpucmd_fence_new(&x.fences, 0, 0);
    f[1] = gpucmd_fence_new(&x.fences, 0, 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
    EQUAL(submit(0, "C1", f, 1, NULL, 0), GPUCMD_OK);
    EQUAL(submit(1, "C1\nC2\nC3", NULL, 0, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_step(&x, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_fence_signal(&x.fences, f[1], 0), GPUCMD_OK);
    for (int i = 0; i < 2; i++) { /* C2, and 1 for the job of queue 0; C3, and 1 to end its job */
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT);
        EQUAL(x.pieces, 64 - (2 * QUEUES + 5 + 5 + 1));
    }
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_fence_signal(&x.fences, f[0], 0), GPUCMD_OK);
    refuse_at = events + 1;
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_FAULT);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1), GPUCMD_RUN_LIMIT);
    EQUAL(x.pieces, 64 - (2 * QUEUES + 1 + 3 + 5 + 5 + 1));
    EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(x.now, 16);
}

/* The end of a job with 100 fences takes several units. Until all have signalled its queue cannot close, and
 * a retired queue stays; another queue can close. */
static void ends_in_parts(void)
{
    uint32_t out[100];
    for (int retire = 0; retire < 2; retire++) {
        unsigned units = 0;
        setup();
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        for (int i = 0; i < 100; i++) {
            out[i] = gpucmd_fence_new(&x.fences, 0, 0);
        }
        EQUAL(submit(0, "C1", NULL, 0, out, 100), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
        for (; gpucmd_agx_exec_run(&x, &env, 1) == GPUCMD_RUN_LIMIT && units < 50;) {
            if (fences[out[0] - 1].is_signalled !=
                fences[out[99] - 1].is_signalled) { /* some have */
                units++;
                EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
                EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
                EQUAL(gpucmd_agx_exec_queue_close(&x, 1), GPUCMD_OK);
                if (retire != 0) {
                    gpucmd_agx_exec_queue_retire(&x, 0);
                    CHECK(queues[0].used);
                }
            }
        }
        CHECK(units >= 2 && units < 50);
        CHECK(fences[out[0] - 1].is_signalled && fences[out[99] - 1].is_signalled);
        EQUAL(queues[0].used, retire == 0);
        EQUAL(gpucmd_agx_exec_queue_close(&x, 0), retire == 0 ? GPUCMD_OK : GPUCMD_RANGE);
    }
}

/* Signalled in-fences use up a unit between the two steps that take a job from its list and that fill the
 * firmware queues, which are empty then. The queue of the job cannot close, another one can. */
static void closes_in_push(void)
{
    unsigned found = 0;
    for (uint32_t n = 0; n < 70; n++) {
        uint32_t in[70];
        setup();
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        for (uint32_t i = 0; i < n; i++) {
            in[i] = gpucmd_fence_new(&x.fences, 0, 0);
            EQUAL(gpucmd_fence_signal(&x.fences, in[i], 0), GPUCMD_OK);
        }
        EQUAL(submit(0, "C1", in, n, NULL, 0), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 1);
        while (gpucmd_agx_exec_run(&x, &env, 1) == GPUCMD_RUN_LIMIT) {
            if (x.pushing != GPUCMD_AGX_NONE && queues[0].rings[0].count == 0) {
                found++;
                EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_ORDER);
                EQUAL(gpucmd_agx_exec_queue_close(&x, 1), GPUCMD_OK);
            }
        }
        EQUAL(gpucmd_agx_exec_queue_close(&x, 0), GPUCMD_OK);
    }
    CHECK(found != 0);
}

/* A callback that returns a failure stops the run; the same event is repeated, but the last one, the end of
 * the job, has happened. */
static void refusing(void)
{
    for (unsigned at = 1; at <= 22; at++) {
        setup();
        EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
        refuse_at = at;
        EQUAL(submit(0, schedules[0].notation, NULL, 0, NULL, 0), GPUCMD_OK);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_FAULT);
        EQUAL(x.fault, GPUCMD_FAULT);
        EQUAL(gpucmd_agx_exec_run(&x, &env, 1000), GPUCMD_RUN_IDLE);
        CHECK(holds(0, 0,
                    "R1v 0-2, R1f 2-5, R2v 8-10, R2f 10-13, R3v 10-12, R3f 13-16, R4v 16-18, "
                    "R4f 18-21, C1 0-4, C2 4-8"));
        EQUAL(bad_events, 0);
    }
}

int main(void)
{
    known_schedules();
    worked_example();
    out_of_order();
    for (unsigned round = 0; round < 400; round++) {
        random_world(round);
    }
    failures();
    starts_with_failure();
    deadlocks();
    cycles();
    limits();
    event_slots();
    ring_space();
    lost();
    lost_in_search();
    retired();
    stamp_wrap();
    fresh_fate();
    table_ends();
    bad_barriers();
    entries();
    opened_again();
    charges();
    pieces();
    checks();
    ends_in_parts();
    closes_in_push();
    refusing();
    return test_report("agx_exec");
}

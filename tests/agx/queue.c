/* agx/queue.c - lowering, order and times of one job: the published example line by line, the known
 * scheduling examples, and every job of up to four commands against the formal definition. */
/* suite: long */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/schedules.h"
#include "agx/oracle.h"

static void job_of(const char *notation, gpucmd_agx_job *job)
{
    gpucmd_agx_finding f;
    EQUAL(gpucmd_agx_parse_notation(notation, strlen(notation), true, job, &f), GPUCMD_OK);
}

/* The driver notes' table, entry by entry, in the order the kernel queues them. */
static void published(void)
{
    static const char *const want[] = {
        "V WAIT C0",  "V RUN R1v", "F WAIT R1v", "F RUN R1f",  "C RUN C1",   "C RUN C2",
        "V WAIT R1f", "V WAIT C2", "V RUN R2v",  "F WAIT R2v", "F RUN R2f",  "V RUN R3v",
        "F WAIT R3v", "F RUN R3f", "V WAIT R3f", "V RUN R4v",  "F WAIT R4v", "F RUN R4f",
    };
    gpucmd_agx_job job;
    gpucmd_agx_entry e[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t n = 0;
    job_of(schedules[0].notation, &job);
    EQUAL(gpucmd_agx_lower(&job, GPUCMD_AGX_PRIOR_BOTH, e, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_OK);
    EQUAL(n, 18);
    for (uint32_t i = 0; i < n; i++) {
        char buf[32];
        gpucmd_text t;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_text_char(&t, "CVF"[e[i].ring]);
        gpucmd_text_char(&t, ' ');
        gpucmd_agx_print_entry(&t, &e[i]);
        TEXT(buf, want[i]);
        EQUAL(e[i].redundant, false);
    }
    uint32_t m = 77;
    EQUAL(gpucmd_agx_lower(&job, 0, e, 16, &m), GPUCMD_FULL);
    EQUAL(m, 77);
    for (uint32_t cap = 17; cap < 26; cap++) { /* C0 is not alive */
        gpucmd_agx_entry few[26];
        memset(few, 0xff, sizeof few);
        EQUAL(gpucmd_agx_lower(&job, 0, few, cap, &m), GPUCMD_OK);
        EQUAL(m, 17);
        for (uint32_t i = 0; i < 17; i++) { /* all but the first */
            char buf[32];
            gpucmd_text t;
            gpucmd_text_init(&t, buf, sizeof buf);
            gpucmd_text_char(&t, "CVF"[few[i].ring % 3]);
            gpucmd_text_char(&t, ' ');
            gpucmd_agx_print_entry(&t, &few[i]);
            TEXT(buf, want[i + 1]);
        }
        EQUAL(few[cap].ring, ((gpucmd_agx_entry *)memset(e, 0xff, sizeof e))->ring);
    }
    job.commands[0].render_barrier = 1;
    EQUAL(gpucmd_agx_lower(&job, 0, e, GPUCMD_AGX_MAX_ENTRIES, &m), GPUCMD_ORDER);
    EQUAL(m, 17);
}

static void tsv(void)
{
    static char buf[2048];
    gpucmd_agx_job job;
    gpucmd_agx_entry e[GPUCMD_AGX_MAX_ENTRIES];
    gpucmd_text t;
    uint32_t n = 0;
    job_of("R1 [-,C0]\nC1\nB2 [R1,C1]\nR3 [R2,-]", &job);
    EQUAL(gpucmd_agx_lower(&job, 3, e, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_OK);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_queues_tsv(&t, e, n);
    TEXT(buf, "queue\top\ttarget\n"
              "compute\tRUN\tC1\n"
              "vertex\tWAIT\tC0\nvertex\tRUN\tR1v\nvertex\tWAIT\tB2f\nvertex\tRUN\tR3v\n"
              "fragment\tWAIT\tR1v\nfragment\tRUN\tR1f\nfragment\tWAIT\tR1f\n"
              "fragment\tWAIT\tC1\nfragment\tRUN\tB2f\nfragment\tWAIT\tR3v\n"
              "fragment\tRUN\tR3f\n");
}

/* Prior work: a blit that is first runs after both halves of all earlier renders. */
static void prior_work(void)
{
    static gpucmd_agx_order order;
    gpucmd_agx_job job;
    job_of("B1\nC1\nR2", &job);
    gpucmd_agx_order_init(&order, &job, GPUCMD_AGX_PRIOR_BOTH, -1, GPUCMD_AGX_RING_COMPUTE);
    EQUAL(order.before[0][1].ended[GPUCMD_AGX_RING_FRAGMENT], 1);
    EQUAL(order.before[0][1].ended[GPUCMD_AGX_RING_VERTEX], 1);
    EQUAL(order.before[0][1].ended[GPUCMD_AGX_RING_COMPUTE], 0);
    EQUAL(order.before[1][0].ended[GPUCMD_AGX_RING_COMPUTE], 1);
    EQUAL(order.before[1][0].ended[GPUCMD_AGX_RING_VERTEX], 0);
    EQUAL(order.before[2][0].ended[GPUCMD_AGX_RING_VERTEX], 1);
    EQUAL(order.before[2][0].ended[GPUCMD_AGX_RING_FRAGMENT], 0);
    EQUAL(order.before[2][1].ended[GPUCMD_AGX_RING_FRAGMENT], 2);
    EQUAL(order.before[2][1].ended[GPUCMD_AGX_RING_VERTEX], 3);
}

/* Without its redundant waits a job has one entry less: C1 has waited for R1f, so R2v need not. */
static void dropped(void)
{
    static const char *const want[] = {"V RUN R1v",  "F WAIT R1v", "F RUN R1f",
                                       "C WAIT R1f", "C RUN C1",   "V WAIT C1",
                                       "V RUN R2v",  "F WAIT R2v", "F RUN R2f"};
    gpucmd_agx_job job;
    gpucmd_agx_entry e[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t n = 0;
    job_of("R1\nC1 [R1, -]\nR2 [R1, C1]", &job);
    EQUAL(gpucmd_agx_lower(&job, 0, e, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_OK);
    EQUAL(n, 10);
    n = gpucmd_agx_drop_redundant(e, n);
    EQUAL(n, 9);
    for (uint32_t i = 0; i < n; i++) {
        char buf[32];
        gpucmd_text t;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_text_char(&t, "CVF"[e[i].ring]);
        gpucmd_text_char(&t, ' ');
        gpucmd_agx_print_entry(&t, &e[i]);
        TEXT(buf, want[i]);
    }
    EQUAL(gpucmd_agx_drop_redundant(e, n), 9);
    EQUAL(gpucmd_agx_drop_redundant(e, 0), 0);
    /* a barrier on a later command, of either kind */
    job.commands[1].render_barrier = NONE;
    job.commands[1].compute_barrier = 1;
    EQUAL(gpucmd_agx_lower(&job, 0, e, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_ORDER);
    EQUAL(n, 9);
}

/* The order of a job without one barrier of one command. */
static void without(void)
{
    static gpucmd_agx_order order;
    gpucmd_agx_job job;
#define ORDERED(notation, idx, part, first, first_part, second, second_part, want)                 \
    job_of(notation, &job);                                                                        \
    gpucmd_agx_order_init(&order, &job, GPUCMD_AGX_PRIOR_NONE, idx, GPUCMD_AGX_RING_##part);       \
    EQUAL(gpucmd_agx_ordered(&order, &job, first, GPUCMD_AGX_RING_##first_part, second,            \
                             GPUCMD_AGX_RING_##second_part),                                       \
          want)
    ORDERED("R1\nC1 [R1, -]", -1, VERTEX, 0, FRAGMENT, 1, COMPUTE, true);
    ORDERED("R1\nC1 [R1, -]", 1, VERTEX, 0, FRAGMENT, 1, COMPUTE, false);
    ORDERED("R1\nC1 [R1, -]", 1, COMPUTE, 0, FRAGMENT, 1, COMPUTE, true);
    ORDERED("R1\nC1 [R1, -]", 0, VERTEX, 0, FRAGMENT, 1, COMPUTE, true);
    ORDERED("C1\nR1 [-, C1]", 1, COMPUTE, 0, COMPUTE, 1, VERTEX, false);
    ORDERED("C1\nR1 [-, C1]", 1, FRAGMENT, 0, COMPUTE, 1, VERTEX, true);
    ORDERED("C1 [-, C0]\nR1 [-, C1]", 0, COMPUTE, 0, COMPUTE, 1, FRAGMENT, true);
    ORDERED("R1\nR2 [R1, -]", 1, VERTEX, 0, FRAGMENT, 1, VERTEX, false);
    ORDERED("R1\nR2 [R1, -]", 1, VERTEX, 0, FRAGMENT, 1, FRAGMENT, true); /* one queue */
#undef ORDERED
}

/* One span under its name: "R1v 3-5". */
static void print_named_span(gpucmd_text *t, const gpucmd_agx_span *s)
{
    gpucmd_agx_entry e;
    memset(&e, 0, sizeof e);
    e.target = s->ring;
    e.number = s->number;
    e.blit = s->blit;
    gpucmd_agx_print_target(t, &e);
    gpucmd_text_char(t, ' ');
    gpucmd_text_dec(t, s->start);
    gpucmd_text_char(t, '-');
    gpucmd_text_dec(t, s->end);
}

/* The tables and times of the fact sheet, S1 to S15. It lists renders before computes. */
static void known_schedules(void)
{
    static const uint64_t both[GPUCMD_AGX_RINGS] = {3, 1, 4};
    static const uint64_t compute[GPUCMD_AGX_RINGS] = {3, 0, 0};
    static const gpucmd_agx_durations durations = {
        {4, 2, 3},
        NULL,
        NULL
    };
    EQUAL(sizeof schedules / sizeof schedules[0], 15);
    for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
        const schedule_row *r = &schedules[i];
        static char buf[4096];
        gpucmd_agx_job job;
        gpucmd_agx_entry e[GPUCMD_AGX_MAX_ENTRIES];
        gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
        gpucmd_text t;
        uint32_t n = 0;
        job_of(r->notation, &job);
        EQUAL(gpucmd_agx_lower(&job, r->prior, e, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_OK);
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_queues(&t, e, n);
        TEXT(buf, r->queues);
        n = gpucmd_agx_schedule(&job,
                                r->prior == GPUCMD_AGX_PRIOR_BOTH      ? both
                                : r->prior == GPUCMD_AGX_PRIOR_COMPUTE ? compute
                                                                       : NULL,
                                &durations, spans);
        gpucmd_text_init(&t, buf, sizeof buf);
        for (int pass = 0; pass < 2; pass++) {
            for (uint32_t k = 0; k < n; k++) {
                if ((spans[k].ring == GPUCMD_AGX_RING_COMPUTE) == (pass == 1)) {
                    gpucmd_text_str(&t, t.len_bytes != 0 ? ", " : "");
                    print_named_span(&t, &spans[k]);
                }
            }
        }
        TEXT(buf, r->times);
    }
}

/* ---- against the formal definition ---- */

/* Name of an operation of the definition. */
static void print_op(gpucmd_text *t, const gpucmd_agx_job *job, unsigned op)
{
    gpucmd_agx_entry e;
    memset(&e, 0, sizeof e);
    e.target = (uint8_t)(op / 65);
    e.number = (uint8_t)(op % 65);
    for (uint32_t i = 0; i < job->count; i++) {
        e.blit = e.blit || (e.target != 0 && job->commands[i].number == e.number &&
                            job->commands[i].kind == GPUCMD_AGX_KIND_BLIT);
    }
    gpucmd_agx_print_target(t, &e);
}

/* Place of an operation in the fact sheet's sets: renders by number, vertex half first, then
 * computes. */
static unsigned rank_of(unsigned op)
{
    return op / 65 == 0 ? 1000 + op % 65 : 2 * (op % 65) + op / 65;
}

/* "R1f<-{R0f, R1v}": what one operation needs, prior work only where there is any. */
static void print_needs(gpucmd_text *t, const gpucmd_agx_job *job, uint32_t index, uint32_t part,
                        uint32_t prior)
{
    unsigned needs[4];
    const char *before = "";
    const unsigned n = oracle_needs(job, index, part, needs);
    gpucmd_text_str(t, t->len_bytes != 0 ? "; " : "");
    print_op(t, job, oracle_op(part, job->commands[index].number));
    gpucmd_text_str(t, "<-{");
    for (unsigned rank = 0; rank < 1100; rank++) {
        for (unsigned i = 0; i < n; i++) {
            const bool alive = needs[i] % 65 != 0 || (prior & (needs[i] / 65 == 0 ? 2u : 1u)) != 0;
            if (alive && rank_of(needs[i]) == rank) {
                gpucmd_text_str(t, before);
                print_op(t, job, needs[i]);
                before = ", ";
                break; /* a barrier on the predecessor in the ring is named once */
            }
        }
    }
    gpucmd_text_char(t, '}');
}

/* The fact sheet's direct predecessors of S1 to S15, renders before computes: the definition that
 * everything else is held against is the published one. */
static void known_needs(void)
{
    static const char *const want[] = {
        "R1v<-{R0v, C0}; R1f<-{R0f, R1v}; R2v<-{R1v, R1f, C2}; R2f<-{R1f, R2v}; R3v<-{R2v}; "
        "R3f<-{R2f, R3v}; R4v<-{R3v, R3f}; R4f<-{R3f, R4v}; C1<-{C0}; C2<-{C1}",
        "R1v<-{R0v, R0f, C0}; R1f<-{R0f, R1v}",
        "C1<-{R0f, C0}",
        "R1v<-{R0v, C1}; R1f<-{R0f, R1v}; C1<-{R0f, C0}",
        "R1v<-{R0v, R0f, C0}; R1f<-{R0f, R1v}; R2v<-{R1v, R1f, C1}; R2f<-{R1f, R2v}; "
        "C1<-{R1f, C0}; C2<-{R2f, C1}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v}; R2f<-{R1f, R2v}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v, R1f}; R2f<-{R1f, R2v}",
        "C1<-{}; C2<-{C1}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v}; R2f<-{R1f, R2v}; C1<-{}; C2<-{C1}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v}; R2f<-{R1f, R2v}; C1<-{R1f}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v, C1}; R2f<-{R1f, R2v}; R3v<-{R2v}; R3f<-{R2f, R3v}; "
        "C1<-{}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v, R1f, C1}; R2f<-{R1f, R2v}; C1<-{R1f}; C2<-{R2f, C1}",
        "R1v<-{}; R1f<-{R1v}; R2v<-{R1v}; R2f<-{R1f, R2v}; R3v<-{R1f, R2v}; R3f<-{R2f, R3v}",
        "R1v<-{C1}; R1f<-{R1v}; R2v<-{R1v, R1f, C2}; R2f<-{R1f, R2v}; C1<-{C0}; C2<-{C1}",
        "R1v<-{}; R1f<-{R1v}; B2f<-{R1f, C1}; R3v<-{R1v, B2f}; R3f<-{B2f, R3v}; C1<-{}",
    };
    EQUAL(sizeof want / sizeof want[0], sizeof schedules / sizeof schedules[0]);
    for (size_t s = 0; s < sizeof want / sizeof want[0]; s++) {
        char buf[1024];
        gpucmd_agx_job job;
        gpucmd_text t;
        job_of(schedules[s].notation, &job);
        gpucmd_text_init(&t, buf, sizeof buf);
        for (int pass = 0; pass < 2; pass++) {
            for (uint32_t i = 0; i < job.count; i++) {
                for (uint32_t part = 0; part < 3; part++) {
                    if ((part == 0) == (pass == 1) && oracle_has(&job, i, part)) {
                        print_needs(&t, &job, i, part, schedules[s].prior);
                    }
                }
            }
        }
        TEXT(buf, want[s]);
    }
}

/* Which operations of a job must have ended before which start, from the entries of the rings
 * alone: an operation needs the one before it in its ring and every wait between them, and what
 * those need. Entries that skip marks are left out. */
static void closure_of_entries(const gpucmd_agx_entry *e, uint32_t n, int skip, op_set *before)
{
    op_set seen[3];
    memset(seen, 0, sizeof seen);
    for (uint32_t r = 0; r < 3; r++) {
        op_set_add(&seen[r], oracle_op(r, 0));
        op_set_join(&seen[r], &before[oracle_op(r, 0)]);
    }
    for (uint32_t i = 0; i < n; i++) {
        op_set *s = &seen[e[i].ring];
        if (e[i].op == GPUCMD_AGX_OP_WAIT) {
            if (!(skip == (int)i || (skip == -2 && e[i].redundant))) {
                const unsigned op = oracle_op(e[i].target, e[i].number);
                op_set_add(s, op);
                op_set_join(s, &before[op]);
            }
        } else {
            const unsigned op = oracle_op(e[i].ring, e[i].number);
            before[op] = *s;
            op_set_add(s, op);
        }
    }
}

/* Order of everything in a job: entries, gpucmd_agx_ordered and the definition agree; what is
 * marked redundant can go, all of it at once, and nothing else can. */
static void check_order(const gpucmd_agx_job *job, uint32_t prior)
{
    static gpucmd_agx_order order;
    static op_set want[ORACLE_OPS], got[ORACLE_OPS];
    gpucmd_agx_entry e[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t n = 0;
    bool good = true;
    if (gpucmd_agx_lower(job, prior, e, GPUCMD_AGX_MAX_ENTRIES, &n) != GPUCMD_OK) {
        CHECK(false);
        return;
    }
    oracle_closure(job, prior, want);
    oracle_prior_closure(got);
    closure_of_entries(e, n, -1, got);
    good = good && oracle_same(job, want, got);
    oracle_prior_closure(got);
    closure_of_entries(e, n, -2, got);
    good = good && oracle_same(job, want, got);
    for (uint32_t i = 0; i < n && job->count <= 4; i++) {
        if (e[i].op == GPUCMD_AGX_OP_WAIT && !e[i].redundant) {
            oracle_prior_closure(got);
            closure_of_entries(e, n, (int)i, got);
            good = good && !oracle_same(job, want, got);
        }
    }
    gpucmd_agx_order_init(&order, job, prior, -1, GPUCMD_AGX_RING_COMPUTE);
    for (uint32_t a = 0; a < job->count; a++) {
        for (uint32_t b = 0; b < job->count; b++) {
            for (uint32_t pa = 0; pa < 3; pa++) {
                for (uint32_t pb = 0; pb < 3; pb++) {
                    if (oracle_has(job, a, pa) && oracle_has(job, b, pb)) {
                        const unsigned first = oracle_op(pa, job->commands[a].number);
                        const unsigned second = oracle_op(pb, job->commands[b].number);
                        good = good && gpucmd_agx_ordered(&order, job, a, (gpucmd_agx_ring)pa, b,
                                                          (gpucmd_agx_ring)pb) ==
                                           op_set_has(&want[second], first);
                    }
                }
            }
        }
    }
    CHECK(good);
}

static uint64_t random_times[GPUCMD_AGX_MAX_COMMANDS][3];

static uint64_t random_duration(void *user, uint32_t command, gpucmd_agx_ring part)
{
    (void)user;
    return random_times[command][part];
}

/* Start and end of everything, with and without the redundant waits, against the recurrence. */
static void check_times(const gpucmd_agx_job *job, const uint64_t *prior_end)
{
    const gpucmd_agx_durations durations = {
        {0, 0, 0},
        random_duration,
        NULL
    };
    gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    oracle_times want;
    bool good = true;
    for (uint32_t i = 0; i < job->count; i++) {
        for (int p = 0; p < 3; p++) {
            random_times[i][p] = test_random(10);
        }
    }
    oracle_run(job, prior_end, random_duration, NULL, &want);
    const uint32_t n = gpucmd_agx_schedule(job, prior_end, &durations, spans);
    for (uint32_t i = 0; i < n; i++) {
        good = good && spans[i].start == want.start[spans[i].command][spans[i].ring] &&
               spans[i].end == want.end[spans[i].command][spans[i].ring];
    }
    good = good && n == want.count;
    CHECK(good);
}

static unsigned legal_jobs, refused_jobs;

/* Verdicts on one more command: job, builder, parser and the rule agree. */
static bool verdicts(const gpucmd_agx_job *job, gpucmd_agx_kind kind, uint32_t vdm, uint32_t cdm)
{
    gpucmd_agx_job next = *job;
    gpucmd_agx_stream s;
    gpucmd_agx_finding f;
    struct gpucmd_drm_asahi_cmd_compute c;
    struct gpucmd_drm_asahi_cmd_render r;
    const bool legal = oracle_legal(job, vdm, cdm);
    uint32_t words[5 * 64];
    uint8_t *const bytes = (uint8_t *)words;
    size_t len_bytes = 0;
    bool good = (gpucmd_agx_job_add(&next, kind, vdm, cdm) == GPUCMD_OK) == legal;
    gpucmd_agx_compute_init(&c, 16, 32);
    gpucmd_agx_render_init(&r, 16, 1, 1);
    gpucmd_agx_stream_init(&s, words, sizeof words / 4);
    for (uint32_t i = 0; i <= job->count; i++) {
        const bool last = i == job->count;
        const gpucmd_agx_command *k = &job->commands[i];
        const uint32_t b[2] = {last ? vdm : k->render_barrier, last ? cdm : k->compute_barrier};
        if ((last ? kind : (gpucmd_agx_kind)k->kind) == GPUCMD_AGX_KIND_COMPUTE) {
            gpucmd_agx_emit_compute_cut(&s, b[0], b[1], &c, 24);
        } else {
            gpucmd_agx_emit_render_cut(&s, b[0], b[1], &r, 160);
        }
    }
    good = good && gpucmd_agx_stream_finish(&s, &len_bytes) == (legal ? GPUCMD_OK : GPUCMD_ORDER);
    if (!legal) { /* bytes by hand, because gpucmd_agx_emit_* reject them */
        len_bytes = gpucmd_writer_at_dw(&s.w) * 4;
        const unsigned size = kind == GPUCMD_AGX_KIND_COMPUTE ? 24 : 160;
        const unsigned v[4] = {kind == GPUCMD_AGX_KIND_COMPUTE, size, vdm, cdm};
        for (int i = 0; i < 4; i++) {
            bytes[len_bytes++] = (uint8_t)v[i];
            bytes[len_bytes++] = (uint8_t)(v[i] >> 8);
        }
        memset(bytes + len_bytes, 0, size);
        len_bytes += size;
    }
    const gpucmd_status status = gpucmd_agx_parse_stream(bytes, len_bytes, NULL, &next, &f);
    good = good && (status == GPUCMD_OK) == legal;
    if (!legal) {
        good = good && f.command == (int32_t)job->count &&
               (f.rule == GPUCMD_AGX_RULE_VDM_BARRIER || f.rule == GPUCMD_AGX_RULE_CDM_BARRIER);
    }
    legal_jobs += legal ? 1 : 0;
    refused_jobs += legal ? 0 : 1;
    CHECK(good);
    return legal;
}

/* Every job of up to four commands, with every barrier none or 0 to 5. A job gets another command
 * as long as it is valid; one level for each command. */
static void every_job(void)
{
    static const uint32_t values[] = {NONE, 0, 1, 2, 3, 4, 5};
    const unsigned choices = 2 * 7 * 7;
    unsigned at[4] = {0, 0, 0, 0};
    gpucmd_agx_job jobs[5];
    unsigned depth = 0;
    gpucmd_agx_job_init(&jobs[0]);
    for (;;) {
        if (at[depth] == choices) {
            if (depth == 0) {
                break;
            }
            depth--;
            continue;
        }
        const unsigned c = at[depth]++;
        const gpucmd_agx_kind kind = c % 2 ? GPUCMD_AGX_KIND_COMPUTE : GPUCMD_AGX_KIND_RENDER;
        const uint32_t vdm = values[c / 2 % 7];
        const uint32_t cdm = values[c / 14];
        if (!verdicts(&jobs[depth], kind, vdm, cdm)) {
            continue;
        }
        jobs[depth + 1] = jobs[depth];
        EQUAL(gpucmd_agx_job_add(&jobs[depth + 1], kind, vdm, cdm), GPUCMD_OK);
        for (uint32_t prior = 0; prior < 4; prior++) {
            const uint64_t prior_end[3] = {(prior & 2) != 0 ? 3 : 0, (prior & 1) != 0 ? 1 : 0,
                                           (prior & 1) != 0 ? 4 : 0};
            check_order(&jobs[depth + 1], prior);
            check_times(&jobs[depth + 1], prior != 0 ? prior_end : NULL);
        }
        if (depth < 3) {
            depth++;
            at[depth] = 0;
        }
    }
    /* After r renders and c computes (r + 2)(c + 2) of the 49 pairs are valid; summed over
     * all orders of kinds. */
    EQUAL(legal_jobs, 39368);
    EQUAL(refused_jobs, 130858);
}

/* Random jobs of up to 64 commands, blits among them. */
static void random_jobs(void)
{
    for (int round = 0; round < 400; round++) {
        gpucmd_agx_job job;
        const uint32_t count = 1 + test_random(64);
        gpucmd_agx_job_init(&job);
        while (job.count < count) {
            const uint32_t kind = test_random(round % 2 == 0 ? 2 : 3);
            const uint32_t vdm = test_random(3) == 0 ? test_random(job.renders + 1) : NONE;
            const uint32_t cdm = test_random(3) == 0 ? test_random(job.computes + 1) : NONE;
            EQUAL(gpucmd_agx_job_add(&job, (gpucmd_agx_kind)kind, vdm, cdm), GPUCMD_OK);
        }
        const uint64_t prior_end[3] = {test_random(20), test_random(20), test_random(20)};
        check_order(&job, test_random(4));
        check_times(&job, test_random(2) ? prior_end : NULL);
    }
}

/* ---- pictures ---- */

static void pictures(void)
{
    static char buf[32768];
    static char want[4096];
    static const gpucmd_agx_durations durations = {
        {4, 2, 3},
        NULL,
        NULL
    };
    gpucmd_agx_job job;
    gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    gpucmd_text t;
    job_of(schedules[0].notation, &job);
    uint32_t n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, spans, n, 80);
    TEXT(buf, "q0 compute      C1======C2======..........................\n"
              "q0 vertex       R1v=............R2v=R3v=........R4v=......\n"
              "q0 fragment     ....R1f===..........R2f===R3f===....R4f===\n");
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, spans, n, 42); /* just room for two columns a unit */
    CHECK(strstr(buf, "R1v=..") != NULL);
    for (uint32_t columns = 21; columns <= 41; columns += 20) { /* one column a unit */
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_timeline(&t, spans, n, columns);
        TEXT(buf, "q0 compute      C1==C2==.............\n"
                  "q0 vertex       R1......R2R3....R4...\n"
                  "q0 fragment     ..R1f.....R2fR3f..R4f\n");
    }
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, spans, n, 20); /* two units a column: C1 0-4 needs two */
    TEXT(buf, "q0 compute      C1C2.......\n"
              "q0 vertex       R...RR..R..\n"
              "q0 fragment     .R...RR3.R.\n");
    gpucmd_agx_span pair[2] = {spans[0], spans[1]}; /* R1v and R1f */
    pair[0].end = pair[1].start = 1;
    pair[1].end = 2;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 2, 80); /* three columns a unit, or four */
    TEXT(buf, "q0 vertex       R1v...\nq0 fragment     ...R1f\n");
    pair[0].number = pair[1].number = 10;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 2, 80);
    TEXT(buf, "q0 vertex       R10v....\nq0 fragment     ....R10f\n");
    static const struct {
        uint8_t number, ring;
        const char *want;
    } names[] = {
  /* two units of time: columns for the name, at most four for a unit */
        {9,   GPUCMD_AGX_RING_VERTEX,  "q0 vertex       R9v=\n"  },
        {10,  GPUCMD_AGX_RING_VERTEX,  "q0 vertex       R10v\n"  },
        {99,  GPUCMD_AGX_RING_VERTEX,  "q0 vertex       R99v\n"  },
        {100, GPUCMD_AGX_RING_VERTEX,  "q0 vertex       R100v=\n"},
        {9,   GPUCMD_AGX_RING_COMPUTE, "q0 compute      C9\n"    },
        {10,  GPUCMD_AGX_RING_COMPUTE, "q0 compute      C10=\n"  },
        {100, GPUCMD_AGX_RING_COMPUTE, "q0 compute      C100\n"  },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        pair[0].number = names[i].number;
        pair[0].ring = names[i].ring;
        pair[0].start = 5;
        pair[0].end = 7;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_timeline(&t, pair, 1, 80);
        TEXT(buf, names[i].want);
    }
    pair[0].number = 1; /* the shorter of two spans needs two columns for a unit */
    pair[1].number = 2;
    pair[0].ring = pair[1].ring = GPUCMD_AGX_RING_COMPUTE;
    pair[0].start = 4;
    pair[1].start = 7;
    pair[1].end = 8;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 2, 80);
    TEXT(buf, "q0 compute      C1====C2\n");
    pair[0].start = 5;
    pair[0].number = 100; /* one unit of time: four columns are not enough for the name */
    pair[0].ring = GPUCMD_AGX_RING_VERTEX;
    pair[0].end = 6;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 1, 80);
    TEXT(buf, "q0 vertex       R100\n");
    pair[0].ring = GPUCMD_AGX_RING_COMPUTE;
    pair[0].end = 5; /* no time at all */
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 1, 80);
    TEXT(buf, "q0 compute      \n");
    pair[0].start = pair[0].end = 0;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 1, 80);
    TEXT(buf, "q0 compute      \n");
    pair[0].end = ~(uint64_t)0; /* all of time, without a column: half of it in a column */
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, pair, 1, 0);
    TEXT(buf, "q0 compute      C.\n");
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_dot(&t, &job, GPUCMD_AGX_PRIOR_BOTH);
    TEXT(buf, "digraph job {\n    rankdir=LR;\n    node [shape=box];\n"
              "    \"C*\" -> \"R1\";\n    \"R1\";\n"
              "    \"C1\";\n"
              "    \"C1\" -> \"C2\" [style=dotted, arrowhead=open];\n"
              "    \"R1\" -> \"R2\";\n    \"C2\" -> \"R2\";\n"
              "    \"R1\" -> \"R3\" [style=dashed];\n    \"C2\" -> \"R3\" [style=dashed];\n"
              "    \"R2\" -> \"R3\" [style=dotted, arrowhead=open];\n"
              "    \"R3\" -> \"R4\";\n    \"C2\" -> \"R4\" [style=dashed];\n"
              "}\n");
    /* blits, and prior work of one kind */
    job_of("R1 [R0,C0]\nB2 [R1,-]\nC1 [R2,-]\nC2", &job);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_dot(&t, &job, GPUCMD_AGX_PRIOR_RENDER);
    TEXT(buf, "digraph job {\n    rankdir=LR;\n    node [shape=box];\n"
              "    \"R*\" -> \"R1\";\n    \"R1\";\n"
              "    \"R1\" -> \"B2\";\n"
              "    \"B2\" -> \"C1\";\n    \"C1\";\n"
              "    \"B2\" -> \"C2\" [style=dashed];\n"
              "    \"C1\" -> \"C2\" [style=dotted, arrowhead=open];\n"
              "}\n");
    /* the strongest barrier is what later commands inherit, not the last one */
    job_of("R1\nR2\nC1 [R2,-]\nC2 [R1,-]\nC3", &job);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_dot(&t, &job, GPUCMD_AGX_PRIOR_BOTH);
    CHECK(strstr(buf, "\"R1\" -> \"C2\";") != NULL);
    CHECK(strstr(buf, "\"R2\" -> \"C3\" [style=dashed];") != NULL);
    CHECK(strstr(buf, "\"R1\" -> \"C3\"") == NULL);
    job_of("C1\nR1 [-,C1]", &job);
    n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    /* nine units of time over 900: a line and a number at each of them */
    strcpy(want, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1030\" height=\"120\" "
                 "font-family=\"monospace\" font-size=\"12\">\n"
                 "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (unsigned i = 0; i <= 9; i++) {
        sprintf(want + strlen(want),
                "<path d=\"M%u 5V95\" stroke=\"#ccc\"/>\n"
                "<text text-anchor=\"middle\" fill=\"#555\" x=\"%u\" y=\"110\">%u</text>\n",
                110 + 100 * i, 110 + 100 * i, i);
    }
    strcat(want,
           "<text x=\"5\" y=\"21\">q0 compute</text>\n"
           "<rect x=\"110\" y=\"5\" width=\"400\" height=\"24\" fill=\"#9ecae1\" stroke=\"#333\">"
           "<title>C1 0-4</title></rect>\n<text x=\"114\" y=\"21\">C1</text>\n"
           "<text x=\"5\" y=\"51\">q0 vertex</text>\n"
           "<rect x=\"510\" y=\"35\" width=\"200\" height=\"24\" fill=\"#a1d99b\" stroke=\"#333\">"
           "<title>R1v 4-6</title></rect>\n<text x=\"514\" y=\"51\">R1v</text>\n"
           "<text x=\"5\" y=\"81\">q0 fragment</text>\n"
           "<rect x=\"710\" y=\"65\" width=\"300\" height=\"24\" fill=\"#fdae6b\" stroke=\"#333\">"
           "<title>R1f 6-9</title></rect>\n<text x=\"714\" y=\"81\">R1f</text>\n</svg>\n");
    TEXT(buf, want);
    /* a short operation among long ones: the picture grows so that its name fits */
    spans[0].end = 1;
    spans[1].start = 40;
    spans[1].end = 99;
    spans[2].start = 99;
    spans[2].end = 100;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    CHECK(strstr(buf, "width=\"4130\"") != NULL); /* 100 boxes of 40, and the margins */
    CHECK(strstr(buf, "<text x=\"4074\" y=\"81\">R1f</text>") != NULL);
    CHECK(strstr(buf, ">100</text>") != NULL && strstr(buf, ">2</text>") != NULL);
    CHECK(strstr(buf, ">3</text>") == NULL); /* every second */
    spans[2].end = 10000;                    /* the box is too small: it has no name */
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    CHECK(strstr(buf, "width=\"9130\"") != NULL);
    CHECK(strstr(buf, "<title>C1 0-1</title>") != NULL && strstr(buf, ">C1</text>") == NULL);
    CHECK(strstr(buf, ">10000</text>") != NULL && strstr(buf, ">50</text>") != NULL);
    CHECK(strstr(buf, ">20</text>") == NULL); /* steps of 50: 200 of them */
    /* the shortest is in the middle: 50 boxes of 40 */
    spans[0].end = spans[1].start = 50;
    spans[1].end = spans[2].start = 52;
    spans[2].end = 100;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    CHECK(strstr(buf, "width=\"2130\"") != NULL);
    /* one pixel for each unit: a name of two characters needs 4 and 2 * 8 pixels */
    for (unsigned end = 19; end <= 20; end++) {
        spans[0].end = end;
        spans[1].start = 20;
        spans[1].end = spans[2].start = 39;
        spans[2].end = 9000;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_svg(&t, spans, n);
        CHECK(strstr(buf, "width=\"9130\"") != NULL);
        CHECK((strstr(buf, ">C1</text>") != NULL) == (end == 20));
        CHECK(strstr(buf, ">R1v</text>") == NULL);
    }
    /* 34 boxes of the shortest, which is 3 of 100 units; the last box is not a whole one */
    spans[0].end = 3;
    spans[1].start = 10;
    spans[1].end = spans[2].start = 50;
    spans[2].end = 100;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    CHECK(strstr(buf, "width=\"1490\"") != NULL);
    /* A number of 13 digits is 104 wide. Eight of them fit on the axis, so that its steps are 2000.
     * The right margin is half a number, 52. */
    const uint64_t late[GPUCMD_AGX_RINGS] = {1000000000000, 0, 0};
    const gpucmd_agx_durations nanoseconds = {
        {4000, 2000, 3000},
        NULL,
        NULL
    };
    n = gpucmd_agx_schedule(&job, late, &nanoseconds, spans);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    CHECK(strstr(buf, "width=\"1062\"") != NULL);
    CHECK(strstr(buf, ">1000000000000</text>") != NULL);
    CHECK(strstr(buf, "x=\"310\" y=\"110\">1000000002000</text>") != NULL);
    CHECK(strstr(buf, ">1000000001000</text>") == NULL);
    /* times of more than 40 bits lose low bits: the picture is that of times 2^32 as short */
    for (uint32_t scale = 0; scale <= 62; scale += 31) {
        const uint64_t unit = (uint64_t)1 << scale;
        spans[0].start = spans[1].start = 0;
        spans[0].end = spans[1].end = spans[2].start = unit;
        spans[2].end = 3 * unit;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_agx_print_svg(&t, spans, 3);
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        CHECK(strstr(buf, "<rect x=\"410\" ") != NULL); /* 110 + 900 / 3 */
        CHECK(strstr(buf, " width=\"600\" ") != NULL);
    }
    /* the longest duration ends at the end of time, not before its start */
    const gpucmd_agx_durations endless = {
        {~(uint64_t)0, ~(uint64_t)0, 1},
        NULL,
        NULL
    };
    n = gpucmd_agx_schedule(&job, NULL, &endless, spans);
    for (uint32_t i = 0; i < n; i++) {
        EQUAL(spans[i].end, ~(uint64_t)0);
    }
    /* as many commands as a job can have, the last number of each kind */
    gpucmd_agx_job_init(&job);
    for (uint32_t i = 0; i < GPUCMD_AGX_MAX_COMMANDS; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, i), GPUCMD_OK);
    }
    n = gpucmd_agx_schedule(&job, NULL, &durations, spans);
    EQUAL(n, 64);
    EQUAL(spans[63].start, 63 * 4);
    EQUAL(spans[63].end, 64 * 4);
    job_of("C1\nR1 [-,C1]", &job);
    n = gpucmd_agx_schedule(&job, NULL, &endless, spans);
    /* time beyond any width, and nothing at all */
    spans[0].end = ~(uint64_t)0;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_svg(&t, spans, n);
    gpucmd_agx_print_timeline(&t, spans, n, 40);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_agx_print_timeline(&t, spans, 0, 40);
    EQUAL(t.len_bytes, 0);
    gpucmd_agx_print_svg(&t, spans, 0);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    CHECK(strstr(buf, "x=\"110\" y=\"20\">0</text>") != NULL);
}

int main(void)
{
    published();
    tsv();
    prior_work();
    dropped();
    without();
    known_schedules();
    known_needs();
    every_job();
    random_jobs();
    pictures();
    return test_report("agx_queue");
}

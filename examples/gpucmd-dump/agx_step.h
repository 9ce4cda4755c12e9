/* agx_step.h - an Apple submission step by step, for agx.h: the three firmware queues. */
#ifndef DUMP_AGX_STEP_H
#define DUMP_AGX_STEP_H

#include "agx_job.h"
#include "agx_text.h"
#include "base.h"
#include "step.h"

/* One queue with one job. */
typedef struct agx_machine {
    agx_job *job;
    gpucmd_agx_exec_queue queues[1];
    gpucmd_agx_exec_job jobs[1];
    gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
    gpucmd_agx_exec x;
} agx_machine;

/* Callback for operations that start and end. */
static gpucmd_status agx_step_event(void *user, const gpucmd_event *event)
{
    stepper *s = user;
    const char *kind = "finish";
    if (event->kind == GPUCMD_EVENT_START) {
        kind = "start";
    } else if (event->kind != GPUCMD_EVENT_FINISH) {
        return GPUCMD_OK;
    }
    step_event *e = step_note(s, kind, 0, 0);
    if (e != NULL) {
        e->value = event->value;
        snprintf(e->text, sizeof e->text, "command %" PRIu64 " in the %s queue", event->value,
                 gpucmd_agx_ring_name((gpucmd_agx_ring)event->code));
    }
    return GPUCMD_OK;
}

static int agx_step_reset(stepper *s)
{
    agx_machine *m = s->machine;
    const gpucmd_agx_exec_tables tables = {
        m->queues, 1, m->jobs, 1, m->slots, GPUCMD_AGX_RING_ENTRIES, NULL, 0, NULL, 0};
    const gpucmd_agx_submission submission = {&m->job->job, NULL, 0, 0, NULL, 0};
    uint32_t slot;
    s->env.event = agx_step_event;
    s->env.user = s;
    if (gpucmd_agx_exec_init(&m->x, &tables) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    for (int ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
        m->x.durations.ring[ring] = 1;
    }
    return exit_unless(gpucmd_agx_exec_submit(&m->x, gpucmd_agx_exec_queue_open(&m->x, 1),
                                              &submission, &slot) == GPUCMD_OK,
                       EXIT_USAGE);
}

static gpucmd_run agx_step_unit(stepper *s, uint32_t unit)
{
    agx_machine *m = s->machine;
    (void)unit;
    return gpucmd_agx_exec_step(&m->x, &s->env);
}

/* The place of the GPU is the time. */
static void agx_step_place(stepper *s, uint32_t unit, step_place *p)
{
    const agx_machine *m = s->machine;
    (void)unit;
    p->va = m->x.now;
    p->stream = -1;
    p->in_memory = true;
    p->command = true;
    p->method = UINT32_MAX;
    snprintf(p->name, sizeof p->name, "time %" PRIu64, m->x.now);
}

/* Put of each firmware queue its entries, what runs and how many operations have ended. */
static void agx_step_registers(stepper *s, uint32_t unit, step_register_fn put, void *user)
{
    static const char *const names[GPUCMD_AGX_RINGS][4] = {
        {"compute.HEAD",  "compute.ENTRIES",  "compute.RUNNING",  "compute.ENDED" },
        {"vertex.HEAD",   "vertex.ENTRIES",   "vertex.RUNNING",   "vertex.ENDED"  },
        {"fragment.HEAD", "fragment.ENTRIES", "fragment.RUNNING", "fragment.ENDED"},
    };
    const agx_machine *m = s->machine;
    (void)unit;
    put(user, "TIME", m->x.now);
    for (int i = 0; i < GPUCMD_AGX_RINGS; i++) {
        const gpucmd_agx_ring_state *r = &m->queues[0].rings[i];
        put(user, names[i][0], r->head);
        put(user, names[i][1], r->count);
        put(user, names[i][2], r->running);
        put(user, names[i][3], r->ended);
    }
}

static void agx_step_why(stepper *s, uint32_t unit, gpucmd_text *t)
{
    const agx_machine *m = s->machine;
    gpucmd_why why;
    (void)unit;
    gpucmd_agx_exec_why(&m->x, &s->env, &why);
    gpucmd_print_why(t, &why);
}

static void agx_step_waits(stepper *s, gpucmd_text *t)
{
    const agx_machine *m = s->machine;
    gpucmd_agx_print_waits(t, &m->x, &s->env);
}

static const step_machine agx_step_machine = {
    .unit_kind = "queue",
    .reset = agx_step_reset,
    .step = agx_step_unit,
    .place = agx_step_place,
    .registers = agx_step_registers,
    .why = agx_step_why,
    .waits = agx_step_waits,
};

static int agx_step_open(void *user, stepper *s, size_t first, size_t count)
{
    agx_job *job = user;
    (void)first;
    (void)count;
    if (!job->legal) {
        return agx_refused(job);
    }
    agx_machine *m = resize(NULL, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    s->machine = m;
    s->m = &agx_step_machine;
    s->endian = GPUCMD_LITTLE_ENDIAN;
    m->job = job;
    snprintf(s->unit_name[0], sizeof s->unit_name[0], "queue 0");
    s->units = 1;
    return EXIT_FINE;
}

#endif

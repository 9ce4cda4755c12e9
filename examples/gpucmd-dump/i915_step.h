/* i915_step.h - Intel engines step by step, for i915.h: the ring of each engine, or its first batch. */
#ifndef DUMP_I915_STEP_H
#define DUMP_I915_STEP_H

#include "base.h"
#include "i915_job.h"
#include "i915_run.h"
#include "i915_text.h"
#include "step.h"

/* Engines; each has a job with its stream. */
typedef struct i915_machine {
    i915_job *job;
    gpucmd_i915_cs cs[STEP_UNITS];
    gpucmd_i915_cmdset cmdset[STEP_UNITS];
    size_t stream[STEP_UNITS];
    bool ring[STEP_UNITS];       /* the stream is a ring */
    bool begun[STEP_UNITS];      /* the engine executes it as a ring */
    uint64_t base[STEP_UNITS];   /* address of its first word */
    uint64_t before[STEP_UNITS]; /* commands before the last step */
} i915_machine;

/* Trace callback. */
static gpucmd_status i915_step_trace(void *user, const gpucmd_event *event)
{
    stepper *s = user;
    const i915_machine *m = s->machine;
    step_event *e = NULL;
    switch ((int)event->kind) {
    case GPUCMD_EVENT_MEM_WRITE:
        step_note_store(s, s->unit, event->va & ~(uint64_t)3,
                        event->count_dw != 0 ? event->count_dw : 1);
        return GPUCMD_OK;
    case GPUCMD_EVENT_WAIT: e = step_note(s, "wait", s->unit, event->va); break;
    case GPUCMD_EVENT_WAKE: e = step_note(s, "wake", s->unit, event->va); break;
    case GPUCMD_EVENT_INTERRUPT: e = step_note(s, "interrupt", s->unit, event->va); break;
    case GPUCMD_EVENT_ERROR: e = step_note(s, "error", s->unit, event->va); break;
    case GPUCMD_EVENT_DROP: e = step_note(s, "no effect", s->unit, event->va); break;
    case GPUCMD_EVENT_REG_WRITE: e = step_note(s, "register", s->unit, event->va); break;
    default: return GPUCMD_OK;
    }
    if (e == NULL) {
        return GPUCMD_OK;
    }
    gpucmd_text t;
    gpucmd_text_init(&t, e->text, sizeof e->text);
    e->value = event->value;
    if (event->kind == GPUCMD_EVENT_REG_WRITE) {
        gpucmd_i915_print_register(&t, &m->cmdset[s->unit], event->addr);
        append(e->text, sizeof e->text, " = 0x%" PRIx64, event->value);
    } else if (event->kind == GPUCMD_EVENT_ERROR) {
        gpucmd_text_str(&t, gpucmd_i915_error_name((gpucmd_i915_error)event->code));
    } else if (event->kind == GPUCMD_EVENT_DROP) {
        gpucmd_text_str(&t, gpucmd_i915_rule_name((gpucmd_i915_rule)event->code));
    } else {
        append(e->text, sizeof e->text, "0x%" PRIx64 ", 0x%" PRIx64, event->va, event->value);
    }
    return GPUCMD_OK;
}

/* Start an engine: its ring up to TAIL, or its batch. */
static int i915_step_start(stepper *s, i915_machine *m, uint32_t unit)
{
    i915_job job = *m->job;
    job.in = &s->d->streams[m->stream[unit]];
    job.base_va = m->base[unit];
    job.cmdset = m->cmdset[unit];
    if (gpucmd_i915_cs_init(&m->cs[unit], job.cmdset.gen, job.cmdset.engine, 0) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    if (m->ring[unit]) {
        i915_run *run = resize(NULL, 1, sizeof *run);
        memset(run, 0, sizeof *run);
        run->job = &job;
        run->quiet = true;
        run->cs = m->cs[unit];
        const bool begun = i915_begin_ring(run);
        m->cs[unit] = run->cs;
        release(run);
        m->begun[unit] = begun;
        if (begun) {
            return EXIT_FINE;
        }
    }
    return exit_unless(
        gpucmd_i915_cs_batch(&m->cs[unit], m->base[unit], s->set->secure) == GPUCMD_OK, EXIT_USAGE);
}

static int i915_step_reset(stepper *s)
{
    i915_machine *m = s->machine;
    s->env.trace = i915_step_trace;
    s->env.trace_user = s;
    for (uint32_t i = 0; i < s->units; i++) {
        m->before[i] = UINT64_MAX;
        if (i915_step_start(s, m, i) != EXIT_FINE) {
            return EXIT_USAGE;
        }
    }
    return EXIT_FINE;
}

static gpucmd_run i915_step_unit(stepper *s, uint32_t unit)
{
    i915_machine *m = s->machine;
    const uint32_t chosen = s->unit;
    s->unit = unit; /* the trace has no number of the engine */
    m->before[unit] = m->cs[unit].commands;
    const gpucmd_run run = gpucmd_i915_cs_step(&m->cs[unit], &s->env);
    s->unit = chosen;
    return run;
}

static void i915_step_place(stepper *s, uint32_t unit, step_place *p)
{
    const i915_machine *m = s->machine;
    const gpucmd_i915_cs *cs = &m->cs[unit];
    gpucmd_why why;
    gpucmd_i915_cs_why(cs, &s->env, &why);
    if (cs->level == 0 && !m->begun[unit] && why.kind != GPUCMD_WHY_IDLE) {
        why.at_va = m->base[unit]; /* the batch is about to start */
    }
    step_locate(s, why.at_va, p);
    p->command = m->before[unit] != cs->commands;
    if (why.kind == GPUCMD_WHY_IDLE) {
        p->in_memory = true;
        p->command = true;
        snprintf(p->name, sizeof p->name, "end");
        return;
    }
    snprintf(p->name, sizeof p->name, "%s",
             i915_command_name(&m->cmdset[unit], step_read(s, p->va)));
}

/* Put the registers of the engine that have a member, then those that are not 0. */
static void i915_step_registers(stepper *s, uint32_t unit, step_register_fn put, void *user)
{
    const i915_machine *m = s->machine;
    const gpucmd_i915_cs *cs = &m->cs[unit];
    put(user, "HEAD", cs->head);
    put(user, "TAIL", cs->tail);
    put(user, "START", cs->start);
    put(user, "CTL", cs->ctl);
    put(user, "ACTHD", cs->acthd);
    put(user, "LEVEL", cs->level);
    put(user, "TIMESTAMP", cs->timestamp);
    for (uint32_t off = 0; off < GPUCMD_I915_WINDOW_BYTES; off += 4) {
        char text[48];
        if (cs->reg[off / 4] != 0) {
            put(user, i915_register_name(cs, off, text), cs->reg[off / 4]);
        }
    }
}

static void i915_step_why(stepper *s, uint32_t unit, gpucmd_text *t)
{
    const i915_machine *m = s->machine;
    gpucmd_why why;
    gpucmd_i915_cs_why(&m->cs[unit], &s->env, &why);
    gpucmd_print_why(t, &why);
}

static void i915_step_waits(stepper *s, gpucmd_text *t)
{
    const i915_machine *m = s->machine;
    gpucmd_i915_print_waits(t, m->cs, s->units, &s->env);
}

static const step_machine i915_step_machine = {
    .unit_kind = "engine",
    .reset = i915_step_reset,
    .step = i915_step_unit,
    .place = i915_step_place,
    .registers = i915_step_registers,
    .why = i915_step_why,
    .waits = i915_step_waits,
};

/* Choose for each engine of the streams its ring; without one the first batch. */
static int i915_step_open(void *user, stepper *s, size_t first, size_t count)
{
    i915_job *job = user;
    i915_machine *m = resize(NULL, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    s->machine = m;
    s->m = &i915_step_machine;
    s->endian = GPUCMD_LITTLE_ENDIAN;
    m->job = job;
    for (size_t i = first; i < first + count; i++) {
        const stream *in = &s->d->streams[i];
        const bool ring = in->kind != NULL ? strcmp(in->kind, "ring") == 0 : s->set->ring;
        uint32_t unit = 0;
        char name[24];
        job->in = in;
        job->base_va = s->set->has_base ? s->set->base_va : in->va;
        if (in->len_dw == 0 || i915_choose(job) != EXIT_FINE) {
            continue;
        }
        snprintf(name, sizeof name, "%s", in->engine[0] != '\0' ? in->engine : i915_engine(job));
        while (unit < s->units && strcmp(s->unit_name[unit], name) != 0) {
            unit++;
        }
        if (unit == STEP_UNITS || (unit < s->units && (m->ring[unit] || !ring))) {
            continue;
        }
        memcpy(s->unit_name[unit], name, sizeof name);
        m->stream[unit] = i;
        m->ring[unit] = ring;
        m->cmdset[unit] = job->cmdset;
        m->base[unit] = job->base_va;
        s->units += unit == s->units;
    }
    for (uint32_t i = 0; i < s->units; i++) {
        (void)step_add_stream(s, (int)m->stream[i], m->base[i]);
    }
    step_add_rest(s);
    return EXIT_FINE;
}

#endif

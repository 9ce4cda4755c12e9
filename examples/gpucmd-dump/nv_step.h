/* nv_step.h - NVIDIA channels step by step, for nv.h: as --run, but host methods, copies and fences are
 * executed, and several channels stand side by side. */
#ifndef DUMP_NV_STEP_H
#define DUMP_NV_STEP_H

#include "base.h"
#include "nv_job.h"
#include "nv_text.h"
#include "options.h"
#include "step.h"

enum {
    NV_RING_ENTRIES_LOG2 = 9,
    NV_OWN_VA = 0x10000000, /* of streams without an address, if there are several */
    NV_RUNS = 64,           /* streams of one channel */
};

/* Channels, each with a ring and the streams that it executes one after the other. */
typedef struct nv_machine {
    nv_job *job;
    gpucmd_nv_chip chip;
    gpucmd_nv_card card;
    uint32_t id[STEP_UNITS]; /* numbers of the channels, which messages have */
    gpucmd_nv_channel copies[STEP_UNITS + 1];
    gpucmd_nv_blocked rows[STEP_UNITS];
    gpucmd_nv_channel channels[STEP_UNITS];
    gpucmd_mmio area[STEP_UNITS];
    uint32_t *ring[STEP_UNITS];
    uint64_t ring_va[STEP_UNITS];
    struct {
        uint64_t va;
        uint64_t len_dw;
    } runs[STEP_UNITS][NV_RUNS];
    size_t run_count[STEP_UNITS];
} nv_machine;

/* ---- callbacks ---- */

/* Return the unit of the channel with a number. */
static uint32_t nv_step_unit_of(const stepper *s, uint32_t id)
{
    const nv_machine *m = s->machine;
    uint32_t i = 0;
    while (i + 1 < s->units && m->channels[i].id != id) {
        i++;
    }
    return i;
}

/* Find the object of a handle: any handle is an object of the class that its digits name. */
static gpucmd_status nv_step_object(void *user, uint32_t channel, uint32_t handle,
                                    gpucmd_nv_object *object)
{
    const nv_machine *m = ((stepper *)user)->machine;
    (void)channel;
    object->class_id = nv_object_class(m->chip, handle);
    object->va = 0;
    object->bytes = (uint64_t)1 << 40;
    return GPUCMD_OK;
}

/* Methods that no model executes: they are told, and taken as done. */
static gpucmd_status nv_step_methods(void *user, const gpucmd_event *event)
{
    stepper *s = user;
    nv_machine *m = s->machine;
    if (event->kind == GPUCMD_EVENT_INTERRUPT) {
        step_event *e = step_note(s, "interrupt", nv_step_unit_of(s, event->unit), 0);
        if (e != NULL) {
            e->value = event->value;
            snprintf(e->text, sizeof e->text, "%" PRIu32, event->code);
        }
        return GPUCMD_OK;
    }
    for (uint32_t i = 0; event->kind == GPUCMD_EVENT_METHODS && i < event->count_dw && i < 16;
         i++) {
        const uint32_t mthd =
            gpucmd_nv_mthd_at(m->chip, (gpucmd_nv_kind)event->code, event->addr, i);
        step_event *e = step_note(s, "method", s->unit, event->va + 4 * (uint64_t)i);
        if (e != NULL) {
            char name[64];
            nv_name(m->job, event->unit % NV_SUBCHANNELS, mthd, name, sizeof name);
            e->value = event->data[i];
            snprintf(e->text, sizeof e->text, "s%" PRIu32 " 0x%04" PRIx32 " %.48s = %08" PRIx32,
                     event->unit, mthd, name, event->data[i]);
        }
    }
    return GPUCMD_OK;
}

/* Trace callback: what a channel does to memory. */
static gpucmd_status nv_step_trace(void *user, const gpucmd_event *event)
{
    stepper *s = user;
    step_event *e = NULL;
    const uint32_t unit = nv_step_unit_of(s, event->unit);
    if (event->kind == GPUCMD_EVENT_MEM_WRITE) {
        const uint32_t count = event->count_dw != 0 ? event->count_dw : 1;
        step_note_store(s, unit, event->va & ~(uint64_t)3, count);
        if (event->value != 0) { /* the host engine's, not an engine's */
            e = step_note(s, "release", unit, event->va);
        }
    } else if (event->kind == GPUCMD_EVENT_WAIT) {
        e = step_note(s, "wait", unit, event->va);
    } else if (event->kind == GPUCMD_EVENT_WAKE) {
        e = step_note(s, "wake", unit, event->va);
    } else if (event->kind == GPUCMD_EVENT_ERROR) {
        e = step_note(s, "error", unit, event->va);
    }
    if (e != NULL) {
        e->value = event->value;
        snprintf(e->text, sizeof e->text, "0x%" PRIx64 ", 0x%" PRIx64, event->va, event->value);
    }
    return GPUCMD_OK;
}

/* ---- the machine ---- */

/* Submit the streams of a channel: in IB mode as entries, otherwise the words themselves. */
static gpucmd_status nv_step_submit(stepper *s, nv_machine *m, uint32_t unit)
{
    gpucmd_nv_channel *ch = &m->channels[unit];
    gpucmd_nv_gpfifo fifo;
    if (!m->job->gate.ib_enable) {
        ch->pusher.dma_get = m->runs[unit][0].va;
        ch->pusher.dma_put = ch->pusher.dma_get + 4 * m->runs[unit][0].len_dw;
        return GPUCMD_OK;
    }
    gpucmd_status status = gpucmd_nv_gpfifo_init(&fifo, m->chip, m->ring[unit],
                                                 NV_RING_ENTRIES_LOG2, &m->area[unit], NULL, 0);
    fifo.endian = s->endian;
    ch->pusher.ib_address = ch->pbdma.gp_base = m->ring_va[unit];
    ch->pusher.ib_order = ch->pbdma.limit2 = NV_RING_ENTRIES_LOG2;
    for (size_t i = 0; i < m->run_count[unit]; i++) {
        uint64_t va = m->runs[unit][i].va;
        uint64_t left_dw = m->runs[unit][i].len_dw;
        while (status == GPUCMD_OK && left_dw != 0) {
            const uint64_t high = va >> GPUCMD_NV_ENTRY_VA_BITS;
            const uint64_t room_dw = (((high + 1) << GPUCMD_NV_ENTRY_VA_BITS) - va) / 4;
            const uint64_t most = lesser(room_dw, gpucmd_nv_entry_max_dw(m->chip));
            const uint64_t n_dw = lesser(left_dw, most);
            if (high != fifo.base_va >> GPUCMD_NV_ENTRY_VA_BITS) {
                status = gpucmd_nv_gpfifo_push_control(
                    &fifo, GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
                    GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, high), 0);
            }
            if (status == GPUCMD_OK) {
                status = gpucmd_nv_gpfifo_push(&fifo, va, (uint32_t)n_dw, 0);
            }
            gpucmd_nv_gpfifo_submit(&fifo);
            va += 4 * n_dw;
            left_dw -= n_dw;
        }
    }
    return status;
}

static int nv_step_reset(stepper *s)
{
    nv_machine *m = s->machine;
    nv_job *job = m->job;
    const bool big = s->endian == GPUCMD_BIG_ENDIAN;
    gpucmd_nv_card_init(&m->card);
    m->card.object = nv_step_object;
    m->card.object_user = s;
    m->card.software = nv_step_methods;
    m->card.software_user = s;
    memcpy(job->class_id, s->set->class_id, sizeof job->class_id);
    s->env.event = nv_step_methods;
    s->env.user = s;
    s->env.trace = nv_step_trace;
    s->env.trace_user = s;
    for (uint32_t i = 0; i < s->units; i++) {
        gpucmd_nv_channel *ch = &m->channels[i];
        if (gpucmd_nv_channel_init(ch, m->chip, &m->card) != GPUCMD_OK) {
            return EXIT_USAGE;
        }
        ch->id = m->id[i];
        ch->pbdma.fmt = job->gate.fmt;
        ch->pusher.big_endian = big && m->chip < GPUCMD_NV_CHIP_G80;
        ch->pusher.pfifo_endian = big && m->chip >= GPUCMD_NV_CHIP_G80;
        ch->pusher.sli_enable = job->sli_given;
        ch->pusher.sli_mask = job->sli_mask;
        ch->pusher.ib_enable = job->gate.ib_enable;
        if (job->sli_given && GPUCMD_NV_IS_GF100(m->chip)) {
            ch->pbdma.subdevice = (ch->pbdma.subdevice & ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_ID)) |
                                  GPUCMD_FIELD_PUT(NV_SUBDEVICE_ID, job->sli_mask);
        }
        m->area[i].read32 = gpucmd_nv_channel_read32;
        m->area[i].write32 = gpucmd_nv_channel_write32;
        m->area[i].user = ch;
        if (nv_step_submit(s, m, i) != GPUCMD_OK) {
            return EXIT_USAGE;
        }
    }
    return EXIT_FINE;
}

static gpucmd_run nv_step_unit(stepper *s, uint32_t unit)
{
    nv_machine *m = s->machine;
    step_place p;
    const uint32_t chosen = s->unit;
    memset(&p, 0, sizeof p);
    s->m->place(s, unit, &p);
    s->unit = unit; /* events METHODS name the subchannel as their unit */
    const gpucmd_run run = gpucmd_nv_channel_step(&m->channels[unit], &s->env);
    s->unit = chosen;
    if (p.method == GPUCMD_NV_HOST_SET_OBJECT && run == GPUCMD_RUN_DONE) {
        const gpucmd_nv_channel *ch = &m->channels[unit];
        nv_follow(m->job, GPUCMD_NV_IS_GF100(m->chip) ? ch->pbdma.subc : ch->pusher.subc, p.method,
                  step_read(s, p.va));
    }
    return run;
}

/* Name the word at the place: the method that takes it, or the command that it begins. */
static void nv_step_name(stepper *s, const nv_machine *m, uint32_t count, uint32_t subc,
                         uint32_t mthd, step_place *p)
{
    const uint32_t dw = step_read(s, p->va);
    char name[64] = "";
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    p->command = count == 0;
    if (count != 0) {
        p->method = 4 * mthd;
        nv_name(m->job, subc % NV_SUBCHANNELS, p->method, name, sizeof name);
        snprintf(p->name, sizeof p->name, "%.48s", name);
        if (name[0] == '\0') {
            snprintf(p->name, sizeof p->name, "0x%04" PRIx32, p->method);
        }
        return;
    }
    gpucmd_nv_walk_init(&walk, &m->job->gate, &dw, 1);
    (void)gpucmd_nv_walk_next(&walk, &cmd);
    snprintf(p->name, sizeof p->name, "%s", gpucmd_nv_form_name(cmd.form));
    if (gpucmd_nv_form_is_run(cmd.form)) {
        nv_name(m->job, cmd.subc % NV_SUBCHANNELS, cmd.mthd, name, sizeof name);
        append(p->name, sizeof p->name, " s%" PRIu32 " 0x%04" PRIx32 " %.32s", cmd.subc, cmd.mthd,
               name);
        if (cmd.form == GPUCMD_NV_FORM_IMMD) {
            p->method = cmd.mthd;
        }
    }
}

static void nv_step_place(stepper *s, uint32_t unit, step_place *p)
{
    const nv_machine *m = s->machine;
    const gpucmd_nv_pbdma *b = &m->channels[unit].pbdma;
    const gpucmd_nv_pusher *o = &m->channels[unit].pusher;
    const bool later = GPUCMD_NV_IS_GF100(m->chip);
    const bool done = later ? b->pb_get == b->pb_put : o->dma_get == o->dma_put;
    const uint32_t get = later ? b->gp_get : o->ib_get;
    const uint32_t put = later ? b->gp_put : o->ib_put;
    step_locate(s, later ? b->pb_get : o->dma_pushbuffer_va + o->dma_get, p);
    if (!done) {
        if (later) {
            nv_step_name(s, m, b->count, b->subc, b->mthd, p);
        } else {
            nv_step_name(s, m, o->mcnt, o->subc, o->mthd, p);
        }
        return;
    }
    p->command = true;
    p->stream = -1;
    p->in_memory = true;
    if (m->job->gate.ib_enable && get != put) {
        p->va = m->ring_va[unit] + 8 * (uint64_t)get;
        snprintf(p->name, sizeof p->name, "IB entry %" PRIu32, get);
    } else {
        snprintf(p->name, sizeof p->name, "end");
    }
}

/* Put the registers of the host engine, by their names in the manuals. */
static void nv_step_registers(stepper *s, uint32_t unit, step_register_fn put, void *user)
{
    const nv_machine *m = s->machine;
    const gpucmd_nv_channel *ch = &m->channels[unit];
    const gpucmd_nv_pbdma *b = &ch->pbdma;
    const gpucmd_nv_pusher *p = &ch->pusher;
    const gpucmd_nv_puller *u = &ch->puller;
    if (GPUCMD_NV_IS_GF100(m->chip)) {
        put(user, "GP_GET", b->gp_get);
        put(user, "GP_PUT", b->gp_put);
        put(user, "PB_GET", b->pb_get);
        put(user, "PB_PUT", b->pb_put);
        put(user, "SUBCH", b->subc);
        put(user, "METHOD", 4 * (uint64_t)b->mthd);
        put(user, "PB_COUNT", b->count);
        put(user, "SUBROUTINE", b->level);
        put(user, "SUBDEVICE", b->subdevice);
        put(user, "HDR_SHADOW", b->hdr_shadow);
        put(user, "REF", b->ref);
        put(user, "INTR_0", b->intr);
    } else {
        put(user, "IB_GET", p->ib_get);
        put(user, "IB_PUT", p->ib_put);
        put(user, "DMA_GET", p->dma_get);
        put(user, "DMA_PUT", p->dma_put);
        put(user, "SUBC", p->subc);
        put(user, "MTHD", 4 * (uint64_t)p->mthd);
        put(user, "MCNT", p->mcnt);
        put(user, "SUBR_ACTIVE", p->subr_active);
        put(user, "SUBR_RETURN", p->subr_return);
        put(user, "SLI_ACTIVE", p->sli_active);
        put(user, "SLI_MASK", p->sli_mask);
        put(user, "REF", p->ref);
        put(user, "ERROR", (uint64_t)p->error);
    }
    if (m->chip >= GPUCMD_NV_CHIP_GV100) {
        put(user, "SEM_ADDR", (uint64_t)u->sem_addr_hi << 32 | u->sem_addr_lo);
        put(user, "SEM_PAYLOAD", (uint64_t)u->sem_payload_hi << 32 | u->sem_payload_lo);
    } else if (m->chip >= GPUCMD_NV_CHIP_G80) {
        put(user, "SEMAPHORE_ADDRESS", u->semaphore_address);
        put(user, "SEMAPHORE_SEQUENCE", u->semaphore_sequence);
    }
}

static void nv_step_why(stepper *s, uint32_t unit, gpucmd_text *t)
{
    const nv_machine *m = s->machine;
    gpucmd_why why;
    gpucmd_nv_channel_why(&m->channels[unit], &s->env, &why);
    gpucmd_print_why(t, &why);
}

/* What each channel waits for, and of a deadlock who would release it. */
static void nv_step_waits(stepper *s, gpucmd_text *t)
{
    nv_machine *m = s->machine;
    gpucmd_env env;
    gpucmd_nv_report report;
    bool stands = true;
    for (uint32_t i = 0; i < s->units; i++) {
        stands = stands && s->result[i] != GPUCMD_RUN_DONE;
    }
    gpucmd_nv_print_waits(t, m->channels, s->units, &s->env);
    if (!stands) {
        return;
    }
    memset(&report, 0, sizeof report);
    memcpy(m->copies, m->channels, s->units * sizeof *m->copies);
    report.rows = m->rows;
    report.cap = STEP_UNITS;
    report.scratch = &m->copies[STEP_UNITS];
    report.look_ahead = 4096;
    gpucmd_env_init(&env, &s->mem, NULL, NULL);
    (void)gpucmd_nv_run_all(m->copies, s->units, &env, 1, &report);
    for (size_t i = 0; i < lesser(report.count, STEP_UNITS); i++) {
        gpucmd_text_str(t, "channel ");
        gpucmd_text_dec(t, report.rows[i].id);
        gpucmd_text_str(t, ": ");
        gpucmd_nv_print_releaser(t, &report.rows[i]);
        gpucmd_text_char(t, '\n');
    }
}

static const step_machine nv_step_machine = {
    .unit_kind = "channel",
    .reset = nv_step_reset,
    .step = nv_step_unit,
    .place = nv_step_place,
    .registers = nv_step_registers,
    .why = nv_step_why,
    .waits = nv_step_waits,
};

/* Return the number of a channel: the one in its name, such as "ch7", or its place. */
static uint32_t nv_step_id(const stepper *s, uint32_t unit)
{
    const char *digits = s->unit_name[unit] + strcspn(s->unit_name[unit], "0123456789");
    uint64_t id = unit;
    if (digits[0] == '\0' || !parse_number(digits, 0xffff, &id)) {
        return unit;
    }
    return (uint32_t)id;
}

/* Return the channel of a stream: that of its name, or a new one; STEP_UNITS if there are too many. */
static uint32_t nv_step_channel(stepper *s, nv_machine *m, size_t index)
{
    const stream *in = &s->d->streams[index];
    char name[24];
    snprintf(name, sizeof name, "channel %zu", (size_t)s->units);
    if (in->engine[0] != '\0') {
        snprintf(name, sizeof name, "%s", in->engine);
    }
    for (uint32_t i = 0; i < s->units && m->job->gate.ib_enable; i++) {
        if (in->engine[0] != '\0' && strcmp(s->unit_name[i], name) == 0) {
            return i;
        }
    }
    if (s->units < STEP_UNITS) {
        memcpy(s->unit_name[s->units], name, sizeof name);
        m->id[s->units] = nv_step_id(s, s->units);
        return s->units++;
    }
    return STEP_UNITS;
}

/* Place the streams first to first + count - 1, a channel each, or one for those of a name. */
static int nv_step_open(void *user, stepper *s, size_t first, size_t count)
{
    nv_job *job = user;
    nv_machine *m = resize(NULL, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    s->machine = m;
    s->m = &nv_step_machine;
    m->job = job;
    m->chip = job->gate.chip;
    const bool big = job->endian == GPUCMD_BIG_ENDIAN && m->chip >= GPUCMD_NV_CHIP_NV1A &&
                     !GPUCMD_NV_IS_GF100(m->chip);
    s->endian = big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    const uint64_t top = (uint64_t)1 << (job->gate.ib_enable ? 40 : 32);
    for (size_t i = first; i < first + count; i++) {
        const stream *in = &s->d->streams[i];
        uint64_t va = in->va;
        if (s->set->has_base) {
            va = s->set->base_va + (i - first) * NV_OWN_VA;
        } else if (!in->has_va && count > 1) {
            va = (i - first + 1) * NV_OWN_VA;
        }
        if (in->len_dw == 0) {
            continue;
        }
        const uint32_t unit = nv_step_channel(s, m, i);
        if (unit == STEP_UNITS || m->run_count[unit] == NV_RUNS ||
            (!step_add_stream(s, (int)i, va) && step_find_piece(s, va) < 0)) {
            note(s->d, "stream %zu is not run: more than %d channels or %d streams of one", i,
                 STEP_UNITS, NV_RUNS);
            continue;
        }
        m->runs[unit][m->run_count[unit]].va = va;
        m->runs[unit][m->run_count[unit]++].len_dw = in->len_dw;
    }
    for (uint32_t i = 0; i < s->units && job->gate.ib_enable; i++) {
        m->ring_va[i] = top - NV_PAGE * (uint64_t)(i + 1);
        if (step_add(s, m->ring_va[i], NV_PAGE, NULL, -1, 0)) {
            m->ring[i] = s->regions[s->region_count - 1].host;
        } else {
            return EXIT_USAGE;
        }
    }
    step_add_rest(s);
    return EXIT_FINE;
}

#endif

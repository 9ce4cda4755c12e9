/* xe.h - device coredumps of the kernel driver xe, for gpucmd-dump.c. */
#ifndef DUMP_XE_H
#define DUMP_XE_H

#include "ascii85.h"
#include "base.h"
#include "bytes.h"
#include "chips.h"
#include "error.h"
#include "explain.h"
#include "intel_names.h"
#include "lines.h"
#include "memory.h"
#include "stream.h"

/* Facts of a coredump before its memory is read. */
typedef struct xe_reader {
    dump *d;
    uint64_t *batch_va;
    size_t *batch_line;
    size_t batch_count;
    int state;      /* of the engine whose registers are being read */
    char key[24];   /* of the last "[KEY].length" */
    uint64_t bytes; /* its length */
    char queue[16]; /* name of the queue whose context follows */
    bool has_job;   /* topics */
    bool has_vm;
} xe_reader;

/* Read "IP ver: 12.55.0": 12.55 is gen12.5. */
static void take_ip(dump *d, const char *p)
{
    char name[16];
    int major = 0;
    int minor = 0;
    if (sscanf(p, "%3d.%3d", &major, &minor) == 2) {
        const char *half = "";
        if (major == 12 && minor >= 70) {
            half = ".7";
        } else if (major == 12 && minor >= 50) {
            half = ".5";
        }
        snprintf(name, sizeof name, "%d%s", major, half);
        set_chip(d, i915_gen_of_name(name), "IP version", 3);
    }
}

/* Read the memory of "[KEY].data: ASCII85". */
static void take_xe_memory(xe_reader *r, const text_lines *t, size_t *at, const char *data)
{
    dump *d = r->d;
    const size_t line = t->lines[*at].number;
    const char *p = r->key;
    uint64_t va = 0;
    coded_memory c;
    stream *s = add_stream(d, "memory", line);
    s->memory = true;
    s->has_va = take_hex(&p, p + strlen(p), &va) && *p == '\0';
    s->va = va;
    s->is_context = strcmp(r->key, "HWCTX") == 0;
    if (s->is_context) {
        engine_name(r->queue, s->engine);
    }
    if (begin_coded(&c, d, line, false)) {
        read_ascii85(d, t, at, (size_t)(data - t->lines[*at].at), &c);
    }
    if (4 * (uint64_t)c.words != r->bytes) {
        damaged(d, line, "[%s] has 0x%zx bytes; expected 0x%" PRIx64 ", its length", r->key,
                4 * c.words, r->bytes);
    }
}

/* Read a line of a topic. */
static void take_xe_line(xe_reader *r, const text_lines *t, size_t *at)
{
    dump *d = r->d;
    const text_line *line = &t->lines[*at];
    const char *end = line->at + line->len;
    const char *open = memchr(line->at, '[', line->len);
    const char *p;
    uint64_t v;
    if ((p = after(line, "\tName: ")) != NULL) {
        snprintf(r->queue, sizeof r->queue, "%.*s", (int)lesser((size_t)(end - p), 15), p);
    } else if ((p = after(line, "].length: ")) != NULL && open != NULL && open < p) {
        const size_t n = (size_t)(p - 10 - open - 1);
        snprintf(r->key, sizeof r->key, "%.*s", (int)lesser(n, 23), open + 1);
        if (take_hex(&p, end, &v)) {
            r->bytes = v;
        } else {
            r->bytes = 0;
        }
    } else if ((p = after(line, "].data: ")) != NULL) {
        take_xe_memory(r, t, at, p);
    } else if (starts_with(line, "batch_addr[") && (p = after(line, "]: ")) != NULL &&
               take_hex(&p, end, &v) && r->batch_count < 64) {
        r->batch_va = resize(r->batch_va, r->batch_count + 1, sizeof *r->batch_va);
        r->batch_line = resize(r->batch_line, r->batch_count + 1, sizeof *r->batch_line);
        r->batch_va[r->batch_count] = v;
        r->batch_line[r->batch_count++] = line->number;
    } else if ((p = after(line, " (physical), logical instance")) != NULL) {
        char name[16];
        engine_name(line->at, name);
        if (name[0] != '\0') {
            r->state = find_state(d, name, true, line->number);
        } else {
            r->state = NO_STATE;
        }
    } else if ((p = after(line, "IP ver: ")) != NULL) {
        char text[16];
        snprintf(text, sizeof text, "%.*s", (int)lesser((size_t)(end - p), 15), p);
        take_ip(d, text);
    } else if (r->state >= 0) {
        (void)take_registers(&d->states[r->state], line, false);
    } else {
        take_fact(d, line);
    }
}

/* Make a stream of the batch at va, from the object that holds it. */
static void add_batch(dump *d, uint64_t va, size_t line)
{
    size_t from;
    for (size_t i = 0; i < d->count; i++) {
        const stream *object = &d->streams[i];
        if (!object->memory || !stream_find(object, va, &from)) {
            continue;
        }
        stream *s = add_stream(d, "batch", line);
        const size_t n = d->streams[i].len_dw - from; /* the array has moved */
        view_words(s, &d->streams[i], from);
        s->va = va;
        s->has_va = true;
        if (d->state_count != 0) {
            s->state = 0;
            for (size_t k = 0; k < d->state_count; k++) {
                const uint64_t acthd = d->states[k].acthd;
                if (acthd >= va && acthd - va < 4 * (uint64_t)n) {
                    s->state = (int)k;
                }
            }
            snprintf(s->engine, sizeof s->engine, "%s", d->states[s->state].name);
        }
        return;
    }
    damaged(d, line, "no memory of the dump holds the batch at 0x%" PRIx64, va);
}

/* Without the topic Job: make streams of the objects that the engines read in. */
static void add_places(dump *d)
{
    for (size_t i = 0; i < d->state_count; i++) {
        const engine_state *state = &d->states[i];
        size_t from;
        const size_t n = d->count;
        for (size_t k = 0; k < n && state_has(state, REG_acthd) && state->acthd != 0; k++) {
            const stream *object = &d->streams[k];
            if (!object->memory || !stream_find(object, state->acthd, &from)) {
                continue;
            }
            stream *s = add_stream(d, "batch", object->line);
            view_words(s, &d->streams[k], 0);
            s->va = d->streams[k].va;
            s->has_va = true;
            s->state = (int)i;
            snprintf(s->engine, sizeof s->engine, "%s", state->name);
            note(d,
                 "the object at 0x%" PRIx64 " has the address where %s stopped: decoded from its "
                 "begin, which may not be that of the batch",
                 s->va, state->name);
            break;
        }
    }
}

/* Print the registers that an image of a context loads. */
static void tell_context(const dump *d, const stream *s)
{
    enum { MOST = 32 };
    size_t count = 0;
    for (size_t at = 0; at < s->len_dw && count < MOST;) {
        const uint32_t dw = s->dw[at++];
        if (dw >> 23 != 0x22) { /* MI_LOAD_REGISTER_IMM */
            continue;
        }
        const size_t end = (size_t)lesser(at + (dw & 0xff) + 1, s->len_dw);
        for (; at + 1 < end && count < MOST; at += 2, count++) {
            char name[64];
            intel_register_name(d, s->engine, s->dw[at] & 0x7ffffc, name, sizeof name);
            if (count == 0) {
                tell("line %zu: registers of the context of %s\n", s->line,
                     s->engine[0] != '\0' ? s->engine : "a queue");
            }
            tell("    %s 0x%08" PRIx32 "\n", name, s->dw[at + 1]);
        }
        at = end;
    }
}

/* Report what the dump lacks. */
static void tell_missing(const xe_reader *r)
{
    dump *d = r->d;
    note(d, "the topic %s is missing%s: no batch is named",
         r->has_job ? "Job has no batch_addr, so a batch" : "Job",
         r->has_vm ? "" : ", VM state, too");
    for (size_t i = 0; i < d->count; i++) {
        if (d->streams[i].memory && d->streams[i].is_context) {
            tell_context(d, &d->streams[i]);
        }
    }
    add_places(d);
}

static const char *recognise_xe(dump *d, const text_lines *t)
{
    (void)d;
    if (is_xe(t)) {
        return "xe-devcoredump";
    }
    return NULL;
}

static void read_xe(void *state, dump *d, const text_lines *t)
{
    xe_reader r;
    (void)state;
    memset(&r, 0, sizeof r);
    r.d = d;
    r.state = NO_STATE;
    for (size_t i = 0; i < t->count && !d->full; i++) {
        if (starts_with(&t->lines[i], "**** ")) {
            r.state = NO_STATE;
            r.has_job = r.has_job || starts_with(&t->lines[i], "**** Job");
            r.has_vm = r.has_vm || starts_with(&t->lines[i], "**** VM state");
        }
        take_xe_line(&r, t, &i);
    }
    if (r.batch_count == 0) {
        tell_missing(&r);
    }
    for (size_t i = 0; i < r.batch_count; i++) {
        add_batch(d, r.batch_va[i], r.batch_line[i]);
    }
    sort_streams(d);
    release(r.batch_va);
    release(r.batch_line);
}

#endif

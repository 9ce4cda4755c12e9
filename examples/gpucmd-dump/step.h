/* step.h - runs streams step by step, forwards and backwards, for gpucmd-dump.c. step_text.h reads
 * commands and prints; nv_step.h, i915_step.h and agx_step.h have the machines. */
#ifndef DUMP_STEP_H
#define DUMP_STEP_H

#include "base.h"
#include "memory.h"
#include "output.h"
#include "settings.h"
#include "stream.h"
#include "text.h"

enum {
    STEP_UNITS = 8,    /* channels, engines or queues side by side */
    STEP_EVENTS = 200, /* of one command that are kept */
    STEP_BREAKS = 32,
    STEP_SETS = 256,    /* values that a person writes to memory */
    STEP_SPANS = 2048,  /* of the timeline */
    STEP_CHUNKS = 2048, /* pages of memory that the dump does not have */
    STEP_PAGE = 4096,
    STEP_REGIONS = 2 * STEP_UNITS + 128,
    STEP_HISTORY = 16 << 20, /* steps that can be undone */
};

/* What happened in a step. */
typedef struct step_event {
    const char *kind; /* "write", "wait", "method" and so on */
    uint32_t unit;
    uint64_t va;
    uint64_t value;
    uint64_t old;   /* write: the value before */
    bool is_memory; /* va, value and old are memory */
    char text[80];
} step_event;

/* Where a unit is: its next word. */
typedef struct step_place {
    uint64_t va;
    int stream;      /* of the dump, or -1: it is in no stream */
    uint64_t offset; /* in the stream */
    bool in_memory;  /* the dump has the word, or it is the machine's own */
    bool command;    /* a command begins here */
    uint32_t method; /* nv: method of the word, otherwise UINT32_MAX */
    char name[64];   /* of the command or method */
} step_place;

typedef enum step_break_kind {
    BREAK_ADDRESS,   /* the next word, or a store to it */
    BREAK_METHOD,    /* nv */
    BREAK_NAME,      /* of a command or method */
    BREAK_SEMAPHORE, /* a wait, its end, or a release */
    BREAK_FINDING,
} step_break_kind;

typedef struct step_break {
    step_break_kind kind;
    uint64_t value;
    char name[48];
} step_break;

/* A value that a person wrote to memory after so many steps. */
typedef struct step_set {
    size_t at;
    uint64_t va;
    uint32_t value;
} step_set;

/* A part of the timeline: steps first to end of the history. */
typedef struct step_span {
    uint32_t unit;
    bool waits;
    size_t first;
    size_t end;
} step_span;

/* Memory of the machine: words of the dump, which every start copies, or zeros. */
typedef struct step_piece {
    const uint32_t *from; /* NULL: zeros */
    int stream;           /* of the dump, or -1 */
    uint64_t stream_off;  /* of the piece in the stream, bytes */
} step_piece;

/* A finding of the check: where it is. */
typedef struct step_finding {
    int stream;
    uint64_t offset;
    char text[232];
} step_finding;

typedef struct stepper stepper;
typedef void (*step_register_fn)(void *user, const char *name, uint64_t value);

/* A vendor's machine. */
typedef struct step_machine {
    const char *unit_kind; /* "channel", "engine", "queue" */
    /* Bring the units to their start, memory is as at the beginning. */
    int (*reset)(stepper *s);
    /* Execute the smallest unit of work. */
    gpucmd_run (*step)(stepper *s, uint32_t unit);
    void (*place)(stepper *s, uint32_t unit, step_place *p);
    void (*registers)(stepper *s, uint32_t unit, step_register_fn put, void *user);
    /* Append why the unit stopped, one line; and what waits for what, a line each. */
    void (*why)(stepper *s, uint32_t unit, gpucmd_text *t);
    void (*waits)(stepper *s, gpucmd_text *t);
} step_machine;

struct stepper {
    const step_machine *m;
    void *machine; /* the state of m */
    dump *d;
    const settings *set;
    output *out;
    bool json;
    uint32_t units;
    uint32_t unit; /* the chosen one */
    char unit_name[STEP_UNITS][24];
    gpucmd_run result[STEP_UNITS];
    /* memory */
    gpucmd_region regions[STEP_REGIONS];
    gpucmd_region sorted[STEP_REGIONS];
    step_piece pieces[STEP_REGIONS];
    size_t region_count;
    struct {
        uint64_t va;
        uint8_t *host;
    } chunks[STEP_CHUNKS];
    size_t chunk_count;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_endian endian;
    /* history: of each step the unit, with bit 7 if a command began */
    uint8_t *history;
    size_t steps;
    step_set sets[STEP_SETS];
    size_t set_count;
    step_span spans[STEP_SPANS];
    size_t span_count;
    int open[STEP_UNITS]; /* span that goes on, or -1 */
    bool replay;
    step_event events[STEP_EVENTS];
    size_t event_count;
    size_t event_lost;
    step_break breaks[STEP_BREAKS];
    size_t break_count;
    step_finding *findings;
    size_t finding_count;
    bool checked;                /* the streams are checked */
    void (*check)(stepper *s);   /* fills findings */
    const step_finding *finding; /* of the last stop, or NULL */
    char stop[160];              /* why the last command stopped, "" if it did what it was told */
};

/* ---- memory ---- */

/* Callback of gpucmd_mem: memory outside the dump reads as zeros and can be written. */
static gpucmd_status step_find(void *user, uint64_t va, uint32_t access_mask, uint8_t **host,
                               uint64_t *there)
{
    stepper *s = user;
    const uint64_t chunk_va = va & ~(uint64_t)(STEP_PAGE - 1);
    size_t i = 0;
    (void)access_mask;
    while (i < s->chunk_count && s->chunks[i].va != chunk_va) {
        i++;
    }
    if (i == STEP_CHUNKS) {
        return GPUCMD_FAULT;
    }
    if (i == s->chunk_count) {
        s->chunks[i].host = resize(NULL, STEP_PAGE, 1);
        memset(s->chunks[i].host, 0, STEP_PAGE);
        s->chunks[i].va = chunk_va;
        s->chunk_count++;
    }
    *host = s->chunks[i].host + (va - chunk_va);
    *there = STEP_PAGE - (va - chunk_va);
    return GPUCMD_OK;
}

/* Add memory at va, up to memory that is there; whole words. Return false if nothing is added. */
static bool step_add(stepper *s, uint64_t va, uint64_t len_bytes, const uint32_t *from, int index,
                     uint64_t stream_off)
{
    uint64_t at = va;
    uint64_t end = va + len_bytes;
    for (size_t i = 0; i < s->region_count; i++) {
        const gpucmd_region *r = &s->regions[i];
        if (r->va <= at && at < r->va + r->bytes) {
            at = r->va + r->bytes;
        } else if (at < r->va && r->va < end) {
            end = r->va;
        }
    }
    if (at >= end || end < va || va % 4 != 0 || s->region_count == STEP_REGIONS) {
        return false;
    }
    gpucmd_region *r = &s->regions[s->region_count];
    step_piece *p = &s->pieces[s->region_count++];
    r->va = at;
    r->bytes = end - at;
    r->host = resize(NULL, (size_t)r->bytes, 1);
    r->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    p->from = from != NULL ? from + (at - va) / 4 : NULL;
    p->stream = index;
    p->stream_off = stream_off + (at - va);
    return true;
}

/* Add the words of a stream of the dump at va. */
static bool step_add_stream(stepper *s, int index, uint64_t va)
{
    const stream *from = &s->d->streams[index];
    const size_t first = from->wrap_dw != 0 ? from->wrap_dw : from->len_dw;
    const bool added = step_add(s, va, 4 * (uint64_t)first, from->dw, index, 0);
    if (from->wrap_dw != 0) {
        (void)step_add(s, from->wrap_va, 4 * (uint64_t)(from->len_dw - first), from->dw + first,
                       index, 4 * (uint64_t)first);
    }
    return added;
}

/* Add all other memory of the dump that has an address. */
static void step_add_rest(stepper *s)
{
    for (size_t i = 0; i < s->d->count && !s->set->has_base; i++) {
        if (s->d->streams[i].has_va && s->d->streams[i].len_dw != 0) {
            (void)step_add_stream(s, (int)i, s->d->streams[i].va);
        }
    }
}

/* Bring memory to its beginning. */
static int step_clear_memory(stepper *s)
{
    for (size_t i = 0; i < s->region_count; i++) {
        const gpucmd_region *r = &s->regions[i];
        memset(r->host, 0, (size_t)r->bytes);
        if (s->pieces[i].from != NULL) {
            gpucmd_store_words(r->host, s->pieces[i].from, (size_t)r->bytes / 4, s->endian);
        }
    }
    for (size_t i = 0; i < s->chunk_count; i++) {
        memset(s->chunks[i].host, 0, STEP_PAGE);
    }
    memcpy(s->sorted, s->regions, s->region_count * sizeof *s->sorted);
    gpucmd_mem_sort(s->sorted, s->region_count);
    if (gpucmd_mem_init(&s->mem, s->sorted, s->region_count) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    s->mem.find = step_find;
    s->mem.find_user = s;
    return EXIT_FINE;
}

/* Find the stream that has the address. Return the piece, or -1. */
static int step_find_piece(const stepper *s, uint64_t va)
{
    for (size_t i = 0; i < s->region_count; i++) {
        const gpucmd_region *r = &s->regions[i];
        if (va >= r->va && va - r->va < r->bytes) {
            return (int)i;
        }
    }
    return -1;
}

/* Set the members of a place that its address decides. */
static void step_locate(const stepper *s, uint64_t va, step_place *p)
{
    const int piece = step_find_piece(s, va);
    p->va = va;
    p->stream = -1;
    p->method = UINT32_MAX;
    p->in_memory = piece >= 0;
    if (piece >= 0 && s->pieces[piece].stream >= 0) {
        p->stream = s->pieces[piece].stream;
        p->offset = s->pieces[piece].stream_off + (va - s->regions[piece].va);
    }
}

/* Read a word as the machine does, without adding memory; 0 if there is none. */
static uint32_t step_read(const stepper *s, uint64_t va)
{
    const int piece = step_find_piece(s, va);
    if (piece >= 0 && s->regions[piece].bytes - (va - s->regions[piece].va) >= 4) {
        return gpucmd_load32((uint8_t *)s->regions[piece].host + (va - s->regions[piece].va),
                             s->endian);
    }
    for (size_t i = 0; i < s->chunk_count; i++) {
        if (va >= s->chunks[i].va && va - s->chunks[i].va <= STEP_PAGE - 4) {
            return gpucmd_load32(s->chunks[i].host + (va - s->chunks[i].va), s->endian);
        }
    }
    return 0;
}

/* ---- events ---- */

/* Record an event; the caller fills the rest. Return NULL while steps are repeated, or if there are
 * too many. */
static step_event *step_note(stepper *s, const char *kind, uint32_t unit, uint64_t va)
{
    if (s->replay) {
        return NULL;
    }
    if (s->event_count == STEP_EVENTS) {
        s->event_lost++;
        return NULL;
    }
    step_event *e = &s->events[s->event_count++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->unit = unit;
    e->va = va;
    return e;
}

/* Record a store, before it: at most 16 words, each an event. */
static void step_note_store(stepper *s, uint32_t unit, uint64_t va, uint64_t count_dw)
{
    for (uint64_t i = 0; i < lesser(count_dw, 16); i++) {
        step_event *e = step_note(s, "write", unit, va + 4 * i);
        if (e != NULL) {
            e->is_memory = true;
            e->old = step_read(s, e->va);
            e->value = e->old;
        }
    }
    if (count_dw > 16 && !s->replay) {
        s->event_lost += (size_t)(count_dw - 16);
    }
}

/* Read what the stores left, since the event number first. */
static void step_read_stores(stepper *s, size_t first)
{
    for (size_t i = first; i < s->event_count; i++) {
        if (s->events[i].is_memory) {
            s->events[i].value = step_read(s, s->events[i].va);
        }
    }
}

/* ---- history ---- */

/* Continue the timeline with step number at of a unit. */
static void step_extend(stepper *s, uint32_t unit, bool waits, size_t at)
{
    const int open = s->open[unit];
    if (open >= 0 && s->spans[open].waits == waits) {
        s->spans[open].end = at + 1;
        return;
    }
    if (open >= 0 && s->spans[open].waits) {
        s->spans[open].end = at;
    }
    if (s->span_count == STEP_SPANS) {
        s->open[unit] = -1;
        return;
    }
    const step_span span = {unit, waits, at, at + 1};
    s->open[unit] = (int)s->span_count;
    s->spans[s->span_count++] = span;
}

/* Write the values that a person set after `at` steps. */
static void step_apply_sets(stepper *s, size_t at)
{
    for (size_t i = 0; i < s->set_count; i++) {
        if (s->sets[i].at == at) {
            (void)!gpucmd_mem_write32(&s->mem, s->sets[i].va, s->endian, s->sets[i].value);
        }
    }
}

/* Execute the smallest unit of work of a unit, and add it to the history. A unit that still waits
 * leaves no trace. */
static gpucmd_run step_one(stepper *s, uint32_t unit, bool command)
{
    const gpucmd_run before = s->result[unit];
    const size_t first = s->event_count;
    const gpucmd_run result = s->m->step(s, unit);
    s->result[unit] = result;
    step_read_stores(s, first);
    const bool polled = result == GPUCMD_RUN_BLOCKED && before == GPUCMD_RUN_BLOCKED;
    if (result == GPUCMD_RUN_IDLE || polled) {
        s->event_count = polled ? first : s->event_count;
        return result;
    }
    if (!s->replay && s->steps < STEP_HISTORY) {
        s->history = resize(s->history, s->steps + 1, 1);
        s->history[s->steps] = (uint8_t)(unit | (command ? 0x80 : 0));
    }
    step_extend(s, unit, result == GPUCMD_RUN_BLOCKED, s->steps);
    s->steps++;
    step_apply_sets(s, s->steps);
    return result;
}

/* Start again, and repeat the first n steps of the history. Return the exit status. */
static int step_restart(stepper *s, size_t n)
{
    const uint32_t unit = s->unit;
    int status = step_clear_memory(s);
    gpucmd_env_init(&s->env, &s->mem, NULL, NULL);
    s->steps = 0;
    s->span_count = 0;
    s->event_count = s->event_lost = 0;
    while (s->set_count != 0 && s->sets[s->set_count - 1].at > n) {
        s->set_count--;
    }
    for (uint32_t i = 0; i < STEP_UNITS; i++) {
        s->result[i] = GPUCMD_RUN_DONE;
        s->open[i] = -1;
    }
    if (status == EXIT_FINE) {
        status = s->m->reset(s);
    }
    step_apply_sets(s, 0);
    s->replay = true;
    for (size_t i = 0; status == EXIT_FINE && i < n; i++) {
        (void)step_one(s, s->history[i] & 0x7f, false);
    }
    s->replay = false;
    s->unit = unit;
    return status;
}

/* ---- breaks ---- */

/* Return true if the names are equal in any case. */
static bool step_same_name(const char *a, const char *b)
{
    const size_t n = strcspn(a, " ");
    for (size_t i = 0; i < n; i++) {
        if ((a[i] | 32) != (b[i] | 32) || b[i] == '\0') {
            return false;
        }
    }
    return b[n] == '\0' && n != 0;
}

/* Return true if the next word of the place is one to stop before, and say so. */
static bool step_break_before(stepper *s, const step_place *p)
{
    for (size_t i = 0; i < s->break_count; i++) {
        const step_break *b = &s->breaks[i];
        if ((b->kind == BREAK_ADDRESS && b->value == p->va) ||
            (b->kind == BREAK_METHOD && b->value == p->method) ||
            (b->kind == BREAK_NAME && step_same_name(p->name, b->name))) {
            snprintf(s->stop, sizeof s->stop, "break: %s at 0x%" PRIx64, p->name, p->va);
            return true;
        }
        for (size_t k = 0; b->kind == BREAK_FINDING && k < s->finding_count; k++) {
            const step_finding *f = &s->findings[k];
            if (f->stream == p->stream && f->offset == p->offset) {
                snprintf(s->stop, sizeof s->stop, "finding: %.140s", f->text);
                s->finding = f;
                return true;
            }
        }
    }
    return false;
}

/* Return true if an event since number first is one to stop after, and say so. */
static bool step_break_after(stepper *s, size_t first)
{
    for (size_t i = first; i < s->event_count; i++) {
        const step_event *e = &s->events[i];
        const bool semaphore = strcmp(e->kind, "wait") == 0 || strcmp(e->kind, "wake") == 0 ||
                               strcmp(e->kind, "release") == 0;
        for (size_t k = 0; k < s->break_count; k++) {
            const step_break *b = &s->breaks[k];
            if ((b->kind == BREAK_SEMAPHORE && semaphore) ||
                (b->kind == BREAK_ADDRESS && e->is_memory && b->value == e->va)) {
                snprintf(s->stop, sizeof s->stop, "break: %s at 0x%" PRIx64, e->kind, e->va);
                return true;
            }
        }
    }
    return false;
}

/* ---- motion ---- */

/* Say why a unit does not go on. */
static void step_say_why(stepper *s, uint32_t unit)
{
    char text[160];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    s->m->why(s, unit, &t);
    text[strcspn(text, "\n")] = '\0';
    snprintf(s->stop, sizeof s->stop, "%s", text);
}

/* Execute one smallest unit of work. Return false, with s->stop, if it cannot be done. */
static bool step_forward(stepper *s, uint32_t unit)
{
    step_place p;
    memset(&p, 0, sizeof p);
    s->m->place(s, unit, &p);
    if (s->steps >= STEP_HISTORY) {
        snprintf(s->stop, sizeof s->stop, "%d steps; more cannot be undone", STEP_HISTORY);
        return false;
    }
    if (!p.in_memory && s->result[unit] == GPUCMD_RUN_DONE) {
        snprintf(s->stop, sizeof s->stop, "the next word, at 0x%" PRIx64 ", is not in the dump",
                 p.va);
        s->result[unit] = GPUCMD_RUN_FAULT;
        return false;
    }
    const gpucmd_run run = step_one(s, unit, p.command);
    if (run != GPUCMD_RUN_DONE) {
        step_say_why(s, unit);
    }
    return run == GPUCMD_RUN_DONE;
}

/* Execute n words of the unit, or commands. */
static void step_move(stepper *s, uint64_t n, bool commands)
{
    bool going = true;
    while (n-- != 0 && going) {
        step_place p;
        do {
            going = step_forward(s, s->unit);
            memset(&p, 0, sizeof p);
            s->m->place(s, s->unit, &p);
        } while (commands && going && !p.command);
    }
}

/* Undo n words, or commands of the unit. */
static int step_back(stepper *s, uint64_t n, bool commands)
{
    size_t to = s->steps;
    for (; n != 0 && to != 0; n--) {
        bool done = false;
        while (to != 0 && !done) {
            to--;
            done = !commands || s->history[to] == (s->unit | 0x80);
        }
    }
    return step_restart(s, to);
}

/* Run all units, a step each in turn, until a break, an end, or n steps. */
static void step_run(stepper *s, uint64_t n)
{
    bool moved = true;
    bool first[STEP_UNITS] = {false};
    s->stop[0] = '\0';
    while (moved && n != 0) {
        moved = false;
        for (uint32_t i = 0; i < s->units && n != 0; i++) {
            step_place p;
            const size_t events = s->event_count;
            if (s->result[i] != GPUCMD_RUN_DONE && s->result[i] != GPUCMD_RUN_BLOCKED) {
                continue;
            }
            memset(&p, 0, sizeof p);
            s->m->place(s, i, &p);
            if (first[i] && step_break_before(s, &p)) {
                s->unit = i;
                return;
            }
            first[i] = true;
            s->event_count = events > STEP_EVENTS / 2 ? 0 : events;
            const size_t since = s->event_count;
            moved = step_forward(s, i) || moved;
            n--;
            if (step_break_after(s, since)) {
                s->unit = i;
                return;
            }
        }
    }
    if (moved) {
        snprintf(s->stop, sizeof s->stop, "still running");
        return;
    }
    for (uint32_t i = s->units; i-- != 0;) { /* the first that is not idle says why */
        if (s->result[i] != GPUCMD_RUN_IDLE) {
            s->unit = i;
        }
    }
    if (s->result[s->unit] == GPUCMD_RUN_IDLE) {
        snprintf(s->stop, sizeof s->stop, "all words are executed");
    } else if (s->result[s->unit] == GPUCMD_RUN_BLOCKED) {
        step_say_why(s, s->unit);
    }
}

static void step_free(stepper *s)
{
    for (size_t i = 0; i < s->region_count; i++) {
        release(s->regions[i].host);
    }
    for (size_t i = 0; i < s->chunk_count; i++) {
        release(s->chunks[i].host);
    }
    release(s->history);
    release(s->findings);
    release(s->machine);
    release(s);
}

#endif

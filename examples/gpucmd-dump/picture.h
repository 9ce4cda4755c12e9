/* picture.h - streams as operations over time, for the pictures of gpucmd-dump.c. */
#ifndef DUMP_PICTURE_H
#define DUMP_PICTURE_H

#include "base.h"
#include "memory.h"
#include "stream.h"
#include "text.h"

enum {
    PICTURE_OPS = 1 << 18,   /* operations of all streams */
    PICTURE_NAMED = 4000,    /* with more, boxes do not have the names of their commands */
    PICTURE_SPANS = 1 << 16, /* boxes of a picture */
    PICTURE_DEPTH = 8,       /* starts inside starts */
    PICTURE_CELLS = 4096,    /* addresses that operations store at */
    PICTURE_NONE = -1,
};

typedef enum op_kind {
    OP_RUN,    /* commands without effect on other streams */
    OP_UNREAD, /* words that are no command */
    OP_WAIT,   /* until memory at va has the value */
    OP_SIGNAL, /* store value at va */
    OP_START,  /* another stream, which returns */
    OP_END,
} op_kind;

typedef enum op_test {
    TEST_EQUAL,
    TEST_NOT_EQUAL,
    TEST_AT_LEAST,
    TEST_ABOVE,
    TEST_BELOW,
    TEST_AT_MOST
} op_test;

typedef struct picture_op {
    op_kind kind;
    size_t stream;
    size_t at_dw;
    uint32_t len_dw;
    uint64_t va; /* of memory, or target of a jump */
    uint64_t value;
    op_test test;
    int target; /* stream of a start, or PICTURE_NONE */
    const char *name;
    int subc; /* subchannel, or PICTURE_NONE */
} picture_op;

/* A box: an operation over time. */
typedef struct picture_span {
    op_kind kind;
    size_t stream;
    size_t op;
    uint64_t start;
    uint64_t end;
    int by;        /* a wait: index of the span that released it, or PICTURE_NONE */
    int back;      /* an end: the stream that goes on, or PICTURE_NONE */
    bool blocked;  /* a wait that nothing ends */
    bool in_cycle; /* and that is part of a cycle */
} picture_span;

/* A stream that runs by itself: a channel or an engine. */
typedef struct picture_thread {
    size_t stack[PICTURE_DEPTH]; /* operations to go on with; the last is the present one */
    size_t depth;
    uint64_t now;
    int wait; /* span of the wait that blocks it, or PICTURE_NONE */
    bool done;
    size_t stream;
} picture_thread;

/* Memory that operations store at. */
typedef struct picture_cell {
    uint64_t va;
    uint64_t value;
    int span; /* that stored last, or PICTURE_NONE */
} picture_cell;

typedef struct picture {
    const dump *d;
    picture_cell *cells;
    size_t cell_count;
    const char *title;
    picture_op *ops;
    size_t op_count;
    size_t *first;  /* first operation of each stream; one more at the end */
    size_t *lane;   /* first lane of each stream; one more at the end */
    uint8_t *subcs; /* bits of the subchannels of each stream */
    picture_span *spans;
    size_t span_count;
    picture_thread *threads;
    size_t thread_count;
    uint64_t end;
    size_t cycle; /* threads in a cycle */
    bool cut;     /* not everything is in the picture */
    char **names; /* that no table has */
    size_t name_count;
} picture;

/* Return a copy of a name, which stays as long as the picture; equal names are one. */
static const char *keep_name(picture *p, const char *name)
{
    for (size_t i = 0; i < p->name_count; i++) {
        if (strcmp(p->names[i], name) == 0) {
            return p->names[i];
        }
    }
    const size_t n = strlen(name) + 1;
    p->names = resize(p->names, p->name_count + 1, sizeof *p->names);
    char *copy = resize(NULL, n, 1);
    memcpy(copy, name, n);
    p->names[p->name_count++] = copy;
    return copy;
}

/* Add an operation. Adjacent operations of kind OP_RUN with the same name become one, and words that are
 * no commands, too. */
static void add_op(picture *p, const picture_op *op)
{
    picture_op *last = NULL;
    if (p->op_count != 0) {
        last = &p->ops[p->op_count - 1];
    }
    if (last != NULL && (op->kind == OP_RUN || op->kind == OP_UNREAD) && last->kind == op->kind &&
        last->stream == op->stream && last->subc == op->subc && last->name == op->name) {
        last->len_dw += op->len_dw;
        return;
    }
    if (p->op_count == PICTURE_OPS) {
        p->cut = true;
        return;
    }
    p->ops = resize(p->ops, p->op_count + 1, sizeof *p->ops);
    p->ops[p->op_count++] = *op;
}

/* Prepare a picture of n streams. */
static void begin_picture(picture *p, const dump *d, size_t n)
{
    memset(p, 0, sizeof *p);
    p->d = d;
    p->first = resize(NULL, n + 1, sizeof *p->first);
}

static void free_picture(picture *p)
{
    for (size_t i = 0; i < p->name_count; i++) {
        release(p->names[i]);
    }
    release(p->names);
    release(p->ops);
    release(p->first);
    release(p->lane);
    release(p->subcs);
    release(p->spans);
    release(p->threads);
    release(p->cells);
}

/* Return the cell at an address, or NULL if nothing stores there. */
static picture_cell *find_cell(const picture *p, uint64_t va)
{
    for (size_t i = 0; i < p->cell_count; i++) {
        if (p->cells[i].va == va) {
            return &p->cells[i];
        }
    }
    return NULL;
}

/* Make a cell for each address that an operation stores at. */
static void make_cells(picture *p)
{
    for (size_t i = 0; i < p->op_count; i++) {
        const picture_op *op = &p->ops[i];
        if (op->kind == OP_SIGNAL && p->cell_count < PICTURE_CELLS &&
            find_cell(p, op->va) == NULL) {
            p->cells = resize(p->cells, p->cell_count + 1, sizeof *p->cells);
            const picture_cell cell = {op->va, 0, PICTURE_NONE};
            p->cells[p->cell_count++] = cell;
        }
    }
}

static bool test_holds(const picture_op *op, uint64_t value)
{
    switch (op->test) {
    case TEST_EQUAL: return value == op->value;
    case TEST_NOT_EQUAL: return value != op->value;
    case TEST_AT_LEAST: return value >= op->value;
    case TEST_ABOVE: return value > op->value;
    case TEST_BELOW: return value < op->value;
    case TEST_AT_MOST: return value <= op->value;
    }
    return true;
}

static int add_span(picture *p, size_t op, uint64_t start, uint64_t end)
{
    if (p->span_count == PICTURE_SPANS) {
        p->cut = true;
        return PICTURE_NONE;
    }
    p->spans = resize(p->spans, p->span_count + 1, sizeof *p->spans);
    const picture_span s = {p->ops[op].kind, p->ops[op].stream, op,    start, end,
                            PICTURE_NONE,    PICTURE_NONE,      false, false};
    p->spans[p->span_count] = s;
    if (end > p->end) {
        p->end = end;
    }
    return (int)p->span_count++;
}

/* Leave the present stream: go on where it was started. */
static void leave_stream(picture_thread *t)
{
    t->depth--;
    t->done = t->depth == 0;
}

/* Execute one operation of a thread. Return false if it waits. */
static bool step_thread(picture *p, picture_thread *t)
{
    size_t *at = &t->stack[t->depth - 1];
    const picture_op *op = &p->ops[*at];
    const size_t here = op->stream;
    picture_cell *cell = NULL;
    if (op->kind == OP_WAIT || op->kind == OP_SIGNAL) {
        cell = find_cell(p, op->va);
    }
    int span = PICTURE_NONE;
    if (op->kind == OP_WAIT && cell != NULL) {
        if (t->wait < 0) {
            t->wait = add_span(p, *at, t->now, t->now + op->len_dw);
        }
        if (t->wait < 0 || !test_holds(op, cell->value)) {
            return false;
        }
        const int by = cell->span;
        uint64_t released = 0;
        if (by >= 0) {
            released = p->spans[by].end;
        }
        t->now = (released > t->now ? released : t->now) + op->len_dw;
        p->spans[t->wait].end = t->now;
        p->spans[t->wait].by = by;
        if (t->now > p->end) {
            p->end = t->now;
        }
        t->wait = PICTURE_NONE;
    } else {
        span = add_span(p, *at, t->now, t->now + op->len_dw);
        t->now += op->len_dw;
        if (op->kind == OP_SIGNAL && cell != NULL) {
            cell->value = op->value;
            cell->span = span;
        }
    }
    int target = PICTURE_NONE;
    if (op->kind == OP_START) {
        target = op->target;
    }
    ++*at;
    if (op->kind == OP_END || *at == p->first[here + 1]) {
        leave_stream(t);
    }
    if (op->kind == OP_END && span >= 0 && !t->done) {
        p->spans[span].back = (int)p->ops[t->stack[t->depth - 1]].stream;
    }
    if (target >= 0 && t->depth < PICTURE_DEPTH && p->first[target] != p->first[target + 1]) {
        t->stack[t->depth++] = p->first[target];
        t->done = false;
    }
    return true;
}

/* Mark the waits of threads that wait for each other: follow each blocked thread to the one whose
 * operations that are left store what it waits for. */
static void find_cycles(picture *p)
{
    for (size_t i = 0; i < p->thread_count; i++) {
        size_t at = i;
        size_t steps = 0;
        for (; steps <= p->thread_count && p->threads[at].wait >= 0; steps++) {
            const uint64_t va = p->ops[p->spans[p->threads[at].wait].op].va;
            size_t next = p->thread_count;
            for (size_t k = 0; k < p->thread_count && next == p->thread_count; k++) {
                const picture_thread *t = &p->threads[k];
                for (size_t level = 0; level < t->depth && t->wait >= 0; level++) {
                    const size_t from = t->stack[level];
                    const size_t end = p->first[p->ops[from].stream + 1];
                    for (size_t o = from; o < end; o++) {
                        if (p->ops[o].kind == OP_SIGNAL && p->ops[o].va == va) {
                            next = k;
                        }
                    }
                }
            }
            if (next == p->thread_count) {
                break;
            }
            at = next;
            if (at == i) {
                p->spans[p->threads[i].wait].in_cycle = true;
                p->cycle++;
                break;
            }
        }
    }
}

/* Return the number of subchannels below limit in a set. */
static size_t count_subcs(unsigned set, int limit)
{
    size_t n = 0;
    for (int i = 0; i < limit; i++) {
        n += set >> i & 1;
    }
    return n;
}

/* Give each stream a lane, and a stream with several subchannels one for each. */
static void make_lanes(picture *p, size_t streams)
{
    p->lane = resize(NULL, streams + 1, sizeof *p->lane);
    p->subcs = resize(NULL, streams + 1, 1);
    p->lane[0] = 0;
    for (size_t i = 0; i < streams; i++) {
        unsigned set = 0;
        for (size_t o = p->first[i]; o < p->first[i + 1]; o++) {
            if (p->ops[o].subc >= 0) {
                set |= 1u << p->ops[o].subc;
            }
        }
        size_t n = count_subcs(set, 8);
        if (n == 0) {
            n = 1;
        }
        p->subcs[i] = (uint8_t)set;
        p->lane[i + 1] = p->lane[i] + n;
    }
}

/* Return the lane of an operation: without a subchannel the first of its stream. */
static size_t op_lane(const picture *p, const picture_op *op)
{
    const size_t first = p->lane[op->stream];
    if (op->subc < 0 || p->lane[op->stream + 1] - first == 1) {
        return first;
    }
    return first + count_subcs(p->subcs[op->stream], op->subc);
}

/* Run all streams that no other stream starts, side by side; a word takes one unit of time. */
static void run_picture(picture *p, size_t streams)
{
    bool *started = resize(NULL, streams, sizeof *started);
    memset(started, 0, streams * sizeof *started);
    for (size_t i = 0; i < p->op_count; i++) {
        if (p->ops[i].kind == OP_START && p->ops[i].target >= 0 &&
            (size_t)p->ops[i].target != p->ops[i].stream) {
            started[p->ops[i].target] = true;
        }
    }
    for (size_t i = 0; i < streams; i++) {
        if (!started[i] && p->first[i] != p->first[i + 1]) {
            p->threads = resize(p->threads, p->thread_count + 1, sizeof *p->threads);
            picture_thread *t = &p->threads[p->thread_count++];
            memset(t, 0, sizeof *t);
            t->stack[0] = p->first[i];
            t->depth = 1;
            t->wait = PICTURE_NONE;
            t->stream = i;
        }
    }
    release(started);
    make_lanes(p, streams);
    make_cells(p);
    bool moved = true;
    while (moved && !p->cut) {
        moved = false;
        size_t next = p->thread_count;
        for (size_t i = 0; i < p->thread_count; i++) { /* the earliest that can go on */
            const picture_thread *t = &p->threads[i];
            const picture_op *op = NULL;
            if (!t->done) {
                op = &p->ops[t->stack[t->depth - 1]];
            }
            const bool ready =
                op != NULL && (t->wait < 0 || test_holds(op, find_cell(p, op->va)->value));
            if (ready && (next == p->thread_count || t->now < p->threads[next].now)) {
                next = i;
            }
        }
        if (next != p->thread_count) {
            (void)step_thread(p, &p->threads[next]);
            moved = true;
        }
    }
    for (size_t i = 0; i < p->thread_count; i++) {
        if (p->threads[i].wait >= 0) {
            p->spans[p->threads[i].wait].blocked = true;
            p->spans[p->threads[i].wait].end = p->end + 1 + p->end / 20;
        }
    }
    p->end += 1 + p->end / 20;
    find_cycles(p);
}

/* Find the stream that has an address. */
static int picture_target(const dump *d, uint64_t va, size_t self)
{
    for (size_t i = 0; i < stream_count(d); i++) {
        size_t at;
        if (i != self && stream_find(&d->streams[i], va, &at)) {
            return (int)i;
        }
    }
    return PICTURE_NONE;
}

/* Write the label of a stream: "1: rcs0 batch". */
static void stream_label(const dump *d, size_t i, char *text, size_t cap)
{
    const stream *s = &d->streams[i];
    snprintf(text, cap, "%zu: %s%s%s", i, s->engine, s->engine[0] != '\0' ? " " : "",
             s->kind != NULL ? s->kind : "words");
}

/* Write the label of lane n of stream i: "0: ch1 push, subc 3" if there are several. */
static void lane_label(const picture *p, size_t i, size_t n, char *text, size_t cap)
{
    stream_label(p->d, i, text, cap);
    if (p->lane[i + 1] - p->lane[i] == 1) {
        return;
    }
    for (int subc = 0; subc < 8; subc++) {
        if ((p->subcs[i] >> subc & 1) != 0 && count_subcs(p->subcs[i], subc) == n) {
            append(text, cap, ", subc %d", subc);
        }
    }
}

/* Write what an operation is, for tool tips and labels. */
static void op_label(const picture *p, const picture_op *op, char *text, size_t cap)
{
    text[0] = '\0';
    switch (op->kind) {
    case OP_RUN:
    case OP_UNREAD:
        append(text, cap, "%s, %" PRIu32 " word%s", op->name, op->len_dw,
               op->len_dw == 1 ? "" : "s");
        break;
    case OP_WAIT:
        append(text, cap, "%s waits for 0x%" PRIx64 " at 0x%" PRIx64, op->name, op->value, op->va);
        break;
    case OP_SIGNAL:
        append(text, cap, "%s stores 0x%" PRIx64 " at 0x%" PRIx64, op->name, op->value, op->va);
        break;
    case OP_START:
        append(text, cap, "%s to 0x%" PRIx64, op->name, op->va);
        if (op->target >= 0) {
            append(text, cap, ", stream %d", op->target);
        }
        break;
    case OP_END: append(text, cap, "%s", op->name); break;
    }
    append(text, cap, ", offset 0x%zx", 4 * op->at_dw);
    (void)p;
}

#endif

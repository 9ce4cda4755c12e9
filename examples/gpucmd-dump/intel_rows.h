/* intel_rows.h - words in kernel logs of Intel: the rings of an engine dump, the page that gvt prints, its
 * rejected command; for gpucmd-dump.c. */
#ifndef DUMP_INTEL_ROWS_H
#define DUMP_INTEL_ROWS_H

#include "base.h"
#include "hex.h"
#include "lines.h"
#include "registers.h"
#include "stream.h"

enum {
    RING_REQUESTS = 256, /* of one text */
    PAGE_WORDS = 1024,   /* that gvt prints */
};

/* What the rows that follow are. */
typedef enum row_kind {
    ROWS_NONE,
    ROWS_RING,    /* of a request: its part of the ring */
    ROWS_CONTEXT, /* an image of registers: data */
    ROWS_STATUS,  /* the status page: data */
    ROWS_PAGE,    /* of gvt */
    ROWS_COMMAND, /* the command that gvt refused */
} row_kind;

/* A request whose ring has rows. */
typedef struct ring_request {
    size_t index; /* of its stream */
    uint64_t start;
    uint64_t head;
    uint64_t tail;
    uint64_t ctl; /* of the context image, 0: not known */
    bool has_start;
    bool star; /* the rows end with * */
    size_t line;
} ring_request;

typedef struct intel_row_reader {
    dump *d;
    row_kind kind;
    char engine[16];
    uint64_t start; /* of ring->start */
    bool has_start;
    ring_request now; /* its rows follow */
    bool open;        /* they began: the last stream of d */
    bool star;
    bool gvt;         /* lines of gvt were seen */
    uint32_t row[8];  /* the last row */
    size_t row_len;   /* its words */
    uint32_t last;    /* the last word of a context image */
    uint64_t page_va; /* of gvt's page */
    size_t page_rows; /* rows of it so far; 0: only the command */
    ring_request *requests;
    size_t request_count;
} intel_row_reader;

static void begin_intel_rows(intel_row_reader *r, dump *d)
{
    memset(r, 0, sizeof *r);
    r->d = d;
}

static void set_row_engine(intel_row_reader *r, const char *name)
{
    snprintf(r->engine, sizeof r->engine, "%.15s", name);
    r->kind = ROWS_NONE;
    r->has_start = false;
}

/* Read at most 8 words of 8 digits at p. Return their number; *rest: something else follows. */
static size_t take_eight(const char *p, const char *end, uint32_t words[8], bool *rest)
{
    size_t n = 0;
    uint64_t v;
    *rest = false;
    while (p < end && n < 8) {
        while (p < end && is_space(*p)) {
            p++;
        }
        if (p == end || digits_of(p, end) != 8 || (end - p > 8 && !is_space(p[8]))) {
            break;
        }
        (void)take_hex(&p, end, &v);
        words[n++] = (uint32_t)v;
    }
    while (p < end && is_space(*p)) {
        p++;
    }
    *rest = p != end;
    return n;
}

/* Read "[head 00a0, postfix 00d0, tail 00f8, batch 0x00000000_00200000]:". */
static bool take_request(intel_row_reader *r, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p = after(line, "[head ");
    const char *tail = after(line, ", tail ");
    uint64_t head;
    uint64_t to;
    if (p == NULL || tail == NULL || !take_hex(&p, end, &head) || !take_hex(&tail, end, &to)) {
        return false;
    }
    memset(&r->now, 0, sizeof r->now);
    r->now.head = head;
    r->now.tail = to;
    r->now.start = r->start;
    r->now.has_start = r->has_start;
    r->now.line = line->number;
    r->kind = ROWS_RING;
    r->open = r->star = false;
    r->row_len = 0;
    return true;
}

/* Begin the stream of the present request. */
static void open_request(intel_row_reader *r)
{
    stream *s = add_stream(r->d, "ring", r->now.line);
    snprintf(s->engine, sizeof s->engine, "%s", r->engine);
    r->now.index = r->d->count - 1;
    r->open = true;
    if (r->request_count < RING_REQUESTS) {
        r->requests = resize(r->requests, r->request_count + 1, sizeof *r->requests);
        r->requests[r->request_count++] = r->now;
    }
}

/* Repeat the last row up to `to` bytes. */
static void repeat_words(intel_row_reader *r, stream *s, uint64_t to)
{
    while (r->row_len != 0 && 4 * (uint64_t)s->len_dw < to && may_imply(r->d, 8)) {
        for (size_t k = 0; k < r->row_len && 4 * (uint64_t)s->len_dw < to; k++) {
            add_dw(s, r->row[k]);
        }
    }
}

/* Append a row of a request's ring. */
static void add_ring_row(intel_row_reader *r, uint64_t offset, const uint32_t *words, size_t n,
                         size_t line)
{
    if (!r->open) {
        open_request(r);
    }
    stream *s = last_stream(r->d);
    if (r->star) {
        repeat_words(r, s, offset);
        r->star = false;
    }
    if (offset != 4 * (uint64_t)s->len_dw) {
        const uint64_t at = 4 * (uint64_t)s->len_dw;
        damaged(r->d, line, "offset 0x%" PRIx64 " of the ring comes; expected 0x%" PRIx64, offset,
                at);
        if (offset < at || offset - at > 0x20000) {
            return;
        }
        (void)add_unknown(r->d, s, (size_t)(offset - at) / 4);
    }
    for (size_t k = 0; k < n; k++) {
        add_dw(s, words[k]);
    }
}

/* Look for the ring's size in an image of registers: RING_CTL of rcs is at 0x203c. */
static void scan_context(intel_row_reader *r, const uint32_t *words, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (r->last == 0x203c && r->request_count != 0) {
            r->requests[r->request_count - 1].ctl = words[k];
        }
        r->last = words[k];
    }
}

/* Read "[0020] 18800101 00200000 ...". */
static bool take_offset_row(intel_row_reader *r, const text_line *line)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint32_t words[8];
    uint64_t offset;
    bool rest;
    if (r->kind == ROWS_NONE || *p++ != '[' || !take_hex(&p, end, &offset) || p == end ||
        *p++ != ']') {
        return false;
    }
    const size_t n = take_eight(p, end, words, &rest);
    if (rest) {
        damaged(r->d, line->number, "a row of the dump has something that is no word of 8 digits");
    }
    if (r->kind == ROWS_RING) {
        add_ring_row(r, offset, words, n, line->number);
        memcpy(r->row, words, n * sizeof *words);
        r->row_len = n;
    } else if (r->kind == ROWS_CONTEXT) {
        scan_context(r, words, n);
    }
    return n != 0;
}

/* ---- gvt ---- */

/* Append words that gvt printed. Rows of 8 words count from the first after the command. */
static void add_page_words(intel_row_reader *r, const uint32_t *words, size_t n)
{
    stream *s = last_stream(r->d);
    for (size_t k = 0; k < n; k++) {
        if (r->kind == ROWS_COMMAND ||
            (r->page_rows != 0 && r->row_len < 8 && s->len_dw < PAGE_WORDS)) {
            add_dw(s, words[k]);
        }
        r->row_len++;
    }
}

/* Begin the next row of gvt's page: "ip_va=PTR: w w w w" has the command, then rows of the page. */
static void begin_page_row(intel_row_reader *r, const text_line *line, const char *at)
{
    const char *end = line->at + line->len;
    uint32_t words[8];
    bool rest;
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (r->open) {
        stream *s = last_stream(r->d);
        if (s->len_dw % 8 != 0) {
            damaged(r->d, line->number, "a row of the page has %zu words; expected 8",
                    s->len_dw % 8);
            (void)add_unknown(r->d, s, 8 - s->len_dw % 8);
        }
        r->page_rows++;
        if (r->page_rows == 1 && r->row_len >= 8) {
            r->page_rows = 2; /* the row of the command is not there */
        }
    } else {
        stream *s = add_stream(r->d, "batch", line->number);
        snprintf(s->engine, sizeof s->engine, "%s", r->engine);
        s->va = r->page_va;
        s->has_va = true;
        r->open = true;
        r->page_rows = 0;
    }
    r->row_len = 0;
    if (colon != NULL) {
        const size_t n = take_eight(colon + 1, end, words, &rest);
        add_page_words(r, words, n);
    }
}

/* Read the lines of gvt's state and of its rejected command. Return false if the line is none. */
static bool take_gvt_row(intel_row_reader *r, const text_line *given)
{
    text_line line = *given;
    const char *end = line.at + line.len;
    uint32_t words[8];
    uint64_t va;
    bool rest;
    const char *p = after(&line, "ip_gma(");
    r->gvt = r->gvt || line_has(&line, "gvt: ") || line_has(&line, "cmd_parser: ");
    drop_match(&line, "gvt: ");
    drop_match(&line, "cmd: ");
    const char *ring = after(&line, " RING");
    if (ring != NULL && line_has(&line, "ring_start(")) {
        const size_t n = (size_t)lesser((size_t)(end - ring), 15);
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)n, ring);
        name[strcspn(name, ": ")] = '\0';
        set_row_engine(r, match(name, name + strlen(name), "$$$%") != 0 ? name : "");
        return true;
    }
    if (p != NULL && take_hex(&p, end, &va)) {
        r->kind = ROWS_PAGE;
        r->page_va = va & ~(uint64_t)0xfff;
        r->open = false;
        return true;
    }
    p = after(&line, "ip_va=");
    if (p != NULL && r->kind == ROWS_PAGE) {
        begin_page_row(r, &line, p);
        return true;
    }
    if (starts_with(&line, "cmd dump:")) {
        stream *s = add_stream(r->d, "command", line.number);
        snprintf(s->engine, sizeof s->engine, "%s", r->engine);
        r->kind = ROWS_COMMAND;
        r->open = true;
        p = line.at + 9;
        add_page_words(r, words, take_eight(p, end, words, &rest));
        return true;
    }
    if ((r->kind == ROWS_PAGE || r->kind == ROWS_COMMAND) && r->open) {
        const size_t n = take_eight(line.at, end, words, &rest);
        if (n != 0 && !rest) {
            add_page_words(r, words, n);
            return true;
        }
        if (line.len != 0 && r->kind == ROWS_COMMAND) {
            r->kind = ROWS_NONE;
        }
    }
    return r->gvt && match(line.at, end, "0x%~") == line.len && line.len != 0;
}

/* Read a line of an engine dump or of gvt. Return false if it is something else. */
static bool take_intel_row(intel_row_reader *r, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p = after(line, "ring->start:");
    if (line->len == 0) {
        return false;
    }
    if (take_gvt_row(r, line)) {
        return true;
    }
    if (p != NULL) {
        while (p < end && is_space(*p)) {
            p++;
        }
        r->has_start = take_hex(&p, end, &r->start);
        return true;
    }
    if (line_has(line, "ring->")) {
        return true;
    }
    if (line_has(line, "Logical Ring Context:") || line_has(line, "HWSP:")) {
        r->kind = line_has(line, "HWSP:") ? ROWS_STATUS : ROWS_CONTEXT;
        r->last = 0;
        return true;
    }
    if (is_star(line) && r->kind != ROWS_NONE) {
        r->star = r->kind == ROWS_RING;
        if (r->star && r->request_count != 0) {
            r->requests[r->request_count - 1].star = true;
        }
        return true;
    }
    return take_request(r, line) || take_offset_row(r, line);
}

/* Return the bytes of the ring of a request; 0: the text does not tell them. */
static uint64_t request_ring_bytes(const dump *d, const ring_request *q)
{
    const int state = find_state((dump *)(uintptr_t)d, d->streams[q->index].engine, false, 0);
    if (state != NO_STATE && q->has_start && state_has(&d->states[state], REG_start) &&
        state_has(&d->states[state], REG_ctl) &&
        (d->states[state].start & 0xfffff000) == (q->start & 0xfffff000)) {
        return (d->states[state].ctl & 0x1ff000) + 4096;
    }
    return q->ctl != 0 ? (q->ctl & 0x1ff000) + 4096 : 0;
}

/* Give each request its address and its wrap, and compare its length. */
static void end_intel_rows(intel_row_reader *r)
{
    dump *d = r->d;
    for (size_t i = 0; i < r->request_count; i++) {
        const ring_request *q = &r->requests[i];
        if (q->index >= d->count) {
            continue;
        }
        stream *s = &d->streams[q->index];
        const uint64_t ring = request_ring_bytes(d, q);
        uint64_t want = q->tail - q->head;
        s->state = find_state(d, s->engine, false, 0);
        if (q->tail < q->head) {
            want = ring != 0 ? q->tail + ring - q->head : 0;
        }
        if (q->star && i + 1 == r->request_count && want > 4 * (uint64_t)s->len_dw) {
            repeat_words(r, s, want);
        }
        if (want != 0 && want != 4 * (uint64_t)s->len_dw) {
            damaged(d, q->line, "the request has %zu words; expected %" PRIu64 ", tail minus head",
                    s->len_dw, want / 4);
        }
        s->has_va = q->has_start;
        s->va = q->start + q->head;
        if (ring != 0 && q->head < ring && q->head + 4 * (uint64_t)s->len_dw > ring) {
            s->wrap_dw = (size_t)(ring - q->head) / 4;
            s->wrap_va = q->start;
        }
    }
    release(r->requests);
    r->requests = NULL;
}

#endif

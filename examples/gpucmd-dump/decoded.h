/* decoded.h - text that Mesa's and igt's decoders printed, for gpucmd-dump.c. */
#ifndef DUMP_DECODED_H
#define DUMP_DECODED_H

#include "base.h"
#include "error.h"
#include "lines.h"
#include "stream.h"

/* Read "0xADDR:  0xWORD:  NAME" or "0xADDR:  0xWORD: NAME" (igt). *mesa: exactly two blanks after the
 * second colon; igt has one, or four before the text of a parameter. */
static bool take_decoded(const text_line *line, uint64_t *va, uint32_t *dw, bool *mesa)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint64_t v;
    bool unknown = false;
    while (p < end && *p == ' ') {
        p++;
    }
    if (match(p, end, "0x") == 0 || !take_hex(&p, end, va)) {
        return false;
    }
    if (p < end && *p == ' ') { /* " (ACTHD)" */
        p += match(p, end, " @");
    }
    if (match(p, end, ":~") == 0) {
        return false;
    }
    p += match(p, end, ":~");
    p += match(p, end, "HEAD~");
    if (match(p, end, "unknown instruction ") != 0) {
        p += 20;
        *mesa = unknown = true;
    } else if (match(p, end, "0x") == 0) {
        return false;
    }
    if (!take_hex(&p, end, &v) || v > UINT32_MAX) {
        return false;
    }
    *mesa = *mesa || (match(p, end, ":  ") != 0 && p + 3 < end && p[3] != ' ');
    *dw = (uint32_t)v;
    *va &= 0xffffffffffffu;
    return unknown || (p < end && *p == ':');
}

/* Count the lines of decoded commands. */
static size_t count_decoded(const text_lines *t, bool *mesa)
{
    size_t n = 0;
    uint64_t va;
    uint32_t dw;
    *mesa = false;
    for (size_t i = 0; i < t->count; i++) {
        n += take_decoded(&t->lines[i], &va, &dw, mesa);
    }
    return n;
}

enum { COMMAND_MOST_DW = 0x20000 }; /* words between the first words of two commands */

/* Text of a decoder being read. */
typedef struct decoded_reader {
    bool mesa;
    bool open; /* the last stream of d is being read */
    size_t lines;
} decoded_reader;

static void begin_decoded(void *state, dump *d, const text_lines *t)
{
    decoded_reader *r = state;
    (void)t;
    r->mesa = strcmp(d->format, "igt-decode") != 0;
}

/* Read lines. Mesa prints only the first word of a command: the words up to the next command are
 * unknown. A line at another place begins a new stream. */
static void read_decoded(void *state, dump *d, const text_lines *t)
{
    decoded_reader *r = state;
    for (size_t i = 0; i < t->count && !d->full; i++) {
        const text_line *line = &t->lines[i];
        stream *s = NULL;
        if (r->open) {
            s = &d->streams[d->count - 1];
        }
        uint64_t va;
        uint32_t dw;
        bool any = r->mesa;
        if (!take_decoded(line, &va, &dw, &any)) {
            continue;
        }
        r->lines++;
        uint64_t next = 0;
        if (s != NULL) {
            next = s->va + 4 * (uint64_t)s->len_dw;
        }
        if (s == NULL || va < next || (va - next) / 4 > COMMAND_MOST_DW ||
            (!r->mesa && va != next)) {
            if (s != NULL && !r->mesa) {
                damaged(d, line->number,
                        "address 0x%" PRIx64 " follows 0x%" PRIx64 "; lines are missing or doubled",
                        va, next - 4);
            }
            s = add_stream(d, "batch", line->number);
            s->va = va;
            s->has_va = r->open = true;
        } else if (va != next) {
            (void)add_unknown(d, s, (size_t)(va - next) / 4);
        }
        add_dw(s, dw);
    }
}

static void end_decoded(void *state, dump *d, size_t count)
{
    const decoded_reader *r = state;
    (void)count;
    if (r->mesa && r->lines != 0) {
        note(
            d,
            "the text has the first word of each of %zu commands; other words are shown as unknown",
            r->lines);
    }
}

static const char *recognise_mesa_bat(dump *d, const text_lines *t)
{
    bool mesa = false;
    (void)d;
    if (count_decoded(t, &mesa) >= 3 && mesa) {
        return "mesa-bat";
    }
    return NULL;
}

static const char *recognise_igt_decode(dump *d, const text_lines *t)
{
    bool mesa = false;
    (void)d;
    if (count_decoded(t, &mesa) >= 3 && !mesa) {
        return "igt-decode";
    }
    return NULL;
}

#endif

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

/* A row "0xADDR:  0xWORD : Dword N" of Mesa, or "0xADDR: -- WORD" after an unknown instruction: n is
 * UINT32_MAX then. */
static bool take_dword_row(const text_line *line, uint64_t *va, uint32_t *dw, uint32_t *n)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint64_t v;
    *n = UINT32_MAX;
    while (p < end && *p == ' ') {
        p++;
    }
    if (match(p, end, "0x") == 0 || !take_hex(&p, end, va)) {
        return false;
    }
    if (match(p, end, ":_-- ") != 0) {
        p += match(p, end, ":_-- ");
        *va &= 0xffffffffffffu;
        *dw = 0;
        if (digits_of(p, end) != 8 || !take_hex(&p, end, &v)) {
            return false;
        }
        *dw = (uint32_t)v;
        return true;
    }
    if (match(p, end, ":_0x") == 0) {
        return false;
    }
    p += match(p, end, ":_");
    if (!take_hex(&p, end, &v) || v > UINT32_MAX || match(p, end, "_:_Dword_%") == 0) {
        return false;
    }
    p += match(p, end, "_:_Dword_");
    *n = 0;
    for (; p < end && hex_digit(*p) < 10 && *n < COMMAND_MOST_DW; p++) {
        *n = *n * 10 + hex_digit(*p);
    }
    *dw = (uint32_t)v;
    *va &= 0xffffffffffffu;
    return true;
}

/* Text of a decoder being read. */
typedef struct decoded_reader {
    dump *d;
    bool mesa;
    bool open;        /* the stream at index is being read */
    size_t index;     /* of d->streams */
    size_t begin;     /* first word of the present command */
    size_t inner;     /* word of the command where the structure begins that is printed; 0: none */
    size_t last;      /* word of the command that came last */
    size_t lines;     /* first words of commands */
    size_t dwords;    /* rows with further words */
    size_t zeros;     /* commands at address 0 */
    size_t sorted;    /* the line with ---- of sorted commands */
    size_t unknown;   /* words that the text lacks */
    const char *kind; /* of the streams that follow */
    char engine[16];
} decoded_reader;

static void begin_decoded(void *state, dump *d, const text_lines *t)
{
    decoded_reader *r = state;
    uint64_t va;
    uint32_t dw;
    r->d = d;
    r->kind = "batch";
    r->mesa = strcmp(d->format, "igt-decode") != 0;
    for (size_t i = 0; i < t->count; i++) {
        bool any = false;
        r->zeros += take_decoded(&t->lines[i], &va, &dw, &any) && va == 0;
    }
}

/* Read what a title of a decoder says: "batch (rcs0) at 0x...", "render ring (ringbuffer) at 0x...". */
static void take_decoded_title(decoded_reader *r, const text_line *line)
{
    const char *p = after(line, ") at 0x");
    const char *open = memchr(line->at, '(', line->len);
    char name[64];
    if (p == NULL || open == NULL) {
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)lesser((size_t)(p - open) - 1, 63), open + 1);
    r->kind = line_has(line, "ring") && !line_has(line, "batch") && !line_has(line, "gtt_offset")
                  ? "ring"
                  : "batch";
    engine_name(name, r->engine);
    if (r->engine[0] == '\0') {
        snprintf(name, sizeof name, "%.*s", (int)lesser((size_t)(open - line->at), 63), line->at);
        engine_name(name, r->engine);
    }
    r->open = false;
}

/* Return the stream that goes on at va: the present one, or one before a second-level batch. */
static stream *find_next(decoded_reader *r, uint64_t va)
{
    for (size_t i = r->d->count; i-- != 0;) {
        stream *s = &r->d->streams[i];
        if (s->has_va && s->va + 4 * (uint64_t)s->len_dw == va && s->len_dw != 0) {
            r->index = i;
            return s;
        }
    }
    return NULL;
}

/* Take the first word of a command. */
static void take_command_word(decoded_reader *r, const text_line *line, uint64_t va, uint32_t dw)
{
    stream *s = r->open ? &r->d->streams[r->index] : NULL;
    const bool placed = r->zeros < 2 || !r->mesa;
    const uint64_t next = s != NULL ? s->va + 4 * (uint64_t)s->len_dw : 0;
    r->lines++;
    if (s != NULL && placed && va != next) {
        const bool gap = r->mesa && va > next && (va - next) / 4 <= COMMAND_MOST_DW;
        stream *other = gap ? NULL : find_next(r, va);
        if (gap) {
            (void)add_unknown(r->d, s, (size_t)(va - next) / 4);
            r->unknown += (size_t)(va - next) / 4;
        } else {
            if (!r->mesa) {
                damaged(r->d, line->number,
                        "address 0x%" PRIx64 " follows 0x%" PRIx64 "; lines are missing or doubled",
                        va, next - 4);
            }
            s = other;
        }
    }
    if (s == NULL) {
        s = add_stream(r->d, r->kind, line->number);
        snprintf(s->engine, sizeof s->engine, "%s", r->engine);
        s->va = placed ? va : 0;
        s->has_va = placed;
        r->index = r->d->count - 1;
        r->open = true;
    }
    r->begin = s->len_dw;
    r->inner = r->last = 0;
    add_dw(s, dw);
}

/* Return the word of the present command that a row without an address has, by its number. Rows of a
 * structure count from 0 again. */
static size_t numbered_word(decoded_reader *r, size_t count, uint32_t n)
{
    if (n == count) {
        r->inner = 0;
        return n;
    }
    if (n == 0 && r->last != 0) {
        r->inner = r->last;
    }
    return r->inner + n;
}

/* Take a further word of the present command. Rows at other places are state that commands point to. */
static void take_further_word(decoded_reader *r, const text_line *line, uint64_t va, uint32_t dw,
                              uint32_t n)
{
    stream *s = &r->d->streams[r->index];
    const size_t count = s->len_dw - r->begin;
    size_t at;
    r->dwords++;
    if (s->has_va) {
        const uint64_t from = s->va + 4 * (uint64_t)r->begin;
        if (va < from || (va - from) % 4 != 0 || (va - from) / 4 > count) {
            return;
        }
        at = (size_t)(va - from) / 4;
    } else {
        at = n == UINT32_MAX ? count : numbered_word(r, count, n);
    }
    if (at > count) {
        return;
    }
    r->last = at;
    if (at == count) {
        add_dw(s, dw);
    } else if (s->dw[r->begin + at] != dw) {
        damaged(r->d, line->number,
                "the word 0x%08" PRIx32 " is there as 0x%08" PRIx32
                " before: lines are doubled or wrong",
                dw, s->dw[r->begin + at]);
    }
}

/* Read lines. If the text has only the first word of a command, the words up to the next command are
 * unknown. */
static void read_decoded(void *state, dump *d, const text_lines *t)
{
    decoded_reader *r = state;
    for (size_t i = 0; i < t->count && !d->full; i++) {
        const text_line *line = &t->lines[i];
        uint64_t va;
        uint32_t dw;
        uint32_t n;
        bool any = r->mesa;
        if (r->open && take_dword_row(line, &va, &dw, &n)) {
            take_further_word(r, line, va, dw, n);
        } else if (take_decoded(line, &va, &dw, &any)) {
            take_command_word(r, line, va, dw);
        } else if (starts_with(line, "----") && r->sorted == 0) {
            r->sorted = line->number;
        } else {
            take_decoded_title(r, line);
        }
    }
}

static void end_decoded(void *state, dump *d, size_t count)
{
    const decoded_reader *r = state;
    (void)count;
    if (r->sorted != 0 && r->zeros > 1) {
        damaged(d, r->sorted,
                "the commands are sorted by name (accumulate): their order is not told");
    }
    if (r->mesa && r->dwords == 0 && r->lines != 0) {
        note(
            d,
            "the text has the first word of each of %zu commands; other words are shown as unknown "
            "(INTEL_DEBUG=bat prints all, INTEL_DECODE=full)",
            r->lines);
    } else if (r->mesa && r->unknown != 0) {
        note(d, "%zu words at ends of commands are not in the text: they are shown as unknown",
             r->unknown);
    }
    if (r->mesa && r->zeros > 1) {
        note(d, "all addresses are 0: jumps are not known (INTEL_DECODE=offsets prints addresses)");
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

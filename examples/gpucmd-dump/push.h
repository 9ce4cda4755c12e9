/* push.h - pushbuffers as libdrm and Mesa print them, for gpucmd-dump.c. */
#ifndef DUMP_PUSH_H
#define DUMP_PUSH_H

#include "base.h"
#include "bytes.h"
#include "chips.h"
#include "error.h"
#include "events.h"
#include "hex.h"
#include "lines.h"
#include "nv_fields.h"
#include "nv_names.h"
#include "stream.h"

/* Positions in the text of libdrm. */
typedef struct push_reader {
    dump *d;
    char channel[16];
    uint64_t buffers[64];    /* OFFSET of each buffer, 0 unknown */
    uint64_t expected_dw;    /* of the present push, UINT64_MAX unknown */
    size_t line;             /* of its psh line */
    bool open;               /* a push is being read: the last stream */
    bool data_dw;            /* Mesa: a method line came, its value is awaited */
    size_t mesa_at;          /* Mesa: index of the next data word */
    size_t mesa_end;         /* and of the next header */
    const nv_method *method; /* Mesa: row of the present method, NULL unknown */
    uint32_t fields;         /* of the present method that came */
    uint32_t value;          /* of them */
    bool lost;               /* a field of the method has a value that is not known */
    size_t names;            /* values that only have a name, which the field lacks */
    size_t name_line;        /* the first of them */
    size_t others;           /* lines of other programs */
} push_reader;

/* Close the present push and compare its length. */
static void end_push(push_reader *r)
{
    if (!r->open || r->d->count == 0) {
        return;
    }
    const stream *s = &r->d->streams[r->d->count - 1];
    if (r->expected_dw != UINT64_MAX && r->expected_dw != s->len_dw) {
        damaged(r->d, r->line,
                "the push has %zu words; expected %" PRIu64 ", the length in its psh line",
                s->len_dw, r->expected_dw);
    }
    r->open = false;
}

static void begin_push(push_reader *r, size_t line)
{
    stream *s;
    end_push(r);
    s = add_stream(r->d, "push", line);
    snprintf(s->engine, sizeof s->engine, "%s", r->channel);
    r->open = true;
    r->line = line;
    r->expected_dw = UINT64_MAX;
    r->mesa_at = r->mesa_end = 0;
}

/* Read "psh BBBBBBBB 0000SSSSSS 0000EEEEEE". */
static void take_psh(push_reader *r, const char *p, const text_line *line)
{
    const char *end = line->at + line->len;
    uint64_t buffer;
    uint64_t from;
    uint64_t to;
    begin_push(r, line->number);
    p += match(p, end, "(unmapped)_");
    const bool whole = take_hex(&p, end, &buffer) && p++ < end && take_hex(&p, end, &from) &&
                       p++ < end && take_hex(&p, end, &to);
    if (!whole || to < from) {
        damaged(r->d, line->number, "a psh line without a buffer, a start and an end");
        return;
    }
    stream *s = &r->d->streams[r->d->count - 1];
    uint64_t base = 0;
    if (buffer < 64) {
        base = r->buffers[buffer];
    }
    r->expected_dw = ((to - from) & 0x7fffff) / 4;
    s->has_va = base != 0;
    if (base != 0) {
        s->va = base + from;
    } else {
        s->va = 0;
    }
}

/* Read "buf IIIIIIII handle valid read write MAP OFFSET SIZE"; older lines have no OFFSET. */
static void take_buf(push_reader *r, const char *p, const text_line *line)
{
    const char *end = line->at + line->len;
    uint64_t v[8] = {0};
    size_t n = 0;
    for (; n < 8; n++) {
        while (p < end && *p == ' ') {
            p++;
        }
        const size_t nil = match(p, end, "(nil)");
        p += nil;
        if (nil == 0 && !take_hex(&p, end, &v[n])) {
            break;
        }
    }
    if (n == 8 && v[0] < 64) {
        r->buffers[v[0]] = v[6];
    }
}

/* Read a line that begins with "chN: ". Return false if it is none. */
static bool take_channel(push_reader *r, const text_line *line)
{
    const char *end = line->at + line->len;
    size_t i = 0;
    while (i < line->len && is_space(line->at[i])) {
        i++;
    }
    const size_t n = match(line->at + i, end, "ch%: ");
    if (n == 0) {
        return false;
    }
    const char *what = line->at + i + n;
    snprintf(r->channel, sizeof r->channel, "%.*s", (int)lesser(n - 2, 15), line->at + i);
    if (match(what, end, "psh ") != 0) {
        take_psh(r, what + 4, line);
    } else {
        end_push(r);
        if (match(what, end, "krec ") != 0) {
            memset(r->buffers, 0, sizeof r->buffers);
        } else if (match(what, end, "buf ") != 0) {
            take_buf(r, what + 4, line);
        }
    }
    return true;
}

/* Read a line of one word with 0x. Return false if it is none. */
static bool take_push_word(push_reader *r, const text_line *line)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint64_t v;
    while (p < end && is_space(*p)) {
        p++;
    }
    const char *from = p;
    if (end - p < 3 || p[0] != '0' || p[1] != 'x' || !take_hex(&p, end, &v)) {
        return false;
    }
    while (p < end && is_space(*p)) {
        p++;
    }
    if (p != end) {
        return false;
    }
    if (!r->open) {
        begin_push(r, line->number);
        note(r->d, "line %zu: words without a psh line; the beginning of the push is not known",
             line->number);
    }
    if (p - from != 10) {
        damaged(r->d, line->number, "a word of %d digits; expected 8", (int)(p - from - 2));
    }
    add_dw(&r->d->streams[r->d->count - 1], (uint32_t)v);
    return true;
}

/* ---- Mesa's text ---- */

/* Learn the chip from a class name such as NVC597_. Return the class, 0: none. */
static uint32_t take_class(dump *d, const char *name, const char *end)
{
    char why[48];
    if (end - name < 7 || name[0] != 'N' || name[1] != 'V' || digits_of(name + 2, name + 6) != 4 ||
        name[6] != '_') {
        return 0;
    }
    uint32_t id = 0;
    for (int i = 2; i < 6; i++) {
        id = id << 4 | hex_digit(name[i]);
    }
    const char *chip = nv_chip_of_class(id);
    snprintf(why, sizeof why, "class %04x in the text, or a later chip", (unsigned)id);
    gpucmd_nv_chip known;
    if (chip != NULL && nv_chip_of_name(chip, &known) == GPUCMD_OK) {
        set_chip(d, chip, why, 1 + (int)known); /* the last class that is new */
    }
    return id;
}

/* Set the word at index at; words before it that the text lacks are unknown. */
static void put_word(dump *d, stream *s, size_t at, uint32_t dw, bool known)
{
    if (at > s->len_dw && !add_unknown(d, s, at - s->len_dw)) {
        return;
    }
    if (at == s->len_dw && !known) {
        (void)add_unknown(d, s, 1);
        return;
    }
    if (at == s->len_dw) {
        add_dw(s, dw);
    }
    s->dw[at] = dw;
    if (s->unknown != NULL) {
        s->unknown[at] = known ? WORD_KNOWN : WORD_UNKNOWN;
    }
}

/* Read "[0x00000006] HDR 20046086 subch 3 NINC". */
static bool take_hdr(push_reader *r, const text_line *line)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint64_t at;
    uint64_t dw;
    if (match(p, end, "[0x") == 0) {
        return false;
    }
    p++;
    if (!take_hex(&p, end, &at) || match(p, end, "] HDR ") == 0) {
        return false;
    }
    p += 6;
    if (!take_hex(&p, end, &dw) || dw > UINT32_MAX || match(p, end, " subch ") == 0) {
        return false;
    }
    stream *s = NULL;
    if (r->open) {
        s = &r->d->streams[r->d->count - 1];
    }
    if (s == NULL || (at == 0 && s->len_dw != 0)) {
        begin_push(r, line->number);
        s = &r->d->streams[r->d->count - 1];
    }
    if (at > s->len_dw + 0x20000 || at < s->len_dw) {
        damaged(r->d, line->number,
                "the header of word 0x%" PRIx64 " follows word 0x%zx; lines are missing or doubled",
                at, s->len_dw);
        at = s->len_dw;
    } else if (at != r->mesa_end) {
        damaged(r->d, line->number,
                "the header of word 0x%" PRIx64 " comes; expected that of word 0x%zx", at,
                r->mesa_end);
    }
    put_word(r->d, s, (size_t)at, (uint32_t)dw, true);
    const bool immediate = dw >> 29 == 4;
    uint32_t count = (uint32_t)dw >> 16 & 0x1fff;
    if (dw >> 29 == 0 || dw >> 29 == 7 || immediate) {
        count = 0;
    }
    r->mesa_at = (size_t)at + 1;
    r->mesa_end = r->mesa_at + count;
    if (count != 0) {
        put_word(r->d, s, r->mesa_end - 1, 0, false);
    }
    r->data_dw = false;
    return true;
}

/* Read the value of a field at p: "(0x40)", "1.0f (0x3f800000)", "(NAME | 0x1)", "0x40", or the name of a
 * value alone. Return false if it is a name that the field does not have. */
static bool take_field_value(const nv_field *f, const char *p, const char *end, uint32_t *v)
{
    const text_line rest = {(char *)(uintptr_t)p, (size_t)(end - p), 0, 0, 0, 0, false};
    const char *number = after(&rest, "(0x");
    uint64_t value;
    if (number != NULL) {
        number -= 2;
    } else if ((number = after(&rest, "| 0x")) != NULL) {
        number -= 2;
    } else if (match(p, end, "0x") != 0) {
        number = p;
    }
    if (number != NULL) {
        if (!take_hex(&number, end, &value) || value > UINT32_MAX) {
            return false;
        }
        *v = (uint32_t)value;
        return true;
    }
    return f != NULL && nv_value_of_name(f, p, span_to(p, end, " \t\r"), v);
}

/* Read "NAME = value" of a field, after its point. The word is known when all its fields are. */
static void take_field(push_reader *r, stream *s, const text_line *line, const char *p)
{
    const char *end = line->at + line->len;
    const size_t len = span_to(p, end, " =");
    const char *equals = memchr(p, '=', (size_t)(end - p));
    const bool whole = (len == 1 && *p == 'V') || (len == 5 && memcmp(p, "VALUE", 5) == 0);
    nv_field f;
    uint32_t fields = 0;
    uint32_t v = 0;
    r->fields++;
    if (equals == NULL || !r->data_dw || r->mesa_at >= r->mesa_end) {
        return;
    }
    for (p = p + len, equals++; equals < end && is_space(*equals); equals++) {
    }
    if (r->method != NULL) {
        fields = nv_find_field(r->method, p - len, len, &f);
    }
    if (!take_field_value(fields != 0 ? &f : NULL, equals, end, &v)) {
        r->lost = true;
        if (r->names++ == 0) {
            r->name_line = line->number;
        }
        return;
    }
    const uint32_t mask = fields != 0 ? 0xffffffffu >> (31 - (f.hi - f.lo)) : 0xffffffffu;
    if (fields != 0 && !whole) {
        r->lost = r->lost || v > mask;
        r->value |= (v & mask) << f.lo;
    }
    if (whole || (fields != 0 && r->fields == fields && !r->lost)) {
        put_word(r->d, s, r->mesa_at, whole ? v : r->value, true);
    }
}

/* Read "mthd 0218 NV902D_SET_DST_WIDTH" and ".V = 0x40" of Mesa. Return false for others. */
static bool take_mthd(push_reader *r, const text_line *line)
{
    const char *p = line->at;
    const char *end = p + line->len;
    stream *s = NULL;
    if (r->open) {
        s = &r->d->streams[r->d->count - 1];
    }
    while (p < end && is_space(*p)) {
        p++;
    }
    if (match(p, end, "mthd ####") != 0 || match(p, end, "mthd ") != 0) {
        p += 5;
        const size_t n = digits_of(p, end);
        r->mesa_at += r->data_dw;
        r->data_dw = true;
        r->fields = 0;
        r->value = 0;
        r->lost = false;
        r->method = NULL;
        if (n != 0 && n <= 4 && p + n < end) {
            const uint32_t id = take_class(r->d, p + n + 1, end);
            r->method = nv_find_method(id, (uint32_t)strtoul(p, NULL, 16));
        }
        return n != 0;
    }
    if (p == end || *p != '.' || s == NULL) {
        return line->len == 0;
    }
    take_field(r, s, line, p + 1);
    return true;
}

/* ---- both ---- */

static void begin_pushes(void *state, dump *d, const text_lines *t)
{
    push_reader *r = state;
    (void)t;
    r->d = d;
}

/* Read the words of pushes, and explain what a log says about them. */
static void read_pushes(void *state, dump *d, const text_lines *t)
{
    push_reader *r = state;
    for (size_t i = 0; i < t->count && !d->full; i++) {
        const text_line *line = &t->lines[i];
        if (line->len == 0 || take_channel(r, line)) {
            continue;
        }
        if (take_hdr(r, line)) {
            d->format = "mesa-push";
        } else if (!take_push_word(r, line) && !take_mthd(r, line)) {
            r->others++;
        }
    }
    read_events(NULL, d, t);
}

/* Close the last push, and report lines that are not part of one. */
static void end_pushes(void *state, dump *d, size_t count)
{
    push_reader *r = state;
    (void)count;
    end_push(r);
    if (r->names != 0) {
        damaged(d, r->name_line,
                "the name of a value is not in the list of its field (%zu in total): the words are "
                "unknown",
                r->names);
    }
    if (r->others > 1) {
        note(d, "%zu lines of other programs skipped", r->others);
    }
}

/* Return "mesa-push" if the text has a line such as "[0x00000006] HDR 20046086 subch 3 NINC". */
static const char *recognise_mesa_push(dump *d, const text_lines *t)
{
    (void)d;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *p = line->at + 1;
        const char *end = line->at + line->len;
        uint64_t v;
        if (line->len > 3 && line->at[0] == '[' && take_hex(&p, end, &v) &&
            match(p, end, "] HDR ") != 0) {
            return "mesa-push";
        }
    }
    return NULL;
}

/* Return "libdrm-pushbuf" if the text has a line of libdrm about a push, or many of its words. */
static const char *recognise_libdrm_push(dump *d, const text_lines *t)
{
    size_t words = 0;
    (void)d;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        size_t k = 0;
        while (k < line->len && is_space(line->at[k])) {
            k++;
        }
        const char *p = line->at + k;
        if (match(p, end, "ch%: psh ") != 0 || match(p, end, "ch%: krec ") != 0) {
            return "libdrm-pushbuf";
        }
        words += k != 0 && (line->prefix & PREFIX_NOUVEAU) != 0 && match(p, end, "0x") != 0;
    }
    if (words != 0 && words * 2 >= t->count) {
        return "libdrm-pushbuf";
    }
    return NULL;
}

#endif

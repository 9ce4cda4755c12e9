/* error.h - error states of the kernel driver i915, for gpucmd-dump.c. */
#ifndef DUMP_ERROR_H
#define DUMP_ERROR_H

#include "ascii85.h"
#include "base.h"
#include "bytes.h"
#include "chips.h"
#include "hang.h"
#include "hex.h"
#include "lines.h"
#include "memory.h"
#include "registers.h"
#include "stream.h"

/* A title such as "rcs0 (submitted by X) --- ring = 0x00000000 fffe8000". */
typedef struct error_title {
    char owner[64];
    char what[32];
    uint64_t va;
} error_title;

static bool same_word(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        if (lower(*a) != lower(*b)) {
            return false;
        }
    }
    return *b == '\0'; /* b is the beginning of a */
}

/* Names of memory in titles; kind NULL: no stream. */
static const struct {
    const char *title;
    const char *kind;
} error_memory[] = {
    {"gtt_offset",     "batch"   },
    {"batch",          "batch"   },
    {"WA batchbuffer", "WA batch"},
    {"ringbuffer",     "ring"    },
    {"ring",           "ring"    },
    {"HW context",     NULL      },
    {"HW Status",      NULL      },
    {"user",           NULL      },
    {"WA ",            NULL      },
    {"NULL context",   NULL      },
    {"semaphores",     NULL      },
    {"GuC",            NULL      },
};

/* Return the row of error_memory of a title, or -1 if the line is none. */
static int take_title(const text_line *line, error_title *title)
{
    const char *end = line->at + line->len;
    const char *dashes = after(line, " --- ");
    if (dashes == NULL) {
        return -1;
    }
    const size_t owner = (size_t)(dashes - 5 - line->at);
    const char *p = dashes;
    while (p < end && *p != '=') {
        p++;
    }
    const size_t what = (size_t)(p - dashes);
    if (p == end || what < 2 || what > sizeof title->what || p[-1] != ' ') {
        return -1;
    }
    p++;
    while (p < end && *p == ' ') {
        p++;
    }
    snprintf(title->owner, sizeof title->owner, "%.*s", (int)lesser(owner, 63), line->at);
    snprintf(title->what, sizeof title->what, "%.*s", (int)what - 1, dashes);
    if (!take_va(&p, end, &title->va)) {
        return -1;
    }
    for (size_t i = 0; i < sizeof error_memory / sizeof error_memory[0]; i++) {
        if (same_word(title->what, error_memory[i].title)) {
            return (int)i;
        }
    }
    const size_t n = strlen(title->what);
    if (n > 6 && same_word(title->what + n - 6, "buffer")) {
        return (int)(sizeof error_memory / sizeof error_memory[0]) - 1;
    }
    return -1;
}

/* Write the kernel's name of an engine, such as "rcs0", for any of its names; "" for global. */
static void engine_name(const char *owner, char name[16])
{
    static const struct {
        const char *beginning;
        const char *name;
    } old[] = {
        {"render",            "rcs0" },
        {"bsd2",              "vcs1" },
        {"bsd",               "vcs0" },
        {"gen6 bsd",          "vcs0" },
        {"blitter",           "bcs0" },
        {"blt",               "bcs0" },
        {"video enhancement", "vecs0"},
        {"vebox",             "vecs0"},
    };
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        if (same_word(owner, old[i].beginning)) {
            snprintf(name, 16, "%s", old[i].name);
            return;
        }
    }
    const size_t n = strcspn(owner, " ()");
    snprintf(name, 16, "%.*s", (int)lesser(n, 15), owner);
    if (match(name, name + strlen(name), "$$$%") == 0 &&
        match(name, name + strlen(name), "$$$$%") == 0) {
        name[0] = '\0';
    }
}

/* ---- facts of the header ---- */

/* Remember the chip or generation that the dump names. The source of the highest rank wins, of
 * sources of one rank the first. */
static void set_chip(dump *d, const char *chip, const char *why, int rank)
{
    if (chip != NULL && rank > d->chip_rank) {
        d->chip_rank = rank;
        snprintf(d->chip, sizeof d->chip, "%.15s", chip);
        snprintf(d->chip_why, sizeof d->chip_why, "%s", why);
    }
}

/* Read the device and the process from a line of the header. */
static void take_fact(dump *d, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p;
    char why[48];
    uint64_t id;
    if ((p = after(line, "PCI ID: ")) != NULL && take_hex(&p, end, &id)) {
        snprintf(why, sizeof why, "PCI ID 0x%04x", (unsigned)(id & 0xffff));
        set_chip(d, i915_gen_of_pci((uint32_t)id), why, 4);
    } else if (starts_with(line, "Platform: ")) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)lesser(line->len - 10, 31), line->at + 10);
        snprintf(why, sizeof why, "platform %s", name);
        set_chip(d, i915_gen_of_name(name), why, 2);
    } else if (d->process[0] == '\0' &&
               ((p = after(line, "Process: ")) != NULL ||
                ((p = after(line, "GPU HANG: ")) != NULL && (p = after(line, ", in ")) != NULL))) {
        const char *stop = memchr(p, ',', (size_t)(end - p));
        const size_t n = (size_t)((stop != NULL ? stop : end) - p);
        snprintf(d->process, sizeof d->process, "%.*s", (int)lesser(n, 63), p);
    }
}

/* Read the generation from a line of any text: "PCI ID: 0x1912", "Detected GEN9 chipset", "Found tigerlake
 * (device ID 9a49)". */
static void take_intel_chip(dump *d, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p;
    char why[48];
    char name[24];
    uint64_t id;
    if (line_has(line, "PCI ID: 0x") || starts_with(line, "Platform: ")) {
        take_fact(d, line);
    } else if ((p = after(line, "(device ID ")) != NULL && take_hex(&p, end, &id)) {
        snprintf(why, sizeof why, "device ID %04x", (unsigned)(id & 0xffff));
        set_chip(d, i915_gen_of_pci((uint32_t)id), why, 4);
    } else if ((p = after(line, "Detected GEN")) != NULL ||
               (p = after(line, "Detected gen")) != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)lesser(span_to(p, end, " ,;("), 23), p);
        if (strchr(name, '.') == NULL && strlen(name) == 2 && name[1] == '5') { /* GEN75 */
            snprintf(name, sizeof name, "%c.5", *p);
        }
        set_chip(d, i915_gen_of_name(name), "the decoder's text", 3);
    }
}

/* The first number of "GPU HANG: ecode 9:0:0x85dffffb" is the generation; it is the last to ask. */
static void take_ecode(dump *d, const text_lines *t)
{
    for (size_t i = 0; i < t->count && d->chip[0] == '\0'; i++) {
        const char *p = after(&t->lines[i], "GPU HANG: ecode ");
        if (p != NULL && hex_digit(*p) < 10) {
            char gen[8];
            snprintf(gen, sizeof gen, "%d", atoi(p));
            set_chip(d, i915_gen_of_name(gen), "ecode of the hang", 1);
        }
    }
}

/* ---- memory ---- */

/* Read one line of words: "00000010 :  7a000003", "[0010] ....". Return false if it is none. */
static bool take_words(dump *d, stream *s, const text_line *line)
{
    const char *p = line->at;
    const char *end = p + line->len;
    uint64_t offset;
    uint64_t v;
    size_t n = 0;
    const bool quads = p < end && *p == '[';
    p += quads;
    if (!take_hex(&p, end, &offset)) {
        return false;
    }
    if (quads && p < end && *p == ']') {
        p++;
    } else if (!quads && match(p, end, "~:_") != 0) {
        p += match(p, end, "~:");
    } else {
        return false;
    }
    for (;;) {
        while (p < end && is_space(*p)) {
            p++;
        }
        const size_t digits = digits_of(p, end);
        if (p == end) {
            break;
        }
        if (digits != 8 || (p + digits < end && !is_space(p[digits]))) {
            damaged(d, line->number, "a word of %zu digits; expected 8", digits);
            return true;
        }
        (void)take_hex(&p, end, &v);
        if (n++ == 0 && offset != 4 * (uint64_t)s->len_dw) {
            char place[64];
            if (s->len_dw == 0) {
                snprintf(place, sizeof place, "the first offset is 0x%" PRIx64, offset);
            } else {
                snprintf(place, sizeof place, "offset 0x%" PRIx64 " follows 0x%" PRIx64, offset,
                         4 * (uint64_t)s->len_dw - 4);
            }
            if (offset < 4 * (uint64_t)s->len_dw || offset / 4 - s->len_dw > STREAM_LIMIT_DW / 64) {
                damaged(d, line->number, "%s; lines are doubled or missing", place);
                return true;
            }
            damaged(d, line->number, "%s: %" PRIu64 " words are missing", place,
                    offset / 4 - s->len_dw);
            (void)add_unknown(d, s, (size_t)(offset / 4) - s->len_dw);
        }
        add_dw(s, (uint32_t)v);
    }
    return n != 0 || p == end;
}

/* Read the memory after a title. *at: the last line that belongs to it. */
static void take_memory(dump *d, stream *s, const text_lines *t, size_t *at)
{
    size_t i = *at + 1;
    while (i < t->count && (t->lines[i].len == 0 || starts_with(&t->lines[i], "gtt_page_sizes"))) {
        i++;
    }
    const bool coded = i < t->count && t->lines[i].len > 1 &&
                       (t->lines[i].at[0] == ':' || t->lines[i].at[0] == '~');
    if (coded) {
        coded_memory c;
        d->format = "i915-error-ascii85";
        *at = i;
        if (begin_coded(&c, d, t->lines[i].number, t->lines[i].at[0] == ':')) {
            read_ascii85(d, t, at, 1, &c);
            end_coded(&c);
        }
        return;
    }
    size_t misses = 0;
    for (; i < t->count && misses < 8; i++) {
        error_title title;
        const text_line *line = &t->lines[i];
        if (take_words(d, s, line)) {
            *at = i;
            misses = 0;
        } else if (take_title(line, &title) >= 0 || line_has(line, "command stream:") ||
                   line_has(line, " --- ") || line_has(line, " = 0x")) {
            break;
        } else {
            misses += line->len != 0; /* a line of another program */
        }
    }
}

/* Cut a ring down to the requests from the one that hung to TAIL; report what is left out. */
static void cut_ring(dump *d, stream *s)
{
    const engine_state *state = NULL;
    if (s->state >= 0) {
        state = &d->states[s->state];
    }
    const size_t size = 4 * s->len_dw;
    if (state == NULL || !state_has(state, REG_tail) ||
        !(state_has(state, REG_request) || state_has(state, REG_head)) || s->len_dw == 0) {
        note(d, "line %zu: the ring of %s has no HEAD and TAIL: all %zu words are decoded", s->line,
             s->engine, s->len_dw);
        return;
    }
    uint64_t ring = size;
    if (state_has(state, REG_ctl)) {
        ring = (state->ctl & 0x1ff000) + 4096;
    }
    uint64_t from;
    if (state_has(state, REG_request)) {
        from = state->request & ~(uint64_t)3;
    } else {
        from = state->head & 0x1ffffc;
    }
    const uint64_t to = state->tail & 0x1ffffc;
    if (ring != size) {
        damaged(d, s->line, "the ring has 0x%zx bytes; expected 0x%" PRIx64 ", the size in CTL",
                size, ring);
    }
    if (from >= size || (to > size && from <= to)) {
        damaged(d, s->line,
                "HEAD 0x%" PRIx64 " or TAIL 0x%" PRIx64 " is not inside 0x%zx bytes of ring", from,
                to, size);
        if (from >= size) {
            return;
        }
    }
    const size_t first = (size_t)(from / 4);
    const size_t last = lesser(to / 4, s->len_dw);
    const bool wraps = from > to;
    size_t n = last - first;
    if (wraps) {
        n = s->len_dw - first + last;
    }
    uint32_t *dw = resize(NULL, n + 1, sizeof *dw);
    size_t head = n;
    if (wraps) {
        head = s->len_dw - first;
    }
    memcpy(dw, s->dw + first, 4 * head);
    memcpy(dw + head, s->dw, 4 * (n - head));
    if (s->unknown != NULL) {
        uint8_t *unknown = resize(NULL, n + 1, 1);
        memcpy(unknown, s->unknown + first, head);
        memcpy(unknown + head, s->unknown, n - head);
        release(s->unknown);
        s->unknown = unknown;
    }
    release(s->dw);
    note(d,
         "line %zu: ring of %s: offsets 0x%" PRIx64 " to 0x%" PRIx64
         "; %zu words of other requests left out",
         s->line, s->engine, from, to, s->len_dw - n);
    s->dw = dw;
    s->len_dw = s->cap_dw = n;
    if (wraps) {
        s->wrap_dw = head;
    } else {
        s->wrap_dw = 0;
    }
    s->wrap_va = s->va;
    s->va += from;
}

/* Begin the memory that a title names. */
static void begin_memory(dump *d, const error_title *title, int row, size_t line)
{
    const char *kind = "WA batch";
    if (strstr(title->owner, "(w/a)") == NULL) {
        kind = error_memory[row].kind;
    }
    stream *s = add_stream(d, kind != NULL ? kind : error_memory[row].title, line);
    s->memory = kind == NULL;
    s->va = title->va;
    s->has_va = true;
    engine_name(title->owner, s->engine);
    if (s->engine[0] != '\0') {
        s->state = find_state(d, s->engine, false, 0);
    } else {
        s->state = NO_STATE;
    }
}

/* Read an error state. */
static void read_error(void *state, dump *d, const text_lines *t)
{
    int engine = NO_STATE;
    (void)state;
    d->stream_left = 2 * (size_t)STREAM_BYTES;
    d->memory_left = MEMORY_BYTES;
    for (size_t i = 0; i < t->count && !d->full; i++) {
        const text_line *line = &t->lines[i];
        error_title title;
        char name[16];
        const int row = take_title(line, &title);
        const char *stream_at = after(line, " command stream");
        const char *guc = after(line, "i915-Eng-Name: ");
        if (row >= 0) {
            begin_memory(d, &title, row, line->number);
            take_memory(d, &d->streams[d->count - 1], t, &i);
        } else if (stream_at != NULL && !line_has(line, "---")) {
            const char *from = line->at;
            if (guc != NULL) {
                from = guc;
            }
            char owner[64];
            snprintf(owner, sizeof owner, "%.*s", (int)(stream_at - 15 - from), from);
            engine_name(owner, name);
            if (name[0] != '\0') {
                engine = find_state(d, name, true, line->number);
            } else {
                engine = NO_STATE;
            }
        } else if (engine >= 0 && (starts_with(line, " ") || starts_with(line, "\t"))) {
            (void)take_registers(&d->states[engine], line, false);
        } else {
            take_fact(d, line);
        }
    }
    take_ecode(d, t);
    take_hangs(d, t);
    for (size_t i = 0; i < d->count; i++) {
        d->streams[i].state = find_state(d, d->streams[i].engine, false, 0);
        if (strcmp(d->streams[i].kind, "ring") == 0) {
            cut_ring(d, &d->streams[i]);
        }
    }
    sort_streams(d);
}

/* Return true if the text has a title of memory. */
static bool has_error_title(const text_lines *t)
{
    error_title title;
    for (size_t i = 0; i < t->count; i++) {
        if (take_title(&t->lines[i], &title) >= 0) {
            return true;
        }
    }
    return false;
}

/* Return true if the text has titles of xe, whose memory has titles of i915, too. */
static bool is_xe(const text_lines *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (starts_with(line, "**** Xe Device Coredump") ||
            starts_with(line, "**** VM state ****") || starts_with(line, "**** GuC CT")) {
            return true;
        }
    }
    return false;
}

/* Return "i915-error-hex" for an error state or, if the vendor is Intel, for lines about a hang. */
static const char *recognise_error(dump *d, const text_lines *t)
{
    bool hang = false;
    for (size_t i = 0; i < t->count && strcmp(d->vendor, "i915") == 0; i++) {
        const text_line *line = &t->lines[i];
        hang = hang || (line_has(line, " command stream:") && !line_has(line, "---")) ||
               starts_with(line, "PCI ID: 0x") || line_has(line, "no error state collected") ||
               line_has(line, "No error state collected");
    }
    if (!is_xe(t) && (hang || has_error_title(t))) {
        return "i915-error-hex";
    }
    return NULL;
}

/* Return true if most lines are "00000010 :  7a000003", the input of intel_dump_decode. */
static bool is_igt_hex(const text_lines *t)
{
    size_t words = 0;
    size_t lines = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        const size_t n = digits_of(line->at, end);
        size_t colon = 0;
        if (n == 8) {
            colon = match(line->at + n, end, "_:_");
        }
        lines += line->len != 0;
        words += colon != 0 && digits_of(line->at + n + colon, end) == 8;
    }
    return words >= 1 && words * 2 > lines && !has_error_title(t);
}

static const char *recognise_igt_hex(dump *d, const text_lines *t)
{
    (void)d;
    if (is_igt_hex(t)) {
        return "igt-hex";
    }
    return NULL;
}

/* Read such lines as one batch. */
static void read_igt_hex(void *state, dump *d, const text_lines *t)
{
    size_t others = 0;
    (void)state;
    if (d->count == 0) {
        add_stream(d, "batch", t->count != 0 ? t->lines[0].number : 0);
    }
    for (size_t i = 0; i < t->count; i++) {
        others += t->lines[i].len != 0 && !take_words(d, &d->streams[0], &t->lines[i]);
    }
    if (others != 0) {
        note(d, "%zu lines without words skipped", others);
    }
}

#endif

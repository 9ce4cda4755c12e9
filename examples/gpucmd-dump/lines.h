/* lines.h - text without what mail, web pages and logs put around it, for gpucmd-dump.c. */
#ifndef DUMP_LINES_H
#define DUMP_LINES_H

#include "base.h"
#include "bytes.h"
#include "memory.h"
#include "shape.h"

enum {
    PREFIX_LOG = 1,     /* of a system log */
    PREFIX_KERNEL = 2,  /* a time of the kernel's log */
    PREFIX_NOUVEAU = 4, /* "nouveau: ", as libdrm prints */
    PREFIX_INTEL = 8,   /* i915 or xe */
    PREFIX_DRM = 16,    /* "[drm] ": of any GPU */
    PREFIX_NVIDIA = 32, /* nouveau's kernel driver */
};

enum {
    REPEATS_LIMIT = 1 << 20, /* lines that "message repeated" may add */
    LINES_LIMIT = 1 << 20,   /* lines of a text that is read as a whole */
    WINDOW_BYTES = 1 << 20,  /* of text that is read at a time */
};

/* A line without its prefixes. at is not terminated. */
typedef struct text_line {
    char *at;
    size_t len;
    size_t number; /* in the input, from 1 */
    size_t cut;    /* characters dropped at the beginning */
    unsigned prefix;
    unsigned shape; /* lines of one text with the same number have one shape; 0: unknown */
    bool plain;     /* hex digits, x, blanks, commas and colons alone */
} text_line;

typedef struct text_lines {
    text_line *lines;
    size_t count;
    size_t cap; /* lines that there is room for */
    bool cut;   /* more than LINES_LIMIT */
    bool plain; /* all lines are */
} text_lines;

/* Return true for a letter, a digit or '_'. */
static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Return true if n characters are such as rows of words consist of. The last ones are tried first: a
 * dump has its characters there. */
static bool is_plain(const char *at, size_t n)
{
    unsigned all = CHAR_PLAIN;
    size_t i = 0;
    for (size_t k = n; k != 0 && n - k < 8; k--) {
        all &= class_of(at[k - 1]);
    }
    for (; i < n && (i % 16 != 0 || all != 0); i++) {
        all &= class_of(at[i]);
    }
    return all != 0;
}

/* Return true if c matches a sign of match that stands for one character. */
static bool matches_one(char sign, char c)
{
    switch (sign) {
    case '#': return c >= '0' && c <= '9';
    case '$': return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    default: return c == sign;
    }
}

/* Return true if c matches a sign of match that stands for several characters. */
static bool matches_some(char sign, char c)
{
    switch (sign) {
    case '%': return c >= '0' && c <= '9';
    case '~':
    case '_': return c == ' ';
    default: return !is_space(c);
    }
}

/* Return true for a sign of match that stands for several characters. */
static bool stands_for_some(char sign)
{
    return sign == '%' || sign == '~' || sign == '_' || sign == '@' || sign == '&';
}

/* Return the length of the beginning of at that matches, or 0. # digit, % digits, $ letter, ~ any
 * blanks, _ blanks, @ other characters, & such characters with a colon at the end; others match
 * themselves. */
static size_t match(const char *at, const char *end, const char *pattern)
{
    const char *p = at;
    for (; *pattern != '\0'; pattern++) {
        const char *from = p;
        if (!stands_for_some(*pattern)) {
            char c = '\0';
            if (p < end) {
                c = *p;
            }
            if (c == '\0' || !matches_one(*pattern, c)) {
                return 0;
            }
            p++;
            continue;
        }
        while (p < end && matches_some(*pattern, *p)) {
            p++;
        }
        if ((p == from && *pattern != '~') || (*pattern == '&' && p[-1] != ':')) {
            return 0;
        }
    }
    return (size_t)(p - at);
}

/* Return what follows the text what in the line, or NULL. */
static const char *after(const text_line *line, const char *what)
{
    const size_t n = strlen(what);
    const char *at = line->at;
    const char *end = at + line->len;
    if (n == 0 || (line->plain && !is_plain(what, n))) {
        return n == 0 ? at : NULL;
    }
    while ((size_t)(end - at) >= n) {
        at = memchr(at, what[0], (size_t)(end - at) - n + 1);
        if (at == NULL || memcmp(at, what, n) == 0) {
            return at != NULL ? at + n : NULL;
        }
        at++;
    }
    return NULL;
}

/* Return the number of characters from p that are none of the stops. */
static size_t span_to(const char *p, const char *end, const char *stops)
{
    size_t n = 0;
    while (p + n < end && (p[n] == '\0' || strchr(stops, p[n]) == NULL)) {
        n++;
    }
    return n;
}

/* Return true if the line contains what. */
static bool line_has(const text_line *line, const char *what)
{
    return what[0] == '\0' || after(line, what) != NULL;
}

static bool starts_with(const text_line *line, const char *what)
{
    const size_t n = strlen(what);
    return line->len >= n && memcmp(line->at, what, n) == 0;
}

/* Return true if the line has a letter that is no hex digit, as messages have. */
static bool has_text(const text_line *line)
{
    for (size_t i = 0; i < line->len && !line->plain; i++) {
        const char c = (char)(line->at[i] | 0x20);
        if (c > 'f' && c <= 'z' && c != 'x') {
            return true;
        }
    }
    return false;
}

/* Drop n characters at the beginning of the line. */
static void drop(text_line *line, size_t n)
{
    line->at += n;
    line->len -= n;
    line->cut += n;
}

/* Drop what matches the pattern. Return true if something did. */
static bool drop_match(text_line *line, const char *pattern)
{
    const size_t n = match(line->at, line->at + line->len, pattern);
    drop(line, n);
    if (n != 0) {
        line->shape = 0;
    }
    return n != 0;
}

/* Return true for a line with '*' alone, which stands for lines like the line before. */
static bool is_star(const text_line *line)
{
    return line->len != 0 && line->at[0] == '*' &&
           match(line->at, line->at + line->len, "*~") == line->len;
}

/* Return the value of a hex digit, 16 for other characters. */
static uint32_t hex_digit(char c)
{
    const unsigned is = class_of(c);
    return (is & CHAR_DIGIT) != 0 ? is & 15 : 16;
}

/* ---- the whole text ---- */

/* Join the lines of quoted-printable mail and replace its escapes, if the text is such mail: nearly each
 * '=' ends a line or is an escape. The text column of a dump has other '=', too. */
static void undo_quoted_printable(bytes *b)
{
    size_t soft = 0;
    size_t marks = 0;
    size_t others = 0;
    size_t len = 0;
    for (size_t i = 0; i + 2 < b->len; i++) {
        const uint8_t *p = memchr(b->data + i, '=', b->len - i - 2);
        if (p == NULL) {
            break;
        }
        i = (size_t)(p - b->data);
        if (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')) {
            soft++;
        } else if (hex_digit((char)p[1]) == 16 || hex_digit((char)p[2]) == 16) {
            others++;
        }
        marks += memcmp(p, "=3D", 3) == 0 || memcmp(p, "=20", 3) == 0;
    }
    if (soft < 3 || marks == 0 || others > soft + marks) {
        return;
    }
    for (size_t i = 0; i < b->len; i++) {
        const uint8_t *p = b->data + i;
        const size_t left = b->len - i;
        if (p[0] == '=' && left > 1 && p[1] == '\n') {
            i += 1;
        } else if (p[0] == '=' && left > 2 && p[1] == '\r' && p[2] == '\n') {
            i += 2;
        } else if (p[0] == '=' && left > 2 && hex_digit((char)p[1]) < 16 &&
                   hex_digit((char)p[2]) < 16) {
            b->data[len++] = (uint8_t)(hex_digit((char)p[1]) << 4 | hex_digit((char)p[2]));
            i += 2;
        } else {
            b->data[len++] = p[0];
        }
    }
    b->len = len;
}

/* Replace &gt; and such, if the text has no angle bracket of its own: ASCII85 has them. */
static void undo_entities(bytes *b)
{
    static const struct {
        const char *name;
        char c;
    } names[] = {
        {"&gt;",   '>' },
        {"&lt;",   '<' },
        {"&amp;",  '&' },
        {"&quot;", '"' },
        {"&#39;",  '\''},
    };
    size_t len = 0;
    if (b->len == 0 || memchr(b->data, '&', b->len) == NULL ||
        memchr(b->data, '<', b->len) != NULL || memchr(b->data, '>', b->len) != NULL) {
        return;
    }
    for (size_t i = 0; i < b->len; i++) {
        uint8_t c = b->data[i];
        for (size_t k = 0; c == '&' && k < sizeof names / sizeof names[0]; k++) {
            const size_t n = strlen(names[k].name);
            if (b->len - i >= n && memcmp(b->data + i, names[k].name, n) == 0) {
                c = (uint8_t)names[k].c;
                i += n - 1;
                break;
            }
        }
        if (b->data[len] != c) {
            b->data[len] = c;
        }
        len++;
    }
    b->len = len;
}

/* The shape of the last line that is plain. */
typedef struct plain_shape {
    line_shape shape;
    unsigned number; /* of the shape, from 1 */
} plain_shape;

/* Remove colours, and the carriage return at the end of the line. */
static void clean_line(text_line *line, plain_shape *last)
{
    size_t len = 0;
    while (line->len != 0 && line->at[line->len - 1] == '\r') {
        line->len--;
    }
    line->plain = line->len == last->shape.len && has_shape(&last->shape, line->at);
    if (!line->plain && is_plain(line->at, line->len)) {
        learn_shape(&last->shape, line->at, line->len);
        last->number++;
        line->plain = true;
    }
    if (line->plain && last->shape.len != 0) {
        line->shape = last->number;
    }
    if (line->plain || memchr(line->at, '\033', line->len) == NULL) {
        return;
    }
    for (size_t i = 0; i < line->len; i++) {
        size_t k = i + 1;
        if (line->at[i] == '\033' && k < line->len && line->at[k] == '[') {
            do {
                k++;
            } while (k < line->len &&
                     ((line->at[k] >= '0' && line->at[k] <= '9') || line->at[k] == ';'));
            if (k < line->len && (line->at[k] == 'm' || line->at[k] == 'K')) {
                i = k;
                continue;
            }
        }
        if (len != i) {
            line->at[len] = line->at[i];
        }
        len++;
    }
    while (len != 0 && line->at[len - 1] == '\r') {
        len--;
    }
    line->len = len;
}

/* Split the text into lines, which point into b; empty lines are left out. number: lines before. */
static void split_lines(bytes *b, text_lines *t, size_t number)
{
    plain_shape last;
    last.shape.len = last.number = 0;
    for (size_t at = 0; at < b->len && !t->cut;) {
        char *from = (char *)b->data + at;
        size_t len = b->len - at;
        const bool like =
            last.shape.len < len && from[last.shape.len] == '\n' && has_shape(&last.shape, from);
        const char *nl = from + last.shape.len;
        if (!like) {
            nl = memchr(from, '\n', len);
        }
        if (nl != NULL) {
            len = (size_t)(nl - from);
        }
        if (t->count == t->cap) {
            t->cap *= 2;
            if (t->cap == 0) {
                t->cap = 256;
            }
            t->lines = resize(t->lines, t->cap, sizeof *t->lines);
        }
        const text_line line = {from, len, ++number, 0, 0, like * last.number, like};
        t->lines[t->count] = line;
        if (!like) {
            clean_line(&t->lines[t->count], &last);
        }
        t->count += t->lines[t->count].len != 0;
        t->cut = t->count == LINES_LIMIT;
        at += len + 1;
    }
}

/* Remove the marks of quoted mail: where most lines have them, and in front of a blank, which
 * ASCII85 does not contain. */
static void undo_quotes(text_lines *t)
{
    for (int depth = 0; depth < 8; depth++) {
        size_t quoted = 0;
        size_t lines = 0;
        for (size_t i = 0; i < t->count; i++) {
            lines += t->lines[i].len != 0;
            quoted += t->lines[i].len != 0 && t->lines[i].at[0] == '>';
        }
        if (quoted == 0) {
            return;
        }
        const bool most = quoted * 10 >= lines * 6;
        for (size_t i = 0; i < t->count; i++) {
            text_line *line = &t->lines[i];
            if (starts_with(line, "> ") || (most && starts_with(line, ">"))) {
                drop(line, 1);
                drop(line, starts_with(line, " "));
            }
        }
        if (!most) {
            return;
        }
    }
}

/* Remove the blanks that all lines begin with, and fences of markdown. */
static void undo_indent(text_lines *t)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < t->count; i++) {
        text_line *line = &t->lines[i];
        size_t n = 0;
        if (starts_with(line, "```")) {
            line->len = 0;
        }
        while (n < line->len && line->at[n] == ' ') {
            n++;
        }
        if (n < line->len) {
            if (n < least) {
                least = n;
            }
        }
    }
    for (size_t i = 0; i < t->count && least != SIZE_MAX; i++) {
        drop(&t->lines[i], (size_t)lesser(least, t->lines[i].len));
    }
}

/* ---- prefixes of logs ---- */

/* Replace the octal escapes of rsyslog: #011 is a tab. */
static void undo_octal(text_line *line)
{
    size_t len = 0;
    for (size_t i = 0; i < line->len; i++) {
        const char *p = line->at + i;
        char c = *p;
        if (c == '#' && line->len - i > 3 && p[1] == '0' && p[2] >= '0' && p[2] <= '3' &&
            p[3] >= '0' && p[3] <= '7') {
            c = (char)((p[2] - '0') * 8 + p[3] - '0');
            i += 3;
        }
        if (line->at[len] != c) {
            line->at[len] = c;
        }
        len++;
    }
    line->len = len;
}

/* Drop what the drivers i915 and xe put before a text: device, tile and GT, "*ERROR* ". */
static void undo_intel(text_line *line)
{
    static const struct {
        const char *pattern;
        unsigned needs; /* one of these prefixes came before; 0: none is needed */
        unsigned sets;
    } rows[] = {
        {"i915 ####:##:##.#: ", 0,                         PREFIX_INTEL},
        {"xe ####:##:##.#: ",   0,                         PREFIX_INTEL},
        {"i915: ",              0,                         PREFIX_INTEL},
        {"[drm] ",              PREFIX_INTEL,              PREFIX_DRM  },
        {"Tile%: ",             PREFIX_INTEL | PREFIX_DRM, 0           },
        {"GT%: ",               PREFIX_INTEL | PREFIX_DRM, 0           },
        {"*ERROR* ",            PREFIX_INTEL | PREFIX_DRM, 0           },
        {"GT%: ",               PREFIX_INTEL | PREFIX_DRM, 0           },
    };
    if (starts_with(line, "[drm:")) { /* "[drm:i915_reset [i915]] " */
        const char *close = after(line, "] ");
        if (close != NULL && (line_has(line, "[i915]]") || line_has(line, "[xe]]") ||
                              line_has(line, "drm:i915") || line_has(line, "drm:intel"))) {
            drop(line, (size_t)(close - line->at));
            line->prefix |= PREFIX_INTEL;
        }
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].needs == 0 || (line->prefix & rows[i].needs) != 0) &&
            drop_match(line, rows[i].pattern)) {
            line->prefix |= rows[i].sets;
        }
    }
}

/* Return true if a line has no prefix. Of plain characters only that of a system log can be, in December
 * and February; of those that begin with a digit only one with a date. */
static bool has_no_prefix(const text_line *line)
{
    const bool letter = line->len > 3 && (line->at[0] & 0x40) != 0 && line->at[3] == ' ';
    const bool digit = line->len > 4 && matches_one('#', line->at[0]) && line->at[4] != '-';
    return digit || (line->plain && !letter);
}

static void undo_prefixes(text_line *line)
{
    if (has_no_prefix(line)) {
        return;
    }
    bool log = drop_match(line, "$$$_%_##:##:##_@_&~") || drop_match(line, "####-##-##T@_@_&~");
    if (log) {
        undo_octal(line);
    }
    drop_match(line, "-- ");
    log = drop_match(line, "<%>") || log;
    if (drop_match(line, "[~%.%] ") || drop_match(line, "[$$$_$$$_%_##:##:##_####] ") ||
        drop_match(line, "[~%.%]")) {
        line->prefix |= PREFIX_KERNEL;
    }
    (void)(drop_match(line, "[~T%] ") || drop_match(line, "[~C%] "));
    drop_match(line, "kernel: ");
    undo_intel(line);
    if (starts_with(line, "[drm] ") && !starts_with(line, "[drm] nouveau")) {
        drop(line, 6);
        line->prefix |= PREFIX_DRM;
        undo_intel(line);
    }
    if (drop_match(line, "[drm] nouveau &~") || drop_match(line, "nouveau ####:&~")) {
        line->prefix |= PREFIX_KERNEL | PREFIX_NVIDIA;
    } else if (starts_with(line, "nouveau: ") || starts_with(line, "nouveau:\t")) {
        drop(line, 8);
        line->prefix |= PREFIX_NOUVEAU;
    }
    line->prefix |= log ? PREFIX_LOG : 0;
}

/* Return the number of copies of the line before that this line reports. If it names another
 * line in brackets, the line becomes that one. */
static size_t repeats(text_line *line)
{
    const char *end = line->at + line->len;
    const char *p = after(line, "message repeated ");
    size_t n = 0;
    if (p == NULL) {
        return 0;
    }
    while (p < end && *p >= '0' && *p <= '9' && n < REPEATS_LIMIT) {
        n = n * 10 + (size_t)(*p++ - '0');
    }
    if (match(p, end, " times: [~") != 0) {
        p += match(p, end, " times: [~");
        drop(line, (size_t)(p - line->at));
        line->len -= line->len != 0 && line->at[line->len - 1] == ']';
        undo_prefixes(line);
        line->prefix |= PREFIX_LOG;
    } else if (match(p, end, " times") == 0) {
        n = 0;
    }
    return n;
}

/* Repeat the lines that a log only counts. b: the text. */
static void undo_repeats(const bytes *b, text_lines *t, size_t *added)
{
    text_line *lines = NULL;
    size_t count = 0;
    size_t cap = 0;
    const text_line all = {(char *)b->data, b->len, 0, 0, 0, 0, t->plain};
    const bool any = line_has(&all, "message repeated ");
    for (size_t i = 0; i < t->count && any; i++) {
        text_line line = t->lines[i];
        size_t n = repeats(&line);
        if (n != 0 && count != 0 && line_has(&line, "message repeated ")) {
            line = lines[count - 1];
        }
        if (n == 0) {
            n = 1;
        }
        if (n - 1 >= REPEATS_LIMIT - *added) {
            n = 1 + REPEATS_LIMIT - *added;
        }
        *added += n - 1;
        if (cap - count < n) {
            cap = 2 * (cap + n);
            lines = resize(lines, cap, sizeof *lines);
        }
        while (n-- != 0) {
            lines[count++] = line;
        }
    }
    if (any) {
        release(t->lines);
        t->lines = lines;
        t->count = count;
        t->cap = cap;
    }
}

/* Make lines of b, whose characters change. number: lines before b; *added: lines that repeats added
 * so far. The caller releases t->lines. */
static void clean_text(bytes *b, text_lines *t, size_t number, size_t *added)
{
    t->count = 0;
    t->cut = false;
    t->plain = true;
    undo_quoted_printable(b);
    undo_entities(b);
    split_lines(b, t, number);
    undo_quotes(t);
    undo_indent(t);
    for (size_t i = 0; i < t->count; i++) {
        undo_prefixes(&t->lines[i]);
        t->plain = t->plain && t->lines[i].plain;
    }
    undo_repeats(b, t, added);
}

/* ---- windows: parts of a text ---- */

/* A text that is read window by window. */
typedef struct text_source {
    bytes *b;
    size_t at;     /* end of the present window */
    size_t number; /* lines before at */
    bytes window;  /* a copy, which is cleaned */
    size_t added;  /* lines that repeats added */
    text_lines t;
} text_source;

/* Return the length of the next window: whole lines, if lines are shorter than a window. */
static size_t window_len(const text_source *s)
{
    const uint8_t *from = s->b->data + s->at;
    const size_t left = s->b->len - s->at;
    size_t n = lesser(left, WINDOW_BYTES);
    size_t cut = n;
    if (n == left) {
        return n;
    }
    while (cut != 0 && from[cut - 1] != '\n') {
        cut--;
    }
    for (; cut == 0 && n > WINDOW_BYTES / 2 && !is_space((char)from[n - 1]) && from[n - 1] != ',';
         n--) {
    }
    if (cut != 0) {
        return cut;
    }
    if (n > WINDOW_BYTES / 2) {
        return n;
    }
    return WINDOW_BYTES;
}

static void release_window(text_source *s)
{
    release(s->t.lines);
    memset(&s->t, 0, sizeof s->t);
}

/* Return the number of line ends among n bytes. */
static size_t count_ends(const uint8_t *at, size_t n)
{
    const uint64_t ones = UINT64_MAX / 255;
    size_t count = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint64_t c = load_some(at + i, 8) ^ '\n' * ones;
        const uint64_t ends = ~((c & 0x7f * ones) + 0x7f * ones) & ~c & 0x80 * ones;
        count += (ends >> 7) * ones >> 56;
    }
    for (; i < n; i++) {
        count += at[i] == '\n';
    }
    return count;
}

/* Make the lines of the next window. Return false at the end of the text. */
static bool next_window(text_source *s)
{
    const size_t n = window_len(s);
    if (n == 0) {
        release_window(s);
        return false;
    }
    s->window.data = resize(s->window.data, n, 1);
    s->window.len = n;
    memcpy(s->window.data, s->b->data + s->at, n);
    clean_text(&s->window, &s->t, s->number, &s->added);
    s->number += count_ends(s->b->data + s->at, n);
    s->at += n;
    return true;
}

/* Make lines of the whole text, which changes. */
static void whole_text(text_source *s)
{
    bytes b = *s->b;
    s->b->changed = true;
    release_window(s);
    clean_text(&b, &s->t, 0, &s->added);
    s->at = s->b->len;
}

#endif

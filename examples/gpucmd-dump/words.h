/* words.h - words in any text: hex groups of eight digits, for gpucmd-dump.c. */
#ifndef DUMP_WORDS_H
#define DUMP_WORDS_H

#include "base.h"
#include "bytes.h"
#include "lines.h"
#include "shape.h"
#include "stream.h"

/* A group of characters between delimiters, in one line of text. */
typedef enum group_kind {
    GROUP_OTHER, /* anything else */
    GROUP_HEX8,  /* 0x and eight hex digits */
    GROUP_SHORT, /* 0x and one to seven */
    GROUP_LONG,  /* 0x and more than eight */
    GROUP_BARE,  /* eight hex digits alone */
    GROUP_BYTE,  /* two hex digits alone */
} group_kind;

typedef struct group {
    group_kind kind;
    uint32_t value;
    const char *at;
    size_t len;
    bool label;    /* it is OTHER because of a colon or brackets */
    bool assigned; /* between = and ; */
} group;

/* A position in a line. before is the last character that is not a space. */
typedef struct scanner {
    const char *at;
    const char *end;
    char before;
    size_t commas;
} scanner;

static bool is_delimiter(char c)
{
    return (class_of(c) & CHAR_DELIMITER) != 0 || (uint8_t)c >= 0x80;
}

/* Skip delimiters and whole colour sequences of a terminal. */
static void skip_delimiters(scanner *s)
{
    while (s->at != s->end && is_delimiter(*s->at)) {
        const char c = *s->at++;
        if (c == '\033' && s->at != s->end && *s->at == '[') {
            while (s->at != s->end && !(*s->at >= 'A' && *s->at <= 'Z') &&
                   !(*s->at >= 'a' && *s->at <= 'z')) {
                s->at++;
            }
            s->at += s->at != s->end;
        } else if (!is_space(c)) {
            s->before = c;
            s->commas += c == ',';
        }
    }
}

/* Return true for a number of an assembler, such as 07a000004h. */
static bool is_masm(const group *g)
{
    const char last = g->len > 1 ? g->at[g->len - 1] : '\0';
    if ((last != 'h' && last != 'H') || g->at[0] < '0' || g->at[0] > '9') {
        return false;
    }
    for (size_t i = 0; i + 1 < g->len; i++) {
        if (hex_digit(g->at[i]) >= 16) {
            return false;
        }
    }
    return true;
}

/* Set kind and value of a number of an assembler, whose first digit may be a 0 more. */
static void classify_masm(group *g)
{
    size_t digits = g->len - 1;
    g->value = 0;
    for (size_t i = 0; i < digits; i++) {
        g->value = g->value << 4 | hex_digit(g->at[i]);
    }
    digits -= digits > 8 && g->at[0] == '0';
    g->kind = GROUP_SHORT;
    if (digits == 8) {
        g->kind = GROUP_HEX8;
    } else if (digits > 8) {
        g->kind = GROUP_LONG;
    }
}

/* Set kind and value of a group from its characters. */
static void classify_group(group *g)
{
    const bool prefix = g->len > 2 && g->at[0] == '0' && (g->at[1] == 'x' || g->at[1] == 'X');
    size_t i = 0;
    if (prefix) {
        i = 2;
    }
    size_t digits = 0;
    if (is_masm(g)) {
        classify_masm(g);
        return;
    }
    g->value = 0;
    for (; i < g->len && hex_digit(g->at[i]) < 16; i++, digits++) {
        g->value = g->value << 4 | hex_digit(g->at[i]);
    }
    for (size_t suffix = 0; prefix && suffix < 3 && i < g->len; suffix++) {
        i += strchr("uUlL", g->at[i]) != NULL && g->at[i] != '\0';
    }
    g->kind = GROUP_OTHER;
    if (i == g->len && prefix && digits != 0) {
        if (digits == 8) {
            g->kind = GROUP_HEX8;
        } else if (digits < 8) {
            g->kind = GROUP_SHORT;
        } else {
            g->kind = GROUP_LONG;
        }
    } else if (i == g->len) {
        if (digits == 8) {
            g->kind = GROUP_BARE;
        } else if (digits == 2) {
            g->kind = GROUP_BYTE;
        } else {
            g->kind = GROUP_OTHER;
        }
    }
}

/* Return true for a hex address of eight digits or more and a colon. next_group marks it
 * GROUP_OTHER because of the colon. */
static bool is_address(const group *g)
{
    size_t digits = 0;
    while (digits < g->len && hex_digit(g->at[digits]) < 16) {
        digits++;
    }
    return digits == g->len && digits >= 8 && g->kind == GROUP_OTHER;
}

/* Read the next group of the line. A label ("0x10:"), a lone group in brackets
 * ("[00000010]") and a date before a time ("20240131 12:00") are GROUP_OTHER. */
static bool next_group(scanner *s, group *g)
{
    char before;
    char after = '\0';
    skip_delimiters(s);
    if (s->at == s->end) {
        return false;
    }
    before = s->before;
    g->at = s->at;
    while (s->at != s->end && !is_delimiter(*s->at)) {
        s->at++;
    }
    g->len = (size_t)(s->at - g->at);
    s->before = 'x';
    classify_group(g);
    for (const char *p = s->at; p != s->end && after == '\0'; p++) {
        if (is_space(*p)) {
            after = '\0';
        } else {
            after = *p;
        }
    }
    g->assigned = before == '=' && after == ';';
    g->label = after == ':' || (before == '[' && after == ']');
    if (g->label) {
        g->kind = GROUP_OTHER;
    }
    if (g->kind == GROUP_BARE && after >= '0' && after <= '9') {
        const char *p = s->at;
        while (p != s->end && is_space(*p)) {
            p++;
        }
        if (s->end - p > 2 && (p[1] == ':' || p[2] == ':')) {
            g->kind = GROUP_OTHER;
        }
    }
    return true;
}

/* Return how many words a group was meant to be that looks like a word and is none: with a digit too
 * few or too many, with one or two other letters, or two words without a blank. 0: it is no word. */
static size_t meant_words(const group *g, bool prefixed)
{
    size_t decimal = 0;
    size_t others = 0;
    size_t len = g->len;
    const char *at = g->at;
    if (prefixed) {
        if (len < 3 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X')) {
            return 0;
        }
        at += 2;
        len -= 2;
    }
    if (g->label) {
        return 0;
    }
    for (size_t i = 0; i < len; i++) {
        const char c = at[i];
        const bool letter = (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z');
        if (!letter && hex_digit(c) >= 16) {
            return 0;
        }
        decimal += c >= '0' && c <= '9';
        others += letter;
    }
    if (others == 0 && (len == 7 || len == 9)) {
        return 1;
    }
    if (others == 0 && len == 16 && !prefixed) {
        return 2;
    }
    return len == 8 && (others == 1 || others == 2) && decimal != 0;
}

/* How a line's words are written. */
typedef enum line_style {
    LINE_NONE,
    LINE_HEX,   /* 0x and eight digits */
    LINE_SHORT, /* only groups with 0x and at most eight digits */
    LINE_STORE, /* "*cs++ = 0x209c;" or "b[i] = 0x209c;" */
    LINE_BARE,  /* eight digits alone */
    LINE_LABEL, /* an address with a colon, then words of eight digits, then anything */
    LINE_BYTES, /* a dump of bytes: no words here, and words need 0x in the whole text */
} line_style;

/* Return true if a comment starts at g. */
static bool is_comment(const group *g, bool first, bool after_word)
{
    return (g->at[0] == '#' && (first || after_word)) ||
           (after_word && g->len > 1 && g->at[0] == '/' && (g->at[1] == '/' || g->at[1] == '*'));
}

/* Return true if the line is a command that was typed into a debugger or a monitor. */
static bool is_typed(const char *at, const char *end)
{
    static const char *const prompts[] = {"(qemu)", "(gdb)", "(lldb)", "Shell>"};
    for (size_t i = 0; i < sizeof prompts / sizeof prompts[0]; i++) {
        const size_t n = strlen(prompts[i]);
        if ((size_t)(end - at) >= n && memcmp(at, prompts[i], n) == 0) {
            return true;
        }
    }
    return false;
}

static line_style style_of_line(const char *at, const char *end)
{
    if (is_typed(at, end)) {
        return LINE_NONE;
    }
    scanner s = {at, end, '\0', 0};
    group g;
    size_t count[GROUP_BYTE + 1] = {0};
    size_t groups = 0;
    size_t words = 0;
    bool addressed = false; /* a group with 0x precedes the first bare group */
    bool labelled = false;  /* the first group is an address with a colon */
    bool label = false;     /* labelled, and a bare group follows */
    const char *first = at;
    while (first < end && is_space(*first)) {
        first++;
    }
    const bool store =
        first != end && (*first == '*' || memchr(at, '[', (size_t)(end - at)) != NULL);
    bool stored = false;
    while (next_group(&s, &g) && !is_comment(&g, groups == 0, words != 0)) {
        labelled = labelled || (groups == 0 && is_address(&g));
        label = label || (groups == 1 && labelled && g.kind == GROUP_BARE);
        if (g.kind == GROUP_BARE && count[GROUP_BARE] == 0) {
            addressed = count[GROUP_HEX8] + count[GROUP_SHORT] + count[GROUP_LONG] != 0;
        }
        stored = store && g.assigned && (g.kind == GROUP_SHORT || g.kind == GROUP_HEX8);
        words += g.kind == GROUP_HEX8 || g.kind == GROUP_SHORT || g.kind == GROUP_BARE;
        count[g.kind]++;
        groups++;
    }
    if (stored) {
        return LINE_STORE;
    }
    if (label && count[GROUP_BYTE] < 2) {
        return LINE_LABEL;
    }
    if (count[GROUP_HEX8] + count[GROUP_SHORT] == groups && groups != 0 && count[GROUP_SHORT] &&
        (groups == 1 || s.commas + 1 >= groups)) {
        return LINE_SHORT;
    }
    if (count[GROUP_BARE] != 0 && (addressed || count[GROUP_HEX8] == 0)) {
        if (count[GROUP_BYTE] > 1) {
            return LINE_BYTES;
        }
        return LINE_BARE;
    }
    if (count[GROUP_HEX8] != 0) {
        return LINE_HEX;
    }
    return LINE_NONE;
}

/* A text that is read for words. */
typedef struct words_reader {
    dump *d;          /* NULL: nothing is reported */
    line_style style; /* the surest style of any line; others are ignored */
    bool turned;      /* the bytes of words are in memory order */
    bool mixed;       /* later lines have a surer style */
    bool padded;      /* groups with 0x have leading zeros: shorter ones lack a digit */
    bool offsets;     /* lines begin with an offset such as 0x04, which grows */
    bool addressed;   /* the first group of most lines is an address of 7 or 9 digits */
    size_t lines;     /* with words */
    size_t others;    /* that are not empty and have none */
    size_t other_at;  /* the first of them */
    size_t passed;    /* groups with 0x that are too short to be words */
    size_t passed_at; /* line of the first of them */
} words_reader;

/* Report a group that looks like words and is none; each of them is unknown in the stream. */
static void take_meant(const words_reader *r, const text_line *line, const group *g, size_t words,
                       stream *out)
{
    if (r->d == NULL) {
        return;
    }
    damaged(r->d, line->number, "column %zu: \"%.*s\" is no word; expected eight hex digits%s",
            line->cut + (size_t)(g->at - line->at) + 1, (int)lesser(g->len, 40), g->at,
            words == 2 ? " and a blank" : "");
    (void)add_unknown(r->d, out, words);
}

/* Append the words of one line. Return the number of groups with 0x that are too short to be words. */
static size_t words_of_line(const words_reader *r, const text_line *line, line_style style,
                            stream *out)
{
    scanner s = {line->at, line->at + line->len, '\0', 0};
    const bool bare = style == LINE_BARE || style == LINE_LABEL;
    group g;
    size_t groups = 0;
    size_t words = 0;
    size_t passed = 0;
    bool offset = false; /* the first group is an offset, not a word */
    while (next_group(&s, &g) && !is_comment(&g, groups == 0, words != 0)) {
        const size_t meant = r->addressed && groups == 0 ? 0 : meant_words(&g, !bare);
        const bool is_short = !bare && style != LINE_STORE && g.kind == GROUP_SHORT;
        if (style == LINE_LABEL && groups > words + (words == 0) && g.kind != GROUP_BARE &&
            meant == 0) {
            break;
        }
        bool taken = g.kind == GROUP_HEX8;
        if (bare) {
            taken = g.kind == GROUP_BARE;
        } else if (style == LINE_STORE) {
            taken = g.assigned && (g.kind == GROUP_SHORT || g.kind == GROUP_HEX8);
        } else if (style == LINE_SHORT) {
            taken = g.kind == GROUP_HEX8 || (g.kind == GROUP_SHORT && !(r->padded && meant != 0));
        }
        if (taken) {
            add_dw(out, g.value);
            words++;
        } else if (meant != 0) {
            take_meant(r, line, &g, meant, out);
            words += meant;
        } else if (is_short) {
            offset = groups == 0;
            passed++;
        }
        groups++;
    }
    return passed - (offset && r->offsets ? 1 : 0);
}

static const char *line_end(const char *at, const char *end)
{
    const char *nl = NULL;
    if (at != end) {
        nl = memchr(at, '\n', (size_t)(end - at));
    }
    if (nl != NULL) {
        return nl;
    }
    return end;
}

/* A row of words alone, perhaps after an address with a colon, whose shape others have, too. */
typedef struct plain_row {
    line_shape shape;
    unsigned number; /* of the line's shape, or 0 */
    line_style style;
    size_t words;
    uint16_t word_at[SHAPE_BYTES / 8]; /* first digits */
} plain_row;

/* Learn a row. Without a shape it has something else than words. */
static void learn_row(plain_row *row, const text_line *line, line_style style)
{
    scanner s = {line->at, line->at + line->len, '\0', 0};
    group g;
    bool first = true;
    const bool bare = style == LINE_BARE || style == LINE_LABEL;
    row->shape.len = row->words = row->number = 0;
    row->style = style;
    if (!line->plain || line->len > SHAPE_BYTES || !(bare || style == LINE_HEX)) {
        return;
    }
    for (; next_group(&s, &g); first = false) {
        if (g.kind == (bare ? GROUP_BARE : GROUP_HEX8)) {
            row->word_at[row->words++] = (uint16_t)(g.at - line->at + (bare ? 0 : 2));
        } else if (!first || !g.label) {
            return;
        }
    }
    if (row->words != 0) {
        learn_shape(&row->shape, line->at, line->len);
        row->number = line->shape;
    }
}

/* Return true if the line is written like the row. */
static bool is_like(const plain_row *row, const text_line *line)
{
    if (line->shape != 0 && line->shape == row->number) {
        return true;
    }
    return line->len == row->shape.len && has_shape(&row->shape, line->at);
}

/* Return the style of a line; row: the plain row before it, or none. */
static line_style style_after(plain_row *row, const text_line *line)
{
    if (!is_like(row, line)) {
        learn_row(row, line, style_of_line(line->at, line->at + line->len));
    }
    return row->style;
}

/* Return the surest style of the lines: LINE_BARE if none has another. */
static line_style surest_style(const text_lines *t)
{
    line_style least = LINE_BARE;
    plain_row row;
    row.shape.len = row.number = 0;
    for (size_t i = 0; i < t->count; i++) {
        const line_style style = style_after(&row, &t->lines[i]);
        if (style == LINE_LABEL || least == LINE_LABEL) {
            least = LINE_LABEL;
        } else if (style == LINE_HEX || style == LINE_SHORT || style == LINE_STORE) {
            least = LINE_HEX;
        } else if (style == LINE_BYTES && least == LINE_BARE) {
            least = LINE_BYTES;
        }
    }
    return least;
}

/* Return true if lines of a style are read in a text with the surest style `surest`. */
static bool is_read(line_style surest, line_style style)
{
    if (surest == LINE_LABEL) {
        return style == LINE_LABEL;
    }
    if (surest == LINE_HEX) {
        return style != LINE_BARE && style != LINE_BYTES;
    }
    return style == LINE_BARE && surest == LINE_BARE;
}

/* Return true if the first group of most lines with words is an address of 7 or 9 digits. */
static bool lines_have_addresses(const text_lines *t)
{
    size_t lines = 0;
    size_t addresses = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        scanner s = {line->at, line->at + line->len, '\0', 0};
        group g;
        if (style_of_line(line->at, line->at + line->len) == LINE_BARE && next_group(&s, &g)) {
            lines++;
            addresses += meant_words(&g, false) == 1;
        }
    }
    return addresses * 2 > lines && lines > 1;
}

/* Return true if lines with words begin with a short number that grows from line to line: an offset. */
static bool lines_have_offsets(const text_lines *t)
{
    size_t lines = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        scanner s = {line->at, line->at + line->len, '\0', 0};
        group first;
        group second;
        if (!next_group(&s, &first) || !next_group(&s, &second) || second.kind != GROUP_HEX8) {
            continue;
        }
        if (first.kind != GROUP_SHORT || (lines != 0 && first.value <= last)) {
            return false;
        }
        last = first.value;
        lines++;
    }
    return lines > 1;
}

/* Return true if groups with 0x are written with leading zeros. */
static bool lines_are_padded(const text_lines *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        scanner s = {line->at, line->at + line->len, '\0', 0};
        group g;
        while (next_group(&s, &g)) {
            if (g.kind == GROUP_HEX8 && g.at[2] == '0') {
                return true;
            }
        }
    }
    return false;
}

/* Return true if a line without words has only groups that look like words with a typing error. */
static bool is_meant_line(const text_line *line, bool prefixed)
{
    scanner s = {line->at, line->at + line->len, '\0', 0};
    group g;
    size_t groups = 0;
    for (; next_group(&s, &g); groups++) {
        if (meant_words(&g, prefixed) == 0) {
            return false;
        }
    }
    return groups != 0;
}

/* Append the words of lines that are all plain rows of the style which is read. Return false, with
 * nothing changed, if they are not. */
static bool words_of_rows(words_reader *r, const text_lines *t, stream *out)
{
    const size_t before = out->len_dw;
    size_t n = before;
    plain_row row;
    row.shape.len = row.number = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (style_after(&row, line) != r->style || row.shape.len == 0) {
            return false;
        }
        reserve_dw(out, n + row.words);
        for (size_t k = 0; k < row.words; k++) {
            out->dw[n++] = word_of_digits(line->at + row.word_at[k]);
        }
    }
    if (out->unknown != NULL) {
        memset(out->unknown + before, WORD_KNOWN, n - before);
    }
    for (size_t k = before; r->turned && k < n; k++) {
        out->dw[k] = gpucmd_load32(&out->dw[k], other_endian(gpucmd_cpu_endian()));
    }
    out->len_dw = n;
    r->lines += t->count;
    if (out->line == 0 && out->len_dw != 0) {
        out->line = t->lines[0].number;
    }
    return true;
}

/* Append the words of lines to the stream. */
static void words_of_lines(words_reader *r, const text_lines *t, stream *out)
{
    if (words_of_rows(r, t, out)) {
        return;
    }
    const line_style here = surest_style(t);
    r->addressed = lines_have_addresses(t);
    r->padded = lines_are_padded(t);
    r->offsets = lines_have_offsets(t);
    r->mixed = r->mixed || (here != r->style && here != LINE_BARE);
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        const line_style style = style_of_line(line->at, end);
        const size_t before = out->len_dw;
        const bool meant = style == LINE_NONE && r->d != NULL && r->style != LINE_LABEL &&
                           is_meant_line(line, r->style != LINE_BARE);
        if ((is_read(r->style, style) && !is_typed(line->at, end)) || meant) {
            const size_t n = words_of_line(r, line, meant ? r->style : style, out);
            if (r->passed == 0 && n != 0) {
                r->passed_at = line->number;
            }
            r->passed += n;
        } else if (r->d != NULL && r->style == LINE_LABEL && style == LINE_BARE) {
            damaged(r->d, line->number,
                    "words without an address; expected an address and a colon before them");
        }
        for (size_t k = before; r->turned && k < out->len_dw; k++) {
            out->dw[k] = gpucmd_load32(&out->dw[k], other_endian(gpucmd_cpu_endian()));
        }
        r->lines += out->len_dw != before;
        if (out->len_dw == before && line->len != 0 && strchr("#{}[]();", line->at[0]) == NULL &&
            strchr("{[(", line->at[line->len - 1]) == NULL) {
            if (r->others++ == 0) {
                r->other_at = line->number;
            }
        }
        if (out->line == 0 && out->len_dw != 0) {
            out->line = line->number;
        }
    }
}

static void begin_words(void *state, dump *d, const text_lines *t)
{
    words_reader *r = state;
    r->d = d;
    r->style = surest_style(t);
    r->turned = d->turned;
    add_stream(d, NULL, 0);
}

static void read_words(void *state, dump *d, const text_lines *t)
{
    words_of_lines(state, t, last_stream(d));
    for (size_t i = 0; i < t->count; i++) {
        if (is_star(&t->lines[i])) {
            damaged(
                d, t->lines[i].number,
                "the line * repeats the line before an unknown number of times; expected a dump with od -v");
        }
    }
}

/* Report what was seen in a text of words. */
static void end_words(void *state, dump *d, size_t count)
{
    const words_reader *r = state;
    const bool foreign = d->streams[0].len_dw != 0 && r->others > r->lines;
    (void)count;
    if (r->passed != 0) {
        note(d,
             "line %zu: a group with 0x and fewer than eight digits is not read as a word (%zu in "
             "total)",
             r->passed_at, r->passed);
    }
    if (foreign) {
        note(d,
             "words in %zu lines, none in %zu others: this may be no stream; expected mostly words",
             r->lines, r->others);
    }
    if (r->others != 0 && d->streams[0].len_dw != 0) {
        note(d, "%zu line%s without words; the first: line %zu", r->others, plural(r->others),
             r->other_at);
    }
    if (r->mixed) {
        note(d, "the text has words in several forms; those of the first lines are read");
    }
    d->doubtful = d->doubtful || r->passed != 0 || r->mixed || foreign;
}

/* Any text is read for words, if it has no other format. */
static const char *recognise_words(dump *d, const text_lines *t)
{
    (void)d;
    (void)t;
    return "hex-words";
}

/* Return the number of words in lines. */
static size_t count_words(const text_lines *t)
{
    words_reader none;
    stream words;
    memset(&none, 0, sizeof none);
    memset(&words, 0, sizeof words);
    none.style = surest_style(t);
    words_of_lines(&none, t, &words);
    release(words.dw);
    release(words.unknown);
    return words.len_dw;
}

/* Return the first word of a line, or NULL. */
static const char *first_word(const text_line *line, line_style style)
{
    scanner s = {line->at, line->at + line->len, '\0', 0};
    const bool bare = style == LINE_BARE || style == LINE_LABEL;
    group g;
    while (next_group(&s, &g)) {
        if (bare ? g.kind == GROUP_BARE : (g.kind == GROUP_HEX8 || g.kind == GROUP_SHORT)) {
            return g.at;
        }
    }
    return NULL;
}

/* Return a hash of the letters of [at, end), without hex numbers; 0: there is no letter beyond f. */
static uint32_t hash_letters(const char *at, const char *end)
{
    uint32_t hash = 2166136261u;
    bool letter = false;
    for (; at < end; at++) {
        const char c = (char)(*at | 0x20);
        if (c >= 'a' && c <= 'z') {
            letter = letter || (c > 'f' && c != 'x');
            hash = (hash ^ (uint8_t)c) * 16777619u;
        }
    }
    return letter ? hash | 1 : 0;
}

/* Return true if the text after the words of a line is prose: a letter beyond f that no comment begins. */
static bool has_tail(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '/' || *at == '#' || *at == ';') {
            return false;
        }
        if (*at >= '0' && *at <= '9') { /* a number with its suffix */
            while (at + 1 < end && is_name(at[1])) {
                at++;
            }
            continue;
        }
        const char c = (char)(*at | 0x20);
        if (c > 'f' && c <= 'z' && c != 'x') {
            return true;
        }
    }
    return false;
}

/* How the lines of a text with words look. */
typedef struct word_lines {
    size_t lines; /* that are not empty */
    size_t with;  /* that have words */
    size_t prose; /* of these, with text around one or two words */
    size_t named; /* of these, with text before */
    size_t names; /* different texts before, of the first 64 */
    uint32_t seen[64];
} word_lines;

/* Count a line with n words. */
static void count_word_line(word_lines *w, const text_line *line, line_style style, size_t n)
{
    const char *end = line->at + line->len;
    const char *first = first_word(line, style);
    if (n == 0 || first == NULL) {
        return;
    }
    w->with++;
    const uint32_t name = hash_letters(line->at, first);
    if (n > 2 || (name == 0 && !has_tail(first, end))) {
        return;
    }
    w->prose++;
    if (name == 0) {
        return;
    }
    w->named++;
    for (size_t i = 0; i < w->names; i++) {
        if (w->seen[i] == name) {
            return;
        }
    }
    if (w->names < sizeof w->seen / sizeof w->seen[0]) {
        w->seen[w->names++] = name;
    }
}

/* If the words of a text stand in prose, or are values with names, return what they are; NULL: they can
 * be a stream. */
static const char *find_no_words(const text_lines *t)
{
    word_lines w;
    words_reader r;
    stream words;
    memset(&w, 0, sizeof w);
    memset(&r, 0, sizeof r);
    memset(&words, 0, sizeof words);
    if (t->plain) {
        return NULL; /* there is no letter for prose and names */
    }
    r.style = surest_style(t);
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        const line_style style = style_of_line(line->at, end);
        const size_t before = words.len_dw;
        w.lines += line->len != 0;
        if (is_read(r.style, style) && !is_typed(line->at, end) && style != LINE_STORE) {
            (void)words_of_line(&r, line, style, &words);
            count_word_line(&w, line, style, words.len_dw - before);
        } else if (style == LINE_STORE) {
            w.with++;
        }
    }
    release(words.dw);
    if (w.named * 2 > w.with && w.names * 2 > (w.named < 64 ? w.named : 64)) {
        return "the hex numbers have a name each, as registers do, and are no words; expected rows of "
               "words (--input hex reads them all the same)";
    }
    if (w.with != 0 && w.with * 2 < w.lines && w.prose * 2 > w.with) {
        return "hex numbers stand in prose, not in rows; expected rows of words (--input hex reads "
               "them all the same)";
    }
    return NULL;
}

/* Words without 0x can be numbers, or bytes in memory order. */
static bool words_are_open(const text_lines *t)
{
    const line_style style = surest_style(t);
    return style == LINE_BARE || style == LINE_LABEL;
}

/* Report a text without words. Return the exit status. */
static int no_word(const char *name, size_t len)
{
    fprintf(stderr,
            "gpucmd-dump: %s: no word in 0x%zx bytes of text: expected groups of eight hex "
            "digits such as 0x20018000, or a format of gpucmd-dump formats --help; --input raw "
            "reads the bytes themselves\n",
            name, len);
    return EXIT_USAGE;
}

#endif

/* array.h - arrays of C, Python, Rust and JSON, and strings of bytes, for gpucmd-dump.c. */
#ifndef DUMP_ARRAY_H
#define DUMP_ARRAY_H

#include "base.h"
#include "bytes.h"
#include "lines.h"
#include "memory.h"
#include "shape.h"
#include "stream.h"

enum {
    ARRAY_LEAST = 4,          /* numbers that make a bracket an array */
    ARRAY_DEPTH = 64,         /* brackets inside brackets */
    ARRAY_BYTES = 16 << 20,   /* of a text with arrays or strings */
    ARRAY_ELEMENTS = 1 << 20, /* of all arrays */
};

/* One element: a number, or something that is none. */
typedef struct element {
    uint64_t value;
    uint32_t line; /* at most ARRAY_BYTES */
    bool number;
    bool two_digits; /* written as 0x and two digits */
} element;

/* The numbers of one bracket. */
typedef struct array {
    element *elements;
    size_t count;
    size_t numbers; /* of the elements */
    size_t cap;
    size_t start; /* of the bracket in the text */
    bool cut;     /* an ellipsis ends it */
    bool hex;     /* its numbers are in hex, without 0x */
    bool closed;
    char open;
} array;

/* A line of numbers with 0x, at most eight digits each, and commas: others have its shape, too. */
typedef struct number_row {
    line_shape shape;
    size_t count;
    uint8_t at[SHAPE_BYTES / 4]; /* first digits */
    uint8_t digits[SHAPE_BYTES / 4];
} number_row;

/* A text being searched for arrays. */
typedef struct array_reader {
    dump *d;
    const char *text;
    size_t len;
    size_t at;
    size_t line;
    array stack[ARRAY_DEPTH];
    size_t depth;
    array *found;
    size_t found_count;
    size_t elements; /* read so far */
    size_t others;   /* arrays that were not kept */
    bool all;        /* keep all arrays, otherwise the longest */
    bool json;       /* the text begins with a bracket or brace, and has no declaration */
    bool after_key;  /* the last token was ':' after a key */
    bool word_key;   /* and the key was "word" */
    number_row row;  /* the last line of numbers */
} array_reader;

/* Return the number of line ends after line i; empty lines are not in the list. */
static size_t line_ends(const text_lines *t, size_t i)
{
    if (i + 1 < t->count && t->lines[i + 1].number > t->lines[i].number) {
        return t->lines[i + 1].number - t->lines[i].number;
    }
    return 1;
}

/* Join the lines, at most ARRAY_BYTES. The caller releases the text. */
static char *join_lines(dump *d, const text_lines *t, size_t *len)
{
    size_t total = 0;
    size_t count = 0;
    char *joined;
    for (; count < t->count && total + t->lines[count].len < ARRAY_BYTES; count++) {
        total += t->lines[count].len + line_ends(t, count);
    }
    if (count < t->count) {
        damaged(d, t->lines[count].number,
                "more than %d MiB of numbers in brackets; the rest is skipped", ARRAY_BYTES >> 20);
    }
    joined = resize(NULL, total + 1, 1);
    *len = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(joined + *len, t->lines[i].at, t->lines[i].len);
        *len += t->lines[i].len;
        const size_t ends = line_ends(t, i);
        memset(joined + *len, '\n', ends);
        *len += ends;
    }
    return joined;
}

static void add_element(array_reader *r, array *a, uint64_t value, bool number, bool two_digits,
                        size_t line)
{
    if (r->elements == ARRAY_ELEMENTS) {
        return;
    }
    if (++r->elements == ARRAY_ELEMENTS) {
        damaged(r->d, line, "more than %d numbers in brackets; the rest is skipped",
                ARRAY_ELEMENTS);
    }
    if (a->count == a->cap) {
        if (a->cap != 0) {
            a->cap = 2 * a->cap;
        } else {
            a->cap = 8;
        }
        a->elements = resize(a->elements, a->cap, sizeof *a->elements);
    }
    const element e = {value, (uint32_t)lesser(line, UINT32_MAX), number, two_digits};
    a->elements[a->count++] = e;
    a->numbers += number;
}

/* Skip a comment. Return true if there was one. */
static bool skip_comment(array_reader *r)
{
    const char *p = r->text + r->at;
    const size_t left = r->len - r->at;
    const char *end = NULL;
    if (*p == '#' || (left > 1 && p[0] == '/' && p[1] == '/')) {
        end = memchr(p, '\n', left);
        if (end != NULL) {
            r->at = (size_t)(end - r->text);
        } else {
            r->at = r->len;
        }
        return true;
    }
    if (left > 1 && p[0] == '/' && p[1] == '*') {
        for (r->at += 2; r->at < r->len; r->at++) {
            r->line += r->text[r->at] == '\n';
            if (r->text[r->at] == '/' && r->text[r->at - 1] == '*') {
                r->at++;
                break;
            }
        }
        return true;
    }
    return false;
}

/* Return true if the bracket at p has numbers in hex without 0x, as Go and Rust print slices: four or
 * more groups of one to eight digits, and one of them has a letter or a leading 0. shown: it need not,
 * and no group may be longer. */
static bool is_hex_list(const char *p, const char *end, bool shown)
{
    size_t groups = 0;
    if (*p != '[') {
        return false;
    }
    for (p++; p < end && *p != ']';) {
        const char *from = p;
        bool letter = false;
        while (p < end && hex_digit(*p) < 16) {
            letter = letter || hex_digit(*p) >= 10;
            p++;
        }
        if (p == from && !is_space(*p) && *p != ',' && *p != '\n') {
            return false;
        }
        if (p == from) {
            p++;
            continue;
        }
        if (p - from > 8 || (p < end && is_name(*p))) {
            return false;
        }
        groups++;
        shown = shown || letter || (*from == '0' && p - from > 1);
    }
    return p < end && shown && groups >= ARRAY_LEAST;
}

/* Take a number with separators and a suffix. hex: it has no 0x. *two_digits: it has two digits in
 * hex. */
static bool take_literal(array_reader *r, bool hex, uint64_t *value, bool *two_digits)
{
    const char *p = r->text + r->at;
    const char *end = r->text + r->len;
    const bool negative = *p == '-';
    unsigned radix = 10;
    size_t digits = 0;
    bool too_long = false;
    *value = 0;
    p += negative;
    if (hex) {
        radix = 16;
    } else if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        radix = 16;
        p += 2;
    } else if (end - p > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') && p[2] >= '0' &&
               p[2] <= '1') {
        radix = 2;
        p += 2;
    } else if (end - p > 1 && p[0] == '0' && p[1] >= '0' && p[1] <= '7' && !r->json) {
        radix = 8;
    }
    for (; p < end; p++) {
        if (digits != 0 && (*p == '_' || *p == '\'') && p + 1 < end && hex_digit(p[1]) < radix) {
            continue;
        }
        if (hex_digit(*p) >= radix) {
            break;
        }
        too_long = too_long || (*value >> 59 != 0 && *value > (UINT64_MAX - hex_digit(*p)) / radix);
        *value = *value * radix + hex_digit(*p);
        digits++;
    }
    const char *suffix = p;
    while (p < end && is_name(*p) && p - suffix < 6) {
        p++;
    }
    const bool fraction = p < end && *p == '.' && (end - p < 3 || memcmp(p, "...", 3) != 0);
    if (digits == 0 || too_long || fraction || (p < end && is_name(*p))) {
        return false;
    }
    *value = negative ? (uint32_t)(0 - *value) : *value;
    *two_digits = radix == 16 && digits == 2;
    r->at = (size_t)(p - r->text);
    return true;
}

/* Repeat the last element, for gdb's <repeats N times>; N counts the one that is written. */
static bool take_repeats(array_reader *r, array *top)
{
    const char *p = r->text + r->at;
    const char *end = r->text + r->len;
    const size_t n = match(p, end, "<repeats % times>");
    uint64_t times = 0;
    if (n == 0 || top->count == 0) {
        return false;
    }
    for (p += 9; *p >= '0' && *p <= '9'; p++) {
        if (times < STREAM_LIMIT_DW) {
            times = times * 10 + (uint64_t)(*p - '0');
        }
    }
    if (times > STREAM_LIMIT_DW - top->count % STREAM_LIMIT_DW) {
        damaged(r->d, r->line, "an element is repeated %" PRIu64 " times; expected fewer", times);
        times = 1;
    }
    const element last = top->elements[top->count - 1];
    for (; times > 1 && r->elements < ARRAY_ELEMENTS; times--) {
        add_element(r, top, last.value, last.number, last.two_digits, r->line);
    }
    r->at += n;
    return true;
}

/* Take a quoted text: a number in quotes is an element, a text before ':' is a key. */
static void take_quoted(array_reader *r)
{
    const char quote = r->text[r->at++];
    const size_t from = r->at;
    array *top = NULL;
    if (r->depth != 0) {
        top = &r->stack[r->depth - 1];
    }
    uint64_t value;
    bool two_digits;
    while (r->at < r->len && r->text[r->at] != quote && r->text[r->at] != '\n') {
        r->at += r->text[r->at] == '\\' ? 2 : 1;
    }
    const size_t to = lesser(r->at, r->len);
    const size_t next = lesser(to + 1, r->len);
    r->word_key = to - from == 4 && memcmp(r->text + from, "word", 4) == 0;
    r->at = from;
    if (to != from && (hex_digit(r->text[from]) < 10 || r->text[from] == '-') &&
        take_literal(r, false, &value, &two_digits) && r->at == to && top != NULL &&
        !r->after_key && (next == r->len || r->text[next] != ':')) {
        add_element(r, top, value, true, two_digits, r->line);
    }
    r->at = next;
}

static void drop_array(array *a)
{
    release(a->elements);
    memset(a, 0, sizeof *a);
}

/* Close the innermost bracket, and keep its numbers if there are enough. */
static void close_bracket(array_reader *r, bool closed)
{
    array *top = &r->stack[--r->depth];
    array *last = NULL;
    if (r->found_count != 0) {
        last = &r->found[r->found_count - 1];
    }
    top->closed = closed;
    if (top->count < ARRAY_LEAST || (r->all && r->found_count == SECTIONS)) {
        drop_array(top);
    } else if (r->all || last == NULL) {
        r->found = resize(r->found, r->found_count + 1, sizeof *r->found);
        r->found[r->found_count++] = *top;
    } else {
        r->others++;
        if (top->numbers > last->numbers) {
            const array shorter = *last;
            *last = *top;
            *top = shorter;
        }
        drop_array(top);
    }
}

/* Take one token of the text. */
static void take_token(array_reader *r)
{
    const char c = r->text[r->at];
    array *top = NULL;
    if (r->depth != 0) {
        top = &r->stack[r->depth - 1];
    }
    uint64_t value;
    bool two_digits;
    const bool after_key = r->after_key;
    if (c == '{' || c == '[' || c == '(') {
        if (r->depth < ARRAY_DEPTH) {
            memset(&r->stack[r->depth], 0, sizeof r->stack[0]);
            r->stack[r->depth].open = c;
            r->stack[r->depth].hex = is_hex_list(r->text + r->at, r->text + r->len, r->d->turned);
            r->stack[r->depth++].start = r->at;
        }
        r->after_key = false;
        r->at++;
    } else if (c == '}' || c == ']' || c == ')') {
        if (top != NULL) {
            close_bracket(r, true);
        }
        r->after_key = false;
        r->at++;
    } else if (c == '"' || c == '\'') {
        take_quoted(r);
        r->after_key = false;
    } else if (top != NULL &&
               ((c >= '0' && c <= '9') || c == '-' || (top->hex && hex_digit(c) < 16)) &&
               take_literal(r, top->hex, &value, &two_digits)) {
        array *to = top;
        if (after_key && r->word_key && r->depth > 1) {
            to = top - 1;
        } else if (after_key) {
            to = NULL;
        }
        if (to != NULL) {
            add_element(r, to, value, true, two_digits, r->line);
        }
        r->after_key = false;
    } else if (top != NULL && c == '<' && take_repeats(r, top)) {
        r->after_key = false;
    } else if (top != NULL && r->len - r->at >= 3 &&
               (memcmp(r->text + r->at, "...", 3) == 0 ||
                memcmp(r->text + r->at, "\xe2\x80\xa6", 3) == 0)) {
        top->cut = true;
        r->at += 3;
    } else if (is_name(c)) {
        while (r->at < r->len && (is_name(r->text[r->at]) || r->text[r->at] == '.')) {
            r->at++;
        }
        if (top != NULL && !after_key && top->open != '(') {
            add_element(r, top, 0, false, false, r->line);
        }
        r->after_key = false;
    } else {
        r->line += c == '\n';
        r->after_key = c == ':' || (r->after_key && (is_space(c) || c == '\n'));
        r->at++;
    }
}

/* Learn the line from at. Without a shape it has something else than numbers and commas. */
static void learn_numbers(number_row *row, const char *at, const char *end)
{
    const char *p = at;
    row->shape.len = row->count = 0;
    while (p < end && *p != '\n') {
        size_t n = 0;
        if (is_space(*p) || *p == ',') {
            p++;
            continue;
        }
        if (end - p < 3 || p[0] != '0' || p[1] != 'x' || p - at > SHAPE_BYTES - 4) {
            return;
        }
        p += 2;
        while (p + n < end && hex_digit(p[n]) < 16) {
            n++;
        }
        if (n == 0 || n > 8 || (p + n < end && strchr(" \t,\n", p[n]) == NULL)) {
            return;
        }
        row->at[row->count] = (uint8_t)(p - at);
        row->digits[row->count++] = (uint8_t)n;
        p += n;
    }
    if (row->count != 0) {
        learn_shape(&row->shape, at, (size_t)(p - at));
    }
}

/* If the line that begins here has numbers and commas alone, take its numbers and return true. */
static bool take_numbers(array_reader *r)
{
    const char *at = r->text + r->at;
    const char *end = r->text + r->len;
    number_row *row = &r->row;
    if (r->depth == 0 || r->stack[r->depth - 1].hex || r->after_key) {
        return false;
    }
    array *top = &r->stack[r->depth - 1];
    const size_t left = (size_t)(end - at);
    if (row->shape.len > left || (row->shape.len < left && at[row->shape.len] != '\n') ||
        !has_shape(&row->shape, at)) {
        learn_numbers(row, at, end);
    }
    if (row->shape.len == 0) {
        return false;
    }
    for (size_t i = 0; i < row->count; i++) {
        const char *digits = at + row->at[i];
        uint32_t value = 0;
        if (row->digits[i] == 8) {
            value = word_of_digits(digits);
        } else {
            for (size_t k = 0; k < row->digits[i]; k++) {
                value = value << 4 | hex_digit(digits[k]);
            }
        }
        add_element(r, top, value, true, row->digits[i] == 2, r->line);
    }
    r->at += row->shape.len;
    return true;
}

/* Find all arrays of the text. */
static void find_arrays(array_reader *r)
{
    while (r->at < r->len) {
        const bool begins = r->at != 0 && r->text[r->at - 1] == '\n';
        if (begins && take_numbers(r)) {
            continue;
        }
        if (!skip_comment(r)) {
            take_token(r);
        }
    }
    while (r->depth != 0) {
        close_bracket(r, false);
    }
}

/* Return true if the text before the array, back to the statement before, has one of the words. */
static bool declared(const array_reader *r, const array *a, const char *words)
{
    size_t from = a->start;
    int depth = 0;
    while (from != 0 && a->start - from < 160 &&
           (depth != 0 || strchr(";}", r->text[from - 1]) == NULL)) {
        from--;
        if (r->text[from] == ']') {
            depth++;
        } else if (r->text[from] == '[' && depth != 0) {
            depth--;
        }
    }
    while (*words != '\0') {
        const size_t n = strcspn(words, "|");
        for (size_t i = from; i + n <= a->start; i++) {
            if (memcmp(r->text + i, words, n) == 0 && (i == from || !is_name(r->text[i - 1])) &&
                !is_name(r->text[i + n])) {
                return true;
            }
        }
        words += n + (words[n] == '|');
    }
    return false;
}

/* Return the bytes of an element: by the declaration, otherwise by the numbers. */
static size_t element_bytes(const array_reader *r, const array *a)
{
    const size_t n = a->numbers;
    uint64_t most = 0;
    bool two_digits = true;
    for (size_t i = 0; i < a->count; i++) {
        if (a->elements[i].value > most) {
            most = a->elements[i].value;
        }
        two_digits = two_digits && (!a->elements[i].number || a->elements[i].two_digits);
    }
    if (declared(r, a, "uint64_t|u64|__u64|Q|int64_t") || most > UINT32_MAX) {
        return 8;
    }
    if (most <= 0xff &&
        (declared(r, a, "uint8_t|unsigned char|char|u8|__u8|byte|bytes|bytearray") || two_digits)) {
        return 1;
    }
    if (most <= 0xffff && declared(r, a, "uint16_t|unsigned short|u16|__u16|int16_t")) {
        return 2;
    }
    if (declared(r, a, "uint32_t|unsigned|int|u32|__u32|int32_t")) {
        return 4;
    }
    if (most <= 0xff && n >= 16) {
        return 1;
    }
    return 4;
}

/* Make a stream of an array. */
static void add_array(array_reader *r, const array *a)
{
    const size_t size = element_bytes(r, a);
    stream *s = add_stream(r->d, NULL, a->elements[0].line);
    for (size_t i = 0; i < a->count; i++) {
        const element *e = &a->elements[i];
        if (!e->number) {
            damaged(r->d, e->line, "a name in place of a number; expected a number");
        }
        if (size == 4 && e->number) {
            add_dw(s, (uint32_t)e->value);
        } else if (size == 4) {
            (void)add_unknown(r->d, s, 1);
        }
        for (size_t k = 0; size != 4 && k < size; k++) {
            add_byte(s, (uint8_t)(e->value >> (8 * k)), r->d->endian);
        }
    }
    if (a->cut || !a->closed) {
        damaged(r->d, a->elements[a->count - 1].line,
                "the array is cut%s; expected all elements (gdb: set print elements 0)",
                a->cut ? " by an ellipsis" : "");
    }
    if (size == 1 && strcmp(r->d->format, "c-array") == 0) {
        r->d->format = "c-array-bytes";
    }
}

/* Return the escape at p, and its length in *n. */
static uint8_t take_escape(const char *p, const char *end, size_t *n)
{
    static const char names[] = "\\'\"ntrabfv";
    static const char values[] = "\\'\"\n\t\r\a\b\f\v";
    *n = 1;
    if (*p != '\\' || end - p < 2) {
        return (uint8_t)*p;
    }
    if (p[1] == 'x' && end - p >= 4 && hex_digit(p[2]) < 16 && hex_digit(p[3]) < 16) {
        *n = 4;
        return (uint8_t)(hex_digit(p[2]) << 4 | hex_digit(p[3]));
    }
    if (p[1] >= '0' && p[1] <= '7') {
        unsigned value = 0;
        for (*n = 1; *n < 4 && p + *n < end && p[*n] >= '0' && p[*n] <= '7'; ++*n) {
            value = value << 3 | (unsigned)(p[*n] - '0');
        }
        return (uint8_t)value;
    }
    const char *found = strchr(names, p[1]);
    *n = 2;
    if (found != NULL && p[1] != '\0') {
        return (uint8_t)values[found - names];
    }
    return (uint8_t)p[1];
}

/* Find a string with escapes in hex or octal. Return its quote, or NULL. */
static const char *find_escaped(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            size_t escapes = 0;
            const char *p = at + 1;
            while (p < end && *p != quote && *p != '\n') {
                escapes +=
                    *p == '\\' && end - p > 3 && (p[1] == 'x' || (p[1] >= '0' && p[1] <= '7'));
                p += *p == '\\' ? 2 : 1;
            }
            if (escapes >= 3) {
                return at;
            }
            if (p < end) {
                at = p;
            } else {
                at = end - 1;
            }
        }
    }
    return NULL;
}

/* Read strings of bytes such as b'\x06\x00'; several are one stream. */
static void read_escaped(void *state, dump *d, const text_lines *t)
{
    size_t len;
    (void)state;
    char *joined = join_lines(d, t, &len);
    const char *end = joined + len;
    const char *at = find_escaped(joined, end);
    stream *s = add_stream(d, NULL, 1);
    bool closed = true;
    for (; at != NULL; at = find_escaped(at, end)) {
        const char quote = *at++;
        while (at < end && *at != quote) {
            size_t n;
            add_byte(s, take_escape(at, end, &n), d->endian);
            at += n;
        }
        closed = at < end;
        at += closed;
        if (end - at >= 3 && memcmp(at, "...", 3) == 0) {
            damaged(d, 0, "the string is cut by an ellipsis; expected all bytes (strace -s)");
        }
    }
    if (!closed) {
        damaged(d, t->count != 0 ? t->lines[t->count - 1].number : 0,
                "the string has no end; expected a quote");
    }
    release(joined);
}

/* Begin to search a text for arrays. */
static void begin_arrays(array_reader *r, dump *d, const text_lines *t, char **text)
{
    memset(r, 0, sizeof *r);
    r->d = d;
    r->text = *text = join_lines(d, t, &r->len);
    if (t->count != 0) {
        r->line = t->lines[0].number;
    } else {
        r->line = 1;
    }
}

static void end_arrays(array_reader *r, char *text)
{
    for (size_t i = 0; i < r->found_count; i++) {
        release(r->found[i].elements);
    }
    release(r->found);
    release(text);
}

/* Return true for a line of a program or of data: a statement, a comment, brackets. */
static bool is_code(const text_line *line)
{
    const char last = line->len != 0 ? line->at[line->len - 1] : ';';
    size_t i = 0;
    while (i < line->len && is_space(line->at[i])) {
        i++;
    }
    return i == line->len || strchr("#/*{}[]()", line->at[i]) != NULL ||
           strchr(";,{}[]():\\", last) != NULL;
}

/* Report lines beside the array, if they are more than those that it has. */
static void report_prose(dump *d, const array_reader *r, const text_lines *t)
{
    size_t used = 0;
    size_t others = 0;
    size_t first = 0;
    for (size_t i = 0; i < t->count; i++) {
        const size_t number = t->lines[i].number;
        bool inside = false;
        for (size_t k = 0; k < r->found_count && !inside; k++) {
            const array *a = &r->found[k];
            inside = number >= a->elements[0].line && number <= a->elements[a->count - 1].line;
        }
        used += inside;
        if (!inside && !is_code(&t->lines[i]) && others++ == 0) {
            first = number;
        }
    }
    if (others > used && r->found_count != 0) {
        note(d, "%zu line%s without words; the first: line %zu", others, plural(others), first);
        d->doubtful = true;
    }
}

/* Read the arrays of a text: of JSON all, otherwise the longest. */
static void read_array(void *state, dump *d, const text_lines *t)
{
    array_reader r;
    char *text;
    (void)state;
    begin_arrays(&r, d, t, &text);
    r.json = strcmp(d->format, "json-array") == 0 || strcmp(d->format, "python-list") == 0;
    r.all = strcmp(d->format, "json-array") == 0;
    find_arrays(&r);
    for (size_t i = 0; i < r.found_count; i++) {
        add_array(&r, &r.found[i]);
    }
    report_prose(d, &r, t);
    if (r.others != 0) {
        note(d, "%zu arrays: the longest, of %zu numbers, is decoded", r.others + 1,
             r.found[0].numbers);
    }
    end_arrays(&r, text);
}

/* Return the name of the format if the text has an array or a string of bytes, otherwise NULL. */
static const char *recognise_array(dump *d, const text_lines *t)
{
    array_reader r;
    char *text;
    const char *name = "c-array";
    const bool quiet = dump_quiet;
    const size_t damage = d->damage;
    dump_quiet = true;
    begin_arrays(&r, d, t, &text);
    find_arrays(&r);
    d->damage = damage;
    dump_quiet = quiet;
    const array *a = NULL;
    if (r.found_count != 0) {
        a = &r.found[0];
    }
    size_t numbers = 0;
    if (a != NULL) {
        numbers = a->numbers;
    }
    if (a == NULL || numbers < ARRAY_LEAST || numbers * 2 <= a->count) {
        numbers = 0;
    } else {
        if (declared(&r, a, "u8|u16|u32|u64|vec")) {
            name = "rust-array";
        } else if (a->hex) {
            name = "hex-list";
        } else if (a->open == '[') {
            name = "python-list";
        } else {
            name = "c-array";
        }
    }
    const char *end = r.text + r.len;
    if (find_escaped(r.text, end) != NULL && numbers == 0) {
        name = "python-bytes";
        numbers = ARRAY_LEAST;
    } else if (r.len != 0 && r.text[0] == '$' && numbers != 0) {
        name = "gdb-print";
    } else if (strcmp(name, "python-list") == 0 && memchr(r.text, '{', r.len) != NULL &&
               memchr(r.text, '"', r.len) != NULL) {
        name = "json-array";
    } else if (strcmp(name, "c-array") == 0) {
        for (const char *p = r.text; p + 5 < end && numbers != 0; p++) {
            if (memcmp(p, "_len ", 5) == 0) {
                name = "xxd-i";
            }
        }
    }
    end_arrays(&r, text);
    if (numbers >= ARRAY_LEAST) {
        return name;
    }
    return NULL;
}

/* If the numbers in brackets are few and small, so that they are no words, return that; otherwise NULL. */
static const char *find_no_array(dump *d, const text_lines *t)
{
    array_reader r;
    char *text;
    const bool quiet = dump_quiet;
    const size_t damage = d->damage;
    bool plausible = false;
    dump_quiet = true;
    begin_arrays(&r, d, t, &text);
    find_arrays(&r);
    d->damage = damage;
    dump_quiet = quiet;
    for (size_t i = 0; i < r.found_count; i++) {
        const array *a = &r.found[i];
        plausible = plausible || a->count >= 16 || a->hex ||
                    declared(&r, a,
                             "uint8_t|uint16_t|uint32_t|uint64_t|unsigned|int|char|u8|u16|u32|"
                             "u64|__u8|__u32|__u64|byte|bytes|bytearray|vec|batch|words");
        for (size_t k = 0; k < a->count && !plausible; k++) {
            plausible = a->elements[k].value > 0xffff || a->elements[k].two_digits;
        }
    }
    end_arrays(&r, text);
    return plausible
               ? NULL
               : "the numbers in brackets are few and small, and no words; expected an array of "
                 "words or bytes";
}

/* Return true if a line has numbers in brackets that can be decimal or hex: more than two digits, no
 * letter, no leading 0. */
static bool array_is_open(const text_lines *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const char *end = t->lines[i].at + t->lines[i].len;
        for (const char *p = t->lines[i].at; p < end; p++) {
            if (is_hex_list(p, end, true) && !is_hex_list(p, end, false)) {
                return true;
            }
        }
    }
    return false;
}

#endif

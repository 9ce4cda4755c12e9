/* dump_array.h - arrays of C, Python, Rust and JSON, and strings of bytes, for gpucmd-dump.c. */
#ifndef DUMP_ARRAY_H
#define DUMP_ARRAY_H

enum {
    ARRAY_LEAST = 4,          /* numbers that make a bracket an array */
    ARRAY_DEPTH = 64,         /* brackets inside brackets */
    ARRAY_BYTES = 16 << 20,   /* of a text with arrays or strings */
    ARRAY_ELEMENTS = 1 << 20, /* of all arrays */
};

/* One element: a number, or something that is none. */
typedef struct element {
    uint64_t value;
    bool number;
    bool two_digits; /* written as 0x and two digits */
    size_t line;
} element;

/* The numbers of one bracket. */
typedef struct array {
    element *elements;
    size_t count;
    size_t numbers; /* of the elements */
    size_t cap;
    size_t start; /* of the bracket in the text */
    bool cut;     /* an ellipsis ends it */
    bool closed;
    char open;
} array;

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
} array_reader;

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Return the number of line ends after line i; empty lines are not in the list. */
static size_t line_ends(const text_lines *t, size_t i)
{
    return i + 1 < t->count && t->lines[i + 1].number > t->lines[i].number
               ? t->lines[i + 1].number - t->lines[i].number
               : 1;
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
        a->cap = a->cap != 0 ? 2 * a->cap : 8;
        a->elements = resize(a->elements, a->cap, sizeof *a->elements);
    }
    const element e = {value, number, two_digits, line};
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
        r->at = end != NULL ? (size_t)(end - r->text) : r->len;
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

/* Take a number with separators and a suffix. *two_digits: 0x and two digits. */
static bool take_literal(array_reader *r, uint64_t *value, bool *two_digits)
{
    const char *p = r->text + r->at;
    const char *end = r->text + r->len;
    const bool negative = *p == '-';
    unsigned radix = 10;
    size_t digits = 0;
    bool too_long = false;
    *value = 0;
    p += negative;
    if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
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
        too_long = too_long || *value > (UINT64_MAX - hex_digit(*p)) / radix;
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
        times = times < STREAM_LIMIT_DW ? times * 10 + (uint64_t)(*p - '0') : times;
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
    array *top = r->depth != 0 ? &r->stack[r->depth - 1] : NULL;
    uint64_t value;
    bool two_digits;
    while (r->at < r->len && r->text[r->at] != quote && r->text[r->at] != '\n') {
        r->at += r->text[r->at] == '\\' ? 2 : 1;
    }
    const size_t to = r->at < r->len ? r->at : r->len;
    const size_t next = to + 1 < r->len ? to + 1 : r->len;
    r->word_key = to - from == 4 && memcmp(r->text + from, "word", 4) == 0;
    r->at = from;
    if (to != from && (hex_digit(r->text[from]) < 10 || r->text[from] == '-') &&
        take_literal(r, &value, &two_digits) && r->at == to && top != NULL && !r->after_key &&
        (next == r->len || r->text[next] != ':')) {
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
    array *last = r->found_count != 0 ? &r->found[r->found_count - 1] : NULL;
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
    array *top = r->depth != 0 ? &r->stack[r->depth - 1] : NULL;
    uint64_t value;
    bool two_digits;
    const bool after_key = r->after_key;
    if (c == '{' || c == '[' || c == '(') {
        if (r->depth < ARRAY_DEPTH) {
            memset(&r->stack[r->depth], 0, sizeof r->stack[0]);
            r->stack[r->depth].open = c;
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
    } else if (top != NULL && ((c >= '0' && c <= '9') || c == '-') &&
               take_literal(r, &value, &two_digits)) {
        array *to = after_key && r->word_key && r->depth > 1 ? top - 1 : after_key ? NULL : top;
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
        r->after_key = c == ':' ? true : r->after_key && (is_space(c) || c == '\n');
        r->at++;
    }
}

/* Find all arrays of the text. */
static void find_arrays(array_reader *r)
{
    while (r->at < r->len) {
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
        depth += r->text[from] == ']' ? 1 : r->text[from] == '[' && depth != 0 ? -1 : 0;
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
        most = a->elements[i].value > most ? a->elements[i].value : most;
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
    return most <= 0xff && n >= 16 ? 1 : 4;
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
    r->d->format =
        size == 1 && strcmp(r->d->format, "c-array") == 0 ? "c-array-bytes" : r->d->format;
}

/* Return the escape at p, and its length in *n. */
static uint8_t take_escape(const char *p, const char *end, size_t *n)
{
    static const char names[] = "\\'\"ntrabfv0";
    static const char values[] = "\\'\"\n\t\r\a\b\f\v\0";
    *n = 1;
    if (*p != '\\' || end - p < 2) {
        return (uint8_t)*p;
    }
    if (p[1] == 'x' && end - p >= 4 && hex_digit(p[2]) < 16 && hex_digit(p[3]) < 16) {
        *n = 4;
        return (uint8_t)(hex_digit(p[2]) << 4 | hex_digit(p[3]));
    }
    const char *found = strchr(names, p[1]);
    *n = 2;
    return found != NULL && p[1] != '\0' ? (uint8_t)values[found - names] : (uint8_t)p[1];
}

/* Find a string with escapes in hex. Return its quote, or NULL. */
static const char *find_escaped(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            size_t escapes = 0;
            const char *p = at + 1;
            while (p < end && *p != quote && *p != '\n') {
                escapes += *p == '\\' && end - p > 3 && p[1] == 'x';
                p += *p == '\\' ? 2 : 1;
            }
            if (escapes >= 3) {
                return at;
            }
            at = p < end ? p : end - 1;
        }
    }
    return NULL;
}

/* Read strings of bytes such as b'\x06\x00'; several are one stream. */
static void read_escaped(dump *d, const text_lines *t)
{
    size_t len;
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
    r->line = t->count != 0 ? t->lines[0].number : 1;
}

static void end_arrays(array_reader *r, char *text)
{
    for (size_t i = 0; i < r->found_count; i++) {
        release(r->found[i].elements);
    }
    release(r->found);
    release(text);
}

/* Read the arrays of a text: of JSON all, otherwise the longest. */
static void read_array(dump *d, const text_lines *t)
{
    array_reader r;
    char *text;
    begin_arrays(&r, d, t, &text);
    r.json = strcmp(d->format, "json-array") == 0 || strcmp(d->format, "python-list") == 0;
    r.all = strcmp(d->format, "json-array") == 0;
    find_arrays(&r);
    for (size_t i = 0; i < r.found_count; i++) {
        add_array(&r, &r.found[i]);
    }
    if (r.others != 0) {
        note(d, "%zu arrays: the longest, of %zu numbers, is decoded", r.others + 1,
             r.found[0].numbers);
    }
    end_arrays(&r, text);
}

/* Return the name of the format if the text has an array, otherwise NULL. */
static const char *find_array(dump *d, const text_lines *t)
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
    const array *a = r.found_count != 0 ? &r.found[0] : NULL;
    size_t numbers = a != NULL ? a->numbers : 0;
    if (a == NULL || numbers < ARRAY_LEAST || numbers * 2 <= a->count) {
        numbers = 0;
    } else {
        name = declared(&r, a, "u8|u16|u32|u64|vec") ? "rust-array"
               : a->open == '['                      ? "python-list"
                                                     : "c-array";
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
            name = memcmp(p, "_len ", 5) == 0 ? "xxd-i" : name;
        }
    }
    end_arrays(&r, text);
    return numbers >= ARRAY_LEAST ? name : NULL;
}

#endif

/* hex.h - what xxd, hexdump, od and gdb print, for gpucmd-dump.c. */
#ifndef DUMP_HEX_H
#define DUMP_HEX_H

#include "base.h"
#include "bytes.h"
#include "lines.h"
#include "shape.h"
#include "stream.h"
#include "words.h"

enum { HEX_GROUPS = 1024 };

/* How a line gives its address. */
typedef enum hex_style {
    HEX_NONE,
    HEX_PLAIN, /* groups alone */
    HEX_COLON, /* "00000010: ", xxd */
    HEX_BLANK, /* "0000010 ", hexdump and od */
    HEX_GDB,   /* "0x404020 <batch+16>:" and groups with 0x */
    HEX_STYLES,
} hex_style;

/* One line of a dump. */
typedef struct hex_row {
    hex_style style;
    const char *address;
    size_t address_len;
    const char *group[HEX_GROUPS];
    size_t len[HEX_GROUPS]; /* digits */
    size_t groups;
    const char *chars; /* after the groups, or NULL */
    size_t chars_len;
    bool titled; /* there is text before the address */
} hex_row;

/* A dump being read. */
typedef struct hex_reader {
    dump *d;
    hex_style style;
    size_t digits;                /* of a group */
    unsigned radix;               /* of addresses */
    bool reversed;                /* xxd: groups are little-endian numbers */
    bool octal;                   /* od without an option: groups are octal numbers of 16 bits */
    bool bars;                    /* characters at the right are between bars */
    bool open;                    /* the last stream of d is being read */
    bool star;                    /* the last line was * */
    size_t len;                   /* bytes of the present stream */
    uint8_t last[8 * HEX_GROUPS]; /* bytes of the last line, for * */
    size_t last_len;
    uint64_t base;   /* address of the first row */
    size_t line;     /* of the last line */
    size_t rows;     /* lines of the dump */
    size_t others;   /* lines that are none of the dump */
    size_t other_at; /* the first of them */
    bool broken;     /* the last line was a row with a typing error */
} hex_reader;

/* Return the value of a character that is a hex digit. */
static unsigned hex_value(char c)
{
    return char_class[c & 0x7f] & 15u;
}

static size_t digits_of(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && hex_digit(at[n]) < 16) {
        n++;
    }
    return n;
}

/* Return the length of an address at p, and its digits in *digits: it may have 0x before it, and a back
 * quote in it, as WinDbg prints. */
static size_t address_span(const char *p, const char *end, size_t *digits)
{
    size_t n = 0;
    size_t first;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
        n = 2;
    }
    first = digits_of(p + n, end);
    *digits = first;
    n += first;
    if (first != 0 && p + n < end && p[n] == '`' && digits_of(p + n + 1, end) == 8) {
        n += 9;
        *digits += 8;
    }
    return n;
}

/* Return true if a group with 0x is next. */
static bool has_0x(const char *p, const char *end)
{
    while (p < end && is_space(*p)) {
        p++;
    }
    return end - p > 2 && p[0] == '0' && p[1] == 'x';
}

/* Take an address with a colon at p. Return what follows, or NULL. */
static const char *take_colon(const char *p, const char *end, hex_row *row)
{
    size_t digits;
    const bool prefixed = has_0x(p, end);
    const size_t n = address_span(p, end, &digits);
    const char *after = p + n;
    if (digits < (prefixed ? 1 : 4) || digits > 16) {
        return NULL;
    }
    if (prefixed && end - after > 1 && after[0] == ' ' && after[1] == '<') {
        const char *close = memchr(after, '>', (size_t)(end - after));
        if (close != NULL) {
            after = close + 1;
        }
    }
    if (after == end || *after != ':') {
        return NULL;
    }
    row->address = p + (prefixed ? 2 : 0);
    row->address_len = (size_t)(p + n - row->address);
    row->style = HEX_COLON;
    if (has_0x(after + 1, end)) {
        row->style = HEX_GDB;
    }
    return after + 1;
}

/* Take the address of a line. Return what follows. Blanks before an address with a colon do not
 * count: a line of a log above the dump may begin further to the left. */
static const char *take_address(const text_line *line, hex_row *row)
{
    const char *at = line->at;
    const char *end = at + line->len;
    const char *first = at;
    while (first < end && is_space(*first)) {
        first++;
    }
    const char *rest = take_colon(first, end, row);
    size_t digits;
    if (rest != NULL) {
        return rest;
    }
    const size_t n = address_span(at, end, &digits);
    const bool quoted = n > digits;
    row->address = at;
    row->address_len = n;
    if (!has_0x(at, end) && (digits >= 6 || quoted) && digits <= 16 &&
        (at + n == end || is_space(at[n]))) {
        row->style = HEX_BLANK;
        return at + n;
    }
    return at;
}

/* Take a group of 2 to 16 digits at p, or two of 8 with a back quote between, of which the second is
 * the low one. Return its length, or 0. */
static size_t take_group(const char *p, const char *end, hex_row *row)
{
    const size_t n = digits_of(p, end);
    const bool pair = n == 8 && end - p >= 17 && p[8] == '`' && digits_of(p + 9, end) == 8;
    if (n == 0 || n > 16 || row->groups + pair >= HEX_GROUPS) {
        return 0;
    }
    if (pair) {
        row->group[row->groups] = p + 9;
        row->len[row->groups++] = 8;
    }
    row->group[row->groups] = p;
    row->len[row->groups++] = n;
    return pair ? 17 : n;
}

/* Return the bytes of the groups so far. */
static size_t row_width(const hex_row *row)
{
    size_t n = 0;
    for (size_t i = 0; i < row->groups; i++) {
        n += row->len[i] / 2;
    }
    return n;
}

/* Take the characters at the right of a row: to the end of the line, without bars or stars. */
static void take_chars(const char *at, const char *end, hex_row *row)
{
    const char close = *at == '>' ? '<' : *at;
    const bool paired =
        (*at == '|' || *at == '>' || *at == '*') && end - at > 1 && end[-1] == close;
    const bool framed = paired && (row->style == HEX_BLANK || (size_t)(end - at) > row_width(row));
    row->chars = at + framed;
    row->chars_len = (size_t)(end - row->chars) - framed;
}

/* Return how many of the blanks before the characters of a row are characters: those that miss. */
static size_t leading_blanks(const hex_row *row, size_t chars, size_t blanks)
{
    const size_t n = row_width(row);
    if (n <= chars) {
        return 0;
    }
    return lesser(n - chars, blanks);
}

/* Take the groups from at to the end of the line. Return false if something else is there. */
static bool take_groups(const char *at, const char *end, hex_row *row)
{
    while (at < end) {
        size_t blanks = 0;
        while (at + blanks < end && is_space(at[blanks])) {
            blanks++;
        }
        at += blanks;
        const bool full = row->groups == 16 && row->len[0] == 2;
        const bool wide = blanks > 1 && row->groups != 0;
        if (at == end) {
            break;
        }
        if ((wide && (row->style == HEX_COLON || (full && *at != '|'))) ||
            ((*at == '|' || *at == '>') && row->style == HEX_BLANK)) {
            if (wide && row->style == HEX_COLON) {
                at -= leading_blanks(row, (size_t)(end - at), blanks - 2);
            }
            take_chars(at, end, row);
            return true;
        }
        if (row->style == HEX_GDB) {
            if (end - at < 3 || at[0] != '0' || at[1] != 'x') {
                return false;
            }
            at += 2;
        }
        const size_t n = take_group(at, end, row);
        const bool joined = n == 2 && end - at > 4 && at[2] == '-' && digits_of(at + 3, end) == 2;
        if (n == 0 || (at + n < end && !is_space(at[n]) && !joined)) {
            return false;
        }
        at += n + joined;
    }
    return true;
}

/* Return how many bytes at the end of a row are blanks, in one order of the bytes of a group. */
static size_t last_blanks(const hex_row *row)
{
    size_t most = 0;
    for (int reversed = 0; reversed < 2; reversed++) {
        size_t n = 0;
        bool blank = true;
        for (size_t i = row->groups; i-- != 0 && blank;) {
            for (size_t k = row->len[i] / 2; k-- != 0 && blank;) {
                const char *p = row->group[i] + 2 * (reversed ? row->len[i] / 2 - 1 - k : k);
                blank = p[0] == '2' && p[1] == '0';
                n += blank;
            }
        }
        most = n > most ? n : most;
    }
    return most;
}

/* Return true if all groups but the last have the same digits, the last one has whole bytes, and there
 * is a character for each byte. */
static bool sound_row(const hex_row *row)
{
    size_t digits = 0;
    for (size_t i = 0; i < row->groups; i++) {
        const bool last = i + 1 == row->groups;
        const bool rest = last && row->len[i] < row->len[0] && row->len[i] % 2 == 0;
        if (row->len[i] != row->len[0] && !rest) {
            return false;
        }
        digits += row->len[i];
    }
    if (row->style != HEX_COLON || row->chars == NULL) {
        return true;
    }
    /* Blanks at the end of a line may be lost. */
    return row->chars_len <= digits / 2 && digits / 2 - row->chars_len <= last_blanks(row);
}

/* Read a row after a title: "batch: 00000010: 04 00", as the kernel's print_hex_dump writes with a
 * prefix. The first address with a colon whose rest is a row counts. */
static bool read_titled_row(const text_line *line, hex_row *row)
{
    const char *end = line->at + line->len;
    for (const char *p = line->at + 1; p < end; p++) {
        if (!is_space(p[-1]) || is_space(*p)) {
            continue;
        }
        row->style = HEX_NONE;
        row->groups = 0;
        row->chars = NULL;
        const char *rest = take_colon(p, end, row);
        if (rest != NULL && rest < end && is_space(*rest) && row->address_len >= 4 &&
            take_groups(rest, end, row) && row->groups != 0 && sound_row(row)) {
            row->titled = true;
            return true;
        }
    }
    row->style = HEX_NONE;
    row->groups = 0;
    row->chars = NULL;
    return false;
}

/* Read the bytes at the end of a line after other text: "cmd 04 00 00 7a", as the kernel prints with
 * %*ph, also with a colon or a dash between. Eight or more are a row. */
static bool read_byte_list(const text_line *line, hex_row *row)
{
    const char *end = line->at + line->len;
    const char *from = end;
    size_t n = 0;
    while (from > line->at && is_space(from[-1])) {
        from--;
    }
    while (from > line->at && strchr("\")';, ", from[-1]) != NULL) {
        from--;
    }
    const char *stop = from;
    while (from - line->at >= 3 && hex_digit(from[-1]) < 16 && hex_digit(from[-2]) < 16 &&
           strchr(" \t:-\"'", from[-3]) != NULL && n < HEX_GROUPS) {
        from -= 3;
        n++;
    }
    if (n < 8 || n == HEX_GROUPS || from == line->at) {
        return false;
    }
    row->style = HEX_PLAIN;
    row->groups = 0;
    row->chars = NULL;
    for (from++; from < stop; from += 3) {
        row->group[row->groups] = from;
        row->len[row->groups++] = 2;
    }
    return true;
}

/* The row that was read last, if others can be written like it: one with an address and groups, and at
 * the right a character for each byte, or characters in a frame. Places count from its beginning. */
static struct {
    line_shape shape; /* up to the characters, with the frame's first sign */
    size_t len;
    hex_style style;
    size_t address_at;
    size_t address_len;
    size_t groups;
    uint8_t group_at[SHAPE_BYTES / 2];
    uint8_t group_len[SHAPE_BYTES / 2];
    size_t chars_at; /* 0: none */
    size_t chars_len;
    char close; /* the frame's last sign, or 0 */
} hex_last;

/* Keep a row, which is the whole line. */
static void learn_hex(const text_line *line, const hex_row *row)
{
    const size_t chars = row->chars != NULL ? (size_t)(row->chars - line->at) : 0;
    const bool framed = row->chars != NULL && chars + row->chars_len < line->len;
    hex_last.shape.len = 0;
    if (row->groups == 0 || row->groups > SHAPE_BYTES / 2 || line->len > SHAPE_BYTES ||
        (row->chars != NULL && !framed &&
         (row->style != HEX_COLON || row->chars_len != row_width(row) || is_space(*row->chars) ||
          !is_space(row->chars[-1]) || !is_space(row->chars[-2]))) ||
        (framed && row->style != HEX_BLANK)) {
        return;
    }
    hex_last.len = line->len;
    hex_last.style = row->style;
    hex_last.address_at = (size_t)(row->address - line->at);
    hex_last.address_len = row->address_len;
    hex_last.groups = row->groups;
    for (size_t i = 0; i < row->groups; i++) {
        hex_last.group_at[i] = (uint8_t)(row->group[i] - line->at);
        hex_last.group_len[i] = (uint8_t)row->len[i];
    }
    hex_last.chars_at = chars;
    hex_last.chars_len = row->chars != NULL ? row->chars_len : 0;
    hex_last.close = '\0';
    if (framed) {
        hex_last.close = line->at[line->len - 1];
    }
    learn_shape(&hex_last.shape, line->at, row->chars != NULL ? chars : line->len);
}

/* If the line is written like the row before, read it and return true. */
static bool read_like_last(const text_line *line, hex_row *row)
{
    if (line->len != hex_last.len || !has_shape(&hex_last.shape, line->at)) {
        return false;
    }
    row->chars = NULL;
    if (hex_last.chars_at != 0) {
        const char last = line->at[line->len - 1];
        row->chars = line->at + hex_last.chars_at;
        if (hex_last.close != '\0' ? last != hex_last.close : is_space(*row->chars)) {
            return false;
        }
    }
    row->chars_len = hex_last.chars_len;
    row->titled = false;
    row->style = hex_last.style;
    row->address = line->at + hex_last.address_at;
    row->address_len = hex_last.address_len;
    row->groups = hex_last.groups;
    for (size_t i = 0; i < row->groups; i++) {
        row->group[i] = line->at + hex_last.group_at[i];
        row->len[i] = hex_last.group_len[i];
    }
    return true;
}

/* Read a line as a row. Without an address of another length than the groups it has none. */
static bool read_row(const text_line *line, hex_row *row)
{
    if (read_like_last(line, row)) {
        return true;
    }
    const char *end = line->at + line->len;
    memset(row, 0, offsetof(hex_row, group));
    row->titled = false;
    row->groups = 0;
    row->chars = NULL;
    const char *rest = take_address(line, row);
    if (row->style != HEX_NONE && take_groups(rest, end, row) && sound_row(row) &&
        (row->style != HEX_BLANK || row->groups == 0 || row->len[0] != row->address_len)) {
        learn_hex(line, row);
        return row->groups != 0 || row->style == HEX_BLANK;
    }
    if (row->style == HEX_COLON || row->style == HEX_GDB) {
        return false;
    }
    row->style = HEX_PLAIN;
    row->groups = 0;
    row->chars = NULL;
    if (take_groups(line->at, end, row) && sound_row(row) && row->groups != 0) {
        learn_hex(line, row);
        return true;
    }
    return read_titled_row(line, row) || read_byte_list(line, row);
}

/* Return the value of an address, or UINT64_MAX if it is none in this radix. */
static uint64_t address_value(const hex_row *row, unsigned radix)
{
    uint64_t v = 0;
    for (size_t i = 0; i < row->address_len; i++) {
        const uint32_t digit = hex_digit(row->address[i]);
        if (row->address[i] == '`') {
            continue;
        }
        if (digit >= radix || v > (UINT64_MAX - digit) / radix) {
            return UINT64_MAX;
        }
        v = v * radix + digit;
    }
    return v;
}

/* Return the bytes of the groups of a row. */
static size_t row_bytes(const hex_reader *r, const hex_row *row)
{
    size_t n = 0;
    for (size_t i = 0; i < row->groups; i++) {
        n += r->octal ? 2 : (row->len[i] + 1) / 2;
    }
    return n;
}

/* Keep the bytes of a group as those of the last line. */
static void add_group(hex_reader *r, const char *digits, size_t n)
{
    uint64_t v = 0;
    size_t count = (n + 1) / 2;
    const bool memory_order = r->style == HEX_COLON && !r->reversed;
    if (r->octal) {
        count = 2;
    } else if (n % 2 == 0) {
        uint8_t *to = r->last + r->last_len;
        for (size_t i = 0; i < count; i++) {
            const char *from = digits + n - 2 - 2 * i;
            if (memory_order) {
                from = digits + 2 * i;
            }
            to[i] = (uint8_t)(hex_value(from[0]) << 4 | hex_value(from[1]));
        }
        r->last_len += count;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        v = v << (r->octal ? 3 : 4) | hex_digit(digits[i]);
    }
    for (size_t i = 0; i < count; i++) {
        size_t place = i;
        if (memory_order) {
            place = count - 1 - i;
        }
        r->last[r->last_len++] = (uint8_t)(v >> (8 * place));
    }
}

/* Append the last line to the present stream. */
static void add_last(hex_reader *r)
{
    add_bytes(&r->d->streams[r->d->count - 1], r->last, r->last_len, r->d->endian);
    r->len += r->last_len;
}

/* Repeat the last line until there are len bytes. */
static void repeat_row(hex_reader *r, uint64_t len)
{
    if (r->open && len > r->len && !may_imply(r->d, (len - r->len) / 4 + 1)) {
        return;
    }
    while (r->open && r->last_len != 0 && r->len < len) {
        if (len - r->len < r->last_len) {
            r->last_len = (size_t)(len - r->len);
        }
        add_last(r);
    }
}

/* Begin a stream at the address of a row. */
static void begin_hex(hex_reader *r, uint64_t at, size_t line)
{
    stream *s = add_stream(r->d, NULL, line);
    s->has_va = r->radix == 16 && at != 0 && at % 4 == 0;
    if (s->has_va) {
        s->va = at;
    } else {
        s->va = 0;
    }
    r->open = true;
    r->base = at;
    r->len = r->last_len = 0;
}

/* Count the steps between addresses that do not fit the bytes between them. */
static size_t wrong_steps(const hex_reader *r, const text_lines *t, unsigned radix)
{
    hex_row row;
    uint64_t next = UINT64_MAX;
    size_t wrong = 0;
    bool star = false;
    for (size_t i = 0; i < t->count; i++) {
        if (is_star(&t->lines[i])) {
            star = true;
        } else if (read_row(&t->lines[i], &row) && row.style == r->style) {
            const uint64_t at = address_value(&row, radix);
            const bool fits = at == next || (star && at > next) || next == UINT64_MAX;
            wrong += at == UINT64_MAX || !fits;
            next = at + row_bytes(r, &row);
            star = false;
        }
    }
    return wrong;
}

/* Find the radix of addresses in which the most steps fit. */
static void find_radix(hex_reader *r, const text_lines *t)
{
    static const unsigned radixes[] = {16, 10, 8};
    size_t least = SIZE_MAX;
    r->radix = 16;
    for (size_t i = 0; i < (r->style == HEX_BLANK ? 3 : 1); i++) {
        const size_t wrong = wrong_steps(r, t, radixes[i]);
        if (wrong < least) {
            least = wrong;
            r->radix = radixes[i];
        }
    }
}

/* Count the characters at the right that differ from the bytes, in both orders. */
static void count_chars(const hex_row *row, size_t wrong[2])
{
    size_t at = 0;
    for (size_t i = 0; i < row->groups && row->chars != NULL; i++) {
        const size_t n = row->len[i] / 2;
        for (size_t k = 0; k < n && at < row->chars_len; k++, at++) {
            for (int reversed = 0; reversed < 2; reversed++) {
                const char *p = row->group[i] + 2 * (reversed ? n - 1 - k : k);
                const uint32_t byte = hex_digit(p[0]) << 4 | hex_digit(p[1]);
                char c = '.';
                if (byte >= 0x20 && byte < 0x7f) {
                    c = (char)byte;
                }
                wrong[reversed] += row->chars[at] != c;
            }
        }
    }
}

/* Take the next row of a dump: check its address, append its bytes. */
static void take_row(hex_reader *r, const hex_row *row, size_t line)
{
    const bool addressed = r->style != HEX_PLAIN;
    uint64_t at = 0;
    if (addressed) {
        at = address_value(row, r->radix);
    }
    if (!r->open && row->groups == 0) {
        return;
    }
    if (!r->open) {
        begin_hex(r, at, line);
    }
    if (addressed && r->star && at >= r->base) {
        repeat_row(r, at - r->base);
    }
    if (addressed && r->broken && at > r->base + r->len && (at - r->base - r->len) % 4 == 0 &&
        at - r->base - r->len <= 1024 && r->len % 4 == 0) {
        const uint64_t gap = at - r->base - r->len;
        (void)add_unknown(r->d, &r->d->streams[r->d->count - 1], (size_t)gap / 4);
        r->len += (size_t)gap;
    }
    r->broken = false;
    if (addressed && at != r->base + r->len) {
        damaged(r->d, line,
                "address 0x%" PRIx64 " follows 0x%" PRIx64
                ": lines are missing or doubled; expected 0x%" PRIx64,
                at, r->base + r->len - r->last_len, r->base + r->len);
        if (row->groups != 0) {
            begin_hex(r, at, line);
        }
    }
    if (row->groups != 0) {
        r->last_len = 0;
        for (size_t i = 0; i < row->groups; i++) {
            add_group(r, row->group[i], row->len[i]);
        }
        add_last(r);
    }
    r->star = false;
}

/* Return true if the groups can be the octal numbers of od without an option. */
static bool all_octal(const text_lines *t, hex_style style)
{
    hex_row row;
    for (size_t i = 0; i < t->count; i++) {
        if (read_row(&t->lines[i], &row) && row.style == style) {
            for (size_t g = 0; g < row.groups; g++) {
                for (size_t k = 0; k < row.len[g]; k++) {
                    if (row.group[g][k] > '7' || row.len[g] != 6) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

/* Return true if no group between blanks of a line is two or more hex digits with a number in it. */
static bool is_prose(const text_line *line)
{
    const char *end = line->at + line->len;
    for (const char *p = line->at; p < end;) {
        const char *from = p;
        bool number = false;
        while (p < end && !is_space(*p)) {
            number = number || (*p >= '0' && *p <= '9');
            p++;
        }
        if (has_0x(from, p) ||
            (number && p - from > 1 && digits_of(from, p) == (size_t)(p - from))) {
            return false;
        }
        p += p < end;
    }
    return true;
}

/* The style and the digits of a group that most lines have. HEX_NONE: the text is no such dump. */
static hex_style find_hex(const text_lines *t, size_t *digits)
{
    size_t rows[HEX_STYLES][17] = {{0}};
    size_t lines = 0; /* that are not prose */
    size_t with_chars = 0;
    size_t foreign = 0;
    hex_style best = HEX_NONE;
    hex_row row;
    *digits = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        lines += line->len != 0 && !is_star(line) && !is_prose(line);
        if (read_row(line, &row)) {
            rows[row.style][row.groups != 0 ? row.len[0] : 0]++;
            with_chars += row.chars != NULL;
        } else {
            foreign += row.style == HEX_COLON || row.style == HEX_GDB;
        }
    }
    if (foreign != 0 && with_chars * 2 < lines) {
        return HEX_NONE; /* addresses, but other text after them: a decoder printed it */
    }
    for (int style = HEX_PLAIN; style < HEX_STYLES; style++) {
        for (size_t n = 1; n <= 16; n++) {
            const bool possible =
                n == 2 || n == 4 || n == 8 || n == 16 || (n == 6 && (hex_style)style != HEX_PLAIN);
            if (possible && rows[style][n] > (best != HEX_NONE ? rows[best][*digits] : 0)) {
                best = (hex_style)style;
                *digits = n;
            }
        }
    }
    if (best != HEX_NONE && rows[best][*digits] * 2 < lines) {
        return HEX_NONE;
    }
    return best;
}

/* Return the name of the format of a dump. */
static const char *hex_name(const hex_reader *r, bool bars)
{
    const char *sizes[] = {"b", "h", "w", "g"};
    static char name[32];
    size_t order = 3;
    if (r->digits == 2) {
        order = 0;
    } else if (r->digits == 4) {
        order = 1;
    } else if (r->digits == 8) {
        order = 2;
    }
    if (r->style == HEX_COLON) {
        if (r->reversed) {
            return "xxd-e";
        }
        return "xxd";
    }
    if (r->style == HEX_GDB) {
        snprintf(name, sizeof name, "gdb-x%s", sizes[order]);
        return name;
    }
    if (r->octal) {
        return "od";
    }
    if (r->style == HEX_BLANK && r->digits == 2 && (bars || r->radix == 16)) {
        return "hexdump-C";
    }
    if (r->style == HEX_BLANK && r->digits == 4 && r->radix == 16) {
        return "hexdump";
    }
    snprintf(name, sizeof name, "od-tx%zu", r->digits / 2);
    return name;
}

/* Return true for a group of the dump: its digits, or two of eight with a back quote between. */
static bool is_whole_group(const hex_reader *r, const char *from, const char *end)
{
    const size_t skip = has_0x(from, end) ? 2 : 0;
    const size_t n = (size_t)(end - from) - skip;
    if (n == 17 && r->digits == 8 && from[8] == '`') {
        return digits_of(from, end) == 8 && digits_of(from + 9, end) == 8;
    }
    return n == r->digits && digits_of(from + skip, end) == n;
}

/* Look for a typing error in a line that is no row: return the first group that is none of the dump, and
 * its length, if three others are (of words two, of 16 digits one); without one the address. NULL: the
 * line is something else. */
static const char *find_broken_group(const hex_reader *r, const text_line *line, size_t *len)
{
    const char *end = line->at + line->len;
    const char *bad = NULL;
    const char *first = NULL;
    size_t good = 0;
    size_t first_len = 0;
    for (const char *p = line->at; p < end;) {
        const char *from = p;
        while (p < end && !is_space(*p)) {
            p++;
        }
        const size_t n = (size_t)(p - from);
        if (n != 0 && is_whole_group(r, from, p)) {
            good++;
        } else if (n != 0 && first == NULL) {
            first = from;
            first_len = n;
        } else if (n != 0 && bad == NULL && p[-1] != ':') {
            bad = from;
            *len = n;
        }
        p += p < end;
    }
    size_t least = 3;
    if (r->digits >= 8) {
        least = 16 / r->digits;
    }
    if (good < least) {
        return NULL;
    }
    if (bad != NULL) {
        return bad;
    }
    *len = first_len;
    if (first == NULL) { /* the address has the digits of a group */
        *len = lesser(line->len, r->digits);
        return line->at;
    }
    return first;
}

/* Take a line that is no row. */
static void take_other(hex_reader *r, const text_line *line)
{
    size_t len = 0;
    const char *bad = find_broken_group(r, line, &len);
    if (bad != NULL) {
        damaged(
            r->d, line->number,
            "column %zu: \"%.*s\" is no group or address of the dump; expected %zu hex digits in a group",
            line->cut + (size_t)(bad - line->at) + 1, (int)lesser(len, 40), bad, r->digits);
        r->broken = true;
        return;
    }
    if (r->others++ == 0) {
        r->other_at = line->number;
    }
}

/* Read rows into streams of d. */
static void read_rows(void *state, dump *d, const text_lines *t)
{
    hex_reader *r = state;
    hex_row row;
    r->d = d;
    for (size_t i = 0; i < t->count && !r->d->full; i++) {
        const text_line *line = &t->lines[i];
        r->line = line->number;
        if (is_star(line)) {
            r->star = true;
            if (r->style == HEX_PLAIN) {
                damaged(
                    r->d, line->number,
                    "the line * repeats the line before an unknown number of times; expected a dump with od -v");
            }
        } else if (read_row(line, &row) && row.style == r->style &&
                   (row.groups == 0 || row.len[0] <= r->digits)) {
            take_row(r, &row, line->number);
            r->rows++;
        } else if (line->len != 0) {
            take_other(r, line);
        }
    }
}

/* Report what the end of the text leaves open. */
static void end_rows(void *state, dump *d, size_t count)
{
    const hex_reader *r = state;
    (void)count;
    if (r->star && r->style != HEX_PLAIN) {
        damaged(d, r->line, "the text ends with *; expected a line with the length");
    }
    if (r->others != 0) {
        note(d, "%zu line%s without words; the first: line %zu", r->others, plural(r->others),
             r->other_at);
    }
    d->doubtful = d->doubtful || r->others > r->rows;
}

/* Return true if any line has characters at the right, as xxd prints them. */
static bool has_chars(const text_lines *t)
{
    hex_row row;
    for (size_t i = 0; i < t->count; i++) {
        if (read_row(&t->lines[i], &row) && row.chars != NULL) {
            return true;
        }
    }
    return false;
}

/* Return true if groups after an address with a colon are numbers: of eight and more digits, or of four
 * in a kernel's dump, which has a title or a time; without characters at the right, which xxd always
 * prints. */
static bool groups_are_numbers(const text_lines *t)
{
    size_t digits;
    hex_row row;
    if (find_hex(t, &digits) != HEX_COLON || digits < 4 || has_chars(t)) {
        return false;
    }
    for (size_t i = 0; i < t->count && digits == 4; i++) {
        if (read_row(&t->lines[i], &row) && row.style == HEX_COLON) {
            return row.titled || (t->lines[i].prefix & PREFIX_KERNEL) != 0;
        }
    }
    return digits > 4;
}

/* Learn how a dump is written from its first lines. */
static void begin_rows(void *state, dump *d, const text_lines *t)
{
    hex_reader *r = state;
    size_t wrong[2] = {0, 0};
    hex_row row;
    r->d = d;
    r->style = find_hex(t, &r->digits);
    r->octal = r->digits == 6 && all_octal(t, r->style);
    find_radix(r, t);
    for (size_t i = 0; i < t->count; i++) {
        if (read_row(&t->lines[i], &row) && row.style == r->style) {
            r->bars = r->bars || (row.style == HEX_BLANK && row.chars != NULL);
            if (row.style == HEX_COLON) {
                count_chars(&row, wrong);
            }
        }
    }
    r->reversed = d->turned != groups_are_numbers(t) || strcmp(d->format, "xxd-e") == 0 ||
                  wrong[1] < wrong[0];
    d->format = hex_name(r, r->bars);
}

/* Return the name of the format of a dump in bytes or groups, or NULL. */
static const char *recognise_rows(dump *d, const text_lines *t)
{
    size_t digits;
    const hex_style style = find_hex(t, &digits);
    (void)d;
    if (style == HEX_NONE) {
        return NULL;
    }
    if (digits == 8 && (style == HEX_PLAIN || (style == HEX_COLON && !has_chars(t)))) {
        return "hex-words";
    }
    return "hexdump";
}

/* Return true if the order of the bytes of a group matters, and the characters of the text do not
 * show it. */
static bool rows_are_open(const text_lines *t)
{
    size_t digits;
    size_t wrong[2] = {0, 0};
    hex_row row;
    const hex_style style = find_hex(t, &digits);
    if (style != HEX_COLON || digits == 2) {
        return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (read_row(&t->lines[i], &row) && row.style == style) {
            count_chars(&row, wrong);
        }
    }
    return wrong[0] == wrong[1];
}

#endif

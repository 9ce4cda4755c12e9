/* dump_hex.h - what xxd, hexdump, od and gdb print, for gpucmd-dump.c. */
#ifndef DUMP_HEX_H
#define DUMP_HEX_H

enum { HEX_GROUPS = 256 };

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
    uint64_t base; /* address of the first row */
    size_t line;   /* of the last line */
    size_t others; /* lines that are none of the dump */
} hex_reader;

static size_t digits_of(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && hex_digit(at[n]) < 16) {
        n++;
    }
    return n;
}

/* Take the address of a line. Return what follows. */
static const char *take_address(const text_line *line, hex_row *row)
{
    const char *at = line->at;
    const char *end = at + line->len;
    if (line->len > 2 && at[0] == '0' && at[1] == 'x') {
        const char *p = at + 2 + digits_of(at + 2, end);
        row->address = at + 2;
        row->address_len = (size_t)(p - row->address);
        if (p < end && *p == ' ' && p + 1 < end && p[1] == '<') {
            const char *close = memchr(p, '>', (size_t)(end - p));
            p = close != NULL ? close + 1 : p;
        }
        if (row->address_len != 0 && p < end && *p == ':') {
            row->style = HEX_GDB;
            return p + 1;
        }
        return at;
    }
    const size_t n = digits_of(at, end);
    row->address = at;
    row->address_len = n;
    if (n >= 4 && n <= 16 && at + n < end && at[n] == ':') {
        row->style = HEX_COLON;
        return at + n + 1;
    }
    if (n >= 6 && n <= 16 && (at + n == end || is_space(at[n]))) {
        row->style = HEX_BLANK;
        return at + n;
    }
    return at;
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
        const bool wide = row->style == HEX_COLON && blanks > 1 && row->groups != 0;
        if (at == end) {
            break;
        }
        if (wide || ((*at == '|' || *at == '>') && row->style == HEX_BLANK)) {
            row->chars = at + !wide;
            row->chars_len = (size_t)(end - row->chars) - !wide;
            return true;
        }
        if (row->style == HEX_GDB) {
            if (end - at < 3 || at[0] != '0' || at[1] != 'x') {
                return false;
            }
            at += 2;
        }
        const size_t n = digits_of(at, end);
        if (n == 0 || n > 16 || row->groups == HEX_GROUPS || (at + n < end && !is_space(at[n]))) {
            return false;
        }
        row->group[row->groups] = at;
        row->len[row->groups++] = n;
        at += n;
    }
    return true;
}

/* Return true if all groups but the last have the same digits, and a character for each byte. */
static bool sound_row(const hex_row *row)
{
    size_t digits = 0;
    for (size_t i = 0; i < row->groups; i++) {
        const bool last = i + 1 == row->groups;
        if (row->len[i] != row->len[0] && !(last && row->len[i] < row->len[0])) {
            return false;
        }
        digits += row->len[i];
    }
    return row->style != HEX_COLON || row->chars == NULL || row->chars_len == digits / 2;
}

/* Read a line as a row. Without an address of another length than the groups it has none. */
static bool read_row(const text_line *line, hex_row *row)
{
    const char *end = line->at + line->len;
    memset(row, 0, offsetof(hex_row, group));
    row->groups = 0;
    row->chars = NULL;
    const char *rest = take_address(line, row);
    if (row->style != HEX_NONE && take_groups(rest, end, row) && sound_row(row) &&
        (row->style != HEX_BLANK || row->groups == 0 || row->len[0] != row->address_len)) {
        return row->groups != 0 || row->style == HEX_BLANK;
    }
    if (row->style == HEX_COLON || row->style == HEX_GDB) {
        return false;
    }
    row->style = HEX_PLAIN;
    row->groups = 0;
    row->chars = NULL;
    return take_groups(line->at, end, row) && sound_row(row) && row->groups != 0;
}

static bool is_star(const text_line *line)
{
    return line->len != 0 && line->at[0] == '*' &&
           match(line->at, line->at + line->len, "*~") == line->len;
}

/* Return the value of an address, or UINT64_MAX if it is none in this radix. */
static uint64_t address_value(const hex_row *row, unsigned radix)
{
    uint64_t v = 0;
    for (size_t i = 0; i < row->address_len; i++) {
        const uint32_t digit = hex_digit(row->address[i]);
        if (digit >= radix || v > UINT64_MAX / 32) {
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
    const size_t count = r->octal ? 2 : (n + 1) / 2;
    const bool memory_order = r->style == HEX_COLON && !r->reversed;
    for (size_t i = 0; i < n; i++) {
        v = v << (r->octal ? 3 : 4) | hex_digit(digits[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t place = memory_order ? count - 1 - i : i;
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
        r->last_len = len - r->len < r->last_len ? (size_t)(len - r->len) : r->last_len;
        add_last(r);
    }
}

/* Begin a stream at the address of a row. */
static void begin_hex(hex_reader *r, uint64_t at, size_t line)
{
    stream *s = add_stream(r->d, NULL, line);
    s->has_va = r->radix == 16 && at != 0 && at % 4 == 0;
    s->va = s->has_va ? at : 0;
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
            wrong += at == UINT64_MAX || (next != UINT64_MAX && (star ? at < next : at != next));
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
                const char c = byte >= 0x20 && byte < 0x7f ? (char)byte : '.';
                wrong[reversed] += row->chars[at] != c;
            }
        }
    }
}

/* Take the next row of a dump: check its address, append its bytes. */
static void take_row(hex_reader *r, const hex_row *row, size_t line)
{
    const bool addressed = r->style != HEX_PLAIN;
    const uint64_t at = addressed ? address_value(row, r->radix) : 0;
    if (!r->open && row->groups == 0) {
        return;
    }
    if (!r->open) {
        begin_hex(r, at, line);
    }
    if (addressed && r->star && at >= r->base) {
        repeat_row(r, at - r->base);
    }
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

/* The style and the digits of a group that most lines have. HEX_NONE: the text is no such dump. */
static hex_style find_hex(const text_lines *t, size_t *digits)
{
    size_t rows[HEX_STYLES][17] = {{0}};
    size_t lines = 0;
    size_t with_chars = 0;
    size_t foreign = 0;
    hex_style best = HEX_NONE;
    hex_row row;
    *digits = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        lines += line->len != 0 && !is_star(line);
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
    const size_t order = r->digits == 2 ? 0 : r->digits == 4 ? 1 : r->digits == 8 ? 2 : 3;
    if (r->style == HEX_COLON) {
        return r->reversed ? "xxd-e" : "xxd";
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

/* Read rows into streams of d. */
static void read_rows(hex_reader *r, const text_lines *t)
{
    hex_row row;
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
        } else if (line->len != 0) {
            if (r->others++ < MESSAGES) {
                note(r->d, "line %zu: not a line of the dump; skipped", line->number);
            }
            r->d->doubtful = true;
        }
    }
}

/* Report what the end of the text leaves open. */
static void end_hex(const hex_reader *r)
{
    if (r->star && r->style != HEX_PLAIN) {
        damaged(r->d, r->line, "the text ends with *; expected a line with the length");
    }
    if (r->others > MESSAGES) {
        note(r->d, "%zu more lines that are not of the dump", r->others - MESSAGES);
    }
}

/* Learn how a dump is written from its first lines. force_reversed: 1, 0, or -1 unknown. */
static void begin_rows(hex_reader *r, dump *d, const text_lines *t, int force_reversed)
{
    size_t wrong[2] = {0, 0};
    hex_row row;
    memset(r, 0, sizeof *r);
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
    r->reversed = force_reversed >= 0 ? force_reversed != 0 : wrong[1] < wrong[0];
    d->format = hex_name(r, r->bars);
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

/* Return true if the characters of the text show the order of the bytes of a group, or if
 * the order does not matter. */
static bool order_is_known(const text_lines *t)
{
    size_t digits;
    size_t wrong[2] = {0, 0};
    hex_row row;
    const hex_style style = find_hex(t, &digits);
    if (style != HEX_COLON || digits == 2) {
        return true;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (read_row(&t->lines[i], &row) && row.style == style) {
            count_chars(&row, wrong);
        }
    }
    return wrong[0] != wrong[1];
}

#endif

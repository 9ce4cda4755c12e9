/* dump_words.h - words in any text: hex groups of eight digits, for gpucmd-dump.c. */
#ifndef DUMP_WORDS_H
#define DUMP_WORDS_H

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
    return is_space(c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr(",;:()[]{}<>\"'`=|\033", c) != NULL);
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

/* Set kind and value of a group from its characters. */
static void classify_group(group *g)
{
    const bool prefix = g->len > 2 && g->at[0] == '0' && (g->at[1] == 'x' || g->at[1] == 'X');
    size_t i = prefix ? 2 : 0;
    size_t digits = 0;
    g->value = 0;
    for (; i < g->len && hex_digit(g->at[i]) < 16; i++, digits++) {
        g->value = g->value << 4 | hex_digit(g->at[i]);
    }
    for (size_t suffix = 0; prefix && suffix < 3 && i < g->len; suffix++) {
        i += strchr("uUlL", g->at[i]) != NULL && g->at[i] != '\0';
    }
    g->kind = GROUP_OTHER;
    if (i == g->len && prefix && digits != 0) {
        g->kind = digits == 8 ? GROUP_HEX8 : digits < 8 ? GROUP_SHORT : GROUP_LONG;
    } else if (i == g->len) {
        g->kind = digits == 8 ? GROUP_BARE : digits == 2 ? GROUP_BYTE : GROUP_OTHER;
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
        after = is_space(*p) ? '\0' : *p;
    }
    if (after == ':' || (before == '[' && after == ']')) {
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

/* How a line's words are written. */
typedef enum line_style {
    LINE_NONE,
    LINE_HEX,   /* 0x and eight digits */
    LINE_SHORT, /* only groups with 0x and at most eight digits */
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

static line_style style_of_line(const char *at, const char *end)
{
    scanner s = {at, end, '\0', 0};
    group g;
    size_t count[GROUP_BYTE + 1] = {0};
    size_t groups = 0;
    size_t words = 0;
    bool addressed = false; /* a group with 0x precedes the first bare group */
    bool labelled = false;  /* the first group is an address with a colon */
    bool label = false;     /* labelled, and a bare group follows */
    while (next_group(&s, &g) && !is_comment(&g, groups == 0, words != 0)) {
        labelled = labelled || (groups == 0 && is_address(&g));
        label = label || (groups == 1 && labelled && g.kind == GROUP_BARE);
        if (g.kind == GROUP_BARE && count[GROUP_BARE] == 0) {
            addressed = count[GROUP_HEX8] + count[GROUP_SHORT] + count[GROUP_LONG] != 0;
        }
        words += g.kind == GROUP_HEX8 || g.kind == GROUP_SHORT || g.kind == GROUP_BARE;
        count[g.kind]++;
        groups++;
    }
    if (label && count[GROUP_BYTE] < 2) {
        return LINE_LABEL;
    }
    if (count[GROUP_HEX8] + count[GROUP_SHORT] == groups && groups != 0 && count[GROUP_SHORT] &&
        (groups == 1 || s.commas + 1 >= groups)) {
        return LINE_SHORT;
    }
    if (count[GROUP_BARE] != 0 && (addressed || count[GROUP_HEX8] == 0)) {
        return count[GROUP_BYTE] > 1 ? LINE_BYTES : LINE_BARE;
    }
    return count[GROUP_HEX8] != 0 ? LINE_HEX : LINE_NONE;
}

/* Append the words of one line. Return the number of groups with 0x that are too
 * short to be words. */
static size_t words_of_line(const char *at, const char *end, line_style style, stream *out)
{
    scanner s = {at, end, '\0', 0};
    group g;
    size_t groups = 0;
    size_t words = 0;
    size_t passed = 0;
    while (next_group(&s, &g) && !is_comment(&g, groups == 0, words != 0)) {
        if (style == LINE_LABEL && groups > words + (words == 0) && g.kind != GROUP_BARE) {
            break;
        }
        const bool taken = style == LINE_BARE || style == LINE_LABEL ? g.kind == GROUP_BARE
                           : style == LINE_SHORT ? g.kind == GROUP_HEX8 || g.kind == GROUP_SHORT
                                                 : g.kind == GROUP_HEX8;
        if (taken) {
            add_dw(out, g.value);
            words++;
        } else if (style != LINE_BARE && style != LINE_LABEL && g.kind == GROUP_SHORT) {
            passed++;
        }
        groups++;
    }
    return passed;
}

/* A text that is read for words. */
typedef struct words_reader {
    line_style style; /* the surest style of any line; others are ignored */
    bool turned;      /* the bytes of words are in memory order */
    bool mixed;       /* later lines have a surer style */
    size_t lines;     /* with words */
    size_t others;    /* that are not empty and have none */
    size_t passed;    /* groups with 0x that are too short to be words */
    size_t passed_at; /* line of the first of them */
} words_reader;

static const char *line_end(const char *at, const char *end)
{
    const char *nl = at != end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return nl != NULL ? nl : end;
}

/* Return the surest style of the lines: LINE_BARE if none has another. */
static line_style surest_style(const text_lines *t)
{
    line_style least = LINE_BARE;
    for (size_t i = 0; i < t->count; i++) {
        const char *at = t->lines[i].at;
        const line_style style = style_of_line(at, at + t->lines[i].len);
        least = style == LINE_LABEL || least == LINE_LABEL  ? LINE_LABEL
                : style == LINE_HEX || style == LINE_SHORT  ? LINE_HEX
                : style == LINE_BYTES && least == LINE_BARE ? LINE_BYTES
                                                            : least;
    }
    return least;
}

/* Append the words of lines to the stream. */
static void words_of_lines(words_reader *r, const text_lines *t, stream *out)
{
    const line_style here = surest_style(t);
    r->mixed = r->mixed || (here != r->style && here != LINE_BARE);
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        const line_style style = style_of_line(line->at, end);
        const size_t before = out->len_dw;
        if (r->style == LINE_LABEL ? style == LINE_LABEL
            : r->style == LINE_HEX ? style != LINE_BARE && style != LINE_BYTES
                                   : style == LINE_BARE && r->style == LINE_BARE) {
            const size_t n = words_of_line(line->at, end, style, out);
            r->passed_at = r->passed == 0 && n != 0 ? line->number : r->passed_at;
            r->passed += n;
        }
        for (size_t k = before; r->turned && k < out->len_dw; k++) {
            out->dw[k] = gpucmd_load32(&out->dw[k], gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN
                                                        ? GPUCMD_LITTLE_ENDIAN
                                                        : GPUCMD_BIG_ENDIAN);
        }
        r->lines += out->len_dw != before;
        r->others += out->len_dw == before && line->len != 0 &&
                     strchr("#{}[]();", line->at[0]) == NULL &&
                     strchr("{[(", line->at[line->len - 1]) == NULL;
        out->line = out->line == 0 && out->len_dw != 0 ? line->number : out->line;
    }
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

/* gpucmd-dump.c - decodes, checks or runs a GPU command stream.
 *
 * Build: cc -I. -o gpucmd-dump examples/gpucmd-dump.c
 * `gpucmd-dump --help` is the manual.
 *
 * SECTIONS
 *   [DUMP.OPTIONS]  one table of options, shared by all vendors
 *   [DUMP.INPUT]    bytes of a file, words in bytes, words in text
 *   [DUMP.OUTPUT]   rows as text, TSV or JSON
 *   [DUMP.NV]       NVIDIA: decode, check, run
 *   [DUMP.I915]     Intel: decode, check, run; in dump_i915.h
 *   [DUMP.AGX]      Apple: lower to queues, check, run, pictures; in dump_agx.h
 *   [DUMP.VENDORS]  the table of vendors, help, main
 * A vendor is a header included below, a section with one function of type
 * vendor_fn, a row in the table of vendors, its options in the table of options
 * and its lines in the help.
 */

#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGES = 10 }; /* errors told on standard error before only their number is */

enum { EXIT_FINE = 0, EXIT_STREAM = 1, EXIT_USAGE = 2 };

/* ==== [DUMP.OPTIONS] ======================================================================= */

enum {
    OPT_HELP,
    OPT_VERSION,
    OPT_CHECK,
    OPT_RUN,
    OPT_INPUT,
    OPT_FORMAT,
    OPT_COLOR,
    OPT_BASE,
    OPT_BIG_ENDIAN,
    OPT_CHIP,
    OPT_MODE,
    OPT_SLI,
    OPT_FMT,
    OPT_GEN,
    OPT_ENGINE,
    OPT_SECURE,
    OPT_ALL,
    OPT_IDLE,
    OPT_SVG,
    OPT_DOT,
    OPT_ACCESS,
    OPT_COUNT,
};

typedef struct option_row {
    const char *name;
    bool has_value;
    const char *vendors; /* whose option it is */
} option_row;

static const option_row option_rows[OPT_COUNT] = {
    {"--help",       false, "nv i915 agx"},
    {"--version",    false, "nv i915 agx"},
    {"--check",      false, "nv i915 agx"},
    {"--run",        false, "nv i915 agx"},
    {"--input",      true,  "nv i915 agx"},
    {"--format",     true,  "nv i915 agx"},
    {"--color",      true,  "nv i915 agx"},
    {"--base",       true,  "nv i915"    },
    {"--big-endian", false, "nv"         },
    {"--chip",       true,  "nv"         },
    {"--mode",       true,  "nv"         },
    {"--sli",        true,  "nv"         },
    {"--fmt",        true,  "nv"         },
    {"--gen",        true,  "i915"       },
    {"--engine",     true,  "i915"       },
    {"--secure",     false, "i915"       },
    {"--all",        false, "i915"       },
    {"--idle",       false, "agx"        },
    {"--svg",        true,  "agx"        },
    {"--dot",        true,  "agx"        },
    {"--access",     true,  "agx"        },
};

typedef struct options {
    const char *vendor;
    const char *file;             /* NULL: standard input */
    const char *value[OPT_COUNT]; /* NULL: not given; "" for an option without a value */
} options;

/* Say what was wrong with the command line. Returns the exit status. */
static int usage(const char *wrong, const char *what, const char *expected)
{
    fprintf(stderr, "gpucmd-dump: %s '%s': expected %s\n", wrong, what, expected);
    fprintf(stderr, "gpucmd-dump --help tells more\n");
    return EXIT_USAGE;
}

/* Say that a file refused. Returns the exit status. */
static int refused(const char *name, const char *what, const char *expected)
{
    const char *why = errno != 0 ? strerror(errno) : "no reason given";
    fprintf(stderr, "gpucmd-dump: %s: %s: expected %s (%s)\n", name, what, expected, why);
    return EXIT_USAGE;
}

/* "s" where n is not one. */
static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* One argument that begins with "-". *at moves on if its value is the
 * argument after it. */
static int take_option(options *opt, char **argv, int argc, int *at)
{
    const char *arg = strcmp(argv[*at], "-h") == 0 ? "--help" : argv[*at];
    const size_t len = strcspn(arg, "=");
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (strlen(row->name) != len || strncmp(arg, row->name, len) != 0) {
            continue;
        }
        if (!row->has_value) {
            opt->value[i] = "";
            return arg[len] == '\0' ? EXIT_FINE : usage("value of", arg, "none");
        }
        if (arg[len] == '=') {
            opt->value[i] = arg + len + 1;
        } else if (*at + 1 < argc) {
            opt->value[i] = argv[++*at];
        } else {
            return usage("option", arg, "a value after it");
        }
        return EXIT_FINE;
    }
    return usage("unknown option", arg, "one that --help lists");
}

static int take_arguments(options *opt, char **argv, int argc)
{
    bool only_files = false;
    memset(opt, 0, sizeof *opt);
    for (int i = 1; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int status = take_option(opt, argv, argc, &i);
            if (status != EXIT_FINE) {
                return status;
            }
        } else if (opt->vendor == NULL) {
            opt->vendor = argv[i];
        } else if (opt->file == NULL) {
            opt->file = argv[i];
        } else {
            return usage("argument", argv[i], "one FILE at most");
        }
    }
    return EXIT_FINE;
}

/* Place of the option's value in a list of words separated by '|'; 0 if the
 * option is not given, -1, with a message, if it is none of them. */
static int choose(const options *opt, int id, const char *list)
{
    const char *value = opt->value[id];
    const char *at = list;
    if (value == NULL) {
        return 0;
    }
    for (int i = 0; *at != '\0'; i++) {
        const size_t len = strcspn(at, "|");
        if (strlen(value) == len && strncmp(value, at, len) == 0) {
            return i;
        }
        at += len + (at[len] == '|' ? 1 : 0);
    }
    usage(option_rows[id].name, value, list[0] == '|' ? list + 1 : list);
    return -1;
}

/* A number, decimal or hex after 0x, from 0 to max. Status with a message if
 * it is none. */
static int take_number(const options *opt, int id, uint64_t max, const char *expected, uint64_t *v)
{
    const char *s = opt->value[id];
    const uint32_t radix = s != NULL && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
    const char *at = s != NULL && radix == 16 ? s + 2 : s;
    uint64_t number = 0;
    if (s == NULL) {
        return EXIT_FINE;
    }
    do {
        static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
        const char *found = *at != '\0' ? strchr(digits, *at) : NULL;
        const uint32_t d = found != NULL ? (uint32_t)(found - digits) / 2 : 99;
        if (d >= radix || number > (max - d) / radix) {
            return usage(option_rows[id].name, s, expected);
        }
        number = number * radix + d;
        at++;
    } while (*at != '\0');
    *v = number;
    return EXIT_FINE;
}

/* --base: the address of the first word, 0 if not given. */
static int take_base(const options *opt, uint64_t *va)
{
    const int status =
        take_number(opt, OPT_BASE, UINT64_MAX, "an address in bytes, at most 64 bits", va);
    return status == EXIT_FINE && *va % 4 != 0
               ? usage("--base", opt->value[OPT_BASE], "a multiple of 4")
               : status;
}

/* ==== [DUMP.INPUT] ========================================================================= */

enum { INPUT_AUTO, INPUT_RAW, INPUT_HEX, INPUT_NOTATION };

/* What a vendor works on. */
typedef struct stream {
    const char *name;   /* for messages */
    uint32_t *dw;       /* host words */
    size_t len_dw;      /* whole words */
    size_t extra_bytes; /* bytes of a last word that is not whole */
    bool is_text;
} stream;

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

/* All of a file, in pieces that double. */
static int read_all(FILE *file, const char *name, bytes *b)
{
    size_t cap = 0;
    b->data = NULL;
    b->len = 0;
    errno = 0;
    do {
        if (b->len == cap) {
            uint8_t *more = cap <= SIZE_MAX / 2 ? realloc(b->data, cap ? cap * 2 : 65536) : NULL;
            if (more == NULL) {
                fprintf(stderr, "gpucmd-dump: %s: no memory after 0x%zx bytes\n", name, b->len);
                return EXIT_USAGE;
            }
            b->data = more;
            cap = cap ? cap * 2 : 65536;
        }
        b->len += fread(b->data + b->len, 1, cap - b->len, file);
    } while (b->len == cap);
    if (ferror(file)) {
        char what[48];
        snprintf(what, sizeof what, "cannot be read after 0x%zx bytes", b->len);
        return refused(name, what, "a file");
    }
    return EXIT_FINE;
}

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

/* A place in a line; before is the last character that is no space. */
typedef struct scanner {
    const char *at;
    const char *end;
    char before;
    size_t commas;
} scanner;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_delimiter(char c)
{
    return is_space(c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr(",;:()[]{}<>\"'`=|\033", c) != NULL);
}

/* Past delimiters, and past the whole of a terminal's colour sequence. */
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

static uint32_t hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
           : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                  : 16;
}

/* What the characters of a group make it. */
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

/* True for a hex address of at least eight digits, which next_group calls GROUP_OTHER only because
 * of the colon behind it. */
static bool is_address(const group *g)
{
    size_t digits = 0;
    while (digits < g->len && hex_digit(g->at[digits]) < 16) {
        digits++;
    }
    return digits == g->len && digits >= 8 && g->kind == GROUP_OTHER;
}

/* Next group of the line. A label ("0x10:"), a lone group in brackets
 * ("[00000010]") and a date in front of a time ("20240131 12:00") are
 * GROUP_OTHER. */
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
    LINE_SHORT, /* nothing but groups after 0x, of any length up to eight */
    LINE_BARE,  /* eight digits alone */
    LINE_LABEL, /* the same right behind an address with a colon; then comes what is no word */
    LINE_BYTES, /* a dump of bytes: no words, and none without 0x in the whole text */
} line_style;

/* True if the rest of the line is a comment. */
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
    bool addressed = false; /* a group after 0x comes before the first bare one */
    bool labelled = false;  /* the first group is an address with a colon */
    bool label = false;     /* and a bare group follows */
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

/* Append the words of one line. Returns the groups after 0x that were too
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
            out->dw[out->len_dw++] = g.value;
            words++;
        } else if (style != LINE_BARE && style != LINE_LABEL && g.kind == GROUP_SHORT) {
            passed++;
        }
        groups++;
    }
    return passed;
}

static const char *line_end(const char *at, const char *end)
{
    const char *nl = at != end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return nl != NULL ? nl : end;
}

/* Words of a text. out->dw has room for one word in every two characters. */
static void words_of_text(const bytes *b, stream *out)
{
    const char *begin = (const char *)b->data;
    const char *end = begin + b->len;
    line_style least = LINE_BARE; /* the style that rules out those that are less sure */
    size_t passed = 0;
    size_t line_number = 0;
    size_t passed_at = 0;
    for (const char *at = begin, *eol; at < end; at = eol + 1) {
        eol = line_end(at, end);
        const line_style style = style_of_line(at, eol);
        least = style == LINE_LABEL || least == LINE_LABEL  ? LINE_LABEL
                : style == LINE_HEX || style == LINE_SHORT  ? LINE_HEX
                : style == LINE_BYTES && least == LINE_BARE ? LINE_BYTES
                                                            : least;
    }
    for (const char *at = begin, *eol; at < end; at = eol + 1) {
        eol = line_end(at, end);
        line_number++;
        const line_style style = style_of_line(at, eol);
        if (least == LINE_LABEL ? style == LINE_LABEL
            : least == LINE_HEX ? style != LINE_BARE && style != LINE_BYTES
                                : style == LINE_BARE && least == LINE_BARE) {
            const size_t n = words_of_line(at, eol, style, out);
            passed_at = passed == 0 && n != 0 ? line_number : passed_at;
            passed += n;
        }
    }
    if (passed != 0) {
        fprintf(stderr,
                "gpucmd-dump: %s: line %zu: a group after 0x with fewer than eight digits is not "
                "read as a word (%zu in all)\n",
                out->name, passed_at, passed);
    }
}

/* No byte that text does not have. *ascii: not even one above 0x7e. */
static bool looks_like_text(const bytes *b, bool *ascii)
{
    *ascii = true;
    for (size_t i = 0; i < b->len; i++) {
        const uint8_t c = b->data[i];
        if ((c < 0x20 && !(c >= '\t' && c <= '\r') && c != 0x1b) || c == 0x7f) {
            return false;
        }
        *ascii = *ascii && c < 0x80;
    }
    return true;
}

static bool is_blank(const bytes *b)
{
    for (size_t i = 0; i < b->len; i++) {
        if (!is_space((char)b->data[i]) && b->data[i] != '\n') {
            return false;
        }
    }
    return true;
}

/* Say that a text has no words. */
static int no_word(const char *name, size_t len)
{
    fprintf(stderr,
            "gpucmd-dump: %s: no word in 0x%zx bytes of text: expected groups of eight hex "
            "digits such as 0x20018000; --input raw reads the bytes themselves\n",
            name, len);
    return EXIT_USAGE;
}

/* Turn bytes into words, as --input says or as the bytes look. */
static int words_of_bytes(const bytes *b, int input, gpucmd_endian endian, stream *out)
{
    bool ascii = false;
    const bool text = input == INPUT_HEX || (input == INPUT_AUTO && looks_like_text(b, &ascii));
    out->len_dw = 0;
    out->extra_bytes = 0;
    out->dw = malloc((b->len / 2 + 1) * sizeof *out->dw);
    if (out->dw == NULL) {
        fprintf(stderr, "gpucmd-dump: %s: no memory for 0x%zx bytes\n", out->name, b->len);
        return EXIT_USAGE;
    }
    if (text) {
        words_of_text(b, out);
        out->is_text = out->len_dw != 0 || is_blank(b) || ascii || input == INPUT_HEX;
    }
    if (out->is_text && out->len_dw == 0 && !is_blank(b)) {
        return no_word(out->name, b->len);
    }
    if (!out->is_text) {
        out->len_dw = b->len / 4;
        out->extra_bytes = b->len % 4;
        gpucmd_load_words(out->dw, b->data, out->len_dw, endian);
    }
    return EXIT_FINE;
}

/* Read the file that the options name. kinds: what --input may be. *out gets its name only. */
static int read_input(const options *opt, const char *kinds, stream *out, bytes *b)
{
    const bool is_stdin = opt->file == NULL || strcmp(opt->file, "-") == 0;
    int status = EXIT_USAGE;
    memset(out, 0, sizeof *out);
    out->name = is_stdin ? "standard input" : opt->file;
    b->data = NULL;
    b->len = 0;
    if (choose(opt, OPT_INPUT, kinds) >= 0) {
        errno = 0;
        FILE *file = is_stdin ? stdin : fopen(opt->file, "rb");
        if (file == NULL) {
            return refused(out->name, "cannot be opened", "a readable file");
        }
        status = read_all(file, out->name, b);
        if (!is_stdin) {
            fclose(file);
        }
    }
    return status;
}

static int read_stream(const options *opt, gpucmd_endian endian, stream *out)
{
    static const char kinds[] = "auto|raw|hex";
    bytes b;
    int status = read_input(opt, kinds, out, &b);
    if (status == EXIT_FINE) {
        status = words_of_bytes(&b, choose(opt, OPT_INPUT, kinds), endian, out);
    }
    free(b.data);
    return status;
}

/* ==== [DUMP.OUTPUT] ======================================================================== */

enum { FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON };

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

typedef struct output {
    int format;
    bool color;
    size_t rows;
} output;

static int open_output(const options *opt, output *out)
{
    const int color = choose(opt, OPT_COLOR, "auto|always|never");
    const char *no_color = getenv("NO_COLOR");
    out->format = choose(opt, OPT_FORMAT, "text|tsv|json");
    out->rows = 0;
    out->color = color == COLOR_ALWAYS || (color == COLOR_AUTO && isatty(fileno(stdout)) &&
                                           (no_color == NULL || no_color[0] == '\0'));
    return color < 0 || out->format < 0 ? EXIT_USAGE : EXIT_FINE;
}

/* Before every row: what JSON wants between elements. */
static void begin_row(output *out)
{
    if (out->format == FORMAT_JSON) {
        fputs(out->rows == 0 ? "[\n" : ",\n", stdout);
    }
    out->rows++;
}

/* After the last row. Returns status, or that of an output that failed. */
static int close_output(output *out, int status)
{
    if (out->format == FORMAT_JSON) {
        fputs(out->rows == 0 ? "[]\n" : "\n]\n", stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "gpucmd-dump: standard output: cannot be written\n");
        return EXIT_USAGE;
    }
    return status;
}

static const char *paint(const output *out, const char *code)
{
    return out->color ? code : "";
}

#define DIM    "\033[2m"
#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define CYAN   "\033[36m"
#define PLAIN  "\033[0m"

/* Lines of text as they are; on a terminal the address dim and the form, gap
 * characters behind the address, coloured. */
static void put_lines(const output *out, const char *text, size_t len, size_t gap,
                      const char *form_color)
{
    const char *end = text + len;
    if (!out->color) {
        fwrite(text, 1, len, stdout);
        return;
    }
    while (text < end) {
        const char *eol = line_end(text, end);
        const size_t address = strcspn(text, " ");
        const char *form = text + address + gap;
        printf(DIM "%.*s" PLAIN, (int)address, text);
        if (form < eol && *form != ' ') {
            const size_t n = strcspn(form, " \n");
            printf("%.*s%s%.*s" PLAIN, (int)gap, text + address, form_color, (int)n, form);
            form += n;
        } else {
            form = text + address;
        }
        fwrite(form, 1, (size_t)(eol - form), stdout);
        putchar('\n');
        text = eol + 1;
    }
}

/* A number of a row, or what the format writes where the column does not
 * apply (v < 0). */
static void put_cell(const output *out, const char *key, int64_t v, bool hex)
{
    if (out->format == FORMAT_JSON && v < 0) {
        printf(",\"%s\":null", key);
    } else if (out->format == FORMAT_JSON) {
        printf(",\"%s\":%" PRId64, key, v);
    } else if (v < 0) {
        fputs("\t-", stdout);
    } else {
        printf(hex ? "\t0x%" PRIx64 : "\t%" PRId64, v);
    }
}

/* Appends a text; may be called again for a longer buffer. */
typedef void (*text_fn)(gpucmd_text *t, const void *user);

/* The whole text of fn in memory, to be freed, *len characters; NULL, with a message, without
 * memory. */
static char *make_text(text_fn fn, const void *user, size_t *len)
{
    size_t cap = 65536;
    char *text = NULL;
    for (;;) {
        char *more = realloc(text, cap);
        gpucmd_text t;
        if (more == NULL) {
            fprintf(stderr, "gpucmd-dump: no memory for 0x%zx characters of text\n", cap);
            free(text);
            return NULL;
        }
        text = more;
        gpucmd_text_init(&t, text, cap);
        fn(&t, user);
        *len = t.len_bytes;
        if (t.len_bytes < cap) {
            return text;
        }
        cap = t.len_bytes + 1;
    }
}

static int put_text(text_fn fn, const void *user, FILE *to)
{
    size_t len = 0;
    char *text = make_text(fn, user, &len);
    const bool whole = text != NULL && fwrite(text, 1, len, to) == len;
    free(text);
    return whole ? EXIT_FINE : EXIT_USAGE;
}

/* One member of a state that --run tells. */
static void put_member(FILE *to, bool json, const char *name, uint64_t v)
{
    fprintf(to, json ? ",\"%s\":%" PRIu64 : " %s=0x%" PRIx64, name, v);
}

/* What --check has found. */
typedef struct finding_row {
    uint64_t offset;
    uint32_t severity; /* 0 note, 1 warning, 2 error */
    const char *rule;
    const uint32_t *dw; /* NULL: no word in particular */
    const char *text;
    const char *expected;
} finding_row;

#define FINDING_HEADER "offset\tseverity\trule\tword\ttext\texpected"

static void put_finding(output *out, const finding_row *f)
{
    static const char names[3][8] = {"note", "warning", "error"};
    const char *name = names[f->severity < 3 ? f->severity : 2];
    const uint32_t dw = f->dw != NULL ? *f->dw : 0;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"offset\":%" PRIu64 ",\"severity\":\"%s\",\"rule\":\"%s\"", f->offset, name,
               f->rule);
        put_cell(out, "word", f->dw != NULL ? (int64_t)dw : -1, false);
        printf(",\"text\":\"%s\",\"expected\":\"%s\"}", f->text, f->expected);
    } else if (out->format == FORMAT_TSV) {
        printf("0x%" PRIx64 "\t%s\t%s\t", f->offset, name, f->rule);
        printf(f->dw != NULL ? "%08" PRIx32 : "-", dw);
        printf("\t%s\t%s\n", f->text, f->expected);
    } else {
        printf("0x%06" PRIx64 "  ", f->offset);
        printf(f->dw != NULL ? "%08" PRIx32 : "--------", dw);
        printf("  %s%s%s %s: %s; expected %s\n", paint(out, f->severity == 2 ? RED : YELLOW), name,
               paint(out, PLAIN), f->rule, f->text, f->expected);
    }
}

/* "1 error, 0 warnings, 2 notes" and a newline; n by severity. */
static void put_counts(const size_t n[3])
{
    printf("%zu error%s, %zu warning%s, %zu note%s\n", n[2], plural(n[2]), n[1], plural(n[1]), n[0],
           plural(n[0]));
}

/* ==== [DUMP.NV] ============================================================================ */

enum {
    NV_BLOCK_DW = 1024, /* words decoded at a time, so that a long run needs no long text */
    NV_PAGE = 4096,     /* room of the ring that --run builds */
};

typedef struct nv_job {
    const stream *in;
    output *out;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk; /* at the end of the stream */
    uint64_t base_va;
    uint32_t sli_mask; /* 0: not given */
    bool sli_given;
    gpucmd_endian endian;
    size_t found[3]; /* findings, by severity; decoding counts its errors */
    bool truncated;  /* a finding or a row has told so */
    bool binds;      /* the stream binds an object */
} nv_job;

/* Name of the mode, for messages. */
static const char *nv_mode(const nv_job *job)
{
    return job->gate.ib_enable ? "IB mode" : "NV4-style mode";
}

/* True if every word of the stream is part of a whole command under this
 * gate. */
static bool nv_fits(const stream *in, const gpucmd_nv_gate *gate)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_init(&walk, gate);
    gpucmd_nv_walk_segment(&walk, in->dw, in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        if (cmd.form == GPUCMD_NV_FORM_INVALID) {
            return false;
        }
    }
    return !gpucmd_nv_walk_pending(&walk);
}

/* Choose a chip for a stream without --chip: the first of GF100, G80 and
 * NV40 whose commands all the words are, else GF100. */
static gpucmd_nv_chip nv_guess(const stream *in, int mode, bool sli)
{
    static const gpucmd_nv_chip chips[] = {GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_G80,
                                           GPUCMD_NV_CHIP_NV40};
    for (size_t i = mode == 1 ? 2 : 0; i < (mode == 2 ? 2 : 3); i++) {
        gpucmd_nv_gate gate;
        if (gpucmd_nv_gate_init(&gate, chips[i], chips[i] >= GPUCMD_NV_CHIP_G80,
                                sli && chips[i] < GPUCMD_NV_CHIP_GF100,
                                GPUCMD_NV_FMT_NEW) == GPUCMD_OK &&
            nv_fits(in, &gate)) {
            return chips[i];
        }
    }
    return mode == 1 ? GPUCMD_NV_CHIP_NV40 : GPUCMD_NV_CHIP_GF100;
}

/* Chip, mode, format and SLI to a gate. mode: 0 not given, 1 nv4, 2 ib. */
static int nv_gate(nv_job *job, const options *opt, int mode, int fmt)
{
    static const gpucmd_nv_fmt fmts[] = {GPUCMD_NV_FMT_NEW, GPUCMD_NV_FMT_OLD, GPUCMD_NV_FMT_BOTH};
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GF100;
    const char *name = opt->value[OPT_CHIP];
    if (name == NULL) {
        chip = fmt == 0 ? nv_guess(job->in, mode, job->sli_given) : chip;
        fprintf(stderr, "gpucmd-dump: no --chip: reading as %s\n", gpucmd_nv_chip_name(chip));
    } else if (gpucmd_nv_chip_from_name(name, &chip) != GPUCMD_OK) {
        return usage("--chip", name,
                     "a chip from nv4 to gb207, nvXX with its id, or a channel class such as c76f");
    }
    if (chip < GPUCMD_NV_CHIP_NV4) {
        return usage("--chip", name, "nv4 or later: earlier chips have no pushbuffer");
    }
    if (mode == 2 && chip < GPUCMD_NV_CHIP_G80) {
        return usage("--mode", "ib", "nv4 for this chip: IB mode begins with g80");
    }
    if (mode == 1 && GPUCMD_NV_IS_GF100(chip)) {
        return usage("--mode", "nv4", "ib for this chip: NV4-style mode ends before gf100");
    }
    if (fmt != 0 && (!GPUCMD_NV_IS_GF100(chip) || chip >= GPUCMD_NV_CHIP_GV100)) {
        return usage("--fmt", opt->value[OPT_FMT],
                     "new: only gf100 to gp10b accept another format");
    }
    if (job->sli_given && chip < GPUCMD_NV_CHIP_NV40) {
        return usage("--sli", opt->value[OPT_SLI], "none for this chip: SLI begins with nv40");
    }
    return gpucmd_nv_gate_init(&job->gate, chip,
                               mode != 1 && chip >= GPUCMD_NV_CHIP_G80, /* nouveau's choice */
                               job->sli_given, fmts[fmt]) == GPUCMD_OK
               ? EXIT_FINE
               : usage("--chip", gpucmd_nv_chip_name(chip), "a chip with a pushbuffer");
}

static int nv_options(nv_job *job, const options *opt)
{
    const int mode = choose(opt, OPT_MODE, "|nv4|ib");
    const int fmt = choose(opt, OPT_FMT, "new|old|both");
    uint64_t sli = 0;
    int status = take_number(opt, OPT_SLI, 0xfff, "a mask of subdevices, 0 to 0xfff", &sli);
    if (mode < 0 || fmt < 0 || status != EXIT_FINE) {
        return EXIT_USAGE;
    }
    job->sli_given = opt->value[OPT_SLI] != NULL;
    job->sli_mask = (uint32_t)sli;
    job->base_va = 0;
    status = take_base(opt, &job->base_va);
    return status == EXIT_FINE ? nv_gate(job, opt, mode, fmt) : status;
}

/* What a rule asks for. */
static void nv_expected(const nv_job *job, const gpucmd_nv_finding *f, char *text, size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    const bool old = !GPUCMD_NV_IS_GF100(job->gate.chip);
    switch (f->rule) {
    case GPUCMD_NV_RULE_INVALID_COMMAND:
    case GPUCMD_NV_RULE_UNSUPPORTED_FORM:
        snprintf(text, cap, "the first word of a command of %s in %s", chip, nv_mode(job));
        return;
    case GPUCMD_NV_RULE_TRUNCATED:
        if (f->value == 0) {
            const size_t n = 4 - job->in->extra_bytes;
            snprintf(text, cap, "%zu more byte%s", n, plural(n));
        } else {
            snprintf(text, cap, "%" PRIu32 " more word%s", f->value, plural(f->value));
        }
        return;
    case GPUCMD_NV_RULE_UNKNOWN_METHOD:
        snprintf(text, cap, "0x100 or above, or a host method of %s, not 0x%02" PRIx32, chip,
                 f->mthd);
        return;
    case GPUCMD_NV_RULE_METHOD_WRAP:
    case GPUCMD_NV_RULE_OLD_METHOD_WRAP:
        snprintf(text, cap, "a run that ends at 0x%x or below", old ? 0x1ffcu : 0x3ffcu);
        return;
    case GPUCMD_NV_RULE_JUMP_OUTSIDE:
        snprintf(text, cap, "a target in 0x%" PRIx64 "..0x%" PRIx64 ", not 0x%" PRIx32,
                 job->base_va, job->base_va + 4 * (uint64_t)(job->in->len_dw - 1), f->value);
        return;
    case GPUCMD_NV_RULE_RETURN_OUTSIDE: snprintf(text, cap, "a call that leads here"); return;
    case GPUCMD_NV_RULE_STRAY_BITS:
        snprintf(text, cap, "zeros in the bits %08" PRIx32, f->value);
        return;
    case GPUCMD_NV_RULE_EMPTY_RUN: snprintf(text, cap, "a count, or the word 0"); return;
    case GPUCMD_NV_RULE_AFTER_END: snprintf(text, cap, "END_SEGMENT last"); return;
    case GPUCMD_NV_RULE_EMPTY_ENTRY:
    case GPUCMD_NV_RULE_ENTRY_RANGE:
    case GPUCMD_NV_RULE_ENTRY_STRAY:
    case GPUCMD_NV_RULE_ENTRY_OPCODE:
    case GPUCMD_NV_RULE_ENTRY_MEMORY:
    case GPUCMD_NV_RULE_RUN_CONDITIONAL: break;
    }
    snprintf(text, cap, "a legal IB entry");
}

/* What is wrong; a stream that ends without words missing ends inside one. */
static const char *nv_rule_text(const gpucmd_nv_finding *f)
{
    return f->rule == GPUCMD_NV_RULE_TRUNCATED && f->value == 0 ? "the stream ends inside a word"
                                                                : gpucmd_nv_rule_text(f->rule);
}

/* ---- decode ---- */

/* One row of the TSV and JSON forms; what does not apply is -1. */
static void nv_row(const nv_job *job, uint64_t offset, const uint32_t *dw, const char *form,
                   const int64_t cell[3])
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"form\":\"%s\"", form);
    } else {
        printf("0x%" PRIx64, offset);
        if (dw != NULL) {
            printf("\t%08" PRIx32 "\t%s", *dw, form);
        } else {
            printf("\t-\t%s", form);
        }
    }
    put_cell(out, "subc", cell[0], false);
    put_cell(out, "mthd", cell[1], true);
    put_cell(out, "count", cell[2], false);
    putchar(out->format == FORMAT_JSON ? '}' : '\n');
}

/* Rows of one command, or of the part of a run that lies in one block. */
static void nv_rows(const nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    const uint32_t *dw = cmd->data - cmd->head_dw;
    const bool run = gpucmd_nv_form_is_run(cmd->form);
    const bool counts =
        run && cmd->form != GPUCMD_NV_FORM_IMMD && cmd->form != GPUCMD_NV_FORM_LONG_NON_INC;
    for (uint32_t i = 0; i < cmd->len_dw; i++) {
        int64_t cell[3] = {-1, -1, -1};
        const char *form = "DATA";
        if (i == 0 && !cmd->resumed) {
            form = gpucmd_nv_form_name(cmd->form);
            cell[0] = run ? (int64_t)cmd->subc : -1;
            cell[1] = run ? (int64_t)cmd->mthd : -1;
            cell[2] = counts ? (int64_t)cmd->count_dw : -1;
        } else if (i < cmd->head_dw) {
            form = "COUNT";
            cell[2] = cmd->count_dw;
        } else {
            cell[0] = cmd->subc;
            cell[1] = gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, i - cmd->head_dw);
        }
        nv_row(job, offset + 4 * (uint64_t)i, &dw[i], form, cell);
    }
}

/* The same for people. */
static void nv_text(const nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    static char lines[NV_BLOCK_DW * 96];
    const char *color = cmd->form == GPUCMD_NV_FORM_INVALID ? RED
                        : gpucmd_nv_form_is_run(cmd->form)  ? CYAN
                                                            : YELLOW;
    gpucmd_text text;
    gpucmd_text_init(&text, lines, sizeof lines);
    gpucmd_nv_print(&text, &job->gate, cmd, job->base_va + offset);
    put_lines(job->out, lines, text.len_bytes, 12, color);
}

/* The row after the last word of a stream that ends too early. */
static void nv_truncated(const nv_job *job, const gpucmd_nv_walk *walk)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    const bool pending = gpucmd_nv_walk_pending(walk);
    int64_t cell[3] = {-1, -1, -1};
    if (pending) {
        cell[0] = walk->subc;
        cell[1] = walk->mthd;
        cell[2] = walk->lenp ? -1 : (int64_t)walk->left_dw;
    }
    if (job->out->format != FORMAT_TEXT) {
        nv_row(job, offset, NULL, "TRUNCATED", cell);
        return;
    }
    printf("0x%06" PRIx64 "  --------  %sTRUNCATED%s    ", job->base_va + offset,
           paint(job->out, RED), paint(job->out, PLAIN));
    if (pending) {
        printf("s%" PRIu32 " 0x%04" PRIx32 " ", walk->subc, walk->mthd);
    }
    if (pending && walk->lenp) {
        puts("the count word is missing");
    } else if (pending) {
        printf("n%" PRIu32 " missing\n", walk->left_dw);
    } else {
        printf("%zu byte%s of a word\n", job->in->extra_bytes, plural(job->in->extra_bytes));
    }
}

/* Count an error of decoding and tell the first ones on standard error. */
static void nv_complain(nv_job *job, gpucmd_nv_rule rule, uint64_t offset, uint32_t dw,
                        uint32_t value)
{
    const gpucmd_nv_finding f = {rule, job->base_va + offset, dw, 0, value};
    char expected[96];
    if (job->found[GPUCMD_NV_SEVERITY_ERROR]++ >= MESSAGES) {
        return;
    }
    nv_expected(job, &f, expected, sizeof expected);
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx64 ": ", job->in->name, offset);
    if (rule == GPUCMD_NV_RULE_INVALID_COMMAND) {
        fprintf(stderr, "%08" PRIx32 ": ", dw);
    }
    fprintf(stderr, "%s; expected %s\n", nv_rule_text(&f), expected);
}

/* Walk all words in blocks and print them. */
static void nv_print_all(nv_job *job)
{
    gpucmd_nv_walk *walk = &job->walk;
    uint64_t offset = 0;
    gpucmd_nv_walk_init(walk, &job->gate);
    if (job->out->format == FORMAT_TSV) {
        puts("offset\tword\tform\tsubc\tmthd\tcount");
    }
    for (size_t at = 0; at < job->in->len_dw; at += NV_BLOCK_DW) {
        const size_t left_dw = job->in->len_dw - at;
        gpucmd_nv_cmd cmd;
        gpucmd_nv_walk_segment(walk, job->in->dw + at,
                               left_dw < NV_BLOCK_DW ? left_dw : NV_BLOCK_DW);
        while (gpucmd_nv_walk_next(walk, &cmd)) {
            if (cmd.form == GPUCMD_NV_FORM_INVALID) {
                nv_complain(job, GPUCMD_NV_RULE_INVALID_COMMAND, offset, cmd.dw, 0);
            }
            if (job->out->format == FORMAT_TEXT) {
                nv_text(job, &cmd, offset);
            } else {
                nv_rows(job, &cmd, offset);
            }
            offset += 4 * (uint64_t)cmd.len_dw;
        }
    }
    if (gpucmd_nv_walk_pending(walk) || job->in->extra_bytes != 0) {
        nv_truncated(job, walk);
        nv_complain(job, GPUCMD_NV_RULE_TRUNCATED, offset, 0, walk->lenp ? 1 : walk->left_dw);
    }
}

static int nv_decode(nv_job *job)
{
    nv_print_all(job);
    if (job->found[GPUCMD_NV_SEVERITY_ERROR] > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[GPUCMD_NV_SEVERITY_ERROR] - MESSAGES);
    }
    return job->found[GPUCMD_NV_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- check ---- */

/* Tell one finding: a row of --check. */
static gpucmd_status nv_found(void *user, const gpucmd_nv_finding *f)
{
    nv_job *job = user;
    const uint64_t offset = f->at_va - job->base_va;
    const gpucmd_nv_severity severity = gpucmd_nv_rule_severity(f->rule);
    char expected[96];
    const finding_row row = {offset,
                             (uint32_t)severity,
                             gpucmd_nv_rule_name(f->rule),
                             offset < 4 * (uint64_t)job->in->len_dw ? &f->dw : NULL,
                             nv_rule_text(f),
                             expected};
    job->found[severity]++;
    job->truncated = job->truncated || f->rule == GPUCMD_NV_RULE_TRUNCATED;
    nv_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

/* What a rule about methods asks for. */
static void nv_host_expected(const nv_job *job, const gpucmd_nv_host_finding *f, char *text,
                             size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    switch (f->rule) {
    case GPUCMD_NV_HOST_RULE_UNBOUND_SUBCHANNEL:
        snprintf(text, cap, "SET_OBJECT on subchannel %" PRIu32 " before", f->subc);
        return;
    case GPUCMD_NV_HOST_RULE_HOST_METHOD:
        snprintf(text, cap, "a host method of %s, not 0x%02" PRIx32, chip, f->mthd);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_OPERATION:
        snprintf(text, cap, "an operation of %s, not that of 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_MISALIGNED:
        if (f->value >> 63 != 0) { /* an offset */
            snprintf(text, cap, "a multiple of 4, not 0x%" PRIx64, f->value & 0xffff);
        } else {
            snprintf(text, cap, "a multiple of its 4, 8 or 16 bytes, not 0x%" PRIx64, f->value);
        }
        return;
    case GPUCMD_NV_HOST_RULE_SEM_RANGE:
        snprintf(text, cap, "fewer bits on %s than 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_UNKNOWN_OBJECT:
        snprintf(text, cap, "an object of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_COPY_EMPTY:
        snprintf(text, cap, "a length and, where they count, lines before");
        return;
    case GPUCMD_NV_HOST_RULE_RELEASE_NO_FLUSH:
        snprintf(text, cap, "the flush bit, 0x%" PRIx32 ", in this LAUNCH_DMA",
                 GPUCMD_FIELD_MASK(NV_LAUNCH_FLUSH));
        return;
    case GPUCMD_NV_HOST_RULE_RELEASE_NO_WAIT:
        snprintf(text, cap, "a release that waits for idle engines, or WFI before");
        return;
    case GPUCMD_NV_HOST_RULE_HOST_VALUE:
        snprintf(text, cap, "a value of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_NEVER_RELEASED:
    case GPUCMD_NV_HOST_RULE_SEM_NOT_SET: break;
    }
    snprintf(text, cap, "words that do so before");
}

/* Tell one finding about methods. A stream may be a piece of a longer one: what
 * the other pieces may do is not missed, nor is an object if none is bound. */
static gpucmd_status nv_host_found(void *user, const gpucmd_nv_host_finding *f)
{
    nv_job *job = user;
    const uint64_t offset = f->at_va - job->base_va;
    const gpucmd_nv_severity severity = gpucmd_nv_host_rule_severity(f->rule);
    char expected[96];
    const finding_row row = {offset,
                             (uint32_t)severity,
                             gpucmd_nv_host_rule_name(f->rule),
                             &job->in->dw[offset / 4],
                             gpucmd_nv_host_rule_text(f->rule),
                             expected};
    if (f->rule == GPUCMD_NV_HOST_RULE_HOST_METHOD || /* UNKNOWN_METHOD */
        f->rule == GPUCMD_NV_HOST_RULE_SEM_NOT_SET ||
        (f->rule == GPUCMD_NV_HOST_RULE_UNBOUND_SUBCHANNEL && !job->binds)) {
        return GPUCMD_OK;
    }
    job->found[severity]++;
    nv_host_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

/* True if the stream binds an object. */
static bool nv_binds(const nv_job *job)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_init(&walk, &job->gate);
    gpucmd_nv_walk_segment(&walk, job->in->dw, job->in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        if (gpucmd_nv_form_is_run(cmd.form) && cmd.mthd == GPUCMD_NV_HOST_SET_OBJECT &&
            (cmd.count_dw != 0 || cmd.form == GPUCMD_NV_FORM_IMMD)) {
            return true;
        }
    }
    return false;
}

/* Run the second linter, which knows methods. */
static int nv_host_lint(nv_job *job)
{
    const gpucmd_nv_stream piece = {job->in->dw, job->in->len_dw, job->base_va};
    gpucmd_nv_host_check check;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    check.gate = job->gate;
    check.streams = &piece;
    check.count = 1;
    check.found = nv_host_found;
    check.user = job;
    job->binds = nv_binds(job);
    return gpucmd_nv_check_host(&check, &errors) == GPUCMD_OK ? EXIT_FINE : EXIT_STREAM;
}

/* Run the checker; what it cannot see is a last word that is not whole. */
static int nv_lint(nv_job *job)
{
    const uint64_t end_va = job->base_va + 4 * (uint64_t)job->in->len_dw;
    const gpucmd_nv_finding partial = {GPUCMD_NV_RULE_TRUNCATED, end_va, 0, 0, 0};
    size_t errors = 0;
    if (gpucmd_nv_check(&job->gate, job->in->dw, job->in->len_dw, job->base_va, nv_found, job,
                        &errors) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (job->in->extra_bytes != 0 && !job->truncated) {
        (void)nv_found(job, &partial);
    }
    if (nv_host_lint(job) != EXIT_FINE) {
        return EXIT_STREAM;
    }
    return job->found[GPUCMD_NV_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

static int nv_check(nv_job *job)
{
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    const int status = nv_lint(job);
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu word%s of %s in %s: ", job->in->len_dw, plural(job->in->len_dw),
               gpucmd_nv_chip_name(job->gate.chip), nv_mode(job));
        put_counts(job->found);
    }
    return status;
}

/* ---- run ---- */

/* An executor under way: the pusher before GF100, the PBDMA since. */
typedef struct nv_run {
    nv_job *job;
    gpucmd_nv_pusher pusher;
    gpucmd_nv_pbdma pbdma;
    gpucmd_mem mem;
    gpucmd_region regions[2];
    gpucmd_env env;
    gpucmd_mmio area;
    gpucmd_nv_gpfifo fifo;
    uint64_t ring_va;
    uint64_t ring[NV_PAGE / 8];
    uint64_t budget;
    uint64_t words;   /* fetched */
    uint64_t methods; /* delivered */
    gpucmd_run result;
} nv_run;

/* Methods arrive: one row a word. */
static gpucmd_status nv_arrived(void *user, const gpucmd_event *event)
{
    nv_run *run = user;
    output *out = run->job->out;
    const gpucmd_nv_chip chip = run->job->gate.chip;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(chip, (gpucmd_nv_kind)event->code, event->addr, i);
        const uint64_t va = event->va + 4 * (uint64_t)i;
        begin_row(out);
        if (out->format == FORMAT_JSON) {
            printf("{\"va\":%" PRIu64 ",\"subc\":%" PRIu32 ",\"mthd\":%" PRIu32 ",\"data\":%" PRIu32
                   "}",
                   va, event->unit, mthd, event->data[i]);
        } else if (out->format == FORMAT_TSV) {
            printf("0x%" PRIx64 "\t%" PRIu32 "\t0x%" PRIx32 "\t%08" PRIx32 "\n", va, event->unit,
                   mthd, event->data[i]);
        } else {
            printf("%s0x%06" PRIx64 "%s  s%" PRIu32 " 0x%04" PRIx32 " = %08" PRIx32 "%s%s\n",
                   paint(out, DIM), va, paint(out, PLAIN), event->unit, mthd, event->data[i],
                   mthd < 0x100 ? "  " : "",
                   mthd < 0x100 ? gpucmd_nv_host_method_name(chip, mthd) : "");
        }
    }
    run->methods += event->count_dw;
    return GPUCMD_OK;
}

/* Every word about to be consumed. */
static gpucmd_status nv_fetched(void *user, const gpucmd_event *event)
{
    nv_run *run = user;
    run->words += event->code != GPUCMD_NV_FETCH_ENTRY && event->va != run->ring_va;
    return GPUCMD_OK;
}

/* Let the executor work until it stops. */
static void nv_go(nv_run *run)
{
    if (GPUCMD_NV_IS_GF100(run->job->gate.chip)) {
        run->result = gpucmd_nv_pbdma_run(&run->pbdma, &run->env, run->budget);
    } else {
        run->result = gpucmd_nv_pusher_run(&run->pusher, &run->env, run->budget);
    }
}

/* The IB ring is full: the executor empties it. */
static gpucmd_status nv_wait(void *user, uint32_t try_count)
{
    nv_run *run = user;
    (void)try_count;
    nv_go(run);
    return run->result == GPUCMD_RUN_IDLE ? GPUCMD_OK : GPUCMD_FAULT;
}

/* True if the last command that is not a NOP is RETURN: the stream is a
 * subroutine. */
static bool nv_is_subroutine(const nv_job *job)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    bool is_return = false;
    gpucmd_nv_walk_init(&walk, &job->gate);
    gpucmd_nv_walk_segment(&walk, job->in->dw, job->in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        is_return = cmd.form == GPUCMD_NV_FORM_RETURN || (is_return && cmd.dw == GPUCMD_NV_NOP);
    }
    return is_return;
}

/* Where the words and the ring lie, and what the executor is to be told
 * before it begins. */
static int nv_place(nv_run *run)
{
    nv_job *job = run->job;
    const gpucmd_nv_chip chip = job->gate.chip;
    const uint64_t len_bytes = 4 * (uint64_t)job->in->len_dw;
    const unsigned va_bits = chip >= GPUCMD_NV_CHIP_GH100 ? 57 : job->gate.ib_enable ? 40 : 32;
    const uint64_t room = ((uint64_t)1 << va_bits) - 2 * NV_PAGE;
    if (len_bytes > room || job->base_va > room - len_bytes) {
        fprintf(stderr,
                "gpucmd-dump: --base '0x%" PRIx64 "': expected 0x%" PRIx64
                " bytes to lie below 0x%" PRIx64 " for %s in %s\n",
                job->base_va, len_bytes, room, gpucmd_nv_chip_name(chip), nv_mode(job));
        return EXIT_USAGE;
    }
    run->ring_va = ((uint64_t)1 << va_bits) - NV_PAGE;
    run->regions[0].va = run->ring_va;
    run->regions[0].bytes = job->gate.ib_enable || nv_is_subroutine(job) ? NV_PAGE : 0;
    run->regions[0].host = run->ring;
    run->regions[0].access = GPUCMD_ACCESS_READ;
    run->regions[1].va = job->base_va;
    run->regions[1].bytes = len_bytes;
    run->regions[1].host = job->in->dw;
    run->regions[1].access = GPUCMD_ACCESS_READ;
    run->budget = 4 * (uint64_t)job->in->len_dw + 65536;
    gpucmd_env_init(&run->env, &run->mem, nv_arrived, run);
    run->env.trace = nv_fetched;
    run->env.trace_user = run;
    return gpucmd_mem_init(&run->mem, run->regions, 2) == GPUCMD_OK ? EXIT_FINE : EXIT_USAGE;
}

/* Prepare the executor; its words are stored in the byte order that it
 * reads. */
static int nv_prepare(nv_run *run)
{
    nv_job *job = run->job;
    const gpucmd_nv_chip chip = job->gate.chip;
    const bool big = job->endian == GPUCMD_BIG_ENDIAN && chip >= GPUCMD_NV_CHIP_NV1A &&
                     !GPUCMD_NV_IS_GF100(chip);
    job->endian = big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    for (size_t i = 0; i < job->in->len_dw; i++) {
        gpucmd_store32(&job->in->dw[i], job->in->dw[i], job->endian);
    }
    if (GPUCMD_NV_IS_GF100(chip)) {
        if (gpucmd_nv_pbdma_init(&run->pbdma, chip) != GPUCMD_OK) {
            return EXIT_USAGE;
        }
        run->pbdma.fmt = job->gate.fmt;
        if (job->sli_given) {
            run->pbdma.subdevice = (run->pbdma.subdevice & ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_ID)) |
                                   GPUCMD_FIELD_PUT(NV_SUBDEVICE_ID, job->sli_mask);
        }
        run->area.read32 = gpucmd_nv_pbdma_read32;
        run->area.write32 = gpucmd_nv_pbdma_write32;
        run->area.user = &run->pbdma;
        return EXIT_FINE;
    }
    if (gpucmd_nv_pusher_init(&run->pusher, chip) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    run->pusher.big_endian = big && chip < GPUCMD_NV_CHIP_G80;
    run->pusher.pfifo_endian = big && chip >= GPUCMD_NV_CHIP_G80;
    run->pusher.sli_enable = job->sli_given;
    run->pusher.sli_mask = job->sli_mask;
    run->pusher.ib_enable = job->gate.ib_enable;
    run->area.read32 = gpucmd_nv_pusher_read32;
    run->area.write32 = gpucmd_nv_pusher_write32;
    run->area.user = &run->pusher;
    return EXIT_FINE;
}

/* NV4-style: the words themselves, or a ring of one word that calls them. */
static gpucmd_status nv_submit_nv4(nv_run *run)
{
    gpucmd_nv_pusher *p = &run->pusher;
    gpucmd_status status = GPUCMD_OK;
    uint32_t call = 0;
    if (run->job->in->len_dw == 0) {
        return GPUCMD_OK;
    }
    p->dma_get = run->job->base_va;
    p->dma_put = run->job->base_va + run->regions[1].bytes;
    if (run->regions[0].bytes != 0) {
        status = gpucmd_nv_encode_call(&call, run->job->base_va);
        gpucmd_store32(run->ring, call, run->job->endian);
        p->dma_get = run->ring_va;
        p->dma_put = run->ring_va + 4;
    }
    return status;
}

/* IB: entries as long as they can be. From GH100 on address bits 56:40 come
 * from a control entry. */
static gpucmd_status nv_submit_ib(nv_run *run)
{
    const gpucmd_nv_chip chip = run->job->gate.chip;
    const uint32_t order = 9; /* NV_PAGE bytes */
    const uint32_t max_dw = gpucmd_nv_entry_max_dw(chip);
    uint64_t va = run->job->base_va;
    uint64_t left_dw = run->job->in->len_dw;
    gpucmd_status status =
        gpucmd_nv_gpfifo_init(&run->fifo, chip, run->ring, order, &run->area, NULL, 0);
    run->fifo.endian = run->job->endian;
    run->fifo.wait = nv_wait;
    run->fifo.wait_user = run;
    run->pusher.ib_address = run->pbdma.gp_base = run->ring_va;
    run->pusher.ib_order = run->pbdma.limit2 = order;
    while (status == GPUCMD_OK && left_dw != 0) {
        const uint64_t high = va >> GPUCMD_NV_ENTRY_VA_BITS;
        const uint64_t room_dw = (((high + 1) << GPUCMD_NV_ENTRY_VA_BITS) - va) / 4;
        uint64_t n_dw = left_dw < max_dw ? left_dw : max_dw;
        n_dw = n_dw < room_dw ? n_dw : room_dw;
        if (high != run->fifo.base_va >> GPUCMD_NV_ENTRY_VA_BITS) {
            status = gpucmd_nv_gpfifo_push_control(&run->fifo,
                                                   GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
                                                   GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, high), 0);
        }
        if (status == GPUCMD_OK) {
            status = gpucmd_nv_gpfifo_push(&run->fifo, va, (uint32_t)n_dw, 0);
        }
        gpucmd_nv_gpfifo_kick(&run->fifo);
        va += 4 * n_dw;
        left_dw -= n_dw;
    }
    return status;
}

/* Why the executor stopped, on standard error. fault_va becomes where. */
static void nv_tell_stop(const nv_run *run)
{
    const nv_job *job = run->job;
    const gpucmd_nv_pusher *p = &run->pusher;
    const bool old = !GPUCMD_NV_IS_GF100(job->gate.chip);
    const bool memory = old ? p->error == GPUCMD_NV_PUSHER_ERROR_MEM_FAULT : run->pbdma.intr == 0;
    const uint64_t get_va = old ? p->dma_get : run->pbdma.pb_get;
    const uint64_t at = (memory || run->result == GPUCMD_RUN_LIMIT ? get_va : get_va - 4);
    fprintf(stderr, "gpucmd-dump: %s: ", job->in->name);
    if (at - job->base_va < run->regions[1].bytes) {
        fprintf(stderr, "offset 0x%" PRIx64 ": ", at - job->base_va);
    } else {
        fprintf(stderr, "address 0x%" PRIx64 ": ", at);
    }
    if (run->result == GPUCMD_RUN_LIMIT) {
        fprintf(stderr, "still running after %" PRIu64 " words; expected an end\n", run->words);
    } else if (old) {
        fprintf(stderr, "%s: %s; ", gpucmd_nv_pusher_error_name(p->error),
                gpucmd_nv_pusher_error_text(p->error));
    }
#define NV_TELL_INTR(name, bit, text)                                                              \
    if ((run->pbdma.intr & GPUCMD_NV_PBDMA_INTR_##name) != 0) {                                    \
        fprintf(stderr, "%s: %s; ", #name, text);                                                  \
    }
    if (run->result != GPUCMD_RUN_LIMIT) {
        GPUCMD_NV_PBDMA_INTRS(NV_TELL_INTR)
        if (memory) {
            fprintf(stderr, "expected words between 0x%" PRIx64 " and 0x%" PRIx64 "\n",
                    job->base_va, job->base_va + run->regions[1].bytes);
        } else {
            fprintf(stderr, "expected what %s accepts in %s\n", gpucmd_nv_chip_name(job->gate.chip),
                    nv_mode(job));
        }
    }
#undef NV_TELL_INTR
}

/* The result, and the state that the executor is left in, under the names of
 * the hardware. */
static void nv_tell_state(const nv_run *run, FILE *to, bool json)
{
    const gpucmd_nv_pusher *p = &run->pusher;
    const gpucmd_nv_pbdma *b = &run->pbdma;
    fprintf(to,
            json ? "{\"run\":\"%s\",\"words\":%" PRIu64 ",\"methods\":%" PRIu64
                 : "run: %s, %" PRIu64 " words read, %" PRIu64 " methods arrived\nstate:",
            gpucmd_run_name(run->result), run->words, run->methods);
    if (GPUCMD_NV_IS_GF100(run->job->gate.chip)) {
        put_member(to, json, "gp_get", b->gp_get);
        put_member(to, json, "gp_put", b->gp_put);
        put_member(to, json, "pb_get", b->pb_get);
        put_member(to, json, "pb_put", b->pb_put);
        fputs(json ? "" : "\n      ", to);
        put_member(to, json, "subc", b->subc);
        put_member(to, json, "mthd", (uint64_t)b->mthd * 4);
        put_member(to, json, "count", b->count);
        put_member(to, json, "subdevice", b->subdevice);
        put_member(to, json, "hdr_shadow", b->hdr_shadow);
        put_member(to, json, "intr", b->intr);
    } else {
        put_member(to, json, "ib_get", p->ib_get);
        put_member(to, json, "ib_put", p->ib_put);
        put_member(to, json, "dma_get", p->dma_get);
        put_member(to, json, "dma_put", p->dma_put);
        fputs(json ? "" : "\n      ", to);
        put_member(to, json, "subc", p->subc);
        put_member(to, json, "mthd", (uint64_t)p->mthd * 4);
        put_member(to, json, "mcnt", p->mcnt);
        put_member(to, json, "lenp", p->lenp);
        put_member(to, json, "subr_active", p->subr_active);
        put_member(to, json, "sli_active", p->sli_active);
        put_member(to, json, "rsvd_shadow", p->rsvd_shadow);
        put_member(to, json, "error", (uint64_t)p->error);
    }
    fputs(json ? "}" : "\n", to);
}

/* Status of a run that has stopped, with a message if it is not fine. */
static int nv_run_status(const nv_run *run)
{
    const nv_job *job = run->job;
    const uint32_t due = run->pusher.mcnt + run->pbdma.count + (run->pusher.lenp ? 1 : 0);
    if (run->result != GPUCMD_RUN_IDLE) {
        nv_tell_stop(run);
        return EXIT_STREAM;
    }
    if (due != 0 || job->in->extra_bytes != 0) {
        fprintf(stderr,
                "gpucmd-dump: %s: offset 0x%" PRIx64
                ": the stream ends inside a run or a word; expected %s%" PRIu32 " more words\n",
                job->in->name, 4 * (uint64_t)job->in->len_dw,
                job->in->extra_bytes != 0 ? "whole words and " : "", due);
        return EXIT_STREAM;
    }
    return EXIT_FINE;
}

static int nv_execute(nv_job *job)
{
    nv_run *run = calloc(1, sizeof *run);
    int status = EXIT_USAGE;
    if (run == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for the executor\n");
        return EXIT_USAGE;
    }
    run->job = job;
    if (nv_place(run) == EXIT_FINE && nv_prepare(run) == EXIT_FINE) {
        const gpucmd_status submitted =
            job->gate.ib_enable ? nv_submit_ib(run) : nv_submit_nv4(run);
        if (job->out->format == FORMAT_TSV) {
            puts("va\tsubc\tmthd\tdata");
        }
        if (submitted == GPUCMD_OK) {
            nv_go(run);
        }
        if (job->out->format == FORMAT_JSON) {
            begin_row(job->out);
        }
        nv_tell_state(run, job->out->format == FORMAT_TSV ? stderr : stdout,
                      job->out->format == FORMAT_JSON);
        fflush(stdout);
        status = nv_run_status(run);
    }
    free(run);
    return status;
}

/* A stream with words that are no commands: say so if all are when their bytes
 * are turned round. */
static void nv_hint_order(const nv_job *job)
{
    const gpucmd_endian other =
        gpucmd_host_endian() == GPUCMD_BIG_ENDIAN ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN;
    stream turned = *job->in;
    turned.dw = turned.is_text || nv_fits(&turned, &job->gate) ? NULL : malloc(turned.len_dw * 4);
    if (turned.dw == NULL) {
        return;
    }
    gpucmd_store_words(turned.dw, job->in->dw, turned.len_dw, other);
    if (nv_fits(&turned, &job->gate)) {
        fprintf(stderr,
                "gpucmd-dump: %s: in the other byte order all words are commands: expected %s\n",
                turned.name, job->endian == GPUCMD_BIG_ENDIAN ? "no --big-endian" : "--big-endian");
    }
    free(turned.dw);
}

static int nv_main(const options *opt, output *out)
{
    const gpucmd_endian endian =
        opt->value[OPT_BIG_ENDIAN] != NULL ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    stream in;
    nv_job job;
    int status = read_stream(opt, endian, &in);
    memset(&job, 0, sizeof job);
    job.in = &in;
    job.out = out;
    job.endian = endian;
    if (status == EXIT_FINE) {
        status = nv_options(&job, opt);
    }
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? nv_check(&job)
                 : opt->value[OPT_RUN] != NULL ? nv_execute(&job)
                                               : nv_decode(&job);
        status = close_output(out, status);
        if (status == EXIT_STREAM) {
            nv_hint_order(&job);
        }
    }
    free(in.dw);
    return status;
}

#include "dump_i915.h"
#include "dump_agx.h"

/* ==== [DUMP.VENDORS] ======================================================================= */

/* Does all of a vendor's work; the result is the exit status. */
typedef int (*vendor_fn)(const options *opt, output *out);

typedef struct vendor_row {
    const char *name;
    vendor_fn run;
} vendor_row;

static const vendor_row vendor_rows[] = {
    {"nv",   nv_main  },
    {"i915", i915_main},
    {"agx",  agx_main },
};

static const char help_options[] =
    "usage: gpucmd-dump nv|i915|agx [options] [FILE]\n"
    "Decodes a stream of GPU command words, checks it, or runs it in an executor. Reads standard\n"
    "input without FILE. Exit status: 0 fine, 1 the stream has errors, 2 usage or unreadable input.\n"
    "\n"
    "  --check          tell what is wrong or doubtful, with place and rule, instead of decoding\n"
    "  --run            execute the stream, show what happens and the final state\n"
    "  --format FORMAT  text (default), tsv or json; see FORMATS\n"
    "  --color WHEN     auto (default: on a terminal, unless NO_COLOR is set), always, never\n"
    "  --input KIND     raw or hex; recognised without; see INPUT\n"
    "  --base VA        address of the first word, for text, for jumps and for --run\n"
    "  --help  --version\n"
    "\n"
    "Options of nv:\n"
    "  --chip NAME      nv4, nv1a, nv40, g80, gf100, ... gb207; nvXX with the id; a channel class\n"
    "                   such as c76f. Without: the first of gf100, g80, nv40 whose commands all\n"
    "                   words are, else gf100; standard error tells which.\n"
    "  --mode nv4|ib    before gf100: ring with jumps, or IB entries (default from g80 on)\n"
    "  --sli MASK       the subdevices that the GPU is; before gf100 allows SLI_COND\n"
    "  --fmt FORMAT     word formats that gf100 to gp10b accept: new (default), old, both\n"
    "  --big-endian     raw words are big-endian; with --run so is the memory of nv1a to mcp89\n"
    "\n"
    "Options of i915:\n"
    "  --gen N          2, 3, 4, 4.5, 5, 6, 7, 7.5, 8, 9, 11, 12, 12.5\n"
    "  --engine NAME    rcs, bcs, vcs, vecs, ccs\n"
    "                   Without one of them: the first of gen 9, 7.5, 12.5, 6, 5, 4.5, 3, 2, and of\n"
    "                   rcs, bcs, that has all commands up to an end, with legal lengths and bits,\n"
    "                   else 9 and rcs; standard error tells which.\n"
    "  --all            decode what stands behind MI_BATCH_BUFFER_END, too\n"
    "  --secure         with --check and --run: the batch has privilege\n"
    "\n"
    "Options of agx:\n"
    "  --input notation one command a line: #3 R2 barrier=[R1, C2], __ for no barrier\n"
    "  --idle           nothing is alive on the queue before; else index 0 waits for it\n"
    "  --svg FILE       draw the run over time\n"
    "  --dot FILE       write the graph of barriers for Graphviz\n"
    "  --access FILE    memory that the commands read and write, for --check; see FORMATS\n";

static const char help_input[] =
    "\n"
    "INPUT\n"
    "  Text without control characters is read as words in hex, everything else as raw\n"
    "  little-endian words. A line of text is looked at in groups of characters between spaces\n"
    "  and any of , ; : ( ) [ ] { } < > \" ' ` = | or characters beyond ASCII\n"
    "  - 0x with eight hex digits is a word, whatever stands before it (u, U, l, L may follow).\n"
    "  - A line of nothing but groups after 0x, one alone or with commas between them, may have\n"
    "    shorter words. Elsewhere shorter and longer groups are addresses or numbers, not words.\n"
    "  - If no line has a word after 0x, groups of exactly eight hex digits are words. On such a\n"
    "    line a group after 0x that comes first is an address.\n"
    "  - If lines have an address of eight or more hex digits, a colon, and groups of exactly eight\n"
    "    hex digits, only they count, up to the first group of another kind.\n"
    "  - Never a word: a group with a colon behind it, a group alone in brackets, eight digits in\n"
    "    front of a time of day, a line of a dump of bytes, what follows # or // or /* after a\n"
    "    word, a line that begins with #.\n";

static const char help_formats[] =
    "\n"
    "FORMATS\n"
    "  tsv: a header line, tabs, - where a column does not apply. json: one array, an object a\n"
    "  line, the same names, decimal numbers, null where they do not apply.\n"
    " nv\n"
    "  decoding  offset word form subc mthd count: one row a word. form is the name of the command,\n"
    "            DATA for a parameter, COUNT for the count of a long run, INVALID. If the input\n"
    "            ends inside a run or a word, a row TRUNCATED without word follows: subc and mthd\n"
    "            of the method that is due, count of the words missing.\n"
    "  --check   offset severity rule word text expected: one row a finding, first those about\n"
    "            words, then those about methods of the host and of copies. The input counts as a\n"
    "            piece of a stream: what comes before it or elsewhere may be what seems to lack.\n"
    "  --run     va subc mthd data: one row a method that arrives. The result and the state follow\n"
    "            on standard error; in json they are the last element of the array.\n"
    "  In NV4-style mode --run places the words at VA; if they end with RETURN, a ring calls them.\n"
    "  In IB mode they are one segment, or as many as the length of an entry asks for. A stream\n"
    "  that does not end within four times its words and 65536 is stopped.\n"
    " i915\n"
    "  decoding  offset word name len_dw engine: one row a command. name is UNKNOWN for a word that\n"
    "            is no command of the engine, GFX for a 3D or media command without a known name.\n"
    "            If the input ends inside a command or a word, a row TRUNCATED follows: len_dw is\n"
    "            the number of words missing. Decoding ends with MI_BATCH_BUFFER_END; --all goes\n"
    "            on, but what stands behind may be data, and is no error.\n"
    "  --check   as for nv\n"
    "  --run     va event name addr value: what the streamer does. va is the command's address;\n"
    "            value the word fetched, what is read, written or waited for, or the state left;\n"
    "            addr a register or an address. The result follows as for nv, with the registers\n"
    "            that are not 0.\n"
    "  --run starts the words at VA as a batch that a ring calls. Other memory reads as 0 and can be\n"
    "  written, 64 MiB in all; a command outside the input is an error. A batch that does not end\n"
    "  within four times its words and 4096 commands is stopped.\n"
    " agx\n"
    "  The input is a command stream of the upstream UAPI, or the notation of the driver notes.\n"
    "  decoding  queue op target: the entries of the three firmware queues, compute, vertex,\n"
    "            fragment; op RUN or WAIT; target C1, R1v, R1f, with 0 for earlier work.\n"
    "  --check   as for nv; offset is in the stream or the text, word is -. Lines such as\n"
    "              access R1f write 0x1600000000+0x4000   # fragment half, first byte, length\n"
    "              access R2v read 0x1600000000+0x100     # vertex half\n"
    "              access C1 read 0x1600000000+0x100\n"
    "            in the text or in the file of --access declare what the commands do. Then --check\n"
    "            also tells of accesses that overlap without an order (CHECK_MISSING) and of\n"
    "            barriers that no declared access needs (CHECK_ACCIDENT).\n"
    "  --run     start end queue target: the operations on an idle machine, each one unit long\n";

static int help(void)
{
    fputs(help_options, stdout);
    fputs(help_input, stdout);
    fputs(help_formats, stdout);
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_USAGE;
}

/* Options that belong to another vendor, or that exclude each other. */
static int check_options(const options *opt)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *vendors = option_rows[i].vendors;
        if (opt->value[i] != NULL && strstr(vendors, opt->vendor) == NULL) {
            const char *second = strchr(vendors, ' ');
            const int len = (int)strcspn(vendors, " ");
            char expected[48];
            snprintf(expected, sizeof expected, "%.*s%s%s as first argument, not %s", len, vendors,
                     second != NULL ? " or" : "", second != NULL ? second : "", opt->vendor);
            return usage("option", option_rows[i].name, expected);
        }
    }
    if (opt->value[OPT_CHECK] != NULL && opt->value[OPT_RUN] != NULL) {
        return usage("option", "--check", "not to be combined with --run");
    }
    return EXIT_FINE;
}

int main(int argc, char **argv)
{
    options opt;
    output out;
    int status = take_arguments(&opt, argv, argc);
    if (status != EXIT_FINE) {
        return status;
    }
    if (opt.value[OPT_HELP] != NULL) {
        return help();
    }
    if (opt.value[OPT_VERSION] != NULL) {
        printf("gpucmd-dump %d.%d.%d\n", GPUCMD_VERSION_MAJOR, GPUCMD_VERSION_MINOR,
               GPUCMD_VERSION_PATCH);
        return EXIT_FINE;
    }
    if (opt.vendor == NULL) {
        return usage("vendor", "", "nv, i915 or agx as first argument");
    }
    for (size_t i = 0; i < sizeof vendor_rows / sizeof vendor_rows[0]; i++) {
        if (strcmp(opt.vendor, vendor_rows[i].name) != 0) {
            continue;
        }
        status = check_options(&opt);
        status = status == EXIT_FINE ? open_output(&opt, &out) : status;
        return status == EXIT_FINE ? vendor_rows[i].run(&opt, &out) : status;
    }
    return usage("vendor", opt.vendor, "nv, i915 or agx as first argument");
}

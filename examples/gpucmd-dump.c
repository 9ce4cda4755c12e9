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
 *   [DUMP.I915]     Intel: decode, check, run
 *   [DUMP.AGX]      Apple: lower to queues, check, run, pictures
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
        fprintf(stderr, "gpucmd-dump: %s: cannot be read after 0x%zx bytes: expected a file\n",
                name, b->len);
        return EXIT_USAGE;
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
        FILE *file = is_stdin ? stdin : fopen(opt->file, "rb");
        if (file == NULL) {
            fprintf(stderr, "gpucmd-dump: %s: cannot be opened: expected a readable file\n",
                    out->name);
            return EXIT_USAGE;
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
    printf("%zu error%s, %zu warning%s, %zu note%s\n", n[2], n[2] == 1 ? "" : "s", n[1],
           n[1] == 1 ? "" : "s", n[0], n[0] == 1 ? "" : "s");
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
            snprintf(text, cap, "%zu more bytes", 4 - job->in->extra_bytes);
        } else {
            snprintf(text, cap, "%" PRIu32 " more words", f->value);
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
        printf("%zu bytes of a word\n", job->in->extra_bytes);
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
    fprintf(stderr, "%s; expected %s\n", gpucmd_nv_rule_text(rule), expected);
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
                             gpucmd_nv_rule_text(f->rule),
                             expected};
    job->found[severity]++;
    job->truncated = job->truncated || f->rule == GPUCMD_NV_RULE_TRUNCATED;
    nv_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
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
    return job->found[GPUCMD_NV_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

static int nv_check(nv_job *job)
{
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    const int status = nv_lint(job);
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu words of %s in %s: ", job->in->len_dw, gpucmd_nv_chip_name(job->gate.chip),
               nv_mode(job));
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
    }
    free(in.dw);
    return status;
}

/* ==== [DUMP.I915] ========================================================================== */

enum {
    I915_CHUNKS = 256,                 /* pieces of memory that --run adds around the input */
    I915_CHUNK_BYTES = 1 << 16,        /* the first; a neighbour is twice as long */
    I915_SCRATCH_BYTES = 64 * 1048576, /* in all */
};

typedef struct i915_job {
    const stream *in;
    output *out;
    gpucmd_i915_rules rules;
    uint64_t base_va;
    bool secure;
    bool all;        /* decode what stands behind the end, too */
    size_t found[3]; /* findings, by severity; decoding counts its errors */
} i915_job;

static const char *i915_gen(const i915_job *job)
{
    return gpucmd_i915_gen_name(job->rules.gen);
}

static const char *i915_engine(const i915_job *job)
{
    return gpucmd_i915_engine_name(job->rules.engine);
}

/* What i915_fit counts. */
typedef struct i915_fitting {
    size_t errors;
    size_t reserved;
} i915_fitting;

static gpucmd_status i915_fit_found(void *user, const gpucmd_i915_finding *f)
{
    i915_fitting *fitting = user;
    fitting->errors += f->severity == 2 && f->rule != GPUCMD_I915_FINDING_BATCH_ALIGN;
    fitting->reserved += f->rule == GPUCMD_I915_FINDING_RESERVED;
    return GPUCMD_OK;
}

/* 2: every command is one of this engine, with its length and no stray bits. 1: with stray bits.
 * 0: neither. */
static int i915_fit(const stream *in, const gpucmd_i915_rules *rules)
{
    i915_fitting fitting = {0, 0};
    const gpucmd_i915_check_options how = {true, false, true, 0, i915_fit_found, &fitting};
    if (gpucmd_i915_check(rules, in->dw, in->len_dw, &how, NULL) != GPUCMD_OK ||
        fitting.errors != 0) {
        return 0;
    }
    return fitting.reserved == 0 ? 2 : 1;
}

/* Choose the generation, the engine or both: of those that are left open the first that fits best,
 * else gen9 and rcs. gen or engine 0: open. */
static void i915_guess(i915_job *job, uint32_t gen, uint32_t engine)
{
    static const gpucmd_i915_gen gens[] = {
        GPUCMD_I915_GEN9, GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN6,
        GPUCMD_I915_GEN5, GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN3,    GPUCMD_I915_GEN2};
    static const gpucmd_i915_engine engines[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS};
    gpucmd_i915_rules rules;
    int best = -1;
    for (size_t g = 0; g < (gen != 0 ? 1 : sizeof gens / sizeof gens[0]); g++) {
        for (size_t e = 0; e < (engine != 0 ? 1 : sizeof engines / sizeof engines[0]); e++) {
            if (gpucmd_i915_rules_init(&rules, gen != 0 ? (gpucmd_i915_gen)gen : gens[g],
                                       engine != 0 ? (gpucmd_i915_engine)engine : engines[e]) ==
                GPUCMD_OK) {
                const int fit = i915_fit(job->in, &rules);
                job->rules = fit > best ? rules : job->rules;
                best = fit > best ? fit : best;
            }
        }
    }
    if (gen == 0) {
        fprintf(stderr, "gpucmd-dump: no --gen: reading as gen%s\n", i915_gen(job));
    }
    if (engine == 0) {
        fprintf(stderr, "gpucmd-dump: no --engine: reading as %s\n", i915_engine(job));
    }
}

static int i915_options(i915_job *job, const options *opt)
{
    const char *gen_name = opt->value[OPT_GEN];
    const char *engine_name = opt->value[OPT_ENGINE];
    gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    const int status = take_base(opt, &job->base_va);
    if (status != EXIT_FINE) {
        return status;
    }
    job->secure = opt->value[OPT_SECURE] != NULL;
    job->all = opt->value[OPT_ALL] != NULL;
    if (gen_name != NULL && gpucmd_i915_gen_from_name(gen_name, &gen) != GPUCMD_OK) {
        return usage("--gen", gen_name, "2|3|4|4.5|5|6|7|7.5|8|9|11|12|12.5");
    }
    if (engine_name != NULL && gpucmd_i915_engine_from_name(engine_name, &engine) != GPUCMD_OK) {
        return usage("--engine", engine_name, "rcs|bcs|vcs|vecs|ccs");
    }
    if (gen_name != NULL && engine_name != NULL) {
        return gpucmd_i915_rules_init(&job->rules, gen, engine) == GPUCMD_OK
                   ? EXIT_FINE
                   : usage("--engine", engine_name, "an engine that this generation has");
    }
    i915_guess(job, gen_name != NULL ? (uint32_t)gen : 0,
               engine_name != NULL ? (uint32_t)engine : 0);
    return EXIT_FINE;
}

/* ---- decode ---- */

/* One row of the TSV and JSON forms; what does not apply is NULL or -1. */
static void i915_row(const i915_job *job, uint64_t offset, const uint32_t *dw, const char *name,
                     int64_t len_dw)
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"name\":\"%s\"", name);
        put_cell(out, "len_dw", len_dw, false);
        printf(",\"engine\":\"%s\"}", i915_engine(job));
        return;
    }
    printf("0x%" PRIx64, offset);
    printf(dw != NULL ? "\t%08" PRIx32 : "\t-", dw != NULL ? *dw : 0);
    printf("\t%s", name);
    put_cell(out, "len_dw", len_dw, false);
    printf("\t%s\n", i915_engine(job));
}

/* The command at word at. */
typedef struct i915_place_of {
    const i915_job *job;
    size_t at;
} i915_place_of;

static void i915_print(gpucmd_text *t, const void *user)
{
    const i915_place_of *place = user;
    const stream *in = place->job->in;
    gpucmd_i915_print(t, &place->job->rules, in->dw + place->at, in->len_dw - place->at,
                      place->job->base_va + 4 * (uint64_t)place->at);
}

/* A command for people. */
static void i915_text(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at)
{
    const i915_place_of place = {job, at};
    const char *color = cmd->status == GPUCMD_INVALID       ? RED
                        : cmd->op == GPUCMD_I915_OP_MI_NOOP ? DIM
                        : job->in->dw[at] >> 29 == 0        ? CYAN
                                                            : YELLOW;
    size_t len = 0;
    char *lines = make_text(i915_print, &place, &len);
    if (lines != NULL) {
        put_lines(job->out, lines, len, 10, color);
    }
    free(lines);
}

/* The row after the last word of an input that ends too early. missing_dw 0: inside a word. */
static void i915_truncated(const i915_job *job, uint32_t missing_dw)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    if (job->out->format != FORMAT_TEXT) {
        i915_row(job, offset, NULL, "TRUNCATED", missing_dw != 0 ? (int64_t)missing_dw : -1);
    } else if (missing_dw != 0) {
        printf("%08" PRIx64 ": -------- %sTRUNCATED%s: %" PRIu32 " words missing\n",
               job->base_va + offset, paint(job->out, RED), paint(job->out, PLAIN), missing_dw);
    } else {
        printf("%08" PRIx64 ": -------- %sTRUNCATED%s: %zu bytes of a word\n",
               job->base_va + offset, paint(job->out, RED), paint(job->out, PLAIN),
               job->in->extra_bytes);
    }
}

/* Count an error of decoding; true: tell it. */
static bool i915_complain(i915_job *job, uint64_t offset)
{
    if (job->found[2]++ >= MESSAGES) {
        return false;
    }
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx64 ": ", job->in->name, offset);
    return true;
}

/* Print the command at word at; what stands behind MI_BATCH_BUFFER_END may be data, and is no
 * error. */
static void i915_command(i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, bool ended)
{
    const uint32_t *dw = job->in->dw + at;
    const bool known = cmd->status != GPUCMD_INVALID;
    const uint32_t missing_dw = cmd->want_dw > cmd->len_dw ? cmd->want_dw - cmd->len_dw : 0;
    if (job->out->format == FORMAT_TEXT) {
        i915_text(job, cmd, at);
    } else {
        i915_row(job, 4 * (uint64_t)at, dw, known ? gpucmd_i915_name(&job->rules, *dw) : "UNKNOWN",
                 known ? (int64_t)cmd->want_dw : -1);
    }
    if (cmd->status == GPUCMD_TRUNCATED) {
        i915_truncated(job, missing_dw);
    }
    if (!known && !ended && i915_complain(job, 4 * (uint64_t)at)) {
        fprintf(stderr,
                "%08" PRIx32 ": no such command; expected the first word of a command of "
                "gen%s %s\n",
                *dw, i915_gen(job), i915_engine(job));
    }
    if (cmd->status == GPUCMD_TRUNCATED && !ended && i915_complain(job, 4 * (uint64_t)at)) {
        fprintf(stderr, "%s passes the end of the input; expected %" PRIu32 " more words\n",
                gpucmd_i915_name(&job->rules, *dw), missing_dw);
    }
}

static int i915_decode(i915_job *job)
{
    bool ended = false;
    if (job->out->format == FORMAT_TSV) {
        puts("offset\tword\tname\tlen_dw\tengine");
    }
    for (size_t at = 0; at < job->in->len_dw && (!ended || job->all);) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(&job->rules, job->in->dw + at, job->in->len_dw - at, &cmd);
        i915_command(job, &cmd, at, ended);
        ended = ended || cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END;
        at += cmd.len_dw;
    }
    if (job->in->extra_bytes != 0) {
        i915_truncated(job, 0);
        if (i915_complain(job, 4 * (uint64_t)job->in->len_dw)) {
            fprintf(stderr, "the input ends inside a word; expected %zu more bytes\n",
                    4 - job->in->extra_bytes);
        }
    }
    if (job->found[2] > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[2] - MESSAGES);
    }
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- check ---- */

/* Words of a command: fewest and most up to gen7.5, the same from gen8. */
typedef struct i915_length {
    unsigned op;
    unsigned dw[4];
} i915_length;

/* clang-format off */
#define I915_LENGTH(name, hdr, since, until, who, len, a, b, c, d, priv)                           \
    {GPUCMD_I915_OP_##name, {a, b, c, d}},
static const i915_length i915_lengths[] = {GPUCMD_I915_COMMANDS(I915_LENGTH)};
/* clang-format on */
#undef I915_LENGTH

static void i915_expected_words(const gpucmd_i915_rules *rules, uint32_t dw, char *text, size_t cap)
{
    const unsigned op = gpucmd_i915_classify(rules, dw);
    snprintf(text, cap, "as many words as the command has");
    for (size_t i = 0; i < sizeof i915_lengths / sizeof i915_lengths[0]; i++) {
        const unsigned *n = &i915_lengths[i].dw[rules->gen < GPUCMD_I915_GEN8 ? 0 : 2];
        if (i915_lengths[i].op == op) {
            snprintf(text, cap, n[0] == n[1] ? "%u words" : "%u to %u words", n[0], n[1]);
        }
    }
}

/* What a rule asks for. */
static void i915_expected(const i915_job *job, const gpucmd_i915_finding *f, char *text, size_t cap)
{
    const gpucmd_i915_rules *rules = &job->rules;
    switch (f->rule) {
    case GPUCMD_I915_FINDING_TRUNCATED:
        snprintf(text, cap, "%" PRIu32 " words from here, not %zu",
                 gpucmd_i915_length_dw(rules, job->in->dw + f->at_dw, job->in->len_dw - f->at_dw),
                 job->in->len_dw - f->at_dw);
        return;
    case GPUCMD_I915_FINDING_UNKNOWN:
    case GPUCMD_I915_FINDING_GENERATION:
    case GPUCMD_I915_FINDING_ENGINE:
        snprintf(text, cap, "the first word of a command of gen%s %s", i915_gen(job),
                 i915_engine(job));
        return;
    case GPUCMD_I915_FINDING_LENGTH: i915_expected_words(rules, f->value, text, cap); return;
    case GPUCMD_I915_FINDING_NO_END: snprintf(text, cap, "MI_BATCH_BUFFER_END last"); return;
    case GPUCMD_I915_FINDING_BATCH_ALIGN:
        snprintf(text, cap, "an even number of words at a multiple of 8");
        return;
    case GPUCMD_I915_FINDING_PRIVILEGED:
        snprintf(text, cap, "a batch with privilege (--secure), or another command");
        return;
    case GPUCMD_I915_FINDING_REGISTER:
        snprintf(text, cap, "a register that the kernel grants, not 0x%" PRIx32, f->value);
        return;
    case GPUCMD_I915_FINDING_REGISTER_ALIGN:
        snprintf(text, cap, "a multiple of 4 below 0x800000, not 0x%" PRIx32, f->value);
        return;
    case GPUCMD_I915_FINDING_ADDRESS_ALIGN:
        snprintf(text, cap, "zeros in the low bits of the address");
        return;
    case GPUCMD_I915_FINDING_SELF_JUMP: snprintf(text, cap, "another target"); return;
    case GPUCMD_I915_FINDING_SECOND_LEVEL: snprintf(text, cap, "a chained batch"); return;
    case GPUCMD_I915_FINDING_RESERVED:
        snprintf(text, cap, "zeros in the bits of no field: %08" PRIx32, f->value);
        return;
    case GPUCMD_I915_FINDING_AFTER_END: break;
    }
    snprintf(text, cap, "zeros up to the end");
}

/* Tell one finding: a row of --check. */
static gpucmd_status i915_found(void *user, const gpucmd_i915_finding *f)
{
    i915_job *job = user;
    finding_row row = {4 * (uint64_t)f->at_dw, f->severity, f->name, NULL, f->text, NULL};
    char expected[96];
    row.dw = f->at_dw < job->in->len_dw ? &job->in->dw[f->at_dw] : NULL;
    row.expected = expected;
    job->found[f->severity]++;
    i915_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

static int i915_check(i915_job *job)
{
    const gpucmd_i915_check_options how = {job->secure,  false,      false,
                                           job->base_va, i915_found, job};
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    if (gpucmd_i915_check(&job->rules, job->in->dw, job->in->len_dw, &how, NULL) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (job->in->extra_bytes != 0) {
        char expected[32];
        const finding_row row = {4 * (uint64_t)job->in->len_dw,  2,       "TRUNCATED", NULL,
                                 "the input ends inside a word", expected};
        snprintf(expected, sizeof expected, "%zu more bytes", 4 - job->in->extra_bytes);
        job->found[2]++;
        put_finding(job->out, &row);
    }
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu words of gen%s %s: ", job->in->len_dw, i915_gen(job), i915_engine(job));
        put_counts(job->found);
    }
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- run ---- */

/* A streamer under way. The same run is made again with more memory until it has all that it
 * touches; the last time its rows are printed. */
typedef struct i915_run {
    i915_job *job;
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_region regions[1 + I915_CHUNKS]; /* the input, then zeros where it reads or writes */
    size_t chunks;
    uint64_t scratch_bytes;
    uint64_t end_va;   /* of the input */
    uint64_t fetch_va; /* of the command under way */
    bool quiet;
    bool outside; /* a command is not part of the input */
    gpucmd_run result;
} i915_run;

/* One row of the trace. */
static void i915_trace_row(const i915_run *run, const gpucmd_event *event, const char *name,
                           int64_t addr, uint64_t value)
{
    output *out = run->job->out;
    const char *kind = gpucmd_event_name(event->kind);
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"va\":%" PRIu64 ",\"event\":\"%s\"", run->fetch_va, kind);
        printf(name != NULL ? ",\"name\":\"%s\"" : ",\"name\":null", name != NULL ? name : "");
        put_cell(out, "addr", addr, true);
        printf(",\"value\":%" PRIu64 "}", value);
    } else if (out->format == FORMAT_TSV) {
        printf("0x%" PRIx64 "\t%s\t%s", run->fetch_va, kind, name != NULL ? name : "-");
        put_cell(out, "addr", addr, true);
        printf("\t%08" PRIx64 "\n", value);
    } else {
        printf("%s0x%06" PRIx64 "%s  %-9s", paint(out, DIM), run->fetch_va, paint(out, PLAIN),
               kind);
        if (addr >= 0) {
            printf("  0x%" PRIx64, (uint64_t)addr);
        }
        printf(event->kind == GPUCMD_EVENT_STATE ? ""
               : addr >= 0                       ? " = %08" PRIx64
                                                 : "  %08" PRIx64,
               value);
        printf(name != NULL ? "  %s\n" : "%s\n", name != NULL ? name : "");
    }
}

/* What the streamer does. */
static gpucmd_status i915_traced(void *user, const gpucmd_event *event)
{
    i915_run *run = user;
    const char *name = NULL;
    int64_t addr = -1;
    if (event->kind == GPUCMD_EVENT_FETCH) {
        const uint64_t len_bytes = 4 * (uint64_t)run->cs.cmd_dw;
        run->fetch_va = event->va;
        run->outside = run->outside || event->va < run->job->base_va || event->va > run->end_va ||
                       run->end_va - event->va < len_bytes;
        name = gpucmd_i915_name(&run->job->rules, (uint32_t)event->value);
    } else if (event->kind == GPUCMD_EVENT_STATE) {
        name = gpucmd_i915_state_name((gpucmd_i915_state)event->code);
    } else if (event->kind == GPUCMD_EVENT_ERROR) {
        name = gpucmd_i915_error_name((gpucmd_i915_error)event->code);
    } else if (event->kind == GPUCMD_EVENT_REG_READ || event->kind == GPUCMD_EVENT_REG_WRITE) {
        addr = event->addr;
    } else if (event->kind == GPUCMD_EVENT_COMMAND) {
        name = gpucmd_i915_name(&run->job->rules, (uint32_t)event->value);
    } else if (event->kind != GPUCMD_EVENT_INTERRUPT) {
        addr = (int64_t)(event->va & 0xffffffffffffu);
    }
    if (!run->quiet && !run->outside) {
        i915_trace_row(run, event, name, addr, event->value);
    }
    return GPUCMD_OK;
}

/* From the beginning: memory as it was, a new streamer. */
static int i915_begin(i915_run *run)
{
    const i915_job *job = run->job;
    for (size_t i = 1; i <= run->chunks; i++) {
        memset(run->regions[i].host, 0, (size_t)run->regions[i].bytes);
    }
    gpucmd_store_words(run->regions[0].host, job->in->dw, job->in->len_dw, GPUCMD_LITTLE_ENDIAN);
    run->outside = false;
    run->fetch_va = job->base_va;
    gpucmd_env_init(&run->env, &run->mem, NULL, NULL);
    run->env.trace = i915_traced;
    run->env.trace_user = run;
    return gpucmd_mem_init(&run->mem, run->regions, run->chunks + 1) == GPUCMD_OK &&
                   gpucmd_i915_cs_init(&run->cs, job->rules.gen, job->rules.engine, 0) ==
                       GPUCMD_OK &&
                   (job->in->len_dw == 0 ||
                    gpucmd_i915_cs_batch(&run->cs, job->base_va, job->secure) == GPUCMD_OK)
               ? EXIT_FINE
               : EXIT_USAGE;
}

/* Step until it stops. */
static void i915_go(i915_run *run)
{
    const uint64_t budget = 4 * (uint64_t)run->job->in->len_dw + 4096;
    do {
        run->result = gpucmd_i915_step(&run->cs, &run->env);
    } while (run->result == GPUCMD_RUN_DONE && !run->outside && run->cs.commands < budget);
    if (run->result == GPUCMD_RUN_DONE) {
        run->result = run->outside ? GPUCMD_RUN_FAULT : GPUCMD_RUN_LIMIT;
    }
}

/* Zeros where the streamer found no memory. False: that was not why it stopped, or there is no
 * more. */
static bool i915_add_memory(i915_run *run)
{
    const uint64_t va = run->mem.fault_va & ~(uint64_t)(I915_CHUNK_BYTES - 1);
    gpucmd_region *last = &run->regions[run->chunks];
    uint64_t size = I915_CHUNK_BYTES;
    if (run->result != GPUCMD_RUN_FAULT || run->outside ||
        run->cs.error != GPUCMD_I915_ERROR_MEMORY || run->chunks == I915_CHUNKS) {
        return false;
    }
    if (run->chunks != 0 && last->va + last->bytes == va) {
        size = 2 * last->bytes;
    }
    if (size > I915_SCRATCH_BYTES - run->scratch_bytes || va + size - 1 < va) {
        size = I915_CHUNK_BYTES;
    }
    if (size > I915_SCRATCH_BYTES - run->scratch_bytes) {
        return false;
    }
    last++;
    last->host = malloc((size_t)size);
    if (last->host == NULL) {
        return false;
    }
    last->va = va;
    last->bytes = size;
    last->access = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    run->scratch_bytes += size;
    run->chunks++;
    return true;
}

/* Status of a run that has stopped, with a message if it is not fine. */
static int i915_run_status(i915_run *run)
{
    const i915_job *job = run->job;
    const bool no_fetch = run->cs.error == GPUCMD_I915_ERROR_FETCH;
    const bool left = run->outside || no_fetch;
    const uint64_t at_va = no_fetch ? run->mem.fault_va : run->cs.acthd;
    char lines[256];
    gpucmd_text text;
    if (run->result == GPUCMD_RUN_IDLE) {
        return EXIT_FINE;
    }
    fprintf(stderr, "gpucmd-dump: %s: ", job->in->name);
    if (at_va < job->base_va || at_va >= run->end_va) {
        fprintf(stderr, "address 0x%" PRIx64 ": ", at_va);
    } else {
        fprintf(stderr, "offset 0x%" PRIx64 ": ", at_va - job->base_va);
    }
    if (run->result == GPUCMD_RUN_LIMIT) {
        fprintf(stderr, "still running after %" PRIu64 " commands; expected an end\n",
                run->cs.commands);
    } else if (run->result == GPUCMD_RUN_BLOCKED) {
        gpucmd_text_init(&text, lines, sizeof lines);
        gpucmd_i915_print_waits(&text, &run->cs, 1, &run->mem);
        fprintf(stderr, "blocked, nothing else runs; expected a condition that holds\n%s", lines);
    } else if (left) {
        fprintf(stderr,
                "the batch leaves the input; expected MI_BATCH_BUFFER_END, or whole commands "
                "between 0x%" PRIx64 " and 0x%" PRIx64 " (--base)\n",
                job->base_va, run->end_va);
    } else if (run->cs.error == GPUCMD_I915_ERROR_MEMORY) {
        fprintf(stderr, "MEMORY: no memory at 0x%" PRIx64 "; expected to touch at most %d MiB\n",
                run->mem.fault_va, I915_SCRATCH_BYTES / 1048576);
    } else {
        fprintf(stderr, "%s: %s; expected what gen%s %s executes in a batch\n",
                gpucmd_i915_error_name(run->cs.error), gpucmd_i915_error_text(run->cs.error),
                i915_gen(job), i915_engine(job));
    }
    return EXIT_STREAM;
}

/* Name of a register by its offset from the engine's base; NULL without one. */
static const char *i915_register_name(uint32_t off)
{
    switch (off & ~7u) { /* 16 of 64 bits */
#define I915_GPR(n)                                                                                \
    case GPUCMD_I915_REG_CS_GPR + 8 * (n): return off & 4 ? "CS_GPR" #n "_HIGH" : "CS_GPR" #n;
        I915_GPR(0)
        I915_GPR(1)
        I915_GPR(2)
        I915_GPR(3)
        I915_GPR(4)
        I915_GPR(5)
        I915_GPR(6)
        I915_GPR(7) I915_GPR(8) I915_GPR(9) I915_GPR(10) I915_GPR(11) I915_GPR(12) I915_GPR(13)
            I915_GPR(14) I915_GPR(15)
#undef I915_GPR
                default : break;
    }
    switch (off) {
#define I915_REGISTER(name, at, meaning)                                                           \
    case at: return #name;
        GPUCMD_I915_RING_REGS(I915_REGISTER)
#undef I915_REGISTER
    default: return NULL;
    }
}

/* The result, and the state that the streamer is left in: its registers that are not 0. */
static void i915_tell_state(const i915_run *run, FILE *to, bool json)
{
    const gpucmd_i915_cs *cs = &run->cs;
    fprintf(to,
            json ? "{\"run\":\"%s\",\"commands\":%" PRIu64 ",\"interrupts\":%" PRIu64
                   ",\"state\":\"%s\",\"error\":\"%s\""
                 : "run: %s, %" PRIu64 " commands, %" PRIu64 " interrupts, state %s, error %s\n"
                   "state:",
            gpucmd_run_name(run->result), cs->commands, cs->interrupts,
            gpucmd_i915_state_name(cs->state), gpucmd_i915_error_name(cs->error));
    put_member(to, json, "acthd", cs->acthd);
    put_member(to, json, "head", cs->head);
    put_member(to, json, "tail", cs->tail);
    put_member(to, json, "timestamp", cs->timestamp);
    for (uint32_t off = 0; off < GPUCMD_I915_WINDOW_BYTES; off += 4) {
        const char *name = i915_register_name(off);
        char number[16];
        if (cs->reg[off / 4] != 0) {
            snprintf(number, sizeof number, "0x%" PRIx32, cs->base + off);
            fputs(json ? "" : "\n      ", to);
            put_member(to, json, name != NULL ? name : number, cs->reg[off / 4]);
        }
    }
    fputs(json ? "}" : "\n", to);
}

/* The input must lie where the generation has addresses. */
static int i915_place(i915_run *run)
{
    const i915_job *job = run->job;
    const uint64_t limit = (uint64_t)1 << (job->rules.gen >= GPUCMD_I915_GEN8 ? 48 : 32);
    const uint64_t len_bytes = 4 * (uint64_t)job->in->len_dw;
    if (len_bytes > limit || job->base_va > limit - len_bytes) {
        fprintf(stderr,
                "gpucmd-dump: --base '0x%" PRIx64 "': expected 0x%" PRIx64
                " bytes to lie below 0x%" PRIx64 " for gen%s\n",
                job->base_va, len_bytes, limit, i915_gen(job));
        return EXIT_USAGE;
    }
    run->end_va = job->base_va + len_bytes;
    run->regions[0].va = job->base_va;
    run->regions[0].bytes = len_bytes;
    run->regions[0].access = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    run->regions[0].host = malloc((size_t)len_bytes + 1);
    return run->regions[0].host != NULL ? EXIT_FINE : EXIT_USAGE;
}

static int i915_execute(i915_job *job)
{
    i915_run *run = calloc(1, sizeof *run);
    int status = EXIT_USAGE;
    if (run == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for the executor\n");
        return EXIT_USAGE;
    }
    run->job = job;
    run->quiet = true;
    if (i915_place(run) == EXIT_FINE && i915_begin(run) == EXIT_FINE) {
        do {
            status = i915_begin(run);
            i915_go(run);
        } while (status == EXIT_FINE && i915_add_memory(run));
        run->quiet = false;
        status = i915_begin(run);
        if (job->out->format == FORMAT_TSV) {
            puts("va\tevent\tname\taddr\tvalue");
        }
        i915_go(run);
        if (job->out->format == FORMAT_JSON) {
            begin_row(job->out);
        }
        i915_tell_state(run, job->out->format == FORMAT_TSV ? stderr : stdout,
                        job->out->format == FORMAT_JSON);
        fflush(stdout);
        status = i915_run_status(run);
    }
    for (size_t i = 0; i <= run->chunks; i++) {
        free(run->regions[i].host);
    }
    free(run);
    return status;
}

static int i915_main(const options *opt, output *out)
{
    stream in;
    i915_job job;
    int status = read_stream(opt, GPUCMD_LITTLE_ENDIAN, &in);
    memset(&job, 0, sizeof job);
    job.in = &in;
    job.out = out;
    if (status == EXIT_FINE) {
        status = i915_options(&job, opt);
    }
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? i915_check(&job)
                 : opt->value[OPT_RUN] != NULL ? i915_execute(&job)
                                               : i915_decode(&job);
        status = close_output(out, status);
    }
    free(in.dw);
    return status;
}

/* ==== [DUMP.AGX] =========================================================================== */

/* One submission; bytes are its stream, or its notation. */
typedef struct agx_job {
    const char *name;
    output *out;
    bytes in;
    bool notation;
    uint32_t prior; /* GPUCMD_AGX_PRIOR_* */
    gpucmd_agx_job job;
    gpucmd_agx_finding finding;
    gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t entry_count;
    gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    uint32_t span_count;
    size_t found[3]; /* findings, by severity */
} agx_job;

static gpucmd_status agx_parse_notation(agx_job *job)
{
    return gpucmd_agx_parse_notation((const char *)job->in.data, job->in.len, true, &job->job,
                                     &job->finding);
}

/* Bytes of a command stream, or a text left as it is. Words in hex become bytes. */
static int agx_read(agx_job *job, const options *opt)
{
    static const char kinds[] = "auto|raw|hex|notation";
    int input;
    stream words;
    bool ascii = false;
    int status = read_input(opt, kinds, &words, &job->in);
    job->name = words.name;
    if (status != EXIT_FINE) {
        return status;
    }
    input = choose(opt, OPT_INPUT, kinds);
    job->notation = input == INPUT_NOTATION;
    if (input == INPUT_AUTO) {
        ascii = looks_like_text(&job->in, &ascii) && ascii;
        job->notation = agx_parse_notation(job) == GPUCMD_OK;
    }
    if (job->notation || input == INPUT_RAW || (input == INPUT_AUTO && !ascii)) {
        return EXIT_FINE;
    }
    words.dw = malloc((job->in.len / 2 + 1) * sizeof *words.dw);
    if (words.dw == NULL) {
        fprintf(stderr, "gpucmd-dump: %s: no memory for 0x%zx bytes\n", job->name, job->in.len);
        return EXIT_USAGE;
    }
    words_of_text(&job->in, &words);
    if (words.len_dw == 0 && input == INPUT_HEX) {
        free(words.dw);
        return no_word(job->name, job->in.len);
    }
    if (words.len_dw == 0) {
        job->notation = true;
        free(words.dw);
    } else {
        gpucmd_store_words(words.dw, words.dw, words.len_dw, GPUCMD_LITTLE_ENDIAN);
        free(job->in.data);
        job->in.data = (uint8_t *)words.dw;
        job->in.len = words.len_dw * 4;
    }
    return EXIT_FINE;
}

/* What a rule asks for. */
static const char *agx_expected(gpucmd_agx_rule rule)
{
    switch ((unsigned)rule) {
    case GPUCMD_AGX_RULE_NOTATION: return "a line such as #3 R2 barrier=[R1, C2]";
    case GPUCMD_AGX_RULE_NOTATION_NUMBER: return "commands, renders and computes in order";
    case GPUCMD_AGX_RULE_COMMAND_COUNT: return "1 to 64 commands";
    case GPUCMD_AGX_RULE_VDM_BARRIER: return "__, R0, or a render that comes before";
    case GPUCMD_AGX_RULE_CDM_BARRIER: return "__, C0, or a compute that comes before";
    case GPUCMD_AGX_RULE_HEADER_TRUNCATED: return "a header of 8 bytes";
    case GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED: return "as many bytes as the header says";
    case GPUCMD_AGX_RULE_COMMAND_UNKNOWN: return "cmd_type 0 to 3";
    case GPUCMD_AGX_RULE_LINT_IMPLIED:
    case GPUCMD_AGX_RULE_LINT_OWN_COMPUTE:
    case GPUCMD_AGX_RULE_LINT_NO_PRIOR: return "no barrier here";
    case GPUCMD_AGX_RULE_LINT_ALONE: return "barriers on what the command needs";
    default: return "what the kernel accepts";
    }
}

/* Tell the check that failed, on standard error. */
static int agx_refused(const agx_job *job)
{
    const gpucmd_agx_finding *f = &job->finding;
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx32 ": ", job->name, f->off_bytes);
    if (f->command >= 0) {
        fprintf(stderr, "command %" PRId32 ": ", f->command);
    }
    fprintf(stderr, "%s: %s; expected %s\n", gpucmd_agx_rule_name(f->rule),
            gpucmd_agx_rule_text(f->rule), agx_expected(f->rule));
    return EXIT_STREAM;
}

/* ---- decode ---- */

static void agx_print_all(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    if (!job->notation) {
        gpucmd_agx_print_stream(t, job->in.data, job->in.len);
        gpucmd_text_str(t, "\n");
    }
    if (job->finding.rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_agx_print_notation(t, &job->job);
        gpucmd_text_str(t, "\n");
        gpucmd_agx_print_queues(t, job->entries, job->entry_count);
    }
}

static void agx_print_tsv(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_queues_tsv(t, job->entries, job->entry_count);
}

/* "R1v" */
static const char *agx_target(const gpucmd_agx_entry *entry, char text[16])
{
    gpucmd_text t;
    gpucmd_text_init(&t, text, 16);
    gpucmd_agx_print_target(&t, entry);
    return text;
}

static int agx_decode(const agx_job *job)
{
    char target[16];
    if (job->out->format == FORMAT_TEXT) {
        return put_text(agx_print_all, job, stdout);
    }
    if (job->out->format == FORMAT_TSV) {
        return put_text(agx_print_tsv, job, stdout);
    }
    for (uint32_t ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
        for (uint32_t i = 0; i < job->entry_count; i++) {
            const gpucmd_agx_entry *entry = &job->entries[i];
            if (entry->ring == ring) {
                begin_row(job->out);
                printf("{\"queue\":\"%s\",\"op\":\"%s\",\"target\":\"%s\"}",
                       gpucmd_agx_ring_name((gpucmd_agx_ring)ring),
                       entry->op == GPUCMD_AGX_OP_RUN ? "RUN" : "WAIT", agx_target(entry, target));
            }
        }
    }
    return EXIT_FINE;
}

/* ---- check ---- */

/* Tell one finding: a row of --check. */
static void agx_found(void *user, const gpucmd_agx_finding *f)
{
    agx_job *job = user;
    const bool error = gpucmd_agx_rule_errno(f->rule) != 0;
    const finding_row row = {f->off_bytes,
                             error                                      ? 2
                             : f->rule == GPUCMD_AGX_RULE_LINT_NO_PRIOR ? 0
                                                                        : 1,
                             gpucmd_agx_rule_name(f->rule),
                             NULL,
                             gpucmd_agx_rule_text(f->rule),
                             agx_expected(f->rule)};
    job->found[row.severity]++;
    put_finding(job->out, &row);
}

static int agx_check(agx_job *job, bool legal)
{
    static gpucmd_agx_order order;
    const gpucmd_agx_lint_input lint = {&job->job, job->prior, NULL, 0, agx_found, job};
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    if (legal) {
        gpucmd_agx_lint(&lint, &order);
    } else {
        agx_found(job, &job->finding);
    }
    if (job->out->format == FORMAT_TEXT) {
        printf("%" PRIu32 " commands: ", legal ? job->job.count : 0);
        put_counts(job->found);
    }
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- run ---- */

/* Operations start and end; both make one span. */
static gpucmd_status agx_event(void *user, const gpucmd_event *event)
{
    agx_job *job = user;
    const gpucmd_agx_command *command;
    if (event->kind == GPUCMD_EVENT_START && job->span_count < 2 * GPUCMD_AGX_MAX_COMMANDS) {
        gpucmd_agx_span *span = &job->spans[job->span_count++];
        command = &job->job.commands[event->value];
        memset(span, 0, sizeof *span);
        span->start = span->end = event->va;
        span->queue = event->unit;
        span->job = event->addr;
        span->ring = (uint8_t)event->code;
        span->number = (uint8_t)command->number;
        span->command = (uint8_t)event->value;
        span->blit = command->kind == GPUCMD_AGX_KIND_BLIT;
    }
    for (uint32_t i = 0; event->kind == GPUCMD_EVENT_FINISH && i < job->span_count; i++) {
        if (job->spans[i].command == event->value && job->spans[i].ring == event->code) {
            job->spans[i].end = event->va;
        }
    }
    return GPUCMD_OK;
}

/* Run the submission on an idle machine on which every operation takes one unit of time. */
static int agx_execute(agx_job *job)
{
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
    static gpucmd_agx_exec x;
    const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, GPUCMD_AGX_RING_ENTRIES,
                                           NULL,   0, NULL, 0};
    const gpucmd_agx_submission submission = {&job->job, NULL, 0, 0, NULL, 0};
    gpucmd_env env;
    gpucmd_run result = GPUCMD_RUN_FAULT;
    uint32_t slot;
    gpucmd_env_init(&env, NULL, agx_event, job);
    if (gpucmd_agx_exec_init(&x, &tables, &env) == GPUCMD_OK) {
        for (int ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
            x.durations.ring[ring] = 1;
        }
        if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) ==
            GPUCMD_OK) {
            result = gpucmd_agx_exec_run(&x, 1000);
        }
    }
    if (result != GPUCMD_RUN_IDLE) {
        fprintf(stderr, "gpucmd-dump: %s: run: %s; expected IDLE\n", job->name,
                gpucmd_run_name(result));
        return EXIT_STREAM;
    }
    return EXIT_FINE;
}

static void agx_print_timeline(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_timeline(t, job->spans, job->span_count, 60);
}

static int agx_run(const agx_job *job)
{
    char target[16];
    if (job->out->format == FORMAT_TEXT) {
        return put_text(agx_print_timeline, job, stdout);
    }
    if (job->out->format == FORMAT_TSV) {
        puts("start\tend\tqueue\ttarget");
    }
    for (uint32_t i = 0; i < job->span_count; i++) {
        const gpucmd_agx_span *span = &job->spans[i];
        gpucmd_agx_entry entry;
        memset(&entry, 0, sizeof entry);
        entry.target = span->ring;
        entry.number = span->number;
        entry.blit = span->blit;
        begin_row(job->out);
        printf(job->out->format == FORMAT_TSV ? "%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n"
                                              : "{\"start\":%" PRIu64 ",\"end\":%" PRIu64
                                                ",\"queue\":\"%s\",\"target\":\"%s\"}",
               span->start, span->end, gpucmd_agx_ring_name((gpucmd_agx_ring)span->ring),
               agx_target(&entry, target));
    }
    return EXIT_FINE;
}

/* ---- pictures ---- */

static void agx_print_svg(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_svg(t, job->spans, job->span_count);
}

static void agx_print_dot(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_dot(t, &job->job, job->prior);
}

/* Write what an option asks for into its file. */
static int agx_picture(const agx_job *job, const char *path, text_fn fn)
{
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    int status = EXIT_FINE;
    if (path == NULL) {
        return EXIT_FINE;
    }
    if (file != NULL) {
        status = put_text(fn, job, file);
    }
    if (file == NULL || (fclose(file) != 0) || status != EXIT_FINE) {
        fprintf(stderr, "gpucmd-dump: %s: cannot be written: expected a writable file\n", path);
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

/* A legal submission: lower it, run it, then what was asked for. */
static int agx_work(agx_job *job, const options *opt)
{
    int status = gpucmd_agx_lower(&job->job, job->prior, job->entries, GPUCMD_AGX_MAX_ENTRIES,
                                  &job->entry_count) == GPUCMD_OK
                     ? agx_execute(job)
                     : EXIT_STREAM;
    status = status == EXIT_FINE ? agx_picture(job, opt->value[OPT_SVG], agx_print_svg) : status;
    status = status == EXIT_FINE ? agx_picture(job, opt->value[OPT_DOT], agx_print_dot) : status;
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? agx_check(job, true)
                 : opt->value[OPT_RUN] != NULL ? agx_run(job)
                                               : agx_decode(job);
    }
    return status;
}

static int agx_main(const options *opt, output *out)
{
    agx_job *job = calloc(1, sizeof *job);
    int status = EXIT_USAGE;
    if (job == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for a submission\n");
        return EXIT_USAGE;
    }
    job->out = out;
    job->prior = opt->value[OPT_IDLE] != NULL ? GPUCMD_AGX_PRIOR_NONE : GPUCMD_AGX_PRIOR_BOTH;
    status = agx_read(job, opt);
    if (status == EXIT_FINE) {
        const bool legal =
            (job->notation ? agx_parse_notation(job)
                           : gpucmd_agx_parse_stream(job->in.data, job->in.len, NULL, &job->job,
                                                     &job->finding)) == GPUCMD_OK;
        if (legal) {
            status = agx_work(job, opt);
        } else if (opt->value[OPT_CHECK] != NULL) {
            status = agx_check(job, false);
        } else {
            if (out->format == FORMAT_TEXT && opt->value[OPT_RUN] == NULL) {
                put_text(agx_print_all, job, stdout);
            } else if (out->format == FORMAT_TSV) {
                puts(opt->value[OPT_RUN] != NULL ? "start\tend\tqueue\ttarget"
                                                 : "queue\top\ttarget");
            }
            fflush(stdout);
            status = agx_refused(job);
        }
        status = close_output(out, status);
    }
    free(job->in.data);
    free(job);
    return status;
}

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
    "  --dot FILE       write the graph of barriers for Graphviz\n";

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
    "  --check   offset severity rule word text expected: one row a finding\n"
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
    "  --check   as for nv; offset is in the stream or the text, word is -\n"
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
        const char *at = strstr(option_rows[i].vendors, opt->vendor);
        if (opt->value[i] != NULL && at == NULL) {
            return usage("option", option_rows[i].name, "another vendor");
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

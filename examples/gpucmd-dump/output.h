/* output.h - rows as text, TSV or JSON, for gpucmd-dump.c. */
#ifndef DUMP_OUTPUT_H
#define DUMP_OUTPUT_H

#include "base.h"
#include "memory.h"
#include "options.h"
#include "settings.h"
#include "stream.h"
#include "words.h"

/* A finding that a page shows beside its line. */
typedef struct kept_finding {
    uint64_t offset;
    uint32_t severity;
    char rule[32];
    char text[200];
} kept_finding;

enum { ROW_COMMAND = 1, ROW_WRONG = 2 };

/* Take a line of text in place of standard output. flags: the line begins a command, the command is
 * wrong. offset: of its word in the stream. */
typedef void (*row_fn)(void *user, const char *line, size_t len, uint32_t flags, uint64_t offset);

typedef struct output {
    int format;
    bool color;
    size_t rows;
    bool many;       /* several streams: each row has its number */
    bool has_header; /* the header of TSV is written */
    size_t stream;   /* the present one */
    FILE *page;      /* of --html, or NULL */
    bool to_page;    /* lines go to the page */
    row_fn row;      /* NULL, or what takes the lines of commands */
    void *row_user;
    kept_finding *findings; /* of the present stream, by offset */
    size_t finding_count;
    size_t finding_at; /* the next one to show */
} output;

static void open_output(const settings *set, output *out)
{
    const char *no_color = getenv("NO_COLOR");
    memset(out, 0, sizeof *out);
    out->format = set->format;
    out->color =
        set->color == COLOR_ALWAYS || (set->color == COLOR_AUTO && isatty(fileno(stdout)) &&
                                       (no_color == NULL || no_color[0] == '\0'));
}

/* Begin a row: in JSON the object, in TSV nothing; with several streams the number of the stream. */
static void begin_row(output *out)
{
    if (out->format == FORMAT_JSON) {
        fputs(out->rows == 0 ? "[\n{" : ",\n{", stdout);
        if (out->many) {
            printf("\"stream\":%zu,", out->stream);
        }
    } else if (out->format == FORMAT_TSV && out->many) {
        printf("%zu\t", out->stream);
    }
    out->rows++;
}

/* Write the header line of TSV, once. */
static void put_header(output *out, const char *columns)
{
    if (out->format == FORMAT_TSV && !out->has_header) {
        printf(out->many ? "stream\t%s\n" : "%s\n", columns);
        out->has_header = true;
    }
}

/* End the output after the last row. Return status, or the exit status of a
 * failed write. */
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

#define BOLD   "\033[1m"
#define DIM    "\033[2m"
#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define CYAN   "\033[36m"
#define PLAIN  "\033[0m"

/* Write lines of text. With colours the address is dim, and the form is coloured;
 * gap characters separate them. */
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

/* Write the number v in column key of a row. A negative v means that the row has no
 * number in this column. */
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

/* Write a text as a string of JSON. */
static void put_string(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            putc('\\', to);
        }
        if (c < 0x20 || c >= 0x7f) {
            fprintf(to, "\\u%04x", c);
        } else {
            putc(c, to);
        }
    }
    putc('"', to);
}

/* Write a text in column key of a row; "" means that the row has none. */
static void put_text_cell(const output *out, const char *key, const char *text)
{
    if (out->format == FORMAT_JSON && text[0] != '\0') {
        printf(",\"%s\":", key);
        put_string(stdout, text);
    } else if (out->format == FORMAT_JSON) {
        printf(",\"%s\":null", key);
    } else {
        printf("\t%s", text[0] != '\0' ? text : "-");
    }
}

/* Append a text; called again with a longer buffer if it does not fit. */
typedef void (*text_fn)(gpucmd_text *t, const void *user);

/* Return the whole text of fn, which the caller frees; *len is its length. Without
 * memory print a message and return NULL. */
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
        if (t.need_bytes < cap) {
            return text;
        }
        cap = t.need_bytes + 1;
    }
}

static int put_text(text_fn fn, const void *user, FILE *to)
{
    size_t len = 0;
    char *text = make_text(fn, user, &len);
    const bool whole = text != NULL && fwrite(text, 1, len, to) == len;
    free(text);
    return exit_unless(whole, EXIT_USAGE);
}

/* Write one member of the final state of --run. */
static void put_member(FILE *to, bool json, const char *name, uint64_t v)
{
    fprintf(to, json ? ",\"%s\":%" PRIu64 : " %s=0x%" PRIx64, name, v);
}

/* One finding of --check. */
typedef struct finding_row {
    uint64_t offset;
    uint32_t severity; /* 0 note, 1 warning, 2 error */
    const char *rule;
    const uint32_t *dw; /* the word, or NULL */
    const char *text;
    const char *expected;
} finding_row;

#define FINDING_HEADER "offset\tseverity\trule\tword\ttext\texpected"

enum { KEPT_FINDINGS = 1 << 14 }; /* of one stream */

/* Keep a finding for the page; of very many the first. */
static void keep_finding(output *out, const finding_row *f)
{
    if (out->finding_count == KEPT_FINDINGS) {
        return;
    }
    out->findings = resize(out->findings, out->finding_count + 1, sizeof *out->findings);
    kept_finding *kept = &out->findings[out->finding_count++];
    memset(kept, 0, sizeof *kept);
    kept->offset = f->offset;
    kept->severity = f->severity;
    snprintf(kept->rule, sizeof kept->rule, "%s", f->rule);
    snprintf(kept->text, sizeof kept->text, "%s; expected %s", f->text, f->expected);
}

static int by_offset(const void *a, const void *b)
{
    const kept_finding *x = a;
    const kept_finding *y = b;
    if (x->offset < y->offset) {
        return -1;
    }
    return x->offset > y->offset;
}

static const char *severity_name(uint32_t severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity < 3 ? severity : 2];
}

static void put_finding(output *out, const finding_row *f)
{
    if (out->format == FORMAT_KEEP) {
        keep_finding(out, f);
        return;
    }
    const char *name = severity_name(f->severity);
    uint32_t dw = 0;
    if (f->dw != NULL) {
        dw = *f->dw;
    }
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("\"offset\":%" PRIu64 ",\"severity\":\"%s\",\"rule\":\"%s\"", f->offset, name,
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

/* Write a line such as "1 error, 0 warnings, 2 notes"; n is indexed by severity. */
static void put_counts(const size_t n[3])
{
    printf("%zu error%s, %zu warning%s, %zu note%s\n", n[2], plural(n[2]), n[1], plural(n[1]), n[0],
           plural(n[0]));
}

#endif

/* section.h - what is printed around the rows of a stream, for gpucmd-dump.c. */
#ifndef DUMP_SECTION_H
#define DUMP_SECTION_H

#include "base.h"
#include "hex.h"
#include "html.h"
#include "options.h"
#include "output.h"
#include "settings.h"
#include "stream.h"
#include "text.h"

/* Print the title of a stream in text output, if there are several or the dump describes it. */
static void put_section(output *out, const dump *d, size_t index, const char *chip, const char *why)
{
    const stream *s = &d->streams[index];
    out->stream = index;
    if (out->format != FORMAT_TEXT || (s->kind == NULL && !out->many)) {
        return;
    }
    printf("%s%s# stream %zu:", out->rows != 0 ? "\n" : "", paint(out, BOLD), index);
    out->rows++;
    if (s->engine[0] != '\0') {
        printf(" %s", s->engine);
    }
    printf(" %s", s->kind != NULL ? s->kind : "words");
    if (s->has_va) {
        printf(" at 0x%" PRIx64, s->va);
    }
    printf(", %zu word%s", s->len_dw, plural(s->len_dw));
    if (s->line != 0) {
        printf(", line %zu", s->line);
    }
    printf(", %s", chip);
    if (why[0] != '\0') {
        printf(" (%s)", why);
    }
    if (s->wrap_dw != 0) {
        printf(", wraps to 0x%" PRIx64 " after %zu words", s->wrap_va, s->wrap_dw);
    }
    printf("%s\n", paint(out, PLAIN));
}

/* Say why an input has no stream. Return the exit status. */
static int no_stream(const dump *d)
{
    if (d->events != 0) {
        note(
            d, "no stream in this log, only %zu event%s; expected the words themselves: %s",
            d->events, plural(d->events),
            strcmp(d->format, "nouveau-log") == 0
                ? "libdrm prints them with NOUVEAU_LIBDRM_DEBUG=1, Mesa with NVK_DEBUG=push"
                : "the driver does not print them; gdb prints the buffer of the program with x/64xw ADDRESS");
        return EXIT_USAGE;
    }
    note(d, "no stream in the input; gpucmd-dump formats --help lists what is read");
    return EXIT_USAGE;
}

/* Write a stream to the page: keep the findings of its check, then decode it. check and decode
 * print through the output of job. */
typedef int (*stream_fn)(void *job);

static void put_page_stream(output *out, const dump *d, size_t index, const char *chip, void *job,
                            stream_fn check, stream_fn decode)
{
    const int format = out->format;
    if (out->page == NULL) {
        return;
    }
    dump_quiet = true;
    out->finding_count = out->finding_at = 0;
    out->format = FORMAT_KEEP;
    (void)check(job);
    if (out->finding_count != 0) {
        qsort(out->findings, out->finding_count, sizeof *out->findings, by_offset);
    }
    out->format = FORMAT_TEXT;
    out->to_page = true;
    html_section(out, d, index, chip);
    (void)decode(job);
    html_section_end(out);
    out->to_page = false;
    out->format = format;
    dump_quiet = false;
}

/* Choose the streams that are handled: all, or the one of --stream. Return the exit status. */
static int take_streams(const settings *set, const dump *d, output *out, size_t *first,
                        size_t *count)
{
    *first = 0;
    *count = stream_count(d);
    out->many = *count > 1;
    if (*count == 0) {
        return no_stream(d);
    }
    if (set->stream_text != NULL) {
        char expected[64];
        snprintf(expected, sizeof expected, "a stream of the input, 0 to %zu", *count - 1);
        if (!set->stream_valid || set->stream >= *count) {
            return usage("--stream", set->stream_text, expected);
        }
        *first = (size_t)set->stream;
        *count = 1;
    }
    return EXIT_FINE;
}

/* Write a line of the library [at, eol) as the tool shows it: fields at the end, question marks for a
 * word that the dump does not have. line has room for cap characters. */
static void put_command_line(output *out, char *line, size_t cap, const char *at, const char *eol,
                             const char *fields, bool known, const char *color, uint64_t offset)
{
    const char *end = line + cap - 1;
    char *to = copy_chars(line, end, at, (size_t)(eol - at));
    to = copy_chars(to, end, " ", fields[0] != '\0' && fields[0] != ' ');
    to = copy_chars(to, end, fields, strlen(fields));
    if (!known) {
        char *word = strchr(line, ' ');
        while (word != NULL && *word == ' ') {
            word++;
        }
        if (word != NULL && strlen(word) >= 8) {
            char *value = strstr(word, "   ");
            memset(word, '?', 8);
            if (value == word + 8 && line[1] != 'x') {
                *value = '\0'; /* fields of a word that is not there */
            }
        }
    }
    size_t n = (size_t)(to - line);
    if (!known) {
        n = strlen(line);
    }
    size_t gap = 12;
    if (line[1] != 'x') {
        gap = 10;
    }
    const size_t form = strcspn(line, " ") + gap;
    const bool command = form < n && line[form] != ' ';
    const bool wrong = strcmp(color, RED) == 0;
    if (out->row != NULL) {
        out->row(out->row_user, line, n, (command ? ROW_COMMAND : 0) | (wrong ? ROW_WRONG : 0),
                 offset);
        return;
    }
    if (out->to_page) {
        html_line(out, line, n, command, wrong, offset);
        return;
    }
    line[n] = '\n';
    line[n + 1] = '\0';
    put_lines(out, line, n + 1, gap, color);
}

#endif

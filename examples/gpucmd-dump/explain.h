/* explain.h - lines of logs in plain words, for gpucmd-dump.c. */
#ifndef DUMP_EXPLAIN_H
#define DUMP_EXPLAIN_H

#include "base.h"
#include "lines.h"
#include "stream.h"

enum {
    LOG_TEXT = 2048,    /* characters of a line with those that continue it */
    UNEXPLAINED = 20,   /* lines that are printed; of more, only the number */
    CONTINUED_MOST = 4, /* lines that continue one */
};

static FILE *event_to; /* where events are explained: standard output, if it is text */

/* Print a part of an explanation. */
static void tell(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 1, 2)))
#endif
    ;

static void tell(const char *format, ...)
{
    va_list list;
    if (dump_quiet) {
        return;
    }
    va_start(list, format);
    vfprintf(event_to, format, list);
    va_end(list);
}

/* Begin the report of a line. */
static void begin_event(dump *d, const text_line *line, const char *what)
{
    d->events++;
    tell("line %zu: %s\n", line->number, what);
}

/* Report a line of a driver that has no row. */
static void not_explained(dump *d, const text_line *line)
{
    if (d->unexplained++ < UNEXPLAINED) {
        tell("line %zu: not explained: %.*s\n", line->number, (int)lesser(line->len, LOG_TEXT),
             line->at);
    }
}

/* Report how many more there are. */
static void end_explained(const dump *d)
{
    if (d->unexplained > UNEXPLAINED) {
        tell("%zu more lines of the driver are not explained\n", d->unexplained - UNEXPLAINED);
    }
}

/* A line of a log with the lines that continue it. */
typedef struct log_line {
    char text[LOG_TEXT];
    text_line line; /* of text */
} log_line;

/* Return true if a text has times or prefixes of a driver: a line without one continues the line
 * before. */
static bool has_log_prefixes(const text_lines *t)
{
    size_t with = 0;
    for (size_t i = 0; i < t->count; i++) {
        with += t->lines[i].prefix != 0;
    }
    return with != 0 && with * 3 >= t->count;
}

/* Return true if the line begins with the name of a driver, so that it continues no other line. */
static bool begins_message(const text_line *line)
{
    static const char *const names[] = {"nouveau", "NVRM", "nvgpu", "i915", "xe ", "[drm", "gvt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (starts_with(line, names[i])) {
            return true;
        }
    }
    return false;
}

/* Make the line *at whole: mail and logs wrap it. *at becomes the last line that belongs to it.
 * wrapped: has_log_prefixes. */
static void make_log_line(const text_lines *t, size_t *at, bool wrapped, log_line *out)
{
    const text_line *first = &t->lines[*at];
    size_t len = (size_t)lesser(first->len, LOG_TEXT - 1);
    memcpy(out->text, first->at, len);
    for (size_t k = 0; wrapped && first->prefix != 0 && k < CONTINUED_MOST; k++) {
        const text_line *next = *at + 1 < t->count ? &t->lines[*at + 1] : NULL;
        if (next == NULL || next->prefix != 0 || next->len == 0 || is_space(next->at[0]) ||
            begins_message(next) || next->number != t->lines[*at].number + 1 ||
            len + 1 + next->len >= LOG_TEXT) {
            break;
        }
        out->text[len++] = ' ';
        memcpy(out->text + len, next->at, next->len);
        len += next->len;
        ++*at;
    }
    out->text[len] = '\0';
    out->line = *first;
    out->line.at = out->text;
    out->line.len = len;
}

#endif

/* digits.h - bytes as hex digits without blanks, or as base64, for gpucmd-dump.c. */
#ifndef DUMP_DIGITS_H
#define DUMP_DIGITS_H

#include "base.h"
#include "hex.h"
#include "lines.h"
#include "stream.h"

/* Digits or base64 being read. */
typedef struct digits_reader {
    gpucmd_endian endian;
    uint32_t v;
    size_t n;        /* digits so far */
    size_t others;   /* lines that have other characters */
    size_t other_at; /* the first of them */
} digits_reader;

static void begin_bytes(digits_reader *r, dump *d, size_t line)
{
    r->endian = d->turned ? other_endian(d->endian) : d->endian;
    add_stream(d, NULL, line);
}

static void end_bytes(dump *d, size_t line, bool whole)
{
    if (!whole) {
        damaged(d, line, "the text ends inside a byte; expected one more digit");
    }
}

/* ---- hex ---- */

static bool is_digits(const text_line *line)
{
    return digits_of(line->at, line->at + line->len) == line->len;
}

/* Return "xxd-p" if every line is prose or has hex digits only, an even number, and most have more than
 * a word. */
static const char *recognise_digits(dump *d, const text_lines *t)
{
    size_t longest = 0;
    size_t others = 0;
    (void)d;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (!is_digits(line) && is_prose(line)) {
            others++;
            continue;
        }
        if (!is_digits(line) || line->len % 2 != 0) {
            return NULL;
        }
        if (line->len > longest) {
            longest = line->len;
        }
    }
    if (longest > 8 && (others == 0 || longest >= 32)) {
        return "xxd-p";
    }
    return NULL;
}

static void begin_digits(void *state, dump *d, const text_lines *t)
{
    begin_bytes(state, d, t->count != 0 ? t->lines[0].number : 0);
}

/* Append digits as bytes. */
static void read_digits(void *state, dump *d, const text_lines *t)
{
    digits_reader *r = state;
    for (size_t i = 0; i < t->count; i++) {
        if (!is_digits(&t->lines[i]) && is_prose(&t->lines[i])) {
            if (r->others++ == 0) {
                r->other_at = t->lines[i].number;
            }
            continue;
        }
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const uint32_t v = hex_digit(t->lines[i].at[k]);
            if (v > 15) {
                continue;
            }
            r->v = r->v << 4 | v;
            r->n++;
            if (r->n % 2 == 0) {
                add_byte(last_stream(d), (uint8_t)r->v, r->endian);
            }
        }
    }
}

static void end_digits(void *state, dump *d, size_t count)
{
    const digits_reader *r = state;
    end_bytes(d, count, r->n % 2 == 0);
    if (r->others != 0) {
        note(d, "%zu line%s without words; the first: line %zu", r->others, plural(r->others),
             r->other_at);
    }
}

/* Digits do not show whether they are bytes or words. */
static bool digits_are_open(const text_lines *t)
{
    (void)t;
    return true;
}

/* ---- base64 ---- */

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = NULL;
    if (c != '\0') {
        found = strchr(digits, c);
    }
    if (found != NULL) {
        return (int)(found - digits);
    }
    return -1;
}

/* Return "base64" if the text is that: at least 40 characters, and not only hex digits. AGX's
 * notation is none, and words one in a line are none. */
static const char *recognise_base64(dump *d, const text_lines *t)
{
    size_t n = 0;
    size_t others = 0;
    size_t padding = 0;
    size_t words = 0; /* lines that are one */
    for (size_t i = 0; i < t->count; i++) {
        text_line number = t->lines[i];
        words += number.len == 8 && is_digits(&number);
        if (starts_with(&number, "0x")) {
            number.at += 2;
            number.len -= 2;
            words += is_digits(&number);
        }
        for (size_t k = 0; k < t->lines[i].len; k++, n++) {
            const char c = t->lines[i].at[k];
            if (c == '=') {
                padding++;
            } else if (base64_value(c) < 0 || padding != 0) {
                return NULL;
            }
            others += hex_digit(c) > 15;
        }
    }
    if (words * 2 > t->count || n < 40 || n % 4 != 0 || others == 0 || padding > 2 ||
        strcmp(d->vendor, "agx") == 0) {
        return NULL;
    }
    return "base64";
}

static void begin_base64(void *state, dump *d, const text_lines *t)
{
    (void)t;
    begin_bytes(state, d, 0);
}

static void read_base64(void *state, dump *d, const text_lines *t)
{
    static const unsigned shifts[] = {0, 0, 4, 2}; /* digits beyond the byte, by number of digits */
    digits_reader *r = state;
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const int digit = base64_value(t->lines[i].at[k]);
            if (digit < 0) {
                continue;
            }
            r->v = r->v << 6 | (uint32_t)digit;
            r->n++;
            if (r->n % 4 != 1) {
                add_byte(last_stream(d), (uint8_t)(r->v >> shifts[r->n % 4]), r->endian);
            }
        }
    }
}

static void end_base64(void *state, dump *d, size_t count)
{
    const digits_reader *r = state;
    end_bytes(d, count, r->n % 4 != 1);
}

#endif

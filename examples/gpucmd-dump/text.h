/* text.h - appends to a text of limited size, for gpucmd-dump.c. */
#ifndef DUMP_TEXT_H
#define DUMP_TEXT_H

#include "base.h"

/* Append to a text of cap characters. */
static void append(char *text, size_t cap, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 3, 4)))
#endif
    ;

static void append(char *text, size_t cap, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + n, cap - n, format, list);
    va_end(list);
}

/* Write n characters at to and a 0; what does not fit before end is left out. Return the place of
 * the 0. */
static char *copy_chars(char *to, const char *end, const char *from, size_t n)
{
    const size_t room = (size_t)(end - to) - 1;
    if (n > room) {
        n = room;
    }
    memcpy(to, from, n);
    to[n] = '\0';
    return to + n;
}

/* Append n characters; what does not fit is left out. */
static void append_chars(char *text, size_t cap, const char *from, size_t n)
{
    (void)copy_chars(text + strlen(text), text + cap, from, n);
}

/* Append "0x" and a number in hex. */
static void append_hex(char *text, size_t cap, uint32_t v)
{
    char digits[10] = "0x";
    size_t n = 2;
    for (unsigned shift = 28;; shift -= 4) {
        if (v >> shift != 0 || shift == 0) {
            digits[n++] = "0123456789abcdef"[v >> shift & 15];
        }
        if (shift == 0) {
            break;
        }
    }
    append_chars(text, cap, digits, n);
}

#endif

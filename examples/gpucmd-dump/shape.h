/* shape.h - how a line is written, for gpucmd-dump.c: most rows of a dump differ in hex digits alone, and
 * need not be read with care again. */
#ifndef DUMP_SHAPE_H
#define DUMP_SHAPE_H

#include "base.h"
#include "bytes.h"

enum { SHAPE_BYTES = 256 };

/* Where a line has a hex digit, and its other characters. */
typedef struct line_shape {
    size_t len;                 /* 0: no line */
    uint8_t digit[SHAPE_BYTES]; /* 0xff: a hex digit is here */
    uint8_t other[SHAPE_BYTES]; /* the character, 0 for a hex digit */
} line_shape;

/* Learn the shape of len characters. The 0 of 0x is no digit. Without room, or with a character beyond
 * ASCII, no line has the shape. */
static void learn_shape(line_shape *s, const char *at, size_t len)
{
    s->len = 0;
    if (len > SHAPE_BYTES) {
        return;
    }
    for (size_t i = 0; i < len; i++) {
        const bool prefix = at[i] == '0' && i + 1 < len && (at[i + 1] == 'x' || at[i + 1] == 'X');
        const bool digit = (class_of(at[i]) & CHAR_DIGIT) != 0 && !prefix;
        s->digit[i] = s->other[i] = 0;
        if (digit) {
            s->digit[i] = 0xff;
        } else {
            s->other[i] = (uint8_t)at[i];
        }
        if ((uint8_t)at[i] >= 0x80) {
            return;
        }
    }
    s->len = len;
}

/* Return n bytes, at most 8, as one number. */
static uint64_t load_some(const void *at, size_t n)
{
    uint64_t v = 0;
    memcpy(&v, at, n);
    return v;
}

/* Return the bits of eight characters that are no hex digits where digit has bits, or that differ from
 * other elsewhere. Each byte is compared by sums that set its bit 7; none carries into the next. */
static uint64_t differs(uint64_t c, uint64_t digit, uint64_t other)
{
    const uint64_t ones = UINT64_MAX / 255;
    const uint64_t low = c & 0x7f * ones;
    const uint64_t letter = (low | 0x20 * ones) & 0x7f * ones;
    const uint64_t from_0 = low + (0x80 - '0') * ones;
    const uint64_t beyond_9 = low + (0x80 - '9' - 1) * ones;
    const uint64_t from_a = letter + (0x80 - 'a') * ones;
    const uint64_t beyond_f = letter + (0x80 - 'f' - 1) * ones;
    const uint64_t is_digit = ((from_0 & ~beyond_9) | (from_a & ~beyond_f)) & ~c;
    return (~is_digit & digit & 0x80 * ones) | ((c ^ other) & ~digit);
}

/* Return true if the characters at at, as many as the shape has, have it. */
static bool has_shape(const line_shape *s, const char *at)
{
    uint64_t wrong = 0;
    size_t i = 0;
    for (; i + 8 <= s->len; i += 8) {
        wrong |=
            differs(load_some(at + i, 8), load_some(s->digit + i, 8), load_some(s->other + i, 8));
    }
    if (i < s->len && i != 0) { /* the last eight again */
        i = s->len - 8;
        wrong |=
            differs(load_some(at + i, 8), load_some(s->digit + i, 8), load_some(s->other + i, 8));
    } else if (i < s->len) {
        const size_t n = s->len;
        wrong |=
            differs(load_some(at + i, n), load_some(s->digit + i, n), load_some(s->other + i, n));
    }
    return wrong == 0 && s->len != 0;
}

/* Return the word of eight hex digits. */
static uint32_t word_of_digits(const char *at)
{
    const uint64_t ones = UINT64_MAX / 255;
    const uint64_t c = gpucmd_load64(at, GPUCMD_BIG_ENDIAN);
    uint64_t v = (c & 0x0f * ones) + (c >> 6 & ones) * 9;
    v = (v | v >> 4) & 0x00ff00ff00ff00ff;
    v = (v | v >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(v | v >> 16);
}

#endif

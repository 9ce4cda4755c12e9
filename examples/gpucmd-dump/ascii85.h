/* ascii85.h - memory as Intel's kernel drivers print it, for gpucmd-dump.c. */
#ifndef DUMP_ASCII85_H
#define DUMP_ASCII85_H

#include "base.h"
#include "bytes.h"
#include "inflate.h"
#include "lines.h"
#include "stream.h"

static bool is_ascii85(char c)
{
    return c >= '!' && c <= 'z';
}

/* Return true if the line continues ASCII85: nothing else, and no blank. */
static bool continues_ascii85(const text_line *line)
{
    for (size_t i = 0; i < line->len; i++) {
        if (!is_ascii85(line->at[i])) {
            return false;
        }
    }
    return line->len != 0;
}

enum {
    STREAM_BYTES = 16 << 20, /* that a compressed batch or ring may become, together twice that */
    MEMORY_BYTES = 32 << 20, /* and all other compressed memory */
    PACKED_BYTES = 4096,     /* that are decoded before they are inflated */
};

/* Where the words of ASCII85 go: the last stream of d. */
typedef struct coded_memory {
    dump *d;
    size_t line;
    size_t words;
    bool packed; /* what the kernel has compressed */
    z_stream z;
    int result;
    uint8_t in[PACKED_BYTES];
    size_t in_len;
    size_t out_len;
    size_t limit;
} coded_memory;

/* Inflate what is in c->in, and append it to the stream. */
static void inflate_some(coded_memory *c)
{
    uint8_t out[4 * PACKED_BYTES];
    c->z.next_in = c->in;
    c->z.avail_in = (uInt)c->in_len;
    bool more = true;
    while (more && c->result == Z_OK && c->out_len < c->limit) {
        const size_t left = c->limit - c->out_len;
        const uInt room = (uInt)lesser(left, sizeof out);
        c->z.next_out = out;
        c->z.avail_out = room;
        c->result = inflate(&c->z, Z_SYNC_FLUSH);
        const size_t n = room - c->z.avail_out;
        add_bytes(&c->d->streams[c->d->count - 1], out, n, GPUCMD_LITTLE_ENDIAN);
        c->out_len += n;
        more = n != 0;
    }
    if (c->result == Z_BUF_ERROR) {
        c->result = Z_OK;
    }
    c->in_len = 0;
}

/* Begin to decode. packed: the memory is compressed. Return false without memory. */
static bool begin_coded(coded_memory *c, dump *d, size_t line, bool packed)
{
    memset(c, 0, sizeof *c);
    c->d = d;
    c->line = line;
    c->packed = packed;
    const size_t left = d->streams[d->count - 1].memory ? d->memory_left : d->stream_left;
    if (left < STREAM_BYTES || d->streams[d->count - 1].memory) {
        c->limit = left;
    } else {
        c->limit = STREAM_BYTES;
    }
    if (packed) {
        c->result = inflateInit(&c->z);
    } else {
        c->result = Z_OK;
    }
    return c->result == Z_OK;
}

static void add_coded(coded_memory *c, uint32_t dw)
{
    c->words++;
    if (c->packed) {
        gpucmd_store32(c->in + c->in_len, dw, GPUCMD_LITTLE_ENDIAN);
        c->in_len += 4;
        if (c->in_len == sizeof c->in) {
            inflate_some(c);
        }
        return;
    }
    add_dw(&c->d->streams[c->d->count - 1], dw);
}

/* Inflate the rest, and report whether the compressed memory was whole. */
static void end_coded(coded_memory *c)
{
    dump *d = c->d;
    if (!c->packed) {
        return;
    }
    inflate_some(c);
    inflateEnd(&c->z);
    size_t *left;
    if (d->streams[d->count - 1].memory) {
        left = &d->memory_left;
    } else {
        left = &d->stream_left;
    }
    *left -= c->out_len;
    if (c->result == Z_OK && c->out_len == c->limit) {
        damaged(d, c->line, "the compressed memory has more than %zu bytes; the rest is skipped",
                c->limit);
    } else if (c->result != Z_STREAM_END) {
        damaged(d, c->line,
                "the compressed memory is wrong or ends after %zu of %zu bytes; %zu bytes came out",
                (size_t)c->z.total_in, 4 * c->words, c->out_len);
    } else if (c->out_len % 4096 != 0) {
        damaged(d, c->line, "%zu bytes came out; expected whole pages of 4096", c->out_len);
    }
}

/* Decode a line of ASCII85 and the lines *at that continue it; the first n characters of the line
 * are skipped. Stop at the first character that is none. */
static void read_ascii85(dump *d, const text_lines *t, size_t *at, size_t n, coded_memory *c)
{
    const size_t first = *at;
    uint64_t v = 0;
    size_t digits = 0;
    for (size_t i = first; i < t->count && (i == first || continues_ascii85(&t->lines[i])); i++) {
        const text_line *line = &t->lines[i];
        size_t k = 0;
        if (i == first) {
            k = n;
        }
        *at = i;
        for (; k < line->len && is_ascii85(line->at[k]); k++) {
            const char digit = line->at[k];
            if ((digit == 'z' && digits != 0) || (digit != 'z' && digit > 'u')) {
                damaged(d, line->number, "column %zu: '%c' inside a word; expected '!' to 'u'",
                        k + 1, digit);
                return;
            }
            if (digit == 'z') {
                v = 0;
                digits = 5;
            } else {
                v = v * 85 + (uint64_t)(digit - '!');
                digits++;
            }
            if (digits == 5) {
                add_coded(c, (uint32_t)v);
                v = digits = 0;
            }
        }
        if (k < line->len && !is_space(line->at[k])) {
            damaged(d, line->number, "column %zu: no character of ASCII85; expected '!' to 'z'",
                    k + 1);
            return;
        }
    }
    if (digits != 0) {
        damaged(d, t->lines[*at].number,
                "the memory ends inside a word; expected %zu more characters", 5 - digits);
    }
}

#endif

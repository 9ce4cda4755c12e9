/* dump_ascii85.h - memory as Intel's kernel drivers print it, for gpucmd-dump.c. */
#ifndef DUMP_ASCII85_H
#define DUMP_ASCII85_H

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

/* Decode a line of ASCII85 and the lines *at that continue it; the first n characters of the line
 * are skipped. Append the bytes to b. Stop at the first character that is none. */
static void read_ascii85(dump *d, const text_lines *t, size_t *at, size_t n, bytes *b)
{
    const size_t first = *at;
    uint64_t v = 0;
    size_t digits = 0;
    size_t cap = b->len;
    for (size_t i = first; i < t->count && (i == first || continues_ascii85(&t->lines[i])); i++) {
        const text_line *line = &t->lines[i];
        size_t k = i == first ? n : 0;
        *at = i;
        for (; k < line->len && is_ascii85(line->at[k]); k++) {
            const char c = line->at[k];
            if ((c == 'z') ? digits != 0 : c > 'u') {
                damaged(d, line->number, "column %zu: '%c' inside a word; expected '!' to 'u'",
                        k + 1, c);
                return;
            }
            v = c == 'z' ? 0 : v * 85 + (uint64_t)(c - '!');
            digits = c == 'z' ? 5 : digits + 1;
            if (digits == 5) {
                if (cap - b->len < 4) {
                    cap = 2 * cap + 4096;
                    b->data = resize(b->data, cap, 1);
                }
                gpucmd_store32(b->data + b->len, (uint32_t)v, GPUCMD_LITTLE_ENDIAN);
                b->len += 4;
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

enum {
    STREAM_BYTES =
        16 << 20, /* that a compressed batch or ring may become, all together twice that */
    MEMORY_BYTES = 256 << 20, /* and all other memory */
};

/* Inflate what the kernel has compressed. Return the exit status. */
static int inflate_memory(dump *d, size_t line, bool memory, bytes *b)
{
#ifdef DUMP_ZLIB
    size_t *left = memory ? &d->memory_left : &d->stream_left;
    const size_t limit = !memory && *left > STREAM_BYTES ? STREAM_BYTES : *left;
    bytes out = {NULL, 0};
    bool whole = false;
    const size_t used = inflate_bytes(b->data, b->len, 15, limit, &out, &whole);
    *left -= out.len;
    if (!whole) {
        damaged(d, line,
                "the compressed memory is wrong or ends after %zu of %zu bytes; %zu bytes came out",
                used, b->len, out.len);
    } else if (out.len % 4096 != 0) {
        damaged(d, line, "%zu bytes came out; expected whole pages of 4096", out.len);
    }
    free(b->data);
    *b = out;
    return EXIT_FINE;
#else
    (void)memory;
    damaged(d, line,
            "the memory is compressed, and this gpucmd-dump is built without zlib; expected zlib "
            "(Debian: zlib1g-dev and pkg-config, then make)");
    b->len = 0;
    return EXIT_STREAM;
#endif
}

#endif

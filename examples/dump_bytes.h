/* dump_bytes.h - bytes of a file, packed files and other encodings of text, for gpucmd-dump.c. */
#ifndef DUMP_BYTES_H
#define DUMP_BYTES_H

enum { UNPACK_LIMIT = 256 << 20 }; /* bytes that a packed input may become */

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

/* Return p resized to count elements of size bytes. Without memory, end the program. */
static void *resize(void *p, size_t count, size_t size)
{
    void *more = count <= SIZE_MAX / size ? realloc(p, count * size + 1) : NULL;
    if (more == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for %zu times %zu bytes\n", count, size);
        exit(EXIT_USAGE);
    }
    return more;
}

/* Read a whole file into b->data, which the caller frees, also after a failure. */
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

/* Return true if every byte can occur in text. *ascii: all are ASCII. */
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

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
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

#ifdef DUMP_ZLIB
/* Inflate in bytes with zlib; bits as in inflateInit2. Append at most limit bytes to *out. *whole:
 * the packed data ended and its check sum is right. Return the bytes read. */
static size_t inflate_bytes(const uint8_t *in, size_t len, int bits, size_t limit, bytes *out,
                            bool *whole)
{
    z_stream z;
    size_t cap = out->len;
    int result = Z_OK;
    memset(&z, 0, sizeof z);
    *whole = false;
    if (inflateInit2(&z, bits) != Z_OK) {
        return 0;
    }
    z.next_in = (Bytef *)(uintptr_t)in;
    z.avail_in = len < UINT_MAX ? (uInt)len : UINT_MAX;
    while (result == Z_OK && out->len < limit) {
        if (out->len == cap) {
            cap = cap < 4096 ? 4096 : cap * 2;
            out->data = resize(out->data, cap, 1);
        }
        const size_t room = cap - out->len < limit - out->len ? cap - out->len : limit - out->len;
        z.next_out = out->data + out->len;
        z.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
        const uInt before = z.avail_out;
        result = inflate(&z, Z_SYNC_FLUSH);
        out->len += before - z.avail_out;
        if (result == Z_OK && before == z.avail_out && z.avail_in == 0) {
            break; /* the input ends inside the packed data */
        }
    }
    *whole = result == Z_STREAM_END;
    inflateEnd(&z);
    return len - z.avail_in;
}
#endif

/* Unpack gzip. Return the exit status. */
static int unpack_gzip(const char *name, bytes *b)
{
#ifdef DUMP_ZLIB
    bytes out = {NULL, 0};
    bool whole = false;
    inflate_bytes(b->data, b->len, 15 + 16, UNPACK_LIMIT, &out, &whole);
    free(b->data);
    *b = out;
    if (!whole) {
        fprintf(stderr,
                "gpucmd-dump: %s: gzip data end or are damaged after %zu unpacked bytes; expected "
                "a whole file of at most %d MiB\n",
                name, b->len, UNPACK_LIMIT >> 20);
        return b->len != 0 ? EXIT_STREAM : EXIT_USAGE;
    }
    fprintf(stderr, "gpucmd-dump: %s: unpacked gzip: %zu bytes\n", name, b->len);
    return EXIT_FINE;
#else
    (void)b;
    fprintf(stderr,
            "gpucmd-dump: %s: packed with gzip; expected a plain file: run gunzip first, or build "
            "gpucmd-dump with zlib (Debian: zlib1g-dev, pkg-config; then make)\n",
            name);
    return EXIT_USAGE;
#endif
}

/* Unpack b, or report which program unpacks it. Return the exit status; EXIT_STREAM: damaged, but b
 * has bytes. */
static int unpack(const char *name, bytes *b)
{
    static const struct {
        const char *magic;
        size_t len;
        const char *kind;
        const char *program;
    } kinds[] = {
        {"\x28\xb5\x2f\xfd",     4, "zstd",  "zstd -d"},
        {"\xfd\x37\x7a\x58\x5a", 5, "xz",    "unxz"   },
        {"PK\x03\x04",           4, "zip",   "unzip"  },
        {"BZh",                  3, "bzip2", "bunzip2"},
    };
    if (b->len > 3 && b->data[0] == 0x1f && b->data[1] == 0x8b && b->data[2] == 8) {
        return unpack_gzip(name, b);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (b->len > 10 && memcmp(b->data, kinds[i].magic, kinds[i].len) == 0) {
            fprintf(stderr,
                    "gpucmd-dump: %s: packed with %s; expected a plain file: %s unpacks it\n", name,
                    kinds[i].kind, kinds[i].program);
            return EXIT_USAGE;
        }
    }
    return EXIT_FINE;
}

/* Return 1 or 0, the place of the character in each pair of bytes of UTF-16, or -1. *skip is the
 * length of a byte order mark. */
static int utf16_place(const bytes *b, size_t *skip)
{
    const uint8_t *d = b->data;
    *skip = 2;
    if (b->len >= 2 && ((d[0] == 0xff && d[1] == 0xfe) || (d[0] == 0xfe && d[1] == 0xff))) {
        return d[0] == 0xff ? 0 : 1;
    }
    *skip = 0;
    for (int place = 0; place < 2; place++) {
        size_t i = 0;
        while (i < 64 && i + 1 < b->len && d[i + 1 - (size_t)place] == 0 &&
               ((d[i + (size_t)place] >= 0x20 && d[i + (size_t)place] < 0x7f) ||
                (d[i + (size_t)place] >= '\t' && d[i + (size_t)place] <= '\r'))) {
            i += 2;
        }
        if (i >= 64) {
            return place;
        }
    }
    return -1;
}

/* Make UTF-16 and UTF-8 with a mark plain: characters beyond ASCII become '?'. Return true for
 * UTF-16. */
static bool plain_text(bytes *b)
{
    size_t skip;
    const int place = utf16_place(b, &skip);
    size_t len = 0;
    if (place >= 0) {
        for (size_t i = skip; i + 1 < b->len; i += 2) {
            const uint8_t low = b->data[i + (size_t)place];
            b->data[len++] = b->data[i + 1 - (size_t)place] != 0 || low >= 0x80 ? '?' : low;
        }
        b->len = len;
    } else if (b->len >= 3 && memcmp(b->data, "\xef\xbb\xbf", 3) == 0) {
        memmove(b->data, b->data + 3, b->len -= 3);
    }
    return place >= 0;
}

/* Read the file that the options name and unpack it. *name is set for messages. */
static int read_input(const options *opt, const char **name, bytes *b)
{
    const bool is_stdin = opt->file == NULL || strcmp(opt->file, "-") == 0;
    *name = is_stdin ? "standard input" : opt->file;
    b->data = NULL;
    b->len = 0;
    errno = 0;
    FILE *file = is_stdin ? stdin : fopen(opt->file, "rb");
    if (file == NULL) {
        return refused(*name, "cannot be opened", "a readable file");
    }
    const int status = read_all(file, *name, b);
    if (!is_stdin) {
        fclose(file);
    }
    return status;
}

#endif

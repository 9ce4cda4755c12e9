/* bytes.h - bytes of a file, packed files and other encodings of text, for gpucmd-dump.c. */
#ifndef DUMP_BYTES_H
#define DUMP_BYTES_H

#include "base.h"
#include "inflate.h"
#include "memory.h"
#include "options.h"
#include "settings.h"

enum {
    UNPACK_LIMIT = 256 << 20, /* bytes that a packed input may become */
    SMALL_BYTES = 16 << 20,   /* of a file that an option names */
    SHORT_BYTES = 1 << 20,    /* of a file that is read, not mapped */
    PROGRESS_BYTES = 64 << 20,
};

#define PIPE_BYTES ((size_t)((uint64_t)4 << 30 < SIZE_MAX / 4 ? (uint64_t)4 << 30 : SIZE_MAX / 4))

typedef struct bytes {
    uint8_t *data;
    size_t len;
    size_t mapped; /* bytes of a mapped file; 0: data is a block of resize */
    size_t gone;   /* bytes of them that are no longer mapped */
    bool changed;  /* the program changed them */
    bool kept;     /* they are read again: no page is unmapped or given back */
} bytes;

/* Return seconds of a clock that only goes forward. */
static double now_seconds(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double progress_next; /* when the line is written again; 0: it is not shown */

/* For more than PROGRESS_BYTES, write on a terminal how much is done. */
static void show_progress(const char *name, const char *what, uint64_t done, uint64_t total)
{
    if (total <= PROGRESS_BYTES || isatty(STDERR_FILENO) == 0 || now_seconds() < progress_next) {
        return;
    }
    progress_next = now_seconds() + 0.2;
    fprintf(stderr, "\rgpucmd-dump: %.60s: %d %% of %" PRIu64 " MiB %s\033[K", name,
            (int)(done * 100 / total), total >> 20, what);
}

/* Remove the line. */
static void end_progress(void)
{
    if (progress_next > 0) {
        fputs("\r\033[K", stderr);
    }
    progress_next = 0;
}

static void release_bytes(bytes *b)
{
    if (b->mapped != 0) {
        unmap(b->data + b->gone, b->mapped - b->gone);
    } else {
        release(b->data);
    }
    memset(b, 0, sizeof *b);
}

#ifndef DUMP_NO_FILES
/* End the program, because a mapped file became shorter or a disk failed. */
static void bus_error(int number)
{
    static const char text[] = "gpucmd-dump: the input became shorter or cannot be read\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_USAGE);
}
#endif

/* Unmap what was read before at, except the last page. Blocks stay. */
static void forget_bytes(bytes *b, size_t at)
{
    const size_t pages = at >> 16 << 16;
    if (b->mapped != 0 && !b->kept && pages > b->gone && pages < b->mapped) {
        unmap(b->data + b->gone, pages - b->gone);
        b->gone = pages;
    }
}

/* Return true if pages of the bytes may be given back: those of a file, which has what they hold. */
static bool may_rest(const bytes *b)
{
    if (b->kept || b->data == NULL) {
        return false;
    }
    if (b->mapped != 0) {
        return !b->changed;
    }
    return is_in_file(b->data);
}

/* Give pages back of the n bytes before at, if they may be. Pages that forget_bytes has unmapped may
 * belong to others by now. */
static void rest_bytes(const bytes *b, size_t at, size_t n)
{
    size_t from = at - (size_t)lesser(at, n);
    if (from < b->gone) {
        from = b->gone;
    }
    if (may_rest(b) && from < at) {
        rest(b->data + from, at - from);
    }
}

/* Read at most limit bytes into b, which release_bytes frees, also after a failure. */
static int read_all(int file, const char *name, size_t limit, bytes *b)
{
    ssize_t n = 1;
    memset(b, 0, sizeof *b);
    errno = 0;
    while (n > 0 && b->len <= limit) {
        b->data = resize(b->data, b->len + 65536, 1);
        n = read(file, b->data + b->len, 65536);
        b->len += n > 0 ? (size_t)n : 0;
        if (b->len % REST_BYTES < 65536) {
            rest_bytes(b, b->len, 2 * REST_BYTES);
        }
    }
    if (n < 0) {
        char what[48];
        snprintf(what, sizeof what, "cannot be read after 0x%zx bytes", b->len);
        return refused(name, what, "a file");
    }
    if (b->len > limit) {
        fprintf(stderr, "gpucmd-dump: %s: more than %zu MiB; expected less\n", name, limit >> 20);
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

/* Map a file that is not short; changes stay in this program. Return false for others. */
static bool map_file(int file, bytes *b)
{
#ifdef DUMP_NO_FILES
    (void)file;
    (void)b;
    return false;
#else
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size <= SHORT_BYTES ||
        (uint64_t)facts.st_size > SIZE_MAX / 4 || lseek(file, 0, SEEK_CUR) != 0) {
        return false;
    }
    const size_t n = (size_t)facts.st_size;
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (p == MAP_FAILED) {
        return false;
    }
    (void)signal(SIGBUS, bus_error);
    b->data = p;
    b->len = b->mapped = n;
    return true;
#endif
}

/* Read a file that an option names. Return the exit status. */
static int read_small(const char *path, bytes *b)
{
    memset(b, 0, sizeof *b);
    errno = 0;
    const int file = open(path, O_RDONLY);
    if (file < 0) {
        return refused(path, "cannot be opened", "a readable file");
    }
    const int status = read_all(file, path, SMALL_BYTES, b);
    close(file);
    return status;
}

/* What a character is: a hex digit (and its value), a blank within a line, a delimiter of groups, one
 * of those that rows of words consist of. */
enum { CHAR_DIGIT = 16, CHAR_SPACE = 32, CHAR_DELIMITER = 64, CHAR_PLAIN = 128 };

static const uint8_t char_class[128] = {
    ['0'] = CHAR_PLAIN | CHAR_DIGIT | 0,
    ['1'] = CHAR_PLAIN | CHAR_DIGIT | 1,
    ['2'] = CHAR_PLAIN | CHAR_DIGIT | 2,
    ['3'] = CHAR_PLAIN | CHAR_DIGIT | 3,
    ['4'] = CHAR_PLAIN | CHAR_DIGIT | 4,
    ['5'] = CHAR_PLAIN | CHAR_DIGIT | 5,
    ['6'] = CHAR_PLAIN | CHAR_DIGIT | 6,
    ['7'] = CHAR_PLAIN | CHAR_DIGIT | 7,
    ['8'] = CHAR_PLAIN | CHAR_DIGIT | 8,
    ['9'] = CHAR_PLAIN | CHAR_DIGIT | 9,
    ['a'] = CHAR_PLAIN | CHAR_DIGIT | 10,
    ['b'] = CHAR_PLAIN | CHAR_DIGIT | 11,
    ['c'] = CHAR_PLAIN | CHAR_DIGIT | 12,
    ['d'] = CHAR_PLAIN | CHAR_DIGIT | 13,
    ['e'] = CHAR_PLAIN | CHAR_DIGIT | 14,
    ['f'] = CHAR_PLAIN | CHAR_DIGIT | 15,
    ['A'] = CHAR_PLAIN | CHAR_DIGIT | 10,
    ['B'] = CHAR_PLAIN | CHAR_DIGIT | 11,
    ['C'] = CHAR_PLAIN | CHAR_DIGIT | 12,
    ['D'] = CHAR_PLAIN | CHAR_DIGIT | 13,
    ['E'] = CHAR_PLAIN | CHAR_DIGIT | 14,
    ['F'] = CHAR_PLAIN | CHAR_DIGIT | 15,
    [' '] = CHAR_PLAIN | CHAR_SPACE | CHAR_DELIMITER,
    ['\t'] = CHAR_PLAIN | CHAR_SPACE | CHAR_DELIMITER,
    ['\r'] = CHAR_SPACE | CHAR_DELIMITER,
    ['\f'] = CHAR_SPACE | CHAR_DELIMITER,
    ['\v'] = CHAR_SPACE | CHAR_DELIMITER,
    [','] = CHAR_PLAIN | CHAR_DELIMITER,
    ['x'] = CHAR_PLAIN,
    ['X'] = CHAR_PLAIN,
    [';'] = CHAR_DELIMITER,
    [':'] = CHAR_PLAIN | CHAR_DELIMITER,
    ['('] = CHAR_DELIMITER,
    [')'] = CHAR_DELIMITER,
    ['['] = CHAR_DELIMITER,
    [']'] = CHAR_DELIMITER,
    ['{'] = CHAR_DELIMITER,
    ['}'] = CHAR_DELIMITER,
    ['<'] = CHAR_DELIMITER,
    ['>'] = CHAR_DELIMITER,
    ['"'] = CHAR_DELIMITER,
    ['\''] = CHAR_DELIMITER,
    ['`'] = CHAR_DELIMITER,
    ['='] = CHAR_DELIMITER,
    ['|'] = CHAR_DELIMITER,
    ['\033'] = CHAR_DELIMITER,
};

static unsigned class_of(char c)
{
    return (uint8_t)c < 0x80 ? char_class[(uint8_t)c] : 0;
}

/* Return true if every byte can occur in text. *ascii: all are ASCII. */
static bool looks_like_text(const bytes *b, bool *ascii)
{
    const uint64_t ones = UINT64_MAX / 255;
    bool text = true;
    uint64_t all = 0;
    for (size_t i = 0; i < b->len && text; i += 8) {
        const size_t n = lesser(b->len - i, 8);
        if (i % REST_BYTES == 0) {
            rest_bytes(b, i, REST_BYTES);
        }
        uint64_t c = 0x20 * ones;
        memcpy(&c, b->data + i, n);
        /* Each sum sets bit 7 of a byte from its limit on, and none carries into the next byte. */
        const uint64_t low = c & 0x7f * ones;
        const uint64_t in_line = low + 0x60 * ones;
        const uint64_t blank = (low + 0x77 * ones) & ~(low + 0x72 * ones);
        const uint64_t is_text = ((in_line | blank) & ~(low + ones)) | c;
        all |= c;
        for (size_t k = 0; k < n && (~is_text & 0x80 * ones) != 0; k++) {
            const uint8_t one = b->data[i + k];
            text =
                text && (one >= 0x20 || (one >= '\t' && one <= '\r') || one == 0x1b) && one != 0x7f;
        }
    }
    *ascii = (all & 0x80 * ones) == 0;
    return text;
}

static bool is_space(char c)
{
    return (class_of(c) & CHAR_SPACE) != 0;
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

/* Report an input without anything in it. */
static int no_input(const char *name)
{
    fprintf(stderr, "gpucmd-dump: %s: the input is empty; expected words or text\n", name);
    return EXIT_USAGE;
}

/* Inflate in bytes; bits as in inflateInit2. Append at most limit bytes to *out. *whole:
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
    z.avail_in = (uInt)lesser(len, UINT_MAX);
    while (result == Z_OK && out->len < limit) {
        if (out->len == cap) {
            if (cap < 4096) {
                cap = 4096;
            } else {
                cap = cap * 2;
            }
            out->data = resize(out->data, cap, 1);
        }
        const size_t room = lesser(cap - out->len, limit - out->len);
        z.next_out = out->data + out->len;
        z.avail_out = (uInt)lesser(room, UINT_MAX);
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

/* Unpack gzip. Return the exit status. */
static int unpack_gzip(const char *name, bytes *b)
{
    bytes out = {NULL, 0, 0, 0, false, false};
    bool whole = false;
    inflate_bytes(b->data, b->len, 15 + 16, UNPACK_LIMIT, &out, &whole);
    release_bytes(b);
    *b = out;
    if (!whole) {
        fprintf(stderr,
                "gpucmd-dump: %s: gzip data end or are damaged after %zu unpacked bytes; expected "
                "a whole file of at most %d MiB\n",
                name, b->len, UNPACK_LIMIT >> 20);
        if (b->len != 0) {
            return EXIT_STREAM;
        }
        return EXIT_USAGE;
    }
    fprintf(stderr, "gpucmd-dump: %s: unpacked gzip: %zu bytes\n", name, b->len);
    return EXIT_FINE;
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
        return d[0] != 0xff;
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
            if (b->data[i + 1 - (size_t)place] != 0 || low >= 0x80) {
                b->data[len++] = '?';
            } else {
                b->data[len++] = low;
            }
        }
        b->len = len;
        b->changed = true;
    } else if (b->len >= 3 && memcmp(b->data, "\xef\xbb\xbf", 3) == 0) {
        memmove(b->data, b->data + 3, b->len -= 3);
        b->changed = true;
    }
    return place >= 0;
}

/* Read or map the file that the options name. *name is set for messages. */
static int read_input(const settings *set, const char **name, bytes *b)
{
    const bool is_stdin = set->file == NULL || strcmp(set->file, "-") == 0;
    *name = is_stdin ? "standard input" : set->file;
    memset(b, 0, sizeof *b);
    errno = 0;
    int file = STDIN_FILENO;
    if (!is_stdin) {
        file = open(set->file, O_RDONLY);
    }
    if (file < 0) {
        return refused(*name, "cannot be opened", "a readable file");
    }
    int status = EXIT_FINE;
    if (!map_file(file, b)) {
        status = read_all(file, *name, PIPE_BYTES, b);
    }
    if (!is_stdin) {
        close(file);
    }
    return status;
}

#endif

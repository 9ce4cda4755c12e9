/* inflate.h - unpacks zlib and gzip data, for gpucmd-dump.c: zlib, or without it the part of its
 * interface that the tool uses. RFC 1950 (zlib), 1951 (deflate), 1952 (gzip). */
#ifndef DUMP_INFLATE_H
#define DUMP_INFLATE_H

#include "base.h"

#ifdef DUMP_ZLIB
#include <zlib.h>
#else

enum { Z_OK = 0, Z_STREAM_END = 1, Z_DATA_ERROR = -3, Z_BUF_ERROR = -5, Z_SYNC_FLUSH = 2 };

typedef uint8_t Bytef;
typedef unsigned uInt;

enum {
    INFLATE_WINDOW = 32768, /* bytes that a match can reach back */
    INFLATE_SYMBOLS = 288,  /* literals, end and lengths; codes of distances are fewer */
    INFLATE_QUICK = 10,     /* bits of a code that one look-up decodes */
    INFLATE_LONGEST = 15,   /* bits of a code */
};

/* A canonical Huffman code: the codes of a length are consecutive, in the order of symbols. */
typedef struct inflate_code {
    uint16_t quick[1 << INFLATE_QUICK]; /* symbol << 4 | length of its code; 0: none this short */
    uint16_t count[INFLATE_LONGEST + 1];
    uint16_t symbol[INFLATE_SYMBOLS];
} inflate_code;

typedef enum inflate_state {
    INFLATE_HEAD,
    INFLATE_NAMES, /* the parts of a gzip header that flags announce */
    INFLATE_BLOCK,
    INFLATE_STORED,
    INFLATE_COUNTS, /* of a block with its own codes, then the lengths of both codes */
    INFLATE_LENGTHS,
    INFLATE_CODES,
    INFLATE_COPY,
    INFLATE_TAIL,
    INFLATE_DONE,
    INFLATE_BAD,
} inflate_state;

typedef struct z_stream {
    Bytef *next_in;
    uInt avail_in;
    size_t total_in;
    Bytef *next_out;
    uInt avail_out;
    /* The members of this file. */
    inflate_state state;
    bool gzip;
    bool last; /* the block is the last one */
    uint64_t bits;
    unsigned bit_count;
    unsigned flags; /* of a gzip header: parts that are still to come */
    unsigned skip;  /* bytes of the header */
    unsigned literals;
    unsigned distances;
    unsigned lengths; /* read so far */
    uint8_t length[INFLATE_SYMBOLS + 32];
    inflate_code code;
    inflate_code distance;
    size_t left; /* bytes of a stored block or of a match */
    size_t back; /* of a match */
    uint32_t sum;
    uint32_t sum_high;
    uint64_t total_out;
    uint8_t window[INFLATE_WINDOW]; /* the last bytes; byte i is at i % INFLATE_WINDOW */
} z_stream;

/* Begin; bits as in zlib: with 16 the data are gzip, otherwise zlib. */
static int inflateInit2(z_stream *z, int bits)
{
    const bool gzip = (bits & 16) != 0;
    memset(z, 0, sizeof *z);
    z->gzip = gzip;
    z->sum = gzip ? 0xffffffff : 1;
    return Z_OK;
}

static int inflateInit(z_stream *z)
{
    return inflateInit2(z, 15);
}

static void inflateEnd(z_stream *z)
{
    (void)z;
}

/* Take input until at least n bits are there; n is at most 56. Return false if the input ends. */
static bool inflate_need(z_stream *z, unsigned n)
{
    while (z->bit_count < n && z->avail_in != 0) {
        z->bits |= (uint64_t)*z->next_in++ << z->bit_count;
        z->avail_in--;
        z->total_in++;
        z->bit_count += 8;
    }
    return z->bit_count >= n;
}

/* Remove and return n bits, which are there. */
static unsigned inflate_take(z_stream *z, unsigned n)
{
    const unsigned v = (unsigned)(z->bits & (((uint64_t)1 << n) - 1));
    z->bits >>= n;
    z->bit_count -= n;
    return v;
}

/* Make a code of the lengths of n symbols. Return false if they are no code: too many are short, or,
 * unless a single one is there, too few. */
static bool inflate_make(inflate_code *c, const uint8_t *length, unsigned n)
{
    uint16_t first[INFLATE_LONGEST + 2];
    unsigned code[INFLATE_LONGEST + 1];
    int left = 1;
    unsigned used = 0;
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < n; i++) {
        c->count[length[i]]++;
    }
    used = n - c->count[0];
    c->count[0] = 0;
    first[1] = 0;
    code[0] = 0;
    for (unsigned bits = 1; bits <= INFLATE_LONGEST; bits++) {
        left = 2 * left - c->count[bits];
        if (left < 0) {
            return false;
        }
        first[bits + 1] = (uint16_t)(first[bits] + c->count[bits]);
        code[bits] = (code[bits - 1] + c->count[bits - 1]) << 1;
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned bits = length[i];
        if (bits == 0) {
            continue;
        }
        c->symbol[first[bits]++] = (uint16_t)i;
        unsigned turned = 0; /* the first bit of a code is the lowest of the input */
        for (unsigned b = 0; b < bits; b++) {
            turned |= (code[bits] >> b & 1) << (bits - 1 - b);
        }
        code[bits]++;
        for (; turned < 1u << INFLATE_QUICK && bits <= INFLATE_QUICK; turned += 1u << bits) {
            c->quick[turned] = (uint16_t)(i << 4 | bits);
        }
    }
    return left == 0 || used <= 1;
}

/* What a look at the next symbol shows. */
typedef enum inflate_look { LOOK_FOUND, LOOK_SHORT, LOOK_WRONG } inflate_look;

/* Find the symbol whose code begins at bit `from` of the bits that are there. *len: of its code. */
static inflate_look inflate_find(const z_stream *z, const inflate_code *c, unsigned from,
                                 unsigned *symbol, unsigned *len)
{
    const uint64_t bits = z->bits >> from;
    const unsigned quick = c->quick[bits & ((1u << INFLATE_QUICK) - 1)];
    const unsigned there = z->bit_count - from;
    unsigned code = 0;
    unsigned first = 0;
    unsigned index = 0;
    if (quick != 0 && (quick & 15) <= there) {
        *symbol = quick >> 4;
        *len = quick & 15;
        return LOOK_FOUND;
    }
    for (unsigned n = 1; n <= INFLATE_LONGEST; n++) {
        if (n > there) {
            return LOOK_SHORT;
        }
        code |= (unsigned)(bits >> (n - 1) & 1);
        if (code < first + c->count[n]) {
            *symbol = c->symbol[index + code - first];
            *len = n;
            return LOOK_FOUND;
        }
        index += c->count[n];
        first = (first + c->count[n]) << 1;
        code <<= 1;
    }
    return LOOK_WRONG;
}

/* Write one byte, for which there is room. */
static void inflate_put(z_stream *z, uint8_t byte)
{
    z->window[z->total_out++ % INFLATE_WINDOW] = byte;
    *z->next_out++ = byte;
    z->avail_out--;
}

/* Add n bytes to the check sum: Adler-32, of gzip CRC-32. */
static void inflate_sum(z_stream *z, const uint8_t *p, size_t n)
{
    if (z->gzip) {
        for (size_t i = 0; i < n; i++) {
            z->sum ^= p[i];
            for (int k = 0; k < 8; k++) {
                z->sum = z->sum >> 1 ^ (0xedb88320 & (0 - (z->sum & 1)));
            }
        }
        return;
    }
    while (n != 0) {
        const size_t part = (size_t)lesser(n, 5552); /* the sums have 32 bits */
        for (size_t i = 0; i < part; i++) {
            z->sum += p[i];
            z->sum_high += z->sum;
        }
        z->sum %= 65521;
        z->sum_high %= 65521;
        p += part;
        n -= part;
    }
}

/* The functions of states return false if input or room is missing, or the data are wrong. */
static bool inflate_fail(z_stream *z)
{
    z->state = INFLATE_BAD;
    return false;
}

static bool inflate_head(z_stream *z)
{
    if (!inflate_need(z, 16)) {
        return false;
    }
    if (z->gzip) {
        /* Magic, method and flags; then time and system, 6 bytes. */
        if (!inflate_need(z, 32)) {
            return false;
        }
        const unsigned head = inflate_take(z, 32);
        if ((head & 0xffffff) != 0x088b1f) {
            return inflate_fail(z);
        }
        z->flags = head >> 24;
        z->skip = 6;
        z->state = INFLATE_NAMES;
        return true;
    }
    const unsigned method = inflate_take(z, 8);
    const unsigned flags = inflate_take(z, 8);
    if ((method & 15) != 8 || (method << 8 | flags) % 31 != 0 || (flags & 32) != 0) {
        return inflate_fail(z);
    }
    z->state = INFLATE_BLOCK;
    return true;
}

/* Skip what a gzip header has after its first bytes: extra bytes (flag 4), a name (8), a comment (16)
 * and a check sum (2). */
static bool inflate_names(z_stream *z)
{
    for (; z->skip != 0; z->skip--) {
        if (!inflate_need(z, 8)) {
            return false;
        }
        (void)inflate_take(z, 8);
    }
    if ((z->flags & 4) != 0) {
        if (!inflate_need(z, 16)) {
            return false;
        }
        z->skip = inflate_take(z, 16);
        z->flags &= ~4u;
        return true;
    }
    if ((z->flags & 24) != 0) {
        if (!inflate_need(z, 8)) {
            return false;
        }
        if (inflate_take(z, 8) == 0) {
            z->flags &= (z->flags & 8) != 0 ? ~8u : ~16u;
        }
        return true;
    }
    if ((z->flags & 2) != 0) {
        z->skip = 2;
        z->flags &= ~2u;
        return true;
    }
    z->state = INFLATE_BLOCK;
    return true;
}

/* Make the codes of a block without its own: RFC 1951, 3.2.6. */
static bool inflate_fixed(z_stream *z)
{
    memset(z->length, 8, 144);
    memset(z->length + 144, 9, 112);
    memset(z->length + 256, 7, 24);
    memset(z->length + 280, 8, 8);
    (void)inflate_make(&z->code, z->length, INFLATE_SYMBOLS);
    memset(z->length, 5, 30);
    (void)inflate_make(&z->distance, z->length, 30);
    z->state = INFLATE_CODES;
    return true;
}

static bool inflate_block(z_stream *z)
{
    if (z->last) {
        (void)inflate_take(z, z->bit_count % 8);
        z->state = INFLATE_TAIL;
        return true;
    }
    if (!inflate_need(z, 3)) {
        return false;
    }
    const unsigned kind = (unsigned)(z->bits >> 1 & 3);
    if (kind == 0) {
        const unsigned pad = (z->bit_count - 3) % 8;
        if (!inflate_need(z, 3 + pad + 32)) {
            return false;
        }
        z->last = inflate_take(z, 3) & 1;
        (void)inflate_take(z, pad);
        z->left = inflate_take(z, 16);
        z->state = INFLATE_STORED;
        return inflate_take(z, 16) == (z->left ^ 0xffff) || inflate_fail(z);
    }
    z->last = inflate_take(z, 3) & 1;
    if (kind == 1) {
        return inflate_fixed(z);
    }
    z->state = INFLATE_COUNTS;
    return kind == 2 || inflate_fail(z);
}

static bool inflate_stored(z_stream *z)
{
    for (; z->left != 0; z->left--) {
        if (z->avail_out == 0 || !inflate_need(z, 8)) {
            return false;
        }
        inflate_put(z, (uint8_t)inflate_take(z, 8));
    }
    z->state = INFLATE_BLOCK;
    return true;
}

/* Read the numbers of lengths, and the code that the lengths have. */
static bool inflate_counts(z_stream *z)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    if (z->literals == 0) {
        if (!inflate_need(z, 14)) {
            return false;
        }
        z->literals = inflate_take(z, 5) + 257;
        z->distances = inflate_take(z, 5) + 1;
        z->left = inflate_take(z, 4) + 4;
        z->lengths = 0;
        memset(z->length, 0, 19);
        if (z->literals > 286 || z->distances > 30) {
            return inflate_fail(z);
        }
    }
    for (; z->lengths < z->left; z->lengths++) {
        if (!inflate_need(z, 3)) {
            return false;
        }
        z->length[order[z->lengths]] = (uint8_t)inflate_take(z, 3);
    }
    z->lengths = 0;
    z->state = INFLATE_LENGTHS;
    return inflate_make(&z->code, z->length, 19) || inflate_fail(z);
}

/* Read the lengths of both codes, and make them. */
static bool inflate_lengths(z_stream *z)
{
    const unsigned all = z->literals + z->distances;
    while (z->lengths < all) {
        unsigned symbol = 0;
        unsigned len = 0;
        (void)inflate_need(z, 7 + 7);
        const inflate_look look = inflate_find(z, &z->code, 0, &symbol, &len);
        if (look != LOOK_FOUND) {
            return look == LOOK_SHORT ? false : inflate_fail(z);
        }
        static const uint8_t extra_bits[3] = {2, 3, 7}; /* of 16, 17, 18 */
        const unsigned extra = symbol < 16 ? 0 : extra_bits[symbol - 16];
        if (z->bit_count < len + extra) {
            return false;
        }
        (void)inflate_take(z, len);
        unsigned times = 1;
        uint8_t value = (uint8_t)symbol;
        if (symbol >= 16) {
            times = inflate_take(z, extra) + (symbol == 18 ? 11 : 3);
            value = symbol == 16 && z->lengths != 0 ? z->length[z->lengths - 1] : 0;
        }
        if ((symbol == 16 && z->lengths == 0) || times > all - z->lengths) {
            return inflate_fail(z);
        }
        memset(z->length + z->lengths, value, times);
        z->lengths += times;
    }
    const unsigned literals = z->literals;
    z->literals = 0;
    z->state = INFLATE_CODES;
    return (z->length[256] != 0 && inflate_make(&z->code, z->length, literals) &&
            inflate_make(&z->distance, z->length + literals, all - literals)) ||
           inflate_fail(z);
}

/* Decode the length and distance of a match whose symbol has n bits. */
static bool inflate_match(z_stream *z, unsigned symbol, unsigned n)
{
    static const uint16_t lengths[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                         15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                         67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint16_t distances[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    if (symbol > 285) {
        return inflate_fail(z);
    }
    const unsigned k = symbol - 257;
    const unsigned extra = k < 8 || k == 28 ? 0 : (k - 4) / 4;
    unsigned d = 0;
    unsigned len = 0;
    if (z->bit_count < n + extra) {
        return false;
    }
    const inflate_look look = inflate_find(z, &z->distance, n + extra, &d, &len);
    if (look != LOOK_FOUND) {
        return look == LOOK_SHORT ? false : inflate_fail(z);
    }
    if (d > 29) {
        return inflate_fail(z);
    }
    const unsigned far = d < 4 ? 0 : (d - 2) / 2;
    if (z->bit_count < n + extra + len + far) {
        return false;
    }
    (void)inflate_take(z, n);
    z->left = lengths[k] + inflate_take(z, extra);
    (void)inflate_take(z, len);
    z->back = distances[d] + inflate_take(z, far);
    z->state = INFLATE_COPY;
    return (z->back <= z->total_out && z->back <= INFLATE_WINDOW) || inflate_fail(z);
}

static bool inflate_codes(z_stream *z)
{
    for (;;) {
        unsigned symbol = 0;
        unsigned n = 0;
        if (z->avail_out == 0) {
            return false;
        }
        (void)inflate_need(z, 48);
        const inflate_look look = inflate_find(z, &z->code, 0, &symbol, &n);
        if (look != LOOK_FOUND) {
            return look == LOOK_SHORT ? false : inflate_fail(z);
        }
        if (symbol > 256) {
            return inflate_match(z, symbol, n);
        }
        (void)inflate_take(z, n);
        if (symbol == 256) {
            z->state = INFLATE_BLOCK;
            return true;
        }
        inflate_put(z, (uint8_t)symbol);
    }
}

static bool inflate_copy(z_stream *z)
{
    for (; z->left != 0; z->left--) {
        if (z->avail_out == 0) {
            return false;
        }
        inflate_put(z, z->window[(z->total_out - z->back) % INFLATE_WINDOW]);
    }
    z->state = INFLATE_CODES;
    return true;
}

/* Read the check sum; it is compared when the output of this call has been added. */
static bool inflate_tail(z_stream *z)
{
    if (!inflate_need(z, 32)) {
        return false;
    }
    z->state = INFLATE_DONE;
    return false;
}

/* Compare the check sum after all output: big-endian Adler-32, or CRC-32 and the length. */
static int inflate_finish(z_stream *z)
{
    const uint32_t read = inflate_take(z, 32);
    const uint32_t adler = z->sum_high << 16 | z->sum;
    const uint32_t turned = read >> 24 | (read >> 8 & 0xff00) | (read & 0xff00) << 8 | read << 24;
    const bool right = z->gzip ? (read ^ 0xffffffff) == z->sum : turned == adler;
    if (z->gzip && inflate_need(z, 32)) {
        (void)inflate_take(z, 32);
    }
    z->total_in -= z->bit_count / 8;
    z->state = right ? INFLATE_DONE : INFLATE_BAD;
    z->literals = 1; /* finished */
    return right ? Z_STREAM_END : Z_DATA_ERROR;
}

/* Unpack until input or room ends. Z_OK: more is needed; Z_STREAM_END: the check sum is right. */
static int inflate(z_stream *z, int flush)
{
    static bool (*const states[])(z_stream *) = {
        inflate_head,    inflate_names, inflate_block, inflate_stored, inflate_counts,
        inflate_lengths, inflate_codes, inflate_copy,  inflate_tail,
    };
    const uint8_t *from = z->next_out;
    (void)flush;
    while (z->state < INFLATE_DONE && states[z->state](z)) {
    }
    inflate_sum(z, from, (size_t)(z->next_out - from));
    if (z->state == INFLATE_BAD) {
        return Z_DATA_ERROR;
    }
    if (z->state == INFLATE_DONE && z->literals == 0) {
        return inflate_finish(z);
    }
    return z->state == INFLATE_DONE ? Z_STREAM_END : Z_OK;
}

#endif /* DUMP_ZLIB */
#endif

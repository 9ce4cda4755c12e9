/* stream.h - the streams, memory and registers that an input holds, for gpucmd-dump.c. */
#ifndef DUMP_STREAM_H
#define DUMP_STREAM_H

#include "base.h"
#include "memory.h"

/* Words that a text can stand for without writing them: "*", repeats. A harness has fewer. */
#ifndef STREAM_LIMIT_DW
#define STREAM_LIMIT_DW (4 << 20)
#endif

enum {
    SECTIONS = 2048,         /* pieces of memory of one dump */
    PIECES = SECTIONS + 256, /* with those that jumps add */
    GUESS_DW = 1 << 18,      /* words of a stream that show its chip or generation */
    NO_STATE = -1,
};

/* What is known of the words of a stream. */
enum { WORD_KNOWN, WORD_UNKNOWN };

/* The words of one stream, or of memory that a stream can reach. */
typedef struct stream {
    const char *name; /* of the input, for messages */
    uint32_t *dw;     /* CPU words */
    size_t len_dw;    /* whole words */
    size_t cap_dw;
    size_t extra_bytes; /* bytes of a last word that is not whole */
    uint8_t tail[4];    /* these bytes */
    bool view;          /* dw and unknown belong to the input or to another stream */
    bool resting;       /* pages of dw may be given back: the program does not change the words */
    bool is_text;
    uint8_t *unknown; /* NULL, or 1 for each word that the dump does not have */
    const char *kind; /* "batch", "ring", "push"; NULL: words without more */
    char engine[16];  /* "rcs0", "ch7", "" */
    uint64_t va;      /* address of the first word */
    bool has_va;
    size_t wrap_dw; /* a ring: the word at wrap_va; 0: none */
    uint64_t wrap_va;
    bool memory;     /* no stream by itself */
    bool is_context; /* memory that is an image of a context */
    size_t line;     /* of the input, 0: none */
    int state;       /* index of the registers of its engine, or NO_STATE */
} stream;

enum { OTHER_REGISTERS = 40 };

/* A register of an engine without a member of its own. */
typedef struct other_register {
    char name[24];
    uint64_t value;
} other_register;

/* Registers of an engine at the time of the dump. have: bits of the members that the dump has. */
typedef struct engine_state {
    char name[16]; /* "rcs0" */
    size_t line;
    uint32_t have;
    uint64_t start;
    uint64_t head;
    uint64_t request; /* where the request that hung begins in the ring */
    uint64_t tail;
    uint64_t ctl;
    uint64_t acthd;
    uint64_t bbaddr;
    uint64_t ipehr;
    uint64_t instdone;
    other_register others[OTHER_REGISTERS];
    size_t other_count;
} engine_state;

/* Rows: member, names in an error state; the longest name that fits is taken. */
#define ENGINE_REGISTERS(R)                                                                        \
    R(start, "START")                                                                              \
    R(head, "HEAD")                                                                                \
    R(request, "request")                                                                          \
    R(tail, "TAIL")                                                                                \
    R(ctl, "CTL")                                                                                  \
    R(acthd, "ACTHD")                                                                              \
    R(bbaddr, "BBADDR")                                                                            \
    R(ipehr, "IPEHR")                                                                              \
    R(instdone, "INSTDONE")

enum {
#define ENGINE_REGISTER(member, text) REG_##member,
    ENGINE_REGISTERS(ENGINE_REGISTER)
#undef ENGINE_REGISTER
};

static bool state_has(const engine_state *state, int reg)
{
    return (state->have >> reg & 1) != 0;
}

enum { HANGS = 8 };

/* "GPU HANG: ecode" of a kernel log or an error state. */
typedef struct hang_code {
    uint32_t gen;    /* 0: not told */
    uint32_t engine; /* number of the engine, or a mask of classes of engines */
    uint32_t code;   /* IPEHR xor INSTDONE */
    bool is_mask;
    char name[16]; /* engine that the text names besides */
    size_t line;
} hang_code;

/* Everything that was read from one input. */
typedef struct dump {
    const char *name;
    const char *format; /* name of the recognised format */
    bool text;          /* the input was text */
    const char *vendor; /* that the format belongs to; NULL: any */
    stream *streams;    /* those of the input first, then memory */
    size_t count;
    engine_state *states;
    size_t state_count;
    char chip[16]; /* chip or generation that the dump names; "" if none */
    char chip_why[48];
    int chip_rank;    /* how sure the source is */
    char process[64]; /* what was running, "" if unknown */
    hang_code hangs[HANGS];
    size_t hang_count;
    size_t damage;        /* messages about missing or wrong parts */
    size_t stream_left;   /* bytes that compressed streams may become */
    size_t memory_left;   /* and compressed memory */
    size_t events;        /* lines of a log that were explained */
    size_t unexplained;   /* lines of a driver that were not */
    bool is_xe;           /* a log of the driver xe */
    bool beside;          /* a log is read beside rows: only its events are told */
    bool refused;         /* the text is something that the vendor does not read */
    const char *why_none; /* why the text has no stream, or NULL */
    uint32_t gen;         /* Intel: generation of the options, 0: none */
    const char *names;    /* Intel: lists of --names, NULL: none */
    int nv_chip;          /* NVIDIA: chip of the options or of a log, -1: not known */
    bool doubtful;        /* the input may not be what it was read as */
    size_t implied_dw;    /* words that the text only counts */
    bool full;            /* SECTIONS pieces are read; the rest of the input is skipped */
    gpucmd_endian endian; /* of words in bytes */
    bool turned;          /* the text is read in the other order of bytes */
} dump;

static bool dump_quiet; /* no messages: used while a byte order is tried, and by fuzz targets */

/* Report damage: a line of the input and what is wrong. */
static void damaged(dump *d, size_t line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 3, 4)))
#endif
    ;

static void damaged(dump *d, size_t line, const char *format, ...)
{
    va_list list;
    if (d->damage++ < MESSAGES && !dump_quiet) {
        fprintf(stderr, "gpucmd-dump: %s: ", d->name);
        if (line != 0) {
            fprintf(stderr, "line %zu: ", line);
        }
        va_start(list, format);
        vfprintf(stderr, format, list);
        va_end(list);
        fputc('\n', stderr);
    }
}

/* Report a fact about the input, which is no error. */
static void note(const dump *d, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 2, 3)))
#endif
    ;

static void note(const dump *d, const char *format, ...)
{
    va_list list;
    if (!dump_quiet) {
        fprintf(stderr, "gpucmd-dump: %s: ", d->name);
        va_start(list, format);
        vfprintf(stderr, format, list);
        va_end(list);
        fputc('\n', stderr);
    }
}

static void free_stream(stream *s)
{
    if (!s->view) {
        release(s->dw);
        release(s->unknown);
    }
}

/* Add an empty stream and return it; the pointer is valid until the next call. A dump that is full
 * gets no more: the last stream becomes empty. */
static stream *add_stream(dump *d, const char *kind, size_t line)
{
    stream *s;
    if (d->count == SECTIONS && !d->full) {
        note(d, "line %zu: more than %d pieces of memory; the rest is skipped", line, SECTIONS);
        d->damage++;
        d->full = true;
    }
    if (d->count == PIECES) {
        free_stream(&d->streams[--d->count]);
    }
    d->streams = resize(d->streams, d->count + 1, sizeof *d->streams);
    s = &d->streams[d->count++];
    memset(s, 0, sizeof *s);
    s->name = d->name;
    s->kind = kind;
    s->line = line;
    s->is_text = d->text;
    s->state = NO_STATE;
    return s;
}

/* Return the stream that was added last, or NULL. */
static stream *last_stream(const dump *d)
{
    if (d->count != 0) {
        return &d->streams[d->count - 1];
    }
    return NULL;
}

/* Return the other order of bytes. */
static gpucmd_endian other_endian(gpucmd_endian endian)
{
    return endian == GPUCMD_BIG_ENDIAN ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN;
}

/* Make room for n words in all. */
static void reserve_dw(stream *s, size_t n)
{
    if (n <= s->cap_dw) {
        return;
    }
    while (s->cap_dw < n) {
        s->cap_dw = s->cap_dw < 256 ? 256 : 2 * s->cap_dw;
    }
    s->dw = resize(s->dw, s->cap_dw, sizeof *s->dw);
    if (s->unknown != NULL) {
        s->unknown = resize(s->unknown, s->cap_dw, 1);
    }
}

/* Give pages back of the words that were read or written since word *from, up to word to, if they are
 * many. *from: where the next words begin. */
static void rest_words(const stream *s, size_t *from, size_t to)
{
    if (to < *from) {
        *from = 0;
    }
    const size_t n = to - *from;
    if (n < REST_BYTES / 4) {
        return;
    }
    if (s->view && s->resting) {
        rest(s->dw + *from, 4 * n);
    } else if (!s->view && s->dw != NULL) {
        rest_block(s->dw, 4 * *from, 4 * n);
    }
    *from = to;
}

static void add_dw(stream *s, uint32_t dw)
{
    reserve_dw(s, s->len_dw + 1);
    if (s->unknown != NULL) {
        s->unknown[s->len_dw] = WORD_KNOWN;
    }
    s->dw[s->len_dw++] = dw;
}

/* Return true if the text may count n more words. At the limit nothing more is read. */
static bool may_imply(dump *d, uint64_t n)
{
    if (n > STREAM_LIMIT_DW - d->implied_dw && !d->full) {
        note(d,
             "the text counts more than %d MiB of words that it does not list; the rest is skipped",
             STREAM_LIMIT_DW >> 18);
        d->damage++;
        d->full = true;
    }
    d->implied_dw += d->full ? 0 : (size_t)n;
    return !d->full;
}

/* Add n words that the dump does not have. Return false at the limit. */
static bool add_unknown(dump *d, stream *s, size_t n)
{
    if (!may_imply(d, n)) {
        return false;
    }
    if (s->unknown == NULL) {
        s->unknown = resize(NULL, s->cap_dw + 1, 1);
        memset(s->unknown, WORD_KNOWN, s->cap_dw + 1);
    }
    while (n-- != 0) {
        add_dw(s, 0);
        s->unknown[s->len_dw - 1] = WORD_UNKNOWN;
    }
    return true;
}

/* Append bytes; four are a word. */
static void add_bytes(stream *s, const uint8_t *b, size_t len, gpucmd_endian endian)
{
    for (size_t i = 0; i < len; i++) {
        if (s->extra_bytes == 0 && len - i >= 4) {
            add_dw(s, gpucmd_load32(b + i, endian));
            i += 3;
            continue;
        }
        s->tail[s->extra_bytes++] = b[i];
        if (s->extra_bytes == 4) {
            s->extra_bytes = 0;
            add_dw(s, gpucmd_load32(s->tail, endian));
        }
    }
}

static void add_byte(stream *s, uint8_t byte, gpucmd_endian endian)
{
    add_bytes(s, &byte, 1, endian);
}

/* Return the number of words from word at, at most n, that the dump does not have. */
static size_t count_unknown(const stream *s, size_t at, size_t n)
{
    size_t count = 0;
    for (size_t i = at; s->unknown != NULL && i < s->len_dw && i - at < n; i++) {
        count += s->unknown[i] != WORD_KNOWN;
    }
    return count;
}

/* Let s have the words of another stream from word from, without a copy. */
static void view_words(stream *s, const stream *of, size_t from)
{
    s->dw = of->dw + from;
    s->unknown = of->unknown != NULL ? of->unknown + from : NULL;
    s->len_dw = s->cap_dw = of->len_dw - from;
    s->view = true;
}

/* Return the address of word i. */
static uint64_t stream_va(const stream *s, size_t i)
{
    if (s->wrap_dw != 0 && i >= s->wrap_dw) {
        return s->wrap_va + 4 * (uint64_t)(i - s->wrap_dw);
    }
    return s->va + 4 * (uint64_t)i;
}

/* Return true if the stream has the address; *at is the word. */
static bool stream_find(const stream *s, uint64_t va, size_t *at)
{
    const size_t first = s->wrap_dw != 0 ? s->wrap_dw : s->len_dw;
    if (!s->has_va) {
        return false;
    }
    if (va >= s->va && (va - s->va) / 4 < first) {
        *at = (size_t)((va - s->va) / 4);
        return true;
    }
    if (s->wrap_dw != 0 && va >= s->wrap_va && (va - s->wrap_va) / 4 < s->len_dw - first) {
        *at = first + (size_t)((va - s->wrap_va) / 4);
        return true;
    }
    return false;
}

/* Return the number of streams, which come before memory. */
static size_t stream_count(const dump *d)
{
    size_t n = 0;
    while (n < d->count && !d->streams[n].memory) {
        n++;
    }
    return n;
}

/* Move memory behind the streams; their order stays. */
static void sort_streams(dump *d)
{
    stream *sorted = resize(NULL, d->count, sizeof *sorted);
    size_t n = 0;
    for (int memory = 0; memory < 2; memory++) {
        for (size_t i = 0; i < d->count; i++) {
            if (d->streams[i].memory == (memory != 0)) {
                sorted[n++] = d->streams[i];
            }
        }
    }
    release(d->streams);
    d->streams = sorted;
}

/* Find the registers of an engine; -1: none. A new engine is added. */
static int find_state(dump *d, const char *name, bool add, size_t line)
{
    for (size_t i = 0; i < d->state_count; i++) {
        if (strcmp(d->states[i].name, name) == 0) {
            return (int)i;
        }
    }
    if (!add || d->state_count > 1000) {
        return NO_STATE;
    }
    d->states = resize(d->states, d->state_count + 1, sizeof *d->states);
    engine_state *state = &d->states[d->state_count];
    memset(state, 0, sizeof *state);
    snprintf(state->name, sizeof state->name, "%s", name);
    state->line = line;
    return (int)d->state_count++;
}

static void free_dump(dump *d)
{
    for (size_t i = 0; i < d->count; i++) {
        free_stream(&d->streams[i]);
    }
    release(d->streams);
    release(d->states);
}

#endif

/* reader.h - one way to read an input, for gpucmd-dump.c. formats.h has the table. */
#ifndef DUMP_READER_H
#define DUMP_READER_H

#include "base.h"
#include "lines.h"
#include "stream.h"

/* What a format shows of its words. */
typedef enum reader_rank {
    RANK_NONE,
    RANK_FRAME, /* a text of one program, with titles around its words */
    RANK_ROWS,  /* rows with addresses */
    RANK_LOG,   /* messages; words are the exception */
    RANK_BARE,  /* words alone: any text may have some */
} reader_rank;

/* Lists of names are separated by '|'. A function that is NULL has nothing to do. */
typedef struct reader {
    const char *names;   /* for --input and the help */
    const char *also;    /* more names for --input; may be NULL */
    const char *vendors; /* that have the format; "": --input does not name it */
    reader_rank rank;
    /* If the first lines have a format, return its name, otherwise NULL. The name can be that of
     * another row. */
    const char *(*recognise)(dump *d, const text_lines *t);
    /* Prepare to read; state has state_bytes zeros, t the first lines. */
    void (*begin)(void *state, dump *d, const text_lines *t);
    /* Read lines into streams of d. A text has several windows of lines, unless whole is set. */
    void (*lines)(void *state, dump *d, const text_lines *t);
    /* Report what the end of the text leaves open. count: line ends of the text. */
    void (*end)(void *state, dump *d, size_t count);
    /* Return true if lines do not show the order of bytes. Then both orders are tried. */
    bool (*is_open)(const text_lines *t);
    size_t state_bytes;
    bool titled;         /* its lines have letters beyond f: plain lines are none */
    bool whole;          /* parts of the text refer to each other */
    const char *help;    /* what the format is, a line or more */
    const char *samples; /* of names: files of tests/data/dumps */
} reader;

/* Return true if a list has the name. */
static bool list_has(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, name, n) == 0 && (at[n] == '\0' || at[n] == '|')) {
            return true;
        }
    }
    return false;
}

#endif

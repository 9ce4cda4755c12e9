/* choose.h - what a text is, for gpucmd-dump.c: the readers that recognise it are tried, and the one that
 * explains the most words reads it. */
#ifndef DUMP_CHOOSE_H
#define DUMP_CHOOSE_H

#include "base.h"
#include "bytes.h"
#include "lines.h"
#include "memory.h"
#include "reader.h"
#include "readers.h"
#include "stream.h"
#include "words.h"

/* The input as bytes, and how it is read. */
typedef struct dump_input {
    bytes b;
    text_source source;
    const reader *how;
    const reader *beside; /* explains messages around rows, or NULL */
    bool ascii;
    void *state; /* of the reader */
    void *beside_state;
} dump_input;

/* A reader that recognised the text, and what it explains of the first lines. */
typedef struct candidate {
    const reader *row;
    const char *name;
    size_t words; /* that are known */
    size_t events;
    size_t damage;
    bool tried;
} candidate;

/* A text in which nothing is a stream. */
static const reader none_format = {.names = "text without a stream", .vendors = ""};

/* Try the reader of a candidate on the first lines. */
static void weigh(const dump *d, const text_lines *t, candidate *c)
{
    dump trial = *d;
    const bool quiet = dump_quiet;
    void *state = resize(NULL, c->row->state_bytes, 1);
    memset(state, 0, c->row->state_bytes);
    trial.streams = NULL;
    trial.states = NULL;
    trial.count = trial.state_count = 0;
    trial.format = c->name;
    dump_quiet = true;
    if (c->row->begin != NULL) {
        c->row->begin(state, &trial, t);
    }
    if (c->row->lines != NULL) {
        c->row->lines(state, &trial, t);
    }
    if (c->row->end != NULL) {
        c->row->end(state, &trial, 0);
    }
    dump_quiet = quiet;
    release(state);
    for (size_t i = 0; i < stream_count(&trial); i++) {
        const stream *s = &trial.streams[i];
        c->words += s->len_dw;
        for (size_t k = 0; s->unknown != NULL && k < s->len_dw; k++) {
            c->words -= s->unknown[k] != WORD_KNOWN;
        }
    }
    c->events = trial.events;
    c->damage = trial.damage;
    c->tried = true;
    free_dump(&trial);
}

/* Return true if the vendor reads the format of a row. */
static bool is_own(const dump *d, const reader *row)
{
    return row->vendors[0] == '\0' || strstr(row->vendors, d->vendor) != NULL;
}

/* Find the readers of some ranks that recognise the text. own: those of the vendor, otherwise the
 * others. Return their number. */
static size_t find_candidates(dump *d, const text_lines *t, unsigned ranks, bool own,
                              candidate list[READERS])
{
    size_t n = 0;
    for (size_t i = 0; i < READERS; i++) {
        const reader *row = readers[i];
        if ((ranks >> row->rank & 1) == 0 || row->recognise == NULL || is_own(d, row) != own ||
            (t->plain && row->titled)) {
            continue;
        }
        const char *name = row->recognise(d, t);
        if (name != NULL) {
            memset(&list[n], 0, sizeof list[n]);
            list[n].row = find_reader(name);
            list[n++].name = name;
        }
    }
    return n;
}

/* Choose among readers with titles, rows or messages: the one with the most words; without words the
 * first log, then the first. Return NULL if there is none. */
static candidate *best_candidate(const dump *d, const text_lines *t, candidate *list, size_t n,
                                 bool all)
{
    candidate *best = NULL;
    for (size_t i = 0; i < n; i++) {
        if (n > 1 || all) {
            weigh(d, t, &list[i]);
        }
        if (best == NULL || list[i].words > best->words) {
            best = &list[i];
        }
    }
    for (size_t i = 0; i < n && best != NULL && best->words == 0; i++) {
        if (list[i].row->rank == RANK_LOG && best->row->rank == RANK_ROWS) {
            best = &list[i];
        }
    }
    return best;
}

/* Print the candidates. */
static void put_candidates(const dump *d, const candidate *list, size_t n, const reader *chosen)
{
    for (size_t i = 0; i < n; i++) {
        const candidate *c = &list[i];
        fprintf(stderr, "gpucmd-dump: %s: %s: ", d->name, c->name);
        if (c->tried) {
            fprintf(stderr, "%zu word%s, %zu event%s, %zu damaged place%s", c->words,
                    plural(c->words), c->events, plural(c->events), c->damage, plural(c->damage));
        } else {
            fputs("recognised", stderr);
        }
        fputs(c->row == chosen ? ": taken\n" : "\n", stderr);
    }
}

/* Return the name of what wins over all words that stand alone: another command set, or a format of
 * another vendor. */
static const char *find_foreign(dump *d, const text_lines *t)
{
    candidate list[READERS];
    static char name[160];
    const char *other = find_other_family(d, t);
    if (other != NULL) {
        snprintf(name, sizeof name, "another command set: %s", other);
        return name;
    }
    if (find_candidates(d, t, 1u << RANK_FRAME | 1u << RANK_LOG, false, list) == 0) {
        return NULL;
    }
    snprintf(name, sizeof name, "%s, a format of another vendor: gpucmd-dump %s reads it",
             list[0].name, list[0].row->vendors);
    return name;
}

/* Choose a reader of words that stand alone. Return none_format for prose and lists of values. */
static const reader *choose_bare(dump *d, const text_lines *t, bool why)
{
    candidate list[READERS];
    const size_t n = find_candidates(d, t, 1u << RANK_BARE, true, list);
    const reader *how = &words_format;
    d->format = words_format.names;
    if (n != 0) {
        how = list[0].row;
        d->format = list[0].name;
    }
    if (how == &words_format) {
        d->why_none = find_no_words(t);
    } else if (how == &array_format) {
        d->why_none = find_no_array(d, t);
        if (d->why_none != NULL && find_no_words(t) == NULL && count_words(t) != 0) {
            how = &words_format;
            d->format = words_format.names;
            d->why_none = NULL;
        }
    }
    for (size_t i = 0; i < n && why; i++) {
        weigh(d, t, &list[i]);
    }
    if (why) {
        put_candidates(d, list, n, d->why_none != NULL ? NULL : how);
        if (d->why_none != NULL) {
            note(d, "none of them: %s", d->why_none);
        }
    }
    if (d->why_none != NULL) {
        d->format = none_format.names;
        return &none_format;
    }
    return how;
}

/* Return how the first lines are to be read, and set the format's name. why: print what was weighed. */
static const reader *recognise(dump *d, dump_input *in, const text_lines *t, bool why)
{
    candidate list[READERS];
    const unsigned ranks = 1u << RANK_FRAME | 1u << RANK_ROWS | 1u << RANK_LOG;
    const size_t n = find_candidates(d, t, ranks, true, list);
    candidate *best = best_candidate(d, t, list, n, why);
    in->beside = NULL;
    if (best == NULL || best->row->rank == RANK_ROWS) {
        const char *foreign = find_foreign(d, t);
        if (foreign != NULL) {
            d->refused = true;
            d->why_none = foreign;
            d->format = none_format.names;
            return &none_format;
        }
    }
    if (best == NULL) {
        return choose_bare(d, t, why);
    }
    d->format = best->name;
    for (size_t i = 0; i < n && best->row->rank == RANK_ROWS && in->beside == NULL; i++) {
        if (list[i].row->rank == RANK_LOG && list[i].words == 0) {
            in->beside = list[i].row;
        }
    }
    if (why) {
        put_candidates(d, list, n, best->row);
    }
    return best->row;
}

#endif

/* formats.h - reads an input as --input says or as it is recognised, for gpucmd-dump.c. readers.h has the
 * table of formats, choose.h what a text is. */
#ifndef DUMP_FORMATS_H
#define DUMP_FORMATS_H

#include "base.h"
#include "bytes.h"
#include "choose.h"
#include "explain.h"
#include "lines.h"
#include "memory.h"
#include "options.h"
#include "readers.h"
#include "settings.h"
#include "stream.h"
#include "text.h"
#include "words.h"

/* Return the number of words that are no commands under the options. */
typedef size_t (*misfit_fn)(const settings *set, const uint32_t *dw, size_t len_dw);

/* Return the name that --input gives. */
static const char *input_name(const settings *set)
{
    if (set->input != NULL) {
        return set->input;
    }
    return auto_format.names;
}

/* Return the row that --input names, or NULL after a message. */
static const reader *take_input(const settings *set)
{
    char expected[512] = "";
    const char *name = input_name(set);
    for (size_t i = 0; i < READERS; i++) {
        const reader *row = readers[i];
        if (strstr(row->vendors, set->vendor) == NULL) {
            continue;
        }
        if (list_has(row->names, name) || list_has(row->also, name)) {
            return row;
        }
        append(expected, sizeof expected, "%s%s", expected[0] != '\0' ? "|" : "", row->names);
        if (row->also != NULL) {
            append(expected, sizeof expected, "|%s", row->also);
        }
    }
    usage("--input", name, expected);
    return NULL;
}

/* Print what is read, a paragraph for each reader. */
static void put_readers(FILE *to)
{
    enum { INDENT = 19 };
    for (size_t i = 0; i < READERS; i++) {
        const reader *row = readers[i];
        int column = 2;
        if (row->help == NULL) {
            continue;
        }
        fputs("  ", to);
        for (const char *at = row->names; *at != '\0'; at++) {
            column += fprintf(to, *at == '|' ? ", " : "%c", *at);
        }
        if (column > INDENT - 2) {
            fputc('\n', to);
            column = 0;
        }
        for (const char *at = row->help; *at != '\0'; at++) {
            if (column < INDENT) {
                column += fprintf(to, "%*s", INDENT - column, "");
            }
            fputc(*at, to);
            if (*at == '\n') {
                column = 0;
            }
        }
        fputc('\n', to);
    }
}

/* ---- reading ---- */

/* Prepare the reader; t: the first lines. */
static void begin_reading(dump *d, dump_input *in, const text_lines *t)
{
    in->state = resize(NULL, in->how->state_bytes, 1);
    memset(in->state, 0, in->how->state_bytes);
    if (in->how->begin != NULL) {
        in->how->begin(in->state, d, t);
    }
    if (in->beside != NULL) {
        in->beside_state = resize(NULL, in->beside->state_bytes, 1);
        memset(in->beside_state, 0, in->beside->state_bytes);
        d->beside = true;
        if (in->beside->begin != NULL) {
            in->beside->begin(in->beside_state, d, t);
        }
    }
}

/* Read the chip from lines of any text, whatever reads its words. */
static void take_chips(dump *d, const text_lines *t)
{
    const bool intel = strcmp(d->vendor, "i915") == 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        const char *end = line->at + line->len;
        if (!has_text(line)) {
            continue;
        }
        if (intel) {
            take_intel_chip(d, line);
        } else if ((line->prefix & PREFIX_KERNEL) != 0 && match(line->at, end, "NVIDIA @ (") != 0) {
            char name[16];
            gpucmd_nv_chip chip;
            snprintf(name, sizeof name, "%.*s", (int)lesser(span_to(line->at + 7, end, " "), 15),
                     line->at + 7);
            if (nv_chip_of_name(name, &chip) == GPUCMD_OK) {
                set_chip(d, gpucmd_nv_chip_name(chip), "the driver's log", 1000);
            }
        }
    }
}

/* Read lines. */
static void read_lines(dump *d, const dump_input *in, const text_lines *t)
{
    if (in->beside != NULL) {
        in->beside->lines(in->beside_state, d, t);
    }
    if (in->how->lines != NULL) {
        in->how->lines(in->state, d, t);
    }
    if (t->cut) {
        damaged(d, t->lines[t->count - 1].number, "more than %d lines; the rest is skipped",
                LINES_LIMIT);
    }
}

static void end_reading(dump *d, dump_input *in)
{
    if (in->how->end != NULL) {
        in->how->end(in->state, d, in->source.number);
    }
    if (in->beside != NULL && in->beside->end != NULL) {
        in->beside->end(in->beside_state, d, in->source.number);
    }
    release(in->state);
    release(in->beside_state);
    in->state = in->beside_state = NULL;
}

/* Count the words that are no commands, if the first lines are read with the order of bytes of d. */
static size_t try_reading(const settings *set, const dump *d, const dump_input *in,
                          misfit_fn misfit)
{
    dump trial = *d;
    dump_input copy = *in;
    const bool quiet = dump_quiet;
    size_t n = 0;
    copy.beside = NULL;
    trial.streams = NULL;
    trial.states = NULL;
    trial.count = trial.state_count = 0;
    dump_quiet = true;
    begin_reading(&trial, &copy, &in->source.t);
    read_lines(&trial, &copy, &in->source.t);
    release(copy.state);
    dump_quiet = quiet;
    for (size_t i = 0; i < stream_count(&trial); i++) {
        n += misfit(set, trial.streams[i].dw, trial.streams[i].len_dw);
    }
    free_dump(&trial);
    return n;
}

/* If the first lines do not show the order of bytes, and words are no commands, try the other
 * order, and take it if more words are commands. */
static void choose_order(const settings *set, dump *d, dump_input *in, misfit_fn misfit)
{
    static const char *const bytes_first[] = {"bytes in memory order", "words"};
    static const char *const words_first[] = {"words", "bytes in memory order"};
    static const char *const numbers[] = {"decimal numbers", "hex numbers"};
    const char *const *as = bytes_first;
    const char *what = "the order of bytes";
    const bool open = in->how->is_open != NULL && in->how->is_open(&in->source.t);
    size_t wrong = 0;
    if (open) {
        wrong = try_reading(set, d, in, misfit);
    }
    if (wrong == 0) {
        return;
    }
    d->turned = true;
    const size_t turned = try_reading(set, d, in, misfit);
    d->turned = turned < wrong;
    if (in->how == &words_format || (in->how == &hex_format && groups_are_numbers(&in->source.t))) {
        as = words_first;
    } else if (in->how == &array_format) {
        as = numbers;
        what = "whether numbers are decimal or hex";
    }
    note(d,
         "the text does not show %s: read as %s, %zu word%s no command; read as %s, %zu. Taken: %s",
         what, as[0], wrong, wrong == 1 ? " is" : "s are", as[1], turned, as[d->turned]);
    d->doubtful = d->doubtful || d->turned;
}

/* Report what the input was read as. */
static void report_format(const dump *d)
{
    if (dump_quiet) {
        return;
    }
    size_t words = 0;
    const size_t n = stream_count(d);
    for (size_t i = 0; i < n; i++) {
        words += d->streams[i].len_dw;
    }
    fprintf(stderr, "gpucmd-dump: %s: read as %s: %zu stream%s, %zu word%s\n", d->name, d->format,
            n, plural(n), words, plural(words));
}

static bool dump_quiet_words; /* a text without words is no error: AGX's notation */

/* Make a stream of the input itself. */
static void read_raw(dump *d, const bytes *b)
{
    stream *s = add_stream(d, NULL, 0);
    d->text = s->is_text = false;
    d->format = "raw";
    if (d->endian != gpucmd_cpu_endian()) {
        add_bytes(s, b->data, b->len, d->endian);
        return;
    }
    s->dw = (uint32_t *)(void *)b->data;
    s->len_dw = s->cap_dw = b->len / 4;
    s->extra_bytes = b->len % 4;
    s->view = true;
    s->resting = may_rest(b);
}

/* Report an AUB file, which is not read. */
static bool is_aub(const dump *d, const bytes *b)
{
    uint32_t first = 0;
    if (b->len >= 4) {
        first = gpucmd_load32(b->data, GPUCMD_LITTLE_ENDIAN) >> 16;
    }
    if (strcmp(d->vendor, "i915") != 0 || (first != 0xe085 && first != 0xf70e)) {
        return false;
    }
    note(d, "an AUB file, which is not read; expected words (--input raw), or aubinator of Mesa");
    return true;
}

/* Recognise the text by the first window that has anything. */
static void recognise_text(dump *d, dump_input *in, bool why)
{
    text_source *s = &in->source;
    in->how = recognise(d, in, &s->t, why);
    while ((in->how == &words_format || (in->how == &none_format && !d->refused)) &&
           s->at < s->b->len && count_words(&s->t) == 0 && next_window(s)) {
        in->how = recognise(d, in, &s->t, why);
        if (in->how != &words_format && in->how != &none_format) {
            note(d, "nothing read before line %zu", s->t.lines[0].number);
        }
    }
}

/* Read the text as --input says, or as recognised. */
static void read_text(const settings *set, dump *d, dump_input *in, misfit_fn misfit)
{
    text_source *s = &in->source;
    size_t rested = 0;
    (void)next_window(s);
    if (in->how == &auto_format) {
        recognise_text(d, in, set->why_format);
        choose_order(set, d, in, misfit);
    } else if (in->how->lines == read_error && is_igt_hex(&s->t)) {
        d->format = "igt-hex";
        in->how = find_reader(d->format);
    }
    if (in->how->whole) {
        whole_text(s);
    }
    if (event_to == NULL) {
        event_to = set->format == FORMAT_TEXT ? stdout : stderr;
    }
    begin_reading(d, in, &s->t);
    do {
        take_chips(d, &s->t);
        read_lines(d, in, &s->t);
        show_progress(d->name, "read", s->at, s->b->len);
        rest_bytes(s->b, s->at, 2 * WINDOW_BYTES);
        if (d->count != 0) {
            rest_words(last_stream(d), &rested, last_stream(d)->len_dw);
        }
        if (in->how != &words_format || in->ascii) { /* otherwise it may become raw words */
            forget_bytes(s->b, s->at);
        }
    } while (!d->full && next_window(s));
    end_progress();
    end_reading(d, in);
    release_window(s);
    release_bytes(&s->window);
}

/* Recognise and read the bytes of in. how: of --input. */
static int read_bytes(const settings *set, const reader *how, dump *d, dump_input *in,
                      misfit_fn misfit)
{
    const bool forced = how != &auto_format;
    const bool text = looks_like_text(&in->b, &in->ascii);
    in->how = how;
    if (!forced && !text && is_aub(d, &in->b)) {
        return EXIT_USAGE;
    }
    if (how == &raw_format || (!forced && !text)) {
        read_raw(d, &in->b);
        return EXIT_FINE;
    }
    d->text = true;
    d->format = input_name(set);
    in->source.b = &in->b;
    read_text(set, d, in, misfit);
    if (in->how == &none_format) {
        if (!dump_quiet_words || d->refused) {
            note(d, "no stream here: %s", d->why_none);
        }
        return EXIT_USAGE;
    }
    const bool none = stream_count(d) == 0 || (stream_count(d) == 1 && d->streams[0].len_dw == 0);
    if (none && in->how == &words_format && !in->ascii && !forced) {
        free_dump(d);
        d->streams = NULL;
        d->count = 0;
        read_raw(d, &in->b);
        return EXIT_FINE;
    }
    if (none && in->how == &words_format) {
        if (dump_quiet_words || dump_quiet) {
            return EXIT_USAGE;
        }
        return no_word(d->name, in->b.len);
    }
    report_format(d);
    return EXIT_FINE;
}

/* Read the file that the options name into d, which free_dump frees. in->b stays as long as d. */
static int read_dump(const settings *set, gpucmd_endian endian, misfit_fn misfit, dump *d,
                     dump_input *in)
{
    const reader *how = take_input(set);
    memset(d, 0, sizeof *d);
    d->vendor = set->vendor;
    d->endian = endian;
    d->format = raw_format.names;
    d->gen = set->gen;
    d->names = set->names;
    d->nv_chip = set->has_chip ? (int)set->chip : -1;
    int status = EXIT_USAGE;
    if (how != NULL) {
        status = read_input(set, &d->name, &in->b);
    }
    if (status == EXIT_FINE && how != &raw_format) {
        status = unpack(d->name, &in->b);
        d->damage += status == EXIT_STREAM;
        if (status == EXIT_STREAM) {
            status = EXIT_FINE;
        }
        if (plain_text(&in->b)) {
            note(d, "text in UTF-16");
        }
    }
    if (status != EXIT_FINE) {
        return status;
    }
    if (in->b.len == 0 || (how != &raw_format && is_blank(&in->b))) {
        return no_input(d->name);
    }
    return read_bytes(set, how, d, in, misfit);
}

/* Return the exit status of a dump whose streams were handled with status. */
static int dump_status(const dump *d, int status)
{
    if (d->damage > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more messages of damage\n", d->name,
                d->damage - MESSAGES);
    }
    if (status == EXIT_FINE && (d->damage != 0 || d->doubtful)) {
        return EXIT_STREAM;
    }
    return status;
}

#endif

/* formats.h - the table of readers: recognises what an input is, and reads it, for gpucmd-dump.c. */
#ifndef DUMP_FORMATS_H
#define DUMP_FORMATS_H

#include "array.h"
#include "base.h"
#include "bytes.h"
#include "decoded.h"
#include "digits.h"
#include "error.h"
#include "events.h"
#include "hex.h"
#include "lines.h"
#include "memory.h"
#include "options.h"
#include "push.h"
#include "reader.h"
#include "settings.h"
#include "stream.h"
#include "text.h"
#include "words.h"
#include "xe.h"

/* ---- the table ---- */

/* To add a format, write its functions in a part, add a row and its place in readers, and add a
 * sample to tests/data/dumps. */

/* What --input names besides: no reader of text. */
static const reader auto_format = {.names = "auto", .vendors = "nv i915 agx"};
static const reader raw_format = {.names = "raw", .vendors = "nv i915 agx"};
static const reader notation_format = {.names = "notation", .vendors = "agx"};

static const reader error_format = {
    .names = "i915-error",
    .also = "i915-error-hex|i915-error-ascii85",
    .vendors = "i915",
    .recognise = recognise_error,
    .lines = read_error,
    .whole = true,
    .help = "error states of i915 (/sys/class/drm/card0/error) of all kernels: words in hex,\n"
            "in quads, in ASCII85, compressed (zlib)",
    .samples = "i915_error_3.9_snb.txt",
};

static const reader xe_format = {
    .names = "xe-devcoredump",
    .vendors = "i915",
    .recognise = recognise_xe,
    .lines = read_xe,
    .whole = true,
    .help = "device coredumps of xe",
    .samples = "xe_devcoredump_tgl.txt",
};

static const reader mesa_push_format = {
    .names = "mesa-push",
    .vendors = "nv",
    .recognise = recognise_mesa_push,
    .begin = begin_pushes,
    .lines = read_pushes,
    .end = end_pushes,
    .state_bytes = sizeof(push_reader),
    .help = "NVK_DEBUG=push; the text of a rejected pushbuffer since Mesa 24.2",
    .samples = "nvk_push_tu102.txt",
};

static const reader libdrm_push_format = {
    .names = "libdrm-pushbuf",
    .vendors = "nv",
    .recognise = recognise_libdrm_push,
    .begin = begin_pushes,
    .lines = read_pushes,
    .end = end_pushes,
    .state_bytes = sizeof(push_reader),
    .help = "the words of a pushbuffer that the kernel rejected",
    .samples = "nouveau_rejected_new.txt",
};

static const reader xid_format = {
    .names = "nvidia-xid",
    .vendors = "nv",
    .recognise = recognise_xid,
    .lines = read_events,
    .help = "NVRM: Xid lines that name a method: explained, no stream",
    .samples = "nvidia_xid13_69.txt",
};

static const reader nvgpu_format = {
    .names = "nvgpu-debug",
    .vendors = "nv",
    .recognise = recognise_nvgpu,
    .lines = read_events,
    .help = "channel state of nvgpu: explained, no stream",
    .samples = "nvgpu_gk20a_debug.txt",
};

static const reader nouveau_format = {
    .names = "nouveau-log",
    .vendors = "nv",
    .recognise = recognise_nouveau,
    .lines = read_events,
    .help = "DMA_PUSHER, PBDMA, CACHE_ERROR, DATA_ERROR lines: explained, no stream",
    .samples = "nouveau_dmesg_pbdma.txt",
};

static const reader mesa_bat_format = {
    .names = "mesa-bat",
    .vendors = "i915",
    .recognise = recognise_mesa_bat,
    .begin = begin_decoded,
    .lines = read_decoded,
    .end = end_decoded,
    .state_bytes = sizeof(decoded_reader),
    .help = "INTEL_DEBUG=bat: the first word of each command",
    .samples = "intel_debug_bat_skl.txt",
};

static const reader igt_decode_format = {
    .names = "igt-decode",
    .vendors = "i915",
    .recognise = recognise_igt_decode,
    .begin = begin_decoded,
    .lines = read_decoded,
    .end = end_decoded,
    .state_bytes = sizeof(decoded_reader),
    .help = "output of intel_dump_decode, intel_error_decode",
    .samples = "igt_decode_hsw.txt",
};

static const reader igt_hex_format = {
    .names = "igt-hex",
    .vendors = "i915",
    .recognise = recognise_igt_hex,
    .lines = read_igt_hex,
    .help = "input of intel_dump_decode: 00000010 :  7a000003",
    .samples = "igt_dump_decode_input_hsw.txt",
};

static const reader other_family_format = {
    .names = "another command set",
    .vendors = "",
    .recognise = recognise_other_family,
    .lines = read_events,
};

static const reader digits_format = {
    .names = "xxd-p",
    .vendors = "nv i915 agx",
    .recognise = recognise_digits,
    .begin = begin_digits,
    .lines = read_digits,
    .end = end_digits,
    .is_open = digits_are_open,
    .state_bytes = sizeof(digits_reader),
    .help = "hex digits without blanks",
    .samples = "xxd_p_gf100.txt",
};

static const reader hex_format = {
    .names = "xxd|xxd-e|hexdump|hexdump-C|od|gdb",
    .vendors = "nv i915 agx",
    .recognise = recognise_rows,
    .begin = begin_rows,
    .lines = read_rows,
    .end = end_rows,
    .is_open = rows_are_open,
    .state_bytes = sizeof(hex_reader),
    .help = "dumps with addresses; od with -t x1, x2, x4, x8 or octal; gdb x/xw, x/xb",
    .samples = "xxd_skl.txt|xxd_e_gk104.txt|hexdump_plain_gm107.txt|hexdump_C_tu102.txt|"
               "od_tx4_star_skl.txt|gdb_xw_hsw.txt",
};

static const reader array_format = {
    .names = "c-array|xxd-i|rust-array|python-list|json-array|gdb-print|hex-list",
    .vendors = "nv i915 agx",
    .recognise = recognise_array,
    .lines = read_array,
    .is_open = array_is_open,
    .whole = true,
    .help = "numbers in brackets: hex, decimal, octal; bytes or words by the declaration;\n"
            "hex without 0x, as Go and Rust print slices",
    .samples = "c_array_decimals_tu102.c|xxd_i_hsw_blt.txt|rust_array_gk104.rs|"
               "python_list_skl_blt.txt|json_array_tu102.json|gdb_p_gf100.txt|"
               "rust_debug_skl_blt.txt",
};

static const reader string_format = {
    .names = "python-bytes", /* which recognise_array finds */
    .vendors = "nv i915 agx",
    .lines = read_escaped,
    .whole = true,
    .help = "a string with escapes such as \\x06",
    .samples = "python_bytes_gf100.txt",
};

static const reader base64_format = {
    .names = "base64",
    .vendors = "nv i915 agx",
    .recognise = recognise_base64,
    .begin = begin_base64,
    .lines = read_base64,
    .end = end_base64,
    .state_bytes = sizeof(digits_reader),
    .help = "bytes",
    .samples = "base64_gk104.txt",
};

static const reader words_format = {
    .names = "hex-words",
    .also = "hex|hexdump-e",
    .vendors = "nv i915 agx",
    .recognise = recognise_words,
    .begin = begin_words,
    .lines = read_words,
    .end = end_words,
    .is_open = words_are_open,
    .state_bytes = sizeof(words_reader),
    .help = "hex words in any text, see below",
    .samples = "dmesg_hexlines_gf100.txt",
};

/* All rows, in the order in which a text is tried. The last one reads any text. */
static const reader *const readers[] = {
    &auto_format,      &raw_format,         &notation_format, &error_format,        &xe_format,
    &mesa_push_format, &libdrm_push_format, &xid_format,      &nvgpu_format,        &nouveau_format,
    &mesa_bat_format,  &igt_decode_format,  &igt_hex_format,  &other_family_format, &digits_format,
    &hex_format,       &array_format,       &string_format,   &base64_format,       &words_format,
};

enum { READERS = sizeof readers / sizeof readers[0] };

/* Return the number of words that are no commands under the options. */
typedef size_t (*misfit_fn)(const settings *set, const uint32_t *dw, size_t len_dw);

/* Return the reader of a format; a name without a row is that of any text. */
static const reader *find_reader(const char *name)
{
    for (size_t i = 0; i < READERS; i++) {
        if (list_has(readers[i]->names, name) || list_has(readers[i]->also, name)) {
            return readers[i];
        }
    }
    return &words_format;
}

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

/* The input as bytes, and how it is read. */
typedef struct dump_input {
    bytes b;
    text_source source;
    const reader *how;
    bool ascii;
    void *state; /* of the reader */
} dump_input;

/* Return how the first lines are to be read, and set the format's name. */
static const reader *recognise(dump *d, const text_lines *t)
{
    const char *name = NULL;
    for (size_t i = 0; i < READERS && name == NULL; i++) {
        if (readers[i]->recognise != NULL) {
            name = readers[i]->recognise(d, t);
        }
    }
    d->format = name;
    return find_reader(name);
}

/* Prepare the reader; t: the first lines. */
static void begin_reading(dump *d, dump_input *in, const text_lines *t)
{
    in->state = resize(NULL, in->how->state_bytes, 1);
    memset(in->state, 0, in->how->state_bytes);
    if (in->how->begin != NULL) {
        in->how->begin(in->state, d, t);
    }
}

/* Read lines. */
static void read_lines(dump *d, const dump_input *in, const text_lines *t)
{
    in->how->lines(in->state, d, t);
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
    release(in->state);
    in->state = NULL;
}

/* Count the words that are no commands, if the first lines are read with the order of bytes of d. */
static size_t try_reading(const settings *set, const dump *d, const dump_input *in,
                          misfit_fn misfit)
{
    dump trial = *d;
    dump_input copy = *in;
    const bool quiet = dump_quiet;
    size_t n = 0;
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
    static const char *const bytes_first[] = {"memory order", "words"};
    static const char *const words_first[] = {"words", "memory order"};
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
    note(d, "the text does not show %s: %zu words are no commands in %s, %zu in %s; taken: %s",
         what, wrong, as[0], turned, as[1], as[d->turned]);
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
static void recognise_text(dump *d, dump_input *in)
{
    text_source *s = &in->source;
    in->how = recognise(d, &s->t);
    while (in->how == &words_format && s->at < s->b->len && surest_style(&s->t) == LINE_BARE) {
        words_reader none;
        stream words;
        memset(&none, 0, sizeof none);
        memset(&words, 0, sizeof words);
        none.style = LINE_BARE;
        words_of_lines(&none, &s->t, &words);
        release(words.dw);
        if (words.len_dw != 0 || !next_window(s)) {
            break;
        }
        in->how = recognise(d, &s->t);
        if (in->how != &words_format) {
            note(d, "nothing read before line %zu", s->t.lines[0].number);
        }
    }
}

/* Read the text as --input says, or as recognised. */
static void read_text(const settings *set, dump *d, dump_input *in, misfit_fn misfit)
{
    text_source *s = &in->source;
    (void)next_window(s);
    if (in->how == &auto_format) {
        recognise_text(d, in);
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
        read_lines(d, in, &s->t);
        show_progress(d->name, "read", s->at, s->b->len);
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

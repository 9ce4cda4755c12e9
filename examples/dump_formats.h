/* dump_formats.h - recognises what an input is, and reads it, for gpucmd-dump.c. */
#ifndef DUMP_FORMATS_H
#define DUMP_FORMATS_H

/* How an input is read. */
typedef enum reader {
    READ_AUTO,
    READ_RAW,
    READ_WORDS,
    READ_NOTATION,
    READ_ERROR,
    READ_XE,
    READ_PUSH,
    READ_EVENTS,
    READ_DECODED,
    READ_HEX,
    READ_HEX_E,
    READ_STREAM,
    READ_ARRAY,
    READ_STRING,
    READ_BASE64,
    READ_IGT,
} reader;

/* Names for --input. vendors: that have the format. */
static const struct {
    const char *name;
    reader how;
    const char *vendors;
} format_rows[] = {
    {"auto",               READ_AUTO,     "nv i915 agx"},
    {"raw",                READ_RAW,      "nv i915 agx"},
    {"hex",                READ_WORDS,    "nv i915 agx"},
    {"hex-words",          READ_WORDS,    "nv i915 agx"},
    {"notation",           READ_NOTATION, "agx"        },
    {"i915-error",         READ_ERROR,    "i915"       },
    {"i915-error-hex",     READ_ERROR,    "i915"       },
    {"i915-error-ascii85", READ_ERROR,    "i915"       },
    {"igt-hex",            READ_IGT,      "i915"       },
    {"xe-devcoredump",     READ_XE,       "i915"       },
    {"mesa-bat",           READ_DECODED,  "i915"       },
    {"igt-decode",         READ_DECODED,  "i915"       },
    {"libdrm-pushbuf",     READ_PUSH,     "nv"         },
    {"mesa-push",          READ_PUSH,     "nv"         },
    {"nouveau-log",        READ_EVENTS,   "nv"         },
    {"nvidia-xid",         READ_EVENTS,   "nv"         },
    {"nvgpu-debug",        READ_EVENTS,   "nv"         },
    {"xxd",                READ_HEX,      "nv i915 agx"},
    {"xxd-e",              READ_HEX_E,    "nv i915 agx"},
    {"xxd-p",              READ_STREAM,   "nv i915 agx"},
    {"xxd-i",              READ_ARRAY,    "nv i915 agx"},
    {"hexdump",            READ_HEX,      "nv i915 agx"},
    {"hexdump-C",          READ_HEX,      "nv i915 agx"},
    {"hexdump-e",          READ_WORDS,    "nv i915 agx"},
    {"od",                 READ_HEX,      "nv i915 agx"},
    {"gdb",                READ_HEX,      "nv i915 agx"},
    {"gdb-print",          READ_ARRAY,    "nv i915 agx"},
    {"c-array",            READ_ARRAY,    "nv i915 agx"},
    {"rust-array",         READ_ARRAY,    "nv i915 agx"},
    {"python-list",        READ_ARRAY,    "nv i915 agx"},
    {"python-bytes",       READ_STRING,   "nv i915 agx"},
    {"json-array",         READ_ARRAY,    "nv i915 agx"},
    {"base64",             READ_BASE64,   "nv i915 agx"},
};

enum { FORMAT_ROWS = sizeof format_rows / sizeof format_rows[0] };

/* Return the number of words that are no commands under the options. */
typedef size_t (*misfit_fn)(const options *opt, const uint32_t *dw, size_t len_dw);

/* Return the row that --input names, or -1 after a message. */
static int take_format(const options *opt)
{
    char expected[512] = "";
    const char *value = opt->value[OPT_INPUT] != NULL ? opt->value[OPT_INPUT] : "auto";
    for (int i = 0; i < FORMAT_ROWS; i++) {
        if (strstr(format_rows[i].vendors, opt->vendor) == NULL) {
            continue;
        }
        if (strcmp(value, format_rows[i].name) == 0) {
            return i;
        }
        append(expected, sizeof expected, "%s%s", expected[0] != '\0' ? "|" : "",
               format_rows[i].name);
    }
    usage("--input", value, expected);
    return -1;
}

/* ---- plain digits ---- */

/* Return true if every line has hex digits only, an even number. *longest: of a line. */
static bool is_digits(const text_lines *t, size_t *longest)
{
    *longest = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (digits_of(line->at, line->at + line->len) != line->len || line->len % 2 != 0) {
            return false;
        }
        *longest = line->len > *longest ? line->len : *longest;
    }
    return *longest != 0;
}

/* Digits or base64 being read. */
typedef struct digits_reader {
    gpucmd_endian endian;
    uint32_t v;
    size_t n; /* digits so far */
} digits_reader;

/* Append digits as bytes. */
static void read_digits(digits_reader *r, const text_lines *t, stream *s)
{
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const uint32_t v = hex_digit(t->lines[i].at[k]);
            r->v = v < 16 ? r->v << 4 | v : r->v;
            r->n += v < 16;
            if (v < 16 && r->n % 2 == 0) {
                add_byte(s, (uint8_t)r->v, r->endian);
            }
        }
    }
}

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Return true if the text is base64: at least 40 characters, and not only hex digits. */
static bool is_base64(const text_lines *t)
{
    size_t n = 0;
    size_t others = 0;
    size_t padding = 0;
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->lines[i].len; k++, n++) {
            const char c = t->lines[i].at[k];
            padding += c == '=';
            others += hex_digit(c) > 15;
            if (c == '=' ? padding > 2 : base64_value(c) < 0 || padding != 0) {
                return false;
            }
        }
    }
    return n >= 40 && n % 4 == 0 && others != 0;
}

static void read_base64(digits_reader *r, const text_lines *t, stream *s)
{
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const int digit = base64_value(t->lines[i].at[k]);
            if (digit < 0) {
                continue;
            }
            r->v = r->v << 6 | (uint32_t)digit;
            r->n++;
            if (r->n % 4 != 1) {
                const unsigned shift = r->n % 4 == 2 ? 4 : r->n % 4 == 3 ? 2 : 0;
                add_byte(s, (uint8_t)(r->v >> shift), r->endian);
            }
        }
    }
}

/* ---- recognition ---- */

/* Return how a dump of Intel's kernel drivers is to be read, or READ_AUTO. */
static reader recognise_error(dump *d, const text_lines *t)
{
    bool xe = false;
    bool hang = false;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        xe = xe || starts_with(line, "**** Xe Device Coredump") ||
             starts_with(line, "**** VM state ****") || starts_with(line, "**** GuC CT");
        hang = hang || line_has(line, "GPU HANG: ecode") ||
               (line_has(line, " command stream:") && !line_has(line, "---")) ||
               starts_with(line, "PCI ID: 0x") || line_has(line, "no error state collected") ||
               line_has(line, "No error state collected");
    }
    if (xe || has_error_title(t) || (hang && strcmp(d->vendor, "i915") == 0)) {
        d->format = xe ? "xe-devcoredump" : "i915-error-hex";
        return xe ? READ_XE : READ_ERROR;
    }
    return READ_AUTO;
}

/* Return how a dump of bytes or words is to be read, and set the format's name. */
static reader recognise_bytes(dump *d, const text_lines *t)
{
    size_t longest;
    size_t digits;
    if (is_digits(t, &longest) && longest > 8) {
        d->format = "xxd-p";
        return READ_STREAM;
    }
    const hex_style style = find_hex(t, &digits);
    const bool words = digits == 8 && (style == HEX_PLAIN || (style == HEX_COLON && !has_chars(t)));
    if (style != HEX_NONE) {
        d->format = words ? "hex-words" : "hexdump";
        return words ? READ_WORDS : READ_HEX;
    }
    const char *name = find_array(d, t);
    if (name != NULL) {
        d->format = name;
        return strcmp(name, "python-bytes") == 0 ? READ_STRING : READ_ARRAY;
    }
    const bool base64 = is_base64(t) && strcmp(d->vendor, "agx") != 0;
    d->format = base64 ? "base64" : "hex-words";
    return base64 ? READ_BASE64 : READ_WORDS;
}

/* Return how the text is to be read, and set the format's name. */
static reader recognise(dump *d, const text_lines *t)
{
    bool mesa = false;
    const reader error = recognise_error(d, t);
    if (error != READ_AUTO) {
        return error;
    }
    if (has_push(t, true) || has_push(t, false)) {
        d->format = has_push(t, true) ? "mesa-push" : "libdrm-pushbuf";
        return READ_PUSH;
    }
    const char *name = find_events(t);
    if (name != NULL) {
        d->format = name;
        return READ_EVENTS;
    }
    if (count_decoded(t, &mesa) >= 3) {
        d->format = mesa ? "mesa-bat" : "igt-decode";
        return READ_DECODED;
    }
    if (is_igt_hex(t)) {
        d->format = "igt-hex";
        return READ_IGT;
    }
    if ((name = find_other_family(t)) != NULL) {
        note(d, "another command set: %s", name);
        d->format = "another command set";
        return READ_EVENTS;
    }
    return recognise_bytes(d, t);
}

/* ---- reading ---- */

/* The input as bytes, and how it is read. */
typedef struct dump_input {
    bytes b;
    text_source source;
    reader how;
    bool ascii;
    bool turned; /* read in the other order of bytes */
    words_reader words;
    digits_reader digits;
    hex_reader hex;
    push_reader push;
    decoded_reader decoded;
} dump_input;

/* Return true if the text is read as a whole: its parts refer to each other. */
static bool needs_whole(reader how)
{
    return how == READ_ERROR || how == READ_XE || how == READ_ARRAY || how == READ_STRING;
}

/* Prepare the reader in->how; t: the first lines. */
static void begin_reading(dump *d, dump_input *in, const text_lines *t)
{
    const gpucmd_endian other =
        d->endian == GPUCMD_BIG_ENDIAN ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN;
    memset(&in->words, 0, sizeof in->words);
    memset(&in->digits, 0, sizeof in->digits);
    memset(&in->push, 0, sizeof in->push);
    memset(&in->decoded, 0, sizeof in->decoded);
    in->words.style = surest_style(t);
    in->words.turned = in->turned;
    in->digits.endian = in->turned ? other : d->endian;
    in->push.d = in->decoded.d = d;
    in->decoded.mesa = strcmp(d->format, "igt-decode") != 0;
    if (in->how == READ_HEX || in->how == READ_HEX_E) {
        begin_rows(&in->hex, d, t, in->how == READ_HEX_E || in->turned ? 1 : -1);
    } else if (in->how != READ_PUSH && in->how != READ_EVENTS && in->how != READ_DECODED &&
               in->how != READ_IGT && !needs_whole(in->how)) {
        add_stream(d, NULL, in->how == READ_STREAM && t->count != 0 ? t->lines[0].number : 0);
    }
}

/* Read lines with the reader in->how. */
static void read_lines(dump *d, dump_input *in, const text_lines *t)
{
    stream *s = d->count != 0 ? &d->streams[d->count - 1] : NULL;
    switch (in->how) {
    case READ_ERROR: read_error(d, t); break;
    case READ_XE: read_xe(d, t); break;
    case READ_IGT: read_igt_hex(d, t); break;
    case READ_PUSH: read_push(&in->push, t); break;
    case READ_EVENTS: break;
    case READ_DECODED: read_decoded(&in->decoded, t); break;
    case READ_HEX:
    case READ_HEX_E: read_rows(&in->hex, t); break;
    case READ_STREAM: read_digits(&in->digits, t, s); break;
    case READ_ARRAY: read_array(d, t); break;
    case READ_STRING: read_escaped(d, t); break;
    case READ_BASE64: read_base64(&in->digits, t, s); break;
    case READ_AUTO:
    case READ_RAW:
    case READ_WORDS:
    case READ_NOTATION: words_of_lines(&in->words, t, s); break;
    }
    for (size_t i = 0; in->how == READ_WORDS && i < t->count; i++) {
        if (is_star(&t->lines[i])) {
            damaged(
                d, t->lines[i].number,
                "the line * repeats the line before an unknown number of times; expected a dump with od -v");
        }
    }
    if (t->cut) {
        damaged(d, t->lines[t->count - 1].number, "more than %d lines; the rest is skipped",
                LINES_LIMIT);
    }
}

/* Report what was seen in a text of words. */
static void end_words(dump *d, const words_reader *r)
{
    if (r->passed != 0) {
        note(d,
             "line %zu: a group with 0x and fewer than eight digits is not read as a word (%zu in "
             "total)",
             r->passed_at, r->passed);
    }
    if (d->streams[0].len_dw != 0 && r->others > r->lines) {
        note(d,
             "words in %zu lines, none in %zu others: this may be no stream; expected mostly words",
             r->lines, r->others);
    }
    if (r->mixed) {
        note(d, "the text has words in several forms; those of the first lines are read");
    }
    d->doubtful = d->doubtful || r->passed != 0 || r->mixed ||
                  (d->streams[0].len_dw != 0 && r->others > r->lines);
}

static void end_reading(dump *d, dump_input *in)
{
    if (in->how == READ_WORDS) {
        end_words(d, &in->words);
    } else if (in->how == READ_HEX || in->how == READ_HEX_E) {
        end_hex(&in->hex);
    } else if (in->how == READ_PUSH) {
        end_pushes(&in->push);
    } else if (in->how == READ_DECODED) {
        end_decoded(&in->decoded);
    } else if ((in->how == READ_STREAM && in->digits.n % 2 != 0) ||
               (in->how == READ_BASE64 && in->digits.n % 4 == 1)) {
        damaged(d, in->source.number, "the text ends inside a byte; expected one more digit");
    }
}

/* Count the words that are no commands, if the first lines are read with in. */
static size_t try_reading(const options *opt, const dump *d, const dump_input *in, misfit_fn misfit)
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
    dump_quiet = quiet;
    for (size_t i = 0; i < stream_count(&trial); i++) {
        n += misfit(opt, trial.streams[i].dw, trial.streams[i].len_dw);
    }
    free_dump(&trial);
    return n;
}

/* If the first lines do not show the order of bytes, and words are no commands, try the other
 * order, and take it if more words are commands. */
static void choose_order(const options *opt, dump *d, dump_input *in, misfit_fn misfit)
{
    const line_style style = in->how == READ_WORDS ? surest_style(&in->source.t) : LINE_NONE;
    const bool open = (in->how == READ_HEX && !order_is_known(&in->source.t)) ||
                      in->how == READ_STREAM || style == LINE_BARE || style == LINE_LABEL;
    const size_t wrong = open ? try_reading(opt, d, in, misfit) : 0;
    if (wrong == 0) {
        return;
    }
    in->turned = true;
    const size_t turned = try_reading(opt, d, in, misfit);
    in->turned = turned < wrong;
    const bool words = in->how == READ_WORDS;
    note(
        d,
        "the text does not show the order of bytes: %zu words are no commands in %s, %zu in %s; taken: %s",
        wrong, words ? "words" : "memory order", turned, words ? "memory order" : "words",
        in->turned == words ? "memory order" : "words");
    d->doubtful = d->doubtful || in->turned;
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
    const uint32_t first = b->len >= 4 ? gpucmd_load32(b->data, GPUCMD_LITTLE_ENDIAN) >> 16 : 0;
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
    while (in->how == READ_WORDS && s->at < s->b->len && surest_style(&s->t) == LINE_BARE) {
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
        if (in->how != READ_WORDS) {
            note(d, "nothing read before line %zu", s->t.lines[0].number);
        }
    }
}

/* Explain the lines of a log. */
static void read_log(const options *opt, dump *d, const dump_input *in)
{
    if (strcmp(d->vendor, "nv") == 0 && (in->how == READ_EVENTS || in->how == READ_PUSH)) {
        const char *format = opt->value[OPT_FORMAT];
        nv_find_names(opt->program);
        event_to = event_to != NULL                                ? event_to
                   : format == NULL || strcmp(format, "text") == 0 ? stdout
                                                                   : stderr;
        read_events(d, &in->source.t);
    }
}

/* Read the text with the reader in->how, or as recognised. */
static void read_text(const options *opt, dump *d, dump_input *in, misfit_fn misfit)
{
    text_source *s = &in->source;
    const bool forced = in->how != READ_AUTO;
    (void)next_window(s);
    if (!forced) {
        recognise_text(d, in);
        choose_order(opt, d, in, misfit);
    } else if (in->how == READ_ERROR && is_igt_hex(&s->t)) {
        in->how = READ_IGT;
        d->format = "igt-hex";
    }
    if (needs_whole(in->how)) {
        whole_text(s);
    }
    begin_reading(d, in, &s->t);
    do {
        read_lines(d, in, &s->t);
        read_log(opt, d, in);
        show_progress(d->name, "read", s->at, s->b->len);
        if (in->how != READ_WORDS || in->ascii) { /* otherwise it may become raw words */
            forget_bytes(s->b, s->at);
        }
    } while (!d->full && next_window(s));
    end_progress();
    end_reading(d, in);
    release_window(s);
    release_bytes(&s->window);
}

/* Recognise and read the bytes of in. row: of --input. */
static int read_bytes(const options *opt, int row, dump *d, dump_input *in, misfit_fn misfit)
{
    const bool text = looks_like_text(&in->b, &in->ascii);
    in->how = format_rows[row].how;
    if (in->how == READ_AUTO && !text && is_aub(d, &in->b)) {
        return EXIT_USAGE;
    }
    if (in->how == READ_RAW || (in->how == READ_AUTO && !text)) {
        read_raw(d, &in->b);
        return EXIT_FINE;
    }
    const bool forced = in->how != READ_AUTO;
    const bool blank = is_blank(&in->b);
    d->text = true;
    d->format = format_rows[row].name;
    in->source.b = &in->b;
    read_text(opt, d, in, misfit);
    const bool none = stream_count(d) == 0 || (stream_count(d) == 1 && d->streams[0].len_dw == 0);
    if (none && in->how == READ_WORDS && !in->ascii && !forced) {
        free_dump(d);
        d->streams = NULL;
        d->count = 0;
        read_raw(d, &in->b);
        return EXIT_FINE;
    }
    if (none && in->how == READ_WORDS && !blank) {
        return dump_quiet_words || dump_quiet ? EXIT_USAGE : no_word(d->name, in->b.len);
    }
    if (!blank) {
        report_format(d);
    }
    return EXIT_FINE;
}

/* Read the file that the options name into d, which free_dump frees. in->b stays as long as d. */
static int read_dump(const options *opt, gpucmd_endian endian, misfit_fn misfit, dump *d,
                     dump_input *in)
{
    const int row = take_format(opt);
    memset(d, 0, sizeof *d);
    d->vendor = opt->vendor;
    d->endian = endian;
    d->format = "raw";
    int status = row >= 0 ? read_input(opt, &d->name, &in->b) : EXIT_USAGE;
    if (status == EXIT_FINE && format_rows[row].how != READ_RAW) {
        status = unpack(d->name, &in->b);
        d->damage += status == EXIT_STREAM;
        status = status == EXIT_STREAM ? EXIT_FINE : status;
        if (plain_text(&in->b)) {
            note(d, "text in UTF-16");
        }
    }
    return status == EXIT_FINE ? read_bytes(opt, row, d, in, misfit) : status;
}

/* Return the exit status of a dump whose streams were handled with status. */
static int dump_status(const dump *d, int status)
{
    if (d->damage > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more messages of damage\n", d->name,
                d->damage - MESSAGES);
    }
    return status == EXIT_FINE && (d->damage != 0 || d->doubtful) ? EXIT_STREAM : status;
}

#endif

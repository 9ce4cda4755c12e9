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
    READ_STREAM_WORDS,
    READ_ARRAY,
    READ_STRING,
    READ_BASE64,
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
    {"igt-hex",            READ_ERROR,    "i915"       },
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

/* Read digits as bytes in memory order, or as words of eight. */
static void read_digits(dump *d, const text_lines *t, bool as_words)
{
    stream *s = add_stream(d, NULL, t->count != 0 ? t->lines[0].number : 0);
    bytes b = {NULL, 0};
    size_t total = 0;
    for (size_t i = 0; i < t->count; i++) {
        total += t->lines[i].len;
    }
    b.data = resize(NULL, total / 2 + 1, 1);
    uint32_t digit = 0;
    size_t digits = 0;
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const uint32_t v = hex_digit(t->lines[i].at[k]);
            if (v > 15) {
                continue;
            }
            digit = digit << 4 | v;
            if (++digits % 2 == 0) {
                b.data[b.len++] = (uint8_t)digit;
            }
        }
    }
    for (size_t i = 0; as_words && i + 4 <= b.len; i += 4) {
        const uint32_t v = gpucmd_load32(b.data + i, GPUCMD_BIG_ENDIAN);
        gpucmd_store32(b.data + i, v, d->endian);
    }
    add_bytes(s, b.data, b.len, d->endian);
    free(b.data);
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

static void read_base64(dump *d, const text_lines *t)
{
    stream *s = add_stream(d, NULL, t->count != 0 ? t->lines[0].number : 0);
    bytes b = {NULL, 0};
    uint32_t v = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        b.data = resize(b.data, b.len + t->lines[i].len + 1, 1);
        for (size_t k = 0; k < t->lines[i].len; k++) {
            const int digit = base64_value(t->lines[i].at[k]);
            if (digit < 0) {
                continue;
            }
            v = v << 6 | (uint32_t)digit;
            n++;
            if (n % 4 != 1) {
                b.data[b.len++] = (uint8_t)(v >> (n % 4 == 2 ? 4 : n % 4 == 3 ? 2 : 0));
            }
        }
    }
    add_bytes(s, b.data, b.len, d->endian);
    free(b.data);
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
        return READ_ERROR;
    }
    return recognise_bytes(d, t);
}

/* ---- reading ---- */

/* The input as bytes, and how it is read. */
typedef struct dump_input {
    bytes b;
    text_lines t;
    size_t len; /* of the file */
    reader how;
    bool ascii;
    bool bare; /* words without 0x: their byte order is not known */
} dump_input;

static int read_words(dump *d, dump_input *in)
{
    words_seen seen;
    stream *s = add_stream(d, NULL, 0);
    words_of_text(&in->t, s, &seen);
    in->bare = seen.style == LINE_BARE || seen.style == LINE_LABEL;
    if (seen.passed != 0) {
        d->doubtful = true;
    }
    for (size_t i = 0; i < in->t.count; i++) {
        if (is_star(&in->t.lines[i])) {
            damaged(d, in->t.lines[i].number,
                    "* stands for lines of an unknown number; expected a dump with od -v");
        }
    }
    if (s->len_dw != 0 && seen.others > seen.lines) {
        note(d,
             "words in %zu lines, none in %zu others: this may be no stream; expected mostly words",
             seen.lines, seen.others);
        d->doubtful = true;
    }
    return EXIT_FINE;
}

/* Read the text with the reader in->how. */
static int read_text(dump *d, dump_input *in, int alternative)
{
    bool mesa = strcmp(d->format, "igt-decode") != 0;
    switch (in->how) {
    case READ_ERROR:
        if (is_igt_hex(&in->t)) {
            d->format = "igt-hex";
            read_igt_hex(d, &in->t);
        } else {
            read_error(d, &in->t);
        }
        break;
    case READ_XE: read_xe(d, &in->t); break;
    case READ_PUSH: read_push(d, &in->t); break;
    case READ_EVENTS: break;
    case READ_DECODED: read_decoded(d, &in->t, mesa); break;
    case READ_HEX: read_hex(d, &in->t, alternative != 0 ? 1 : -1); break;
    case READ_HEX_E: read_hex(d, &in->t, 1); break;
    case READ_STREAM: read_digits(d, &in->t, alternative != 0); break;
    case READ_ARRAY: read_array(d, &in->t); break;
    case READ_STRING: read_escaped(d, &in->t); break;
    case READ_BASE64: read_base64(d, &in->t); break;
    case READ_AUTO:
    case READ_RAW:
    case READ_WORDS:
    case READ_NOTATION:
    case READ_STREAM_WORDS: return read_words(d, in);
    }
    return EXIT_FINE;
}

/* Count the words of all streams that are no commands. */
static size_t misfits(const options *opt, const dump *d, misfit_fn misfit)
{
    size_t n = 0;
    for (size_t i = 0; i < stream_count(d); i++) {
        n += misfit(opt, d->streams[i].dw, d->streams[i].len_dw);
    }
    return n;
}

/* If the text does not show the order of bytes, and words are no commands, try the other order. */
static void try_order(const options *opt, dump *d, dump_input *in, misfit_fn misfit)
{
    const bool open = (in->how == READ_HEX && !order_is_known(&in->t)) || in->how == READ_STREAM ||
                      (in->how == READ_WORDS && in->bare);
    const size_t wrong = open ? misfits(opt, d, misfit) : 0;
    dump other = *d;
    if (wrong == 0) {
        return;
    }
    other.streams = NULL;
    other.states = NULL;
    other.count = other.state_count = 0;
    const bool quiet = dump_quiet;
    dump_quiet = true;
    if (in->how == READ_WORDS) {
        for (size_t i = 0; i < d->count; i++) {
            stream *s = add_stream(&other, NULL, d->streams[i].line);
            for (size_t k = 0; k < d->streams[i].len_dw; k++) {
                add_dw(s,
                       gpucmd_load32(&d->streams[i].dw[k], gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN
                                                               ? GPUCMD_LITTLE_ENDIAN
                                                               : GPUCMD_BIG_ENDIAN));
            }
        }
    } else {
        (void)read_text(&other, in, 1);
    }
    dump_quiet = quiet;
    const size_t turned = misfits(opt, &other, misfit);
    const bool swap = turned < wrong;
    note(
        d,
        "the text does not show the order of bytes: %zu words are no commands in %s, %zu in %s; taken: %s",
        wrong, in->how == READ_WORDS ? "words" : "memory order", turned,
        in->how == READ_WORDS ? "memory order" : "words",
        swap == (in->how == READ_WORDS) ? "memory order" : "words");
    d->doubtful = d->doubtful || swap;
    if (swap) {
        free_dump(d);
        other.doubtful = d->doubtful;
        *d = other;
    } else {
        free_dump(&other);
    }
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

/* Recognise and read the bytes of in. row: of --input. */
static int read_bytes(const options *opt, int row, dump *d, dump_input *in, misfit_fn misfit)
{
    const bool text = looks_like_text(&in->b, &in->ascii);
    in->how = format_rows[row].how;
    if (in->how == READ_AUTO && !text) {
        in->how = READ_RAW;
    }
    if (in->how == READ_RAW) {
        stream *s = add_stream(d, NULL, 0);
        d->format = "raw";
        add_bytes(s, in->b.data, in->b.len, d->endian);
        return EXIT_FINE;
    }
    d->text = true;
    d->format = format_rows[row].name;
    const bool blank = is_blank(&in->b);
    bytes copy = {resize(NULL, in->b.len, 1), in->b.len};
    memcpy(copy.data, in->b.data, copy.len);
    clean_text(&copy, &in->t);
    const bool forced = in->how != READ_AUTO;
    in->how = forced ? in->how : recognise(d, &in->t);
    (void)read_text(d, in, 0);
    if (!forced) {
        try_order(opt, d, in, misfit);
    }
    if (strcmp(d->vendor, "nv") == 0 && (in->how == READ_EVENTS || in->how == READ_PUSH)) {
        nv_find_names(opt->program);
        const char *format = opt->value[OPT_FORMAT];
        event_to = event_to != NULL                                ? event_to
                   : format == NULL || strcmp(format, "text") == 0 ? stdout
                                                                   : stderr;
        read_events(d, &in->t);
    }
    free(copy.data);
    free(in->t.lines);
    const bool none = stream_count(d) == 0 || (stream_count(d) == 1 && d->streams[0].len_dw == 0);
    if (none && in->how == READ_WORDS && !in->ascii && !forced) {
        free_dump(d);
        d->streams = NULL;
        d->count = 0;
        d->text = false;
        d->format = "raw";
        add_bytes(add_stream(d, NULL, 0), in->b.data, in->b.len, d->endian);
        return EXIT_FINE;
    }
    if (none && in->how == READ_WORDS && !blank) {
        return dump_quiet_words || dump_quiet ? EXIT_USAGE : no_word(d->name, in->len);
    }
    if (!blank) {
        report_format(d);
    }
    return EXIT_FINE;
}

/* Read the file that the options name into d, which free_dump frees. */
static int read_dump(const options *opt, gpucmd_endian endian, misfit_fn misfit, dump *d)
{
    const int row = take_format(opt);
    dump_input in;
    memset(d, 0, sizeof *d);
    memset(&in, 0, sizeof in);
    d->vendor = opt->vendor;
    d->endian = endian;
    d->format = "raw";
    int status = row >= 0 ? read_input(opt, &d->name, &in.b) : EXIT_USAGE;
    if (status == EXIT_FINE && format_rows[row].how != READ_RAW) {
        status = unpack(d->name, &in.b);
        d->damage += status == EXIT_STREAM;
        status = status == EXIT_STREAM ? EXIT_FINE : status;
        if (plain_text(&in.b)) {
            note(d, "text in UTF-16");
        }
    }
    if (status == EXIT_FINE) {
        in.len = in.b.len;
        status = read_bytes(opt, row, d, &in, misfit);
    }
    free(in.b.data);
    return status;
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

/* dump_nv_names.h - names of NVIDIA's methods, fields and values by class, for gpucmd-dump.c. */
#ifndef DUMP_NV_NAMES_H
#define DUMP_NV_NAMES_H

enum {
    NV_METHODS = 4096, /* words of the method space */
    NV_CLASSES = 1024,
    NV_VALUES = 4096,
};

/* A row of the data file. Texts are parts of the file, which is in memory. */
typedef struct nv_method {
    uint32_t offset;
    uint32_t count[2]; /* elements of an array, outer dimension first; 1: none */
    uint32_t stride[2];
    const char *name;
    const char *fields; /* "" : the whole word */
} nv_method;

typedef struct nv_class {
    uint32_t id;
    uint32_t parent; /* UINT32_MAX: none */
    const char *name;
    char *rows; /* lines that are not read yet */
    char *rows_end;
    nv_method *methods;
    size_t count;
    const nv_method **at; /* method by word of the method space; made when asked for */
} nv_class;

/* The data file. There is one, as the tool reads one. */
static struct {
    char *text;
    nv_class classes[NV_CLASSES];
    size_t class_count;
    nv_class *last[61];            /* classes found last, by number */
    const char *values[NV_VALUES]; /* lists of values by number */
    size_t value_count;
    char *header; /* rows of a header, or NULL */
    bool tried;
} nv_names;

/* Take the next word of a line and end it there. Return "" at the end. */
static char *next_word(char **at)
{
    char *word = *at;
    char *end = word + strcspn(word, " ");
    *at = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

/* Read "NAME*COUNT+STRIDE". */
static void take_dimensions(nv_method *m, char *name)
{
    char *star = strchr(name, '*');
    m->name = name;
    m->count[0] = m->count[1] = 1;
    m->stride[0] = m->stride[1] = 4;
    if (star == NULL) {
        return;
    }
    *star = '\0';
    const char *stride = strchr(star + 1, '+');
    m->count[0] = (uint32_t)strtoul(star + 1, &star, 10);
    star += *star == '?';
    if (*star == ',') {
        m->count[1] = (uint32_t)strtoul(star + 1, NULL, 10);
    }
    if (stride != NULL) {
        m->stride[0] = (uint32_t)strtoul(stride + 1, &star, 10);
        if (*star == ',') {
            m->stride[1] = (uint32_t)strtoul(star + 1, NULL, 10);
        }
    }
}

/* Read a line "e ID VALUES". */
static void take_values(char *line)
{
    char *at;
    const unsigned long id = strtoul(line + 2, &at, 10);
    if (id < NV_VALUES) {
        nv_names.values[id] = at + (*at == ' ');
        nv_names.value_count = id >= nv_names.value_count ? id + 1 : nv_names.value_count;
    }
}

/* Read a line "c CLASS PARENT NAME". end: of all lines. Return NULL if there are too many. */
static nv_class *take_class_line(char *line, char *end)
{
    char *at;
    if (nv_names.class_count == NV_CLASSES) {
        return NULL;
    }
    nv_class *c = &nv_names.classes[nv_names.class_count++];
    memset(c, 0, sizeof *c);
    c->id = (uint32_t)strtoul(line + 2, &at, 16);
    at += *at == ' ';
    c->parent = *at == '-' ? UINT32_MAX : (uint32_t)strtoul(at, NULL, 16);
    at += strcspn(at, " ");
    c->name = at + (*at == ' ');
    c->rows = line + strlen(line) + 1;
    c->rows_end = end;
    return c;
}

/* Read the rows of a class into its methods. */
static void read_class(nv_class *c)
{
    for (char *line = c->rows; line < c->rows_end;) {
        char *next = line + strlen(line) + 1;
        if (line[0] != '#' && line[0] != '\0' && strncmp(line, "e ", 2) != 0) {
            char *at = line;
            nv_method m;
            m.offset = (uint32_t)strtoul(next_word(&at), NULL, 16);
            take_dimensions(&m, next_word(&at));
            m.fields = at;
            c->methods = resize(c->methods, c->count + 1, sizeof *c->methods);
            c->methods[c->count++] = m;
        }
        line = next;
    }
    c->rows = c->rows_end;
}

/* Return the number of hex digits at the beginning. */
static size_t digits_in(const char *text)
{
    return strspn(text, "0123456789ABCDEFabcdef");
}

/* Read the lines of a data file: values and classes; the rows of a class are read when it is used.
 * text stays in memory, is changed, and has a 0 at its end. */
static void take_names(char *text, size_t len)
{
    char *const end = text + len;
    nv_class *last = NULL;
    for (char *line = text; line < end;) {
        char *eol = memchr(line, '\n', (size_t)(end - line));
        eol = eol != NULL ? eol : end;
        *eol = '\0';
        if (strncmp(line, "e ", 2) == 0) {
            take_values(line);
        } else if (strncmp(line, "c ", 2) == 0) {
            if (last != NULL) {
                last->rows_end = line;
            }
            last = take_class_line(line, end);
        }
        line = eol + 1;
    }
    memset(nv_names.last, 0, sizeof nv_names.last);
}

static nv_class *nv_find_class(uint32_t id)
{
    nv_class **last = &nv_names.last[id % (sizeof nv_names.last / sizeof nv_names.last[0])];
    for (size_t i = nv_names.class_count; i-- != 0 && (*last == NULL || (*last)->id != id);) {
        *last = nv_names.classes[i].id == id ? &nv_names.classes[i] : *last;
    }
    return *last != NULL && (*last)->id == id ? *last : NULL;
}

/* Lay the rows of a class over those of its parents: rows[i] is the row at word i. */
static void lay_rows(nv_class *c, const nv_method **rows, int depth)
{
    nv_class *parent = c->parent != UINT32_MAX && depth < 32 ? nv_find_class(c->parent) : NULL;
    if (parent != NULL) {
        lay_rows(parent, rows, depth + 1);
    }
    read_class(c);
    for (size_t i = 0; i < c->count; i++) {
        const nv_method *m = &c->methods[i];
        if (m->offset / 4 < NV_METHODS) {
            rows[m->offset / 4] = m->name[0] == '-' ? NULL : m;
        }
    }
}

/* Make the table of a class: plain methods, then the elements of arrays between them. */
static void make_table(nv_class *c)
{
    const nv_method **rows = resize(NULL, NV_METHODS, sizeof *rows);
    c->at = resize(NULL, NV_METHODS, sizeof *c->at);
    memset(rows, 0, NV_METHODS * sizeof *rows);
    lay_rows(c, rows, 0);
    memcpy(c->at, rows, NV_METHODS * sizeof *rows);
    for (size_t i = 0; i < NV_METHODS; i++) {
        const nv_method *m = rows[i];
        for (uint32_t a = 0; m != NULL && a < m->count[0] && a < NV_METHODS; a++) {
            for (uint32_t b = 0; b < m->count[1] && b < NV_METHODS; b++) {
                const uint64_t at =
                    (m->offset + (uint64_t)a * m->stride[0] + (uint64_t)b * m->stride[1]) / 4;
                if (at < NV_METHODS && (rows[at] == NULL)) {
                    c->at[at] = m;
                }
            }
        }
    }
    release(rows);
}

/* Return the row of a method of a class, or NULL. */
static const nv_method *nv_find_method(uint32_t class_id, uint32_t mthd)
{
    nv_class *c = nv_find_class(class_id);
    if (c == NULL || mthd / 4 >= NV_METHODS) {
        return NULL;
    }
    if (c->at == NULL) {
        make_table(c);
    }
    return c->at[mthd / 4];
}

/* A class header of NVIDIA being turned into rows: methods, and lists of values. */
typedef struct header_reader {
    char *rows;
    size_t len;
    char method[96]; /* "NVC597_CLEAR_SURFACE_", "" before the first */
    char field[160]; /* "NVC597_CLEAR_SURFACE_Z_ENABLE_", "" without one */
    char list[4096]; /* values of the field, "" without one */
    char *lists;     /* rows of lists, which end the rows */
    size_t lists_len;
    bool has_fields; /* the method has a field */
    unsigned class_id;
} header_reader;

static void add_rows(char **rows, size_t *len, const char *text)
{
    const size_t n = strlen(text);
    *rows = resize(*rows, *len + n + 1, 1);
    memcpy(*rows + *len, text, n + 1);
    *len += n;
}

/* End a field: name its list of values. */
static void end_field(header_reader *r)
{
    if (r->list[0] != '\0' && nv_names.value_count < NV_VALUES) {
        char text[64];
        snprintf(text, sizeof text, " @%zu", nv_names.value_count);
        add_rows(&r->rows, &r->len, text);
        snprintf(text, sizeof text, "e %zu ", nv_names.value_count++);
        add_rows(&r->lists, &r->lists_len, text);
        add_rows(&r->lists, &r->lists_len, r->list + 1);
        add_rows(&r->lists, &r->lists_len, "\n");
    }
    r->list[0] = r->field[0] = '\0';
}

/* Begin a method: "0x19d0", or "(0x0810+(j)*64)" for the elements of an array. */
static void begin_method(header_reader *r, const char *name, const char *value)
{
    unsigned offset = 0;
    unsigned stride = 0;
    char row[192];
    const bool many = sscanf(value, "(0x%x+(%*1[a-z])*%u)", &offset, &stride) == 2;
    if (!many && sscanf(value, "0x%x", &offset) != 1) {
        return;
    }
    end_field(r);
    snprintf(r->method, sizeof r->method, "%s_", name);
    /* A header lacks the number of elements: the data file has it, for most. */
    const nv_method *known = many ? nv_find_method(r->class_id, offset) : NULL;
    const unsigned count =
        known != NULL && strcmp(known->name, name + 7) == 0 ? known->count[0] : 1;
    snprintf(row, sizeof row, many ? "\n%x %.80s*%u?+%u " : "\n%x %.80s ", offset, name + 7, count,
             stride);
    add_rows(&r->rows, &r->len, row);
    r->has_fields = false;
}

/* Take "#define NAME VALUE". */
static void take_define(header_reader *r, char *name, const char *value)
{
    unsigned class_id;
    unsigned hi;
    unsigned lo;
    char text[192];
    char *bracket = strchr(name, '(');
    if (bracket != NULL) {
        *bracket = '\0';
    }
    const size_t n = strlen(r->method);
    const size_t f = strlen(r->field);
    if (strlen(name) < 8 || strncmp(name, "NV", 2) != 0 || digits_in(name + 2) != 4 ||
        name[6] != '_') {
        if (r->len == 0 && bracket == NULL && sscanf(value, "0x%x", &class_id) == 1) {
            r->class_id = class_id & 0xffff;
            snprintf(text, sizeof text, "c %x - %.64s", r->class_id, name);
            add_rows(&r->rows, &r->len, text);
        }
        return;
    }
    if (n != 0 && strncmp(name, r->method, n) == 0 && sscanf(value, "%u:%u", &hi, &lo) == 2) {
        end_field(r);
        snprintf(r->field, sizeof r->field, "%s_", name);
        snprintf(text, sizeof text, "%s%u:%u %.96s", r->has_fields ? "; " : "", hi & 31, lo & 31,
                 name + n);
        add_rows(&r->rows, &r->len, text);
        r->has_fields = true;
    } else if (f != 0 && strncmp(name, r->field, f) == 0) {
        const size_t used = strlen(r->list);
        snprintf(r->list + used, sizeof r->list - used, ",%lx=%s", strtoul(value, NULL, 0),
                 name + f);
    } else if (r->len != 0) {
        begin_method(r, name, value);
    }
}

/* Read a header such as clc597.h of NVIDIA's open-gpu-doc. Return false if it is none. */
static bool nv_read_header(char *text)
{
    header_reader r;
    memset(&r, 0, sizeof r);
    for (char *line = text; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        char *next = end + (*end != '\0');
        *end = '\0';
        if (strncmp(line, "#define ", 8) == 0) {
            char *name = line + 8 + strspn(line + 8, " \t");
            char *value = name + strcspn(name, " \t\r");
            if (*value != '\0') {
                *value++ = '\0';
                take_define(&r, name, value + strspn(value, " \t"));
            }
        }
        line = next;
    }
    end_field(&r);
    if (r.lists_len != 0) {
        add_rows(&r.rows, &r.len, "\n");
        add_rows(&r.rows, &r.len, r.lists);
    }
    release(r.lists);
    nv_names.header = r.rows;
    if (r.len != 0) {
        take_names(r.rows, r.len);
    }
    return r.len != 0 && r.method[0] != '\0';
}

/* Read the data file, or a header, into memory. Return false if it cannot be read. */
static bool nv_read_names(const char *path)
{
    bytes b;
    const int file = open(path, O_RDONLY);
    if (file < 0) {
        return false;
    }
    const int status = read_all(file, path, SMALL_BYTES, &b);
    close(file);
    if (status != EXIT_FINE) {
        release_bytes(&b);
        return false;
    }
    b.data = resize(b.data, b.len + 1, 1);
    b.data[b.len] = '\0';
    char *text = (char *)b.data;
    if (strstr(text, "#define NV") != NULL) {
        const bool read = nv_read_header(text);
        release_bytes(&b);
        return read;
    }
    nv_names.text = text;
    take_names(text, b.len);
    return nv_names.class_count != 0;
}

/* Read the data file beside the program, or where `make install` puts it; once. */
static void nv_find_names(const char *program)
{
    static const char *const places[] = {"nv_methods.txt", "../share/gpucmd/nv_methods.txt"};
    char self[1024];
    char path[1100];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len > 0) {
        self[len] = '\0';
        program = self;
    }
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; i < 2 && !nv_names.tried; i++) {
        snprintf(path, sizeof path, "%.*s/%s", slash != NULL ? (int)(slash - program) : 1,
                 slash != NULL ? program : ".", places[i]);
        if (strlen(path) < 1024 && nv_read_names(path)) {
            break;
        }
    }
    nv_names.tried = true;
}

/* Append to a text of cap characters. */
static void append(char *text, size_t cap, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 3, 4)))
#endif
    ;

static void append(char *text, size_t cap, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + n, cap - n, format, list);
    va_end(list);
}

/* Write n characters at to and a 0; what does not fit before end is left out. Return the place of
 * the 0. */
static char *copy_chars(char *to, const char *end, const char *from, size_t n)
{
    const size_t room = (size_t)(end - to) - 1;
    n = n < room ? n : room;
    memcpy(to, from, n);
    to[n] = '\0';
    return to + n;
}

/* Append n characters; what does not fit is left out. */
static void append_chars(char *text, size_t cap, const char *from, size_t n)
{
    (void)copy_chars(text + strlen(text), text + cap, from, n);
}

/* Append "0x" and a number in hex. */
static void append_hex(char *text, size_t cap, uint32_t v)
{
    char digits[10] = "0x";
    size_t n = 2;
    for (unsigned shift = 28;; shift -= 4) {
        if (v >> shift != 0 || shift == 0) {
            digits[n++] = "0123456789abcdef"[v >> shift & 15];
        }
        if (shift == 0) {
            break;
        }
    }
    append_chars(text, cap, digits, n);
}

/* Read a decimal number at *at. */
static unsigned take_decimal(const char **at)
{
    unsigned v = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        v = v * 10 + (unsigned)(**at - '0');
    }
    return v;
}

/* Append the name of a method, with the index of an element. */
static void append_method(const nv_method *m, uint32_t mthd, char *text, size_t cap)
{
    const uint32_t off = mthd - m->offset;
    append_chars(text, cap, m->name, strlen(m->name));
    if (m->count[1] > 1) {
        append(text, cap, "(%" PRIu32 ",%" PRIu32 ")", off / m->stride[0],
               off % m->stride[0] / m->stride[1]);
    } else if (m->count[0] > 1) {
        append(text, cap, "(%" PRIu32 ")", off / m->stride[0]);
    }
}

/* Append the name of value v in list e; nothing if it has none. Return true if it has one. */
static bool append_value(unsigned long e, uint32_t v, char *text, size_t cap)
{
    const char *at = e < NV_VALUES ? nv_names.values[e] : NULL;
    while (at != NULL && *at != '\0') {
        const char *end = at;
        uint64_t value = 0;
        for (; hex_digit(*end) < 16; end++) {
            value = value << 4 | hex_digit(*end);
        }
        const size_t len = (size_t)(end - at) + strcspn(end, ",");
        if (*end == '=' && value == v) {
            append_chars(text, cap, " ", 1);
            append_chars(text, cap, end + 1, len - (size_t)(end + 1 - at));
            return true;
        }
        at += len + (at[len] == ',');
    }
    return false;
}

/* One field of a row: "hi:lo NAME @list", and what follows it. */
typedef struct nv_field {
    const char *name;
    size_t name_len;
    unsigned hi;
    unsigned lo;
    long list; /* of values, -1 none */
} nv_field;

/* Take the next field at *at. Return false at the end. */
static bool next_field(const char **at, nv_field *f)
{
    const char *p = *at;
    if (*p == '\0') {
        return false;
    }
    f->hi = f->lo = take_decimal(&p) & 31;
    if (*p == ':') {
        p++;
        f->lo = take_decimal(&p) & 31;
    }
    f->lo = f->lo < f->hi ? f->lo : f->hi;
    f->name = p + (*p == ' ');
    for (p = f->name; *p != '\0' && *p != ' ' && *p != ';'; p++) {
    }
    f->name_len = (size_t)(p - f->name);
    while (*p != '\0' && *p != '@' && *p != ';') {
        p++;
    }
    f->list = -1;
    if (*p == '@') {
        p++;
        f->list = (long)take_decimal(&p);
    }
    while (*p != '\0' && *p != ';') {
        p++;
    }
    while (*p == ';' || *p == ' ') {
        p++;
    }
    *at = p;
    return true;
}

/* Append the fields of a value by name. Where there are many, a field of value 0 is left out, except
 * for one of several bits at bit 0: in most methods it selects the operation. */
static void append_fields(const nv_method *m, uint32_t data, char *text, size_t cap)
{
    const char *at = m->fields;
    nv_field f;
    size_t count = 0;
    while (next_field(&at, &f)) {
        count++;
    }
    for (at = m->fields; next_field(&at, &f);) {
        char meaning[96] = "";
        const uint32_t v = data >> f.lo & (0xffffffffu >> (31 - (f.hi - f.lo)));
        const bool whole = f.name_len == 1 && f.name[0] == 'V';
        const bool named =
            f.list >= 0 && append_value((unsigned long)f.list, v, meaning, sizeof meaning);
        if (v == 0 && (!named || (count > 4 && (f.lo != 0 || f.hi == 0)))) {
            continue;
        }
        append_chars(text, cap, " ", 1);
        append_chars(text, cap, f.name, whole ? 0 : f.name_len);
        append_chars(text, cap, "= ", whole && !named ? 2 : 1);
        if (named) {
            append_chars(text, cap, meaning + !whole, strlen(meaning) - !whole);
        } else {
            append_hex(text, cap, v);
        }
    }
}

/* Find the lowest bit of a field. Return the number of fields of the method, 0: no such field. */
static uint32_t nv_field_low(const nv_method *m, const char *name, size_t len, unsigned *lo)
{
    uint32_t count = 0;
    bool found = false;
    nv_field f;
    for (const char *at = m->fields; next_field(&at, &f); count++) {
        if (f.name_len == len && memcmp(f.name, name, len) == 0) {
            *lo = f.lo;
            found = true;
        }
    }
    return found ? count : 0;
}

/* Write the name of a method and the fields of its value. class_id 0: the host. */
static void nv_describe(uint32_t class_id, uint32_t mthd, uint32_t data, bool has_data, char *text,
                        size_t cap)
{
    const nv_method *m = nv_find_method(mthd < 0x100 && class_id == 0 ? 0xc76f : class_id, mthd);
    text[0] = '\0';
    if (m != NULL) {
        append_method(m, mthd, text, cap);
    } else {
        append(text, cap, "(no name)");
    }
    if (has_data) {
        append(text, cap, " 0x%08" PRIx32, data);
    }
    if (m != NULL && has_data) {
        append_fields(m, data, text, cap);
    }
}

/* Print a word as the header of a method run, GF100 and later. */
static void nv_put_header(FILE *to, uint32_t dw)
{
    gpucmd_nv_gate gate;
    gpucmd_nv_cmd cmd;
    if (gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GP10B, true, false, GPUCMD_NV_FMT_NEW) ==
            GPUCMD_OK &&
        gpucmd_nv_decode_header(dw, &gate, &cmd) == GPUCMD_OK) {
        fprintf(to, "%s subchannel %" PRIu32 " method 0x%04" PRIx32 " count %" PRIu32 "\n",
                gpucmd_nv_form_name(cmd.form), cmd.subc, cmd.mthd, cmd.count_dw);
    } else {
        fputs("no header\n", to);
    }
}

/* Return the name of a code of DATA_ERROR and Class Error. Linux nouveau nvkm/engine/gr/nv50.c,
 * gf100.c */
static const char *nv_data_error(uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *name;
    } rows[] = {
        {0x03, "INVALID_OPERATION"              },
        {0x04, "INVALID_VALUE"                  },
        {0x05, "INVALID_ENUM"                   },
        {0x08, "INVALID_OBJECT"                 },
        {0x09, "READ_ONLY_OBJECT"               },
        {0x0a, "SUPERVISOR_OBJECT"              },
        {0x0b, "INVALID_ADDRESS_ALIGNMENT"      },
        {0x0c, "INVALID_BITFIELD"               },
        {0x0d, "BEGIN_END_ACTIVE"               },
        {0x0e, "SEMANTIC_COLOR_BACK_OVER_LIMIT" },
        {0x0f, "VIEWPORT_ID_NEEDS_GP"           },
        {0x10, "RT_DOUBLE_BIND"                 },
        {0x11, "RT_TYPES_MISMATCH"              },
        {0x12, "RT_LINEAR_WITH_ZETA"            },
        {0x15, "FP_TOO_FEW_REGS"                },
        {0x16, "ZETA_FORMAT_CSAA_MISMATCH"      },
        {0x17, "RT_LINEAR_WITH_MSAA"            },
        {0x18, "FP_INTERPOLANT_START_OVER_LIMIT"},
        {0x19, "SEMANTIC_LAYER_OVER_LIMIT"      },
        {0x1a, "RT_INVALID_ALIGNMENT"           },
        {0x1b, "SAMPLER_OVER_LIMIT"             },
        {0x1c, "TEXTURE_OVER_LIMIT"             },
        {0x1e, "GP_TOO_MANY_OUTPUTS"            },
        {0x1f, "RT_BPP128_WITH_MS8"             },
        {0x21, "Z_OUT_OF_BOUNDS"                },
        {0x23, "XY_OUT_OF_BOUNDS"               },
        {0x24, "VP_ZERO_INPUTS"                 },
        {0x27, "CP_MORE_PARAMS_THAN_SHARED"     },
        {0x28, "CP_NO_REG_SPACE_STRIPED"        },
        {0x29, "CP_NO_REG_SPACE_PACKED"         },
        {0x2a, "CP_NOT_ENOUGH_WARPS"            },
        {0x2b, "CP_BLOCK_SIZE_MISMATCH"         },
        {0x2c, "CP_NOT_ENOUGH_LOCAL_WARPS"      },
        {0x2d, "CP_NOT_ENOUGH_STACK_WARPS"      },
        {0x2e, "CP_NO_BLOCKDIM_LATCH"           },
        {0x31, "ENG2D_FORMAT_MISMATCH"          },
        {0x3f, "PRIMITIVE_ID_NEEDS_GP"          },
        {0x44, "SEMANTIC_VIEWPORT_OVER_LIMIT"   },
        {0x45, "SEMANTIC_COLOR_FRONT_OVER_LIMIT"},
        {0x46, "LAYER_ID_NEEDS_GP"              },
        {0x47, "SEMANTIC_CLIP_OVER_LIMIT"       },
        {0x48, "SEMANTIC_PTSZ_OVER_LIMIT"       },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == code) {
            return rows[i].name;
        }
    }
    return "";
}

#endif

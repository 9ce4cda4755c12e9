/* nv_names.h - names of NVIDIA's methods, fields and values by class, for gpucmd-dump.c. */
#ifndef DUMP_NV_NAMES_H
#define DUMP_NV_NAMES_H

#include "base.h"
#include "bytes.h"
#include "memory.h"

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
    uint32_t *bits;       /* bits of the fields by word of the method space; made when asked for */
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
        if (id >= nv_names.value_count) {
            nv_names.value_count = id + 1;
        }
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
    if (*at == '-') {
        c->parent = UINT32_MAX;
    } else {
        c->parent = (uint32_t)strtoul(at, NULL, 16);
    }
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
        if (eol == NULL) {
            eol = end;
        }
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
    if (*last != NULL && (*last)->id == id) {
        return *last;
    }
    return NULL;
}

/* Lay the rows of a class over those of its parents: rows[i] is the row at word i. */
static void lay_rows(nv_class *c, const nv_method **rows, int depth)
{
    nv_class *parent = NULL;
    if (c->parent != UINT32_MAX && depth < 32) {
        parent = nv_find_class(c->parent);
    }
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
    const nv_method *known = NULL;
    if (many) {
        known = nv_find_method(r->class_id, offset);
    }
    unsigned count = 1;
    if (known != NULL && strcmp(known->name, name + 7) == 0) {
        count = known->count[0];
    }
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

#endif

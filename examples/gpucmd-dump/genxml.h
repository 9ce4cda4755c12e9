/* genxml.h - fields of Intel's 3D commands from Mesa's lists (src/intel/genxml), for i915.h. */
#ifndef DUMP_GENXML_H
#define DUMP_GENXML_H

#include "base.h"
#include "bytes.h"
#include "memory.h"
#include "text.h"

enum {
    XML_ATTRIBUTES = 12,
    XML_FILES = 16,   /* that a list imports */
    XML_COPIES = 256, /* of a field in groups */
    XML_GROUPS = 4,   /* inside each other */
    XML_DEPTH = 4,    /* structures inside structures */
    XML_FIELDS = 1 << 17,
};

/* A tag; texts are parts of the file. */
typedef struct xml_tag {
    const char *name; /* begins with '/' at the end of an element */
    const char *key[XML_ATTRIBUTES];
    const char *value[XML_ATTRIBUTES];
    size_t count;
    bool empty; /* ends with "/>" */
} xml_tag;

typedef struct xml_value {
    uint32_t value;
    const char *name;
} xml_value;

/* A field; bits count from the beginning of its element. */
typedef struct xml_field {
    const char *name;
    const char *type;
    uint32_t start;
    uint32_t end;
    uint32_t step;  /* bits after which it is repeated up to the end; 0: it is there once */
    uint32_t index; /* in a group */
    bool in_group;
    bool fixed;   /* part of the header */
    size_t first; /* of its values */
    size_t count;
} xml_field;

/* An instruction, a struct or an enum. */
typedef struct xml_element {
    char kind; /* 'i', 's' or 'e' */
    bool gone; /* excluded, or replaced */
    const char *name;
    size_t first; /* of its fields; of an enum, of its values */
    size_t count;
    uint32_t mask; /* of an instruction: bits of the first word, and their values */
    uint32_t bits;
} xml_element;

/* The lists that --names gives. There is one set, as the tool reads one. */
static struct {
    char path[1024];
    char *text[XML_FILES];
    size_t text_count;
    xml_element *elements;
    size_t element_count;
    xml_field *fields;
    size_t field_count;
    xml_value *values;
    size_t value_count;
} genxml;

/* Take the next tag at *at, which is changed. Return false at the end. */
static bool next_tag(char **at, xml_tag *tag)
{
    char *p = *at;
    memset(tag, 0, sizeof *tag);
    while ((p = strchr(p, '<')) != NULL && (p[1] == '!' || p[1] == '?')) {
        char *end = strstr(p, p[1] == '!' ? "-->" : "?>");
        if (end == NULL) {
            return false;
        }
        p = end;
    }
    if (p == NULL) {
        return false;
    }
    tag->name = ++p;
    while (*p != '\0' && *p != '>') {
        if (is_space(*p) || *p == '\n') {
            *p++ = '\0';
        } else if (*p == '/' && p[1] == '>') {
            tag->empty = true;
            *p++ = '\0';
        } else if (*p == '=' && (p[1] == '"' || p[1] == '\'') && tag->count < XML_ATTRIBUTES) {
            char *key = p;
            char *end = strchr(p + 2, p[1]);
            if (end == NULL) {
                return false;
            }
            while (key > tag->name && key[-1] != '\0') {
                key--;
            }
            *p = *end = '\0';
            tag->key[tag->count] = key;
            tag->value[tag->count++] = p + 2;
            p = end + 1;
        } else {
            p++;
        }
    }
    *at = *p != '\0' ? p + 1 : p;
    *p = '\0';
    return true;
}

/* Return an attribute, or NULL. */
static const char *xml_attribute(const xml_tag *tag, const char *key)
{
    for (size_t i = 0; i < tag->count; i++) {
        if (strcmp(tag->key[i], key) == 0) {
            return tag->value[i];
        }
    }
    return NULL;
}

static uint32_t xml_number(const xml_tag *tag, const char *key)
{
    const char *text = xml_attribute(tag, key);
    if (text != NULL) {
        return (uint32_t)strtoul(text, NULL, 0);
    }
    return 0;
}

static xml_element *find_element(char kind, const char *name)
{
    for (size_t i = genxml.element_count; name != NULL && i-- != 0;) {
        xml_element *e = &genxml.elements[i];
        if (e->kind == kind && !e->gone && strcmp(e->name, name) == 0) {
            return e;
        }
    }
    return NULL;
}

/* Groups around a field. */
typedef struct xml_groups {
    uint32_t start[XML_GROUPS];
    uint32_t size[XML_GROUPS];
    uint32_t count[XML_GROUPS];
    size_t depth;
} xml_groups;

/* Add a field to the last element, once for each place in its groups. */
static void add_field(const xml_tag *tag, const xml_groups *g, xml_element *e)
{
    const char *fixed = xml_attribute(tag, "default");
    const char *name = xml_attribute(tag, "name");
    uint32_t copies = 1;
    for (size_t i = 0; i < g->depth; i++) {
        copies *= g->count[i] != 0 && g->count[i] < XML_COPIES ? g->count[i] : 1;
        if (copies > XML_COPIES) {
            copies = XML_COPIES;
        }
    }
    for (uint32_t copy = 0; copy < copies && genxml.field_count < XML_FIELDS; copy++) {
        xml_field f;
        uint32_t left = copy;
        uint32_t base = 0;
        memset(&f, 0, sizeof f);
        for (size_t i = g->depth; i-- != 0;) {
            uint32_t n = 1;
            if (g->count[i] != 0) {
                n = g->count[i];
            }
            base += g->start[i] + left % n * g->size[i];
            left /= n;
            if (g->count[i] == 0) {
                f.step = g->size[i];
            }
        }
        if (name != NULL) {
            f.name = name;
        } else {
            f.name = "";
        }
        f.type = xml_attribute(tag, "type");
        if (f.type == NULL) {
            f.type = "";
        }
        f.start = base + xml_number(tag, "start");
        f.end = base + xml_number(tag, "end");
        f.index = copy;
        f.in_group = g->depth != 0;
        f.fixed = fixed != NULL && f.end < 32;
        f.first = genxml.value_count;
        if (f.end < f.start || f.end - f.start > 1u << 20) {
            continue;
        }
        if (f.fixed && e->kind == 'i' && strcmp(f.name, "DWord Length") != 0) {
            const uint32_t mask = 0xffffffffu >> (31 - (f.end - f.start)) << f.start;
            e->mask |= mask;
            e->bits |= (uint32_t)strtoul(fixed, NULL, 0) << f.start & mask;
        }
        genxml.fields = resize(genxml.fields, genxml.field_count + 1, sizeof f);
        genxml.fields[genxml.field_count++] = f;
        e->count++;
    }
}

/* Add a value to the last field, or to an enum. */
static void add_xml_value(const xml_tag *tag, xml_element *e)
{
    const char *name = xml_attribute(tag, "name");
    const xml_value v = {xml_number(tag, "value"), name != NULL ? name : ""};
    genxml.values = resize(genxml.values, genxml.value_count + 1, sizeof v);
    genxml.values[genxml.value_count++] = v;
    if (e->kind == 'e') {
        e->count++;
        return;
    }
    for (size_t i = genxml.field_count; i-- > e->first;) { /* all copies of the field */
        if (genxml.fields[i].name != genxml.fields[genxml.field_count - 1].name) {
            break;
        }
        genxml.fields[i].count++;
    }
}

/* Begin an element; it replaces one of the same name. */
static xml_element *begin_element(const xml_tag *tag)
{
    const char *name = xml_attribute(tag, "name");
    const char kind = tag->name[0];
    xml_element *old = find_element(kind, name);
    if (old != NULL) {
        old->gone = true;
    }
    genxml.elements = resize(genxml.elements, genxml.element_count + 1, sizeof *genxml.elements);
    xml_element *e = &genxml.elements[genxml.element_count++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    if (name != NULL) {
        e->name = name;
    } else {
        e->name = "";
    }
    e->first = kind == 'e' ? genxml.value_count : genxml.field_count;
    return e;
}

/* Take a tag inside an element. */
static void take_inner(const xml_tag *tag, xml_groups *g, xml_element *e)
{
    if (strcmp(tag->name, "group") == 0 && !tag->empty && g->depth < XML_GROUPS) {
        g->start[g->depth] = xml_number(tag, "start");
        g->size[g->depth] = xml_number(tag, "size");
        g->count[g->depth++] = xml_number(tag, "count");
    } else if (strcmp(tag->name, "/group") == 0) {
        g->depth -= g->depth != 0;
    } else if (strcmp(tag->name, "field") == 0) {
        add_field(tag, g, e);
    } else if (strcmp(tag->name, "value") == 0) {
        add_xml_value(tag, e);
    }
}

/* Read a list into memory. Return false if it cannot be read. */
static bool read_genxml(const char *path)
{
    bytes b;
    xml_tag tag;
    xml_groups groups;
    size_t import_from = genxml.element_count;
    bool inside = false;
    int file = -1;
    if (genxml.text_count < XML_FILES) {
        file = open(path, O_RDONLY);
    }
    if (file < 0) {
        return false;
    }
    const int status = read_all(file, path, SMALL_BYTES, &b);
    close(file);
    b.data = resize(b.data, b.len + 1, 1);
    b.data[b.len] = '\0';
    genxml.text[genxml.text_count++] = (char *)b.data;
    memset(&groups, 0, sizeof groups);
    for (char *at = (char *)b.data; status == EXIT_FINE && next_tag(&at, &tag);) {
        const char *name = xml_attribute(&tag, "name");
        if (strcmp(tag.name, "import") == 0 && name != NULL) {
            char other[1024];
            const char *slash = strrchr(path, '/');
            int n = 0;
            if (slash != NULL) {
                n = (int)(slash + 1 - path);
            }
            import_from = genxml.element_count;
            if (strchr(name, '/') == NULL &&
                snprintf(other, sizeof other, "%.*s%s", n, path, name) < (int)sizeof other) {
                (void)read_genxml(other);
            }
        } else if (strcmp(tag.name, "exclude") == 0) {
            for (size_t i = import_from; name != NULL && i < genxml.element_count; i++) {
                genxml.elements[i].gone |= strcmp(genxml.elements[i].name, name) == 0;
            }
        } else if (strcmp(tag.name, "instruction") == 0 || strcmp(tag.name, "struct") == 0 ||
                   strcmp(tag.name, "enum") == 0) {
            (void)begin_element(&tag);
            groups.depth = 0;
            inside = !tag.empty;
        } else if (tag.name[0] == '/' && (tag.name[1] == 'i' || tag.name[1] == 's' ||
                                          (tag.name[1] == 'e' && tag.name[2] == 'n'))) {
            inside = false;
        } else if (inside) {
            take_inner(&tag, &groups, &genxml.elements[genxml.element_count - 1]);
        }
    }
    return true;
}

/* Read the list of --names: a file, or of a directory the file of the generation. */
static bool find_genxml(const char *names, const char *gen)
{
    char path[sizeof genxml.path];
    struct stat facts;
    if (stat(names, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        char plain[16];
        size_t n = 0;
        for (size_t i = 0; gen[i] != '\0' && n + 1 < sizeof plain; i++) {
            plain[n] = gen[i];
            n += gen[i] != '.';
        }
        plain[n] = '\0';
        snprintf(path, sizeof path, "%.900s/gen%s.xml", names,
                 strncmp(plain, "12", 2) == 0 && n == 3 ? "125" : plain);
    } else {
        snprintf(path, sizeof path, "%.1000s", names);
    }
    if (strcmp(path, genxml.path) != 0) {
        for (size_t i = 0; i < genxml.text_count; i++) {
            release(genxml.text[i]);
        }
        genxml.text_count = genxml.element_count = genxml.field_count = genxml.value_count = 0;
        snprintf(genxml.path, sizeof genxml.path, "%s", path);
        if (!read_genxml(path) || genxml.element_count == 0) {
            fprintf(stderr,
                    "gpucmd-dump: %s: has no instructions; expected a list of Mesa's "
                    "src/intel/genxml\n",
                    path);
        }
    }
    return genxml.element_count != 0;
}

/* ---- printing ---- */

/* Return the instruction with first word dw: the one with the most fixed bits, or NULL. */
static const xml_element *find_instruction(uint32_t dw)
{
    const xml_element *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < genxml.element_count; i++) {
        const xml_element *e = &genxml.elements[i];
        unsigned bits = 0;
        for (uint32_t m = e->mask; m != 0; m &= m - 1) {
            bits++;
        }
        if (e->kind == 'i' && !e->gone && bits > most && (dw & e->mask) == e->bits) {
            best = e;
            most = bits;
        }
    }
    return best;
}

/* Return the name of a value of a field, or NULL. */
static const char *xml_value_name(const xml_field *f, uint32_t v)
{
    const xml_element *e = NULL;
    if (f->count == 0) {
        e = find_element('e', f->type);
    }
    const size_t first = e != NULL ? e->first : f->first;
    const size_t count = e != NULL ? e->count : f->count;
    for (size_t i = first; i < first + count && i < genxml.value_count; i++) {
        if (genxml.values[i].value == v) {
            return genxml.values[i].name;
        }
    }
    return NULL;
}

/* Append a name; blanks become '_'. */
static void append_name(char *text, size_t cap, const char *name)
{
    size_t n = strlen(text);
    for (; *name != '\0' && n + 1 < cap; name++) {
        if (is_space(*name)) {
            text[n++] = '_';
        } else {
            text[n++] = *name;
        }
    }
    text[n] = '\0';
}

/* Append the part of a field that is in a word, if it is not 0 or its value has a name. bit: of the
 * field in the word, negative for a later part. */
static void append_xml_field(const xml_field *f, uint32_t dw, int64_t bit, uint32_t index,
                             char *text, size_t cap)
{
    const uint32_t width = f->end - f->start + 1;
    unsigned lo = 0;
    if (bit > 0) {
        lo = (unsigned)bit;
    }
    const int64_t last = bit + width - 1;
    unsigned hi = 31;
    if (last < 31) {
        hi = (unsigned)last;
    }
    const uint32_t mask = 0xffffffffu >> (31 - (hi - lo));
    uint32_t v = dw >> lo & mask;
    unsigned whole = 0;
    unsigned part = 0;
    const bool number = sscanf(f->type, "u%u.%u", &whole, &part) == 2 && part < 32;
    const bool address = strcmp(f->type, "address") == 0 || strcmp(f->type, "offset") == 0;
    const char *name = xml_value_name(f, v);
    if (strcmp(f->type, "mbo") == 0 || strcmp(f->type, "mbz") == 0 || (v == 0 && name == NULL)) {
        return;
    }
    if (address) {
        v = v << lo;
    }
    append(text, cap, " ");
    append_name(text, cap, f->name);
    if (f->in_group) {
        append(text, cap, "[%" PRIu32 "]", index);
    }
    if (bit < 0) {
        append(text, cap, "(high)");
    }
    if (strcmp(f->type, "float") == 0 && width == 32) {
        float real;
        memcpy(&real, &v, sizeof real);
        append(text, cap, "=%g", (double)real);
    } else if (number && width <= 32) {
        append(text, cap, "=%g", (double)v / (double)((uint64_t)1 << part));
    } else {
        append(text, cap, v < 10 ? "=%" PRIu32 : "=0x%" PRIx32, v);
    }
    if (name != NULL) {
        append(text, cap, " (");
        append_name(text, cap, name);
        append(text, cap, ")");
    }
}

/* Append the fields of an element that are in word i; base is the element's first bit. */
static void append_element(const xml_element *e, uint64_t base, uint32_t i, uint32_t dw, int depth,
                           char *text, size_t cap)
{
    const uint64_t from = 32 * (uint64_t)i;
    for (size_t k = e->first; k < e->first + e->count; k++) {
        const xml_field *f = &genxml.fields[k];
        const uint32_t width = f->end - f->start + 1;
        uint64_t start = base + f->start;
        uint32_t index = f->index;
        if (f->fixed && depth == 0) {
            continue;
        }
        if (f->step != 0 && from + 31 >= start) {
            const uint64_t n = (from + 31 - start) / f->step;
            start += n * f->step;
            index = (uint32_t)n;
        }
        if (start > from + 31 || start + width <= from) {
            continue;
        }
        const xml_element *inner = NULL;
        if (depth < XML_DEPTH) {
            inner = find_element('s', f->type);
        }
        if (inner != NULL) {
            append_element(inner, start, i, dw, depth + 1, text, cap);
        } else {
            append_xml_field(f, dw, (int64_t)start - (int64_t)from, index, text, cap);
        }
    }
}

#endif

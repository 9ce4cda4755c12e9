/* nv_fields.h - names of NVIDIA's methods and values as text, for gpucmd-dump.c. */
#ifndef DUMP_NV_FIELDS_H
#define DUMP_NV_FIELDS_H

#include "base.h"
#include "lines.h"
#include "nv_names.h"
#include "text.h"

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
    const char *at = NULL;
    if (e < NV_VALUES) {
        at = nv_names.values[e];
    }
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
    if (f->lo > f->hi) {
        f->lo = f->hi;
    }
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

/* Return true if the field is the low part of an address: it ends at bit 31 and has the name of one.
 * Its bits are then those of the address. */
static bool is_address_field(const nv_field *f)
{
    static const char *const ends[] = {"OFFSET", "OFFSET_LOWER", "ADDR_LO"};
    for (size_t i = 0; f->hi == 31 && i < sizeof ends / sizeof ends[0]; i++) {
        const size_t n = strlen(ends[i]);
        if (f->name_len >= n && memcmp(f->name + f->name_len - n, ends[i], n) == 0) {
            return true;
        }
    }
    return false;
}

/* Return the bits that the fields of a method have. A method without fields takes the whole word. */
static uint32_t nv_field_bits(const nv_method *m)
{
    uint32_t bits = 0;
    nv_field f;
    for (const char *at = m->fields; next_field(&at, &f);) {
        bits |= (0xffffffffu >> (31 - (f.hi - f.lo))) << f.lo;
    }
    return bits != 0 ? bits : 0xffffffffu;
}

/* Append the fields of a value by name. An address is shown whole, other fields from their lowest bit. Where there are many, a field of value 0 is left out, except
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
            append_hex(text, cap, is_address_field(&f) ? v << f.lo : v);
        }
    }
    if ((data & ~nv_field_bits(m)) != 0) {
        append_chars(text, cap, " OTHER_BITS=", 12);
        append_hex(text, cap, data & ~nv_field_bits(m));
    }
}

/* Find a field by its name. Return the number of fields of the method, 0: no such field. */
static uint32_t nv_find_field(const nv_method *m, const char *name, size_t len, nv_field *found)
{
    uint32_t count = 0;
    bool any = false;
    nv_field f;
    for (const char *at = m->fields; next_field(&at, &f); count++) {
        if (f.name_len == len && memcmp(f.name, name, len) == 0) {
            *found = f;
            any = true;
        }
    }
    return any ? count : 0;
}

/* Write the value that a name has in the list of a field. Return false if it is not there. */
static bool nv_value_of_name(const nv_field *f, const char *name, size_t len, uint32_t *v)
{
    const char *at = NULL;
    if (f->list >= 0 && f->list < NV_VALUES) {
        at = nv_names.values[f->list];
    }
    while (at != NULL && *at != '\0') {
        const char *end = at;
        uint32_t value = 0;
        for (; hex_digit(*end) < 16; end++) {
            value = value << 4 | hex_digit(*end);
        }
        const size_t n = strcspn(end, ",");
        if (*end == '=' && n == len + 1 && memcmp(end + 1, name, len) == 0) {
            *v = value;
            return true;
        }
        at = end + n + (end[n] == ',');
    }
    return false;
}

/* A gpucmd_nv_methods_fn: the methods of a class in the data file. */
static const uint32_t *nv_class_bits(void *user, uint32_t class_id)
{
    (void)user;
    (void)nv_find_method(class_id, 0); /* reads the rows of the class */
    nv_class *c = nv_find_class(class_id);
    if (c == NULL || (c->parent == UINT32_MAX && c->count == 0)) {
        return NULL;
    }
    if (c->bits == NULL) {
        c->bits = resize(NULL, NV_METHODS, sizeof *c->bits);
        for (uint32_t i = 0; i < NV_METHODS; i++) {
            c->bits[i] = c->at[i] != NULL ? nv_field_bits(c->at[i]) : 0;
        }
    }
    return c->bits;
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

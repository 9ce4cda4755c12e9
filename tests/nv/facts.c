/* nv/facts.c - the rows of gpucmd_nv.h, compared with lists typed from the documents and with each
 * other. */
#include "gpucmd_nv.h"
#include "test.h"

/* ---- fields --------------------------------------------------------------------------------- */

typedef struct field {
    const char *name;
    int hi;
    int lo;
} field;

#define FIELD(name, hi, lo, unit, meaning, src) {#name, hi, lo},
static const field old_fields[] = {GPUCMD_NV_OLD_FIELDS(FIELD)};
static const field hdr_fields[] = {GPUCMD_NV_HDR_FIELDS(FIELD)};
static const field entry_fields[] = {GPUCMD_NV_ENTRY_FIELDS(FIELD)};
static const field pbdma_fields[] = {GPUCMD_NV_PBDMA_FIELDS(FIELD)};
static const field area_fields[] = {GPUCMD_NV_AREA_FIELDS(FIELD)};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* [206E] [506F] [006C] */
static const field known_old[] = {
    {"OLD_SEC_OP",      31, 29},
    {"OLD_COUNT",       28, 18},
    {"OLD_TERT_OP",     17, 16},
    {"OLD_SUBC",        15, 13},
    {"OLD_MTHD",        12, 2 },
    {"OLD_PRIMARY_OP",  1,  0 },
    {"OLD_JUMP_OFFSET", 28, 2 },
    {"OLD_LONG_OFFSET", 31, 2 },
    {"OLD_LONG_COUNT",  23, 0 },
};
/* [906F] */
static const field known_hdr[] = {
    {"HDR_SEC_OP",    31, 29},
    {"HDR_COUNT",     28, 16},
    {"HDR_IMMD_DATA", 28, 16},
    {"HDR_TERT_OP",   17, 16},
    {"HDR_SUBC",      15, 13},
    {"HDR_MTHD",      11, 0 },
    {"HDR_SUBDEVICE", 15, 4 },
};
/* [506F] [906F] [C86F] */
static const field known_entry[] = {
    {"ENTRY0_DISABLE",           0,  0 },
    {"ENTRY0_FETCH",             0,  0 },
    {"ENTRY0_NO_CONTEXT_SWITCH", 1,  1 },
    {"ENTRY0_GET",               31, 2 },
    {"ENTRY0_OPERAND",           31, 0 },
    {"ENTRY1_GET_HI",            7,  0 },
    {"ENTRY1_OPCODE",            7,  0 },
    {"ENTRY1_PRIV",              8,  8 },
    {"ENTRY1_LEVEL",             9,  9 },
    {"ENTRY1_LENGTH_OLD",        31, 10},
    {"ENTRY1_LENGTH",            30, 10},
    {"ENTRY1_SYNC",              31, 31},
    {"EXTENDED_BASE",            24, 8 },
};
/* [PBDMA] SUBDEVICE */
static const field known_pbdma[] = {
    {"SUBDEVICE_ID",          11, 0 },
    {"SUBDEVICE_STORED_MASK", 27, 16},
    {"SUBDEVICE_STATUS",      28, 28},
    {"SUBDEVICE_CHANNEL_DMA", 29, 29},
};
/* [ENVY] DMA_MGET_HIGH */
static const field known_area[] = {
    {"AREA_HIGH",     7,  0 },
    {"AREA_MGET_VAL", 31, 31},
};

static void compare_fields(const field *rows, size_t row_count, const field *known,
                           size_t known_count)
{
    EQUAL(row_count, known_count);
    for (size_t i = 0; i < row_count; i++) {
        const field *want = NULL;
        CHECK(0 <= rows[i].lo && rows[i].lo <= rows[i].hi && rows[i].hi <= 31);
        for (size_t k = 0; k < known_count; k++) {
            want = strcmp(known[k].name, rows[i].name) == 0 ? &known[k] : want;
        }
        if (!test_check(want != NULL, __FILE__, __LINE__, rows[i].name)) {
            continue;
        }
        test_equal((uint64_t)rows[i].hi, (uint64_t)want->hi, __FILE__, __LINE__, rows[i].name);
        test_equal((uint64_t)rows[i].lo, (uint64_t)want->lo, __FILE__, __LINE__, rows[i].name);
    }
}

static const field *find(const field *rows, size_t row_count, const char *name)
{
    for (size_t i = 0; i < row_count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* A list of names, between spaces, whose fields share a word. Returns the bits that they own. */
static uint32_t own(const field *rows, size_t row_count, const char *names)
{
    uint32_t bits = 0;
    while (*names != '\0') {
        char name[40];
        size_t n = strcspn(names, " ");
        memcpy(name, names, n);
        name[n] = '\0';
        names += n + (names[n] == ' ' ? 1 : 0);
        const field *f = find(rows, row_count, name);
        if (test_check(f != NULL, __FILE__, __LINE__, name)) {
            for (int bit = f->lo; bit <= f->hi; bit++) {
                test_check((bits >> bit & 1) == 0, __FILE__, __LINE__, name); /* overlap */
                bits |= (uint32_t)1 << bit;
            }
        }
    }
    return bits;
}

static void overlaps(void)
{
    const size_t old_count = COUNT(old_fields);
    const size_t hdr_count = COUNT(hdr_fields);
    const size_t entry_count = COUNT(entry_fields);
    /* what a word is made of: no bit twice, and no bit left over but where the documents say so */
    EQUAL(own(old_fields, old_count,
              "OLD_SEC_OP OLD_COUNT OLD_TERT_OP OLD_SUBC OLD_MTHD OLD_PRIMARY_OP"),
          0xffffffff);
    EQUAL(own(old_fields, old_count, "OLD_SEC_OP OLD_JUMP_OFFSET OLD_PRIMARY_OP"), 0xffffffff);
    EQUAL(own(old_fields, old_count, "OLD_LONG_OFFSET OLD_PRIMARY_OP"), 0xffffffff);
    EQUAL(own(old_fields, old_count, "OLD_LONG_COUNT"), 0x00ffffff);
    EQUAL(own(hdr_fields, hdr_count, "HDR_SEC_OP HDR_COUNT HDR_SUBC HDR_MTHD"), 0xffffefff);
    EQUAL(own(hdr_fields, hdr_count, "HDR_SEC_OP HDR_IMMD_DATA HDR_SUBC HDR_MTHD"), 0xffffefff);
    EQUAL(own(hdr_fields, hdr_count, "HDR_SEC_OP HDR_TERT_OP HDR_SUBDEVICE"), 0xe003fff0);
    EQUAL(own(entry_fields, entry_count, "ENTRY0_DISABLE ENTRY0_NO_CONTEXT_SWITCH ENTRY0_GET"),
          0xffffffff);
    EQUAL(own(entry_fields, entry_count, "ENTRY0_FETCH ENTRY0_NO_CONTEXT_SWITCH ENTRY0_GET"),
          0xffffffff);
    EQUAL(
        own(entry_fields, entry_count, "ENTRY1_GET_HI ENTRY1_PRIV ENTRY1_LEVEL ENTRY1_LENGTH_OLD"),
        0xffffffff);
    EQUAL(own(entry_fields, entry_count,
              "ENTRY1_GET_HI ENTRY1_PRIV ENTRY1_LEVEL ENTRY1_LENGTH ENTRY1_SYNC"),
          0xffffffff);
    EQUAL(own(entry_fields, entry_count, "ENTRY1_OPCODE ENTRY1_LENGTH ENTRY1_SYNC"), 0xfffffcff);
    EQUAL(own(pbdma_fields, COUNT(pbdma_fields),
              "SUBDEVICE_ID SUBDEVICE_STORED_MASK SUBDEVICE_STATUS SUBDEVICE_CHANNEL_DMA"),
          0x3fff0fff);
    EQUAL(own(area_fields, COUNT(area_fields), "AREA_HIGH AREA_MGET_VAL"), 0x800000ff);
}

/* Every field at 0, max and each single bit: get(put(x)) = x, and put stays inside the mask. */
#define BITS(name, hi, lo, unit, meaning, src)                                                     \
    EQUAL(GPUCMD_NV_##name##_HI, hi);                                                              \
    EQUAL(GPUCMD_NV_##name##_LO, lo);                                                              \
    EQUAL(GPUCMD_FIELD_MAX(NV_##name), (((uint64_t)2 << ((hi) - (lo))) - 1));                      \
    EQUAL(GPUCMD_FIELD_GET(NV_##name, GPUCMD_FIELD_PUT(NV_##name, 0)), 0);                         \
    EQUAL(GPUCMD_FIELD_GET(NV_##name, GPUCMD_FIELD_PUT(NV_##name, GPUCMD_FIELD_MAX(NV_##name))),   \
          GPUCMD_FIELD_MAX(NV_##name));                                                            \
    for (int bit = 0; bit <= (hi) - (lo); bit++) {                                                 \
        EQUAL(GPUCMD_FIELD_PUT(NV_##name, (uint32_t)1 << bit), (uint32_t)1 << (bit + (lo)));       \
        EQUAL(GPUCMD_FIELD_GET(NV_##name, ~((uint32_t)1 << (bit + (lo)))),                         \
              GPUCMD_FIELD_MAX(NV_##name) & ~((uint32_t)1 << bit));                                \
    }

static void fields(void)
{
    compare_fields(old_fields, COUNT(old_fields), known_old, COUNT(known_old));
    compare_fields(hdr_fields, COUNT(hdr_fields), known_hdr, COUNT(known_hdr));
    compare_fields(entry_fields, COUNT(entry_fields), known_entry, COUNT(known_entry));
    compare_fields(pbdma_fields, COUNT(pbdma_fields), known_pbdma, COUNT(known_pbdma));
    compare_fields(area_fields, COUNT(area_fields), known_area, COUNT(known_area));
}

static void old_field_bits(void)
{
    GPUCMD_NV_OLD_FIELDS(BITS)
}

static void hdr_field_bits(void)
{
    GPUCMD_NV_HDR_FIELDS(BITS)
}

static void entry_field_bits(void)
{
    GPUCMD_NV_ENTRY_FIELDS(BITS)
}

/* ---- forms ---------------------------------------------------------------------------------- */

typedef struct form {
    const char *name;
    const char *picture;
    uint32_t sec;
    uint32_t tert;
    uint32_t prim;
    uint32_t mask;
    gpucmd_nv_chip since; /* forms before GF100 */
    const char *mode;
    int sli;
    int is_new; /* forms of GF100 and later */
    int is_old;
} form;

#define OLD_FORM(name, picture, sec, tert, prim, mask, since, mode, sli, src)                      \
    {#name, picture, sec, tert, prim, mask, GPUCMD_NV_CHIP_##since, #mode, sli, 0, 0},
static const form old_forms[] = {GPUCMD_NV_OLD_FORMS(OLD_FORM)};
#define HDR_FORM(name, picture, sec, tert, mask, is_new, is_old, src)                              \
    {#name, picture, sec, tert, 0, mask, GPUCMD_NV_CHIP_GF100, "", 0, is_new, is_old},
static const form hdr_forms[] = {GPUCMD_NV_HDR_FORMS(HDR_FORM)};

/* A form, typed from the documents. */
typedef struct known_form {
    const char *name;
    const char *picture;
    gpucmd_nv_chip since;
    const char *gate; /* before GF100: mode and SLI; since: which FORMATS accept it */
} known_form;

/* [ENVY] dma-pusher.rst: the rows of the NV4 format, chips and modes from its text. */
static const known_form known_old_forms[] = {
    {"INC",          "000ccccccccccc00sssmmmmmmmmmmm00", GPUCMD_NV_CHIP_NV4,  "ANY"    },
    {"NON_INC",      "010ccccccccccc00sssmmmmmmmmmmm00", GPUCMD_NV_CHIP_NV10, "ANY"    },
    {"JUMP_OLD",     "001jjjjjjjjjjjjjjjjjjjjjjjjjjj00", GPUCMD_NV_CHIP_NV4,  "NV4"    },
    {"JUMP",         "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjj01", GPUCMD_NV_CHIP_NV1A, "NV4"    },
    {"CALL",         "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjj10", GPUCMD_NV_CHIP_NV1A, "NV4"    },
    {"RETURN",       "00000000000000100000000000000000", GPUCMD_NV_CHIP_NV1A, "NV4"    },
    {"LONG_NON_INC", "0000000000000011sssmmmmmmmmmmm00", GPUCMD_NV_CHIP_G80,  "IB"     },
    {"SLI_COND",     "0000000000000001vvvvvvvvvvvv--00", GPUCMD_NV_CHIP_NV40, "ANY SLI"},
};

/* [906F] DMA_SEC_OP, DMA_TERT_OP and the fields of each; [RNNDB] FORMATS. Bits that the documents
 * leave open are "-". */
static const known_form known_hdr_forms[] = {
    {"NOP",         "00000000000000000000000000000000", GPUCMD_NV_CHIP_GF100, "NEW OLD"},
    {"OLD_INC",     "000ccccccccccc00sssmmmmmmmmmmm--", GPUCMD_NV_CHIP_GF100, "OLD"    },
    {"SLI_COND",    "000-----------01vvvvvvvvvvvv----", GPUCMD_NV_CHIP_GF100, "NEW OLD"},
    {"SLI_STORE",   "000-----------10vvvvvvvvvvvv----", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"SLI_USE",     "000-----------11----------------", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"INC",         "001cccccccccccccsss-mmmmmmmmmmmm", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"OLD_NON_INC", "010ccccccccccc00sssmmmmmmmmmmm--", GPUCMD_NV_CHIP_GF100, "OLD"    },
    {"NON_INC",     "011cccccccccccccsss-mmmmmmmmmmmm", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"IMMD",        "100dddddddddddddsss-mmmmmmmmmmmm", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"ONE_INC",     "101cccccccccccccsss-mmmmmmmmmmmm", GPUCMD_NV_CHIP_GF100, "NEW"    },
    {"END_SEGMENT", "111-----------------------------", GPUCMD_NV_CHIP_GF100, "NEW"    },
};

/* Gate of a row in the words of known_form. */
static const char *gate_of(const form *f)
{
    if (f->mode[0] != '\0') {
        return strcmp(f->mode, "ANY") == 0 && f->sli ? "ANY SLI" : f->sli ? "?" : f->mode;
    }
    return f->is_new && f->is_old ? "NEW OLD" : f->is_new ? "NEW" : f->is_old ? "OLD" : "?";
}

static void compare_forms(const form *rows, size_t row_count, const known_form *known,
                          size_t known_count)
{
    EQUAL(row_count, known_count);
    for (size_t i = 0; i < row_count; i++) {
        size_t hits = 0;
        for (size_t k = 0; k < known_count; k++) {
            if (strcmp(known[k].name, rows[i].name) == 0) {
                hits++;
                test_check(strcmp(rows[i].picture, known[k].picture) == 0, __FILE__, __LINE__,
                           rows[i].name);
                test_check(rows[i].since == known[k].since, __FILE__, __LINE__, rows[i].name);
                test_check(strcmp(gate_of(&rows[i]), known[k].gate) == 0, __FILE__, __LINE__,
                           rows[i].name);
            }
        }
        test_equal(hits, 1, __FILE__, __LINE__, rows[i].name);
    }
}

/* Field of a letter of a picture. */
static const field *field_of(const form *f, char letter, bool old)
{
    const char *name = letter == 'c'   ? "OLD_COUNT"
                       : letter == 's' ? "OLD_SUBC"
                       : letter == 'm' ? "OLD_MTHD"
                       : letter != 'j' ? "?"
                       : f->prim != 0  ? "OLD_LONG_OFFSET"
                                       : "OLD_JUMP_OFFSET";
    if (letter == 'v') {
        return find(hdr_fields, COUNT(hdr_fields), "HDR_SUBDEVICE");
    }
    if (old) {
        return find(old_fields, COUNT(old_fields), name);
    }
    name = letter == 'c'   ? "HDR_COUNT"
           : letter == 'd' ? "HDR_IMMD_DATA"
           : letter == 's' ? "HDR_SUBC"
           : letter == 'm' ? "HDR_MTHD"
                           : "?";
    return find(hdr_fields, COUNT(hdr_fields), name);
}

/* Parse a picture. Equal letters must be adjacent, at the bits of their field. 0 and 1 give the
 * mask and the value of the op fields. */
static void parse(const form *f, bool old)
{
    uint32_t mask = 0;
    uint32_t value = 0;
    uint32_t op = f->sec << 29 | f->tert << 16 | f->prim;
    test_equal(strlen(f->picture), 32, __FILE__, __LINE__, f->name);
    for (int i = 0; i < 32; i++) {
        const char c = f->picture[i];
        const int hi = 31 - i;
        mask |= c == '0' || c == '1' ? (uint32_t)1 << hi : 0;
        value |= c == '1' ? (uint32_t)1 << hi : 0;
        test_check(strchr("01-cdjmsv", c) != NULL, __FILE__, __LINE__, f->name);
        if (strchr("cdjmsv", c) == NULL || (i > 0 && f->picture[i - 1] == c)) {
            continue;
        }
        const field *row = field_of(f, c, old);
        int lo = hi;
        while (lo > 0 && f->picture[31 - lo + 1] == c) {
            lo--;
        }
        test_check(strchr(f->picture + 31 - lo + 1, c) == NULL, __FILE__, __LINE__, f->name);
        if (test_check(row != NULL, __FILE__, __LINE__, f->name)) {
            test_equal((uint64_t)row->hi, (uint64_t)hi, __FILE__, __LINE__, f->name);
            test_equal((uint64_t)row->lo, (uint64_t)lo, __FILE__, __LINE__, f->name);
        }
    }
    test_equal(f->mask, mask, __FILE__, __LINE__, f->name);
    test_equal(op, value, __FILE__, __LINE__, f->name);
    test_check(f->sec <= 7 && f->tert <= 3 && f->prim <= 3, __FILE__, __LINE__, f->name);
}

/* Return true if some word has both pictures. */
static bool collide(const char *a, const char *b)
{
    for (int i = 0; i < 32; i++) {
        if ((a[i] == '0' && b[i] == '1') || (a[i] == '1' && b[i] == '0')) {
            return false;
        }
    }
    return true;
}

static void forms(void)
{
    compare_forms(old_forms, COUNT(old_forms), known_old_forms, COUNT(known_old_forms));
    compare_forms(hdr_forms, COUNT(hdr_forms), known_hdr_forms, COUNT(known_hdr_forms));
    for (size_t i = 0; i < COUNT(old_forms); i++) {
        parse(&old_forms[i], true);
        for (size_t k = 0; k < i; k++) { /* "Patterns are disjoint" */
            CHECK(!collide(old_forms[i].picture, old_forms[k].picture));
        }
    }
    for (size_t i = 0; i < COUNT(hdr_forms); i++) {
        const bool old = strncmp(hdr_forms[i].name, "OLD_", 4) == 0;
        parse(&hdr_forms[i], old);
        for (size_t k = 0; k < i; k++) { /* "NOP comes before OLD_INC, whose pattern has it too" */
            const bool known_pair =
                strcmp(hdr_forms[i].name, "OLD_INC") == 0 && strcmp(hdr_forms[k].name, "NOP") == 0;
            EQUAL(collide(hdr_forms[i].picture, hdr_forms[k].picture), known_pair);
        }
    }
}

static void form_names(void)
{
    static const struct {
        gpucmd_nv_form form;
        const char *name;
    } rows[] = {
        {GPUCMD_NV_FORM_INVALID,      "INVALID"     },
        {GPUCMD_NV_FORM_NOP,          "NOP"         },
        {GPUCMD_NV_FORM_INC,          "INC"         },
        {GPUCMD_NV_FORM_NON_INC,      "NON_INC"     },
        {GPUCMD_NV_FORM_ONE_INC,      "ONE_INC"     },
        {GPUCMD_NV_FORM_IMMD,         "IMMD"        },
        {GPUCMD_NV_FORM_LONG_NON_INC, "LONG_NON_INC"},
        {GPUCMD_NV_FORM_OLD_INC,      "OLD_INC"     },
        {GPUCMD_NV_FORM_OLD_NON_INC,  "OLD_NON_INC" },
        {GPUCMD_NV_FORM_JUMP_OLD,     "JUMP_OLD"    },
        {GPUCMD_NV_FORM_JUMP,         "JUMP"        },
        {GPUCMD_NV_FORM_CALL,         "CALL"        },
        {GPUCMD_NV_FORM_RETURN,       "RETURN"      },
        {GPUCMD_NV_FORM_SLI_COND,     "SLI_COND"    },
        {GPUCMD_NV_FORM_SLI_STORE,    "SLI_STORE"   },
        {GPUCMD_NV_FORM_SLI_USE,      "SLI_USE"     },
        {GPUCMD_NV_FORM_END_SEGMENT,  "END_SEGMENT" },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        CHECK(strcmp(gpucmd_nv_form_name(rows[i].form), rows[i].name) == 0);
    }
    CHECK(strcmp(gpucmd_nv_form_name((gpucmd_nv_form)(GPUCMD_NV_FORM_END_SEGMENT + 1)), "?") == 0);
}

/* The names of the four kinds. */
static void kinds(void)
{
    CHECK(strcmp("INC", gpucmd_nv_kind_name(GPUCMD_NV_KIND_INC)) == 0);
    CHECK(strcmp("NON_INC", gpucmd_nv_kind_name(GPUCMD_NV_KIND_NON_INC)) == 0);
    CHECK(strcmp("ONE_INC", gpucmd_nv_kind_name(GPUCMD_NV_KIND_ONE_INC)) == 0);
    CHECK(strcmp("IMMD", gpucmd_nv_kind_name(GPUCMD_NV_KIND_IMMD)) == 0);
    CHECK(strcmp("?", gpucmd_nv_kind_name((gpucmd_nv_kind)4)) == 0);
}

/* ---- chips ---------------------------------------------------------------------------------- */

typedef struct chip {
    const char *name;
    uint32_t id;
    const char *family;
    const char *bus;
    uint32_t class_number;
} chip;

/* [ENVY] ssot/gpu.py up to TU117, then [LNX] device/base.c in release order; classes from NVIDIA's
 * headers, see [NV.SOURCES]. */
static const chip chips[] = {
    {"NV1",    0x000, "NV1",       "AGP",    0x0000},
    {"NV3",    0x000, "NV3",       "AGP",    0x006b},
    {"NV3T",   0x000, "NV3",       "AGP",    0x006b},
    {"NV4",    0x000, "NV4",       "AGP",    0x006c},
    {"NV5",    0x000, "NV4",       "AGP",    0x006c},
    {"NV6",    0x000, "NV4",       "AGP",    0x006c},
    {"NVA",    0x000, "NV4",       "AGP",    0x006c},
    {"NV10",   0x010, "CELSIUS",   "AGP",    0x006e},
    {"NV15",   0x015, "CELSIUS",   "AGP",    0x006e},
    {"NV1A",   0x01a, "CELSIUS",   "AGP",    0x006e},
    {"NV11",   0x011, "CELSIUS",   "AGP",    0x006e},
    {"NV17",   0x017, "CELSIUS",   "AGP",    0x176e},
    {"NV1F",   0x01f, "CELSIUS",   "AGP",    0x176e},
    {"NV18",   0x018, "CELSIUS",   "AGP",    0x176e},
    {"NV20",   0x020, "KELVIN",    "AGP",    0x206e},
    {"NV2A",   0x02a, "KELVIN",    "AGP",    0x206e},
    {"NV25",   0x025, "KELVIN",    "AGP",    0x206e},
    {"NV28",   0x028, "KELVIN",    "AGP",    0x206e},
    {"NV30",   0x030, "RANKINE",   "AGP",    0x206e},
    {"NV35",   0x035, "RANKINE",   "AGP",    0x206e},
    {"NV31",   0x031, "RANKINE",   "AGP",    0x206e},
    {"NV36",   0x036, "RANKINE",   "AGP",    0x366e},
    {"NV34",   0x034, "RANKINE",   "AGP",    0x366e},
    {"NV40",   0x040, "CURIE",     "AGP",    0x406e},
    {"NV45",   0x045, "CURIE",     "AGP",    0x406e},
    {"NV41",   0x041, "CURIE",     "PCIE",   0x406e},
    {"NV42",   0x042, "CURIE",     "PCIE",   0x406e},
    {"NV43",   0x043, "CURIE",     "PCIE",   0x406e},
    {"NV44",   0x044, "CURIE",     "PCIE",   0x446e},
    {"NV44A",  0x04a, "CURIE",     "AGP",    0x446e},
    {"G70",    0x047, "CURIE",     "PCIE",   0x446e},
    {"G72",    0x046, "CURIE",     "PCIE",   0x446e},
    {"G71",    0x049, "CURIE",     "PCIE",   0x446e},
    {"G73",    0x04b, "CURIE",     "PCIE",   0x446e},
    {"C51",    0x04e, "CURIE",     "IGP",    0x446e},
    {"MCP61",  0x04c, "CURIE",     "IGP",    0x446e},
    {"MCP67",  0x067, "CURIE",     "IGP",    0x446e},
    {"MCP68",  0x068, "CURIE",     "IGP",    0x446e},
    {"MCP73",  0x063, "CURIE",     "IGP",    0x446e},
    {"RSX",    0x04d, "CURIE",     "FLEXIO", 0x446e},
    {"G80",    0x050, "TESLA",     "PCIE",   0x506f},
    {"G84",    0x084, "TESLA",     "PCIE",   0x826f},
    {"G86",    0x086, "TESLA",     "PCIE",   0x826f},
    {"G92",    0x092, "TESLA",     "PCIE",   0x826f},
    {"G94",    0x094, "TESLA",     "PCIE",   0x826f},
    {"G96",    0x096, "TESLA",     "PCIE",   0x826f},
    {"G98",    0x098, "TESLA",     "PCIE",   0x826f},
    {"G200",   0x0a0, "TESLA",     "PCIE",   0x826f},
    {"MCP77",  0x0aa, "TESLA",     "IGP",    0x826f},
    {"MCP79",  0x0ac, "TESLA",     "IGP",    0x826f},
    {"GT215",  0x0a3, "TESLA",     "PCIE",   0x826f},
    {"GT216",  0x0a5, "TESLA",     "PCIE",   0x826f},
    {"GT218",  0x0a8, "TESLA",     "PCIE",   0x826f},
    {"MCP89",  0x0af, "TESLA",     "IGP",    0x866f},
    {"GF100",  0x0c0, "FERMI",     "PCIE",   0x906f},
    {"GF104",  0x0c4, "FERMI",     "PCIE",   0x906f},
    {"GF114",  0x0ce, "FERMI",     "PCIE",   0x906f},
    {"GF106",  0x0c3, "FERMI",     "PCIE",   0x906f},
    {"GF116",  0x0cf, "FERMI",     "PCIE",   0x906f},
    {"GF108",  0x0c1, "FERMI",     "PCIE",   0x906f},
    {"GF110",  0x0c8, "FERMI",     "PCIE",   0x906f},
    {"GF119",  0x0d9, "FERMI",     "PCIE",   0x906f},
    {"GF117",  0x0d7, "FERMI",     "PCIE",   0x906f},
    {"GK104",  0x0e4, "KEPLER",    "PCIE",   0xa06f},
    {"GK107",  0x0e7, "KEPLER",    "PCIE",   0xa06f},
    {"GK106",  0x0e6, "KEPLER",    "PCIE",   0xa06f},
    {"GK110",  0x0f0, "KEPLER",    "PCIE",   0xa16f},
    {"GK110B", 0x0f1, "KEPLER",    "PCIE",   0xa16f},
    {"GK210",  0x000, "KEPLER",    "PCIE",   0xa16f},
    {"GK208",  0x108, "KEPLER",    "PCIE",   0xa16f},
    {"GK208B", 0x106, "KEPLER",    "PCIE",   0xa16f},
    {"GK20A",  0x0ea, "KEPLER",    "TEGRA",  0xa26f},
    {"GM107",  0x117, "MAXWELL",   "PCIE",   0xa16f},
    {"GM108",  0x118, "MAXWELL",   "PCIE",   0xa16f},
    {"GM204",  0x124, "MAXWELL",   "PCIE",   0xb06f},
    {"GM200",  0x120, "MAXWELL",   "PCIE",   0xb06f},
    {"GM206",  0x126, "MAXWELL",   "PCIE",   0xb06f},
    {"GM20B",  0x12b, "MAXWELL",   "TEGRA",  0xb06f},
    {"GP100",  0x130, "PASCAL",    "PCIE",   0xc06f},
    {"GP102",  0x132, "PASCAL",    "PCIE",   0xc06f},
    {"GP104",  0x134, "PASCAL",    "PCIE",   0xc06f},
    {"GP106",  0x136, "PASCAL",    "PCIE",   0xc06f},
    {"GP107",  0x137, "PASCAL",    "PCIE",   0xc06f},
    {"GP108",  0x138, "PASCAL",    "PCIE",   0xc06f},
    {"GP10B",  0x13b, "PASCAL",    "TEGRA",  0xc06f},
    {"GV100",  0x140, "VOLTA",     "PCIE",   0xc36f},
    {"GV11B",  0x15b, "VOLTA",     "TEGRA",  0xc36f},
    {"TU102",  0x162, "TURING",    "PCIE",   0xc46f},
    {"TU104",  0x164, "TURING",    "PCIE",   0xc46f},
    {"TU106",  0x166, "TURING",    "PCIE",   0xc46f},
    {"TU116",  0x168, "TURING",    "PCIE",   0xc46f},
    {"TU117",  0x167, "TURING",    "PCIE",   0xc46f},
    {"GA100",  0x170, "AMPERE",    "PCIE",   0xc56f},
    {"GA102",  0x172, "AMPERE",    "PCIE",   0xc56f},
    {"GA103",  0x173, "AMPERE",    "PCIE",   0xc56f},
    {"GA104",  0x174, "AMPERE",    "PCIE",   0xc56f},
    {"GA106",  0x176, "AMPERE",    "PCIE",   0xc56f},
    {"GA107",  0x177, "AMPERE",    "PCIE",   0xc56f},
    {"GA10B",  0x17b, "AMPERE",    "TEGRA",  0xc76f},
    {"AD102",  0x192, "ADA",       "PCIE",   0xc56f},
    {"AD103",  0x193, "ADA",       "PCIE",   0xc56f},
    {"AD104",  0x194, "ADA",       "PCIE",   0xc56f},
    {"AD106",  0x196, "ADA",       "PCIE",   0xc56f},
    {"AD107",  0x197, "ADA",       "PCIE",   0xc56f},
    {"GH100",  0x180, "HOPPER",    "PCIE",   0xc86f},
    {"GB100",  0x1a0, "BLACKWELL", "PCIE",   0xc96f},
    {"GB102",  0x1a2, "BLACKWELL", "PCIE",   0xc96f},
    {"GB202",  0x1b2, "BLACKWELL", "PCIE",   0xca6f},
    {"GB203",  0x1b3, "BLACKWELL", "PCIE",   0xca6f},
    {"GB205",  0x1b5, "BLACKWELL", "PCIE",   0xca6f},
    {"GB206",  0x1b6, "BLACKWELL", "PCIE",   0xca6f},
    {"GB207",  0x1b7, "BLACKWELL", "PCIE",   0xca6f},
};

/* Families and buses in order. */
static const char *const families[] = {
    "NV1",    "NV3",     "NV4",    "CELSIUS", "KELVIN", "RANKINE", "CURIE", "TESLA",  "FERMI",
    "KEPLER", "MAXWELL", "PASCAL", "VOLTA",   "TURING", "AMPERE",  "ADA",   "HOPPER", "BLACKWELL",
};
static const char *const buses[] = {"AGP", "PCIE", "IGP", "FLEXIO", "TEGRA"};

static gpucmd_nv_chip number(size_t i)
{
    return (gpucmd_nv_chip)i;
}

static void chip_rows(void)
{
    gpucmd_nv_chip got;
    EQUAL(GPUCMD_NV_CHIP_COUNT, COUNT(chips));
    EQUAL(GPUCMD_NV_CHIP_LATER, COUNT(chips));
    EQUAL(COUNT(families), GPUCMD_NV_FAMILY_BLACKWELL + 1);
    EQUAL(COUNT(buses), GPUCMD_NV_BUS_TEGRA + 1);
    for (size_t i = 0; i < COUNT(chips); i++) {
        char name[12];
        size_t first = i; /* the first chip with this id */
        CHECK(strcmp(gpucmd_nv_chip_name(number(i)), chips[i].name) == 0);
        EQUAL(gpucmd_nv_chip_id(number(i)), chips[i].id);
        CHECK(strcmp(families[gpucmd_nv_chip_family(number(i))], chips[i].family) == 0);
        CHECK(strcmp(buses[gpucmd_nv_chip_bus(number(i))], chips[i].bus) == 0);
        EQUAL(gpucmd_nv_chip_class(number(i)), chips[i].class_number);
        for (size_t k = 0; k < i; k++) {
            CHECK(strcmp(chips[k].name, chips[i].name) != 0);
            CHECK(chips[k].id != chips[i].id || chips[i].id == 0);
            first = chips[k].id == chips[i].id && k < first ? k : first;
        }
        /* "By its id register value [...] the first chip with this id." */
        got = GPUCMD_NV_CHIP_NV1;
        EQUAL(gpucmd_nv_chip_from_id(chips[i].id, &got),
              chips[i].id != 0 ? GPUCMD_OK : GPUCMD_RANGE);
        EQUAL(got, chips[i].id != 0 ? first : 0);
        /* "By name, in any case of letters" */
        for (int variant = 0; variant < 3; variant++) {
            for (size_t k = 0; k <= strlen(chips[i].name); k++) {
                const char c = chips[i].name[k];
                const bool lower = variant == 1 || (variant == 2 && k % 2 == 0);
                name[k] = lower && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
            }
            EQUAL(gpucmd_nv_chip_from_name(name, &got), GPUCMD_OK);
            EQUAL(got, i);
        }
        /* "the same with the id" */
        (void)snprintf(name, sizeof name, "%s%x", i % 2 ? "nv" : "NV", (unsigned)chips[i].id);
        if (chips[i].id >= 0x10) {
            EQUAL(gpucmd_nv_chip_from_name(name, &got), GPUCMD_OK);
            EQUAL(got, i);
        }
        /* "four hex digits of a channel class [...] give the first chip that has it" */
        (void)snprintf(name, sizeof name, i % 2 ? "%04x" : "%04X", (unsigned)chips[i].class_number);
        for (first = 0; chips[first].class_number != chips[i].class_number; first++) {
        }
        if (chips[i].class_number != 0) {
            EQUAL(gpucmd_nv_chip_from_name(name, &got), GPUCMD_OK);
            /* GA102 also has C76F, although drivers bind C56F */
            EQUAL(got, chips[i].class_number == 0xc76f ? GPUCMD_NV_CHIP_GA102 : first);
        }
    }
}

static void chip_order(void)
{
    /* NV11 has a smaller id than NV1A and comes after it */
    CHECK(GPUCMD_NV_CHIP_NV11 > GPUCMD_NV_CHIP_NV1A);
    CHECK(GPUCMD_NV_CHIP_NV10 < GPUCMD_NV_CHIP_NV15 && GPUCMD_NV_CHIP_NV15 < GPUCMD_NV_CHIP_NV1A);
    CHECK(GPUCMD_NV_CHIP_NV18 > GPUCMD_NV_CHIP_NV1F && GPUCMD_NV_CHIP_NV20 > GPUCMD_NV_CHIP_NV18);
    CHECK(GPUCMD_NV_CHIP_NV35 < GPUCMD_NV_CHIP_NV31 && GPUCMD_NV_CHIP_NV36 < GPUCMD_NV_CHIP_NV34);
    CHECK(GPUCMD_NV_CHIP_NV45 < GPUCMD_NV_CHIP_NV41);
    CHECK(GPUCMD_NV_CHIP_G72 < GPUCMD_NV_CHIP_G71);
    CHECK(GPUCMD_NV_CHIP_MCP79 < GPUCMD_NV_CHIP_GT215 &&
          GPUCMD_NV_CHIP_GT218 < GPUCMD_NV_CHIP_MCP89);
    CHECK(GPUCMD_NV_CHIP_GK208B < GPUCMD_NV_CHIP_GK20A &&
          GPUCMD_NV_CHIP_GK20A < GPUCMD_NV_CHIP_GM107);
    /* GA100 < GA10x < AD10x < GH100 < GB10x < GB20x */
    CHECK(GPUCMD_NV_CHIP_TU117 < GPUCMD_NV_CHIP_GA100 &&
          GPUCMD_NV_CHIP_GA100 < GPUCMD_NV_CHIP_GA102);
    CHECK(GPUCMD_NV_CHIP_GA102 < GPUCMD_NV_CHIP_GA10B &&
          GPUCMD_NV_CHIP_GA10B < GPUCMD_NV_CHIP_AD102);
    CHECK(GPUCMD_NV_CHIP_GA107 < GPUCMD_NV_CHIP_AD102 &&
          GPUCMD_NV_CHIP_AD107 < GPUCMD_NV_CHIP_GH100);
    CHECK(GPUCMD_NV_CHIP_GH100 < GPUCMD_NV_CHIP_GB100 &&
          GPUCMD_NV_CHIP_GB102 < GPUCMD_NV_CHIP_GB202);
    CHECK(!GPUCMD_NV_IS_GF100(GPUCMD_NV_CHIP_MCP89) && GPUCMD_NV_IS_GF100(GPUCMD_NV_CHIP_GF100));
}

/* Expect a name to select this chip; COUNT: to be rejected, with the output unchanged. */
static void named(const char *name, int want)
{
    gpucmd_nv_chip got = GPUCMD_NV_CHIP_RSX;
    const bool known = want < GPUCMD_NV_CHIP_COUNT;
    test_equal(gpucmd_nv_chip_from_name(name, &got), known ? GPUCMD_OK : GPUCMD_RANGE, __FILE__,
               __LINE__, name);
    test_equal(got, known ? (uint64_t)want : GPUCMD_NV_CHIP_RSX, __FILE__, __LINE__, name);
}

static void chip_names(void)
{
    const int none = GPUCMD_NV_CHIP_COUNT;
    gpucmd_nv_chip got = GPUCMD_NV_CHIP_RSX;
    named("gt200", GPUCMD_NV_CHIP_G200);
    named("GT200", GPUCMD_NV_CHIP_G200);
    named("g200", GPUCMD_NV_CHIP_G200);
    named("nvc0", GPUCMD_NV_CHIP_GF100);
    named("NVC0", GPUCMD_NV_CHIP_GF100);
    named("nv50", GPUCMD_NV_CHIP_G80);
    named("nva0", GPUCMD_NV_CHIP_G200);
    named("nva", GPUCMD_NV_CHIP_NVA); /* a name comes before an id */
    named("nv108", GPUCMD_NV_CHIP_GK208);
    named("nv4", GPUCMD_NV_CHIP_NV4);
    named("nv40", GPUCMD_NV_CHIP_NV40);
    named("c76f", GPUCMD_NV_CHIP_GA102);
    named("C76F", GPUCMD_NV_CHIP_GA102);
    named("506f", GPUCMD_NV_CHIP_G80);
    named("006c", GPUCMD_NV_CHIP_NV4);
    named("", none);
    named("nv", none);
    named("n", none);
    named("nv0", none);
    named("nv00000c0", none);
    named("nvc0 ", none);
    named("nvc0x", none);
    named("gf10", none);
    named("gf1000", none);
    named(" gf100", none);
    named("gf100 ", none);
    named("76f", none);
    named("6c", none); /* class 006c has four digits */
    named("50", none);
    named("c76f0", none);
    named("0xc76f", none);
    named("c77f", none);
    named("0000", none);
    named("nvff", none);
    named("\xff\x80", none);
    EQUAL(gpucmd_nv_chip_from_id(0, &got), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_id(0x04, &got), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_id(0x1ff, &got), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_id(0x10050, &got), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_id(0xffffffff, &got), GPUCMD_RANGE);
    EQUAL(got, GPUCMD_NV_CHIP_RSX);
    /* 'The name of a number that is no chip is "?", the rest 0.' */
    for (int i = 0; i < 2; i++) {
        got = (gpucmd_nv_chip)(GPUCMD_NV_CHIP_COUNT + i * 100);
        CHECK(strcmp(gpucmd_nv_chip_name(got), "?") == 0);
        EQUAL(gpucmd_nv_chip_id(got), 0);
        EQUAL(gpucmd_nv_chip_family(got), 0);
        EQUAL(gpucmd_nv_chip_bus(got), 0);
        EQUAL(gpucmd_nv_chip_class(got), 0);
    }
}

/* ---- host methods --------------------------------------------------------------------------- */

/* Methods below 0x100 before GF100, exactly these and no others. [ENVY] puller.rst */
static const struct {
    uint32_t mthd;
    gpucmd_nv_chip since;
    const char *name; /* as NVIDIA's or ENVY's text has it */
} early[] = {
    {0x00, GPUCMD_NV_CHIP_NV4,   "SET_OBJECT"         },
    {0x50, GPUCMD_NV_CHIP_NV10,  "REF_CNT"            },
    {0x60, GPUCMD_NV_CHIP_NV1A,  "DMA_SEMAPHORE"      },
    {0x64, GPUCMD_NV_CHIP_NV1A,  "SEMAPHORE_OFFSET"   },
    {0x68, GPUCMD_NV_CHIP_NV1A,  "SEMAPHORE_ACQUIRE"  },
    {0x6c, GPUCMD_NV_CHIP_NV1A,  "SEMAPHORE_RELEASE"  },
    {0x80, GPUCMD_NV_CHIP_NV40,  "YIELD"              },
    {0x10, GPUCMD_NV_CHIP_G84,   "SEMAPHOREA"         },
    {0x14, GPUCMD_NV_CHIP_G84,   "SEMAPHOREB"         },
    {0x18, GPUCMD_NV_CHIP_G84,   "SEMAPHOREC"         },
    {0x1c, GPUCMD_NV_CHIP_G84,   "SEMAPHORED"         },
    {0x20, GPUCMD_NV_CHIP_G84,   "NON_STALL_INTERRUPT"},
    {0x24, GPUCMD_NV_CHIP_G84,   "FB_FLUSH"           },
    {0x28, GPUCMD_NV_CHIP_MCP89, "MEM_OP_A"           },
    {0x2c, GPUCMD_NV_CHIP_MCP89, "MEM_OP_B"           },
};

/* The class headers of GF100 and later, one column each: 906F A06F A16F A26F B06F C06F C36F C46F
 * C56F C76F, and for Hopper and later what C56F has (MODEL). y: there. t: on Tegra only. */
static const struct {
    uint32_t mthd;
    const char *there;
    const char *name;
} late[] = {
    {0x00, "yyyyyyyyyyyyy", "SET_OBJECT"         },
    {0x04, "yyyyyyyyyyyyy", "ILLEGAL"            },
    {0x08, "yyyyyyyyyyyyy", "NOP"                },
    {0x10, "yyyyyyyyyyyyy", "SEMAPHOREA"         },
    {0x14, "yyyyyyyyyyyyy", "SEMAPHOREB"         },
    {0x18, "yyyyyyyyyyyyy", "SEMAPHOREC"         },
    {0x1c, "yyyyyyyyyyyyy", "SEMAPHORED"         },
    {0x20, "yyyyyyyyyyyyy", "NON_STALL_INTERRUPT"},
    {0x24, "yyyyyyyyyyyyy", "FB_FLUSH"           },
    {0x28, "yyyy-yyyyyyyy", "MEM_OP_A"           },
    {0x2c, "yyyy-yyyyyyyy", "MEM_OP_B"           },
    {0x30, "----yyyyyyyyy", "MEM_OP_C"           },
    {0x34, "----yyyyyyyyy", "MEM_OP_D"           },
    {0x50, "yyyyyyyyyyyyy", "REF_CNT"            },
    {0x5c, "------yyyyyyy", "SEM_ADDR_LO"        },
    {0x60, "------yyyyyyy", "SEM_ADDR_HI"        },
    {0x64, "------yyyyyyy", "SEM_PAYLOAD_LO"     },
    {0x68, "------yyyyyyy", "SEM_PAYLOAD_HI"     },
    {0x6c, "------yyyyyyy", "SEM_EXECUTE"        },
    {0x70, "---y-t-------", "SYNCPOINTA"         },
    {0x74, "---y-t-------", "SYNCPOINTB"         },
    {0x78, "--yyyyyyyyyyy", "WFI"                },
    {0x7c, "yyyyyyyy-----", "CRC_CHECK"          },
    {0x80, "yyyyyyyyyyyyy", "YIELD"              },
    {0x84, "------yyyyyyy", "CLEAR_FAULTED"      },
};

/* Name of a method that the host of chip i knows, else NULL. */
static const char *known_mthd(size_t i, uint32_t mthd)
{
    static const uint32_t columns[] = {0x906f, 0xa06f, 0xa16f, 0xa26f, 0xb06f, 0xc06f, 0xc36f,
                                       0xc46f, 0xc56f, 0xc76f, 0xc86f, 0xc96f, 0xca6f};
    size_t column = 0;
    if (i < GPUCMD_NV_CHIP_GF100) {
        for (size_t k = 0; k < COUNT(early); k++) {
            if (early[k].mthd == mthd && i >= (size_t)early[k].since) {
                return early[k].name;
            }
        }
        return NULL;
    }
    while (columns[column] != chips[i].class_number) {
        column++;
    }
    for (size_t k = 0; k < COUNT(late); k++) {
        const char there = late[k].there[column];
        if (late[k].mthd == mthd &&
            (there == 'y' || (there == 't' && strcmp(chips[i].bus, "TEGRA") == 0))) {
            return late[k].name;
        }
    }
    return NULL;
}

static void host_methods(void)
{
    for (size_t i = 0; i < COUNT(chips); i++) {
        for (uint32_t mthd = 0; mthd < 0x100; mthd++) { /* also unaligned addresses */
            const char *want = known_mthd(i, mthd);
            const char *got = gpucmd_nv_host_method_name(number(i), mthd);
            if (gpucmd_nv_knows_mthd(number(i), mthd) != (want != NULL)) {
                printf("    %s, method 0x%02x\n", chips[i].name, (unsigned)mthd);
                CHECK(gpucmd_nv_knows_mthd(number(i), mthd) == (want != NULL));
            }
            CHECK(strcmp(got, want != NULL ? want : "?") == 0);
        }
        /* "Addresses from 0x100 on belong to engines: always true." */
        for (uint32_t mthd = 0x100; mthd < 0x4000; mthd += 0x2fc) {
            CHECK(gpucmd_nv_knows_mthd(number(i), mthd));
            CHECK(strcmp(gpucmd_nv_host_method_name(number(i), mthd), "?") == 0);
        }
        CHECK(gpucmd_nv_knows_mthd(number(i), 0x3ffc));
    }
}

/* ---- entries, controls, errors, registers --------------------------------------------------- */

#define FLAG(name, flag, word, field, since, until, src)                                           \
    {#name,                                                                                        \
     flag,                                                                                         \
     word,                                                                                         \
     GPUCMD_NV_##field##_HI,                                                                       \
     GPUCMD_NV_##field##_LO,                                                                       \
     GPUCMD_NV_CHIP_##since,                                                                       \
     GPUCMD_NV_CHIP_##until},
static const struct {
    const char *name;
    uint32_t flag;
    int word;
    int hi;
    int lo;
    int since;
    int until;
} flags[] = {GPUCMD_NV_ENTRY_FLAGS(FLAG)};

static void entry_flags(void)
{
    /* [506F] [906F] [A06F] [C46F]: word, bit, first chip, first chip without */
    static const struct {
        const char *name;
        int word;
        int bit;
        int since;
        int until;
    } known[] = {
        {"DISABLE",           0, 0,  GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_GF100},
        {"NO_CONTEXT_SWITCH", 0, 1,  GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_GK104},
        {"FETCH_CONDITIONAL", 0, 0,  GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_COUNT},
        {"PRIV",              1, 8,  GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_TU102},
        {"SUBROUTINE",        1, 9,  GPUCMD_NV_CHIP_G80,   GPUCMD_NV_CHIP_COUNT},
        {"SYNC_WAIT",         1, 31, GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_COUNT},
    };
    uint32_t all = 0;
    EQUAL(COUNT(flags), COUNT(known));
    for (size_t i = 0; i < COUNT(known); i++) {
        CHECK(strcmp(flags[i].name, known[i].name) == 0);
        CHECK(flags[i].word == known[i].word);
        CHECK(flags[i].hi == known[i].bit && flags[i].lo == known[i].bit);
        CHECK(flags[i].since == known[i].since && flags[i].until == known[i].until);
        CHECK(flags[i].flag != 0 && (flags[i].flag & (flags[i].flag - 1)) == 0);
        CHECK((all & flags[i].flag) == 0);
        all |= flags[i].flag;
    }
}

/* nv_words.md, section 7: [ENVY] nv4_pfifo.xml, g80_pfifo.xml */
static void cache1_registers(void)
{
#define REG(name, member, off, since, meaning)                                                     \
    {#name, offsetof(gpucmd_nv_cache1, member), off, GPUCMD_NV_CHIP_##since},
#define KNOWN(name, member, off, since) REG(name, member, off, since, "")
    static const struct {
        const char *name;
        size_t at;
        uint32_t off;
        int since;
    } rows[] = {GPUCMD_NV_CACHE1_REGS(REG)},
      known[] = {KNOWN(DMA_STATE, dma_state, 0x3228, NV4) KNOWN(DMA_PUT, dma_put, 0x3240, NV4)
                     KNOWN(DMA_GET, dma_get, 0x3244, NV4) KNOWN(REF, ref, 0x3248, NV10)
                         KNOWN(DMA_SUBROUTINE, dma_subroutine, 0x324c, NV1A)
                             KNOWN(DMA_DCOUNT, dma_dcount, 0x32a0, NV5)
                                 KNOWN(DMA_GET_JMP, dma_get_jmp, 0x32a4, NV5)
                                     KNOWN(DMA_RSVD, dma_rsvd, 0x32a8, NV5)
                                         KNOWN(DMA_DATA, dma_data, 0x32ac, NV5)
                                             KNOWN(METHOD_COUNT, method_count, 0x3364, G80)};
#undef KNOWN
#undef REG
    EQUAL(COUNT(rows), COUNT(known));
    for (size_t i = 0; i < COUNT(known); i++) {
        CHECK(strcmp(rows[i].name, known[i].name) == 0);
        EQUAL(rows[i].at, known[i].at);
        EQUAL(rows[i].off, known[i].off);
        EQUAL(rows[i].since, known[i].since);
    }
}

static void numbers(void)
{
    /* codes of FETCH after all forms of commands */
    EQUAL(GPUCMD_NV_FETCH_DATA, 0x100);
    EQUAL(GPUCMD_NV_FETCH_COUNT, 0x101);
    EQUAL(GPUCMD_NV_FETCH_ENTRY, 0x102);
    /* [B0B5] SET_REMAP_COMPONENTS */
    EQUAL(GPUCMD_NV_REMAP_SRC_X, 0);
    EQUAL(GPUCMD_NV_REMAP_CONST_A, 4);
    EQUAL(GPUCMD_NV_REMAP_CONST_B, 5);
    EQUAL(GPUCMD_NV_REMAP_NO_WRITE, 6);
    /* [906F] [C86F] GP_ENTRY1_OPCODE */
    EQUAL(GPUCMD_NV_CONTROL_NOP, 0);
    EQUAL(GPUCMD_NV_CONTROL_ILLEGAL, 1);
    EQUAL(GPUCMD_NV_CONTROL_GP_CRC, 2);
    EQUAL(GPUCMD_NV_CONTROL_PB_CRC, 3);
    EQUAL(GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE, 4);
    /* [ENVY] DMA_PUSHER errors */
    EQUAL(GPUCMD_NV_PUSHER_ERROR_NONE, 0);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_CALL_SUBR_ACTIVE, 1);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_INVALID_MTHD, 2);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_RET_SUBR_INACTIVE, 3);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_INVALID_CMD, 4);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_IB_EMPTY, 5);
    EQUAL(GPUCMD_NV_PUSHER_ERROR_MEM_FAULT, 6);
    CHECK(strcmp(gpucmd_nv_pusher_error_name(GPUCMD_NV_PUSHER_ERROR_NONE), "NONE") == 0);
    CHECK(strcmp(gpucmd_nv_pusher_error_name(GPUCMD_NV_PUSHER_ERROR_IB_EMPTY), "IB_EMPTY") == 0);
    CHECK(strlen(gpucmd_nv_pusher_error_text(GPUCMD_NV_PUSHER_ERROR_MEM_FAULT)) > 8);
    CHECK(strcmp(gpucmd_nv_pusher_error_name(
                     (gpucmd_nv_pusher_error)(GPUCMD_NV_PUSHER_ERROR_MEM_FAULT + 1)),
                 "?") == 0);
    /* [PBDMA] INTR_0 */
    EQUAL(GPUCMD_NV_PBDMA_INTR_GPFIFO, 0x00002000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_GPPTR, 0x00004000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_GPENTRY, 0x00008000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_GPCRC, 0x00010000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_PBENTRY, 0x00040000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_PBCRC, 0x00080000);
    EQUAL(GPUCMD_NV_PBDMA_INTR_PBSEG, 0x40000000);
    /* [ENVY] [506F] channel control area */
    EQUAL(GPUCMD_NV_AREA_DMA_PUT, 0x40);
    EQUAL(GPUCMD_NV_AREA_DMA_GET, 0x44);
    EQUAL(GPUCMD_NV_AREA_REF, 0x48);
    EQUAL(GPUCMD_NV_AREA_DMA_PUT_HIGH, 0x4c);
    EQUAL(GPUCMD_NV_AREA_DMA_CGET, 0x54);
    EQUAL(GPUCMD_NV_AREA_DMA_MGET, 0x58);
    EQUAL(GPUCMD_NV_AREA_DMA_MGET_HIGH, 0x5c);
    EQUAL(GPUCMD_NV_AREA_DMA_GET_HIGH, 0x60);
    EQUAL(GPUCMD_NV_AREA_IB_GET, 0x88);
    EQUAL(GPUCMD_NV_AREA_IB_PUT, 0x8c);
    /* [USER] */
    EQUAL(GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING, 0x90);
}

int main(void)
{
    fields();
    overlaps();
    old_field_bits();
    hdr_field_bits();
    entry_field_bits();
    forms();
    form_names();
    kinds();
    chip_rows();
    chip_order();
    chip_names();
    host_methods();
    entry_flags();
    cache1_registers();
    numbers();
    return test_report("nv_facts");
}

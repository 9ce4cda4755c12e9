/* nv/oracle_forms.h - the form of a first command word, only from the bit pictures - MIT
 *
 * An oracle for tests. It shares nothing with the library: the pictures below
 * are typed from the pages of the documents, and everything else is derived
 * from their 32 characters by nv_oracle_compile().
 *
 *   nv_oracle_forms_init();                     once, before anything else
 *   form = nv_oracle_form(gate, word);          gate points into nv_oracle_gates
 *   text = nv_oracle_form_names[form];          "INC" ... "INVALID"
 *   n = nv_oracle_field(gate, form, 'C', word); the bits under a letter
 *   n = nv_oracle_census(gate, form);           words of the 2^32 with this form
 *
 * A picture is read from bit 31 on the left to bit 0 on the right:
 *   0 1  fixed bit
 *   X    ignored bit
 *   J    jump or call target, without the two low bits that are always zero
 *   C    count
 *   S    subchannel
 *   M    method as a dword index (byte address / 4)
 *   V    subdevice mask (SLI_COND, SLI_STORE) or immediate data (IMMD)
 *
 * Sources: [SEED0] "The commands - pre-GF100 format" and "GF100 commands", with
 * rows restored that the text extraction lost; [906F] DMA_*; [PBDMA] FORMATS.
 * The sources leave these points open, and this file decides them:
 *   - GF100+ ignores 28:18 and the low bits of the subdevice words.
 *   - GF100+ ignores bit 12 of the new method forms.
 *   - fmt OLD accepts NOP and SET_SUBDEVICE_MASK besides the old method forms.
 * The seed calls the mask of the pre-GF100 SLI conditional M; here it is V, as
 * in NVIDIA's VALUE.
 */
#ifndef NV_ORACLE_FORMS_H
#define NV_ORACLE_FORMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef NV_ORACLE_UNUSED
#if defined(__GNUC__) || defined(__clang__)
#define NV_ORACLE_UNUSED __attribute__((unused))
#else
#define NV_ORACLE_UNUSED
#endif
#endif

enum nv_oracle_form_id {
    NV_ORACLE_INC,
    NV_ORACLE_NON_INC,
    NV_ORACLE_LONG_NON_INC,
    NV_ORACLE_ONE_INC,
    NV_ORACLE_IMMD,
    NV_ORACLE_JUMP_OLD,
    NV_ORACLE_JUMP,
    NV_ORACLE_CALL,
    NV_ORACLE_RETURN,
    NV_ORACLE_SLI_COND,
    NV_ORACLE_SLI_STORE,
    NV_ORACLE_SLI_USE,
    NV_ORACLE_NOP,
    NV_ORACLE_END_SEGMENT,
    NV_ORACLE_OLD_INC,
    NV_ORACLE_OLD_NON_INC,
    NV_ORACLE_INVALID,
    NV_ORACLE_FORM_COUNT,
};

static const char *const nv_oracle_form_names[NV_ORACLE_FORM_COUNT] NV_ORACLE_UNUSED = {
    "INC",  "NON_INC",     "LONG_NON_INC", "ONE_INC",     "IMMD",      "JUMP_OLD",
    "JUMP", "CALL",        "RETURN",       "SLI_COND",    "SLI_STORE", "SLI_USE",
    "NOP",  "END_SEGMENT", "OLD_INC",      "OLD_NON_INC", "INVALID",
};

/* Ranges of chips with equal sets of forms, in chip order. */
enum nv_oracle_chip_class {
    NV_ORACLE_NV4,   /* NV4:NV10 */
    NV_ORACLE_NV10,  /* NV10:NV1A */
    NV_ORACLE_NV1A,  /* NV1A:NV40 */
    NV_ORACLE_NV40,  /* NV40:G80 */
    NV_ORACLE_G80,   /* G80:GF100 */
    NV_ORACLE_GF100, /* GF100+ */
};

/* The format a GF100+ PBDMA accepts. OLD and BOTH exist on GF100:GV100 only. */
enum nv_oracle_fmt {
    NV_ORACLE_FMT_NONE, /* before GF100 */
    NV_ORACLE_FMT_NEW,
    NV_ORACLE_FMT_OLD,
    NV_ORACLE_FMT_BOTH,
};

struct nv_oracle_gate {
    const char *name;
    enum nv_oracle_chip_class chip;
    enum nv_oracle_fmt fmt;
    int ib;         /* 1: IB mode, 0: NV4-style mode; GF100+ has only IB mode and uses 0 */
    int sli_enable; /* GF100+ uses 0, because its forms do not depend on it */
};

#define NV_ORACLE_GATE_COUNT 12

/* All valid combinations. */
static const struct nv_oracle_gate nv_oracle_gates[NV_ORACLE_GATE_COUNT] NV_ORACLE_UNUSED = {
    {"NV4",               NV_ORACLE_NV4,   NV_ORACLE_FMT_NONE, 0, 0},
    {"NV10",              NV_ORACLE_NV10,  NV_ORACLE_FMT_NONE, 0, 0},
    {"NV1A",              NV_ORACLE_NV1A,  NV_ORACLE_FMT_NONE, 0, 0},
    {"NV40",              NV_ORACLE_NV40,  NV_ORACLE_FMT_NONE, 0, 0},
    {"NV40 sli",          NV_ORACLE_NV40,  NV_ORACLE_FMT_NONE, 0, 1},
    {"G80 nv4-style",     NV_ORACLE_G80,   NV_ORACLE_FMT_NONE, 0, 0},
    {"G80 nv4-style sli", NV_ORACLE_G80,   NV_ORACLE_FMT_NONE, 0, 1},
    {"G80 ib",            NV_ORACLE_G80,   NV_ORACLE_FMT_NONE, 1, 0},
    {"G80 ib sli",        NV_ORACLE_G80,   NV_ORACLE_FMT_NONE, 1, 1},
    {"GF100 new",         NV_ORACLE_GF100, NV_ORACLE_FMT_NEW,  0, 0},
    {"GF100 old",         NV_ORACLE_GF100, NV_ORACLE_FMT_OLD,  0, 0},
    {"GF100 both",        NV_ORACLE_GF100, NV_ORACLE_FMT_BOTH, 0, 0},
};

enum nv_oracle_mode {
    NV_ORACLE_ANY,
    NV_ORACLE_DMA, /* NV4-style mode only */
    NV_ORACLE_IB,  /* IB mode only */
    NV_ORACLE_SLI, /* either mode, if sli_enable */
};

struct nv_oracle_row {
    enum nv_oracle_form_id form;
    const char *picture;
    enum nv_oracle_chip_class since; /* up to GF100, not included */
    enum nv_oracle_mode mode;
};

#define NV_ORACLE_PRE_ROWS 8

/* Pre-GF100 format. */
static const struct nv_oracle_row nv_oracle_pre_rows[NV_ORACLE_PRE_ROWS] = {
    {NV_ORACLE_JUMP_OLD,     "001JJJJJJJJJJJJJJJJJJJJJJJJJJJ00", NV_ORACLE_NV4,  NV_ORACLE_DMA},
    {NV_ORACLE_JUMP,         "JJJJJJJJJJJJJJJJJJJJJJJJJJJJJJ01", NV_ORACLE_NV1A, NV_ORACLE_DMA},
    {NV_ORACLE_CALL,         "JJJJJJJJJJJJJJJJJJJJJJJJJJJJJJ10", NV_ORACLE_NV1A, NV_ORACLE_DMA},
    {NV_ORACLE_RETURN,       "00000000000000100000000000000000", NV_ORACLE_NV1A, NV_ORACLE_DMA},
    {NV_ORACLE_INC,          "000CCCCCCCCCCC00SSSMMMMMMMMMMM00", NV_ORACLE_NV4,  NV_ORACLE_ANY},
    {NV_ORACLE_NON_INC,      "010CCCCCCCCCCC00SSSMMMMMMMMMMM00", NV_ORACLE_NV10, NV_ORACLE_ANY},
    {NV_ORACLE_LONG_NON_INC, "0000000000000011SSSMMMMMMMMMMM00", NV_ORACLE_G80,  NV_ORACLE_IB },
    {NV_ORACLE_SLI_COND,     "0000000000000001VVVVVVVVVVVVXX00", NV_ORACLE_NV40, NV_ORACLE_SLI},
};

struct nv_oracle_new_row {
    enum nv_oracle_form_id form;
    const char *picture;
    int fmt_new; /* accepted with fmt NEW */
    int fmt_old; /* accepted with fmt OLD; BOTH accepts what either accepts */
};

#define NV_ORACLE_NEW_ROWS 11

/* GF100+ format. NOP is the first row, because it is compared first: OLD_INC
 * also matches its one word. */
static const struct nv_oracle_new_row nv_oracle_new_rows[NV_ORACLE_NEW_ROWS] = {
    {NV_ORACLE_NOP,         "00000000000000000000000000000000", 1, 1},
    {NV_ORACLE_OLD_INC,     "000CCCCCCCCCCC00SSSMMMMMMMMMMMXX", 0, 1},
    {NV_ORACLE_SLI_COND,    "000XXXXXXXXXXX01VVVVVVVVVVVVXXXX", 1, 1},
    {NV_ORACLE_SLI_STORE,   "000XXXXXXXXXXX10VVVVVVVVVVVVXXXX", 1, 0},
    {NV_ORACLE_SLI_USE,     "000XXXXXXXXXXX11XXXXXXXXXXXXXXXX", 1, 0},
    {NV_ORACLE_INC,         "001CCCCCCCCCCCCCSSSXMMMMMMMMMMMM", 1, 0},
    {NV_ORACLE_OLD_NON_INC, "010CCCCCCCCCCC00SSSMMMMMMMMMMMXX", 0, 1},
    {NV_ORACLE_NON_INC,     "011CCCCCCCCCCCCCSSSXMMMMMMMMMMMM", 1, 0},
    {NV_ORACLE_IMMD,        "100VVVVVVVVVVVVVSSSXMMMMMMMMMMMM", 1, 0},
    {NV_ORACLE_ONE_INC,     "101CCCCCCCCCCCCCSSSXMMMMMMMMMMMM", 1, 0},
    {NV_ORACLE_END_SEGMENT, "111XXXXXXXXXXXXXXXXXXXXXXXXXXXXX", 1, 0},
};

#define NV_ORACLE_MAX_ROWS 11

/* The rows that one gate accepts. A word matches if (word & mask) == value. */
struct nv_oracle_compiled {
    unsigned row_count;
    enum nv_oracle_form_id form[NV_ORACLE_MAX_ROWS];
    const char *picture[NV_ORACLE_MAX_ROWS];
    uint32_t mask[NV_ORACLE_MAX_ROWS];
    uint32_t value[NV_ORACLE_MAX_ROWS];
};

static struct nv_oracle_compiled nv_oracle_table[NV_ORACLE_GATE_COUNT];

static void nv_oracle_compile(const char *picture, uint32_t *mask, uint32_t *value)
{
    int i;
    *mask = 0;
    *value = 0;
    for (i = 0; i < 32; i++) {
        uint32_t bit = (uint32_t)1 << (31 - i);
        if (picture[i] == '0' || picture[i] == '1') {
            *mask |= bit;
        }
        if (picture[i] == '1') {
            *value |= bit;
        }
    }
}

/* Return 1 if this gate accepts the row. */
static int nv_oracle_pre_allows(const struct nv_oracle_gate *gate, const struct nv_oracle_row *row)
{
    if (gate->chip == NV_ORACLE_GF100 || gate->chip < row->since) {
        return 0;
    }
    if (row->mode == NV_ORACLE_DMA) {
        return !gate->ib;
    }
    if (row->mode == NV_ORACLE_IB) {
        return gate->ib;
    }
    if (row->mode == NV_ORACLE_SLI) {
        return gate->sli_enable;
    }
    return 1;
}

static int nv_oracle_new_allows(const struct nv_oracle_gate *gate,
                                const struct nv_oracle_new_row *row)
{
    if (gate->chip != NV_ORACLE_GF100) {
        return 0;
    }
    if (gate->fmt == NV_ORACLE_FMT_NEW) {
        return row->fmt_new;
    }
    if (gate->fmt == NV_ORACLE_FMT_OLD) {
        return row->fmt_old;
    }
    return row->fmt_new || row->fmt_old;
}

static void nv_oracle_add(struct nv_oracle_compiled *to, enum nv_oracle_form_id form,
                          const char *picture)
{
    to->form[to->row_count] = form;
    to->picture[to->row_count] = picture;
    nv_oracle_compile(picture, &to->mask[to->row_count], &to->value[to->row_count]);
    to->row_count++;
}

NV_ORACLE_UNUSED static void nv_oracle_forms_init(void)
{
    int g;
    int r;
    memset(nv_oracle_table, 0, sizeof nv_oracle_table);
    for (g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        for (r = 0; r < NV_ORACLE_PRE_ROWS; r++) {
            if (nv_oracle_pre_allows(&nv_oracle_gates[g], &nv_oracle_pre_rows[r])) {
                nv_oracle_add(&nv_oracle_table[g], nv_oracle_pre_rows[r].form,
                              nv_oracle_pre_rows[r].picture);
            }
        }
        for (r = 0; r < NV_ORACLE_NEW_ROWS; r++) {
            if (nv_oracle_new_allows(&nv_oracle_gates[g], &nv_oracle_new_rows[r])) {
                nv_oracle_add(&nv_oracle_table[g], nv_oracle_new_rows[r].form,
                              nv_oracle_new_rows[r].picture);
            }
        }
    }
}

/* Return the compiled rows of a gate, which must be an element of nv_oracle_gates. */
static const struct nv_oracle_compiled *nv_oracle_rows(const struct nv_oracle_gate *gate)
{
    return &nv_oracle_table[gate - nv_oracle_gates];
}

/* Return the form of the first row that matches, or INVALID. */
NV_ORACLE_UNUSED static enum nv_oracle_form_id nv_oracle_form(const struct nv_oracle_gate *gate,
                                                              uint32_t word)
{
    const struct nv_oracle_compiled *rows = nv_oracle_rows(gate);
    unsigned r;
    for (r = 0; r < rows->row_count; r++) {
        if ((word & rows->mask[r]) == rows->value[r]) {
            return rows->form[r];
        }
    }
    return NV_ORACLE_INVALID;
}

/* Return the 32 characters of a form; NULL: the gate does not accept the form. */
NV_ORACLE_UNUSED static const char *nv_oracle_picture(const struct nv_oracle_gate *gate,
                                                      enum nv_oracle_form_id form)
{
    const struct nv_oracle_compiled *rows = nv_oracle_rows(gate);
    unsigned r;
    for (r = 0; r < rows->row_count; r++) {
        if (rows->form[r] == form) {
            return rows->picture[r];
        }
    }
    return NULL;
}

/* Return the bits of word at the positions of letter, as one number; 0: the picture
 * lacks the letter. */
NV_ORACLE_UNUSED static uint32_t nv_oracle_gather(const char *picture, char letter, uint32_t word)
{
    uint32_t gathered = 0;
    int i;
    for (i = 0; i < 32; i++) {
        if (picture[i] == letter) {
            gathered = (gathered << 1) | ((word >> (31 - i)) & 1);
        }
    }
    return gathered;
}

/* Return the number of bits with this letter. */
NV_ORACLE_UNUSED static int nv_oracle_letter_bits(const char *picture, char letter)
{
    int bits = 0;
    int i;
    for (i = 0; i < 32; i++) {
        bits += picture[i] == letter;
    }
    return bits;
}

/* Return a raw field. nv_oracle_mthd_bytes and nv_oracle_target return addresses. */
NV_ORACLE_UNUSED static uint32_t nv_oracle_field(const struct nv_oracle_gate *gate,
                                                 enum nv_oracle_form_id form, char letter,
                                                 uint32_t word)
{
    const char *picture = nv_oracle_picture(gate, form);
    return picture != NULL ? nv_oracle_gather(picture, letter, word) : 0;
}

NV_ORACLE_UNUSED static uint32_t nv_oracle_mthd_bytes(const struct nv_oracle_gate *gate,
                                                      enum nv_oracle_form_id form, uint32_t word)
{
    return nv_oracle_field(gate, form, 'M', word) * 4;
}

NV_ORACLE_UNUSED static uint32_t nv_oracle_target(const struct nv_oracle_gate *gate,
                                                  enum nv_oracle_form_id form, uint32_t word)
{
    return nv_oracle_field(gate, form, 'J', word) * 4;
}

/* Return the number of words that match two pairs of mask and value. */
static uint64_t nv_oracle_overlap(uint32_t mask_a, uint32_t value_a, uint32_t mask_b,
                                  uint32_t value_b)
{
    uint32_t fixed = mask_a | mask_b;
    uint64_t words = 1;
    int bit;
    if ((value_a & mask_b) != (value_b & mask_a)) {
        return 0;
    }
    for (bit = 0; bit < 32; bit++) {
        if (((fixed >> bit) & 1) == 0) {
            words *= 2;
        }
    }
    return words;
}

/* Return 1 if no word matches two rows of the gate, except word 0 (NOP and OLD_INC). */
NV_ORACLE_UNUSED static int nv_oracle_disjoint(const struct nv_oracle_gate *gate)
{
    const struct nv_oracle_compiled *rows = nv_oracle_rows(gate);
    unsigned a;
    unsigned b;
    for (a = 0; a < rows->row_count; a++) {
        for (b = a + 1; b < rows->row_count; b++) {
            uint64_t both =
                nv_oracle_overlap(rows->mask[a], rows->value[a], rows->mask[b], rows->value[b]);
            int nop = rows->form[a] == NV_ORACLE_NOP && rows->form[b] == NV_ORACLE_OLD_INC;
            if (both != (nop ? 1u : 0u)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Return how many of the 2^32 words have this form: 2^n for n free bits of the
 * picture, minus the words of earlier rows. INVALID is all other words. */
NV_ORACLE_UNUSED static uint64_t nv_oracle_census(const struct nv_oracle_gate *gate,
                                                  enum nv_oracle_form_id form)
{
    const struct nv_oracle_compiled *rows = nv_oracle_rows(gate);
    uint64_t words[NV_ORACLE_FORM_COUNT] = {0};
    uint64_t rest = (uint64_t)1 << 32;
    unsigned r;
    unsigned e;
    for (r = 0; r < rows->row_count; r++) {
        uint64_t own = nv_oracle_overlap(rows->mask[r], rows->value[r], 0, 0);
        for (e = 0; e < r; e++) {
            own -= nv_oracle_overlap(rows->mask[r], rows->value[r], rows->mask[e], rows->value[e]);
        }
        words[rows->form[r]] = own;
        rest -= own;
    }
    words[NV_ORACLE_INVALID] = rest;
    return words[form];
}

#endif /* NV_ORACLE_FORMS_H */

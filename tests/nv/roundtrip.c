/* nv/roundtrip.c - every value of every field through encode and decode, for command words and for
 * both layouts of IB entries. */
#include "gpucmd_nv.h"
#include "test.h"

static uint32_t words[8192]; /* header, then zeros */
static gpucmd_nv_gate gate;
static gpucmd_nv_cmd cmd;

static void open_gate(gpucmd_nv_chip chip, bool ib_enable, bool sli_enable, gpucmd_nv_fmt fmt)
{
    EQUAL(gpucmd_nv_gate_init(&gate, chip, ib_enable, sli_enable, fmt), GPUCMD_OK);
}

/* ---- runs ----------------------------------------------------------------------------------- */

typedef gpucmd_status encoder(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw);

static gpucmd_status encode_inc(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_nv_encode_inc(dw, subc, mthd, count_dw);
}

static gpucmd_status encode_non_inc(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_nv_encode_non_inc(dw, subc, mthd, count_dw);
}

static gpucmd_status encode_one_inc(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_nv_encode_one_inc(dw, subc, mthd, count_dw);
}

static gpucmd_status encode_immd(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t data)
{
    return gpucmd_nv_encode_immd(dw, subc, mthd, data);
}

static gpucmd_status encode_old_inc(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_nv_encode_old_inc(dw, subc, mthd, count_dw);
}

static gpucmd_status encode_old_non_inc(uint32_t *dw, uint32_t subc, uint32_t mthd,
                                        uint32_t count_dw)
{
    return gpucmd_nv_encode_old_non_inc(dw, subc, mthd, count_dw);
}

static gpucmd_status encode_long(uint32_t *dw, uint32_t subc, uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_nv_encode_long_non_inc(dw, subc, mthd, count_dw);
}

typedef struct run {
    encoder *encode;
    gpucmd_nv_form form;
    gpucmd_nv_kind kind;
    uint32_t mthd_max;  /* bytes */
    uint32_t value_max; /* of count or data */
    uint32_t reach_dw;  /* methods used: 0 any, 1 as many as words, 2 two if there are two words */
} run;

/* Encode and decode one header; value is the count, or the data of IMMD. */
static void through(const run *r, uint32_t subc, uint32_t mthd, uint32_t value)
{
    const bool immd = r->form == GPUCMD_NV_FORM_IMMD;
    const uint32_t count_dw = immd ? 0 : value;
    const uint32_t head_dw = r->form == GPUCMD_NV_FORM_LONG_NON_INC ? 2 : 1;
    const bool here = count_dw + head_dw <= sizeof words / sizeof words[0];
    const size_t avail_dw = here ? count_dw + head_dw : head_dw;
    gpucmd_status status;
    words[1] = 0;
    if (!EQUAL(r->encode(words, subc, mthd, value), GPUCMD_OK)) {
        printf("    subc %u, mthd 0x%x, value 0x%x\n", (unsigned)subc, (unsigned)mthd,
               (unsigned)value);
        return;
    }
    memset(&cmd, 0x5a, sizeof cmd);
    status = gpucmd_nv_decode(words, avail_dw, &gate, &cmd);
    const bool same = status == (here ? GPUCMD_OK : GPUCMD_TRUNCATED) && cmd.form == r->form &&
                      cmd.kind == r->kind && cmd.dw == words[0] && cmd.subc == subc &&
                      cmd.mthd == mthd && cmd.count_dw == count_dw &&
                      cmd.value == (immd ? value : 0) && cmd.stray == 0 && !cmd.resumed &&
                      cmd.head_dw == head_dw && cmd.len_dw == avail_dw &&
                      cmd.data == words + head_dw;
    if (!CHECK(same)) {
        printf("    word 0x%08x, subc %u, mthd 0x%x, value 0x%x\n", (unsigned)words[0],
               (unsigned)subc, (unsigned)mthd, (unsigned)value);
    }
}

/* Return the largest count of a run that begins at a method. */
static uint32_t most(const run *r, uint32_t mthd)
{
    const uint32_t behind_dw = (r->mthd_max - mthd) / 4 + 1;
    if (r->reach_dw == 1 && behind_dw < r->value_max) {
        return behind_dw;
    }
    return r->reach_dw == 2 && behind_dw < 2 ? 1 : r->value_max;
}

static void runs(const run *r)
{
    static const uint32_t some_mthd[] = {0, 0x4, 0x100, 0x15a8, 0x1ffc, 0x2000, 0x2ac4, 0x3ffc};
    const uint32_t values = r->value_max < 0x2000 ? r->value_max : 0x1fff;
    for (uint32_t i = 0; i < sizeof some_mthd / sizeof some_mthd[0]; i++) {
        if (some_mthd[i] > r->mthd_max) {
            continue;
        }
        for (uint32_t value = 0; value <= values && value <= most(r, some_mthd[i]); value++) {
            through(r, (i * 3 + value) & 7, some_mthd[i], value); /* every count or data */
        }
    }
    for (uint32_t mthd = 0; mthd <= r->mthd_max; mthd += 4) { /* every method and subchannel */
        for (uint32_t subc = 0; subc < 8; subc++) {
            through(r, subc, mthd, 0);
            through(r, subc, mthd, 1);
            through(r, subc, mthd, most(r, mthd));
        }
    }
    for (uint32_t bit = 1; bit <= r->value_max; bit <<= 1) { /* every bit of a longer count */
        through(r, 5, 0, bit <= most(r, 0) ? bit : 0);
        through(r, 5, 0, bit - 1);
        through(r, 2, 0, most(r, 0) - (bit <= most(r, 0) ? bit : 0));
    }
}

#define FORM(name) GPUCMD_NV_FORM_##name
#define KIND(name) GPUCMD_NV_KIND_##name

static void new_runs(void)
{
    static const run rows[] = {
        {encode_inc,     FORM(INC),     KIND(INC),     0x3ffc, 0x1000, 1},
        {encode_non_inc, FORM(NON_INC), KIND(NON_INC), 0x3ffc, 0x1fff, 0},
        {encode_one_inc, FORM(ONE_INC), KIND(ONE_INC), 0x3ffc, 0x1fff, 2},
        {encode_immd,    FORM(IMMD),    KIND(IMMD),    0x3ffc, 0x1fff, 0},
    };
    open_gate(GPUCMD_NV_CHIP_GA102, true, false, GPUCMD_NV_FMT_NEW);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        runs(&rows[i]);
    }
}

static void old_runs(void)
{
    static const run rows[] = {
        {encode_old_inc,     FORM(INC),          KIND(INC),     0x1ffc, 2047,     1},
        {encode_old_non_inc, FORM(NON_INC),      KIND(NON_INC), 0x1ffc, 2047,     0},
        {encode_long,        FORM(LONG_NON_INC), KIND(NON_INC), 0x1ffc, 0xffffff, 0},
    };
    open_gate(GPUCMD_NV_CHIP_G80, true, false, GPUCMD_NV_FMT_NEW);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        runs(&rows[i]);
    }
    open_gate(GPUCMD_NV_CHIP_NV10, false, false, GPUCMD_NV_FMT_NEW);
    runs(&rows[0]);
    runs(&rows[1]);
}

/* Old words where FORMATS admits them. INC of count 0, subchannel 0, method 0 is the NOP there. */
static void old_runs_on_fermi(void)
{
    static const run rows[] = {
        {encode_old_inc,     FORM(OLD_INC),     KIND(INC),     0x1ffc, 2047, 1},
        {encode_old_non_inc, FORM(OLD_NON_INC), KIND(NON_INC), 0x1ffc, 2047, 0},
    };
    static const gpucmd_nv_fmt fmts[] = {GPUCMD_NV_FMT_OLD, GPUCMD_NV_FMT_BOTH};
    for (size_t k = 0; k < 2; k++) {
        open_gate(k == 0 ? GPUCMD_NV_CHIP_GF100 : GPUCMD_NV_CHIP_GP10B, true, false, fmts[k]);
        for (size_t i = 0; i < 2; i++) {
            for (uint32_t mthd = i == 0 ? 4 : 0; mthd <= 0x1ffc; mthd += 4) {
                through(&rows[i], mthd / 4 & 7, mthd, 0);
                through(&rows[i], mthd / 16 & 7, mthd, most(&rows[i], mthd));
            }
            for (uint32_t count_dw = 1; count_dw <= 2047; count_dw++) {
                through(&rows[i], count_dw & 7, 0, count_dw);
            }
        }
        words[0] = GPUCMD_NV_OLD_INC(0, 0, 0);
        EQUAL(gpucmd_nv_decode(words, 1, &gate, &cmd), GPUCMD_OK);
        EQUAL(cmd.form, GPUCMD_NV_FORM_NOP);
    }
}

/* ---- commands of one word ------------------------------------------------------------------- */

/* Decode words[0] and expect a command of this form and value. */
static void single(gpucmd_nv_form form, uint64_t value)
{
    memset(&cmd, 0x5a, sizeof cmd);
    const gpucmd_status status = gpucmd_nv_decode(words, 1, &gate, &cmd);
    if (!CHECK(status == GPUCMD_OK && cmd.form == form && cmd.value == value && cmd.stray == 0 &&
               cmd.count_dw == 0 && cmd.head_dw == 1 && cmd.len_dw == 1 && cmd.dw == words[0])) {
        printf("    word 0x%08x, value 0x%llx\n", (unsigned)words[0], (unsigned long long)value);
    }
}

static void masks(void)
{
    for (int pass = 0; pass < 2; pass++) {
        open_gate(pass == 0 ? GPUCMD_NV_CHIP_NV40 : GPUCMD_NV_CHIP_GF100, false, pass == 0,
                  GPUCMD_NV_FMT_NEW);
        for (uint32_t mask = 0; mask <= 0xfff; mask++) {
            EQUAL(gpucmd_nv_encode_sli_cond(words, mask), GPUCMD_OK);
            single(GPUCMD_NV_FORM_SLI_COND, mask);
            if (pass == 1) {
                EQUAL(gpucmd_nv_encode_sli_store(words, mask), GPUCMD_OK);
                single(GPUCMD_NV_FORM_SLI_STORE, mask);
            }
        }
    }
    EQUAL(gpucmd_nv_encode_sli_use(words), GPUCMD_OK);
    single(GPUCMD_NV_FORM_SLI_USE, 0);
    EQUAL(gpucmd_nv_encode_end_segment(words), GPUCMD_OK);
    single(GPUCMD_NV_FORM_END_SEGMENT, 0);
    EQUAL(gpucmd_nv_encode_nop(words), GPUCMD_OK);
    single(GPUCMD_NV_FORM_NOP, 0);
}

static void target(uint64_t va)
{
    if (va < 0x20000000) {
        EQUAL(gpucmd_nv_encode_jump_old(words, va), GPUCMD_OK);
        single(GPUCMD_NV_FORM_JUMP_OLD, va);
    }
    EQUAL(gpucmd_nv_encode_jump(words, va), GPUCMD_OK);
    single(GPUCMD_NV_FORM_JUMP, va);
    EQUAL(gpucmd_nv_encode_call(words, va), GPUCMD_OK);
    single(GPUCMD_NV_FORM_CALL, va);
}

static void targets(void)
{
    open_gate(GPUCMD_NV_CHIP_NV1A, false, false, GPUCMD_NV_FMT_NEW);
    target(0);
    for (int a = 2; a < 32; a++) { /* every bit, pair of bits, and all bits but one */
        for (int b = 2; b < 32; b++) {
            target((uint64_t)1 << a | (uint64_t)1 << b);
        }
        target(0xfffffffc & ~((uint64_t)1 << a));
        target(0x1ffffffc & ~((uint64_t)1 << a));
    }
    for (uint64_t va = 0; va < 0x100000000ull; va += 0x1fffe4) {
        target(va);
    }
    for (uint64_t va = 0; va < 0x10000; va += 4) {
        target(va);
    }
    EQUAL(gpucmd_nv_encode_return(words), GPUCMD_OK);
    single(GPUCMD_NV_FORM_RETURN, 0);
}

/* ---- IB entries ----------------------------------------------------------------------------- */

static uint32_t entry_dw[2];
static gpucmd_nv_entry entry;

static void segment(gpucmd_nv_chip chip, uint64_t va, uint32_t len_dw, uint32_t flags)
{
    memset(&entry, 0x5a, sizeof entry);
    EQUAL(gpucmd_nv_encode_entry(entry_dw, chip, va, len_dw, flags), GPUCMD_OK);
    EQUAL(gpucmd_nv_decode_entry(entry_dw, chip, &entry), GPUCMD_OK);
    if (!CHECK(entry.va == (va & 0xffffffffffull) && entry.len_dw == len_dw &&
               entry.flags == flags && !entry.is_control && entry.stray[0] == 0 &&
               entry.stray[1] == 0)) {
        printf("    %s: va 0x%llx, len_dw 0x%x, flags 0x%x\n", gpucmd_nv_chip_name(chip),
               (unsigned long long)va, (unsigned)len_dw, (unsigned)flags);
    }
}

static void segments(gpucmd_nv_chip chip, uint32_t max_dw)
{
    for (uint32_t len_dw = 1; len_dw <= max_dw; len_dw += len_dw < 0x1000 ? 1 : 0xfff) {
        segment(chip, 0x1000, len_dw, 0);
    }
    for (uint32_t bit = 1; bit <= max_dw; bit <<= 1) {
        segment(chip, 0x123456789cull, bit, GPUCMD_NV_ENTRY_SUBROUTINE);
        segment(chip, 0, max_dw ^ (bit == max_dw ? 0 : bit), GPUCMD_NV_ENTRY_SUBROUTINE);
    }
    segment(chip, 0, max_dw, 0);
    for (int a = 2; a < 40; a++) {
        for (int b = 2; b < 40; b++) {
            segment(chip, (uint64_t)1 << a | (uint64_t)1 << b, 1, 0);
        }
        segment(chip, 0xfffffffff8ull & ~((uint64_t)1 << a), 1, 0);
    }
}

/* Each flag of a chip is accepted; others are rejected, and their bit is reserved or part of
 * another field. [506F] [906F] [A06F] [C46F] */
static void flags_per_chip(void)
{
    for (int i = 0; i < GPUCMD_NV_CHIP_COUNT; i++) {
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)i;
        const bool gf100 = i >= GPUCMD_NV_CHIP_GF100;
        uint32_t has = GPUCMD_NV_ENTRY_SUBROUTINE;
        has |= !gf100 ? (uint32_t)GPUCMD_NV_ENTRY_DISABLE : 0;
        has |= i < GPUCMD_NV_CHIP_GK104 ? (uint32_t)GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH : 0;
        has |= i < GPUCMD_NV_CHIP_TU102 ? (uint32_t)GPUCMD_NV_ENTRY_PRIV : 0;
        has |= gf100 ? (uint32_t)GPUCMD_NV_ENTRY_FETCH_CONDITIONAL : 0;
        has |= gf100 ? (uint32_t)GPUCMD_NV_ENTRY_SYNC_WAIT : 0;
        for (uint32_t flags = 0; flags < 64; flags++) {
            if (i < GPUCMD_NV_CHIP_G80 || (flags & ~has) != 0) {
                EQUAL(gpucmd_nv_encode_entry(entry_dw, chip, 0x1000, 1, flags), GPUCMD_UNSUPPORTED);
            } else {
                segment(chip, 0x1000, 1, flags);
            }
        }
        /* a segment with all bits set, except those of its address and length */
        const uint32_t all[2] = {0x1003, gf100 ? 0x80000700 : 0x00000700};
        if (i < GPUCMD_NV_CHIP_G80) {
            EQUAL(gpucmd_nv_decode_entry(all, chip, &entry), GPUCMD_UNSUPPORTED);
            continue;
        }
        EQUAL(gpucmd_nv_decode_entry(all, chip, &entry), GPUCMD_OK);
        EQUAL(entry.flags, has);
        EQUAL(entry.va, 0x1000);
        EQUAL(entry.len_dw, 1);
        EQUAL(entry.stray[0], i < GPUCMD_NV_CHIP_GK104 ? 0 : 2);
        EQUAL(entry.stray[1], i < GPUCMD_NV_CHIP_TU102 ? 0 : 0x100);
    }
}

static void controls(void)
{
    for (int op = 0; op < 5; op++) {
        for (int bit = 0; bit < 33; bit++) {
            const uint32_t operand = bit < 32 ? (uint32_t)1 << bit : 0xffffffff;
            for (uint32_t flags = 0; flags <= GPUCMD_NV_ENTRY_SYNC_WAIT;
                 flags += GPUCMD_NV_ENTRY_SYNC_WAIT) {
                memset(&entry, 0x5a, sizeof entry);
                EQUAL(gpucmd_nv_encode_control(entry_dw, GPUCMD_NV_CHIP_GH100,
                                               (gpucmd_nv_control)op, operand, flags),
                      GPUCMD_OK);
                EQUAL(gpucmd_nv_decode_entry(entry_dw, GPUCMD_NV_CHIP_GH100, &entry), GPUCMD_OK);
                CHECK(entry.is_control && entry.opcode == (uint32_t)op &&
                      entry.operand == operand && entry.flags == flags && entry.len_dw == 0 &&
                      entry.stray[0] == 0 && entry.stray[1] == 0);
            }
        }
    }
    /* unknown opcodes are decoded unchanged, other bits are reserved */
    entry_dw[0] = 0xffffffff;
    entry_dw[1] = 0x800003ff;
    EQUAL(gpucmd_nv_decode_entry(entry_dw, GPUCMD_NV_CHIP_GF100, &entry), GPUCMD_OK);
    CHECK(entry.is_control && entry.opcode == 0xff && entry.operand == 0xffffffff);
    EQUAL(entry.flags, GPUCMD_NV_ENTRY_SYNC_WAIT);
    EQUAL(entry.stray[0], 0);
    EQUAL(entry.stray[1], 0x300);
    /* before GF100 this word is a segment of 0x200000 words, and length 0 is not a control entry */
    EQUAL(gpucmd_nv_decode_entry(entry_dw, GPUCMD_NV_CHIP_G80, &entry), GPUCMD_OK);
    CHECK(!entry.is_control);
    EQUAL(entry.len_dw, 0x200000);
    EQUAL(entry.va, 0xfffffffffcull);
    entry_dw[1] = 0;
    EQUAL(gpucmd_nv_decode_entry(entry_dw, GPUCMD_NV_CHIP_G80, &entry), GPUCMD_OK);
    CHECK(!entry.is_control && entry.len_dw == 0);
}

/* Every bit of both words of an entry belongs to a field or is reserved. */
static void entry_bits(void)
{
    static const gpucmd_nv_chip chips[] = {GPUCMD_NV_CHIP_G80, GPUCMD_NV_CHIP_GF100,
                                           GPUCMD_NV_CHIP_GK104, GPUCMD_NV_CHIP_TU102,
                                           GPUCMD_NV_CHIP_GH100};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        for (int bit = 0; bit < 64; bit++) {
            gpucmd_nv_entry base;
            entry_dw[0] = 0x2000;
            entry_dw[1] = 3u << 10;
            EQUAL(gpucmd_nv_decode_entry(entry_dw, chips[i], &base), GPUCMD_OK);
            entry_dw[bit / 32] ^= (uint32_t)1 << bit % 32;
            EQUAL(gpucmd_nv_decode_entry(entry_dw, chips[i], &entry), GPUCMD_OK);
            CHECK((entry.va != base.va) + (entry.len_dw != base.len_dw) +
                      (entry.flags != base.flags) + (entry.stray[0] != 0) + (entry.stray[1] != 0) ==
                  1);
        }
    }
}

int main(void)
{
    new_runs();
    old_runs();
    old_runs_on_fermi();
    masks();
    targets();
    segments(GPUCMD_NV_CHIP_G80, 0x3fffff);
    segments(GPUCMD_NV_CHIP_GF100, 0x1fffff);
    segments(GPUCMD_NV_CHIP_GB202, 0x1fffff);
    flags_per_chip();
    controls();
    entry_bits();
    return test_report("nv_roundtrip");
}

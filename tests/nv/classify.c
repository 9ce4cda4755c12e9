/* nv/classify.c - classify and decode, compared with the bit pictures: every value of the upper 16
 * bits, with structured and random lower bits, for all 12 gates. */
#include "gpucmd_nv.h"

#include "test.h"
#include "nv/gates.h"

static unsigned form_of[GATES_FORMS];
static uint32_t seed = 0x12345678;

static uint32_t rand16(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 16;
}

/* Return whether decode gives a word the fields that the oracle gives it. */
static bool same_fields(const struct nv_oracle_gate *gate, const gpucmd_nv_gate *lib, uint32_t word)
{
    const enum nv_oracle_form_id form = nv_oracle_form(gate, word);
    const char *picture = nv_oracle_picture(gate, form);
    const uint32_t buf[2] = {word, 0};
    gpucmd_nv_cmd cmd;
    const gpucmd_status status = gpucmd_nv_decode(buf, 2, lib, &cmd);
    const uint32_t count = nv_oracle_field(gate, form, 'C', word);
    uint32_t ignored = 0;
    gpucmd_nv_cmd head;
    const gpucmd_status alone = gpucmd_nv_decode_header(word, lib, &head);
    if (alone != (form == NV_ORACLE_INVALID ? GPUCMD_INVALID : GPUCMD_OK) || head.len_dw != 1 ||
        head.data != NULL || head.head_dw != 1 || head.resumed || head.dw != word ||
        head.form != cmd.form || head.subc != cmd.subc || head.mthd != cmd.mthd ||
        head.value != cmd.value ||
        (form != NV_ORACLE_LONG_NON_INC &&
         (head.count_dw != count || head.stray != cmd.stray || head.kind != cmd.kind))) {
        return false;
    }
    if (form == NV_ORACLE_INVALID) {
        return status == GPUCMD_INVALID && cmd.len_dw == 1 && cmd.dw == word;
    }
    for (int i = 0; i < 32; i++) {
        ignored |= picture[i] == 'X' ? (uint32_t)1 << (31 - i) : 0;
    }
    if (status != (count > 1 ? GPUCMD_TRUNCATED : GPUCMD_OK) || cmd.count_dw != count ||
        cmd.dw != word || cmd.resumed || cmd.stray != (word & ignored) ||
        cmd.head_dw != (form == NV_ORACLE_LONG_NON_INC ? 2 : 1) ||
        cmd.len_dw != cmd.head_dw + (count > 1 ? 1 : count) || cmd.data != buf + cmd.head_dw) {
        return false;
    }
    if (gpucmd_nv_form_is_run(cmd.form) != (nv_oracle_letter_bits(picture, 'M') != 0)) {
        return false;
    }
    if (gpucmd_nv_form_is_run(cmd.form) && (cmd.subc != nv_oracle_field(gate, form, 'S', word) ||
                                            cmd.mthd != nv_oracle_mthd_bytes(gate, form, word))) {
        return false;
    }
    if (nv_oracle_letter_bits(picture, 'J') != 0) {
        return cmd.value == nv_oracle_target(gate, form, word);
    }
    return cmd.value == nv_oracle_field(gate, form, 'V', word);
}

static void every_top(const struct nv_oracle_gate *gate, const gpucmd_nv_gate *lib)
{
    static const uint16_t low[] = {0x0000, 0x0001, 0x0002, 0x0003, 0x0004, 0x0010,
                                   0xfffc, 0xffff, 0x1ffc, 0xe000, 0x1000};
    unsigned wrong_form = 0;
    unsigned wrong_field = 0;
    for (uint32_t top = 0; top < 0x10000; top++) {
        for (unsigned i = 0; i < 13; i++) {
            const uint32_t word = top << 16 | (i < 11 ? low[i] : rand16());
            wrong_form += form_of[gpucmd_nv_classify(lib, word)] != nv_oracle_form(gate, word);
            if ((top + i) % 4 == 0) {
                wrong_field += !same_fields(gate, lib, word);
            }
        }
    }
    test_equal(wrong_form, 0, __FILE__, __LINE__, gate->name);
    test_equal(wrong_field, 0, __FILE__, __LINE__, gate->name);
}

/* Streams of commands in segments of random lengths: where the first invalid word lies, how many
 * commands come before it, and how many words are missing at the end, counted with the oracle's
 * forms. */
static void valid_walks(const struct nv_oracle_gate *gate, const gpucmd_nv_gate *lib)
{
    static uint32_t words[512];
    for (unsigned round = 0; round < 400; round++) {
        const size_t len_dw = 1 + rand16() % 512;
        gpucmd_nv_walk walk;
        gpucmd_status status = GPUCMD_OK;
        size_t due = 0; /* words of a run that are still to come */
        size_t at = 0;
        bool count_due = false;
        for (size_t i = 0; i < len_dw; i++) {
            const uint32_t word = (uint32_t)rand16() << 16 | rand16();
            words[i] = rand16() % 4 == 0 ? word
                       : gate->chip == NV_ORACLE_GF100
                           ? (word & 0x0003ffff) | 0x80000000u >> (rand16() % 3)
                           : word & 0x001cfffc;
            if (round % 2 == 0 && i % 3 != 0) {
                words[i] = gate->chip == NV_ORACLE_GF100 ? (word & 0x0007efff) | 0x20000000
                                                         : word & 0x401cfffc;
            }
        }
        gpucmd_nv_walk_init(&walk, lib, NULL, 0);
        while (at < len_dw && status == GPUCMD_OK) {
            const size_t n_dw = 1 + rand16() % (round % 8 == 0 ? 3 : 200);
            const size_t end = n_dw < len_dw - at ? at + n_dw : len_dw;
            size_t want = 0;
            size_t got = 0;
            bool bad = false;
            gpucmd_nv_walk_segment(&walk, words + at, end - at);
            while (at < end && !bad) {
                const enum nv_oracle_form_id form = nv_oracle_form(gate, words[at]);
                if (due != 0 || count_due) { /* the rest of a run from the segment before */
                    due = count_due ? words[at++] & 0xffffff : due;
                    count_due = false;
                } else if (form == NV_ORACLE_INVALID) {
                    bad = true;
                    break;
                } else if (form == NV_ORACLE_LONG_NON_INC) {
                    count_due = ++at == end;
                    due = count_due ? 0 : words[at++] & 0xffffff;
                } else {
                    due = nv_oracle_field(gate, form, 'C', words[at++]);
                }
                want++;
                got = due < end - at ? due : end - at;
                due -= got;
                at += got;
            }
            got = 0;
            status = gpucmd_nv_walk_valid(&walk, &got);
            EQUAL(status, bad ? GPUCMD_INVALID : GPUCMD_OK);
            EQUAL(got, want);
            EQUAL(walk.cur - words, at);
            EQUAL(gpucmd_nv_walk_pending(&walk), due != 0 || count_due);
        }
    }
}

/* Return the last chip of an oracle gate plus one. OLD and BOTH end before GV100. */
static int end_chip(const struct nv_oracle_gate *gate)
{
    if (gate->chip == NV_ORACLE_GF100) {
        return gate->fmt == NV_ORACLE_FMT_NEW ? (int)GPUCMD_NV_CHIP_COUNT
                                              : (int)GPUCMD_NV_CHIP_GV100;
    }
    return (int)gates_first_chip[gate->chip + 1];
}

/* All chips of a class have the same gate; switches and formats that a chip lacks are rejected. */
static void every_chip(const struct nv_oracle_gate *gate, const gpucmd_nv_gate *lib)
{
    for (int c = 0; c < (int)GPUCMD_NV_CHIP_COUNT + 1; c++) {
        gpucmd_nv_gate other;
        const gpucmd_status status = gates_init(&other, gate, (gpucmd_nv_chip)c);
        const bool in = c >= (int)gates_first_chip[gate->chip] && c < end_chip(gate);
        if (in && EQUAL(status, GPUCMD_OK)) {
            EQUAL(other.forms, lib->forms);
            EQUAL(other.forms >> GPUCMD_NV_FORM_INVALID & 1, 0);
            EQUAL(other.ib_enable, gate->ib || gate->chip == NV_ORACLE_GF100);
            EQUAL(other.sli_enable, gate->sli_enable || gate->chip == NV_ORACLE_GF100);
        }
    }
}

static void refusals(void)
{
    gpucmd_nv_gate gate;
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_NV1, false, false, GPUCMD_NV_FMT_NEW),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_NV3T, false, false, GPUCMD_NV_FMT_NEW),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_RSX, true, false, GPUCMD_NV_FMT_NEW),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_NV34, false, true, GPUCMD_NV_FMT_NEW),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GV100, true, false, GPUCMD_NV_FMT_OLD),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_TU102, true, false, GPUCMD_NV_FMT_BOTH),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gate_init(&gate, (gpucmd_nv_chip)GPUCMD_NV_CHIP_COUNT, true, false,
                              GPUCMD_NV_FMT_NEW),
          GPUCMD_UNSUPPORTED);
}

/* Header, count and data of one run in three segments; the next run is after the data. */
static void long_run_in_parts(void)
{
    static const uint32_t words[] = {0x00036fb8, 0x55000002, 0xaa, 0xbb, 0x00040100, 7};
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    EQUAL(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_G80, true, false, GPUCMD_NV_FMT_NEW),
          GPUCMD_OK);
    gpucmd_nv_walk_init(&walk, &gate, words, 1);
    CHECK(gpucmd_nv_walk_next(&walk, &cmd));
    CHECK(!gpucmd_nv_walk_next(&walk, &cmd) && gpucmd_nv_walk_pending(&walk));
    EQUAL(walk.status, GPUCMD_TRUNCATED);
    gpucmd_nv_walk_segment(&walk, words + 1, 2);
    CHECK(gpucmd_nv_walk_next(&walk, &cmd) && cmd.head_dw == 1 && cmd.data[0] == 0xaa);
    EQUAL(cmd.count_dw, 2);
    EQUAL(cmd.stray, 0x55000000); /* bits 31:24 of the count are not used */
    gpucmd_nv_walk_segment(&walk, words + 3, 3);
    CHECK(gpucmd_nv_walk_next(&walk, &cmd) && cmd.head_dw == 0 && cmd.data[0] == 0xbb);
    EQUAL(cmd.mthd, 0xfb8);
    CHECK(gpucmd_nv_walk_next(&walk, &cmd) && !cmd.resumed && cmd.data[0] == 7);
    EQUAL(cmd.mthd, 0x100);
    CHECK(!gpucmd_nv_walk_next(&walk, &cmd));
    EQUAL(walk.status, GPUCMD_OK);
}

/* A run with three data words; `head` words are before them. */
typedef struct parts_row {
    gpucmd_nv_chip chip;
    gpucmd_nv_form form;
    uint32_t head, subc;
    uint32_t words[5];
    uint32_t mthd[3];
} parts_row;

/* Expect cmd to be the words `from` to `to` of the run. */
static void is_part(const parts_row *row, const gpucmd_nv_cmd *cmd, uint32_t from, uint32_t to)
{
    const uint32_t head = from < row->head ? (to < row->head ? to : row->head) - from : 0;
    EQUAL(cmd->form, row->form);
    EQUAL(cmd->dw, row->words[from]);
    EQUAL(cmd->subc, row->subc);
    EQUAL(cmd->count_dw, to < row->head ? 0 : row->head + 3 - from - head);
    EQUAL(cmd->value, 0);
    EQUAL(cmd->stray, 0);
    EQUAL(cmd->resumed, from != 0);
    EQUAL(cmd->head_dw, head);
    EQUAL(cmd->len_dw, to - from);
    CHECK(cmd->data == row->words + from + head);
    for (uint32_t i = 0; i < to - from - head; i++) {
        EQUAL(gpucmd_nv_mthd_at(row->chip, cmd->kind, cmd->mthd, i),
              row->mthd[from + head + i - row->head]);
    }
}

/* Segments end at every choice of places in a run. */
static void runs_in_parts(void)
{
#define CHIP(name) GPUCMD_NV_CHIP_##name
#define FORM(name) GPUCMD_NV_FORM_##name
    static const parts_row rows[] = {
        {CHIP(NV4),   FORM(INC),          1, 3, {0x000c7ff8, 7, 8, 9},    {0x1ff8, 0x1ffc, 0}     },
        {CHIP(NV10),  FORM(NON_INC),      1, 5, {0x400ca180, 7, 8, 9},    {0x180, 0x180, 0x180}   },
        {CHIP(G80),   FORM(LONG_NON_INC), 2, 3, {0x00036fb8, 3, 7, 8, 9}, {0xfb8, 0xfb8, 0xfb8}   },
        {CHIP(GF100), FORM(INC),          1, 4, {0x20038040, 7, 8, 9},    {0x100, 0x104, 0x108}   },
        {CHIP(GF100), FORM(NON_INC),      1, 1, {0x60032fff, 7, 8, 9},    {0x3ffc, 0x3ffc, 0x3ffc}},
        {CHIP(GF100), FORM(ONE_INC),      1, 4, {0xa0038040, 7, 8, 9},    {0x100, 0x104, 0x104}   },
        {CHIP(GF100), FORM(OLD_INC),      1, 4, {0x000c8100, 7, 8, 9},    {0x100, 0x104, 0x108}   },
        {CHIP(GF100), FORM(OLD_NON_INC),  1, 4, {0x400c8100, 7, 8, 9},    {0x100, 0x100, 0x100}   },
    };
#undef CHIP
#undef FORM
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const parts_row *const row = &rows[i];
        const bool old =
            row->form == GPUCMD_NV_FORM_OLD_INC || row->form == GPUCMD_NV_FORM_OLD_NON_INC;
        gpucmd_nv_gate gate;
        EQUAL(gpucmd_nv_gate_init(&gate, row->chip, row->chip >= GPUCMD_NV_CHIP_G80, false,
                                  old ? GPUCMD_NV_FMT_OLD : GPUCMD_NV_FMT_NEW),
              GPUCMD_OK);
        for (uint32_t cuts = 0; cuts < 1u << (row->head + 2); cuts++) {
            const uint32_t ends = cuts | 1u << (row->head + 2); /* bit i: after word i */
            gpucmd_nv_walk walk;
            gpucmd_nv_walk_init(&walk, &gate, NULL, 0);
            for (uint32_t from = 0, to = 1; to <= row->head + 3; to++) {
                if ((ends >> (to - 1) & 1) != 0) {
                    gpucmd_nv_cmd cmd;
                    memset(&cmd, 0xff, sizeof cmd);
                    gpucmd_nv_walk_segment(&walk, row->words + from, to - from);
                    if (CHECK(gpucmd_nv_walk_next(&walk, &cmd))) {
                        is_part(row, &cmd, from, to);
                    }
                    CHECK(!gpucmd_nv_walk_next(&walk, &cmd));
                    EQUAL(gpucmd_nv_walk_pending(&walk), to != row->head + 3);
                    from = to;
                }
            }
        }
    }
}

int main(void)
{
    long_run_in_parts();
    runs_in_parts();
    nv_oracle_forms_init();
    for (unsigned f = 0; f < GATES_FORMS; f++) {
        form_of[f] = gates_form((gpucmd_nv_form)f);
        CHECK(form_of[f] < NV_ORACLE_FORM_COUNT);
    }
    for (int g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        const struct nv_oracle_gate *gate = &nv_oracle_gates[g];
        gpucmd_nv_gate lib;
        if (EQUAL(gates_init(&lib, gate, gates_first_chip[gate->chip]), GPUCMD_OK)) {
            every_top(gate, &lib);
            valid_walks(gate, &lib);
            every_chip(gate, &lib);
        }
    }
    refusals();
    return test_report("nv_classify");
}

/* nv/oracle.c - the oracles, compared with the documents - MIT
 *
 * The oracles judge the library, so they are checked here against words and
 * states typed by hand from the sources, never against the library.
 */
#include "nv/oracle_forms.h"
#include "nv/oracle_pbdma.h"
#include "nv/oracle_pusher.h"

#include <stdio.h>

static unsigned checks;
static unsigned failures;

static void check(int ok, const char *text, int line)
{
    checks++;
    if (!ok) {
        failures++;
        printf("nv_oracle.c:%d: %s\n", line, text);
    }
}

#define CHECK(c) check((c) ? 1 : 0, #c, __LINE__)

/* ---- forms ---------------------------------------------------------------------------------- */

static const struct nv_oracle_gate *gate_named(const char *name)
{
    int g;
    for (g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        if (strcmp(nv_oracle_gates[g].name, name) == 0) {
            return &nv_oracle_gates[g];
        }
    }
    check(0, name, __LINE__);
    return &nv_oracle_gates[0];
}

struct known_word {
    const char *gate;
    uint32_t word;
    const char *form;
    uint32_t subc;
    uint32_t mthd_bytes;
    uint32_t count;  /* C */
    uint32_t value;  /* V */
    uint32_t target; /* J as bytes */
};

/* Words that drivers use, with the fields that the drivers intend; then words
 * that are invalid by the documents. */
static const struct known_word known_words[] = {
    {"NV4",               0x00000000, "INC",          0, 0x0000, 0,      0,      0         },
    {"NV4",               0x00040000, "INC",          0, 0x0000, 1,      0,      0         },
    {"NV4",               0x0020430c, "INC",          2, 0x030c, 8,      0,      0         },
    {"NV4",               0x00106300, "INC",          3, 0x0300, 4,      0,      0         },
    {"G80 ib sli",        0x1ffcfffc, "INC",          7, 0x1ffc, 2047,   0,      0         },
    {"NV10",              0x00040050, "INC",          0, 0x0050, 1,      0,      0         },
    {"NV1A",              0x00100060, "INC",          0, 0x0060, 4,      0,      0         },
    {"NV1A",              0x00080064, "INC",          0, 0x0064, 2,      0,      0         },
    {"G80 ib",            0x00100010, "INC",          0, 0x0010, 4,      0,      0         },
    {"G80 ib",            0x0008a238, "INC",          5, 0x0238, 2,      0,      0         },
    {"NV10",              0x40406400, "NON_INC",      3, 0x0400, 16,     0,      0         },
    {"NV40",              0x5ffcf818, "NON_INC",      7, 0x1818, 2047,   0,      0         },
    {"G80 ib",            0x40000000, "NON_INC",      0, 0x0000, 0,      0,      0         },
    {"G80 ib",            0x41906860, "NON_INC",      3, 0x0860, 100,    0,      0         },
    {"G80 ib",            0x00036fb8, "LONG_NON_INC", 3, 0x0fb8, 0,      0,      0         },
    {"G80 ib sli",        0x0003fffc, "LONG_NON_INC", 7, 0x1ffc, 0,      0,      0         },
    {"G80 ib",            0x00030860, "LONG_NON_INC", 0, 0x0860, 0,      0,      0         },
    {"NV4",               0x20000000, "JUMP_OLD",     0, 0,      0,      0,      0         },
    {"NV40",              0x20012000, "JUMP_OLD",     0, 0,      0,      0,      0x00012000},
    {"NV4",               0x3ffffffc, "JUMP_OLD",     0, 0,      0,      0,      0x1ffffffc},
    {"NV1A",              0x00012001, "JUMP",         0, 0,      0,      0,      0x00012000},
    {"NV40 sli",          0xfffffffd, "JUMP",         0, 0,      0,      0,      0xfffffffc},
    {"NV1A",              0x00020002, "CALL",         0, 0,      0,      0,      0x00020000},
    {"NV40",              0x80001002, "CALL",         0, 0,      0,      0,      0x80001000},
    {"NV1A",              0x00020000, "RETURN",       0, 0,      0,      0,      0         },
    {"NV40 sli",          0x00010010, "SLI_COND",     0, 0,      0,      0x001,  0         },
    {"G80 ib sli",        0x0001fff0, "SLI_COND",     0, 0,      0,      0xfff,  0         },
    {"NV40 sli",          0x00010020, "SLI_COND",     0, 0,      0,      0x002,  0         },
    {"GF100 new",         0x00000000, "NOP",          0, 0,      0,      0,      0         },
    {"GF100 new",         0x20010000, "INC",          0, 0x0000, 1,      0,      0         },
    {"GF100 new",         0x20012000, "INC",          1, 0x0000, 1,      0,      0         },
    {"GF100 new",         0x20014000, "INC",          2, 0x0000, 1,      0,      0         },
    {"GF100 new",         0x20016000, "INC",          3, 0x0000, 1,      0,      0         },
    {"GF100 new",         0x20018000, "INC",          4, 0x0000, 1,      0,      0         },
    {"GF100 new",         0x20040004, "INC",          0, 0x0010, 4,      0,      0         },
    {"GF100 new",         0x20050004, "INC",          0, 0x0010, 5,      0,      0         },
    {"GF100 new",         0x20050017, "INC",          0, 0x005c, 5,      0,      0         },
    {"GF100 new",         0x20010008, "INC",          0, 0x0020, 1,      0,      0         },
    {"GF100 new",         0x2001001e, "INC",          0, 0x0078, 1,      0,      0         },
    {"GF100 new",         0x2004000a, "INC",          0, 0x0028, 4,      0,      0         },
    {"GF100 new",         0x20048100, "INC",          4, 0x0400, 4,      0,      0         },
    {"GF100 new",         0x20088100, "INC",          4, 0x0400, 8,      0,      0         },
    {"GF100 new",         0x20018106, "INC",          4, 0x0418, 1,      0,      0         },
    {"GF100 new",         0x200180c0, "INC",          4, 0x0300, 1,      0,      0         },
    {"GF100 new",         0x20038090, "INC",          4, 0x0240, 3,      0,      0         },
    {"GF100 new",         0x200381c0, "INC",          4, 0x0700, 3,      0,      0         },
    {"GF100 new",         0x2002408e, "INC",          2, 0x0238, 2,      0,      0         },
    {"GF100 new",         0x200240c3, "INC",          2, 0x030c, 2,      0,      0         },
    {"GF100 new",         0x200240c7, "INC",          2, 0x031c, 2,      0,      0         },
    {"GF100 new",         0x200140c0, "INC",          2, 0x0300, 1,      0,      0         },
    {"GF100 new",         0x2001efff, "INC",          7, 0x3ffc, 1,      0,      0         },
    {"GF100 both",        0x2fc00040, "INC",          0, 0x0100, 0x0fc0, 0,      0         },
    {"GF100 new",         0x604040c1, "NON_INC",      2, 0x0304, 64,     0,      0         },
    {"GF100 new",         0x6040206d, "NON_INC",      1, 0x01b4, 64,     0,      0         },
    {"GF100 new",         0x7fff0002, "NON_INC",      0, 0x0008, 0x1fff, 0,      0         },
    {"GF100 both",        0x7fffefff, "NON_INC",      7, 0x3ffc, 0x1fff, 0,      0         },
    {"GF100 new",         0x80000044, "IMMD",         0, 0x0110, 0,      0,      0         },
    {"GF100 new",         0x80010546, "IMMD",         0, 0x1518, 0,      1,      0         },
    {"GF100 new",         0x80000014, "IMMD",         0, 0x0050, 0,      0,      0         },
    {"GF100 new",         0x818280c0, "IMMD",         4, 0x0300, 0,      0x182,  0         },
    {"GF100 new",         0x90000040, "IMMD",         0, 0x0100, 0,      0x1000, 0         },
    {"GF100 both",        0x9fffefff, "IMMD",         7, 0x3ffc, 0,      0x1fff, 0         },
    {"GF100 new",         0xa041406c, "ONE_INC",      2, 0x01b0, 65,     0,      0         },
    {"GF100 new",         0xa0040e00, "ONE_INC",      0, 0x3800, 4,      0,      0         },
    {"GF100 both",        0xbfffeffe, "ONE_INC",      7, 0x3ff8, 0x1fff, 0,      0         },
    {"GF100 new",         0x0001fff0, "SLI_COND",     0, 0,      0,      0xfff,  0         },
    {"GF100 old",         0x00010020, "SLI_COND",     0, 0,      0,      0x002,  0         },
    {"GF100 new",         0x00020030, "SLI_STORE",    0, 0,      0,      0x003,  0         },
    {"GF100 new",         0x00030000, "SLI_USE",      0, 0,      0,      0,      0         },
    {"GF100 new",         0xe0000000, "END_SEGMENT",  0, 0,      0,      0,      0         },
    {"GF100 old",         0x00080100, "OLD_INC",      0, 0x0100, 2,      0,      0         },
    {"GF100 both",        0x40406400, "OLD_NON_INC",  3, 0x0400, 16,     0,      0         },
    {"GF100 new",         0x600240c1, "NON_INC",      2, 0x0304, 2,      0,      0         },
    {"GF100 new",         0x60000002, "NON_INC",      0, 0x0008, 0,      0,      0         },
    {"GF100 new",         0x60040002, "NON_INC",      0, 0x0008, 4,      0,      0         },
    {"NV4",               0x40406400, "INVALID",      0, 0,      0,      0,      0         },
    {"NV4",               0x00012001, "INVALID",      0, 0,      0,      0,      0         },
    {"NV10",              0x00020000, "INVALID",      0, 0,      0,      0,      0         },
    {"NV40",              0x00010010, "INVALID",      0, 0,      0,      0,      0         },
    {"NV1A",              0x00000003, "INVALID",      0, 0,      0,      0,      0         },
    {"NV40 sli",          0x00050000, "INVALID",      0, 0,      0,      0,      0         },
    {"NV1A",              0x00020004, "INVALID",      0, 0,      0,      0,      0         },
    {"NV40 sli",          0x60000000, "INVALID",      0, 0,      0,      0,      0         },
    {"NV40 sli",          0x40010000, "INVALID",      0, 0,      0,      0,      0         },
    {"G80 ib",            0x20000000, "INVALID",      0, 0,      0,      0,      0         },
    {"G80 ib",            0x00020002, "INVALID",      0, 0,      0,      0,      0         },
    {"G80 ib",            0x00020000, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 new",         0x00040000, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 new",         0x40406400, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 both",        0x40010000, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 both",        0xc0000000, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 old",         0x20010000, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 old",         0x00020030, "INVALID",      0, 0,      0,      0,      0         },
    {"GF100 old",         0xe0000000, "INVALID",      0, 0,      0,      0,      0         },
    {"G80 nv4-style sli", 0x00036fb8, "INVALID",      0, 0,      0,      0,      0         },
};

static void forms_known_words(void)
{
    size_t i;
    for (i = 0; i < sizeof known_words / sizeof known_words[0]; i++) {
        const struct known_word *k = &known_words[i];
        const struct nv_oracle_gate *gate = gate_named(k->gate);
        enum nv_oracle_form_id form = nv_oracle_form(gate, k->word);
        int ok = strcmp(nv_oracle_form_names[form], k->form) == 0 &&
                 nv_oracle_field(gate, form, 'S', k->word) == k->subc &&
                 nv_oracle_mthd_bytes(gate, form, k->word) == k->mthd_bytes &&
                 nv_oracle_field(gate, form, 'C', k->word) == k->count &&
                 nv_oracle_field(gate, form, 'V', k->word) == k->value &&
                 nv_oracle_target(gate, form, k->word) == k->target;
        if (!ok) {
            printf("%s 0x%08x: %s\n", k->gate, (unsigned)k->word, nv_oracle_form_names[form]);
        }
        CHECK(ok);
    }
}

/* The tests of the seed's pseudocode, as mask and value. */
static void forms_masks(void)
{
    static const struct {
        const char *form;
        uint32_t mask;
        uint32_t value;
    } rows[NV_ORACLE_PRE_ROWS] = {
        {"JUMP_OLD",     0xe0000003, 0x20000000},
        {"JUMP",         0x00000003, 0x00000001},
        {"CALL",         0x00000003, 0x00000002},
        {"RETURN",       0xffffffff, 0x00020000},
        {"INC",          0xe0030003, 0x00000000},
        {"NON_INC",      0xe0030003, 0x40000000},
        {"LONG_NON_INC", 0xffff0003, 0x00030000},
        {"SLI_COND",     0xffff0003, 0x00010000},
    };
    int r;
    for (r = 0; r < NV_ORACLE_PRE_ROWS; r++) {
        uint32_t mask;
        uint32_t value;
        nv_oracle_compile(nv_oracle_pre_rows[r].picture, &mask, &value);
        CHECK(strcmp(nv_oracle_form_names[nv_oracle_pre_rows[r].form], rows[r].form) == 0);
        CHECK(mask == rows[r].mask && value == rows[r].value);
        CHECK(strlen(nv_oracle_pre_rows[r].picture) == 32);
    }
    for (r = 0; r < NV_ORACLE_NEW_ROWS; r++) {
        CHECK(strlen(nv_oracle_new_rows[r].picture) == 32);
    }
}

static void forms_census(void)
{
    const struct nv_oracle_gate *g80 = gate_named("G80 nv4-style sli");
    const struct nv_oracle_gate *ib = gate_named("G80 ib sli");
    const struct nv_oracle_gate *gf100 = gate_named("GF100 new");
    const struct nv_oracle_gate *both = gate_named("GF100 both");
    int g;

    CHECK(nv_oracle_census(g80, NV_ORACLE_JUMP_OLD) == 0x08000000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_JUMP) == 0x40000000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_CALL) == 0x40000000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_RETURN) == 1);
    CHECK(nv_oracle_census(g80, NV_ORACLE_INC) == 0x02000000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_NON_INC) == 0x02000000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_SLI_COND) == 0x4000);
    CHECK(nv_oracle_census(g80, NV_ORACLE_LONG_NON_INC) == 0);
    CHECK(nv_oracle_census(ib, NV_ORACLE_LONG_NON_INC) == 0x4000);
    CHECK(nv_oracle_census(ib, NV_ORACLE_INVALID) == 0x100000000 - 0x04008000);
    CHECK(nv_oracle_census(gf100, NV_ORACLE_INC) == 0x20000000);
    CHECK(nv_oracle_census(gf100, NV_ORACLE_END_SEGMENT) == 0x20000000);
    CHECK(nv_oracle_census(gf100, NV_ORACLE_SLI_USE) == 0x08000000);
    CHECK(nv_oracle_census(gf100, NV_ORACLE_NOP) == 1);
    CHECK(nv_oracle_census(gf100, NV_ORACLE_INVALID) == 0x100000000 - 0xb8000001);
    CHECK(nv_oracle_census(both, NV_ORACLE_OLD_INC) == 0x07ffffff);
    CHECK(nv_oracle_census(both, NV_ORACLE_INVALID) == 0x20000000 + 0x18000000);
    for (g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        uint64_t sum = 0;
        int form;
        for (form = 0; form < NV_ORACLE_FORM_COUNT; form++) {
            sum += nv_oracle_census(&nv_oracle_gates[g], (enum nv_oracle_form_id)form);
        }
        CHECK(sum == 0x100000000);
        CHECK(nv_oracle_disjoint(&nv_oracle_gates[g]));
    }
}

/* ---- memory and methods of the machines ----------------------------------------------------- */

#define MEM_BASE  0x1000
#define MEM_BYTES 0x1000

struct bench {
    uint8_t bytes[MEM_BYTES]; /* at MEM_BASE */
    unsigned method_count;
    uint32_t subc[64];
    uint32_t mthd[64];
    uint32_t data[64];
    int ni[64];
};

static int bench_read8(void *user, uint64_t addr, uint8_t *byte)
{
    struct bench *b = (struct bench *)user;
    if (addr < MEM_BASE || addr >= MEM_BASE + MEM_BYTES) {
        return 1;
    }
    *byte = b->bytes[addr - MEM_BASE];
    return 0;
}

static void bench_method(void *user, uint32_t subc, uint32_t mthd_bytes, uint32_t data, int ni)
{
    struct bench *b = (struct bench *)user;
    if (b->method_count < 64) {
        b->subc[b->method_count] = subc;
        b->mthd[b->method_count] = mthd_bytes;
        b->data[b->method_count] = data;
        b->ni[b->method_count] = ni;
    }
    b->method_count++;
}

static void put_le(struct bench *b, uint64_t addr, uint32_t word)
{
    int i;
    for (i = 0; i < 4; i++) {
        b->bytes[addr - MEM_BASE + (uint64_t)i] = (uint8_t)(word >> (8 * i) & 0xff);
    }
}

static void put_words(struct bench *b, uint64_t addr, const uint32_t *words, size_t words_dw)
{
    size_t i;
    for (i = 0; i < words_dw; i++) {
        put_le(b, addr + 4 * i, words[i]);
    }
}

/* Return whether method n of the log equals this one. */
static int sent(const struct bench *b, unsigned n, uint32_t subc, uint32_t mthd_bytes,
                uint32_t data)
{
    return n < b->method_count && b->subc[n] == subc && b->mthd[n] == mthd_bytes &&
           b->data[n] == data;
}

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

static struct bench bench;
static const struct nv_oracle_pusher_env pusher_env = {&bench, bench_read8, bench_method};
static const struct nv_oracle_pbdma_env pbdma_env = {&bench, bench_read8, bench_method};

/* ---- pusher --------------------------------------------------------------------------------- */

/* A pusher in NV4-style mode over words at 0x1000. */
static struct nv_oracle_pusher nv4_style(int chip_idx, const uint32_t *words, size_t words_dw)
{
    struct nv_oracle_pusher p;
    memset(&bench, 0, sizeof bench);
    put_words(&bench, 0x1000, words, words_dw);
    nv_oracle_pusher_init(&p, chip_idx);
    p.dma_limit = 0x2000;
    p.dma_get = 0x1000;
    p.dma_put = 0x1000 + 4 * words_dw;
    return p;
}

/* Execute steps until idle or error, at most 64. */
static enum nv_oracle_pusher_result pusher_run(struct nv_oracle_pusher *p)
{
    enum nv_oracle_pusher_result result = NV_ORACLE_PUSHER_OK;
    int i;
    for (i = 0; i < 64 && result == NV_ORACLE_PUSHER_OK; i++) {
        result = nv_oracle_pusher_step(p, &pusher_env);
    }
    return result;
}

static void pusher_methods(void)
{
    /* INC increments the method, NON_INC does not. */
    struct nv_oracle_pusher p = nv4_style(7, WORDS(0x00086300, 0x11, 0x22, 0x40086400, 0x33, 0x44));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);
    CHECK(bench.method_count == 4);
    CHECK(sent(&bench, 0, 3, 0x300, 0x11) && bench.ni[0] == 0);
    CHECK(sent(&bench, 1, 3, 0x304, 0x22));
    CHECK(sent(&bench, 2, 3, 0x400, 0x33) && bench.ni[2] == 1);
    CHECK(sent(&bench, 3, 3, 0x400, 0x44));
    CHECK(p.dma_get == 0x1018 && p.dcount_shadow == 2 && p.dma_state.mcnt == 0);
    CHECK(p.rsvd_shadow == 0x40086400 && p.data_shadow == 0x44 && p.dma_state.mthd == 0x100);

    /* NV4 has no debug shadows. */
    p = nv4_style(3, WORDS(0x00046300, 0x11));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);
    CHECK(p.rsvd_shadow == 0 && p.data_shadow == 0 && p.dcount_shadow == 0);

    /* After 0x1ffc follow method 0, then 4, which is unknown to every puller. */
    p = nv4_style(4, WORDS(0x000c1ffc, 1, 2, 3));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == NV_ORACLE_INVALID_MTHD);
    CHECK(bench.method_count == 2 && sent(&bench, 1, 0, 0, 2));
    CHECK(p.dma_state.mthd == 1 && p.dma_state.mcnt == 1 && p.dcount_shadow == 2);

    /* A data word that looks like a jump is data. */
    p = nv4_style(9, WORDS(0x00040100, 0x20001000));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE && sent(&bench, 0, 0, 0x100, 0x20001000));
}

static void pusher_flow(void)
{
    /* 1000: call 1100; 1004: jump 1200; 1100: return; 1200: old jump 1300 = put */
    struct nv_oracle_pusher p = nv4_style(9, WORDS(0x00001102, 0x00001201));
    put_le(&bench, 0x1100, 0x00020000);
    put_le(&bench, 0x1200, 0x20001300);
    p.dma_put = 0x1300;
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.subr_active && p.subr_return == 0x1004 && p.dma_get == 0x1100);
    CHECK(p.dma_get_jmp_shadow == 0);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(!p.subr_active && p.dma_get == 0x1004);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.dma_get_jmp_shadow == 0x1008 && p.dma_get == 0x1200);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.dma_get_jmp_shadow == 0x1204 && p.dma_get == 0x1300);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_IDLE);

    /* The big-endian flag of NV1A:G80 reverses the bytes of each word. */
    p = nv4_style(9, WORDS(0x00630400, 0x11000000));
    p.big_endian = 1;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE && sent(&bench, 0, 3, 0x300, 0x11));

    /* SLI: methods are dropped while the mask does not match. */
    p = nv4_style(23, WORDS(0x00010020, 0x00040300, 1, 0x00010010, 0x00040300, 2));
    p.sli_enable = 1;
    p.sli_mask = 1;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);
    CHECK(bench.method_count == 1 && sent(&bench, 0, 0, 0x300, 2) && p.sli_active == 1);
}

static void pusher_errors(void)
{
    /* 1 CALL_SUBR_ACTIVE */
    struct nv_oracle_pusher p = nv4_style(9, WORDS(0x00001106));
    p.subr_active = 1;
    p.subr_return = 0x1040;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 1);
    CHECK(p.dma_get == 0x1004 && p.subr_active == 1 && p.subr_return == 0x1040);
    nv_oracle_pusher_recover(&p);
    CHECK(p.error == 0 && p.subr_active == 1); /* a separate register before NV40 */

    /* 2 INVALID_MTHD */
    p = nv4_style(7, WORDS(0x00040004, 0x55));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 2);
    CHECK(p.dma_get == 0x1008 && p.data_shadow == 0x55);
    CHECK(p.dma_state.mthd == 1 && p.dma_state.mcnt == 1 && p.dcount_shadow == 0);
    nv_oracle_pusher_recover(&p);
    CHECK(p.dma_state.mthd == 0 && p.dma_state.mcnt == 0);
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);

    /* 3 RET_SUBR_INACTIVE */
    p = nv4_style(23, WORDS(0x00020000));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 3 && p.dma_get == 0x1004);
    p = nv4_style(23, WORDS(0x00001106));
    p.subr_active = 1;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 1);
    nv_oracle_pusher_recover(&p);
    CHECK(p.subr_active == 0); /* in DMA_STATE from NV40 on */
}

static void pusher_bad_words(void)
{
    /* 4 INVALID_CMD; the rest of the ring is dropped by recovery */
    struct nv_oracle_pusher p = nv4_style(4, WORDS(0x40040100, 0x00040100, 7));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 4);
    CHECK(p.dma_get == 0x1004 && p.rsvd_shadow == 0x40040100 && p.dma_state.mcnt == 0);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_ERROR);
    CHECK(p.dma_get == 0x1004);
    nv_oracle_pusher_recover(&p);
    CHECK(p.dma_get == 0x100c && pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);

    /* 6 MEM_FAULT at the limit, and from memory */
    p = nv4_style(4, WORDS(0));
    p.dma_limit = 0x1000;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 6 && p.dma_get == 0x1000);
    p = nv4_style(4, WORDS(0x20000ffc));
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 6 && p.dma_get == 0xffc);
}

/* IB mode: ring of 4 at 0x1800. */
static struct nv_oracle_pusher ib_mode(int chip_idx, const uint32_t *entries, size_t words_dw)
{
    struct nv_oracle_pusher p;
    memset(&bench, 0, sizeof bench);
    put_words(&bench, 0x1800, entries, words_dw);
    nv_oracle_pusher_init(&p, chip_idx);
    p.ib_enable = 1;
    p.ib_address = 0x1800;
    p.ib_order = 2;
    p.ib_put = (uint32_t)(words_dw / 2);
    return p;
}

static void pusher_ib_segments(void)
{
    /* A long command in three segments: header | count | data; the middle one is not main. */
    struct nv_oracle_pusher p =
        ib_mode(41, WORDS(0x00001000, 0x00000400, 0x00001100, 0x00000600, 0x00001200, 0x00000900));
    put_le(&bench, 0x1000, 0x00036fb8);
    put_le(&bench, 0x1100, 0xff000002);
    put_words(&bench, 0x1200, WORDS(0xaa, 0xbb));
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.ib_get == 1 && p.dma_get == 0x1000 && p.dma_put == 0x1004);
    CHECK(p.dma_mget == 0x1000 && p.dma_mget_val == 0 && !p.nonmain);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.dma_state.lenp == 1 && p.dma_state.mcnt == 0 && p.dma_mget == 0x1004);
    CHECK(p.dma_mget_val == 1);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK && p.nonmain);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.dma_state.lenp == 0 && p.dma_state.mcnt == 2 && p.dma_mget == 0x1004);
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK && p.priv);
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_IDLE);
    CHECK(bench.method_count == 2 && sent(&bench, 0, 3, 0xfb8, 0xaa));
    CHECK(sent(&bench, 1, 3, 0xfb8, 0xbb) && p.ib_get == 3 && p.dma_mget == 0x1208);
}

static void pusher_ib_entries(void)
{
    /* 22 bits of length, 40 of address */
    struct nv_oracle_pusher p = ib_mode(40, WORDS(0x20001000, 0xfffffc01));
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.dma_get == 0x120001000 && p.dma_put == 0x120001000 + 4 * 0x3fffffu);

    /* DISABLE, then 5 IB_EMPTY */
    p = ib_mode(40, WORDS(1, 0x400, 0x1000, 0));
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK);
    CHECK(p.ib_get == 1 && p.dma_get == 0 && p.dma_put == 0);
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 5);
    CHECK(p.ib_get == 2 && p.dma_get == p.dma_put);

    /* recovery drops the segment; if there is none, it drops the ring */
    p.ib_put = 3;
    nv_oracle_pusher_recover(&p);
    CHECK(p.ib_get == 3 && p.error == 0);
    p.dma_put = 0x2000;
    p.ib_put = 0;
    p.priv = 1;
    p.nonmain = 1;
    nv_oracle_pusher_recover(&p);
    CHECK(p.dma_get == 0x2000 && p.ib_get == 3 && !p.priv && !p.nonmain);

    /* the index wraps; 6 MEM_FAULT leaves it */
    p = ib_mode(40, WORDS(0, 0, 0, 0, 0, 0, 0x1000, 0x400));
    p.ib_get = 3;
    p.ib_put = 0;
    CHECK(nv_oracle_pusher_step(&p, &pusher_env) == NV_ORACLE_PUSHER_OK && p.ib_get == 0);
    p = ib_mode(40, WORDS(0x1000, 0x400));
    p.ib_address = 0x8000;
    CHECK(pusher_run(&p) == NV_ORACLE_PUSHER_ERROR && p.error == 6 && p.ib_get == 0);
}

static void pusher_low_methods(void)
{
    CHECK(nv_oracle_knows_mthd(3, 0x00) && nv_oracle_knows_mthd(3, 0x100));
    CHECK(!nv_oracle_knows_mthd(6, 0x50) && nv_oracle_knows_mthd(7, 0x50));
    CHECK(!nv_oracle_knows_mthd(8, 0x60) && nv_oracle_knows_mthd(9, 0x60));
    CHECK(!nv_oracle_knows_mthd(22, 0x80) && nv_oracle_knows_mthd(23, 0x80));
    CHECK(!nv_oracle_knows_mthd(40, 0x10) && nv_oracle_knows_mthd(41, 0x10));
    CHECK(!nv_oracle_knows_mthd(52, 0x28) && nv_oracle_knows_mthd(53, 0x2c));
    CHECK(!nv_oracle_knows_mthd(53, 0x04) && !nv_oracle_knows_mthd(53, 0x30));
    CHECK(!nv_oracle_knows_mthd(53, 0x54) && !nv_oracle_knows_mthd(53, 0x84));
    CHECK(!nv_oracle_knows_mthd(9, 0x9c) && !nv_oracle_knows_mthd(53, 0xfc));
}

static void pusher_user_area(void)
{
    struct nv_oracle_pusher p;
    nv_oracle_pusher_init(&p, 40);
    nv_oracle_user_write(&p, 0x4c, 0x1234);
    CHECK(p.dma_put == 0 && nv_oracle_user_read(&p, 0x4c) == 0);
    nv_oracle_user_write(&p, 0x40, 0x20001003);
    CHECK(p.dma_put == 0x3420001000);
    CHECK(nv_oracle_user_read(&p, 0x40) == 0x20001000 && nv_oracle_user_read(&p, 0x4c) == 0x34);
    p.dma_mget = 0x1200000010;
    p.dma_mget_val = 1;
    CHECK(nv_oracle_user_read(&p, 0x5c) == 0);
    CHECK(nv_oracle_user_read(&p, 0x58) == 0x10 && nv_oracle_user_read(&p, 0x5c) == 0x80000012);
    p.subr_active = 1;
    p.subr_return = 0x777c;
    CHECK(nv_oracle_user_read(&p, 0x54) == 0x777c);
    p.ib_enable = 1;
    p.ib_order = 4;
    nv_oracle_user_write(&p, 0x40, 0);
    nv_oracle_user_write(&p, 0x8c, 0x15);
    CHECK(p.dma_put == 0x3420001000 && p.ib_put == 5 && nv_oracle_user_read(&p, 0x8c) == 5);
}

/* ---- PBDMA ---------------------------------------------------------------------------------- */

/* A ring of 8 entries at 0x1800. */
static struct nv_oracle_pbdma ring(enum nv_oracle_gen gen, const uint32_t *entries, size_t words_dw)
{
    struct nv_oracle_pbdma d;
    memset(&bench, 0, sizeof bench);
    put_words(&bench, 0x1800, entries, words_dw);
    nv_oracle_pbdma_init(&d, gen, NV_ORACLE_PBDMA_NEW);
    d.gp_base = 0x1800;
    d.limit2 = 3;
    d.gp_put = (uint32_t)(words_dw / 2);
    return d;
}

static enum nv_oracle_pbdma_result pbdma_run(struct nv_oracle_pbdma *d)
{
    enum nv_oracle_pbdma_result result = NV_ORACLE_PBDMA_OK;
    int i;
    for (i = 0; i < 64 && result == NV_ORACLE_PBDMA_OK; i++) {
        result = nv_oracle_pbdma_step(d, &pbdma_env);
    }
    return result;
}

static void pbdma_methods(void)
{
    /* A release as tinygrad writes it, an immediate, an increase-once, a filler. */
    struct nv_oracle_pbdma d = ring(NV_ORACLE_TURING, WORDS(0x1000, 0x3c00));
    put_words(&bench, 0x1000,
              WORDS(0x20050017, 0x12345670, 0x7f, 0x2a, 0, 0x03100001, 0x818280c0, 0xa0034e00, 1, 2,
                    3, 0x60000002, 0, 0x20010008, 0));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE && bench.method_count == 10);
    CHECK(sent(&bench, 0, 0, 0x5c, 0x12345670) && sent(&bench, 4, 0, 0x6c, 0x03100001));
    CHECK(sent(&bench, 5, 4, 0x300, 0x182));
    CHECK(sent(&bench, 6, 2, 0x3800, 1) && sent(&bench, 7, 2, 0x3804, 2));
    CHECK(sent(&bench, 8, 2, 0x3804, 3) && sent(&bench, 9, 0, 0x20, 0));
    CHECK(d.pb_get == 0x103c && d.top_level_get == 0x103c && d.top_level_get_valid);
    CHECK(d.gp_get == 1 && d.pb_count == 0);

    /* A run split over two segments with a control entry between; END_PB_SEGMENT. */
    d = ring(NV_ORACLE_FERMI, WORDS(0x1000, 0x800, 0, 0, 0x1100, 0x1200));
    put_words(&bench, 0x1000, WORDS(0x20028100, 1));
    put_words(&bench, 0x1100, WORDS(2, 0xe0000000, 0xc0000000, 0xc0000000));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(bench.method_count == 2 && sent(&bench, 1, 4, 0x404, 2));
    CHECK(d.pb_get == 0x1110 && d.top_level_get == 0x1008 && d.pb_crc_indeterminate);
}

static void pbdma_pbentry(void)
{
    /* RESERVED6, then an INC that would wrap, then an old form. */
    struct nv_oracle_pbdma d = ring(NV_ORACLE_TURING, WORDS(0x1000, 0x1400));
    put_words(&bench, 0x1000, WORDS(0xc0000000, 0x20020fff, 0x00080100, 0x20010fff, 9));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x40000);
    CHECK(d.pb_get == 0x1004 && d.hdr_shadow == 0xc0000000);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_STALLED && d.pb_get == 0x1004);
    nv_oracle_pbdma_clear(&d, NV_ORACLE_INTR_PBENTRY);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.pb_get == 0x1008 && d.pb_count == 0);
    nv_oracle_pbdma_clear(&d, NV_ORACLE_INTR_PBENTRY);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.pb_get == 0x100c);
    nv_oracle_pbdma_clear(&d, NV_ORACLE_INTR_PBENTRY);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(bench.method_count == 1 && sent(&bench, 0, 0, 0x3ffc, 9));

    /* ONE_INC at 0xfff: one word is valid, two are not. The old form with BOTH. */
    d = ring(NV_ORACLE_FERMI, WORDS(0x1000, 0x1800));
    d.fmt = NV_ORACLE_PBDMA_BOTH;
    put_words(&bench, 0x1000, WORDS(0xa0010fff, 5, 0x00080100, 6, 7, 0xa0020fff));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x40000 && d.pb_get == 0x1018);
    CHECK(bench.method_count == 3 && sent(&bench, 2, 0, 0x104, 7));
}

static void pbdma_subdevice(void)
{
    /* STORE 3, SET 2 (ID is 1: off), a method, USE (on), a method */
    struct nv_oracle_pbdma d = ring(NV_ORACLE_KEPLER, WORDS(0x1000, 0x1c00));
    put_words(&bench, 0x1000,
              WORDS(0x00020030, 0x00010020, 0x20010040, 1, 0x80020040, 0x00030000, 0x80030040));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(bench.method_count == 1 && sent(&bench, 0, 0, 0x100, 3));
    CHECK(d.subdevice_stored_mask == 3 && d.subdevice_status == 1);

    /* With CHANNEL_DMA 0 methods pass, STORE passes, SET does not. */
    d = ring(NV_ORACLE_KEPLER, WORDS(0x1000, 0xc00));
    d.subdevice_channel_dma = 0;
    d.subdevice_status = 0;
    put_words(&bench, 0x1000, WORDS(0x80010040, 0x00020030, 0x00010010));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x40000);
    CHECK(bench.method_count == 1 && d.subdevice_stored_mask == 3);

    /* Conditional: SET ends the segment, the next conditional one is skipped. */
    d = ring(NV_ORACLE_KEPLER, WORDS(0x1001, 0x800, 0x1101, 0x400, 0x1200, 0x800));
    put_words(&bench, 0x1000, WORDS(0x00010020, 0xc0000000));
    put_le(&bench, 0x1100, 0xc0000000);
    put_words(&bench, 0x1200, WORDS(0x00010010, 0x80010040));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(bench.method_count == 1 && d.gp_get == 3);

    /* Header in an unconditional segment, data in a conditional one. */
    d = ring(NV_ORACLE_KEPLER, WORDS(0x1000, 0x400, 0x1101, 0x800));
    put_le(&bench, 0x1000, 0x20010040);
    put_words(&bench, 0x1100, WORDS(8, 0x80010040));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x40000000);
    CHECK(d.pb_get == 0x1104 && d.pb_count == 0);
    nv_oracle_pbdma_clear(&d, NV_ORACLE_INTR_PBSEG);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE && bench.method_count == 2);
}

static uint32_t crc_text(const char *text)
{
    uint32_t crc = 0;
    while (*text != '\0') {
        crc = nv_oracle_crc_byte(crc, (uint8_t)*text++);
    }
    return crc;
}

static void pbdma_entries(void)
{
    struct nv_oracle_pbdma d;

    CHECK(crc_text("123456789") == 0x89a1897f);

    /* ILLEGAL is discarded, PB_CRC and GP_CRC of nothing are 0, opcode 4 is Hopper's. */
    d = ring(NV_ORACLE_AMPERE,
             WORDS(0xdeadbeef, 1, 0x12345678, 0x80000003, 0x12345678, 2, 0x00012300, 4));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x8000 && d.gp_get == 1);
    nv_oracle_pbdma_clear(&d, 0x8000);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x80000 && d.gp_get == 2);
    nv_oracle_pbdma_clear(&d, 0x80000);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x10000 && d.gp_get == 3);
    nv_oracle_pbdma_clear(&d, 0x10000);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x8000 && d.gp_get == 4);

    d = ring(NV_ORACLE_HOPPER, WORDS(0x00012300, 4, 0x05678000, 0x400));
    CHECK(nv_oracle_pbdma_step(&d, &pbdma_env) == NV_ORACLE_PBDMA_OK);
    CHECK(nv_oracle_pbdma_step(&d, &pbdma_env) == NV_ORACLE_PBDMA_OK);
    CHECK(d.pb_get == 0x1230005678000 && d.pb_put == 0x1230005678004);
    CHECK(nv_oracle_pbdma_step(&d, &pbdma_env) == NV_ORACLE_PBDMA_FAULT && d.intr == 0);
}

static void pbdma_limits(void)
{
    /* The last dword of the 40-bit space cannot be used; the one before can. */
    struct nv_oracle_pbdma d = ring(NV_ORACLE_FERMI, WORDS(0xfffffffc, 0x4ff, 0xfffffff8, 0x4ff));
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x8000 && d.gp_crc == 0);
    nv_oracle_pbdma_clear(&d, 0x8000);
    CHECK(nv_oracle_pbdma_step(&d, &pbdma_env) == NV_ORACLE_PBDMA_OK);
    CHECK(d.pb_get == 0xfffffffff8 && d.pb_put == 0xfffffffffc);

    /* tinygrad's entry: 12 dwords at 0x2_0040_0000, LEVEL 1 */
    d = ring(NV_ORACLE_AMPERE, WORDS(0x00400000, 0x00003202));
    CHECK(nv_oracle_pbdma_step(&d, &pbdma_env) == NV_ORACLE_PBDMA_OK);
    CHECK(d.pb_get == 0x200400000 && d.pb_put == 0x200400030 && d.seg_subroutine);
    CHECK(d.top_level_get == 0 && !d.top_level_get_valid);

    /* GPPTR, GPFIFO, and the wrap of GP_GET */
    d.pb_get = d.pb_put;
    d.gp_put = 8;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x4000);
    d = ring(NV_ORACLE_FERMI, WORDS(0, 0));
    d.gp_base = 0xffffffffc8;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x2000);
    d.gp_base = 0xffffffffc0;
    nv_oracle_pbdma_clear(&d, 0x2000);
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_FAULT && d.gp_get == 0);
    d.gp_base = 0x1800;
    d.gp_get = 7;
    d.gp_put = 0;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE && d.gp_get == 0);
}

static void pbdma_crc(void)
{
    /* 31 32 33 34 | 35 36 37 38 as words; one more byte 39 gives the check value */
    struct nv_oracle_pbdma d = ring(NV_ORACLE_FERMI, WORDS(0x1000, 0x800, 0, 3, 0, 0));
    put_words(&bench, 0x1000, WORDS(0x34333231, 0x38373635));
    d.pb_count = 2; /* both words are data */
    d.pb_header.type = NV_ORACLE_TYPE_NON_INC;
    d.gp_put = 1;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(nv_oracle_crc_byte(d.pb_crc, '9') == 0x89a1897f && !d.pb_crc_indeterminate);
    put_le(&bench, 0x1808, d.pb_crc);
    d.gp_put = 2;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE);
    CHECK(d.gp_crc == nv_oracle_crc_word(nv_oracle_crc_word(0, 0x1000), 0x800));
    put_words(&bench, 0x1810, WORDS(d.gp_crc, 2));
    d.gp_put = 3;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE && d.gp_crc == 0);

    /* each segment starts from 0 */
    d = ring(NV_ORACLE_FERMI, WORDS(0x1000, 0x800, 0x1000, 0x800));
    put_words(&bench, 0x1000, WORDS(0x34333231, 0x38373635));
    d.pb_count = 4;
    CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_IDLE && d.gp_get == 2);
    CHECK(nv_oracle_crc_byte(d.pb_crc, '9') == 0x89a1897f);
}

/* Entry bits that some generations lack, and GP_CRC after a discarded entry. */
static void pbdma_generations(void)
{
    static const struct {
        enum nv_oracle_gen gen;
        int no_context_switch;
        int priv;
        uint32_t gp_crc;
    } rows[] = {
        {NV_ORACLE_FERMI,  1, 1, 5},
        {NV_ORACLE_KEPLER, 0, 1, 5},
        {NV_ORACLE_TURING, 0, 0, 5},
        {NV_ORACLE_AMPERE, 0, 0, 0},
        {NV_ORACLE_HOPPER, 0, 0, 0},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nv_oracle_pbdma d = ring(rows[i].gen, WORDS(0x1002, 0x80000500, 0, 1));
        CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.intr == 0x8000 && d.pb_get == 0x1004);
        CHECK(d.seg_no_context_switch == rows[i].no_context_switch);
        CHECK(d.seg_priv == rows[i].priv && !d.seg_conditional && !d.sync);

        d = ring(rows[i].gen, WORDS(0, 0x80000001));
        d.gp_crc = 5;
        CHECK(pbdma_run(&d) == NV_ORACLE_PBDMA_INTR && d.sync);
        CHECK(d.gp_crc == rows[i].gp_crc);
    }
}

/* ---- comparison of the oracles with each other ---------------------------------------------- */

/* Return word n of a series: the bits that select the form have every value; other bits are
 * random. */
static uint32_t probe_word(uint32_t n)
{
    static uint32_t seed = 0x9e3779b9;
    uint32_t deciding = (n & 0xe0) << 24 | (n & 0x1c) << 14 | (n & 3);
    uint32_t other = 0;
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    if (n & 0x100) {
        other = seed & ((n & 0x200) ? 0x1ff8fffc : 0x0000fffc);
    }
    return deciding | other;
}

/* The executor rejects the first word of a stream exactly if the pictures call it INVALID. */
static void forms_against_pusher(const struct nv_oracle_gate *gate, uint32_t word)
{
    static const int chip_idx[] = {3, 7, 9, 23, 40};
    struct nv_oracle_pusher p = nv4_style(chip_idx[gate->chip], &word, 1);
    enum nv_oracle_form_id form = nv_oracle_form(gate, word);
    uint32_t mcnt;
    p.ib_enable = gate->ib;
    p.sli_enable = gate->sli_enable;
    p.subr_active = form == NV_ORACLE_RETURN;
    nv_oracle_pusher_step(&p, &pusher_env);
    mcnt = form == NV_ORACLE_INC || form == NV_ORACLE_NON_INC
               ? nv_oracle_field(gate, form, 'C', word)
               : 0;
    CHECK((p.error != NV_ORACLE_NO_ERROR) == (form == NV_ORACLE_INVALID));
    CHECK(p.dma_state.mcnt == mcnt);
    CHECK(p.dma_state.lenp == (form == NV_ORACLE_LONG_NON_INC));
    CHECK(p.subr_active == (form == NV_ORACLE_CALL));
    if (form == NV_ORACLE_JUMP || form == NV_ORACLE_JUMP_OLD || form == NV_ORACLE_CALL) {
        CHECK(p.dma_get == nv_oracle_target(gate, form, word));
    } else if (form != NV_ORACLE_RETURN) {
        CHECK(p.dma_get == 0x1004);
        CHECK(p.dma_state.mthd * 4 == nv_oracle_mthd_bytes(gate, form, word));
        CHECK(p.dma_state.subc == nv_oracle_field(gate, form, 'S', word));
    }
}

static void forms_against_pbdma(const struct nv_oracle_gate *gate, uint32_t word)
{
    static const enum nv_oracle_pbdma_fmt fmts[] = {NV_ORACLE_PBDMA_NEW, NV_ORACLE_PBDMA_NEW,
                                                    NV_ORACLE_PBDMA_OLD, NV_ORACLE_PBDMA_BOTH};
    struct nv_oracle_pbdma d = ring(NV_ORACLE_FERMI, WORDS(0x1000, 0x400));
    enum nv_oracle_form_id form = nv_oracle_form(gate, word);
    uint32_t count = nv_oracle_field(gate, form, 'C', word);
    uint32_t last = nv_oracle_field(gate, form, 'M', word) + count;
    int wraps = (form == NV_ORACLE_INC && count != 0 && last > 0x1000) ||
                (form == NV_ORACLE_ONE_INC && count >= 2 && last - count == 0xfff);
    put_le(&bench, 0x1000, word);
    d.fmt = fmts[gate->fmt];
    pbdma_run(&d);
    CHECK((d.intr != 0) == (form == NV_ORACLE_INVALID || wraps));
    CHECK(d.pb_count == (wraps ? 0 : count));
    CHECK(bench.method_count == (form == NV_ORACLE_IMMD));
    if (form == NV_ORACLE_IMMD || (count != 0 && !wraps)) {
        CHECK(d.pb_header.method == nv_oracle_mthd_bytes(gate, form, word));
        CHECK(d.pb_header.subch == nv_oracle_field(gate, form, 'S', word));
    }
}

static void forms_against_machines(void)
{
    int g;
    uint32_t n;
    for (g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        for (n = 0; n < 0x1000; n++) {
            if (nv_oracle_gates[g].chip == NV_ORACLE_GF100) {
                forms_against_pbdma(&nv_oracle_gates[g], probe_word(n));
            } else {
                forms_against_pusher(&nv_oracle_gates[g], probe_word(n));
            }
        }
    }
}

int main(void)
{
    nv_oracle_forms_init();
    forms_known_words();
    forms_masks();
    forms_census();
    pusher_methods();
    pusher_flow();
    pusher_errors();
    pusher_bad_words();
    pusher_ib_segments();
    pusher_ib_entries();
    pusher_low_methods();
    pusher_user_area();
    pbdma_methods();
    pbdma_pbentry();
    pbdma_subdevice();
    pbdma_entries();
    pbdma_limits();
    pbdma_crc();
    pbdma_generations();
    forms_against_machines();
    printf("nv_oracle: %u passed, %u failed\n", checks - failures, failures);
    return failures != 0;
}

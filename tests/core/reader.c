/* core/reader.c - statuses, bit fields, byte orders and the word reader. */
#include "gpucmd.h"
#include "test.h"

/* ---- statuses and other names --------------------------------------------------------------- */

static void statuses(void)
{
    static const struct {
        int number;
        const char *name;
    } rows[] = {
        {0,  "OK"         },
        {1,  "FULL"       },
        {2,  "RANGE"      },
        {3,  "ALIGN"      },
        {4,  "ORDER"      },
        {5,  "UNSUPPORTED"},
        {6,  "TRUNCATED"  },
        {7,  "INVALID"    },
        {8,  "FAULT"      },
        {9,  "LIMIT"      },
        {10, "BLOCKED"    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(strcmp(gpucmd_status_name((gpucmd_status)rows[i].number), rows[i].name) == 0);
        CHECK(strlen(gpucmd_status_text((gpucmd_status)rows[i].number)) > 3);
        for (size_t k = 0; k < i; k++) {
            CHECK(strcmp(gpucmd_status_text((gpucmd_status)rows[i].number),
                         gpucmd_status_text((gpucmd_status)rows[k].number)) != 0);
        }
    }
    /* '"?" for a number without a row' */
    CHECK(strcmp(gpucmd_status_name((gpucmd_status)rows[10].number + 1), "?") == 0);
    CHECK(strcmp(gpucmd_status_text((gpucmd_status)rows[10].number + 1), "?") == 0);
}

static void names(void)
{
    CHECK(strcmp(gpucmd_event_name(GPUCMD_EVENT_METHODS), "METHODS") == 0);
    CHECK(strcmp(gpucmd_event_name(GPUCMD_EVENT_REG_WRITE), "REG_WRITE") == 0);
    CHECK(strcmp(gpucmd_event_name(GPUCMD_EVENT_ERROR), "ERROR") == 0);
    CHECK(strcmp(gpucmd_event_name((gpucmd_event_kind)(GPUCMD_EVENT_RULE + 1)), "?") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_DONE), "DONE") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_IDLE), "IDLE") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_BLOCKED), "BLOCKED") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_FAULT), "FAULT") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_LIMIT), "LIMIT") == 0);
    CHECK(strcmp(gpucmd_run_name((gpucmd_run)(GPUCMD_RUN_LIMIT + 1)), "?") == 0);
}

static gpucmd_status refuse(void *user, const gpucmd_event *event)
{
    (void)user;
    (void)event;
    return GPUCMD_FAULT;
}

static void env(void)
{
    gpucmd_env e;
    gpucmd_mem mem;
    int user = 0;
    memset(&e, 0x5a, sizeof e);
    gpucmd_env_init(&e, &mem, refuse, &user);
    CHECK(e.mem == &mem && e.event == refuse && e.user == &user);
    CHECK(e.trace == NULL && e.trace_user == NULL);
    gpucmd_env_init(&e, &mem, NULL, NULL);
    CHECK(e.event == NULL && e.user == NULL);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* A field whose bits the test changes: the field macros need only these two names. */
static int GPUCMD_ANY_HI, GPUCMD_ANY_LO;

/* Check every pair of hi and lo; the expected mask is built bit by bit. */
static void field_places(void)
{
    for (int hi = 0; hi < 32; hi++) {
        for (int lo = 0; lo <= hi; lo++) {
            uint32_t mask = 0;
            uint32_t max = 0;
            for (int bit = lo; bit <= hi; bit++) {
                mask |= (uint32_t)1 << bit;
                max = max * 2 + 1;
            }
            GPUCMD_ANY_HI = hi;
            GPUCMD_ANY_LO = lo;
            EQUAL(GPUCMD_FIELD_MAX(ANY), max);
            EQUAL(GPUCMD_FIELD_MASK(ANY), mask);
            EQUAL(GPUCMD_FIELD_PUT(ANY, max), mask);
            EQUAL(GPUCMD_FIELD_PUT(ANY, 0), 0);
            EQUAL(GPUCMD_FIELD_PUT(ANY, 1), (uint32_t)1 << lo);
            EQUAL(GPUCMD_FIELD_GET(ANY, 0xffffffffu), max);
            EQUAL(GPUCMD_FIELD_GET(ANY, ~mask), 0);
            EQUAL(GPUCMD_FIELD_GET(ANY, 0xa5c3f017u), (0xa5c3f017u & mask) >> lo);
            EQUAL(GPUCMD_FIELD_GET(ANY, GPUCMD_FIELD_PUT(ANY, max / 3)), max / 3);
        }
    }
}

enum {
    GPUCMD_FULL_WORD_HI = 31,
    GPUCMD_FULL_WORD_LO = 0,
    GPUCMD_TOP_BIT_HI = 31,
    GPUCMD_TOP_BIT_LO = 31,
    GPUCMD_COUNT_HI = 28,
    GPUCMD_COUNT_LO = 16,
};

/* Integer constant expressions: they can initialise an enum, an array and a case. */
enum { COUNT_7 = GPUCMD_FIELD_CONST(COUNT, 7) };
static const uint32_t constants[] = {
    GPUCMD_FIELD_CONST(FULL_WORD, 0xffffffffu),
    GPUCMD_FIELD_CONST(FULL_WORD, 0),
    GPUCMD_FIELD_CONST(TOP_BIT, 1),
    GPUCMD_FIELD_CONST(COUNT, 0x1fff),
    GPUCMD_FIELD_MAX(FULL_WORD),
    GPUCMD_FIELD_MASK(COUNT),
};

static void field_constants(void)
{
    EQUAL(COUNT_7, 0x00070000);
    EQUAL(constants[0], 0xffffffff);
    EQUAL(constants[1], 0);
    EQUAL(constants[2], 0x80000000);
    EQUAL(constants[3], 0x1fff0000);
    EQUAL(constants[4], 0xffffffff);
    EQUAL(constants[5], 0x1fff0000);
    switch (constants[2]) {
    case GPUCMD_FIELD_CONST(TOP_BIT, 1): CHECK(true); break;
    default: CHECK(constants[2] == GPUCMD_FIELD_CONST(TOP_BIT, 1));
    }
    /* FIELD_PUT uses only the low half of a 64-bit value */
    EQUAL(GPUCMD_FIELD_PUT(FULL_WORD, 0x123456789abcdef0ull), 0x9abcdef0);
}

/* ---- byte orders ---------------------------------------------------------------------------- */

static void endian(void)
{
    static const uint8_t bytes[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    uint8_t buf[32];
    uint32_t one = 1;
    CHECK(gpucmd_cpu_endian() ==
          (*(uint8_t *)&one == 1 ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN));
    for (size_t off = 0; off < 8; off++) { /* "at any alignment" */
        memset(buf, 0xee, sizeof buf);
        memcpy(buf + off, bytes, sizeof bytes);
        EQUAL(gpucmd_load32(buf + off, GPUCMD_LITTLE_ENDIAN), 0x44332211);
        EQUAL(gpucmd_load32(buf + off, GPUCMD_BIG_ENDIAN), 0x11223344);
        EQUAL(gpucmd_load64(buf + off, GPUCMD_LITTLE_ENDIAN), 0x8877665544332211ull);
        EQUAL(gpucmd_load64(buf + off, GPUCMD_BIG_ENDIAN), 0x1122334455667788ull);

        memset(buf, 0xee, sizeof buf);
        gpucmd_store32(buf + 8 + off, 0x44332211, GPUCMD_LITTLE_ENDIAN);
        CHECK(memcmp(buf + 8 + off, bytes, 4) == 0);
        EQUAL(buf[7 + off], 0xee);
        EQUAL(buf[12 + off], 0xee);
        gpucmd_store32(buf + 8 + off, 0x11223344, GPUCMD_BIG_ENDIAN);
        CHECK(memcmp(buf + 8 + off, bytes, 4) == 0);
        gpucmd_store64(buf + 8 + off, 0x8877665544332211ull, GPUCMD_LITTLE_ENDIAN);
        CHECK(memcmp(buf + 8 + off, bytes, 8) == 0);
        memset(buf, 0xee, sizeof buf);
        gpucmd_store64(buf + 8 + off, 0x1122334455667788ull, GPUCMD_BIG_ENDIAN);
        CHECK(memcmp(buf + 8 + off, bytes, 8) == 0);
        EQUAL(buf[7 + off], 0xee);
        EQUAL(buf[16 + off], 0xee);
    }
}

static void words_of_either_order(void)
{
    static const uint32_t words[3] = {0x01020304, 0xa1b2c3d4, 0x00ff7f80};
    static const uint8_t little[12] = {0x04, 0x03, 0x02, 0x01, 0xd4, 0xc3,
                                       0xb2, 0xa1, 0x80, 0x7f, 0xff, 0x00};
    static const uint8_t big[12] = {0x01, 0x02, 0x03, 0x04, 0xa1, 0xb2,
                                    0xc3, 0xd4, 0x00, 0xff, 0x7f, 0x80};
    for (size_t off = 0; off < 5; off++) {
        uint8_t buf[20];
        uint32_t back[4] = {9, 9, 9, 9};
        memset(buf, 0xee, sizeof buf);
        gpucmd_store_words(buf + off, words, 3, GPUCMD_LITTLE_ENDIAN);
        CHECK(memcmp(buf + off, little, 12) == 0);
        EQUAL(buf[off + 12], 0xee);
        gpucmd_load_words(back, buf + off, 3, GPUCMD_LITTLE_ENDIAN);
        CHECK(memcmp(back, words, 12) == 0 && back[3] == 9);
        gpucmd_store_words(buf + off, words, 3, GPUCMD_BIG_ENDIAN);
        CHECK(memcmp(buf + off, big, 12) == 0);
        EQUAL(buf[off + 12], 0xee);
        memset(back, 0, 12);
        gpucmd_load_words(back, buf + off, 3, GPUCMD_BIG_ENDIAN);
        CHECK(memcmp(back, words, 12) == 0 && back[3] == 9);
        gpucmd_load_words(back, buf + off, 0, GPUCMD_BIG_ENDIAN);
        gpucmd_store_words(buf + off, words + 1, 0, GPUCMD_BIG_ENDIAN);
        CHECK(memcmp(buf + off, big, 12) == 0);
    }
}

static void float_bits(void)
{
    EQUAL(gpucmd_float_bits(0.0f), 0x00000000);
    EQUAL(gpucmd_float_bits(-0.0f), 0x80000000);
    EQUAL(gpucmd_float_bits(1.0f), 0x3f800000);
    EQUAL(gpucmd_float_bits(-2.5f), 0xc0200000);
    EQUAL(gpucmd_float_bits(0.1f), 0x3dcccccd);
}

/* ---- reader --------------------------------------------------------------------------------- */

/* The parts of CPUs that lack an instruction, against the operators of this CPU. */
static void without_instructions(void)
{
    for (uint32_t n = 0; n < 64; n++) {
        const uint64_t v = 0x9234567887654321u;
        EQUAL(gpucmd_priv_shl_halves((uint32_t)v, (uint32_t)(v >> 32), n), v << n);
        EQUAL(gpucmd_priv_shr_halves((uint32_t)v, (uint32_t)(v >> 32), n), v >> n);
        EQUAL(gpucmd_priv_shl(v, n), v << n);
        EQUAL(gpucmd_priv_shr(v, n), v >> n);
    }
    static const uint64_t values[] = {
        0,          1,           2,           3,           7,          10,          0xffff,
        0x10000,    0x10001,     0x7fffffff,  0x80000000,  0x80000001, 0xaaaaaaab,  0xfffffffe,
        0xffffffff, 0x100000000, 0x1ffffffff, 0x123456789, ~0ull / 10, ~0ull << 63, ~0ull};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            const uint64_t a = values[i], b = values[k];
            EQUAL(gpucmd_priv_mul_parts(a, b), a * b);
            EQUAL(gpucmd_priv_mul(a, b), a * b);
            if ((uint32_t)b != 0) {
                EQUAL(gpucmd_priv_div_steps((uint32_t)a, (uint32_t)b), (uint32_t)a / (uint32_t)b);
                EQUAL(gpucmd_priv_div((uint32_t)a, (uint32_t)b), (uint32_t)a / (uint32_t)b);
                EQUAL(gpucmd_priv_rem((uint32_t)a, (uint32_t)b), (uint32_t)a % (uint32_t)b);
            }
        }
    }
}

static void reader(void)
{
    static const uint32_t words[4] = {5, 6, 7, 8};
    gpucmd_reader r;
    gpucmd_reader_init(&r, words, 4);
    EQUAL(gpucmd_reader_left_dw(&r), 4);
    EQUAL(gpucmd_reader_at_dw(&r), 0);
    EQUAL(gpucmd_reader_next(&r), 5);
    CHECK(gpucmd_reader_take(&r, 2) == words + 1);
    EQUAL(gpucmd_reader_left_dw(&r), 1);
    EQUAL(gpucmd_reader_at_dw(&r), 3);
    EQUAL(r.status, GPUCMD_OK);
    /* "or if fewer words remain (GPUCMD_TRUNCATED): the position is then unchanged" */
    CHECK(gpucmd_reader_take(&r, 2) == NULL);
    EQUAL(r.status, GPUCMD_TRUNCATED);
    EQUAL(gpucmd_reader_left_dw(&r), 1);
    EQUAL(gpucmd_reader_at_dw(&r), 3);
    /* "It keeps its first failure; later reads return no words." */
    CHECK(gpucmd_reader_take(&r, 1) == NULL);
    EQUAL(gpucmd_reader_next(&r), 0);
    EQUAL(gpucmd_reader_at_dw(&r), 3);
    EQUAL(r.status, GPUCMD_TRUNCATED);
    /* up to the last word, then one word more */
    gpucmd_reader_init(&r, words, 4);
    CHECK(gpucmd_reader_take(&r, 4) == words);
    EQUAL(gpucmd_reader_left_dw(&r), 0);
    EQUAL(r.status, GPUCMD_OK);
    EQUAL(gpucmd_reader_next(&r), 0);
    EQUAL(r.status, GPUCMD_TRUNCATED);
    EQUAL(gpucmd_reader_at_dw(&r), 4);
    /* a length larger than any buffer */
    gpucmd_reader_init(&r, words, 4);
    CHECK(gpucmd_reader_take(&r, (size_t)-1) == NULL);
    EQUAL(r.status, GPUCMD_TRUNCATED);
    /* "base may be NULL if len_dw is 0" */
    gpucmd_reader_init(&r, NULL, 0);
    EQUAL(gpucmd_reader_left_dw(&r), 0);
    EQUAL(gpucmd_reader_at_dw(&r), 0);
    EQUAL(r.status, GPUCMD_OK);
    EQUAL(gpucmd_reader_next(&r), 0);
    EQUAL(r.status, GPUCMD_TRUNCATED);
}

int main(void)
{
    statuses();
    names();
    env();
    field_places();
    field_constants();
    endian();
    words_of_either_order();
    float_bits();
    without_instructions();
    reader();
    return test_report("core_reader");
}

/* core/writer.c - the writer: whole commands, sticky first failure, counts, measuring. */
static unsigned fail_calls; /* how often GPUCMD_ON_FAIL ran */
#define GPUCMD_ON_FAIL(writer) (fail_calls++)
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

/* Never changed. Not const, so that no compiler evaluates failing calls at build time. */
static uint32_t data[8] = {0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87};
static const uint32_t *volatile nowhere = NULL;

/* Start w in a buffer of cap_dw words between guards. */
static void start(size_t cap_dw)
{
    test_begin(2, 64);
    gpucmd_writer_init(&w, test.words + 1, cap_dw);
}

static void start_measure(void)
{
    test_begin(3, 64);
}

/* Expect this status, number of accepted words and needed size; gpucmd_writer_finish must agree. */
static void state(gpucmd_status want, size_t at_dw, size_t need_dw, int line)
{
    size_t len_dw = 0x5a5a;
    test_equal(w.status, want, __FILE__, line, "status");
    test_equal(gpucmd_writer_at_dw(&w), at_dw, __FILE__, line, "at_dw");
    test_equal(gpucmd_writer_need_dw(&w), need_dw, __FILE__, line, "need_dw");
    test_equal(gpucmd_writer_finish(&w, &len_dw), want, __FILE__, line, "finish");
    test_equal(len_dw, want == GPUCMD_OK ? at_dw : 0x5a5a, __FILE__, line, "len_dw");
}

#define STATE(status, at_dw, need_dw) state(status, at_dw, need_dw, __LINE__)

/* Expect the buffer to hold the first n_dw words of data, and guards everywhere else. */
static void holds(size_t n_dw, int line)
{
    for (size_t i = 0; i < 66; i++) {
        const uint32_t want = i >= 1 && i <= n_dw ? data[i - 1] : TEST_GUARD;
        test_equal(test.words[i], want, __FILE__, line, "word of the buffer");
    }
}

#define HOLDS(n_dw) holds(n_dw, __LINE__)

static void empty(void)
{
    uint32_t *volatile none = NULL; /* gcc warns of the constant NULL with words */
    /* "Start at base[0] with room for cap_dw words." */
    start(5);
    STATE(GPUCMD_OK, 0, 0);
    HOLDS(0);
    start(0);
    STATE(GPUCMD_OK, 0, 0);
    start_measure();
    STATE(GPUCMD_OK, 0, 0);
    /* "If base is NULL the writer measures [...] and cap_dw is ignored." */
    gpucmd_writer_init(&w, none, 77);
    STATE(GPUCMD_OK, 0, 0);
    /* gpucmd_writer_init clears an earlier failure */
    start(0);
    gpucmd_writer_emit_words(&w, data, 1);
    CHECK(w.status == GPUCMD_FULL);
    gpucmd_writer_init(&w, test.words + 1, 1);
    STATE(GPUCMD_OK, 0, 0);
}

static void emit_words(void)
{
    EMITS(WORDS(0x10), gpucmd_writer_emit_words(&w, data, 1));
    EMITS(WORDS(0x10, 0x21, 0x32), gpucmd_writer_emit_words(&w, data, 3));
    EMITS(WORDS(0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87),
          gpucmd_writer_emit_words(&w, data, 8));
    /* two commands: the first is accepted, the second does not fit */
    start(5);
    gpucmd_writer_emit_words(&w, data, 3);
    gpucmd_writer_emit_words(&w, data + 3, 3);
    STATE(GPUCMD_FULL, 3, 6);
    HOLDS(3);
    /* "data may be NULL if n_dw is 0": no effect, also in a full buffer */
    start(0);
    gpucmd_writer_emit_words(&w, NULL, 0);
    STATE(GPUCMD_OK, 0, 0);
    start_measure();
    gpucmd_writer_emit_words(&w, NULL, 0);
    STATE(GPUCMD_OK, 0, 0);
    /* while measuring, data is not read */
    start_measure();
    gpucmd_writer_emit_words(&w, nowhere, 1000000);
    STATE(GPUCMD_OK, 1000000, 1000000);
    HOLDS(0);
    /* more words than fit into the address space */
    volatile size_t far_too_many_dw = (size_t)-1 / 4;
    start(8);
    gpucmd_writer_emit_words(&w, nowhere, far_too_many_dw);
    STATE(GPUCMD_FULL, 0, (size_t)-1 / 4);
    HOLDS(0);
}

static void every_capacity(void)
{
    /* Three commands of 2, 3 and 1 words in a buffer of 0..7 words. Accepted commands are whole,
     * and the needed size does not depend on the buffer. */
    static const size_t len_dw[3] = {2, 3, 1};
    static const size_t accepted_dw[8] = {0, 0, 2, 2, 2, 5, 6, 6};
    for (size_t cap_dw = 0; cap_dw < 8; cap_dw++) {
        start(cap_dw);
        size_t at_dw = 0;
        for (size_t i = 0; i < 3; i++) {
            gpucmd_writer_emit_words(&w, data + at_dw, len_dw[i]);
            at_dw += len_dw[i];
        }
        STATE(cap_dw < 6 ? GPUCMD_FULL : GPUCMD_OK, accepted_dw[cap_dw], 6);
        HOLDS(accepted_dw[cap_dw]);
    }
}

static void first_failure_sticks(void)
{
    /* A command is written whole or not at all. After a failure, emits store nothing but count. */
    start(4);
    gpucmd_writer_emit_words(&w, data, 2);
    gpucmd_writer_emit_words(&w, data + 2, 3); /* one word more than fits */
    gpucmd_writer_emit_words(&w, data + 2, 1); /* would fit, but comes after the failure */
    STATE(GPUCMD_FULL, 2, 6);
    HOLDS(2);
    /* FULL, then a failing patch: the status stays FULL, and the needed size is unchanged */
    gpucmd_writer_patch(&w, 6, 0);
    STATE(GPUCMD_FULL, 2, 6);
    /* RANGE, then words that fit: the status stays RANGE, and the words are counted */
    start(4);
    gpucmd_writer_emit_words(&w, data, 1);
    gpucmd_writer_patch(&w, 1, 0);
    STATE(GPUCMD_RANGE, 1, 1);
    gpucmd_writer_emit_words(&w, data + 1, 2);
    STATE(GPUCMD_RANGE, 1, 3);
    gpucmd_writer_emit_words(&w, nowhere, 9);
    STATE(GPUCMD_RANGE, 1, 12);
    HOLDS(1);
    /* a RANGE failure and later words, while measuring */
    start_measure();
    gpucmd_writer_emit_words(&w, data, 1);
    gpucmd_writer_patch(&w, 1, 0);
    STATE(GPUCMD_RANGE, 1, 1);
    gpucmd_writer_emit_words(&w, data + 1, 2);
    STATE(GPUCMD_RANGE, 1, 3);
    HOLDS(0);
}

static void on_fail(void)
{
    /* GPUCMD_ON_FAIL: "called at the first failure of each writer" */
    fail_calls = 0;
    start(2);
    gpucmd_writer_emit_words(&w, data, 2);
    EQUAL(fail_calls, 0);
    gpucmd_writer_emit_words(&w, data, 2);
    EQUAL(fail_calls, 1);
    gpucmd_writer_emit_words(&w, data, 2);
    gpucmd_writer_patch(&w, 9, 0);
    gpucmd_writer_commit(&w, 1);
    EQUAL(fail_calls, 1);
    start_measure();
    gpucmd_writer_emit_words(&w, data, 8);
    EQUAL(fail_calls, 1);
    gpucmd_writer_patch(&w, 9, 0);
    EQUAL(fail_calls, 2);
}

static void reserve_commit(void)
{
    uint32_t *at;
    /* "Returns where to store them, in order" */
    start(4);
    gpucmd_writer_emit_words(&w, data, 1);
    at = gpucmd_writer_reserve(&w, 3);
    CHECK(at == test.words + 2);
    STATE(GPUCMD_OK, 1, 1); /* nothing is appended before the commit */
    at[0] = data[1];
    at[1] = data[2];
    gpucmd_writer_commit(&w, 2); /* fewer than reserved */
    STATE(GPUCMD_OK, 3, 3);
    at = gpucmd_writer_reserve(&w, 1);
    CHECK(at == test.words + 4);
    at[0] = data[3];
    gpucmd_writer_commit(&w, 1);
    STATE(GPUCMD_OK, 4, 4);
    HOLDS(4);
    /* no words: the next address, and no failure in a full buffer */
    CHECK(gpucmd_writer_reserve(&w, 0) == test.words + 5);
    STATE(GPUCMD_OK, 4, 4);
    CHECK(gpucmd_writer_reserve(&w, 1) == NULL);
    CHECK(gpucmd_writer_reserve(&w, 0) == NULL);
    STATE(GPUCMD_FULL, 4, 5);
    /* commit of 0 words drops a reservation, and so does a second reserve */
    start(4);
    CHECK(gpucmd_writer_reserve(&w, 4) == test.words + 1);
    gpucmd_writer_commit(&w, 0);
    STATE(GPUCMD_OK, 0, 0);
    CHECK(gpucmd_writer_reserve(&w, 4) == test.words + 1);
    STATE(GPUCMD_OK, 0, 0);
    /* "NULL [...] if there is no room (GPUCMD_FULL) [...]: n_dw is then counted" */
    CHECK(gpucmd_writer_reserve(&w, 5) == NULL);
    STATE(GPUCMD_FULL, 0, 5);
    CHECK(gpucmd_writer_reserve(&w, 1) == NULL);
    STATE(GPUCMD_FULL, 0, 6);
    HOLDS(0);
    /* "and while measuring" */
    start_measure();
    CHECK(gpucmd_writer_reserve(&w, 5) == NULL);
    STATE(GPUCMD_OK, 5, 5);
    gpucmd_writer_commit(&w, 0); /* "also after a failure and while measuring" */
    STATE(GPUCMD_OK, 5, 5);
    start(0);
    gpucmd_writer_emit_words(&w, data, 1);
    gpucmd_writer_commit(&w, 0);
    STATE(GPUCMD_FULL, 0, 1);
    /* "GPUCMD_ORDER: more words than the buffer has" */
    start(4);
    CHECK(gpucmd_writer_reserve(&w, 2) != NULL);
    gpucmd_writer_commit(&w, 5);
    STATE(GPUCMD_ORDER, 0, 0);
    CHECK(gpucmd_writer_reserve(&w, 1) == NULL);
    STATE(GPUCMD_ORDER, 0, 1);
    start(4);
    gpucmd_writer_emit_words(&w, data, 3);
    gpucmd_writer_commit(&w, (size_t)-1);
    STATE(GPUCMD_ORDER, 3, 3);
    HOLDS(3);
}

static void patch(void)
{
    /* "Overwrite the word at position at_dw" */
    start(4);
    gpucmd_writer_emit_words(&w, data, 4);
    gpucmd_writer_patch(&w, 0, 0xabcd);
    gpucmd_writer_patch(&w, 3, 0xffffffff);
    STATE(GPUCMD_OK, 4, 4);
    EQUAL(test.words[1], 0xabcd);
    EQUAL(test.words[2], 0x21);
    EQUAL(test.words[3], 0x32);
    EQUAL(test.words[4], 0xffffffff);
    EQUAL(test.words[5], TEST_GUARD);
    /* "GPUCMD_RANGE: no word was written there yet": at the end, in an empty writer, far outside */
    gpucmd_writer_patch(&w, 4, 1);
    STATE(GPUCMD_RANGE, 4, 4);
    EQUAL(test.words[5], TEST_GUARD);
    start(4);
    gpucmd_writer_patch(&w, 0, 1);
    STATE(GPUCMD_RANGE, 0, 0);
    HOLDS(0);
    start(4);
    gpucmd_writer_emit_words(&w, data, 2);
    gpucmd_writer_patch(&w, (size_t)-1, 1);
    STATE(GPUCMD_RANGE, 2, 2);
    HOLDS(2);
    /* a reserved word that is not committed has not been written */
    start(4);
    CHECK(gpucmd_writer_reserve(&w, 1) != NULL);
    gpucmd_writer_patch(&w, 0, 1);
    STATE(GPUCMD_RANGE, 0, 0);
    HOLDS(0);
    /* "store nothing while measuring"; positions are still checked */
    start_measure();
    gpucmd_writer_emit_words(&w, data, 2);
    gpucmd_writer_patch(&w, 1, 1);
    STATE(GPUCMD_OK, 2, 2);
    gpucmd_writer_patch(&w, 2, 1);
    STATE(GPUCMD_RANGE, 2, 2);
    HOLDS(0);
    /* "After a failure the words accepted before it can still be overwritten" */
    start(1);
    gpucmd_writer_emit_words(&w, data, 1);
    gpucmd_writer_emit_words(&w, data, 1);
    gpucmd_writer_patch(&w, 0, 0x77);
    STATE(GPUCMD_FULL, 1, 2);
    EQUAL(test.words[1], 0x77);
}

/* ---- comparison with a simple model of the writer ------------------------------------------ */

static uint32_t seed = 12345;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

static void random_calls(void)
{
    for (int round = 0; round < 20000; round++) {
        uint32_t model[32];
        const bool measure = dice(4) == 0;
        const size_t cap_dw = dice(20);
        gpucmd_status status = GPUCMD_OK;
        size_t at_dw = 0;   /* words accepted */
        size_t need_dw = 0; /* size needed */
        bool same = true;
        for (int i = 0; i < 32; i++) {
            test.words[i] = TEST_GUARD;
            model[i] = TEST_GUARD;
        }
        gpucmd_writer_init(&w, measure ? NULL : test.words + 1, cap_dw);
        for (int step = 0; step < 8; step++) {
            const uint32_t n_dw = dice(6);
            if (dice(4) == 0) {
                const uint32_t v = dice(1000);
                gpucmd_writer_patch(&w, n_dw, v);
                if (n_dw >= at_dw) {
                    status = status == GPUCMD_OK ? GPUCMD_RANGE : status;
                } else if (!measure) {
                    model[1 + n_dw] = v;
                }
                continue;
            }
            const bool fits = measure || at_dw + n_dw <= cap_dw;
            const bool stored = status == GPUCMD_OK && fits;
            gpucmd_writer_emit_words(&w, data, n_dw);
            need_dw += n_dw;
            if (status == GPUCMD_OK && !fits) {
                status = GPUCMD_FULL;
            }
            for (uint32_t i = 0; stored && i < n_dw; i++, at_dw++) {
                if (!measure) {
                    model[1 + at_dw] = data[i];
                }
            }
            same = same && w.status == status && gpucmd_writer_at_dw(&w) == at_dw &&
                   gpucmd_writer_need_dw(&w) == need_dw;
        }
        if (!CHECK(same && memcmp(model, test.words, sizeof model) == 0)) {
            printf("    round %d\n", round);
            return;
        }
    }
}

/* A driver's cursor: into the writer, and out after the commands. */
static void cursor(void)
{
    static const uint32_t more[] = {20, 30};
    uint32_t words[4] = {1, 2, 3, 4};
    uint32_t *cs = words + 1;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, cs, 3);
    gpucmd_writer_emit_words(&w, more, 1);
    gpucmd_writer_emit_words(&w, more + 1, 1);
    cs = gpucmd_writer_next(&w);
    CHECK(cs == words + 3);
    gpucmd_writer_init(&w, NULL, 0);
    CHECK(gpucmd_writer_next(&w) == NULL);
    gpucmd_writer_init(&w, words, 0);
    gpucmd_writer_emit_words(&w, more, 1);
    CHECK(gpucmd_writer_next(&w) == NULL);
    GPUCMD_IGNORE(gpucmd_writer_finish(&w, &len_dw)); /* warn_unused_result is an error here */
    EQUAL(words[0], 1);
    EQUAL(words[2], 30);
    EQUAL(words[3], 4);
}

int main(void)
{
    cursor();
    empty();
    emit_words();
    every_capacity();
    first_failure_sticks();
    on_fail();
    reserve_commit();
    patch();
    random_calls();
    return test_report("core_writer");
}

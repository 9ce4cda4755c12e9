/* test.h - helpers for every test file: counted checks, comparison of emitted words, guard words.
 * A test file includes this header after the headers that it tests. Its main calls the cases and
 * ends with `return test_report("name");`. */
#ifndef GPUCMD_TEST_H
#define GPUCMD_TEST_H

#include <stdio.h>
#include <string.h>

#define TEST_MAX_DW 40000u
#define TEST_GUARD  0xdeadc0deu

static struct {
    unsigned passed, failed, skipped;
    uint32_t words[TEST_MAX_DW + 2]; /* guard, buffer, guard */
} test;

static gpucmd_writer w; /* writer for the calls inside EMITS and FAILS */

#ifdef FLIPS_KIND /* memory changes, see flips.h */
#define TEST_FAILS(good) (FLIPS_KIND != FLIPS_EXECUTOR && !(good))
#else
#define TEST_FAILS(good) (!(good))
#endif

/* Count one check. For a failure, print its place and the condition. */
static bool test_check(bool good, const char *file, int line, const char *what)
{
    if (TEST_FAILS(good)) {
        test.failed++;
        printf("%s:%d: failed: %s\n", file, line, what);
    } else {
        test.passed++;
    }
    return good;
}

/* Fill the stack below the caller with a value that is not 0, so that a later call notices what it
 * reads there without a value of its own. */
static inline void test_dirty(void)
{
    static size_t i; /* a local variable would leave its own place as it is */
    volatile unsigned char bytes[8192];
    for (i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(0xa5 + i);
    }
}

#define CHECK(cond) test_check((cond), __FILE__, __LINE__, #cond)

/* Expect two numbers to be equal; otherwise print both. */
static bool test_equal(uint64_t got, uint64_t want, const char *file, int line, const char *what)
{
    const bool good = test_check(got == want, file, line, what);
    if (TEST_FAILS(good)) {
        printf("    got 0x%llx, expected 0x%llx\n", (unsigned long long)got,
               (unsigned long long)want);
    }
    return good;
}

#define EQUAL(got, want) test_equal((uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, #got)

/* Start w. Pass 0: exact room; 1: room for one word less; 2: no room; 3: measuring. */
static inline void test_begin(int pass, size_t len_dw)
{
    const size_t cap_dw = pass == 0 ? len_dw : pass == 1 ? len_dw - 1 : 0;
    for (size_t i = 0; i < len_dw + 2; i++) {
        test.words[i] = TEST_GUARD;
    }
    gpucmd_writer_init(&w, pass == 3 ? NULL : test.words + 1, cap_dw);
}

static inline void test_end(int pass, const uint32_t *want, size_t len_dw, const char *file,
                            int line, const char *call)
{
    size_t got_dw = 0;
    const gpucmd_status status = gpucmd_writer_finish(&w, &got_dw);
    const bool fits = pass == 0 || pass == 3;
    test_check(status == (fits ? GPUCMD_OK : GPUCMD_FULL), file, line, call);
    test_equal(gpucmd_writer_need_dw(&w), len_dw, file, line, call);
    test_equal(got_dw, fits ? len_dw : 0, file, line, call);
    test_equal(test.words[0], TEST_GUARD, file, line, "guard before");
    for (size_t i = 0; i < len_dw; i++) {
        test_equal(test.words[1 + i], pass == 0 ? want[i] : TEST_GUARD, file, line, call);
    }
    test_equal(test.words[1 + len_dw], TEST_GUARD, file, line, "guard after");
}

#define WORDS(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Expect a call with &w to emit exactly these words, or nothing if they do not fit. */
#define EMITS(want, ...)                                                                           \
    do {                                                                                           \
        static const uint32_t want_[] = want;                                                      \
        const size_t n_ = sizeof want_ / sizeof want_[0];                                          \
        for (int pass_ = 0; pass_ < 4; pass_++) {                                                  \
            test_begin(pass_, n_);                                                                 \
            __VA_ARGS__;                                                                           \
            test_end(pass_, want_, n_, __FILE__, __LINE__, #__VA_ARGS__);                          \
        }                                                                                          \
    } while (0)

/* Expect a call with &w to fail with this status and to write nothing, also while measuring. */
#define FAILS(want_status, ...)                                                                    \
    do {                                                                                           \
        for (int pass_ = 0; pass_ < 4; pass_ += 3) {                                               \
            test_begin(pass_, 64);                                                                 \
            __VA_ARGS__;                                                                           \
            test_equal(w.status, want_status, __FILE__, __LINE__, #__VA_ARGS__);                   \
            for (size_t i_ = 0; i_ < 66; i_++) {                                                   \
                test_equal(test.words[i_], TEST_GUARD, __FILE__, __LINE__, #__VA_ARGS__);          \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Print the closing line. Return the exit status of main. */
static int test_report(const char *name)
{
    printf("%s: %u passed, %u failed", name, test.passed, test.failed);
    if (test.skipped != 0) {
        printf(", %u skipped", test.skipped);
    }
    printf("\n");
    return test.failed != 0;
}

#endif /* GPUCMD_TEST_H */

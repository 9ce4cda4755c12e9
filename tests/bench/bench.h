/* Helpers for all benchmark programs: opaque values, paired timing, output of results. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Make the compiler assume that all memory has changed. */
#define FORGET() __asm__ __volatile__("" : : : "memory")

typedef void (*bench_fn)(void);

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline double bench_time(bench_fn fn, size_t reps)
{
    const double start = bench_now();
    for (size_t i = 0; i < reps; i++) {
        fn();
        FORGET();
    }
    return bench_now() - start;
}

static inline int bench_less(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static inline double bench_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, bench_less);
    return n % 2 != 0 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static inline int bench_quick(void)
{
    const char *s = getenv("BENCH_QUICK");
    return s != NULL && *s != '\0' && strcmp(s, "0") != 0;
}

/* Return a pseudo-random number less than below, and advance *seed, which must not be 0. */
static inline uint32_t bench_random(uint32_t *seed, uint32_t below)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return (*seed >> 8) % below;
}

enum { BENCH_MAX_ROUNDS = 401 };

/* Return the time of a divided by the time of b: the median of many rounds. Each round runs a
 * batch of about 200 us of both, in alternating order. Slow calls get fewer rounds. */
static inline double bench_ratio(bench_fn a, bench_fn b)
{
    double ratio[BENCH_MAX_ROUNDS];
    size_t rounds = bench_quick() ? 61 : BENCH_MAX_ROUNDS;
    double once;
    size_t reps_a;
    size_t reps_b;
    a();
    b();
    once = bench_time(a, 1) + 1;
    reps_a = once < 100e3 ? (size_t)(200e3 / once) + 1 : 1;
    once = bench_time(b, 1) + 1;
    reps_b = once < 100e3 ? (size_t)(200e3 / once) + 1 : 1;
    if (once > 1e6) {
        rounds = bench_quick() ? 9 : 31;
    }
    for (size_t i = 0; i < rounds; i++) {
        double ta;
        double tb;
        if (i % 2 == 0) {
            ta = bench_time(a, reps_a);
            tb = bench_time(b, reps_b);
        } else {
            tb = bench_time(b, reps_b);
            ta = bench_time(a, reps_a);
        }
        ratio[i] = (ta / (double)reps_a) / (tb / (double)reps_b);
    }
    return bench_median(ratio, rounds);
}

/* Return the median time of one call in nanoseconds. */
static inline double bench_ns(bench_fn a)
{
    double t[31];
    const size_t reps = (size_t)(200e3 / (bench_time(a, 1) + 1)) + 1;
    for (size_t i = 0; i < 31; i++) {
        t[i] = bench_time(a, reps) / (double)reps;
    }
    return bench_median(t, 31);
}

/* Print one result: a row of rows.txt and its value. */
static inline void bench_result(const char *row, double value)
{
    printf("%s %.4f\n", row, value);
    fflush(stdout);
}

static inline void bench_require(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench: %s\n", what);
        exit(1);
    }
}

static inline void *bench_alloc(size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    bench_require(p != NULL, "no memory");
    memset(p, 0, (bytes + 4095) / 4096 * 4096);
    return p;
}

#endif

/* agx/agx.h - helpers for the tests of gpucmd_agx.h, in addition to test.h. */
#ifndef AGX_TEST_H
#define AGX_TEST_H

/* Not every test file uses every helper. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include "test.h"

#define NONE GPUCMD_DRM_ASAHI_BARRIER_NONE

/* Convert a structure between the CPU's form and the bytes of the UAPI. */
static void agx_convert(uint32_t index, void *dst, const void *src)
{
    gpucmd_layout_convert(gpucmd_agx_layout, index, dst, src, GPUCMD_LITTLE_ENDIAN);
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

/* Bytes of a hex string; returns their number. */
static size_t unhex(const char *hex, uint8_t *bytes)
{
    size_t n = 0;
    for (; hex[2 * n] != '\0'; n++) {
        bytes[n] = (uint8_t)(hex_digit(hex[2 * n]) << 4 | hex_digit(hex[2 * n + 1]));
    }
    return n;
}

static bool same_bytes(const void *got, size_t got_bytes, const char *hex)
{
    uint8_t want[4096];
    const size_t n = unhex(hex, want);
    const uint8_t *g = (const uint8_t *)got;
    size_t i = 0;
    while (i < n && i < got_bytes && g[i] == want[i]) {
        i++;
    }
    if (got_bytes != n || i != n) {
        printf("    %zu bytes, expected %zu; first difference at byte %zu\n", got_bytes, n, i);
        return false;
    }
    return true;
}

/* Pseudo-random numbers; the series is equal on every machine. */
static uint64_t test_random_state = 1;

static uint32_t test_random(uint32_t below)
{
    test_random_state = test_random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((test_random_state >> 33) % below);
}

static bool test_text(const char *got, const char *want, const char *file, int line)
{
    if (!test_check(strcmp(got, want) == 0, file, line, "text")) {
        printf("---- got\n%s---- expected\n%s----\n", got, want);
        return false;
    }
    return true;
}

/* Expect two texts to be equal; otherwise print both. */
#define TEXT(got, want) test_text((got), (want), __FILE__, __LINE__)

#endif /* AGX_TEST_H */

/* Helpers for the client programs. Each program uses only its API and nothing of
 * gpucmd. It prints its results on standard output, unbuffered, so that the last
 * line of a program that hangs shows the place.
 *
 *   PROGRAM [TEXT]   TEXT must occur in the name of the renderer
 *
 * A check fills its destination with 0xee and moves a pattern that no other check
 * uses. It prints one of:
 *   NAME EXACT   the destination is correct
 *   NAME WRONG   and the first difference
 *   NAME -       the API lacks a feature that the check needs
 * Exit status: 0 if the program reached its end, also after WRONG; otherwise one
 * of the following. */
#ifndef CLIENT_H
#define CLIENT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLIENT_FAILED = 1,         /* a call of the API failed */
    CLIENT_OTHER_RENDERER = 3, /* TEXT is not in the name: it may be a software renderer */
    CLIENT_NOTHING = 4,        /* no display, device or context */
};

#define CLIENT_POISON 0xee

/* Print the name of the renderer. Exit if text does not occur in the name. */
static inline void client_name(const char *name, const char *text)
{
    printf("RENDERER %s\n", name);
    if (text != NULL && strstr(name, text) == NULL) {
        printf("OTHER RENDERER than %s\n", text);
        exit(CLIENT_OTHER_RENDERER);
    }
}

static inline void client_need(bool fine, const char *what)
{
    if (!fine) {
        printf("NOTHING %s\n", what);
        exit(CLIENT_NOTHING);
    }
}

/* Fill dst with the pattern of a check: words that no other check uses. */
static inline void client_pattern(void *dst, size_t bytes, uint32_t check)
{
    uint8_t *d = dst;
    for (size_t i = 0; i < bytes; i++) {
        uint32_t v = check * 0x01000000u + (uint32_t)(i / 4) + 1;
        v = (v ^ v >> 16) * 0x7feb352du;
        v = (v ^ v >> 15) * 0x846ca68bu;
        v ^= v >> 16;
        d[i] = (uint8_t)(v >> 8 * (i % 4));
    }
}

static inline void client_poison(void *dst, size_t bytes)
{
    memset(dst, CLIENT_POISON, bytes);
}

static inline bool client_compare(const char *name, const void *got, const void *want, size_t bytes)
{
    const uint8_t *g = got;
    const uint8_t *w = want;
    size_t first = bytes;
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (g[i] != w[i]) {
            first = count++ == 0 ? i : first;
        }
    }
    if (count == 0) {
        printf("%s EXACT\n", name);
        return true;
    }
    printf("%s WRONG at byte 0x%zx: %02x, not %02x; %zu of %zu bytes\n", name, first, g[first],
           w[first], count, bytes);
    return false;
}

#endif /* CLIENT_H */

/* main.c - the streams of streams.h without an operating system and without a C library.
 *
 * You learn: what the headers need from firmware: memcpy, memmove and memset,
 * and 32 KiB of stack at most. start_arm.c and start_riscv.c have the rest.
 * Read first: ../streams.h. Build: see Makefile.
 */

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"
#include "board.h"

/* The only functions that the compiler and the headers call. */
void *memcpy(void *dst, const void *src, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    const uint8_t *s = (const uint8_t *)src;
    while (n-- != 0) {
        *d++ = *s++;
    }
    return dst;
}

void *memmove(void *dst, const void *src, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    const uint8_t *s = (const uint8_t *)src;
    if (d <= s) {
        return memcpy(dst, src, n);
    }
    while (n-- != 0) {
        d[n] = s[n];
    }
    return dst;
}

void *memset(void *dst, int c, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    while (n-- != 0) {
        *d++ = (uint8_t)c;
    }
    return dst;
}

/* Called by the startup code, which then ends QEMU with the result. */
int main(void)
{
    char line[80];
    gpucmd_text t;
    int done = 0;
    unsigned i;
    for (i = 0; i < 3; i++) {
        gpucmd_text_init(&t, line, sizeof line);
        done += (i == 0 ? streams_nv(&t) : i == 1 ? streams_i915(&t) : streams_agx(&t)) ? 1 : 0;
        board_print(line);
    }
    return done == 3 ? 0 : 1;
}

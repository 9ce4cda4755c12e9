/* Code of a program without a C library: the entry point, and the three functions that a compiler
 * may call without a call in the source. */
#include <stddef.h>

#include "all.h"

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
void start_here(void) __asm__("_start");
extern void (*const users[])(void);

void *memcpy(void *to, const void *from, size_t bytes)
{
    volatile unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (bytes-- > 0) {
        *t++ = *f++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    volatile unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t i;
    if (t < f) {
        return memcpy(to, from, bytes);
    }
    for (i = bytes; i > 0; i--) {
        t[i - 1] = f[i - 1];
    }
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    volatile unsigned char *t = (unsigned char *)to;
    while (bytes-- > 0) {
        *t++ = (unsigned char)value;
    }
    return to;
}

void start_here(void)
{
    void (*const *volatile first)(void) = users;
    for (;;) {
        (void)*first;
    }
}

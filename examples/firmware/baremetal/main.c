/* main.c - the streams of streams.h without an operating system and without a C library.
 *
 * You learn: a program for firmware is a program like any other; the headers need memcpy, memmove
 * and memset (memory.c) and 32 KiB of stack at most.
 * Read first: ../../streams.h. Build: see README.md.
 */

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"
#include "board.h"

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

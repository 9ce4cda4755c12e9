/* gpucmd_main.c - the command gpucmd of NuttX. It writes and executes the streams of streams.h and
 * prints a line for each. */
#include <nuttx/config.h>
#include <stdio.h>

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"

int main(int argc, FAR char *argv[])
{
    char line[80];
    gpucmd_text t;
    int i, done = 0;
    for (i = 0; i < 3; i++) {
        gpucmd_text_init(&t, line, sizeof line);
        done += (i == 0 ? streams_nv(&t) : i == 1 ? streams_i915(&t) : streams_agx(&t)) ? 1 : 0;
        fputs(line, stdout);
    }
    return done == 3 ? 0 : 1;
}

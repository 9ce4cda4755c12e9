/* gpucmd.c - the command gpucmd of U-Boot. It writes and executes the streams of streams.h and prints
 * a line for each. */
#include <common.h>
#include <command.h>

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"

static int do_gpucmd(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[])
{
    char line[80];
    gpucmd_text t;
    int i, done = 0;
    for (i = 0; i < 3; i++) {
        gpucmd_text_init(&t, line, sizeof line);
        done += (i == 0 ? streams_nv(&t) : i == 1 ? streams_i915(&t) : streams_agx(&t)) ? 1 : 0;
        puts(line);
    }
    return done == 3 ? CMD_RET_SUCCESS : CMD_RET_FAILURE;
}

U_BOOT_CMD(gpucmd, 1, 0, do_gpucmd, "write and execute GPU command streams", "");

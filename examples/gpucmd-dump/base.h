/* base.h - what every part of gpucmd-dump.c includes: POSIX, the library, exit statuses. */
#ifndef DUMP_BASE_H
#define DUMP_BASE_H

#define _POSIX_C_SOURCE 200809L /* isatty, fileno, readlink, clock_gettime */
#define _DEFAULT_SOURCE         /* madvise, where the system has it */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef DUMP_NO_FILES /* a system without mapped files */
#include <signal.h>
#include <sys/mman.h>
#endif

enum { MESSAGES = 10 }; /* errors printed on standard error; of more, only the number */

enum { EXIT_FINE = 0, EXIT_STREAM = 1, EXIT_USAGE = 2 };

/* Return EXIT_FINE if all went well, otherwise status. */
static int exit_unless(bool fine, int status)
{
    return fine ? EXIT_FINE : status;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif

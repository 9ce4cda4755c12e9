/* fuzz_dump_step.c - gpucmd-dump --step: any commands on any stream, forwards and backwards.
 *   byte 0  vendor and chip or generation, modulo their number
 *   byte 1  number of commands
 *   then    a byte for each: its place in the list
 *   then    the contents of the file */
#undef GPUCMD_STATIC /* the tool defines it */
#define _GNU_SOURCE 1
int dump_main(int argc, char **argv);
#define main            dump_main
#define STREAM_LIMIT_DW (1 << 16)
#include "../../examples/gpucmd-dump/gpucmd-dump.c"
#undef main

#include "fuzz.h"

#include <sys/mman.h>

static const char *const commands[] = {
    "step\n",
    "step 7\n",
    "word 3\n",
    "back\n",
    "back 5\n",
    "undo 9\n",
    "run 60\n",
    "restart\n",
    "print\n",
    "waits\n",
    "memory 0x1000 8\n",
    "memory\n",
    "set 0x1000 1\n",
    "set 0x500040 0\n",
    "break 0x1000\n",
    "break method 0x1c\n",
    "break name MI_SEMAPHORE_WAIT\n",
    "break semaphore\n",
    "break finding\n",
    "delete\n",
    "unit 1\n",
    "unit 0\n",
    "\n",
    "x\n",
};

static const char *const machines[][4] = {
    {"i915", "--gen",    "9",     "--step"},
    {"i915", "--gen",    "6",     "--step"},
    {"i915", "--gen",    "12.5",  "--step"},
    {"nv",   "--chip",   "tu102", "--step"},
    {"nv",   "--chip",   "gf100", "--step"},
    {"nv",   "--chip",   "nv40",  "--step"},
    {"nv",   "--format", "json",  "--step"},
    {"agx",  "--format", "json",  "--step"},
};

enum {
    COMMANDS = sizeof commands / sizeof commands[0],
    MACHINES = sizeof machines / sizeof machines[0],
    MOST = 16,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    static int file = -1;
    static char name[32];
    char typed[MOST * 40];
    char words[4][16];
    char program[] = "gpucmd-dump";
    char *argv[] = {program, words[0], words[1], words[2], words[3], name, NULL};
    input in = {data, size};
    size_t n = 0;
    if (size < 3 || size > 4096) {
        return 0;
    }
    nowhere = nowhere != NULL ? nowhere : fopen("/dev/null", "w");
    file = file >= 0 ? file : memfd_create("input", 0);
    must(nowhere != NULL && file >= 0);
    const uint32_t machine = take(&in, 1) % MACHINES;
    for (size_t i = 0; i < 4; i++) {
        must(snprintf(words[i], sizeof words[i], "%s", machines[machine][i]) > 0);
    }
    for (uint32_t count = take(&in, 1) % MOST; count != 0 && in.size != 0; count--) {
        n += (size_t)snprintf(typed + n, sizeof typed - n, "%s", commands[take(&in, 1) % COMMANDS]);
    }
    must(snprintf(name, sizeof name, "/proc/self/fd/%d", file) > 0);
    must(ftruncate(file, 0) == 0 && pwrite(file, in.data, in.size, 0) == (ssize_t)in.size);
    FILE *const from = stdin;
    FILE *const out = stdout;
    FILE *const err = stderr;
    stdin = fmemopen(typed, n != 0 ? n : 1, "r");
    must(stdin != NULL);
    stdout = nowhere;
    stderr = nowhere;
    nv_names.tried = true; /* the tool keeps names until it ends */
    const int status = dump_main(6, argv);
    (void)fflush(nowhere);
    (void)fclose(stdin);
    stdin = from;
    stdout = out;
    stderr = err;
    must(status >= 0 && status <= 2);
    return 0;
}

#define FUZZ_NAME "fuzz_dump_step"
#include "fuzz_main.h"

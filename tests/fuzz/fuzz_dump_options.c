/* fuzz_dump_options.c - the main function of gpucmd-dump with any options on any input.
 *   byte 0  number of arguments
 *   then    for each: a byte that chooses the option, a byte that chooses its value (255: the text
 *           that follows, up to a 0)
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

static const char *const values[] = {
    "nv",
    "i915",
    "agx",
    "raw",
    "hex",
    "text",
    "tsv",
    "json",
    "always",
    "never",
    "auto",
    "0",
    "1",
    "0x1000",
    "-1",
    "4294967296",
    "nv4",
    "nv40",
    "g80",
    "gf100",
    "ga102",
    "rtx3090",
    "ib",
    "new",
    "old",
    "both",
    "2",
    "4",
    "6",
    "7",
    "7.5",
    "8",
    "9",
    "12",
    "12.5",
    "tgl",
    "rcs",
    "bcs",
    "vcs",
    "none",
    "0=c597",
    "1=a0b5,4=502d",
    "-",
    "/dev/null",
    "10",
    "100000",
    "18446744073709551615",
    "",
    "render",
    "compute",
};

enum { VALUES = sizeof values / sizeof values[0], ARGUMENTS = 12, TEXT_BYTES = 64 };

/* Files that the tool writes; names of them in the input would be those of any file. */
static bool writes(int option)
{
    return option == OPT_SVG || option == OPT_DOT || option == OPT_TRACE || option == OPT_HTML ||
           option == OPT_NAMES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    static int file = -1;
    static char text[ARGUMENTS][TEXT_BYTES], name[32];
    char *argv[2 * ARGUMENTS + 4], program[] = "gpucmd-dump";
    input in = {data, size};
    int argc = 1;
    if (size < 2 || size > 16384) {
        return 0;
    }
    nowhere = nowhere != NULL ? nowhere : fopen("/dev/null", "w");
    file = file >= 0 ? file : memfd_create("input", 0);
    must(nowhere != NULL && file >= 0);
    argv[0] = program;
    const uint32_t count = take(&in, 1) % ARGUMENTS;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t option = take(&in, 1), value = take(&in, 1);
        size_t n = 0;
        const char *given = values[value % VALUES];
        if (value == 255) {
            while (in.size != 0 && n + 1 < TEXT_BYTES && *in.data != 0) {
                text[i][n++] = (char)take(&in, 1);
            }
            (void)take(&in, 1);
            text[i][n] = 0;
            given = text[i][0] == '-' || strchr(text[i], '/') == NULL ? text[i] : "";
        }
        if (option < 2 * OPT_COUNT) {
            const int row = (int)(option % OPT_COUNT);
            argv[argc++] = (char *)(uintptr_t)option_rows[row].name;
            if (!option_rows[row].has_value) {
                continue;
            }
            given = writes(row) ? row == OPT_NAMES ? "none" : "/dev/null" : given;
        } else if (given == text[i] && given[0] != '-') {
            given = ""; /* it would be the name of a file */
        }
        argv[argc++] = (char *)(uintptr_t)given;
    }
    must(snprintf(name, sizeof name, "/proc/self/fd/%d", file) > 0);
    argv[argc++] = name;
    argv[argc] = NULL;
    must(ftruncate(file, 0) == 0 && pwrite(file, in.data, in.size, 0) == (ssize_t)in.size);
    FILE *const out = stdout, *const err = stderr;
    stdout = nowhere;
    stderr = nowhere;
    nv_names.tried = true; /* the tool keeps names until it ends */
    const int status = dump_main(argc, argv);
    (void)fflush(nowhere);
    stdout = out;
    stderr = err;
    must(status >= 0 && status <= 2);
    return 0;
}

#define FUZZ_NAME "fuzz_dump_options"
#include "fuzz_main.h"

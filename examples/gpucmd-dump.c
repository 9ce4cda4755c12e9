/* gpucmd-dump.c - decodes, checks or runs a GPU command stream.
 *
 * Build: cc -I. -o gpucmd-dump examples/gpucmd-dump.c
 * With compressed error states and gzip: cc -I. -DDUMP_ZLIB ... -lz
 * `gpucmd-dump --help` is the manual.
 *
 * PARTS
 *   dump_options.h   one table of options, shared by all vendors
 *   dump_memory.h    memory for inputs of any size; dump_bytes.h: bytes of a file
 *   dump_lines.h     text without prefixes of logs and mail, window by window
 *   dump_formats.h   recognises and reads an input; its readers: dump_words.h, dump_hex.h,
 *                    dump_array.h, dump_error.h, dump_xe.h, dump_push.h, dump_decoded.h,
 *                    dump_events.h; dump_stream.h: what they fill
 *   dump_chips.h     names of chips and generations; dump_nv_names.h: names of methods;
 *                    dump_nv_fields.h: names of their values
 *   dump_output.h    rows as text, TSV or JSON; dump_section.h: what is around them
 *   dump_picture.h   streams over time; dump_svg.h, dump_html.h: pictures and pages
 *   dump_nv.h        NVIDIA: decode, check, run; its rooms are dump_nv_*.h
 *   dump_i915.h      Intel: decode, check, run; its rooms are dump_i915_*.h
 *   dump_agx.h       Apple: lower to queues, check, run, pictures
 *   dump_help.h      what --help prints
 * To add a vendor: write a part with one function of type vendor_fn, a row in
 * the table of vendors, its options in the table of options, and its lines in
 * the help.
 */

#define _POSIX_C_SOURCE 200809L /* isatty, fileno, readlink, clock_gettime */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef DUMP_ZLIB
#include <zlib.h>
#endif

enum { MESSAGES = 10 }; /* errors printed on standard error; of more, only the number */

enum { EXIT_FINE = 0, EXIT_STREAM = 1, EXIT_USAGE = 2 };

#include "dump_options.h"

#include "dump_memory.h"

#include "dump_bytes.h"
#include "dump_chips.h"
#include "dump_lines.h"
#include "dump_stream.h"

#include "dump_nv_names.h"

#include "dump_nv_fields.h"

#include "dump_words.h"

#include "dump_hex.h"

#include "dump_array.h"
#include "dump_ascii85.h"

#include "dump_error.h"

#include "dump_xe.h"

#include "dump_decoded.h"
#include "dump_events.h"
#include "dump_push.h"

#include "dump_formats.h"
#include "dump_output.h"

#include "dump_picture.h"

#include "dump_svg.h"

#include "dump_html.h"

#include "dump_section.h"

#include "dump_agx.h"
#include "dump_i915.h"
#include "dump_nv.h"

#include "dump_help.h"

/* Do all work for one vendor. Return the exit status. */
typedef int (*vendor_fn)(const options *opt, output *out);

typedef struct vendor_row {
    const char *name;
    vendor_fn run;
} vendor_row;

static const vendor_row vendor_rows[] = {
    {"nv",   nv_main  },
    {"i915", i915_main},
    {"agx",  agx_main },
};

/* Print the page of the first argument; without a first argument, the main page. */
static int help(const char *vendor)
{
    const char *name = vendor != NULL ? vendor : "";
    for (size_t i = 0; i < sizeof help_pages / sizeof help_pages[0]; i++) {
        if (strcmp(name, help_pages[i].name) == 0) {
            fputs(help_pages[i].text, stdout);
            return fflush(stdout) == 0 ? EXIT_FINE : EXIT_USAGE;
        }
    }
    return usage("first argument", name, "nv, i915, agx or formats before --help");
}

/* Reject options of another vendor, and options that exclude each other. */
static int check_options(const options *opt)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *vendors = option_rows[i].vendors;
        if (opt->value[i] != NULL && strstr(vendors, opt->vendor) == NULL) {
            const char *second = strchr(vendors, ' ');
            const int len = (int)strcspn(vendors, " ");
            char message[80];
            snprintf(message, sizeof message, "option '%s': belongs to %.*s%s%s, not to %s",
                     option_rows[i].name, len, vendors, second != NULL ? " and" : "",
                     second != NULL ? second : "", opt->vendor);
            return wrong_usage(message);
        }
    }
    if (opt->value[OPT_CHECK] != NULL && opt->value[OPT_RUN] != NULL) {
        return wrong_usage("option '--check': cannot be combined with --run");
    }
    return EXIT_FINE;
}

int main(int argc, char **argv)
{
    options opt;
    output out;
    int status = take_arguments(&opt, argv, argc);
    if (status != EXIT_FINE) {
        return status;
    }
    if (opt.value[OPT_HELP] != NULL) {
        return help(opt.vendor);
    }
    if (opt.value[OPT_VERSION] != NULL) {
        printf("gpucmd-dump %d.%d.%d\n", GPUCMD_VERSION_MAJOR, GPUCMD_VERSION_MINOR,
               GPUCMD_VERSION_PATCH);
        return EXIT_FINE;
    }
    if (opt.vendor == NULL) {
        return wrong_usage("no vendor: expected nv, i915 or agx as first argument");
    }
    for (size_t i = 0; i < sizeof vendor_rows / sizeof vendor_rows[0]; i++) {
        if (strcmp(opt.vendor, vendor_rows[i].name) != 0) {
            continue;
        }
        status = check_options(&opt);
        status = status == EXIT_FINE ? open_output(&opt, &out) : status;
        return status == EXIT_FINE ? vendor_rows[i].run(&opt, &out) : status;
    }
    return usage("first argument", opt.vendor, "nv, i915 or agx");
}

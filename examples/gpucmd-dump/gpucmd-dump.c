/* gpucmd-dump.c - decodes, checks or runs a GPU command stream.
 *
 * Needs POSIX. Build: cc -I. -o gpucmd-dump examples/gpucmd-dump/gpucmd-dump.c
 * With zlib, which unpacks faster than inflate.h: cc -I. -DDUMP_ZLIB ... -lz
 * `gpucmd-dump --help` is the manual.
 *
 * PARTS, each of which includes the parts that it uses
 *   base.h      POSIX, the library, exit statuses; text.h: appends to a text
 *   options.h   one table of options, shared by all vendors
 *   settings.h  the options, read once into typed members
 *   memory.h    memory for inputs of any size; bytes.h: bytes of a file
 *   lines.h     text without prefixes of logs and mail, window by window;
 *               shape.h: lines that are written like the line before
 *   formats.h   the table of readers (reader.h), which recognise and read an
 *               input: words.h, hex.h, digits.h, array.h, error.h, xe.h,
 *               push.h, decoded.h, events.h; stream.h: what they fill
 *   chips.h     names of chips and generations; nv_names.h: names of methods;
 *               nv_fields.h: names of their values
 *   output.h    rows as text, TSV or JSON; section.h: what is around them
 *   picture.h   streams over time; svg.h, html.h: pictures and pages
 *   vendor.h    the walk over the streams of an input, with the steps of a
 *               vendor
 *   nv.h        NVIDIA: decode, check, run; nv_job.h: one stream and its
 *               chip, which the other nv_*.h share; nv_qmd.h: compute grids
 *   i915.h      Intel, in the same way; agx.h: Apple submissions
 *   step.h      runs step by step: history, breaks, memory; step_text.h: its
 *               commands; nv_step.h, i915_step.h, agx_step.h: machines
 *   help.h      what --help prints
 * To add a vendor: write a part with its steps, a row in the table of vendors,
 * its options in the table of options, and its lines in the help.
 */

#include "agx.h"
#include "base.h"
#include "help.h"
#include "i915.h"
#include "nv.h"
#include "options.h"
#include "output.h"
#include "settings.h"
#include "vendor.h"

static const vendor *const vendors[] = {&nv_vendor, &i915_vendor, &agx_vendor};

int main(int argc, char **argv)
{
    options opt;
    settings set;
    output out;
    int status = take_arguments(&opt, argv, argc);
    if (status != EXIT_FINE) {
        return status;
    }
    if (opt.value[OPT_HELP] != NULL) {
        return put_help(opt.vendor);
    }
    if (opt.value[OPT_VERSION] != NULL) {
        printf("gpucmd-dump %d.%d.%d\n", GPUCMD_VERSION_MAJOR, GPUCMD_VERSION_MINOR,
               GPUCMD_VERSION_PATCH);
        return EXIT_FINE;
    }
    if (opt.vendor == NULL) {
        return wrong_usage("no vendor: expected nv, i915 or agx as first argument");
    }
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        if (strcmp(opt.vendor, vendors[i]->name) != 0) {
            continue;
        }
        status = take_settings(&set, &opt);
        if (status != EXIT_FINE) {
            return status;
        }
        open_output(&set, &out);
        return run_vendor(vendors[i], &set, &out);
    }
    return usage("first argument", opt.vendor, "nv, i915 or agx");
}

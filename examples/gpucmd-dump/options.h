/* options.h - the table of options of gpucmd-dump.c, shared by all vendors. */
#ifndef DUMP_OPTIONS_H
#define DUMP_OPTIONS_H

#include "base.h"

enum {
    OPT_HELP,
    OPT_VERSION,
    OPT_CHECK,
    OPT_RUN,
    OPT_STEP,
    OPT_INPUT,
    OPT_FORMAT,
    OPT_COLOR,
    OPT_BASE,
    OPT_BIG_ENDIAN,
    OPT_CHIP,
    OPT_MODE,
    OPT_SLI,
    OPT_FMT,
    OPT_GEN,
    OPT_ENGINE,
    OPT_SECURE,
    OPT_RING,
    OPT_ALL,
    OPT_IDLE,
    OPT_SVG,
    OPT_DOT,
    OPT_ACCESS,
    OPT_STREAM,
    OPT_NAMES,
    OPT_CLASS,
    OPT_QMD,
    OPT_BUDGET,
    OPT_TRACE,
    OPT_HTML,
    OPT_WHY_FORMAT,
    OPT_COUNT,
};

typedef struct option_row {
    const char *name;
    bool has_value;
    const char *vendors; /* that have the option */
} option_row;

static const option_row option_rows[OPT_COUNT] = {
    {"--help",       false, "nv i915 agx"},
    {"--version",    false, "nv i915 agx"},
    {"--check",      false, "nv i915 agx"},
    {"--run",        false, "nv i915 agx"},
    {"--step",       false, "nv i915 agx"},
    {"--input",      true,  "nv i915 agx"},
    {"--format",     true,  "nv i915 agx"},
    {"--color",      true,  "nv i915 agx"},
    {"--base",       true,  "nv i915"    },
    {"--big-endian", false, "nv"         },
    {"--chip",       true,  "nv"         },
    {"--mode",       true,  "nv"         },
    {"--sli",        true,  "nv"         },
    {"--fmt",        true,  "nv"         },
    {"--gen",        true,  "i915"       },
    {"--engine",     true,  "i915"       },
    {"--secure",     false, "i915"       },
    {"--ring",       false, "i915"       },
    {"--all",        false, "i915 agx"   },
    {"--idle",       false, "agx"        },
    {"--svg",        true,  "nv i915 agx"},
    {"--dot",        true,  "nv i915 agx"},
    {"--access",     true,  "agx"        },
    {"--stream",     true,  "nv i915"    },
    {"--names",      true,  "nv i915"    },
    {"--class",      true,  "nv"         },
    {"--qmd",        false, "nv"         },
    {"--budget",     true,  "nv i915"    },
    {"--trace",      true,  "nv i915 agx"},
    {"--html",       true,  "nv i915 agx"},
    {"--why-format", false, "nv i915 agx"},
};

typedef struct options {
    const char *program; /* as it was called */
    const char *vendor;
    const char *file;             /* NULL: standard input */
    const char *value[OPT_COUNT]; /* NULL: not given; "" for an option without a value */
} options;

/* Print what is wrong with the command line. Return the exit status. */
static int wrong_usage(const char *message)
{
    fprintf(stderr, "gpucmd-dump: %s\n", message);
    fprintf(stderr, "See gpucmd-dump --help.\n");
    return EXIT_USAGE;
}

/* As wrong_usage, for one argument: what kind it is, its text, what is expected. */
static int usage(const char *kind, const char *argument, const char *expected)
{
    char message[512];
    snprintf(message, sizeof message, "%s '%s': expected %s", kind, argument, expected);
    return wrong_usage(message);
}

/* Print why a file cannot be used. Return the exit status. */
static int refused(const char *name, const char *what, const char *expected)
{
    const char *why = "no reason from the system";
    if (errno != 0) {
        why = strerror(errno);
    }
    fprintf(stderr, "gpucmd-dump: %s: %s: expected %s (%s)\n", name, what, expected, why);
    return EXIT_USAGE;
}

/* Return the plural ending for n things. */
static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Take one argument that begins with "-". If its value is the next argument,
 * advance *at. */
static int take_option(options *opt, char **argv, int argc, int *at)
{
    const char *arg = "--help";
    if (strcmp(argv[*at], "-h") != 0) {
        arg = argv[*at];
    }
    const size_t len = strcspn(arg, "=");
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (strlen(row->name) != len || strncmp(arg, row->name, len) != 0) {
            continue;
        }
        if (!row->has_value) {
            opt->value[i] = "";
            if (arg[len] == '\0') {
                return EXIT_FINE;
            }
            return usage("option", arg, "no value");
        }
        if (arg[len] == '=') {
            opt->value[i] = arg + len + 1;
        } else if (*at + 1 < argc) {
            opt->value[i] = argv[++*at];
        } else {
            return usage("option", arg, "a value");
        }
        return EXIT_FINE;
    }
    return usage("unknown option", arg, "an option of gpucmd-dump --help");
}

static int take_arguments(options *opt, char **argv, int argc)
{
    bool only_files = false;
    memset(opt, 0, sizeof *opt);
    if (argc != 0) {
        opt->program = argv[0];
    } else {
        opt->program = "";
    }
    for (int i = 1; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int status = take_option(opt, argv, argc, &i);
            if (status != EXIT_FINE) {
                return status;
            }
        } else if (opt->vendor == NULL) {
            opt->vendor = argv[i];
        } else if (opt->file == NULL) {
            opt->file = argv[i];
        } else {
            return usage("argument", argv[i], "at most one FILE");
        }
    }
    return EXIT_FINE;
}

/* Return the index of the option's value in a list of words separated by '|'.
 * Return 0 if the option is absent. If the value is not in the list, print a
 * message and return -1. */
static int choose(const options *opt, int id, const char *list)
{
    const char *value = opt->value[id];
    const char *at = list;
    if (value == NULL) {
        return 0;
    }
    for (int i = 0; *at != '\0'; i++) {
        const size_t len = strcspn(at, "|");
        if (strlen(value) == len && strncmp(value, at, len) == 0) {
            return i;
        }
        at += len + (at[len] == '|' ? 1 : 0);
    }
    usage(option_rows[id].name, value, list[0] == '|' ? list + 1 : list);
    return -1;
}

/* Read a number, decimal or hex with 0x, 0 to max. Return false if the text is none. */
static bool parse_number(const char *text, uint64_t max, uint64_t *v)
{
    static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint32_t radix = 10;
    if (hex) {
        radix = 16;
    }
    const char *at = text;
    if (hex) {
        at = text + 2;
    }
    uint64_t number = 0;
    do {
        const char *found = NULL;
        if (*at != '\0') {
            found = strchr(digits, *at);
        }
        uint32_t d = 99;
        if (found != NULL) {
            d = (uint32_t)(found - digits) / 2;
        }
        if (d >= radix || d > max || number > (max - d) / radix) {
            return false;
        }
        number = number * radix + d;
        at++;
    } while (*at != '\0');
    *v = number;
    return true;
}

/* Write the option's number to *v: 0 to max. If the option is absent, *v is unchanged. If it is not
 * such a number, print a message and return the exit status. */
static int take_number(const options *opt, int id, uint64_t max, const char *expected, uint64_t *v)
{
    const char *text = opt->value[id];
    if (text == NULL || parse_number(text, max, v)) {
        return EXIT_FINE;
    }
    return usage(option_rows[id].name, text, expected);
}

/* Write the address of --base to *va; it must be 4-byte aligned. If the option is
 * absent, *va is unchanged. */
static int take_base(const options *opt, uint64_t *va)
{
    const int status =
        take_number(opt, OPT_BASE, UINT64_MAX, "an address in bytes, at most 64 bits", va);
    if (status == EXIT_FINE && *va % 4 != 0) {
        return usage("--base", opt->value[OPT_BASE], "a multiple of 4");
    }
    return status;
}

#endif

/* dump_options.h - the table of options of gpucmd-dump.c, shared by all vendors. */
#ifndef DUMP_OPTIONS_H
#define DUMP_OPTIONS_H

enum {
    OPT_HELP,
    OPT_VERSION,
    OPT_CHECK,
    OPT_RUN,
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
    OPT_ALL,
    OPT_IDLE,
    OPT_SVG,
    OPT_DOT,
    OPT_ACCESS,
    OPT_COUNT,
};

typedef struct option_row {
    const char *name;
    bool has_value;
    const char *vendors; /* whose option it is */
} option_row;

static const option_row option_rows[OPT_COUNT] = {
    {"--help",       false, "nv i915 agx"},
    {"--version",    false, "nv i915 agx"},
    {"--check",      false, "nv i915 agx"},
    {"--run",        false, "nv i915 agx"},
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
    {"--all",        false, "i915"       },
    {"--idle",       false, "agx"        },
    {"--svg",        true,  "agx"        },
    {"--dot",        true,  "agx"        },
    {"--access",     true,  "agx"        },
};

typedef struct options {
    const char *vendor;
    const char *file;             /* NULL: standard input */
    const char *value[OPT_COUNT]; /* NULL: not given; "" for an option without a value */
} options;

/* Say what was wrong with the command line. Returns the exit status. */
static int usage(const char *wrong, const char *what, const char *expected)
{
    fprintf(stderr, "gpucmd-dump: %s '%s': expected %s\n", wrong, what, expected);
    fprintf(stderr, "gpucmd-dump --help tells more\n");
    return EXIT_USAGE;
}

/* Say that a file refused. Returns the exit status. */
static int refused(const char *name, const char *what, const char *expected)
{
    const char *why = errno != 0 ? strerror(errno) : "no reason given";
    fprintf(stderr, "gpucmd-dump: %s: %s: expected %s (%s)\n", name, what, expected, why);
    return EXIT_USAGE;
}

/* "s" where n is not one. */
static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* One argument that begins with "-". *at moves on if its value is the
 * argument after it. */
static int take_option(options *opt, char **argv, int argc, int *at)
{
    const char *arg = strcmp(argv[*at], "-h") == 0 ? "--help" : argv[*at];
    const size_t len = strcspn(arg, "=");
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (strlen(row->name) != len || strncmp(arg, row->name, len) != 0) {
            continue;
        }
        if (!row->has_value) {
            opt->value[i] = "";
            return arg[len] == '\0' ? EXIT_FINE : usage("value of", arg, "none");
        }
        if (arg[len] == '=') {
            opt->value[i] = arg + len + 1;
        } else if (*at + 1 < argc) {
            opt->value[i] = argv[++*at];
        } else {
            return usage("option", arg, "a value after it");
        }
        return EXIT_FINE;
    }
    return usage("unknown option", arg, "one that --help lists");
}

static int take_arguments(options *opt, char **argv, int argc)
{
    bool only_files = false;
    memset(opt, 0, sizeof *opt);
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
            return usage("argument", argv[i], "one FILE at most");
        }
    }
    return EXIT_FINE;
}

/* Place of the option's value in a list of words separated by '|'; 0 if the
 * option is not given, -1, with a message, if it is none of them. */
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

/* A number, decimal or hex after 0x, from 0 to max. Status with a message if
 * it is none. */
static int take_number(const options *opt, int id, uint64_t max, const char *expected, uint64_t *v)
{
    const char *s = opt->value[id];
    const uint32_t radix = s != NULL && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
    const char *at = s != NULL && radix == 16 ? s + 2 : s;
    uint64_t number = 0;
    if (s == NULL) {
        return EXIT_FINE;
    }
    do {
        static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
        const char *found = *at != '\0' ? strchr(digits, *at) : NULL;
        const uint32_t d = found != NULL ? (uint32_t)(found - digits) / 2 : 99;
        if (d >= radix || number > (max - d) / radix) {
            return usage(option_rows[id].name, s, expected);
        }
        number = number * radix + d;
        at++;
    } while (*at != '\0');
    *v = number;
    return EXIT_FINE;
}

/* --base: the address of the first word, 0 if not given. */
static int take_base(const options *opt, uint64_t *va)
{
    const int status =
        take_number(opt, OPT_BASE, UINT64_MAX, "an address in bytes, at most 64 bits", va);
    return status == EXIT_FINE && *va % 4 != 0
               ? usage("--base", opt->value[OPT_BASE], "a multiple of 4")
               : status;
}

#endif

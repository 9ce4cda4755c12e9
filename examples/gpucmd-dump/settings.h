/* settings.h - the options of gpucmd-dump.c, read once into typed members. */
#ifndef DUMP_SETTINGS_H
#define DUMP_SETTINGS_H

#include "base.h"
#include "chips.h"
#include "options.h"

enum { NV_SUBCHANNELS = 8 };

enum { FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON, FORMAT_KEEP };

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

typedef enum action { ACTION_DECODE, ACTION_CHECK, ACTION_RUN, ACTION_STEP } action;

/* Texts of options are NULL without the option. Other parts read no argument of the program. */
typedef struct settings {
    const char *program; /* as it was called */
    const char *vendor;
    const char *file;  /* NULL: standard input */
    const char *input; /* name of the format */
    bool why_format;
    action act;
    int format; /* FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON */
    int color;  /* COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER */
    const char *svg;
    const char *dot;
    const char *trace;
    const char *html;
    const char *stream_text; /* of --stream */
    bool stream_valid;       /* it is a number, which may be above the last stream */
    uint64_t stream;
    bool has_base;
    uint64_t base_va;
    bool has_budget;
    uint64_t budget; /* nv: words, i915: commands; nv 0: by the length of the input */
    const char *names;
    bool no_names; /* --names none */
    /* nv */
    const char *chip_text;
    bool has_chip;
    gpucmd_nv_chip chip;
    int mode; /* 0 absent, 1 nv4, 2 ib */
    const char *fmt_text;
    int fmt; /* 0 new, 1 old, 2 both */
    const char *sli_text;
    bool has_sli;
    uint64_t sli_mask;
    bool big_endian;
    uint32_t class_id[NV_SUBCHANNELS]; /* of --class, 0: none */
    bool qmd;
    /* i915; 0: not given */
    uint32_t gen;
    uint32_t engine;
    bool secure;
    bool ring;
    bool all;
    /* agx */
    bool idle;
    const char *access;
} settings;

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
    if (opt->value[OPT_STEP] != NULL &&
        (opt->value[OPT_CHECK] != NULL || opt->value[OPT_RUN] != NULL ||
         opt->value[OPT_HTML] != NULL || opt->value[OPT_QMD] != NULL)) {
        return wrong_usage(
            "option '--step': cannot be combined with --check, --run, --html or --qmd");
    }
    if (opt->value[OPT_STEP] != NULL && (opt->file == NULL || strcmp(opt->file, "-") == 0)) {
        return wrong_usage("option '--step': commands come from standard input; expected FILE");
    }
    if (opt->value[OPT_STEP] != NULL && opt->value[OPT_FORMAT] != NULL &&
        strcmp(opt->value[OPT_FORMAT], "tsv") == 0) {
        return wrong_usage("option '--step': prints text or json, not tsv");
    }
    if (opt->value[OPT_QMD] != NULL &&
        (opt->value[OPT_RUN] != NULL || opt->value[OPT_HTML] != NULL)) {
        return wrong_usage("option '--qmd': cannot be combined with --run or --html");
    }
    if (opt->value[OPT_QMD] != NULL && opt->value[OPT_CHECK] == NULL &&
        opt->value[OPT_FORMAT] != NULL && strcmp(opt->value[OPT_FORMAT], "text") != 0) {
        return wrong_usage("option '--qmd': the members have --format text only; expected --check");
    }
    return EXIT_FINE;
}

/* Read the options that all vendors have. */
static int take_common(settings *set, const options *opt)
{
    set->program = opt->program;
    set->vendor = opt->vendor;
    set->file = opt->file;
    set->input = opt->value[OPT_INPUT];
    set->why_format = opt->value[OPT_WHY_FORMAT] != NULL;
    if (opt->value[OPT_CHECK] != NULL) {
        set->act = ACTION_CHECK;
    } else if (opt->value[OPT_RUN] != NULL) {
        set->act = ACTION_RUN;
    } else if (opt->value[OPT_STEP] != NULL) {
        set->act = ACTION_STEP;
    }
    set->svg = opt->value[OPT_SVG];
    set->dot = opt->value[OPT_DOT];
    set->trace = opt->value[OPT_TRACE];
    set->html = opt->value[OPT_HTML];
    set->color = choose(opt, OPT_COLOR, "auto|always|never");
    set->format = choose(opt, OPT_FORMAT, "text|tsv|json");
    return exit_unless(!(set->color < 0 || set->format < 0), EXIT_USAGE);
}

/* Read --stream, --names and the presence of --base and --budget, for nv and i915. */
static void take_shared(settings *set, const options *opt)
{
    set->stream_text = opt->value[OPT_STREAM];
    if (set->stream_text != NULL) {
        set->stream_valid = parse_number(set->stream_text, UINT64_MAX, &set->stream);
    }
    set->names = opt->value[OPT_NAMES];
    set->no_names = set->names != NULL && strcmp(set->names, "none") == 0;
    set->has_base = opt->value[OPT_BASE] != NULL;
    set->has_budget = opt->value[OPT_BUDGET] != NULL;
}

/* Read --class SUBC=ID,SUBC=ID into ids. */
static int nv_take_classes(const char *list, uint32_t ids[NV_SUBCHANNELS])
{
    const char *at = list;
    while (at != NULL && *at != '\0') {
        char *end;
        const bool subc = at[0] >= '0' && at[0] < '0' + NV_SUBCHANNELS && at[1] == '=';
        unsigned long id = 0;
        if (subc) {
            id = strtoul(at + 2, &end, 16);
        }
        if (!subc || end == at + 2 || id > 0xffff || (*end != '\0' && *end != ',')) {
            return usage("--class", list,
                         "SUBC=ID with a subchannel 0 to 7 and a class such as c597");
        }
        ids[at[0] - '0'] = (uint32_t)id;
        at = *end == ',' ? end + 1 : end;
    }
    return EXIT_FINE;
}

static int take_nv(settings *set, const options *opt)
{
    set->mode = choose(opt, OPT_MODE, "|nv4|ib");
    set->fmt = choose(opt, OPT_FMT, "new|old|both");
    if (set->mode < 0 || set->fmt < 0) {
        return EXIT_USAGE;
    }
    set->chip_text = opt->value[OPT_CHIP];
    set->fmt_text = opt->value[OPT_FMT];
    set->sli_text = opt->value[OPT_SLI];
    set->has_chip = set->chip_text != NULL;
    set->has_sli = set->sli_text != NULL;
    set->big_endian = opt->value[OPT_BIG_ENDIAN] != NULL;
    set->qmd = opt->value[OPT_QMD] != NULL;
    if (take_number(opt, OPT_SLI, 0xfff, "a mask of subdevices, 0 to 0xfff", &set->sli_mask) !=
            EXIT_FINE ||
        take_base(opt, &set->base_va) != EXIT_FINE ||
        nv_take_classes(opt->value[OPT_CLASS], set->class_id) != EXIT_FINE ||
        take_number(opt, OPT_BUDGET, UINT64_MAX, "a number of words", &set->budget) != EXIT_FINE) {
        return EXIT_USAGE;
    }
    if (set->has_chip && nv_chip_of_name(set->chip_text, &set->chip) != GPUCMD_OK) {
        return wrong_chip(set->chip_text);
    }
    return EXIT_FINE;
}

/* Read --gen and --engine. */
static int take_i915_engine(settings *set, const options *opt)
{
    const char *gen_name = opt->value[OPT_GEN];
    const char *engine_name = opt->value[OPT_ENGINE];
    gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    gpucmd_i915_cmdset cmdset;
    if (gen_name != NULL) {
        const char *name = i915_gen_of_name(gen_name);
        if (name == NULL || gpucmd_i915_gen_from_name(name, &gen) != GPUCMD_OK) {
            return wrong_gen(gen_name);
        }
        set->gen = (uint32_t)gen;
    }
    if (engine_name != NULL) {
        if (gpucmd_i915_engine_from_name(engine_name, &engine) != GPUCMD_OK) {
            return usage("--engine", engine_name, "rcs|bcs|vcs|vecs|ccs|gsc");
        }
        set->engine = (uint32_t)engine;
    }
    if (gen_name != NULL && engine_name != NULL &&
        gpucmd_i915_cmdset_init(&cmdset, gen, engine) != GPUCMD_OK) {
        return usage("--engine", engine_name, "an engine that this generation has");
    }
    return EXIT_FINE;
}

static int take_i915(settings *set, const options *opt)
{
    set->secure = opt->value[OPT_SECURE] != NULL;
    set->ring = opt->value[OPT_RING] != NULL;
    set->all = opt->value[OPT_ALL] != NULL;
    if (take_base(opt, &set->base_va) != EXIT_FINE ||
        take_number(opt, OPT_BUDGET, UINT64_MAX, "a number of commands", &set->budget) !=
            EXIT_FINE) {
        return EXIT_USAGE;
    }
    if (set->names != NULL && access(set->names, R_OK) != 0) {
        return refused(set->names, "cannot be opened",
                       "a list of Mesa's src/intel/genxml such as gen9.xml, or this directory");
    }
    return take_i915_engine(set, opt);
}

/* Read all options; opt has a vendor. Return the exit status. */
static int take_settings(settings *set, const options *opt)
{
    memset(set, 0, sizeof *set);
    int status = check_options(opt);
    if (status == EXIT_FINE) {
        status = take_common(set, opt);
    }
    if (status != EXIT_FINE) {
        return status;
    }
    take_shared(set, opt);
    set->all = opt->value[OPT_ALL] != NULL;
    set->idle = opt->value[OPT_IDLE] != NULL;
    set->access = opt->value[OPT_ACCESS];
    if (strcmp(set->vendor, "nv") == 0) {
        return take_nv(set, opt);
    }
    if (strcmp(set->vendor, "i915") == 0) {
        return take_i915(set, opt);
    }
    return EXIT_FINE;
}

#endif

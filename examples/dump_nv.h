/* dump_nv.h - NVIDIA streams for gpucmd-dump.c: decode, check, run. */
#ifndef DUMP_NV_H
#define DUMP_NV_H

enum {
    NV_BLOCK_DW = 1024, /* words decoded at a time, which bounds the text of a method run */
    NV_PAGE = 4096,     /* bytes of the ring that --run builds */
    NV_SUBCHANNELS = 8,
    NV_PIECES = 60, /* streams of a dump that are in memory with a stream */
};

/* Values of the options, before any stream is known. */
typedef struct nv_choice {
    gpucmd_nv_chip chip;
    bool has_chip;
    int mode; /* 0 absent, 1 nv4, 2 ib */
    int fmt;
    uint64_t sli_mask;
    bool has_sli;
    uint64_t base_va;
    bool has_base;
    uint64_t budget;                   /* words of --run, 0: by the length */
    uint32_t class_id[NV_SUBCHANNELS]; /* of --class, 0: none */
} nv_choice;

typedef struct nv_job {
    const stream *in;
    const dump *d;
    output *out;
    nv_choice choice;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk; /* at the end of the stream */
    uint64_t base_va;
    uint32_t sli_mask; /* 0 without --sli */
    bool sli_given;
    gpucmd_endian endian;
    size_t found[3];                   /* findings, by severity; decoding counts its errors */
    bool truncated;                    /* a finding reported a truncated stream */
    bool binds;                        /* the stream binds an object */
    uint32_t class_id[NV_SUBCHANNELS]; /* bound now, 0: unknown */
    bool quiet;                        /* do not report which chip was chosen */
    bool names;                        /* no --names none */
    uint32_t assumed;                  /* bits of subchannels whose class is not known */
    char why[64];                      /* source of the chip */
} nv_job;

/* Return the name of the mode for messages. */
static const char *nv_mode(const nv_job *job)
{
    return job->gate.ib_enable ? "IB mode" : "NV4-style mode";
}

/* Return the number of words that are no commands of the gate; a command that ends early is one. */
static size_t nv_misfits_of(const uint32_t *dw, size_t len_dw, const gpucmd_nv_gate *gate)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    size_t n = 0;
    gpucmd_nv_walk_init(&walk, gate);
    gpucmd_nv_walk_segment(&walk, dw, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        n += cmd.form == GPUCMD_NV_FORM_INVALID;
    }
    return n + gpucmd_nv_walk_pending(&walk);
}

/* Return true if every word belongs to a whole command that the gate accepts. Of a long stream the
 * beginning counts, up to a command that begins there. */
static bool nv_fits(const stream *in, const gpucmd_nv_gate *gate)
{
    const bool cut = in->len_dw >= GUESS_DW;
    return nv_misfits_of(in->dw, cut ? GUESS_DW : in->len_dw, gate) <= (cut ? 1 : 0);
}

/* The chips that stand for the three formats of words, in the order in which they are tried. */
static const gpucmd_nv_chip nv_guesses[] = {GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_G80,
                                            GPUCMD_NV_CHIP_NV40};

static bool nv_guess_gate(gpucmd_nv_gate *gate, gpucmd_nv_chip chip, bool sli)
{
    return gpucmd_nv_gate_init(gate, chip, chip >= GPUCMD_NV_CHIP_G80,
                               sli && chip < GPUCMD_NV_CHIP_GF100, GPUCMD_NV_FMT_NEW) == GPUCMD_OK;
}

/* Return the last chip whose class the stream binds, or GF100. */
static gpucmd_nv_chip nv_bound_chip(const stream *in, nv_job *job)
{
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_chip best = GPUCMD_NV_CHIP_GF100;
    if (!nv_guess_gate(&gate, best, false)) {
        return best;
    }
    gpucmd_nv_walk_init(&walk, &gate);
    gpucmd_nv_walk_segment(&walk, in->dw, in->len_dw < GUESS_DW ? in->len_dw : GUESS_DW);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_chip chip;
        if (!gpucmd_nv_form_is_run(cmd.form) || cmd.mthd != 0 ||
            (cmd.count_dw == 0 && cmd.form != GPUCMD_NV_FORM_IMMD)) {
            continue;
        }
        const uint32_t id = (cmd.form == GPUCMD_NV_FORM_IMMD ? cmd.value : cmd.data[0]) & 0xffff;
        const char *name = nv_chip_of_class(id);
        if (name != NULL && nv_chip_of_name(name, &chip) == GPUCMD_OK && chip > best) {
            best = chip;
            snprintf(job->why, sizeof job->why, "it binds class %04" PRIx32, id);
        }
    }
    return best;
}

/* Choose a chip for a stream without --chip: the chip that the dump names; otherwise the first of GF100,
 * G80 and NV40 that can decode all words, and of GF100 and later the chip of the bound classes. */
static gpucmd_nv_chip nv_guess(nv_job *job)
{
    const int mode = job->choice.mode;
    gpucmd_nv_chip chip;
    gpucmd_nv_gate gate;
    if (job->d->chip[0] != '\0' && nv_chip_of_name(job->d->chip, &chip) == GPUCMD_OK) {
        snprintf(job->why, sizeof job->why, "%s", job->d->chip_why);
        return chip;
    }
    for (size_t i = mode == 1 ? 2 : 0; i < (mode == 2 ? 2 : 3); i++) {
        if (nv_guess_gate(&gate, nv_guesses[i], job->sli_given) && nv_fits(job->in, &gate)) {
            return i == 0 ? nv_bound_chip(job->in, job) : nv_guesses[i];
        }
    }
    return mode == 1 ? GPUCMD_NV_CHIP_NV40 : GPUCMD_NV_CHIP_GF100;
}

/* Set the gate of a stream from chip, mode, format and SLI. */
static int nv_gate(nv_job *job, const options *opt)
{
    static const gpucmd_nv_fmt fmts[] = {GPUCMD_NV_FMT_NEW, GPUCMD_NV_FMT_OLD, GPUCMD_NV_FMT_BOTH};
    const int mode = job->choice.mode;
    const int fmt = job->choice.fmt;
    gpucmd_nv_chip chip = job->choice.has_chip ? job->choice.chip : GPUCMD_NV_CHIP_GF100;
    const char *name = opt->value[OPT_CHIP];
    job->why[0] = '\0';
    if (!job->choice.has_chip) {
        chip = fmt == 0 ? nv_guess(job) : chip;
        const char *name_of = gpucmd_nv_chip_name(chip);
        const bool why = job->why[0] != '\0';
        if (!job->quiet) {
            fprintf(stderr, "gpucmd-dump: no --chip: decoding for %s%s%s%s\n", name_of,
                    why ? " (" : "", job->why, why ? ")" : "");
        }
    }
    if (chip < GPUCMD_NV_CHIP_NV4) {
        return usage("--chip", name, "nv4 or later; earlier chips have no pushbuffer");
    }
    if (mode == 2 && chip < GPUCMD_NV_CHIP_G80) {
        return usage("--mode", "ib", "nv4 for this chip; IB mode needs g80 or later");
    }
    if (mode == 1 && GPUCMD_NV_IS_GF100(chip)) {
        return usage("--mode", "nv4", "ib for this chip; NV4-style mode needs a chip before gf100");
    }
    if (fmt != 0 && (!GPUCMD_NV_IS_GF100(chip) || chip >= GPUCMD_NV_CHIP_GV100)) {
        return usage("--fmt", opt->value[OPT_FMT],
                     "new; only gf100 to gp10b accept another format");
    }
    if (job->sli_given && chip < GPUCMD_NV_CHIP_NV40) {
        return usage("--sli", opt->value[OPT_SLI],
                     "no --sli for this chip; SLI needs nv40 or later");
    }
    return gpucmd_nv_gate_init(&job->gate, chip,
                               mode != 1 && chip >= GPUCMD_NV_CHIP_G80, /* nouveau's choice */
                               job->sli_given, fmts[fmt]) == GPUCMD_OK
               ? EXIT_FINE
               : usage("--chip", gpucmd_nv_chip_name(chip), "a chip with a pushbuffer");
}

/* Read --class SUBC=ID,SUBC=ID into ids. */
static int nv_take_classes(const char *list, uint32_t ids[NV_SUBCHANNELS])
{
    const char *at = list;
    while (at != NULL && *at != '\0') {
        char *end;
        const bool subc = at[0] >= '0' && at[0] < '0' + NV_SUBCHANNELS && at[1] == '=';
        const unsigned long id = subc ? strtoul(at + 2, &end, 16) : 0;
        if (!subc || end == at + 2 || id > 0xffff || (*end != '\0' && *end != ',')) {
            return usage("--class", list,
                         "SUBC=ID with a subchannel 0 to 7 and a class such as c597");
        }
        ids[at[0] - '0'] = (uint32_t)id;
        at = *end == ',' ? end + 1 : end;
    }
    return EXIT_FINE;
}

/* Read all options that need no stream. */
static int nv_options(nv_choice *choice, const options *opt)
{
    const char *name = opt->value[OPT_CHIP];
    memset(choice, 0, sizeof *choice);
    choice->mode = choose(opt, OPT_MODE, "|nv4|ib");
    choice->fmt = choose(opt, OPT_FMT, "new|old|both");
    if (choice->mode < 0 || choice->fmt < 0) {
        return EXIT_USAGE;
    }
    int status =
        take_number(opt, OPT_SLI, 0xfff, "a mask of subdevices, 0 to 0xfff", &choice->sli_mask);
    status = status == EXIT_FINE ? take_base(opt, &choice->base_va) : status;
    status =
        status == EXIT_FINE ? nv_take_classes(opt->value[OPT_CLASS], choice->class_id) : status;
    status = status == EXIT_FINE
                 ? take_number(opt, OPT_BUDGET, UINT64_MAX, "a number of words", &choice->budget)
                 : status;
    choice->has_sli = opt->value[OPT_SLI] != NULL;
    choice->has_base = opt->value[OPT_BASE] != NULL;
    choice->has_chip = name != NULL;
    if (status == EXIT_FINE && name != NULL && nv_chip_of_name(name, &choice->chip) != GPUCMD_OK) {
        return wrong_chip(name);
    }
    return status;
}

/* Return the number of words that are no commands of the chip, or of the best of all. */
static size_t nv_misfit(const options *opt, const uint32_t *dw, size_t len_dw)
{
    gpucmd_nv_gate gate;
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GF100;
    size_t least = len_dw;
    const char *name = opt->value[OPT_CHIP];
    const bool known = name != NULL && nv_chip_of_name(name, &chip) == GPUCMD_OK;
    for (size_t i = 0; i < (known ? 1 : 3); i++) {
        if (nv_guess_gate(&gate, known ? chip : nv_guesses[i], false)) {
            const size_t n = nv_misfits_of(dw, len_dw, &gate);
            least = n < least ? n : least;
        }
    }
    return least;
}

/* Write what the rule of a finding expects. */
static void nv_expected(const nv_job *job, const gpucmd_nv_finding *f, char *text, size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    const bool old = !GPUCMD_NV_IS_GF100(job->gate.chip);
    switch (f->rule) {
    case GPUCMD_NV_RULE_INVALID_COMMAND:
    case GPUCMD_NV_RULE_UNSUPPORTED_FORM:
        snprintf(text, cap, "the first word of a command of %s in %s", chip, nv_mode(job));
        return;
    case GPUCMD_NV_RULE_TRUNCATED:
        if (f->value == 0) {
            const size_t n = 4 - job->in->extra_bytes;
            snprintf(text, cap, "%zu more byte%s", n, plural(n));
        } else {
            snprintf(text, cap, "%" PRIu32 " more word%s", f->value, plural(f->value));
        }
        return;
    case GPUCMD_NV_RULE_UNKNOWN_METHOD:
        snprintf(text, cap, "0x100 or above, or a host method of %s, not 0x%02" PRIx32, chip,
                 f->mthd);
        return;
    case GPUCMD_NV_RULE_METHOD_WRAP:
    case GPUCMD_NV_RULE_OLD_METHOD_WRAP:
        snprintf(text, cap, "a run that ends at 0x%x or below", old ? 0x1ffcu : 0x3ffcu);
        return;
    case GPUCMD_NV_RULE_JUMP_OUTSIDE:
        snprintf(text, cap, "a target in 0x%" PRIx64 "..0x%" PRIx64 ", not 0x%" PRIx32,
                 job->base_va, job->base_va + 4 * (uint64_t)(job->in->len_dw - 1), f->value);
        return;
    case GPUCMD_NV_RULE_RETURN_OUTSIDE: snprintf(text, cap, "a call that leads here"); return;
    case GPUCMD_NV_RULE_STRAY_BITS:
        snprintf(text, cap, "zeros in the bits %08" PRIx32, f->value);
        return;
    case GPUCMD_NV_RULE_EMPTY_RUN: snprintf(text, cap, "a count, or the word 0"); return;
    case GPUCMD_NV_RULE_AFTER_END: snprintf(text, cap, "END_SEGMENT last"); return;
    case GPUCMD_NV_RULE_EMPTY_ENTRY:
    case GPUCMD_NV_RULE_ENTRY_RANGE:
    case GPUCMD_NV_RULE_ENTRY_STRAY:
    case GPUCMD_NV_RULE_ENTRY_OPCODE:
    case GPUCMD_NV_RULE_ENTRY_MEMORY:
    case GPUCMD_NV_RULE_RUN_CONDITIONAL: break;
    }
    snprintf(text, cap, "a legal IB entry");
}

/* Return the text of a finding. TRUNCATED without missing words means that a word is cut. */
static const char *nv_rule_text(const gpucmd_nv_finding *f)
{
    return f->rule == GPUCMD_NV_RULE_TRUNCATED && f->value == 0 ? "the stream ends inside a word"
                                                                : gpucmd_nv_rule_text(f->rule);
}

#include "dump_nv_text.h"

#include "dump_nv_check.h"
#include "dump_nv_picture.h"
#include "dump_nv_run.h"

/* If words are invalid but all are valid in the other byte order, print a hint. A long stream is
 * judged by its beginning. */
static void nv_hint_order(const nv_job *job)
{
    const gpucmd_endian other =
        gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN;
    stream turned = *job->in;
    turned.len_dw = turned.len_dw < GUESS_DW ? turned.len_dw : GUESS_DW;
    if (turned.is_text || nv_fits(&turned, &job->gate)) {
        return;
    }
    turned.dw = resize(NULL, turned.len_dw, sizeof *turned.dw);
    gpucmd_store_words(turned.dw, job->in->dw, turned.len_dw, other);
    if (nv_fits(&turned, &job->gate)) {
        fprintf(stderr,
                "gpucmd-dump: %s: all words are commands in the other byte order; expected %s\n",
                turned.name, job->endian == GPUCMD_BIG_ENDIAN ? "no --big-endian" : "--big-endian");
    }
    release(turned.dw);
}

static int nv_page_check(void *job)
{
    return nv_check(job);
}

static int nv_page_decode(void *user)
{
    nv_job *job = user;
    uint32_t class_id[NV_SUBCHANNELS];
    memcpy(class_id, job->class_id, sizeof class_id);
    memset(job->found, 0, sizeof job->found);
    const int status = nv_decode(job);
    memset(job->found, 0, sizeof job->found);
    memcpy(job->class_id, class_id, sizeof class_id);
    return status;
}

/* Handle one stream. */
static int nv_stream(nv_job *job, const options *opt, size_t index)
{
    job->in = &job->d->streams[index];
    job->base_va = job->choice.has_base ? job->choice.base_va : job->in->va;
    job->sli_given = job->choice.has_sli;
    job->sli_mask = (uint32_t)job->choice.sli_mask;
    memset(job->found, 0, sizeof job->found);
    job->truncated = false;
    int status = nv_gate(job, opt);
    if (status != EXIT_FINE) {
        return status;
    }
    put_page_stream(job->out, job->d, index, gpucmd_nv_chip_name(job->gate.chip), job,
                    nv_page_check, nv_page_decode);
    put_section(job->out, job->d, index, gpucmd_nv_chip_name(job->gate.chip), job->why);
    status = opt->value[OPT_CHECK] != NULL ? nv_check(job)
             : opt->value[OPT_RUN] != NULL ? nv_execute(job)
                                           : nv_decode(job);
    if (status == EXIT_STREAM) {
        nv_hint_order(job);
    }
    return status;
}

static int nv_main(const options *opt, output *out)
{
    dump d;
    nv_job job;
    dump_input in;
    memset(&job, 0, sizeof job);
    memset(&in, 0, sizeof in);
    memset(&d, 0, sizeof d);
    job.out = out;
    job.d = &d;
    job.endian = opt->value[OPT_BIG_ENDIAN] != NULL ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    job.names = opt->value[OPT_NAMES] == NULL || strcmp(opt->value[OPT_NAMES], "none") != 0;
    int status = nv_options(&job.choice, opt);
    status = status == EXIT_FINE ? nv_take_names(opt) : status;
    status = status == EXIT_FINE ? read_dump(opt, job.endian, nv_misfit, &d, &in) : status;
    size_t first = 0;
    size_t count = 0;
    if (status == EXIT_FINE) {
        memcpy(job.class_id, job.choice.class_id, sizeof job.class_id);
        status = take_streams(opt, &d, out, &first, &count);
    }
    picture p;
    memset(&p, 0, sizeof p);
    if (status == EXIT_FINE && wants_picture(opt)) {
        status = nv_make_picture(&job, opt, &p);
        status = status == EXIT_FINE ? put_pictures(&p, opt) : status;
        status = status == EXIT_FINE ? open_page(opt, out, &d, &p) : status;
    }
    if (status == EXIT_FINE) {
        for (size_t i = first; i < first + count && status != EXIT_USAGE; i++) {
            const int one = nv_stream(&job, opt, i);
            status = one > status ? one : status;
        }
        nv_report_assumed(&job);
        const int page = close_page(opt, out);
        status = page != EXIT_FINE ? page : status;
        status = close_output(out, dump_status(&d, status));
    }
    free_picture(&p);
    release(out->findings);
    free_dump(&d);
    release_bytes(&in.b);
    return status;
}

#endif

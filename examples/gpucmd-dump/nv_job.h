/* nv_job.h - what the NVIDIA parts of gpucmd-dump.c share: one stream and its chip. */
#ifndef DUMP_NV_JOB_H
#define DUMP_NV_JOB_H

#include "base.h"
#include "chips.h"
#include "options.h"
#include "output.h"
#include "settings.h"
#include "stream.h"

enum {
    NV_BLOCK_DW = 1024, /* words decoded at a time, which bounds the text of a method run */
    NV_PAGE = 4096,     /* bytes of the ring that --run builds */
    NV_PIECES = 60,     /* streams of a dump that are in memory with a stream */
};

typedef struct nv_job {
    const stream *in;
    const dump *d;
    output *out;
    const settings *set;
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
    if (job->gate.ib_enable) {
        return "IB mode";
    }
    return "NV4-style mode";
}

/* Return the number of words that are no commands of the gate; a command that ends early is one. */
static size_t nv_misfits_of(const uint32_t *dw, size_t len_dw, const gpucmd_nv_gate *gate)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    size_t n = 0;
    gpucmd_nv_walk_init(&walk, gate, dw, len_dw);
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
    gpucmd_nv_walk_init(&walk, &gate, in->dw, (size_t)lesser(in->len_dw, GUESS_DW));
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
    const int mode = job->set->mode;
    gpucmd_nv_chip chip;
    gpucmd_nv_gate gate;
    if (job->d->chip[0] != '\0' && nv_chip_of_name(job->d->chip, &chip) == GPUCMD_OK) {
        snprintf(job->why, sizeof job->why, "%s", job->d->chip_why);
        return chip;
    }
    for (size_t i = mode == 1 ? 2 : 0; i < (mode == 2 ? 2 : 3); i++) {
        if (nv_guess_gate(&gate, nv_guesses[i], job->sli_given) && nv_fits(job->in, &gate)) {
            if (i == 0) {
                return nv_bound_chip(job->in, job);
            }
            return nv_guesses[i];
        }
    }
    if (mode == 1) {
        return GPUCMD_NV_CHIP_NV40;
    }
    return GPUCMD_NV_CHIP_GF100;
}

/* Set the gate of a stream from chip, mode, format and SLI. */
static int nv_gate(nv_job *job)
{
    const settings *set = job->set;
    static const gpucmd_nv_fmt fmts[] = {GPUCMD_NV_FMT_NEW, GPUCMD_NV_FMT_OLD, GPUCMD_NV_FMT_BOTH};
    const int mode = job->set->mode;
    const int fmt = job->set->fmt;
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GF100;
    if (job->set->has_chip) {
        chip = job->set->chip;
    }
    const char *name = job->set->chip_text;
    job->why[0] = '\0';
    if (!job->set->has_chip) {
        if (fmt == 0) {
            chip = nv_guess(job);
        }
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
        return usage("--fmt", set->fmt_text, "new; only gf100 to gp10b accept another format");
    }
    if (job->sli_given && chip < GPUCMD_NV_CHIP_NV40) {
        return usage("--sli", set->sli_text, "no --sli for this chip; SLI needs nv40 or later");
    }
    if (gpucmd_nv_gate_init(&job->gate, chip, mode != 1 && chip >= GPUCMD_NV_CHIP_G80,
                            /* nouveau's choice */ job->sli_given, fmts[fmt]) == GPUCMD_OK) {
        return EXIT_FINE;
    }
    return usage("--chip", gpucmd_nv_chip_name(chip), "a chip with a pushbuffer");
}

/* Return the number of words that are no commands of the chip, or of the best of all. */
static size_t nv_misfit(const settings *set, const uint32_t *dw, size_t len_dw)
{
    gpucmd_nv_gate gate;
    const bool known = set->has_chip;
    size_t least = len_dw;
    for (size_t i = 0; i < (known ? 1 : 3); i++) {
        if (nv_guess_gate(&gate, known ? set->chip : nv_guesses[i], false)) {
            const size_t n = nv_misfits_of(dw, len_dw, &gate);
            if (n < least) {
                least = n;
            }
        }
    }
    return least;
}

/* Write what the rule of a finding expects. */
static void nv_expected(const nv_job *job, const gpucmd_nv_finding *f, char *text, size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    const bool old = !GPUCMD_NV_IS_GF100(job->gate.chip);
    switch ((int)f->rule) {
    case GPUCMD_NV_RULE_INVALID_COMMAND:
    case GPUCMD_NV_RULE_UNSUPPORTED_FORM:
        snprintf(text, cap, "the first word of a command of %s in %s", chip, nv_mode(job));
        return;
    case GPUCMD_NV_RULE_TRUNCATED:
        if (f->value == 0) {
            const size_t n = 4 - job->in->extra_bytes;
            snprintf(text, cap, "%zu more byte%s", n, plural(n));
        } else {
            snprintf(text, cap, "%" PRIu64 " more word%s", f->value, plural(f->value));
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
        snprintf(text, cap, "a target in 0x%" PRIx64 "..0x%" PRIx64 ", not 0x%" PRIx64,
                 job->base_va, job->base_va + 4 * (uint64_t)(job->in->len_dw - 1), f->value);
        return;
    case GPUCMD_NV_RULE_RETURN_OUTSIDE: snprintf(text, cap, "a call that leads here"); return;
    case GPUCMD_NV_RULE_NESTED_CALL: snprintf(text, cap, "RETURN before"); return;
    case GPUCMD_NV_RULE_STRAY_BITS:
        snprintf(text, cap, "zeros in the bits %08" PRIx64, f->value);
        return;
    case GPUCMD_NV_RULE_EMPTY_RUN: snprintf(text, cap, "a count, or the word 0"); return;
    case GPUCMD_NV_RULE_AFTER_END: snprintf(text, cap, "END_SEGMENT last"); return;
    default: break;
    }
    snprintf(text, cap, "a legal IB entry");
}

/* Return the text of a finding. TRUNCATED without missing words means that a word is cut. */
static const char *nv_rule_text(const gpucmd_nv_finding *f)
{
    if (f->rule == GPUCMD_NV_RULE_TRUNCATED && f->value == 0) {
        return "the stream ends inside a word";
    }
    return gpucmd_nv_rule_text(f->rule);
}

#endif

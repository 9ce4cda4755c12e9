/* dump_nv.h - NVIDIA streams for gpucmd-dump.c: decode, check, run. */
#ifndef DUMP_NV_H
#define DUMP_NV_H

enum {
    NV_BLOCK_DW = 1024, /* words decoded at a time, which bounds the text of a method run */
    NV_PAGE = 4096,     /* bytes of the ring that --run builds */
};

typedef struct nv_job {
    const stream *in;
    output *out;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk; /* at the end of the stream */
    uint64_t base_va;
    uint32_t sli_mask; /* 0 without --sli */
    bool sli_given;
    gpucmd_endian endian;
    size_t found[3]; /* findings, by severity; decoding counts its errors */
    bool truncated;  /* a finding reported a truncated stream */
    bool binds;      /* the stream binds an object */
} nv_job;

/* Return the name of the mode for messages. */
static const char *nv_mode(const nv_job *job)
{
    return job->gate.ib_enable ? "IB mode" : "NV4-style mode";
}

/* Return true if every word belongs to a whole command that the gate accepts. */
static bool nv_fits(const stream *in, const gpucmd_nv_gate *gate)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_init(&walk, gate);
    gpucmd_nv_walk_segment(&walk, in->dw, in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        if (cmd.form == GPUCMD_NV_FORM_INVALID) {
            return false;
        }
    }
    return !gpucmd_nv_walk_pending(&walk);
}

/* Choose a chip for a stream without --chip: the first of GF100, G80 and NV40
 * that can decode all words, otherwise GF100. */
static gpucmd_nv_chip nv_guess(const stream *in, int mode, bool sli)
{
    static const gpucmd_nv_chip chips[] = {GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_G80,
                                           GPUCMD_NV_CHIP_NV40};
    for (size_t i = mode == 1 ? 2 : 0; i < (mode == 2 ? 2 : 3); i++) {
        gpucmd_nv_gate gate;
        if (gpucmd_nv_gate_init(&gate, chips[i], chips[i] >= GPUCMD_NV_CHIP_G80,
                                sli && chips[i] < GPUCMD_NV_CHIP_GF100,
                                GPUCMD_NV_FMT_NEW) == GPUCMD_OK &&
            nv_fits(in, &gate)) {
            return chips[i];
        }
    }
    return mode == 1 ? GPUCMD_NV_CHIP_NV40 : GPUCMD_NV_CHIP_GF100;
}

/* Set the gate from chip, mode, format and SLI. mode: 0 absent, 1 nv4, 2 ib. */
static int nv_gate(nv_job *job, const options *opt, int mode, int fmt)
{
    static const gpucmd_nv_fmt fmts[] = {GPUCMD_NV_FMT_NEW, GPUCMD_NV_FMT_OLD, GPUCMD_NV_FMT_BOTH};
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_GF100;
    const char *name = opt->value[OPT_CHIP];
    if (name == NULL) {
        chip = fmt == 0 ? nv_guess(job->in, mode, job->sli_given) : chip;
        fprintf(stderr, "gpucmd-dump: no --chip: decoding for %s\n", gpucmd_nv_chip_name(chip));
    } else if (gpucmd_nv_chip_from_name(name, &chip) != GPUCMD_OK) {
        return usage("--chip", name,
                     "a chip from nv4 to gb207, nvXX with its id, or a channel class such as c76f");
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

static int nv_options(nv_job *job, const options *opt)
{
    const int mode = choose(opt, OPT_MODE, "|nv4|ib");
    const int fmt = choose(opt, OPT_FMT, "new|old|both");
    uint64_t sli = 0;
    int status = take_number(opt, OPT_SLI, 0xfff, "a mask of subdevices, 0 to 0xfff", &sli);
    if (mode < 0 || fmt < 0 || status != EXIT_FINE) {
        return EXIT_USAGE;
    }
    job->sli_given = opt->value[OPT_SLI] != NULL;
    job->sli_mask = (uint32_t)sli;
    job->base_va = 0;
    status = take_base(opt, &job->base_va);
    return status == EXIT_FINE ? nv_gate(job, opt, mode, fmt) : status;
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

/* ---- decode ---- */

/* Write one row of TSV or JSON. A cell of -1 does not apply. */
static void nv_row(const nv_job *job, uint64_t offset, const uint32_t *dw, const char *form,
                   const int64_t cell[3])
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"form\":\"%s\"", form);
    } else {
        printf("0x%" PRIx64, offset);
        if (dw != NULL) {
            printf("\t%08" PRIx32 "\t%s", *dw, form);
        } else {
            printf("\t-\t%s", form);
        }
    }
    put_cell(out, "subc", cell[0], false);
    put_cell(out, "mthd", cell[1], true);
    put_cell(out, "count", cell[2], false);
    putchar(out->format == FORMAT_JSON ? '}' : '\n');
}

/* Write the rows of one command, or of the part of a method run in this block. */
static void nv_rows(const nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    const uint32_t *dw = cmd->data - cmd->head_dw;
    const bool run = gpucmd_nv_form_is_run(cmd->form);
    const bool counts =
        run && cmd->form != GPUCMD_NV_FORM_IMMD && cmd->form != GPUCMD_NV_FORM_LONG_NON_INC;
    for (uint32_t i = 0; i < cmd->len_dw; i++) {
        int64_t cell[3] = {-1, -1, -1};
        const char *form = "DATA";
        if (i == 0 && !cmd->resumed) {
            form = gpucmd_nv_form_name(cmd->form);
            cell[0] = run ? (int64_t)cmd->subc : -1;
            cell[1] = run ? (int64_t)cmd->mthd : -1;
            cell[2] = counts ? (int64_t)cmd->count_dw : -1;
        } else if (i < cmd->head_dw) {
            form = "COUNT";
            cell[2] = cmd->count_dw;
        } else {
            cell[0] = cmd->subc;
            cell[1] = gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, i - cmd->head_dw);
        }
        nv_row(job, offset + 4 * (uint64_t)i, &dw[i], form, cell);
    }
}

/* Write one command as text. */
static void nv_text(const nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    static char lines[NV_BLOCK_DW * 96];
    const char *color = cmd->form == GPUCMD_NV_FORM_INVALID ? RED
                        : gpucmd_nv_form_is_run(cmd->form)  ? CYAN
                                                            : YELLOW;
    gpucmd_text text;
    gpucmd_text_init(&text, lines, sizeof lines);
    gpucmd_nv_print(&text, &job->gate, cmd, job->base_va + offset);
    put_lines(job->out, lines, text.len_bytes, 12, color);
}

/* Write the last row of a truncated stream. */
static void nv_truncated(const nv_job *job, const gpucmd_nv_walk *walk)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    const bool pending = gpucmd_nv_walk_pending(walk);
    int64_t cell[3] = {-1, -1, -1};
    if (pending) {
        cell[0] = walk->subc;
        cell[1] = walk->mthd;
        cell[2] = walk->lenp ? -1 : (int64_t)walk->left_dw;
    }
    if (job->out->format != FORMAT_TEXT) {
        nv_row(job, offset, NULL, "TRUNCATED", cell);
        return;
    }
    printf("0x%06" PRIx64 "  --------  %sTRUNCATED%s    ", job->base_va + offset,
           paint(job->out, RED), paint(job->out, PLAIN));
    if (pending) {
        printf("s%" PRIu32 " 0x%04" PRIx32 " ", walk->subc, walk->mthd);
    }
    if (pending && walk->lenp) {
        puts("the count word is missing");
    } else if (pending) {
        printf("n%" PRIu32 " missing\n", walk->left_dw);
    } else {
        printf("%zu byte%s of a word\n", job->in->extra_bytes, plural(job->in->extra_bytes));
    }
}

/* Count an error of decoding; print the first MESSAGES errors on standard error. */
static void nv_report_error(nv_job *job, gpucmd_nv_rule rule, uint64_t offset, uint32_t dw,
                            uint32_t value)
{
    const gpucmd_nv_finding f = {rule, job->base_va + offset, dw, 0, value};
    char expected[96];
    if (job->found[GPUCMD_SEVERITY_ERROR]++ >= MESSAGES) {
        return;
    }
    nv_expected(job, &f, expected, sizeof expected);
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx64 ": ", job->in->name, offset);
    if (rule == GPUCMD_NV_RULE_INVALID_COMMAND) {
        fprintf(stderr, "%08" PRIx32 ": ", dw);
    }
    fprintf(stderr, "%s; expected %s\n", nv_rule_text(&f), expected);
}

/* Decode and print all words, block by block. */
static void nv_print_all(nv_job *job)
{
    gpucmd_nv_walk *walk = &job->walk;
    uint64_t offset = 0;
    gpucmd_nv_walk_init(walk, &job->gate);
    if (job->out->format == FORMAT_TSV) {
        puts("offset\tword\tform\tsubc\tmthd\tcount");
    }
    for (size_t at = 0; at < job->in->len_dw; at += NV_BLOCK_DW) {
        const size_t left_dw = job->in->len_dw - at;
        gpucmd_nv_cmd cmd;
        gpucmd_nv_walk_segment(walk, job->in->dw + at,
                               left_dw < NV_BLOCK_DW ? left_dw : NV_BLOCK_DW);
        while (gpucmd_nv_walk_next(walk, &cmd)) {
            if (cmd.form == GPUCMD_NV_FORM_INVALID) {
                nv_report_error(job, GPUCMD_NV_RULE_INVALID_COMMAND, offset, cmd.dw, 0);
            }
            if (job->out->format == FORMAT_TEXT) {
                nv_text(job, &cmd, offset);
            } else {
                nv_rows(job, &cmd, offset);
            }
            offset += 4 * (uint64_t)cmd.len_dw;
        }
    }
    if (gpucmd_nv_walk_pending(walk) || job->in->extra_bytes != 0) {
        nv_truncated(job, walk);
        nv_report_error(job, GPUCMD_NV_RULE_TRUNCATED, offset, 0, walk->lenp ? 1 : walk->left_dw);
    }
}

static int nv_decode(nv_job *job)
{
    nv_print_all(job);
    if (job->found[GPUCMD_SEVERITY_ERROR] > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[GPUCMD_SEVERITY_ERROR] - MESSAGES);
    }
    return job->found[GPUCMD_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- check ---- */

/* Print one finding as a row of --check. */
static gpucmd_status nv_found(void *user, const gpucmd_nv_finding *f)
{
    nv_job *job = user;
    const uint64_t offset = f->at_va - job->base_va;
    const gpucmd_severity severity = gpucmd_nv_rule_severity(f->rule);
    char expected[96];
    const finding_row row = {offset,
                             (uint32_t)severity,
                             gpucmd_nv_rule_name(f->rule),
                             offset < 4 * (uint64_t)job->in->len_dw ? &f->dw : NULL,
                             nv_rule_text(f),
                             expected};
    job->found[severity]++;
    job->truncated = job->truncated || f->rule == GPUCMD_NV_RULE_TRUNCATED;
    nv_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

/* Write what a rule about methods expects. */
static void nv_host_expected(const nv_job *job, const gpucmd_nv_host_finding *f, char *text,
                             size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    switch (f->rule) {
    case GPUCMD_NV_HOST_RULE_UNBOUND_SUBCHANNEL:
        snprintf(text, cap, "SET_OBJECT on subchannel %" PRIu32 " before", f->subc);
        return;
    case GPUCMD_NV_HOST_RULE_HOST_METHOD:
        snprintf(text, cap, "a host method of %s, not 0x%02" PRIx32, chip, f->mthd);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_OPERATION:
        snprintf(text, cap, "an operation of %s, not that of 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_MISALIGNED:
        if (f->value >> 63 != 0) { /* an offset */
            snprintf(text, cap, "a multiple of 4, not 0x%" PRIx64, f->value & 0xffff);
        } else {
            snprintf(text, cap, "a multiple of its 4, 8 or 16 bytes, not 0x%" PRIx64, f->value);
        }
        return;
    case GPUCMD_NV_HOST_RULE_SEM_RANGE:
        snprintf(text, cap, "fewer bits on %s than 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_UNKNOWN_OBJECT:
        snprintf(text, cap, "an object of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_COPY_EMPTY:
        snprintf(text, cap, "a length and, where they count, lines before");
        return;
    case GPUCMD_NV_HOST_RULE_RELEASE_NO_FLUSH:
        snprintf(text, cap, "the flush bit, 0x%" PRIx32 ", in this LAUNCH_DMA",
                 GPUCMD_FIELD_MASK(NV_LAUNCH_FLUSH));
        return;
    case GPUCMD_NV_HOST_RULE_RELEASE_NO_WAIT:
        snprintf(text, cap, "a release that waits for idle engines, or WFI before");
        return;
    case GPUCMD_NV_HOST_RULE_HOST_VALUE:
        snprintf(text, cap, "a value of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_HOST_RULE_SEM_NEVER_RELEASED:
    case GPUCMD_NV_HOST_RULE_SEM_NOT_SET: break;
    }
    snprintf(text, cap, "words that do so before");
}

/* Print one finding about methods. The input may be a part of a longer stream, so
 * a semaphore that other parts may set is no finding, and an unbound subchannel is
 * one only if the input binds an object. */
static gpucmd_status nv_host_found(void *user, const gpucmd_nv_host_finding *f)
{
    nv_job *job = user;
    const uint64_t offset = f->at_va - job->base_va;
    const gpucmd_severity severity = gpucmd_nv_host_rule_severity(f->rule);
    char expected[96];
    const finding_row row = {offset,
                             (uint32_t)severity,
                             gpucmd_nv_host_rule_name(f->rule),
                             &job->in->dw[offset / 4],
                             gpucmd_nv_host_rule_text(f->rule),
                             expected};
    if (f->rule == GPUCMD_NV_HOST_RULE_HOST_METHOD || /* UNKNOWN_METHOD */
        f->rule == GPUCMD_NV_HOST_RULE_SEM_NOT_SET ||
        (f->rule == GPUCMD_NV_HOST_RULE_UNBOUND_SUBCHANNEL && !job->binds)) {
        return GPUCMD_OK;
    }
    job->found[severity]++;
    nv_host_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

/* Return true if the stream binds an object. */
static bool nv_binds(const nv_job *job)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_init(&walk, &job->gate);
    gpucmd_nv_walk_segment(&walk, job->in->dw, job->in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        if (gpucmd_nv_form_is_run(cmd.form) && cmd.mthd == GPUCMD_NV_HOST_SET_OBJECT &&
            (cmd.count_dw != 0 || cmd.form == GPUCMD_NV_FORM_IMMD)) {
            return true;
        }
    }
    return false;
}

/* Run the checker of host and copy methods, gpucmd_nv_check_host. */
static int nv_check_methods(nv_job *job)
{
    const gpucmd_nv_stream piece = {job->in->dw, job->in->len_dw, job->base_va};
    gpucmd_nv_host_check check;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    check.gate = job->gate;
    check.streams = &piece;
    check.count = 1;
    check.found = nv_host_found;
    check.user = job;
    job->binds = nv_binds(job);
    return gpucmd_nv_check_host(&check, &errors) == GPUCMD_OK ? EXIT_FINE : EXIT_STREAM;
}

/* Run both checkers. They do not see a partial last word, which is reported here. */
static int nv_check_all(nv_job *job)
{
    const uint64_t end_va = job->base_va + 4 * (uint64_t)job->in->len_dw;
    const gpucmd_nv_finding partial = {GPUCMD_NV_RULE_TRUNCATED, end_va, 0, 0, 0};
    size_t errors = 0;
    if (gpucmd_nv_check(&job->gate, job->in->dw, job->in->len_dw, job->base_va, nv_found, job,
                        &errors) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (job->in->extra_bytes != 0 && !job->truncated) {
        (void)nv_found(job, &partial);
    }
    if (nv_check_methods(job) != EXIT_FINE) {
        return EXIT_STREAM;
    }
    return job->found[GPUCMD_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

static int nv_check(nv_job *job)
{
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    const int status = nv_check_all(job);
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu word%s of %s in %s: ", job->in->len_dw, plural(job->in->len_dw),
               gpucmd_nv_chip_name(job->gate.chip), nv_mode(job));
        put_counts(job->found);
    }
    return status;
}

#include "dump_nv_run.h"

/* If words are invalid but all are valid in the other byte order, print a hint. */
static void nv_hint_order(const nv_job *job)
{
    const gpucmd_endian other =
        gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN ? GPUCMD_LITTLE_ENDIAN : GPUCMD_BIG_ENDIAN;
    stream turned = *job->in;
    turned.dw = turned.is_text || nv_fits(&turned, &job->gate) ? NULL : malloc(turned.len_dw * 4);
    if (turned.dw == NULL) {
        return;
    }
    gpucmd_store_words(turned.dw, job->in->dw, turned.len_dw, other);
    if (nv_fits(&turned, &job->gate)) {
        fprintf(stderr,
                "gpucmd-dump: %s: all words are commands in the other byte order; expected %s\n",
                turned.name, job->endian == GPUCMD_BIG_ENDIAN ? "no --big-endian" : "--big-endian");
    }
    free(turned.dw);
}

static int nv_main(const options *opt, output *out)
{
    const gpucmd_endian endian =
        opt->value[OPT_BIG_ENDIAN] != NULL ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    stream in;
    nv_job job;
    int status = read_stream(opt, endian, &in);
    memset(&job, 0, sizeof job);
    job.in = &in;
    job.out = out;
    job.endian = endian;
    if (status == EXIT_FINE) {
        status = nv_options(&job, opt);
    }
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? nv_check(&job)
                 : opt->value[OPT_RUN] != NULL ? nv_execute(&job)
                                               : nv_decode(&job);
        status = close_output(out, status);
        if (status == EXIT_STREAM) {
            nv_hint_order(&job);
        }
    }
    free(in.dw);
    return status;
}

#endif

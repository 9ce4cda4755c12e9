/* nv_check.h - findings in NVIDIA streams, for nv.h. */
#ifndef DUMP_NV_CHECK_H
#define DUMP_NV_CHECK_H

#include "base.h"
#include "nv_fields.h"
#include "nv_job.h"
#include "nv_names.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"

/* Return true if another stream of the dump calls the present one. */
static bool nv_called(const nv_job *job)
{
    for (size_t i = 0; i < stream_count(job->d); i++) {
        const stream *s = &job->d->streams[i];
        gpucmd_nv_walk walk;
        gpucmd_nv_cmd cmd;
        size_t at;
        gpucmd_nv_walk_init(&walk, &job->gate, s->dw, s != job->in ? s->len_dw : 0);
        while (gpucmd_nv_walk_next(&walk, &cmd)) {
            if (cmd.form == GPUCMD_NV_FORM_CALL && stream_find(job->in, cmd.value, &at)) {
                return true;
            }
        }
    }
    return false;
}

/* Return true if the streams of the dump have what a rule about one stream does not find. */
static bool nv_is_elsewhere(const nv_job *job, const gpucmd_nv_finding *f)
{
    return (f->rule == GPUCMD_NV_RULE_JUMP_OUTSIDE &&
            picture_target(job->d, f->value, (size_t)(job->in - job->d->streams)) >= 0) ||
           (f->rule == GPUCMD_NV_RULE_RETURN_OUTSIDE && nv_called(job));
}

/* Print one finding as a row of --check. */
static gpucmd_status nv_found(void *user, const gpucmd_nv_finding *f)
{
    nv_job *job = user;
    if (nv_is_elsewhere(job, f)) {
        return GPUCMD_OK;
    }
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

/* Write which method CLASS_METHOD expects. If the class has the method at a quarter of the address,
 * the header has a byte address where the address / 4 belongs. */
static void nv_method_expected(const gpucmd_nv_finding *f, char *text, size_t cap)
{
    const nv_method *m = nv_find_method((uint32_t)f->value, f->mthd / 4);
    snprintf(text, cap, "a method of class 0x%04" PRIx64 ", not 0x%04" PRIx32, f->value, f->mthd);
    if (f->mthd % 16 == 0 && m != NULL) {
        append(text, cap, "; 0x%04" PRIx32 " is %s: headers have the address / 4", f->mthd / 4,
               m->name);
    }
}

/* Write what a rule about methods expects. */
static void nv_host_expected(const nv_job *job, const gpucmd_nv_finding *f, char *text, size_t cap)
{
    const char *chip = gpucmd_nv_chip_name(job->gate.chip);
    switch ((int)f->rule) {
    case GPUCMD_NV_RULE_UNBOUND_SUBCHANNEL:
        snprintf(text, cap, "SET_OBJECT on subchannel %" PRIu32 " before", f->subc);
        return;
    case GPUCMD_NV_RULE_HOST_METHOD:
        snprintf(text, cap, "a host method of %s, not 0x%02" PRIx32, chip, f->mthd);
        return;
    case GPUCMD_NV_RULE_SEM_OPERATION:
        snprintf(text, cap, "an operation of %s, not that of 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_SEM_MISALIGNED:
        if (f->value >> 63 != 0) { /* an offset */
            snprintf(text, cap, "a multiple of 4, not 0x%" PRIx64, f->value & 0xffff);
        } else {
            snprintf(text, cap, "a multiple of its 4, 8 or 16 bytes, not 0x%" PRIx64, f->value);
        }
        return;
    case GPUCMD_NV_RULE_SEM_RANGE:
        snprintf(text, cap, "fewer bits on %s than 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_SEM_MEMORY:
        snprintf(text, cap, "more than the %" PRIu64 " bytes at 0x%" PRIx64, f->limit, f->value);
        return;
    case GPUCMD_NV_RULE_OTHER_RUNLIST:
        snprintf(text, cap, "the copy class of %s, not 0x%04" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_UNKNOWN_OBJECT:
        snprintf(text, cap, "an object of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_OTHER_CHIP:
    case GPUCMD_NV_RULE_UNKNOWN_CLASS:
        snprintf(text, cap, "a class of %s, not 0x%04" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_UNCHECKED_CLASS:
        snprintf(text, cap, "a class whose methods are known, not 0x%04" PRIx64, f->value);
        return;
    case GPUCMD_NV_RULE_OTHER_SUBCHANNEL:
#define SUBCHANNEL(kind, number) " " #kind " " #number
        snprintf(text, cap,
                 "subchannels by kind:" GPUCMD_NV_KIND_SUBCHANNELS(SUBCHANNEL) ", not 0x%04" PRIx64
                                                                               " on %" PRIu32,
                 f->value, f->subc);
#undef SUBCHANNEL
        return;
    case GPUCMD_NV_RULE_CLASS_METHOD: nv_method_expected(f, text, cap); return;
    case GPUCMD_NV_RULE_METHOD_BITS:
        snprintf(text, cap, "0x%" PRIx32, f->dw & ~(uint32_t)f->value);
        return;
    case GPUCMD_NV_RULE_COPY_EMPTY:
        snprintf(text, cap, "a length and, where they count, lines before");
        return;
    case GPUCMD_NV_RULE_RELEASE_NO_FLUSH:
        snprintf(text, cap, "the flush bit, 0x%" PRIx32 ", in this LAUNCH_DMA",
                 GPUCMD_FIELD_MASK(NV_LAUNCH_FLUSH));
        return;
    case GPUCMD_NV_RULE_RELEASE_NO_WAIT:
        snprintf(text, cap, "a release that waits for idle engines, or WFI before");
        return;
    case GPUCMD_NV_RULE_HOST_VALUE:
        snprintf(text, cap, "a value of %s, not 0x%" PRIx64, chip, f->value);
        return;
    case GPUCMD_NV_RULE_TLB_NO_BARRIER:
        snprintf(text, cap, "an ACK_TYPE and the TLBs of GPCs in this MEM_OP");
        return;
    default: break;
    }
    snprintf(text, cap, "words that do so before");
}

/* Print one finding about methods. The input may be a part of a longer stream, so
 * a semaphore that other parts may set is no finding, and an unbound subchannel is
 * one only if the input binds an object. */
static gpucmd_status nv_host_found(void *user, const gpucmd_nv_finding *f)
{
    nv_job *job = user;
    const uint64_t offset = f->at_va - job->base_va;
    const gpucmd_severity severity = gpucmd_nv_rule_severity(f->rule);
    char expected[160];
    const finding_row row = {offset,
                             (uint32_t)severity,
                             gpucmd_nv_rule_name(f->rule),
                             &job->in->dw[offset / 4],
                             gpucmd_nv_rule_text(f->rule),
                             expected};
    if (f->rule == GPUCMD_NV_RULE_HOST_METHOD || /* UNKNOWN_METHOD */
        f->rule == GPUCMD_NV_RULE_SEM_NOT_SET ||
        (f->rule == GPUCMD_NV_RULE_UNBOUND_SUBCHANNEL && !job->binds)) {
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
    gpucmd_nv_walk_init(&walk, &job->gate, job->in->dw, job->in->len_dw);
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
    gpucmd_nv_check_options check;
    memset(&check, 0, sizeof check);
    check.found = nv_host_found;
    check.user = job;
    check.methods = nv_names.class_count != 0 ? nv_class_bits : NULL;
    job->binds = nv_binds(job);
    return exit_unless(gpucmd_nv_check_host(&job->gate, &piece, 1, &check, NULL) == GPUCMD_OK,
                       EXIT_STREAM);
}

/* Run both checkers. They do not see a partial last word, which is reported here. */
static int nv_check_all(nv_job *job)
{
    const uint64_t end_va = job->base_va + 4 * (uint64_t)job->in->len_dw;
    gpucmd_nv_finding partial;
    gpucmd_nv_check_options check;
    memset(&partial, 0, sizeof partial);
    partial.rule = GPUCMD_NV_RULE_TRUNCATED;
    partial.at_va = end_va;
    memset(&check, 0, sizeof check);
    check.found = nv_found;
    check.user = job;
    check.va = job->base_va;
    if (gpucmd_nv_check(&job->gate, job->in->dw, job->in->len_dw, &check, NULL) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (job->in->extra_bytes != 0 && !job->truncated) {
        (void)nv_found(job, &partial);
    }
    if (job->in->unknown == NULL && nv_check_methods(job) != EXIT_FINE) {
        return EXIT_STREAM;
    }
    return exit_unless(job->found[GPUCMD_SEVERITY_ERROR] == 0, EXIT_STREAM);
}

static int nv_check(void *user)
{
    nv_job *job = user;
    put_header(job->out, FINDING_HEADER);
    memset(job->found, 0, sizeof job->found);
    job->truncated = false;
    const int status = nv_check_all(job);
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu word%s of %s in %s: ", job->in->len_dw, plural(job->in->len_dw),
               gpucmd_nv_chip_name(job->gate.chip), nv_mode(job));
        put_counts(job->found);
    }
    return status;
}

#endif

/* nv_qmd.h - QMDs, which describe grids of compute classes, for gpucmd-dump.c: --qmd. */
#ifndef DUMP_NV_QMD_H
#define DUMP_NV_QMD_H

#include "base.h"
#include "nv_check.h"
#include "nv_job.h"
#include "nv_text.h"
#include "output.h"
#include "settings.h"

/* One QMD of the input. */
typedef struct nv_qmd {
    nv_job *job;
    uint32_t class_id;
    gpucmd_nv_qmd_layout layout;
    const uint32_t *dw;
    size_t at_dw; /* in the input */
} nv_qmd;

/* Return the class of --class for subchannel 1, otherwise the compute class of the chip; 0: none. */
static uint32_t nv_compute_class(const nv_job *job)
{
    uint32_t class_id = job->set->class_id[1];
    for (uint32_t i = 0; class_id == 0; i++) {
        const uint32_t one = gpucmd_nv_object_class(job->gate.chip, i);
        if (one == 0) {
            return 0;
        }
        if ((one & 0xff) == 0xc0) {
            class_id = one;
        }
    }
    return class_id;
}

static void nv_print_members(gpucmd_text *t, const void *user)
{
    const nv_qmd *q = user;
    gpucmd_nv_print_qmd(t, q->layout, q->dw);
}

static void nv_put_qmd(const nv_qmd *q)
{
#define QMD_NAME(name, major, minor, class_id, words) #name,
    static const char *const names[] = {GPUCMD_NV_QMD_LAYOUTS(QMD_NAME)};
#undef QMD_NAME
    printf("%08" PRIx64 ": QMD %s of class %04" PRIx32 "\n",
           q->job->base_va + 4 * (uint64_t)q->at_dw, names[q->layout], q->class_id);
    (void)put_text(nv_print_members, q, stdout);
    putchar('\n');
}

static gpucmd_status nv_qmd_found(void *user, const gpucmd_nv_finding *f)
{
    const nv_qmd *q = user;
    char expected[96], member[64];
    const finding_row row = {4 * (uint64_t)q->at_dw + f->at_bytes,
                             (uint32_t)f->severity,
                             f->name,
                             &f->dw,
                             f->text,
                             expected};
    snprintf(member, sizeof member, "%s", f->member != NULL ? f->member : "value");
    if (f->sub_task != 0) {
        snprintf(member, sizeof member, "SUB_TASK_%s(%" PRIu32 ")", f->member, f->sub_task - 1);
    }
    snprintf(expected, sizeof expected, "%s within 0x%" PRIx64 ", not 0x%" PRIx64, member, f->limit,
             f->value);
    q->job->found[f->severity]++;
    put_finding(q->job->out, &row);
    return GPUCMD_OK;
}

/* Print or check the QMDs of the input, one after the other. Return the exit status. */
static int nv_qmds(nv_job *job, bool check)
{
    nv_qmd q = {job, nv_compute_class(job), GPUCMD_NV_QMD_LATER, NULL, 0};
    gpucmd_nv_check_options how;
    memset(&how, 0, sizeof how);
    how.found = nv_qmd_found;
    how.user = &q;
    if (job->in->len_dw < 64) {
        fprintf(stderr, "gpucmd-dump: %s: %zu words; expected a QMD of 64, 96 or 128 words\n",
                job->in->name, job->in->len_dw);
        return EXIT_STREAM;
    }
    while (job->in->len_dw - q.at_dw >= 64) {
        uint32_t whole[GPUCMD_NV_QMD_MAX_DW] = {0};
        const size_t left_dw = job->in->len_dw - q.at_dw;
        memcpy(whole, job->in->dw + q.at_dw, 4 * lesser(left_dw, GPUCMD_NV_QMD_MAX_DW));
        q.dw = whole;
        if (gpucmd_nv_qmd_layout_of(q.class_id, whole, &q.layout) != GPUCMD_OK ||
            gpucmd_nv_qmd_dw(q.layout) > left_dw) {
            fprintf(stderr,
                    "gpucmd-dump: %s: offset 0x%zx: no QMD of class %04" PRIx32
                    "; expected --chip or --class 1=ID of a compute class with this version\n",
                    job->in->name, 4 * q.at_dw, q.class_id);
            return EXIT_STREAM;
        }
        if (check) {
            how.va = job->base_va + 4 * (uint64_t)q.at_dw;
            (void)!gpucmd_nv_check_qmd(job->gate.chip, q.class_id, whole, left_dw, &how, NULL);
        } else {
            nv_put_qmd(&q);
        }
        q.at_dw += gpucmd_nv_qmd_dw(q.layout);
    }
    return exit_unless(job->found[GPUCMD_SEVERITY_ERROR] == 0, EXIT_STREAM);
}

/* A word of a QMD is no command. */
static size_t nv_qmd_misfit(const settings *set, const uint32_t *dw, size_t len_dw)
{
    (void)set;
    (void)dw;
    (void)len_dw;
    return 0;
}

static int nv_decode_or_qmd(void *user)
{
    nv_job *job = user;
    if (!job->set->qmd) {
        return nv_decode(user);
    }
    memset(job->found, 0, sizeof job->found);
    return nv_qmds(job, false);
}

static int nv_check_or_qmd(void *user)
{
    nv_job *job = user;
    if (!job->set->qmd) {
        return nv_check(user);
    }
    put_header(job->out, FINDING_HEADER);
    memset(job->found, 0, sizeof job->found);
    const int status = nv_qmds(job, true);
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu word%s of QMDs of %s: ", job->in->len_dw, plural(job->in->len_dw),
               gpucmd_nv_chip_name(job->gate.chip));
        put_counts(job->found);
    }
    return status;
}

#endif

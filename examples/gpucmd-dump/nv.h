/* nv.h - NVIDIA streams for gpucmd-dump.c: decode, check, run. */
#ifndef DUMP_NV_H
#define DUMP_NV_H

#include "base.h"
#include "formats.h"
#include "memory.h"
#include "nv_check.h"
#include "nv_job.h"
#include "nv_picture.h"
#include "nv_qmd.h"
#include "nv_run.h"
#include "nv_step.h"
#include "nv_text.h"
#include "output.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"
#include "vendor.h"

/* If words are invalid but all are valid in the other byte order, print a hint. A long stream is
 * judged by its beginning. */
static void nv_hint_order(const nv_job *job)
{
    stream turned = *job->in;
    if (turned.len_dw > GUESS_DW) {
        turned.len_dw = GUESS_DW;
    }
    if (turned.is_text || nv_fits(&turned, &job->gate)) {
        return;
    }
    turned.dw = resize(NULL, turned.len_dw, sizeof *turned.dw);
    gpucmd_store_words(turned.dw, job->in->dw, turned.len_dw, other_endian(gpucmd_cpu_endian()));
    if (nv_fits(&turned, &job->gate)) {
        fprintf(stderr,
                "gpucmd-dump: %s: all words are commands in the other byte order; expected %s\n",
                turned.name, job->endian == GPUCMD_BIG_ENDIAN ? "no --big-endian" : "--big-endian");
    }
    release(turned.dw);
}

static int nv_read(void *user, const settings *set, output *out, dump *d, dump_input *in)
{
    nv_job *job = user;
    job->out = out;
    job->d = d;
    job->set = set;
    job->names = !set->no_names;
    job->sli_given = set->has_sli;
    job->sli_mask = (uint32_t)set->sli_mask;
    job->endian = set->big_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    memcpy(job->class_id, set->class_id, sizeof job->class_id);
    const int status = nv_take_names(set);
    if (status == EXIT_FINE) {
        return read_dump(set, job->endian, set->qmd ? nv_qmd_misfit : nv_misfit, d, in);
    }
    return status;
}

static int nv_begin(void *user, size_t index, title *t)
{
    nv_job *job = user;
    job->in = &job->d->streams[index];
    job->base_va = job->set->has_base ? job->set->base_va : job->in->va;
    const int status = nv_gate(job);
    snprintf(t->chip, sizeof t->chip, "%s", gpucmd_nv_chip_name(job->gate.chip));
    t->why = job->why;
    return status;
}

static int nv_end(void *user, int status)
{
    if (status == EXIT_STREAM) {
        nv_hint_order(user);
    }
    return status;
}

static const vendor nv_vendor = {
    .name = "nv",
    .job_bytes = sizeof(nv_job),
    .read = nv_read,
    .picture = nv_make_picture,
    .begin = nv_begin,
    .check = nv_check_or_qmd,
    .run = nv_execute,
    .decode = nv_decode_or_qmd,
    .step = nv_step_open,
    .end = nv_end,
    .close = nv_report_assumed,
};

#endif

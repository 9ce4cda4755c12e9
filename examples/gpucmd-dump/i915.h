/* i915.h - Intel streams for gpucmd-dump.c. */
#ifndef DUMP_I915_H
#define DUMP_I915_H

#include "base.h"
#include "formats.h"
#include "hang.h"
#include "i915_check.h"
#include "i915_job.h"
#include "i915_picture.h"
#include "i915_run.h"
#include "i915_step.h"
#include "i915_text.h"
#include "output.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"
#include "vendor.h"

/* ---- jumps between streams ---- */

/* Add streams for jumps of the stream into memory that no stream begins with. */
static size_t i915_follow(i915_job *job, dump *d, size_t index)
{
    size_t added = 0;
    job->in = &d->streams[index];
    job->quiet = true;
    if (i915_choose(job) != EXIT_FINE) {
        return 0;
    }
    job->quiet = false;
    for (size_t at = 0; at < job->in->len_dw;) {
        gpucmd_i915_cmd cmd;
        size_t from = 0;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        const uint32_t *dw = job->in->dw + at;
        at += cmd.len_dw;
        if (cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END && strcmp(job->in->kind, "ring") != 0) {
            break;
        }
        if (cmd.op != GPUCMD_I915_OP_MI_BATCH_BUFFER_START || cmd.status != GPUCMD_OK) {
            continue;
        }
        const uint64_t va = i915_target(&job->cmdset, dw, cmd.len_dw);
        size_t holder = d->count;
        for (size_t i = 0; i < d->count; i++) {
            if (stream_find(&d->streams[i], va, &from)) {
                if (d->streams[i].memory) {
                    holder = i;
                } else {
                    holder = d->count;
                }
                if (!d->streams[i].memory) {
                    break;
                }
            }
        }
        if (holder == d->count || added >= I915_FOLLOWED) {
            continue;
        }
        stream *s = add_stream(d, "batch", d->streams[holder].line);
        (void)stream_find(&d->streams[holder], va, &from);
        view_words(s, &d->streams[holder], from);
        s->va = va;
        s->has_va = true;
        s->state = d->streams[index].state;
        memcpy(s->engine, d->streams[index].engine, sizeof s->engine);
        job->in = &d->streams[index];
        added++;
    }
    return added;
}

/* Follow all jumps. */
static void i915_follow_all(i915_job *job, dump *d)
{
    size_t added = 0;
    const size_t n = stream_count(d);
    if (n == d->count && n < 2) {
        return;
    }
    for (size_t i = 0; i < n && added < I915_FOLLOWED; i++) {
        if (d->streams[i].kind != NULL) {
            added += i915_follow(job, d, i);
        }
    }
    sort_streams(d);
}

/* ---- the steps ---- */

/* Return true if words of a text are all MI_NOOP, and not zeros: numbers of another kind. */
static bool i915_only_noops(const i915_job *job)
{
    const stream *in = job->in;
    bool other = false;
    for (size_t i = 0; i < in->len_dw; i++) {
        if (gpucmd_i915_classify(&job->cmdset, in->dw[i]) != GPUCMD_I915_OP_MI_NOOP) {
            return false;
        }
        other = other || in->dw[i] != 0;
    }
    return other && in->is_text && in->kind == NULL;
}

/* Report what an input without memory says: registers and hangs. Return the exit status. */
static int i915_no_stream(i915_job *job)
{
    const dump *d = job->d;
    const bool xe = d->is_xe || strncmp(d->format, "xe", 2) == 0;
    if (strncmp(d->format, "i915-error", 10) == 0) {
        tell_hangs(d);
    }
    if (strcmp(d->format, "i915-log") != 0) {
        for (size_t i = 0; i < d->state_count; i++) {
            tell_registers(d, &d->states[i]);
        }
        tell_hang_registers(d);
    }
    const char *file = "/sys/class/drm/card0/error";
    if (xe) {
        file =
            "/sys/class/drm/card0/device/devcoredump/data (the kernel drops it after some minutes)";
    }
    note(d, "no memory in this text%s%s%s%s, so no stream: save %s whole, as root",
         d->chip[0] != '\0' ? " of gen" : "", d->chip, d->process[0] != '\0' ? " of " : "",
         d->process, file);
    return EXIT_USAGE;
}

static int i915_read(void *user, const settings *set, output *out, dump *d, dump_input *in)
{
    i915_job *job = user;
    job->out = out;
    job->d = d;
    job->set = set;
    const int status = read_dump(set, GPUCMD_LITTLE_ENDIAN, i915_misfit, d, in);
    if (status != EXIT_FINE) {
        return status;
    }
    i915_follow_all(job, d);
    if (stream_count(d) == 0 &&
        (strncmp(d->format, "i915", 4) == 0 || strncmp(d->format, "xe", 2) == 0)) {
        return i915_no_stream(job);
    }
    return EXIT_FINE;
}

static int i915_begin(void *user, size_t index, title *t)
{
    i915_job *job = user;
    job->in = &job->d->streams[index];
    job->base_va = job->set->has_base ? job->set->base_va : job->in->va;
    job->ring = job->set->ring;
    if (job->in->kind != NULL) {
        job->ring = strcmp(job->in->kind, "ring") == 0;
    }
    const int status = i915_choose(job);
    snprintf(t->chip, sizeof t->chip, "gen%s", i915_gen(job));
    t->why = job->why;
    return status;
}

static void i915_describe(void *user)
{
    i915_job *job = user;
    i915_put_registers(job);
    job->noops = i915_only_noops(job);
    if (job->noops) {
        note(job->d, "all words are MI_NOOP: this may be no stream; expected a command");
    }
}

static int i915_end(void *user, int status)
{
    const i915_job *job = user;
    if (status == EXIT_FINE && job->noops) {
        return EXIT_STREAM;
    }
    return status;
}

static const vendor i915_vendor = {
    .name = "i915",
    .job_bytes = sizeof(i915_job),
    .read = i915_read,
    .picture = i915_make_picture,
    .begin = i915_begin,
    .describe = i915_describe,
    .check = i915_check,
    .run = i915_execute,
    .decode = i915_decode,
    .step = i915_step_open,
    .end = i915_end,
};

#endif

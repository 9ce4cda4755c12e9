/* vendor.h - what all vendors do with an input, once for all, for gpucmd-dump.c. */
#ifndef DUMP_VENDOR_H
#define DUMP_VENDOR_H

#include "base.h"
#include "bytes.h"
#include "formats.h"
#include "html.h"
#include "memory.h"
#include "output.h"
#include "picture.h"
#include "section.h"
#include "settings.h"
#include "step.h"
#include "step_text.h"
#include "stream.h"
#include "svg.h"

/* What a title says of a stream besides its length and place. */
typedef struct title {
    char chip[16];   /* chip or generation */
    const char *why; /* where it comes from; "": given by an option, or tried */
} title;

/* The steps of a vendor. job has job_bytes, zeros at the beginning. Functions return an exit status. A
 * function that is NULL has nothing to do. */
typedef struct vendor {
    const char *name;
    size_t job_bytes;
    /* Read the input into d. set, out, d and in stay as long as job. */
    int (*read)(void *job, const settings *set, output *out, dump *d, dump_input *in);
    /* Make the picture of all streams. */
    int (*picture)(void *job, picture *p);
    /* Take stream index of d: choose its chip. */
    int (*begin)(void *job, size_t index, title *t);
    /* Write what follows the title. */
    void (*describe)(void *job);
    /* What the options select; check and decode also write the page. */
    stream_fn check;
    stream_fn run;
    stream_fn decode;
    /* Prepare to step through streams first to first + count - 1: fill the units and memory of s. */
    int (*step)(void *job, stepper *s, size_t first, size_t count);
    /* Judge the stream, which was handled with status. */
    int (*end)(void *job, int status);
    /* Report what was assumed, and free what job has. */
    void (*close)(void *job);
} vendor;

/* What finds the findings of a stepper. */
typedef struct step_source {
    stepper s; /* first, so that a stepper is one */
    const vendor *v;
    void *job;
    size_t first;
    size_t count;
} step_source;

/* Check the streams, and keep where they have findings. */
static void check_steps(stepper *s)
{
    step_source *source = (step_source *)(void *)s;
    output *out = s->out;
    const int format = out->format;
    const bool quiet = dump_quiet;
    dump_quiet = true;
    out->format = FORMAT_KEEP;
    for (size_t i = source->first; i < source->first + source->count; i++) {
        title t = {"", ""};
        out->finding_count = 0;
        if (source->v->begin(source->job, i, &t) == EXIT_FINE) {
            (void)source->v->check(source->job);
        }
        for (size_t k = 0; k < out->finding_count; k++) {
            s->findings = resize(s->findings, s->finding_count + 1, sizeof *s->findings);
            step_finding *f = &s->findings[s->finding_count++];
            f->stream = (int)i;
            f->offset = out->findings[k].offset;
            snprintf(f->text, sizeof f->text, "%.31s: %.195s", out->findings[k].rule,
                     out->findings[k].text);
        }
    }
    out->format = format;
    dump_quiet = quiet;
}

/* Make a stepper for streams of d. Return NULL, with *status, if there is nothing to run. step_free
 * frees it. */
static stepper *open_steps(const vendor *v, void *job, const settings *set, output *out, dump *d,
                           size_t first, size_t count, int *status)
{
    step_source *source = resize(NULL, 1, sizeof *source);
    title t = {"", ""};
    memset(source, 0, sizeof *source);
    source->v = v;
    source->job = job;
    source->first = first;
    source->count = count;
    source->s.d = d;
    source->s.set = set;
    source->s.out = out;
    source->s.json = out->format == FORMAT_JSON;
    source->s.check = check_steps;
    *status = v->begin(job, first, &t);
    if (*status == EXIT_FINE) {
        *status = v->step(job, &source->s, first, count);
    }
    if (*status == EXIT_FINE) {
        *status = step_begin(&source->s);
    }
    if (*status == EXIT_FINE) {
        return &source->s;
    }
    step_free(&source->s);
    return NULL;
}

/* Step through streams of d as standard input says. */
static int run_steps(const vendor *v, void *job, const settings *set, output *out, dump *d,
                     size_t first, size_t count)
{
    int status;
    stepper *s = open_steps(v, job, set, out, d, first, count, &status);
    if (s != NULL) {
        step_prompt(s);
        step_free(s);
    }
    return status;
}

/* Handle one stream. */
static int run_stream(const vendor *v, void *job, const settings *set, output *out, const dump *d,
                      size_t index)
{
    const stream_fn actions[] = {v->decode, v->check, v->run};
    title t = {"", ""};
    int status = v->begin(job, index, &t);
    if (status != EXIT_FINE) {
        return status;
    }
    put_page_stream(out, d, index, t.chip, job, v->check, v->decode);
    put_section(out, d, index, t.chip, t.why);
    if (v->describe != NULL) {
        v->describe(job);
    }
    const size_t unknown = count_unknown(&d->streams[index], 0, d->streams[index].len_dw);
    if (unknown != 0 && set->act == ACTION_RUN) {
        note(d, "stream %zu: %zu word%s not in the text, so it is not run", index, unknown,
             unknown == 1 ? " is" : "s are");
        return EXIT_STREAM;
    }
    if (unknown != 0 && set->act == ACTION_CHECK) {
        note(d, "stream %zu: %zu word%s not in the text; commands with such words are not checked",
             index, unknown, unknown == 1 ? " is" : "s are");
    }
    status = actions[set->act](job);
    if (v->end != NULL) {
        return v->end(job, status);
    }
    return status;
}

/* Draw all streams, and begin the page. */
static int draw_streams(const vendor *v, void *job, const settings *set, output *out, const dump *d)
{
    picture p;
    memset(&p, 0, sizeof p);
    int status = v->picture(job, &p);
    if (status == EXIT_FINE) {
        status = put_pictures(&p, set);
    }
    if (status == EXIT_FINE) {
        status = open_page(set, out, d, &p);
    }
    free_picture(&p);
    return status;
}

/* End the page and the output of streams that were handled with status. */
static int close_all(const settings *set, output *out, const dump *d, int status)
{
    const int page = close_page(set, out);
    if (page != EXIT_FINE) {
        status = page;
    }
    return close_output(out, dump_status(d, status));
}

/* Read the input and handle its streams. Return the exit status: that of the worst stream. */
static int run_vendor(const vendor *v, const settings *set, output *out)
{
    dump d;
    dump_input in;
    size_t first = 0;
    size_t count = 0;
    void *job = resize(NULL, v->job_bytes, 1);
    memset(job, 0, v->job_bytes);
    memset(&d, 0, sizeof d);
    memset(&in, 0, sizeof in);
    int status = v->read(job, set, out, &d, &in);
    if (status == EXIT_FINE) {
        status = take_streams(set, &d, out, &first, &count);
    }
    if (status == EXIT_FINE && v->picture != NULL && wants_picture(set)) {
        status = draw_streams(v, job, set, out, &d);
    }
    if (status == EXIT_FINE && set->act == ACTION_STEP) {
        status = run_steps(v, job, set, out, &d, first, count);
        count = 0;
        out->format = FORMAT_TEXT; /* objects are no rows */
    }
    const bool begun = status == EXIT_FINE;
    for (size_t i = first; begun && i < first + count && status != EXIT_USAGE; i++) {
        const int one = run_stream(v, job, set, out, &d, i);
        if (one > status) {
            status = one;
        }
    }
    if (v->close != NULL) {
        v->close(job);
    }
    if (begun) {
        status = close_all(set, out, &d, status);
    }
    release(job);
    release(out->findings);
    free_dump(&d);
    release_bytes(&in.b);
    return status;
}

#endif

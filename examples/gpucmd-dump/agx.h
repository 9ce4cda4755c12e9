/* agx.h - Apple submissions for gpucmd-dump.c. */
#ifndef DUMP_AGX_H
#define DUMP_AGX_H

#include "agx_access.h"
#include "agx_job.h"
#include "agx_log.h"
#include "agx_step.h"
#include "agx_text.h"
#include "base.h"
#include "bytes.h"
#include "formats.h"
#include "html.h"
#include "memory.h"
#include "options.h"
#include "output.h"
#include "settings.h"
#include "stream.h"
#include "svg.h"
#include "vendor.h"
#include "words.h"

/* Return the number of words that do not fit: AGX streams have no order that could be tried. */
static size_t agx_misfit(const settings *set, const uint32_t *dw, size_t len_dw)
{
    (void)set;
    (void)dw;
    (void)len_dw;
    return 0;
}

/* Make a text of words, in the format of --input or as recognised, the bytes of a stream; text without
 * words is notation. */
static int agx_read_words(agx_job *job, const reader *how, dump *d, dump_input *in)
{
    const bool forced = how != &auto_format;
    dump words = *d;
    in->b = job->in;
    in->b.kept = true; /* text without words is read again */
    dump_quiet_words = !forced;
    const int status = read_bytes(job->set, how, &words, in, agx_misfit);
    dump_quiet_words = false;
    memset(&in->b, 0, sizeof in->b);
    if (status == EXIT_FINE && stream_count(&words) != 0 && words.streams[0].len_dw != 0) {
        stream *s = &words.streams[0];
        gpucmd_store_words(s->dw, s->dw, s->len_dw, GPUCMD_LITTLE_ENDIAN);
        if (!s->view) {
            release_bytes(&job->in);
            job->in.data = (uint8_t *)s->dw;
            s->dw = NULL;
        }
        job->in.len = s->len_dw * 4;
    } else {
        job->notation = true;
    }
    d->damage = words.damage;
    d->doubtful = words.doubtful;
    free_dump(&words);
    if (words.refused) {
        return EXIT_USAGE;
    }
    if (forced) {
        return status;
    }
    return EXIT_FINE;
}

/* Read the bytes of a command stream, or a notation text. Words in hex become bytes. */
static int agx_read_bytes(agx_job *job, dump *d, dump_input *in)
{
    const settings *set = job->set;
    const reader *how = take_input(set);
    const bool forced = how != &auto_format;
    const bool raw = how == &raw_format;
    bool ascii = false;
    int status = EXIT_USAGE;
    if (how != NULL) {
        status = read_input(set, &job->name, &job->in);
    }
    if (status == EXIT_FINE && !raw) {
        status = unpack(job->name, &job->in);
    }
    if (status != EXIT_FINE) {
        return status;
    }
    if (job->in.len == 0 || (!raw && is_blank(&job->in))) {
        return no_input(job->name);
    }
    d->name = job->name;
    job->notation = how == &notation_format;
    ascii = looks_like_text(&job->in, &ascii) && ascii;
    if (!forced && ascii && agx_is_log(&job->in)) {
        return agx_explain_log(job, d);
    }
    if (!forced && ascii && agx_is_trace(&job->in)) {
        return agx_read_trace(job, d);
    }
    if (!raw && (forced || ascii)) {
        status = agx_take_accesses(job, job->name, &job->in);
    }
    if (status == EXIT_FINE && !forced) {
        job->notation = agx_parse_notation(job) == GPUCMD_OK;
    }
    if (status != EXIT_FINE || job->notation || raw || (!forced && !ascii)) {
        return status;
    }
    return agx_read_words(job, how, d, in);
}

/* ---- check ---- */

/* Print one finding: a row of --check. */
static gpucmd_status agx_found(void *user, const gpucmd_agx_finding *f)
{
    agx_job *job = user;
    char text[192];
    agx_text expected;
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    if (f->member != NULL) {
        gpucmd_agx_print_detail(&t, f);
    } else {
        gpucmd_text_str(&t, f->text);
    }
    if (f->other >= 0) {
        gpucmd_text_str(&t, ": command ");
        gpucmd_text_dec(&t, (uint64_t)f->command);
        gpucmd_text_str(&t, " after command ");
        gpucmd_text_dec(&t, (uint64_t)f->other);
    } else if (f->barrier_at != '\0') {
        gpucmd_text_str(&t, f->barrier_at == 'R' ? ": render barrier" : ": compute barrier");
    }
    const finding_row row = {f->at_bytes, f->severity, gpucmd_agx_rule_name(f->rule),
                             NULL,        text,        agx_expected(f->rule, expected)};
    job->found[row.severity]++;
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

static int agx_check(void *user)
{
    agx_job *job = user;
    const bool legal = job->legal;
    const gpucmd_agx_check_options check = {agx_found,
                                            job,
                                            job->prior,
                                            job->access_count,
                                            job->accesses,
                                            job->set->all ? GPUCMD_AGX_OVER_ORDER_SUMMARY
                                                          : GPUCMD_AGX_OVER_ORDER_OFF,
                                            NULL,
                                            NULL,
                                            0,
                                            NULL,
                                            NULL};
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    if (legal) {
        (void)!gpucmd_agx_check(&job->job, &check, NULL);
        if (!job->notation) {
            (void)!gpucmd_agx_check_stream(job->in.data, job->in.len, &check, NULL);
        }
    } else {
        (void)agx_found(job, &job->finding);
    }
    if (job->out->format == FORMAT_TEXT) {
        printf("%" PRIu32 " command%s: ", legal ? job->job.count : 0,
               legal && job->job.count == 1 ? "" : "s");
        put_counts(job->found);
    }
    return exit_unless(job->found[2] == 0, EXIT_STREAM);
}

/* ---- run ---- */

/* Execute the job on an idle GPU; each operation takes one unit of time. */
static int agx_execute(agx_job *job)
{
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
    static gpucmd_agx_exec x;
    const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, GPUCMD_AGX_RING_ENTRIES,
                                           NULL,   0, NULL, 0};
    const gpucmd_agx_submission submission = {&job->job, NULL, 0, 0, NULL, 0};
    gpucmd_run result = GPUCMD_RUN_FAULT;
    uint32_t slot;
    if (gpucmd_agx_exec_init(&x, &tables) == GPUCMD_OK) {
        for (int ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
            x.durations.ring[ring] = 1;
        }
        gpucmd_agx_exec_spans(&x, job->spans, sizeof job->spans / sizeof job->spans[0]);
        if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) ==
            GPUCMD_OK) {
            result = gpucmd_agx_exec_run(&x, NULL, 1000);
            job->span_count = x.span_count;
        }
    }
    if (result != GPUCMD_RUN_IDLE) {
        fprintf(stderr, "gpucmd-dump: %s: run: %s; expected IDLE\n", job->name,
                gpucmd_run_name(result));
        return EXIT_STREAM;
    }
    return EXIT_FINE;
}

static void agx_print_timeline(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_timeline(t, job->spans, job->span_count, 8 * GPUCMD_AGX_MAX_COMMANDS);
}

static int agx_run(void *user)
{
    const agx_job *job = user;
    char target[16];
    if (!job->legal) {
        if (job->out->format == FORMAT_TSV) {
            puts("start\tend\tqueue\ttarget");
        }
        return agx_refused(job);
    }
    if (job->out->format == FORMAT_TEXT) {
        return put_text(agx_print_timeline, job, stdout);
    }
    if (job->out->format == FORMAT_TSV) {
        puts("start\tend\tqueue\ttarget");
    }
    for (uint32_t i = 0; i < job->span_count; i++) {
        const gpucmd_agx_span *span = &job->spans[i];
        gpucmd_agx_entry entry;
        memset(&entry, 0, sizeof entry);
        entry.target = span->ring;
        entry.number = span->number;
        entry.blit = span->blit;
        begin_row(job->out);
        printf(job->out->format == FORMAT_TSV ? "%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n"
                                              : "\"start\":%" PRIu64 ",\"end\":%" PRIu64
                                                ",\"queue\":\"%s\",\"target\":\"%s\"}",
               span->start, span->end, gpucmd_agx_ring_name((gpucmd_agx_ring)span->ring),
               agx_target(&entry, target));
    }
    return EXIT_FINE;
}

/* ---- pictures ---- */

static void agx_print_spans(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_svg(t, job->spans, job->span_count);
}

static void agx_print_graph(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_dot(t, &job->job, job->prior);
}

/* Write the operations over time, and a legend under them. */
static int agx_put_svg(const agx_job *job, FILE *to)
{
    static const look colors[] = {
        {"#9ecae1", "compute, C"            },
        {"#a1d99b", "vertex half, Rv"       },
        {"#fdae6b", "fragment half, Rf or B"},
    };
    size_t len = 0;
    char *text = make_text(agx_print_spans, job, &len);
    const char *width = NULL;
    const char *height = NULL;
    if (text != NULL) {
        width = strstr(text, "width=\"");
        height = strstr(text, "height=\"");
    }
    if (width == NULL || height == NULL) {
        free(text);
        return EXIT_USAGE;
    }
    const int least = 620; /* of the legend */
    int w = atoi(width + 7);
    if (w < least) {
        w = least;
    }
    const int h = atoi(height + 8);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"monospace\" font-size=\"12\">\n"
            "<title>Apple firmware queues over time</title>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n%s",
            w, h + 46, text);
    for (int i = 0; i < 3; i++) {
        fprintf(to,
                "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\" stroke=\"#333\"/>"
                "<text x=\"%d\" y=\"%d\">%s</text>\n",
                5 + 190 * i, h + 4, colors[i].name, 22 + 190 * i, h + 14, colors[i].text);
    }
    fprintf(
        to,
        "<text x=\"5\" y=\"%d\" fill=\"#555\">each operation takes one unit of time</text>\n</svg>\n",
        h + 34);
    free(text);
    return EXIT_FINE;
}

/* Write the graph of barriers, and a legend in it. */
static int agx_put_dot(const agx_job *job, FILE *to)
{
    size_t len = 0;
    char *text = make_text(agx_print_graph, job, &len);
    while (text != NULL && len != 0 && text[len - 1] != '}') {
        len--;
    }
    fprintf(to,
            "%.*s    subgraph cluster_legend { label=\"legend\"; fontsize=10;\n"
            "        node [shape=plaintext, fontsize=10];\n"
            "        \"R: render, C: compute, B: blit\";\n"
            "        \"arrow: the second command waits for the first\";\n"
            "        \"dashed: the barrier of an earlier command of its queue\";\n"
            "        \"dotted: order inside a firmware queue\"; }\n}\n",
            len != 0 ? (int)len - 1 : 0, text != NULL ? text : "");
    const int status = exit_unless(text != NULL, EXIT_USAGE);
    free(text);
    return status;
}

/* Write the operations as trace events: a track for each firmware queue; an operation takes 1 ms. */
static int agx_trace(const agx_job *job, FILE *to)
{
    fputs(
        "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"legend\":\"one operation takes 1 ms\"},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"Apple firmware queues\"}}",
        to);
    for (int ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
        fprintf(
            to,
            ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            ring + 1, gpucmd_agx_ring_name((gpucmd_agx_ring)ring));
    }
    for (uint32_t i = 0; i < job->span_count; i++) {
        const gpucmd_agx_span *span = &job->spans[i];
        char target[16];
        gpucmd_agx_entry entry;
        memset(&entry, 0, sizeof entry);
        entry.target = span->ring;
        entry.number = span->number;
        entry.blit = span->blit;
        fprintf(to,
                ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                ",\"cat\":\"%s\",\"name\":\"%s\"}",
                span->ring + 1, 1000 * span->start, 1000 * (span->end - span->start),
                gpucmd_agx_ring_name((gpucmd_agx_ring)span->ring), agx_target(&entry, target));
    }
    fputs("\n]}\n", to);
    return EXIT_FINE;
}

/* Write a page: the picture, and the decoded job line by line with its findings at the end. */
static int agx_page(const agx_job *job, FILE *to)
{
    output out = *job->out;
    dump d;
    size_t len = 0;
    char *lines = agx_make_text(job, &len);
    memset(&d, 0, sizeof d);
    d.name = job->name;
    d.format = job->notation ? "notation" : "command stream";
    out.page = to;
    out.finding_count = out.finding_at = 0;
    html_begin(&d, NULL, to);
    fputs("<div class=\"pic\">", to);
    const int status = agx_put_svg(job, to);
    fprintf(to, "</div>\n<details open><summary>%" PRIu32 " commands</summary><div class=\"w\">\n",
            job->job.count);
    for (const char *at = lines, *eol; lines != NULL && at < lines + len; at = eol + 1) {
        eol = line_end(at, lines + len);
        html_line(&out, at, (size_t)(eol - at), at < eol && *at == '#', false, 0);
    }
    html_section_end(&out);
    html_end(to);
    free(lines);
    if (lines != NULL) {
        return status;
    }
    return EXIT_USAGE;
}

typedef int (*agx_file_fn)(const agx_job *job, FILE *to);

/* Write the file that an option names. */
static int agx_file(const agx_job *job, const char *path, agx_file_fn fn)
{
    if (path == NULL) {
        return EXIT_FINE;
    }
    errno = 0;
    FILE *file = fopen(path, "w");
    int status = EXIT_USAGE;
    if (file != NULL) {
        status = fn(job, file);
    }
    if (file == NULL || fclose(file) != 0 || status != EXIT_FINE) {
        return refused(path, "cannot be written", "a writable file");
    }
    return EXIT_FINE;
}

/* ---- the steps ---- */

/* Parse the stream as the driver does. If the driver takes the end of a payload as the next command
 * and rejects that, say what is wrong with the payload, if the text of the UAPI rejects it. */
static void agx_parse_stream(agx_job *job)
{
    static const gpucmd_agx_objects by_text = {NULL, NULL, GPUCMD_AGX_BEHAVIOR_TEXT};
    gpucmd_agx_finding text;
    memset(&text, 0, sizeof text);
    job->legal = gpucmd_agx_parse_stream(job->in.data, job->in.len, NULL, &job->job,
                                         &job->finding) == GPUCMD_OK;
    if (!job->legal &&
        gpucmd_agx_parse_stream(job->in.data, job->in.len, &by_text, NULL, &text) != GPUCMD_OK &&
        text.at_bytes < job->finding.at_bytes) {
        job->finding = text;
    }
}

/* Read the input, which is one stream, and parse it. */
static int agx_read(void *user, const settings *set, output *out, dump *d, dump_input *in)
{
    agx_job *job = user;
    job->out = out;
    job->set = set;
    job->prior = set->idle ? GPUCMD_AGX_PRIOR_NONE : GPUCMD_AGX_PRIOR_BOTH;
    d->vendor = set->vendor;
    d->endian = GPUCMD_LITTLE_ENDIAN;
    int status = agx_read_bytes(job, d, in);
    if (status == EXIT_FINE && set->access != NULL) {
        status = agx_read_accesses(job, set->access);
    }
    if (status != EXIT_FINE) {
        return status;
    }
    add_stream(d, NULL, 0);
    if (job->notation) {
        job->legal = agx_parse_notation(job) == GPUCMD_OK;
    } else {
        agx_parse_stream(job);
    }
    return EXIT_FINE;
}

/* Lower and execute a valid job, and write the files that options name. */
static int agx_begin(void *user, size_t index, title *t)
{
    agx_job *job = user;
    const struct {
        const char *path;
        agx_file_fn fn;
    } files[] = {
        {job->set->svg,   agx_put_svg},
        {job->set->dot,   agx_put_dot},
        {job->set->trace, agx_trace  },
        {job->set->html,  agx_page   },
    };
    (void)index;
    (void)t;
    if (!job->legal) {
        return EXIT_FINE;
    }
    int status = agx_find_accesses(job);
    if (status == EXIT_FINE &&
        gpucmd_agx_lower(&job->job, job->prior, job->entries, GPUCMD_AGX_MAX_ENTRIES,
                         &job->entry_count) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (status == EXIT_FINE) {
        status = agx_execute(job);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == EXIT_FINE; i++) {
        status = agx_file(job, files[i].path, files[i].fn);
    }
    return status;
}

static void agx_close(void *user)
{
    agx_job *job = user;
    release_bytes(&job->in);
    release(job->lines);
    release(job->accesses);
}

static const vendor agx_vendor = {
    .name = "agx",
    .job_bytes = sizeof(agx_job),
    .read = agx_read,
    .begin = agx_begin,
    .check = agx_check,
    .run = agx_run,
    .step = agx_step_open,
    .decode = agx_decode,
    .close = agx_close,
};

#endif

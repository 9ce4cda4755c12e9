/* dump_agx.h - Apple submissions for gpucmd-dump.c, which includes this once. */
#ifndef DUMP_AGX_H
#define DUMP_AGX_H

/* ==== [DUMP.AGX] =========================================================================== */

/* A line that declares an access: the command and its half ('\0': compute). */
typedef struct agx_access {
    char letter;
    char half;
    uint32_t number;
    gpucmd_agx_access access;
    const char *name; /* of the file that holds the line */
    size_t off_bytes;
} agx_access;

/* One job; bytes are its stream, or its notation. */
typedef struct agx_job {
    const char *name;
    output *out;
    bytes in;
    bool notation;
    bool doubtful;  /* the text may be no stream */
    uint32_t prior; /* GPUCMD_AGX_PRIOR_* */
    gpucmd_agx_job job;
    gpucmd_agx_finding finding;
    gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t entry_count;
    gpucmd_agx_span spans[2 * GPUCMD_AGX_MAX_COMMANDS];
    uint32_t span_count;
    size_t found[3]; /* number of findings, by severity */
    agx_access *lines;
    gpucmd_agx_access *accesses; /* the accesses of lines, for the checker */
    uint32_t access_count;
} agx_job;

static gpucmd_status agx_parse_notation(agx_job *job)
{
    return gpucmd_agx_parse_notation((const char *)job->in.data, job->in.len, true, &job->job,
                                     &job->finding);
}

#include "dump_agx_access.h"

/* Return the number of words that do not fit: AGX streams have no order that could be tried. */
static size_t agx_misfit(const options *opt, const uint32_t *dw, size_t len_dw)
{
    (void)opt;
    (void)dw;
    (void)len_dw;
    return 0;
}

/* Make a text of words, in the format of --input or as recognised, the bytes of a stream; text without
 * words is notation. */
static int agx_read_words(agx_job *job, const options *opt, int row, dump_input *in)
{
    dump d;
    memset(&d, 0, sizeof d);
    d.name = job->name;
    d.vendor = opt->vendor;
    d.endian = GPUCMD_LITTLE_ENDIAN;
    in->b = job->in;
    in->b.mapped = 0; /* text without words is read again, so none of it is unmapped */
    dump_quiet_words = format_rows[row].how == READ_AUTO;
    const int status = read_bytes(opt, row, &d, in, agx_misfit);
    dump_quiet_words = false;
    if (status == EXIT_FINE && stream_count(&d) != 0 && d.streams[0].len_dw != 0) {
        stream *s = &d.streams[0];
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
    const int result = format_rows[row].how == READ_AUTO ? EXIT_FINE : status;
    job->doubtful = dump_status(&d, EXIT_FINE) != EXIT_FINE;
    free_dump(&d);
    return result;
}

/* Read the bytes of a command stream, or a notation text. Words in hex become bytes. */
static int agx_read(agx_job *job, const options *opt)
{
    const int row = take_format(opt);
    const reader how = row >= 0 ? format_rows[row].how : READ_AUTO;
    dump_input in;
    bool ascii = false;
    int status = row >= 0 ? read_input(opt, &job->name, &job->in) : EXIT_USAGE;
    if (status == EXIT_FINE && how != READ_RAW) {
        status = unpack(job->name, &job->in);
    }
    if (status != EXIT_FINE) {
        return status;
    }
    memset(&in, 0, sizeof in);
    job->notation = how == READ_NOTATION;
    ascii = looks_like_text(&job->in, &ascii) && ascii;
    if (how != READ_RAW && (how != READ_AUTO || ascii)) {
        status = agx_take_accesses(job, job->name, &job->in);
    }
    if (status == EXIT_FINE && how == READ_AUTO) {
        job->notation = agx_parse_notation(job) == GPUCMD_OK;
    }
    if (status != EXIT_FINE || job->notation || how == READ_RAW || (how == READ_AUTO && !ascii)) {
        return status;
    }
    return agx_read_words(job, opt, row, &in);
}

typedef char agx_text[48];

/* Return what a rule expects; text holds it if it has a number. */
static const char *agx_expected(gpucmd_agx_rule rule, agx_text text)
{
    switch ((unsigned)rule) {
    case GPUCMD_AGX_RULE_NOTATION: return "a line such as #3 R2 barrier=[R1, C2]";
    case GPUCMD_AGX_RULE_NOTATION_NUMBER:
        return "#0, #1 and so on, renders from R1 and computes from C1";
    case GPUCMD_AGX_RULE_COMMAND_COUNT:
        snprintf(text, sizeof(agx_text), "1 to %d commands", GPUCMD_AGX_MAX_COMMANDS);
        return text;
    case GPUCMD_AGX_RULE_VDM_BARRIER: return "__, R0, or a render that comes before";
    case GPUCMD_AGX_RULE_CDM_BARRIER: return "__, C0, or a compute that comes before";
    case GPUCMD_AGX_RULE_HEADER_TRUNCATED:
        snprintf(text, sizeof(agx_text), "a header of %zu bytes",
                 sizeof(struct gpucmd_drm_asahi_cmd_header));
        return text;
    case GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED: return "as many bytes as the header says";
    case GPUCMD_AGX_RULE_COMMAND_UNKNOWN: return "cmd_type 0 to 4";
    case GPUCMD_AGX_RULE_SOFTWARE_BARRIER: return "__ for both barriers";
    case GPUCMD_AGX_RULE_PAYLOAD_TAIL: return "zeros behind the known members";
    case GPUCMD_AGX_RULE_RENDER_FLAGS: return "bits of drm_asahi_render_flags alone";
    case GPUCMD_AGX_RULE_RENDER_SIZE:
        snprintf(text, sizeof(agx_text), "1 to %d for both", GPUCMD_AGX_MAX_PIXELS);
        return text;
    case GPUCMD_AGX_RULE_RENDER_LAYERS:
        snprintf(text, sizeof(agx_text), "1 to %d", GPUCMD_AGX_MAX_LAYERS);
        return text;
    case GPUCMD_AGX_RULE_RENDER_UTILE: return "one of these three";
    case GPUCMD_AGX_RULE_RENDER_SAMPLES: return "1, 2 or 4";
    case GPUCMD_AGX_RULE_COMPUTE_FLAGS: return "0";
    case GPUCMD_AGX_RULE_TIMESTAMP_OVERFLOW: return "an offset of at most 0xfffffff7";
    case GPUCMD_AGX_RULE_ATTACHMENT_COUNT:
        snprintf(text, sizeof(agx_text), "at most %d", GPUCMD_AGX_MAX_ATTACHMENTS);
        return text;
    case GPUCMD_AGX_RULE_ATTACHMENT_LENGTH:
        snprintf(text, sizeof(agx_text), "whole attachments of %zu bytes",
                 sizeof(struct gpucmd_drm_asahi_attachment));
        return text;
    case GPUCMD_AGX_RULE_ATTACHMENT_PAD: return "zeros";
    case GPUCMD_AGX_RULE_CHECK_IMPLIED:
    case GPUCMD_AGX_RULE_CHECK_OWN_COMPUTE:
    case GPUCMD_AGX_RULE_CHECK_NO_PRIOR: return "no barrier here";
    case GPUCMD_AGX_RULE_CHECK_ALONE: return "barriers on what the command needs";
    case GPUCMD_AGX_RULE_CHECK_MISSING: return "a barrier on the other command";
    case GPUCMD_AGX_RULE_CHECK_ACCIDENT: return "a barrier that a declared access needs";
    case GPUCMD_AGX_RULE_CHECK_STAMP_ALIGN: return "a multiple of 8";
    case GPUCMD_AGX_RULE_CHECK_BLIT: return "renders and computes";
    default: return "what the kernel accepts";
    }
}

/* Print the check that failed to standard error. */
static int agx_refused(const agx_job *job)
{
    const gpucmd_agx_finding *f = &job->finding;
    agx_text text;
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx32 ": ", job->name, f->off_bytes);
    if (f->command >= 0) {
        fprintf(stderr, "command %" PRId32 ": ", f->command);
    }
    fprintf(stderr, "%s: %s; expected %s\n", gpucmd_agx_rule_name(f->rule),
            gpucmd_agx_rule_text(f->rule), agx_expected(f->rule, text));
    return EXIT_STREAM;
}

#include "dump_agx_text.h"

/* ---- check ---- */

/* Print one finding: a row of --check. */
static void agx_found(void *user, const gpucmd_agx_finding *f)
{
    agx_job *job = user;
    const bool error = gpucmd_agx_rule_errno(f->rule) != 0;
    char text[128];
    agx_text expected;
    snprintf(text, sizeof text, "%s", gpucmd_agx_rule_text(f->rule));
    if (f->other >= 0) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ": command %" PRId32 " after command %" PRId32, f->command, f->other);
    }
    if (f->barrier_at != '\0') {
        snprintf(text + strlen(text), sizeof text - strlen(text), ": %s barrier",
                 f->barrier_at == 'R' ? "render" : "compute");
    }
    const finding_row row = {f->off_bytes,
                             error                                       ? 2
                             : f->rule == GPUCMD_AGX_RULE_CHECK_NO_PRIOR ? 0
                                                                         : 1,
                             gpucmd_agx_rule_name(f->rule),
                             NULL,
                             text,
                             agx_expected(f->rule, expected)};
    job->found[row.severity]++;
    put_finding(job->out, &row);
}

static int agx_check(agx_job *job, bool legal)
{
    static gpucmd_agx_order order;
    const gpucmd_agx_check_input check = {&job->job,         job->prior, job->accesses,
                                          job->access_count, agx_found,  job};
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
    if (legal) {
        gpucmd_agx_check(&check, &order);
        if (!job->notation) {
            gpucmd_agx_check_stream(job->in.data, job->in.len, agx_found, job);
        }
    } else {
        agx_found(job, &job->finding);
    }
    if (job->out->format == FORMAT_TEXT) {
        printf("%" PRIu32 " command%s: ", legal ? job->job.count : 0,
               legal && job->job.count == 1 ? "" : "s");
        put_counts(job->found);
    }
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- run ---- */

/* Make a span of the START and FINISH of an operation. */
static gpucmd_status agx_event(void *user, const gpucmd_event *event)
{
    agx_job *job = user;
    const gpucmd_agx_command *command;
    if (event->kind == GPUCMD_EVENT_START && job->span_count < 2 * GPUCMD_AGX_MAX_COMMANDS) {
        gpucmd_agx_span *span = &job->spans[job->span_count++];
        command = &job->job.commands[event->value];
        memset(span, 0, sizeof *span);
        span->start = span->end = event->va;
        span->queue = event->unit;
        span->job = event->addr;
        span->ring = (uint8_t)event->code;
        span->number = (uint8_t)command->number;
        span->command = (uint8_t)event->value;
        span->blit = command->kind == GPUCMD_AGX_KIND_BLIT;
    }
    for (uint32_t i = 0; event->kind == GPUCMD_EVENT_FINISH && i < job->span_count; i++) {
        if (job->spans[i].command == event->value && job->spans[i].ring == event->code) {
            job->spans[i].end = event->va;
        }
    }
    return GPUCMD_OK;
}

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
    gpucmd_env env;
    gpucmd_run result = GPUCMD_RUN_FAULT;
    uint32_t slot;
    gpucmd_env_init(&env, NULL, agx_event, job);
    if (gpucmd_agx_exec_init(&x, &tables, &env) == GPUCMD_OK) {
        for (int ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
            x.durations.ring[ring] = 1;
        }
        if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) ==
            GPUCMD_OK) {
            result = gpucmd_agx_exec_run(&x, 1000);
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

static int agx_run(const agx_job *job)
{
    char target[16];
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
    const char *width = text != NULL ? strstr(text, "width=\"") : NULL;
    const char *height = text != NULL ? strstr(text, "height=\"") : NULL;
    if (width == NULL || height == NULL) {
        free(text);
        return EXIT_USAGE;
    }
    const int w = atoi(width + 7) > 620 ? atoi(width + 7) : 620;
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
    const int status = text != NULL ? EXIT_FINE : EXIT_USAGE;
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
    return lines != NULL ? status : EXIT_USAGE;
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
    const int status = file != NULL ? fn(job, file) : EXIT_USAGE;
    if (file == NULL || fclose(file) != 0 || status != EXIT_FINE) {
        return refused(path, "cannot be written", "a writable file");
    }
    return EXIT_FINE;
}

/* Handle a valid job: lower it, execute it, print what the options select. */
static int agx_work(agx_job *job, const options *opt)
{
    int status = agx_find_accesses(job);
    if (status == EXIT_FINE) {
        status = gpucmd_agx_lower(&job->job, job->prior, job->entries, GPUCMD_AGX_MAX_ENTRIES,
                                  &job->entry_count) == GPUCMD_OK
                     ? agx_execute(job)
                     : EXIT_STREAM;
    }
    status = status == EXIT_FINE ? agx_file(job, opt->value[OPT_SVG], agx_put_svg) : status;
    status = status == EXIT_FINE ? agx_file(job, opt->value[OPT_DOT], agx_put_dot) : status;
    status = status == EXIT_FINE ? agx_file(job, opt->value[OPT_TRACE], agx_trace) : status;
    status = status == EXIT_FINE ? agx_file(job, opt->value[OPT_HTML], agx_page) : status;
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? agx_check(job, true)
                 : opt->value[OPT_RUN] != NULL ? agx_run(job)
                                               : agx_decode(job);
    }
    return status;
}

static int agx_main(const options *opt, output *out)
{
    agx_job *job = calloc(1, sizeof *job);
    int status = EXIT_USAGE;
    if (job == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for a submission\n");
        return EXIT_USAGE;
    }
    job->out = out;
    job->prior = opt->value[OPT_IDLE] != NULL ? GPUCMD_AGX_PRIOR_NONE : GPUCMD_AGX_PRIOR_BOTH;
    status = agx_read(job, opt);
    if (status == EXIT_FINE && opt->value[OPT_ACCESS] != NULL) {
        status = agx_read_accesses(job, opt->value[OPT_ACCESS]);
    }
    if (status == EXIT_FINE) {
        const bool legal =
            (job->notation ? agx_parse_notation(job)
                           : gpucmd_agx_parse_stream(job->in.data, job->in.len, NULL, &job->job,
                                                     &job->finding)) == GPUCMD_OK;
        if (legal) {
            status = agx_work(job, opt);
        } else if (opt->value[OPT_CHECK] != NULL) {
            status = agx_check(job, false);
        } else {
            if (out->format == FORMAT_TEXT && opt->value[OPT_RUN] == NULL) {
                (void)agx_put_text(job);
                if (!job->notation && agx_printed(job) < job->in.len) {
                    fprintf(stderr, "gpucmd-dump: %s: only the first %d MiB are printed\n",
                            job->name, AGX_INVALID_BYTES >> 20);
                }
            } else if (out->format == FORMAT_TSV) {
                puts(opt->value[OPT_RUN] != NULL ? "start\tend\tqueue\ttarget"
                                                 : "queue\top\ttarget");
            }
            fflush(stdout);
            status = agx_refused(job);
        }
        status = close_output(out, status);
    }
    release_bytes(&job->in);
    release(job->lines);
    release(job->accesses);
    free(job);
    return status;
}

#endif

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

/* ---- declared accesses ---- */

/* Report a line that is not a valid access. */
static int agx_bad_access(const agx_access *line, const char *wrong)
{
    fprintf(stderr,
            "gpucmd-dump: %s: offset 0x%zx: access: %s; expected a line such as access R1f write "
            "0x1600000000+0x4000\n",
            line->name, line->off_bytes, wrong);
    return EXIT_STREAM;
}

/* Read a range: "0x1600000000+0x4000". */
static bool agx_take_range(const char *text, gpucmd_agx_access *access)
{
    char *end;
    errno = 0;
    access->va = strtoull(text, &end, 0);
    if (end == text || *end != '+' || text[0] == '-') {
        return false;
    }
    text = end + 1;
    access->bytes = strtoull(text, &end, 0);
    return end != text && *end == '\0' && text[0] != '-' && errno == 0 && access->bytes != 0 &&
           access->va + (access->bytes - 1) >= access->va;
}

/* Read a line "access R1f write 0x1600000000+0x4000", up to a comment. */
static bool agx_take_access(const char *text, agx_access *line)
{
    char target[16];
    char verb[8];
    char range[48];
    char more;
    if (sscanf(text, " access %15s %7s %47s %c", target, verb, range, &more) != 3 ||
        (strcmp(verb, "read") != 0 && strcmp(verb, "write") != 0)) {
        return false;
    }
    const int parts =
        sscanf(target, "%c%" SCNu32 "%c%c", &line->letter, &line->number, &line->half, &more);
    line->half = parts == 2 ? '\0' : line->half;
    line->access.writes = verb[0] == 'w';
    return target[1] >= '1' && target[1] <= '9' &&
           (line->letter == 'C'   ? parts == 2
            : line->letter == 'R' ? parts == 3 && (line->half == 'v' || line->half == 'f')
                                  : line->letter == 'B' && parts == 3 && line->half == 'f') &&
           agx_take_range(range, &line->access);
}

/* Return true if a line starts with the word access. */
static bool agx_is_access(const char *at, const char *eol)
{
    while (at < eol && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return eol - at > 6 && memcmp(at, "access", 6) == 0 && (at[6] == ' ' || at[6] == '\t');
}

/* Read the lines of a text that declare accesses and overwrite them with blanks. */
static int agx_take_accesses(agx_job *job, const char *name, bytes *b)
{
    char *const begin = (char *)b->data;
    const char *const end = begin + b->len;
    for (const char *at = begin, *eol; at < end; at = eol + 1) {
        char text[128];
        eol = line_end(at, end);
        if (!agx_is_access(at, eol)) {
            continue;
        }
        agx_access *lines = realloc(job->lines, (job->access_count + (size_t)1) * sizeof *lines);
        if (lines == NULL) {
            fprintf(stderr, "gpucmd-dump: no memory for accesses\n");
            return EXIT_USAGE;
        }
        job->lines = lines;
        agx_access *line = &lines[job->access_count++];
        memset(line, 0, sizeof *line);
        line->name = name;
        line->off_bytes = (size_t)(at - begin);
        const size_t len = (size_t)(eol - at) < sizeof text ? (size_t)(eol - at) : sizeof text - 1;
        memcpy(text, at, len);
        text[len] = '\0';
        text[strcspn(text, "#")] = '\0';
        if (!agx_take_access(text, line)) {
            return agx_bad_access(line, "line does not follow the notation");
        }
        memset(begin + (at - begin), ' ', (size_t)(eol - at));
    }
    return EXIT_FINE;
}

/* Read the accesses of a file, which otherwise has comments only. */
static int agx_read_accesses(agx_job *job, const char *path)
{
    bytes b = {NULL, 0};
    int status = EXIT_USAGE;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return refused(path, "cannot be opened", "a readable file");
    }
    status = read_all(file, path, &b);
    fclose(file);
    status = status == EXIT_FINE ? agx_take_accesses(job, path, &b) : status;
    const char *const end = (const char *)b.data + b.len;
    for (const char *at = (const char *)b.data, *eol; status == EXIT_FINE && at < end;
         at = eol + 1) {
        const agx_access rest = {
            '\0', '\0',
            0,    {0, GPUCMD_AGX_RING_COMPUTE, false, 0, 0},
            path, (size_t)(at - (const char *)b.data)
        };
        eol = line_end(at, end);
        while (at < eol && is_space(*at)) {
            at++;
        }
        if (at < eol && *at != '#') {
            status = agx_bad_access(&rest, "line does not follow the notation");
        }
    }
    free(b.data);
    return status;
}

/* Find the command of each line in the job. */
static int agx_find_accesses(agx_job *job)
{
    job->accesses = calloc(job->access_count + (size_t)1, sizeof *job->accesses);
    if (job->accesses == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for accesses\n");
        return EXIT_USAGE;
    }
    for (uint32_t i = 0; i < job->access_count; i++) {
        const agx_access *line = &job->lines[i];
        const gpucmd_agx_kind kind = line->letter == 'C'   ? GPUCMD_AGX_KIND_COMPUTE
                                     : line->letter == 'R' ? GPUCMD_AGX_KIND_RENDER
                                                           : GPUCMD_AGX_KIND_BLIT;
        uint32_t at = 0;
        while (at < job->job.count && (job->job.commands[at].kind != kind ||
                                       job->job.commands[at].number != line->number)) {
            at++;
        }
        if (at == job->job.count) {
            return agx_bad_access(line, "no such command");
        }
        job->accesses[i] = line->access;
        job->accesses[i].command = at;
        job->accesses[i].part = line->half == '\0'  ? GPUCMD_AGX_RING_COMPUTE
                                : line->half == 'v' ? GPUCMD_AGX_RING_VERTEX
                                                    : GPUCMD_AGX_RING_FRAGMENT;
    }
    return EXIT_FINE;
}

/* Return the number of words that do not fit: AGX streams have no order that could be tried. */
static size_t agx_misfit(const options *opt, const uint32_t *dw, size_t len_dw)
{
    (void)opt;
    (void)dw;
    (void)len_dw;
    return 0;
}

/* Make a text of words, as --input says or as recognised, the bytes of a stream; text without
 * words is notation. */
static int agx_read_words(agx_job *job, const options *opt, int row, input *in)
{
    dump d;
    memset(&d, 0, sizeof d);
    d.name = job->name;
    d.vendor = opt->vendor;
    d.endian = GPUCMD_LITTLE_ENDIAN;
    in->b = job->in;
    dump_quiet_words = format_rows[row].how == READ_AUTO;
    const int status = read_bytes(opt, row, &d, in, agx_misfit);
    dump_quiet_words = false;
    if (status == EXIT_FINE && stream_count(&d) != 0 && d.streams[0].len_dw != 0) {
        stream *s = &d.streams[0];
        gpucmd_store_words(s->dw, s->dw, s->len_dw, GPUCMD_LITTLE_ENDIAN);
        free(job->in.data);
        job->in.data = (uint8_t *)s->dw;
        job->in.len = s->len_dw * 4;
        s->dw = NULL;
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
    input in;
    bool ascii = false;
    int status = row >= 0 ? read_input(opt, &job->name, &job->in) : EXIT_USAGE;
    if (status == EXIT_FINE && how != READ_RAW) {
        status = unpack(job->name, &job->in);
    }
    if (status != EXIT_FINE) {
        return status;
    }
    memset(&in, 0, sizeof in);
    in.len = job->in.len;
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
    case GPUCMD_AGX_RULE_NOTATION_NUMBER: return "commands, renders and computes in order";
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

/* ---- decode ---- */

static void agx_print_all(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    if (!job->notation) {
        gpucmd_agx_print_stream(t, job->in.data, job->in.len);
        gpucmd_text_str(t, "\n");
    }
    if (job->finding.rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_agx_print_notation(t, &job->job);
        gpucmd_text_str(t, "\n");
        gpucmd_agx_print_queues(t, job->entries, job->entry_count);
    }
}

static void agx_print_tsv(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_queues_tsv(t, job->entries, job->entry_count);
}

/* Print the name of an operation: "R1v". */
static const char *agx_target(const gpucmd_agx_entry *entry, char text[16])
{
    gpucmd_text t;
    gpucmd_text_init(&t, text, 16);
    gpucmd_agx_print_target(&t, entry);
    return text;
}

static int agx_decode(const agx_job *job)
{
    char target[16];
    if (job->out->format == FORMAT_TEXT) {
        return put_text(agx_print_all, job, stdout);
    }
    if (job->out->format == FORMAT_TSV) {
        return put_text(agx_print_tsv, job, stdout);
    }
    for (uint32_t ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
        for (uint32_t i = 0; i < job->entry_count; i++) {
            const gpucmd_agx_entry *entry = &job->entries[i];
            if (entry->ring == ring) {
                begin_row(job->out);
                printf("\"queue\":\"%s\",\"op\":\"%s\",\"target\":\"%s\"}",
                       gpucmd_agx_ring_name((gpucmd_agx_ring)ring),
                       entry->op == GPUCMD_AGX_OP_RUN ? "RUN" : "WAIT", agx_target(entry, target));
            }
        }
    }
    return EXIT_FINE;
}

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

static void agx_print_svg(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_svg(t, job->spans, job->span_count);
}

static void agx_print_dot(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    gpucmd_agx_print_dot(t, &job->job, job->prior);
}

/* Write a picture to the file that an option names. */
static int agx_picture(const agx_job *job, const char *path, text_fn fn)
{
    int status = EXIT_FINE;
    if (path == NULL) {
        return EXIT_FINE;
    }
    errno = 0;
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        status = put_text(fn, job, file);
    }
    if (file == NULL || (fclose(file) != 0) || status != EXIT_FINE) {
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
    status = status == EXIT_FINE ? agx_picture(job, opt->value[OPT_SVG], agx_print_svg) : status;
    status = status == EXIT_FINE ? agx_picture(job, opt->value[OPT_DOT], agx_print_dot) : status;
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
                put_text(agx_print_all, job, stdout);
            } else if (out->format == FORMAT_TSV) {
                puts(opt->value[OPT_RUN] != NULL ? "start\tend\tqueue\ttarget"
                                                 : "queue\top\ttarget");
            }
            fflush(stdout);
            status = agx_refused(job);
        }
        status = close_output(out, status);
    }
    free(job->in.data);
    free(job->lines);
    free(job->accesses);
    free(job);
    return status;
}

#endif

/* agx_log.h - kernel logs of asahi, messages of Mesa, output of agxdecode, for agx.h. */
#ifndef DUMP_AGX_LOG_H
#define DUMP_AGX_LOG_H

#include "agx_job.h"
#include "base.h"
#include "bytes.h"
#include "lines.h"
#include "memory.h"
#include "stream.h"
#include "text.h"
#include "words.h"

/* The record "FaultInfo" of a log, and what the lines before it say. */
typedef struct agx_fault {
    size_t line; /* of the record */
    uint64_t address;
    uint64_t vm_slot;
    uint64_t unit_code;
    char unit[24];   /* without its parameter and without "_SP" */
    char reason[16]; /* "Unmapped" */
    bool read;
    bool have_address, have_code, have_read, have_slot;
} agx_fault;

/* State while a log is explained. */
typedef struct agx_log {
    const dump *d;
    agx_fault fault;
    bool in_fault;    /* lines of the record follow */
    bool is_timeout;  /* of the block: no fault yet */
    bool is_fault;    /* of the block */
    bool in_pending;  /* lines of pending events follow */
    int64_t slot;     /* event slot that a timeout names; -1: none */
    uint64_t vm_slot; /* of the fault of the block */
    size_t found;     /* explained parts */
} agx_log;

/* Return the line at `at` without what a log puts before the text of the driver, and without blanks
 * at both ends. The result is not terminated. */
static text_line agx_log_line(const char *at, const char *eol, size_t number)
{
    text_line line = {(char *)(uintptr_t)at, (size_t)(eol - at), number, 0, 0, 0, false};
    const char *p = after(&line, ".gpu: ");
    if (p != NULL) {
        drop(&line, (size_t)(p - line.at));
    }
    while (line.len != 0 && is_space(line.at[0])) {
        drop(&line, 1);
    }
    while (line.len != 0 && is_space(line.at[line.len - 1])) {
        line.len--;
    }
    return line;
}

/* Return true if the text is a log of the driver, or a message of Mesa about the UAPI. */
static bool agx_is_log(const bytes *b)
{
    static const char *const marks[] = {
        "nya~!!!!!",
        "FaultInfo {",
        "UABI mismatch",
        "upstream Mesa with a downstream kernel",
    };
    const text_line all = {(char *)b->data, b->len, 0, 0, 0, 0, false};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (line_has(&all, marks[i])) {
            return true;
        }
    }
    return false;
}

/* Read the number after a word of a line: "address: 0x61aa4e1dc0,". */
static bool agx_log_number(const text_line *line, const char *word, uint64_t *v)
{
    char text[32];
    char *end = NULL;
    if (!starts_with(line, word)) {
        return false;
    }
    snprintf(text, sizeof text, "%.*s", (int)lesser(line->len - strlen(word), sizeof text - 1),
             line->at + strlen(word));
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (end == text || errno != 0) {
        return false;
    }
    *v = value;
    return true;
}

/* Copy the name after a word of a line, up to a comma or a parenthesis. */
static bool agx_log_name(const text_line *line, const char *word, char *name, size_t cap)
{
    if (!starts_with(line, word)) {
        return false;
    }
    const char *from = line->at + strlen(word);
    size_t n = 0;
    while (from + n < line->at + line->len && n + 1 < cap && strchr(",( ", from[n]) == NULL) {
        n++;
    }
    memcpy(name, from, n);
    name[n] = '\0';
    return n != 0;
}

/* Append what a reason means. */
static void agx_append_reason(const char *reason, bool read, char *text, size_t cap)
{
    static const char *const rows[][2] = {
        {"Unmapped",  "the VM maps nothing there"           },
        {"AfFault",   "the access flag of the page is clear"},
        {"WriteOnly", "the mapping is for writes only"      },
        {"ReadOnly",  "the mapping is for reads only"       },
        {"NoAccess",  "the mapping allows no access"        },
    };
    (void)read;
    append(text, cap, "%s", reason);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i][0], reason) == 0) {
            append(text, cap, " (%s)", rows[i][1]);
        }
    }
}

/* Append the unit of a fault, where it is, and what it does. */
static void agx_append_unit(const agx_fault *f, char *text, size_t cap)
{
    char name[24];
    const char *does = NULL;
    snprintf(name, sizeof name, "%s", f->unit);
    char *suffix = strstr(name, "_SP");
    const bool half = suffix != NULL && f->have_code && f->unit_code >= 0xe0;
    if (suffix != NULL) {
        *suffix = '\0';
    }
    does = gpucmd_agx_unit_text(name);
    if (does == NULL && name[0] == 'g') {
        name[0] = 'd'; /* gVDM_CSD is as dVDM_CSD */
        does = gpucmd_agx_unit_text(name);
    }
    append(text, cap, "unit %s", f->unit[0] != '\0' ? f->unit : "unknown");
    if (f->have_code && f->unit_code < 0xa0) {
        append(text, cap, " of core %u", (unsigned)(f->unit_code >> 4));
    } else if (half) {
        append(text, cap, " of half %u", (unsigned)(f->unit_code >> 4 & 1));
    }
    if (does != NULL) {
        append(text, cap, " (%s)", does);
    }
}

/* Explain a record that is complete. */
static void agx_log_fault(agx_log *log)
{
    const agx_fault *f = &log->fault;
    char text[400] = "";
    if (!f->have_address) {
        note(log->d, "line %zu: the record of the fault has no address", f->line);
        log->found++;
        return;
    }
    append(text, sizeof text, "fault: ");
    if (f->have_read) {
        append(text, sizeof text, "%s at address ", f->read ? "read" : "write");
    } else {
        append(text, sizeof text, "access at address ");
    }
    append(text, sizeof text, "0x%" PRIx64, f->address);
    if (f->have_slot) {
        append(text, sizeof text, " of VM slot %" PRIu64, f->vm_slot);
    }
    append(text, sizeof text, " by ");
    agx_append_unit(f, text, sizeof text);
    append(text, sizeof text, ": ");
    agx_append_reason(f->reason[0] != '\0' ? f->reason : "no reason", f->read, text, sizeof text);
    note(log->d, "line %zu: %s", f->line, text);
    log->found++;
    log->is_fault = true;
}

/* Read a line of the record FaultInfo. */
static void agx_log_member(agx_log *log, const text_line *line)
{
    agx_fault *f = &log->fault;
    char word[16] = "";
    if (agx_log_number(line, "address: ", &f->address)) {
        f->have_address = true;
    } else if (agx_log_number(line, "vm_slot: ", &f->vm_slot)) {
        f->have_slot = true;
    } else if (agx_log_number(line, "unit_code: ", &f->unit_code)) {
        f->have_code = true;
    } else if (agx_log_name(line, "read: ", word, sizeof word)) {
        f->have_read = true;
        f->read = strcmp(word, "true") == 0;
    } else if (!agx_log_name(line, "unit: ", f->unit, sizeof f->unit) &&
               !agx_log_name(line, "reason: ", f->reason, sizeof f->reason) &&
               starts_with(line, "}")) {
        log->in_fault = false;
        agx_log_fault(log);
    }
}

/* Explain a line of the pending events: "[5] flags=7 value=0x5a100", newer "[0:5] flags=...". */
static void agx_log_event(agx_log *log, const text_line *line)
{
    char text[64];
    unsigned first = 0;
    unsigned slot = 0;
    snprintf(text, sizeof text, "%.*s", (int)lesser(line->len, sizeof text - 1), line->at);
    if (sscanf(text, "[%u:%u] flags", &first, &slot) != 2) {
        if (sscanf(text, "[%u] flags", &slot) != 1) {
            log->in_pending = false;
            return;
        }
    }
    const char *fate = "the fence of its job gets ETIMEDOUT";
    if (log->is_fault) {
        fate =
            "the fence of its job gets EIO, or ECANCELED if the job is of another VM than the fault";
    } else if (log->slot >= 0 && slot != (unsigned)log->slot) {
        fate = "its job is killed: ECANCELED";
    }
    note(log->d, "line %zu: event slot %u was in progress: %s", line->number, slot, fate);
    log->found++;
}

/* Explain a line that begins a block of the log, or belongs to none. */
static void agx_log_other(agx_log *log, const text_line *line)
{
    uint64_t v = 0;
    unsigned numbers[2] = {0, 0};
    const char *mismatch = after(line, "UABI mismatch");
    if (line_has(line, "GPU timeout nya~")) {
        memset(&log->fault, 0, sizeof log->fault);
        log->is_timeout = true;
        log->is_fault = false;
        log->slot = -1;
        note(log->d, "line %zu: timeout: the firmware has given up on a job", line->number);
        log->found++;
    } else if (line_has(line, "GPU fault nya~")) {
        log->is_timeout = log->is_fault = false;
        note(log->d, "line %zu: fault: the MMU has rejected an access", line->number);
        log->found++;
    } else if (line_has(line, "GPU channel error nya~")) {
        log->is_timeout = log->is_fault = false;
        note(log->d, "line %zu: channel error: one channel is recovered, other jobs go on",
             line->number);
        log->found++;
    } else if (agx_log_number(line, "Event slot: ", &v)) {
        log->slot = (int64_t)v;
    } else if (line_has(line, "Pending events:")) {
        log->in_pending = true;
    } else if (line_has(line, "upstream Mesa with a downstream kernel")) {
        note(log->d,
             "line %zu: the kernel has a draft UAPI (10006 to 10011), this Mesa does not know it; "
             "the UAPI of Linux 6.16 and later has no version",
             line->number);
        log->found++;
    } else if (mismatch != NULL) {
        char text[80];
        size_t n = 0;
        snprintf(text, sizeof text, "%.*s",
                 (int)lesser((size_t)(line->at + line->len - mismatch), sizeof text - 1), mismatch);
        for (char *p = text; *p != '\0' && n < 2;) {
            if (*p >= '0' && *p <= '9') {
                numbers[n++] = (unsigned)strtoul(p, &p, 10);
            } else {
                p++;
            }
        }
        if (n == 2) {
            note(log->d,
                 "line %zu: drafts of the UAPI differ: the kernel has %u, Mesa %u; drafts are "
                 "10006 to 10011, and the UAPI of Linux 6.16 and later has no version",
                 line->number, numbers[0], numbers[1]);
        } else {
            note(log->d, "line %zu: kernel and Mesa have different drafts of the UAPI",
                 line->number);
        }
        log->found++;
    }
}

/* Explain the lines of a log. Return the exit status: there is no stream in it. */
static int agx_explain_log(const agx_job *job, const dump *d)
{
    const char *const end = (const char *)job->in.data + job->in.len;
    agx_log log;
    size_t number = 1;
    memset(&log, 0, sizeof log);
    log.d = d;
    log.slot = -1;
    for (const char *at = (const char *)job->in.data, *eol; at < end; at = eol + 1, number++) {
        eol = line_end(at, end);
        const text_line line = agx_log_line(at, eol, number);
        if (log.in_fault) {
            agx_log_member(&log, &line);
        } else if (line_has(&line, "FaultInfo {")) {
            memset(&log.fault, 0, sizeof log.fault);
            log.fault.line = number;
            log.in_fault = true;
        } else if (log.in_pending && starts_with(&line, "[")) {
            agx_log_event(&log, &line);
        } else {
            log.in_pending = false;
            agx_log_other(&log, &line);
        }
    }
    if (log.in_fault) {
        note(d, "line %zu: the record of the fault ends with the text", log.fault.line);
        agx_log_fault(&log);
    }
    fprintf(
        stderr,
        "gpucmd-dump: %s: no stream in this log: expected the bytes of a command stream (member "
        "cmdbuf of SUBMIT)\n",
        job->name);
    return EXIT_USAGE;
}

/* ---- agxdecode ---- */

/* A member that agxdecode prints: "width_px = 64". */
typedef struct agx_member {
    const char *name;
    uint16_t offset;
    uint8_t bytes;
} agx_member;

#define AGX_MEMBER(command, path)                                                                  \
    {                                                                                              \
#path, (uint16_t)offsetof(struct gpucmd_drm_asahi_##command, path),                        \
            (uint8_t)sizeof(((struct gpucmd_drm_asahi_##command *)0)->path)                        \
    }
static const agx_member agx_render_members[] = {
    AGX_MEMBER(cmd_render, flags),
    AGX_MEMBER(cmd_render, vdm_ctrl_stream_base),
    AGX_MEMBER(cmd_render, isp_zls_pixels),
    AGX_MEMBER(cmd_render, isp_scissor_base),
    AGX_MEMBER(cmd_render, isp_dbias_base),
    AGX_MEMBER(cmd_render, isp_oclqry_base),
    AGX_MEMBER(cmd_render, depth.base),
    AGX_MEMBER(cmd_render, depth.comp_base),
    AGX_MEMBER(cmd_render, depth.stride),
    AGX_MEMBER(cmd_render, depth.comp_stride),
    AGX_MEMBER(cmd_render, stencil.base),
    AGX_MEMBER(cmd_render, stencil.comp_base),
    AGX_MEMBER(cmd_render, stencil.stride),
    AGX_MEMBER(cmd_render, stencil.comp_stride),
    AGX_MEMBER(cmd_render, ppp_multisamplectl),
    AGX_MEMBER(cmd_render, sampler_heap),
    AGX_MEMBER(cmd_render, sampler_count),
    AGX_MEMBER(cmd_render, ppp_ctrl),
    AGX_MEMBER(cmd_render, width_px),
    AGX_MEMBER(cmd_render, height_px),
    AGX_MEMBER(cmd_render, layers),
    AGX_MEMBER(cmd_render, utile_width_px),
    AGX_MEMBER(cmd_render, utile_height_px),
    AGX_MEMBER(cmd_render, samples),
    AGX_MEMBER(cmd_render, sample_size_B),
    AGX_MEMBER(cmd_render, isp_merge_upper_x),
    AGX_MEMBER(cmd_render, isp_merge_upper_y),
    AGX_MEMBER(cmd_render, bg.usc),
    AGX_MEMBER(cmd_render, bg.rsrc_spec),
    AGX_MEMBER(cmd_render, eot.usc),
    AGX_MEMBER(cmd_render, eot.rsrc_spec),
    AGX_MEMBER(cmd_render, partial_bg.usc),
    AGX_MEMBER(cmd_render, partial_bg.rsrc_spec),
    AGX_MEMBER(cmd_render, partial_eot.usc),
    AGX_MEMBER(cmd_render, partial_eot.rsrc_spec),
    AGX_MEMBER(cmd_render, isp_bgobjdepth),
    AGX_MEMBER(cmd_render, isp_bgobjvals),
};
static const agx_member agx_compute_members[] = {
    AGX_MEMBER(cmd_compute, flags),
    AGX_MEMBER(cmd_compute, cdm_ctrl_stream_base),
    AGX_MEMBER(cmd_compute, cdm_ctrl_stream_end),
    AGX_MEMBER(cmd_compute, sampler_heap),
    AGX_MEMBER(cmd_compute, sampler_count),
};
static const agx_member agx_attachment_members[] = {
    AGX_MEMBER(attachment, size),
    AGX_MEMBER(attachment, pointer),
};
#undef AGX_MEMBER

/* A trace while its members are read. */
typedef struct agx_trace_reader {
    gpucmd_agx_stream stream;
    struct gpucmd_drm_asahi_attachment attachments[3][GPUCMD_AGX_MAX_ATTACHMENTS];
    uint32_t counts[3]; /* of attachments: vertex, fragment, compute */
    int list;           /* whose attachments follow; -1: none */
    uint32_t parts;     /* members of the attachment that were read */
    bool has_render, has_compute;
    uint64_t flags; /* of the next command: agxdecode prints the flags first */
    struct gpucmd_drm_asahi_cmd_render render;
    struct gpucmd_drm_asahi_cmd_compute compute;
} agx_trace_reader;

/* Store a value in a member of a structure. */
static void agx_store_member(void *structure, const agx_member *m, uint64_t v)
{
    uint8_t *to = (uint8_t *)structure + m->offset;
    const uint16_t v16 = (uint16_t)v;
    const uint32_t v32 = (uint32_t)v;
    switch (m->bytes) {
    case 1: *to = (uint8_t)v; break;
    case 2: memcpy(to, &v16, 2); break;
    case 4: memcpy(to, &v32, 4); break;
    default: memcpy(to, &v, 8); break;
    }
}

/* Find the member of a line "name = value", without other text. Return NULL if there is none. */
static const agx_member *agx_find_member(const text_line *line, const agx_member *rows,
                                         size_t count, uint64_t *v)
{
    for (size_t i = 0; i < count; i++) {
        char word[48];
        const int n = snprintf(word, sizeof word, "%s = ", rows[i].name);
        if (n > 0 && starts_with(line, word) && agx_log_number(line, word, v)) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Append the command that is complete, after its attachments. */
static void agx_trace_emit(agx_trace_reader *r)
{
    for (uint32_t i = 0; i < 3 && (r->has_render || r->has_compute); i++) {
        if (r->counts[i] != 0) {
            gpucmd_agx_emit_attachments(&r->stream, GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS + i,
                                        r->attachments[i], r->counts[i]);
        }
        r->counts[i] = 0;
    }
    if (r->has_render) {
        gpucmd_agx_emit_render(&r->stream, GPUCMD_DRM_ASAHI_BARRIER_NONE,
                               GPUCMD_DRM_ASAHI_BARRIER_NONE, &r->render);
    }
    if (r->has_compute) {
        gpucmd_agx_emit_compute(&r->stream, GPUCMD_DRM_ASAHI_BARRIER_NONE,
                                GPUCMD_DRM_ASAHI_BARRIER_NONE, &r->compute);
    }
    r->has_render = r->has_compute = false;
    memset(&r->render, 0, sizeof r->render);
    memset(&r->compute, 0, sizeof r->compute);
}

/* Read a member of an attachment. A new one begins when a member comes again. */
static bool agx_trace_attachment(agx_trace_reader *r, const text_line *line)
{
    uint64_t v = 0;
    const agx_member *m = NULL;
    if (r->list >= 0) {
        m = agx_find_member(line, agx_attachment_members, 2, &v);
    }
    if (m == NULL) {
        return false;
    }
    const uint32_t part = 1u << (m - agx_attachment_members);
    uint32_t *count = &r->counts[r->list];
    if ((r->parts & part) != 0 || *count == 0) {
        r->parts = 0;
        if (*count == GPUCMD_AGX_MAX_ATTACHMENTS) {
            return true;
        }
        memset(&r->attachments[r->list][(*count)++], 0, sizeof r->attachments[0][0]);
    }
    r->parts |= part;
    agx_store_member(&r->attachments[r->list][*count - 1], m, v);
    return true;
}

/* Read a line of the block "ZLS Control": which buffers are loaded and stored. */
static void agx_trace_zls(agx_trace_reader *r, const text_line *line)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } rows[] = {
        {"S Load",  GPUCMD_AGX_ZLS_S_LOAD },
        {"Z Load",  GPUCMD_AGX_ZLS_Z_LOAD },
        {"S Store", GPUCMD_AGX_ZLS_S_STORE},
        {"Z Store", GPUCMD_AGX_ZLS_Z_STORE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char word[32];
        char newer[32];
        snprintf(word, sizeof word, "%s: true", rows[i].name);
        snprintf(newer, sizeof newer, "%s Enable: true", rows[i].name);
        if (starts_with(line, word) || starts_with(line, newer)) {
            r->render.zls_ctrl |= rows[i].bit;
        }
    }
}

static void agx_trace_line(agx_trace_reader *r, const text_line *line)
{
    static const char *const lists[] = {
        "Vertex attachments:", "Fragment attachments:", "Compute attachments:"};
    const size_t renders = sizeof agx_render_members / sizeof agx_render_members[0];
    const size_t computes = sizeof agx_compute_members / sizeof agx_compute_members[0];
    uint64_t v = 0;
    const agx_member *m;
    for (int i = 0; i < 3; i++) {
        if (starts_with(line, lists[i])) {
            agx_trace_emit(r);
            r->list = i;
            r->parts = 0;
            return;
        }
    }
    if (agx_trace_attachment(r, line)) {
        return;
    }
    if (agx_log_number(line, "flags = ", &v)) {
        agx_trace_emit(r);
        r->flags = v;
    } else if (starts_with(line, "vdm_ctrl_stream_base = ")) {
        agx_trace_emit(r);
        r->has_render = true;
        r->render.flags = (uint32_t)r->flags;
    } else if (starts_with(line, "cdm_ctrl_stream_base = ")) {
        agx_trace_emit(r);
        r->has_compute = true;
        r->compute.flags = (uint32_t)r->flags;
    }
    r->list = -1;
    if (r->has_render) {
        agx_trace_zls(r, line);
        m = agx_find_member(line, agx_render_members, renders, &v);
        if (m != NULL && m != &agx_render_members[0]) {
            agx_store_member(&r->render, m, v);
        }
    } else if (r->has_compute) {
        m = agx_find_member(line, agx_compute_members, computes, &v);
        if (m != NULL && m != &agx_compute_members[0]) {
            agx_store_member(&r->compute, m, v);
        }
    }
}

/* Return true if the text is output of agxdecode with the members of the UAPI. */
static bool agx_is_trace(const bytes *b)
{
    const text_line all = {(char *)b->data, b->len, 0, 0, 0, 0, false};
    return line_has(&all, "vdm_ctrl_stream_base = ") || line_has(&all, "cdm_ctrl_stream_base = ");
}

/* Replace the text of agxdecode by the command stream with the members that it prints. */
static int agx_read_trace(agx_job *job, const dump *d)
{
    const size_t cap = (size_t)GPUCMD_AGX_MAX_COMMANDS * 512;
    agx_trace_reader *r = resize(NULL, 1, sizeof *r);
    uint32_t *words = resize(NULL, cap, sizeof *words);
    const char *const end = (const char *)job->in.data + job->in.len;
    size_t len = 0;
    size_t number = 1;
    memset(r, 0, sizeof *r);
    r->list = -1;
    gpucmd_agx_stream_init(&r->stream, words, cap);
    for (const char *at = (const char *)job->in.data, *eol; at < end; at = eol + 1, number++) {
        eol = line_end(at, end);
        const text_line line = agx_log_line(at, eol, number);
        agx_trace_line(r, &line);
    }
    agx_trace_emit(r);
    const gpucmd_status status = gpucmd_agx_stream_finish(&r->stream, &len);
    release(r);
    if (status != GPUCMD_OK) {
        release(words);
        fprintf(stderr, "gpucmd-dump: %s: a member of agxdecode is invalid: %s\n", job->name,
                gpucmd_status_name(status));
        return EXIT_USAGE;
    }
    note(d,
         "read as agxdecode: the members of commands; barriers and timestamps are not in the text, "
         "of zls_ctrl only loads and stores are; control streams are not read");
    release_bytes(&job->in);
    job->in.data = (uint8_t *)words;
    job->in.len = len;
    return EXIT_FINE;
}

#endif

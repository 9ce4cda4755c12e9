/* agx_job.h - what the Apple parts of gpucmd-dump.c share: one submission. */
#ifndef DUMP_AGX_JOB_H
#define DUMP_AGX_JOB_H

#include "base.h"
#include "bytes.h"
#include "output.h"
#include "settings.h"

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
    const settings *set;
    bytes in;
    bool notation;
    bool legal;     /* job is valid; otherwise finding says why not */
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
    case GPUCMD_AGX_RULE_CHECK_MISSING: return "that barrier";
    case GPUCMD_AGX_RULE_CHECK_ACCIDENT: return "a barrier that a declared access needs";
    case GPUCMD_AGX_RULE_CHECK_STAMP_ALIGN: return "a multiple of 8";
    case GPUCMD_AGX_RULE_CHECK_BLIT: return "renders and computes";
    default: return "what the kernel accepts";
    }
}

/* Print on standard error why the job is not valid. */
static int agx_refused(const agx_job *job)
{
    const gpucmd_agx_finding *f = &job->finding;
    agx_text text;
    fflush(stdout);
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%zx: ", job->name, f->at_bytes);
    if (f->command >= 0) {
        fprintf(stderr, "command %" PRId32 ": ", f->command);
    }
    fprintf(stderr, "%s: %s; expected %s\n", gpucmd_agx_rule_name(f->rule),
            gpucmd_agx_rule_text(f->rule), agx_expected(f->rule, text));
    return EXIT_STREAM;
}

#endif

/* agx_text.h - Apple submissions as text, TSV and JSON, for agx.h. */
#ifndef DUMP_AGX_TEXT_H
#define DUMP_AGX_TEXT_H

#include "agx_job.h"
#include "base.h"
#include "events.h"
#include "lines.h"
#include "output.h"
#include "settings.h"
#include "words.h"

enum { AGX_INVALID_BYTES = 1 << 20 }; /* printed of a stream that is not valid */

/* Return the bytes of the stream that are printed. */
static size_t agx_printed(const agx_job *job)
{
    const bool valid = job->finding.rule == GPUCMD_AGX_RULE_NONE;
    if (valid || job->in.len < AGX_INVALID_BYTES) {
        return job->in.len;
    }
    return AGX_INVALID_BYTES;
}

static void agx_print_all(gpucmd_text *t, const void *user)
{
    const agx_job *job = user;
    if (!job->notation) {
        gpucmd_agx_print_stream(t, job->in.data, agx_printed(job));
        gpucmd_text_str(t, "\n");
    }
    if (job->finding.rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_agx_print_notation(t, &job->job);
        gpucmd_text_str(t, "\n");
        gpucmd_agx_print_queues(t, job->entries, job->entry_count);
    }
}

/* A text, to which names are added. */
typedef struct agx_plain {
    const char *text;
    size_t len;
} agx_plain;

/* Append the names of the bits of render flags. */
static void agx_name_flags(gpucmd_text *t, uint64_t flags)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } rows[] = {
#define AGX_FLAG(name, value) {value, &#name[sizeof "RENDER_" - 1]},
        GPUCMD_AGX_RENDER_FLAGS(AGX_FLAG)
#undef AGX_FLAG
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((flags & rows[i].bit) != 0) {
            gpucmd_text_char(t, ' ');
            gpucmd_text_str(t, rows[i].name);
        }
    }
}

/* Print the text with names of the flags of renders. */
static void agx_print_named(gpucmd_text *t, const void *user)
{
    const agx_plain *plain = user;
    const char *end = plain->text + plain->len;
    bool render = false;
    for (const char *at = plain->text; at < end;) {
        const char *eol = line_end(at, end);
        const text_line line = {(char *)(uintptr_t)at, (size_t)(eol - at), 0, 0, 0, 0, false};
        uint64_t flags;
        if (starts_with(&line, "0x")) {
            render = line_has(&line, " CMD_RENDER ");
        }
        for (; at < eol; at++) {
            gpucmd_text_char(t, *at);
        }
        if (render && starts_with(&line, "        flags ") &&
            field_of(&line, "flags", 16, &flags)) {
            agx_name_flags(t, flags);
        }
        gpucmd_text_char(t, '\n');
        at = eol + 1;
    }
}

/* Return the decoded job as text, which the caller frees; NULL after a message. */
static char *agx_make_text(const agx_job *job, size_t *len)
{
    agx_plain plain = {NULL, 0};
    char *text = make_text(agx_print_all, job, &plain.len);
    plain.text = text;
    char *named = NULL;
    if (text != NULL) {
        named = make_text(agx_print_named, &plain, len);
    }
    free(text);
    return named;
}

static int agx_put_text(const agx_job *job)
{
    size_t len = 0;
    char *text = agx_make_text(job, &len);
    const bool whole = text != NULL && fwrite(text, 1, len, stdout) == len;
    free(text);
    return exit_unless(whole, EXIT_USAGE);
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

/* Write of a job that is not valid what can be printed, and why it is not. */
static int agx_decode_refused(const agx_job *job)
{
    if (job->out->format == FORMAT_TSV) {
        puts("queue\top\ttarget");
    } else if (job->out->format == FORMAT_TEXT) {
        (void)agx_put_text(job);
        if (!job->notation && agx_printed(job) < job->in.len) {
            fprintf(stderr, "gpucmd-dump: %s: only the first %d MiB are printed\n", job->name,
                    AGX_INVALID_BYTES >> 20);
        }
    }
    return agx_refused(job);
}

static int agx_decode(void *user)
{
    const agx_job *job = user;
    char target[16];
    if (!job->legal) {
        return agx_decode_refused(job);
    }
    if (job->out->format == FORMAT_TEXT) {
        return agx_put_text(job);
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

#endif

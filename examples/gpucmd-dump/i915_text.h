/* i915_text.h - Intel commands as text, TSV and JSON, for i915.h. */
#ifndef DUMP_I915_TEXT_H
#define DUMP_I915_TEXT_H

#include "base.h"
#include "bytes.h"
#include "genxml.h"
#include "i915_job.h"
#include "i915_names.h"
#include "intel_names.h"
#include "options.h"
#include "output.h"
#include "section.h"
#include "settings.h"
#include "stream.h"
#include "text.h"
#include "words.h"

/* Print the registers of the engine under the title of a stream. */
static void i915_put_registers(const i915_job *job)
{
    const engine_state *state = NULL;
    if (job->in->state >= 0) {
        state = &job->d->states[job->in->state];
    }
    if (state == NULL || state->have == 0 || job->out->format != FORMAT_TEXT) {
        return;
    }
    printf("#  ");
#define I915_PUT_REGISTER(member, text)                                                            \
    if (state_has(state, REG_##member)) {                                                          \
        printf(" " text "=0x%" PRIx64, state->member);                                             \
    }
    ENGINE_REGISTERS(I915_PUT_REGISTER)
#undef I915_PUT_REGISTER
    if (state_has(state, REG_ipehr)) {
        char name[96];
        (void)find_command_name(&job->cmdset, job->set->names, (uint32_t)state->ipehr, name,
                                sizeof name);
        printf(" (IPEHR: %s)", name);
    }
    if (job->d->process[0] != '\0') {
        printf(", process %s", job->d->process);
    }
    putchar('\n');
}

/* Print one row in TSV or JSON. Cells without a value are NULL or -1. */
static void i915_row(const i915_job *job, uint64_t offset, const uint32_t *dw, const char *name,
                     int64_t len_dw, const char *mark)
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"name\":\"%s\"", name);
        put_cell(out, "len_dw", len_dw, false);
        printf(",\"engine\":\"%s\"", i915_engine(job));
        if (mark[0] != '\0') {
            put_text_cell(out, "stop", mark);
        }
        putchar('}');
        return;
    }
    printf("0x%" PRIx64, offset);
    printf(dw != NULL ? "\t%08" PRIx32 : "\t-", dw != NULL ? *dw : 0);
    printf("\t%s", name);
    put_cell(out, "len_dw", len_dw, false);
    printf("\t%s", i915_engine(job));
    if (job->d->state_count != 0) {
        printf("\t%s", mark[0] != '\0' ? mark : "-");
    }
    putchar('\n');
}

/* The command at word at. */
typedef struct i915_place_of {
    const i915_job *job;
    size_t at;
} i915_place_of;

/* Return the address of word at. */
static uint64_t i915_word_va(const i915_job *job, size_t at)
{
    if (job->set->has_base) {
        return job->base_va + 4 * (uint64_t)at;
    }
    return stream_va(job->in, at);
}

static void i915_print(gpucmd_text *t, const void *user)
{
    const i915_place_of *place = user;
    const i915_job *job = place->job;
    gpucmd_i915_print(t, &job->cmdset, job->in->dw + place->at, job->in->len_dw - place->at,
                      i915_word_va(job, place->at));
}

/* Write which register says that the GPU stopped at this command; "" if none does. */
static void i915_mark(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, char *text,
                      size_t cap)
{
    const engine_state *state = NULL;
    if (job->in->state >= 0) {
        state = &job->d->states[job->in->state];
    }
    size_t stop;
    text[0] = '\0';
    if (state != NULL && state_has(state, REG_acthd) && stream_find(job->in, state->acthd, &stop) &&
        stop >= at && stop - at < cmd->len_dw) {
        append(text, cap, "ACTHD");
    }
}

/* Write the stream that MI_BATCH_BUFFER_START goes to. */
static void i915_link(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, char *text,
                      size_t cap)
{
    size_t from;
    if (cmd->op != GPUCMD_I915_OP_MI_BATCH_BUFFER_START || job->d->count < 2 ||
        cmd->status != GPUCMD_OK) {
        return;
    }
    const uint64_t va = i915_target(&job->cmdset, job->in->dw + at, cmd->len_dw);
    for (size_t i = 0; i < job->d->count; i++) {
        const stream *s = &job->d->streams[i];
        if (stream_find(s, va, &from)) {
            append(text, cap, s->memory ? " -> memory of the dump" : " -> stream %zu", i);
            if (from != 0 && !s->memory) {
                append(text, cap, " word %zu", from);
            }
            return;
        }
    }
    append(text, cap, " -> not in the dump");
}

/* Write what the tool adds to the line of word i: the stream of a jump, the stop. */
static void i915_more(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, uint32_t i,
                      char *text, size_t cap)
{
    char mark[16];
    text[0] = '\0';
    if (i == 0) {
        i915_link(job, cmd, at, text, cap);
        i915_mark(job, cmd, at, mark, sizeof mark);
        if (mark[0] != '\0') {
            append(text, cap, "  <== %s: the GPU stopped here", mark);
        }
    }
}

/* Append the fields of a word of a 3D command that the lists of --names have. */
static void i915_list_fields(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, uint32_t i,
                             char *text, size_t cap)
{
    const uint32_t dw = job->in->dw[at];
    if (job->set->names == NULL || dw >> 29 != 3 || cmd->op == GPUCMD_I915_OP_PIPE_CONTROL ||
        !find_genxml(job->set->names, i915_gen(job))) {
        return;
    }
    const xml_element *e = find_instruction(dw);
    if (e != NULL) {
        append_element(e, 0, i, job->in->dw[at + i], 0, text, cap);
    }
}

/* Copy the line [at, eol) of word i, at address va; a name that only the tool has stands in place of
 * GFX. */
static void i915_copy_line(const i915_job *job, uint32_t dw, uint32_t i, uint64_t va,
                           const char *at, const char *eol, char *line, size_t cap)
{
    const char *name = gpucmd_i915_name(&job->cmdset, dw);
    char better[96];
    (void)find_command_name(&job->cmdset, job->set->names, dw, better, sizeof better);
    line[0] = '\0';
    if (i == 0 && strcmp(name, better) != 0) {
        append(line, cap, "%08" PRIx64 ": %08" PRIx32 " %s", va, dw, better);
        at += strlen(line) - strlen(better) + strlen(name);
    }
    i915_name_values(at, eol, line, cap);
}

/* Append the fields of a word that is 0, and the value of a register: the library names only fields
 * that are not 0. The names are those that it prints for a word of ones. */
static void i915_bare_word(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, uint32_t i,
                           char *line, size_t cap)
{
    enum { WORDS = 32, FIELDS = 4 };
    uint32_t dw[WORDS];
    char text[8192];
    char names[256] = "";
    size_t count = 0;
    gpucmd_text t;
    char *const after = strchr(strchr(line, ' ') + 1, ' ');
    if (cmd->op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM && i % 2 == 0) {
        append(line, cap, "   VALUE=0x%" PRIx32, job->in->dw[at + i]);
        return;
    }
    if (job->in->dw[at + i] != 0 || cmd->len_dw > WORDS) {
        return;
    }
    memcpy(dw, job->in->dw + at, cmd->len_dw * sizeof *dw);
    dw[i] = 0xffffffff;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print(&t, &job->cmdset, dw, cmd->len_dw, 0);
    const char *from = text;
    for (uint32_t k = 0; k < i; k++) {
        from = line_end(from, text + t.len_bytes) + 1;
    }
    const char *eol = line_end(from, text + t.len_bytes);
    for (const char *equals; (equals = memchr(from, '=', (size_t)(eol - from))) != NULL; count++) {
        const char *name = equals;
        while (name > from && name[-1] != ' ') {
            name--;
        }
        append(names, sizeof names, "%s%.*s=%s", count == 0 ? "   " : " ", (int)(equals - name),
               name, equals[1] == '0' ? "0x0" : "0");
        from = equals + 1;
    }
    if (count != 0 && count <= FIELDS) {
        if (after != NULL) {
            *after = '\0'; /* the fields that the library names although they are 0 */
        }
        append(line, cap, "%s", names);
    }
}

/* Return false if the dump does not have word i of the stream. */
static bool i915_known(const i915_job *job, size_t i)
{
    return job->in->unknown == NULL || job->in->unknown[i] == WORD_KNOWN;
}

/* Print a command as text: the library's lines, with names of registers and values. */
static void i915_text(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at)
{
    const i915_place_of place = {job, at};
    const char *color = YELLOW;
    if (cmd->status == GPUCMD_INVALID) {
        color = RED;
    } else if (cmd->op == GPUCMD_I915_OP_MI_NOOP) {
        color = DIM;
    } else if (job->in->dw[at] >> 29 == 0) {
        color = CYAN;
    }
    size_t len = 0;
    char *lines = make_text(i915_print, &place, &len);
    const char *from = lines;
    for (uint32_t i = 0; lines != NULL && i < cmd->len_dw; i++) {
        const char *eol = line_end(from, lines + len);
        char named[640];
        char line[2048];
        char more[1024];
        i915_copy_line(job, job->in->dw[at], i, i915_word_va(job, at), from, eol, named,
                       sizeof named);
        if (i == 0 && !i915_known(job, at)) {
            char *name = strchr(named, ' ');
            if (name != NULL && strlen(name) > 9) {
                name[9] = '\0'; /* the word, without the name of a command */
            }
        }
        if (i != 0 && cmd->op > GPUCMD_I915_OP_GFX) {
            i915_bare_word(job, cmd, at, i, named, sizeof named);
        }
        i915_more(job, cmd, at, i, more, sizeof more);
        i915_list_fields(job, cmd, at, i, more, sizeof more);
        put_command_line(job->out, line, sizeof line, named, named + strlen(named), more,
                         i915_known(job, at + i), color, 4 * (uint64_t)(at + i));
        from = eol + 1;
    }
    free(lines);
}

/* Print the row after the last word of a truncated input. missing_dw 0: it ends
 * inside a word. */
static void i915_truncated(const i915_job *job, uint32_t missing_dw)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    if (job->out->to_page) {
        return; /* a finding says so */
    }
    if (job->out->format != FORMAT_TEXT) {
        i915_row(job, offset, NULL, "TRUNCATED", missing_dw != 0 ? (int64_t)missing_dw : -1, "");
    } else if (missing_dw != 0) {
        printf("%08" PRIx64 ": -------- %sTRUNCATED%s: %" PRIu32 " word%s missing\n",
               job->base_va + offset, paint(job->out, RED), paint(job->out, PLAIN), missing_dw,
               plural(missing_dw));
    } else {
        printf("%08" PRIx64 ": -------- %sTRUNCATED%s: %zu byte%s of a word\n",
               job->base_va + offset, paint(job->out, RED), paint(job->out, PLAIN),
               job->in->extra_bytes, plural(job->in->extra_bytes));
    }
}

/* Count a decoding error. Return true if it is to be printed; then the message
 * has been started. */
static bool i915_count_error(i915_job *job, uint64_t offset)
{
    if (job->found[2]++ >= MESSAGES || dump_quiet) {
        return false;
    }
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx64 ": ", job->in->name, offset);
    return true;
}

/* Print the command at word at. After MI_BATCH_BUFFER_END words can be data, so
 * they are no errors. */
static void i915_command(i915_job *job, const gpucmd_i915_cmd *cmd, size_t at, bool ended)
{
    const uint32_t *dw = job->in->dw + at;
    const bool known = cmd->status != GPUCMD_INVALID && i915_known(job, at);
    uint32_t missing_dw = 0;
    if (cmd->want_dw > cmd->len_dw) {
        missing_dw = cmd->want_dw - cmd->len_dw;
    }
    if (job->out->format == FORMAT_TEXT) {
        i915_text(job, cmd, at);
    } else {
        char mark[16];
        char name[96] = "UNKNOWN";
        i915_mark(job, cmd, at, mark, sizeof mark);
        if (known) {
            (void)find_command_name(&job->cmdset, job->set->names, *dw, name, sizeof name);
        }
        i915_row(job, 4 * (uint64_t)at, dw, name, known ? (int64_t)cmd->want_dw : -1, mark);
    }
    if (cmd->status == GPUCMD_TRUNCATED) {
        i915_truncated(job, missing_dw);
    }
    if (cmd->status == GPUCMD_INVALID && !ended && i915_count_error(job, 4 * (uint64_t)at)) {
        fprintf(stderr,
                "%08" PRIx32 ": no such command; expected the first word of a command of "
                "gen%s %s\n",
                *dw, i915_gen(job), i915_engine(job));
    }
    if (cmd->status == GPUCMD_TRUNCATED && !ended && i915_count_error(job, 4 * (uint64_t)at)) {
        fprintf(stderr, "%s passes the end of the input; expected %" PRIu32 " more word%s\n",
                gpucmd_i915_name(&job->cmdset, *dw), missing_dw, plural(missing_dw));
    }
}

static int i915_decode(void *user)
{
    i915_job *job = user;
    bool ended = false;
    size_t at = 0;
    size_t rested = 0;
    memset(job->found, 0, sizeof job->found);
    put_header(job->out, job->d->state_count != 0 ? "offset\tword\tname\tlen_dw\tengine\tstop"
                                                  : "offset\tword\tname\tlen_dw\tengine");
    while (at < job->in->len_dw && (!ended || job->set->all)) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        i915_command(job, &cmd, at, ended);
        ended = ended || (cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END && !job->ring);
        at += cmd.len_dw;
        show_progress(job->in->name, "decoded", 4 * (uint64_t)at, 4 * (uint64_t)job->in->len_dw);
        rest_words(job->in, &rested, at);
    }
    end_progress();
    if (job->in->kind != NULL && at < job->in->len_dw) {
        note(job->d,
             "stream %zu: %zu words after MI_BATCH_BUFFER_END are not decoded; --all decodes them",
             job->out->stream, job->in->len_dw - at);
    }
    if (job->in->extra_bytes != 0) {
        i915_truncated(job, 0);
        if (i915_count_error(job, 4 * (uint64_t)job->in->len_dw)) {
            fprintf(stderr, "the input ends inside a word; expected %zu more byte%s\n",
                    4 - job->in->extra_bytes, plural(4 - job->in->extra_bytes));
        }
    }
    if (job->found[2] > MESSAGES && !dump_quiet) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[2] - MESSAGES);
    }
    return exit_unless(job->found[2] == 0, EXIT_STREAM);
}

#endif

/* i915_check.h - findings in Intel streams, for i915.h. */
#ifndef DUMP_I915_CHECK_H
#define DUMP_I915_CHECK_H

#include "base.h"
#include "i915_job.h"
#include "options.h"
#include "output.h"
#include "settings.h"

/* Write the numbers of words that a finding of rule LENGTH expects. */
static void i915_expected_words(const gpucmd_i915_finding *f, char *text, size_t cap)
{
    gpucmd_text t;
    gpucmd_text_init(&t, text, cap);
    gpucmd_i915_print_expected(&t, f);
    gpucmd_text_str(&t, ", not ");
    gpucmd_text_dec(&t, f->have_dw);
    gpucmd_text_str(&t, ", for ");
    gpucmd_text_str(&t, f->command);
}

/* Write an operand that would do. */
static void i915_expected_operand(const gpucmd_i915_finding *f, char *text, size_t cap)
{
    gpucmd_text t;
    gpucmd_text_init(&t, text, cap);
    gpucmd_text_str(&t, "such as 0x");
    gpucmd_text_hex(&t, f->good, 1);
    gpucmd_text_str(&t, ", not 0x");
    gpucmd_text_hex(&t, f->value, 1);
    gpucmd_text_str(&t, ", in ");
    gpucmd_i915_print_operand(&t, f);
}

/* Write which flags a rule of PIPE_CONTROL needs or excludes. */
static void i915_expected_flags(const i915_job *job, const gpucmd_i915_finding *f, char *text,
                                size_t cap)
{
    const uint32_t dw = job->in->dw[f->at_bytes / 4];
    gpucmd_text t;
    gpucmd_text_init(&t, text, cap);
    gpucmd_text_str(&t, f->needs != 0 ? "" : "not ");
    gpucmd_i915_print_flags(&t, &job->cmdset, dw, f->flags_dw, f->needs | f->excludes, " or ");
}

/* Add to what a rule expects who has the command, and which one its author meant. */
static void i915_add_hints(const gpucmd_i915_finding *f, char *text, size_t cap)
{
    const size_t used = strlen(text);
    gpucmd_text t;
    gpucmd_text_init(&t, text + used, cap - used);
    if ((f->engines | f->gens) != 0) {
        gpucmd_text_str(&t, "; ");
        gpucmd_i915_print_who(&t, f);
        gpucmd_text_str(&t, f->engines != 0 ? " of this generation has it" : " has it");
    }
    if (f->meant != NULL) {
        gpucmd_text_str(&t, "; looks like ");
        gpucmd_i915_print_meant(&t, f);
    }
}

/* Write what a rule expects. */
static void i915_expected(const i915_job *job, const gpucmd_i915_finding *f, char *text, size_t cap)
{
    const gpucmd_i915_cmdset *cmdset = &job->cmdset;
    const size_t at_dw = f->at_bytes / 4;
    switch (f->rule) {
    case GPUCMD_I915_RULE_TRUNCATED:
    case GPUCMD_I915_RULE_PAST_TAIL:
        snprintf(text, cap, "%" PRIu32 " words from here, not %zu",
                 gpucmd_i915_length_dw(cmdset, job->in->dw + at_dw, job->in->len_dw - at_dw),
                 job->in->len_dw - at_dw);
        return;
    case GPUCMD_I915_RULE_UNKNOWN:
    case GPUCMD_I915_RULE_GENERATION:
    case GPUCMD_I915_RULE_ENGINE:
        snprintf(text, cap, "the first word of a command of gen%s %s", i915_gen(job),
                 i915_engine(job));
        return;
    case GPUCMD_I915_RULE_LENGTH: i915_expected_words(f, text, cap); return;
    case GPUCMD_I915_RULE_UNCHECKED:
        snprintf(text, cap, "commands, in %" PRIu64 " word%s from here", f->value,
                 plural(f->value));
        return;
    case GPUCMD_I915_RULE_NO_DATA: snprintf(text, cap, "4 or 5 words"); return;
    case GPUCMD_I915_RULE_NO_END: snprintf(text, cap, "MI_BATCH_BUFFER_END last"); return;
    case GPUCMD_I915_RULE_BATCH_ALIGN:
        snprintf(text, cap, "an even number of words at a multiple of 8");
        return;
    case GPUCMD_I915_RULE_PRIVILEGED:
        snprintf(text, cap, "a secure batch (--secure), or another command");
        return;
    case GPUCMD_I915_RULE_REGISTER:
        snprintf(text, cap, "a register that the kernel allows, not 0x%" PRIx64 "%s%s", f->value,
                 f->reg != NULL ? " " : "", f->reg != NULL ? f->reg : "");
        return;
    case GPUCMD_I915_RULE_REGISTER_ALIGN:
        snprintf(text, cap, "a multiple of 4 below 0x800000, not 0x%" PRIx64, f->value);
        return;
    case GPUCMD_I915_RULE_ADDRESS_ALIGN:
        snprintf(text, cap, "zeros in the low bits of the address");
        return;
    case GPUCMD_I915_RULE_SELF_JUMP: snprintf(text, cap, "another target"); return;
    case GPUCMD_I915_RULE_SECOND_LEVEL: snprintf(text, cap, "a chained batch"); return;
    case GPUCMD_I915_RULE_RESERVED:
        snprintf(text, cap, "zeros in the reserved bits: %08" PRIx64, f->value);
        return;
    case GPUCMD_I915_RULE_AFTER_END:
    case GPUCMD_I915_RULE_AFTER_START: snprintf(text, cap, "zeros up to the end"); return;
    case GPUCMD_I915_RULE_RING_TAIL:
        snprintf(text, cap, "0x%" PRIx64 ", which the GPU uses",
                 (job->base_va + f->at_bytes - i915_ring_start(job)) & ~(uint64_t)7);
        return;
    case GPUCMD_I915_RULE_END_IN_RING: snprintf(text, cap, "no end of a batch in a ring"); return;
    case GPUCMD_I915_RULE_PITCH_TILE:
    case GPUCMD_I915_RULE_PITCH_LINEAR:
    case GPUCMD_I915_RULE_BASE_TILE:
    case GPUCMD_I915_RULE_BASE_LINEAR:
    case GPUCMD_I915_RULE_RECTANGLE:
    case GPUCMD_I915_RULE_QWORD_ALIGN:
    case GPUCMD_I915_RULE_INLINE_DATA:
    case GPUCMD_I915_RULE_CANONICAL:
    case GPUCMD_I915_RULE_PHYSICAL: i915_expected_operand(f, text, cap); return;
    case GPUCMD_I915_RULE_PIPE_VF_EMPTY:
        snprintf(text, cap, "a PIPE_CONTROL with all flags 0 directly before");
        return;
    case GPUCMD_I915_RULE_UNFLUSHED:
        snprintf(text, cap, "a PIPE_CONTROL with CS_STALL before");
        return;
    case GPUCMD_I915_RULE_PIPE_FOURTH:
        snprintf(text, cap, "CS_STALL in one of four PIPE_CONTROLs");
        return;
    case GPUCMD_I915_RULE_BASE_INVALIDATE:
        snprintf(text, cap, "a PIPE_CONTROL with STATE_INVALIDATE or TEXTURE_INVALIDATE before");
        return;
    case GPUCMD_I915_RULE_PIPE_EMPTY: snprintf(text, cap, "a flag"); return;
    case GPUCMD_I915_RULE_PIPE_STALL:
    case GPUCMD_I915_RULE_PIPE_TLB:
    case GPUCMD_I915_RULE_PIPE_DEPTH_STALL:
    case GPUCMD_I915_RULE_PIPE_QUERY:
    case GPUCMD_I915_RULE_PIPE_SCOREBOARD:
    case GPUCMD_I915_RULE_PIPE_STATE:
    case GPUCMD_I915_RULE_PIPE_VF:
    case GPUCMD_I915_RULE_PIPE_GPGPU:
    case GPUCMD_I915_RULE_PIPE_NEEDS_STALL:
    case GPUCMD_I915_RULE_PIPE_NEEDS_POST:
    case GPUCMD_I915_RULE_PIPE_REGISTER:
    case GPUCMD_I915_RULE_PIPE_DEPTH_FLUSH:
    case GPUCMD_I915_RULE_PIPE_3D_FLAG:
    case GPUCMD_I915_RULE_PIPE_DATAPORT:
    case GPUCMD_I915_RULE_PIPE_AFTER_POST: break;
    }
    i915_expected_flags(job, f, text, cap);
}

/* Print one finding: a row of --check. */
static gpucmd_status i915_found(void *user, const gpucmd_i915_finding *f)
{
    i915_job *job = user;
    finding_row row = {f->at_bytes, f->severity, f->name, NULL, f->text, NULL};
    char expected[512];
    gpucmd_i915_cmd cmd;
    if (job->in->unknown != NULL && f->at_bytes / 4 < job->in->len_dw) {
        const size_t at = f->at_bytes / 4;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        if (count_unknown(job->in, at, cmd.len_dw) != 0) {
            return GPUCMD_OK;
        }
    }
    if (f->at_bytes / 4 < job->in->len_dw) {
        row.dw = &job->in->dw[f->at_bytes / 4];
    }
    row.expected = expected;
    job->found[f->severity]++;
    i915_expected(job, f, expected, sizeof expected);
    i915_add_hints(f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

static int i915_check(void *user)
{
    i915_job *job = user;
    const gpucmd_i915_check_options how = {i915_found, job,       job->base_va, job->set->secure,
                                           false,      job->ring, false};
    memset(job->found, 0, sizeof job->found);
    put_header(job->out, FINDING_HEADER);
    if (gpucmd_i915_check(&job->cmdset, job->in->dw, job->in->len_dw, &how, NULL) != GPUCMD_OK) {
        return EXIT_STREAM;
    }
    if (job->in->extra_bytes != 0) {
        char expected[32];
        const finding_row row = {4 * (uint64_t)job->in->len_dw,  2,       "TRUNCATED", NULL,
                                 "the input ends inside a word", expected};
        snprintf(expected, sizeof expected, "%zu more byte%s", 4 - job->in->extra_bytes,
                 plural(4 - job->in->extra_bytes));
        job->found[2]++;
        put_finding(job->out, &row);
    }
    if (job->out->format == FORMAT_TEXT) {
        printf("%zu word%s of gen%s %s: ", job->in->len_dw, plural(job->in->len_dw), i915_gen(job),
               i915_engine(job));
        put_counts(job->found);
    }
    return exit_unless(job->found[2] == 0, EXIT_STREAM);
}

#endif

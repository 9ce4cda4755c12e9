/* dump_i915_check.h - findings in Intel streams, for dump_i915.h. */
#ifndef DUMP_I915_CHECK_H
#define DUMP_I915_CHECK_H

/* Write the number of words of a command: min8 and max8 from gen8, otherwise
 * min7 and max7. */
static void i915_words(bool old, unsigned min7, unsigned max7, unsigned min8, unsigned max8,
                       char *text, size_t cap)
{
    const unsigned min = old ? min7 : min8;
    const unsigned max = old ? max7 : max8;
    snprintf(text, cap, min == max ? "%u words" : "%u to %u words", min, max);
}

static void i915_expected_words(const gpucmd_i915_cmdset *cmdset, uint32_t dw, char *text,
                                size_t cap)
{
    const bool old = cmdset->gen < GPUCMD_I915_GEN8;
    const gpucmd_i915_op op = gpucmd_i915_classify(cmdset, dw);
    const size_t len_dw = gpucmd_i915_length_dw(cmdset, &dw, 1);
    if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM) {
        snprintf(text, cap, "an odd number of words from 3 to 257");
        return;
    }
    if (op == GPUCMD_I915_OP_MI_STORE_DATA_IMM && cmdset->gen >= GPUCMD_I915_GEN12_7) {
        snprintf(text, cap, "4 to 1024 words");
        return;
    }
    if (!old && ((op == GPUCMD_I915_OP_MI_FLUSH_DW && len_dw == 3) ||
                 (op == GPUCMD_I915_OP_PIPE_CONTROL && len_dw == 4))) {
        snprintf(text, cap, "%zu or more words for a post-sync operation", len_dw + 1);
        return;
    }
#define I915_WORDS(x, name, hdr, since, until, who, len, a, b, c, d, ...)                          \
    case GPUCMD_I915_OP_##name: i915_words(old, a, b, c, d, text, cap); return;
    switch (op) {
        GPUCMD_I915_COMMANDS(I915_WORDS, )
    case GPUCMD_I915_OP_UNKNOWN:
    case GPUCMD_I915_OP_GFX: break;
    }
#undef I915_WORDS
    snprintf(text, cap, "as many words as the command has");
}

/* Write what a rule expects. */
static void i915_expected(const i915_job *job, const gpucmd_i915_finding *f, char *text, size_t cap)
{
    const gpucmd_i915_cmdset *cmdset = &job->cmdset;
    switch (f->rule) {
    case GPUCMD_I915_RULE_TRUNCATED:
        snprintf(text, cap, "%" PRIu32 " words from here, not %zu",
                 gpucmd_i915_length_dw(cmdset, job->in->dw + f->at_dw, job->in->len_dw - f->at_dw),
                 job->in->len_dw - f->at_dw);
        return;
    case GPUCMD_I915_RULE_UNKNOWN:
    case GPUCMD_I915_RULE_GENERATION:
    case GPUCMD_I915_RULE_ENGINE:
        snprintf(text, cap, "the first word of a command of gen%s %s", i915_gen(job),
                 i915_engine(job));
        return;
    case GPUCMD_I915_RULE_LENGTH: i915_expected_words(cmdset, f->value, text, cap); return;
    case GPUCMD_I915_RULE_NO_END: snprintf(text, cap, "MI_BATCH_BUFFER_END last"); return;
    case GPUCMD_I915_RULE_BATCH_ALIGN:
        snprintf(text, cap, "an even number of words at a multiple of 8");
        return;
    case GPUCMD_I915_RULE_PRIVILEGED:
        snprintf(text, cap, "a secure batch (--secure), or another command");
        return;
    case GPUCMD_I915_RULE_REGISTER:
        snprintf(text, cap, "a register that the kernel allows, not 0x%" PRIx32 "%s%s", f->value,
                 f->reg != NULL ? " " : "", f->reg != NULL ? f->reg : "");
        return;
    case GPUCMD_I915_RULE_REGISTER_ALIGN:
        snprintf(text, cap, "a multiple of 4 below 0x800000, not 0x%" PRIx32, f->value);
        return;
    case GPUCMD_I915_RULE_ADDRESS_ALIGN:
        snprintf(text, cap, "zeros in the low bits of the address");
        return;
    case GPUCMD_I915_RULE_SELF_JUMP: snprintf(text, cap, "another target"); return;
    case GPUCMD_I915_RULE_SECOND_LEVEL: snprintf(text, cap, "a chained batch"); return;
    case GPUCMD_I915_RULE_RESERVED:
        snprintf(text, cap, "zeros in the reserved bits: %08" PRIx32, f->value);
        return;
    case GPUCMD_I915_RULE_AFTER_END: break;
    }
    snprintf(text, cap, "zeros up to the end");
}

/* Print one finding: a row of --check. */
static gpucmd_status i915_found(void *user, const gpucmd_i915_finding *f)
{
    i915_job *job = user;
    if (job->ring && f->rule == GPUCMD_I915_RULE_AFTER_END) {
        return GPUCMD_OK; /* a batch returns to its ring */
    }
    finding_row row = {4 * (uint64_t)f->at_dw, f->severity, f->name, NULL, f->text, NULL};
    char expected[96];
    row.dw = f->at_dw < job->in->len_dw ? &job->in->dw[f->at_dw] : NULL;
    row.expected = expected;
    job->found[f->severity]++;
    i915_expected(job, f, expected, sizeof expected);
    put_finding(job->out, &row);
    return GPUCMD_OK;
}

static int i915_check(i915_job *job)
{
    const gpucmd_i915_check_options how = {job->secure,  false,      job->ring,
                                           job->base_va, i915_found, job};
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
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

#endif

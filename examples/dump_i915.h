/* dump_i915.h - Intel streams for gpucmd-dump.c, which includes this once. */
#ifndef DUMP_I915_H
#define DUMP_I915_H

/* ==== [DUMP.I915] ========================================================================== */

enum {
    I915_CHUNKS = 256,          /* regions that --run adds around the input */
    I915_CHUNK_BYTES = 1 << 16, /* of a region; one that continues another is twice as long */
    I915_SCRATCH_BYTES = 64 * 1048576, /* of all regions */
};

typedef struct i915_job {
    const stream *in;
    output *out;
    gpucmd_i915_cmdset cmdset;
    uint64_t base_va;
    bool secure;
    bool all;        /* also decode words after the end */
    size_t found[3]; /* findings by severity; decoding counts errors */
} i915_job;

static const char *i915_gen(const i915_job *job)
{
    return gpucmd_i915_gen_name(job->cmdset.gen);
}

static const char *i915_engine(const i915_job *job)
{
    return gpucmd_i915_engine_name(job->cmdset.engine);
}

/* What i915_fit counts. */
typedef struct i915_fitting {
    size_t errors;
    size_t reserved;
} i915_fitting;

static gpucmd_status i915_fit_found(void *user, const gpucmd_i915_finding *f)
{
    i915_fitting *fitting = user;
    fitting->errors += f->severity == 2 && f->rule != GPUCMD_I915_RULE_BATCH_ALIGN;
    fitting->reserved += f->rule == GPUCMD_I915_RULE_RESERVED;
    return GPUCMD_OK;
}

/* Return 2 if this engine has all commands with these lengths, and no reserved
 * bits are set; 1 if reserved bits are set; otherwise 0. */
static int i915_fit(const stream *in, const gpucmd_i915_cmdset *cmdset)
{
    i915_fitting fitting = {0, 0};
    const gpucmd_i915_check_options how = {true, false, true, 0, i915_fit_found, &fitting};
    if (gpucmd_i915_check(cmdset, in->dw, in->len_dw, &how, NULL) != GPUCMD_OK ||
        fitting.errors != 0) {
        return 0;
    }
    return fitting.reserved == 0 ? 2 : 1;
}

/* Choose the generation, the engine or both (0: not given): the first
 * combination that fits best; gen9 and rcs if none fits. */
static void i915_guess(i915_job *job, uint32_t gen, uint32_t engine)
{
    static const gpucmd_i915_gen gens[] = {
        GPUCMD_I915_GEN9, GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN6,
        GPUCMD_I915_GEN5, GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN3,    GPUCMD_I915_GEN2};
    static const gpucmd_i915_engine engines[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS};
    gpucmd_i915_cmdset cmdset;
    int best = -1;
    for (size_t g = 0; g < (gen != 0 ? 1 : sizeof gens / sizeof gens[0]); g++) {
        for (size_t e = 0; e < (engine != 0 ? 1 : sizeof engines / sizeof engines[0]); e++) {
            if (gpucmd_i915_cmdset_init(&cmdset, gen != 0 ? (gpucmd_i915_gen)gen : gens[g],
                                        engine != 0 ? (gpucmd_i915_engine)engine : engines[e]) ==
                GPUCMD_OK) {
                const int fit = i915_fit(job->in, &cmdset);
                job->cmdset = fit > best ? cmdset : job->cmdset;
                best = fit > best ? fit : best;
            }
        }
    }
    if (gen == 0) {
        fprintf(stderr, "gpucmd-dump: no --gen: decoding for gen%s\n", i915_gen(job));
    }
    if (engine == 0) {
        fprintf(stderr, "gpucmd-dump: no --engine: decoding for %s\n", i915_engine(job));
    }
}

static int i915_options(i915_job *job, const options *opt)
{
    const char *gen_name = opt->value[OPT_GEN];
    const char *engine_name = opt->value[OPT_ENGINE];
    gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    const int status = take_base(opt, &job->base_va);
    if (status != EXIT_FINE) {
        return status;
    }
    job->secure = opt->value[OPT_SECURE] != NULL;
    job->all = opt->value[OPT_ALL] != NULL;
    if (gen_name != NULL && gpucmd_i915_gen_from_name(gen_name, &gen) != GPUCMD_OK) {
        return usage("--gen", gen_name, "2|3|4|4.5|5|6|7|7.5|8|9|11|12|12.5");
    }
    if (engine_name != NULL && gpucmd_i915_engine_from_name(engine_name, &engine) != GPUCMD_OK) {
        return usage("--engine", engine_name, "rcs|bcs|vcs|vecs|ccs");
    }
    if (gen_name != NULL && engine_name != NULL) {
        return gpucmd_i915_cmdset_init(&job->cmdset, gen, engine) == GPUCMD_OK
                   ? EXIT_FINE
                   : usage("--engine", engine_name, "an engine that this generation has");
    }
    i915_guess(job, gen_name != NULL ? (uint32_t)gen : 0,
               engine_name != NULL ? (uint32_t)engine : 0);
    return EXIT_FINE;
}

/* ---- decode ---- */

/* Print one row in TSV or JSON. Cells without a value are NULL or -1. */
static void i915_row(const i915_job *job, uint64_t offset, const uint32_t *dw, const char *name,
                     int64_t len_dw)
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"name\":\"%s\"", name);
        put_cell(out, "len_dw", len_dw, false);
        printf(",\"engine\":\"%s\"}", i915_engine(job));
        return;
    }
    printf("0x%" PRIx64, offset);
    printf(dw != NULL ? "\t%08" PRIx32 : "\t-", dw != NULL ? *dw : 0);
    printf("\t%s", name);
    put_cell(out, "len_dw", len_dw, false);
    printf("\t%s\n", i915_engine(job));
}

/* The command at word at. */
typedef struct i915_place_of {
    const i915_job *job;
    size_t at;
} i915_place_of;

static void i915_print(gpucmd_text *t, const void *user)
{
    const i915_place_of *place = user;
    const stream *in = place->job->in;
    gpucmd_i915_print(t, &place->job->cmdset, in->dw + place->at, in->len_dw - place->at,
                      place->job->base_va + 4 * (uint64_t)place->at);
}

/* Print a command as text. */
static void i915_text(const i915_job *job, const gpucmd_i915_cmd *cmd, size_t at)
{
    const i915_place_of place = {job, at};
    const char *color = cmd->status == GPUCMD_INVALID       ? RED
                        : cmd->op == GPUCMD_I915_OP_MI_NOOP ? DIM
                        : job->in->dw[at] >> 29 == 0        ? CYAN
                                                            : YELLOW;
    size_t len = 0;
    char *lines = make_text(i915_print, &place, &len);
    if (lines != NULL) {
        put_lines(job->out, lines, len, 10, color);
    }
    free(lines);
}

/* Print the row after the last word of a truncated input. missing_dw 0: it ends
 * inside a word. */
static void i915_truncated(const i915_job *job, uint32_t missing_dw)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    if (job->out->format != FORMAT_TEXT) {
        i915_row(job, offset, NULL, "TRUNCATED", missing_dw != 0 ? (int64_t)missing_dw : -1);
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
    if (job->found[2]++ >= MESSAGES) {
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
    const bool known = cmd->status != GPUCMD_INVALID;
    const uint32_t missing_dw = cmd->want_dw > cmd->len_dw ? cmd->want_dw - cmd->len_dw : 0;
    if (job->out->format == FORMAT_TEXT) {
        i915_text(job, cmd, at);
    } else {
        i915_row(job, 4 * (uint64_t)at, dw, known ? gpucmd_i915_name(&job->cmdset, *dw) : "UNKNOWN",
                 known ? (int64_t)cmd->want_dw : -1);
    }
    if (cmd->status == GPUCMD_TRUNCATED) {
        i915_truncated(job, missing_dw);
    }
    if (!known && !ended && i915_count_error(job, 4 * (uint64_t)at)) {
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

static int i915_decode(i915_job *job)
{
    bool ended = false;
    if (job->out->format == FORMAT_TSV) {
        puts("offset\tword\tname\tlen_dw\tengine");
    }
    for (size_t at = 0; at < job->in->len_dw && (!ended || job->all);) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        i915_command(job, &cmd, at, ended);
        ended = ended || cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END;
        at += cmd.len_dw;
    }
    if (job->in->extra_bytes != 0) {
        i915_truncated(job, 0);
        if (i915_count_error(job, 4 * (uint64_t)job->in->len_dw)) {
            fprintf(stderr, "the input ends inside a word; expected %zu more byte%s\n",
                    4 - job->in->extra_bytes, plural(4 - job->in->extra_bytes));
        }
    }
    if (job->found[2] > MESSAGES) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[2] - MESSAGES);
    }
    return job->found[2] != 0 ? EXIT_STREAM : EXIT_FINE;
}

/* ---- check ---- */

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
#define I915_WORDS(x, name, hdr, since, until, who, len, a, b, c, d, ...)                          \
    case GPUCMD_I915_OP_##name: i915_words(old, a, b, c, d, text, cap); return;
    switch (gpucmd_i915_classify(cmdset, dw)) {
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
        snprintf(text, cap, "a register that the kernel allows, not 0x%" PRIx32, f->value);
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
    const gpucmd_i915_check_options how = {job->secure,  false,      false,
                                           job->base_va, i915_found, job};
    if (job->out->format == FORMAT_TSV) {
        puts(FINDING_HEADER);
    }
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

/* ---- run ---- */

/* A run of the batch. It is repeated with more memory until all accesses
 * succeed. Only the last repetition prints rows. */
typedef struct i915_run {
    i915_job *job;
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_region regions[1 + I915_CHUNKS]; /* the input, then zeros that it accesses */
    size_t chunks;
    uint64_t scratch_bytes;
    uint64_t end_va;   /* of the input */
    uint64_t fetch_va; /* of the current command */
    bool quiet;
    bool outside; /* a command is not part of the input */
    gpucmd_run result;
} i915_run;

/* Print one row of the trace. */
static void i915_trace_row(const i915_run *run, const gpucmd_event *event, const char *name,
                           int64_t addr, uint64_t value)
{
    output *out = run->job->out;
    const char *kind = gpucmd_event_name(event->kind);
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("{\"va\":%" PRIu64 ",\"event\":\"%s\"", run->fetch_va, kind);
        printf(name != NULL ? ",\"name\":\"%s\"" : ",\"name\":null", name != NULL ? name : "");
        put_cell(out, "addr", addr, true);
        printf(",\"value\":%" PRIu64 "}", value);
    } else if (out->format == FORMAT_TSV) {
        printf("0x%" PRIx64 "\t%s\t%s", run->fetch_va, kind, name != NULL ? name : "-");
        put_cell(out, "addr", addr, true);
        printf("\t%08" PRIx64 "\n", value);
    } else {
        printf("%s0x%06" PRIx64 "%s  %-9s", paint(out, DIM), run->fetch_va, paint(out, PLAIN),
               kind);
        if (addr >= 0) {
            printf("  0x%" PRIx64, (uint64_t)addr);
        }
        if (event->kind != GPUCMD_EVENT_STATE) {
            printf(addr >= 0 ? " = %08" PRIx64 : "  %08" PRIx64, value);
        }
        printf(name != NULL ? "  %s\n" : "%s\n", name != NULL ? name : "");
    }
}

/* Trace callback. */
static gpucmd_status i915_traced(void *user, const gpucmd_event *event)
{
    i915_run *run = user;
    const char *name = NULL;
    int64_t addr = -1;
    if (event->kind == GPUCMD_EVENT_FETCH) {
        const uint64_t len_bytes = 4 * (uint64_t)run->cs.cmd_dw;
        run->fetch_va = event->va;
        run->outside = run->outside || event->va < run->job->base_va || event->va > run->end_va ||
                       run->end_va - event->va < len_bytes;
        name = gpucmd_i915_name(&run->job->cmdset, (uint32_t)event->value);
    } else if (event->kind == GPUCMD_EVENT_STATE) {
        name = gpucmd_i915_state_name((gpucmd_i915_state)event->code);
    } else if (event->kind == GPUCMD_EVENT_ERROR) {
        name = gpucmd_i915_error_name((gpucmd_i915_error)event->code);
    } else if (event->kind == GPUCMD_EVENT_REG_READ || event->kind == GPUCMD_EVENT_REG_WRITE) {
        addr = event->addr;
    } else if (event->kind == GPUCMD_EVENT_COMMAND) {
        name = gpucmd_i915_name(&run->job->cmdset, (uint32_t)event->value);
    } else if (event->kind != GPUCMD_EVENT_INTERRUPT) {
        addr = (int64_t)(event->va & 0xffffffffffffu);
    }
    if (!run->quiet && !run->outside) {
        i915_trace_row(run, event, name, addr, event->value);
    }
    return GPUCMD_OK;
}

/* Start again with the original memory and a new streamer. */
static int i915_begin(i915_run *run)
{
    const i915_job *job = run->job;
    for (size_t i = 1; i <= run->chunks; i++) {
        memset(run->regions[i].host, 0, (size_t)run->regions[i].bytes);
    }
    gpucmd_store_words(run->regions[0].host, job->in->dw, job->in->len_dw, GPUCMD_LITTLE_ENDIAN);
    run->outside = false;
    run->fetch_va = job->base_va;
    gpucmd_env_init(&run->env, &run->mem, NULL, NULL);
    run->env.trace = i915_traced;
    run->env.trace_user = run;
    return gpucmd_mem_init(&run->mem, run->regions, run->chunks + 1) == GPUCMD_OK &&
                   gpucmd_i915_cs_init(&run->cs, job->cmdset.gen, job->cmdset.engine, 0) ==
                       GPUCMD_OK &&
                   (job->in->len_dw == 0 ||
                    gpucmd_i915_cs_batch(&run->cs, job->base_va, job->secure) == GPUCMD_OK)
               ? EXIT_FINE
               : EXIT_USAGE;
}

/* Step until the streamer stops. */
static void i915_run_steps(i915_run *run)
{
    const uint64_t budget = 4 * (uint64_t)run->job->in->len_dw + 4096;
    do {
        run->result = gpucmd_i915_step(&run->cs, &run->env);
    } while (run->result == GPUCMD_RUN_DONE && !run->outside && run->cs.commands < budget);
    if (run->result == GPUCMD_RUN_DONE) {
        run->result = run->outside ? GPUCMD_RUN_FAULT : GPUCMD_RUN_LIMIT;
    }
}

/* Add a region of zeros at the address that has no memory. False: the streamer
 * stopped for another reason, or the limit is reached. */
static bool i915_add_memory(i915_run *run)
{
    const uint64_t va = run->mem.fault_va & ~(uint64_t)(I915_CHUNK_BYTES - 1);
    gpucmd_region *last = &run->regions[run->chunks];
    uint64_t size = I915_CHUNK_BYTES;
    if (run->result != GPUCMD_RUN_FAULT || run->outside ||
        run->cs.error != GPUCMD_I915_ERROR_MEMORY || run->chunks == I915_CHUNKS) {
        return false;
    }
    if (run->chunks != 0 && last->va + last->bytes == va) {
        size = 2 * last->bytes;
    }
    if (size > I915_SCRATCH_BYTES - run->scratch_bytes || va + size - 1 < va) {
        size = I915_CHUNK_BYTES;
    }
    if (size > I915_SCRATCH_BYTES - run->scratch_bytes) {
        return false;
    }
    last++;
    last->host = malloc((size_t)size);
    if (last->host == NULL) {
        return false;
    }
    last->va = va;
    last->bytes = size;
    last->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    run->scratch_bytes += size;
    run->chunks++;
    return true;
}

/* Return the exit status of a run, and print a message if it failed. */
static int i915_run_status(i915_run *run)
{
    const i915_job *job = run->job;
    const bool no_fetch = run->cs.error == GPUCMD_I915_ERROR_FETCH;
    const bool left = run->outside || no_fetch;
    const uint64_t at_va = no_fetch ? run->mem.fault_va : run->cs.acthd;
    char lines[256];
    gpucmd_text text;
    if (run->result == GPUCMD_RUN_IDLE) {
        return EXIT_FINE;
    }
    fprintf(stderr, "gpucmd-dump: %s: ", job->in->name);
    if (at_va < job->base_va || at_va >= run->end_va) {
        fprintf(stderr, "address 0x%" PRIx64 ": ", at_va);
    } else {
        fprintf(stderr, "offset 0x%" PRIx64 ": ", at_va - job->base_va);
    }
    if (run->result == GPUCMD_RUN_LIMIT) {
        fprintf(stderr, "still running after %" PRIu64 " commands; expected the batch to end\n",
                run->cs.commands);
    } else if (run->result == GPUCMD_RUN_BLOCKED) {
        gpucmd_text_init(&text, lines, sizeof lines);
        gpucmd_i915_print_waits(&text, &run->cs, 1, &run->mem);
        fprintf(stderr, "blocked, nothing else runs; expected a wait condition that is true\n%s",
                lines);
    } else if (left) {
        fprintf(stderr,
                "the batch leaves the input; expected MI_BATCH_BUFFER_END, or whole commands "
                "between 0x%" PRIx64 " and 0x%" PRIx64 " (--base)\n",
                job->base_va, run->end_va);
    } else if (run->cs.error == GPUCMD_I915_ERROR_MEMORY) {
        fprintf(stderr,
                "MEMORY: no memory at 0x%" PRIx64
                "; expected a batch that accesses at most %d MiB\n",
                run->mem.fault_va, I915_SCRATCH_BYTES / 1048576);
    } else {
        fprintf(stderr, "%s: %s; expected commands that gen%s %s executes in a batch\n",
                gpucmd_i915_error_name(run->cs.error), gpucmd_i915_error_text(run->cs.error),
                i915_gen(job), i915_engine(job));
    }
    return EXIT_STREAM;
}

/* Return the name of a register by its offset from the base of the engine;
 * without a name its address. */
static const char *i915_register_name(uint32_t base, uint32_t off, char text[24])
{
    const uint32_t gpr = (off - GPUCMD_I915_REG_CS_GPR) / 8;
    if (off >= GPUCMD_I915_REG_CS_GPR && gpr < 16) {
        snprintf(text, 24, "CS_GPR%" PRIu32 "%s", gpr, (off & 4) != 0 ? "_HIGH" : "");
        return text;
    }
    switch (off) {
#define I915_REGISTER(name, at, meaning)                                                           \
    case at: return #name;
        GPUCMD_I915_RING_REGS(I915_REGISTER)
#undef I915_REGISTER
    default: snprintf(text, 24, "0x%" PRIx32, base + off); return text;
    }
}

/* Print the result and the registers of the streamer that are not 0. */
static void i915_put_state(const i915_run *run, FILE *to, bool json)
{
    const gpucmd_i915_cs *cs = &run->cs;
    fprintf(to,
            json ? "{\"run\":\"%s\",\"commands\":%" PRIu64 ",\"interrupts\":%" PRIu64
                   ",\"state\":\"%s\",\"error\":\"%s\""
                 : "run: %s, %" PRIu64 " commands, %" PRIu64 " interrupts, state %s, error %s\n"
                   "state:",
            gpucmd_run_name(run->result), cs->commands, cs->interrupts,
            gpucmd_i915_state_name(cs->state), gpucmd_i915_error_name(cs->error));
    put_member(to, json, "acthd", cs->acthd);
    put_member(to, json, "head", cs->head);
    put_member(to, json, "tail", cs->tail);
    put_member(to, json, "timestamp", cs->timestamp);
    for (uint32_t off = 0; off < GPUCMD_I915_WINDOW_BYTES; off += 4) {
        char text[24];
        if (cs->reg[off / 4] != 0) {
            fputs(json ? "" : "\n      ", to);
            put_member(to, json, i915_register_name(cs->base, off, text), cs->reg[off / 4]);
        }
    }
    fputs(json ? "}" : "\n", to);
}

/* Check that the generation has addresses for the input, and place it. */
static int i915_place(i915_run *run)
{
    const i915_job *job = run->job;
    const uint64_t limit = (uint64_t)1 << (job->cmdset.gen >= GPUCMD_I915_GEN8 ? 48 : 32);
    const uint64_t len_bytes = 4 * (uint64_t)job->in->len_dw;
    if (len_bytes > limit || job->base_va > limit - len_bytes) {
        fprintf(stderr,
                "gpucmd-dump: --base '0x%" PRIx64 "': expected 0x%" PRIx64 " bytes below 0x%" PRIx64
                " for gen%s\n",
                job->base_va, len_bytes, limit, i915_gen(job));
        return EXIT_USAGE;
    }
    run->end_va = job->base_va + len_bytes;
    run->regions[0].va = job->base_va;
    run->regions[0].bytes = len_bytes;
    run->regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    run->regions[0].host = malloc((size_t)len_bytes + 1);
    return run->regions[0].host != NULL ? EXIT_FINE : EXIT_USAGE;
}

static int i915_execute(i915_job *job)
{
    i915_run *run = calloc(1, sizeof *run);
    int status = EXIT_USAGE;
    if (run == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for the executor\n");
        return EXIT_USAGE;
    }
    run->job = job;
    run->quiet = true;
    if (i915_place(run) == EXIT_FINE && i915_begin(run) == EXIT_FINE) {
        do {
            status = i915_begin(run);
            i915_run_steps(run);
        } while (status == EXIT_FINE && i915_add_memory(run));
        run->quiet = false;
        status = i915_begin(run);
        if (job->out->format == FORMAT_TSV) {
            puts("va\tevent\tname\taddr\tvalue");
        }
        i915_run_steps(run);
        if (job->out->format == FORMAT_JSON) {
            begin_row(job->out);
        }
        i915_put_state(run, job->out->format == FORMAT_TSV ? stderr : stdout,
                       job->out->format == FORMAT_JSON);
        fflush(stdout);
        status = i915_run_status(run);
    }
    for (size_t i = 0; i <= run->chunks; i++) {
        free(run->regions[i].host);
    }
    free(run);
    return status;
}

static int i915_main(const options *opt, output *out)
{
    stream in;
    i915_job job;
    int status = read_stream(opt, GPUCMD_LITTLE_ENDIAN, &in);
    memset(&job, 0, sizeof job);
    job.in = &in;
    job.out = out;
    if (status == EXIT_FINE) {
        status = i915_options(&job, opt);
    }
    if (status == EXIT_FINE) {
        status = opt->value[OPT_CHECK] != NULL ? i915_check(&job)
                 : opt->value[OPT_RUN] != NULL ? i915_execute(&job)
                                               : i915_decode(&job);
        status = close_output(out, status);
    }
    free(in.dw);
    return status;
}

#endif

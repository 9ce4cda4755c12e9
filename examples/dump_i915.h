/* dump_i915.h - Intel streams for gpucmd-dump.c. */
#ifndef DUMP_I915_H
#define DUMP_I915_H

enum {
    I915_CHUNKS = 256,          /* regions that --run adds around the input */
    I915_CHUNK_BYTES = 1 << 16, /* of a region; one that continues another is twice as long */
    I915_SCRATCH_BYTES = 40 * 1048576, /* of all regions */
    I915_PIECES = 60,                  /* of a dump that are in memory with a stream */
    I915_PIECE_BYTES = 16 << 20,       /* of all of them */
    I915_RUN_BYTES = 64 << 20,         /* of a stream that --run executes */
    I915_SECONDS = 2,                  /* of --run without --budget, twice */
    I915_FOLLOWED = 64,                /* streams that jumps into other memory add */
};

/* Values of the options, before any stream is known. 0: not given. */
typedef struct i915_choice {
    uint32_t gen;
    uint32_t engine;
    uint64_t base_va;
    bool has_base;
} i915_choice;

typedef struct i915_job {
    const stream *in;
    const dump *d;
    output *out;
    i915_choice choice;
    gpucmd_i915_cmdset cmdset;
    uint64_t base_va;
    bool secure;
    bool all;   /* also decode words after the end */
    bool ring;  /* the stream is a ring */
    bool quiet; /* do not report what was chosen */
    bool has_budget;
    uint64_t budget;   /* commands of --run */
    size_t found[3];   /* findings by severity; decoding counts errors */
    char why[64];      /* source of the generation */
    const char *names; /* of --names: lists of fields, or NULL */
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

/* Count the errors of words for a set of commands. *reserved: findings about reserved bits. */
static size_t i915_errors(const uint32_t *dw, size_t len_dw, const gpucmd_i915_cmdset *cmdset,
                          size_t *reserved)
{
    i915_fitting fitting = {0, 0};
    const gpucmd_i915_check_options how = {true, false, true, 0, i915_fit_found, &fitting};
    const bool cut = len_dw > GUESS_DW;
    const gpucmd_status status = gpucmd_i915_check(cmdset, dw, cut ? GUESS_DW : len_dw, &how, NULL);
    *reserved = fitting.reserved;
    fitting.errors -= cut && fitting.errors != 0; /* the command at the cut */
    return status == GPUCMD_OK ? fitting.errors : len_dw + 1;
}

static const gpucmd_i915_gen i915_gens[] = {
    GPUCMD_I915_GEN9, GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN6,
    GPUCMD_I915_GEN5, GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN3,    GPUCMD_I915_GEN2};
static const gpucmd_i915_engine i915_engines[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS};

enum {
    I915_GENS = sizeof i915_gens / sizeof i915_gens[0],
    I915_ENGINES = sizeof i915_engines / sizeof i915_engines[0],
};

/* Choose the generation, the engine or both (0: not given): the first combination without errors
 * and reserved bits, otherwise the first without errors; gen9 and rcs if none fits. */
static void i915_guess(i915_job *job, uint32_t gen, uint32_t engine)
{
    int best = -1;
    for (size_t g = 0; g < (gen != 0 ? 1 : I915_GENS); g++) {
        for (size_t e = 0; e < (engine != 0 ? 1 : I915_ENGINES); e++) {
            gpucmd_i915_cmdset cmdset;
            if (gpucmd_i915_cmdset_init(&cmdset, gen != 0 ? (gpucmd_i915_gen)gen : i915_gens[g],
                                        engine != 0 ? (gpucmd_i915_engine)engine
                                                    : i915_engines[e]) != GPUCMD_OK) {
                continue;
            }
            size_t reserved = 0;
            const size_t errors = i915_errors(job->in->dw, job->in->len_dw, &cmdset, &reserved);
            const int fit = errors != 0 ? 0 : reserved != 0 ? 1 : 2;
            job->cmdset = fit > best ? cmdset : job->cmdset;
            best = fit > best ? fit : best;
        }
    }
    if (gen == 0 && !job->quiet) {
        fprintf(stderr, "gpucmd-dump: no --gen: decoding for gen%s\n", i915_gen(job));
    }
    if (engine == 0 && !job->quiet) {
        fprintf(stderr, "gpucmd-dump: no --engine: decoding for %s\n", i915_engine(job));
    }
}

/* Return the number of words that are no commands, for --gen and --engine or for the best of all. */
static size_t i915_misfit(const options *opt, const uint32_t *dw, size_t len_dw)
{
    const char *gen_name =
        opt->value[OPT_GEN] != NULL ? i915_gen_of_name(opt->value[OPT_GEN]) : NULL;
    gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    size_t least = SIZE_MAX;
    const bool has_gen = gen_name != NULL && gpucmd_i915_gen_from_name(gen_name, &gen) == GPUCMD_OK;
    const bool has_engine =
        opt->value[OPT_ENGINE] != NULL &&
        gpucmd_i915_engine_from_name(opt->value[OPT_ENGINE], &engine) == GPUCMD_OK;
    for (size_t g = 0; g < (has_gen ? 1 : I915_GENS); g++) {
        for (size_t e = 0; e < (has_engine ? 1 : I915_ENGINES); e++) {
            gpucmd_i915_cmdset cmdset;
            size_t reserved;
            if (gpucmd_i915_cmdset_init(&cmdset, has_gen ? gen : i915_gens[g],
                                        has_engine ? engine : i915_engines[e]) == GPUCMD_OK) {
                const size_t n = i915_errors(dw, len_dw, &cmdset, &reserved);
                least = n < least ? n : least;
            }
        }
    }
    return least;
}

/* Read the options that need no stream. */
static int i915_options(i915_job *job, const options *opt)
{
    const char *gen_name = opt->value[OPT_GEN];
    const char *engine_name = opt->value[OPT_ENGINE];
    gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    const int status = take_base(opt, &job->choice.base_va);
    if (status != EXIT_FINE) {
        return status;
    }
    job->has_budget = opt->value[OPT_BUDGET] != NULL;
    if (take_number(opt, OPT_BUDGET, UINT64_MAX, "a number of commands", &job->budget) !=
        EXIT_FINE) {
        return EXIT_USAGE;
    }
    job->choice.has_base = opt->value[OPT_BASE] != NULL;
    job->names = opt->value[OPT_NAMES];
    if (job->names != NULL && access(job->names, R_OK) != 0) {
        return refused(job->names, "cannot be opened",
                       "a list of Mesa's src/intel/genxml such as gen9.xml, or this directory");
    }
    job->secure = opt->value[OPT_SECURE] != NULL;
    job->all = opt->value[OPT_ALL] != NULL;
    if (gen_name != NULL) {
        const char *name = i915_gen_of_name(gen_name);
        if (name == NULL || gpucmd_i915_gen_from_name(name, &gen) != GPUCMD_OK) {
            return wrong_gen(gen_name);
        }
        job->choice.gen = (uint32_t)gen;
    }
    if (engine_name != NULL) {
        if (gpucmd_i915_engine_from_name(engine_name, &engine) != GPUCMD_OK) {
            return usage("--engine", engine_name, "rcs|bcs|vcs|vecs|ccs|gsc");
        }
        job->choice.engine = (uint32_t)engine;
    }
    if (gen_name != NULL && engine_name != NULL &&
        gpucmd_i915_cmdset_init(&job->cmdset, gen, engine) != GPUCMD_OK) {
        return usage("--engine", engine_name, "an engine that this generation has");
    }
    return EXIT_FINE;
}

/* Choose generation and engine of the stream: of the options, of the dump, or by trying. */
static int i915_choose(i915_job *job)
{
    uint32_t gen = job->choice.gen;
    uint32_t engine = job->choice.engine;
    gpucmd_i915_gen dump_gen = GPUCMD_I915_GEN9;
    gpucmd_i915_engine dump_engine = GPUCMD_I915_RCS;
    char name[16];
    job->why[0] = '\0';
    if (gen == 0 && job->d->chip[0] != '\0' &&
        gpucmd_i915_gen_from_name(job->d->chip, &dump_gen) == GPUCMD_OK) {
        gen = (uint32_t)dump_gen;
        snprintf(job->why, sizeof job->why, "%s", job->d->chip_why);
    }
    snprintf(name, sizeof name, "%s", job->in->engine);
    name[strcspn(name, "0123456789")] = '\0';
    if (engine == 0 && gpucmd_i915_engine_from_name(name, &dump_engine) == GPUCMD_OK) {
        engine = (uint32_t)dump_engine;
    }
    if (gen == 0 || engine == 0) {
        i915_guess(job, gen, engine);
        return EXIT_FINE;
    }
    return gpucmd_i915_cmdset_init(&job->cmdset, (gpucmd_i915_gen)gen,
                                   (gpucmd_i915_engine)engine) == GPUCMD_OK
               ? EXIT_FINE
               : usage("--gen", gpucmd_i915_gen_name((gpucmd_i915_gen)gen),
                       "a generation with the engine of the dump");
}

#include "dump_i915_check.h"
#include "dump_i915_run.h"
#include "dump_i915_text.h"

/* ---- jumps between streams ---- */

/* Return the target of MI_BATCH_BUFFER_START. */
static uint64_t i915_target(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, uint32_t len_dw)
{
    const uint64_t low = len_dw > 1 ? dw[1] & ~(uint32_t)3 : 0;
    return cmdset->gen >= GPUCMD_I915_GEN8 && len_dw > 2 ? low | (uint64_t)(dw[2] & 0xffff) << 32
                                                         : low;
}

/* Add streams for jumps of the stream into memory that no stream begins with. */
static size_t i915_follow(i915_job *job, dump *d, size_t index)
{
    size_t added = 0;
    job->in = &d->streams[index];
    job->quiet = true;
    if (i915_choose(job) != EXIT_FINE) {
        return 0;
    }
    job->quiet = false;
    for (size_t at = 0; at < job->in->len_dw;) {
        gpucmd_i915_cmd cmd;
        size_t from = 0;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        const uint32_t *dw = job->in->dw + at;
        at += cmd.len_dw;
        if (cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END && strcmp(job->in->kind, "ring") != 0) {
            break;
        }
        if (cmd.op != GPUCMD_I915_OP_MI_BATCH_BUFFER_START || cmd.status != GPUCMD_OK) {
            continue;
        }
        const uint64_t va = i915_target(&job->cmdset, dw, cmd.len_dw);
        size_t holder = d->count;
        for (size_t i = 0; i < d->count; i++) {
            if (stream_find(&d->streams[i], va, &from)) {
                holder = d->streams[i].memory ? i : d->count;
                if (!d->streams[i].memory) {
                    break;
                }
            }
        }
        if (holder == d->count || added >= I915_FOLLOWED) {
            continue;
        }
        stream *s = add_stream(d, "batch", d->streams[holder].line);
        (void)stream_find(&d->streams[holder], va, &from);
        view_words(s, &d->streams[holder], from);
        s->va = va;
        s->has_va = true;
        s->state = d->streams[index].state;
        memcpy(s->engine, d->streams[index].engine, sizeof s->engine);
        job->in = &d->streams[index];
        added++;
    }
    return added;
}

/* Follow all jumps. */
static void i915_follow_all(i915_job *job, dump *d)
{
    size_t added = 0;
    const size_t n = stream_count(d);
    if (n == d->count && n < 2) {
        return;
    }
    for (size_t i = 0; i < n && added < I915_FOLLOWED; i++) {
        if (d->streams[i].kind != NULL) {
            added += i915_follow(job, d, i);
        }
    }
    sort_streams(d);
}

#include "dump_i915_picture.h"

static int i915_page_check(void *job)
{
    return i915_check(job);
}

static int i915_page_decode(void *user)
{
    i915_job *job = user;
    memset(job->found, 0, sizeof job->found);
    const int status = i915_decode(job);
    memset(job->found, 0, sizeof job->found);
    return status;
}

/* Return true if words of a text are all MI_NOOP, and not zeros: numbers of another kind. */
static bool i915_only_noops(const i915_job *job)
{
    const stream *in = job->in;
    bool other = false;
    for (size_t i = 0; i < in->len_dw; i++) {
        if (gpucmd_i915_classify(&job->cmdset, in->dw[i]) != GPUCMD_I915_OP_MI_NOOP) {
            return false;
        }
        other = other || in->dw[i] != 0;
    }
    return other && in->is_text && in->kind == NULL;
}

/* Handle one stream. */
static int i915_stream(i915_job *job, const options *opt, size_t index)
{
    job->in = &job->d->streams[index];
    job->base_va = job->choice.has_base ? job->choice.base_va : job->in->va;
    job->ring = job->in->kind != NULL && strcmp(job->in->kind, "ring") == 0;
    memset(job->found, 0, sizeof job->found);
    const int status = i915_choose(job);
    if (status != EXIT_FINE) {
        return status;
    }
    char chip[16];
    snprintf(chip, sizeof chip, "gen%s", i915_gen(job));
    put_page_stream(job->out, job->d, index, chip, job, i915_page_check, i915_page_decode);
    put_section(job->out, job->d, index, chip, job->why);
    i915_put_registers(job);
    const bool noops = i915_only_noops(job);
    if (noops) {
        note(job->d, "all words are MI_NOOP: this may be no stream; expected a command");
    }
    const int result = opt->value[OPT_CHECK] != NULL ? i915_check(job)
                       : opt->value[OPT_RUN] != NULL ? i915_execute(job)
                                                     : i915_decode(job);
    return noops && result == EXIT_FINE ? EXIT_STREAM : result;
}

/* Report the registers of an error state without memory. Return the exit status. */
static int i915_no_stream(i915_job *job)
{
    static const stream none;
    const dump *d = job->d;
    job->in = &none;
    job->quiet = true;
    (void)i915_choose(job);
    for (size_t i = 0; i < d->state_count; i++) {
        const engine_state *state = &d->states[i];
        const uint32_t dw = (uint32_t)state->ipehr;
        note(d, "engine %s: %s%s in execution, ACTHD 0x%" PRIx64 ", INSTDONE 0x%" PRIx64,
             state->name,
             state_has(state, REG_ipehr) ? gpucmd_i915_name(&job->cmdset, dw) : "no IPEHR",
             state_has(state, REG_ipehr) ? " (IPEHR)" : "", state->acthd, state->instdone);
    }
    note(
        d,
        "no memory in this error state%s%s%s%s: expected the whole file /sys/class/drm/card0/error (xe: "
        "/sys/class/drm/card0/device/devcoredump/data)",
        d->chip[0] != '\0' ? " of gen" : "", d->chip, d->process[0] != '\0' ? " of " : "",
        d->process);
    return EXIT_USAGE;
}

static int i915_main(const options *opt, output *out)
{
    dump d;
    i915_job job;
    dump_input in;
    memset(&job, 0, sizeof job);
    memset(&in, 0, sizeof in);
    memset(&d, 0, sizeof d);
    job.out = out;
    job.d = &d;
    int status = i915_options(&job, opt);
    status =
        status == EXIT_FINE ? read_dump(opt, GPUCMD_LITTLE_ENDIAN, i915_misfit, &d, &in) : status;
    size_t first = 0;
    size_t count = 0;
    if (status == EXIT_FINE) {
        i915_follow_all(&job, &d);
        status = stream_count(&d) == 0 && strncmp(d.format, "i915", 4) == 0
                     ? i915_no_stream(&job)
                     : take_streams(opt, &d, out, &first, &count);
    }
    picture p;
    memset(&p, 0, sizeof p);
    if (status == EXIT_FINE && wants_picture(opt)) {
        status = i915_make_picture(&job, &p);
        status = status == EXIT_FINE ? put_pictures(&p, opt) : status;
        status = status == EXIT_FINE ? open_page(opt, out, &d, &p) : status;
    }
    if (status == EXIT_FINE) {
        for (size_t i = first; i < first + count && status != EXIT_USAGE; i++) {
            const int one = i915_stream(&job, opt, i);
            status = one > status ? one : status;
        }
        const int page = close_page(opt, out);
        status = page != EXIT_FINE ? page : status;
        status = close_output(out, dump_status(&d, status));
    }
    free_picture(&p);
    release(out->findings);
    free_dump(&d);
    release_bytes(&in.b);
    return status;
}

#endif

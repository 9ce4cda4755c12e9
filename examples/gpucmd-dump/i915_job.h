/* i915_job.h - what the Intel parts of gpucmd-dump.c share: one stream and its generation. */
#ifndef DUMP_I915_JOB_H
#define DUMP_I915_JOB_H

#include "base.h"
#include "options.h"
#include "output.h"
#include "settings.h"
#include "stream.h"

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

typedef struct i915_job {
    const stream *in;
    const dump *d;
    output *out;
    const settings *set;
    gpucmd_i915_cmdset cmdset;
    uint64_t base_va;
    bool ring;       /* the stream is a ring */
    bool noops;      /* all its words are MI_NOOP */
    bool quiet;      /* do not report what was chosen */
    size_t found[3]; /* findings by severity; decoding counts errors */
    char why[64];    /* source of the generation */
} i915_job;

static const char *i915_gen(const i915_job *job)
{
    return gpucmd_i915_gen_name(job->cmdset.gen);
}

static const char *i915_engine(const i915_job *job)
{
    return gpucmd_i915_engine_name(job->cmdset.engine);
}

/* Return the address of the first word of the ring that the stream is in. */
static uint64_t i915_ring_start(const i915_job *job)
{
    if (job->in->wrap_dw != 0) {
        return job->in->wrap_va;
    }
    return job->base_va & ~(uint64_t)4095;
}

/* What i915_fit counts. */
typedef struct i915_fitting {
    size_t errors;   /* with lengths */
    size_t lengths;  /* findings about the number of words of a command */
    size_t reserved; /* findings about reserved bits */
} i915_fitting;

static gpucmd_status i915_fit_found(void *user, const gpucmd_i915_finding *f)
{
    i915_fitting *fitting = user;
    fitting->errors += f->severity == 2 && f->rule <= GPUCMD_I915_RULE_AFTER_END &&
                       f->rule != GPUCMD_I915_RULE_BATCH_ALIGN &&
                       f->rule != GPUCMD_I915_RULE_NO_END && f->rule != GPUCMD_I915_RULE_SELF_JUMP;
    fitting->lengths += f->rule == GPUCMD_I915_RULE_LENGTH;
    fitting->reserved += f->rule == GPUCMD_I915_RULE_RESERVED;
    return GPUCMD_OK;
}

/* Count the errors of words for a set of commands. */
static i915_fitting i915_fit(const uint32_t *dw, size_t len_dw, const gpucmd_i915_cmdset *cmdset)
{
    i915_fitting fitting = {0, 0, 0};
    const gpucmd_i915_check_options how = {i915_fit_found, &fitting, 0, true, false, false, false};
    const bool cut = len_dw > GUESS_DW;
    const gpucmd_status status = gpucmd_i915_check(cmdset, dw, cut ? GUESS_DW : len_dw, &how, NULL);
    fitting.errors -= cut && fitting.errors > fitting.lengths; /* the command at the cut */
    if (status != GPUCMD_OK) {
        fitting.errors = len_dw + 1;
    }
    return fitting;
}

static const gpucmd_i915_gen i915_gens[] = {
    GPUCMD_I915_GEN9, GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN6,
    GPUCMD_I915_GEN5, GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN3,    GPUCMD_I915_GEN2};
static const gpucmd_i915_engine i915_engines[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS};

enum {
    I915_GENS = sizeof i915_gens / sizeof i915_gens[0],
    I915_ENGINES = sizeof i915_engines / sizeof i915_engines[0],
};

/* The generations and engines to try. */
typedef struct i915_choices {
    gpucmd_i915_gen gens[I915_GENS];
    size_t gen_count;
    gpucmd_i915_engine engines[I915_ENGINES];
    size_t engine_count;
} i915_choices;

/* Choose what to try for a generation and an engine; 0: not given, so all. */
static void i915_take_choices(i915_choices *c, uint32_t gen, uint32_t engine)
{
    memcpy(c->gens, i915_gens, sizeof i915_gens);
    memcpy(c->engines, i915_engines, sizeof i915_engines);
    c->gen_count = I915_GENS;
    c->engine_count = I915_ENGINES;
    if (gen != 0) {
        c->gens[0] = (gpucmd_i915_gen)gen;
        c->gen_count = 1;
    }
    if (engine != 0) {
        c->engines[0] = (gpucmd_i915_engine)engine;
        c->engine_count = 1;
    }
}

/* Choose the generation, the engine or both (0: not given): the first combination without errors
 * and reserved bits, otherwise the first without errors; gen9 and rcs if none fits. */
static void i915_guess(i915_job *job, uint32_t gen, uint32_t engine)
{
    i915_choices c;
    int best = -1;
    i915_take_choices(&c, gen, engine);
    for (size_t g = 0; g < c.gen_count; g++) {
        for (size_t e = 0; e < c.engine_count; e++) {
            gpucmd_i915_cmdset cmdset;
            if (gpucmd_i915_cmdset_init(&cmdset, c.gens[g], c.engines[e]) != GPUCMD_OK) {
                continue;
            }
            const i915_fitting f = i915_fit(job->in->dw, job->in->len_dw, &cmdset);
            int fit = 2;
            if (f.errors != 0) {
                fit = 0;
            } else if (f.reserved != 0) {
                fit = 1;
            }
            if (fit > best) {
                job->cmdset = cmdset;
                best = fit;
            }
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
static size_t i915_misfit(const settings *set, const uint32_t *dw, size_t len_dw)
{
    i915_choices c;
    size_t least = SIZE_MAX;
    i915_take_choices(&c, set->gen, set->engine);
    for (size_t g = 0; g < c.gen_count; g++) {
        for (size_t e = 0; e < c.engine_count; e++) {
            gpucmd_i915_cmdset cmdset;
            if (gpucmd_i915_cmdset_init(&cmdset, c.gens[g], c.engines[e]) == GPUCMD_OK) {
                const i915_fitting f = i915_fit(dw, len_dw, &cmdset);
                const size_t n = f.errors - f.lengths;
                if (n < least) {
                    least = n;
                }
            }
        }
    }
    return least;
}

/* Choose generation and engine of the stream: of the options, of the dump, or by trying. */
static int i915_choose(i915_job *job)
{
    uint32_t gen = job->set->gen;
    uint32_t engine = job->set->engine;
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
    if (gpucmd_i915_cmdset_init(&job->cmdset, (gpucmd_i915_gen)gen, (gpucmd_i915_engine)engine) ==
        GPUCMD_OK) {
        return EXIT_FINE;
    }
    return usage("--gen", gpucmd_i915_gen_name((gpucmd_i915_gen)gen),
                 "a generation with the engine of the dump");
}

/* Return the target of MI_BATCH_BUFFER_START. */
static uint64_t i915_target(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, uint32_t len_dw)
{
    uint64_t low = 0;
    if (len_dw > 1) {
        low = dw[1] & ~(uint32_t)3;
    }
    if (cmdset->gen >= GPUCMD_I915_GEN8 && len_dw > 2) {
        return low | (uint64_t)(dw[2] & 0xffff) << 32;
    }
    return low;
}

#endif

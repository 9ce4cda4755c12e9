/* i915_run.h - Intel streams executed, for i915.h. */
#ifndef DUMP_I915_RUN_H
#define DUMP_I915_RUN_H

#include "base.h"
#include "bytes.h"
#include "i915_job.h"
#include "memory.h"
#include "output.h"
#include "settings.h"
#include "stream.h"

/* A run of the batch. It is repeated with more memory until all accesses
 * succeed. Only the last repetition prints rows. */
typedef struct i915_run {
    i915_job *job;
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_region regions[2 + I915_PIECES + I915_CHUNKS]; /* the stream, other memory of the dump,
                                                             then zeros */
    gpucmd_region sorted[2 + I915_PIECES + I915_CHUNKS];  /* the same, by address */
    size_t from_dw[2 + I915_PIECES];                      /* first word of a piece in its stream */
    size_t pieces;                                        /* the stream and other memory */
    size_t chunks;
    bool ring; /* the stream is executed as a ring, otherwise as a batch */
    const stream *from[2 + I915_PIECES]; /* where the words of a piece are */
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
        printf("\"va\":%" PRIu64 ",\"event\":\"%s\"", run->fetch_va, kind);
        put_text_cell(out, "name", name != NULL ? name : "");
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
        if (name != NULL) {
            printf("  %s", name);
        }
        putchar('\n');
    }
}

/* Return true if the stream or other memory of the dump has the bytes. */
static bool i915_in_dump(const i915_run *run, uint64_t va, uint64_t len_bytes)
{
    for (size_t i = 0; i < run->pieces; i++) {
        const gpucmd_region *r = &run->regions[i];
        if (va >= r->va && va - r->va <= r->bytes && r->bytes - (va - r->va) >= len_bytes) {
            return true;
        }
    }
    return false;
}

/* Trace callback. */
static gpucmd_status i915_traced(void *user, const gpucmd_event *event)
{
    i915_run *run = user;
    const char *name = NULL;
    char reg[64];
    int64_t addr = -1;
    if (event->kind == GPUCMD_EVENT_FETCH) {
        const uint64_t len_bytes = 4 * (uint64_t)run->cs.cmd_dw;
        run->fetch_va = event->va;
        run->outside = run->outside || !i915_in_dump(run, event->va, len_bytes);
        name = gpucmd_i915_name(&run->job->cmdset, (uint32_t)event->value);
    } else if (event->kind == GPUCMD_EVENT_STATE) {
        name = gpucmd_i915_state_name((gpucmd_i915_state)event->code);
    } else if (event->kind == GPUCMD_EVENT_ERROR) {
        name = gpucmd_i915_error_name((gpucmd_i915_error)event->code);
    } else if (event->kind == GPUCMD_EVENT_DROP) {
        name = gpucmd_i915_rule_name((gpucmd_i915_rule)event->code);
        addr = event->addr != 0 ? (int64_t)event->addr : -1;
    } else if (event->kind == GPUCMD_EVENT_RULE) {
        name = gpucmd_i915_rule_name((gpucmd_i915_rule)event->code);
        addr = (int64_t)(event->va & 0xffffffffffffu);
    } else if (event->kind == GPUCMD_EVENT_REG_READ || event->kind == GPUCMD_EVENT_REG_WRITE) {
        gpucmd_text t;
        gpucmd_text_init(&t, reg, sizeof reg);
        gpucmd_i915_print_register(&t, &run->job->cmdset, event->addr);
        name = reg;
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

/* Start the ring at the stream. Return false if the streamer cannot have such a ring. */
static bool i915_begin_ring(i915_run *run)
{
    const stream *in = run->job->in;
    const bool wraps = in->wrap_dw != 0;
    const uint64_t start = i915_ring_start(run->job);
    const uint64_t head = run->job->base_va - start;
    const uint64_t used = head + 4 * (uint64_t)(wraps ? in->wrap_dw : in->len_dw);
    uint64_t tail = used;
    if (wraps) {
        tail = 4 * (uint64_t)(in->len_dw - in->wrap_dw);
    }
    const uint64_t size = (used + (wraps ? 0 : 8) + 4095) & ~(uint64_t)4095;
    if (start > UINT32_MAX || start % 4096 != 0 || size > 2 << 20) {
        return false;
    }
    if (tail % 8 != 0 && !run->quiet) {
        note(run->job->d,
             "TAIL 0x%" PRIx64 " is not a multiple of 8 bytes: the GPU uses 0x%" PRIx64, tail,
             tail & ~(uint64_t)7);
    }
    gpucmd_i915_cs_write(&run->cs, run->cs.base + GPUCMD_I915_REG_START, (uint32_t)start);
    gpucmd_i915_cs_write(&run->cs, run->cs.base + GPUCMD_I915_REG_CTL, (uint32_t)(size - 4096) | 1);
    gpucmd_i915_cs_reset(&run->cs, (uint32_t)head);
    gpucmd_i915_cs_write(&run->cs, run->cs.base + GPUCMD_I915_REG_TAIL, (uint32_t)tail);
    return true;
}

/* Start again with the original memory and a new streamer. */
static int i915_restart(i915_run *run)
{
    const i915_job *job = run->job;
    const stream *in = job->in;
    const size_t first = in->wrap_dw != 0 ? in->wrap_dw : in->len_dw;
    for (size_t i = run->pieces; i < run->pieces + run->chunks; i++) {
        memset(run->regions[i].host, 0, (size_t)run->regions[i].bytes);
    }
    if (first != 0) {
        gpucmd_store_words(run->regions[0].host, in->dw, first, GPUCMD_LITTLE_ENDIAN);
    }
    if (in->wrap_dw != 0) {
        gpucmd_store_words(run->regions[1].host, in->dw + first, in->len_dw - first,
                           GPUCMD_LITTLE_ENDIAN);
    }
    for (size_t i = in->wrap_dw != 0 ? 2 : 1; i < run->pieces; i++) {
        gpucmd_store_words(run->regions[i].host, run->from[i]->dw + run->from_dw[i],
                           (size_t)run->regions[i].bytes / 4, GPUCMD_LITTLE_ENDIAN);
    }
    run->outside = false;
    run->fetch_va = job->base_va;
    gpucmd_env_init(&run->env, &run->mem, NULL, NULL);
    run->env.trace = i915_traced;
    run->env.trace_user = run;
    const size_t count = run->pieces + run->chunks;
    memcpy(run->sorted, run->regions, count * sizeof *run->sorted);
    gpucmd_mem_sort(run->sorted, count);
    if (gpucmd_mem_init(&run->mem, run->sorted, count) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&run->cs, job->cmdset.gen, job->cmdset.engine, 0) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    run->ring = job->ring && (job->set->ring || !job->set->has_base) && i915_begin_ring(run);
    return exit_unless(run->ring || in->len_dw == 0 ||
                           gpucmd_i915_cs_batch(&run->cs, job->base_va, job->set->secure) ==
                               GPUCMD_OK,
                       EXIT_USAGE);
}

/* Step until the streamer stops or has spent its budget in units. Without --budget it stops after
 * a number of commands or of seconds. */
static void i915_run_steps(i915_run *run, int seconds)
{
    uint64_t budget;
    if (run->job->set->has_budget) {
        budget = run->job->set->budget;
    } else {
        budget = 4 * (uint64_t)run->job->in->len_dw + 4096;
    }
    const double end = now_seconds() + seconds;
    bool late = false;
    do {
        run->result = gpucmd_i915_cs_step(&run->cs, &run->env);
        if (run->job->set->has_budget) {
            late = run->cs.units >= budget;
        } else {
            late = run->cs.commands >= budget || now_seconds() >= end;
        }
    } while (run->result == GPUCMD_RUN_DONE && !run->outside && !late);
    if (run->result == GPUCMD_RUN_DONE) {
        run->result = run->outside ? GPUCMD_RUN_FAULT : GPUCMD_RUN_LIMIT;
    }
}

/* Add a region of zeros at the address that has no memory. False: the streamer
 * stopped for another reason, or the limit is reached. */
static bool i915_add_memory(i915_run *run)
{
    const uint64_t at = run->mem.fault_va;
    const size_t count = run->pieces + run->chunks;
    uint64_t va = at & ~(uint64_t)(I915_CHUNK_BYTES - 1);
    const gpucmd_region *last = &run->regions[count - 1];
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
    for (size_t i = 0; i < count; i++) { /* no overlap */
        const gpucmd_region *r = &run->regions[i];
        const uint64_t end = r->va + r->bytes;
        if (r->bytes != 0 && r->va < at && end > va && end <= at) {
            size -= end - va;
            va = end;
        } else if (r->bytes != 0 && r->va > at && r->va - va < size) {
            size = r->va - va;
        }
    }
    gpucmd_region *added = &run->regions[count];
    added->host = calloc(1, (size_t)size);
    if (added->host == NULL) {
        return false;
    }
    added->va = va;
    added->bytes = size;
    added->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
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
    uint64_t base = 0;
    if (run->ring && run->cs.level == 0) {
        base = run->cs.start;
    }
    const uint64_t at_va = no_fetch ? run->mem.fault_va : base + run->cs.acthd;
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
        fprintf(stderr,
                "still running after %" PRIu64 " commands; expected the batch to end (--budget)\n",
                run->cs.commands);
    } else if (run->result == GPUCMD_RUN_BLOCKED) {
        gpucmd_text_init(&text, lines, sizeof lines);
        gpucmd_i915_print_waits(&text, &run->cs, 1, &run->env);
        fprintf(stderr, "blocked, nothing else runs; expected a wait condition that is true\n%s",
                lines);
    } else if (left && run->ring && run->cs.level == 0) {
        fprintf(stderr,
                "the ring leaves the input; expected whole commands up to TAIL, between 0x%" PRIx64
                " and 0x%" PRIx64 "\n",
                job->base_va, run->end_va);
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
        fprintf(stderr, "%s: %s; expected commands that gen%s %s executes in a %s\n",
                gpucmd_i915_error_name(run->cs.error), gpucmd_i915_error_text(run->cs.error),
                i915_gen(job), i915_engine(job),
                run->ring && run->cs.level == 0 ? "ring" : "batch");
    }
    return EXIT_STREAM;
}

/* Return the name of a register of the streamer; without a name its address. */
static const char *i915_register_name(const gpucmd_i915_cs *cs, uint32_t off, char text[48])
{
    gpucmd_i915_register r;
    if (!gpucmd_i915_register_find(&cs->cmdset, cs->base + off, &r)) {
        snprintf(text, 48, "0x%" PRIx32, cs->base + off);
        return text;
    }
    const char *half = r.high ? "_UDW" : "";
    if (r.count != 1) {
        snprintf(text, 48, "%s%" PRIu32 "%s", r.name, r.nth, half);
    } else {
        snprintf(text, 48, "%s%s", r.name, half);
    }
    return text;
}

/* Print the result and the registers of the streamer that are not 0. */
static void i915_put_state(const i915_run *run, FILE *to, bool json)
{
    const gpucmd_i915_cs *cs = &run->cs;
    fprintf(to,
            json ? "\"run\":\"%s\",\"commands\":%" PRIu64 ",\"interrupts\":%" PRIu64
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
        char text[48];
        if (cs->reg[off / 4] != 0) {
            fputs(json ? "" : "\n      ", to);
            put_member(to, json, i915_register_name(cs, off, text), cs->reg[off / 4]);
        }
    }
    fputs(json ? "}" : "\n", to);
}

/* Add memory for words of the dump, up to memory that is there. */
static void i915_add_piece(i915_run *run, const stream *from, uint64_t va, uint64_t len_bytes)
{
    uint64_t at = va;
    uint64_t end = va + len_bytes;
    for (size_t i = 0; i < run->pieces; i++) {
        const gpucmd_region *r = &run->regions[i];
        if (r->va <= at && at < r->va + r->bytes) {
            at = r->va + r->bytes;
        } else if (r->bytes != 0 && at < r->va && r->va < end) {
            end = r->va;
        }
    }
    if (run->pieces != 0 && (at >= end || va % 4 != 0)) {
        return;
    }
    gpucmd_region *piece = &run->regions[run->pieces];
    piece->va = at;
    piece->bytes = end - at;
    piece->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    piece->host = resize(NULL, (size_t)piece->bytes, 1);
    run->from_dw[run->pieces] = (size_t)(at - va) / 4;
    run->from[run->pieces++] = from;
}

/* Check that the generation has addresses for the input, and place it with the other memory of the
 * dump. */
static int i915_place(i915_run *run)
{
    const i915_job *job = run->job;
    const uint64_t limit = (uint64_t)1 << (job->cmdset.gen >= GPUCMD_I915_GEN8 ? 48 : 32);
    const uint64_t len_bytes = 4 * (uint64_t)job->in->len_dw;
    if (len_bytes > I915_RUN_BYTES) {
        fprintf(stderr, "gpucmd-dump: %s: --run: 0x%" PRIx64 " bytes; expected at most %d MiB\n",
                job->in->name, len_bytes, I915_RUN_BYTES >> 20);
        return EXIT_USAGE;
    }
    if (len_bytes > limit || job->base_va > limit - len_bytes) {
        fprintf(stderr,
                "gpucmd-dump: --base '0x%" PRIx64 "': expected 0x%" PRIx64 " bytes below 0x%" PRIx64
                " for gen%s\n",
                job->base_va, len_bytes, limit, i915_gen(job));
        return EXIT_USAGE;
    }
    run->end_va = job->base_va + len_bytes;
    const stream *in = job->in;
    const uint64_t first = 4 * (uint64_t)(in->wrap_dw != 0 ? in->wrap_dw : in->len_dw);
    i915_add_piece(run, in, job->base_va, first);
    if (in->wrap_dw != 0) {
        i915_add_piece(run, in, in->wrap_va, len_bytes - first);
    }
    uint64_t left = I915_PIECE_BYTES;
    for (size_t i = 0; i < job->d->count && !job->set->has_base; i++) {
        const stream *s = &job->d->streams[i];
        const uint64_t n = 4 * (uint64_t)s->len_dw;
        if (s != in && s->has_va && s->wrap_dw == 0 && n != 0 && n <= left &&
            run->pieces < I915_PIECES && s->va <= limit - n) {
            i915_add_piece(run, s, s->va, n);
            left -= n;
        }
    }
    return EXIT_FINE;
}

static int i915_execute(void *user)
{
    i915_job *job = user;
    i915_run *run = calloc(1, sizeof *run);
    int status = EXIT_USAGE;
    if (run == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for the executor\n");
        return EXIT_USAGE;
    }
    run->job = job;
    run->quiet = true;
    if (i915_place(run) == EXIT_FINE && i915_restart(run) == EXIT_FINE) {
        const double end = now_seconds() + I915_SECONDS;
        do {
            status = i915_restart(run);
            i915_run_steps(run, I915_SECONDS);
        } while (status == EXIT_FINE && i915_add_memory(run) &&
                 (job->set->has_budget || now_seconds() < end));
        run->quiet = false;
        (void)i915_restart(run); /* it succeeded before the first run */
        put_header(job->out, "va\tevent\tname\taddr\tvalue");
        i915_run_steps(run, I915_SECONDS);
        if (job->out->format == FORMAT_JSON) {
            begin_row(job->out);
        }
        i915_put_state(run, job->out->format == FORMAT_TSV ? stderr : stdout,
                       job->out->format == FORMAT_JSON);
        fflush(stdout);
        status = i915_run_status(run);
    }
    for (size_t i = 0; i < run->pieces; i++) {
        release(run->regions[i].host);
    }
    for (size_t i = run->pieces; i < run->pieces + run->chunks; i++) {
        free(run->regions[i].host);
    }
    free(run);
    return status;
}

#endif

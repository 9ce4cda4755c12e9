/* nv_run.h - NVIDIA streams executed, for nv.h. */
#ifndef DUMP_NV_RUN_H
#define DUMP_NV_RUN_H

#include "base.h"
#include "bytes.h"
#include "nv_job.h"
#include "output.h"
#include "settings.h"
#include "stream.h"

/* An executor and its memory: pusher before GF100, PBDMA for GF100 and later. */
typedef struct nv_run {
    nv_job *job;
    gpucmd_nv_pusher pusher;
    gpucmd_nv_pbdma pbdma;
    gpucmd_mem mem;
    gpucmd_region regions[2 + NV_PIECES]; /* the stream, the ring, other streams of the dump */
    gpucmd_region sorted[2 + NV_PIECES];  /* the same, by address */
    size_t pieces;
    gpucmd_env env;
    gpucmd_mmio area;
    gpucmd_nv_gpfifo fifo;
    uint64_t ring_va;
    uint64_t ring[NV_PAGE / 8];
    uint64_t budget;
    uint64_t words;   /* fetched */
    uint64_t methods; /* delivered */
    gpucmd_run result;
} nv_run;

/* Print delivered methods, one row per word. */
static gpucmd_status nv_print_methods(void *user, const gpucmd_event *event)
{
    nv_run *run = user;
    output *out = run->job->out;
    const gpucmd_nv_chip chip = run->job->gate.chip;
    for (uint32_t i = 0; i < event->count_dw; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(chip, (gpucmd_nv_kind)event->code, event->addr, i);
        const uint64_t va = event->va + 4 * (uint64_t)i;
        begin_row(out);
        if (out->format == FORMAT_JSON) {
            printf("\"va\":%" PRIu64 ",\"subc\":%" PRIu32 ",\"mthd\":%" PRIu32 ",\"data\":%" PRIu32
                   "}",
                   va, event->unit, mthd, event->data[i]);
        } else if (out->format == FORMAT_TSV) {
            printf("0x%" PRIx64 "\t%" PRIu32 "\t0x%" PRIx32 "\t%08" PRIx32 "\n", va, event->unit,
                   mthd, event->data[i]);
        } else {
            printf("%s0x%06" PRIx64 "%s  s%" PRIu32 " 0x%04" PRIx32 " = %08" PRIx32 "%s%s\n",
                   paint(out, DIM), va, paint(out, PLAIN), event->unit, mthd, event->data[i],
                   mthd < 0x100 ? "  " : "",
                   mthd < 0x100 ? gpucmd_nv_host_method_name(chip, mthd) : "");
        }
    }
    run->methods += event->count_dw;
    return GPUCMD_OK;
}

/* Count every word that the executor fetches. */
static gpucmd_status nv_count_fetch(void *user, const gpucmd_event *event)
{
    nv_run *run = user;
    run->words += event->code != GPUCMD_NV_FETCH_ENTRY && event->va != run->ring_va;
    return GPUCMD_OK;
}

/* Run the executor until it stops. */
static void nv_execute_all(nv_run *run)
{
    if (GPUCMD_NV_IS_GF100(run->job->gate.chip)) {
        run->result = gpucmd_nv_pbdma_run(&run->pbdma, &run->env, run->budget);
    } else {
        run->result = gpucmd_nv_pusher_run(&run->pusher, &run->env, run->budget);
    }
}

/* The IB ring is full: run the executor, which empties it. */
static gpucmd_status nv_wait(void *user, uint32_t try_count)
{
    nv_run *run = user;
    (void)try_count;
    nv_execute_all(run);
    if (run->result == GPUCMD_RUN_IDLE) {
        return GPUCMD_OK;
    }
    return GPUCMD_FAULT;
}

/* Return true if the last command except NOPs is RETURN and none is CALL, as in a subroutine. */
static bool nv_is_subroutine(const nv_job *job)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    bool is_return = false;
    gpucmd_nv_walk_init(&walk, &job->gate, job->in->dw, job->in->len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        if (cmd.form == GPUCMD_NV_FORM_CALL) {
            return false;
        }
        is_return = cmd.form == GPUCMD_NV_FORM_RETURN || (is_return && cmd.dw == GPUCMD_NV_NOP);
    }
    return is_return;
}

/* Place the words and the ring in memory and prepare the environment. */
static int nv_place(nv_run *run)
{
    nv_job *job = run->job;
    const gpucmd_nv_chip chip = job->gate.chip;
    const uint64_t len_bytes = 4 * (uint64_t)job->in->len_dw;
    unsigned va_bits = 32;
    if (chip >= GPUCMD_NV_CHIP_GH100) {
        va_bits = 57;
    } else if (job->gate.ib_enable) {
        va_bits = 40;
    }
    const uint64_t room = ((uint64_t)1 << va_bits) - 2 * NV_PAGE;
    if (len_bytes > room || job->base_va > room - len_bytes) {
        fprintf(stderr,
                "gpucmd-dump: --base '0x%" PRIx64 "': expected 0x%" PRIx64
                " bytes to lie below 0x%" PRIx64 " for %s in %s\n",
                job->base_va, len_bytes, room, gpucmd_nv_chip_name(chip), nv_mode(job));
        return EXIT_USAGE;
    }
    run->ring_va = ((uint64_t)1 << va_bits) - NV_PAGE;
    run->regions[1].va = run->ring_va;
    run->regions[1].bytes = job->gate.ib_enable || nv_is_subroutine(job) ? NV_PAGE : 0;
    run->regions[1].host = run->ring;
    run->regions[1].access_mask = GPUCMD_ACCESS_READ;
    run->regions[0].va = job->base_va;
    run->regions[0].bytes = len_bytes;
    run->regions[0].host = job->in->dw;
    run->regions[0].access_mask = GPUCMD_ACCESS_READ;
    run->budget = job->set->budget != 0 ? job->set->budget : 4 * (uint64_t)job->in->len_dw + 65536;
    gpucmd_env_init(&run->env, &run->mem, nv_print_methods, run);
    run->env.trace = nv_count_fetch;
    run->env.trace_user = run;
    run->pieces = 2;
    for (size_t i = 0; i < job->d->count && !job->set->has_base; i++) {
        const stream *s = &job->d->streams[i];
        if (s != job->in && s->has_va && s->len_dw != 0 && run->pieces < 2 + NV_PIECES &&
            s->va <= room - 4 * (uint64_t)s->len_dw && job->endian == gpucmd_cpu_endian()) {
            gpucmd_region piece = run->regions[0];
            bool apart = true;
            piece.va = s->va;
            piece.bytes = 4 * (uint64_t)s->len_dw;
            piece.host = s->dw;
            for (size_t k = 0; k < run->pieces; k++) {
                const gpucmd_region *r = &run->regions[k];
                apart = apart && (r->va >= piece.va + piece.bytes || piece.va >= r->va + r->bytes);
            }
            run->regions[run->pieces] = piece;
            run->pieces += apart;
        }
    }
    memcpy(run->sorted, run->regions, run->pieces * sizeof *run->sorted);
    gpucmd_mem_sort(run->sorted, run->pieces);
    return exit_unless(gpucmd_mem_init(&run->mem, run->sorted, run->pieces) == GPUCMD_OK,
                       EXIT_USAGE);
}

/* Prepare the executor and store the words in the byte order that it reads. */
static int nv_prepare(nv_run *run)
{
    nv_job *job = run->job;
    const gpucmd_nv_chip chip = job->gate.chip;
    const bool big = job->endian == GPUCMD_BIG_ENDIAN && chip >= GPUCMD_NV_CHIP_NV1A &&
                     !GPUCMD_NV_IS_GF100(chip);
    job->endian = big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    for (size_t i = 0; job->endian != gpucmd_cpu_endian() && i < job->in->len_dw; i++) {
        gpucmd_store32(&job->in->dw[i], job->in->dw[i], job->endian);
    }
    if (GPUCMD_NV_IS_GF100(chip)) {
        if (gpucmd_nv_pbdma_init(&run->pbdma, chip) != GPUCMD_OK) {
            return EXIT_USAGE;
        }
        run->pbdma.fmt = job->gate.fmt;
        if (job->sli_given) {
            run->pbdma.subdevice = (run->pbdma.subdevice & ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_ID)) |
                                   GPUCMD_FIELD_PUT(NV_SUBDEVICE_ID, job->sli_mask);
        }
        run->area.read32 = gpucmd_nv_pbdma_read32;
        run->area.write32 = gpucmd_nv_pbdma_write32;
        run->area.user = &run->pbdma;
        return EXIT_FINE;
    }
    if (gpucmd_nv_pusher_init(&run->pusher, chip) != GPUCMD_OK) {
        return EXIT_USAGE;
    }
    run->pusher.big_endian = big && chip < GPUCMD_NV_CHIP_G80;
    run->pusher.pfifo_endian = big && chip >= GPUCMD_NV_CHIP_G80;
    run->pusher.sli_enable = job->sli_given;
    run->pusher.sli_mask = job->sli_mask;
    run->pusher.ib_enable = job->gate.ib_enable;
    run->area.read32 = gpucmd_nv_pusher_read32;
    run->area.write32 = gpucmd_nv_pusher_write32;
    run->area.user = &run->pusher;
    return EXIT_FINE;
}

/* Submit in NV4 style: the words themselves, or a ring of one word that calls them. */
static gpucmd_status nv_submit_nv4(nv_run *run)
{
    gpucmd_nv_pusher *p = &run->pusher;
    gpucmd_status status = GPUCMD_OK;
    uint32_t call = 0;
    if (run->job->in->len_dw == 0) {
        return GPUCMD_OK;
    }
    p->dma_get = run->job->base_va;
    p->dma_put = run->job->base_va + run->regions[0].bytes;
    if (run->regions[1].bytes != 0) {
        status = gpucmd_nv_encode_call(&call, run->job->base_va);
        gpucmd_store32(run->ring, call, run->job->endian);
        p->dma_get = run->ring_va;
        p->dma_put = run->ring_va + 4;
    }
    return status;
}

/* Submit as IB entries of the largest length. GH100 and later: a control entry sets
 * address bits 56:40. */
static gpucmd_status nv_submit_ib(nv_run *run)
{
    const gpucmd_nv_chip chip = run->job->gate.chip;
    const uint32_t order = 9; /* NV_PAGE bytes */
    const uint32_t max_dw = gpucmd_nv_entry_max_dw(chip);
    uint64_t va = run->job->base_va;
    uint64_t left_dw = run->job->in->len_dw;
    gpucmd_status status =
        gpucmd_nv_gpfifo_init(&run->fifo, chip, run->ring, order, &run->area, NULL, 0);
    run->fifo.endian = run->job->endian;
    gpucmd_nv_gpfifo_set_wait(&run->fifo, nv_wait, run, GPUCMD_WAIT_TRIES);
    run->pusher.ib_address = run->pbdma.gp_base = run->ring_va;
    run->pusher.ib_order = run->pbdma.limit2 = order;
    while (status == GPUCMD_OK && left_dw != 0) {
        const uint64_t high = va >> GPUCMD_NV_ENTRY_VA_BITS;
        const uint64_t room_dw = (((high + 1) << GPUCMD_NV_ENTRY_VA_BITS) - va) / 4;
        uint64_t n_dw = lesser(left_dw, max_dw);
        if (n_dw > room_dw) {
            n_dw = room_dw;
        }
        if (high != run->fifo.base_va >> GPUCMD_NV_ENTRY_VA_BITS) {
            status = gpucmd_nv_gpfifo_push_control(&run->fifo,
                                                   GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
                                                   GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, high), 0);
        }
        if (status == GPUCMD_OK) {
            status = gpucmd_nv_gpfifo_push(&run->fifo, va, (uint32_t)n_dw, 0);
        }
        gpucmd_nv_gpfifo_submit(&run->fifo);
        va += 4 * n_dw;
        left_dw -= n_dw;
    }
    return status;
}

/* Print on standard error why the executor stopped. */
static void nv_print_stop(const nv_run *run)
{
    const nv_job *job = run->job;
    const gpucmd_nv_pusher *p = &run->pusher;
    const bool old = !GPUCMD_NV_IS_GF100(job->gate.chip);
    bool memory;
    if (old) {
        memory = p->error == GPUCMD_NV_PUSHER_ERROR_MEM_FAULT;
    } else {
        memory = run->pbdma.intr == 0;
    }
    const uint64_t get_va = old ? p->dma_get : run->pbdma.pb_get;
    const uint64_t at = (memory || run->result == GPUCMD_RUN_LIMIT ? get_va : get_va - 4);
    fprintf(stderr, "gpucmd-dump: %s: ", job->in->name);
    if (at - job->base_va < run->regions[0].bytes) {
        fprintf(stderr, "offset 0x%" PRIx64 ": ", at - job->base_va);
    } else {
        fprintf(stderr, "address 0x%" PRIx64 ": ", at);
    }
    if (run->result == GPUCMD_RUN_LIMIT) {
        fprintf(stderr, "still running after %" PRIu64 " words; expected an end\n", run->words);
    } else if (old) {
        fprintf(stderr, "%s: %s; ", gpucmd_nv_pusher_error_name(p->error),
                gpucmd_nv_pusher_error_text(p->error));
    }
#define NV_PRINT_INTR(name, bit, text)                                                             \
    if ((run->pbdma.intr & GPUCMD_NV_PBDMA_INTR_##name) != 0) {                                    \
        fprintf(stderr, "%s: %s; ", #name, text);                                                  \
    }
    if (run->result != GPUCMD_RUN_LIMIT) {
        GPUCMD_NV_PBDMA_INTRS(NV_PRINT_INTR)
        if (memory) {
            fprintf(stderr, "expected words between 0x%" PRIx64 " and 0x%" PRIx64 "\n",
                    job->base_va, job->base_va + run->regions[0].bytes);
        } else {
            fprintf(stderr, "expected what %s accepts in %s\n", gpucmd_nv_chip_name(job->gate.chip),
                    nv_mode(job));
        }
    }
#undef NV_PRINT_INTR
}

/* Print the result and the final state; members have the names of the hardware. */
static void nv_print_state(const nv_run *run, FILE *to, bool json)
{
    const gpucmd_nv_pusher *p = &run->pusher;
    const gpucmd_nv_pbdma *b = &run->pbdma;
    fprintf(to,
            json ? "\"run\":\"%s\",\"words\":%" PRIu64 ",\"methods\":%" PRIu64
                 : "run: %s, %" PRIu64 " words read, %" PRIu64 " methods delivered\nstate:",
            gpucmd_run_name(run->result), run->words, run->methods);
    if (GPUCMD_NV_IS_GF100(run->job->gate.chip)) {
        put_member(to, json, "gp_get", b->gp_get);
        put_member(to, json, "gp_put", b->gp_put);
        put_member(to, json, "pb_get", b->pb_get);
        put_member(to, json, "pb_put", b->pb_put);
        fputs(json ? "" : "\n      ", to);
        put_member(to, json, "subc", b->subc);
        put_member(to, json, "mthd", (uint64_t)b->mthd * 4);
        put_member(to, json, "count", b->count);
        put_member(to, json, "subdevice", b->subdevice);
        put_member(to, json, "hdr_shadow", b->hdr_shadow);
        put_member(to, json, "intr", b->intr);
    } else {
        put_member(to, json, "ib_get", p->ib_get);
        put_member(to, json, "ib_put", p->ib_put);
        put_member(to, json, "dma_get", p->dma_get);
        put_member(to, json, "dma_put", p->dma_put);
        fputs(json ? "" : "\n      ", to);
        put_member(to, json, "subc", p->subc);
        put_member(to, json, "mthd", (uint64_t)p->mthd * 4);
        put_member(to, json, "mcnt", p->mcnt);
        put_member(to, json, "lenp", p->lenp);
        put_member(to, json, "subr_active", p->subr_active);
        put_member(to, json, "sli_active", p->sli_active);
        put_member(to, json, "rsvd_shadow", p->rsvd_shadow);
        put_member(to, json, "error", (uint64_t)p->error);
    }
    fputs(json ? "}" : "\n", to);
}

/* Return the exit status of a stopped run; print a message if it failed. */
static int nv_run_status(const nv_run *run)
{
    const nv_job *job = run->job;
    const uint32_t due = run->pusher.mcnt + run->pbdma.count + (run->pusher.lenp ? 1 : 0);
    if (run->result != GPUCMD_RUN_IDLE) {
        nv_print_stop(run);
        return EXIT_STREAM;
    }
    if (due != 0 || job->in->extra_bytes != 0) {
        fprintf(stderr,
                "gpucmd-dump: %s: offset 0x%" PRIx64
                ": the stream ends inside a method run or a word; expected %s%" PRIu32
                " more words\n",
                job->in->name, 4 * (uint64_t)job->in->len_dw,
                job->in->extra_bytes != 0 ? "whole words and " : "", due);
        return EXIT_STREAM;
    }
    return EXIT_FINE;
}

static int nv_execute(void *user)
{
    nv_job *job = user;
    nv_run *run = calloc(1, sizeof *run);
    int status = EXIT_USAGE;
    if (run == NULL) {
        fprintf(stderr, "gpucmd-dump: no memory for the executor\n");
        return EXIT_USAGE;
    }
    run->job = job;
    if (nv_place(run) == EXIT_FINE && nv_prepare(run) == EXIT_FINE) {
        gpucmd_status submitted;
        if (job->gate.ib_enable) {
            submitted = nv_submit_ib(run);
        } else {
            submitted = nv_submit_nv4(run);
        }
        put_header(job->out, "va\tsubc\tmthd\tdata");
        if (submitted == GPUCMD_OK) {
            nv_execute_all(run);
        }
        if (job->out->format == FORMAT_JSON) {
            begin_row(job->out);
        }
        nv_print_state(run, job->out->format == FORMAT_TSV ? stderr : stdout,
                       job->out->format == FORMAT_JSON);
        fflush(stdout);
        status = nv_run_status(run);
    }
    free(run);
    return status;
}

#endif

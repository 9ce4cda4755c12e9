/* compare.h - runs a stream of streams.h on the executor and on a GPU (examples/hardware/nvidia.c), from the
 * same memory, and compares what both left. Include it after hardware/nvidia.c and streams.h. */
#ifndef GPUCMD_TEST_SILICON_COMPARE_H
#define GPUCMD_TEST_SILICON_COMPARE_H

enum {
    SI_FENCES = 0xf000,
    SI_TAIL_DW = 0x400,
    SI_RING_BYTES = 0x1000 + 4 * (ST_WORDS + SI_TAIL_DW),
    SI_SHOWN = 8
};

/* Two memories with the same content: of the executor, and of the GPU. */
typedef struct si_memory {
    uint32_t sem[ST_SEM_BYTES / 4];
    uint32_t sys[ST_SYS_BYTES / 4];
    uint32_t vid[ST_VID_BYTES / 4];
} si_memory;

typedef enum si_result {
    SI_EQUAL,
    SI_DIFFERS,
    SI_ILLEGAL, /* the checker or the executor rejects the stream: nothing was submitted */
    SI_STOPPED, /* the GPU gave no answer, or the channel is broken: the run ends */
} si_result;

typedef struct si_difference {
    const char *region; /* "sem", "sys", "vid" or "time" */
    uint32_t off_bytes;
    uint64_t expected, got; /* bytes, or times */
} si_difference;

typedef struct si_gpu {
    hw_nvidia *g;
    unsigned channels;
    hw_channel ch[2];
    hw_memory sem, sys, vid, back; /* back: what vid holds, for a quick CPU */
    uint32_t fence;
    bool any_time; /* time stamps need not be inside the time of the stream */
    uint64_t submissions, words;
    si_difference difference;
    char why[256]; /* of SI_ILLEGAL */
} si_gpu;

static si_memory si_exec;  /* the executor's */
static si_memory si_start; /* the beginning */
static uint32_t si_words[2][ST_WORDS];
static uint32_t si_entries[2][2 * ST_ENTRIES];
static uint32_t si_ring[2][2 * ST_ENTRIES]; /* si_entries as the GPU reads them */
static uint32_t si_pattern[ST_VID_BYTES / 4 + 0x1000];
static gpucmd_nv_channel si_channels[2];

/* Open channels and memory. */
static bool si_open(si_gpu *s, hw_nvidia *g, unsigned channels)
{
    st_random r = {1};
    memset(s, 0, sizeof *s);
    s->g = g;
    s->channels = channels;
    for (size_t i = 0; i < sizeof si_pattern / 4; i++) {
        si_pattern[i] = st_next(&r);
    }
    for (unsigned ch = 0; ch < channels; ch++) {
        if (!hw_channel_open(g, ST_RING_VA(ch), SI_RING_BYTES, &s->ch[ch])) {
            return false;
        }
    }
    return hw_memory_open(g, HW_MEMORY_SYSTEM, ST_SEM_BYTES, ST_SEM_VA, &s->sem) &&
           hw_memory_open(g, HW_MEMORY_SYSTEM, ST_SYS_BYTES, ST_SYS_VA, &s->sys) &&
           hw_memory_open(g, HW_MEMORY_VIDEO, ST_VID_BYTES, ST_VID_VA, &s->vid) &&
           hw_memory_open(g, HW_MEMORY_SYSTEM, ST_VID_BYTES, ST_VID_VA + 0x10000000, &s->back);
}

/* Make the memory at the beginning of a stream. */
static void si_begin(const st_case *c)
{
    const size_t at_dw = (size_t)(c->seed * 61 % 0x1000);
    memcpy(si_start.sem, si_pattern + at_dw, sizeof si_start.sem);
    memcpy(si_start.sys, si_pattern + at_dw, sizeof si_start.sys);
    memcpy(si_start.vid, si_pattern + at_dw, sizeof si_start.vid);
    for (unsigned i = 0; i < c->poke_count; i++) {
        const st_poke *const p = &c->pokes[i];
        gpucmd_store64((uint8_t *)(p->in_video ? si_start.vid : si_start.sem) + p->off_bytes,
                       p->value, GPUCMD_LITTLE_ENDIAN);
    }
}

/* Encode the entries of a stream. The first sets address bits 56:40 to 0, as the program does. */
static bool si_encode(const st_case *c)
{
    bool good = true;
    for (unsigned ch = 0; ch < c->channels; ch++) {
        for (unsigned i = 0; i < c->entry_count[ch]; i++) {
            const st_entry *const e = &c->entries[ch][i];
            uint32_t *const to = si_entries[ch] + 2 * i;
            good &=
                (e->is_control
                     ? gpucmd_nv_encode_control(to, ST_CHIP, GPUCMD_NV_CONTROL_NOP, e->operand, 0)
                     : gpucmd_nv_encode_entry(to, ST_CHIP, ST_WORDS_VA(ch) + 4 * e->at_dw,
                                              e->len_dw, e->flags)) == GPUCMD_OK;
        }
    }
    return good;
}

static gpucmd_status si_found(void *user, const gpucmd_nv_finding *f)
{
    si_gpu *const s = user;
    if (gpucmd_nv_rule_severity(f->rule) == GPUCMD_SEVERITY_ERROR) {
        snprintf(s->why, sizeof s->why, "%s: %s", gpucmd_nv_rule_name(f->rule),
                 gpucmd_nv_rule_text(f->rule));
    }
    return GPUCMD_OK;
}

/* Check words, entries and methods of a stream. mem is the executor's memory. */
static bool si_check(si_gpu *s, const st_case *c, gpucmd_mem *mem)
{
    gpucmd_nv_stream streams[2];
    gpucmd_nv_check_options options;
    gpucmd_nv_gate gate;
    size_t errors = 0;
    size_t all = 0;
    memset(&options, 0, sizeof options);
    options.found = si_found;
    options.user = s;
    options.mem = mem;
    if (gpucmd_nv_gate_init(&gate, ST_CHIP, true, true, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        return false;
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        streams[ch].dw = c->words[ch];
        streams[ch].len_dw = c->len_dw[ch];
        streams[ch].base_va = ST_WORDS_VA(ch);
        options.va = ST_RING_VA(ch);
        if (gpucmd_nv_check_entries(&gate, si_entries[ch], c->entry_count[ch], &options, &errors) !=
            GPUCMD_OK) {
            return false;
        }
        all += errors;
    }
    return gpucmd_nv_check_host(&gate, streams, c->channels, &options, &errors) == GPUCMD_OK &&
           all + errors == 0;
}

/* Run a stream on the executor. */
static bool si_execute(si_gpu *s, const st_case *c)
{
    gpucmd_region regions[7];
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_nv_report report;
    gpucmd_mem mem;
    gpucmd_why why;
    size_t n = 0;
    gpucmd_run run;
    const struct {
        uint64_t va;
        size_t len_bytes;
        void *host;
    } rows[] = {
        {ST_RING_VA(0),  sizeof si_ring[0],  si_ring[0] },
        {ST_WORDS_VA(0), sizeof si_words[0], si_words[0]},
        {ST_RING_VA(1),  sizeof si_ring[1],  si_ring[1] },
        {ST_WORDS_VA(1), sizeof si_words[1], si_words[1]},
        {ST_SEM_VA,      sizeof si_exec.sem, si_exec.sem},
        {ST_SYS_VA,      sizeof si_exec.sys, si_exec.sys},
        {ST_VID_VA,      sizeof si_exec.vid, si_exec.vid}
    };
    for (n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        regions[n].va = rows[n].va;
        regions[n].bytes = rows[n].len_bytes;
        regions[n].host = rows[n].host;
        regions[n].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    }
    gpucmd_mem_sort(regions, n);
    memcpy(&si_exec, &si_start, sizeof si_exec);
    if (!si_encode(c) || gpucmd_mem_init(&mem, regions, n) != GPUCMD_OK) {
        snprintf(s->why, sizeof s->why, "an entry cannot be encoded");
        return false;
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        gpucmd_store_words(si_words[ch], c->words[ch], c->len_dw[ch], GPUCMD_LITTLE_ENDIAN);
        gpucmd_store_words(si_ring[ch], si_entries[ch], 2 * c->entry_count[ch],
                           GPUCMD_LITTLE_ENDIAN);
    }
    if (!si_check(s, c, &mem)) {
        return false;
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        if (gpucmd_nv_channel_init(&si_channels[ch], ST_CHIP, &card) != GPUCMD_OK) {
            return false;
        }
        si_channels[ch].id = ch;
        si_channels[ch].pbdma.gp_base = ST_RING_VA(ch);
        si_channels[ch].pbdma.limit2 = 8;
        si_channels[ch].pbdma.gp_put = c->entry_count[ch];
    }
    memset(&report, 0, sizeof report);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    run = gpucmd_nv_run_all(si_channels, c->channels, &env, (uint64_t)1 << 26, &report);
    if (run != GPUCMD_RUN_IDLE) {
        gpucmd_text t;
        gpucmd_nv_run_all_why(si_channels, c->channels, &env, &report, &why);
        gpucmd_text_init(&t, s->why, sizeof s->why);
        gpucmd_print_why(&t, &why);
    }
    return run == GPUCMD_RUN_IDLE;
}

/* Submit one segment that ends with a fence, and wait. */
static bool si_submit_tail(si_gpu *s, unsigned ch, gpucmd_writer *w, uint32_t *dw, uint32_t at_dw)
{
    hw_channel *const c = &s->ch[ch];
    size_t len_dw = 0;
    gpucmd_nv_emit_sem_release(w, ST_CHIP, ST_SEM_VA + SI_FENCES + 16 * ch, s->fence,
                               GPUCMD_NV_SEM_WFI);
    if (gpucmd_writer_finish(w, &len_dw) != GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(c->ring.cpu + 0x1000 + 4 * at_dw, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    s->words += len_dw;
    return gpucmd_nv_gpfifo_push(&c->fifo, ST_WORDS_VA(ch) + 4 * at_dw, (uint32_t)len_dw, 0) ==
           GPUCMD_OK;
}

/* Wait for the fence. Then all entries were fetched; hardware writes GP_GET at other times. */
static bool si_wait(si_gpu *s, unsigned ch)
{
    gpucmd_nv_gpfifo *const fifo = &s->ch[ch].fifo;
    if (!hw_wait(s->g, &s->ch[ch], s->sem.cpu + SI_FENCES + 16 * ch, s->fence)) {
        return false;
    }
    fifo->get = fifo->put;
    return true;
}

/* Push the entries of a stream for one channel, then the fence. */
static bool si_push(si_gpu *s, const st_case *c, unsigned ch)
{
    hw_channel *const h = &s->ch[ch];
    uint32_t dw[16];
    gpucmd_writer w;
    gpucmd_store_words(h->ring.cpu + 0x1000, c->words[ch], c->len_dw[ch], GPUCMD_LITTLE_ENDIAN);
    for (unsigned i = 0; i < c->entry_count[ch]; i++) {
        const st_entry *const e = &c->entries[ch][i];
        if ((e->is_control
                 ? gpucmd_nv_gpfifo_push_control(&h->fifo, GPUCMD_NV_CONTROL_NOP, e->operand, 0)
                 : gpucmd_nv_gpfifo_push(&h->fifo, ST_WORDS_VA(ch) + 4 * e->at_dw, e->len_dw,
                                         e->flags)) != GPUCMD_OK) {
            return false;
        }
    }
    s->words += c->len_dw[ch];
    s->submissions++;
    gpucmd_writer_init(&w, dw, 16);
    return si_submit_tail(s, ch, &w, dw, (uint32_t)c->len_dw[ch]);
}

/* Copy VRAM to back, or back to VRAM, with the copy engine of channel 0, because the CPU is slow in
 * VRAM. The words lie after those of all streams. */
static bool si_copy_vid(si_gpu *s, bool to_vid)
{
    uint32_t dw[32];
    gpucmd_writer w;
    s->fence++;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_set_object(&w, ST_CHIP, ST_CE, gpucmd_nv_copy_class(ST_CHIP));
    gpucmd_nv_emit_ce_copy_linear(&w, ST_CHIP, ST_CE, to_vid ? s->vid.va : s->back.va,
                                  to_vid ? s->back.va : s->vid.va, ST_VID_BYTES);
    if (!si_submit_tail(s, 0, &w, dw, ST_WORDS)) {
        return false;
    }
    gpucmd_nv_gpfifo_submit(&s->ch[0].fifo);
    return si_wait(s, 0);
}

/* Return the GPU's time in ns. */
static uint64_t si_time(si_gpu *s)
{
    NV(NV2080_CTRL_TIMER_GET_TIME_PARAMS) t = {0};
    const bool quiet = s->g->quiet;
    s->g->quiet = true;
    (void)HW_CONTROL(s->g, s->g->subdevice, NV2080_CTRL_CMD_TIMER_GET_TIME, &t);
    s->g->quiet = quiet;
    return t.time_nsec;
}

/* Run a stream on the GPU. *t0 and *t1 are times before and after it. */
static bool si_run_gpu(si_gpu *s, const st_case *c, uint64_t *t0, uint64_t *t1)
{
    memcpy(s->sem.cpu, si_start.sem, SI_FENCES);
    memcpy(s->sys.cpu, si_start.sys, ST_SYS_BYTES);
    memcpy(s->back.cpu, si_start.vid, ST_VID_BYTES);
    if (!si_copy_vid(s, true)) {
        return false;
    }
    memset(s->back.cpu, 0, ST_VID_BYTES);
    s->fence++;
    *t0 = si_time(s);
    for (unsigned ch = 0; ch < c->channels; ch++) {
        if (!si_push(s, c, ch)) {
            printf("the ring does not take the stream\n");
            return false;
        }
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        gpucmd_nv_gpfifo_submit(&s->ch[ch].fifo);
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        if (!si_wait(s, ch)) {
            return false;
        }
    }
    *t1 = si_time(s);
    return si_copy_vid(s, false);
}

/* Check the time stamps: inside the time of the stream, units of 32 ns, ascending in a channel. Then
 * give them to the executor's memory, so that the rest can be compared. */
static bool si_stamps_fit(si_gpu *s, const st_case *c, uint64_t t0, uint64_t t1)
{
    uint64_t last[2] = {0, 0};
    for (unsigned i = 0; i < c->stamp_count; i++) {
        const st_stamp *const m = &c->stamps[i];
        const uint8_t *const at = (m->in_video ? s->back.cpu : s->sem.cpu) + m->off_bytes;
        const uint64_t v = gpucmd_load64(at, GPUCMD_LITTLE_ENDIAN);
        const si_difference d = {"time", m->off_bytes, t0, v};
        if ((!s->any_time && (v < t0 || v > t1 + 1000 || v % 32 != 0)) || v < last[m->channel]) {
            s->difference = d;
            return false;
        }
        last[m->channel] = v;
        memcpy((uint8_t *)(m->in_video ? si_exec.vid : si_exec.sem) + m->off_bytes, at, 8);
    }
    return true;
}

static bool si_same(si_gpu *s, const char *region, const void *expected, const uint8_t *got,
                    size_t len_bytes)
{
    const uint8_t *const e = expected;
    if (memcmp(e, got, len_bytes) == 0) {
        return true;
    }
    for (size_t i = 0; i < len_bytes; i++) {
        if (e[i] != got[i]) {
            s->difference.region = region;
            s->difference.off_bytes = (uint32_t)i;
            s->difference.expected = e[i];
            s->difference.got = got[i];
            break;
        }
    }
    return false;
}

/* Run c->keep of the stream of c->seed on both, and compare. */
static si_result si_compare(si_gpu *s, st_case *c)
{
    uint64_t t0 = 0;
    uint64_t t1 = 0;
    memset(&s->difference, 0, sizeof s->difference);
    snprintf(s->why, sizeof s->why, "the stream cannot be made");
    c->channels = s->channels;
    c->block_linear = s->g->block_linear;
    st_make(c);
    if (c->bad) {
        return SI_ILLEGAL;
    }
    si_begin(c);
    if (!si_execute(s, c)) {
        return SI_ILLEGAL;
    }
    if (!si_run_gpu(s, c, &t0, &t1)) {
        return SI_STOPPED;
    }
    return si_stamps_fit(s, c, t0, t1) && si_same(s, "sem", si_exec.sem, s->sem.cpu, SI_FENCES) &&
                   si_same(s, "sys", si_exec.sys, s->sys.cpu, ST_SYS_BYTES) &&
                   si_same(s, "vid", si_exec.vid, s->back.cpu, ST_VID_BYTES)
               ? SI_EQUAL
               : SI_DIFFERS;
}

/* Leave out operations as long as the difference stays; c->keep is then the smallest stream found. */
static inline si_result si_shrink(si_gpu *s, st_case *c)
{
    bool again = true;
    while (again) {
        again = false;
        for (unsigned i = 0; i < c->ops; i++) {
            const uint32_t keep = c->keep;
            si_result result;
            if ((keep >> i & 1) == 0) {
                continue;
            }
            c->keep &= ~(1u << i);
            result = si_compare(s, c);
            if (result == SI_STOPPED) {
                return result;
            }
            again |= result == SI_DIFFERS;
            c->keep = result == SI_DIFFERS ? c->keep : keep;
        }
    }
    return si_compare(s, c);
}

/* Print a stream: the names of its operations and its words. */
static inline void si_print_stream(const st_case *c)
{
    static char lines[65536];
    gpucmd_nv_gate gate;
    printf("risk %u, %u channels\nseed %llu:", c->risk, c->channels, (unsigned long long)c->seed);
    for (unsigned i = 0; i < c->ops; i++) {
        printf("%s%s", (c->keep >> i & 1) != 0 ? " " : "",
               (c->keep >> i & 1) != 0 ? c->names[i] : "");
    }
    printf("\n");
    if (gpucmd_nv_gate_init(&gate, ST_CHIP, true, true, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        return;
    }
    for (unsigned ch = 0; ch < c->channels; ch++) {
        gpucmd_text text;
        gpucmd_nv_walk walk;
        gpucmd_nv_cmd cmd;
        gpucmd_text_init(&text, lines, sizeof lines);
        gpucmd_nv_walk_init(&walk, &gate, c->words[ch], c->len_dw[ch]);
        while (gpucmd_nv_walk_next(&walk, &cmd)) {
            const size_t at_dw = (size_t)(cmd.data - cmd.head_dw - c->words[ch]);
            gpucmd_nv_print(&text, &gate, &cmd, ST_WORDS_VA(ch) + 4 * at_dw);
        }
        printf("channel %u, %u entries:\n%s", ch, c->entry_count[ch], lines);
    }
}

/* Print the first difference and the bytes around it. */
static inline void si_print_difference(const si_gpu *s)
{
    const si_difference *const d = &s->difference;
    const uint8_t *e = NULL;
    const uint8_t *got = NULL;
    uint32_t first;
    printf("%s + 0x%x: executor 0x%llx, GPU 0x%llx\n", d->region, (unsigned)d->off_bytes,
           (unsigned long long)d->expected, (unsigned long long)d->got);
    if (strcmp(d->region, "time") == 0) {
        return;
    }
    e = (const uint8_t *)(strcmp(d->region, "sem") == 0   ? si_exec.sem
                          : strcmp(d->region, "sys") == 0 ? si_exec.sys
                                                          : si_exec.vid);
    got = strcmp(d->region, "sem") == 0   ? s->sem.cpu
          : strcmp(d->region, "sys") == 0 ? s->sys.cpu
                                          : s->back.cpu;
    first = d->off_bytes & ~15u;
    first -= first >= 4 * SI_SHOWN ? 4 * SI_SHOWN / 2 : 0; /* the end of a region is a guard */
    for (unsigned side = 0; side < 2; side++) {
        printf(side == 0 ? "  executor" : "  GPU     ");
        for (uint32_t i = 0; i < 4 * SI_SHOWN; i++) {
            printf(" %02x", (side == 0 ? e : got)[first + i]);
        }
        printf("\n");
    }
}

#endif /* GPUCMD_TEST_SILICON_COMPARE_H */

/* nv/captures.c - every captured pushbuffer is walked, encoded again, checked and
 * executed. A separate program in another language counted the numbers of the
 * table, from the bit pictures only. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"

#include <stdlib.h>

enum {
    MAX_DW = 8192, /* largest file */
    RING_VA = 0x100000,
    PAGE = 4096,
};

typedef struct capture_row {
    const char *folder;
    gpucmd_nv_chip chip;
    unsigned files;
    unsigned words;
    unsigned commands; /* header words, NOP and RETURN included */
    unsigned methods;  /* data words, and IMMD commands */
} capture_row;

static const capture_row rows[] = {
    {"gl_mix-nv30",     GPUCMD_NV_CHIP_NV30,  9,  556,  191, 365 },
    {"gles2_tri-nv40",  GPUCMD_NV_CHIP_NV40,  6,  1071, 387, 684 },
    {"gles2_tri-nv50",  GPUCMD_NV_CHIP_G80,   12, 1049, 294, 755 },
    {"gl_mix-nv50",     GPUCMD_NV_CHIP_G80,   14, 1284, 338, 946 },
    {"gles2_tri-gf100", GPUCMD_NV_CHIP_GF100, 12, 1887, 352, 1576},
    {"gl_mix-gf100",    GPUCMD_NV_CHIP_GF100, 16, 2362, 417, 1988},
    {"gles2_tri-gk104", GPUCMD_NV_CHIP_GK104, 12, 2941, 328, 2653},
    {"gles2_tri-gm107", GPUCMD_NV_CHIP_GM107, 12, 2073, 325, 1789},
    {"gles2_tri-gp102", GPUCMD_NV_CHIP_GP102, 12, 2211, 330, 1924},
    {"gles2_tri-tu102", GPUCMD_NV_CHIP_TU102, 12, 2135, 322, 1856},
    {"gl_mix-tu102",    GPUCMD_NV_CHIP_TU102, 16, 2678, 365, 2358},
};

static struct {
    uint8_t bytes[MAX_DW * 4]; /* little-endian, as captured: what executors read */
    uint32_t dw[MAX_DW];
    size_t len_dw;
    uint64_t va;
} file;

/* A method, for comparison of the reference with the executor. */
typedef struct method {
    uint32_t subc;
    uint32_t mthd;
    uint32_t data;
} method;

static struct {
    method want[MAX_DW];
    size_t want_count;
    method got[MAX_DW];
    size_t got_count;
    unsigned commands;
} seen;

static void expect_method(uint32_t subc, uint32_t mthd, uint32_t data)
{
    if (seen.want_count < MAX_DW) {
        seen.want[seen.want_count].subc = subc;
        seen.want[seen.want_count].mthd = mthd;
        seen.want[seen.want_count].data = data;
    }
    seen.want_count++;
}

/* Reference walk before GF100. [006C] [206E]: method 12:2, subchannel 15:13,
 * count 28:18, bit 30 non-increasing, RETURN 0x00020000. False: a word that
 * these drivers do not write, or too few words. */
static bool reference_old(void)
{
    for (size_t i = 0; i < file.len_dw;) {
        const uint32_t dw = file.dw[i++];
        const uint32_t count = dw >> 18 & 0x7ff;
        seen.commands++;
        if (dw == 0x00020000) {
            continue;
        }
        if ((dw & 0xa0030003) != 0 || count > file.len_dw - i) {
            return false;
        }
        for (uint32_t k = 0; k < count; k++) {
            expect_method(dw >> 13 & 7, (dw & 0x1ffc) + (dw >> 30 != 0 ? 0 : 4 * k), file.dw[i++]);
        }
    }
    return true;
}

/* Reference walk of GF100 and later. [906F]: SEC_OP 31:29 is 1 INC, 3 NON_INC,
 * 4 IMMD, 5 ONE_INC; count or data 28:16, subchannel 15:13, method / 4 11:0. */
static bool reference_new(void)
{
    for (size_t i = 0; i < file.len_dw;) {
        const uint32_t dw = file.dw[i++];
        const uint32_t op = dw >> 29;
        const uint32_t count = op == 4 ? 0 : dw >> 16 & 0x1fff;
        const uint32_t mthd = (dw & 0xfff) * 4;
        seen.commands++;
        if ((op != 1 && op != 3 && op != 4 && op != 5) || count > file.len_dw - i) {
            return false;
        }
        if (op == 4) {
            expect_method(dw >> 13 & 7, mthd, dw >> 16 & 0x1fff);
        }
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t step = op == 1 ? k : op == 5 && k != 0 ? 1 : 0;
            expect_method(dw >> 13 & 7, mthd + 4 * step, file.dw[i++]);
        }
    }
    return true;
}

/* Emit a decoded command again. */
static bool emit_again(const gpucmd_nv_cmd *cmd, bool old)
{
    switch (cmd->form) {
    case GPUCMD_NV_FORM_NOP: gpucmd_nv_emit_nop(&w); return true;
    case GPUCMD_NV_FORM_INC:
        if (old) {
            gpucmd_nv_emit_old_inc(&w, cmd->subc, cmd->mthd, cmd->data, cmd->count_dw);
        } else {
            gpucmd_nv_emit_inc(&w, cmd->subc, cmd->mthd, cmd->data, cmd->count_dw);
        }
        return true;
    case GPUCMD_NV_FORM_NON_INC:
        if (old) {
            gpucmd_nv_emit_old_non_inc(&w, cmd->subc, cmd->mthd, cmd->data, cmd->count_dw);
        } else {
            gpucmd_nv_emit_non_inc(&w, cmd->subc, cmd->mthd, cmd->data, cmd->count_dw);
        }
        return true;
    case GPUCMD_NV_FORM_ONE_INC:
        gpucmd_nv_emit_one_inc(&w, cmd->subc, cmd->mthd, cmd->data, cmd->count_dw);
        return true;
    case GPUCMD_NV_FORM_IMMD:
        gpucmd_nv_emit_immd(&w, cmd->subc, cmd->mthd, cmd->value);
        return true;
    case GPUCMD_NV_FORM_RETURN: gpucmd_nv_emit_return(&w); return true;
    case GPUCMD_NV_FORM_INVALID:
    case GPUCMD_NV_FORM_LONG_NON_INC:
    case GPUCMD_NV_FORM_OLD_INC:
    case GPUCMD_NV_FORM_OLD_NON_INC:
    case GPUCMD_NV_FORM_JUMP_OLD:
    case GPUCMD_NV_FORM_JUMP:
    case GPUCMD_NV_FORM_CALL:
    case GPUCMD_NV_FORM_SLI_COND:
    case GPUCMD_NV_FORM_SLI_STORE:
    case GPUCMD_NV_FORM_SLI_USE:
    case GPUCMD_NV_FORM_END_SEGMENT: break;
    }
    return false;
}

/* Walk to the end, command by command as the reference counts them, and write
 * the same words again. */
static void walk_and_encode(const gpucmd_nv_gate *gate, bool old, unsigned *commands)
{
    static uint32_t again[MAX_DW];
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    size_t at_dw = 0;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, again, MAX_DW);
    gpucmd_nv_walk_init(&walk, gate, file.dw, file.len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_cmd one;
        *commands += 1;
        CHECK(cmd.form != GPUCMD_NV_FORM_INVALID && cmd.stray == 0 && !cmd.resumed);
        CHECK(gpucmd_nv_decode(file.dw + at_dw, file.len_dw - at_dw, gate, &one) == GPUCMD_OK);
        EQUAL(one.len_dw, cmd.len_dw);
        CHECK(emit_again(&cmd, old));
        at_dw += cmd.len_dw;
    }
    CHECK(!gpucmd_nv_walk_pending(&walk));
    EQUAL(at_dw, file.len_dw);
    CHECK(gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK);
    EQUAL(len_dw, file.len_dw);
    CHECK(memcmp(again, file.dw, file.len_dw * 4) == 0);
}

static gpucmd_status count_finding(void *user, const gpucmd_nv_finding *f)
{
    unsigned *count = (unsigned *)user;
    count[f->rule] += 1;
    return GPUCMD_OK;
}

/* Expect no finding, except that a segment ends with RETURN. */
static void check_words(const gpucmd_nv_gate *gate)
{
    unsigned count[GPUCMD_NV_RULE_RUN_CONDITIONAL + 1] = {0};
    gpucmd_nv_check_options options;
    size_t errors = 1;
    memset(&options, 0, sizeof options);
    options.found = count_finding;
    options.user = count;
    options.va = file.va;
    CHECK(gpucmd_nv_check(gate, file.dw, file.len_dw, &options, &errors) == GPUCMD_OK);
    EQUAL(errors, 0);
    for (unsigned rule = 0; rule <= GPUCMD_NV_RULE_RUN_CONDITIONAL; rule++) {
        EQUAL(count[rule], rule == GPUCMD_NV_RULE_RETURN_OUTSIDE && !gate->ib_enable ? 1 : 0);
    }
}

static gpucmd_status arrive(void *user, const gpucmd_event *event)
{
    const gpucmd_nv_chip chip = *(const gpucmd_nv_chip *)user;
    for (uint32_t i = 0; i < event->count_dw && seen.got_count < MAX_DW; i++) {
        method *m = &seen.got[seen.got_count++];
        m->subc = event->unit;
        m->mthd = gpucmd_nv_mthd_at(chip, (gpucmd_nv_kind)event->code, event->addr, i);
        m->data = event->data[i];
    }
    return GPUCMD_OK;
}

/* Execute the words through the ring of the chip: by a call from an NV4-style
 * ring, or by an IB entry. The methods must equal those of the reference. */
static void execute(gpucmd_nv_chip chip, const gpucmd_mmio *area, gpucmd_nv_pusher *pusher,
                    gpucmd_nv_pbdma *pbdma)
{
    static uint64_t ring_memory[PAGE / 8];
    const gpucmd_region regions[] = {
        {RING_VA, PAGE,            ring_memory, GPUCMD_ACCESS_READ},
        {file.va, file.len_dw * 4, file.bytes,  GPUCMD_ACCESS_READ}
    };
    uint32_t *ring_dw = (uint32_t *)ring_memory;
    gpucmd_nv_ring ring;
    gpucmd_nv_gpfifo fifo;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_run run = GPUCMD_RUN_FAULT;
    memset(ring_memory, 0, sizeof ring_memory);
    memset(&ring, 0, sizeof ring);
    memset(&fifo, 0, sizeof fifo);
    seen.got_count = 0;
    CHECK(gpucmd_mem_init(&mem, regions, 2) == GPUCMD_OK);
    gpucmd_env_init(&env, &mem, arrive, &chip);
    if (chip < GPUCMD_NV_CHIP_G80) {
        CHECK(gpucmd_nv_ring_init(&ring, chip, ring_dw, RING_VA, PAGE / 4, 0, area) == GPUCMD_OK);
        ring.get_off_bytes = GPUCMD_NV_AREA_DMA_GET;
        CHECK(gpucmd_nv_ring_begin(&ring, 3, &w) == GPUCMD_OK);
        gpucmd_nv_emit_call(&w, file.va);
        gpucmd_nv_emit_old_inc1(&w, 7, 0x0100, 0x600d); /* RETURN continues here */
        expect_method(7, 0x0100, 0x600d);
        CHECK(gpucmd_nv_ring_end(&ring, &w) == GPUCMD_OK);
        for (unsigned i = 0; i < 3; i++) {
            gpucmd_store32(&ring_dw[i], ring_dw[i], GPUCMD_LITTLE_ENDIAN);
        }
        gpucmd_nv_ring_submit(&ring);
    } else {
        CHECK(gpucmd_nv_gpfifo_init(&fifo, chip, ring_memory, 9, area, NULL, 0) == GPUCMD_OK);
        CHECK(gpucmd_nv_gpfifo_push(&fifo, file.va, (uint32_t)file.len_dw, 0) == GPUCMD_OK);
        gpucmd_nv_gpfifo_submit(&fifo);
    }
    run = pusher != NULL ? gpucmd_nv_pusher_run(pusher, &env, MAX_DW)
                         : gpucmd_nv_pbdma_run(pbdma, &env, MAX_DW);
    EQUAL(run, GPUCMD_RUN_IDLE);
    EQUAL(seen.got_count, seen.want_count);
    CHECK(memcmp(seen.got, seen.want, seen.want_count * sizeof seen.want[0]) == 0);
}

static void execute_old(gpucmd_nv_chip chip)
{
    gpucmd_nv_pusher p;
    const gpucmd_mmio area = {gpucmd_nv_pusher_read32, gpucmd_nv_pusher_write32, &p};
    CHECK(gpucmd_nv_pusher_init(&p, chip) == GPUCMD_OK);
    p.dma_get = p.dma_put = RING_VA;
    p.ib_enable = chip >= GPUCMD_NV_CHIP_G80;
    p.ib_address = RING_VA;
    p.ib_order = 9;
    if (p.ib_enable) {
        p.dma_get = p.dma_put = 0;
    }
    execute(chip, &area, &p, NULL);
    EQUAL(p.error, GPUCMD_NV_PUSHER_ERROR_NONE);
    EQUAL(p.mcnt, 0);
    EQUAL(p.lenp, 0);
    EQUAL(p.subr_active, 0);
    EQUAL(p.dma_get, p.ib_enable ? file.va + 4 * file.len_dw : RING_VA + 12);
}

static void execute_new(gpucmd_nv_chip chip)
{
    gpucmd_nv_pbdma p;
    const gpucmd_mmio area = {gpucmd_nv_pbdma_read32, gpucmd_nv_pbdma_write32, &p};
    CHECK(gpucmd_nv_pbdma_init(&p, chip) == GPUCMD_OK);
    p.gp_base = RING_VA;
    p.limit2 = 9;
    execute(chip, &area, NULL, &p);
    EQUAL(p.intr, 0);
    EQUAL(p.count, 0);
    EQUAL(p.gp_get, 1);
    EQUAL(p.pb_get, file.va + 4 * file.len_dw);
}

/* Read NNN.bin, and check its size and address against index.tsv. */
static bool read_file(const char *folder, const char *name, uint64_t va, unsigned long len_bytes)
{
    char path[128];
    FILE *f;
    snprintf(path, sizeof path, "tests/data/captures/%s/%s", folder, name);
    f = fopen(path, "rb");
    if (!CHECK(f != NULL)) {
        return false;
    }
    file.len_dw = fread(file.bytes, 1, sizeof file.bytes, f);
    fclose(f);
    EQUAL(file.len_dw, len_bytes);
    EQUAL(file.len_dw % 4, 0);
    file.len_dw /= 4;
    file.va = va;
    gpucmd_load_words(file.dw, file.bytes, file.len_dw, GPUCMD_LITTLE_ENDIAN);
    return true;
}

static void one_file(const capture_row *row, capture_row *sum)
{
    const bool old = row->chip < GPUCMD_NV_CHIP_GF100;
    gpucmd_nv_gate gate;
    seen.want_count = 0;
    seen.commands = 0;
    CHECK(old ? reference_old() : reference_new());
    CHECK(gpucmd_nv_gate_init(&gate, row->chip, row->chip >= GPUCMD_NV_CHIP_G80, false,
                              GPUCMD_NV_FMT_NEW) == GPUCMD_OK);
    walk_and_encode(&gate, old, &sum->commands);
    check_words(&gate);
    sum->files++;
    sum->words += (unsigned)file.len_dw;
    sum->methods += (unsigned)seen.want_count;
    if (old) {
        execute_old(row->chip);
    } else {
        execute_new(row->chip);
    }
}

static void one_folder(const capture_row *row)
{
    capture_row sum = {row->folder, row->chip, 0, 0, 0, 0};
    unsigned reference = 0;
    char path[128];
    char line[256];
    FILE *f;
    snprintf(path, sizeof path, "tests/data/captures/%s/index.tsv", row->folder);
    f = fopen(path, "r");
    if (!CHECK(f != NULL)) {
        return;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        char name[16];
        char va[32];
        char len_bytes[16];
        if (sscanf(line, "%15s %*s %*s fifo %31s %15s", name, va, len_bytes) == 3 &&
            read_file(row->folder, name, strtoull(va, NULL, 16), strtoul(len_bytes, NULL, 10))) {
            one_file(row, &sum);
            reference += seen.commands;
        }
    }
    fclose(f);
    EQUAL(sum.files, row->files);
    EQUAL(sum.words, row->words);
    EQUAL(sum.commands, row->commands);
    EQUAL(reference, row->commands);
    EQUAL(sum.methods, row->methods);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        one_folder(&rows[i]);
    }
    return test_report("nv_captures");
}

/* nv_text.h - NVIDIA commands as text, TSV and JSON with names, for nv.h. */
#ifndef DUMP_NV_TEXT_H
#define DUMP_NV_TEXT_H

#include "base.h"
#include "bytes.h"
#include "chips.h"
#include "nv_fields.h"
#include "nv_job.h"
#include "nv_names.h"
#include "options.h"
#include "output.h"
#include "section.h"
#include "settings.h"
#include "stream.h"
#include "text.h"
#include "words.h"

/* ---- classes ---- */

/* Read the file that --names gives, or the one beside the tool. */
static int nv_take_names(const settings *set)
{
    const char *path = set->names;
    if (path == NULL) {
        nv_find_names(set->program);
        return EXIT_FINE;
    }
    const size_t n = strlen(path);
    if (n > 2 && strcmp(path + n - 2, ".h") == 0) {
        nv_find_names(set->program); /* a header adds its class to the names of others */
    }
    nv_names.tried = true;
    errno = 0;
    if (strcmp(path, "none") == 0 || nv_read_names(path)) {
        return EXIT_FINE;
    }
    return refused(path, "has no names",
                   "a file such as nv_methods.txt, or a class header such as clc597.h");
}

/* Return the class of the chip whose number ends with the last two digits of suffix, as nouveau
 * chooses it: the last row. 0: none. */
static uint32_t nv_chip_class_of(gpucmd_nv_chip chip, uint32_t suffix)
{
    static const struct {
        uint16_t class_id;
        uint16_t since;
        uint16_t until;
    } rows[] = {
#define NV_CLASS_ROW(number, kind, since, until, source)                                           \
    {0x##number, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until},
        GPUCMD_NV_CHIP_CLASSES(NV_CLASS_ROW)
#undef NV_CLASS_ROW
    };
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].class_id & 0xff) == suffix && chip >= (gpucmd_nv_chip)rows[i].since &&
            chip < (gpucmd_nv_chip)rows[i].until) {
            found = rows[i].class_id;
        }
    }
    return found;
}

/* Return the copy class of a chip. */
static uint32_t nv_copy_class(gpucmd_nv_chip chip)
{
    static const struct {
        gpucmd_nv_chip since;
        uint32_t class_id;
    } rows[] = {
        {GPUCMD_NV_CHIP_GF100, 0x90b5},
        {GPUCMD_NV_CHIP_GK104, 0xa0b5},
        {GPUCMD_NV_CHIP_GM107, 0xb0b5},
        {GPUCMD_NV_CHIP_GP100, 0xc0b5},
        {GPUCMD_NV_CHIP_GP102, 0xc1b5},
        {GPUCMD_NV_CHIP_GV100, 0xc3b5},
        {GPUCMD_NV_CHIP_TU102, 0xc5b5},
        {GPUCMD_NV_CHIP_GA100, 0xc6b5},
        {GPUCMD_NV_CHIP_GA102, 0xc7b5},
        {GPUCMD_NV_CHIP_GH100, 0xc8b5},
        {GPUCMD_NV_CHIP_GB100, 0xc9b5},
        {GPUCMD_NV_CHIP_GB202, 0xcab5},
    };
    uint32_t found = 0x85b5;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (chip >= rows[i].since) {
            found = rows[i].class_id;
        }
    }
    return found;
}

/* Return the class for uploads of a chip of GF100 and later. */
static uint32_t nv_upload_class(gpucmd_nv_chip chip)
{
    const uint32_t found = nv_chip_class_of(chip, 0x40);
    if (found != 0) {
        return found;
    }
    return nv_chip_class_of(chip, 0x39);
}

/* Return the class that nouveau and Mesa bind to a subchannel, 0: none. */
static uint32_t nv_usual_class(gpucmd_nv_chip chip, uint32_t subc)
{
    const uint32_t class_3d = nv_chip_class_of(chip, 0x97);
    if (GPUCMD_NV_IS_GF100(chip)) {
        switch (subc) {
        case 0: return class_3d;
        case 1: return nv_chip_class_of(chip, 0xc0);
        case 2: return nv_upload_class(chip);
        case 3: return 0x902d;
        case 4: return nv_copy_class(chip);
        default: return 0;
        }
    }
    const uint32_t g80[NV_SUBCHANNELS] = {0, 0, 0, class_3d, 0x502d, 0x5039, 0x50c0, 0};
    const uint32_t nv40[NV_SUBCHANNELS] = {0, 0, 0x0039, 0x3062, 0x309e, 0x3089, 0, class_3d};
    const uint32_t nv4[NV_SUBCHANNELS] = {0, 0, 0x0039, 0x0362, 0x039e, 0x0389, 0, class_3d};
    if (subc >= NV_SUBCHANNELS) {
        return 0;
    }
    if (chip >= GPUCMD_NV_CHIP_G80) {
        return g80[subc];
    }
    if (chip >= GPUCMD_NV_CHIP_NV40) {
        return nv40[subc];
    }
    return nv4[subc];
}

/* Return the class of a value of SET_OBJECT. Before GF100 it is a handle; the last digits of
 * nouveau's handles are the class or a part of it. */
static uint32_t nv_object_class(gpucmd_nv_chip chip, uint32_t value)
{
    static const uint16_t parts[][3] = {
        {0x3901, 0x0039, 0x0039},
        {0x6201, 0x0362, 0x3062},
        {0x5201, 0x039e, 0x309e},
        {0x7701, 0x0389, 0x3089},
        {0x8901, 0x0389, 0x3089},
        {0x9e01, 0x039e, 0x309e},
    };
    const uint32_t id = value & 0xffff;
    if (GPUCMD_NV_IS_GF100(chip)) {
        return id;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i][0] == id) {
            return parts[i][chip >= GPUCMD_NV_CHIP_NV40 ? 2 : 1];
        }
    }
    if ((id & 0xff) == 0x97) {
        return nv_chip_class_of(chip, 0x97);
    }
    return id;
}

/* Return the class that takes a method now; a subchannel that nothing has bound has the usual one. */
static uint32_t nv_class_now(nv_job *job, uint32_t subc, uint32_t mthd)
{
    if (mthd < 0x100) {
        return gpucmd_nv_chip_class(job->gate.chip);
    }
    if (job->class_id[subc] == 0) {
        job->assumed |= 1u << subc;
        return nv_usual_class(job->gate.chip, subc);
    }
    return job->class_id[subc];
}

/* Report on standard error which classes were assumed. */
static void nv_report_assumed(void *user)
{
    const nv_job *job = user;
    char list[96] = "";
    for (uint32_t subc = 0; subc < NV_SUBCHANNELS; subc++) {
        const uint32_t id = nv_usual_class(job->gate.chip, subc);
        if ((job->assumed >> subc & 1) != 0 && id != 0) {
            append(list, sizeof list, "%s%" PRIu32 "=%04" PRIx32, list[0] != '\0' ? "," : "", subc,
                   id);
        }
    }
    if (list[0] != '\0' && nv_names.class_count != 0 && job->out->format == FORMAT_TEXT) {
        note(job->d,
             "no class is bound for names of some methods: assumed --class %s, as nouveau binds",
             list);
    }
}

/* Follow SET_OBJECT: the method takes the word. */
static void nv_follow(nv_job *job, uint32_t subc, uint32_t mthd, uint32_t dw)
{
    if (mthd == GPUCMD_NV_HOST_SET_OBJECT && subc < NV_SUBCHANNELS &&
        job->set->class_id[subc] == 0) {
        job->class_id[subc] = nv_object_class(job->gate.chip, dw);
    }
}

/* Write the name of a method, "" if it has none. */
static void nv_name(nv_job *job, uint32_t subc, uint32_t mthd, char *text, size_t cap)
{
    const nv_method *m;
    text[0] = '\0';
    if (mthd < 0x100) {
        append(text, cap, "%s", gpucmd_nv_host_method_name(job->gate.chip, mthd));
        if (text[0] != '?') {
            return;
        }
        text[0] = '\0';
    }
    m = nv_find_method(nv_class_now(job, subc, mthd), mthd);
    if (m != NULL) {
        append_method(m, mthd, text, cap);
    }
}

/* Append the fields of the value of a method, and the class that SET_OBJECT names. */
static void nv_fields(nv_job *job, uint32_t subc, uint32_t mthd, uint32_t dw, char *text,
                      size_t cap)
{
    const nv_method *m = nv_find_method(nv_class_now(job, subc, mthd), mthd);
    if (mthd == GPUCMD_NV_HOST_SET_OBJECT) {
        const nv_class *c = nv_find_class(nv_object_class(job->gate.chip, dw));
        if (c != NULL) {
            append(text, cap, " %s", c->name);
        }
    } else if (m != NULL) {
        append_fields(m, dw, text, cap);
    }
}

/* ---- rows ---- */

/* Write one row of TSV or JSON. A cell of -1 does not apply. */
static void nv_row(const nv_job *job, uint64_t offset, const uint32_t *dw, const char *form,
                   const int64_t cell[3], const char *name)
{
    output *out = job->out;
    begin_row(out);
    if (out->format == FORMAT_JSON) {
        printf("\"offset\":%" PRIu64, offset);
        put_cell(out, "word", dw != NULL ? (int64_t)*dw : -1, false);
        printf(",\"form\":\"%s\"", form);
    } else {
        printf("0x%" PRIx64, offset);
        if (dw != NULL) {
            printf("\t%08" PRIx32 "\t%s", *dw, form);
        } else {
            printf("\t-\t%s", form);
        }
    }
    put_cell(out, "subc", cell[0], false);
    put_cell(out, "mthd", cell[1], true);
    put_cell(out, "count", cell[2], false);
    if (job->names) {
        put_text_cell(out, "name", name);
    }
    putchar(out->format == FORMAT_JSON ? '}' : '\n');
}

/* Return false if the dump does not have word i of the stream. */
static bool nv_known(const nv_job *job, uint64_t i)
{
    return job->in->unknown == NULL || job->in->unknown[i] == WORD_KNOWN;
}

/* Write the rows of one command, or of the part of a method run in this block. */
static void nv_rows(nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    const uint32_t *dw = cmd->data - cmd->head_dw;
    const bool run = gpucmd_nv_form_is_run(cmd->form);
    const bool counts =
        run && cmd->form != GPUCMD_NV_FORM_IMMD && cmd->form != GPUCMD_NV_FORM_LONG_NON_INC;
    for (uint32_t i = 0; i < cmd->len_dw; i++) {
        int64_t cell[3] = {-1, -1, -1};
        const char *form = "DATA";
        char name[80] = "";
        if (i == 0 && !cmd->resumed) {
            form = gpucmd_nv_form_name(cmd->form);
            if (run) {
                cell[0] = cmd->subc;
                cell[1] = cmd->mthd;
            }
            if (counts) {
                cell[2] = cmd->count_dw;
            }
        } else if (i < cmd->head_dw) {
            form = "COUNT";
            cell[2] = cmd->count_dw;
        } else {
            cell[0] = cmd->subc;
            cell[1] = gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, i - cmd->head_dw);
        }
        if (cell[1] >= 0) {
            const bool taken = i >= cmd->head_dw || cmd->form == GPUCMD_NV_FORM_IMMD;
            if (taken) {
                nv_follow(job, cmd->subc, (uint32_t)cell[1], i < cmd->head_dw ? cmd->value : dw[i]);
            }
            nv_name(job, cmd->subc, (uint32_t)cell[1], name, sizeof name);
        }
        nv_row(job, offset + 4 * (uint64_t)i, nv_known(job, offset / 4 + i) ? &dw[i] : NULL, form,
               cell, name);
    }
}

/* Append the stream of the dump that a jump or call goes to. */
static void nv_link(const nv_job *job, const gpucmd_nv_cmd *cmd, char *text, size_t cap)
{
    const bool goes = cmd->form == GPUCMD_NV_FORM_JUMP || cmd->form == GPUCMD_NV_FORM_JUMP_OLD ||
                      cmd->form == GPUCMD_NV_FORM_CALL;
    for (size_t i = 0; goes && i < stream_count(job->d) && job->d->count > 1; i++) {
        size_t at;
        if (stream_find(&job->d->streams[i], cmd->value, &at)) {
            append(text, cap, " -> stream %zu", i);
            if (at != 0) {
                append(text, cap, " word %zu", at);
            }
            return;
        }
    }
}

/* Return the part of cmd that is its word i: a command for the printer, which prints one line. */
static gpucmd_nv_cmd nv_word_of(const nv_job *job, const gpucmd_nv_cmd *cmd, uint32_t i)
{
    gpucmd_nv_cmd word = *cmd;
    word.len_dw = 1;
    word.resumed = i != 0 || cmd->resumed;
    word.head_dw = i < cmd->head_dw;
    word.data = cmd->data - cmd->head_dw + i + word.head_dw;
    if (word.head_dw == 0) {
        word.mthd = gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, i - cmd->head_dw);
    }
    return word;
}

/* What nv_print_name needs: the job, and room for the name. */
typedef struct nv_named {
    nv_job *job;
    char name[80];
} nv_named;

/* Callback of gpucmd_nv_print_names, which names host methods by itself. */
static const char *nv_print_name(void *user, uint32_t subc, uint32_t mthd)
{
    nv_named *named = user;
    if (mthd < GPUCMD_NV_HOST_END) {
        return NULL;
    }
    nv_name(named->job, subc, mthd, named->name, sizeof named->name);
    if (named->name[0] != '\0') {
        return named->name;
    }
    return NULL;
}

static const char *nv_color(gpucmd_nv_form form)
{
    if (form == GPUCMD_NV_FORM_INVALID) {
        return RED;
    }
    if (gpucmd_nv_form_is_run(form)) {
        return CYAN;
    }
    return YELLOW;
}

/* Write one command as text: the library's lines with the names of methods, and the fields. */
static void nv_text(nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    nv_named named;
    named.job = job;
    for (uint32_t i = 0; i < cmd->len_dw; i++, offset += 4) {
        const gpucmd_nv_cmd word = nv_word_of(job, cmd, i);
        const bool known = nv_known(job, offset / 4);
        char printed[256];
        char line[512];
        char fields[320] = "";
        gpucmd_text text;
        if (gpucmd_nv_form_is_run(cmd->form) &&
            (word.head_dw == 0 || cmd->form == GPUCMD_NV_FORM_IMMD)) {
            const uint32_t value = word.head_dw == 0 ? *word.data : cmd->value;
            nv_follow(job, cmd->subc, word.mthd, value);
            if (known) {
                nv_fields(job, cmd->subc, word.mthd, value, fields, sizeof fields);
            }
        }
        nv_link(job, cmd, fields, sizeof fields);
        gpucmd_text_init(&text, printed, sizeof printed);
        gpucmd_nv_print_names(&text, &job->gate, &word, job->base_va + offset, nv_print_name,
                              &named);
        put_command_line(job->out, line, sizeof line, printed, printed + text.len_bytes - 1, fields,
                         known, nv_color(cmd->form), offset);
    }
}

/* Write the last row of a truncated stream. */
static void nv_truncated(const nv_job *job, const gpucmd_nv_walk *walk)
{
    const uint64_t offset = 4 * (uint64_t)job->in->len_dw;
    const bool pending = gpucmd_nv_walk_pending(walk);
    int64_t cell[3] = {-1, -1, -1};
    if (pending) {
        cell[0] = walk->subc;
        cell[1] = walk->mthd;
        if (walk->lenp) {
            cell[2] = -1;
        } else {
            cell[2] = (int64_t)walk->left_dw;
        }
    }
    if (job->out->to_page) {
        return; /* a finding says so */
    }
    if (job->out->format != FORMAT_TEXT) {
        nv_row(job, offset, NULL, "TRUNCATED", cell, "");
        return;
    }
    printf("0x%06" PRIx64 "  --------  %sTRUNCATED%s    ", job->base_va + offset,
           paint(job->out, RED), paint(job->out, PLAIN));
    if (pending) {
        printf("s%" PRIu32 " 0x%04" PRIx32 " ", walk->subc, walk->mthd);
    }
    if (pending && walk->lenp) {
        puts("the count word is missing");
    } else if (pending) {
        printf("n%" PRIu32 " missing\n", walk->left_dw);
    } else {
        printf("%zu byte%s of a word\n", job->in->extra_bytes, plural(job->in->extra_bytes));
    }
}

/* Count an error of decoding; print the first MESSAGES errors on standard error. */
static void nv_report_error(nv_job *job, gpucmd_nv_rule rule, uint64_t offset, uint32_t dw,
                            uint32_t value)
{
    gpucmd_nv_finding f;
    char expected[96];
    memset(&f, 0, sizeof f);
    f.rule = rule;
    f.at_va = job->base_va + offset;
    f.dw = dw;
    f.value = value;
    if (job->found[GPUCMD_SEVERITY_ERROR]++ >= MESSAGES || dump_quiet) {
        return;
    }
    nv_expected(job, &f, expected, sizeof expected);
    fprintf(stderr, "gpucmd-dump: %s: offset 0x%" PRIx64 ": ", job->in->name, offset);
    if (rule == GPUCMD_NV_RULE_INVALID_COMMAND) {
        fprintf(stderr, "%08" PRIx32 ": ", dw);
    }
    fprintf(stderr, "%s; expected %s\n", nv_rule_text(&f), expected);
}

/* Decode and print all words, block by block. */
static void nv_print_all(nv_job *job)
{
    gpucmd_nv_walk *walk = &job->walk;
    uint64_t offset = 0;
    size_t rested = 0;
    gpucmd_nv_walk_init(walk, &job->gate, NULL, 0);
    put_header(job->out, job->names ? "offset\tword\tform\tsubc\tmthd\tcount\tname"
                                    : "offset\tword\tform\tsubc\tmthd\tcount");
    for (size_t at = 0; at < job->in->len_dw; at += NV_BLOCK_DW) {
        const size_t left_dw = job->in->len_dw - at;
        gpucmd_nv_cmd cmd;
        show_progress(job->in->name, "decoded", 4 * (uint64_t)at, 4 * (uint64_t)job->in->len_dw);
        rest_words(job->in, &rested, at);
        gpucmd_nv_walk_segment(walk, job->in->dw + at, (size_t)lesser(left_dw, NV_BLOCK_DW));
        while (gpucmd_nv_walk_next(walk, &cmd)) {
            if (cmd.form == GPUCMD_NV_FORM_INVALID) {
                nv_report_error(job, GPUCMD_NV_RULE_INVALID_COMMAND, offset, cmd.dw, 0);
            }
            if (job->out->format == FORMAT_TEXT) {
                nv_text(job, &cmd, offset);
            } else {
                nv_rows(job, &cmd, offset);
            }
            offset += 4 * (uint64_t)cmd.len_dw;
        }
    }
    end_progress();
    if (gpucmd_nv_walk_pending(walk) || job->in->extra_bytes != 0) {
        nv_truncated(job, walk);
        nv_report_error(job, GPUCMD_NV_RULE_TRUNCATED, offset, 0, walk->lenp ? 1 : walk->left_dw);
    }
}

/* Decode the stream. What the page shows is decoded once more, so it leaves the bound classes. */
static int nv_decode(void *user)
{
    nv_job *job = user;
    uint32_t class_id[NV_SUBCHANNELS];
    memcpy(class_id, job->class_id, sizeof class_id);
    memset(job->found, 0, sizeof job->found);
    nv_print_all(job);
    if (job->out->to_page) {
        memcpy(job->class_id, class_id, sizeof class_id);
    }
    const size_t errors = job->found[GPUCMD_SEVERITY_ERROR];
    if (errors > MESSAGES && !dump_quiet) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name, errors - MESSAGES);
    }
    return exit_unless(errors == 0, EXIT_STREAM);
}

#endif

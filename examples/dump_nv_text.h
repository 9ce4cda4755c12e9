/* dump_nv_text.h - NVIDIA commands as text, TSV and JSON with names, for dump_nv.h. */
#ifndef DUMP_NV_TEXT_H
#define DUMP_NV_TEXT_H

/* ---- classes ---- */

/* Read the file that --names gives, or the one beside the tool. */
static int nv_take_names(const options *opt)
{
    const char *path = opt->value[OPT_NAMES];
    if (path == NULL) {
        nv_find_names(opt->program);
        return EXIT_FINE;
    }
    const size_t n = strlen(path);
    if (n > 2 && strcmp(path + n - 2, ".h") == 0) {
        nv_find_names(opt->program); /* a header adds its class to the names of others */
    }
    nv_names.tried = true;
    errno = 0;
    return strcmp(path, "none") == 0 || nv_read_names(path)
               ? EXIT_FINE
               : refused(path, "has no names",
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
    return chip >= GPUCMD_NV_CHIP_GB202   ? 0xcab5
           : chip >= GPUCMD_NV_CHIP_GB100 ? 0xc9b5
           : chip >= GPUCMD_NV_CHIP_GH100 ? 0xc8b5
           : chip >= GPUCMD_NV_CHIP_GA102 ? 0xc7b5
           : chip >= GPUCMD_NV_CHIP_GA100 ? 0xc6b5
           : chip >= GPUCMD_NV_CHIP_TU102 ? 0xc5b5
           : chip >= GPUCMD_NV_CHIP_GV100 ? 0xc3b5
           : chip >= GPUCMD_NV_CHIP_GP102 ? 0xc1b5
           : chip >= GPUCMD_NV_CHIP_GP100 ? 0xc0b5
           : chip >= GPUCMD_NV_CHIP_GM107 ? 0xb0b5
           : chip >= GPUCMD_NV_CHIP_GK104 ? 0xa0b5
           : chip >= GPUCMD_NV_CHIP_GF100 ? 0x90b5
                                          : 0x85b5;
}

/* Return the class that nouveau and Mesa bind to a subchannel, 0: none. */
static uint32_t nv_usual_class(gpucmd_nv_chip chip, uint32_t subc)
{
    const uint32_t inline_class = nv_chip_class_of(chip, 0x40);
    if (GPUCMD_NV_IS_GF100(chip)) {
        return subc == 0   ? nv_chip_class_of(chip, 0x97)
               : subc == 1 ? nv_chip_class_of(chip, 0xc0)
               : subc == 2 ? (inline_class != 0 ? inline_class : nv_chip_class_of(chip, 0x39))
               : subc == 3 ? 0x902d
               : subc == 4 ? nv_copy_class(chip)
                           : 0;
    }
    if (chip >= GPUCMD_NV_CHIP_G80) {
        return subc == 3   ? nv_chip_class_of(chip, 0x97)
               : subc == 4 ? 0x502d
               : subc == 5 ? 0x5039
               : subc == 6 ? 0x50c0
                           : 0;
    }
    return subc == 2   ? 0x0039
           : subc == 3 ? (chip >= GPUCMD_NV_CHIP_NV40 ? 0x3062 : 0x0362)
           : subc == 4 ? (chip >= GPUCMD_NV_CHIP_NV40 ? 0x309e : 0x039e)
           : subc == 5 ? (chip >= GPUCMD_NV_CHIP_NV40 ? 0x3089 : 0x0389)
           : subc == 7 ? nv_chip_class_of(chip, 0x97)
                       : 0;
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
    return (id & 0xff) == 0x97 ? nv_chip_class_of(chip, 0x97) : id;
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
static void nv_report_assumed(const nv_job *job)
{
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
        job->choice.class_id[subc] == 0) {
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
        append(text, cap, c != NULL ? " %s" : "%s", c != NULL ? c->name : "");
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
            cell[0] = run ? (int64_t)cmd->subc : -1;
            cell[1] = run ? (int64_t)cmd->mthd : -1;
            cell[2] = counts ? (int64_t)cmd->count_dw : -1;
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

/* Write one command as text: the library's lines, each with the name and the fields. */
static void nv_text(nv_job *job, const gpucmd_nv_cmd *cmd, uint64_t offset)
{
    static char lines[NV_BLOCK_DW * 96];
    const char *color = cmd->form == GPUCMD_NV_FORM_INVALID ? RED
                        : gpucmd_nv_form_is_run(cmd->form)  ? CYAN
                                                            : YELLOW;
    const uint32_t *dw = cmd->data - cmd->head_dw;
    const bool run = gpucmd_nv_form_is_run(cmd->form);
    gpucmd_text text;
    gpucmd_text_init(&text, lines, sizeof lines);
    gpucmd_nv_print(&text, &job->gate, cmd, job->base_va + offset);
    char *at = lines;
    for (uint32_t i = 0; i < cmd->len_dw; i++) {
        char line[512];
        char name[80] = "";
        char fields[320] = "";
        char *eol = (char *)(uintptr_t)line_end(at, lines + text.len_bytes);
        const bool first = i == 0 && !cmd->resumed;
        const bool count = !first && i < cmd->head_dw;
        const bool taken = !first && !count;
        const uint32_t step = i - (taken ? cmd->head_dw : i);
        const uint32_t mthd =
            run && !count ? gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, step) : 0;
        const bool known = nv_known(job, offset / 4 + i);
        if (run && !count) {
            if (taken || cmd->form == GPUCMD_NV_FORM_IMMD) {
                const uint32_t value = taken ? dw[i] : cmd->value;
                nv_follow(job, cmd->subc, mthd, value);
                if (known) {
                    nv_fields(job, cmd->subc, mthd, value, fields, sizeof fields);
                }
            }
            nv_name(job, cmd->subc, mthd, name, sizeof name);
        }
        nv_link(job, cmd, fields, sizeof fields);
        put_command_line(job->out, line, sizeof line, at, eol, run && mthd >= 0x100 ? name : "",
                         fields, known, color, offset + 4 * (uint64_t)i);
        at = eol + 1;
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
        cell[2] = walk->lenp ? -1 : (int64_t)walk->left_dw;
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
    const gpucmd_nv_finding f = {rule, job->base_va + offset, dw, 0, value};
    char expected[96];
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
    gpucmd_nv_walk_init(walk, &job->gate);
    put_header(job->out, job->names ? "offset\tword\tform\tsubc\tmthd\tcount\tname"
                                    : "offset\tword\tform\tsubc\tmthd\tcount");
    for (size_t at = 0; at < job->in->len_dw; at += NV_BLOCK_DW) {
        const size_t left_dw = job->in->len_dw - at;
        gpucmd_nv_cmd cmd;
        show_progress(job->in->name, "decoded", 4 * (uint64_t)at, 4 * (uint64_t)job->in->len_dw);
        gpucmd_nv_walk_segment(walk, job->in->dw + at,
                               left_dw < NV_BLOCK_DW ? left_dw : NV_BLOCK_DW);
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

static int nv_decode(nv_job *job)
{
    nv_print_all(job);
    if (job->found[GPUCMD_SEVERITY_ERROR] > MESSAGES && !dump_quiet) {
        fprintf(stderr, "gpucmd-dump: %s: %zu more errors\n", job->in->name,
                job->found[GPUCMD_SEVERITY_ERROR] - MESSAGES);
    }
    return job->found[GPUCMD_SEVERITY_ERROR] != 0 ? EXIT_STREAM : EXIT_FINE;
}

#endif

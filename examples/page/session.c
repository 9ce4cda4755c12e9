/* session.c - gpucmd-dump as a module for a page: what the page calls. Built for WebAssembly (WASI)
 * from the sources of examples/gpucmd-dump; `make page` puts it into build/gpucmd.html.
 *
 * A module reads one input and keeps it. Functions print on standard output, in JSON unless they say
 * otherwise, and messages on standard error, as the tool does. Arguments are texts that end with 0, one
 * after the other, in the room of page_room.
 */
#define main tool_main
#include "examples/gpucmd-dump/gpucmd-dump.c"
#undef main

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { BLOCK_DW = NV_BLOCK_DW, ARGUMENTS = 64 };

/* Where the rows of a block of words begin. */
typedef struct row_block {
    uint64_t commands;   /* before the block */
    size_t at_dw;        /* i915: the first command that begins in the block or after it */
    gpucmd_nv_walk walk; /* nv */
    uint32_t class_id[NV_SUBCHANNELS];
} row_block;

/* The rows of the present stream: one for each word. */
typedef struct row_index {
    size_t stream;
    row_block *blocks;
    size_t count;
    uint64_t rows;
    uint64_t commands;
    bool made;
} row_index;

/* Rows that are printed: numbers from..from + count of words, or of commands. */
typedef struct row_range {
    uint64_t from;
    uint64_t end;
    uint64_t next_word;
    uint64_t next_command;
    bool commands;
    uint64_t command; /* the command that word number from belongs to */
    const char *find; /* NULL, or a text in lower case: rows without it are not printed */
    int64_t found;    /* the first row with the text, or -1 */
} row_range;

static struct {
    char *room;
    size_t room_bytes;
    options opt;
    settings set;
    output out;
    dump d;
    dump_input in;
    const vendor *v;
    void *job;
    row_index index;
    stepper *steps;
    char *text; /* agx: the lines */
    size_t text_len;
} page;

/* Make room for n bytes of arguments and return it. */
char *EXPORT(page_room)(size_t n)
{
    page.room = resize(page.room, n, 1);
    page.room_bytes = n;
    return page.room;
}

/* Make argv of the arguments: the name of the program comes first. */
static int page_arguments(char *argv[ARGUMENTS + 2])
{
    static char name[] = "/gpucmd-dump";
    int argc = 0;
    argv[argc++] = name;
    for (size_t at = 0; at < page.room_bytes && argc <= ARGUMENTS;) {
        argv[argc++] = page.room + at;
        at += strlen(page.room + at) + 1;
    }
    argv[argc] = NULL;
    return argc;
}

/* Run the tool with the arguments, as on a command line. */
int EXPORT(page_tool)(void)
{
    char *argv[ARGUMENTS + 2];
    const int argc = page_arguments(argv);
    const int status = tool_main(argc, argv);
    fflush(stdout);
    return status;
}

/* Read the input with the arguments of the tool. Return the exit status. */
static int page_read(void)
{
    char *argv[ARGUMENTS + 2];
    const int argc = page_arguments(argv);
    int status = take_arguments(&page.opt, argv, argc);
    for (size_t i = 0; status == EXIT_FINE && i < sizeof vendors / sizeof vendors[0]; i++) {
        if (page.opt.vendor != NULL && strcmp(page.opt.vendor, vendors[i]->name) == 0) {
            page.v = vendors[i];
        }
    }
    if (page.v == NULL) {
        return EXIT_USAGE;
    }
    status = take_settings(&page.set, &page.opt);
    if (status != EXIT_FINE) {
        return status;
    }
    open_output(&page.set, &page.out);
    event_to = stderr; /* what lines of a log mean are messages */
    page.job = resize(NULL, page.v->job_bytes, 1);
    memset(page.job, 0, page.v->job_bytes);
    return page.v->read(page.job, &page.set, &page.out, &page.d, &page.in);
}

/* ---- which vendor ---- */

/* Return true if the last word that is not 0 of a stream ends a batch. */
static bool page_ends_batch(const stream *s)
{
    size_t n = s->len_dw;
    while (n != 0 && s->dw[n - 1] == 0) {
        n--;
    }
    return n != 0 && s->dw[n - 1] == GPUCMD_I915_MI_BATCH_BUFFER_END(0);
}

/* Read the input as the vendor of the arguments would, and print how well it fits. */
void EXPORT(page_probe)(void)
{
    size_t words = 0;
    size_t wrong = 0;
    bool end = false;
    bool valid = false;
    dump_quiet = true;
    const int status = page_read();
    const dump *d = &page.d;
    const char *vendor_list = "";
    if (status == EXIT_FINE && page.v != &agx_vendor) {
        vendor_list = find_reader(d->format)->vendors;
    }
    for (size_t i = 0; status == EXIT_FINE && page.v != &agx_vendor && i < stream_count(d); i++) {
        const stream *s = &d->streams[i];
        const size_t n = (size_t)lesser(s->len_dw, GUESS_DW);
        words += n;
        wrong += page.v == &nv_vendor ? nv_misfit(&page.set, s->dw, n)
                                      : i915_misfit(&page.set, s->dw, n);
        end = end || page_ends_batch(s);
    }
    if (page.v == &agx_vendor) {
        valid = (status == EXIT_FINE && ((agx_job *)page.job)->legal) || d->events != 0;
    }
    printf(
        "{\"status\":%d,\"vendors\":\"%s\",\"events\":%zu,\"words\":%zu,\"wrong\":%zu,\"end\":%s,"
        "\"valid\":%s}",
        status, vendor_list, d->events, words, wrong, end ? "true" : "false",
        valid ? "true" : "false");
    fflush(stdout);
}

/* ---- the input ---- */

/* Write a member with a text. */
static void page_member(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    put_string(stdout, text != NULL ? text : "");
}

static void page_registers(const engine_state *state)
{
    printf("{\"engine\":");
    put_string(stdout, state->name);
    printf(",\"line\":%zu", state->line);
#define PAGE_REGISTER(member, text)                                                                \
    if (state_has(state, REG_##member)) {                                                          \
        printf(",\"%s\":\"0x%" PRIx64 "\"", text, state->member);                                  \
    }
    ENGINE_REGISTERS(PAGE_REGISTER)
#undef PAGE_REGISTER
    putchar('}');
}

static void page_stream(size_t i)
{
    const stream *s = &page.d.streams[i];
    title t = {"", ""};
    const int status = page.v->begin(page.job, i, &t);
    printf("%s{\"status\":%d,\"words\":%zu,\"line\":%zu,\"state\":%d", i == 0 ? "" : ",", status,
           s->len_dw, s->line, s->state);
    page_member("kind", s->kind);
    page_member("engine", s->engine);
    page_member("chip", t.chip);
    page_member("why", t.why);
    if (page.v == &i915_vendor) {
        page_member("unit", i915_engine(page.job));
    }
    if (s->has_va) {
        printf(",\"va\":\"0x%" PRIx64 "\"", s->va);
    }
    if (s->wrap_dw != 0) {
        printf(",\"wrap\":%zu", s->wrap_dw);
    }
    putchar('}');
}

/* Read the input with the arguments of the tool, and print what it is. */
int EXPORT(page_open)(void)
{
    const int status = page_read();
    const dump *d = &page.d;
    printf("{\"status\":%d", status);
    if (status == EXIT_FINE) {
        size_t n = stream_count(d);
        page_member("format", page.v == &agx_vendor && d->format == NULL ? "agx" : d->format);
        page_member("process", d->process);
        page_member("chip", d->chip);
        page_member("chip_why", d->chip_why);
        printf(",\"damage\":%zu,\"events\":%zu,\"doubtful\":%s,\"states\":[", d->damage, d->events,
               d->doubtful ? "true" : "false");
        for (size_t i = 0; i < d->state_count; i++) {
            fputs(i == 0 ? "" : ",", stdout);
            page_registers(&d->states[i]);
        }
        fputs("],\"streams\":[", stdout);
        for (size_t i = 0; i < n; i++) {
            page_stream(i);
        }
        putchar(']');
        if (n == 0) {
            (void)no_stream(d);
        }
    }
    putchar('}');
    fflush(stdout);
    dump_quiet = true;
    return status;
}

/* ---- rows ---- */

static row_block *page_add_block(uint64_t commands)
{
    row_index *x = &page.index;
    x->blocks = resize(x->blocks, x->count + 1, sizeof *x->blocks);
    row_block *b = &x->blocks[x->count++];
    memset(b, 0, sizeof *b);
    b->commands = commands;
    return b;
}

/* Find the commands of a stream, block by block. */
static void page_index_nv(nv_job *job)
{
    row_index *x = &page.index;
    memcpy(job->class_id, page.set.class_id, sizeof job->class_id);
    gpucmd_nv_walk_init(&job->walk, &job->gate, NULL, 0);
    for (size_t at = 0; at < job->in->len_dw; at += BLOCK_DW) {
        row_block *b = page_add_block(x->commands);
        gpucmd_nv_cmd cmd;
        b->walk = job->walk;
        memcpy(b->class_id, job->class_id, sizeof b->class_id);
        show_progress(page.d.name, "indexed", 4 * (uint64_t)at, 4 * (uint64_t)job->in->len_dw);
        gpucmd_nv_walk_segment(&job->walk, job->in->dw + at,
                               (size_t)lesser(job->in->len_dw - at, BLOCK_DW));
        while (gpucmd_nv_walk_next(&job->walk, &cmd)) {
            x->commands += !cmd.resumed;
            if (!gpucmd_nv_form_is_run(cmd.form) || cmd.mthd != GPUCMD_NV_HOST_SET_OBJECT) {
                continue;
            }
            if (cmd.form == GPUCMD_NV_FORM_IMMD) {
                nv_follow(job, cmd.subc, cmd.mthd, cmd.value);
            } else if (cmd.len_dw > cmd.head_dw) {
                nv_follow(job, cmd.subc, cmd.mthd, cmd.data[0]);
            }
        }
    }
    x->rows = job->in->len_dw;
}

static void page_index_i915(const i915_job *job)
{
    row_index *x = &page.index;
    bool ended = false;
    size_t at = 0;
    while (at < job->in->len_dw && (!ended || page.set.all)) {
        gpucmd_i915_cmd cmd;
        while (x->count * BLOCK_DW <= at) {
            page_add_block(x->commands)->at_dw = at;
        }
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        x->commands++;
        ended = ended || (cmd.op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END && !job->ring);
        at += cmd.len_dw;
        show_progress(page.d.name, "indexed", 4 * (uint64_t)at, 4 * (uint64_t)job->in->len_dw);
    }
    x->rows = at;
}

/* agx: the rows are lines. */
static void page_index_agx(const agx_job *job)
{
    free(page.text);
    page.text = agx_make_text(job, &page.text_len);
    for (size_t i = 0; page.text != NULL && i < page.text_len; i++) {
        page.index.rows += page.text[i] == '\n';
    }
    page.index.commands = page.index.rows;
}

/* Choose the stream whose rows are printed. Print how many rows it has. */
int EXPORT(page_choose)(size_t stream)
{
    title t = {"", ""};
    row_index *x = &page.index;
    if (stream >= stream_count(&page.d) || page.v->begin(page.job, stream, &t) != EXIT_FINE) {
        return EXIT_USAGE;
    }
    x->stream = stream;
    page.out.stream = stream;
    x->count = 0;
    x->rows = x->commands = 0;
    if (page.v == &nv_vendor) {
        page_index_nv(page.job);
    } else if (page.v == &i915_vendor) {
        page_index_i915(page.job);
    } else {
        page_index_agx(page.job);
    }
    end_progress();
    x->made = true;
    printf("{\"rows\":%" PRIu64 ",\"commands\":%" PRIu64 ",\"left\":%zu}", x->rows, x->commands,
           page.v == &i915_vendor ? page.d.streams[stream].len_dw - (size_t)x->rows : 0);
    fflush(stdout);
    return EXIT_FINE;
}

/* Return true if the line has the text, in any case. */
static bool page_has(const char *line, size_t len, const char *text)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i + n <= len; i++) {
        size_t k = 0;
        while (k < n) {
            const char c = line[i + k];
            if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != text[k]) {
                break;
            }
            k++;
        }
        if (k == n) {
            return true;
        }
    }
    return false;
}

/* Print a row if it is in the range: its number among words, offset, flags, text. */
static void page_row(void *user, const char *line, size_t len, uint32_t flags, uint64_t offset)
{
    row_range *r = user;
    const bool command = (flags & ROW_COMMAND) != 0;
    const uint64_t number = r->commands ? r->next_command : r->next_word;
    const bool mine = number >= r->from && number < r->end && (command || !r->commands);
    r->next_command += command;
    if (r->next_word++ == r->from && r->next_command != 0) {
        r->command = r->next_command - 1;
    }
    if (!mine) {
        return;
    }
    if (r->find != NULL) {
        if (r->found < 0 && page_has(line, len, r->find)) {
            r->found = (int64_t)number;
        }
        return;
    }
    printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\t%.*s\n", r->next_word - 1, offset, flags,
           (int)len, line);
}

/* Return the block that has the first row of the range. */
static size_t page_block(const row_range *r)
{
    const row_index *x = &page.index;
    if (!r->commands) {
        size_t b = (size_t)(r->from / BLOCK_DW);
        while (b != 0 && page.v == &i915_vendor && x->blocks[b].at_dw > r->from) {
            b--;
        }
        return b;
    }
    size_t low = 0;
    size_t high = x->count;
    while (low + 1 < high) {
        const size_t middle = (low + high) / 2;
        if (x->blocks[middle].commands <= r->from) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool page_more(const row_range *r)
{
    return (r->commands ? r->next_command : r->next_word) < r->end && r->found < 0;
}

static void page_rows_nv(nv_job *job, row_range *r, size_t block)
{
    const row_index *x = &page.index;
    uint32_t class_id[NV_SUBCHANNELS];
    memcpy(class_id, job->class_id, sizeof class_id);
    memcpy(job->class_id, x->blocks[block].class_id, sizeof job->class_id);
    gpucmd_nv_walk walk = x->blocks[block].walk;
    for (; block < x->count && page_more(r); block++) {
        const size_t at = block * BLOCK_DW;
        uint64_t offset = 4 * (uint64_t)at;
        gpucmd_nv_cmd cmd;
        gpucmd_nv_walk_segment(&walk, job->in->dw + at,
                               (size_t)lesser(job->in->len_dw - at, BLOCK_DW));
        while (gpucmd_nv_walk_next(&walk, &cmd)) {
            nv_text(job, &cmd, offset);
            offset += 4 * (uint64_t)cmd.len_dw;
        }
    }
    memcpy(job->class_id, class_id, sizeof class_id);
}

static void page_rows_i915(const i915_job *job, row_range *r, size_t block)
{
    size_t at = page.index.blocks[block].at_dw;
    while (at < page.index.rows && page_more(r)) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
        i915_text(job, &cmd, at);
        at += cmd.len_dw;
    }
}

static void page_rows_agx(row_range *r)
{
    const char *end = page.text + page.text_len;
    for (const char *at = page.text; at < end && page_more(r);) {
        const char *eol = line_end(at, end);
        page_row(r, at, (size_t)(eol - at), ROW_COMMAND, 0);
        at = eol + 1;
    }
}

/* Go through the rows of the range. */
static void page_walk(row_range *r)
{
    const row_index *x = &page.index;
    const int format = page.out.format;
    if (!x->made || (page.v != &agx_vendor && x->count == 0)) {
        return;
    }
    page.out.format = FORMAT_TEXT;
    page.out.row = page_row;
    page.out.row_user = r;
    if (page.v == &agx_vendor) {
        page_rows_agx(r);
    } else {
        const size_t block = page_block(r);
        r->next_word = page.v == &nv_vendor ? block * BLOCK_DW : x->blocks[block].at_dw;
        r->next_command = x->blocks[block].commands;
        if (page.v == &nv_vendor) {
            page_rows_nv(page.job, r, block);
        } else {
            page_rows_i915(page.job, r, block);
        }
    }
    page.out.row = NULL;
    page.out.format = format;
}

/* Print count rows of the chosen stream from row number from, as lines with tabs. commands: only the
 * first word of each command is a row. */
void EXPORT(page_rows)(double from, double count, bool commands)
{
    row_range r = {(uint64_t)from, (uint64_t)(from + count), 0, 0, commands, 0, NULL, -1};
    page_walk(&r);
    fflush(stdout);
}

/* Search the text of page_room in count rows from row number from. Return the row, or -1. */
double EXPORT(page_find)(double from, double count, bool commands)
{
    row_range r = {(uint64_t)from, (uint64_t)(from + count), 0, 0, commands, 0, page.room, -1};
    page_walk(&r);
    return (double)r.found;
}

/* Return the number, among commands, of the command that word number word belongs to. */
double EXPORT(page_command)(double word)
{
    row_range r = {(uint64_t)word, (uint64_t)word + 1, 0, 0, false, 0, "\n", -1};
    page_walk(&r);
    return (double)r.command;
}

/* Print the findings of the chosen stream. */
void EXPORT(page_check)(void)
{
    page.out.format = FORMAT_JSON;
    page.out.rows = 0;
    page.out.many = false;
    (void)page.v->check(page.job);
    fputs(page.out.rows == 0 ? "[]" : "]", stdout);
    fflush(stdout);
}

/* Print count words of the chosen stream from word from, one a line; "-" for an unknown word. */
void EXPORT(page_words)(double from, double count)
{
    const stream *s = &page.d.streams[page.index.stream];
    for (size_t i = (size_t)from; i < (size_t)(from + count) && i < s->len_dw; i++) {
        if (s->unknown != NULL && s->unknown[i] != WORD_KNOWN) {
            puts("-");
        } else {
            printf("%08" PRIx32 "\n", s->dw[i]);
        }
    }
    fflush(stdout);
}

/* Execute the text of page_room as a command of --step, and print the state. The first call begins. */
int EXPORT(page_step)(void)
{
    int status = EXIT_FINE;
    const size_t n = stream_count(&page.d);
    if (page.steps == NULL && n != 0) {
        page.out.format = FORMAT_JSON;
        page.steps = open_steps(page.v, page.job, &page.set, &page.out, &page.d, 0, n, &status);
    }
    if (page.steps != NULL) {
        (void)step_command(page.steps, page.room);
    }
    fflush(stdout);
    return status;
}

/* Print count words of memory of the machine from va, as texts in hex. */
void EXPORT(page_memory)(double va, double count)
{
    putchar('[');
    for (uint64_t i = 0; page.steps != NULL && i < (uint64_t)count; i++) {
        printf("%s\"%08" PRIx32 "\"", i != 0 ? "," : "",
               step_read(page.steps, (uint64_t)va + 4 * i));
    }
    putchar(']');
    fflush(stdout);
}

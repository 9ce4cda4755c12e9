/* fuzz_dump_formats.c - the readers of gpucmd-dump: recognise and read any input.
 *   byte 0  bit 7 Intel, otherwise NVIDIA; bits 6:0 name for --input, 0: recognise
 *   then    the input
 * With the environment variable READER, a name for --input, each input goes to that reader. */
#undef GPUCMD_STATIC /* the tool defines it */
int dump_main(int argc, char **argv);
#define main            dump_main
#define STREAM_LIMIT_DW (1 << 16)
#include "../../examples/gpucmd-dump/gpucmd-dump.c"
#undef main

#include "fuzz.h"

/* Every stream has its words, and no address beyond them. */
static void check_streams(const dump *d)
{
    bool memory = false;
    for (size_t i = 0; i < d->count; i++) {
        const stream *s = &d->streams[i];
        size_t at;
        uint32_t sum = 0;
        must(!memory || s->memory); /* streams first */
        memory = s->memory;
        must(s->len_dw <= s->cap_dw || s->len_dw == 0);
        must(s->wrap_dw <= s->len_dw && s->extra_bytes < 4);
        must(s->state < (int)d->state_count);
        for (size_t k = 0; k < s->len_dw; k++) {
            sum += s->dw[k] + (s->unknown != NULL ? s->unknown[k] : 0u);
        }
        must(!stream_find(s, s->va + sum, &at) || at < s->len_dw);
    }
}

/* Write name n for --input, counted through all rows and then again from the first. Return its
 * row. */
static const reader *take_name(uint32_t n, char name[32])
{
    for (size_t i = 0;; i = (i + 1) % READERS) {
        const reader *row = readers[i];
        const char *const lists[] = {row->names, row->also != NULL ? row->also : ""};
        for (size_t k = 0; k < 2; k++) {
            for (const char *at = lists[k]; *at != '\0'; at += *at == '|') {
                const size_t len = strcspn(at, "|");
                if (n-- == 0) {
                    must(snprintf(name, 32, "%.*s", (int)len, at) < 32);
                    return row;
                }
                at += len;
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    char name[32];
    settings set;
    dump_input in;
    dump d;
    if (size < 1) {
        return 0;
    }
    nowhere = nowhere != NULL ? nowhere : fopen("/dev/null", "w");
    must(nowhere != NULL);
    event_to = nowhere;
    memset(&set, 0, sizeof set);
    memset(&in, 0, sizeof in);
    memset(&d, 0, sizeof d);
    set.program = "";
    set.vendor = data[0] >> 7 != 0 ? "i915" : "nv";
    set.format = FORMAT_TSV;
    d.name = "input";
    d.vendor = set.vendor;
    d.format = "raw";
    nv_names.tried = true;
    dump_quiet = true;
    in.b.len = size - 1;
    in.b.data = resize(NULL, size, 1);
    memcpy(in.b.data, data + 1, size - 1);
    (void)plain_text(&in.b);
    const char *only = getenv("READER");
    uint32_t n = data[0] & 127;
    const reader *how = take_name(n, name);
    for (n = 0; only != NULL && strcmp(name, only) != 0; n++) {
        must(n < 128); /* READER is no name for --input */
        how = take_name(n, name);
    }
    set.input = name;
    if (strstr(how->vendors, set.vendor) != NULL) {
        (void)read_bytes(&set, how, &d, &in, data[0] >> 7 != 0 ? i915_misfit : nv_misfit);
        check_streams(&d);
    }
    free_dump(&d);
    release_bytes(&in.b);
    return 0;
}

#define FUZZ_NAME "fuzz_dump_formats"
#include "fuzz_main.h"

/* fuzz_dump_formats.c - the readers of gpucmd-dump: recognise and read any input.
 *   byte 0  bit 7 Intel, otherwise NVIDIA; bits 6:0 row of the formats, 0: recognise
 *   then    the input */
#undef GPUCMD_STATIC /* the tool defines it */
int dump_main(int argc, char **argv);
#define main            dump_main
#define STREAM_LIMIT_DW (1 << 16)
#include "../../examples/gpucmd-dump.c"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    options opt;
    dump_input in;
    dump d;
    if (size < 1) {
        return 0;
    }
    nowhere = nowhere != NULL ? nowhere : fopen("/dev/null", "w");
    must(nowhere != NULL);
    event_to = nowhere;
    memset(&opt, 0, sizeof opt);
    memset(&in, 0, sizeof in);
    memset(&d, 0, sizeof d);
    opt.program = "";
    opt.vendor = data[0] >> 7 != 0 ? "i915" : "nv";
    opt.value[OPT_FORMAT] = "none";
    d.name = "input";
    d.vendor = opt.vendor;
    d.format = "raw";
    nv_names.tried = true;
    dump_quiet = true;
    in.b.len = size - 1;
    in.b.data = resize(NULL, size, 1);
    memcpy(in.b.data, data + 1, size - 1);
    (void)plain_text(&in.b);
    const int row = (data[0] & 127) % FORMAT_ROWS;
    if (strstr(format_rows[row].vendors, opt.vendor) != NULL) {
        (void)read_bytes(&opt, row, &d, &in, data[0] >> 7 != 0 ? i915_misfit : nv_misfit);
        check_streams(&d);
    }
    free_dump(&d);
    release_bytes(&in.b);
    return 0;
}

#define FUZZ_NAME "fuzz_dump_formats"
#include "fuzz_main.h"

/* Row P27 for gpucmd_i915.h: checks of captured commands without findings. The commands are those of
 * tests/data/captures, repeated, without the ends of the batches. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include "bench.h"

enum { STREAM_DW = 1 << 18, FILE_DW = 1 << 16 };

static gpucmd_i915_cmdset cmdset;
static uint32_t *words;
static uint8_t *bytes;
static size_t len_dw;
static volatile size_t sink;

static void walk(void)
{
    gpucmd_i915_walk it;
    gpucmd_i915_part cmd;
    size_t commands = 0;
    gpucmd_i915_walk_init(&it, &cmdset, words, len_dw);
    while (gpucmd_i915_walk_next(&it, &cmd)) {
        commands++;
    }
    sink = it.status == GPUCMD_OK ? commands : 0;
}

static gpucmd_status found(void *user, const gpucmd_i915_finding *finding)
{
    (void)user;
    return finding->severity == GPUCMD_SEVERITY_ERROR ? GPUCMD_FAULT : GPUCMD_OK;
}

static void check(void)
{
    gpucmd_i915_check_options options;
    memset(&options, 0, sizeof options);
    options.found = found;
    options.ring = true; /* no end of a batch */
    sink = (size_t)gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL);
}

/* Append the commands of a captured batch up to its end. */
static void append(const char *folder, int number)
{
    uint32_t *batch = words + len_dw;
    char path[128];
    gpucmd_i915_walk it;
    gpucmd_i915_part cmd;
    snprintf(path, sizeof path, "tests/data/captures/%s/%03d.bin", folder, number);
    FILE *f = fopen(path, "rb");
    bench_require(f != NULL, path);
    const size_t n = fread(bytes, 4, FILE_DW, f);
    fclose(f);
    gpucmd_load_words(batch, bytes, n, GPUCMD_LITTLE_ENDIAN);
    gpucmd_i915_walk_init(&it, &cmdset, batch, n);
    while (gpucmd_i915_walk_next(&it, &cmd) && !gpucmd_i915_ends_batch(cmdset.gen, *cmd.dw)) {
        len_dw += cmd.len_dw;
    }
}

static void row(const char *name, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                const char *folder, int batches)
{
    len_dw = 0;
    bench_require(gpucmd_i915_cmdset_init(&cmdset, gen, engine) == GPUCMD_OK, "command set");
    for (int i = 0; i < batches; i++) {
        append(folder, i);
    }
    const size_t once_dw = len_dw;
    while (len_dw + once_dw < STREAM_DW) {
        memcpy(words + len_dw, words, 4 * once_dw);
        len_dw += once_dw;
    }
    len_dw &= ~(size_t)1;
    check();
    bench_require(sink == GPUCMD_OK, "error in the stream");
    bench_result(name, bench_ratio(check, walk));
}

int main(void)
{
    words = (uint32_t *)bench_alloc(4 * (size_t)(STREAM_DW + FILE_DW));
    bytes = (uint8_t *)bench_alloc(4 * (size_t)FILE_DW);
    row("P27c", GPUCMD_I915_GEN8, GPUCMD_I915_RCS, "gles2_tri-bdw", 4);
    row("P27d", GPUCMD_I915_GEN9, GPUCMD_I915_BCS, "igt_gem_blt-skl", 6);
    row("P27g", GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, "gl_mix-hsw", 4);
    row("P27h", GPUCMD_I915_GEN9, GPUCMD_I915_RCS, "gl_mix-skl", 4);
    return 0;
}

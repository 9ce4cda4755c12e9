/* fuzz_i915_decode.c - walker, decoder, printer and checker on any words.
 *   byte 0  generation    byte 1  engine    byte 2  options of check    then
 *     words
 * The walk and the decoder agree on lengths, nothing is read after the words,
 * the checker ends. */
#include "gpucmd_i915.h"

#include "fuzz.h"

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    must(f->severity <= 2 && f->name[0] != '?' && f->at_bytes / 4 <= *(const size_t *)user);
    return GPUCMD_OK;
}

static const gpucmd_i915_gen gens[] = {
    GPUCMD_I915_GEN2,  GPUCMD_I915_GEN3,  GPUCMD_I915_GEN4,   GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN5,
    GPUCMD_I915_GEN6,  GPUCMD_I915_GEN7,  GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN8,   GPUCMD_I915_GEN9,
    GPUCMD_I915_GEN11, GPUCMD_I915_GEN12, GPUCMD_I915_GEN12_5};

static void walk(const gpucmd_i915_cmdset *cmdset, const uint32_t *words, size_t len_dw)
{
    char text[300];
    gpucmd_i915_walk k;
    gpucmd_i915_part part;
    size_t sum = 0;
    gpucmd_i915_walk_init(&k, cmdset, words, len_dw);
    while (gpucmd_i915_walk_next(&k, &part)) {
        const uint32_t *at = part.dw;
        const uint32_t n = part.len_dw;
        gpucmd_i915_cmd cmd;
        gpucmd_text t;
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_i915_decode(cmdset, at, len_dw - sum, &cmd);
        must(cmd.status == GPUCMD_OK && cmd.len_dw == n && cmd.op != GPUCMD_I915_OP_UNKNOWN);
        must(gpucmd_i915_print(&t, cmdset, at, len_dw - sum, 0) == n);
        sum += n;
        must(sum <= len_dw);
    }
    if (sum < len_dw) {
        gpucmd_i915_cmd cmd;
        gpucmd_i915_decode(cmdset, words + sum, len_dw - sum, &cmd);
        must(cmd.status == k.status && cmd.len_dw >= 1 && cmd.len_dw <= len_dw - sum);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_check_options options;
    uint32_t *words;
    size_t errors;
    size_t len_dw;
    if (size < 7 || size > 65536) {
        return 0;
    }
    len_dw = (size - 3) / 4;
    if (gpucmd_i915_cmdset_init(&cmdset, gens[data[0] % 13],
                                (gpucmd_i915_engine)(1 << data[1] % 5)) != GPUCMD_OK) {
        return 0;
    }
    words = (uint32_t *)malloc(len_dw * 4); /* exact size, so that a read after the end is found */
    must(words != NULL);
    gpucmd_load_words(words, data + 3, len_dw, GPUCMD_LITTLE_ENDIAN);
    walk(&cmdset, words, len_dw);
    memset(&options, 0, sizeof options);
    options.secure = (data[2] & 1) != 0;
    options.second_level = (data[2] & 2) != 0;
    options.ring = (data[2] & 4) != 0;
    options.va = (uint64_t)(data[2] >> 3) * 4;
    options.found = on_finding;
    options.user = &len_dw;
    must(gpucmd_i915_check(&cmdset, words, len_dw, &options, &errors) == GPUCMD_OK);
    free(words);
    return 0;
}

#define FUZZ_NAME "fuzz_i915_decode"
#include "fuzz_main.h"

/* The command parser of the i915 driver, called with the words of a batch. */
#include "parser_stub.h"

#include "i915_cmd_parser.c"

#include "parser.h"

enum { START = 0x31 }; /* bits 31:23 of MI_BATCH_BUFFER_START */

static struct drm_i915_private devices[3];
static struct intel_engine_cs engines[3][4];
static uint32_t copy[PARSER_WORDS + 16]; /* on gen7 the jump follows the words */

int upstream_init(void)
{
    static const int vers[] = {7, 7, 9};
    int err = 0;
    for (int d = 0; d < 3; d++) {
        devices[d].ver = vers[d];
        devices[d].haswell = d == PARSER_GEN7_5;
        for (int class = 0; class < 4; class ++) {
            engines[d][class].i915 = &devices[d];
            engines[d][class].name = "engine";
            engines[d][class].class = class;
            if (intel_engine_init_cmd_parser(&engines[d][class]) != 0) {
                err = 1;
            }
        }
    }
    return err;
}

int upstream_parse(enum parser_gen gen, enum parser_engine engine, const uint32_t *words,
                   uint32_t n, uint64_t va)
{
    static const int classes[] = {RENDER_CLASS, VIDEO_DECODE_CLASS, COPY_ENGINE_CLASS,
                                  VIDEO_ENHANCEMENT_CLASS};
    const bool trampoline = gen != PARSER_GEN9;
    struct intel_engine_cs *e = &engines[gen][classes[engine]];
    struct drm_i915_gem_object from = {{4 * (size_t)n}, {(void *)(uintptr_t)words}};
    struct drm_i915_gem_object to = {{4 * (size_t)n + 32}, {copy}};
    struct i915_vma batch = {&from, {va}, 4 * (size_t)n};
    struct i915_vma shadow = {&to, {0x10000000}, 4 * (size_t)n + 32};
    if (!intel_engine_using_cmd_parser(e)) {
        return 1;
    }
    const int err = intel_engine_cmd_parser(e, &batch, 0, 4 * (size_t)n, &shadow, trampoline);
    /* A batch that is not allowed runs with the rights of its process: a jump follows its words. */
    return trampoline && err == 0 && copy[n] >> 23 == START ? -EACCES : err;
}

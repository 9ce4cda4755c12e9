/* Reads and execution through the library. This unit contains the implementation. */
#define GPUCMD_IMPLEMENTATION
#include "i915.h"

size_t lib_i915_walk(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, size_t len_dw)
{
    gpucmd_i915_walk walk;
    gpucmd_i915_part cmd;
    size_t commands = 0;
    gpucmd_i915_walk_init(&walk, cmdset, dw, len_dw);
    while (gpucmd_i915_walk_next(&walk, &cmd)) {
        commands++;
    }
    return walk.status == GPUCMD_OK ? commands : WALK_BAD;
}

size_t lib_i915_print(char *buf, size_t buf_bytes, const gpucmd_i915_cmdset *cmdset,
                      const uint32_t *dw, size_t len_dw)
{
    gpucmd_text text;
    size_t at = 0;
    gpucmd_text_init(&text, buf, buf_bytes);
    while (at < len_dw) {
        at += gpucmd_i915_print(&text, cmdset, dw + at, len_dw - at, 4 * at);
    }
    return gpucmd_text_finish(&text) == GPUCMD_OK ? text.len_bytes : 0;
}

gpucmd_run lib_i915_run(gpucmd_i915_cs *cs, const gpucmd_env *env)
{
    return gpucmd_i915_cs_run(cs, env, UINT64_MAX);
}

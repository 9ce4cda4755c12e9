/* Reads and execution through the library. This unit contains the implementation. */
#define GPUCMD_IMPLEMENTATION
#include "nv.h"

size_t lib_walk(const gpucmd_nv_gate *gate, const uint32_t *dw, size_t len_dw)
{
    gpucmd_nv_walk walk;
    size_t commands = 0;
    gpucmd_nv_walk_init(&walk, gate, dw, len_dw);
    return gpucmd_nv_walk_valid(&walk, &commands) != GPUCMD_OK || gpucmd_nv_walk_pending(&walk)
               ? WALK_BAD
               : commands;
}

size_t lib_print(char *buf, size_t buf_bytes, const gpucmd_nv_gate *gate, const uint32_t *dw,
                 size_t len_dw)
{
    gpucmd_text text;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_text_init(&text, buf, buf_bytes);
    gpucmd_nv_walk_init(&walk, gate, dw, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(&text, gate, &cmd, (uint64_t)(cmd.data - cmd.head_dw - dw) * 4);
    }
    return gpucmd_text_finish(&text) == GPUCMD_OK ? text.len_bytes : 0;
}

gpucmd_run lib_pbdma(gpucmd_nv_pbdma *p, const gpucmd_env *env)
{
    return gpucmd_nv_pbdma_run(p, env, UINT64_MAX);
}

gpucmd_run lib_pusher(gpucmd_nv_pusher *p, const gpucmd_env *env)
{
    return gpucmd_nv_pusher_run(p, env, UINT64_MAX);
}

/* Kernels of bench_i915.c. */
#ifndef BENCH_I915_H
#define BENCH_I915_H

#include "gpucmd_i915.h"

/* One unit for gen9: MI_STORE_DATA_IMM of 64 bits, 8 MI_LOAD_REGISTER_IMM, PIPE_CONTROL,
 * MI_SEMAPHORE_WAIT, MI_NOOP. Each unit reads its 2 + 8 + 2 + 1 data words from v again. */
enum { U_DW = 40, U_COMMANDS = 12, V_DW = 13, STORE_VA = 0x100040, FENCE_VA = 0x100080 };

typedef size_t words_fn(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v);

/* i915_words.c, with the library. Return the number of words written; 0: failure. */
words_fn lib_i915_unit;

/* i915_raw.c, for comparison: unchecked words as a kernel writes them; a walk that knows only
 * lengths; the text of the library with snprintf, for units only. */
words_fn raw_i915_unit;
size_t raw_i915_walk(const uint32_t *dw, size_t len_dw);
size_t raw_i915_print(char *buf, size_t buf_bytes, const uint32_t *dw, size_t len_dw);

/* i915_read.c: reads with the library. */
size_t lib_i915_walk(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, size_t len_dw);
size_t lib_i915_print(char *buf, size_t buf_bytes, const gpucmd_i915_cmdset *cmdset,
                      const uint32_t *dw, size_t len_dw);
gpucmd_run lib_i915_run(gpucmd_i915_cs *cs, const gpucmd_env *env);

#define WALK_BAD ((size_t)-1)

#endif

/* Kernels of bench_nv.c. nv_words.c is built three times, with the flags of row P5. */
#ifndef BENCH_NV_H
#define BENCH_NV_H

#include "gpucmd_nv.h"

/* Unit S: INC with 5 data words, IMMD, INC with 3. Unit M: S, ONE_INC of 16, NON_INC of 64. Each
 * unit reads its 5 + 3 + 16 + 64 data words from v again. */
enum { S_DW = 11, M_DW = 93, V_DW = 88 };

typedef size_t words_fn(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v);

/* nv_words.c, with the library. Return the number of words written; 0: failure. */
words_fn lib_s, lib_s_noalias, lib_s_os, lib_s_reserve, lib_m;
typedef void unit_fn(gpucmd_writer *w, const uint32_t *v);
unit_fn lib_unit, lib_unit_reserve;
uint64_t lib_push(gpucmd_nv_gpfifo *fifo, const uint64_t *va, const uint32_t *len_dw, size_t n);

/* nv_raw.c, for comparison. raw_*: 32-bit stores of words that are already in registers (S) or in
 * memory (M). hand_*: unchecked macros. */
words_fn raw_s, raw_m, hand_s, hand_m;
typedef struct raw_writer {
    uint32_t *cur;
    uint32_t *end;
} raw_writer;
void raw_unit(raw_writer *w, const uint32_t *v);
typedef struct raw_ring {
    uint8_t *base;
    uint32_t mask;
    uint32_t put;
} raw_ring;
uint64_t raw_push(raw_ring *ring, const uint64_t *entry, size_t n);

/* Return the number of commands in a stream of GF100 words; WALK_BAD: the stream is invalid. */
size_t raw_walk(const uint32_t *dw, size_t len_dw);
uint32_t raw_sum(const uint32_t *dw, size_t len_dw);
size_t raw_print(char *buf, size_t buf_bytes, const uint32_t *dw, size_t len_dw);

/* nv_read.c: reads with the library. */
size_t lib_walk(const gpucmd_nv_gate *gate, const uint32_t *dw, size_t len_dw);
size_t lib_print(char *buf, size_t buf_bytes, const gpucmd_nv_gate *gate, const uint32_t *dw,
                 size_t len_dw);
gpucmd_run lib_pbdma(gpucmd_nv_pbdma *p, const gpucmd_env *env);
gpucmd_run lib_pusher(gpucmd_nv_pusher *p, const gpucmd_env *env);

#define WALK_BAD ((size_t)-1)

#endif

/* Functions of row P19: the words of a kernel for a request, with the generation known at run
 * time. */
#ifndef BENCH_I915_RECIPES_H
#define BENCH_I915_RECIPES_H

#include "gpucmd_i915.h"

enum { REQUEST_DW = 288, SCRATCH_VA = 0x3000, SEQNO_VA = 0x4100 };
#define USER_VA 0x123456000u

/* Write requests into dst, each at its start: invalidate, start a batch, write back, copy a page
 * (on the copy engine, or before gen6), store the sequence number. Return the words of the last
 * request. */
typedef size_t requests_fn(uint32_t *dst, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                           uint32_t first, uint32_t count);

requests_fn lib_i915_requests; /* i915_recipes.c: with the library */
requests_fn raw_i915_requests; /* i915_kernel.c: one unchecked function per generation */

#endif

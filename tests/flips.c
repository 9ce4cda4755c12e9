/* flips.c - the functions of flips.h, and those that clang calls before each load.
 * A suite calls none of them. Its implementation is built with -finstrument-functions and weak
 * functions: each call from the suite into the headers counts reads anew, and gpucmd_mem_init and
 * gpucmd_process_span are those of this file. A second read prints its stack, and the suite fails. */
#include <stdio.h>
#include <stdlib.h>

#include "flips.h"

#pragma clang diagnostic ignored "-Wreserved-identifier"
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)
#undef __builtin_memcpy
#undef __builtin_memmove

#ifdef FLIPS_SUITES
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#define gpucmd_mem_init     flips_real_mem_init
#define gpucmd_process_read flips_real_process_read
#define gpucmd_process_span flips_real_process_span
#include "gpucmd.h"
#undef gpucmd_mem_init
#undef gpucmd_process_read
#undef gpucmd_process_span
#endif

enum { REGIONS = 2048, SPANS = 64, SLOTS = 1 << 18 };

static struct {
    uintptr_t from, to;
} regions[REGIONS], spans[SPANS]; /* spans: of this call */

static struct {
    uintptr_t at;
    uint32_t call;
} slots[SLOTS]; /* bytes that were read since flips_arm */

static unsigned region_count, span_count, twice, depth, inside, reads;
static uint32_t call, bits = 0x01010101;
static bool armed, manual, repeated, seen;

extern const int flips_kind __attribute__((weak));

static bool is_kind(int kind)
{
    return &flips_kind != NULL && flips_kind == kind;
}

void __sanitizer_print_stack_trace(void) __attribute__((weak));

/* The functions of the headers that a suite may call, in a section of their own. */
extern const uint8_t __start_gpucmd[] __attribute__((weak)), __stop_gpucmd[] __attribute__((weak));

void flips_add(const void *at, size_t len_bytes)
{
    for (unsigned i = 0; i < region_count; i++) {
        if (regions[i].from == (uintptr_t)at) {
            regions[i].to = (uintptr_t)at + len_bytes;
            return;
        }
    }
    if (region_count == REGIONS) {
        abort();
    }
    regions[region_count].from = (uintptr_t)at;
    regions[region_count++].to = (uintptr_t)at + len_bytes;
}

void flips_clear(void)
{
    region_count = 0;
}

static void begin(void)
{
    call++;
    reads = span_count = 0;
    bits = is_kind(FLIPS_EXECUTOR) ? bits * 1664525u + 1013904223u : bits;
    armed = true;
}

void flips_arm(uint32_t mask)
{
    bits = mask != 0 ? mask : 0x01010101;
    twice = 0;
    manual = true;
    begin();
}

unsigned flips_disarm(void)
{
    armed = false;
    return twice;
}

void flips_repeats(bool repeats)
{
    repeated = repeats;
}

/* Count a read of a byte. Change the byte if it was read before. */
static void byte_read(uintptr_t at)
{
    uintptr_t slot = at * 0x9e3779b1u % SLOTS;
    while (slots[slot].call == call && slots[slot].at != at) {
        slot = (slot + 1) % SLOTS;
    }
    if (slots[slot].call != call) {
        seen = true;
        if (++reads < SLOTS / 2) {
            slots[slot].call = call;
            slots[slot].at = at;
        }
        return;
    }
    if (repeated) {
        return;
    }
    *(volatile uint8_t *)at ^= (uint8_t)(bits >> at % 4 * 8);
    if (twice++ == 0 && !manual && !is_kind(FLIPS_EXECUTOR)) {
        fprintf(stderr, "flips: a second read in one call\n");
        if (__sanitizer_print_stack_trace != NULL) {
            __sanitizer_print_stack_trace();
        }
    }
}

/* Return true if the byte lies in the memory that changes. */
static bool changes(uintptr_t at)
{
    unsigned i;
    for (i = 0; i < region_count && at - regions[i].from >= regions[i].to - regions[i].from; i++) {
    }
    if (i < region_count) {
        return true;
    }
    for (i = 0; i < span_count && at - spans[i].from >= spans[i].to - spans[i].from; i++) {
    }
    return i < span_count;
}

static void range_read(const void *pointer, size_t len_bytes, bool all)
{
    const uintptr_t at = (uintptr_t)pointer;
    for (size_t b = 0; b < len_bytes; b++) {
        if (all || changes(at + b)) {
            byte_read(at + b);
        }
    }
}

void *flips_copy(void *dst, const void *src, size_t len_bytes)
{
    if (armed) {
        range_read(src, len_bytes, inside != 0);
    }
    return __builtin_memcpy(dst, src, len_bytes);
}

void *flips_move(void *dst, const void *src, size_t len_bytes)
{
    if (armed) {
        range_read(src, len_bytes, inside != 0);
    }
    return __builtin_memmove(dst, src, len_bytes);
}

#define LOAD(n)                                                                                    \
    void __sanitizer_cov_load##n(const void *at)                                                   \
    {                                                                                              \
        if (armed && region_count + span_count != 0) {                                             \
            range_read(at, n, false);                                                              \
        }                                                                                          \
    }
LOAD(1)
LOAD(2)
LOAD(4)
LOAD(8)
LOAD(16)

/* ---- suites ---- */

extern const uint8_t gpucmd_process_read[], gpucmd_agx_kernel_ioctl[], gpucmd_i915_kernel_ioctl[],
    gpucmd_xe_kernel_ioctl[];
#pragma weak gpucmd_process_read
#pragma weak gpucmd_agx_kernel_ioctl
#pragma weak gpucmd_i915_kernel_ioctl
#pragma weak gpucmd_xe_kernel_ioctl

#ifdef FLIPS_SUITES
gpucmd_status gpucmd_mem_init(gpucmd_mem *mem, const gpucmd_region *rows, size_t count)
{
    const gpucmd_status status = flips_real_mem_init(mem, rows, count);
    if (depth == 0 && (is_kind(FLIPS_REGIONS) || is_kind(FLIPS_EXECUTOR))) {
        flips_clear();
        for (size_t i = 0; i < count && status == GPUCMD_OK; i++) {
            flips_add(rows[i].host, (size_t)rows[i].bytes);
        }
    }
    return status;
}

uint8_t *gpucmd_process_span(gpucmd_mem *process, uint64_t addr, uint64_t len_bytes,
                             uint32_t access_mask)
{
    uint8_t *const at = flips_real_process_span(process, addr, len_bytes, access_mask);
    if (at != NULL && span_count < SPANS && inside == 0) {
        spans[span_count].from = (uintptr_t)at;
        spans[span_count++].to = (uintptr_t)at + (size_t)len_bytes;
    }
    return at;
}
#endif

static void report(void)
{
    const bool executor = is_kind(FLIPS_EXECUTOR);
    if (executor && twice == 0) {
        fprintf(stderr, "flips: no memory has changed\n");
        _Exit(3);
    }
    if (!executor && !manual && !seen) {
        fprintf(stderr, "flips: no memory that changes was read\n");
        _Exit(3);
    }
    if (!executor && twice != 0 && !manual) {
        fprintf(stderr, "flips: %u second reads\n", twice);
        _Exit(3);
    }
}

/* Return true if this is a function of the headers that a suite may call. */
static bool entered(const void *function)
{
    const uintptr_t at = (uintptr_t)function;
    return !manual && at >= (uintptr_t)__start_gpucmd && at < (uintptr_t)__stop_gpucmd;
}

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (!entered(function)) {
        return;
    }
    if (depth++ == 0) {
        static bool registered;
        if (!registered) {
            registered = atexit(report) == 0;
        }
        begin();
    }
    inside += function == gpucmd_process_read;
    if (function == gpucmd_agx_kernel_ioctl || function == gpucmd_i915_kernel_ioctl ||
        function == gpucmd_xe_kernel_ioctl) {
        begin(); /* a client of the headers may call it several times */
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    if (entered(function) && depth != 0) {
        inside -= function == gpucmd_process_read && inside != 0;
        span_count = function == gpucmd_agx_kernel_ioctl ? 0 : span_count; /* back in a client */
        armed = --depth != 0;
    }
}

#pragma clang attribute pop

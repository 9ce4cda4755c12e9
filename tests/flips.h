/* flips.h - memory that changes while it is read: a second read of a byte gives another value. In
 * builds with FLIPS, clang calls a function before each load (-fsanitize-coverage=trace-loads), and
 * the copies of the headers load byte by byte. In other builds these functions do nothing. */
#ifndef FLIPS_H
#define FLIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FLIPS

/* Which memory changes in a suite, by its tag; in other programs only what flips_add names.
 * KERNEL: what gpucmd_process_read copies and what gpucmd_process_span returns. REGIONS: each region
 * that the suite passes to gpucmd_mem_init, too. In both a second read in one call of the headers
 * fails. EXECUTOR: each region; executors read words where they are, so every result is right, and
 * only an access outside, undefined behaviour or a call without an end fails. */
enum { FLIPS_KERNEL = 1, FLIPS_REGIONS, FLIPS_EXECUTOR };
extern const int flips_kind;
#ifdef FLIPS_KIND
const int flips_kind = FLIPS_KIND;
#endif

/* Add bytes to the memory that changes. */
void flips_add(const void *at, size_t len_bytes);

/* No memory changes from here on. */
void flips_clear(void);

/* From here on each second read of a byte of this memory, counted from this call, changes it before
 * by bits of mask (0: bit 0 of each byte). */
void flips_arm(uint32_t mask);

/* Memory stays as it is from here on. Return the number of reads of bytes that had been read. */
unsigned flips_disarm(void);

/* While repeats is true, memory stays: the test gives one structure several times. */
void flips_repeats(bool repeats);

void *flips_copy(void *dst, const void *src, size_t len_bytes);
void *flips_move(void *dst, const void *src, size_t len_bytes);

#ifdef FLIPS_INCLUDED_FIRST /* by -include, for the headers alone */
#pragma clang diagnostic ignored "-Wreserved-macro-identifier"
#define __builtin_memcpy  flips_copy
#define __builtin_memmove flips_move
#endif

#else
static inline void flips_add(const void *at, size_t len_bytes)
{
    (void)at;
    (void)len_bytes;
}
static inline void flips_clear(void)
{
}
static inline void flips_arm(uint32_t mask)
{
    (void)mask;
}
static inline void flips_repeats(bool repeats)
{
    (void)repeats;
}
static inline unsigned flips_disarm(void)
{
    return 0;
}
#endif
#endif /* FLIPS_H */

/* gpucmd.h - v0.1.0 - core of the GPU command stream headers - SPDX-License-Identifier: MIT
 *
 * [CORE.MANUAL]
 *
 * WHAT IT IS
 *   The common part of gpucmd_nv.h, gpucmd_i915.h and gpucmd_agx.h, which
 *   include this header. These vendor headers write, read, check and execute GPU
 *   command streams. This header has statuses, bit fields, the word writer and
 *   reader, bounded text, GPU memory, events and barriers. For model kernels it
 *   has system calls, errno, ioctl numbers and structures.
 *
 * WHAT IT DOES NOT DO
 *   The library does not:
 *     - make system calls or access registers, except through the caller's
 *       gpucmd_sys_ops and gpucmd_mmio
 *     - allocate memory, keep global state or start threads
 *     - flush caches or map memory for a GPU
 *     - encode or decode commands; only the vendor headers do
 *
 * SMALLEST PROGRAM
 *       #include "gpucmd_nv.h"
 *
 *       uint32_t buf[16];
 *       size_t len_dw = 0;
 *       gpucmd_writer w;
 *       gpucmd_writer_init(&w, buf, 16);
 *       gpucmd_nv_emit_inc1(&w, 0, 0x0100, 7);
 *       if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
 *           return 1;
 *       }
 *
 * DEFINITIONS
 *   word         32 bits. "word" never means 16 or 64 bits.
 *   command      a header word and the words that belong to it.
 *   VA           GPU virtual address in bytes: a uint64_t, never a pointer.
 *   CPU word     a word in the byte order of the CPU that runs the library.
 *   generation   an ordered enum of a vendor header; compare with < and >=.
 *   executor     software that executes commands.
 *   model kernel software that answers ioctls.
 *   process      owner of the memory that an ioctl names.
 *   status       gpucmd_status; GPUCMD_OK is 0. No function returns a length
 *                and a status in one value.
 *
 * STEPS
 *   1. Call gpucmd_writer_init with your buffer, or with NULL to measure.
 *   2. Call gpucmd_<vendor>_emit_<command> any number of times. These functions
 *      return no status.
 *   3. Call gpucmd_writer_finish, which returns the status. If it is not
 *      GPUCMD_OK, gpucmd_print_writer prints which command failed and why.
 *   4. If the GPU reads the other byte order, copy the words with
 *      gpucmd_store_words. It is a memcpy if the orders are equal.
 *   In a driver: pass the cursor (u32 *cs) to gpucmd_writer_init. After the
 *   commands set cs = gpucmd_writer_next(&w). gpucmd_status_errno(status) is the
 *   negative errno to return. GPUCMD_IGNORE(call) ignores a status on purpose.
 *   Without a writer: gpucmd_<vendor>_encode_<command> checks and returns
 *   words, GPUCMD_<VENDOR>_<COMMAND>() are constant words, and
 *   GPUCMD_<VENDOR>_<COMMAND>_DW() are sizes.
 *   Writers, encoders, rings and batches are inline. Decoders, printers,
 *   checkers, executors and model kernels need the implementation.
 *
 * ERRORS
 *   A writer keeps its first failure. A command is written whole or not at all.
 *   After a failure, emits write nothing but are counted, so that
 *   gpucmd_writer_need_dw returns the size of the whole stream. Arguments are
 *   checked in every build, not only in builds for debugging.
 *
 * CONFIGURATION
 *   Define these macros before the first include; defaults are in brackets. No
 *   macro changes a struct, a signature or an emitted word.
 *   GPUCMD_IMPLEMENTATION    define in one unit, before its first gpucmd header:
 *                            that unit contains the implementation
 *   GPUCMD_STATIC            define in the same unit: the implementation is
 *                            static
 *   GPUCMD_EXTERN            define in the same unit: it also contains external
 *                            copies of the inline functions, for other languages
 *   GPUCMD_API               linkage of the implementation's functions
 *                            (extern)
 *   GPUCMD_ASSERT(c)         checks invariants of the implementation (no code)
 *   GPUCMD_ON_FAIL(w)        code executed at the first failure of each writer
 *                            (no code)
 *   GPUCMD_NO_STD_INCLUDES   you provide uintN_t, intN_t, size_t, uintptr_t,
 *                            bool, NULL. Not needed in a kernel (__KERNEL__)
 *   GPUCMD_BARRIER_WRITE(), GPUCMD_BARRIER_FULL(), GPUCMD_BARRIER_MMIO()
 *                            replace the barriers, see CORE.EXEC
 *   Language: C99, gnu89 or C++11, freestanding. Link time: memcpy, memmove, memset.
 *   gcc -Os for Thumb-1 (Cortex-M0) also needs -fno-jump-tables, because it calls
 *   functions of libgcc for each switch. Tested compilers: gcc, clang, tcc, mingw-w64,
 *   clang for x86_64-pc-windows-msvc. Not tried: Microsoft's compiler, zig.
 *   Size in KiB of this header, Cortex-M4, -Os: read 4, read and run 6, all 6. `make
 *   slim` makes headers with these parts only. The code of writers is inline in the caller.
 *
 * THREADING
 *   No shared state. One thread at a time uses a writer, ring or executor.
 *
 * COST
 *   A call takes time in proportion to the words, bytes, elements and rows
 *   of tables that it is given, unless its comment states another time.
 *   Other calls take constant time.
 *
 * SECURITY
 *   Hostile: streams, rings, tables in GPU memory, ioctl arguments, and memory of a
 *   process. Trusted: the caller, its callbacks, tables and regions.
 *   A hostile stream can read and write all regions that its rights allow, also
 *   its own words. It cannot access other memory, exceed the budget of a run, or
 *   change an executor except through the documented registers.
 *   A hostile process can change its memory during an ioctl. Model kernels read each
 *   byte of it at most once and check the copy. GPU memory may change during a run;
 *   an executor checks the words that it has loaded.
 *   A driver that is not a model kernel may answer an ioctl with any values. Clients
 *   check the sizes and ranges that they use. If a check fails, they return a
 *   negative errno.
 *   The caller keeps regions valid and gives each run a budget. The caller must not
 *   call an executor from a callback of this executor. Two threads must not run
 *   executors that share an object.
 *   Callbacks that may be NULL: event and trace of gpucmd_env, find of gpucmd_mem, wait of
 *   rings, functions of gpucmd_sys_ops that the library does not call. If event, wait
 *   or sys_* fails, the call fails with the same status, fault or errno.
 *   A gen7 batch that the command parser has accepted can still rewrite itself if
 *   it can write its own memory. Submit a copy that the batch cannot write.
 *
 * CONTENTS (search for the mark)
 *   [CORE.MANUAL]       this text
 *   [CORE.FACTS]        configuration macros, compilers, status rows
 *   [CORE.CONST]        bit fields from their highest and lowest bit
 *   [CORE.ENCODE]       loads and stores of either byte order
 *   [CORE.EMIT]         the writer of words
 *   [CORE.RING]         waiting for room in a ring
 *   [CORE.DECODE]       the reader of words; bounded text, without stdio
 *   [CORE.CHECK]        severities, names of statuses
 *   [CORE.EXEC]         GPU memory, events, barriers, registers
 *   [CORE.KERNEL]       system calls, errno, ioctl numbers, layouts of
 *                       structures, memory of a process; the Linux binding
 *   [CORE.IMPL.DECODE]  implementation, in the same order
 *   [CORE.IMPL.CHECK]
 *   [CORE.IMPL.EXEC]
 *   [CORE.IMPL.KERNEL]
 */

#if defined(GPUCMD_NO_STD_INCLUDES)
#elif defined(__KERNEL__)
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#ifndef GPUCMD_H
#define GPUCMD_H

#define GPUCMD_VERSION_MAJOR 0
#define GPUCMD_VERSION_MINOR 1
#define GPUCMD_VERSION_PATCH 0
#define GPUCMD_VERSION       0x000100 /* 0xMMmmpp: MM major, mm minor, pp patch */
#define GPUCMD_TRACE_VERSION 1        /* version of the text of printed traces */

/* ==== [CORE.FACTS] ======================================================================= */

/* ---- configuration ---- */

#ifndef GPUCMD_API
#define GPUCMD_API extern
#endif
#ifndef GPUCMD_ASSERT
#define GPUCMD_ASSERT(c) ((void)0)
#endif
#ifndef GPUCMD_ON_FAIL
#define GPUCMD_ON_FAIL(w) ((void)0)
#endif

/* Call a function and ignore its status on purpose, without a warning. */
#define GPUCMD_IGNORE(call)                                                                        \
    do {                                                                                           \
        if (call) {                                                                                \
        }                                                                                          \
    } while (0)

/* GPUCMD_PRIV_GNU: the compiler supports the extensions of gcc. clang for Windows
 * supports them, but does not define __GNUC__. */
#if defined(__GNUC__) || defined(__clang__)
#define GPUCMD_PRIV_GNU
#endif
#if defined(GPUCMD_PRIV_GNU)
#define GPUCMD_PRIV_UNUSED __attribute__((__unused__))
#define GPUCMD_MUST_CHECK  __attribute__((__warn_unused_result__))
#ifdef __OPTIMIZE__
#define GPUCMD_PRIV_ALWAYS __attribute__((__always_inline__))
#else
#define GPUCMD_PRIV_ALWAYS /* empty, because inlining unoptimised code only enlarges the stack */
#endif
#define GPUCMD_PRIV_COLD                                                                           \
    static __attribute__((__noinline__, __cold__, __unused__)) /* for rarely called functions */
#define GPUCMD_PRIV_NOINLINE    static __attribute__((__noinline__))
#define GPUCMD_PRIV_UNLIKELY(c) __builtin_expect(!!(c), 0)
#define GPUCMD_PRIV_NEVER(c)    ((c) ? __builtin_unreachable() : (void)0) /* c must be false */
#else
#define GPUCMD_PRIV_UNUSED
#define GPUCMD_MUST_CHECK
#define GPUCMD_PRIV_ALWAYS
#define GPUCMD_PRIV_COLD        static inline
#define GPUCMD_PRIV_NOINLINE    static
#define GPUCMD_PRIV_UNLIKELY(c) (c)
#define GPUCMD_PRIV_NEVER(c)    ((void)0)
#endif

/* GPUCMD_INLINE functions are always inlined, except in unoptimised code. The compiler chooses
 * whether to inline GPUCMD_SHARED functions. With GPUCMD_EXTERN the unit that contains the
 * implementation defines both kinds as external functions. Other units define them as static. */
#if defined(GPUCMD_EXTERN) && defined(GPUCMD_STATIC)
#error "define GPUCMD_EXTERN or GPUCMD_STATIC, not both"
#endif
#if defined(GPUCMD_EXTERN) && defined(GPUCMD_IMPLEMENTATION)
#if defined(GPUCMD_PRIV_GNU) && !defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif
#define GPUCMD_INLINE extern
#define GPUCMD_SHARED extern
#else
#define GPUCMD_INLINE static inline GPUCMD_PRIV_ALWAYS
#define GPUCMD_SHARED static inline
#endif

/* GPUCMD_PRIV_INLINE functions are always inlined; with -Os the compiler chooses.
 * GPUCMD_PRIV_QUICK enables fast paths for common cases. With -Os GPUCMD_PRIV_QUICK is
 * false: the compiler then removes the fast paths, and the general paths remain. */
#ifdef __OPTIMIZE_SIZE__
#define GPUCMD_PRIV_INLINE static inline
#define GPUCMD_PRIV_QUICK  false
#else
#define GPUCMD_PRIV_INLINE GPUCMD_INLINE
#define GPUCMD_PRIV_QUICK  true
#endif

#ifdef GPUCMD_STATIC
#define GPUCMD_PRIV_API static GPUCMD_PRIV_UNUSED
#else
#define GPUCMD_PRIV_API GPUCMD_API
#endif
#define GPUCMD_PRIV_CHECK GPUCMD_MUST_CHECK GPUCMD_PRIV_API /* the caller must use the result */
/* GPUCMD_PRIV_PROTOTYPES: declare the functions of the implementation. With
 * GPUCMD_STATIC only the unit that contains the implementation declares them. */
#if !defined(GPUCMD_STATIC) || defined(GPUCMD_IMPLEMENTATION)
#define GPUCMD_PRIV_PROTOTYPES
#endif

/* GPUCMD_PRIV_REQUIRE is the constant 0 if cond is a constant and true. Any other cond does not
 * compile. Exception: C++ compilers accept a variable, unless -Wvla is an error. */
#ifdef __cplusplus
#define GPUCMD_PRIV_REQUIRE(cond) (0u * (unsigned)sizeof(char[(cond) ? 1 : -1]))
#else
#define GPUCMD_PRIV_REQUIRE(cond) (0u * (unsigned)sizeof(struct { int x : (cond) ? 1 : -1; }))
#endif

/* Return the offset of a member, as offsetof. With gcc and clang no <stddef.h> is needed. */
#if defined(GPUCMD_PRIV_GNU)
#define GPUCMD_PRIV_OFFSETOF(type, member) __builtin_offsetof(type, member)
#else
#define GPUCMD_PRIV_OFFSETOF(type, member) offsetof(type, member)
#endif

/* Write this macro before a declaration that has unnamed members. The compiler then does
 * not warn that C99 has no unnamed members. */
#if defined(GPUCMD_PRIV_GNU)
#define GPUCMD_PRIV_UNNAMED __extension__
#else
#define GPUCMD_PRIV_UNNAMED
#endif

/* A declaration that compiles only if cond is true. The error message contains name. */
#define GPUCMD_PRIV_STATIC_ASSERT(cond, name)                                                      \
    typedef char gpucmd_priv_assert_##name[(cond) ? 1 : -1] GPUCMD_PRIV_UNUSED

/* Each part of a header is between GPUCMD_PRIV_BEGIN and GPUCMD_PRIV_END. The macros
 * give C linkage in C++, and in a kernel allow declarations after statements. */
#if defined(__cplusplus)
#define GPUCMD_PRIV_BEGIN extern "C" {
#define GPUCMD_PRIV_END   }
#elif defined(__KERNEL__)
#define GPUCMD_PRIV_BEGIN                                                                          \
    _Pragma("GCC diagnostic push")                                                                 \
        _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#define GPUCMD_PRIV_END _Pragma("GCC diagnostic pop")
#else
#define GPUCMD_PRIV_BEGIN
#define GPUCMD_PRIV_END
#endif

GPUCMD_PRIV_BEGIN

/* ---- statuses ---- */

/* Statuses: results of functions that can fail, in all headers. The number of a
 * removed status is never used for another status. */
/* clang-format off */
#define GPUCMD_STATUSES(S)                                                                         \
    /*  name         number  text                                       errno */                   \
    S( OK,            0,  "success",                                 0 )                           \
    S( FULL,          1,  "no room in the buffer",                   ENOSPC )                      \
    S( RANGE,         2,  "value is outside its field or table",     ERANGE )                      \
    S( ALIGN,         3,  "address or length is not aligned",        EINVAL )                      \
    S( ORDER,         4,  "call or value is not valid at this point",EINVAL )                      \
    S( UNSUPPORTED,   5,  "not supported by this generation",        EOPNOTSUPP )                  \
    S( TRUNCATED,     6,  "input ends inside a command",             ENODATA )                     \
    S( INVALID,       7,  "not a valid encoding",                    EINVAL )                      \
    S( FAULT,         8,  "memory access or callback failed",        EFAULT )                      \
    S( LIMIT,         9,  "budget is used up",                       ETIME )                       \
    S( BLOCKED,      10,  "waiting for an external event",           EAGAIN )
/* clang-format on */

#define GPUCMD_PRIV_STATUS(name, number, text, error) GPUCMD_##name = number,
typedef enum gpucmd_status { GPUCMD_STATUSES(GPUCMD_PRIV_STATUS) } gpucmd_status;
#undef GPUCMD_PRIV_STATUS

/* ==== [CORE.CONST] ======================================================================= */

/* A bit field f has the enum constants GPUCMD_<f>_HI and GPUCMD_<f>_LO, its
 * highest and lowest bit in a 32-bit word. A table row defines them.
 *   GPUCMD_FIELD_MAX    largest value of the field
 *   GPUCMD_FIELD_MASK   word with all bits of the field set
 *   GPUCMD_FIELD_PUT    word with value v in the field, other bits 0; v must fit
 *   GPUCMD_FIELD_GET    value of the field in a word
 *   GPUCMD_FIELD_CONST  as PUT, for a constant v: an integer constant expression
 *                       that does not compile if v does not fit
 */
#define GPUCMD_FIELD_MAX(f)     (0xffffffffu >> (31 - GPUCMD_##f##_HI + GPUCMD_##f##_LO))
#define GPUCMD_FIELD_MASK(f)    (GPUCMD_FIELD_MAX(f) << GPUCMD_##f##_LO)
#define GPUCMD_FIELD_PUT(f, v)  ((uint32_t)(v) << GPUCMD_##f##_LO)
#define GPUCMD_FIELD_GET(f, dw) (((uint32_t)(dw) >> GPUCMD_##f##_LO) & GPUCMD_FIELD_MAX(f))
#define GPUCMD_FIELD_CONST(f, v)                                                                   \
    (GPUCMD_FIELD_PUT(f, v) + GPUCMD_PRIV_REQUIRE((uint64_t)(v) <= GPUCMD_FIELD_MAX(f)))

/* ==== [CORE.ENCODE] ====================================================================== */

/* Byte order of a CPU or of memory. */
typedef enum gpucmd_endian {
    GPUCMD_LITTLE_ENDIAN = 0,
    GPUCMD_BIG_ENDIAN = 1,
} gpucmd_endian;

/* Return the byte order of the CPU. Compilers replace the call by a constant. */
GPUCMD_INLINE gpucmd_endian gpucmd_cpu_endian(void)
{
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
#else
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0 ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
#endif
}

/* Copy len_bytes bytes. dst and src must not overlap. */
GPUCMD_INLINE void gpucmd_priv_copy(void *dst, const void *src, size_t len_bytes)
{
#if defined(GPUCMD_PRIV_GNU)
    __builtin_memcpy(dst, src, len_bytes);
#else
    uint8_t *d = (uint8_t *)dst;
    const uint8_t *s = (const uint8_t *)src;
    while (len_bytes-- != 0) {
        *d++ = *s++;
    }
#endif
}

/* Copy len_bytes bytes, a constant of at most 256, in parts of at most 16 bytes, because
 * compilers copy such parts without a call of memcpy. dst and src must not overlap. */
GPUCMD_INLINE void gpucmd_priv_copy_parts(uint8_t *dst, const void *src, size_t len_bytes)
{
    size_t at;
#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
#pragma GCC unroll 16
#endif
    for (at = 0; at < len_bytes / 16 * 16; at += 16) {
        gpucmd_priv_copy(dst + at, (const uint8_t *)src + at, 16);
    }
    gpucmd_priv_copy(dst + at, (const uint8_t *)src + at, len_bytes % 16);
}

GPUCMD_INLINE void gpucmd_priv_zero(void *dst, size_t len_bytes)
{
#if defined(GPUCMD_PRIV_GNU)
    __builtin_memset(dst, 0, len_bytes);
#else
    uint8_t *d = (uint8_t *)dst;
    while (len_bytes-- != 0) {
        *d++ = 0;
    }
#endif
}

GPUCMD_INLINE uint32_t gpucmd_priv_swap32(uint32_t v)
{
#if defined(GPUCMD_PRIV_GNU) &&                                                                    \
    (!defined(__riscv) || defined(__riscv_zbb)) /* without zbb it may call a library */
    return __builtin_bswap32(v);
#else
    return v << 24 | (v & 0xff00u) << 8 | (v >> 8 & 0xff00u) | v >> 24;
#endif
}

GPUCMD_INLINE uint64_t gpucmd_priv_swap64(uint64_t v)
{
#if defined(GPUCMD_PRIV_GNU) && (defined(__x86_64__) || defined(__aarch64__))
    return __builtin_bswap64(v);
#else
    return (uint64_t)gpucmd_priv_swap32((uint32_t)v) << 32 |
           gpucmd_priv_swap32((uint32_t)(v >> 32));
#endif
}

/* gpucmd_priv_shl, _shr: shift left or right by n bits (0..63). On 32-bit CPUs these
 * functions call _shl_halves, _shr_halves, because a 64-bit shift would call a library. */
GPUCMD_INLINE uint64_t gpucmd_priv_shl_halves(uint32_t lo, uint32_t hi, uint32_t n)
{
    const uint32_t k = n & 31;
    const uint32_t out = lo >> 1 >> (31 - k); /* bits that leave the low half */
    return n > 31 ? (uint64_t)(lo << k) << 32 : (uint64_t)(hi << k | out) << 32 | lo << k;
}

GPUCMD_INLINE uint64_t gpucmd_priv_shl(uint64_t v, uint32_t n)
{
    return sizeof(size_t) > 4 ? v << n
                              : gpucmd_priv_shl_halves((uint32_t)v, (uint32_t)(v >> 32), n);
}

GPUCMD_INLINE uint64_t gpucmd_priv_shr_halves(uint32_t lo, uint32_t hi, uint32_t n)
{
    const uint32_t k = n & 31;
    const uint32_t out = hi << 1 << (31 - k); /* bits that leave the high half */
    return n > 31 ? hi >> k : (uint64_t)(hi >> k) << 32 | (lo >> k | out);
}

GPUCMD_INLINE uint64_t gpucmd_priv_shr(uint64_t v, uint32_t n)
{
    return sizeof(size_t) > 4 ? v >> n
                              : gpucmd_priv_shr_halves((uint32_t)v, (uint32_t)(v >> 32), n);
}

/* gpucmd_priv_mul_parts returns a * b modulo 2^64; gpucmd_priv_div_steps returns n / d (d > 0).
 * gpucmd_priv_mul and _div call them on CPUs where the operator * or / would call a library. */
GPUCMD_SHARED uint64_t gpucmd_priv_mul_parts(uint64_t a, uint64_t b)
{
    const uint32_t x = (uint32_t)a & 0xffff, y = (uint32_t)b & 0xffff;
    const uint32_t u = (uint32_t)a >> 16, v = (uint32_t)b >> 16;
    const uint32_t mid = (x * y >> 16) + (x * v & 0xffff) + (u * y & 0xffff);
    const uint32_t hi = u * v + (x * v >> 16) + (u * y >> 16) + (mid >> 16);
    return (uint64_t)(hi + (uint32_t)a * (uint32_t)(b >> 32) + (uint32_t)(a >> 32) * (uint32_t)b)
               << 32 |
           (mid << 16 | (x * y & 0xffff));
}

GPUCMD_SHARED uint32_t gpucmd_priv_div_steps(uint32_t n, uint32_t d)
{
    uint32_t bit, rest = 0, quotient = 0;
    for (bit = (uint32_t)1 << 31; bit != 0; bit >>= 1) {
        rest = rest << 1 | ((n & bit) != 0); /* rest <= n, so the shift loses no bit */
        if (rest >= d) {
            rest -= d;
            quotient |= bit;
        }
    }
    return quotient;
}

GPUCMD_INLINE uint64_t gpucmd_priv_mul(uint64_t a, uint64_t b)
{
#if defined(__thumb__) && !defined(__thumb2__)
    return gpucmd_priv_mul_parts(a, b);
#else
    return a * b;
#endif
}

GPUCMD_INLINE uint32_t gpucmd_priv_div(uint32_t n, uint32_t d)
{
#if (defined(__arm__) && !defined(__ARM_FEATURE_IDIV)) ||                                          \
    (defined(__riscv) && !defined(__riscv_div))
    return gpucmd_priv_div_steps(n, d);
#else
    return n / d;
#endif
}

GPUCMD_INLINE uint32_t gpucmd_priv_rem(uint32_t n, uint32_t d)
{
    return n - gpucmd_priv_div(n, d) * d;
}

/* Read or write 32 or 64 bits in the given byte order, at any alignment. */
GPUCMD_INLINE uint32_t gpucmd_load32(const void *src, gpucmd_endian endian)
{
    uint32_t v;
    gpucmd_priv_copy(&v, src, sizeof v);
    return endian == gpucmd_cpu_endian() ? v : gpucmd_priv_swap32(v);
}

GPUCMD_INLINE void gpucmd_store32(void *dst, uint32_t v, gpucmd_endian endian)
{
    const uint32_t x = endian == gpucmd_cpu_endian() ? v : gpucmd_priv_swap32(v);
    gpucmd_priv_copy(dst, &x, sizeof x);
}

GPUCMD_INLINE uint64_t gpucmd_load64(const void *src, gpucmd_endian endian)
{
    uint64_t v;
    gpucmd_priv_copy(&v, src, sizeof v);
    return endian == gpucmd_cpu_endian() ? v : gpucmd_priv_swap64(v);
}

GPUCMD_INLINE void gpucmd_store64(void *dst, uint64_t v, gpucmd_endian endian)
{
    const uint64_t x = endian == gpucmd_cpu_endian() ? v : gpucmd_priv_swap64(v);
    gpucmd_priv_copy(dst, &x, sizeof x);
}

/* gpucmd_store_words copies len_dw CPU words to memory that has byte order `endian`.
 * gpucmd_load_words copies len_dw words of such memory to CPU words. The memory may have any
 * alignment. dst and src must not overlap. If the CPU has this byte order, the copy is a memcpy. */
GPUCMD_INLINE void gpucmd_store_words(void *dst, const uint32_t *src, size_t len_dw,
                                      gpucmd_endian endian)
{
    size_t i;
    uint8_t *d = (uint8_t *)dst;
    if (endian == gpucmd_cpu_endian()) {
        gpucmd_priv_copy(d, src, len_dw * 4);
        return;
    }
    for (i = 0; i < len_dw; i++) {
        gpucmd_store32(d + 4 * i, src[i], endian);
    }
}

GPUCMD_INLINE void gpucmd_load_words(uint32_t *dst, const void *src, size_t len_dw,
                                     gpucmd_endian endian)
{
    size_t i;
    const uint8_t *s = (const uint8_t *)src;
    if (endian == gpucmd_cpu_endian()) {
        gpucmd_priv_copy(dst, s, len_dw * 4);
        return;
    }
    for (i = 0; i < len_dw; i++) {
        dst[i] = gpucmd_load32(s + 4 * i, endian);
    }
}

/* Return the 32 bits of a float, for example 0x3f800000 for 1.0f. */
GPUCMD_INLINE uint32_t gpucmd_float_bits(float value)
{
    uint32_t dw;
    gpucmd_priv_copy(&dw, &value, sizeof dw);
    return dw;
}

/* ==== [CORE.EMIT] ======================================================================== */

/* A writer appends whole commands to a buffer that the caller owns. The caller must not
 * write the members. A compiler can keep a local writer in registers. */
typedef struct gpucmd_writer {
    uint32_t *cur;  /* address of the next word; NULL after a failure and while measuring */
    uint32_t *end;  /* end of the caller's buffer; NULL if cur is NULL */
    uint32_t *base; /* caller's buffer; NULL: measure, store nothing, never GPUCMD_FULL */
    /* While measuring without a failure: words requested so far. After a failure: words requested
     * since then, including those of a command that did not fit. */
    size_t need_dw;
    size_t good_dw;       /* words accepted before the first failure; 0 if status is GPUCMD_OK */
    gpucmd_status status; /* first failure; only gpucmd_writer_init clears it */
} gpucmd_writer;

/* Initialize *w for writing cap_dw words from base[0] on. base must stay valid while w
 * is used. If base is NULL, the writer measures: emits count their words but store
 * nothing, and cap_dw is ignored. */
GPUCMD_INLINE void gpucmd_writer_init(gpucmd_writer *w, uint32_t *base, size_t cap_dw)
{
    w->cur = base;
    w->end = base != NULL ? base + cap_dw : NULL;
    w->base = base;
    w->need_dw = 0;
    w->good_dw = 0;
    w->status = GPUCMD_OK;
}

/* If w has not failed yet, record status as its first failure. cur is w->cur, passed by
 * value, so that the compiler need not store a position that the next command overwrites.
 * The function is inline, so that a local writer stays in registers. */
GPUCMD_INLINE void gpucmd_priv_writer_stop(gpucmd_writer *w, const uint32_t *cur,
                                           gpucmd_status status)
{
    if (w->status == GPUCMD_OK) {
        w->status = status;
        if (w->base != NULL) {
            w->good_dw = (size_t)(cur - w->base);
        } else {
            w->good_dw = w->need_dw;
            w->need_dw = 0;
        }
        w->cur = NULL;
        w->end = NULL;
        GPUCMD_ON_FAIL(w);
    }
}

GPUCMD_INLINE void gpucmd_priv_writer_fail(gpucmd_writer *w, gpucmd_status status)
{
    gpucmd_priv_writer_stop(w, w->cur, status);
}

/* Return true if n_dw words fit from w->cur on. The function compares sizes in bytes,
 * because a constant n_dw then needs only one comparison. */
GPUCMD_INLINE bool gpucmd_priv_writer_fits(const gpucmd_writer *w, size_t n_dw)
{
    return n_dw <= (size_t)-1 / 4 && (uintptr_t)w->end - (uintptr_t)w->cur >= n_dw * 4;
}

/* Claim room for one command of n_dw words (>= 1): return its address and move w->cur after
 * it. After a failure and while measuring, add n_dw to w->need_dw and return NULL. If the
 * words do not fit, record GPUCMD_FULL, add n_dw to w->need_dw and return NULL. */
GPUCMD_INLINE uint32_t *gpucmd_priv_writer_claim(gpucmd_writer *w, size_t n_dw)
{
    uint32_t *at = w->cur;
    if (GPUCMD_PRIV_UNLIKELY(!gpucmd_priv_writer_fits(w, n_dw))) {
        if (w->base != NULL) {
            gpucmd_priv_writer_stop(w, at, GPUCMD_FULL);
        }
        w->need_dw += n_dw;
        return NULL;
    }
    GPUCMD_PRIV_NEVER(at == NULL); /* if cur is NULL, end is NULL, so no words fit */
    w->cur = at + n_dw;
    return at;
}

/* Return the address at which the caller may store up to n_dw words (>= 1). Then call
 * gpucmd_writer_commit with the number of words stored. The function returns NULL
 *   - if n_dw words do not fit (GPUCMD_FULL)
 *   - after a failure
 *   - while measuring
 * If it returns NULL, it counts n_dw words, and the caller must not store or commit words. */
GPUCMD_INLINE uint32_t *gpucmd_writer_reserve(gpucmd_writer *w, size_t n_dw)
{
    uint32_t *at = n_dw != 0 ? gpucmd_priv_writer_claim(w, n_dw) : w->cur;
    if (at != NULL) {
        w->cur = at;
    }
    return at;
}

/* Append the n_dw words that the caller stored at the address from gpucmd_writer_reserve.
 * If n_dw is 0, do nothing. GPUCMD_ORDER: n_dw words do not fit in the buffer, or the
 * writer measures. If the writer failed before, it is unchanged. */
GPUCMD_INLINE void gpucmd_writer_commit(gpucmd_writer *w, size_t n_dw)
{
    if (n_dw == 0) {
        return; /* cur may be NULL, and C does not allow NULL + 0 */
    }
    if (GPUCMD_PRIV_UNLIKELY(!gpucmd_priv_writer_fits(w, n_dw))) {
        gpucmd_priv_writer_fail(w, GPUCMD_ORDER);
        return;
    }
    w->cur += n_dw;
}

/* Append n_dw words from data as one command. data may be NULL if n_dw is 0.
 * GPUCMD_FULL: the words do not fit; nothing is written. */
GPUCMD_INLINE void gpucmd_writer_emit_words(gpucmd_writer *w, const uint32_t *data, size_t n_dw)
{
    if (n_dw != 0) {
        uint32_t *at = gpucmd_priv_writer_claim(w, n_dw);
        if (at != NULL) {
            gpucmd_priv_copy(at, data, n_dw * 4);
        }
    }
}

/* Return the number of words that the writer has accepted so far. After a failure this
 * number does not grow. A measuring writer accepts words without storing them. */
GPUCMD_INLINE size_t gpucmd_writer_at_dw(const gpucmd_writer *w)
{
    if (w->status != GPUCMD_OK) {
        return w->good_dw;
    }
    return w->base != NULL ? (size_t)(w->cur - w->base) : w->need_dw;
}

/* Return the size of the whole stream in words, also after GPUCMD_FULL. Commands
 * rejected with another status are not counted. */
GPUCMD_INLINE size_t gpucmd_writer_need_dw(const gpucmd_writer *w)
{
    return gpucmd_writer_at_dw(w) + (w->status != GPUCMD_OK ? w->need_dw : 0);
}

/* Overwrite the word at position at_dw (in words from base), also after a failure. While
 * measuring, store nothing. No other call changes a written word. GPUCMD_RANGE: at_dw is
 * not less than gpucmd_writer_at_dw. */
GPUCMD_INLINE void gpucmd_writer_patch(gpucmd_writer *w, size_t at_dw, uint32_t dw)
{
    if (at_dw >= gpucmd_writer_at_dw(w)) {
        gpucmd_priv_writer_fail(w, GPUCMD_RANGE);
    } else if (w->base != NULL) {
        w->base[at_dw] = dw;
    }
}

/* Return the address of the next word; NULL after a failure and while measuring. A driver
 * with a cursor (uint32_t *cs) passes cs and the number of remaining words to
 * gpucmd_writer_init. After the commands, the result of this function is the new cs. */
GPUCMD_INLINE uint32_t *gpucmd_writer_next(const gpucmd_writer *w)
{
    return w->cur;
}

/* Return the status of a writer: GPUCMD_OK or the first failure. The caller need not check
 * the writer earlier. On success write the number of words (while measuring: counted) to
 * *len_dw. On failure *len_dw is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_writer_finish(const gpucmd_writer *w,
                                                                   size_t *len_dw)
{
    if (w->status == GPUCMD_OK) {
        *len_dw = gpucmd_writer_at_dw(w);
    }
    return w->status;
}

/* ==== [CORE.RING] ======================================================================== */

/* Callback that a waiting ring calls between two polls of the GPU's position. try_count
 * counts the calls of one wait from 0. Return GPUCMD_OK to poll again. Any other status
 * ends the wait and becomes the result of the wait; use GPUCMD_LIMIT for a timeout. */
typedef gpucmd_status (*gpucmd_wait_fn)(void *user, uint32_t try_count);

/* How a ring waits for the GPU. The rings of all headers wait in these steps:
 *   1. Poll the GPU's position. If there is room, the wait ends with GPUCMD_OK.
 *   2. If max_tries is 0, the wait ends with GPUCMD_BLOCKED. If step 3 was done
 *      max_tries times, the wait ends with GPUCMD_LIMIT.
 *   3. Call fn, if it is not NULL. Continue with step 1.
 * If fn is NULL, the CPU polls without a pause. With max_tries 0 a ring never waits: after
 * BLOCKED the caller runs the executor, or does other work, and repeats the call. */
typedef struct gpucmd_wait {
    gpucmd_wait_fn fn; /* may be NULL */
    void *user;
    uint32_t max_tries; /* polls after the first one; 0: never wait */
} gpucmd_wait;

#define GPUCMD_WAIT_TRIES ((uint32_t)1 << 20) /* max_tries after gpucmd_wait_init */

/* Fill wait: no callback, at most GPUCMD_WAIT_TRIES polls after the first one. */
GPUCMD_INLINE void gpucmd_wait_init(gpucmd_wait *wait)
{
    wait->fn = NULL;
    wait->user = NULL;
    wait->max_tries = GPUCMD_WAIT_TRIES;
}

/* Do steps 2 and 3 of gpucmd_wait, between two polls. *tries must be 0 before the
 * first call. GPUCMD_OK: poll again. Any other status is the result of the wait.
 *     uint32_t tries = 0;
 *     gpucmd_status status = GPUCMD_OK;
 *     while (!has_room(ring) && status == GPUCMD_OK) {
 *         status = gpucmd_wait_again(&ring->wait, &tries);
 *     }
 */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_wait_again(const gpucmd_wait *wait,
                                                                uint32_t *tries)
{
    if (*tries >= wait->max_tries) {
        return wait->max_tries != 0 ? GPUCMD_LIMIT : GPUCMD_BLOCKED;
    }
    ++*tries;
    return wait->fn != NULL ? wait->fn(wait->user, *tries - 1) : GPUCMD_OK;
}

/* ==== [CORE.DECODE] ====================================================================== */

/* ---- reader ---- */

/* A reader returns the CPU words from base to end in order. A reader keeps its
 * first failure; after a failure it returns no words. */
typedef struct gpucmd_reader {
    const uint32_t *cur;
    const uint32_t *end;
    const uint32_t *base;
    gpucmd_status status;
} gpucmd_reader;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *r for reading len_dw words from base[0] on. The words must stay valid
 * while r is used. base may be NULL if len_dw is 0. */
GPUCMD_PRIV_API void gpucmd_reader_init(gpucmd_reader *r, const uint32_t *base, size_t len_dw);
/* Return the number of words not yet read. */
GPUCMD_PRIV_API size_t gpucmd_reader_left_dw(const gpucmd_reader *r);
/* Return the number of words read so far. */
GPUCMD_PRIV_API size_t gpucmd_reader_at_dw(const gpucmd_reader *r);
/* Return the address of the next n_dw words (>= 1) and move after them. If
 * fewer words remain, return NULL, keep the position and set the status to
 * GPUCMD_TRUNCATED. If the reader has failed before, return NULL. */
GPUCMD_PRIV_API const uint32_t *gpucmd_reader_take(gpucmd_reader *r, size_t n_dw);
/* Read and return the next word; return 0 if none remains or the reader failed. */
GPUCMD_PRIV_API uint32_t gpucmd_reader_next(gpucmd_reader *r);
#endif

/* ---- text ---- */

/* Text in a buffer that the caller owns. The text always ends with a NUL inside
 * the buffer. Characters that do not fit are dropped but counted in need_bytes. */
typedef struct gpucmd_text {
    char *base;
    size_t cap_bytes;  /* room for characters: one byte less than the buffer */
    size_t len_bytes;  /* characters stored */
    size_t need_bytes; /* characters appended, including dropped characters */
    size_t line_bytes; /* position after the last dropped newline; 0: none was dropped */
} gpucmd_text;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *t as an empty text in buf, which has buf_bytes bytes and must stay valid
 * while t is used. buf may be NULL if buf_bytes is 0. */
GPUCMD_PRIV_API void gpucmd_text_init(gpucmd_text *t, char *buf, size_t buf_bytes);
/* Append to the text.
 *   gpucmd_text_char  append a character
 *   gpucmd_text_str   append a NUL-terminated string
 *   gpucmd_text_hex   append v in lower-case hexadecimal without a prefix; the
 *                     parameter digits (1..16) is the least number of digits
 *   gpucmd_text_dec   append v in decimal
 *   gpucmd_text_pad   append spaces until the last line has column_bytes characters;
 *                     append nothing if the line already has as many or more */
GPUCMD_PRIV_API void gpucmd_text_char(gpucmd_text *t, char c);
GPUCMD_PRIV_API void gpucmd_text_str(gpucmd_text *t, const char *s);
GPUCMD_PRIV_API void gpucmd_text_hex(gpucmd_text *t, uint64_t v, unsigned digits);
GPUCMD_PRIV_API void gpucmd_text_dec(gpucmd_text *t, uint64_t v);
GPUCMD_PRIV_API void gpucmd_text_pad(gpucmd_text *t, size_t column_bytes);
/* Return GPUCMD_OK if all characters were stored. GPUCMD_FULL: characters were
 * dropped; a buffer of need_bytes + 1 bytes is large enough. */
GPUCMD_PRIV_API gpucmd_status gpucmd_text_finish(const gpucmd_text *t);
#endif

/* ---- writer ---- */

/* Callback: return the size in words of the command at words[0], 1 to avail_dw, or
 * 0 if the command is invalid. rules points to the chip or generation. Each vendor
 * header defines such a function, for example gpucmd_nv_command_dw. */
typedef size_t (*gpucmd_command_fn)(const void *rules, const uint32_t *words, size_t avail_dw);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the number of commands that a writer accepted; 0 for a measuring writer. After a failure
 * the result is the index of the first rejected command. command_dw returns the size of each
 * command; `rules` is passed to command_dw. An invalid word counts as one command. */
GPUCMD_PRIV_API size_t gpucmd_writer_commands(const gpucmd_writer *w, gpucmd_command_fn command_dw,
                                              const void *rules);
/* Append one line to t with the position and the reason of a writer's failure:
 *     FULL at word 11, command 3: no room in the buffer; 22 words needed so far
 * If the writer did not fail, the line is "OK: 11 words, 3 commands". If command_dw
 * is NULL, or the writer measures, the line has no number of commands. */
GPUCMD_PRIV_API void gpucmd_print_writer(gpucmd_text *t, const gpucmd_writer *w,
                                         gpucmd_command_fn command_dw, const void *rules);
#endif

/* ==== [CORE.CHECK] ======================================================================= */

/* Severity of a checker's finding. */
typedef enum gpucmd_severity {
    GPUCMD_SEVERITY_NOTE,    /* valid, but probably not intended */
    GPUCMD_SEVERITY_WARNING, /* valid, but useless, or harmful in another context */
    GPUCMD_SEVERITY_ERROR,   /* rejected by the hardware or the kernel */
} gpucmd_severity;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return "note", "warning" or "error"; "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_severity_name(gpucmd_severity severity);
/* gpucmd_status_name returns the name of a status ("RANGE"), gpucmd_status_text its text. Both
 * return "?" for an unknown status. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_status_name(gpucmd_status status);
GPUCMD_PRIV_API const char *gpucmd_status_text(gpucmd_status status);
#endif

/* ==== [CORE.EXEC] ======================================================================== */

/* ---- memory ---- */

/* Bits of an access_mask: the rights of a region, or the rights that an access needs. */
enum {
    GPUCMD_ACCESS_READ = 1u,
    GPUCMD_ACCESS_WRITE = 2u,
};

/* A range of GPU addresses and the CPU memory behind it. */
typedef struct gpucmd_region {
    uint64_t va;          /* first GPU address */
    uint64_t bytes;       /* length, may be 0; va + bytes - 1 is at most 2^64 - 1 */
    void *host;           /* start of the CPU memory, any alignment, owned by the caller */
    uint32_t access_mask; /* GPUCMD_ACCESS_* */
} gpucmd_region;

/* GPU memory: an array of regions that the caller owns, in ascending order of address and
 * without overlap. Finding the region of an address takes O(log(count)). An access outside all
 * regions, or to a region that lacks the right, returns GPUCMD_FAULT and accesses no memory. With
 * scratch pages, or if callback find returns memory, an access outside all regions succeeds. */
typedef struct gpucmd_mem {
    const gpucmd_region *regions;
    size_t count;
    size_t hint;       /* index of the region that the last successful access used */
    size_t older_hint; /* an earlier value of member hint, which is also checked before a search */
    uint64_t fault_va; /* address of the last access that found no region or lacked a right */
    /* Reads outside all regions access the first of two pages at scratch, writes the second.
     * If scratch is NULL, they fail. gpucmd_mem_init sets NULL; the caller may set pages later. */
    uint8_t *scratch;       /* GPUCMD_MEM_SCRATCH_BYTES bytes, owned by the caller; or NULL */
    uint64_t scratch_count; /* number of times gpucmd_mem_span returned a scratch address */
    /* Callback for an address outside all regions, called before scratch is used, or NULL. It
     * writes to *host the CPU address of va, and to *bytes the number of bytes from va on. Memory
     * is contiguous in each 4 KiB page. If no memory is there, it returns a failure and writes
     * neither. */
    gpucmd_status (*find)(struct gpucmd_mem *mem, uint64_t va, uint8_t **host, uint64_t *bytes);
} gpucmd_mem;

/* Size of the two scratch pages. The low 12 bits of a GPU address are the offset in a page. */
enum { GPUCMD_MEM_SCRATCH_BYTES = 8192 };

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *mem with an array of count regions, owned by the caller; O(count). The array
 * must stay valid and unchanged while mem is used; after a change call gpucmd_mem_init again.
 * On failure mem contains no regions. GPUCMD_RANGE: a region exceeds 64-bit addresses or has
 * no CPU memory. GPUCMD_ORDER: a region is below the region before it, or overlaps it.
 * gpucmd_mem_sort can sort the array. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_init(gpucmd_mem *mem, const gpucmd_region *regions,
                                                size_t count);
/* Sort regions by address; O(count * log(count)). */
GPUCMD_PRIV_API void gpucmd_mem_sort(gpucmd_region *regions, size_t count);
/* Write the CPU address of va to *host. Write to *got_bytes how many bytes from
 * va on are in the same region (or scratch page, or memory that mem->find found), at most
 * want_bytes (>= 1). GPUCMD_FAULT: the region of va lacks a right of access_mask; or no region
 * contains va, mem->find finds no memory and mem->scratch is NULL. *host and *got_bytes are then
 * unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_span(gpucmd_mem *mem, uint64_t va, uint64_t want_bytes,
                                                uint32_t access_mask, uint8_t **host,
                                                uint64_t *got_bytes);
/* Return GPUCMD_OK if all len_bytes bytes from va on have the rights of access_mask. len_bytes may
 * be 0. GPUCMD_FAULT: a byte cannot be accessed. Time: O(log(regions) + regions of the range). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_probe(gpucmd_mem *mem, uint64_t va, uint64_t len_bytes,
                                                 uint32_t access_mask);
/* gpucmd_mem_read copies len_bytes bytes from GPU address va to dst. gpucmd_mem_write copies them
 * from src to va. GPUCMD_FAULT: a byte cannot be accessed; nothing is copied. Time: O(log(regions)
 * + regions of the range + len_bytes). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read(gpucmd_mem *mem, uint64_t va, void *dst,
                                                uint64_t len_bytes);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_write(gpucmd_mem *mem, uint64_t va, const void *src,
                                                 uint64_t len_bytes);
/* Copy len_bytes bytes from src_va to dst_va in GPU memory. The ranges may overlap.
 * GPUCMD_FAULT: a byte cannot be accessed; nothing is copied. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_copy(gpucmd_mem *mem, uint64_t dst_va, uint64_t src_va,
                                                uint64_t len_bytes);
/* Read or write 32 or 64 bits at va, with any alignment, in the byte order `endian`. GPUCMD_FAULT:
 * a byte cannot be accessed; *v and the memory are unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read32(gpucmd_mem *mem, uint64_t va,
                                                  gpucmd_endian endian, uint32_t *v);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_write32(gpucmd_mem *mem, uint64_t va,
                                                   gpucmd_endian endian, uint32_t v);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read64(gpucmd_mem *mem, uint64_t va,
                                                  gpucmd_endian endian, uint64_t *v);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_write64(gpucmd_mem *mem, uint64_t va,
                                                   gpucmd_endian endian, uint64_t v);
#endif

/* ---- events ---- */

/* Events that an executor reports. Column meaning says what the members of gpucmd_event contain;
 * for AGX see gpucmd_agx_exec_init. Member unit contains
 *   NVIDIA  METHODS: the subchannel; FETCH: 0; other events: the channel id
 *   Intel   the engine
 *   AGX     the queue */
/* clang-format off */
#define GPUCMD_EVENTS(E)                                                                           \
    /*  name        meaning of addr, code, va, value, data */                                      \
    E( METHODS,     "addr first method; code gpucmd_nv_kind; va of the words; data, count_dw" )    \
    E( FETCH,       "va of the word or entry; value its bits; code form or command" )              \
    E( REG_READ,    "addr register; the callback stores its value in out_dw" )                     \
    E( REG_WRITE,   "addr register; value" )                                                       \
    E( COMMAND,     "addr command code; va; data, count_dw: the whole command" )                   \
    E( MEM_READ,    "va; value; count_dw words, data may be NULL" )                                \
    E( MEM_WRITE,   "va; value; count_dw words, data may be NULL" )                                \
    E( WAIT,        "va polled; value waited for; code comparison" )                               \
    E( WAKE,        "va and value that ended a wait" )                                             \
    E( INTERRUPT,   "code number; value" )                                                         \
    E( STATE,       "code new state; value old state; va position" )                               \
    E( START,       "code half or part; value command index" )                                     \
    E( FINISH,      "code half or part; value command index" )                                     \
    E( ERROR,       "code error; va position; value offending word" )
/* clang-format on */

#define GPUCMD_PRIV_EVENT(name, meaning) GPUCMD_EVENT_##name,
typedef enum gpucmd_event_kind { GPUCMD_EVENTS(GPUCMD_PRIV_EVENT) } gpucmd_event_kind;
#undef GPUCMD_PRIV_EVENT

/* One event. GPUCMD_EVENTS says what the members contain for each kind. */
typedef struct gpucmd_event {
    gpucmd_event_kind kind;
    uint32_t unit;
    uint32_t addr;
    uint32_t code;
    uint64_t va;
    uint64_t value;
    const uint32_t *data; /* CPU words, valid only while the callback runs; or NULL */
    uint32_t count_dw;
    uint32_t *out_dw; /* REG_READ: the callback stores the register's value. METHODS: contains 0;
                         a callback that returns BLOCKED stores how many words it executed */
} gpucmd_event;

/* Callback for an event. The callback returns:
 *   GPUCMD_OK       the executor continues
 *   GPUCMD_BLOCKED  the executor stops (AGX: with GPUCMD_RUN_FAULT); it passes the event again
 *                   in the next step or run
 *   other           the executor stops with GPUCMD_RUN_FAULT; gpucmd_why.status becomes other */
typedef gpucmd_status (*gpucmd_event_fn)(void *user, const gpucmd_event *event);

/* Memory and callbacks of an executor, owned by the caller. The executor calls event for
 * work that it cannot do itself; if event is NULL, this work is ignored. If trace is not
 * NULL, the executor calls it before the effect of each step and ignores its result. */
typedef struct gpucmd_env {
    gpucmd_mem *mem;
    gpucmd_event_fn event;
    void *user;
    gpucmd_event_fn trace;
    void *trace_user;
} gpucmd_env;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Fill env; env->trace becomes NULL. event and user may be NULL. */
GPUCMD_PRIV_API void gpucmd_env_init(gpucmd_env *env, gpucmd_mem *mem, gpucmd_event_fn event,
                                     void *user);
#endif

/* Result of the functions ..._step and ..._run of an executor. */
typedef enum gpucmd_run {
    GPUCMD_RUN_DONE,    /* ..._step executed one unit of work */
    GPUCMD_RUN_IDLE,    /* no work remains */
    GPUCMD_RUN_BLOCKED, /* the executor waits for an external event */
    GPUCMD_RUN_FAULT,   /* an error stopped the executor; its function ..._why writes the reason */
    GPUCMD_RUN_LIMIT,   /* ..._run used up its budget; work may remain */
} gpucmd_run;

/* Reasons for which an executor stopped. */
/* clang-format off */
#define GPUCMD_WHYS(W)                                                                             \
    /*  name       meaning */                                                                      \
    W( IDLE,       "no work is left" )                                                             \
    W( READY,      "work is left and nothing stops it" )                                           \
    W( WAIT,       "waits for a value that it polls" )                                             \
    W( CALLBACK,   "a callback returned this status" )                                             \
    W( MEMORY,     "memory cannot be accessed" )                                                   \
    W( ERROR,      "the hardware reports an error" )                                               \
    W( MODEL,      "the executor cannot execute this" )                                            \
    W( DEADLOCK,   "every unit that has work waits" )                                              \
    W( LIVELOCK,   "units run without effect" )
/* clang-format on */

#define GPUCMD_PRIV_WHY(name, meaning) GPUCMD_WHY_##name,
typedef enum gpucmd_why_kind { GPUCMD_WHYS(GPUCMD_PRIV_WHY) } gpucmd_why_kind;
#undef GPUCMD_PRIV_WHY

/* The reason for which an executor stopped. The executor's function ..._why writes it. Texts
 * have static storage. For AGX, gpucmd_agx_exec_why documents at_va, va and value. */
typedef struct gpucmd_why {
    gpucmd_why_kind kind;
    gpucmd_status status; /* CALLBACK: its result; MEMORY: FAULT; NVIDIA MODEL: cause; else OK */
    uint32_t unit;        /* NVIDIA channel, Intel engine or AGX queue */
    uint64_t at_va;       /* address of the next word or IB entry */
    const char *reg;      /* ERROR: name of the register with the error bits; otherwise "" */
    uint32_t bits;        /* ERROR: value of the register reg */
    uint64_t va;          /* MEMORY: the rejected address; WAIT, DEADLOCK: the polled address */
    uint64_t value;       /* WAIT, DEADLOCK: the value waited for */
    const char *name;     /* name of the error, comparison, fence or status; otherwise "" */
    const char *text;     /* the reason as one clause */
} gpucmd_why;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the name of a kind of event ("METHODS"), of a result ("IDLE") or of a kind of
 * reason ("WAIT"); "?" for any other number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_event_name(gpucmd_event_kind kind);
GPUCMD_PRIV_API const char *gpucmd_run_name(gpucmd_run run);
GPUCMD_PRIV_API const char *gpucmd_why_name(gpucmd_why_kind kind);
/* Append one line to t: kind, unit and at_va of *why, then the members reg,
 * bits, name, value and va, if this kind of reason has them, then the text. */
GPUCMD_PRIV_API void gpucmd_print_why(gpucmd_text *t, const gpucmd_why *why);
#endif

/* ---- barriers and registers ---- */

/* Barriers make a device see CPU accesses in order. Functions that submit execute
 * barriers; functions that emit do not.
 *   WRITE  stores to command memory before the barrier become visible before
 *          stores after it, also in write-combined memory
 *   FULL   loads and stores before the barrier complete before loads and stores after it
 *   MMIO   stores before the barrier, to memory or registers, reach the device
 *          before register writes after it
 * The caller may define each macro. The default instructions are a choice of this library. Their
 * models are dma_wmb, mb and the barrier inside writel of Linux; some instructions are stronger. */
#if !defined(GPUCMD_BARRIER_WRITE) || !defined(GPUCMD_BARRIER_FULL) || !defined(GPUCMD_BARRIER_MMIO)
#if !defined(GPUCMD_PRIV_GNU) && !(defined(__TINYC__) && (defined(__x86_64__) || defined(__i386__)))
/* The assembler syntax of the compiler is unknown. */
#elif defined(__x86_64__) || defined(__SSE2__)
#define GPUCMD_PRIV_BARRIER_W "sfence"
#define GPUCMD_PRIV_BARRIER_F "mfence"
#define GPUCMD_PRIV_BARRIER_M "sfence"
#elif defined(__i386__)
#define GPUCMD_PRIV_BARRIER_W "lock; addl $0, 0(%%esp)"
#define GPUCMD_PRIV_BARRIER_F "lock; addl $0, 0(%%esp)"
#define GPUCMD_PRIV_BARRIER_M "lock; addl $0, 0(%%esp)"
#elif defined(__aarch64__) ||                                                                      \
    (defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A')
#define GPUCMD_PRIV_BARRIER_W "dmb oshst"
#define GPUCMD_PRIV_BARRIER_F "dsb sy"
#define GPUCMD_PRIV_BARRIER_M "dsb st"
#elif defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define GPUCMD_PRIV_BARRIER_W "dmb"
#define GPUCMD_PRIV_BARRIER_F "dsb"
#define GPUCMD_PRIV_BARRIER_M "dsb"
#elif defined(__riscv)
#define GPUCMD_PRIV_BARRIER_W "fence w,ow"
#define GPUCMD_PRIV_BARRIER_F "fence iorw,iorw"
#define GPUCMD_PRIV_BARRIER_M "fence ow,ow"
#elif defined(__powerpc__) || defined(__powerpc64__)
#define GPUCMD_PRIV_BARRIER_W "sync"
#define GPUCMD_PRIV_BARRIER_F "sync"
#define GPUCMD_PRIV_BARRIER_M "sync"
#endif
#if defined(GPUCMD_PRIV_BARRIER_W)
#define GPUCMD_PRIV_BARRIER(text) __asm__ __volatile__(text : : : "memory")
#elif defined(GPUCMD_PRIV_GNU)
#define GPUCMD_PRIV_BARRIER(text) __sync_synchronize()
#else
/* This function has no body, because the library has no barrier for this compiler. A program links
 * only if the caller defines the macro GPUCMD_BARRIER_* of each barrier that the program uses. */
void gpucmd_barrier_macros_are_not_defined(void);
#define GPUCMD_PRIV_BARRIER(text) gpucmd_barrier_macros_are_not_defined()
#endif
#ifndef GPUCMD_BARRIER_WRITE
#define GPUCMD_BARRIER_WRITE() GPUCMD_PRIV_BARRIER(GPUCMD_PRIV_BARRIER_W)
#endif
#ifndef GPUCMD_BARRIER_FULL
#define GPUCMD_BARRIER_FULL() GPUCMD_PRIV_BARRIER(GPUCMD_PRIV_BARRIER_F)
#endif
#ifndef GPUCMD_BARRIER_MMIO
#define GPUCMD_BARRIER_MMIO() GPUCMD_PRIV_BARRIER(GPUCMD_PRIV_BARRIER_M)
#endif
#endif

/* Callbacks that read and write 32-bit device registers, of hardware or of an executor.
 * off_bytes is a multiple of 4. */
typedef struct gpucmd_mmio {
    uint32_t (*read32)(void *user, uint64_t off_bytes);
    void (*write32)(void *user, uint64_t off_bytes, uint32_t v);
    void *user;
} gpucmd_mmio;

/* ==== [CORE.KERNEL] ====================================================================== */

/* ---- system calls ---- */

/* Arguments of mmap. */
typedef struct gpucmd_sys_map {
    void *addr; /* before the call: hint, or NULL; after it: address of the mapping */
    size_t len_bytes;
    uint32_t prot;  /* GPUCMD_SYS_PROT_* */
    uint32_t flags; /* GPUCMD_SYS_MAP_* */
    int fd;
    uint64_t off_bytes;
} gpucmd_sys_map;

/* System calls as callbacks, either of Linux (gpucmd_sys_ops_init_linux) or of a model kernel. Each
 * callback returns 0 or more on success, or a negative errno; the library restarts no call.
 *   sys_open    open the NUL-terminated path; flags are GPUCMD_SYS_O_*; return the file descriptor
 *   sys_ioctl   arg points to the argument; if the size in number is 0, arg may be an
 *               integer instead. Some drivers return more than 0
 *   sys_mmap    do the mapping that *map describes; write the address to map->addr
 *   sys_read    return the number of bytes read
 *   sys_write   return the number of bytes written
 * A callback that the library does not call may be NULL. */
typedef struct gpucmd_sys_ops {
    int (*sys_open)(void *user, const char *path, uint32_t flags);
    int (*sys_close)(void *user, int fd);
    int (*sys_ioctl)(void *user, int fd, uint32_t number, void *arg);
    int (*sys_mmap)(void *user, gpucmd_sys_map *map);
    int (*sys_munmap)(void *user, void *addr, size_t len_bytes);
    int64_t (*sys_read)(void *user, int fd, void *dst, size_t len_bytes);
    int64_t (*sys_write)(void *user, int fd, const void *src, size_t len_bytes);
    void *user;
} gpucmd_sys_ops;

/* Flags of open and mmap, as Linux numbers them on x86, arm, riscv, powerpc and s390. MAP_FIXED
 * replaces earlier mappings in the range. MAP_FIXED_NOREPLACE fails with EEXIST if the range
 * contains a mapping; Linux before 4.17 ignores this flag and treats the address as a hint. */
enum {
    GPUCMD_SYS_O_RDONLY = 0,
    GPUCMD_SYS_O_WRONLY = 1,
    GPUCMD_SYS_O_RDWR = 2,
    GPUCMD_SYS_O_CLOEXEC = 0x80000,
    GPUCMD_SYS_PROT_READ = 1,
    GPUCMD_SYS_PROT_WRITE = 2,
    GPUCMD_SYS_MAP_SHARED = 1,
    GPUCMD_SYS_MAP_FIXED = 0x10,
    GPUCMD_SYS_MAP_FIXED_NOREPLACE = 0x100000,
};

/* Every errno that a function or a model kernel of these headers returns. */
/* clang-format off */
#define GPUCMD_SYS_ERRORS(E)                                                                       \
    /*  name        number */                                                                      \
    E( EPERM,      1 )        E( ENOENT,     2 )        E( EINTR,      4 )                         \
    E( EIO,        5 )        E( ENXIO,      6 )        E( E2BIG,      7 )                         \
    E( EBADF,      9 )        E( EAGAIN,     11 )       E( ENOMEM,     12 )                        \
    E( EACCES,     13 )       E( EFAULT,     14 )       E( EBUSY,      16 )                        \
    E( EEXIST,     17 )       E( ENODEV,     19 )       E( EINVAL,     22 )                        \
    E( EMFILE,     24 )       E( ENOTTY,     25 )       E( ENOSPC,     28 )                        \
    E( ERANGE,     34 )       E( ENOSYS,     38 )       E( ENODATA,    61 )                        \
    E( ETIME,      62 )       E( EOPNOTSUPP, 95 )       E( ETIMEDOUT,  110 )                       \
    E( ECANCELED,  125 )      E( ENOTSUPP,   524 )
/* clang-format on */

/* Define the errnos as enum constants, for example GPUCMD_SYS_EPERM = 1. GPUCMD_SYS_0 is for
 * table rows with 0 in a column of errnos. */
#define GPUCMD_PRIV_ERROR(name, number) GPUCMD_SYS_##name = number,
enum { GPUCMD_SYS_0 = 0, GPUCMD_SYS_ERRORS(GPUCMD_PRIV_ERROR) };
#undef GPUCMD_PRIV_ERROR

/* Return the negative errno of a status: column errno of GPUCMD_STATUSES; 0 for GPUCMD_OK. */
#define GPUCMD_PRIV_STATUS(name, number, text, error)                                              \
    case GPUCMD_##name: return -GPUCMD_SYS_##error;
GPUCMD_SHARED int gpucmd_status_errno(gpucmd_status status)
{
    switch (status) {
        GPUCMD_STATUSES(GPUCMD_PRIV_STATUS)
    }
    return -GPUCMD_SYS_EINVAL;
}
#undef GPUCMD_PRIV_STATUS

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the name of a positive or negative errno: "EINVAL" for 22 and -22; "?" if
 * GPUCMD_SYS_ERRORS lacks the number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_sys_error_name(int number);
#endif

/* Bit fields of an ioctl number, as Linux defines them on x86, arm, riscv and s390. */
/* clang-format off */
#define GPUCMD_IOC_FIELDS(F)                                                                       \
    /*  name       hi  lo  meaning */                                                              \
    F( IOC_DIR,    31, 30, "bit 0: the kernel reads the argument, bit 1: it writes it" )           \
    F( IOC_BYTES,  29, 16, "size of the argument" )                                                \
    F( IOC_LETTER, 15,  8, "family of numbers" )                                                   \
    F( IOC_NR,      7,  0, "number in the family" )
/* clang-format on */

#define GPUCMD_PRIV_IOC(name, hi, lo, meaning) GPUCMD_##name##_HI = hi, GPUCMD_##name##_LO = lo,
enum { GPUCMD_IOC_FIELDS(GPUCMD_PRIV_IOC) };
#undef GPUCMD_PRIV_IOC

enum { GPUCMD_IOC_NONE = 0, GPUCMD_IOC_WRITE = 1, GPUCMD_IOC_READ = 2 };

/* ioctl numbers as integer constant expressions. letter is a character constant; type is the
 * type of the argument. GPUCMD_IO: no argument size; GPUCMD_IOR: the kernel writes the
 * argument; GPUCMD_IOW: the kernel reads the argument; GPUCMD_IOWR: the kernel does both. */
#define GPUCMD_IOC(dir, letter, nr, bytes)                                                         \
    (GPUCMD_FIELD_PUT(IOC_DIR, dir) + GPUCMD_FIELD_CONST(IOC_BYTES, bytes) +                       \
     GPUCMD_FIELD_CONST(IOC_LETTER, letter) + GPUCMD_FIELD_CONST(IOC_NR, nr))
#define GPUCMD_IO(letter, nr)        GPUCMD_IOC(GPUCMD_IOC_NONE, letter, nr, 0)
#define GPUCMD_IOR(letter, nr, type) GPUCMD_IOC(GPUCMD_IOC_READ, letter, nr, sizeof(type))
#define GPUCMD_IOW(letter, nr, type) GPUCMD_IOC(GPUCMD_IOC_WRITE, letter, nr, sizeof(type))
#define GPUCMD_IOWR(letter, nr, type)                                                              \
    GPUCMD_IOC(GPUCMD_IOC_WRITE | GPUCMD_IOC_READ, letter, nr, sizeof(type))

/* ---- layouts of structures ---- */

/* Lists of table rows describe the structures of a kernel's interface. From a list the macros
 * GPUCMD_LAYOUT_* generate structs, asserts, conversion of byte order and printing. Example:
 *
 *     #define VENDOR_STRUCTS(S, F, A, U, E)                                  \
 *         S( drm_x_range ) F( u32, flags, 0 ) F( u32, pad, 4 )               \
 *             F( u64, addr, 8 ) E( drm_x_range, 16 )                         \
 *         S( drm_x_bind ) F( drm_x_range, range, 0 ) A( u8, name, 8, 16 )    \
 *             U( union { ) F( u32, fd, 24 ) U( int32_t error; }; )           \
 *             F( u32, pad, 28 ) E( drm_x_bind, 32 )
 *
 *   S(tag)                     begins struct gpucmd_<tag>
 *   F(type, name, off)         a member and its byte offset. type: u8 to u64,
 *                              s8 to s64, or the tag of an earlier structure;
 *                              the second character of the tag is not a digit
 *   A(type, name, count, off)  an array. count and off are decimal literals
 *   U(text)                    C text for the declaration only: the brackets of a union, and
 *                              members that share the bytes of an F member
 *   E(tag, bytes)              ends the structure; bytes is its size
 * Padding must be a member.
 *
 *     GPUCMD_LAYOUT_STRUCTS(VENDOR_STRUCTS)   declares the structs
 *     GPUCMD_LAYOUT_STORES(VENDOR_STRUCTS)    defines inline functions
 *                                             gpucmd_layout_store_<tag>(dst, src):
 *                                             write *src as little-endian bytes
 *     GPUCMD_LAYOUT_ASSERTS(VENDOR_STRUCTS)   checks sizes and offsets
 *     enum { GPUCMD_LAYOUT_IDS(VENDOR_STRUCTS) };  defines GPUCMD_STRUCT_<tag>,
 *                                             counted from 0
 *     GPUCMD_LAYOUT_TEXTS(VENDOR_STRUCTS)     defines cases of a gpucmd_layout_fn
 * An enum or a gpucmd_layout_fn can contain several lists. */
#define GPUCMD_LAYOUT_STRUCTS(list)                                                                \
    list(GPUCMD_PRIV_STRUCT_S, GPUCMD_PRIV_STRUCT_F, GPUCMD_PRIV_STRUCT_A, GPUCMD_PRIV_STRUCT_U,   \
         GPUCMD_PRIV_STRUCT_E)
#define GPUCMD_PRIV_STRUCT_S(tag)                                                                  \
    GPUCMD_PRIV_UNNAMED                                                                            \
    typedef struct gpucmd_##tag {
#define GPUCMD_PRIV_STRUCT_F(type, name, off)        gpucmd_layout_##type name;
#define GPUCMD_PRIV_STRUCT_A(type, name, count, off) gpucmd_layout_##type name[count];
#define GPUCMD_PRIV_STRUCT_U(...)                    __VA_ARGS__
#define GPUCMD_PRIV_STRUCT_E(tag, bytes)                                                           \
    }                                                                                              \
    gpucmd_layout_##tag;
#define GPUCMD_PRIV_SKIP(...)

typedef uint8_t gpucmd_layout_u8;
typedef uint16_t gpucmd_layout_u16;
typedef uint32_t gpucmd_layout_u32;
typedef uint64_t gpucmd_layout_u64;
typedef int8_t gpucmd_layout_s8;
typedef int16_t gpucmd_layout_s16;
typedef int32_t gpucmd_layout_s32;
typedef int64_t gpucmd_layout_s64;

#define GPUCMD_LAYOUT_ASSERTS(list)                                                                \
    list(GPUCMD_PRIV_ASSERT_S, GPUCMD_PRIV_ASSERT_F, GPUCMD_PRIV_ASSERT_A, GPUCMD_PRIV_SKIP,       \
         GPUCMD_PRIV_ASSERT_E)
#define GPUCMD_PRIV_ASSERT_S(tag)                                                                  \
    static inline GPUCMD_PRIV_UNUSED void gpucmd_priv_layout_##tag(void)                           \
    {                                                                                              \
        typedef struct gpucmd_##tag it;
#define GPUCMD_PRIV_ASSERT_F(type, name, off)                                                      \
    typedef char at_##name[GPUCMD_PRIV_OFFSETOF(it, name) == (off) ? 1 : -1] GPUCMD_PRIV_UNUSED;
#define GPUCMD_PRIV_ASSERT_A(type, name, count, off) GPUCMD_PRIV_ASSERT_F(type, name, off)
#define GPUCMD_PRIV_ASSERT_E(tag, bytes)                                                           \
    typedef char size_of_it[sizeof(it) == (bytes) ? 1 : -1] GPUCMD_PRIV_UNUSED;                    \
    }

#define GPUCMD_LAYOUT_IDS(list)                                                                    \
    list(GPUCMD_PRIV_LAYOUT_ID, GPUCMD_PRIV_SKIP, GPUCMD_PRIV_SKIP, GPUCMD_PRIV_SKIP,              \
         GPUCMD_PRIV_SKIP)
#define GPUCMD_PRIV_LAYOUT_ID(tag) GPUCMD_STRUCT_##tag,

#define GPUCMD_LAYOUT_TEXTS(list)                                                                  \
    list(GPUCMD_PRIV_TEXT_S, GPUCMD_PRIV_TEXT_F, GPUCMD_PRIV_TEXT_A, GPUCMD_PRIV_SKIP,             \
         GPUCMD_PRIV_TEXT_E)
#define GPUCMD_PRIV_TEXT_S(tag)                                                                    \
    case GPUCMD_STRUCT_##tag:                                                                      \
        return #tag "\0"
#define GPUCMD_PRIV_TEXT_F(type, name, off)                                                        \
#type "\0" #name "\0" #off "\0"                                                                \
          "1\0"
#define GPUCMD_PRIV_TEXT_A(type, name, count, off) #type "\0" #name "\0" #off "\0" #count "\0"
#define GPUCMD_PRIV_TEXT_E(tag, bytes)             "\0" #bytes;

#define GPUCMD_LAYOUT_STORES(list)                                                                 \
    list(GPUCMD_PRIV_STORE_S, GPUCMD_PRIV_STORE_F, GPUCMD_PRIV_STORE_A, GPUCMD_PRIV_SKIP,          \
         GPUCMD_PRIV_STORE_E)
#define GPUCMD_PRIV_STORE_S(tag)                                                                   \
    GPUCMD_INLINE GPUCMD_PRIV_UNUSED void gpucmd_layout_store_##tag(                               \
        void *dst, const struct gpucmd_##tag *src)                                                 \
    {                                                                                              \
        uint8_t *to = (uint8_t *)dst;
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__) &&                                 \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define GPUCMD_PRIV_STORE_F(type, name, off)
#define GPUCMD_PRIV_STORE_A(type, name, count, off)
#define GPUCMD_PRIV_STORE_E(tag, bytes)                                                            \
    gpucmd_priv_copy_parts(to, src, (bytes));                                                      \
    }
#else
#define GPUCMD_PRIV_STORE_F(type, name, off) gpucmd_layout_store_##type(to + (off), &src->name);
#define GPUCMD_PRIV_STORE_A(type, name, count, off)                                                \
    {                                                                                              \
        size_t i;                                                                                  \
        for (i = 0; i < (count); i++) {                                                            \
            gpucmd_layout_store_##type(to + (off) + i * sizeof src->name[0], &src->name[i]);       \
        }                                                                                          \
    }
#define GPUCMD_PRIV_STORE_E(tag, bytes)   }

/* Copy a number of len_bytes (1..8) bytes from src, in CPU byte order, to dst, little endian. */
GPUCMD_INLINE void gpucmd_priv_store_number(void *dst, const void *src, size_t len_bytes)
{
    size_t i;
    for (i = 0; i < len_bytes; i++) {
        const size_t k = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN ? len_bytes - 1 - i : i;
        ((uint8_t *)dst)[i] = ((const uint8_t *)src)[k];
    }
}
#define gpucmd_layout_store_u8(dst, src)  gpucmd_priv_store_number((dst), (src), 1)
#define gpucmd_layout_store_u16(dst, src) gpucmd_priv_store_number((dst), (src), 2)
#define gpucmd_layout_store_u32(dst, src) gpucmd_priv_store_number((dst), (src), 4)
#define gpucmd_layout_store_u64(dst, src) gpucmd_priv_store_number((dst), (src), 8)
#define gpucmd_layout_store_s8            gpucmd_layout_store_u8
#define gpucmd_layout_store_s16           gpucmd_layout_store_u16
#define gpucmd_layout_store_s32           gpucmd_layout_store_u32
#define gpucmd_layout_store_s64           gpucmd_layout_store_u64
#endif

/* Callback: return the rows of structure number idx (GPUCMD_STRUCT_<tag>) as text; NULL
 * if there is no such structure. The body of the callback is:
 *     switch (idx) { GPUCMD_LAYOUT_TEXTS(VENDOR_STRUCTS) } return NULL; */
typedef const char *(*gpucmd_layout_fn)(uint32_t idx);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the tag ("drm_x_bind") or the size in bytes of structure number idx; "?" or 0
 * if there is no such structure. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_layout_name(gpucmd_layout_fn of, uint32_t idx);
GPUCMD_PRIV_API size_t gpucmd_layout_bytes(gpucmd_layout_fn of, uint32_t idx);
/* Copy structure number idx from src to dst and convert it between CPU byte order and the byte
 * order `endian`; both directions are equal. dst and src point to gpucmd_layout_bytes bytes, at any
 * alignment; they must be equal or not overlap. Members declared by a U row are not converted. */
GPUCMD_PRIV_API void gpucmd_layout_convert(gpucmd_layout_fn of, uint32_t idx, void *dst,
                                           const void *src, gpucmd_endian endian);
/* Append a line for each number in structure number idx that is not 0: `indent` spaces, the name
 * ("depth.base", "samples[3].gpu_timestamp") and the value in hexadecimal. `bytes` points to the
 * structure in the byte order `endian`. */
GPUCMD_PRIV_API void gpucmd_layout_print(gpucmd_text *t, gpucmd_layout_fn of, uint32_t idx,
                                         const void *bytes, gpucmd_endian endian, size_t indent);
#endif

/* ---- memory of a process ---- */

/* With these functions a model kernel accesses the memory of the process that calls it.
 * process is the memory of this process; addr is an address in it. If process is NULL, addr is
 * a pointer of this program. Addresses below 4096 or larger than a pointer are then invalid.
 *   gpucmd_process_read      copy len_bytes bytes from addr to dst
 *   gpucmd_process_write     copy len_bytes bytes from src to addr
 *   gpucmd_process_copy_in   copy an argument of have_bytes bytes at addr to the
 *                            structure dst of known_bytes bytes; missing bytes become 0
 *   gpucmd_process_copy_out  copy the structure src of known_bytes bytes to addr,
 *                            but at most have_bytes bytes
 * The functions return 0 on success. -GPUCMD_SYS_EFAULT: an address is invalid.
 * -GPUCMD_SYS_E2BIG: copy_in found a byte after known_bytes that is not 0. On failure
 * nothing is copied. Each byte is read at most once. Any address is valid for 0 bytes. */
#ifdef GPUCMD_PRIV_PROTOTYPES
GPUCMD_PRIV_CHECK int gpucmd_process_read(gpucmd_mem *process, uint64_t addr, void *dst,
                                          uint64_t len_bytes);
GPUCMD_PRIV_CHECK int gpucmd_process_write(gpucmd_mem *process, uint64_t addr, const void *src,
                                           uint64_t len_bytes);
GPUCMD_PRIV_CHECK int gpucmd_process_copy_in(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                             void *dst, size_t known_bytes);
GPUCMD_PRIV_CHECK int gpucmd_process_copy_out(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                              const void *src, size_t known_bytes);
/* Return the CPU address of len_bytes (>= 1) bytes at addr of the process. NULL: an address
 * is invalid, the bytes are not in one region, or the region lacks a right of access_mask.
 * The process can change the bytes at any time: copy the bytes before you check them. */
GPUCMD_PRIV_API uint8_t *gpucmd_process_span(gpucmd_mem *process, uint64_t addr, uint64_t len_bytes,
                                             uint32_t access_mask);
#endif

/* ---- model kernels as system calls ---- */

/* A device node whose ioctls a model kernel answers. Only one descriptor of it can be open. */
typedef struct gpucmd_sys_node {
    int (*sys_ioctl)(void *kernel, uint32_t number, void *arg); /* as in gpucmd_sys_ops */
    int (*sys_mmap)(void *kernel, gpucmd_sys_map *map);         /* NULL: mmap fails with -ENODEV */
    void *kernel;
    bool is_open;
} gpucmd_sys_node;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Fill *ops with system calls that access *node. Fill *node as closed, with sys_ioctl and
 * without sys_mmap. node and kernel must stay valid as long as *ops is used.
 *   sys_open             returns file descriptor 3 for every path. -ENOENT: the path is
 *                        empty. -EBUSY: the node is already open
 *   sys_close, _ioctl, _mmap  -EBADF: fd is not the open node
 *   sys_munmap           does nothing and returns 0
 *   sys_read, sys_write  are NULL */
GPUCMD_PRIV_API void gpucmd_sys_ops_init_node(gpucmd_sys_ops *ops, gpucmd_sys_node *node,
                                              int (*sys_ioctl)(void *kernel, uint32_t number,
                                                               void *arg),
                                              void *kernel);
#endif

GPUCMD_PRIV_END

#endif /* GPUCMD_H */

/* ---- Linux ---- */

/* This section defines the Linux system calls as gpucmd_sys_ops. It is compiled only in units that
 * include <errno.h>, <fcntl.h>, <unistd.h>, <sys/ioctl.h> and <sys/mman.h> before this header. The
 * #if checks macros of these headers, so that other units need no C library. The section is outside
 * the include guard, so that a unit may include this header again after the system headers. */
#if defined(__linux__) && defined(EINTR) && defined(O_RDWR) && defined(STDIN_FILENO) &&            \
    defined(FIONREAD) && defined(MAP_FIXED) && !defined(GPUCMD_LINUX_H)
#define GPUCMD_LINUX_H

GPUCMD_PRIV_BEGIN

static inline int gpucmd_priv_linux_open(void *user, const char *path, uint32_t flags)
{
    const int fd = open(path, (int)flags);
    (void)user;
    return fd >= 0 ? fd : -errno;
}

static inline int gpucmd_priv_linux_close(void *user, int fd)
{
    (void)user;
    return close(fd) == 0 ? 0 : -errno;
}

static inline int gpucmd_priv_linux_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    const int result = ioctl(fd, number, arg);
    (void)user;
    return result >= 0 ? result : -errno;
}

static inline int gpucmd_priv_linux_mmap(void *user, gpucmd_sys_map *map)
{
    void *const at = mmap(map->addr, map->len_bytes, (int)map->prot, (int)map->flags, map->fd,
                          (off_t)map->off_bytes);
    (void)user;
    if (at == MAP_FAILED) {
        return -errno;
    }
    map->addr = at;
    return 0;
}

static inline int gpucmd_priv_linux_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    return munmap(addr, len_bytes) == 0 ? 0 : -errno;
}

static inline int64_t gpucmd_priv_linux_read(void *user, int fd, void *dst, size_t len_bytes)
{
    const int64_t n_bytes = read(fd, dst, len_bytes);
    (void)user;
    return n_bytes >= 0 ? n_bytes : -errno;
}

static inline int64_t gpucmd_priv_linux_write(void *user, int fd, const void *src, size_t len_bytes)
{
    const int64_t n_bytes = write(fd, src, len_bytes);
    (void)user;
    return n_bytes >= 0 ? n_bytes : -errno;
}

/* Fill *ops with callbacks that call the Linux system calls. */
GPUCMD_SHARED void gpucmd_sys_ops_init_linux(gpucmd_sys_ops *ops)
{
    ops->sys_open = gpucmd_priv_linux_open;
    ops->sys_close = gpucmd_priv_linux_close;
    ops->sys_ioctl = gpucmd_priv_linux_ioctl;
    ops->sys_mmap = gpucmd_priv_linux_mmap;
    ops->sys_munmap = gpucmd_priv_linux_munmap;
    ops->sys_read = gpucmd_priv_linux_read;
    ops->sys_write = gpucmd_priv_linux_write;
    ops->user = NULL;
}

GPUCMD_PRIV_END

#endif /* GPUCMD_LINUX_H */

/* End of the interface. Implementation below. */

#if defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_H_IMPL)
#define GPUCMD_H_IMPL

GPUCMD_PRIV_BEGIN

/* ==== [CORE.IMPL.DECODE] ================================================================= */

GPUCMD_PRIV_API void gpucmd_reader_init(gpucmd_reader *r, const uint32_t *base, size_t len_dw)
{
    r->cur = base;
    r->end = len_dw != 0 ? base + len_dw : base;
    r->base = base;
    r->status = GPUCMD_OK;
}

GPUCMD_PRIV_API size_t gpucmd_reader_left_dw(const gpucmd_reader *r)
{
    return r->cur != r->end ? (size_t)(r->end - r->cur) : 0;
}

GPUCMD_PRIV_API size_t gpucmd_reader_at_dw(const gpucmd_reader *r)
{
    return r->cur != r->base ? (size_t)(r->cur - r->base) : 0;
}

GPUCMD_PRIV_API const uint32_t *gpucmd_reader_take(gpucmd_reader *r, size_t n_dw)
{
    const uint32_t *at = r->cur;
    if (GPUCMD_PRIV_UNLIKELY(r->status != GPUCMD_OK || gpucmd_reader_left_dw(r) < n_dw)) {
        if (r->status == GPUCMD_OK) {
            r->status = GPUCMD_TRUNCATED;
        }
        return NULL;
    }
    r->cur += n_dw;
    return at;
}

GPUCMD_PRIV_API uint32_t gpucmd_reader_next(gpucmd_reader *r)
{
    const uint32_t *at = gpucmd_reader_take(r, 1);
    return at != NULL ? *at : 0;
}

GPUCMD_PRIV_API void gpucmd_text_init(gpucmd_text *t, char *buf, size_t buf_bytes)
{
    t->base = buf;
    t->cap_bytes = buf_bytes != 0 ? buf_bytes - 1 : 0;
    t->len_bytes = 0;
    t->need_bytes = 0;
    t->line_bytes = 0;
    if (buf_bytes != 0) {
        buf[0] = '\0';
    }
}

/* Append the characters that fit; count all. If a character was dropped before, append none. */
static void gpucmd_priv_text_cut(gpucmd_text *t, const char *s, size_t len_bytes)
{
    size_t i;
    const size_t room = t->cap_bytes - t->len_bytes;
    const size_t n = t->need_bytes != t->len_bytes ? 0 : len_bytes < room ? len_bytes : room;
    for (i = n; i < len_bytes; i++) {
        if (s[i] == '\n') {
            t->line_bytes = t->need_bytes + i + 1;
        }
    }
    t->need_bytes += len_bytes;
    if (n != 0) {
        gpucmd_priv_copy(t->base + t->len_bytes, s, n);
        t->len_bytes += n;
        t->base[t->len_bytes] = '\0';
    }
}

/* Make the text longer by len_bytes characters and return their address; the caller
 * must write the characters. Return NULL and change nothing if len_bytes + 1
 * characters do not fit, or if characters were dropped before. */
GPUCMD_INLINE char *gpucmd_priv_text_claim(gpucmd_text *t, size_t len_bytes)
{
    const size_t at = t->len_bytes;
    if (GPUCMD_PRIV_UNLIKELY(t->need_bytes != at || t->cap_bytes - at <= len_bytes)) {
        return NULL;
    }
    t->len_bytes = at + len_bytes;
    t->need_bytes = at + len_bytes;
    t->base[at + len_bytes] = '\0';
    return t->base + at;
}

/* Append len_bytes characters. The function is inline, because a copy of constant
 * length then needs no call of memcpy. */
GPUCMD_INLINE void gpucmd_priv_text_put(gpucmd_text *t, const char *s, size_t len_bytes)
{
    char *const at = gpucmd_priv_text_claim(t, len_bytes);
    if (at != NULL) {
        gpucmd_priv_copy(at, s, len_bytes);
    } else {
        gpucmd_priv_text_cut(t, s, len_bytes);
    }
}

/* Return the 8 nibbles of v, each in a byte, the first in the highest byte. */
GPUCMD_INLINE uint64_t gpucmd_priv_text_nibbles(uint32_t v)
{
    uint64_t x = v;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    return (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
}

/* Return gpucmd_priv_text_nibbles of v + 4, if x is that of v. The carry crosses the high nibbles,
 * because their bits are 1 for the addition. */
GPUCMD_INLINE uint64_t gpucmd_priv_text_nibbles_add4(uint64_t x)
{
    return ((x | 0xf0f0f0f0f0f0f0f0u) + 4) & 0x0f0f0f0f0f0f0f0fu;
}

/* Return nibbles as characters; the code converts all bytes at once. */
GPUCMD_INLINE uint64_t gpucmd_priv_text_ascii(uint64_t nibbles)
{
    const uint64_t ones = 0x0101010101010101u;
    return nibbles + '0' * ones + gpucmd_priv_mul((nibbles + 6 * ones) >> 4 & ones, 'a' - '0' - 10);
}

/* Return the 8 hexadecimal digits of v as characters, the first in the highest byte. */
GPUCMD_INLINE uint64_t gpucmd_priv_text_digits(uint32_t v)
{
    return gpucmd_priv_text_ascii(gpucmd_priv_text_nibbles(v));
}

GPUCMD_INLINE void gpucmd_priv_text_hex8(char *to, uint32_t v)
{
    gpucmd_store64(to, gpucmd_priv_text_digits(v), GPUCMD_BIG_ENDIAN);
}

GPUCMD_PRIV_API void gpucmd_text_char(gpucmd_text *t, char c)
{
    gpucmd_priv_text_put(t, &c, 1);
}

GPUCMD_PRIV_API void gpucmd_text_str(gpucmd_text *t, const char *s)
{
    size_t n = 0;
    while (s[n] != '\0') {
        n++;
    }
    gpucmd_priv_text_put(t, s, n);
}

GPUCMD_PRIV_API void gpucmd_text_hex(gpucmd_text *t, uint64_t v, unsigned digits)
{
    char buf[16];
    unsigned n = digits < 16 ? digits : 16;
    while (n < 16 && gpucmd_priv_shr(v, 4 * n) != 0) {
        n++;
    }
    gpucmd_priv_text_hex8(buf, (uint32_t)(v >> 32));
    gpucmd_priv_text_hex8(buf + 8, (uint32_t)v);
    gpucmd_priv_text_put(t, buf + 16 - n, n);
}

GPUCMD_PRIV_API void gpucmd_text_dec(gpucmd_text *t, uint64_t v)
{
    char buf[20];
    unsigned shift, n = 0;
    while (v >> 32 != 0) { /* divide 16 bits at a time: 64-bit division may call a library */
        uint32_t rest = 0;
        uint64_t quotient = 0;
        for (shift = 64; shift != 0;) {
            shift -= 16;
            rest = rest << 16 | (uint32_t)(gpucmd_priv_shr(v, shift) & 0xffff);
            quotient |= gpucmd_priv_shl(gpucmd_priv_div(rest, 10), shift);
            rest = gpucmd_priv_rem(rest, 10);
        }
        n++;
        buf[20 - n] = (char)('0' + rest);
        v = quotient;
    }
    uint32_t low = (uint32_t)v;
    do {
        n++;
        buf[20 - n] = (char)('0' + gpucmd_priv_rem(low, 10));
        low = gpucmd_priv_div(low, 10);
    } while (low != 0);
    gpucmd_priv_text_put(t, buf + 20 - n, n);
}

GPUCMD_PRIV_API void gpucmd_text_pad(gpucmd_text *t, size_t column_bytes)
{
    size_t line_bytes = t->line_bytes;
    if (line_bytes == 0) {
        line_bytes = t->len_bytes;
        while (line_bytes != 0 && t->base[line_bytes - 1] != '\n') {
            line_bytes--;
        }
    }
    size_t column = t->need_bytes - line_bytes;
    for (; column < column_bytes; column++) {
        gpucmd_priv_text_put(t, " ", 1);
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_text_finish(const gpucmd_text *t)
{
    return t->need_bytes == t->len_bytes ? GPUCMD_OK : GPUCMD_FULL;
}

/* ==== [CORE.IMPL.CHECK] ================================================================== */

/* Pass one of these macros to a table macro to select a column of the table. ROW_NAME* and
 * _TEXT* make a string for gpucmd_priv_row_text, _NUMBER* the elements of a uint32_t array.
 *   NAME_1    column 1 of 1     NAME      column 1 of 2 or more
 *   TEXT_2    column 2 of 2     TEXT_3    column 3 of 3
 *   TEXT_3_4  column 3 of 4
 *   NUMBER_2  column 2 of 2     NUMBER    column 2 of 3 or more */
#define GPUCMD_PRIV_ROW_NAME_1(name)              #name "\0"
#define GPUCMD_PRIV_ROW_NAME(name, ...)           #name "\0"
#define GPUCMD_PRIV_ROW_TEXT_2(a, text)           text "\0"
#define GPUCMD_PRIV_ROW_TEXT_3(a, b, text)        text "\0"
#define GPUCMD_PRIV_ROW_TEXT_3_4(a, b, text, d)   text "\0"
#define GPUCMD_PRIV_ROW_NUMBER_2(name, number)    (number),
#define GPUCMD_PRIV_ROW_NUMBER(name, number, ...) (number),

/* Return text number idx (from 0) of texts; "?" if texts has no such text. A NUL ends each
 * text, and a second NUL follows the last text. No text is empty. The function reads all texts
 * before idx, so use an array of pointers for names that are printed for every word. */
static GPUCMD_PRIV_UNUSED const char *gpucmd_priv_row_text(const char *texts, size_t idx)
{
    for (; idx != 0 && *texts != '\0'; idx--) {
        while (*texts++ != '\0') {
        }
    }
    return *texts != '\0' ? texts : "?";
}

/* Define a function that returns text number `row` (from 0) of texts; "?" if `row` is too large. */
#define GPUCMD_PRIV_TEXT_FUNCTION(function, type, texts)                                           \
    GPUCMD_PRIV_API const char *function(type row)                                                 \
    {                                                                                              \
        return gpucmd_priv_row_text(texts, (size_t)row);                                           \
    }

/* Return true if two texts are equal. */
static GPUCMD_PRIV_UNUSED bool gpucmd_priv_text_same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Return the index of the element of numbers that equals `number`; if none does, return `count`. */
static GPUCMD_PRIV_UNUSED size_t gpucmd_priv_row_find(const uint32_t *numbers, size_t count,
                                                      uint32_t number)
{
    size_t i = 0;
    while (i < count && numbers[i] != number) {
        i++;
    }
    return i;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_status_name, gpucmd_status, GPUCMD_STATUSES(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_status_text, gpucmd_status,
                          GPUCMD_STATUSES(GPUCMD_PRIV_ROW_TEXT_3_4))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_severity_name, gpucmd_severity, "note\0warning\0error\0")

GPUCMD_PRIV_API size_t gpucmd_writer_commands(const gpucmd_writer *w, gpucmd_command_fn command_dw,
                                              const void *rules)
{
    const size_t len_dw = w->base != NULL ? gpucmd_writer_at_dw(w) : 0;
    size_t at_dw, count = 0;
    for (at_dw = 0; at_dw < len_dw; count++) {
        const size_t n_dw = command_dw(rules, w->base + at_dw, len_dw - at_dw);
        at_dw += n_dw != 0 ? n_dw : 1;
    }
    return count;
}

GPUCMD_PRIV_API void gpucmd_print_writer(gpucmd_text *t, const gpucmd_writer *w,
                                         gpucmd_command_fn command_dw, const void *rules)
{
    const bool failed = w->status != GPUCMD_OK;
    const bool counts = command_dw != NULL && w->base != NULL;
    gpucmd_text_str(t, gpucmd_status_name(w->status));
    gpucmd_text_str(t, failed ? " at word " : ": ");
    gpucmd_text_dec(t, gpucmd_writer_at_dw(w));
    gpucmd_text_str(t, failed ? "" : " words");
    if (counts) {
        gpucmd_text_str(t, failed ? ", command " : ", ");
        gpucmd_text_dec(t, gpucmd_writer_commands(w, command_dw, rules));
        gpucmd_text_str(t, failed ? "" : " commands");
    }
    if (failed) {
        gpucmd_text_str(t, ": ");
        gpucmd_text_str(t, gpucmd_status_text(w->status));
    }
    if (w->status == GPUCMD_FULL) {
        gpucmd_text_str(t, "; ");
        gpucmd_text_dec(t, gpucmd_writer_need_dw(w));
        gpucmd_text_str(t, " words needed so far");
    }
    gpucmd_text_char(t, '\n');
}

/* ==== [CORE.IMPL.EXEC] =================================================================== */

/* ---- memory ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_init(gpucmd_mem *mem, const gpucmd_region *regions,
                                              size_t count)
{
    size_t i;
    mem->regions = regions;
    mem->count = 0;
    mem->hint = 0;
    mem->older_hint = 0;
    mem->fault_va = 0;
    mem->scratch = NULL;
    mem->scratch_count = 0;
    mem->find = NULL;
    for (i = 0; i < count; i++) {
        const gpucmd_region *r = &regions[i];
        if (r->bytes != 0 && (r->host == NULL || r->va + (r->bytes - 1) < r->va)) {
            return GPUCMD_RANGE;
        }
        if (i != 0 && (r->va < r[-1].va || r->va - r[-1].va < r[-1].bytes)) {
            return GPUCMD_ORDER;
        }
    }
    mem->count = count;
    return GPUCMD_OK;
}

/* Return true if a has a lower address than b, or the same address and a smaller length. */
GPUCMD_INLINE bool gpucmd_priv_region_before(const gpucmd_region *a, const gpucmd_region *b)
{
    return a->va != b->va ? a->va < b->va : a->bytes < b->bytes;
}

/* Move regions[at] down the heap of count regions, until no child is sorted after it. */
static void gpucmd_priv_mem_sift(gpucmd_region *regions, size_t at, size_t count)
{
    size_t child = 2 * at + 1;
    while (child < count) {
        const gpucmd_region r = regions[at];
        child +=
            child + 1 < count && gpucmd_priv_region_before(&regions[child], &regions[child + 1]);
        if (!gpucmd_priv_region_before(&r, &regions[child])) {
            return;
        }
        regions[at] = regions[child];
        regions[child] = r;
        at = child;
        child = 2 * at + 1;
    }
}

GPUCMD_PRIV_API void gpucmd_mem_sort(gpucmd_region *regions, size_t count)
{
    size_t i;
    for (i = count / 2; i-- > 0;) {
        gpucmd_priv_mem_sift(regions, i, count);
    }
    for (i = count; i-- > 1;) {
        const gpucmd_region last = regions[i];
        regions[i] = regions[0];
        regions[0] = last;
        gpucmd_priv_mem_sift(regions, 0, i);
    }
}

/* Return true if the region contains va. */
GPUCMD_INLINE bool gpucmd_priv_region_has(const gpucmd_region *r, uint64_t va)
{
    return va - r->va < r->bytes;
}

/* Return the number of regions that start at or below va. */
static size_t gpucmd_priv_mem_below(const gpucmd_mem *mem, uint64_t va)
{
    size_t lo = 0, hi = mem->count;
    while (lo < hi) { /* regions[i] starts at or below va if i < lo, above va if i >= hi */
        const size_t mid = lo + (hi - lo) / 2;
        if (mem->regions[mid].va <= va) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Return the number of bytes from va, which is in no region, to the next
 * region, or to 2^64 if no region follows. */
GPUCMD_PRIV_NOINLINE uint64_t gpucmd_priv_mem_hole(const gpucmd_mem *mem, uint64_t va)
{
    const size_t n = gpucmd_priv_mem_below(mem, va);
    const uint64_t end_va = n < mem->count ? mem->regions[n].va : 0;
    return end_va != va ? end_va - va : ~(uint64_t)0;
}

/* Return true if host, a result of gpucmd_mem_span, is in the scratch pages. */
GPUCMD_INLINE bool gpucmd_priv_mem_is_scratch(const gpucmd_mem *mem, const uint8_t *host)
{
    return mem->scratch != NULL &&
           (uintptr_t)host - (uintptr_t)mem->scratch < GPUCMD_MEM_SCRATCH_BYTES;
}

/* As gpucmd_mem_span, but va must be in no region. */
static gpucmd_status gpucmd_priv_mem_span_scratch(gpucmd_mem *mem, uint64_t va, uint64_t want_bytes,
                                                  uint32_t access_mask, uint8_t **host,
                                                  uint64_t *got_bytes)
{
    const uint32_t off = (uint32_t)va % (GPUCMD_MEM_SCRATCH_BYTES / 2);
    const uint64_t page_bytes = GPUCMD_MEM_SCRATCH_BYTES / 2 - off;
    mem->fault_va = va;
    if (mem->find == NULL || mem->find(mem, va, host, got_bytes) != GPUCMD_OK) {
        if (mem->scratch == NULL) {
            return GPUCMD_FAULT;
        }
        const uint64_t hole_bytes = gpucmd_priv_mem_hole(mem, va);
        *got_bytes = hole_bytes < page_bytes ? hole_bytes : page_bytes;
        mem->scratch_count++;
        *host = mem->scratch + off +
                ((access_mask & GPUCMD_ACCESS_WRITE) != 0 ? GPUCMD_MEM_SCRATCH_BYTES / 2 : 0);
    }
    *got_bytes = *got_bytes < want_bytes ? *got_bytes : want_bytes;
    return GPUCMD_OK;
}

/* As gpucmd_mem_span, but va must be in region number i. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_mem_span_in(gpucmd_mem *mem, size_t i, uint64_t va,
                                                    uint64_t want_bytes, uint32_t access_mask,
                                                    uint8_t **host, uint64_t *got_bytes)
{
    const gpucmd_region *r = &mem->regions[i];
    const uint64_t left_bytes = r->bytes - (va - r->va);
    if (GPUCMD_PRIV_UNLIKELY((r->access_mask & access_mask) != access_mask)) {
        mem->fault_va = va;
        return GPUCMD_FAULT;
    }
    mem->hint = i;
    *host = (uint8_t *)r->host + (size_t)(va - r->va);
    *got_bytes = left_bytes < want_bytes ? left_bytes : want_bytes;
    return GPUCMD_OK;
}

/* As gpucmd_mem_span, but va must not be in regions[hint] or regions[older_hint]. */
GPUCMD_PRIV_NOINLINE gpucmd_status gpucmd_priv_mem_span_far(gpucmd_mem *mem, uint64_t va,
                                                            uint64_t want_bytes,
                                                            uint32_t access_mask, uint8_t **host,
                                                            uint64_t *got_bytes)
{
    const size_t n = gpucmd_priv_mem_below(mem, va);
    mem->older_hint = mem->hint;
    return n > 0 && gpucmd_priv_region_has(&mem->regions[n - 1], va)
               ? gpucmd_priv_mem_span_in(mem, n - 1, va, want_bytes, access_mask, host, got_bytes)
               : gpucmd_priv_mem_span_scratch(mem, va, want_bytes, access_mask, host, got_bytes);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_span(gpucmd_mem *mem, uint64_t va, uint64_t want_bytes,
                                              uint32_t access_mask, uint8_t **host,
                                              uint64_t *got_bytes)
{
    size_t i = mem->hint;
    if (!GPUCMD_PRIV_QUICK || i >= mem->count || !gpucmd_priv_region_has(&mem->regions[i], va)) {
        i = mem->older_hint;
        if (!GPUCMD_PRIV_QUICK || i >= mem->count ||
            !gpucmd_priv_region_has(&mem->regions[i], va)) {
            return gpucmd_priv_mem_span_far(mem, va, want_bytes, access_mask, host, got_bytes);
        }
        mem->older_hint = mem->hint;
    }
    return gpucmd_priv_mem_span_in(mem, i, va, want_bytes, access_mask, host, got_bytes);
}

/* Copy bytes; dst and src may overlap. */
GPUCMD_INLINE void gpucmd_priv_move(uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
#if defined(GPUCMD_PRIV_GNU)
    __builtin_memmove(dst, src, len_bytes);
#else
    size_t i;
    const bool down = (uintptr_t)dst > (uintptr_t)src;
    for (i = 0; i < len_bytes; i++) {
        const size_t k = down ? len_bytes - 1 - i : i;
        dst[k] = src[k];
    }
#endif
}

/* Copy len_bytes bytes from GPU memory at va to the buffer "to", or from the buffer "from" to GPU
 * memory at va; the other pointer is NULL. The buffer may be inside a region of mem and overlap the
 * range at va. If both pointers are NULL, only check the accesses. */
static gpucmd_status gpucmd_priv_mem_each(gpucmd_mem *mem, uint64_t va, uint8_t *to,
                                          const uint8_t *from, uint64_t len_bytes,
                                          uint32_t access_mask)
{
    uint64_t at, got_bytes;
    for (at = 0; at < len_bytes; at += got_bytes) {
        uint8_t *host;
        if (va + at == 0 && at != 0) { /* the range does not continue at address 0 */
            mem->fault_va = 0;
            return GPUCMD_FAULT;
        }
        if (gpucmd_mem_span(mem, va + at, len_bytes - at, access_mask, &host, &got_bytes) !=
            GPUCMD_OK) {
            return GPUCMD_FAULT;
        }
        if (to != NULL) {
            gpucmd_priv_move(to + (size_t)at, host, (size_t)got_bytes);
        } else if (from != NULL) {
            gpucmd_priv_move(host, from + (size_t)at, (size_t)got_bytes);
        } else if (gpucmd_priv_mem_is_scratch(mem, host)) { /* skip bytes outside all regions */
            got_bytes = gpucmd_priv_mem_hole(mem, va + at);
            got_bytes = got_bytes < len_bytes - at ? got_bytes : len_bytes - at;
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_probe(gpucmd_mem *mem, uint64_t va, uint64_t len_bytes,
                                               uint32_t access_mask)
{
    return gpucmd_priv_mem_each(mem, va, NULL, NULL, len_bytes, access_mask);
}

/* As gpucmd_priv_mem_each, but copy nothing if a byte cannot be accessed (GPUCMD_FAULT). */
static gpucmd_status gpucmd_priv_mem_move(gpucmd_mem *mem, uint64_t va, uint8_t *to,
                                          const uint8_t *from, uint64_t len_bytes)
{
    const uint32_t access_mask = to != NULL ? GPUCMD_ACCESS_READ : GPUCMD_ACCESS_WRITE;
    gpucmd_status status;
    if (GPUCMD_PRIV_QUICK && len_bytes != 0) {
        uint8_t *host;
        uint64_t got_bytes;
        status = gpucmd_mem_span(mem, va, len_bytes, access_mask, &host, &got_bytes);
        if (status != GPUCMD_OK) {
            return status;
        }
        if (got_bytes == len_bytes && to != NULL) {
            gpucmd_priv_move(to, host, (size_t)len_bytes);
            return GPUCMD_OK;
        }
        if (got_bytes == len_bytes && from != NULL) {
            gpucmd_priv_move(host, from, (size_t)len_bytes);
            return GPUCMD_OK;
        }
    }
    status = gpucmd_mem_probe(mem, va, len_bytes, access_mask);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_mem_each(mem, va, to, from, len_bytes, access_mask);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_read(gpucmd_mem *mem, uint64_t va, void *dst,
                                              uint64_t len_bytes)
{
    return gpucmd_priv_mem_move(mem, va, (uint8_t *)dst, NULL, len_bytes);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_write(gpucmd_mem *mem, uint64_t va, const void *src,
                                               uint64_t len_bytes)
{
    return gpucmd_priv_mem_move(mem, va, NULL, (const uint8_t *)src, len_bytes);
}

/* As gpucmd_mem_span, but for the last bytes before end_va, at most want_bytes.
 * *host is the CPU address of the first of these bytes. */
static gpucmd_status gpucmd_priv_mem_span_back(gpucmd_mem *mem, uint64_t end_va,
                                               uint64_t want_bytes, uint32_t access_mask,
                                               uint8_t **host, uint64_t *got_bytes)
{
    uint8_t *last;
    const gpucmd_status status = gpucmd_mem_span(mem, end_va - 1, 1, access_mask, &last, got_bytes);
    if (status == GPUCMD_OK) {
        uint64_t behind_bytes;
        if (mem->hint < mem->count &&
            gpucmd_priv_region_has(&mem->regions[mem->hint], end_va - 1)) {
            behind_bytes = end_va - mem->regions[mem->hint].va;
        } else { /* at most the bytes in the page of end_va - 1 that are in no region */
            const size_t n = gpucmd_priv_mem_below(mem, end_va - 1);
            const uint64_t from_va =
                n != 0 ? mem->regions[n - 1].va + mem->regions[n - 1].bytes : 0;
            behind_bytes = (end_va - 1) % (GPUCMD_MEM_SCRATCH_BYTES / 2) + 1;
            behind_bytes = end_va - from_va < behind_bytes ? end_va - from_va : behind_bytes;
        }
        *got_bytes = behind_bytes < want_bytes ? behind_bytes : want_bytes;
        *host = last - (size_t)(*got_bytes - 1);
    }
    return status;
}

/* Work measures memory operations. A moved byte counts 1. A search for the region of a 4 KiB block
 * or of a pixel counts GPUCMD_PRIV_PIECE_WORK. One unit of budget allows GPUCMD_PRIV_UNIT_WORK. */
enum { GPUCMD_PRIV_UNIT_WORK = 4096, GPUCMD_PRIV_PIECE_WORK = 512 };

/* Return the work of moving n (>= 1) bytes from offset off on: n, plus GPUCMD_PRIV_PIECE_WORK
 * for each 4 KiB block that contains one of these bytes. */
GPUCMD_INLINE uint64_t gpucmd_priv_work(uint64_t off, uint64_t n)
{
    return n + GPUCMD_PRIV_PIECE_WORK *
                   ((off + n - 1) / GPUCMD_PRIV_UNIT_WORK - off / GPUCMD_PRIV_UNIT_WORK + 1);
}

/* Return how many of the n bytes from offset off on may be moved within the work limit `work`: the
 * bytes in the 4 KiB block of off, and in one more block for each 4096 + 512 of the limit. */
GPUCMD_INLINE uint64_t gpucmd_priv_work_limit(uint64_t off, uint64_t n, uint64_t work)
{
    const uint32_t paid = gpucmd_priv_div(work >> 32 != 0 ? 0xffffffffu : (uint32_t)work,
                                          GPUCMD_PRIV_UNIT_WORK + GPUCMD_PRIV_PIECE_WORK);
    const uint64_t most =
        (1 + (uint64_t)paid) * GPUCMD_PRIV_UNIT_WORK - off % GPUCMD_PRIV_UNIT_WORK;
    return n < most ? n : most;
}

/* Copy the next part of len_bytes bytes, of which earlier calls have copied `done` bytes.
 * Before the call, *n is the allowed work as gpucmd_priv_work counts it. On success write
 * the number of bytes of this part to *n. If the destination begins inside the source, copy
 * the last bytes first. A part that the allowed work limits ends where the number of copied
 * bytes is a multiple of 4 KiB. So does each part if the CPU memory of both ranges overlaps.
 * The result in memory is therefore the same for every budget. GPUCMD_FAULT: the next byte
 * cannot be accessed; *n is unchanged. */
static gpucmd_status gpucmd_priv_mem_part(gpucmd_mem *mem, uint64_t dst_va, uint64_t src_va,
                                          uint64_t len_bytes, uint64_t done, uint64_t *n)
{
    const bool back = dst_va - src_va < len_bytes;
    const uint64_t left = len_bytes - done;
    uint64_t most = gpucmd_priv_work_limit(done, left, *n);
    uint8_t *from = NULL, *to = NULL;
    uint64_t from_bytes = 0, apart;
    gpucmd_status status =
        back ? gpucmd_priv_mem_span_back(mem, src_va + left, most, GPUCMD_ACCESS_READ, &from,
                                         &from_bytes)
             : gpucmd_mem_span(mem, src_va + done, most, GPUCMD_ACCESS_READ, &from, &from_bytes);
    if (status == GPUCMD_OK) {
        status = back
                     ? gpucmd_priv_mem_span_back(mem, dst_va + left, from_bytes,
                                                 GPUCMD_ACCESS_WRITE, &to, n)
                     : gpucmd_mem_span(mem, dst_va + done, from_bytes, GPUCMD_ACCESS_WRITE, &to, n);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    from += back ? from_bytes - *n : 0;
    apart = back ? (uintptr_t)from - (uintptr_t)to : (uintptr_t)to - (uintptr_t)from;
    most = GPUCMD_PRIV_UNIT_WORK - done % GPUCMD_PRIV_UNIT_WORK;
    if (apart < *n && most < *n) { /* the ranges overlap: copy one block */
        from += back ? *n - most : 0;
        to += back ? *n - most : 0;
        *n = most;
    }
    gpucmd_priv_move(to, from, (size_t)*n);
    return GPUCMD_OK;
}

/* Repeat the first `done` (>= 1) bytes at `to` until n bytes are written. */
GPUCMD_PRIV_UNUSED static void gpucmd_priv_repeat(uint8_t *to, uint64_t done, uint64_t n)
{
    while (done < n) {
        const uint64_t more = done < n - done ? done : n - done;
        gpucmd_priv_copy(to + done, to, (size_t)more);
        done += more;
    }
}

/* Fill bytes at va with a repeated pattern of period bytes (1..65535). The first byte is
 * pattern[phase % period]. Before the call *n is the largest number of bytes to fill; after
 * success it is the number of filled bytes. GPUCMD_FAULT: va cannot be written; *n is unchanged. */
GPUCMD_PRIV_UNUSED static gpucmd_status gpucmd_priv_mem_fill(gpucmd_mem *mem, uint64_t va,
                                                             const uint8_t *pattern,
                                                             uint32_t period, uint64_t phase,
                                                             uint64_t *n)
{
    uint32_t at = gpucmd_priv_rem((uint32_t)(phase >> 32), period);
    uint8_t *to = NULL;
    const gpucmd_status status = gpucmd_mem_span(mem, va, *n, GPUCMD_ACCESS_WRITE, &to, n);
    at = gpucmd_priv_rem(at << 16 | (uint32_t)phase >> 16, period);
    at = gpucmd_priv_rem(at << 16 | ((uint32_t)phase & 0xffff), period);
    if (status == GPUCMD_OK && *n != 0) {
        const uint64_t end = *n < period - at ? *n : period - at; /* bytes to the end of pattern */
        const uint64_t begin = *n - end < at ? *n - end : at;
        gpucmd_priv_copy(to, pattern + at, (size_t)end);
        gpucmd_priv_copy(to + end, pattern, (size_t)begin);
        gpucmd_priv_repeat(to, end + begin, *n);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_copy(gpucmd_mem *mem, uint64_t dst_va, uint64_t src_va,
                                              uint64_t len_bytes)
{
    uint8_t *src, *dst;
    uint64_t done, n = 0, dst_bytes = 0;
    if (len_bytes != 0 &&
        gpucmd_mem_span(mem, src_va, len_bytes, GPUCMD_ACCESS_READ, &src, &n) == GPUCMD_OK &&
        gpucmd_mem_span(mem, dst_va, len_bytes, GPUCMD_ACCESS_WRITE, &dst, &dst_bytes) ==
            GPUCMD_OK &&
        n == len_bytes && dst_bytes == len_bytes) { /* each range is in one region */
        gpucmd_priv_move(dst, src, (size_t)len_bytes);
        return GPUCMD_OK;
    }
    gpucmd_status status = gpucmd_mem_probe(mem, src_va, len_bytes, GPUCMD_ACCESS_READ);
    if (status == GPUCMD_OK) {
        status = gpucmd_mem_probe(mem, dst_va, len_bytes, GPUCMD_ACCESS_WRITE);
    }
    for (done = 0; status == GPUCMD_OK && done < len_bytes; done += n) {
        n = len_bytes;
        status = gpucmd_priv_mem_part(mem, dst_va, src_va, len_bytes, done, &n);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_read32(gpucmd_mem *mem, uint64_t va, gpucmd_endian endian,
                                                uint32_t *v)
{
    uint8_t bytes[4];
    const gpucmd_status status = gpucmd_mem_read(mem, va, bytes, sizeof bytes);
    if (status == GPUCMD_OK) {
        *v = gpucmd_load32(bytes, endian);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_write32(gpucmd_mem *mem, uint64_t va, gpucmd_endian endian,
                                                 uint32_t v)
{
    uint8_t bytes[4];
    gpucmd_store32(bytes, v, endian);
    return gpucmd_mem_write(mem, va, bytes, sizeof bytes);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_read64(gpucmd_mem *mem, uint64_t va, gpucmd_endian endian,
                                                uint64_t *v)
{
    uint8_t bytes[8];
    const gpucmd_status status = gpucmd_mem_read(mem, va, bytes, sizeof bytes);
    if (status == GPUCMD_OK) {
        *v = gpucmd_load64(bytes, endian);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_mem_write64(gpucmd_mem *mem, uint64_t va, gpucmd_endian endian,
                                                 uint64_t v)
{
    uint8_t bytes[8];
    gpucmd_store64(bytes, v, endian);
    return gpucmd_mem_write(mem, va, bytes, sizeof bytes);
}

/* ---- events ---- */

GPUCMD_PRIV_API void gpucmd_env_init(gpucmd_env *env, gpucmd_mem *mem, gpucmd_event_fn event,
                                     void *user)
{
    env->mem = mem;
    env->event = event;
    env->user = user;
    env->trace = NULL;
    env->trace_user = NULL;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_event_name, gpucmd_event_kind, GPUCMD_EVENTS(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_run_name, gpucmd_run, "DONE\0IDLE\0BLOCKED\0FAULT\0LIMIT\0")
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_why_name, gpucmd_why_kind, GPUCMD_WHYS(GPUCMD_PRIV_ROW_NAME))

/* Write kind, unit and at_va to *why. Write to why->text the row text of kind in GPUCMD_WHYS,
 * and to why->status GPUCMD_FAULT for MEMORY, otherwise GPUCMD_OK. Set other members to 0 or "". */
GPUCMD_INLINE void gpucmd_priv_why_set(gpucmd_why *why, gpucmd_why_kind kind, uint32_t unit,
                                       uint64_t at_va)
{
    why->kind = kind;
    why->status = kind == GPUCMD_WHY_MEMORY ? GPUCMD_FAULT : GPUCMD_OK;
    why->unit = unit;
    why->at_va = at_va;
    why->reg = "";
    why->bits = 0;
    why->va = 0;
    why->value = 0;
    why->name = "";
    why->text = gpucmd_priv_row_text(GPUCMD_WHYS(GPUCMD_PRIV_ROW_TEXT_2), (size_t)kind);
}

GPUCMD_PRIV_API void gpucmd_print_why(gpucmd_text *t, const gpucmd_why *why)
{
    const bool waits =
        (why->kind == GPUCMD_WHY_WAIT || why->kind == GPUCMD_WHY_DEADLOCK) && *why->name != 0;
    gpucmd_text_str(t, gpucmd_why_name(why->kind));
    gpucmd_text_str(t, " unit ");
    gpucmd_text_dec(t, why->unit);
    gpucmd_text_str(t, " at 0x");
    gpucmd_text_hex(t, why->at_va, 1);
    gpucmd_text_str(t, ": ");
    gpucmd_text_str(t, why->reg);
    if (why->kind == GPUCMD_WHY_ERROR) {
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->bits, 8);
        gpucmd_text_char(t, ' ');
    }
    gpucmd_text_str(t, why->name);
    if (waits) {
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->value, 1);
    }
    if (waits || why->kind == GPUCMD_WHY_MEMORY) {
        gpucmd_text_str(t, waits ? " at 0x" : "0x");
        gpucmd_text_hex(t, why->va, 1);
    }
    gpucmd_text_str(t, why->kind == GPUCMD_WHY_MEMORY || *why->name != 0 ? ": " : "");
    gpucmd_text_str(t, why->text);
    gpucmd_text_char(t, '\n');
}

/* ==== [CORE.IMPL.KERNEL] ================================================================= */

GPUCMD_PRIV_API const char *gpucmd_sys_error_name(int number)
{
    static const uint32_t numbers[] = {GPUCMD_SYS_ERRORS(GPUCMD_PRIV_ROW_NUMBER_2)};
    const uint32_t n = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
    return gpucmd_priv_row_text(GPUCMD_SYS_ERRORS(GPUCMD_PRIV_ROW_NAME),
                                gpucmd_priv_row_find(numbers, sizeof numbers / 4, n));
}

/* ---- layouts ---- */

/* Return the address after the NUL that ends text. */
static const char *gpucmd_priv_layout_skip(const char *text)
{
    while (*text++ != '\0') {
    }
    return text;
}

static uint32_t gpucmd_priv_layout_number(const char *text)
{
    uint32_t v = 0;
    while (*text != '\0') {
        v = v * 10 + (uint32_t)(*text++ - '0');
    }
    return v;
}

/* Return the size of a structure in bytes. members is the text of its first member; the
 * size follows the empty text that ends the members. */
static uint32_t gpucmd_priv_layout_size(const char *members)
{
    while (*members != '\0') {
        members = gpucmd_priv_layout_skip(members);
    }
    return gpucmd_priv_layout_number(members + 1);
}

/* Return the text of the first member of the structure named tag; NULL if there is none. */
static const char *gpucmd_priv_layout_members(gpucmd_layout_fn of, const char *tag)
{
    uint32_t idx;
    const char *text;
    for (idx = 0; (text = of(idx)) != NULL; idx++) {
        if (gpucmd_priv_text_same(tag, text)) {
            return gpucmd_priv_layout_skip(text);
        }
    }
    return NULL;
}

/* One level of nesting while a structure is read: the structure and its current member. */
typedef struct gpucmd_priv_layout_level {
    const char *next; /* text of the member after the current member */
    const char *type;
    const char *name;
    uint32_t base_bytes; /* offset of this structure in the outermost structure */
    uint32_t off_bytes;  /* offset of the member in the outermost structure */
    uint32_t count;      /* number of elements of the member */
    uint32_t element;    /* index of the current element, from 0 */
} gpucmd_priv_layout_level;

/* State while all integer members of a structure and of its nested structures are read in order. */
typedef struct gpucmd_priv_layout_walk {
    gpucmd_layout_fn of;
    gpucmd_priv_layout_level level[4]; /* level[0] is the outermost structure */
    uint32_t depth;                    /* index of the current level */
    uint32_t off_bytes;                /* offset of the current number in the outermost structure */
    uint32_t len_bytes;                /* size of the current number */
} gpucmd_priv_layout_walk;

static void gpucmd_priv_layout_begin(gpucmd_priv_layout_walk *w, gpucmd_layout_fn of, uint32_t idx)
{
    const char *text = of(idx);
    gpucmd_priv_zero(w, sizeof *w);
    w->of = of;
    w->level[0].next = text != NULL ? gpucmd_priv_layout_skip(text) : "";
}

/* Move to the next number; return false at the end. Members of an unknown type, and
 * structures nested deeper than w->level allows, are skipped. */
static bool gpucmd_priv_layout_next(gpucmd_priv_layout_walk *w)
{
    for (;;) {
        gpucmd_priv_layout_level *const l = &w->level[w->depth];
        if (l->element + 1 < l->count) {
            l->element++;
        } else if (*l->next != '\0') {
            l->type = l->next;
            l->name = gpucmd_priv_layout_skip(l->type);
            l->next = gpucmd_priv_layout_skip(l->name);
            l->off_bytes = l->base_bytes + gpucmd_priv_layout_number(l->next);
            l->next = gpucmd_priv_layout_skip(l->next);
            l->count = gpucmd_priv_layout_number(l->next);
            l->next = gpucmd_priv_layout_skip(l->next);
            l->element = 0;
        } else if (w->depth == 0) {
            return false;
        } else {
            w->depth--;
            continue;
        }
        if (l->type[1] >= '0' && l->type[1] <= '9') { /* a number: u8, s16, ... */
            w->len_bytes = gpucmd_priv_layout_number(l->type + 1) / 8;
            w->off_bytes = l->off_bytes + l->element * w->len_bytes;
            return true;
        }
        const char *members = gpucmd_priv_layout_members(w->of, l->type);
        if (members == NULL || w->depth + 1 == sizeof w->level / sizeof w->level[0]) {
            continue;
        }
        l[1].next = members;
        l[1].base_bytes = l->off_bytes + l->element * gpucmd_priv_layout_size(members);
        w->depth++;
    }
}

GPUCMD_PRIV_API const char *gpucmd_layout_name(gpucmd_layout_fn of, uint32_t idx)
{
    const char *text = of(idx);
    return text != NULL ? text : "?";
}

GPUCMD_PRIV_API size_t gpucmd_layout_bytes(gpucmd_layout_fn of, uint32_t idx)
{
    const char *text = of(idx);
    return text != NULL ? gpucmd_priv_layout_size(gpucmd_priv_layout_skip(text)) : 0;
}

GPUCMD_PRIV_API void gpucmd_layout_convert(gpucmd_layout_fn of, uint32_t idx, void *dst,
                                           const void *src, gpucmd_endian endian)
{
    gpucmd_priv_layout_walk w;
    if (dst != src) {
        gpucmd_priv_copy(dst, src, gpucmd_layout_bytes(of, idx));
    }
    gpucmd_priv_layout_begin(&w, of, idx);
    while (endian != gpucmd_cpu_endian() && gpucmd_priv_layout_next(&w)) {
        uint8_t *first = (uint8_t *)dst + w.off_bytes;
        uint8_t *last = first + w.len_bytes - 1;
        for (; first < last; first++, last--) {
            const uint8_t swapped = *first;
            *first = *last;
            *last = swapped;
        }
    }
}

GPUCMD_PRIV_API void gpucmd_layout_print(gpucmd_text *t, gpucmd_layout_fn of, uint32_t idx,
                                         const void *bytes, gpucmd_endian endian, size_t indent)
{
    uint32_t i;
    gpucmd_priv_layout_walk w;
    gpucmd_priv_layout_begin(&w, of, idx);
    while (gpucmd_priv_layout_next(&w)) {
        const uint8_t *at = (const uint8_t *)bytes + w.off_bytes;
        uint64_t v = 0;
        for (i = 0; i < w.len_bytes; i++) {
            v = v << 8 | at[endian == GPUCMD_BIG_ENDIAN ? i : w.len_bytes - 1 - i];
        }
        if (v == 0) {
            continue;
        }
        gpucmd_text_pad(t, indent);
        for (i = 0; i <= w.depth; i++) {
            gpucmd_text_str(t, i != 0 ? "." : "");
            gpucmd_text_str(t, w.level[i].name);
            if (w.level[i].count != 1) {
                gpucmd_text_char(t, '[');
                gpucmd_text_dec(t, w.level[i].element);
                gpucmd_text_char(t, ']');
            }
        }
        gpucmd_text_pad(t, indent + 24);
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, v, 1);
        gpucmd_text_char(t, '\n');
    }
}

/* ---- memory of a process ---- */

GPUCMD_PRIV_API uint8_t *gpucmd_process_span(gpucmd_mem *process, uint64_t addr, uint64_t len_bytes,
                                             uint32_t access_mask)
{
    const uint64_t last = addr + (len_bytes - 1);
    uint8_t *at = NULL;
    uint64_t got_bytes = 0;
    if (process == NULL) {
        return addr >= 4096 && last >= addr && (uintptr_t)last == last ? (uint8_t *)(uintptr_t)addr
                                                                       : NULL;
    }
    return gpucmd_mem_span(process, addr, len_bytes, access_mask, &at, &got_bytes) == GPUCMD_OK &&
                   got_bytes == len_bytes
               ? at
               : NULL;
}

/* Copy len_bytes bytes from addr of the process to the buffer "to". If "to" is NULL, copy them
 * from the buffer "from" to addr. */
static int gpucmd_priv_process_move(gpucmd_mem *process, uint64_t addr, uint8_t *to,
                                    const uint8_t *from, uint64_t len_bytes)
{
    bool good = len_bytes == 0;
    if (!good && process != NULL) {
        good = gpucmd_priv_mem_move(process, addr, to, from, len_bytes) == GPUCMD_OK;
    } else if (!good) {
        uint8_t *const at = gpucmd_process_span(NULL, addr, len_bytes, 0);
        good = at != NULL;
        if (good && to != NULL) {
            gpucmd_priv_move(to, at, (size_t)len_bytes);
        } else if (good && from != NULL) {
            gpucmd_priv_move(at, from, (size_t)len_bytes);
        }
    }
    return good ? 0 : -GPUCMD_SYS_EFAULT;
}

GPUCMD_PRIV_API int gpucmd_process_read(gpucmd_mem *process, uint64_t addr, void *dst,
                                        uint64_t len_bytes)
{
    return gpucmd_priv_process_move(process, addr, (uint8_t *)dst, NULL, len_bytes);
}

GPUCMD_PRIV_API int gpucmd_process_write(gpucmd_mem *process, uint64_t addr, const void *src,
                                         uint64_t len_bytes)
{
    return gpucmd_priv_process_move(process, addr, NULL, (const uint8_t *)src, len_bytes);
}

GPUCMD_PRIV_API int gpucmd_process_copy_in(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                           void *dst, size_t known_bytes)
{
    size_t i;
    const size_t both_bytes = have_bytes < known_bytes ? have_bytes : known_bytes;
    for (i = both_bytes; i < have_bytes; i++) {
        uint8_t extra = 0;
        if (gpucmd_process_read(process, addr + i, &extra, 1) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
        if (extra != 0) {
            return -GPUCMD_SYS_E2BIG;
        }
    }
    if (gpucmd_process_read(process, addr, dst, both_bytes) != 0) {
        return -GPUCMD_SYS_EFAULT;
    }
    gpucmd_priv_zero((uint8_t *)dst + both_bytes, known_bytes - both_bytes);
    return 0;
}

GPUCMD_PRIV_API int gpucmd_process_copy_out(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                            const void *src, size_t known_bytes)
{
    return gpucmd_process_write(process, addr, src,
                                have_bytes < known_bytes ? have_bytes : known_bytes);
}

/* ---- model kernels as system calls ---- */

static int gpucmd_priv_sys_open(void *user, const char *path, uint32_t flags)
{
    gpucmd_sys_node *const node = (gpucmd_sys_node *)user;
    (void)flags;
    if (path[0] == '\0' || node->is_open) {
        return path[0] == '\0' ? -GPUCMD_SYS_ENOENT : -GPUCMD_SYS_EBUSY;
    }
    node->is_open = true;
    return 3;
}

/* Return the node if it is open and fd is its descriptor (3); otherwise NULL. */
static gpucmd_sys_node *gpucmd_priv_sys_node(void *user, int fd)
{
    gpucmd_sys_node *const node = (gpucmd_sys_node *)user;
    return fd == 3 && node->is_open ? node : NULL;
}

static int gpucmd_priv_sys_close(void *user, int fd)
{
    gpucmd_sys_node *const node = gpucmd_priv_sys_node(user, fd);
    if (node == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    node->is_open = false;
    return 0;
}

static int gpucmd_priv_sys_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    const gpucmd_sys_node *const node = gpucmd_priv_sys_node(user, fd);
    return node != NULL ? node->sys_ioctl(node->kernel, number, arg) : -GPUCMD_SYS_EBADF;
}

static int gpucmd_priv_sys_mmap(void *user, gpucmd_sys_map *map)
{
    const gpucmd_sys_node *const node = gpucmd_priv_sys_node(user, map->fd);
    return node == NULL             ? -GPUCMD_SYS_EBADF
           : node->sys_mmap == NULL ? -GPUCMD_SYS_ENODEV
                                    : node->sys_mmap(node->kernel, map);
}

static int gpucmd_priv_sys_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    (void)addr;
    (void)len_bytes;
    return 0;
}

GPUCMD_PRIV_API void gpucmd_sys_ops_init_node(gpucmd_sys_ops *ops, gpucmd_sys_node *node,
                                              int (*sys_ioctl)(void *kernel, uint32_t number,
                                                               void *arg),
                                              void *kernel)
{
    node->sys_ioctl = sys_ioctl;
    node->sys_mmap = NULL;
    node->kernel = kernel;
    node->is_open = false;
    ops->sys_open = gpucmd_priv_sys_open;
    ops->sys_close = gpucmd_priv_sys_close;
    ops->sys_ioctl = gpucmd_priv_sys_ioctl;
    ops->sys_mmap = gpucmd_priv_sys_mmap;
    ops->sys_munmap = gpucmd_priv_sys_munmap;
    ops->sys_read = NULL;
    ops->sys_write = NULL;
    ops->user = node;
}

GPUCMD_PRIV_END

#endif /* GPUCMD_IMPLEMENTATION */

/* MIT License
 *
 * Copyright (c) 2026 The gpucmd authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

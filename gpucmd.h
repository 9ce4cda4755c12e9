/* gpucmd.h - v0.1.0 - core of the GPU command stream headers - SPDX-License-Identifier: MIT
 *
 * [CORE.MANUAL]
 *
 * WHAT IT IS
 *   The common part of gpucmd_nv.h, gpucmd_i915.h and gpucmd_agx.h, which
 *   include this header. These vendor headers write, read, check and execute GPU
 *   command streams. This header has statuses, bit fields, the word writer and
 *   reader, bounded text, GPU memory, events and barriers. For model kernels it
 *   has system calls, errno, ioctl numbers, structures, and what DRM drivers
 *   share: handles, GPU address spaces, sync objects, the front of drm_ioctl.
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
 *   GPUCMD_NO_NAMES          define in the same unit: names of commands, fields and
 *                            registers are "", for a check in little memory
 *   GPUCMD_MEMCPY(d, s, n), GPUCMD_MEMMOVE(d, s, n), GPUCMD_MEMSET(d, byte, n)
 *                            called in place of memcpy, memmove, memset. A compiler
 *                            may still call memcpy and memset for structures
 *   GPUCMD_NO_STD_INCLUDES   you provide uintN_t, intN_t, size_t, uintptr_t, bool,
 *                            true, false, NULL. Not needed in Linux and U-Boot
 *   GPUCMD_IOC_GENERIC       ioctl numbers as on x86, arm, riscv and s390, also where
 *                            Linux has others: powerpc, mips, sparc, alpha, parisc
 *   GPUCMD_BARRIER_WRITE(), GPUCMD_BARRIER_FULL(), GPUCMD_BARRIER_MMIO()
 *                            replace the barriers, see CORE.EXEC
 *   Language: C99, gnu89 or C++11, freestanding. Link time: memcpy, memmove, memset;
 *   clang for ARM calls them __aeabi_memcpy, _memmove, _memclr, _memset. Without
 *   optimisation also functions of libgcc that multiply, divide and shift. gcc -Os for
 *   Thumb-1 (Cortex-M0) needs -fno-jump-tables, because it calls functions of libgcc for
 *   each switch. Trees with -fno-toplevel-reorder keep every static function: put the
 *   implementation into one unit without GPUCMD_STATIC, or use a slim header.
 *   Tested: gcc, clang, tcc, mingw-w64, clang for x86_64-pc-windows-msvc. Not: MSVC, zig.
 *   Size in KiB of this header, Cortex-M4, -Os: read 4, read and run 7, all 13. `make
 *   slim` makes headers with these parts only. Writers are inline: three commands each
 *   for two vendors are 0.4 KiB on Cortex-M3, 0.6 on x86-64. The part check, without
 *   names: at most 34 KiB with its vendor. Stack of a call: see `make size`; a program
 *   that writes, checks and executes needs 3 KiB on ARM (-Os), 6 on x86-64 (-O2).
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
 *                       structures, memory of a process; handles, GPU address
 *                       spaces, fences, sync objects, ioctls of DRM; the Linux
 *                       binding
 *   [CORE.IMPL.DECODE]  implementation, in the same order
 *   [CORE.IMPL.CHECK]
 *   [CORE.IMPL.EXEC]
 *   [CORE.IMPL.KERNEL]
 */

/* Linux, U-Boot and barebox have <linux/kconfig.h>; others that define __KERNEL__ have not. */
#if defined(__KERNEL__) && defined(__has_include)
#if __has_include(<linux/kconfig.h>)
#define GPUCMD_PRIV_LINUX
#endif
#elif defined(__KERNEL__)
#define GPUCMD_PRIV_LINUX
#endif
#if defined(GPUCMD_NO_STD_INCLUDES)
#elif defined(GPUCMD_PRIV_LINUX)
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
#define GPUCMD_PARTS         15       /* bits: 1 write, 2 read, 4 run, 8 kernel; see make slim */

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
/* For functions with constant arguments, which are nowhere called as functions. */
#define GPUCMD_PRIV_CONSTANT static inline GPUCMD_PRIV_ALWAYS GPUCMD_PRIV_UNUSED

/* GPUCMD_PRIV_INLINE functions are always inlined; with -Os the compiler chooses. */
#ifdef __OPTIMIZE_SIZE__
#define GPUCMD_PRIV_INLINE static inline
#else
#define GPUCMD_PRIV_INLINE GPUCMD_INLINE
#endif

/* GPUCMD_PRIV_QUICK enables the functions named _quick: fast paths for common cases. If it is
 * false, the compiler removes them, and the general paths remain. It is false with -Os, and in the
 * test build that compares both. */
#ifdef GPUCMD_PRIV_QUICK
#elif defined(__OPTIMIZE_SIZE__)
#define GPUCMD_PRIV_QUICK false
#else
#define GPUCMD_PRIV_QUICK true
#endif

/* GPUCMD_PRIV_NAME: a name in a table. GPUCMD_PRIV_NAME_BYTES: the room for the longest name. */
#ifdef GPUCMD_NO_NAMES
#define GPUCMD_PRIV_NAME(text)       ""
#define GPUCMD_PRIV_NAME_BYTES(most) 1
#else
#define GPUCMD_PRIV_NAME(text)       text
#define GPUCMD_PRIV_NAME_BYTES(most) most
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
#define GPUCMD_PRIV_REQUIRE(cond) (0u * (unsigned)sizeof(struct { unsigned x : (cond) ? 1 : -1; }))
#endif

/* GPUCMD_PRIV_REFUSAL(name, text) declares name, a function that does not exist. Optimised code in
 * which a call of name remains does not compile; text is the error message.
 * GPUCMD_PRIV_REFUSE(cond, name) calls name if cond is true. cond must test with
 * __builtin_constant_p that it is constant. Both macros are empty in unoptimised code, and for
 * compilers without the attribute. */
#if defined(__OPTIMIZE__) && defined(__has_attribute)
#if __has_attribute(__error__)
#define GPUCMD_PRIV_REFUSAL(name, text) void name(void) __attribute__((__error__(text)));
#define GPUCMD_PRIV_REFUSE(cond, name)                                                             \
    do {                                                                                           \
        if (cond) {                                                                                \
            name();                                                                                \
        }                                                                                          \
    } while (0)
#endif
#endif
#ifndef GPUCMD_PRIV_REFUSE
#define GPUCMD_PRIV_REFUSAL(name, text)
#define GPUCMD_PRIV_REFUSE(cond, name) ((void)0)
#endif

/* Write GPUCMD_PRIV_ROOM after a prototype: the compiler warns if count elements of size `each` are
 * more than the array `base` has, where it knows the array. The function accesses the array as mode
 * says: __read_only__ or __write_only__. a and b are the positions of base and count among the
 * parameters, from 1. */
#if defined(__clang__) && defined(__has_attribute)
#if __has_attribute(__diagnose_if__)
#define GPUCMD_PRIV_ROOM(mode, a, b, base, count, each)                                            \
    __attribute__((__diagnose_if__(__builtin_object_size(base, 0) / (each) < (count),              \
                                   #count " is larger than " #base, "warning")))
#endif
#elif defined(__GNUC__) && __GNUC__ >= 10
#define GPUCMD_PRIV_ROOM(mode, a, b, base, count, each) __attribute__((__access__(mode, a, b)))
#endif
#ifndef GPUCMD_PRIV_ROOM
#define GPUCMD_PRIV_ROOM(mode, a, b, base, count, each)
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wgcc-compat"
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
#if defined(GPUCMD_MEMCPY) && defined(GPUCMD_PRIV_GNU)
    if (__builtin_constant_p(len_bytes) && len_bytes <= 16) {
        __builtin_memcpy(dst, src, len_bytes); /* without a call */
    } else {
        GPUCMD_MEMCPY(dst, src, len_bytes);
    }
#elif defined(GPUCMD_MEMCPY)
    GPUCMD_MEMCPY(dst, src, len_bytes);
#elif defined(GPUCMD_PRIV_GNU)
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
GPUCMD_PRIV_CONSTANT void gpucmd_priv_copy_parts(uint8_t *dst, const void *src, size_t len_bytes)
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

/* Return the index of *element in the array at base, as a difference of pointers would. each: size
 * of an element, a constant. The offset is a multiple of it, so the product with the inverse of
 * its odd factor modulo 2^32 is the index. Compilers for small CPUs call a function to divide. */
GPUCMD_PRIV_CONSTANT uint32_t gpucmd_priv_index(const void *element, const void *base, size_t each)
{
    const size_t off = (size_t)((const uint8_t *)element - (const uint8_t *)base);
    const size_t power = each & (0u - each);
    const uint32_t odd = (uint32_t)(each / power);
    const uint32_t inverse5 = (odd * 3) ^ 2; /* of the lowest 5 bits */
    const uint32_t inverse10 = inverse5 * (2 - odd * inverse5);
    const uint32_t inverse20 = inverse10 * (2 - odd * inverse10);
    return (uint32_t)(off / power) * inverse20 * (2 - odd * inverse20);
}

GPUCMD_INLINE void gpucmd_priv_zero(void *dst, size_t len_bytes)
{
#if defined(GPUCMD_MEMSET)
    GPUCMD_MEMSET(dst, 0, len_bytes);
#elif defined(GPUCMD_PRIV_GNU)
    __builtin_memset(dst, 0, len_bytes);
#else
    uint8_t *d = (uint8_t *)dst;
    while (len_bytes-- != 0) {
        *d++ = 0;
    }
#endif
}

/* gpucmd_priv_min, _max return the smaller or the larger of two numbers; gpucmd_priv_min32,
 * _max32 do so for 32 bits, without 64-bit comparisons on 32-bit CPUs. */
GPUCMD_INLINE uint64_t gpucmd_priv_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

GPUCMD_INLINE uint64_t gpucmd_priv_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

GPUCMD_INLINE uint32_t gpucmd_priv_min32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

GPUCMD_INLINE uint32_t gpucmd_priv_max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

GPUCMD_INLINE size_t gpucmd_priv_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
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

/* gpucmd_priv_order32, _order64 convert v from CPU byte order to the byte order `endian`, or
 * back. */
GPUCMD_INLINE uint32_t gpucmd_priv_order32(uint32_t v, gpucmd_endian endian)
{
    if (endian != gpucmd_cpu_endian()) {
        return gpucmd_priv_swap32(v);
    }
    return v;
}

GPUCMD_INLINE uint64_t gpucmd_priv_order64(uint64_t v, gpucmd_endian endian)
{
    if (endian != gpucmd_cpu_endian()) {
        return gpucmd_priv_swap64(v);
    }
    return v;
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

/* Return the 32-bit number at src, which has byte order `endian` and any alignment. */
GPUCMD_INLINE uint32_t gpucmd_load32(const void *src, gpucmd_endian endian)
{
    uint32_t v;
    gpucmd_priv_copy(&v, src, sizeof v);
    return gpucmd_priv_order32(v, endian);
}

/* Write v to the 4 bytes at dst in byte order `endian`. dst may have any alignment. */
GPUCMD_INLINE void gpucmd_store32(void *dst, uint32_t v, gpucmd_endian endian)
{
    const uint32_t x = gpucmd_priv_order32(v, endian);
    gpucmd_priv_copy(dst, &x, sizeof x);
}

/* Return the 64-bit number at src, which has byte order `endian` and any alignment. */
GPUCMD_INLINE uint64_t gpucmd_load64(const void *src, gpucmd_endian endian)
{
    uint64_t v;
    gpucmd_priv_copy(&v, src, sizeof v);
    return gpucmd_priv_order64(v, endian);
}

/* Write v to the 8 bytes at dst in byte order `endian`. dst may have any alignment. */
GPUCMD_INLINE void gpucmd_store64(void *dst, uint64_t v, gpucmd_endian endian)
{
    const uint64_t x = gpucmd_priv_order64(v, endian);
    gpucmd_priv_copy(dst, &x, sizeof x);
}

/* Copy len_dw CPU words from src to dst, memory with byte order `endian` and any alignment. dst and
 * src must not overlap. If the CPU has this byte order, the copy is a memcpy. */
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

/* Copy len_dw words from src, memory with byte order `endian` and any alignment, to CPU words at
 * dst. dst and src must not overlap. If the CPU has this byte order, the copy is a memcpy. */
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
 * nothing, and cap_dw is ignored; write 0 there. gcc and clang warn if they know that base has less
 * than cap_dw words, for example if cap_dw is the size in bytes. */
GPUCMD_INLINE void gpucmd_writer_init(gpucmd_writer *w, uint32_t *base, size_t cap_dw)
    GPUCMD_PRIV_ROOM(__write_only__, 2, 3, base, cap_dw, 4);
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
    if (w->base == NULL) {
        return w->need_dw;
    }
    return (size_t)(w->cur - w->base);
}

/* Return the size of the whole stream in words, also after GPUCMD_FULL. Commands
 * rejected with another status are not counted. */
GPUCMD_INLINE size_t gpucmd_writer_need_dw(const gpucmd_writer *w)
{
    if (w->status != GPUCMD_OK) {
        return w->good_dw + w->need_dw;
    }
    return gpucmd_writer_at_dw(w);
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
    if (wait->fn == NULL) {
        return GPUCMD_OK;
    }
    return wait->fn(wait->user, *tries - 1);
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
GPUCMD_PRIV_API void gpucmd_reader_init(gpucmd_reader *r, const uint32_t *base, size_t len_dw)
    GPUCMD_PRIV_ROOM(__read_only__, 2, 3, base, len_dw, 4);
/* Return the number of words not yet read. */
GPUCMD_PRIV_API size_t gpucmd_reader_left_dw(const gpucmd_reader *r);
/* Return the number of words read so far. */
GPUCMD_PRIV_API size_t gpucmd_reader_at_dw(const gpucmd_reader *r);
/* Return the address of the next n_dw words (>= 1) and move after them. If
 * fewer words remain, return NULL, keep the position and set the status to
 * GPUCMD_TRUNCATED. If the reader has failed before, return NULL. */
GPUCMD_PRIV_API const uint32_t *gpucmd_reader_take(gpucmd_reader *r, size_t n_dw);
/* Return the next word and move after it. If no word remains, return 0 and set the status to
 * GPUCMD_TRUNCATED. If the reader has failed before, return 0. */
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
GPUCMD_PRIV_API void gpucmd_text_init(gpucmd_text *t, char *buf, size_t buf_bytes)
    GPUCMD_PRIV_ROOM(__write_only__, 2, 3, buf, buf_bytes, 1);
/* Append one character. */
GPUCMD_PRIV_API void gpucmd_text_char(gpucmd_text *t, char c);
/* Append a NUL-terminated string. */
GPUCMD_PRIV_API void gpucmd_text_str(gpucmd_text *t, const char *s);
/* Append v in lower-case hexadecimal without a prefix, with at least `digits` (1..16) digits. */
GPUCMD_PRIV_API void gpucmd_text_hex(gpucmd_text *t, uint64_t v, unsigned digits);
/* Append v in decimal. */
GPUCMD_PRIV_API void gpucmd_text_dec(gpucmd_text *t, uint64_t v);
/* Append spaces until the last line has column_bytes characters. Append nothing if the line has
 * that many or more. */
GPUCMD_PRIV_API void gpucmd_text_pad(gpucmd_text *t, size_t column_bytes);
/* Return GPUCMD_OK if all characters were stored. GPUCMD_FULL: characters were
 * dropped; a buffer of need_bytes + 1 bytes is large enough. */
GPUCMD_PRIV_API gpucmd_status gpucmd_text_finish(const gpucmd_text *t);
#endif

/* Callback of the printers ..._print_names: return the name of the method or register at addr, or
 * NULL if it has no name. The text must stay valid until the printer returns.
 *   unit  NVIDIA: subchannel 0..7. Intel: the gpucmd_i915_engine
 *   addr  NVIDIA: address of the method, bytes. Intel: absolute offset of the register, bytes */
typedef const char *(*gpucmd_name_fn)(void *user, uint32_t unit, uint32_t addr);

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
/* Return the name of a status, such as "RANGE"; "?" for an unknown status. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_status_name(gpucmd_status status);
/* Return the text of a status in GPUCMD_STATUSES; "?" for an unknown status. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_status_text(gpucmd_status status);
#endif

/* ==== [CORE.EXEC] ======================================================================== */

/* ---- memory ---- */

/* Bits of an access_mask: the rights of a region, or the rights that an access needs. */
enum {
    GPUCMD_ACCESS_READ = 1u,
    GPUCMD_ACCESS_WRITE = 2u,
    GPUCMD_ACCESS_EXEC = 4u, /* only in mappings of address spaces */
};

/* A range of GPU addresses and the CPU memory behind it. */
typedef struct gpucmd_region {
    uint64_t va;          /* first GPU address */
    uint64_t bytes;       /* length, may be 0; va + bytes - 1 is at most 2^64 - 1 */
    void *host;           /* start of the CPU memory, any alignment, owned by the caller */
    uint32_t access_mask; /* GPUCMD_ACCESS_* */
} gpucmd_region;

/* Callback for an address outside all regions. Write the CPU address of va to *host, and the number
 * of bytes from va on to *bytes; memory is contiguous in each 4 KiB page. user is find_user of the
 * gpucmd_mem. access_mask: rights that the access needs, GPUCMD_ACCESS_*. If no memory is at va, or
 * if it lacks a right, return any status except GPUCMD_OK and write neither; the access then goes
 * to the scratch pages, or fails if there are none. */
typedef gpucmd_status (*gpucmd_find_fn)(void *user, uint64_t va, uint32_t access_mask,
                                        uint8_t **host, uint64_t *bytes);

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
    gpucmd_find_fn find;    /* called before scratch is used; NULL: no further memory */
    void *find_user;        /* first argument of find */
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
/* Write the CPU address of va to *host, and to *got_bytes how many bytes follow there without a
 * gap, at most want_bytes (>= 1). The memory is the region that contains va. If there is none, it
 * is the memory that mem->find returns, otherwise a scratch page. GPUCMD_FAULT leaves *host and
 * *got_bytes unchanged:
 *   - the region that contains va lacks a right of access_mask, or
 *   - no region contains va, mem->find returns no memory, and mem->scratch is NULL */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_span(gpucmd_mem *mem, uint64_t va, uint64_t want_bytes,
                                                uint32_t access_mask, uint8_t **host,
                                                uint64_t *got_bytes);
/* Return GPUCMD_OK if all len_bytes bytes from va on have the rights of access_mask. len_bytes may
 * be 0. GPUCMD_FAULT: a byte cannot be accessed. Time: O(log(regions) + regions of the range). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_probe(gpucmd_mem *mem, uint64_t va, uint64_t len_bytes,
                                                 uint32_t access_mask);
/* Copy len_bytes bytes from GPU address va to dst. GPUCMD_FAULT: a byte cannot be read; nothing is
 * copied. Time: O(log(regions) + regions of the range + len_bytes). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read(gpucmd_mem *mem, uint64_t va, void *dst,
                                                uint64_t len_bytes);
/* Copy len_bytes bytes from src to GPU address va. GPUCMD_FAULT: a byte cannot be written; nothing
 * is copied. Time: O(log(regions) + regions of the range + len_bytes). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_write(gpucmd_mem *mem, uint64_t va, const void *src,
                                                 uint64_t len_bytes);
/* Copy len_bytes bytes from src_va to dst_va in GPU memory. The ranges may overlap.
 * GPUCMD_FAULT: a byte cannot be accessed; nothing is copied. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_copy(gpucmd_mem *mem, uint64_t dst_va, uint64_t src_va,
                                                uint64_t len_bytes);
/* Read the 32-bit number at va, which has byte order `endian` and any alignment, to *v.
 * GPUCMD_FAULT: a byte cannot be read; *v is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read32(gpucmd_mem *mem, uint64_t va,
                                                  gpucmd_endian endian, uint32_t *v);
/* Write the 32-bit number v to va, with any alignment, in byte order `endian`. GPUCMD_FAULT: a byte
 * cannot be written; the memory is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_write32(gpucmd_mem *mem, uint64_t va,
                                                   gpucmd_endian endian, uint32_t v);
/* Read the 64-bit number at va, which has byte order `endian` and any alignment, to *v.
 * GPUCMD_FAULT: a byte cannot be read; *v is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_mem_read64(gpucmd_mem *mem, uint64_t va,
                                                  gpucmd_endian endian, uint64_t *v);
/* Write the 64-bit number v to va, with any alignment, in byte order `endian`. GPUCMD_FAULT: a byte
 * cannot be written; the memory is unchanged. */
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
    E( ERROR,       "code error; va position; value offending word" )                              \
    E( DROP,        "Intel: no effect without the right: code rule, va command, addr register; "   \
                    "value: of the register, or address not accessed" )                            \
    E( RULE,        "Intel, trace: code rule that the words at va break; value as in a finding" )
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
    W( LIVELOCK,   "units run without effect" )                                                    \
    W( REFUSED,    "a model kernel refused a member of a request" )
/* clang-format on */

#define GPUCMD_PRIV_WHY(name, meaning) GPUCMD_WHY_##name,
typedef enum gpucmd_why_kind { GPUCMD_WHYS(GPUCMD_PRIV_WHY) } gpucmd_why_kind;
#undef GPUCMD_PRIV_WHY

/* The reason for which an executor stopped. The executor's function ..._why writes it. Texts
 * have static storage. For AGX, gpucmd_agx_exec_why documents at_va, va and value. */
typedef struct gpucmd_why {
    gpucmd_why_kind kind;
    gpucmd_status status;  /* CALLBACK: its result; MEMORY: FAULT; NVIDIA MODEL: cause; else OK */
    uint32_t unit;         /* NVIDIA channel, Intel engine or AGX queue */
    const char *unit_name; /* text before unit_number: "channel ", "rcs", "queue "; NULL: "unit " */
    uint32_t unit_number;  /* number of the unit as people write it: the 0 of "rcs0" */
    uint64_t at_va;        /* address of the next word or IB entry */
    const char *reg;       /* ERROR: name of the register with the error bits; REFUSED: name of the
                              member; NVIDIA WAIT with name "": name of the next method, or
                              "method"; otherwise "" */
    uint32_t bits;         /* ERROR: value of the register reg; NVIDIA WAIT with name "":
                              subchannel of the next method */
    uint64_t va;           /* MEMORY: the rejected address; WAIT, DEADLOCK: the polled address;
                              NVIDIA WAIT with name "": address of the next method, bytes;
                              ERROR: the address of the word or command with the error;
                              REFUSED: nvgpu: the limit of the value, 0: none;
                              Intel IDLE with a name: of a command without the right to a part */
    uint64_t value;        /* WAIT, DEADLOCK: the value waited for. WAIT with name "": the number of
                              words that an unfinished command lacks. NVIDIA IDLE: the number of
                              data words of methods that nobody executed, at most 2^32 - 1.
                              REFUSED: the value of the member */
    const char *name;      /* name of the error, comparison, fence or status; otherwise "" */
    const char *text;      /* the reason as one clause */
} gpucmd_why;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the name of a kind of event, such as "METHODS"; "?" for an unknown number. Static
 * storage. */
GPUCMD_PRIV_API const char *gpucmd_event_name(gpucmd_event_kind kind);
/* Return the name of a result, such as "IDLE"; "?" for an unknown number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_run_name(gpucmd_run run);
/* Return the name of a kind of reason, such as "WAIT"; "?" for an unknown number. Static
 * storage. */
GPUCMD_PRIV_API const char *gpucmd_why_name(gpucmd_why_kind kind);
/* Append one line to t: kind, name and number of the unit, and at_va of *why, then the members reg,
 * bits, name, value and va, if this kind of reason has them, then the text. A text that is NULL is
 * left out. */
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
    E( EPERM,      1 )        E( ENOENT,     2 )        E( ESRCH,      3 )                         \
    E( EINTR,      4 )                                                                             \
    E( EIO,        5 )        E( ENXIO,      6 )        E( E2BIG,      7 )                         \
    E( EBADF,      9 )        E( EAGAIN,     11 )       E( ENOMEM,     12 )                        \
    E( EACCES,     13 )       E( EFAULT,     14 )       E( EBUSY,      16 )                        \
    E( EEXIST,     17 )       E( ENODEV,     19 )       E( EINVAL,     22 )                        \
    E( EMFILE,     24 )       E( ENOTTY,     25 )       E( ENOSPC,     28 )                        \
    E( ERANGE,     34 )       E( ENOSYS,     38 )       E( ENODATA,    61 )                        \
    E( ETIME,      62 )       E( EOVERFLOW,  75 )       E( EOPNOTSUPP, 95 )                        \
    E( ENOBUFS,    105 )      E( ETIMEDOUT,  110 )      E( ECANCELED,  125 )                       \
    E( ENOTSUPP,   524 )
/* clang-format on */

/* Define the errnos as enum constants, for example GPUCMD_SYS_EPERM = 1. GPUCMD_SYS_0 is for
 * table rows with 0 in a column of errnos. */
#define GPUCMD_PRIV_ERROR(name, number) GPUCMD_SYS_##name = number,
enum { GPUCMD_SYS_0 = 0, GPUCMD_SYS_ERRORS(GPUCMD_PRIV_ERROR) };
#undef GPUCMD_PRIV_ERROR

#define GPUCMD_PRIV_STATUS(name, number, text, error)                                              \
    case GPUCMD_##name: return -GPUCMD_SYS_##error;
/* Return the negative errno of a status: column errno of GPUCMD_STATUSES; 0 for GPUCMD_OK. */
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

/* Bit fields of an ioctl number, and how the direction is written: as asm/ioctl.h of Linux defines
 * them for the CPU of this code. GPUCMD_IOC_GENERIC selects the form of x86. */
#if !defined(GPUCMD_IOC_GENERIC) &&                                                                \
    (defined(__powerpc__) || defined(__mips__) || defined(__sparc__) || defined(__alpha__))
/* clang-format off */
#define GPUCMD_IOC_FIELDS(F)                                                                       \
    /*  name       hi  lo  meaning */                                                              \
    F( IOC_DIR,    31, 29, "1: no argument; else bit 2: the kernel reads it, bit 1: it writes it" )\
    F( IOC_BYTES,  28, 16, "size of the argument" )                                                \
    F( IOC_LETTER, 15,  8, "family of numbers" )                                                   \
    F( IOC_NR,      7,  0, "number in the family" )
/* clang-format on */
enum { GPUCMD_IOC_NONE = 1, GPUCMD_IOC_READ = 2, GPUCMD_IOC_WRITE = 4 };
#else
/* clang-format off */
#define GPUCMD_IOC_FIELDS(F)                                                                       \
    /*  name       hi  lo  meaning */                                                              \
    F( IOC_DIR,    31, 30, "bit 0: the kernel reads the argument, bit 1: it writes it" )           \
    F( IOC_BYTES,  29, 16, "size of the argument" )                                                \
    F( IOC_LETTER, 15,  8, "family of numbers" )                                                   \
    F( IOC_NR,      7,  0, "number in the family" )
/* clang-format on */
#if !defined(GPUCMD_IOC_GENERIC) && defined(__hppa__)
enum { GPUCMD_IOC_NONE = 0, GPUCMD_IOC_READ = 1, GPUCMD_IOC_WRITE = 2 };
#else
enum { GPUCMD_IOC_NONE = 0, GPUCMD_IOC_WRITE = 1, GPUCMD_IOC_READ = 2 };
#endif
#endif

#define GPUCMD_PRIV_IOC(name, hi, lo, meaning) GPUCMD_##name##_HI = hi, GPUCMD_##name##_LO = lo,
enum { GPUCMD_IOC_FIELDS(GPUCMD_PRIV_IOC) };
#undef GPUCMD_PRIV_IOC

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
 *     GPUCMD_LAYOUT_STORES(VENDOR_STRUCTS)    defines what GPUCMD_LAYOUT_STORE needs
 *     GPUCMD_LAYOUT_STORE(tag, dst, src)      writes structure *src to the bytes at dst,
 *                                             little endian
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

#define GPUCMD_LAYOUT_STORE(tag, dst, src) gpucmd_priv_layout_store_##tag((dst), (src))
#define GPUCMD_LAYOUT_STORES(list)                                                                 \
    list(GPUCMD_PRIV_STORE_S, GPUCMD_PRIV_STORE_F, GPUCMD_PRIV_STORE_A, GPUCMD_PRIV_SKIP,          \
         GPUCMD_PRIV_STORE_E)
#define GPUCMD_PRIV_STORE_S(tag)                                                                   \
    GPUCMD_INLINE GPUCMD_PRIV_UNUSED void gpucmd_priv_layout_store_##tag(                          \
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
#define GPUCMD_PRIV_STORE_F(type, name, off)                                                       \
    gpucmd_priv_layout_store_##type(to + (off), &src->name);
#define GPUCMD_PRIV_STORE_A(type, name, count, off)                                                \
    {                                                                                              \
        size_t i;                                                                                  \
        for (i = 0; i < (count); i++) {                                                            \
            gpucmd_priv_layout_store_##type(to + (off) + i * sizeof src->name[0], &src->name[i]);  \
        }                                                                                          \
    }
#define GPUCMD_PRIV_STORE_E(tag, bytes)        }

/* Copy a number of len_bytes (1..8) bytes from src, in CPU byte order, to dst, little endian. */
GPUCMD_INLINE void gpucmd_priv_store_number(void *dst, const void *src, size_t len_bytes)
{
    size_t i;
    for (i = 0; i < len_bytes; i++) {
        const size_t k = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN ? len_bytes - 1 - i : i;
        ((uint8_t *)dst)[i] = ((const uint8_t *)src)[k];
    }
}
#define gpucmd_priv_layout_store_u8(dst, src)  gpucmd_priv_store_number((dst), (src), 1)
#define gpucmd_priv_layout_store_u16(dst, src) gpucmd_priv_store_number((dst), (src), 2)
#define gpucmd_priv_layout_store_u32(dst, src) gpucmd_priv_store_number((dst), (src), 4)
#define gpucmd_priv_layout_store_u64(dst, src) gpucmd_priv_store_number((dst), (src), 8)
#define gpucmd_priv_layout_store_s8            gpucmd_priv_layout_store_u8
#define gpucmd_priv_layout_store_s16           gpucmd_priv_layout_store_u16
#define gpucmd_priv_layout_store_s32           gpucmd_priv_layout_store_u32
#define gpucmd_priv_layout_store_s64           gpucmd_priv_layout_store_u64
#endif

/* Callback: return the rows of structure number idx (GPUCMD_STRUCT_<tag>) as text; NULL
 * if there is no such structure. The body of the callback is:
 *     switch (idx) { GPUCMD_LAYOUT_TEXTS(VENDOR_STRUCTS) } return NULL; */
typedef const char *(*gpucmd_layout_fn)(uint32_t idx);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the tag of structure number idx, such as "drm_x_bind"; "?" if `of` has no such structure.
 * `of` is the callback of a vendor, such as gpucmd_agx_layout. The string has static storage. */
GPUCMD_PRIV_API const char *gpucmd_layout_name(gpucmd_layout_fn of, uint32_t idx);
/* Return the size in bytes of structure number idx; 0 if there is no such structure. */
GPUCMD_PRIV_API size_t gpucmd_layout_bytes(gpucmd_layout_fn of, uint32_t idx);
/* Copy structure number idx from src to dst and convert it between CPU byte order and the byte
 * order `endian`; the conversion is its own inverse. dst and src point to gpucmd_layout_bytes
 * bytes, at any alignment; they must be equal or not overlap. Members declared by a U row are not
 * converted. */
GPUCMD_PRIV_API void gpucmd_layout_convert(gpucmd_layout_fn of, uint32_t idx, void *dst,
                                           const void *src, gpucmd_endian endian);
/* Append a line for each number in structure number idx that is not 0: `indent` spaces, the name
 * ("depth.base", "samples[3].gpu_timestamp") and the value in hexadecimal. `bytes` points to the
 * structure in the byte order `endian`. */
GPUCMD_PRIV_API void gpucmd_layout_print(gpucmd_text *t, gpucmd_layout_fn of, uint32_t idx,
                                         const void *bytes, gpucmd_endian endian, size_t indent);
#endif

/* ---- memory of a process ---- */

/* Memory of the process that calls a model kernel. process has the memory, addr is an address in
 * it. If process is NULL, addr is a pointer of this program; addresses below 4096 or larger than a
 * pointer are then invalid. Each byte is read at most once. Any address is valid for 0 bytes. */
#ifdef GPUCMD_PRIV_PROTOTYPES
/* Copy len_bytes bytes from addr of the process to dst. Return 0, or -GPUCMD_SYS_EFAULT if an
 * address is invalid; nothing is copied then. */
GPUCMD_PRIV_CHECK int gpucmd_process_read(gpucmd_mem *process, uint64_t addr, void *dst,
                                          uint64_t len_bytes);
/* Copy len_bytes bytes from src to addr of the process. Return 0, or -GPUCMD_SYS_EFAULT if an
 * address is invalid; nothing is copied then. */
GPUCMD_PRIV_CHECK int gpucmd_process_write(gpucmd_mem *process, uint64_t addr, const void *src,
                                           uint64_t len_bytes);
/* Copy an argument from addr of the process to dst. The argument has have_bytes bytes, the
 * structure at dst has known_bytes; missing bytes become 0. Return 0 on success. On failure nothing
 * is copied: -GPUCMD_SYS_EFAULT: an address is invalid. -GPUCMD_SYS_E2BIG: a byte after known_bytes
 * is not 0. */
GPUCMD_PRIV_CHECK int gpucmd_process_copy_in(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                             void *dst, size_t known_bytes);
/* Copy the structure src of known_bytes bytes to addr of the process, but at most have_bytes bytes.
 * Return 0, or -GPUCMD_SYS_EFAULT if an address is invalid; nothing is copied then. */
GPUCMD_PRIV_CHECK int gpucmd_process_copy_out(gpucmd_mem *process, uint64_t addr, size_t have_bytes,
                                              const void *src, size_t known_bytes);
/* Return the CPU address of len_bytes (>= 1) bytes at addr of the process. NULL: an address
 * is invalid, the bytes are not in one region, or the region lacks a right of access_mask.
 * The process can change the bytes at any time: copy the bytes before you check them. */
GPUCMD_PRIV_API uint8_t *gpucmd_process_span(gpucmd_mem *process, uint64_t addr, uint64_t len_bytes,
                                             uint32_t access_mask);
#endif

/* ---- handles ---- */

/* Row of a table of handles. Row i is for handle i + 1. */
typedef struct gpucmd_handle {
    uint32_t object; /* the caller's number of the object; 0: the handle is free */
    uint32_t freed;  /* internal: element of a heap of the free handles below gpucmd_handles.used */
} gpucmd_handle;

/* The handles of one open file: numbers from 1 that name objects. A new handle is the lowest free
 * number, as in Linux. Several handles, also of several files, can name one object. */
typedef struct gpucmd_handles {
    gpucmd_handle *rows; /* owned by the caller */
    uint32_t cap;
    uint32_t used;  /* internal: handles above this number were never used, or are free again */
    uint32_t freed; /* internal: number of elements of the heap */
    uint32_t count; /* number of handles that name an object */
} gpucmd_handles;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *handles without handles. rows is the caller's array of cap (< 2^31) rows; it must
 * stay valid as long as *handles is used. */
GPUCMD_PRIV_API void gpucmd_handles_init(gpucmd_handles *handles, gpucmd_handle *rows,
                                         uint32_t cap);
/* Make the lowest free handle name object (> 0), and write the handle to *handle. GPUCMD_FULL: no
 * handle is free; *handle is unchanged. Time: O(log(cap)). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_handles_add(gpucmd_handles *handles, uint32_t object,
                                                   uint32_t *handle);
/* Return the object that a handle names; 0: the handle is free or no valid number. Time: O(1). */
GPUCMD_PRIV_API uint32_t gpucmd_handles_find(const gpucmd_handles *handles, uint32_t handle);
/* Free a handle and return the object that it named; 0: the handle is free or no valid number.
 * Time: O(log(cap)). */
GPUCMD_PRIV_API uint32_t gpucmd_handles_remove(gpucmd_handles *handles, uint32_t handle);
#endif

/* ---- GPU address spaces ---- */

/* Values of gpucmd_map.flags. SINGLE_PAGE: all pages of the mapping contain one page of the object:
 * the gpucmd_maps.page_bytes bytes from gpucmd_map.offset on. */
enum { GPUCMD_MAP_SINGLE_PAGE = 1 };

/* A mapping: a row of the caller's table. A row does not move as long as its mapping exists. */
typedef struct gpucmd_map {
    uint64_t va;
    uint64_t bytes;       /* 0: the row is free */
    uint64_t offset;      /* offset in the object of the memory at va; SINGLE_PAGE: of the page */
    uint32_t object;      /* number of the object, from 1; 0: no object, the mapping is sparse */
    uint32_t access_mask; /* GPUCMD_ACCESS_*; bits 31:8 are the caller's */
    uint32_t tag;         /* the caller's; only mappings with equal tags are merged */
    uint32_t flags;       /* GPUCMD_MAP_* */
    uint32_t user[2];     /* the caller's; each part of a divided mapping gets a copy */
    uint32_t space;       /* output: member id of the address space */
    uint32_t up;          /* internal, as the members after it: row + 1 of the parent; 0: none */
    uint32_t child[2];    /* row + 1 of the children; [0]: lower addresses, [1]: higher */
    uint32_t height;      /* height of the tree whose root is this row */
    uint32_t prev, next;  /* row + 1 of the neighbours in the list of mappings of the object */
    uint64_t low, high;   /* lowest va and highest end of the tree whose root is this row */
    uint64_t hole;        /* largest gap between two mappings of that tree */
} gpucmd_map;

/* A table of mappings for any number of address spaces. The caller owns the rows. */
typedef struct gpucmd_maps {
    gpucmd_map *rows;
    uint32_t cap;
    uint32_t used;  /* internal: rows[used] and above were never used */
    uint32_t free;  /* internal: row + 1 of the first freed row; 0: none */
    uint32_t count; /* number of mappings */
    /* The caller may set the following members after gpucmd_maps_init, before the first bind. */
    uint32_t page_bytes; /* page of GPUCMD_MAP_SINGLE_PAGE, a power of two; init sets 4096 */
    /* Lists of the mappings of each object. Each object 1..head_count has a list head: a uint32_t
     * that the caller owns and sets to 0. heads is the address of the head of object 1; the head of
     * each next object is head_stride bytes further. If heads is NULL, there are no lists. */
    void *heads;
    size_t head_stride;
    uint32_t head_count;
    /* Called after a mapping, or a part of one, was removed; may be NULL. *part is a copy: the
     * range, its offset and object. The callback must not change the table. */
    void (*removed)(void *user, const gpucmd_map *part);
    void *removed_user;
} gpucmd_maps;

/* A GPU address space: a balanced tree of mappings. A structure of zeros is an empty space. */
typedef struct gpucmd_space {
    uint32_t root; /* internal: row + 1 */
    uint32_t id;   /* the caller's; copied to gpucmd_map.space */
} gpucmd_space;

/* Result of gpucmd_space_translate: the object and the offset at a GPU address. */
typedef struct gpucmd_place {
    uint32_t object;      /* 0: the mapping is sparse */
    uint32_t access_mask; /* rights of the mapping */
    uint64_t offset;      /* offset of the address in the object */
    uint64_t bytes;       /* number of bytes contiguous in the object, from the address on */
} gpucmd_place;

/* A search for free addresses: bytes (> 0) free bytes in first_va..end_va - 1, at a multiple of
 * align, which is a power of two. */
typedef struct gpucmd_hole {
    uint64_t first_va;
    uint64_t end_va;
    uint64_t bytes;
    uint64_t align;
} gpucmd_hole;

/* Callback: return the CPU address of byte `offset` of an object, and write to *bytes how many
 * bytes are contiguous there. NULL: the object has no memory. */
typedef uint8_t *(*gpucmd_object_fn)(void *user, uint32_t object, uint64_t offset, uint64_t *bytes);

/* An address space as the memory of an executor. The structure and everything that it names must
 * stay valid as long as the memory is used. */
typedef struct gpucmd_space_view {
    const gpucmd_maps *maps;
    const gpucmd_space *space;
    const gpucmd_space *under; /* searched where space has no mapping; NULL: none */
    gpucmd_object_fn memory;
    void *user;      /* first argument of memory */
    uint8_t *sparse; /* two pages, GPUCMD_MEM_SCRATCH_BYTES bytes: reads of a sparse mapping access
                        the first, which the caller fills with zeros; writes access the second.
                        NULL: such accesses fail */
} gpucmd_space_view;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *maps without mappings, lists and callback. rows is an array of cap (< 2^32 - 1) rows,
 * owned by the caller; it must stay valid as long as *maps is used. */
GPUCMD_PRIV_API void gpucmd_maps_init(gpucmd_maps *maps, gpucmd_map *rows, uint32_t cap);
/* Initialize *space without mappings. id is any number; it is copied to gpucmd_map.space. */
GPUCMD_PRIV_API void gpucmd_space_init(gpucmd_space *space, uint32_t id);
/* Add mapping *map to a space; its outputs and internal members are ignored. It replaces old
 * mappings in its range; parts of old mappings outside the range stay. Adjacent mappings are merged
 * if access_mask, tag and flags are equal and they map contiguous memory of one object.
 *   GPUCMD_RANGE  bytes is 0, va + bytes is 2^64 or more, or heads is set and object is above
 *                 head_count; nothing has changed
 *   GPUCMD_FULL   no row is free, or only one and an old mapping exceeds the range on both sides;
 *                 nothing has changed
 * Time: O((2 + mappings removed) * log(mappings of the space)). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_space_bind(gpucmd_maps *maps, gpucmd_space *space,
                                                  const gpucmd_map *map);
/* Remove all mappings from the range of `bytes` bytes at va; parts of mappings outside the range
 * stay. A range without mappings is valid.
 *   GPUCMD_RANGE  bytes is 0, or va + bytes is 2^64 or more; nothing has changed
 *   GPUCMD_FULL   one mapping exceeds the range on both sides, and no row is free; nothing has
 *                 changed
 * Time: as gpucmd_space_bind. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_space_unbind(gpucmd_maps *maps, gpucmd_space *space,
                                                    uint64_t va, uint64_t bytes);
/* Remove all mappings of a space. Time: O(mappings removed). */
GPUCMD_PRIV_API void gpucmd_space_clear(gpucmd_maps *maps, gpucmd_space *space);
/* Remove all mappings of an object (> 0) from a space. Time: with lists (gpucmd_maps.heads)
 * O(mappings of the object in all spaces * log(mappings of the space)), otherwise O(mappings of the
 * space). */
GPUCMD_PRIV_API void gpucmd_space_unbind_object(gpucmd_maps *maps, gpucmd_space *space,
                                                uint32_t object);
/* Return the mapping that contains va. If there is none, return the first mapping after va; NULL:
 * there is none after va. The pointer is valid until the next bind or unbind. Time: O(log(mappings
 * of the space)). */
GPUCMD_PRIV_API const gpucmd_map *gpucmd_space_find(const gpucmd_maps *maps,
                                                    const gpucmd_space *space, uint64_t va);
/* Return the mapping of the space that follows *map; NULL: *map is the last. The pointer is valid
 * until the next bind or unbind. Time: O(log(mappings of the space)). */
GPUCMD_PRIV_API const gpucmd_map *gpucmd_space_next(const gpucmd_maps *maps, const gpucmd_map *map);
/* Return a mapping of an object, in any space; NULL: the object has no mapping, or
 * gpucmd_maps.heads is NULL. The pointer is valid until the next bind or unbind. Time: O(1). */
GPUCMD_PRIV_API const gpucmd_map *gpucmd_maps_first(const gpucmd_maps *maps, uint32_t object);
/* Return the next mapping of the object of *map, in any space; NULL: there is none. The pointer is
 * valid until the next bind or unbind. Time: O(1). */
GPUCMD_PRIV_API const gpucmd_map *gpucmd_maps_next(const gpucmd_maps *maps, const gpucmd_map *map);
/* Find the mapping that contains va. Write its object, its rights and the offset of va in the
 * object to *place. GPUCMD_FAULT: no mapping contains va; *place is unchanged. Rights are not
 * checked: the caller compares place->access_mask. Time: as gpucmd_space_find. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_space_translate(const gpucmd_maps *maps,
                                                       const gpucmd_space *space, uint64_t va,
                                                       gpucmd_place *place);
/* Write the lowest free address that fits *hole to *va. After 64 gaps that are large enough but do
 * not fit because of the alignment, only gaps of at least bytes + align - 1 are considered.
 * GPUCMD_FULL: no gap fits; *va is unchanged. Time: O(log(mappings of the space)). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_space_hole(const gpucmd_maps *maps,
                                                  const gpucmd_space *space,
                                                  const gpucmd_hole *hole, uint64_t *va);
/* Initialize *view without a second space and without pages for sparse mappings. */
GPUCMD_PRIV_API void gpucmd_space_view_init(gpucmd_space_view *view, const gpucmd_maps *maps,
                                            const gpucmd_space *space, gpucmd_object_fn memory,
                                            void *user);
/* A gpucmd_find_fn; user points to a gpucmd_space_view. For an executor, initialize a gpucmd_mem
 * without regions, and set its members find and find_user. GPUCMD_FAULT: no mapping contains va,
 * the mapping lacks a right, or it has no memory. Time: as gpucmd_space_find, and that of the
 * callback memory. */
GPUCMD_PRIV_API gpucmd_status gpucmd_space_view_find(void *user, uint64_t va, uint32_t access_mask,
                                                     uint8_t **host, uint64_t *bytes);
#endif

/* ---- fences ---- */

/* A fence signals once. A fence of a job signals when the job ends, another fence when the caller
 * calls gpucmd_fence_signal; a fence can also wait for one or two other fences. Fences are named by
 * row + 1; 0 is no fence. */
typedef struct gpucmd_fence {
    uint64_t clock; /* value of gpucmd_fences.clock when the fence signalled */
    int32_t error;  /* positive errno, valid when the fence has signalled; 0: no error */
    uint32_t owner; /* set by an executor: number of the job that signals the fence; 0: none */
    uint32_t refs;  /* number of holds; 0: the row is free */
    bool ended;     /* gpucmd_fence_signal was called; the fence may still wait for member prev */
    bool is_signalled;
    uint32_t prev;  /* fence that must signal before this one; 0: none, or it has signalled */
    uint32_t inner; /* fence that signals this one instead of the caller; 0: as prev */
    uint32_t back;  /* internal: 0, except during gpucmd_fence_search */
    uint32_t first; /* internal: first of the fences that wait for this one, as a link: fence * 2,
                       plus 1 if its member inner is this fence; in lists: the next element */
    uint32_t links[2][2]; /* internal: [0]: for prev, [1]: for inner; next and previous link */
} gpucmd_fence;

/* A table of fences. The caller owns the rows. */
typedef struct gpucmd_fences {
    gpucmd_fence *rows;
    uint32_t cap;
    uint32_t used;    /* internal: rows[used] and above were never used */
    uint32_t free;    /* internal: first freed fence */
    uint32_t count;   /* number of fences */
    uint32_t ready;   /* internal: first fence that signals now */
    uint32_t dropped; /* internal: first fence without holds whose row is not yet free */
    uint64_t clock;   /* the caller's clock */
    uint64_t signals; /* number of fences that have signalled since init */
} gpucmd_fences;

/* Callback of gpucmd_fence_search: return true to end the search at this fence. */
typedef bool (*gpucmd_fence_fn)(void *user, uint32_t fence);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *fences without fences. rows is the caller's array of cap (< 2^31) rows; it must stay
 * valid as long as *fences is used. */
GPUCMD_PRIV_API void gpucmd_fences_init(gpucmd_fences *fences, gpucmd_fence *rows, uint32_t cap);
/* Make a fence, hold it once for the caller and return it; 0: no row is free, or a fence does not
 * exist. prev (or 0) is a fence that must signal before. inner 0: gpucmd_fence_signal signals the
 * fence. Otherwise the fence signals when prev and inner have signalled, with the error of inner.
 * The new fence holds prev and inner until they have signalled. Time: O(1). */
GPUCMD_PRIV_API uint32_t gpucmd_fence_new(gpucmd_fences *fences, uint32_t prev, uint32_t inner);
/* Add a hold to a fence. A fence that does not exist is ignored. Time: O(1). */
GPUCMD_PRIV_API void gpucmd_fence_hold(gpucmd_fences *fences, uint32_t fence);
/* Remove one hold of a fence. A fence without holds becomes free. A fence that does not exist is
 * ignored. Time: O(fences that become free). */
GPUCMD_PRIV_API void gpucmd_fence_release(gpucmd_fences *fences, uint32_t fence);
/* Signal a fence that was made with inner 0. If prev has not signalled, the fence signals when prev
 * does. error: positive errno; 0: no error. GPUCMD_RANGE: no such fence. GPUCMD_ORDER: the fence
 * has an inner fence or an owner, or this function was called before. Time: O(fences that signal or
 * become free). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_fence_signal(gpucmd_fences *fences, uint32_t fence,
                                                    int32_t error);
/* Return true if the fence has signalled. */
GPUCMD_PRIV_API bool gpucmd_fence_signalled(const gpucmd_fences *fences, uint32_t fence);
/* Call `visit` for a fence, then for all fences that must signal before it: first those of its
 * member prev, then those of inner. Each fence is visited once. If visit returns true, the search
 * ends, and that fence is the result. Otherwise, or if the fence has signalled or does not exist,
 * return 0. visit must not change the table. Time: O(fences visited). */
GPUCMD_PRIV_API uint32_t gpucmd_fence_search(const gpucmd_fences *fences, uint32_t fence,
                                             gpucmd_fence_fn visit, void *user);
#endif

/* ---- sync objects ---- */

/* Flags of sync objects, with the numbers of Linux. */
enum {
    GPUCMD_SYNCOBJ_CREATE_SIGNALED = 1,
    GPUCMD_SYNCOBJ_WAIT_ALL = 1,
    GPUCMD_SYNCOBJ_WAIT_FOR_SUBMIT = 2,
    GPUCMD_SYNCOBJ_WAIT_AVAILABLE = 4,
    GPUCMD_SYNCOBJ_QUERY_LAST_SUBMITTED = 1,
};

/* A sync object: its newest fence and, if it is a timeline, its points. Sync objects are named by
 * row + 1, so that files can share them; the handles of a file name them (gpucmd_handles). */
typedef struct gpucmd_syncobj {
    uint32_t refs;   /* number of holds; 0: the row is free */
    uint32_t fence;  /* newest fence; 0: none */
    uint32_t point;  /* internal: row + 1 of the newest point; 0: the object is binary */
    uint32_t next;   /* internal: next freed row */
    uint64_t last;   /* value of the newest point */
    uint64_t passed; /* internal: points up to this value have signalled and have no row */
} gpucmd_syncobj;

/* A point of a timeline. Its row stays until no wait needs the point. */
typedef struct gpucmd_sync_point {
    uint64_t value;
    uint64_t jump_value; /* internal: value of point `jump`; 0: this point has no jump */
    uint32_t fence;
    uint32_t next;  /* row + 1 of the next older point; in a free row: next free row */
    uint32_t jump;  /* internal: row + 1 of an older point, free if jump_value <= passed */
    uint32_t depth; /* internal: 0 for the first and for a merged point, else 1 more than before */
    bool merged;    /* the value was not above that of the point before: a wait for any older point
                       then waits for this point */
} gpucmd_sync_point;

/* Tables of sync objects and points. The caller owns the rows and the table of fences. */
typedef struct gpucmd_syncobjs {
    gpucmd_fences *fences;
    gpucmd_syncobj *rows;
    uint32_t cap, used, free; /* used, free: internal, as in gpucmd_maps */
    uint32_t count;           /* number of sync objects */
    uint32_t point_cap, point_used, point_free, point_count;
    gpucmd_sync_point *points;
    uint32_t merged_points; /* number of merged points so far; usually mistakes of the process */
} gpucmd_syncobjs;

/* Callback of a wait that is not yet over: let work progress. Return 0 to check again, or a
 * negative errno that ends the wait: -ETIME if time is up, -EINTR. */
typedef int (*gpucmd_progress_fn)(void *user);

/* Arguments of a wait. */
typedef struct gpucmd_syncobj_wait {
    const uint32_t *syncobjs; /* count sync objects */
    const uint64_t *points;   /* count points; NULL: all are 0, the newest fence */
    uint32_t count;
    uint32_t flags;              /* GPUCMD_SYNCOBJ_WAIT_* */
    gpucmd_progress_fn progress; /* NULL: a wait that is not over returns -ETIME */
    void *user;
} gpucmd_syncobj_wait;

/* The functions of sync objects follow drm_syncobj.c and dma-fence-chain.c of Linux. On failure
 * nothing has changed. A sync file is a fence: to export it, hold the result of
 * gpucmd_syncobj_find; to import it, call gpucmd_syncobj_replace. Time: O(log(points)), plus
 * O(points and fences that become free); gpucmd_syncobj_wait_for takes this time for each object
 * and poll. */

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Initialize *t without sync objects. rows has cap elements, and points has point_cap elements. The
 * caller owns both arrays and *fences; they must stay valid as long as *t is used. */
GPUCMD_PRIV_API void gpucmd_syncobjs_init(gpucmd_syncobjs *t, gpucmd_fences *fences,
                                          gpucmd_syncobj *rows, uint32_t cap,
                                          gpucmd_sync_point *points, uint32_t point_cap);
/* Make a sync object with one hold, and write its number to *syncobj. flags: 0 or
 * GPUCMD_SYNCOBJ_CREATE_SIGNALED. Return 0; -EINVAL: another flag; -ENOMEM: a table is full. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_create(gpucmd_syncobjs *t, uint32_t flags, uint32_t *syncobj);
/* Make `fence` the newest fence of a sync object and remove all its points. If fence is 0, the
 * object then has no fence. Return 0, or -ENOENT if the sync object or the fence does not exist. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_replace(gpucmd_syncobjs *t, uint32_t syncobj, uint32_t fence);
/* Add a point (> 0) that signals with `fence`; the object becomes a timeline. The caller must have
 * made the fence with the newest fence of the object as prev. Return 0; -ENOENT: no such sync
 * object or fence; -ENOMEM: the table is full. On failure nothing has changed. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_add_point(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                               uint32_t fence);
/* Signal a sync object from the CPU. point 0: replace its newest fence by a signalled fence.
 * Otherwise add a point that has signalled. Return 0; -ENOENT: no such sync object; -ENOMEM: a
 * table is full. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_signal(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point);
/* Write to *fence the fence that a wait for `point` needs; point 0: the newest fence. *fence 0: the
 * point has signalled, and the table no longer has a row for it. No hold is added. Return 0 or:
 *   -ENOENT  no such sync object
 *   -EINVAL  the object has no fence; or point is not 0, and the object is binary or its newest
 *            point is less than point */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_find(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                          uint32_t *fence);
/* Give dst the fence that gpucmd_syncobj_find returns for src and src_point: as its newest fence if
 * dst_point is 0, otherwise as a new point. Return 0, or the errno of gpucmd_syncobj_find or
 * gpucmd_syncobj_add_point. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_transfer(gpucmd_syncobjs *t, uint32_t dst, uint64_t dst_point,
                                              uint32_t src, uint64_t src_point);
/* Write to *value the newest point that has signalled, or with GPUCMD_SYNCOBJ_QUERY_LAST_SUBMITTED
 * the newest point; 0: none, or the object is binary. Return 0; -ENOENT: no such sync object;
 * -EINVAL: another flag. */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_query(gpucmd_syncobjs *t, uint32_t syncobj, uint32_t flags,
                                           uint64_t *value);
/* Wait until one sync object of *wait is finished, or with WAIT_ALL until all are. An object is
 * finished when the fence of its point has signalled, with WAIT_AVAILABLE when the fence exists.
 * *first receives the index of the first object that was finished at the start. If there was none,
 * it receives the index of the object that ended the wait; with WAIT_ALL 0xffffffff. Return 0, also
 * if count is 0, or one of these; *first is then unchanged:
 *   -ENOENT  no such sync object
 *   -EINVAL  a fence does not exist yet, and neither WAIT_FOR_SUBMIT nor WAIT_AVAILABLE is set
 *   -ETIME   wait->progress is NULL, and the wait is not over
 *   other    the errno that wait->progress returned */
GPUCMD_PRIV_CHECK int gpucmd_syncobj_wait_for(gpucmd_syncobjs *t, const gpucmd_syncobj_wait *wait,
                                              uint32_t *first);
/* Add a hold to a sync object. An object that does not exist is ignored. */
GPUCMD_PRIV_API void gpucmd_syncobj_hold(gpucmd_syncobjs *t, uint32_t syncobj);
/* Remove one hold of a sync object. An object without holds becomes free; jobs keep the fences that
 * they need. An object that does not exist is ignored. */
GPUCMD_PRIV_API void gpucmd_syncobj_release(gpucmd_syncobjs *t, uint32_t syncobj);
#endif

/* ---- ioctls of DRM ---- */

/* Flags of a row: who may call the ioctl, with the numbers of Linux. */
enum {
    GPUCMD_DRM_AUTH = 1,
    GPUCMD_DRM_MASTER = 2,
    GPUCMD_DRM_ROOT_ONLY = 4,
    GPUCMD_DRM_RENDER_ALLOW = 32,
};

/* An ioctl of a DRM driver. number contains letter, number, direction and size of the structure,
 * as GPUCMD_IOWR makes it. */
typedef struct gpucmd_drm_row {
    uint32_t number;
    uint32_t flags; /* GPUCMD_DRM_* */
} gpucmd_drm_row;

/* What an open file of a DRM device may do. */
enum {
    GPUCMD_DRM_FILE_RENDER = 1, /* opened through a render node */
    GPUCMD_DRM_FILE_AUTHENTICATED = 2,
    GPUCMD_DRM_FILE_MASTER = 4,
    GPUCMD_DRM_FILE_ROOT = 8,
};

/* A DRM driver and one open file of its device, for gpucmd_drm_ioctl. call executes an ioctl:
 * number is that of its row, *arg a copy of the structure; the result is >= 0 or a negative
 * errno. */
typedef struct gpucmd_drm {
    const gpucmd_drm_row *rows;
    uint32_t count;
    uint32_t file_mask;  /* GPUCMD_DRM_FILE_* */
    gpucmd_mem *process; /* memory of the process; NULL: memory of this program */
    int (*call)(void *kernel, uint32_t number, void *arg);
    void *kernel;   /* first argument of call */
    bool unplugged; /* the device is gone: each ioctl returns -ENODEV */
} gpucmd_drm;

/* Largest structure of a row, in bytes. */
#define GPUCMD_DRM_ARG_BYTES 512

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Call an ioctl as drm_ioctl of Linux does. arg is the address of the structure in the process.
 * The row is found by letter and number; size and direction of request need not be those of the
 * row. The structure is copied in and out only in the directions that both have. A shorter
 * structure is followed by zeros; the tail of a longer one is not read, but must be readable.
 * Outputs are copied back also after a failure. Return the result of the row, or
 *   -ENODEV  the device is unplugged
 *   -ENOTTY  no row has this letter
 *   -EINVAL  no row has this number
 *   -ENOMEM  the structure of the row is above GPUCMD_DRM_ARG_BYTES
 *   -EFAULT  the structure cannot be read; then nothing is called. Or outputs cannot be written;
 *            then the effect of the call remains
 *   -EACCES  the file may not call the ioctl
 * Time: O(rows), and that of the call. */
GPUCMD_PRIV_CHECK int gpucmd_drm_ioctl(const gpucmd_drm *drm, uint32_t request, uint64_t arg);
/* Return the row of a number of an ioctl, by its letter and number; NULL: there is none. */
GPUCMD_PRIV_API const gpucmd_drm_row *gpucmd_drm_find(const gpucmd_drm *drm, uint32_t request);
#endif

/* ---- ioctls of sync objects ---- */

/* The ioctls of sync objects, and who may call them: the flag GPUCMD_DRM_* of a gpucmd_drm_row.
 * Source: drm_ioctl.c of Linux. */
/* clang-format off */
#define GPUCMD_DRM_SYNCOBJ_IOCTLS(I)                                                               \
    I( CREATE,        RENDER_ALLOW )                                                               \
    I( DESTROY,       RENDER_ALLOW )                                                               \
    I( WAIT,          RENDER_ALLOW )                                                               \
    I( TIMELINE_WAIT, RENDER_ALLOW )

/* Arguments of the ioctls of sync objects: struct gpucmd_drm_syncobj_wait_arg is struct
 * drm_syncobj_wait of Linux, and so on. Newer kernels append a member to the arguments of waits;
 * they accept these sizes. Source: include/uapi/drm/drm.h of Linux. */
#define GPUCMD_DRM_SYNCOBJ_STRUCTS(S, F, A, U, E)                                                  \
    S( drm_syncobj_create_arg ) F( u32, handle, 0 ) F( u32, flags, 4 )                             \
        E( drm_syncobj_create_arg, 8 )                                                             \
    S( drm_syncobj_destroy_arg ) F( u32, handle, 0 ) F( u32, pad, 4 )                              \
        E( drm_syncobj_destroy_arg, 8 )                                                            \
    S( drm_syncobj_wait_arg ) F( u64, handles, 0 ) F( s64, timeout_nsec, 8 )                       \
        F( u32, count_handles, 16 ) F( u32, flags, 20 ) F( u32, first_signaled, 24 )               \
        F( u32, pad, 28 ) E( drm_syncobj_wait_arg, 32 )                                            \
    S( drm_syncobj_timeline_wait_arg ) F( u64, handles, 0 ) F( u64, points, 8 )                    \
        F( s64, timeout_nsec, 16 ) F( u32, count_handles, 24 ) F( u32, flags, 28 )                 \
        F( u32, first_signaled, 32 ) F( u32, pad, 36 ) E( drm_syncobj_timeline_wait_arg, 40 )
/* clang-format on */
GPUCMD_LAYOUT_STRUCTS(GPUCMD_DRM_SYNCOBJ_STRUCTS)

#define GPUCMD_DRM_IOCTL_SYNCOBJ_CREATE GPUCMD_IOWR('d', 0xbf, struct gpucmd_drm_syncobj_create_arg)
#define GPUCMD_DRM_IOCTL_SYNCOBJ_DESTROY                                                           \
    GPUCMD_IOWR('d', 0xc0, struct gpucmd_drm_syncobj_destroy_arg)
#define GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT GPUCMD_IOWR('d', 0xc3, struct gpucmd_drm_syncobj_wait_arg)
#define GPUCMD_DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT                                                     \
    GPUCMD_IOWR('d', 0xca, struct gpucmd_drm_syncobj_timeline_wait_arg)

#ifdef GPUCMD_PRIV_PROTOTYPES
/* The functions gpucmd_drm_syncobj_* make one ioctl with fd, the descriptor of an open DRM node
 * whose driver has sync objects. They return 0 or a negative errno; on failure outputs are
 * unchanged. An ioctl that fails with EINTR or EAGAIN has changed nothing; the function does not
 * restart it. */

/* Make a sync object and write its handle to *handle. flags: 0 or
 * GPUCMD_SYNCOBJ_CREATE_SIGNALED. */
GPUCMD_PRIV_API int gpucmd_drm_syncobj_create(const gpucmd_sys_ops *sys, int fd, uint32_t flags,
                                              uint32_t *handle);
/* Free a handle of a sync object. -EINVAL: no such handle. */
GPUCMD_PRIV_API int gpucmd_drm_syncobj_destroy(const gpucmd_sys_ops *sys, int fd, uint32_t handle);
/* Wait until the newest fence of a sync object has signalled; with WAIT_ALL, of each sync object.
 *   wait        member syncobjs has the handles. WAIT_AVAILABLE is invalid; members points,
 *               progress and user are ignored
 *   timeout_ns  time of CLOCK_MONOTONIC at which the wait ends; 0: do not wait
 *   first       receives the index of an object that has ended the wait, without meaning if
 *               WAIT_ALL is set; may be NULL
 *   -ENOENT  no such handle
 *   -EINVAL  another flag, or an object has no fence and WAIT_FOR_SUBMIT is not set
 *   -ETIME   the wait was not over at timeout_ns */
GPUCMD_PRIV_API int gpucmd_drm_syncobj_wait(const gpucmd_sys_ops *sys, int fd,
                                            const gpucmd_syncobj_wait *wait, int64_t timeout_ns,
                                            uint32_t *first);
/* As gpucmd_drm_syncobj_wait, but for a point of each object: wait->points; NULL: all are 0, the
 * newest fence. With WAIT_AVAILABLE, wait only until the fence of the point exists. */
GPUCMD_PRIV_API int gpucmd_drm_syncobj_timeline_wait(const gpucmd_sys_ops *sys, int fd,
                                                     const gpucmd_syncobj_wait *wait,
                                                     int64_t timeout_ns, uint32_t *first);

/* Most sync objects for which an ioctl of a model kernel waits: their numbers are copied. */
enum { GPUCMD_SYNCOBJ_WAIT_MOST = 32 };

/* Execute an ioctl of sync objects in a model kernel whose handles are the numbers of *t. number
 * is GPUCMD_DRM_IOCTL_SYNCOBJ_*, *arg a copy of its structure. process has the memory that the
 * structure points at: arrays in CPU byte order. progress is called, with user, while a wait with
 * timeout_nsec > 0 is not over; NULL: such a wait returns -ETIME. Return 0, the errno of the
 * functions above or of progress, or
 *   -EINVAL  another number, or pad of DESTROY is not 0
 *   -ENOMEM  CREATE: a table is full; a wait for more than GPUCMD_SYNCOBJ_WAIT_MOST objects
 *   -EFAULT  an array cannot be read */
GPUCMD_PRIV_CHECK int gpucmd_syncobjs_ioctl(gpucmd_syncobjs *t, gpucmd_mem *process,
                                            gpucmd_progress_fn progress, void *user,
                                            uint32_t number, void *arg);
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

/* Return result, or the negative errno of the system call if result is below 0. */
static inline int gpucmd_priv_linux_result(int64_t result)
{
    return result >= 0 ? (int)result : -errno;
}

static inline int gpucmd_priv_linux_open(void *user, const char *path, uint32_t flags)
{
    const int fd = open(path, (int)flags);
    (void)user;
    return gpucmd_priv_linux_result(fd);
}

static inline int gpucmd_priv_linux_close(void *user, int fd)
{
    (void)user;
    return gpucmd_priv_linux_result(close(fd));
}

static inline int gpucmd_priv_linux_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    (void)user;
    return gpucmd_priv_linux_result(ioctl(fd, number, arg));
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
    return gpucmd_priv_linux_result(munmap(addr, len_bytes));
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
    if (r->cur == r->end) { /* both may be NULL */
        return 0;
    }
    return (size_t)(r->end - r->cur);
}

GPUCMD_PRIV_API size_t gpucmd_reader_at_dw(const gpucmd_reader *r)
{
    if (r->cur == r->base) { /* both may be NULL */
        return 0;
    }
    return (size_t)(r->cur - r->base);
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
    if (at != NULL) {
        return *at;
    }
    return 0;
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
    size_t n = 0;
    if (t->need_bytes == t->len_bytes) {
        n = gpucmd_priv_min_size(len_bytes, room);
    }
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
    unsigned n = gpucmd_priv_min32(digits, 16);
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
    if (t->need_bytes == t->len_bytes) {
        return GPUCMD_OK;
    }
    return GPUCMD_FULL;
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
    if (*texts != '\0') {
        return texts;
    }
    return "?";
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

/* What a rule of a model kernel compares. In a text, % and a letter stand for a member. */
typedef struct gpucmd_priv_parts {
    const char *member; /* %m: name of the member with the value */
    uint64_t value;     /* %v, %d in decimal */
    uint64_t bytes;     /* %x: bytes from the value on */
    uint64_t least;     /* %w, %W in decimal */
    uint64_t limit;     /* %l, %L in decimal */
    uint32_t object;    /* %o, in decimal */
} gpucmd_priv_parts;

/* Append text, with the members of *p in place of % and a letter. */
static GPUCMD_PRIV_UNUSED void gpucmd_priv_text_parts(gpucmd_text *t, const char *text,
                                                      const gpucmd_priv_parts *p)
{
    for (; *text != '\0'; text++) {
        uint64_t number = p->value;
        bool decimal = false;
        if (*text != '%') {
            gpucmd_text_char(t, *text);
            continue;
        }
        text++;
        if (*text == 'm') {
            gpucmd_text_str(t, p->member);
            continue;
        }
        switch (*text) {
        case 'd': decimal = true; break;
        case 'x': number = p->bytes; break;
        case 'o':
            number = p->object;
            decimal = true;
            break;
        case 'W':
        case 'w':
            number = p->least;
            decimal = *text == 'W';
            break;
        case 'L':
        case 'l':
            number = p->limit;
            decimal = *text == 'L';
            break;
        default: break;
        }
        if (decimal) {
            gpucmd_text_dec(t, number);
        } else {
            gpucmd_text_str(t, "0x");
            gpucmd_text_hex(t, number, 1);
        }
    }
}

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
    const bool counts = command_dw != NULL && w->base != NULL;
    gpucmd_text_str(t, gpucmd_status_name(w->status));
    if (w->status == GPUCMD_OK) {
        gpucmd_text_str(t, ": ");
        gpucmd_text_dec(t, gpucmd_writer_at_dw(w));
        gpucmd_text_str(t, " words");
        if (counts) {
            gpucmd_text_str(t, ", ");
            gpucmd_text_dec(t, gpucmd_writer_commands(w, command_dw, rules));
            gpucmd_text_str(t, " commands");
        }
        gpucmd_text_char(t, '\n');
        return;
    }
    gpucmd_text_str(t, " at word ");
    gpucmd_text_dec(t, gpucmd_writer_at_dw(w));
    if (counts) {
        gpucmd_text_str(t, ", command ");
        gpucmd_text_dec(t, gpucmd_writer_commands(w, command_dw, rules));
    }
    gpucmd_text_str(t, ": ");
    gpucmd_text_str(t, gpucmd_status_text(w->status));
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
    mem->find_user = NULL;
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
    if (a->va != b->va) {
        return a->va < b->va;
    }
    return a->bytes < b->bytes;
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
    if (end_va != va) {
        return end_va - va;
    }
    return ~(uint64_t)0;
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
    if (mem->find == NULL ||
        mem->find(mem->find_user, va, access_mask, host, got_bytes) != GPUCMD_OK) {
        if (mem->scratch == NULL) {
            return GPUCMD_FAULT;
        }
        const uint64_t hole_bytes = gpucmd_priv_mem_hole(mem, va);
        *got_bytes = gpucmd_priv_min(hole_bytes, page_bytes);
        mem->scratch_count++;
        *host = mem->scratch + off;
        if ((access_mask & GPUCMD_ACCESS_WRITE) != 0) {
            *host += GPUCMD_MEM_SCRATCH_BYTES / 2;
        }
    }
    *got_bytes = gpucmd_priv_min(*got_bytes, want_bytes);
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
    *got_bytes = gpucmd_priv_min(left_bytes, want_bytes);
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
    if (n > 0 && gpucmd_priv_region_has(&mem->regions[n - 1], va)) {
        return gpucmd_priv_mem_span_in(mem, n - 1, va, want_bytes, access_mask, host, got_bytes);
    }
    return gpucmd_priv_mem_span_scratch(mem, va, want_bytes, access_mask, host, got_bytes);
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

/* ---- copies and fills ---- */

/* Copy bytes; dst and src may overlap. */
GPUCMD_INLINE void gpucmd_priv_move(uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
#if defined(GPUCMD_MEMMOVE)
    GPUCMD_MEMMOVE(dst, src, len_bytes);
#elif defined(GPUCMD_PRIV_GNU)
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
            got_bytes = gpucmd_priv_min(got_bytes, len_bytes - at);
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
            uint64_t from_va = 0;
            if (n != 0) {
                from_va = mem->regions[n - 1].va + mem->regions[n - 1].bytes;
            }
            behind_bytes = (end_va - 1) % (GPUCMD_MEM_SCRATCH_BYTES / 2) + 1;
            behind_bytes = gpucmd_priv_min(end_va - from_va, behind_bytes);
        }
        *got_bytes = gpucmd_priv_min(behind_bytes, want_bytes);
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
    const uint32_t paid = gpucmd_priv_div((uint32_t)gpucmd_priv_min(work, 0xffffffffu),
                                          GPUCMD_PRIV_UNIT_WORK + GPUCMD_PRIV_PIECE_WORK);
    const uint64_t most =
        (1 + (uint64_t)paid) * GPUCMD_PRIV_UNIT_WORK - off % GPUCMD_PRIV_UNIT_WORK;
    return gpucmd_priv_min(n, most);
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
    gpucmd_status status;
    if (back) {
        status = gpucmd_priv_mem_span_back(mem, src_va + left, most, GPUCMD_ACCESS_READ, &from,
                                           &from_bytes);
    } else {
        status = gpucmd_mem_span(mem, src_va + done, most, GPUCMD_ACCESS_READ, &from, &from_bytes);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    if (back) {
        status =
            gpucmd_priv_mem_span_back(mem, dst_va + left, from_bytes, GPUCMD_ACCESS_WRITE, &to, n);
    } else {
        status = gpucmd_mem_span(mem, dst_va + done, from_bytes, GPUCMD_ACCESS_WRITE, &to, n);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    if (back) {
        from += from_bytes - *n;
        apart = (uintptr_t)from - (uintptr_t)to;
    } else {
        apart = (uintptr_t)to - (uintptr_t)from;
    }
    most = GPUCMD_PRIV_UNIT_WORK - done % GPUCMD_PRIV_UNIT_WORK;
    if (apart < *n && most < *n) { /* the ranges overlap: copy one block */
        if (back) {
            from += *n - most;
            to += *n - most;
        }
        *n = most;
    }
    gpucmd_priv_move(to, from, (size_t)*n);
    return GPUCMD_OK;
}

/* Repeat the first `done` (>= 1) bytes at `to` until n bytes are written. */
GPUCMD_PRIV_UNUSED static void gpucmd_priv_repeat(uint8_t *to, uint64_t done, uint64_t n)
{
    while (done < n) {
        const uint64_t more = gpucmd_priv_min(done, n - done);
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
    if (status == GPUCMD_OK) {
        const uint64_t end = gpucmd_priv_min(*n, period - at); /* bytes to the end of pattern */
        const uint64_t begin = gpucmd_priv_min(*n - end, at);
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
    why->status = GPUCMD_OK;
    if (kind == GPUCMD_WHY_MEMORY) {
        why->status = GPUCMD_FAULT;
    }
    why->unit = unit;
    why->unit_name = NULL;
    why->unit_number = unit;
    why->at_va = at_va;
    why->reg = "";
    why->bits = 0;
    why->va = 0;
    why->value = 0;
    why->name = "";
    why->text = gpucmd_priv_row_text(GPUCMD_WHYS(GPUCMD_PRIV_ROW_TEXT_2), (size_t)kind);
}

/* Append s; NULL: append instead. */
static void gpucmd_priv_text_or(gpucmd_text *t, const char *s, const char *instead)
{
    gpucmd_text_str(t, s != NULL ? s : instead);
}

GPUCMD_PRIV_API void gpucmd_print_why(gpucmd_text *t, const gpucmd_why *why)
{
    const bool is_named = why->name != NULL && *why->name != '\0';
    const bool waits =
        (why->kind == GPUCMD_WHY_WAIT || why->kind == GPUCMD_WHY_DEADLOCK) && is_named;
    const bool is_open = why->kind == GPUCMD_WHY_WAIT && !is_named && why->reg != NULL;
    gpucmd_text_str(t, gpucmd_why_name(why->kind));
    gpucmd_text_char(t, ' ');
    gpucmd_priv_text_or(t, why->unit_name, "unit ");
    gpucmd_text_dec(t, why->unit_number);
    if (why->kind != GPUCMD_WHY_REFUSED) {
        gpucmd_text_str(t, " at 0x");
        gpucmd_text_hex(t, why->at_va, 1);
    }
    gpucmd_text_str(t, ": ");
    if (!is_open) {
        gpucmd_priv_text_or(t, why->reg, "");
    }
    if (why->kind == GPUCMD_WHY_REFUSED && why->reg != NULL && *why->reg != '\0') {
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->value, 1);
        gpucmd_text_char(t, ' ');
    }
    if (why->kind == GPUCMD_WHY_ERROR) {
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->bits, 8);
        gpucmd_text_char(t, ' ');
    }
    gpucmd_priv_text_or(t, why->name, "");
    if (waits) {
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->value, 1);
    }
    if (waits || (why->kind == GPUCMD_WHY_IDLE && is_named)) {
        gpucmd_text_str(t, " at 0x");
        gpucmd_text_hex(t, why->va, 1);
    } else if (why->kind == GPUCMD_WHY_MEMORY) {
        gpucmd_text_str(t, "0x");
        gpucmd_text_hex(t, why->va, 1);
    }
    if (why->kind == GPUCMD_WHY_MEMORY || is_named) {
        gpucmd_text_str(t, ": ");
    }
    if ((why->kind == GPUCMD_WHY_WAIT || why->kind == GPUCMD_WHY_IDLE) && !is_named &&
        why->value != 0) {
        gpucmd_text_dec(t, (uint32_t)why->value);
        gpucmd_text_char(t, ' ');
    }
    gpucmd_priv_text_or(t, why->text, "");
    if (is_open && *why->reg != '\0') {
        gpucmd_text_str(t, ", from ");
        gpucmd_text_str(t, why->reg);
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, why->va, 1);
        gpucmd_text_str(t, " of subchannel ");
        gpucmd_text_dec(t, why->bits);
    }
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
    if (text != NULL) {
        return text;
    }
    return "?";
}

GPUCMD_PRIV_API size_t gpucmd_layout_bytes(gpucmd_layout_fn of, uint32_t idx)
{
    const char *text = of(idx);
    if (text != NULL) {
        return gpucmd_priv_layout_size(gpucmd_priv_layout_skip(text));
    }
    return 0;
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
        if (addr >= 4096 && last >= addr && (uintptr_t)last == last) {
            return (uint8_t *)(uintptr_t)addr;
        }
        return NULL;
    }
    if (gpucmd_mem_span(process, addr, len_bytes, access_mask, &at, &got_bytes) == GPUCMD_OK &&
        got_bytes == len_bytes) {
        return at;
    }
    return NULL;
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
    if (good) {
        return 0;
    }
    return -GPUCMD_SYS_EFAULT;
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

/* ---- handles ---- */

GPUCMD_PRIV_API void gpucmd_handles_init(gpucmd_handles *handles, gpucmd_handle *rows, uint32_t cap)
{
    handles->rows = rows;
    handles->cap = cap;
    handles->used = 0;
    handles->freed = 0;
    handles->count = 0;
}

/* Remove and return the lowest element of the heap of free handles, which must not be empty. The
 * children of element i are elements 2 * i + 1 and 2 * i + 2; no element is above its children. */
static uint32_t gpucmd_priv_handles_pop(gpucmd_handles *h)
{
    const uint32_t lowest = h->rows[0].freed;
    const uint32_t last = h->rows[--h->freed].freed;
    uint32_t at = 0, child = 1;
    while (child < h->freed) {
        if (child + 1 < h->freed && h->rows[child + 1].freed < h->rows[child].freed) {
            child++;
        }
        if (h->rows[child].freed >= last) {
            break;
        }
        h->rows[at].freed = h->rows[child].freed;
        at = child;
        child = 2 * at + 1;
    }
    h->rows[at].freed = last;
    return lowest;
}

/* Add a handle to the heap of free handles. */
static void gpucmd_priv_handles_push(gpucmd_handles *h, uint32_t handle)
{
    uint32_t at = h->freed++;
    while (at > 0 && h->rows[(at - 1) / 2].freed > handle) {
        h->rows[at].freed = h->rows[(at - 1) / 2].freed;
        at = (at - 1) / 2;
    }
    h->rows[at].freed = handle;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_handles_add(gpucmd_handles *handles, uint32_t object,
                                                 uint32_t *handle)
{
    if (handles->freed == 0 && handles->used == handles->cap) {
        return GPUCMD_FULL;
    }
    *handle = handles->freed != 0 ? gpucmd_priv_handles_pop(handles) : ++handles->used;
    handles->rows[*handle - 1].object = object;
    handles->count++;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API uint32_t gpucmd_handles_find(const gpucmd_handles *handles, uint32_t handle)
{
    if (handle == 0 || handle > handles->used) {
        return 0;
    }
    return handles->rows[handle - 1].object;
}

GPUCMD_PRIV_API uint32_t gpucmd_handles_remove(gpucmd_handles *handles, uint32_t handle)
{
    const uint32_t object = gpucmd_handles_find(handles, handle);
    if (object != 0) {
        handles->rows[handle - 1].object = 0;
        handles->count--;
        gpucmd_priv_handles_push(handles, handle);
    }
    return object;
}

/* ---- GPU address spaces: tree ---- */

/* The mappings of a space form a binary search tree by address. The heights of two siblings differ
 * by at most 1, so that the height is O(log(mappings)). Each row also has the lowest and highest
 * address and the largest gap of its subtree, so that a search for free addresses takes O(log). */

static gpucmd_map *gpucmd_priv_map(const gpucmd_maps *maps, uint32_t id)
{
    return &maps->rows[id - 1];
}

static uint32_t gpucmd_priv_map_id(const gpucmd_maps *maps, const gpucmd_map *map)
{
    return gpucmd_priv_index(map, maps->rows, sizeof *map) + 1;
}

static uint32_t gpucmd_priv_map_height(const gpucmd_maps *maps, uint32_t id)
{
    if (id != 0) {
        return gpucmd_priv_map(maps, id)->height;
    }
    return 0;
}

/* Compute height, low, high and hole of *m from its children. */
static void gpucmd_priv_map_measure(const gpucmd_maps *maps, gpucmd_map *m)
{
    m->height = 1 + gpucmd_priv_max32(gpucmd_priv_map_height(maps, m->child[0]),
                                      gpucmd_priv_map_height(maps, m->child[1]));
    m->low = m->va;
    m->high = m->va + m->bytes;
    m->hole = 0;
    if (m->child[0] != 0) {
        const gpucmd_map *c = gpucmd_priv_map(maps, m->child[0]);
        m->low = c->low;
        m->hole = gpucmd_priv_max(c->hole, m->va - c->high);
    }
    if (m->child[1] != 0) {
        const gpucmd_map *c = gpucmd_priv_map(maps, m->child[1]);
        m->hole = gpucmd_priv_max(m->hole, gpucmd_priv_max(c->hole, c->low - m->high));
        m->high = c->high;
    }
}

/* Make id the child of row `up` at side, or the root of the space if `up` is 0. id may be 0. */
static void gpucmd_priv_map_link(gpucmd_maps *maps, gpucmd_space *space, uint32_t up, uint32_t side,
                                 uint32_t id)
{
    if (up == 0) {
        space->root = id;
    } else {
        gpucmd_priv_map(maps, up)->child[side] = id;
    }
    if (id != 0) {
        gpucmd_priv_map(maps, id)->up = up;
    }
}

/* Return 0 if row id is the lower child of its parent, 1 if it is the higher child. */
static uint32_t gpucmd_priv_map_side(const gpucmd_maps *maps, uint32_t id)
{
    const uint32_t up = gpucmd_priv_map(maps, id)->up;
    return up != 0 && gpucmd_priv_map(maps, up)->child[1] == id;
}

/* Rotate the subtree of row id, so that its child at side becomes the root. Return this child. */
static uint32_t gpucmd_priv_map_rotate(gpucmd_maps *maps, gpucmd_space *space, uint32_t id,
                                       uint32_t side)
{
    gpucmd_map *m = gpucmd_priv_map(maps, id);
    const uint32_t top = m->child[side];
    gpucmd_map *t = gpucmd_priv_map(maps, top);
    gpucmd_priv_map_link(maps, space, m->up, gpucmd_priv_map_side(maps, id), top);
    gpucmd_priv_map_link(maps, space, id, side, t->child[1 - side]);
    gpucmd_priv_map_link(maps, space, top, 1 - side, id);
    gpucmd_priv_map_measure(maps, m);
    gpucmd_priv_map_measure(maps, t);
    return top;
}

/* Measure and balance the subtree of row id, then those of all rows above. id 0: do nothing. */
static void gpucmd_priv_map_balance(gpucmd_maps *maps, gpucmd_space *space, uint32_t id)
{
    while (id != 0) {
        gpucmd_map *m = gpucmd_priv_map(maps, id);
        const uint32_t low = gpucmd_priv_map_height(maps, m->child[0]);
        const uint32_t high = gpucmd_priv_map_height(maps, m->child[1]);
        if (low > high + 1 || high > low + 1) {
            const uint32_t side = high > low ? 1 : 0;
            const gpucmd_map *c = gpucmd_priv_map(maps, m->child[side]);
            if (gpucmd_priv_map_height(maps, c->child[1 - side]) >
                gpucmd_priv_map_height(maps, c->child[side])) {
                (void)gpucmd_priv_map_rotate(maps, space, m->child[side], 1 - side);
            }
            id = gpucmd_priv_map_rotate(maps, space, id, side);
        } else {
            gpucmd_priv_map_measure(maps, m);
        }
        id = gpucmd_priv_map(maps, id)->up;
    }
}

/* Return the lowest or highest row of the subtree of row id: side 0 or 1. */
static uint32_t gpucmd_priv_map_end(const gpucmd_maps *maps, uint32_t id, uint32_t side)
{
    while (gpucmd_priv_map(maps, id)->child[side] != 0) {
        id = gpucmd_priv_map(maps, id)->child[side];
    }
    return id;
}

/* Return the head of the list of mappings of an object; NULL: it has no list. */
static uint32_t *gpucmd_priv_map_head(const gpucmd_maps *maps, uint32_t object)
{
    if (maps->heads == NULL || object == 0 || object > maps->head_count) {
        return NULL;
    }
    return (uint32_t *)(void *)((uint8_t *)maps->heads + (object - 1) * maps->head_stride);
}

/* Add a copy of *values to a space and to the list of its object. The table must have a free row.
 * Return the new row. */
static gpucmd_map *gpucmd_priv_map_insert(gpucmd_maps *maps, gpucmd_space *space,
                                          const gpucmd_map *values)
{
    uint32_t up = 0, side = 0, id = maps->free;
    uint32_t at = space->root;
    uint32_t *const head = gpucmd_priv_map_head(maps, values->object);
    if (id == 0) {
        id = ++maps->used;
    } else {
        maps->free = gpucmd_priv_map(maps, id)->next;
    }
    maps->count++;
    gpucmd_map *m = gpucmd_priv_map(maps, id);
    *m = *values;
    m->space = space->id;
    m->child[0] = m->child[1] = 0;
    m->prev = 0;
    m->next = head != NULL ? *head : 0;
    if (head != NULL) {
        *head = id;
    }
    if (m->next != 0) {
        gpucmd_priv_map(maps, m->next)->prev = id;
    }
    while (at != 0) {
        up = at;
        side = gpucmd_priv_map(maps, at)->va < m->va;
        at = gpucmd_priv_map(maps, at)->child[side];
    }
    gpucmd_priv_map_link(maps, space, up, side, id);
    gpucmd_priv_map_balance(maps, space, id);
    return m;
}

/* Free row id, which is in no tree: remove it from the list of its object. */
static void gpucmd_priv_map_free(gpucmd_maps *maps, uint32_t id)
{
    gpucmd_map *const m = gpucmd_priv_map(maps, id);
    uint32_t *const head = gpucmd_priv_map_head(maps, m->object);
    if (m->next != 0) {
        gpucmd_priv_map(maps, m->next)->prev = m->prev;
    }
    if (m->prev != 0) {
        gpucmd_priv_map(maps, m->prev)->next = m->next;
    } else if (head != NULL) {
        *head = m->next;
    }
    m->bytes = 0;
    m->next = maps->free;
    maps->free = id;
    maps->count--;
}

/* Remove row id from the tree of its space and free the row. */
static void gpucmd_priv_map_remove(gpucmd_maps *maps, gpucmd_space *space, uint32_t id)
{
    gpucmd_map *const m = gpucmd_priv_map(maps, id);
    const uint32_t side = gpucmd_priv_map_side(maps, id);
    uint32_t from = m->up, top = m->child[m->child[0] == 0];
    if (m->child[0] != 0 && m->child[1] != 0) { /* the next mapping takes the place of row id */
        top = gpucmd_priv_map_end(maps, m->child[1], 0);
        gpucmd_map *const t = gpucmd_priv_map(maps, top);
        from = top;
        if (t->up != id) {
            from = t->up;
            gpucmd_priv_map_link(maps, space, from, 0, t->child[1]);
            gpucmd_priv_map_link(maps, space, top, 1, m->child[1]);
        }
        gpucmd_priv_map_link(maps, space, top, 0, m->child[0]);
    }
    gpucmd_priv_map_link(maps, space, m->up, side, top);
    gpucmd_priv_map_balance(maps, space, from);
    gpucmd_priv_map_free(maps, id);
}

/* ---- GPU address spaces: bind, unbind ---- */

GPUCMD_PRIV_API void gpucmd_maps_init(gpucmd_maps *maps, gpucmd_map *rows, uint32_t cap)
{
    gpucmd_priv_zero(maps, sizeof *maps);
    maps->rows = rows;
    maps->cap = cap;
    maps->page_bytes = 4096;
}

GPUCMD_PRIV_API void gpucmd_space_init(gpucmd_space *space, uint32_t id)
{
    space->root = 0;
    space->id = id;
}

GPUCMD_PRIV_API const gpucmd_map *gpucmd_space_find(const gpucmd_maps *maps,
                                                    const gpucmd_space *space, uint64_t va)
{
    const gpucmd_map *best = NULL;
    uint32_t id = space->root;
    while (id != 0) { /* find the lowest mapping that ends after va */
        const gpucmd_map *m = gpucmd_priv_map(maps, id);
        if (m->va + (m->bytes - 1) >= va) {
            best = m;
            id = m->child[0];
        } else {
            id = m->child[1];
        }
    }
    return best;
}

GPUCMD_PRIV_API const gpucmd_map *gpucmd_space_next(const gpucmd_maps *maps, const gpucmd_map *map)
{
    uint32_t id = gpucmd_priv_map_id(maps, map);
    if (map->child[1] != 0) {
        return gpucmd_priv_map(maps, gpucmd_priv_map_end(maps, map->child[1], 0));
    }
    while (gpucmd_priv_map_side(maps, id) != 0) {
        id = gpucmd_priv_map(maps, id)->up;
    }
    id = gpucmd_priv_map(maps, id)->up;
    if (id != 0) {
        return gpucmd_priv_map(maps, id);
    }
    return NULL;
}

/* Return the row of a mapping that contains va or is the first after va; 0: there is none. */
static uint32_t gpucmd_priv_map_at(const gpucmd_maps *maps, const gpucmd_space *space, uint64_t va)
{
    const gpucmd_map *m = gpucmd_space_find(maps, space, va);
    if (m != NULL) {
        return gpucmd_priv_map_id(maps, m);
    }
    return 0;
}

/* Remove the part of a mapping below va. */
static void gpucmd_priv_map_raise(gpucmd_map *m, uint64_t va)
{
    if (m->object != 0 && (m->flags & GPUCMD_MAP_SINGLE_PAGE) == 0) {
        m->offset += va - m->va;
    }
    m->bytes -= va - m->va;
    m->va = va;
}

/* Tell the caller that the `bytes` bytes at va of a mapping, of which *part is a copy, are gone. */
static void gpucmd_priv_map_removed(const gpucmd_maps *maps, gpucmd_map *part, uint64_t va,
                                    uint64_t bytes)
{
    if (maps->removed != NULL) {
        gpucmd_priv_map_raise(part, va);
        part->bytes = bytes;
        maps->removed(maps->removed_user, part);
    }
}

/* Unmap va..end - 1. If one mapping exceeds the range on both sides, a row must be free. */
static void gpucmd_priv_map_cut(gpucmd_maps *maps, gpucmd_space *space, uint64_t va, uint64_t end)
{
    uint32_t id = gpucmd_priv_map_at(maps, space, va);
    while (id != 0 && gpucmd_priv_map(maps, id)->va < end) {
        gpucmd_map *const m = gpucmd_priv_map(maps, id);
        gpucmd_map old = *m;
        const uint64_t old_end = old.va + old.bytes;
        if (old.va < va) {
            m->bytes = va - old.va;
            gpucmd_priv_map_balance(maps, space, id);
            if (old_end > end) {
                gpucmd_map rest = old;
                gpucmd_priv_map_raise(&rest, end);
                (void)gpucmd_priv_map_insert(maps, space, &rest);
            }
        } else if (old_end > end) {
            gpucmd_priv_map_raise(m, end);
            gpucmd_priv_map_balance(maps, space, id);
        } else {
            gpucmd_priv_map_remove(maps, space, id);
        }
        const uint64_t first = gpucmd_priv_max(old.va, va);
        gpucmd_priv_map_removed(maps, &old, first, gpucmd_priv_min(old_end, end) - first);
        id = gpucmd_priv_map_at(maps, space, va);
    }
}

/* Return true if mapping b continues mapping a: b starts where a ends, and shows the memory that
 * follows, or the same single page, with the same rights. */
static bool gpucmd_priv_map_continues(const gpucmd_map *a, const gpucmd_map *b)
{
    uint64_t offset = a->offset;
    if (a->va + a->bytes != b->va || a->object != b->object || a->access_mask != b->access_mask ||
        a->tag != b->tag || a->flags != b->flags) {
        return false;
    }
    if ((a->flags & GPUCMD_MAP_SINGLE_PAGE) == 0) {
        offset += a->bytes;
    }
    return a->object == 0 || b->offset == offset;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_space_bind(gpucmd_maps *maps, gpucmd_space *space,
                                                const gpucmd_map *map)
{
    const uint64_t end = map->va + map->bytes;
    if (end <= map->va || (maps->heads != NULL && map->object > maps->head_count)) {
        return GPUCMD_RANGE;
    }
    if (maps->cap - maps->count < 2) {
        const gpucmd_map *const old = gpucmd_space_find(maps, space, map->va);
        const bool split = old != NULL && old->va < map->va && old->va + old->bytes > end;
        if (split || maps->cap == maps->count) {
            return GPUCMD_FULL;
        }
    }
    const gpucmd_map added = *map; /* *map may be a row of the table */
    gpucmd_priv_map_cut(maps, space, added.va, end);
    uint32_t id = added.va != 0 ? gpucmd_priv_map_at(maps, space, added.va - 1) : 0;
    if (id != 0 && gpucmd_priv_map_continues(gpucmd_priv_map(maps, id), &added)) {
        gpucmd_priv_map(maps, id)->bytes += added.bytes;
        gpucmd_priv_map_balance(maps, space, id);
    } else {
        id = gpucmd_priv_map_id(maps, gpucmd_priv_map_insert(maps, space, &added));
    }
    gpucmd_map *const m = gpucmd_priv_map(maps, id);
    const gpucmd_map *next = gpucmd_space_next(maps, m);
    if (next != NULL && gpucmd_priv_map_continues(m, next)) {
        const uint64_t bytes = next->bytes;
        gpucmd_priv_map_remove(maps, space, gpucmd_priv_map_id(maps, next));
        m->bytes += bytes;
        gpucmd_priv_map_balance(maps, space, id);
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_space_unbind(gpucmd_maps *maps, gpucmd_space *space,
                                                  uint64_t va, uint64_t bytes)
{
    const uint64_t end = va + bytes;
    if (end <= va) {
        return GPUCMD_RANGE;
    }
    const gpucmd_map *m = gpucmd_space_find(maps, space, va);
    if (maps->count == maps->cap && m != NULL && m->va < va && m->va + m->bytes > end) {
        return GPUCMD_FULL; /* the part of the mapping after the range needs a row */
    }
    gpucmd_priv_map_cut(maps, space, va, end);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_space_clear(gpucmd_maps *maps, gpucmd_space *space)
{
    uint32_t id = space->root;
    space->root = 0;
    while (id != 0) { /* remove leaf after leaf */
        gpucmd_map *const m = gpucmd_priv_map(maps, id);
        const uint32_t child = m->child[m->child[0] == 0];
        if (child != 0) {
            id = child;
        } else {
            gpucmd_map old = *m;
            if (old.up != 0) {
                gpucmd_priv_map(maps, old.up)->child[gpucmd_priv_map_side(maps, id)] = 0;
            }
            gpucmd_priv_map_free(maps, id);
            gpucmd_priv_map_removed(maps, &old, old.va, old.bytes);
            id = old.up;
        }
    }
}

GPUCMD_PRIV_API const gpucmd_map *gpucmd_maps_first(const gpucmd_maps *maps, uint32_t object)
{
    const uint32_t *const head = gpucmd_priv_map_head(maps, object);
    if (head != NULL && *head != 0) {
        return gpucmd_priv_map(maps, *head);
    }
    return NULL;
}

GPUCMD_PRIV_API const gpucmd_map *gpucmd_maps_next(const gpucmd_maps *maps, const gpucmd_map *map)
{
    if (map->next != 0) {
        return gpucmd_priv_map(maps, map->next);
    }
    return NULL;
}

GPUCMD_PRIV_API void gpucmd_space_unbind_object(gpucmd_maps *maps, gpucmd_space *space,
                                                uint32_t object)
{
    const bool listed = maps->heads != NULL;
    const gpucmd_map *m =
        listed ? gpucmd_maps_first(maps, object) : gpucmd_space_find(maps, space, 0);
    while (m != NULL) {
        const gpucmd_map *next = listed ? gpucmd_maps_next(maps, m) : gpucmd_space_next(maps, m);
        if (m->object == object && (!listed || m->space == space->id)) {
            gpucmd_map old = *m;
            gpucmd_priv_map_remove(maps, space, gpucmd_priv_map_id(maps, m));
            gpucmd_priv_map_removed(maps, &old, old.va, old.bytes);
        }
        m = next;
    }
}

/* ---- GPU address spaces: translate, search ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_space_translate(const gpucmd_maps *maps,
                                                     const gpucmd_space *space, uint64_t va,
                                                     gpucmd_place *place)
{
    const gpucmd_map *m = gpucmd_space_find(maps, space, va);
    if (m == NULL || va < m->va) {
        return GPUCMD_FAULT;
    }
    place->object = m->object;
    place->access_mask = m->access_mask;
    place->offset = m->offset + (va - m->va);
    place->bytes = m->bytes - (va - m->va);
    if ((m->flags & GPUCMD_MAP_SINGLE_PAGE) != 0) {
        const uint64_t at = va & (maps->page_bytes - 1);
        place->offset = m->offset + at;
        place->bytes = gpucmd_priv_min(place->bytes, maps->page_bytes - at);
    }
    if (m->object == 0) {
        place->offset = 0;
    }
    return GPUCMD_OK;
}

/* Go down from row id to the first row of its subtree before which or in which there is a gap of at
 * least need bytes; the subtree must have such a gap. Return the row. */
static uint32_t gpucmd_priv_map_first_gap(const gpucmd_maps *maps, uint32_t id, uint64_t need)
{
    for (;;) {
        const uint32_t lower = gpucmd_priv_map(maps, id)->child[0];
        if (lower == 0 || gpucmd_priv_map(maps, lower)->hole < need) {
            return id;
        }
        id = lower;
    }
}

/* Find the first gap of at least need bytes after row id. Write its start to *va and return its
 * end. The gap after the last mapping ends at 2^64 - 1 and is always found. */
static uint64_t gpucmd_priv_map_gap(const gpucmd_maps *maps, uint32_t id, uint64_t need,
                                    uint64_t *va)
{
    for (;;) {
        const gpucmd_map *m = gpucmd_priv_map(maps, id);
        const gpucmd_map *c = NULL;
        if (m->child[1] != 0) {
            c = gpucmd_priv_map(maps, m->child[1]);
            *va = m->va + m->bytes;
            if (c->low - *va >= need) {
                return c->low;
            }
        }
        if (c != NULL && c->hole >= need) {
            id = gpucmd_priv_map_first_gap(maps, m->child[1], need);
            m = gpucmd_priv_map(maps, id);
            if (m->child[0] != 0 && m->va - gpucmd_priv_map(maps, m->child[0])->high >= need) {
                *va = gpucmd_priv_map(maps, m->child[0])->high;
                return m->va;
            }
            continue;
        }
        while (gpucmd_priv_map_side(maps, id) != 0) {
            id = gpucmd_priv_map(maps, id)->up;
        }
        c = gpucmd_priv_map(maps, id);
        id = c->up;
        *va = c->high;
        if (id == 0) {
            return ~(uint64_t)0;
        }
        if (gpucmd_priv_map(maps, id)->va - c->high >= need) {
            return gpucmd_priv_map(maps, id)->va;
        }
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_space_hole(const gpucmd_maps *maps, const gpucmd_space *space,
                                                const gpucmd_hole *hole, uint64_t *va)
{
    const uint64_t mask = hole->align - 1;
    uint64_t need = hole->bytes, start = hole->first_va;
    uint32_t tries = 0;
    for (;;) {
        const gpucmd_map *m = gpucmd_space_find(maps, space, start);
        const uint64_t at = (start + mask) & ~mask;
        uint64_t end = hole->end_va;
        if (m != NULL) {
            end = gpucmd_priv_min(end, m->va);
        }
        if (at >= start && at < end && hole->bytes <= end - at) {
            *va = at;
            return GPUCMD_OK;
        }
        if (m == NULL || m->va >= hole->end_va) {
            return GPUCMD_FULL;
        }
        if (++tries == 64) {
            need += gpucmd_priv_min(mask, ~need);
        }
        (void)gpucmd_priv_map_gap(maps, gpucmd_priv_map_id(maps, m), need, &start);
    }
}

GPUCMD_PRIV_API void gpucmd_space_view_init(gpucmd_space_view *view, const gpucmd_maps *maps,
                                            const gpucmd_space *space, gpucmd_object_fn memory,
                                            void *user)
{
    view->maps = maps;
    view->space = space;
    view->under = NULL;
    view->memory = memory;
    view->user = user;
    view->sparse = NULL;
}

/* Write the CPU address of a sparse mapping of `bytes` bytes at va to *host, as
 * gpucmd_space_view_find does. */
static gpucmd_status gpucmd_priv_view_sparse(const gpucmd_space_view *view, uint64_t va,
                                             uint32_t access_mask, uint8_t **host, uint64_t *bytes)
{
    const uint32_t page_bytes = GPUCMD_MEM_SCRATCH_BYTES / 2;
    const uint32_t at = (uint32_t)va & (page_bytes - 1);
    if (view->sparse == NULL) {
        return GPUCMD_FAULT;
    }
    *host = view->sparse + at;
    if ((access_mask & GPUCMD_ACCESS_WRITE) != 0) {
        *host += page_bytes;
    }
    *bytes = gpucmd_priv_min(*bytes, page_bytes - at);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_space_view_find(void *user, uint64_t va, uint32_t access_mask,
                                                     uint8_t **host, uint64_t *bytes)
{
    const gpucmd_space_view *const view = (const gpucmd_space_view *)user;
    gpucmd_place place;
    uint64_t have_bytes = 0;
    gpucmd_status status = gpucmd_space_translate(view->maps, view->space, va, &place);
    if (status != GPUCMD_OK && view->under != NULL) {
        const gpucmd_map *m = gpucmd_space_find(view->maps, view->space, va);
        status = gpucmd_space_translate(view->maps, view->under, va, &place);
        if (m != NULL) { /* the mapping of the other space ends where m begins */
            place.bytes = gpucmd_priv_min(place.bytes, m->va - va);
        }
    }
    if (status != GPUCMD_OK || (place.access_mask & access_mask) != access_mask) {
        return GPUCMD_FAULT;
    }
    if (place.object == 0) {
        status = gpucmd_priv_view_sparse(view, va, access_mask, host, &place.bytes);
        *bytes = status == GPUCMD_OK ? place.bytes : *bytes;
        return status;
    }
    uint8_t *const at = view->memory(view->user, place.object, place.offset, &have_bytes);
    if (at == NULL || have_bytes == 0) {
        return GPUCMD_FAULT;
    }
    *host = at;
    *bytes = gpucmd_priv_min(place.bytes, have_bytes);
    return GPUCMD_OK;
}

/* ---- fences ---- */

GPUCMD_PRIV_API void gpucmd_fences_init(gpucmd_fences *fences, gpucmd_fence *rows, uint32_t cap)
{
    gpucmd_priv_zero(fences, sizeof *fences);
    fences->rows = rows;
    fences->cap = cap;
}

/* Return the row of a fence; NULL: it does not exist. */
static gpucmd_fence *gpucmd_priv_fence(const gpucmd_fences *fences, uint32_t fence)
{
    if (fence - 1 < fences->used && fences->rows[fence - 1].refs != 0) {
        return &fences->rows[fence - 1];
    }
    return NULL;
}

/* Make fence number `fence` wait for fence number `for_fence` with its member prev (which is 0) or
 * inner (1), and hold it. The fence that it waits for has not signalled. */
static void gpucmd_priv_fence_wait(gpucmd_fences *fences, uint32_t fence, uint32_t which,
                                   uint32_t for_fence)
{
    gpucmd_fence *const f = &fences->rows[fence - 1];
    gpucmd_fence *const d = &fences->rows[for_fence - 1];
    const uint32_t waiter = fence * 2 + which;
    d->refs++;
    f->links[which][0] = d->first;
    f->links[which][1] = 0;
    if (d->first != 0) {
        fences->rows[d->first / 2 - 1].links[d->first % 2][1] = waiter;
    }
    d->first = waiter;
    if (which == 0) {
        f->prev = for_fence;
    } else {
        f->inner = for_fence;
    }
}

/* End the wait of fence f with its member prev (which is 0) or inner (1): remove it from the list
 * of the fence that it waits for. Return that fence, of which the caller must remove a hold. */
static uint32_t gpucmd_priv_fence_unwait(gpucmd_fences *fences, gpucmd_fence *f, uint32_t which)
{
    const uint32_t next = f->links[which][0], prev = f->links[which][1];
    const uint32_t d = which == 0 ? f->prev : f->inner;
    if (next != 0) {
        fences->rows[next / 2 - 1].links[next % 2][1] = prev;
    }
    if (prev != 0) {
        fences->rows[prev / 2 - 1].links[prev % 2][0] = next;
    } else {
        fences->rows[d - 1].first = next;
    }
    if (which == 0) {
        f->prev = 0;
    } else {
        f->inner = 0;
    }
    return d;
}

/* Remove a hold of a fence that exists. Without holds it joins the list of dropped fences. */
static void gpucmd_priv_fence_drop(gpucmd_fences *fences, uint32_t fence)
{
    gpucmd_fence *const f = &fences->rows[fence - 1];
    if (--f->refs == 0) { /* nothing waits for f, so that its member first is free for a list */
        f->first = fences->dropped;
        fences->dropped = fence;
    }
}

/* Add a fence to the list of fences that signal now, if it waits for nothing. A fence that has
 * ended does not wait with its member inner. */
static void gpucmd_priv_fence_ready(gpucmd_fences *fences, uint32_t fence)
{
    gpucmd_fence *const f = &fences->rows[fence - 1];
    if (f->ended && f->prev == 0) {
        f->refs++;
        f->links[0][0] = fences->ready;
        fences->ready = fence;
    }
}

/* Record that the job of a fence has ended, or that the caller has signalled it. */
static void gpucmd_priv_fence_end(gpucmd_fences *fences, uint32_t fence, int32_t error)
{
    gpucmd_fence *const f = &fences->rows[fence - 1];
    f->owner = 0;
    f->ended = true;
    f->error = error;
    gpucmd_priv_fence_ready(fences, fence);
}

/* Mark fence f, which waits for nothing, as signalled. */
static void gpucmd_priv_fence_mark(gpucmd_fences *fences, gpucmd_fence *f)
{
    f->is_signalled = true;
    f->clock = fences->clock;
    fences->signals++;
}

/* Do one piece of pending work: signal a fence, end a wait for it, or free a dropped fence. Return
 * false if there is none. Time: O(1). */
static bool gpucmd_priv_fences_step(gpucmd_fences *fences)
{
    const uint32_t fence = fences->ready != 0 ? fences->ready : fences->dropped;
    uint32_t which;
    if (fence == 0) {
        return false;
    }
    gpucmd_fence *const f = &fences->rows[fence - 1];
    if (fences->ready == 0) {
        fences->dropped = f->first;
        for (which = 0; which < 2; which++) {
            if ((which == 0 ? f->prev : f->inner) != 0) {
                gpucmd_priv_fence_drop(fences, gpucmd_priv_fence_unwait(fences, f, which));
            }
        }
        f->first = fences->free;
        fences->free = fence;
        fences->count--;
        return true;
    }
    if (!f->is_signalled) {
        gpucmd_priv_fence_mark(fences, f);
    } else if (f->first != 0) {
        const uint32_t waiter = f->first / 2;
        gpucmd_fence *const d = &fences->rows[waiter - 1];
        which = f->first % 2;
        if (which == 1) {
            d->ended = true;
            d->error = f->error;
        }
        (void)gpucmd_priv_fence_unwait(fences, d, which);
        f->refs--; /* the list of ready fences still holds f */
        gpucmd_priv_fence_ready(fences, waiter);
    } else {
        fences->ready = f->links[0][0];
        gpucmd_priv_fence_drop(fences, fence);
    }
    return true;
}

GPUCMD_PRIV_API uint32_t gpucmd_fence_new(gpucmd_fences *fences, uint32_t prev, uint32_t inner)
{
    const gpucmd_fence *const p = gpucmd_priv_fence(fences, prev);
    const gpucmd_fence *const i = gpucmd_priv_fence(fences, inner);
    uint32_t fence = fences->free;
    if ((prev != 0 && p == NULL) || (inner != 0 && i == NULL) ||
        (fence == 0 && fences->used == fences->cap)) {
        return 0;
    }
    if (fence != 0) {
        fences->free = fences->rows[fence - 1].first;
    } else {
        fence = ++fences->used;
    }
    gpucmd_fence *const f = &fences->rows[fence - 1];
    gpucmd_priv_zero(f, sizeof *f);
    f->refs = 1;
    fences->count++;
    if (p != NULL && !p->is_signalled) {
        gpucmd_priv_fence_wait(fences, fence, 0, prev);
    }
    if (i != NULL && !i->is_signalled) {
        gpucmd_priv_fence_wait(fences, fence, 1, inner);
    } else if (i != NULL) {
        f->ended = true;
        f->error = i->error;
        if (f->prev == 0) {
            gpucmd_priv_fence_mark(fences, f);
        }
    }
    return fence;
}

GPUCMD_PRIV_API void gpucmd_fence_hold(gpucmd_fences *fences, uint32_t fence)
{
    gpucmd_fence *const f = gpucmd_priv_fence(fences, fence);
    if (f != NULL) {
        f->refs++;
    }
}

GPUCMD_PRIV_API void gpucmd_fence_release(gpucmd_fences *fences, uint32_t fence)
{
    if (gpucmd_priv_fence(fences, fence) != NULL) {
        gpucmd_priv_fence_drop(fences, fence);
        while (gpucmd_priv_fences_step(fences)) {
        }
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_fence_signal(gpucmd_fences *fences, uint32_t fence,
                                                  int32_t error)
{
    gpucmd_fence *const f = gpucmd_priv_fence(fences, fence);
    if (f == NULL) {
        return GPUCMD_RANGE;
    }
    if (f->ended || f->inner != 0 || f->owner != 0) {
        return GPUCMD_ORDER;
    }
    gpucmd_priv_fence_end(fences, fence, error);
    while (gpucmd_priv_fences_step(fences)) {
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API bool gpucmd_fence_signalled(const gpucmd_fences *fences, uint32_t fence)
{
    const gpucmd_fence *const f = gpucmd_priv_fence(fences, fence);
    return f != NULL && f->is_signalled;
}

/* Return prev or the inner fence of *f, if its member back is set as `set` says; 0: none is. */
static uint32_t gpucmd_priv_fence_source(const gpucmd_fences *fences, const gpucmd_fence *f,
                                         bool set)
{
    if (f->prev != 0 && (fences->rows[f->prev - 1].back != 0) == set) {
        return f->prev;
    }
    if (f->inner != 0 && (fences->rows[f->inner - 1].back != 0) == set) {
        return f->inner;
    }
    return 0;
}

GPUCMD_PRIV_API uint32_t gpucmd_fence_search(const gpucmd_fences *fences, uint32_t fence,
                                             gpucmd_fence_fn visit, void *user)
{
    gpucmd_fence *const f = gpucmd_priv_fence(fences, fence);
    uint32_t at = fence, found = 0, to = fence;
    if (f == NULL || f->is_signalled) {
        return 0;
    }
    f->back = fence;
    for (;;) { /* member back of a visited fence is the fence that led to it */
        if (to != 0 && visit(user, at)) {
            found = at;
            break;
        }
        to = gpucmd_priv_fence_source(fences, &fences->rows[at - 1], false);
        if (to != 0) {
            fences->rows[to - 1].back = at;
            at = to;
        } else if (at == fence) {
            break;
        } else {
            at = fences->rows[at - 1].back;
        }
    }
    at = fence;
    do { /* set member back of all visited fences to 0, last of a fence, then of what led to it */
        to = gpucmd_priv_fence_source(fences, &fences->rows[at - 1], true);
        if (to != 0) {
            fences->rows[to - 1].back = at;
        } else {
            to = fences->rows[at - 1].back;
            fences->rows[at - 1].back = 0;
        }
        at = to;
    } while (f->back != 0);
    return found;
}

/* Make a fence that the CPU has signalled. It may wait for prev (0: none). 0: no row is free. */
static uint32_t gpucmd_priv_fence_stub(gpucmd_fences *fences, uint32_t prev)
{
    const uint32_t fence = gpucmd_fence_new(fences, prev, 0);
    if (fence != 0) {
        (void)!gpucmd_fence_signal(fences, fence, 0);
    }
    return fence;
}

/* ---- sync objects ---- */

GPUCMD_PRIV_API void gpucmd_syncobjs_init(gpucmd_syncobjs *t, gpucmd_fences *fences,
                                          gpucmd_syncobj *rows, uint32_t cap,
                                          gpucmd_sync_point *points, uint32_t point_cap)
{
    gpucmd_priv_zero(t, sizeof *t);
    t->fences = fences;
    t->rows = rows;
    t->cap = cap;
    t->points = points;
    t->point_cap = point_cap;
}

/* Return the row of a sync object; NULL: it does not exist. */
static gpucmd_syncobj *gpucmd_priv_syncobj(const gpucmd_syncobjs *t, uint32_t syncobj)
{
    if (syncobj - 1 < t->used && t->rows[syncobj - 1].refs != 0) {
        return &t->rows[syncobj - 1];
    }
    return NULL;
}

/* Free point `at` (row + 1) and all older points, which follow in the list. */
static void gpucmd_priv_sync_points_drop(gpucmd_syncobjs *t, uint32_t at)
{
    while (at != 0) {
        gpucmd_sync_point *const p = &t->points[at - 1];
        const uint32_t next = p->next;
        gpucmd_fence_release(t->fences, p->fence);
        p->next = t->point_free;
        t->point_free = at;
        t->point_count--;
        at = next;
    }
}

/* Find a point among the last merged point (gpucmd_sync_point.merged) and the points after it, or
 * among all points if none is merged. Return the row + 1 of
 *   - value > 0: the oldest point with at least this value
 *   - value 0: the oldest point that has not signalled; if all have, the newest point
 * A point with at least this value must exist. Time: O(log(points)). */
static uint32_t gpucmd_priv_sync_oldest(const gpucmd_syncobjs *t, const gpucmd_syncobj *s,
                                        uint64_t value)
{
    uint32_t at = s->point, way = 0;
    while (way < 2) { /* way 0: try the jump; way 1: try the next point */
        const gpucmd_sync_point *const p = &t->points[at - 1];
        uint32_t to = 0;
        if (way == 0 && p->jump_value > s->passed) {
            to = p->jump;
        } else if (way == 1 && !p->merged) {
            to = p->next;
        }
        bool good = to != 0;
        if (good && value != 0) {
            good = t->points[to - 1].value >= value;
        } else if (good) {
            good = !gpucmd_fence_signalled(t->fences, t->points[to - 1].fence);
        }
        at = good ? to : at;
        way = good ? 0 : way + 1;
    }
    return at;
}

/* Free the rows of points that no wait needs: points that have signalled, except the newest point,
 * and points that are older than a merged point. If points that have signalled become free,
 * s->passed becomes the value of the newest of them. */
static void gpucmd_priv_sync_prune(gpucmd_syncobjs *t, gpucmd_syncobj *s)
{
    if (s->point != 0) {
        gpucmd_sync_point *const p = &t->points[gpucmd_priv_sync_oldest(t, s, 0) - 1];
        const uint32_t next = p->next;
        if (next != 0) {
            s->passed = p->merged ? s->passed : t->points[next - 1].value;
            p->next = 0;
            gpucmd_priv_sync_points_drop(t, next);
        }
    }
}

/* Set jump, jump_value and depth of the new point *p. Point `at` (row + 1) is the previous point o.
 * If the jump of o, and the jump of the point that it leads to, have equal length, p jumps over
 * both. Otherwise p jumps to o. The row of a point with a value <= `passed` is free; never jump to
 * it. */
static void gpucmd_priv_sync_set_jump(const gpucmd_sync_point *points, gpucmd_sync_point *p,
                                      uint32_t at, uint64_t passed)
{
    const gpucmd_sync_point *const o = &points[at - 1];
    const gpucmd_sync_point *j = o;
    p->depth = o->depth + 1;
    p->jump = at;
    p->jump_value = o->value;
    if (o->jump_value > passed) {
        j = &points[o->jump - 1];
    }
    if (j->jump_value > passed && o->depth - j->depth == j->depth - points[j->jump - 1].depth) {
        p->jump = j->jump;
        p->jump_value = j->jump_value;
    }
}

GPUCMD_PRIV_API int gpucmd_syncobj_replace(gpucmd_syncobjs *t, uint32_t syncobj, uint32_t fence)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s == NULL || (fence != 0 && gpucmd_priv_fence(t->fences, fence) == NULL)) {
        return -GPUCMD_SYS_ENOENT;
    }
    const uint32_t old = s->fence, points = s->point;
    gpucmd_fence_hold(t->fences, fence);
    s->fence = fence;
    s->point = 0;
    s->last = s->passed = 0;
    gpucmd_priv_sync_points_drop(t, points);
    gpucmd_fence_release(t->fences, old);
    return 0;
}

GPUCMD_PRIV_API int gpucmd_syncobj_create(gpucmd_syncobjs *t, uint32_t flags, uint32_t *syncobj)
{
    uint32_t at = t->free, fence = 0;
    if ((flags & ~(uint32_t)GPUCMD_SYNCOBJ_CREATE_SIGNALED) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (at == 0 && t->used == t->cap) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if (flags != 0) {
        fence = gpucmd_priv_fence_stub(t->fences, 0);
        if (fence == 0) {
            return -GPUCMD_SYS_ENOMEM;
        }
    }
    if (at != 0) {
        t->free = t->rows[at - 1].next;
    } else {
        at = ++t->used;
    }
    t->count++;
    gpucmd_priv_zero(&t->rows[at - 1], sizeof t->rows[0]);
    t->rows[at - 1].refs = 1;
    t->rows[at - 1].fence = fence;
    *syncobj = at;
    return 0;
}

/* ---- points and waits ---- */

GPUCMD_PRIV_API void gpucmd_syncobj_hold(gpucmd_syncobjs *t, uint32_t syncobj)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s != NULL) {
        s->refs++;
    }
}

GPUCMD_PRIV_API void gpucmd_syncobj_release(gpucmd_syncobjs *t, uint32_t syncobj)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s == NULL) {
        return;
    }
    if (s->refs == 1) {
        (void)!gpucmd_syncobj_replace(t, syncobj, 0);
        s->next = t->free;
        t->free = syncobj;
        t->count--;
    }
    s->refs--;
}

GPUCMD_PRIV_API int gpucmd_syncobj_add_point(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                             uint32_t fence)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s == NULL || gpucmd_priv_fence(t->fences, fence) == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    gpucmd_priv_sync_prune(t, s);
    uint32_t at = t->point_free;
    if (at == 0 && t->point_used == t->point_cap) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if (at != 0) {
        t->point_free = t->points[at - 1].next;
    } else {
        at = ++t->point_used;
    }
    t->point_count++;
    gpucmd_sync_point *const p = &t->points[at - 1];
    gpucmd_priv_zero(p, sizeof *p);
    p->fence = fence;
    p->next = s->point;
    p->merged = s->point != 0 && point <= s->last;
    p->value = p->merged ? s->last : point;
    if (p->merged) {
        t->merged_points++;
        s->passed = 0;
    } else if (s->point != 0) {
        gpucmd_priv_sync_set_jump(t->points, p, s->point, s->passed);
    }
    gpucmd_fence_hold(t->fences, fence); /* the point and the object hold the fence */
    gpucmd_fence_hold(t->fences, fence);
    gpucmd_fence_release(t->fences, s->fence);
    s->fence = fence;
    s->point = at;
    s->last = p->value;
    return 0;
}

/* As gpucmd_syncobj_add_point or, if point is 0, _replace. A hold of the fence is removed in every
 * case. fence 0, because the table is full: -ENOMEM. */
static int gpucmd_priv_syncobj_give(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                    uint32_t fence)
{
    int result = -GPUCMD_SYS_ENOMEM;
    if (fence != 0 && point != 0) {
        result = gpucmd_syncobj_add_point(t, syncobj, point, fence);
    } else if (fence != 0) {
        result = gpucmd_syncobj_replace(t, syncobj, fence);
    }
    gpucmd_fence_release(t->fences, fence);
    return result;
}

/* Give a sync object that exists a fence that exists: as its newest fence if point is 0, otherwise
 * as a new point. Return 0 or -ENOMEM. */
static int gpucmd_priv_syncobj_attach(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                      uint32_t fence)
{
    if (point == 0) {
        return gpucmd_syncobj_replace(t, syncobj, fence);
    }
    return gpucmd_priv_syncobj_give(t, syncobj, point,
                                    gpucmd_fence_new(t->fences, t->rows[syncobj - 1].fence, fence));
}

GPUCMD_PRIV_API int gpucmd_syncobj_signal(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point)
{
    const gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    return gpucmd_priv_syncobj_give(t, syncobj, point,
                                    gpucmd_priv_fence_stub(t->fences, point != 0 ? s->fence : 0));
}

GPUCMD_PRIV_API int gpucmd_syncobj_find(gpucmd_syncobjs *t, uint32_t syncobj, uint64_t point,
                                        uint32_t *fence)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if (s == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    if (s->fence == 0 || (point != 0 && (s->point == 0 || point > s->last))) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (point == 0) {
        *fence = s->fence;
        return 0;
    }
    gpucmd_priv_sync_prune(t, s);
    *fence = 0;
    if (point > s->passed) {
        *fence = t->points[gpucmd_priv_sync_oldest(t, s, point) - 1].fence;
    }
    return 0;
}

GPUCMD_PRIV_API int gpucmd_syncobj_transfer(gpucmd_syncobjs *t, uint32_t dst, uint64_t dst_point,
                                            uint32_t src, uint64_t src_point)
{
    uint32_t fence = 0;
    if (gpucmd_priv_syncobj(t, dst) == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    const int result = gpucmd_syncobj_find(t, src, src_point, &fence);
    if (result != 0) {
        return result;
    }
    if (fence == 0) {
        return gpucmd_syncobj_signal(t, dst, dst_point);
    }
    return gpucmd_priv_syncobj_attach(t, dst, dst_point, fence);
}

GPUCMD_PRIV_API int gpucmd_syncobj_query(gpucmd_syncobjs *t, uint32_t syncobj, uint32_t flags,
                                         uint64_t *value)
{
    gpucmd_syncobj *const s = gpucmd_priv_syncobj(t, syncobj);
    if ((flags & ~(uint32_t)GPUCMD_SYNCOBJ_QUERY_LAST_SUBMITTED) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (s == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    *value = s->last;
    if (flags == 0 && s->point != 0) {
        gpucmd_priv_sync_prune(t, s);
        const bool all = gpucmd_fence_signalled(t->fences, s->fence);
        *value = all ? s->last : s->passed;
    }
    return 0;
}

/* Look once at object i of a wait. Return 0: finished; -EAGAIN: not yet; -EINVAL: as
 * gpucmd_syncobj_find; -ENOENT. */
static int gpucmd_priv_syncobj_look(gpucmd_syncobjs *t, const gpucmd_syncobj_wait *wait, uint32_t i)
{
    uint32_t fence = 0;
    const uint64_t point = wait->points != NULL ? wait->points[i] : 0;
    const int result = gpucmd_syncobj_find(t, wait->syncobjs[i], point, &fence);
    if (result != 0 || fence == 0 || (wait->flags & GPUCMD_SYNCOBJ_WAIT_AVAILABLE) != 0) {
        return result;
    }
    if (gpucmd_fence_signalled(t->fences, fence)) {
        return 0;
    }
    return -GPUCMD_SYS_EAGAIN;
}

GPUCMD_PRIV_API int gpucmd_syncobj_wait_for(gpucmd_syncobjs *t, const gpucmd_syncobj_wait *wait,
                                            uint32_t *first)
{
    const bool all = (wait->flags & GPUCMD_SYNCOBJ_WAIT_ALL) != 0;
    const bool later =
        (wait->flags & (GPUCMD_SYNCOBJ_WAIT_FOR_SUBMIT | GPUCMD_SYNCOBJ_WAIT_AVAILABLE)) != 0;
    uint32_t looks, i, finished, found = 0xffffffffu;
    for (looks = 0;; looks = 1) {
        finished = 0;
        for (i = 0; i < wait->count; i++) {
            const int result = gpucmd_priv_syncobj_look(t, wait, i);
            if (result == -GPUCMD_SYS_ENOENT || (result == -GPUCMD_SYS_EINVAL && !later)) {
                return result;
            }
            finished += result == 0;
            if (result == 0 && found == 0xffffffffu && (looks == 0 || !all)) {
                found = i;
            }
        }
        if (finished == wait->count || (finished != 0 && !all)) {
            *first = found;
            return 0;
        }
        const int result = wait->progress != NULL ? wait->progress(wait->user) : -GPUCMD_SYS_ETIME;
        if (result != 0) {
            return result;
        }
    }
}

/* ---- ioctls of DRM ---- */

/* Return 0 if the process can access len_bytes bytes at addr, otherwise -EFAULT. */
static int gpucmd_priv_process_probe(gpucmd_mem *process, uint64_t addr, uint64_t len_bytes,
                                     uint32_t access_mask)
{
    bool good = len_bytes == 0;
    if (!good && process != NULL) {
        good = gpucmd_mem_probe(process, addr, len_bytes, access_mask) == GPUCMD_OK;
    } else if (!good) {
        good = gpucmd_process_span(NULL, addr, len_bytes, access_mask) != NULL;
    }
    if (good) {
        return 0;
    }
    return -GPUCMD_SYS_EFAULT;
}

GPUCMD_PRIV_API const gpucmd_drm_row *gpucmd_drm_find(const gpucmd_drm *drm, uint32_t request)
{
    const uint32_t mask = GPUCMD_FIELD_MASK(IOC_LETTER) | (uint32_t)GPUCMD_FIELD_MASK(IOC_NR);
    uint32_t i;
    for (i = 0; i < drm->count; i++) {
        if (((drm->rows[i].number ^ request) & mask) == 0) {
            return &drm->rows[i];
        }
    }
    return NULL;
}

/* Return true if the file may call the ioctl. */
static bool gpucmd_priv_drm_permits(const gpucmd_drm *drm, uint32_t flags)
{
    const bool render = (drm->file_mask & GPUCMD_DRM_FILE_RENDER) != 0;
    if ((flags & GPUCMD_DRM_ROOT_ONLY) != 0 && (drm->file_mask & GPUCMD_DRM_FILE_ROOT) == 0) {
        return false;
    }
    if ((flags & GPUCMD_DRM_AUTH) != 0 && !render &&
        (drm->file_mask & GPUCMD_DRM_FILE_AUTHENTICATED) == 0) {
        return false;
    }
    if ((flags & GPUCMD_DRM_MASTER) != 0 && (drm->file_mask & GPUCMD_DRM_FILE_MASTER) == 0) {
        return false;
    }
    return !render || (flags & GPUCMD_DRM_RENDER_ALLOW) != 0;
}

/* Copy the structure *src of known_bytes bytes to arg of the process, which has have_bytes bytes.
 * The rest stays, or becomes 0 if `clear` is true. Return 0 or -EFAULT. */
static int gpucmd_priv_drm_copy_out(const gpucmd_drm *drm, uint64_t arg, uint32_t have_bytes,
                                    const void *src, uint32_t known_bytes, bool clear)
{
    const uint64_t zero = 0;
    uint32_t at = gpucmd_priv_min32(have_bytes, known_bytes);
    if (gpucmd_priv_process_probe(drm->process, arg, have_bytes, GPUCMD_ACCESS_WRITE) != 0 ||
        gpucmd_process_write(drm->process, arg, src, at) != 0) {
        return -GPUCMD_SYS_EFAULT;
    }
    while (clear && at < have_bytes) {
        const uint32_t len_bytes = gpucmd_priv_min32(have_bytes - at, sizeof zero);
        if (gpucmd_process_write(drm->process, arg + at, &zero, len_bytes) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
        at += len_bytes;
    }
    return 0;
}

GPUCMD_PRIV_API int gpucmd_drm_ioctl(const gpucmd_drm *drm, uint32_t request, uint64_t arg)
{
    uint64_t room[GPUCMD_DRM_ARG_BYTES / 8];
    const gpucmd_drm_row *const row = gpucmd_drm_find(drm, request);
    if (drm->unplugged) {
        return -GPUCMD_SYS_ENODEV;
    }
    if (GPUCMD_FIELD_GET(IOC_LETTER, request) != 'd') {
        return -GPUCMD_SYS_ENOTTY;
    }
    if (row == NULL) {
        return -GPUCMD_SYS_EINVAL;
    }
    const uint32_t both = GPUCMD_FIELD_GET(IOC_DIR, request & row->number);
    const uint32_t have_bytes = GPUCMD_FIELD_GET(IOC_BYTES, request);
    const uint32_t known_bytes = GPUCMD_FIELD_GET(IOC_BYTES, row->number);
    const bool in = (both & GPUCMD_IOC_WRITE) != 0;
    uint32_t in_bytes = 0;
    int result = -GPUCMD_SYS_EACCES;
    if (known_bytes > sizeof room) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if (in) {
        in_bytes = gpucmd_priv_min32(have_bytes, known_bytes);
        if (gpucmd_priv_process_probe(drm->process, arg, have_bytes, GPUCMD_ACCESS_READ) != 0 ||
            gpucmd_process_read(drm->process, arg, room, in_bytes) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
    }
    gpucmd_priv_zero((uint8_t *)room + in_bytes, sizeof room - in_bytes);
    if (gpucmd_priv_drm_permits(drm, row->flags)) {
        result = drm->call(drm->kernel, row->number, room);
    }
    if ((both & GPUCMD_IOC_READ) != 0 &&
        gpucmd_priv_drm_copy_out(drm, arg, have_bytes, room, known_bytes, !in) != 0) {
        result = -GPUCMD_SYS_EFAULT;
    }
    return result;
}

/* ---- ioctls of sync objects ---- */

GPUCMD_LAYOUT_ASSERTS(GPUCMD_DRM_SYNCOBJ_STRUCTS)

/* Make an ioctl. Return 0 or a negative errno. */
static int gpucmd_priv_drm_call(const gpucmd_sys_ops *sys, int fd, uint32_t number, void *arg)
{
    const int result = sys->sys_ioctl(sys->user, fd, number, arg);
    return result < 0 ? result : 0; /* a driver may return a positive value */
}

GPUCMD_PRIV_API int gpucmd_drm_syncobj_create(const gpucmd_sys_ops *sys, int fd, uint32_t flags,
                                              uint32_t *handle)
{
    struct gpucmd_drm_syncobj_create_arg arg = {0, flags};
    const int result = gpucmd_priv_drm_call(sys, fd, GPUCMD_DRM_IOCTL_SYNCOBJ_CREATE, &arg);
    if (result == 0) {
        *handle = arg.handle;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_drm_syncobj_destroy(const gpucmd_sys_ops *sys, int fd, uint32_t handle)
{
    struct gpucmd_drm_syncobj_destroy_arg arg = {handle, 0};
    return gpucmd_priv_drm_call(sys, fd, GPUCMD_DRM_IOCTL_SYNCOBJ_DESTROY, &arg);
}

GPUCMD_PRIV_API int gpucmd_drm_syncobj_wait(const gpucmd_sys_ops *sys, int fd,
                                            const gpucmd_syncobj_wait *wait, int64_t timeout_ns,
                                            uint32_t *first)
{
    struct gpucmd_drm_syncobj_wait_arg arg = {
        (uintptr_t)wait->syncobjs, timeout_ns, wait->count, wait->flags, 0, 0};
    const int result = gpucmd_priv_drm_call(sys, fd, GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT, &arg);
    if (result == 0 && first != NULL) {
        *first = arg.first_signaled;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_drm_syncobj_timeline_wait(const gpucmd_sys_ops *sys, int fd,
                                                     const gpucmd_syncobj_wait *wait,
                                                     int64_t timeout_ns, uint32_t *first)
{
    struct gpucmd_drm_syncobj_timeline_wait_arg arg = {(uintptr_t)wait->syncobjs,
                                                       (uintptr_t)wait->points,
                                                       timeout_ns,
                                                       wait->count,
                                                       wait->flags,
                                                       0,
                                                       0};
    const int result = gpucmd_priv_drm_call(sys, fd, GPUCMD_DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &arg);
    if (result == 0 && first != NULL) {
        *first = arg.first_signaled;
    }
    return result;
}

/* Execute the ioctl of a wait. flags has the valid flags; wait has progress and user. */
static int gpucmd_priv_syncobjs_wait(gpucmd_syncobjs *t, gpucmd_mem *process,
                                     gpucmd_syncobj_wait *wait, uint32_t flags,
                                     struct gpucmd_drm_syncobj_timeline_wait_arg *a)
{
    uint32_t syncobjs[GPUCMD_SYNCOBJ_WAIT_MOST];
    uint64_t points[GPUCMD_SYNCOBJ_WAIT_MOST];
    if ((a->flags & ~flags) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (a->count_handles == 0) {
        return 0;
    }
    if (a->count_handles > GPUCMD_SYNCOBJ_WAIT_MOST) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if (gpucmd_process_read(process, a->handles, syncobjs, 4 * (size_t)a->count_handles) != 0) {
        return -GPUCMD_SYS_EFAULT;
    }
    if (a->points != 0) {
        if (gpucmd_process_read(process, a->points, points, 8 * (size_t)a->count_handles) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
        wait->points = points;
    }
    wait->syncobjs = syncobjs;
    wait->count = a->count_handles;
    wait->flags = a->flags;
    if (a->timeout_nsec <= 0) {
        wait->progress = NULL;
    }
    return gpucmd_syncobj_wait_for(t, wait, &a->first_signaled);
}

GPUCMD_PRIV_API int gpucmd_syncobjs_ioctl(gpucmd_syncobjs *t, gpucmd_mem *process,
                                          gpucmd_progress_fn progress, void *user, uint32_t number,
                                          void *arg)
{
    const uint32_t flags =
        (uint32_t)GPUCMD_SYNCOBJ_WAIT_ALL | (uint32_t)GPUCMD_SYNCOBJ_WAIT_FOR_SUBMIT;
    gpucmd_syncobj_wait wait = {NULL, NULL, 0, 0, progress, user};
    if (number == GPUCMD_DRM_IOCTL_SYNCOBJ_CREATE) {
        struct gpucmd_drm_syncobj_create_arg *const a = (struct gpucmd_drm_syncobj_create_arg *)arg;
        return gpucmd_syncobj_create(t, a->flags, &a->handle);
    }
    if (number == GPUCMD_DRM_IOCTL_SYNCOBJ_DESTROY) {
        const struct gpucmd_drm_syncobj_destroy_arg *const a =
            (const struct gpucmd_drm_syncobj_destroy_arg *)arg;
        if (a->pad != 0 || gpucmd_priv_syncobj(t, a->handle) == NULL) {
            return -GPUCMD_SYS_EINVAL;
        }
        gpucmd_syncobj_release(t, a->handle);
        return 0;
    }
    if (number == GPUCMD_DRM_IOCTL_SYNCOBJ_WAIT) {
        struct gpucmd_drm_syncobj_wait_arg *const a = (struct gpucmd_drm_syncobj_wait_arg *)arg;
        struct gpucmd_drm_syncobj_timeline_wait_arg with_points = {
            a->handles, 0, a->timeout_nsec, a->count_handles, a->flags, a->first_signaled, 0};
        const int result = gpucmd_priv_syncobjs_wait(t, process, &wait, flags, &with_points);
        a->first_signaled = with_points.first_signaled;
        return result;
    }
    if (number == GPUCMD_DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT) {
        return gpucmd_priv_syncobjs_wait(t, process, &wait, flags | GPUCMD_SYNCOBJ_WAIT_AVAILABLE,
                                         (struct gpucmd_drm_syncobj_timeline_wait_arg *)arg);
    }
    return -GPUCMD_SYS_EINVAL;
}

/* ---- model kernels as system calls ---- */

static int gpucmd_priv_sys_open(void *user, const char *path, uint32_t flags)
{
    gpucmd_sys_node *const node = (gpucmd_sys_node *)user;
    (void)flags;
    if (path[0] == '\0') {
        return -GPUCMD_SYS_ENOENT;
    }
    if (node->is_open) {
        return -GPUCMD_SYS_EBUSY;
    }
    node->is_open = true;
    return 3;
}

/* Return the node if it is open and fd is its descriptor (3); otherwise NULL. */
static gpucmd_sys_node *gpucmd_priv_sys_node(void *user, int fd)
{
    gpucmd_sys_node *const node = (gpucmd_sys_node *)user;
    if (fd == 3 && node->is_open) {
        return node;
    }
    return NULL;
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
    if (node != NULL) {
        return node->sys_ioctl(node->kernel, number, arg);
    }
    return -GPUCMD_SYS_EBADF;
}

static int gpucmd_priv_sys_mmap(void *user, gpucmd_sys_map *map)
{
    const gpucmd_sys_node *const node = gpucmd_priv_sys_node(user, map->fd);
    if (node == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    if (node->sys_mmap == NULL) {
        return -GPUCMD_SYS_ENODEV;
    }
    return node->sys_mmap(node->kernel, map);
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

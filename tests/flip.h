/* If FLIP_THREADS is defined: memory whose words another thread changes all the time, between pages
 * without access rights; reads are not counted. Otherwise:
 *
 * Memory whose bytes change after each read, on Linux for x86-64: pages without access rights. Each
 * access faults; the handler allows one instruction, which it traces, then counts the read and
 * changes the byte. What code checks in such memory and then reads again is another value. Include
 * this file before the headers: it makes copies read each byte once, which memcpy does not. */
#ifndef GPUCMD_TEST_FLIP_H
#define GPUCMD_TEST_FLIP_H

#define FLIP_BYTES 16384u

#if defined(FLIP_THREADS) && defined(__linux__)
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { FLIP_GUARD_BYTES = 65536 };

static struct {
    uint8_t *memory;
    volatile uint32_t mask; /* bits that change; 0: none, the memory is at rest */
    volatile bool ends, rests;
    unsigned faults; /* of flips by the thread: the tests want to see some */
} flips;

/* Change every third word, then all back, by bits of mask. */
static void *flip_thread(void *nothing)
{
    volatile uint32_t *words = (volatile uint32_t *)(void *)flips.memory;
    uint32_t seed = 1;
    (void)nothing;
    while (!flips.ends) {
        const uint32_t mask = flips.mask, first = seed >> 16;
        flips.rests = mask == 0;
        for (uint32_t i = 0; i < 64 && mask != 0; i++) {
            words[(first + 3 * (i % 32)) % (FLIP_BYTES / 4)] ^= mask;
        }
        seed = seed * 1664525u + 1013904223u;
    }
    return NULL;
}

/* Return the memory, zeroed and at rest. */
static uint8_t *flip_memory(void)
{
    if (flips.memory == NULL) {
        pthread_t thread;
        uint8_t *all = (uint8_t *)mmap(NULL, FLIP_BYTES + 2 * FLIP_GUARD_BYTES, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        flips.memory = all + FLIP_GUARD_BYTES;
        (void)!mprotect(flips.memory, FLIP_BYTES, PROT_READ | PROT_WRITE);
        (void)!pthread_create(&thread, NULL, flip_thread, NULL);
        (void)pthread_detach(thread);
    }
    memset(flips.memory, 0, FLIP_BYTES);
    return flips.memory;
}

static void flip_arm(uint32_t mask)
{
    flips.rests = false;
    flips.mask = mask;
    flips.faults = 1;
}

static unsigned flip_disarm(void)
{
    flips.rests = false;
    flips.mask = 0;
    while (!flips.rests) {
    }
    return 0;
}

#elif defined(__linux__) && defined(__x86_64__)
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static inline void *flip_copy(void *dst, const void *src, size_t len_bytes)
{
    volatile uint8_t *d = (volatile uint8_t *)dst;
    const volatile uint8_t *s = (const volatile uint8_t *)src;
    for (size_t i = 0; i < len_bytes; i++) {
        d[i] = s[i];
    }
    return dst;
}
static inline void *flip_move(void *dst, const void *src, size_t len_bytes)
{
    volatile uint8_t *d = (volatile uint8_t *)dst;
    const volatile uint8_t *s = (const volatile uint8_t *)src;
    if ((uintptr_t)dst < (uintptr_t)src) {
        return flip_copy(dst, src, len_bytes);
    }
    for (size_t i = len_bytes; i-- != 0;) {
        d[i] = s[i];
    }
    return dst;
}
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-macro-identifier"
#endif
#define __builtin_memcpy  flip_copy
#define __builtin_memmove flip_move

static struct flip_state {
    uint8_t *memory;
    uint32_t mask;              /* bits that change with each read */
    unsigned reads[FLIP_BYTES]; /* by address of the first byte of an access */
    unsigned faults, twice;
    size_t at;
    bool is_write, armed;
} flips;

static void flip_fault(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = (ucontext_t *)context;
    const uintptr_t at = (uintptr_t)info->si_addr - (uintptr_t)flips.memory;
    if (!flips.armed || at >= FLIP_BYTES) { /* a real fault */
        signal(number, SIG_DFL);
        return;
    }
    flips.at = at;
    flips.is_write = (c->uc_mcontext.gregs[REG_ERR] & 2) != 0;
    flips.faults++;
    (void)!mprotect(flips.memory, FLIP_BYTES, PROT_READ | PROT_WRITE);
    c->uc_mcontext.gregs[REG_EFL] |= 0x100; /* trap after one instruction */
}

static void flip_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = (ucontext_t *)context;
    (void)number;
    (void)info;
    c->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    if (!flips.is_write) {
        flips.twice += flips.reads[flips.at]++ != 0 ? 1 : 0;
        flips.memory[flips.at] =
            (uint8_t)(flips.memory[flips.at] ^ (flips.mask >> (flips.at % 4 * 8)));
    }
    (void)!mprotect(flips.memory, FLIP_BYTES, PROT_NONE);
}

/* Return the memory, zeroed and not yet armed. */
static uint8_t *flip_memory(void)
{
    struct sigaction fault, trap;
    memset(&fault, 0, sizeof fault);
    memset(&trap, 0, sizeof trap);
    fault.sa_sigaction = flip_fault;
    trap.sa_sigaction = flip_trap;
    fault.sa_flags = trap.sa_flags = SA_SIGINFO;
    if (flips.memory == NULL) {
        flips.memory = (uint8_t *)mmap(NULL, FLIP_BYTES, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGTRAP, &trap, NULL);
    memset(flips.memory, 0, FLIP_BYTES);
    return flips.memory;
}

/* From here on each read changes what it has read, by the bits of mask. */
static void flip_arm(uint32_t mask)
{
    memset(flips.reads, 0, sizeof flips.reads);
    flips.mask = mask;
    flips.faults = flips.twice = 0;
    flips.armed = true;
    (void)!mprotect(flips.memory, FLIP_BYTES, PROT_NONE);
}

/* Make the memory ordinary again. Return the number of reads of addresses that had been read. */
static unsigned flip_disarm(void)
{
    (void)!mprotect(flips.memory, FLIP_BYTES, PROT_READ | PROT_WRITE);
    flips.armed = false;
    return flips.twice;
}
#endif
#endif /* GPUCMD_TEST_FLIP_H */

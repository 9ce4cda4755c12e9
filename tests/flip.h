/* Memory whose bytes change after each read, on Linux for x86-64: pages without access rights. Each
 * access faults; the handler allows one instruction, which it traces, then counts the read and
 * changes the byte. What code checks in such memory and then reads again is another value. Include
 * this file before the headers: it makes copies read each byte once, which memcpy does not. */
#ifndef FLIP_H
#define FLIP_H

#define FLIP_BYTES 16384u

#if defined(__linux__) && defined(__x86_64__)
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
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-macro-identifier"
#endif
#define __builtin_memcpy flip_copy

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
#endif

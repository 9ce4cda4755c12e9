/* start_arm.c - vector table, startup code and semihosting for Cortex-M (QEMU mps2-an385). */
#include "board.h"
#include <stdint.h>

extern uint32_t load_start[], data_start[], data_end[], bss_end[], stack_top[];
void reset(void);

/* Ask the debugger, here QEMU: operation 4 prints a text, 32 ends the program. */
static int semihost(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void board_print(const char *text)
{
    (void)semihost(4, text);
}

void reset(void)
{
    uint32_t exit_block[2] = {0x20026, 0}; /* application exit, status */
    const uint32_t *from = load_start;
    uint32_t *to = data_start;
    while (to < data_end) {
        *to++ = *from++;
    }
    while (to < bss_end) {
        *to++ = 0;
    }
    exit_block[1] = (uint32_t)main();
    for (;;) {
        (void)semihost(32, exit_block);
    }
}

static void hang(void)
{
    for (;;) {
    }
}

__attribute__((__section__(".vectors"), __used__)) static void (*const vectors[])(void) = {
    (void (*)(void))(uintptr_t)stack_top, reset, hang, hang};

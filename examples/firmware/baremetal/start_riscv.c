/* start_riscv.c - startup code, UART and power switch for RISC-V (QEMU virt). */
#include "board.h"
#include <stdint.h>

#define UART        ((volatile uint8_t *)0x10000000)
#define TEST_DEVICE ((volatile uint32_t *)0x100000)

extern uint64_t bss_start[], bss_end[];
void run(void);

void board_print(const char *text)
{
    while (*text != '\0') {
        while ((UART[5] & 0x20) == 0) { /* the transmitter is busy */
        }
        UART[0] = (uint8_t)*text++;
    }
}

__asm__(".section .text.start, \"ax\"\n"
        ".globl start\n"
        "start:\n"
        "    la sp, stack_top\n"
        "    j run\n"
        ".text\n");

void run(void)
{
    uint64_t *to = bss_start;
    while (to < bss_end) {
        *to++ = 0;
    }
    for (;;) {
        *TEST_DEVICE = main() == 0 ? 0x5555 : 0x13333; /* ends QEMU: success, failure */
    }
}

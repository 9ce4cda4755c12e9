/* 16_io_ports.c - read a register of a card through IO ports.
 *
 * You learn: how real-mode code reaches MMIO without mapping a window: the four
 * accesses, as data and through a table of functions.
 * Read first: 13_pci_windows.c. Source: envytools, bus/bars.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

/* The card: PMC_BOOT_0 at 0x000000 holds the chip, here G80 revision a2. */
static uint32_t card_read(void *user, uint64_t off_bytes)
{
    (void)user;
    printf("   card: MMIO 0x%06llx is read\n", (unsigned long long)off_bytes);
    return off_bytes == 0 ? 0x050000a2 : 0;
}

static void card_write(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    printf("   card: MMIO 0x%06llx <- 0x%08x\n", (unsigned long long)off_bytes, (unsigned)v);
}

int main(void)
{
    static const char *const why[] = {"enable all ports", "enable the data ports", "address",
                                      "data"};
    const gpucmd_mmio card = {card_read, card_write, NULL};
    gpucmd_nv_ports ports;
    const gpucmd_mmio io = {gpucmd_nv_ports_read32, gpucmd_nv_ports_write32, &ports};
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_NV1;
    uint32_t boot0 = 0;

    /* Step 1: the accesses as data, for code that makes them itself. */
    printf("1. Four accesses read MMIO 0x000000:\n");
    if (gpucmd_nv_encode_port(steps, GPUCMD_NV_WINDOW_MMIO, 0x000000, false, 0) != GPUCMD_OK) {
        return 1;
    }
    for (unsigned i = 0; i < GPUCMD_NV_PORT_STEPS; i++) {
        printf("   port 0x%02x %s 0x%08x  %s\n", (unsigned)steps[i].off_bytes,
               steps[i].is_write ? "<-" : "->", (unsigned)steps[i].v, why[i]);
    }

    /* Step 2: the emulated ports in front of the card. */
    gpucmd_nv_ports_init(&ports, &card, NULL, NULL);
    printf("2. A port that is not enabled reads 0x%08x.\n",
           (unsigned)io.read32(io.user, GPUCMD_NV_PORT_MMIO_ADDR));

    /* Step 3: the same read in one call, over any table of functions. */
    printf("3. One call:\n");
    if (gpucmd_nv_port_read32(&io, GPUCMD_NV_WINDOW_MMIO, 0x000000, &boot0) != GPUCMD_OK ||
        gpucmd_nv_chip_from_id(boot0 >> 20 & 0x1ff, &chip) != GPUCMD_OK) {
        return 1;
    }
    printf("   PMC_BOOT_0 is 0x%08x: this is a %s\n", (unsigned)boot0, gpucmd_nv_chip_name(chip));
    return 0;
}

/* Output:
 * 1. Four accesses read MMIO 0x000000:
 *    port 0x00 <- 0x00000001  enable all ports
 *    port 0x04 <- 0x00000001  enable the data ports
 *    port 0x08 <- 0x00000000  address
 *    port 0x0c -> 0x00000000  data
 * 2. A port that is not enabled reads 0xffffffff.
 * 3. One call:
 *    card: MMIO 0x000000 is read
 *    PMC_BOOT_0 is 0x050000a2: this is a G80
 */

/* 13: PCI windows and the indirect ports
 *
 * You learn which windows (BARs) a card shows, how straps size them, where a
 * channel's control area lies, and how real-mode code reads a register through
 * IO ports when it cannot map any window. Read first: 01. [ENVY] bus/bars.rst
 */
#include <stdio.h>
#include <stdlib.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

/* Every step says what must hold after it. */
static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("this does not hold: %s\n", what);
        exit(1);
    }
}

/* A card: PMC_BOOT_0 at 0x000000 tells the chip, here G80 revision a2. */
static uint32_t card_read(void *user, uint64_t off_bytes)
{
    (void)user;
    printf("   card: MMIO 0x%06llx is read\n", (unsigned long long)off_bytes);
    return off_bytes == 0 ? 0x050000a2 : 0;
}

static void card_write(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    (void)off_bytes;
    (void)v;
}

static const char *const names[] = {"MMIO", "VRAM", "RAMIN", "PORTS", "RMA", "ROM"};

/* Every window of a chip on a card with these straps. */
static void tour(gpucmd_nv_chip chip, uint32_t strap0, uint32_t strap1)
{
    printf("   %s, straps 0x%08x 0x%08x\n", gpucmd_nv_chip_name(chip), strap0, strap1);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        gpucmd_nv_bar bar;
        uint64_t bytes = 0;
        if (gpucmd_nv_bar_info(chip, (gpucmd_nv_window)i, &bar) != GPUCMD_OK) {
            continue;
        }
        printf("     BAR%u config 0x%02x %-5s %s %2u-bit ", bar.slot, bar.config_off_bytes,
               names[i], bar.is_io ? "io    " : "memory", bar.width_bits);
        if (gpucmd_nv_bar_bytes(chip, (gpucmd_nv_window)i, strap0, strap1, &bytes) == GPUCMD_OK) {
            printf("0x%llx bytes", (unsigned long long)bytes);
        } else {
            printf("size: ask PCI"); /* no document tells */
        }
        printf("%s%s\n", bar.is_prefetchable ? ", prefetchable" : "",
               bar.is_swapped ? ", follows the endian switch" : "");
    }
}

int main(void)
{
    const gpucmd_mmio card = {card_read, card_write, NULL};
    gpucmd_nv_ports model;
    const gpucmd_mmio io = {gpucmd_nv_ports_read32, gpucmd_nv_ports_write32, &model};
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    gpucmd_nv_window window = GPUCMD_NV_WINDOW_MEMORY;
    gpucmd_nv_bar bar;
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_NV1;
    uint64_t off_bytes = 0;
    uint32_t area_bytes = 0;
    uint32_t boot0 = 0;

    printf("1. Windows. On AGP the 32-bit VRAM window leaves slot 2 free, and RAMIN takes it.\n");
    tour(GPUCMD_NV_CHIP_NV40, 0x00800000, 0);
    must(gpucmd_nv_bar_info(GPUCMD_NV_CHIP_NV40, GPUCMD_NV_WINDOW_RAMIN, &bar) == GPUCMD_OK &&
             bar.slot == 2,
         "RAMIN of NV40 is BAR2");
    printf("   On PCIe a 64-bit VRAM window takes slots 1 and 2: RAMIN moves to slot 3.\n");
    tour(GPUCMD_NV_CHIP_G80, 0x00004000, 0x00110000);
    must(gpucmd_nv_bar_info(GPUCMD_NV_CHIP_G80, GPUCMD_NV_WINDOW_RAMIN, &bar) == GPUCMD_OK &&
             bar.slot == 3,
         "RAMIN of G80 is BAR3");

    printf("2. Channel 3 of G80: where DMA_PUT and the other registers for its user lie.\n");
    must(gpucmd_nv_area_place(GPUCMD_NV_CHIP_G80, 3, true, &window, &off_bytes, &area_bytes) ==
             GPUCMD_OK,
         "channels 1 to 126 have such an area");
    printf("   control area: %s + 0x%06llx, %u bytes; IB_PUT at + 0x%02x\n", names[window],
           (unsigned long long)off_bytes, area_bytes, GPUCMD_NV_AREA_IB_PUT);
    must(off_bytes == 0xc06000, "0xc00000 + 0x2000 * channel");

    printf("3. Real-mode code has IO ports alone: four accesses read MMIO 0x000000.\n");
    must(gpucmd_nv_encode_port(steps, GPUCMD_NV_WINDOW_MMIO, 0x000000, false, 0) == GPUCMD_OK,
         "the ports reach 16 MB of MMIO");
    static const char *const why[] = {"enable all ports", "enable the data ports", "address",
                                      "data"};
    for (unsigned i = 0; i < GPUCMD_NV_PORT_STEPS; i++) {
        if (steps[i].is_write) {
            printf("   port 0x%02x <- 0x%08x  %s\n", steps[i].off_bytes, steps[i].v, why[i]);
        } else {
            printf("   port 0x%02x ->             %s\n", steps[i].off_bytes, why[i]);
        }
    }

    printf("4. The same against the model of the ports in front of a card.\n");
    gpucmd_nv_ports_init(&model, &card, NULL, NULL);
    const uint32_t off = io.read32(io.user, GPUCMD_NV_PORT_MMIO_ADDR);
    printf("   signature 0x%08x; before they are enabled the others read 0x%08x\n",
           io.read32(io.user, GPUCMD_NV_PORT_MASTER), off);
    must(off == 0xffffffff, "disabled ports read all ones");
    must(gpucmd_nv_port_read32(&io, GPUCMD_NV_WINDOW_MMIO, 0x000000, &boot0) == GPUCMD_OK,
         "the signature is there");
    must(gpucmd_nv_chip_from_id(boot0 >> 20 & 0x1ff, &chip) == GPUCMD_OK, "bits 28:20 are the id");
    printf("   PMC_BOOT_0 is 0x%08x: this is a %s\n", boot0, gpucmd_nv_chip_name(chip));
    must(chip == GPUCMD_NV_CHIP_G80, "G80");
    return 0;
}

/* Output:
 * 1. Windows. On AGP the 32-bit VRAM window leaves slot 2 free, and RAMIN takes it.
 *    NV40, straps 0x00800000 0x00000000
 *      BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes, follows the endian switch
 *      BAR1 config 0x14 VRAM  memory 32-bit 0x8000000 bytes, prefetchable
 *      BAR2 config 0x18 RAMIN memory 32-bit size: ask PCI, follows the endian switch
 *      BAR6 config 0x30 ROM   memory 32-bit size: ask PCI
 *    On PCIe a 64-bit VRAM window takes slots 1 and 2: RAMIN moves to slot 3.
 *    G80, straps 0x00004000 0x00110000
 *      BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes, follows the endian switch
 *      BAR1 config 0x14 VRAM  memory 64-bit 0x10000000 bytes, prefetchable
 *      BAR3 config 0x1c RAMIN memory 64-bit 0x2000000 bytes, follows the endian switch
 *      BAR5 config 0x24 PORTS io     32-bit 0x80 bytes
 *      BAR6 config 0x30 ROM   memory 32-bit size: ask PCI
 * 2. Channel 3 of G80: where DMA_PUT and the other registers for its user lie.
 *    control area: MMIO + 0xc06000, 8192 bytes; IB_PUT at + 0x8c
 * 3. Real-mode code has IO ports alone: four accesses read MMIO 0x000000.
 *    port 0x00 <- 0x00000001  enable all ports
 *    port 0x04 <- 0x00000001  enable the data ports
 *    port 0x08 <- 0x00000000  address
 *    port 0x0c ->             data
 * 4. The same against the model of the ports in front of a card.
 *    signature 0x2469fdb9; before they are enabled the others read 0xffffffff
 *    card: MMIO 0x000000 is read
 *    PMC_BOOT_0 is 0x050000a2: this is a G80
 */

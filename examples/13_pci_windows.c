/* 13_pci_windows.c - the PCI windows (BARs) of two cards.
 *
 * You learn: which windows a card has, how strap registers give their sizes,
 * where the control area of a channel is.
 * Read first: 01_first_words.c. Source: envytools, bus/bars.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>

static const char *const names[] = {"MMIO", "VRAM", "RAMIN", "PORTS", "RMA", "ROM"};

/* Step 1: print every window that a chip has on a card with these straps. */
static void print_windows(gpucmd_nv_chip chip, uint32_t strap0, uint32_t strap1)
{
    printf("%s, straps 0x%08x 0x%08x\n", gpucmd_nv_chip_name(chip), (unsigned)strap0,
           (unsigned)strap1);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        gpucmd_nv_bar bar;
        uint64_t bytes = 0;
        if (gpucmd_nv_bar_info(chip, (gpucmd_nv_window)i, &bar) != GPUCMD_OK) {
            continue; /* the chip has no such window */
        }
        printf("  BAR%u config 0x%02x %-5s %s %2u-bit ", (unsigned)bar.slot,
               (unsigned)bar.config_off_bytes, names[i], bar.is_io ? "io    " : "memory",
               (unsigned)bar.width_bits);
        if (gpucmd_nv_bar_bytes(chip, (gpucmd_nv_window)i, strap0, strap1, &bytes) == GPUCMD_OK) {
            printf("0x%llx bytes", (unsigned long long)bytes);
        } else {
            printf("size: ask PCI"); /* no source gives it */
        }
        printf("%s%s\n", bar.is_prefetchable ? ", prefetchable" : "",
               bar.is_swapped ? ", follows the endian switch" : "");
    }
}

/* Step 2: where the registers of one channel are. */
static gpucmd_status print_area(gpucmd_nv_chip chip, uint32_t channel)
{
    gpucmd_nv_window window = GPUCMD_NV_WINDOW_MMIO;
    uint64_t off_bytes = 0;
    uint32_t bytes = 0;
    const gpucmd_status status =
        gpucmd_nv_area_place(chip, channel, true, &window, &off_bytes, &bytes);
    if (status == GPUCMD_OK) {
        printf("%s, channel %u: %s + 0x%06llx, %u bytes; IB_PUT at + 0x%02x\n",
               gpucmd_nv_chip_name(chip), (unsigned)channel, names[window],
               (unsigned long long)off_bytes, (unsigned)bytes, (unsigned)GPUCMD_NV_AREA_IB_PUT);
    }
    return status;
}

int main(void)
{
    /* On AGP the VRAM window has 32 bits and takes slot 1; RAMIN is in slot 2. */
    print_windows(GPUCMD_NV_CHIP_NV40, 0x00800000, 0);
    /* On PCIe the VRAM window has 64 bits and takes slots 1 and 2; RAMIN is in slot 3. */
    print_windows(GPUCMD_NV_CHIP_G80, 0x00004000, 0x00110000);
    return print_area(GPUCMD_NV_CHIP_G80, 3) != GPUCMD_OK;
}

/* Output:
 * NV40, straps 0x00800000 0x00000000
 *   BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes, follows the endian switch
 *   BAR1 config 0x14 VRAM  memory 32-bit 0x8000000 bytes, prefetchable
 *   BAR2 config 0x18 RAMIN memory 32-bit size: ask PCI, follows the endian switch
 *   BAR6 config 0x30 ROM   memory 32-bit size: ask PCI
 * G80, straps 0x00004000 0x00110000
 *   BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes, follows the endian switch
 *   BAR1 config 0x14 VRAM  memory 64-bit 0x10000000 bytes, prefetchable
 *   BAR3 config 0x1c RAMIN memory 64-bit 0x2000000 bytes, follows the endian switch
 *   BAR5 config 0x24 PORTS io     32-bit 0x80 bytes
 *   BAR6 config 0x30 ROM   memory 32-bit size: ask PCI
 * G80, channel 3: MMIO + 0xc06000, 8192 bytes; IB_PUT at + 0x8c
 */

/* 13: PCI windows and the indirect port
 *
 * You learn which windows (BARs) a card shows, how straps size them, where a
 * channel's control area lies, and how real-mode code reads a register through
 * IO ports when it cannot map any window. Read first: 01. [ENVY] bus/bars.rst
 */
#include <stdio.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

/* A card: PMC_BOOT_0 at 0x000000 tells the chip, here G80 revision a2. */
static uint32_t card_read(void *user, uint64_t off_bytes)
{
    (void)user;
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
    printf("%s\n", gpucmd_nv_chip_name(chip));
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        gpucmd_nv_bar bar;
        uint64_t bytes = 0;
        if (gpucmd_nv_bar_info(chip, (gpucmd_nv_window)i, &bar) != GPUCMD_OK) {
            continue;
        }
        printf("  BAR%u config 0x%02x %-5s %s %2u-bit%s", bar.slot, bar.config_off_bytes, names[i],
               bar.is_io ? "io    " : "memory", bar.width_bits,
               bar.is_prefetchable ? " prefetchable" : "");
        if (gpucmd_nv_bar_bytes(chip, (gpucmd_nv_window)i, strap0, strap1, &bytes) == GPUCMD_OK) {
            printf(" 0x%llx bytes", (unsigned long long)bytes);
        }
        printf("\n");
    }
}

int main(void)
{
    /* Step 1: the windows. On AGP a 32-bit VRAM window leaves slot 2 free, and RAMIN takes it; a
     * 64-bit window takes slots 1 and 2, and RAMIN moves to slot 3. */
    tour(GPUCMD_NV_CHIP_NV40, 0x00800000, 0);
    tour(GPUCMD_NV_CHIP_G80, 0x00004000, 0x00110000);

    /* Step 2: where the control area of channel 3 lies. */
    gpucmd_nv_window window;
    uint64_t off_bytes = 0;
    uint32_t area_bytes = 0;
    if (gpucmd_nv_area_place(GPUCMD_NV_CHIP_G80, 3, true, &window, &off_bytes, &area_bytes) !=
        GPUCMD_OK) {
        return 1;
    }
    printf("control area of channel 3: %s + 0x%06llx, %u bytes\n", names[window],
           (unsigned long long)off_bytes, area_bytes);

    /* Step 3: the steps that read MMIO 0x000000 through the ports. */
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    if (gpucmd_nv_encode_port(steps, GPUCMD_NV_WINDOW_MMIO, 0x000000, false, 0) != GPUCMD_OK) {
        return 1;
    }
    for (unsigned i = 0; i < GPUCMD_NV_PORT_STEPS; i++) {
        printf("port 0x%02x %s", steps[i].off_bytes, steps[i].is_write ? "<- " : "-> v\n");
        if (steps[i].is_write) {
            printf("0x%08x\n", steps[i].v);
        }
    }

    /* Step 4: the same against the model of the ports in front of the card. */
    const gpucmd_mmio card = {card_read, card_write, NULL};
    gpucmd_nv_ports model;
    gpucmd_nv_ports_init(&model, &card, NULL, NULL);
    const gpucmd_mmio io = {gpucmd_nv_ports_read32, gpucmd_nv_ports_write32, &model};
    uint32_t boot0 = 0;
    printf("before: address port reads 0x%08x\n", io.read32(io.user, GPUCMD_NV_PORT_MMIO_ADDR));
    if (gpucmd_nv_port_read32(&io, GPUCMD_NV_WINDOW_MMIO, 0x000000, &boot0) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_nv_chip chip; /* bits 28:20 are the id */
    if (gpucmd_nv_chip_from_id(boot0 >> 20 & 0x1ff, &chip) != GPUCMD_OK) {
        return 1;
    }
    printf("PMC_BOOT_0 is 0x%08x: this is a %s\n", boot0, gpucmd_nv_chip_name(chip));
    return 0;
}

/* Output:
 * NV40
 *   BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes
 *   BAR1 config 0x14 VRAM  memory 32-bit prefetchable 0x8000000 bytes
 *   BAR2 config 0x18 RAMIN memory 32-bit
 *   BAR6 config 0x30 ROM   memory 32-bit
 * G80
 *   BAR0 config 0x10 MMIO  memory 32-bit 0x1000000 bytes
 *   BAR1 config 0x14 VRAM  memory 64-bit prefetchable 0x10000000 bytes
 *   BAR3 config 0x1c RAMIN memory 64-bit 0x2000000 bytes
 *   BAR5 config 0x24 PORTS io     32-bit 0x80 bytes
 *   BAR6 config 0x30 ROM   memory 32-bit
 * control area of channel 3: MMIO + 0xc06000, 8192 bytes
 * port 0x00 <- 0x00000001
 * port 0x04 <- 0x00000001
 * port 0x08 <- 0x00000000
 * port 0x0c -> v
 * before: address port reads 0xffffffff
 * PMC_BOOT_0 is 0x050000a2: this is a G80
 */

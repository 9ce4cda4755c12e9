/* PCI windows, IO ports, endian switch, and the places and registers of control
 * areas. Expected values are typed from envytools bars.rst, pstraps.rst, pmc.rst,
 * mmio.rst and from the class headers named in the rows. */
#include "gpucmd_nv.h"

#include "test.h"

#define CHIP(name)   GPUCMD_NV_CHIP_##name
#define WINDOW(name) GPUCMD_NV_WINDOW_##name

#define MB ((uint64_t)1 << 20)

typedef struct bar_row {
    gpucmd_nv_chip chip;
    gpucmd_nv_window window;
    unsigned slot, config, width;
    bool io, prefetchable, swapped;
    uint64_t min_bytes, max_bytes;
} bar_row;

/* One row a sentence of the table of windows. */
static const bar_row bars[] = {
    {CHIP(NV1),   WINDOW(MMIO),  0, 0x10, 32, false, false, false, 32 * MB,  32 * MB   },
    {CHIP(NV3),   WINDOW(MMIO),  0, 0x10, 32, false, false, false, 16 * MB,  16 * MB   },
    {CHIP(NV15),  WINDOW(MMIO),  0, 0x10, 32, false, false, false, 16 * MB,  16 * MB   },
    {CHIP(NV1A),  WINDOW(MMIO),  0, 0x10, 32, false, false, true,  16 * MB,  16 * MB   },
    {CHIP(NV11),  WINDOW(MMIO),  0, 0x10, 32, false, false, true,  16 * MB,  16 * MB   },
    {CHIP(NV17),  WINDOW(MMIO),  0, 0x10, 32, false, false, true,  16 * MB,  128 * MB  },
    {CHIP(MCP73), WINDOW(MMIO),  0, 0x10, 32, false, false, true,  16 * MB,  128 * MB  },
    {CHIP(G80),   WINDOW(MMIO),  0, 0x10, 32, false, false, true,  16 * MB,  2048 * MB },
    {CHIP(NV3),   WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 16 * MB,  16 * MB   },
    {CHIP(NV4),   WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 16 * MB,  16 * MB   },
    {CHIP(NV5),   WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 32 * MB,  32 * MB   },
    {CHIP(NV10),  WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 128 * MB, 128 * MB  },
    {CHIP(NV17),  WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 64 * MB,  512 * MB  },
    {CHIP(NV40),  WINDOW(VRAM),  1, 0x14, 32, false, true,  false, 64 * MB,  512 * MB  },
    {CHIP(NV41),  WINDOW(VRAM),  1, 0x14, 64, false, true,  false, 64 * MB,  512 * MB  },
    {CHIP(G80),   WINDOW(VRAM),  1, 0x14, 64, false, true,  false, 64 * MB,  65536 * MB},
    {CHIP(NV3),   WINDOW(RMA),   2, 0x18, 32, true,  false, false, 0x100,    0x100     },
    {CHIP(NV40),  WINDOW(RAMIN), 2, 0x18, 32, false, false, true,  16 * MB,  0         },
    {CHIP(NV44A), WINDOW(RAMIN), 2, 0x18, 32, false, false, true,  16 * MB,  0         },
    {CHIP(NV41),  WINDOW(RAMIN), 3, 0x1c, 64, false, false, true,  16 * MB,  0         },
    {CHIP(C51),   WINDOW(RAMIN), 3, 0x1c, 64, false, false, true,  16 * MB,  0         },
    {CHIP(G200),  WINDOW(RAMIN), 3, 0x1c, 64, false, false, true,  16 * MB,  4096 * MB },
    {CHIP(MCP77), WINDOW(RAMIN), 3, 0x1c, 64, false, true,  true,  16 * MB,  4096 * MB },
    {CHIP(GT215), WINDOW(RAMIN), 3, 0x1c, 64, false, true,  true,  16 * MB,  4096 * MB },
    {CHIP(G80),   WINDOW(PORTS), 5, 0x24, 32, true,  false, false, 0x80,     0x80      },
    {CHIP(NV3),   WINDOW(ROM),   6, 0x30, 32, false, false, false, 0,        0         },
};

static void windows(void)
{
    gpucmd_nv_bar bar;
    gpucmd_nv_window window;
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
        const bar_row *row = &bars[i];
        memset(&bar, 0xee, sizeof bar);
        EQUAL(gpucmd_nv_bar_info(row->chip, row->window, &bar), GPUCMD_OK);
        EQUAL(bar.slot, row->slot);
        EQUAL(bar.config_off_bytes, row->config);
        EQUAL(bar.width_bits, row->width);
        EQUAL(bar.is_io, row->io);
        EQUAL(bar.is_prefetchable, row->prefetchable);
        EQUAL(bar.is_swapped, row->swapped);
        EQUAL(bar.min_bytes, row->min_bytes);
        EQUAL(bar.max_bytes, row->max_bytes);
        EQUAL(gpucmd_nv_bar_window(row->chip, row->slot, &window), GPUCMD_OK);
        EQUAL(window, row->window);
    }
    /* the second slot of a 64-bit window begins none, nor does a slot that the chip lacks */
    window = WINDOW(MEMORY);
    EQUAL(gpucmd_nv_bar_window(CHIP(NV41), 2, &window), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_window(CHIP(NV41), 4, &window), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_window(CHIP(NV34), 2, &window), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_window(CHIP(G80), 7, &window), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_window(CHIP(GV11B), 0, &window), GPUCMD_UNSUPPORTED);
    EQUAL(window, WINDOW(MEMORY));
    /* what a chip lacks */
    EQUAL(gpucmd_nv_bar_info(CHIP(NV1), WINDOW(VRAM), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(NV4), WINDOW(RMA), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(NV34), WINDOW(RAMIN), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(MCP73), WINDOW(PORTS), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(NV1), WINDOW(ROM), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(G80), WINDOW(MEMORY), &bar), GPUCMD_UNSUPPORTED);
    /* no PCI at all: FlexIO and Tegra */
    EQUAL(gpucmd_nv_bar_info(CHIP(RSX), WINDOW(MMIO), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(GV11B), WINDOW(MMIO), &bar), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_bar_info(CHIP(GA10B), WINDOW(MMIO), &bar), GPUCMD_UNSUPPORTED);
}

/* Every chip has exactly these windows. A window that may be wide takes slot 3 and 64 bits but on
 * AGP, where it takes slot 2 and 32. Chips are named by the first and the last one of a rule. */
typedef struct chip_row {
    gpucmd_nv_chip first, last;
    gpucmd_nv_window window;
    unsigned slot;
    bool wide, io, prefetchable, swapped;
    unsigned min_log2, max_log2; /* 0: not documented */
} chip_row;

static const chip_row chips[] = {
    {CHIP(NV1),   CHIP(NV1),   WINDOW(MMIO),  0, 0, 0, 0, 0, 25, 25},
    {CHIP(NV3),   CHIP(NV15),  WINDOW(MMIO),  0, 0, 0, 0, 0, 24, 24}, /* the switch: NV1A on */
    {CHIP(NV1A),  CHIP(NV11),  WINDOW(MMIO),  0, 0, 0, 0, 1, 24, 24},
    {CHIP(NV17),  CHIP(RSX),   WINDOW(MMIO),  0, 0, 0, 0, 1, 24, 27},
    {CHIP(G80),   CHIP(GB207), WINDOW(MMIO),  0, 0, 0, 0, 1, 24, 31},
    {CHIP(NV3),   CHIP(NV4),   WINDOW(VRAM),  1, 1, 0, 1, 0, 24, 24},
    {CHIP(NV5),   CHIP(NVA),   WINDOW(VRAM),  1, 1, 0, 1, 0, 25, 25},
    {CHIP(NV10),  CHIP(NV11),  WINDOW(VRAM),  1, 1, 0, 1, 0, 27, 27},
    {CHIP(NV17),  CHIP(RSX),   WINDOW(VRAM),  1, 1, 0, 1, 0, 26, 29},
    {CHIP(G80),   CHIP(GB207), WINDOW(VRAM),  1, 1, 0, 1, 0, 26, 36},
    {CHIP(NV3),   CHIP(NV3T),  WINDOW(RMA),   2, 0, 1, 0, 0, 8,  8 },
    {CHIP(NV40),  CHIP(RSX),   WINDOW(RAMIN), 3, 1, 0, 0, 1, 24, 0 },
    {CHIP(G80),   CHIP(G200),  WINDOW(RAMIN), 3, 1, 0, 0, 1, 24, 32}, /* twice MMIO at most */
    {CHIP(MCP77), CHIP(GB207), WINDOW(RAMIN), 3, 1, 0, 1, 1, 24, 32},
    {CHIP(G80),   CHIP(GB207), WINDOW(PORTS), 5, 0, 1, 0, 0, 7,  7 },
    {CHIP(NV3),   CHIP(GB207), WINDOW(ROM),   6, 0, 0, 0, 0, 0,  0 },
};

static void every_chip(void)
{
    for (unsigned c = 0; c < (unsigned)GPUCMD_NV_CHIP_COUNT; c++) {
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)c;
        const gpucmd_nv_bus bus = gpucmd_nv_chip_bus(chip);
        const bool agp = bus == GPUCMD_NV_BUS_AGP;
        for (unsigned i = 0; i <= (unsigned)WINDOW(MEMORY); i++) {
            const chip_row *want = NULL;
            gpucmd_nv_bar bar;
            for (size_t k = 0; k < sizeof chips / sizeof chips[0]; k++) {
                if (chips[k].window == (gpucmd_nv_window)i && chips[k].first <= chip &&
                    chip <= chips[k].last && bus != GPUCMD_NV_BUS_FLEXIO &&
                    bus != GPUCMD_NV_BUS_TEGRA) {
                    want = &chips[k];
                }
            }
            memset(&bar, 0xee, sizeof bar);
            if (!EQUAL(gpucmd_nv_bar_info(chip, (gpucmd_nv_window)i, &bar),
                       want != NULL ? GPUCMD_OK : GPUCMD_UNSUPPORTED) ||
                want == NULL) {
                continue;
            }
            EQUAL(bar.slot, want->slot - (want->slot == 3 && agp ? 1 : 0));
            EQUAL(bar.config_off_bytes, bar.slot == 6 ? 0x30 : 0x10 + 4 * bar.slot);
            EQUAL(bar.width_bits, want->wide && !agp ? 64 : 32);
            EQUAL(bar.is_io, want->io);
            EQUAL(bar.is_prefetchable, want->prefetchable);
            EQUAL(bar.is_swapped, want->swapped);
            EQUAL(bar.min_bytes, want->min_log2 != 0 ? (uint64_t)1 << want->min_log2 : 0);
            EQUAL(bar.max_bytes, want->max_log2 != 0 ? (uint64_t)1 << want->max_log2 : 0);
        }
    }
}

/* Numbers that stand alone. [ENVY] bars.rst, pci.rst, pmc.rst, prma.rst, [BUS], config space */
static void numbers(void)
{
    static const struct {
        uint32_t got, want;
    } rows[] = {
        {GPUCMD_NV_PORTS_SIGNATURE,          0x2469fdb9},
        {GPUCMD_NV_RMA_SIGNATURE,            0x2b16d065},
        {GPUCMD_NV_RMA_SIG,                  0x00      },
        {GPUCMD_NV_RMA_ADDR,                 0x04      },
        {GPUCMD_NV_RMA_DATA,                 0x08      },
        {GPUCMD_NV_RMA_DATA_PARTIAL,         0x0c      },
        {GPUCMD_NV_RMA_DATA_INC,             0x10      },
        {GPUCMD_NV_RMA_DATA_PARTIAL_INC,     0x14      },
        {GPUCMD_NV_RMA_IN_MMIO,              0x7100    },
        {GPUCMD_NV_PMC,                      0         },
        {GPUCMD_NV_PMC_ENDIAN,               4         },
        {GPUCMD_NV_PMC_ENDIAN_BIG,           0x01000001},
        {GPUCMD_NV_PMC_ENDIAN_TOGGLE,        0x01000000},
        {GPUCMD_NV_AREA_BASE,                0x2254    },
        {GPUCMD_NV_BAR1_BLOCK,               0x1704    },
        {GPUCMD_NV_BAR2_BLOCK,               0x1714    },
        {GPUCMD_NV_NV1_VRAM_IN_MMIO,         0x1000000 },
        {GPUCMD_NV_NV3_RAMIN_IN_VRAM,        0xc00000  },
        {GPUCMD_NV_RAMIN_IN_MMIO,            0x700000  },
        {GPUCMD_NV_CONFIG_BAR0,              0x10      },
        {GPUCMD_NV_CONFIG_ROM,               0x30      },
        {GPUCMD_NV_CONFIG_ROM_SHADOW,        0x50      },
        {GPUCMD_NV_CONFIG_VGA,               0x54      },
        {GPUCMD_NV_VGA_IO_LOW,               0x3b0     },
        {GPUCMD_NV_VGA_IO_HIGH,              0x3c0     },
        {GPUCMD_NV_VGA_MEMORY,               0xa0000   },
        {GPUCMD_NV_USERMODE_BYTES,           0x10000   },
        {GPUCMD_FIELD_MASK(NV_BLOCK_PTR),    0x0fffffff},
        {GPUCMD_FIELD_MASK(NV_BLOCK_TARGET), 0x30000000},
        {GPUCMD_FIELD_MASK(NV_BLOCK_MODE),   0x80000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(rows[i].got, rows[i].want)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

/* Size that the straps give, or 0 if there is none. */
static uint64_t size_of(gpucmd_nv_chip chip, gpucmd_nv_window window, uint32_t strap0,
                        uint32_t strap1)
{
    uint64_t bytes = 0;
    return gpucmd_nv_bar_bytes(chip, window, strap0, strap1, &bytes) == GPUCMD_OK ? bytes : 0;
}

static void straps(void)
{
    /* fixed sizes ignore the straps */
    EQUAL(size_of(CHIP(NV5), WINDOW(VRAM), 0xffffffff, 0), 32 * MB);
    EQUAL(size_of(CHIP(NV10), WINDOW(MMIO), 0xffffffff, 0), 16 * MB);
    /* NV17 until NV20, NV25 until G80: VRAM 24:23, MMIO 25 */
    EQUAL(size_of(CHIP(NV17), WINDOW(VRAM), 0x01800000, 0), 512 * MB);
    EQUAL(size_of(CHIP(NV17), WINDOW(VRAM), 0xfe7fffff, 0), 64 * MB);
    EQUAL(size_of(CHIP(NV18), WINDOW(MMIO), 0x02000000, 0), 128 * MB);
    EQUAL(size_of(CHIP(NV25), WINDOW(VRAM), 0x00800000, 0), 128 * MB);
    EQUAL(size_of(CHIP(NV40), WINDOW(MMIO), 0xfdffffff, 0), 16 * MB);
    /* NV20 until NV25: VRAM 17:16, MMIO 18 */
    EQUAL(size_of(CHIP(NV20), WINDOW(VRAM), 0x00030000, 0), 512 * MB);
    EQUAL(size_of(CHIP(NV2A), WINDOW(VRAM), 0xfffcffff, 0), 64 * MB);
    EQUAL(size_of(CHIP(NV20), WINDOW(MMIO), 0x00040000, 0), 128 * MB);
    /* G80: VRAM is the sum of 15:14 of set 0 and 22:20 of set 1; MMIO 19:17 of set 1;
     * RAMIN twice MMIO unless bit 23 */
    EQUAL(size_of(CHIP(G80), WINDOW(VRAM), 0x0000c000, 0x00700000), 65536 * MB);
    EQUAL(size_of(CHIP(G80), WINDOW(VRAM), 0x00008000, 0x00100000), 512 * MB);
    EQUAL(size_of(CHIP(G80), WINDOW(MMIO), 0, 0x000e0000), 2048 * MB);
    EQUAL(size_of(CHIP(G80), WINDOW(RAMIN), 0, 0), 32 * MB);
    EQUAL(size_of(CHIP(G80), WINDOW(RAMIN), 0, 0x00800000), 16 * MB);
    EQUAL(size_of(CHIP(G80), WINDOW(RAMIN), 0, 0x00020000), 64 * MB);
    /* each strap bit alone: what it adds to the exponents of MMIO, VRAM and RAMIN */
    for (unsigned bit = 0; bit < 32; bit++) {
        const uint32_t one = (uint32_t)1 << bit;
        static const struct {
            gpucmd_nv_chip chip;
            unsigned mmio_bit;
            unsigned vram_bit;
        } rows[] = {
            {CHIP(NV17),  25, 23},
            {CHIP(NV18),  25, 23},
            {CHIP(NV20),  18, 16},
            {CHIP(NV2A),  18, 16},
            {CHIP(NV25),  25, 23},
            {CHIP(NV34),  25, 23},
            {CHIP(NV40),  25, 23},
            {CHIP(MCP73), 25, 23},
        };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            EQUAL(size_of(rows[i].chip, WINDOW(MMIO), one, 0xffffffff),
                  bit == rows[i].mmio_bit ? 128 * MB : 16 * MB);
            EQUAL(size_of(rows[i].chip, WINDOW(VRAM), one, 0xffffffff),
                  bit == rows[i].vram_bit       ? 128 * MB
                  : bit == rows[i].vram_bit + 1 ? 256 * MB
                                                : 64 * MB);
        }
        EQUAL(size_of(CHIP(NV11), WINDOW(MMIO), one, one), 16 * MB);
        EQUAL(size_of(CHIP(NV11), WINDOW(VRAM), one, one), 128 * MB);
        EQUAL(size_of(CHIP(NV4), WINDOW(VRAM), one, one), 16 * MB);
        EQUAL(size_of(CHIP(G80), WINDOW(VRAM), one, 0), bit == 14   ? 128 * MB
                                                        : bit == 15 ? 256 * MB
                                                                    : 64 * MB);
        EQUAL(size_of(CHIP(TU102), WINDOW(VRAM), 0, one), bit == 20   ? 128 * MB
                                                          : bit == 21 ? 256 * MB
                                                          : bit == 22 ? 1024 * MB
                                                                      : 64 * MB);
        EQUAL(size_of(CHIP(G80), WINDOW(MMIO), one, 0), 16 * MB);
        EQUAL(size_of(CHIP(G80), WINDOW(MMIO), 0, one), bit == 17   ? 32 * MB
                                                        : bit == 18 ? 64 * MB
                                                        : bit == 19 ? 256 * MB
                                                                    : 16 * MB);
        EQUAL(size_of(CHIP(GF100), WINDOW(RAMIN), one, 0), 32 * MB);
        EQUAL(size_of(CHIP(GF100), WINDOW(RAMIN), 0, one), bit == 17   ? 64 * MB
                                                           : bit == 18 ? 128 * MB
                                                           : bit == 19 ? 512 * MB
                                                           : bit == 23 ? 16 * MB
                                                                       : 32 * MB);
        EQUAL(size_of(CHIP(MCP89), WINDOW(PORTS), 0, one), bit == 16 ? 0x80 : 0);
        EQUAL(size_of(CHIP(NV3), WINDOW(RMA), one, one), 0x100);
        EQUAL(size_of(CHIP(NV1), WINDOW(MMIO), one, one), 32 * MB);
    }
    EQUAL(size_of(CHIP(G80), WINDOW(RAMIN), 0, 0x000e0000), 4096 * MB);
    EQUAL(size_of(CHIP(RSX), WINDOW(MMIO), 0, 0), 0);
    /* PORTS only with bit 16 of set 1 */
    EQUAL(size_of(CHIP(G80), WINDOW(PORTS), 0, 0x00010000), 0x80);
    EQUAL(size_of(CHIP(G80), WINDOW(PORTS), 0, 0xfffeffff), 0);
    /* not documented */
    EQUAL(size_of(CHIP(NV40), WINDOW(RAMIN), 0, 0), 0);
    EQUAL(size_of(CHIP(NV40), WINDOW(ROM), 0, 0), 0);
    {
        uint64_t bytes = 0x5a;
        EQUAL(gpucmd_nv_bar_bytes(CHIP(NV40), WINDOW(ROM), 0, 0, &bytes), GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_nv_bar_bytes(CHIP(NV40), WINDOW(RAMIN), 0, 0, &bytes), GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_nv_bar_bytes(CHIP(G80), WINDOW(PORTS), 0, 0, &bytes), GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_nv_bar_bytes(CHIP(NV40), WINDOW(PORTS), 0, 0x10000, &bytes),
              GPUCMD_UNSUPPORTED);
        EQUAL(bytes, 0x5a);
    }
}

/* A window as an array of registers, which notes the last access. */
typedef struct window_regs {
    uint32_t at_off_bytes;
    uint32_t v;
    unsigned reads, writes;
} window_regs;

static uint32_t regs_read(void *user, uint64_t off_bytes)
{
    window_regs *regs = (window_regs *)user;
    regs->at_off_bytes = (uint32_t)off_bytes;
    regs->reads++;
    return regs->v;
}

static void regs_write(void *user, uint64_t off_bytes, uint32_t v)
{
    window_regs *regs = (window_regs *)user;
    regs->at_off_bytes = (uint32_t)off_bytes;
    regs->v = v;
    regs->writes++;
}

static void ports(void)
{
    window_regs regs[3];
    gpucmd_mmio window[3];
    gpucmd_nv_ports p;
    gpucmd_mmio io;
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    uint32_t v = 0;
    memset(regs, 0, sizeof regs);
    for (unsigned i = 0; i < 3; i++) {
        window[i].read32 = regs_read;
        window[i].write32 = regs_write;
        window[i].user = &regs[i];
    }
    gpucmd_nv_ports_init(&p, &window[0], &window[1], &window[2]);
    io.read32 = gpucmd_nv_ports_read32;
    io.write32 = gpucmd_nv_ports_write32;
    io.user = &p;

    /* the signature reads always; everything else is all ones while disabled, and writes are
     * lost */
    EQUAL(io.read32(&p, 0x00), 0x2469fdb9);
    for (uint32_t off = 4; off < 0x80; off += 4) {
        EQUAL(io.read32(&p, off), 0xffffffff);
    }
    io.write32(&p, 0x08, 0x1234);
    io.write32(&p, 0x00, 0xfffffffe); /* only bit 0 counts */
    EQUAL(io.read32(&p, 0x08), 0xffffffff);
    io.write32(&p, 0x00, 1);
    EQUAL(io.read32(&p, 0x00), 0x2469fdb9);
    EQUAL(io.read32(&p, 0x08), 0);

    /* data ports that are not enabled keep the last value written */
    io.write32(&p, 0x0c, 0xabcd);
    EQUAL(io.read32(&p, 0x0c), 0xabcd);
    EQUAL(regs[0].reads + regs[0].writes, 0);
    io.write32(&p, 0x04, 0xfffffffe);
    EQUAL(io.read32(&p, 0x04), 0);
    io.write32(&p, 0x04, 0xffffffff);
    EQUAL(io.read32(&p, 0x04), 1);

    /* address masks: bits 23:2, and 31:2 for VRAM */
    io.write32(&p, 0x08, 0xffffffff);
    io.write32(&p, 0x10, 0xffffffff);
    io.write32(&p, 0x18, 0xffffffff);
    EQUAL(io.read32(&p, 0x08), 0x00fffffc);
    EQUAL(io.read32(&p, 0x10), 0xfffffffc);
    EQUAL(io.read32(&p, 0x18), 0x00fffffc);
    io.write32(&p, 0x14, 77);
    EQUAL(regs[1].at_off_bytes, 0xfffffffc);
    EQUAL(regs[1].v, 77);
    EQUAL(io.read32(&p, 0x14), 77);
    for (uint32_t off = 0x20; off < 0x80; off += 4) { /* empty ports */
        io.write32(&p, off, 0xffffffff);
        EQUAL(io.read32(&p, off), 0);
    }
    EQUAL(io.read32(&p, 0x0a), 0); /* between two ports */
    io.write32(&p, 0x0a, 0);
    EQUAL(io.read32(&p, 0x08), 0x00fffffc);

    /* each data port has its window and its latch */
    io.write32(&p, 0x04, 0);
    EQUAL(io.read32(&p, 0x0c), 0xabcd); /* what was last written to it */
    for (uint32_t i = 0; i < 3; i++) {
        io.write32(&p, 0x0c + 8 * i, 0x50 + i);
    }
    for (uint32_t i = 0; i < 3; i++) {
        regs[i].reads = regs[i].writes = 0;
        EQUAL(io.read32(&p, 0x0c + 8 * i), 0x50 + i);
    }
    io.write32(&p, 0x04, 1);
    for (uint32_t i = 0; i < 3; i++) {
        io.write32(&p, 0x08 + 8 * i, 0x100 * (i + 1));
        regs[i].v = 0x70 + i;
        EQUAL(io.read32(&p, 0x0c + 8 * i), 0x70 + i);
        EQUAL(regs[i].at_off_bytes, 0x100 * (i + 1));
        EQUAL(regs[i].reads, 1);
        EQUAL(regs[i].writes, 0);
        io.write32(&p, 0x0c + 8 * i, 0x90 + i);
        EQUAL(regs[i].v, 0x90 + i);
        EQUAL(regs[i].writes, 1);
    }
    io.write32(&p, 0x00, 0); /* off again: nothing reaches a window, and the state stays */
    io.write32(&p, 0x0c, 1);
    io.write32(&p, 0x04, 0);
    EQUAL(io.read32(&p, 0x0c), 0xffffffff);
    EQUAL(regs[0].v, 0x90);
    EQUAL(regs[0].writes, 1);
    io.write32(&p, 0x00, 3);
    EQUAL(io.read32(&p, 0x04), 1);
    EQUAL(io.read32(&p, 0x08), 0x100);

    /* the CPU's side */
    gpucmd_nv_ports_init(&p, &window[0], &window[1], &window[2]);
    regs[2].v = 0x5eed;
    EQUAL(gpucmd_nv_port_read32(&io, WINDOW(RAMIN), 0x123450, &v), GPUCMD_OK);
    EQUAL(v, 0x5eed);
    EQUAL(regs[2].at_off_bytes, 0x123450);
    EQUAL(gpucmd_nv_port_write32(&io, WINDOW(MMIO), 0x000140, 1), GPUCMD_OK);
    EQUAL(regs[0].at_off_bytes, 0x140);
    EQUAL(regs[0].v, 1);
    EQUAL(gpucmd_nv_port_write32(&io, WINDOW(VRAM), 0xc0000000, 9), GPUCMD_OK);
    EQUAL(regs[1].at_off_bytes, 0xc0000000);
    EQUAL(gpucmd_nv_port_read32(&window[0], WINDOW(MMIO), 0, &v), GPUCMD_UNSUPPORTED);

    /* the steps: 0x00 and 0x04 enable, then the address, then the data */
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(RAMIN), 0x10, true, 5), GPUCMD_OK);
    EQUAL(steps[0].off_bytes, 0x00);
    EQUAL(steps[0].v, 1);
    EQUAL(steps[1].off_bytes, 0x04);
    EQUAL(steps[1].v, 1);
    EQUAL(steps[2].off_bytes, 0x18);
    EQUAL(steps[2].v, 0x10);
    EQUAL(steps[3].off_bytes, 0x1c);
    EQUAL(steps[3].v, 5);
    CHECK(steps[0].is_write && steps[1].is_write && steps[2].is_write && steps[3].is_write);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(VRAM), 0x10, false, 5), GPUCMD_OK);
    EQUAL(steps[2].off_bytes, 0x10);
    EQUAL(steps[3].off_bytes, 0x14);
    CHECK(!steps[3].is_write);
    EQUAL(steps[3].v, 0);
    CHECK(steps[0].is_write && steps[1].is_write && steps[2].is_write);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(MMIO), 0x00fffffc, true, 7), GPUCMD_OK);
    EQUAL(steps[2].off_bytes, 0x08);
    EQUAL(steps[2].v, 0x00fffffc);
    EQUAL(steps[3].off_bytes, 0x0c);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(MMIO), 0x01000000, false, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(RAMIN), 0x01000000, false, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(MMIO), 2, false, 0), GPUCMD_ALIGN);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(VRAM), 0xffffffff, false, 0), GPUCMD_ALIGN);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(PORTS), 0, false, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(ROM), 0, false, 0), GPUCMD_RANGE);
    EQUAL(steps[2].v, 0x00fffffc); /* untouched */
    v = 0x5a;
    EQUAL(gpucmd_nv_port_read32(&io, WINDOW(ROM), 0, &v), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_port_write32(&io, WINDOW(MMIO), 3, 0), GPUCMD_ALIGN);
    EQUAL(v, 0x5a);
}

static void endian_switch(void)
{
    window_regs regs = {0, 0x11223344, 0, 0};
    const gpucmd_mmio inner = {regs_read, regs_write, &regs};
    gpucmd_nv_pmc pmc = {CHIP(NV1A), false, &inner, NULL};
    EQUAL(gpucmd_nv_pmc_read32(&pmc, 0x004), 0);
    EQUAL(gpucmd_nv_pmc_read32(&pmc, 0x100), 0x11223344);
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0xfeffffff); /* bit 24 clear: nothing */
    EQUAL(pmc.big_endian, false);
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0x01000000); /* toggles */
    EQUAL(pmc.big_endian, true);
    EQUAL(gpucmd_nv_pmc_read32(&pmc, 0x004), 0x01000001);
    EQUAL(gpucmd_nv_pmc_read32(&pmc, 0x100), 0x44332211);
    gpucmd_nv_pmc_write32(&pmc, 0x104, 0xaabbccdd);
    EQUAL(regs.v, 0xddccbbaa);
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0x01000001);
    EQUAL(pmc.big_endian, false);
    pmc.chip = CHIP(NV15); /* always little-endian before NV1A */
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0x01000000);
    EQUAL(pmc.big_endian, false);
    EQUAL(regs.at_off_bytes, 0x004);
    pmc.chip = CHIP(NV1A); /* 1 from either kind of CPU makes it that CPU's order */
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0x00000001);
    EQUAL(pmc.big_endian, false);
    pmc.big_endian = true;
    gpucmd_nv_pmc_write32(&pmc, 0x004, 0x00000001);
    EQUAL(pmc.big_endian, false);
}

/* The switch in front of RAMIN, of the ports, and of the aliases of VGA. */
static void endian_windows(void)
{
    window_regs regs = {0, 0x11223344, 0, 0};
    window_regs ramin_regs = {0, 0x55667788, 0, 0};
    const gpucmd_mmio inner = {regs_read, regs_write, &regs};
    const gpucmd_mmio ramin = {regs_read, regs_write, &ramin_regs};
    gpucmd_nv_pmc pmc = {CHIP(G80), false, &inner, &ramin};
    const gpucmd_mmio cpu_mmio = {gpucmd_nv_pmc_read32, gpucmd_nv_pmc_write32, &pmc};
    const gpucmd_mmio cpu_ramin = {gpucmd_nv_pmc_ramin_read32, gpucmd_nv_pmc_ramin_write32, &pmc};
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t off_bytes;
        bool swapped;
    } places[] = {
        {CHIP(NV1A),  0x09fffc, true }, /* PRMFB */
        {CHIP(NV1A),  0x0a0000, false},
        {CHIP(NV1A),  0x0bfffc, false},
        {CHIP(NV1A),  0x0c0000, false}, /* PRMVIO, a second one from NV40 on */
        {CHIP(NV1A),  0x0c0ffc, false},
        {CHIP(NV1A),  0x0c1000, true },
        {CHIP(RSX),   0x0c0000, false},
        {CHIP(NV34),  0x0c2000, true },
        {CHIP(NV40),  0x0c2000, false},
        {CHIP(NV40),  0x0c2ffc, false},
        {CHIP(NV40),  0x0c3000, true },
        {CHIP(G80),   0x0c0000, true },
        {CHIP(G80),   0x0c2000, true },
        {CHIP(NV1A),  0x601000, false}, /* PRMCIO, a second one NV11 until NV20, NV25 until G80 */
        {CHIP(NV1A),  0x601ffc, false},
        {CHIP(NV1A),  0x600ffc, true },
        {CHIP(NV1A),  0x602000, true },
        {CHIP(NV40),  0x0c1000, true },
        {CHIP(NV1A),  0x603000, true },
        {CHIP(NV11),  0x603000, false},
        {CHIP(NV18),  0x603ffc, false},
        {CHIP(NV20),  0x603000, true },
        {CHIP(NV2A),  0x603000, true },
        {CHIP(NV25),  0x603000, false},
        {CHIP(RSX),   0x603ffc, false},
        {CHIP(RSX),   0x604000, true },
        {CHIP(G80),   0x601000, false}, /* PRMIO */
        {CHIP(TU102), 0x601ffc, false},
        {CHIP(G80),   0x602000, true },
        {CHIP(G80),   0x603000, true },
        {CHIP(NV1A),  0x681000, false}, /* PRMDIO, two as well */
        {CHIP(NV1A),  0x681ffc, false},
        {CHIP(NV1A),  0x682000, true },
        {CHIP(NV1A),  0x683000, true },
        {CHIP(NV11),  0x683000, false},
        {CHIP(NV18),  0x683ffc, false},
        {CHIP(NV20),  0x683000, true },
        {CHIP(NV25),  0x683000, false},
        {CHIP(RSX),   0x681000, false},
        {CHIP(RSX),   0x683ffc, false},
        {CHIP(G80),   0x681000, true },
        {CHIP(G80),   0x683000, true },
        {CHIP(GB207), 0x0a0000, false},
        {CHIP(RSX),   0x0c2ffc, false},
        {CHIP(NV11),  0x684000, true },
        {CHIP(RSX),   0x684000, true },
        {CHIP(NV2A),  0x683000, true },
    };
    gpucmd_nv_ports ports;
    gpucmd_mmio io = {gpucmd_nv_ports_read32, gpucmd_nv_ports_write32, &ports};
    uint32_t v = 0;

    EQUAL(cpu_ramin.read32(&pmc, 4), 0x55667788); /* RAMIN contains no switch */
    cpu_ramin.write32(&pmc, 4, 0x01000000);
    EQUAL(pmc.big_endian, false);
    EQUAL(ramin_regs.v, 0x01000000);
    pmc.big_endian = true;
    cpu_ramin.write32(&pmc, 0x10, 0x88776655);
    EQUAL(ramin_regs.v, 0x55667788);
    EQUAL(ramin_regs.at_off_bytes, 0x10);
    EQUAL(cpu_ramin.read32(&pmc, 0x20), 0x88776655);
    EQUAL(ramin_regs.at_off_bytes, 0x20);
    EQUAL(regs.reads + regs.writes, 0);

    /* through the ports the same swap as in front of them (MODEL) */
    gpucmd_nv_ports_init(&ports, &cpu_mmio, NULL, &cpu_ramin);
    EQUAL(gpucmd_nv_port_read32(&io, WINDOW(MMIO), 0x200, &v), GPUCMD_OK);
    EQUAL(v, 0x44332211);
    EQUAL(gpucmd_nv_port_read32(&io, WINDOW(RAMIN), 0x200, &v), GPUCMD_OK);
    EQUAL(v, 0x88776655);
    EQUAL(gpucmd_nv_port_read32(&io, WINDOW(VRAM), 0x200, &v), GPUCMD_OK);
    EQUAL(v, 0); /* no window there */
    EQUAL(gpucmd_nv_port_write32(&io, WINDOW(VRAM), 0x200, 1), GPUCMD_OK);
    pmc.ramin = NULL;
    cpu_ramin.write32(&pmc, 0x10, 1);
    EQUAL(cpu_ramin.read32(&pmc, 0x10), 0);

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        pmc.chip = places[i].chip;
        regs.v = 0x11223344;
        if (!EQUAL(cpu_mmio.read32(&pmc, places[i].off_bytes),
                   places[i].swapped ? 0x44332211 : 0x11223344)) {
            printf("    %s 0x%06x\n", gpucmd_nv_chip_name(places[i].chip), places[i].off_bytes);
        }
        cpu_mmio.write32(&pmc, places[i].off_bytes, 0xaabbccdd);
        EQUAL(regs.v, places[i].swapped ? 0xddccbbaa : 0xaabbccdd);
    }
}

typedef struct place_row {
    gpucmd_nv_chip chip;
    bool new_style;
    uint32_t channel;
    gpucmd_status status;
    gpucmd_nv_window window;
    uint64_t off_bytes;
    uint32_t bytes;
} place_row;

static const place_row places[] = {
    {CHIP(NV1),   false, 127,  GPUCMD_OK,          WINDOW(MMIO),   0xff0000, 0x10000},
    {CHIP(NV4),   false, 15,   GPUCMD_OK,          WINDOW(MMIO),   0x8f0000, 0x10000},
    {CHIP(NV4),   false, 16,   GPUCMD_RANGE,       WINDOW(MMIO),   0,        0      },
    {CHIP(NV10),  false, 31,   GPUCMD_OK,          WINDOW(MMIO),   0x9f0000, 0x10000},
    {CHIP(NV40),  false, 31,   GPUCMD_OK,          WINDOW(MMIO),   0x9f0000, 0x10000},
    {CHIP(NV40),  true,  2,    GPUCMD_OK,          WINDOW(MMIO),   0xc02000, 0x1000 },
    {CHIP(NV40),  true,  512,  GPUCMD_RANGE,       WINDOW(MMIO),   0,        0      },
    {CHIP(NV34),  true,  0,    GPUCMD_UNSUPPORTED, WINDOW(MMIO),   0,        0      },
    {CHIP(G80),   false, 0,    GPUCMD_OK,          WINDOW(MMIO),   0x800000, 0x2000 },
    {CHIP(G80),   false, 1,    GPUCMD_RANGE,       WINDOW(MMIO),   0,        0      },
    {CHIP(G80),   true,  0,    GPUCMD_RANGE,       WINDOW(MMIO),   0,        0      },
    {CHIP(G80),   true,  1,    GPUCMD_OK,          WINDOW(MMIO),   0xc02000, 0x2000 },
    {CHIP(G80),   true,  126,  GPUCMD_OK,          WINDOW(MMIO),   0xcfc000, 0x2000 },
    {CHIP(G80),   true,  127,  GPUCMD_RANGE,       WINDOW(MMIO),   0,        0      },
    {CHIP(GF100), true,  127,  GPUCMD_OK,          WINDOW(VRAM),   0x7f000,  0x1000 },
    {CHIP(GF100), true,  128,  GPUCMD_RANGE,       WINDOW(VRAM),   0,        0      },
    {CHIP(GK104), true,  4095, GPUCMD_OK,          WINDOW(VRAM),   0x1ffe00, 0x200  },
    {CHIP(GV100), true,  7,    GPUCMD_OK,          WINDOW(MEMORY), 0,        0x200  },
    {CHIP(TU117), true,  4095, GPUCMD_OK,          WINDOW(MEMORY), 0,        0x200  },
    {CHIP(GA100), true,  2047, GPUCMD_OK,          WINDOW(MEMORY), 0,        0x200  },
    {CHIP(GA100), true,  2048, GPUCMD_RANGE,       WINDOW(MEMORY), 0,        0      },
    {CHIP(GV100), false, 0,    GPUCMD_UNSUPPORTED, WINDOW(MEMORY), 0,        0      },
};

static void areas(void)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const place_row *row = &places[i];
        gpucmd_nv_window window = WINDOW(MMIO);
        uint64_t off_bytes = 0;
        uint32_t bytes = 0;
        EQUAL(gpucmd_nv_area_place(row->chip, row->channel, row->new_style, &window, &off_bytes,
                                   &bytes),
              row->status);
        EQUAL(bytes, row->bytes);
        EQUAL(off_bytes, row->off_bytes);
        EQUAL(window == row->window || row->status != GPUCMD_OK, true);
    }
}

static void registers(void)
{
    const uint32_t R = GPUCMD_ACCESS_READ;
    const uint32_t W = GPUCMD_ACCESS_WRITE;
    /* DMA_PUT is written only outside IB mode */
    EQUAL(gpucmd_nv_area_access(CHIP(NV4), 0x40, false), R | W);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x40, true), R);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x4c, false), R | W);
    EQUAL(gpucmd_nv_area_access(CHIP(NV40), 0x4c, false), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(NV4), 0x44, false), R);
    /* REF from NV10, CGET NV40 until GF100 and not in IB mode */
    EQUAL(gpucmd_nv_area_access(CHIP(NV5), 0x48, false), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(NV10), 0x48, false), R);
    EQUAL(gpucmd_nv_area_access(CHIP(NV34), 0x54, false), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(NV40), 0x54, false), R);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x54, true), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(GF100), 0x54, true), 0);
    /* 0x60: context DMA of the semaphore before G80, GetHi on G80 and later */
    EQUAL(gpucmd_nv_area_access(CHIP(NV17), 0x60, false), W);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x60, true), R);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x64, true), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x8c, true), R | W);
    EQUAL(gpucmd_nv_area_access(CHIP(NV40), 0x8c, false), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(TU102), 0x88, true), R);
    /* Blackwell has only GP_PUT */
    EQUAL(gpucmd_nv_area_access(CHIP(GB100), 0x8c, true), R | W);
    for (uint32_t off = 0; off < 0x200; off += 4) {
        EQUAL(gpucmd_nv_area_access(CHIP(GB202), off, true), off == 0x8c ? R | W : 0);
    }
    CHECK(strcmp(gpucmd_nv_area_name(CHIP(NV17), 0x60), "SEM_CTXDMA") == 0);
    CHECK(strcmp(gpucmd_nv_area_name(CHIP(G80), 0x60), "DMA_GET_HIGH") == 0);
    CHECK(strcmp(gpucmd_nv_area_name(CHIP(NV4), 0x8c), "?") == 0);
}

/* 40-bit positions: low before high when reading, high before low when writing. */
static void positions(void)
{
    gpucmd_nv_pusher p;
    gpucmd_mmio area = {gpucmd_nv_pusher_read32, gpucmd_nv_pusher_write32, &p};
    EQUAL(gpucmd_nv_pusher_init(&p, CHIP(G80)), GPUCMD_OK);
    gpucmd_nv_area_write_put40(&area, 0x1280001000);
    EQUAL(p.dma_put, 0x1280001000);
    EQUAL(gpucmd_nv_area_read40(&area, GPUCMD_NV_AREA_DMA_PUT), 0x1280001000);
    p.dma_get = 0xff00000004;
    EQUAL(gpucmd_nv_area_read40(&area, GPUCMD_NV_AREA_DMA_GET), 0xff00000004);
    p.dma_mget = 0x3400000008;
    EQUAL(gpucmd_nv_area_read40(&area, GPUCMD_NV_AREA_DMA_MGET), 0x3400000008);
    p.dma_mget_val = true;
    EQUAL(gpucmd_nv_area_read40(&area, GPUCMD_NV_AREA_DMA_MGET), 0x8000003400000008);

    /* The race: a second reader's read of the low half replaces the latch that the
     * first one still needs. */
    p.dma_get = 0x00fffffffc;
    EQUAL(area.read32(&p, GPUCMD_NV_AREA_DMA_GET), 0xfffffffc); /* first reader, low */
    p.dma_get = 0x0100000000;                                   /* the GPU continues */
    EQUAL(gpucmd_nv_area_read40(&area, GPUCMD_NV_AREA_DMA_GET), 0x0100000000); /* second reader */
    EQUAL(area.read32(&p, GPUCMD_NV_AREA_DMA_GET_HIGH), 0x01); /* first reader, high: torn */

    /* A high half written and not yet taken along does not read back. */
    area.write32(&p, GPUCMD_NV_AREA_DMA_PUT_HIGH, 0x55);
    EQUAL(area.read32(&p, GPUCMD_NV_AREA_DMA_PUT_HIGH), 0x12);
    EQUAL(p.dma_put, 0x1280001000);
    area.write32(&p, GPUCMD_NV_AREA_DMA_PUT, 0x20);
    EQUAL(p.dma_put, 0x5500000020);
    area.write32(&p, GPUCMD_NV_AREA_DMA_PUT, 0x24); /* the write latch stays */
    EQUAL(p.dma_put, 0x5500000024);
}

int main(void)
{
    windows();
    every_chip();
    numbers();
    straps();
    ports();
    endian_switch();
    endian_windows();
    areas();
    registers();
    positions();
    return test_report("nv_bar");
}

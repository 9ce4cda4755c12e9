/* PCI windows, IO ports, endian switch, and the places and registers of control
 * areas. Expected values are typed from envytools bars.rst, pstraps.rst, pmc.rst,
 * mmio.rst and from the class headers named in the rows. */
#define GPUCMD_IMPLEMENTATION
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
    }
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

/* Size that the straps give, or 0 if there is none. */
static uint64_t size_of(gpucmd_nv_chip chip, gpucmd_nv_window window, uint32_t strap0,
                        uint32_t strap1)
{
    uint64_t bytes = 0;
    return gpucmd_nv_bar_bytes(chip, window, strap0, strap1, &bytes) == GPUCMD_OK ? bytes : 0;
}

static void straps(void)
{
    /* fixed sizes look at no strap */
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
    /* PORTS only with bit 16 of set 1 */
    EQUAL(size_of(CHIP(G80), WINDOW(PORTS), 0, 0x00010000), 0x80);
    EQUAL(size_of(CHIP(G80), WINDOW(PORTS), 0, 0xfffeffff), 0);
    /* nobody tells */
    EQUAL(size_of(CHIP(NV40), WINDOW(RAMIN), 0, 0), 0);
    EQUAL(size_of(CHIP(NV40), WINDOW(ROM), 0, 0), 0);
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

    /* the signature reads always; everything else is all ones while disabled, and writes are lost */
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
    EQUAL(io.read32(&p, 0x20), 0); /* empty ports */

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
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(MMIO), 0x01000000, false, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(MMIO), 2, false, 0), GPUCMD_ALIGN);
    EQUAL(gpucmd_nv_encode_port(steps, WINDOW(ROM), 0, false, 0), GPUCMD_RANGE);
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
    /* 0x60: the semaphore's context DMA before G80, GetHi since */
    EQUAL(gpucmd_nv_area_access(CHIP(NV17), 0x60, false), W);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x60, true), R);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x64, true), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x8c, true), R | W);
    EQUAL(gpucmd_nv_area_access(CHIP(NV40), 0x8c, false), 0);
    EQUAL(gpucmd_nv_area_access(CHIP(TU102), 0x88, true), R);
    /* Blackwell keeps GP_PUT alone */
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
    p.dma_get = 0x0100000000;                                   /* the GPU goes on */
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
    straps();
    ports();
    endian_switch();
    areas();
    registers();
    positions();
    return test_report("nv_bar");
}

/* The channel control area: every offset on every chip in both modes, the 40-bit positions, the
 * address of every channel, and MMIO accesses of a driver. Expected values are typed from envytools
 * (dma-pusher.rst, mmio.rst, nv4_pfifo.xml), the control structures of the class headers, and the
 * manuals of GV100 and GA100 (dev_ram). */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"

static gpucmd_nv_card card;

#define CHIP(name) GPUCMD_NV_CHIP_##name

enum { R = GPUCMD_ACCESS_READ, W = GPUCMD_ACCESS_WRITE, RW = R | W };

/* ---- offsets and their access ---- */

/* Access to one offset, from this chip until the chip of the next row for that offset: outside IB
 * mode and in IB mode. GF100 and later have only IB mode. */
typedef struct reg_row {
    uint32_t off;
    gpucmd_nv_chip since;
    uint32_t ring, ib;
    const char *name;
} reg_row;

static const reg_row regs[] = {
    {0x10, CHIP(NV1),   0,  0,  "?"             }, /* FREE, of PIO */
    {0x40, CHIP(NV1),   0,  0,  "?"             },
    {0x40, CHIP(NV4),   RW, 0,  "DMA_PUT"       }, /* "only writable when not in IB mode" */
    {0x40, CHIP(G80),   RW, R,  "DMA_PUT"       },
    {0x40, CHIP(GF100), R,  R,  "DMA_PUT"       },
    {0x40, CHIP(GB100), 0,  0,  "?"             },
    {0x44, CHIP(NV1),   0,  0,  "?"             },
    {0x44, CHIP(NV4),   R,  R,  "DMA_GET"       },
    {0x44, CHIP(GB100), 0,  0,  "?"             },
    {0x48, CHIP(NV1),   0,  0,  "?"             },
    {0x48, CHIP(NV10),  R,  R,  "REF"           },
    {0x48, CHIP(GB100), 0,  0,  "?"             },
    {0x4c, CHIP(NV1),   0,  0,  "?"             },
    {0x4c, CHIP(G80),   RW, R,  "DMA_PUT_HIGH"  },
    {0x4c, CHIP(GF100), R,  R,  "DMA_PUT_HIGH"  },
    {0x4c, CHIP(GB100), 0,  0,  "?"             },
    {0x50, CHIP(NV1),   0,  0,  "?"             },
    {0x50, CHIP(NV4),   W,  W,  "STALL_NOTIFIER"}, /* [006C] */
    {0x50, CHIP(NV10),  W,  W,  "SET_REFERENCE" }, /* 006E to 866F */
    {0x50, CHIP(GF100), RW, RW, "REF_THRESHOLD" }, /* [906F], "GF100+ only", R/W */
    {0x50, CHIP(GK104), 0,  0,  "?"             }, /* A06F and later ignore it */
    {0x54, CHIP(NV1),   0,  0,  "?"             },
    {0x54, CHIP(NV4),   W,  W,  "STALL_CHANNEL" },
    {0x54, CHIP(NV10),  0,  0,  "?"             },
    {0x54, CHIP(NV40),  R,  R,  "DMA_CGET"      }, /* only in NV4-style mode */
    {0x54, CHIP(G80),   R,  0,  "DMA_CGET"      },
    {0x54, CHIP(GF100), 0,  0,  "?"             },
    {0x58, CHIP(NV1),   0,  0,  "?"             },
    {0x58, CHIP(G80),   R,  R,  "DMA_MGET"      },
    {0x58, CHIP(GB100), 0,  0,  "?"             },
    {0x5c, CHIP(NV1),   0,  0,  "?"             },
    {0x5c, CHIP(G80),   R,  R,  "DMA_MGET_HIGH" },
    {0x5c, CHIP(GB100), 0,  0,  "?"             },
    {0x60, CHIP(NV1),   0,  0,  "?"             },
    {0x60, CHIP(NV1A),  W,  W,  "SEM_CTXDMA"    }, /* 206E to 446E */
    {0x60, CHIP(G80),   R,  R,  "DMA_GET_HIGH"  },
    {0x60, CHIP(GB100), 0,  0,  "?"             },
    {0x64, CHIP(NV1),   0,  0,  "?"             },
    {0x64, CHIP(NV1A),  W,  W,  "SEM_OFFSET"    },
    {0x64, CHIP(G80),   0,  0,  "?"             },
    {0x68, CHIP(NV1),   0,  0,  "?"             },
    {0x68, CHIP(NV1A),  W,  W,  "SEM_ACQUIRE"   },
    {0x68, CHIP(G80),   0,  0,  "?"             },
    {0x6c, CHIP(NV1),   0,  0,  "?"             },
    {0x6c, CHIP(NV1A),  W,  W,  "SEM_RELEASE"   },
    {0x6c, CHIP(G80),   0,  0,  "?"             },
    {0x80, CHIP(NV1),   0,  0,  "?"             },
    {0x80, CHIP(NV44),  W,  W,  "YIELD"         }, /* 446E to 866F */
    {0x80, CHIP(GF100), 0,  0,  "?"             },
    {0x88, CHIP(NV1),   0,  0,  "?"             },
    {0x88, CHIP(G80),   R,  R,  "IB_GET"        },
    {0x88, CHIP(GB100), 0,  0,  "?"             },
    {0x8c, CHIP(NV1),   0,  0,  "?"             },
    {0x8c, CHIP(G80),   R,  RW, "IB_PUT"        },
    {0x8c, CHIP(GF100), RW, RW, "IB_PUT"        }, /* the only register of Blackwell */
};

static void offsets(void)
{
    for (unsigned c = 0; c < (unsigned)GPUCMD_NV_CHIP_COUNT; c++) {
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)c;
        for (uint32_t off = 0; off < 0x200; off++) {
            const reg_row *want = NULL;
            uint32_t ib;
            for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++) {
                want = regs[i].off == off && regs[i].since <= chip ? &regs[i] : want;
            }
            ib = want == NULL ? 0 : chip < CHIP(G80) ? want->ring : want->ib;
            if (!EQUAL(gpucmd_nv_area_access(chip, off, false), want != NULL ? want->ring : 0) ||
                !EQUAL(gpucmd_nv_area_access(chip, off, true), ib) ||
                !CHECK(strcmp(gpucmd_nv_area_name(chip, off), want != NULL ? want->name : "?") ==
                       0)) {
                printf("    %s 0x%02x\n", gpucmd_nv_chip_name(chip), off);
            }
        }
    }
    EQUAL(gpucmd_nv_area_access(CHIP(G80), 0x100000040, false), 0);
}

/* ---- the executor implements the access of each offset ---- */

/* Read all offsets of an area twice and write them all. Only writable registers may change. */
static void model(gpucmd_nv_chip chip, bool ib)
{
    gpucmd_nv_channel ch;
    if (!EQUAL(gpucmd_nv_channel_init(&ch, chip, &card), GPUCMD_OK)) {
        return;
    }
    ch.pusher.ib_enable = ib;
    ch.pusher.ib_order = 4;
    ch.pusher.dma_put = 0x1200000100;
    ch.pusher.dma_get = 0x3400000200;
    ch.pusher.dma_mget = 0x5600000300;
    ch.pusher.dma_mget_val = true;
    ch.pusher.ref = 0x77;
    ch.pusher.ib_get = 3;
    ch.pusher.ib_put = 4;
    ch.pbdma.pb_put = 0x1200000100;
    ch.pbdma.pb_get = 0x3400000200;
    ch.pbdma.top_level_get = 0x5600000300;
    ch.pbdma.top_level_get_valid = true;
    ch.pbdma.ref = 0x77;
    ch.pbdma.gp_get = 3;
    ch.pbdma.gp_put = 4;
    for (uint32_t off = 0; off < 0x200; off += 4) {
        const uint32_t access = gpucmd_nv_area_access(chip, off, ib);
        const uint32_t want = off == 0x40   ? 0x100
                              : off == 0x44 ? 0x200
                              : off == 0x48 ? 0x77
                              : off == 0x4c ? 0x12
                              : off == 0x54 ? 0x200
                              : off == 0x58 ? 0x300
                              : off == 0x5c ? 0x80000056
                              : off == 0x60 ? 0x34
                              : off == 0x88 ? 3
                              : off == 0x8c ? 4
                                            : 0;
        (void)gpucmd_nv_channel_read32(&ch, 0x40); /* latch */
        (void)gpucmd_nv_channel_read32(&ch, 0x44);
        (void)gpucmd_nv_channel_read32(&ch, 0x58);
        if (!EQUAL(gpucmd_nv_channel_read32(&ch, off), (access & R) != 0 ? want : 0)) {
            printf("    %s 0x%02x\n", gpucmd_nv_chip_name(chip), off);
        }
    }
    for (uint32_t off = 0; off < 0x200; off += 4) {
        gpucmd_nv_channel before;
        gpucmd_nv_channel after;
        const uint32_t access = gpucmd_nv_area_access(chip, off, ib);
        memcpy(&before, &ch, sizeof ch);
        memcpy(&after, &ch, sizeof ch);
        gpucmd_nv_channel_write32(&after, off, 9);
        if ((access & W) == 0 || off == 0x54 || (off >= 0x60 && off <= 0x80) ||
            (off == 0x50 && chip < CHIP(NV10))) {
            CHECK(memcmp(&before, &after, sizeof ch) == 0);
        } else {
            CHECK(memcmp(&before, &after, sizeof ch) != 0);
        }
        if ((access & W) != 0 && off == 0x40) {
            EQUAL(after.pusher.dma_put, 8); /* bits 1:0 dropped */
        } else if ((access & W) != 0 && off == 0x50 && chip >= CHIP(NV10)) {
            EQUAL(chip < CHIP(GF100) ? after.pusher.ref : after.pbdma.ref_threshold, 9);
            EQUAL(gpucmd_nv_channel_read32(&after, 0x50), chip < CHIP(GF100) ? 0 : 9);
            EQUAL(gpucmd_nv_channel_read32(&after, 0x48), chip < CHIP(GF100) ? 9 : 0x77);
        } else if ((access & W) != 0 && off == 0x8c) {
            EQUAL(gpucmd_nv_channel_read32(&after, 0x8c), 9);
        }
    }
}

/* IB_PUT of a pusher keeps the low bits for a ring of 2^order entries (MODEL). IB_PUT of a PBDMA
 * keeps all bits; a value that is too large raises GPPTR. */
static void ib_put(void)
{
    gpucmd_nv_channel ch;
    EQUAL(gpucmd_nv_channel_init(&ch, CHIP(G80), &card), GPUCMD_OK);
    ch.id = 1;
    ch.pusher.ib_enable = true;
    for (uint32_t order = 0; order < 32; order++) {
        ch.pusher.ib_order = order;
        gpucmd_nv_channel_write32(&ch, 0x8c, 0xffffffff);
        EQUAL(gpucmd_nv_channel_read32(&ch, 0x8c), 0xffffffff & (((uint64_t)1 << order) - 1));
    }
    EQUAL(gpucmd_nv_channel_init(&ch, CHIP(GF100), &card), GPUCMD_OK);
    ch.id = 1;
    gpucmd_nv_channel_write32(&ch, 0x8c, 0xffffffff);
    EQUAL(gpucmd_nv_channel_read32(&ch, 0x8c), 0xffffffff);
}

/* ---- positions ---- */

/* Accesses of the two helpers, in order. */
static struct {
    unsigned count;
    struct {
        bool is_write;
        uint64_t off;
        uint32_t v;
    } at[8];
    uint32_t next[8]; /* results of reads */
} tape;

static uint32_t tape_read(void *user, uint64_t off_bytes)
{
    (void)user;
    tape.at[tape.count].is_write = false;
    tape.at[tape.count].off = off_bytes;
    return tape.next[tape.count++];
}

static void tape_write(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    tape.at[tape.count].is_write = true;
    tape.at[tape.count].off = off_bytes;
    tape.at[tape.count++].v = v;
}

static void order(void)
{
    static const uint32_t pairs[][2] = {
        {0x40, 0x4c},
        {0x44, 0x60},
        {0x58, 0x5c}
    };
    const gpucmd_mmio area = {tape_read, tape_write, NULL};
    for (unsigned i = 0; i < 3; i++) { /* low, then high, each once */
        memset(&tape, 0, sizeof tape);
        tape.next[0] = 0x89abcdef;
        tape.next[1] = 0x80000012;
        EQUAL(gpucmd_nv_area_read40(&area, pairs[i][0]), 0x8000001289abcdef);
        EQUAL(tape.count, 2);
        EQUAL(tape.at[0].off, pairs[i][0]);
        EQUAL(tape.at[1].off, pairs[i][1]);
        CHECK(!tape.at[0].is_write && !tape.at[1].is_write);
    }
    memset(&tape, 0, sizeof tape); /* high, then low, each once */
    gpucmd_nv_area_write_put40(&area, 0x1289abcdec);
    EQUAL(tape.count, 2);
    EQUAL(tape.at[0].off, 0x4c);
    EQUAL(tape.at[0].v, 0x12);
    EQUAL(tape.at[1].off, 0x40);
    EQUAL(tape.at[1].v, 0x89abcdec);
    CHECK(tape.at[0].is_write && tape.at[1].is_write);
}

/* Each pair of registers has its own latch. Only a read of the low half loads the latch. */
static void latches(void)
{
    static const uint32_t low[3] = {0x40, 0x44, 0x58};
    static const uint32_t high[3] = {0x4c, 0x60, 0x5c};
    gpucmd_nv_pusher p;
    EQUAL(gpucmd_nv_pusher_init(&p, CHIP(G80)), GPUCMD_OK);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 3; k++) {
            uint32_t before;
            p.dma_put = p.dma_get = p.dma_mget = (uint64_t)(0x10 + 3 * i + k) << 32;
            p.dma_mget_val = false;
            before = gpucmd_nv_pusher_read32(&p, high[k]);
            (void)gpucmd_nv_pusher_read32(&p, low[i]);
            EQUAL(gpucmd_nv_pusher_read32(&p, high[k]), i == k ? 0x10 + 3 * i + k : before);
            EQUAL(gpucmd_nv_pusher_read32(&p, high[k]), i == k ? 0x10 + 3 * i + k : before);
        }
    }
    /* a write of the high half moves neither PUT nor what is read; bits 31:8 are reserved */
    p.dma_put = 0x2200000000;
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x40), 0);
    gpucmd_nv_pusher_write32(&p, 0x4c, 0xffffff44);
    EQUAL(p.dma_put, 0x2200000000);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x4c), 0x22);
    gpucmd_nv_pusher_write32(&p, 0x40, 0x13);
    EQUAL(p.dma_put, 0x4400000010);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x4c), 0x22);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x40), 0x10);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x4c), 0x44);
    /* before G80 there is no high half */
    EQUAL(gpucmd_nv_pusher_init(&p, CHIP(NV40)), GPUCMD_OK);
    gpucmd_nv_pusher_write32(&p, 0x4c, 0x44);
    gpucmd_nv_pusher_write32(&p, 0x40, 0x10);
    EQUAL(p.dma_put, 0x10);
}

/* CGET: where the main buffer continues. MGET: the last word of a MAIN segment, if any. */
static void main_positions(void)
{
    static uint32_t words[64];
    static const gpucmd_region regions[] = {
        {0x1000, sizeof words, words, R}
    };
    static const uint32_t ring[] = {0x0003e400, /* LONG_NON_INC s7 0x400, count 1, and its word */
                                    1, 0x5a, 0};
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_nv_pusher p;
    EQUAL(gpucmd_mem_init(&mem, regions, 1), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_nv_pusher_init(&p, CHIP(NV40)), GPUCMD_OK);
    words[0] = 0x00001042; /* call 0x1040 */
    words[1] = 0;
    words[16] = 0;
    words[17] = 0x00020000; /* return */
    p.dma_get = 0x1000;
    p.dma_put = 0x1008;
    if (gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN) {
        p.big_endian = true;
    }
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x54), 0x1000);
    EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x44), 0x1040);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x54), 0x1004); /* subr_return */
    EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x54), 0x1004);
    EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x54), 0x1004); /* dma_get again */
    EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_DONE);
    EQUAL(gpucmd_nv_pusher_read32(&p, 0x54), 0x1008);

    /* IB mode: entry 0 is a SUBROUTINE, entry 1 MAIN, entry 2 a SUBROUTINE */
    EQUAL(gpucmd_nv_pusher_init(&p, CHIP(G80)), GPUCMD_OK);
    p.pfifo_endian = gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN;
    p.ib_enable = true;
    p.ib_address = 0x1000;
    p.ib_order = 2;
    p.ib_put = 3;
    words[0] = 0x1040;
    words[1] = 1 << 10 | 1 << 9;
    words[2] = 0x1044;
    words[3] = 2 << 10;
    words[4] = 0x104c;
    words[5] = 1 << 10 | 1 << 9;
    memcpy(&words[16], ring, sizeof ring);
    for (unsigned step = 0; step < 7; step++) {
        const bool valid = step >= 4; /* the first word of entry 1 was fetched */
        const uint64_t mget = step < 3 ? 0 : step == 3 ? 0x1044 : step == 4 ? 0x1048 : 0x104c;
        const uint64_t val = valid ? (uint64_t)1 << 63 : 0;
        const gpucmd_mmio area = {gpucmd_nv_pusher_read32, gpucmd_nv_pusher_write32, &p};
        EQUAL(gpucmd_nv_area_read40(&area, 0x58), mget | val);
        EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_DONE);
    }
    EQUAL(p.ib_get, 3);
    EQUAL(gpucmd_nv_pusher_step(&p, &env), GPUCMD_RUN_IDLE);
}

/* ---- addresses of control areas ---- */

typedef struct place_row {
    gpucmd_nv_chip first, last; /* chips with this rule */
    bool new_style;
    gpucmd_nv_window window;
    uint32_t base, stride, low, high;
} place_row;

static const place_row places[] = {
    {CHIP(NV1),   CHIP(NV3T),  false, GPUCMD_NV_WINDOW_MMIO,   0x800000, 0x10000, 0, 127 },
    {CHIP(NV4),   CHIP(NVA),   false, GPUCMD_NV_WINDOW_MMIO,   0x800000, 0x10000, 0, 15  },
    {CHIP(NV10),  CHIP(RSX),   false, GPUCMD_NV_WINDOW_MMIO,   0x800000, 0x10000, 0, 31  },
    {CHIP(NV40),  CHIP(RSX),   true,  GPUCMD_NV_WINDOW_MMIO,   0xc00000, 0x1000,  0, 511 },
    {CHIP(G80),   CHIP(MCP89), false, GPUCMD_NV_WINDOW_MMIO,   0x800000, 0x2000,  0, 0   },
    {CHIP(G80),   CHIP(MCP89), true,  GPUCMD_NV_WINDOW_MMIO,   0xc00000, 0x2000,  1, 126 },
    {CHIP(GF100), CHIP(GF117), true,  GPUCMD_NV_WINDOW_VRAM,   0,        0x1000,  0, 127 },
    {CHIP(GK104), CHIP(GP10B), true,  GPUCMD_NV_WINDOW_VRAM,   0,        0x200,   0, 4095},
    {CHIP(GV100), CHIP(TU117), true,  GPUCMD_NV_WINDOW_MEMORY, 0,        0x200,   0, 4095},
    {CHIP(GA100), CHIP(GB207), true,  GPUCMD_NV_WINDOW_MEMORY, 0,        0x200,   0, 2047},
};

static void all_places(void)
{
    for (unsigned c = 0; c < (unsigned)GPUCMD_NV_CHIP_COUNT; c++) {
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)c;
        for (int style = 0; style < 2; style++) {
            const place_row *want = NULL;
            for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
                if (places[i].first <= chip && chip <= places[i].last &&
                    places[i].new_style == (style == 1)) {
                    want = &places[i];
                }
            }
            for (uint32_t id = 0; id < 4100; id++) {
                gpucmd_nv_window window = GPUCMD_NV_WINDOW_ROM;
                uint64_t off = 0x5a;
                uint32_t bytes = 0x5a;
                const bool good = want != NULL && want->low <= id && id <= want->high;
                EQUAL(gpucmd_nv_area_place(chip, id, style == 1, &window, &off, &bytes),
                      good           ? GPUCMD_OK
                      : want == NULL ? GPUCMD_UNSUPPORTED
                                     : GPUCMD_RANGE);
                EQUAL(window, good ? want->window : GPUCMD_NV_WINDOW_ROM);
                EQUAL(bytes, good ? want->stride : 0x5a);
                EQUAL(off, !good ? 0x5a
                           : want->window == GPUCMD_NV_WINDOW_MEMORY
                               ? 0
                               : want->base + id * want->stride);
                if (good && want->window != GPUCMD_NV_WINDOW_MEMORY) { /* the inverse */
                    uint32_t channel = 0x5a;
                    uint32_t reg = 0x5a;
                    bool is_new = style == 0;
                    EQUAL(
                        gpucmd_nv_area_find(chip, window, off + bytes - 1, &channel, &is_new, &reg),
                        GPUCMD_OK);
                    EQUAL(channel, id);
                    EQUAL(is_new, style == 1);
                    EQUAL(reg, bytes - 1);
                    EQUAL(gpucmd_nv_area_find(chip, window, off, &channel, &is_new, &reg),
                          GPUCMD_OK);
                    EQUAL(channel, id);
                    EQUAL(reg, 0);
                }
            }
        }
    }
}

static void nowhere(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        gpucmd_nv_window window;
        uint64_t off;
    } rows[] = {
        {CHIP(NV1),   GPUCMD_NV_WINDOW_MMIO,   0x1000000  }, /* NV1 has VRAM at this address */
        {CHIP(MCP89), GPUCMD_NV_WINDOW_VRAM,   0          },
        {CHIP(GV100), GPUCMD_NV_WINDOW_VRAM,   0          },
        {CHIP(NV4),   GPUCMD_NV_WINDOW_MMIO,   0x7ffffc   },
        {CHIP(NV4),   GPUCMD_NV_WINDOW_MMIO,   0x900000   },
        {CHIP(NV34),  GPUCMD_NV_WINDOW_MMIO,   0xc00000   },
        {CHIP(NV40),  GPUCMD_NV_WINDOW_MMIO,   0xa00000   },
        {CHIP(NV40),  GPUCMD_NV_WINDOW_MMIO,   0xe00000   },
        {CHIP(NV40),  GPUCMD_NV_WINDOW_VRAM,   0xc00000   },
        {CHIP(G80),   GPUCMD_NV_WINDOW_MMIO,   0x802000   },
        {CHIP(G80),   GPUCMD_NV_WINDOW_MMIO,   0xc00000   }, /* channel 0 is the PIO one */
        {CHIP(G80),   GPUCMD_NV_WINDOW_MMIO,   0xcfe000   }, /* channel 127 does not exist */
        {CHIP(GF100), GPUCMD_NV_WINDOW_MMIO,   0xc02000   },
        {CHIP(GF100), GPUCMD_NV_WINDOW_VRAM,   0x80000    },
        {CHIP(GK104), GPUCMD_NV_WINDOW_VRAM,   0x200000   },
        {CHIP(GV100), GPUCMD_NV_WINDOW_MEMORY, 0          },
        {CHIP(NV40),  GPUCMD_NV_WINDOW_MMIO,   0x100c00000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t channel = 0x5a;
        uint32_t reg = 0x5a;
        bool is_new = false;
        EQUAL(
            gpucmd_nv_area_find(rows[i].chip, rows[i].window, rows[i].off, &channel, &is_new, &reg),
            GPUCMD_RANGE);
        EQUAL(channel, 0x5a);
    }
}

/* ---- MMIO accesses of a driver ---- */

static uint32_t inner_reg;

static uint32_t inner_read(void *user, uint64_t off_bytes)
{
    (void)user;
    return inner_reg ^ (uint32_t)off_bytes;
}

static void inner_write(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    inner_reg = v ^ (uint32_t)off_bytes;
}

static void mmio(void)
{
    static gpucmd_nv_channel channels[2];
    const gpucmd_mmio inner = {inner_read, inner_write, NULL};
    gpucmd_nv_mmio u = {CHIP(NV40), channels, 2, 0, NULL, NULL, NULL, &inner};
    for (unsigned i = 0; i < 2; i++) {
        EQUAL(gpucmd_nv_channel_init(&channels[i], CHIP(NV40), &card), GPUCMD_OK);
        channels[i].id = i == 0 ? 2 : 31;
        channels[i].pusher.dma_get = 0x40 + i;
    }
    gpucmd_nv_mmio_write32(&u, 0xc02040, 0x100); /* channel 2, new style */
    EQUAL(channels[0].pusher.dma_put, 0x100);
    gpucmd_nv_mmio_write32(&u, 0x820040, 0x200); /* old style */
    EQUAL(channels[0].pusher.dma_put, 0x200);
    EQUAL(channels[1].pusher.dma_put, 0);
    gpucmd_nv_mmio_write32(&u, 0x9f0040, 0x300);
    EQUAL(channels[1].pusher.dma_put, 0x300);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0xc02054), 0x40); /* CGET */
    EQUAL(gpucmd_nv_mmio_read32(&u, 0xc1f054), 0x41);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x820054), 0); /* no such register */
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x9f0054), 0);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x820044), 0x40);
    inner_reg = 0x55; /* a channel that does not exist, and other registers */
    EQUAL(gpucmd_nv_mmio_read32(&u, 0xc03044), 0x55 ^ 0xc03044);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x000000), 0x55);
    gpucmd_nv_mmio_write32(&u, 0x000200, 0x77);
    EQUAL(inner_reg, 0x77 ^ 0x200);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x810000), 0x77 ^ 0x200 ^ 0x810000); /* no usermode region */
    u.inner = NULL;
    gpucmd_nv_mmio_write32(&u, 0x000200, 0x78);
    EQUAL(gpucmd_nv_mmio_read32(&u, 0x000200), 0);
    EQUAL(inner_reg, 0x77 ^ 0x200);

    /* G80: IB mode through the control area of channel 5, with the endian switch before it */
    {
        gpucmd_nv_pmc pmc = {CHIP(G80), false, NULL, NULL};
        const gpucmd_mmio bar0 = {gpucmd_nv_mmio_read32, gpucmd_nv_mmio_write32, &u};
        u.chip = CHIP(G80);
        pmc.inner = &bar0;
        EQUAL(gpucmd_nv_channel_init(&channels[0], CHIP(G80), &card), GPUCMD_OK);
        channels[0].id = 5;
        channels[0].pusher.ib_enable = true;
        channels[0].pusher.ib_order = 9;
        gpucmd_nv_pmc_write32(&pmc, 0xc0a08c, 0x1ff);
        EQUAL(channels[0].pusher.ib_put, 0x1ff);
        gpucmd_nv_pmc_write32(&pmc, 0x000004, 0x01000001);
        gpucmd_nv_pmc_write32(&pmc, 0xc0a08c, 0x02010000);
        EQUAL(channels[0].pusher.ib_put, 0x102);
        EQUAL(gpucmd_nv_pmc_read32(&pmc, 0xc0a08c), 0x02010000);
    }
}

int main(void)
{
    offsets();
    for (unsigned c = (unsigned)CHIP(NV4); c < (unsigned)GPUCMD_NV_CHIP_COUNT; c++) {
        model((gpucmd_nv_chip)c, false);
        if (c >= (unsigned)CHIP(G80)) {
            model((gpucmd_nv_chip)c, true);
        }
    }
    ib_put();
    order();
    latches();
    main_positions();
    all_places();
    nowhere();
    mmio();
    return test_report("nv_area");
}

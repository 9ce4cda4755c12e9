/* The classes of each chip, compared with lists typed from [LNX] nvkm/engine/gr and ce. */
#include "gpucmd_nv.h"
#include "test.h"

static unsigned next = GPUCMD_NV_CHIP_NV4; /* the chip after the last that was checked */

/* Expect the chips from first to last to have exactly these classes, in any order. */
static void is(gpucmd_nv_chip first, gpucmd_nv_chip last, const uint32_t *want, uint32_t n)
{
    EQUAL(first, next);
    for (next = first; next <= last; next++) {
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)next;
        uint32_t count = 0;
        while (gpucmd_nv_object_class(chip, count) != 0) {
            count++;
        }
        if (!EQUAL(count, n)) {
            printf("    chip %s\n", gpucmd_nv_chip_name(chip));
        }
        for (uint32_t i = 0; i < n; i++) {
            if (!CHECK(gpucmd_nv_has_class(chip, want[i]))) {
                printf("    chip %s, class %04x\n", gpucmd_nv_chip_name(chip), want[i]);
            }
        }
        CHECK(!gpucmd_nv_has_class(chip, 0));
        CHECK(!gpucmd_nv_has_class(chip, 0x1234));
    }
}

#define IS(first, last, ...)                                                                       \
    is(GPUCMD_NV_CHIP_##first, GPUCMD_NV_CHIP_##last, (const uint32_t[]){__VA_ARGS__},             \
       sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Section 5.1 of the fact sheet: first and last chip; host, copy, compute, 3D, 2D, M2MF or inline,
 * usermode. */
#define CHIP(name) GPUCMD_NV_CHIP_##name
static const struct {
    gpucmd_nv_chip first, last;
    uint16_t classes[7];
} newest[] = {
    {CHIP(NV4),   CHIP(NVA),    {0x006c, 0, 0, 0x0055, 0, 0x0039, 0}                    },
    {CHIP(NV10),  CHIP(NV10),   {0x006e, 0, 0, 0x0056, 0, 0x0039, 0}                    },
    {CHIP(NV15),  CHIP(NV11),   {0x006e, 0, 0, 0x0096, 0, 0x0039, 0}                    },
    {CHIP(NV17),  CHIP(NV18),   {0x176e, 0, 0, 0x0099, 0, 0x0039, 0}                    },
    {CHIP(NV20),  CHIP(NV2A),   {0x206e, 0, 0, 0x0097, 0, 0x0039, 0}                    },
    {CHIP(NV25),  CHIP(NV28),   {0x206e, 0, 0, 0x0597, 0, 0x0039, 0}                    },
    {CHIP(NV30),  CHIP(NV30),   {0x206e, 0, 0, 0x0397, 0, 0x0039, 0}                    },
    {CHIP(NV35),  CHIP(NV35),   {0x206e, 0, 0, 0x0497, 0, 0x0039, 0}                    },
    {CHIP(NV31),  CHIP(NV31),   {0x206e, 0, 0, 0x0397, 0, 0x0039, 0}                    },
    {CHIP(NV36),  CHIP(NV36),   {0x366e, 0, 0, 0x0497, 0, 0x0039, 0}                    },
    {CHIP(NV34),  CHIP(NV34),   {0x366e, 0, 0, 0x0697, 0, 0x0039, 0}                    },
    {CHIP(NV40),  CHIP(NV43),   {0x406e, 0, 0, 0x4097, 0, 0x0039, 0}                    },
    {CHIP(NV44),  CHIP(NV44A),  {0x446e, 0, 0, 0x4497, 0, 0x0039, 0}                    },
    {CHIP(G70),   CHIP(G70),    {0x446e, 0, 0, 0x4097, 0, 0x0039, 0}                    },
    {CHIP(G72),   CHIP(G72),    {0x446e, 0, 0, 0x4497, 0, 0x0039, 0}                    },
    {CHIP(G71),   CHIP(G73),    {0x446e, 0, 0, 0x4097, 0, 0x0039, 0}                    },
    {CHIP(C51),   CHIP(MCP73),  {0x446e, 0, 0, 0x4497, 0, 0x0039, 0}                    },
    {CHIP(RSX),   CHIP(RSX),    {0x446e, 0, 0, 0x4097, 0, 0x0039, 0}                    },
    {CHIP(G80),   CHIP(G80),    {0x506f, 0, 0x50c0, 0x5097, 0x502d, 0x5039, 0}          },
    {CHIP(G84),   CHIP(G98),    {0x826f, 0, 0x50c0, 0x8297, 0x502d, 0x5039, 0}          },
    {CHIP(G200),  CHIP(MCP79),  {0x826f, 0, 0x50c0, 0x8397, 0x502d, 0x5039, 0}          },
    {CHIP(GT215), CHIP(GT218),  {0x826f, 0x85b5, 0x85c0, 0x8597, 0x502d, 0x5039, 0}     },
    {CHIP(MCP89), CHIP(MCP89),  {0x866f, 0x85b5, 0x85c0, 0x8697, 0x502d, 0x5039, 0}     },
    {CHIP(GF100), CHIP(GF116),  {0x906f, 0x90b5, 0x90c0, 0x9097, 0x902d, 0x9039, 0}     },
    {CHIP(GF108), CHIP(GF108),  {0x906f, 0x90b5, 0x90c0, 0x9197, 0x902d, 0x9039, 0}     },
    {CHIP(GF110), CHIP(GF117),  {0x906f, 0x90b5, 0x91c0, 0x9297, 0x902d, 0x9039, 0}     },
    {CHIP(GK104), CHIP(GK106),  {0xa06f, 0xa0b5, 0xa0c0, 0xa097, 0x902d, 0xa040, 0}     },
    {CHIP(GK110), CHIP(GK208B), {0xa16f, 0xa0b5, 0xa1c0, 0xa197, 0x902d, 0xa140, 0}     },
    {CHIP(GK20A), CHIP(GK20A),  {0xa26f, 0xa0b5, 0xa0c0, 0xa297, 0x902d, 0xa040, 0}     },
    {CHIP(GM107), CHIP(GM108),  {0xa16f, 0xb0b5, 0xb0c0, 0xb097, 0x902d, 0xa140, 0}     },
    {CHIP(GM204), CHIP(GM20B),  {0xb06f, 0xb0b5, 0xb1c0, 0xb197, 0x902d, 0xa140, 0}     },
    {CHIP(GP100), CHIP(GP100),  {0xc06f, 0xc0b5, 0xc0c0, 0xc097, 0x902d, 0xa140, 0}     },
    {CHIP(GP102), CHIP(GP108),  {0xc06f, 0xc1b5, 0xc1c0, 0xc197, 0x902d, 0xa140, 0}     },
    {CHIP(GP10B), CHIP(GP10B),  {0xc06f, 0xc0b5, 0xc0c0, 0xc097, 0x902d, 0xa140, 0}     },
    {CHIP(GV100), CHIP(GV11B),  {0xc36f, 0xc3b5, 0xc3c0, 0xc397, 0x902d, 0xa140, 0xc361}},
    {CHIP(TU102), CHIP(TU117),  {0xc46f, 0xc5b5, 0xc5c0, 0xc597, 0x902d, 0xa140, 0xc461}},
    {CHIP(GA100), CHIP(GA100),  {0xc56f, 0xc6b5, 0xc6c0, 0xc697, 0x902d, 0xa140, 0xc561}},
    {CHIP(GA102), CHIP(GA107),  {0xc56f, 0xc7b5, 0xc7c0, 0xc797, 0x902d, 0xa140, 0xc561}},
    {CHIP(GA10B), CHIP(GA10B),  {0xc76f, 0xc7b5, 0xc7c0, 0xc797, 0x902d, 0xa140, 0xc561}},
    {CHIP(AD102), CHIP(AD107),  {0xc56f, 0xc7b5, 0xc9c0, 0xc997, 0x902d, 0xa140, 0xc561}},
    {CHIP(GH100), CHIP(GH100),  {0xc86f, 0xc8b5, 0xcbc0, 0xcb97, 0x902d, 0xa140, 0xc661}},
    {CHIP(GB100), CHIP(GB102),  {0xc96f, 0xc9b5, 0xcdc0, 0xcd97, 0x902d, 0xcd40, 0xc661}},
    {CHIP(GB202), CHIP(GB207),  {0xca6f, 0xcab5, 0xcec0, 0xce97, 0x902d, 0xcd40, 0xc761}},
};
#undef CHIP

/* Section 5.2: a class and its first chip. */
static const struct {
    uint16_t class_id;
    gpucmd_nv_chip chip;
} firsts[] = {
    {0x006c, GPUCMD_NV_CHIP_NV4  },
    {0x006e, GPUCMD_NV_CHIP_NV10 },
    {0x406e, GPUCMD_NV_CHIP_NV40 },
    {0x446e, GPUCMD_NV_CHIP_NV44 },
    {0x506f, GPUCMD_NV_CHIP_G80  },
    {0x826f, GPUCMD_NV_CHIP_G84  },
    {0x866f, GPUCMD_NV_CHIP_MCP89},
    {0x906f, GPUCMD_NV_CHIP_GF100},
    {0xa16f, GPUCMD_NV_CHIP_GK110},
    {0xb06f, GPUCMD_NV_CHIP_GM204},
    {0xc06f, GPUCMD_NV_CHIP_GP100},
    {0xc76f, GPUCMD_NV_CHIP_GA102},
    {0xca6f, GPUCMD_NV_CHIP_GB202},
    {0x85b5, GPUCMD_NV_CHIP_GT215},
    {0xb0b5, GPUCMD_NV_CHIP_GM107},
    {0xc0b5, GPUCMD_NV_CHIP_GP100},
    {0xc1b5, GPUCMD_NV_CHIP_GP102},
    {0xc7b5, GPUCMD_NV_CHIP_GA102},
    {0xcab5, GPUCMD_NV_CHIP_GB202},
    {0x50c0, GPUCMD_NV_CHIP_G80  },
    {0x91c0, GPUCMD_NV_CHIP_GF110},
    {0xa0c0, GPUCMD_NV_CHIP_GK104},
    {0xb1c0, GPUCMD_NV_CHIP_GM204},
    {0xc9c0, GPUCMD_NV_CHIP_AD102},
    {0xcec0, GPUCMD_NV_CHIP_GB202},
    {0x9197, GPUCMD_NV_CHIP_GF108},
    {0xa297, GPUCMD_NV_CHIP_GK20A},
    {0xce97, GPUCMD_NV_CHIP_GB202},
    {0x0039, GPUCMD_NV_CHIP_NV4  },
    {0xa140, GPUCMD_NV_CHIP_GK110},
    {0xcd40, GPUCMD_NV_CHIP_GB100},
    {0x902d, GPUCMD_NV_CHIP_GF100},
    {0xc361, GPUCMD_NV_CHIP_GV100},
    {0xc661, GPUCMD_NV_CHIP_GH100},
    {0xc761, GPUCMD_NV_CHIP_GB202},
    {0xc076, GPUCMD_NV_CHIP_GP100},
    {0x176e, GPUCMD_NV_CHIP_NV17 },
    {0x206e, GPUCMD_NV_CHIP_NV20 },
    {0x366e, GPUCMD_NV_CHIP_NV36 },
    {0xa06f, GPUCMD_NV_CHIP_GK104},
    {0xa26f, GPUCMD_NV_CHIP_GK20A},
    {0xc36f, GPUCMD_NV_CHIP_GV100},
    {0xc46f, GPUCMD_NV_CHIP_TU102},
    {0xc56f, GPUCMD_NV_CHIP_GA100},
    {0xc86f, GPUCMD_NV_CHIP_GH100},
    {0xc96f, GPUCMD_NV_CHIP_GB100},
    {0x90b5, GPUCMD_NV_CHIP_GF100},
    {0xa0b5, GPUCMD_NV_CHIP_GK104},
    {0xc3b5, GPUCMD_NV_CHIP_GV100},
    {0xc5b5, GPUCMD_NV_CHIP_TU102},
    {0xc6b5, GPUCMD_NV_CHIP_GA100},
    {0xc8b5, GPUCMD_NV_CHIP_GH100},
    {0xc9b5, GPUCMD_NV_CHIP_GB100},
    {0x85c0, GPUCMD_NV_CHIP_GT215},
    {0x90c0, GPUCMD_NV_CHIP_GF100},
    {0xa1c0, GPUCMD_NV_CHIP_GK110},
    {0xb0c0, GPUCMD_NV_CHIP_GM107},
    {0xc0c0, GPUCMD_NV_CHIP_GP100},
    {0xc1c0, GPUCMD_NV_CHIP_GP102},
    {0xc3c0, GPUCMD_NV_CHIP_GV100},
    {0xc5c0, GPUCMD_NV_CHIP_TU102},
    {0xc6c0, GPUCMD_NV_CHIP_GA100},
    {0xc7c0, GPUCMD_NV_CHIP_GA102},
    {0xcbc0, GPUCMD_NV_CHIP_GH100},
    {0xcdc0, GPUCMD_NV_CHIP_GB100},
    {0x9097, GPUCMD_NV_CHIP_GF100},
    {0x9297, GPUCMD_NV_CHIP_GF110},
    {0xa097, GPUCMD_NV_CHIP_GK104},
    {0xa197, GPUCMD_NV_CHIP_GK110},
    {0xb097, GPUCMD_NV_CHIP_GM107},
    {0xb197, GPUCMD_NV_CHIP_GM204},
    {0xc097, GPUCMD_NV_CHIP_GP100},
    {0xc197, GPUCMD_NV_CHIP_GP102},
    {0xc397, GPUCMD_NV_CHIP_GV100},
    {0xc597, GPUCMD_NV_CHIP_TU102},
    {0xc697, GPUCMD_NV_CHIP_GA100},
    {0xc797, GPUCMD_NV_CHIP_GA102},
    {0xc997, GPUCMD_NV_CHIP_AD102},
    {0xcb97, GPUCMD_NV_CHIP_GH100},
    {0xcd97, GPUCMD_NV_CHIP_GB100},
    {0x5039, GPUCMD_NV_CHIP_G80  },
    {0x9039, GPUCMD_NV_CHIP_GF100},
    {0xa040, GPUCMD_NV_CHIP_GK104},
    {0x502d, GPUCMD_NV_CHIP_G80  },
    {0xc461, GPUCMD_NV_CHIP_TU102},
    {0xc561, GPUCMD_NV_CHIP_GA100},
};

static void kinds(void)
{
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_NV1;
    for (size_t i = 0; i < sizeof newest / sizeof newest[0]; i++) {
        EQUAL(newest[i].first,
              i == 0 ? GPUCMD_NV_CHIP_NV4 : newest[i - 1].last + 1); /* every chip */
        for (unsigned c = newest[i].first; c <= newest[i].last; c++) {
            for (unsigned kind = 0; kind < 7; kind++) {
                if (!EQUAL(gpucmd_nv_class_of((gpucmd_nv_chip)c, (gpucmd_nv_class_kind)kind),
                           newest[i].classes[kind])) {
                    printf("    chip %s, kind %u\n", gpucmd_nv_chip_name((gpucmd_nv_chip)c), kind);
                }
            }
        }
    }
    EQUAL(newest[sizeof newest / sizeof newest[0] - 1].last + 1, GPUCMD_NV_CHIP_COUNT);
    EQUAL(gpucmd_nv_class_of(GPUCMD_NV_CHIP_NV43, GPUCMD_NV_CLASS_IMAGE), 0x3089);
    EQUAL(gpucmd_nv_class_of(GPUCMD_NV_CHIP_G80, GPUCMD_NV_CLASS_EMPTY), 0x0030);
    EQUAL(gpucmd_nv_class_of((gpucmd_nv_chip)GPUCMD_NV_CHIP_COUNT, GPUCMD_NV_CLASS_COPY), 0);
    EQUAL(gpucmd_nv_class_of(GPUCMD_NV_CHIP_NV3, GPUCMD_NV_CLASS_3D), 0);
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        EQUAL(gpucmd_nv_chip_from_class(firsts[i].class_id, &chip), GPUCMD_OK);
        if (!EQUAL(chip, firsts[i].chip)) {
            printf("    class %04x\n", firsts[i].class_id);
        }
    }
    chip = GPUCMD_NV_CHIP_G92;
    EQUAL(gpucmd_nv_chip_from_class(0xc4c0, &chip), GPUCMD_RANGE); /* no chip in the list */
    EQUAL(gpucmd_nv_chip_from_class(0, &chip), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_class(0x10000, &chip), GPUCMD_RANGE);
    EQUAL(chip, GPUCMD_NV_CHIP_G92);
}

int main(void)
{
    kinds();
    IS(NV4, NVA, 0x0030, 0x0039, 0x0054, 0x0055);
    IS(NV10, NV10, 0x0039, 0x0030, 0x0062, 0x0056);
    IS(NV15, NV11, 0x0030, 0x0039, 0x0062, 0x0096);
    IS(NV17, NV18, 0x0039, 0x0030, 0x0062, 0x0099);
    IS(NV20, NV2A, 0x0039, 0x0030, 0x0062, 0x0097);
    IS(NV25, NV28, 0x0030, 0x0039, 0x0062, 0x0597);
    IS(NV30, NV30, 0x0030, 0x0039, 0x0062, 0x0389, 0x039e, 0x0397);
    IS(NV35, NV35, 0x0030, 0x0039, 0x0062, 0x0389, 0x039e, 0x0497);
    IS(NV31, NV31, 0x0030, 0x0039, 0x0062, 0x0389, 0x039e, 0x0397);
    IS(NV36, NV36, 0x0030, 0x0039, 0x0062, 0x0389, 0x039e, 0x0497);
    IS(NV34, NV34, 0x0030, 0x0039, 0x0062, 0x0389, 0x039e, 0x0697);
    IS(NV40, NV43, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4097);
    IS(NV44, NV44A, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4497);
    IS(G70, G70, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4097);
    IS(G72, G72, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4497);
    IS(G71, G73, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4097);
    IS(C51, MCP73, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4497);
    IS(RSX, RSX, 0x0030, 0x0039, 0x0062, 0x3089, 0x309e, 0x4097);
    IS(G80, G80, 0x0030, 0x502d, 0x5039, 0x50c0, 0x5097);
    IS(G84, G98, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8297);
    IS(G200, MCP79, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8397);
    IS(GT215, GT218, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8597, 0x85c0, 0x85b5);
    IS(MCP89, MCP89, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8697, 0x85c0, 0x85b5);
    IS(GF100, GF116, 0x902d, 0x9039, 0x9097, 0x90c0, 0x90b5);
    IS(GF108, GF108, 0x902d, 0x9039, 0x9097, 0x9197, 0x90c0, 0x90b5);
    IS(GF110, GF117, 0x902d, 0x9039, 0x9097, 0x9197, 0x9297, 0x90c0, 0x91c0, 0x90b5);
    IS(GK104, GK106, 0x902d, 0xa040, 0xa097, 0xa0c0, 0xa0b5);
    IS(GK110, GK208B, 0x902d, 0xa140, 0xa197, 0xa1c0, 0xa0b5);
    IS(GK20A, GK20A, 0x902d, 0xa040, 0xa297, 0xa0c0, 0xa0b5);
    IS(GM107, GM108, 0x902d, 0xa140, 0xb097, 0xb0c0, 0xb0b5);
    IS(GM204, GM20B, 0x902d, 0xa140, 0xb197, 0xb1c0, 0xb0b5);
    IS(GP100, GP100, 0x902d, 0xa140, 0xc097, 0xc0c0, 0xc0b5);
    IS(GP102, GP108, 0x902d, 0xa140, 0xc197, 0xc1c0, 0xc1b5);
    IS(GP10B, GP10B, 0x902d, 0xa140, 0xc097, 0xc0c0, 0xc0b5);
    IS(GV100, GV11B, 0x902d, 0xa140, 0xc397, 0xc3c0, 0xc3b5);
    IS(TU102, TU117, 0x902d, 0xa140, 0xc597, 0xc5c0, 0xc5b5);
    IS(GA100, GA100, 0xa140, 0x902d, 0xc697, 0xc6c0, 0xc6b5);
    IS(GA102, GA10B, 0x902d, 0xa140, 0xc797, 0xc7c0, 0xc7b5);
    IS(AD102, AD107, 0xa140, 0x902d, 0xc997, 0xc9c0, 0xc7b5);
    IS(GH100, GH100, 0xa140, 0x902d, 0xcb97, 0xcbc0, 0xc8b5);
    IS(GB100, GB102, 0xcd40, 0x902d, 0xcd97, 0xcdc0, 0xc9b5);
    IS(GB202, GB207, 0xcd40, 0x902d, 0xce97, 0xcec0, 0xcab5);
    EQUAL(next, GPUCMD_NV_CHIP_COUNT);
    return test_report("nv_classes");
}

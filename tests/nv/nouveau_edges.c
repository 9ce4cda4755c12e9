/* nv/nouveau_edges.c - the model kernel of nouveau at its edges: each chip, full tables, ranges that touch
 * their limits, callbacks that are missing or give up, errors of channels by chip.
 * Source: Linux 7.2, drivers/gpu/drm/nouveau. */
/* suite: kernel */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nouveau.h"
#include "nv/nouveau_calls.h"

/* ---- chips ---- */

static void refused_chips(void)
{
    static const gpucmd_nv_chip rows[] = {
        GPUCMD_NV_CHIP_NV28,  GPUCMD_NV_CHIP_RSX,
        GPUCMD_NV_CHIP_GK20A, GPUCMD_NV_CHIP_GK210,
        GPUCMD_NV_CHIP_GA100, GPUCMD_NV_CHIP_GB100,
        GPUCMD_NV_CHIP_GB102, (gpucmd_nv_chip)GPUCMD_NV_CHIP_COUNT,
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, rows[i]), GPUCMD_UNSUPPORTED);
    }
    EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, GPUCMD_NV_CHIP_NV30), GPUCMD_OK);
    EQUAL(nouveau_gpu.graph_units, 0);
    EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, GPUCMD_NV_CHIP_G80), GPUCMD_OK);
    EQUAL(nouveau_gpu.graph_units, 0x300000f);
}

/* Number of classes without the event entry, first and last class. */
static void classes(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        int gsp;
        uint32_t count, first, last;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV30,  0, 22, 0xfffffffb, 0x597 },
        {GPUCMD_NV_CHIP_NV35,  0, 22, 0xfffffffb, 0x597 },
        {GPUCMD_NV_CHIP_NV31,  0, 23, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_NV36,  0, 23, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_NV34,  0, 23, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_NV40,  0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_NV44,  0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_G70,   0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_G72,   0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_G71,   0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_C51,   0, 21, 0xfffffffb, 0x3174},
        {GPUCMD_NV_CHIP_G80,   0, 10, 0xfffffffa, 0x3174},
        {GPUCMD_NV_CHIP_G84,   0, 13, 0xfffffffa, 0x74b0},
        {GPUCMD_NV_CHIP_G98,   0, 13, 0xfffffffa, 0x88b1},
        {GPUCMD_NV_CHIP_G200,  0, 13, 0xfffffffa, 0x74b0},
        {GPUCMD_NV_CHIP_MCP77, 0, 13, 0xfffffffa, 0x88b1},
        {GPUCMD_NV_CHIP_GT215, 0, 14, 0xfffffffa, 0x85b1},
        {GPUCMD_NV_CHIP_MCP89, 0, 14, 0xfffffffa, 0x86b1},
        {GPUCMD_NV_CHIP_GF100, 0, 10, 0x902d,     ~6u   },
        {GPUCMD_NV_CHIP_GF106, 0, 9,  0x902d,     ~6u   },
        {GPUCMD_NV_CHIP_GF108, 0, 10, 0x902d,     ~6u   },
        {GPUCMD_NV_CHIP_GF110, 0, 13, 0x902d,     ~6u   },
        {GPUCMD_NV_CHIP_GF119, 0, 12, 0x902d,     ~6u   },
        {GPUCMD_NV_CHIP_GK104, 0, 6,  ~6u,        0xa0b5},
        {GPUCMD_NV_CHIP_GK110, 0, 6,  ~6u,        0xa0b5},
        {GPUCMD_NV_CHIP_GM107, 0, 7,  ~6u,        0xb0b5},
        {GPUCMD_NV_CHIP_GM204, 0, 6,  ~6u,        0xb0b5},
        {GPUCMD_NV_CHIP_GP100, 0, 6,  ~6u,        0xc0b5},
        {GPUCMD_NV_CHIP_GP102, 0, 7,  ~6u,        0xc0b5},
        {GPUCMD_NV_CHIP_GV100, 0, 5,  0x902d,     0xc3b5},
        {GPUCMD_NV_CHIP_TU102, 0, 5,  0x902d,     0xc5b5},
        {GPUCMD_NV_CHIP_TU102, 1, 6,  0xa140,     0xc5b5},
        {GPUCMD_NV_CHIP_GA102, 0, 6,  0x902d,     0xc7b5},
        {GPUCMD_NV_CHIP_GA102, 1, 5,  0xa140,     0xc7b5},
        {GPUCMD_NV_CHIP_AD102, 1, 5,  0xa140,     0xc7b5},
        {GPUCMD_NV_CHIP_GH100, 1, 5,  0xa140,     0xc8b5},
        {GPUCMD_NV_CHIP_GB202, 1, 5,  0xcd40,     0xcab5},
        {GPUCMD_NV_CHIP_GB202, 0, 6,  0x902d,     0xc7b5}, /* the last list without GSP */
    };
    gpucmd_nouveau_device d;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_nouveau_device_init(&d, rows[i].chip), GPUCMD_OK);
        d.gsp = rows[i].gsp != 0;
        EQUAL(gpucmd_nouveau_class(&d, 1, 0), 0x8000000e);
        EQUAL(gpucmd_nouveau_class(&d, 1, 1), rows[i].first);
        EQUAL(gpucmd_nouveau_class(&d, 1, rows[i].count), rows[i].last);
        EQUAL(gpucmd_nouveau_class(&d, 1, rows[i].count + 1), 0);
    }
}

/* Channels of other engines have one class, channels of copies those of the graphics list. */
static void engines(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t engine, first, second;
    } rows[] = {
        {GPUCMD_NV_CHIP_GK104, 2,     0x95b2, 0     },
        {GPUCMD_NV_CHIP_GK104, 4,     0x90b3, 0     },
        {GPUCMD_NV_CHIP_GK104, 8,     0x95b1, 0     },
        {GPUCMD_NV_CHIP_GK104, 0x30,  0xa0b5, 0     },
        {GPUCMD_NV_CHIP_GP102, 0x30,  0xc1b5, 0xc0b5},
        {GPUCMD_NV_CHIP_TU102, 0x30,  0xc5b5, 0xc5b5},
        {GPUCMD_NV_CHIP_GP102, 0x300, 0,      0     },
        {GPUCMD_NV_CHIP_TU102, 0x300, 0xc4b0, 0     },
        {GPUCMD_NV_CHIP_GA102, 0x300, 0xc7b0, 0     },
        {GPUCMD_NV_CHIP_AD102, 0x300, 0xc9b0, 0     },
        {GPUCMD_NV_CHIP_GH100, 0x300, 0xb8b0, 0     },
        {GPUCMD_NV_CHIP_GB202, 0x300, 0xcfb0, 0     },
    };
    gpucmd_nouveau_device d;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_nouveau_device_init(&d, rows[i].chip), GPUCMD_OK);
        EQUAL(gpucmd_nouveau_class(&d, rows[i].engine, 1), rows[i].first);
        EQUAL(gpucmd_nouveau_class(&d, rows[i].engine, 2), rows[i].second);
        EQUAL(gpucmd_nouveau_class(&d, rows[i].engine, 3), 0);
    }
}

/* Which engines CHANNEL_ALLOC accepts; NVDEC needs the driver of Linux 7.3. */
static void engine_choice(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        int gsp;
        uint32_t engine;
        int err;
    } rows[] = {
        {GPUCMD_NV_CHIP_GK104, 0, 2,     0 },
        {GPUCMD_NV_CHIP_GK104, 0, 4,     0 },
        {GPUCMD_NV_CHIP_GK104, 0, 8,     0 },
        {GPUCMD_NV_CHIP_GK104, 0, 0x30,  0 },
        {GPUCMD_NV_CHIP_GK104, 0, 0x10,  38},
        {GPUCMD_NV_CHIP_GM107, 0, 2,     22},
        {GPUCMD_NV_CHIP_GM107, 0, 0x30,  0 },
        {GPUCMD_NV_CHIP_GK104, 0, 0x300, 22},
        {GPUCMD_NV_CHIP_GP102, 0, 0x300, 0 },
        {GPUCMD_NV_CHIP_GV100, 0, 0x300, 22},
        {GPUCMD_NV_CHIP_TU102, 0, 0x300, 0 },
        {GPUCMD_NV_CHIP_GA102, 0, 0x300, 22},
        {GPUCMD_NV_CHIP_GA102, 1, 0x300, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dw[22] = {0xffffffff, rows[i].engine};
        CHECK(nouveau_open(rows[i].chip));
        CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
        nouveau_gpu.gsp = rows[i].gsp != 0;
        nouveau_gpu.patch = 3;
        line_ = __LINE__;
        call(0xc0586442, dw, 22, rows[i].err);
    }
}

/* The highest channel number of a chip. Without a free number: ENOSPC. */
static void channel_numbers(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t last;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV40,   30  },
        {GPUCMD_NV_CHIP_G80,    126 },
        {GPUCMD_NV_CHIP_GF100,  127 },
        {GPUCMD_NV_CHIP_GK104,  4095},
        {GPUCMD_NV_CHIP_GK208,  1023},
        {GPUCMD_NV_CHIP_GK208B, 1023},
        {GPUCMD_NV_CHIP_GM107,  2047},
        {GPUCMD_NV_CHIP_GM108,  2047},
        {GPUCMD_NV_CHIP_GM204,  4095},
        {GPUCMD_NV_CHIP_GA102,  2047},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(nouveau_open(rows[i].chip));
        memset(nouveau_gpu.ids, 0xff, sizeof nouveau_gpu.ids);
        CALL(0xc0586442, 28, W(1, 2));
        nouveau_gpu.ids[rows[i].last / 32] &= ~(1u << rows[i].last % 32);
        CALL(0xc0586442, 0, W(1, 2));
        CHECK(gpucmd_nouveau_kernel_channel(&k, rows[i].last) != NULL);
    }
}

/* GETPARAM AGP_SIZE, the size of the address space, and BUS_TYPE. */
static void sizes_of_chips(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV40));
    CALL(0xc0106440, 0, W(9, 0, 0, 0));
    GIVES(W(9, 0, 1u << 27, 0));
    CALL(0xc0106440, 0, W(5, 0, 7, 0));
    GIVES(W(5, 0, 0, 0)); /* AGP */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV41));
    CALL(0xc0106440, 0, W(9, 0, 0, 0));
    GIVES(W(9, 0, 1u << 29, 0));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GH100));
    CALL(0xc0106440, 0, W(9, 0, 0, 0));
    GIVES(W(9, 0, 0, 1u << 25));
}

/* ---- sizes and kinds of objects ---- */

/* GEM_NEW(domain, bytes, tile_mode, tile_flags) gives size and tile_flags. */
static void object_sizes(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        bool vm;
        uint32_t domain, bytes, tile_mode, tile_flags;
        uint32_t size, flags;
    } rows[] = {
  /* before G80: pages of 4 KiB, a multiple of 64 * tile_mode */
        {GPUCMD_NV_CHIP_NV40,  false, 2, 0x1001,     0,     0,      0x2000,     0     },
        {GPUCMD_NV_CHIP_NV40,  false, 4, 0x1000,     0x100, 0,      0x4000,     0     },
        {GPUCMD_NV_CHIP_NV40,  false, 4, 0x4000,     0x100, 0,      0x4000,     0     },
        {GPUCMD_NV_CHIP_NV40,  false, 4, 0x5000,     0x60,  0,      0x6000,     0     },
        {GPUCMD_NV_CHIP_G80,   false, 2, 0x10001,    0,     0,      0x20000,    0     },
        {GPUCMD_NV_CHIP_G80,   false, 2, 0xf001,     0,     0,      0x10000,    0     },
        {GPUCMD_NV_CHIP_GF100, false, 2, 0x20001,    0,     0,      0x40000,    0     },
        {GPUCMD_NV_CHIP_GH100, true,  2, 0x20000001, 0,     0,      0x40000000, 0     },
        {GPUCMD_NV_CHIP_GH100, true,  2, 0x1ffffffe, 0,     0,      0x20000000, 0     },
 /* a compressed kind: the old interface makes the page large enough in VRAM; elsewhere the kind
         * becomes the plain one if the page is too small */
        {GPUCMD_NV_CHIP_GK104, false, 2, 0x1000,     0,     0xdb00, 0x20000,    0xdb00},
        {GPUCMD_NV_CHIP_GK104, false, 2, 0x20000,    0,     0xdb00, 0x20000,    0xdb00},
        {GPUCMD_NV_CHIP_GK104, false, 4, 0x1000,     0,     0xdb00, 0x1000,     0xfe00},
        {GPUCMD_NV_CHIP_GK104, true,  2, 0x1000,     0,     0xdb00, 0x1000,     0xfe00},
        {GPUCMD_NV_CHIP_GK104, true,  2, 0x20000,    0,     0xdb00, 0x20000,    0xdb00},
        {GPUCMD_NV_CHIP_GP102, false, 2, 0x1000,     0,     0xdb00, 0x1000,     0xfe00},
        {GPUCMD_NV_CHIP_GV100, false, 2, 0x1000,     0,     0xdb00, 0x10000,    0xdb00},
        {GPUCMD_NV_CHIP_TU102, false, 2, 0x1000,     0,     0x0800, 0x10000,    0x0800},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t dw[12] = {0, rows[i].domain,    rows[i].bytes,     0, 0, 0, 0,
                                 0, rows[i].tile_mode, rows[i].tile_flags};
        CHECK(nouveau_open(rows[i].chip));
        if (rows[i].vm) {
            CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
        }
        line_ = __LINE__;
        call(0xc0306480, dw, 12, 0);
        EQUAL(gpucmd_nouveau_kernel_gem(&k, 1)->bytes, rows[i].size);
        EQUAL(gpucmd_nouveau_kernel_gem(&k, 1)->tile_flags, rows[i].flags);
    }
}

static void too_large(void)
{
    CASE(0xc0306480, 22, W(0, 4, 1, 0x40000000)); /* above 2^62 */
    CASE(0xc0306480, 12, W(0, 4, 0, 0x40000000)); /* 2^62 */
    CASE(0xc0306480, 12, W(0, 4, 1, 0x4000));     /* above 2^46 */
    CASE(0xc0306480, 0, W(0, 4, 0, 0x4000, 0, 0, 0, 0, 0, 0, 0, 0));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV40));
    CALL(0xc0306480, 12, W(0, 4, 0x80000000));
    /* 4 GiB of addresses: two objects of nearly 2 GiB leave no room for a third */
    CALL(0xc0306480, 0, W(0, 4, 0x7fff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0306480, 0, W(0, 4, 0x7fff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0306480, 12, W(0, 4, 0x7fff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_NONE);
}

/* A device without the functions memory and release: mapping offsets follow each other. */
static void no_memory_functions(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    nouveau_gpu.memory = NULL;
    nouveau_gpu.release = NULL;
    CALL(0xc0306480, 0, W(0, 4, 0x3000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const uint64_t first = gpucmd_nouveau_kernel_gem(&k, 1)->map_handle;
    CALL(0xc0306480, 0, W(0, 4, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_gem(&k, 2)->map_handle, first + 0x3000);
    CALL(0x40086409, 0, W(1, 0));
    CHECK(gpucmd_nouveau_kernel_gem(&k, 1) == NULL);
}

static void imports(void)
{
    static uint8_t host[0x2000];
    gpucmd_nouveau_gem from;
    uint32_t handle = 0;
    memset(&from, 0, sizeof from);
    from.domain = 4;
    from.host = host;
    setup();
    EQUAL(gpucmd_nouveau_kernel_import(&k, &from, &handle), -22); /* empty */
    from.bytes = 0x1800;
    EQUAL(gpucmd_nouveau_kernel_import(&k, &from, &handle), -22);
    from.bytes = 0x2000;
    EQUAL(gpucmd_nouveau_kernel_import(&k, &from, &handle), 0);
    CHECK(gpucmd_nouveau_kernel_gem(&k, handle)->host == host);
    EQUAL(gpucmd_nouveau_kernel_back(&k, 99, host), GPUCMD_RANGE);
    EQUAL(gpucmd_nouveau_kernel_back(&k, handle, host + 0x1000), GPUCMD_OK);
    CHECK(gpucmd_nouveau_kernel_gem(&k, handle)->host == host + 0x1000);
    int result = 0;
    for (int i = 0; i < 100 && result == 0; i++) {
        result = gpucmd_nouveau_kernel_import(&k, &from, &handle);
    }
    EQUAL(result, -12);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_GEMS);
    setup();
    k.handles.cap = k.handles.count;
    EQUAL(gpucmd_nouveau_kernel_import(&k, &from, &handle), -12);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_HANDLES);
}

/* mmap of an object whose handle is closed and which is still bound: EACCES; without memory: ENOMEM. */
static void mmaps(void)
{
    gpucmd_sys_map map;
    memset(&map, 0, sizeof map);
    map.flags = GPUCMD_SYS_MAP_SHARED;
    map.len_bytes = 0x1000;
    OP(0, MAP1);
    map.off_bytes = gpucmd_nouveau_kernel_gem(&k, 1)->map_handle;
    EQUAL(gpucmd_nouveau_kernel_mmap(&k, &map), 0);
    CALL(0x40086409, 0, W(1, 0));
    EQUAL(gpucmd_nouveau_kernel_mmap(&k, &map), -13);
    setup();
    CALL(0xc0306480, 0, W(0, 4, 0x1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0)); /* no host memory */
    map.off_bytes = gpucmd_nouveau_kernel_gem(&k, 5)->map_handle;
    EQUAL(gpucmd_nouveau_kernel_mmap(&k, &map), -12);
}

/* ---- VM_BIND ---- */

static void bind_edges(void)
{
    OP(22, W(1, 0, 0, 0, 0xfffff000, 0xffffffff, 0, 0, 0x2000, 0)); /* ends above 2^64 */
    OP(0, SPARSE);
    MORE(0, W(0, 0, 1, 0, 0x2000000, 0, 0, 0, 0, 0)); /* nothing is mapped: no region is touched */
    MORE(28, W(0, 0, 1, 0, 0x1ff8000, 0, 0, 0, 0x10000, 0)); /* begins before the region */
    MORE(28, W(0, 0x100, 0, 0, 0x1ff8000, 0, 0, 0, 0x10000, 0));
    OP(0, W(0, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0, 0)); /* an empty region is none */
    MORE(2, W(1, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0, 0));
    setup_chip(GPUCMD_NV_CHIP_GM204);
    MORE(22, W(0, 0x100, 0, 0, 0, 0x100, 0, 0, 0x200000, 0)); /* the space ends at 2^40 */
    MORE(0, SPARSE);
    /* the first operation fails, the second is not reached */
    setup();
    TWO(2, W(0, 0, 9, 0, 0x3000000, 0, 0, 0, 0x10000, 0), MAP1);
    CHECK(gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].tree, 0) == NULL);
    OP(0, SPARSE);
    TWO(28, SPARSE, MAP1);
    TWO(22, W(0, 0, 3, 0, 0x5000000, 0, 0, 0, 0x1000, 0), MAP1);
    TWO(22, W(4, 0, 0, 0, 0x5000000, 0, 0, 0, 0x1000, 0), MAP1); /* no such operation */
    CHECK(gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].tree, 0) == NULL);
}

/* Page kinds of Kepler: a compressed kind needs a page of 128 KiB and a range in whole pages. */
static void kepler_kinds(void)
{
    static const struct {
        uint32_t va, offset, bytes;
        bool maps;
    } rows[] = {
        {0x1000000, 0,       0x20000, true },
        {0x1000000, 0x20000, 0x20000, true },
        {0x1000000, 0x1000,  0x1000,  false},
        {0x1010000, 0,       0x20000, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t op[10] = {0, 0xdb, 2, 0, rows[i].va, 0, rows[i].offset, 0, rows[i].bytes};
        setup_chip(GPUCMD_NV_CHIP_GK104);
        nouveau_put(OPS, op, 10);
        CALL(0xc0286451, 0, ONE_OP);
        CHECK((gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, rows[i].va) != NULL &&
               gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, rows[i].va)->va ==
                   rows[i].va) == rows[i].maps);
    }
    setup_chip(GPUCMD_NV_CHIP_GK104); /* object 3 is in neither; object 1 has pages of 4 KiB */
    MORE(0, W(0, 0xdb, 1, 0, 0x1000000, 0, 0, 0, 0x10000, 0));
    const gpucmd_map *const m = gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, 0x1000000);
    CHECK(m == NULL || m->va != 0x1000000);
}

/* Return the first mapping at or after va. */
static const gpucmd_map *page_at(uint64_t va)
{
    return gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, va);
}

/* A MAP with a kind that does not fit unmaps its range, but for whole old mappings of the same bytes. */
static void misfits(void)
{
    OP(0, MAP1);
    MORE(0, W(0, 7, 1, 0, 0x1001000, 0, 0x1000, 0, 0x1000, 0)); /* a part of an old mapping */
    EQUAL(page_at(0x1000000)->bytes, 0x1000);
    EQUAL(page_at(0x1001000)->va, 0x1002000);
    OP(0, MAP1);
    MORE(0, W(0, 7, 2, 0, 0x1000000, 0, 0, 0, 0x10000, 0)); /* another object */
    CHECK(page_at(0x1000000) == NULL || page_at(0x1000000)->va != 0x1000000);
    OP(0, W(0, 0, 1, 0, 0x1000000, 0, 0, 0, 0x1000, 0));
    MORE(0, W(0, 7, 1, 0, 0x1000000, 0, 0x1000, 0, 0x1000, 0)); /* other bytes of the object */
    CHECK(page_at(0x1000000) == NULL || page_at(0x1000000)->va != 0x1000000);
    OP(0, MAP1);
    MORE(0, W(0, 7, 1, 0, 0xffc000, 0, 0, 0, 0x8000, 0)); /* ends inside an old mapping */
    EQUAL(page_at(0xffc000)->va, 0x1004000);
}

/* ---- sync objects of the caller ---- */

static uint32_t attached_to, attached_fence, found_fence;
static uint64_t attached_point;

static int sync_find(void *user, uint32_t handle, uint64_t point, uint32_t *fence)
{
    CHECK(user == &attached_to);
    if (handle != 0x50) {
        return -GPUCMD_SYS_ENOENT;
    }
    EQUAL(point, 6);
    *fence = found_fence;
    gpucmd_fence_hold(&k.fences, found_fence);
    return 0;
}

static bool sync_exists(void *user, uint32_t handle)
{
    CHECK(user == &attached_to);
    return handle == 0x51;
}

static void sync_attach(void *user, uint32_t handle, uint64_t point, uint32_t fence)
{
    CHECK(user == &attached_to);
    attached_to = handle;
    attached_point = point;
    attached_fence = fence;
}

static void callers_syncs(void)
{
    const gpucmd_nouveau_syncs syncs = {sync_find, sync_exists, sync_attach, &attached_to};
    setup();
    k.syncs = &syncs;
    PUT(WAITS, W(1, 0x50, 6, 0));
    PUT(SIGS, W(1, 0x51, 7, 0));
    found_fence = gpucmd_fence_new(&k.fences, 0, 0);
    CALL(0xc0286452, 0, W(3, 0, 1, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0, 0));
    EQUAL(attached_to, 0x51);
    EQUAL(attached_point, 7);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1000), GPUCMD_RUN_BLOCKED);
    EQUAL(gpucmd_fence_signal(&k.fences, found_fence, 0), GPUCMD_OK);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1000), GPUCMD_RUN_IDLE);
    PUT(WAITS, W(1, 0x52, 6, 0));
    CALL(0xc0286452, 2, W(3, 0, 1, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0, 0));
    PUT(SIGS, W(1, 0x52, 7, 0));
    CALL(0xc0286452, 2, W(3, 0, 0, 1, 0, 0, 0x5000, 0x7f00, 0, 0));
    /* point 0 of a timeline of the file is its newest fence */
    setup();
    PUT(SIGS, W(1, 3, 0, 0));
    CALL(0xc0286452, 0, W(3, 0, 0, 1, 0, 0, 0x5000, 0x7f00, 0, 0));
    uint64_t value = 9;
    EQUAL(gpucmd_syncobj_query(&k.syncobjs, 3, 0, &value), 0);
    EQUAL(value, 0);
}

/* ---- channels ---- */

static void full_channels(void)
{
    setup();
    for (int i = 0; i < 3; i++) {
        CALL(0xc0586442, 0, W(0, 0));
    }
    CALL(0xc0586442, 12, W(0, 0));
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_CHANNELS);
    setup();
    const uint32_t cap = k.maps.cap;
    k.maps.cap = k.maps.count;
    CALL(0xc0586442, 12, W(0, 0));
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_MAPS);
    k.maps.cap = cap;
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102)); /* an area smaller than a channel needs */
    CALL(0xc0106450, 0, W(0, 0x80, 0x1000, 0));
    CALL(0xc0586442, 28, W(0, 0));
}

static gpucmd_why last_why;
static unsigned stops, kills;

static void stopped(void *user, const gpucmd_nouveau_channel *ch, const gpucmd_why *why,
                    bool killed)
{
    (void)user;
    (void)ch;
    last_why = *why;
    stops++;
    kills += killed;
}

/* A file of the old interface whose object 2 has these words at 0x100, submitted n times in one job. */
static gpucmd_run old_job(gpucmd_nv_chip chip, const uint32_t *dw, uint32_t count, uint32_t n)
{
    setup_old(chip);
    const uint32_t id = k.t.channels[0].id;
    gpucmd_store_words((uint32_t *)k.t.gems[1].host + 0x40, dw, count, GPUCMD_LITTLE_ENDIAN);
    const uint32_t push[6] = {0, 0, 0x100, 0, 4 * count, 0};
    const uint32_t arg[16] = {id, 1, 0x3000, 0x7f00, 0, n, 0, 0, 0x6000, 0x7f00};
    PUT(OPS, BUFFER(2, 4, 4, 4));
    for (uint32_t i = 0; i < n; i++) {
        nouveau_put(PUSHES + 24 * i, push, 6);
    }
    stops = kills = 0;
    k.stopped = stopped;
    line_ = __LINE__;
    call(0xc0406481, arg, 16, 0);
    return gpucmd_nouveau_kernel_run(&k, 1 << 20);
}

/* Before GF100 the handles of methods are looked up on the channel: its two DMA objects, what
 * GROBJ_ALLOC made; any other stops it, without killing it. */
static void handles_in_methods(void)
{
    static const uint32_t dma[] = {0x00040180, 0xbeef0202};
    static const uint32_t fb[] = {0x00040180, 0xbeef0201};
    static const uint32_t none[] = {0x00040000, 0x77};
    (void)old_job(GPUCMD_NV_CHIP_G80, none, 2, 1);
    CHECK(stops != 0);
    EQUAL(kills, 0);
    for (int i = 0; i < 2; i++) {
        gpucmd_nv_object object;
        const uint32_t *const dw = i == 0 ? dma : fb;
        setup_old(GPUCMD_NV_CHIP_G80);
        CALL(0x400c6444, 0, W(2, 0x55, 0x5039));
        memset(&object, 0, sizeof object);
        EQUAL(k.card.object(k.card.object_user, 2, dw[1], &object), GPUCMD_OK);
        EQUAL(object.class_id, 2);
        EQUAL(object.bytes, (uint64_t)1 << 40);
        EQUAL(k.card.object(k.card.object_user, 2, 0x55, &object), GPUCMD_OK);
        EQUAL(object.class_id, 0x5039);
        EQUAL(k.card.object(k.card.object_user, 2, 0x56, &object), GPUCMD_FAULT);
        EQUAL(k.card.object(k.card.object_user, 9, 0x55, &object), GPUCMD_FAULT);
    }
    setup_old(GPUCMD_NV_CHIP_G80); /* the object of one channel is none of another */
    CALL(0xc0586442, 0, W(0xbeef0203, 0xbeef0204));
    CALL(0x400c6444, 0, W(2, 0x55, 0x5039));
    gpucmd_nv_object object;
    memset(&object, 0, sizeof object);
    EQUAL(k.card.object(k.card.object_user, 3, 0x55, &object), GPUCMD_FAULT);
}

/* What kills a channel: with GSP every error; on GF100 to GV100 that of a word which is no command; before,
 * the 64th error of a job. */
static void fatal_errors(void)
{
    static const uint32_t wrong[] = {0xc0000000};
    static const uint32_t none[] = {0x00040000, 0x77}; /* no object has this handle */
    EQUAL(old_job(GPUCMD_NV_CHIP_TU102, wrong, 1, 1), GPUCMD_RUN_FAULT);
    EQUAL(kills, 1);
    EQUAL(last_why.kind, GPUCMD_WHY_ERROR);
    EQUAL(old_job(GPUCMD_NV_CHIP_GK104, wrong, 1, 1), GPUCMD_RUN_FAULT);
    EQUAL(kills, 1);
    EQUAL(old_job(GPUCMD_NV_CHIP_G80, wrong, 1, 1), GPUCMD_RUN_IDLE); /* the pusher recovers */
    EQUAL(stops, 1);
    EQUAL(kills, 0);
    EQUAL(old_job(GPUCMD_NV_CHIP_G80, none, 2, 63), GPUCMD_RUN_IDLE);
    EQUAL(stops, 63);
    EQUAL(kills, 0);
    EQUAL(old_job(GPUCMD_NV_CHIP_G80, none, 2, 80), GPUCMD_RUN_FAULT);
    EQUAL(stops, 64);
    EQUAL(kills, 1);
    CALL(0xc0406481, 19, PUSHED); /* a killed channel accepts nothing more */
}

/* A job of GEM_PUSHBUF has no time limit, unless the device has a watchdog. */
static void watchdog(void)
{
    setup_old(GPUCMD_NV_CHIP_GK104);
    const uint32_t va = (uint32_t)k.t.gems[1].va; /* the word there stays 0 */
    const uint32_t acquire[5] = {0x20040004, 0, va, 1, 0x01000001};
    flips_repeats(true);
    EQUAL(old_job(GPUCMD_NV_CHIP_GK104, acquire, 5, 1), GPUCMD_RUN_BLOCKED);
    nouveau_gpu.now_ns = (uint64_t)1 << 62;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    nouveau_gpu.now_ns = 999;
    nouveau_gpu.watchdog_ns = 1000;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    nouveau_gpu.now_ns++;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_FAULT);
    flips_repeats(false);
    EQUAL(stops, 0); /* it is no error of the channel */
    EQUAL(k.kills, 1);
    EQUAL(k.jobs, 0);
    CALL(0xc0406481, 19, PUSHED);
}

static unsigned refusals;

/* Refuse the first event. */
static gpucmd_status refuse_once(void *user, const gpucmd_event *e)
{
    (void)user;
    (void)e;
    return refusals++ == 0 ? GPUCMD_LIMIT : GPUCMD_OK;
}

/* An executor that raises bit PRI of the interrupt once. */
static gpucmd_run interrupt(void *user, gpucmd_nv_channel *gpu, const gpucmd_env *env,
                            uint64_t budget)
{
    (void)user;
    (void)env;
    (void)budget;
    if (stops != 0) {
        return GPUCMD_RUN_IDLE;
    }
    gpu->pbdma.intr = (uint32_t)1 << 27;
    return GPUCMD_RUN_FAULT;
}

/* What does not kill a channel of GF100 and later: without GSP a bit of the interrupt that is none of the
 * fatal ones, as PRI; a callback that refuses a method. */
static void other_stops(void)
{
    static const uint32_t nop[] = {0};
    EQUAL(old_job(GPUCMD_NV_CHIP_GK104, nop, 1, 1), GPUCMD_RUN_IDLE);
    EQUAL(stops, 0);
    k.exec = interrupt;
    CALL(0xc0406481, 0, PUSHED);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(stops, 1);
    EQUAL(kills, 0);
    EQUAL(last_why.kind, GPUCMD_WHY_ERROR);
    EQUAL(k.t.channels[0].gpu.pbdma.intr, 0); /* the interrupt handler cleared it */
    setup();
    static const uint32_t words[] = {0x20010040, 7};
    gpucmd_store_words(gpucmd_nouveau_kernel_gem(&k, 1)->host, words, 2, GPUCMD_LITTLE_ENDIAN);
    MORE(0, W(0, 0, 1, 0, 0x4000000, 0, 0, 0, 0x1000, 0));
    PUT(PUSHES, W(0x4000000, 0, 8, 0));
    stops = kills = refusals = 0;
    k.stopped = stopped;
    k.event = refuse_once;
    CALL(0xc0286452, 0, ONE_PUSH);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(stops, 1);
    EQUAL(kills, 0);
    EQUAL(last_why.kind, GPUCMD_WHY_CALLBACK);
}

/* Memory that no host memory backs is not there: the push itself cannot be read. */
static void unbacked(void)
{
    setup();
    CALL(0xc0306480, 0, W(0, 4, 0x1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0)); /* handle 5 */
    MORE(0, W(0, 0, 5, 0, 0x4000000, 0, 0, 0, 0x1000000, 0));
    PUT(PUSHES, W(0x4000000, 0, 0x40, 0));
    k.stopped = stopped;
    CALL(0xc0286452, 0, ONE_PUSH);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_FAULT);
    EQUAL(last_why.kind, GPUCMD_WHY_MEMORY);
    EQUAL(last_why.va, 0x4000000);
}

static unsigned executed;

static gpucmd_run execute(void *user, gpucmd_nv_channel *gpu, const gpucmd_env *env,
                          uint64_t budget)
{
    CHECK(user == &executed && gpu == &k.t.channels[0].gpu && env->mem != NULL && budget != 0);
    return executed++ == 0 ? GPUCMD_RUN_LIMIT : GPUCMD_RUN_IDLE;
}

/* The caller can execute the channel itself. */
static void callers_exec(void)
{
    setup();
    k.exec = execute;
    k.exec_user = &executed;
    PUT(PUSHES, W(0x1000000, 0, 0x40, 0));
    CALL(0xc0286452, 0, ONE_PUSH);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(executed, 2);
}

/* A push of channel 3 that acquires a semaphore at 0x1008000, which is 0: it waits for 1. */
static void acquire_job(uint32_t id)
{
    static const uint32_t words[6] = {0x20030017, 0x1008000, 0, 1, 0x2001001b, 0};
    const uint32_t arg[10] = {id, 1, 0, 1, 0, 0, 0x5000, 0x7f00, 0x6000, 0x7f00};
    gpucmd_store_words((uint32_t *)gpucmd_nouveau_kernel_gem(&k, 1)->host, words, 6,
                       GPUCMD_LITTLE_ENDIAN);
    PUT(PUSHES, W(0x1000000, 0, 24, 0));
    PUT(SIGS, W(0, 2, 0, 0));
    line_ = __LINE__;
    call(0xc0286452, arg, 10, 0);
}

static int32_t outcome(uint32_t s)
{
    uint32_t fence = 0;
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, s, 0, &fence), 0);
    return gpucmd_fence_signalled(&k.fences, fence) ? k.fences.rows[fence - 1].error : -1;
}

/* CHANNEL_FREE waits for jobs that have begun, as long as the progress function can: ENODEV then. */
static void channel_frees(void)
{
    for (int has_progress = 0; has_progress < 2; has_progress++) {
        OP(0, MAP1);
        acquire_job(3);
        k.progress = has_progress != 0 ? nouveau_progress : NULL;
        CALL(0x40046443, 0, W(3));
        EQUAL(outcome(2), 19);
    }
    /* a job that waits for a fence has not begun: it is cancelled, and GPUOBJ_FREE does not wait for it */
    OP(0, MAP1);
    PUT(SIGS, W(0, 1, 0, 0));
    PUT(WAITS, W(0, 2, 0, 0));
    const uint32_t fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 2, fence), 0);
    CALL(0xc0286452, 0, W(3, 0, 1, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0, 0));
    CALL(0x400c6444, 0, W(3, 8, 0x902d));
    CALL(0x40086446, 0, W(3, 8));
    CALL(0x40046443, 0, W(3));
    EQUAL(outcome(1), 3);
    /* the ring has 1024 entries: 510 and 1 twice leave 2, so that a job with one push does not begin */
    OP(0, MAP1);
    k.progress = NULL;
    for (uint32_t i = 0; i < 510 / 2; i++) {
        static const uint32_t push[4] = {0x1000000, 0, 0x40, 0};
        nouveau_put(PUSHES + 16 * i, push, 4);
    }
    PUT(SIGS, W(0, 1, 0, 0));
    CALL(0xc0286452, 0, W(3, 510, 0, 0, 0, 0, 0, 0, 0x6000, 0x7f00));
    CALL(0xc0286452, 0, W(3, 510, 0, 1, 0, 0, 0x5000, 0x7f00, 0x6000, 0x7f00));
    PUT(SIGS, W(0, 2, 0, 0));
    CALL(0xc0286452, 0, W(3, 1, 0, 1, 0, 0, 0x5000, 0x7f00, 0x6000, 0x7f00));
    CALL(0x40046443, 0, W(3));
    EQUAL(outcome(1), 19); /* had begun */
    EQUAL(outcome(2), 3);  /* cancelled */
}

/* Channel 3 runs, channel 4 is blocked or its job waits for a fence: one turn of each, then BLOCKED. */
static void two_channels(void)
{
    OP(0, MAP1);
    CALL(0xc0586442, 0, W(0, 0));
    CALL(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    acquire_job(4);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    EQUAL(k.jobs, 1);
    CALL(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    EQUAL(k.jobs, 1);
    OP(0, MAP1);
    CALL(0xc0586442, 0, W(0, 0));
    PUT(SIGS, W(0, 2, 0, 0));
    PUT(WAITS, W(0, 2, 0, 0));
    const uint32_t fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 2, fence), 0);
    CALL(0xc0286452, 0, W(4, 0, 1, 0, 0x4000, 0x7f00, 0, 0, 0, 0));
    CALL(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_BLOCKED);
    EQUAL(k.jobs, 1);
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
}

/* A file that is closed while a bind waits: the bind is done, and all tables become empty. */
static void close_with_bind(void)
{
    setup();
    const uint32_t fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 2, fence), 0);
    PUT(OPS, MAP1);
    PUT(WAITS, W(0, 2, 0, 0));
    CALL(0xc0286451, 0, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    EQUAL(k.jobs, 1);
    gpucmd_fence_release(&k.fences, fence);
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* ---- objects of channels ---- */

static void object_edges(void)
{
    setup_old(GPUCMD_NV_CHIP_G80);
    CALL(0xc0106445, 17, W(2, 0xbeef0201, 0x20, 0)); /* the other handle of the channel */
    CALL(0x400c6444, 38, W(2, 1, 2));
    CALL(0x400c6444, 38, W(2, 1, 3));
    CALL(0x400c6444, 0, W(2, 1, 0x506e)); /* the software class */
    EQUAL(k.t.names[0].oclass, 0xfffffffau);
    CALL(0x400c6444, 22, W(2, 3, 0x85b1)); /* no video class */
    CALL(0xc0586442, 0, W(0xbeef0203, 0xbeef0204));
    CALL(0x400c6444, 0, W(3, 1, 0x506e)); /* a handle belongs to its channel */
    CALL(0xc0106445, 0, W(2, 5, 0x20, 0));
    CALL(0xc0106445, 0, W(3, 5, 0x20, 0));
    GIVES(W(3, 5, 0x20, 0)); /* each channel has its own notifiers */
    CALL(0xc0106445, 28, W(2, 6, 0x1001, 0));
    nouveau_gpu.patch = 3;
    CALL(0xc0106445, 22, W(2, 6, 0, 0));
    CALL(0xc0106445, 0, W(2, 6, 1, 0));
    k.t.name_count = 5;
    CALL(0xc0106445, 28, W(2, 7, 1, 0));
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_NAMES);
    /* GF100: the classes of video by their ending */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GF100));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    CALL(0x400c6444, 0, W(2, 1, 0x85b1));
    EQUAL(k.t.names[0].oclass, 0x90b1);
    CALL(0x400c6444, 0, W(2, 2, 0x85b2));
    EQUAL(k.t.names[1].oclass, 0x90b2);
    CALL(0x400c6444, 0, W(2, 3, 0x85b3));
    EQUAL(k.t.names[2].oclass, 0x90b3);
    /* with GSP a handle is taken in its address space; 0 never is */
    setup();
    CALL(0x400c6444, 0, W(3, 0, 0x902d));
    CALL(0x400c6444, 0, W(3, 0, 0x902d));
    CALL(0x400c6444, 0, W(3, 8, 0x902d));
    CALL(0x400c6444, 22, W(3, 8, 0x902d));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80)); /* a new space */
    CALL(0xc0586442, 0, W(0, 0));
    CALL(0x400c6444, 0, W(4, 8, 0x902d));
    /* GPUOBJ_FREE frees no object that NVIF made */
    setup();
    CALL(0x40386447, 0, NEW_OBJECT(3, 0x5678, 9, 0xc597));
    CALL(0x40086446, 2, W(3, 9));
}

/* GPUOBJ_FREE waits for the jobs that have begun. */
static void object_free_waits(void)
{
    OP(0, MAP1);
    CALL(0x400c6444, 0, W(3, 8, 0x902d));
    CALL(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EQUAL(k.jobs, 1);
    CALL(0x40086446, 0, W(3, 8));
    EQUAL(k.jobs, 0);
    CALL(0x400c6444, 0, W(3, 8, 0x902d));
    acquire_job(3); /* the progress function gives up */
    CALL(0x40086446, 0, W(3, 8));
    EQUAL(k.jobs, 1);
    CALL(0x400c6444, 0, W(3, 8, 0x902d));
    k.progress = NULL;
    CALL(0x40086446, 0, W(3, 8));
}

/* ---- NVIF ---- */

static void nvif_edges(void)
{
    setup();
    CALL(0xc01c6447, 22, SCLASS(3, 0));                     /* size */
    CALL(0x40306447, 22, NEW_OBJECT(3, 0x5678, 9, 0xc597)); /* size */
    CALL(0x40386447, 22,
         W(0x200, 0xff000000, 3, 0, 0, 0, 1, 0, 0, 0, 8, 0, 9, 0xc597)); /* version */
    CALL(0x40386447, 0, NEW_OBJECT(3, 0x5678, 9, 0xc597));
    CALL(0x40486447, 0, NEW_DEVICE);
    CALL(0xc0886447, 22, W(0x400, 0xff000000, 3, 0, 0x1234));           /* of a channel */
    CALL(0xc01c6447, 22, W(0x400, 0xff0000, 0, 0, 0x1234));             /* size */
    CALL(0xc0886447, 22, W(0x400, 0xff0000, 0, 0, 0x5678));             /* not a device */
    CALL(0xc0886447, 22, W(0x400, 0xff0000, 0, 0, 0x1234, 0, 0, 0, 1)); /* version of the method */
    k.t.name_count = 2;
    CALL(0x40486447, 12,
         W(0x200, 0xff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1235, 0, 0, 0x80, 0, 0, 0, 0));
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_NAMES);
    /* without GSP the classes have no version */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GK104));
    CALL(0xc0586442, 0, W(0xffffffff, 1));
    CALL(0xc0386447, 0, SCLASS(2, 3));
    GIVES(W(0x100, 0xff000000, 2, 0, 0, 0, 7 << 8, 0, 0x8000000e, 0, 0xfffffff9, ~0u, 0x902d, ~0u));
    /* 2, 3 and 0x3d have version 0 */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_G80));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    CALL(0xc0506447, 0, SCLASS(2, 6));
    GIVES(W(0x100, 0xff000000, 2, 0, 0, 0, 11 << 8, 0, 0x8000000e, 0, 0xfffffffa, ~0u, 2, 0, 3, 0,
            0x3d, 0, 0x30, ~0u));
}

/* INFO: chip, platform (0 IGP, 2 AGP, 3 PCIe), revision and family, the name of the device. */
static void device_info(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t word6, word7;
    } rows[] = {
        {GPUCMD_NV_CHIP_NV40,  0x00400200, 0x000005a1},
        {GPUCMD_NV_CHIP_C51,   0x004e0000, 0x000005a1},
        {GPUCMD_NV_CHIP_AD102, 0x01920300, 0x00000ea1},
        {GPUCMD_NV_CHIP_GH100, 0x01800300, 0x00000fa1},
        {GPUCMD_NV_CHIP_GB202, 0x01b20300, 0x000010a1},
    };
    static const char name[] =
        "0123456789012345678901234567890123456789012345678901234567890123456789";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t dw[2];
        CHECK(nouveau_open(rows[i].chip));
        nouveau_gpu.name = name;
        CALL(0x40486447, 0, NEW_DEVICE);
        CALL(0xc0886447, 0, INFO(0));
        memcpy(dw, nouveau_at(ARG) + 32, 8);
        EQUAL(dw[0], rows[i].word6);
        EQUAL(dw[1], rows[i].word7);
        const char *const got = (const char *)nouveau_at(ARG) + 32 + 40;
        EQUAL(strlen(got), 63);
        CHECK(strncmp(got, name, 63) == 0);
    }
}

/* ---- old submissions ---- */

static void push_edges(void)
{
    /* NO_PREFETCH, the top bit of a length, is a flag of the entry */
    setup_old(GPUCMD_NV_CHIP_GK104);
    PUT(OPS, BUFFER(2, 4, 0, 4));
    PUT(PUSHES, W(0, 0, 0x100, 0, 0x800040, 0));
    CALL(0xc0406481, 0, PUSHED);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load32(&k.t.channels[0].ring[1], GPUCMD_LITTLE_ENDIAN) >> 31, 1);
    /* bit 0 of vram_available: wait for the job */
    PUT(PUSHES, W(0, 0, 0x100, 0, 0x40, 0));
    CALL(0xc0406481, 0, W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 1, 0, 0, 0));
    EQUAL(k.jobs, 0);
    static const uint32_t wrong = 0xc0000000;
    gpucmd_store_words((uint32_t *)k.t.gems[1].host + 0x40, &wrong, 1, GPUCMD_LITTLE_ENDIAN);
    k.progress = NULL;
    PUT(ARG, W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 1, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0xc0406481, ARG), -16); /* it is queued, but not over */
    EQUAL(k.jobs, 1);
    k.progress = nouveau_progress;
    PUT(ARG, W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 1, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0xc0406481, ARG), -19); /* the job killed the channel */
    /* nothing to push before G80: the suffix is RETURN */
    setup_old(GPUCMD_NV_CHIP_NV40);
    CALL(0xc0406481, 0, W(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0));
    GIVES(W(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20000, 0));
}

/* Relocations before G80. Object 2 is in GART, object 3 in VRAM. */
#define RELOCATE(err, count, buffers)                                                              \
    CALL(                                                                                          \
        0xc0406481, err,                                                                           \
        W(1, buffers, 0x3000, 0x7f00, count, 1, 0x5000, 0x7f00, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0))

static void relocation_edges(void)
{
    const uint32_t returns = 0x00020000;
    setup_old(GPUCMD_NV_CHIP_NV40);
    CALL(0xc0306480, 0, W(0, 2, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const uint32_t va = (uint32_t)k.t.gems[2].va;
    uint8_t *const bytes = (uint8_t *)k.t.gems[1].host;
    memcpy(bytes + 0x104, &returns, 4);
    PUT(PUSHES, W(0, 0, 0x100, 0, 8, 0));
    PUT(OPS, BUFFER(2, 4, 4, 4));
    PUT(OPS + 40, BUFFER(3, 2, 0, 2));
    PUT(SIGS, W(0, 0x40, 1, 2, 0xffffffff, 0, 0));     /* HIGH: bits 63:32 of va + data */
    PUT(SIGS + 28, W(0, 0x44, 1, 4, 0x5, 0x10, 0x20)); /* OR: vor in VRAM */
    PUT(SIGS + 56, W(0, 0x48, 1, 1, 0x8, 0, 0));       /* LOW */
    RELOCATE(0, 3, 2);
    EQUAL(gpucmd_load32(bytes + 0x40, GPUCMD_LITTLE_ENDIAN), 1);
    EQUAL(gpucmd_load32(bytes + 0x44, GPUCMD_LITTLE_ENDIAN), 0x15);
    EQUAL(gpucmd_load32(bytes + 0x48, GPUCMD_LITTLE_ENDIAN), va + 8);
    /* the second buffer is where the client presumes it: its relocations are skipped, whatever they
     * patch, and its address does not come back */
    const uint32_t presumed[10] = {0, 0, 3, 2, 0, 2, 1, 2, va, 0};
    PUT(OPS, BUFFER(2, 4, 4, 4));
    nouveau_put(OPS + 40, presumed, 10);
    PUT(SIGS, W(9, 0x40, 1, 1, 0, 0, 0));
    RELOCATE(0, 1, 2);
    uint32_t dw;
    memcpy(&dw, nouveau_at(OPS) + 40 + 24, 4);
    EQUAL(dw, 1);
    /* the right address in the wrong domain is a move, too */
    const uint32_t moved[10] = {0, 0, 3, 2, 0, 2, 1, 4, va, 0};
    nouveau_put(OPS + 40, moved, 10);
    PUT(OPS, BUFFER(2, 4, 4, 4));
    PUT(SIGS, W(9, 0x40, 1, 1, 0, 0, 0)); /* patches no buffer of the list */
    RELOCATE(22, 1, 2);
    /* the object to patch must be idle: two jobs wait in the queue */
    PUT(OPS, BUFFER(2, 4, 4, 4));
    nouveau_put(OPS + 40, moved, 10);
    PUT(SIGS, W(0, 0x40, 1, 1, 0, 0, 0));
    k.progress = NULL;
    RELOCATE(16, 1, 2);
    k.progress = nouveau_progress;
    RELOCATE(0, 1, 2);
    EQUAL(k.jobs, 1);
}

static int interrupted(void *user)
{
    (void)user;
    return -GPUCMD_SYS_EINTR;
}

/* A wait that a signal interrupts; memory that is read-only; objects without memory. */
static void relocation_failures(void)
{
    gpucmd_region regions[3];
    setup_old(GPUCMD_NV_CHIP_NV40);
    PUT(PUSHES, W(0, 0, 0x100, 0, 8, 0));
    PUT(OPS, BUFFER(2, 4, 4, 4));
    PUT(SIGS, W(0, 0x40, 0, 1, 0, 0, 0));
    RELOCATE(0, 1, 1);
    PUT(OPS, BUFFER(2, 4, 4, 4));
    k.progress = interrupted;
    RELOCATE(4, 1, 1);
    k.progress = nouveau_progress;
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    /* the buffers are read-only: addresses cannot come back */
    for (uint32_t i = 0; i < 3; i++) {
        regions[i] = nouveau_region;
        regions[i].va = NOUVEAU_VA + (i == 0 ? 0 : i == 1 ? 0x3000 : 0x4000);
        regions[i].host = nouveau_user + (i == 0 ? 0 : i == 1 ? 0x3000 : 0x4000);
        regions[i].bytes = i == 0 ? 0x3000 : i == 1 ? 0x1000 : 0x4000;
    }
    regions[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&nouveau_process, regions, 3), GPUCMD_OK);
    RELOCATE(14, 1, 1);
    /* an object without host memory has nothing to patch */
    setup_old(GPUCMD_NV_CHIP_NV40);
    CALL(0xc0306480, 0, W(0, 4, 0x1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    PUT(PUSHES, W(0, 0, 0x100, 0, 8, 0));
    PUT(OPS, BUFFER(3, 4, 4, 4));
    PUT(SIGS, W(0, 0x40, 0, 1, 0, 0, 0));
    RELOCATE(0, 1, 1);
}

/* ---- the rest ---- */

static void rest(void)
{
    gpucmd_nouveau_tables t;
    gpucmd_region regions[2];
    /* SETPARAM is for the master alone, who is refused as well */
    setup();
    k.file_mask = 14; /* authenticated, master, root */
    CALL(0xc0106441, 22, W(3, 0, 0, 0));
    /* CPU_PREP: EXEC writes what the VM maps and what cannot be shared, not other objects */
    OP(0, MAP1);
    CALL(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0x40086482, 0, W(2, 1));  /* not mapped */
    CALL(0x40086482, 16, W(1, 1)); /* NO_SHARE and mapped */
    MORE(0, W(0, 0, 2, 0, 0x2000000, 0, 0, 0, 0x1000, 0));
    CALL(0x40086482, 16, W(2, 1));                                      /* mapped */
    CALL(0xc0306480, 0, W(0, 0x24, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0)); /* NO_SHARE */
    CALL(0x40086482, 16, W(5, 1));
    /* SCLASS cannot write: nothing is written */
    setup();
    regions[0] = nouveau_region;
    regions[0].access_mask = GPUCMD_ACCESS_READ;
    PUT(ARG, SCLASS(3, 1));
    EQUAL(gpucmd_mem_init(&nouveau_process, regions, 1), GPUCMD_OK);
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0xc0286447, ARG), -14);
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    t = nouveau_tables;
    t.handles = NULL;
    EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_HANDLES);
    t = nouveau_tables;
    t.job_count = (1u << 24) + 1;
    EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_JOBS);
}

int main(void)
{
    refused_chips();
    if (gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN) {
        /* arguments are written as words, the lower one first */
        return test_report("nv/nouveau_edges");
    }
    classes();
    engines();
    engine_choice();
    channel_numbers();
    sizes_of_chips();
    object_sizes();
    too_large();
    no_memory_functions();
    imports();
    mmaps();
    bind_edges();
    kepler_kinds();
    misfits();
    callers_syncs();
    full_channels();
    handles_in_methods();
    fatal_errors();
    watchdog();
    other_stops();
    unbacked();
    callers_exec();
    channel_frees();
    two_channels();
    close_with_bind();
    object_edges();
    object_free_waits();
    nvif_edges();
    device_info();
    push_edges();
    relocation_edges();
    relocation_failures();
    rest();
    return test_report("nv/nouveau_edges");
}

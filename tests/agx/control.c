/* agx/control.c - control streams: blocks, links, calls, the end; what the checker finds in them. The
 * words of the streams at VDM_VA and CDM_VA were captured from Mesa 26.1.6 (gles2_tri on m1). */
#include "gpucmd_agx.h"
#include "agx/agx.h"

#define MEM_VA 0x1500000000u
#define VDM_VA MEM_VA
#define CDM_VA (MEM_VA + 0x1000)
#define OWN_VA (MEM_VA + 0x2000)

static uint32_t words[4096];
static gpucmd_region region;
static gpucmd_mem mem;

static const uint32_t vdm[] = {
    0x20000008, 0x0000062f, 0xfff80010, 0x4000002e, 0x00001212, 0xfff68000,
    0x00000505, 0x00000002, 0x00000000, 0x61f2062f, 0xfff80bc0, 0x00000003,
    0x00000001, 0x00000000, 0x00000002, 0xc0000000, 0x00000000,
};
static const uint32_t cdm[] = {
    0x00001212, 0xfff0c000, 0x00000040, 0x00000040, 0x00000001, 0x00000020,
    0x00000020, 0x00000001, 0x600fffff, 0x40000000, 0x00000000,
};

/* Store words of a stream, little endian as the GPU reads them. */
static void put(uint64_t va, const uint32_t *dw, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gpucmd_store32((uint8_t *)words + (va - MEM_VA) + 4 * i, dw[i], GPUCMD_LITTLE_ENDIAN);
    }
}

static void setup(void)
{
    memset(words, 0, sizeof words);
    region.va = MEM_VA;
    region.bytes = sizeof words;
    region.host = (uint8_t *)words;
    region.access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    put(VDM_VA, vdm, sizeof vdm / sizeof vdm[0]);
    put(CDM_VA, cdm, sizeof cdm / sizeof cdm[0]);
}

static char text[4096];

/* Walk at most 40 blocks, and print them. Return the status. */
static gpucmd_status walk_all(gpucmd_agx_ctrl stream, uint64_t va,
                              const struct gpucmd_drm_asahi_params_global *params,
                              gpucmd_agx_ctrl_walk *walk)
{
    gpucmd_agx_block b;
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    text[0] = '\0';
    gpucmd_agx_ctrl_init(walk, &mem, stream, va, params);
    for (int i = 0; i < 40 && gpucmd_agx_ctrl_next(walk, &b); i++) {
        gpucmd_agx_print_block(&t, &b);
        gpucmd_text_char(&t, '\n');
    }
    return walk->status;
}

static void streams_of_mesa(void)
{
    gpucmd_agx_ctrl_walk at;
    setup();
    EQUAL(walk_all(GPUCMD_AGX_CTRL_VDM, VDM_VA, NULL, &at), GPUCMD_OK);
    TEXT(text, "0x1500000000 20000008 VDM_BARRIER\n"
               "0x1500000004 0000062f fff80010 VDM_PPP_STATE record 0x2ffff80010+0x18\n"
               "0x150000000c 4000002e 00001212 fff68000 00000505 00000002 00000000 VDM_STATE "
               "pipeline usc+0xfff68000\n"
               "0x1500000024 61f2062f fff80bc0 00000003 00000001 00000000 00000002 VDM_INDEX_LIST "
               "index buffer 0x2ffff80bc0+0x8\n"
               "0x150000003c c0000000 00000000 VDM_TERMINATE\n");
    EQUAL(walk_all(GPUCMD_AGX_CTRL_CDM, CDM_VA, NULL, &at), GPUCMD_OK);
    TEXT(text, "0x1500001000 00001212 fff0c000 00000040 00000040 00000001 00000020 00000020 "
               "00000001 CDM_LAUNCH pipeline usc+0xfff0c000\n"
               "0x1500001020 600fffff CDM_BARRIER\n"
               "0x1500001024 40000000 00000000 CDM_TERMINATE\n");
}

/* Stream at OWN_VA: words, the status, the va and the number of blocks at the end. */
static void ends(gpucmd_agx_ctrl stream, const uint32_t *dw, size_t count, gpucmd_status status,
                 uint64_t va, uint32_t blocks, int line)
{
    gpucmd_agx_ctrl_walk at;
    gpucmd_agx_block b;
    uint32_t n = 0;
    put(OWN_VA, dw, count);
    gpucmd_agx_ctrl_init(&at, &mem, stream, OWN_VA, NULL);
    while (n < 100 && gpucmd_agx_ctrl_next(&at, &b)) {
        n++;
    }
    test_equal(at.status, status, __FILE__, line, "status");
    test_equal(n, blocks, __FILE__, line, "blocks");
    if (status != GPUCMD_OK) {
        test_equal(at.va, va, __FILE__, line, "va");
    }
    CHECK(n == 100 || !gpucmd_agx_ctrl_next(&at, &b));
}
#define ENDS(stream, status, va, blocks, ...)                                                      \
    do {                                                                                           \
        const uint32_t dw_[] = {__VA_ARGS__};                                                      \
        ends(GPUCMD_AGX_CTRL_##stream, dw_, sizeof dw_ / sizeof dw_[0], status, va, blocks,        \
             __LINE__);                                                                            \
    } while (0)

static void flow(void)
{
    setup();
    ENDS(VDM, GPUCMD_OK, 0, 6, 0x80000015, 0x00000000); /* a link to the stream of Mesa */
    ENDS(CDM, GPUCMD_OK, 0, 4, 0x20000015, 0x00001000);
    ENDS(VDM, GPUCMD_OK, 0, 100, 0x80000015, 0x00002000); /* a link to itself: the caller stops */
    ENDS(VDM, GPUCMD_FAULT, 0x1600000000u, 1, 0x80000016, 0x00000000);
    ENDS(VDM, GPUCMD_INVALID, OWN_VA, 0, 0xe0000000, 0);
    ENDS(CDM, GPUCMD_INVALID, OWN_VA, 0, 0x80000000, 0);
    ENDS(CDM, GPUCMD_INVALID, OWN_VA, 0, 0x18000000, 0);              /* mode 3 */
    ENDS(VDM, GPUCMD_INVALID, OWN_VA + 4, 1, 0x20000000, 0x28000000); /* returns without a call */
    /* a call of OWN_VA + 16, which returns; then the end */
    ENDS(VDM, GPUCMD_OK, 0, 4, 0x90000015, 0x00002010, 0xc0000000, 0, 0x20000000, 0x28000000);
    ENDS(VDM, GPUCMD_LIMIT, OWN_VA + 8, 16, 0x90000015, 0x00002000); /* calls itself */
    /* the last words of the memory: a block that does not end there */
    put(MEM_VA + sizeof words - 4, (const uint32_t[]){0xc0000000}, 1);
    ENDS(VDM, GPUCMD_FAULT, MEM_VA + sizeof words - 4, 1, 0x80000015, 0x00003ffc);
}

/* Sizes: modes of launches, G14X, optional parts, padding. */
static void sizes(void)
{
    struct gpucmd_drm_asahi_params_global p;
    gpucmd_agx_ctrl_walk at;
    static const uint32_t launch[] = {
        0x08000000, 0x00000047, 0x0000002f, 0xfff80003, 1, 2, 3, /* INDIRECT_GLOBAL */
        0x10000000, 0x00000080, 0x0000002f, 0xfff80004,          /* INDIRECT_LOCAL */
        0x40000000, 0x00000000,
    };
    static const uint32_t wide[] = {
        0x08000000, 0x00000040, 0, 0x40000000, 0x0000002f, 0xfff80004, 1, 2, 3, 0x40000000, 0,
    };
    static const uint32_t parts[] = {
        0x40000002, 1,          0x400000ff, 1,          2,    3, 4,
        5,          6,          7,                               /* no padding; seven parts */
        0x40000003, 1,          2,          0,                   /* padding */
        0x6e000001, 1,          2,          3,          4,    5, /* unknown 25, indirect, unknown 27 */
        0xa4200012, 0x00000100, 0x00000013, 0x00000200, 0x40,    /* factors, indirect */
        0xc0000000, 0,
    };
    setup();
    put(OWN_VA, launch, sizeof launch / sizeof launch[0]);
    EQUAL(walk_all(GPUCMD_AGX_CTRL_CDM, OWN_VA, NULL, &at), GPUCMD_OK);
    TEXT(text, "0x1500002000 08000000 00000047 0000002f fff80003 00000001 00000002 00000003 "
               "CDM_LAUNCH pipeline usc+0x40 indirect 0x2ffff80000+0xc\n"
               "0x150000201c 10000000 00000080 0000002f fff80004 CDM_LAUNCH pipeline usc+0x80 "
               "indirect 0x2ffff80004+0x18\n"
               "0x150000202c 40000000 00000000 CDM_TERMINATE\n");
    EQUAL(gpucmd_agx_params_init(&p, GPUCMD_AGX_CHIP_T6020), GPUCMD_OK);
    put(OWN_VA, wide, sizeof wide / sizeof wide[0]);
    EQUAL(walk_all(GPUCMD_AGX_CTRL_CDM, OWN_VA, &p, &at), GPUCMD_OK);
    TEXT(text, "0x1500002000 08000000 00000040 00000000 40000000 0000002f fff80004 00000001 "
               "00000002 00000003 CDM_LAUNCH pipeline usc+0x40 indirect 0x2ffff80004+0xc\n"
               "0x1500002024 40000000 00000000 CDM_TERMINATE\n");
    EQUAL(gpucmd_agx_params_init(&p, GPUCMD_AGX_CHIP_T8112), GPUCMD_OK); /* one cluster */
    put(OWN_VA, launch, sizeof launch / sizeof launch[0]);
    EQUAL(walk_all(GPUCMD_AGX_CTRL_CDM, OWN_VA, &p, &at), GPUCMD_OK);
    put(OWN_VA, parts, sizeof parts / sizeof parts[0]);
    EQUAL(walk_all(GPUCMD_AGX_CTRL_VDM, OWN_VA, NULL, &at), GPUCMD_OK);
    TEXT(text, "0x1500002000 40000002 00000001 VDM_STATE\n"
               "0x1500002008 400000ff 00000001 00000002 00000003 00000004 00000005 00000006 "
               "00000007 VDM_STATE pipeline usc+0x0\n"
               "0x1500002028 40000003 00000001 00000002 00000000 VDM_STATE\n"
               "0x1500002038 6e000001 00000001 00000002 00000003 00000004 00000005 VDM_INDEX_LIST "
               "indirect 0x300000004\n"
               "0x1500002050 a4200012 00000100 00000013 00000200 00000040 VDM_TESSELLATE factors "
               "0x1200000100 indirect 0x1300000200+0x40\n"
               "0x1500002064 c0000000 00000000 VDM_TERMINATE\n");
    TEXT(gpucmd_agx_block_name(GPUCMD_AGX_BLOCK_CDM_BARRIER), "CDM_BARRIER");
    TEXT(gpucmd_agx_block_name((gpucmd_agx_block_id)(GPUCMD_AGX_BLOCK_CDM_BARRIER + 1)), "?");
}

static char found_text[2048];

static gpucmd_status found(void *user, const gpucmd_agx_finding *f)
{
    gpucmd_text t;
    char line[192];
    (void)user;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_agx_print_finding(&t, f);
    strcat(strcat(found_text, line), "\n");
    return GPUCMD_OK;
}

/* Check a render and a compute whose control streams are at these addresses. */
static void check(uint64_t render_va, uint64_t compute_va, const char *want, int line)
{
    uint32_t stream_words[128];
    gpucmd_agx_stream s;
    gpucmd_map maps_rows[4];
    gpucmd_maps maps;
    gpucmd_space space;
    gpucmd_map map;
    size_t len = 0;
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_check_options o;
    gpucmd_maps_init(&maps, maps_rows, 4);
    gpucmd_space_init(&space, 1);
    memset(&map, 0, sizeof map);
    map.va = MEM_VA;
    map.bytes = sizeof words;
    map.object = 1;
    map.access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_space_bind(&maps, &space, &map), GPUCMD_OK);
    map.va = 0x2ffff80000u;
    map.bytes = 0x4000;
    EQUAL(gpucmd_space_bind(&maps, &space, &map), GPUCMD_OK);
    gpucmd_agx_render_init(&r, render_va, 64, 64);
    gpucmd_agx_compute_init(&c, compute_va, 0);
    gpucmd_agx_stream_init(&s, stream_words, 128);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len), GPUCMD_OK);
    memset(&o, 0, sizeof o);
    o.found = found;
    o.maps = &maps;
    o.space = &space;
    o.mem = &mem;
    o.usc_exec_base = (uint64_t)0x2ffff80000u - 0xfff00000u;
    found_text[0] = '\0';
    EQUAL(gpucmd_agx_check_stream((const uint8_t *)stream_words, len, &o, NULL), GPUCMD_OK);
    test_text(found_text, want, __FILE__, line);
}

static void checks(void)
{
    setup();
    check(VDM_VA, CDM_VA,
          "0x0, command 0: error: CHECK_UNMAPPED: pipeline 0x2ffffe8000 is not mapped at "
          "0x2ffffe8000\n"
          "0xf8, command 1: error: CHECK_UNMAPPED: pipeline 0x2ffff8c000 is not mapped at "
          "0x2ffff8c000\n",
          __LINE__);
    /* an unknown block; a stream that links to itself */
    put(OWN_VA, (const uint32_t[]){0xe0000001}, 1);
    put(OWN_VA + 64, (const uint32_t[]){0x20000015, 0x00002040}, 2);
    check(OWN_VA, OWN_VA + 64,
          "0x0, command 0: warning: CHECK_BLOCK: control stream at 0x1500002000 has the unknown "
          "first word 0xe0000001\n"
          "0xf8, command 1: warning: CHECK_NO_END: control stream has no end within 65536 blocks\n",
          __LINE__);
    /* links to addresses that are not mapped */
    put(OWN_VA, (const uint32_t[]){0x80000015, 0x00008000}, 2);
    put(OWN_VA + 64, (const uint32_t[]){0x40000000, 0}, 2);
    check(OWN_VA, OWN_VA + 64,
          "0x0, command 0: error: CHECK_UNMAPPED: target 0x1500008000 is not mapped at "
          "0x1500008000\n"
          "0x0, command 0: error: CHECK_UNMAPPED: control stream 0x1500002000 is not mapped at "
          "0x1500008000\n",
          __LINE__);
}

int main(void)
{
    streams_of_mesa();
    flow();
    sizes();
    checks();
    return test_report("agx_control");
}

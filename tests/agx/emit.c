/* agx/emit.c - writers: known streams byte for byte, every failure, sync arrays, arguments. */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"

/* The common values of the known streams. */
static struct gpucmd_drm_asahi_cmd_compute compute(void)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    return c;
}

static struct gpucmd_drm_asahi_cmd_render render(void)
{
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_agx_render_init(&c, 0x1500020000u, 1920, 1080);
    return c;
}

static void emit_r(gpucmd_agx_stream *s, uint32_t vdm, uint32_t cdm)
{
    const struct gpucmd_drm_asahi_cmd_render c = render();
    gpucmd_agx_emit_render_cut(s, vdm, cdm, &c, 160);
}

static void emit_c(gpucmd_agx_stream *s, uint32_t vdm, uint32_t cdm)
{
    const struct gpucmd_drm_asahi_cmd_compute c = compute();
    gpucmd_agx_emit_compute_cut(s, vdm, cdm, &c, 24);
}

static void w1(gpucmd_agx_stream *s)
{
    emit_c(s, NONE, NONE);
}

static void w2(gpucmd_agx_stream *s)
{
    const struct gpucmd_drm_asahi_cmd_compute c = compute();
    gpucmd_agx_emit_compute(s, 0, 0, &c);
}

static void w3(gpucmd_agx_stream *s)
{
    emit_r(s, NONE, NONE);
}

static void w4(gpucmd_agx_stream *s)
{
    const struct gpucmd_drm_asahi_cmd_render c = render();
    gpucmd_agx_emit_render(s, 0, 0, &c);
}

static void w5(gpucmd_agx_stream *s)
{
    static const struct gpucmd_drm_asahi_attachment list[2] = {
        {0x1600000000u, 0x7E9000, 0, 0},
        {0x1600800000u, 0x200000, 0, 0},
    };
    const struct gpucmd_drm_asahi_cmd_compute c = compute();
    gpucmd_agx_emit_compute(s, 0, 0, &c);
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, list, 2);
    emit_r(s, NONE, gpucmd_agx_after_compute(s, 1));
}

static void w6(gpucmd_agx_stream *s)
{
    static const struct gpucmd_drm_asahi_attachment list[1] = {
        {0x1700000000u, 4096, 0, 0}
    };
    struct gpucmd_drm_asahi_cmd_compute c = compute();
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, list, 1);
    emit_c(s, NONE, NONE);
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, NULL, 0);
    c.sampler_heap = 0x1500030000u;
    c.sampler_count = 17;
    c.helper.binary = 0x00400001;
    c.helper.cfg = 0x10000;
    c.helper.data = 0x1500040000u;
    c.ts.start.handle = 1;
    c.ts.start.offset = 16;
    c.ts.end.handle = 1;
    c.ts.end.offset = 24;
    gpucmd_agx_emit_compute(s, NONE, gpucmd_agx_after_computes(s), &c);
}

static void w7(gpucmd_agx_stream *s)
{
    struct gpucmd_drm_asahi_cmd_render c = render();
    c.flags = 0x40007;
    c.isp_zls_pixels = gpucmd_agx_zls_pixels(1920, 1080);
    c.vertex_helper.binary = 0x101;
    c.vertex_helper.cfg = 0x10000;
    c.vertex_helper.data = 0x1500060000u;
    c.fragment_helper.binary = 0x201;
    c.fragment_helper.cfg = 0x10000;
    c.fragment_helper.data = 0x1500061000u;
    c.isp_scissor_base = 0x1500050000u;
    c.isp_dbias_base = 0x1500051000u;
    c.isp_oclqry_base = 0x1500052000u;
    c.depth.base = 0x1800000000u;
    c.depth.comp_base = 0x1800100000u;
    c.depth.stride = 0x100000;
    c.depth.comp_stride = 0x4000;
    c.stencil.base = 0x1801000000u;
    c.stencil.comp_base = 0x1801100000u;
    c.stencil.stride = 0x80000;
    c.stencil.comp_stride = 0x2000;
    c.zls_ctrl = 0x0123456789u;
    c.ppp_multisamplectl = 0x88;
    c.sampler_heap = 0x1500030000u;
    c.sampler_count = 5;
    c.isp_merge_upper_x = gpucmd_agx_merge_upper(1920);
    c.isp_merge_upper_y = gpucmd_agx_merge_upper(1080);
    c.bg.usc = 0x1004;
    c.bg.rsrc_spec = 0x11;
    c.eot.usc = 0x2004;
    c.eot.rsrc_spec = 0x22;
    c.partial_bg.usc = 0x3004;
    c.partial_bg.rsrc_spec = 0x33;
    c.partial_eot.usc = 0x4004;
    c.partial_eot.rsrc_spec = 0x44;
    c.isp_bgobjdepth = 0x3F800000;
    c.isp_bgobjvals = 0x5A;
    c.ts_vtx.start.handle = 1;
    c.ts_vtx.start.offset = 0;
    c.ts_vtx.end.handle = 1;
    c.ts_vtx.end.offset = 8;
    c.ts_frag.start.handle = 2;
    c.ts_frag.start.offset = 16;
    c.ts_frag.end.handle = 2;
    c.ts_frag.end.offset = 24;
    gpucmd_agx_emit_render(s, NONE, NONE, &c);
}

static void w8(gpucmd_agx_stream *s)
{
    emit_r(s, NONE, 0);
    emit_c(s, NONE, NONE);
    emit_c(s, NONE, NONE);
    emit_r(s, gpucmd_agx_after_render(s, 1), gpucmd_agx_after_compute(s, 2));
    emit_r(s, NONE, NONE);
    emit_r(s, gpucmd_agx_after_render(s, 3), NONE);
}

static void w9(gpucmd_agx_stream *s)
{
    emit_c(s, gpucmd_agx_after_renders(s), gpucmd_agx_after_computes(s));
    emit_r(s, gpucmd_agx_after_renders(s), gpucmd_agx_after_computes(s));
    emit_c(s, gpucmd_agx_after_renders(s), gpucmd_agx_after_computes(s));
    emit_r(s, gpucmd_agx_after_renders(s), gpucmd_agx_after_computes(s));
}

static void w10(gpucmd_agx_stream *s)
{
    static const struct gpucmd_drm_asahi_attachment vertex = {0x1900000000u, 128, 0, 0};
    static const struct gpucmd_drm_asahi_attachment fragment = {0x1900004000u, 1, 0, 0};
    static const struct gpucmd_drm_asahi_attachment both[2] = {
        {0x1900008000u, 0x4000, 0, 0},
        {0x190000C000u, 0x4000, 0, 0},
    };
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS, &vertex, 1);
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, &fragment, 1);
    gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, both, 2);
    emit_r(s, NONE, NONE);
    emit_c(s, 1, NONE);
}

static void w11(gpucmd_agx_stream *s)
{
    emit_r(s, NONE, NONE);
    emit_c(s, 1, NONE);
}

static void w12(gpucmd_agx_stream *s)
{
    emit_r(s, NONE, NONE);
    emit_r(s, NONE, NONE);
    emit_r(s, 1, NONE);
}

typedef struct known {
    const char *name, *hex;
    void (*build)(gpucmd_agx_stream *s);
} known;

static const known streams[] = {
    {"W1",  AGX_W1,  w1 },
    {"W2",  AGX_W2,  w2 },
    {"W3",  AGX_W3,  w3 },
    {"W4",  AGX_W4,  w4 },
    {"W5",  AGX_W5,  w5 },
    {"W6",  AGX_W6,  w6 },
    {"W7",  AGX_W7,  w7 },
    {"W8",  AGX_W8,  w8 },
    {"W9",  AGX_W9,  w9 },
    {"W10", AGX_W10, w10},
    {"W11", AGX_W11, w11},
    {"W12", AGX_W12, w12},
};

/* Every known stream with exact room, one word short, no room, and measured; guards survive. */
static void known_streams(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        const known *k = &streams[i];
        const size_t want_dw = strlen(k->hex) / 8;
        for (int pass = 0; pass < 4; pass++) {
            const size_t cap_dw = pass == 0 ? want_dw : pass == 1 ? want_dw - 1 : 0;
            gpucmd_agx_stream s;
            size_t len_bytes = 12345;
            for (size_t n = 0; n < want_dw + 2; n++) {
                test.words[n] = TEST_GUARD;
            }
            gpucmd_agx_stream_init(&s, pass == 3 ? NULL : test.words + 1, cap_dw);
            k->build(&s);
            const gpucmd_status status = gpucmd_agx_stream_finish(&s, &len_bytes);
            EQUAL(status, pass == 0 || pass == 3 ? GPUCMD_OK : GPUCMD_FULL);
            EQUAL(len_bytes, pass == 0 || pass == 3 ? want_dw * 4 : 12345);
            EQUAL(gpucmd_writer_need_dw(&s.w), want_dw);
            EQUAL(test.words[0], TEST_GUARD);
            EQUAL(test.words[1 + (pass == 0 ? want_dw : cap_dw)], TEST_GUARD);
            if (pass == 0 && !CHECK(same_bytes(test.words + 1, len_bytes, k->hex))) {
                printf("    %s\n", k->name);
            }
        }
    }
}

/* The first failure stays; no byte is stored for it or after it. */
#define REFUSES(want_status, ...)                                                                  \
    do {                                                                                           \
        for (int measure_ = 0; measure_ < 2; measure_++) {                                         \
            gpucmd_agx_stream s_;                                                                  \
            gpucmd_agx_stream *s = &s_;                                                            \
            size_t len_ = 77;                                                                      \
            memset(test.words, 0x5a, 4096);                                                        \
            gpucmd_agx_stream_init(s, measure_ ? NULL : test.words, 1000);                         \
            __VA_ARGS__;                                                                           \
            EQUAL(gpucmd_agx_stream_finish(s, &len_), want_status);                                \
            EQUAL(len_, 77);                                                                       \
            EQUAL(test.words[gpucmd_writer_at_dw(&s->w)], 0x5a5a5a5a);                             \
        }                                                                                          \
    } while (0)

/* A full command in a buffer that is one word short, then a command that would fit. A full command
 * with a barrier that names itself. */
static void refused_full(void)
{
    const struct gpucmd_drm_asahi_cmd_render r = render();
    const struct gpucmd_drm_asahi_cmd_compute c = compute();
    gpucmd_agx_stream s;
    size_t len_bytes = 77;
    gpucmd_agx_stream_init(&s, test.words, GPUCMD_AGX_RENDER_DW - 1);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_FULL);
    EQUAL(gpucmd_writer_need_dw(&s.w), GPUCMD_AGX_RENDER_DW + GPUCMD_AGX_COMPUTE_DW);
    EQUAL(gpucmd_writer_at_dw(&s.w), 0);
    gpucmd_agx_stream_init(&s, test.words, GPUCMD_AGX_RENDER_DW + GPUCMD_AGX_COMPUTE_DW - 1);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_FULL);
    EQUAL(gpucmd_writer_at_dw(&s.w), GPUCMD_AGX_RENDER_DW);
    gpucmd_agx_stream_init(&s, test.words, 100);
    gpucmd_agx_emit_render(&s, 1, NONE, &r);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_ORDER);
    gpucmd_agx_stream_init(&s, test.words, 100);
    gpucmd_agx_emit_compute(&s, NONE, 1, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_ORDER);
    EQUAL(gpucmd_writer_at_dw(&s.w), 0);
    EQUAL(len_bytes, 77);
}

static void refused_barriers(void)
{
    REFUSES(GPUCMD_ORDER, emit_r(s, 1, NONE));                          /* own index */
    REFUSES(GPUCMD_ORDER, emit_c(s, NONE, 1));                          /* own index */
    REFUSES(GPUCMD_ORDER, emit_c(s, 1, NONE), emit_r(s, NONE, NONE));   /* a later command */
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, NONE), emit_c(s, NONE, NONE), /* own index */
            emit_r(s, 2, NONE));
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, NONE), emit_r(s, 1, 1)); /* no compute before it */
    REFUSES(GPUCMD_ORDER, emit_r(s, 0xFFFE, NONE));                /* not NONE */
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, 0xFFFE));
    REFUSES(GPUCMD_ORDER, emit_r(s, 0xFFFFFFFF, NONE)); /* the draft's NONE */
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, 0x10000));
    REFUSES(GPUCMD_ORDER, emit_r(s, gpucmd_agx_after_render(s, 0), NONE));
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, gpucmd_agx_after_compute(s, 1)));
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, gpucmd_agx_after_compute(s, 0)));
    REFUSES(GPUCMD_ORDER, emit_r(s, NONE, NONE),
            emit_r(s, gpucmd_agx_after_render(s, 2), NONE)); /* after the last one */
    REFUSES(GPUCMD_ORDER, emit_c(s, NONE, NONE), emit_c(s, NONE, gpucmd_agx_after_compute(s, 2)));
    REFUSES(GPUCMD_ORDER, (void)s); /* no hardware command at all */
    REFUSES(GPUCMD_ORDER,
            gpucmd_agx_emit_attachments(s, GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS, NULL, 0));
}

static void refused_counts(void)
{
    static uint32_t words[64 * GPUCMD_AGX_RENDER_DW + 64 * 2];
    gpucmd_agx_stream s;
    size_t len_bytes = 0;
    /* 64 hardware commands with any number of software commands between them are valid */
    gpucmd_agx_stream_init(&s, words, sizeof words / 4);
    for (int i = 0; i < 64; i++) {
        gpucmd_agx_emit_attachments(&s, GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS, NULL, 0);
        if (i % 2 == 0) {
            emit_c(&s, NONE, gpucmd_agx_after_computes(&s));
        } else {
            emit_r(&s, gpucmd_agx_after_renders(&s), NONE);
        }
    }
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 64 * 8 + 32 * (8 + 24) + 32 * (8 + 160));
    EQUAL(s.renders, 32);
    EQUAL(s.computes, 32);
    /* the 65th is rejected, and the stream is unchanged */
    emit_c(&s, NONE, NONE);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_LIMIT);
    EQUAL(gpucmd_writer_at_dw(&s.w), len_bytes / 4);
}

static void refused_payloads(void)
{
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    struct gpucmd_drm_asahi_attachment a[17];
#define BAD_RENDER(status, ...)                                                                    \
    r = render();                                                                                  \
    __VA_ARGS__;                                                                                   \
    REFUSES(status, gpucmd_agx_emit_render(s, NONE, NONE, &r))
#define BAD_COMPUTE(status, ...)                                                                   \
    c = compute();                                                                                 \
    __VA_ARGS__;                                                                                   \
    REFUSES(status, gpucmd_agx_emit_compute(s, NONE, NONE, &c))
#define BAD_CUT(status, bytes, ...)                                                                \
    r = render();                                                                                  \
    __VA_ARGS__;                                                                                   \
    REFUSES(status, gpucmd_agx_emit_render_cut(s, NONE, NONE, &r, bytes))
    BAD_RENDER(GPUCMD_RANGE, r.flags = 0x8);
    BAD_RENDER(GPUCMD_RANGE, r.flags = 0x80000000u);
    BAD_RENDER(GPUCMD_RANGE, r.width_px = 0);
    BAD_RENDER(GPUCMD_RANGE, r.width_px = 16385);
    BAD_RENDER(GPUCMD_RANGE, r.height_px = 0);
    BAD_RENDER(GPUCMD_RANGE, r.height_px = 65535);
    BAD_RENDER(GPUCMD_RANGE, r.layers = 0);
    BAD_RENDER(GPUCMD_RANGE, r.layers = 2049);
    BAD_RENDER(GPUCMD_RANGE, r.utile_width_px = 16);
    BAD_RENDER(GPUCMD_RANGE, r.utile_height_px = 8);
    BAD_RENDER(GPUCMD_RANGE, r.samples = 0);
    BAD_RENDER(GPUCMD_RANGE, r.samples = 3);
    BAD_RENDER(GPUCMD_RANGE, r.samples = 8);
    BAD_RENDER(GPUCMD_ALIGN, r.ts_vtx.start.handle = 1, r.ts_vtx.start.offset = 4);
    BAD_RENDER(GPUCMD_ALIGN, r.ts_vtx.end.handle = 1, r.ts_vtx.end.offset = 1);
    BAD_RENDER(GPUCMD_ALIGN, r.ts_frag.start.handle = 1, r.ts_frag.start.offset = 2);
    BAD_RENDER(GPUCMD_RANGE, r.ts_frag.end.handle = 1, r.ts_frag.end.offset = 0xFFFFFFF8u);
    BAD_COMPUTE(GPUCMD_RANGE, c.flags = 1);
    BAD_COMPUTE(GPUCMD_ALIGN, c.ts.start.handle = 1, c.ts.start.offset = 12);
    BAD_COMPUTE(GPUCMD_RANGE, c.ts.end.handle = 1, c.ts.end.offset = 0xFFFFFFF8u);
    BAD_CUT(GPUCMD_RANGE, 152, (void)0);
    BAD_CUT(GPUCMD_RANGE, 248, (void)0);
    BAD_CUT(GPUCMD_ALIGN, 161, (void)0);
    BAD_CUT(GPUCMD_ALIGN, 164, (void)0);
    BAD_CUT(GPUCMD_RANGE, 160, r.isp_bgobjvals = 1); /* would be lost */
    BAD_CUT(GPUCMD_RANGE, 160, r.layers = 0);
    c = compute();
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_compute_cut(s, NONE, NONE, &c, 16));
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_compute_cut(s, NONE, NONE, &c, 72));
    REFUSES(GPUCMD_ALIGN, gpucmd_agx_emit_compute_cut(s, NONE, NONE, &c, 28));
    memset(a, 0, sizeof a);
    uint32_t most[2 + 16 * 6];
    gpucmd_agx_stream full;
    gpucmd_agx_stream_init(&full, most, 2 + 16 * 6);
    gpucmd_agx_emit_attachments(&full, 2, a, 16); /* the most: 384 bytes */
    EQUAL(full.w.status, GPUCMD_OK);
    EQUAL(gpucmd_writer_at_dw(&full.w), 2 + 16 * 6);
    CHECK(same_bytes(most, 8, "02008001ffffffff"));
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 2, a, 17));
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 1, a, 1));
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 5, a, 1));
    a[1].pad = 1;
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 3, a, 2));
    a[1].pad = 0;
    a[1].flags = 1;
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 3, a, 2));
    a[1].flags = 0;
    a[1].size = 0x7fffffff81u; /* one byte more than (2^32 - 1) * 128 */
    REFUSES(GPUCMD_RANGE, gpucmd_agx_emit_attachments(s, 4, a, 2));
}

/* Expect a render to be written, or to be refused with RANGE. */
static void legal(const struct gpucmd_drm_asahi_cmd_render *r, bool is_valid)
{
    gpucmd_agx_stream s;
    gpucmd_agx_stream_init(&s, test.words, GPUCMD_AGX_RENDER_DW);
    gpucmd_agx_emit_render(&s, NONE, NONE, r);
    EQUAL(s.w.status, is_valid ? GPUCMD_OK : GPUCMD_RANGE);
}

/* Every value of each member of a render that has invalid values. */
static void members(void)
{
    struct gpucmd_drm_asahi_cmd_render r = render();
    for (uint32_t v = 0; v < 0x10000; v++, r = render()) {
        r.width_px = (uint16_t)v;
        legal(&r, v >= 1 && v <= 16384);
        r = render();
        r.height_px = (uint16_t)v;
        legal(&r, v >= 1 && v <= 16384);
        r = render();
        r.layers = (uint16_t)v;
        legal(&r, v >= 1 && v <= 2048);
        r = render();
        r.utile_width_px = (uint8_t)(v >> 8);
        r.utile_height_px = (uint8_t)v;
        legal(&r, v == 0x2020 || v == 0x2010 || v == 0x1010);
    }
    for (uint32_t v = 0; v < 0x100; v++) {
        r.samples = (uint8_t)v;
        legal(&r, v == 1 || v == 2 || v == 4);
    }
    r = render();
    for (uint32_t bit = 0; bit < 32; bit++) {
        r.flags = (uint32_t)1 << bit;
        legal(&r, bit <= 2 || bit == 18);
    }
}

/* Every cut of either payload that the builder offers equals the prefix of the full one. */
static void cuts(void)
{
    for (uint32_t bytes = 160; bytes <= 240; bytes += 8) {
        const struct gpucmd_drm_asahi_cmd_render c = render();
        gpucmd_agx_stream s;
        size_t len_bytes = 0;
        uint8_t full[248];
        unhex(AGX_W4, full);
        gpucmd_agx_stream_init(&s, test.words, 1000);
        gpucmd_agx_emit_render_cut(&s, 0, 0, &c, bytes);
        EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
        EQUAL(len_bytes, 8 + bytes);
        full[2] = (uint8_t)bytes;
        CHECK(memcmp(test.words, full, 8 + bytes) == 0);
    }
}

static void headers(void)
{
    static const uint32_t constant[2] = {
        GPUCMD_AGX_HEADER_LO(GPUCMD_DRM_ASAHI_CMD_COMPUTE, 24),
        GPUCMD_AGX_HEADER_HI(NONE, 1),
    };
    uint32_t dw[2] = {7, 7};
    EQUAL(constant[0], 0x00180001);
    EQUAL(constant[1], 0x0001FFFF);
    EQUAL(gpucmd_agx_encode_header(dw, 1, 24, NONE, 1), GPUCMD_OK);
    CHECK(same_bytes(dw, 8, "01001800ffff0100"));
    EQUAL(gpucmd_agx_encode_header(dw, 1, 65536, NONE, 1), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_encode_header(dw, 1, 24, 0xFFFFFFFFu, 1), GPUCMD_RANGE);
    CHECK(same_bytes(dw, 8, "01001800ffff0100"));
    EQUAL(GPUCMD_AGX_RENDER_DW, 62);
    EQUAL(GPUCMD_AGX_COMPUTE_DW, 18);
    EQUAL(GPUCMD_AGX_ATTACHMENTS_DW(2), 14);
}

/* encode writes the words of the known streams, and changes nothing on failure. */
static void encoders(void)
{
    static const struct gpucmd_drm_asahi_attachment list[2] = {
        {0x1600000000u, 0x7E9000, 0, 0},
        {0x1600800000u, 0x200000, 0, 0},
    };
    static const char *const set = "0300 3000 ffff ffff 0000000016000000 00907e0000000000"
                                   "0000000000000000 0000800016000000 0000200000000000"
                                   "0000000000000000";
    struct gpucmd_drm_asahi_cmd_render r = render();
    struct gpucmd_drm_asahi_cmd_compute c = compute();
    struct gpucmd_drm_asahi_attachment bad = {0, 0, 1, 0};
    uint32_t dw[64];
    char hex[256];
    size_t n = 0;
    for (const char *s = set; *s != '\0'; s++) {
        hex[n] = *s;
        n += *s != ' ';
    }
    hex[n] = '\0';
    EQUAL(gpucmd_agx_encode_render(dw, 0, 0, &r), GPUCMD_OK);
    CHECK(same_bytes(dw, 4 * GPUCMD_AGX_RENDER_DW, AGX_W4));
    EQUAL(gpucmd_agx_encode_compute(dw, 0, 0, &c), GPUCMD_OK);
    CHECK(same_bytes(dw, 4 * GPUCMD_AGX_COMPUTE_DW, AGX_W2));
    EQUAL(gpucmd_agx_encode_attachments(dw, 3, list, 2), GPUCMD_OK);
    CHECK(same_bytes(dw, 4 * GPUCMD_AGX_ATTACHMENTS_DW(2), hex));
    EQUAL(gpucmd_agx_encode_attachments(dw, 4, NULL, 0), GPUCMD_OK);
    CHECK(same_bytes(dw, 8, "04000000ffffffff"));
    /* boundary indices are 16 bits */
    EQUAL(gpucmd_agx_encode_compute(dw, 0x1234, NONE, &c), GPUCMD_OK);
    CHECK(same_bytes(dw, 8, "010040003412ffff"));
    dw[0] = 0xabcdef01u;
    EQUAL(gpucmd_agx_encode_compute(dw, 0x10000, 0, &c), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_encode_render(dw, 0, 0x10000, &r), GPUCMD_RANGE);
    r.layers = 0;
    EQUAL(gpucmd_agx_encode_render(dw, 0, 0, &r), GPUCMD_RANGE);
    c.ts.start.offset = 4;
    EQUAL(gpucmd_agx_encode_compute(dw, 0, 0, &c), GPUCMD_ALIGN);
    EQUAL(gpucmd_agx_encode_attachments(dw, 1, list, 2), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_encode_attachments(dw, 5, list, 2), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_encode_attachments(dw, 2, list, 17), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_encode_attachments(dw, 2, &bad, 1), GPUCMD_RANGE);
    EQUAL(dw[0], 0xabcdef01u);
}

/* An index minus the commands of earlier jobs; an index in an earlier job becomes 0; NONE stays. */
static void rebase(void)
{
    EQUAL(gpucmd_agx_rebase_barrier(NONE, 5), NONE);
    EQUAL(gpucmd_agx_rebase_barrier(7, 5), 2);
    EQUAL(gpucmd_agx_rebase_barrier(5, 5), 0);
    EQUAL(gpucmd_agx_rebase_barrier(4, 5), 0);
    EQUAL(gpucmd_agx_rebase_barrier(0, 0), 0);
}

/* One structure of an ioctl against its known bytes, both ways. */
static void argument(uint32_t kind, const void *s, const char *hex)
{
    uint8_t bytes[600];
    uint8_t back[600];
    const size_t n = gpucmd_layout_bytes(gpucmd_agx_layout, kind);
    agx_convert(kind, bytes, s);
    CHECK(same_bytes(bytes, n, hex));
    agx_convert(kind, back, bytes);
    CHECK(memcmp(back, s, n) == 0);
}

static void arguments(void)
{
    const struct gpucmd_drm_asahi_vm_create vm = {0x77ffff8000u, 0x7fffff8000u, 0, 0};
    const struct gpucmd_drm_asahi_gem_create gem = {
        0x10000, GPUCMD_DRM_ASAHI_GEM_WRITEBACK | GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE, 1, 0, 0};
    const uint32_t rw = GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE;
    const uint32_t one = GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE;
    const uint32_t unbind_flag = GPUCMD_DRM_ASAHI_BIND_UNBIND;
    const struct gpucmd_drm_asahi_gem_bind_op ops[3] = {
        {rw,          5, 0,      0x10000,  0x1500000000u},
        {one,         6, 0x4000, 0x100000, 0x1600000000u},
        {unbind_flag, 0, 0,      0x4000,   0x1500004000u},
    };
    const struct gpucmd_drm_asahi_vm_bind bind = {1, 3, 32, 0, 0x7f0000300000u};
    const struct gpucmd_drm_asahi_gem_bind_object object = {
        GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND,
        GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS,
        7,
        0,
        0,
        0x4000,
        0,
        0};
    const struct gpucmd_drm_asahi_gem_bind_object unbind = {
        GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND, 0, 0, 0, 0, 0, 1, 0};
    const struct gpucmd_drm_asahi_queue_create queue = {0, 1, GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM, 0,
                                                        0x1000000000u};
    const struct gpucmd_drm_asahi_get_params params = {0, 0, 0x7f0000400000u, 592};
    uint8_t three[96];
    argument(GPUCMD_STRUCT_drm_asahi_vm_create, &vm, AGX_ARG_VM_CREATE);
    argument(GPUCMD_STRUCT_drm_asahi_gem_create, &gem, AGX_ARG_GEM_CREATE);
    argument(GPUCMD_STRUCT_drm_asahi_vm_bind, &bind, AGX_ARG_VM_BIND);
    argument(GPUCMD_STRUCT_drm_asahi_gem_bind_object, &object, AGX_ARG_BIND_OBJECT);
    argument(GPUCMD_STRUCT_drm_asahi_gem_bind_object, &unbind, AGX_ARG_UNBIND_OBJECT);
    argument(GPUCMD_STRUCT_drm_asahi_queue_create, &queue, AGX_ARG_QUEUE_CREATE);
    argument(GPUCMD_STRUCT_drm_asahi_get_params, &params, AGX_ARG_GET_PARAMS);
    for (int i = 0; i < 3; i++) {
        agx_convert(GPUCMD_STRUCT_drm_asahi_gem_bind_op, three + 32 * i, &ops[i]);
    }
    CHECK(same_bytes(three, 96, AGX_ARG_BIND_OPS));
}

static void syncs(void)
{
    struct gpucmd_drm_asahi_sync array[3];
    struct gpucmd_drm_asahi_submit submit;
    gpucmd_agx_syncs l;
    gpucmd_agx_stream s;
    gpucmd_agx_stream_init(&s, test.words, 1000);
    w1(&s);
    gpucmd_agx_syncs_init(&l, array, 3);
    gpucmd_agx_emit_in_sync(&l, 11);
    gpucmd_agx_emit_in_timeline(&l, 12, 41);
    gpucmd_agx_emit_out_timeline(&l, 12, 42);
    EQUAL(l.status, GPUCMD_OK);
    CHECK(same_bytes(array, 48, AGX_ARG_SYNCS));
    EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0x7f0000200000u, &l, 0x7f0000001000u, 3),
          GPUCMD_OK);
    argument(GPUCMD_STRUCT_drm_asahi_submit, &submit, AGX_ARG_SUBMIT);
    /* no syncs: the pointer is 0 */
    EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0x1000, NULL, 0x2000, 3), GPUCMD_OK);
    EQUAL(submit.syncs, 0);
    EQUAL(submit.in_sync_count + submit.out_sync_count, 0);
    EQUAL(submit.cmdbuf_size, 32);
    /* failures */
    gpucmd_agx_emit_out_sync(&l, 13);
    EQUAL(l.status, GPUCMD_FULL);
    memset(&submit, 0x5a, sizeof submit);
    EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0x1000, &l, 0x2000, 3), GPUCMD_FULL);
    EQUAL(submit.cmdbuf, 0x5a5a5a5a5a5a5a5au);
    gpucmd_agx_syncs_init(&l, array, 3);
    gpucmd_agx_emit_in_sync(&l, 0);
    EQUAL(l.status, GPUCMD_RANGE);
    gpucmd_agx_syncs_init(&l, array, 3);
    gpucmd_agx_emit_out_sync(&l, 1);
    gpucmd_agx_emit_in_sync(&l, 2);
    EQUAL(l.status, GPUCMD_ORDER);
    EQUAL(l.in_count, 0);
    EQUAL(l.out_count, 1);
    gpucmd_agx_emit_out_sync(&l, 0); /* the first failure stays */
    EQUAL(l.status, GPUCMD_ORDER);
    EQUAL(l.out_count, 1);
    gpucmd_agx_stream_init(&s, test.words, 1000);
    EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0x1000, NULL, 0, 3), GPUCMD_ORDER);
    /* 4 GiB of words do not fit the 32 bits of cmdbuf_size; 4 bytes less do */
    if (sizeof(size_t) > 4) {
        gpucmd_agx_stream_init(&s, NULL, 0);
        w1(&s);
        CHECK(gpucmd_writer_reserve(&s.w, ((size_t)1 << 30) - 8 - 1) == NULL);
        EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0, NULL, 0, 3), GPUCMD_OK);
        EQUAL(submit.cmdbuf_size, 0xfffffffc);
        CHECK(gpucmd_writer_reserve(&s.w, 1) == NULL);
        EQUAL(gpucmd_agx_encode_submit(&submit, &s, 0, NULL, 0, 3), GPUCMD_RANGE);
    }
}

/* Offsets of timestamps are checked one by one: each is below the limit, though their OR is not. */
static void stamp_offsets(void)
{
    gpucmd_agx_stream s;
    size_t len_bytes = 0;
    struct gpucmd_drm_asahi_cmd_render r = render();
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_compute_init(&c, 16, 32);
    r.ts_vtx.start.offset = 0xfffffff0u;
    r.ts_frag.end.offset = 8;
    c.ts.start.offset = 0xfffffff0u;
    c.ts.end.offset = 8;
    gpucmd_agx_stream_init(&s, test.words, 1000);
    gpucmd_agx_emit_render(&s, NONE, NONE, &r);
    gpucmd_agx_emit_compute(&s, NONE, NONE, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 248 + 72);
}

/* merge_upper divides without floating point; the oracle is the division of the CPU. */
static void merge_upper(void)
{
    static volatile const float root = 1.732051f; /* a float also where constants are wider */
    uint32_t pixels;
    EQUAL(gpucmd_agx_merge_upper(0), 0x7f800000);
    for (pixels = 1; pixels != 0;
         pixels = pixels < 70000 ? pixels + 1 : pixels << 1 | (pixels >> 3 & 1)) {
        const float expected = root / (float)pixels;
        uint32_t bits;
        memcpy(&bits, &expected, sizeof bits);
        EQUAL(gpucmd_agx_merge_upper(pixels), bits);
        if (pixels >> 31 != 0) {
            break;
        }
    }
}

int main(void)
{
    merge_upper();
    known_streams();
    refused_full();
    refused_barriers();
    refused_counts();
    refused_payloads();
    members();
    cuts();
    headers();
    encoders();
    rebase();
    syncs();
    stamp_offsets();
    arguments();
    return test_report("agx_emit");
}

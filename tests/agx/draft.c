/* agx/draft.c - the draft UAPI: the published example in its bytes, the checks of the draft kernel
 * in their order, values and submissions translated to the upstream UAPI. */
/* suite: executor */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"

#define DRAFT_NONE 0xffffffffu

static uint8_t memory[0x10000];
static gpucmd_region regions[2];
static gpucmd_mem mem;
#define PAYLOAD_VA 0x7f0000500000u
#define COMMAND_VA 0x7f0000600000u

static struct gpucmd_drm_asahi_draft06_cmd_render render06(void)
{
    struct gpucmd_drm_asahi_draft06_cmd_render r;
    memset(&r, 0, sizeof r);
    r.encoder_ptr = 0x1500020000u;
    r.ppp_ctrl = 0x202;
    r.fb_width = 1920;
    r.fb_height = 1080;
    r.utile_width = 32;
    r.utile_height = 32;
    r.samples = 1;
    r.layers = 1;
    r.iogpu_unk_49 = 4;
    return r;
}

static struct gpucmd_drm_asahi_draft11_cmd_render render11(void)
{
    struct gpucmd_drm_asahi_draft11_cmd_render r;
    memset(&r, 0, sizeof r);
    r.encoder_ptr = 0x1500020000u;
    r.vertex_usc_base = 0x1000000000u;
    r.fragment_usc_base = 0x1000000000u;
    r.ppp_ctrl = 0x202;
    r.fb_width = 1920;
    r.fb_height = 1080;
    r.utile_width = 32;
    r.utile_height = 32;
    r.samples = 1;
    r.layers = 1;
    r.sample_size = 4;
    return r;
}

/* Commands at known addresses, with pointers to payloads of 10006. */
static void setup(void)
{
    struct gpucmd_drm_asahi_draft06_cmd_compute c;
    const struct gpucmd_drm_asahi_draft06_cmd_render r = render06();
    memset(memory, 0, sizeof memory);
    memset(&c, 0, sizeof c);
    c.encoder_ptr = 0x1500010000u;
    c.encoder_end = 0x1500010080u;
    for (unsigned i = 0; i < 6; i++) {
        if (i == 1 || i == 2) {
            agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_compute, memory + 0x1000 * i, &c);
        } else {
            agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_render, memory + 0x1000 * i, &r);
        }
    }
    unhex(AGX_DRAFT_COMMANDS, memory + 0x8000);
    regions[0].va = PAYLOAD_VA;
    regions[0].bytes = 0x8000;
    regions[0].host = memory;
    regions[0].access_mask = GPUCMD_ACCESS_READ;
    regions[1].va = COMMAND_VA;
    regions[1].bytes = 0x2000;
    regions[1].host = memory + 0x8000;
    regions[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
}

static struct gpucmd_drm_asahi_draft_submit published(void)
{
    struct gpucmd_drm_asahi_draft_submit s;
    uint8_t bytes[56];
    EQUAL(unhex(AGX_DRAFT_SUBMIT, bytes), 56);
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_submit, &s, bytes);
    return s;
}

static void published_bytes(void)
{
    struct gpucmd_drm_asahi_draft_submit s = published();
    struct gpucmd_drm_asahi_draft_command c;
    const struct gpucmd_drm_asahi_draft_sync sync = {
        0, GPUCMD_DRM_ASAHI_DRAFT_SYNC_TIMELINE_SYNCOBJ, 12, 42};
    struct gpucmd_drm_asahi_sync up = {0, 0, 0};
    uint8_t bytes[56];
    EQUAL(s.out_syncs, 0x7f0000001000u);
    EQUAL(s.commands, COMMAND_VA);
    EQUAL(s.queue_id, 3);
    EQUAL(s.result_handle, 9);
    EQUAL(s.out_sync_count, 1);
    EQUAL(s.command_count, 6);
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_sync, bytes, &sync);
    CHECK(same_bytes(bytes, 24, AGX_DRAFT_SYNC));
    EQUAL(gpucmd_agx_draft_sync(&sync, &up), GPUCMD_OK);
    EQUAL(up.sync_type, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ);
    EQUAL(up.handle, 12);
    EQUAL(up.timeline_value, 42);
    setup();
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_command, &c, memory + 0x8000 + 3 * 56);
    EQUAL(c.cmd_type, GPUCMD_DRM_ASAHI_DRAFT_CMD_RENDER);
    EQUAL(c.cmd_buffer, PAYLOAD_VA + 0x3000);
    EQUAL(c.cmd_buffer_size, 280);
    EQUAL(c.result_offset, 128 * 3);
    EQUAL(c.result_size, 96);
    EQUAL(c.barriers[0], 1);
    EQUAL(c.barriers[1], 2);
}

static void values(void)
{
    uint32_t v = 77;
    EQUAL(gpucmd_agx_draft_barrier(DRAFT_NONE, &v), GPUCMD_OK);
    EQUAL(v, 0xFFFF);
    EQUAL(gpucmd_agx_draft_barrier(64, &v), GPUCMD_OK);
    EQUAL(v, 64);
    EQUAL(gpucmd_agx_draft_barrier(0xFFFF, &v), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_draft_barrier(0xFFFFFFFE, &v), GPUCMD_RANGE);
    EQUAL(gpucmd_agx_draft_cmd_type(1, &v), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_agx_draft_cmd_type(3, &v), GPUCMD_INVALID);
    EQUAL(v, 64);
    EQUAL(gpucmd_agx_draft_cmd_type(0, &v), GPUCMD_OK);
    EQUAL(v, 0);
    EQUAL(gpucmd_agx_draft_cmd_type(2, &v), GPUCMD_OK);
    EQUAL(v, 1);
    for (uint32_t p = 0; p < 4; p++) {
        EQUAL(gpucmd_agx_draft_priority(p, &v), GPUCMD_OK);
        EQUAL(v, 3 - p);
    }
    EQUAL(gpucmd_agx_draft_priority(4, &v), GPUCMD_RANGE);
}

/* The published example arrives upstream as the known stream, but with full payloads. */
static void translate_published(void)
{
    static uint32_t words[512];
    uint8_t known[1024];
    const struct gpucmd_drm_asahi_draft_submit s = published();
    gpucmd_agx_stream stream;
    size_t n = 0;
    const size_t known_bytes = unhex(AGX_W8, known);
    setup();
    gpucmd_agx_stream_init(&stream, words, 512);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, false, &stream),
          GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_OK);
    EQUAL(gpucmd_agx_stream_finish(&stream, &n), GPUCMD_OK);
    EQUAL(n, 4 * 248 + 2 * 72);
    const uint8_t *b = (const uint8_t *)words;
    for (size_t at = 0, want = 0; at < n && want < known_bytes;) {
        gpucmd_agx_raw got, k;
        EQUAL(gpucmd_agx_decode(b + at, n - at, &got), GPUCMD_OK);
        EQUAL(gpucmd_agx_decode(known + want, known_bytes - want, &k), GPUCMD_OK);
        EQUAL(got.cmd_type, k.cmd_type);
        EQUAL(got.vdm_barrier, k.vdm_barrier);
        EQUAL(got.cdm_barrier, k.cdm_barrier);
        CHECK(memcmp(got.payload, k.payload, k.payload_bytes) == 0);
        for (uint32_t i = k.payload_bytes; i < got.payload_bytes; i++) {
            EQUAL(got.payload[i], 0);
        }
        at += got.len_bytes;
        want += k.len_bytes;
    }
}

static void payloads06(void)
{
    struct gpucmd_drm_asahi_draft06_cmd_render d;
    struct gpucmd_drm_asahi_cmd_render u;
    struct gpucmd_drm_asahi_draft06_cmd_compute dc;
    struct gpucmd_drm_asahi_cmd_compute uc;
#define BAD06(status, ...)                                                                         \
    d = render06();                                                                                \
    __VA_ARGS__;                                                                                   \
    memset(&u, 0x5a, sizeof u);                                                                    \
    EQUAL(gpucmd_agx_draft06_render(&d, &u), status);                                              \
    EQUAL(u.flags, 0x5a5a5a5a)
    BAD06(GPUCMD_UNSUPPORTED, d.extensions = 1);
    BAD06(GPUCMD_UNSUPPORTED, d.flags = 1);
    BAD06(GPUCMD_UNSUPPORTED, d.flags = 4); /* memoryless render targets: rejected */
    BAD06(GPUCMD_RANGE, d.fb_width = 65536);
    BAD06(GPUCMD_RANGE, d.utile_width = 256);
    BAD06(GPUCMD_UNSUPPORTED, d.depth_buffer_1 = 0x1000, d.depth_buffer_2 = 0x2000);
    BAD06(GPUCMD_UNSUPPORTED, d.depth_buffer_1 = 0x1000, d.depth_buffer_3 = 0x2000);
    BAD06(GPUCMD_UNSUPPORTED, d.depth_buffer_2 = 0x1000, d.depth_buffer_3 = 0x2000);
    BAD06(GPUCMD_UNSUPPORTED, d.depth_buffer_2 = 0x2000, d.depth_buffer_3 = 0x1000);
    BAD06(GPUCMD_UNSUPPORTED, d.extensions = 1, d.fb_width = 0x10000, d.depth_buffer_1 = 1,
          d.depth_buffer_2 = 2); /* the first failure */
    BAD06(GPUCMD_RANGE, d.fb_width = 0x10000, d.depth_buffer_1 = 1, d.depth_buffer_2 = 2);
    d = render06();
    d.flags = 8 | 16;
    d.depth_buffer_1 = d.depth_buffer_3 = 0x18000000u;
    d.stencil_meta_buffer_2 = 0x19000000u;
    d.load_pipeline = 0x1004;
    d.load_pipeline_bind = 0x11;
    d.store_pipeline = 0x2004;
    d.partial_reload_pipeline = 0x3004;
    d.partial_store_pipeline_bind = 0x44;
    d.scissor_array = 0x51;
    d.depth_bias_array = 0x52;
    d.visibility_result_buffer = 0x53;
    d.depth_dimensions = 0x54;
    d.isp_bgobjdepth = 0x55;
    d.isp_bgobjvals = 0x56;
    d.encoder_id = 99; /* dropped */
    EQUAL(gpucmd_agx_draft06_render(&d, &u), GPUCMD_OK);
    EQUAL(u.flags, 2 | 4);
    EQUAL(u.vdm_ctrl_stream_base, 0x1500020000u);
    EQUAL(u.depth.base, 0x18000000u);
    EQUAL(u.stencil.comp_base, 0x19000000u);
    EQUAL(u.bg.usc, 0x1004);
    EQUAL(u.bg.rsrc_spec, 0x11);
    EQUAL(u.eot.usc, 0x2004);
    EQUAL(u.partial_bg.usc, 0x3004);
    EQUAL(u.partial_eot.rsrc_spec, 0x44);
    EQUAL(u.isp_scissor_base, 0x51);
    EQUAL(u.isp_dbias_base, 0x52);
    EQUAL(u.isp_oclqry_base, 0x53);
    EQUAL(u.isp_zls_pixels, 0x54);
    EQUAL(u.isp_bgobjdepth, 0x55);
    EQUAL(u.isp_bgobjvals, 0x56);
    EQUAL(u.sample_size_B, 4);
    memset(&dc, 0, sizeof dc);
    dc.ctx_switch_prog = 1;
    EQUAL(gpucmd_agx_draft06_compute(&dc, &uc), GPUCMD_UNSUPPORTED);
    dc.ctx_switch_prog = 0;
    dc.cmd_id = 7;
    dc.encoder_ptr = 0x10;
    dc.encoder_end = 0x20;
    EQUAL(gpucmd_agx_draft06_compute(&dc, &uc), GPUCMD_OK);
    EQUAL(uc.cdm_ctrl_stream_base, 0x10);
    EQUAL(uc.cdm_ctrl_stream_end, 0x20);
}

static void payloads11(void)
{
    static uint32_t words[512];
    struct gpucmd_drm_asahi_draft11_cmd_render d;
    struct gpucmd_drm_asahi_cmd_render u;
    struct gpucmd_drm_asahi_draft11_cmd_compute dc;
    struct gpucmd_drm_asahi_cmd_compute uc;
    struct gpucmd_drm_asahi_draft11_attachment a[2];
    struct gpucmd_drm_asahi_draft_command cmd;
    struct gpucmd_drm_asahi_draft_submit s;
    gpucmd_agx_stream stream;
    gpucmd_agx_finding f;
    gpucmd_agx_job job;
    size_t n = 0;
    const uint64_t usc = 0x1000000000u;
#define BAD11(status, ...)                                                                         \
    d = render11();                                                                                \
    __VA_ARGS__;                                                                                   \
    EQUAL(gpucmd_agx_draft11_render(&d, usc, &u), status)
    BAD11(GPUCMD_UNSUPPORTED, d.vertex_usc_base = 0);
    BAD11(GPUCMD_UNSUPPORTED, d.fragment_usc_base = 0);
    BAD11(GPUCMD_UNSUPPORTED, d.vertex_sampler_array = 8);
    BAD11(GPUCMD_UNSUPPORTED, d.fragment_sampler_count = 8);
    BAD11(GPUCMD_UNSUPPORTED, d.flags = 64);
    BAD11(GPUCMD_UNSUPPORTED, d.stencil_buffer_load_stride = 1, d.stencil_buffer_store_stride = 2);
    BAD11(GPUCMD_RANGE, d.depth_buffer_load_stride = 0x100000000u);
    BAD11(GPUCMD_RANGE, d.sample_size = 256);
    d = render11();
    d.flags = 4;
    d.depth_buffer_load = d.depth_buffer_store = d.depth_buffer_partial = 0x18000000u;
    d.depth_buffer_load_stride = 0x100000;
    d.depth_meta_buffer_store = 0x18100000u;
    d.depth_meta_buffer_store_stride = 0x4000;
    d.stencil_buffer_partial = 0x19000000u;
    d.vertex_helper_program = 0x101;
    d.fragment_helper_arg = 0x1500061000u;
    d.vertex_sampler_array = d.fragment_sampler_array = 0x1500030000u;
    d.vertex_sampler_count = d.fragment_sampler_count = 5;
    EQUAL(gpucmd_agx_draft11_render(&d, usc, &u), GPUCMD_OK);
    EQUAL(u.flags, 1);
    EQUAL(u.depth.base, 0x18000000u);
    EQUAL(u.depth.stride, 0x100000);
    EQUAL(u.depth.comp_base, 0x18100000u);
    EQUAL(u.depth.comp_stride, 0x4000);
    EQUAL(u.stencil.base, 0x19000000u);
    EQUAL(u.vertex_helper.binary, 0x101);
    EQUAL(u.fragment_helper.data, 0x1500061000u);
    EQUAL(u.sampler_heap, 0x1500030000u);
    EQUAL(u.sampler_count, 5);
    memset(&dc, 0, sizeof dc);
    EQUAL(gpucmd_agx_draft11_compute(&dc, usc, &uc), GPUCMD_UNSUPPORTED);
    dc.usc_base = usc;
    dc.helper_cfg = 0x10000;
    dc.sampler_array = 0x33;
    EQUAL(gpucmd_agx_draft11_compute(&dc, usc, &uc), GPUCMD_OK);
    EQUAL(uc.helper.cfg, 0x10000);
    EQUAL(uc.sampler_heap, 0x33);
    /* a whole submission with fragment attachments: three upstream commands */
    setup();
    memset(&cmd, 0, sizeof cmd);
    memset(&s, 0, sizeof s);
    memset(a, 0, sizeof a);
    a[0].pointer = 0x1600000000u;
    a[0].size = 0x7E9000;
    a[1].pointer = 0x1600800000u;
    a[1].size = 0x200000;
    a[0].order = 1; /* as Mesa sets it: upstream has no such member, the driver uses 1 */
    a[1].order = 6;
    d = render11();
    d.fragment_attachments = PAYLOAD_VA + 0x1000;
    d.fragment_attachment_count = 2;
    for (int i = 0; i < 2; i++) {
        agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_attachment, memory + 0x1000 + 24 * i, &a[i]);
    }
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_cmd_render, memory, &d);
    cmd.cmd_buffer = PAYLOAD_VA;
    cmd.cmd_buffer_size = 464;
    cmd.barriers[0] = 0;
    cmd.barriers[1] = DRAFT_NONE;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_command, memory + 0x8000, &cmd);
    s.commands = COMMAND_VA;
    s.command_count = 1;
    gpucmd_agx_stream_init(&stream, words, 512);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10011, usc, false, &stream),
          GPUCMD_OK);
    EQUAL(gpucmd_agx_stream_finish(&stream, &n), GPUCMD_OK);
    EQUAL(n, 8 + 48 + 248); /* the vertex list is empty and was */
    EQUAL(gpucmd_agx_parse_stream((const uint8_t *)words, n, NULL, &job, &f), GPUCMD_OK);
    EQUAL(job.commands[0].render_barrier, 0);
    CHECK(same_bytes(words, 56,
                     "03003000ffffffff000000001600000000907e00000000000000000000000000"
                     "000080001600000000002000000000000000000000000000"));
    d.fragment_attachment_count = 17;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_cmd_render, memory, &d);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10011, usc, false, &stream),
          GPUCMD_RANGE);
    s.commands = 1;
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10011, usc, false, &stream),
          GPUCMD_FAULT);
}

/* The upstream member of each number of a draft payload. to: its offset; -1: dropped; -2: rejected.
 * bytes: its size. from2: offset of a second number that must be equal, or 0. */
typedef struct move_row {
    int from, from2, from_bytes, to, bytes;
} move_row;

static const move_row moves06[] = {
    {0,   0, 8, -2,  0},
    {36,  0, 4, -2,  0},
    {16,  0, 8, 8,   8},
    {40,  0, 8, 72,  8},
    {48,  0, 8, 72,  8},
    {56,  0, 8, 72,  8},
    {64,  0, 8, 80,  8},
    {72,  0, 8, 80,  8},
    {80,  0, 8, 80,  8},
    {88,  0, 8, 96,  8},
    {96,  0, 8, 96,  8},
    {104, 0, 8, 96,  8},
    {112, 0, 8, 104, 8},
    {120, 0, 8, 104, 8},
    {128, 0, 8, 104, 8},
    {136, 0, 8, 48,  8},
    {144, 0, 8, 56,  8},
    {152, 0, 8, 64,  8},
    {160, 0, 8, 120, 8},
    {168, 0, 8, 128, 8},
    {176, 0, 4, 144, 4},
    {180, 0, 4, 148, 2},
    {184, 0, 4, 150, 2},
    {188, 0, 4, 156, 1},
    {192, 0, 4, 157, 1},
    {196, 0, 4, 158, 1},
    {200, 0, 4, 152, 2},
    {204, 0, 4, -1,  0},
    {208, 0, 4, -1,  0},
    {212, 0, 4, -1,  0},
    {216, 0, 4, 159, 1},
    {220, 0, 4, -1,  0},
    {224, 0, 4, -1,  0},
    {228, 0, 4, 160, 4},
    {232, 0, 4, 164, 4},
    {236, 0, 4, 168, 4},
    {240, 0, 4, 172, 4},
    {244, 0, 4, 176, 4},
    {248, 0, 4, 180, 4},
    {252, 0, 4, 184, 4},
    {256, 0, 4, 188, 4},
    {260, 0, 4, 192, 4},
    {264, 0, 4, 196, 4},
    {268, 0, 4, 4,   4},
    {272, 0, 4, 200, 4},
    {276, 0, 4, 204, 4},
};
static const move_row moves11[] = {
    {0,   0,   8, -2,  0},
    {16,  0,   8, 8,   8},
    {64,  0,   4, 16,  4},
    {68,  0,   4, 32,  4},
    {72,  0,   4, 20,  4},
    {76,  0,   4, 36,  4},
    {80,  0,   8, 24,  8},
    {88,  0,   8, 40,  8},
    {96,  0,   8, 72,  8},
    {104, 0,   8, 88,  4},
    {112, 0,   8, 72,  8},
    {120, 0,   8, 88,  4},
    {128, 0,   8, 72,  8},
    {136, 0,   8, 88,  4},
    {144, 0,   8, 80,  8},
    {152, 0,   8, 92,  4},
    {160, 0,   8, 80,  8},
    {168, 0,   8, 92,  4},
    {176, 0,   8, 80,  8},
    {184, 0,   8, 92,  4},
    {192, 0,   8, 96,  8},
    {200, 0,   8, 112, 4},
    {208, 0,   8, 96,  8},
    {216, 0,   8, 112, 4},
    {224, 0,   8, 96,  8},
    {232, 0,   8, 112, 4},
    {240, 0,   8, 104, 8},
    {248, 0,   8, 116, 4},
    {256, 0,   8, 104, 8},
    {264, 0,   8, 116, 4},
    {272, 0,   8, 104, 8},
    {280, 0,   8, 116, 4},
    {288, 0,   8, 48,  8},
    {296, 0,   8, 56,  8},
    {304, 0,   8, 64,  8},
    {312, 328, 8, 136, 8},
    {320, 336, 4, 154, 2},
    {324, 0,   4, -1,  0},
    {340, 0,   4, -1,  0},
    {344, 0,   8, 120, 8},
    {352, 0,   8, 128, 8},
    {360, 0,   4, 144, 4},
    {364, 0,   4, 148, 2},
    {368, 0,   4, 150, 2},
    {372, 0,   4, 156, 1},
    {376, 0,   4, 157, 1},
    {380, 0,   4, 158, 1},
    {384, 0,   4, 152, 2},
    {388, 0,   4, -1,  0},
    {392, 0,   4, -1,  0},
    {396, 0,   4, -1,  0},
    {400, 0,   4, 159, 1},
    {404, 0,   4, -1,  0},
    {408, 0,   4, -1,  0},
    {412, 0,   4, 160, 4},
    {416, 0,   4, 164, 4},
    {420, 0,   4, 168, 4},
    {424, 0,   4, 172, 4},
    {428, 0,   4, 176, 4},
    {432, 0,   4, 180, 4},
    {436, 0,   4, 184, 4},
    {440, 0,   4, 188, 4},
    {444, 0,   4, 192, 4},
    {448, 0,   4, 196, 4},
    {452, 0,   4, 4,   4},
    {456, 0,   4, 200, 4},
    {460, 0,   4, 204, 4},
};
static const move_row moves06_compute[] = {
    {0,  0, 8, -2, 0},
    {36, 0, 4, -2, 0},
    {40, 0, 8, -2, 0},
    {48, 0, 4, -2, 0},
    {52, 0, 4, -2, 0},
    {8,  0, 8, 8,  8},
    {16, 0, 8, 16, 8},
    {56, 0, 4, -1, 0},
    {60, 0, 4, -1, 0},
    {64, 0, 4, -1, 0},
    {68, 0, 4, -1, 0},
};
static const move_row moves11_compute[] = {
    {0,  0, 8, -2, 0},
    {44, 0, 4, -2, 0},
    {8,  0, 8, 8,  8},
    {16, 0, 8, 16, 8},
    {48, 0, 4, 32, 4},
    {52, 0, 4, 36, 4},
    {56, 0, 8, 40, 8},
    {64, 0, 4, -1, 0},
    {68, 0, 4, -1, 0},
    {72, 0, 8, 24, 8},
    {80, 0, 4, 4,  4},
    {84, 0, 4, -1, 0},
    {88, 0, 4, -1, 0},
    {92, 0, 4, -1, 0},
};

/* The payload kind with these bytes, which are the UAPI's, to upstream bytes. */
static gpucmd_status move_bytes(uint32_t kind, const uint8_t *from, uint8_t *to)
{
    struct gpucmd_drm_asahi_draft06_cmd_render r06;
    struct gpucmd_drm_asahi_draft11_cmd_render r11;
    struct gpucmd_drm_asahi_draft06_cmd_compute c06;
    struct gpucmd_drm_asahi_draft11_cmd_compute c11;
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    const bool compute = kind == GPUCMD_STRUCT_drm_asahi_draft06_cmd_compute ||
                         kind == GPUCMD_STRUCT_drm_asahi_draft11_cmd_compute;
    gpucmd_status status;
    memset(&r, 0, sizeof r);
    memset(&c, 0, sizeof c);
    if (kind == GPUCMD_STRUCT_drm_asahi_draft06_cmd_render) {
        agx_convert(kind, &r06, from);
        status = gpucmd_agx_draft06_render(&r06, &r);
    } else if (kind == GPUCMD_STRUCT_drm_asahi_draft11_cmd_render) {
        agx_convert(kind, &r11, from);
        status = gpucmd_agx_draft11_render(&r11, 0, &r);
    } else if (kind == GPUCMD_STRUCT_drm_asahi_draft06_cmd_compute) {
        agx_convert(kind, &c06, from);
        status = gpucmd_agx_draft06_compute(&c06, &c);
    } else {
        agx_convert(kind, &c11, from);
        status = gpucmd_agx_draft11_compute(&c11, 0, &c);
    }
    memset(to, 0, 240);
    if (compute) {
        agx_convert(GPUCMD_STRUCT_drm_asahi_cmd_compute, to, &c);
    } else {
        agx_convert(GPUCMD_STRUCT_drm_asahi_cmd_render, to, &r);
    }
    return status;
}

/* Each number alone arrives at the offset of its row, and all other members are zero; a value that
 * is one bit too wide for the upstream member is rejected. */
static void every_move(uint32_t kind, const move_row *rows, size_t count)
{
    static const uint8_t value[8] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
    for (size_t i = 0; i < count; i++) {
        const move_row *r = &rows[i];
        uint8_t from[464];
        uint8_t to[240];
        uint8_t want[240];
        const size_t bytes = (size_t)(r->to < 0 ? r->from_bytes : r->bytes);
        memset(from, 0, sizeof from);
        memset(want, 0, sizeof want);
        memcpy(from + r->from, value, bytes);
        if (r->from2 != 0) {
            memcpy(from + r->from2, value, bytes);
        }
        if (r->to >= 0) {
            memcpy(want + r->to, value, bytes);
        }
        if (!EQUAL(move_bytes(kind, from, to), r->to == -2 ? GPUCMD_UNSUPPORTED : GPUCMD_OK) ||
            !CHECK(memcmp(to, want, sizeof to) == 0)) {
            printf("    %s, byte %d\n", gpucmd_layout_name(gpucmd_agx_layout, kind), r->from);
        }
        if (r->to >= 0 && r->bytes < r->from_bytes) {
            from[r->from + r->bytes] = 1;
            from[r->from2 != 0 ? r->from2 + r->bytes : r->from + r->bytes] = 1;
            EQUAL(move_bytes(kind, from, to), GPUCMD_RANGE);
        }
        if (r->from2 != 0) {
            from[r->from2] ^= 1;
            EQUAL(move_bytes(kind, from, to), GPUCMD_UNSUPPORTED);
        }
    }
}

#define EVERY_MOVE(kind, rows)                                                                     \
    every_move(GPUCMD_STRUCT_drm_asahi_##kind, rows, sizeof rows / sizeof rows[0])

/* The largest values that have room upstream, and one more of each. */
static void largest_values(void)
{
    struct gpucmd_drm_asahi_cmd_render u;
    for (int one_more = 0; one_more < 10; one_more++) {
        struct gpucmd_drm_asahi_draft06_cmd_render a = render06();
        struct gpucmd_drm_asahi_draft11_cmd_render b = render11();
        a.fb_width = b.fb_width = 0xffffu + (one_more == 1);
        a.fb_height = b.fb_height = 0xffffu + (one_more == 2);
        a.layers = b.layers = 0xffffu + (one_more == 3);
        a.utile_width = b.utile_width = 0xffu + (one_more == 4);
        a.utile_height = b.utile_height = 0xffu + (one_more == 5);
        a.samples = b.samples = 0xffu + (one_more == 6);
        a.iogpu_unk_49 = b.sample_size = 0xffu + (one_more == 7);
        b.vertex_sampler_count = b.fragment_sampler_count = 0xffffu + (one_more == 8);
        b.stencil_meta_buffer_store_stride = 0xffffffffull + (one_more == 9);
        EQUAL(gpucmd_agx_draft06_render(&a, &u),
              one_more != 0 && one_more < 8 ? GPUCMD_RANGE : GPUCMD_OK);
        EQUAL(gpucmd_agx_draft11_render(&b, 0x1000000000u, &u),
              one_more != 0 ? GPUCMD_RANGE : GPUCMD_OK);
        if (one_more == 0) {
            EQUAL(u.width_px, 0xffff);
            EQUAL(u.height_px, 0xffff);
            EQUAL(u.layers, 0xffff);
            EQUAL(u.utile_width_px, 0xff);
            EQUAL(u.utile_height_px, 0xff);
            EQUAL(u.samples, 0xff);
            EQUAL(u.sample_size_B, 0xff);
            EQUAL(u.sampler_count, 0xffff);
            EQUAL(u.stencil.comp_stride, 0xffffffffu);
        }
    }
}

/* Render flags bit by bit. */
static void every_flag(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        struct gpucmd_drm_asahi_draft06_cmd_render a = render06();
        struct gpucmd_drm_asahi_draft11_cmd_render b = render11();
        struct gpucmd_drm_asahi_cmd_render u;
        a.flags = b.flags = (uint64_t)1 << bit;
        EQUAL(gpucmd_agx_draft06_render(&a, &u),
              bit == 3 || bit == 4 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_agx_draft11_render(&b, 0x1000000000u, &u),
              bit >= 2 && bit <= 4 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(bit >= 2 && bit <= 4 ? u.flags : 0, bit == 2   ? 1 /* VERTEX_SPILLS: VERTEX_SCRATCH */
                                                  : bit == 3 ? 2 /* PROCESS_EMPTY_TILES */
                                                  : bit == 4 ? 4 /* NO_VERTEX_CLUSTERING */
                                                             : 0);
    }
}

/* A list is valid until another list replaces it: a command without attachments after a command
 * with some gets an empty list. Attachments of 10006 have 32-bit sizes, and a command has one
 * list. */
static void attachment_lists(void)
{
    static uint32_t words[1024];
    struct gpucmd_drm_asahi_draft06_cmd_render r = render06();
    struct gpucmd_drm_asahi_draft06_cmd_compute c;
    const struct gpucmd_drm_asahi_draft06_attachment a06[2] = {
        {2, 0x4000, 0x1600000000u},
        {0, 0xfff,  0x1600800000u}
    };
    const struct gpucmd_drm_asahi_draft11_attachment flagged = {0x1600000000u, 128, 1, 1};
    struct gpucmd_drm_asahi_draft11_cmd_render r11 = render11();
    struct gpucmd_drm_asahi_draft_submit s = published();
    gpucmd_agx_stream stream;
    size_t n = 0;
    setup();
    memset(&c, 0, sizeof c);
    r.attachments = PAYLOAD_VA + 0x6000;
    r.attachment_count = 2;
    c.attachments = PAYLOAD_VA + 0x6010; /* the second of them */
    c.attachment_count = 1;
    for (unsigned i = 0; i < 2; i++) {
        agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_attachment, memory + 0x6000 + 16 * i, &a06[i]);
    }
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_render, memory, &r);
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_compute, memory + 0x1000, &c);
    gpucmd_agx_stream_init(&stream, words, 1024);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_OK);
    EQUAL(gpucmd_agx_stream_finish(&stream, &n), GPUCMD_OK);
    /* R1 with two, C1 with one, C2 and R2 with an empty list, R3 and R4 without another one */
    EQUAL(n, 4 * 248 + 2 * 72 + 56 + 32 + 8 + 8);
    CHECK(same_bytes(words, 56,
                     "03003000ffffffff000000001600000000400000000000000000000000000000"
                     "0000800016000000ff0f0000000000000000000000000000"));
    CHECK(same_bytes(words + (56 + 248) / 4, 32,
                     "04001800ffffffff0000800016000000ff0f0000000000000000000000000000"));
    CHECK(same_bytes(words + (56 + 248 + 32 + 72) / 4, 8, "04000000ffffffff"));
    CHECK(same_bytes(words + (56 + 248 + 32 + 72 + 8 + 72) / 4, 8, "03000000ffffffff"));
    /* a stream that holds something already may have lists: each command gets its own */
    gpucmd_agx_stream_init(&stream, words, 1024);
    gpucmd_agx_emit_attachments(&stream, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, NULL, 0);
    s.command_count = 3;
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_OK);
    EQUAL(gpucmd_agx_stream_finish(&stream, &n), GPUCMD_OK);
    EQUAL(n, 8 + 56 + 248 + 32 + 72 + 8 + 72);
    gpucmd_agx_stream_init(&stream, words, 1024);
    gpucmd_agx_emit_attachments(&stream, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, NULL, 0);
    s.commands = COMMAND_VA + 2 * 56; /* C2 */
    s.command_count = 1;
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_OK);
    EQUAL(gpucmd_agx_stream_finish(&stream, &n), GPUCMD_OK);
    EQUAL(n, 8 + 8 + 72);
    s.commands = COMMAND_VA;
    /* failures: too many attachments, not mapped, with flags */
    s.command_count = 1;
    r.attachment_count = 17;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_render, memory, &r);
    gpucmd_agx_stream_init(&stream, words, 1024);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_RANGE);
    r.attachment_count = 1;
    r.attachments = 1;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_render, memory, &r);
    EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
          GPUCMD_FAULT);
    r11.vertex_attachments = PAYLOAD_VA + 0x6000;
    r11.vertex_attachment_count = 1;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_attachment, memory + 0x6000, &flagged);
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_cmd_render, memory, &r11);
    EQUAL(
        gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10011, 0x1000000000u, true, &stream),
        GPUCMD_UNSUPPORTED);
    EQUAL(stream.w.status, GPUCMD_OK);
}

/* Translate the first count commands with the payloads in memory. */
static gpucmd_status translated(gpucmd_agx_draft draft, uint32_t count, size_t cap_dw)
{
    static uint32_t words[512];
    gpucmd_agx_stream stream;
    struct gpucmd_drm_asahi_draft_submit s = published();
    s.command_count = count;
    gpucmd_agx_stream_init(&stream, words, cap_dw);
    return gpucmd_agx_draft_translate(&mem, &s, draft, 0x1000000000u, true, &stream);
}

/* What stops a translation: one number of a command, a payload or a list is changed. base: 0x8000
 * command 0 or 1 (a render, a compute), 0 or 0x1000 their payloads, 0x6000 an attachment. */
static void untranslatable(void)
{
    static const struct {
        gpucmd_agx_draft draft;
        unsigned count, base, off, bytes;
        uint64_t value;
        gpucmd_status want;
    } rows[] = {
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 0,  8, 1,      GPUCMD_UNSUPPORTED}, /* extensions */
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 8,  4, 1,      GPUCMD_UNSUPPORTED}, /* cmd_type */
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 8,  4, 3,      GPUCMD_INVALID    },
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 16, 8, 1,      GPUCMD_FAULT      }, /* cmd_buffer */
        {GPUCMD_AGX_DRAFT_10011, 1, 0x8000, 16, 8, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x8038, 16, 8, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10011, 2, 0x8038, 16, 8, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 48, 4, 0xffff, GPUCMD_RANGE      }, /* barriers */
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 52, 4, 0xffff, GPUCMD_RANGE      },
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 48, 4, 1,      GPUCMD_ORDER      },
        {GPUCMD_AGX_DRAFT_10006, 1, 0x8000, 52, 4, 1,      GPUCMD_ORDER      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x8038, 48, 4, 2,      GPUCMD_ORDER      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x8038, 52, 4, 1,      GPUCMD_ORDER      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x8038, 48, 4, 1,      GPUCMD_OK         },
        {GPUCMD_AGX_DRAFT_10006, 1, 0,      8,  8, 4,      GPUCMD_UNSUPPORTED}, /* flags */
        {GPUCMD_AGX_DRAFT_10011, 1, 0,      8,  8, 4,      GPUCMD_OK         },
        {GPUCMD_AGX_DRAFT_10011, 1, 0,      8,  8, 64,     GPUCMD_UNSUPPORTED},
        {GPUCMD_AGX_DRAFT_10006, 2, 0x1000, 0,  8, 1,      GPUCMD_UNSUPPORTED},
        {GPUCMD_AGX_DRAFT_10011, 2, 0x1000, 0,  8, 1,      GPUCMD_UNSUPPORTED},
        {GPUCMD_AGX_DRAFT_10011, 2, 0x1000, 24, 8, 0x1000, GPUCMD_UNSUPPORTED}, /* usc_base */
        {GPUCMD_AGX_DRAFT_10006, 1, 0,      32, 4, 17,     GPUCMD_RANGE      }, /* list counts */
        {GPUCMD_AGX_DRAFT_10006, 1, 0,      32, 4, 16,     GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x1000, 32, 4, 17,     GPUCMD_RANGE      },
        {GPUCMD_AGX_DRAFT_10006, 2, 0x1000, 32, 4, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10011, 1, 0,      56, 4, 17,     GPUCMD_RANGE      },
        {GPUCMD_AGX_DRAFT_10011, 1, 0,      60, 4, 17,     GPUCMD_RANGE      },
        {GPUCMD_AGX_DRAFT_10011, 1, 0,      60, 4, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10011, 2, 0x1000, 40, 4, 17,     GPUCMD_RANGE      },
        {GPUCMD_AGX_DRAFT_10011, 2, 0x1000, 40, 4, 1,      GPUCMD_FAULT      },
        {GPUCMD_AGX_DRAFT_10006, 7, 0x8000, 0,  8, 0,      GPUCMD_FAULT      }, /* commands end */
    };
    const struct gpucmd_drm_asahi_draft11_cmd_render r11 = render11();
    struct gpucmd_drm_asahi_draft11_cmd_compute c11;
    memset(&c11, 0, sizeof c11);
    c11.usc_base = 0x1000000000u;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int changed = 0; changed < 2; changed++) {
            uint8_t *const at = memory + rows[i].base + rows[i].off;
            setup();
            if (rows[i].draft == GPUCMD_AGX_DRAFT_10011) {
                agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_cmd_render, memory, &r11);
                agx_convert(GPUCMD_STRUCT_drm_asahi_draft11_cmd_compute, memory + 0x1000, &c11);
            }
            regions[1].bytes = 6 * 56;
            if (changed && rows[i].bytes == 8) {
                gpucmd_store64(at, rows[i].value, GPUCMD_LITTLE_ENDIAN);
            } else if (changed) {
                gpucmd_store32(at, (uint32_t)rows[i].value, GPUCMD_LITTLE_ENDIAN);
            }
            const gpucmd_status want = changed || rows[i].count == 7 ? rows[i].want : GPUCMD_OK;
            if (!EQUAL(translated(rows[i].draft, rows[i].count, 512), want)) {
                printf("    row %u\n", (unsigned)i);
            }
        }
    }
    setup(); /* no room for the second command */
    EQUAL(translated(GPUCMD_AGX_DRAFT_10006, 2, 62 + 18), GPUCMD_OK);
    EQUAL(translated(GPUCMD_AGX_DRAFT_10006, 2, 62 + 17), GPUCMD_FULL);
    EQUAL(translated(GPUCMD_AGX_DRAFT_10006, 0, 0), GPUCMD_OK);
}

/* Members of a submission that have no meaning upstream. */
static void untranslatable_heads(void)
{
    uint32_t words[64];
    gpucmd_agx_stream stream;
    struct gpucmd_drm_asahi_draft_submit s;
    for (int i = 0; i < 4; i++) {
        s = published();
        s.command_count = 0;
        s.result_handle = i == 2;
        s.extensions = i == 0;
        s.flags = i == 1;
        gpucmd_agx_stream_init(&stream, words, 64);
        EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, false, &stream),
              i == 3 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_agx_draft_translate(&mem, &s, GPUCMD_AGX_DRAFT_10006, 0, true, &stream),
              i >= 2 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
    }
}

/* Binds, queues and sync arrays. */
static void other_calls(void)
{
    struct gpucmd_drm_asahi_draft_gem_bind b = {0, 0, 3, 5, 1, 0x4000, 0x8000, 0x1500000000u};
    struct gpucmd_drm_asahi_gem_bind_op op;
    struct gpucmd_drm_asahi_draft_queue_create q = {0, 0, 4, 7, 2, 9, 0};
    struct gpucmd_drm_asahi_queue_create up;
    struct gpucmd_drm_asahi_draft_submit s = published();
    const struct gpucmd_drm_asahi_draft_sync list[3] = {
        {0, 0, 11, 0 },
        {0, 1, 12, 41},
        {0, 1, 12, 42}
    };
    struct gpucmd_drm_asahi_sync array[3];
    gpucmd_agx_syncs syncs;
    /* READ and WRITE are one bit higher upstream, where bit 0 is UNBIND */
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_OK);
    EQUAL(op.flags, 6);
    EQUAL(op.handle, 5);
    EQUAL(op.offset, 0x4000);
    EQUAL(op.range, 0x8000);
    EQUAL(op.addr, 0x1500000000u);
    b.flags = 1;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_OK);
    EQUAL(op.flags, 2);
    b.op = 1;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_UNSUPPORTED); /* an unbind has no flags */
    b.flags = 0;
    b.handle = 0;
    b.offset = 0;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_OK);
    EQUAL(op.flags, 1);
    EQUAL(op.handle, 0);
    b.op = 2;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_UNSUPPORTED);
    b.op = 3;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_INVALID);
    b.op = 0;
    b.flags = 4;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_UNSUPPORTED);
    b.flags = 2;
    b.extensions = 1;
    EQUAL(gpucmd_agx_draft_bind(&b, &op), GPUCMD_UNSUPPORTED);
    EQUAL(op.flags, 1); /* unchanged */
    memset(&up, 0x5a, sizeof up);
    q.extensions = 1;
    EQUAL(gpucmd_agx_draft_queue_create(&q, 0x1000000000u, &up), GPUCMD_UNSUPPORTED);
    q.extensions = 0;
    q.flags = 1;
    EQUAL(gpucmd_agx_draft_queue_create(&q, 0x1000000000u, &up), GPUCMD_UNSUPPORTED);
    q.flags = 0;
    q.priority = 4;
    EQUAL(gpucmd_agx_draft_queue_create(&q, 0x1000000000u, &up), GPUCMD_RANGE);
    EQUAL(up.vm_id, 0x5a5a5a5a);
    q.priority = 2;
    EQUAL(gpucmd_agx_draft_queue_create(&q, 0x1000000000u, &up), GPUCMD_OK);
    EQUAL(up.flags, 0);
    EQUAL(up.vm_id, 4);
    EQUAL(up.priority, 1);
    EQUAL(up.queue_id, 0);
    EQUAL(up.usc_exec_base, 0x1000000000u);
    /* two arrays of 24 bytes to one of 16, in first: the fact sheet's three syncs */
    setup();
    for (unsigned i = 0; i < 3; i++) {
        agx_convert(GPUCMD_STRUCT_drm_asahi_draft_sync, memory + (i < 2 ? 0x7000 + 24 * i : 0x7800),
                    &list[i]);
    }
    s.in_syncs = PAYLOAD_VA + 0x7000;
    s.in_sync_count = 2;
    s.out_syncs = PAYLOAD_VA + 0x7800;
    s.out_sync_count = 1;
    gpucmd_agx_syncs_init(&syncs, array, 3);
    EQUAL(gpucmd_agx_draft_syncs(&mem, &s, &syncs), GPUCMD_OK);
    EQUAL(syncs.in_count, 2);
    EQUAL(syncs.out_count, 1);
    CHECK(same_bytes(array, 48, AGX_ARG_SYNCS));
    gpucmd_agx_syncs_init(&syncs, array, 2);
    EQUAL(gpucmd_agx_draft_syncs(&mem, &s, &syncs), GPUCMD_FULL);
    s.out_syncs = 1;
    gpucmd_agx_syncs_init(&syncs, array, 1); /* the first failure; what follows is not read */
    EQUAL(gpucmd_agx_draft_syncs(&mem, &s, &syncs), GPUCMD_FULL);
    EQUAL(syncs.in_count, 1);
    gpucmd_agx_syncs_init(&syncs, array, 3);
    EQUAL(gpucmd_agx_draft_syncs(&mem, &s, &syncs), GPUCMD_FAULT);
    EQUAL(syncs.in_count, 2);
    memory[0x7000] = 1;
    gpucmd_agx_syncs_init(&syncs, array, 3);
    EQUAL(gpucmd_agx_draft_syncs(&mem, &s, &syncs), GPUCMD_UNSUPPORTED);
    EQUAL(syncs.in_count, 0);
}

/* ---- the draft kernel's checks ---- */

static struct gpucmd_drm_asahi_draft_submit submission;
static gpucmd_agx_draft_queue queue;

static void verdict(gpucmd_agx_rule rule, int command, int err, const char *file, int line)
{
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    const gpucmd_status status = gpucmd_agx_draft_check(&mem, &submission, &queue, &job, &f);
    test_equal(status, rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID, file, line,
               "status");
    test_equal(f.rule, rule, file, line, gpucmd_agx_rule_name(f.rule));
    test_equal((uint64_t)(int64_t)f.command, (uint64_t)(int64_t)command, file, line, "command");
    test_equal(f.at_bytes, command < 0 ? 0u : 56u * (unsigned)command, file, line, "offset");
    test_equal((uint64_t)gpucmd_agx_rule_errno(f.rule), (uint64_t)err, file, line, "errno");
}

#define VERDICT(rule, command, err)                                                                \
    verdict(GPUCMD_AGX_RULE_##rule, (command), (err), __FILE__, __LINE__)

static void checks(void)
{
    uint8_t *const commands = memory + 0x8000;
    setup();
    submission = published();
    queue.caps = 7;
    queue.has_result = true;
    queue.result_bytes = 0x4000;
    queue.crashed = false;
    VERDICT(NONE, -1, 0);
    submission.extensions = 1;
    submission.flags = 1;
    submission.command_count = 65;
    VERDICT(DRAFT_EXTENSIONS, -1, 22);
    submission.extensions = 0;
    VERDICT(FLAGS, -1, 22);
    submission.flags = 0;
    submission.in_sync_count = 65;
    VERDICT(COMMAND_COUNT, -1, 22);
    submission.command_count = 6;
    queue.has_result = false;
    VERDICT(SYNC_COUNT, -1, 22);
    submission.in_sync_count = 64;
    submission.out_sync_count = 65;
    VERDICT(SYNC_COUNT, -1, 22);
    submission.out_sync_count = 64;
    submission.commands = 1;
    VERDICT(GEM_UNKNOWN, -1, 2);
    queue.has_result = true;
    queue.crashed = true;
    VERDICT(CMDBUF_FAULT, -1, 14);
    submission.commands = COMMAND_VA;
    VERDICT(CRASHED, -1, 19);
    queue.crashed = false;
    submission.command_count = 0;
    VERDICT(COMMAND_COUNT, -1, 22);
    submission.command_count = 64; /* the most, of which six have a payload */
    VERDICT(DRAFT_PAYLOAD_FAULT, 6, 14);
    submission.command_count = 6;
    /* all types before any barrier: the blit at 5 counts, not the barrier at 0 */
    commands[48] = 9;
    commands[49] = commands[50] = commands[51] = 0;
    commands[5 * 56 + 8] = 1;
    VERDICT(DRAFT_TYPE, 5, 22);
    commands[5 * 56 + 8] = 0;
    VERDICT(VDM_BARRIER, 0, 22);
    memset(commands + 48, 0xff, 4);
    commands[3 * 56 + 52] = 3;
    VERDICT(CDM_BARRIER, 3, 22);
    commands[3 * 56 + 52] = 2;
    queue.result_bytes = 128 * 5 + 95; /* one byte short for the last */
    VERDICT(DRAFT_RESULT, 5, 22);
    queue.result_bytes = 128 * 5 + 96;
    VERDICT(NONE, -1, 0);
    memset(commands + 4 * 56 + 32, 0xff, 8); /* offset + size overflows */
    VERDICT(DRAFT_RESULT, 4, 22);
    memset(commands + 4 * 56 + 40, 0, 8); /* no result wanted: the offset does not matter */
    VERDICT(NONE, -1, 0);
    submission.result_handle = 0;
    VERDICT(DRAFT_RESULT, 0, 22);
    memset(commands + 32, 0, 8); /* neither a size without an object is accepted, nor an offset */
    VERDICT(DRAFT_RESULT, 0, 22);
    memset(commands + 32, 1, 8);
    memset(commands + 40, 0, 8);
    VERDICT(DRAFT_RESULT, 0, 22);
    submission.result_handle = 9;
    queue.caps = GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER;
    VERDICT(DRAFT_CAPS, 1, 22);
    queue.caps = GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE;
    VERDICT(DRAFT_CAPS, 0, 22);
}

int main(void)
{
    published_bytes();
    values();
    translate_published();
    payloads06();
    payloads11();
    EVERY_MOVE(draft06_cmd_render, moves06);
    EVERY_MOVE(draft11_cmd_render, moves11);
    EVERY_MOVE(draft06_cmd_compute, moves06_compute);
    EVERY_MOVE(draft11_cmd_compute, moves11_compute);
    largest_values();
    every_flag();
    attachment_lists();
    untranslatable();
    untranslatable_heads();
    other_calls();
    checks();
    return test_report("agx_draft");
}

/* agx/decode.c - the parser: known streams, each check of SUBMIT in its order with command and
 * byte, the printer, the notation, the checker. */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"

static const char *const streams[] = {AGX_W1, AGX_W2, AGX_W3, AGX_W4,  AGX_W5,  AGX_W6,
                                      AGX_W7, AGX_W8, AGX_W9, AGX_W10, AGX_W11, AGX_W12};

/* Contents of each known stream, from the fact sheet. */
static const struct {
    uint32_t renders, computes, commands;
    const char *notation;
} contents[] = {
    {0, 1, 1, "#0 C1 barrier=[__, __]\n"                                                },
    {0, 1, 1, "#0 C1 barrier=[R0, C0]\n"                                                },
    {1, 0, 1, "#0 R1 barrier=[__, __]\n"                                                },
    {1, 0, 1, "#0 R1 barrier=[R0, C0]\n"                                                },
    {1, 1, 2, "#0 C1 barrier=[R0, C0]\n#1 R1 barrier=[__, C1]\n"                        },
    {0, 2, 2, "#0 C1 barrier=[__, __]\n#1 C2 barrier=[__, C1]\n"                        },
    {1, 0, 1, "#0 R1 barrier=[__, __]\n"                                                },
    {4, 2, 6,
     "#0 R1 barrier=[__, C0]\n#1 C1 barrier=[__, __]\n#2 C2 barrier=[__, __]\n"
     "#3 R2 barrier=[R1, C2]\n#4 R3 barrier=[__, __]\n#5 R4 barrier=[R3, __]\n"         },
    {2, 2, 4,
     "#0 C1 barrier=[R0, C0]\n#1 R1 barrier=[R0, C1]\n#2 C2 barrier=[R1, C1]\n"
     "#3 R2 barrier=[R1, C2]\n"                                                         },
    {1, 1, 2, "#0 R1 barrier=[__, __]\n#1 C1 barrier=[R1, __]\n"                        },
    {1, 1, 2, "#0 R1 barrier=[__, __]\n#1 C1 barrier=[R1, __]\n"                        },
    {3, 0, 3, "#0 R1 barrier=[__, __]\n#1 R2 barrier=[__, __]\n#2 R3 barrier=[R1, __]\n"},
};

static void known_streams(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        uint8_t bytes[1024];
        char text[512];
        gpucmd_text t;
        gpucmd_agx_job job;
        gpucmd_agx_finding f;
        const size_t n = unhex(streams[i], bytes);
        EQUAL(gpucmd_agx_parse_stream(bytes, n, NULL, &job, &f), GPUCMD_OK);
        EQUAL(f.rule, GPUCMD_AGX_RULE_NONE);
        EQUAL(job.count, contents[i].commands);
        EQUAL(job.renders, contents[i].renders);
        EQUAL(job.computes, contents[i].computes);
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_notation(&t, &job);
        TEXT(text, contents[i].notation);
    }
}

/* W7 sets every field: all members are decoded. */
static void every_field(void)
{
    uint8_t bytes[256];
    gpucmd_agx_raw raw;
    struct gpucmd_drm_asahi_cmd_render c;
    const size_t n = unhex(AGX_W7, bytes);
    EQUAL(gpucmd_agx_decode(bytes, n, &raw), GPUCMD_OK);
    EQUAL(raw.cmd_type, 0);
    EQUAL(raw.payload_bytes, 240);
    EQUAL(raw.len_bytes, 248);
    EQUAL(raw.vdm_barrier, 0xFFFF);
    EQUAL(raw.cdm_barrier, 0xFFFF);
    gpucmd_agx_load_render(&raw, &c);
    EQUAL(c.flags, 0x40007);
    EQUAL(c.isp_zls_pixels, 1919u | 1079u << 15);
    EQUAL(c.vdm_ctrl_stream_base, 0x1500020000u);
    EQUAL(c.vertex_helper.binary, 0x101);
    EQUAL(c.vertex_helper.data, 0x1500060000u);
    EQUAL(c.fragment_helper.cfg, 0x10000);
    EQUAL(c.isp_scissor_base, 0x1500050000u);
    EQUAL(c.isp_dbias_base, 0x1500051000u);
    EQUAL(c.isp_oclqry_base, 0x1500052000u);
    EQUAL(c.depth.comp_base, 0x1800100000u);
    EQUAL(c.depth.stride, 0x100000);
    EQUAL(c.stencil.base, 0x1801000000u);
    EQUAL(c.stencil.comp_stride, 0x2000);
    EQUAL(c.zls_ctrl, 0x0123456789u);
    EQUAL(c.ppp_multisamplectl, 0x88);
    EQUAL(c.sampler_heap, 0x1500030000u);
    EQUAL(c.ppp_ctrl, 0x202);
    EQUAL(c.width_px, 1920);
    EQUAL(c.height_px, 1080);
    EQUAL(c.layers, 1);
    EQUAL(c.sampler_count, 5);
    EQUAL(c.utile_width_px, 32);
    EQUAL(c.utile_height_px, 32);
    EQUAL(c.samples, 1);
    EQUAL(c.sample_size_B, 4);
    EQUAL(c.bg.usc, 0x1004);
    EQUAL(c.eot.rsrc_spec, 0x22);
    EQUAL(c.partial_bg.usc, 0x3004);
    EQUAL(c.partial_eot.rsrc_spec, 0x44);
    EQUAL(c.isp_bgobjdepth, 0x3F800000);
    EQUAL(c.isp_bgobjvals, 0x5A);
    EQUAL(c.ts_vtx.end.offset, 8);
    EQUAL(c.ts_frag.start.handle, 2);
    EQUAL(c.ts_frag.end.offset, 24);
}

/* ---- each check of SUBMIT that concerns the stream ---- */

/* A stream under test, made of headers and payloads without any check. */
static uint8_t stream[32768];
static size_t stream_bytes;

static uint8_t *put(unsigned type, unsigned size, unsigned vdm, unsigned cdm)
{
    uint8_t *at = stream + stream_bytes;
    const unsigned v[4] = {type, size, vdm, cdm};
    for (int i = 0; i < 4; i++) {
        at[2 * i] = (uint8_t)v[i];
        at[2 * i + 1] = (uint8_t)(v[i] >> 8);
    }
    memset(at + 8, 0, size);
    stream_bytes += 8 + size;
    return at + 8;
}

/* A render payload that the kernel accepts: 1920x1080, one layer, 32x32, one sample. */
static uint8_t *put_r(unsigned vdm, unsigned cdm, unsigned size)
{
    uint8_t *p = put(0, size, vdm, cdm);
    p[148] = 0x80;
    p[149] = 0x07;
    p[150] = 0x38;
    p[151] = 0x04;
    p[152] = 1;
    p[156] = 32;
    p[157] = 32;
    p[158] = 1;
    p[159] = 4;
    return p;
}

static uint8_t *put_c(unsigned vdm, unsigned cdm)
{
    return put(1, 24, vdm, cdm);
}

static bool objects_bytes(void *user, uint32_t handle, uint64_t *bytes)
{
    (void)user;
    *bytes = handle == 1 ? 64 : (uint64_t)1 << 33; /* object 2 is larger than offsets reach */
    return handle == 1 || handle == 2;
}

static const gpucmd_agx_objects objects = {objects_bytes, NULL, GPUCMD_AGX_BEHAVIOR_TEXT};

static void verdict(gpucmd_agx_rule rule, int command, unsigned off, int err, const char *file,
                    int line)
{
    gpucmd_agx_finding f;
    const gpucmd_status status = gpucmd_agx_parse_stream(stream, stream_bytes, &objects, NULL, &f);
    test_equal(status, rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID, file, line,
               "status");
    if (!test_equal(f.rule, rule, file, line, "rule")) {
        printf("    got %s\n", gpucmd_agx_rule_name(f.rule));
    }
    test_equal((uint64_t)(int64_t)f.command, (uint64_t)(int64_t)command, file, line, "command");
    test_equal(f.at_bytes, off, file, line, "offset");
    test_equal((uint64_t)gpucmd_agx_rule_errno(f.rule), (uint64_t)err, file, line, "errno");
    stream_bytes = 0;
}

#define VERDICT(rule, command, off, err)                                                           \
    verdict(GPUCMD_AGX_RULE_##rule, (command), (off), (err), __FILE__, __LINE__)
#define TAKEN() VERDICT(NONE, -1, 0, 0)

static void pass_one(void)
{
    /* fewer than 8 bytes left for a header: at the index that command would have had */
    put_c(NONE, NONE);
    stream_bytes += 7;
    VERDICT(HEADER_TRUNCATED, 1, 32, 22);
    stream_bytes = 1;
    VERDICT(HEADER_TRUNCATED, 0, 0, 22);
    /* the size of a header is checked before its members */
    put(9, 0, 5, 5);
    stream_bytes += 3;
    VERDICT(HEADER_TRUNCATED, 1, 8, 22);
    VERDICT(COMMAND_COUNT, -1, 0, 22); /* nothing */
    put(3, 0, NONE, NONE);
    VERDICT(COMMAND_COUNT, -1, 0, 22); /* software commands only */
    for (int i = 0; i < 65; i++) {
        put_c(NONE, NONE);
    }
    VERDICT(COMMAND_COUNT, -1, 0, 22);
    for (int i = 0; i < 65; i++) {
        put_c(NONE, i == 3 ? 60 : NONE); /* count first, then the barrier on the future */
    }
    VERDICT(COMMAND_COUNT, -1, 0, 22);
    for (int i = 0; i < 64; i++) {
        put(2, 0, NONE, NONE);
        put_c(NONE, (unsigned)i);
    }
    TAKEN(); /* 64 of them, each after all before it */
}

static void barriers(void)
{
    put_r(1, NONE, 160);
    VERDICT(VDM_BARRIER, 0, 0, 22); /* own index */
    put_c(NONE, 1);
    VERDICT(CDM_BARRIER, 0, 0, 22); /* own index */
    put_c(1, NONE);
    put_r(NONE, NONE, 160);
    VERDICT(VDM_BARRIER, 0, 0, 22); /* a later command */
    put_r(NONE, NONE, 160);
    put_c(NONE, NONE);
    put_r(2, NONE, 160);
    VERDICT(VDM_BARRIER, 2, 200, 22); /* own index */
    put_r(NONE, NONE, 160);
    put_r(NONE, 1, 160);
    VERDICT(CDM_BARRIER, 1, 168, 22); /* no compute before it */
    put(2, 0, 0, NONE);
    put_r(NONE, NONE, 160);
    VERDICT(SOFTWARE_BARRIER, 0, 0, 22);
    put(4, 0, NONE, 0);
    put_r(NONE, NONE, 160);
    VERDICT(SOFTWARE_BARRIER, 0, 0, 22);
    put_r(0xFFFE, NONE, 160);
    VERDICT(VDM_BARRIER, 0, 0, 22); /* 0xFFFE is not NONE */
    put_r(1, 1, 160);
    VERDICT(VDM_BARRIER, 0, 0, 22); /* render first */
    put_r(1, NONE, 100);
    VERDICT(VDM_BARRIER, 0, 0, 22); /* barriers are checked before the payload */
    put(7, 0, NONE, 1);
    put_c(NONE, NONE);
    VERDICT(CDM_BARRIER, 0, 0, 22); /* and before the type */
    put_r(0, 0, 160);
    TAKEN(); /* index 0 on a fresh queue */
    put_r(NONE, NONE, 160);
    put_c(1, NONE);
    TAKEN(); /* a compute may name the only render before it */
}

static void renders(void)
{
    uint8_t *p;
#define RENDER(rule, err, ...)                                                                     \
    put_c(NONE, NONE);                                                                             \
    p = put_r(NONE, NONE, 240);                                                                    \
    __VA_ARGS__;                                                                                   \
    VERDICT(rule, 1, 32, err)
    put_r(NONE, NONE, 160);
    stream_bytes--;
    VERDICT(PAYLOAD_TRUNCATED, 0, 0, 22);
    RENDER(RENDER_FLAGS, 22, p[0] = 8);
    RENDER(RENDER_FLAGS, 22, p[2] = 8);
    RENDER(RENDER_FLAGS, 22, p[3] = 0x80, p[148] = 0, p[149] = 0); /* before the size */
    RENDER(RENDER_SIZE, 22, p[148] = 0, p[149] = 0);
    RENDER(RENDER_SIZE, 22, p[150] = 0, p[151] = 0);
    RENDER(RENDER_SIZE, 22, p[148] = 1, p[149] = 0x40);
    RENDER(RENDER_SIZE, 22, p[151] = 0xff, p[208] = 9); /* before the timestamps */
    RENDER(TIMESTAMP_UNKNOWN, 2, p[208] = 9);
    RENDER(TIMESTAMP_UNKNOWN, 2, p[216] = 9);
    RENDER(TIMESTAMP_UNKNOWN, 2, p[224] = 9);
    RENDER(TIMESTAMP_UNKNOWN, 2, p[232] = 9);
    RENDER(TIMESTAMP_UNKNOWN, 2, p[208] = 9, p[152] = 0); /* before the layers */
    RENDER(TIMESTAMP_OVERFLOW, 22, p[208] = 2, memset(p + 212, 0xff, 4));
    RENDER(TIMESTAMP_OVERFLOW, 22, p[208] = 2, memset(p + 212, 0xff, 4), p[212] = 0xf8);
    RENDER(TIMESTAMP_RANGE, 34, p[232] = 1, p[236] = 57);
    RENDER(TIMESTAMP_RANGE, 34, p[208] = 1, p[212] = 64, p[216] = 9); /* start, then end */
    RENDER(RENDER_LAYERS, 22, p[152] = 0);
    RENDER(RENDER_LAYERS, 22, p[152] = 1, p[153] = 8);
    RENDER(RENDER_LAYERS, 22, p[152] = 0, p[156] = 8); /* before the utile */
    RENDER(RENDER_UTILE, 22, p[156] = 16);
    RENDER(RENDER_UTILE, 22, p[157] = 0);
    RENDER(RENDER_UTILE, 22, p[157] = 8, p[158] = 3); /* before the samples */
    RENDER(RENDER_SAMPLES, 22, p[158] = 3);
    RENDER(RENDER_SAMPLES, 22, p[158] = 0);
    p = put_r(NONE, NONE, 240);
    p[0] = 7;
    p[2] = 4;
    p[149] = 0x40;
    p[148] = 0; /* 16384 */
    p[153] = 8;
    p[152] = 0; /* 2048 */
    p[157] = 16;
    p[158] = 4;
    p[208] = 1;
    p[212] = 56;
    p[224] = 2;
    memset(p + 228, 0xff, 4);
    p[228] = 0xf7; /* the last one that does not overflow with its 8 bytes */
    TAKEN();
    p = put_r(NONE, NONE, 240);
    p[156] = 16;
    p[157] = 16;
    p[158] = 2;
    TAKEN();
    /* a payload that ends before layers, or before samples, reads them as zero */
    put_r(NONE, NONE, 160);
    stream[2] = 152;
    stream_bytes = 160;
    VERDICT(RENDER_LAYERS, 0, 0, 22);
    put_r(NONE, NONE, 160);
    stream[2] = 158;
    stream_bytes = 166;
    VERDICT(RENDER_SAMPLES, 0, 0, 22);
    /* sample_size_B itself is not checked */
    put_r(NONE, NONE, 160);
    stream[2] = 159;
    stream_bytes = 167;
    TAKEN();
    /* longer than the known structure: accepted if the rest is zero */
    put_r(NONE, NONE, 256);
    TAKEN();
    p = put_r(NONE, NONE, 256);
    p[255] = 1;
    VERDICT(PAYLOAD_TAIL, 0, 0, 22);
}

static void computes(void)
{
    uint8_t *p;
    put(1, 0, NONE, NONE);
    TAKEN(); /* the driver accepts an empty payload */
    put(1, 24, NONE, NONE);
    stream_bytes -= 24;
    VERDICT(PAYLOAD_TRUNCATED, 0, 0, 22);
    p = put(1, 64, NONE, NONE);
    p[0] = 1;
    p[48] = 9;
    VERDICT(COMPUTE_FLAGS, 0, 0, 22); /* before the timestamps */
    p = put(1, 64, NONE, NONE);
    p[48] = 9;
    VERDICT(TIMESTAMP_UNKNOWN, 0, 0, 2);
    p = put(1, 64, NONE, NONE);
    p[56] = 1;
    p[60] = 60;
    VERDICT(TIMESTAMP_RANGE, 0, 0, 34);
    p = put(1, 80, NONE, NONE);
    p[64] = 1;
    VERDICT(PAYLOAD_TAIL, 0, 0, 22);
    put(5, 0, NONE, NONE);
    put_c(NONE, NONE);
    VERDICT(COMMAND_UNKNOWN, 0, 0, 22);
    put_c(NONE, NONE);
    put(0xFFFF, 4, NONE, NONE);
    VERDICT(COMMAND_UNKNOWN, 1, 32, 22);
}

static void attachments(void)
{
    uint8_t *p;
    put(2, 17 * 24, NONE, NONE);
    put_c(NONE, NONE);
    VERDICT(ATTACHMENT_COUNT, 0, 0, 22);
    put(2, 25, NONE, NONE);
    put_c(NONE, NONE);
    VERDICT(ATTACHMENT_LENGTH, 0, 0, 22);
    put_c(NONE, NONE);
    put(3, 48, NONE, NONE);
    stream_bytes -= 24;
    VERDICT(PAYLOAD_TRUNCATED, 1, 32, 22);
    p = put(3, 48, NONE, NONE);
    p[24 + 16] = 1;
    put_c(NONE, NONE);
    VERDICT(ATTACHMENT_PAD, 0, 0, 22);
    p = put(4, 48, NONE, NONE);
    p[20] = 1;
    put_c(NONE, NONE);
    VERDICT(ATTACHMENT_PAD, 0, 0, 22);
    p = put(4, 24, NONE, NONE);
    memset(p + 8, 0xff, 8);
    put_c(NONE, NONE);
    VERDICT(ATTACHMENT_BYTES, 0, 0, 22);
    p = put(4, 24, NONE, NONE); /* (2^32 - 1) * 128 is the largest size there is */
    p[8] = 0x80;
    p[9] = p[10] = p[11] = 0xff;
    p[12] = 0x7f;
    put_c(NONE, NONE);
    TAKEN();
    p[8] = 0x81;
    stream_bytes = 32 + 32;
    VERDICT(ATTACHMENT_BYTES, 0, 0, 22);
    put(2, 16 * 24, NONE, NONE);
    put_c(NONE, NONE);
    put(2, 0, NONE, NONE); /* a SET as last command, of size 0 */
    TAKEN();
}

/* Every prefix of a known stream: whole commands pass, anything else is a truncated header or
 * payload, at the right command. */
static void prefixes(void)
{
    uint8_t bytes[1024];
    const size_t n = unhex(AGX_W8, bytes);
    static const size_t ends[] = {168, 200, 232, 400, 568, 736};
    for (size_t len = 1; len <= n; len++) {
        gpucmd_agx_finding f;
        unsigned whole = 0;
        size_t from = 0;
        while (whole < 6 && ends[whole] <= len) {
            from = ends[whole++];
        }
        const gpucmd_status status = gpucmd_agx_parse_stream(bytes, len, NULL, NULL, &f);
        if (from == len) {
            EQUAL(status, GPUCMD_OK);
        } else {
            EQUAL(status, GPUCMD_INVALID);
            EQUAL(f.command, whole);
            EQUAL(f.at_bytes, from);
            EQUAL(f.rule, len - from < 8 ? GPUCMD_AGX_RULE_HEADER_TRUNCATED
                                         : GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED);
        }
    }
}

static void printer(void)
{
    uint8_t bytes[512];
    char text[4096];
    gpucmd_text t;
    size_t n = unhex(AGX_W6, bytes);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, bytes, n);
    TEXT(text, "0x0000  #0 SET_COMPUTE_ATTACHMENTS size 24 barrier=[__, __]\n"
               "        pointer                  0x1700000000\n"
               "        size                     0x1000\n"
               "0x0020  #1 C1 CMD_COMPUTE size 24 barrier=[__, __]\n"
               "        cdm_ctrl_stream_base     0x1500010000\n"
               "        cdm_ctrl_stream_end      0x1500010080\n"
               "0x0040  #2 SET_COMPUTE_ATTACHMENTS size 0 barrier=[__, __]\n"
               "0x0048  #3 C2 CMD_COMPUTE size 64 barrier=[__, C1]\n"
               "        sampler_count            0x11\n"
               "        cdm_ctrl_stream_base     0x1500010000\n"
               "        cdm_ctrl_stream_end      0x1500010080\n"
               "        sampler_heap             0x1500030000\n"
               "        helper.binary            0x400001\n"
               "        helper.cfg               0x10000\n"
               "        helper.data              0x1500040000\n"
               "        ts.start.handle          0x1\n"
               "        ts.start.offset          0x10\n"
               "        ts.end.handle            0x1\n"
               "        ts.end.offset            0x18\n");
    /* damage is shown, not hidden */
    n = unhex("05000400ffff020011223344"
              "0100180000000000"
              "0011",
              bytes);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, bytes, n);
    TEXT(text, "0x0000  #0 ? type 5 size 4 barrier=[__, C2]\n"
               "0x000c  #1 C1 CMD_COMPUTE size 24 barrier=[R0, C0] TRUNCATED payload\n"
               "        flags                    0x1100\n");
    n = unhex("0100", bytes);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, bytes, n);
    TEXT(text, "0x0000  #0 TRUNCATED header\n");
    static const struct {
        gpucmd_agx_rule rule;
        gpucmd_agx_item item;
        int32_t command, other;
        size_t at_bytes;
        uint64_t value;
        char barrier_at;
        const char *want;
    } rows[] = {
        {GPUCMD_AGX_RULE_CDM_BARRIER,    GPUCMD_AGX_ITEM_COMMAND,  2,  -1, 64, 5,  '\0',
         "0x40, command 2: error: CDM_BARRIER: cdm_barrier names a later compute: 0x5 (EINVAL)"},
        {GPUCMD_AGX_RULE_CHECK_IMPLIED,  GPUCMD_AGX_ITEM_COMMAND,  3,  -1, 80, 0,  'R',
         "0x50, command 3, render barrier: note: CHECK_IMPLIED: barrier waits for what is "
         "ordered anyway"                                                                      },
        {GPUCMD_AGX_RULE_CHECK_MISSING,  GPUCMD_AGX_ITEM_COMMAND,  3,  1,  80, 0,  '\0',
         "0x50, command 3, with command 1: error: CHECK_MISSING: accesses overlap without an "
         "order"                                                                               },
        {GPUCMD_AGX_RULE_CHECK_ACCIDENT, GPUCMD_AGX_ITEM_COMMAND,  0,  0,  0,  0,  'C',
         "0x0, command 0, with command 0, compute barrier: note: CHECK_ACCIDENT: barrier "
         "orders commands that share no access"                                                },
        {GPUCMD_AGX_RULE_COMMAND_COUNT,  GPUCMD_AGX_ITEM_COMMAND,  -1, -1, 0,  65, '\0',
         "error: COMMAND_COUNT: number of hardware commands is not 1 to 64: 0x41 (EINVAL)"     },
        {GPUCMD_AGX_RULE_BIND_EMPTY,     GPUCMD_AGX_ITEM_BIND,     1,  -1, 32, 0,  '\0',
         "0x20, bind 1: error: BIND_EMPTY: range is zero (EINVAL)"                             },
        {GPUCMD_AGX_RULE_SYNC_TYPE,      GPUCMD_AGX_ITEM_IN_SYNC,  0,  -1, 0,  0,  '\0',
         "0x0, sync 0 of the ins: error: SYNC_TYPE: sync_type is neither binary nor timeline "
         "(EINVAL)"                                                                            },
        {GPUCMD_AGX_RULE_SYNC_UNKNOWN,   GPUCMD_AGX_ITEM_OUT_SYNC, 2,  -1, 64, 0,  '\0',
         "0x40, sync 2 of the outs: error: SYNC_UNKNOWN: sync object is unknown (ENOENT)"      },
        {GPUCMD_AGX_RULE_NONE,           GPUCMD_AGX_ITEM_COMMAND,  -1, -1, 0,  0,  '\0',
         "note: NONE: all checks passed"                                                       },
    };
    gpucmd_agx_finding f;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(&f, 0, sizeof f);
        f.rule = rows[i].rule;
        f.severity = gpucmd_agx_rule_severity(f.rule);
        f.name = gpucmd_agx_rule_name(f.rule);
        f.text = gpucmd_agx_rule_text(f.rule);
        f.at_bytes = rows[i].at_bytes;
        f.value = rows[i].value;
        f.item = rows[i].item;
        f.command = rows[i].command;
        f.other = rows[i].other;
        f.barrier_at = rows[i].barrier_at;
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_finding(&t, &f);
        TEXT(text, rows[i].want);
    }
    gpucmd_text_init(&t, text, 1); /* no room at all */
    gpucmd_agx_print_finding(&t, &f);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_FULL);
}

/* Payloads of renders and of lists: each number of the payload is printed with its name, except a
 * tail that is shorter than an attachment. */
static void payloads(void)
{
    static char text[4096];
    gpucmd_text t;
    uint8_t *p = put_r(NONE, 3, 240);
    p[8] = 0x11;   /* vdm_ctrl_stream_base */
    p[239] = 0x22; /* the last byte: ts_frag.end.offset */
    p = put(2, 48, NONE, NONE);
    p[0] = 0x33;
    p[8] = 0x44;
    p[24] = 0x55;
    p[32] = 0x66;
    p[44] = 0x77;
    p = put(3, 24, NONE, NONE);
    p[16] = 0x88;
    p = put(4, 47, NONE, NONE);
    p[0] = 0x99;
    p[24] = 0xaa;
    (void)put(0, 0, 0xfffe, NONE);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_stream(&t, stream, stream_bytes);
    TEXT(text, "0x0000  #0 R1 CMD_RENDER size 240 barrier=[__, C3]\n"
               "        vdm_ctrl_stream_base     0x11\n"
               "        width_px                 0x780\n"
               "        height_px                0x438\n"
               "        layers                   0x1\n"
               "        utile_width_px           0x20\n"
               "        utile_height_px          0x20\n"
               "        samples                  0x1\n"
               "        sample_size_B            0x4\n"
               "        ts_frag.end.offset       0x22000000\n"
               "0x00f8  #1 SET_VERTEX_ATTACHMENTS size 48 barrier=[__, __]\n"
               "        pointer                  0x33\n"
               "        size                     0x44\n"
               "        pointer                  0x55\n"
               "        size                     0x66\n"
               "        flags                    0x77\n"
               "0x0130  #2 SET_FRAGMENT_ATTACHMENTS size 24 barrier=[__, __]\n"
               "        pad                      0x88\n"
               "0x0150  #3 SET_COMPUTE_ATTACHMENTS size 47 barrier=[__, __]\n"
               "        pointer                  0x99\n"
               "0x0187  #4 R2 CMD_RENDER size 0 barrier=[R65534, __]\n");
    stream_bytes = 0;
}

/* Words of one command: header and payload, at most the words that are there. */
static void command_sizes(void)
{
    uint32_t words[4] = {0, 0, 0, 0};
    static const struct {
        uint32_t payload_bytes;
        size_t avail_dw, want_dw;
    } rows[] = {
        {0,     4,     2    },
        {4,     4,     3    },
        {8,     4,     4    },
        {12,    4,     4    },
        {240,   62,    62   },
        {240,   63,    62   },
        {240,   61,    61   },
        {65532, 99999, 16385},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_store32(words, rows[i].payload_bytes << 16 | 1, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_agx_command_dw(NULL, words, rows[i].avail_dw), rows[i].want_dw);
    }
}

/* ---- notation ---- */

static gpucmd_agx_rule notation(const char *text, bool blit, gpucmd_agx_job *job,
                                gpucmd_agx_finding *f)
{
    const gpucmd_status status = gpucmd_agx_parse_notation(text, strlen(text), blit, job, f);
    EQUAL(status, f->rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID);
    return f->rule;
}

static void notations(void)
{
    static const char *const taken[] = {
        "#0 R1 barrier=[__, C0]\n#1 C1 barrier=[__, __]\n#2 C2 barrier=[__, __]\n"
        "#3 R2 barrier=[R1, C2]\n#4 R3 barrier=[__, __] # [R1, C2] implied\n"
        "#5 R4 barrier=[R3, __] # [R3, C2] implied\n",
        "# the published example\n\n#0  R1 barrier=[-,C0]\r\n#1  C1\n#2\tC2 [__,__]\n"
        "R2 [R1,C2]\nR3\n   R4 barrier=[ R3 , - ]",
        "#0  R1 barrier=[__, C0]\n#1  C1 barrier=[__, __]\n#2  C2 barrier=[__, __]\n"
        "#3  R2 barrier=[R1, C2]\n#4  R3 barrier=[__, __]      [R1, C2] implied\n"
        "#5  R4 barrier=[R3, __]      [R3, C2] implied \r\n",
    };
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    char text[512];
    gpucmd_text t;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        EQUAL(notation(taken[i], false, &job, &f), GPUCMD_AGX_RULE_NONE);
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_notation(&t, &job);
        TEXT(text, contents[7].notation);
    }
    EQUAL(notation("R1\nC1\nB2 [R1, C1]\nR3 [R2, -]\n", true, &job, &f), GPUCMD_AGX_RULE_NONE);
    EQUAL(job.commands[2].kind, GPUCMD_AGX_KIND_BLIT);
    EQUAL(job.commands[3].number, 3);
}

static void bad_notations(void)
{
    static const struct {
        const char *text;
        gpucmd_agx_rule rule;
        int command;
        unsigned off;
    } rows[] = {
        {"",                             GPUCMD_AGX_RULE_COMMAND_COUNT,   -1, 0 },
        {"# nothing\n",                  GPUCMD_AGX_RULE_COMMAND_COUNT,   -1, 0 },
        {"X1",                           GPUCMD_AGX_RULE_NOTATION,        0,  0 },
        {"B1",                           GPUCMD_AGX_RULE_NOTATION,        0,  0 },
        {"R",                            GPUCMD_AGX_RULE_NOTATION,        0,  1 },
        {"R2",                           GPUCMD_AGX_RULE_NOTATION_NUMBER, 0,  2 },
        {"R1\nR1",                       GPUCMD_AGX_RULE_NOTATION_NUMBER, 1,  5 },
        {"#1 R1",                        GPUCMD_AGX_RULE_NOTATION_NUMBER, 0,  2 },
        {"R99999",                       GPUCMD_AGX_RULE_NOTATION,        0,  5 },
        {"R1 barrier",                   GPUCMD_AGX_RULE_NOTATION,        0,  10},
        {"R1 barrier=",                  GPUCMD_AGX_RULE_NOTATION,        0,  11},
        {"R1 [R0",                       GPUCMD_AGX_RULE_NOTATION,        0,  6 },
        {"R1 [C0, R0]",                  GPUCMD_AGX_RULE_NOTATION,        0,  4 },
        {"R1 [_, C0]",                   GPUCMD_AGX_RULE_NOTATION,        0,  5 },
        {"R1 [__, C0] [x",               GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 [__, C0] x",                GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 [R1,__]",                   GPUCMD_AGX_RULE_VDM_BARRIER,     0,  0 },
        {"C1 [__,C1]",                   GPUCMD_AGX_RULE_CDM_BARRIER,     0,  0 },
        {"C1 [R1,__]\nR1",               GPUCMD_AGX_RULE_VDM_BARRIER,     0,  0 },
        {"R1\nC1 [__,__]\nR2 [R2,__]\n", GPUCMD_AGX_RULE_VDM_BARRIER,     2,  14},
        {"R1\nR2 [R1,C1]",               GPUCMD_AGX_RULE_CDM_BARRIER,     1,  3 },
        {"R1 [R65534,__]",               GPUCMD_AGX_RULE_VDM_BARRIER,     0,  0 },
        {"R1 [R65535,__]",               GPUCMD_AGX_RULE_NOTATION,        0,  9 },
        {"R1 [R0 C0]",                   GPUCMD_AGX_RULE_NOTATION,        0,  7 },
        {"R1 [R0, X]",                   GPUCMD_AGX_RULE_NOTATION,        0,  8 },
        {"R1 [R0, R0]",                  GPUCMD_AGX_RULE_NOTATION,        0,  8 },
        {"R1 [R0, C]",                   GPUCMD_AGX_RULE_NOTATION,        0,  9 },
        {"R1 [R, C0]",                   GPUCMD_AGX_RULE_NOTATION,        0,  5 },
        {"R1 [R0, C0",                   GPUCMD_AGX_RULE_NOTATION,        0,  10},
        {"R1 [_ _, C0]",                 GPUCMD_AGX_RULE_NOTATION,        0,  5 },
        {"R1 barrier [R0, C0]",          GPUCMD_AGX_RULE_NOTATION,        0,  10},
        {"R1 barier=[R0, C0]",           GPUCMD_AGX_RULE_NOTATION,        0,  6 },
        {"R1 [R0, C0] implied",          GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 [R0, C0] [implied x",       GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 [R0, C0] [mplied",          GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 [R0, C0] [xmplied",         GPUCMD_AGX_RULE_NOTATION,        0,  12},
        {"R1 x",                         GPUCMD_AGX_RULE_NOTATION,        0,  3 },
        {"#0",                           GPUCMD_AGX_RULE_NOTATION,        0,  2 },
        {"#0x R1",                       GPUCMD_AGX_RULE_NOTATION,        0,  2 },
        {"#99999 R1",                    GPUCMD_AGX_RULE_NOTATION_NUMBER, 0,  5 },
        {"R:",                           GPUCMD_AGX_RULE_NOTATION,        0,  1 },
        {"R/",                           GPUCMD_AGX_RULE_NOTATION,        0,  1 },
        {"R0",                           GPUCMD_AGX_RULE_NOTATION_NUMBER, 0,  2 },
        {"C1\nC1",                       GPUCMD_AGX_RULE_NOTATION_NUMBER, 1,  5 },
        {"R1\nC2",                       GPUCMD_AGX_RULE_NOTATION_NUMBER, 1,  5 },
    };
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    char many[1024] = "";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gpucmd_agx_rule rule = notation(rows[i].text, false, &job, &f);
        if (!EQUAL(rule, rows[i].rule) || !EQUAL(f.command, rows[i].command) ||
            !EQUAL(f.at_bytes, rows[i].off)) {
            printf("    %s: %s\n", rows[i].text, gpucmd_agx_rule_name(rule));
        }
    }
    for (unsigned i = 1; i <= 65; i++) {
        sprintf(many + strlen(many), i == 4 ? "C%u [-,C60]\n" : "C%u\n", i);
    }
    EQUAL(notation(many, false, &job, &f), GPUCMD_AGX_RULE_COMMAND_COUNT); /* count first */
    EQUAL(f.command, -1);
    EQUAL(f.at_bytes, 8 * 3 + 11 + 55 * 4);
    *strstr(many, "C65") = '\0';
    EQUAL(notation(many, false, &job, &f), GPUCMD_AGX_RULE_CDM_BARRIER);
    EQUAL(f.command, 3);
}

/* The text ends with its length, whatever the bytes after it are. */
static void notation_ends(void)
{
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    EQUAL(gpucmd_agx_parse_notation("R1 \t\r ", 2, false, &job, &f), GPUCMD_OK);
    EQUAL(gpucmd_agx_parse_notation("R12", 2, false, &job, &f), GPUCMD_OK);
    EQUAL(gpucmd_agx_parse_notation("R1[R1,C1]", 2, false, &job, &f), GPUCMD_OK);
    EQUAL(gpucmd_agx_parse_notation("R1\nC1", 3, false, &job, &f), GPUCMD_OK);
    EQUAL(job.count, 1);
    EQUAL(gpucmd_agx_parse_notation("C1 # R1\n#\n#5 comment\n", 9, false, &job, &f), GPUCMD_OK);
    EQUAL(job.count, 1);
    EQUAL(job.computes, 1);
    EQUAL(gpucmd_agx_parse_notation("R1[-,-]\nC1[R1,-] [implied\nC2", 28, false, &job, &f),
          GPUCMD_OK);
    EQUAL(job.count, 3);
    EQUAL(job.renders, 1);
    EQUAL(job.computes, 2);
    EQUAL(job.commands[0].off_bytes, 0);
    EQUAL(job.commands[1].off_bytes, 8);
    EQUAL(job.commands[2].off_bytes, 26);
    EQUAL(job.commands[0].render_barrier, NONE);
    EQUAL(job.commands[1].render_barrier, 1);
    EQUAL(job.commands[1].compute_barrier, NONE);
    EQUAL(job.commands[2].position, 2);
    EQUAL(f.command, -1);
    EQUAL(f.at_bytes, 0);
    EQUAL(f.other, -1);
    EQUAL(f.barrier_at, 0);
}

static void job_add(void)
{
    gpucmd_agx_job job;
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, 1, NONE), GPUCMD_ORDER);
    EQUAL(job.count, 0);
    for (int i = 0; i < 64; i++) {
        EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, (uint32_t)i, 0), GPUCMD_OK);
    }
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, NONE, NONE), GPUCMD_LIMIT);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_RENDER, 65, NONE), GPUCMD_ORDER);
    EQUAL(job.count, 64);
}

/* ---- checker ---- */

static char check_text[1024];

static size_t check_off; /* of the last finding */
static size_t check_lines, check_errors;
static char check_last[128]; /* what the last finding says */

static gpucmd_status check_found(void *user, const gpucmd_agx_finding *f)
{
    (void)user;
    check_off = f->at_bytes;
    sprintf(check_text + strlen(check_text), "%s %d %d%.1s\n", gpucmd_agx_rule_name(f->rule),
            (int)f->command, (int)f->other, f->barrier_at != '\0' ? &f->barrier_at : "");
    EQUAL(f->severity, gpucmd_agx_rule_severity(f->rule));
    TEXT(f->name, gpucmd_agx_rule_name(f->rule));
    TEXT(f->text, gpucmd_agx_rule_text(f->rule));
    gpucmd_text last;
    gpucmd_text_init(&last, check_last, sizeof check_last);
    gpucmd_agx_print_detail(&last, f);
    check_lines++;
    check_errors += f->severity == GPUCMD_SEVERITY_ERROR;
    return GPUCMD_OK;
}

static void check_job(const char *text, uint32_t prior, const gpucmd_agx_access *accesses,
                      uint32_t count, const char *want)
{
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    size_t errors = 99;
    EQUAL(notation(text, true, &job, &f), GPUCMD_AGX_RULE_NONE);
    const gpucmd_agx_check_options options = {
        check_found, NULL, prior, count, accesses, GPUCMD_AGX_OVER_ORDER_EACH,
        NULL,        NULL, 0,     NULL,  NULL};
    check_text[0] = '\0';
    check_errors = 0;
    EQUAL(gpucmd_agx_check(&job, &options, &errors), GPUCMD_OK);
    EQUAL(errors, check_errors);
    TEXT(check_text, want);
}

static void checker(void)
{
    static const gpucmd_agx_access chain[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 0x4000},
        {1, GPUCMD_AGX_RING_COMPUTE,  false, 0x13fff, 1     },
    };
    static const gpucmd_agx_access apart[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 0x4000},
        {1, GPUCMD_AGX_RING_COMPUTE,  false, 0x14000, 1     },
    };
    static const gpucmd_agx_access empty[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 0x4000},
        {1, GPUCMD_AGX_RING_COMPUTE,  false, 0x12000, 0     },
    };
    static const gpucmd_agx_access reads[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, false, 0x10000, 0x4000},
        {1, GPUCMD_AGX_RING_COMPUTE,  false, 0x10000, 0x4000},
    };
    /* fragment k writes, fragment k + 1 reads: ring order is enough; its vertex half: not */
    static const gpucmd_agx_access frag[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 16},
        {1, GPUCMD_AGX_RING_FRAGMENT, false, 0x10000, 16},
    };
    static const gpucmd_agx_access vert[2] = {
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 16},
        {1, GPUCMD_AGX_RING_VERTEX,   false, 0x10000, 16},
    };
    static const gpucmd_agx_access reader_first[2] = {
        {1, GPUCMD_AGX_RING_VERTEX,   false, 0x10000, 16},
        {0, GPUCMD_AGX_RING_FRAGMENT, true,  0x10000, 16},
    };
    /* a command that writes twice; an access of a command that the job does not have */
    static const gpucmd_agx_access both[3] = {
        {0, GPUCMD_AGX_RING_COMPUTE, true, 0x10000, 16},
        {1, GPUCMD_AGX_RING_VERTEX,  true, 0x10008, 16},
        {2, GPUCMD_AGX_RING_COMPUTE, true, 0x10010, 16},
    };
    static const gpucmd_agx_access before[2] = {
        {0, GPUCMD_AGX_RING_COMPUTE, true,  0x10010, 16},
        {1, GPUCMD_AGX_RING_VERTEX,  false, 0x10000, 16},
    };
    static const gpucmd_agx_access overlaps[2] = {
        {0, GPUCMD_AGX_RING_COMPUTE, false, 0x10010, 16},
        {1, GPUCMD_AGX_RING_VERTEX,  true,  0x10000, 17},
    };
    static const gpucmd_agx_access nothing[2] = {
        {0, GPUCMD_AGX_RING_COMPUTE, true, 0x10000, 0 },
        {1, GPUCMD_AGX_RING_VERTEX,  true, 0x10000, 16},
    };
    check_job("C1\nR1", 0, both, 3, "CHECK_MISSING 1 0C\n");
    check_job("C1\nR1 [-, C1]", 0, both, 3, "");
    check_job("C1\nR1\nC2", 0, both, 3, "CHECK_MISSING 1 0C\nCHECK_MISSING 2 1R\n");
    check_job("C1\nR1\nC2", 0, both, 2, "CHECK_MISSING 1 0C\n"); /* two of the three */
    check_job("C1\nR1 [-, C1]", 0, before, 2, "CHECK_ACCIDENT 1 -1C\n");
    check_job("C1\nR1", 0, before, 2, "");
    check_job("C1\nR1", 0, overlaps, 2, "CHECK_MISSING 1 0C\n");
    check_job("C1\nR1", 0, nothing, 2, "");
    check_job("R1 [R0, C0]", 3, NULL, 0, "CHECK_ALONE 0 -1\n");
    check_job("R1 [R0, C0]", 0, NULL, 0,
              "CHECK_ALONE 0 -1\nCHECK_NO_PRIOR 0 -1R\nCHECK_NO_PRIOR 0 -1C\n");
    check_job("R1 [R0, -]\nC1", 1, NULL, 0, "");
    check_job("R1 [R0, -]\nC1", 2, NULL, 0, "CHECK_NO_PRIOR 0 -1R\n");
    check_job("R1 [R0, C0]\nC1", 1, NULL, 0, "CHECK_NO_PRIOR 0 -1C\n");
    check_job("C1 [-, C0]", 2, NULL, 0, "CHECK_OWN_COMPUTE 0 -1C\n"); /* one barrier: not ALONE */
    check_job("R1 [R0, -]", 1, NULL, 0, "");
    check_job("C1\nC2 [-, C1]", 0, NULL, 0, "CHECK_OWN_COMPUTE 1 -1C\n");
    check_job("C1\nC2\nC3 [-, C1]", 0, NULL, 0, "CHECK_IMPLIED 2 -1C\n");
    check_job("R1\nC1 [R1, -]\nR2 [R1, C1]", 0, NULL, 0, "CHECK_IMPLIED 2 -1R\n");
    check_job("R1\nC1 [R1, -]", 0, chain, 2, "");
    check_job("R1\nC1 [R1, -]\nC2 [R1, -]", 0, chain, 2,
              "CHECK_IMPLIED 2 -1R\n"); /* reported once */
    check_job("R1\nC1", 0, empty, 2, "");
    check_job("R1\nB2 [R1, -]", 0, NULL, 0, "CHECK_BLIT 1 -1\nCHECK_IMPLIED 1 -1R\n");
    check_job("R1\nC1", 0, chain, 2, "CHECK_MISSING 1 0R\n");
    check_job("R1\nC1", 0, apart, 2, "");
    check_job("R1\nC1", 0, reads, 2, "");
    check_job("R1\nC1 [R1, -]", 0, apart, 2, "CHECK_ACCIDENT 1 -1R\n");
    check_job("R1 [R0, C0]\nC1 [R1, -]", 3, chain, 2,
              ""); /* earlier jobs' accesses are not known */
    check_job("R1\nR2", 0, frag, 2, "");
    check_job("R1\nR2", 0, vert, 2, "CHECK_MISSING 1 0R\n");
    check_job("R1\nR2", 0, reader_first, 2, "CHECK_MISSING 1 0R\n");
    check_job("R1\nR2 [R1, -]", 0, vert, 2, "");
    check_job("R1\nR2 [R1, -]", 0, frag, 2, "CHECK_ACCIDENT 1 -1R\n");
}

/* Over-ordering is off by default, and can be summarised: one finding for each rule. A missing
 * barrier is named. */
static void over_order(void)
{
    static const gpucmd_agx_access race[2] = {
        {2, GPUCMD_AGX_RING_COMPUTE, true,  0x10000, 16},
        {3, GPUCMD_AGX_RING_VERTEX,  false, 0x10000, 16},
    };
    /* as Mesa orders: each command waits for all commands before it */
    const char *text = "C1 [R0, C0]\nC2 [R0, C1]\nC3 [R0, C2]\nR1 [R0, C3]\nR2 [R1, C3]";
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    gpucmd_agx_check_options options;
    memset(&options, 0, sizeof options);
    options.found = check_found;
    options.prior = GPUCMD_AGX_PRIOR_BOTH;
    EQUAL(notation(text, true, &job, &f), GPUCMD_AGX_RULE_NONE);
    check_text[0] = '\0';
    EQUAL(gpucmd_agx_check(&job, &options, NULL), GPUCMD_OK);
    TEXT(check_text, "");
    options.over_order = GPUCMD_AGX_OVER_ORDER_SUMMARY;
    EQUAL(gpucmd_agx_check(&job, &options, NULL), GPUCMD_OK);
    TEXT(check_text, "CHECK_IMPLIED 1 -1R\nCHECK_OWN_COMPUTE 0 -1C\n");
    TEXT(check_last, "3 computes wait for the compute before them, first here");
    options.over_order = GPUCMD_AGX_OVER_ORDER_OFF;
    options.accesses = race;
    options.access_count = 2;
    EQUAL(notation("R1\nC1\nC2\nR2 [R1, C1]", true, &job, &f), GPUCMD_AGX_RULE_NONE);
    check_text[0] = '\0';
    EQUAL(gpucmd_agx_check(&job, &options, NULL), GPUCMD_OK);
    TEXT(check_text, "CHECK_MISSING 3 2C\n");
    TEXT(check_last, "accesses overlap without an order; cdm_barrier 2 would order them");
    EQUAL(notation("R1\nC1\nC2\nR2 [R1, C2]", true, &job, &f), GPUCMD_AGX_RULE_NONE);
    check_text[0] = '\0';
    EQUAL(gpucmd_agx_check(&job, &options, NULL), GPUCMD_OK);
    TEXT(check_text, "");
}

static void stream_check(size_t len_bytes, size_t want_errors, const char *want)
{
    const gpucmd_agx_check_options options = {
        check_found, NULL, 0, 0, NULL, GPUCMD_AGX_OVER_ORDER_EACH, NULL, NULL, 0, NULL, NULL};
    size_t errors = 99;
    check_text[0] = '\0';
    EQUAL(gpucmd_agx_check_stream(stream, len_bytes, &options, &errors), GPUCMD_OK);
    EQUAL(errors, want_errors);
    TEXT(check_text, want);
}

/* The kernel accepts timestamps at any offset; the checker reports offsets that are not multiples
 * of 8. */
static void stream_checker(void)
{
    uint8_t *p;
    put_c(NONE, NONE);
    p = put_r(NONE, NONE, 240);
    p[208] = 1;
    p[212] = 8; /* a multiple */
    p[216] = 1;
    p[220] = 10;
    p[228] = 3; /* no handle: not a timestamp */
    p[232] = 1;
    p[236] = 4;
    p = put(1, 64, NONE, NONE);
    p[56] = 1;
    p[60] = 20;
    stream_check(stream_bytes, 0,
                 "CHECK_STAMP_ALIGN 1 -1\nCHECK_STAMP_ALIGN 1 -1\nCHECK_STAMP_ALIGN 2 -1\n");
    EQUAL(check_off, 32 + 248);
    /* a command that is cut off, or begins after the end, is an error, and its offsets are not
     * checked */
    stream_check(stream_bytes - 1, 1,
                 "PAYLOAD_TRUNCATED 2 -1\nCHECK_STAMP_ALIGN 1 -1\nCHECK_STAMP_ALIGN 1 -1\n");
    EQUAL(check_off, 32);
    stream_check(32 + 248, 0, "CHECK_STAMP_ALIGN 1 -1\nCHECK_STAMP_ALIGN 1 -1\n");
    stream_check(32 + 247, 1, "PAYLOAD_TRUNCATED 1 -1\n");
    stream_check(32 + 7, 1, "HEADER_TRUNCATED 1 -1\n");
    TAKEN();
}

/* A payload that is cut off after any byte is extended with zeros. */
static void cut_payloads(void)
{
    static uint8_t payload[sizeof(struct gpucmd_drm_asahi_cmd_render)];
    uint8_t back[sizeof payload];
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = (uint8_t)(1 + i % 255);
    }
    for (unsigned kind = 0; kind < 2; kind++) {
        const size_t full = kind != 0 ? sizeof c : sizeof r;
        for (size_t have = 0; have <= full; have++) {
            gpucmd_agx_raw raw;
            unsigned bad = 0;
            memset(&raw, 0, sizeof raw);
            raw.payload = have != 0 ? payload : NULL;
            raw.payload_bytes = (uint32_t)full;
            raw.avail_bytes = (uint32_t)have;
            memset(&r, 0xee, sizeof r);
            memset(&c, 0xee, sizeof c);
            if (kind != 0) {
                gpucmd_agx_load_compute(&raw, &c);
                agx_convert(GPUCMD_STRUCT_drm_asahi_cmd_compute, back, &c);
            } else {
                gpucmd_agx_load_render(&raw, &r);
                agx_convert(GPUCMD_STRUCT_drm_asahi_cmd_render, back, &r);
            }
            for (size_t i = 0; i < full; i++) {
                bad += back[i] != (i < have ? payload[i] : 0);
            }
            EQUAL(bad, 0);
        }
    }
}

int main(void)
{
    cut_payloads();
    known_streams();
    every_field();
    pass_one();
    barriers();
    renders();
    computes();
    attachments();
    prefixes();
    printer();
    payloads();
    command_sizes();
    notations();
    bad_notations();
    notation_ends();
    job_add();
    checker();
    over_order();
    stream_checker();
    return test_report("agx_decode");
}

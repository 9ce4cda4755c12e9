/* Ponte Vecchio (gen12.6), Nova Lake P and Crescent Island (gen35): words that xe of Linux 7.3
 * writes there [XEK], and fields of the compute runtime [CR]; engines; addresses of 57 bits. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n) GPUCMD_I915_GEN##n
#define F(f) GPUCMD_I915_BITS(f)

/* ---- generations and engines ---- */

static void engines(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t engines;
    } have[] = {
        {G(12_5), 31}, /* RCS, VCS, BCS, VECS, CCS */
        {G(12_6), 22}, /* VCS, BCS, CCS: [K] i915 of 6.1 */
        {G(35),   63},
    };
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        uint32_t instance, base; /* 0: none */
    } bases[] = {
        {G(12_6), GPUCMD_I915_BCS,  1, 0x3e0000},
        {G(12_6), GPUCMD_I915_BCS,  8, 0x3ee000},
        {G(12_6), GPUCMD_I915_CCS,  3, 0x026000},
        {G(12_6), GPUCMD_I915_VCS,  0, 0x1c0000},
        {G(12_6), GPUCMD_I915_VCS,  1, 0       },
        {G(12_6), GPUCMD_I915_RCS,  0, 0       },
        {G(30),   GPUCMD_I915_BCS,  7, 0       },
        {G(30),   GPUCMD_I915_BCS,  8, 0x3ee000},
        {G(35),   GPUCMD_I915_BCS,  7, 0x3ec000},
        {G(35),   GPUCMD_I915_RCS,  0, 0x002000},
        {G(35),   GPUCMD_I915_VECS, 3, 0x1f8000},
        {G(35),   GPUCMD_I915_GSC,  0, 0x11a000},
    };
    gpucmd_i915_gen gen = G(2);
    EQUAL(gpucmd_i915_gen_from_name("12.6", &gen), GPUCMD_OK);
    EQUAL(gen, 126);
    EQUAL(gpucmd_i915_gen_from_name("35", &gen), GPUCMD_OK);
    EQUAL(gen, 350);
    CHECK(strcmp(gpucmd_i915_gen_name(G(35)), "35") == 0);
    for (size_t i = 0; i < sizeof have / sizeof have[0]; i++) {
        for (uint32_t engine = 1; engine < 64; engine *= 2) {
            gpucmd_i915_cmdset c;
            EQUAL(gpucmd_i915_cmdset_init(&c, have[i].gen, (gpucmd_i915_engine)engine),
                  (have[i].engines & engine) != 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        }
    }
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        uint32_t base = 0;
        EQUAL(gpucmd_i915_engine_base(bases[i].gen, bases[i].engine, bases[i].instance, &base),
              bases[i].base != 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(base, bases[i].base);
    }
}

/* ---- words: read ---- */

#define W(gen, engine, text, ...)                                                                  \
    {G(gen), GPUCMD_I915_##engine, text, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,              \
     (const uint32_t[]){__VA_ARGS__}},
/* clang-format off */
static const struct {
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    const char *text; /* in the printed line */
    size_t len_dw;
    const uint32_t *words;
} good[] = {
    /* emit_clear_link_copy on PVC: MOCS is bits 6:0 there */
    W(12_6, BCS, "MEM_SET TYPE=1",
      0x56c20005, 0x00000fff, 0x00000228, 0x00000fff, 0xeba93000, 0x0000683e, 0x00000002)
    W(12_6, BCS, "MOCS=2", 0x56c20005, 0xfff, 0x228, 0xfff, 0xeba93000, 0x683e, 0x00000002)
    W(35, BCS, "MEM_SET TYPE=1",
      0x56c20005, 0x00000fff, 0x00000228, 0x00000fff, 0xeba93000, 0x0100683e, 0x00000018)
    W(12_6, BCS, "SRC_MOCS=3", 0x56820008, 0xfff, 0, 0xfff, 0xfff, 0, 0, 0, 0x01000000, 0x06000003)
    W(12_6, BCS, "SRC_TILE4",
      0x50800008, 0xc3001000, 0, 0x00040400, 0x2000, 0x00d30000, 0, 0x1000, 0x8000, 0)
    /* the compute runtime at the start of a batch of copies, PVC */
    W(12_6, BCS, "STATE_SYSTEM_MEM_FENCE_ADDRESS", 0x61090001, 0x55120000, 0x0000eaab)
    /* emit_render_cache_flush and emit_pipe_imm_ggtt of a multi-queue, CRI */
    W(35, CCS, "QUEUE_DRAIN_MODE", 0x7a001a04, 0x000000a0, 0, 0, 0, 0)
    W(35, CCS, "QUEUE_DRAIN_MODE", 0x7a001004, 0x01004000, 0x00012340, 0, 0x2a, 0)
    W(35, RCS, "NO_WALKER_SYNC", 0x7a008004, 0x00100000, 0, 0, 0, 0)
    W(35, RCS, "POST_SYNC_DWORD", 0x7a000004, 0x00110000, 0x00012344, 0, 0x2a, 0)
    W(35, BCS, "NO_QUEUE_SWITCH", 0x02800202)
    W(35, BCS, "MI_SEMAPHORE_WAIT", 0x0e40c003, 0xdead, 0x00012000, 0, 0)
    W(35, BCS, "QUEUE_SWITCH", 0x0e00c803, 1, 0x00012000, 0x01000000, 0)
    W(35, BCS, "MI_SEMAPHORE_WAIT_64 INTERRUPT=1 NO_SWITCH=1 COMPARE=4\n",
      0x1d90c005, 7, 1, 0x00012000, 0x01000000, 0, 0)
    W(35, RCS, "ADDRESS=0x2600 rcs0.CS_GPR0",
      0x1d890005, 7, 0, 0x00002600, 0, 0, 0)
    W(35, CCS, "TOKEN_HIGH=0x6", 0x1d80c705, 7, 1, 0x00012000, 0, 5, 6)
    W(12_6, CCS, "MI_MEM_FENCE TYPE=1", 0x04800001)
    W(35, CCS, "MI_MEM_FENCE TYPE=3", 0x04800003)
    W(12_6, BCS, "TOKEN=", 0x0e00c003, 1, 0x00012000, 0, 0x000003fc)
    W(35, CCS, "QUEUE_TIMESTAMP", 0x12480002, 0x000004c0, 0x00012340, 0)
    /* names of gfxpipe and gfx_state headers of xe; lengths of gen35 have no source */
    W(35, RCS, "3DSTATE_CUSTOM_SAMPLE_PATTERN", 0x78020000, 0)
    W(35, RCS, "3DSTATE_MESH_SHADER_DATA_EXT", 0x788a0001, 0, 0)
    W(35, RCS, "3DSTATE_TASK_SHADER_DATA_EXT", 0x788b0001, 0, 0)
    W(35, RCS, "3DSTATE_VIEWPORT_STATE_POINTERS_CC_2", 0x788d0001, 0, 0)
    W(35, RCS, "3DSTATE_CC_STATE_POINTERS_2", 0x788e0001, 0, 0)
    W(35, RCS, "3DSTATE_SCISSOR_STATE_POINTERS_2", 0x788f0001, 0, 0)
    W(35, RCS, "3DSTATE_BLEND_STATE_POINTERS_2", 0x78a00001, 0, 0)
    W(35, RCS, "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP_2", 0x78a10001, 0, 0)
    W(35, RCS, "3DSTATE_URB_MEMORY", 0x79010001, 0, 0)
    W(35, RCS, "3DSTATE_SLICE_TABLE_STATE_POINTER_2", 0x79a00001, 0, 0)
    W(35, RCS, "PIPELINE_SELECT", 0x69040300)
    /* other words of Linux 7.3: i915's PXP, emit_clear_main_copy of xe on TGL */
    W(12, VCS, "MI_FLUSH_DW", 0x13604001, 0x00000184, 0)
    W(12, BCS, "MOCS=106", 0x51100009, 0x0d400fff, 0, 0x05bf0400, 0xf7934000, 0x00001a79, 0x80000000,
      0, 0, 0, 0)
    W(3, RCS, "DRAWRECT_INFO", 0x7d800003, 0, 0, 0, 0)
    W(3, RCS, "RASTER_RULES", 0x6700a770)
    W(9, RCS, "MEDIA_POOL_STATE", 0x70050004, 0, 0, 0, 0, 0)
    W(8, RCS, "3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC", 0x791b0002, 0, 0, 0)
    W(12, VCS, "VDBOX_CGCTL3F10", 0x11000001, 0x001c3f10, 0x00400000)
};
/* clang-format on */

static gpucmd_status note(void *user, const gpucmd_i915_finding *f)
{
    *(const char **)user = f->name;
    return GPUCMD_OK;
}

static size_t errors; /* findings of the last check with this severity */

/* Check the words, which end a batch. Return the name of the last finding, NULL: none. */
static const char *found(gpucmd_i915_gen gen, gpucmd_i915_engine engine, const uint32_t *words,
                         size_t len_dw)
{
    uint32_t batch[32];
    const char *name = NULL;
    gpucmd_i915_cmdset c;
    gpucmd_i915_check_options options;
    memset(&options, 0, sizeof options);
    options.found = note;
    options.user = &name;
    options.secure = true;
    memcpy(batch, words, len_dw * 4);
    batch[len_dw] = 0x05000000;
    batch[len_dw + 1] = 0;
    EQUAL(gpucmd_i915_cmdset_init(&c, gen, engine), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&c, batch, len_dw + 1 + (len_dw + 1) % 2, &options, &errors),
          GPUCMD_OK);
    return name;
}

static void reads(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[1024];
        gpucmd_text t;
        gpucmd_i915_cmdset c;
        gpucmd_i915_cmd cmd;
        EQUAL(gpucmd_i915_cmdset_init(&c, good[i].gen, good[i].engine), GPUCMD_OK);
        gpucmd_i915_decode(&c, good[i].words, good[i].len_dw, &cmd);
        EQUAL(cmd.len_dw, good[i].len_dw);
        EQUAL(cmd.stray, 0);
        gpucmd_text_init(&t, text, sizeof text);
        EQUAL(gpucmd_i915_print(&t, &c, good[i].words, good[i].len_dw, 0), good[i].len_dw);
        const char *name = found(good[i].gen, good[i].engine, good[i].words, good[i].len_dw);
        EQUAL(errors, 0);
        if (!CHECK(strstr(text, good[i].text) != NULL) ||
            !CHECK(name == NULL || strcmp(name, "NO_DATA") == 0)) { /* a warning: PXP */
            printf("    %s, %s, in: %s\n", good[i].text, name, text);
        }
    }
}

/* What other generations lack, or gen35 without a source. */
static void lacks(void)
{
    static const uint32_t drain[] = {0x7a001a04, 0x000000a0, 0, 0, 0, 0};
    static const uint32_t set[] = {0x56c20005, 0xfff, 0x228, 0xfff, 0xeba93000, 0x683e, 2};
    static const uint32_t wait[] = {0x0e00c003, 1, 0x00012000, 0, 0, 0, 0};
    static const uint32_t wait_7[] = {0x0e00c005, 1, 0x00012000, 0, 0, 0, 0};
    static const uint32_t wait_4[] = {0x0e00c002, 1, 0x00012000, 0};
    static const uint32_t wait_64[] = {0x1d80c005, 7, 1, 0x00012000, 0, 0, 0};
    static const uint32_t fence[] = {0x04800001}, write_fence[] = {0x04800003};
    CHECK(found(G(30), GPUCMD_I915_CCS, drain, 6) != NULL);
    CHECK(found(G(12_7), GPUCMD_I915_BCS, set, 7) != NULL);
    CHECK(found(G(20), GPUCMD_I915_BCS, set, 7) != NULL); /* reserved bits */
    /* two words that NEO adds are MI_NOOP: its length field has 3, not 5 */
    CHECK(found(G(35), GPUCMD_I915_BCS, wait, 7) == NULL);
    CHECK(strcmp(found(G(35), GPUCMD_I915_BCS, wait_7, 7), "LENGTH") == 0);
    CHECK(strcmp(found(G(30), GPUCMD_I915_BCS, wait_7, 7), "LENGTH") == 0);
    CHECK(strcmp(found(G(35), GPUCMD_I915_BCS, wait_4, 4), "LENGTH") == 0);
    CHECK(found(G(30), GPUCMD_I915_BCS, wait_4, 4) == NULL);
    CHECK(strcmp(found(G(30), GPUCMD_I915_BCS, wait_64, 7), "GENERATION") == 0);
    CHECK(strcmp(found(G(12_5), GPUCMD_I915_BCS, fence, 1), "GENERATION") == 0);
    CHECK(strcmp(found(G(12_7), GPUCMD_I915_BCS, fence, 1), "GENERATION") == 0);
    CHECK(strcmp(found(G(12_6), GPUCMD_I915_BCS, write_fence, 1), "RESERVED") == 0);
    CHECK(found(G(20), GPUCMD_I915_BCS, write_fence, 1) == NULL);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_semaphore_wait(&w, G(35), 0, 1, 0x12000));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_semaphore_wait_64(&w, G(30), 0, 1, 0x12000, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_semaphore_wait_64(&w, G(35), 0, 1, 0x12002, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_semaphore_wait_64(&w, G(35), 1, 1, 0x12000, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_mem_fence(&w, G(12_6), 3));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_i915_emit_mi_store_data_index(&w, G(35), 0, 0x100, 1)); /* no source */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_pipe_control(&w, G(30), F(PIPE_CONTROL_QUEUE_DRAIN_MODE),
                                                      0x000000a0, 0, 0));
}

/* ---- words: written ---- */

static void writes(void)
{
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    b.flags = GPUCMD_I915_PUT(MEM_SET_TYPE, 1);
    b.surface[0] = 0xfff;
    b.surface[1] = 0x228;
    b.surface[2] = 0xfff;
    b.surface[3] = 2;
    b.dst_va = 0x683eeba93000;
    EMITS(WORDS(0x56c20005, 0xfff, 0x228, 0xfff, 0xeba93000, 0x683e, 2),
          gpucmd_i915_emit_blt(&w, G(12_6), GPUCMD_I915_OP_MEM_SET, &b));
    b.dst_va = 0x01d3683eeba93000; /* canonical: bits 63:57 repeat bit 56 */
    EMITS(WORDS(0x56c20005, 0xfff, 0x228, 0xfff, 0xeba93000, 0xffd3683e, 2),
          gpucmd_i915_emit_blt(&w, G(12_6), GPUCMD_I915_OP_MEM_SET, &b));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_MEM_SET, &b));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_blt(&w, G(12_7), GPUCMD_I915_OP_MEM_SET, &b));
    EMITS(WORDS(0x7a001a04, 0x000000a0, 0, 0, 0, 0),
          gpucmd_i915_emit_pipe_control(&w, G(35),
                                        F(PIPE_CONTROL_QUEUE_DRAIN_MODE) |
                                            F(PIPE_CONTROL_HDC_FLUSH) | F(PIPE_CONTROL_UDP_FLUSH),
                                        F(PIPE_CONTROL_FLUSH_ENABLE) | F(PIPE_CONTROL_DC_FLUSH), 0,
                                        0));
}

/* Commands of gen35 [CR] and of gen12.6. */
static void emits(void)
{
    EMITS(WORDS(0x1d90c005, 0x55667788, 0x11223344, 0x00012340, 0x00000056, 5, 6),
          gpucmd_i915_emit_mi_semaphore_wait_64(
              &w, G(35),
              F(MI_SEMAPHORE_WAIT_64_INTERRUPT) | F(MI_SEMAPHORE_WAIT_64_NO_SWITCH) |
                  GPUCMD_I915_PUT(MI_SEMAPHORE_WAIT_64_COMPARE, GPUCMD_I915_COMPARE_EQ),
              0x1122334455667788, 0x5600012340, 0x600000005));
    EQUAL(GPUCMD_I915_MI_SEMAPHORE_WAIT_64(0), 0x1d800005);
    EMITS(WORDS(0x04800001), gpucmd_i915_emit_mi_mem_fence(&w, G(12_6), 1));
    EMITS(WORDS(0x0e00c003, 1, 0x00012000, 0, 0),
          gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(35), 0xc000, 1, 0x12000, 0));
}

/* Numbers of words on gen35 that a source has [CR], and some that none has. */
static void lengths(void)
{
    static const struct {
        uint32_t word; /* without a length */
        uint32_t dw;   /* 0: any */
        gpucmd_i915_engine engine;
    } rows[] = {
        {0x60030000, 4,  GPUCMD_I915_RCS}, /* STATE_PREFETCH */
        {0x61010000, 22, GPUCMD_I915_RCS}, /* STATE_BASE_ADDRESS */
        {0x61020000, 3,  GPUCMD_I915_CCS}, /* STATE_SIP */
        {0x61050000, 3,  GPUCMD_I915_CCS}, /* STATE_COMPUTE_MODE */
        {0x61060000, 6,  GPUCMD_I915_RCS}, /* 3DSTATE_BTD */
        {0x61090000, 3,  GPUCMD_I915_RCS}, /* STATE_SYSTEM_MEM_FENCE_ADDRESS */
        {0x610b0000, 3,  GPUCMD_I915_RCS}, /* STATE_CONTEXT_DATA_BASE_ADDRESS */
        {0x72200000, 64, GPUCMD_I915_CCS}, /* COMPUTE_WALKER_2 */
        {0xac000000, 5,  GPUCMD_I915_RCS}, /* RESOURCE_BARRIER */
        {0x78050000, 0,  GPUCMD_I915_RCS}, /* 3DSTATE_DEPTH_BUFFER */
        {0x78200000, 0,  GPUCMD_I915_RCS}, /* 3DSTATE_PS */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset c;
        EQUAL(gpucmd_i915_cmdset_init(&c, G(35), rows[i].engine), GPUCMD_OK);
        for (uint32_t n = 2; n < 68; n++) {
            uint32_t words[70] = {0};
            gpucmd_i915_check_options options;
            size_t found_errors = 0;
            words[0] = rows[i].word + n - 2;
            words[n] = 0x05000000;
            memset(&options, 0, sizeof options);
            options.secure = true;
            EQUAL(gpucmd_i915_check(&c, words, n + 1 + (n + 1) % 2, &options, &found_errors),
                  GPUCMD_OK);
            if (!EQUAL(found_errors != 0, rows[i].dw != 0 && n != rows[i].dw)) {
                printf("    %08x\n", (unsigned)words[0]);
            }
        }
    }
}

/* Bits 63:48 of addresses. */
static void addresses(void)
{
    static const uint32_t near[] = {0x10000002, 0x7ef9dd20, 0x0000d300, 7};
    static const uint32_t middle[] = {0x10000002, 0x7ef9dd20, 0x0012d300, 7};
    static const uint32_t far[] = {0x10000002, 0x00001000, 0x02000000, 7};
    EMITS(WORDS(0x18800101, 0x7ef9dd20, 0xffffd300),
          gpucmd_i915_emit_mi_batch_buffer_start(&w, G(12), 0x100, 0xd3007ef9dd20));
    EMITS(WORDS(0x18800101, 0x7ef9dd20, 0x0000d300), /* as Linux in its ring */
          gpucmd_i915_emit_mi_batch_buffer_start(&w, G(12), 0x100, 0xd3007ef9dd20);
          gpucmd_i915_patch_va(&w, 1, 0xd3007ef9dd20));
    EMITS(WORDS(0x18800101, 0x7ef9dd20, 0x0000d300),
          gpucmd_i915_emit_mi_batch_buffer_start(&w, G(12_6), 0x100, 0xd3007ef9dd20));
    test_begin(0, 3);
    gpucmd_i915_emit_mi_batch_buffer_start(&w, G(12), 0x100, 0xd3007ef9dd20);
    gpucmd_i915_patch_va(&w, 2, 0); /* only the low word lies in the stream */
    EQUAL(w.status, GPUCMD_RANGE);
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm(&w, G(12), 0, 0x01000000001000, 7));
    EMITS(WORDS(0x10000002, 0x00001000, 0x00010000, 7),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(12_6), 0, 0x01000000001000, 7));
    EMITS(WORDS(0x10000002, 0x00001000, 0xff000000, 7),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(35), 0, 0x0100000000001000, 7));
    EMITS(WORDS(0x10000002, 0x00001000, 0xffff8000, 7),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(35), 0, 0xffff800000001000, 7));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm(&w, G(35), 0, 0x0200000000001000, 7));
    CHECK(found(G(12), GPUCMD_I915_RCS, near, 4) == NULL);
    CHECK(strcmp(found(G(12), GPUCMD_I915_RCS, middle, 4), "CANONICAL") == 0);
    CHECK(found(G(12_6), GPUCMD_I915_BCS, middle, 4) == NULL);
    CHECK(strcmp(found(G(35), GPUCMD_I915_BCS, far, 4), "CANONICAL") == 0);
}

/* ---- recipes, as xe writes them ---- */

static void recipes(void)
{
    gpucmd_i915_target t;
    memset(&t, 0, sizeof t);
    t.gen = G(12_6);
    t.engine = GPUCMD_I915_CCS;
    EMITS(WORDS(0x7a000204, 0x00100000, 0, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK));
    EMITS(WORDS(0x02800101, 0x7a000004, 0x2030480c, 0xd0, 0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_INVALIDATE));
    EMITS(WORDS(0x7a000204, 0x00100000, 0, 0, 0, 0, 0x7a000004, 0x01104000, 0x12340, 0, 0x2a, 0,
                0x01000000, 0x04000001, 0x02800000),
          gpucmd_i915_emit_breadcrumb(&w, &t, 0x12340, 0x2a));
    EMITS(WORDS(0x18800101, 0x7ef9dd20, 0x00d3d300, 0x04000000),
          gpucmd_i915_emit_dispatch(&w, &t, false, 0x00d3d3007ef9dd20));
    EMITS(WORDS(0x50800008, 0xc3001000, 0, 0x00040400, 0x2000, 0x00d30000, 0, 0x1000, 0x8000, 0),
          gpucmd_i915_emit_copy_pages(&w, G(12_6), 0x00d3000000002000, 0x8000, 4));
    t.restore_va = 0x4000;
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_restore(&w, &t));
    t.restore_va = 0;
    t.traits = GPUCMD_I915_TRAIT_MULTI_QUEUE;
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK));
    t.gen = G(35);
    EMITS(WORDS(0x7a001a04, 0x000000a0, 0, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK));
    EMITS(WORDS(0x02800101, 0x7a001004, 0x20204c0c, 0xd0, 0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_INVALIDATE));
    t.traits = 0;
    EMITS(WORDS(0x7a000a04, 0x001000a0, 0, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK));
}

/* ---- the executor ---- */

#define BATCH_VA 0x0100000000100000u
#define DATA_VA  0x0123456789ab0000u

static uint8_t batch_bytes[4096], data[8192];
static gpucmd_i915_cs cs;
static gpucmd_env env;

static gpucmd_run run(gpucmd_i915_gen gen, gpucmd_i915_engine engine, const uint32_t *words,
                      size_t len_dw)
{
    for (size_t i = 0; i < len_dw; i++) {
        gpucmd_store32(batch_bytes + 4 * i, words[i], GPUCMD_LITTLE_ENDIAN);
    }
    gpucmd_store32(batch_bytes + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    return gpucmd_i915_cs_run(&cs, &env, 100000);
}
#define RUN(gen, engine, ...)                                                                      \
    run(G(gen), GPUCMD_I915_##engine, (const uint32_t[]){__VA_ARGS__},                             \
        sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void executes(void)
{
    static const gpucmd_region regions[2] = {
        {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    static gpucmd_mem mem; /* of env, for the tests after this one, too */
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    /* two rows of 16 bytes, 32 bytes apart */
    EQUAL(RUN(12_6, BCS, 0x56c20005, 15, 1, 31, 0x89ab0000, 0x01234567, 0x5a000002),
          GPUCMD_RUN_IDLE);
    EQUAL(data[0], 0x5a);
    EQUAL(data[15], 0x5a);
    EQUAL(data[16], 0);
    EQUAL(data[32], 0x5a);
    EQUAL(data[47], 0x5a);
    EQUAL(data[64], 0);
    EQUAL(RUN(12_6, BCS, 0x56800008, 7, 0, 0, 0, 0x89ab0000, 0x01234567, 0x89ab1000, 0x01234567, 0),
          GPUCMD_RUN_IDLE);
    EQUAL(data[4096 + 7], 0x5a);
    EQUAL(data[4096 + 8], 0);
    memset(data, 0xff, 16);
    EQUAL(RUN(35, CCS, 0x7a000004, 0x00110000, 0x89ab0004, 0x01234567, 0x2a, 0x2b),
          GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 0xffffffff);
    EQUAL(gpucmd_load32(data + 4, GPUCMD_LITTLE_ENDIAN), 0x2a);
    EQUAL(gpucmd_load32(data + 8, GPUCMD_LITTLE_ENDIAN), 0xffffffff);
    EQUAL(RUN(35, BCS, 0x0e00c003, 0x2a, 0x89ab0004, 0x01234567, 0, 0, 0), GPUCMD_RUN_IDLE);
}

/* Waits for 64 bits. The qword at DATA_VA + 16 is 0x1122334455667788, at DATA_VA + 20 it has the upper
 * half of the first as its lower half. CS_GPR0 of the blitter is 0x22600. */
static void waits(void)
{
#define AT     0x89ab0010, 0x01234567
#define GPR(v) 0x11001003, 0x22600, v, 0x22604, 0x11223344 /* MI_LOAD_REGISTER_IMM */
#define BLOCKS GPUCMD_RUN_BLOCKED
#define IDLE   GPUCMD_RUN_IDLE
#define FAULTS GPUCMD_RUN_FAULT
    char text[200];
    gpucmd_text t;
    gpucmd_store32(data + 16, 0x55667788, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(data + 20, 0x11223344, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(data + 24, 0, GPUCMD_LITTLE_ENDIAN);
    EQUAL(RUN(35, BCS, 0x1d804005, 0x55667788, 0x11223344, AT, 0, 0), IDLE);
    EQUAL(RUN(35, BCS, 0x1d804005, 0x55667788, 0x11223345, AT, 0, 0), BLOCKS);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_i915_print_waits(&t, &cs, 1, &env);
    if (!CHECK(strstr(text, "memory 0x123456789ab0010 == 0x1122334555667788, which is "
                            "0x1122334455667788") != NULL)) {
        printf("    %s\n", text);
    }
    gpucmd_store32(data + 20, 0x11223345, GPUCMD_LITTLE_ENDIAN); /* the waiting engine polls */
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), IDLE);
    gpucmd_store32(data + 20, 0x11223344, GPUCMD_LITTLE_ENDIAN);
    EQUAL(RUN(35, BCS, 0x1d800005, 0x55667788, 0x11223343, AT, 0, 0), IDLE);   /* greater */
    EQUAL(RUN(35, BCS, 0x1d800005, 0x55667788, 0x11223344, AT, 0, 0), BLOCKS); /* equal */
    EQUAL(RUN(35, BCS, 0x1d884005, 0x55667788, 0, AT, 0, 0), IDLE);            /* COMPARE_32 */
    EQUAL(RUN(35, BCS, 0x1d884005, 0x55667789, 0, AT, 0, 0), BLOCKS);
    EQUAL(RUN(35, BCS, 0x1d804005, 0x11223344, 0, 0x89ab0014, 0x01234567, 0, 0), IDLE);
    EQUAL(RUN(35, BCS, GPR(0x55667788), 0x1d824005, 0, 0, AT, 0, 0), IDLE); /* COMPARE_GPR0 */
    EQUAL(RUN(35, BCS, GPR(0x55667787), 0x1d824005, 0, 0, AT, 0, 0), BLOCKS);
    EQUAL(RUN(35, BCS, GPR(7), 0x1d894005, 7, 0, 0x22600, 0, 0, 0), IDLE); /* REGISTER */
    EQUAL(RUN(35, BCS, GPR(7), 0x1d894005, 8, 0, 0x22600, 0, 0, 0), BLOCKS);
    EQUAL(RUN(35, BCS, GPR(7), 0x1d814005, 7, 0, 0x22600, 0, 0, 0), FAULTS); /* no source */
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    EQUAL(RUN(35, BCS, 0x1d806005, 7, 0, AT, 0, 0), FAULTS); /* comparison 6 */
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    EQUAL(RUN(35, BCS, 0x1d804005, 7, 0, 0x1000, 0, 0, 0), FAULTS);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
    /* MI_SEMAPHORE_WAIT with 64 bits: the right operand is CS_GPR0 */
    EQUAL(RUN(35, BCS, GPR(0x55667788), 0x0e08c003, 0, AT, 0), IDLE);
    EQUAL(RUN(35, BCS, GPR(0x55667787), 0x0e08c003, 0, AT, 0), BLOCKS);
    EQUAL(RUN(30, BCS, 0x0e00c003, 0x55667788, AT, 0), FAULTS); /* gen30 has 48 bits: unmapped */
}

/* COMPUTE_WALKER_2: 64 words; operations at 27, 48, 53 and 58, in this order. */
static void walks(void)
{
    static const struct {
        uint32_t post_sync[4][5];
        gpucmd_run end;
        uint64_t at[3]; /* at DATA_VA + 64, + 72, + 80; before: 5, 6, 7 */
    } rows[] = {
        {{{0x00010000, 0x89ab0040, 0x01234567, 0x2a, 1}},       GPUCMD_RUN_IDLE,  {0x10000002a, 6, 7}   },
        {{{0x27120000, 0x89ab0040, 0x01234567, 3, 0}},          GPUCMD_RUN_IDLE,  {8, 6, 7}             }, /* ADD8B */
        {{{0x05020000, 0x89ab0044, 0x01234567, 0, 0}},          GPUCMD_RUN_IDLE,  {0x100000005, 6, 7}   },
        {{{0x27120000, 0x89ab0040, 0x01234567, 3, 0},
          {0x27120000, 0x89ab0040, 0x01234567, 4, 0},
          {0x00010000, 0x89ab0048, 0x01234567, 9, 0},
          {0x27120000, 0x89ab0050, 0x01234567, 1, 0}},
         GPUCMD_RUN_IDLE,                                                         {12, 9, 8}            },
        {{{0x00010000, 0x89ab0044, 0x01234567, 9, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             }, /* alignment */
        {{{0x00210000, 0x89ab0040, 0x01234567, 9, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             }, /* its size */
        {{{0x27020000, 0x89ab0040, 0x01234567, 3, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             }, /* 4 for 8 */
        {{{0x27120000, 0x89ab0044, 0x01234567, 3, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             },
        {{{0x29120000, 0x89ab0040, 0x01234567, 3, 0}},          GPUCMD_RUN_IDLE,  {UINT64_MAX - 1, 6, 7}},
        {{{0x20120000, 0x89ab0040, 0x01234567, 3, 0}},
         GPUCMD_RUN_FAULT,                                                        {5, 6, 7}             }, /* no operation */
        {{{0x2e120000, 0x89ab0040, 0x01234567, 3, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             }, /* CMPWR8B */
        {{{0x87120000, 0x89ab0040, 0x01234567, 3, 0}},          GPUCMD_RUN_FAULT, {5, 6, 7}             }, /* FADD */
        {{{0x27120000, 0x1000, 0, 3, 0}},                       GPUCMD_RUN_FAULT, {5, 6, 7}             },
    };
    static const uint32_t first[4] = {27, 48, 53, 58};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t words[64] = {0x7220003e};
        for (size_t k = 0; k < 4; k++) {
            memcpy(words + first[k], rows[i].post_sync[k], sizeof rows[i].post_sync[k]);
        }
        for (uint32_t k = 0; k < 3; k++) {
            gpucmd_store32(data + 64 + 8 * k, 5 + k, GPUCMD_LITTLE_ENDIAN);
            gpucmd_store32(data + 68 + 8 * k, 0, GPUCMD_LITTLE_ENDIAN);
        }
        if (!EQUAL(run(G(35), GPUCMD_I915_CCS, words, 64), rows[i].end)) {
            printf("    row %u\n", (unsigned)i);
        }
        for (size_t k = 0; k < 3; k++) {
            uint64_t v = gpucmd_load32(data + 64 + 8 * k, GPUCMD_LITTLE_ENDIAN);
            v |= (uint64_t)gpucmd_load32(data + 68 + 8 * k, GPUCMD_LITTLE_ENDIAN) << 32;
            EQUAL(v, rows[i].at[k]);
        }
    }
    /* four timestamps of 8 bytes */
    uint32_t words[64] = {0x7220003e};
    words[27] = 0x00030000;
    words[28] = 0x89ab0060;
    words[29] = 0x01234567;
    memset(data + 96, 0xff, 40);
    EQUAL(run(G(35), GPUCMD_I915_CCS, words, 64), GPUCMD_RUN_IDLE);
    for (size_t k = 0; k < 4; k++) {
        EQUAL(gpucmd_load32(data + 100 + 8 * k, GPUCMD_LITTLE_ENDIAN), 0);
    }
    EQUAL(gpucmd_load32(data + 128, GPUCMD_LITTLE_ENDIAN), 0xffffffff);
    /* COMPUTE_WALKER left with gen30: gen35 passes the words on and writes nothing */
    words[0] = 0x72080026;
    words[27] = 1;
    memset(data + 96, 0xff, 8);
    EQUAL(run(G(35), GPUCMD_I915_CCS, words, 40), GPUCMD_RUN_IDLE);
    EQUAL(cs.unexecuted, 1);
    EQUAL(gpucmd_load32(data + 96, GPUCMD_LITTLE_ENDIAN), 0xffffffff);
}

int main(void)
{
    engines();
    reads();
    lacks();
    writes();
    emits();
    lengths();
    addresses();
    recipes();
    executes();
    waits();
    walks();
    return test_report("i915/xe3p");
}

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
    /* emit_render_cache_flush and emit_pipe_imm_ggtt of a multi-queue, CRI */
    W(35, CCS, "QUEUE_DRAIN_MODE", 0x7a001a04, 0x000000a0, 0, 0, 0, 0)
    W(35, CCS, "QUEUE_DRAIN_MODE", 0x7a001004, 0x01004000, 0x00012340, 0, 0x2a, 0)
    W(35, RCS, "NO_WALKER_SYNC", 0x7a008004, 0x00100000, 0, 0, 0, 0)
    W(35, RCS, "POST_SYNC_DWORD", 0x7a000004, 0x00110000, 0x00012344, 0, 0x2a, 0)
    W(35, BCS, "NO_QUEUE_SWITCH", 0x02800202)
    W(35, BCS, "MI_SEMAPHORE_WAIT", 0x0e40c003, 0xdead, 0x00012000, 0, 0)
    W(35, BCS, "QUEUE_SWITCH", 0x0e00c805, 1, 0x00012000, 0x01000000, 0, 0, 0)
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
    static const uint32_t wait[] = {0x0e00c005, 1, 0x00012000, 0, 0, 0, 0};
    CHECK(found(G(30), GPUCMD_I915_CCS, drain, 6) != NULL);
    CHECK(found(G(12_7), GPUCMD_I915_BCS, set, 7) != NULL);
    CHECK(found(G(20), GPUCMD_I915_BCS, set, 7) != NULL); /* reserved bits */
    CHECK(found(G(30), GPUCMD_I915_BCS, wait, 7) != NULL);
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
    gpucmd_mem mem;
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
    EQUAL(RUN(35, BCS, 0x0e00c005, 0x2a, 0x89ab0004, 0x01234567, 0, 0, 0), GPUCMD_RUN_IDLE);
    EQUAL(RUN(35, BCS, 0x0e08c005, 0x2a, 0x89ab0004, 0x01234567, 0, 0, 0), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
}

int main(void)
{
    engines();
    reads();
    lacks();
    writes();
    addresses();
    recipes();
    executes();
    return test_report("i915/xe3p");
}

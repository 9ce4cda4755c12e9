/* Both sides of conditions of which the streams of drivers take one: generations and engines that
 * do not exist, operands just past a limit in encoders, batches that fail or only measure, names,
 * malformed commands in the printer and in the checker. */
#include "gpucmd_i915.h"
#include "test.h"

#define GEN(n) ((gpucmd_i915_gen)(n))

static const int gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127, 200, 300};
enum { GENS = sizeof gens / sizeof gens[0] };

/* ---- encoders ---- */

/* Expect a status; a failure stores nothing. */
static uint32_t dw[300];
#define ENCODES(want, call)                                                                        \
    do {                                                                                           \
        memset(dw, 0x5a, sizeof dw);                                                               \
        const gpucmd_status want_ = (want), got_ = (call);                                         \
        EQUAL(got_, want_);                                                                        \
        EQUAL(dw[0] == 0x5a5a5a5a, want_ != GPUCMD_OK);                                            \
    } while (0)

static void many_words(void)
{
    static uint32_t pairs[2 * 127], words[1024];
    for (size_t i = 0; i < sizeof pairs / 4; i++) {
        pairs[i] = 0x2600;
    }
    for (size_t i = 0; i < GENS; i++) {
        const gpucmd_i915_gen g = GEN(gens[i]);
        const uint32_t regs = gens[i] < 60 ? 32 : 126;
        const uint32_t math = gens[i] < 90 ? 64 : 256;
        const gpucmd_status has_regs = gens[i] < 30 ? GPUCMD_UNSUPPORTED : GPUCMD_OK;
        const gpucmd_status has_math = gens[i] < 75 ? GPUCMD_UNSUPPORTED : GPUCMD_OK;
        ENCODES(has_regs, gpucmd_i915_encode_mi_load_register_imm(dw, g, 0, pairs, regs));
        ENCODES(has_regs == GPUCMD_OK ? GPUCMD_RANGE : has_regs,
                gpucmd_i915_encode_mi_load_register_imm(dw, g, 0, pairs, regs + 1));
        ENCODES(has_math, gpucmd_i915_encode_mi_math(dw, g, 0, words, math));
        ENCODES(has_math == GPUCMD_OK ? GPUCMD_RANGE : has_math,
                gpucmd_i915_encode_mi_math(dw, g, 0, words, math + 1));
        ENCODES(gens[i] < 80 ? GPUCMD_UNSUPPORTED : GPUCMD_OK,
                gpucmd_i915_encode_mi_store_data_imm_words(dw, g, 0, 0x1000, words, 2));
        ENCODES(gens[i] < 40 ? GPUCMD_UNSUPPORTED : GPUCMD_OK,
                gpucmd_i915_encode_mi_store_data_imm_qw(dw, g, 0, 0x1000, 5));
        if (gens[i] >= 40) { /* QWORD, bit 21, is set by the encoder from gen8 */
            EQUAL(dw[0] >> 21 & 1, gens[i] >= 80);
            EQUAL(dw[0] & 0xff, 3);
        }
    }
    ENCODES(GPUCMD_ALIGN,
            gpucmd_i915_encode_mi_store_data_imm_words(dw, GPUCMD_I915_GEN9, 0, 0x1002, words, 2));
    ENCODES(GPUCMD_RANGE,
            gpucmd_i915_encode_mi_store_data_imm_words(dw, GPUCMD_I915_GEN9, 0, 0, words, 0));
    pairs[2 * 125] = 0x2601; /* the last of the registers */
    ENCODES(GPUCMD_ALIGN,
            gpucmd_i915_encode_mi_load_register_imm(dw, GPUCMD_I915_GEN9, 0, pairs, 126));
    ENCODES(GPUCMD_OK,
            gpucmd_i915_encode_mi_load_register_imm(dw, GPUCMD_I915_GEN9, 0, pairs, 125));
}

/* MI_DISPLAY_FLIP has 4 words on gen4 to gen6 and 3 otherwise; with TYPE 2 (stereo) on gen9 and
 * later 4. [K] intel_display.c */
static void flip_words(void)
{
    for (size_t i = 0; i < GENS; i++) {
        for (uint32_t type = 0; type < 4; type++) {
            gpucmd_writer m;
            gpucmd_writer_init(&m, NULL, 0);
            gpucmd_i915_emit_mi_display_flip(&m, GEN(gens[i]), 0, 0, type, 0);
            if (m.status == GPUCMD_OK) {
                EQUAL(gpucmd_writer_need_dw(&m), gens[i] < 40 ? 3
                                                 : gens[i] < 70 || (gens[i] >= 90 && type == 2)
                                                     ? 4
                                                     : 3);
            } else {
                CHECK(gens[i] < 30 || gens[i] >= 127 || type != 0);
            }
        }
    }
}

/* PIPE_CONTROL by a generation that the compiler does not know. POST_SYNC 1, STORE_INDEX and
 * LRI_POST_SYNC, which makes the address a register. */
static void flushes(void)
{
    for (size_t i = 0; i < GENS; i++) {
        const gpucmd_i915_gen g = GEN(gens[i]);
        const gpucmd_status has = gens[i] < 40 ? GPUCMD_UNSUPPORTED : GPUCMD_OK;
        ENCODES(has, gpucmd_i915_encode_pipe_control(dw, g, 0, 0, 0x1000, 5));
        ENCODES(gens[i] < 60 ? has == GPUCMD_OK ? GPUCMD_RANGE : has : GPUCMD_OK,
                gpucmd_i915_encode_pipe_control(dw, g, 0, 0x4000, 0x1000, 5));
        ENCODES(gens[i] < 70 ? has == GPUCMD_OK ? GPUCMD_RANGE : has : GPUCMD_OK,
                gpucmd_i915_encode_pipe_control(dw, g, 0, 1u << 23, 0x2600, 5));
    }
    ENCODES(GPUCMD_UNSUPPORTED, gpucmd_i915_encode_pipe_control(dw, GEN(1), 0, 0, 0x1000, 5));
}

/* An address with one low bit: GPUCMD_ALIGN for bits below the alignment, except the bits that are
 * flags in this generation. Then bits 32, 47, 48, and bits 63:47: before gen8 an address has 32 bits,
 * from gen8 48, and may be canonical. */
#define ADDRESS(since, until, align, flags, ...)                                                   \
    for (size_t i = 0; i < GENS; i++) {                                                            \
        static const uint64_t tops[] = {1ull << 32, 1ull << 47, 1ull << 48, ~0ull << 47};          \
        const gpucmd_i915_gen g = GEN(gens[i]);                                                    \
        for (uint64_t bit = 1; bit <= 128 && gens[i] >= (since) && gens[i] <= (until); bit *= 2) { \
            const uint64_t va = 0x10000 + bit;                                                     \
            const bool good = bit >= (align) || ((flags)&bit) != 0;                                \
            gpucmd_writer_init(&w, NULL, 0);                                                       \
            __VA_ARGS__;                                                                           \
            if (!EQUAL(w.status, good ? GPUCMD_OK : GPUCMD_ALIGN)) {                               \
                printf("    gen %d, bit %x: %s\n", gens[i], (unsigned)bit, #__VA_ARGS__);          \
            }                                                                                      \
        }                                                                                          \
        for (size_t n = 0; n < 4 && gens[i] >= (since) && gens[i] <= (until); n++) {               \
            const uint64_t va = tops[n];                                                           \
            gpucmd_writer_init(&w, NULL, 0);                                                       \
            __VA_ARGS__;                                                                           \
            EQUAL(w.status, gens[i] < 80 || n == 2 ? GPUCMD_RANGE : GPUCMD_OK);                    \
        }                                                                                          \
    }
#define EMIT(name, ...) gpucmd_i915_emit_##name(&w, g, __VA_ARGS__)

static void addresses(void)
{
    static const uint32_t two[4];
    gpucmd_i915_target t;
    memset(&t, 0, sizeof t);
    ADDRESS(20, 300, 4, gens[i] >= 60, EMIT(mi_store_data_imm, 0, va, 0))
    ADDRESS(40, 300, 8, gens[i] >= 60, EMIT(mi_store_data_imm_qw, 0, va, 0))
    ADDRESS(80, 300, 4, 0, EMIT(mi_store_data_imm_words, 0, va, two, 2))
    ADDRESS(80, 300, 8, 0, EMIT(mi_store_data_imm_words, 1u << 21, va, two, 2))
    ADDRESS(30, 300, 4, 0, EMIT(mi_store_register_mem, 0, 0x2600, va))
    ADDRESS(70, 300, 4, 0, EMIT(mi_load_register_mem, 0, 0x2600, va))
    ADDRESS(75, 300, 4, 0, EMIT(mi_rs_store_data_imm, 0, va, 0))
    ADDRESS(75, 90, 64, 0, EMIT(mi_load_urb_mem, 0, 0, va))
    ADDRESS(75, 90, 64, 0, EMIT(mi_store_urb_mem, 0, 0, va))
    ADDRESS(80, 300, 4, 0, EMIT(mi_copy_mem_mem, 0, va, 0))
    ADDRESS(80, 300, 4, 0, EMIT(mi_copy_mem_mem, 0, 0, va))
    ADDRESS(80, 300, 4, gens[i] >= 125, EMIT(mi_atomic, 0, va))
    ADDRESS(80, 300, 4, 0, EMIT(mi_atomic_inline, 0, va, two, two))
    ADDRESS(80, 300, 8, 0, EMIT(mi_atomic_inline, 1u << 19, va, two, two))
    ADDRESS(80, 300, 8, 0, EMIT(mi_atomic_inline, 1u << 20, va, two, two))
    ADDRESS(60, 75, 4, 0, EMIT(mi_semaphore_mbox, 0, 0, va))
    ADDRESS(80, 300, 4, 0, EMIT(mi_semaphore_wait, 0, 0, va))
    ADDRESS(120, 300, 4, 0, EMIT(mi_semaphore_wait_token, 0, 0, va, 0))
    ADDRESS(20, 30, 8, 1, EMIT(mi_batch_buffer, 0, va, 0))
    ADDRESS(20, 30, 8, 0, EMIT(mi_batch_buffer, 0, 0, va))
    ADDRESS(20, 300, 4, gens[i] <= 30, EMIT(mi_batch_buffer_start, 0, va))
    ADDRESS(60, 300, 8, 0, EMIT(mi_conditional_batch_buffer_end, 0, 0, va))
    ADDRESS(60, 300, 8, 4, EMIT(mi_flush_dw, 0, va, 0))
    ADDRESS(60, 300, 8, 4, EMIT(mi_flush_dw_qw, 0, va, 0))
    ADDRESS(80, 300, 8, 4, EMIT(mi_flush_dw_short, 0, va))
    ADDRESS(60, 300, 64, 0, EMIT(mi_clflush, 0, va, 1))
    ADDRESS(50, 300, 64, 0x11, EMIT(mi_report_perf_count, 0, va, 0))
    ADDRESS(40, 300, 8, gens[i] == 50 ? 7 : gens[i] < 70 ? 4 : 0, EMIT(pipe_control, 0, 0, va, 0))
    ADDRESS(70, 300, 4, 0, EMIT(pipe_control, 0, 1u << 23, va, 0))
    ADDRESS(60, 300, 8, gens[i] < 70 ? 4 : 0, EMIT(pipe_control_short, 0, 0, va, 0))
    ADDRESS(127, 300, 1, 0, EMIT(gsc_heci_cmd_pkt, 0, va, 0, 0, 0))
    ADDRESS(127, 300, 1, 0, EMIT(gsc_heci_cmd_pkt, 0, 0, 0, va, 0))
    ADDRESS(127, 300, 1, 0, EMIT(gsc_fw_load, 0, va, 0))
    ADDRESS(20, 300, 8, 0, t.gen = g; gpucmd_i915_emit_breadcrumb(&w, &t, va, 0))
    ADDRESS(80, 300, 4, 0, t.gen = g; gpucmd_i915_emit_init_breadcrumb(&w, &t, va, 0))
    ADDRESS(20, 300, 4, 0, t.gen = g; gpucmd_i915_emit_dispatch(&w, &t, false, va))
    ADDRESS(20, 300, 4, 0, EMIT(copy_pages, va, 0, 1))
    ADDRESS(20, 300, 4, 0, EMIT(copy_pages, 0, va, 1))
}

static void blits(void)
{
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    ENCODES(GPUCMD_INVALID,
            gpucmd_i915_encode_blt(dw, GPUCMD_I915_GEN9, GPUCMD_I915_OP_MI_NOOP, &b));
    ENCODES(GPUCMD_UNSUPPORTED,
            gpucmd_i915_encode_blt(dw, GPUCMD_I915_GEN9, GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    b.rows = 1;
    b.width_bytes = 4;
    ENCODES(GPUCMD_OK, gpucmd_i915_encode_blt(dw, GPUCMD_I915_GEN8, GPUCMD_I915_OP_COLOR_BLT, &b));
}

/* The start of a batch by ring, of a generation that does not exist and with bad addresses. */
static void dispatch(void)
{
    static const int edges[] = {0, 19, 20, 350, 351, 9999};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        gpucmd_writer m;
        const int gen = edges[i];
        const bool exists = gen >= 20 && gen <= 350;
        gpucmd_i915_target t;
        memset(&t, 0, sizeof t);
        t.gen = GEN(gen);
        for (int secure = 0; secure < 2; secure++) {
            gpucmd_writer_init(&m, NULL, 0);
            gpucmd_i915_emit_dispatch(&m, &t, secure != 0, 0x1000);
            EQUAL(m.status, exists ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
            gpucmd_writer_init(&m, NULL, 0);
            gpucmd_i915_emit_dispatch(&m, &t, secure != 0, 0x1002);
            EQUAL(m.status, exists ? GPUCMD_ALIGN : GPUCMD_UNSUPPORTED);
        }
    }
}

/* ---- batches ---- */

static uint32_t chunk_words[3][16];
static unsigned taken;
static gpucmd_status next_chunk(void *user, gpucmd_i915_chunk *chunk)
{
    (void)user;
    taken++;
    chunk->base = chunk_words[1];
    chunk->cap_dw = 16;
    chunk->va = 0x2000;
    return GPUCMD_OK;
}

/* A batch that measures has room for everything and takes no chunk; after a failure neither. */
static void batches(void)
{
    gpucmd_i915_batch b;
    gpucmd_i915_reloc reloc;
    uint32_t len_bytes = 7;
    gpucmd_i915_chunk chunk = {NULL, 16, 0x1000};
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    for (int i = 0; i < 40; i++) {
        gpucmd_i915_batch_reserve(&b, 4);
        gpucmd_i915_emit_mi_store_data_imm(&b.w, b.gen, 0, 0x1000, 1);
    }
    EQUAL(b.w.status, GPUCMD_OK);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(gpucmd_writer_need_dw(&b.w), 162);
    EQUAL(len_bytes, 648);
    EQUAL(taken, 0);

    chunk.base = chunk_words[0];
    memset(chunk_words, 0x5a, sizeof chunk_words);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    gpucmd_i915_batch_set_relocs(&b, &reloc, 1);
    len_bytes = 7;
    gpucmd_i915_emit_mi_store_data_imm(&b.w, b.gen, 0, 0x1002, 1); /* fails */
    EQUAL(b.w.status, GPUCMD_ALIGN);
    gpucmd_i915_batch_reserve(&b, 16);
    gpucmd_i915_batch_reloc(&b, 0, 1, 2, 3, 4);
    gpucmd_i915_batch_call(&b, 0x3000);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_ALIGN);
    EQUAL(len_bytes, 7);
    EQUAL(b.reloc_count, 0);
    EQUAL(taken, 0);
    for (size_t i = 0; i < 16; i++) {
        EQUAL(chunk_words[0][i], 0x5a5a5a5a);
    }

    /* 12 words of room; a chunk of an odd number of words is padded after the jump */
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    for (int i = 0; i < 3; i++) {
        gpucmd_i915_batch_reserve(&b, 4);
        gpucmd_i915_emit_mi_store_data_imm(&b.w, b.gen, 0, 0x1000, 1);
    }
    EQUAL(taken, 0);
    gpucmd_i915_batch_reserve(&b, 0); /* it has room for nothing */
    EQUAL(taken, 0);
    gpucmd_i915_batch_reserve(&b, 1);
    EQUAL(taken, 1);
    EQUAL(gpucmd_load32(&chunk_words[0][12], GPUCMD_LITTLE_ENDIAN), 0x18800001);
    EQUAL(gpucmd_load32(&chunk_words[0][13], GPUCMD_LITTLE_ENDIAN), 0x2000);
    EQUAL(chunk_words[0][14], 0);
    EQUAL(chunk_words[0][15], 0); /* the padding */
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 8);
    EQUAL(gpucmd_load32(&chunk_words[1][0], GPUCMD_LITTLE_ENDIAN), 0x05000000);
    EQUAL(b.chunk_count, 2);

    /* without a callback the batch is full; an address past the generation fails in the jump */
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_reserve(&b, 13);
    EQUAL(b.w.status, GPUCMD_FULL);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    chunk.va = 0x100000000;
    b.chunk.va = 0x100000000;
    gpucmd_i915_batch_reserve(&b, 13);
    EQUAL(b.w.status, GPUCMD_FULL);
}

static gpucmd_status far_chunk(void *user, gpucmd_i915_chunk *chunk)
{
    (void)next_chunk(user, chunk);
    chunk->va = 0x100000000;
    return GPUCMD_OK;
}

static void far_batches(void)
{
    gpucmd_i915_batch b;
    const gpucmd_i915_chunk chunk = {chunk_words[0], 16, 0x1000};
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, true, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, far_chunk, NULL);
    gpucmd_i915_emit_mi_noop(&b.w, b.gen, 0);
    gpucmd_i915_batch_reserve(&b, 12);
    EQUAL(b.w.status, GPUCMD_RANGE);
    EQUAL(b.chunk_count, 1);
    CHECK(b.chunk.base == chunk_words[0]);
}

/* ---- names ---- */

static void names(void)
{
    static const char *const texts[GENS] = {"2", "3", "4",  "4.5", "5",    "6",    "7",  "7.5",
                                            "8", "9", "11", "12",  "12.5", "12.7", "20", "30"};
    static const char *const engines[] = {"rcs", "vcs", "bcs", "vecs", "ccs", "gsc"};
    char text[8];
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    for (size_t i = 0; i < GENS; i++) {
        gen = GEN(1);
        EQUAL(gpucmd_i915_gen_from_name(texts[i], &gen), GPUCMD_OK);
        EQUAL(gen, gens[i]);
        CHECK(strcmp(gpucmd_i915_gen_name(gen), texts[i]) == 0);
        sprintf(text, "%sx", texts[i]);
        EQUAL(gpucmd_i915_gen_from_name(text, &gen), GPUCMD_RANGE);
        EQUAL(gen, gens[i]);
    }
    EQUAL(gpucmd_i915_gen_from_name("", &gen), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_gen_from_name("1", &gen), GPUCMD_RANGE);
    CHECK(strcmp(gpucmd_i915_gen_name(GEN(10)), "?") == 0);
    for (unsigned i = 0; i < 6; i++) {
        EQUAL(gpucmd_i915_engine_from_name(engines[i], &engine), GPUCMD_OK);
        EQUAL(engine, 1u << i);
        CHECK(strcmp(gpucmd_i915_engine_name(engine), engines[i]) == 0);
        sprintf(text, "%.2s", engines[i]);
        EQUAL(gpucmd_i915_engine_from_name(text, &engine), GPUCMD_RANGE);
        EQUAL(engine, 1u << i);
    }
    EQUAL(gpucmd_i915_engine_from_name("", &engine), GPUCMD_RANGE);
    CHECK(strcmp(gpucmd_i915_engine_name((gpucmd_i915_engine)0), "?") == 0);
    CHECK(strcmp(gpucmd_i915_engine_name((gpucmd_i915_engine)3), "?") == 0);
    CHECK(strcmp(gpucmd_i915_op_name(GPUCMD_I915_OP_UNKNOWN), "UNKNOWN") == 0);
    CHECK(strcmp(gpucmd_i915_op_name(GPUCMD_I915_OP_GFX), "GFX") == 0);
    CHECK(strcmp(gpucmd_i915_op_name(GPUCMD_I915_OP_MI_NOOP), "MI_NOOP") == 0);
    CHECK(strcmp(gpucmd_i915_op_name((gpucmd_i915_op)9999), "?") == 0);
}

/* No engine has a base before the first generation, after the last, or beyond its instances. */
static void bases(void)
{
    uint32_t base = 5;
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_register r;
    for (unsigned i = 0; i < 6; i++) {
        const gpucmd_i915_engine engine = (gpucmd_i915_engine)(1u << i);
        for (uint32_t n = 0; n < 10; n++) {
            EQUAL(gpucmd_i915_engine_base(GEN(0), engine, n, &base), GPUCMD_UNSUPPORTED);
            EQUAL(gpucmd_i915_engine_base(GEN(9999), engine, n, &base), GPUCMD_UNSUPPORTED);
        }
    }
    EQUAL(base, 5);
    /* a register at an offset that is an engine's in other generations */
    static const struct {
        int gen;
        uint32_t reg;
        bool found;
    } rows[] = {
        {20,  0x2034,   true },
        {20,  0x12034,  false},
        {50,  0x4034,   true },
        {60,  0x4034,   false},
        {60,  0x12034,  true },
        {110, 0x12034,  false},
        {70,  0x1a034,  false},
        {75,  0x1a034,  true },
        {110, 0x1a034,  false},
        {125, 0x1a034,  true },
        {75,  0x1c034,  false},
        {80,  0x1c034,  true },
        {110, 0x1c034,  false},
        {125, 0x1c034,  true },
        {127, 0x1c034,  false},
        {200, 0x1c034,  true },
        {60,  0x22034,  true },
        {50,  0x22034,  false},
        {127, 0x11a034, true },
        {125, 0x11a034, false},
        {90,  0x1c0034, false},
        {110, 0x1c0034, true },
        {120, 0x1e0034, false},
        {125, 0x1e0034, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(rows[i].gen), GPUCMD_I915_RCS), GPUCMD_OK);
        if (!EQUAL(gpucmd_i915_register_find(&cmdset, rows[i].reg, &r), rows[i].found)) {
            printf("    gen %d, 0x%x\n", rows[i].gen, (unsigned)rows[i].reg);
        }
    }
}

/* Arrays of registers: each element has a name and a number, and the element after the last has
 * another name. [PRM] */
static void arrays(void)
{
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_register r;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    for (uint32_t off = 0; off < 0x88; off += 4) {
        const bool gpr =
            gpucmd_i915_register_find(&cmdset, 0x2600 + off, &r) && strcmp(r.name, "CS_GPR") == 0;
        EQUAL(gpr, off < 0x80);
        if (gpr) {
            EQUAL(r.nth, off / 8);
            EQUAL(r.count, 16);
            EQUAL(r.high, off / 4 % 2);
        }
    }
    /* no element is past the end of its array, on any engine */
    static const uint32_t engine_bases[] = {0x2000, 0x4000, 0x12000, 0x1a000, 0x22000, 0x1c0000};
    for (size_t g = 0; g < GENS; g++) {
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(gens[g]), GPUCMD_I915_RCS), GPUCMD_OK);
        for (size_t e = 0; e < sizeof engine_bases / sizeof engine_bases[0]; e++) {
            for (uint32_t off = 0; off < 0x800; off += 4) {
                if (gpucmd_i915_register_find(&cmdset, engine_bases[e] + off, &r) &&
                    !CHECK(r.nth < r.count)) {
                    printf("    gen %d, 0x%x\n", gens[g], (unsigned)(engine_bases[e] + off));
                }
            }
        }
    }
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    EQUAL(gpucmd_i915_register_find(&cmdset, 0x2038, &r), true);
    EQUAL(r.count, 1);
    EQUAL(r.nth, 0);
    EQUAL(r.high, false);
}

/* Names of commands without a row, by engine and generation. [MD] */
static void command_names(void)
{
    static const struct {
        int gen;
        gpucmd_i915_engine engine;
        uint32_t head;
        const char *name;
    } rows[] = {
        {90,  GPUCMD_I915_VCS,  0x68000000, "MFX_WAIT"           },
        {90,  GPUCMD_I915_VCS,  0x738a0000, "GFX"                },
        {120, GPUCMD_I915_VCS,  0x738a0000, "VD_CONTROL_STATE"   },
        {120, GPUCMD_I915_VCS,  0x76090000, "CRYPTO_KEY_EXCHANGE"},
        {120, GPUCMD_I915_VCS,  0x76080000, "GFX"                },
        {120, GPUCMD_I915_VECS, 0x76090000, "CRYPTO_KEY_EXCHANGE"},
        {90,  GPUCMD_I915_RCS,  0x7fff0000, "GFX"                },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(rows[i].gen), rows[i].engine), GPUCMD_OK);
        if (!CHECK(strcmp(gpucmd_i915_name(&cmdset, rows[i].head), rows[i].name) == 0)) {
            printf("    row %zu: %s\n", i, gpucmd_i915_name(&cmdset, rows[i].head));
        }
    }
}

/* Words of which the printer names the register, and words that only look like registers. */
static void register_words(void)
{
    static const struct {
        int gen;
        uint32_t n, words[6], line; /* the line that has a name; 0: none has */
    } rows[] = {
        {75,  5, {0x7a000003, 0x00800000, 0x2600, 0, 0},                   2}, /* LRI_POST_SYNC */
        {80,  6, {0x7a000004, 0x00800000, 0x2600, 0, 0, 0},                2},
        {80,  6, {0x7a000004, 0x00800000, 0x2200, 0x2600, 0x2600, 0x2600}, 0},
        {80,  6, {0x7a000004, 0x00804000, 0x2600, 0, 0, 0},                0}, /* and POST_SYNC */
        {80,  6, {0x7a000004, 0x00000000, 0x2600, 0, 0, 0},                0},
        {60,  5, {0x7a000003, 0x00800000, 0x2600, 0, 0},                   0},
        {80,  4, {0x0e010002, 0x2600, 0x2600, 0},                          0},
        {90,  4, {0x0e010002, 0x2600, 0x2600, 0x2600},                     2},
        {90,  4, {0x0e000002, 0x2600, 0x2600, 0x2600},                     0},
        {80,  4, {0x15000002, 0, 0x2604, 0x2608},                          2}, /* too long */
        {110, 3, {0x15040001, 0x600, 0x600},                               1},
        {110, 3, {0x15080001, 0x600, 0x600},                               2},
        {90,  3, {0x15080001, 0x600, 0x600},                               0},
        {110, 3, {0x11080001, 0x600, 0x2600},                              1},
        {90,  3, {0x11080001, 0x600, 0x2600},                              0},
        {110, 4, {0x12080002, 0x600, 0x2600, 0},                           1},
        {110, 4, {0x12000002, 0x600, 0x2600, 0},                           0},
        {110, 4, {0x0e090002, 0x2600, 0x600, 0x2600},                      0}, /* no base by bit 19 */
        {110, 4, {0x14880002, 0x600, 0x2600, 0},                           1},
        {110, 4, {0x10000002, 0x2600, 0, 0x2600},                          0}, /* STORE_DATA_IMM */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_text t;
        char text[600], *line = text;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(rows[i].gen), GPUCMD_I915_RCS), GPUCMD_OK);
        gpucmd_text_init(&t, text, sizeof text);
        EQUAL(gpucmd_i915_print(&t, &cmdset, rows[i].words, rows[i].n, 0), rows[i].n);
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        for (uint32_t n = 0; n < rows[i].n; n++) {
            char *const end = strchr(line, '\n');
            *end = '\0';
            if (!CHECK((strstr(line, "CS_GPR") != NULL) == (n != 0 && n == rows[i].line))) {
                printf("    row %zu: %s\n", i, line);
            }
            line = end + 1;
        }
    }
}

/* ---- checker ---- */

static uint64_t found;
static unsigned found_count;
static const char *found_reg;
static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    found |= (uint64_t)1 << f->rule;
    found_count++;
    found_reg = f->reg;
    return *(gpucmd_status *)user;
}

#define R(name) ((uint64_t)1 << GPUCMD_I915_RULE_##name)

/* The rules that one command breaks in a batch without rights. */
static void findings(void)
{
    static const struct {
        int gen;
        gpucmd_i915_engine engine;
        uint64_t want;
        uint32_t n, words[8];
    } rows[] = {
  /* through the global table or the status page [K] i915_cmd_parser.c */
        {70, GPUCMD_I915_RCS, R(PRIVILEGED), 4, {0x14000001, 0x1001, 0, 0x05000000}               },
        {70, GPUCMD_I915_RCS, 0,             4, {0x14000001, 0x1000, 0, 0x05000000}               },
        {70, GPUCMD_I915_BCS, R(PRIVILEGED), 4, {0x13004001, 0x1004, 0, 0x05000000}               },
        {70, GPUCMD_I915_BCS, R(PRIVILEGED), 4, {0x13204001, 0x1000, 0, 0x05000000}               },
        {70, GPUCMD_I915_BCS, 0,             4, {0x13004001, 0x1000, 0, 0x05000000}               },
        {70, GPUCMD_I915_BCS, 0,             4, {0x13000001, 0x1000, 0, 0x05000000}               },
        {70, GPUCMD_I915_RCS, R(PRIVILEGED), 6, {0x7a000003, 0x01004000, 0x1000, 0, 0, 0x05000000}},
        {70, GPUCMD_I915_RCS, R(PRIVILEGED), 6, {0x7a000003, 0x00204000, 0x1000, 0, 0, 0x05000000}},
        {70, GPUCMD_I915_RCS, 0,             6, {0x7a000003, 0x00004000, 0x1000, 0, 0, 0x05000000}},
        {70, GPUCMD_I915_RCS, 0,             6, {0x7a000003, 0x01000000, 0x1000, 0, 0, 0x05000000}},
 /* lengths: with a post-sync operation, whose data is missing */
        {80, GPUCMD_I915_BCS, R(NO_DATA),    4, {0x13004001, 0x1000, 0, 0x05000000}               },
        {80, GPUCMD_I915_BCS, 0,             4, {0x13000001, 0x1000, 0, 0x05000000}               },
        {80, GPUCMD_I915_RCS, R(LENGTH),     6, {0x7a000002, 0x00004000, 0x1000, 0, 0x05000000, 0}},
        {80, GPUCMD_I915_RCS, 0,             6, {0x7a000002, 0x1000, 0x1000, 0, 0x05000000, 0}    },
        {80, GPUCMD_I915_RCS, R(LENGTH),     6, {0x7a000002, 0x00800000, 0x2600, 0, 0x05000000, 0}},
        {80, GPUCMD_I915_RCS, R(LENGTH),     4, {0x11000002, 0x2600, 5, 0x2604}                   },
        {80, GPUCMD_I915_RCS, R(LENGTH),     6, {0x11000002, 0x2600, 5, 0x2050, 0x05000000, 0}    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_check_options options;
        gpucmd_status answer = GPUCMD_OK;
        memset(&options, 0, sizeof options);
        options.found = on_finding;
        options.user = &answer;
        found = 0;
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(rows[i].gen), rows[i].engine), GPUCMD_OK);
        EQUAL(gpucmd_i915_check(&cmdset, rows[i].words, rows[i].n, &options, NULL), GPUCMD_OK);
        if (!EQUAL(found & ~R(NO_END), rows[i].want)) {
            printf("    row %zu\n", i);
        }
    }
}

/* 2D commands without data in the batch have one length: 32-bit addresses before gen8, later 64 bits.
 * [IBLT] DWord Length; 0: variable, or not in that generation */
static void lengths(void)
{
    static const struct {
        uint32_t head, gen7, gen8, gen9;
    } rows[] = {
        {0x40400000, 8,  10, 10},
        {0x40c00000, 3,  3,  3 },
        {0x44400000, 9,  10, 10},
        {0x49000000, 2,  2,  2 },
        {0x49400000, 3,  3,  3 },
        {0x49800000, 4,  5,  5 },
        {0x50000000, 5,  6,  6 },
        {0x50800000, 0,  0,  10},
        {0x50c00000, 6,  8,  8 },
        {0x54000000, 6,  7,  7 },
        {0x54400000, 6,  8,  8 },
        {0x54800000, 9,  10, 10},
        {0x54c00000, 8,  10, 10},
        {0x55000000, 8,  10, 10},
        {0x55400000, 9,  12, 12},
        {0x55800000, 9,  12, 12},
        {0x55c00000, 12, 14, 14},
        {0x56000000, 12, 14, 14},
        {0x56400000, 7,  8,  8 },
        {0x5cc00000, 10, 12, 12},
        {0x5d800000, 8,  10, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int gen = 70; gen <= 90; gen += 10) {
            const uint32_t n = gen == 70 ? rows[i].gen7 : gen == 80 ? rows[i].gen8 : rows[i].gen9;
            for (uint32_t len = n < 3 ? 2 : n - 1; n != 0 && len <= n + 1; len++) {
                uint32_t words[20] = {0};
                gpucmd_i915_cmdset cmdset;
                gpucmd_i915_check_options options;
                gpucmd_status answer = GPUCMD_OK;
                memset(&options, 0, sizeof options);
                options.found = on_finding;
                options.user = &answer;
                options.secure = true;
                words[0] = rows[i].head | (len - 2);
                words[len] = 0x05000000;
                found = 0;
                EQUAL(gpucmd_i915_cmdset_init(&cmdset, GEN(gen), GPUCMD_I915_BCS), GPUCMD_OK);
                EQUAL(gpucmd_i915_check(&cmdset, words, 20, &options, NULL), GPUCMD_OK);
                if (!EQUAL(found & R(LENGTH), len != n ? R(LENGTH) : 0)) {
                    printf("    0x%08x, gen %d, %u words\n", (unsigned)words[0], gen,
                           (unsigned)len);
                }
            }
        }
    }
}

/* A finding names a register that has a name. The callback ends the check. */
static void found_registers(void)
{
    static const uint32_t words[] = {0x11000003, 0x2038, 0, 0x7fffc, 0, 0x05000000};
    static const uint32_t twice[] = {0x12400002, 0x2601, 0x1001, 0, 0x05000000, 0};
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_check_options options;
    gpucmd_status answer = GPUCMD_OK;
    size_t errors = 9;
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    options.user = &answer;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS), GPUCMD_OK);
    found = found_count = 0;
    EQUAL(gpucmd_i915_check(&cmdset, words, 6, &options, &errors), GPUCMD_OK);
    EQUAL(found, R(REGISTER));
    EQUAL(found_count, 2);
    EQUAL(errors, 0);         /* warnings */
    CHECK(found_reg == NULL); /* the last has no name */
    answer = GPUCMD_BLOCKED;
    EQUAL(gpucmd_i915_check(&cmdset, words, 6, &options, &errors), GPUCMD_BLOCKED);
    EQUAL(found_count, 3);
    CHECK(found_reg != NULL && strcmp(found_reg, "START") == 0);
    found = found_count = 0;
    EQUAL(gpucmd_i915_check(&cmdset, twice, 6, &options, &errors), GPUCMD_BLOCKED);
    EQUAL(found_count, 1);
    answer = GPUCMD_OK;
    EQUAL(gpucmd_i915_check(&cmdset, twice, 6, &options, &errors), GPUCMD_OK);
    CHECK(found_count > 2);
    EQUAL(found & (R(REGISTER_ALIGN) | R(ADDRESS_ALIGN)), R(REGISTER_ALIGN) | R(ADDRESS_ALIGN));
    options.found = NULL;
    EQUAL(gpucmd_i915_check(&cmdset, twice, 6, &options, &errors), GPUCMD_OK);
    EQUAL(errors, 2);
}

int main(void)
{
    many_words();
    flip_words();
    flushes();
    addresses();
    blits();
    dispatch();
    batches();
    far_batches();
    names();
    bases();
    arrays();
    command_names();
    register_words();
    findings();
    lengths();
    found_registers();
    return test_report("i915_sides");
}

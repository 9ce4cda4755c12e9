/* Words of single commands, against the table of known-good words and the sequences that kernels
 * emit; refusals of each kind. */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n)    GPUCMD_I915_GEN##n
#define B(f)    GPUCMD_I915_BITS(f)
#define P(f, v) GPUCMD_I915_PUT(f, v)

/* clang-format off */
/* First words as constants: what, typed from the kernel's and igt's macros. */
static const struct {
    uint32_t want, got;
} constants[] = {
    {0x00000000, GPUCMD_I915_MI_NOOP(0)},
    {0x00412345, GPUCMD_I915_MI_NOOP(B(MI_NOOP_WRITE_ID) | 0x12345)},
    {0x007fffff, GPUCMD_I915_MI_NOOP(B(MI_NOOP_WRITE_ID) | B(MI_NOOP_ID))},
    {0x00800000, GPUCMD_I915_MI_SET_PREDICATE(0)},
    {0x0080000f, GPUCMD_I915_MI_SET_PREDICATE(P(MI_SET_PREDICATE_ENABLE, 15))},
    {0x01000000, GPUCMD_I915_MI_USER_INTERRUPT(0)},
    {0x01800004, GPUCMD_I915_MI_WAIT_FOR_EVENT(B(MI_WAIT_FOR_EVENT_PLANE_A_FLIP_G2))},
    {0x01810000, GPUCMD_I915_MI_WAIT_FOR_EVENT(B(MI_WAIT_FOR_EVENT_OVERLAY_FLIP_G2))},
    {0x02000000, GPUCMD_I915_MI_FLUSH(0)},
    {0x02000001, GPUCMD_I915_MI_FLUSH(B(MI_FLUSH_INVALIDATE_MAP))},
    {0x02000002, GPUCMD_I915_MI_FLUSH(B(MI_FLUSH_INVALIDATE_STATE))},
    {0x02000004, GPUCMD_I915_MI_FLUSH(B(MI_FLUSH_KEEP_RENDER_CACHE))},
    {0x02000022, GPUCMD_I915_MI_FLUSH(B(MI_FLUSH_INVALIDATE_STATE) | B(MI_FLUSH_INVALIDATE_POINTERS))},
    {0x02800101, GPUCMD_I915_MI_ARB_CHECK(P(MI_ARB_CHECK_MASK, 1) | B(MI_ARB_CHECK_PRE_PARSER_OFF))},
    {0x03000001, GPUCMD_I915_MI_RS_CONTROL(B(MI_RS_CONTROL_START))},
    {0x03800000, GPUCMD_I915_MI_REPORT_HEAD(0)},
    {0x04000001, GPUCMD_I915_MI_ARB_ON_OFF(B(MI_ARB_ON_OFF_ENABLE))},
    {0x04800000, GPUCMD_I915_MI_URB_ATOMIC_ALLOC(0)},
    {0x05000000, GPUCMD_I915_MI_BATCH_BUFFER_END(0)},
    {0x05008000, GPUCMD_I915_MI_BATCH_BUFFER_END(B(MI_BATCH_BUFFER_END_PREDICATE))},
    {0x05800001, GPUCMD_I915_MI_SUSPEND_FLUSH(B(MI_SUSPEND_FLUSH_SUSPEND))},
    {0x06000082, GPUCMD_I915_MI_PREDICATE(P(MI_PREDICATE_LOAD, 2) | P(MI_PREDICATE_COMPARE, 2))},
    {0x060000c2, GPUCMD_I915_MI_PREDICATE(P(MI_PREDICATE_LOAD, 3) | P(MI_PREDICATE_COMPARE, 2))},
    {0x06800004, GPUCMD_I915_MI_TOPOLOGY_FILTER(P(MI_TOPOLOGY_FILTER_TOPOLOGY, 4))},
    {0x07000001, GPUCMD_I915_MI_SET_APPID(P(MI_SET_APPID_ID, 1))},
    {0x07800001, GPUCMD_I915_MI_RS_CONTEXT(B(MI_RS_CONTEXT_SAVE))},
    {0x08800000, GPUCMD_I915_MI_OVERLAY_FLIP(0)},
    {0x08a00000, GPUCMD_I915_MI_OVERLAY_FLIP(P(MI_OVERLAY_FLIP_MODE, 1))},
    {0x08c00000, GPUCMD_I915_MI_OVERLAY_FLIP(P(MI_OVERLAY_FLIP_MODE, 2))},
    {0x09000000, GPUCMD_I915_MI_LOAD_SCAN_LINES_INCL(0)},
    {0x09800000, GPUCMD_I915_MI_LOAD_SCAN_LINES_EXCL(0)},
    {0x0a000001, GPUCMD_I915_MI_DISPLAY_FLIP(G(3), 0)},
    {0x0a000002, GPUCMD_I915_MI_DISPLAY_FLIP(G(4), 0)},
    {0x0a100002, GPUCMD_I915_MI_DISPLAY_FLIP(G(5), P(MI_DISPLAY_FLIP_PLANE_G2, 1))},
    {0x0a200001, GPUCMD_I915_MI_DISPLAY_FLIP(G(7), P(MI_DISPLAY_FLIP_PLANE_G7, 4))},
    {0x0b140001, GPUCMD_I915_MI_SEMAPHORE_MBOX(B(MI_SEMAPHORE_MBOX_COMPARE) | B(MI_SEMAPHORE_MBOX_REGISTER))},
    {0x0b160001, GPUCMD_I915_MI_SEMAPHORE_MBOX(B(MI_SEMAPHORE_MBOX_COMPARE) | B(MI_SEMAPHORE_MBOX_REGISTER) | P(MI_SEMAPHORE_MBOX_SELECT, 2))},
    {0x0b600001, GPUCMD_I915_MI_SEMAPHORE_MBOX(B(MI_SEMAPHORE_MBOX_GGTT) | B(MI_SEMAPHORE_MBOX_UPDATE))},
    {0x0c000000, GPUCMD_I915_MI_SET_CONTEXT(0)},
    {0x0c800000, GPUCMD_I915_MI_URB_CLEAR(0)},
    {0x0d000000, GPUCMD_I915_MI_MATH(1, 0)},
    {0x0d000003, GPUCMD_I915_MI_MATH(4, 0)},
    {0x0d800000, GPUCMD_I915_MI_SEMAPHORE_SIGNAL(0)},
    {0x0d810000, GPUCMD_I915_MI_SEMAPHORE_SIGNAL(P(MI_SEMAPHORE_SIGNAL_ENGINE, 2))},
    {0x0e409002, GPUCMD_I915_MI_SEMAPHORE_WAIT(B(MI_SEMAPHORE_WAIT_GGTT) | B(MI_SEMAPHORE_WAIT_POLL) | P(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_GE))},
    {0x0e40c002, GPUCMD_I915_MI_SEMAPHORE_WAIT(B(MI_SEMAPHORE_WAIT_GGTT) | B(MI_SEMAPHORE_WAIT_POLL) | P(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_EQ))},
    {0x0e00d002, GPUCMD_I915_MI_SEMAPHORE_WAIT(B(MI_SEMAPHORE_WAIT_POLL) | P(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_NE))},
    {0x0e40c003, GPUCMD_I915_MI_SEMAPHORE_WAIT_TOKEN(B(MI_SEMAPHORE_WAIT_GGTT) | B(MI_SEMAPHORE_WAIT_POLL) | P(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_EQ))},
    {0x0e01c003, GPUCMD_I915_MI_SEMAPHORE_WAIT_TOKEN(B(MI_SEMAPHORE_WAIT_REGISTER) | B(MI_SEMAPHORE_WAIT_POLL) | P(MI_SEMAPHORE_WAIT_COMPARE, GPUCMD_I915_COMPARE_EQ))},
    {0x10000001, GPUCMD_I915_MI_STORE_DATA_IMM(G(3), 0)},
    {0x10000002, GPUCMD_I915_MI_STORE_DATA_IMM(G(4), 0)},
    {0x10400002, GPUCMD_I915_MI_STORE_DATA_IMM(G(6), B(MI_STORE_DATA_IMM_GGTT))},
    {0x10200003, GPUCMD_I915_MI_STORE_DATA_IMM_QW(G(8), 0)},
    {0x10600003, GPUCMD_I915_MI_STORE_DATA_IMM_QW(G(8), B(MI_STORE_DATA_IMM_GGTT))},
    {0x10000003, GPUCMD_I915_MI_STORE_DATA_IMM_QW(G(7), 0)},
    {0x10800001, GPUCMD_I915_MI_STORE_DATA_INDEX(0)},
    {0x11000001, GPUCMD_I915_MI_LOAD_REGISTER_IMM(1, 0)},
    {0x11000003, GPUCMD_I915_MI_LOAD_REGISTER_IMM(2, 0)},
    {0x11000007, GPUCMD_I915_MI_LOAD_REGISTER_IMM(4, 0)},
    {0x110000fb, GPUCMD_I915_MI_LOAD_REGISTER_IMM(126, 0)},
    {0x11080001, GPUCMD_I915_MI_LOAD_REGISTER_IMM1(B(MI_LOAD_REGISTER_IMM_ADD_CS_BASE))},
    {0x12000001, GPUCMD_I915_MI_STORE_REGISTER_MEM(G(7), 0)},
    {0x12400001, GPUCMD_I915_MI_STORE_REGISTER_MEM(G(4), B(MI_STORE_REGISTER_MEM_GGTT))},
    {0x12000002, GPUCMD_I915_MI_STORE_REGISTER_MEM(G(8), 0)},
    {0x12400002, GPUCMD_I915_MI_STORE_REGISTER_MEM(G(12_5), B(MI_STORE_REGISTER_MEM_GGTT))},
    {0x13000001, GPUCMD_I915_MI_FLUSH_DW(G(6), 0)},
    {0x13000002, GPUCMD_I915_MI_FLUSH_DW(G(8), 0)},
    {0x13204001, GPUCMD_I915_MI_FLUSH_DW(G(6), B(MI_FLUSH_DW_STORE_INDEX) | P(MI_FLUSH_DW_POST_SYNC, 1))},
    {0x13244081, GPUCMD_I915_MI_FLUSH_DW(G(7), B(MI_FLUSH_DW_STORE_INDEX) | P(MI_FLUSH_DW_POST_SYNC, 1) | B(MI_FLUSH_DW_TLB_INVALIDATE) | B(MI_FLUSH_DW_VIDEO_INVALIDATE))},
    {0x13004002, GPUCMD_I915_MI_FLUSH_DW(G(8), P(MI_FLUSH_DW_POST_SYNC, 1))},
    {0x14000001, GPUCMD_I915_MI_REPORT_PERF_COUNT(G(7), 0)},
    {0x14000002, GPUCMD_I915_MI_REPORT_PERF_COUNT(G(8), 0)},
    {0x14800001, GPUCMD_I915_MI_LOAD_REGISTER_MEM(G(7_5), 0)},
    {0x14800002, GPUCMD_I915_MI_LOAD_REGISTER_MEM(G(8), 0)},
    {0x14c00002, GPUCMD_I915_MI_LOAD_REGISTER_MEM(G(9), B(MI_LOAD_REGISTER_MEM_GGTT))},
    {0x15000001, GPUCMD_I915_MI_LOAD_REGISTER_REG(0)},
    {0x15800002, GPUCMD_I915_MI_RS_STORE_DATA_IMM(0)},
    {0x17000003, GPUCMD_I915_MI_COPY_MEM_MEM(0)},
    {0x17800001, GPUCMD_I915_MI_ATOMIC(0)},
    {0x17840409, GPUCMD_I915_MI_ATOMIC_INLINE(P(MI_ATOMIC_OPCODE, 4))},
    {0x17c60409, GPUCMD_I915_MI_ATOMIC_INLINE(P(MI_ATOMIC_OPCODE, 4) | B(MI_ATOMIC_GGTT) | B(MI_ATOMIC_CS_STALL))},
    {0x18000001, GPUCMD_I915_MI_BATCH_BUFFER(0)},
    {0x18800080, GPUCMD_I915_MI_BATCH_BUFFER_START(G(3), P(MI_BATCH_BUFFER_START_SPACE_G2, 2))},
    {0x18800180, GPUCMD_I915_MI_BATCH_BUFFER_START(G(4), B(MI_BATCH_BUFFER_START_GTT_G4) | B(MI_BATCH_BUFFER_START_NON_SECURE_G4))},
    {0x18800100, GPUCMD_I915_MI_BATCH_BUFFER_START(G(6), B(MI_BATCH_BUFFER_START_PPGTT))},
    {0x18802100, GPUCMD_I915_MI_BATCH_BUFFER_START(G(7_5), B(MI_BATCH_BUFFER_START_PPGTT) | B(MI_BATCH_BUFFER_START_NON_PRIVILEGED))},
    {0x18800001, GPUCMD_I915_MI_BATCH_BUFFER_START(G(8), 0)},
    {0x18800101, GPUCMD_I915_MI_BATCH_BUFFER_START(G(8), B(MI_BATCH_BUFFER_START_PPGTT))},
    {0x18c00101, GPUCMD_I915_MI_BATCH_BUFFER_START(G(9), B(MI_BATCH_BUFFER_START_PPGTT) | B(MI_BATCH_BUFFER_START_SECOND_LEVEL))},
    {0x18808101, GPUCMD_I915_MI_BATCH_BUFFER_START(G(9), B(MI_BATCH_BUFFER_START_PPGTT) | B(MI_BATCH_BUFFER_START_PREDICATE))},
    {0x18800501, GPUCMD_I915_MI_BATCH_BUFFER_START(G(8), B(MI_BATCH_BUFFER_START_PPGTT) | B(MI_BATCH_BUFFER_START_RESOURCE_STREAMER))},
    {0x1b200002, GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END(G(8), B(MI_CONDITIONAL_BATCH_BUFFER_END_COMPARE_ENABLE))},
    {0x7a000002, GPUCMD_I915_PIPE_CONTROL(G(4), 0)},
    {0x7a000003, GPUCMD_I915_PIPE_CONTROL(G(6), 0)},
    {0x7a000004, GPUCMD_I915_PIPE_CONTROL(G(8), 0)},
    {0x7a004002, GPUCMD_I915_PIPE_CONTROL(G(4), P(PIPE_CONTROL_POST_SYNC_G4, 1))},
    {0x00100002, B(PIPE_CONTROL_CS_STALL) | B(PIPE_CONTROL_STALL_AT_SCOREBOARD)},
    {0x00004000, P(PIPE_CONTROL_POST_SYNC, GPUCMD_I915_POST_SYNC_IMMEDIATE)},
    {0x0000c000, P(PIPE_CONTROL_POST_SYNC, GPUCMD_I915_POST_SYNC_TIMESTAMP)},
    {0x0000a000, P(PIPE_CONTROL_POST_SYNC, GPUCMD_I915_POST_SYNC_DEPTH_COUNT) | B(PIPE_CONTROL_DEPTH_STALL)},
    {0x50300003, GPUCMD_I915_BLT(COLOR_BLT, G(7), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x50f00004, GPUCMD_I915_BLT(SRC_COPY_BLT, G(7), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x54300004, GPUCMD_I915_BLT(XY_COLOR_BLT, G(7), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x54300005, GPUCMD_I915_BLT(XY_COLOR_BLT, G(8), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x54f00006, GPUCMD_I915_BLT(XY_SRC_COPY_BLT, G(7), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x54f00008, GPUCMD_I915_BLT(XY_SRC_COPY_BLT, G(8), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB))},
    {0x54f08006, GPUCMD_I915_BLT(XY_SRC_COPY_BLT, G(4), 0, B(BLT_WRITE_ALPHA) | B(BLT_WRITE_RGB) | B(BLT_SRC_TILED))},
    {0x50800008, GPUCMD_I915_BLT(XY_FAST_COPY_BLT, G(9), 0, 0)},
    {0x08008000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCA, 0)},
    {0x08008401, GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCB, 1)},
    {0x10000000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_ADD, 0, 0)},
    {0x10100000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_SUB, 0, 0)},
    {0x10200000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_AND, 0, 0)},
    {0x10300000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_OR, 0, 0)},
    {0x10400000, GPUCMD_I915_ALU(GPUCMD_I915_ALU_XOR, 0, 0)},
    {0x18000831, GPUCMD_I915_ALU(GPUCMD_I915_ALU_STORE, 2, GPUCMD_I915_ALU_ACCU)},
    {0x58000c32, GPUCMD_I915_ALU(GPUCMD_I915_ALU_STOREINV, 3, GPUCMD_I915_ALU_ZF)},
    {0x18001033, GPUCMD_I915_ALU(GPUCMD_I915_ALU_STORE, 4, GPUCMD_I915_ALU_CF)},
    {0x08108400, GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD0, GPUCMD_I915_ALU_SRCB, 0)},
    {0x48008005, GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOADINV, GPUCMD_I915_ALU_SRCA, 5)},
};

/* clang-format on */

static void constant_words(void)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        EQUAL(constants[i].got, constants[i].want);
    }
}

#define DISPATCHES(of, by, secure, va, ...)                                                        \
    do {                                                                                           \
        gpucmd_i915_target t;                                                                      \
        memset(&t, 0, sizeof t);                                                                   \
        t.gen = of;                                                                                \
        t.engine = GPUCMD_I915_##by;                                                               \
        EMITS(WORDS(__VA_ARGS__), gpucmd_i915_emit_dispatch(&w, &t, secure, va));                  \
    } while (0)

/* [K] sequences of the kernel, S = 0x64, batch at 0x22000. */
static void dispatches(void)
{
    DISPATCHES(G(3), RCS, false, 0x22000, 0x18800080, 0x00022001);
    DISPATCHES(G(5), RCS, false, 0x22000, 0x18800180, 0x00022000);
    DISPATCHES(G(4), RCS, true, 0x22000, 0x18800080, 0x00022000);
    DISPATCHES(G(6), RCS, false, 0x22000, 0x18800100, 0x00022000);
    DISPATCHES(G(7), RCS, true, 0x22000, 0x18800000, 0x00022000);
    DISPATCHES(G(7_5), RCS, false, 0x22000, 0x18802100, 0x00022000);
    DISPATCHES(G(7_5), BCS, false, 0x22000, 0x18800100, 0x00022000);
    DISPATCHES(G(8), RCS, false, 0x8000fff00000, 0x04000001, 0x18800101, 0xfff00000, 0x00008000,
               0x04000000, 0x00000000);
    EMITS(WORDS(0x18000001, 0x00022001, 0x00022ff8),
          gpucmd_i915_emit_mi_batch_buffer(&w, G(2), 0, 0x22001, 0x22ff8));
}

static void sequences(void)
{
    static const uint32_t pairs[] = {0x12044, 0x64, 0x22040, 0x64};
    static const uint32_t add[] = {0x08008000, 0x08008401, 0x10000000, 0x18000831};
    static const uint32_t five[4] = {5, 0, 0, 0}, zero[4] = {0, 0, 0, 0};
    /* gen6 seqno on a ring without a render engine; gen7 breadcrumb */
    EMITS(WORDS(0x13204001, 0x000000c4, 0x00000064),
          gpucmd_i915_emit_mi_flush_dw(
              &w, G(6), B(MI_FLUSH_DW_STORE_INDEX) | P(MI_FLUSH_DW_POST_SYNC, 1), 0xc4, 0x64));
    EMITS(WORDS(0x7a000003, 0x011050a1, 0x00010000, 0x00000064, 0x00000000),
          gpucmd_i915_emit_pipe_control(&w, G(7), 0, 0x011050a1, 0x10000, 0x64));
    EMITS(WORDS(0x7a000003, 0x00105021, 0x00010004, 0x00000064, 0x00000000),
          gpucmd_i915_emit_pipe_control(&w, G(6), 0, 0x00105021, 0x10004, 0x64));
    EMITS(WORDS(0x7a004002, 0x00010004, 0x00000064, 0x00000001),
          gpucmd_i915_emit_pipe_control(&w, G(4), 0x4000, 0, 0x10004, 0x100000064));
    EMITS(WORDS(0x7a000004, 0x00104080, 0x80000000, 0x00000001, 0x00000064, 0x00000002),
          gpucmd_i915_emit_pipe_control(&w, G(8), 0, 0x00104080, 0x180000000, 0x200000064));
    EMITS(WORDS(0x10800001, 0x000000c0, 0x00000064),
          gpucmd_i915_emit_mi_store_data_index(&w, G(4), 0, 0xc0, 0x64));
    EMITS(WORDS(0x10800002, 0x000000c0, 0x00000064, 0x00000001),
          gpucmd_i915_emit_mi_store_data_index_qw(&w, G(4), 0, 0xc0, 0x100000064));
    EMITS(WORDS(0x13004002, 0x00001000, 0x00000064, 0x00000001),
          gpucmd_i915_emit_mi_flush_dw_qw(&w, G(7), 0x4000, 0x1000, 0x100000064));
    EMITS(WORDS(0x13004003, 0x00001000, 0x00000001, 0x00000064, 0x00000002),
          gpucmd_i915_emit_mi_flush_dw_qw(&w, G(8), 0x4000, 0x100001000, 0x200000064));
    EMITS(WORDS(0x0b140001, 0x00000063, 0x00000000),
          gpucmd_i915_emit_mi_semaphore_mbox(&w, G(6), 0x00140000, 0x63, 0));
    EMITS(WORDS(0x11000003, 0x00012044, 0x00000064, 0x00022040, 0x00000064),
          gpucmd_i915_emit_mi_load_register_imm(&w, G(6), 0, pairs, 2));
    EMITS(WORDS(0x0e409002, 0x00000064, 0x00001000, 0x00000001),
          gpucmd_i915_emit_mi_semaphore_wait(&w, G(8), 0x00409000, 0x64, 0x100001000));
    EMITS(WORDS(0x0e40c003, 0x00000000, 0x00001000, 0x00000000, 0x00000000),
          gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(12), 0x0040c000, 0, 0x1000, 0));
    EMITS(WORDS(0x11000001, 0x00002220, 0xffffffff),
          gpucmd_i915_emit_mi_load_register_imm1(&w, G(7), 0, 0x2220, 0xffffffff));
    EMITS(WORDS(0x12400001, 0x00002228, 0x00010000),
          gpucmd_i915_emit_mi_store_register_mem(&w, G(7), B(MI_STORE_REGISTER_MEM_GGTT), 0x2228,
                                                 0x10000));
    EMITS(WORDS(0x0c000000, 0x0001010c), gpucmd_i915_emit_mi_set_context(&w, G(7), 0, 0x1010c));
    EMITS(WORDS(0x0d000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831),
          gpucmd_i915_emit_mi_math(&w, G(7_5), 0, add, 4));
    EMITS(WORDS(0x10000002, 0x00001000, 0x00000001, 0x00000055),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(8), 0, 0x100001000, 0x55));
    EMITS(WORDS(0x10200003, 0x00001000, 0x00000001, 0x00000055, 0x00000066),
          gpucmd_i915_emit_mi_store_data_imm_qw(&w, G(8), 0, 0x100001000, 0x6600000055));
    EMITS(WORDS(0x10000002, 0x00000000, 0x00001000, 0x00000055),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(6), 0, 0x1000, 0x55));
    EMITS(WORDS(0x10400001, 0x00001000, 0x00000055),
          gpucmd_i915_emit_mi_store_data_imm(&w, G(3), B(MI_STORE_DATA_IMM_GGTT), 0x1000, 0x55));
    EMITS(WORDS(0x10000004, 0x00001000, 0x00000000, 0x00000001, 0x00000002, 0x00000003),
          gpucmd_i915_emit_mi_store_data_imm_words(&w, G(8), 0, 0x1000, (const uint32_t[]){1, 2, 3},
                                                   3));
    EMITS(WORDS(0x10200005, 0x00001000, 0x00000001, 1, 2, 3, 4),
          gpucmd_i915_emit_mi_store_data_imm_words(&w, G(8), B(MI_STORE_DATA_IMM_QWORD),
                                                   0x100001000, (const uint32_t[]){1, 2, 3, 4}, 4));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm_words(
                            &w, G(8), B(MI_STORE_DATA_IMM_QWORD), 0x1000, zero, 3));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_store_data_imm_words(
                            &w, G(8), B(MI_STORE_DATA_IMM_QWORD), 0x1004, zero, 4));
    EMITS(WORDS(0x17840709, 0x00001000, 0x00000001, 5, 0, 0, 0, 0, 0, 0, 0),
          gpucmd_i915_emit_mi_atomic_inline(&w, G(8), P(MI_ATOMIC_OPCODE, 7), 0x100001000, five,
                                            zero));
    EMITS(WORDS(0x1b200002, 0x00000000, 0x00001000, 0x00000000),
          gpucmd_i915_emit_mi_conditional_batch_buffer_end(&w, G(8), 0x00200000, 0, 0x1000));
    EMITS(WORDS(0x1b200001, 0x00000000, 0x00001000),
          gpucmd_i915_emit_mi_conditional_batch_buffer_end(&w, G(6), 0x00200000, 0, 0x1000));
    EMITS(WORDS(0x15000001, 0x00002600, 0x0000241c),
          gpucmd_i915_emit_mi_load_register_reg(&w, G(8), 0, 0x2600, 0x241c));
    EMITS(WORDS(0x17000003, 0x00001000, 0x00000000, 0x00002000, 0x00000000),
          gpucmd_i915_emit_mi_copy_mem_mem(&w, G(9), 0, 0x1000, 0x2000));
}

/* [K] intel_migrate.c and [IGT]: copy and fill of a page of 4096 byte rows; [CAP] gem_blt. */
static void blits(void)
{
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    b.flags = 0x00300000;
    b.br13 = gpucmd_i915_br13(3, 0xcc, 4096);
    b.x2 = 1024;
    b.y2 = 1;
    b.dst_va = 0x100002000;
    b.src_va = 0x3000;
    b.src_pitch = 4096;
    b.color[0] = 0xc0ffee;
    EMITS(WORDS(0x54f00008, 0x03cc1000, 0, 0x00010400, 0x00002000, 1, 0, 0x00001000, 0x00003000, 0),
          gpucmd_i915_emit_blt(&w, G(8), GPUCMD_I915_OP_XY_SRC_COPY_BLT, &b));
    EMITS(WORDS(0x50800008, 0x03001000, 0, 0x00010400, 0x00002000, 1, 0, 0x00001000, 0x00003000, 0),
          b.flags = 0;
          b.br13 = 0x03001000; gpucmd_i915_emit_blt(&w, G(9), GPUCMD_I915_OP_XY_FAST_COPY_BLT, &b));
    b.flags = 0x00300000;
    b.br13 = gpucmd_i915_br13(3, 0xf0, 4096);
    EMITS(WORDS(0x54300005, 0x03f01000, 0, 0x00010400, 0x00002000, 1, 0xc0ffee),
          gpucmd_i915_emit_blt(&w, G(8), GPUCMD_I915_OP_XY_COLOR_BLT, &b));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_COLOR_BLT, &b));
    b.dst_va = 0x2000;
    EMITS(WORDS(0x54300004, 0x03f01000, 0, 0x00010400, 0x00002000, 0xc0ffee),
          gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_COLOR_BLT, &b));
    b.br13 = gpucmd_i915_br13(3, 0xcc, -4096);
    EMITS(WORDS(0x54f00006, 0x03ccf000, 0, 0x00010400, 0x00002000, 0, 0x00001000, 0x00003000),
          gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_XY_SRC_COPY_BLT, &b));
    b.rows = 2;
    b.width_bytes = 64;
    EMITS(WORDS(0x50300003, 0x03ccf000, 0x00020040, 0x00002000, 0xc0ffee),
          gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_COLOR_BLT, &b));
    EMITS(WORDS(0x50f00004, 0x03ccf000, 0x00020040, 0x00002000, 0x00001000, 0x00003000),
          gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_SRC_COPY_BLT, &b));
    b.br13 |= 1u << 30; /* from the right; a fill has no direction, and neither a clip [PRM5] */
    EMITS(WORDS(0x50f00004, 0x43ccf000, 0x00020040, 0x00002000, 0x00001000, 0x00003000),
          gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_SRC_COPY_BLT, &b));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_COLOR_BLT, &b));
    b.br13 ^= 3u << 30;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_SRC_COPY_BLT, &b));
    b.br13 ^= 1u << 31;
    b.x1 = -1;
    b.y1 = -2;
    b.flags = 1u << 11; /* [PRM5] */
    EMITS(WORDS(0x40c00801, 0xfffeffff, 0x00010400),
          gpucmd_i915_emit_blt(&w, G(4), GPUCMD_I915_OP_XY_SETUP_CLIP_BLT, &b));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_XY_SETUP_CLIP_BLT, &b));
    b.flags = 0;
    EMITS(WORDS(0x40c00001, 0xfffeffff, 0x00010400),
          gpucmd_i915_emit_blt(&w, G(6), GPUCMD_I915_OP_XY_SETUP_CLIP_BLT, &b));
    EMITS(WORDS(0x49000000, 0xfffeffff),
          gpucmd_i915_emit_blt(&w, G(6), GPUCMD_I915_OP_XY_PIXEL_BLT, &b));
    EMITS(WORDS(0x49400001, 0xfffeffff, 0x00010400),
          gpucmd_i915_emit_blt(&w, G(6), GPUCMD_I915_OP_XY_SCANLINES_BLT, &b));
    b.x1 = 40000;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(6), GPUCMD_I915_OP_XY_PIXEL_BLT, &b));
    memset(&b, 0, sizeof b);
    b.br13 = 4095;
    b.x2 = 4096;
    b.y2 = 1;
    b.dst_va = 0x8001fffea000;
    b.src_va = 0x3000;
    b.src_x = 2;
    b.src_layout = 0x40000fff;
    b.surface[0] = 0x12;
    b.surface[9] = 0x01;
    EMITS(WORDS(0x50400014, 0x00000fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0, 2, 0x40000fff,
                0x00003000, 0, 0, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0x01),
          gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    EMITS(WORDS(0x5040000a, 0x00000fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0, 2, 0x40000fff,
                0x00003000, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_i915_emit_blt(&w, G(11), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    b.offsets = 1u << 31; /* system memory [IGT] */
    b.short_form = true;
    EMITS(WORDS(0x5040000a, 0x00000fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0x80000000, 2,
                0x40000fff, 0x00003000, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    EMITS(WORDS(0x5040000a, 0x00000fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0x80000000, 2,
                0x40000fff, 0x00003000, 0, 0),
          gpucmd_i915_emit_blt(&w, G(12), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
    b.color[0] = 0x55;
    EMITS(WORDS(0x5100000e, 0x00000fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0x80000000, 0x55, 0,
                0, 0, 0x12, 0, 0, 0, 0), /* it has no short form */
          gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_FAST_COLOR_BLT, &b));
    b.short_form = false;
    b.br13 = 0x0d400fff; /* MOCS, and system memory, as xe_migrate.c writes them on TGL [XEK] */
    EMITS(WORDS(0x51000009, 0x0d400fff, 0, 0x00011000, 0xfffea000, 0xffff8001, 0x80000000, 0x55, 0,
                0, 0),
          gpucmd_i915_emit_blt(&w, G(12), GPUCMD_I915_OP_XY_FAST_COLOR_BLT, &b));
    b.br13 = 0x00000fff;
    b.surface[9] = 0x20; /* reserved */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_BLOCK_COPY_BLT, &b));
}

/* The form with one data word; gen6 has the global table bit in the address. */
static void short_pipe_control(void)
{
    EMITS(WORDS(0x7a000002, 0x00100002, 0, 0),
          gpucmd_i915_emit_pipe_control_short(&w, G(6), 0, 0x00100002, 0, 0));
    EMITS(WORDS(0x7a000002, 0x00105021, 0x1004, 0x64),
          gpucmd_i915_emit_pipe_control_short(&w, G(6), 0, 0x00105021, 0x1004, 0x64));
    EMITS(WORDS(0x7a000002, 0x011050a1, 0x2000, 0x64),
          gpucmd_i915_emit_pipe_control_short(&w, G(7), 0, 0x011050a1, 0x2000, 0x64));
    EMITS(WORDS(0x7a000003, 0x00004000, 0x00100000, 0, 0x2a),
          gpucmd_i915_emit_pipe_control_short(&w, G(8), 0, 0x00004000, 0x100000, 0x2a));
    EMITS(WORDS(0x7a000203, 0x00004000, 0x00100000, 0, 0x2a), /* HDC_FLUSH in DW0 [GX] */
          gpucmd_i915_emit_pipe_control_short(&w, G(12), 0x200, 0x00004000, 0x100000, 0x2a));
    EQUAL(GPUCMD_I915_PIPE_CONTROL_SHORT(G(6), 0), 0x7a000002);
    EQUAL(GPUCMD_I915_PIPE_CONTROL_SHORT(G(8), 0), 0x7a000003);
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_pipe_control_short(&w, G(5), 0, 0, 0, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_pipe_control_short(&w, G(7), 0, 0x4000, 0x1004, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_pipe_control_short(&w, G(6), 0, 0x01000000, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_pipe_control_short(&w, G(7), 0x4000, 0, 0, 0));
}

/* DW3 of a flip: the pipe size of gen4 to gen6, the left eye's base from gen9. */
static void flips(void)
{
    EMITS(WORDS(0x0a000002, 0x800, 0x01000000, 0x03ff02ff),
          gpucmd_i915_emit_mi_display_flip(&w, G(4), 0, 0x800, 0x01000000, 0x03ff02ff));
    EMITS(WORDS(0x0a000001, 0x800, 0x01000000),
          gpucmd_i915_emit_mi_display_flip(&w, G(7), 0, 0x800, 0x01000000, 0));
    EMITS(WORDS(0x0a000001, 0x800, 0x01000002),
          gpucmd_i915_emit_mi_display_flip(&w, G(8), 0, 0x800, 0x01000002, 0));
    EMITS(WORDS(0x0a000001, 0x841, 0x01000001),
          gpucmd_i915_emit_mi_display_flip(&w, G(9), 0, 0x841, 0x01000001, 0));
    EMITS(WORDS(0x0a000102, 0x80000841, 0x01000002, 0x02000000),
          gpucmd_i915_emit_mi_display_flip(&w, G(9), 0x100, 0x80000841, 0x01000002, 0x02000000));
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_mi_display_flip(&w, G(9), 0, 0x80000841, 0x01000002, 0x02000800));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, G(9), 0, 0x841, 0x01000000, 0x1000));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, G(8), 0, 0x800, 0x01000002, 0x1000));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_display_flip(&w, G(8), 0, 0x800, 0x01000002, 1));
}

static void refusals(void)
{
    uint32_t dw[65] = {1, 2, 3, 4};
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_math(&w, G(7), 0, dw, 1));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_semaphore_mbox(&w, G(8), 0, 0, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_semaphore_wait(&w, G(7_5), 0, 0, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_semaphore_wait_token(&w, G(11), 0, 0, 0, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_pipe_control(&w, G(3), 0, 0, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_pipe_control(&w, G(5), 0, 1, 0, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_load_register_reg(&w, G(7), 0, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_noop(&w, G(9), 0x00800000));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_batch_buffer_end(&w, G(9), 1));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_math(&w, G(7_5), 0, dw, 65));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_math(&w, G(9), 0, dw, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_math(&w, G(7_5), 0, dw, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_load_register_imm1(&w, G(9), 0, 0x800000, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_load_register_imm1(&w, G(9), 0, 0x2602, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_load_register_imm1(&w, G(9), 0x00080000, 0x2600, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm(&w, G(7), 0, 0x100000000, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_store_data_imm(&w, G(8), 0, 0x1000000000000, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_store_data_imm(&w, G(8), 0, 0x1002, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_store_data_imm_qw(&w, G(8), 0, 0x1004, 0));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_mi_store_data_imm_qw(&w, G(3), 0, 0x1000, 0));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_mi_batch_buffer_start(&w, G(6), 0, 0x22001));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_mi_batch_buffer_start(&w, G(6), 0x00400000, 0x22000));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_pipe_control(&w, G(8), 0, 0x4000, 0x1004, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_pipe_control(&w, G(6), 0, 0x01000000, 0, 0));
    EQUAL(gpucmd_i915_encode_mi_load_register_imm1(dw, G(9), 0, 2, 0), GPUCMD_ALIGN);
    EQUAL(dw[0], 1);
    EQUAL(gpucmd_i915_encode_mi_load_register_imm1(dw, G(9), 0, 0x2600, 7), GPUCMD_OK);
    EQUAL(dw[0], 0x11000001);
    EQUAL(dw[2], 7);
    /* Canonical and plain 48-bit addresses give the same words. */
    EMITS(WORDS(0x18800001, 0x00000000, 0xffff8000),
          gpucmd_i915_emit_mi_batch_buffer_start(&w, G(8), 0, 0xffff800000000000));
}

int main(void)
{
    constant_words();
    dispatches();
    sequences();
    blits();
    short_pipe_control();
    flips();
    refusals();
    return test_report("i915_encode");
}

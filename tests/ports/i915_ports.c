/* Functions of the i915 driver, written on gpucmd_i915.h. Each takes the arguments of a case and
 * must store the words that the driver's own function stores. */
#include "ports.h"

#include "gpucmd_i915.h"

#define BIT_OF(field)    GPUCMD_I915_BITS(field)
#define PUT_OF(field, v) GPUCMD_I915_PUT(field, v)
#define PC(field)        GPUCMD_I915_BITS(PIPE_CONTROL_##field)

/* Numbers of the driver: offsets in the status page and in a context, sizes. */
enum {
    HWS_SEQNO = 0x40 * 4,
    HWS_SCRATCH = 0x80 * 4,
    HWS_PREEMPT = 0x32 * 4,
    PPHWSP_SCRATCH = 0x34 * 4,
    CCS_SEMAPHORE = 0x540,
    WA_BATCH = 2 * 4096,
    PREDICATE_RESULT = 4096 - 8,
    PREDICATE_BATCH = 2048
};

typedef struct port {
    gpucmd_writer w;
    gpucmd_i915_gen gen;
    const port_case *c;
} port;

static void begin(port *p, const port_case *c, uint32_t *out)
{
    p->c = c;
    p->gen = (gpucmd_i915_gen)c->gen10;
    gpucmd_writer_init(&p->w, out, PORT_MAX_DW);
}

static int end(port *p)
{
    size_t len_dw = 0;
    return gpucmd_writer_finish(&p->w, &len_dw) == GPUCMD_OK ? (int)len_dw : PORT_REFUSED;
}

/* Define the function of a port. The body appends to p->w. */
#define PORT(name)                                                                                 \
    static void body_##name(port *p, const port_case *c);                                          \
    int port_##name(const port_case *c, uint32_t *out)                                             \
    {                                                                                              \
        port p;                                                                                    \
        begin(&p, c, out);                                                                         \
        body_##name(&p, c);                                                                        \
        return end(&p);                                                                            \
    }                                                                                              \
    static void body_##name(port *p, const port_case *c)

/* ---- helpers ---- */

/* Commands in the driver's order of arguments. */
static void noop(port *p)
{
    gpucmd_i915_emit_mi_noop(&p->w, p->gen, 0);
}

static void user_interrupt(port *p)
{
    gpucmd_i915_emit_mi_user_interrupt(&p->w, p->gen, 0);
}

static void arbitrate(port *p, bool on)
{
    gpucmd_i915_emit_mi_arb_on_off(&p->w, p->gen, on ? BIT_OF(MI_ARB_ON_OFF_ENABLE) : 0);
}

static void pre_parser(port *p, bool off)
{
    gpucmd_i915_emit_mi_arb_check(
        &p->w, p->gen, PUT_OF(MI_ARB_CHECK_MASK, 1) | PUT_OF(MI_ARB_CHECK_PRE_PARSER_OFF, off));
}

static void pipe(port *p, uint32_t flags0, uint32_t flags1, uint32_t va, uint32_t data)
{
    gpucmd_i915_emit_pipe_control(&p->w, p->gen, flags0, flags1, va, data);
}

static void pipe4(port *p, uint32_t flags1, uint32_t va, uint32_t data)
{
    gpucmd_i915_emit_pipe_control_short(&p->w, p->gen, 0, flags1, va, data);
}

static void store_index(port *p, uint32_t offset_bytes, uint32_t data)
{
    gpucmd_i915_emit_mi_store_data_index(&p->w, p->gen, 0, offset_bytes, data);
}

static void lri(port *p, uint32_t flags, uint32_t reg, uint32_t value)
{
    gpucmd_i915_emit_mi_load_register_imm1(&p->w, p->gen, flags, reg, value);
}

static void lrm(port *p, uint32_t flags, uint32_t reg, uint32_t va)
{
    gpucmd_i915_emit_mi_load_register_mem(&p->w, p->gen, BIT_OF(MI_LOAD_REGISTER_MEM_GGTT) | flags,
                                          reg, va);
}

static void srm(port *p, uint32_t reg, uint32_t va)
{
    gpucmd_i915_emit_mi_store_register_mem(&p->w, p->gen, BIT_OF(MI_STORE_REGISTER_MEM_GGTT), reg,
                                           va);
}

/* ---- gen2_engine_cs.c ---- */

PORT(gen2_emit_flush)
{
    const uint32_t flags = c->invalidate ? BIT_OF(MI_FLUSH_INVALIDATE_MAP) : 0;
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, flags);
    for (int i = 0; i < 12; i++) {
        store_index(p, HWS_SCRATCH, 0);
        gpucmd_i915_emit_mi_flush(&p->w, p->gen, BIT_OF(MI_FLUSH_KEEP_RENDER_CACHE));
    }
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, flags);
}

static void delay(port *p)
{
    pipe(p, PUT_OF(PIPE_CONTROL_POST_SYNC_G4, 1), 0, p->c->scratch_va | PC(GGTT_G4), 0);
}

PORT(gen4_emit_flush_rcs)
{
    const bool pointers = c->gen10 >= 45;
    const uint32_t flags = !c->invalidate
                               ? 0
                               : BIT_OF(MI_FLUSH_INVALIDATE_STATE) |
                                     (pointers ? BIT_OF(MI_FLUSH_INVALIDATE_POINTERS) : 0);
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, flags);
    if (c->invalidate) {
        delay(p);
        for (int i = 0; i < 12; i++) {
            gpucmd_i915_emit_mi_flush(&p->w, p->gen, 0);
        }
        delay(p);
    }
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, flags);
}

PORT(gen4_emit_flush_vcs)
{
    (void)c;
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, 0);
    noop(p);
}

static void old_breadcrumb(port *p, int flushes, int stores)
{
    gpucmd_i915_emit_mi_flush(&p->w, p->gen, 0);
    for (int i = 0; i < flushes; i++) {
        store_index(p, HWS_SCRATCH, p->c->seqno);
    }
    for (int i = 0; i < stores; i++) {
        store_index(p, HWS_SEQNO, p->c->seqno);
    }
    user_interrupt(p);
}

PORT(gen3_emit_breadcrumb)
{
    (void)c;
    old_breadcrumb(p, 16, 8);
}

PORT(gen5_emit_breadcrumb)
{
    (void)c;
    old_breadcrumb(p, 8, 8);
}

/* The start of a batch in the global table; the flag that takes its rights away is in the address
 * before gen4. */
static void old_start(port *p, uint64_t va)
{
    const bool in_va = p->c->gen10 < 40;
    const uint32_t limited = in_va ? BIT_OF(MI_BATCH_BUFFER_START_NON_SECURE)
                                   : BIT_OF(MI_BATCH_BUFFER_START_NON_SECURE_G4);
    const uint32_t space = BIT_OF(MI_BATCH_BUFFER_START_GTT_G4); /* the same bit as SPACE_G2 2 */
    gpucmd_i915_emit_mi_batch_buffer_start(&p->w, p->gen,
                                           space | (in_va || p->c->secure ? 0 : limited),
                                           va | (!in_va || p->c->secure ? 0 : limited));
}

PORT(i830_emit_bb_start)
{
    const uint32_t rgba = BIT_OF(BLT_WRITE_ALPHA) | BIT_OF(BLT_WRITE_RGB);
    gpucmd_i915_blt fill = {.flags = rgba, .br13 = gpucmd_i915_br13(3, 0xf0, 4096)};
    gpucmd_i915_blt copy = {.flags = rgba, .br13 = gpucmd_i915_br13(3, 0xcc, 4096)};
    fill.rows = 2;
    fill.width_bytes = 4;
    fill.dst_va = c->scratch_va;
    fill.color[0] = 0xdeadbeef;
    gpucmd_i915_emit_blt(&p->w, p->gen, GPUCMD_I915_OP_COLOR_BLT, &fill);
    noop(p);
    if (!c->pinned) {
        copy.rows = (c->size_bytes + 4095) / 4096;
        copy.width_bytes = 4096;
        copy.dst_va = c->scratch_va;
        copy.src_pitch = 4096;
        copy.src_va = c->va;
        gpucmd_i915_emit_blt(&p->w, p->gen, GPUCMD_I915_OP_SRC_COPY_BLT, &copy);
        gpucmd_i915_emit_mi_flush(&p->w, p->gen, 0);
        noop(p);
    }
    old_start(p, c->pinned ? c->va : c->scratch_va);
}

PORT(gen3_emit_bb_start)
{
    old_start(p, c->va);
}

PORT(gen4_emit_bb_start)
{
    old_start(p, c->va);
}

/* ---- gen6_engine_cs.c ---- */

PORT(gen6_emit_flush_rcs)
{
    const uint32_t scratch = (c->scratch_va + 128) | PC(GGTT_G6);
    uint32_t flags = 0;
    pipe(p, 0, PC(CS_STALL) | PC(STALL_AT_SCOREBOARD), scratch, 0);
    noop(p);
    pipe(p, 0, PUT_OF(PIPE_CONTROL_POST_SYNC, 1), scratch, 0);
    noop(p);
    if (c->write_back) {
        flags |= PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(CS_STALL);
    }
    if (c->invalidate) {
        flags |= PC(TLB_INVALIDATE) | PC(INSTRUCTION_INVALIDATE) | PC(TEXTURE_INVALIDATE) |
                 PC(VF_INVALIDATE) | PC(CONSTANT_INVALIDATE) | PC(STATE_INVALIDATE) |
                 PUT_OF(PIPE_CONTROL_POST_SYNC, 1) | PC(CS_STALL);
    }
    pipe4(p, flags, scratch, 0);
}

static void old_flush_dw(port *p, uint32_t flags)
{
    gpucmd_i915_emit_mi_flush_dw(&p->w, p->gen,
                                 BIT_OF(MI_FLUSH_DW_STORE_INDEX) |
                                     PUT_OF(MI_FLUSH_DW_POST_SYNC, 1) |
                                     (p->c->invalidate ? flags : 0),
                                 HWS_SCRATCH | BIT_OF(MI_FLUSH_DW_GGTT), 0);
    noop(p);
}

PORT(gen6_emit_flush_vcs)
{
    (void)c;
    old_flush_dw(p, BIT_OF(MI_FLUSH_DW_TLB_INVALIDATE) | BIT_OF(MI_FLUSH_DW_VIDEO_INVALIDATE));
}

PORT(gen6_emit_flush_xcs)
{
    (void)c;
    old_flush_dw(p, BIT_OF(MI_FLUSH_DW_TLB_INVALIDATE));
}

PORT(gen7_emit_flush_rcs)
{
    uint32_t flags = PC(CS_STALL) | PUT_OF(PIPE_CONTROL_POST_SYNC, 1) | PC(GGTT);
    if (c->write_back) {
        flags |= PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) | PC(FLUSH_ENABLE);
    }
    if (c->invalidate) {
        flags |= PC(TLB_INVALIDATE) | PC(INSTRUCTION_INVALIDATE) | PC(TEXTURE_INVALIDATE) |
                 PC(VF_INVALIDATE) | PC(CONSTANT_INVALIDATE) | PC(STATE_INVALIDATE) |
                 PC(MEDIA_STATE_CLEAR);
        pipe4(p, PC(CS_STALL) | PC(STALL_AT_SCOREBOARD), 0, 0);
    }
    pipe4(p, flags, c->scratch_va + 128, 0);
}

PORT(gen6_emit_breadcrumb_rcs)
{
    pipe4(p, PC(CS_STALL) | PC(STALL_AT_SCOREBOARD), 0, 0);
    pipe4(p, PUT_OF(PIPE_CONTROL_POST_SYNC, 1), c->scratch_va | PC(GGTT_G6), 0);
    pipe4(p,
          PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) | PC(CS_STALL) |
              PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
          c->hwsp_va | PC(GGTT_G6), c->seqno);
    user_interrupt(p);
    noop(p);
}

PORT(gen7_emit_breadcrumb_rcs)
{
    pipe4(p,
          PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) | PC(FLUSH_ENABLE) |
              PC(CS_STALL) | PC(GGTT) | PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
          c->hwsp_va, c->seqno);
    user_interrupt(p);
    noop(p);
}

static void old_flush_seqno(port *p, uint32_t flags)
{
    gpucmd_i915_emit_mi_flush_dw(
        &p->w, p->gen, flags | BIT_OF(MI_FLUSH_DW_STORE_INDEX) | PUT_OF(MI_FLUSH_DW_POST_SYNC, 1),
        HWS_SEQNO | BIT_OF(MI_FLUSH_DW_GGTT), p->c->seqno);
}

PORT(gen6_emit_breadcrumb_xcs)
{
    (void)c;
    old_flush_seqno(p, 0);
    user_interrupt(p);
}

PORT(gen7_emit_breadcrumb_xcs)
{
    old_flush_seqno(p, BIT_OF(MI_FLUSH_DW_TLB_INVALIDATE));
    for (int i = 0; i < 32; i++) {
        store_index(p, HWS_SEQNO, c->seqno);
    }
    gpucmd_i915_emit_mi_flush_dw(&p->w, p->gen, 0, 0, 0);
    user_interrupt(p);
    noop(p);
}

PORT(gen6_emit_bb_start)
{
    gpucmd_i915_emit_mi_batch_buffer_start(
        &p->w, p->gen, c->secure ? 0 : BIT_OF(MI_BATCH_BUFFER_START_PPGTT), c->va);
}

PORT(hsw_emit_bb_start)
{
    gpucmd_i915_emit_mi_batch_buffer_start(&p->w, p->gen,
                                           c->secure
                                               ? 0
                                               : BIT_OF(MI_BATCH_BUFFER_START_PPGTT) |
                                                     BIT_OF(MI_BATCH_BUFFER_START_NON_PRIVILEGED),
                                           c->va);
}

/* ---- gen8_engine_cs.c, gen8_engine_cs.h ---- */

static uint32_t invalidate_8(void)
{
    return PC(TLB_INVALIDATE) | PC(INSTRUCTION_INVALIDATE) | PC(TEXTURE_INVALIDATE) |
           PC(VF_INVALIDATE) | PC(CONSTANT_INVALIDATE) | PC(STATE_INVALIDATE);
}

static uint32_t write_back_8(void)
{
    return PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) | PC(FLUSH_ENABLE);
}

/* Post-sync store of zero to the scratch words of the context. */
static uint32_t to_context(void)
{
    return PUT_OF(PIPE_CONTROL_POST_SYNC, 1) | PC(STORE_INDEX);
}

PORT(gen8_emit_flush_rcs)
{
    if (c->invalidate && c->gen10 == 90) {
        pipe(p, 0, 0, 0, 0);
    }
    if (c->invalidate && c->kbl_b0) {
        pipe(p, 0, PC(DC_FLUSH), 0, 0);
    }
    pipe(p, 0,
         PC(CS_STALL) | (c->write_back ? write_back_8() : 0) |
             (c->invalidate ? invalidate_8() | to_context() : 0),
         PPHWSP_SCRATCH, 0);
    if (c->invalidate && c->kbl_b0) {
        pipe(p, 0, PC(CS_STALL), 0, 0);
    }
}

/* Return the register that invalidates the table of compression of an engine, or 0. */
static uint32_t aux_register(const port_case *c)
{
    if (c->flat_ccs) {
        return 0;
    }
    return c->engine == PORT_RCS   ? 0x4208
           : c->engine == PORT_BCS ? (c->instance == 0 ? 0x4248 : 0)
           : c->engine == PORT_VCS ? (c->instance == 0   ? c->gsi_offset + 0x4218
                                      : c->instance == 2 ? c->gsi_offset + 0x4298
                                                         : 0)
           : c->instance != 0      ? 0
           : c->engine == PORT_CCS ? 0x42c8
                                   : c->gsi_offset + 0x4238;
}

/* The flush of an engine without PIPE_CONTROL. */
static void flush_8(port *p)
{
    const port_case *c = p->c;
    gpucmd_i915_emit_mi_flush_dw(
        &p->w, p->gen,
        BIT_OF(MI_FLUSH_DW_STORE_INDEX) | PUT_OF(MI_FLUSH_DW_POST_SYNC, 1) |
            (!c->invalidate
                 ? 0
                 : BIT_OF(MI_FLUSH_DW_TLB_INVALIDATE) |
                       (c->engine == PORT_VCS ? BIT_OF(MI_FLUSH_DW_VIDEO_INVALIDATE) : 0) |
                       (c->version >= 700 && c->gen10 >= 120 && c->engine == PORT_BCS &&
                                aux_register(c) != 0
                            ? BIT_OF(MI_FLUSH_DW_FLUSH_CCS)
                            : 0)),
        PPHWSP_SCRATCH, 0);
}

PORT(gen8_emit_flush_xcs)
{
    (void)c;
    flush_8(p);
}

PORT(gen11_emit_flush_rcs)
{
    if (c->write_back) {
        pipe(p, 0, PC(CS_STALL) | PC(TILE_FLUSH) | write_back_8() | to_context(), PPHWSP_SCRATCH,
             0);
    }
    if (c->invalidate) {
        pipe(p, 0, PC(CS_STALL) | PC(COMMAND_INVALIDATE) | invalidate_8() | to_context(),
             PPHWSP_SCRATCH, 0);
    }
}

static void invalidate_aux(port *p)
{
    const uint32_t reg = aux_register(p->c);
    if (reg != 0) {
        lri(p, BIT_OF(MI_LOAD_REGISTER_IMM_REMAP), reg, 1);
        gpucmd_i915_emit_mi_semaphore_wait_token(&p->w, p->gen,
                                                 BIT_OF(MI_SEMAPHORE_WAIT_REGISTER) |
                                                     BIT_OF(MI_SEMAPHORE_WAIT_POLL) |
                                                     PUT_OF(MI_SEMAPHORE_WAIT_COMPARE, 4),
                                                 0, reg, 0);
    }
}

/* Remove what a compute engine does not have. */
static uint32_t engine_flags(const port_case *c, uint32_t flags)
{
    return c->engine != PORT_CCS
               ? flags
               : flags & ~(PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(TILE_FLUSH) |
                           PC(DEPTH_STALL) | PC(STALL_AT_SCOREBOARD) | PC(PSD_SYNC) |
                           PC(AMFS_FLUSH) | PC(VF_INVALIDATE) | PC(SNAPSHOT_RESET));
}

/* 7.3: a flush of depth in front of other flushes. */
static void depth_first(port *p, uint32_t offset_bytes)
{
    if (p->c->version >= 700 && p->c->gen10 >= 125) {
        pipe(p, 0, PC(DEPTH_CACHE_FLUSH), offset_bytes, 0);
    }
}

PORT(gen12_emit_flush_rcs)
{
    const bool new = c->gen10 >= 127;
    if (c->write_back || aux_register(c) != 0) {
        depth_first(p, PPHWSP_SCRATCH);
        pipe(p, PC(HDC_FLUSH) | (new ? PC(CCS_FLUSH) : 0),
             engine_flags(c, (c->write_back && !new ? PC(L3_FLUSH) : 0) | PC(TILE_FLUSH) |
                                 PC(DEPTH_STALL) | PC(CS_STALL) | write_back_8() | to_context()),
             PPHWSP_SCRATCH, 0);
    }
    if (c->invalidate) {
        depth_first(p, PPHWSP_SCRATCH);
        pre_parser(p, true);
        pipe(p, 0,
             engine_flags(c, PC(CS_STALL) | PC(COMMAND_INVALIDATE) | invalidate_8() | to_context()),
             PPHWSP_SCRATCH, 0);
        invalidate_aux(p);
        pre_parser(p, false);
    }
}

PORT(gen12_emit_flush_xcs)
{
    if (c->invalidate) {
        pre_parser(p, true);
    }
    flush_8(p);
    invalidate_aux(p);
    if (c->invalidate) {
        pre_parser(p, false);
    }
}

PORT(gen8_emit_init_breadcrumb)
{
    gpucmd_i915_emit_mi_store_data_imm(&p->w, p->gen, BIT_OF(MI_STORE_DATA_IMM_GGTT), c->hwsp_va,
                                       c->seqno - 1);
    noop(p);
    gpucmd_i915_emit_mi_arb_check(&p->w, p->gen, 0);
}

static void start_8(port *p)
{
    gpucmd_i915_emit_mi_batch_buffer_start(
        &p->w, p->gen, p->c->secure ? 0 : BIT_OF(MI_BATCH_BUFFER_START_PPGTT), p->c->va);
}

PORT(gen8_emit_bb_start_noarb)
{
    (void)c;
    arbitrate(p, false);
    start_8(p);
}

PORT(gen8_emit_bb_start)
{
    if (c->noarb) {
        arbitrate(p, false);
        start_8(p);
        return;
    }
    arbitrate(p, true);
    start_8(p);
    arbitrate(p, false);
    noop(p);
}

static void start_12_5(port *p, bool preemption)
{
    const uint32_t batch = p->c->state_va + WA_BATCH;
    arbitrate(p, preemption);
    lrm(p, BIT_OF(MI_LOAD_REGISTER_MEM_ADD_CS_BASE), 0x3b8, batch + PREDICATE_RESULT);
    start_8(p);
    gpucmd_i915_emit_mi_batch_buffer_start(&p->w, p->gen, 0, batch + PREDICATE_BATCH);
    arbitrate(p, false);
}

PORT(gen125_emit_bb_start_noarb)
{
    (void)c;
    start_12_5(p, false);
}

PORT(gen125_emit_bb_start)
{
    (void)c;
    start_12_5(p, true);
}

static void wait_for_preemption(port *p)
{
    const uint32_t flags = BIT_OF(MI_SEMAPHORE_WAIT_GGTT) | BIT_OF(MI_SEMAPHORE_WAIT_POLL) |
                           PUT_OF(MI_SEMAPHORE_WAIT_COMPARE, 4);
    const uint32_t va = p->c->status_va + HWS_PREEMPT;
    gpucmd_i915_emit_mi_arb_check(&p->w, p->gen, 0);
    if (p->c->gen10 >= 120) {
        gpucmd_i915_emit_mi_semaphore_wait_token(&p->w, p->gen, flags, 0, va, 0);
    } else {
        gpucmd_i915_emit_mi_semaphore_wait(&p->w, p->gen, flags, 0, va);
        noop(p);
    }
}

/* Hold the compute engine until its semaphore in the context is released. */
static void hold_ccs(port *p)
{
    static const uint32_t one[4] = {1, 0, 0, 0}, none[4] = {0, 0, 0, 0};
    const uint32_t va = p->c->state_va + CCS_SEMAPHORE;
    gpucmd_i915_emit_mi_atomic_inline(&p->w, p->gen,
                                      BIT_OF(MI_ATOMIC_GGTT) | BIT_OF(MI_ATOMIC_CS_STALL) |
                                          PUT_OF(MI_ATOMIC_OPCODE, 4),
                                      va, one, none);
    noop(p);
    gpucmd_i915_emit_mi_semaphore_wait(&p->w, p->gen,
                                       BIT_OF(MI_SEMAPHORE_WAIT_GGTT) |
                                           BIT_OF(MI_SEMAPHORE_WAIT_POLL) |
                                           PUT_OF(MI_SEMAPHORE_WAIT_COMPARE, 4),
                                       0, va);
}

static void breadcrumb_tail(port *p)
{
    user_interrupt(p);
    arbitrate(p, true);
    if (p->c->semaphores && !p->c->guc) {
        wait_for_preemption(p);
    }
    if (p->c->gen10 >= 120 && p->c->engine == PORT_CCS && p->c->pinned) {
        hold_ccs(p);
    }
    gpucmd_i915_emit_mi_arb_check(&p->w, p->gen, 0);
    noop(p);
}

static void flush_seqno(port *p)
{
    gpucmd_i915_emit_mi_flush_dw(&p->w, p->gen, PUT_OF(MI_FLUSH_DW_POST_SYNC, 1),
                                 p->c->hwsp_va | BIT_OF(MI_FLUSH_DW_GGTT), p->c->seqno);
}

PORT(gen8_emit_fini_breadcrumb_xcs)
{
    (void)c;
    flush_seqno(p);
    breadcrumb_tail(p);
}

PORT(gen8_emit_fini_breadcrumb_rcs)
{
    pipe(p, 0,
         PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) |
             (c->version >= 700 ? PC(CS_STALL) | PC(TLB_INVALIDATE) : 0),
         0, 0);
    pipe(p, 0, PC(FLUSH_ENABLE) | PC(CS_STALL) | PC(GGTT) | PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
         c->hwsp_va, c->seqno);
    breadcrumb_tail(p);
}

/* The seqno of 7.3, after a PIPE_CONTROL that flushes. */
static void write_seqno(port *p)
{
    pipe(p, 0, PC(FLUSH_ENABLE) | PC(CS_STALL) | PC(GGTT) | PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
         p->c->hwsp_va, p->c->seqno);
}

PORT(gen11_emit_fini_breadcrumb_rcs)
{
    if (c->version >= 700) {
        pipe(p, 0,
             PC(CS_STALL) | PC(TLB_INVALIDATE) | PC(TILE_FLUSH) | PC(RENDER_TARGET_FLUSH) |
                 PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH),
             0, 0);
        write_seqno(p);
        breadcrumb_tail(p);
        return;
    }
    pipe(p, 0,
         PC(CS_STALL) | PC(TILE_FLUSH) | write_back_8() | PC(GGTT) |
             PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
         c->hwsp_va, c->seqno);
    breadcrumb_tail(p);
}

PORT(gen12_emit_fini_breadcrumb_xcs)
{
    (void)c;
    gpucmd_i915_emit_mi_flush_dw(&p->w, p->gen, 0, 0, 0);
    flush_seqno(p);
    breadcrumb_tail(p);
}

PORT(gen12_emit_fini_breadcrumb_rcs)
{
    if (c->version >= 700) {
        depth_first(p, 0);
        pipe(p, PC(HDC_FLUSH),
             engine_flags(c, PC(CS_STALL) | PC(TLB_INVALIDATE) | PC(TILE_FLUSH) | write_back_8() |
                                 (c->gen10 < 127 ? PC(L3_FLUSH) : 0) |
                                 (c->gen10 < 125 ? PC(DEPTH_STALL) : 0)),
             0, 0);
        write_seqno(p);
        breadcrumb_tail(p);
        return;
    }
    const uint32_t flags = PC(CS_STALL) | PC(TILE_FLUSH) | PC(L3_FLUSH) | write_back_8() |
                           (c->gen10 < 125 ? PC(DEPTH_STALL) : 0);
    pipe(p, PC(HDC_FLUSH), engine_flags(c, flags) | PC(GGTT) | PUT_OF(PIPE_CONTROL_POST_SYNC, 1),
         c->hwsp_va, c->seqno);
    breadcrumb_tail(p);
}

/* ---- intel_migrate.c ---- */

PORT(emit_no_arbitration)
{
    (void)c;
    arbitrate(p, false);
    noop(p);
}

/* Store entries of a page table, as many as one command takes. The window of entries is after two
 * (three with pages of 64 KiB) windows of 8 MiB. */
PORT(emit_pte)
{
    const bool big = c->gen10 == 125, big_pages = big && c->lmem;
    const uint32_t page_bytes = big_pages ? 0x10000 : 0x1000;
    const uint32_t per_command = big_pages ? 0x40 : 0x400;
    const uint32_t start = c->src & ~0x1fffffu;
    uint64_t va = big ? (uint64_t)(start >> 21) * 0x10000 + 3 * 0x800000
                      : (uint64_t)(start >> 12) * 8 + 2 * 0x800000;
    uint64_t entry = (uint64_t)c->dst << 16 | 3 | (c->lmem ? 2 : 0);
    uint32_t total = 0, words[0x400], limit = per_command;
    va += (uint64_t)c->instance << 32;
    do {
        uint32_t n = 0;
        do {
            words[n++] = (uint32_t)entry;
            words[n++] = (uint32_t)(entry >> 32);
            entry += page_bytes;
            total += page_bytes;
        } while (total < (c->size_bytes & ~0xffffu) && n + 3 < limit);
        gpucmd_i915_emit_mi_store_data_imm_words(&p->w, p->gen, BIT_OF(MI_STORE_DATA_IMM_QWORD), va,
                                                 words, n);
        noop(p);
        va += n * 4;
        if (big && total % 0x200000 == 0) {
            va = (va + 0xffff) & ~0xffffull;
        } else if (big) {
            limit = (0x200000 - total % 0x200000) / page_bytes * 2;
        }
        if (!big || total % 0x200000 == 0) {
            limit = per_command;
        }
    } while (total < (c->size_bytes & ~0xffffu));
}

PORT(emit_copy)
{
    const bool new_copy =
        c->gen10 >= 90 && !(c->gen10 == 110 && c->size_bytes >> 12 <= 8 &&
                            c->size_bytes >> 12 & 3 && (c->size_bytes >> 12) % 4 == 3);
    const uint32_t rgba = BIT_OF(BLT_WRITE_ALPHA) | BIT_OF(BLT_WRITE_RGB);
    gpucmd_i915_blt b = {.flags = 0};
    b.dst_va = (uint64_t)c->instance << 32 | c->dst;
    b.src_va = (uint64_t)c->instance << 32 | c->src;
    b.src_pitch = 4096;
    b.y2 = (int32_t)(c->size_bytes >> 12);
    b.rows = c->size_bytes >> 12;
    b.x2 = 1024;
    b.width_bytes = 4096;
    b.flags = new_copy ? 0 : rgba;
    b.br13 = new_copy ? PUT_OF(XY_FAST_COPY_BLT_DEPTH, 3) | 4096 : gpucmd_i915_br13(3, 0xcc, 4096);
    gpucmd_i915_emit_blt(&p->w, p->gen,
                         new_copy         ? GPUCMD_I915_OP_XY_FAST_COPY_BLT
                         : c->gen10 >= 80 ? GPUCMD_I915_OP_XY_SRC_COPY_BLT
                                          : GPUCMD_I915_OP_SRC_COPY_BLT,
                         &b);
}

PORT(emit_clear)
{
    const bool fast = c->gen10 >= 120 && c->flat_ccs;
    gpucmd_i915_blt b = {.flags = 0};
    b.dst_va = (uint64_t)c->instance << 32 | c->dst;
    b.x2 = 1024;
    b.y2 = (int32_t)(c->size_bytes >> 12);
    b.color[0] = c->value;
    if (fast) {
        b.flags = PUT_OF(XY_FAST_COLOR_BLT_DEPTH, 2);
        b.br13 = PUT_OF(XY_FAST_COLOR_BLT_MOCS, (c->seed & 63) << 1) | 4095;
        b.offsets = c->lmem ? 0 : BIT_OF(XY_FAST_COLOR_BLT_SYSTEM_MEMORY);
    } else {
        b.flags = BIT_OF(BLT_WRITE_ALPHA) | BIT_OF(BLT_WRITE_RGB);
        b.br13 = gpucmd_i915_br13(3, 0xf0, 4096);
    }
    gpucmd_i915_emit_blt(&p->w, p->gen,
                         fast ? GPUCMD_I915_OP_XY_FAST_COLOR_BLT : GPUCMD_I915_OP_XY_COLOR_BLT, &b);
    if (!fast && c->gen10 >= 80) {
        noop(p);
    }
}

/* A flush of the copy engine before and after it copies compression state; 3 words, stores
 * nothing. */
static void flush_ccs(port *p)
{
    gpucmd_i915_emit_mi_flush_dw_short(
        &p->w, p->gen, BIT_OF(MI_FLUSH_DW_FLUSH_LLC) | BIT_OF(MI_FLUSH_DW_FLUSH_CCS), 0);
}

PORT(emit_copy_ccs)
{
    const uint32_t mocs = (c->seed & 63) << 1;
    const uint32_t ccs_bytes = (c->size_bytes + 255) / 256, blocks = (ccs_bytes + 255) / 256;
    gpucmd_i915_blt b = {.flags = 0};
    b.flags = PUT_OF(XY_CTRL_SURF_COPY_BLT_SRC_DIRECT, c->secure) |
              PUT_OF(XY_CTRL_SURF_COPY_BLT_DST_DIRECT, c->pinned) |
              PUT_OF(XY_CTRL_SURF_COPY_BLT_BLOCKS, (blocks - 1) & 0x3ff);
    b.src_va = (uint64_t)c->instance << 32 | c->src;
    b.dst_va = (uint64_t)c->instance << 32 | c->dst;
    b.src_offsets = PUT_OF(XY_CTRL_SURF_COPY_BLT_SRC_MOCS, mocs);
    b.offsets = PUT_OF(XY_CTRL_SURF_COPY_BLT_DST_MOCS, mocs);
    flush_ccs(p);
    gpucmd_i915_emit_blt(&p->w, p->gen, GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, &b);
    flush_ccs(p);
    noop(p);
}

/* ---- intel_lrc.c ---- */

enum { GPR0 = 0x600, TIMESTAMP = 0x3a8, BUFFER_CONTROL = 0x84 };
enum { SAVED_TIMESTAMP = 0x23, SAVED_POWER = 0x43 }; /* dwords of a context image */

/* Load general register 0 from dword n of the saved registers of a context. */
static void load_saved(port *p, uint32_t n)
{
    lrm(p, BIT_OF(MI_LOAD_REGISTER_MEM_ADD_CS_BASE), GPR0, p->c->state_va + 4096 + 4 * n);
}

static void move_gpr0(port *p, uint32_t reg)
{
    gpucmd_i915_emit_mi_load_register_reg(&p->w, p->gen,
                                          BIT_OF(MI_LOAD_REGISTER_REG_ADD_CS_BASE_SRC) |
                                              BIT_OF(MI_LOAD_REGISTER_REG_ADD_CS_BASE_DST),
                                          GPR0, reg);
}

PORT(setup_predicate_disable_wa)
{
    const uint32_t va = c->state_va + WA_BATCH + PREDICATE_RESULT;
    gpucmd_i915_emit_mi_store_data_imm(&p->w, p->gen, BIT_OF(MI_STORE_DATA_IMM_GGTT), va, 0);
    gpucmd_i915_emit_mi_batch_buffer_end(&p->w, p->gen, BIT_OF(MI_BATCH_BUFFER_END_PREDICATE));
    gpucmd_i915_emit_mi_set_predicate(&p->w, p->gen, 0);
    gpucmd_i915_emit_mi_store_data_imm(&p->w, p->gen, BIT_OF(MI_STORE_DATA_IMM_GGTT), va, 1);
    gpucmd_i915_emit_mi_batch_buffer_end(&p->w, p->gen, 0);
}

static void restore_timestamp(port *p)
{
    load_saved(p, SAVED_TIMESTAMP);
    move_gpr0(p, TIMESTAMP);
    move_gpr0(p, TIMESTAMP);
}

PORT(gen12_emit_indirect_ctx_rcs)
{
    restore_timestamp(p);
    load_saved(p, c->gen10 == 125 ? 0xc7 : 0xb7);
    move_gpr0(p, BUFFER_CONTROL);
    load_saved(p, c->gen10 == 125 ? 0x85 : 0x75);
    if (c->gen10 == 125) {
        pipe(p, 0, PC(INSTRUCTION_INVALIDATE), 0, 0);
    }
    invalidate_aux(p);
    if (c->gen10 == 125) {
        lri(p, 0, 0x26c0, 0x3ff);
    }
}

PORT(gen12_emit_indirect_ctx_xcs)
{
    restore_timestamp(p);
    load_saved(p, c->gen10 == 125 ? 0x85 : 0x75);
    if (c->gen10 == 125 && c->engine == PORT_CCS) {
        pipe(p, 0, PC(INSTRUCTION_INVALIDATE), 0, 0);
    }
    invalidate_aux(p);
}

#if LINUX < 700
PORT(dg2_emit_rcs_hang_wabb)
{
    (void)c;
    lri(p, 0, 0x20bc, 0x21);
    gpucmd_i915_emit_mi_load_register_reg(&p->w, p->gen, 0, 0x2094, 0x6100);
    gpucmd_i915_emit_mi_load_register_reg(&p->w, p->gen, 0, 0x2094, 0x7030);
}
#endif

static void flush_l3(port *p)
{
    const uint32_t scratch = p->c->scratch_va + 256;
    srm(p, 0xb118, scratch);
    lri(p, 0, 0xb118, 0x40400000 | 1 << 21);
    pipe(p, 0, PC(CS_STALL) | PC(DC_FLUSH), 0, 0);
    lrm(p, 0, 0xb118, scratch);
}

static void clear_slm(port *p)
{
    pipe(p, 0, PC(L3_FLUSH) | PC(CS_STALL) | to_context(), PPHWSP_SCRATCH, 0);
}

/* Pad to a cache line. */
static void pad(port *p)
{
    while (gpucmd_writer_at_dw(&p->w) % 16 != 0) {
        noop(p);
    }
}

PORT(gen8_init_indirectctx_bb)
{
    (void)c;
    arbitrate(p, false);
    flush_l3(p);
    clear_slm(p);
    arbitrate(p, true);
    pad(p);
}

PORT(gen9_init_indirectctx_bb)
{
    static const uint32_t pairs[] = {0x7014, 1u << 28,          0x2088, 1u << 17 | 1u << 1,
                                     0x2090, 1u << 28 | 1 << 12};
    static const uint32_t pool[] = {0x70050004, 1u << 31, 0x777000, 0, 0, 0};
    (void)c;
    arbitrate(p, false);
    flush_l3(p);
    clear_slm(p);
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, 0, pairs, 3);
    noop(p);
    gpucmd_writer_emit_words(&p->w, pool, 6); /* MEDIA_POOL_STATE */
    arbitrate(p, true);
    pad(p);
}

/* A part of a context image: noops, then a load of n registers, offsets from the ring base. */
typedef struct image_part {
    uint8_t noops, n;
    bool posted;
    const uint16_t *regs;
} image_part;

static const uint16_t old_state[] = {0x244, 0x034, 0x030, 0x038, 0x03c, 0x168, 0x140, 0x110,
                                     0x11c, 0x114, 0x118, 0x1c0, 0x1c4, 0x1c8, 0x180};
static const uint16_t new_state[] = {0x244, 0x034, 0x030, 0x038, 0x03c, 0x168, 0x140, 0x110,
                                     0x1c0, 0x1c4, 0x1c8, 0x180, 0x2b4, 0x120, 0x124};
static const uint16_t pages[] = {0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278, 0x274, 0x270};
static const uint16_t power[] = {0x0c8}, slices[] = {0x1b0, 0x5a8, 0x5ac}, copy[] = {0x200, 0x028};
/* gen12: all of them; gen9: those from 0x028 to 0x068 */
static const uint16_t general[] = {
    0x588, 0x588, 0x588, 0x588, 0x588, 0x588, 0x028, 0x09c, 0x0c0, 0x178, 0x17c, 0x358, 0x170,
    0x150, 0x154, 0x158, 0x41c, 0x600, 0x604, 0x608, 0x60c, 0x610, 0x614, 0x618, 0x61c, 0x620,
    0x624, 0x628, 0x62c, 0x630, 0x634, 0x638, 0x63c, 0x640, 0x644, 0x648, 0x64c, 0x650, 0x654,
    0x658, 0x65c, 0x660, 0x664, 0x668, 0x66c, 0x670, 0x674, 0x678, 0x67c, 0x068, 0x084};

#define IMAGE_END                                                                                  \
    {                                                                                              \
        0, 0, 0, NULL                                                                              \
    }
#define IMAGE(name, ...) static const image_part name[] = {__VA_ARGS__, IMAGE_END}
IMAGE(gen8_render, {1, 14, 1, old_state}, {3, 9, 1, pages}, {13, 1, 0, power});
IMAGE(gen8_other, {1, 11, 0, old_state}, {9, 9, 0, pages}, {13, 2, 0, copy});
IMAGE(gen9_render, {1, 14, 1, old_state}, {3, 9, 1, pages}, {13, 1, 0, power},
      {13, 44, 1, general + 6});
IMAGE(gen9_other, {1, 14, 1, old_state}, {3, 9, 1, pages}, {13, 1, 1, copy},
      {13, 44, 1, general + 6});
IMAGE(gen11_render, {1, 15, 1, old_state}, {1, 9, 1, pages}, {0, 1, 1, slices}, {10, 1, 0, power});
IMAGE(gen12_render, {1, 13, 1, new_state}, {5, 9, 1, pages}, {0, 3, 1, slices}, {6, 1, 0, power},
      {13, 51, 1, general}, {1, 0, 0, NULL});
IMAGE(gen12_other, {1, 13, 1, new_state}, {5, 9, 1, pages});
IMAGE(dg2_render, {1, 15, 1, new_state}, {1, 9, 1, pages}, {0, 3, 1, slices}, {6, 1, 0, power});
IMAGE(dg2_other, {1, 15, 1, new_state}, {1, 9, 1, pages});

/* Images by their first generation, with and without the state of a render engine. */
static const struct image {
    unsigned first;
    bool render;
    const image_part *parts; /* up to the first without words */
} images[] = {
    {125, true,  dg2_render  },
    {125, false, dg2_other   },
    {120, true,  gen12_render},
    {120, false, gen12_other },
    {110, true,  gen11_render},
    {90,  true,  gen9_render },
    {90,  false, gen9_other  },
    {80,  true,  gen8_render },
    {80,  false, gen8_other  },
};

/* Return the value of a register in the image of a new context. */
static uint32_t saved_value(const port_case *c, uint32_t batch_lines, uint16_t reg)
{
    const bool old = c->gen10 < 110, batch = c->gen10 >= 120 || (old && c->engine == PORT_RCS);
    const uint32_t tables = old && !c->secure ? 4 : 1;
    const uint64_t table = ((uint64_t)c->instance << 32 | c->dst) + (reg - 0x270u) / 8 * 4096;
    switch (reg) {
    case 0x034: return c->count & 0xff8;
    case 0x030: return c->size_bytes;
    case 0x038: return c->status_va;
    case 0x03c: return (1u << 20) - 4096 + 1;
    case 0x09c: return 1u << 24;
    case 0x0c8: return c->engine == PORT_RCS ? c->value : 0;
    case 0x1c4: return !batch ? 0 : (old ? c->scratch_va : c->state_va + WA_BATCH) + batch_lines;
    case 0x1c8: return !batch ? 0 : (c->gen10 >= 120 ? 0xdu : c->gen10 == 90 ? 0x26u : 0x17u) << 6;
    case 0x244: return old ? 0x000f0009 : 0x00090009;
    case 0x3a8: return c->seqno;
    default: break;
    }
    return reg < 0x270 || reg >= 0x270 + 8 * tables ? 0
           : (reg & 4) != 0                         ? (uint32_t)(table >> 32)
                                                    : (uint32_t)table;
}

static void indirect_batch(port *p)
{
    if (p->c->engine == PORT_RCS) {
        body_gen12_emit_indirect_ctx_rcs(p, p->c);
    } else {
        body_gen12_emit_indirect_ctx_xcs(p, p->c);
    }
    pad(p);
}

PORT(lrc_update_regs)
{
    const bool render = c->engine == PORT_RCS || c->engine == PORT_CCS;
    const struct image *image = images;
    uint32_t pairs[2 * 51], lines = 2;
    if (c->gen10 >= 120) {
        port batch;
        begin(&batch, c, NULL);
        indirect_batch(&batch);
        lines = (uint32_t)gpucmd_writer_need_dw(&batch.w) / 16;
    }
    while (image->first > c->gen10 || image->render != render) {
        image++;
    }
    for (const image_part *part = image->parts; part->noops + part->n != 0; part++) {
        const uint32_t flags = PUT_OF(MI_LOAD_REGISTER_IMM_ADD_CS_BASE, c->gen10 >= 110) |
                               PUT_OF(MI_LOAD_REGISTER_IMM_FORCE_POSTED, part->posted);
        for (uint32_t i = 0; i < part->noops; i++) {
            noop(p);
        }
        for (uint32_t i = 0; i < part->n; i++) {
            pairs[2 * i] = 0x2000u + part->regs[i];
            pairs[2 * i + 1] = saved_value(c, lines, part->regs[i]);
        }
        if (part->n != 0) {
            gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, flags, pairs, part->n);
        }
    }
    gpucmd_i915_emit_mi_batch_buffer_end(&p->w, p->gen,
                                         PUT_OF(MI_BATCH_BUFFER_END_END_CONTEXT, c->gen10 >= 110));
    if (c->gen10 >= 120) {
        port batch;
        begin(&batch, c, p->w.cur);
        indirect_batch(&batch);
        p->w.cur = batch.w.cur;
    }
    if (c->gen10 == 125) {
        body_setup_predicate_disable_wa(p, c);
    }
}

/* ---- intel_execlists_submission.c, intel_context_sseu.c ---- */

PORT(emit_pdps)
{
    const uint64_t tables = (uint64_t)c->instance << 32 | c->dst;
    port_case step = *c;
    uint32_t pairs[16];
    p->c = &step;
    arbitrate(p, false);
    noop(p);
    for (int i = 0; i < 2; i++) {
        step.write_back = i == 0;
        step.invalidate = i != 0;
        if (c->engine == PORT_RCS) {
            body_gen8_emit_flush_rcs(p, &step);
        } else {
            flush_8(p);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t table = tables + (3 - i) * 4096;
        pairs[4 * i] = 0x2274 + 8 * (3 - i);
        pairs[4 * i + 1] = (uint32_t)(table >> 32);
        pairs[4 * i + 2] = 0x2270 + 8 * (3 - i);
        pairs[4 * i + 3] = (uint32_t)table;
    }
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, BIT_OF(MI_LOAD_REGISTER_IMM_FORCE_POSTED),
                                          pairs, 8);
    arbitrate(p, true);
}

PORT(gen8_emit_rpcs_config)
{
    gpucmd_i915_emit_mi_store_data_imm(&p->w, p->gen, BIT_OF(MI_STORE_DATA_IMM_GGTT),
                                       c->state_va + 4096 + 4 * SAVED_POWER, c->value);
}

/* ---- intel_workarounds.c, intel_ring_submission.c ---- */

PORT(intel_engine_emit_ctx_wa)
{
    uint32_t pairs[32];
    const uint32_t n = c->count % 15 + 1;
    for (uint32_t i = 0; i < n; i++) {
        pairs[2 * i] = 0x7000 + 4 * i;
        pairs[2 * i + 1] = c->seed * (i + 1);
    }
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, 0, pairs, n);
    noop(p);
    if (c->version >= 700 && c->gen10 >= 125) {
        /* Wa_14019789679. The driver's first word says 5 words, but 3DSTATE_MESH_CONTROL has 3: it
         * swallows the first word after these. */
        static const uint32_t mesh_control[4] = {0x78770003, 0, 0, 0};
        gpucmd_writer_emit_words(&p->w, mesh_control, 4);
    }
}

PORT(wa_list_srm)
{
    for (uint32_t i = 0; i < c->count % 15 + 1; i++) {
        srm(p, 0x7000 + 4 * i, c->status_va + 4 * i);
        if (c->gen10 < 80) {
            noop(p);
        }
    }
}

PORT(load_pd_dir)
{
    lri(p, 0, 0x2220, c->seed);
    lri(p, 0, 0x2228, c->value);
    srm(p, 0x2228, c->scratch_va);
    lri(p, 0, 0x20c0, 1 << 25 | 1 << 9);
}

static void set_context(port *p, uint32_t word)
{
    gpucmd_i915_emit_mi_set_context(&p->w, p->gen, 0, word);
}

/* Forbid or allow the other two engines to sleep. */
static void allow_sleep(port *p, bool on)
{
    const uint32_t v = on ? 1u << 16 : 1u << 16 | 1;
    const uint32_t pairs[] = {0x12050, v, 0x12050, v};
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, 0, pairs, 2);
}

PORT(mi_set_context)
{
    const uint32_t gtt = BIT_OF(MI_SET_CONTEXT_GTT),
                   inhibit = BIT_OF(MI_SET_CONTEXT_RESTORE_INHIBIT);
    const bool old = c->gen10 == 50, seven = c->gen10 == 70 || c->gen10 == 75;
    if (seven) {
        arbitrate(p, false);
        if (c->gen10 == 75) {
            allow_sleep(p, false);
        }
    } else if (old) {
        gpucmd_i915_emit_mi_suspend_flush(&p->w, p->gen, BIT_OF(MI_SUSPEND_FLUSH_SUSPEND));
    }
    if (c->pinned) {
        set_context(p, c->scratch_va | gtt | inhibit);
    }
    noop(p);
    set_context(p, c->state_va | gtt | (!c->pinned && c->secure ? inhibit : 0));
    noop(p);
    if (c->gen10 == 75) {
        allow_sleep(p, true);
        srm(p, 0x12050, c->scratch_va);
        noop(p);
    }
    if (seven) {
        arbitrate(p, true);
    } else if (old) {
        gpucmd_i915_emit_mi_suspend_flush(&p->w, p->gen, 0);
    }
}

PORT(remap_l3_slice)
{
    uint32_t pairs[64];
    for (uint32_t i = 0; i < 32; i++) {
        pairs[2 * i] = 0xb070 + (c->instance & 1) * 0x200 + 4 * i;
        pairs[2 * i + 1] = c->seed * (i + 1);
    }
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, 0, pairs, 32);
    noop(p);
}

/* ---- gen7_renderclear.c ---- */

static void clear_flush(port *p)
{
    pipe4(p, PC(RENDER_TARGET_FLUSH) | PC(DEPTH_CACHE_FLUSH) | PC(DC_FLUSH) | PC(CS_STALL), 0, 0);
}

static void clear_invalidate(port *p)
{
    pipe(p, 0, PC(STALL_AT_SCOREBOARD) | PC(CS_STALL), 0, 0);
    pipe(p, 0, PC(STATE_INVALIDATE), 0, 0);
}

static void align_to(port *p, size_t align_dw)
{
    while (gpucmd_writer_at_dw(&p->w) % align_dw != 0) {
        noop(p);
    }
}

/* The batch that clears the registers of all threads. 3D and media commands are ready words. */
PORT(emit_batch)
{
    const uint32_t base = c->state_va, threads = c->count % 70 + 1;
    const uint32_t descriptors = 0x2800 + 128; /* after the kernel, a surface and a binding table */
    const uint32_t surfaces = base + descriptors;
    const uint32_t cache[] = {0x7000, 0xffff0000, 0x7004, 0xffff0000 | 1 << 6};
    const uint32_t select[] = {0x69040001, 0};
    const uint32_t bases[] = {
        0x61010008, base | 1, surfaces | 1, base | 1, base | 1, base | 1, 0, 1, 0, 1};
    const uint32_t vfe[] = {0x70000006, 0, (threads - 1) << 16 | 1 << 8, 0, 0, 0, 0, 0};
    const uint32_t load[] = {0x70020002, 0, 32, descriptors};
    clear_flush(p);
    clear_invalidate(p);
    gpucmd_i915_emit_mi_load_register_imm(&p->w, p->gen, 0, cache, 2);
    clear_invalidate(p);
    clear_flush(p);
    clear_invalidate(p);
    gpucmd_writer_emit_words(&p->w, select, 2);
    clear_invalidate(p);
    clear_flush(p);
    gpucmd_writer_emit_words(&p->w, bases, 10);
    clear_invalidate(p);
    align_to(p, 8);
    gpucmd_writer_emit_words(&p->w, vfe, 8);
    align_to(p, 2);
    gpucmd_writer_emit_words(&p->w, load, 4);
    for (uint32_t i = 0; i < threads; i++) {
        const uint32_t object[] = {0x71000007, 0,     0, 0, 0, 0, (i / 16 * 16) << 16 | i % 16 * 64,
                                   0,          0x1e00};
        align_to(p, 2);
        gpucmd_writer_emit_words(&p->w, object, 9);
    }
    gpucmd_i915_emit_mi_batch_buffer_end(&p->w, p->gen, 0);
}

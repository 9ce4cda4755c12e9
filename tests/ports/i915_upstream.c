/* The i915 driver's own functions, called with the arguments of a case. tests/checks/ports.sh makes
 * i915_functions.h from the sources of the driver. */
#include "i915_stub.h"
#include "i915_reg_defs.h"

/* Constants of the driver's i915_reg.h. */
#define __MASKED_FIELD(mask, value) ((mask) << 16 | (value))
#define _MASKED_BIT_ENABLE(bit)     __MASKED_FIELD(bit, bit)
#define _MASKED_BIT_DISABLE(bit)    __MASKED_FIELD(bit, 0)
#define INSTPM_TLB_INVALIDATE       (1 << 9)
#define GEN12_CULLBIT1              _MMIO(0x6100)
#define GEN12_CULLBIT2              _MMIO(0x7030)
#define GEN12_STATE_ACK_DEBUG       _MMIO(0x20BC)

#include "intel_engine_regs.h"
#include "intel_gpu_commands.h"
#include "intel_gt_regs.h"
#include "intel_lrc_reg.h"

struct i915_wa {
    i915_reg_t reg, mcr_reg;
    u32 clr, set;
    bool masked_reg, is_mcr;
};
struct i915_wa_list {
    struct intel_gt *gt;
    struct i915_wa *list;
    unsigned count;
};
struct intel_engine_cs {
    struct drm_i915_private *i915;
    struct intel_gt *gt;
    struct intel_uncore *uncore;
    enum intel_engine_id id;
    int class, instance;
    u32 mmio_base;
    u32 flags;
    bool semaphores, hold_ccs;
    struct i915_ctx_workarounds wa_ctx;
    struct {
        struct i915_vma *vma;
    } status_page;
    struct i915_wa_list ctx_wa_list;
    struct intel_context *kernel_context;
    int (*emit_flush)(struct i915_request *rq, u32 mode);
};
struct lri {
    i915_reg_t reg;
    u32 value;
};
struct cb_kernel {
    const void *data;
    u32 size;
};
struct batch_chunk {
    struct i915_vma *vma;
    u32 offset, *start, *end, max_items;
};
struct batch_vals {
    u32 max_threads, state_start, surface_start, surface_height, surface_width, size;
};

/* Macros of the .c files. */
#define HWS_SCRATCH_ADDR                       (I915_GEM_HWS_SCRATCH * sizeof(u32))
#define GEN7_XCS_WA                            32
#define I830_BATCH_LIMIT                       SZ_256K
#define I830_TLB_ENTRIES                       2
#define CCS_SEMAPHORE_PPHWSP_OFFSET            0x540
#define HOLD_SWITCHOUT_SEMAPHORE_PPHWSP_OFFSET 0x540
#define I915_EMIT_PTE_NUM_DWORDS               6
#define CHUNK_SZ                               SZ_8M
#define GET_CCS_BYTES(i915, size)              DIV_ROUND_UP(size, NUM_BYTES_PER_CCS_BYTE)
#define GT3_INLINE_DATA_DELAYS                 0x1E00
#define batch_advance(chunk, at)               ((void)(at))
#define mcr_range(i915, reg)                   false

static const u32 no_kernel[16];
static const struct cb_kernel cb_kernel_ivb = {no_kernel, sizeof no_kernel};
static const struct cb_kernel cb_kernel_hsw = {no_kernel, sizeof no_kernel};

#include "i915_functions.h"

/* Linux 7 calls some functions otherwise; the table has the names of 6.1. */
#if LINUX >= 700
#define RENAMED_START(old, new)                                                                    \
    static int old(struct i915_request *rq, u64 offset, u32 len, unsigned flags)                   \
    {                                                                                              \
        return new (rq, offset, len, flags);                                                       \
    }
RENAMED_START(gen3_emit_bb_start, gen2_emit_bb_start)
RENAMED_START(gen125_emit_bb_start, xehp_emit_bb_start)
RENAMED_START(gen125_emit_bb_start_noarb, xehp_emit_bb_start_noarb)
static u32 *gen3_emit_breadcrumb(struct i915_request *rq, u32 *cs)
{
    return gen2_emit_breadcrumb(rq, cs);
}
#endif

/* ---- a device for a case ---- */

typedef struct port_device {
    struct drm_i915_private i915;
    struct intel_uncore uncore;
    struct intel_gt gt;
    struct i915_ppgtt ppgtt;
    struct i915_vma state, kernel_state, status;
    struct intel_context context, kernel_context;
    struct intel_timeline timeline;
    struct intel_ring ring;
    struct intel_engine_cs engine, other;
    struct i915_wa wa[16];
    u32 remap[32];
    struct i915_request rq;
    u32 words[PORT_MAX_DW] __attribute__((aligned(64)));
} port_device;

static u64 pte_encode(dma_addr_t addr, int level, u32 flags)
{
    (void)level;
    return addr | flags | 3;
}

static int no_flush(struct i915_request *rq, u32 mode)
{
    (void)rq;
    (void)mode;
    return 0;
}

static enum intel_engine_id id_of(const port_case *c)
{
    return c->engine == PORT_RCS    ? RCS0
           : c->engine == PORT_BCS  ? (c->instance == 0 ? BCS0 : OTHER_ENGINE)
           : c->engine == PORT_VCS  ? (c->instance == 0   ? VCS0
                                       : c->instance == 2 ? VCS2
                                                          : OTHER_ENGINE)
           : c->engine == PORT_VECS ? (c->instance == 0 ? VECS0 : OTHER_ENGINE)
                                    : (c->instance == 0 ? CCS0 : OTHER_ENGINE);
}

static port_device *device(const port_case *c)
{
    static const int classes[PORT_ENGINES] = {RENDER_CLASS, COPY_ENGINE_CLASS, VIDEO_DECODE_CLASS,
                                              VIDEO_ENHANCEMENT_CLASS, COMPUTE_CLASS};
    static port_device d;
    memset(&d, 0, sizeof d);
    d.i915.ver = c->gen10 / 10;
    d.i915.full = c->gen10;
    d.i915.flat_ccs = c->flat_ccs;
    d.i915.kbl_b0 = c->kbl_b0;
    d.gt.i915 = &d.i915;
    d.rq.i915 = &d.i915;
    d.i915.l3_parity.remap_info[c->instance & 1] = d.remap;
    d.gt.uncore = &d.uncore;
    d.uncore.gsi_offset = c->gsi_offset;
    d.gt.uc.guc = c->guc;
    d.gt.scratch_va = c->scratch_va;
    d.gt.mocs.uc_index = (u8)(c->seed & 63);
    d.gt.info.num_engines = 3;
    d.gt.engine[0] = d.gt.engine[1] = d.gt.engine[2] = &d.other;
    d.gt.engine[c->instance % 3] = &d.engine;
    d.other.mmio_base = 0x12000;
    d.ppgtt.vm.i915 = &d.i915;
    d.ppgtt.vm.pte_encode = pte_encode;
    d.ppgtt.vm.dir = c->value;
    d.ppgtt.vm.four_levels = c->gen10 >= 110 || c->secure;
    d.ppgtt.pd = (u64)c->instance << 32 | c->dst;
    d.state.offset = d.state.node.start = c->state_va;
    d.state.vm = &d.ppgtt.vm;
    d.kernel_state.offset = c->scratch_va;
    d.status.offset = c->status_va;
    d.context.engine = &d.engine;
    d.context.state = &d.state;
    d.context.vm = &d.ppgtt.vm;
    d.kernel_context.state = &d.kernel_state;
    d.timeline.hwsp_offset = c->hwsp_va;
    d.timeline.has_initial_breadcrumb = true;
    d.ring.space = d.ring.size = 1 << 20;
    d.ring.tail = c->size_bytes;
    d.ring.vaddr = d.words;
    d.ring.vma = &d.status;
    d.context.ring = &d.ring;
    d.context.sseu.rpcs = c->value;
    d.context.stats.runtime.last = c->seqno;
    d.engine.i915 = &d.i915;
    d.engine.gt = &d.gt;
    d.engine.id = id_of(c);
    d.engine.class = classes[c->engine];
    d.engine.instance = (int)c->instance;
    d.engine.mmio_base = 0x2000;
    d.engine.flags =
        c->engine == PORT_RCS || c->engine == PORT_CCS ? I915_ENGINE_HAS_RCS_REG_STATE : 0;
    d.engine.semaphores = c->semaphores;
    d.engine.hold_ccs = c->engine == PORT_CCS && c->pinned;
    d.engine.status_page.vma = &d.status;
    d.engine.kernel_context = &d.kernel_context;
    d.engine.emit_flush = no_flush;
    d.engine.ctx_wa_list.list = d.wa;
    d.engine.ctx_wa_list.count = c->count % 15 + 1;
    for (u32 i = 0; i < 16; i++) {
        d.wa[i].reg.reg = 0x7000 + 4 * i;
        d.wa[i].masked_reg = true;
        d.wa[i].set = c->seed * (i + 1);
    }
    for (u32 i = 0; i < 32; i++) {
        d.remap[i] = c->seed * (i + 1);
    }
    d.rq.engine = &d.engine;
    d.rq.context = &d.context;
    d.rq.timeline = &d.timeline;
    d.rq.ring = &d.ring;
    d.rq.fence.seqno = c->seqno;
    d.rq.hwsp_seqno = (const u32 *)(uintptr_t)(c->hwsp_va & 0xfff);
    d.rq.nopreempt = c->noarb;
    d.rq.cs = d.words;
    return &d;
}

static int finish(const port_device *d, const u32 *end, uint32_t *out)
{
    const size_t n = (size_t)(end - d->words);
    memcpy(out, d->words, n * sizeof *out);
    return (int)n;
}

static u32 mode_of(const port_case *c)
{
    return (c->invalidate ? EMIT_INVALIDATE : 0) | (c->write_back ? EMIT_FLUSH : 0);
}

static u32 dispatch_of(const port_case *c)
{
    return (c->secure ? I915_DISPATCH_SECURE : 0) | (c->pinned ? I915_DISPATCH_PINNED : 0);
}

/* ---- one function for each port, by the parameters of the driver's function ---- */

#define PORT(name, call)                                                                           \
    int upstream_##name(const port_case *c, uint32_t *out)                                         \
    {                                                                                              \
        port_device *d = device(c);                                                                \
        struct i915_request *rq = &d->rq;                                                          \
        if ((call) < 0) {                                                                          \
            return PORT_REFUSED;                                                                   \
        }                                                                                          \
        return finish(d, rq->cs, out);                                                             \
    }
#define PORT_FLUSH(name) PORT(name, name(rq, mode_of(c)))
#define PORT_START(name) PORT(name, name(rq, c->va, c->size_bytes, dispatch_of(c)))
#define PORT_CRUMB(name) PORT(name, (rq->cs = name(rq, rq->cs), 0))
#define PORT_STATE(name) PORT(name, (rq->cs = name(rq->context, rq->cs), 0))
#define PORT_BATCH(name) PORT(name, (rq->cs = name(rq->engine, rq->cs), 0))

PORT_FLUSH(gen2_emit_flush)
PORT_FLUSH(gen4_emit_flush_rcs)
PORT_FLUSH(gen4_emit_flush_vcs)
PORT_CRUMB(gen3_emit_breadcrumb)
PORT_CRUMB(gen5_emit_breadcrumb)
PORT_START(i830_emit_bb_start)
PORT_START(gen3_emit_bb_start)
PORT_START(gen4_emit_bb_start)

PORT_FLUSH(gen6_emit_flush_rcs)
PORT_FLUSH(gen6_emit_flush_vcs)
PORT_FLUSH(gen6_emit_flush_xcs)
PORT_FLUSH(gen7_emit_flush_rcs)
PORT_CRUMB(gen6_emit_breadcrumb_rcs)
PORT_CRUMB(gen6_emit_breadcrumb_xcs)
PORT_CRUMB(gen7_emit_breadcrumb_rcs)
PORT_CRUMB(gen7_emit_breadcrumb_xcs)
PORT_START(gen6_emit_bb_start)
PORT_START(hsw_emit_bb_start)

PORT_FLUSH(gen8_emit_flush_rcs)
PORT_FLUSH(gen8_emit_flush_xcs)
PORT_FLUSH(gen11_emit_flush_rcs)
PORT_FLUSH(gen12_emit_flush_rcs)
PORT_FLUSH(gen12_emit_flush_xcs)
PORT(gen8_emit_init_breadcrumb, gen8_emit_init_breadcrumb(rq))
PORT_START(gen8_emit_bb_start_noarb)
PORT_START(gen8_emit_bb_start)
PORT_START(gen125_emit_bb_start_noarb)
PORT_START(gen125_emit_bb_start)
PORT_CRUMB(gen8_emit_fini_breadcrumb_xcs)
PORT_CRUMB(gen8_emit_fini_breadcrumb_rcs)
PORT_CRUMB(gen11_emit_fini_breadcrumb_rcs)
PORT_CRUMB(gen12_emit_fini_breadcrumb_xcs)
PORT_CRUMB(gen12_emit_fini_breadcrumb_rcs)

static int call_pte(struct i915_request *rq, const port_case *c)
{
    struct scatterlist sg = {(u64)c->dst << 16, 0x7fff0000};
    struct sgt_dma it = {&sg, sg.address, sg.address + sg.len_bytes};
    return emit_pte(rq, &it, I915_CACHE_NONE, c->lmem, c->src & ~(SZ_2M - 1),
                    (int)(c->size_bytes & ~0xffffu));
}

PORT(emit_no_arbitration, emit_no_arbitration(rq))
PORT(emit_pte, call_pte(rq, c))
PORT(emit_copy, emit_copy(rq, c->dst, c->src, (int)c->size_bytes))
PORT(emit_copy_ccs,
     emit_copy_ccs(rq, c->dst, (u8)c->pinned, c->src, (u8)c->secure, (int)c->size_bytes))
PORT(emit_clear, emit_clear(rq, c->dst, (int)c->size_bytes, c->value, c->lmem))

PORT_STATE(setup_predicate_disable_wa)
PORT_STATE(gen12_emit_indirect_ctx_rcs)
PORT_STATE(gen12_emit_indirect_ctx_xcs)
#if LINUX < 700
PORT_STATE(dg2_emit_rcs_hang_wabb)
#endif
PORT_BATCH(gen8_init_indirectctx_bb)
PORT_BATCH(gen9_init_indirectctx_bb)
PORT(intel_engine_emit_ctx_wa, intel_engine_emit_ctx_wa(rq))
PORT(wa_list_srm, wa_list_srm(rq, &rq->engine->ctx_wa_list, &d->status))
PORT(load_pd_dir, load_pd_dir(rq, &d->ppgtt.vm, c->seed))
PORT(mi_set_context, mi_set_context(rq, &d->context,
                                    MI_MM_SPACE_GTT | (c->pinned   ? MI_FORCE_RESTORE
                                                       : c->secure ? MI_RESTORE_INHIBIT
                                                                   : 0)))
PORT(remap_l3_slice, remap_l3_slice(rq, (int)(c->instance & 1)))

static int call_pdps(struct i915_request *rq)
{
    rq->engine->emit_flush =
        rq->engine->class == RENDER_CLASS ? gen8_emit_flush_rcs : gen8_emit_flush_xcs;
    return emit_pdps(rq);
}

PORT(emit_pdps, call_pdps(rq))
PORT(gen8_emit_rpcs_config, gen8_emit_rpcs_config(rq, rq->context, rq->context->sseu))

/* The image of a context up to its end, then the batches of gen12 that it names. */
int upstream_lrc_update_regs(const port_case *c, uint32_t *out)
{
    static u32 regs[1024], batch[2048] __attribute__((aligned(64)));
    port_device *d = device(c);
    const struct intel_engine_cs *e = &d->engine;
    int n = 1024;
    memset(regs, 0xff, sizeof regs);
    set_offsets(regs, reg_offsets(e), e, true);
    while (regs[n - 1] == ~0u) {
        n--;
    }
    d->context.lrc_reg_state = regs;
    d->context.indirect_bb = batch;
    d->context.wa_bb_page = c->gen10 >= 120;
    if (c->gen10 < 110 && e->class == RENDER_CLASS) {
        d->engine.wa_ctx.vma = &d->kernel_state;
        d->engine.wa_ctx.indirect_ctx.size = 128;
    }
    __lrc_init_regs(regs, &d->context, e, true);
    lrc_update_regs(&d->context, e, c->count & 0xff8);
    memcpy(out, regs, (size_t)n * 4);
    if (d->context.wa_bb_page) {
        const int lines = (int)(regs[lrc_ring_indirect_ptr(e) + 1] & 63);
        memcpy(out + n, batch, (size_t)lines * 64);
        n += lines * 16;
    }
    if (c->gen10 ==
        125) { /* gen12 has the batch, too, but neither its predicate nor a jump to it */
        memcpy(out + n, batch + DG2_PREDICATE_RESULT_BB / 4, 11 * 4);
        n += 11;
    }
    return n;
}

int upstream_emit_batch(const port_case *c, uint32_t *out)
{
    port_device *d = device(c);
    const struct batch_vals bv = {
        c->count % 70 + 1, 0x2800, 0x3800, 16 * 8, 32 * 16, 0,
    };
    const u32 *end = d->words;
    emit_batch(&d->state, d->words, &bv);
    while (*end != MI_BATCH_BUFFER_END) {
        end++;
    }
    return finish(d, end + 1, out);
}

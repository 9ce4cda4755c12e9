/* Functions of the xe driver, called with the arguments of a case. xe_ring_ops.c is compiled whole,
 * over definitions of a kernel that are ours; tests/checks/ports.sh makes xe_functions.h from the
 * other sources. */
#include <string.h>

#include "xe_ports.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define BIT(n)                              (1u << (n))
#define REG_BIT(n)                          (1u << (n))
#define GENMASK(high, low)                  ((~0u >> (31 - (high))) & (~0u << (low)))
#define REG_GENMASK(high, low)              GENMASK(high, low)
#define __bf_shf(mask)                      (__builtin_ffsll(mask) - 1)
#define FIELD_PREP(mask, v)                 (((u32)(v) << __bf_shf(mask)) & (mask))
#define FIELD_FIT(mask, v)                  true
#define REG_FIELD_PREP(mask, v)             FIELD_PREP(mask, v)
#define lower_32_bits(x)                    ((u32)(x))
#define upper_32_bits(x)                    ((u32)((u64)(x) >> 32))
#define IS_ALIGNED(x, a)                    (((x) & ((a)-1)) == 0)
#define DIV_ROUND_UP(n, d)                  (((n) + (d)-1) / (d))
#define U16_MAX                             0xffff
#define S16_MAX                             0x7fff
#define XE_PAGE_SIZE                        4096u
#define PAGE_COPY_MODE_PS                   256u
#define xe_gt_assert(gt, c)                 ((void)(c))
#define XE_REG(r, ...)                      ((struct xe_reg){(r)})
#define MAX_JOB_SIZE_DW                     128
#define LRC_PPHWSP_FLUSH_INVAL_SCRATCH_ADDR (0x34 * 4)

struct xe_reg {
    u32 addr;
};
enum xe_engine_class {
    XE_ENGINE_CLASS_RENDER,
    XE_ENGINE_CLASS_VIDEO_DECODE,
    XE_ENGINE_CLASS_VIDEO_ENHANCE,
    XE_ENGINE_CLASS_COPY,
    XE_ENGINE_CLASS_OTHER,
    XE_ENGINE_CLASS_COMPUTE,
    XE_ENGINE_CLASS_MAX,
};
struct xe_sched_job;
struct xe_gt;
struct xe_ring_ops {
    void (*emit_job)(struct xe_sched_job *job);
    u32 *(*emit_aux_table_inv)(struct xe_gt *gt, u32 *cmd);
};
struct xe_device {
    u32 version; /* times 100 */
    bool vf;
    struct {
        int platform;
        bool has_flat_ccs, has_mem_copy_instr;
    } info;
};
enum { XE_OTHER, XE_PVC };
struct xe_gt {
    struct xe_device *xe;
    struct {
        u32 adj_offset;
    } mmio;
    struct {
        u64 engine_mask;
        bool has_xe2_blt_instructions;
    } info;
    struct {
        u8 uc_index;
    } mocs;
    const struct xe_ring_ops *ring_ops[XE_ENGINE_CLASS_MAX];
};
#define XE_HW_ENGINE_RCS_MASK 1u
struct xe_hw_engine {
    struct xe_gt *gt;
    enum xe_engine_class class;
};
struct xe_lrc {
    const xe_case *c;
    struct {
        u32 tail;
    } ring;
    u32 dw[XE_MAX_DW], n;
};
struct xe_exec_queue {
    struct xe_gt *gt;
    struct xe_hw_engine *hwe;
    void *vm;
    enum xe_engine_class class;
    int width;
    bool multi;
    struct xe_lrc *lrc[1];
};
struct xe_sched_job {
    struct xe_exec_queue *q;
    struct {
        bool used;
        u64 addr, value;
    } user_fence;
    bool ring_ops_flush_tlb, ggtt, ring_ops_force_reset;
    u32 migrate_flush_flags;
    struct {
        u32 head;
        u64 batch_addr;
    } ptrs[2];
};
struct xe_bb {
    u32 *cs, len;
};

#define gt_to_xe(gt)                            ((gt)->xe)
#define GRAPHICS_VERx100(xe)                    ((xe)->version)
#define GRAPHICS_VER(xe)                        ((xe)->version / 100)
#define IS_SRIOV_VF(xe)                         ((xe)->vf)
#define xe_exec_queue_is_multi_queue(q)         ((q)->multi)
#define xe_lrc_is_multi_queue(lrc)              ((lrc)->c->multi)
#define xe_lrc_start_seqno_ggtt_addr(lrc)       ((lrc)->c->start_va)
#define xe_lrc_seqno_ggtt_addr(lrc)             ((lrc)->c->seqno_va)
#define xe_lrc_ctx_job_timestamp_ggtt_addr(lrc) ((lrc)->c->time_va)
#define xe_lrc_ctx_timestamp_ggtt_addr(lrc)     ((lrc)->c->vf_time_va)
#define xe_lrc_ggtt_addr(lrc)                   ((u64)(lrc)->c->context_va)
#define xe_sched_job_lrc_seqno(job)             ((job)->q->lrc[0]->c->seqno)
#define xe_sched_job_is_migration(q)            ((q)->vm == &migration_vm)
static int migration_vm;

/* Workarounds by the driver's xe_wa_oob.rules. */
#define XE_GT_WA(gt, id) wa_##id((gt)->xe->version)
static bool wa_14016712196(u32 version)
{
    return version == 1255 || (version >= 1270 && version <= 1274);
}
static bool wa_1409600907(u32 version)
{
    return version >= 1200 && version <= 1250;
}

static void xe_lrc_write_ring(struct xe_lrc *lrc, const void *data, size_t bytes)
{
    memcpy(lrc->dw, data, bytes);
    lrc->n = (u32)(bytes / 4);
}

#include "xe_ring_ops.c"

#include "xe_functions.h"

/* ---- a device for a case ---- */

typedef struct xe_model {
    struct xe_device xe;
    struct xe_gt gt;
    struct xe_hw_engine hwe;
    struct xe_lrc lrc;
    struct xe_exec_queue q;
    struct xe_sched_job job;
} xe_model;

static xe_model *model(const xe_case *c)
{
    static const enum xe_engine_class classes[XE_ENGINES] = {
        XE_ENGINE_CLASS_RENDER,        XE_ENGINE_CLASS_COPY,  XE_ENGINE_CLASS_VIDEO_DECODE,
        XE_ENGINE_CLASS_VIDEO_ENHANCE, XE_ENGINE_CLASS_OTHER, XE_ENGINE_CLASS_COMPUTE};
    static xe_model m;
    memset(&m, 0, sizeof m);
    m.xe.version = c->version;
    m.xe.vf = c->vf;
    m.xe.info.platform = strcmp(c->platform, "PVC") == 0 ? XE_PVC : XE_OTHER;
    m.xe.info.has_flat_ccs = (c->flags & XE_FLAT_CCS) != 0;
    m.xe.info.has_mem_copy_instr = (c->flags & XE_MEM_COPY) != 0;
    m.gt.xe = &m.xe;
    m.gt.info.engine_mask = (c->flags & XE_NO_RENDER) != 0 ? 0 : XE_HW_ENGINE_RCS_MASK;
    m.gt.info.has_xe2_blt_instructions = (c->flags & XE_LINK_COPY) != 0;
    m.gt.mocs.uc_index = (u8)c->mocs;
    for (int i = 0; i < XE_ENGINE_CLASS_MAX; i++) {
        m.gt.ring_ops[i] = xe_ring_ops_get(&m.gt, i);
    }
    m.hwe.gt = &m.gt;
    m.hwe.class = classes[c->engine];
    m.lrc.c = c;
    m.q.gt = &m.gt;
    m.q.hwe = &m.hwe;
    m.q.vm = &m;
    m.q.class = m.hwe.class;
    m.q.width = 1;
    m.q.multi = c->multi;
    m.q.lrc[0] = &m.lrc;
    m.job.q = &m.q;
    m.job.user_fence.used = c->fence;
    m.job.user_fence.addr = c->fence_va;
    m.job.user_fence.value = c->fence_value;
    m.job.ring_ops_flush_tlb = c->tlb;
    m.job.ring_ops_force_reset = c->hang;
    m.job.ggtt = c->ggtt;
    m.job.migrate_flush_flags = (c->tlb ? MI_INVALIDATE_TLB : 0) | (c->ccs ? MI_FLUSH_DW_CCS : 0);
    m.job.ptrs[0].batch_addr = c->batch_va;
    m.job.ptrs[1].batch_addr = c->after_va;
    return &m;
}

static int run(xe_model *m, uint32_t *out)
{
    m->gt.ring_ops[m->q.class]->emit_job(&m->job);
    memcpy(out, m->lrc.dw, m->lrc.n * 4);
    return (int)m->lrc.n;
}

int upstream_job(const xe_case *c, uint32_t *out)
{
    return run(model(c), out);
}

int upstream_migration(const xe_case *c, uint32_t *out)
{
    xe_case single = *c; /* the queue of migrations is not one of several */
    single.multi = false;
    xe_model *m = model(&single);
    m->q.vm = &migration_vm;
    m->job.ring_ops_force_reset = false;
    return run(m, out);
}

int upstream_copy(const xe_case *c, uint32_t *out)
{
    struct xe_bb bb = {out, 0};
    emit_copy(&model(c)->gt, &bb, c->src_va, c->dst_va, c->pages * 4096, 4096);
    return (int)bb.len;
}

int upstream_cache_flush(const xe_case *c, uint32_t *out)
{
    return emit_render_cache_flush(&model(c)->job, out, 0);
}

int upstream_invalidate(const xe_case *c, uint32_t *out)
{
    const u32 mask = (c->flags & XE_NO_RENDER) != 0 ? PIPE_CONTROL_3D_ARCH_FLAGS
                     : c->engine == XE_CCS          ? PIPE_CONTROL_3D_ENGINE_FLAGS
                                                    : 0;
    int n = 0;
    out[n++] = preparser_disable(true);
    n = emit_pipe_invalidate(&model(c)->q, mask, c->tlb, out, n);
    out[n++] = preparser_disable(false);
    return n;
}

int upstream_breadcrumb(const xe_case *c, uint32_t *out)
{
    xe_model *m = model(c);
    int n = emit_render_cache_flush(&m->job, out, 0);
    n = emit_pipe_imm_ggtt(&m->q, c->seqno_va, c->seqno, (c->flags & XE_NO_RENDER) != 0, out, n);
    return emit_user_interrupt(out, n);
}

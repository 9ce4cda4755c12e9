/* What functions of the i915 driver need of a kernel to write their commands, in user space. All
 * definitions are ours; commands and registers come from the driver's headers. */
#ifndef I915_STUB_H
#define I915_STUB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uint64_t dma_addr_t;

#define BIT(n)                 (1u << (n))
#define BIT_U32(n)             (1u << (n))
#define BIT_U16(n)             ((uint16_t)(1u << (n)))
#define BIT_U8(n)              ((uint8_t)(1u << (n)))
#define GENMASK_U32(high, low) ((~0u >> (31 - (high))) & (~0u << (low)))
#define BIT_ULL(n)             (1ull << (n))
#define GENMASK(high, low)     ((~0u >> (31 - (high))) & (~0u << (low)))
#define GENMASK_ULL(high, l)   ((~0ull >> (63 - (high))) & (~0ull << (l)))
#define U32_MAX                UINT32_MAX
#define PAGE_SHIFT             12
#define PAGE_SIZE              4096u
#define SZ_1K                  0x400u
#define SZ_4K                  0x1000u
#define SZ_64K                 0x10000u
#define SZ_256K                0x40000u
#define SZ_2M                  0x200000u
#define SZ_8M                  0x800000u
#define CACHELINE_BYTES        64
#define I915_GTT_PAGE_SIZE     4096u
#define I915_GTT_PAGE_SIZE_64K 65536u
#define __bf_shf(mask)         (__builtin_ffsll(mask) - 1)
#define FIELD_PREP(mask, v)    (((u32)(v) << __bf_shf(mask)) & (mask))
#define FIELD_GET(mask, v)     (((v) & (mask)) >> __bf_shf(mask))
#define BUILD_BUG_ON_ZERO(e)   0
#define __is_constexpr(e)      1
#define __always_inline        inline
#define __maybe_unused         __attribute__((unused))
#define fallthrough            __attribute__((fallthrough))
#define MISSING_CASE(x)        ((void)0)
#define unlikely(x)            (x)
#define ARRAY_SIZE(a)          (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)     (((n) + (d)-1) / (d))
#define round_up(n, to)        (((n) + (to)-1) / (to) * (to))
#define min_t(type, a, b)      ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max(a, b)              ((a) > (b) ? (a) : (b))
#define IS_ALIGNED(x, a)       (((x) & ((a)-1)) == 0)
#define PTR_ALIGN(p, a)        ((void *)(((uintptr_t)(p) + (a)-1) & ~(uintptr_t)((a)-1)))
#define lower_32_bits(x)       ((u32)(x))
#define upper_32_bits(x)       ((u32)((u64)(x) >> 32))
#define page_mask_bits(x)      ((x) & ~(PAGE_SIZE - 1))
#define offset_in_page(p)      ((u32)(uintptr_t)(p) & (PAGE_SIZE - 1))
#define IS_ERR(p)              ((p) == NULL)
#define PTR_ERR(p)             (-1)
#define ENOSPC                 28
#define GEM_BUG_ON(x)          ((void)0)
#define __set_bit(bit, word)   ((void)0)
#define IP_VER(ver, rel)       ((ver)*10 + (rel) / 10)

static inline void *memset32(u32 *at, u32 v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        at[i] = v;
    }
    return at;
}

enum { EMIT_INVALIDATE = 1, EMIT_FLUSH = 2, EMIT_BARRIER = 3 };
enum { I915_DISPATCH_SECURE = 1, I915_DISPATCH_PINNED = 2 };
enum {
    RENDER_CLASS,
    VIDEO_DECODE_CLASS,
    VIDEO_ENHANCEMENT_CLASS,
    COPY_ENGINE_CLASS,
    COMPUTE_CLASS
};
enum intel_engine_id { RCS0, BCS0, VCS0, VCS2, VECS0, CCS0, OTHER_ENGINE };
enum { STEP_A0, STEP_B0, STEP_C0 };
enum {
    INTEL_GT_SCRATCH_FIELD_DEFAULT,
    INTEL_GT_SCRATCH_FIELD_RENDER_FLUSH = 128,
    INTEL_GT_SCRATCH_FIELD_COHERENTL3_WA = 256
};

/* Numbers of the driver's intel_engine.h, intel_engine_types.h, intel_gtt.h and intel_lrc.h. */
#define I915_GEM_HWS_SEQNO            0x40
#define I915_GEM_HWS_SEQNO_ADDR       (I915_GEM_HWS_SEQNO * sizeof(u32))
#define I915_GEM_HWS_SCRATCH          0x80
#define I915_GEM_HWS_PREEMPT_ADDR     (0x32 * sizeof(u32))
#define LRC_PPHWSP_PN                 0
#define LRC_PPHWSP_SCRATCH_ADDR       (0x34 * sizeof(u32))
#define LRC_STATE_OFFSET              PAGE_SIZE
#define DG2_PREDICATE_RESULT_WA       (PAGE_SIZE - sizeof(u64))
#define DG2_PREDICATE_RESULT_BB       2048
#define GEN8_3LVL_PDPES               4
#define I915_ENGINE_HAS_RCS_REG_STATE BIT(9)

struct i915_perf;
struct drm_i915_private {
    unsigned ver, full; /* times 1 and times 10 */
    bool flat_ccs, kbl_b0;
    struct {
        u32 *remap_info[2];
    } l3_parity;
};
struct i915_address_space {
    struct drm_i915_private *i915;
    u64 (*pte_encode)(dma_addr_t addr, int level, u32 flags);
    u32 dir;
    bool four_levels;
    struct {
        struct i915_vma *vma;
    } rsvd;
};
struct i915_ppgtt {
    struct i915_address_space vm;
    u64 pd;
};
struct intel_sseu {
    u32 rpcs;
};
struct i915_wa_ctx_bb {
    u32 offset, size;
};
struct i915_vma {
    u32 offset;
    struct {
        u32 start;
    } node;
    struct i915_address_space *vm;
};
struct intel_info {
    int gt;
};
struct intel_uncore {
    int lock;
    u32 gsi_offset;
};
struct intel_uc {
    bool guc;
};
struct intel_engine_cs;
struct intel_gt {
    struct drm_i915_private *i915;
    struct intel_uncore *uncore;
    struct intel_uc uc;
    u32 scratch_va;
    struct {
        u8 uc_index;
    } mocs;
    struct {
        int num_engines;
    } info;
    struct intel_engine_cs *engine[3];
};
typedef struct {
    u32 reg;
} port_reg;
struct intel_timeline {
    u32 hwsp_offset;
    bool has_initial_breadcrumb;
};
struct intel_ring {
    int space, size, emit;
    u32 tail;
    void *vaddr;
    struct i915_vma *vma;
};
struct i915_ctx_workarounds {
    struct i915_wa_ctx_bb indirect_ctx, per_ctx;
    struct i915_vma *vma;
};
struct intel_context {
    struct intel_engine_cs *engine;
    struct i915_vma *state;
    struct i915_address_space *vm;
    struct intel_ring *ring;
    struct intel_sseu sseu;
    struct {
        struct {
            u32 last;
        } runtime;
    } stats;
    u32 *lrc_reg_state, *indirect_bb;
    int wa_bb_page;
};
struct i915_request {
    struct drm_i915_private *i915;
    struct intel_engine_cs *engine;
    struct intel_context *context;
    struct intel_timeline *timeline;
    struct intel_ring *ring;
    struct {
        u32 seqno;
        unsigned long flags;
    } fence;
    const u32 *hwsp_seqno;
    u32 head, tail, wa_tail, infix;
    int reserved_space;
    bool nopreempt;
    u32 *cs; /* next word */
};
struct scatterlist {
    dma_addr_t address;
    u32 len_bytes;
};
struct sgt_dma {
    struct scatterlist *sg;
    dma_addr_t dma, max;
};
enum i915_cache_level { I915_CACHE_NONE };
#define PTE_LM 2

#define GRAPHICS_VER(i915)                                ((i915)->ver)
#define GRAPHICS_VER_FULL(i915)                           ((i915)->full)
#define IS_G4X(i915)                                      ((i915)->full == 45)
#define IS_HASWELL(i915)                                  ((i915)->full == 75)
#define IS_IVB_GT1(i915)                                  false
#define IS_VALLEYVIEW(i915)                               false
#define IS_BROADWELL(i915)                                ((i915)->full == 80)
#define IS_DG2(i915)                                      ((i915)->full == 125)
#define IS_DG2_G11(i915)                                  ((i915)->full == 125)
#define IS_PONTEVECCHIO(i915)                             false
#define IS_DG2_GRAPHICS_STEP(i915, variant, since, until) false
#define IS_KBL_GRAPHICS_STEP(i915, since, until)          ((i915)->kbl_b0)
#define IS_KABYLAKE(i915)                                 ((i915)->kbl_b0)
#define IS_GRAPHICS_STEP(i915, since, until)              true
#define IS_GFX_GT_IP_RANGE(gt, since, until)              ((gt)->i915->full == 127)
#define IS_GFX_GT_IP_STEP(gt, ip, since, until)           false
#define HAS_FLAT_CCS(i915)                                ((i915)->flat_ccs)
#define HAS_64K_PAGES(i915)                               ((i915)->full == 125)
#define HAS_3D_PIPELINE(i915)                             true
#define HAS_POOLED_EU(i915)                               ((i915)->ver == 9)

/* A list of workarounds: all registers are written whole, none is read. */
enum forcewake_domains { NO_FORCEWAKE };
#define wal_get_fw_for_rmw(uncore, list)               NO_FORCEWAKE
#define intel_gt_mcr_lock(gt, flags)                   ((void)(gt), (void)(flags))
#define intel_gt_mcr_unlock(gt, flags)                 ((void)(gt), (void)(flags))
#define spin_lock(lock)                                ((void)(lock))
#define spin_unlock(lock)                              ((void)(lock))
#define intel_uncore_forcewake_get__locked(uncore, fw) ((void)(fw))
#define intel_uncore_forcewake_put__locked(uncore, fw) ((void)(fw))
#define intel_gt_mcr_read_any_fw(gt, reg)              0
#define intel_uncore_read_fw(uncore, reg)              0
#define INTEL_INFO(i915)                               (&(struct intel_info){0})
#define IS_IVYBRIDGE(i915)                             false
#define ctx_needs_runalone(ce)                         false
#define context_wabb(ce, per_ctx)                      ((ce)->indirect_bb + ((per_ctx) ? 1024 : 0))
#define NEEDS_FASTCOLOR_BLT_WABB(engine)               false
#define i915_vma_offset(vma)                           ((vma)->offset)

#define to_gt(i915)                                     ((struct intel_gt *)NULL)
#define i915_ggtt_offset(vma)                           ((vma)->offset)
#define intel_gt_scratch_offset(gt, field)              ((gt)->scratch_va + (field))
#define intel_ring_advance(rq, at)                      ((rq)->cs = (at))
#define intel_ring_offset(rq, at)                       0
#define intel_ring_update_space(ring)                   ((void)0)
#define assert_ring_tail_valid(ring, tail)              ((void)0)
#define intel_ring_direction(ring, a, b)                1
#define rcu_dereference_protected(p, c)                 (p)
#define i915_request_timeline(rq)                       ((rq)->timeline)
#define i915_request_active_seqno(rq)                   ((u32)(rq)->timeline->hwsp_offset)
#define i915_request_has_nopreempt(rq)                  ((rq)->nopreempt)
#define intel_engine_has_semaphores(engine)             ((engine)->semaphores)
#define intel_uc_uses_guc_submission(uc)                ((uc)->guc)
#define intel_engine_uses_wa_hold_ccs_switchout(engine) ((engine)->hold_ccs)
#define intel_engine_uses_wa_hold_switchout(engine)     ((engine)->hold_ccs)
#define lrc_indirect_bb(ce)                             (i915_ggtt_offset((ce)->state) + 2 * PAGE_SIZE)
#define context_indirect_bb(ce)                         ((ce)->indirect_bb)
#define intel_sseu_make_rpcs(gt, sseu)                  ((sseu)->rpcs)
#define i915_oa_init_reg_state(ce, engine)              ((void)0)
#define lrc_descriptor(ce)                              0
#define vm_alias(vm)                                    ((struct i915_ppgtt *)(vm))
#define i915_vm_to_ppgtt(vm)                            ((struct i915_ppgtt *)(vm))
#define i915_vm_is_4lvl(vm)                             ((vm)->four_levels)
#define px_dma(pd)                                      (pd)
#define i915_page_dir_dma_addr(ppgtt, n)                ((ppgtt)->pd + (u64)(n)*PAGE_SIZE)
#define pp_dir(vm)                                      ((vm)->dir)
#define sg_dma_address(sg)                              ((sg)->address)
#define sg_dma_len(sg)                                  ((sg)->len_bytes)
#define __sg_next(sg)                                   ((struct scatterlist *)NULL)
#define for_each_engine(e, gt, id)                                                                 \
    for ((id) = 0; (int)(id) < 3 && ((e) = (gt)->engine[id], true); (id)++)

static inline u32 *intel_ring_begin(struct i915_request *rq, unsigned n)
{
    (void)n;
    return rq->cs;
}

#endif

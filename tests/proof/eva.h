/* The headers for EVA, what the compiler provides, and structures with pointers. */
#include "__fc_builtin.h"
#include <string.h>

/* The specification of memcpy in Frama-C refuses a pointer behind an object even for 0 bytes. */
#define __builtin_memcpy(d, s, n)  ((n) != 0 ? memcpy((d), (s), (n)) : (d))
#define __builtin_memmove(d, s, n) ((n) != 0 ? memmove((d), (s), (n)) : (d))
#define __builtin_memset(d, v, n)  ((n) != 0 ? memset((d), (v), (n)) : (d))

/*@ requires \false; assigns \nothing; */
extern void __builtin_unreachable(void);

#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

static uint32_t eva_words[128];
static struct gpucmd_drm_asahi_sync eva_syncs[4];
static gpucmd_nv_ce_blocks eva_blocks;

static inline void point_gpucmd_agx_stream(gpucmd_agx_stream *s)
{
    const size_t cap = (size_t)Frama_C_interval(0, 16) * 8;
    //@ split cap;
    gpucmd_agx_stream_init(s, eva_words + (128 - cap), cap);
}

static inline void point_gpucmd_agx_syncs(gpucmd_agx_syncs *l)
{
    const size_t cap = (size_t)Frama_C_interval(0, 4);
    //@ split cap;
    gpucmd_agx_syncs_init(l, eva_syncs + (4 - cap), cap);
}

static inline void point_gpucmd_nv_ce(gpucmd_nv_ce *ce)
{
    Frama_C_make_unknown((char *)&eva_blocks, sizeof eva_blocks);
    ce->dst.blocks = Frama_C_interval(0, 1) != 0 ? &eva_blocks : NULL;
    ce->src.blocks = Frama_C_interval(0, 1) != 0 ? &eva_blocks : NULL;
}

static inline void point_gpucmd_i915_blt(gpucmd_i915_blt *b)
{
    Frama_C_make_unknown((char *)eva_words, sizeof eva_words);
    b->data = eva_words;
}

/* Return any chip. Chips whose recipes have the same sizes are analysed together. */
static inline gpucmd_nv_chip eva_chip(void)
{
    static const unsigned first[] = {
        0,
        GPUCMD_NV_CHIP_G80,
        GPUCMD_NV_CHIP_GF100,
        GPUCMD_NV_CHIP_GK104,
        GPUCMD_NV_CHIP_GP100,
        GPUCMD_NV_CHIP_GV100,
        0xffffffff,
    };
    const int i = Frama_C_interval(0, 5);
    //@ split i;
    return (gpucmd_nv_chip)Frama_C_unsigned_int_interval(first[i], first[i + 1] - 1);
}

static inline void point_gpucmd_nv_fill(gpucmd_nv_fill *f)
{
    const uint32_t size = Frama_C_unsigned_int_interval(0, 9);
    //@ split size;
    f->size_bytes = size < 9 ? size : Frama_C_unsigned_int_interval(9, 0xffffffff);
}

/* The headers for EVA, what the compiler provides, and structures with pointers. */
#include "__fc_builtin.h"
#include <string.h>

/* The specification of memcpy in Frama-C refuses a pointer behind an object even for 0 bytes. */
#define __builtin_memcpy(d, s, n)  ((n) != 0 ? memcpy((d), (s), (n)) : (d))
#define __builtin_memmove(d, s, n) ((n) != 0 ? memmove((d), (s), (n)) : (d))
#define __builtin_memset(d, v, n)  ((n) != 0 ? memset((d), (v), (n)) : (d))

/*@ requires \false; assigns \nothing; */
extern void __builtin_unreachable(void);

#include "gpucmd.h"

#ifdef EVA_WRITER
/* The contracts that writer_wp.c proves, as code: a command has no room, or its words end where the
 * array ends. */
static uint32_t eva_room[256];

static bool eva_fits(const gpucmd_writer *w, size_t n_dw)
{
    //@ split n_dw;
    //@ assert n_dw <= 256;
    if (Frama_C_interval(0, 1) == 0) {
        return false;
    }
    ((gpucmd_writer *)w)->cur = eva_room + (256 - n_dw);
    return true;
}

static uint32_t *eva_claim(gpucmd_writer *w, size_t n_dw)
{
    return eva_fits(w, n_dw) ? w->cur : NULL;
}

static void eva_emit_words(gpucmd_writer *w, const uint32_t *data, size_t n_dw)
{
    (void)w;
    //@ assert \valid_read(data + (0 .. n_dw - 1));
}

#define gpucmd_priv_writer_fits  eva_fits
#define gpucmd_priv_writer_claim eva_claim
#define gpucmd_writer_emit_words eva_emit_words

/* The compiler may know a value or not. */
#define __builtin_constant_p(x) (Frama_C_interval(0, 1) != 0)
#endif

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

/* Return any chip of group 0..5. Chips whose recipes have the same sizes are in one group. */
static inline gpucmd_nv_chip eva_chip(int group)
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
    return (gpucmd_nv_chip)Frama_C_unsigned_int_interval(first[group],
                                                         first[group + 1] - (group < 5));
}

/* Return any generation of group 0..2. Commands whose sizes differ are in different groups. */
static inline gpucmd_i915_gen eva_gen(int group)
{
    static const unsigned first[] = {0, GPUCMD_I915_GEN7, GPUCMD_I915_GEN8, 0xffffffff};
    return (gpucmd_i915_gen)Frama_C_unsigned_int_interval(first[group],
                                                          first[group + 1] - (group < 2));
}

static inline void point_gpucmd_nv_fill(gpucmd_nv_fill *f)
{
    const uint32_t size = Frama_C_unsigned_int_interval(0, 9);
    //@ split size;
    f->size_bytes = size < 9 ? size : Frama_C_unsigned_int_interval(9, 0xffffffff);
}

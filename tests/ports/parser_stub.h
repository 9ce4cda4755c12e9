/* What the command parser of the i915 driver needs of a kernel, in user space. All definitions are
 * ours; the parser's tables, its commands and its registers come from the driver's own files. */
#ifndef PARSER_STUB_H
#define PARSER_STUB_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define BIT(n)                 (1u << (n))
#define BIT_ULL(n)             (1ull << (n))
#define GENMASK(high, low)     ((~0u >> (31 - (high))) & (~0u << (low)))
#define GENMASK_ULL(high, low) ((~0ull >> (63 - (high))) & (~0ull << (low)))
#define BUILD_BUG_ON_ZERO(e)   0
#define __is_constexpr(e)      1
#define ARRAY_SIZE(a)          (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)     (((n) + (d)-1) / (d))
#define PAGE_SHIFT             12
#define PAGE_SIZE              4096ul
#define offset_in_page(p)      ((unsigned long)(p) & (PAGE_SIZE - 1))
#define page_mask_bits(p)      (p)
#define min(a, b)              ((a) < (b) ? (a) : (b))
#define round_up(n, to)        (((n) + (to)-1) / (to) * (to))
#define lower_32_bits(x)       ((u32)(x))
#define IS_ALIGNED(x, a)       (((x) & ((a)-1)) == 0)
#define range_overflows_t(type, s, l, m)                                                           \
    ((type)(s) >= (type)(m) || (type)(l) > (type)(m) - (type)(s))
#define IS_ERR(p)                    ((uintptr_t)(p) > (uintptr_t)-4096)
#define IS_ERR_OR_NULL(p)            ((p) == NULL || IS_ERR(p))
#define PTR_ERR(p)                   ((long)(p))
#define ERR_PTR(e)                   ((void *)(long)(e))
#define GFP_KERNEL                   0
#define __GFP_RETRY_MAYFAIL          0
#define __GFP_NOWARN                 0
#define kmalloc(bytes, flags)        malloc(bytes)
#define kmalloc_obj(o)               ((__typeof__(o) *)malloc(sizeof(o)))
#define kfree(p)                     free(p)
#define bitmap_zalloc(bits, flags)   ((unsigned long *)calloc((bits) / 64 + 1, 8))
#define DRM_DEBUG(...)               ((void)0)
#define drm_err(...)                 ((void)0)
#define drm_clflush_virt_range(p, n) ((void)0)
#define kunmap_atomic(p)             ((void)0)
#define kunmap_local(p)              ((void)0)
#define i915_has_memcpy_from_wc()    false
#define MISSING_CASE(x)              ((void)(x))
/* A condition that the driver states must hold, or the comparison means nothing. */
#define GEM_BUG_ON(x)                                                                              \
    do {                                                                                           \
        if (x) {                                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static inline void __set_bit(u32 bit, unsigned long *map)
{
    map[bit / 64] |= 1ul << bit % 64;
}

static inline bool test_bit(u32 bit, const unsigned long *map)
{
    return (map[bit / 64] >> bit % 64 & 1) != 0;
}

static inline void memset32(void *at, u32 v, size_t n)
{
    (void)v;
    memset(at, 0, 4 * n);
}

static inline int64_t sign_extend64(u64 v, int bit)
{
    return (int64_t)(v << (63 - bit)) >> (63 - bit);
}

/* A table of lists: the newest entry of a list is found first. */
enum { HASH_LISTS = 512 };
struct hlist_node {
    struct hlist_node *next;
};
#define hash_init(table) memset(table, 0, sizeof(table))
#define hash_list(key)   ((key) % HASH_LISTS)
#define hash_add(table, node, key)                                                                 \
    ((node)->next = (table)[hash_list(key)], (table)[hash_list(key)] = (node))
#define hash_del(node) ((void)(node))
#define hash_entry(p, type, member)                                                                \
    ((p) == NULL ? NULL : (type *)((char *)(p)-offsetof(type, member)))
#define hash_for_each_possible(table, entry, member, key)                                          \
    for ((entry) = hash_entry((table)[hash_list(key)], __typeof__(*(entry)), member);              \
         (entry) != NULL;                                                                          \
         (entry) = hash_entry((entry)->member.next, __typeof__(*(entry)), member))
#define hash_for_each_safe(table, i, tmp, entry, member)                                           \
    for ((i) = 0, (tmp) = NULL, (entry) = NULL; (i) < 0 && (tmp) == NULL; (i)++)

/* ---- a device ---- */

struct drm_device {
    int unused;
};
struct drm_i915_private {
    struct drm_device drm;
    int ver;
    bool haswell;
};
#define GRAPHICS_VER(i915)              ((i915)->ver)
#define IS_GRAPHICS_VER(i915, from, to) ((i915)->ver >= (from) && (i915)->ver <= (to))
#define IS_HASWELL(i915)                ((i915)->haswell)

enum { RENDER_CLASS, VIDEO_DECODE_CLASS, VIDEO_ENHANCEMENT_CLASS, COPY_ENGINE_CLASS };
enum { I915_ENGINE_USING_CMD_PARSER = 1, I915_ENGINE_REQUIRES_CMD_PARSER = 2 };

struct intel_engine_cs {
    struct drm_i915_private *i915;
    const char *name;
    int id, class;
    u32 flags;
    struct hlist_node *cmd_hash[HASH_LISTS];
    const struct drm_i915_reg_table *reg_tables;
    int reg_table_count;
    u32 (*get_cmd_length_mask)(u32 cmd_header);
};
#define intel_engine_using_cmd_parser(e)    (((e)->flags & I915_ENGINE_USING_CMD_PARSER) != 0)
#define intel_engine_requires_cmd_parser(e) (((e)->flags & I915_ENGINE_REQUIRES_CMD_PARSER) != 0)
#define for_each_uabi_engine(e, i915)       for ((e) = NULL; (e) != NULL || (i915) == NULL;)

/* An object is memory of the caller. */
struct drm_i915_gem_object {
    struct {
        size_t size;
    } base;
    struct {
        void *mapping;
    } mm;
};
struct i915_vma {
    struct drm_i915_gem_object *obj;
    struct {
        u64 start;
    } node;
    u64 size;
};
enum { I915_MAP_WB, I915_MAP_WC };
enum { CLFLUSH_BEFORE = 1, CLFLUSH_AFTER = 2 };
static const struct {
    unsigned x86_clflush_size;
} boot_cpu_data = {64};
#define i915_vma_offset(vma)                       ((vma)->node.start)
#define i915_gem_object_prepare_write(obj, need)   (*(need) = 0, (obj) == NULL)
#define i915_gem_object_prepare_read(obj, need)    (*(need) = 0, (obj) == NULL)
#define i915_gem_object_pin_map(obj, how)          ((obj)->mm.mapping)
#define i915_gem_object_unpin_map(obj)             ((void)0)
#define i915_gem_object_finish_access(obj)         ((void)0)
#define i915_gem_object_flush_map(obj)             ((void)0)
#define i915_gem_object_get_page(obj, n)           ((u8 *)(obj)->mm.mapping + (n)*PAGE_SIZE)
#define kmap_atomic(page)                          (page)
#define kmap_local_page(page)                      (page)
#define i915_unaligned_memcpy_from_wc(to, from, n) memcpy(to, from, n)

#include "i915_reg_defs.h"

#endif

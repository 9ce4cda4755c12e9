/* Compare the recipes of gpucmd_i915.h with the functions of the xe driver: the same arguments must
 * give the same words.
 *   xe_compare [CASES]
 * Prints a row for each function: platforms, calls with equal words, with other words, refused,
 * then the closing line of a test. */
#include "gpucmd_i915.h"
#include "xe_ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- our side ---- */

static gpucmd_i915_target target(const xe_case *c)
{
    static const gpucmd_i915_engine engines[XE_ENGINES] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS,
                                                           GPUCMD_I915_VCS, GPUCMD_I915_VECS,
                                                           GPUCMD_I915_GSC, GPUCMD_I915_CCS};
    gpucmd_i915_target t = {0};
    t.gen = c->version >= 2000   ? (gpucmd_i915_gen)(c->version / 100 * 10)
            : c->version >= 1270 ? GPUCMD_I915_GEN12_7
            : c->version >= 1260 ? GPUCMD_I915_GEN12_6
            : c->version >= 1255 ? GPUCMD_I915_GEN12_5
                                 : GPUCMD_I915_GEN12;
    t.engine = engines[c->engine];
    t.traits = ((c->flags & XE_NO_RENDER) != 0 ? GPUCMD_I915_TRAIT_NO_RENDER : 0u) |
               (c->multi ? GPUCMD_I915_TRAIT_MULTI_QUEUE : 0u);
    return t;
}

static gpucmd_xe_request request(const xe_case *c)
{
    gpucmd_xe_request r = {0};
    r.flags = (c->tlb ? GPUCMD_XE_REQUEST_TLB : 0u) |
              (c->fence ? GPUCMD_XE_REQUEST_USER_FENCE : 0u) |
              (c->ggtt ? GPUCMD_XE_REQUEST_GGTT : 0u) | (c->vf ? GPUCMD_XE_REQUEST_VF : 0u) |
              (c->hang ? GPUCMD_XE_REQUEST_HANG : 0u) | (c->ccs ? GPUCMD_XE_REQUEST_CCS : 0u);
    r.seqno = c->seqno;
    r.seqno_va = c->seqno_va;
    r.start_va = c->start_va;
    r.timestamp_va = c->time_va;
    r.vf_timestamp_va = c->vf_time_va;
    r.context_va = c->context_va;
    r.batch_va = c->batch_va;
    r.after_va = c->after_va;
    r.fence_va = c->fence_va;
    r.fence_value = c->fence_value;
    return r;
}

#define OURS(name, ...)                                                                            \
    int port_##name(const xe_case *c, uint32_t *out)                                               \
    {                                                                                              \
        const gpucmd_i915_target t = target(c);                                                    \
        size_t len_dw = 0;                                                                         \
        gpucmd_writer w;                                                                           \
        gpucmd_writer_init(&w, out, XE_MAX_DW);                                                    \
        __VA_ARGS__;                                                                               \
        return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? (int)len_dw : XE_REFUSED;          \
    }
OURS(job, const gpucmd_xe_request r = request(c); gpucmd_xe_emit_job(&w, &t, &r))
OURS(migration, const gpucmd_xe_request r = request(c); gpucmd_xe_emit_migration(&w, &t, &r))
OURS(copy, gpucmd_i915_emit_copy_pages(&w, t.gen, c->dst_va, c->src_va, c->pages))
OURS(cache_flush, gpucmd_i915_emit_flush(&w, &t, GPUCMD_I915_WRITE_BACK))
OURS(invalidate,
     gpucmd_i915_emit_flush(&w, &t,
                            GPUCMD_I915_INVALIDATE | (c->tlb ? GPUCMD_I915_INVALIDATE_TLB : 0u)))
OURS(breadcrumb, gpucmd_i915_emit_breadcrumb(&w, &t, c->seqno_va, c->seqno))

/* ---- the comparison ---- */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint64_t rnd_va(const xe_case *c)
{
    const unsigned bits = (c->flags & XE_BIG_VA) != 0 ? 57 : 48;
    return ((uint64_t)rnd() << 32 | rnd()) >> (64 - bits) & ~(uint64_t)7;
}

static xe_case make(const char *platform, unsigned version, unsigned flags, unsigned engine)
{
    xe_case c;
    memset(&c, 0, sizeof c);
    c.platform = platform;
    c.version = version;
    c.flags = flags;
    c.engine = engine;
    c.tlb = rnd() % 2 == 0;
    c.fence = rnd() % 2 == 0;
    c.ggtt = rnd() % 4 == 0;
    c.vf = rnd() % 4 == 0;
    c.hang = rnd() % 8 == 0;
    c.ccs = rnd() % 2 == 0;
    /* multi_queue_engine_class_mask of xe_pci.c */
    c.multi = version >= 3500 && (engine == XE_BCS || engine == XE_CCS) && rnd() % 2 == 0;
    c.seqno = rnd();
    c.seqno_va = rnd() & 0xffffffd8;
    c.start_va = rnd() & 0xffffffd8;
    c.time_va = rnd() & 0xfffffffc;
    c.vf_time_va = rnd() & 0xfffffffc;
    c.context_va = rnd() & 0xfffff000;
    c.batch_va = rnd_va(&c);
    c.after_va = rnd_va(&c);
    c.fence_va = rnd_va(&c);
    c.fence_value = (uint64_t)rnd() << 32 | rnd();
    c.dst_va = rnd_va(&c) & (rnd() % 2 == 0 ? ~(uint64_t)7 : ~(uint64_t)4095);
    c.src_va = rnd_va(&c) & ~(uint64_t)4095;
    c.pages = rnd() % 4000 + 1;
    c.mocs = 3;
    return c;
}

typedef struct row {
    const char *name;
    int (*upstream)(const xe_case *c, uint32_t *out);
    int (*port)(const xe_case *c, uint32_t *out);
    unsigned since, engines;
} row;
typedef struct platform {
    const char *name;
    unsigned version, flags;
} platform;

static void show(const row *r, const xe_case *c, const uint32_t *want, int want_dw,
                 const uint32_t *got, int got_dw)
{
    printf("FAIL: xe %s %s engine %u: driver %d words, ours %d\n", r->name, c->platform, c->engine,
           want_dw, got_dw);
    for (int i = 0; i < want_dw || i < got_dw; i++) {
        if (i >= want_dw || i >= got_dw || want[i] != got[i]) {
            printf("  word %d: driver %08" PRIx32 ", ours %08" PRIx32 "\n", i,
                   i < want_dw ? want[i] : 0, i < got_dw ? got[i] : 0);
            break;
        }
    }
}

int main(int argc, char **argv)
{
#define ROW(name, since, engines) {#name, upstream_##name, port_##name, since, engines},
    static const row rows[] = {XE_PORTS(ROW)};
#undef ROW
#define PLATFORM(name, version, flags) {#name, version, flags},
    static const platform platforms[] = {XE_PORT_PLATFORMS(PLATFORM)};
#undef PLATFORM
    static uint32_t want[XE_MAX_DW], got[XE_MAX_DW];
    const unsigned cases = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    unsigned passed = 0, failed = 0;
    printf("%-42s %-11s %7s %9s %7s\n", "function", "platforms", "same", "differing", "refused");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        unsigned same = 0, differ = 0, refused = 0, n = 0;
        for (size_t p = 0; p < sizeof platforms / sizeof platforms[0]; p++) {
            const platform *at = &platforms[p];
            bool used = false;
            for (unsigned e = 0; e < XE_ENGINES; e++) {
                const bool pvc = at->version == 1260;
                const bool has = (pvc || at->version >= rows[r].since) &&
                                 (rows[r].engines >> e & 1) != 0 &&
                                 (e != XE_RCS || (at->flags & XE_NO_RENDER) == 0) &&
                                 (e != XE_CCS || at->version >= 1255) &&
                                 (e != XE_GSC || at->version >= 1270) && (e != XE_VECS || !pvc);
                for (unsigned i = 0; has && i < cases; i++) {
                    const xe_case c = make(at->name, at->version, at->flags, e);
                    const int k = rows[r].upstream(&c, want), m = rows[r].port(&c, got);
                    const bool equal = k == m && memcmp(want, got, (size_t)k * sizeof *want) == 0;
                    if (!equal && differ + refused < 3) {
                        show(&rows[r], &c, want, k, got, m);
                    }
                    used = true;
                    same += equal;
                    refused += !equal && m == XE_REFUSED;
                    differ += !equal && m != XE_REFUSED;
                }
            }
            n += used;
        }
        printf("xe %-39s %11u %7u %9u %7u\n", rows[r].name, n, same, differ, refused);
        passed += same;
        failed += differ + refused;
    }
    printf("ports: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}

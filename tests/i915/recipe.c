/* Recipes: words typed from the kernel's functions for each generation; every generation and engine
 * passes the checker, fits exactly or not at all, and does in the streamers what the text says. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n) GPUCMD_I915_GEN##n
#define RCS  GPUCMD_I915_RCS
#define BCS  GPUCMD_I915_BCS
#define VCS  GPUCMD_I915_VCS
#define CCS  GPUCMD_I915_CCS
#define GSC  GPUCMD_I915_GSC
#define BACK GPUCMD_I915_WRITE_BACK
#define INV  GPUCMD_I915_INVALIDATE
#define ALL  (BACK | INV)

static const gpucmd_i915_gen gens[] = {G(2), G(3), G(4),  G(4_5), G(5),    G(6),    G(7),  G(7_5),
                                       G(8), G(9), G(11), G(12),  G(12_5), G(12_7), G(20), G(30)};
#define GENS (sizeof gens / sizeof gens[0])

/* [K] gen2_engine_cs.c, gen6_engine_cs.c, gen8_engine_cs.c: *_emit_flush_* */
static void flushes(void)
{
    EMITS(WORDS(0x02000001), gpucmd_i915_emit_flush(&w, G(3), RCS, INV, 0));
    EMITS(WORDS(0x02000000), gpucmd_i915_emit_flush(&w, G(3), RCS, BACK, 0));
    EMITS(WORDS(0x02000002), gpucmd_i915_emit_flush(&w, G(4), RCS, INV, 0));
    EMITS(WORDS(0x02000022), gpucmd_i915_emit_flush(&w, G(5), RCS, ALL, 0));
    EMITS(WORDS(0x7a000003, 0x00100002, 0, 0, 0, 0x7a000003, 0x00004000, 0x1004, 0, 0, 0x7a000003,
                0x00101001, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(6), RCS, BACK, 0x1000));
    EMITS(WORDS(0x7a000003, 0x00100002, 0, 0, 0, 0x7a000003, 0x00004000, 0x1004, 0, 0, 0x7a000003,
                0x00145c1d, 0x1004, 0, 0),
          gpucmd_i915_emit_flush(&w, G(6), RCS, ALL, 0x1000));
    EMITS(WORDS(0x7a000003, 0x00100002, 0, 0, 0, 0x7a000003, 0x01154c1e, 0x1000, 0, 0),
          gpucmd_i915_emit_flush(&w, G(7), RCS, INV, 0x1000));
    EMITS(WORDS(0x7a000003, 0x001010a1, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(7_5), RCS, BACK, 0x1000));
    EMITS(WORDS(0x7a000004, 0x01145cbd, 0x1000, 1, 0, 0),
          gpucmd_i915_emit_flush(&w, G(8), RCS, ALL, 0x100001000));
    EMITS(WORDS(0x7a000004, 0, 0, 0, 0, 0, 0x7a000004, 0x01144c1c, 0x1000, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(9), RCS, INV, 0x1000));
    EMITS(WORDS(0x7a000004, 0x111050a1, 0x1000, 0, 0, 0, 0x7a000004, 0x21144c1c, 0x1000, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(11), RCS, ALL, 0x1000));
    EMITS(WORDS(0x7a000204, 0x191070a1, 0x1000, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(12), RCS, BACK, 0x1000));
    EMITS(WORDS(0x7a000204, 0x191070a1, 0x1000, 0, 0, 0, 0x02800101, 0x7a000004, 0x21144c1c, 0x1000,
                0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(12), RCS, ALL, 0x1000));
    /* The compute engine: no render target, depth or tile caches, no vertex fetch. */
    EMITS(WORDS(0x7a000204, 0x091040a0, 0x1000, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(12_5), CCS, BACK, 0x1000));
    EMITS(WORDS(0x02800101, 0x7a000004, 0x21144c0c, 0x1000, 0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(12_5), CCS, INV, 0x1000));
    EMITS(WORDS(0x13004001, 0x1004, 0), gpucmd_i915_emit_flush(&w, G(6), BCS, BACK, 0x1000));
    EMITS(WORDS(0x13044081, 0x1004, 0), gpucmd_i915_emit_flush(&w, G(7), VCS, INV, 0x1000));
    EMITS(WORDS(0x13044002, 0x1004, 0, 0), gpucmd_i915_emit_flush(&w, G(9), BCS, ALL, 0x1000));
    EMITS(WORDS(0x02800101, 0x13044002, 0x1004, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(12), BCS, INV, 0x1000));
    /* [K2] with CCS flushes, without the L3 flush */
    EMITS(WORDS(0x7a002204, 0x111070a1, 0x1000, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(12_7), RCS, BACK, 0x1000));
    EMITS(WORDS(0x02800101, 0x13054002, 0x1004, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(12_7), BCS, INV, 0x1000));
    /* [XE] xe_ring_ops.c; it stores to the status page instead */
    EMITS(WORDS(0x7a000204, 0x101010a1, 0, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(20), RCS, BACK, 0x1000));
    EMITS(WORDS(0x7a000204, 0x001000a0, 0, 0, 0, 0),
          gpucmd_i915_emit_flush(&w, G(30), CCS, BACK, 0x1000));
    EMITS(WORDS(0x02800101, 0x7a000404, 0x21144c1c, 0x1000, 0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(20), RCS, INV, 0x1000));
    EMITS(WORDS(0x02800101, 0x7a000004, 0x21144c0c, 0x1000, 0, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(30), CCS, INV, 0x1000));
    EMITS(WORDS(0x02800101, 0x13044002, 0x1004, 0, 0, 0x02800100),
          gpucmd_i915_emit_flush(&w, G(20), VCS, INV, 0x1000));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_flush(&w, G(6), RCS, BACK, 0x1004));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_flush(&w, G(7), BCS, BACK, 0x100000000));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_flush(&w, G(9), BCS, BACK, 0x1000000000000));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_flush(&w, (gpucmd_i915_gen)301, RCS, BACK, 0x1000));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_flush(&w, (gpucmd_i915_gen)10, RCS, BACK, 0));
}

/* [K] *_emit_breadcrumb_* and *_emit_fini_breadcrumb_*, stores to an address on every generation */
static void breadcrumbs(void)
{
    EMITS(WORDS(0x02000000, 0x10400001, 0x1000, 7, 0x01000000),
          gpucmd_i915_emit_breadcrumb(&w, G(3), RCS, 0x1000, 7));
    EMITS(WORDS(0x02000000, 0x10400002, 0, 0x1000, 7, 0x01000000),
          gpucmd_i915_emit_breadcrumb(&w, G(5), RCS, 0x1000, 7));
    EMITS(WORDS(0x7a000003, 0x00100002, 0, 0, 0, 0x7a000003, 0x00004000, 0x100c, 0, 0, 0x7a000003,
                0x00105021, 0x1004, 7, 0, 0x01000000),
          gpucmd_i915_emit_breadcrumb(&w, G(6), RCS, 0x1000, 7));
    EMITS(WORDS(0x7a000003, 0x011050a1, 0x1000, 7, 0, 0x01000000),
          gpucmd_i915_emit_breadcrumb(&w, G(7), RCS, 0x1000, 7));
    EMITS(WORDS(0x13004001, 0x1004, 7, 0x01000000),
          gpucmd_i915_emit_breadcrumb(&w, G(7), BCS, 0x1000, 7));
    EMITS(WORDS(0x7a000004, 0x001010a1, 0, 0, 0, 0, 0x7a000004, 0x01104080, 0x1000, 0, 7, 0,
                0x01000000, 0x04000001),
          gpucmd_i915_emit_breadcrumb(&w, G(9), RCS, 0x1000, 7));
    EMITS(WORDS(0x7a000204, 0x181030a1, 0, 0, 0, 0, 0x7a000004, 0x01104080, 0x1000, 0, 7, 0,
                0x01000000, 0x04000001),
          gpucmd_i915_emit_breadcrumb(&w, G(12), RCS, 0x1000, 7));
    EMITS(WORDS(0x13004002, 0x1004, 1, 7, 0x01000000, 0x04000001),
          gpucmd_i915_emit_breadcrumb(&w, G(11), VCS, 0x100001000, 7));
    EMITS(WORDS(0x7a000204, 0x101410a1, 0, 0, 0, 0, 0x7a000004, 0x01104080, 0x1000, 0, 7, 0,
                0x01000000, 0x04000001),
          gpucmd_i915_emit_breadcrumb(&w, G(12_7), RCS, 0x1000, 7)); /* [K2] */
    EMITS(WORDS(0x7a000204, 0x101010a1, 0, 0, 0, 0, 0x7a000004, 0x01104080, 0x1000, 0, 7, 0,
                0x01000000, 0x04000001, 0x02800000),
          gpucmd_i915_emit_breadcrumb(&w, G(20), RCS, 0x1000, 7)); /* [XE] */
    EMITS(WORDS(0x13004002, 0x1004, 1, 7, 0x01000000, 0x04000001, 0x02800000),
          gpucmd_i915_emit_breadcrumb(&w, G(30), GSC, 0x100001000, 7));
    EMITS(WORDS(0x18800101, 0x89abc000, 0x00000123, 0x04000000),
          gpucmd_i915_emit_dispatch(&w, G(20), RCS, false, 0x12389abc000));
    EMITS(WORDS(0x18800001, 0x89abc000, 0x00000123, 0x04000000),
          gpucmd_i915_emit_dispatch(&w, G(30), GSC, true, 0x12389abc000));
    EMITS(WORDS(0x04000001, 0x18800101, 0x89abc000, 0x00000123, 0x04000000, 0),
          gpucmd_i915_emit_dispatch(&w, G(12_7), RCS, false, 0x12389abc000));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_breadcrumb(&w, G(3), RCS, 0x1004, 7));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_i915_emit_breadcrumb(&w, (gpucmd_i915_gen)0, RCS, 0x1000, 7));
}

/* [K] intel_migrate.c emit_copy */
static void copies(void)
{
    EMITS(WORDS(0x50f00004, 0x03cc1000, 0x00031000, 0x2000, 4096, 0x8000),
          gpucmd_i915_emit_copy_pages(&w, G(6), 0x2000, 0x8000, 3));
    EMITS(WORDS(0x54f00008, 0x03cc1000, 0, 0x00030400, 0x2000, 0, 0, 4096, 0x8000, 1),
          gpucmd_i915_emit_copy_pages(&w, G(8), 0x2000, 0x100008000, 3));
    EMITS(WORDS(0x50800008, 0x03001000, 0, 0x00030400, 0x2000, 0, 0, 4096, 0x8000, 1),
          gpucmd_i915_emit_copy_pages(&w, G(12), 0x2000, 0x100008000, 3));
    /* [XE] 1 MiB, then 16 rows of 4096 bytes at addresses that are not multiples of 256 */
    EMITS(WORDS(0x56880008, 0x00000fff, 0x000000ff, 0x00000fff, 0x00000fff, 0x00200000, 0,
                0x00100000, 0, 0x30000018),
          gpucmd_i915_emit_copy_pages(&w, G(20), 0x100000, 0x200000, 256));
    EMITS(WORDS(0x56820008, 0x00000fff, 0x0000000f, 0x00000fff, 0x00000fff, 0x00200010, 0,
                0x00100010, 0, 0x30000018),
          gpucmd_i915_emit_copy_pages(&w, G(30), 0x100010, 0x200010, 16));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8000, 0));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8000, 32768));
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_copy_pages(&w, G(7), 0x100002000, 0x8000, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_copy_pages(&w, G(9), 0x2000, 0x8002, 1));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_i915_emit_copy_pages(&w, (gpucmd_i915_gen)301, 0x2000, 0x8000, 1));
}

static uint8_t data[5 * 4096 + 16];
static uint32_t findings;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    fprintf(stderr, "rule %d at %u\n", (int)f->rule, (unsigned)(f->at_bytes / 4));
    findings++;
    return GPUCMD_OK;
}

/* All recipes of one engine into a secure batch: nothing that the checker finds; the page is copied
 * and the number is stored, each in the widths that the text says. */
static void in_a_batch(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    const uint64_t va = gen < G(8) ? 0x10000 : 0x800000010000;
    const bool copy = gen < G(6) || engine == BCS;
    static uint32_t words[128];
    gpucmd_i915_check_options options;
    gpucmd_i915_cmdset cmdset;
    gpucmd_region regions[2];
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, words, 128);
    for (uint32_t mode = BACK; mode <= ALL; mode++) {
        gpucmd_i915_emit_flush(&w, gen, engine, mode, va + 8);
    }
    if (copy) {
        gpucmd_i915_emit_copy_pages(&w, gen, va + 4096, va + 2 * 4096, 2);
    }
    gpucmd_i915_emit_breadcrumb(&w, gen, engine, va, 0x12345678);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, 0);
    if (gpucmd_writer_at_dw(&w) % 2 != 0) {
        gpucmd_i915_emit_mi_noop(&w, gen, 0);
    }
    if (!EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK)) {
        return;
    }
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen, engine), GPUCMD_OK);
    memset(&options, 0, sizeof options);
    options.secure = true;
    options.found = on_finding;
    findings = 0;
    EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, NULL), GPUCMD_OK);
    EQUAL(findings, 0);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 7 + i / 4096);
    }
    for (size_t i = 0; i < len_dw; i++) { /* the GPU reads little-endian words */
        gpucmd_store32(&words[i], words[i], GPUCMD_LITTLE_ENDIAN);
    }
    memset(regions, 0, sizeof regions);
    regions[0].va = va;
    regions[0].host = data;
    regions[0].bytes = sizeof data;
    regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    regions[1].va = va + 0x100000;
    regions[1].host = words;
    regions[1].bytes = sizeof words;
    regions[1].access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, va + 0x100000, true), GPUCMD_OK);
    if (!EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE)) {
        fprintf(stderr, "gen %d engine %d\n", (int)gen, (int)engine);
    }
    EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 0x12345678);
    for (size_t i = 16; i < sizeof data; i++) {
        const size_t from = copy && i >= 4096 && i < 3 * 4096 ? i + 4096 : i;

        if (!EQUAL(data[i], (uint8_t)(from * 7 + from / 4096))) {
            break;
        }
    }
}

static void every_generation(void)
{
    for (size_t i = 0; i < GENS; i++) {
        in_a_batch(gens[i], RCS);
        if (gens[i] >= G(6)) {
            in_a_batch(gens[i], BCS);
            in_a_batch(gens[i], VCS);
        }
        if (gens[i] >= G(12_5)) {
            in_a_batch(gens[i], CCS);
        }
        if (gens[i] >= G(12_7)) {
            in_a_batch(gens[i], GSC);
        }
    }
}

int main(void)
{
    flushes();
    breadcrumbs();
    copies();
    every_generation();
    return test_report("i915_recipe");
}

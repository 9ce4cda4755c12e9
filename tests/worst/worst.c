/* Worst inputs: for each the longest unit of budget, in nanoseconds; and growth: the time of a
 * large or hostile input against that of a small or ordinary one. A row over its bound fails. The
 * time of a unit is the smallest of all passes, so that another process on the machine does not
 * count; a row over its bound is measured again, up to MOST_PASSES times, and then up to MOST_ROUNDS
 * times more with a pause between. The bound is for a CPU that needs REFERENCE_NS for each of the
 * loops in arithmetic_ns and loads_ns; on a slower one it is longer in proportion to the slower loop.
 * Run by `make worst`. */
#define _POSIX_C_SOURCE 200809L
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROOM = 16 << 20,
    PASSES = 25,
    MOST_PASSES = 500,
    MOST_ROUNDS = 10,
    PAUSE_NS = 300000000,
    UNITS = 400,
    BOUND_NS = 2000,
    REFERENCE_NS = 800
};
#define MEM_VA   0x10000000u
#define BATCH_VA 0x3000000u
#define GP_VA    0x3100000u

static uint8_t *memory;
static uint8_t batch[1 << 16], gp[16];
static gpucmd_region regions[4096];
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_nv_channel ch;
static gpucmd_nv_card card;
static gpucmd_i915_cs cs;
static unsigned passed, failed;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* As now_ns, but without the time of other processes; a call takes longer. */
static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void require(bool good)
{
    if (!good) {
        fprintf(stderr, "worst: an input is not valid\n");
        exit(1);
    }
}

/* Map the batch, the IB ring, and ROOM bytes in pieces of piece_bytes. */
static void map(uint32_t piece_bytes)
{
    uint32_t at, n = 2;
    regions[0].va = BATCH_VA;
    regions[0].bytes = sizeof batch;
    regions[0].host = batch;
    regions[1].va = GP_VA;
    regions[1].bytes = sizeof gp;
    regions[1].host = gp;
    for (at = 0; at < ROOM && n < 4096; at += piece_bytes, n++) {
        regions[n].va = MEM_VA + (uint64_t)at;
        regions[n].bytes = piece_bytes;
        regions[n].host = memory + at;
    }
    for (at = 0; at < n; at++) {
        regions[at].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    }
    require(gpucmd_mem_init(&mem, regions, n) == GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
}

static gpucmd_nv_chip nv_chip = GPUCMD_NV_CHIP_GA102;

/* Handles before GF100: 1 is all memory, others have a class in their lower half. */
static gpucmd_status find_object(void *user, uint32_t channel, uint32_t handle,
                                 gpucmd_nv_object *object)
{
    (void)user, (void)channel;
    object->class_id = handle & 0xffff;
    object->va = handle == 1 ? MEM_VA : 0;
    object->bytes = handle == 1 ? ROOM : (uint64_t)1 << 40;
    return GPUCMD_OK;
}

/* Begin the NVIDIA words in the batch. crc: the ring has a PB_CRC entry after them. */
static void nv_begin(uint32_t len_dw, bool crc)
{
    uint32_t entry[4] = {0, 0, 0, 0};
    require(gpucmd_nv_channel_init(&ch, nv_chip, &card) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    card.object = find_object;
    if (nv_chip < GPUCMD_NV_CHIP_GF100) {
        ch.pusher.dma_get = BATCH_VA;
        ch.pusher.dma_put = BATCH_VA + 4 * len_dw;
        return;
    }
    require(gpucmd_nv_encode_entry(entry, nv_chip, BATCH_VA, len_dw, 0) == GPUCMD_OK);
    entry[3] = crc ? GPUCMD_NV_CONTROL_PB_CRC : 0;
    gpucmd_store_words(gp, entry, 4, GPUCMD_LITTLE_ENDIAN);
    ch.pbdma.gp_base = GP_VA;
    ch.pbdma.limit2 = 2;
    ch.pbdma.gp_put = crc ? 2 : 1;
}

static gpucmd_run nv_unit(void)
{
    return gpucmd_nv_channel_run(&ch, &env, 1);
}

static gpucmd_run i915_unit(void)
{
    return gpucmd_i915_cs_run(&cs, &env, 1);
}

static uint32_t words_dw;
static gpucmd_i915_gen gen;
static bool crc_entry, has_rights = true;

static void i915_begin(void)
{
    require(gpucmd_i915_cs_init(&cs, gen,
                                gen < GPUCMD_I915_GEN6 ? GPUCMD_I915_RCS : GPUCMD_I915_BCS,
                                0) == GPUCMD_OK);
    require(gpucmd_i915_cs_batch(&cs, BATCH_VA, has_rights) == GPUCMD_OK);
}

static void nv_begin_words(void)
{
    nv_begin(words_dw, crc_entry);
}

/* Return the smallest time of a loop with four independent chains of arithmetic, which an idle CPU
 * at 3 GHz executes in about REFERENCE_NS. */
static uint64_t arithmetic_ns(void)
{
    static volatile uint64_t sink;
    uint64_t least = ~(uint64_t)0;
    unsigned pass, i;
    for (pass = 0; pass < MOST_PASSES; pass++) {
        const uint64_t start = now_ns();
        uint64_t a = sink, b = 1, c = 2, d = 3, took;
        for (i = 0; i < 400; i++) {
            a = (a ^ a >> 7) * 0x9e3779b97f4a7c15u;
            b = (b ^ b >> 7) * 0x9e3779b97f4a7c15u;
            c = (c ^ c >> 7) * 0x9e3779b97f4a7c15u;
            d = (d ^ d >> 7) * 0x9e3779b97f4a7c15u;
        }
        sink = a ^ b ^ c ^ d;
        took = now_ns() - start;
        least = took < least ? took : least;
    }
    return least;
}

/* Return the smallest time of LOADS loads, each of the place that the one before names, over 256 KiB:
 * as a look-up in a table of 4096 regions, which leaves the first cache. An idle CPU at 3 GHz with a
 * second cache of 14 cycles needs about REFERENCE_NS. */
static uint64_t loads_ns(void)
{
    enum { PLACES = 4096, LINE_DW = 16, LOADS = 170 };
    static uint32_t next[PLACES * LINE_DW];
    static volatile uint32_t sink;
    uint64_t least = ~(uint64_t)0;
    uint32_t at = sink;
    unsigned pass, i;
    for (i = 0; i < PLACES; i++) { /* one cycle through all places: 2049 and 4096 have no divisor */
        next[i * LINE_DW] = (i + 2049) % PLACES * LINE_DW;
    }
    for (pass = 0; pass < MOST_PASSES; pass++) {
        const uint64_t start = now_ns();
        uint64_t took;
        for (i = 0; i < LOADS; i++) {
            at = next[at];
        }
        took = now_ns() - start;
        sink = at;
        least = took < least ? took : least;
    }
    return least;
}

/* Return the bound of count units on this CPU, as fast as it is now. */
static uint64_t bound_ns(unsigned count)
{
    const uint64_t took = gpucmd_priv_max(arithmetic_ns(), loads_ns());
    if (took <= REFERENCE_NS) {
        return BOUND_NS * count;
    }
    return BOUND_NS * count * took / REFERENCE_NS;
}

/* The smallest time of each unit of a row, and what follows from them. */
enum { MOST_UNITS = 20000 };
static uint64_t unit_ns[MOST_UNITS], most_ns, sum_ns;
static unsigned units;

/* Execute most_units units once; first: forget the times that were measured before. */
static void measure_pass(void (*begin)(void), gpucmd_run (*unit)(void), unsigned most_units,
                         bool first)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    unsigned i;
    begin();
    for (units = 0; units < most_units && run == GPUCMD_RUN_LIMIT; units++) {
        const uint64_t start = now_ns();
        uint64_t took;
        run = unit();
        took = now_ns() - start;
        unit_ns[units] = first || took < unit_ns[units] ? took : unit_ns[units];
    }
    for (most_ns = sum_ns = i = 0; i < units; i++) {
        most_ns = unit_ns[i] > most_ns ? unit_ns[i] : most_ns;
        sum_ns += unit_ns[i];
    }
}

/* Execute most_units units in each pass. The time of a unit is the smallest of all passes. polls: a
 * unit also polls engines or channels that wait, which uses no budget; it may need twice the time. */
static void measure_polls(const char *name, void (*begin)(void), gpucmd_run (*unit)(void),
                          unsigned most_units, bool polls)
{
    const struct timespec pause = {0, PAUSE_NS};
    const unsigned count = polls ? 2 : 1;
    uint64_t bound = bound_ns(count);
    unsigned pass, round;
    require(most_units <= MOST_UNITS);
    for (pass = 0; pass < PASSES; pass++) {
        measure_pass(begin, unit, most_units, pass == 0);
    }
    for (round = 0; round < MOST_ROUNDS && most_ns > bound; round++) {
        for (pass = 0; pass < MOST_PASSES && most_ns > bound; pass++) {
            measure_pass(begin, unit, most_units, false);
        }
        if (most_ns > bound) { /* other work, or a CPU that has become slower */
            nanosleep(&pause, NULL);
            bound = gpucmd_priv_max(bound, bound_ns(count));
        }
    }
    printf("  %-56s %5u units %8.0f ns mean %8llu ns worst, bound %llu\n", name, units,
           (double)sum_ns / units, (unsigned long long)most_ns, (unsigned long long)bound);
    passed += most_ns <= bound;
    failed += most_ns > bound;
    if (most_ns > bound) {
        printf("FAIL: %s\n", name);
    }
}

static void measure(const char *name, void (*begin)(void), gpucmd_run (*unit)(void),
                    unsigned most_units)
{
    measure_polls(name, begin, unit, most_units, false);
}

static void row(const char *name, const uint32_t *words, uint32_t len_dw, gpucmd_run (*unit)(void))
{
    gpucmd_store_words(batch, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    words_dw = len_dw;
    measure(name, unit == nv_unit ? nv_begin_words : i915_begin, unit, crc_entry ? 20000 : UNITS);
}

#define NV(name, ...)                                                                              \
    do {                                                                                           \
        const uint32_t words[] = {__VA_ARGS__};                                                    \
        row("nv " name, words, sizeof words / 4, nv_unit);                                         \
    } while (0)
#define I915(name, generation, ...)                                                                \
    do {                                                                                           \
        const uint32_t words[] = {__VA_ARGS__, 0x05000000};                                        \
        gen = GPUCMD_I915_GEN##generation;                                                         \
        row("i915 gen" #generation " " name, words, sizeof words / 4, i915_unit);                  \
    } while (0)

#define SRC MEM_VA
#define DST (MEM_VA + 0x800000)

static void nv_rows(void)
{
    NV("copy 4 MiB linear", 0x20088100, 0, SRC, 0, DST, 0, 0, 0x400000, 1, 0x200180c0, 0x386);
    NV("copy 2^32-1 lines of 1 byte, pitch 0", 0x20088100, 0, SRC, 0, DST, 0, 0, 1, 0xffffffff,
       0x200180c0, 0x386);
    NV("copy tiled to tiled", 0x20088100, 0, SRC, 0, DST, 0, 0, 2000, 1000, 0x200681c3, 0x10, 2048,
       1024, 1, 0, 7, 0x200681ca, 0x10, 2048, 1024, 1, 0, 3, 0x200180c0, 0x206);
    NV("remap, tiled to linear", 0x20088100, 0, SRC, 0, DST, 0, 4096, 1000, 1000, 0x200181c2,
       0x03301032, 0x200681ca, 0x10, 1024, 1024, 1, 0, 3, 0x200180c0, 0x706);
    NV("fill by remap, 1 byte lines", 0x20088100, 0, SRC, 0, DST, 1, 1, 1, 0xffffffff, 0x200181c2,
       0x00004444, 0x200180c0, 0x786);
}

/* Short lines, pixels with a mask, a filter and another format, sides of every layout. */
static void nv_engine_rows(void)
{
    nv_chip = GPUCMD_NV_CHIP_GF100;
    NV("gf100 clear, lines of 64 pixels", 0x20010000, 0x9097, 0x20090200, 0, DST, 64, 16384, 0xcf,
       0x1000, 1, 0, 0, 0x20040360, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x200203fd,
       64 << 16, 16384 << 16, 0x20010674, 0x3c);
    NV("gf100 clear of one component, tiled", 0x20010000, 0x9097, 0x20090200, 0, DST, 1024, 1024,
       0xcf, 0x40, 1, 0, 0, 0x20040360, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x200203fd,
       1024 << 16, 1024 << 16, 0x20010674, 0x10);
    NV("gf100 blit, filter, RGBA16F to BGRA8, tiled", 0x20016000, 0x902d, 0x20056080, 0xcf, 0, 0x40,
       1, 0, 0x20046086, 512, 512, 0, DST, 0x2005608c, 0xca, 0, 0x40, 1, 0, 0x20046092, 512, 512, 0,
       SRC, 0x20016223, 0x11, 0x200c622c, 0, 0, 500, 500, 0x80000000, 0, 0x80000000, 0, 0x40000000,
       0, 0x40000000, 0);
    NV("gf100 upload, lines of 1 byte, tiled", 0x20014000, 0x9039, 0x20064083, 0, DST, 0x40, 64, 64,
       1, 0x200240c7, 1, 20, 0x200140c0, 1, 0x601440c1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
       14, 15, 16, 17, 18, 19, 20);
    nv_chip = GPUCMD_NV_CHIP_G80;
    NV("g80 blit, filter, tiled", 0x00048000, 0xcafe502d, 0x00148200, 0xd5, 0, 0x40, 1, 0,
       0x00108218, 512, 512, 0, DST, 0x00148230, 0xd5, 0, 0x40, 1, 0, 0x00108248, 512, 512, 0, SRC,
       0x0004888c, 0x11, 0x003088b0, 0, 0, 500, 500, 0x80000000, 0, 0x80000000, 0, 0x40000000, 0,
       0x40000000, 0);
    NV("g80 clear, tiled", 0x00046000, 0xcafe5097, 0x00146200, 0, DST, 0xe4, 0x40, 0x80, 0x00047224,
       1, 0x00087240, 512, 512, 0x00046d80, 0xdeadbeef, 0x00086ff4, 512 << 16, 512 << 16,
       0x000479d0, 0x3c);
    nv_chip = GPUCMD_NV_CHIP_NV40;
    NV("nv40 clear of color and depth, 64 pixels", 0x00046000, 0xcafe4097, 0x00086194, 1, 1,
       0x00186200, 64 << 16, 1024 << 16, 0x128, 0x100, 0x2000, 0x82000, 0x0004622c, 0x100,
       0x000868c0, 64 << 16, 1024 << 16, 0x000c7d8c, 0xffffff, 0x11223344, 0xf3);
    NV("nv40 clear of stencil", 0x00046000, 0xcafe4097, 0x00086194, 1, 1, 0x00186200, 64 << 16,
       1024 << 16, 0x128, 0x100, 0x2000, 0x82000, 0x0004622c, 0x100, 0x000868c0, 64 << 16,
       1024 << 16, 0x000c7d8c, 0xffffff, 0x11223344, 0x02);
    NV("nv40 scaled image, swizzled", 0x00042000, 0xcafe309e, 0x00042184, 1, 0x00082300, 0x0909000a,
       0x82000, 0x00046000, 0xcafe3089, 0x00046184, 1, 0x00046198, 0xcafe309e, 0x00206300, 3, 3, 0,
       512 << 16 | 512, 0, 512 << 16 | 512, 0x80000, 0x80000, 0x00106400, 512 << 16 | 512,
       0x00010800, 0x2000, 0);
    nv_chip = GPUCMD_NV_CHIP_GA102;
}

static void i915_rows(void)
{
    I915("copy 32767 rows of 1 byte, pitch 0", 9, 0x54c00008, 0x00cc0000, 0, 0x7fff0001, DST, 0, 0,
         0, SRC, 0);
    I915("copy rows of 128 KiB, pitch 0", 9, 0x54f00008, 0x03cc0000, 0, 0x7fff7fff, DST, 0, 0, 0,
         SRC, 0);
    I915("copy with rop 66", 9, 0x54f00008, 0x03662000, 0, 0x03000200, DST, 0, 0, 0x2000, SRC, 0);
    I915("copy X tiles to X tiles", 9, 0x54f08808, 0x03cc0200, 0, 0x03000200, DST, 0, 0, 0x200, SRC,
         0);
    I915("fill X tiles", 9, 0x54300805, 0x03f00200, 0, 0x03000200, DST, 0, 0x11223344);
    I915("pattern with rop 5a", 7, 0x54b00007, 0x035a2000, 0x00000000, 0x02000100, DST, 0x11111111,
         0x22222222, 0x0f0f0f0f, 0xf0f0f0f0);
}

/* Commands of 128 registers or 1024 words, in a batch without rights. */
static void long_commands(void)
{
    static uint32_t words[1030];
    uint32_t i;
    words[0] = 0x110000ff; /* registers that no batch may write: the search goes to its end */
    for (i = 1; i < 257; i++) {
        words[i] = i % 2 != 0 ? 0x10000010 : i;
    }
    words[257] = 0x05000000;
    gen = GPUCMD_I915_GEN12_5;
    has_rights = false;
    row("i915 gen12_5 128 registers of one command", words, 258, i915_unit);
    has_rights = true;
    words[0] = 0x100003fe;
    words[1] = DST;
    words[2] = 0;
    words[1024] = 0x05000000;
    gen = GPUCMD_I915_GEN9;
    row("i915 gen9 store of 1021 words", words, 1025, i915_unit);
    words[0] = 0x0d0000fe;
    for (i = 1; i < 256; i++) {
        words[i] = i % 2 != 0 ? 0x08008000 : 0x18000031; /* LOAD, STORE */
    }
    words[256] = 0x05000000;
    row("i915 gen9 math of 255 words", words, 257, i915_unit);
}

/* A list of indices of gen3 that has no end. */
static void index_list(void)
{
    static uint32_t words[8000];
    memset(words, 0, sizeof words);
    words[0] = 0x7f820000;
    gen = GPUCMD_I915_GEN3;
    row("i915 gen3 index list without an end", words, 8000, i915_unit);
}

static void crc(void)
{
    static uint32_t words[16000];
    words[0] = 0x60000000u | 16000u % 8192u << 16 | 0x100; /* data of a method without effect */
    crc_entry = true;
    row("nv CRC of a segment of 64000 bytes", words, 16000, nv_unit);
    crc_entry = false;
}

/* ---- growth ---- */

/* Return nanoseconds of a submission with 8192 relocations on 512 objects; the handles of the
 * objects are a multiple of stride. */
static uint64_t relocations(uint32_t stride)
{
    enum { OBJECTS = 512, RELOCS = 8192 };
    static gpucmd_i915_object objects[OBJECTS];
    static gpucmd_map vmas[OBJECTS];
    static struct gpucmd_drm_i915_gem_exec_object2 list[OBJECTS], table[OBJECTS];
    static struct gpucmd_drm_i915_gem_relocation_entry relocs[RELOCS];
    static gpucmd_i915_kernel_store store;
    static gpucmd_i915_kernel k;
    struct gpucmd_drm_i915_gem_execbuffer2 a;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    uint32_t i;
    for (pass = 0; pass < 15; pass++) {
        uint64_t start;
        memset(objects, 0, sizeof objects);
        memset(list, 0, sizeof list);
        memset(relocs, 0, sizeof relocs);
        memset(&a, 0, sizeof a);
        require(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, NULL, 0) ==
                GPUCMD_OK);
        k.objects = objects;
        k.object_count = OBJECTS;
        k.vmas = vmas;
        k.vma_count = OBJECTS;
        k.list = table;
        k.list_cap = OBJECTS;
        for (i = 0; i < OBJECTS; i++) {
            objects[i].handle = (i + 1) * stride;
            objects[i].bytes = 4096;
            objects[i].host = memory + 4096 * (size_t)i;
            list[i].handle = objects[i].handle;
        }
        for (i = 0; i < RELOCS; i++) {
            relocs[i].target_handle = objects[OBJECTS - 1 - i % OBJECTS].handle;
            relocs[i].offset = i % 512 * 8;
            relocs[i].presumed_offset = ~(uint64_t)0;
        }
        list[0].relocation_count = RELOCS;
        list[0].relocs_ptr = (uint64_t)(uintptr_t)relocs;
        a.buffers_ptr = (uint64_t)(uintptr_t)list;
        a.buffer_count = OBJECTS;
        a.batch_len = 4096;
        start = cpu_ns();
        require(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                         (uint64_t)(uintptr_t)&a) == 0);
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

/* Return nanoseconds of 100 lists of the regions of a submission with 1024 objects, whose
 * addresses descend in the order of the list, or ascend. */
static uint64_t lists(bool descending)
{
    enum { COUNT = 1024 };
    static gpucmd_i915_object objects[COUNT];
    static gpucmd_map vmas[COUNT];
    static struct gpucmd_drm_i915_gem_exec_object2 list[COUNT], table[COUNT];
    static gpucmd_region out[COUNT];
    static gpucmd_i915_kernel_store store;
    static gpucmd_i915_kernel k;
    struct gpucmd_drm_i915_gem_execbuffer2 a;
    uint64_t best = ~(uint64_t)0;
    uint32_t i, pass;
    memset(&a, 0, sizeof a);
    require(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, NULL, 0) ==
            GPUCMD_OK);
    k.objects = objects;
    k.object_count = COUNT;
    k.vmas = vmas;
    k.vma_count = COUNT;
    k.list = table;
    k.list_cap = COUNT;
    for (i = 0; i < COUNT; i++) {
        objects[i].handle = list[i].handle = i + 1;
        objects[i].bytes = 4096;
        objects[i].host = memory + 4096 * (size_t)i;
        list[i].flags = GPUCMD_EXEC_OBJECT_PINNED;
        list[i].offset = 0x100000 + 4096 * (uint64_t)(descending ? COUNT - i : i);
    }
    a.buffers_ptr = (uint64_t)(uintptr_t)list;
    a.buffer_count = COUNT;
    a.batch_len = 4096;
    require(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                     (uint64_t)(uintptr_t)&a) == 0);
    for (pass = 0; pass < 15; pass++) {
        const uint64_t start = cpu_ns();
        for (i = 0; i < 100; i++) {
            require(gpucmd_i915_kernel_list_regions(&k, out, COUNT) == COUNT);
        }
        best = cpu_ns() - start < best ? cpu_ns() - start : best;
    }
    return best;
}

/* Return nanoseconds of 100000 look-ups in 1024 regions, which must be sorted first if they are in
 * descending order. */
static uint64_t look_ups(bool descending)
{
    enum { COUNT = 1024, PIECE = ROOM / COUNT };
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    for (pass = 0; pass < 15; pass++) {
        uint64_t start;
        uint32_t i, v, at = 1;
        for (i = 0; i < COUNT; i++) {
            const uint32_t k = descending ? COUNT - 1 - i : i;
            regions[i].va = MEM_VA + (uint64_t)k * PIECE;
            regions[i].bytes = PIECE;
            regions[i].host = memory + (size_t)k * PIECE;
            regions[i].access_mask = GPUCMD_ACCESS_READ;
        }
        start = cpu_ns();
        gpucmd_mem_sort(regions, descending ? COUNT : 0);
        require(gpucmd_mem_init(&mem, regions, COUNT) == GPUCMD_OK);
        for (i = 0; i < 100000; i++) {
            at = at * 1664525u + 1013904223u;
            require(gpucmd_mem_read32(&mem, MEM_VA + (at >> 8) % (ROOM - 4), GPUCMD_LITTLE_ENDIAN,
                                      &v) == GPUCMD_OK);
        }
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

/* ---- AGX ---- */

enum { MAPS = 32768, SYNCS = 4096 };

static gpucmd_agx_kernel_store agx_store;
static gpucmd_agx_kernel agx;
static gpucmd_agx_kernel_tables agx_tables;
static gpucmd_map agx_maps[MAPS + 2];
static gpucmd_sync_point agx_points[2 * SYNCS];
static gpucmd_fence agx_fences[2 * SYNCS];
static gpucmd_agx_link agx_links[2 * SYNCS];
static uint32_t agx_ids[SYNCS];
static struct gpucmd_drm_asahi_sync agx_synced[SYNCS], agx_args[SYNCS];

/* A kernel with large tables, a VM, an object, a queue, two sync objects. */
static void agx_begin(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 0, 0, 0x1000};
    struct gpucmd_drm_asahi_gem_create gem = {GPUCMD_AGX_PAGE_BYTES, 0, 0, 0, 0};
    uint32_t handle = 0;
    gpucmd_agx_kernel_tables_init(&agx_tables, &agx_store);
    agx_tables.maps = agx_maps;
    agx_tables.map_count = MAPS + 2;
    agx_tables.points = agx_points;
    agx_tables.point_count = 2 * SYNCS;
    agx_tables.fence_ids = agx_ids;
    agx_tables.fence_id_count = SYNCS;
    agx_tables.syncs = agx_synced;
    agx_tables.sync_count = SYNCS;
    agx_tables.exec.fences = agx_fences;
    agx_tables.exec.fence_count = 2 * SYNCS;
    agx_tables.exec.links = agx_links;
    agx_tables.exec.link_count = 2 * SYNCS;
    require(gpucmd_agx_kernel_init(&agx, &agx_tables) == GPUCMD_OK);

    require(gpucmd_agx_kernel_vm_create(&agx, &vm) == 0);
    require(gpucmd_agx_kernel_gem_create(&agx, &gem) == 0);
    require(gpucmd_agx_kernel_queue_create(&agx, &queue) == 0);
    require(gpucmd_syncobj_create(&agx.syncobjs, 0, &handle) == 0 && handle == 1 &&
            gpucmd_syncobj_create(&agx.syncobjs, 0, &handle) == 0 && handle == 2);
}

/* Return the i-th of MAPS places: ascending, or in the order of the multiplicative hash of 32
 * bits. */
static uint64_t place(uint32_t i, bool hostile)
{
    const uint32_t at = hostile ? (i * 40503u) % MAPS : i;
    return 0x100000000u + 2 * (uint64_t)at * GPUCMD_AGX_PAGE_BYTES;
}

/* Return nanoseconds of MAPS binds. */
static uint64_t binds(bool hostile)
{
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    for (pass = 0; pass < 5; pass++) {
        uint64_t start;
        uint32_t i;
        agx_begin();
        start = cpu_ns();
        for (i = 0; i < MAPS; i++) {
            struct gpucmd_drm_asahi_gem_bind_op op = {GPUCMD_DRM_ASAHI_BIND_READ, 1, 0,
                                                      GPUCMD_AGX_PAGE_BYTES, 0};
            op.addr = place(i, hostile);
            require(gpucmd_agx_kernel_bind_op(&agx, 1, &op) == GPUCMD_AGX_RULE_NONE);
        }
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

static uint8_t agx_stream[1 << 16];
static uint32_t agx_stream_bytes;

static void agx_job(uint32_t commands)
{
    gpucmd_agx_stream st;
    struct gpucmd_drm_asahi_cmd_compute c;
    size_t len_bytes = 0;
    uint32_t i;
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&st, (uint32_t *)(void *)agx_stream, sizeof agx_stream / 4);
    for (i = 0; i < commands; i++) {
        gpucmd_agx_emit_compute(&st, GPUCMD_DRM_ASAHI_BARRIER_NONE, i != 0 ? i : 0xffff, &c);
    }
    require(gpucmd_agx_stream_finish(&st, &len_bytes) == GPUCMD_OK);
    agx_stream_bytes = (uint32_t)len_bytes;
}

/* Submit the job with syncs on sync object 1: out-syncs of points from first on, or in-syncs that
 * all wait for the point first. */
static uint64_t submit(uint32_t in, uint32_t out, uint64_t first)
{
    struct gpucmd_drm_asahi_submit a;
    uint64_t start;
    uint32_t i;
    for (i = 0; i < in + out; i++) {
        agx_args[i].sync_type = GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ;
        agx_args[i].handle = 1;
        agx_args[i].timeline_value = in != 0 ? first : first + i;
    }
    memset(&a, 0, sizeof a);
    a.syncs = (uint64_t)(uintptr_t)agx_args;
    a.in_sync_count = in;
    a.out_sync_count = out;
    a.cmdbuf = (uint64_t)(uintptr_t)agx_stream;
    a.cmdbuf_size = agx_stream_bytes;
    a.queue_id = 1;
    start = cpu_ns();
    require(gpucmd_agx_kernel_submit(&agx, &a) == 0);
    return cpu_ns() - start;
}

/* Return nanoseconds of a submission whose in-syncs wait for a point of a timeline with points
 * points: the oldest one, or the newest. */
static uint64_t waits(uint32_t in, uint32_t points, bool oldest)
{
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    agx_job(1);
    for (pass = 0; pass < 5; pass++) {
        uint64_t took;
        agx_begin();
        (void)submit(0, points, 1);
        took = submit(in, 0, oldest ? 1 : points);
        best = took < best ? took : best;
    }
    return best;
}

/* ---- AGX executor ---- */

enum { AGX_QUEUES = 1024, AGX_FENCES = 4096 };
static gpucmd_agx_exec x;
static gpucmd_agx_exec_queue x_queues[AGX_QUEUES];
static gpucmd_agx_exec_job x_jobs[AGX_QUEUES];
static gpucmd_agx_slot x_slots[AGX_QUEUES * GPUCMD_AGX_RINGS * 400];
static gpucmd_fence x_fences[AGX_FENCES];
static gpucmd_agx_link x_links[AGX_FENCES];
static uint32_t x_in[AGX_FENCES], x_out[AGX_FENCES];

static gpucmd_run agx_unit(void)
{
    return gpucmd_agx_exec_run(&x, NULL, 1);
}

static void agx_fail(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                     gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user, (void)job, (void)command, (void)part;
    fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
}

static void x_begin(void)
{
    const gpucmd_agx_exec_tables t = {x_queues, AGX_QUEUES, x_jobs,     AGX_QUEUES, x_slots,
                                      400,      x_fences,   AGX_FENCES, x_links,    AGX_FENCES};
    uint32_t i;
    require(gpucmd_agx_exec_init(&x, &t) == GPUCMD_OK);
    for (i = 0; i < GPUCMD_AGX_RINGS; i++) {
        x.durations.ring[i] = 4;
    }
    for (i = 0; i < AGX_QUEUES; i++) {
        require(gpucmd_agx_exec_queue_open(&x, 1) == i);
    }
}

/* Submit a job of commands commands of a kind, each of which waits for the one before. */
static void x_submit(uint32_t queue, gpucmd_agx_kind kind, uint32_t commands, uint32_t in,
                     uint32_t out)
{
    gpucmd_agx_job job;
    gpucmd_agx_submission sub = {NULL, x_in, 0, 0, x_out, 0};
    uint32_t i, slot;
    gpucmd_agx_job_init(&job);
    for (i = 0; i < commands; i++) {
        const uint32_t before = i != 0 ? i : GPUCMD_DRM_ASAHI_BARRIER_NONE;
        require(gpucmd_agx_job_add(&job, kind,
                                   kind == GPUCMD_AGX_KIND_RENDER ? before
                                                                  : GPUCMD_DRM_ASAHI_BARRIER_NONE,
                                   kind == GPUCMD_AGX_KIND_RENDER ? GPUCMD_DRM_ASAHI_BARRIER_NONE
                                                                  : before) == GPUCMD_OK);
    }
    sub.job = &job;
    sub.in_count = in;
    sub.out_count = out;
    require(gpucmd_agx_exec_submit(&x, queue, &sub, &slot) == GPUCMD_OK);
}

/* A job ends 2048 fences, for which a job of another queue waits. */
static void x_fence_lists(void)
{
    uint32_t i;
    x_begin();
    for (i = 0; i < 2048; i++) {
        x_in[i] = x_out[i] = gpucmd_fence_new(&x.fences, 0, 0);
    }
    x_submit(1, GPUCMD_AGX_KIND_COMPUTE, 1, 0, 2048);
    x_submit(0, GPUCMD_AGX_KIND_COMPUTE, 1, 2048, 0);
}

/* 4095 fences in a chain have ended, and wait for the first, which a job ends. The caller holds
 * no fence. */
static void x_chain(void)
{
    uint32_t i, prev = 0;
    x_begin();
    for (i = 0; i < AGX_FENCES; i++) {
        prev = gpucmd_fence_new(&x.fences, prev, 0);
        x_out[i] = prev;
    }
    x_submit(0, GPUCMD_AGX_KIND_COMPUTE, 1, 0, 1);
    for (i = 1; i < AGX_FENCES; i++) {
        require(gpucmd_fence_signal(&x.fences, x_out[i], 0) == GPUCMD_OK);
    }
    for (i = 0; i < AGX_FENCES; i++) {
        gpucmd_fence_release(&x.fences, x_out[i]);
    }
}

/* A job ends the last fence of a chain that nobody else holds: all are freed, none signals. */
static void x_drop(void)
{
    uint32_t i, prev = 0;
    x_begin();
    for (i = 0; i < AGX_FENCES; i++) {
        const uint32_t fence = gpucmd_fence_new(&x.fences, prev, 0);
        gpucmd_fence_release(&x.fences, prev);
        prev = x_out[0] = fence;
    }
    x_submit(0, GPUCMD_AGX_KIND_COMPUTE, 1, 0, 1);
    gpucmd_fence_release(&x.fences, x_out[0]);
}

static gpucmd_agx_kind x_kind;
static bool x_fail;

/* A job on each queue waits for the end of one fence. */
static void x_queues_wait(void)
{
    uint32_t i;
    x_begin();
    x.fate = x_fail ? agx_fail : NULL;
    x_in[0] = x_out[0] = gpucmd_fence_new(&x.fences, 0, 0);
    for (i = 0; i + 1 < AGX_QUEUES; i++) {
        x_submit(i, x_kind, GPUCMD_AGX_MAX_COMMANDS, 1, 0);
    }
    x_submit(i, x_kind, 1, 0, 1);
}

/* Jobs of one queue fill its firmware queues. */
static void x_queue_full(void)
{
    uint32_t i;
    x_begin();
    for (i = 0; i < 16; i++) {
        x_submit(0, x_kind, GPUCMD_AGX_MAX_COMMANDS, 0, 0);
    }
}

/* Return nanoseconds of MAPS binds of a draft, and of one unbind of the object from all places. */
static uint64_t draft_binds(gpucmd_agx_draft draft, bool hostile)
{
    static gpucmd_region all = {1, 0, NULL, 3};
    static gpucmd_mem process;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    require(gpucmd_mem_init(&process, &all, 0) == GPUCMD_OK);
    for (pass = 0; pass < 3; pass++) {
        struct gpucmd_drm_asahi_draft_gem_bind a;
        uint64_t start;
        uint32_t i;
        agx_begin();
        agx.user = &process;
        memset(&a, 0, sizeof a);
        a.handle = 1;
        a.vm_id = 1;
        start = cpu_ns();
        for (i = 0; i < MAPS; i++) {
            a.flags = 3;
            a.range = GPUCMD_AGX_PAGE_BYTES;
            a.addr = place(i, hostile) + place(0, false) * 32;
            require(gpucmd_agx_kernel_draft_ioctl(&agx, draft,
                                                  GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_BIND, &a) == 0);
        }
        a.op = GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL;
        a.flags = 0;
        a.range = a.addr = 0;
        require(gpucmd_agx_kernel_draft_ioctl(&agx, draft, GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_BIND,
                                              &a) == 0);
        require(agx.maps.count == 0);
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

/* Return nanoseconds of the search for a cycle, which is not there: each queue waits for the next
 * one, the last for the caller. */
static uint64_t deadlocks(uint32_t count)
{
    static gpucmd_agx_deadlock arcs[AGX_QUEUES];
    uint32_t fences[AGX_QUEUES], i;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    x_begin();
    for (i = 0; i < count; i++) {
        fences[i] = gpucmd_fence_new(&x.fences, 0, 0);
    }
    for (i = 0; i < count; i++) {
        x_in[0] = fences[i];
        x_out[0] = fences[i != 0 ? i - 1 : 0];
        x_submit(i, GPUCMD_AGX_KIND_COMPUTE, 1, 1, i != 0);
    }
    require(gpucmd_agx_exec_run(&x, NULL, 1000000) == GPUCMD_RUN_BLOCKED);
    for (pass = 0; pass < 15; pass++) {
        const uint64_t start = cpu_ns();
        require(gpucmd_agx_exec_deadlock(&x, arcs, AGX_QUEUES) == 0);
        best = cpu_ns() - start < best ? cpu_ns() - start : best;
    }
    return best;
}

/* Return nanoseconds of a picture with count spans, each in a row of its own. */
static uint64_t pictures(uint32_t count)
{
    enum { MOST = 1024 };
    static gpucmd_agx_span spans[MOST];
    static char buf[1 << 20];
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    uint32_t i;
    memset(spans, 0, sizeof spans);
    for (i = 0; i < count; i++) {
        spans[i].queue = count - i;
        spans[i].start = i;
        spans[i].end = i + 1;
        spans[i].number = 1;
    }
    for (pass = 0; pass < 5; pass++) {
        gpucmd_text text;
        uint64_t start = cpu_ns();
        gpucmd_text_init(&text, buf, sizeof buf);
        gpucmd_agx_print_svg(&text, spans, count);
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

static void agx_rows(void)
{
    enum { MOST = 4000 };
    measure("agx 2048 fences end, 2048 fences of a job", x_fence_lists, agx_unit, MOST);
    measure("agx chain of 4096 fences signals", x_chain, agx_unit, MOST);
    measure("agx chain of 4096 fences is freed", x_drop, agx_unit, MOST);
    x_kind = GPUCMD_AGX_KIND_COMPUTE;
    measure("agx 1024 queues with 64 computes", x_queues_wait, agx_unit, MOST);
    measure("agx 16 jobs of 64 computes", x_queue_full, agx_unit, MOST);
    x_kind = GPUCMD_AGX_KIND_RENDER;
    measure("agx 1024 queues with 64 renders", x_queues_wait, agx_unit, MOST);
    measure("agx 16 jobs of 64 renders", x_queue_full, agx_unit, MOST);
    x_fail = true;
    measure("agx 1024 queues with 64 renders that fail", x_queues_wait, agx_unit, MOST);
}

/* ---- NVIDIA: pusher and PBDMA alone, several channels, nvgpu ---- */

enum { CHANNELS = 8, MOST_CHANNELS = 256, RANGES = 1024 };
static gpucmd_nv_pusher pusher;
static gpucmd_nv_pbdma pbdma;
static gpucmd_nv_channel channels[MOST_CHANNELS];
static uint32_t channel_count;

static gpucmd_status take(void *user, const gpucmd_event *e)
{
    (void)user, (void)e;
    return GPUCMD_OK;
}

static gpucmd_run pusher_unit(void)
{
    return gpucmd_nv_pusher_run(&pusher, &env, 1);
}

static gpucmd_run pbdma_unit(void)
{
    return gpucmd_nv_pbdma_run(&pbdma, &env, 1);
}

static gpucmd_run channels_unit(void)
{
    card.quantum = 1;
    return gpucmd_nv_run_all(channels, channel_count, &env, 1, NULL);
}

static void at(uint64_t va, uint32_t v)
{
    require(gpucmd_mem_write32(&mem, va, GPUCMD_LITTLE_ENDIAN, v) == GPUCMD_OK);
}

/* Offset of the n-th of many words far from each other, in another region each. */
static uint32_t far(uint32_t n)
{
    return MEM_VA + n * 40503u % 1000 * 16512;
}

static void pusher_init(gpucmd_nv_chip chip)
{
    env.event = take;
    require(gpucmd_nv_pusher_init(&pusher, chip) == GPUCMD_OK);
    pusher.dma_get = far(0);
    pusher.dma_put = ROOM + MEM_VA;
}

/* A jump to a jump, each in another region. */
static void pusher_jumps(void)
{
    uint32_t i;
    for (i = 0; i < 999; i++) {
        at(far(i), 0x20000000 | far(i + 1));
    }
    pusher_init(GPUCMD_NV_CHIP_NV40);
}

/* Calls of a subroutine of two words. */
static void pusher_calls(void)
{
    uint32_t i;
    pusher_init(GPUCMD_NV_CHIP_NV40);
    at(far(1), 0x00040100);
    at(far(1) + 4, 0);
    at(far(1) + 8, 0x00020000);
    for (i = 0; i < 1000; i++) {
        at(far(0) + 4 * i, far(1) | 2);
    }
}

/* Method runs of the greatest length: data of a known method, or of one that the host ignores. */
static void pusher_run(void)
{
    uint32_t i;
    pusher_init(GPUCMD_NV_CHIP_NV40);
    for (i = 0; i < 8192; i++) {
        at(far(0) + 4 * i, i % 2048 == 0 ? 0x5ffc0100 : i);
    }
}

/* IB entries of one word; the words are in many regions. */
static void pusher_entries(void)
{
    uint32_t i;
    pusher_init(GPUCMD_NV_CHIP_G80);
    pusher.ib_enable = true;
    pusher.ib_address = MEM_VA + 4 * 16512;
    pusher.ib_order = 9;
    pusher.ib_put = 511;
    for (i = 0; i < 511; i++) {
        at(far(i) + 8192, 0);
        at(pusher.ib_address + 8 * i, far(i) + 8192);
        at(pusher.ib_address + 8 * i + 4, 1 << 10);
    }
}

static void pbdma_entries(void)
{
    uint32_t i;
    env.event = take;
    require(gpucmd_nv_pbdma_init(&pbdma, GPUCMD_NV_CHIP_GA102) == GPUCMD_OK);
    pbdma.gp_base = MEM_VA + 4 * 16512;
    pbdma.limit2 = 9;
    pbdma.gp_put = 511;
    for (i = 0; i < 511; i++) {
        at(far(i) + 8192, 0x80010100);
        at(pbdma.gp_base + 8 * i, far(i) + 8192);
        at(pbdma.gp_base + 8 * i + 4, 1 << 10);
    }
}

/* All channels but the last wait for memory; the last copies line by line. */
static void channels_begin(uint32_t count)
{
    static const uint32_t wait[] = {0x20050017, MEM_VA, 0, 7, 0, 0};
    static const uint32_t copy[] = {0x20088100, 0, SRC, 0, DST, 0, 0, 1, 1000, 0x200180c0, 0x386};
    uint32_t i;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    at(MEM_VA, 0);
    channel_count = count;
    for (i = 0; i < count; i++) {
        const bool last = i == count - 1;
        uint32_t entry[2], k;
        require(gpucmd_nv_channel_init(&channels[i], GPUCMD_NV_CHIP_GA102, &card) == GPUCMD_OK);
        channels[i].id = i;
        require(gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GA102, far(i + 1), last ? 11 : 6, 0) ==
                GPUCMD_OK);
        at(far(i + 1) + 64, entry[0]);
        at(far(i + 1) + 68, entry[1]);
        for (k = 0; k < (last ? 11u : 6u); k++) {
            at(far(i + 1) + 4 * k, last ? copy[k] : wait[k]);
        }
        channels[i].pbdma.gp_base = far(i + 1) + 64;
        channels[i].pbdma.limit2 = 1;
        channels[i].pbdma.gp_put = 1;
        while (!last && gpucmd_nv_channel_run(&channels[i], &env, 1) == GPUCMD_RUN_LIMIT) {
        }
    }
}

static void channels_wait(void)
{
    channels_begin(CHANNELS);
}

/* Return nanoseconds of 100 units. */
static uint64_t channels_time(uint32_t count)
{
    uint64_t best = ~(uint64_t)0;
    unsigned pass, i;
    for (pass = 0; pass < 15; pass++) {
        uint64_t start;
        channels_begin(count);
        start = cpu_ns();
        for (i = 0; i < 100; i++) {
            require(channels_unit() == GPUCMD_RUN_LIMIT);
        }
        best = cpu_ns() - start < best ? cpu_ns() - start : best;
    }
    return best;
}

static gpucmd_nvgpu_kernel nvgpu;
static gpucmd_nvgpu_kernel_store nvgpu_store;
static gpucmd_map nvgpu_ranges[RANGES];
static gpucmd_region nvgpu_regions[RANGES];
static uint8_t nvgpu_userd[512];
static uint8_t nvgpu_ram[1 << 20] __attribute__((aligned(4096)));

/* Make one mapping for each of `ranges` pages from va on, the highest first. */
static void nvgpu_map(uint64_t va, uint32_t ranges)
{
    uint32_t i;
    for (i = 0; i < ranges; i++) {
        gpucmd_map m;
        memset(&m, 0, sizeof m);
        m.va = va + (uint64_t)(ranges - 1 - i) * 4096;
        m.bytes = 4096;
        m.offset = m.va - va;
        m.object = 1;
        m.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
        m.tag = 0x80000000u + i;
        require(gpucmd_space_bind(&nvgpu.maps, &nvgpu.spaces[0].space, &m) == GPUCMD_OK);
    }
}

/* A channel with words in ranges mappings, whose addresses descend. */
static void nvgpu_begin(uint32_t ranges)
{
    gpucmd_nvgpu_kernel_channel *c;
    uint32_t i;
    memset(&nvgpu, 0, sizeof nvgpu);
    require(gpucmd_nvgpu_kernel_init_store(&nvgpu, &nvgpu_store, nvgpu_ram, 1 << 20) == GPUCMD_OK);
    nvgpu.ranges = nvgpu_ranges;
    nvgpu.regions = nvgpu_regions;
    nvgpu.range_count = RANGES;
    require(gpucmd_nvgpu_kernel_init(&nvgpu) == GPUCMD_OK);
    nvgpu.buffers[0].refs = nvgpu.buffers[1].refs = 1;
    nvgpu_map(MEM_VA, ranges);
    nvgpu.buffers[0].cpu = nvgpu.buffers[0].own = memory;
    nvgpu.buffers[1].cpu = nvgpu.buffers[1].own = nvgpu_userd;
    c = &nvgpu.channels[0];
    c->used = c->set_up = c->doorbell_pending = true;
    c->as = 1;
    c->userd = 2;
    require(gpucmd_nv_pbdma_init(&c->pbdma, GPUCMD_NV_CHIP_GA10B) == GPUCMD_OK);
    c->pbdma.gp_base = MEM_VA;
    c->pbdma.limit2 = 9;
    nvgpu.event = take;
    gpucmd_store32(nvgpu_userd + GPUCMD_NV_AREA_IB_PUT, 511, GPUCMD_LITTLE_ENDIAN);
    for (i = 0; i < 511; i++) {
        const uint32_t entry[2] = {MEM_VA + 4096 + 4 * i, 1 << 10};
        gpucmd_store_words(memory + 8 * i, entry, 2, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(memory + 4096 + 4 * (size_t)i, 0x80010100, GPUCMD_LITTLE_ENDIAN);
    }
}

static void nvgpu_few(void)
{
    nvgpu_begin(16);
}

static gpucmd_run nvgpu_unit(void)
{
    return gpucmd_nvgpu_kernel_run(&nvgpu, 1);
}

/* Return nanoseconds of 100 calls with some mappings. */
static uint64_t nvgpu_calls(uint32_t ranges)
{
    uint64_t best = ~(uint64_t)0;
    unsigned pass, i;
    for (pass = 0; pass < 15; pass++) {
        uint64_t start;
        nvgpu_begin(ranges);
        start = cpu_ns();
        for (i = 0; i < 100; i++) {
            require(nvgpu_unit() == GPUCMD_RUN_LIMIT);
        }
        best = cpu_ns() - start < best ? cpu_ns() - start : best;
    }
    return best;
}

static void nv_other_rows(void)
{
    measure("nv40 pusher, jumps", pusher_jumps, pusher_unit, 999);
    measure("nv40 pusher, calls", pusher_calls, pusher_unit, UNITS);
    measure("nv40 pusher, runs of 2047 words", pusher_run, pusher_unit, UNITS);
    measure("g80 pusher, entries of a word", pusher_entries, pusher_unit, UNITS);
    measure("ga102 pbdma, entries of a word", pbdma_entries, pbdma_unit, UNITS);
    measure_polls("nv run_all, 7 of 8 channels wait", channels_wait, channels_unit, UNITS, true);
    measure("nvgpu run, 16 mappings", nvgpu_few, nvgpu_unit, UNITS);
}

/* Return nanoseconds of a reservation in an address space with some mappings. */
static uint64_t nvgpu_reserve(uint32_t ranges)
{
    uint64_t best = ~(uint64_t)0;
    gpucmd_sys_ops sys;
    unsigned pass;
    for (pass = 0; pass < 15; pass++) {
        struct gpucmd_nvgpu_alloc_as_args as;
        struct gpucmd_nvgpu_as_alloc_space_args a;
        uint64_t start;
        nvgpu_begin(0);
        memset(&as, 0, sizeof as);
        memset(&a, 0, sizeof a);
        as.flags = 2;
        as.va_range_start = 0x200000;
        as.va_range_end = 0xff00000000;
        gpucmd_nvgpu_kernel_sys(&nvgpu, &sys);
        require(sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2) == 3);
        require(sys.sys_ioctl(sys.user, 3, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &as) == 0);
        nvgpu_map(0x200000, ranges);
        a.pages = 1;
        a.page_size = 4096;
        start = cpu_ns();
        require(sys.sys_ioctl(sys.user, as.as_fd, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &a) == 0);
        start = cpu_ns() - start;
        best = start < best ? start : best;
        require(a.o_a.offset == 0x200000 + (uint64_t)ranges * 4096);
    }
    return best;
}

/* Return nanoseconds of a check of acquires that none of 256 releases ends. */
static uint64_t host_check(uint32_t acquires)
{
    enum { MOST = 4096, RELEASES = 256 };
    static uint32_t words[6 * (MOST + RELEASES)];
    static uint64_t released[RELEASES];
    const gpucmd_nv_stream stream = {words, 6 * ((size_t)acquires + RELEASES), BATCH_VA};
    gpucmd_nv_check_options check;
    gpucmd_nv_gate gate;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    uint32_t i;
    for (i = 0; i < acquires + RELEASES; i++) {
        const uint32_t sem[6] = {0x20050017, MEM_VA + 4 * i, 0, 1, 0, i < RELEASES};
        memcpy(words + 6 * (size_t)i, sem, sizeof sem);
    }
    memset(&check, 0, sizeof check);
    require(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, false, false, GPUCMD_NV_FMT_NEW) ==
            GPUCMD_OK);
    check.released = released;
    check.cap = RELEASES;
    for (pass = 0; pass < 15; pass++) {
        size_t errors;
        const uint64_t start = cpu_ns();
        require(gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) == GPUCMD_OK);
        best = cpu_ns() - start < best ? cpu_ns() - start : best;
    }
    return best;
}

/* Return nanoseconds of a report of channels that wait for one another in a ring. */
static uint64_t reports(uint32_t count)
{
    static gpucmd_nv_blocked rows[MOST_CHANNELS];
    static gpucmd_nv_channel scratch;
    gpucmd_nv_report report;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    uint32_t i;
    for (pass = 0; pass < 5; pass++) {
        uint64_t start;
        channels_begin(count);
        for (i = 0; i < count; i++) { /* acquire semaphore i, then release semaphore i + 1 */
            const uint32_t words[12] = {0x20050017, MEM_VA + 1024 + 16 * i,
                                        0,          7,
                                        0,          0,
                                        0x20050017, MEM_VA + 1024 + 16 * ((i + 1) % count),
                                        0,          7,
                                        0,          1};
            uint32_t k;
            require(gpucmd_nv_channel_init(&channels[i], GPUCMD_NV_CHIP_GA102, &card) == GPUCMD_OK);
            channels[i].id = i;
            for (k = 0; k < 12; k++) {
                at(far(i + 1) + 128 + 4 * k, words[k]);
            }
            at(MEM_VA + 1024 + 16 * i, 0);
            at(far(i + 1) + 64, far(i + 1) + 128);
            at(far(i + 1) + 68, 12 << 10);
            channels[i].pbdma.gp_base = far(i + 1) + 64;
            channels[i].pbdma.limit2 = 1;
            channels[i].pbdma.gp_put = 1;
        }
        memset(&report, 0, sizeof report);
        report.rows = rows;
        report.cap = MOST_CHANNELS;
        report.scratch = &scratch;
        report.look_ahead = 100;
        start = cpu_ns();
        card.quantum = 100;
        require(gpucmd_nv_run_all(channels, count, &env, 100000, &report) == GPUCMD_RUN_BLOCKED);
        start = cpu_ns() - start;
        require(report.deadlock && report.count == count && rows[0].in_cycle);
        best = start < best ? start : best;
    }
    return best;
}

/* ---- i915: several engines ---- */

enum { ENGINES = 32 };
static gpucmd_i915_cs engines[ENGINES];

/* All engines but the last wait for memory; the last copies. */
static void engines_wait(void)
{
    static const uint32_t wait[] = {0x0e00c002, 7, MEM_VA, 0, 0x05000000};
    static const uint32_t copy[] = {0x54f00008, 0x03cc0000, 0,   0x7fff7fff, DST,       0,
                                    0,          0,          SRC, 0,          0x05000000};
    uint32_t i, k;
    at(MEM_VA, 0);
    for (i = 0; i < ENGINES; i++) {
        const bool last = i == ENGINES - 1;
        for (k = 0; k < (last ? 11u : 5u); k++) {
            at(far(i + 1) + 4 * k, last ? copy[k] : wait[k]);
        }
        require(gpucmd_i915_cs_init(&engines[i], GPUCMD_I915_GEN9, GPUCMD_I915_BCS, 0) ==
                GPUCMD_OK);
        require(gpucmd_i915_cs_batch(&engines[i], far(i + 1), true) == GPUCMD_OK);
        require(last || gpucmd_i915_cs_run(&engines[i], &env, 100) == GPUCMD_RUN_BLOCKED);
    }
}

static gpucmd_run engines_unit(void)
{
    return gpucmd_i915_run_all(engines, ENGINES, &env, 1, NULL);
}

/* ---- i915: timelines ---- */

/* Return nanoseconds of a submission that signals count points, in extensions of each_count; with
 * `waits`, of a later submission that waits for these points, of which none has signalled. */
static uint64_t timelines(uint32_t count, uint32_t each_count, bool waits)
{
    enum { MOST = 65536, EXTENSIONS = 512 };
    static struct gpucmd_drm_i915_gem_exec_fence fences[MOST];
    static uint64_t values[MOST];
    static struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext[EXTENSIONS];
    static struct gpucmd_drm_i915_gem_exec_object2 object;
    static gpucmd_i915_kernel_store store;
    static gpucmd_i915_kernel k;
    static gpucmd_i915_object objects[1];
    static gpucmd_fence fence_rows[2 * MOST + 1];
    static gpucmd_syncobj syncobjs[64];
    static gpucmd_sync_point point_rows[MOST];
    static gpucmd_i915_signal signals[MOST];
    struct gpucmd_drm_i915_gem_execbuffer2 a;
    uint64_t best = ~(uint64_t)0;
    uint32_t i;
    unsigned pass;
    for (pass = 0; pass < 15; pass++) {
        uint64_t start;
        memset(objects, 0, sizeof objects);
        memset(ext, 0, sizeof ext);
        memset(&a, 0, sizeof a);
        memset(&object, 0, sizeof object);
        require(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, NULL, 0) ==
                GPUCMD_OK);
        k.objects = objects;
        k.object_count = 1;
        k.fence_rows = fence_rows;
        k.fence_count = 2 * MOST + 1;
        k.sync_ring = NULL;
        k.syncobj_rows = syncobjs;
        k.syncobj_count = 64;
        k.point_rows = point_rows;
        k.point_count = MOST;
        k.signals = signals;
        k.signal_count = MOST;
        require(gpucmd_i915_kernel_check(&k) == GPUCMD_OK);
        objects[0].handle = object.handle = 1;
        objects[0].bytes = 4096;
        objects[0].host = memory;
        for (i = 0; i < 64; i++) {
            uint32_t handle;
            require(gpucmd_syncobj_create(&k.syncobjs, 0, &handle) == 0 && handle == i + 1);
        }
        for (i = 0; i < count; i++) {
            fences[i].handle = i % 64 + 1;
            fences[i].flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
            values[i] = i / 64 + 1;
        }
        for (i = 0; i * each_count < count; i++) {
            ext[i].base.next_extension =
                (i + 1) * each_count < count ? (uint64_t)(uintptr_t)&ext[i + 1] : 0;
            ext[i].fence_count = each_count;
            ext[i].handles_ptr = (uint64_t)(uintptr_t)(fences + (size_t)i * each_count);
            ext[i].values_ptr = (uint64_t)(uintptr_t)(values + (size_t)i * each_count);
        }
        a.buffers_ptr = (uint64_t)(uintptr_t)&object;
        a.buffer_count = 1;
        a.batch_len = 4096;
        a.flags = GPUCMD_I915_EXEC_RENDER | (uint64_t)GPUCMD_I915_EXEC_USE_EXTENSIONS;
        a.cliprects_ptr = (uint64_t)(uintptr_t)&ext[0];
        if (waits) {
            require(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                             (uint64_t)(uintptr_t)&a) == 0);
        }
        for (i = 0; i < count && waits; i++) {
            fences[i].flags = GPUCMD_I915_EXEC_FENCE_WAIT;
        }
        start = cpu_ns();
        require(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                         (uint64_t)(uintptr_t)&a) == 0);
        start = cpu_ns() - start;
        best = start < best ? start : best;
    }
    return best;
}

/* Return nanoseconds of a GEM_CREATE after count objects, whose memory descends: the search for
 * memory ends one object later each time. */
static uint64_t creates(uint32_t count)
{
    enum { MOST = 1024 };
    static gpucmd_i915_object objects[MOST + 1];
    static gpucmd_i915_kernel_store store;
    static gpucmd_i915_kernel k;
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    for (pass = 0; pass < 15; pass++) {
        struct gpucmd_drm_i915_gem_create a;
        uint64_t start;
        uint32_t i;
        memset(objects, 0, sizeof objects);
        memset(&a, 0, sizeof a);
        require(gpucmd_i915_kernel_init_store(&k, GPUCMD_I915_GEN9, NULL, &store, NULL, 0) ==
                GPUCMD_OK);
        k.objects = objects;
        k.object_count = count + 1;
        k.ram = memory;
        k.ram_bytes = ROOM;
        for (i = 0; i < count; i++) {
            objects[i].handle = i + 1;
            objects[i].bytes = 4096;
            objects[i].host = memory + 4096 * (size_t)(count - 1 - i);
        }
        a.size = 4096;
        start = cpu_ns();
        require(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_CREATE,
                                         (uint64_t)(uintptr_t)&a) == 0);
        start = cpu_ns() - start;
        best = start < best ? start : best;
        require(objects[count].host == memory + 4096 * (size_t)count);
    }
    return best;
}

/* ---- xe ---- */

static gpucmd_xe_kernel xe;

static void xe_call(uint32_t request, void *arg)
{
    require(gpucmd_xe_kernel_ioctl(&xe, request, (uint64_t)(uintptr_t)arg) == 0);
}

/* A kernel with VM 1, whose rows of mappings are the caller's. */
static void xe_begin(gpucmd_map *maps, uint32_t count)
{
    static gpucmd_xe_kernel_store store;
    gpucmd_xe_device device;
    struct gpucmd_drm_xe_vm_create a;
    memset(&a, 0, sizeof a);
    require(gpucmd_xe_device_init(&device, GPUCMD_XE_LNL) == GPUCMD_OK);
    uint8_t *const ram = memory + (4096 - ((uintptr_t)memory & 4095));
    require(gpucmd_xe_kernel_init_store(&xe, &device, NULL, &store, ram, ROOM) == GPUCMD_OK);
    xe.map_rows = maps;
    xe.map_count = count;
    require(gpucmd_xe_kernel_check(&xe) == GPUCMD_OK);
    xe_call(GPUCMD_DRM_IOCTL_XE_VM_CREATE, &a);
}

/* Return nanoseconds of count binds of one page each, in the order of their addresses or not. */
static uint64_t xe_binds(uint32_t count, bool scattered)
{
    enum { MOST = 8192 };
    static gpucmd_map maps[2 * MOST + 8];
    uint64_t best = ~(uint64_t)0;
    unsigned pass;
    for (pass = 0; pass < 5; pass++) {
        struct gpucmd_drm_xe_vm_bind a;
        uint64_t start;
        uint32_t i;
        xe_begin(maps, sizeof maps / sizeof maps[0]);
        memset(&a, 0, sizeof a);
        a.vm_id = 1;
        a.num_binds = 1;
        a.bind.range = 4096;
        a.bind.flags = GPUCMD_DRM_XE_VM_BIND_FLAG_NULL;
        start = cpu_ns();
        for (i = 0; i < count; i++) {
            const uint32_t at = scattered ? i * 2731 % count : i;
            a.bind.addr = 0x10000 + 8192 * (uint64_t)at;
            xe_call(GPUCMD_DRM_IOCTL_XE_VM_BIND, &a);
        }
        start = cpu_ns() - start;
        best = start < best ? start : best;
        require(xe.maps.count == 2 * count); /* as the ioctls made them, and as jobs see them */
    }
    return best;
}

/* Print a row; return whether it is to be measured again. */
static bool growth(const char *name, uint64_t hostile, uint64_t spread, double bound,
                   unsigned round)
{
    const double ratio = (double)hostile / (double)spread;
    if (ratio > bound && round < MOST_ROUNDS) {
        const struct timespec pause = {0, PAUSE_NS};
        nanosleep(&pause, NULL);
        return true;
    }
    printf("  %-56s %9.0f us against %9.0f us: %6.2f, bound %.0f\n", name, (double)hostile / 1000,
           (double)spread / 1000, ratio, bound);
    passed += ratio <= bound;
    failed += ratio > bound;
    if (ratio > bound) {
        printf("FAIL: %s\n", name);
    }
    return false;
}

/* Measure both; again if the row is over its bound. */
#define GROWTH(name, hostile, spread, bound)                                                       \
    do {                                                                                           \
        unsigned round = 0;                                                                        \
        while (growth(name, hostile, spread, bound, round++)) {                                    \
        }                                                                                          \
    } while (0)

int main(void)
{
    memory = (uint8_t *)calloc(1, ROOM + 4096);
    require(memory != NULL);
    printf("one region:\n");
    map(ROOM);
    nv_rows();
    nv_engine_rows();
    i915_rows();
    index_list();
    long_commands();
    crc();
    agx_rows();
    printf("4094 regions:\n");
    map(4128);
    nv_rows();
    nv_engine_rows();
    i915_rows();
    nv_other_rows();
    measure_polls("i915 run_all, 31 of 32 engines wait", engines_wait, engines_unit, UNITS, true);
    printf("growth:\n");
    GROWTH("i915 8192 relocations, 512 objects, handles * 4096", relocations(4096), relocations(1),
           2);
    GROWTH("i915 regions of 1024 objects, descending", lists(true), lists(false), 2);
    GROWTH("i915 GEM_CREATE, 1024 against 64 objects, descending", creates(1024), creates(64), 400);
    GROWTH("nv run_all, 256 against 16 channels", channels_time(256), channels_time(16), 24);
    GROWTH("nvgpu 100 runs, 1024 against 64 mappings, descending", nvgpu_calls(1024),
           nvgpu_calls(64), 40);
    GROWTH("nvgpu ALLOC_SPACE, 1024 against 64 mappings, descending", nvgpu_reserve(1000),
           nvgpu_reserve(64), 40);
    GROWTH("nv check_host, 4096 against 256 acquires", host_check(4096), host_check(256), 24);
    GROWTH("nv report, 64 against 8 channels in a ring of waits", reports(64), reports(8), 100);
    GROWTH("agx draft 10006, 32768 binds scattered against ascending",
           draft_binds(GPUCMD_AGX_DRAFT_10006, true), draft_binds(GPUCMD_AGX_DRAFT_10006, false),
           4);
    GROWTH("agx draft 10011, 32768 binds scattered against ascending",
           draft_binds(GPUCMD_AGX_DRAFT_10011, true), draft_binds(GPUCMD_AGX_DRAFT_10011, false),
           4);
    GROWTH("agx deadlock, 1024 against 64 queues in a chain of waits", deadlocks(1024),
           deadlocks(64), 400);
    GROWTH("agx picture, 1024 against 64 rows", pictures(1024), pictures(64), 300);
    GROWTH("100000 look-ups, 1024 regions, descending", look_ups(true), look_ups(false), 2);
    GROWTH("agx 32768 binds, scattered against ascending", binds(true), binds(false), 4);
    GROWTH("agx SUBMIT, 4096 against 256 syncs of a new timeline", waits(1, 4096, false),
           waits(1, 256, false), 2);
    GROWTH("agx SUBMIT, 2048 against 128 waits for the newest point", waits(2048, 2048, false),
           waits(128, 2048, false), 24);
    GROWTH("agx SUBMIT, 2048 against 128 waits for the oldest point", waits(2048, 2048, true),
           waits(128, 2048, true), 24);
    GROWTH("i915 65536 against 4096 fences in extensions of 128", timelines(65536, 128, false),
           timelines(4096, 128, false), 40); /* more rows than a cache holds */
    GROWTH("i915 65536 against 4096 waits for points", timelines(65536, 128, true),
           timelines(4096, 128, true), 40);
    GROWTH("i915 65536 fences, extensions of 128 against 65536", timelines(65536, 128, false),
           timelines(65536, 65536, false), 2);
    GROWTH("xe 8192 binds, scattered against ascending", xe_binds(8192, true),
           xe_binds(8192, false), 4);
    printf("worst: %u passed, %u failed\n", passed, failed);
    free(memory);
    return failed != 0;
}

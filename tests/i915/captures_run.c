/* Batches of real drivers, executed. Memory must have every post-sync, fence
 * and query write of i915/stores.h afterwards; if the batch has no 2D command,
 * no other byte may change. This test finds the pages that a batch needs in its
 * words. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "i915/stores.h"
#include "test.h"

#include <stdlib.h>

#define PAGES 2048u

static uint32_t words[1 << 18];
static uint8_t batch_bytes[sizeof words + 8192]; /* whole pages around the batch */
static uint64_t batch_va, batch_len;
static struct {
    uint64_t va;
    uint8_t bytes[4096];
} pages[PAGES];
static gpucmd_region regions[PAGES + 1];
static size_t page_count;
static struct {
    uint64_t va;
    unsigned bytes;
} stores[4096];
static size_t store_count;
static unsigned asked, total_stores, total_places, total_blits;

enum kind { VALUE, DEPTH, CLOCK, CLOCK_LOW, CLOCK_HIGH };

#define BATCH(file, count, places) {file, count, places},
#define PLACE(va, bytes, kind, value)
static const struct {
    const char *file;
    unsigned stores, places;
} batches[] = {I915_STORES(BATCH, PLACE)};
#undef BATCH
#undef PLACE

#define BATCH(file, count, places)
#define PLACE(va, bytes, kind, value) {va, value, bytes, kind},
static const struct {
    uint64_t va, value;
    unsigned bytes;
    enum kind kind;
} places[] = {I915_STORES(BATCH, PLACE)};
#undef BATCH
#undef PLACE

#define CLOCK_START 0x0000000500000010u
#define DEPTH_COUNT 0x1122334455667788u

static void page(uint64_t va)
{
    va &= 0xfffffffff000u;
    if (va - batch_va < batch_len) {
        return;
    }
    for (size_t i = 0; i < page_count; i++) {
        if (pages[i].va == va) {
            return;
        }
    }
    if (CHECK(page_count < PAGES)) {
        pages[page_count].va = va;
        memset(pages[page_count].bytes, 0xee, 4096);
        page_count++;
    }
}

static uint8_t *host(uint64_t va)
{
    if (va - batch_va < batch_len) {
        return batch_bytes + (va - batch_va);
    }
    for (size_t i = 0; i < page_count; i++) {
        if (pages[i].va == (va & 0xfffffffff000u)) {
            return pages[i].bytes + (va & 4095);
        }
    }
    return NULL;
}

static void expect(uint64_t va, unsigned bytes)
{
    va &= 0xffffffffffffu;
    asked++;
    page(va);
    page(va + bytes - 1);
    for (size_t i = 0; i < store_count; i++) { /* the last store to a place counts */
        if (va < stores[i].va + stores[i].bytes && stores[i].va < va + bytes) {
            stores[i--] = stores[--store_count];
        }
    }
    stores[store_count].va = va;
    stores[store_count++].bytes = bytes;
}

static void rectangle(uint64_t va, uint32_t br13, uint32_t top, uint32_t bottom, bool tiled)
{
    const int64_t pitch = (int16_t)(br13 & 0xffff);
    total_blits++;
    if (tiled) { /* X tiles: 8 rows each, pitch in dwords */
        for (int64_t at = 0; at < pitch * 4 * ((bottom >> 16) + 7) / 8 * 8; at += 4096) {
            page(va + (uint64_t)at);
        }
        return;
    }
    for (int64_t y = top >> 16; y < bottom >> 16; y++) {
        const uint64_t first = va + (uint64_t)(y * pitch) + (top & 0xffff) * 4;
        const uint64_t last = va + (uint64_t)(y * pitch) + (bottom & 0xffff) * 4 - 1;
        for (uint64_t at = first; at < last; at += 4096) {
            page(at);
        }
        page(last);
    }
}

/* Where one command stores. */
static void command(gpucmd_i915_gen gen, const uint32_t *d, uint32_t n)
{
    const bool wide = gen >= GPUCMD_I915_GEN8;
    const uint32_t op = d[0] >> 23;
    if (d[0] >> 16 == 0x7a00) { /* PIPE_CONTROL */
        const uint32_t flags = gen < GPUCMD_I915_GEN6 ? d[0] : d[1];
        const uint32_t *at = gen < GPUCMD_I915_GEN6 ? d + 1 : d + 2;
        if ((flags >> 14 & 3) != 0) {
            expect((at[0] & ~7u) | (wide ? (uint64_t)at[1] << 32 : 0), 8);
        }
    } else if (op == 0x20 && wide) {
        expect(d[1] | (uint64_t)d[2] << 32, (d[0] >> 21 & 1) != 0 ? 8 : 4);
    } else if (op == 0x20) {
        expect(d[2], n == 5 ? 8 : 4);
    } else if (op == 0x24) {
        expect(d[2] | (wide ? (uint64_t)d[3] << 32 : 0), 4);
    } else if (op == 0x29) {
        page(d[2] | (wide ? (uint64_t)d[3] << 32 : 0));
    } else if (op == 0x2f) { /* the MOVE of 8 bytes that iris sends */
        EQUAL(d[0], (d[0] & 0x00030000) | 0x178c2405);
        expect(d[1] | (uint64_t)d[2] << 32, 8);
    } else if (d[0] >> 22 == 0x150) { /* XY_COLOR_BLT */
        rectangle(d[4] | (wide ? (uint64_t)d[5] << 32 : 0), d[1], d[2], d[3],
                  gen >= GPUCMD_I915_GEN4 && (d[0] >> 11 & 1) != 0);
    } else if (d[0] >> 22 == 0x153) { /* XY_SRC_COPY_BLT */
        const uint32_t *s = wide ? d + 6 : d + 5;
        rectangle(d[4] | (wide ? (uint64_t)d[5] << 32 : 0), d[1], d[2], d[3],
                  gen >= GPUCMD_I915_GEN4 && (d[0] >> 11 & 1) != 0);
        rectangle(s[2] | (wide ? (uint64_t)s[3] << 32 : 0), s[1], s[0], s[0] + d[3] - d[2],
                  gen >= GPUCMD_I915_GEN4 && (d[0] >> 15 & 1) != 0);
    }
}

static int by_va(const void *a, const void *b)
{
    const gpucmd_region *x = (const gpucmd_region *)a, *y = (const gpucmd_region *)b;
    return x->va < y->va ? -1 : x->va > y->va;
}

/* The places of a batch: its first in the table, and how many. */
static void check_stores(size_t first, size_t count)
{
    EQUAL(store_count, count);
    for (size_t i = 0; i < store_count; i++) {
        size_t listed = 0;
        for (size_t k = first; k < first + count; k++) {
            listed += places[k].va == stores[i].va && places[k].bytes == stores[i].bytes;
        }
        EQUAL(listed, 1);
    }
    for (size_t k = first; k < first + count; k++) {
        const uint8_t *at = host(places[k].va);
        uint64_t want = places[k].value;
        if (!CHECK(at != NULL)) {
            continue;
        }
        switch (places[k].kind) {
        case VALUE: break;
        case DEPTH: want = DEPTH_COUNT; break;
        case CLOCK: want += CLOCK_START; break;
        case CLOCK_LOW: want = (uint32_t)(CLOCK_START + want); break;
        case CLOCK_HIGH: want = CLOCK_START >> 32; break;
        }
        EQUAL(places[k].bytes == 8 ? gpucmd_load64(at, GPUCMD_LITTLE_ENDIAN)
                                   : gpucmd_load32(at, GPUCMD_LITTLE_ENDIAN),
              want);
        total_places++;
    }
}

/* Bytes that no store of the batch owns and that have changed. */
static size_t changed(void)
{
    size_t n = 0;
    for (size_t i = 0; i < page_count; i++) {
        for (uint32_t b = 0; b < 4096; b++) {
            bool owned = false;
            for (size_t k = 0; k < store_count; k++) {
                owned = owned || pages[i].va + b - stores[k].va < stores[k].bytes;
            }
            n += !owned && pages[i].bytes[b] != 0xee;
        }
    }
    return n;
}

static void batch(const char *file, gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint64_t va,
                  size_t len_dw)
{
    size_t first = 0, found = sizeof batches / sizeof batches[0];
    gpucmd_i915_cs cs;
    gpucmd_i915_walk k;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_i915_part part;
    uint32_t commands = 0;
    const unsigned blits = total_blits;
    va &= 0xffffffffffffu;
    page_count = 0;
    store_count = 0;
    asked = 0;
    batch_va = va & ~(uint64_t)4095;
    batch_len = (va - batch_va + len_dw * 4 + 4095) & ~(uint64_t)4095;
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_walk_init(&k, &cs.cmdset, words, len_dw);
    while (gpucmd_i915_walk_next(&k, &part)) {
        commands++;
        if (gpucmd_i915_ends_batch(gen, part.dw[0])) {
            break;
        }
        command(gen, part.dw, part.len_dw);
    }
    memset(batch_bytes, 0xee, sizeof batch_bytes);
    gpucmd_store_words(batch_bytes + (va - batch_va), words, len_dw, GPUCMD_LITTLE_ENDIAN);
    for (size_t i = 0; i < page_count; i++) {
        const gpucmd_region r = {pages[i].va, 4096, pages[i].bytes,
                                 GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
        regions[i] = r;
    }
    {
        const gpucmd_region r = {batch_va, batch_len, batch_bytes,
                                 GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
        regions[page_count] = r;
    }
    qsort(regions, page_count + 1, sizeof regions[0], by_va);
    EQUAL(gpucmd_mem_init(&mem, regions, page_count + 1), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    gpucmd_i915_cs_write(&cs, cs.base + 0x358, (uint32_t)CLOCK_START);
    gpucmd_i915_cs_write(&cs, cs.base + 0x35c, (uint32_t)(CLOCK_START >> 32));
    gpucmd_i915_cs_write(&cs, cs.base + 0x350, (uint32_t)DEPTH_COUNT);
    gpucmd_i915_cs_write(&cs, cs.base + 0x354, (uint32_t)(DEPTH_COUNT >> 32));
    EQUAL(gpucmd_i915_cs_batch(&cs, va, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100000), GPUCMD_RUN_IDLE);
    if (cs.error != GPUCMD_I915_ERROR_NONE) {
        printf("    %s at 0x%llx\n", gpucmd_i915_error_text(cs.error),
               (unsigned long long)cs.acthd);
    }
    EQUAL(cs.commands, commands);
    if (total_blits == blits) {
        EQUAL(changed(), 0);
    }
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        if (strcmp(batches[i].file, file) == 0) {
            found = i;
            break;
        }
        first += batches[i].places;
    }
    if (found == sizeof batches / sizeof batches[0]) {
        EQUAL(asked, 0);
        return;
    }
    EQUAL(asked, batches[found].stores);
    total_stores += asked;
    check_stores(first, batches[found].places);
}

static void folder(const char *name)
{
    char path[256], line[512];
    FILE *index;
    snprintf(path, sizeof path, "tests/data/captures/%s/index.tsv", name);
    index = fopen(path, "r");
    if (!CHECK(index != NULL) || fgets(line, sizeof line, index) == NULL) {
        return;
    }
    while (fgets(line, sizeof line, index) != NULL) {
        static uint8_t bytes[sizeof words];
        char file[64], gpu[32], gen_name[32], ring[32];
        unsigned long long va = 0;
        gpucmd_i915_gen gen = GPUCMD_I915_GEN2;
        FILE *f;
        size_t n;
        if (sscanf(line, "%63s %31s gen%31s %31s %llx", file, gpu, gen_name, ring, &va) != 5 ||
            !CHECK(gpucmd_i915_gen_from_name(gen_name, &gen) == GPUCMD_OK)) {
            continue;
        }
        snprintf(path, sizeof path, "tests/data/captures/%s/%s", name, file);
        f = fopen(path, "rb");
        if (!CHECK(f != NULL)) {
            continue;
        }
        n = fread(bytes, 4, sizeof bytes / 4, f);
        fclose(f);
        gpucmd_load_words(words, bytes, n, GPUCMD_LITTLE_ENDIAN);
        batch(path + strlen("tests/data/captures/"), gen,
              strcmp(ring, "render") == 0 ? GPUCMD_I915_RCS
              : strcmp(ring, "bsd") == 0  ? GPUCMD_I915_VCS
              : strcmp(ring, "blt") == 0  ? GPUCMD_I915_BCS
                                          : GPUCMD_I915_VECS,
              va, n);
    }
    fclose(index);
}

int main(void)
{
    static const char *const folders[] = {
        "gl_mix-gm45",
        "gl_mix-hsw",
        "gl_mix-skl",
        "gles2_tri-bdw",
        "gles2_tri-g33",
        "gles2_tri-gm45",
        "gles2_tri-hsw",
        "gles2_tri-icl",
        "gles2_tri-ilk",
        "gles2_tri-ivb",
        "gles2_tri-skl",
        "gles2_tri-snb",
        "gles2_tri-tgl",
        "igt_gem_blt-hsw",
        "igt_gem_blt-skl",
        "igt_gem_exec_nop-hsw",
        "igt_gem_exec_nop-skl",
        "igt_gem_exec_nop-snb",
        "intel_upload_blit_small-hsw",
        "intel_upload_blit_small-pnv",
        "intel_upload_blit_small-skl",
        "vk_xfer_compute-hsw",
        "vk_xfer_compute-skl",
    };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        folder(folders[i]);
    }
    EQUAL(total_stores, 260);
    EQUAL(total_places, 137);
    EQUAL(sizeof places / sizeof places[0], 137);
    EQUAL(total_blits, 53);
    return test_report("i915_captures_run");
}

/* Batches of real drivers, executed: every store that the batch asks for is found in memory
 * afterwards. What to expect is read from the words by a few lines of this test. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
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
    uint64_t va, value;
    unsigned bytes;
} stores[4096];
static size_t store_count;
static unsigned total_stores, total_timestamps, total_blits;

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

static void expect(uint64_t va, uint64_t value, unsigned bytes)
{
    va &= 0xffffffffffffu;
    page(va);
    page(va + bytes - 1);
    for (size_t i = 0; i < store_count; i++) { /* the last store to a place counts */
        if (va < stores[i].va + stores[i].bytes && stores[i].va < va + bytes) {
            stores[i--] = stores[--store_count];
        }
    }
    stores[store_count].va = va;
    stores[store_count].value = value;
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

#define LATER 0xfeedfeedfeedfeedu /* only: something has been stored */

/* What one command stores. */
static void command(gpucmd_i915_gen gen, const uint32_t *d, uint32_t n)
{
    const bool wide = gen >= GPUCMD_I915_GEN8;
    const uint32_t op = d[0] >> 23;
    if (d[0] >> 16 == 0x7a00) { /* PIPE_CONTROL */
        const uint32_t flags = gen < GPUCMD_I915_GEN6 ? d[0] : d[1];
        const uint32_t *at = gen < GPUCMD_I915_GEN6 ? d + 1 : d + 2;
        const uint64_t va = (at[0] & ~7u) | (wide ? (uint64_t)at[1] << 32 : 0);
        const uint32_t *imm = wide ? at + 2 : at + 1;
        const bool two = imm + 1 < d + n;
        if ((flags >> 14 & 3) == 1) {
            expect(va, imm[0] | (two ? (uint64_t)imm[1] << 32 : 0), two ? 8 : 4);
        } else if ((flags >> 14 & 3) != 0) {
            expect(va, LATER, 8);
        }
    } else if (op == 0x20 && wide) {
        const bool qword = (d[0] >> 21 & 1) != 0;
        expect(d[1] | (uint64_t)d[2] << 32, d[3] | (qword ? (uint64_t)d[4] << 32 : 0),
               qword ? 8 : 4);
    } else if (op == 0x20) {
        expect(d[2], d[3] | (n == 5 ? (uint64_t)d[4] << 32 : 0), n == 5 ? 8 : 4);
    } else if (op == 0x24) {
        expect(d[2] | (wide ? (uint64_t)d[3] << 32 : 0), LATER, 4);
    } else if (op == 0x29) {
        page(d[2] | (wide ? (uint64_t)d[3] << 32 : 0));
    } else if (op == 0x2f) { /* the MOVE of 8 bytes that iris sends */
        EQUAL(d[0], (d[0] & 0x00030000) | 0x178c2405);
        expect(d[1] | (uint64_t)d[2] << 32, d[3] | (uint64_t)d[5] << 32, 8);
    } else if (op == 0x26 && (d[0] >> 14 & 3) != 0) {
        const uint32_t *imm = wide ? d + 3 : d + 2;
        expect((d[1] & ~7u) | (wide ? (uint64_t)d[2] << 32 : 0),
               (d[0] >> 14 & 3) != 1 ? LATER
                                     : imm[0] | (imm + 1 < d + n ? (uint64_t)imm[1] << 32 : 0),
               (d[0] >> 14 & 3) != 1 || imm + 1 < d + n ? 8 : 4);
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

static void check_stores(void)
{
    for (size_t i = 0; i < store_count; i++) {
        uint8_t bytes[8] = {0};
        uint64_t got;
        for (unsigned b = 0; b < stores[i].bytes; b++) {
            bytes[b] = *host(stores[i].va + b);
        }
        got = gpucmd_load64(bytes, GPUCMD_LITTLE_ENDIAN);
        if (stores[i].value == LATER) {
            CHECK(got != (stores[i].bytes == 8 ? 0xeeeeeeeeeeeeeeeeu : 0xeeeeeeeeu));
            total_timestamps++;
        } else {
            EQUAL(got, stores[i].value);
            total_stores++;
        }
    }
}

static void batch(gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint64_t va, size_t len_dw)
{
    gpucmd_i915_cs cs;
    gpucmd_i915_walk k;
    gpucmd_mem mem;
    gpucmd_env env;
    const uint32_t *at;
    uint32_t n, commands = 0;
    va &= 0xffffffffffffu;
    page_count = 0;
    store_count = 0;
    batch_va = va & ~(uint64_t)4095;
    batch_len = (va - batch_va + len_dw * 4 + 4095) & ~(uint64_t)4095;
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_walk_init(&k, words, len_dw);
    while ((at = gpucmd_i915_walk_next(&k, &cs.rules, &n)) != NULL) {
        commands++;
        if (gpucmd_i915_ends_batch(gen, *at)) {
            break;
        }
        command(gen, at, n);
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
    EQUAL(gpucmd_i915_cs_batch(&cs, va, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_run(&cs, &env, 100000), GPUCMD_RUN_IDLE);
    if (cs.error != GPUCMD_I915_ERROR_NONE) {
        printf("    %s at 0x%llx\n", gpucmd_i915_error_text(cs.error),
               (unsigned long long)cs.acthd);
    }
    EQUAL(cs.commands, commands);
    check_stores();
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
        batch(gen,
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
    CHECK(total_stores > 100);
    CHECK(total_timestamps > 20);
    CHECK(total_blits > 10);
    return test_report("i915_captures_run");
}

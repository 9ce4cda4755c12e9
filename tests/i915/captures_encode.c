/* Commands of real drivers, decoded by this test and encoded again: the words
 * must be equal. Mesa writes 0 to bits 63:48 of addresses, the encoders write
 * the canonical form; the hardware ignores these bits. The number of such words
 * is checked. */
#include "gpucmd_i915.h"
#include "test.h"

/* Folder; commands: written again, and without an encoder (3D, media, MI_ATOMIC of seven words);
 * words whose bits 31:16 the encoder fills. */
static const struct {
    const char *folder;
    unsigned again, sized, canonical;
} folders[] = {
    {"gl_mix-gm45",                 12,  43,  0 },
    {"gl_mix-hsw",                  104, 227, 0 },
    {"gl_mix-skl",                  73,  461, 39},
    {"gles2_tri-bdw",               23,  249, 12},
    {"gles2_tri-g33",               13,  48,  0 },
    {"gles2_tri-gm45",              7,   73,  0 },
    {"gles2_tri-hsw",               71,  219, 0 },
    {"gles2_tri-icl",               63,  404, 18},
    {"gles2_tri-ilk",               10,  73,  0 },
    {"gles2_tri-ivb",               65,  216, 0 },
    {"gles2_tri-skl",               72,  540, 31},
    {"gles2_tri-snb",               48,  141, 0 },
    {"gles2_tri-tgl",               77,  391, 39},
    {"igt_gem_blt-hsw",             12,  0,   0 },
    {"igt_gem_blt-skl",             12,  0,   0 },
    {"igt_gem_exec_nop-hsw",        5,   0,   0 },
    {"igt_gem_exec_nop-skl",        5,   0,   0 },
    {"igt_gem_exec_nop-snb",        5,   0,   0 },
    {"intel_upload_blit_small-hsw", 8,   0,   0 },
    {"intel_upload_blit_small-pnv", 8,   0,   0 },
    {"intel_upload_blit_small-skl", 8,   0,   0 },
    {"vk_xfer_compute-hsw",         74,  131, 0 },
    {"vk_xfer_compute-skl",         56,  164, 14},
};

static uint32_t words[1 << 16];
static unsigned again, sized, canonical;

static uint64_t pair(const uint32_t *d)
{
    return d[0] | (uint64_t)d[1] << 32;
}

/* Address of one word, or two from gen8. */
static uint64_t va(gpucmd_i915_gen gen, const uint32_t *d)
{
    return gen < GPUCMD_I915_GEN8 ? d[0] : pair(d);
}

static void copy_blt(gpucmd_i915_gen gen, const uint32_t *d, bool copy)
{
    const bool wide = gen >= GPUCMD_I915_GEN8;
    const uint32_t *s = wide ? d + 6 : d + 5; /* after the destination */
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    b.flags = d[0] & 0x003fff00;
    b.br13 = d[1];
    b.y1 = (int16_t)(d[2] >> 16);
    b.x1 = (int16_t)(d[2] & 0xffff);
    b.y2 = (int16_t)(d[3] >> 16);
    b.x2 = (int16_t)(d[3] & 0xffff);
    b.dst_va = va(gen, d + 4);
    if (!copy) {
        b.color[0] = s[0];
        gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_COLOR_BLT, &b);
        return;
    }
    b.src_y = (int16_t)(s[0] >> 16);
    b.src_x = (int16_t)(s[0] & 0xffff);
    b.src_pitch = (int16_t)(s[1] & 0xffff);
    b.src_va = va(gen, s + 2);
    gpucmd_i915_emit_blt(&w, gen, GPUCMD_I915_OP_XY_SRC_COPY_BLT, &b);
}

/* Write the command at d again into w; false: no encoder. */
static bool write_again(gpucmd_i915_gen gen, const uint32_t *d, uint32_t n)
{
    const bool wide = gen >= GPUCMD_I915_GEN8;
    const uint32_t flags = d[0] & 0x007fff00;
    if (d[0] >> 16 == 0x7a00 && gen >= GPUCMD_I915_GEN4) {
        const bool old = gen < GPUCMD_I915_GEN6;
        const uint32_t *at = d + (old ? 1 : 2);
        gpucmd_i915_emit_pipe_control(&w, gen, d[0] & 0xff00, old ? 0 : d[1], va(gen, at),
                                      pair(at + (wide ? 2 : 1)));
        return true;
    }
    switch (d[0] >> 22) {
    case 0x150: copy_blt(gen, d, false); return true;
    case 0x153: copy_blt(gen, d, true); return true;
    default: break;
    }
    if (d[0] >> 29 != 0) {
        return false;
    }
    switch (d[0] >> 23) {
    case 0x00: gpucmd_i915_emit_mi_noop(&w, gen, d[0]); return true;
    case 0x04: gpucmd_i915_emit_mi_flush(&w, gen, d[0] & 0x7fffff); return true;
    case 0x0a: gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, d[0] & 0x7fffff); return true;
    case 0x20:
        if (n == 4) {
            gpucmd_i915_emit_mi_store_data_imm(&w, gen, flags, wide ? pair(d + 1) : d[2], d[3]);
        } else {
            gpucmd_i915_emit_mi_store_data_imm_qw(&w, gen, flags & ~(wide ? 1u << 21 : 0u),
                                                  wide ? pair(d + 1) : d[2], pair(d + 3));
        }
        return true;
    case 0x22:
        gpucmd_i915_emit_mi_load_register_imm(&w, gen, flags, d + 1, (n - 1) / 2);
        return true;
    case 0x24:
        gpucmd_i915_emit_mi_store_register_mem(&w, gen, flags, d[1], va(gen, d + 2));
        return true;
    case 0x29:
        gpucmd_i915_emit_mi_load_register_mem(&w, gen, flags, d[1], va(gen, d + 2));
        return true;
    default: return false;
    }
}

static void command(gpucmd_i915_gen gen, const uint32_t *d, uint32_t n)
{
    uint32_t out[16];
    size_t len_dw = 0;
    gpucmd_writer_init(&w, out, 16);
    if (!write_again(gen, d, n)) {
        sized++;
        return;
    }
    again++;
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, n);
    for (uint32_t i = 0; i < n && i < len_dw; i++) {
        if (out[i] != d[i] && out[i] >> 16 == 0xffff && d[i] >> 16 == 0 && (d[i] >> 15 & 1) != 0) {
            canonical++;
        } else {
            EQUAL(out[i], d[i]);
        }
    }
}

static void folder(size_t which)
{
    char path[256], line[512];
    FILE *index;
    again = sized = canonical = 0;
    snprintf(path, sizeof path, "tests/data/captures/%s/index.tsv", folders[which].folder);
    index = fopen(path, "r");
    if (!CHECK(index != NULL) || fgets(line, sizeof line, index) == NULL) {
        return;
    }
    while (fgets(line, sizeof line, index) != NULL) {
        static uint8_t bytes[sizeof words];
        char file[64], gpu[32], gen_name[32], ring[32];
        gpucmd_i915_gen gen = GPUCMD_I915_GEN2;
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_walk k;
        gpucmd_i915_part part;
        bool ended = false;
        FILE *f;
        memset(&cmdset, 0, sizeof cmdset);
        if (!CHECK(sscanf(line, "%63s %31s gen%31s %31s", file, gpu, gen_name, ring) == 4) ||
            !CHECK(gpucmd_i915_gen_from_name(gen_name, &gen) == GPUCMD_OK) ||
            !CHECK(gpucmd_i915_cmdset_init(&cmdset, gen,
                                           strcmp(ring, "render") == 0 ? GPUCMD_I915_RCS
                                           : strcmp(ring, "bsd") == 0  ? GPUCMD_I915_VCS
                                           : strcmp(ring, "blt") == 0
                                               ? GPUCMD_I915_BCS
                                               : GPUCMD_I915_VECS) == GPUCMD_OK)) {
            continue;
        }
        snprintf(path, sizeof path, "tests/data/captures/%s/%s", folders[which].folder, file);
        f = fopen(path, "rb");
        if (!CHECK(f != NULL)) {
            continue;
        }
        gpucmd_i915_walk_init(&k, &cmdset, words, fread(bytes, 4, sizeof words / 4, f));
        fclose(f);
        gpucmd_load_words(words, bytes, (size_t)(k.end - words), GPUCMD_LITTLE_ENDIAN);
        while (!ended && gpucmd_i915_walk_next(&k, &part)) {
            command(gen, part.dw, part.len_dw);
            ended = gpucmd_i915_ends_batch(gen, part.dw[0]);
        }
        CHECK(ended);
    }
    fclose(index);
    if (!EQUAL(again, folders[which].again) || !EQUAL(sized, folders[which].sized) ||
        !EQUAL(canonical, folders[which].canonical)) {
        printf("    {\"%s\", %u, %u, %u},\n", folders[which].folder, again, sized, canonical);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        folder(i);
    }
    return test_report("i915_captures_encode");
}

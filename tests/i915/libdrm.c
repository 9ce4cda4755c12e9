/* The walk of captures of gen3 to gen7.5, compared with two other decoders:
 * drm_intel_decode of libdrm_intel, and intel_dump_decode of intel-gpu-tools.
 * Offset, first word, length and name of every command must agree, except the
 * differences listed here. A missing package is reported as a skip. */
/* suite: native */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "gpucmd_i915.h"
#include "test.h"

#include <stdlib.h>

#ifdef HAVE_LIBDRM_INTEL
#include <intel_bufmgr.h>
#endif

/* Known differences: commands that another decoder does not know and walks word
 * by word, and names. An empty name: unknown there. hits: number of commands in
 * all captures, for each decoder. */
static struct {
    int first, last; /* generations times ten */
    const char *ours, *theirs;
    unsigned hits, seen;
} differences[] = {
  /* ours as in the i915 driver of Mesa */
    {30, 30, "RASTER_RULES",                    "3DSTATE_RASTERIZATION_RULES",   2,  0},
    {30, 30, "LOAD_INDIRECT",                   "3DSTATE_LOAD_INDIRECT",         2,  0},
    {30, 30, "STIPPLE",                         "3DSTATE_SPAN_STIPPLE",          2,  0},
    {30, 30, "SCISSOR_ENABLE",                  "3DSTATE_SCISSOR_ENABLE",        2,  0},
    {30, 30, "SCISSOR_RECT",                    "3DSTATE_SCISSOR_RECTANGLE",     2,  0},
    {30, 30, "DESTBUFFER_INFO",                 "3DSTATE_BUFFER_INFO",           2,  0},
    {30, 30, "DESTBUFFER_VARS",                 "3DSTATE_DEST_BUFFER_VARIABLES", 2,  0},
    {30, 30, "DRAWRECT_INFO",                   "3DSTATE_DRAWING_RECTANGLE",     2,  0},
    {60, 60, "3DSTATE_STENCIL_BUFFER",          "",                              5,  0}, /* 0x790e */
    {75, 75, "3DSTATE_VF",                      "",                              2,  0}, /* 0x780c */
    {75, 75, "MEDIA_VFE_STATE",                 "",                              2,  0},
    {75, 75, "MEDIA_CURBE_LOAD",                "",                              2,  0},
    {75, 75, "MEDIA_INTERFACE_DESCRIPTOR_LOAD", "",                              2,  0},
    {75, 75, "GPGPU_WALKER",                    "",                              2,  0},
    {75, 75, "MEDIA_STATE_FLUSH",               "",                              2,  0},
    {45, 75, "PIPELINE_SELECT",                 "3DSTATE_PIPELINE_SELECT",       13, 0},
    {60, 75, "3DSTATE_SCISSOR_STATE_POINTERS",  "3DSTATE_SCISSOR_POINTERS",      7,  0},
    {60, 60, "3DSTATE_CONSTANT_VS",             "3DSTATE_CONSTANT_VS_STATE",     5,  0},
    {60, 60, "3DSTATE_CONSTANT_GS",             "3DSTATE_CONSTANT_GS_STATE",     5,  0},
    {60, 60, "3DSTATE_CONSTANT_PS",             "3DSTATE_CONSTANT_PS_STATE",     6,  0},
};

/* Folder, PCI device, number of commands. The number is that of
 * i915/captures.c. */
static const struct {
    const char *folder;
    unsigned device, commands;
} folders[] = {
    {"gl_mix-gm45",                 0x2a42, 55 },
    {"gl_mix-hsw",                  0x0412, 331},
    {"gles2_tri-g33",               0x29c2, 61 },
    {"gles2_tri-gm45",              0x2a42, 80 },
    {"gles2_tri-hsw",               0x0412, 290},
    {"gles2_tri-ilk",               0x0046, 83 },
    {"gles2_tri-ivb",               0x0152, 281},
    {"gles2_tri-snb",               0x0102, 189},
    {"igt_gem_blt-hsw",             0x0412, 12 },
    {"igt_gem_exec_nop-hsw",        0x0412, 5  },
    {"igt_gem_exec_nop-snb",        0x0102, 5  },
    {"intel_upload_blit_small-hsw", 0x0412, 8  },
    {"intel_upload_blit_small-pnv", 0xa011, 8  },
    {"vk_xfer_compute-hsw",         0x0412, 205},
};

#define MAX_DW 0x10000u

static uint32_t words[MAX_DW];

/* A word that another decoder decodes as the first word of a command. */
static struct {
    bool is;
    uint32_t word;
    char name[48];
} heads[MAX_DW];

/* A line "offset: [HEAD] word: text"; the text of further words is indented. */
static void take(const char *line)
{
    char *rest;
    const char *text;
    const unsigned long at = strtoul(line, &rest, 16);
    size_t n = 0;
    if (strncmp(line, "0x", 2) != 0 || *rest != ':' || at / 4 >= MAX_DW ||
        (text = strstr(rest, "0x")) == NULL) {
        return;
    }
    heads[at / 4].word = (uint32_t)strtoul(text, &rest, 16);
    if (rest[0] != ':' || rest[1] != ' ' || rest[2] == ' ' || rest[2] == '\n' || rest[2] == '\0') {
        return;
    }
    heads[at / 4].is = true;
    text = rest + 2;
    if (strstr(text, "UNKNOWN") == NULL) {
        n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    }
    snprintf(heads[at / 4].name, sizeof heads[0].name, "%.*s", (int)n, text);
}

static void take_all(FILE *f)
{
    char line[512];
    memset(heads, 0, sizeof heads);
    while (fgets(line, sizeof line, f) != NULL) {
        take(line);
    }
}

/* Return true if the names of a command agree, by the table where they differ. */
static bool same_name(int gen, const char *ours, const char *theirs)
{
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        if (gen >= differences[i].first && gen <= differences[i].last &&
            strcmp(ours, differences[i].ours) == 0) {
            differences[i].seen++;
            return strcmp(theirs, differences[i].theirs) == 0;
        }
    }
    return strcmp(ours, "GFX") == 0 ? strncmp(theirs, "3D", 2) == 0 : strcmp(ours, theirs) == 0;
}

/* Compare with heads; returns the commands. */
static unsigned compare(const gpucmd_i915_cmdset *cmdset, size_t len_dw)
{
    gpucmd_i915_walk k;
    gpucmd_i915_part part;
    unsigned commands = 0;
    gpucmd_i915_walk_init(&k, cmdset, words, len_dw);
    while (gpucmd_i915_walk_next(&k, &part)) {
        const uint32_t *at = part.dw;
        const uint32_t n = part.len_dw;
        const size_t i = (size_t)(at - words);
        const char *name = gpucmd_i915_name(cmdset, *at);
        size_t inside = 0;
        commands++;
        CHECK(heads[i].is);
        EQUAL(heads[i].word, *at);
        if (!CHECK(same_name((int)cmdset->gen, name, heads[i].name))) {
            printf("    at %04x: %s, theirs %s\n", (unsigned)i * 4, name, heads[i].name);
        }
        for (uint32_t j = 1; j < n; j++) {
            inside += heads[i + j].is;
        }
        if (heads[i].name[0] != '\0') { /* an unknown one has every word for a command */
            EQUAL(inside, 0);
        }
        if (gpucmd_i915_ends_batch(cmdset->gen, *at)) {
            return commands;
        }
    }
    CHECK(false); /* the walk stopped before an end */
    return commands;
}

#ifdef HAVE_LIBDRM_INTEL
static bool by_libdrm(const char *path, unsigned device, size_t len_dw)
{
    struct drm_intel_decode *d = drm_intel_decode_context_alloc(device);
    FILE *f = tmpfile();
    (void)path;
    if (!CHECK(d != NULL && f != NULL)) {
        return false;
    }
    drm_intel_decode_set_batch_pointer(d, words, 0, (int)len_dw);
    drm_intel_decode_set_output_file(d, f);
    drm_intel_decode(d);
    drm_intel_decode_context_free(d);
    rewind(f);
    take_all(f);
    fclose(f);
    return true;
}
#endif

static bool by_igt(const char *path, unsigned device, size_t len_dw)
{
    char command[256];
    FILE *f;
    (void)len_dw;
    snprintf(command, sizeof command, "intel_dump_decode --binary --devid=0x%04x %s 2>&1", device,
             path);
    f = popen(command, "r");
    if (!CHECK(f != NULL)) {
        return false;
    }
    take_all(f);
    return CHECK(pclose(f) == 0);
}

static size_t load(const char *path)
{
    static uint8_t bytes[sizeof words];
    FILE *f = fopen(path, "rb");
    size_t n = 0;
    if (CHECK(f != NULL)) {
        n = fread(bytes, 4, MAX_DW, f);
        fclose(f);
        gpucmd_load_words(words, bytes, n, GPUCMD_LITTLE_ENDIAN);
    }
    return n;
}

static void folder(size_t which, bool (*decode)(const char *, unsigned, size_t))
{
    char path[256], line[512];
    unsigned commands = 0;
    FILE *index;
    snprintf(path, sizeof path, "tests/data/captures/%s/index.tsv", folders[which].folder);
    index = fopen(path, "r");
    if (!CHECK(index != NULL) || fgets(line, sizeof line, index) == NULL) {
        return;
    }
    while (fgets(line, sizeof line, index) != NULL) {
        char file[64], gpu[32], gen_name[32], ring[32];
        gpucmd_i915_gen gen = GPUCMD_I915_GEN2;
        gpucmd_i915_cmdset cmdset;
        size_t len_dw;
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
        len_dw = load(path);
        if (decode(path, folders[which].device, len_dw)) {
            commands += compare(&cmdset, len_dw);
        }
    }
    fclose(index);
    EQUAL(commands, folders[which].commands);
}

static void all(bool (*decode)(const char *, unsigned, size_t))
{
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        differences[i].seen = 0;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        folder(i, decode);
    }
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        if (!EQUAL(differences[i].seen, differences[i].hits)) {
            printf("    %s\n", differences[i].ours);
        }
    }
}

static void skip(const char *package)
{
    printf("skip: i915_libdrm: no %s\n", package);
    test.skipped++;
}

int main(void)
{
#ifdef HAVE_LIBDRM_INTEL
    all(by_libdrm);
#else
    skip("libdrm-dev with libdrm_intel");
#endif
    if (system("command -v intel_dump_decode >/dev/null 2>&1") == 0) {
        all(by_igt);
    } else {
        skip("intel-gpu-tools");
    }
    return test_report("i915_libdrm");
}

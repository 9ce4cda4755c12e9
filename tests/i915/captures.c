/* Batches of real drivers: each is walked to its MI_BATCH_BUFFER_END with no unknown command, the
 * walk meets exactly the commands that Mesa's own decoder printed for it, and check finds no
 * error. */
#include "gpucmd_i915.h"
#include "test.h"

#include <stdlib.h>

/* Folder, batches, commands in all of them. The counts of gles2_tri, gl_mix and vk_xfer_compute but
 * g33 are those of mesa-decode.tsv, plus one END a batch on gen4.5 and 5, which Mesa's tables lack;
 * those of igt_gem_exec_nop are one END each. */
static const struct {
    const char *folder;
    unsigned batches, commands;
} folders[] = {
    {"gl_mix-gm45",                 3, 55 },
    {"gl_mix-hsw",                  6, 331},
    {"gl_mix-skl",                  7, 534},
    {"gles2_tri-bdw",               4, 272},
    {"gles2_tri-g33",               4, 61 },
    {"gles2_tri-gm45",              3, 80 },
    {"gles2_tri-hsw",               4, 290},
    {"gles2_tri-icl",               4, 467},
    {"gles2_tri-ilk",               3, 83 },
    {"gles2_tri-ivb",               4, 281},
    {"gles2_tri-skl",               4, 612},
    {"gles2_tri-snb",               3, 189},
    {"gles2_tri-tgl",               4, 468},
    {"igt_gem_blt-hsw",             6, 12 },
    {"igt_gem_blt-skl",             6, 12 },
    {"igt_gem_exec_nop-hsw",        5, 5  },
    {"igt_gem_exec_nop-skl",        5, 5  },
    {"igt_gem_exec_nop-snb",        5, 5  },
    {"intel_upload_blit_small-hsw", 4, 8  },
    {"intel_upload_blit_small-pnv", 4, 8  },
    {"intel_upload_blit_small-skl", 4, 8  },
    {"vk_xfer_compute-hsw",         4, 205},
    {"vk_xfer_compute-skl",         4, 220},
};

static uint32_t words[1 << 18];

static size_t load(const char *folder, const char *file)
{
    char path[256];
    size_t n = 0;
    FILE *f;
    snprintf(path, sizeof path, "tests/data/captures/%s/%s", folder, file);
    f = fopen(path, "rb");
    if (CHECK(f != NULL)) {
        static uint8_t bytes[sizeof words];
        n = fread(bytes, 4, sizeof words / 4, f);
        fclose(f);
        gpucmd_load_words(words, bytes, n, GPUCMD_LITTLE_ENDIAN);
    }
    return n;
}

/* The next row of Mesa's list; false at its end. */
static bool mesa_row(FILE *f, uint64_t *va, uint32_t *head, char *name, size_t name_bytes)
{
    char line[256], *tab;
    if (f == NULL || fgets(line, sizeof line, f) == NULL) {
        return false;
    }
    *va = strtoull(line, &tab, 16);
    *head = (uint32_t)strtoul(tab + 1, &tab, 16);
    tab[strcspn(tab, "\n")] = '\0';
    snprintf(name, name_bytes, "%s", tab + 1);
    return true;
}

static unsigned batch(const gpucmd_i915_cmdset *cmdset, uint64_t va, size_t len_dw, FILE *mesa)
{
    unsigned commands = 0;
    gpucmd_i915_part part;
    gpucmd_i915_walk k;
    gpucmd_i915_walk_init(&k, cmdset, words, len_dw);
    while (gpucmd_i915_walk_next(&k, &part)) {
        const uint32_t *at = part.dw;
        const bool end = gpucmd_i915_ends_batch(cmdset->gen, *at);
        commands++;
        if (mesa != NULL && !(end && cmdset->gen < GPUCMD_I915_GEN6)) {
            uint64_t mesa_va = 0;
            uint32_t head = 0;
            char name[80] = "";
            CHECK(mesa_row(mesa, &mesa_va, &head, name, sizeof name));
            EQUAL(head, *at);
            EQUAL(mesa_va & 0xffffffffffffu, va + 4 * (uint64_t)(at - words));
            CHECK(strcmp(name, gpucmd_i915_name(cmdset, *at)) == 0);
        }
        if (end) {
            EQUAL(*at >> 23, 0x0a);
            return commands;
        }
    }
    EQUAL(k.status, 0x454e44); /* the walk stopped before an end */
    return commands;
}

static gpucmd_status found(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    if (!CHECK(f->rule == GPUCMD_I915_RULE_AFTER_END)) { /* old words after the end */
        printf("    %s: %s at word %u\n", f->name, f->text, (unsigned)(f->at_bytes / 4));
    }
    return GPUCMD_OK;
}

static void folder(const char *name, unsigned want_batches, unsigned want_commands)
{
    char path[256], line[512];
    unsigned batches = 0, commands = 0;
    FILE *index, *mesa;
    snprintf(path, sizeof path, "tests/data/captures/%s/index.tsv", name);
    index = fopen(path, "r");
    snprintf(path, sizeof path, "tests/data/captures/%s/mesa-decode.tsv", name);
    /* That list of vk_xfer_compute-hsw shows addresses before relocation. */
    mesa = strcmp(name, "vk_xfer_compute-hsw") == 0 ? NULL : fopen(path, "r");
    if (!CHECK(index != NULL) || fgets(line, sizeof line, index) == NULL ||
        (mesa != NULL && fgets(path, sizeof path, mesa) == NULL)) {
        return;
    }
    while (fgets(line, sizeof line, index) != NULL) {
        char file[64], gpu[32], gen_name[32], ring[32];
        unsigned long long va = 0;
        gpucmd_i915_gen gen = GPUCMD_I915_GEN2;
        gpucmd_i915_cmdset cmdset;
        gpucmd_i915_check_options options = {found, NULL, 0, false, false, false, false};
        size_t errors = 1;
        size_t len_dw;
        if (!CHECK(sscanf(line, "%63s %31s gen%31s %31s %llx", file, gpu, gen_name, ring, &va) ==
                   5) ||
            !CHECK(gpucmd_i915_gen_from_name(gen_name, &gen) == GPUCMD_OK)) {
            continue;
        }
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, gen,
                                      strcmp(ring, "render") == 0 ? GPUCMD_I915_RCS
                                      : strcmp(ring, "bsd") == 0  ? GPUCMD_I915_VCS
                                      : strcmp(ring, "blt") == 0  ? GPUCMD_I915_BCS
                                                                  : GPUCMD_I915_VECS),
              GPUCMD_OK);
        len_dw = load(name, file);
        batches++;
        commands += batch(&cmdset, va, len_dw, mesa);
        options.va = va;
        EQUAL(gpucmd_i915_check(&cmdset, words, len_dw, &options, &errors), GPUCMD_OK);
        EQUAL(errors, 0);
    }
    fclose(index);
    if (mesa != NULL) {
        CHECK(fgets(line, sizeof line, mesa) == NULL);
        fclose(mesa);
    }
    EQUAL(batches, want_batches);
    EQUAL(commands, want_commands);
}

int main(void)
{
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        folder(folders[i].folder, folders[i].batches, folders[i].commands);
    }
    return test_report("i915_captures");
}

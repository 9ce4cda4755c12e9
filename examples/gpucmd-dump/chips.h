/* chips.h - names of chips and generations as people use them, for gpucmd-dump.c. */
#ifndef DUMP_CHIPS_H
#define DUMP_CHIPS_H

#include "base.h"
#include "options.h"

/* Names of Intel platforms, short and long; several rows of a generation. */
static const struct {
    const char *name;
    const char *gen;
} i915_platforms[] = {
    {"i830",        "2"   },
    {"i845g",       "2"   },
    {"i85x",        "2"   },
    {"i865g",       "2"   },
    {"i915g",       "3"   },
    {"i915gm",      "3"   },
    {"i945g",       "3"   },
    {"i945gm",      "3"   },
    {"g33",         "3"   },
    {"pnv",         "3"   },
    {"pineview",    "3"   },
    {"i965g",       "4"   },
    {"i965gm",      "4"   },
    {"965",         "4"   },
    {"g45",         "4.5" },
    {"gm45",        "4.5" },
    {"g4x",         "4.5" },
    {"ilk",         "5"   },
    {"ironlake",    "5"   },
    {"snb",         "6"   },
    {"sandybridge", "6"   },
    {"ivb",         "7"   },
    {"ivybridge",   "7"   },
    {"vlv",         "7"   },
    {"valleyview",  "7"   },
    {"byt",         "7"   },
    {"baytrail",    "7"   },
    {"hsw",         "7.5" },
    {"haswell",     "7.5" },
    {"bdw",         "8"   },
    {"broadwell",   "8"   },
    {"chv",         "8"   },
    {"cherryview",  "8"   },
    {"bsw",         "8"   },
    {"braswell",    "8"   },
    {"skl",         "9"   },
    {"skylake",     "9"   },
    {"bxt",         "9"   },
    {"broxton",     "9"   },
    {"apl",         "9"   },
    {"apollolake",  "9"   },
    {"glk",         "9"   },
    {"geminilake",  "9"   },
    {"kbl",         "9"   },
    {"kabylake",    "9"   },
    {"cfl",         "9"   },
    {"coffeelake",  "9"   },
    {"whl",         "9"   },
    {"whiskeylake", "9"   },
    {"cml",         "9"   },
    {"cometlake",   "9"   },
    {"aml",         "9"   },
    {"amberlake",   "9"   },
    {"icl",         "11"  },
    {"icelake",     "11"  },
    {"ehl",         "11"  },
    {"elkhartlake", "11"  },
    {"jsl",         "11"  },
    {"jasperlake",  "11"  },
    {"tgl",         "12"  },
    {"tigerlake",   "12"  },
    {"rkl",         "12"  },
    {"rocketlake",  "12"  },
    {"dg1",         "12"  },
    {"adl",         "12"  },
    {"adls",        "12"  },
    {"adl-s",       "12"  },
    {"alderlake_s", "12"  },
    {"adlp",        "12"  },
    {"adl-p",       "12"  },
    {"alderlake_p", "12"  },
    {"alderlake",   "12"  },
    {"adln",        "12"  },
    {"rpl",         "12"  },
    {"raptorlake",  "12"  },
    {"xe",          "12"  },
    {"dg2",         "12.5"},
    {"alchemist",   "12.5"},
    {"atsm",        "12.5"},
    {"ats-m",       "12.5"},
    {"xehp",        "12.5"},
    {"a770",        "12.5"},
    {"a750",        "12.5"},
    {"a380",        "12.5"},
    {"mtl",         "12.7"},
    {"meteorlake",  "12.7"},
    {"arl",         "12.7"},
    {"arrowlake",   "12.7"},
    {"lnl",         "20"  },
    {"lunarlake",   "20"  },
    {"bmg",         "20"  },
    {"battlemage",  "20"  },
    {"xe2",         "20"  },
    {"b580",        "20"  },
    {"b570",        "20"  },
    {"ptl",         "30"  },
    {"pantherlake", "30"  },
    {"xe3",         "30"  },
};

/* Names of NVIDIA's products and architectures: the beginning of the name, the chip. Products of
 * one name with several chips stand for the one that was sold first. */
static const struct {
    const char *name;
    const char *chip;
} nv_products[] = {
    {"geforce256",    "nv10"  },
    {"geforce2",      "nv15"  },
    {"geforce3",      "nv20"  },
    {"geforce4mx",    "nv17"  },
    {"geforce4",      "nv25"  },
    {"geforcefx5200", "nv34"  },
    {"geforcefx",     "nv30"  },
    {"geforce6800",   "nv40"  },
    {"geforce6600",   "nv43"  },
    {"geforce6200",   "nv44"  },
    {"geforce7900",   "g71"   },
    {"geforce7800",   "g70"   },
    {"geforce7600",   "g73"   },
    {"geforce7300",   "g72"   },
    {"ps3",           "rsx"   },
    {"geforce8800",   "g80"   },
    {"geforce8600",   "g84"   },
    {"geforce8400",   "g86"   },
    {"geforce9800",   "g92"   },
    {"geforce9600",   "g94"   },
    {"gtx280",        "g200"  },
    {"gtx260",        "g200"  },
    {"gt200",         "g200"  },
    {"gt240",         "gt215" },
    {"gt220",         "gt216" },
    {"gt210",         "gt218" },
    {"ion",           "mcp79" },
    {"celsius",       "nv10"  },
    {"kelvin",        "nv20"  },
    {"rankine",       "nv30"  },
    {"curie",         "nv40"  },
    {"tesla",         "g80"   },
    {"gtx480",        "gf100" },
    {"gtx470",        "gf100" },
    {"gtx460",        "gf104" },
    {"gts450",        "gf106" },
    {"gt430",         "gf108" },
    {"gtx580",        "gf110" },
    {"gtx570",        "gf110" },
    {"gtx560",        "gf114" },
    {"fermi",         "gf100" },
    {"gtx680",        "gk104" },
    {"gtx670",        "gk104" },
    {"gtx660",        "gk106" },
    {"gtx650",        "gk107" },
    {"gt640",         "gk107" },
    {"gtx780",        "gk110" },
    {"gtx770",        "gk104" },
    {"gtx760",        "gk104" },
    {"gtxtitan",      "gk110" },
    {"gt710",         "gk208" },
    {"gt730",         "gk208" },
    {"k80",           "gk210" },
    {"k40",           "gk110b"},
    {"k20",           "gk110" },
    {"kepler",        "gk104" },
    {"tegrak1",       "gk20a" },
    {"gtx750",        "gm107" },
    {"gtx980ti",      "gm200" },
    {"gtx980",        "gm204" },
    {"gtx970",        "gm204" },
    {"gtx960",        "gm206" },
    {"gtx950",        "gm206" },
    {"m40",           "gm200" },
    {"maxwell",       "gm107" },
    {"tegrax1",       "gm20b" },
    {"switch",        "gm20b" },
    {"jetsonnano",    "gm20b" },
    {"gtx1080ti",     "gp102" },
    {"gtx1080",       "gp104" },
    {"gtx1070",       "gp104" },
    {"gtx1060",       "gp106" },
    {"gtx1050",       "gp107" },
    {"gt1030",        "gp108" },
    {"titanx",        "gp102" },
    {"p100",          "gp100" },
    {"p40",           "gp102" },
    {"p4",            "gp104" },
    {"pascal",        "gp102" },
    {"tegrax2",       "gp10b" },
    {"tx2",           "gp10b" },
    {"v100",          "gv100" },
    {"titanv",        "gv100" },
    {"volta",         "gv100" },
    {"xavier",        "gv11b" },
    {"rtx2080ti",     "tu102" },
    {"rtx2080",       "tu104" },
    {"rtx2070",       "tu106" },
    {"rtx2060",       "tu106" },
    {"gtx1660",       "tu116" },
    {"gtx1650",       "tu117" },
    {"t4",            "tu104" },
    {"turing",        "tu102" },
    {"a100",          "ga100" },
    {"a30",           "ga100" },
    {"rtx3090",       "ga102" },
    {"rtx3080",       "ga102" },
    {"rtx3070",       "ga104" },
    {"rtx3060ti",     "ga104" },
    {"rtx3060",       "ga106" },
    {"rtx3050",       "ga107" },
    {"a6000",         "ga102" },
    {"a40",           "ga102" },
    {"a10",           "ga102" },
    {"ampere",        "ga102" },
    {"orin",          "ga10b" },
    {"rtx4090",       "ad102" },
    {"rtx4080",       "ad103" },
    {"rtx4070",       "ad104" },
    {"rtx4060ti",     "ad106" },
    {"rtx4060",       "ad107" },
    {"l40",           "ad102" },
    {"l4",            "ad104" },
    {"ada",           "ad102" },
    {"h100",          "gh100" },
    {"h200",          "gh100" },
    {"gh200",         "gh100" },
    {"hopper",        "gh100" },
    {"b100",          "gb100" },
    {"b200",          "gb100" },
    {"rtx5090",       "gb202" },
    {"rtx5080",       "gb203" },
    {"rtx5070ti",     "gb203" },
    {"rtx5070",       "gb205" },
    {"rtx5060",       "gb206" },
    {"rtx5050",       "gb207" },
    {"blackwell",     "gb202" },
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Copy a name in lower case, without blanks, dashes and underscores. */
static void plain_name(const char *name, char plain[32])
{
    size_t n = 0;
    for (; *name != '\0' && n < 31; name++) {
        if (strchr(" -_", *name) == NULL) {
            plain[n++] = lower(*name);
        }
    }
    plain[n] = '\0';
}

/* Return the name of the generation of a PCI id, or NULL. */
static const char *i915_gen_of_pci(uint32_t id)
{
    gpucmd_i915_gen gen;
    return gpucmd_i915_gen_from_id(id, &gen) == GPUCMD_OK ? gpucmd_i915_gen_name(gen) : NULL;
}

/* Return the generation of a name ("skl", "Skylake", "gen9", "0x1912", "8086:1912"), or NULL. */
static const char *i915_gen_of_name(const char *name)
{
    static char gen[32];
    char plain[32];
    char *end;
    plain_name(name, plain);
    for (size_t i = 0; i < sizeof i915_platforms / sizeof i915_platforms[0]; i++) {
        char platform[32];
        plain_name(i915_platforms[i].name, platform);
        if (strcmp(plain, platform) == 0) {
            return i915_platforms[i].gen;
        }
    }
    const char *id = plain;
    if (strncmp(plain, "8086:", 5) == 0) {
        id = plain + 5;
    }
    const unsigned long v = strtoul(id, &end, 16);
    const size_t digits = strlen(id);
    if (*end == '\0' && (digits == 4 || (digits == 6 && id[1] == 'x')) &&
        i915_gen_of_pci((uint32_t)v) != NULL) {
        return i915_gen_of_pci((uint32_t)v);
    }
    gpucmd_i915_gen known;
    snprintf(gen, sizeof gen, "%s", strncmp(plain, "gen", 3) == 0 ? plain + 3 : plain);
    if (gpucmd_i915_gen_from_name(gen, &known) == GPUCMD_OK) {
        return gen;
    }
    return NULL;
}

/* Find the chip of a name ("ga102", "RTX 3090", "ampere", "c76f"). */
static gpucmd_status nv_chip_of_name(const char *name, gpucmd_nv_chip *chip)
{
    char plain[32];
    size_t best = 0;
    const char *found = NULL;
    if (gpucmd_nv_chip_from_name(name, chip) == GPUCMD_OK) {
        return GPUCMD_OK;
    }
    plain_name(name, plain);
    const char *product = plain;
    if (strncmp(plain, "nvidia", 6) == 0) {
        product = plain + 6;
    }
    if (strncmp(product, "geforcegtx", 10) == 0 || strncmp(product, "geforcertx", 10) == 0) {
        product += 7;
    }
    for (size_t i = 0; i < sizeof nv_products / sizeof nv_products[0]; i++) {
        const size_t n = strlen(nv_products[i].name);
        char next = '0';
        if (strncmp(product, nv_products[i].name, n) == 0) {
            next = product[n];
        }
        if (n > best && (next < '0' || next > '9') &&
            (next == '\0' || strcmp(product + n, "ti") == 0 || strcmp(product + n, "super") == 0 ||
             strcmp(product + n, "tisuper") == 0 || strcmp(product + n, "black") == 0)) {
            best = n;
            found = nv_products[i].chip;
        }
    }
    if (found != NULL) {
        return gpucmd_nv_chip_from_name(found, chip);
    }
    return gpucmd_nv_chip_from_name(plain, chip);
}

/* Return the first chip that has a class, in lower case, or NULL. Static storage. */
static const char *nv_chip_of_class(uint32_t class_id)
{
    static const struct {
        uint16_t class_id;
        gpucmd_nv_chip chip;
    } rows[] = {
#define NV_CLASS_ROW(number, kind, since, until, source) {0x##number, GPUCMD_NV_CHIP_##since},
#define NV_CHANNEL_ROW(number, since, source)            {0x##number, GPUCMD_NV_CHIP_##since},
        GPUCMD_NV_CHIP_CLASSES(NV_CLASS_ROW) GPUCMD_NV_CLASSES(NV_CHANNEL_ROW)
#undef NV_CLASS_ROW
#undef NV_CHANNEL_ROW
    };
    static char name[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].class_id == class_id) {
            plain_name(gpucmd_nv_chip_name(rows[i].chip), name);
            return name;
        }
    }
    return NULL;
}

/* ---- suggestions ---- */

/* Return the number of characters to change, add, drop or swap between two names. */
static size_t distance(const char *a, const char *b)
{
    size_t row[3][40];
    const size_t n = lesser(strlen(a), 39);
    const size_t m = lesser(strlen(b), 39);
    for (size_t j = 0; j <= m; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3];
        const size_t *last = row[(i + 2) % 3];
        const size_t *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t least = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < least) {
                least = last[j] + 1;
            }
            if (now[j - 1] + 1 < least) {
                least = now[j - 1] + 1;
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                if (before[j - 2] + 1 < least) {
                    least = before[j - 2] + 1;
                }
            }
            now[j] = least;
        }
    }
    return row[n % 3][m];
}

enum { NEAREST = 4 };

/* The names next to what was given. */
typedef struct nearest {
    char plain[32];
    const char *name[NEAREST];
    size_t distance[NEAREST];
    size_t count;
} nearest;

/* Consider a name; it must stay valid. */
static void consider(nearest *near, const char *name)
{
    char plain[32];
    plain_name(name, plain);
    const size_t d = distance(near->plain, plain);
    size_t at = near->count;
    while (at != 0 && near->distance[at - 1] > d) {
        at--;
    }
    if (at == NEAREST || d > 1 + strlen(near->plain) / 2) {
        return;
    }
    near->count += near->count < NEAREST;
    for (size_t i = near->count - 1; i > at; i--) {
        near->name[i] = near->name[i - 1];
        near->distance[i] = near->distance[i - 1];
    }
    near->name[at] = name;
    near->distance[at] = d;
}

/* Report a wrong name with the nearest names. rest: what else is accepted. */
static int wrong_name(const char *option, const char *name, const nearest *near, const char *rest)
{
    char text[320];
    int n = snprintf(text, sizeof text, "%s", rest);
    for (size_t i = 0; i < near->count && n > 0 && (size_t)n < sizeof text; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", i == 0 ? "; nearest: " : ", ",
                      near->name[i]);
    }
    return usage(option, name, text);
}

static int wrong_gen(const char *name)
{
    nearest near;
    memset(&near, 0, sizeof near);
    plain_name(name, near.plain);
    for (size_t i = 0; i < sizeof i915_platforms / sizeof i915_platforms[0]; i++) {
        consider(&near, i915_platforms[i].name);
    }
#define GEN_NAME(name, number, text, parts) "|" text
    static const char gens[] = GPUCMD_I915_GENS(GEN_NAME);
#undef GEN_NAME
    char rest[160];
    snprintf(rest, sizeof rest, "%s, a name such as skl, or a PCI id", gens + 1);
    return wrong_name("--gen", name, &near, rest);
}

static int wrong_chip(const char *name)
{
    nearest near;
    memset(&near, 0, sizeof near);
    plain_name(name, near.plain);
#define CHIP_NAME(chip, id, family, bus, other) consider(&near, #chip);
    GPUCMD_NV_CHIPS(CHIP_NAME)
#undef CHIP_NAME
    for (size_t i = 0; i < sizeof nv_products / sizeof nv_products[0]; i++) {
        consider(&near, nv_products[i].name);
    }
    return wrong_name(
        "--chip", name, &near,
        "a chip from nv4 to gb207, nvXX with its id, a channel class such as c76f, or "
        "a name such as rtx3090");
}

#endif

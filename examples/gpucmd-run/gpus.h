/* The GPUs that the library can emulate. Intel rows have the PCI id and ten times the generation.
 * NVIDIA rows have any PCI id and the chipset. Apple rows have the chip_id and the generation. The name of
 * the renderer must contain text. */
#ifndef CLIENTS_GPUS_H
#define CLIENTS_GPUS_H

#include <stdint.h>
#include <string.h>

enum { SHIM_INTEL = 0x8086, SHIM_NVIDIA = 0x10de, SHIM_APPLE = 0x106b };

typedef struct shim_gpu {
    const char *name;
    uint32_t vendor;
    uint32_t device;
    uint32_t number; /* generation or chipset */
    const char *text;
} shim_gpu;

/* clang-format off */
static const shim_gpu shim_gpus[] = {
    { "i915gm",  SHIM_INTEL,  0x2592, 30,    "i915 (chipset: 915GM)" },
    { "i945gm",  SHIM_INTEL,  0x27a2, 30,    "i915 (chipset: 945GM)" },
    { "g33",     SHIM_INTEL,  0x29c2, 30,    "i915 (chipset: G33)" },
    { "pnv",     SHIM_INTEL,  0xa011, 30,    "i915 (chipset: Pineview M)" },
    { "i965",    SHIM_INTEL,  0x29a2, 40,    "965G (BW)" },
    { "i965gm",  SHIM_INTEL,  0x2a02, 40,    "965GM (CL)" },
    { "gm45",    SHIM_INTEL,  0x2a42, 45,    "GM45 Express Chipset (CTG)" },
    { "g45",     SHIM_INTEL,  0x2e22, 45,    "G45/G43 (ELK)" },
    { "ilk",     SHIM_INTEL,  0x0046, 50,    "(ILK)" },
    { "snb",     SHIM_INTEL,  0x0102, 60,    "(SNB GT1)" },
    { "ivb",     SHIM_INTEL,  0x0152, 70,    "(IVB GT1)" },
    { "byt",     SHIM_INTEL,  0x0f31, 70,    "(BYT)" },
    { "hsw",     SHIM_INTEL,  0x0412, 75,    "(HSW GT2)" },
    { "bdw",     SHIM_INTEL,  0x1616, 80,    "(BDW GT2)" },
    { "chv",     SHIM_INTEL,  0x22b0, 80,    "(CHV)" },
    { "skl",     SHIM_INTEL,  0x1912, 90,    "(SKL GT2)" },
    { "kbl",     SHIM_INTEL,  0x5912, 90,    "(KBL GT2)" },
    { "bxt",     SHIM_INTEL,  0x5a84, 90,    "(APL 3)" },
    { "icl",     SHIM_INTEL,  0x8a52, 110,   "(ICL GT2)" },
    { "ehl",     SHIM_INTEL,  0x4571, 110,   "(EHL)" },
    { "tgl",     SHIM_INTEL,  0x9a49, 120,   "(TGL GT2)" },
    { "rkl",     SHIM_INTEL,  0x4c8a, 120,   "(RKL GT1)" },
    { "adl",     SHIM_INTEL,  0x4680, 120,   "(ADL-S GT1)" },
    { "dg1",     SHIM_INTEL,  0x4905, 120,   "(DG1)" },
    { "dg2",     SHIM_INTEL,  0x56a0, 125,   "(DG2)" },
    { "mtl",     SHIM_INTEL,  0x7d55, 127,   "(MTL)" },
    { "arl",     SHIM_INTEL,  0x7d67, 127,   "(ARL)" },
    { "lnl",     SHIM_INTEL,  0x64a0, 200,   "(LNL)" },
    { "bmg",     SHIM_INTEL,  0xe20b, 200,   "(BMG G21)" },
    { "ptl",     SHIM_INTEL,  0xb080, 300,   "(PTL)" },
    { "pvc",     SHIM_INTEL,  0x0bd5, 126,   "Data Center GPU Max 1550" },
    { "nvlp",    SHIM_INTEL,  0xd750, 350,   "(NVL-P)" },
    { "cri",     SHIM_INTEL,  0x674c, 350,   "(CRI)" },
    { "nv30",    SHIM_NVIDIA, 0x0301, 0x030, "NV30" },
    { "nv34",    SHIM_NVIDIA, 0x0322, 0x034, "NV34" },
    { "nv35",    SHIM_NVIDIA, 0x0331, 0x035, "NV35" },
    { "nv40",    SHIM_NVIDIA, 0x0041, 0x040, "NV40" },
    { "nv44",    SHIM_NVIDIA, 0x0161, 0x044, "NV44" },
    { "nv4a",    SHIM_NVIDIA, 0x0221, 0x04a, "NV4A" },
    { "nv63",    SHIM_NVIDIA, 0x03d0, 0x063, "NV63" },
    { "nv67",    SHIM_NVIDIA, 0x0531, 0x067, "NV67" },
    { "nv50",    SHIM_NVIDIA, 0x0191, 0x050, "NV50" },
    { "g84",     SHIM_NVIDIA, 0x0402, 0x084, "NV84" },
    { "g98",     SHIM_NVIDIA, 0x06e4, 0x098, "NV98" },
    { "gt200",   SHIM_NVIDIA, 0x05e1, 0x0a0, "NVA0" },
    { "gt215",   SHIM_NVIDIA, 0x0ca3, 0x0a3, "NVA3" },
    { "mcp79",   SHIM_NVIDIA, 0x0860, 0x0ac, "NVAC" },
    { "mcp89",   SHIM_NVIDIA, 0x08a0, 0x0af, "NVAF" },
    { "gf100",   SHIM_NVIDIA, 0x06c0, 0x0c0, "NVC0" },
    { "gf108",   SHIM_NVIDIA, 0x0de1, 0x0c1, "NVC1" },
    { "gf110",   SHIM_NVIDIA, 0x1080, 0x0c8, "NVC8" },
    { "gf119",   SHIM_NVIDIA, 0x1040, 0x0d9, "NVD9" },
    { "gk104",   SHIM_NVIDIA, 0x1180, 0x0e4, "NVE4" },
    { "gk110",   SHIM_NVIDIA, 0x1005, 0x0f0, "NVF0" },
    { "gk208",   SHIM_NVIDIA, 0x1280, 0x108, "NV108" },
    { "gm107",   SHIM_NVIDIA, 0x1381, 0x117, "NV117" },
    { "gm204",   SHIM_NVIDIA, 0x13c0, 0x124, "NV124" },
    { "gp100",   SHIM_NVIDIA, 0x15f0, 0x130, "NV130" },
    { "gp102",   SHIM_NVIDIA, 0x1b00, 0x132, "NV132" },
    { "gp107",   SHIM_NVIDIA, 0x1c82, 0x137, "NV137" },
    { "gv100",   SHIM_NVIDIA, 0x1d81, 0x140, "NV140" },
    { "tu102",   SHIM_NVIDIA, 0x1e04, 0x162, "NV162" },
    { "tu116",   SHIM_NVIDIA, 0x2182, 0x168, "NV168" },
    { "ga102",   SHIM_NVIDIA, 0x2204, 0x172, "NV172" },
    { "ad102",   SHIM_NVIDIA, 0x2684, 0x192, "NV192" },
    { "gb202",   SHIM_NVIDIA, 0x2b85, 0x1b2, "NV1B2" },
    { "m1",      SHIM_APPLE,  0x8103, 13,    "Apple M1 (G13G B1)" },
    { "m1_max",  SHIM_APPLE,  0x6001, 13,    "Apple M1 Max (G13C B1)" },
    { "m2",      SHIM_APPLE,  0x8112, 14,    "Apple M2 (G14G A0)" },
};
/* clang-format on */

#define SHIM_GPU_COUNT (sizeof shim_gpus / sizeof shim_gpus[0])

static inline const shim_gpu *shim_gpu_find(const char *name)
{
    for (size_t i = 0; i < SHIM_GPU_COUNT; i++) {
        if (strcmp(shim_gpus[i].name, name) == 0) {
            return &shim_gpus[i];
        }
    }
    return NULL;
}

/* Return the driver of a GPU. wanted: "xe" or NULL; GPUs since Tiger Lake have both drivers of
 * Intel, Ponte Vecchio and those since Lunar Lake only xe. NULL: the GPU does not have that driver. */
static inline const char *shim_gpu_driver(const shim_gpu *gpu, const char *wanted)
{
    const char *driver = "nouveau";
    if (gpu->vendor == SHIM_INTEL) {
        driver = gpu->number == 126 || gpu->number >= 200 ? "xe" : "i915";
    } else if (gpu->vendor == SHIM_APPLE) {
        driver = "asahi";
    }
    if (wanted == NULL || strcmp(wanted, driver) == 0) {
        return driver;
    }
    if (strcmp(wanted, "xe") == 0 && gpu->vendor == SHIM_INTEL && gpu->number >= 120) {
        return "xe";
    }
    return NULL;
}

#endif /* CLIENTS_GPUS_H */

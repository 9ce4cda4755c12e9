/* PCI device ids of GPUs: gpucmd_i915_gen_from_id against ids of the lists of Linux [IDS] and Mesa [MIDS],
 * and against the number and the sum of the ids that these lists have for a generation. */
#include "gpucmd_i915.h"
#include "test.h"

#define GEN(name) GPUCMD_I915_GEN##name

/* The name of Linux's list of a part, without INTEL_ and _IDS; ids of it, the first and the last among them. */
static const struct {
    const char *list;
    gpucmd_i915_gen gen;
    uint16_t ids[4]; /* 0: none */
} parts[] = {
    {"I830",   GEN(2),    {0x3577}                        },
    {"I845G",  GEN(2),    {0x2562}                        },
    {"I85X",   GEN(2),    {0x3582, 0x358e}                },
    {"I865G",  GEN(2),    {0x2572}                        },
    {"I915G",  GEN(3),    {0x2582, 0x258a}                },
    {"I915GM", GEN(3),    {0x2592}                        },
    {"I945G",  GEN(3),    {0x2772}                        },
    {"I945GM", GEN(3),    {0x27a2, 0x27ae}                },
    {"G33",    GEN(3),    {0x29b2, 0x29c2, 0x29d2}        },
    {"PNV",    GEN(3),    {0xa001, 0xa011}                },
    {"I965G",  GEN(4),    {0x2972, 0x2982, 0x2992, 0x29a2}},
    {"I965GM", GEN(4),    {0x2a02, 0x2a12}                },
    {"GM45",   GEN(4_5),  {0x2a42}                        },
    {"G45",    GEN(4_5),  {0x2e02, 0x2e22, 0x2e42, 0x2e92}},
    {"ILK",    GEN(5),    {0x0042, 0x0046}                },
    {"SNB",    GEN(6),    {0x0102, 0x010a, 0x0116, 0x0126}},
    {"IVB",    GEN(7),    {0x0156, 0x0152, 0x0166, 0x016a}},
    {"VLV",    GEN(7),    {0x0f30, 0x0f31, 0x0f32, 0x0f33}},
    {"HSW",    GEN(7_5),  {0x0a02, 0x0412, 0x0c26, 0x0d2e}},
    {"BDW",    GEN(8),    {0x1606, 0x1616, 0x162e, 0x163d}},
    {"CHV",    GEN(8),    {0x22b0, 0x22b1, 0x22b2, 0x22b3}},
    {"SKL",    GEN(9),    {0x1906, 0x1912, 0x1926, 0x193d}},
    {"BXT",    GEN(9),    {0x0a84, 0x1a84, 0x5a84, 0x5a85}},
    {"GLK",    GEN(9),    {0x3184, 0x3185}                },
    {"KBL",    GEN(9),    {0x5906, 0x5912, 0x591c, 0x87c0}},
    {"CFL",    GEN(9),    {0x3e90, 0x3e92, 0x3ea9, 0x87ca}},
    {"WHL",    GEN(9),    {0x3ea1, 0x3ea0, 0x3ea2}        },
    {"CML",    GEN(9),    {0x9ba2, 0x9bc4, 0x9b41, 0x9bcc}},
    {"Mesa's", GEN(9),    {0x9ba0, 0x9bab, 0x9bc0, 0x9bcb}},
    {"ICL",    GEN(11),   {0x8a50, 0x8a52, 0x8a71, 0x8a5d}},
    {"EHL",    GEN(11),   {0x4541, 0x4551, 0x4570, 0x4571}},
    {"JSL",    GEN(11),   {0x4e51, 0x4e55, 0x4e61, 0x4e71}},
    {"TGL",    GEN(12),   {0x9a60, 0x9a49, 0x9a40, 0x9af8}},
    {"RKL",    GEN(12),   {0x4c80, 0x4c8a, 0x4c90, 0x4c9a}},
    {"DG1",    GEN(12),   {0x4905, 0x4906, 0x4907, 0x4909}},
    {"ADLS",   GEN(12),   {0x4680, 0x4682, 0x4690, 0x4693}},
    {"ADLP",   GEN(12),   {0x46a0, 0x462a, 0x4626, 0x46c3}},
    {"ADLN",   GEN(12),   {0x46d0, 0x46d1, 0x46d3, 0x46d4}},
    {"RPLS",   GEN(12),   {0xa780, 0xa783, 0xa788, 0xa78b}},
    {"RPLU",   GEN(12),   {0xa721, 0xa7a1, 0xa7a9, 0xa7ad}},
    {"RPLP",   GEN(12),   {0xa720, 0xa7a0, 0xa7a8, 0xa7ab}},
    {"DG2",    GEN(12_5), {0x56a0, 0x56bf, 0x5690, 0x5697}},
    {"ATS_M",  GEN(12_5), {0x56c0, 0x56c2, 0x56c1}        },
    {"PVC",    GEN(12_6), {0x0b69, 0x0b6e, 0x0bd4, 0x0be5}},
    {"MTL",    GEN(12_7), {0x7d40, 0x7d45, 0x7d55, 0x7dd5}},
    {"ARL",    GEN(12_7), {0x7d51, 0x7d41, 0x7d67, 0xb640}},
    {"LNL",    GEN(20),   {0x6420, 0x64a0, 0x64b0}        },
    {"BMG",    GEN(20),   {0xe202, 0xe20b, 0xe216, 0xe223}},
    {"PTL",    GEN(30),   {0xb080, 0xb087, 0xb08f, 0xb0b0}},
    {"WCL",    GEN(30),   {0xfd80, 0xfd81}                },
    {"NVLP",   GEN(35),   {0xd750, 0xd753, 0xd757, 0xd75f}},
    {"CRI",    GEN(35),   {0x674c, 0x674f, 0x6750}        },
};

static void of_parts(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (size_t n = 0; n < 4 && parts[i].ids[n] != 0; n++) {
            gpucmd_i915_gen gen = (gpucmd_i915_gen)1;
            EQUAL(gpucmd_i915_gen_from_id(parts[i].ids[n], &gen), GPUCMD_OK);
            if (!EQUAL(gen, parts[i].gen)) {
                printf("    %s 0x%04x\n", parts[i].list, parts[i].ids[n]);
            }
        }
    }
}

/* What is no GPU, or no GPU of a generation that has rows. */
static void of_others(void)
{
    static const uint32_t ids[] = {
        /* I810, I815; CNL; NVLS */
        0x7121, 0x7123, 0x7125, 0x1132, 0x5a44, 0x5a40, 0x5a5c, 0xd740, 0xd745,
        /* a chipset, two network adapters; host bridges beside G33, ILK, SNB, IVB, HSW */
        0x1237, 0x100e, 0x10d3, 0x29c0, 0x0040, 0x0100, 0x0150, 0x0c00,
        /* beside ILK, VLV, CHV, TGL, WCL */
        0x0041, 0x0043, 0x0045, 0x0047, 0x0f2f, 0x0f34, 0x22af, 0x22b4, 0x9a48, 0x9a4a, 0xfd7f,
        0xfd82,
        /* the ends; bits above an id */
        0, 0xffff, 0x19a49, 0x80869a49, 0xffffffff};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        gpucmd_i915_gen gen = (gpucmd_i915_gen)1;
        if (!EQUAL(gpucmd_i915_gen_from_id(ids[i], &gen), GPUCMD_RANGE)) {
            printf("    0x%04x\n", (unsigned)ids[i]);
        }
        EQUAL(gen, 1);
    }
}

/* Number and sum of the ids of the lists, computed from the lists themselves. */
static void of_all(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint32_t count, sum;
    } all[] = {
        {GEN(2),    5,  0x00eb5b},
        {GEN(3),    11, 0x02a4b8},
        {GEN(4),    6,  0x00fa3c},
        {GEN(4_5),  7,  0x013f7e},
        {GEN(5),    2,  0x000088},
        {GEN(6),    7,  0x000782},
        {GEN(7),    10, 0x0044fa},
        {GEN(7_5),  60, 0x024ec4},
        {GEN(8),    28, 0x029de6},
        {GEN(9),    97, 0x1e125f},
        {GEN(11),   26, 0x0b4335},
        {GEN(12),   71, 0x1e3137},
        {GEN(12_5), 28, 0x097a85},
        {GEN(12_6), 13, 0x009939},
        {GEN(12_7), 10, 0x051f19},
        {GEN(20),   16, 0x0ca86e},
        {GEN(30),   14, 0x0a418c},
        {GEN(35),   14, 0x099681},
    };
    static uint32_t count[512], sum[512]; /* by generation */
    uint32_t known = 0;
    for (uint32_t id = 0; id < 0x10000; id++) {
        gpucmd_i915_gen gen;
        if (gpucmd_i915_gen_from_id(id, &gen) == GPUCMD_OK && CHECK((uint32_t)gen < 512)) {
            count[gen]++;
            sum[gen] += id;
            known++;
        }
    }
    EQUAL(known, 425);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        EQUAL(count[all[i].gen], all[i].count);
        EQUAL(sum[all[i].gen], all[i].sum);
    }
}

int main(void)
{
    of_parts();
    of_others();
    of_all();
    return test_report("i915/ids");
}

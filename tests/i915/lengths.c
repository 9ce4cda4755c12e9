/* Numbers of words of every named 3D, state, media and compute command, by generation, and what the
 * checker does after a wrong one. Expected first: the numbers that a command may have, typed from
 * Mesa's lists and, where drivers send others, from the drivers; then streams, each with its
 * findings. */
#include "gpucmd_i915.h"
#include "test.h"

#include <stdlib.h>

/* High half of the first word, name, first and last generation. Then for a generation and those after
 * it the numbers of words: one, two, a range, or a range in steps. A semicolon ends an item. [GX]
 * [XE] [CR] [SNA] [VA] [IGT] [PRM6_M] [PRM7_M] */
/* clang-format off */
static const char *const commands[] = {
    "6000 URB_FENCE 4..5 4:3;6001 CS_URB_STATE 4..5 4:2;6002 CONSTANT_BUFFER 4..5 4:2;",
    "6003 STATE_PREFETCH 6..9 6:2;6003 STATE_PREFETCH 20..30 20:4;",
    "6005 STATE_BYTE_STRIDE 20..30 20:2;",
    "6101 STATE_BASE_ADDRESS 4..30 4:6 5:8 6:10 8:16 9:18,19 11:18-22 12.5:18,22 20:22;",
    "6102 STATE_SIP 4..30 4:2 8:2,3 11:3;6103 SWTESS_BASE_ADDRESS 7..8 7:2;",
    "6104 PIPELINE_SELECT 4..4 4:1;6104 GPGPU_CSR_BASE_ADDRESS 7.5..11 7.5:2 8:3;",
    "6105 STATE_COMPUTE_MODE 12..30 12:2 20:3;6106 3DSTATE_BTD 12.5..30 12.5:6;",
    "6109 STATE_SYSTEM_MEM_FENCE_ADDRESS 20..30 20:3;",
    "610b STATE_CONTEXT_DATA_BASE_ADDRESS 20..30 20:3;680b 3DSTATE_VF_STATISTICS 4.5..30 4.5:1;",
    "6904 PIPELINE_SELECT 4.5..30 4.5:1;7000 MEDIA_VFE_STATE 6..12 6:8 8:9;",
    "7001 MEDIA_CURBE_LOAD 6..12 6:4;7002 MEDIA_INTERFACE_DESCRIPTOR_LOAD 6..12 6:4;",
    "7003 MEDIA_GATEWAY_STATE 6..6 6:2;7004 MEDIA_STATE_FLUSH 6..30 6:2;",
    "7100 MEDIA_OBJECT 6..12 6:6-510;7102 MEDIA_OBJECT_PRT 6..12 6:5-16;",
    "7103 MEDIA_OBJECT_WALKER 6..12 6:17-521;7104 GPGPU_OBJECT 7..7.5 7:8;",
    "7105 GPGPU_WALKER 7..12 7:11 8:15;7106 MEDIA_OBJECT_GRPID 8..12 8:7-511;",
    "7200 CFE_STATE 12.5..30 12.5:6;7208 COMPUTE_WALKER 12.5..30 12.5:39 20:40;",
    "7800 3DSTATE_PIPELINED_POINTERS 4..5 4:7;7800 3DSTATE_DRAWING_RECTANGLE_FAST 20..30 20:4;",
    "7801 3DSTATE_BINDING_TABLE_POINTERS 4..6 4:6 6:4;",
    "7802 3DSTATE_SAMPLER_STATE_POINTERS 6..6 6:4;",
    "7802 3DSTATE_CUSTOM_SAMPLE_PATTERN 35..35 35:2-257;7804 3DSTATE_CLEAR_PARAMS 7..12.7 7:3;",
    "7805 3DSTATE_URB 6..6 6:3;7805 3DSTATE_DEPTH_BUFFER 7..30 7:7 8:8 12.5:10 20:8,10;",
    "7806 3DSTATE_STENCIL_BUFFER 7..30 7:3 8:5 12:5,8;",
    "7807 3DSTATE_HIER_DEPTH_BUFFER 7..30 7:3 8:5;7808 3DSTATE_VERTEX_BUFFERS 4..30 4:5-133/4;",
    "7809 3DSTATE_VERTEX_ELEMENTS 4..30 4:3-69/2;780a 3DSTATE_INDEX_BUFFER 4..30 4:3 8:5;",
    "780b 3DSTATE_VF_STATISTICS 4..4 4:1;780c 3DSTATE_VF 7.5..30 7.5:2;",
    "780d 3DSTATE_VIEWPORT_STATE_POINTERS 6..6 6:4;780d 3DSTATE_MULTISAMPLE 8..30 8:2;",
    "780e 3DSTATE_CC_STATE_POINTERS 6..30 6:4 7:2;780f 3DSTATE_SCISSOR_STATE_POINTERS 6..30 6:2;",
    "7810 3DSTATE_VS 6..30 6:6 8:9;7811 3DSTATE_GS 6..30 6:7 8:10;7812 3DSTATE_CLIP 6..30 6:4;",
    "7813 3DSTATE_SF 6..30 6:20 7:7 8:4;7814 3DSTATE_WM 6..30 6:9 7:3 8:2;",
    "7815 3DSTATE_CONSTANT_VS 6..30 6:5 7:7 8:11;7816 3DSTATE_CONSTANT_GS 6..30 6:5 7:7 8:11;",
    "7817 3DSTATE_CONSTANT_PS 6..30 6:5 7:7 8:11;7818 3DSTATE_SAMPLE_MASK 6..30 6:2;",
    "7819 3DSTATE_CONSTANT_HS 7..30 7:7 8:11;781a 3DSTATE_CONSTANT_DS 7..30 7:7 8:11;",
    "781b 3DSTATE_HS 7..30 7:7 8:9 20:8,9;781c 3DSTATE_TE 7..30 7:4 12:4,5;",
    "781d 3DSTATE_DS 7..30 7:6 8:9 9:11;781e 3DSTATE_STREAMOUT 7..30 7:3 8:5;",
    "781f 3DSTATE_SBE 7..30 7:14 8:4 9:6;7820 3DSTATE_PS 7..30 7:8 8:12;",
    "7821 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP 7..30 7:2;7822 3DSTATE_CPS 11..11 11:9;",
    "7822 3DSTATE_CPS_POINTERS 12..30 12:2;7823 3DSTATE_VIEWPORT_STATE_POINTERS_CC 7..30 7:2;",
    "7824 3DSTATE_BLEND_STATE_POINTERS 7..30 7:2;",
    "7825 3DSTATE_DEPTH_STENCIL_STATE_POINTERS 7..7.5 7:2;",
    "7826 3DSTATE_BINDING_TABLE_POINTERS_VS 7..30 7:2;",
    "7827 3DSTATE_BINDING_TABLE_POINTERS_HS 7..30 7:2;",
    "7828 3DSTATE_BINDING_TABLE_POINTERS_DS 7..30 7:2;",
    "7829 3DSTATE_BINDING_TABLE_POINTERS_GS 7..30 7:2;",
    "782a 3DSTATE_BINDING_TABLE_POINTERS_PS 7..30 7:2;",
    "782b 3DSTATE_SAMPLER_STATE_POINTERS_VS 7..30 7:2;",
    "782c 3DSTATE_SAMPLER_STATE_POINTERS_HS 7..30 7:2;",
    "782d 3DSTATE_SAMPLER_STATE_POINTERS_DS 7..30 7:2;",
    "782e 3DSTATE_SAMPLER_STATE_POINTERS_GS 7..30 7:2;",
    "782f 3DSTATE_SAMPLER_STATE_POINTERS_PS 7..30 7:2;7830 3DSTATE_URB_VS 7..30 7:2;",
    "7831 3DSTATE_URB_HS 7..30 7:2;7832 3DSTATE_URB_DS 7..30 7:2;7833 3DSTATE_URB_GS 7..30 7:2;",
    "7834 3DSTATE_GATHER_CONSTANT_VS 7.5..30 7.5:3-257;",
    "7835 3DSTATE_GATHER_CONSTANT_GS 7.5..30 7.5:3-257;",
    "7836 3DSTATE_GATHER_CONSTANT_HS 7.5..30 7.5:3-257;",
    "7837 3DSTATE_GATHER_CONSTANT_DS 7.5..30 7.5:3-257;",
    "7838 3DSTATE_GATHER_CONSTANT_PS 7.5..30 7.5:3-257;",
    "7839 3DSTATE_DX9_CONSTANTF_VS 7.5..9 7.5:2-2049;",
    "783a 3DSTATE_DX9_CONSTANTF_PS 7.5..9 7.5:2-2049;",
    "7843 3DSTATE_BINDING_TABLE_EDIT_VS 7.5..30 7.5:2-513;",
    "7844 3DSTATE_BINDING_TABLE_EDIT_GS 7.5..30 7.5:2-513;",
    "7845 3DSTATE_BINDING_TABLE_EDIT_HS 7.5..30 7.5:2-513;",
    "7846 3DSTATE_BINDING_TABLE_EDIT_DS 7.5..30 7.5:2-513;",
    "7847 3DSTATE_BINDING_TABLE_EDIT_PS 7.5..30 7.5:2-513;7849 3DSTATE_VF_INSTANCING 8..30 8:3;",
    "784a 3DSTATE_VF_SGVS 8..30 8:2;784b 3DSTATE_VF_TOPOLOGY 8..30 8:2;",
    "784c 3DSTATE_WM_CHROMAKEY 8..30 8:2;784d 3DSTATE_PS_BLEND 8..30 8:2;",
    "784e 3DSTATE_WM_DEPTH_STENCIL 8..30 8:3 9:3,4 11:4;784f 3DSTATE_PS_EXTRA 8..30 8:2;",
    "7850 3DSTATE_RASTER 8..30 8:5;7851 3DSTATE_SBE_SWIZ 8..30 8:11;",
    "7852 3DSTATE_WM_HZ_OP 8..30 8:5 12.5:5,6 20:6;7854 3DSTATE_RS_CONSTANT_POINTER 9..30 9:4;",
    "7855 3DSTATE_VF_COMPONENT_PACKING 9..30 9:5;7856 3DSTATE_VF_SGVS_2 11..30 11:3;",
    "7857 3DSTATE_VFG 12.5..30 12.5:4;7858 3DSTATE_URB_ALLOC_VS 12..30 12:3;",
    "7859 3DSTATE_URB_ALLOC_HS 12..30 12:3;785a 3DSTATE_URB_ALLOC_DS 12..30 12:3;",
    "785b 3DSTATE_URB_ALLOC_GS 12..30 12:3;7860 3DSTATE_SO_BUFFER_INDEX_0 12..30 12:8;",
    "7861 3DSTATE_SO_BUFFER_INDEX_1 12..30 12:8;7862 3DSTATE_SO_BUFFER_INDEX_2 12..30 12:8;",
    "7863 3DSTATE_SO_BUFFER_INDEX_3 12..30 12:8;786c 3DSTATE_PRIMITIVE_REPLICATION 12..30 12:6;",
    "786d 3DSTATE_CONSTANT_ALL 12..30 12:2-10/2;",
    "786e 3DSTATE_TBIMR_TILE_PASS_INFO 12.5..30 12.5:4;786f 3DSTATE_AMFS 12.5..30 12.5:2-257;",
    "7871 3DSTATE_DEPTH_BOUNDS 12..30 12:4;",
    "7872 3DSTATE_AMFS_TEXTURE_POINTERS 12.5..30 12.5:2-257;",
    "7873 3DSTATE_CONSTANT_TS_POINTER 12.5..30 12.5:2-257;",
    "7877 3DSTATE_MESH_CONTROL 12.5..30 12.5:3;7878 3DSTATE_MESH_DISTRIB 12.5..30 12.5:2;",
    "7879 3DSTATE_TASK_REDISTRIB 12.5..30 12.5:2;787a 3DSTATE_MESH_SHADER 12.5..30 12.5:8;",
    "787b 3DSTATE_MESH_SHADER_DATA 12.5..30 12.5:10;787c 3DSTATE_TASK_CONTROL 12.5..30 12.5:3;",
    "787d 3DSTATE_TASK_SHADER 12.5..30 12.5:7;787e 3DSTATE_TASK_SHADER_DATA 12.5..30 12.5:10;",
    "787f 3DSTATE_URB_ALLOC_MESH 12.5..30 12.5:3;7880 3DSTATE_URB_ALLOC_TASK 12.5..30 12.5:3;",
    "7881 3DSTATE_CLIP_MESH 12.5..30 12.5:2;7882 3DSTATE_SBE_MESH 12.5..30 12.5:2;",
    "7883 3DSTATE_CPSIZE_CONTROL_BUFFER 12.5..30 12.5:8;",
    "7889 3DSTATE_COARSE_PIXEL 12.5..30 12.5:2;788a 3DSTATE_MESH_SHADER_DATA_EXT 35..35 35:2-257;",
    "788b 3DSTATE_TASK_SHADER_DATA_EXT 35..35 35:2-257;",
    "788d 3DSTATE_VIEWPORT_STATE_POINTERS_CC_2 35..35 35:2-257;",
    "788e 3DSTATE_CC_STATE_POINTERS_2 35..35 35:2-257;",
    "788f 3DSTATE_SCISSOR_STATE_POINTERS_2 35..35 35:2-257;",
    "78a0 3DSTATE_BLEND_STATE_POINTERS_2 35..35 35:2-257;",
    "78a1 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP_2 35..35 35:2-257;",
    "7900 3DSTATE_DRAWING_RECTANGLE 4..30 4:4;",
    "7901 3DSTATE_CONSTANT_COLOR 4..5 4:5;7901 3DSTATE_URB_MEMORY 35..35 35:2-257;",
    "7902 3DSTATE_SAMPLER_PALETTE_LOAD0 6..30 6:2-257;",
    "7904 3DSTATE_CHROMA_KEY 6..30 6:4;7905 3DSTATE_DEPTH_BUFFER 4..6 4:5,6 4.5:6 6:7;",
    "7906 3DSTATE_POLY_STIPPLE_OFFSET 4..30 4:2;7907 3DSTATE_POLY_STIPPLE_PATTERN 4..30 4:33;",
    "7908 3DSTATE_LINE_STIPPLE 4..30 4:3;7909 3DSTATE_GLOBAL_DEPTH_OFFSET_CLAMP 4..5 4:2;",
    "790a 3DSTATE_AA_LINE_PARAMETERS 4..30 4:3;790b 3DSTATE_GS_SVB_INDEX 6..6 6:4;",
    "790c 3DSTATE_SAMPLER_PALETTE_LOAD1 6..30 6:2-257;790d 3DSTATE_MULTISAMPLE 6..7.5 6:3 7:4;",
    "790e 3DSTATE_STENCIL_BUFFER 5..6 5:3;790e 3DSTATE_RAST_MULTISAMPLE 7.5..7.5 7.5:6;",
    "790f 3DSTATE_HIER_DEPTH_BUFFER 5..6 5:3;7910 3DSTATE_CLEAR_PARAMS 5..6 5:2;",
    "7911 3DSTATE_MONOFILTER_SIZE 6..30 6:2;7912 3DSTATE_PUSH_CONSTANT_ALLOC_VS 7..30 7:2;",
    "7913 3DSTATE_PUSH_CONSTANT_ALLOC_HS 7..30 7:2;",
    "7914 3DSTATE_PUSH_CONSTANT_ALLOC_DS 7..30 7:2;",
    "7915 3DSTATE_PUSH_CONSTANT_ALLOC_GS 7..30 7:2;",
    "7916 3DSTATE_PUSH_CONSTANT_ALLOC_PS 7..30 7:2;7917 3DSTATE_SO_DECL_LIST 7..30 7:3-259/2;",
    "7918 3DSTATE_SO_BUFFER 7..30 7:4 8:8;",
    "7919 3DSTATE_BINDING_TABLE_POOL_ALLOC 7.5..30 7.5:3 8:4;",
    "791a 3DSTATE_GATHER_POOL_ALLOC 7.5..30 7.5:3 8:4;791c 3DSTATE_SAMPLE_PATTERN 8..30 8:9;",
    "791d 3DSTATE_URB_CLEAR 9..30 9:2;791e 3DSTATE_3D_MODE 11..30 11:2 12.5:2,5 20:5;",
    "791f 3DSTATE_SUBSLICE_HASH_TABLE 12..30 12:14;",
    "7920 3DSTATE_SLICE_TABLE_STATE_POINTERS 11..30 11:2;",
    "7922 3DSTATE_PTBR_TILE_PASS_INFO 12.5..30 12.5:2-257;",
    "79a0 3DSTATE_SLICE_TABLE_STATE_POINTER_2 35..35 35:2-257;",
    "7b00 3DPRIMITIVE 4..30 4:6 7:7 11:7,10;7b01 3DMESH_1D 12.5..30 12.5:3;",
    "7b02 3DMESH_3D 12.5..30 12.5:4;7c00 EXECUTE_INDIRECT_DRAW 12.5..30 12.5:6;",
    "7c01 EXECUTE_INDIRECT_DISPATCH 12.5..30 12.5:44 20:45;",
    "8000 STATE_WRITE_INLINE 12.7..30 12.7:2-257;ac00 RESOURCE_BARRIER 20..30 20:5;",
    /* [CR] PVC; [K73]; [GVT]; [LD] */
    "6003 STATE_PREFETCH 12.6..12.6 12.6:4;6109 STATE_SYSTEM_MEM_FENCE_ADDRESS 12.6..12.6 12.6:3;",
    "7005 MEDIA_POOL_STATE 9..9 9:6;791b 3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC 7.5..9 7.5:3 8:4;",
    "7220 COMPUTE_WALKER_2 35..35 35:64;",
    "6700 RASTER_RULES 2..3 2:1;7c80 SCISSOR_ENABLE 2..3 2:1;7d00 MAP_INFO 2..2 2:2-65;",
    "7d00 MAP_STATE 3..3 3:2-65;7d01 COLOR_FACTOR 2..2 2:2;7d01 SAMPLER_STATE 3..3 3:2-65;",
    "7d07 LOAD_INDIRECT 2..3 2:1-256;7d80 DRAWRECT_INFO 2..3 2:5;7d81 SCISSOR_RECT 2..3 2:3;",
    "7d83 STIPPLE 2..3 2:2;7d85 DESTBUFFER_VARS 2..3 2:2;7d8e DESTBUFFER_INFO 2..3 2:3;",
};
/* clang-format on */

static const uint32_t gens[] = {20, 30, 40,  45,  50,  60,  70,  75,
                                80, 90, 110, 120, 125, 127, 200, 300};

typedef struct span {
    uint32_t least, most, step;
} span;

/* A command of the list. */
typedef struct item {
    uint32_t key, since, until;
    char name[48];
    span words[16]; /* by index in gens */
} item;

static gpucmd_i915_cmdset cmdset;
static gpucmd_i915_finding found[16];
static size_t found_count;

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    if (found_count < 16) {
        found[found_count++] = *f;
    }
    return GPUCMD_OK;
}

/* Check words and keep the findings. Return the number of errors. */
static size_t check(int gen, gpucmd_i915_engine engine, const uint32_t *dw, size_t len_dw,
                    bool ring)
{
    gpucmd_i915_check_options options;
    size_t errors = 99;
    memset(&options, 0, sizeof options);
    options.found = on_finding;
    options.secure = true;
    options.ring = ring;
    found_count = 0;
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gen, engine), GPUCMD_OK);
    EQUAL(gpucmd_i915_check(&cmdset, dw, len_dw, &options, &errors), GPUCMD_OK);
    return errors;
}

static uint32_t generation(const char **at)
{
    char *end;
    uint32_t n = 10 * (uint32_t)strtoul(*at, &end, 10);
    if (*end == '.' && end[1] != '.') {
        n += (uint32_t)(end[1] - '0');
        end += 2;
    }
    *at = end;
    return n;
}

static span numbers(const char **at)
{
    char *end;
    span s;
    s.least = s.most = (uint32_t)strtoul(*at, &end, 10);
    s.step = 1;
    if (*end == ',' || *end == '-') {
        const bool two = *end == ',';
        s.most = (uint32_t)strtoul(end + 1, &end, 10);
        s.step = two ? s.most - s.least : 1;
    }
    if (*end == '/') {
        s.step = (uint32_t)strtoul(end + 1, &end, 10);
    }
    *at = end;
    return s;
}

/* Read one item of the list and move *at after it. */
static item next_item(const char **at)
{
    item it;
    size_t len = 0;
    char *end;
    memset(&it, 0, sizeof it);
    it.key = (uint32_t)strtoul(*at, &end, 16);
    for (*at = end + 1; **at != ' '; ++*at) {
        it.name[len++] = **at;
    }
    ++*at;
    it.since = generation(at);
    *at += 2;
    it.until = generation(at);
    while (**at == ' ') {
        ++*at;
        const uint32_t from = generation(at);
        ++*at;
        const span s = numbers(at);
        for (size_t g = 0; g < 16; g++) {
            if (gens[g] >= from && gens[g] <= it.until) {
                it.words[g] = s;
            }
        }
    }
    ++*at;
    return it;
}

/* Each number of words up to two more than the command may have: only those that it may have are
 * without a finding. */
static void lengths_of(const item *it, size_t g, gpucmd_i915_engine engine)
{
    static uint32_t dw[2100];
    const span *s = &it->words[g];
    for (uint32_t n = 2; n <= s->most + 2; n++) {
        const bool good = n >= s->least && n <= s->most && (n - s->least) % s->step == 0;
        if (n > 40 && n < s->most - 2 && n % 16 != 0) {
            continue;
        }
        dw[0] = it->key << 16 | (n - 2);
        EQUAL(gpucmd_i915_cmdset_init(&cmdset, (gpucmd_i915_gen)gens[g], engine), GPUCMD_OK);
        if (gpucmd_i915_length_dw(&cmdset, dw, 1) != n) {
            continue; /* one word, or the field has not so many bits */
        }
        const size_t errors = check((int)gens[g], engine, dw, sizeof dw / 4, true);
        if (!EQUAL(errors, good ? 0 : 1) || !EQUAL(found_count, errors)) {
            printf("    %s of %u words on gen %u\n", it->name, n, gens[g]);
        } else if (!good) {
            EQUAL(found[0].rule, GPUCMD_I915_RULE_LENGTH);
            EQUAL(found[0].at_bytes, 0);
            EQUAL(found[0].value, dw[0]);
            EQUAL(found[0].have_dw, n);
            EQUAL(found[0].least_dw, s->least);
            EQUAL(found[0].most_dw, s->most);
            EQUAL(found[0].step_dw, s->step);
            CHECK(strcmp(found[0].command, it->name) == 0);
        }
    }
}

#define COUNT(...) +1
static void lengths(void)
{
    size_t items = 0;
    for (size_t line = 0; line < sizeof commands / sizeof commands[0]; line++) {
        const char *at = commands[line];
        while (*at != '\0') {
            const item it = next_item(&at);
            items++;
            for (size_t g = 0; g < 16; g++) {
                if (gens[g] >= it.since && gens[g] <= it.until) {
                    lengths_of(&it, g, GPUCMD_I915_RCS);
                    if (gens[g] >= 125) {
                        lengths_of(&it, g, GPUCMD_I915_CCS);
                    }
                }
            }
        }
    }
#define NOTHING(...)
    EQUAL(items, 0 GPUCMD_I915_GFX_COMMANDS(COUNT, NOTHING));
}

/* The lengths of MI and 2D commands that differ between generations, and those with steps. */
static void others(void)
{
    static const struct {
        int since, until, engine;
        uint32_t word, good; /* bit n of good: the command may have n words */
    } rows[] = {
        {20,  30,  1, 0x10000000, 1u << 3            },
        {40,  75,  1, 0x10000000, 1u << 4 | 1u << 5  },
        {20,  20,  1, 0x0a000000, 1u << 3 | 1u << 4  },
        {30,  30,  1, 0x0a000000, 1u << 3            },
        {40,  60,  1, 0x0a000000, 1u << 4            },
        {70,  80,  1, 0x0a000000, 1u << 3            },
        {90,  300, 1, 0x0a000000, 1u << 3 | 1u << 4  },
        {80,  110, 1, 0x0e000000, 1u << 4            },
        {120, 300, 1, 0x0e000000, 1u << 4 | 1u << 5  },
        {40,  300, 1, 0x11000000, 0x2aaaaaa8         },
        {40,  50,  1, 0x7a000000, 1u << 4            },
        {60,  75,  1, 0x7a000000, 1u << 4 | 1u << 5  },
        {80,  300, 1, 0x7a000000, 7u << 4            },
        {120, 120, 4, 0x50400000, 1u << 12           },
        {125, 300, 4, 0x50400000, 1u << 12 | 1u << 22},
        {120, 120, 4, 0x51000000, 1u << 11           },
        {125, 300, 4, 0x51000000, 1u << 16           },
    };
    static uint32_t dw[64];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t g = 0; g < 16; g++) {
            for (uint32_t n = 2; n < 30; n++) {
                const bool in = (int)gens[g] >= rows[i].since && (int)gens[g] <= rows[i].until;
                if (!in) {
                    continue;
                }
                dw[0] = rows[i].word | (n - 2);
                (void)check((int)gens[g], (gpucmd_i915_engine)rows[i].engine, dw, 64, true);
                if (!EQUAL(found_count != 0 && found[0].rule == GPUCMD_I915_RULE_LENGTH,
                           (rows[i].good >> n & 1) == 0)) {
                    printf("    %08x on gen %u\n", dw[0], gens[g]);
                }
            }
        }
    }
}

enum { LENGTH = GPUCMD_I915_RULE_LENGTH, UNCHECKED = GPUCMD_I915_RULE_UNCHECKED };
enum { TRUNCATED = GPUCMD_I915_RULE_TRUNCATED, NO_END = GPUCMD_I915_RULE_NO_END };
enum { UNKNOWN = GPUCMD_I915_RULE_UNKNOWN, NO_DATA = GPUCMD_I915_RULE_NO_DATA };
enum { ALIGN = GPUCMD_I915_RULE_REGISTER_ALIGN, NONE = 99 };
enum { R = GPUCMD_I915_RCS, V = GPUCMD_I915_VCS, B = GPUCMD_I915_BCS };

/* A batch: its findings as rule, number of the word, value for UNCHECKED (words). */
typedef struct stream {
    const char *what;
    int gen, engine;
    struct {
        unsigned rule, at_dw, words;
    } findings[6]; /* after the last: rule NONE */
    uint32_t len_dw, words[44];
} stream;

/* clang-format off */
static const stream streams[] = {
    /* i915 of Linux 7.3 on DG2 and MTL: a mesh control that takes the next first word with it */
    {"mesh control of 5 words", 125, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 12,
     {0x78770003, 0, 0, 0, 0x7a000004, 0x00100000, 0, 0, 0, 0, 0x05000000, 0}},
    {"mesh control of 3 words", 125, R, {{NONE, 0, 0}}, 12,
     {0x78770001, 0, 0, 0, 0x7a000004, 0x00100000, 0, 0, 0, 0, 0x05000000, 0}},
    {"mesh control of 2 words", 125, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 10,
     {0x78770000, 0, 0, 0x7a000004, 0x00100000, 0, 0, 0, 0, 0x05000000}},
    {"mesh control at the end, its words pass it", 127, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 4,
     {0x78770003, 0, 0, 0x05000000}},
    /* a header that counts one word less and a body that lacks two */
    {"base address of 17 words, and an end that is none", 90, R,
     {{LENGTH, 1, 0}, {UNCHECKED, 2, 15}, {LENGTH, 25, 0}, {TRUNCATED, 25, 0}, {NO_END, 26, 0}, {NONE, 0, 0}}, 26,
     {0x69040300, 0x6101000f, 1, 0, 0x30000, 0x20001, 0, 0x40001, 0, 1, 0, 0x50001, 0, 0xfffff001, 0x2001, 0xfffff001, 0x1001,
      0x78120002, 0, 0x90000000, 0, 0x79000002, 0, 0x00ff00ff, 0, 0x0a000000}},
    {"base address of 17 words: that it should have 19 is taken", 90, R, {{LENGTH, 1, 0}, {NONE, 0, 0}}, 26,
     {0x69040300, 0x6101000f, 1, 0, 0x30000, 0x20001, 0, 0x40001, 0, 1, 0, 0x50001, 0, 0xfffff001, 0x2001, 0xfffff001, 0x1001,
      0x78120002, 0, 0x90000000, 0, 0x79000002, 0, 0x00ff00ff, 0, 0x05000000}},
    {"base address of 18 words", 90, R, {{NONE, 0, 0}}, 20,
     {0x61010010, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0, 0, 0x05000000, 0}},
    {"base address of 19 words", 90, R, {{NONE, 0, 0}}, 20,
     {0x61010011, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0, 0, 0, 0x05000000}},
    {"base address of 19 words, 20 in the header", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 26,
     {0x61010012, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0, 0, 0, 0x79000002, 0, 0x00ff00ff, 0, 0x05000000, 0, 0}},
    {"base address of 16 words, as on gen8", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 18,
     {0x6101000e, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0x05000000, 0}},
    {"base address of 16 words on gen8", 80, R, {{NONE, 0, 0}}, 18,
     {0x6101000e, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0x05000000, 0}},
    {"base address of 19 words on gen12.5", 125, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 20,
     {0x61010011, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0xfffff001, 1, 1, 1, 0, 0, 0, 0x05000000}},
    /* the length of the next command added */
    {"walker of 23 words", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 24,
     {0x71050015, 0, 0x40, 0, 0x80000000, 0, 0, 4, 0, 0, 2, 0, 1, 0xffffffff, 0xffffffff,
      0x70040000, 0, 0x7a000004, 0x00100000, 0, 0, 0, 0, 0x05000000}},
    {"walker of 15 words", 90, R, {{NONE, 0, 0}}, 24,
     {0x7105000d, 0, 0x40, 0, 0x80000000, 0, 0, 4, 0, 0, 2, 0, 1, 0xffffffff, 0xffffffff,
      0x70040000, 0, 0x7a000004, 0x00100000, 0, 0, 0, 0, 0x05000000}},
    {"walker of 11 words, as on gen7", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 12,
     {0x71050009, 0, 0x80000000, 0, 4, 0, 2, 0, 1, 0xffffffff, 0xffffffff, 0x05000000}},
    {"walker of 11 words on gen7", 70, R, {{NONE, 0, 0}}, 12,
     {0x71050009, 0, 0x80000000, 0, 4, 0, 2, 0, 1, 0xffffffff, 0xffffffff, 0x05000000}},
    /* a store whose length was forgotten, and those of other generations */
    {"store without a length", 120, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 6,
     {0x10000000, 0x3000, 0, 0xc0ffee, 0x05000000, 0}},
    {"store of 4 words", 120, R, {{NONE, 0, 0}}, 6,
     {0x10000002, 0x3000, 0, 0xc0ffee, 0x05000000, 0}},
    {"store of 3 words, as on gen3", 60, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 4,
     {0x10000001, 0x3000, 0xc0ffe0, 0x05000000}},
    {"store of 3 words on gen3", 30, R, {{NONE, 0, 0}}, 4,
     {0x10000001, 0x3000, 0xc0ffee, 0x05000000}},
    {"longest store of gen12.7, cut off", 127, R, {{TRUNCATED, 0, 0}, {UNCHECKED, 1, 1}, {NO_END, 2, 0}, {NONE, 0, 0}}, 2,
     {0x100003fe, 0x3000}},
    /* the number of words is right, but the input ends */
    {"base address without its last words", 90, R, {{TRUNCATED, 0, 0}, {UNCHECKED, 1, 3}, {NO_END, 4, 0}, {NONE, 0, 0}}, 4,
     {0x61010011, 1, 0, 0}},
    {"end after a command without its last words", 90, R, {{TRUNCATED, 0, 0}, {UNCHECKED, 1, 2}, {NONE, 0, 0}}, 4,
     {0x61010011, 1, 0, 0x05000000}},
    /* words that are no command: the check goes on at the end, or where three commands follow */
    {"unknown word, then the end", 90, R, {{UNKNOWN, 0, 0}, {UNCHECKED, 1, 2}, {NONE, 0, 0}}, 4,
     {0x20000000, 0x00000007, 0x00000009, 0x05000000}},
    {"unknown word before the end", 90, R, {{UNKNOWN, 0, 0}, {NONE, 0, 0}}, 2,
     {0x20000000, 0x05000000}},
    {"unknown word, no end", 90, R, {{UNKNOWN, 0, 0}, {UNCHECKED, 1, 3}, {NO_END, 4, 0}, {NONE, 0, 0}}, 4,
     {0x20000000, 0xffffffff, 0x12345678, 0x9abcdef0}},
    {"unknown word, three commands, then one of a wrong length", 90, R,
     {{UNKNOWN, 0, 0}, {UNCHECKED, 1, 1}, {LENGTH, 12, 0}, {NONE, 0, 0}}, 16,
     {0x20000000, 0xffffffff, 0x78120002, 0, 0, 0, 0x79000002, 0, 0, 0, 0x780c0000, 0, 0x780c0001, 0, 0, 0x05000000}},
    {"unknown word, two commands, then one of a wrong length", 90, R,
     {{UNKNOWN, 0, 0}, {UNCHECKED, 1, 12}, {NONE, 0, 0}}, 14,
     {0x20000000, 0xffffffff, 0x78120002, 0, 0, 0, 0x79000002, 0, 0, 0, 0x780c0001, 0, 0, 0x05000000}},
    {"an end with other bits is none", 90, R, {{UNKNOWN, 0, 0}, {UNCHECKED, 1, 3}, {NO_END, 4, 0}, {NONE, 0, 0}}, 4,
     {0x20000000, 0x05123456, 0xffffffff, 0xffffffff}},
    /* two lengths, and lengths in steps */
    {"primitive of 8 words", 110, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 8,
     {0x7b000006, 4, 3, 0, 1, 0, 0, 0x05000000}},
    {"primitive of 10 words", 110, R, {{NONE, 0, 0}}, 12,
     {0x7b000808, 4, 3, 0, 1, 0, 0, 1, 2, 3, 0x05000000, 0}},
    {"primitive of 10 words on gen9", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 8,
     {0x7b000008, 4, 3, 0, 1, 0, 0, 0x05000000}},
    {"vertex buffers of 6 words", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 6,
     {0x78080004, 0x0000c00c, 0x1000, 0, 0x40, 0x05000000}},
    {"vertex elements of an even number", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 4,
     {0x78090002, 0x02400000, 0x11130000, 0x05000000}},
    {"register write of half a pair", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 4,
     {0x11000002, 0x2600, 1, 0x05000000}},
    /* data of a post-sync operation */
    {"PIPE_CONTROL of 4 words with a store", 90, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 6,
     {0x7a000002, 0x00104000, 0x3000, 0, 0x05000000, 0}},
    {"PIPE_CONTROL of 4 words without one", 90, R, {{NONE, 0, 0}}, 6,
     {0x7a000002, 0x00100000, 0, 0, 0x05000000, 0}},
    {"PIPE_CONTROL of 6 words with a store", 90, R, {{NONE, 0, 0}}, 8,
     {0x7a000004, 0x00104000, 0x3000, 0, 1, 0, 0x05000000, 0}},
    {"PIPE_CONTROL of 4 words with a store, gen7", 70, R, {{NONE, 0, 0}}, 6,
     {0x7a000002, 0x00104000, 0x3000, 1, 0x05000000, 0}},
    {"flush of 3 words with a store, as Linux ends a session", 120, V, {{NO_DATA, 0, 0}, {NONE, 0, 0}}, 4,
     {0x13604001, 0x00000184, 0, 0x05000000}},
    {"flush of 4 words with a store", 120, V, {{NONE, 0, 0}}, 6,
     {0x13604002, 0x00000184, 0, 1, 0x05000000, 0}},
    {"flush of 3 words without one", 120, V, {{NONE, 0, 0}}, 4,
     {0x13000001, 0, 0, 0x05000000}},
    {"flush of 6 words", 120, V, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 6,
     {0x13000004, 0, 0, 0, 0, 0x05000000}},
    /* what stands in wrong words is no finding, what stands after them is */
    {"words of the next command are not its operands", 90, B, {{LENGTH, 0, 0}, {ALIGN, 4, 0}, {NONE, 0, 0}}, 8,
     {0x15000003, 0x22600, 0x22608, 0x11000001, 0x22602, 7, 0x05000000, 0}},
    {"a batch start of 2 words ends the batch", 80, R, {{LENGTH, 0, 0}, {NONE, 0, 0}}, 2,
     {0x18800100, 0x4000}},
    /* the video engine has other commands with these first words */
    {"video command with the word of a base address", 90, V, {{NONE, 0, 0}}, 4,
     {0x61010001, 0, 0, 0x05000000}},
};
/* clang-format on */

static void findings(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        const stream *s = &streams[i];
        size_t want = 0;
        while (s->findings[want].rule != NONE) {
            want++;
        }
        (void)check(s->gen, (gpucmd_i915_engine)s->engine, s->words, s->len_dw, false);
        bool good = EQUAL(found_count, want);
        for (size_t k = 0; k < want && k < found_count; k++) {
            good = EQUAL(found[k].rule, s->findings[k].rule) && good;
            good = EQUAL(found[k].at_bytes, 4 * s->findings[k].at_dw) && good;
            if (s->findings[k].rule == UNCHECKED) {
                good = EQUAL(found[k].value, s->findings[k].words) && good;
            }
        }
        if (!good) {
            printf("    %s\n", s->what);
        }
    }
}

static void texts(void)
{
    static const struct {
        int gen, engine;
        uint32_t word;
        const char *text;
    } rows[] = {
        {125, R, 0x78770003,
         "0x0: error: LENGTH: wrong number of words: 0x78770003 3DSTATE_MESH_CONTROL: 5, expected 3 words" },
        {90,  R, 0x6101000f,
         "0x0: error: LENGTH: wrong number of words: 0x6101000f STATE_BASE_ADDRESS: 17, expected 19 "
         "words, also 18"                                                                                  },
        {110, R, 0x7b000006,
         "0x0: error: LENGTH: wrong number of words: 0x7b000006 3DPRIMITIVE: 8, expected 7 words, also 10" },
        {90,  R, 0x7a000000,
         "0x0: error: LENGTH: wrong number of words: 0x7a000000 PIPE_CONTROL: 2, expected 4 words, up to 6"},
        {90,  R, 0x11000000,
         "0x0: error: LENGTH: wrong number of words: 0x11000000 MI_LOAD_REGISTER_IMM: 2, expected 3 "
         "words, up to 257 in steps of 2"                                                                  },
    };
    static uint32_t dw[40];
    char buf[200];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_text t;
        dw[0] = rows[i].word;
        (void)check(rows[i].gen, (gpucmd_i915_engine)rows[i].engine, dw, 40, true);
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_i915_print_finding(&t, &found[0]);
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        if (!CHECK(strcmp(buf, rows[i].text) == 0)) {
            printf("    %s\n", buf);
        }
    }
    gpucmd_text t;
    const uint32_t unknown[] = {0x20000000, 7, 7, 0x05000000};
    (void)check(90, GPUCMD_I915_RCS, unknown, 4, false);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_i915_print_finding(&t, &found[1]);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    CHECK(strcmp(buf, "0x4: note: UNCHECKED: number of words that could not be checked: 2") == 0);
}

int main(void)
{
    lengths();
    others();
    findings();
    texts();
    return test_report("i915_lengths");
}

/* The streams and the comparison of tests/silicon, with the executor behind a model of the driver in
 * the place of a GPU: both sides agree, and a GPU that is wrong is found and its stream made small. */
/* suite: executor, long */
/* A kick shows the model the doorbell of the kick before. */
static void rm_doorbell(void);
#define GPUCMD_BARRIER_WRITE() rm_doorbell()
#define GPUCMD_BARRIER_FULL()  rm_doorbell()
#define GPUCMD_BARRIER_MMIO()  rm_doorbell()

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#define HW_NVIDIA_PART
#include "../../examples/hardware/nvidia.c"

#include "silicon/streams.h"

#include "silicon/compare.h"

#include "test.h"

#define RM_ARENA_BYTES (12u << 20)
#include "nv/rm.h"

static hw_nvidia g;
static si_gpu gpu;
static st_case stream;

static gpucmd_status run_gpu(void *user, uint32_t try_count)
{
    (void)user;
    (void)rm_run();
    return try_count < 3 ? GPUCMD_OK : GPUCMD_LIMIT;
}

/* Open the GPU. The example's copy comes first, as on a real one. */
static bool start(unsigned channels)
{
    gpucmd_sys_ops sys;
    rm_init(&sys);
    memset(&g, 0, sizeof g);
    g.sys = sys;
    g.pause = run_gpu;
    g.quiet = true;
    if (!CHECK(hw_open_gpu(&g) == HW_OK) || !CHECK(hw_copy(&g))) {
        return false;
    }
    hw_unwind(&g, 0);
    return CHECK(hw_open_gpu(&g) == HW_OK) && CHECK(si_open(&gpu, &g, channels));
}

static si_result compare(uint64_t seed)
{
    stream.seed = seed;
    stream.keep = 0xffffffffu;
    stream.risk = 2;
    return si_compare(&gpu, &stream);
}

/* Both sides agree, with one channel and with two. Every operation was part of a stream. */
static void agree(unsigned channels, unsigned count)
{
    bool seen[ST_ROWS] = {false};
    memset(&stream, 0, sizeof stream);
    if (!start(channels)) {
        return;
    }
    for (uint64_t seed = 1; seed <= count; seed++) {
        const si_result result = compare(seed);
        if (!EQUAL(result, SI_EQUAL)) {
            printf("    %s\n", gpu.why);
            if (result == SI_DIFFERS) {
                (void)si_shrink(&gpu, &stream);
                si_print_difference(&gpu);
            }
            si_print_stream(&stream);
            break;
        }
        for (unsigned i = 0; i < stream.ops; i++) {
            for (unsigned k = 0; k < ST_ROWS; k++) {
                seen[k] |= strcmp(stream.names[i], st_rows[k].name) == 0;
            }
        }
    }
    for (unsigned k = 0; k < ST_ROWS; k++) {
        if (!CHECK(seen[k])) {
            printf("    %s\n", st_rows[k].name);
        }
    }
    EQUAL(stream.heights, 0x3f);
    EQUAL(stream.depths, 0x3f);
    EQUAL(stream.layers, 0xf);
    EQUAL(stream.acquires, 1u << GPUCMD_NV_SEM_OP_ACQUIRE | 1u << GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ |
                               1u << GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ |
                               1u << GPUCMD_NV_SEM_OP_ACQ_AND | 1u << GPUCMD_NV_SEM_OP_ACQ_NOR);
    EQUAL(stream.reductions[0][0], 0xff); /* 32 bits, unsigned: all */
    EQUAL(stream.reductions[0][1], 0x3f); /* no INC, DEC */
    EQUAL(stream.reductions[1][0], 0x3f);
    EQUAL(stream.reductions[1][1], 0x1f); /* no IADD */
    hw_unwind(&g, 0);
    EQUAL(rm_alive(), 0);
    CHECK(rm.wrong == NULL);
}

/* Every seed gives a stream that can be made. */
static void all_made(void)
{
    memset(&stream, 0, sizeof stream);
    stream.keep = 0xffffffffu;
    stream.risk = 2;
    stream.channels = 2;
    stream.block_linear = true;
    for (stream.seed = 100000; stream.seed < 106000; stream.seed++) {
        st_make(&stream);
        if (!CHECK(!stream.bad)) {
            printf("    seed %llu\n", (unsigned long long)stream.seed);
        }
    }
}

/* ---- GPUs that are wrong ---- */

/* Return the word after each header hdr of words, one call at a time; *at starts with 0. */
static uint8_t *word_after(uint8_t *words, size_t len_dw, uint32_t hdr, size_t skip_dw, size_t *at)
{
    while (*at + skip_dw < len_dw) {
        const size_t i = (*at)++;
        if (gpucmd_load32(words + 4 * i, GPUCMD_LITTLE_ENDIAN) == hdr) {
            return words + 4 * (i + skip_dw);
        }
    }
    return NULL;
}

enum {
    CE1 = 0x20018000, /* header of one method of subchannel 4; bits 11:0 are the method / 4 */
    CE4 = 0x20048000,
    CE6 = 0x20068000,
    SEM = 0x20050017, /* SEM_ADDR_LO to SEM_EXECUTE */
};

static void change(uint8_t *words, size_t len_dw, uint32_t hdr, size_t skip_dw, uint32_t mask,
                   uint32_t value, uint32_t flip)
{
    size_t at = 0;
    for (uint8_t *p; (p = word_after(words, len_dw, hdr, skip_dw, &at)) != NULL;) {
        const uint32_t dw = gpucmd_load32(p, GPUCMD_LITTLE_ENDIAN);
        if ((dw & mask) == value) {
            gpucmd_store32(p, dw ^ flip, GPUCMD_LITTLE_ENDIAN);
        }
    }
}

static void wrong_minimum(uint8_t *words, size_t len_dw) /* IMIN and IMAX are exchanged */
{
    change(words, len_dw, SEM, 5, 0x7 | 0xe << 27, 6, 1u << 27);
}

static void wrong_sign(uint8_t *words, size_t len_dw) /* FORMAT of reductions */
{
    change(words, len_dw, SEM, 5, 0x7, 6, 1u << 31);
}

static void wrong_width(uint8_t *words, size_t len_dw) /* PAYLOAD_SIZE of releases */
{
    change(words, len_dw, SEM, 5, 0x7 | 1u << 24 | 1u << 25, 1 | 1u << 24, 1u << 24);
}

static void wrong_time(uint8_t *words, size_t len_dw) /* RELEASE_TIMESTAMP is ignored */
{
    change(words, len_dw, SEM, 5, 0x7 | 1u << 25, 1 | 1u << 25, 1u << 25);
}

static void wrong_length(uint8_t *words, size_t len_dw) /* one byte less, of odd lengths */
{
    change(words, len_dw, CE1 | 0x418 / 4, 1, 1, 1, 1);
}

static void wrong_block(uint8_t *words, size_t len_dw) /* blocks of the destination are too high */
{
    change(words, len_dw, CE6 | 0x70c / 4, 1, 0x10, 0, 0x10);
}

static void wrong_layer(uint8_t *words, size_t len_dw)
{
    change(words, len_dw, CE6 | 0x728 / 4, 5, 1, 0, 1);
}

static void wrong_pitch(uint8_t *words, size_t len_dw)
{
    change(words, len_dw, CE4 | 0x410 / 4, 2, 0, 0, 1);
}

static void wrong_swizzle(uint8_t *words, size_t len_dw) /* DST_X: SRC_X and SRC_Y, CONST_A and B */
{
    change(words, len_dw, 0x20038000 | 0x700 / 4, 3, 2, 0, 1);
}

static void wrong_end(uint8_t *words, size_t len_dw) /* END_PB_SEGMENT does nothing */
{
    for (size_t i = 0; i < len_dw; i++) {
        if (gpucmd_load32(words + 4 * i, GPUCMD_LITTLE_ENDIAN) == 0xe0000000u) {
            gpucmd_store32(words + 4 * i, 0, GPUCMD_LITTLE_ENDIAN);
        }
    }
}

static void wrong_operation(uint8_t *words,
                            size_t len_dw) /* a copy engine that reduces otherwise */
{
    change(words, len_dw, CE1 | 0x300 / 4, 1, 1u << 19 | 3u << 15, 1u << 19, 1u << 14);
}

/* Each wrong GPU is found within these streams. The smallest stream is one operation, of this kind. */
static void caught(void)
{
    static const struct {
        void (*edit)(uint8_t *words, size_t len_dw);
        const char *kinds; /* names of operations, with a space before and after */
    } rows[] = {
        {wrong_minimum,   " reduce reduce_time "                              },
        {wrong_sign,      " reduce reduce_time "                              },
        {wrong_width,     " release release_time "                            },
        {wrong_time,      " release_time "                                    },
        {wrong_length,    " linear fill remap ce_copy_release "               },
        {wrong_block,     " tiled tiled_origin tiled_remap "                  },
        {wrong_layer,     " tiled tiled_origin tiled_remap "                  },
        {wrong_pitch,     " lines remap_lines tiled tiled_origin tiled_remap "},
        {wrong_swizzle,   " remap remap_lines "                               },
        {wrong_end,       " end_segment "                                     },
        {wrong_operation, " ce_reduce "                                       }
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        si_result result = SI_EQUAL;
        uint64_t seed = 0;
        if (!start(1 + i % 2)) {
            return;
        }
        rm.edit = rows[i].edit;
        while (result == SI_EQUAL && seed < 200) {
            result = compare(++seed);
        }
        if (EQUAL(result, SI_DIFFERS)) {
            unsigned left = 0;
            EQUAL(si_shrink(&gpu, &stream), SI_DIFFERS);
            for (unsigned k = 0; k < stream.ops; k++) {
                char name[40];
                if ((stream.keep >> k & 1) != 0) {
                    left++;
                    snprintf(name, sizeof name, " %s ", stream.names[k]);
                    CHECK(strstr(rows[i].kinds, name) != NULL);
                }
            }
            EQUAL(left, 1);
            CHECK(gpu.difference.region != NULL && gpu.difference.expected != gpu.difference.got);
        } else {
            printf("    %s %s\n", rows[i].kinds, gpu.why);
        }
        hw_unwind(&g, 0);
        EQUAL(rm_alive(), 0);
    }
}

static void wrong_acquire(uint8_t *words, size_t len_dw) /* an acquire that never ends */
{
    change(words, len_dw, SEM, 5, 0x7, 0, 2);
    change(words, len_dw, SEM, 3, 0, 0, 0x80000000u);
}

static void wrong_method(uint8_t *words, size_t len_dw) /* rejects MEM_OP */
{
    change(words, len_dw, 0x2004000au, 0, 0, 0, 0x8 ^ 0x20);
}

/* A GPU that stops ends the run: nothing is submitted after that. */
static void stops(void)
{
    static void (*const edits[])(uint8_t * words, size_t len_dw) = {wrong_acquire, wrong_method};
    for (unsigned i = 0; i < 2; i++) {
        si_result result = SI_EQUAL;
        uint64_t seed = 0;
        if (!start(1)) {
            return;
        }
        rm.edit = edits[i];
        while (result != SI_STOPPED && seed < 200) {
            result = compare(++seed);
        }
        EQUAL(result, SI_STOPPED);
        hw_unwind(&g, 0);
        EQUAL(rm_alive(), 0);
    }
}

/* A stream that the checker rejects is not submitted. */
static void illegal(void)
{
    uint64_t submissions;
    if (!start(1)) {
        return;
    }
    EQUAL(compare(7), SI_EQUAL);
    submissions = gpu.submissions;
    stream.words[0][2] = 0x20010001; /* ILLEGAL */
    si_begin(&stream);
    CHECK(!si_execute(&gpu, &stream));
    CHECK(strlen(gpu.why) > 10);
    EQUAL(gpu.submissions, submissions);
    hw_unwind(&g, 0);
}

int main(void)
{
    all_made();
    agree(1, 250);
    agree(2, 250);
    caught();
    stops();
    illegal();
    return test_report("nv_silicon");
}

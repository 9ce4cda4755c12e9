/* Random batches: gpucmd_i915_parse against the command parser of the i915 driver.
 *   parser_compare COUNT [SEED]
 * The generator knows formats of commands, but no table of either side. */
#include "gpucmd_i915.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"

static const struct {
    const char *name;
    enum parser_gen gen;
    enum parser_engine engine;
    gpucmd_i915_gen our_gen;
    gpucmd_i915_engine our_engine;
} sides[] = {
    {"gen7 rcs",    PARSER_GEN7,   PARSER_RCS,  GPUCMD_I915_GEN7,   GPUCMD_I915_RCS },
    {"gen7 vcs",    PARSER_GEN7,   PARSER_VCS,  GPUCMD_I915_GEN7,   GPUCMD_I915_VCS },
    {"gen7 bcs",    PARSER_GEN7,   PARSER_BCS,  GPUCMD_I915_GEN7,   GPUCMD_I915_BCS },
    {"gen7.5 rcs",  PARSER_GEN7_5, PARSER_RCS,  GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS },
    {"gen7.5 vcs",  PARSER_GEN7_5, PARSER_VCS,  GPUCMD_I915_GEN7_5, GPUCMD_I915_VCS },
    {"gen7.5 bcs",  PARSER_GEN7_5, PARSER_BCS,  GPUCMD_I915_GEN7_5, GPUCMD_I915_BCS },
    {"gen7.5 vecs", PARSER_GEN7_5, PARSER_VECS, GPUCMD_I915_GEN7_5, GPUCMD_I915_VECS},
    {"gen9 bcs",    PARSER_GEN9,   PARSER_BCS,  GPUCMD_I915_GEN9,   GPUCMD_I915_BCS },
};
enum { SIDES = sizeof sides / sizeof sides[0], SHOWN = 5, END = 0x05000000 };

static uint32_t words[PARSER_WORDS];
static uint32_t n;
static uint64_t va;
static uint64_t state;

static uint32_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Return true in one of k cases. */
static bool one_in(uint32_t k)
{
    return rnd() % k == 0;
}

static void put(uint32_t word)
{
    if (n < PARSER_WORDS) {
        words[n++] = word;
    }
}

/* Registers: near those of counters, general registers, workarounds; or any. */
static uint32_t some_register(void)
{
    static const struct {
        uint32_t from, words;
    } near[] = {
        {0x2280,  8 },
        {0x22f0,  40},
        {0x2350,  8 },
        {0x23a0,  8 },
        {0x23f8,  20},
        {0x2428,  8 },
        {0x24f8,  6 },
        {0x25f8,  36},
        {0x4350,  6 },
        {0x51f8,  40},
        {0x5278,  8 },
        {0xb008,  6 },
        {0xb01c,  10},
        {0xe498,  4 },
        {0x22350, 6 },
        {0x221f8, 4 },
        {0x223a0, 6 },
        {0x225f8, 36},
        {0x20c0,  1 },
        {0x2030,  4 },
        {0x12350, 6 },
    };
    const uint32_t i = rnd() % (sizeof near / sizeof near[0] + 2);
    uint32_t reg = rnd();
    if (i < sizeof near / sizeof near[0]) {
        reg = near[i].from + 4 * (rnd() % near[i].words);
    } else if (i == sizeof near / sizeof near[0]) {
        reg &= 0x3fffc;
    }
    return one_in(20) ? reg ^ 1u << rnd() % 32 : reg;
}

static uint32_t some_value(void)
{
    switch (rnd() % 5) {
    case 0: return 0;
    case 1: return 1u << rnd() % 32;
    case 2: return 0x08000000;
    case 3: return 0x00400040;
    default: return rnd();
    }
}

/* Return a first word without its length: of MI, of 3D and media, of 2D, or any word. */
static uint32_t some_command(void)
{
    static const uint16_t gfx[] = {0x7000, 0x7001, 0x7104, 0x7105, 0x7100, 0x7200, 0x7600, 0x6104,
                                   0x6904, 0x680b, 0x690b, 0x6a1f, 0x7917, 0x7918, 0x7a00, 0x7a01,
                                   0x7839, 0x783a, 0x7843, 0x7844, 0x7845, 0x7846, 0x7847, 0x7842};
    uint32_t head = 0;
    switch (rnd() % 16) {
    case 0:
    case 1: head = (uint32_t)gfx[rnd() % (sizeof gfx / sizeof gfx[0])] << 16; break;
    case 2: head = 0x60000000 | (rnd() & 0x1fff0000); break;
    case 3: head = 0x40000000 | (rnd() & 0x1fc00000); break;
    case 4: head = one_in(8) ? rnd() : 0x11000000; break;
    case 5: head = 0x18800100; break;
    case 6: head = one_in(4) ? (rnd() & 0xe0000000) | (rnd() % 64) << 23 : 0x15000000; break;
    default: head = (rnd() % 64) << 23; break;
    }
    if (one_in(6)) {
        head ^= 1u << (6 + rnd() % 17);
    }
    return head;
}

/* Append the target of a jump: a word of this batch, or near it, or anything. */
static void put_target(void)
{
    uint64_t to = va + 4 * (uint64_t)(rnd() % (n + 4));
    to += one_in(8) ? rnd() % 4 : 0;
    to -= one_in(16) ? 4 * (uint64_t)(rnd() % 4) : 0;
    to = one_in(2) ? (uint64_t)((int64_t)(to << 16) >> 16) : to;
    to ^= one_in(16) ? (uint64_t)1 << rnd() % 64 : 0;
    put((uint32_t)to);
    put((uint32_t)(to >> 32));
}

static void put_command(void)
{
    uint32_t head = some_command();
    uint32_t field = rnd() % 6;
    if (one_in(16)) {
        field |= 1u << rnd() % 11; /* a field may be wider, or narrower, than it should be */
    } else if (one_in(2000)) {
        field = rnd() & 0xffff;
    }
    uint32_t data = field + 1;
    if (head >> 23 == 0x31 && !one_in(4)) {
        put(head | 1);
        put_target();
        return;
    }
    switch (rnd() % 6) {
    case 0: data = 0; break;
    case 1: data = 2; break;
    case 2: data = 3; break;
    default: break;
    }
    if (one_in(3) && head >> 29 == 0 && head >> 23 < 0x10) {
        data = 0;
    } else {
        head |= field;
    }
    put(head);
    for (uint32_t i = 0; i < data && i < 16; i++) {
        put(one_in(3) ? some_value() : some_register());
    }
    if (data > 16 && one_in(2)) { /* a long command in a long batch */
        memset(words + n, 0, (PARSER_WORDS - n) * sizeof words[0]);
        n = n + data < PARSER_WORDS ? n + data - 16 : PARSER_WORDS;
    }
}

static void make_batch(void)
{
    const uint32_t commands = 1 + rnd() % 5;
    n = 0;
    va = (uint64_t)(rnd() & 0xffff) << 32 | (rnd() & 0xfffff000);
    va = one_in(2) ? va & 0xffffffff : va;
    for (uint32_t i = 0; i < commands; i++) {
        put_command();
    }
    if (!one_in(12)) {
        put(one_in(12) ? END | 1u << rnd() % 26 : END);
    }
    if (one_in(12)) {
        put_command();
    }
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    uint64_t verdicts[SIDES][3] = {{0}};
    uint64_t differ[SIDES] = {0};
    gpucmd_i915_cmdset cmdsets[SIDES];
    bool good = true;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 0x9e3779b97f4a7c15;
    if (upstream_init() != 0) {
        printf("FAIL: parser: the driver rejects its tables\n");
        return 1;
    }
    for (uint32_t i = 0; i < SIDES; i++) {
        if (gpucmd_i915_cmdset_init(&cmdsets[i], sides[i].our_gen, sides[i].our_engine) !=
            GPUCMD_OK) {
            return 1;
        }
    }
    for (uint64_t k = 0; k < count; k++) {
        const uint32_t s = (uint32_t)(k % SIDES);
        make_batch();
        const int theirs = upstream_parse(sides[s].gen, sides[s].engine, words, n, va);
        const int ours = gpucmd_i915_parse(&cmdsets[s], words, 4 * (uint64_t)n, va, NULL);
        verdicts[s][theirs == 0 ? 0 : theirs == -GPUCMD_SYS_EACCES ? 1 : 2]++;
        if (ours != theirs && differ[s]++ < SHOWN) {
            printf("    %s, driver %d, gpucmd %d, at 0x%llx:", sides[s].name, theirs, ours,
                   (unsigned long long)va);
            for (uint32_t i = 0; i < n && i < 32; i++) {
                printf(" %08x", (unsigned)words[i]);
            }
            printf("\n");
        }
    }
    printf("%-12s %10s %10s %10s %10s\n", "parser", "allowed", "EACCES", "EINVAL", "differ");
    for (uint32_t i = 0; i < SIDES; i++) {
        const uint64_t *v = verdicts[i];
        const uint64_t all = v[0] + v[1] + v[2];
        printf("%-12s %10llu %10llu %10llu %10llu\n", sides[i].name, (unsigned long long)v[0],
               (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)differ[i]);
        /* A side whose batches are nearly all rejected would compare nothing. */
        if (differ[i] != 0 || v[0] < all / 20 || v[1] < all / 50 || v[2] < all / 20) {
            good = false;
            printf("FAIL: parser: %s\n", sides[i].name);
        }
    }
    return good ? 0 : 1;
}

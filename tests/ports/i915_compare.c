/* Compare each port with the function of the driver: the same arguments must give the same words.
 *   i915_compare [CASES]
 * Prints a row for each function: generations, calls with equal words, with other words, refused,
 * then the closing line of a test. */
#include "ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct port_row {
    const char *name;
    int (*upstream)(const port_case *c, uint32_t *out);
    int (*port)(const port_case *c, uint32_t *out);
    unsigned first, last, engines;
} port_row;

#define ROW(name, first, last, engines) {#name, upstream_##name, port_##name, first, last, engines},
#define RECIPE(name, first, last, engines)                                                         \
    {"recipe of " #name, upstream_##name, recipe_##name, first, last, engines},
static const port_row rows[] = {PORTS(ROW)
#if LINUX >= 700
                                    PORT_RECIPES(RECIPE)
#endif
};
#undef RECIPE
#undef ROW

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Arguments as the driver passes them: addresses aligned and inside the address space. */
static port_case make(unsigned gen10, unsigned engine)
{
    port_case c;
    memset(&c, 0, sizeof c);
    c.version = LINUX;
    c.gen10 = gen10;
    c.engine = engine;
    c.instance = engine == PORT_RCS || gen10 < 110 ? 0 : rnd() % 4;
    c.flat_ccs = gen10 == 125 && (LINUX >= 700 || rnd() % 4 != 0);
    c.kbl_b0 = gen10 == 90 && rnd() % 8 == 0;
    c.gsi_offset = gen10 == 127 && (engine == PORT_VCS || engine == PORT_VECS) ? 0x380000 : 0;
    c.guc = rnd() % 4 == 0;
    c.semaphores = gen10 >= 80 && rnd() % 2 == 0;
    c.secure = rnd() % 2 == 0;
    c.pinned = rnd() % 2 == 0;
    c.noarb = rnd() % 4 == 0;
    c.lmem = rnd() % 2 == 0;
    c.write_back = rnd() % 2 == 0;
    c.invalidate = !c.write_back || rnd() % 2 == 0;
    c.seqno = rnd();
    c.hwsp_va = rnd() & 0xfffff000 & ~0x20u;
    c.scratch_va = rnd() & 0xfffff000;
    c.state_va = rnd() & 0x7ffff000;
    c.status_va = rnd() & 0xfffff000;
    c.value = rnd();
    c.count = rnd();
    c.seed = rnd();
    c.dst = rnd() & 0xfffff000;
    c.src = rnd() & 0xfffff000;
    c.size_bytes = (rnd() % 63 + 1) * 0x1000 << (rnd() % 3);
    c.va = gen10 < 80 ? rnd() & ~7u : ((uint64_t)rnd() << 32 | (rnd() & ~7u)) & 0x7fffffffffff;
    return c;
}

static void show(const port_row *r, const port_case *c, const uint32_t *want, int want_dw,
                 const uint32_t *got, int got_dw)
{
    printf("FAIL: %s gen %u engine %u.%u: driver %d words, port %d\n", r->name, c->gen10, c->engine,
           c->instance, want_dw, got_dw);
    for (int i = 0; i < want_dw || i < got_dw; i++) {
        const bool differs = i >= want_dw || i >= got_dw || want[i] != got[i];
        if (differs) {
            printf("  word %d: driver %08" PRIx32 ", port %08" PRIx32 "\n", i,
                   i < want_dw ? want[i] : 0, i < got_dw ? got[i] : 0);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static const unsigned gens[] = {20, 30, 40, 45, 50, 60, 70, 75, 80, 90, 110, 120, 125, 127};
    static uint32_t want[PORT_MAX_DW], got[PORT_MAX_DW];
    const unsigned cases = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    unsigned passed = 0, failed = 0;
    printf("%-42s %-11s %7s %9s %7s\n", "function", "generations", "same", "differing", "refused");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        unsigned same = 0, differ = 0, refused = 0;
        for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
            for (unsigned e = 0; e < PORT_ENGINES; e++) {
                const bool has = gens[g] >= rows[r].first && gens[g] <= rows[r].last &&
                                 (rows[r].engines >> e & 1) != 0;
                for (unsigned i = 0; has && i < cases; i++) {
                    const port_case c = make(gens[g], e);
                    const int n = rows[r].upstream(&c, want), m = rows[r].port(&c, got);
                    if (n < 0) {
                        continue; /* a batch over 256 KiB on gen2 */
                    }
                    const bool equal = n == m && memcmp(want, got, (size_t)n * sizeof *want) == 0;
                    if (!equal && differ + refused == 0) {
                        show(&rows[r], &c, want, n, got, m);
                    }
                    same += equal;
                    refused += !equal && m == PORT_REFUSED;
                    differ += !equal && m != PORT_REFUSED;
                }
            }
        }
        printf("%-42s %4u to %3u %7u %9u %7u\n", rows[r].name, rows[r].first, rows[r].last, same,
               differ, refused);
        passed += same;
        failed += differ + refused;
    }
    printf("ports: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}

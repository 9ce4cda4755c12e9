/* Compare each port with the function of the nouveau driver: the same arguments must give the same
 * words.
 *   nouveau_compare [CASES]
 * Prints a row for each function: calls with equal words, with other words, refused; then the
 * closing line of a test. */
#include "nouveau_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nv_row {
    const char *name;
    int (*upstream)(const nv_case *c, uint32_t *out);
    int (*port)(const nv_case *c, uint32_t *out);
} nv_row;

#define ROW(name) {#name, upstream_##name, port_##name},
static const nv_row rows[] = {NV_PORTS(ROW)};
#undef ROW

static uint64_t state = 0x2545f4914f6cdd1d;
static uint32_t want[NV_PORT_MAX_DW], got[NV_PORT_MAX_DW], bits[16384];

static uint32_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Arguments as the driver passes them: addresses of 40 bits, sizes of screens. */
static nv_case make(void)
{
    nv_case c;
    memset(&c, 0, sizeof c);
    c.src_va = ((uint64_t)rnd() << 32 | rnd()) & 0xfffffff000;
    c.dst_va = ((uint64_t)rnd() << 32 | rnd()) & 0xfffffff000;
    c.src_page = rnd() & 0xfffff;
    c.dst_page = rnd() & 0xfffff;
    c.pages = rnd() % 20000 + 1;
    c.handle = rnd();
    c.vram = rnd();
    c.notify = rnd();
    c.seqno = rnd();
    c.src_tiled = rnd() % 2 == 0;
    c.dst_tiled = rnd() % 2 == 0;
    c.src_gart = rnd() % 2 == 0;
    c.dst_gart = rnd() % 2 == 0;
    c.copy_rop = rnd() % 2 == 0;
    c.true_color = rnd() % 2 == 0;
    c.color = rnd();
    c.x = rnd() % 4096;
    c.y = rnd() % 4096;
    c.x2 = rnd() % 4096;
    c.y2 = rnd() % 4096;
    c.width = rnd() % 512 + 1;
    c.height = rnd() % 512 + 1;
    c.bits = bits;
    return c;
}

static void show(const nv_row *r, int want_dw, int got_dw)
{
    int i = 0;
    while (i < want_dw && i < got_dw && want[i] == got[i]) {
        i++;
    }
    printf("FAIL: %s: driver %d words, port %d; word %d: driver %08" PRIx32 ", port %08" PRIx32
           "\n",
           r->name, want_dw, got_dw, i, want[i], got[i]);
}

#if LINUX < 700
/* Compare jumps of a ring. Return the number of jumps that differ. */
static unsigned compare_jumps(unsigned cases)
{
    unsigned differ = 0;
    for (unsigned i = 0; i < cases; i++) {
        const uint32_t va = rnd() & 0x1ffffffc;
        differ += upstream_nouveau_dma_wait(va) != port_nouveau_dma_wait(va);
    }
    return differ;
}

/* Compare entries of the ring of segments. Return the number of entries that differ. */
static unsigned compare_entries(unsigned cases)
{
    unsigned differ = 0;
    for (unsigned i = 0; i < cases; i++) {
        const uint64_t va = ((uint64_t)rnd() << 32 | rnd()) & 0xfffffffffc;
        const uint32_t len_bytes = (rnd() & 0xffff) * 4 + 4;
        upstream_nv50_dma_push(va, len_bytes, want);
        port_nv50_dma_push(va, len_bytes, got);
        differ += memcmp(want, got, 8) != 0;
    }
    return differ;
}
#endif

int main(int argc, char **argv)
{
    const unsigned cases = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
    unsigned passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        bits[i] = rnd();
    }
    printf("%-32s %7s %9s %7s\n", "function", "same", "differing", "refused");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        unsigned same = 0, differ = 0, refused = 0;
        for (unsigned i = 0; i < cases; i++) {
            const nv_case c = make();
            const int n = rows[r].upstream(&c, want), m = rows[r].port(&c, got);
            const bool equal = n == m && n > 0 && memcmp(want, got, (size_t)n * sizeof *want) == 0;
            if (!equal && differ + refused == 0) {
                show(&rows[r], n, m);
            }
            same += equal;
            refused += !equal && m == NV_PORT_REFUSED;
            differ += !equal && m != NV_PORT_REFUSED;
        }
        printf("%-32s %7u %9u %7u\n", rows[r].name, same, differ, refused);
        passed += same;
        failed += differ + refused;
    }
#if LINUX < 700
    const unsigned differ[2] = {compare_entries(cases), compare_jumps(cases)};
    for (int i = 0; i < 2; i++) {
        printf("%-32s %7u %9u %7u\n", i == 0 ? "nv50_dma_push" : "nouveau_dma_wait",
               cases - differ[i], differ[i], 0u);
        passed += cases - differ[i];
        failed += differ[i];
    }
#endif
    printf("ports: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}

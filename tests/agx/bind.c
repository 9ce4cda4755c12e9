/* agx/bind.c - the address space: splitting, merging, holes, single pages, against a plain array of
 * pages; hundred thousand random operations, with the depth of the tree bounded. */
#include "gpucmd_agx.h"
#include "agx/agx.h"

#define PAGE  0x4000u
#define RW    (R | W)
#define R     ((uint32_t)GPUCMD_ACCESS_READ)
#define W     ((uint32_t)GPUCMD_ACCESS_WRITE)
#define SAME  0x100u /* in the flags of bind: GPUCMD_MAP_SINGLE_PAGE */
#define NODES 70000u

static gpucmd_map nodes[NODES];
static gpucmd_maps maps;
static gpucmd_space space;

static void setup(uint32_t cap)
{
    gpucmd_maps_init(&maps, nodes, cap);
    maps.page_bytes = PAGE;
    gpucmd_space_init(&space, 1);
}

static gpucmd_status bind(uint64_t page, uint64_t count, uint32_t handle, uint64_t first,
                          uint32_t flags)
{
    gpucmd_map m;
    memset(&m, 0, sizeof m);
    m.va = page * PAGE;
    m.bytes = count * PAGE;
    m.object = handle;
    m.offset = first * PAGE;
    m.access_mask = flags & ~SAME;
    m.flags = (flags & SAME) != 0 ? GPUCMD_MAP_SINGLE_PAGE : 0;
    return gpucmd_space_bind(&maps, &space, &m);
}

static gpucmd_status unbind(uint64_t page, uint64_t count)
{
    return gpucmd_space_unbind(&maps, &space, page * PAGE, count * PAGE);
}

/* All mappings in order of address: "first+count h<handle>@<offset>" in pages, r w s for rights. */
static const char *listing(void)
{
    static char buf[4096];
    const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0);
    uint32_t n = 0;
    buf[0] = '\0';
    for (; m != NULL; m = gpucmd_space_find(&maps, &space, m->va + m->bytes)) {
        sprintf(buf + strlen(buf), "%u+%u h%u@%u%s%s%s\n", (unsigned)(m->va / PAGE),
                (unsigned)(m->bytes / PAGE), (unsigned)m->object, (unsigned)(m->offset / PAGE),
                m->access_mask & R ? " r" : "", m->access_mask & W ? " w" : "",
                m->flags & GPUCMD_MAP_SINGLE_PAGE ? " s" : "");
        n++;
    }
    EQUAL(n, maps.count);
    return buf;
}

static void cuts_and_joins(void)
{
    setup(16);
    EQUAL(bind(10, 10, 1, 0, RW), GPUCMD_OK);
    TEXT(listing(), "10+10 h1@0 r w\n");
    /* a bind in the middle: left and right parts keep their offsets */
    EQUAL(bind(13, 2, 2, 5, R), GPUCMD_OK);
    TEXT(listing(), "10+3 h1@0 r w\n13+2 h2@5 r\n15+5 h1@5 r w\n");
    /* the same memory bound back: one mapping again */
    EQUAL(bind(13, 2, 1, 3, RW), GPUCMD_OK);
    TEXT(listing(), "10+10 h1@0 r w\n");
    /* neighbours that do not continue stay apart: offset, object, rights */
    EQUAL(bind(20, 1, 1, 11, RW), GPUCMD_OK);
    EQUAL(bind(9, 1, 3, 0, RW), GPUCMD_OK);
    EQUAL(bind(21, 1, 1, 12, W), GPUCMD_OK);
    TEXT(listing(), "9+1 h3@0 r w\n10+10 h1@0 r w\n20+1 h1@11 r w\n21+1 h1@12 w\n");
    /* unbind over several, sticking out on both sides */
    EQUAL(unbind(12, 9), GPUCMD_OK);
    TEXT(listing(), "9+1 h3@0 r w\n10+2 h1@0 r w\n21+1 h1@12 w\n");
    EQUAL(unbind(11, 20), GPUCMD_OK);
    TEXT(listing(), "9+1 h3@0 r w\n10+1 h1@0 r w\n");
    EQUAL(unbind(0, 9), GPUCMD_OK); /* no mapping there: no failure */
    EQUAL(unbind(11, 1000), GPUCMD_OK);
    EQUAL(unbind(0, 1000), GPUCMD_OK);
    TEXT(listing(), "");
    /* a hole leaves two parts */
    EQUAL(bind(0, 9, 4, 100, RW), GPUCMD_OK);
    EQUAL(unbind(4, 1), GPUCMD_OK);
    TEXT(listing(), "0+4 h4@100 r w\n5+4 h4@105 r w\n");
}

static void single_page(void)
{
    uint32_t handle = 0;
    uint64_t offset = 0;
    setup(16);
    EQUAL(bind(10, 8, 7, 3, RW | SAME), GPUCMD_OK);
    EQUAL(unbind(12, 2), GPUCMD_OK);
    TEXT(listing(), "10+2 h7@3 r w s\n14+4 h7@3 r w s\n"); /* parts stay on that page */
    EQUAL(bind(12, 2, 7, 3, RW | SAME), GPUCMD_OK);
    TEXT(listing(), "10+8 h7@3 r w s\n");
    EQUAL(gpucmd_agx_space_translate(&maps, &space, 17 * PAGE + 5, 1, &handle, &offset),
          GPUCMD_AGX_FAULT_NONE);
    EQUAL(handle, 7);
    EQUAL(offset, 3 * PAGE + 5);
}

static void translations(void)
{
    uint32_t handle = 99;
    uint64_t offset = 99;
    setup(16);
    EQUAL(bind(1, 2, 1, 4, R), GPUCMD_OK);
    EQUAL(bind(3, 1, 2, 0, W), GPUCMD_OK);
#define GOES(va, access) gpucmd_agx_space_translate(&maps, &space, (va), (access), &handle, &offset)
    EQUAL(GOES(PAGE - 1, 1), GPUCMD_AGX_FAULT_UNMAPPED);
    EQUAL(GOES(4 * PAGE, 1), GPUCMD_AGX_FAULT_UNMAPPED);
    EQUAL(GOES(PAGE, GPUCMD_ACCESS_WRITE), GPUCMD_AGX_FAULT_READ_ONLY);
    EQUAL(GOES(3 * PAGE, GPUCMD_ACCESS_READ), GPUCMD_AGX_FAULT_WRITE_ONLY);
    EQUAL(handle, 99);
    EQUAL(offset, 99);
    EQUAL(GOES(2 * PAGE + 17, GPUCMD_ACCESS_READ), GPUCMD_AGX_FAULT_NONE);
    EQUAL(handle, 1);
    EQUAL(offset, 5 * PAGE + 17);
    EQUAL(GOES(3 * PAGE, GPUCMD_ACCESS_WRITE), GPUCMD_AGX_FAULT_NONE);
    EQUAL(handle, 2);
}

/* If the table is full, a bind fails and changes nothing. */
static void full_table(void)
{
    setup(2);
    EQUAL(bind(0, 10, 1, 0, RW), GPUCMD_OK);
    EQUAL(bind(20, 1, 1, 0, RW), GPUCMD_OK);
    EQUAL(bind(30, 1, 1, 0, RW), GPUCMD_FULL);
    TEXT(listing(), "0+10 h1@0 r w\n20+1 h1@0 r w\n");
    maps.cap = 3;
    EQUAL(bind(5, 1, 2, 0, RW), GPUCMD_FULL); /* a part on both sides: two more rows */
    TEXT(listing(), "0+10 h1@0 r w\n20+1 h1@0 r w\n");
    EQUAL(unbind(5, 1), GPUCMD_OK); /* one more node, and it is there */
    EQUAL(unbind(2, 1), GPUCMD_FULL);
    TEXT(listing(), "0+5 h1@0 r w\n6+4 h1@6 r w\n20+1 h1@0 r w\n");
    EQUAL(unbind(4, 1), GPUCMD_OK); /* up to the very end of one: no node needed */
    EQUAL(unbind(6, 1), GPUCMD_OK); /* nor from its very beginning */
    TEXT(listing(), "0+4 h1@0 r w\n7+3 h1@7 r w\n20+1 h1@0 r w\n");
    EQUAL(unbind(3, 5), GPUCMD_OK);
    EQUAL(unbind(20, 1), GPUCMD_OK);
    TEXT(listing(), "0+3 h1@0 r w\n8+2 h1@8 r w\n");
}

/* ---- against an array of pages ---- */

typedef struct page {
    uint32_t handle, flags;
    uint64_t offset;
} page;

#define SMALL 64u

static void same_as_pages(const page *want, unsigned count)
{
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        uint32_t handle = 0;
        uint64_t offset = 0;
        const gpucmd_agx_fault f =
            gpucmd_agx_space_translate(&maps, &space, (uint64_t)i * PAGE + 9, 0, &handle, &offset);
        good = good && (f == GPUCMD_AGX_FAULT_NONE) == (want[i].handle != 0);
        good = good &&
               (want[i].handle == 0 || (handle == want[i].handle && offset == want[i].offset + 9));
    }
    CHECK(good);
}

/* Mappings in order, apart from each other, none that continues the one before. */
static void tidy(void)
{
    const gpucmd_map *last = NULL;
    bool good = true;
    uint32_t n = 0;
    for (const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0); m != NULL;
         m = gpucmd_space_find(&maps, &space, m->va + m->bytes)) {
        good = good && m->bytes != 0 && (last == NULL || last->va + last->bytes <= m->va);
        n++;
        last = m;
    }
    CHECK(good && n == maps.count);
}

static void random_small(void)
{
    page want[SMALL];
    for (int round = 0; round < 40; round++) {
        setup(2 * SMALL);
        memset(want, 0, sizeof want);
        for (int step = 0; step < 200; step++) {
            const uint32_t first = test_random(SMALL);
            const uint32_t count = 1 + test_random(SMALL - first);
            if (test_random(3) == 0) {
                EQUAL(unbind(first, count), GPUCMD_OK);
                memset(&want[first], 0, count * sizeof want[0]);
            } else {
                const uint32_t handle = 1 + test_random(2);
                const uint32_t offset = test_random(3) == 0 ? first : test_random(8);
                const uint32_t flags = RW | (test_random(4) == 0 ? SAME : 0);
                EQUAL(bind(first, count, handle, offset, flags), GPUCMD_OK);
                for (uint32_t i = 0; i < count; i++) {
                    want[first + i].handle = handle;
                    want[first + i].flags = flags;
                    want[first + i].offset =
                        (uint64_t)(offset + ((flags & SAME) != 0 ? 0 : i)) * PAGE;
                }
            }
            same_as_pages(want, SMALL);
        }
        tidy();
    }
}

/* Longest way from the root to a node, without recursion: the way to each mapping is walked. */
static unsigned depth(void)
{
    unsigned deepest = 0;
    for (const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0); m != NULL;
         m = gpucmd_space_find(&maps, &space, m->va + m->bytes)) {
        unsigned d = 1;
        for (uint32_t at = space.root; &nodes[at - 1] != m; d++) {
            at = nodes[at - 1].child[nodes[at - 1].va < m->va ? 1 : 0];
        }
        deepest = d > deepest ? d : deepest;
    }
    return deepest;
}

/* The largest height of a tree of maps.count rows whose siblings differ by at most 1: the smallest
 * tree of height h has one row more than those of heights h - 1 and h - 2 together. */
static unsigned bound(void)
{
    unsigned h = 0;
    for (uint32_t smallest = 1, before = 0; smallest <= maps.count; h++) {
        const uint32_t next = smallest + before + 1;
        before = smallest;
        smallest = next;
    }
    return h;
}

/* Page number i of an order: ascending, descending, from both ends. */
static unsigned nth(unsigned order, unsigned i)
{
    return 2 * (order == 0 ? i : order == 1 ? 29999 - i : i % 2 == 0 ? i / 2 : 29999 - i / 2);
}

/* A hundred thousand operations, with random addresses and in the orders of nth. */
static void many(void)
{
    static page want[1 << 16];
    memset(want, 0, sizeof want);
    setup(NODES);
    for (unsigned step = 0; step < 100000; step++) {
        const uint32_t first = test_random((1 << 16) - 4);
        const uint32_t count = 1 + test_random(4);
        if (test_random(4) == 0) {
            EQUAL(unbind(first, count), GPUCMD_OK);
            memset(&want[first], 0, count * sizeof want[0]);
        } else {
            const uint32_t handle = 1 + test_random(1000);
            EQUAL(bind(first, count, handle, first, RW), GPUCMD_OK);
            for (uint32_t i = 0; i < count; i++) {
                want[first + i].handle = handle;
                want[first + i].offset = (uint64_t)(first + i) * PAGE;
            }
        }
    }
    same_as_pages(want, 1 << 16);
    tidy();
    CHECK(maps.count > 10000);
    CHECK(depth() <= bound());
    EQUAL(unbind(0, 1 << 16), GPUCMD_OK);
    EQUAL(maps.count, 0);
    for (unsigned order = 0; order < 3; order++) {
        for (unsigned i = 0; i < 30000; i++) {
            EQUAL(bind(nth(order, i), 1, 1, 0, RW), GPUCMD_OK);
        }
        CHECK(depth() <= bound());
        for (unsigned i = 0; i < 29000; i++) { /* the last ones stay: one side of the tree */
            EQUAL(unbind(nth(order, i), 1), GPUCMD_OK);
        }
        CHECK(depth() <= bound());
        EQUAL(unbind(0, 1 << 16), GPUCMD_OK);
        EQUAL(maps.count, 0);
    }
}

/* Each row has the height of its tree, and the heights of its children differ by at most 1. */
static bool balanced(void)
{
    bool good = true;
    for (const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0); m != NULL;
         m = gpucmd_space_find(&maps, &space, m->va + m->bytes)) {
        uint32_t h[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            if (m->child[i] != 0) {
                h[i] = nodes[m->child[i] - 1].height;
                good = good && (nodes[m->child[i] - 1].va < m->va) == (i == 0);
            }
        }
        good = good && m->height == 1 + (h[0] > h[1] ? h[0] : h[1]);
        good = good && h[0] <= h[1] + 1 && h[1] <= h[0] + 1;
    }
    return good && depth() <= bound();
}

/* Seven mappings in each of their 5040 orders, removed in the same order and in another. */
static void orders(void)
{
    for (unsigned order = 0; order < 5040; order++) {
        unsigned pages[7], left[7] = {0, 1, 2, 3, 4, 5, 6};
        bool good = true;
        for (unsigned i = 0, rest = order; i < 7; rest /= 7 - i, i++) {
            const unsigned at = rest % (7 - i);
            pages[i] = left[at];
            memmove(&left[at], &left[at + 1], (6 - at) * sizeof left[0]);
        }
        setup(16);
        for (unsigned i = 0; i < 7; i++) {
            EQUAL(bind(2 * pages[i], 1, pages[i] + 1, 0, RW), GPUCMD_OK);
            good = good && balanced();
        }
        EQUAL(maps.used, 7);
        for (unsigned i = 0; i < 7; i++) {
            const unsigned at = order % 2 == 0 ? i : (i * 3 + order) % 7;
            EQUAL(unbind(2 * pages[at], 1), GPUCMD_OK);
            good = good && balanced() && maps.count == 6 - i;
        }
        CHECK(good);
        EQUAL(space.root, 0);
    }
}

/* Two spaces in one table do not touch each other. */
static void two_spaces(void)
{
    gpucmd_space other;
    gpucmd_map m;
    uint32_t handle = 0;
    uint64_t offset = 0;
    setup(8);
    gpucmd_space_init(&other, 2);
    memset(&m, 0, sizeof m);
    m.va = PAGE;
    m.bytes = PAGE;
    m.object = 8;
    m.access_mask = RW;
    EQUAL(gpucmd_space_bind(&maps, &other, &m), GPUCMD_OK);
    EQUAL(bind(1, 1, 1, 0, RW), GPUCMD_OK);
    EQUAL(unbind(0, 100), GPUCMD_OK);
    EQUAL(gpucmd_agx_space_translate(&maps, &other, PAGE, 3, &handle, &offset),
          GPUCMD_AGX_FAULT_NONE);
    EQUAL(handle, 8);
    EQUAL(gpucmd_agx_space_translate(&maps, &space, PAGE, 3, &handle, &offset),
          GPUCMD_AGX_FAULT_UNMAPPED);
}

int main(void)
{
    cuts_and_joins();
    single_page();
    translations();
    full_table();
    random_small();
    many();
    orders();
    two_spaces();
    return test_report("agx_bind");
}

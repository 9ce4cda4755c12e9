/* core/space.c - GPU address spaces: single cases, the shape of the tree after sequences that would
 * unbalance it, and random operations compared with an array that has an entry for every page. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

enum {
    R = GPUCMD_ACCESS_READ,
    W = GPUCMD_ACCESS_WRITE,
    X = GPUCMD_ACCESS_EXEC,
    ONE = GPUCMD_MAP_SINGLE_PAGE,
    PAGE = 0x1000,
    ROWS = 4096,
};

static gpucmd_map rows[ROWS];
static gpucmd_maps maps;
static gpucmd_space space;
static uint32_t heads[16][3]; /* [object - 1][1]: the list of the object */

static void start(uint32_t cap)
{
    memset(rows, 0xa5, sizeof rows);
    memset(&maps, 0xa5, sizeof maps);
    memset(&space, 0xa5, sizeof space);
    memset(heads, 0, sizeof heads);
    gpucmd_maps_init(&maps, rows, cap);
    gpucmd_space_init(&space, 7);
}

static void with_lists(void)
{
    maps.heads = &heads[0][1];
    maps.head_stride = sizeof heads[0];
    maps.head_count = 16;
}

static gpucmd_status bind_all(uint64_t va, uint64_t bytes, uint32_t object, uint64_t offset,
                              uint32_t access_mask, uint32_t tag, uint32_t flags)
{
    gpucmd_map m;
    memset(&m, 0x5a, sizeof m);
    m.va = va;
    m.bytes = bytes;
    m.object = object;
    m.offset = offset;
    m.access_mask = access_mask;
    m.tag = tag;
    m.flags = flags;
    m.user[0] = object + 100;
    return gpucmd_space_bind(&maps, &space, &m);
}

static gpucmd_status bind(uint64_t va, uint64_t bytes, uint32_t object, uint64_t offset)
{
    return bind_all(va, bytes, object, offset, R | W, 0, 0);
}

/* ---- invariants ----------------------------------------------------------------------------- */

static uint32_t counted; /* mappings seen by check_tree */

/* Check the subtree of row id, which has parent up. Return its height. */
static uint32_t check_tree(uint32_t id, uint32_t up, uint64_t *low, uint64_t *high)
{
    const gpucmd_map *m = &rows[id - 1];
    uint32_t height[2] = {0, 0};
    uint64_t hole = 0, a, b;
    bool good = m->up == up && m->bytes != 0;
    counted++;
    *low = m->va;
    *high = m->va + m->bytes;
    if (m->child[0] != 0) {
        height[0] = check_tree(m->child[0], id, &a, &b);
        good = good && b <= m->va;
        hole = m->va - b > rows[m->child[0] - 1].hole ? m->va - b : rows[m->child[0] - 1].hole;
        *low = a;
    }
    if (m->child[1] != 0) {
        height[1] = check_tree(m->child[1], id, &a, &b);
        good = good && a >= m->va + m->bytes;
        hole = a - (m->va + m->bytes) > hole ? a - (m->va + m->bytes) : hole;
        hole = rows[m->child[1] - 1].hole > hole ? rows[m->child[1] - 1].hole : hole;
        *high = b;
    }
    good = good && height[0] + 1 >= height[1] && height[1] + 1 >= height[0];
    height[0] = 1 + (height[0] > height[1] ? height[0] : height[1]);
    CHECK(good && m->height == height[0] && m->low == *low && m->high == *high && m->hole == hole);
    return height[0];
}

/* Check the tree of a space, and that the mappings in order are what gpucmd_space_next returns.
 * Return the height. The height of n mappings is at most 2 * log2(n + 1). */
static uint32_t check_space(const gpucmd_space *s)
{
    uint64_t low, high;
    uint32_t log2 = 0, n = 0;
    counted = 0;
    const uint32_t height = s->root != 0 ? check_tree(s->root, 0, &low, &high) : 0;
    const gpucmd_map *m = gpucmd_space_find(&maps, s, 0);
    uint64_t end = 0;
    for (; m != NULL; m = gpucmd_space_next(&maps, m)) {
        CHECK(m->va >= end && m->space == s->id);
        end = m->va + m->bytes;
        n++;
    }
    EQUAL(n, counted);
    while ((n + 1) >> (log2 + 1) != 0) {
        log2++;
    }
    CHECK(height <= 2 * (log2 + 1));
    return height;
}

static void check_one(void)
{
    check_space(&space);
    EQUAL(maps.count, counted);
}

/* Expect the mappings of the space, as text: "va+bytes object:offset" in pages, hexadecimal. */
static void shape(const char *want, int line)
{
    char text[400] = "";
    size_t n = 0;
    const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0);
    for (; m != NULL; m = gpucmd_space_next(&maps, m)) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%llx+%llx %x:%llx", n != 0 ? ", " : "",
                              (unsigned long long)m->va / PAGE, (unsigned long long)m->bytes / PAGE,
                              m->object, (unsigned long long)m->offset / PAGE);
    }
    if (!test_check(strcmp(text, want) == 0, __FILE__, line, "shape")) {
        printf("    got \"%s\", expected \"%s\"\n", text, want);
    }
    check_one();
}
#define SHAPE(want) shape(want, __LINE__)

/* ---- bind, unbind --------------------------------------------------------------------------- */

static void replaces(void)
{
    start(16);
    SHAPE("");
    EQUAL(bind(8 * PAGE, 8 * PAGE, 1, 0), GPUCMD_OK);
    SHAPE("8+8 1:0");
    /* "parts of old mappings outside the range stay": both sides, left, right, whole */
    EQUAL(bind(0xa * PAGE, 2 * PAGE, 2, 0x40 * PAGE), GPUCMD_OK);
    SHAPE("8+2 1:0, a+2 2:40, c+4 1:4");
    EQUAL(bind(6 * PAGE, 3 * PAGE, 3, 0), GPUCMD_OK);
    SHAPE("6+3 3:0, 9+1 1:1, a+2 2:40, c+4 1:4");
    EQUAL(bind(0xf * PAGE, 2 * PAGE, 3, 9 * PAGE), GPUCMD_OK);
    SHAPE("6+3 3:0, 9+1 1:1, a+2 2:40, c+3 1:4, f+2 3:9");
    EQUAL(bind(7 * PAGE, 9 * PAGE, 4, 0), GPUCMD_OK);
    SHAPE("6+1 3:0, 7+9 4:0, 10+1 3:a");
    EQUAL(bind(7 * PAGE, 9 * PAGE, 5, 1), GPUCMD_OK);
    SHAPE("6+1 3:0, 7+9 5:0, 10+1 3:a");
    EQUAL(rows[0].user[0] != 0, true);
    EQUAL(gpucmd_space_find(&maps, &space, 7 * PAGE)->user[0], 105);
    /* address 0 may be bound, and the mapping before it is not searched */
    EQUAL(bind(0, PAGE, 1, 0), GPUCMD_OK);
    SHAPE("0+1 1:0, 6+1 3:0, 7+9 5:0, 10+1 3:a");
    /* the last byte below 2^64 - 1 */
    EQUAL(bind(~(uint64_t)0 - PAGE, PAGE, 1, 0), GPUCMD_OK);
    EQUAL(bind(~(uint64_t)0 - PAGE + 1, PAGE, 1, 0), GPUCMD_RANGE);
    EQUAL(bind(~(uint64_t)0, 1, 1, 0), GPUCMD_RANGE);
    EQUAL(bind(PAGE, 0, 1, 0), GPUCMD_RANGE);
    EQUAL(bind(0, ~(uint64_t)0, 1, 0), GPUCMD_OK);
    EQUAL(maps.count, 1);
    check_one();
}

static void merges(void)
{
    start(16);
    EQUAL(bind(4 * PAGE, PAGE, 1, 4 * PAGE), GPUCMD_OK);
    EQUAL(bind(6 * PAGE, PAGE, 1, 6 * PAGE), GPUCMD_OK);
    EQUAL(bind(5 * PAGE, PAGE, 1, 5 * PAGE), GPUCMD_OK); /* both sides */
    SHAPE("4+3 1:4");
    EQUAL(bind(3 * PAGE, PAGE, 1, 3 * PAGE), GPUCMD_OK);
    SHAPE("3+4 1:3");
    EQUAL(bind(7 * PAGE, PAGE, 1, 8 * PAGE), GPUCMD_OK); /* not contiguous */
    EQUAL(bind(2 * PAGE, PAGE, 2, 2 * PAGE), GPUCMD_OK); /* another object */
    SHAPE("2+1 2:2, 3+4 1:3, 7+1 1:8");
    EQUAL(bind_all(8 * PAGE, PAGE, 1, 9 * PAGE, R, 0, 0), GPUCMD_OK);       /* other rights */
    EQUAL(bind_all(9 * PAGE, PAGE, 1, 0xa * PAGE, R, 1, 0), GPUCMD_OK);     /* another tag */
    EQUAL(bind_all(0xa * PAGE, PAGE, 1, 0xb * PAGE, R, 1, ONE), GPUCMD_OK); /* other flags */
    EQUAL(bind_all(0xb * PAGE, PAGE, 1, 0xb * PAGE, R, 1, ONE), GPUCMD_OK); /* the same page */
    EQUAL(bind_all(0xc * PAGE, PAGE, 1, 0xc * PAGE, R, 1, ONE), GPUCMD_OK); /* another page */
    SHAPE("2+1 2:2, 3+4 1:3, 7+1 1:8, 8+1 1:9, 9+1 1:a, a+2 1:b, c+1 1:c");
    /* sparse mappings have no offset */
    EQUAL(bind(0x10 * PAGE, PAGE, 0, 0), GPUCMD_OK);
    EQUAL(bind(0x11 * PAGE, PAGE, 0, 0), GPUCMD_OK);
    SHAPE("2+1 2:2, 3+4 1:3, 7+1 1:8, 8+1 1:9, 9+1 1:a, a+2 1:b, c+1 1:c, 10+2 0:0");
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x10 * PAGE, PAGE), GPUCMD_OK);
    EQUAL(gpucmd_space_find(&maps, &space, 0x10 * PAGE)->offset, 0);
    /* a bind of what is there changes nothing */
    const gpucmd_map same = *gpucmd_space_find(&maps, &space, 3 * PAGE);
    EQUAL(gpucmd_space_bind(&maps, &space, &same), GPUCMD_OK);
    EQUAL(gpucmd_space_bind(&maps, &space, gpucmd_space_find(&maps, &space, 3 * PAGE)), GPUCMD_OK);
    SHAPE("2+1 2:2, 3+4 1:3, 7+1 1:8, 8+1 1:9, 9+1 1:a, a+2 1:b, c+1 1:c, 11+1 0:0");
}

static void unbinds(void)
{
    start(4);
    EQUAL(gpucmd_space_unbind(&maps, &space, PAGE, PAGE), GPUCMD_OK); /* an empty space */
    EQUAL(bind(0x10 * PAGE, 0x10 * PAGE, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x14 * PAGE, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_space_unbind(&maps, &space, ~(uint64_t)0, 1), GPUCMD_RANGE);
    EQUAL(gpucmd_space_unbind(&maps, &space, PAGE, ~(uint64_t)0), GPUCMD_RANGE);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x14 * PAGE, 4 * PAGE), GPUCMD_OK);
    SHAPE("10+4 1:0, 18+8 1:8");
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x1a * PAGE, PAGE), GPUCMD_OK);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x1c * PAGE, PAGE), GPUCMD_OK);
    SHAPE("10+4 1:0, 18+2 1:8, 1b+1 1:b, 1d+3 1:d");
    /* "GPUCMD_FULL: one mapping exceeds the range on both sides, and no row is free" */
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x11 * PAGE, PAGE), GPUCMD_FULL);
    SHAPE("10+4 1:0, 18+2 1:8, 1b+1 1:b, 1d+3 1:d");
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x13 * PAGE, 0xb * PAGE), GPUCMD_OK);
    SHAPE("10+3 1:0, 1e+2 1:e");
    /* "no row is free, or only one and an old mapping exceeds the range on both sides" */
    EQUAL(bind(0x40 * PAGE, PAGE, 2, 0), GPUCMD_OK);
    EQUAL(bind(0x11 * PAGE, PAGE, 2, 0), GPUCMD_FULL);
    EQUAL(bind(0x12 * PAGE, PAGE, 2, 0), GPUCMD_OK);
    SHAPE("10+2 1:0, 12+1 2:0, 1e+2 1:e, 40+1 2:0");
    EQUAL(bind(0x50 * PAGE, PAGE, 2, 0), GPUCMD_FULL);
    EQUAL(bind(0x10 * PAGE, 2 * PAGE, 1, 0), GPUCMD_FULL);
    SHAPE("10+2 1:0, 12+1 2:0, 1e+2 1:e, 40+1 2:0");
    EQUAL(gpucmd_space_unbind(&maps, &space, 0, 0x100 * PAGE), GPUCMD_OK);
    SHAPE("");
}

static void translates(void)
{
    gpucmd_place p = {9, 9, 9, 9};
    start(16);
    maps.page_bytes = 0x4000;
    EQUAL(bind_all(0x10000, 0x8000, 1, 0x100000, R, 3, 0), GPUCMD_OK);
    EQUAL(bind_all(0x20000, 0x10000, 2, 0x200000, R | W | 0x100, 3, ONE), GPUCMD_OK);
    EQUAL(bind_all(0x40000, 0x10000, 0, 0, R | W | X, 3, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_translate(&maps, &space, 0xffff, &p), GPUCMD_FAULT);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x18000, &p), GPUCMD_FAULT);
    EQUAL(gpucmd_space_translate(&maps, &space, ~(uint64_t)0, &p), GPUCMD_FAULT);
    CHECK(p.object == 9 && p.access_mask == 9 && p.offset == 9 && p.bytes == 9);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x12345, &p), GPUCMD_OK);
    CHECK(p.object == 1 && p.access_mask == R && p.offset == 0x102345 && p.bytes == 0x5cbb);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x17fff, &p), GPUCMD_OK);
    CHECK(p.offset == 0x107fff && p.bytes == 1);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x2d234, &p), GPUCMD_OK);
    CHECK(p.object == 2 && p.access_mask == (R | W | 0x100));
    CHECK(p.offset == 0x201234 && p.bytes == 0x4000 - 0x1234);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x40010, &p), GPUCMD_OK);
    CHECK(p.object == 0 && p.access_mask == (R | W | X) && p.offset == 0 && p.bytes == 0xfff0);
    /* a part of a mapping of one page stays on that page */
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x20000, 0x4000), GPUCMD_OK);
    EQUAL(gpucmd_space_translate(&maps, &space, 0x24008, &p), GPUCMD_OK);
    EQUAL(p.offset, 0x200008);
}

/* ---- lists of objects, removed parts -------------------------------------------------------- */

static char removed_text[600];

static void note(void *user, const gpucmd_map *m)
{
    const size_t n = strlen(removed_text);
    CHECK(user == &maps);
    snprintf(removed_text + n, sizeof removed_text - n, "%llx+%llx %x:%llx;",
             (unsigned long long)m->va / PAGE, (unsigned long long)m->bytes / PAGE, m->object,
             (unsigned long long)m->offset / PAGE);
}

static void tells(void)
{
    start(16);
    maps.removed = note;
    maps.removed_user = &maps;
    removed_text[0] = '\0';
    EQUAL(bind(0x10 * PAGE, 8 * PAGE, 1, 0), GPUCMD_OK);
    EQUAL(bind(0x18 * PAGE, 8 * PAGE, 2, 0), GPUCMD_OK);
    CHECK(strcmp(removed_text, "") == 0);
    EQUAL(bind(0x12 * PAGE, PAGE, 3, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x11 * PAGE, 9 * PAGE), GPUCMD_OK);
    CHECK(strcmp(removed_text, "12+1 1:2;11+1 1:1;12+1 3:0;13+5 1:3;18+2 2:0;") == 0);
    removed_text[0] = '\0';
    gpucmd_space_clear(&maps, &space);
    CHECK(strcmp(removed_text, "1a+6 2:2;10+1 1:0;") == 0 ||
          strcmp(removed_text, "10+1 1:0;1a+6 2:2;") == 0);
    SHAPE("");
}

/* Count the mappings of an object by its list. */
static uint32_t listed(uint32_t object)
{
    uint32_t n = 0;
    const gpucmd_map *m = gpucmd_maps_first(&maps, object);
    for (; m != NULL; m = gpucmd_maps_next(&maps, m)) {
        CHECK(m->object == object);
        n++;
    }
    return n;
}

static void lists(void)
{
    gpucmd_space other;
    start(64);
    EQUAL(bind(0x10 * PAGE, PAGE, 17, 0), GPUCMD_OK); /* without lists any object is valid */
    CHECK(gpucmd_maps_first(&maps, 17) == NULL);
    start(64);
    with_lists();
    gpucmd_space_init(&other, 8);
    EQUAL(bind(0x10 * PAGE, PAGE, 17, 0), GPUCMD_RANGE);
    EQUAL(bind(0x10 * PAGE, PAGE, 0, 0), GPUCMD_OK);
    CHECK(gpucmd_maps_first(&maps, 0) == NULL && gpucmd_maps_first(&maps, 17) == NULL);
    for (uint32_t i = 0; i < 8; i++) {
        EQUAL(bind(0x100 * PAGE + i * 2 * PAGE, PAGE, 16, i * PAGE), GPUCMD_OK);
        EQUAL(bind(0x200 * PAGE + i * 2 * PAGE, PAGE, 1 + i, 0), GPUCMD_OK);
    }
    EQUAL(listed(16), 8);
    const gpucmd_map *m = gpucmd_space_find(&maps, &space, 0x100 * PAGE);
    EQUAL(gpucmd_space_bind(&maps, &other, m), GPUCMD_OK);
    EQUAL(listed(16), 9);
    EQUAL(listed(3), 1);
    /* one divided mapping is two */
    EQUAL(bind(0x300 * PAGE, 3 * PAGE, 16, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x301 * PAGE, PAGE), GPUCMD_OK);
    EQUAL(listed(16), 11);
    gpucmd_space_unbind_object(&maps, &space, 16);
    EQUAL(listed(16), 1);
    EQUAL(gpucmd_maps_first(&maps, 16)->space, 8);
    EQUAL(maps.count, 10);
    check_space(&space);
    gpucmd_space_unbind_object(&maps, &other, 16);
    EQUAL(listed(16), 0);
    EQUAL(other.root, 0);
    gpucmd_space_unbind_object(&maps, &space, 17);
    gpucmd_space_unbind_object(&maps, &space, 4);
    EQUAL(listed(4), 0);
    EQUAL(listed(5), 1);
    gpucmd_space_clear(&maps, &space);
    EQUAL(maps.count, 0);
    for (uint32_t i = 0; i < 16; i++) {
        EQUAL(heads[i][1], 0);
        EQUAL(heads[i][0] | heads[i][2], 0);
    }
    /* without lists the whole space is searched */
    start(64);
    for (uint32_t i = 0; i < 20; i++) {
        EQUAL(bind(i * 2 * PAGE, PAGE, 1 + i % 2, 0), GPUCMD_OK);
    }
    gpucmd_space_unbind_object(&maps, &space, 2);
    EQUAL(maps.count, 10);
    check_one();
}

/* ---- free addresses ------------------------------------------------------------------------- */

static void holes(void)
{
    uint64_t va = 9;
    start(256);
    const gpucmd_hole any = {0x10 * PAGE, 0x100 * PAGE, 4 * PAGE, PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &any, &va), GPUCMD_OK);
    EQUAL(va, 0x10 * PAGE);
    EQUAL(bind(0xf * PAGE, 2 * PAGE, 1, 0), GPUCMD_OK);
    EQUAL(bind(0x14 * PAGE, PAGE, 1, 0), GPUCMD_OK);
    EQUAL(bind(0x19 * PAGE, 0x10 * PAGE, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_hole(&maps, &space, &any, &va), GPUCMD_OK);
    EQUAL(va, 0x15 * PAGE); /* 11+3 is too small, 15+4 fits exactly */
    const gpucmd_hole five = {0x10 * PAGE, 0x100 * PAGE, 5 * PAGE, PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &five, &va), GPUCMD_OK);
    EQUAL(va, 0x29 * PAGE);
    const gpucmd_hole aligned = {0x10 * PAGE, 0x100 * PAGE, PAGE, 8 * PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &aligned, &va), GPUCMD_OK);
    EQUAL(va, 0x18 * PAGE);
    const gpucmd_hole exact = {0x11 * PAGE, 0x14 * PAGE, 3 * PAGE, PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &exact, &va), GPUCMD_OK);
    EQUAL(va, 0x11 * PAGE);
    /* "GPUCMD_FULL: no gap fits; *va is unchanged" */
    const gpucmd_hole none[] = {
        {0x11 * PAGE,      0x14 * PAGE,  4 * PAGE,     PAGE    },
        {0x15 * PAGE,      0x18 * PAGE,  PAGE,         8 * PAGE},
        {0x19 * PAGE,      0x29 * PAGE,  PAGE,         PAGE    },
        {0x14 * PAGE,      0x15 * PAGE,  PAGE,         PAGE    },
        {0x100 * PAGE,     0x100 * PAGE, 1,            1       },
        {0x100 * PAGE,     0x80 * PAGE,  1,            1       },
        {0,                0x100 * PAGE, ~(uint64_t)0, 1       },
        {~(uint64_t)0 - 4, ~(uint64_t)0, 1,            PAGE    },
        {~(uint64_t)0,     ~(uint64_t)0, 1,            1       },
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        va = 77;
        EQUAL(gpucmd_space_hole(&maps, &space, &none[i], &va), GPUCMD_FULL);
        EQUAL(va, 77);
    }
    /* after 64 gaps that do not fit because of the alignment, a larger one is searched */
    gpucmd_space_clear(&maps, &space);
    for (uint32_t i = 0; i < 100; i++) {
        EQUAL(bind(0x1000 * PAGE + i * 4 * PAGE, 2 * PAGE, 1, 0), GPUCMD_OK);
    }
    EQUAL(bind(0x1000 * PAGE + 400 * PAGE, PAGE, 1, 0), GPUCMD_OK);
    const gpucmd_hole two = {0x1000 * PAGE, 0x10000 * PAGE, 2 * PAGE, 4 * PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &two, &va), GPUCMD_OK);
    EQUAL(va, 0x1194 * PAGE);
    /* gap 80 fits, but is smaller than bytes + align - 1, and so is not considered */
    EQUAL(bind(0x113e * PAGE, 2 * PAGE, 2, 0), GPUCMD_OK);
    EQUAL(gpucmd_space_unbind(&maps, &space, 0x1140 * PAGE, 2 * PAGE), GPUCMD_OK);
    EQUAL(gpucmd_space_hole(&maps, &space, &two, &va), GPUCMD_OK);
    EQUAL(va, 0x1194 * PAGE);
    const gpucmd_hole later = {0x1080 * PAGE, 0x10000 * PAGE, 2 * PAGE, 4 * PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &later, &va), GPUCMD_OK);
    EQUAL(va, 0x1140 * PAGE);
    const gpucmd_hole low = {0, 0x1000 * PAGE, 0x1000 * PAGE, PAGE};
    EQUAL(gpucmd_space_hole(&maps, &space, &low, &va), GPUCMD_OK);
    EQUAL(va, 0);
}

/* ---- an executor's memory ------------------------------------------------------------------- */

static uint8_t objects[3][4 * PAGE];
static uint8_t sparse[GPUCMD_MEM_SCRATCH_BYTES];

/* Object 3 has no memory, and object 2 is in two pieces. At the end of an object are 0 bytes. */
static uint8_t *memory(void *user, uint32_t object, uint64_t offset, uint64_t *bytes)
{
    CHECK(user == objects);
    if (object > 2 || offset > 4 * PAGE) {
        return NULL;
    }
    *bytes = object == 2 && offset < 2 * PAGE ? 2 * PAGE - offset : 4 * PAGE - offset;
    return &objects[object - 1][offset];
}

static void views(void)
{
    gpucmd_space under;
    gpucmd_space_view view;
    gpucmd_mem mem;
    uint32_t v = 0;
    uint8_t bytes[3 * PAGE];
    start(16);
    gpucmd_space_init(&under, 8);
    gpucmd_space_view_init(&view, &maps, &space, memory, objects);
    CHECK(view.under == NULL && view.sparse == NULL);
    EQUAL(gpucmd_mem_init(&mem, NULL, 0), GPUCMD_OK);
    mem.find = gpucmd_space_view_find;
    mem.find_user = &view;
    EQUAL(bind_all(0x10 * PAGE, 2 * PAGE, 1, PAGE, R | W, 0, 0), GPUCMD_OK);
    EQUAL(bind_all(0x12 * PAGE, 3 * PAGE, 2, PAGE, R, 0, 0), GPUCMD_OK);
    EQUAL(bind_all(0x15 * PAGE, PAGE, 3, 0, R, 0, 0), GPUCMD_OK);
    EQUAL(bind_all(0x16 * PAGE, PAGE, 2, 8 * PAGE, R, 0, 0), GPUCMD_OK);
    EQUAL(bind_all(0x18 * PAGE, PAGE, 2, 4 * PAGE, R, 0, 0), GPUCMD_OK);
    EQUAL(bind_all(0x20 * PAGE, 4 * PAGE, 0, 0, R | W, 0, 0), GPUCMD_OK);
    EQUAL(gpucmd_mem_write32(&mem, 0x10 * PAGE + 8, GPUCMD_LITTLE_ENDIAN, 0x12345678), GPUCMD_OK);
    EQUAL(objects[0][PAGE + 8], 0x78);
    /* a read across two mappings and the two pieces of an object */
    for (size_t i = 0; i < sizeof objects[0]; i++) {
        objects[0][i] = (uint8_t)(i >> 6);
        objects[1][i] = (uint8_t)(i >> 5);
    }
    EQUAL(gpucmd_mem_read(&mem, 0x11 * PAGE, bytes, sizeof bytes), GPUCMD_OK);
    CHECK(memcmp(bytes, objects[0] + 2 * PAGE, PAGE) == 0);
    CHECK(memcmp(bytes + PAGE, objects[1] + PAGE, 2 * PAGE) == 0);
    /* rights, memory and addresses that lack */
    EQUAL(gpucmd_mem_write32(&mem, 0x12 * PAGE, GPUCMD_LITTLE_ENDIAN, 1), GPUCMD_FAULT);
    EQUAL(mem.fault_va, 0x12 * PAGE);
    EQUAL(gpucmd_mem_read32(&mem, 0x15 * PAGE, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_read32(&mem, 0x16 * PAGE, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_read32(&mem, 0x18 * PAGE, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_read32(&mem, 0x17 * PAGE, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_read32(&mem, 0xf * PAGE + 0xffe, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    /* sparse: reads are zero, writes vanish */
    EQUAL(gpucmd_mem_read32(&mem, 0x20 * PAGE, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_FAULT);
    view.sparse = sparse;
    v = 7;
    EQUAL(gpucmd_mem_write32(&mem, 0x20 * PAGE + 0xffe, GPUCMD_LITTLE_ENDIAN, v), GPUCMD_OK);
    EQUAL(gpucmd_mem_read32(&mem, 0x20 * PAGE + 0xffe, GPUCMD_LITTLE_ENDIAN, &v), GPUCMD_OK);
    EQUAL(v, 0);
    /* a second space: seen where the first has no mapping */
    EQUAL(gpucmd_mem_read(&mem, 0x24 * PAGE, bytes, PAGE), GPUCMD_FAULT);
    gpucmd_map m = *gpucmd_space_find(&maps, &space, 0x20 * PAGE);
    m.va = 0;
    m.bytes = 0x100 * PAGE;
    EQUAL(gpucmd_space_bind(&maps, &under, &m), GPUCMD_OK);
    view.under = &under;
    memset(bytes, 1, sizeof bytes);
    EQUAL(gpucmd_mem_read(&mem, 0xe * PAGE, bytes, sizeof bytes), GPUCMD_OK);
    EQUAL(bytes[0] | bytes[2 * PAGE - 1], 0);
    CHECK(memcmp(bytes + 2 * PAGE, objects[0] + PAGE, PAGE) == 0);
    EQUAL(gpucmd_mem_read(&mem, 0xff * PAGE, bytes, 2 * PAGE), GPUCMD_FAULT);
    EQUAL(gpucmd_mem_write32(&mem, 0x12 * PAGE, GPUCMD_LITTLE_ENDIAN, 1), GPUCMD_FAULT);
}

/* ---- the shape of the tree ------------------------------------------------------------------ */

/* Bind n mappings in the order that `order` chooses, then remove them in another order. After each
 * power of two the tree must be balanced. */
static void adversary(uint32_t n, uint32_t order)
{
    start(ROWS);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at = i;
            if (order == 1) {
                at = n - 1 - i; /* descending */
            } else if (order == 2) {
                at = i % 2 == 0 ? i / 2 : n - 1 - i / 2; /* from both ends */
            } else if (order == 3) {
                at = (i * 1597) % n; /* n is a power of two */
            } else if (order == 4) {
                at = i % 2 == 0 ? n / 2 + i / 2 : n / 2 - 1 - i / 2; /* from the middle */
            }
            if (pass == 0) {
                EQUAL(bind(at * 2 * PAGE, PAGE, 1, 0), GPUCMD_OK);
            } else {
                EQUAL(gpucmd_space_unbind(&maps, &space, at * 2 * PAGE, PAGE), GPUCMD_OK);
            }
            if ((i & (i + 1)) == 0 || (i > n - 9)) {
                check_one();
            }
        }
    }
    EQUAL(space.root, 0);
}

/* Keep the lowest mappings and rebuild the rest again and again, so that one side always grows. */
static void sawtooth(void)
{
    start(ROWS);
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 100; i++) {
            EQUAL(bind((round * 200 + i * 2) * PAGE, PAGE, 1, 0), GPUCMD_OK);
        }
        EQUAL(gpucmd_space_unbind(&maps, &space, round * 200 * PAGE, 90 * 2 * PAGE), GPUCMD_OK);
        check_one();
    }
    EQUAL(maps.count, 200);
}

/* ---- random operations ---------------------------------------------------------------------- */

enum { PAGES = 96 };

typedef struct page {
    bool mapped;
    uint32_t object, access_mask, tag, flags;
    uint64_t offset;
} page;

static page oracle[2][PAGES];
static gpucmd_space two[2];
static uint32_t seed;

static uint32_t roll(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static bool page_equal(const page *p, const gpucmd_place *place)
{
    return p->object == place->object && p->access_mask == place->access_mask &&
           p->offset == place->offset;
}

/* Number of mappings that the oracle's pages need: adjacent pages that continue are one. */
static uint32_t oracle_count(const page *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < PAGES; i++) {
        const page *a = &p[i > 0 ? i - 1 : 0], *b = &p[i];
        const uint64_t step = b->object == 0 || b->flags == ONE ? 0 : PAGE;
        n += b->mapped && (i == 0 || !a->mapped || a->object != b->object || a->tag != b->tag ||
                           a->access_mask != b->access_mask || a->flags != b->flags ||
                           b->offset != a->offset + step);
    }
    return n;
}

static uint64_t oracle_hole(const page *p, const gpucmd_hole *h)
{
    for (uint64_t va = 0; va + h->bytes <= h->end_va; va += h->align) {
        bool free = va >= h->first_va;
        for (uint64_t at = va; at < va + h->bytes && free; at += PAGE) {
            free = !p[at / PAGE].mapped;
        }
        if (free) {
            return va;
        }
    }
    return 77;
}

static void compare(uint32_t s)
{
    check_space(&two[s]);
    EQUAL(counted, oracle_count(oracle[s]));
    for (uint32_t i = 0; i < PAGES; i++) {
        gpucmd_place place;
        const page *p = &oracle[s][i];
        const gpucmd_status status =
            gpucmd_space_translate(&maps, &two[s], (uint64_t)i * PAGE, &place);
        CHECK((status == GPUCMD_OK) == p->mapped && (!p->mapped || page_equal(p, &place)));
    }
    for (uint32_t i = 0; i < 4; i++) {
        const gpucmd_hole h = {roll(PAGES) * PAGE, roll(PAGES) * PAGE, (1 + roll(9)) * PAGE,
                               (uint64_t)PAGE << roll(4)};
        const uint64_t want = oracle_hole(oracle[s], &h);
        uint64_t va = 77;
        EQUAL(gpucmd_space_hole(&maps, &two[s], &h, &va), want != 77 ? GPUCMD_OK : GPUCMD_FULL);
        EQUAL(va, want);
    }
}

static void oracle_set(page *p, const gpucmd_map *m)
{
    const uint64_t step = m->object == 0 || m->flags == ONE ? 0 : PAGE;
    for (uint32_t i = 0; i < m->bytes / PAGE; i++) {
        const page new_page = {true,   m->object, m->access_mask,
                               m->tag, m->flags,  m->object != 0 ? m->offset + i * step : 0};
        p[m->va / PAGE + i] = new_page;
    }
}

static void random_ops(uint32_t first_seed, uint32_t cap, bool lists_too)
{
    start(cap);
    if (lists_too) {
        with_lists();
    }
    seed = first_seed;
    memset(oracle, 0, sizeof oracle);
    gpucmd_space_init(&two[0], 1);
    gpucmd_space_init(&two[1], 2);
    for (uint32_t n = 0; n < 600; n++) {
        const uint32_t s = roll(2), free = maps.cap - maps.count, op = roll(20);
        gpucmd_map m;
        memset(&m, 0, sizeof m);
        m.va = roll(PAGES) * PAGE;
        m.bytes = (1 + roll(PAGES - (uint32_t)(m.va / PAGE)) % (1 + roll(12))) * PAGE;
        m.object = roll(4);
        m.offset = m.object != 0 ? m.va - m.va % (4 * PAGE) + roll(2) * PAGE : 0;
        m.offset += m.object != 0 ? m.va % (4 * PAGE) : 0;
        m.access_mask = roll(8) == 0 ? R : R | W;
        m.tag = roll(9) == 0;
        m.flags = roll(9) == 0 && m.object != 0 ? ONE : 0;
        if (op < 12) {
            const gpucmd_map *old = gpucmd_space_find(&maps, &two[s], m.va);
            const bool inside =
                old != NULL && old->va < m.va && old->va + old->bytes > m.va + m.bytes;
            const gpucmd_status want = free < 1u + inside ? GPUCMD_FULL : GPUCMD_OK;
            EQUAL(gpucmd_space_bind(&maps, &two[s], &m), want);
            if (want == GPUCMD_OK) {
                oracle_set(oracle[s], &m);
            }
        } else if (op < 18) {
            const gpucmd_status got = gpucmd_space_unbind(&maps, &two[s], m.va, m.bytes);
            CHECK(got == GPUCMD_OK || (got == GPUCMD_FULL && free == 0));
            if (got == GPUCMD_OK) {
                memset(&oracle[s][m.va / PAGE], 0, (size_t)(m.bytes / PAGE) * sizeof(page));
            }
        } else if (op == 18 && m.object != 0) {
            gpucmd_space_unbind_object(&maps, &two[s], m.object);
            for (uint32_t i = 0; i < PAGES; i++) {
                oracle[s][i].mapped = oracle[s][i].mapped && oracle[s][i].object != m.object;
            }
        } else if (op == 19 && roll(8) == 0) {
            gpucmd_space_clear(&maps, &two[s]);
            memset(oracle[s], 0, sizeof oracle[s]);
        }
        compare(0);
        const uint32_t first = counted;
        compare(1);
        EQUAL(maps.count, first + counted);
        if (lists_too) {
            uint32_t sum = 0;
            for (uint32_t i = 1; i <= 3; i++) {
                sum += listed(i);
            }
            CHECK(sum <= maps.count);
        }
    }
}

int main(void)
{
    replaces();
    merges();
    unbinds();
    translates();
    tells();
    lists();
    holes();
    views();
    for (uint32_t order = 0; order < 5; order++) {
        adversary(1024, order);
    }
    sawtooth();
    for (uint32_t i = 0; i < 12; i++) {
        random_ops(i, i % 3 == 0 ? 12 : 400, i % 2 == 0);
    }
    return test_report("core_space");
}

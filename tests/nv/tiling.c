/* Block-linear and swizzled surfaces, compared with tables. The tables are built without a
 * formula: a walk visits memory byte by byte, in address order. Each engine is tested in each
 * direction separately, because equal errors in both directions would cancel. */
/* suite: executor, long */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

enum { MAX_X = 256, MAX_Y = 128, SURFACE_BYTES = 0xe000, LINEAR_BYTES = 0x8000, POISON = 0xee };

#define SURFACE    (BASE + 0x2000)
#define LINEAR     (BASE + 0x12000)
#define PITCH      256u
#define CHIP(name) GPUCMD_NV_CHIP_##name

static uint32_t place[MAX_Y][MAX_X];  /* offset of byte x of line y of the slice */
static uint32_t owner[SURFACE_BYTES]; /* inverse of place: y * MAX_X + x + 1; 0: no byte */
static uint32_t bytes_x;              /* bytes per line of the surface */
static uint32_t lines_y;
static uint32_t mode; /* log2 of GOBs from top to bottom of a block 7:4, of slices 11:8 */
static uint32_t depth;
static uint32_t slice;

static struct {
    uint32_t dw[4096];
    uint32_t n;
} words;

/* A rectangle: x and width in bytes. */
typedef struct rect {
    uint32_t x, y, width, height;
} rect;

/* ---- offsets of bytes ---- */

static void own(uint32_t x, uint32_t y, uint32_t at)
{
    place[y][x] = at;
    owner[at] = y * MAX_X + x + 1;
}

/* Blocks from left to right, down, then to the back; in a block 2^d slices, in a slice 2^h GOBs
 * from top to bottom, in a GOB lines of 64 bytes. Keeps slice z. */
static void walk_blocks(uint32_t gobs_x, uint32_t blocks_y, uint32_t gob_lines, uint32_t h,
                        uint32_t d, uint32_t z)
{
    uint32_t next = 0;
    memset(owner, 0, sizeof owner);
    bytes_x = gobs_x * 64;
    lines_y = (blocks_y << h) * gob_lines;
    mode = h << 4 | d << 8;
    slice = z;
    depth = z + 1;
    for (uint32_t bz = 0; bz <= z >> d; bz++) {
        for (uint32_t block = 0; block < blocks_y * gobs_x; block++) {
            for (uint32_t zz = 0; zz < 1u << d; zz++) {
                for (uint32_t i = 0; i < (gob_lines << h) * 64; i++, next++) {
                    if ((bz << d) + zz == z) {
                        own(block % gobs_x * 64 + i % 64,
                            block / gobs_x * (gob_lines << h) + i / 64, next);
                    }
                }
            }
        }
    }
}

/* A square of 2^n pixels: its quarters upper left, upper right, lower left, lower right. */
static void walk_square(uint32_t x, uint32_t y, uint32_t n, uint32_t unit, uint32_t *next)
{
    uint32_t side = 1;
    if (n == 0) {
        for (uint32_t b = 0; b < unit; b++) {
            own(x * unit + b, y, (*next)++);
        }
        return;
    }
    side <<= n - 1;
    walk_square(x, y, n - 1, unit, next);
    walk_square(x + side, y, n - 1, unit, next);
    walk_square(x, y + side, n - 1, unit, next);
    walk_square(x + side, y + side, n - 1, unit, next);
}

/* Squares as large as the shorter side allows, along the longer one. */
static void walk_swizzled(uint32_t width_log2, uint32_t height_log2, uint32_t unit)
{
    const uint32_t n = width_log2 < height_log2 ? width_log2 : height_log2;
    uint32_t next = 0;
    memset(owner, 0, sizeof owner);
    bytes_x = unit << width_log2;
    lines_y = 1u << height_log2;
    for (uint32_t i = 0; i < 1u << (width_log2 - n); i++) {
        for (uint32_t k = 0; k < 1u << (height_log2 - n); k++) {
            walk_square(i << n, k << n, n, unit, &next);
        }
    }
}

/* ---- memory ---- */

static uint8_t value(uint32_t x, uint32_t y)
{
    return (uint8_t)(x * 7 + y * 29 + (x >> 5) * 3 + 1);
}

static bool inside(const rect *r, uint32_t x, uint32_t y)
{
    return x >= r->x && x - r->x < r->width && y >= r->y && y - r->y < r->height;
}

/* Fill the rectangle as lines at LINEAR, and the whole surface with poison. */
static void fill_linear(const rect *r)
{
    memset(ram + (SURFACE - BASE), POISON, SURFACE_BYTES);
    memset(ram + (LINEAR - BASE), POISON, LINEAR_BYTES);
    for (uint32_t y = 0; y < r->height; y++) {
        for (uint32_t x = 0; x < r->width; x++) {
            ram[LINEAR - BASE + y * PITCH + x] = value(r->x + x, r->y + y);
        }
    }
}

/* Fill the whole surface, and LINEAR with poison. */
static void fill_surface(void)
{
    memset(ram + (SURFACE - BASE), POISON, SURFACE_BYTES);
    memset(ram + (LINEAR - BASE), POISON, LINEAR_BYTES);
    for (uint32_t y = 0; y < lines_y; y++) {
        for (uint32_t x = 0; x < bytes_x; x++) {
            ram[SURFACE - BASE + place[y][x]] = value(x, y);
        }
    }
}

/* Return the number of wrong bytes of the surface. Inside the rectangle the values are expected, or
 * want repeated if want is not NULL. All other bytes, also of other slices, must be poison. */
static uint32_t wrong_surface(const rect *r, const uint8_t want[4])
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < SURFACE_BYTES; i++) {
        const uint32_t x = (owner[i] - 1) % MAX_X;
        const uint32_t y = (owner[i] - 1) / MAX_X;
        const uint8_t in = want != NULL ? want[x % 4] : value(x, y);
        wrong += ram[SURFACE - BASE + i] != (owner[i] != 0 && inside(r, x, y) ? in : POISON);
    }
    return wrong;
}

static uint32_t wrong_linear(const rect *r)
{
    uint32_t wrong = 0;
    for (uint32_t y = 0; y < LINEAR_BYTES / PITCH; y++) {
        for (uint32_t x = 0; x < PITCH; x++) {
            const bool in = x < r->width && y < r->height;
            wrong +=
                ram[LINEAR - BASE + y * PITCH + x] != (in ? value(r->x + x, r->y + y) : POISON);
        }
    }
    return wrong;
}

/* ---- words ---- */

static void put(uint32_t subc, uint32_t mthd, uint32_t v)
{
    gpucmd_writer to;
    size_t len_dw = 0;
    gpucmd_writer_init(&to, words.dw + words.n, 4096 - words.n);
    if (ch.chip >= GPUCMD_NV_CHIP_GF100) {
        gpucmd_nv_emit_inc(&to, subc, mthd, &v, 1);
    } else {
        gpucmd_nv_emit_old_inc(&to, subc, mthd, &v, 1);
    }
    if (gpucmd_writer_finish(&to, &len_dw) != GPUCMD_OK) {
        EQUAL(to.status, GPUCMD_OK);
    }
    words.n += (uint32_t)len_dw;
}

/* Append rows of method and value. */
static void put_all(uint32_t subc, const uint32_t (*rows)[2], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        put(subc, rows[i][0], rows[i][1]);
    }
}

#define PUT(subc, ...)                                                                             \
    put_all(subc, (const uint32_t[][2]){__VA_ARGS__},                                              \
            sizeof((const uint32_t[][2]){__VA_ARGS__}) / sizeof(uint32_t[2]))

static void begin(gpucmd_nv_chip chip, uint32_t subc, uint32_t class_id)
{
    start(chip);
    words.n = 0;
    put(subc, 0, chip >= GPUCMD_NV_CHIP_GF100 ? class_id : 0xcafe0000u | class_id);
}

static void finish(void)
{
    EQUAL(run_words(words.dw, words.n), GPUCMD_RUN_IDLE);
}

/* ---- engines ---- */

/* A copy between LINEAR and the surface. */
typedef void (*copy_fn)(gpucmd_nv_chip chip, const rect *r, bool to_surface);

static void m2mf_g80(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    const uint32_t tiled = to_surface ? 0x21c : 0x200;
    begin(chip, 5, 0x5039);
    put(5, to_surface ? 0x200 : 0x21c, 1);
    PUT(5, {tiled, 0}, {tiled + 4, mode}, {tiled + 8, bytes_x}, {tiled + 0xc, lines_y},
        {tiled + 0x10, depth}, {tiled + 0x14, slice}, {tiled + 0x18, r->y << 16 | r->x});
    PUT(5, {0x238, 0}, {0x23c, 0}, {0x30c, to_surface ? LINEAR : SURFACE},
        {0x310, to_surface ? SURFACE : LINEAR}, {0x314, PITCH}, {0x318, PITCH}, {0x31c, r->width},
        {0x320, r->height}, {0x324, 0x101}, {0x328, 0});
}

static void m2mf_gf100(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    const uint32_t tiled = to_surface ? 0x220 : 0x204;
    begin(chip, 2, 0x9039);
    PUT(2, {tiled, mode}, {tiled + 4, bytes_x}, {tiled + 8, lines_y}, {tiled + 0xc, depth},
        {tiled + 0x10, slice}, {to_surface ? 0x34c : 0x344, r->x},
        {to_surface ? 0x350 : 0x348, r->y});
    PUT(2, {0x238, 0}, {0x23c, to_surface ? SURFACE : LINEAR}, {0x30c, 0},
        {0x310, to_surface ? LINEAR : SURFACE}, {0x314, PITCH}, {0x318, PITCH}, {0x31c, r->width},
        {0x320, r->height}, {0x300, to_surface ? 0x100010 : 0x100100});
}

static void copy_engine(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    const uint32_t tiled = to_surface ? 0x70c : 0x728;
    begin(chip, 4, gpucmd_nv_copy_class(chip));
    PUT(4, {tiled, mode}, {tiled + 4, bytes_x}, {tiled + 8, lines_y}, {tiled + 0xc, depth},
        {tiled + 0x10, slice}, {tiled + 0x14, r->y << 16 | r->x});
    PUT(4, {0x400, 0}, {0x404, to_surface ? LINEAR : SURFACE}, {0x408, 0},
        {0x40c, to_surface ? SURFACE : LINEAR}, {0x410, PITCH}, {0x414, PITCH}, {0x418, r->width},
        {0x41c, r->height}, {0x300, to_surface ? 0x286 : 0x306});
}

/* Append the words of a line of the rectangle, as data of a method. */
static void put_line(uint32_t subc, uint32_t mthd, const rect *r, uint32_t y)
{
    for (uint32_t x = 0; x < r->width; x += 4) {
        uint32_t v = 0;
        for (uint32_t b = 0; b < 4 && x + b < r->width; b++) {
            v |= (uint32_t)value(r->x + x + b, r->y + y) << 8 * b;
        }
        put(subc, mthd, v);
    }
}

/* Inline to memory: to the surface only; lines begin with a word. */
static void upload(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    (void)to_surface;
    begin(chip, 2, chip < GPUCMD_NV_CHIP_GK110 ? 0xa040 : 0xa140);
    PUT(2, {0x180, r->width}, {0x184, r->height}, {0x188, 0}, {0x18c, SURFACE}, {0x194, mode},
        {0x198, bytes_x}, {0x19c, lines_y}, {0x1a0, depth}, {0x1a4, slice}, {0x1a8, r->x},
        {0x1ac, r->y}, {0x1b0, 0x1000});
    for (uint32_t y = 0; y < r->height; y++) {
        put_line(2, 0x1b4, r, y);
    }
}

/* 2D blit, R8 pixels. */
static void blit(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    const uint32_t tiled = to_surface ? 0x200 : 0x230;
    const uint32_t lines = to_surface ? 0x230 : 0x200;
    begin(chip, 3, chip < GPUCMD_NV_CHIP_GF100 ? 0x502d : 0x902d);
    PUT(3, {tiled, 0xf3}, {tiled + 4, 0}, {tiled + 8, mode}, {tiled + 0xc, depth},
        {tiled + 0x10, slice}, {tiled + 0x18, bytes_x}, {tiled + 0x1c, lines_y}, {tiled + 0x20, 0},
        {tiled + 0x24, SURFACE});
    PUT(3, {lines, 0xf3}, {lines + 4, 1}, {lines + 0x14, PITCH}, {lines + 0x18, PITCH},
        {lines + 0x1c, LINEAR_BYTES / PITCH}, {lines + 0x20, 0}, {lines + 0x24, LINEAR});
    PUT(3, {0x8b0, to_surface ? r->x : 0}, {0x8b4, to_surface ? r->y : 0}, {0x8b8, r->width},
        {0x8bc, r->height}, {0x8c0, 0}, {0x8c4, 1}, {0x8c8, 0}, {0x8cc, 1}, {0x8d0, 0},
        {0x8d4, to_surface ? 0 : r->x}, {0x8d8, 0}, {0x8dc, to_surface ? 0 : r->y});
}

/* 2D inline image, R8 pixels: to the surface only. */
static void image(gpucmd_nv_chip chip, const rect *r, bool to_surface)
{
    (void)to_surface;
    begin(chip, 3, chip < GPUCMD_NV_CHIP_GF100 ? 0x502d : 0x902d);
    PUT(3, {0x200, 0xf3}, {0x204, 0}, {0x208, mode}, {0x20c, depth}, {0x210, slice},
        {0x218, bytes_x}, {0x21c, lines_y}, {0x220, 0}, {0x224, SURFACE});
    PUT(3, {0x800, 0}, {0x804, 0xf3}, {0x838, r->width}, {0x83c, r->height}, {0x840, 0}, {0x844, 1},
        {0x848, 0}, {0x84c, 1}, {0x850, 0}, {0x854, r->x}, {0x858, 0}, {0x85c, r->y});
    for (uint32_t y = 0; y < r->height; y++) {
        put_line(3, 0x860, r, y);
    }
}

/* ---- rows ---- */

static const struct {
    const char *name;
    copy_fn copy;
    gpucmd_nv_chip chip;
    uint32_t gob_lines;
    bool both; /* both directions; otherwise only to the surface */
} copies[] = {
    {"M2MF",           m2mf_g80,    CHIP(G80),   4, true },
    {"M2MF GT200",     m2mf_g80,    CHIP(G200),  4, true },
    {"M2MF Fermi",     m2mf_gf100,  CHIP(GF100), 8, true },
    {"copy Kepler",    copy_engine, CHIP(GK104), 8, true },
    {"copy Maxwell",   copy_engine, CHIP(GM107), 8, true },
    {"copy GP100",     copy_engine, CHIP(GP100), 8, true },
    {"copy Turing",    copy_engine, CHIP(TU102), 8, true },
    {"upload Kepler",  upload,      CHIP(GK104), 8, false},
    {"upload Turing",  upload,      CHIP(TU102), 8, false},
    {"2D blit G80",    blit,        CHIP(G80),   4, true },
    {"2D blit Fermi",  blit,        CHIP(GF100), 8, true },
    {"2D blit Turing", blit,        CHIP(TU102), 8, true },
    {"2D image G80",   image,       CHIP(G80),   4, false},
    {"2D image Fermi", image,       CHIP(GF100), 8, false},
};

/* Rectangles in one block, across blocks and GOBs, and with whole lines. No edge is aligned. */
static const rect rects[] = {
    {0,   0,  64,  4 },
    {5,   3,  37,  13},
    {60,  1,  70,  30},
    {0,   17, 192, 9 },
    {190, 31, 2,   1 },
};

static void check_copy(size_t i, const rect *r)
{
    for (int to_surface = 1; to_surface >= 1 - (int)copies[i].both; to_surface--) {
        copies[i].copy(copies[i].chip, r, to_surface != 0);
        if (to_surface != 0) {
            fill_linear(r);
        } else {
            fill_surface();
        }
        finish();
        if (!CHECK((to_surface != 0 ? wrong_surface(r, NULL) : wrong_linear(r)) == 0)) {
            printf("    %s, mode %03x, slice %u, %s, at (%u, %u)\n", copies[i].name, mode, slice,
                   to_surface != 0 ? "to" : "from", r->x, r->y);
        }
    }
}

/* Blocks of 2^h GOBs, and of 1, 2 and 4 slices. */
static void check_copies(void)
{
    static const uint32_t slices[][2] = {
        {0, 0},
        {0, 2},
        {1, 1},
        {1, 2},
        {2, 3}
    };
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        for (uint32_t h = 0; h < 4; h++) {
            const uint32_t block_lines = copies[i].gob_lines << h;
            for (size_t k = 0; k < sizeof slices / sizeof slices[0]; k++) {
                walk_blocks(3, (32 + block_lines - 1) / block_lines, copies[i].gob_lines, h,
                            slices[k][0], slices[k][1]);
                for (size_t n = 0; n < sizeof rects / sizeof rects[0]; n++) {
                    check_copy(i, &rects[n]);
                }
            }
        }
    }
}

/* ---- clears ---- */

/* RGBA8 of 0, 0.5, 0.75, 1. */
static const uint8_t colour[4] = {0x00, 0x80, 0xbf, 0xff};

/* Slice of a volume; scissor as size and start. */
static void clear_g80(const rect *r)
{
    begin(CHIP(G84), 3, 0x8297);
    PUT(3, {0x200, 0}, {0x204, SURFACE}, {0x208, 0xd5}, {0x20c, mode}, {0x210, 0x1234},
        {0x1224, 0x10000 | depth}, {0x1240, bytes_x / 4}, {0x1244, lines_y},
        {0xff4, r->width / 4 << 16 | r->x / 4}, {0xff8, r->height << 16 | r->y}, {0xd80, 0},
        {0xd84, 0x3f000000}, {0xd88, 0x3f400000}, {0xd8c, 0x3f800000},
        {0x19d0, 0x3c | slice << 10});
}

static void clear_gf100(const rect *r, uint32_t first)
{
    begin(CHIP(TU102), 0, 0xc597);
    PUT(0, {0x800, 0}, {0x804, SURFACE}, {0x808, bytes_x / 4}, {0x80c, lines_y}, {0x810, 0xd5},
        {0x814, mode}, {0x818, 0x10000 | depth}, {0x81c, 0x1234}, {0x820, first},
        {0xff4, r->width / 4 << 16 | r->x / 4}, {0xff8, r->height << 16 | r->y}, {0xd80, 0},
        {0xd84, 0x3f000000}, {0xd88, 0x3f400000}, {0xd8c, 0x3f800000},
        {0x19d0, 0x3c | (slice - first) << 10});
}

static void check_clears(void)
{
    static const uint32_t slices[][2] = {
        {0, 0},
        {0, 2},
        {1, 1},
        {1, 2},
        {2, 3}
    };
    static const rect r = {20, 5, 120, 21};
    for (uint32_t h = 0; h < 4; h++) {
        for (size_t k = 0; k < sizeof slices / sizeof slices[0]; k++) {
            walk_blocks(3, (32 + (4u << h) - 1) / (4u << h), 4, h, slices[k][0], slices[k][1]);
            clear_g80(&r);
            fill_linear(&r);
            finish();
            EQUAL(wrong_surface(&r, colour), 0);
            walk_blocks(3, (32 + (8u << h) - 1) / (8u << h), 8, h, slices[k][0], slices[k][1]);
            clear_gf100(&r, slices[k][1] / 2);
            fill_linear(&r);
            finish();
            EQUAL(wrong_surface(&r, colour), 0);
        }
    }
}

/* ---- swizzled ---- */

/* Scaled image to a swizzled surface, A8R8G8B8. */
static void check_scaled(gpucmd_nv_chip chip, uint32_t image_class, uint32_t surface_class,
                         uint32_t width_log2, uint32_t height_log2, const rect *r)
{
    const uint32_t subc = 5;
    walk_swizzled(width_log2, height_log2, 4);
    begin(chip, subc, image_class);
    put(4, 0, 0xcafe0000u | surface_class);
    PUT(4, {0x300, height_log2 << 24 | width_log2 << 16 | 0xa}, {0x304, SURFACE});
    PUT(subc, {0x198, 0xcafe0000u | surface_class}, {0x300, 3}, {0x304, 3},
        {0x308, r->y << 16 | r->x / 4}, {0x30c, r->height << 16 | r->width / 4},
        {0x310, r->y << 16 | r->x / 4}, {0x314, r->height << 16 | r->width / 4}, {0x318, 1 << 20},
        {0x31c, 1 << 20}, {0x400, r->height << 16 | r->width / 4}, {0x404, PITCH | 0x00010000},
        {0x408, LINEAR}, {0x40c, 0});
    fill_linear(r);
    finish();
    EQUAL(wrong_surface(r, NULL), 0);
}

/* 3D clear of a swizzled target; the packed colour is A, R, G, B from the top. */
static void check_clear_swizzled(uint32_t width_log2, uint32_t height_log2, const rect *r)
{
    static const uint8_t bgra[4] = {0xbf, 0x80, 0x00, 0xff};
    walk_swizzled(width_log2, height_log2, 4);
    begin(CHIP(NV30), 7, 0x0397);
    PUT(7, {0x200, bytes_x / 4 << 16}, {0x204, lines_y << 16},
        {0x208, height_log2 << 24 | width_log2 << 16 | 2 << 8 | 8}, {0x20c, bytes_x},
        {0x210, SURFACE}, {0x8c0, r->width / 4 << 16 | r->x / 4}, {0x8c4, r->height << 16 | r->y},
        {0x1d90, 0xff0080bf}, {0x1d94, 0xf0});
    fill_linear(r);
    finish();
    EQUAL(wrong_surface(r, bgra), 0);
}

static void check_swizzled(void)
{
    static const rect r = {12, 1, 40, 7};
    check_scaled(CHIP(NV30), 0x0389, 0x039e, 4, 4, &r);
    check_scaled(CHIP(NV35), 0x0389, 0x039e, 6, 3, &r);
    check_scaled(CHIP(NV40), 0x3089, 0x309e, 4, 6, &r);
    check_scaled(CHIP(MCP67), 0x3089, 0x309e, 5, 5, &r);
    check_clear_swizzled(4, 4, &r);
    check_clear_swizzled(6, 3, &r);
    check_clear_swizzled(4, 6, &r);
}

int main(void)
{
    check_copies();
    check_clears();
    check_swizzled();
    return test_report("nv_tiling");
}

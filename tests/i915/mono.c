/* 2D commands with patterns, monochrome sources, color ranges and text. The words are typed
 * from the drivers that send them. The result is compared with a second
 * implementation in this test, pixel by pixel. */
/* suite: executor, long */
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u

#define G(n) GPUCMD_I915_GEN##n

static uint8_t batch_bytes[4096], data[65536], want[65536];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;
static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (seed >> 3) % below;
}

static uint32_t any32(void)
{
    return any(65536) << 16 | any(65536);
}

/* ---- words of drivers ---- */

static uint32_t out[400];
static uint32_t out_dw;

static void put(uint32_t dw)
{
    out[out_dw++] = dw;
}

enum {
    PAT,
    MONO_PAT,
    MONO_SRC,
    FULL,
    FULL_SRC,
    FULL_PAT,
    FULL_BOTH,
    SCAN_TILE,
    SCAN_PIXELS,
    TEXT,
    FIXED,
    CHROMA,
    PAT_CHROMA
};

/* The rows of the fixed patterns as the manual draws them. [PRM7] 1.9.13.3 to 1.9.13.12 */
static const struct {
    uint32_t number;
    uint8_t rows[8];
} fixed[10] = {
    {0,  {0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00, 0x00}},
    {1,  {0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08}},
    {2,  {0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01}},
    {3,  {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80}},
    {4,  {0x08, 0x08, 0x08, 0xff, 0x08, 0x08, 0x08, 0x08}},
    {5,  {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81}},
    {8,  {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa}},
    {9,  {0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33}},
    {10, {0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11}},
    {11, {0x77, 0xbb, 0xdd, 0xee, 0x77, 0xbb, 0xdd, 0xee}},
};

/* A drawing. src: 0 none, 1 pixels, 2 bits; pattern: 0 one colour, 1 bits, 2 pixels. */
typedef struct drawing {
    uint32_t command;
    bool wide, immediate, clip, solid, keep_src, keep_tile, bytes;
    uint32_t depth, rop, mask, skip, px, py;
    int x1, y1, x2, y2, cx1, cy1, cx2, cy2, sx, sy;
    char dst_kind, src_kind; /* L, X, Y */
    uint32_t src_color[2], tile_color[2], tile[2];
    uint32_t number; /* of a fixed pattern, its place in fixed */
    uint32_t range, key[2];
} drawing;

#define DST_VA     (DATA_VA + 0x1000)
#define SRC_VA     (DATA_VA + 0x8000)
#define PATTERN_VA (DATA_VA + 0xf000)
#define PITCH      512u

static const uint32_t depth_bytes[4] = {1, 2, 2, 4};

static void put_va(const drawing *g, uint32_t va)
{
    put(va);
    if (g->wide) {
        put(0);
    }
}

static void put_corners(int x1, int y1, int x2, int y2)
{
    put((uint32_t)y1 << 16 | ((uint32_t)x1 & 0xffff));
    put((uint32_t)y2 << 16 | ((uint32_t)x2 & 0xffff));
}

static uint32_t pitch_of(char kind)
{
    return kind == 'L' ? PITCH : PITCH / 4;
}

static uint32_t br13(const drawing *g)
{
    return (g->solid ? 1u << 31 : 0) | (g->clip ? 1u << 30 : 0) | (g->keep_src ? 1u << 29 : 0) |
           (g->keep_tile ? 1u << 28 : 0) | g->depth << 24 | g->rop << 16 | pitch_of(g->dst_kind);
}

/* First byte of the pixels or bits in memory, by row. */
static uint32_t row_bits(const drawing *g)
{
    const uint32_t width = (uint32_t)(g->x2 - g->x1);
    if (g->command == TEXT) {
        return g->bytes ? (width + 7) / 8 * 8 : width;
    }
    return (g->skip + width + 15) / 16 * 16;
}

static void put_bits_data(const drawing *g)
{
    const uint32_t needed = (row_bits(g) * (uint32_t)(g->y2 - g->y1) + 7) / 8;
    const uint32_t bytes = needed != 0 ? needed : 8;
    for (uint32_t i = 0; i < (bytes + 7) / 8 * 2; i++) { /* an even number of words */
        put(gpucmd_load32(data + 0x8000 + 4 * i, GPUCMD_LITTLE_ENDIAN));
    }
}

static void put_pattern_data(const drawing *g)
{
    for (uint32_t i = 0; i < 16 * depth_bytes[g->depth]; i++) {
        put(gpucmd_load32(data + 0xf000 + 4 * i, GPUCMD_LITTLE_ENDIAN));
    }
}

static void put_colors(const uint32_t color[2])
{
    put(color[0]);
    put(color[1]);
}

/* The command of a drawing. [PRM5] [SNA] */
static void write_drawing(const drawing *g)
{
    static const uint32_t opcodes[][2] = {
        {0x51, 0x72},
        {0x52, 0x52},
        {0x54, 0x71},
        {0x55, 0x74},
        {0x56, 0x75},
        {0x57, 0x57},
        {0x58, 0x58},
        {0x25, 0x25},
        {0x25, 0x25},
        {0x26, 0x31},
        {0x59, 0x59},
        {0x73, 0x73},
        {0x76, 0x77},
    };
    const bool state = g->command >= SCAN_TILE && g->command <= TEXT;
    const uint32_t opcode = opcodes[g->command][g->immediate ? 1 : 0];
    const uint32_t tiled = g->dst_kind != 'L' ? 1u << 11 : 0;
    uint32_t head = 2u << 29 | opcode << 22 | tiled;
    uint32_t at;
    out_dw = 0;
    put(0x11000001); /* Y tiles are chosen by a register */
    put(0x22200);
    put(0x00030000 | (g->dst_kind == 'Y' ? 2u : 0) | (g->src_kind == 'Y' ? 1u : 0));
    if (state) {
        put(2u << 29 | (g->command == SCAN_TILE ? 0x11u : 0x01u) << 22 | g->mask << 20 | tiled |
            (g->command == SCAN_TILE ? (g->wide ? 8u : 7u) : (g->wide ? 8u : 6u)));
        put(br13(g));
        put_corners(g->cx1, g->cy1, g->cx2, g->cy2);
        put_va(g, DST_VA);
        put_colors(g->command == TEXT ? g->src_color : g->tile_color);
        if (g->command == SCAN_TILE) {
            put(g->tile[0]);
            put(g->tile[1]);
        } else {
            put_va(g, g->command == TEXT ? 0 : PATTERN_VA);
        }
    } else {
        put(0x40c00001);
        put_corners(g->cx1, g->cy1, g->cx2, g->cy2);
        head |= g->mask << 20;
    }
    if (g->command == FULL || g->command == FULL_PAT || g->command == CHROMA) {
        head |= g->src_kind != 'L' ? 1u << 15 : 0;
    }
    if (g->command == CHROMA || g->command == PAT_CHROMA) {
        head |= g->range << 17;
    }
    if (g->command == FIXED) {
        head |= fixed[g->number].number << 15;
    }
    if (g->command == MONO_SRC || g->command == FULL_SRC || g->command == FULL_BOTH) {
        head |= g->skip << 17;
    }
    if (g->command != MONO_SRC && g->command != TEXT && g->command != CHROMA) {
        head |= g->px << 12 | g->py << 8;
    }
    if (g->command == TEXT && g->bytes) {
        head |= 1u << 16;
    }
    at = out_dw;
    put(head);
    if (!state) {
        put(br13(g));
    }
    put_corners(g->x1, g->y1, g->x2, g->y2);
    if (!state) {
        put_va(g, DST_VA);
    }
    switch (g->command) {
    case PAT: break;
    case MONO_PAT: break;
    case FULL:
    case FULL_PAT:
        put(pitch_of(g->src_kind));
        put((uint32_t)g->sy << 16 | ((uint32_t)g->sx & 0xffff));
        put_va(g, SRC_VA);
        break;
    case CHROMA:
        put((uint32_t)g->sy << 16 | ((uint32_t)g->sx & 0xffff));
        put(pitch_of(g->src_kind));
        put_va(g, SRC_VA);
        put_colors(g->key);
        break;
    case PAT_CHROMA:
        if (!g->immediate) {
            put_va(g, PATTERN_VA);
        }
        put_colors(g->key);
        if (g->immediate) {
            put_pattern_data(g);
        }
        break;
    case FIXED: put_colors(g->tile_color); break;
    case TEXT:
        if (g->immediate) {
            put_bits_data(g);
        } else {
            put_va(g, SRC_VA);
        }
        break;
    case MONO_SRC:
        if (!g->immediate) {
            put_va(g, SRC_VA);
        }
        put_colors(g->src_color);
        if (g->immediate) {
            put_bits_data(g);
        }
        break;
    case FULL_SRC:
    case FULL_BOTH:
        put_va(g, SRC_VA);
        put_colors(g->src_color);
        break;
    default: break;
    }
    switch (g->command) {
    case MONO_PAT:
    case FULL_PAT:
    case FULL_BOTH:
        put_colors(g->tile_color);
        put_colors(g->tile);
        break;
    case PAT:
    case FULL:
    case FULL_SRC:
        if (g->immediate) {
            put_pattern_data(g);
        } else {
            put_va(g, PATTERN_VA);
        }
        break;
    default: break;
    }
    out[at] |= out_dw - at - 2;
    put(0x05000000);
}

/* ---- expected pixels ---- */

static int byte_at(char kind, int xb, int y)
{
    if (kind == 'X') {
        return (y / 8 * (int)(PITCH / 512) + xb / 512) * 4096 + y % 8 * 512 + xb % 512;
    }
    if (kind == 'Y') {
        return (y / 32 * (int)(PITCH / 128) + xb / 128) * 4096 + xb % 128 / 16 * 512 + y % 32 * 16 +
               xb % 16;
    }
    return y * (int)PITCH + xb;
}

static uint32_t pixel_at(const uint8_t *from, char kind, int bytes, int x, int y)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++) {
        v |= (uint32_t)from[byte_at(kind, x * bytes + i, y)] << 8 * i;
    }
    return v;
}

/* Return whether the components of v are inside the range of the drawing. */
static bool in_range(const drawing *g, uint32_t v)
{
    const uint32_t low = g->key[0], high = g->key[1];
    const bool alpha = g->range == 3 || g->range == 5;
    switch (g->depth) {
    case 0: return v >= (low & 0xff) && v <= (high & 0xff);
    case 1:
        return v >> 11 >= (low >> 11 & 31) && v >> 11 <= (high >> 11 & 31) &&
               (v >> 5 & 63) >= (low >> 5 & 63) && (v >> 5 & 63) <= (high >> 5 & 63) &&
               (v & 31) >= (low & 31) && (v & 31) <= (high & 31);
    case 2:
        return (v >> 10 & 31) >= (low >> 10 & 31) && (v >> 10 & 31) <= (high >> 10 & 31) &&
               (v >> 5 & 31) >= (low >> 5 & 31) && (v >> 5 & 31) <= (high >> 5 & 31) &&
               (v & 31) >= (low & 31) && (v & 31) <= (high & 31) &&
               (!alpha || (v >> 15 >= (low >> 15 & 1) && v >> 15 <= (high >> 15 & 1)));
    default:
        for (int i = 0; i < (alpha ? 32 : 24); i += 8) {
            if ((v >> i & 255) < (low >> i & 255) || (v >> i & 255) > (high >> i & 255)) {
                return false;
            }
        }
        return true;
    }
}

static void draw_pixel(const drawing *g, int x, int y)
{
    const uint32_t bytes = depth_bytes[g->depth];
    const bool has_bits = g->command == MONO_SRC || g->command == FULL_SRC ||
                          g->command == FULL_BOTH || g->command == TEXT;
    const bool has_tile = g->command == MONO_PAT || g->command == FULL_PAT ||
                          g->command == FULL_BOTH || g->command == SCAN_TILE || g->command == FIXED;
    const bool has_pixels = g->command == PAT || g->command == PAT_CHROMA || g->command == FULL ||
                            g->command == FULL_SRC || g->command == SCAN_PIXELS;
    const uint32_t column = ((uint32_t)x + g->px) % 8, row = ((uint32_t)y + g->py) % 8;
    const uint32_t d = pixel_at(want + 0x1000, g->dst_kind, (int)bytes, x, y);
    uint32_t s = 0, p = 0, v = 0;
    if (has_bits) {
        const uint32_t n = (uint32_t)(y - g->y1) * row_bits(g) +
                           (g->command == TEXT ? 0 : g->skip) + (uint32_t)(x - g->x1);
        const bool one = (data[0x8000 + n / 8] << n % 8 & 0x80) != 0;
        if (!one && g->keep_src) {
            return;
        }
        s = g->src_color[one ? 1 : 0];
    } else if (g->command == FULL || g->command == FULL_PAT || g->command == CHROMA) {
        const int sx = g->sx + x - g->x1, sy = g->sy + y - g->y1;
        if (sx < 0 || sy < 0) { /* there is no source [PRM5] */
            return;
        }
        s = pixel_at(data + 0x8000, g->src_kind, (int)bytes, sx, sy);
    }
    if (g->range % 2 != 0 && (g->range < 4 ? in_range(g, s) : !in_range(g, d))) {
        return;
    }
    if (has_tile && g->solid) {
        if (g->keep_tile) { /* no pixels [PRM5] [PRM7] */
            return;
        }
        p = g->tile_color[0];
    } else if (has_tile) {
        const uint32_t bits =
            g->command == FIXED ? fixed[g->number].rows[row] : g->tile[row / 4] >> row % 4 * 8;
        const bool one = (bits << column & 0x80) != 0;
        if (!one && g->keep_tile) {
            return;
        }
        p = g->tile_color[one ? 1 : 0];
    } else if (has_pixels) {
        for (uint32_t i = 0; i < bytes; i++) {
            p |= (uint32_t)data[0xf000 + (row * 8 + column) * bytes + i] << 8 * i;
        }
    }
    for (uint32_t i = 0; i < 8 * bytes; i++) {
        v |= (g->rop >> ((p >> i & 1) * 4 + (s >> i & 1) * 2 + (d >> i & 1)) & 1) << i;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        if (bytes != 4 || (i == 3 ? (g->mask & 2) != 0 : (g->mask & 1) != 0)) {
            want[0x1000 + byte_at(g->dst_kind, x * (int)bytes + (int)i, y)] = (uint8_t)(v >> 8 * i);
        }
    }
}

static void draw(const drawing *g)
{
    for (int y = g->y1; y < g->y2; y++) {
        for (int x = g->x1; x < g->x2; x++) {
            if (!g->clip || (x >= g->cx1 && x < g->cx2 && y >= g->cy1 && y < g->cy2)) {
                draw_pixel(g, x, y);
            }
        }
    }
}

static gpucmd_run run_out(void)
{
    gpucmd_store_words(batch_bytes, out, out_dw, GPUCMD_LITTLE_ENDIAN);
    if (cs.state != GPUCMD_I915_RS0) {
        gpucmd_i915_cs_reset(&cs, 0);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    return gpucmd_i915_cs_run(&cs, &env, 100000);
}

static void start(gpucmd_i915_gen gen)
{
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, gen < G(6) ? GPUCMD_I915_RCS : GPUCMD_I915_BCS, 0),
          GPUCMD_OK);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)any(256);
    }
    memcpy(want, data, sizeof data);
}

/* A drawing of any kind on a generation. */
static drawing any_drawing(uint32_t command, gpucmd_i915_gen gen)
{
    static const char kinds[] = "LXY";
    static const uint32_t rops[] = {0xcc, 0xf0, 0xce, 0xfc, 0x5a, 0x66, 0xb8, 0xe2};
    drawing g;
    memset(&g, 0, sizeof g);
    g.command = command;
    g.wide = gen >= G(8);
    g.immediate = any(2) != 0 &&
                  (command <= MONO_SRC || command == FULL || command == FULL_SRC ||
                   command == TEXT || command == PAT_CHROMA) &&
                  command != MONO_PAT;
    g.clip = any(3) == 0;
    g.solid = any(4) == 0 && (command == MONO_PAT || command == FULL_PAT || command == FULL_BOTH ||
                              command == SCAN_TILE);
    g.keep_src = any(2) != 0 && (command == MONO_SRC || command == FULL_SRC ||
                                 command == FULL_BOTH || command == TEXT);
    g.keep_tile = any(2) != 0 && (command == MONO_PAT || command == FULL_PAT ||
                                  command == FULL_BOTH || command == SCAN_TILE || command == FIXED);
    g.number = any(10);
    if (command == CHROMA || command == PAT_CHROMA) {
        g.range = command == CHROMA || any(2) == 0 ? any(8) : 5 + any(2) * 2;
        g.range = command == CHROMA || g.range > 3 ? g.range : 0;
        g.key[0] = any32() & any32() & any32();
        g.key[1] = any32() | any32() | any32();
    }
    g.bytes = any(2) != 0;
    g.depth = any(4);
    g.rop = any(3) == 0 ? rops[any(8)] : any(256);
    g.mask = any(4) == 0 ? any(4) : 3;
    g.skip = any(8);
    g.px = any(8);
    g.py = any(8);
    g.dst_kind = kinds[gen < G(4) ? 0 : gen < G(7) ? any(2) : any(3)];
    g.src_kind = kinds[gen < G(4) ? 0 : gen < G(7) ? any(2) : any(3)];
    g.x1 = (int)any(20) - (g.dst_kind == 'L' ? 5 : 0);
    g.y1 = (int)any(12) - (g.dst_kind == 'L' ? 4 : 0);
    g.x2 = g.x1 + (int)any(41);
    g.y2 = g.y1 + (int)any(13);
    g.cx1 = (int)any(20);
    g.cy1 = (int)any(8);
    g.cx2 = g.cx1 + (int)any(30);
    g.cy2 = g.cy1 + (int)any(12);
    g.sx = (int)any(20) - 6;
    g.sy = (int)any(9) - 3;
    for (int i = 0; i < 2; i++) {
        g.src_color[i] = any32();
        g.tile_color[i] = any32();
        g.tile[i] = any32();
    }
    return g;
}

static void drawings(void)
{
    static const gpucmd_i915_gen gens[] = {G(3), G(5), G(7), G(8), G(9), G(12)};
    for (uint32_t round = 0; round < 5200; round++) {
        const gpucmd_i915_gen gen = gens[any(6)];
        const drawing g = any_drawing(round % 13, gen);
        start(gen);
        write_drawing(&g);
        if (gen < G(6)) { /* without the register of the copy engine */
            memmove(out, out + 3, sizeof out[0] * (out_dw -= 3));
        }
        draw(&g);
        if (!EQUAL(run_out(), GPUCMD_RUN_IDLE) || !CHECK(memcmp(data, want, sizeof data) == 0)) {
            printf("    round %u command %u gen %d error %d\n", round, g.command, (int)gen,
                   (int)cs.error);
        }
    }
}

/* Every raster operation with three operands. */
static void operations(void)
{
    for (uint32_t rop = 0; rop < 256; rop++) {
        drawing g = any_drawing(rop % 2 != 0 ? FULL : FULL_BOTH, G(9));
        g.rop = rop;
        g.depth = rop / 2 % 4;
        g.mask = 3;
        g.clip = false;
        g.x2 = g.x1 + 17;
        g.y2 = g.y1 + 9;
        start(G(9));
        write_drawing(&g);
        draw(&g);
        EQUAL(run_out(), GPUCMD_RUN_IDLE);
        CHECK(memcmp(data, want, sizeof data) == 0);
    }
}

/* ---- by hand ---- */

/* The words of each, with and without a second word in addresses. */
static void encoders(void)
{
    static const uint32_t eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
    gpucmd_i915_blt b;
    memset(&b, 0, sizeof b);
    b.br13 = 0x73cc0100;
    b.x1 = 1;
    b.y1 = 2;
    b.x2 = 3;
    b.y2 = 4;
    b.dst_va = 0x10000;
    b.src_va = 0x20000;
    b.src_x = 5;
    b.src_y = 6;
    b.src_pitch = -7;
    b.color[0] = 0xb0;
    b.color[1] = 0xf0;
    b.color[2] = 0xb1;
    b.color[3] = 0xf1;
    b.pattern_va = 0x30040;
    b.pattern[0] = 0x11111111;
    b.pattern[1] = 0x22222222;
    b.key[0] = 0x10;
    b.key[1] = 0x20;
    b.data = eight;
    b.data_dw = 2;
    /* clang-format off */
#define START 0x73cc0100, 0x00020001, 0x00040003
/* narrow: [PRM5] [PRM6] [PRM7] */
#define ROW(name, narrow, wide)                                                                    \
    EMITS(WORDS narrow, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_##name, &b));                                    \
    EMITS(WORDS wide, gpucmd_i915_emit_blt(&w, G(9), GPUCMD_I915_OP_##name, &b))
    b.flags = 0x00300800;
    ROW(XY_SETUP_MONO_PATTERN_SL_BLT,
        (0x44700807, START, 0x10000, 0xb0, 0xf0, 0x11111111, 0x22222222),
        (0x44700808, START, 0x10000, 0, 0xb0, 0xf0, 0x11111111, 0x22222222));
    b.flags = 0x00307d00;
    ROW(XY_PAT_BLT, (0x54707d04, START, 0x10000, 0x30040), (0x54707d06, START, 0x10000, 0, 0x30040, 0));
    ROW(XY_MONO_PAT_BLT, (0x54b07d07, START, 0x10000, 0xb1, 0xf1, 0x11111111, 0x22222222),
        (0x54b07d08, START, 0x10000, 0, 0xb1, 0xf1, 0x11111111, 0x22222222));
    ROW(XY_PAT_BLT_IMMEDIATE, (0x5cb07d05, START, 0x10000, 1, 2), (0x5cb07d06, START, 0x10000, 0, 1, 2));
    b.flags = 0x003a0800;
    ROW(XY_MONO_SRC_COPY_BLT, (0x553a0806, START, 0x10000, 0x20000, 0xb0, 0xf0),
        (0x553a0808, START, 0x10000, 0, 0x20000, 0, 0xb0, 0xf0));
    ROW(XY_MONO_SRC_COPY_IMMEDIATE_BLT, (0x5c7a0807, START, 0x10000, 0xb0, 0xf0, 1, 2),
        (0x5c7a0808, START, 0x10000, 0, 0xb0, 0xf0, 1, 2));
    b.flags = 0x0030fd00;
    ROW(XY_FULL_BLT, (0x5570fd07, START, 0x10000, 0xfff9, 0x00060005, 0x20000, 0x30040),
        (0x5570fd0a, START, 0x10000, 0, 0xfff9, 0x00060005, 0x20000, 0, 0x30040, 0));
    ROW(XY_FULL_IMMEDIATE_PATTERN_BLT,
        (0x5d30fd08, START, 0x10000, 0xfff9, 0x00060005, 0x20000, 1, 2),
        (0x5d30fd0a, START, 0x10000, 0, 0xfff9, 0x00060005, 0x20000, 0, 1, 2));
    ROW(XY_FULL_MONO_PATTERN_BLT,
        (0x55f0fd0a, START, 0x10000, 0xfff9, 0x00060005, 0x20000, 0xb1, 0xf1, 0x11111111, 0x22222222),
        (0x55f0fd0c, START, 0x10000, 0, 0xfff9, 0x00060005, 0x20000, 0, 0xb1, 0xf1, 0x11111111, 0x22222222));
    b.flags = 0x003a7d00;
    ROW(XY_FULL_MONO_SRC_BLT, (0x55ba7d07, START, 0x10000, 0x20000, 0xb0, 0xf0, 0x30040),
        (0x55ba7d0a, START, 0x10000, 0, 0x20000, 0, 0xb0, 0xf0, 0x30040, 0));
    ROW(XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT, (0x5d7a7d08, START, 0x10000, 0x20000, 0xb0, 0xf0, 1, 2),
        (0x5d7a7d0a, START, 0x10000, 0, 0x20000, 0, 0xb0, 0xf0, 1, 2));
    ROW(XY_FULL_MONO_PATTERN_MONO_SRC_BLT,
        (0x563a7d0a, START, 0x10000, 0x20000, 0xb0, 0xf0, 0xb1, 0xf1, 0x11111111, 0x22222222),
        (0x563a7d0c, START, 0x10000, 0, 0x20000, 0, 0xb0, 0xf0, 0xb1, 0xf1, 0x11111111, 0x22222222));
    b.flags = 0x0035fd00;
    ROW(XY_MONO_PAT_FIXED_BLT, (0x5675fd05, START, 0x10000, 0xb1, 0xf1), (0x5675fd06, START, 0x10000, 0, 0xb1, 0xf1));
    b.flags = 1u << 19; /* NUMBER is 18:15 [PRM5] [PRM7] */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_MONO_PAT_FIXED_BLT, &b));
    b.flags = 0x00328800;
    ROW(XY_SRC_COPY_CHROMA_BLT,
        (0x5cf28808, START, 0x10000, 0x00060005, 0xfff9, 0x20000, 0x10, 0x20),
        (0x5cf2880a, START, 0x10000, 0, 0x00060005, 0xfff9, 0x20000, 0, 0x10, 0x20));
    b.flags = 0x00327d00;
    ROW(XY_PAT_CHROMA_BLT, (0x5db27d06, START, 0x10000, 0x30040, 0x10, 0x20),
        (0x5db27d08, START, 0x10000, 0, 0x30040, 0, 0x10, 0x20));
    ROW(XY_PAT_CHROMA_BLT_IMMEDIATE, (0x5df27d07, START, 0x10000, 0x10, 0x20, 1, 2),
        (0x5df27d08, START, 0x10000, 0, 0x10, 0x20, 1, 2));
    b.flags = 0x00010800;
    b.src_va = 0x20001;
    ROW(XY_TEXT_BLT, (0x49810802, 0x00020001, 0x00040003, 0x20001),
        (0x49810803, 0x00020001, 0x00040003, 0x20001, 0));
    ROW(XY_TEXT_IMMEDIATE_BLT, (0x4c410803, 0x00020001, 0x00040003, 1, 2),
        (0x4c410803, 0x00020001, 0x00040003, 1, 2));
    /* clang-format on */
    b.flags = 0;
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_MONO_SRC_COPY_BLT, &b));
    b.src_va = 0x20000;
    b.pattern_va = 0x30020;
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_PAT_BLT, &b));
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_blt(&w, G(9), GPUCMD_I915_OP_XY_FULL_BLT, &b));
    b.pattern_va = 0x30000;
    b.data_dw = 3;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_TEXT_IMMEDIATE_BLT, &b));
    b.data_dw = 0;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_PAT_BLT_IMMEDIATE, &b));
    b.data_dw = 130;
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_blt(&w, G(9), GPUCMD_I915_OP_XY_MONO_SRC_COPY_IMMEDIATE_BLT, &b));
    b.data_dw = 2;
    b.flags = 1u << 16;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_PAT_BLT, &b));
    b.flags = 1u << 11; /* tiles begin with gen4 */
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(3), GPUCMD_I915_OP_XY_PAT_BLT, &b));
    b.flags = 0;
    b.dst_va = 0x10002;
    FAILS(GPUCMD_ALIGN, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_MONO_PAT_BLT, &b));
    b.dst_va = 0x100000000;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_MONO_PAT_BLT, &b));
    b.dst_va = 0x10000;
    b.x2 = 32768;
    FAILS(GPUCMD_RANGE, gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_TEXT_BLT, &b));
    b.x2 = 3;
    b.br13 = 1u << 26;
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_SETUP_MONO_PATTERN_SL_BLT, &b));
    b.br13 = 0;
    b.src_pitch = 32768;
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_blt(&w, G(7), GPUCMD_I915_OP_XY_FULL_MONO_PATTERN_BLT, &b));
    b.src_pitch = 0;
    /* 64 KiB of surface in local memory: 256 blocks, less 1 [K] */
    b.flags = 1u << 21 | 255u << 8;
    b.src_va = 0x0000123400010000;
    b.dst_va = 0xffff800000020000;
    b.src_offsets = 3u << 25;
    b.offsets = 5u << 25;
    EMITS(WORDS(0x5220ff03, 0x00010000, 0x06001234, 0x00020000, 0x0a008000),
          gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, &b));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_i915_emit_blt(&w, G(12), GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, &b));
    b.offsets = 1u << 24;
    FAILS(GPUCMD_RANGE,
          gpucmd_i915_emit_blt(&w, G(12_5), GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT, &b));
}

/* First words as constants. */
static void constants(void)
{
    EQUAL(GPUCMD_I915_BLT(XY_SETUP_MONO_PATTERN_SL_BLT, G(7), 0, 0), 0x44400007);
    EQUAL(GPUCMD_I915_BLT(XY_SETUP_MONO_PATTERN_SL_BLT, G(8), 0, 0), 0x44400008);
    EQUAL(GPUCMD_I915_BLT(XY_TEXT_BLT, G(7), 0, 0), 0x49800002);
    EQUAL(GPUCMD_I915_BLT(XY_TEXT_IMMEDIATE_BLT, G(9), 4, GPUCMD_I915_BITS(BLT_BYTE_PACKED)),
          0x4c410005);
    EQUAL(GPUCMD_I915_BLT(XY_PAT_BLT, G(8), 0, GPUCMD_I915_PUT(BLT_PATTERN_X, 7)), 0x54407006);
    EQUAL(GPUCMD_I915_BLT(XY_MONO_PAT_BLT, G(6), 0, GPUCMD_I915_PUT(BLT_PATTERN_Y, 7)), 0x54800707);
    EQUAL(GPUCMD_I915_BLT(XY_MONO_SRC_COPY_BLT, G(9), 0, GPUCMD_I915_PUT(BLT_FIRST_BIT, 7)),
          0x550e0008);
    EQUAL(GPUCMD_I915_BLT(XY_MONO_SRC_COPY_IMMEDIATE_BLT, G(7), 32, 0), 0x5c400025);
    EQUAL(GPUCMD_I915_BLT(XY_PAT_BLT_IMMEDIATE, G(7), 64, 0), 0x5c800043);
    EQUAL(GPUCMD_I915_BLT(XY_FULL_BLT, G(7), 0, 0), 0x55400007);
    EQUAL(GPUCMD_I915_BLT(XY_FULL_MONO_SRC_BLT, G(7), 0, 0), 0x55800007);
    EQUAL(GPUCMD_I915_BLT(XY_FULL_MONO_PATTERN_BLT, G(9), 0, 0), 0x55c0000c);
    EQUAL(GPUCMD_I915_BLT(XY_FULL_MONO_PATTERN_MONO_SRC_BLT, G(9), 0, 0), 0x5600000c);
    EQUAL(GPUCMD_I915_BLT(XY_MONO_PAT_FIXED_BLT, G(3), 0, 0), 0x56400005);
    EQUAL(GPUCMD_I915_BLT(XY_CTRL_SURF_COPY_BLT, G(12_5), 0, 0), 0x52000003);
}

#define DRAWS(want_run, ...)                                                                       \
    do {                                                                                           \
        static const uint32_t words_[] = {__VA_ARGS__, 0x05000000};                                \
        out_dw = sizeof words_ / 4;                                                                \
        memcpy(out, words_, sizeof words_);                                                        \
        EQUAL(run_out(), want_run);                                                                \
    } while (0)

/* A letter, as the X server draws it: foreground where a bit is 1, and the ground untouched. */
static void letter(void)
{
    static const uint8_t rows[4] = {0x18, 0x24, 0x7e, 0x42};
    start(G(7));
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x63cc0100, 0x00000000, 0x00400040, DATA_VA, 0, 0x00c0ffee,
          0, 0x4c410003, 0x00050003, 0x0009000b, 0x427e2418, 0);
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 8; x++) {
            if ((rows[y] << x & 0x80) != 0) {
                memcpy(want + (5 + y) * 256 + (3 + x) * 4, "\xee\xff\xc0\x00", 4);
            }
        }
    }
    CHECK(memcmp(data, want, sizeof data) == 0);
}

/* The fixed pattern 2, a diagonal from the upper left, begins at pixel 1 of row 2. [PRM7] */
static void hatch(void)
{
    static const char rows[3][9] = {".*......", "..*.....", "...*...."};
    start(G(7));
    memset(data, 0, sizeof data);
    memset(want, 0, sizeof want);
    DRAWS(GPUCMD_RUN_IDLE, 0x56411205, 0x00f00100, 0x00000000, 0x00030008, DATA_VA, 0x2e, 0x2a);
    for (int y = 0; y < 3; y++) {
        memcpy(want + 256 * y, rows[y], 8);
    }
    CHECK(memcmp(data, want, sizeof data) == 0);
    DRAWS(GPUCMD_RUN_IDLE, 0x56400005, 0x10f00100, 0x00000000, 0x00080002, DATA_VA, 1, 2);
    memset(want + 256 * 3, 2, 2); /* transparent: only the row of ones */
    CHECK(memcmp(data, want, sizeof data) == 0);
    DRAWS(GPUCMD_RUN_IDLE, 0x56408005, 0x80f00100, 0x00000000, 0x00010005, DATA_VA, 7, 8);
    memcpy(want, "\7\7\7\7\10", 5); /* the bit of solid patterns is reserved here */
    CHECK(memcmp(data, want, sizeof data) == 0);
    DRAWS(GPUCMD_RUN_FAULT, 0x56430005, 0x00f00100, 0, 0x00010001, DATA_VA, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND); /* pattern 6 is reserved */
    DRAWS(GPUCMD_RUN_FAULT, 0x56460005, 0x00f00100, 0, 0x00010001, DATA_VA, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND); /* 12 too */
    CHECK(memcmp(data, want, sizeof data) == 0);
}

/* Draw four pixels over four others with a range of colors from 10203040 to 50607080. */
static void keyed(uint32_t range, const uint32_t result[4])
{
    static const uint32_t from[4] = {0x10203040, 0x50607080, 0x50617080, 0x00405060};
    static const uint32_t onto[4] = {0x50607080, 0x10203040, 0x60405060, 0x4040503f};
    uint32_t words[] = {0x5cf00008, 0x03cc0100,       0,          0x00010004, DATA_VA,   0,
                        256,        DATA_VA + 0x1000, 0x10203040, 0x50607080, 0x05000000};
    start(G(7));
    gpucmd_store_words(data, onto, 4, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(data + 0x1000, from, 4, GPUCMD_LITTLE_ENDIAN);
    words[0] |= range << 17;
    out_dw = sizeof words / 4;
    memcpy(out, words, sizeof words);
    EQUAL(run_out(), GPUCMD_RUN_IDLE);
    for (int i = 0; i < 4; i++) {
        EQUAL(gpucmd_load32(data + 4 * i, GPUCMD_LITTLE_ENDIAN), result[i]);
    }
}

/* Color ranges. The bounds are inside; each component is compared by itself. [PRM7] BR00 */
static void ranges(void)
{
    static const uint32_t all[4] = {0x10203040, 0x50607080, 0x50617080, 0x00405060};
    static const uint32_t src[4] = {0x50607080, 0x10203040, 0x50617080, 0x4040503f};
    static const uint32_t src_alpha[4] = {0x50607080, 0x10203040, 0x50617080, 0x00405060};
    static const uint32_t dst_alpha[4] = {0x10203040, 0x50607080, 0x60405060, 0x4040503f};
    static const uint32_t dst[4] = {0x10203040, 0x50607080, 0x50617080, 0x4040503f};
    keyed(0, all);
    keyed(1, src);
    keyed(2, all);
    keyed(3, src_alpha);
    keyed(4, all);
    keyed(5, dst_alpha);
    keyed(6, all);
    keyed(7, dst);
    start(G(7)); /* a range of the source does not exist with a pattern */
    DRAWS(GPUCMD_RUN_FAULT, 0x5db20006, 0x03f00100, 0, 0x00010001, DATA_VA, DATA_VA, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    DRAWS(GPUCMD_RUN_FAULT, 0x5df60007, 0x03f00100, 0, 0x00010001, DATA_VA, 1, 2, 3, 4);
    EQUAL(cs.error, GPUCMD_I915_ERROR_OPERAND);
    DRAWS(GPUCMD_RUN_FAULT, 0x5dfa0007, 0x03f00100, 0, 0x00010001, DATA_VA, 1, 2, 3, 4);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH); /* the pattern has 2 words, not 64 */
    CHECK(memcmp(data, want, sizeof data) == 0);
    DRAWS(GPUCMD_RUN_FAULT, 0x5cf20008, 0x03aa0100, 0, 0x00010001, DATA_VA, 0, 256, 0x900000, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY); /* the range needs the source */
    DRAWS(GPUCMD_RUN_IDLE, 0x5cfa0008, 0x03aa0100, 0, 0x00010001, DATA_VA, 0, 256, 0x900000, 1, 2);
}

/* A copy with a range onto its own lines: the source is read before it is overwritten. */
static void overlap(void)
{
    start(G(7));
    for (int x = 0; x < 256; x++) {
        data[x] = want[x] = (uint8_t)(x % 4 + 1);
    }
    DRAWS(GPUCMD_RUN_IDLE, 0x5cc20008, 0x00cc0100, 0x00000001, 0x000100c9, DATA_VA, 0, 256, DATA_VA,
          2, 2);
    for (int x = 0; x < 200; x++) {
        want[x + 1] = x % 4 == 1 ? (uint8_t)((x + 1) % 4 + 1) : (uint8_t)(x % 4 + 1);
    }
    CHECK(memcmp(data, want, sizeof data) == 0);
}

static gpucmd_i915_op told;
static uint32_t told_dw;

static gpucmd_status on_event(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->kind == GPUCMD_EVENT_COMMAND) {
        told = (gpucmd_i915_op)e->addr;
        told_dw = e->count_dw;
    }
    return GPUCMD_OK;
}

/* Too few words, missing memory, an empty rectangle; a command that the callback gets. */
static void limits(void)
{
    start(G(7));
    DRAWS(GPUCMD_RUN_FAULT, 0x40700006, 0x03cc0100, 0, 0x00400040, DATA_VA, 0, 1, 0, 0x4c410003, 0,
          0x00090008, 1, 2); /* 9 rows in 8 bytes */
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x03aa0100, 0, 0x00400040, DATA_VA, 0, 1, 0, 0x4c410003, 0,
          0x00080008, 1, 2);
    DRAWS(GPUCMD_RUN_IDLE, 0x4c410003, 0, 0x00010040, 1, 2);  /* one row of 64 bits in 8 bytes */
    DRAWS(GPUCMD_RUN_FAULT, 0x4c410003, 0, 0x00010041, 1, 2); /* one row of 65 bits */
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x03aa0100, 0, 0x00400040, DATA_VA, 0, 1, 0, 0x00000000);
    DRAWS(GPUCMD_RUN_IDLE, 0x4c410003, 0x00500000, 0x00090008, 1, 2); /* upside down */
    DRAWS(GPUCMD_RUN_FAULT, 0x5c700007, 0x03cc0100, 0, 0x00050001, DATA_VA, 0, 1, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH); /* 5 rows of 16 bits */
    DRAWS(GPUCMD_RUN_FAULT, 0x5cb00005, 0x03f00100, 0, 0x00010001, DATA_VA, 1, 2);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
    DRAWS(GPUCMD_RUN_FAULT, 0x54700004, 0x03f00100, 0, 0x00010001, DATA_VA, 0x900000);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
    DRAWS(GPUCMD_RUN_IDLE, 0x54700004, 0x03aa0100, 0, 0x00010001, DATA_VA, 0x900000);
    DRAWS(GPUCMD_RUN_FAULT, 0x55300006, 0x03cc0100, 0, 0x00010001, DATA_VA, 0x900000, 0, 1);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
    DRAWS(GPUCMD_RUN_IDLE, 0x55300006, 0x03aa0100, 0, 0x00010001, DATA_VA, 0x900000, 0, 1);
    DRAWS(GPUCMD_RUN_IDLE, 0x55300006, 0x03cc0100, 0, 0x00010008, DATA_VA, /* to the last byte */
          DATA_VA + sizeof data - 2, 0, 1);
    DRAWS(GPUCMD_RUN_FAULT, 0x5c800010, 0x00f00100, 0, 0x00010001, DATA_VA, 0, 0, 0, 0, 0, 0, 0, 0,
          0, 0, 0, 0, 0);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH); /* the pattern has 13 words, not 16 */
    DRAWS(GPUCMD_RUN_FAULT, 0x54700003, 0x03f00100, 0, 0x00010001, DATA_VA);
    EQUAL(cs.error, GPUCMD_I915_ERROR_LENGTH);
    memcpy(data, want, sizeof data);
    gpucmd_env_init(&env, &mem, on_event, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, G(12_5), GPUCMD_I915_BCS, 0), GPUCMD_OK);
    DRAWS(GPUCMD_RUN_IDLE, 0x52000003, DATA_VA, 0, DATA_VA, 0);
    EQUAL(told, GPUCMD_I915_OP_XY_CTRL_SURF_COPY_BLT);
    EQUAL(told_dw, 5);
    CHECK(memcmp(data, want, sizeof data) == 0);
}

/* The state of XY_SETUP_* for text and scanlines. */
static void state(void)
{
    start(G(7)); /* transparency of a pattern is none of the text's */
    memset(data, 0, sizeof data);
    memset(want, 0, sizeof want);
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x13cc0100, 0, 0x00400040, DATA_VA, 0x11223344, 0, 0,
          0x4c410003, 0, 0x00010001, 0, 0);
    memcpy(want, "\x44\x33\x22\x11", 4);
    CHECK(memcmp(data, want, sizeof data) == 0);
    start(G(8)); /* 48 bits of the pattern's address */
    DRAWS(GPUCMD_RUN_IDLE, 0x40700008, 0x03f00100, 0, 0x00400040, DATA_VA, 0, 0, 0, DATA_VA, 0,
          0x49400001, 0, 0x00010001);
    DRAWS(GPUCMD_RUN_FAULT, 0x40700008, 0x03f00100, 0, 0x00400040, DATA_VA, 0, 0, 0, DATA_VA, 1,
          0x49400001, 0, 0x00010001);
    EQUAL(cs.error, GPUCMD_I915_ERROR_MEMORY);
}

/* A pixel left of the first one is in its own row; its tiles are named by its own command. */
static void pixels(void)
{
    start(G(7));
    memset(data, 0, sizeof data);
    memset(want, 0, sizeof want);
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x03f00100, 0, 0x00400040, DATA_VA + 0x100, 0x11223344, 0, 0,
          0x49000000, 0x0002ffff);
    memcpy(want + 0x2fc, "\x44\x33\x22\x11", 4);
    CHECK(memcmp(data, want, sizeof data) == 0);
    DRAWS(GPUCMD_RUN_IDLE, 0x40700006, 0x03f00080, 0, 0x00400040, DATA_VA + 0x1000, 0x55667788, 0,
          0, 0x49000800, 0x00010000);
    memcpy(want + 0x1200, "\x88\x77\x66\x55", 4);
    CHECK(memcmp(data, want, sizeof data) == 0);
}

/* A pattern larger than one turn, and one through the pixels of the state: every turn draws on. */
static void many_turns(void)
{
    start(G(7));
    DRAWS(GPUCMD_RUN_IDLE, 0x54b00007, 0x03f00000, 0x00000000, 0x02000100, DATA_VA, 0x11111111,
          0x22222222, 0x0f0f0f0f, 0xf0f0f0f0);
    for (int x = 0; x < 256; x++) { /* 512 rows on one: the last has row 7 of the pattern */
        memset(want + 4 * x, x % 8 < 4 ? 0x22 : 0x11, 4);
    }
    CHECK(memcmp(data, want, sizeof data) == 0);
    CHECK(cs.blt_row == 0);
}

/* The fields have names in print. */
static void printed(void)
{
    static const uint32_t words[9] = {0x54b07507, 0x93f00100, 0x00020001, 0x00040003, 0x10000,
                                      0x11111111, 0x22222222, 0x0f0f0f0f, 0xf0f0f0f0};
    gpucmd_i915_cmdset cmdset;
    gpucmd_text t;
    char text[1024];
    EQUAL(gpucmd_i915_cmdset_init(&cmdset, G(7), GPUCMD_I915_BCS), GPUCMD_OK);
    gpucmd_text_init(&t, text, sizeof text);
    EQUAL(gpucmd_i915_print(&t, &cmdset, words, 9, 0), 9);
    CHECK(strstr(text, "XY_MONO_PAT_BLT WRITE_ALPHA=1 WRITE_RGB=1 PATTERN_X=7 PATTERN_Y=5") !=
          NULL);
    CHECK(strstr(text, "SOLID=1") != NULL && strstr(text, "TRANSPARENT=1") != NULL);
    CHECK(strstr(text, "PATTERN_BACKGROUND=0x11111111") != NULL);
    CHECK(strstr(text, "PATTERN_FOREGROUND=0x22222222") != NULL);
    CHECK(strstr(text, "PATTERN_1=0xf0f0f0f0") != NULL);
    CHECK(strstr(text, "stray") == NULL);
}

int main(void)
{
    encoders();
    constants();
    letter();
    hatch();
    ranges();
    overlap();
    limits();
    state();
    pixels();
    many_turns();
    printed();
    operations();
    drawings();
    return test_report("i915_mono");
}

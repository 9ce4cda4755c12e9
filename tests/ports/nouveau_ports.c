/* Functions of the nouveau driver, written on gpucmd_nv.h. Each takes the arguments of a case and
 * must store the words that the driver's own function stores. */
#include "nouveau_cases.h"

#include "gpucmd_nv.h"

#define METHOD(name) GPUCMD_NV_##name

/* Subchannels of the driver, and its object for memory of the bus. */
enum { HOST = 0, SW = 1, BLIT = 2, GDI = 3, TWOD = 3, COPY = 4 };
static const uint32_t gart_object = 0x80000003;

/* Methods of the 2D classes 502d and 902d. */
enum {
    TWOD_DST_FORMAT = 0x200,
    TWOD_SRC_FORMAT = 0x230,
    TWOD_CLIP_ENABLE = 0x290,
    TWOD_OPERATION = 0x2ac,
    TWOD_INLINE_BITMAP = 0x800,
    TWOD_INLINE_WIDTH = 0x838,
    TWOD_INLINE_DU_DX = 0x840,
    TWOD_INLINE_DST_X = 0x850,
    TWOD_INLINE_DATA = 0x860,
    TWOD_BLIT_DST_X = 0x8b0,
    TWOD_BLIT_DU_DX = 0x8c0,
    TWOD_BLIT_SRC_X = 0x8d0,
};

#define PORT(name)                                                                                 \
    static void body_##name(gpucmd_writer *w, const nv_case *c);                                   \
    int port_##name(const nv_case *c, uint32_t *out)                                               \
    {                                                                                              \
        gpucmd_writer w;                                                                           \
        size_t len_dw = 0;                                                                         \
        gpucmd_writer_init(&w, out, NV_PORT_MAX_DW);                                               \
        body_##name(&w, c);                                                                        \
        return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? (int)len_dw : NV_PORT_REFUSED;     \
    }                                                                                              \
    static void body_##name(gpucmd_writer *w, const nv_case *c)

/* Append a run in the format of a chip: old before GF100. */
#define OLD(subc, mthd, ...)                                                                       \
    gpucmd_nv_emit_old_inc(w, subc, mthd, (const uint32_t[]){__VA_ARGS__},                         \
                           sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define INC(subc, mthd, ...)                                                                       \
    gpucmd_nv_emit_inc(w, subc, mthd, (const uint32_t[]){__VA_ARGS__},                             \
                       sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* ---- helpers ---- */

static uint32_t high(uint64_t va)
{
    return (uint32_t)(va >> 32);
}

static uint32_t at_most(uint32_t n, uint32_t max)
{
    return n < max ? n : max;
}

#if LINUX < 700
static uint32_t palette(const nv_case *c, uint32_t index)
{
    return c->true_color ? (index & 0xff) * 0x010203 : index & 0xff;
}
#endif

/* ---- nouveau_chan.c, nouveau_dma.c ---- */

#if LINUX < 700
PORT(nouveau_channel_init)
{
    for (uint32_t i = 0; i < 32; i++) { /* the GPU does not fetch where it jumps to */
        gpucmd_nv_emit_nop(w);
    }
    if (c->pages % 4 == 0) { /* NV4 and NV5: an object for fences */
        gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_NV4, SW, 0x6e);
    }
}

uint32_t port_nouveau_dma_wait(uint32_t va)
{
    uint32_t dw = 0;
    return gpucmd_nv_encode_jump_old(&dw, va) == GPUCMD_OK ? dw : 0;
}

void port_nv50_dma_push(uint64_t va, uint32_t len_bytes, uint32_t entry[2])
{
    if (gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_G80, va, len_bytes / 4, 0) != GPUCMD_OK) {
        entry[0] = entry[1] = 0;
    }
}
#endif

/* ---- nouveau_bo0039.c, nv04_fence.c, nv10_fence.c, nv17_fence.c, nv04_fbcon.c ---- */

PORT(nv04_bo_move_init)
{
    gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_NV4, COPY, c->handle);
    OLD(COPY, 0x180, c->notify);
}

PORT(nv04_bo_move_m2mf)
{
    uint32_t src = c->src_page << 12, dst = c->dst_page << 12, n;
    OLD(COPY, METHOD(M2MF_DMA_BUFFER_IN), c->src_gart ? gart_object : c->vram,
        c->dst_gart ? gart_object : c->vram);
    for (uint32_t left = c->pages; left != 0; left -= n) {
        n = at_most(left, 2047);
        OLD(COPY, METHOD(M2MF_NV4_OFFSET_IN), src, dst, 4096, 4096, 4096, n, 0x101, 0);
        OLD(COPY, 0x100, 0);
        src += n * 4096;
        dst += n * 4096;
    }
}

PORT(nv04_fence_emit)
{
    OLD(SW, 0x150, c->seqno);
}

PORT(nv10_fence_emit)
{
    gpucmd_nv_emit_ref_cnt(w, GPUCMD_NV_CHIP_NV10, c->seqno);
}

PORT(nv17_fence_sync)
{
    for (uint32_t i = 0; i < 2; i++) { /* the other channel, then this one */
        OLD(HOST, METHOD(HOST_DMA_SEMAPHORE), c->handle, 0, c->seqno + i, c->seqno + i + 1);
    }
}

#if LINUX < 700
PORT(nv04_fbcon_copyarea)
{
    OLD(BLIT, 0x300, c->y2 << 16 | c->x2, c->y << 16 | c->x, c->height << 16 | c->width);
}

PORT(nv04_fbcon_fillrect)
{
    OLD(GDI, 0x2fc, c->copy_rop ? 3 : 1);
    OLD(GDI, 0x3fc, palette(c, c->color));
    OLD(GDI, 0x400, c->x << 16 | c->y, c->width << 16 | c->height);
}

/* Words of an image of one bit a pixel, rows of whole bytes. */
static uint32_t image_dw(const nv_case *c)
{
    return ((c->width + 7) / 8 * 8 * c->height + 31) / 32;
}

PORT(nv04_fbcon_imageblit)
{
    const uint32_t at = c->y << 16 | c->x, size = c->height << 16;
    const uint32_t *bits = c->bits;
    uint32_t n;
    OLD(GDI, 0xbe4, at, (c->y + c->height) << 16 | (c->x + c->width), palette(c, c->color >> 8),
        palette(c, c->color), size | (c->width + 7) / 8 * 8, size | c->width, at);
    for (uint32_t left = image_dw(c); left != 0; left -= n, bits += n) {
        n = at_most(left, 128);
        gpucmd_nv_emit_old_inc(w, GDI, 0xc00, bits, n);
    }
}

PORT(nv04_fbcon_accel_init)
{
    const uint32_t pitch = c->width * 4 & 0xffc0;
    OLD(HOST, 0, 0x62);
    OLD(HOST, 0x184, c->vram, c->vram);
    OLD(HOST, 0x300, 6, pitch | pitch << 16, c->src_page, c->src_page);
    OLD(HOST, 0, 0x43);
    OLD(HOST, 0x300, 0x55);
    OLD(HOST, 0, 0x44);
    OLD(HOST, 0x300, 3, 1, 0, 1, ~0u, ~0u, ~0u, ~0u);
    OLD(HOST, 0, 0x19);
    OLD(HOST, 0x300, 0, c->height << 16 | c->width);
    OLD(BLIT, 0, 0x5f);
    OLD(BLIT, 0x19c, 0x62);
    OLD(BLIT, 0x2fc, 3);
    if (c->src_tiled) { /* a chip with image blits of class 009f */
        OLD(BLIT, 0x120, 0, 1, 2);
    }
    OLD(GDI, 0, 0x4a);
    OLD(GDI, 0x198, 0x62);
    OLD(GDI, 0x188, 0x44, 0x43);
    OLD(GDI, 0x304, 1);
    OLD(GDI, 0x300, 3);
    OLD(GDI, 0x2fc, 3);
}
#endif

/* ---- nouveau_bo5039.c, nouveau_bo85b5.c, nouveau_bo74c1.c, nv84_fence.c, nv50_fbcon.c ---- */

PORT(nv50_bo_move_init)
{
    gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_G80, COPY, c->handle);
    OLD(COPY, 0x180, c->notify, c->vram, c->vram);
}

static void layout(gpucmd_writer *w, uint32_t mthd, bool tiled, uint32_t rows)
{
    if (tiled) {
        OLD(COPY, mthd, 0, 0, 64, rows, 1, 0, 0);
    } else {
        OLD(COPY, mthd, 1);
    }
}

PORT(nv50_bo_move_m2mf)
{
    uint64_t src = c->src_va, dst = c->dst_va;
    uint32_t n;
    for (uint64_t left = (uint64_t)c->pages * 4096; left != 0; left -= n) {
        n = left < 4 << 20 ? (uint32_t)left : 4u << 20;
        layout(w, METHOD(M2MF_SRC_LAYOUT), c->src_tiled, n / 64);
        layout(w, METHOD(M2MF_DST_LAYOUT), c->dst_tiled, n / 64);
        OLD(COPY, METHOD(M2MF_G80_OFFSET_IN_UPPER), high(src) & 0xff, high(dst) & 0xff);
        OLD(COPY, METHOD(M2MF_NV4_OFFSET_IN), (uint32_t)src, (uint32_t)dst, 64, 64, 64, n / 64,
            0x101, 0);
        OLD(COPY, 0x100, 0);
        src += n;
        dst += n;
    }
}

PORT(nva3_bo_move_copy)
{
    uint64_t src = c->src_va, dst = c->dst_va;
    uint32_t n;
    for (uint32_t left = c->pages; left != 0; left -= n) {
        n = at_most(left, 8191);
        OLD(COPY, 0x30c, high(src), (uint32_t)src, high(dst), (uint32_t)dst, 4096, 4096, 4096, n);
        OLD(COPY, 0x300, 0x110);
        src += (uint64_t)n * 4096;
        dst += (uint64_t)n * 4096;
    }
}

PORT(nv84_bo_move_exec)
{
    OLD(COPY, 0x304, c->pages << 12, high(c->src_va), (uint32_t)c->src_va, high(c->dst_va),
        (uint32_t)c->dst_va, 0);
}

PORT(nv84_fence_emit32)
{
    OLD(HOST, METHOD(HOST_DMA_SEMAPHORE), c->vram);
    OLD(HOST, METHOD(HOST_SEMAPHOREA), high(c->dst_va) & 0xff, (uint32_t)c->dst_va, c->seqno, 2, 0);
}

PORT(nv84_fence_sync32)
{
    OLD(HOST, METHOD(HOST_DMA_SEMAPHORE), c->vram);
    OLD(HOST, METHOD(HOST_SEMAPHOREA), high(c->dst_va) & 0xff, (uint32_t)c->dst_va, c->seqno, 4);
}

#if LINUX < 700
PORT(nv50_fbcon_fillrect)
{
    if (!c->copy_rop) {
        OLD(TWOD, TWOD_OPERATION, 1);
    }
    OLD(TWOD, 0x588, palette(c, c->color));
    OLD(TWOD, 0x600, c->x, c->y, c->x + c->width, c->y + c->height);
    if (!c->copy_rop) {
        OLD(TWOD, TWOD_OPERATION, 3);
    }
}

PORT(nv50_fbcon_copyarea)
{
    OLD(TWOD, 0x110, 0);
    OLD(TWOD, TWOD_BLIT_DST_X, c->x, c->y, c->width, c->height);
    OLD(TWOD, TWOD_BLIT_SRC_X, 0, c->x2, 0, c->y2);
}

PORT(nv50_fbcon_imageblit)
{
    const uint32_t *bits = c->bits;
    uint32_t n;
    OLD(TWOD, 0x814, palette(c, c->color >> 8), palette(c, c->color));
    OLD(TWOD, TWOD_INLINE_WIDTH, c->width, c->height);
    OLD(TWOD, TWOD_INLINE_DST_X, 0, c->x, 0, c->y);
    for (uint32_t left = image_dw(c); left != 0; left -= n, bits += n) {
        n = at_most(left, 2047);
        gpucmd_nv_emit_old_non_inc(w, TWOD, TWOD_INLINE_DATA, bits, n);
    }
}

PORT(nv50_fbcon_accel_init)
{
    const uint32_t format = 0xe6, pitch = c->width * 4 & 0xffc0;
    OLD(TWOD, 0, 0x502d);
    OLD(TWOD, 0x184, c->vram, c->vram, c->vram);
    OLD(TWOD, TWOD_DST_FORMAT, format, 1);
    OLD(TWOD, 0x214, pitch, c->width, c->height, high(c->dst_va) & 0xff, (uint32_t)c->dst_va);
    OLD(TWOD, TWOD_SRC_FORMAT, format, 1);
    OLD(TWOD, 0x244, pitch, c->width, c->height, high(c->dst_va) & 0xff, (uint32_t)c->dst_va);
    OLD(TWOD, TWOD_CLIP_ENABLE, 0);
    OLD(TWOD, 0x2a0, 0x55);
    OLD(TWOD, TWOD_OPERATION, 3);
    OLD(TWOD, 0x2e8, 2, 1);
    OLD(TWOD, 0x580, 4, format);
    OLD(TWOD, TWOD_INLINE_BITMAP, 1, format, 0, 0, 1);
    OLD(TWOD, 0x81c, 1);
    OLD(TWOD, TWOD_INLINE_DU_DX, 0, 1, 0, 1);
    OLD(TWOD, 0x888, 1);
    OLD(TWOD, TWOD_BLIT_DU_DX, 0, 1, 0, 1);
}
#endif

/* ---- nouveau_bo9039.c, nouveau_bo90b5.c, nouveau_boa0b5.c, nvc0_fence.c, nvc0_fbcon.c ---- */

PORT(nvc0_bo_move_init)
{
    gpucmd_nv_emit_inc1(w, COPY, 0, c->handle);
}

PORT(nvc0_bo_move_m2mf)
{
    uint64_t src = c->src_va, dst = c->dst_va;
    uint32_t n;
    for (uint32_t left = c->pages; left != 0; left -= n) {
        n = at_most(left, 2047);
        INC(COPY, METHOD(M2MF_OFFSET_OUT_UPPER), high(dst) & 0xff, (uint32_t)dst);
        INC(COPY, METHOD(M2MF_OFFSET_IN_UPPER), high(src) & 0xff, (uint32_t)src, 4096, 4096, 4096,
            n);
        INC(COPY, METHOD(M2MF_LAUNCH_DMA), 0x100110);
        src += (uint64_t)n * 4096;
        dst += (uint64_t)n * 4096;
    }
}

PORT(nvc0_bo_move_copy)
{
    uint64_t src = c->src_va, dst = c->dst_va;
    uint32_t n;
    for (uint32_t left = c->pages; left != 0; left -= n) {
        n = at_most(left, 8191);
        INC(COPY, 0x30c, high(src), (uint32_t)src, high(dst), (uint32_t)dst, 4096, 4096, 4096, n);
        gpucmd_nv_emit_immd(w, COPY, 0x300, 0x110);
        src += (uint64_t)n * 4096;
        dst += (uint64_t)n * 4096;
    }
}

PORT(nve0_bo_move_init)
{
    gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_GK104, COPY, c->handle & 0xffff);
}

PORT(nve0_bo_move_copy)
{
    INC(COPY, METHOD(COPY_OFFSET_IN_UPPER), high(c->src_va) & 0xff, (uint32_t)c->src_va,
        high(c->dst_va) & 0xff, (uint32_t)c->dst_va, 4096, 4096, 4096, c->pages);
    gpucmd_nv_emit_immd(w, COPY, METHOD(COPY_LAUNCH_DMA), 0x386);
}

PORT(nvc0_fence_emit32)
{
    gpucmd_nv_emit_fence(w, GPUCMD_NV_CHIP_GK104, c->dst_va, c->seqno);
}

PORT(nvc0_fence_sync32)
{
    gpucmd_nv_emit_fence_wait(w, GPUCMD_NV_CHIP_GK104, c->dst_va, c->seqno);
}

#if LINUX < 700
PORT(nvc0_fbcon_fillrect)
{
    if (!c->copy_rop) {
        gpucmd_nv_emit_immd(w, TWOD, TWOD_OPERATION, 1);
    }
    INC(TWOD, 0x588, palette(c, c->color));
    INC(TWOD, 0x600, c->x, c->y, c->x + c->width, c->y + c->height);
    if (!c->copy_rop) {
        gpucmd_nv_emit_immd(w, TWOD, TWOD_OPERATION, 3);
    }
}

PORT(nvc0_fbcon_copyarea)
{
    gpucmd_nv_emit_immd(w, TWOD, 0x110, 0);
    INC(TWOD, TWOD_BLIT_DST_X, c->x, c->y, c->width, c->height);
    INC(TWOD, TWOD_BLIT_SRC_X, 0, c->x2, 0, c->y2);
}

PORT(nvc0_fbcon_imageblit)
{
    const uint32_t *bits = c->bits;
    uint32_t n;
    INC(TWOD, 0x814, palette(c, c->color >> 8), palette(c, c->color));
    INC(TWOD, TWOD_INLINE_WIDTH, c->width, c->height);
    INC(TWOD, TWOD_INLINE_DST_X, 0, c->x, 0, c->y);
    for (uint32_t left = image_dw(c); left != 0; left -= n, bits += n) {
        n = at_most(left, 2047);
        gpucmd_nv_emit_non_inc(w, TWOD, TWOD_INLINE_DATA, bits, n);
    }
}

PORT(nvc0_fbcon_accel_init)
{
    const uint32_t format = 0xe6, pitch = c->width * 4 & 0xffc0;
    gpucmd_nv_emit_inc1(w, TWOD, 0, 0x902d);
    INC(TWOD, TWOD_DST_FORMAT, format, 1);
    INC(TWOD, 0x214, pitch, c->width, c->height, high(c->dst_va) & 0xff, (uint32_t)c->dst_va);
    INC(TWOD, TWOD_SRC_FORMAT, format, 1);
    INC(TWOD, 0x244, pitch, c->width, c->height, high(c->dst_va) & 0xff, (uint32_t)c->dst_va);
    gpucmd_nv_emit_immd(w, TWOD, TWOD_CLIP_ENABLE, 0);
    gpucmd_nv_emit_immd(w, TWOD, 0x2a0, 0x55);
    gpucmd_nv_emit_immd(w, TWOD, TWOD_OPERATION, 3);
    INC(TWOD, 0x2e8, 2, 1);
    INC(TWOD, 0x580, 4, format);
    INC(TWOD, TWOD_INLINE_BITMAP, 1, format, 0, 0, 1);
    gpucmd_nv_emit_immd(w, TWOD, 0x81c, 1);
    INC(TWOD, TWOD_INLINE_DU_DX, 0, 1, 0, 1);
    gpucmd_nv_emit_immd(w, TWOD, 0x888, 1);
    INC(TWOD, TWOD_BLIT_DU_DX, 0, 1, 0, 1);
}
#else
PORT(gv100_fence_emit32)
{
    gpucmd_nv_emit_fence(w, GPUCMD_NV_CHIP_GV100, c->dst_va, c->seqno);
}

PORT(gv100_fence_sync32)
{
    gpucmd_nv_emit_fence_wait(w, GPUCMD_NV_CHIP_GV100, c->dst_va, c->seqno);
}
#endif

/* ---- nouveau_dmem.c ---- */

PORT(nvc0b5_migrate_copy)
{
    const uint32_t src = c->y % 3, dst = c->x % 3; /* 0 virtual, 1 VRAM, 2 memory of the CPU */
    if (src != 0) {
        gpucmd_nv_emit_immd(w, COPY, METHOD(COPY_SET_SRC_PHYS_MODE), src - 1);
    }
    if (dst != 0) {
        gpucmd_nv_emit_immd(w, COPY, METHOD(COPY_SET_DST_PHYS_MODE), dst - 1);
    }
    INC(COPY, METHOD(COPY_OFFSET_IN_UPPER), high(c->src_va) & 0xff, (uint32_t)c->src_va,
        high(c->dst_va) & 0xff, (uint32_t)c->dst_va, 4096, 4096, 4096, c->pages);
    gpucmd_nv_emit_inc1(w, COPY, METHOD(COPY_LAUNCH_DMA),
                        GPUCMD_NV_CE_NON_PIPELINED | GPUCMD_NV_CE_FLUSH_SYS |
                            GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                            GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) |
                            GPUCMD_FIELD_PUT(NV_LAUNCH_MULTI_LINE, 1) |
                            GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PHYSICAL, src != 0) |
                            GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PHYSICAL, dst != 0));
}

PORT(nvc0b5_migrate_clear)
{
    gpucmd_nv_emit_immd(w, COPY, METHOD(COPY_SET_DST_PHYS_MODE), c->x % 2);
    INC(COPY, METHOD(COPY_SET_REMAP_CONST_A), 0, 0,
        0x01030054); /* CONST_A and CONST_B of 4 bytes */
    INC(COPY, METHOD(COPY_OFFSET_OUT_UPPER), high(c->dst_va) & 0xff, (uint32_t)c->dst_va);
    gpucmd_nv_emit_inc1(w, COPY, METHOD(COPY_LINE_LENGTH_IN), c->pages);
    gpucmd_nv_emit_inc1(
        w, COPY, METHOD(COPY_LAUNCH_DMA),
        GPUCMD_NV_CE_NON_PIPELINED | GPUCMD_NV_CE_FLUSH_SYS |
            GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) | GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) |
            GPUCMD_FIELD_PUT(NV_LAUNCH_REMAP, 1) | GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PHYSICAL, 1));
}

/* The nouveau driver's own functions, called with the arguments of a case. Compiled once for each
 * format of commands: FORMAT_006C, FORMAT_206E or FORMAT_906F is defined. tests/checks/ports.sh makes
 * nouveau_functions.h from the sources of the driver; all definitions of a kernel are ours. */
#include "nouveau_cases.h"

#include <assert.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define __must_check
#define PAGE_SHIFT        12
#define PAGE_SIZE         4096u
#define PFN_UP(x)         (u32)(((x) + PAGE_SIZE - 1) / PAGE_SIZE)
#define upper_32_bits(x)  ((u32)((u64)(x) >> 32))
#define lower_32_bits(x)  ((u32)(x))
#define min(a, b)         ((a) < (b) ? (a) : (b))
#define ALIGN(x, a)       (((x) + (a)-1) / (a) * (a))
#define WARN_ON(x)        ((void)(x))
#define BUG_ON(x)         ((void)0)
#define EINVAL            22
#define ENODEV            19
#define EBUSY             16
#define unlikely(x)       (x)
#define unrcu_pointer(p)  (p)
#define spin_lock(lock)   ((void)0)
#define spin_unlock(lock) ((void)0)
#define mutex_trylock(m)  1
#define mutex_unlock(m)   ((void)0)
#define mb()              ((void)0)

enum { TTM_PL_TT = 1, NvDmaTT = (int)0x80000003, ROP_COPY = 0 };
enum { FB_VISUAL_PSEUDOCOLOR, FB_VISUAL_TRUECOLOR, FB_VISUAL_DIRECTCOLOR };
enum {
    NV_DEVICE_INFO_V0_TNT = 0x04,
    NV_DEVICE_INFO_V0_CELSIUS = 0x10,
    NV_DEVICE_INFO_V0_TESLA = 0x50,
    NV_DEVICE_INFO_V0_FERMI = 0xc0
};
enum { FERMI_CHANNEL_GPFIFO = 0x906f, AMPERE_CHANNEL_GPFIFO_B = 0xc76f };
enum { NV_DMA_IN_MEMORY = 0x3d, NVIF_CLASS_SW_NV04 = -4, NOUVEAU_DMA_SKIPS = 128 / 4 };
enum { NV_DMA_V0_TARGET_VM, NV_DMA_V0_TARGET_VRAM, NV_DMA_V0_TARGET_AGP };
enum { NV_DMA_V0_ACCESS_VM, NV_DMA_V0_ACCESS_RDWR };
enum nouveau_aper { NOUVEAU_APER_VIRT, NOUVEAU_APER_VRAM, NOUVEAU_APER_HOST };
struct nv_dma_v0 {
    u32 target, access;
    u64 start, limit;
};

struct nvif_object {
    u32 handle, oclass;
    struct nvif_object *client;
    u32 stored[2];
};
struct nvif_mem {
    struct nvif_object object;
};

#include <nvif/push.h>
#if defined FORMAT_006C
#include <nvif/push006c.h>
#include <nvhw/class/cl0039.h>
#include <nvhw/class/cl006e.h>
#include <nvhw/class/cl176e.h>
#elif defined FORMAT_206E
#include <nvif/push206e.h>
#include <nvhw/class/cl502d.h>
#include <nvhw/class/cl5039.h>
#include <nvhw/class/cl826f.h>
#else
#include <nvif/push906f.h>
#include <nvhw/class/cl902d.h>
#include <nvhw/class/cl9039.h>
#include <nvhw/class/cla0b5.h>
#if LINUX >= 700
#include <nvhw/class/clc36f.h>
#endif
#endif

struct nouveau_vma {
    u64 addr;
};
struct nouveau_mem {
    struct nouveau_vma vma[2];
    u32 kind;
};
struct ttm_resource {
    u32 mem_type, start, num_pages;
    u64 size;
    struct nouveau_mem mem;
};
#define nouveau_mem(reg) (&(reg)->mem)
struct ttm_buffer_object {
    int unused;
};
struct nouveau_drm;
struct nouveau_cli {
    int mutex;
    struct nouveau_drm *drm;
};
struct nouveau_channel;
struct nv10_fence_priv {
    int lock;
    u32 sequence;
    int (*context_new)(struct nouveau_channel *chan);
};
struct nv10_fence_chan {
    struct nvif_object sema;
};
struct nouveau_user_func;
struct nvif_user {
    struct nouveau_user_func *func;
};
struct nouveau_user_func {
    void (*doorbell)(struct nvif_user *user, u32 token);
};
struct nouveau_bo {
    u32 words[64];
};
struct nvif_device {
    struct nvif_user user;
    struct {
        u32 family, chipset;
        u64 ram_user;
    } info;
};
struct drm_device;
struct nouveau_fbdev;
struct nouveau_dmem {
    struct {
        struct nouveau_channel *chan;
    } migrate;
};
struct nouveau_vmm {
    struct {
        u64 limit;
    } vmm;
};
struct nouveau_drm {
    struct nvif_object ntfy;
    struct nouveau_dmem *dmem;
    struct {
        void *bridge;
        u64 base, size;
    } agp;
    struct nv10_fence_priv *fence;
    struct nouveau_channel *channel;
    struct {
        struct nvif_device device;
    } client;
};
struct nouveau_channel {
    struct {
#if LINUX >= 700
        struct nvif_push push;
#else
        struct nvif_push *push;
#endif
    } chan;
    struct nvif_device *device;
    struct nvif_object vram, gart, nvsw, user;
    struct nouveau_drm *drm;
    struct nouveau_cli *cli;
    struct nouveau_vmm *vmm;
    struct nv10_fence_chan *fence;
    struct {
        struct nouveau_bo *buffer;
        u64 addr;
    } push;
    struct {
        int ib_free, ib_put, ib_base, ib_max, free, max, cur, put;
    } dma;
    u32 token, user_put, user_get, user_get_hi;
    int kill;
};
struct nouveau_fence {
    struct nouveau_channel *channel;
    struct {
        u32 seqno;
    } base;
};
struct drm_device {
    struct nouveau_drm *drm;
    struct {
        u32 fb_base;
    } mode_config;
};
struct nouveau_fbdev {
    struct {
        struct drm_device *dev;
    } helper;
    struct nvif_object twod, surf2d, clip, rop, patt, gdi, blit;
    struct nouveau_vma *vma;
};
struct fb_info {
    struct nouveau_fbdev *par;
    struct {
        int visual;
        u32 line_length, smem_start;
    } fix;
    struct {
        u32 bits_per_pixel, xres_virtual, yres_virtual;
        struct {
            u32 length;
        } transp;
    } var;
    u32 *pseudo_palette;
};
struct fb_fillrect {
    u32 dx, dy, width, height, color, rop;
};
struct fb_copyarea {
    u32 sx, sy, dx, dy, width, height;
};
struct fb_image {
    u32 dx, dy, width, height, fg_color, bg_color;
    int depth;
    const void *data;
};
#define nouveau_fence(drm)             ((drm)->fence)
#define nvif_object_map(object, p, n)  0
#define nvif_notify_ctor(object, ...)  0
#define nvif_notify_get(notify)        0
#define NV_ERROR(...)                  ((void)0)
#define nv50_dma_wait(chan, n, size)   0
#define READ_GET(chan, previous, n)    (*positions++)
#define WRITE_PUT(position)            ((void)0)
#define OUT_RING(chan, v)              ((chan)->push.buffer->words[(chan)->dma.cur++] = (u32)(v))
#define nouveau_drm(dev)               ((dev)->drm)
#define nouveau_fbcon_gpu_lockup(info) ((void)0)
#define nouveau_bo_wr32(bo, at, v)     ((bo)->words[at] = (v))
#define nouveau_bo_rd32(bo, at)        ((bo)->words[at])
#define nvif_wr32(object, reg, v)      ((object)->stored[0] = (v))
#define nvif_object_ctor(p, name, handle_, class_, data, size, object)                             \
    ((object)->handle = (handle_), (object)->oclass = (class_), 0)

static const int *positions; /* of the GPU in a ring, from read to read */

#include "nouveau_functions.h"

/* ---- a channel and a frame buffer for a case ---- */

typedef struct nv_device {
    struct nvif_push *push, own_push;
    struct nouveau_channel chan;
    struct nouveau_drm drm;
    struct nv10_fence_priv fence;
    struct nv10_fence_chan fence_chan;
    struct nouveau_fence emitted;
    struct ttm_resource from, to;
    struct drm_device dev;
    struct nouveau_fbdev fbdev;
    struct nouveau_vma frame;
    struct nouveau_dmem dmem;
    struct nouveau_vmm vmm;
    struct fb_info info;
    u32 palette[256], words[NV_PORT_MAX_DW];
    struct nouveau_cli client;
} nv_device;

static int no_wait(struct nvif_push *push, u32 size)
{
    (void)push;
    (void)size;
    return -EBUSY;
}

static void no_kick(struct nvif_push *push)
{
    (void)push;
}

static int no_context(struct nouveau_channel *chan)
{
    (void)chan;
    return 0;
}

static nv_device *device(const nv_case *c)
{
    static nv_device d;
    memset(&d, 0, sizeof d);
#if LINUX >= 700
    d.push = &d.chan.chan.push;
#else
    d.chan.chan.push = d.push = &d.own_push;
#endif
    d.push->wait = no_wait;
    d.push->kick = no_kick;
    d.push->bgn = d.push->cur = d.words;
    d.push->end = d.words + NV_PORT_MAX_DW;
    d.chan.vram.handle = c->vram;
    d.chan.user.client = (void *)&d.client;
    d.chan.drm = &d.drm;
    d.client.drm = &d.drm;
    d.chan.cli = &d.client;
    d.chan.fence = &d.fence_chan;
    d.drm.ntfy.handle = c->notify;
    d.drm.fence = &d.fence;
    d.drm.channel = &d.chan;
    d.drm.client.device.info.family = 0x40;
    d.drm.client.device.info.chipset = c->src_tiled ? 0x40 : 0x05;
    d.chan.device = &d.drm.client.device;
    d.chan.vmm = &d.vmm;
    d.drm.dmem = &d.dmem;
    d.dmem.migrate.chan = &d.chan;
    d.fence.context_new = no_context;
    d.fence.sequence = c->seqno;
    d.fence_chan.sema.handle = c->handle;
    d.emitted.channel = &d.chan;
    d.emitted.base.seqno = c->seqno;
    d.from.mem_type = c->src_gart ? TTM_PL_TT : 0;
    d.to.mem_type = c->dst_gart ? TTM_PL_TT : 0;
    d.from.start = c->src_page;
    d.to.start = c->dst_page;
    d.from.num_pages = d.to.num_pages = c->pages;
    d.from.size = d.to.size = (u64)c->pages * PAGE_SIZE;
    d.from.mem.vma[0].addr = c->src_va;
    d.from.mem.vma[1].addr = c->dst_va;
    d.from.mem.kind = c->src_tiled ? 0x7a : 0;
    d.to.mem.kind = c->dst_tiled ? 0x7a : 0;
    d.dev.drm = &d.drm;
    d.fbdev.helper.dev = &d.dev;
    d.fbdev.vma = &d.frame;
    d.frame.addr = c->dst_va;
    d.info.par = &d.fbdev;
    d.info.fix.visual = c->true_color ? FB_VISUAL_TRUECOLOR : FB_VISUAL_PSEUDOCOLOR;
    d.info.fix.line_length = c->width * 4 & 0xffc0;
    d.info.fix.smem_start = c->src_page;
    d.info.var.bits_per_pixel = 32;
    d.info.var.xres_virtual = c->width;
    d.info.var.yres_virtual = c->height;
    d.info.pseudo_palette = d.palette;
    for (u32 i = 0; i < 256; i++) {
        d.palette[i] = i * 0x010203;
    }
    return &d;
}

#define PORT(name, call)                                                                           \
    int upstream_##name(const nv_case *c, uint32_t *out)                                           \
    {                                                                                              \
        nv_device *d = device(c);                                                                  \
        const int result = (call);                                                                 \
        if (result != 0) {                                                                         \
            return NV_PORT_REFUSED;                                                                \
        }                                                                                          \
        memcpy(out, d->words, (size_t)(d->push->cur - d->words) * sizeof *out);                    \
        return (int)(d->push->cur - d->words);                                                     \
    }
#define PORT_MOVE(name) PORT(name, name(&d->chan, NULL, &d->from, &d->to))
#define PORT_INIT(name) PORT(name, name(&d->chan, c->handle))
#define PORT_FILL(name)                                                                            \
    PORT(name, name(&d->info, &(struct fb_fillrect){c->x, c->y, c->width, c->height,               \
                                                    c->color & 0xff, c->copy_rop ? 0u : 1u}))
#define PORT_AREA(name)                                                                            \
    PORT(name, name(&d->info, &(struct fb_copyarea){c->x2, c->y2, c->x, c->y, c->width, c->height}))
#define PORT_IMAGE(name)                                                                           \
    PORT(name, name(&d->info, &(struct fb_image){c->x, c->y, c->width, c->height, c->color & 0xff, \
                                                 c->color >> 8 & 0xff, 1, c->bits}))

#if defined FORMAT_006C
#if LINUX < 700
static int new_channel(nv_device *d, const nv_case *c)
{
    static const u32 families[4] = {NV_DEVICE_INFO_V0_TNT, NV_DEVICE_INFO_V0_CELSIUS,
                                    NV_DEVICE_INFO_V0_TESLA, NV_DEVICE_INFO_V0_FERMI};
    d->drm.client.device.info.family = families[c->pages % 4];
    d->chan.user.oclass = c->pages % 4 == 3 ? FERMI_CHANNEL_GPFIFO : 0x6e;
    return nouveau_channel_init(&d->chan, c->vram, c->gart);
}

PORT(nouveau_channel_init, new_channel(d, c))
#endif
PORT_INIT(nv04_bo_move_init)
PORT_MOVE(nv04_bo_move_m2mf)
PORT(nv04_fence_emit, nv04_fence_emit(&d->emitted))
PORT(nv10_fence_emit, nv10_fence_emit(&d->emitted))
PORT(nv17_fence_sync, nv17_fence_sync(&d->emitted, &d->chan, &d->chan))
#if LINUX < 700
PORT_AREA(nv04_fbcon_copyarea)
PORT_FILL(nv04_fbcon_fillrect)
PORT_IMAGE(nv04_fbcon_imageblit)
PORT(nv04_fbcon_accel_init, nv04_fbcon_accel_init(&d->info))

/* A ring without room at its end, and a GPU that executes: the driver jumps to the start. */
uint32_t upstream_nouveau_dma_wait(uint32_t va)
{
    static const int reads[] = {40, 60};
    struct nouveau_bo ring;
    struct nouveau_channel chan;
    memset(&chan, 0, sizeof chan);
    chan.push.buffer = &ring;
    chan.push.addr = va;
    chan.dma.cur = 40;
    chan.dma.max = 41;
    positions = reads;
    return nouveau_dma_wait(&chan, 0, 2) == 0 ? ring.words[40] : 0;
}
#endif

#elif defined FORMAT_206E
PORT_INIT(nv50_bo_move_init)
PORT_MOVE(nv50_bo_move_m2mf)
PORT_MOVE(nva3_bo_move_copy)
PORT_MOVE(nv84_bo_move_exec)
PORT(nv84_fence_emit32, nv84_fence_emit32(&d->chan, c->dst_va, c->seqno))
PORT(nv84_fence_sync32, nv84_fence_sync32(&d->chan, c->dst_va, c->seqno))
#if LINUX < 700
PORT_FILL(nv50_fbcon_fillrect)
PORT_AREA(nv50_fbcon_copyarea)
PORT_IMAGE(nv50_fbcon_imageblit)
PORT(nv50_fbcon_accel_init, nv50_fbcon_accel_init(&d->info))
#endif
#else
PORT_INIT(nvc0_bo_move_init)
PORT_MOVE(nvc0_bo_move_m2mf)
PORT_MOVE(nvc0_bo_move_copy)
PORT_INIT(nve0_bo_move_init)
PORT_MOVE(nve0_bo_move_copy)
PORT(nvc0b5_migrate_copy, nvc0b5_migrate_copy(&d->drm, c->pages, (enum nouveau_aper)(c->x % 3),
                                              c->dst_va, (enum nouveau_aper)(c->y % 3), c->src_va))
PORT(nvc0b5_migrate_clear,
     nvc0b5_migrate_clear(&d->drm, c->pages * 8, (enum nouveau_aper)(c->x % 2 + 1), c->dst_va))
PORT(nvc0_fence_emit32, nvc0_fence_emit32(&d->chan, c->dst_va, c->seqno))
PORT(nvc0_fence_sync32, nvc0_fence_sync32(&d->chan, c->dst_va, c->seqno))
#if LINUX >= 700
PORT(gv100_fence_emit32, gv100_fence_emit32(&d->chan, c->dst_va, c->seqno))
PORT(gv100_fence_sync32, gv100_fence_sync32(&d->chan, c->dst_va, c->seqno))
#else
PORT_FILL(nvc0_fbcon_fillrect)
PORT_AREA(nvc0_fbcon_copyarea)
PORT_IMAGE(nvc0_fbcon_imageblit)
PORT(nvc0_fbcon_accel_init, nvc0_fbcon_accel_init(&d->info))

void upstream_nv50_dma_push(uint64_t va, uint32_t len_bytes, uint32_t entry[2])
{
    static struct nouveau_bo ring;
    static struct nouveau_drm drm;
    static struct nouveau_channel chan;
    chan.drm = &drm;
    chan.push.buffer = &ring;
    chan.dma.ib_free = 1;
    chan.dma.ib_put = 0;
    nv50_dma_push(&chan, va, (int)len_bytes);
    memcpy(entry, ring.words, 8);
}
#endif
#endif

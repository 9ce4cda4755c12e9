/* Ports of functions of the nouveau driver: the arguments of a call and the list of functions. */
#ifndef NOUVEAU_CASES_H
#define NOUVEAU_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NV_PORT_MAX_DW = 65536, NV_PORT_REFUSED = -1 };

typedef struct nv_case {
    uint64_t src_va, dst_va;
    uint32_t src_page, dst_page; /* NV4 to NV40: addresses in pages */
    uint32_t pages, handle, vram, gart, notify, seqno;
    bool src_tiled, dst_tiled; /* G80 */
    bool src_gart, dst_gart;   /* NV4 to NV40 */
    bool copy_rop, true_color;
    uint32_t color, x, y, x2, y2, width, height;
    const uint32_t *bits; /* of an image of width * height pixels */
} nv_case;

/* X(function), by the format of commands. Linux 7 has no accelerated console, but fences for GV100. */
/* clang-format off */
#if LINUX < 700
#define NV_PORTS_OLD_006C(X)                                                                       \
    X(nouveau_channel_init)                                                                        \
    X(nv04_fbcon_copyarea) X(nv04_fbcon_fillrect) X(nv04_fbcon_imageblit) X(nv04_fbcon_accel_init)
#define NV_PORTS_OLD_206E(X)                                                                       \
    X(nv50_fbcon_fillrect) X(nv50_fbcon_copyarea) X(nv50_fbcon_imageblit) X(nv50_fbcon_accel_init)
#define NV_PORTS_OLD_906F(X)                                                                       \
    X(nvc0_fbcon_fillrect) X(nvc0_fbcon_copyarea) X(nvc0_fbcon_imageblit) X(nvc0_fbcon_accel_init)
#else
#define NV_PORTS_OLD_006C(X)
#define NV_PORTS_OLD_206E(X)
#define NV_PORTS_OLD_906F(X) X(gv100_fence_emit32) X(gv100_fence_sync32)
#endif
#define NV_PORTS_006C(X)                                                                           \
    X(nv04_bo_move_init) X(nv04_bo_move_m2mf) X(nv04_fence_emit) X(nv10_fence_emit)                \
    X(nv17_fence_sync) NV_PORTS_OLD_006C(X)
#define NV_PORTS_206E(X)                                                                           \
    X(nv50_bo_move_init) X(nv50_bo_move_m2mf) X(nva3_bo_move_copy) X(nv84_bo_move_exec)            \
    X(nv84_fence_emit32) X(nv84_fence_sync32) NV_PORTS_OLD_206E(X)
#define NV_PORTS_906F(X)                                                                           \
    X(nvc0_bo_move_init) X(nvc0_bo_move_m2mf) X(nvc0_bo_move_copy) X(nve0_bo_move_init)            \
    X(nve0_bo_move_copy) X(nvc0_fence_emit32) X(nvc0_fence_sync32) X(nvc0b5_migrate_copy)          \
    X(nvc0b5_migrate_clear) NV_PORTS_OLD_906F(X)
/* clang-format on */
#define NV_PORTS(X) NV_PORTS_006C(X) NV_PORTS_206E(X) NV_PORTS_906F(X)

/* One function for each side and port: store the words of c at out, at most NV_PORT_MAX_DW. Return
 * their number, or NV_PORT_REFUSED if the function refused the arguments. */
#define NV_PORT_DECLARE(name)                                                                      \
    int upstream_##name(const nv_case *c, uint32_t *out);                                          \
    int port_##name(const nv_case *c, uint32_t *out);
NV_PORTS(NV_PORT_DECLARE)
#undef NV_PORT_DECLARE

#if LINUX < 700
/* Entries of the ring of pushbuffer segments: nv50_dma_push stores them. */
void upstream_nv50_dma_push(uint64_t va, uint32_t len_bytes, uint32_t entry[2]);
void port_nv50_dma_push(uint64_t va, uint32_t len_bytes, uint32_t entry[2]);
/* The jump to the start of a ring at va: nouveau_dma_wait stores it. */
uint32_t upstream_nouveau_dma_wait(uint32_t va);
uint32_t port_nouveau_dma_wait(uint32_t va);
#endif

#endif
